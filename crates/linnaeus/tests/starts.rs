//! Every recorded relation comes with a start from which both algorithms make the same calls.

mod support;

use linnaeus::relation::{NoStateMap, Verdict, compare, state_map};
use linnaeus::report;
use linnaeus::transfer::Analysis;
use std::collections::HashMap;
use support::corpus;

const ZOO: &str = include_str!("corpus/zoo.txt");
const RELATIONS: &str = include_str!("corpus/relations.txt");

/// A map or a reason; the only reason here is a root that no parameter makes rational.
fn check(a: &Analysis, b: &Analysis, label: &str, problems: &mut Vec<String>) -> bool {
    let Verdict::Related(witness) = compare(a, b, None).verdict else {
        return false;
    };
    let map = state_map(a, b, &witness);
    match &map {
        Ok(_) => {}
        Err(NoStateMap::Roots) if label == "pytorch_sgd_weight_decay sgdw" => {}
        Err(_) => problems.push(format!("{label}: {map:?}")),
    }
    map.is_ok()
}

#[test]
fn recorded_relations() {
    let read = |text: &str| linnaeus::read(text).analysis.expect("checked elsewhere");
    let zoo: HashMap<String, Analysis> = corpus(ZOO).into_iter().map(|e| (e.label.clone(), read(&e.text))).collect();
    let mut problems = Vec::new();
    let mut count = 0;
    for line in RELATIONS.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let [a, b, _] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        count += usize::from(check(&zoo[a], &zoo[b], &format!("{a} {b}"), &mut problems));
        count += usize::from(check(&zoo[b], &zoo[a], &format!("{b} {a}"), &mut problems));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count >= 228, "{count}");
}

/// The initial values as printed, or why there are none.
#[track_caller]
fn check_start(a: &str, b: &str, expected: &[&str]) {
    let read = |text: &str| linnaeus::read(text).analysis.expect("a good text");
    let (a, b) = (read(a), read(b));
    let r = report::compare(&a, &b, &compare(&a, &b, None));
    let found = r.no_state_map.map_or(r.initialization, |why| vec![why.to_string()]);
    assert_eq!(
        (found, r.state_map.is_some()),
        (expected.iter().map(|s| s.to_string()).collect(), r.no_state_map.is_none())
    );
}

#[test]
fn repetition() {
    let once = "x[k+1] = x[k] - t*grad f(x[k])";
    let twice = "y[k] = w[k] - s*grad f(w[k]); w[k+1] = y[k] - s*grad f(y[k])";
    check_start(once, twice, &["w[0] = x[0]"]);
    check_start(twice, once, &["x[0] = w[0]"]);
    let momentum = "x[k+1] = x[k] - t*grad f(x[k]) + b*(x[k] - x[k-1])";
    let twice = "y[k] = x[k] - t*grad f(x[k]) + b*(x[k] - y[k-1]); x[k+1] = y[k] - t*grad f(y[k]) + b*(y[k] - x[k])";
    check_start(momentum, twice, &["y[-1] = x[-1]", "x_B[0] = x[0]"]);
}

#[test]
fn numbers_that_oracles_commute_with() {
    let plain = "x[k+1] = P_C(P_D(x[k]))";
    check_start(plain, "function C cone; x[k+1] = P_C(s*P_D(x[k]))/s", &["x_B[0] = x[0]"]);
    check_start(plain, "function D cone; y[k] = 2*P_D(x[k]/2); x[k+1] = P_C(y[k])", &["x_B[0] = x[0]"]);
    let dual = "v[k+1] = prox_{s g*}(v[k] + s*M*w[k]); w[k+1] = prox_{t f}(w[k] - t*M'*(2*v[k+1] - v[k]))";
    let primal = "x[k+1] = prox_{t f}(x[k] - t*A'*y[k]); y[k+1] = prox_{s g*}(y[k] + s*A*(2*x[k+1] - x[k]))";
    check_start(primal, dual, &["v[0] = x[0]", "w[0] = -y[0]"]);
}

#[test]
fn roots() {
    let heavy_ball = "x[k+1] = x[k] - alpha*grad f(x[k]) + beta*(x[k] - x[k-1])";
    let euler = "v[k+1] = (1 - h*r)*v[k] - h*grad f(q[k]); q[k+1] = q[k] + h*v[k+1]";
    check_start(heavy_ball, euler, &["v[0] = x[-1]/sqrt(alpha) - x[0]/sqrt(alpha)", "q[0] = x[0]"]);
}

#[test]
fn filters_with_memory() {
    let douglas_rachford = "x[k] = prox_f(w[k]); y[k] = prox_g(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]";
    let variant = "function f linear; y[k] = prox_g(x2[k] - 2*x1[k]); \
        x1[k+1] = alpha*x1[k] - prox_f(alpha*x2[k] - x2[k+1]); x2[k+1] = x2[k] - x1[k] - y[k]";
    let why = "the signals are related by filters with a memory of their own, which is no change of state coordinates";
    check_start(variant, douglas_rachford, &[why]);
}

#[test]
fn operators_that_do_not_commute() {
    let two = "x[k+1] = x[k] - t*(A'*u[k] + B'*v[k]); u[k+1] = prox_{s f*}(u[k] + s*A*x[k+1]); \
        v[k+1] = prox_{s g*}(v[k] + s*B*x[k+1])";
    check_start(two, two, &["operators do not commute, and no state map is computed for such"]);
}

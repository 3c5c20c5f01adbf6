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

/// An operator between two spaces has no inverse: it stands where it multiplies, in T as well.
#[test]
fn operators_between_spaces() {
    let outer = "operator A: X -> Y; y[k+1] = y[k] - t*A*A'*grad f(y[k])";
    let inner = "operator A: X -> Y; x[k+1] = x[k] - t*A'*grad f(A*x[k])";
    check_start(outer, inner, &["A*x[0] = y[0]"]);
    check_start(inner, outer, &["y[0] = A*x[0]"]);
    let [a, b] = [outer, inner].map(|text| linnaeus::read(text).analysis.expect("a good text"));
    let report = report::compare(&a, &b, &compare(&a, &b, None));
    let states = report.state_map_states.expect("a state map");
    assert_eq!((report.state_map, states.second), (Some(vec![vec!["1".to_string()]]), vec!["A*x[0]".to_string()]));
}

#[test]
fn constants() {
    let plain = "x[k+1] = x[k] - t*grad f(x[k])";
    let moved = "constant b; w[k+1] = w[k] - t*grad f(w[k] - b)";
    check_start(plain, moved, &["w[0] = x[0] + b"]);
    check_start(moved, plain, &["x[0] = w[0] - b"]);
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
    // Only the square of the root occurs.
    check_start("x[k+1] = x[k] - 2*grad f(x[k])", "w[k+1] = w[k] - t^2*grad f(w[k])", &["w[0] = x[0]"]);
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
    check_start(two, two, &["x_B[0] = x[0]", "u_B[0] = u[0]", "v_B[0] = v[0]"]);
    let combined = "operator V: X -> X; operator W: X -> X; y[k+1] = W*V*y[k] - t*grad f(V*y[k])";
    let renamed = "operator V: X -> X; operator W: X -> X; x[k+1] = V*W*x[k] - t*V*grad f(x[k])";
    check_start(combined, renamed, &["x[0] = V*y[0]"]);
    let constant = "operator A: X -> Y; operator B: X -> Y; x[k+1] = x[k] - t*A'*(A*x[k] - b) - t*B'*grad f(B*x[k])";
    let shifted =
        "operator A: X -> Y; operator B: X -> Y; w[k] = x[k] - t*A'*(A*x[k] - b) - t*B'*grad f(B*x[k]); x[k+1] = w[k]";
    check_start(constant, shifted, &["x_B[0] = x[0]"]);
    let stored = "operator A: X -> Y; operator B: X -> Y; p[k+1] = A*x[k+1]; \
        x[k+1] = x[k] - t*A'*(p[k] - b) - t*B'*grad f(B*x[k])";
    check_start(stored, constant, &["x_B[0] = x[0]", "p[0] - A*x[0] = 0"]);
    check_start(constant, stored, &["p[0] = A*x[0]", "x_B[0] = x[0]"]);
}

/// An operator need have no inverse, so that it stands where it multiplies.
#[test]
fn starts_that_are_equations() {
    let combined = "operator V: X -> X; operator W: X -> X; y[k+1] = W*V*y[k] - t*grad f(V*y[k])";
    let renamed = "operator V: X -> X; operator W: X -> X; x[k+1] = V*W*x[k] - t*V*grad f(x[k])";
    let read = |text: &str| linnaeus::read(text).analysis.expect("a good text");
    let (a, b) = (read(renamed), read(combined));
    let r = report::compare(&a, &b, &compare(&a, &b, None));
    assert_eq!(r.initialization, ["V*y[0] = x[0]"]);
    assert_eq!(r.no_state_map, Some("B's states are not polynomials in the operators times those of A"));
}

/// Every form of a method whose coefficients change says how it is started like the others.
#[test]
fn coefficients_that_change() {
    let entries = corpus(include_str!("corpus/varying.txt"));
    let read = |label: &str| {
        let entry = entries.iter().find(|e| e.label == label).expect("an entry");
        linnaeus::read(&entry.text).analysis.expect("a good text")
    };
    let (mut problems, mut count) = (Vec::new(), 0);
    for entry in &entries {
        for (other, _) in &entry.facts {
            for (a, b) in [(&entry.label, other), (other, &entry.label)] {
                count += usize::from(check(&read(a), &read(b), &format!("{a} {b}"), &mut problems));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count >= 60, "{count}");
}

/// What the texts do, step by step, from the printed starts.
mod stepped {
    use super::check_start;

    fn schedule() -> Vec<f64> {
        let mut t = vec![1.7];
        (0..20).for_each(|k| t.push((1.0 + (1.0 + 4.0 * f64::powi(t[k], 2)).sqrt()) / 2.0));
        t
    }

    /// Nonlinear, so that nothing is the same by chance.
    fn gradient(y: f64) -> f64 {
        (1.3 * y).sin() + 0.2 * y
    }

    fn prox(v: f64) -> f64 {
        v / (1.0 + v.abs())
    }

    #[test]
    fn fista_counted_differently() {
        let a = "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1]); \
            x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))";
        let b = "x[k] = prox_{s g}(y[k] - s*grad f(y[k])); t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; \
            y[k+1] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1])";
        check_start(a, b, &["x_B[0] = x[0]", "y_B[1] = (t[1] + t[0] - 1)*x[0]/t[1] - (t[0] - 1)*x[-1]/t[1]"]);
        let (t, s) = (schedule(), 0.3);
        let (mut old, mut x) = (0.4, -0.9);
        let (mut x_b, mut y_b) = (x, (t[1] + t[0] - 1.0) * x / t[1] - (t[0] - 1.0) * old / t[1]);
        for k in 0..12 {
            let y = x + (t[k] - 1.0) / t[k + 1] * (x - old);
            assert!((y - y_b).abs() < 1e-9, "iteration {k}: {y} {y_b}");
            (old, x) = (x, prox(y - s * gradient(y)));
            let next = prox(y_b - s * gradient(y_b));
            y_b = next + (t[k + 1] - 1.0) / t[k + 2] * (next - x_b);
            x_b = next;
        }
    }

    #[test]
    fn a_product_of_operators_in_the_state() {
        let a = "operator A: X -> Z; operator B: X -> Z; x[k+1] = x[k] - t*A'*l[k] - t*grad f(x[k]); \
            l[k+1] = l[k] + s*B*x[k+1]";
        let b = "operator A: X -> Z; operator B: X -> Z; x[k+1] = x[k] - t*w[k] - t*grad f(x[k]); \
            w[k+1] = w[k] + s*A'*B*x[k+1]";
        check_start(a, b, &["x_B[0] = x[0]", "w[0] = adjoint(A)*l[0]"]);
        type V = [f64; 2];
        let apply = |m: [V; 2], x: V| m.map(|row| row[0] * x[0] + row[1] * x[1]);
        // Those of a rectangular operator and of its adjoint need not be square; here they are.
        let (adjoint, other) = ([[0.2, -0.5], [0.7, 0.1]], [[0.3, 0.4], [-0.6, 0.9]]);
        let (t, s) = (0.2, 0.5);
        let (mut x, mut l): (V, V) = ([1.0, -0.4], [0.3, 0.8]);
        let (mut x_b, mut w) = (x, apply(adjoint, l));
        for k in 0..12 {
            assert!((0..2).all(|i| (x[i] - x_b[i]).abs() < 1e-9), "iteration {k}: {x:?} {x_b:?}");
            let pull = apply(adjoint, l);
            x = [0, 1].map(|i| x[i] - t * pull[i] - t * gradient(x[i]));
            let push = apply(other, x);
            l = [0, 1].map(|i| l[i] + s * push[i]);
            x_b = [0, 1].map(|i| x_b[i] - t * w[i] - t * gradient(x_b[i]));
            let push = apply(adjoint, apply(other, x_b));
            w = [0, 1].map(|i| w[i] + s * push[i]);
        }
    }

    #[test]
    fn the_bar_of_chambolle_and_pock() {
        let rules = "operator A: X -> Y; theta[k] = 1/sqrt(1 + 2*gamma*tau[k]); tau[k+1] = theta[k]*tau[k]; \
            sigma[k+1] = sigma[k]/theta[k]; x[k+1] = prox_{tau[k] f}(x[k] - tau[k]*A'*y[k+1]);";
        let bar = format!(
            "{rules} y[k+1] = prox_{{sigma[k] g*}}(y[k] + sigma[k]*A*xb[k]); \
            xb[k+1] = x[k+1] + theta[k]*(x[k+1] - x[k])"
        );
        let old =
            format!("{rules} y[k+1] = prox_{{sigma[k] g*}}(y[k] + sigma[k]*A*(x[k] + theta[k-1]*(x[k] - x[k-1])))");
        let root = "sqrt(2*gamma*tau[-1] + 1)";
        let start = format!("xb[0] = ({root} + 1)*x[0]/({root}) - x[-1]/({root})");
        check_start(&old, &bar, &["x_B[0] = x[0]", "y_B[0] = y[0]", &start]);
        let (gamma, a) = (0.8_f64, 1.3);
        let mut tau = vec![0.7_f64];
        (0..20).for_each(|k| tau.push(tau[k] / (1.0 + 2.0 * gamma * tau[k]).sqrt()));
        // Times count from -1.
        let theta = |k: usize| 1.0 / (1.0 + 2.0 * gamma * tau[k]).sqrt();
        let mut sigma = 0.9_f64;
        let (mut x, mut before, mut y) = (0.6, -0.2, 0.5);
        let (mut x_b, mut y_b) = (x, y);
        let root = (2.0 * gamma * tau[0] + 1.0).sqrt();
        let mut bar = (root + 1.0) * x / root - before / root;
        for (k, step) in tau.iter().enumerate().take(12).skip(1) {
            let query = y + sigma * a * (x + theta(k - 1) * (x - before));
            assert!((query - (y_b + sigma * a * bar)).abs() < 1e-9, "iteration {}", k - 1);
            y = prox(query);
            (before, x) = (x, prox(x - step * a * y));
            y_b = prox(y_b + sigma * a * bar);
            let next = prox(x_b - step * a * y_b);
            bar = next + theta(k) * (next - x_b);
            x_b = next;
            sigma /= theta(k);
        }
    }
}

/// An operator that only one text has is a change of its coordinates.
#[test]
fn operators_of_one_text() {
    let plain = "operator V: X -> X; y[k+1] = V*y[k] - t*grad f(y[k])";
    let changed = "operator V, W: X -> X; x[k+1] = inv(W)*V*W*x[k] - t*inv(W)*grad f(W*x[k])";
    check_start(changed, plain, &["y[0] = W*x[0]"]);
    check_start(plain, changed, &["x[0] = W**(-1)*y[0]"]);
}

/// What both texts call alike is told apart where functions of it are compared.
#[test]
fn functions_of_namesakes() {
    let plain = "x[k+1] = x[k] - a*grad f(x[k])";
    let mirror = "x[k+1] = x[k]*exp(-a*grad f(log x[k]))";
    check_start(mirror, plain, &["x_B[0] = log(x[0])"]);
    check_start(plain, mirror, &["log(x_B[0]) = x[0]"]);
}

/// What A never reads says nothing of B, and names of another space are no namesakes.
#[test]
fn namesakes_that_count() {
    let dead = "x[k+1] = x[k] - t*grad f(x[k]); y[k+1] = y[k] + x[k]";
    let split = "x[k+1] = x[k] - t*grad f(x[k] + y[k]); y[k+1] = y[k]";
    check_start(dead, split, &["x_B[0] = x[0]", "y_B[0] = 0"]);
    check_start(split, dead, &["x_B[0] = x[0] + y[0]"]);
    let primal =
        "x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))";
    let dual = "y[k+1] = prox_{sigma g*}(y[k] + sigma*A*x[k]); x[k+1] = prox_{tau f}(x[k] - tau*A'*(2*y[k+1] - y[k]))";
    let read = |text: &str| linnaeus::read(text).analysis.expect("a good text");
    let (a, b) = (read(primal), read(dual));
    let r = report::compare(&a, &b, &compare(&a, &b, None));
    assert!(r.initialization.iter().all(|line| line != "x_B[0] = x[0]"), "{:?}", r.initialization);
}

/// The initial values where no matrix says as much.
#[track_caller]
fn check_lines(a: &str, b: &str, expected: &[&str]) {
    let read = |text: &str| linnaeus::read(text).analysis.expect("a good text");
    let (a, b) = (read(a), read(b));
    assert_eq!(report::compare(&a, &b, &compare(&a, &b, None)).initialization, expected);
}

/// Both ways.
#[track_caller]
fn check_starts(a: &str, b: &str, forth: &[&str], back: &[&str]) {
    check_start(a, b, forth);
    check_start(b, a, back);
}

/// Where a sequence must not change, it is that number in the start, too.
#[test]
fn sequences_that_must_not_change() {
    let velocity = "v[k+1] = b[k]*v[k] - a[k]*grad f(x[k]); x[k+1] = x[k] + v[k+1]";
    let heavy_ball = "x[k+1] = x[k] - alpha*grad f(x[k]) + beta*(x[k] - x[k-1])";
    check_starts(
        velocity,
        heavy_ball,
        &["x_B[0] = x[0]", "x_B[-1] = x[0] - v[0]"],
        &["v[0] = x[0] - x[-1]", "x_B[0] = x[0]"],
    );
    let free = "y[k] = x[k] + b[k]*(x[k] - x[k-1]); x[k+1] = y[k] - a[k]*grad f(y[k])";
    let nesterov = "y[k] = x[k] + beta*(x[k] - x[k-1]); x[k+1] = y[k] - alpha*grad f(y[k])";
    let same = ["x_B[0] = x[0]", "x_B[-1] = x[-1]"];
    check_starts(free, nesterov, &same, &same);
    let stored = "x[k+1] = y[k] - a[k]*grad f(y[k]); y[k+1] = x[k+1] + b[k]*(x[k+1] - x[k])";
    check_start(stored, nesterov, &["x_B[0] = x[0]", "x_B[-1] = (b[0] + 1)*x[0]/b[0] - y[0]/b[0]"]);
    let steps = "y[k+1] = prox_{s[k] g*}(y[k] + s[k]*A*xb[k]); x[k+1] = prox_{t[k] f}(x[k] - t[k]*A'*y[k+1]); \
        xb[k+1] = x[k+1] + th[k]*(x[k+1] - x[k])";
    let fixed = "y[k+1] = prox_{s g*}(y[k] + s*A*xb[k]); x[k+1] = prox_{t f}(x[k] - t*A'*y[k+1]); \
        xb[k+1] = x[k+1] + th*(x[k+1] - x[k])";
    let same = ["y_B[0] = y[0]", "x_B[0] = x[0]", "xb_B[0] = xb[0]"];
    check_starts(steps, fixed, &same, &same);
}

/// A power whose base a condition tells goes on by that.
#[test]
fn powers_of_a_base_that_is_determined() {
    let plain = "x[k+1] = x[k] - c*r^k*grad f(x[k])";
    let scaled = "w[k+1] = r*w[k] - c*grad f(w[k]*r^k)";
    check_starts(plain, scaled, &["w[0] = x[0]"], &["x[0] = w[0]"]);
}

/// Where what is divided by in general vanishes at index 0, that is another start.
#[test]
fn starts_that_are_special() {
    let stored = "m[k+1] = b*m[k] + (1-b)*grad f(x[k]); x[k+1] = x[k] - a*m[k+1]/(1 - b^(k+1))";
    let two_steps = "x[k+1] = x[k] + b*(1-b^k)/(1-b^(k+1))*(x[k] - x[k-1]) - a*(1-b)/(1-b^(k+1))*grad f(x[k])";
    check_starts(stored, two_steps, &["x_B[0] = x[0]", "m[0] = 0"], &["m[0] = 0", "x_B[0] = x[0]"]);
    let halpern = "x[k+1] = 1/(k+2)*x0 + (k+1)/(k+2)*T(x[k])";
    let without = "x[k+1] = ((k+1)*x[k] - k*T(x[k-1]))/(k+2) + (k+1)/(k+2)*T(x[k])";
    let same = ["x_B[0] = x[0]", "x[0] - x0 = 0"];
    check_lines(halpern, without, &same);
    check_start(without, halpern, &same);
}

/// A number that is a root of an equation of higher degree need not be known for a start.
#[test]
fn parameters_that_are_roots() {
    let plain = "x[k+1] = x[k] - t*grad f(x[k])";
    let fifth = "x[k+1] = x[k] - (a^5 + a)*grad f(x[k])";
    check_starts(plain, fifth, &["x_B[0] = x[0]"], &["x_B[0] = x[0]"]);
    let velocity = "v[k+1] = v[k] - (a^5 + a)*grad f(w[k]); w[k+1] = w[k] + v[k+1]";
    let momentum = "x[k+1] = 2*x[k] - x[k-1] - t*grad f(x[k])";
    check_start(momentum, velocity, &["v[0] = x[0] - x[-1]", "w[0] = x[0]"]);
}

/// An answer that B's own text gets from a call at its start is no number that one sets: B's iterates are started so that
/// they make up for it.
#[test]
fn answers_of_ones_own() {
    let one_leg = "x[k+1] = x[k] - h*subgrad f(th*x[k+1] + (1-th)*x[k])";
    let both_ends = "x[k+1] = x[k] - a*subgrad f(x[k+1]) - b*subgrad f(x[k])";
    check_starts(one_leg, both_ends, &["x_B[0] + h*u1_B[-1]*(th - 1) = x[0]"], &["x_B[0] = x[0] - b*u1[-1]"]);
    let descent = "x[k+1] = x[k] - t*grad f(x[k])";
    let extra = "x[k+2] = 2*x[k+1] - x[k] - s*(grad f(x[k+1]) - grad f(x[k]))";
    check_starts(
        descent,
        extra,
        &["x_B[1] = x[0]", "x_B[0] - t*u1_B[-1] = x[0]"],
        &["x_B[0] = x[0] - s*u1[-1]", "x[1] - x[0] + s*u1[-1] = 0"],
    );
    let stored = "x[k+1] = x[k] - 2*h*grad f(x[k]) + h*p[k]; p[k+1] = grad f(x[k])";
    let late = "x[k+1] = x[k] - 2*h*grad f(x[k]) + h*grad f(x[k-1])";
    check_starts(stored, late, &["x_B[0] = x[0]", "u1_B[-1] = p[0]"], &["x_B[0] = x[0]", "p[0] = u1[-1]"]);
    let read = |text: &str| linnaeus::read(text).analysis.expect("a good text");
    let answers = |a: &str, b: &str| {
        let (a, b) = (read(a), read(b));
        report::compare(&a, &b, &compare(&a, &b, None)).answers
    };
    assert_eq!(answers(one_leg, both_ends), ["u1_B[-1] = subgrad f(x_B[0])"]);
    assert_eq!(answers(descent, extra), ["u1_B[-1] = grad f(x_B[0])"]);
    assert_eq!(answers(stored, late), ["u1_B[-1] = grad f(x_B[-1])"]);
    assert!(answers(both_ends, one_leg).is_empty());
}

/// The same where operators do not commute.
#[test]
fn answers_of_ones_own_beside_operators() {
    let operators = "operator V: X -> X; operator W: X -> X;";
    let once = format!("{operators} x[k+1] = V*x[k] + W*x[k] - h*V*W*grad f(x[k])");
    let late = format!(
        "{operators} x[k+2] = V*x[k+1] + W*x[k+1] + x[k+1] - V*x[k] - W*x[k] - h*V*W*(grad f(x[k+1]) - grad f(x[k]))"
    );
    let shift = ["x_B[1] = x[0]", "V*x_B[0] + W*x_B[0] - h*V*W*u1_B[-1] = x[0]"];
    check_lines(&once, &late, &shift);
}

/// Every way to choose the parameters has a start of its own.
#[test]
fn ways() {
    let plain = "x[k+1] = p*x[k] + y[k]; y[k+1] = q*y[k] - grad f(x[k])";
    let capital = "param P; param Q; x[k+1] = P*x[k] + y[k]; y[k+1] = Q*y[k] - grad f(x[k])";
    let read = |text: &str| linnaeus::read(text).analysis.expect("a good text");
    for (a, b, other) in
        [(plain, capital, "y_B[0] = x[0]*(p - q) + y[0]"), (capital, plain, "y_B[0] = x[0]*(P - Q) + y[0]")]
    {
        let (a, b) = (read(a), read(b));
        let r = report::compare(&a, &b, &compare(&a, &b, None));
        assert_eq!(r.initialization, ["x_B[0] = x[0]", "y_B[0] = y[0]"]);
        let starts: Vec<Option<Vec<String>>> =
            r.branches.iter().map(|b| b.start.as_ref().map(|s| s.initialization.clone())).collect();
        assert_eq!(starts, [None, Some(vec!["x_B[0] = x[0]".to_string(), other.to_string()])]);
    }
}

/// f = x²/2, B's answers being those of its own calls.
#[test]
fn answers_of_ones_own_are_given() {
    let (h, th, t): (f64, f64, f64) = (0.3, 0.4, 0.2);
    let (a, b) = (h * th, h * (1.0 - th));
    // x_B − b ∇f(x_B) = x.
    let mut x = 1.7;
    let mut x_b = x / (1.0 - b);
    for k in 0..12 {
        let next = (1.0 - h * (1.0 - th)) / (1.0 + h * th) * x;
        let next_b = (1.0 - b) / (1.0 + a) * x_b;
        assert!((th * next + (1.0 - th) * x - next_b).abs() < 1e-9, "iteration {k}");
        (x, x_b) = (next, next_b);
    }
    // x_B[0] − t ∇f(x_B[0]) = x[0] = x_B[1].
    let mut x = 1.7;
    let (mut old, mut now) = (x / (1.0 - t), x);
    for k in 0..12 {
        assert!((x - now).abs() < 1e-9, "iteration {k}");
        x -= t * x;
        (old, now) = (now, 2.0 * now - old - t * (now - old));
    }
}

/// An answer that only A is given is called as the text calls it, which may be counted from another index.
#[test]
fn answers_that_are_named_ahead() {
    let ahead = "y[k+1] = x[k]; p[k] = prox_{t f}(y[k]); v[k+1] = prox_{t g}(2*p[k+1] - y[k+1]); \
        x[k+1] = x[k] + v[k+1] - p[k+1]";
    let admm = "x[k+1] = prox_{(1/rho) g}(w[k]-u[k]); w[k+1] = prox_{(1/rho) f}(x[k+1]+u[k]); \
        u[k+1] = u[k]+x[k+1]-w[k+1]";
    check_start(ahead, admm, &["w[0] = p[1]", "u[0] = x[0] - p[1]"]);
    let doubled = ahead.replace("p[k] = prox_{t f}(y[k])", "p[k] = 2*prox_{t f}(y[k])/2");
    check_start(&doubled, admm, &["w[0] = p[1]", "u[0] = x[0] - p[1]"]);
    let unnamed = ahead.replace("p[k] = prox_{t f}(y[k])", "p[k] = 2*prox_{t f}(y[k])").replace("2*p[k+1]", "p[k+1]");
    let unnamed = unnamed.replace("- p[k+1]", "- p[k+1]/2");
    check_start(&unnamed, admm, &["w[0] = r1[1]", "u[0] = x[0] - r1[1]"]);
    let late = "x[k+1] = x[k] - v[k+1] - grad g(x[k]); v[k] = grad f(q[k]); q[k+2] = x[k]";
    let early = "y[k+1] = y[k] - u[k-1] - grad g(y[k]); u[k] = grad f(y[k])";
    check_start(late, early, &["y[0] = x[0]", "u[-1] = v[1]"]);
}

/// No two vectors have one name, and which call an answer is to is told.
#[test]
fn names_that_are_told_apart() {
    let one = "x_B[k+1] = x_B[k] - a*grad f(x_B[k]) + b*x[k]; x[k+1] = x_B[k]";
    let other = "x[k+1] = x[k] - a_B*grad f(x[k]) + b*x_B[k]; x_B[k+1] = x[k]";
    check_starts(one, other, &["x_BB[0] = x_B[0]", "x_B_B[0] = x[0]"], &["x_B_B[0] = x[0]", "x_BB[0] = x_B[0]"]);
    let read = |text: &str| linnaeus::read(text).analysis.expect("a good text");
    let (a, b) = (read("x[k+1] = P_C(P_C(P_D(x[k])))"), read("x[k+1] = P_C(P_D(P_C(x[k])))"));
    let text = report::compare_text(&a, &b, &compare(&a, &b, None));
    assert!(text.contains("u2 being the answers of A's proj_C (call 1)"), "{text}");
}

/// A start divides by a sum of operators where that divides all of an equation.
#[test]
fn sums_of_operators() {
    let operators = "operators W, V: X -> X symmetric;";
    let mixed = |x: &str| format!("{operators} {x}[k+1] = V*{x}[k] - a*grad f((W-V)*{x}[k])");
    check_start(&mixed("x"), &mixed("y"), &["y[0] = x[0]"]);
    let decaying = |x: &str| format!("{operators} {x}[k+1] = V*{x}[k] - a[k]*grad f((W - b[k]*V)*{x}[k])");
    check_start(&decaying("x"), &decaying("y"), &["y[0] = x[0]"]);
    let dual = "operators W, V: X -> X; s[k+1] = s[k] + (W-V)*x[k]; x[k+1] = W*x[k] - (W-V)*s[k] - a*grad f(x[k])";
    let scaled =
        "operators W, V: X -> X; q[k+1] = q[k] + a*(W-V)*x[k]; x[k+1] = W*x[k] - (1/a)*(W-V)*q[k] - a*grad f(x[k])";
    check_start(dual, scaled, &["q[0] = a*s[0]", "x_B[0] = x[0]"]);
    let outer = "operators A, B: X -> Y; x[k+1] = x[k] - a*(A+B)'*grad f((A+B)*x[k])";
    let inner = "operators A, B: X -> Y; v[k+1] = v[k] - (A+B)'*grad f(a*(A+B)*v[k])";
    check_start(outer, inner, &["v[0] = x[0]/a"]);
    let saddle = |x: &str, y: &str| {
        format!(
            "operators V, W: X -> Y; {x}[k+1] = prox_{{t f}}({x}[k] - t*(V-W)'*{y}[k]); \
             {y}[k+1] = prox_{{s g*}}({y}[k] + s*(V-W)*(2*{x}[k+1] - {x}[k]))"
        )
    };
    check_start(&saddle("x", "y"), &saddle("u", "v"), &["u[0] = x[0]", "v[0] = y[0]"]);
}

/// Where sums of operators multiply several states, the start is found as a polynomial of low degree in them.
#[test]
fn starts_of_low_degree() {
    let query = |x: &str, y: &str| format!("(W-V)*{x} + (W+V)*{y}");
    let plain = |x: &str, y: &str| {
        let at = query(&format!("{x}[k]"), &format!("{y}[k]"));
        format!("operators W, V: X -> X; {x}[k+1] = V*{x}[k] - a*grad f({at}); {y}[k+1] = W*{y}[k] - b*grad f({at})")
    };
    check_start(&plain("x", "y"), &plain("u", "v"), &["u[0] = x[0]", "v[0] = y[0]"]);
    let at = query("(u[k] + 2*v[k])", "v[k]");
    let turned = format!(
        "operators W, V: X -> X; u[k+1] = V*u[k] + 2*V*v[k] - 2*W*v[k] - (a - 2*b)*grad f({at}); \
         v[k+1] = W*v[k] - b*grad f({at})"
    );
    check_starts(
        &plain("x", "y"),
        &turned,
        &["u[0] = x[0] - 2*y[0]", "v[0] = y[0]"],
        &["x[0] = u[0] + 2*v[0]", "y[0] = v[0]"],
    );
    // A sum need not have an inverse, and none is made up.
    let stored = "operators W, V: X -> X; x[k+1] = W*x[k] - q[k] - a*grad f(x[k]); q[k+1] = q[k] + (W-V)*x[k+1]";
    let before = "operators W, V: X -> X; x[k+1] = W*x[k] - (W-V)*s[k] - a*grad f(x[k]); s[k+1] = s[k] + x[k+1]";
    check_start(before, stored, &["x_B[0] = x[0]", "q[0] = W*s[0] - V*s[0]"]);
    check_lines(stored, before, &["x_B[0] = x[0]", "W*s[0] - V*s[0] = q[0]"]);
}

/// What only the start divides by is an exception of the start.
#[test]
fn numbers_that_a_start_divides_by() {
    let told = |a: &str, b: &str| {
        let texts = [a, b].map(linnaeus::read);
        let [a, b] = texts.each_ref().map(|text| text.analysis.as_ref().expect("a good text"));
        let comparison = compare(a, b, None);
        let text = report::compare_text(a, b, &comparison);
        let found = report::compare(a, b, &comparison).start_conditions;
        assert_eq!(text.contains("start       where"), !found.is_empty(), "{text}");
        (found, report::proof(&texts[0], &texts[1], &comparison))
    };
    let unified = "y[k+1] = x[k] - alpha*grad f(x[k]); q[k+1] = x[k] - s*alpha*grad f(x[k]); \
        x[k+1] = y[k+1] + beta*(q[k+1] - q[k])";
    let triple = "y[k] = x[k] + gamma*(x[k] - x[k-1]); x[k+1] = x[k] - alpha*grad f(y[k]) + beta*(x[k] - x[k-1])";
    let (found, proof) = told(unified, triple);
    assert_eq!(found, ["s*beta - s + 1 != 0"]);
    assert!(proof.contains("This start is for $s \\beta - s + 1 \\neq 0$."), "{proof}");
    let heavy_ball = "x[k+1] = x[k] - a*grad f(x[k]) + b*(x[k] - x[k-1])";
    let velocity = "v[k+1] = b*v[k] - grad f(x[k]); x[k+1] = x[k] + a*v[k+1]";
    assert_eq!(told(heavy_ball, velocity).0, ["a != 0"]);
    assert!(told(velocity, heavy_ball).0.is_empty());
    // A's own text divides by it.
    assert!(told(&heavy_ball.replace("- a*grad f", "- (1/r)*grad f"), &velocity.replace("a*v", "v/r")).0.is_empty());
}

//! What the paper says of its algorithms, claim by claim. Each line is the first, the second, and the
//! answer: relation, generality, shift, the second's parameters in terms of the first's, conditions,
//! assumptions.

mod support;

use linnaeus::relation::compare;
use linnaeus::report;
use support::corpus;

const GOLDEN: &str = include_str!("corpus/golden.txt");

/// A label of the corpus, or an algorithm typed out.
fn text(name: &str) -> String {
    if name.contains('=') {
        return name.to_string();
    }
    let entry = corpus(GOLDEN).into_iter().find(|e| e.label == name);
    entry.unwrap_or_else(|| panic!("no listing `{name}`")).text
}

/// The answer on one line.
fn answer(a: &str, b: &str) -> String {
    let [a, b] =
        [a, b].map(|name| linnaeus::read(&text(name)).analysis.unwrap_or_else(|| panic!("`{name}` is refused")));
    let comparison = compare(&a, &b, None);
    let r = report::compare(&a, &b, &comparison);
    if r.verdict != "related" {
        return r.verdict.to_string();
    }
    assert_eq!(r.recheck, Some("passed"));
    let mut parts = vec![format!("{} {}", r.relation.unwrap_or("?"), r.generality.unwrap_or("?"))];
    if r.shift.iter().any(|m| *m != 0) {
        parts.push(format!("shift {:?}", r.shift));
    }
    parts.extend(r.parameters.iter().map(|(p, v)| format!("{p} = {v}")));
    parts.extend(r.conditions.iter().cloned());
    parts.extend(r.assumptions.iter().cloned());
    parts.join("; ")
}

fn check(claims: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = claims
        .iter()
        .map(|(a, b, expected)| (a, b, expected, answer(a, b)))
        .filter(|(_, _, expected, found)| *expected != found)
        .map(|(a, b, expected, found)| format!("{a} and {b}:\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const GRADIENT_DESCENT: &str = "x[k+1] = x[k] - t*grad f(x[k])";
const DOUGLAS_RACHFORD: &str = "x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]";

#[test]
fn motivating_examples() {
    check(&[
        ("algo_i1", "algo_i2", "oracle equal; eta = eta"),
        ("algo_i1", "algo_i3", "oracle equal; eta = eta"),
        ("algo_i1", "algo_i4", "oracle equal; eta = eta"),
        ("algo_i3", "algo_i4", "oracle equal; eta = eta"),
        ("algo1", "algo2", "oracle equal"),
        ("algo3", "algo4", "oracle equal"),
        ("algo1", GRADIENT_DESCENT, "distinct"),
        ("algo3", GRADIENT_DESCENT, "oracle instance; t = 1/5"),
        ("algo5", "algo6", "shift equal; shift [1, 0]"),
        ("algo6", "algo5", "shift equal; shift [1, 0]"),
        ("algop3", "algo4", "oracle equal"),
    ]);
}

#[test]
fn momentum() {
    check(&[
        ("algo_heavyball", "algo_nesterov", "distinct"),
        ("algo_nesterov", "algo_heavyball", "distinct"),
        ("algo_nesterov", "algo_TMM1", "oracle instance; alpha = alpha; beta = beta; gamma = beta"),
        ("algo_heavyball", "algo_TMM1", "oracle instance; alpha = alpha; beta = beta; gamma = 0"),
        ("algo_TMM1", "algo_nesterov", "oracle contains; alpha = alpha; beta = gamma; beta = gamma"),
        ("algo_TMM1", "algo_TMM3", "oracle equal; alpha = alpha; beta = beta; s = gamma/beta; beta != 0"),
        (
            "algo_TMM1",
            "algo_TMM2",
            "oracle equal; alpha = alpha/(1 - beta); beta = beta; nu = (gamma*beta + beta - gamma)/beta; beta not in {0, 1}",
        ),
        ("algo_TMM1", "algo_TMM4", "oracle equal; eta = alpha; lambda = gamma/beta; mu = beta; beta != 0"),
        ("algo_TMM3", "algo_TMM1", "oracle equal; alpha = alpha; beta = beta; gamma = s*beta"),
    ]);
}

#[test]
fn reflected_gradient_is_beyond_some_momentum_families() {
    // Erratum B1: reached by the first family (beta = 0, gamma = 1) and by no other.
    let reflected = "x[k+1] = x[k] - eta*grad f(2*x[k] - x[k-1])";
    check(&[
        (reflected, "algo_TMM1", "oracle instance; alpha = eta; beta = 0; gamma = 1"),
        (reflected, "algo_TMM2", "distinct"),
        (reflected, "algo_TMM3", "distinct"),
        (reflected, "algo_TMM4", "distinct"),
        ("algo1", "algo_TMM1", "oracle instance; alpha = 1/10; beta = 1; gamma = 1"),
        ("algo1", "algo_TMM2", "distinct"),
    ]);
}

#[test]
fn splitting() {
    check(&[
        ("algoNIDS", "algoExDIFF", "oracle equal; W = W; alpha = alpha"),
        ("algoPD3O", "algoPD3Oc#fixed", "shift equal; shift [1, 0, 0]; A = A; sigma = sigma; tau = tau"),
        ("algoPD3O", "algoPD3Ob", "shift equal; shift [1, 1, 0]; A = A; sigma = sigma; tau = tau"),
        ("algoPD3O", "algoPD3Od", "shift equal; shift [1, 1, 0]; A = A; sigma = sigma; tau = tau"),
        ("algoPD3Ob", "algoPD3Od", "oracle equal; A = A; sigma = sigma; tau = tau"),
        ("algo11", "algo12", "lft equal; t = t"),
        ("algo11", "algo11b", "lft instance; t = t"),
        ("algo11", "algo12b", "lft instance; t = t"),
        ("algo12", "algo11b", "lft instance; t = t"),
        ("algo12", "algo12b", "lft instance; t = t"),
        ("algo11b", "algo12b", "lft equal; t = t; t != 0"),
        ("eq:implicit", "eq:implicit#prox", "lft contains; t = t; t > 0"),
        (DOUGLAS_RACHFORD, "algo14#general", "conditional instance; M = 1; sigma = 1/t; tau = t; M = I in B"),
        ("algoTOS", "algoPD3O", "conditional instance; A = 1; sigma = 1/t; tau = t; A = I in B"),
    ]);
}

#[test]
fn repeated_oracles() {
    let swapped = "oracle F; w[k] = x[k] - gamma*F(x[k]); v[k] = P_C(w[k]); x[k+1] = P_C(x[k] - gamma*F(v[k]))";
    check(&[
        ("extragradient", swapped, "oracle equal; gamma = gamma"),
        ("doublegradient", "extragradient", "distinct"),
    ]);
}

#[test]
fn operators_that_do_not_commute() {
    let spaces = "operator A: X -> Y; operator B: X -> Z; ";
    let head = "x[k+1] = x[k] - tau*(grad h(x[k]) + A'*u[k] + B'*v[k]); ";
    let one = format!(
        "{spaces}{head}u[k+1] = prox_{{sigma f*}}(u[k] + sigma*A*(2*x[k+1] - x[k])); v[k+1] = prox_{{sigma g*}}(v[k] + sigma*B*(2*x[k+1] - x[k]))"
    );
    let two = format!(
        "{spaces}d[k] = A'*u[k] + B'*v[k]; e[k] = x[k] - 2*tau*grad h(x[k]) - 2*tau*d[k]; x[k+1] = (x[k] + e[k])/2; \
         u[k+1] = prox_{{sigma f*}}(u[k] + sigma*A*e[k]); v[k+1] = prox_{{sigma g*}}(v[k] + sigma*B*e[k])"
    );
    let three = format!(
        "{spaces}{head}u[k+1] = prox_{{sigma f*}}(u[k] + sigma*A*x[k+1]); v[k+1] = prox_{{sigma g*}}(v[k] + sigma*B*(2*x[k+1] - x[k]))"
    );
    let primal = one.replace(
        "u[k+1] = prox_{sigma f*}(u[k] + sigma*A*(2*x[k+1] - x[k]))",
        "r[k] = u[k]/sigma + A*(2*x[k+1] - x[k]); u[k+1] = sigma*r[k] - sigma*prox_{(1/sigma) f}(r[k])",
    );
    let square = "operator A: X -> X; x[k+1] = x[k] - t*A'*A*grad f(x[k])";
    let other = "operator A: X -> X; x[k+1] = x[k] - t*A*A'*grad f(x[k])";
    check(&[
        (&one, &two, "oracle equal; A = A; B = B; sigma = sigma; tau = tau"),
        (&one, &three, "distinct"),
        (&one, &primal, "lft equal; A = A; B = B; sigma = sigma; tau = tau"),
        (square, other, "oracle equal; A = adjoint(A); t = t"),
        (
            square,
            "operator A: X -> X; x[k+1] = x[k] - 2*s*A'*v[k]; v[k] = A*grad f(x[k])",
            "oracle equal; A = A; s = t/2",
        ),
    ]);
}

//! What a relation asks of both texts besides equations: steps that are positive, samples that stay where they are,
//! what the other text declares. And whether it holds with the same values of all that has one name in both.

mod support;

use support::{check_both_orders as check, related};

const PROXIMAL_POINT: &str = "x[k+1] = prox_{t f}(x[k])";

#[test]
fn steps_that_are_solved_for_are_positive() {
    let backward = |step: &str| format!("x[k+1] = x[k] {step}*subgrad f(x[k+1])");
    check(&[
        (&backward("+ s^2"), PROXIMAL_POINT, "distinct", "distinct"),
        (&backward("+ (s^2 + 1)"), PROXIMAL_POINT, "distinct", "distinct"),
        (&backward("- s"), PROXIMAL_POINT, "lft contains; t = s; s > 0", "lft instance; s = t"),
        (&backward("+ s"), PROXIMAL_POINT, "lft contains; t = -s; s < 0", "lft instance; s = -t"),
        ("x[k+1] = P_C(x[k] + t^2*grad f(x[k]))", "x[k+1] = prox_{s g}(x[k] - s*grad f(x[k]))", "distinct", "distinct"),
        ("x[k+1] = x[k] + l^2*grad env_{t f}(x[k])", PROXIMAL_POINT, "distinct", "distinct"),
        (
            "x[k+1] = x[k] - l*grad env_{s f}(x[k])",
            PROXIMAL_POINT,
            "lft contains; t = l; s = l; l > 0",
            "lft instance; l = t; s = t",
        ),
        // What is divided by does not vanish where steps are positive.
        (
            PROXIMAL_POINT,
            "x[k+1] = prox_{s/(1-s) f}(x[k])",
            "oracle equal; s = t/(t + 1)",
            "oracle equal; t = s/(1 - s)",
        ),
        // Of a product only that is known.
        ("x[k+1] = prox_{a*b f}(x[k])", &backward("- s"), "lft instance; s = a*b", "lft contains; b = s/a; s > 0"),
        ("x[k+1] = prox_{(1/r) f}(x[k])", &backward("- s"), "lft instance; s = 1/r", "lft contains; r = 1/s; s > 0"),
    ]);
}

#[test]
fn steps_of_one_text_are_known() {
    // Sums and products of what is positive are.
    check(&[
        (
            "x[k+1] = prox_{a f}(prox_{b g}(x[k]))",
            "y = prox_{s g}(x[k]); x[k+1] = y - (r - s)*subgrad f(x[k+1])",
            "lft instance; r = b + a; s = b",
            "lft contains; a = r - s; b = s; r - s > 0",
        ),
        (
            "x[k+1] = prox_{a f}(prox_{b g}(x[k]))",
            "y = prox_{s g}(x[k]); x[k+1] = y - (r/s)*subgrad f(x[k+1])",
            "lft instance; r = a*b; s = b",
            "lft contains; a = r/s; b = s; r > 0",
        ),
    ]);
}

#[test]
fn steps_that_change_with_the_index() {
    let (prox, backward) = ("x[k+1] = prox_{t[k] f}(x[k])", "x[k+1] = x[k] - s[k]*subgrad f(x[k+1])");
    check(&[
        (backward, prox, "lft contains; t[k] = s[k]; s[k] > 0", "lft instance; s[k] = t[k]"),
        (&backward.replace("- s", "+ s[k]*s"), prox, "distinct", "distinct"),
    ]);
}

#[test]
fn samples_stay_where_they_are() {
    let first = "x[k+1] = prox_g(x[k] - t*grad f(x[k]; xi[k]))";
    let second = "z[k+1] = prox_g(z[k]) - t*grad f(prox_g(z[k]); xi[k])";
    check(&[
        (first, second, "shift equal; shift [0, -1]; t = t", "shift equal; shift [1, 0]; t = t"),
        (
            &first.replace("f(x[k]; xi[k])", "f_k(x[k])"),
            &second.replace("f(prox_g(z[k]); xi[k])", "f_k(prox_g(z[k]))"),
            "shift equal; shift [0, -1]; t = t",
            "shift equal; shift [1, 0]; t = t",
        ),
    ]);
    // The first sample is that of the call that B leaves out.
    let start = related(first, second, None).initialization;
    assert!(start.iter().any(|line| line.contains("[1] = x[0] - ")), "{start:?}");
}

#[test]
fn the_same_values() {
    let constant = |b: &str| format!("constant b: X; x[k+1] = 2*x[k] - t*grad f(x[k]) + {b}");
    let (descent, ball) = ("x[k+1] = x[k] - t*grad f(x[k])", "x[k+1] = x[k] - t*grad f(x[k]) + b*(x[k] - x[k-1])");
    let operator = "operator W: X -> X; x[k+1] = W*x[k] - grad f(x[k])";
    let two = |x: &str, y: &str| format!("constants b, c: X; x[k+1] = 2*x[k] - t*grad f(x[k] + {x}) + {y}");
    for (a, b, same) in [
        (&constant("b")[..], &constant("b")[..], Some(true)),
        (&constant("b"), &constant("2*b"), Some(false)),
        (&constant("b"), &constant("t*b"), Some(false)),
        (&two("b", "c"), &two("c", "b"), Some(false)),
        (&two("b", "c"), &two("b", "c"), Some(true)),
        (descent, ball, Some(true)),
        (&descent.replace("t*", "2*t*"), ball, Some(false)),
        (descent, "y = x[k] - t*grad f(x[k]); x[k+1] = y - t*grad f(y)", Some(true)),
        (descent, "x[k+1] = x[k] - s*grad f(x[k])", None),
        (operator, operator, Some(true)),
        (operator, &operator.replace("W*", "W'*"), Some(false)),
        (operator, &operator.replace("W*", "2*W*"), Some(false)),
        ("x[k+1] = x[k] - t[k]*grad f(x[k])", "x[k+1] = x[k] - 2*t[k]*grad f(x[k])", None),
        // Where the conditions are met.
        ("x[k+1] = prox_{t g}(x[k] - 4*grad f(x[k]))", "x[k+1] = prox_{t g}(x[k] - t^2*grad f(x[k]))", Some(true)),
        ("x[k+1] = prox_{t g}(x[k] - 4*grad f(x[k]))", "x[k+1] = prox_{3*t g}(x[k] - t^2*grad f(x[k]))", Some(false)),
        ("x[k+1] = x[k] - grad env_{t f}(x[k])", "x[k+1] = prox_{t f}(x[k])", Some(true)),
        // Another parameter is a root that is not solved for.
        ("x[k+1] = a*x[k] - t*grad f(x[k])", "x[k+1] = (b^5 - b)*x[k] - t*grad f(x[k])", Some(true)),
        ("x[k+1] = a*x[k] - t*grad f(x[k])", "x[k+1] = (b^5 - b)*x[k] - 2*t*grad f(x[k])", Some(false)),
    ] {
        for (x, y) in [(a, b), (b, a)] {
            assert_eq!(related(x, y, None).same_parameters, same, "{x} and {y}");
        }
    }
}

#[test]
fn multiples_of_operators() {
    let with_factors = "x[k+1] = prox_{r f}(x[k] - r*c*L'*y[k]); y[k+1] = prox_{s g*}(y[k] + s*d*L*(2*x[k+1] - x[k]))";
    let plain = "x[k+1] = prox_{p f}(x[k] - p*K'*y[k]); y[k+1] = prox_{q g*}(y[k] + q*K*(2*x[k+1] - x[k]))";
    check(&[
        (
            with_factors,
            plain,
            "oracle contains; K = c*L; p = r; q = s; d = c; c != 0",
            "oracle instance; L = K/c; d = c; r = p; s = q; c != 0",
        ),
        (
            "x[k+1] = W*x[k] - grad f(x[k])",
            "x[k+1] = c*V*x[k] - grad f(x[k])",
            "oracle equal; V = W/c; c != 0",
            "oracle equal; W = c*V; c != 0",
        ),
    ]);
}

#[test]
fn general_oracles() {
    let reflected = "x[k+1] = prox_{t f}(z[k]); y[k+1] = prox_{t g}(2*x[k+1] - z[k]); z[k+1] = z[k] + y[k+1] - x[k+1]";
    check(&[
        // Two black boxes may be oracles of one function.
        ("x[k+1] = D(E(x[k]))", "x[k+1] = prox_{t f}(prox_{t f}(x[k]))", "oracle contains", "oracle instance"),
        (
            "x[k+1] = D(x[k] - s*E(x[k]))",
            "x[k+1] = prox_{t f}(x[k] - r*grad f(x[k]))",
            "oracle contains; r = s",
            "oracle instance; s = r",
        ),
        (
            reflected,
            &reflected.replace("t g", "t f"),
            "conditional equal; t = t; g = f in A",
            "conditional equal; t = t; g = f in B",
        ),
        (
            "x[k+1] = x[k] - (2 + (-1)^k)*grad f(x[k])",
            "y = x[k] - 3*grad f(x[k]); x[k+1] = y - grad f(y)",
            "repetition equal; 2 x A",
            "repetition equal; 2 x B",
        ),
    ]);
}

#[test]
fn declarations_are_asked_of_the_other_text() {
    check(&[
        (
            "operator V: X -> X; x[k+1] = V*x[k] - grad f(x[k])",
            "operator W: X -> X symmetric; x[k+1] = W*x[k] - grad f(x[k])",
            "oracle contains; W = V; V is symmetric in A",
            "oracle instance; V = W",
        ),
        (
            "operators V, U: X -> X; x[k+1] = V*U*x[k] - grad f(V*x[k])",
            "operators W, Q: X -> X commuting; x[k+1] = W*Q*x[k] - grad f(W*x[k])",
            "oracle contains; Q = U; W = V; V and U commute in A",
            "oracle instance; U = Q; V = W",
        ),
    ]);
}

#[test]
fn what_asks_for_least_is_told_first_and_what_holds_elsewhere_beside_it() {
    let (implicit, explicit) = (
        "x[k+1] = prox_{t f}(x[k] - b*(x[k+1] - x[k]) - d*grad h(x[k]))",
        "x[k+1] = prox_{s f}(x[k] - e*grad h(x[k]))",
    );
    check(&[
        // With the same step they are the same for b = 0 alone.
        (
            implicit,
            explicit,
            "lft contains; e = d/(b + 1); s = t/(b + 1); b > -1",
            "oracle instance; b = 0; d = e; t = s",
        ),
        (
            "x[k+1] = prox_{t f}(a*x[k] + (1-a)*x[k+1])",
            PROXIMAL_POINT.replace('t', "s").as_str(),
            "lft contains; s = t/a; a > 0",
            "oracle instance; a = 1; t = s",
        ),
    ]);
    let also = |a: &str, b: &str| -> Vec<String> {
        let found = related(a, b, None);
        let told = found.also.iter().map(|other| {
            let values: Vec<String> = other.parameters.iter().map(|(p, value)| format!("{p} = {value}")).collect();
            format!("{} {}; {}", other.relation, other.conditions.join(", "), values.join(", "))
        });
        told.collect()
    };
    assert_eq!(also(implicit, explicit), [""; 0]);
    assert_eq!(also(explicit, implicit), ["lft b > -1; d = e*(b + 1), t = s*(b + 1)"]);
    let reflected = "x = prox_{t f}(w[k]); y = prox_{t g}(x + c*(x - w[k])); w[k+1] = y - c*(x - w[k])";
    let admm = "x[k+1] = prox_{(1/rho) f}(y[k] - u[k]); y[k+1] = prox_{(1/rho) g}(x[k+1] + u[k]);
        u[k+1] = u[k] + gamma*(x[k+1] - y[k+1])";
    assert_eq!(also(reflected, admm), ["permutation c = 1; gamma = 1, rho = 1/t"]);
    assert_eq!(also(admm, reflected), ["permutation gamma = 1; c = 1, t = 1/rho"]);
    // Every way of another relation is told.
    let relaxed = "y = prox_{t f}(x[k]); x[k+1] = x[k] + r*(prox_{t g}(2*y - x[k]) - y)";
    let squared = "y = prox_{t f}(x[k]); x[k+1] = x[k] + r*(r-1)*(prox_{s g}((1+q)*y - q*x[k]) - y)";
    let found = also(relaxed, squared);
    assert!(["r = -1", "r = 2"].iter().all(|r| found.iter().any(|way| way.contains(r))), "{found:?}");
}

/// What divides by zero on one branch is another one, unless it is degenerate: with b = 0 the state matrix of the first is
/// triangular, and 1 is one of its diagonal entries.
#[test]
fn branches_where_others_divide_by_zero() {
    let query = "grad f(c*x1[k] + d*x2[k])";
    let general = format!("x1[k+1] = a*x1[k] + b*x2[k] - e*{query}; x2[k+1] = g*x1[k] + h*x2[k] - p*{query}");
    let momentum = "y[k] = x[k] + gamma*(x[k] - x[k-1]); x[k+1] = x[k] - alpha*grad f(y[k]) + beta*(x[k] - x[k-1])";
    let ways = |a: &str, b: &str| -> Vec<(Vec<String>, Vec<String>)> {
        let found = related(a, b, None);
        let mut all: Vec<_> = found.branches.into_iter().collect();
        all.iter_mut().for_each(|b| b.conditions.sort());
        let told =
            |b: &linnaeus::report::BranchReport| b.parameters.iter().map(|(p, v)| format!("{p} = {v}")).collect();
        all.iter().map(|b| (b.conditions.clone(), told(b))).collect()
    };
    let found = ways(&general, momentum);
    let has = |list: &[String], wanted: &[&str]| wanted.iter().all(|w| list.iter().any(|line| line == w));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(has(&found[0].0, &["b != 0", "g = (a - 1)*(h - 1)/b"]), "{found:?}");
    assert!(found.iter().any(|(conditions, values)| {
        has(conditions, &["a = 1", "b = 0"]) && has(values, &["alpha = e*(d*g - c*h + c)", "beta = h"])
    }));
    assert!(
        found.iter().any(|(conditions, values)| has(conditions, &["b = 0", "h = 1"]) && has(values, &["beta = a"]))
    );
    let found = ways(momentum, &general);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[1..].iter().all(|(_, values)| has(values, &["b = 0"])), "{found:?}");
}

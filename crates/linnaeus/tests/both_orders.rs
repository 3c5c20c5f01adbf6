//! Claims in both orders of the arguments: the first, the second, the answer, and the answer the other way round.

mod support;

use linnaeus::relation::Relation;
use support::{check_both_orders as check, related, summary};

/// Equivalence of calls with samples is one along the same path.
#[test]
fn samples() {
    let at = |sample: &str| format!("x[k+1] = x[k] - a*grad f(x[k]; {sample})");
    let twice = |first: &str, second: &str| {
        format!("y[k] = x[k] - a*grad f(x[k]; {first}); x[k+1] = x[k] - a*grad f(y[k]; {second})")
    };
    let moved = |by: &str| format!("conditional equal; a = a; the sample xi[k] of B is the sample xi[k{by}1] of A");
    check(&[
        (&at("xi[k]"), &at("xi[k]"), "oracle equal; a = a", "oracle equal; a = a"),
        (&at("xi[k]"), &at("xi[k+1]"), &moved("-"), &moved("+")),
        // Another text of the same.
        (&at("xi[k]"), "x[k] = x[k-1] - a*grad f(x[k-1]; xi[k-1])", "oracle equal; a = a", "oracle equal; a = a"),
        (
            &at("xi[k]"),
            &at("zeta[k+1]"),
            "oracle equal; a = a; the sample zeta[k] of B is the sample xi[k-1] of A",
            "oracle equal; a = a; the sample xi[k] of B is the sample zeta[k+1] of A",
        ),
        // One sample that is used twice is not two samples.
        (
            &twice("xi[k]", "xi[k]"),
            &twice("xi[k]", "zeta[k]"),
            "oracle instance; a = a; the sample zeta[k] of B is the sample xi[k] of A",
            "oracle contains; a = a; the sample xi[k] of B is the sample zeta[k] of A",
        ),
        (&twice("xi[k]", "xi[k]"), &twice("xi[k]", "xi[k+1]"), "distinct", "distinct"),
        (&at("xi[k]"), "x[k+1] = x[k] - a*grad f(x[k])", "distinct", "distinct"),
    ]);
    // Calls without a sample may be moved against those with one.
    check(&[(
        "y[k] = P_C(x[k]); x[k+1] = y[k] - a*grad f(y[k]; xi[k])",
        "x[k+1] = P_C(x[k] - a*grad f(x[k]; xi[k]))",
        "shift equal; shift [1, 0]; a = a",
        "shift equal; shift [0, -1]; a = a",
    )]);
    let why = related(&at("xi[k]"), "x[k+1] = x[k] - a*grad f(x[k])", None).obstruction.expect("distinct").message;
    assert!(why.contains("A calls grad f once with the sample xi, B calls grad f once"), "{why}");
}

/// What a declaration or the kind of an oracle makes special is an instance of what is general.
#[test]
fn special_and_general() {
    let gradient = "x[k+1] = x[k] - t*grad f(x[k])";
    let weighted = |how: &str| format!("operator W: X -> X{how}\nx[k+1] = W*x[k] - t*grad f(x[k])");
    let step = "oracle equal; t = t";
    let same = (step.replace("equal", "instance"), step.replace("equal", "contains"));
    check(&[
        (&format!("function f linear\n{gradient}"), gradient, &same.0, &same.1),
        (&format!("function f linear\n{gradient}"), &format!("function f linear\n{gradient}"), step, step),
        (gradient, "oracle F\nx[k+1] = x[k] - t*F(x[k])", &same.0, &same.1),
        ("x[k+1] = prox_{t f}(x[k])", "x[k+1] = J_{t A}(x[k])", step, step),
        ("x[k+1] = P_C(x[k])", "x[k+1] = J_{A}(x[k])", "oracle instance", "oracle contains"),
        ("set C cone\nx[k+1] = P_C(x[k])", "x[k+1] = P_C(x[k])", "oracle instance", "oracle contains"),
        (
            &weighted(""),
            &weighted(" symmetric"),
            "oracle contains; W = W; t = t; W is symmetric in A",
            "oracle instance; W = W; t = t",
        ),
        (
            "operators V, W: X -> X commuting\nx[k+1] = V*W*x[k] - W*grad f(x[k])",
            "operators V, W: X -> X\nx[k+1] = W*V*x[k] - W*grad f(x[k])",
            "oracle instance; V = V; W = W",
            "oracle contains; V = V; W = W; V and W commute in A",
        ),
    ]);
}

/// The general method with three states and itself: where the same parameters will do, others are not sought for long.
#[test]
fn many_parameters() {
    let line = |i: usize| format!("s{i}[k+1] = a{i}0*s0[k] + a{i}1*s1[k] + a{i}2*s2[k] + b{i}*grad f(y[k])\n");
    let text = format!("{}{}{}y[k] = c0*s0[k] + c1*s1[k] + c2*s2[k]", line(0), line(1), line(2));
    let found = related(&text, &text, None);
    assert_eq!((found.relation, found.generality), (Some("oracle"), Some("equal")));
    assert_eq!((found.same_parameters, found.recheck), (Some(true), Some("passed")));
    assert_eq!(found.initialization, ["s0_B[0] = s0[0]", "s1_B[0] = s1[0]", "s2_B[0] = s2[0]"]);
}

/// Assumptions and scalings where coefficients change with the index or operators do not commute.
#[test]
fn assumptions_on_changing_algorithms() {
    let descent = "x[k+1] = x[k] - a[k]*grad f(x[k])";
    let words = "operators V, W: X -> X\nx[k+1] = V*W*x[k] - W*grad f(x[k])";
    let cone = "set C cone\nx[k+1] = P_C(x[k] - a[k]*grad f(x[k]))";
    let scaled = "set C cone\ny[k+1] = 2*P_C((1/2)*y[k] - (a[k]/2)*grad f(y[k]))";
    check(&[
        (
            "x[k+1] = P_C(x[k] - a[k]*grad f(x[k]))",
            descent,
            "conditional equal; a[k] = a[k]; C is the whole space in A",
            "conditional equal; a[k] = a[k]; C is the whole space in B",
        ),
        (
            "x[k+1] = prox_{a[k] g}(x[k] - a[k]*grad f(x[k]))",
            descent,
            "conditional equal; a[k] = a[k]; g = 0 in A",
            "conditional equal; a[k] = a[k]; g = 0 in B",
        ),
        (
            "x[k+1] = x[k] - 1/(k+1)*(grad f(x[k]) + grad g(x[k]))",
            "x[k+1] = x[k] - 1/(k+1)*grad f(x[k])",
            "conditional equal; g = 0 in A",
            "conditional equal; g = 0 in B",
        ),
        (
            "operators V, W: X -> X\nx[k+1] = P_C(V*W*x[k] - W*grad f(x[k]))",
            words,
            "conditional equal; V = V; W = W; C is the whole space in A",
            "conditional equal; V = V; W = W; C is the whole space in B",
        ),
        (
            cone,
            scaled,
            "homogeneous equal; filters 1, 2; a[k] = a[k]",
            "homogeneous equal; filters 1, 1/2; a[k] = a[k]",
        ),
        // No number is positive and negative.
        (cone, &scaled.replace("2*P_C((1/2)*y[k] - (a[k]/2)", "-P_C(-y[k] + a[k]"), "distinct", "distinct"),
    ]);
}

/// An operator that may be anything is any function of another.
#[test]
fn functions_of_operators() {
    let any = "operator M: X -> X\nx[k+1] = x[k] - M*grad f(x[k])";
    let one = |of: &str| format!("operator W: X -> X\nx[k+1] = x[k] - {of}*grad f(x[k])");
    let two = |of: &str| format!("operator S: X -> X\noperator A: X -> X\nx[k+1] = x[k] - {of}*grad f(x[k])");
    check(&[
        (&one("W^2"), any, "oracle instance; M = W*W", "oracle contains; M = W*W"),
        (&one("(W - W^2)"), any, "oracle instance; M = W - W*W", "oracle contains; M = W - W*W"),
        (&one("inv(I + t*W)"), any, "oracle instance; M = 1/(t*W + 1)", "oracle contains; M = 1/(t*W + 1)"),
        (
            "operator W: X -> X\nx[k+1] = W^2*x[k] - a*grad f(x[k])",
            "operator M: X -> X\nx[k+1] = M*x[k] - b*grad f(x[k])",
            "oracle instance; M = W*W; b = a",
            "oracle contains; a = b; M = W*W",
        ),
        (
            "operator A: X -> Y\nx[k+1] = x[k] - A'*A*A'*A*grad f(x[k])",
            "operator M: X -> X symmetric\nx[k+1] = x[k] - M*grad f(x[k])",
            "oracle instance; M = adjoint(A)*A*adjoint(A)*A",
            "oracle contains; M = adjoint(A)*A*adjoint(A)*A",
        ),
        // W may be a root of M.
        (&one("W^2"), "operator M: X -> X symmetric\nx[k+1] = x[k] - M*grad f(x[k])", "undecided", "undecided"),
        (
            &two("t*S*A'*A"),
            any,
            "oracle instance; M = t*S*adjoint(A)*A; t != 0",
            "oracle contains; M = t*S*adjoint(A)*A; t != 0",
        ),
        (&two("S*A'*A"), any, "oracle instance; M = S*adjoint(A)*A", "oracle contains; M = S*adjoint(A)*A"),
        (&two("t*S*A*A"), any, "oracle instance; M = t*S*A*A; t != 0", "oracle contains; M = t*S*A*A; t != 0"),
        (
            "operators V, W: X -> X commuting\nx[k+1] = V*x[k] - W*grad f(x[k])",
            "operators V, W: X -> X commuting\nx[k+1] = W*x[k] - V*grad f(x[k])",
            "oracle equal; V = W; W = V",
            "oracle equal; V = W; W = V",
        ),
        (
            "operators V, W: X -> X commuting\nx[k+1] = x[k] - V*W*grad f(x[k])",
            any,
            "oracle instance; M = V*W",
            "oracle contains; M = V*W",
        ),
        (&one("W^2"), &any.replace("M*", "M^4*"), "oracle contains; W = M*M", "oracle instance; W = M*M"),
        // No more is assumed than is needed.
        (
            "operators V, W: X -> X\nx[k+1] = V*W*x[k] - a*grad f(x[k]) - W*V*x[k]",
            "x[k+1] = -a*grad f(x[k])",
            "conditional equal; a = a; V = 1; V = I in A",
            "conditional equal; V = 1; a = a; V = I in B",
        ),
    ]);
}

/// Where names match they are kept.
#[test]
fn names() {
    let a = "operator A: X -> Y\noperator B: X -> Z\nx[k+1] = x[k] - tau*(grad h(x[k]) + A'*u[k] + B'*v[k])
             u[k+1] = prox_{sigma f*}(u[k] + sigma*A*(2*x[k+1] - x[k]))
             v[k+1] = prox_{sigma g*}(v[k] + sigma*B*(2*x[k+1] - x[k]))";
    let b = "operator K: X -> Z\noperator L: X -> Y\nx[k+1] = x[k] - t*(grad h(x[k]) + L'*u[k] + K'*v[k])
             v[k+1] = v[k] + s*K*(2*x[k+1] - x[k]) - s*prox_{(1/s) g}(v[k]/s + K*(2*x[k+1] - x[k]))
             u[k+1] = prox_{s f*}(u[k] + s*L*(2*x[k+1] - x[k]))";
    let (product, other) = ("x[k+1] = x[k] - a*b*grad f(x[k])", "x[k+1] = x[k] - a*c*grad f(x[k])");
    check(&[
        (a, b, "lft equal; K = B; L = A; s = sigma; t = tau", "lft equal; A = L; B = K; sigma = s; tau = t"),
        (product, other, "oracle equal; a = a; c = b; a != 0", "oracle equal; a = a; b = c; a != 0"),
    ]);
    assert_eq!(related(product, other, None).same_parameters, Some(true));
    // Matrices are those of the parameters that are told.
    let proximal = "x[k+1] = prox_{t f}(x[k])";
    assert_eq!(related(proximal, proximal, Some(Relation::Lft)).verdict, "distinct");
    let found = related(proximal, "x[k+1] = x[k] - s*grad f(x[k+1])", Some(Relation::Lft));
    assert_eq!(found.parameters["s"], "t");
    assert_eq!(found.matrices, [[["1", "t"], ["1", "0"]].map(|row| row.map(String::from))]);
}

/// A number that an equation determines is not arbitrary.
#[test]
fn roots_of_higher_degree() {
    let step = |t: &str| format!("x[k+1] = x[k] - {t}*grad f(x[k])");
    let (cube, plain) = (step("a^3"), step("b"));
    check(&[(&plain, &cube, "oracle equal; a**3 - b = 0, which has a real root a", "oracle equal; b = a**3")]);
    assert!(related(&plain, &cube, None).branches.iter().all(|b| b.free.is_empty()));
    // Roots that are not real are none.
    let told = |a: &str, b: &str| related(a, b, None).generality.unwrap_or("distinct");
    for (even, number, forth, back) in [
        ("a^4", "3/2", "contains", "instance"),
        ("a^4", "(-3/2)", "distinct", "distinct"),
        ("(a^4 + a^2 + 1)", "(1/2)", "distinct", "distinct"),
        ("(a^4 + b^4)", "(-1)", "distinct", "distinct"),
    ] {
        let (one, two) = (step(even), step(number));
        assert_eq!((told(&one, &two), told(&two, &one)), (forth, back), "{even} and {number}");
    }
}

/// The six calls of a Runge-Kutta method with its lines in reverse, other numbers and symbols, and other steps of the proxes.
#[test]
fn six_calls_of_one_oracle() {
    let lines = |oracle: &str, weight: &dyn Fn(usize, usize) -> String| -> Vec<String> {
        let sum = |i: usize| (1..i).map(|j| format!(" + {}*y{j}[k]", weight(i, j))).collect::<String>();
        let call = |i: usize| format!("y{i}[k] = {oracle}({}*x[k]{})", weight(i, 0), sum(i));
        (1..7).map(call).chain([format!("x[k+1] = x[k]{}", sum(7))]).collect()
    };
    let numbers = |i: usize, j: usize| (1 + (3 * i + 5 * j + i * j) % 7).to_string();
    let symbols = |i: usize, j: usize| if j == 0 { "1".to_string() } else { format!("a{i}{j}") };
    for (ours, theirs) in [("prox_{t f}", "prox_{t f}"), ("prox_{t f}", "prox_{s f}"), ("grad f", "grad f")] {
        for weight in [&numbers as &dyn Fn(usize, usize) -> String, &symbols] {
            let (a, mut b) = (lines(ours, weight), lines(theirs, weight));
            b.reverse();
            for (a, b) in [(a.join("; "), b.join("; ")), (b.join("; "), a.join("; "))] {
                let found = related(&a, &b, None);
                assert_eq!((found.relation, found.generality), (Some("permutation"), Some("equal")), "{a} and {b}");
            }
        }
    }
}

/// Weights tell the functions apart before all their orders are tried.
#[test]
fn six_functions() {
    let text = |order: [usize; 6], step: &str| {
        let terms = order.iter().enumerate().map(|(i, f)| format!(" - {}{step}*grad f{f}(x[k])", i + 1));
        format!("x[k+1] = x[k]{}", terms.collect::<String>())
    };
    check(&[
        (&text([1, 2, 3, 4, 5, 6], ""), &text([3, 5, 1, 2, 6, 4], ""), "permutation equal", "permutation equal"),
        (
            &text([1, 2, 3, 4, 5, 6], "*t"),
            &text([3, 5, 1, 2, 6, 4], "*s"),
            "permutation equal; s = t",
            "permutation equal; t = s",
        ),
    ]);
}

/// What is related otherwise is not said to be beyond comparison, and that repetition was tried is told.
#[test]
fn reasons() {
    let descent = "x[k+1] = x[k] - t*grad f(x[k])";
    let twice = "y[k] = x[k] - 2*grad f(x[k]); x[k+1] = y[k] - grad f(y[k])";
    let why = |a: &str, b: &str, only| related(a, b, only).obstruction.expect("distinct");
    let related = why(descent, descent, Some(Relation::Repetition));
    assert!(related.no_run.is_some_and(|r| r.starts_with("they are related")), "{related:?}");
    for (a, b, expected) in [(twice, descent, "of A is not 2 of B"), (descent, twice, "of B is not 2 of A")] {
        let found = why(a, b, None).message;
        assert!(found.contains(expected), "{found}");
    }
}

/// That an operator is a multiple of the identity asks for less than that it is the identity, where the other text has
/// a number in its place.
#[test]
fn multiples_of_the_identity() {
    let weighted = "x[k+1] = W*x[k] - t*grad f(x[k])";
    let scaled = "x[k+1] = c*x[k] - s*grad f(x[k])";
    check(&[
        (
            weighted,
            scaled,
            "conditional equal; s = t; W = c; c != 0; W = c*I in A",
            "conditional equal; W = c; t = s; c != 0; W = c*I in B",
        ),
        (
            weighted,
            "x[k+1] = 2*x[k] - s*grad f(x[k])",
            "conditional equal; s = t; W = 2; W = 2*I in A",
            "conditional equal; W = 2; t = s; W = 2*I in B",
        ),
        // It stands twice.
        (
            "x[k+1] = W*x[k] - t*W*grad f(x[k])",
            scaled,
            "conditional equal; s = t*c; W = c; c != 0; W = c*I in A",
            "conditional equal; W = c; t = s/c; c != 0; W = c*I in B",
        ),
        // Beside another operator, and where numbers change.
        (
            "x[k+1] = W*x[k] - t*V*grad f(x[k])",
            "x[k+1] = c*x[k] - s*V*grad f(x[k])",
            "conditional equal; V = V; s = t; W = c; c != 0; W = c*I in A",
            "conditional equal; V = V; W = c; t = s; c != 0; W = c*I in B",
        ),
        (
            "x[k+1] = W*x[k] - t[k]*grad f(x[k])",
            "x[k+1] = c*x[k] - s[k]*grad f(x[k])",
            "conditional equal; s[k] = t[k]; W = c; c != 0; W = c*I in A",
            "conditional equal; W = c; t[k] = s[k]; c != 0; W = c*I in B",
        ),
        // Other parameters are restricted all the same.
        (
            "x[k+1] = W*x[k] - grad f(x[k])",
            scaled,
            "conditional instance; s = 1; W = c; c != 0; W = c*I in A",
            "conditional contains; W = c; s = 1; c != 0; W = c*I in B",
        ),
        // One of several is enough.
        (
            "x[k+1] = W*V*x[k] - t*grad f(x[k])",
            scaled,
            "conditional equal; s = t; W = c; V = 1; c != 0; W = c*I in A; V = I in A",
            "conditional equal; V = 1; W = c; t = s; c != 0; W = c*I in B; V = I in B",
        ),
        // The identity itself would silence the oracle.
        (
            "operator W: X -> X; x[k+1] = x[k] - W*t*grad f((I - W)*x[k])",
            "x[k+1] = x[k] - w*t*grad f((1 - w)*x[k])",
            "conditional equal; t = t; W = w; w not in {0, 1}; W = w*I in A",
            "conditional equal; W = w; t = t; w not in {0, 1}; W = w*I in B",
        ),
        (
            "x[k+1] = x[k] - t*(I - W)*(I - W)*grad f(x[k])",
            "x[k+1] = x[k] - s*grad f(x[k])",
            "conditional equal; s = t; W = 2; W = 2*I in A",
            "conditional equal; W = 2; t = s; W = 2*I in B",
        ),
        // With constants, of two multiples one is told.
        (
            "x[k+1] = x[k] - W*W*grad f(x[k]) + b",
            "x[k+1] = x[k] - 4*grad f(x[k]) + d",
            "conditional equal; d = b; W = 2; W = 2*I in A",
            "conditional equal; W = 2; b = d; W = 2*I in B",
        ),
        // Where a step makes up for it, the identity says as much.
        (
            "operator A: X -> Y; x[k+1] = x[k] - t*A'*grad f(A*x[k])",
            "x[k+1] = x[k] - s*grad f(x[k])",
            "conditional equal; s = t; A = 1; A = I in A",
            "conditional equal; A = 1; t = s; A = I in B",
        ),
        // The root of a number is not looked for, and nothing makes it zero.
        ("x[k+1] = W*W*x[k] - t*grad f(x[k])", "x[k+1] = 2*x[k] - s*grad f(x[k])", "undecided", "undecided"),
        (weighted, "x[k+1] = -s*grad f(x[k])", "distinct", "distinct"),
    ]);
}

/// That operators are multiples of the identity goes together with repetition.
#[test]
fn repetition_where_operators_are_multiples_of_the_identity() {
    let once = "x[k+1] = x[k] - t*grad f(x[k])";
    let weighted = "operator W: X -> X; x[k+1] = W*x[k] - t*grad f(x[k])";
    let twice = |p: &str, operators: &str| {
        format!("{operators} y[k] = {p}*x[k] - t*grad f(x[k]); x[k+1] = {p}*y[k] - t*grad f(y[k])")
    };
    let operator = "operator W: X -> X;";
    check(&[
        (
            &twice("W", operator),
            once,
            "conditional equal; 2 x B; t = t; W = 1; W = I in A",
            "conditional equal; 2 x A; W = 1; t = t; W = I in B",
        ),
        (
            weighted,
            &twice("1", ""),
            "conditional equal; 2 x A; t = t; W = 1; W = I in A",
            "conditional equal; 2 x B; W = 1; t = t; W = I in B",
        ),
        (
            &twice("W", operator),
            &once.replace("x[k] -", "3*x[k] -"),
            "conditional equal; 2 x B; t = t; W = 3; W = 3*I in A",
            "conditional equal; 2 x A; W = 3; t = t; W = 3*I in B",
        ),
        // Operators that do not commute.
        (
            &twice("V*W", "operators V, W: X -> X;"),
            once,
            "conditional equal; 2 x B; t = t; V = 1; W = 1; V = I in A; W = I in A",
            "conditional equal; 2 x A; V = 1; W = 1; t = t; V = I in B; W = I in B",
        ),
    ]);
    for only in [Relation::Repetition, Relation::Oracle] {
        assert_eq!(related(&twice("W", operator), once, Some(only)).verdict, "distinct");
    }
    assert_eq!(related(&twice("W", operator), once, Some(Relation::Conditional)).verdict, "related");
    let found = related(&twice("W", operator), once, None);
    assert_eq!(found.same_parameters, Some(true));
}

/// One of several operators, the others being those of the other text; what both texts have is no multiple of the
/// identity on both sides, for that would be no relation of the two.
#[test]
fn multiples_of_the_identity_beside_other_operators() {
    let two = "operators V, W: X -> X commuting; x[k+1] = V*x[k] - t*W*grad f(x[k])";
    check(&[
        (
            two,
            "operator U: X -> X; x[k+1] = U*x[k] - t*grad f(x[k])",
            "conditional equal; U = V; t = t; W = 1; W = I in A",
            "conditional equal; V = U; W = 1; t = t; W = I in B",
        ),
        (
            "operator W: X -> X; x[k+1] = W*x[k] - t*grad f(x[k])",
            "operator V: X -> X; x[k+1] = x[k] - t*V*grad f(x[k])",
            "distinct",
            "distinct",
        ),
    ]);
}

/// However many operators there are, and where they stand inside an argmin.
#[test]
fn many_multiples_of_the_identity() {
    let four = |p: &str| format!("operators A, B, C, D: X -> X; x[k+1] = {p}*x[k] - t*grad f(x[k])");
    let squared = |factor: &str| format!("x[k+1] = argmin_x f(x) + 2*||A*x - {factor}*x[k]||^2");
    let admm = "x[k+1] = argmin_x f(x) + 2*||A*x + B*z[k] + u[k]||^2; \
        z[k+1] = argmin_z g(z) + 2*||A*x[k+1] + B*z + u[k]||^2; u[k+1] = u[k] + A*x[k+1] + B*z[k+1]";
    let proxes = "x[k+1] = prox_{f}(z[k] - u[k]); z[k+1] = prox_{g}(x[k+1] + u[k]); u[k+1] = u[k] + x[k+1] - z[k+1]";
    check(&[
        (
            &four("A*B*C*D"),
            "x[k+1] = 7*x[k] - t*grad f(x[k])",
            "conditional equal; t = t; A = 7; B = 1; C = 1; D = 1; A = 7*I in A; B = I in A; C = I in A; D = I in A",
            "conditional equal; A = 7; B = 1; C = 1; D = 1; t = t; A = 7*I in B; B = I in B; C = I in B; D = I in B",
        ),
        (
            &squared("1"),
            "x[k+1] = prox_f(2*x[k])",
            "conditional equal; A = 1/2; A = I/2 in A",
            "conditional equal; A = 1/2; A = I/2 in B",
        ),
        (&squared("1"), "x[k+1] = prox_f(x[k])", "distinct", "distinct"),
        (
            admm,
            proxes,
            "conditional equal; A = 1/2; B = -1/2; A = I/2 in A; B = -I/2 in A",
            "conditional equal; A = 1/2; B = -1/2; A = I/2 in B; B = -I/2 in B",
        ),
    ]);
    let found = related(admm, proxes, None).other_assumptions;
    assert_eq!(found, [["A = -I/2 in A", "B = I/2 in A"]]);
}

/// More operators than are looked at leave the question open; they do not make the two distinct.
#[test]
fn too_many_multiples_of_the_identity() {
    let product = |count: usize, how: &str| {
        let names: Vec<String> = (0..count).map(|n| format!("A{n}")).collect();
        let (list, word) = (names.join(", "), names.join("*"));
        format!("operators {list}: X -> X{how}; x[k+1] = {word}*x[k] - t*grad f(x[k])")
    };
    let five = "operators A, B, C, D, E: X -> X; \
        x[k+1] = A*x[k] + B*grad f(x[k]) + C*grad g(x[k]) + D*E*grad h(x[k])";
    let numbers = "x[k+1] = 2*x[k] + 3*grad f(x[k]) + 5*grad g(x[k]) + 7*grad h(x[k])";
    let seven = "x[k+1] = 7*x[k] - t*grad f(x[k])";
    for (first, second) in [
        (&product(17, ""), seven),
        (&product(17, " commuting"), seven),
        (&product(70, " commuting"), seven),
        (&five.to_string(), numbers),
    ] {
        assert_ne!(related(first, second, None).verdict, "distinct", "{first} and {second}");
        assert_ne!(related(second, first, None).verdict, "distinct", "{second} and {first}");
    }
}

/// All multiples are told.
#[test]
fn other_multiples() {
    let square = "operator W: X -> X; x[k+1] = W*W*x[k] - t*grad f(x[k])";
    let four = "x[k+1] = 4*x[k] - t*grad f(x[k])";
    let found = related(square, four, None);
    assert_eq!(
        (found.assumptions, found.other_assumptions),
        (vec!["W = 2*I in A".into()], vec![vec!["W = -2*I in A".into()]])
    );
    let found = related(four, square, None);
    assert_eq!(
        (found.assumptions, found.other_assumptions),
        (vec!["W = 2*I in B".into()], vec![vec!["W = -2*I in B".into()]])
    );
}

/// That h is the conjugate of g is how it is called; of one name in both texts it is not.
#[test]
fn names_of_conjugates() {
    let dual = |function: &str| {
        format!("x[k+1] = prox_{{t f}}(x[k] - t*A'*y[k]); y[k+1] = prox_{{s {function}}}(y[k] + s*A*(2*x[k+1] - x[k]))")
    };
    let two = |theta: &str| {
        format!(
            "operator A: X -> Y; operator B: X -> Z; y[k+1] = prox_{{s {theta}}}(y[k] + s*A*x[k]); z[k+1] = prox_{{r h*}}(z[k] + r*B*x[k]); \
             x[k+1] = x[k] - t*A'*y[k+1] - t*B'*z[k+1]"
        )
    };
    check(&[
        (
            &dual("h"),
            &dual("g*"),
            "oracle equal; A = A; s = s; t = t; h of A is g* of B",
            "oracle equal; A = A; s = s; t = t; h of B is g* of A",
        ),
        (&dual("g"), &dual("g*"), "distinct", "distinct"),
        // A projection on B is a prox of an indicator, where what multiplies is a step.
        (
            "x[k+1] = prox_{t f}(x[k] - t*A'*y[k]); y[k+1] = P_B(y[k] + s*A*(2*x[k+1] - x[k]))",
            &dual("g*"),
            "oracle overlap; A = A; s = s; t = t; s > 0; B of A is g* of B",
            "oracle overlap; A = A; s = s; t = t; B of B is g* of A",
        ),
        // Operators that do not commute.
        (
            &two("p"),
            &two("g*"),
            "oracle equal; A = A; B = B; r = r; s = s; t = t; p of A is g* of B",
            "oracle equal; A = A; B = B; r = r; s = s; t = t; p of B is g* of A",
        ),
        // Another sign makes another algorithm.
        (&dual("h").replace("- t*A'", "+ t*A'"), &dual("g*"), "distinct", "distinct"),
    ]);
}

/// Some of an operator may be the identity, but not all that the other side has.
#[test]
fn operators_with_a_multiple_of_the_identity() {
    let extra = "x[k+2] = (I + W)*x[k+1] - 1/2*(I + W)*x[k] - a*(grad f(x[k+1]) - grad f(x[k]))";
    let general = "operators W, V: X -> X; x[k+2] = (I + W)*x[k+1] - V*x[k] - a*(grad f(x[k+1]) - grad f(x[k]))";
    let commuting = general.replace("-> X;", "-> X commuting;");
    let (instance, contains) =
        ("oracle instance; V = 1/2 + W/2; W = W; a = a", "oracle contains; W = W; a = a; V = 1/2 + W_B/2");
    check(&[(extra, general, instance, contains)]);
    assert_eq!(support::summary(&related(extra, &commuting, None)), instance);
}

/// What is declared commuting is an instance of what is not, as what is declared symmetric is.
#[test]
fn operators_that_are_declared_are_special() {
    let lines = [
        "x[k+1] = R*x[k] - C*grad f(x[k])",
        "x[k+1] = R*C*x[k] - R*grad f(C*x[k])",
        "x[k+1] = R*x[k] + C*x[k-1] - grad f(x[k])",
        "x[k+1] = R*C*x[k] + (R + C)*x[k-1] - grad f(x[k])",
    ];
    let pairs =
        [("", "commuting"), ("symmetric", "symmetric commuting"), ("", "symmetric"), ("", "symmetric commuting")];
    for (line, (general, special)) in lines.into_iter().flat_map(|line| pairs.map(|pair| (line, pair))) {
        let of = |declared: &str| format!("operators R, C: X -> X {declared}; {line}");
        let (general, special) = (of(general), of(special));
        assert_eq!(related(&general, &special, None).generality, Some("contains"), "{general} and {special}");
        assert_eq!(related(&special, &general, None).generality, Some("instance"), "{special} and {general}");
    }
}

/// Where a sequence begins is not used, and that is told, unless both texts say the same of one sequence.
#[test]
fn starts_of_sequences() {
    let fista = |start: &str| {
        format!(
            "t[0] = {start}; t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k+1] = x[k+1] + (t[k] - 1)/t[k+1]*(x[k+1] - x[k]); \
             x[k+1] = y[k] - a*grad f(y[k])"
        )
    };
    let doubled = "b[0] = 1; b[k+1] = 2*b[k]; x[k+1] = x[k] - b[k]*grad f(x[k])";
    let still = "b[0] = 1; b[k+1] = b[k]; x[k+1] = x[k] - b[k]*grad f(x[k])";
    let two = "x[k+1] = x[k] - 2*grad f(x[k])";
    for (first, second, expected) in [
        (&*fista("1"), &*fista("1"), &[][..]),
        (&fista("1"), &fista("2"), &["t[0] = 1 in A", "t[0] = 2 in B"]),
        (doubled, "x[k+1] = x[k] - 2^k*grad f(x[k])", &["b[0] = 1 in A"]),
        (still, two, &["b[0] = 1 in A"]),
        (two, still, &["b[0] = 1 in B"]),
        (still, &still.replace("b[0] = 1;", ""), &["b[0] = 1 in A"]),
        // A name that begins as another does, and LaTeX.
        (
            "tau[0] = 3; t[0] = 1; t[k+1] = 2*t[k]; tau[k+1] = 3*tau[k]; x[k+1] = x[k] - t[k]*grad f(x[k]) - tau[k]*grad g(x[k])",
            "x[k+1] = x[k] - 2^k*grad f(x[k]) - 3^k*grad g(x[k])",
            &["tau[0] = 3 in A", "t[0] = 1 in A"],
        ),
        (
            "$\\alpha_0 = 1$\\\\ $\\alpha_{k+1} = 2 \\alpha_k$\\\\ $x_{k+1} = x_k - \\alpha_k \\nabla f(x_k)$",
            "x[k+1] = x[k] - 2^k*grad f(x[k])",
            &["\\alpha_0 = 1 in A"],
        ),
    ] {
        let found = related(first, second, None);
        assert_eq!(
            (found.verdict, &found.starts[..]),
            ("related", &expected.iter().map(|s| s.to_string()).collect::<Vec<_>>()[..]),
            "{first} and {second}"
        );
    }
}

/// Where all but one operator of a Markov parameter is known, that one is the rest.
#[test]
fn operators_that_equations_make() {
    let two = "operators R, C: X -> X; x[k+1] = R*x[k] - a*C*grad f(x[k])";
    let commuting = two.replace("X -> X;", "X -> X commuting;");
    let inverse = "oracle contains; a = a; C = 1/(W + 1); R = 1/(W + 1)";
    let turned = "oracle instance; C = 1/(W + 1); R = 1/(W + 1); a = a";
    let implicit = "operator W: X -> X; x[k+1] = inv(I+W)*(x[k] - a*grad f(x[k]))";
    check(&[
        (
            two,
            "operator W: X -> X; x[k+1] = W*x[k] - a*inv(W)*grad f(x[k])",
            "oracle contains; W = R; a = a; C = W**(-1)",
            "oracle instance; C = W**(-1); R = W; a = a",
        ),
        (
            two,
            "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - A'*A*x[k] - a*B'*B*grad f(x[k])",
            "oracle contains; a = a; R = 1 - adjoint(A)*A; C = adjoint(B)*B; a != 0",
            "oracle instance; C = adjoint(B)*B; R = 1 - adjoint(A)*A; a = a; a != 0",
        ),
        (
            two,
            "operator A: X -> Y; x[k+1] = x[k] - A'*A*x[k] - a*grad f(x[k])",
            "conditional contains; a = a; R = 1 - adjoint(A)*A; C = 1; C = I in A",
            "conditional instance; C = 1; R = 1 - adjoint(A)*A; a = a; C = I in B",
        ),
        (&commuting, implicit, inverse, turned),
        // What is made of operators that commute does so, too.
        (two, implicit, inverse, turned),
        (two, "operator W: X -> X; x[k+1] = x[k] - W*x[k+1] - a*grad f(x[k])", inverse, turned),
        (
            two,
            "operator W: X -> X; x[k+1] = inv(I+W)*((I-W)*x[k] - a*grad f(x[k]))",
            "oracle contains; a = a; C = 1/(W + 1); R = (1 - W)/(W + 1)",
            "oracle instance; C = 1/(W + 1); R = (1 - W)/(W + 1); a = a",
        ),
    ]);
}

/// Where equations say of no operator what it is, one of them may be the other side's or the identity.
#[test]
fn products_of_operators() {
    let on = |update: &str| format!("operators V, W: X -> X; x[k+1] = {update} - t*grad f(x[k])");
    check(&[
        (
            &on("V*W*x[k]"),
            &on("W*V*x[k] + V*x[k]"),
            "oracle equal; V = W; W = V - 1; t = t",
            "oracle equal; V = 1 + W; W = V; t = t",
        ),
        (
            &on("V*W*V*x[k]"),
            &on("W*V*W*x[k] + x[k]"),
            "conditional equal; V = V*W*V - 1; W = 1; t = t; W = I in B",
            "conditional equal; V = 1; W = 1 + W*V*W; t = t; V = I in B",
        ),
        (
            &on("V*V*W*x[k]"),
            &on("V*W*V*x[k]"),
            "conditional equal; V = 1; W = V*V*W; t = t; V = I in B",
            "conditional equal; V = 1; W = V*W*V; t = t; V = I in B",
        ),
        // V may be a root of I + V*W - W*V, less the identity, and V a generalized inverse.
        (&on("V*W*x[k] - W*V*x[k]"), &on("2*V*x[k] + V*V*x[k]"), "undecided", "undecided"),
        (
            "operators R, C: X -> X; x[k+1] = C*(R*x[k] - a*grad f(x[k]))",
            "operator W: X -> X; x[k+1] = x[k] - a*W*grad f(x[k])",
            "undecided",
            "undecided",
        ),
    ]);
}

/// What is made of symmetric operators is symmetric only if they are.
#[test]
fn what_declarations_ask() {
    let plain = "operator V: X -> X; x[k+1] = (2*V - I)*x[k] - t*grad f(x[k])";
    check(&[(
        "operator W: X -> X symmetric; x[k+1] = W*x[k] - t*grad f(x[k])",
        plain,
        "oracle instance; V = 1/2 + W/2; t = t",
        "oracle contains; W = 2*V - 1; t = t; V is symmetric in A",
    )]);
}

/// An operator, or a constant, that another may be as it is.
#[test]
fn as_they_are() {
    let tracking = |operators: &str, update: &str| {
        format!(
            "operators {operators}: X -> X; x[k+1] = R*x[k] - a*y[k]; \
            y[k+1] = {update}*y[k] + grad f(x[k+1]) - grad f(x[k])"
        )
    };
    let constants =
        |drift: &str| format!("constants b, c: X; operator W: X -> X; x[k+1] = W*x[k] - t*grad f(x[k]) - {drift}");
    let found = related(&tracking("R, C", "C"), &tracking("R", "1"), None);
    assert_eq!((found.assumptions.join("; ").as_str(), found.same_parameters), ("C = I in A", Some(true)));
    check(&[(
        &constants("W*b - c"),
        &constants("W*c - b"),
        "oracle equal; W = W; b = c; c = b; t = t",
        "oracle equal; W = W; b = c; c = b; t = t",
    )]);
}

/// Each sample of an iteration that is two of the other's is one of a path.
#[test]
fn samples_of_several_iterations() {
    let once = "x[k+1] = x[k] - a*grad f(x[k]; xi[k])";
    let twice = |sample: &str| format!("y[k] = x[k] - a*grad f(x[k]; xi[k]); x[k+1] = y[k] - a*grad f(y[k]; {sample})");
    let told = |own: &str, other: &str| {
        format!(
            "the sample xi[k] of {own} is the sample xi[2k] of {other}; \
            the sample zeta[k] of {own} is the sample xi[2k+1] of {other}"
        )
    };
    check(&[
        (
            once,
            &twice("zeta[k]"),
            &format!("repetition equal; 2 x A; a = a; {}", told("B", "A")),
            &format!("repetition equal; 2 x B; a = a; {}", told("A", "B")),
        ),
        // One sample is not two of a path, and a path does not know of itself.
        (once, &twice("xi[k]"), "distinct", "distinct"),
        (once, &twice("xi[k+1]"), "distinct", "distinct"),
        (once, "y[k] = x[k] - a*grad f(x[k]); x[k+1] = y[k] - a*grad f(y[k])", "distinct", "distinct"),
    ]);
}

fn step(coefficient: &str) -> String {
    format!("x[k+1] = x[k] - {coefficient}*grad f(x[k])")
}

/// A square root is real and not negative: the root of a square is the absolute value, which is what was squared
/// only where that is known not to be negative.
#[test]
fn signs_of_roots() {
    let falling = "th[k] = 1/sqrt(1+2*g*tau[k]); x[k+1] = x[k] - th[k]*grad f(x[k])";
    check(&[
        (
            &step("b[k]"),
            &step("sqrt(a[k])"),
            "oracle contains; a[k] = b[k]**2; b[k] >= 0",
            "oracle instance; b[k] = sqrt(a[k])",
        ),
        (
            &step("b[k]"),
            &step("(-sqrt(a[k]))"),
            "oracle contains; a[k] = b[k]**2; b[k] <= 0",
            "oracle instance; b[k] = -sqrt(a[k])",
        ),
        (
            &step("b[k]"),
            &step("sqrt(a[k]^2)"),
            "oracle contains; a[k] = -b[k]; b[k] >= 0",
            "oracle instance; b[k] = sqrt(a[k]**2)",
        ),
        (
            &step("b[k]"),
            &step("sqrt(b[k]^2)"),
            "oracle overlap; b[k] = b[k]; b[k] >= 0",
            "oracle overlap; b[k] = b[k]; b[k] >= 0",
        ),
        (
            &step("be[k]"),
            falling,
            "oracle contains; tau[k] = (1 - be[k])*(be[k] + 1)/(2*g*be[k]**2); g != 0; be[k] > 0",
            "oracle instance; be[k] = 1/(sqrt(2*g*tau[k] + 1))",
        ),
        // The index, other roots and steps are not negative.
        (&step("sqrt((k+1)^2)"), &step("(k+1)"), "oracle equal", "oracle equal"),
        (&step("sqrt(k)*sqrt(k+1)"), &step("sqrt(k*(k+1))"), "oracle equal", "oracle equal"),
        (&step("sqrt(4/(k+1)^3)"), &step("2/((k+1)*sqrt(k+1))"), "oracle equal", "oracle equal"),
        (
            "x[k+1] = prox_{b[k] h}(x[k] - b[k]*grad f(x[k]))",
            "x[k+1] = prox_{b[k] h}(x[k] - sqrt(b[k]^2)*grad f(x[k]))",
            "oracle equal; b[k] = b[k]",
            "oracle equal; b[k] = b[k]",
        ),
        (
            "x[k+1] = prox_{b[k] h}(x[k] - b[k]*grad f(x[k]))",
            "x[k+1] = prox_{sqrt(a[k]) h}(x[k] - sqrt(a[k])*grad f(x[k]))",
            "oracle equal; a[k] = b[k]**2",
            "oracle equal; b[k] = sqrt(a[k])",
        ),
    ]);
}

/// A parameter that is told by where a sequence begins is that wherever it stands.
#[test]
fn a_parameter_from_a_start() {
    check(&[(
        "t[k+1] = sqrt(t[k]^2+1); x[k+1] = x[k] - 1/t[k]*grad f(x[k])",
        &step("1/sqrt(k+c)"),
        "oracle equal; c = t[0]**2",
        "oracle equal; t[k] = sqrt(k + c)",
    )]);
}

/// ((−1)ᵏ)² is 1.
#[test]
fn signs_that_alternate() {
    let same = "oracle equal; a = a";
    check(&[
        ("x[k+1] = -x[k] - a*grad f(x[k])", "x[k+1] = x[k] + a*(-1)^k*grad f((-1)^k*x[k])", same, same),
        (&step("a*(-1)^k"), &step("a*(-1)^k*(-1)^k*(-1)^k"), same, same),
        (&step("a*(-1)^k"), &step("a/(-1)^k"), same, same),
        (&step("a"), &step("a*(-1)^(2*k)"), same, same),
        (&step("a"), &step("a*(-1)^k"), "distinct", "distinct"),
    ]);
}

/// A map that reaches all parameters of the other side proves both directions.
#[test]
fn powers_of_powers() {
    let twice = "y[k] = x[k] - c*r^(2*k)*grad f(x[k]); x[k+1] = y[k] - c*r^(2*k+1)*grad f(y[k])";
    check(&[
        (&step("c*r^k"), twice, "repetition equal; 2 x A; c = c; r = r", "repetition equal; 2 x B; c = c; r = r"),
        (&step("c*4^k"), &step("c*2^(2*k)"), "oracle equal; c = c", "oracle equal; c = c"),
        (&step("c*(2*r)^k"), &step("c*2^k*r^k"), "oracle equal; c = c; r = r", "oracle equal; c = c; r = r"),
        // A square is not every number.
        (
            &step("c*(r^2)^k"),
            &step("c*q^k"),
            "oracle instance; c = c; q = r**2",
            "oracle contains; c = c; r = -sqrt(q); q >= 0",
        ),
    ]);
    for (a, b) in [("c*(r^2)^k", "c*r^(2*k)"), ("c*r^(2*k)", "c*(r^2)^k")] {
        let found = related(&step(a), &step(b), None);
        assert_eq!(found.generality, Some("equal"), "{a} and {b}");
    }
}

/// What is added to a number is a number.
#[test]
fn numbers_in_lines_for_numbers() {
    let line = |rule: &str| format!("x[k+1] = x[k] - p[k]*grad f(x[k]); {rule}");
    let free = step("q[k]");
    check(&[
        (&line("p[k] = 1 - b[k]"), &free, "oracle equal; q[k] = 1 - b[k]", "oracle equal; b[k] = 1 - q[k]"),
        (
            &line("p[k] = sqrt(1 + b[k])"),
            &free,
            "oracle instance; q[k] = sqrt(b[k] + 1)",
            "oracle contains; b[k] = (q[k] - 1)*(q[k] + 1); q[k] >= 0",
        ),
        (
            &line("p[k+1] = p[k]*(1-b[k])"),
            &line("p[k+1] = p[k]*c[k]"),
            "oracle equal; c[k] = 1 - b[k]; p[k] = p[k]",
            "oracle equal; b[k] = 1 - c[k]; p[k] = p[k]",
        ),
    ]);
}

/// A sequence with a recursion that is a power of another one up to a factor: r = 2t, q = t², S = t²/L.
#[test]
fn powers_of_sequences() {
    let fista = |rule: &str, momentum: &str| {
        format!("{rule}; y[k] = x[k] + {momentum}*(x[k]-x[k-1]); x[k+1] = y[k] - s*grad f(y[k])")
    };
    let t = fista("t[k+1] = (1+sqrt(1+4*t[k]^2))/2", "(t[k]-1)/t[k+1]");
    let twice = fista("r[k+1] = 1+sqrt(1+r[k]^2)", "(r[k]-2)/r[k+1]");
    let square = fista("q[k+1] = ((1+sqrt(1+4*q[k]))/2)^2", "(sqrt(q[k])-1)/sqrt(q[k+1])");
    let sums = "param L; a[k+1] = (1+sqrt(1+4*L*S[k]))/(2*L); S[k+1] = S[k] + a[k+1]
y[k] = (S[k]/S[k+1])*x[k] + (a[k+1]/S[k+1])*v[k]; x[k+1] = y[k] - (1/L)*grad f(y[k]); v[k+1] = v[k] - a[k+1]*grad f(y[k])";
    check(&[(&t, &twice, "oracle equal; r[k] = 2*t[k]; s = s", "oracle equal; s = s; t[k] = r[k]/2")]);
    let answer = |other: &str| summary(&related(&t, other, None));
    assert_eq!(answer(&square), "oracle instance; q[k] = t[k]**2; s = s");
    assert_eq!(answer(sums), "oracle instance; L = 1/s; S[k] = s*t[k]**2; a[k] = s*t[k]; s != 0");
    for other in [&square, sums] {
        assert_eq!(related(other, &t, None).generality, Some("contains"), "{other}");
    }
}

/// Which multiple of the identity an operator is may be irrational in the parameters of one text alone.
#[test]
fn multiples_that_one_side_tells() {
    let scaled =
        "x[k+1] = prox_{t f}(w[k]); y[k+1] = prox_{t*a^2 g}(2*a*x[k+1] - a*w[k]); w[k+1] = w[k] + y[k+1]/a - x[k+1]";
    let dual = "x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))";
    for (a, b, side) in [(scaled, dual, "B"), (dual, scaled, "A")] {
        let found = related(a, b, None);
        assert_eq!((found.relation, found.generality), (Some("conditional"), Some("equal")), "{a}");
        assert_eq!(found.assumptions, [format!("A = a*I in {side}")], "{a}");
    }
}

//! Relations beyond oracles and shifts: repetition, filters of linear oracles, scalings of
//! homogeneous ones, duality. Each line is the first, the second, and the answer.

mod support;

use linnaeus::relation::behavior::Side;
use linnaeus::relation::{Assumption, Recheck, Relation, Verdict, Witness, compare, recheck};
use linnaeus::report::Compare;
use linnaeus_algebra::RationalFunction;
use support::{corpus, summary};

const GOLDEN: &str = include_str!("corpus/golden.txt");

/// A label of the corpus, declarations before it included, or an algorithm typed out.
fn text(name: &str) -> String {
    if name.contains("[k]") {
        return name.to_string();
    }
    let (declarations, label) = name.rsplit_once("; ").unwrap_or(("", name));
    let entry = corpus(GOLDEN).into_iter().find(|e| e.label == label);
    let entry = entry.unwrap_or_else(|| panic!("no listing `{label}`"));
    format!("{declarations}\n{}", entry.text)
}

fn related(a: &str, b: &str, only: Option<Relation>) -> Compare {
    support::related(&text(a), &text(b), only)
}

fn answer(a: &str, b: &str) -> String {
    summary(&related(a, b, None))
}

fn check(claims: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (a, b, expected) in claims {
        let found = answer(a, b);
        if found != *expected {
            wrong.push(format!("{a} and {b}:\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const GRADIENT_DESCENT: &str = "x[k+1] = x[k] - t*grad f(x[k])";
const DUAL_CHAMBOLLE_POCK: &str = "y[k+1] = prox_{sigma g*}(y[k] + sigma*M*x[k]); \
                                   x[k+1] = prox_{tau f}(x[k] - tau*M'*(2*y[k+1] - y[k]))";

#[test]
fn double_gradient_descent_is_a_repetition() {
    let heavy_ball = "x[k+1] = x[k] - t*grad f(x[k]) + 1/2*(x[k] - x[k-1])";
    check(&[
        ("doublegradient", GRADIENT_DESCENT, "repetition equal; 2 x B; t = gamma"),
        (GRADIENT_DESCENT, "doublegradient", "repetition equal; 2 x A; gamma = t"),
        ("doublegradient", heavy_ball, "distinct"),
        ("doublegradient", "eq:implicit#prox", "distinct"),
        ("doublegradient", "algo1", "distinct"),
        // At beta = 0 it is gradient descent.
        ("doublegradient", "algo_nesterov", "repetition instance; 2 x B; alpha = gamma; beta = 0"),
    ]);
    assert_eq!(related("doublegradient", GRADIENT_DESCENT, Some(Relation::Lft)).verdict, "distinct");
    assert_eq!(related("doublegradient", GRADIENT_DESCENT, Some(Relation::Repetition)).verdict, "related");
}

/// A call that is the same in every iteration is one call of all that are taken as one, as it is one of a text that is
/// written out: SVRG's at its anchor, one at 0, one at an iterate that never changes.
#[test]
fn calls_that_never_change_are_repeated_once() {
    let one = |at: &str| format!("x[k+1] = x[k] - t*(grad f(x[k]) - grad f({at}))");
    let two = |at: &str, last: &str| {
        let last = format!("x[k+1] = w[k] - {last}*(grad f(w[k]) - grad f({at}))");
        format!("w[k] = x[k] - t*(grad f(x[k]) - grad f({at})); {last}")
    };
    let anchors = [("constant b: X; ", "b"), ("y[k] = 0; ", "y[k]"), ("v[k+1] = v[k]; ", "v[k]")];
    for (line, at) in anchors {
        let (once, twice) = (format!("{line}{}", one(at)), format!("{line}{}", two(at, "t")));
        check(&[
            (&once, &twice, "repetition equal; 2 x A; t = t"),
            (&twice, &once, "repetition equal; 2 x B; t = t"),
            (&once, &format!("{line}{}", two(at, "s")), "repetition instance; 2 x A; s = t; t = t"),
            // An alternating point is another one in every second iteration.
            (&format!("v[k+1] = -v[k]; {}", one("v[k]")), &twice, "distinct"),
        ]);
    }
    // Numbers that change, operators that do not commute, and samples.
    let steps = |s: &str, r: &str| two("b", r).replace("t*", &format!("{s}*"));
    let changing = format!("constant b: X; {}", one("b").replace("t*", "t[k]*"));
    let operators = |text: String| format!("constant b: X; operators U, V: X -> X; {}", text.replace("t*(", "U*(V*"));
    let sampled = |u: &str, x: &str, xi: &str| {
        format!("{u} = {x} - t*(grad f({x}; {xi}[k]) - grad f(v[k]; {xi}[k]) + grad f(v[k])); v[k+1] = v[k]; ")
    };
    let twice_sampled =
        sampled("w[k]", "x[k]", "xi").replace("v[k+1] = v[k]; ", "") + &sampled("x[k+1]", "w[k]", "zeta");
    let path = "the sample xi[k] of B is the sample xi[2k] of A; the sample zeta[k] of B is the sample xi[2k+1] of A";
    check(&[
        (
            &changing,
            &format!("constant b: X; {}", steps("r[k]", "s[k]")),
            "repetition equal; 2 x A; r[k] = t[2k]; s[k] = t[2k+1]",
        ),
        (&operators(one("b")), &operators(two("b", "t")), "repetition equal; 2 x A; U = U; V = V"),
        (&sampled("x[k+1]", "x[k]", "xi"), &twice_sampled, &format!("repetition equal; 2 x A; t = t; {path}")),
    ]);
}

#[test]
fn extragradient_is_no_repetition() {
    let unconstrained = "w[k] = x[k] - t*grad f(x[k]); x[k+1] = x[k] - t*grad f(w[k])";
    let projected = "oracle F; x[k+1] = P_C(x[k] - t*F(x[k]))";
    let twice = "oracle F; w[k] = P_C(x[k] - t*F(x[k])); x[k+1] = P_C(w[k] - t*F(w[k]))";
    check(&[
        (unconstrained, GRADIENT_DESCENT, "distinct"),
        ("extragradient", projected, "distinct"),
        (twice, projected, "repetition equal; 2 x B; t = t"),
    ]);
}

#[test]
fn three_iterations() {
    let steps = |a: &str, b: &str, c: &str| {
        format!("u[k] = x[k] - {a}*grad f(x[k]); v[k] = u[k] - {b}*grad f(u[k]); x[k+1] = v[k] - {c}*grad f(v[k])")
    };
    check(&[
        (&steps("s", "s", "s"), GRADIENT_DESCENT, "repetition equal; 3 x B; t = s"),
        (&steps("s", "r", "s"), GRADIENT_DESCENT, "repetition contains; 3 x B; t = s; r = s"),
        (&steps("2", "1", "2"), GRADIENT_DESCENT, "distinct"),
        (&steps("s", "s", "s"), "doublegradient", "distinct"),
    ]);
}

#[test]
fn nesterov_written_out() {
    let twice = "u[k] = a[k] + q*(a[k] - b[k]); b[k+1] = u[k] - p*grad f(u[k]); \
                 v[k] = b[k+1] + q*(b[k+1] - a[k]); a[k+1] = v[k] - p*grad f(v[k])";
    let thrice = "u[k] = x[k] + q*(x[k] - w[k]); a[k] = u[k] - p*grad f(u[k]); \
                  v[k] = a[k] + q*(a[k] - x[k]); w[k+1] = v[k] - p*grad f(v[k]); \
                  s[k] = w[k+1] + q*(w[k+1] - a[k]); x[k+1] = s[k] - p*grad f(s[k])";
    check(&[
        (twice, "algo_nesterov", "repetition equal; 2 x B; alpha = p; beta = q"),
        ("algo_nesterov", thrice, "repetition equal; 3 x A; p = alpha; q = beta"),
        // Only the second step has momentum.
        (&twice.replacen("q*", "0*", 1), "algo_nesterov", "repetition overlap; 2 x B; alpha = p; beta = 0; q = 0"),
    ]);
}

#[test]
fn repetition_of_other_forms() {
    // Two iterations of Douglas–Rachford, the second of which begins with the other oracle of ADMM.
    let twice = "a[k] = prox_f(s[k]); b[k] = prox_g(2*a[k] - s[k]); r[k] = s[k] + b[k] - a[k]; \
                 c[k] = prox_f(r[k]); d[k] = prox_g(2*c[k] - r[k]); s[k+1] = r[k] + d[k] - c[k]";
    let implicit = "y[k] = x[k] - t*subgrad f(y[k]); x[k+1] = y[k] - t*subgrad f(x[k+1])";
    let sampled = "w[k] = x[k] - t*grad f(x[k]; xi[k]); x[k+1] = w[k] - t*grad f(w[k]; xi[k])";
    check(&[
        (twice, "algo5", "repetition equal; 2 x B"),
        (twice, "algo6", "repetition equal; 2 x B; shift [1, 0, 0, 0]"),
        (implicit, "eq:implicit#prox", "repetition contains; 2 x B; t = t; t > 0"),
        (sampled, "x[k+1] = x[k] - t*grad f(x[k]; xi[k])", "distinct"),
    ]);
}

#[test]
fn quadratic_variant_of_douglas_rachford() {
    let half = "y[k] = prox_g(x2[k] - 2*x1[k]); x1[k+1] = 1/2*x1[k] - prox_f(1/2*x2[k] - x2[k+1]); \
                x2[k+1] = x2[k] - x1[k] - y[k]";
    let linear = format!("function f linear; {half}");
    check(&[
        ("function f linear; algo_whoa", "algo5", "linear-oracle instance; filters 1, z - alpha"),
        ("algo5", "function f quadratic; algo_whoa", "linear-oracle contains; filters 1/(z - alpha), 1"),
        ("function f linear; algo_whoa", "algo6", "linear-oracle instance; filters 1, (z - alpha)/z"),
        ("algo_whoa", "algo5", "shift contains; shift [1, 0]; alpha = 0"),
        ("algo_whoa", "algo6", "oracle contains; alpha = 0"),
        (&linear, "algo5", "linear-oracle instance; filters 1, (2*z - 1)/2"),
        (half, "algo5", "distinct"),
        (half, "function h linear; algo5", "distinct"),
        (&linear.replace("2*x1", "3*x1"), "algo5", "distinct"),
    ]);
    assert_eq!(related(&linear, "algo5", Some(Relation::Homogeneous)).verdict, "distinct");
}

#[test]
fn filters_and_parameters() {
    // A filter on one of three channels; the others have to agree as they are.
    let plain =
        "x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(2*x[k] - w[k] - t*grad h(x[k])); w[k+1] = w[k] + y[k] - x[k]";
    let filtered = "x[k] = prox_{t f}(w[k]); v[k] = 3*grad h(e[k]); e[k] = (x[k] - a*x[k-1])/3; \
                    d[k+1] = a*d[k] + v[k]; y[k] = prox_{t g}(2*x[k] - w[k] - t*d[k+1]); w[k+1] = w[k] + y[k] - x[k]";
    let linear = format!("function h quadratic; {filtered}");
    let others = format!("function f, g quadratic; {filtered}");
    check(&[
        (plain, &linear, "linear-oracle contains; filters 1, 3*z/(z - a), 1; t = t"),
        // Filters on all the others are as good.
        (plain, &others, "linear-oracle contains; filters (z - a)/(3*z), 1, (z - a)/(3*z); t = t"),
        (plain, &others.replace("f, g", "f"), "distinct"),
        (plain, &linear.replace("t*d", "2*d"), "linear-oracle overlap; filters 1, 3*z/(z - a), 1; t = 2; t = 2"),
        // A gradient step twice the prox step is another algorithm.
        (plain, &linear.replace("t*d", "2*t*d"), "distinct"),
    ]);
}

#[test]
fn filters_commute_with_no_operator() {
    let before = "function f linear; operator W: X -> X symmetric; x[k+1] = prox_g(x[k] - t*grad f(W*x[k]))";
    let after = "function f linear; operator W: X -> X symmetric; x[k+1] = prox_g(x[k] - t*W*grad f(x[k]))";
    check(&[(before, after, "distinct"), (after, before, "distinct")]);
}

#[test]
fn shifts_across_filters() {
    // g and h act on each other through the linear f and q only, and their calls are shifted.
    let plain = "function f, q linear; x[k+1] = grad q(prox_g(grad f(prox_h(x[k]))))";
    let filtered = "s[k] = prox_g(d[k-1]); x[k] = 2*grad q(s[k]/2); p[k] = prox_h(x[k]); \
                    d[k] = a*d[k-1] + grad f(p[k] - a*p[k-1])";
    let late = filtered.replace("prox_g(d[k-1])", "prox_g(d[k-2])");
    check(&[
        (plain, filtered, "linear-oracle instance; shift [1, 0, 0, 0]; filters 1, 1/(z - a), 1, 2"),
        (filtered, plain, "linear-oracle contains; shift [1, 0, 0, 0]; filters 1, 1/(2*z), 1, (z - a)/z"),
        (plain, &late, "distinct"),
    ]);
}

#[test]
fn scaled_projections() {
    let plain = "x[k+1] = P_C(P_D(x[k]))";
    let scaled = |s: &str| format!("x[k+1] = P_C({s}*P_D(x[k]))/({s})");
    let cone = |s: &str| format!("function C cone; {}", scaled(s));
    check(&[
        (plain, &scaled("2"), "distinct"),
        (plain, &cone("2"), "homogeneous contains; filters 1, 1/2"),
        // Where s is negative it is another algorithm.
        (plain, &cone("s"), "homogeneous overlap; filters 1, 1/s; s > 0"),
        (plain, &cone("(-2)"), "distinct"),
        (plain, &cone("(-2)").replace("cone", "subspace"), "linear-oracle contains; filters 1, -1/2"),
        // D is the cone, and it is enough that C's scale is the one that stays.
        (plain, &cone("2").replace("function C", "function D"), "homogeneous contains; filters 2, 1"),
        (plain, &cone("2").replace("function C", "function E"), "distinct"),
    ]);
}

/// The graph of ∂g is mapped to itself by diag(c, 1) if g is a norm, and by every diag(c, e) if it is the indicator of a
/// cone; the steps of proximal maps follow.
#[test]
fn scaled_functions() {
    let inside =
        |what: &str, step: &str| format!("function g {what}; x[k+1] = prox_{{{step} g}}(2*x[k] - t*grad f(x[k]))");
    let outside = |what: &str| format!("function g {what}; x[k+1] = 2*prox_{{t g}}(x[k] - (t/2)*grad f(x[k]))");
    let norm = |step: &str| (inside("homogeneous", step), outside("homogeneous"));
    let (same, double) = (norm("t"), norm("2*t"));
    let (any, cone) = (inside("cone", "3"), outside("cone").replace("prox_{t g}", "prox_{5 g}"));
    let gradient = |c: &str| format!("function g homogeneous; x[k+1] = x[k] - s*subgrad g({c}*x[k]) - grad f(x[k])");
    let dual = |s: &str| format!("function g homogeneous; x[k+1] = prox_{{{s} g*}}(x[k] - t*grad f(x[k]))");
    check(&[
        (&same.0, &same.1, "distinct"),
        (&double.0, &double.1, "homogeneous equal; filters 1, 2; t = t"),
        (&double.1, &double.0, "homogeneous equal; filters 1, 1/2; t = t"),
        (&any, &cone, "homogeneous equal; filters 1, 2; t = t"),
        (&cone, &any, "homogeneous equal; filters 1, 1/2; t = t"),
        (&gradient("2"), &gradient("1"), "homogeneous equal; s = s"),
        (&gradient("-2"), &gradient("1"), "distinct"),
        (
            &gradient("2").replace("function g homogeneous;", ""),
            &gradient("1").replace("function g homogeneous;", ""),
            "distinct",
        ),
        // g* is the indicator of a ball.
        (&dual("2"), &dual("3"), "homogeneous equal; t = t"),
        (&dual("2").replace("homogeneous", "linear"), &dual("3").replace("homogeneous", "linear"), "distinct"),
    ]);
}

/// Equal steps that are numbers leave one way to pair two proxes.
#[test]
fn many_proxes() {
    let nested = |a: &str, b: &str| format!("x[k+1] = {a}*x[k] + {b}*prox_f(prox_g(prox_h(prox_p(prox_q(x[k])))))");
    check(&[(&nested("1/2", "1/2"), &nested("1/3", "2/3"), "distinct")]);
}

#[test]
fn chambolle_pock_and_its_dual() {
    let reading = "A is the dual of B: f of A is g* of B, g of A is f*(-·) of B";
    let expected = format!("lft equal; filters 1, -1; M = adjoint(M); sigma = tau; tau = sigma; {reading}");
    let alternating = "x[k+1] = P_C(P_D(x[k]))";
    let dykstra = "y[k] = P_D(x[k] + q[k]); q[k+1] = x[k] + q[k] - y[k]; x[k+1] = P_C(y[k] + p[k]); p[k+1] = y[k] + p[k] - x[k+1]";
    check(&[("algo14#general", DUAL_CHAMBOLLE_POCK, &expected), (dykstra, alternating, "distinct")]);
}

/// Where a special value makes a delay longer, or a step appears on both sides, the shifts differ
/// from those of generic parameters.
#[test]
fn shifts_of_special_values() {
    let family = "x[k+1] = x[k-1] - grad g(grad f(2*x[k] - a*x[k] - x[k-1]))";
    let special = family.replace("a*", "2*");
    let reflected =
        "x[k+1] = x[k] - 1/2*R_{t f}(1/2*P_C(x[k-1] - b*x[k-1] + t*x[k-1]) + t*grad f(x[k]) - (1 - a)*x[k-1])";
    let envelope = "x[k+1] = x[k] - 1/2*q[k] + t*grad env_{t f}(q[k]); \
                    q[k] = 1/2*P_C(x[k-1] - b*x[k-1] + t*x[k-1]) + t*grad f(x[k]) - (1 - a)*x[k-1]";
    check(&[
        (family, &special, "oracle contains; a = 2"),
        (&special, family, "oracle instance; a = 2"),
        (reflected, envelope, "lft equal; a = a; b = b; t = t"),
        (envelope, reflected, "lft equal; a = a; b = b; t = t"),
    ]);
}

/// R_{-t f} is the inverse of R_{t f}, which does not help where an oracle has no influence.
#[test]
fn oracles_without_influence_have_no_inverse() {
    let one = "x[k] = -R_{t f}(y[k-1]); y[k] = -b*R_{t f}(b*x[k-2])";
    check(&[(one, &one.replace("x[k] = -R", "x[k] = -2*R"), "distinct")]);
}

/// Parameters are chosen such that constants agree, and delays of constants are forgotten.
#[test]
fn constants_decide_parameters() {
    let one = "constant c; x[k] = 2*c - (1 - a)*subgrad f(2*c + (a - 1 + b)*x[k-2])";
    let four = "constant c; w[k] = 8*c - 4*(1 - a)*subgrad f(2*c + (a - 1 + b)/4*w[k-2])";
    let late = "constant c; x[k] = e[k] - (1 - a)*subgrad f(e[k] + (a - 1 + b)*x[k-2]); e[k+1] = 2*c";
    check(&[
        (one, four, "oracle equal; a = a; b = b"),
        (one, late, "oracle equal; a = a; b = b"),
        (late, one, "oracle equal; a = a; b = b"),
        (one, &four.replace("8*c", "9*c"), "oracle equal; a = (9*a - 1)/8; b = (64*b - 17*a + 17)/72"),
    ]);
}

/// An operator of one side may be the adjoint of one of the other, or made of it and its adjoint.
#[test]
fn adjoints() {
    let plain = "operator W: X -> X; x[k+1] = W*x[k] - grad f(x[k])";
    let adjoint = "operator W: X -> X; x[k+1] = W'*x[k] - grad f(x[k])";
    let inner = "operator A: X -> Y; x[k+1] = x[k] - t*A'*grad f(A*x[k])";
    let outer = "operator B: Y -> X; x[k+1] = x[k] - t*B*grad f(B'*x[k])";
    let gram = "operator A: X -> Y; x[k+1] = A'*A*x[k] - grad f(x[k])";
    let other = "operator B: Y -> X; x[k+1] = B*B'*x[k] - grad f(x[k])";
    check(&[
        (plain, adjoint, "oracle equal; W = adjoint(W)"),
        (adjoint, plain, "oracle equal; W = adjoint(W)"),
        (adjoint, adjoint, "oracle equal; W = W"),
        (inner, outer, "oracle equal; B = adjoint(A); t = t"),
        (gram, other, "oracle equal; B = adjoint(A)"),
        (gram, plain, "oracle instance; W = adjoint(A)*A"),
        (plain, gram, "oracle contains; W = adjoint(A)*A"),
        (other, adjoint, "oracle instance; W = B*adjoint(B)"),
    ]);
}

/// Operators that do not commute correspond in any order, up to factors and adjoints.
#[test]
fn operators_correspond() {
    let on = |operators: &str, update: &str| format!("operators {operators}: X -> X; x[k+1] = {update}");
    let ab = on("A, B", "A*B*x[k] - grad f(x[k])");
    let dc = on("C, D", "D*C*x[k] - grad f(x[k])");
    let double = on("A, B", "2*A*B*x[k] - grad f(x[k])");
    let outer = "operator W: X -> X; x[k+1] = W*W'*x[k] - grad f(x[k])";
    let inner = "operator V: X -> X; x[k+1] = V'*V*x[k] - grad f(x[k])";
    let any = "operator U: X -> X; x[k+1] = U*x[k] - grad f(x[k])";
    let symmetric = any.replace("X -> X", "X -> X symmetric");
    let one = "operator W: X -> X; x[k+1] = W*(x[k] - t*grad f(x[k]))";
    let two = on("A, B", "A*x[k] - t*B*grad f(x[k])");
    let late = on("A, B", "A*B*x[k] - B*grad f(x[k])");
    let early = on("C, D", "C*D*x[k] - C*grad f(x[k])");
    let twice = on("A, B", "A*A*B*x[k] - B*grad f(x[k])");
    check(&[
        (&ab, &dc, "oracle equal; C = B; D = A"),
        (&ab, &double, "oracle equal; A = A; B = B/2"),
        (outer, inner, "oracle equal; V = adjoint(W)"),
        (one, &two, "oracle instance; A = W; B = W; t = t"),
        (&two, one, "oracle contains; W = A; t = t; B = A"),
        (&ab, any, "oracle instance; U = A*B"),
        (any, &ab, "oracle contains; U = A*B"),
        (outer, any, "oracle instance; U = W*adjoint(W)"),
        (outer, &symmetric, "oracle instance; U = W*adjoint(W)"),
        (&ab, &symmetric, "conditional contains; U = B; A = 1; A = I in A; B is symmetric in A"),
        (&late, any, "conditional equal; U = A; B = 1; B = I in A"),
        (&late, &early, "distinct"),
        (&late, &twice, "oracle contains; B = B; A = A_B*A_B"),
        (&ab, GRADIENT_DESCENT, "conditional instance; t = 1; A = 1; B = 1; A = I in A; B = I in A"),
    ]);
    let found = related(&late, &early, None).obstruction.expect("they are distinct");
    assert_eq!(found.message, "no parameters and no pairing of the operators make all of the transfer matrices agree");
    assert_eq!((&*found.entries[0].first, &*found.entries[0].second), ("-B", "-C"));
}

/// Minimizes with one operator inside and moves by another.
fn augmented(inside: &str, moved: &str) -> String {
    format!(
        "operators A, K: X -> Y; x[k+1] = argmin_x f(x) + rho/2*||{inside}*x - v[k]||^2; v[k+1] = v[k] - {moved}*x[k+1]"
    )
}

const GENERAL_ADMM: &str = "operator A: X -> W; operator B: Z -> W; \
    x[k+1] = argmin_x f(x) + <y[k], A*x> + rho/2*||A*x + B*z[k] - c||^2; \
    z[k+1] = argmin_z g(z) + <y[k], B*z> + rho/2*||A*x[k+1] + B*z - c||^2; y[k+1] = y[k] + rho*(A*x[k+1] + B*z[k+1] - c)";
const COMPOSITE_ADMM: &str = "operator A: X -> W; x[k+1] = argmin_{rho f}(z[k] - u[k]); \
    z[k+1] = prox_{(1/rho) g}(A*x[k+1] + u[k]); u[k+1] = u[k] + A*x[k+1] - z[k+1]";
const SCALED_ADMM: &str = "x[k+1] = prox_{(1/rho) f}(z[k] - u[k]); z[k+1] = prox_{(1/rho) g}(x[k+1] + u[k]); \
    u[k+1] = u[k] + x[k+1] - z[k+1]";

/// What an argmin has inside is part of the oracle. Where no operator is named it is the one that fits.
#[test]
fn maps_inside_minimizations_correspond() {
    let short = "operator A: X -> Y; x[k+1] = argmin_{rho f}(v[k]); v[k+1] = v[k] - A*x[k+1]";
    let square = |inside: &str| {
        format!("operator W: X -> X; x[k+1] = argmin_x f(x) + rho/2*||{inside}*x - v[k]||^2; v[k+1] = v[k] - W*x[k+1]")
    };
    let boxed = "operator A: X -> Y; oracle F: Y -> X; x[k+1] = F(v[k]); v[k+1] = v[k] - A*x[k+1]";
    check(&[
        (&augmented("A", "K"), &augmented("K", "A"), "oracle equal; A = K; K = A; rho = rho"),
        (&augmented("A", "K"), &augmented("K", "K"), "oracle contains; K = A; rho = rho; K = A"),
        (&augmented("K", "K"), &augmented("A", "K"), "oracle instance; A = K; K = K; rho = rho"),
        (&augmented("A", "A"), short, "oracle equal; A = A; rho = rho"),
        (&augmented("A", "A"), boxed, "oracle instance; A = A"),
        (&square("W"), &square("W"), "oracle equal; W = W; rho = rho"),
        (&square("W"), &square("W*W"), "distinct"),
        (&square("W'"), &square("W"), "distinct"),
    ]);
    let found = related(&square("W"), &square("W*W"), None).obstruction.expect("they are distinct");
    assert_eq!((found.entries[0].of, &*found.entries[0].first, &*found.entries[0].second), ("map", "W", "W**2"));
}

/// Where the operator inside is I or -I, an argmin is a prox.
#[test]
fn minimizations_are_proxes_where_operators_are_the_identity() {
    let dr = "x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]";
    let reflected = "operator B: Z -> W; x[k+1] = prox_{(1/rho) f}(-B*z[k] - u[k]); \
        z[k+1] = argmin_z g(z) + rho/2*||x[k+1] + B*z + u[k]||^2; u[k+1] = u[k] + x[k+1] + B*z[k+1]";
    check(&[
        (
            &augmented("A", "A"),
            "x[k+1] = prox_{t f}(v[k]); v[k+1] = v[k] - x[k+1]",
            "conditional equal; t = 1/rho; A = 1; A = I in A",
        ),
        (&augmented("A", "A"), "x[k+1] = prox_{t f}(v[k]); v[k+1] = v[k] - 2*x[k+1]", "distinct"),
        (COMPOSITE_ADMM, SCALED_ADMM, "conditional equal; rho = rho; A = 1; A = I in A"),
        (SCALED_ADMM, COMPOSITE_ADMM, "conditional equal; A = 1; rho = rho; A = I in B"),
        (reflected, SCALED_ADMM, "conditional equal; rho = rho; B = -1; B = -I in A"),
        (SCALED_ADMM, reflected, "conditional equal; B = -1; rho = rho; B = -I in B"),
        (GENERAL_ADMM, SCALED_ADMM, "conditional equal; rho = rho; A = 1; B = -1; A = I in A; B = -I in A; c = 0 in A"),
        (GENERAL_ADMM, COMPOSITE_ADMM, "conditional equal; A = A; rho = rho; B = -1; B = -I in A; c = 0 in A"),
        (
            dr,
            GENERAL_ADMM,
            "conditional equal; shift [1, 0]; A = 1; B = -1; rho = 1/t; A = I in B; B = -I in B; c = 0 in B",
        ),
    ]);
}

/// The re-check refuses a witness in which one thing is changed.
#[test]
fn wrong_witnesses_are_refused() {
    let refused = |a: &str, b: &str, change: fn(&mut Witness)| {
        let [a, b] = [a, b].map(|name| linnaeus::read(&text(name)).analysis.unwrap());
        let Verdict::Related(mut witness) = compare(&a, &b, None).verdict else { panic!("they are related") };
        assert_eq!(recheck(&a, &b, &witness), Recheck::Passed);
        change(&mut witness);
        assert_eq!(recheck(&a, &b, &witness), Recheck::Failed);
    };
    refused("function f linear; algo_whoa", "algo5", |w| w.filters[1] = RationalFunction::one());
    refused("function f linear; algo_whoa", "algo5", |w| w.shift[1] += 1);
    refused("algo5", "function f linear; algo_whoa", |w| {
        w.filters[0] = w.filters[0].add(&RationalFunction::one()).unwrap()
    });
    refused("doublegradient", GRADIENT_DESCENT, |w| w.channel_map = vec![(0, 1), (1, 0)]);
    refused("doublegradient", GRADIENT_DESCENT, |w| w.shift = vec![1, 0]);
    let turned = "operator W: X -> X; x[k+1] = W'*x[k] - grad f(x[k])";
    refused(&turned.replace("W'", "W"), turned, |w| w.images[0].1 = w.images[0].1.adjoint(&|_| false));
    refused("algo14#general", DUAL_CHAMBOLLE_POCK, |w| w.filters[1] = RationalFunction::one());
    refused(&augmented("A", "K"), &augmented("K", "A"), |w| w.images[1].1 = w.images[0].1.clone());
    let prox = "x[k+1] = prox_{t f}(v[k]); v[k+1] = v[k] - x[k+1]";
    refused(&augmented("A", "A"), prox, |w| {
        w.assumptions = vec![Assumption::Identity(Side::First, 0, RationalFunction::one().neg())]
    });
    refused(COMPOSITE_ADMM, SCALED_ADMM, |w| w.matrices[0][(0, 0)] = RationalFunction::one().neg());
}

/// Values that remove an operator or silence an oracle relate nothing.
#[test]
fn degenerate_values() {
    let saddle = "operator A: X -> Y; x[k+1] = x[k] - tau*(grad f(x[k]) + A'*y[k]); y[k+1] = y[k] + sigma*A*x[k]";
    let nesterov = "y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - a*grad f(y[k])";
    let euler = "v[k+1] = (1 - h*r)*v[k] - h*grad f(x[k]); x[k+1] = x[k] + h*v[k+1]";
    let alternating = "h[k] = w[k] - eta*E*F(w[k]); w[k+1] = h[k] - eta*(I - E)*F(h[k])";
    let inertial =
        "y[k] = x[k] + a*(x[k] - x[k-1]) - b*(grad f(x[k]) - grad f(x[k-1])); x[k+1] = y[k] - s*grad f(y[k])";
    check(&[
        (saddle, GRADIENT_DESCENT, "distinct"),
        (GRADIENT_DESCENT, saddle, "distinct"),
        (nesterov, euler, "distinct"),
        (euler, nesterov, "distinct"),
        (alternating, inertial, "distinct"),
        (inertial, alternating, "distinct"),
    ]);
}

#[test]
fn duals_of_black_boxes() {
    let (implicit, conjugate) = ("x[k+1] = x[k] - eta*F(x[k+1])", "y[k+1] = -prox_{rho f*}(-y[k])");
    let named = "F of A is f* of B";
    check(&[
        (implicit, conjugate, &format!("lft contains; rho = eta; eta > 0; {named}")),
        (conjugate, implicit, "lft instance; eta = rho; F of B is f* of A"),
    ]);
}

#[test]
fn many_iterations() {
    let times = |n: usize| {
        let step = |i: usize| format!("u{i}[k] = u{}[k] - t*grad f(u{}[k])", i - 1, i - 1);
        let steps: Vec<String> = (1..n).map(step).collect();
        let first = "u0[k] = x[k]".to_string();
        let last = format!("x[k+1] = u{}[k] - t*grad f(u{}[k])", n - 1, n - 1);
        [vec![first], steps, vec![last]].concat().join("; ")
    };
    check(&[
        (GRADIENT_DESCENT, &times(9), "repetition equal; 9 x A; t = t"),
        (GRADIENT_DESCENT, &times(20), "undecided"),
    ]);
}

/// What is declared of a function holds of its namesake alone.
#[test]
fn declarations_of_one_text() {
    let minus = "x[k+1] = prox_{t g}(x[k] + a*grad h(-x[k]))";
    let plus = "function f linear; x[k+1] = prox_{t g}(x[k] - a*grad f(x[k]))";
    let both = format!("function h linear; {minus}");
    check(&[
        // Whatever f is, h may be.
        (minus, plus, "linear-oracle contains; filters -1, 1; a = a; t = t"),
        (plus, minus, "linear-oracle instance; filters -1, 1; a = a; t = t"),
        (&both, plus, "linear-oracle equal; filters -1, 1; a = a; t = t"),
        (&minus.replace("h(", "f("), plus, "linear-oracle contains; filters -1, 1; a = a; t = t"),
    ]);
}

#[test]
fn functions_dropped_from_both_sides() {
    let (sets, splitting) = ("x[k+1] = P_C(P_D(x[k]))", "x[k+1] = prox_{t g}(x[k] - t*grad f(x[k]))");
    let lazy = "s[k+1] = s[k] - alpha*grad f(x[k]); x[k+1] = grad phi*(s[k+1])";
    let twist = "x[k+1] = (1 - a)*x[k-1] + (a - b)*x[k] + b*prox_{t g}(x[k] - t*grad f(x[k]))";
    check(&[(sets, splitting, "distinct"), (splitting, sets, "distinct"), (lazy, twist, "distinct")]);
}

#[test]
fn parameters_are_real() {
    let square = "x[k+1] = x[k] - p^2*grad f(x[k])";
    check(&[
        ("x[k+1] = x[k] + 2*grad f(x[k])", square, "distinct"),
        (square, "x[k+1] = x[k] + 2*grad f(x[k])", "distinct"),
        ("x[k+1] = x[k] - q*grad f(x[k])", square, "oracle contains; p = sqrt(q); q >= 0"),
    ]);
}

#[test]
fn functions_of_one_text_are_dropped_first() {
    let two = "x[k+1] = x[k] - t*grad f(x[k]) - s*grad g(x[k])";
    check(&[(GRADIENT_DESCENT, two, "conditional equal; t = t; g = 0 in B")]);
}

#[test]
fn only_holds_of_the_answer() {
    for text in [GRADIENT_DESCENT, "x[k+1] = x[k] - a*M*grad f(x[k])"] {
        assert_eq!(related(text, text, Some(Relation::Conditional)).verdict, "distinct");
    }
    let constant = format!("constant b: X; {GRADIENT_DESCENT} + b");
    let found = related(GRADIENT_DESCENT, &constant, Some(Relation::Conditional));
    assert_eq!((found.relation, found.assumptions.as_slice()), (Some("conditional"), &["b = 0 in B".to_string()][..]));
    assert_eq!(related(GRADIENT_DESCENT, &constant, Some(Relation::Oracle)).verdict, "distinct");
}

/// A constant is absorbed by the start of either algorithm, or agrees for some parameters.
#[test]
fn constants_of_either_side() {
    let anchored = "constant b; x[k+1] = a*b + (1 - a)*T(x[k])";
    let integral = "x[k+1] = x[k] - s*(T(x[k]) - T(x[k-1])) - r*T(x[k]) + r*T(x[k])";
    let inside = "constant b: X; x[k+1] = x[k] - t*(grad f(x[k]) - b)";
    let outside = "constant b: X; x[k+1] = x[k] - t*grad f(x[k]) + b";
    check(&[
        (anchored, integral, "oracle equal; s = a - 1"),
        (integral, anchored, "oracle equal; a = s + 1"),
        (inside, outside, "oracle equal; b = t*b; t = t"),
        (outside, inside, "oracle equal; b = b/t; t = t; t != 0"),
    ]);
}

/// B's constants are solved for like its parameters, in terms of A's, by operators too.
#[test]
fn constants_are_solved_for() {
    let half = "constant b; x[k+1] = x[k]/2 - t*grad f(x[k]) + b";
    let double = "constant d; x[k+1] = x[k]/2 - t*grad f(x[k]) + 2*d";
    let inside = "constant b; x[k+1] = x[k] - t*grad f(x[k]) - A'*(A*x[k] - b)";
    let outside = "constant d; x[k+1] = x[k] - t*grad f(x[k]) - A'*A*x[k] + d";
    let halpern = "constant c; x[k+1] = (1 - a)*c + a*prox_f(x[k])";
    let moved = "constant e; y[k+1] = a*prox_f(y[k]) + e";
    let written_out = "constant c; z[k] = prox_f(x[k]); x[k+1] = a*(z[k] - c) + c";
    let (one, two) = ("constant d; x[k+1] = x[k] - t*T(x[k]) + d", "constant b, c; x[k+1] = x[k] - t*T(x[k]) + b + c");
    let none = "x[k+1] = x[k] - t*T(x[k])";
    let apart = "constant b, c; x[k+1] = x[k] - t*T(x[k] + b) + c";
    let words = "operator V, W: X -> X; constant b; x[k+1] = V*W*x[k] - t*grad f(W*V*x[k]) + b";
    let third = "operator V, W: X -> X; constant d; x[k+1] = V*W*x[k] - t*grad f(W*V*x[k]) + d/3";
    let both = "operator K: X -> Y; operator W: X -> X;";
    let pulled = &format!("{both} constant b; x[k+1] = W*x[k] - t*K'*(K*x[k] - b) - grad f(x[k])");
    let pushed = &format!("{both} constant d; x[k+1] = W*x[k] - t*K'*K*x[k] + d - grad f(x[k])");
    check(&[
        (half, double, "oracle equal; d = b/2; t = t"),
        (double, half, "oracle equal; b = 2*d; t = t"),
        (inside, outside, "oracle instance; A = A; d = adjoint(A)*b; t = t"),
        (outside, inside, "oracle contains; A = A; t = t; d = adjoint(A)*b"),
        (halpern, moved, "oracle equal; a = a; e = c*(1 - a)"),
        (moved, halpern, "oracle equal; a = a; c = e/(1 - a); a != 1"),
        (halpern, written_out, "oracle equal; a = a"),
        (written_out, halpern, "oracle equal; a = a"),
        (one, two, "oracle equal; b = d; c = 0; t = t"),
        (two, one, "oracle equal; d = b + c; t = t"),
        (apart, one, "oracle equal; d = c; t = t"),
        (words, third, "oracle equal; V = V; W = W; d = 3*b; t = t"),
        (pulled, pushed, "oracle instance; K = K; W = W; d = t*adjoint(K)*b; t = t"),
        (pushed, pulled, "oracle contains; K = K; W = W; t = t; d = t*adjoint(K)*b"),
        (third, words, "oracle equal; V = V; W = W; b = d/3; t = t"),
        // What nothing makes up for is zero.
        (one, none, "conditional equal; t = t; d = 0 in A"),
        (none, one, "conditional equal; t = t; d = 0 in B"),
    ]);
}

/// A map that is not onto the reals makes an instance.
#[test]
fn generality_is_over_the_reals() {
    let step = |s: &str| format!("x[k+1] = x[k] - ({s})*grad f(x[k])");
    let check_steps = |claims: &[(&str, &str, &str)]| {
        let texts: Vec<(String, String, &str)> = claims.iter().map(|(a, b, c)| (step(a), step(b), *c)).collect();
        check(&texts.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), *c)).collect::<Vec<_>>());
    };
    check_steps(&[
        ("s^2 + 1", "t", "oracle instance; t = s**2 + 1"),
        ("t", "s^2 + 1", "oracle contains; s = sqrt(t - 1); t >= 1"),
        ("t", "1 - s^2", "oracle contains; s = sqrt(1 - t); t <= 1"),
        ("a*b", "t", "oracle equal; t = a*b"),
        ("t", "a^2 - b^2", "oracle equal; b = sqrt(a**2 - t); a**2 - t >= 0"),
        ("a/(1 + a^2)", "t", "oracle instance; t = a/(a**2 + 1)"),
        ("s^3 + s", "t", "oracle equal; t = s*(s**2 + 1)"),
        ("s^4 + s", "t", "oracle instance; t = s*(s + 1)*(s**2 - s + 1)"),
        ("s^2", "t^4", "oracle equal; t = sqrt(-s); s <= 0"),
        ("s^2 + 1", "3 - r^2", "oracle overlap; r = sqrt(2 - s**2); 2 - s**2 >= 0"),
        ("s^2 + 1", "-r^2", "distinct"),
        ("p^2 + q^2", "t", "oracle instance; t = q**2 + p**2"),
        ("sqrt(s)", "t", "oracle instance; t = sqrt(s)"),
        ("t", "sqrt(s)", "oracle contains; s = t**2; t >= 0"),
        ("sqrt(s)", "-sqrt(r)", "distinct"),
        ("s^2 - s + 1", "r^2 + 3/4", "oracle equal; r = (2*s - 1)/2"),
    ]);
}

/// A projection is the prox of an indicator, and a black box stands for anything.
#[test]
fn kinds_of_oracles() {
    let forward_backward = |oracle: &str, gradient: &str| format!("x[k+1] = {oracle}(x[k] - t*{gradient}(x[k]))");
    let projected = forward_backward("P_C", "grad f");
    let proximal = forward_backward("prox_{t g}", "grad f");
    let denoised = format!("oracle D; {}", forward_backward("D", "grad f"));
    let any = format!("oracle D, F; {}", forward_backward("D", "F"));
    for (a, b, expected) in [
        (&projected.replace("t*", "2*"), &proximal, "instance"),
        (&proximal, &projected.replace("t*", "2*"), "contains"),
        // A step of a prox is positive, one of a gradient any number.
        (&projected, &proximal, "overlap"),
        (&projected, &denoised, "instance"),
        (&proximal, &denoised, "instance"),
        (&any, &proximal, "contains"),
        (&denoised, &any, "instance"),
    ] {
        let found = related(a, b, None);
        assert_eq!((found.relation, found.generality), (Some("oracle"), Some(expected)), "{a} {b}");
    }
    // The one has the more general oracle, the other the more general step.
    let (fixed, free) = ("x[k+1] = prox_{1/10 f}(x[k])", "x[k+1] = P_C(t*x[k])");
    check(&[(fixed, free, "oracle overlap; t = 1")]);
}

/// Each family holds for every operator: what is only a sum of two is as general as one.
#[test]
fn sums_of_operators() {
    let sum = "x[k+1] = V*x[k] + W*x[k] - t*grad f(x[k])";
    let one = "x[k+1] = U*x[k] - t*grad f(x[k])";
    let commuting = "operators V, W: X -> X commuting; x[k+1] = V*x[k] + W*x[k] - t*grad f(x[k])";
    let product = "x[k+1] = V*W*x[k] - t*grad f(x[k])";
    let two = "x[k+1] = U*x[k] + T*x[k-1] - t*grad f(x[k])";
    let both = "x[k+1] = (V + W)*x[k] + (V - W)*x[k-1] - t*grad f(x[k])";
    let twice = "x[k+1] = (V + W)*x[k] + (V + W)*x[k-1] - t*grad f(x[k])";
    let between = "operators V, W: X -> Y; \
                   x[k+1] = x[k] - t*grad f(x[k]) - s*(V' + W')*prox_{g}((V + W)*x[k])";
    let between_one = "operator U: X -> Y; x[k+1] = x[k] - t*grad f(x[k]) - s*U'*prox_{g}(U*x[k])";
    let commutator = "x[k+1] = V*W*x[k] - W*V*x[k] - t*grad f(x[k])";
    check(&[
        (commutator, one, "oracle instance; U = V*W - W*V; t = t"),
        (one, commutator, "oracle contains; t = t; U = V*W - W*V"),
        (sum, one, "oracle equal; U = W + V; t = t"),
        (one, sum, "oracle equal; V = 2*U; W = -U; t = t"),
        (commuting, one, "oracle equal; U = W + V; t = t"),
        (one, commuting, "oracle equal; V = 2*U; W = -U; t = t"),
        (between, between_one, "oracle equal; U = W + V; s = s; t = t"),
        (between_one, between, "oracle equal; V = 2*U; W = -U; s = s; t = t"),
        (two, both, "oracle equal; V = (T + U)/2; W = (U - T)/2; t = t"),
        (both, two, "oracle equal; T = V - W; U = W + V; t = t"),
        // Two that are the same are special.
        (twice, two, "oracle instance; T = W + V; U = W + V; t = t"),
        (two, twice, "oracle contains; t = t; U = W + V; T = W + V"),
        // That an operator is the identity is an assumption.
        (product, one, "oracle instance; U = V*W; t = t"),
        (one, product, "oracle contains; t = t; U = V*W"),
    ]);
}

/// A black box is one map at every call.
#[test]
fn black_boxes() {
    check(&[
        ("x[k+1] = D(D(x[k]))", "x[k+1] = prox_{t g}(prox_{s g}(x[k]))", "oracle overlap; s = t"),
        ("x[k+1] = D(D(x[k]))", "x[k+1] = prox_{t g}(prox_{t g}(x[k]))", "oracle contains"),
        ("x[k+1] = D(D(x[k]))", "x[k+1] = prox_{t g}(grad g(x[k]))", "distinct"),
        ("x[k+1] = D(D(x[k]))", "x[k+1] = prox_{t g}(prox_{t f}(x[k]))", "conditional contains; g = f in B"),
        ("x[k+1] = F(D(x[k]))", "x[k+1] = prox_{t g}(prox_{s f}(x[k]))", "oracle contains"),
    ]);
}

/// Two functions of three are nothing.
#[test]
fn two_functions_are_zero() {
    const DAVIS_YIN: &str = "x[k+1] = prox_{t g}(z[k]); y[k+1] = prox_{t f}(2*x[k+1] - z[k] - t*grad h(x[k+1])); \
        z[k+1] = z[k] + y[k+1] - x[k+1]";
    for (other, expected) in [
        ("x[k+1] = prox_{s f}(x[k])", ["g = 0 in A", "h = 0 in A"]),
        ("x[k+1] = prox_{s g}(x[k])", ["f = 0 in A", "h = 0 in A"]),
        ("x[k+1] = x[k] - s*grad h(x[k])", ["f = 0 in A", "g = 0 in A"]),
    ] {
        let found = related(DAVIS_YIN, other, None);
        assert_eq!(found.relation, Some("conditional"), "{other}");
        assert_eq!(found.assumptions, expected, "{other}");
    }
}

/// What takes a scale out of a cone's projection that changes with the index is not tried, and not denied.
#[test]
fn scalings_that_change() {
    let scaled = "set C cone; z[k+1] = z[k] - grad f(P_C(a[k]*z[k]))";
    let found = related(scaled, "set C cone; z[k+1] = z[k] - grad f(a[k]*P_C(z[k]))", None);
    assert_eq!(found.verdict, "undecided");
}

/// Where sequences have no value at 0, the start is told at another index.
#[test]
fn starts_where_sequences_are_defined() {
    let found = related(
        "y[k] = (1-b)*z[k] + b*x[k]; z[k+1] = z[k] - g*grad f(y[k]); x[k+1] = (1-1/(k+1))*x[k] + 1/(k+1)*z[k+1]",
        "m[k+1] = beta[k]*m[k] - eta[k]*grad f(y[k]); y[k+1] = y[k] + mu[k]*m[k+1] - nu[k]*grad f(y[k])",
        None,
    );
    assert!(found.initialization.iter().any(|line| line.starts_with("m[k] = ")), "{:?}", found.initialization);
}

/// An operator that only occurs squared is a root of a number times the other's, which is told by its value.
#[test]
fn roots_inside_operators() {
    let between = "operator A: X -> Y; x[k+1] = x[k] - 2*A'*A*grad h(x[k])";
    let between_one = "operator A: X -> Y; x[k+1] = x[k] - A'*A*grad h(x[k])";
    let squared = "operator W: X -> X symmetric; x[k+1] = x[k] - a*W^2*grad h(x[k])";
    let squared_one = "operator V: X -> X symmetric; x[k+1] = x[k] - V^2*grad h(x[k])";
    let constant = "constant b: Y; operator A: X -> Y; x[k+1] = prox_{t g}(x[k] - t*A'*(A*x[k] - b))";
    let twice = "constant b: Y; operator A: X -> Y; r[k] = b - A*x[k]; x[k+1] = prox_{t g}(x[k] + 2*t*A'*r[k])";
    let two = "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - A'*A*x[k] - B'*B*grad h(x[k])";
    let two_twice = "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - 2*A'*A*x[k] - B'*B*grad h(x[k])";
    check(&[
        (between, between_one, "oracle equal; A = sqrt(2)*A"),
        (between_one, between, "oracle equal; A = sqrt(2)*A/2"),
        (squared, squared_one, "oracle contains; V = sqrt(a)*W; a != 0; a >= 0"),
        (constant, twice, "oracle equal; A = sqrt(2)*A/2; b = sqrt(2)*b/2; t = t"),
        (two, two_twice, "oracle equal; A = -sqrt(2)*A/2; B = -B"),
    ]);
    for (a, b, ways) in
        [(between, between_one, 2), (squared, squared_one, 2), (constant, twice, 2), (two, two_twice, 4)]
    {
        let [a, b] = [a, b].map(|t| linnaeus::read(t).analysis.expect("a good text"));
        let found = compare(&a, &b, None);
        let report = linnaeus::report::compare(&a, &b, &found);
        assert_eq!(report.branches.len(), ways);
        let text = linnaeus::report::compare_text(&a, &b, &found);
        for said in [report.to_json(), text] {
            assert!(!["c0", "c1"].iter().any(|c| said.contains(c)), "{said}");
        }
    }
}

/// Where A's parameters were solved for, those of B that they are have them for values.
#[test]
fn parameters_of_the_other_side() {
    let product = "operator V: X -> X symmetric; x[k+1] = V^2*x[k] - t*grad f(x[k])";
    let one = |t: &str| format!("operator W: X -> X symmetric; x[k+1] = W*x[k] - {t}*grad f(x[k])");
    for (a, parameters, conditions) in
        [(one("t"), vec![("t", "t")], vec!["W = V*V"]), (one("s"), vec![("t", "s")], vec!["W = V*V"])]
    {
        let found = related(&a, product, None);
        let told: Vec<_> = found.parameters.iter().map(|(p, v)| (p.as_str(), v.as_str())).collect();
        assert_eq!((told, found.conditions), (parameters, conditions.into_iter().map(String::from).collect()));
    }
}

/// Douglas-Rachford and ADMM have the same oracles, exchanged: other oracles of the same functions are those of the dual.
#[test]
fn equal_steps_are_no_other_oracles() {
    let rachford = "x[k] = prox_{t f}(s[k]); y[k] = prox_{t g}(2*x[k] - s[k]); s[k+1] = s[k] + y[k] - x[k]";
    let admm =
        "x[k+1] = prox_{1/r f}(z[k] - u[k]); z[k+1] = prox_{1/r g}(x[k+1] + u[k]); u[k+1] = u[k] + x[k+1] - z[k+1]";
    let found = related(rachford, admm, Some(Relation::Lft));
    assert!(found.assumptions.iter().any(|a| a.contains("the dual of")), "{found:?}");
    let steps = |s: &str| format!("x[k+1] = prox_{{{s} f}}(x[k])");
    assert_eq!(related(&steps("t"), &steps("s"), Some(Relation::Lft)).verdict, "distinct");
}

/// A square of what is its own adjoint is not the opposite of one; of other operators that is left open.
#[test]
fn squares_are_not_negative() {
    let step = |sign: &str| format!("operator A: X -> Y; x[k+1] = prox_{{t g}}(x[k] {sign} t*A'*A*x[k])");
    let squared =
        |declared: &str, sign: &str| format!("operator W: X -> X {declared}; x[k+1] = x[k] {sign} W^2*grad h(x[k])");
    let more = "operator W: X -> X symmetric; x[k+1] = x[k] - (W^2 + I)*grad h(x[k])";
    check(&[
        (&step("-"), &step("+"), "distinct"),
        (&step("+"), &step("-"), "distinct"),
        (&squared("symmetric", "-"), &squared("symmetric", "+"), "distinct"),
        // A turn by a right angle is a root of the opposite of the identity.
        (&squared("", "-"), &squared("", "+"), "undecided"),
        (&squared("symmetric", "-"), &squared("", "+"), "undecided"),
        // A root that there is.
        (more, &squared("symmetric", "-"), "undecided"),
    ]);
}

/// That every call could be every other one is no reason not to find those of the same names.
#[test]
fn many_functions_that_are_called_alike() {
    let lines: Vec<String> = (1..=20).map(|i| format!("x{i}[k+1] = x{i}[k] - t*grad f{i}(x{i}[k])")).collect();
    let found = related(&lines.join("\n"), &lines.join("\n").replace("t*", "s*"), None);
    assert_eq!((found.verdict, found.relation, found.generality), ("related", Some("oracle"), Some("equal")));
}

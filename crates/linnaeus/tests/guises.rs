//! Calls whose answers follow from those of other calls: who knows prox_{tf}(x) = y knows ∇f(y) = (x − y)/t.

mod support;

use linnaeus::relation::Relation;
use std::collections::HashSet;
use support::random::Random;
use support::{check_both_orders, related, summary};

const LIONS_MERCIER: &str = "p[k] = J_{t F}(v[k]); v[k+1] = v[k] - p[k] + J_{t G}(2*p[k] - v[k])";
const ADI: &str = "y[k] = J_{t G}(x[k] - t*F(x[k])); x[k+1] = J_{t F}(y[k] + t*F(x[k]))";
const MIRROR: &str = "x[k+1] = grad phi*(grad phi(x[k]) - a*grad f(x[k]))";
const LAZY: &str = "s[k+1] = s[k] - a*grad f(x[k]); x[k+1] = grad phi*(s[k+1])";
const STEP_BEHIND: &str = "y[k+1] = prox_{t f}(x[k]); x[k+1] = y[k+1] - t*grad f(y[k+1])";

#[test]
fn claims() {
    check_both_orders(&[
        (STEP_BEHIND, "x[k+1] = R_{t f}(x[k])", "lft equal; t = t", "lft equal; t = t"),
        (STEP_BEHIND, "x[k+1] = prox_{s f}(x[k])", "distinct", "distinct"),
        (
            STEP_BEHIND,
            "x[k+1] = 2 prox_{s f}(x[k]) - c*x[k]",
            "lft instance; c = 1; s = t",
            "lft contains; t = s; c = 1",
        ),
        // The gradient is asked where the prox of the iteration before has answered.
        (
            "x[k+1] = prox_{t f}(x[k] - r*grad f(x[k]))",
            "p[k] = prox_{t f}(v[k]); v[k+1] = p[k] - c*(v[k] - p[k])",
            "lft equal; c = r/t; t = t",
            "lft equal; r = t*c; t = t",
        ),
        (MIRROR, LAZY, "lft equal; a = a", "lft equal; a = a"),
        (ADI, LIONS_MERCIER, "lft equal; shift [0, 1]; t = t", "lft equal; shift [1, 0]; t = t"),
        // Where r = 0 the gradient has no influence any more.
        ("x[k+1] = prox_{t f}(x[k] - r*grad f(x[k]))", "x[k+1] = prox_{t f}(x[k])", "distinct", "distinct"),
        // Black boxes may answer as they like, so that each call is one of its own.
        (
            "x[k+1] = prox_{t f}(x[k] - r*grad f(x[k]))",
            "x[k+1] = D(x[k] - s*E(x[k]))",
            "oracle instance; s = r",
            "oracle contains; r = s",
        ),
        // A subgradient is one of many.
        (
            "y[k+1] = prox_{t f}(x[k]); x[k+1] = y[k+1] - t*subgrad f(y[k+1])",
            "x[k+1] = R_{t f}(x[k])",
            "distinct",
            "distinct",
        ),
        // So is what is sampled.
        (
            "y[k+1] = prox_{t f}(x[k]); x[k+1] = y[k+1] - t*grad f(y[k+1]; w[k])",
            "x[k+1] = R_{t f}(x[k])",
            "distinct",
            "distinct",
        ),
    ]);
}

#[test]
fn numbers_that_change_and_operators() {
    check_both_orders(&[
        (
            "y[k+1] = prox_{a[k] f}(x[k]); x[k+1] = y[k+1] - a[k]*grad f(y[k+1])",
            "x[k+1] = 2 prox_{a[k] f}(x[k]) - x[k]",
            "lft equal; a[k] = a[k]",
            "lft equal; a[k] = a[k]",
        ),
        (
            "y[k+1] = prox_{a[k] f}(x[k]); x[k+1] = y[k+1] - a[k+1]*grad f(y[k+1])",
            "x[k+1] = 2 prox_{a[k] f}(x[k]) - x[k]",
            "distinct",
            "distinct",
        ),
        // The gradient stands in the next iteration, where the step is another one.
        (
            "x[k+1] = prox_{a[k] f}(x[k] - b*grad f(x[k]))",
            "p[k] = prox_{a[k] f}(v[k]); v[k+1] = p[k] - (b/a[k])*(v[k] - p[k])",
            "lft equal; a[k] = a[k]; b = b",
            "lft equal; a[k] = a[k]; b = b",
        ),
        (
            "x[k+1] = prox_{a[k] f}(x[k] - b*grad f(x[k]))",
            "p[k] = prox_{a[k] f}(v[k]); v[k+1] = p[k] - (b/a[k+1])*(v[k] - p[k])",
            "distinct",
            "distinct",
        ),
    ]);
    let operators = "operator A: X -> Y; operator B: X -> Z; y[k+1] = prox_{t f}(x[k] - A'*u[k] - B'*v[k]); ";
    let rest = "v[k+1] = v[k] + B*y[k+1]; x[k+1] = y[k+1]; ";
    let [told, asked] = ["(1/t)*A*(x[k] - A'*u[k] - B'*v[k] - y[k+1])", "A*grad f(y[k+1])"]
        .map(|term| format!("{operators}{rest}u[k+1] = u[k] + {term}"));
    let found = summary(&related(&told, &asked, None));
    assert_eq!(found, "lft equal; A = A; B = B; t = t");
}

#[test]
fn restricted() {
    let only = |relation: Relation| related(ADI, LIONS_MERCIER, Some(relation)).verdict;
    assert_eq!(only(Relation::Lft), "related");
    for relation in [Relation::Oracle, Relation::Shift, Relation::Permutation, Relation::Repetition] {
        assert_eq!(only(relation), "distinct", "{relation:?}");
    }
}

/// What is known is told, and what it is called.
#[test]
fn told() {
    let found = related(ADI, LIONS_MERCIER, None);
    assert_eq!(
        found.known,
        ["what J_{t F} is asked and answers in A tells the answer of F", "u is the answer of F in A"]
    );
    assert_eq!(
        found.channels,
        Some([["J_{t F}", "J_{t G}"], ["J_{t F}", "J_{t G}"]].map(|l| l.map(String::from).to_vec()))
    );
    // F(x[0]) is asked where A begins.
    assert_eq!(found.initialization, ["v[0] = t*u[0] + y[0]"]);
    let found = related("x[k+1] = prox_{t f}(x[k] - t*grad f(x[k]))", "w[k+1] = R_{t f}(w[k])", None);
    assert_eq!(found.initialization, ["w[0] = x[0] - t*u[0]"]);
    let found = related("w[k+1] = R_{t f}(w[k])", "x[k+1] = prox_{t f}(x[k] - t*grad f(x[k]))", None);
    assert_eq!(found.initialization, ["x[0] - t*u[0] = w[0]"]);
    assert!(related(LAZY, LAZY, None).known.is_empty());
}

/// What keeps texts apart is said of them without such calls, and so is what would silence one.
#[test]
fn kept_apart() {
    let forward = "x[k+1] = prox_{t f}(x[k] - r*grad f(x[k]))";
    let check = |second: &str, degenerate: usize| {
        let found = related(forward, second, None);
        assert_eq!((found.verdict, found.known.len()), ("distinct", 2), "{second}");
        let obstruction = found.obstruction.expect("distinct");
        assert_eq!(obstruction.degenerate.len(), degenerate, "{second}");
        let run = obstruction.run.expect("a run");
        // Every state of the first is named once.
        let names: HashSet<_> = run.start.iter().map(|line| line.split(" = ").next()).collect();
        assert_eq!(names.len(), run.start.len());
    };
    check("x[k+1] = prox_{t f}(x[k])", 1);
    check("x[k+1] = prox_{t f}(x[k]) - s*x[k]", 1);
    check("x[k+1] = 3*x[k-1] - prox_{t f}(x[k])", 0);
}

/// x⁺ = a x + b x⁻ + c p + d ∇f(p) with p = prox_{tf}(x) for random numbers, against the same without the gradient, and
/// with another number somewhere.
#[test]
fn random_numbers() {
    let mut random = Random::new(7, "guises", 0);
    let mut number = || format!("({}/{})", random.below(19) as i64 - 9, 1 + random.below(5));
    for _ in 0..40 {
        let [a, b, c, d, t] = [0; 5].map(|_| number());
        let t = format!("({t}^2 + 1)");
        let text = |gradient: &str, more: &str| {
            format!(
                "p[k] = prox_{{{t} f}}(x[k]); x[k+1] = ({a} + {more})*x[k] + {b}*x[k-1] + {c}*p[k] + {d}*{gradient}"
            )
        };
        let written = text("grad f(p[k])", "0");
        let known = format!("(x[k] - p[k])/{t}");
        let d_is_zero = d.starts_with("(0/");
        let found = related(&written, &text(&format!("({known})"), "0"), None);
        assert!(found.verdict == "related" && (d_is_zero || !found.known.is_empty()), "{written}");
        let found = related(&written, &text(&format!("({known})"), "1/7"), None);
        assert_eq!(found.verdict, "distinct", "{written}");
    }
}

//! Texts of which neither lies in the other, for numbers that change with the index: they meet for special sequences
//! of both, or they are shown never to. What else must hold whatever changes or does not commute: constants, names.

mod support;

use support::{check_both_orders as check, related};

fn two_steps(f: &str, g: &str) -> String {
    format!("x[k+1] = x[k] - {f}*grad f(x[k]) - {g}*grad g(x[k])")
}

/// Sequences that are special on both sides are found; that there are none is shown.
#[test]
fn special_sequences_on_both_sides() {
    let one = two_steps("a[k]", "a[k]");
    let ruled = |rule: &str| format!("c[k+1] = {rule}\n{}", two_steps("c[k]", "(2*c[k] + 1)"));
    check(&[
        (
            &one,
            &two_steps("c[k]", "c[k+1]"),
            "oracle overlap; c[k] = a[k]; a[k+1] = a[k]",
            "oracle overlap; a[k] = c[k]; c[k+1] = c[k]",
        ),
        (
            &one,
            &two_steps("c[k]", "2*c[k+1]"),
            "oracle overlap; c[k] = a[k]; a[k+1] = a[k]/2",
            "oracle overlap; a[k] = c[k]; c[k+1] = c[k]/2",
        ),
        (
            &two_steps("a[k]", "a[k]^2"),
            &two_steps("c[k]", "c[k+1]"),
            "oracle overlap; c[k] = a[k]; a[k+1] = a[k]**2",
            "oracle overlap; a[k] = c[k]; c[k+1] = c[k]**2",
        ),
        (
            &two_steps("a[k]", "a[k]^2"),
            &two_steps("c[k]", "c[k]^3"),
            "oracle overlap; c[k] = 1; a[k] = 1",
            "oracle overlap; a[k] = 1; c[k] = 1",
        ),
        // A recursion that stands still where it starts there, and others that do not.
        (&one, &ruled("2*c[k] + 1"), "oracle overlap; c[k] = -1; a[k] = -1", "oracle overlap; a[k] = -1; c[k] = -1"),
        (&one, &ruled("c[k] + 1"), "distinct", "distinct"),
        (&one, &ruled("2*c[k]"), "distinct", "distinct"),
    ]);
}

/// The sequence of FISTA, in four forms, gives no constant momentum and none that is rational in the index.
#[test]
fn fista_and_other_momentum() {
    let momentum =
        |b: &str| format!("x[k+1] = prox_{{s g}}(y[k] - s*grad f(y[k]))\ny[k+1] = x[k+1] + {b}*(x[k+1] - x[k])");
    let forms = [
        format!("t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2\n{}", momentum("(t[k] - 1)/t[k+1]")),
        format!("t[k+1] = 1/2 + sqrt(1/4 + t[k]^2)\n{}", momentum("(t[k] - 1)/t[k+1]")),
        format!("r[k] = sqrt(1 + 4*t[k]^2)\nt[k+1] = (1 + r[k])/2\n{}", momentum("2*(t[k] - 1)/(1 + r[k])")),
        format!("h[k+1] = 2/(1 + sqrt(1 + 4/h[k]^2))\n{}", momentum("h[k+1]*(1/h[k] - 1)")),
    ];
    let others = [
        momentum("b"),
        momentum("(k - 1)/(k + 2)"),
        momentum("k/(k + 3)"),
        format!("u[k+1] = u[k] + 1\n{}", momentum("(u[k] - 1)/u[k+1]")),
    ];
    let claims: Vec<_> = forms.iter().flat_map(|a| others.iter().map(move |b| (a, b))).collect();
    let claims: Vec<_> = claims.iter().map(|(a, b)| (a.as_str(), b.as_str(), "distinct", "distinct")).collect();
    check(&claims);
    for other in &others {
        let why = related(&forms[0], other, None).obstruction.expect("distinct");
        assert!(why.run.is_some(), "{other}: {:?}", why.no_run);
    }
}

/// A constant that is forgotten but for the start need not be zero, whether or not operators commute.
#[test]
fn constants_that_the_start_makes_up_for() {
    let operators = |line: &str| format!("operators V, W: X -> X\n{line}");
    let (moved, plain) =
        (operators("x[k+1] = x[k] - V*W*grad f(x[k] - V*b)"), operators("y[k+1] = y[k] - V*W*grad f(y[k])"));
    for (a, b) in [
        (moved.as_str(), plain.as_str()),
        ("x[k+1] = x[k] - a[k]*grad f(x[k] - b)", "y[k+1] = y[k] - a[k]*grad f(y[k])"),
    ] {
        for (x, y) in [(a, b), (b, a)] {
            let found = related(x, y, None);
            assert_eq!((found.relation, found.generality), (Some("oracle"), Some("equal")), "{x}");
            assert!(found.assumptions.is_empty(), "{x}: {:?}", found.assumptions);
            assert_eq!(found.recheck, Some("passed"), "{x}");
        }
    }
    // What stays is still compared.
    let kept = related(
        &operators("x[k+1] = V*x[k] - W*grad f(x[k]) + V*b"),
        &operators("x[k+1] = V*x[k] - W*grad f(x[k]) + W*c"),
        None,
    );
    assert_eq!(kept.assumptions, ["b = 0 in A", "c = 0 in B"]);
}

/// Where both texts have the same names it is said whether they mean the same.
#[test]
fn the_same_names() {
    let operators = |line: &str| format!("operators V, W: X -> X\n{line}");
    let same = |a: &str, b: &str| [related(a, b, None).same_parameters, related(b, a, None).same_parameters];
    let line = operators("x[k+1] = V*x[k] - t*W*grad f(x[k])");
    assert_eq!(same(&line, &line), [Some(true); 2]);
    assert_eq!(same(&line, &operators("x[k+1] = V*x[k] - 2*t*W*grad f(x[k])")), [Some(false); 2]);
    assert_eq!(same(&line, &operators("x[k+1] = W*x[k] - t*V*grad f(x[k])")), [Some(false); 2]);
    assert_eq!(same(&line, &operators("x[k+1] = V*x[k] - s*W*grad f(x[k])")), [Some(true); 2]);
    assert_eq!(same("x[k+1] = x[k] - t*grad f(x[k])", "x[k+1] = x[k] - s*grad f(x[k])"), [None; 2]);
    let product = operators("x[k+1] = V*x[k] - a*b*W*grad f(x[k])");
    assert_eq!(same(&product, &product), [Some(true); 2]);
    let varying = "x[k+1] = x[k] - a*b*t[k]*grad f(x[k])";
    assert_eq!(same(varying, varying), [Some(true); 2]);
}

/// What differs is told in each text's own names.
#[test]
fn names_of_what_differs() {
    let why = related(&two_steps("a[k]", "a[k]"), &two_steps("c[n]", "2*c[n]").replace("[k", "[n"), None);
    let why = why.obstruction.expect("distinct");
    let told: Vec<(&str, &str)> = why.entries.iter().map(|e| (e.first.as_str(), e.second.as_str())).collect();
    assert!(told.iter().all(|(a, b)| a.contains("a[k") && b.contains("c[n")), "{told:?}");
    let run = why.run.expect("a run");
    assert!(run.first.keys().all(|n| n.starts_with("a[")) && run.second.keys().all(|n| n.starts_with("c[")));
}

//! Coefficients that change with the index: two forms of one method are the same, and one whose
//! coefficient stands at another index is not. Every entry of the corpus lists the others that it is
//! compared with, and the answer.

mod support;

use linnaeus::relation::{Verdict, compare};
use linnaeus::report;
use linnaeus::system::Coefficients;
use linnaeus::transfer::Analysis;
use support::{Entry, corpus, summary};

const VARYING: &str = include_str!("corpus/varying.txt");

fn read(entries: &[Entry], label: &str) -> Analysis {
    let entry = entries.iter().find(|e| e.label == label).unwrap_or_else(|| panic!("no entry `{label}`"));
    let reading = linnaeus::read(&entry.text);
    reading.analysis.unwrap_or_else(|| panic!("{label}: {:?}", reading.diagnostics))
}

#[test]
fn forms_of_one_method() {
    let entries = corpus(VARYING);
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in &entries {
        let a = read(&entries, &entry.label);
        for (other, expected) in &entry.facts {
            let b = read(&entries, other);
            let comparison = compare(&a, &b, None);
            let found = summary(&report::compare(&a, &b, &comparison));
            let text = report::compare_text(&a, &b, &comparison);
            assert!(!text.contains('?'), "{} and {other}:\n{text}", entry.label);
            count += 1;
            if found != *expected {
                wrong.push(format!("{} and {other}:\n  expected {expected}\n  found    {found}", entry.label));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 40, "{count}");
}

/// Which of two texts comes first does not matter.
#[test]
fn both_ways() {
    let entries = corpus(VARYING);
    for entry in &entries {
        let a = read(&entries, &entry.label);
        for (other, _) in &entry.facts {
            let b = read(&entries, other);
            let (forth, back) = (compare(&a, &b, None), compare(&b, &a, None));
            match (&forth.verdict, &back.verdict) {
                (Verdict::Related(x), Verdict::Related(y)) => {
                    assert_eq!(x.relation, y.relation, "{} {other}", entry.label)
                }
                (Verdict::Distinct(_), Verdict::Distinct(_)) => {}
                // Whether a recursion is met where a function is zero may be hard to tell.
                (Verdict::Undecided(_), Verdict::Undecided(_)) => {}
                (x, y) => panic!("{} and {other}: {x:?}, but back {y:?}", entry.label),
            }
        }
    }
}

/// A frozen text has the constant coefficients of its members.
#[test]
fn frozen() {
    let entries = corpus(VARYING);
    let text = |label: &str| entries.iter().find(|e| e.label == label).expect("an entry").text.clone();
    let constant = |text: &str| linnaeus::read(text).analysis.expect("a text");
    let frozen = |label: &str| {
        let reading = linnaeus::read_with(&text(label), Coefficients::Frozen);
        assert!(reading.diagnostics.iter().any(|d| d.message.contains("frozen")), "{label}");
        reading.analysis.expect("a text")
    };
    let check = |label: &str, other: &str, expected: &str| {
        let (a, b) = (frozen(label), constant(other));
        assert_eq!(summary(&report::compare(&a, &b, &compare(&a, &b, None))), expected, "{label}");
    };
    check("gd", "x[k+1] = x[k] - t*grad f(x[k])", "oracle equal; t = alpha");
    let nesterov = "y[k] = x[k] + b*(x[k] - x[k-1])\nx[k+1] = y[k] - t*grad f(y[k])";
    check("nesterov", nesterov, "oracle equal; b = k/(k + 3); t = s");
    let fista = "y[k] = x[k] + b*(x[k] - x[k-1])\nx[k+1] = prox_{t g}(y[k] - t*grad f(y[k]))";
    check("fista", fista, "oracle equal; b = (t - 1)/t; t = s");
    let momentum = "m[k+1] = b*m[k] + grad f(x[k])\nx[k+1] = x[k] - t*m[k+1]";
    check("bias-correction", momentum, "oracle equal; b = beta; t = alpha*(beta - 1)/(beta*(beta**k) - 1)");
}

/// A sequence that follows a recursion is not one that does not, or follows another.
#[test]
fn other_rules() {
    let fista = |rule: &str| {
        format!("y[k] = x[k] + (t[k-1] - 1)/t[k]*(x[k] - x[k-1]); x[k+1] = y[k] - s*grad f(y[k]); t[k+1] = {rule}")
    };
    let rule = "(1 + sqrt(1 + 4*t[k]^2))/2";
    let momentum = |b: &str| format!("y[k] = x[k] + {b}*(x[k] - x[k-1]); x[k+1] = y[k] - s*grad f(y[k])");
    for (second, expected) in [
        ("x[k+1] = x[k] - s*grad f(x[k])", "distinct"),
        ("x[k+1] = x[k] - a*grad f(x[k]) + b*(x[k] - x[k-1])", "distinct"),
        (&momentum("b"), "distinct"),
        (&momentum("k/(k+3)"), "distinct"),
        (&fista("1/2 + sqrt(1/4 + t[k]^2)"), "oracle equal; s = s; t[k] = t[k]"),
    ] {
        let [a, b] = [&fista(rule), second].map(|text| linnaeus::read(text).analysis.expect("a good text"));
        for (a, b) in [(&a, &b), (&b, &a)] {
            assert_eq!(summary(&report::compare(a, b, &compare(a, b, None))), expected, "{second}");
        }
    }
}

/// Sequences that are solved for are counted from where both begin.
#[test]
fn counted_from_the_start() {
    let relaxed = |l: &str| {
        let calls = "x[k+1] = prox_{t f}(z[k]); y[k+1] = prox_{t g}(2*x[k+1] - z[k])";
        format!("{calls}; z[k+1] = z[k] + {l}*(y[k+1] - x[k+1])")
    };
    let [a, b] = ["l[k]", "m[k+1]"].map(|l| linnaeus::read(&relaxed(l)).analysis.expect("a good text"));
    let found = report::compare(&a, &b, &compare(&a, &b, None));
    assert_eq!(summary(&found), "oracle equal; m[k] = l[k-1]; t = t");
    assert_eq!(found.initialization, ["z__B[0] = z_[0]"]);
}

/// Either order tells whether a number has the value of the sequence of its name.
#[test]
fn numbers_and_sequences_of_one_name() {
    let [a, b] = ["alpha", "alpha[k]"].map(|t| linnaeus::read(&format!("x[k+1] = x[k] - {t}*grad f(x[k])")).analysis);
    let (a, b) = (a.expect("a good text"), b.expect("a good text"));
    for (a, b) in [(&a, &b), (&b, &a)] {
        assert_eq!(report::compare(a, b, &compare(a, b, None)).same_parameters, Some(true));
    }
}

/// What begins alike parts later: runs show by what they differ, and so does what is said of the coefficients.
#[test]
fn runs_part_late() {
    let descent = |steps: &str, rule: &str| format!("{rule}x[k+1] = x[k] - {steps}*grad f(x[k])");
    for (first, second) in [
        (descent("b[k]", "b[k+1] = b[k]^2; "), descent("b[k]", "b[k+1] = b[k]/2; ")),
        (descent("b[k]", "b[k+1] = b[k]^2; "), descent("d[k]", "d[k+1] = d[k]/2; ")),
        (descent("c/(k+1)", ""), descent("alpha", "")),
    ] {
        for (first, second) in [(&first, &second), (&second, &first)] {
            let [a, b] = [first, second].map(|text| linnaeus::read(text).analysis.expect("a good text"));
            let found = report::compare(&a, &b, &compare(&a, &b, None)).obstruction.expect("distinct");
            assert_eq!(found.run.expect("a run").iteration, 2, "{first} and {second}");
        }
    }
    let [a, b] = ["b[k]^2", "b[k]/2"]
        .map(|rule| linnaeus::read(&descent("b[k]", &format!("b[k+1] = {rule}; "))).analysis.expect("a good text"));
    let text = report::compare_text(&a, &b, &compare(&a, &b, None));
    assert!(text.contains("with b[k+1] = b[k]² in A and b[k]/2 in B"), "{text}");
}

/// Where sequences of one name make the difference, what holds otherwise is told of calls of the same index.
#[test]
fn otherwise() {
    let fista = |momentum: &str| {
        format!(
            "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k+1] = x[k] + {momentum}*(x[k] - x[k-1]); \
             x[k] = prox_{{s g}}(y[k] - s*grad f(y[k]))"
        )
    };
    let (plain, late) = (fista("(t[k] - 1)/t[k+1]"), fista("(t[k+1] - 1)/t[k+2]"));
    for (first, second, when, law) in [(&plain, &late, "earlier", "t[k-1]"), (&late, &plain, "later", "t[k+1]")] {
        let [a, b] = [first, second].map(|text| linnaeus::read(text).analysis.expect("a good text"));
        let text = report::compare_text(&a, &b, &compare(&a, &b, None));
        let said = format!("if B's numbers are those of A one iteration {when}, they are related (oracle):");
        assert!(text.contains(&said) && text.contains(&format!("B's t[k] = {law}\n")), "{text}");
    }
}

/// What holds otherwise may need an assumption, which is told, and a sequence of B that is another one than its namesake
/// in A is told apart from that.
#[test]
fn otherwise_under_assumptions_and_names_that_two_sequences_have() {
    let [now, late] =
        ["b[k]", "b[k+1]"].map(|number| format!("oracle T; constant c; x[k+1] = b[k]*c + (1 - {number})*T(x[k])"));
    let sum = "z[k+1] = z[k] - e[k]*grad f(x[k]); x[k+1] = (1 - c[k+1])*x[k] + c[k+1]*z[k+1]";
    let momentum = "x[k+1] = x[k] - c[k+1]*e[k]*grad f(x[k]) + (c[k+1]*(1 - c[k+1])/c[k])*(x[k] - x[k-1])";
    let otherwise = |first: &str, second: &str| {
        let [a, b] = [first, second].map(|text| linnaeus::read(text).analysis.expect("a good text"));
        let found = compare(&a, &b, None);
        let text = report::compare_text(&a, &b, &found);
        (report::compare(&a, &b, &found).obstruction.expect("distinct").renamed.expect("related otherwise"), text)
    };
    for (first, second) in [(&now, &late), (&late, &now)] {
        let (found, text) = otherwise(first, second);
        assert_eq!(found.assumptions, ["c = 0 in A", "c = 0 in B"]);
        assert!(text.contains(", assuming c = 0 in A, assuming c = 0 in B\n"), "{text}");
    }
    let (found, _) = otherwise(momentum, sum);
    assert_eq!(found.parameters["c[k]"], "c[k]*e[k-1]/e_B[k-1]");
    assert!(found.assumptions.is_empty());
    let (found, _) = otherwise(sum, momentum);
    assert!(found.conditions.contains(&"c[k] = c_B[k]*e_B[k-1]/e[k-1]".to_string()), "{:?}", found.conditions);
}

//! Square roots, exponentials and powers with the index: what is said of them agrees with what is said of their
//! arguments, or nothing is said.

use linnaeus::relation::compare;
use linnaeus::report;

fn step(coefficient: &str) -> String {
    format!("x[k+1] = x[k] - {coefficient}*grad f(x[k])")
}

fn momentum(coefficient: &str, factor: &str) -> String {
    format!("{} + {factor}*(x[k] - x[k-1])", step(coefficient))
}

/// Verdict, generality, and B's parameters.
fn answer(a: &str, b: &str) -> String {
    let [a, b] = [a, b].map(|text| linnaeus::read(text).analysis.unwrap_or_else(|| panic!("`{text}` is refused")));
    let found = report::compare(&a, &b, &compare(&a, &b, None));
    let generality = found.generality.map(|g| format!(" {g}")).unwrap_or_default();
    let parameters = found.parameters.iter().map(|(name, value)| format!(" {name}={value}"));
    format!("{}{generality}{}", found.verdict, parameters.collect::<String>())
}

#[test]
fn roots_of_numbers() {
    assert_eq!(answer(&step("sqrt(2)"), &step("sqrt(2)")), "related equal");
    assert_eq!(answer(&step("sqrt(2)"), &step("a")), "related instance a=sqrt(2)");
    for (a, b) in [("sqrt(2)", "sqrt(3)"), ("sqrt(2)", "3/2"), ("3/2", "sqrt(2)")] {
        assert!(!answer(&step(a), &step(b)).starts_with("related"), "{a} and {b}");
    }
}

#[test]
fn roots_of_parameters() {
    let free = momentum("a", "b");
    assert!(answer(&free, &momentum("sqrt(g)", "g")).starts_with("related contains"));
    assert_eq!(answer(&momentum("sqrt(g)", "g"), &free), "related instance a=sqrt(g) b=g");
    assert!(!answer(&momentum("sqrt(1+t)", "t"), &momentum("sqrt(2+t)", "t")).starts_with("related"));
    let q = momentum("t", "(1-sqrt(q))/(1+sqrt(q))");
    let found = answer(&momentum("t", "b"), &q);
    assert!(found.starts_with("related contains") && found.contains(" q=(b - 1)**2/(b + 1)**2"), "{found}");
}

#[test]
fn the_square_of_a_root_is_what_it_is_the_root_of() {
    for (a, b) in [
        (step("sqrt(a)^2"), step("a")),
        (step("sqrt(a*b)"), step("sqrt(a)*sqrt(b)")),
        (step("a^(3/2)"), step("a*sqrt(a)")),
        (step("sqrt(2)^2"), step("2")),
        (step("sqrt(8)"), step("2*sqrt(2)")),
        (step("1/(1+sqrt(2))"), step("(sqrt(2)-1)")),
        (momentum("1/L", "(sqrt(L)-sqrt(m))/(sqrt(L)+sqrt(m))"), momentum("1/L", "(1-sqrt(m/L))/(1+sqrt(m/L))")),
    ] {
        for (a, b) in [(&a, &b), (&b, &a)] {
            let found = answer(a, b);
            assert!(found.starts_with("related"), "{a} and {b}: {found}");
            let [a, b] = [a, b].map(|text| linnaeus::read(text).analysis.expect("read before"));
            let report = report::compare(&a, &b, &compare(&a, &b, None));
            let named = !a.system.parameters.is_empty() && !b.system.parameters.is_empty();
            assert_eq!(report.same_parameters, named.then_some(true), "{found}");
        }
    }
}

#[test]
fn roots_are_real_and_not_negative() {
    let conditions = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|text| linnaeus::read(text).analysis.unwrap_or_else(|| panic!("`{text}` is refused")));
        let found = report::compare(&a, &b, &compare(&a, &b, None));
        (found.generality.map(|g| g.to_string()).unwrap_or_default(), found.conditions.join("; "))
    };
    let nesterov = momentum("1/L", "(sqrt(L)-sqrt(m))/(sqrt(L)+sqrt(m))");
    let found = conditions(&momentum("a", "b"), &nesterov);
    assert_eq!(found, ("contains".to_string(), "a != 0; b != -1; a >= 0; 1 - b**2 >= 0".to_string()));
    let found = conditions(&momentum("1/L", "(1-r)/(1+r)"), &nesterov);
    assert_eq!(found.0, "contains");
    assert!(found.1.contains("r >= 0") && found.1.contains("L >= 0"), "{}", found.1);
    assert_eq!(conditions(&nesterov, &momentum("a", "b")), ("instance".to_string(), String::new()));
}

#[test]
fn what_roots_ask_for_can_be_met() {
    let claim = |a: String, b: String| {
        let found = answer(&a, &b);
        found.split(' ').take(2).collect::<Vec<_>>().join(" ")
    };
    for (a, b, expected) in [
        // 1 - r and r - 3 are both not negative for no r.
        (momentum("(sqrt(b)-3)", "(1-sqrt(b))"), momentum("sqrt(c)", "sqrt(a)"), "distinct"),
        // Roots, their sums and their powers of odd degree are not negative, numbers may be.
        (step("a^(3/2)"), step("b"), "related instance"),
        (step("b"), step("a^(3/2)"), "related contains"),
        (step("(sqrt(a)+sqrt(b))"), step("c"), "related instance"),
        (step("c"), step("(sqrt(a)+sqrt(b))"), "related contains"),
        (step("sqrt(a)"), step("b"), "related instance"),
        (step("b"), step("sqrt(2)*sqrt(a)"), "related contains"),
        (step("b"), step("sqrt(2)*a"), "related equal"),
        (step("sqrt(2)"), step("2"), "distinct"),
        (step("sqrt(2)"), step("sqrt(3)"), "distinct"),
        (step("1.4142135623730951"), step("sqrt(2)"), "distinct"),
    ] {
        assert_eq!(claim(a.clone(), b.clone()), expected, "{a} and {b}");
    }
}

/// A sequence that changes its sign is no root, and that the index is small is no condition.
#[test]
fn roots_of_sequences_are_not_negative_at_any_time() {
    let alternating = |rule: &str| format!("t[k+1] = {rule}; {}", step("t[k]"));
    for rule in ["-t[k]/2", "-t[k]", "t[k] - 1"] {
        let found = related(&alternating(rule), &step("sqrt(a[k])"));
        assert!(found.0 != "related" || found.1.iter().any(|c| c == "t[k] >= 0"), "{rule}: {found:?}");
    }
    for a in ["(2-k)", "(k-3)", "(-1/2)^k"] {
        assert_ne!(related(&step(a), &step("sqrt(c[k])")).0, "related", "{a}");
    }
}

/// The verdict and what it asks of A.
fn related(a: &str, b: &str) -> (&'static str, Vec<String>) {
    let [a, b] = [a, b].map(|text| linnaeus::read(text).analysis.unwrap_or_else(|| panic!("`{text}` is refused")));
    let found = report::compare(&a, &b, &compare(&a, &b, None));
    (found.verdict, found.conditions)
}

#[test]
fn exponentials() {
    assert!(answer(&step("exp(c)"), &step("exp(c)")).starts_with("related equal"));
    assert!(!answer(&step("a*exp(-c)"), &momentum("exp(c)", "c")).starts_with("related"));
    assert!(!answer(&momentum("exp(1+c)", "c"), &momentum("exp(c)", "c")).starts_with("related"));
}

#[test]
fn powers_with_the_index() {
    assert!(answer(&step("a*b^k"), &step("c*d^k")).starts_with("related equal"));
    assert_eq!(answer(&step("c"), &step("a*b^k")), "related instance a=c b=1");
    assert_eq!(answer(&step("a*b^k"), &step("c")), "related contains c=a");
    let (forth, back) = (answer(&step("a*b^k"), &step("c/(k+1)")), answer(&step("c/(k+1)"), &step("a*b^k")));
    assert_eq!([forth, back], ["distinct", "distinct"]);
    assert_eq!(answer(&step("c^(2*k)"), &step("b^k")), "related instance b=c**2");
}

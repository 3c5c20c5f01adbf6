//! Texts that are easily misread, and what must be made of them.

use linnaeus::diagnostic::Severity;

/// The first row of H as SymPy reads it, or the codes of the errors.
fn read(text: &str) -> String {
    let reading = linnaeus::read(text);
    match reading.report().transfer {
        Some(Some(h)) => h[0].iter().map(|e| e.clone().unwrap_or_default()).collect::<Vec<_>>().join(", "),
        _ => {
            let errors = reading.diagnostics.iter().filter(|d| d.severity == Severity::Error);
            errors.map(|d| d.code.text()).collect::<Vec<_>>().join(", ")
        }
    }
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(read(text), *expected, "{text}");
    }
}

#[test]
fn operators_that_commute_do_not_commute_with_adjoints() {
    let markov = |text: &str| linnaeus::read(text).report().markov.expect("not commuting")[2][0][0].clone();
    let text = "operators A, B: X -> X commuting; x[k+1] = A'*B*x[k] - B*A'*x[k] - grad f(x[k])";
    assert_ne!(markov(text).as_deref(), Some("0"));
    check(&[("operators A, B: X -> X commuting; x[k+1] = A*B*x[k] - B*A*x[k] - grad f(x[k])", "-1/z")]);
}

#[test]
fn an_operator_of_which_only_the_adjoint_occurs_is_its_adjoint() {
    check(&[
        ("operator W: X -> X; x[k+1] = W'*x[k] - grad f(x[k])", "-(z - adjoint(W))**(-1)"),
        ("operator W: X -> X; x[k+1] = (W^2)'*x[k] - grad f(x[k])", "-(z - adjoint(W)**2)**(-1)"),
        (
            "operator W: X -> X; x[k+1] = inv(I + t*W')*x[k] - W'*grad f(x[k])",
            "-adjoint(W)*(t*adjoint(W) + 1)*((t*adjoint(W) + 1)*z - 1)**(-1)",
        ),
        ("operator W: X -> X symmetric; x[k+1] = W'*x[k] - grad f(x[k])", "-(z - W)**(-1)"),
    ]);
}

#[test]
fn bare_names_of_iterates_are_their_present_values() {
    check(&[
        ("x[k+1] = x - a*grad f(x)", "-a/(z - 1)"),
        ("y[k] = x + b*(x - x[k-1]); x[k+1] = y - a*grad f(y)", "-a*((b + 1)*z - b)/((z - 1)*(z - b))"),
        ("constant x0; x[k+1] = x[k] - a*grad f(x[k]) + x0", "-a/(z - 1)"),
    ]);
}

#[test]
fn oracles_want_parentheses() {
    check(&[
        ("x[k+1] = prox_f x[k] - grad f(x[k])", "oracle-as-vector"),
        ("x[k+1] = x[k] - a*grad_f x[k]", "oracle-as-vector"),
        ("y[k] = P_C x[k]; x[k+1] = P_C(x[k] + y[k])", "oracle-as-vector"),
        ("x[k+1] = P_1*x[k] - grad f(x[k])", "-(z - P_1)**(-1)"),
        ("x[k+1] = grad f^*(x[k])", "1/z"),
    ]);
}

#[test]
fn powers_and_numbers() {
    check(&[
        ("x[k+1] = x[k] - a^2^3*grad f(x[k])", "-a**8/(z - 1)"),
        ("x[k+1] = x[k] - 1.2.3*grad f(x[k])", "unexpected-token"),
        ("x[k+1] = x[k] - sqrt(4)*grad f(x[k])", "-2/(z - 1)"),
    ]);
}

#[test]
fn names_stay_apart() {
    check(&[
        ("x[k+1] = x[k] - (z - z_)*grad f(x[k])", "(z_ - z__)/(z - 1)"),
        ("x[k+1] = x[k] - lambda*in*grad f(x[k])", "-lamda*in_/(z - 1)"),
    ]);
}

#[test]
fn loops_may_end_in_dots() {
    check(&[("for k = 0, 1, 2, ...\nx[k+1] = prox_f(x[k])", "1/z"), ("for k = 0, 1, …\nx[k+1] = prox_f(x[k])", "1/z")]);
}

#[test]
fn a_loop_may_have_its_body_on_its_line() {
    check(&[
        ("while not converged: x[k+1] = prox_f(x[k])", "1/z"),
        ("while norm(x) > eps: x = prox_f(x)", "1/z"),
        ("for k = 1:N: x = prox_f(x)", "1/z"),
    ]);
}

#[test]
fn one_operator_commutes_with_itself() {
    check(&[("x[k+1] = x[k] - (W')'*x[k] - grad f(x[k])", "-(z + W - 1)**(-1)")]);
}

#[test]
fn functions_are_no_factors() {
    check(&[
        ("x[k+1] = x[k] - t*f(x[k]) - grad f(x[k])", "unknown-oracle"),
        ("x[k+1] = x[k] - f*grad f(x[k])", "unknown-oracle"),
        ("param f; x[k+1] = x[k] - f*grad f(x[k])", "-f/(z - 1)"),
        ("g[k] = grad h(x[k]); h[k+1] = g[k]; x[k+1] = x[k] - t*h[k+1]", "-t/(z - 1)"),
    ]);
}

/// What is called, as it is shown.
fn oracles(text: &str) -> Vec<String> {
    linnaeus::read(text).report().channels.expect("a good text").into_iter().map(|c| c.oracle).collect()
}

#[test]
fn an_argmin_without_an_operator_is_a_prox() {
    for (text, expected, guessed) in [
        ("x[k+1] = argmin_{rho f}(x[k])", "prox_{(1/rho) f}", true),
        ("operator W: Y -> Y; x[k+1] = argmin_{rho f}(x[k]); v[k+1] = W*v[k]", "prox_{(1/rho) f}", true),
        // The text names an operator that fits, or several.
        ("x[k+1] = argmin_{rho f}(u[k]); u[k+1] = u[k] + A*x[k+1]", "argmin_{rho f}", false),
        ("operator W: X -> X; x[k+1] = W*argmin_{rho f}(x[k])", "argmin_{rho f}", false),
        ("operators V, W: X -> X; x[k+1] = W*argmin_{rho f}(V*x[k])", "argmin_{rho f}", false),
        // The minimizer lives elsewhere.
        ("iterate x: X; iterate y: Y; x[k+1] = argmin_{rho f}(y[k]); y[k+1] = F(x[k])", "argmin_{rho f}", false),
    ] {
        assert_eq!(oracles(text)[0], expected, "{text}");
        let guesses = linnaeus::report::guesses(&linnaeus::read(text));
        assert_eq!(guesses.iter().any(|g| g.name == "argmin_{… f}"), guessed, "{text}");
    }
}

#[test]
fn a_resolvent_of_an_inverse_is_that_of_a_conjugate() {
    for text in [
        "x[k+1] = J_{s N^{-1}}(x[k])",
        "x[k+1] = J_{s inv(N)}(x[k])",
        "x^{k+1} = J_{s N^{-1}}(x^k)",
        "xₖ₊₁ = J_{s N⁻¹}(xₖ)",
    ] {
        assert_eq!(oracles(text), ["J_{s N^-1}"], "{text}");
        let reading = linnaeus::read(text);
        assert!(reading.analysis.expect("a good text").channels[0].oracle.conjugate, "{text}");
    }
    assert_eq!(oracles("x[k+1] = J_{N^-1/s}(x[k])"), ["J_{(1/s) N^-1}"]);
}

//! `compare --latex`: every proof is well formed, says what it must, and compiles where TeX is at hand.

mod support;

use linnaeus::relation::{Verdict, compare};
use linnaeus::{Reading, read, report};
use std::path::Path;
use std::process::{Command, Stdio};
use support::corpus;

const ZOO: &str = include_str!("corpus/zoo.txt");
const RELATIONS: &str = include_str!("corpus/relations.txt");
const DOUGLAS_RACHFORD: &str = "x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]";
const ADMM: &str = "x[k+1] = prox_{t g}(y[k] - w[k]); y[k+1] = prox_{t f}(x[k+1] + w[k]); \
    w[k+1] = w[k] + x[k+1] - y[k+1]";
const CHAMBOLLE_POCK: &str = "x[k+1] = prox_{tau f}(x[k] - tau*M'*y[k]); \
    y[k+1] = prox_{sigma g*}(y[k] + sigma*M*(2*x[k+1] - x[k]))";

fn proof(a: &str, b: &str) -> String {
    let (a, b): (Reading, Reading) = (read(a), read(b));
    let (Some(x), Some(y)) = (&a.analysis, &b.analysis) else { panic!("refused") };
    report::proof(&a, &b, &compare(x, y, None))
}

#[track_caller]
fn check_form(tex: &str) {
    for (open, shut) in [("{", "}"), ("\\begin{", "\\end{"), ("\\left", "\\right"), ("\\[", "\\]"), ("(", ")")] {
        // Line breaks `\\[1ex]` are no displays.
        let text = tex.replace("\\\\[", "").replace("\\leftarrow", "");
        assert_eq!(text.matches(open).count(), text.matches(shut).count(), "{open} {shut}\n{tex}");
    }
    assert_eq!(tex.matches('$').count() % 2, 0, "{tex}");
    assert!(!tex.contains('?') && !tex.contains("_B}"), "{tex}");
    assert!(!tex.contains("\n\n\n") && tex.is_ascii(), "{tex}");
}

#[track_caller]
fn check(a: &str, b: &str, said: &[&str]) {
    let tex = proof(a, b);
    check_form(&tex);
    for part in said {
        assert!(tex.contains(part), "no {part}\n{tex}");
    }
}

#[test]
fn a_proof_says_what_it_must() {
    check(
        DOUGLAS_RACHFORD,
        ADMM,
        &[
            "\\tilde{y}^{k+1} &= \\operatorname{prox}_{\\tilde{t} f}(\\tilde{x}^{k+1} + \\tilde{w}^{k})",
            "up to a shift in time",
            "\\[ \\tilde{t} = t \\]",
            "\\operatorname{diag}\\bigl(\\frac{1}{z}, 1\\bigr)",
            "\\hat H_A = \\Delta\\, \\hat H_B\\, \\Delta^{-1}",
            "\\tilde{w}^{k} &= w^{k} - x^{k}",
            "the first call of $\\operatorname{prox}_{t f}$ is not made by B",
            "exactly one such change of variables",
        ],
    );
    check(
        DOUGLAS_RACHFORD,
        CHAMBOLLE_POCK,
        &[
            "$M = I$ in algorithm B",
            "Moreau's identity",
            "\\tilde{x}^{k} - t \\tilde{y}^{k} &= w^{k}",
            "\\hat H_B' = (P \\hat H_B + Q)(R \\hat H_B + S)^{-1}",
        ],
    );
    check(
        "x[k+1] = x[k] - t*grad f(x[k])",
        "y[k] = x[k] - t*grad f(x[k]); x[k+1] = y[k] - t*grad f(y[k])",
        &["One iteration of algorithm B is 2 iterations of algorithm A", "\\tilde{x}^{k} &= x^{2k}"],
    );
}

#[test]
fn an_argmin_is_a_prox_where_its_map_is_the_identity() {
    let general = "operator B: Z -> W; x[k+1] = prox_{(1/rho) f}(-B*z[k] - u[k]); \
        z[k+1] = argmin_z g(z) + rho/2*||x[k+1] + B*z + u[k]||^2; u[k+1] = u[k] + x[k+1] + B*z[k+1]";
    let scaled = "x[k+1] = prox_{(1/rho) f}(z[k] - u[k]); z[k+1] = prox_{(1/rho) g}(x[k+1] + u[k]); \
        u[k+1] = u[k] + x[k+1] - z[k+1]";
    let said = ["Let $B = -I$ in algorithm A", "means $-\\rho(y + u) \\in \\partial g(u)$", "\\hat H_A = \\hat H_B'"];
    check(general, scaled, &said);
    let square = "operator W: X -> X; x[k+1] = argmin_x f(x) + rho/2*||W*x - v[k]||^2; v[k+1] = v[k] - W*x[k+1]";
    let said = ["The linear maps $L$ inside minimizations", "L_A &= W", "L_B &= W^{2}"];
    check(square, &square.replace("||W", "||W*W"), &said);
}

#[test]
fn roots_and_reasons() {
    check(
        "x[k+1] = x[k] - alpha*grad f(x[k]) + beta*(x[k] - x[k-1])",
        "v[k+1] = (1 - h*r)*v[k] - h*grad f(q[k]); q[k+1] = q[k] + h*v[k+1]",
        &[
            "h = -\\sqrt{\\alpha}, \\qquad r = ",
            "Putting in the square roots",
            "\\frac{1}{\\sqrt{\\alpha}} x^{k-1}",
            "or\n",
            "With the second choice of parameters, the calls coincide when B is started with",
            "For the second choice of parameters:",
            "v^{k} &= \\frac{1}{\\sqrt{\\alpha}} x^{k} - \\frac{1}{\\sqrt{\\alpha}} x^{k-1}",
        ],
    );
    check(
        "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - t*(A'*u[k] + B'*v[k]); \
         u[k+1] = prox_{s f*}(u[k] + s*A*x[k+1]); v[k+1] = prox_{s g*}(v[k] + s*B*x[k+1])",
        "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - t*(A'*u[k] + B'*v[k]); \
         u[k+1] = prox_{s f*}(u[k] + s*A*x[k+1]); v[k+1] = prox_{s g*}(v[k] + s*B*x[k+1])",
        &["operators that need not commute", "The change of variables is", "\\tilde{u}^{k} &= u^{k}"],
    );
    check(COMBINED, RENAMED, &["started with\n\\begin{align*}\n  x^{0} &= V y^{0}", "x^{k} &= V y^{k}"]);
    check(RENAMED, COMBINED, &["V y^{0} &= x^{0}", "V y^{k} &= x^{k}"]);
}

const COMBINED: &str = "operator V: X -> X; operator W: X -> X; y[k+1] = W*V*y[k] - t*grad f(V*y[k])";
const RENAMED: &str = "operator V: X -> X; operator W: X -> X; x[k+1] = V*W*x[k] - t*V*grad f(x[k])";
const FISTA: &str = "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1]); \
    x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))";
const FISTA_PROX_FIRST: &str = "x[k] = prox_{s g}(y[k] - s*grad f(y[k])); t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; \
    y[k+1] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1])";

#[test]
fn coefficients_that_change() {
    check(FISTA, FISTA_PROX_FIRST, &["The change of variables is", "\\tilde{x}^{0} &= x^{0}", "\\tilde{y}^{k+1} &="]);
    let descent = "x[k+1] = x[k] - alpha[k]*grad f(x[k])";
    check(
        descent,
        &descent.replace("alpha[k]", "alpha[k+1]"),
        &[
            "For a concrete run",
            "arbitrary",
            "it is $-5$, and not $-3$",
            // One sequence has one name; what holds of two is told apart.
            "\\tilde{x}^{k} - \\alpha_{k+1} \\,\\nabla f(\\tilde{x}^{k})",
            "Let the sequence $\\alpha$ be the same in both algorithms.",
            "be it up to a shift in time in which some call keeps its index,",
            "if sequences of one name need not be the same",
            "\\[ \\tilde{\\alpha}_{k} = \\alpha_{k-1} \\]",
        ],
    );
    // Where a sequence starts may be in a condition.
    check(
        "b[k+1] = b[k]/2; x[k+1] = x[k] - b[k]*grad f(x[k])",
        "x[k+1] = x[k] - c*r^k*grad f(x[k])",
        &["c = b_{0}", "$b_{0} \\neq 0$"],
    );
}

#[test]
fn a_refutation_says_what_differs() {
    check(
        "x[k+1] = x[k] - t*grad f(x[k]) + b*(x[k] - x[k-1])",
        "y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - t*grad f(y[k])",
        &["no but degenerate values", "\\hat H_A &= -\\frac{t z}", "from whatever initial state", "$b = 0$"],
    );
    check("x[k+1] = x[k] - t*grad f(x[k])", "x[k+1] = F(x[k]) + G(x[k])", &["A calls $\\nabla f$ once"]);
}

/// The transform variable is not called like an iterate.
#[test]
fn an_iterate_called_z() {
    check(
        &DOUGLAS_RACHFORD.replace("w[", "z["),
        ADMM,
        &["\\sum_k \\mathbf y^k \\zeta^{-k}", "\\zeta  - 1", "z^{k+1} &= z^{k} + y^{k} - x^{k}"],
    );
}

/// Pairs of the zoo, with what they were recorded as.
fn pairs() -> Vec<(String, String)> {
    let zoo = corpus(ZOO);
    let text = |name: &str| zoo.iter().find(|e| e.label == name).expect("in the zoo").text.clone();
    let lines = RELATIONS.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    lines
        .map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
            [a, b, _] => (text(a), text(b)),
            _ => panic!("{line}"),
        })
        .collect()
}

#[test]
fn proofs_of_the_zoo_are_well_formed() {
    for (a, b) in pairs().iter().step_by(2) {
        check_form(&proof(a, b));
    }
}

/// Without errors, and without lines that stick out.
#[test]
fn proofs_compile() {
    if Command::new("pdflatex").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("skipped: no pdflatex");
        return;
    }
    let step = if std::env::var_os("PROOFS").is_some() { 1 } else { 20 };
    let mut bodies: Vec<String> = pairs().iter().step_by(step).map(|(a, b)| proof(a, b)).collect();
    bodies.push(proof(DOUGLAS_RACHFORD, CHAMBOLLE_POCK));
    bodies.push(proof(DOUGLAS_RACHFORD, ADMM));
    bodies.push(proof(FISTA, FISTA_PROX_FIRST));
    bodies.push(proof(COMBINED, RENAMED));
    bodies.push(proof(COMBINED, &RENAMED.replace("V*W*x[k]", "W*V*x[k]")));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("proofs");
    std::fs::create_dir_all(&folder).unwrap();
    let document = format!(
        "\\documentclass{{article}}\n\\usepackage{{amsmath,amssymb}}\n\\begin{{document}}\n{}\n\\end{{document}}\n",
        bodies.join("\n\\bigskip\\hrule\n")
    );
    std::fs::write(folder.join("proofs.tex"), document).unwrap();
    let output = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "proofs.tex"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stdout);
    let about = |l: &&str| l.starts_with('!') || l.starts_with("Overfull") || l.starts_with("l.");
    let remarks: Vec<&str> = log.lines().filter(about).collect();
    assert!(output.status.success() && remarks.is_empty(), "{}", remarks.join("\n"));
}

#[test]
fn what_is_undecided_is_said() {
    let tex = proof("x[k+1] = x[k] - t*grad f(x[k])", "x[k+1] = x[k] - s*grad f(x[k])");
    assert!(tex.contains("Claim") && !tex.contains("not decided"));
    let (a, b) = (read("x[k+1] = prox_f(x[k])"), read("x[k+1] = prox_f(x[k])"));
    let comparison = linnaeus::relation::Comparison {
        verdict: Verdict::Undecided(linnaeus::relation::Limit::Recursions),
        recheck: None,
        folded: None,
        also: Vec::new(),
        united: None,
    };
    let tex = report::proof(&a, &b, &comparison);
    assert!(tex.contains("not decided: whether numbers that follow different recursions"), "{tex}");
}

#[test]
fn constants_are_part_of_the_proof() {
    check(
        "constant b; x[k+1] = prox_{t g}(x[k]/2 + b)",
        "constant b; w[k+1] = 1/2*prox_{t g}(w[k] + b)",
        &["\\hat G_A(z) = 1", "in B just so", "w^{k} &= \\frac{1}{2} x^{k}\n\\end", "terms in the constants included"],
    );
    let least_squares = "operator A: X -> Y; constant b: Y; x[k+1] = prox_{t g}(x[k] - t*A'*(A*x[k] - b))";
    let residual = "operator A: X -> Y; constant b: Y; r[k] = A*x[k] - b; x[k+1] = prox_{s g}(x[k] - s*A'*r[k])";
    check(least_squares, residual, &["\\hat G_A(z) = t A^{*}", "\\tilde{x}^{k} &= x^{k}\n"]);
    let moved = "constant b; x[k+1] = x[k] - t*grad f(x[k] + b)";
    let said = ["\\hat G_B(z) = 0", "made up for by the initial values", "w^{k} &= x^{k} + b"];
    check(moved, "w[k+1] = w[k] - s*grad f(w[k])", &said);
}

#[test]
fn other_oracles_are_spoken_of_in_pairs() {
    let tex = proof("x[k+1] = prox_{a f}(x[k])", "w[k+1] = w[k] - a*subgrad f(w[k+1])");
    check_form(&tex);
    assert!(tex.contains("Pairs of query and answer that are possible in B"), "{tex}");
    assert!(tex.contains("Let $f$ be closed, proper and convex and $a > 0$."), "{tex}");
    assert!(!tex.contains("ask the same queries"), "{tex}");
    let tex = proof(DOUGLAS_RACHFORD, CHAMBOLLE_POCK);
    assert!(tex.contains("$M = I$ in algorithm B") && !tex.contains("make the same oracle calls"), "{tex}");
    assert!(tex.contains("$y = \\operatorname{prox}_{t g}(y) + t\\, \\operatorname{prox}_{g^{*}/t}(y/t)$"), "{tex}");
    let number = "x[k+1] = prox_{2 g}(x[k])";
    let tex = proof(number, "x[k+1] = x[k] - 2*prox_{1/2 g*}(x[k]/2)");
    assert!(tex.contains("here with $t = 2$"), "{tex}");
}

#[test]
fn sequences_are_part_of_the_claim() {
    check(
        "x[k+1] = x[k] - alpha[k]*grad f(x[k]) + beta[k]*(x[k] - x[k-1])",
        "v[k+1] = m[k]*v[k] - s[k]*grad f(w[k]); w[k+1] = w[k] + v[k+1]",
        &["m_{k} = \\beta_{k}, \\qquad s_{k} = \\alpha_{k}"],
    );
}

/// A line that is run holds for no one value of its names, whatever its sign.
#[test]
fn lines_that_run_in_order_are_assignments() {
    check(
        "c = 2; x = prox_{t f}(w); y = prox_{t g}(c*x - w); w = w + y - x",
        DOUGLAS_RACHFORD,
        &["c &= 2 ", "  x &\\leftarrow \\operatorname{prox}", "  w &\\leftarrow w + y - x", "\\tilde{w}^{k+1} &= "],
    );
}

#[test]
fn changed_variables_carry_their_index_inside() {
    check(
        "y[k+1] = y[k] - s*grad f(y[k])",
        "x[k+1] = x[k]*exp(-t*grad f(log x[k]))",
        &["\\log(x^{0}) &= y^{0}", "\\log(x^{k}) &= y^{k}"],
    );
}

/// Where several iterations are taken as one, numbers that change with the index are those of all of them.
#[test]
fn sequences_of_several_iterations() {
    let one = "x[k+1] = x[k] - t[k]*grad f(x[k])";
    let two = "y[k] = x[k] - a[k]*grad f(x[k]); x[k+1] = y[k] - b[k]*grad f(y[k])";
    let said = ["a_{k} = t_{2k}", "b_{k} = t_{2k+1}", "We take 2 iterations of A as one", "For B,"];
    check(one, two, &said);
    check(two, one, &["We take 2 iterations of B as one", "For A,"]);
    let slow = "x[k+1] = x[k] - 1/(k+1)*grad f(x[k])";
    let twice = "y[k] = x[k] - 1/(2*k+1)*grad f(x[k]); x[k+1] = y[k] - 1/(2*k+2)*grad f(y[k])";
    for (a, b) in [(slow, twice), (twice, slow)] {
        check(a, b, &["2 iterations of", "as one"]);
    }
}

/// A sequence of B that has a namesake in A is marked like everything else.
#[test]
fn sequences_have_marks() {
    check(FISTA, FISTA_PROX_FIRST, &["\\tilde{t}_{k} = t_{k}", "\\tilde{t}_{k+1} &= ", "A tilde marks"]);
}

/// Modes that queries show and no answer reaches are part of the change of variables, whosever they are.
#[test]
fn modes_that_no_answer_reaches() {
    let one = "y[k+1] = y[k] - s*grad f(y[k])";
    let two = "x[k+1] = x[k] + q[k] - t*grad f(x[k] + 2*q[k]); q[k+1] = r*q[k]";
    let remark = |own: &str| format!("What vanishes in {own} belongs to modes that queries show and no answer reaches");
    let change = "The change of variables is\n\\begin{align*}\n  ";
    check(
        one,
        two,
        &[&format!("{change}x^{{k}} &= y^{{k}} \\\\\n  q^{{k}} &= 0\n"), &remark("B"), "B is started with"],
    );
    check(
        two,
        one,
        &[&format!("{change}y^{{k}} &= x^{{k}} \\\\\n  q^{{k}} &= 0\n"), &remark("A"), "and A is started with"],
    );
    // Both have the mode.
    let two = two.replace("r*", "1/3*");
    let three = two.replace("x[", "v[").replace("q[", "w[");
    let tex = proof(&two, &three);
    assert!(tex.contains("v^{k} &= x^{k}") && tex.contains("w^{k} &= q^{k}") && !tex.contains("vanishes"), "{tex}");
}

/// Filters relate transforms from states zero, and no single calls.
#[test]
fn filters_are_part_of_the_claim() {
    let one = "function f linear; x[k+1] = prox_{t g}(x[k] - 1/2*grad f(x[k]))";
    let two =
        "function f linear; x[k+1] = prox_{t g}(x[k] - 1/2*w[k]); w[k+1] = alpha*w[k] + grad f(x[k+1] - alpha*x[k])";
    let tex = proof(one, two);
    check_form(&tex);
    assert!(
        tex.contains("The transforms of query and answer of $\\nabla f$ in A are $\\frac{1}{z - \\alpha}$ times those"),
        "{tex}"
    );
    assert!(
        tex.contains("started with all states zero") && !tex.contains("The call of $\\nabla f$ in iteration"),
        "{tex}"
    );
}

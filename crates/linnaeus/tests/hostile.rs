//! Whatever is typed, there is an answer or a complaint, soon and on a small stack.

mod support;

use linnaeus::diagnostic::{Diagnostic, Severity};
use linnaeus::source::Span;
use linnaeus::syntax::notation::Notation;
use linnaeus::system::Coefficients;
use proptest::prelude::*;
use std::time::{Duration, Instant};
use support::corpus;

const FILES: [&str; 3] =
    [include_str!("corpus/golden.txt"), include_str!("corpus/zoo.txt"), include_str!("corpus/mistakes.txt")];

/// What holds of every text: an analysis or an error, errors that help, spans that can be cut out.
fn check(text: &str) {
    let reading = linnaeus::read(text);
    let errors = reading.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    assert_eq!(reading.analysis.is_some(), errors == 0, "{errors} errors and an answer, or neither");
    let is_place = |span: Span| text.get(span.range()).is_some();
    for diagnostic in &reading.diagnostics {
        assert!(is_place(diagnostic.span), "{diagnostic:?}");
        assert!(diagnostic.labels.iter().all(|l| is_place(l.span)), "{diagnostic:?}");
        check_words(diagnostic);
        let longest = diagnostic.render(&reading.source).lines().map(|l| l.chars().count()).max();
        assert!(longest < Some(1000), "{longest:?} characters on a line");
    }
    assert!(reading.algorithm.ignored.iter().all(|i| is_place(i.span)));
    reading.report();
}

fn check_words(diagnostic: &Diagnostic) {
    assert!(!diagnostic.message.is_empty());
    if diagnostic.severity == Severity::Error {
        assert!(diagnostic.help.as_ref().is_some_and(|h| !h.to_string().is_empty()), "{diagnostic:?}");
    }
}

/// Runs on the stack that a thread usually has, whoever starts the test.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Checks the texts and that none takes long.
fn check_all(texts: Vec<String>) {
    on_small_stack(move || {
        for text in texts {
            let start = Instant::now();
            let head: String = text.chars().take(80).collect();
            let shown = std::panic::catch_unwind(|| check(&text));
            assert!(shown.is_ok(), "{head:?}");
            // A tenth of this with a machine to oneself.
            assert!(start.elapsed() < Duration::from_secs(60), "{:?} for {head:?}", start.elapsed());
        }
    });
}

/// `before`, n copies, `after`; `{i}` is the number of the copy and `{j}` the next one.
fn repeated(before: &str, copy: &str, n: usize, after: &str) -> String {
    let copies = (0..n).map(|i| copy.replace("{i}", &i.to_string()).replace("{j}", &(i + 1).to_string()));
    format!("{before}{}{after}", copies.collect::<String>())
}

#[test]
fn fragments() {
    let fragments = [
        "",
        "\n",
        "\r\n",
        "=",
        ";",
        ";;;;",
        "\\",
        "'",
        "^",
        "_",
        "_{",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        ",",
        ":",
        ":=",
        "<-",
        "->",
        "=>",
        "==",
        "<",
        ">",
        ".",
        "..",
        "1.",
        "1..2",
        "1e",
        "1e999999999999999999999",
        "#",
        "//",
        "x",
        "x[",
        "x[]",
        "x[k",
        "x[k]'",
        "grad",
        "grad f",
        "grad f(",
        "grad_",
        "grad_(x)",
        "prox_",
        "prox_{",
        "prox_{}",
        "prox_{,}",
        "prox_{f,}",
        "prox_{*}",
        "prox_{t[k] f}",
        "∇",
        "∂",
        "∇(",
        "env",
        "grad env_{",
        "grad env_",
        "grad env_{}(x)",
        "I",
        "I'",
        "A'",
        "A*",
        "exp",
        "inv()",
        "inv(0)",
        "0/0",
        "0^-1",
        "2^2^2^2^2",
        "2^64^64",
        "10^-64",
        "x[0]",
        "x[k/0]",
        "x[1/2]",
        "x[k+1/0]",
        "F()",
        "F(;)",
        "F(x;)",
        "F(x,)",
        "F(x,y,z)",
        "F(x; 2)",
        "⁻",
        "²",
        "x⁻",
        "x₁",
        "⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹",
        "α_xé(z)",
        "\u{feff}",
        "\u{200b}",
        "\u{202e}x",
        "e\u{301}",
        "𝒙[k]",
        "日本",
        "\0",
        "\u{1b}[31m",
        "argmin_{rho f}(x)",
        "J_{A}(x)",
        "R_{}",
        "P_",
        "P_C",
        "sqrt(-1)",
        "sqrt(0)",
        "log(0)",
        "x_k",
        "x_{k}",
        "x_{1}",
        "x_{k+1",
        "k",
    ];
    let mut texts: Vec<String> = Vec::new();
    for f in fragments {
        texts.push(f.to_string());
        texts.push(format!("x[k+1] = {f}"));
        texts.push(format!("{f} = x[k]"));
        texts.push(format!("x[k+1] = x[k] - {f}*grad f(x[k])"));
        texts.push(format!("x[k+1] = x[k] - grad f({f})"));
        texts.push(format!("x <- x - {f} grad f(x) + {f}"));
        texts.push(format!("operator {f}: {f} -> {f}\noracle {f}\nx[k+1] = {f}(x[k])"));
    }
    check_all(texts);
}

/// Every line is used, listed or complained of, in whatever notation the text is taken for.
#[test]
fn lines_of_nothing() {
    let inside = [
        "", " ", "\t", "\u{a0}", "\u{2009}", "\u{3000}", "\u{200b}", "\u{feff}", "\u{ad}", "-", "\\", "\\,", "$", "$$",
    ];
    let around = [
        ("`", "`"),
        ("1. `", "`"),
        ("- `", "`,"),
        ("``", "``"),
        ("```", "```"),
        ("```\n", "\n```"),
        ("~~~\n", "\n~~~"),
        ("> ", ""),
        (">>> ", ""),
        ("\"", "\""),
        ("\"\"\"", "\"\"\""),
        ("'", "'"),
        ("“", "”"),
        ("$", "$"),
        ("$$", "$$"),
        ("\\[", "\\]"),
        ("(", ")"),
        ("{", "}"),
        ("<p>", "</p>"),
        ("| ", " |"),
        ("# ", ""),
        ("% ", ""),
        ("// ", ""),
        ("/* ", " */"),
        ("<!-- ", " -->"),
        (".. math::\n\n   ", ""),
    ];
    for notation in Notation::ALL {
        for (before, after) in around {
            for text in inside {
                for rest in ["", "\nx = y\n"] {
                    check_lines(&format!("{before}{text}{after}{rest}"), *notation);
                }
            }
        }
    }
}

fn check_lines(text: &str, notation: Notation) {
    let reading = linnaeus::read_as(text, notation, Coefficients::AsWritten);
    let told = reading.algorithm.lines.iter().map(|l| l.span).chain(reading.diagnostics.iter().map(|d| d.span));
    let told: Vec<Span> = told.collect();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let from = start + (line.len() - line.trim_start().len());
        let to = from + body.len();
        let is_told = body.is_empty() || told.iter().any(|s| from < s.end && s.start < to);
        assert!(is_told, "{body:?} of {text:?} as {}", notation.word());
        start += line.len();
    }
}

#[test]
fn depths_and_lengths() {
    let n = 100_000;
    let mut texts = Vec::new();
    for (copy, closing) in
        [("(", ")"), ("[", "]"), ("{", "}"), ("F(", ")"), ("exp(", ")"), ("x[", "]"), ("prox_{", "}")]
    {
        texts.push(repeated("x[k+1] = ", copy, n / copy.len(), "x[k]"));
        texts.push(format!("{}x[k]{}", repeated("x[k+1] = ", copy, n / 10, ""), closing.repeat(n / 10)));
        for deep in [50, 63, 64] {
            texts.push(format!("{}x[k]{}", repeated("x[k+1] = ", copy, deep, ""), closing.repeat(deep)));
        }
    }
    for copy in [
        "-", "+", "'", "^", "*", "/", "_", "∇", "grad ", "log ", ";", "=", "\\", "?", "x", "9", "²", "\n", "#", "é",
        "1+", "1-", "a*", "a/", "2^", "x[k]", "x[k]+", "A'", "A*", "a/b*", "?1", "a b\n",
    ] {
        for copies in [60, 100, 390, 1000, n / copy.len()] {
            texts.push(repeated("x[k+1] = x[k] - ", copy, copies, "1"));
            texts.push(repeated("x[k+1] = A", copy, copies, "*grad f(x[k])"));
        }
    }
    check_all(texts);
}

#[test]
fn parentheses_of_every_shape() {
    let mut texts = Vec::new();
    for (open, close) in [
        ("(1+2*", ")"),
        ("(", "')"),
        ("-(", "^2)"),
        ("(a/", ")"),
        ("x[k]*(", ")"),
        ("2*grad f(x[k]-", ")"),
        ("(I+A*", ")^-1"),
        ("inv(I + ", ")"),
    ] {
        for deep in [10, 40, 62, 64] {
            texts.push(format!("x[k+1] = x[k] - {}x[k]{}", open.repeat(deep), close.repeat(deep)));
            texts.push(format!("x[k+1] = {}A{}*grad f(x[k])", open.repeat(deep), close.repeat(deep)));
        }
    }
    texts.push(format!("x^{{k+1}} = x^k - \\alpha {}x^k", "[".repeat(40_000)));
    check_all(texts);
}

#[test]
fn definitions_of_definitions() {
    let mut texts = Vec::new();
    for copy in [
        "a{i} = a{j}\n",
        "a{i} = a{j} + a{j}\n",
        "a{i} = -(2*(a{j}))\n",
        "a{i} = a{j}*a{j} + b{i}\n",
        "V{i} = V{j}*V{j} + W\n",
        "a{i}[k] = a{j}[k] + a{j}[k-1]\n",
    ] {
        for copies in [10, 190, 5000] {
            texts.push(repeated("", copy, copies, "x[k+1] = x[k] - a0*grad f(x[k])"));
            texts.push(repeated("x <- x - a0*grad f(V0*x)\n", copy, copies, "a190 = 1"));
        }
    }
    texts.push("a = b\nb = a\nx[k+1] = a*x[k] - grad f(x[k])".to_string());
    check_all(texts);
}

#[test]
fn as_large_as_is_read() {
    let mut texts = Vec::new();
    for line in [
        "x{i}[k+1] = prox_f(x{i}[k])\n",
        "x[k+1] = a{i}*x[k] + b{i}*grad f(x[k])\n",
        "y{i}[k] = grad f(y{i}[k-1]) + y{j}[k]\n",
        "x{i} <- A{i}*x{j} + c{i}\n",
        "operator A{i}: X -> Y\n",
        "x{i}[n{i}] = 2\n",
    ] {
        texts.push(repeated("", line, 25, ""));
        texts.push(repeated("", line, 199, "x[k+1] = x[k] - grad f(x[k])"));
        texts.push(repeated("", line, 3000, ""));
    }
    let long = repeated("", "a{i}*b{i}*x[k] + ", 130, "grad f(x[k])");
    texts.push(format!("x[k+1] = {long}"));
    texts.push(repeated(
        "",
        &format!("x{{i}}[k+1] = {}\n", repeated("", "u{i}*V{i}*(x[k]-y{i}) + ", 90, "grad f(x[k])")),
        90,
        "",
    ));
    for term in ["a{n}q{i}*x[k] + ", "A{n}q{i}*x[k] + ", "b{n}q{i} + ", "a*x[k] + ", "a{i}*x[k] + "] {
        let line = repeated("x{n}[k+1] = ", term, 120, "grad f(x[k])\n");
        for lines in [1, 90] {
            texts.push((0..lines).map(|n| line.replace("{n}", &n.to_string())).collect());
        }
    }
    texts.push(repeated("", "u_{i}*w{i} ", 13_000, "= x[k]"));
    check_all(texts);
}

const TOKENS: [&str; 64] = [
    "x",
    "y",
    "z",
    "k",
    "t",
    "alpha",
    "β",
    "A",
    "W",
    "F",
    "f",
    "g",
    "I",
    "1",
    "2",
    "0",
    "0.5",
    "1/2",
    "x[k]",
    "x[k+1]",
    "y[k]",
    "y[k-1]",
    "x[k+1] =",
    "y[k] =",
    "x <-",
    "=",
    "<-",
    ":=",
    "+",
    "-",
    "*",
    "/",
    "^",
    "'",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "\n",
    "\n",
    "_",
    "_{",
    "grad",
    "grad f(",
    "prox_{t f}(",
    "∇",
    "∂",
    "proj_C(",
    "J_{",
    "gard",
    "exp",
    "log",
    "inv(",
    "sqrt(",
    "oracle F\n",
    "operator A: X -> Y\n",
    "param",
    "#",
    "²",
];

fn soup() -> impl Strategy<Value = String> {
    let token = (prop::sample::select(&TOKENS[..]), prop::sample::select(&["", "", " "][..]));
    prop::collection::vec(token, 0..40).prop_map(|tokens| tokens.into_iter().flat_map(|(t, s)| [t, s]).collect())
}

/// A text of the corpora, cut and patched in a few places.
fn mutated() -> impl Strategy<Value = String> {
    let texts: Vec<String> = FILES.iter().flat_map(|f| corpus(f)).map(|e| e.text).filter(|t| t.len() < 2000).collect();
    let patch = (any::<prop::sample::Index>(), 0..4usize, prop::sample::select(&TOKENS[..]), any::<char>(), 0..8u8);
    (prop::sample::select(texts), prop::collection::vec(patch, 1..4)).prop_map(|(text, patches)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, length, token, c, way) in patches {
            let at = at.index(chars.len() + 1);
            let end = (at + length).min(chars.len());
            let patch: Vec<char> = match way {
                0..3 => token.chars().collect(),
                3 => vec![c],
                4 => chars[at..end].repeat(2),
                _ => Vec::new(),
            };
            chars.splice(at..end, patch);
        }
        chars.into_iter().collect()
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn token_soup(text in soup()) {
        check(&text);
    }

    #[test]
    fn mutated_corpora(text in mutated()) {
        check(&text);
    }

    #[test]
    fn any_characters(text in any::<String>()) {
        check(&text);
    }
}

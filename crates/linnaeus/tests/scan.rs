//! A paper of our own: every listing is found, read and named, what is wrong is told, and what is the same is found.

use linnaeus::report::{Findings, Names, Palette, Scan, Typesetter, names, scan, scan_html, scan_text};
use linnaeus::scan::{Listings, Pair, Paper, pairs};
use linnaeus::zoo::Zoo;
use std::fmt::Write;

const NOTES: &str = include_str!("corpus/scan/notes.tex");
const PART: &str = include_str!("corpus/scan/part.tex");
const HOUSE: &str = include_str!("corpus/scan/house.sty");
const EXPECTED: &str = include_str!("corpus/scan/notes.txt");

fn load(name: &str) -> Option<String> {
    match name {
        "sections/part.tex" => Some(PART.to_string()),
        "house.sty" => Some(HOUSE.to_string()),
        _ => None,
    }
}

struct Scanned {
    papers: Vec<(Paper, Listings)>,
    names: Vec<Names>,
    pairs: Vec<Pair>,
}

impl Scanned {
    fn new(text: &str, zoo: Option<&Zoo>) -> Scanned {
        let paper = Paper::new("notes.tex", text, &mut load);
        let listings = paper.listings();
        let names = listings.list.iter().map(|l| zoo.map(|z| names(z, l)).unwrap_or_default()).collect();
        let analyses: Vec<_> = listings.list.iter().map(|l| l.reading.analysis.as_ref()).collect();
        let pair = |&(i, j): &(usize, usize)| pairs::pair((i, analyses[i]?), (j, analyses[j]?));
        let pairs = pairs::candidates(&analyses).iter().filter_map(pair).collect();
        Scanned { papers: vec![(paper, listings)], names, pairs }
    }

    fn findings(&self) -> Findings<'_> {
        Findings { papers: &self.papers, names: &self.names, pairs: &self.pairs }
    }
}

/// The report in short.
fn summary(report: &Scan) -> String {
    let mut out = String::new();
    for l in &report.listings {
        let caption = l.caption.as_deref().unwrap_or("-");
        let _ = writeln!(out, "{}:{} {} ({}) {caption}", l.place.file, l.place.line, l.name, l.environment);
        for line in l.lines.iter().filter(|line| !line.read.is_empty()) {
            let _ = writeln!(out, "  {} {}", line.place.line, line.read.join("; "));
        }
        for row in l.transfer.iter().flatten() {
            let cells: Vec<&str> = row.iter().map(|c| c.as_deref().unwrap_or("?")).collect();
            let _ = writeln!(out, "  H {}", cells.join(", "));
        }
        for n in l.names.iter().take(1) {
            let _ = writeln!(out, "  name {}", n.answer);
        }
        for p in &l.printed {
            let _ = writeln!(out, "  printed {}:{} {}", p.place.file, p.place.line, p.agreement);
        }
        for p in &l.problems {
            let _ = writeln!(out, "  problem {}:{} {}: {}", p.place.file, p.place.line, p.code, p.message);
        }
    }
    let name = |n: &usize| report.listings[n - 1].name.as_str();
    for class in &report.classes {
        let _ = writeln!(out, "class {}", class.members.iter().map(name).collect::<Vec<_>>().join(", "));
        for how in &class.how {
            let _ = writeln!(out, "{}", format!("  {} {}", how.relation, how.details.join(" · ")).trim_end());
        }
    }
    for l in report.links.iter().filter(|l| l.relation != "conditional") {
        let _ = writeln!(out, "link {} {} {} {}", name(&l.first), name(&l.second), l.relation, l.generality);
    }
    for p in &report.passed {
        let _ = writeln!(out, "passed {}:{} {}", p.place.file, p.place.line, p.message);
    }
    out
}

#[test]
fn notes() {
    let zoo = Zoo::embedded();
    let scanned = Scanned::new(NOTES, Some(&zoo));
    let found = summary(&scan(scanned.findings()));
    assert_eq!(found.trim(), EXPECTED.trim(), "\n{found}");
}

#[test]
fn all_outputs_name_every_listing() {
    let scanned = Scanned::new(NOTES, None);
    let report = scan(scanned.findings());
    let text = scan_text(scanned.findings(), Palette::Plain);
    let page = scan_html(scanned.findings(), Typesetter { css: "", js: "/* program */" });
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("JSON");
    assert_eq!(json["schema"], 1);
    for (i, l) in report.listings.iter().enumerate() {
        assert!(text.contains(&format!("{}. {}", i + 1, l.name)), "{}", l.name);
        assert!(page.contains(&format!("id=\"listing-{}\"", i + 1)), "{}", l.name);
        assert_eq!(json["listings"][i]["name"], l.name);
        for p in &l.problems {
            assert!(text.contains(&p.code.to_string()), "{}", p.code);
        }
    }
    assert_complete(&report, &page);
    assert!(!page.contains("http"), "a page needs nothing beside it");
    assert!(report.has_problem());
}

/// A page has all that the report has: of each listing the reading, H, names and problems, then the classes.
fn assert_complete(report: &Scan, page: &str) {
    let has = |part: &str| {
        let escaped = part.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        assert!(page.contains(&escaped), "{part}");
    };
    for l in &report.listings {
        let start = page.find(&format!("id=\"listing-{}\"", l.number)).expect("a section");
        let section = page[start..].split("</section>").next().expect("its end");
        assert_eq!(section.matches("\\hat H(z)").count(), usize::from(l.transfer.is_some()), "{}", l.name);
        assert_eq!(section.matches("class=\"problem\"").count(), l.problems.len(), "{}", l.name);
        has(&l.name);
        l.caption.iter().for_each(|c| has(c));
        for line in &l.lines {
            has(&if line.read.is_empty() { line.text.clone() } else { line.read.join("; ") });
        }
        l.guesses.iter().for_each(|g| has(&g.declaration));
        l.names.iter().for_each(|n| has(&n.id));
        l.problems.iter().flat_map(|p| p.help.iter()).for_each(|help| has(help));
        assert_eq!(section.contains("more cards"), l.more_names > 0, "{}", l.name);
    }
    for class in &report.classes {
        let name = |n: &usize| format!("<a href=\"#listing-{n}\">{}</a>", report.listings[n - 1].name);
        let members = class.members.iter().map(name).collect::<Vec<_>>().join(" = ");
        assert!(page.contains(&members), "{members}");
    }
    report.passed.iter().for_each(|p| has(&p.message));
}

/// A generator that repeats itself.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

const SCRAPS: &[&str] = &[
    "$",
    "$$",
    "{",
    "}",
    "\\begin{algorithm}",
    "\\end{algorithm}",
    "\\end{align*}",
    "\\[",
    "\\]",
    "\\def\\x{\\x}\\x",
    "\\newcommand{\\new}[1]{\\new{#1}}",
    "%",
    "\\iffalse",
    "\\fi",
    "\\begin{verbatim}",
    "\\input{notes}",
    "&",
    "\\\\",
    "\\iff",
    "\\ref{alg:dr}",
    "\\begin{bmatrix}",
    "\\end{bmatrix}",
    "\n\n",
    "\\label{a}",
    "\\caption{",
    "ξ",
    "\u{0}",
    "^{k+1}",
    "=",
    "\\let\\alpha\\beta",
    "\\newenvironment{align*}{\\begin{align*}}{}",
    "\\verb|",
    "[",
    "(",
    ":",
    "#1",
];

/// Whatever is done to the paper, reading it ends, and places are places of the paper.
#[test]
fn mangled_papers() {
    let mut dice = Dice(7);
    for round in 0..60 {
        let mut text: Vec<char> = NOTES.chars().collect();
        for _ in 0..1 + dice.roll(4) {
            let at = dice.roll(text.len());
            let end = (at + dice.roll(40)).min(text.len());
            match dice.roll(4) {
                0 => drop(text.drain(at..end)),
                1 => drop(text.splice(at..at, SCRAPS[dice.roll(SCRAPS.len())].chars())),
                2 => {
                    let piece: Vec<char> = text[at..end].to_vec();
                    let to = dice.roll(text.len());
                    drop(text.splice(to..to, piece));
                }
                _ => text.truncate(text.len() - dice.roll(text.len() / 20)),
            }
        }
        let text: String = text.into_iter().collect();
        let paper = Paper::new("notes.tex", &text, &mut load);
        let listings = paper.listings();
        let lines = text.lines().count().max(PART.lines().count()) + 1;
        for l in &listings.list {
            assert!(l.place.position.line <= lines, "round {round}");
            assert!(
                l.reading.analysis.is_some() || !l.problems.is_empty(),
                "round {round}: unread, and nothing is said"
            );
            assert!(l.problems.iter().all(|p| p.place.position.line <= lines), "round {round}");
        }
    }
}

/// A paper of one display.
fn listings(display: &str) -> Listings {
    let text = format!("\\begin{{document}}\n\\begin{{align*}}\n{display}\n\\end{{align*}}\n\\end{{document}}\n");
    Paper::new("paper.tex", &text, &mut |_| None).listings()
}

#[test]
fn what_a_test_decides_is_a_problem() {
    let cases = r"x^{k+1} &= \begin{cases} x^k - \alpha \nabla f(x^k) & \text{if } \|\nabla f(x^k)\| > 1 \\ x^k & \text{otherwise} \end{cases}";
    let found = listings(cases);
    let codes: Vec<&str> = found.list.iter().flat_map(|l| &l.problems).map(|p| p.code).collect();
    assert_eq!(codes, ["branch"]);
    assert!(found.list[0].reading.analysis.is_none());
    // A function by cases is no algorithm.
    let sign = r"s_i &= \begin{cases} 1 & \text{if } x_i > 0 \\ -1 & \text{otherwise} \end{cases}";
    assert!(listings(sign).list.is_empty());
}

/// A displayed update that is not understood is told, with what is wrong; other formulas are not.
#[test]
fn displays_that_are_not_read_are_told() {
    let codes = |display: &str| -> Vec<&str> {
        listings(display).list.iter().flat_map(|l| &l.problems).map(|p| p.code).collect()
    };
    assert_eq!(codes(r"x_{k+1} &= x_k - [\nabla^2 f(x_k)]^{-1} \nabla f(x_k)"), ["unknown-oracle"]);
    assert_eq!(codes(r"x^{(k+1)} &= x^{(k)} - \alpha(\nabla f(x^{(k)})"), ["unbalanced-parenthesis"]);
    assert_eq!(codes(r"\bar{x}_{k+1} &= \bar{x}_k - \secret \nabla f(\bar{x}_k)"), ["unexpected-token"]);
    assert_eq!(codes(r"x^+ &= \sum_{i=1}^n \operatorname{prox}_{f_i}(x)"), ["unexpected-token"]);
    let passed = |display: &str| -> Vec<&str> { listings(display).passed.iter().map(|p| p.reason).collect() };
    assert_eq!(passed(r"x_{k+1} &= x_k - \alpha\nabal f(x_k)"), ["it is not understood, and names no oracle"]);
    for proof in [
        r"\|x_{k+1} - x^\star\|^2 &= \|x_k - x^\star\|^2 - 2\alpha \secret{\nabla f(x_k)}",
        r"f(x_{k+1}) &= f(x_k) + \secret{\nabla f(x_k)}",
        r"y &= \secret{\nabla f(x)}",
    ] {
        let found = listings(proof);
        assert!(found.list.is_empty() && found.passed.is_empty(), "{proof}");
    }
}

/// A function that is minimized may be defined in a display or in a sentence, before the listing or behind it.
#[test]
fn functions_are_defined_anywhere() {
    let lagrangian = r"L_\rho(x, y) = f(x) + \langle y, Ax - b\rangle + \frac{\rho}{2}\|Ax - b\|^2";
    let steps = r"\begin{algorithm}\caption{Multipliers}\label{alg:mm}\begin{algorithmic}
\State $x^{k+1} = \arg\min_x L_\rho(x, y^k)$
\State $y^{k+1} = y^k + \rho(Ax^{k+1} - b)$
\end{algorithmic}\end{algorithm}";
    let check = |before: &str, behind: &str| {
        let text = format!("\\begin{{document}}\n{before}\n{steps}\n{behind}\n\\end{{document}}\n");
        let scanned = Scanned::new(&text, Some(&Zoo::embedded()));
        let report = scan(scanned.findings());
        let found = report.listings.iter().find(|l| l.name == "alg:mm").expect("the listing");
        assert!(found.problems.is_empty(), "{text}\n{:?}", found.problems);
        assert!(found.names.iter().any(|n| n.answer.contains("ALG-0160")), "{text}\n{:?}", found.names);
        assert!(found.guesses.iter().any(|g| g.name == "L_rho"), "{text}");
    };
    check(&format!("Let ${lagrangian}$ be the augmented Lagrangian."), "");
    check(&format!("\\[ {lagrangian}. \\]"), "");
    check("", &format!("Here \\( {lagrangian} \\) is the augmented Lagrangian, and $\\rho > 0$."));
}

/// An operator of a display may be defined in the sentence that goes on behind it, or leads to it.
#[test]
fn operators_are_defined_beside_a_display() {
    let display = r"\begin{align}
x^{k+2} &= (I+W) x^{k+1} - \tilde W x^k - \alpha(\nabla f(x^{k+1}) - \nabla f(x^k))
\end{align}";
    let check = |before: &str, behind: &str, used: bool| {
        let text = format!("\\begin{{document}}\n{before}\n{display}\n{behind}\n\\end{{document}}\n");
        let found = Paper::new("paper.tex", &text, &mut |_| None).listings();
        let [listing] = &found.list[..] else { panic!("one listing in {text}") };
        let operators = &listing.reading.analysis.as_ref().expect("it is read").system.operators;
        assert_eq!(listing.assumed.iter().any(|a| a.name == "W_tilde"), used, "{text}");
        assert_eq!(operators.len(), if used { 1 } else { 2 }, "{text}");
    };
    check("We iterate", r"with $\tilde W = (I+W)/2$ and $W = W^T$, where $\alpha = 0.1$.", true);
    check(r"Let $\tilde W = \frac{I+W}{2}$. Then", "", true);
    // Another paragraph, another name, or no formula for it.
    check("We iterate", "as said.\n\nWith $\\tilde W = (I+W)/2$ it is another.", false);
    check("We iterate", r"with $\tilde W = V$ and $\tilde W = \tilde W^T$.", false);
}

/// Of operators that do not commute, too.
#[test]
fn printed_transfer_functions_are_compared() {
    let check = |lines: &str, printed: &str, wanted: &str| {
        let text = format!(
            "\\begin{{document}}\n\\begin{{algorithm}}\n\\caption{{One}}\\label{{alg:one}}\n\\begin{{algorithmic}}\n{lines}\n\
             \\end{{algorithmic}}\n\\end{{algorithm}}\nIts transfer function is\n\\[ \\hat H(z) = {printed}. \\]\n\\end{{document}}\n"
        );
        let scanned = Scanned::new(&text, None);
        let report = scan(scanned.findings());
        let found: Vec<&str> = report.listings.iter().flat_map(|l| &l.printed).map(|p| p.agreement).collect();
        assert_eq!(found, [wanted], "{lines}\n{printed}");
    };
    let mixed = r"\State $x^{k+1} = W x^k - \alpha V \nabla f(x^k)$";
    check(mixed, r"-\alpha (zI - W)^{-1} V", "same");
    check(mixed, r"-\alpha V (zI - W)^{-1}", "different");
    check(mixed, r"-\frac{\alpha}{z} (zI - W)^{-1} V", "different");
    let pair = r"\State $x^{k+1} = \prox_{\tau f}(W x^k - \tau V y^k)$
\State $y^{k+1} = \prox_{\sigma g}(y^k + \sigma V^T (2 x^{k+1} - x^k))$";
    check(pair, r"\begin{bmatrix} W/z & -\tau V/z \\ \sigma V^T (2z - 1)/z & 1/z \end{bmatrix}", "same");
    check(pair, r"\begin{bmatrix} W/z & -\tau V \\ \sigma V^T (2z - 1)/z^2 & 1/z \end{bmatrix}", "same-up-to-shift");
    check(pair, r"\begin{bmatrix} W/z & -\tau V/z \\ \sigma V (2z - 1)/z & 1/z \end{bmatrix}", "different");
    let one = r"\State $x^{k+1} = \prox_{\tau f}(x^k - \tau A^T y^k)$
\State $y^{k+1} = \prox_{\sigma g}(y^k + \sigma A (2 x^{k+1} - x^k))$";
    check(one, r"\begin{bmatrix} 1/z & -\tau A^T/z \\ \sigma A (2z - 1)/z & 1/z \end{bmatrix}", "same");
    check(one, r"\begin{bmatrix} 1/z & \tau A^T/z \\ \sigma A (2z - 1)/z & 1/z \end{bmatrix}", "different");
}

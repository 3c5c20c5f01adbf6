//! Reads the corpora and the formulas in them; writes, rewrites and runs texts.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod certify;
pub mod disguise;
pub mod generate;
pub mod pasted;
pub mod print;
pub mod printed;
pub mod random;
pub mod rewrite;
pub mod simulate;

use linnaeus::relation::{Relation, compare};
use linnaeus::report::{self, Compare};
use linnaeus::source::Source;
use linnaeus::syntax::ast::{Expression, Node, Operation};
use linnaeus::syntax::parse;
use linnaeus_algebra::{Matrix, RationalFunction, Variable};

/// One entry of a corpus.
pub struct Entry {
    pub label: String,
    pub text: String,
    pub facts: Vec<(String, String)>,
}

impl Entry {
    /// All values of a key, in order.
    pub fn all(&self, key: &str) -> Vec<&str> {
        self.facts.iter().filter(|(k, _)| k == key).map(|(_, v)| v.as_str()).collect()
    }

    /// The value of a key.
    pub fn one(&self, key: &str) -> Option<&str> {
        self.all(key).first().copied()
    }
}

/// Reads a corpus.
pub fn corpus(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut in_text = false;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("== ") {
            let label = heading.split_once(": ").map_or(heading, |(l, _)| l);
            entries.push(Entry { label: label.to_string(), text: String::new(), facts: Vec::new() });
            in_text = true;
        } else if let Some(entry) = entries.last_mut() {
            if in_text && line == "--" {
                in_text = false;
                entry.text = unfold(entry.text.trim_end_matches('\n'));
            } else if in_text {
                entry.text.push_str(line);
                entry.text.push('\n');
            } else if !line.trim().is_empty() && !line.starts_with('#') {
                let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("no key in {line:?}"));
                entry.facts.push((key.to_string(), unfold(value.strip_prefix(' ').unwrap_or(value))));
            }
        }
    }
    entries
}

/// `«text»×n` → n copies.
fn unfold(text: &str) -> String {
    let Some((before, rest)) = text.split_once('«') else {
        return text.to_string();
    };
    let (inner, rest) = rest.split_once("»×").expect("a count after »");
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let n: usize = rest[..digits].parse().expect("a count");
    let copies: String = (1..=n).map(|i| inner.replace("{i}", &i.to_string()).replace('⏎', "\n")).collect();
    format!("{before}{copies}{}", unfold(&rest[digits..]))
}

/// A formula as a rational function; `variable` says what a name is.
pub fn formula(text: &str, variable: &dyn Fn(&str) -> Variable) -> RationalFunction {
    let (algorithm, diagnostics) = parse(&Source::new(&format!("formula_ = {text}")));
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    value(&algorithm.statements[0].value, variable)
}

fn value(e: &Expression, variable: &dyn Fn(&str) -> Variable) -> RationalFunction {
    let deep = |e: &Expression| value(e, variable);
    match &e.node {
        Node::Number(n) => RationalFunction::rational(n),
        Node::Name(n) => RationalFunction::variable(variable(n)),
        Node::Minus(a) => deep(a).neg(),
        Node::Adjoint(a) => deep(a),
        Node::Power(a, b) => {
            let n = deep(b).as_rational().expect("a number");
            deep(a).pow(i32::try_from(n.numerator().clone()).expect("small")).unwrap().expect("not zero")
        }
        Node::Binary(op, a, b) => {
            let (a, b) = (deep(a), deep(b));
            match op {
                Operation::Add => a.add(&b),
                Operation::Subtract => a.sub(&b),
                Operation::Multiply => a.mul(&b),
                Operation::Divide => a.div(&b).map(|q| q.expect("not zero")),
            }
            .unwrap()
        }
        Node::Apply(name, span, a, _) => {
            let head = Expression::new(*span, Node::Name(name.clone()));
            deep(&head).mul(&deep(a)).unwrap()
        }
        other => panic!("no formula: {other:?}"),
    }
}

/// Every way to send the first list's places to equal elements of the second.
pub fn matchings(from: &[String], to: &[String]) -> Vec<Vec<usize>> {
    fn go(from: &[String], to: &[String], used: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
        if used.len() == from.len() {
            return out.push(used.clone());
        }
        for j in 0..to.len() {
            if to[j] == from[used.len()] && !used.contains(&j) {
                used.push(j);
                go(from, to, used, out);
                used.pop();
            }
        }
    }
    let mut out = Vec::new();
    if from.len() == to.len() {
        go(from, to, &mut Vec::new(), &mut out);
    }
    out
}

/// The m with H₁ = Δ_m H₂ Δ_m⁻¹, Δ_m = diag(z^(-m_i)), if there is one.
pub fn shift_between(h1: &Matrix<RationalFunction>, h2: &Matrix<RationalFunction>, z: Variable) -> Option<Vec<i64>> {
    let p = h1.rows();
    let mut m: Vec<Option<i64>> = vec![None; p];
    // ratio[i][j] = m_j − m_i
    let ratio = |i: usize, j: usize| -> Option<Option<i64>> {
        let (a, b) = (&h1[(i, j)], &h2[(i, j)]);
        match (a.is_zero(), b.is_zero()) {
            (true, true) => return Some(None),
            (false, false) => {}
            _ => return None,
        }
        let q = a.div(b).unwrap()?;
        let degree = |p: &linnaeus_algebra::Polynomial| i64::from(p.degree_in(z));
        let n = degree(q.numerator()) - degree(q.denominator());
        let power = RationalFunction::variable(z).pow(i32::try_from(n).ok()?).unwrap()?;
        (q == power).then_some(Some(n))
    };
    for start in 0..p {
        if m[start].is_some() {
            continue;
        }
        m[start] = Some(0);
        let mut stack = vec![start];
        while let Some(i) = stack.pop() {
            for j in 0..p {
                for (r, sign) in [(ratio(i, j)?, 1), (ratio(j, i)?, -1)] {
                    let Some(r) = r else { continue };
                    let want = m[i]? + sign * r;
                    match m[j] {
                        None => {
                            m[j] = Some(want);
                            stack.push(j);
                        }
                        Some(have) if have != want => return None,
                        Some(_) => {}
                    }
                }
            }
        }
    }
    m.into_iter().collect()
}

/// The answer of a comparison in one line.
pub fn summary(r: &Compare) -> String {
    let Some(relation) = r.relation else {
        return r.verdict.to_string();
    };
    assert_eq!(r.recheck, Some("passed"), "{r:?}");
    let mut parts = vec![format!("{relation} {}", r.generality.unwrap_or("?"))];
    parts.extend(r.repeat.as_ref().map(|repeat| format!("{} x {}", repeat.count, repeat.side)));
    if r.shift.iter().any(|m| *m != 0) {
        parts.push(format!("shift {:?}", r.shift));
    }
    if r.filters.iter().any(|c| c != "1") {
        parts.push(format!("filters {}", r.filters.join(", ")));
    }
    parts.extend(r.parameters.iter().map(|(p, v)| format!("{p} = {v}")));
    parts.extend(r.conditions.iter().cloned());
    parts.extend(r.assumptions.iter().cloned());
    parts.join("; ")
}

/// How two texts are related, or related so.
pub fn related(a: &str, b: &str, only: Option<Relation>) -> Compare {
    let [a, b] = [a, b].map(|text| linnaeus::read(text).analysis.unwrap_or_else(|| panic!("`{text}` is refused")));
    report::compare(&a, &b, &compare(&a, &b, only))
}

/// The first, the second, the answer, and the answer the other way round.
pub fn check_both_orders(claims: &[(&str, &str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (a, b, forth, back) in claims {
        for (x, y, expected) in [(a, b, forth), (b, a, back)] {
            let found = summary(&related(x, y, None));
            if found != **expected {
                wrong.push(format!("{x}\n  and {y}:\n  expected {expected}\n  found    {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

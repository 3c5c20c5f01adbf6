//! `compare` as LaTeX: a statement and its proof, ready to paste. The only packages are amsmath and
//! amssymb; there are no theorem environments.

use super::entry::EntryPrinter;
use super::expression::{Script, TILDE, name};
use super::lines::Lines;
use super::show::oracle_name;
use super::speaker::{Speaker, letter, space_of};
use super::typeset::{aligned, bmatrix, listed, matrix, terms, together};
use crate::relation::behavior::Side;
use crate::relation::graph::Special;
use crate::relation::state_map::{Combination, StateMap, skipped, state_map};
use crate::relation::{
    Assumption, Compared, Comparison, Conjugate, Exchange, Generality, Identity, Invariant, Nearest, Obstruction,
    Recheck, Refutation, Relation, Sign, Verdict, Witness, identity, is_coefficient,
};
use crate::syntax::ast::OracleKind;
use crate::system::{Constant, Oracle, Signal};
use crate::transfer::{Analysis, Transfer};
use crate::{FUEL, Reading};
use linnaeus_algebra::{Exhausted, Matrix, Rational, RationalFunction, with_fuel};
use std::fmt::Write;

/// Statement and proof of a comparison; nothing if a text was not read.
pub fn proof(first: &Reading, second: &Reading, comparison: &Comparison) -> String {
    let (Some(a), Some(b)) = (&first.analysis, &second.analysis) else {
        return String::new();
    };
    let marked = marked(a, b);
    let mut out = String::new();
    let recheck = match comparison.recheck {
        Some(Recheck::Passed) => "; re-checked by exact simulation",
        _ => "",
    };
    let _ = writeln!(out, "% Needs the packages amsmath and amssymb. Made by Linnaeus{recheck}.");
    let clash = |name: &str| is_taken(a, name);
    out.push_str(&algorithm("A", first, &|_| false));
    out.push_str(&algorithm("B", second, &clash));
    if marked.1 {
        out.push_str("A tilde marks what belongs to B and has a namesake in A.\n");
    }
    let writer = Writer {
        start: Speaker::new(a, &marked.0, Script::Latex),
        each: Speaker { index: Some("k"), ..Speaker::new(a, &marked.0, Script::Latex) },
    };
    out.push_str(&match &comparison.verdict {
        Verdict::Related(witness) => writer.related(witness),
        Verdict::Distinct(found) => writer.distinct(found),
        Verdict::Undecided(_) => {
            "\n\\paragraph{Remark.} Whether A and B are related was not decided: a limit was reached.\n".to_string()
        }
    });
    out
}

fn is_taken(a: &Analysis, name: &str) -> bool {
    let system = &a.system;
    system.parameters.iter().any(|p| p == name)
        || system.operators.iter().any(|o| o.name == name)
        || system.signals.iter().any(|s| s.name == name)
}

/// The second with a mark on every name that the first has too, and whether there are any.
fn marked(first: &Analysis, second: &Analysis) -> (Analysis, bool) {
    let mut b = second.clone();
    let mut any = false;
    let mut mark = |name: &mut String| {
        if is_taken(first, name) {
            name.insert(0, TILDE);
            any = true;
        }
    };
    b.system.parameters.iter_mut().for_each(&mut mark);
    b.system.operators.iter_mut().for_each(|o| mark(&mut o.name));
    b.system.signals.iter_mut().for_each(|s: &mut Signal| mark(&mut s.name));
    b.system.constants.iter_mut().for_each(|c: &mut Constant| {
        if is_taken(first, &c.name) {
            mark(&mut c.name);
        }
    });
    (b, any)
}

fn algorithm(which: &str, reading: &Reading, is_marked: &dyn Fn(&str) -> bool) -> String {
    let (tree, _) = crate::syntax::parse(&reading.source);
    let mut out = format!("\n\\paragraph{{Algorithm {which}.}}\n{}", aligned(&Lines { is_marked }.algorithm(&tree)));
    let changes = reading.analysis.iter().flat_map(|a| &a.system.changes);
    let changes: Vec<String> =
        changes.map(|c| format!("$\\text{{{}}}$ in place of $\\text{{{}}}$", c.new, c.signal)).collect();
    if !changes.is_empty() {
        let _ = writeln!(out, "The equations are linear in {}.", listed(&changes));
    }
    out
}

/// Writes claims and proofs.
struct Writer<'a> {
    /// States as they start.
    start: Speaker<'a>,
    /// States in iteration k.
    each: Speaker<'a>,
}

/// The claim.
impl Writer<'_> {
    fn related(&self, witness: &Witness) -> String {
        let branch = witness.branches.first();
        let identity = branch.and_then(|branch| {
            let work = || identity(self.start.first, self.start.second, witness, branch);
            with_fuel(FUEL, work).ok().flatten()
        });
        let map = with_fuel(FUEL, || state_map(self.start.first, self.start.second, witness));
        let mut out = String::from("\n\\paragraph{Claim.}\n");
        out.push_str(&self.assumptions(witness));
        let _ = writeln!(out, "{}", self.how(witness));
        out.push_str(&self.parameters(witness));
        let _ = writeln!(out, "{}", self.calls(witness));
        let _ = writeln!(out, "{}", self.generality(witness));
        if let Ok(map) = &map {
            out.push_str(&self.telling(witness, map).initialization(map));
        }
        out.push_str(&self.skipped(witness));
        out.push_str("\n\\paragraph{Proof.}\n");
        match &identity {
            Some(identity) => out.push_str(&self.by_transfer(witness, identity)),
            None => out.push_str(&self.by_markov(witness)),
        }
        match &map {
            Ok(map) => out.push_str(&self.telling(witness, map).change_of_variables(map)),
            Err(why) => drop(writeln!(out, "No change of variables is given: {}.", why.reason())),
        }
        out.push_str(&self.remarks(witness, map.is_ok()));
        out.push_str("\\hfill$\\square$\n");
        out
    }

    /// The writer that knows the root in a state map and which algorithm is repeated.
    fn telling(&self, witness: &Witness, map: &StateMap) -> Writer<'_> {
        let with = |index| Speaker {
            repeat: witness.repeat,
            root: map.root.clone(),
            index,
            ..Speaker::new(self.start.first, self.start.second, Script::Latex)
        };
        Writer { start: with(None), each: with(self.each.index) }
    }

    fn assumptions(&self, witness: &Witness) -> String {
        let list: Vec<String> = witness.assumptions.iter().map(|a| self.assumption(a)).collect();
        if list.is_empty() { String::new() } else { format!("Let {}.\n", listed(&list)) }
    }

    fn assumption(&self, a: &Assumption) -> String {
        let function = |f: &str| name(Script::Latex, f);
        match a {
            Assumption::Function(side, f, Special::Zero) => format!("${} = 0$ in {}", function(f), letter(*side)),
            Assumption::Function(side, f, Special::IndicatorOfZero) => {
                format!("${}$ be the indicator function of $\\{{0\\}}$ in {}", function(f), letter(*side))
            }
            Assumption::ZeroConstant(side, c) => format!("${} = 0$ in {}", function(c), letter(*side)),
            Assumption::Identity(side, i) => {
                let system = if *side == Side::First { &self.start.first.system } else { &self.start.second.system };
                format!("${} = I$ in {}", name(Script::Latex, &system.operators[*i].name), letter(*side))
            }
            Assumption::Positive(c) => format!("${} > 0$", self.start.rational(c)),
            Assumption::Dual(pairs) => {
                let pair = |c: &Conjugate| {
                    let (f, g) = (function(&c.first), function(&c.second));
                    let reflected = match c.sign {
                        Sign::Plus => String::new(),
                        Sign::Minus => format!(" with reflected argument, ${g}^{{*}}(-\\,\\cdot\\,)$"),
                    };
                    format!("${f}$ in A be the conjugate of ${g}$ in B{reflected}")
                };
                listed(&pairs.iter().map(pair).collect::<Vec<_>>())
            }
        }
    }

    fn how(&self, witness: &Witness) -> String {
        let is_dual = witness.assumptions.iter().any(|a| matches!(a, Assumption::Dual(_)));
        match (witness.repeat, witness.relation) {
            (Some((Side::First, n)), _) => {
                format!(
                    "One iteration of algorithm B is {n} iterations of algorithm A, here called inner and counted as one."
                )
            }
            (Some((Side::Second, n)), _) => {
                format!(
                    "One iteration of algorithm A is {n} iterations of algorithm B, here called inner and counted as one."
                )
            }
            _ if is_dual => "Algorithms A and B are dual to each other.".to_string(),
            (_, Relation::Oracle | Relation::Conditional) => {
                "Algorithms A and B make the same oracle calls.".to_string()
            }
            (_, Relation::Shift) => "Algorithms A and B make the same oracle calls up to a shift in time.".to_string(),
            (_, Relation::Permutation) => {
                "Algorithms A and B make the same oracle calls when their oracles are exchanged.".to_string()
            }
            (_, Relation::Lft) => {
                "Algorithms A and B are the same algorithm in different oracles of the same functions.".to_string()
            }
            (_, Relation::LinearOracle) => {
                "Algorithms A and B are the same up to filters that commute with the linear oracles.".to_string()
            }
            (_, _) => {
                "Algorithms A and B are the same up to scalings that commute with the homogeneous oracles.".to_string()
            }
        }
    }

    /// B's parameters, every way.
    fn parameters(&self, witness: &Witness) -> String {
        let ways: Vec<_> = witness.branches.iter().map(|b| self.start.branch(&witness.operators, b)).collect();
        // Operators that are the identity were named among the assumptions.
        let identities: Vec<&String> = witness
            .assumptions
            .iter()
            .filter_map(|a| match a {
                Assumption::Identity(Side::Second, i) => Some(&self.start.second.system.operators[*i].name),
                _ => None,
            })
            .collect();
        let mut out = String::new();
        for (n, way) in ways.iter().enumerate() {
            let equation = |(p, v): (&String, &String)| (format!("{} &= ", name(Script::Latex, p)), terms(v));
            let is_identity = |p: &String| identities.contains(&p);
            let equations: Vec<(String, Vec<String>)> =
                way.parameters.iter().filter(|(p, _)| !is_identity(p)).map(equation).collect();
            let lead = match (ways.len(), n) {
                (1, _) => "The parameters of B are",
                (_, 0) => "The parameters of B are either",
                _ => "or",
            };
            let mut rest = Vec::new();
            let free: Vec<String> = way.free.iter().map(|v| format!("${}$", name(Script::Latex, v))).collect();
            if !free.is_empty() {
                rest.push(format!("with arbitrary {}", listed(&free)));
            }
            let conditions: Vec<String> = way.conditions.iter().map(|c| format!("${c}$")).collect();
            if !conditions.is_empty() {
                rest.push(format!("where {}", listed(&conditions)));
            }
            let end = if n + 1 == ways.len() { "." } else { "," };
            match (equations.is_empty(), rest.is_empty()) {
                (true, true) => {}
                (true, false) => drop(writeln!(out, "This holds {}{end}", rest.join(" "))),
                (false, true) => {
                    let _ = write!(out, "{lead}\n{}", together(&equations));
                }
                (false, false) => {
                    let _ = writeln!(out, "{lead}\n{}{}{end}", together(&equations), rest.join(" "));
                }
            }
        }
        if witness.same_parameters == Some(true) && !ways.is_empty() {
            out.push_str("In particular it holds with the same values for the parameters of the same names.\n");
        }
        out
    }

    /// Which call is which.
    fn calls(&self, witness: &Witness) -> String {
        let one = |(n, &(i, j)): (usize, &(usize, usize))| {
            let m = witness.shift[n];
            let when = if m == 0 { "k".to_string() } else { format!("k-{m}") };
            let (a, b) = (self.oracle(witness, Side::First, i), self.oracle(witness, Side::Second, j));
            format!("the call of {a} in iteration $k$ of A is the call of {b} in iteration ${when}$ of B")
        };
        let mut text = listed(&witness.channel_map.iter().enumerate().map(one).collect::<Vec<_>>());
        if let Some(first) = text.get(..1) {
            text = format!("{}{}", first.to_uppercase(), &text[1..]);
        }
        format!("{text}.")
    }

    /// An oracle in a sentence; those of a repeated algorithm with their inner iteration.
    fn oracle(&self, witness: &Witness, side: Side, channel: usize) -> String {
        let analysis = if side == Side::First { self.start.first } else { self.start.second };
        let p = analysis.channels.len();
        let own = &analysis.channels[channel % p];
        let mut text = format!("${}$", oracle_name(&own.oracle, &analysis.system, Script::Latex));
        if own.copy > 0 {
            let _ = write!(text, " ({})", ordinal(own.copy));
        }
        if witness.repeat.is_some_and(|(s, _)| s == side) {
            let _ = write!(text, " of inner iteration {}", channel / p + 1);
        }
        text
    }

    fn generality(&self, witness: &Witness) -> &'static str {
        match witness.generality {
            Generality::Equal => "Either algorithm is as general as the other.",
            Generality::Instance => "Algorithm A is a special case of algorithm B.",
            Generality::Contains => "Algorithm B is a special case of algorithm A.",
            Generality::Overlap => "Neither contains the other: they meet for these parameters.",
        }
    }

    fn initialization(&self, map: &StateMap) -> String {
        let lines = self.start.initialization(map);
        if lines.is_empty() {
            return String::new();
        }
        let equation = |line: &String| {
            let (left, right) = line.split_once(" = ").unwrap_or((line, "0"));
            (format!("{left} &= "), terms(right))
        };
        let answers = self.early_answers(map, &self.start);
        format!(
            "The calls coincide when B is started with\n{}{answers}",
            aligned(&lines.iter().map(equation).collect::<Vec<_>>())
        )
    }

    /// Says what the answers are that the start mentions.
    fn early_answers(&self, map: &StateMap, speaker: &Speaker) -> String {
        let lines = speaker.initialization(map);
        let mut found = Vec::new();
        for (analysis, side) in [(speaker.first, Side::First), (speaker.second, Side::Second)] {
            for i in 0..analysis.channels.len() {
                let answer = speaker.answer(side, i);
                if lines.iter().any(|l| l.contains(&format!("{answer}^"))) {
                    let index = if speaker.index.is_some() { "k" } else { "l" };
                    found.push(format!(
                        "${answer}^{{{index}}}$ is the answer of {} in iteration ${index}$ of {}",
                        self.label(side, i),
                        letter(side)
                    ));
                }
            }
        }
        if found.is_empty() { String::new() } else { format!("where {}.\n", listed(&found)) }
    }

    fn skipped(&self, witness: &Witness) -> String {
        let list: Vec<String> = skipped(witness)
            .iter()
            .map(|(i, n)| match n {
                1 => format!("the first call of {}", self.oracle(witness, Side::First, *i)),
                n => format!("the first {n} calls of {}", self.oracle(witness, Side::First, *i)),
            })
            .collect();
        if list.is_empty() {
            return String::new();
        }
        let verb = if list.len() == 1 { "is" } else { "are" };
        format!("Of the calls of A, {} {verb} not made by B.\n", listed(&list))
    }
}

/// The proof.
impl Writer<'_> {
    fn table(&self, m: &Matrix<RationalFunction>, witness: &Witness) -> Vec<Vec<String>> {
        let p = self.start.first.channels.len();
        let entry = |i: usize, j: usize| self.start.entry(&m[(i, j)], witness.channel_map[j].0 % p);
        (0..m.rows()).map(|i| (0..m.cols()).map(|j| entry(i, j)).collect()).collect()
    }

    /// A matrix whose transform variable is not taken for an iterate.
    fn transfer_matrix(&self, name: &str, mut rows: Vec<Vec<String>>) -> String {
        rows.iter_mut().flatten().for_each(|e| *e = self.transformed(e));
        matrix(&self.transformed(name), &rows)
    }

    /// Where a text has an iterate or a parameter z, the transform variable is called ζ.
    fn transformed(&self, tex: &str) -> String {
        let has_z = |a: &Analysis| is_taken(a, "z") || is_taken(a, &format!("{TILDE}z"));
        if !has_z(self.start.first) && !has_z(self.start.second) {
            return tex.to_string();
        }
        let chars: Vec<char> = tex.chars().collect();
        let is_letter =
            |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(|c| c.is_ascii_alphabetic() || *c == '\\');
        let mut out = String::new();
        for (i, &c) in chars.iter().enumerate() {
            if c == 'z' && !is_letter(i.checked_sub(1)) && !is_letter(Some(i + 1)) {
                out.push_str("\\zeta ");
            } else {
                out.push(c);
            }
        }
        out
    }

    /// B's transfer matrix as its own text gives it.
    fn own_transfer(&self) -> Option<Vec<Vec<String>>> {
        let analysis = self.start.second;
        let Transfer::Commuting { h, .. } = &analysis.transfer else {
            return None;
        };
        let printer = EntryPrinter { system: &analysis.system, script: Script::Latex };
        let space = |j: usize| analysis.system.calls[analysis.channels[j].call].output;
        let p = analysis.channels.len();
        Some((0..p).map(|i| (0..p).map(|j| printer.commuting(&h[(i, j)], space(j))).collect()).collect())
    }

    fn by_transfer(&self, witness: &Witness, identity: &Identity) -> String {
        let mut out = String::from(
            "In either algorithm the list $\\mathbf y$ of all queries depends linearly on the list $\\mathbf u$ of all answers. \
             In terms of transforms ",
        );
        let _ = writeln!(
            out,
            "$\\hat{{\\mathbf y}}({0}) = \\sum_k \\mathbf y^k {0}^{{-k}}$, from initial states zero, $\\hat{{\\mathbf y}} = \\hat H \\hat{{\\mathbf u}}$.",
            self.transformed("z").trim()
        );
        let names = |side: Side| {
            let list = witness.channel_map.iter().map(|&(i, j)| {
                let channel = if side == Side::First { i } else { j };
                self.oracle(witness, side, channel)
            });
            listed(&list.collect::<Vec<_>>())
        };
        if let Some((side, n)) = witness.repeat {
            let _ = writeln!(out, "We take {n} iterations of {} as one.", letter(side));
        }
        for a in &witness.assumptions {
            if let Assumption::Function(side, f, _) = a {
                let f = name(Script::Latex, f);
                let _ = writeln!(
                    out,
                    "With what is assumed of ${f}$, its oracle in {} multiplies by a number and is eliminated.",
                    letter(*side)
                );
            }
        }
        let single = witness.channel_map.len() == 1;
        if !single {
            let _ = writeln!(out, "Rows and columns are in the order {}.", names(Side::First));
        }
        out.push_str("Eliminating the iterates of A gives\n");
        out.push_str(&self.transfer_matrix("\\hat H_A(z)", self.table(&identity.first, witness)));
        let plain =
            witness.repeat.is_none() && witness.assumptions.iter().all(|a| !matches!(a, Assumption::Function(..)));
        let own = self.table(&identity.own, witness);
        let shows = identity.holds && !identity.has_roots;
        let raw = self.own_transfer().filter(|raw| plain && (*raw != own || !shows));
        if let Some(raw) = &raw {
            let order: Vec<String> =
                (0..self.start.second.channels.len()).map(|j| self.oracle(witness, Side::Second, j)).collect();
            let order = if single { String::new() } else { format!(", in the order {},", listed(&order)) };
            let _ = writeln!(out, "and eliminating those of B gives{order}");
            out.push_str(&self.transfer_matrix("\\hat H_B(z)", raw.clone()));
        }
        if shows {
            let order = if single { String::new() } else { format!(", in the order {},", names(Side::Second)) };
            let lead = if raw.is_some() { "With the parameters of the claim this is" } else { "and for B we find" };
            let _ = writeln!(out, "{lead}{order}");
            out.push_str(&self.transfer_matrix("\\hat H_B(z)", own));
        }
        let trivial: Vec<bool> = identity.matrices.iter().map(|m| *m == Matrix::identity(2)).collect();
        let changed = trivial.iter().any(|t| !t);
        if changed {
            out.push_str(&self.other_oracles(witness, identity, &trivial));
        }
        out.push_str(&self.equality(witness, identity, changed));
        out
    }

    /// Why a pair of the one oracle is a matrix times a pair of the other.
    fn other_oracles(&self, witness: &Witness, identity: &Identity, trivial: &[bool]) -> String {
        let mut out = String::new();
        let mut is_moreau = false;
        for (n, (a, b)) in identity.oracles.iter().enumerate().filter(|(n, _)| !trivial[*n]) {
            let is_prox =
                |o: &Oracle| matches!(o.kind, OracleKind::Prox | OracleKind::Projection | OracleKind::Resolvent);
            is_moreau |= is_prox(a) && is_prox(b) && a.conjugate != b.conjugate;
            let _ = writeln!(
                out,
                "A pair of query $y$ and answer $u$ of {} means {}, and a pair $\\tilde y$, $\\tilde u$ of {} means {}. \
                 One comes from the other by",
                self.oracle(witness, Side::First, witness.channel_map[n].0),
                self.meaning(a, "y", "u"),
                self.oracle(witness, Side::Second, witness.channel_map[n].1),
                self.meaning(b, "\\tilde y", "\\tilde u"),
            );
            let m = &identity.matrices[n];
            let rows: Vec<Vec<String>> =
                (0..2).map(|i| (0..2).map(|j| self.start.rational(&m[(i, j)])).collect()).collect();
            let _ = writeln!(
                out,
                "\\[ \\begin{{bmatrix}} y \\\\ u \\end{{bmatrix}} = M_{{{}}} \\begin{{bmatrix}} \\tilde y \\\\ \\tilde u \\end{{bmatrix}}, \\qquad M_{{{}}} = {}. \\]",
                n + 1,
                n + 1,
                bmatrix(&rows)
            );
        }
        if is_moreau {
            out.push_str(
                "(This is Moreau's identity $y = \\operatorname{prox}_{tf}(y) + t \\operatorname{prox}_{f^{*}/t}(y/t)$.)\n",
            );
        }
        let rest = if trivial.iter().any(|t| *t) { " ($M_i = I$ for the other oracles)" } else { "" };
        let _ = writeln!(
            out,
            "Let $P, Q, R, S$ be the diagonal matrices of the entries $(1,1)$, $(1,2)$, $(2,1)$, $(2,2)$ of the $M_i${rest}. \
             In the oracles of A, the transfer matrix of B is $\\hat H_B' = (P \\hat H_B + Q)(R \\hat H_B + S)^{{-1}}$, that is"
        );
        out.push_str(&self.transfer_matrix("\\hat H_B'(z)", self.table(&identity.second, witness)));
        out
    }

    /// `(y - u)/t \in \partial f(u)`.
    fn meaning(&self, oracle: &Oracle, y: &str, u: &str) -> String {
        use OracleKind::*;
        let f = name(Script::Latex, &oracle.function);
        let t = self.start.rational(&oracle.step);
        let over = |x: String, t: &str| {
            if t == "1" {
                x
            } else {
                format!("\\tfrac{{1}}{{{t}}}({x})").replace("\\tfrac{1}{\\frac", "\\bigl(\\tfrac").to_string()
            }
        };
        let by = |x: String| match oracle.step.inverse() {
            Some(inverse) if !oracle.step.is_polynomial() && inverse.is_polynomial() => {
                format!("{}\\,({x})", self.start.rational(&inverse))
            }
            _ => over(x, &t),
        };
        let base = match oracle.kind {
            Projection => format!("N_{{{f}}}"),
            Resolvent => f.clone(),
            _ => format!("\\partial {f}"),
        };
        let difference = format!("{y} - {u}");
        let text = match (oracle.kind, oracle.conjugate) {
            (Gradient, false) => format!("{u} = \\nabla {f}({y})"),
            (Gradient | Subdifferential, true) => format!("{y} \\in \\partial {f}({u})"),
            (Subdifferential, false) => format!("{u} \\in \\partial {f}({y})"),
            (Prox | Projection | Resolvent, false) => format!("{} \\in {base}({u})", by(difference)),
            (Prox | Projection | Resolvent, true) => format!("{u} \\in {base}\\bigl({}\\bigr)", by(difference)),
            (Reflected, false) => {
                format!("{} \\in {base}\\bigl(\\tfrac12({y} + {u})\\bigr)", by(format!("\\tfrac12({difference})")))
            }
            (Reflected, true) => {
                format!("\\tfrac12({y} + {u}) \\in {base}\\bigl({}\\bigr)", by(format!("\\tfrac12({difference})")))
            }
            (MoreauGradient, false) => format!("{u} \\in {base}({y} - {t}\\, {u})"),
            (MoreauGradient, true) => format!("{y} - {t}\\, {u} \\in {base}({u})"),
            (Argmin | BlackBox, _) => format!("{u} = {f}({y})"),
        };
        format!("${text}$")
    }

    fn equality(&self, witness: &Witness, identity: &Identity, changed: bool) -> String {
        let b = if changed { "\\hat H_B'" } else { "\\hat H_B" };
        let mut out = String::new();
        let is_plain = identity.theta.iter().all(RationalFunction::is_one);
        if !identity.holds {
            out.push_str(
                "With the parameters of the claim the entries agree, since these solve the equations between their \
                 coefficients.\n",
            );
        } else if identity.has_roots && is_plain {
            let _ = writeln!(out, "Putting in the square roots of the claim gives\n\\[ \\hat H_A = {b}. \\]");
        } else if is_plain {
            let _ = writeln!(out, "Hence\n\\[ \\hat H_A = {b}. \\]");
        } else {
            let list: Vec<String> = identity.theta.iter().map(|t| self.transformed(&self.start.rational(t))).collect();
            let _ = writeln!(
                out,
                "Let $\\Delta = \\operatorname{{diag}}\\bigl({}\\bigr)$. Multiplying out,",
                list.join(", ")
            );
            let _ = writeln!(out, "\\[ \\hat H_A = \\Delta\\, {b}\\, \\Delta^{{-1}}. \\]");
        }
        let filtered = witness.filters.iter().any(|c| !c.is_one());
        let is_dual = witness.assumptions.iter().any(|a| matches!(a, Assumption::Dual(_)));
        match (filtered, witness.shift.iter().any(|m| *m != 0)) {
            (true, _) if is_dual => out.push_str(
                "The oracle of $g^{*}(-\\,\\cdot\\,)$ changes sign with its query, and every oracle commutes with shifts in time, so that the pairs of query and answer of A are those of B multiplied by $\\Delta$.\n",
            ),
            (true, _) => out.push_str(
                "The oracles whose entries of $\\Delta$ are not powers of the transform variable commute with them, being linear or homogeneous, and every oracle commutes with shifts in time, so that the pairs of query and answer of A are those of B multiplied by $\\Delta$.\n",
            ),
            (false, true) => out.push_str(
                "Multiplication by the power $-m$ of the transform variable is a delay by $m$ iterations, with which every oracle commutes: given the same oracles, the queries agree as claimed.\n",
            ),
            (false, false) => out.push_str("Given the same answers, A and B therefore ask the same queries.\n"),
        }
        out
    }

    fn by_markov(&self, witness: &Witness) -> String {
        let order = |a: &Analysis| match &a.transfer {
            Transfer::Commuting { realization, .. } => realization.states.len(),
            Transfer::Noncommuting { realization, .. } => realization.states.len(),
        };
        let (m, n) = (order(self.start.first), order(self.start.second));
        let mut out = format!(
            "Write either algorithm as $x^{{k+1}} = \\mathcal A x^k + \\mathcal B u^k$, $y^k = \\mathcal C x^k + \\mathcal D u^k$ \
             with its {m} and {n} iterates as state; the entries are polynomials in operators that need not commute. \
             With the parameters of the claim the coefficients $\\mathcal D$ and $\\mathcal C \\mathcal A^j \\mathcal B$, \
             $j = 0, \\dots, {}$, of both are the same",
            m + n - 1
        );
        let shifted = witness.shift.iter().any(|m| *m != 0);
        let changed = witness.matrices.iter().any(|m| *m != Matrix::identity(2));
        match (shifted, changed) {
            (false, false) => {}
            (true, false) => out.push_str(" up to the shift"),
            (false, true) => out.push_str(" when B is written in the oracles of A"),
            (true, true) => out.push_str(" up to the shift, when B is written in the oracles of A"),
        }
        out.push_str(". That is enough: the unobservable subspaces of the difference of the two form a descending chain that is constant after as many steps as there are states. For A,\n");
        if let Transfer::Noncommuting { markov, .. } = &self.start.first.transfer {
            let printer = EntryPrinter { system: &self.start.first.system, script: Script::Latex };
            for (j, m) in markov.iter().take(3).enumerate() {
                let p = self.start.first.channels.len().min(m.cols());
                let rows: Vec<Vec<String>> =
                    (0..m.rows()).map(|i| (0..p).map(|j| printer.operators(&m[(i, j)])).collect()).collect();
                let left = ["\\mathcal D", "\\mathcal C \\mathcal B", "\\mathcal C \\mathcal A \\mathcal B"][j];
                out.push_str(&matrix(left, &rows));
            }
        }
        out
    }

    /// ξ_B = T ξ_A in the names of the two texts, in iteration k.
    fn change_of_variables(&self, map: &StateMap) -> String {
        let Transfer::Commuting { realization, .. } = &self.start.second.transfer else {
            return String::new();
        };
        let states = &realization.states;
        let mut equations = Vec::new();
        for i in 0..map.t.rows() {
            let Ok(right) = combined(map, i) else {
                return String::new();
            };
            let left: Vec<(bool, String)> = (0..states.len())
                .filter(|&j| !map.second[(i, j)].is_zero())
                .map(|j| {
                    let vector = self.each.state(Side::Second, j);
                    let text = self.each.product(
                        &map.second[(i, j)],
                        &vector,
                        Side::First,
                        space_of(self.start.second, &states[j]),
                    );
                    match text.strip_prefix('-') {
                        Some(rest) => (true, rest.to_string()),
                        None => (false, text),
                    }
                })
                .collect();
            let left = super::expression::sum(left);
            equations.push((format!("{left} &= "), terms(&self.each.combination(&right))));
        }
        if equations.is_empty() {
            return "Neither algorithm keeps anything from one iteration to the next.\n".to_string();
        }
        let mut out = format!("The change of variables is\n{}", aligned(&equations));
        out.push_str(&self.early_answers(map, &self.each));
        out.push_str("Substituting it turns the updates and queries of A into those of B. Minimal realizations of one transfer matrix differ by exactly one such change of variables, so it is the only one");
        if map.initialization.is_empty() {
            out.push_str(".\n");
        } else {
            out.push_str("; at $k=0$ it gives the initial values of the claim.\n");
        }
        if !map.required.is_empty() {
            out.push_str("What is required to vanish belongs to modes that can be observed and not be reached, which B does not have.\n");
        }
        out
    }

    fn remarks(&self, witness: &Witness, has_map: bool) -> String {
        let mut out = String::new();
        if witness.branches.len() > 1 {
            let which = if has_map { "The formulas above are those of the first choice of parameters; " } else { "" };
            let _ = writeln!(out, "{which}the other choices are proved by the same computation.");
        }
        out
    }
}

/// The i-th component of T ξ_A in what is known of the first.
fn combined(map: &StateMap, i: usize) -> Result<Combination, Exhausted> {
    let mut total: Combination = Vec::new();
    for (j, part) in map.first.iter().enumerate() {
        for (source, c) in part {
            let c = map.t[(i, j)].mul(c)?;
            match total.iter_mut().find(|(s, _)| s == source) {
                Some((_, sum)) => *sum = sum.add(&c)?,
                None => total.push((*source, c)),
            }
        }
    }
    total.retain(|(_, c)| !c.is_zero());
    total.sort_by_key(|(s, _)| *s);
    Ok(total)
}

fn ordinal(n: usize) -> String {
    match n {
        1 => "first".to_string(),
        2 => "second".to_string(),
        3 => "third".to_string(),
        n => format!("{n}th"),
    }
}

/// Pairs that are not related.
impl Writer<'_> {
    fn distinct(&self, found: &Obstruction) -> String {
        let mut out = String::from("\n\\paragraph{Claim.}\n");
        let none = Nearest::default();
        let nearest = found.nearest.as_ref().unwrap_or(&none);
        match &found.invariant {
            Invariant::Relation(relation) => {
                let word = relation.word();
                let _ = writeln!(
                    out,
                    "Algorithms A and B are not related in the way asked for; their relation is `{word}'."
                );
                return out;
            }
            Invariant::Oracles { first, second } => {
                out.push_str("Algorithms A and B are not equivalent.\n\n\\paragraph{Proof.}\n");
                let _ = writeln!(
                    out,
                    "In an iteration, A calls {} and B calls {}. Equivalent algorithms call the same functions equally often.",
                    self.census(Side::First, first),
                    self.census(Side::Second, second)
                );
            }
            _ => {
                let but = if nearest.degenerate.is_empty() { "no" } else { "no but degenerate" };
                let _ = writeln!(
                    out,
                    "For {but} values of their parameters are algorithms A and B equivalent, be it up to a shift in time, \
                     an exchange of oracles, or in other oracles of the same functions.\n\n\\paragraph{{Proof.}}"
                );
                out.push_str(&self.nearest(found, nearest));
                if let Some(run) = &found.run {
                    out.push_str(&self.run(run, nearest));
                }
            }
        }
        out.push_str("\\hfill$\\square$\n");
        out
    }

    fn census(&self, side: Side, oracles: &[(Oracle, usize)]) -> String {
        let system = if side == Side::First { &self.start.first.system } else { &self.start.second.system };
        let one = |(oracle, n): &(Oracle, usize)| {
            let times = match n {
                1 => "once".to_string(),
                2 => "twice".to_string(),
                n => format!("{n} times"),
            };
            format!("${}$ {times}", oracle_name(oracle, system, Script::Latex))
        };
        if oracles.is_empty() { "nothing".to_string() } else { listed(&oracles.iter().map(one).collect::<Vec<_>>()) }
    }

    fn label(&self, side: Side, channel: usize) -> String {
        self.oracle(&Witness::default(), side, channel)
    }

    /// The entries that differ in the nearest reading.
    fn nearest(&self, found: &Obstruction, nearest: &Nearest) -> String {
        let pair = |(n, &(i, j)): (usize, &(usize, usize))| {
            let shift = match nearest.shift[n] {
                0 => String::new(),
                m => format!(" delayed by {m}"),
            };
            format!("{} of A with {}{shift} of B", self.label(Side::First, i), self.label(Side::Second, j))
        };
        let pairs: Vec<String> = nearest.channel_map.iter().enumerate().map(pair).collect();
        let mut out = match (pairs.is_empty(), nearest.readings) {
            (true, _) => {
                return "The transfer matrices differ for every pairing of the oracles and every shift.\n".to_string();
            }
            (false, 1) => format!("The oracles can be paired in one way: {}.\n", listed(&pairs)),
            (false, n) => format!(
                "Of the {n} ways to pair and shift the oracles, the one in which most entries of the transfer matrices \
                 agree pairs {}; the others are refuted alike.\n",
                listed(&pairs)
            ),
        };
        if let Invariant::Delays { cycle, first, second } = &found.invariant {
            let names: Vec<String> = cycle.iter().map(|&n| self.label(Side::First, nearest.channel_map[n].0)).collect();
            let theirs = match second {
                (least, most) if least == most => least.to_string(),
                (least, _) if first < least => format!("at least {least}"),
                (_, most) => format!("at most {most}"),
            };
            let _ = writeln!(
                out,
                "A shift in time does not change how many iterations an answer takes to come round a cycle of oracles. \
                 Round {} that is {first} in A and {theirs} in B.",
                listed(&names)
            );
        }
        if let Invariant::Order(m, n) = &found.invariant {
            let _ = writeln!(
                out,
                "The minimal realizations have orders {m} and {n}, which a shift of the one oracle does not change."
            );
        }
        if let Some(branch) = &nearest.values {
            let way = self.start.branch(&nearest.operators, branch);
            let list: Vec<String> =
                way.parameters.iter().map(|(p, v)| format!("${} = {v}$", name(Script::Latex, p))).collect();
            if !list.is_empty() {
                let _ = writeln!(out, "The parameters {} bring B nearest to A.", listed(&list));
            }
        }
        out.push_str(&self.differences(nearest));
        match found.invariant {
            Invariant::Poles if nearest.degenerate.is_empty() => {
                out.push_str("Already the poles cannot be made to agree.\n");
            }
            Invariant::Delays { .. } | Invariant::Order(..) => {}
            _ => out.push_str("The equations between the coefficients of all entries have no other solution.\n"),
        }
        out.push_str(&self.degenerate(nearest));
        out
    }

    fn differences(&self, nearest: &Nearest) -> String {
        let mut equations = Vec::new();
        for e in &nearest.entries {
            let channel = nearest.channel_map[e.column].0;
            let place = if nearest.channel_map.len() == 1 {
                String::new()
            } else {
                format!("_{{{}{}}}", e.row + 1, e.column + 1)
            };
            let (left, first, second) = match &e.values {
                Compared::Transfer(g, h) => {
                    ("\\hat H".to_string(), self.start.entry(g, channel), self.start.entry(h, channel))
                }
                Compared::Step(g, h) => ("t".to_string(), self.start.rational(g), self.start.rational(h)),
                Compared::Markov(lag, g, h) => {
                    let printer = EntryPrinter { system: &self.start.first.system, script: Script::Latex };
                    (format!("h^{{({lag})}}"), printer.operators(g), printer.operators(h))
                }
            };
            let (open, shut) = if place.is_empty() { ("", "") } else { ("(", ")") };
            equations.push((format!("{open}{left}_A{shut}{place} &= "), terms(&self.transformed(&first))));
            equations.push((format!("{open}{left}_B{shut}{place} &= "), terms(&self.transformed(&second))));
        }
        if equations.is_empty() {
            return String::new();
        }
        let what = match nearest.entries.first().map(|e| &e.values) {
            Some(Compared::Markov(..)) => {
                "With the same values for the parameters of the same names, the coefficients $h^{(j)}$ of $z^{-j}$ of the transfer matrices differ:"
            }
            Some(Compared::Step(..)) => "The steps $t$ of oracles, or the transfer matrices, differ:",
            _ => "The transfer matrices, that of B in the oracles, order and time of A, differ:",
        };
        format!("{what}\n{}", aligned(&equations))
    }

    fn degenerate(&self, nearest: &Nearest) -> String {
        let mut ways = Vec::new();
        for branch in &nearest.degenerate {
            let way = self.start.branch(&nearest.operators, branch);
            let conditions = way.conditions.iter().filter(|c| c.contains(" = ")).map(|c| format!("${c}$"));
            let values = way.parameters.iter().map(|(p, v)| format!("${} = {v}$", name(Script::Latex, p)));
            ways.push(listed(&conditions.chain(values).collect::<Vec<_>>()));
        }
        if ways.is_empty() {
            return String::new();
        }
        format!(
            "(They agree where {}, but there an oracle is silent or both algorithms are smaller than they are.)\n",
            ways.join(", or where ")
        )
    }

    fn run(&self, run: &Refutation, nearest: &Nearest) -> String {
        let numbers: Vec<String> = run
            .numbers
            .iter()
            .filter(|(v, _)| !is_coefficient(**v))
            .map(|(v, x)| format!("${} = {}$", name(Script::Latex, &self.start.name(*v)), number(x)))
            .collect();
        let longer = |a: &Analysis, b: &Analysis| a.system.constants.len() >= b.system.constants.len();
        let (a, b) = (self.start.first, self.start.second);
        let constants = if longer(a, b) { &a.system.constants } else { &b.system.constants };
        let constants = constants
            .iter()
            .zip(&run.constants)
            .map(|(c, x)| format!("${} = {}$", name(Script::Latex, &c.name), number(x)));
        let given = listed(&numbers.into_iter().chain(constants).collect::<Vec<_>>());
        let start: Vec<String> = run
            .start
            .iter()
            .enumerate()
            .map(|(i, x)| format!("${} = {}$", self.start.state(Side::First, i), number(x)))
            .collect();
        let mut out = String::from("For a concrete run, ");
        if !given.is_empty() {
            let _ = write!(out, "take {given}, and ");
        }
        let started = if start.is_empty() { String::new() } else { format!(" at {}", listed(&start)) };
        let _ = writeln!(out, "start A{started}. With oracles that answer so, its calls are");
        let call = |c: &Exchange| {
            let oracle = oracle_name(&a.channels[c.channel].oracle, &a.system, Script::Latex);
            let left = format!("k = {}:\\quad {oracle}\\left({}\\right) &= ", c.iteration, number(&c.query));
            (left, vec![number(&c.answer)])
        };
        out.push_str(&aligned(&run.calls.iter().map(call).collect::<Vec<_>>()));
        let channel = nearest.channel_map[run.pair].1;
        let _ = writeln!(
            out,
            "If B makes all these calls but the last, from whatever initial state, then they determine its query to {} in \
             iteration {}: it is ${}$, and not ${}$.",
            self.label(Side::Second, channel),
            run.iteration,
            number(&run.queries.1),
            number(&run.queries.0)
        );
        out
    }
}

fn number(x: &Rational) -> String {
    if x.is_int() {
        return x.to_string();
    }
    let text = format!("\\tfrac{{{}}}{{{}}}", x.numerator(), x.denominator());
    match text.strip_prefix("\\tfrac{-") {
        Some(rest) => format!("-\\tfrac{{{rest}"),
        None => text,
    }
}

//! The proof that two algorithms are related, by their transfer matrices.

use super::super::entry::EntryPrinter;
use super::super::expression::{Script, TILDE, name};
use super::super::speaker::letter;
use super::super::typeset::{aligned, bmatrix, listed, matrix, terms};
use super::{Writer, is_taken};
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::Side;
use crate::relation::state_map::{Combination, Source, StateMap, States, constants, written};
use crate::relation::typed::{operator_denominator, place_of};
use crate::relation::words::WordMap;
use crate::relation::{Assumption, Identity, Witness};
use crate::syntax::ast::OracleKind;
use crate::system::Oracle;
use crate::transfer::{Analysis, Transfer};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction};
use std::fmt::Write;

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
    pub(super) fn transformed(&self, tex: &str) -> String {
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

    pub(super) fn by_transfer(&self, witness: &Witness, identity: &Identity) -> String {
        let mut out = String::from(
            "In either algorithm the list $\\mathbf y$ of all queries depends linearly on the list $\\mathbf u$ of all answers. \
             In terms of transforms ",
        );
        let _ = writeln!(
            out,
            "$\\hat{{\\mathbf y}}({0}) = \\sum_k \\mathbf y^k {0}^{{-k}}$, from initial states zero, $\\hat{{\\mathbf y}} = \\hat H \\hat{{\\mathbf u}}{1}$.",
            self.transformed("z").trim(),
            self.driven(identity)
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
        let conditional = witness.branches.first().is_some_and(|b| !b.conditions.is_empty());
        let lead = if conditional { "Under the conditions of the claim, eliminating" } else { "Eliminating" };
        let _ = writeln!(out, "{lead} the iterates of A gives");
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
        out.push_str(&self.responses(witness, identity));
        out
    }

    /// ` + \hat G \frac{z}{z-1} \mathbf c`.
    fn driven(&self, identity: &Identity) -> String {
        match &identity.constants {
            None => String::new(),
            Some(_) => format!(" + \\tfrac{{{0}}}{{{0}-1}} \\hat G \\mathbf c", self.transformed("z").trim()),
        }
    }

    /// What the constants do to the queries.
    fn responses(&self, witness: &Witness, identity: &Identity) -> String {
        let Some([a, b]) = &identity.constants else {
            return String::new();
        };
        let speaker = &self.start;
        let names: Vec<String> = constants(witness).map(|s| format!("${}$", speaker.source(s))).collect();
        let texts = [speaker.first, speaker.second];
        let space = |j: usize| place_of(constants(witness).nth(j).expect("one per column"), texts).1;
        let table = |m: &Matrix<RationalFunction>| {
            let entry = |i: usize, j: usize| speaker.response(&m[(i, j)], space(j));
            (0..m.rows()).map(|i| (0..m.cols()).map(|j| entry(i, j)).collect()).collect::<Vec<Vec<_>>>()
        };
        let mut out =
            format!("The list $\\mathbf c$ of constants is {}, and to these the queries respond by\n", listed(&names));
        out.push_str(&self.transfer_matrix("\\hat G_A(z)", table(a)));
        if a == b {
            out.push_str("in A and, when pairs of query and answer of B are turned into those of A, in B just so.\n");
            return out;
        }
        out.push_str("in A and, when pairs of query and answer of B are turned into those of A, in B by\n");
        out.push_str(&self.transfer_matrix("\\hat G_B(z)", table(b)));
        out.push_str("The difference is made up for by the initial values of B, as the change of variables shows.\n");
        out
    }

    /// Why a pair of the one oracle is a matrix times a pair of the other.
    fn other_oracles(&self, witness: &Witness, identity: &Identity, trivial: &[bool]) -> String {
        let mut out = String::new();
        let mut identities: Vec<String> = Vec::new();
        for (n, (a, b)) in identity.oracles.iter().enumerate().filter(|(n, _)| !trivial[*n]) {
            let is_prox =
                |o: &Oracle| matches!(o.kind, OracleKind::Prox | OracleKind::Projection | OracleKind::Resolvent);
            if is_prox(a) && is_prox(b) && a.conjugate != b.conjugate {
                let identity = self.moreau(if a.conjugate { b } else { a });
                if !identities.contains(&identity) {
                    identities.push(identity);
                }
            }
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
        if !identities.is_empty() {
            let _ = writeln!(out, "(This is Moreau's identity {}.)", listed(&identities));
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

    /// `y = \operatorname{prox}_{tf}(y) + t \operatorname{prox}_{f^{*}/t}(y/t)`.
    fn moreau(&self, oracle: &Oracle) -> String {
        let f = name(Script::Latex, &oracle.function);
        let step = self.start.rational(&oracle.step);
        let is_symbol = oracle.step.is_polynomial()
            && oracle.step.numerator().term_count() == 1
            && oracle.step.numerator().total_degree() == 1
            && !step.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let is_free = |s: &&&str| [self.start.first, self.start.second].iter().all(|a| !is_taken(a, s));
        let t = match is_symbol {
            true => step.clone(),
            false => match ["t", "lambda", "mu", "nu"].iter().find(is_free) {
                Some(free) => name(Script::Latex, free),
                None => "t".to_string(),
            },
        };
        let (direct, conjugate) = match oracle.kind {
            OracleKind::Resolvent => (format!("J_{{{t} {f}}}"), format!("J_{{{f}^{{-1}}/{t}}}")),
            OracleKind::Projection => (format!("P_{{{f}}}"), format!("\\operatorname{{prox}}_{{\\sigma_{{{f}}}/{t}}}")),
            _ => (format!("\\operatorname{{prox}}_{{{t} {f}}}"), format!("\\operatorname{{prox}}_{{{f}^{{*}}/{t}}}")),
        };
        let here = if is_symbol { String::new() } else { format!(", here with ${t} = {step}$") };
        let support = match oracle.kind {
            OracleKind::Projection => format!(", where $\\sigma_{{{f}}}$ is the support function of ${f}$"),
            _ => String::new(),
        };
        format!("$y = {direct}(y) + {t}\\, {conjugate}(y/{t})${here}{support}")
    }

    /// `(y - u)/t \in \partial f(u)`.
    fn meaning(&self, oracle: &Oracle, y: &str, u: &str) -> String {
        use OracleKind::*;
        let f = name(Script::Latex, &oracle.function);
        let t = self.start.rational(&oracle.step);
        let by = |x: String| match oracle.step.inverse().filter(|i| !i.is_one()) {
            None => x,
            Some(inverse) => {
                let factor = self.start.rational(&inverse).replace("\\frac", "\\tfrac");
                let is_sum = inverse.is_polynomial() && terms(&factor).len() > 1;
                if is_sum { format!("({factor})({x})") } else { format!("{factor}({x})") }
            }
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
            (Argmin, _) if let Some(c) = oracle.map.as_ref().and_then(OperatorPolynomial::as_scalar) => {
                // The linear map is I or −I.
                let (sign, other) = if c.is_one() { ("", "-") } else { ("-", "+") };
                format!("{sign}{t}({y} {other} {u}) \\in {base}({u})")
            }
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
        let is_dual = witness.is_dual();
        match (filtered, witness.shift.iter().any(|m| *m != 0)) {
            (true, _) if is_dual => out.push_str(
                "The oracle of $g^{*}(-\\,\\cdot\\,)$ changes sign with its query, and every oracle commutes with shifts in time, so that the pairs of query and answer of A are those of B multiplied by $\\Delta$.\n",
            ),
            (true, _) => out.push_str(
                "The oracles whose entries of $\\Delta$ are not powers of the transform variable commute with them, being linear or homogeneous, and every oracle commutes with shifts in time, so that the pairs of query and answer of A are those of B multiplied by $\\Delta$.\n",
            ),
            (false, true) if changed => out.push_str(
                "Multiplication by the power $-m$ of the transform variable is a delay by $m$ iterations, with which every oracle commutes: the pairs of query and answer of A are those of B, turned by the $M_i$ and delayed as claimed.\n",
            ),
            (false, false) if changed => out.push_str(
                "Pairs of query and answer that are possible in B are therefore turned by the $M_i$ into those that are possible in A, and the other way round.\n",
            ),
            (false, true) => out.push_str(
                "Multiplication by the power $-m$ of the transform variable is a delay by $m$ iterations, with which every oracle commutes: given the same oracles, the queries agree as claimed.\n",
            ),
            (false, false) => out.push_str("Given the same answers, A and B therefore ask the same queries.\n"),
        }
        out
    }

    pub(super) fn by_markov(&self, witness: &Witness) -> String {
        let order = |a: &Analysis| match &a.transfer {
            Transfer::Commuting { realization, .. } => realization.states.len(),
            Transfer::Noncommuting { realization, .. } => realization.states.len(),
        };
        let (m, n) = (order(self.start.first), order(self.start.second));
        let varying = [self.start.first, self.start.second].iter().any(|a| !a.system.schedules.is_empty());
        let (form, entries, products) = if varying {
            (
                "$x^{k+1} = \\mathcal A_k x^k + \\mathcal B_k u^k$, $y^k = \\mathcal C_k x^k + \\mathcal D_k u^k$",
                "the entries change with the index, and their values at different times are taken as independent but for the recursions of the texts",
                "$\\mathcal D_k$ and $\\mathcal C_k \\mathcal A_{k-1} \\cdots \\mathcal A_{k-j} \\mathcal B_{k-j-1}$",
            )
        } else {
            (
                "$x^{k+1} = \\mathcal A x^k + \\mathcal B u^k$, $y^k = \\mathcal C x^k + \\mathcal D u^k$",
                "the entries are polynomials in operators that need not commute",
                "$\\mathcal D$ and $\\mathcal C \\mathcal A^j \\mathcal B$",
            )
        };
        let mut out = String::new();
        if let Some((side, n)) = witness.repeat {
            let _ = writeln!(out, "We take {n} iterations of {} as one.", letter(side));
        }
        let _ = write!(
            out,
            "Write either algorithm as {form} with its {m} and {n} iterates as state; {entries}. \
             With the parameters of the claim the coefficients {products}, $j = 0, \\dots, {}$, of both are the same",
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
        if constants(witness).next().is_some() {
            out.push_str(", constants counting as states that do not change");
        }
        out.push_str(". That is enough: the unobservable subspaces of the difference of the two form a descending chain that is constant after as many steps as there are states.\n");
        // Of the algorithm that is counted as it is written.
        let side = if witness.times(Side::First) == 1 { Side::First } else { Side::Second };
        let shown = self.texts[usize::from(side == Side::Second)];
        if let Transfer::Noncommuting { markov, .. } = &shown.transfer {
            let _ = writeln!(out, "For {},", letter(side));
            let printer = EntryPrinter { system: &shown.system, script: Script::Latex };
            for (j, m) in markov.iter().take(3).enumerate() {
                let p = shown.channels.len().min(m.cols());
                let rows: Vec<Vec<String>> =
                    (0..m.rows()).map(|i| (0..p).map(|j| printer.operators(&m[(i, j)])).collect()).collect();
                let left = ["\\mathcal D", "\\mathcal C \\mathcal B", "\\mathcal C \\mathcal A \\mathcal B"][j];
                out.push_str(&matrix(left, &rows));
            }
        }
        out
    }

    /// ξ_B = T ξ_A in the names of the two texts, in iteration k.
    pub(super) fn change_of_variables(&self, witness: &Witness, map: &States) -> String {
        let constants: Vec<Source> = constants(witness).collect();
        match map {
            States::Commuting(own) => self.minimal_change(own, &constants, &self.early_answers(map, &self.each)),
            States::Words(own) => self.change_of_words(own, &self.early_answers(map, &self.each)),
        }
    }

    /// T between the states of the texts.
    fn change_of_words(&self, map: &WordMap, answers: &str) -> String {
        let line = |line: String| {
            let (left, right) = line.split_once(" = ").unwrap_or((&line, "0"));
            (format!("{left} &= "), terms(right))
        };
        let equations: Vec<_> = self.each.changes(map).into_iter().map(line).collect();
        if equations.is_empty() {
            return "No query of B depends on what it keeps from one iteration to the next.\n".to_string();
        }
        let mut out = format!("The change of variables is\n{}{answers}", aligned(&equations));
        out.push_str(
            "With it, B asks what A asks, in this iteration and, whatever the answers are, in all later ones; ",
        );
        out.push_str(match self.each.at_zero(map) {
            Some(first) if !self.each.is_everywhere(map, first) => {
                "in the iteration in which A starts, where divisors may vanish, the initial values of the claim solve the equations between the queries of both.\n"
            }
            _ => "in the iteration in which A starts it gives the initial values of the claim.\n",
        });
        if !map.required.is_empty() {
            out.push_str("What is required to vanish, or a multiple of it by an operator, acts on the queries of A in a way that no state of B can follow.\n");
        }
        out
    }

    fn minimal_change(&self, map: &StateMap, constants: &[Source], answers: &str) -> String {
        let states = written(self.start.second).len();
        let rows = (0..map.t.rows()).map(|i| row(map, i, states, constants));
        let Ok(rows) = rows.collect::<Result<Vec<_>, Exhausted>>() else { return String::new() };
        // A constant that both keep says nothing.
        let rows: Vec<_> = rows.into_iter().filter(|(left, right)| !left.is_empty() || !right.is_empty()).collect();
        if map.law.len() > rows.len() {
            return self.unreached_change(map, answers);
        }
        let equations: Vec<_> = rows.iter().map(|(left, right)| self.equation(left, right)).collect();
        if equations.is_empty() {
            return "Neither algorithm keeps anything from one iteration to the next.\n".to_string();
        }
        let mut out = format!("The change of variables is\n{}", aligned(&equations));
        out.push_str(answers);
        out.push_str(&self.minimality(map, !constants.is_empty()));
        if map.initialization.is_empty() {
            out.push_str(".\n");
        } else {
            out.push_str("; at $k=0$ it gives the initial values of the claim.\n");
        }
        out
    }

    /// The change of variables where a state has modes that queries show and no answer reaches: minimal realizations
    /// do not know of these.
    fn unreached_change(&self, map: &StateMap, answers: &str) -> String {
        let cleared = map.law.iter().map(|(left, right)| cleared(left.clone(), right.clone()));
        let Ok(rows) = cleared.collect::<Result<Vec<_>, Exhausted>>() else { return String::new() };
        let equations: Vec<_> = rows.iter().map(|(left, right)| self.equation(left, right)).collect();
        let mut out = format!("The change of variables is\n{}{answers}", aligned(&equations));
        out.push_str(
            "If these equations hold in one iteration, B asks in it what A asks, and given the same answers they hold in the next. \
             The initial values of the claim satisfy them, so that they hold in all iterations.\n",
        );
        let vanishing = [
            ("A", "B", map.law.iter().any(|(left, _)| left.is_empty())),
            ("B", "A", map.law.iter().any(|(_, right)| right.is_empty())),
        ];
        for (own, other, _) in vanishing.into_iter().filter(|(.., is_there)| *is_there) {
            let _ = writeln!(
                out,
                "What vanishes in {own} belongs to modes that queries show and no answer reaches, which {other} does not have."
            );
        }
        out
    }

    /// Combinations of the states of B and of what is known of A that are equal; what vanishes stands on the left.
    fn equation(&self, left: &Combination, right: &Combination) -> (String, Vec<String>) {
        if !left.is_empty() {
            let (left, right) = self.each.sides(left, right);
            return (format!("{left} &= "), terms(&right));
        }
        let text = self.each.combination(right);
        let turned: Combination = right.iter().map(|(s, c)| (*s, c.neg())).collect();
        let text = if text.starts_with('-') { self.each.combination(&turned) } else { text };
        (format!("{text} &= "), terms("0"))
    }

    /// What the two sides of the change of variables are, and why there is no other.
    fn minimality(&self, map: &StateMap, has_constants: bool) -> String {
        let (m, n, r) = (written(self.start.first).len(), written(self.start.second).len(), map.t.rows());
        let early: usize = map.skipped.iter().map(|(_, count)| count).sum();
        let times = if early > 0 { ", with its calls at the times of B," } else { "" };
        if has_constants {
            return format!(
                "Here the constants count as states that do not change: up to terms in them, the right-hand sides are \
                 the state of a minimal realization of A{times} and the left-hand sides that of one of B. Substituting \
                 it turns the updates of the former, and the queries of A, into those of B, terms in the constants \
                 included. Minimal realizations differ by exactly one such change of variables, so it is the only one"
            );
        }
        let mut out = format!(
            "The right-hand sides are the state of a minimal realization of A{times} and the left-hand sides that of one of B"
        );
        let vectors = |n: usize| if n == 1 { "1 vector".to_string() } else { format!("{n} vectors") };
        let answers = match early {
            0 => String::new(),
            1 => " and for the shift 1 answer".to_string(),
            n => format!(" and for the shift {n} answers"),
        };
        if m + early != r || n != r {
            let _ = write!(
                out,
                " (as written, A keeps {}{answers}, and B {}; their queries need {})",
                vectors(m),
                vectors(n),
                vectors(r)
            );
        }
        out.push_str(". Substituting it turns the updates of the former, and the queries of A, into those of B. Minimal realizations of one transfer matrix differ by exactly one such change of variables, so it is the only one");
        out
    }

    pub(super) fn remarks(&self, witness: &Witness, has_map: bool) -> String {
        let mut out = String::new();
        if witness.branches.len() > 1 {
            let which = if has_map {
                "But where another is named, the formulas above are those of the first choice of parameters. "
            } else {
                ""
            };
            let _ = writeln!(
                out,
                "{which}That A and B agree for the other choices is seen in the same way, with their parameters put in."
            );
        }
        out
    }
}

/// The i-th component of ξ_B in its states, and of T ξ_A less what ξ_B has in constants, both multiplied until no
/// operator is divided by.
fn row(map: &StateMap, i: usize, states: usize, constants: &[Source]) -> Result<(Combination, Combination), Exhausted> {
    let mut right = combined(map, i)?;
    for (j, source) in constants.iter().enumerate() {
        add(&mut right, *source, map.second[(i, states + j)].neg())?;
    }
    right.retain(|(_, c)| !c.is_zero());
    right.sort_by_key(|(s, _)| *s);
    let left =
        (0..states).filter(|&j| !map.second[(i, j)].is_zero()).map(|j| (Source::Own(j), map.second[(i, j)].clone()));
    cleared(left.collect(), right)
}

/// Two combinations that are equal, both multiplied until no operator is divided by.
fn cleared(left: Combination, right: Combination) -> Result<(Combination, Combination), Exhausted> {
    let mut factor = operator_denominator(left.iter().chain(&right).map(|(_, c)| c))?;
    // A single state stands alone where no operator need be inverted for it.
    if let [(_, c)] = &left[..]
        && let Some(inverse) = c.inverse()
    {
        let alone = right.iter().map(|(_, r)| r.mul(&inverse)).collect::<Result<Vec<_>, Exhausted>>()?;
        if operator_denominator(&alone)?.is_one() {
            factor = inverse;
        }
    }
    let times = |all: Combination| {
        all.into_iter().map(|(s, c)| Ok((s, c.mul(&factor)?))).collect::<Result<Combination, Exhausted>>()
    };
    Ok((times(left)?, times(right)?))
}

/// The i-th component of T ξ_A in what is known of the first.
fn combined(map: &StateMap, i: usize) -> Result<Combination, Exhausted> {
    let mut total: Combination = Vec::new();
    for (j, part) in map.first.iter().enumerate() {
        for (source, c) in part {
            add(&mut total, *source, map.t[(i, j)].mul(c)?)?;
        }
    }
    Ok(total)
}

fn add(total: &mut Combination, source: Source, c: RationalFunction) -> Result<(), Exhausted> {
    match total.iter_mut().find(|(s, _)| *s == source) {
        Some((_, sum)) => *sum = sum.add(&c)?,
        None => total.push((source, c)),
    }
    Ok(())
}

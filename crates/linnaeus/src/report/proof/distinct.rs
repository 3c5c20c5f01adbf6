//! The statement that two algorithms are not related, and what keeps them apart.

use super::super::expression::{Script, name};
use super::super::show::oracle_name;
use super::super::speaker::Speaker;
use super::super::typeset::{aligned, entry_lines, listed};
use super::Writer;
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::Side;
use crate::relation::{Compared, Exchange, Invariant, Nearest, Obstruction, Refutation, Witness, is_coefficient};
use crate::system::Oracle;
use linnaeus_algebra::{Matrix, Rational, RationalFunction, SortedSet};
use std::fmt::Write;

/// Pairs that are not related.
impl Writer<'_> {
    pub(super) fn distinct(&self, found: &Obstruction, same: &SortedSet<String>) -> String {
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
            Invariant::Singular => {
                out.push_str("Algorithms A and B are not equivalent.\n\n\\paragraph{Proof.}\n");
                out.push_str(
                    "However the oracles are paired, B cannot be written in the oracles of A: its answers would not \
                     determine its queries there, while those of A do.\n",
                );
            }
            Invariant::Oracles { first, second, .. } => {
                out.push_str("Algorithms A and B are not equivalent.\n\n\\paragraph{Proof.}\n");
                let _ = writeln!(
                    out,
                    "In an iteration, A calls {} and B calls {}. Equivalent algorithms call the same functions equally often.",
                    self.census(Side::First, first),
                    self.census(Side::Second, second)
                );
            }
            _ => {
                if !same.is_empty() {
                    let names: Vec<String> = same.iter().map(|n| format!("${}$", name(Script::Latex, n))).collect();
                    let what = if same.len() == 1 { "sequence" } else { "sequences" };
                    let _ = writeln!(out, "Let the {what} {} be the same in both algorithms.", listed(&names));
                }
                let but = if nearest.degenerate.is_empty() { "no" } else { "no but degenerate" };
                let shift = if same.is_empty() { "" } else { " in which some call keeps its index" };
                let _ = writeln!(
                    out,
                    "For {but} values of their parameters are algorithms A and B equivalent, be it up to a shift in time{shift}, \
                     an exchange of oracles, or in other oracles of the same functions.\n\n\\paragraph{{Proof.}}"
                );
                out.push_str(&self.nearest(found, nearest));
                if let Ok(run) = &found.run {
                    out.push_str(&self.run(run, nearest));
                }
            }
        }
        out.push_str("\\hfill$\\square$\n");
        out
    }

    /// What holds where sequences of one name need not be the same.
    pub(super) fn renamed(&self, witness: &Witness) -> String {
        format!(
            "\n\\paragraph{{Remark.}}\nThis is otherwise if sequences of one name need not be the same or counted alike, a \
             tilde marking those of B.\n{}{}\n{}{}\n",
            self.assumptions(witness),
            self.how(witness),
            self.parameters(witness),
            self.calls(witness)
        )
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

    pub(super) fn label(&self, side: Side, channel: usize) -> String {
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
            let way = self.start.branch(&nearest.operators, (&nearest.sequences(), &[]), branch);
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
                Compared::Map(g, h) => {
                    let text = |side: Side, map: &OperatorPolynomial| match map.as_scalar() {
                        Some(map) => self.start.entry(&map, channel),
                        None => self.start.operators(side, map),
                    };
                    ("L".to_string(), text(Side::First, g), text(Side::Second, h))
                }
                Compared::Markov(lag, g, h) => {
                    let (g, h) = (self.start.operators(Side::First, g), self.start.operators(Side::Second, h));
                    (format!("h^{{({lag})}}"), g, h)
                }
            };
            let (open, shut) = if place.is_empty() { ("", "") } else { ("(", ")") };
            equations.extend(entry_lines(&format!("{open}{left}_A{shut}{place} &= "), &self.transformed(&first)));
            equations.extend(entry_lines(&format!("{open}{left}_B{shut}{place} &= "), &self.transformed(&second)));
        }
        if equations.is_empty() {
            return String::new();
        }
        let what = match nearest.entries.first().map(|e| &e.values) {
            Some(Compared::Markov(..)) => {
                "With the same values for the parameters of the same names, the coefficients $h^{(j)}$ of $z^{-j}$ of the transfer matrices differ:"
            }
            Some(Compared::Map(..)) => "The linear maps $L$ inside minimizations, or the transfer matrices, differ:",
            Some(Compared::Step(..)) => "The steps $t$ of oracles, or the transfer matrices, differ:",
            _ => "The transfer matrices, that of B in the oracles, order and time of A, differ:",
        };
        format!("{what}\n{}", aligned(&equations))
    }

    fn degenerate(&self, nearest: &Nearest) -> String {
        let mut ways = Vec::new();
        for branch in &nearest.degenerate {
            let way = self.start.branch(&nearest.operators, (&nearest.sequences(), &[]), branch);
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
        let speaker = Speaker { counted: true, ..self.start.beginning(run.origin) };
        let numbers: Vec<String> = run
            .numbers
            .iter()
            .filter(|(v, _)| !is_coefficient(**v))
            .map(|(v, x)| (v, number(x)))
            .chain(run.operators.iter().map(|(v, m)| (v, matrix_of_numbers(m))))
            .map(|(v, x)| format!("${} = {x}$", name(Script::Latex, &speaker.name(*v))))
            .collect();
        let a = self.start.first;
        let constants = a
            .system
            .constants
            .iter()
            .zip(&run.constants)
            .map(|(c, x)| format!("${} = {}$", name(Script::Latex, &c.name), vector(x)));
        let given = listed(&numbers.into_iter().chain(constants).collect::<Vec<_>>());
        let start: Vec<String> = run
            .start
            .iter()
            .enumerate()
            .map(|(i, x)| format!("${} = {}$", speaker.state(Side::First, i), vector(x)))
            .collect();
        let mut out = String::from("For a concrete run, ");
        if !given.is_empty() {
            let _ = write!(out, "take {given}, and ");
        }
        let linear: String = run
            .linear
            .iter()
            .map(|(f, m)| {
                format!("The linear $\\nabla {}$ has the matrix ${}$. ", name(Script::Latex, f), matrix_of_numbers(m))
            })
            .collect();
        let else_ = if linear.is_empty() { "" } else { "else " };
        let started = if start.is_empty() { String::new() } else { format!(" at {}", listed(&start)) };
        let _ = writeln!(
            out,
            "start A{started}. {linear}Nothing {else_}is assumed of the oracles but that a query has one answer; with these arbitrary ones the calls of A are"
        );
        let call = |c: &Exchange| {
            let oracle = oracle_name(&a.channels[c.channel].oracle, &a.system, Script::Latex);
            let k = c.iteration as i64 + run.origin;
            let left = format!("k = {k}:\\quad {oracle}\\left({}\\right) &= ", components(&c.query));
            (left, vec![vector(&c.answer)])
        };
        out.push_str(&aligned(&run.calls.iter().map(call).collect::<Vec<_>>()));
        let channel = nearest.channel_map[run.pair].1;
        let all = match run.others.is_empty() {
            true => "all these calls but the last",
            false => "those of these calls that are before the last in B, too",
        };
        let _ = writeln!(
            out,
            "If B makes {all}, from whatever initial state{}, then they determine its query to {} in \
             iteration {}: it is ${}$, and not ${}$.",
            if self.start.second.system.constants.is_empty() { "" } else { " and with whatever constants" },
            self.label(Side::Second, channel),
            run.iteration as i64 + run.origin,
            vector(&run.queries.1),
            vector(&run.queries.0)
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

fn components(x: &[Rational]) -> String {
    x.iter().map(number).collect::<Vec<_>>().join(", ")
}

/// A number, or a row of them in parentheses.
fn vector(x: &[Rational]) -> String {
    if x.len() == 1 { components(x) } else { format!("\\left({}\\right)", components(x)) }
}

fn matrix_of_numbers(m: &Matrix<RationalFunction>) -> String {
    let entry = |e: &RationalFunction| e.as_rational().map_or_else(String::new, |x| number(&x));
    let row = |i: usize| m.row(i).iter().map(entry).collect::<Vec<_>>().join(" & ");
    let rows = (0..m.rows()).map(row).collect::<Vec<_>>().join(" \\\\ ");
    format!("\\left(\\begin{{smallmatrix}} {rows} \\end{{smallmatrix}}\\right)")
}

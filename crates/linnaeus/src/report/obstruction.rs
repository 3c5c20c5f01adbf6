//! Why two algorithms are not related, as data and as text.

use super::compare::how;
use super::compare::{BranchReport, earlier};
use super::expression::{Script, name};
use super::show::oracle_name;
use super::speaker::{Parties, Speaker, letter};
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::{Side, owner};
use crate::relation::{
    Compared, Difference, Exchange, Invariant, Nearest, Obstruction, Refutation, Relation, Witness, is_coefficient,
    on_branch, symbol_name, symbol_name_at_start,
};
use crate::system::Oracle;
use crate::system::schedule::{Motion, Schedule, schedule, scheduled};
use linnaeus_algebra::{Matrix, Rational, RationalFunction, Variable};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What keeps two algorithms apart.
#[derive(Clone, Debug, Serialize)]
pub struct ObstructionReport {
    /// `oracles`, `singular`, `relation`, `pattern`, `delays`, `order`, `poles` or `entries`.
    pub kind: &'static str,
    /// One sentence.
    pub message: String,
    /// The pairs of channels of the reading that comes nearest, from 0.
    pub channel_map: Vec<(usize, usize)>,
    /// The shift of that reading.
    pub shift: Vec<i64>,
    /// How many pairings and shifts were compared.
    pub readings: usize,
    /// Parameters for which as much agrees as can.
    pub nearest: Option<BranchReport>,
    /// What differs then.
    pub entries: Vec<EntryReport>,
    /// Where all agrees, but an oracle is silent or both algorithms are smaller than they are.
    pub degenerate: Vec<BranchReport>,
    /// The minimal orders.
    pub orders: Option<(usize, usize)>,
    /// A run of A that B cannot follow, wherever it starts.
    pub run: Option<RunReport>,
    /// Why there is no such run.
    pub no_run: Option<&'static str>,
    /// How they are related if sequences of one name need not be the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed: Option<RenamedReport>,
    /// The channels of the reading, in words.
    #[serde(skip)]
    pairs: Vec<String>,
    /// What the two are called.
    #[serde(skip)]
    parties: Parties,
}

/// A relation of two texts whose names mean different numbers.
#[derive(Clone, Debug, Serialize)]
pub struct RenamedReport {
    /// As in the report of a relation.
    pub relation: &'static str,
    /// As in the report of a relation.
    pub generality: &'static str,
    /// As in the report of a relation.
    pub shift: Vec<i64>,
    /// B's parameters and sequences.
    pub parameters: BTreeMap<String, String>,
    /// Conditions on A's.
    pub conditions: Vec<String>,
    /// What is assumed.
    pub assumptions: Vec<String>,
    /// By how many iterations B's numbers are earlier than those of the same names in A, if that is all.
    #[serde(skip)]
    moved: Option<i64>,
}

/// An entry that differs, rows and columns being the pairs of channels from 0.
#[derive(Clone, Debug, Serialize)]
pub struct EntryReport {
    /// Whose query.
    pub row: usize,
    /// Whose answer.
    pub column: usize,
    /// `transfer`, `step`, `map`, or `markov` for the coefficient of one power of 1/z.
    pub of: &'static str,
    /// Which coefficient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lag: Option<usize>,
    /// In A.
    #[serde(rename = "A")]
    pub first: String,
    /// In B, in A's oracles, order and time.
    #[serde(rename = "B")]
    pub second: String,
    #[serde(skip)]
    label: String,
}

/// A concrete run.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// Numbers for A's parameters and operators.
    #[serde(rename = "A")]
    pub first: BTreeMap<String, String>,
    /// Numbers for B's.
    #[serde(rename = "B")]
    pub second: BTreeMap<String, String>,
    /// Numbers for the constant vectors.
    pub constants: BTreeMap<String, String>,
    /// Where A starts.
    pub start: Vec<String>,
    /// A's calls, the last being the one at which they part.
    pub calls: Vec<ExchangeReport>,
    /// The index k in iteration 0.
    pub origin: i64,
    /// The prime modulo which all numbers are taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modulus: Option<u32>,
    /// The pair of channels whose queries differ.
    pub pair: (usize, usize),
    /// In which iteration of B, from 0.
    pub iteration: usize,
    /// What B would have to ask to follow A.
    pub expected: String,
    /// What B asks if it has made all calls before.
    pub asked: String,
    /// The last two in a sentence.
    pub message: String,
    /// What the answers are.
    pub answers: String,
}

/// One call.
#[derive(Clone, Debug, Serialize)]
pub struct ExchangeReport {
    /// In which iteration of A, from 0.
    pub iteration: usize,
    /// Of which channel of A.
    pub channel: usize,
    /// The oracle.
    pub oracle: String,
    /// The query.
    pub query: String,
    /// The answer.
    pub answer: String,
}

/// The obstruction as data.
pub fn obstruction(speaker: &Speaker, found: &Obstruction) -> ObstructionReport {
    let none = Nearest::default();
    let nearest = found.nearest.as_ref().unwrap_or(&none);
    let branch = |b| speaker.branch(&nearest.operators, (&nearest.sequences(), &[]), b);
    ObstructionReport {
        kind: found.invariant.word(),
        message: speaker.with_names(found, speaker.message(found, nearest)),
        channel_map: nearest.channel_map.clone(),
        shift: nearest.shift.clone(),
        readings: nearest.readings,
        nearest: nearest.values.as_ref().map(branch),
        entries: nearest.entries.iter().map(|e| speaker.difference(e, nearest)).collect(),
        degenerate: nearest.degenerate.iter().map(branch).collect(),
        orders: found.nearest.as_ref().map(|n| n.orders),
        run: found.run.as_ref().ok().map(|run| speaker.run(run, nearest)),
        no_run: found.run.as_ref().err().map(|why| why.reason()),
        renamed: found.renamed.as_ref().and_then(|w| speaker.renamed(w)),
        pairs: (0..nearest.channel_map.len()).map(|n| speaker.pair(nearest, n)).collect(),
        parties: speaker.parties,
    }
}

impl Speaker<'_> {
    fn oracle(&self, side: Side, channel: usize) -> String {
        let analysis = self.analysis(side);
        oracle_name(&analysis.channels[channel].oracle, &analysis.system, self.script)
    }

    /// The same with the number of the call, where there are several.
    fn call(&self, side: Side, channel: usize) -> String {
        let analysis = self.analysis(side);
        match analysis.channels[channel].copy {
            0 => self.oracle(side, channel),
            n => format!("{} (call {n})", self.oracle(side, channel)),
        }
    }

    /// What the two are called.
    fn both(&self) -> [&'static str; 2] {
        [Side::First, Side::Second].map(|side| self.parties.name(side))
    }

    fn pair(&self, nearest: &Nearest, n: usize) -> String {
        let (i, j) = nearest.channel_map[n];
        let [a, b] = self.both();
        let shift = match nearest.shift[n] {
            0 => String::new(),
            m => format!(", {a}'s call at k with {b}'s at {}", earlier(m)),
        };
        format!("{} in {a} with {} in {b}{shift}", self.call(Side::First, i), self.call(Side::Second, j))
    }

    fn census(&self, side: Side, oracles: &[(Oracle, usize)]) -> String {
        let system = self.system(side);
        let one = |(oracle, n): &(Oracle, usize)| {
            let times = match n {
                1 => "once".to_string(),
                2 => "twice".to_string(),
                n => format!("{n} times"),
            };
            let sample = match oracle.sample.as_deref() {
                None => String::new(),
                Some("") => " with the index for a sample".to_string(),
                Some(sample) => format!(" with the sample {sample}"),
            };
            format!("{} {times}{sample}", oracle_name(oracle, system, self.script))
        };
        match oracles {
            [] => "nothing".to_string(),
            list => list.iter().map(one).collect::<Vec<_>>().join(", "),
        }
    }

    /// Row and column of an entry, by the first's oracles.
    fn place(&self, e: &Difference, nearest: &Nearest) -> String {
        let name = |n: usize| self.call(Side::First, nearest.channel_map[n].0);
        match &e.values {
            Compared::Step(..) => format!("step of {}", name(e.row)),
            Compared::Map(..) => format!("the linear map inside {}", name(e.row)),
            _ if nearest.channel_map.len() == 1 => "H".to_string(),
            _ => format!("H from {} to {}", name(e.column), name(e.row)),
        }
    }

    fn message(&self, found: &Obstruction, nearest: &Nearest) -> String {
        let [a, b] = self.both();
        let entry = nearest.entries.first();
        let place = entry.map_or_else(|| "the transfer matrix".to_string(), |e| self.place(e, nearest));
        let sure = if nearest.degenerate.is_empty() { "no parameters make" } else { "only degenerate parameters make" };
        match &found.invariant {
            Invariant::Oracles { first, second, repeat } => {
                let (ours, theirs) = (self.census(Side::First, first), self.census(Side::Second, second));
                let repeated = match repeat {
                    None => String::new(),
                    Some((side, n)) => {
                        format!(
                            "; one iteration of {} is not {n} of {} either",
                            self.parties.name(side.other()),
                            self.parties.name(*side)
                        )
                    }
                };
                format!("the oracles cannot be paired: in an iteration {a} calls {ours}, {b} calls {theirs}{repeated}")
            }
            Invariant::Singular => {
                format!(
                    "in the oracles of {a}, the answers of {b} would not determine its queries, however they are paired"
                )
            }
            Invariant::Relation(relation) => {
                format!("they are related, but not in the way asked for: {}", how(*relation))
            }
            Invariant::Pattern => match entry {
                Some(Difference { row, column, values: Compared::Transfer(g, h) }) if g.is_zero() != h.is_zero() => {
                    let name = |n: usize| self.call(Side::First, nearest.channel_map[n].0);
                    let (with, without) = if h.is_zero() { (a, b) } else { (b, a) };
                    format!(
                        "the queries of {} depend on the answers of {} in {with} and not in {without}",
                        name(*row),
                        name(*column)
                    )
                }
                _ => "no shift makes the same queries depend on the same answers".to_string(),
            },
            Invariant::Delays { cycle, first, second } => {
                let names: Vec<String> =
                    cycle.iter().map(|&n| self.call(Side::First, nearest.channel_map[n].0)).collect();
                let theirs = match second {
                    (least, most) if least == most => format!("{least}"),
                    (least, _) if first < least => format!("at least {least}"),
                    (_, most) => format!("at most {most}"),
                };
                let n = if *first == 1 { "1 iteration".to_string() } else { format!("{first} iterations") };
                format!("going round {} takes {n} in {a} and {theirs} in {b}, whatever the shift", names.join(", "))
            }
            Invariant::Order(m, n) => format!("the minimal orders are {m} and {n}"),
            Invariant::Poles => format!("{sure} the poles of {place} agree"),
            // One reading only is shown.
            Invariant::Entries if matches!(entry, Some(Difference { values: Compared::Markov(..), .. })) => {
                let operators = if nearest.operators.is_empty() { "" } else { " and no pairing of the operators" };
                format!("no parameters{operators} make all of the transfer matrices agree")
            }
            Invariant::Entries => match entry {
                Some(_) if nearest.entries.len() == 1 && nearest.values.is_none() => format!("{sure} {place} agree"),
                Some(_) => format!("{sure} all of the transfer matrices agree"),
                None => "no parameters and no shift make the transfer matrices agree".to_string(),
            },
        }
    }

    fn difference(&self, e: &Difference, nearest: &Nearest) -> EntryReport {
        let channel = nearest.channel_map[e.column].0;
        let (of, lag, first, second) = match &e.values {
            Compared::Transfer(g, h) => ("transfer", None, self.entry(g, channel), self.entry(h, channel)),
            Compared::Step(g, h) => {
                let h = h.rename(&|v| self.in_second(v, nearest));
                ("step", None, self.rational(g), self.rational(&h))
            }
            Compared::Map(g, h) => {
                let text = |side: Side, map: &OperatorPolynomial| match map.as_scalar() {
                    Some(map) => self.entry(&map, channel),
                    None => self.operators(side, map),
                };
                ("map", None, text(Side::First, g), text(Side::Second, h))
            }
            Compared::Markov(lag, g, h) => {
                let renamed = h.map_coefficients(&mut |c| Ok(c.rename(&|v| self.in_second(v, nearest))));
                let h = renamed.unwrap_or_else(|_| h.clone());
                ("markov", Some(*lag), self.operators(Side::First, g), self.operators(Side::Second, &h))
            }
        };
        let image = |(v, value): &(Variable, RationalFunction)| {
            let text = |v: Variable| name(self.script, &symbol_name(self.first, self.second, v));
            let (side, own) = (Side::of(*v), text(*v));
            let known = nearest.values.as_ref().and_then(|branch| on_branch(value, branch).ok().flatten());
            let value = known.as_ref().unwrap_or(value);
            // The other side's names are its own.
            let value = match value.variables()[..] {
                [w] if *value == RationalFunction::variable(w) => text(w),
                _ => self.rational(value),
            };
            (lag.is_some() || own != value).then(|| {
                format!("{own} of {} as {value} of {}", self.parties.name(side), self.parties.name(side.other()))
            })
        };
        let has_operators = !matches!(e.values, Compared::Step(..));
        let images = nearest.operators.iter().filter(|_| has_operators).filter_map(image);
        let sequences = lag.map_or_else(Vec::new, |_| self.sequences_read(nearest));
        let rules = lag.map_or_else(Vec::new, |_| self.rules_apart(nearest));
        let images = images.chain(sequences).chain(rules).collect::<Vec<_>>().join(", ");
        let reading = if images.is_empty() { images } else { format!(", with {images}") };
        let lag_of = lag.map_or_else(String::new, |lag| format!(", coefficient of z^-{lag}"));
        let label = format!("{}{lag_of}{reading}", self.place(e, nearest));
        EntryReport { row: e.row, column: e.column, of, lag, first, second, label }
    }

    /// A symbol of a sequence that both texts have, as the second has it.
    fn in_second(&self, v: Variable, nearest: &Nearest) -> Variable {
        let own = self.first.system.schedules.list.len();
        let twin = |j: usize| nearest.place.iter().position(|at| *at == j && j < own);
        match scheduled(v) {
            Some((j, offset)) => twin(j).map_or(v, |n| schedule(own + n, offset)),
            None => v,
        }
    }

    /// Which sequences of the second are read as which of the first, where their names differ: `c[k] of B as a[k] of A`.
    fn sequences_read(&self, nearest: &Nearest) -> Vec<String> {
        let [a, b] = self.both();
        let ours = &self.first.system.schedules.list;
        let is_named = |s: &Schedule| matches!(s.motion, Motion::Free | Motion::Recursion(_));
        let text = |v: Variable| name(self.script, &symbol_name(self.first, self.second, v));
        let read = |(n, at): (usize, &usize)| {
            let (one, two) = (ours.get(*at)?, &self.second.system.schedules.list[n]);
            let names = (text(schedule(ours.len() + n, 0)), text(schedule(*at, 0)));
            let differ = is_named(one) && one.name != two.name;
            differ.then(|| format!("{} of {b} as {} of {a}", names.0, names.1))
        };
        nearest.place.iter().enumerate().filter_map(read).collect()
    }

    /// How sequences of one name go on that are not the same: `b[k+1] = b[k]/2 in A and b[k]/3 in B`.
    fn rules_apart(&self, nearest: &Nearest) -> Vec<String> {
        let [a, b] = self.both();
        let (ours, theirs) = (&self.first.system.schedules.list, &self.second.system.schedules.list);
        let own = ours.len();
        let apart = |(n, at): (usize, &usize)| {
            let (Motion::Recursion(next), true) = (&theirs[n].motion, *at >= own) else { return None };
            let i = ours.iter().position(|s| s.name == theirs[n].name)?;
            let Motion::Recursion(rule) = &ours[i].motion else { return None };
            let next = next.rename(&|v| match scheduled(v) {
                Some((j, offset)) => schedule(own + j, offset),
                None => Side::Second.place(v),
            });
            let left = name(self.script, &symbol_name(self.first, self.second, schedule(i, 1)));
            Some(format!("{left} = {} in {a} and {} in {b}", self.rational(rule), self.rational(&next)))
        };
        nearest.place.iter().enumerate().filter_map(apart).collect()
    }

    /// Who uses a symbol: sequences may be of both.
    fn whose(&self, v: Variable, nearest: &Nearest) -> Vec<Side> {
        let own = self.first.system.schedules.list.len();
        match scheduled(v) {
            None => vec![owner(v).0],
            Some((j, _)) => {
                let theirs = nearest.place.contains(&j).then_some(Side::Second);
                (j < own).then_some(Side::First).into_iter().chain(theirs).collect()
            }
        }
    }

    /// `x[0] = 1`, at the index where a run begins.
    fn started(&self, run: &Refutation, state: usize, value: &str) -> String {
        format!("{} = {value}", self.beginning(run.origin).state(Side::First, state))
    }

    /// What holds only because numbers have one name says so.
    fn with_names(&self, found: &Obstruction, message: String) -> String {
        if found.renamed.is_none() {
            return message;
        }
        let (ours, theirs) = (&self.first.system.schedules.list, &self.second.system.schedules.list);
        let is_shared = |s: &Schedule| {
            matches!(s.motion, Motion::Free | Motion::Recursion(_)) && theirs.iter().any(|t| t.name == s.name)
        };
        let shared = (0..ours.len()).filter(|j| is_shared(&ours[*j])).map(|j| schedule(j, 0));
        let names: Vec<String> = shared.map(|v| name(self.script, &symbol_name(self.first, self.second, v))).collect();
        format!("with the same {} in both texts {message}", names.join(", "))
    }

    fn renamed(&self, witness: &Witness) -> Option<RenamedReport> {
        if witness.repeat.is_some() {
            return None;
        }
        // Where B's sequences are spoken of together with A's, those of A's names are told apart: `t_B[k]`.
        let (mut marked, names) = (self.second.clone(), self.shared_names());
        let own = |name: &str| names.iter().find_map(|n| Some(format!("{n}{}", name.strip_prefix(&format!("{n}_B"))?)));
        for s in marked.system.schedules.list.iter_mut().filter(|s| names.contains(&s.name)) {
            s.name.push_str("_B");
        }
        let speaker = Speaker { roots: self.roots.clone(), second: &marked, ..*self };
        let mut branch = speaker.way(witness, witness.branches.first()?);
        speaker.add_laws(&witness.sequences, &mut branch);
        let parameters = branch.parameters.into_iter().map(|(p, value)| (own(&p).unwrap_or(p), value)).collect();
        let moved = self.moved(witness);
        let mut found = RenamedReport {
            relation: witness.relation.word(),
            generality: witness.generality.word(),
            shift: witness.shift.clone(),
            parameters,
            conditions: branch.conditions,
            assumptions: witness.assumptions.iter().map(|a| self.assumption(a)).collect(),
            moved: moved.as_ref().map(|(by, _)| *by),
        };
        // Calls that are the same with other numbers stay where they are.
        if let Some((by, places)) = moved.filter(|_| witness.shift.iter().any(|m| *m != 0)) {
            found.shift.fill(0);
            found.relation =
                if witness.relation == Relation::Shift { Relation::Oracle } else { witness.relation }.word();
            let own = self.first.system.schedules.list.len();
            for (n, j) in places {
                let theirs = symbol_name(self.first, self.second, schedule(own + n, 0));
                found.parameters.insert(theirs, self.rational(&RationalFunction::variable(schedule(j, -by))));
            }
        }
        Some(found)
    }

    /// The names that sequences of both texts have.
    fn shared_names(&self) -> Vec<String> {
        let is_named = |s: &&Schedule| matches!(s.motion, Motion::Free | Motion::Recursion(_));
        let [ours, theirs] = [self.first, self.second].map(|x| x.system.schedules.list.iter().filter(is_named));
        let ours: Vec<&String> = ours.map(|s| &s.name).collect();
        theirs.map(|s| s.name.clone()).filter(|name| ours.contains(&name)).collect()
    }

    /// By how many iterations all of B's sequences are those of A that have their names, but earlier, and which these
    /// are.
    fn moved(&self, witness: &Witness) -> Option<(i64, Vec<(usize, usize)>)> {
        let (ours, theirs) = (&self.first.system.schedules.list, &self.second.system.schedules.list);
        let shift = witness.shift.first().copied().filter(|m| witness.shift.iter().all(|n| n == m))?;
        // What depends on the index itself is moved with the calls.
        let counts = |s: &Schedule| matches!(s.motion, Motion::Clock | Motion::Power(_));
        if shift != 0 && ours.iter().chain(theirs).any(counts) {
            return None;
        }
        let mut moved = None;
        let mut places = Vec::new();
        for (n, s) in theirs.iter().enumerate() {
            if !matches!(s.motion, Motion::Free | Motion::Recursion(_)) {
                continue;
            }
            let at = witness.sequences.place[n];
            let law = witness.sequences.laws.iter().find(|(j, _)| *j == at).map(|(_, law)| law.clone());
            let law = law.unwrap_or_else(|| RationalFunction::variable(schedule(at, 0)));
            let [v] = law.variables()[..] else { return None };
            let (j, offset) = scheduled(v).filter(|_| law == RationalFunction::variable(v))?;
            let by = -offset + shift;
            if ours.get(j)?.name != s.name || moved.is_some_and(|known| known != by) {
                return None;
            }
            moved = Some(by);
            places.push((n, j));
        }
        moved.filter(|by| *by != 0).map(|by| (by, places))
    }

    fn run(&self, run: &Refutation, nearest: &Nearest) -> RunReport {
        let numbers = |side: Side| -> BTreeMap<String, String> {
            let symbols = run.numbers.iter().map(|(v, x)| (*v, x.to_string()));
            let matrices = run.operators.iter().map(|(v, m)| (*v, matrix(m)));
            let own =
                symbols.chain(matrices).filter(|(v, _)| !is_coefficient(*v) && self.whose(*v, nearest).contains(&side));
            let named = |v: Variable| if side == Side::Second { self.in_second(v, nearest) } else { v };
            own.map(|(v, x)| (symbol_name_at_start(self.first, self.second, named(v)), x)).collect()
        };
        let exchange = |e: &Exchange| ExchangeReport {
            iteration: e.iteration,
            channel: e.channel,
            oracle: self.oracle(Side::First, e.channel),
            query: vector(&e.query),
            answer: vector(&e.answer),
        };
        let pair = nearest.channel_map[run.pair];
        let oracle = self.call(Side::Second, pair.1);
        let (expected, asked) = (vector(&run.queries.0), vector(&run.queries.1));
        let constants = if self.second.system.constants.is_empty() { "" } else { " and no constants" };
        let all =
            if run.others.is_empty() { "all before the last" } else { "those that are before the last in B, too" };
        let message = format!(
            "with these numbers no start{constants} of B makes these calls: if it makes {all}, then in its \
             iteration {} it asks {oracle} at {asked}, not at {expected}",
            run.iteration as i64 + run.origin
        );
        RunReport {
            first: numbers(Side::First),
            second: numbers(Side::Second),
            constants: self
                .first
                .system
                .constants
                .iter()
                .zip(&run.constants)
                .map(|(c, x)| (c.name.clone(), vector(x)))
                .collect(),
            start: run.start.iter().enumerate().map(|(i, x)| self.started(run, i, &vector(x))).collect(),
            calls: run.calls.iter().map(exchange).collect(),
            origin: run.origin,
            modulus: run.modulus,
            pair,
            iteration: run.iteration,
            expected,
            asked,
            message,
            answers: answers(run),
        }
    }
}

/// What the answers of a run are.
fn answers(run: &Refutation) -> String {
    let linear = run.linear.iter().map(|(f, m)| format!("for the linear {f} those of the matrix {}; ", matrix(m)));
    let others = if run.linear.is_empty() { "" } else { "otherwise " };
    let linear: String = linear.collect();
    format!("{linear}{others}arbitrary numbers, the same for the same query; nothing else is assumed of the oracles")
}

/// The obstruction for people.
pub fn obstruction_text(report: &ObstructionReport) -> String {
    let mut out = difference_text(report, usize::MAX);
    out.push_str(&proof_text(report));
    out
}

/// What differs, no more than so many entries.
pub fn difference_text(report: &ObstructionReport, many: usize) -> String {
    let [a, b] = [Side::First, Side::Second].map(|side| report.parties.name(side));
    let mut out = String::new();
    let _ = writeln!(out, "Distinct: {}.", report.message);
    for pair in &report.pairs {
        let _ = writeln!(out, "  paired      {pair}");
    }
    if let Some((m, n)) = report.orders.filter(|(m, n)| m != n && report.kind != "order") {
        let _ = writeln!(out, "  orders      {m} in {a}, {n} in {b}");
    }
    if let Some(branch) = &report.nearest {
        for (p, value) in &branch.parameters {
            let _ = writeln!(out, "  nearest     {b}'s {} = {value}", name(Script::Unicode, p));
        }
        for c in branch.conditions.iter().filter(|c| c.contains(" = ")) {
            let _ = writeln!(out, "  nearest     {c}");
        }
    }
    for e in report.entries.iter().take(many) {
        let _ = writeln!(out, "  differs     {}: {} in {a}, {} in {b}", e.label, e.first, e.second);
    }
    if report.entries.len() > many {
        let _ = writeln!(out, "  differs     and {} more entries", report.entries.len() - many);
    }
    out
}

/// Where all agrees after all, and a run that shows that it does not elsewhere.
fn proof_text(report: &ObstructionReport) -> String {
    let mut out = String::new();
    for branch in &report.degenerate {
        let mut all: Vec<String> = branch.conditions.iter().filter(|c| c.contains(" = ")).cloned().collect();
        all.extend(branch.parameters.iter().map(|(p, v)| format!("B's {} = {v}", name(Script::Unicode, p))));
        let _ = writeln!(out, "  degenerate  they agree where {}", all.join(", "));
    }
    if let Some(run) = &report.run {
        let list = |side: Side, numbers: &BTreeMap<String, String>| {
            numbers
                .iter()
                .map(|(p, x)| format!("{}'s {} = {x}", letter(side), name(Script::Unicode, p)))
                .collect::<Vec<_>>()
        };
        let mut numbers = list(Side::First, &run.first);
        numbers.extend(list(Side::Second, &run.second));
        numbers.extend(run.constants.iter().map(|(c, x)| format!("{c} = {x}")));
        if !numbers.is_empty() {
            let _ = writeln!(out, "  run         {}", numbers.join(", "));
        }
        if !run.start.is_empty() {
            let _ = writeln!(out, "  run         A starts with {}", run.start.join(", "));
        }
        for calls in run.calls.chunk_by(|c, d| c.iteration == d.iteration) {
            let call = |c: &ExchangeReport| format!("{}{} = {}", c.oracle, argument(&c.query), c.answer);
            let listed: Vec<String> = calls.iter().map(call).collect();
            let _ =
                writeln!(out, "  run         k = {}: {}", calls[0].iteration as i64 + run.origin, listed.join(", "));
        }
        if let Some(p) = run.modulus {
            let _ = writeln!(
                out,
                "  run         all numbers are integers modulo {p}, where the square roots that are needed exist"
            );
        }
        let _ = writeln!(out, "  run         {}", run.message);
        let _ = writeln!(out, "  run         the answers are {}", run.answers);
    }
    if let Some(other) = &report.renamed {
        let mut all: Vec<String> = other.conditions.iter().filter(|c| c.contains(" = ")).cloned().collect();
        all.extend(other.parameters.iter().map(|(p, v)| format!("B's {} = {v}", name(Script::Unicode, p))));
        all.extend(other.assumptions.iter().map(|assumed| format!("assuming {assumed}")));
        if other.shift.iter().any(|m| *m != 0) {
            all.push(format!("shift {:?}", other.shift));
        }
        let if_so = match other.moved {
            Some(by) => format!("if B's numbers are those of A {}", iterations(by)),
            None => "if what has one name need not be the same".to_string(),
        };
        let _ = writeln!(out, "  otherwise   {if_so}, they are related ({}): {}", other.relation, all.join(", "));
    }
    if let Some(why) = report.no_run.filter(|_| !report.pairs.is_empty() || report.kind == "oracles") {
        let _ = writeln!(out, "  run         none is shown: {why}");
    }
    out
}

/// `one iteration later` for −1.
fn iterations(by: i64) -> String {
    let count = if by.abs() == 1 { "one iteration".to_string() } else { format!("{} iterations", by.abs()) };
    format!("{count} {}", if by < 0 { "later" } else { "earlier" })
}

/// `3`, or `(1, 2)`.
fn vector(x: &[Rational]) -> String {
    match x {
        [one] => one.to_string(),
        many => format!("({})", many.iter().map(Rational::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// `(3)`, or `(1, 2)`.
fn argument(query: &str) -> String {
    if query.starts_with('(') { query.to_string() } else { format!("({query})") }
}

/// `[[1, 2], [0, 1]]`.
fn matrix(m: &Matrix<RationalFunction>) -> String {
    let entry = |e: &RationalFunction| e.as_rational().map_or_else(|| "?".to_string(), |x| x.to_string());
    let row = |i: usize| format!("[{}]", m.row(i).iter().map(entry).collect::<Vec<_>>().join(", "));
    format!("[{}]", (0..m.rows()).map(row).collect::<Vec<_>>().join(", "))
}

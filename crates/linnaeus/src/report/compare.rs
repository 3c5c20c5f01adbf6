//! What `compare` says, as data and as text.

use super::entry::EntryPrinter;
use super::expression::{Names, Printer, Script, name, product, sum};
use super::show::oracle_name;
use crate::FUEL;
use crate::relation::behavior::{Side, owner};
use crate::relation::graph::Special;
use crate::relation::state_map::{Combination, Source, StateMap, skipped, state_map};
use crate::relation::{
    Assumption, Comparison, Conjugate, Generality, Limit, Obstruction, Recheck, Relation, Sign, Verdict, Witness,
    symbol_name,
};
use crate::system::schedule::schedule;
use crate::system::{Space, Z, operator_symbol};
use crate::transfer::{Analysis, State, Transfer};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Integer, Polynomial, Rational, RationalFunction, Variable, with_fuel};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The answer of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Compare {
    /// The version of this form.
    pub schema: u32,
    /// `related`, `distinct` or `undecided`.
    pub verdict: &'static str,
    /// How they are related.
    pub relation: Option<&'static str>,
    /// How general that is.
    pub generality: Option<&'static str>,
    /// Whether it holds with the same values, where both texts use the same names.
    pub same_parameters: Option<bool>,
    /// Which algorithm is taken several times, and how often.
    pub repeat: Option<RepeatReport>,
    /// Pairs of channels, from 0; those of a repeated algorithm are numbered on from one iteration
    /// to the next.
    pub channel_map: Vec<(usize, usize)>,
    /// m with H_A = Θ H_B Θ⁻¹, Θ = diag(z^(-m_i) c_i).
    pub shift: Vec<i64>,
    /// c, on the first branch.
    pub filters: Vec<String>,
    /// How pairs of B's oracle become pairs of A's.
    pub matrices: Vec<[[String; 2]; 2]>,
    /// B's parameters and operators in terms of A's, on the first branch.
    pub parameters: BTreeMap<String, String>,
    /// Under which conditions on the parameters, on the first branch.
    pub conditions: Vec<String>,
    /// What is assumed of functions and operators.
    pub assumptions: Vec<String>,
    /// T with ξ_B = T ξ_A between minimal realizations, on the first branch.
    pub state_map: Option<Vec<Vec<String>>>,
    /// How B is started to make A's calls, and what must be zero for that.
    pub initialization: Vec<String>,
    /// The channels whose first so many calls A makes and B does not.
    pub skipped: Vec<(usize, usize)>,
    /// Every branch.
    pub branches: Vec<BranchReport>,
    /// Why they are not related.
    pub obstruction: Option<String>,
    /// The limit that stopped the search.
    pub limit: Option<&'static str>,
    /// `passed` or `not-simulable`.
    pub recheck: Option<&'static str>,
}

/// How often an algorithm is repeated.
#[derive(Clone, Debug, Serialize)]
pub struct RepeatReport {
    /// `A` or `B`.
    pub side: &'static str,
    /// How many of its iterations are one of the other's.
    pub count: usize,
}

/// One way to choose the parameters.
#[derive(Clone, Debug, Serialize)]
pub struct BranchReport {
    /// B's parameters and operators in terms of A's.
    pub parameters: BTreeMap<String, String>,
    /// B's parameters that are arbitrary.
    pub free: Vec<String>,
    /// Conditions.
    pub conditions: Vec<String>,
}

impl Compare {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }
}

/// The comparison as data, formulas as SymPy reads them.
pub fn compare(first: &Analysis, second: &Analysis, comparison: &Comparison) -> Compare {
    compare_in(first, second, comparison, Script::Sympy)
}

fn compare_in(first: &Analysis, second: &Analysis, comparison: &Comparison, script: Script) -> Compare {
    let mut report = Compare {
        schema: 1,
        verdict: "distinct",
        relation: None,
        generality: None,
        same_parameters: None,
        repeat: None,
        channel_map: Vec::new(),
        shift: Vec::new(),
        filters: Vec::new(),
        matrices: Vec::new(),
        parameters: BTreeMap::new(),
        conditions: Vec::new(),
        assumptions: Vec::new(),
        state_map: None,
        initialization: Vec::new(),
        skipped: Vec::new(),
        branches: Vec::new(),
        obstruction: None,
        limit: None,
        recheck: None,
    };
    match &comparison.verdict {
        Verdict::Related(witness) => fill(&mut report, first, second, witness, comparison.recheck, script),
        Verdict::Distinct(obstruction) => report.obstruction = Some(explain(first, second, obstruction)),
        Verdict::Undecided(limit) => {
            report.verdict = "undecided";
            report.limit = Some(match limit {
                Limit::Work => "the work limit was reached",
                Limit::Equations => "the equations for the parameters could not be split",
                Limit::Candidates => "there are too many shifts or pairings of oracles",
                Limit::Recheck => "an answer was found but did not pass its re-check",
            });
        }
    }
    report
}

/// Writes formulas of a comparison.
struct Speaker<'a> {
    first: &'a Analysis,
    second: &'a Analysis,
    script: Script,
}

impl Speaker<'_> {
    /// A symbol's name; the second's carry a mark where the first has the same name.
    fn name(&self, v: Variable) -> String {
        let own = symbol_name(self.first, self.second, v);
        let system = &self.first.system;
        let clash = system.parameters.contains(&own) || system.operators.iter().any(|o| o.name == own);
        if Side::of(v) == Side::Second && clash { format!("{own}_B") } else { own }
    }

    fn value(&self, value: &Value) -> String {
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        match value {
            Value::Rational(r) => printer.rational(r),
            Value::Root { a, b, radicand } => {
                let root = match self.script {
                    Script::Sympy => format!("sqrt({})", printer.polynomial(radicand)),
                    Script::Unicode => format!("√({})", printer.polynomial(radicand)),
                    Script::Latex => format!("\\sqrt{{{}}}", printer.polynomial(radicand)),
                };
                let b = format!("({})", printer.rational(b));
                let product = printer.join(&[b, root]);
                if a.is_zero() { product } else { format!("{} + {product}", printer.rational(a)) }
            }
        }
    }

    /// Everything that must not vanish, one line per parameter where that is possible.
    fn exceptions(&self, nonzero: &[Polynomial]) -> Vec<String> {
        let mut by_variable: BTreeMap<Variable, Vec<Rational>> = BTreeMap::new();
        let mut other = Vec::new();
        for p in nonzero {
            match single_value(p) {
                Some((v, value)) => by_variable.entry(v).or_default().push(value),
                None => other.push(p),
            }
        }
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        let mut lines = Vec::new();
        for (v, mut values) in by_variable {
            values.sort();
            values.dedup();
            let list: Vec<String> = values.iter().map(Rational::to_string).collect();
            let name = name(self.script, &self.name(v));
            lines.push(match list.as_slice() {
                [one] => format!("{name} != {one}"),
                many => format!("{name} not in {{{}}}", many.join(", ")),
            });
        }
        lines.extend(other.into_iter().map(|p| format!("{} != 0", printer.polynomial(p))));
        lines
    }

    fn branch(&self, witness: &Witness, branch: &Branch) -> BranchReport {
        let mut parameters = BTreeMap::new();
        let mut conditions = Vec::new();
        for (v, value) in &branch.values {
            if Side::of(*v) == Side::Second && !crate::relation::is_coefficient(*v) {
                parameters.insert(symbol_name(self.first, self.second, *v), self.value(value));
            } else if !crate::relation::is_coefficient(*v) {
                conditions.push(format!("{} = {}", name(self.script, &self.name(*v)), self.value(value)));
            }
        }
        for (v, value) in &witness.operators {
            let fixed = value.substitute(&|c| match branch.values.get(&c) {
                Some(Value::Rational(r)) if crate::relation::is_coefficient(c) => Some(r.clone()),
                _ => None,
            });
            let Ok(Some(value)) = fixed else { continue };
            let text = self.value(&Value::Rational(value));
            match Side::of(*v) {
                Side::Second => drop(parameters.insert(symbol_name(self.first, self.second, *v), text)),
                Side::First => conditions.push(format!("{} = {text}", name(self.script, &self.name(*v)))),
            }
        }
        let own = self.first.system.schedules.list.len();
        for (j, law) in &witness.sequences.laws {
            let text = self.value(&Value::Rational(law.clone()));
            let name = symbol_name(self.first, self.second, schedule(*j, 0));
            if *j < own {
                conditions.push(format!("{name} = {text}"));
            } else {
                parameters.insert(name, text);
            }
        }
        for (v, value) in &branch.conditions {
            let left = name(self.script, &self.name(*v));
            conditions.push(format!("{left} = {}", self.value(value)));
        }
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        conditions.extend(branch.relations.iter().map(|p| format!("{} = 0", printer.polynomial(p))));
        conditions.extend(self.exceptions(&branch.nonzero));
        BranchReport { parameters, free: branch.free.iter().map(|v| self.name(*v)).collect(), conditions }
    }
}

/// States as they are when an algorithm starts.
impl Speaker<'_> {
    /// `x[-1]`; the answers of a channel are `u` with its number from 1.
    fn state(&self, side: Side, index: usize) -> String {
        let analysis = if side == Side::First { self.first } else { self.second };
        let Transfer::Commuting { realization, .. } = &analysis.transfer else {
            return "?".to_string();
        };
        match realization.states[index] {
            State::Signal(s, offset) => self.at(side, &analysis.system.signals[s].name, offset),
            State::Answer(channel, age) => format!("{}[{age}]", self.answer(side, channel)),
        }
    }

    fn at(&self, side: Side, own: &str, time: i32) -> String {
        let clash = self.first.system.signals.iter().any(|s| s.name == *own);
        let mark = if side == Side::Second && clash { "_B" } else { "" };
        format!("{}{mark}[{time}]", name(self.script, own))
    }

    /// What the answers of a channel are called.
    fn answer(&self, side: Side, channel: usize) -> String {
        let taken = |stem: &str| {
            let mut signals = self.first.system.signals.iter().chain(&self.second.system.signals);
            signals.any(|s| s.name.strip_prefix(stem).is_some_and(|n| n.chars().all(|c| c.is_ascii_digit())))
        };
        let stem = ["u", "answer", "oracle_answer"].into_iter().find(|s| !taken(s)).unwrap_or("u");
        format!("{stem}{}{}", channel + 1, if side == Side::Second { "_B" } else { "" })
    }

    /// Says what the answers are that some lines mention.
    fn answers_in(&self, lines: &[String]) -> Vec<String> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let mentioned = |word: &str| lines.iter().any(|l| l.split(|c| !is_name(c)).any(|w| w == word));
        let mut found = Vec::new();
        for (analysis, side, whose) in [(self.first, Side::First, "A"), (self.second, Side::Second, "B")] {
            for (i, channel) in analysis.channels.iter().enumerate() {
                let answer = self.answer(side, i);
                if mentioned(&answer) {
                    let oracle = oracle_name(&channel.oracle, &analysis.system, self.script);
                    found.push(format!("{answer} being the answers of {whose}'s {oracle}"));
                }
            }
        }
        found
    }

    fn source(&self, source: Source) -> (String, Space) {
        let (first, second) = (&self.first.system, &self.second.system);
        match source {
            Source::State(i) => {
                let states = match &self.first.transfer {
                    Transfer::Commuting { realization, .. } => &realization.states,
                    Transfer::Noncommuting { realization, .. } => &realization.states,
                };
                (self.state(Side::First, i), space_of(self.first, &states[i]))
            }
            Source::Answer(c, t) => {
                let space = first.calls[self.first.channels[c].call].output;
                (format!("{}[{t}]", self.answer(Side::First, c)), space)
            }
            Source::Constant(j) => {
                let constant = first.constants.get(j).unwrap_or_else(|| &second.constants[j]);
                (name(self.script, &constant.name), constant.space)
            }
        }
    }

    /// `2*x1[0] - x2[0]`.
    fn combination(&self, combination: &Combination) -> String {
        let term = |(source, c): &(Source, RationalFunction)| {
            let text = self.term(*source, c);
            match text.strip_prefix('-') {
                Some(rest) => (true, rest.to_string()),
                None => (false, text),
            }
        };
        sum(combination.iter().map(term).collect())
    }

    fn term(&self, source: Source, coefficient: &RationalFunction) -> String {
        let (known, space) = self.source(source);
        self.product(coefficient, &known, Side::First, space)
    }

    /// A coefficient times a vector of one side's space, the adjoint written where that side's
    /// operators need it.
    fn product(&self, coefficient: &RationalFunction, vector: &str, side: Side, space: Space) -> String {
        let variables = coefficient.variables();
        if variables.iter().any(|v| is_operator(*v)) && variables.iter().all(|v| Side::of(*v) == side) {
            let system = if side == Side::First { &self.first.system } else { &self.second.system };
            let entry = EntryPrinter { system, script: self.script };
            let times = if self.script == Script::Sympy { "*" } else { "·" };
            return format!("{}{times}{vector}", entry.commuting(&coefficient.rename(&|v| owner(v).1), space));
        }
        let names: Names = &|v| {
            if v == KNOWN { vector.to_string() } else { self.name(v) }
        };
        let printer = Printer { script: self.script, names };
        let product = coefficient.mul(&RationalFunction::variable(KNOWN));
        product.map_or_else(|_| "?".to_string(), |p| printer.rational(&p))
    }

    /// One equation per state of the second, then what must be zero.
    fn initialization(&self, map: &StateMap) -> Vec<String> {
        let start = map.initialization.iter().map(|(j, c)| self.start(*j, c));
        start.chain(map.required.iter().map(|c| format!("{} = 0", self.combination(c)))).collect()
    }

    /// `v[0] = W*x[0]`. Operators need not have inverses: they stand on the side where they multiply.
    fn start(&self, state: usize, combination: &Combination) -> String {
        let vector = self.state(Side::Second, state);
        let factor = operator_denominator(combination).unwrap_or_else(|_| RationalFunction::one());
        let times = |(s, c): &(Source, RationalFunction)| Ok((*s, c.mul(&factor)?));
        let Ok(right) = combination.iter().map(times).collect::<Result<Combination, Exhausted>>() else {
            return format!("{vector} = {}", self.combination(combination));
        };
        let Transfer::Commuting { realization, .. } = &self.second.transfer else {
            return vector;
        };
        let left = self.product(
            &factor,
            &vector,
            self.operator_side(&factor),
            space_of(self.second, &realization.states[state]),
        );
        format!("{left} = {}", self.combination(&right))
    }

    fn operator_side(&self, factor: &RationalFunction) -> Side {
        factor.variables().first().map_or(Side::Second, |v| Side::of(*v))
    }
}

/// The least product of sums of operators that clears them from all denominators.
fn operator_denominator(combination: &Combination) -> Result<RationalFunction, Exhausted> {
    let mut common = RationalFunction::one();
    for (_, c) in combination {
        let rest = c.mul(&common)?.denominator().clone();
        for (f, n) in product(&rest).factors {
            if f.variables().iter().any(|v| is_operator(*v)) {
                common = common.mul(&RationalFunction::polynomial(f.pow(n)?))?;
            }
        }
    }
    Ok(common)
}

fn is_operator(v: Variable) -> bool {
    owner(v).1.0 >= operator_symbol(0).0 && !crate::relation::is_coefficient(v) && v != Z
}

fn space_of(analysis: &Analysis, state: &State) -> Space {
    match *state {
        State::Signal(s, _) => analysis.system.signals[s].space,
        State::Answer(c, _) => analysis.system.calls[analysis.channels[c].call].output,
    }
}

/// Stands for a vector in a product with a coefficient.
const KNOWN: Variable = Variable(4_000_000);

/// β − 1 → (β, 1); β → (β, 0).
fn single_value(p: &Polynomial) -> Option<(Variable, Rational)> {
    let [v] = p.variables()[..] else { return None };
    let coefficients = p.coefficients_in(v);
    let [c0, c1] = &coefficients[..] else {
        return None;
    };
    let (c0, c1) = (c0.as_integer()?, c1.as_integer()?);
    (c1 != Integer::ZERO).then(|| (v, -Rational::from(c0) / Rational::from(c1)))
}

fn fill(
    report: &mut Compare,
    first: &Analysis,
    second: &Analysis,
    witness: &Witness,
    recheck: Option<Recheck>,
    script: Script,
) {
    let speaker = Speaker { first, second, script };
    report.verdict = "related";
    report.relation = Some(witness.relation.word());
    report.generality = Some(witness.generality.word());
    report.same_parameters = witness.same_parameters;
    report.repeat = witness.repeat.map(|(side, count)| RepeatReport { side: letter(side), count });
    report.channel_map = witness.channel_map.clone();
    report.shift = witness.shift.clone();
    report.filters = filters(witness).iter().map(|c| speaker.value(&Value::Rational(c.clone()))).collect();
    let entry = |m: &linnaeus_algebra::Matrix<linnaeus_algebra::RationalFunction>, i: usize, j: usize| {
        speaker.value(&Value::Rational(m[(i, j)].clone()))
    };
    report.matrices =
        witness.matrices.iter().map(|m| [[entry(m, 0, 0), entry(m, 0, 1)], [entry(m, 1, 0), entry(m, 1, 1)]]).collect();
    report.branches = witness.branches.iter().map(|b| speaker.branch(witness, b)).collect();
    if let Some(branch) = report.branches.first() {
        report.parameters = branch.parameters.clone();
        report.conditions = branch.conditions.clone();
    }
    report.assumptions = witness.assumptions.iter().map(|a| speaker.assumption(a)).collect();
    report.skipped = skipped(witness);
    let is_plain = witness.repeat.is_none() && witness.filters.iter().all(RationalFunction::is_one);
    let map = if is_plain { with_fuel(FUEL, || state_map(first, second, witness)) } else { Ok(None) };
    if let Ok(Some(map)) = map {
        let row = |i: usize| map.t.row(i).iter().map(|e| speaker.value(&Value::Rational(e.clone()))).collect();
        report.state_map = Some((0..map.t.rows()).map(row).collect());
        report.initialization = speaker.initialization(&map);
    }
    report.recheck = recheck.map(|r| match r {
        Recheck::Passed => "passed",
        Recheck::NotSimulable | Recheck::Failed => "not-simulable",
    });
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "A",
        Side::Second => "B",
    }
}

/// The filters on the first branch, one per pair of channels.
fn filters(witness: &Witness) -> Vec<RationalFunction> {
    if witness.filters.is_empty() {
        return vec![RationalFunction::one(); witness.channel_map.len()];
    }
    let on_branch = |c: &RationalFunction| {
        let branch = witness.branches.first()?;
        with_fuel(FUEL, || crate::relation::on_branch(c, branch)).ok()?
    };
    witness.filters.iter().map(|c| on_branch(c).unwrap_or_else(|| c.clone())).collect()
}

impl Speaker<'_> {
    fn assumption(&self, a: &Assumption) -> String {
        match a {
            Assumption::Function(side, f, Special::Zero) => format!("{f} = 0 in {}", letter(*side)),
            Assumption::Function(side, f, Special::IndicatorOfZero) => {
                format!("{f} is the indicator of {{0}} in {}", letter(*side))
            }
            Assumption::ZeroConstant(side, name) => format!("{name} = 0 in {}", letter(*side)),
            Assumption::Identity(side, i) => {
                let system = if *side == Side::First { &self.first.system } else { &self.second.system };
                format!("{} = I in {}", system.operators[*i].name, letter(*side))
            }
            Assumption::Positive(c) => format!("{} > 0", self.value(&Value::Rational(c.clone()))),
            Assumption::Dual(pairs) => {
                let argument = |sign: Sign| if sign == Sign::Minus { "(-·)" } else { "" };
                let pair = |c: &Conjugate| format!("{} of A is {}*{} of B", c.first, c.second, argument(c.sign));
                format!("A is the dual of B: {}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

fn explain(first: &Analysis, second: &Analysis, obstruction: &Obstruction) -> String {
    match obstruction {
        Obstruction::Channels { first, second } => {
            format!("the oracles cannot be paired: {} against {}", first.join(", "), second.join(", "))
        }
        Obstruction::Entries { channel_map, orders, .. } => {
            let label = |a: &Analysis, i: usize| oracle_name(&a.channels[i].oracle, &a.system, Script::Sympy);
            let pairs: Vec<String> =
                channel_map.iter().map(|(i, j)| format!("{} with {}", label(first, *i), label(second, *j))).collect();
            let order = if orders.0 == orders.1 {
                String::new()
            } else {
                format!("; their minimal orders are {} and {}", orders.0, orders.1)
            };
            format!("no parameters and no shift make the transfer matrices agree, pairing {}{order}", pairs.join(", "))
        }
    }
}

/// The comparison for people.
pub fn compare_text(first: &Analysis, second: &Analysis, comparison: &Comparison) -> String {
    let report = compare_in(first, second, comparison, Script::Unicode);
    let mut out = String::new();
    let Verdict::Related(witness) = &comparison.verdict else {
        let _ = match (report.obstruction, report.limit) {
            (Some(why), _) => writeln!(out, "Distinct: {why}."),
            (_, Some(limit)) => writeln!(out, "Undecided: {limit}."),
            _ => Ok(()),
        };
        return out;
    };
    let how = match witness.relation {
        Relation::Oracle => "A and B make the same calls",
        Relation::Shift => "A and B make the same calls up to a shift in time",
        Relation::Permutation => "A and B make the same calls with their oracles exchanged",
        Relation::Lft => "A and B are the same in other oracles of the same functions",
        Relation::LinearOracle => "A and B are the same up to filters that linear oracles commute with",
        Relation::Homogeneous => "A and B are the same up to scalings that homogeneous oracles commute with",
        Relation::Repetition => "one iteration of the one is several of the other",
        Relation::Conditional => "A and B are the same under an assumption",
    };
    let repeated = witness.repeat.map(|(side, n)| match side {
        Side::First => format!("one iteration of B is {n} of A"),
        Side::Second => format!("one iteration of A is {n} of B"),
    });
    let is_dual = witness.assumptions.iter().any(|a| matches!(a, Assumption::Dual(_)));
    let how = if is_dual { "A and B are dual to each other" } else { repeated.as_deref().unwrap_or(how) };
    let general = match witness.generality {
        Generality::Equal => "each is as general as the other",
        Generality::Instance => "A is an instance of B",
        Generality::Contains => "A contains B",
        Generality::Overlap => "they meet for some parameters",
    };
    let _ = writeln!(out, "Related: {how}; {general}.");
    for (a, text) in witness.assumptions.iter().zip(&report.assumptions) {
        let word = if matches!(a, Assumption::Dual(_)) { "reading " } else { "assuming" };
        let _ = writeln!(out, "  {word}    {text}");
    }
    // The channels of a repeated algorithm are numbered on from one iteration to the next.
    let label = |a: &Analysis, i: usize| {
        let p = a.channels.len();
        let name = oracle_name(&a.channels[i % p].oracle, &a.system, Script::Unicode);
        let repeated =
            witness.repeat.is_some_and(|(side, _)| std::ptr::eq(a, if side == Side::First { first } else { second }));
        if repeated { format!("{name} of iteration {}", i / p + 1) } else { name }
    };
    for (n, (i, j)) in witness.channel_map.iter().enumerate() {
        let m = witness.shift[n];
        let shift = if m == 0 { String::new() } else { format!(", A's call at k is B's at k - {m}") };
        let _ = writeln!(out, "  oracle      {} in A is {} in B{shift}", label(first, *i), label(second, *j));
    }
    for (n, (i, _)) in witness.channel_map.iter().enumerate() {
        if let Some(c) = report.filters.get(n).filter(|c| *c != "1") {
            let _ = writeln!(out, "  filter      {}: query and answer in A are {c} times those in B", label(first, *i));
        }
    }
    for (n, branch) in report.branches.iter().enumerate() {
        if report.branches.len() > 1 {
            let _ = writeln!(out, "  way {}", n + 1);
        }
        for (p, value) in &branch.parameters {
            let _ = writeln!(out, "  B's         {} = {value}", name(Script::Unicode, p));
        }
        if !branch.free.is_empty() {
            let _ = writeln!(out, "  any         {}", branch.free.join(", "));
        }
        for c in &branch.conditions {
            let _ = writeln!(out, "  where       {c}");
        }
    }
    let speaker = Speaker { first, second, script: Script::Unicode };
    for line in report.initialization.iter().chain(&speaker.answers_in(&report.initialization)) {
        let _ = writeln!(out, "  start       {line}");
    }
    for (i, count) in &report.skipped {
        let calls = if *count == 1 { "call".to_string() } else { format!("{count} calls") };
        let _ = writeln!(out, "  start       B leaves out A's first {calls} of {}", label(first, *i));
    }
    if let Some(recheck) = report.recheck {
        let _ = writeln!(out, "  re-check    {recheck}");
    }
    out
}

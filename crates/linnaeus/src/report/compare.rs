//! What `compare` says, as data and as text.

use super::expression::{Script, name};
use super::known::{Known, known};
use super::obstruction::{ObstructionReport, obstruction, obstruction_text};
use super::show::oracle_name;
use super::speaker::{Parties, Speaker, letter};
use crate::FUEL;
use crate::relation::behavior::Side;
use crate::relation::state_map::{skipped, state_map};
use crate::relation::{Assumption, Comparison, Folded, Generality, Limit, Recheck, Relation, Verdict, Witness, paced};
use crate::transfer::{Analysis, Factor};
use linnaeus_algebra::solve::Value;
use linnaeus_algebra::{RationalFunction, with_fuel};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The answer of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Compare {
    /// The version of this form.
    pub schema: u32,
    /// How the two texts were read, where that is told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<super::reading::ReadingReport>,
    /// `related`, `distinct` or `undecided`.
    pub verdict: &'static str,
    /// How they are related.
    pub relation: Option<&'static str>,
    /// How general that is.
    pub generality: Option<&'static str>,
    /// Whether it was not decided if the other direction holds, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_generality_open: bool,
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
    /// What else may be assumed instead: other multiples of the identity.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_assumptions: Vec<Vec<String>>,
    /// Where sequences begin by their texts, if that was not used: what is said holds for all first values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<String>,
    /// Numbers of A and of B that change with the index and were read as constants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frozen: Vec<String>,
    /// T with ξ_B = T ξ_A between minimal realizations, on the first branch.
    pub state_map: Option<Vec<Vec<String>>>,
    /// ξ_A and ξ_B in terms of the states of the texts when B begins, one formula per component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_map_states: Option<MappedStates>,
    /// Why there is no such T.
    pub no_state_map: Option<&'static str>,
    /// How B is started to make A's calls, and what must be zero for that.
    pub initialization: Vec<String>,
    /// The lines of it that speak of A alone, which must start so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// What answers in it are that B's own text gives: no start sets them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// What must not be zero since it divides by that, and nothing else asks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub start_conditions: Vec<String>,
    /// Whether k in it is the index at which A starts, where coefficients are not defined at 0.
    #[serde(skip)]
    is_open: bool,
    /// The numbers of `branches` among those of the witness.
    #[serde(skip)]
    ways: Vec<usize>,
    /// The channels whose first so many calls A makes and B does not.
    pub skipped: Vec<(usize, usize)>,
    /// Every branch.
    pub branches: Vec<BranchReport>,
    /// Relations of other kinds, where A's parameters do not meet the conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<AlsoReport>,
    /// Why they are not related.
    pub obstruction: Option<ObstructionReport>,
    /// The limit that stopped the search.
    pub limit: Option<&'static str>,
    /// `passed` or `not-simulable`.
    pub recheck: Option<&'static str>,
    /// Calls of the texts whose answers follow from those of other calls. They are no channels of the comparison.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
    /// The channels of both texts without these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<[Vec<String>; 2]>,
    /// That they are the same once parameters which do nothing but scale a function are taken into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folded: Option<FoldedCompare>,
}

/// A branch of another relation, for other parameters.
#[derive(Clone, Debug, Serialize)]
pub struct AlsoReport {
    /// As in the report of a relation.
    pub relation: &'static str,
    /// As in the report of a relation.
    pub generality: &'static str,
    /// As in the report of a relation.
    pub shift: Vec<i64>,
    /// B's parameters.
    pub parameters: BTreeMap<String, String>,
    /// Conditions on A's.
    pub conditions: Vec<String>,
}

impl AlsoReport {
    fn all(speaker: &Speaker, witness: &Witness) -> Vec<AlsoReport> {
        let of = |branch| {
            let way = speaker.way(witness, branch);
            AlsoReport {
                relation: witness.relation.word(),
                generality: witness.generality.word(),
                shift: witness.shift.clone(),
                parameters: way.parameters,
                conditions: way.conditions,
            }
        };
        witness.branches.iter().map(of).collect()
    }

    /// `related (permutation) where c = 1: B's γ = 1`.
    pub(super) fn text(&self) -> String {
        let conditions = match self.conditions.join(", ") {
            none if none.is_empty() => none,
            all => format!(" where {all}"),
        };
        let values = self.parameters.iter().map(|(p, value)| format!("B's {} = {value}", name(Script::Unicode, p)));
        let shift = (self.shift.iter().any(|m| *m != 0)).then(|| format!("shift {:?}", self.shift));
        format!("related ({}){conditions}: {}", self.relation, values.chain(shift).collect::<Vec<_>>().join(", "))
    }
}

/// How texts are related whose functions have taken in parameters.
#[derive(Clone, Debug, Serialize)]
pub struct FoldedCompare {
    /// `g for lam*g in A`.
    pub functions: Vec<String>,
    /// How they are related then.
    pub relation: &'static str,
    /// How general that is.
    pub generality: &'static str,
    /// The shift.
    pub shift: Vec<i64>,
    /// B's parameters in terms of A's.
    pub parameters: BTreeMap<String, String>,
    /// Under which conditions.
    pub conditions: Vec<String>,
    #[serde(skip)]
    sentence: String,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BranchReport {
    /// B's parameters and operators in terms of A's.
    pub parameters: BTreeMap<String, String>,
    /// B's parameters that are arbitrary.
    pub free: Vec<String>,
    /// Conditions.
    pub conditions: Vec<String>,
    /// The filters, if others than on the first branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<Vec<String>>,
    /// How B is started, if otherwise than on the first branch.
    #[serde(flatten)]
    pub start: Option<StartReport>,
}

/// How B is started, with the names of the fields that say so of the first branch.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StartReport {
    /// T.
    pub state_map: Option<Vec<Vec<String>>>,
    /// What it leads from and to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_map_states: Option<MappedStates>,
    /// Why there is none.
    pub no_state_map: Option<&'static str>,
    /// Equations.
    pub initialization: Vec<String>,
    /// Those of them that speak of A alone, which must start so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// What answers in them are that B's own text gives: no start sets them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// What must not be zero since they divide by that, and nothing else asks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub start_conditions: Vec<String>,
    /// Whether k in them is the index at which A starts, where coefficients are not defined at 0.
    #[serde(skip)]
    is_open: bool,
}

/// What a state map leads from and to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MappedStates {
    /// The components of ξ_A.
    #[serde(rename = "A")]
    pub first: Vec<String>,
    /// The components of ξ_B.
    #[serde(rename = "B")]
    pub second: Vec<String>,
}

impl Compare {
    /// How B is started on the first branch.
    fn start(&self) -> StartReport {
        StartReport {
            state_map: self.state_map.clone(),
            state_map_states: self.state_map_states.clone(),
            no_state_map: self.no_state_map,
            initialization: self.initialization.clone(),
            required: self.required.clone(),
            answers: self.answers.clone(),
            start_conditions: self.start_conditions.clone(),
            is_open: self.is_open,
        }
    }

    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }
}

/// The comparison as data, formulas as SymPy reads them.
pub fn compare(first: &Analysis, second: &Analysis, comparison: &Comparison) -> Compare {
    compare_in(first, second, comparison, Script::Sympy)
}

/// The texts as a witness counts their iterations.
pub(super) fn texts<'a>(first: &'a Analysis, second: &'a Analysis, witness: &Witness) -> [Cow<'a, Analysis>; 2] {
    paced(first, second, witness.repeat).unwrap_or([Cow::Borrowed(first), Cow::Borrowed(second)])
}

/// The same, formulas in a script.
pub fn compare_in(first: &Analysis, second: &Analysis, comparison: &Comparison, script: Script) -> Compare {
    let mut report = summary_in(first, second, comparison, script);
    let [first, second] = comparison.texts(first, second);
    if let Verdict::Related(witness) = &comparison.verdict {
        let own = start(first, second, witness, script);
        for (branch, n) in report.branches.iter_mut().zip(&report.ways).skip(1) {
            branch.start = Some(start(first, second, &witness.on_way(*n), script)).filter(|s| *s != own);
        }
        StartReport {
            state_map: report.state_map,
            state_map_states: report.state_map_states,
            no_state_map: report.no_state_map,
            initialization: report.initialization,
            required: report.required,
            answers: report.answers,
            start_conditions: report.start_conditions,
            is_open: report.is_open,
        } = own;
    }
    report
}

/// How the second is started on the first branch.
fn start(first: &Analysis, second: &Analysis, witness: &Witness, script: Script) -> StartReport {
    let mut report = StartReport::default();
    let map = match with_fuel(FUEL, || state_map(first, second, witness)) {
        Ok(map) => map,
        Err(why) => return StartReport { no_state_map: Some(why.reason()), ..report },
    };
    let [first, second] = texts(first, second, witness);
    let speaker = Speaker::new(&first, &second, script).telling(&map, witness.repeat);
    match speaker.state_map(&map) {
        Ok(rows) => {
            let [first, second] = speaker.coordinates(&map, witness);
            report.state_map = Some(rows);
            report.state_map_states = Some(MappedStates { first, second });
        }
        Err(why) => report.no_state_map = Some(why.reason()),
    }
    report.required = speaker.both_starts(&map)[1].clone();
    report.initialization = speaker.starts(&map);
    report.answers = speaker.own_answers(&map);
    report.start_conditions = speaker.start_conditions(&map, witness);
    report.is_open = speaker.is_open(&map);
    report
}

/// The same without the state map.
pub(super) fn summary_in(first: &Analysis, second: &Analysis, comparison: &Comparison, script: Script) -> Compare {
    summary_of(first, second, comparison, script, Parties::Letters)
}

/// The same, the two being called so.
pub(super) fn summary_of(
    first: &Analysis,
    second: &Analysis,
    comparison: &Comparison,
    script: Script,
    parties: Parties,
) -> Compare {
    let mut report = Compare {
        schema: 1,
        readings: Vec::new(),
        verdict: "distinct",
        relation: None,
        generality: None,
        is_generality_open: false,
        same_parameters: None,
        repeat: None,
        channel_map: Vec::new(),
        shift: Vec::new(),
        filters: Vec::new(),
        matrices: Vec::new(),
        parameters: BTreeMap::new(),
        conditions: Vec::new(),
        assumptions: Vec::new(),
        other_assumptions: Vec::new(),
        starts: Vec::new(),
        frozen: frozen(first, second),
        state_map: None,
        state_map_states: None,
        no_state_map: None,
        initialization: Vec::new(),
        required: Vec::new(),
        answers: Vec::new(),
        start_conditions: Vec::new(),
        is_open: false,
        ways: Vec::new(),
        skipped: Vec::new(),
        branches: Vec::new(),
        also: Vec::new(),
        obstruction: None,
        limit: None,
        recheck: None,
        known: known([first, second], comparison, script).iter().map(Known::text).collect(),
        channels: comparison.united.as_ref().map(|texts| texts.each_ref().map(|text| channel_names(text, script))),
        folded: comparison.folded.as_ref().map(|f| folded(f, script)),
    };
    let [first, second] = comparison.texts(first, second);
    match &comparison.verdict {
        Verdict::Related(witness) => {
            let [first, second] = &texts(first, second, witness);
            let speaker = Speaker::new(first, second, script).calling(parties);
            fill(&mut report, &speaker, witness, comparison.recheck);
            report.also.extend(comparison.also.iter().flat_map(|other| AlsoReport::all(&speaker, other)));
        }
        Verdict::Distinct(found) => {
            report.obstruction = Some(obstruction(&Speaker::new(first, second, script).calling(parties), found));
        }
        Verdict::Undecided(limit) => {
            report.verdict = "undecided";
            report.limit = Some(reason(*limit));
        }
    }
    report
}

/// Why a question was left open.
pub fn reason(limit: Limit) -> &'static str {
    match limit {
        Limit::Work => "the work limit was reached",
        Limit::Equations => "the equations for the parameters could not be split",
        Limit::Recursions => "whether numbers that follow different recursions are the same was not found out",
        Limit::Functions => "roots, exponentials or logarithms of what is sought could not be solved for",
        Limit::Calls => "neither calls an oracle, and algorithms are told apart by their calls",
        Limit::Candidates => "there are too many shifts or pairings of oracles",
        Limit::Operators => {
            "whether operators are functions of the other's that are not tried, as roots of such, was not found out"
        }
        Limit::Inverse => "where operators do not commute only single products of them are inverted, no sums",
        Limit::Filters => {
            "filters of linear oracles, and scalings that change with k, are not tried where operators do not commute or numbers change"
        }
        Limit::Recheck => "an answer was found but did not pass its re-check",
    }
}

fn fill(report: &mut Compare, speaker: &Speaker, witness: &Witness, recheck: Option<Recheck>) {
    report.verdict = "related";
    report.relation = Some(witness.relation.word());
    report.generality = Some(witness.generality.word());
    report.is_generality_open = witness.is_open;
    report.same_parameters = witness.same_parameters;
    report.repeat = witness.repeat.map(|(side, count)| RepeatReport { side: letter(side), count });
    report.channel_map = witness.channel_map.clone();
    report.shift = witness.shift.clone();
    report.filters = filters(witness).iter().map(|c| speaker.value(&Value::Rational(c.clone()))).collect();
    let entry = |m: &linnaeus_algebra::Matrix<RationalFunction>, i: usize, j: usize| {
        speaker.value(&Value::Rational(on_first_branch(&m[(i, j)], witness)))
    };
    report.matrices =
        witness.matrices.iter().map(|m| [[entry(m, 0, 0), entry(m, 0, 1)], [entry(m, 1, 0), entry(m, 1, 1)]]).collect();
    report.branches = witness.branches.iter().map(|b| speaker.way(witness, b)).collect();
    report.branches.iter_mut().for_each(|b| speaker.add_laws(&witness.sequences, b));
    for (n, map) in witness.constants.iter().enumerate() {
        speaker.add_constants(witness, (map, &witness.branches[n]), &mut report.branches[n]);
    }
    // Ways that differ in nothing that is told are one.
    let mut told: Vec<BranchReport> = Vec::new();
    for (n, branch) in std::mem::take(&mut report.branches).into_iter().enumerate() {
        if !told.contains(&branch) {
            told.push(branch);
            report.ways.push(n);
        }
    }
    for (branch, n) in told.iter_mut().zip(&report.ways).skip(1) {
        let own = filters(&witness.on_way(*n)).iter().map(|c| speaker.rational(c)).collect();
        branch.filters = Some(own).filter(|own| *own != report.filters);
    }
    report.branches = told;
    if let Some(branch) = report.branches.first() {
        report.parameters = branch.parameters.clone();
        report.conditions = branch.conditions.clone();
    }
    let assumed = |w: &Witness| -> Vec<String> { w.assumptions.iter().map(|a| speaker.assumption(a)).collect() };
    report.assumptions.extend(assumed(witness));
    report.other_assumptions.extend(witness.others.iter().map(assumed));
    report.starts = unused_starts(speaker, witness);
    report.skipped = skipped(witness);
    report.recheck = recheck.map(|r| match r {
        Recheck::Passed => "passed",
        Recheck::NotSimulable | Recheck::Failed => "not-simulable",
    });
}

/// Where sequences begin by either text, unless both say the same of sequences that are one.
fn unused_starts(speaker: &Speaker, witness: &Witness) -> Vec<String> {
    let of = |side: Side| &speaker.system(side).starts;
    let (ours, theirs) = (of(Side::First), of(Side::Second));
    if ours == theirs && witness.sequences.laws.is_empty() {
        return Vec::new();
    }
    let told = |side: Side| of(side).iter().map(move |(_, line)| format!("{line} in {}", letter(side)));
    told(Side::First).chain(told(Side::Second)).collect()
}

/// The filters on the first branch, one per pair of channels.
pub(super) fn filters(witness: &Witness) -> Vec<RationalFunction> {
    if witness.filters.is_empty() {
        return vec![RationalFunction::one(); witness.channel_map.len()];
    }
    witness.filters.iter().map(|c| on_first_branch(c, witness)).collect()
}

/// With the parameters of the first branch, as far as these are rational.
fn on_first_branch(c: &RationalFunction, witness: &Witness) -> RationalFunction {
    let branch = witness.branches.first();
    let found = branch.and_then(|b| with_fuel(FUEL, || crate::relation::on_branch(c, b)).ok().flatten());
    found.unwrap_or_else(|| c.clone())
}

fn channel_names(text: &Analysis, script: Script) -> Vec<String> {
    let names = text.channels.iter().map(|c| (oracle_name(&c.oracle, &text.system, script), c.copy));
    names.map(|(name, copy)| if copy == 0 { name } else { format!("{name} (call {copy})") }).collect()
}

/// The comparison for people.
pub fn compare_text(first: &Analysis, second: &Analysis, comparison: &Comparison) -> String {
    let report = compare_in(first, second, comparison, Script::Unicode);
    let [first, second] = comparison.texts(first, second);
    let (speaker, own) = (Speaker::new(first, second, Script::Unicode), report.start());
    let mut out = String::new();
    let Verdict::Related(witness) = &comparison.verdict else {
        match (&report.obstruction, report.limit) {
            (Some(why), _) => out.push_str(&obstruction_text(why)),
            (_, Some(limit)) => drop(writeln!(out, "Undecided: {limit}.")),
            _ => {}
        };
        for line in &report.known {
            let _ = writeln!(out, "  known       {line}");
        }
        folded_text(&mut out, &report);
        return out;
    };
    let _ = writeln!(out, "Related: {}.", sentence(witness));
    if let Some(same) = report.same_parameters {
        let not = if same { "" } else { "not " };
        let _ = writeln!(out, "  values      {not}with the same values of all that has one name in both");
    }
    for line in &report.known {
        let _ = writeln!(out, "  known       {line}");
    }
    let (readings, assumed) = readings_apart(witness, &report.assumptions);
    for (word, list) in [("reading ", readings), ("assuming", assumed)] {
        for text in list {
            let _ = writeln!(out, "  {word}    {text}");
        }
    }
    for other in &report.other_assumptions {
        let _ = writeln!(out, "  or          {}", other.join(", "));
    }
    if !report.starts.is_empty() {
        let _ = writeln!(out, "  any start   {} is not used: it holds for all first values", report.starts.join(", "));
    }
    for number in &report.frozen {
        let _ = writeln!(out, "  frozen      {number} is read as a constant");
    }
    // The channels of a repeated algorithm are numbered on from one iteration to the next.
    let label = |a: &Analysis, i: usize| {
        let p = a.channels.len();
        let name = oracle_name(&a.channels[i % p].oracle, &a.system, Script::Unicode);
        let name = match a.channels[i % p].copy {
            0 => name,
            n => format!("{name} (call {n})"),
        };
        let repeated =
            witness.repeat.is_some_and(|(side, _)| std::ptr::eq(a, if side == Side::First { first } else { second }));
        if repeated { format!("{name} of iteration {}", i / p + 1) } else { name }
    };
    for (n, (i, j)) in witness.channel_map.iter().enumerate() {
        let m = witness.shift[n];
        let shift = if m == 0 { String::new() } else { format!(", A's call at k is B's at {}", earlier(m)) };
        let _ = writeln!(out, "  oracle      {} in A is {} in B{shift}", label(first, *i), label(second, *j));
    }
    let filtered = |out: &mut String, filters: &[String]| {
        for ((i, _), c) in witness.channel_map.iter().zip(filters).filter(|(_, c)| *c != "1") {
            let _ = writeln!(out, "  filter      {}: query and answer in A are {c} times those in B", label(first, *i));
        }
    };
    let (has_filters, has_starts) =
        (report.branches.iter().any(|b| b.filters.is_some()), report.branches.iter().any(|b| b.start.is_some()));
    if !has_filters {
        filtered(&mut out, &report.filters);
    }
    for (n, (i, _)) in witness.channel_map.iter().enumerate().filter(|_| witness.relation == Relation::Homogeneous) {
        if let Some([[a, zero], [other, b]]) = report.matrices.get(n)
            && (zero.as_str(), other.as_str()) == ("0", "0")
            && a != b
        {
            let (i, times) = (label(first, *i), |c: &str| if c == "1" { String::new() } else { format!("{c} times ") });
            let _ = writeln!(
                out,
                "  scale       {i}: the query in A is {}that in B, the answer {}that in B",
                times(a),
                times(b)
            );
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
        // What is assumed has been said.
        let is_said = |c: &String| report.assumptions.contains(&format!("{c} in A"));
        for c in branch.conditions.iter().filter(|c| !is_said(c)) {
            let _ = writeln!(out, "  where       {c}");
        }
        if has_filters {
            filtered(&mut out, branch.filters.as_ref().unwrap_or(&report.filters));
        }
        if has_starts {
            start_text(&mut out, &speaker, branch.start.as_ref().unwrap_or(&own));
        }
    }
    if !has_starts {
        start_text(&mut out, &speaker, &own);
    }
    for (i, count) in &report.skipped {
        let calls = if *count == 1 { "call".to_string() } else { format!("{count} calls") };
        let _ = writeln!(out, "  start       B leaves out A's first {calls} of {}", label(first, *i));
    }
    if let Some(recheck) = report.recheck {
        let _ = writeln!(out, "  re-check    {recheck}");
    }
    for other in &report.also {
        let _ = writeln!(out, "  also        {}", other.text());
    }
    folded_text(&mut out, &report);
    out
}

/// How B is started, and how A must be.
fn start_text(out: &mut String, speaker: &Speaker, start: &StartReport) {
    let (theirs, ours) = start.initialization.split_at(start.initialization.len() - start.required.len());
    for line in theirs.iter().chain(&start.answers).chain(&speaker.answers_in(&start.initialization)) {
        let _ = writeln!(out, "  start       {line}");
    }
    for line in ours {
        let _ = writeln!(out, "  start of A  {line}");
    }
    if !start.start_conditions.is_empty() {
        let _ = writeln!(out, "  start       where {}", start.start_conditions.join(", "));
    }
    if start.is_open {
        let _ = writeln!(out, "  start       {} being the index at which A starts", speaker.first.system.letter);
    }
    if let Some(why) = start.no_state_map {
        let _ = writeln!(out, "  start       no state map: {why}");
    }
}

fn folded_text(out: &mut String, report: &Compare) {
    if let Some(folded) = &report.folded {
        let _ = writeln!(out, "  otherwise   {}", folded.text());
    }
}

impl FoldedCompare {
    /// In one sentence.
    pub(super) fn text(&self) -> String {
        let values = self.parameters.iter().map(|(p, value)| format!("B's {} = {value}", name(Script::Unicode, p)));
        let values: Vec<String> = values.chain(self.conditions.iter().cloned()).collect();
        let values = if values.is_empty() { String::new() } else { format!(", {}", values.join(", ")) };
        format!("with {}: {}{values}", self.functions.join(" and "), self.sentence)
    }
}

fn folded(found: &Folded, script: Script) -> FoldedCompare {
    let speaker = Speaker::new(&found.first, &found.second, script);
    let mut branch = found.witness.branches.first().map(|b| speaker.way(&found.witness, b)).unwrap_or_default();
    speaker.add_laws(&found.witness.sequences, &mut branch);
    let times = if script == Script::Unicode { "·" } else { "*" };
    let function = |(side, f): &(Side, Factor)| {
        let (function, factor) = (name(script, &f.function), name(script, &f.parameter));
        format!("{function} for {factor}{times}{function} in {}", letter(*side))
    };
    FoldedCompare {
        functions: found.factors.iter().map(function).collect(),
        relation: found.witness.relation.word(),
        generality: found.witness.generality.word(),
        shift: found.witness.shift.clone(),
        parameters: branch.parameters,
        conditions: branch.conditions,
        sentence: sentence(&found.witness),
    }
}

/// How two algorithms are related.
pub(super) fn how(relation: Relation) -> &'static str {
    match relation {
        Relation::Oracle => "A and B make the same calls",
        Relation::Shift => "A and B make the same calls up to a shift in time",
        Relation::Permutation => "A and B make the same calls with their oracles exchanged",
        Relation::Lft => "A and B are the same in other oracles of the same functions",
        Relation::LinearOracle => "A and B are the same up to filters that linear oracles commute with",
        Relation::Homogeneous => "A and B are the same up to scalings that homogeneous oracles commute with",
        Relation::Repetition => "one iteration of the one is several of the other",
        Relation::Conditional => "A and B are the same under an assumption",
    }
}

/// What is said of a witness's assumptions: how things are named, and what is assumed.
pub(super) fn readings_apart<'a>(witness: &Witness, said: &'a [String]) -> (Vec<&'a str>, Vec<&'a str>) {
    let (readings, assumed): (Vec<_>, Vec<_>) = witness.assumptions.iter().zip(said).partition(|(a, _)| a.is_reading());
    let texts = |list: Vec<(&Assumption, &'a String)>| list.into_iter().map(|(_, text)| text.as_str()).collect();
    (texts(readings), texts(assumed))
}

/// How two algorithms are related, and how general that is.
pub(super) fn sentence(witness: &Witness) -> String {
    let how = how(witness.relation);
    let repeated = witness.repeat.map(|(side, n)| match side {
        Side::First => format!("one iteration of B is {n} of A"),
        Side::Second => format!("one iteration of A is {n} of B"),
    });
    let how = if witness.is_dual() { "A and B are dual to each other" } else { repeated.as_deref().unwrap_or(how) };
    let general = match witness.generality {
        Generality::Equal => "each is as general as the other",
        Generality::Instance => "A is an instance of B",
        Generality::Contains => "A contains B",
        Generality::Overlap => "they meet for some parameters",
    };
    let open = match (witness.is_open, witness.generality) {
        (true, Generality::Instance) => " (whether B also is one of A was not decided)",
        (true, Generality::Contains) => " (whether B also contains A was not decided)",
        _ => "",
    };
    let is_conditional = witness.relation == Relation::Conditional;
    let assumed = if is_conditional && witness.repeat.is_some() { " under an assumption" } else { "" };
    let under = if is_conditional { "under it " } else { "" };
    format!("{how}{assumed}; {under}{general}{open}")
}

/// `k - 1`, so many iterations earlier.
pub(super) fn earlier(m: i64) -> String {
    if m < 0 { format!("k + {}", -m) } else { format!("k - {m}") }
}

/// `alpha in A`.
fn frozen(first: &Analysis, second: &Analysis) -> Vec<String> {
    let sides = [(first, "A"), (second, "B")];
    sides.iter().flat_map(|(x, side)| x.system.frozen.iter().map(move |n| format!("{n} in {side}"))).collect()
}

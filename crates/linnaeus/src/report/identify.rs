//! What `identify` says, as data and as text.

use super::compare::{Compare, compare, readings_apart, reason, summary_of, texts};
use super::expression::{Script, name};
use super::obstruction::{ObstructionReport, difference_text};
use super::show::{Show, oracle_name, show};
use super::speaker::{Parties, Speaker};
use super::text::Palette;
use crate::diagnostic::Severity;
use crate::relation::behavior::Side;
use crate::relation::state_map::state_map;
use crate::relation::{Comparison, Verdict, Witness};
use crate::transfer::{Analysis, Transfer, observed_order};
use crate::zoo::{Card, Identification, Match, Open, Zoo, bibtex};
use crate::{FUEL, Reading};
use linnaeus_algebra::{Matrix, SortedSet, with_fuel};
use serde::Serialize;
use std::fmt::Write;

/// Every card that an algorithm is related to.
#[derive(Clone, Debug, Serialize)]
pub struct Identify {
    /// The version of this form.
    pub schema: u32,
    /// How the text was read.
    pub input: Show,
    /// How many cards were looked at.
    pub zoo: usize,
    /// Related cards, strongest and least special first.
    pub matches: Vec<MatchReport>,
    /// Cards for which a limit left the question open.
    pub undecided: Vec<String>,
    /// Whether samples that calls carry were left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_samples: bool,
    /// Parameters that do nothing but scale a function, which were taken into it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folded: Vec<FoldedReport>,
    /// The nearest cards, where none is related.
    pub near_misses: Vec<NearMissReport>,
}

/// A parameter that was taken into the function that it scales.
#[derive(Clone, Debug, Serialize)]
pub struct FoldedReport {
    /// The function, as which its multiple is meant in what follows.
    pub function: String,
    /// The parameter.
    pub factor: String,
}

impl FoldedReport {
    fn note(&self) -> String {
        let (function, factor) = (name(Script::Unicode, &self.function), name(Script::Unicode, &self.factor));
        format!("{factor} does nothing but scale {function}: below, {function} stands for {factor}·{function}.")
    }
}

/// How the input differs from what cards were asked for.
pub(super) fn notes(found: &Identification) -> Vec<String> {
    let samples = "Samples are left out: all calls of a function are taken for calls of one and the same.";
    let samples = found.asked.iter().filter(|a| a.without_samples).map(|_| samples.to_string());
    let onlookers = found.asked.iter().flat_map(|asked| &asked.onlookers);
    let onlookers: Vec<String> = onlookers.map(|n| name(Script::Unicode, n)).collect();
    let left_out = format!("No call depends on {}, which is left out.", onlookers.join(", "));
    let left_out = (!onlookers.is_empty()).then_some(left_out);
    samples.chain(left_out).chain(folded(found).iter().map(FoldedReport::note)).collect()
}

fn folded(found: &Identification) -> Vec<FoldedReport> {
    let factors = found.asked.iter().flat_map(|asked| &asked.folded);
    factors.map(|f| FoldedReport { function: f.function.clone(), factor: f.parameter.clone() }).collect()
}

/// A card that the input is related to.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// `ALG-0042`.
    pub id: String,
    /// The card's short name.
    pub slug: String,
    /// The card's name.
    pub name: String,
    /// The card's family.
    pub family: String,
    /// `same`, `same-up-to-shift`, …, `under-assumption`.
    pub group: &'static str,
    /// The answer in one line.
    pub answer: String,
    /// Whether numbers of the input that change with the index were taken as constants.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
    /// What `compare` says, the input being A and the card B.
    #[serde(flatten)]
    pub compare: Compare,
    /// Where it was published.
    pub reference: ReferenceReport,
}

/// Where a method was published.
#[derive(Clone, Debug, Serialize)]
pub struct ReferenceReport {
    /// `Lions, Mercier 1979`.
    pub short: String,
    /// All references.
    pub bibtex: String,
    /// What of them could not be confirmed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unconfirmed: String,
}

/// A card that the input is not related to, but comes near.
#[derive(Clone, Debug, Serialize)]
pub struct NearMissReport {
    /// `ALG-0042`.
    pub id: String,
    /// The card's short name.
    pub slug: String,
    /// The card's name.
    pub name: String,
    /// What differs.
    pub obstruction: Option<ObstructionReport>,
}

impl Identify {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }
}

/// The identification as data, formulas as SymPy reads them.
pub fn identify(zoo: &Zoo, reading: &Reading, found: &Identification) -> Identify {
    let matches = reading.analysis.iter().flat_map(|input| {
        found.matches.iter().filter_map(|m| {
            let (input, card) = (input_of(m, input, found), m.animal.analysis()?);
            let c = &m.animal.card;
            Some(MatchReport {
                id: c.id.clone(),
                slug: c.slug.clone(),
                name: c.name.clone(),
                family: c.family.clone(),
                group: m.group.word(),
                answer: answer(m, input, card, Script::Sympy),
                frozen: m.frozen,
                compare: compare(input, card, &m.comparison),
                reference: reference(c),
            })
        })
    });
    let near_misses = reading.analysis.iter().flat_map(|input| {
        found.near_misses.iter().filter_map(|m| {
            let report = compare(found.input(input), m.animal.analysis()?, &m.comparison);
            let c = &m.animal.card;
            let (id, slug, name) = (c.id.clone(), c.slug.clone(), c.name.clone());
            Some(NearMissReport { id, slug, name, obstruction: report.obstruction })
        })
    });
    Identify {
        schema: 1,
        input: show(reading),
        zoo: zoo.animals().len(),
        matches: matches.collect(),
        undecided: found.undecided.iter().map(|open| open.animal.card.id.clone()).collect(),
        without_samples: found.asked.as_ref().is_some_and(|a| a.without_samples),
        folded: folded(found),
        near_misses: near_misses.collect(),
    }
}

pub(super) fn input_of<'a>(m: &Match, input: &'a Analysis, found: &'a Identification) -> &'a Analysis {
    found.frozen.as_ref().filter(|_| m.frozen).unwrap_or(found.input(input))
}

/// The main reference, which is the first, in short, and all in full.
pub(super) fn reference(card: &Card) -> ReferenceReport {
    let entries = bibtex::parse(&card.bibtex).unwrap_or_default();
    let short = entries.first().map(bibtex::Entry::short).unwrap_or_default();
    ReferenceReport { short, bibtex: card.bibtex.clone(), unconfirmed: card.unconfirmed.clone() }
}

/// `ALG-0042 Douglas–Rachford · shift(1,0) · {θ = 1}`.
pub(super) fn answer(m: &Match, input: &Analysis, card: &Analysis, script: Script) -> String {
    let c = &m.animal.card;
    let mut parts = vec![format!("{} {}", c.id, c.name)];
    if let Verdict::Related(witness) = &m.comparison.verdict {
        parts.extend(details(&m.comparison, input, card, script, Parties::Card));
        parts.extend(starts(witness, input, card, script));
        let outside: Vec<String> =
            m.outside.iter().map(|range| format!("{} {}", name(script, &range.name), range.text)).collect();
        if !outside.is_empty() {
            parts.push(format!("the card wants {}", outside.join(", ")));
        }
    }
    parts.join(" · ")
}

/// What must hold where the input starts for the card to make its calls. What the input conserves and the card does not
/// must have a certain value, which may be that of a constant of the card.
fn starts(witness: &Witness, input: &Analysis, card: &Analysis, script: Script) -> Option<String> {
    let is_special = witness.branches.first().is_some_and(|b| !b.conditions.is_empty());
    if !is_special && witness.assumptions.is_empty() && !conserves(input) {
        return None;
    }
    let map = with_fuel(FUEL, || state_map(input, card, witness)).ok()?;
    let [input, card] = &texts(input, card, witness);
    let speaker = Speaker::new(input, card, script).calling(Parties::Card).telling(&map, witness.repeat);
    let lines = speaker.required(&map);
    if lines.is_empty() {
        return None;
    }
    let said = lines.iter().cloned().chain(speaker.answers_in(&lines)).collect::<Vec<_>>();
    Some(format!("for starts with {}", said.join(", ")))
}

/// Whether calls may tell of something that no answer changes.
fn conserves(input: &Analysis) -> bool {
    let observed = match &input.transfer {
        Transfer::Commuting { realization, .. } => observed_order(realization).ok().flatten(),
        Transfer::Noncommuting { .. } => None,
    };
    !input.system.constants.is_empty() || observed.is_none_or(|n| n != input.minimal_order)
}

/// What makes the second algorithm the first: repetition, shift, oracles, parameters, conditions.
pub(super) fn details(
    comparison: &Comparison,
    input: &Analysis,
    card: &Analysis,
    script: Script,
    parties: Parties,
) -> Vec<String> {
    let mut parts = Vec::new();
    let Verdict::Related(witness) = &comparison.verdict else { return parts };
    if let Some((_, n)) = witness.repeat {
        parts.push(format!("{n} iterations as one"));
    }
    if witness.shift.iter().any(|s| *s != 0) {
        let list: Vec<String> = witness.shift.iter().map(i64::to_string).collect();
        parts.push(format!("shift({})", list.join(",")));
    }
    let oracles: Vec<String> = witness
        .channel_map
        .iter()
        .zip(&witness.matrices)
        .filter_map(|(&(i, j), matrix)| {
            let shown =
                |x: &Analysis, n: usize| oracle_name(&x.channels[n % x.channels.len()].oracle, &x.system, script);
            let (ours, theirs) = (shown(input, i), shown(card, j));
            let function = |x: &Analysis, n: usize| x.channels[n % x.channels.len()].oracle.function.clone();
            let told = *matrix != Matrix::identity(2) || function(input, i) != function(card, j);
            (told && ours != theirs).then(|| format!("{ours} for {theirs}"))
        })
        .collect();
    if !oracles.is_empty() {
        parts.push(oracles.join(", "));
    }
    let report = summary_of(input, card, comparison, script, parties);
    let own = |p: &str, v: &str| name(script, p) == v;
    // What both texts name is told apart.
    let is_shared = |p: &String| input.system.parameters.contains(p);
    let left = |p: &String| match is_shared(p) {
        true => format!("{} of {}", name(script, p), parties.name(Side::Second)),
        false => name(script, p),
    };
    let settings: Vec<String> =
        report.parameters.iter().filter(|(p, v)| !own(p, v)).map(|(p, v)| format!("{} = {v}", left(p))).collect();
    if !settings.is_empty() {
        parts.push(format!("{{{}}}", settings.join(", ")));
    }
    // What is assumed is no further condition.
    let is_assumed = |c: &String| report.assumptions.contains(&format!("{c} in {}", parties.name(Side::First)));
    let conditions: Vec<String> = report.conditions.iter().filter(|c| !is_assumed(c)).cloned().collect();
    if !conditions.is_empty() {
        parts.push(format!("where {}", conditions.join(", ")));
    }
    let (readings, assumed) = readings_apart(witness, &report.assumptions);
    for (word, list) in [("", readings), ("assuming ", assumed)] {
        if !list.is_empty() {
            parts.push(format!("{word}{}", list.join(", ")));
        }
    }
    parts
}

/// So many cards of a group are listed unless all are wanted.
const SHOWN: usize = 8;

/// So many entries are told in which a card that comes near differs.
const TOLD: usize = 4;

/// The identification for people.
pub fn identify_text(zoo: &Zoo, reading: &Reading, found: &Identification, all: bool, palette: Palette) -> String {
    let mut out = String::new();
    let Some(input) = &reading.analysis else { return out };
    let notes = notes(found);
    for note in &notes {
        let _ = writeln!(out, "{}", palette.dim(note));
    }
    if !notes.is_empty() {
        out.push('\n');
    }
    for list in found.matches.chunk_by(|a, b| (a.frozen, a.group) == (b.frozen, b.group)) {
        let (frozen, heading) = (list[0].frozen, list[0].group.heading());
        let prefix = if frozen { "With constant coefficients: " } else { "" };
        let heading = if frozen { heading[..1].to_lowercase() + &heading[1..] } else { heading.to_string() };
        let _ = writeln!(out, "{}", palette.heading(&format!("{prefix}{heading}")));
        let shown = if all { list.len() } else { SHOWN };
        for m in list.iter().take(shown) {
            let Some(card) = m.animal.analysis() else { continue };
            let _ = writeln!(out, "  {}", answer(m, input_of(m, input, found), card, Script::Unicode));
            let short = reference(&m.animal.card).short;
            let _ = writeln!(out, "           {}", palette.dim(&format!("{short}; {}", m.animal.card.problem)));
        }
        if list.len() > shown {
            let _ = writeln!(out, "  {}", palette.dim(&format!("and {} more (--all)", list.len() - shown)));
        }
        out.push('\n');
    }
    if found.matches.is_empty() {
        let _ = match (input.channels.is_empty(), found.undecided.is_empty()) {
            (true, _) => {
                // What could be an oracle is remarked.
                let notes = reading.diagnostics.iter().filter(|d| d.severity == Severity::Note && d.help.is_some());
                notes.for_each(|note| out.push_str(&(note.render(&reading.source) + "\n")));
                writeln!(out, "It calls no oracle, and algorithms are told apart by their calls.")
            }
            (_, true) => {
                writeln!(out, "New as far as this zoo of {} goes: no card is related to it.", zoo.animals().len())
            }
            _ => writeln!(out, "No card was found to be related to it, but not all were decided."),
        };
        if !found.near_misses.is_empty() {
            let _ = writeln!(out, "\n{}", palette.heading("Nearest"));
        }
        for m in &found.near_misses {
            let Some(card) = m.animal.analysis() else { continue };
            let _ = writeln!(out, "  {} {}", m.animal.card.id, m.animal.card.name);
            let report = summary_of(found.input(input), card, &m.comparison, Script::Unicode, Parties::Card);
            let why = report.obstruction.as_ref().map(|why| difference_text(why, TOLD)).unwrap_or_default();
            for line in why.lines() {
                let _ = writeln!(out, "    {line}");
            }
        }
    }
    let mut open: Vec<(&str, Vec<&str>)> = Vec::new();
    for Open { animal, limit, .. } in &found.undecided {
        match open.iter_mut().find(|(why, _)| *why == reason(*limit)) {
            Some((_, ids)) => ids.push(&animal.card.id),
            None => open.push((reason(*limit), vec![&animal.card.id])),
        }
    }
    for (why, ids) in open {
        let _ = writeln!(out, "Undecided: {}; {why}", ids.join(", "));
    }
    out
}

/// The references of all related cards.
pub fn identify_bibtex(found: &Identification) -> String {
    let mut keys = SortedSet::new();
    let mut out = String::new();
    for entry in found.matches.iter().flat_map(|m| bibtex::parse(&m.animal.card.bibtex).unwrap_or_default()) {
        if keys.insert(entry.key) {
            let _ = writeln!(out, "{}\n", entry.text);
        }
    }
    out
}

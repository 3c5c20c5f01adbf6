//! What a page shows: formulas as LaTeX, sentences as Unicode, in the types of the other reports.

use super::compare::{
    AlsoReport, BranchReport, Compare, FoldedCompare, MappedStates, compare_in, readings_apart, sentence, summary_of,
};
use super::expression::{Script, name};
use super::identify::{ReferenceReport, input_of, notes, reference};
use super::lines::unmarked;
use super::obstruction::{ObstructionReport, RunReport};
use super::show::{Show, Table, oracle_name, show_again, show_in};
use super::speaker::Parties;
use super::typeset::bmatrix;
use crate::Reading;
use crate::relation::behavior::Side;
use crate::relation::{Comparison, Verdict, Witness};
use crate::transfer::Analysis;
use crate::zoo::{Identification, Match, Zoo};
use serde::Serialize;
use std::collections::BTreeMap;

/// A reading, typeset.
#[derive(Clone, Debug, Serialize)]
pub struct ReadingPage {
    /// The lines as rows of an aligned display.
    pub lines: Vec<String>,
    /// The oracles, in the order of rows and columns.
    pub oracles: Vec<String>,
    /// H(z) and, where there is no closed form, D, CB, CAB, …; with the name of each.
    pub transfer: Vec<Equation>,
    /// The realization as written.
    pub realization: Option<String>,
    /// What the state holds.
    pub states: Vec<String>,
    /// What is said of it in words.
    pub show: Show,
}

/// `left = right`.
#[derive(Clone, Debug, Serialize)]
pub struct Equation {
    /// What is told.
    pub left: String,
    /// Its value.
    pub right: String,
}

/// A reading as it is shown on a page.
pub fn reading_page(reading: &Reading) -> ReadingPage {
    let show = show_in(reading, Script::Unicode);
    let latex = show_again(reading, &show, Script::Latex);
    let oracle = |a: &Analysis| -> Vec<String> {
        a.channels.iter().map(|c| oracle_name(&c.oracle, &a.system, Script::Latex)).collect()
    };
    ReadingPage {
        lines: lines(reading),
        oracles: reading.analysis.as_ref().map(oracle).unwrap_or_default(),
        transfer: transfer(&latex),
        realization: latex.realization.as_ref().map(|r| {
            let join = |left: &Table, right: &Table| -> Vec<String> {
                let row = |(l, r): (&Vec<_>, &Vec<_>)| [cells(l), cells(r)].concat().join(" & ");
                left.iter().zip(right).map(row).collect()
            };
            let (top, bottom) = (join(&r.a, &r.b), join(&r.c, &r.d));
            let columns = format!("{}|{}", "c".repeat(r.states.len()), "c".repeat(r.c.len()));
            let rule = if top.is_empty() { "" } else { " \\\\ \\hline " };
            let (top, bottom) = (top.join(" \\\\ "), bottom.join(" \\\\ "));
            format!("\\left[\\begin{{array}}{{{columns}}} {top}{rule}{bottom} \\end{{array}}\\right]")
        }),
        states: latex.realization.map(|r| r.states).unwrap_or_default(),
        show,
    }
}

/// The lines of a text as rows of an aligned display.
fn lines(reading: &Reading) -> Vec<String> {
    unmarked(reading).into_iter().map(|(left, terms)| format!("{left}{}", terms.join(" "))).collect()
}

fn cells(row: &[Option<String>]) -> Vec<String> {
    row.iter().map(|c| c.clone().unwrap_or_default()).collect()
}

fn transfer(show: &Show) -> Vec<Equation> {
    let matrix = |table: &Table| {
        let rows: Vec<Vec<String>> = table.iter().map(|row| cells(row)).collect();
        match &rows[..] {
            [row] if row.len() == 1 => row[0].clone(),
            _ => bmatrix(&rows),
        }
    };
    let mut found = Vec::new();
    if let Some(Some(h)) = &show.transfer {
        found.push(Equation { left: "H(z)".to_string(), right: matrix(h) });
    }
    if let Some(constants) = &show.transfer_constants {
        found.push(Equation { left: "H_{\\mathrm{constants}}(z)".to_string(), right: matrix(constants) });
    }
    for (j, m) in show.markov.iter().flatten().enumerate() {
        let left = match j {
            0 => "D".to_string(),
            1 => "CB".to_string(),
            2 => "CAB".to_string(),
            _ => format!("CA^{{{}}}B", j - 1),
        };
        found.push(Equation { left, right: matrix(m) });
    }
    found
}

/// A comparison, typeset.
#[derive(Clone, Debug, Serialize)]
pub struct ComparePage {
    /// The answer in one sentence.
    pub sentence: String,
    /// Which calls are the same.
    pub pairs: Vec<PairPage>,
    /// Every way to choose the parameters.
    pub ways: Vec<WayPage>,
    /// T with ξ_B = T ξ_A between minimal realizations.
    pub change: Option<String>,
    /// ξ_A and ξ_B in terms of the states of the texts when B begins.
    pub states: Option<MappedStates>,
    /// How B is started.
    pub initialization: Vec<String>,
    /// How things are named for them to be the same.
    pub readings: Vec<String>,
    /// What is assumed.
    pub assumptions: Vec<String>,
    /// What keeps them apart, where that is formulas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apart: Option<ApartPage>,
    /// What holds for other parameters, or is more general once parameters are taken into functions.
    pub otherwise: Vec<String>,
    /// The same for a reader without formulas, and all that is said in words.
    pub report: Compare,
}

/// Two calls that are the same.
#[derive(Clone, Debug, Serialize)]
pub struct PairPage {
    /// The oracle in A.
    pub first: String,
    /// The oracle in B.
    pub second: String,
    /// A's call at k is B's at k minus this.
    pub shift: i64,
    /// What query and answer in A are of those in B, where that is not 1.
    pub filter: Option<String>,
}

/// Two algorithms that are not related, where they come nearest.
#[derive(Clone, Debug, Serialize)]
pub struct ApartPage {
    /// Parameters for which as much agrees as can.
    pub nearest: Option<WayPage>,
    /// What differs then: in A and in B.
    pub entries: Vec<(String, String)>,
    /// Where all agrees, but an oracle is silent or both algorithms are smaller than they are.
    pub degenerate: Vec<WayPage>,
    /// The numbers of the run that B cannot follow.
    pub run: Option<RunPage>,
    /// How they are related if what has one name need not be the same.
    pub renamed: Option<WayPage>,
}

/// What a run is made with.
#[derive(Clone, Debug, Serialize)]
pub struct RunPage {
    /// `\alpha = 3`: numbers for A's parameters and operators.
    pub first: Vec<String>,
    /// Numbers for B's.
    pub second: Vec<String>,
    /// Numbers for the constant vectors.
    pub constants: Vec<String>,
    /// Where A starts.
    pub start: Vec<String>,
    /// The oracles that A calls, in the order of the calls.
    pub oracles: Vec<String>,
}

/// One way to choose the parameters.
#[derive(Clone, Debug, Serialize)]
pub struct WayPage {
    /// `\rho = 1/t`: B's parameters in terms of A's, those that are not the same.
    pub parameters: Vec<String>,
    /// B's parameters that are arbitrary.
    pub free: Vec<String>,
    /// Conditions.
    pub conditions: Vec<String>,
    /// How B is started, if otherwise than in the first way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub initialization: Vec<String>,
}

/// A comparison as it is shown on a page.
pub fn compare_page(first: &Analysis, second: &Analysis, comparison: &Comparison) -> ComparePage {
    let latex = compare_in(first, second, comparison, Script::Latex);
    paged(first, second, comparison, latex, compare_in(first, second, comparison, Script::Unicode))
}

fn paged(first: &Analysis, second: &Analysis, comparison: &Comparison, latex: Compare, words: Compare) -> ComparePage {
    let [first, second] = comparison.texts(first, second);
    let (mut readings, mut assumptions): (Vec<&str>, Vec<&str>) = Default::default();
    let (said, pairs) = match &comparison.verdict {
        Verdict::Related(witness) => {
            (readings, assumptions) = readings_apart(witness, &words.assumptions);
            (sentence(witness), pairs(first, second, witness, &latex))
        }
        Verdict::Distinct(_) => (words.obstruction.as_ref().map(|o| o.message.clone()).unwrap_or_default(), Vec::new()),
        Verdict::Undecided(_) => (words.limit.unwrap_or_default().to_string(), Vec::new()),
    };
    ComparePage {
        sentence: said,
        pairs,
        ways: latex.branches.iter().map(way).collect(),
        change: latex.state_map.filter(|rows| !rows.is_empty()).map(|rows| bmatrix(&rows)),
        states: latex.state_map_states,
        initialization: latex.initialization.into_iter().chain(latex.answers).chain(latex.start_conditions).collect(),
        readings: readings.into_iter().chain(words.known.iter().map(String::as_str)).map(String::from).collect(),
        assumptions: assumptions.into_iter().map(String::from).collect(),
        apart: latex.obstruction.map(apart),
        otherwise: words
            .also
            .iter()
            .map(AlsoReport::text)
            .chain(words.folded.as_ref().map(FoldedCompare::text))
            .collect(),
        report: words,
    }
}

fn pairs(first: &Analysis, second: &Analysis, witness: &Witness, latex: &Compare) -> Vec<PairPage> {
    let repeated = |side: Side| witness.repeat.is_some_and(|(s, _)| s == side);
    let label = |a: &Analysis, side: Side, i: usize| {
        let p = a.channels.len();
        let channel = &a.channels[i % p];
        let name = oracle_name(&channel.oracle, &a.system, Script::Latex);
        let copy = if channel.copy > 0 { format!("\\text{{ (call {})}}", channel.copy) } else { String::new() };
        let turn = if repeated(side) { format!("\\text{{ of iteration {}}}", i / p + 1) } else { String::new() };
        format!("{name}{copy}{turn}")
    };
    let pair = |(n, &(i, j)): (usize, &(usize, usize))| PairPage {
        first: label(first, Side::First, i),
        second: label(second, Side::Second, j),
        shift: witness.shift[n],
        filter: latex.filters.get(n).filter(|c| *c != "1").cloned(),
    };
    witness.channel_map.iter().enumerate().map(pair).collect()
}

fn apart(latex: ObstructionReport) -> ApartPage {
    ApartPage {
        nearest: latex.nearest.as_ref().map(way),
        entries: latex.entries.into_iter().map(|e| (e.first, e.second)).collect(),
        degenerate: latex.degenerate.iter().map(way).collect(),
        run: latex.run.map(run),
        renamed: latex.renamed.map(|r| WayPage {
            parameters: assigned(&r.parameters),
            free: Vec::new(),
            conditions: r.conditions,
            initialization: Vec::new(),
        }),
    }
}

fn run(latex: RunReport) -> RunPage {
    RunPage {
        first: assigned(&latex.first),
        second: assigned(&latex.second),
        constants: assigned(&latex.constants),
        start: latex.start,
        oracles: latex.calls.into_iter().map(|c| c.oracle).collect(),
    }
}

/// `\alpha = 3`.
fn assigned(values: &BTreeMap<String, String>) -> Vec<String> {
    values.iter().map(|(p, value)| format!("{} = {value}", name(Script::Latex, p))).collect()
}

fn way(branch: &BranchReport) -> WayPage {
    WayPage {
        parameters: assigned(&branch.parameters),
        free: branch.free.iter().map(|p| name(Script::Latex, p)).collect(),
        conditions: branch.conditions.clone(),
        initialization: (branch.start.iter())
            .flat_map(|s| s.initialization.iter().chain(&s.answers).chain(&s.start_conditions).cloned())
            .collect(),
    }
}

/// An identification, typeset.
#[derive(Clone, Debug, Serialize)]
pub struct IdentifyPage {
    /// How many cards were looked at.
    pub zoo: usize,
    /// How many calls of oracles the input makes; what makes none is told from nothing.
    pub calls: usize,
    /// How the input differs from what cards were asked for.
    pub notes: Vec<String>,
    /// Related cards, strongest and least special first.
    pub matches: Vec<MatchPage>,
    /// Cards for which a limit left the question open.
    pub undecided: Vec<String>,
    /// The nearest cards, where none is related.
    pub near_misses: Vec<NearMissPage>,
}

/// A card that the input is related to.
#[derive(Clone, Debug, Serialize)]
pub struct MatchPage {
    /// `ALG-0042`.
    pub id: String,
    /// The card's name.
    pub name: String,
    /// What it solves.
    pub problem: String,
    /// `same`, `same-up-to-shift`, …, `under-assumption`.
    pub group: &'static str,
    /// What stands over the group.
    pub heading: &'static str,
    /// Whether numbers of the input that change with the index were taken as constants.
    pub frozen: bool,
    /// How, the input being A; without the state map.
    pub compare: ComparePage,
    /// Where it was published.
    pub reference: ReferenceReport,
}

/// A card that the input comes near.
#[derive(Clone, Debug, Serialize)]
pub struct NearMissPage {
    /// `ALG-0042`.
    pub id: String,
    /// The card's name.
    pub name: String,
    /// What differs.
    pub message: String,
}

/// An identification as it is shown on a page.
pub fn identify_page(zoo: &Zoo, reading: &Reading, found: &Identification) -> IdentifyPage {
    let input = reading.analysis.as_ref();
    let matched = |m: &Match| {
        let (input, card) = (input_of(m, input?, found), m.animal.analysis()?);
        let [latex, words] =
            [Script::Latex, Script::Unicode].map(|s| summary_of(input, card, &m.comparison, s, Parties::Card));
        let c = &m.animal.card;
        Some(MatchPage {
            id: c.id.clone(),
            name: c.name.clone(),
            problem: c.problem.clone(),
            group: m.group.word(),
            heading: m.group.heading(),
            frozen: m.frozen,
            compare: paged(input, card, &m.comparison, latex, words),
            reference: reference(c),
        })
    };
    let near = found.near_misses.iter().filter_map(|m| {
        let (input, card) = (found.input(input?), m.animal.analysis()?);
        let report = summary_of(input, card, &m.comparison, Script::Unicode, Parties::Card);
        let (id, name) = (m.animal.card.id.clone(), m.animal.card.name.clone());
        Some(NearMissPage { id, name, message: report.obstruction.map(|o| o.message).unwrap_or_default() })
    });
    IdentifyPage {
        zoo: zoo.animals().len(),
        calls: input.map_or(0, |a| a.channels.len()),
        notes: notes(found),
        matches: found.matches.iter().filter_map(matched).collect(),
        undecided: found.undecided.iter().map(|open| open.animal.card.id.clone()).collect(),
        near_misses: near.collect(),
    }
}

//! What is wrong with cards of the zoo, and with the record of how they are related.

use super::record::record;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::relation::{Generality, Relation};
use crate::source::Span;
use crate::zoo::graph::{DUAL, Outcome};
use crate::zoo::ranges::{Range, ranges};
use crate::zoo::{Animal, Edge, Zoo, bibtex};

/// What is wrong with a card by itself: its equations are not understood, the transfer function is not
/// the recorded one, it says where a parameter lies that there is none of, or the references are no BibTeX or lead
/// nowhere. The places are those of the card's text.
pub fn card_problems(animal: &Animal) -> Vec<Diagnostic> {
    let card = &animal.card;
    let errors = animal.reading().diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let mut found: Vec<Diagnostic> = errors.map(|d| moved(d, card.places.equations)).collect();
    found.extend(transfer_problem(animal));
    found.extend(unknown_parameters(animal));
    found.extend(empty_range(animal));
    let told = match bibtex::parse(&card.bibtex) {
        Ok(_) => bibtex::complaints(&card.bibtex),
        Err(problem) => vec![problem],
    };
    for problem in told {
        let before: usize = card.bibtex.split_inclusive('\n').take(problem.line).map(str::len).sum();
        let start = card.places.bibtex + before;
        let length = card.bibtex.lines().nth(problem.line).map_or(0, str::len);
        found.push(
            Diagnostic::error(Code::Card, Span::new(start, start + length), problem.message)
                .help("the references are BibTeX entries, `@article{Key, title = {…}, …}`"),
        );
    }
    found
}

fn moved(d: &Diagnostic, by: usize) -> Diagnostic {
    let shift = |s: Span| if s == Span::default() { s } else { Span::new(s.start + by, s.end + by) };
    let mut d = d.clone();
    d.span = shift(d.span);
    d.labels.iter_mut().for_each(|l| l.span = shift(l.span));
    d
}

/// Parameters whose ranges the card tells and that its equations do not have.
fn unknown_parameters(animal: &Animal) -> Vec<Diagnostic> {
    let (card, text) = (&animal.card, animal.source.text());
    let Some(analysis) = animal.analysis() else { return Vec::new() };
    let system = &analysis.system;
    let named = system.parameters.iter().chain(system.operators.iter().map(|o| &o.name));
    let names: Vec<&String> = named.chain(system.constants.iter().map(|c| &c.name)).collect();
    let is_known = |name: &str| {
        // What changes with the index is told of with one, or at the start.
        let stem = name.rsplit_once('_').filter(|(_, at)| *at == "0" || *at == system.letter).map_or(name, |(s, _)| s);
        names.iter().any(|known| *known == name)
            || system.schedules.list.iter().any(|s| s.name == stem || s.name == name)
    };
    let start = text.find(&card.parameters).filter(|_| !card.parameters.is_empty());
    let unknown = ranges(&card.parameters).into_iter().filter(|range| !is_known(&range.name));
    let told = |range: Range| {
        let at = start? + card.parameters.find(&range.name)?;
        let message = format!("the equations have no parameter `{}`", range.name);
        let help = "say where the parameters of the equations lie, each by its name there";
        Some(Diagnostic::error(Code::Card, Span::new(at, at + range.name.len()), message).help(help))
    };
    unknown.filter_map(told).collect()
}

/// The first range that no number lies in.
fn empty_range(animal: &Animal) -> Option<Diagnostic> {
    let (parameters, text) = (&animal.card.parameters, animal.source.text());
    let empty = ranges(parameters).into_iter().find(|range| range.is_empty())?;
    let at = text.find(parameters)? + parameters.find(&empty.text)?;
    let message = format!("no number `{}` lies there", empty.name);
    let help = "the lower end stands first, as in `t in (0, 2)`";
    Some(Diagnostic::error(Code::Card, Span::new(at, at + empty.text.len()), message).help(help))
}

fn transfer_problem(animal: &Animal) -> Option<Diagnostic> {
    let recorded = &animal.card.transfer;
    let computed = record(animal.reading())?;
    if *recorded == computed || is_written_otherwise(recorded, &computed) {
        return None;
    }
    let help = "`linnaeus zoo check --zoo DIR --write` writes it into the card";
    if recorded.is_empty() {
        return Some(
            Diagnostic::error(Code::Card, Span::default(), "the transfer function is not recorded").help(help),
        );
    }
    let mut at = animal.card.places.transfer;
    let mut expected = computed.lines();
    for line in recorded.split_inclusive('\n') {
        let (text, wanted) = (line.trim_end(), expected.next());
        if wanted != Some(text) {
            let span = Span::new(at, at + text.len().max(1));
            let mark = wanted.map_or("this is too much".to_string(), |w| format!("computed: {}", w.trim()));
            let problem = Diagnostic::error(Code::Card, span, "the transfer function is not the one computed");
            return Some(problem.mark(mark).help(help));
        }
        at += line.len();
    }
    Some(Diagnostic::error(Code::Card, Span::default(), "the transfer function is not recorded in full").help(help))
}

/// Whether a matrix that somebody wrote is the one that is computed.
fn is_written_otherwise(recorded: &str, computed: &str) -> bool {
    let Some((oracles, h)) = recorded.split_once("\nH = ") else { return false };
    let text = format!("H = {}\n{oracles}", h.replace("**", "^"));
    record(&crate::read(&text)).is_some_and(|same| same == computed)
}

/// What a comparison says of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// A relation that is not recorded.
    Unrecorded(Edge),
    /// A relation that is recorded as another.
    Changed(Edge, Edge),
    /// A relation that is recorded and was not found.
    Lost(Edge),
}

/// Holds the outcome of a comparison against what is recorded of the pair.
pub fn remark(recorded: Option<&Edge>, outcome: &Outcome) -> Option<Remark> {
    match (recorded, outcome) {
        (Some(old), Outcome::Related(new)) if old == new => None,
        (Some(old), Outcome::Related(new)) => Some(Remark::Changed(old.clone(), new.clone())),
        (None, Outcome::Related(new)) => Some(Remark::Unrecorded(new.clone())),
        (Some(old), _) => Some(Remark::Lost(old.clone())),
        (None, _) => None,
    }
}

impl Remark {
    /// One line.
    pub fn text(&self, zoo: &Zoo) -> String {
        match self {
            Remark::Unrecorded(edge) => edge_text(zoo, edge, &edge.second),
            Remark::Changed(old, new) => {
                let was = if old.generality == new.generality { how(old) } else { old.generality.word().to_string() };
                format!("{} (recorded otherwise: {was})", edge_text(zoo, new, &new.second))
            }
            Remark::Lost(edge) => format!("{} (recorded, not found)", edge_text(zoo, edge, &edge.second)),
        }
    }
}

/// `ALG-0310 duplicates ALG-0042 douglas_rachford: the same up to shift`, seen from one of the two.
pub fn edge_text(zoo: &Zoo, edge: &Edge, from: &str) -> String {
    let (other, generality) = edge.seen_from(from);
    let slug = zoo.find(other).map_or("", |a| &a.card.slug);
    let verb = match generality {
        Generality::Equal if edge.is_same() => "duplicates",
        Generality::Equal => "is as general as",
        Generality::Instance => "is an instance of",
        Generality::Contains => "contains",
        Generality::Overlap => "overlaps with",
    };
    format!("{from} {verb} {other} {slug}: {}", how(edge))
}

/// `the same up to shift`.
pub fn how(edge: &Edge) -> String {
    let how = match edge.relation {
        Relation::Lft if edge.assuming == DUAL => "dual to each other",
        Relation::Conditional => return format!("the same if {}", edge.assuming),
        Relation::Oracle => "the same calls",
        Relation::Shift => "the same up to shift",
        Relation::Permutation => "the same with oracles exchanged",
        Relation::Lft => "the same in other oracles",
        Relation::LinearOracle => "the same up to filters",
        Relation::Homogeneous => "the same up to scalings",
        Relation::Repetition => "one iteration is several of the other",
    };
    how.to_string()
}

//! The algorithms of a paper as data.

mod html;
mod text;

pub use html::{Typesetter, scan_html};
pub use text::scan_text;

use super::entry::EntryPrinter;
use super::expression::{Script, name};
use super::identify::{answer, details, input_of, reference};
use super::reading::{GuessReport, guesses, read, role};
use super::show::{Table, show_in};
use super::speaker::Parties;
use super::text::labels;
use crate::relation::Verdict;
use crate::scan::pairs::classes;
use crate::scan::{Agreement, Listing, Listings, Meaning, Pair, Paper, Place, Problem};
use crate::syntax::ast::Guess;
use crate::transfer::Analysis;
use crate::zoo::{Group, Zoo, identify};
use serde::Serialize;

/// All that was found in papers.
#[derive(Copy, Clone, Debug)]
pub struct Findings<'a> {
    /// The papers with their algorithms. Algorithms are numbered through all papers.
    pub papers: &'a [(Paper, Listings)],
    /// What the zoo says of each.
    pub names: &'a [Names],
    /// Which are related.
    pub pairs: &'a [Pair],
}

/// What the zoo says of an algorithm.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The best of the related cards.
    pub list: Vec<NameReport>,
    /// How many more are related.
    pub more: usize,
    /// Whether a limit left a question open.
    pub is_undecided: bool,
}

/// A card that an algorithm is related to.
#[derive(Clone, Debug, Serialize)]
pub struct NameReport {
    /// `ALG-0042`.
    pub id: String,
    /// The card's short name.
    pub slug: String,
    /// The card's name.
    pub name: String,
    /// `same`, `same-up-to-shift`, …, `under-assumption`.
    pub group: &'static str,
    /// The answer in one line.
    pub answer: String,
    /// Whether coefficients that change with the index were taken as constants.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
    /// Where it was published.
    pub reference: String,
    #[serde(skip)]
    shown: String,
    #[serde(skip)]
    heading: String,
}

/// So many cards are told of an algorithm.
const CARDS: usize = 3;

/// What the zoo says of an algorithm: the best few cards, those that need no assumption first.
pub fn names(zoo: &Zoo, listing: &Listing) -> Names {
    let Some(analysis) = &listing.reading.analysis else { return Names::default() };
    let found = identify(zoo, &listing.reading.source, analysis);
    let free = found.matches.iter().filter(|m| m.group != Group::UnderAssumption).count();
    let wanted = if free > 0 { free } else { found.matches.len() };
    let list = found.matches.iter().take(wanted.min(CARDS)).filter_map(|m| {
        let (input, card) = (input_of(m, analysis, &found), m.animal.analysis()?);
        let c = &m.animal.card;
        Some(NameReport {
            id: c.id.clone(),
            slug: c.slug.clone(),
            name: c.name.clone(),
            group: m.group.word(),
            answer: answer(m, input, card, Script::Sympy),
            reference: reference(c).short,
            shown: answer(m, input, card, Script::Unicode),
            frozen: m.frozen,
            heading: match m.frozen {
                true => format!("With constant coefficients, {}", m.group.heading().to_lowercase()),
                false => m.group.heading().to_string(),
            },
        })
    });
    let list: Vec<NameReport> = list.collect();
    Names { more: found.matches.len() - list.len(), list, is_undecided: !found.undecided.is_empty() }
}

/// The algorithms of papers.
#[derive(Clone, Debug, Serialize)]
pub struct Scan {
    /// Version of this format.
    pub schema: u32,
    /// Every file that was read.
    pub files: Vec<String>,
    /// The algorithms, in order.
    pub listings: Vec<ListingReport>,
    /// Algorithms that are the same, by number.
    pub classes: Vec<ClassReport>,
    /// Algorithms that are related otherwise.
    pub links: Vec<LinkReport>,
    /// Pairs for which a limit left the question open.
    pub undecided: Vec<[usize; 2]>,
    /// Displays that update an iterate, but are no algorithms by themselves.
    pub passed: Vec<RemarkReport>,
    /// Files and macros that were left out.
    pub remarks: Vec<RemarkReport>,
    /// Whether there are more algorithms than are read.
    #[serde(rename = "cut")]
    pub is_cut: bool,
}

/// An algorithm.
#[derive(Clone, Debug, Serialize)]
pub struct ListingReport {
    /// From 1.
    pub number: usize,
    /// Its label, or its place.
    pub name: String,
    /// Its label.
    pub label: Option<String>,
    /// Its caption.
    pub caption: Option<String>,
    /// The environment that it stands in.
    pub environment: String,
    /// Where it begins.
    #[serde(flatten)]
    pub place: PlaceReport,
    /// How it was read.
    pub lines: Vec<ScanLine>,
    /// What was not said and custom, or the rest of the paper, decided.
    pub guesses: Vec<GuessReport>,
    /// The oracles, in the order of rows and columns.
    pub oracles: Vec<String>,
    /// H; null where there is none.
    pub transfer: Option<Table>,
    /// Whether one iteration runs from top to bottom.
    pub explicit: Option<bool>,
    /// Known algorithms that it is.
    pub names: Vec<NameReport>,
    /// How many more cards of the zoo are related.
    pub more_names: usize,
    /// What the paper prints as its transfer function.
    pub printed: Vec<PrintedReport>,
    /// What is wrong.
    pub problems: Vec<ProblemReport>,
}

/// A place in a file.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceReport {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// A line of an algorithm.
#[derive(Clone, Debug, Serialize)]
pub struct ScanLine {
    /// Where it begins.
    #[serde(flatten)]
    pub place: PlaceReport,
    /// `update`, `definition`, `loop`, ….
    pub role: &'static str,
    /// What it says, macros expanded.
    pub text: String,
    /// What was read, in the plain notation.
    pub read: Vec<String>,
}

/// A printed transfer function.
#[derive(Clone, Debug, Serialize)]
pub struct PrintedReport {
    /// Where it stands.
    #[serde(flatten)]
    pub place: PlaceReport,
    /// `same`, `same-up-to-shift`, `special`, `different`, `not-compared`.
    pub agreement: &'static str,
    /// The same in a sentence.
    pub message: String,
}

/// Something that is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemReport {
    /// What kind.
    pub code: &'static str,
    /// Where.
    #[serde(flatten)]
    pub place: PlaceReport,
    /// One sentence.
    pub message: String,
    /// Other places.
    pub also: Vec<RemarkReport>,
    /// What to do.
    pub help: Option<String>,
    /// Whether a stated limit is the reason.
    pub limit: bool,
}

/// A place and what is to be said of it.
#[derive(Clone, Debug, Serialize)]
pub struct RemarkReport {
    /// Where.
    #[serde(flatten)]
    pub place: PlaceReport,
    /// What.
    pub message: String,
}

/// Algorithms of which every two are the same.
#[derive(Clone, Debug, Serialize)]
pub struct ClassReport {
    /// Their numbers.
    pub members: Vec<usize>,
    /// How each is the same as the first.
    pub how: Vec<LinkReport>,
}

/// How two algorithms are related.
#[derive(Clone, Debug, Serialize)]
pub struct LinkReport {
    /// The number of the one.
    pub first: usize,
    /// The number of the other.
    pub second: usize,
    /// In the words of `compare --json`.
    pub relation: &'static str,
    /// What the first is to the second.
    pub generality: &'static str,
    /// What makes the second the first.
    pub details: Vec<String>,
}

impl Scan {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }

    /// Whether something is wrong that is not a limit.
    pub fn has_problem(&self) -> bool {
        self.listings.iter().flat_map(|l| &l.problems).any(|p| !p.limit)
    }

    /// Whether a limit left a question open.
    pub fn is_limited(&self) -> bool {
        self.is_cut || !self.undecided.is_empty() || self.listings.iter().flat_map(|l| &l.problems).any(|p| p.limit)
    }
}

fn place(p: &Place) -> PlaceReport {
    PlaceReport { file: p.file.clone(), line: p.position.line, column: p.position.column }
}

fn remark(p: &Place, message: impl Into<String>) -> RemarkReport {
    RemarkReport { place: place(p), message: message.into() }
}

impl<'a> Findings<'a> {
    /// Every algorithm with its paper.
    fn listings(&self) -> impl Iterator<Item = (&'a Paper, &'a Listing)> + use<'a> {
        self.papers.iter().flat_map(|(paper, all)| all.list.iter().map(move |l| (paper, l)))
    }
}

/// The findings as data, formulas as SymPy reads them.
pub fn scan(findings: Findings) -> Scan {
    scan_in(findings, Script::Sympy)
}

/// The same in another script.
fn scan_in(findings: Findings, script: Script) -> Scan {
    let all: Vec<(&Paper, &Listing)> = findings.listings().collect();
    let listings = all
        .iter()
        .enumerate()
        .map(|(i, (paper, l))| listing(i, paper, l, findings.names.get(i).cloned().unwrap_or_default(), script));
    let mut listings: Vec<ListingReport> = listings.collect();
    distinguish(&mut listings);
    let link = |pair: &Pair| link(pair, &all, script);
    let found = classes(findings.pairs);
    let of = |i: usize, j: usize| findings.pairs.iter().find(|p| (p.first, p.second) == (i, j));
    let class = |members: &Vec<usize>| ClassReport {
        members: members.iter().map(|i| i + 1).collect(),
        how: members[1..].iter().filter_map(|&j| of(members[0], j).and_then(link)).collect(),
    };
    let together = |p: &&Pair| found.iter().any(|c| c.contains(&p.first) && c.contains(&p.second));
    let papers = findings.papers;
    Scan {
        schema: 1,
        is_cut: papers.iter().any(|(_, l)| l.is_cut),
        files: papers.iter().flat_map(|(p, _)| p.expanded.files.list()).map(|f| f.name.clone()).collect(),
        listings,
        classes: found.iter().map(class).collect(),
        links: findings.pairs.iter().filter(|p| !together(p)).filter_map(link).collect(),
        undecided: findings.pairs.iter().filter(|p| p.is_undecided()).map(|p| [p.first + 1, p.second + 1]).collect(),
        passed: papers.iter().flat_map(|(_, l)| &l.passed).map(|p| remark(&p.place, p.reason)).collect(),
        remarks: papers
            .iter()
            .flat_map(|(p, _)| p.expanded.remarks.iter().map(|(at, m)| remark(&p.expanded.files.place(*at), m)))
            .collect(),
    }
}

/// Where several algorithms have one name, numbers tell them apart.
fn distinguish(listings: &mut [ListingReport]) {
    let names: Vec<String> = listings.iter().map(|l| l.name.clone()).collect();
    for (i, l) in listings.iter_mut().enumerate() {
        let same = |list: &[String]| list.iter().filter(|n| **n == names[i]).count();
        if same(&names) > 1 {
            l.name = format!("{}#{}", names[i], same(&names[..=i]));
        }
    }
}

impl Scan {
    /// One relation for every two classes, those without an assumption first.
    fn main_links(&self) -> Vec<&LinkReport> {
        let class = |n: usize| self.classes.iter().find(|c| c.members.contains(&n)).map_or(n, |c| c.members[0]);
        let mut found: Vec<&LinkReport> = Vec::new();
        for link in &self.links {
            let ends = (class(link.first), class(link.second));
            if !found.iter().any(|l| (class(l.first), class(l.second)) == ends) {
                found.push(link);
            }
        }
        found.sort_by_key(|l| l.relation == "conditional");
        found
    }
}

fn link(pair: &Pair, all: &[(&Paper, &Listing)], script: Script) -> Option<LinkReport> {
    let Verdict::Related(witness) = &pair.comparison.verdict else { return None };
    let analysis = |i: usize| all.get(i).and_then(|(_, l)| l.reading.analysis.as_ref());
    let (first, second) = (analysis(pair.first)?, analysis(pair.second)?);
    Some(LinkReport {
        first: pair.first + 1,
        second: pair.second + 1,
        relation: witness.relation.word(),
        generality: witness.generality.word(),
        details: details(&pair.comparison, first, second, script, Parties::Letters),
    })
}

fn listing(i: usize, paper: &Paper, l: &Listing, names: Names, script: Script) -> ListingReport {
    let located =
        |start: usize| place(&paper.expanded.files.place(paper.expanded.text.origin(l.site.span.start + start)));
    let length = l.site.span.end - l.site.span.start;
    let lines = l.reading.algorithm.lines.iter().filter(|line| line.span.start < length).map(|line| ScanLine {
        place: located(line.span.start),
        role: role(&l.reading, line).word(),
        text: l.reading.source.slice(line.span).split_whitespace().collect::<Vec<_>>().join(" "),
        read: read(&l.reading, line),
    });
    let show = show_in(&l.reading, script);
    let mut problems: Vec<ProblemReport> = l.problems.iter().map(problem).collect();
    let printed: Vec<PrintedReport> = l.printed.iter().map(|p| printed(p, l, script)).collect();
    problems.extend(printed.iter().filter(|p| p.agreement == "different").map(|p| ProblemReport {
        code: "transfer-mismatch",
        place: p.place.clone(),
        message: p.message.clone(),
        also: Vec::new(),
        help: None,
        limit: false,
    }));
    let at = place(&l.place);
    ListingReport {
        number: i + 1,
        name: l.label().map_or_else(|| format!("{}:{}", at.file, at.line), str::to_string),
        label: l.label().map(str::to_string),
        caption: l.caption.clone(),
        environment: l.site.environment.clone(),
        place: at,
        lines: lines.collect(),
        guesses: guessed(l),
        oracles: l.reading.analysis.as_ref().map(|a| oracles(a, script)).unwrap_or_default(),
        transfer: show.transfer.flatten(),
        explicit: show.explicit,
        names: names.list,
        more_names: names.more,
        printed,
        problems,
    }
}

fn oracles(analysis: &Analysis, script: Script) -> Vec<String> {
    match script {
        Script::Unicode => labels(analysis),
        _ => analysis.channels.iter().map(|c| super::show::oracle_name(&c.oracle, &analysis.system, script)).collect(),
    }
}

fn guessed(l: &Listing) -> Vec<GuessReport> {
    let report = |g: Guess| GuessReport { name: g.name, taken_as: g.taken_as, declaration: g.declaration };
    let assumed = l.assumed.iter().map(|a| match a.meaning {
        Meaning::Operator => GuessReport {
            name: a.name.clone(),
            taken_as: "a linear operator, as in other listings".to_string(),
            declaration: format!("oracle {}", a.name),
        },
        Meaning::Oracle => GuessReport {
            name: a.name.clone(),
            taken_as: "an oracle, since nothing else is called".to_string(),
            declaration: format!("param {}", a.name),
        },
        Meaning::Beside => GuessReport {
            name: a.name.clone(),
            taken_as: "the operator that is defined beside it".to_string(),
            declaration: format!("write another name than `{}` in the listing", a.name),
        },
        Meaning::Function => GuessReport {
            name: a.name.clone(),
            taken_as: "the function that the paper defines elsewhere".to_string(),
            declaration: format!("give `{}` a definition in the listing", a.name),
        },
    });
    assumed.chain(guesses(&l.reading).into_iter().map(report)).collect()
}

fn problem(p: &Problem) -> ProblemReport {
    ProblemReport {
        code: p.code,
        place: place(&p.place),
        message: p.message.clone(),
        also: p.also.iter().map(|(at, message)| remark(at, message)).collect(),
        help: p.help.as_ref().map(ToString::to_string),
        limit: p.is_limit,
    }
}

fn printed(p: &crate::scan::Printed, l: &Listing, script: Script) -> PrintedReport {
    let (agreement, message) = match &p.agreement {
        Agreement::Same => ("same", "the printed transfer function is the one computed".to_string()),
        Agreement::Shifted(m) => {
            let list: Vec<String> = m.iter().map(i64::to_string).collect();
            let message = format!("the printed transfer function is the one computed up to shift({})", list.join(","));
            ("same-up-to-shift", message)
        }
        Agreement::Special(names) => {
            let list: Vec<String> = names.iter().map(|n| format!("{} = 1", name(script, n))).collect();
            ("special", format!("the printed transfer function is the one computed where {}", list.join(", ")))
        }
        Agreement::Size(rows, calls) => {
            let message = format!("the printed transfer function has {rows} rows, but {calls} oracles are called");
            ("different", message)
        }
        Agreement::Differs(entries) => ("different", differing(entries, l, script)),
        Agreement::DiffersIn(entries) => ("different", differing_in(entries, l)),
        Agreement::Unread(reason) => ("not-compared", format!("the printed formula was not compared: {reason}")),
    };
    PrintedReport { place: place(&p.place), agreement, message }
}

type Entry = (usize, usize, linnaeus_algebra::RationalFunction, linnaeus_algebra::RationalFunction);

fn differing_in(entries: &[(usize, usize)], l: &Listing) -> String {
    let names = l.reading.analysis.as_ref().map(labels).unwrap_or_default();
    let shown = |(i, j): &(usize, usize)| format!("for {} in the query of {}", names[*j], names[*i]);
    let list: Vec<String> = entries.iter().take(3).filter(|_| names.len() > 1).map(shown).collect();
    let places = if list.is_empty() { String::new() } else { format!(" {}", list.join("; ")) };
    format!("the printed transfer function is not the one computed{places}")
}

fn differing(entries: &[Entry], l: &Listing, script: Script) -> String {
    let Some(analysis) = &l.reading.analysis else { return String::new() };
    let printer = EntryPrinter { system: &analysis.system, script };
    let shown = |(i, j, printed, computed): &Entry| {
        let names = labels(analysis);
        let at =
            if names.len() > 1 { format!("for {} in the query of {}: ", names[*j], names[*i]) } else { String::new() };
        format!("{at}printed {}, computed {}", printer.scalar(printed), printer.scalar(computed))
    };
    let list: Vec<String> = entries.iter().take(3).map(shown).collect();
    let more = if entries.len() > 3 { format!("; and {} more entries", entries.len() - 3) } else { String::new() };
    format!("the printed transfer function is not the one computed; {}{more}", list.join("; "))
}

//! What the page shows: formulas as LaTeX, places of mistakes, and what mends them.

use crate::{Answer, card, read, unread, zoo};
use linnaeus::Reading;
use linnaeus::advice::FrontEnd;
use linnaeus::mend::{Edit, edits};
use linnaeus::relation::compare as related;
use linnaeus::report::{self, CardReport, ReadingPage};
use linnaeus::source::Source;
use linnaeus::syntax::ast::OracleKind;
use linnaeus::synthesis::Given;
use linnaeus::system::Coefficients;
use linnaeus::transfer::Analysis;
use linnaeus::zoo::{Animal, Card, Finding, Group, Inquiry, Match, Zoo, bibtex};
use serde::Serialize;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

/// A reading with what mends it.
#[derive(Serialize)]
struct Read {
    #[serde(flatten)]
    page: ReadingPage,
    edits: Vec<EditReport>,
}

/// A change to the text; offsets count UTF-16 units, as a page does.
#[derive(Serialize)]
struct EditReport {
    /// The number of the remark that it answers.
    diagnostic: usize,
    from: usize,
    to: usize,
    insert: String,
}

fn reported(source: &Source, diagnostic: usize, edit: Edit) -> EditReport {
    let units = |byte: usize| source.text()[..byte].encode_utf16().count();
    EditReport { diagnostic, from: units(edit.span.start), to: units(edit.span.end), insert: edit.text }
}

fn page(mut reading: Reading) -> Read {
    let edits = edits(&reading).into_iter().map(|(i, e)| reported(&reading.source, i, e)).collect();
    reading.diagnostics = reading.diagnostics.into_iter().map(|d| d.said(FrontEnd::Page)).collect();
    Read { page: report::reading_page(&reading), edits }
}

fn json(value: &impl Serialize) -> Answer {
    serde_json::to_string(value).map_err(|e| e.to_string())
}

/// How a text is read.
#[wasm_bindgen]
pub fn page_read(text: &str) -> Answer {
    json(&page(read(text)?))
}

/// So many cards have a key that `identify` needs; one call makes the key of one card. The page calls it while nobody waits.
#[wasm_bindgen]
pub fn prepare(number: usize) -> usize {
    let animals = zoo().map_or(&[][..], Zoo::animals);
    if let Some(animal) = animals.get(number) {
        animal.key();
    }
    animals.len()
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
extern "C" {
    /// The worker's own: so many of so many comparisons are done; and a card that the algorithm is, with the heading
    /// that it stands under and the place of that in an answer, when there is none better so far.
    #[wasm_bindgen(js_namespace = globalThis, js_name = linnaeusProgress)]
    fn told(done: usize, total: usize, id: &str, name: &str, heading: &str, place: usize);
}

/// Native code has nobody to tell.
#[cfg(not(target_arch = "wasm32"))]
fn told(_done: usize, _total: usize, _id: &str, _name: &str, _heading: &str, _place: usize) {}

/// Tells of a card that the algorithm is.
fn told_of(done: usize, total: usize, m: &Match) {
    told(done, total, &m.animal.card.id, &m.animal.card.name, m.group.heading(), m.group as usize);
}

/// At most so many cards are looked at before all are read.
const GUESSED: usize = 30;

/// Tells of a card that an algorithm is before all cards are read, if one of those that look most like it is: that call
/// such oracles, are as long, and old.
#[wasm_bindgen]
pub fn page_name(text: &str) -> Result<(), String> {
    let reading = read(text)?;
    let Some(analysis) = &reading.analysis else { return Ok(()) };
    let zoo = zoo()?;
    let asked = Look::of(analysis);
    let mut alike: Vec<(Look, &Animal)> = zoo.animals().iter().map(|a| (Look::stated(&a.card), a)).collect();
    alike.retain(|(look, _)| look.oracles == asked.oracles);
    alike.sort_by_key(|(look, a)| (look.length.abs_diff(asked.length), &a.card.year, &a.card.id));
    alike.truncate(GUESSED);
    let total = alike.len();
    let inquiry = Inquiry::among(zoo, alike.into_iter().map(|(_, a)| a).collect(), &reading.source, analysis);
    let found = (0..total).find_map(|i| match inquiry.compare(i) {
        Some(Finding::Match(m)) if is_name(&m) => Some(m),
        _ => None,
    });
    if let Some(m) = found {
        told_of(0, total, &m);
    }
    Ok(())
}

/// What can be told of an algorithm at a glance.
struct Look {
    /// How many oracles there are, how many of them are gradients, and how many have a step or a set.
    oracles: [usize; 3],
    /// How many lines there are.
    length: usize,
}

impl Look {
    fn of(analysis: &Analysis) -> Look {
        let count = |is: fn(OracleKind) -> bool| analysis.channels.iter().filter(|c| is(c.oracle.kind)).count();
        let gradients = count(|k| k == OracleKind::Gradient);
        let steps = count(|k| k.has_step() || k == OracleKind::Projection);
        Look { oracles: [analysis.channels.len(), gradients, steps], length: analysis.system.equations.len() }
    }

    /// As a card states it; nothing of it is read.
    fn stated(card: &Card) -> Look {
        let stated = card.transfer.lines().find_map(|l| l.strip_prefix("oracles: ")).unwrap_or_default();
        let oracles: Vec<&str> = stated.split(", ").collect();
        let count = |is: fn(&str) -> bool| oracles.iter().filter(|o| is(o)).count();
        let gradients = count(|o| o.starts_with("grad ") && !o.starts_with("grad env"));
        let steps = count(|o| o.contains('_'));
        Look { oracles: [oracles.len(), gradients, steps], length: card.equations.matches(" = ").count() }
    }
}

/// What an algorithm is; how far the search has come is told on the way.
#[wasm_bindgen]
pub fn page_identify(text: &str) -> Answer {
    let reading = read(text)?;
    let Some(analysis) = &reading.analysis else { return Err("the text was not read".to_string()) };
    let zoo = zoo()?;
    let inquiry = Inquiry::new(zoo, &reading.source, analysis);
    let total = inquiry.candidates();
    let mut best: Option<Group> = None;
    let compared = likely_first(&inquiry, zoo, analysis).into_iter().enumerate().filter_map(|(i, candidate)| {
        told(i, total, "", "", "", 0);
        let finding = inquiry.compare(candidate);
        if let Some(Finding::Match(m)) = &finding
            && is_name(m)
            && best.is_none_or(|b| m.group < b)
        {
            best = Some(m.group);
            told_of(i, total, m);
        }
        finding
    });
    let findings = compared.collect();
    identified(zoo, &reading, inquiry, findings)
}

fn identified<'z>(zoo: &'z Zoo, reading: &Reading, inquiry: Inquiry<'z, '_>, findings: Vec<Finding<'z>>) -> Answer {
    json(&report::identify_page(zoo, reading, &inquiry.finish(findings)))
}

/// The candidates in the order of an answer in which all are the same: such as are written like the input, then older ones come first.
/// So the first that is found is in general the first of the answer.
fn likely_first(inquiry: &Inquiry, zoo: &Zoo, input: &Analysis) -> Vec<usize> {
    let length = |a: &Analysis| a.system.equations.len();
    let mut order: Vec<usize> = (0..inquiry.candidates()).collect();
    order.sort_by_cached_key(|&i| {
        let card = inquiry.card(i);
        let analysis = zoo.find(&card.id).and_then(Animal::analysis);
        (analysis.map(length) != Some(length(input)), &card.year, &card.id)
    });
    order
}

/// Whether the input may be called by the card's name, whatever else is found.
fn is_name(m: &Match) -> bool {
    m.group <= Group::SameInOtherOracles && !m.frozen && m.outside.is_empty()
}

/// A question that nobody waits for, and what has been found so far.
struct Rehearsal {
    reading: &'static Reading,
    inquiry: Inquiry<'static, 'static>,
    findings: Vec<Finding<'static>>,
    /// The cards that are still to be compared, the next one last.
    open: Vec<usize>,
}

thread_local! {
    static REHEARSAL: RefCell<Option<Rehearsal>> = const { RefCell::new(None) };
}

/// Answers a question in pieces, so that what answers is compiled and known of the cards before somebody asks; whether it is done.
/// The page calls it while nobody waits, and a question waits for one piece at most. The text is kept for good.
#[wasm_bindgen]
pub fn rehearse(text: &str) -> Result<bool, String> {
    let zoo = zoo()?;
    let rehearsal = REHEARSAL.with_borrow_mut(Option::take);
    let Some(Rehearsal { reading, inquiry, mut findings, mut open }) = rehearsal else {
        let reading: &'static Reading = Box::leak(Box::new(read(text)?));
        let Some(analysis) = &reading.analysis else { return Err("the text was not read".to_string()) };
        let inquiry = Inquiry::new(zoo, &reading.source, analysis);
        let mut open = likely_first(&inquiry, zoo, analysis);
        open.reverse();
        REHEARSAL.set(Some(Rehearsal { reading, inquiry, findings: Vec::new(), open }));
        return Ok(false);
    };
    let Some(next) = open.pop() else {
        return identified(zoo, reading, inquiry, findings).map(|_| true);
    };
    findings.extend(inquiry.compare(next));
    REHEARSAL.set(Some(Rehearsal { reading, inquiry, findings, open }));
    Ok(false)
}

/// Whether two algorithms are the same.
#[wasm_bindgen]
pub fn page_compare(first: &str, second: &str) -> Answer {
    let readings = [read(first)?, read(second)?];
    let [Some(a), Some(b)] = readings.each_ref().map(|r| r.analysis.as_ref()) else {
        return Ok(unread(&readings[0], &readings[1]));
    };
    json(&report::compare_page(a, b, &related(a, b, None)))
}

/// Poles and zeros; values of parameters are an object such as `{"beta": 0.5}`, or empty.
#[wasm_bindgen]
pub fn page_poles(text: &str, values: &str) -> Answer {
    let values = if values.is_empty() { "{}" } else { values };
    let values = serde_json::from_str(values).map_err(|e| e.to_string())?;
    match linnaeus::synthesis::read(text, Coefficients::AsWritten).given {
        Some(Given::Commuting(model)) => json(&report::poles(&model, &values).map_err(|_| "this takes too long")?),
        Some(Given::Words(_)) => {
            Err("these operators do not commute: there is no characteristic polynomial".to_string())
        }
        Some(Given::Improper(_)) => Err("this matrix is not proper: there is no realization".to_string()),
        None => Err("the text was not read".to_string()),
    }
}

/// A card with its reading and its references.
#[derive(Serialize)]
struct CardPage {
    card: CardReport,
    reading: ReadingPage,
    references: Vec<Reference>,
}

/// One reference, to be read and followed.
#[derive(Serialize)]
struct Reference {
    short: String,
    title: String,
    link: Option<String>,
    bibtex: String,
}

/// A card of the zoo.
#[wasm_bindgen]
pub fn page_card(id: &str) -> Answer {
    let animal = card(id)?;
    let plain = |text: &str| text.replace(['{', '}'], "").replace("--", "–");
    let reference = |e: bibtex::Entry| Reference {
        short: plain(&e.short()),
        title: plain(e.field("title").unwrap_or_default()),
        link: (e.field("doi").map(|d| format!("https://doi.org/{d}")))
            .or_else(|| e.field("eprint").map(|a| format!("https://arxiv.org/abs/{a}")))
            .or_else(|| e.field("url").map(str::to_string)),
        bibtex: e.text.to_string(),
    };
    json(&CardPage {
        card: report::card(zoo()?, animal),
        reading: report::reading_page(animal.reading()),
        references: bibtex::parse(&animal.card.bibtex).unwrap_or_default().into_iter().map(reference).collect(),
    })
}

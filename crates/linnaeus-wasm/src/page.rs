//! What the page shows: formulas as LaTeX, places of mistakes, and what mends them.

use crate::{Answer, card, read, unread, zoo};
use linnaeus::Reading;
use linnaeus::mend::{Edit, edits};
use linnaeus::relation::compare as related;
use linnaeus::report::{self, CardReport, ReadingPage};
use linnaeus::source::Source;
use linnaeus::synthesis::Given;
use linnaeus::system::Coefficients;
use linnaeus::transfer::Analysis;
use linnaeus::zoo::{Animal, Finding, Group, Inquiry, Match, Zoo, bibtex};
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

fn page(reading: &Reading) -> Read {
    let edits = edits(reading).into_iter().map(|(i, e)| reported(&reading.source, i, e)).collect();
    Read { page: report::reading_page(reading), edits }
}

fn json(value: &impl Serialize) -> Answer {
    serde_json::to_string(value).map_err(|e| e.to_string())
}

/// How a text is read.
#[wasm_bindgen]
pub fn page_read(text: &str) -> Answer {
    json(&page(&read(text)?))
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
    /// that it stands under, when there is none better so far.
    #[wasm_bindgen(js_namespace = globalThis, js_name = linnaeusProgress)]
    fn told(done: usize, total: usize, id: &str, name: &str, heading: &str);
}

/// Native code has nobody to tell.
#[cfg(not(target_arch = "wasm32"))]
fn told(_done: usize, _total: usize, _id: &str, _name: &str, _heading: &str) {}

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
        told(i, total, "", "", "");
        let finding = inquiry.compare(candidate);
        if let Some(Finding::Match(m)) = &finding
            && is_name(m)
            && best.is_none_or(|b| m.group < b)
        {
            best = Some(m.group);
            told(i, total, &m.animal.card.id, &m.animal.card.name, m.group.heading());
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
    /// The next card.
    next: usize,
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
    let Some(Rehearsal { reading, inquiry, mut findings, next }) = rehearsal else {
        let reading: &'static Reading = Box::leak(Box::new(read(text)?));
        let Some(analysis) = &reading.analysis else { return Err("the text was not read".to_string()) };
        let inquiry = Inquiry::new(zoo, &reading.source, analysis);
        REHEARSAL.set(Some(Rehearsal { reading, inquiry, findings: Vec::new(), next: 0 }));
        return Ok(false);
    };
    if next == inquiry.candidates() {
        return identified(zoo, reading, inquiry, findings).map(|_| true);
    }
    findings.extend(inquiry.compare(next));
    REHEARSAL.set(Some(Rehearsal { reading, inquiry, findings, next: next + 1 }));
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

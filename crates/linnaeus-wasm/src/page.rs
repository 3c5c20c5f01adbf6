//! What the page shows: formulas as LaTeX, places of mistakes, and what mends them.

use crate::{Answer, card, read, unread, zoo};
use linnaeus::Reading;
use linnaeus::mend::{Edit, edits};
use linnaeus::relation::compare as related;
use linnaeus::report::{self, CardReport, ReadingPage};
use linnaeus::source::Source;
use linnaeus::synthesis::Given;
use linnaeus::system::Coefficients;
use linnaeus::zoo::{Inquiry, Zoo, bibtex};
use serde::Serialize;
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
    /// The worker's own: so many of so many comparisons are done.
    #[wasm_bindgen(js_namespace = globalThis, js_name = linnaeusProgress)]
    fn told(done: usize, total: usize);
}

/// Native code has nobody to tell.
#[cfg(not(target_arch = "wasm32"))]
fn told(_done: usize, _total: usize) {}

/// What an algorithm is; how far the search has come is told on the way.
#[wasm_bindgen]
pub fn page_identify(text: &str) -> Answer {
    let reading = read(text)?;
    let Some(analysis) = &reading.analysis else { return Err("the text was not read".to_string()) };
    let zoo = zoo()?;
    let inquiry = Inquiry::new(zoo, &reading.source, analysis);
    let total = inquiry.candidates();
    let compared = (0..total).filter_map(|i| {
        told(i, total);
        inquiry.compare(i)
    });
    let findings = compared.collect();
    let found = inquiry.finish(findings);
    json(&report::identify_page(zoo, &reading, &found))
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

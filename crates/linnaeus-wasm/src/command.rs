//! The commands: what `linnaeus COMMAND --json` prints, and what it draws and exports.

use crate::request::{Changes, Run};
use crate::{Answer, card, read, unread, zoo};
use linnaeus::relation::compare as related;
use linnaeus::report::{self, Filter, Format, Inside, Scope};
use linnaeus::simulate;
use linnaeus::synthesis::{Given, forms_of};
use wasm_bindgen::prelude::wasm_bindgen;

/// `linnaeus show`.
#[wasm_bindgen]
pub fn show(text: &str) -> Answer {
    Ok(read(text)?.report().to_json())
}

/// `linnaeus identify`.
#[wasm_bindgen]
pub fn identify(text: &str) -> Answer {
    let reading = read(text)?;
    let Some(analysis) = &reading.analysis else { return Ok(reading.report().to_json()) };
    let zoo = zoo()?;
    let found = linnaeus::zoo::identify(zoo, &reading.source, analysis);
    Ok(report::identify(zoo, &reading, &found).to_json())
}

/// `linnaeus compare`.
#[wasm_bindgen]
pub fn compare(first: &str, second: &str) -> Answer {
    let readings = [read(first)?, read(second)?];
    let [Some(a), Some(b)] = readings.each_ref().map(|r| r.analysis.as_ref()) else {
        return Ok(unread(&readings[0], &readings[1]));
    };
    let mut report = report::compare(a, b, &related(a, b, None));
    report.readings = readings.iter().map(report::reading_report).collect();
    Ok(report.to_json())
}

/// `linnaeus compare --latex`; `linnaeus compare --to sympy` for the format `sympy`.
#[wasm_bindgen]
pub fn proof(first: &str, second: &str, format: &str) -> Answer {
    let readings = [read(first)?, read(second)?];
    let [Some(a), Some(b)] = readings.each_ref().map(|r| r.analysis.as_ref()) else {
        return Ok(unread(&readings[0], &readings[1]));
    };
    let comparison = related(a, b, None);
    match format {
        "sympy" => report::sympy_relation((a, &readings[0].source), (b, &readings[1].source), &comparison)
            .map_err(|why| why.to_string()),
        _ => Ok(report::proof(&readings[0], &readings[1], &comparison)),
    }
}

/// `linnaeus realize`.
#[wasm_bindgen]
pub fn realize(text: &str, changes: &str) -> Answer {
    let changes = Changes::new(changes)?;
    let mut draft = changes.draft(text);
    let given = match changes.granted(&draft) {
        Ok(given) => given,
        Err(d) => return Ok(changes.denied(d)),
    };
    let realized = given.as_ref().and_then(|g| report::realize_draft(&mut draft, g, changes.coordinates()));
    if let Some(d) = changes.implicit(&mut draft) {
        return Ok(changes.denied(d));
    }
    Ok(report::realize(&draft.source, &changes.remarks(&draft), realized.as_ref()).to_json())
}

/// `linnaeus realize --to FORMAT`.
#[wasm_bindgen]
pub fn export_as(text: &str, changes: &str, format: &str) -> Answer {
    let changes = Changes::new(changes)?;
    let mut draft = changes.draft(text);
    let given = changes.granted(&draft).map_err(|d| changes.said(*d.diagnostic).render(&d.source))?;
    let format = Format::from_word(format).ok_or("there is no such format")?;
    match given.as_ref().and_then(|g| report::realize_draft(&mut draft, g, changes.coordinates())) {
        Some(realized) => report::export(&realized, format).map_err(|why| changes.said(*why).render(&draft.source)),
        None => Err(changes.remarks(&draft).iter().map(|d| d.render(&draft.source)).collect()),
    }
}

/// `linnaeus forms`.
#[wasm_bindgen]
pub fn forms(text: &str, changes: &str) -> Answer {
    let changes = Changes::new(changes)?;
    let mut draft = changes.draft(text);
    let request = changes.request();
    if let Some(Given::Improper(matrix)) = &draft.given
        && request.is_empty()
    {
        draft.diagnostics.push(report::improper(matrix));
        draft.given = None;
    }
    let Some(given) = &draft.given else {
        return Ok(report::realize(&draft.source, &changes.remarks(&draft), None).to_json());
    };
    Ok(match forms_of(given, &request, changes.own_oracles) {
        Ok((found, assumptions)) => {
            report::forms(&draft.source, &changes.remarks(&draft), &found, &assumptions).to_json()
        }
        Err(d) => changes.denied(d),
    })
}

/// `linnaeus draw A`, with `--states` where `inside` is `states`.
#[wasm_bindgen]
pub fn draw(text: &str, inside: &str) -> Answer {
    let inside = if inside == "states" { Inside::States } else { Inside::Transfer };
    report::block_diagram(&read(text)?, inside).ok_or_else(|| "the text was not read".to_string())
}

/// `linnaeus draw A B`.
#[wasm_bindgen]
pub fn unrolled(first: &str, second: &str) -> Answer {
    let readings = [read(first)?, read(second)?];
    let [Some(a), Some(b)] = readings.each_ref().map(|r| r.analysis.as_ref()) else {
        return Err("a text was not read".to_string());
    };
    report::unrolled(a, b, &related(a, b, None)).ok_or_else(|| "they are not related".to_string())
}

/// `linnaeus simulate A [B]`, the second text being empty for one run; with the picture where `as_picture` is true.
#[wasm_bindgen]
pub fn simulate(first: &str, second: &str, run: &str, as_picture: bool) -> Answer {
    let request = Run::request(run)?;
    let (a, b) = (read(first)?, read(second)?);
    let a = a.analysis.as_ref().ok_or("the first text was not read")?;
    let second = b.analysis.as_ref();
    let comparison = second.map(|b| related(a, b, None));
    let (a, second) = match (&comparison, second) {
        (Some(comparison), Some(b)) => {
            let [a, b] = comparison.texts(a, b);
            (a, Some(b))
        }
        _ => (a, None),
    };
    let found = match (&comparison, second) {
        (Some(comparison), Some(b)) => simulate::simulate_both(a, b, &comparison.verdict, &request),
        _ => simulate::simulate(a, None, &request),
    };
    let found = found.map_err(|refusal| refusal.told())?;
    if as_picture {
        return Ok(report::simulation_picture(a, second, &found));
    }
    Ok(report::simulation(a, second, &found).to_json())
}

/// `linnaeus zoo list`: words, and a family and kinds of oracles (`prox,grad`) where they are not empty.
#[wasm_bindgen]
pub fn zoo_list(words: &str, family: &str, oracles: &str) -> Answer {
    let kind = |w: &str| report::kind(w.trim()).ok_or_else(|| report::no_kind(w.trim()));
    let kinds = (!oracles.trim().is_empty()).then(|| oracles.split(',').map(kind).collect::<Result<_, _>>());
    let filter = Filter {
        family: (!family.is_empty()).then(|| family.to_string()),
        oracles: kinds.transpose()?,
        words: words.split_whitespace().map(str::to_string).collect(),
    };
    Ok(report::list(zoo()?, &filter).to_json())
}

/// `linnaeus zoo show`.
#[wasm_bindgen]
pub fn zoo_card(id: &str) -> Answer {
    Ok(report::card(zoo()?, card(id)?).to_json())
}

/// `linnaeus zoo relations`, all or only those that need no assumption.
#[wasm_bindgen]
pub fn zoo_relations(plain: bool) -> Answer {
    Ok(report::graph(zoo()?, if plain { Scope::Plain } else { Scope::All }).to_json())
}

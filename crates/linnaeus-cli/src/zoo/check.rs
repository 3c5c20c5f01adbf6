//! `linnaeus zoo check`.

use crate::arguments::CheckArguments;
use crate::folder::{self, Loaded, RELATIONS};
use crate::{complain, print, processors};
use linnaeus::report::{self, Remark};
use linnaeus::zoo::graph::{Outcome, Record, relate_cards};
use linnaeus::zoo::{Card, Edge, Zoo};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// Something is wrong with the zoo.
const REPORTED: u8 = 1;
/// More relations under an assumption than this are counted, not told, for a new card.
const TOLD: usize = 3;
/// More new cards than this are counted.
const NEW: usize = 10;

/// Checks the cards and the record of how they are related.
pub fn run(arguments: &CheckArguments, dir: Option<&Path>) -> ExitCode {
    match checked(arguments, dir) {
        Ok((text, fine)) => {
            print(&text);
            ExitCode::from(if fine { 0 } else { REPORTED })
        }
        Err(message) => complain(&message),
    }
}

/// What there is to say, and whether all is well.
fn checked(arguments: &CheckArguments, dir: Option<&Path>) -> Result<(String, bool), String> {
    let write_to = match (arguments.write, dir) {
        (true, None) => return Err("`--write` needs a folder to write to: `--zoo DIR`".to_string()),
        (true, dir) => dir,
        (false, _) => None,
    };
    let mut loaded = folder::load(dir)?;
    if write_to.is_some() && record_transfers(&loaded)? {
        loaded = folder::load(dir)?;
    }
    let mut out = String::new();
    for (path, source, diagnostics) in &loaded.refused {
        out.push_str(&folder::problems(path, source, diagnostics));
    }
    for animal in loaded.zoo.animals() {
        out.push_str(&folder::problems(&loaded.path(animal), &animal.source, &report::card_problems(animal)));
    }
    let mut fine = out.is_empty();
    let relations = Relations::new(&loaded, arguments.all);
    let (text, told_all) = relations.report(&loaded, write_to.is_some());
    out.push_str(&text);
    fine &= told_all;
    if let Some(dir) = write_to {
        write(&dir.join(RELATIONS), &relations.record(&loaded).to_string())?;
    }
    let _ = writeln!(out, "{}", relations.tally(&loaded.zoo));
    Ok((out, fine))
}

/// Writes the transfer functions that are not recorded; whether there were any.
fn record_transfers(loaded: &Loaded) -> Result<bool, String> {
    let mut any = false;
    for animal in loaded.zoo.animals().iter().filter(|a| loaded.own.contains(&a.card.id)) {
        if let Some(computed) = report::record(animal.reading()).filter(|h| *h != animal.card.transfer) {
            write(&loaded.path(animal), &Card::with_transfer(animal.source.text(), &computed))?;
            any = true;
        }
    }
    Ok(any)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write `{}`: {e}", path.display()))
}

/// What was compared and found.
struct Relations {
    compared: usize,
    /// Pairs that were not decided.
    undecided: Vec<(String, String)>,
    /// Pairs that are known to be related now.
    edges: BTreeMap<(String, String), Edge>,
    /// Where that differs from what was recorded.
    remarks: Vec<Remark>,
    /// Cards of which something was not recorded.
    fresh: BTreeSet<String>,
}

impl Relations {
    /// Compares the pairs that are not recorded as they are, or all of them; of a folder's cards, if one
    /// was given.
    fn new(loaded: &Loaded, all: bool) -> Relations {
        let zoo = &loaded.zoo;
        let animals = zoo.animals();
        let is_own = |i: usize| loaded.own.is_empty() || loaded.own.contains(&animals[i].card.id);
        let candidates: BTreeSet<(usize, usize)> = zoo.pairs().collect();
        let is_due = |&&(i, j): &&(usize, usize)| {
            (is_own(i) || is_own(j)) && (all || !zoo.is_recorded(&animals[i], &animals[j]))
        };
        let due: Vec<(usize, usize)> = candidates.iter().filter(is_due).copied().collect();
        let mut recorded: BTreeMap<(usize, usize), &Edge> = BTreeMap::new();
        let mut remarks = Vec::new();
        let place = |id: &str| animals.iter().position(|a| a.card.id == id);
        for edge in zoo.relations() {
            match place(&edge.first).zip(place(&edge.second)).filter(|pair| candidates.contains(pair)) {
                Some(pair) => drop(recorded.insert(pair, edge)),
                None => remarks.push(Remark::Lost(edge.clone())),
            }
        }
        let mut found = Relations {
            compared: due.len(),
            undecided: Vec::new(),
            edges: BTreeMap::new(),
            remarks,
            fresh: fresh(zoo, &due),
        };
        for (pair, outcome) in due.iter().zip(outcomes(zoo, &due)) {
            if matches!(outcome, Outcome::Undecided(_)) {
                let id = |i: usize| animals[i].card.id.clone();
                found.undecided.push((id(pair.0), id(pair.1)));
            }
            found.remarks.extend(report::remark(recorded.remove(pair), &outcome));
            if let Outcome::Related(edge) = outcome {
                found.edges.insert((edge.first.clone(), edge.second.clone()), edge);
            }
        }
        // The others are as they were.
        let kept = recorded.into_values().map(|e| ((e.first.clone(), e.second.clone()), e.clone()));
        found.edges.extend(kept);
        found
    }

    /// What a folder records: all pairs that one of its cards is in.
    fn record(&self, loaded: &Loaded) -> Record {
        let mut record = Record::default();
        loaded.zoo.animals().iter().for_each(|a| record.cover(a));
        let is_own = |e: &&Edge| loaded.own.contains(&e.first) || loaded.own.contains(&e.second);
        self.edges.values().filter(is_own).for_each(|e| record.insert(e.clone()));
        record
    }

    /// The remarks by card, and whether they leave nothing to be done.
    fn report(&self, loaded: &Loaded, written: bool) -> (String, bool) {
        let mut out = String::new();
        let mut fine = true;
        let mut news: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
        for remark in &self.remarks {
            match remark {
                Remark::Unrecorded(edge) if self.fresh.contains(&edge.second) => {
                    news.entry(&edge.second).or_default().push(edge);
                }
                Remark::Unrecorded(edge) if self.fresh.contains(&edge.first) => {
                    news.entry(&edge.first).or_default().push(edge);
                }
                other => {
                    fine &= written;
                    let _ = writeln!(out, "{}", other.text(&loaded.zoo));
                }
            }
        }
        for (id, edges) in news.iter().take(NEW) {
            out.push_str(&new_card(&loaded.zoo, id, edges));
        }
        if news.len() > NEW {
            let _ = writeln!(out, "and {} more cards with relations that are not recorded", news.len() - NEW);
        }
        let duplicate = news.values().flatten().any(|e| e.is_same());
        let informs = !loaded.has_record && news.keys().all(|id| loaded.own.contains(*id)) && !duplicate;
        fine &= news.is_empty() || written || informs;
        (out, fine)
    }

    fn tally(&self, zoo: &Zoo) -> String {
        let pairs: Vec<String> = self.undecided.iter().map(|(a, b)| format!("{a} and {b}")).collect();
        let undecided = match pairs.len() {
            0 => String::new(),
            n if n > NEW => format!(" ({n} undecided)"),
            _ => format!(" (undecided: {})", pairs.join(", ")),
        };
        let rest = if self.compared == 0 { "; --all compares every pair anew" } else { "" };
        format!(
            "{} cards, {} pairs related; {} pairs compared{undecided}{rest}",
            zoo.animals().len(),
            self.edges.len(),
            self.compared
        )
    }
}

/// Cards all of whose pairs are due: those that are new or changed.
fn fresh(zoo: &Zoo, due: &[(usize, usize)]) -> BTreeSet<String> {
    let animals = zoo.animals();
    let touched: BTreeSet<usize> = due.iter().flat_map(|&(i, j)| [i, j]).collect();
    let is_fresh = |i: &usize| !zoo.is_recorded(&animals[*i], &animals[*i]);
    touched.into_iter().filter(is_fresh).map(|i| animals[i].card.id.clone()).collect()
}

/// Compares pairs.
fn outcomes(zoo: &Zoo, pairs: &[(usize, usize)]) -> Vec<Outcome> {
    let animals = zoo.animals();
    processors::map("comparing", pairs, |&(i, j)| relate_cards(&animals[i], &animals[j]))
}

/// What a new card is related to, with nothing assumed first.
fn new_card(zoo: &Zoo, id: &str, edges: &[&Edge]) -> String {
    let (slug, name) = zoo.find(id).map_or(("", ""), |a| (&a.card.slug, &a.card.name));
    let mut out = format!("{id} {slug} ({name})\n");
    let (mut plain, special): (Vec<&Edge>, Vec<&Edge>) = edges.iter().partition(|e| e.assuming.is_empty());
    plain.sort_by_key(|e| (!e.is_same(), e.relation, e.generality));
    for edge in plain.iter().chain(special.iter().take(TOLD)) {
        let _ = writeln!(out, "  {}", report::edge_text(zoo, edge, id));
    }
    if special.len() > TOLD {
        let _ = writeln!(out, "  and {} more under an assumption", special.len() - TOLD);
    }
    out
}

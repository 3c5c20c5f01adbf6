//! LaTeX sources → the algorithms in them, what is wrong with them, and how they are related.
//!
//! Files are put together and macros expanded ([`expand`]), environments and displays are found
//! ([`outline`], [`segment`], [`programs`]) and read ([`listing`]), and transfer functions that the paper prints are held against those
//! computed ([`printed`]). Where files come from, and who runs the comparisons, is up to the caller.

mod at_a_point;
pub mod cells;
pub mod claims;
pub mod expand;
pub mod functions;
pub mod listing;
pub mod order;
pub mod outline;
pub mod pairs;
pub mod printed;
pub mod programs;
pub mod rows;
pub mod segment;
pub mod source;

pub use listing::{Assumed, Found, Listing, Meaning, Problem, Vocabulary};
pub use pairs::Pair;
pub use printed::{Agreement, Printed};
pub use source::Place;

use crate::source::Span;
use claims::Claim;
use expand::{Expanded, Load};
use outline::{Outline, Reference};
use segment::{Form, Site};

/// A paper, cut into its parts.
#[derive(Clone, Debug)]
pub struct Paper {
    /// The text.
    pub expanded: Expanded,
    /// Its parts.
    pub outline: Outline,
    /// Where algorithms may stand.
    pub sites: Vec<Site>,
}

/// A formula that updates an iterate, but is no algorithm by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Where it stands.
    pub place: Place,
    /// Why it is none.
    pub reason: &'static str,
}

/// All algorithms of a paper.
#[derive(Clone, Debug, Default)]
pub struct Listings {
    /// In the order of the paper.
    pub list: Vec<Listing>,
    /// What was passed over.
    pub passed: Vec<Passed>,
    /// Whether there are more than are read.
    pub is_cut: bool,
}

/// More algorithms than this are not read in a paper.
pub const MAX_LISTINGS: usize = 400;

impl Paper {
    /// Puts a paper together; `load` gives the text of a file that it includes.
    pub fn new(name: &str, text: &str, load: Load) -> Paper {
        let mut expanded = expand::expand(name, text, load);
        let outline = outline::outline(&expanded);
        let sites = segment::sites(&expanded, &outline);
        if let Some(last) = sites.get(segment::MAX_SITES - 1) {
            let message = format!("more than {} displays and listings are not read", segment::MAX_SITES);
            expanded.remarks.push((expanded.text.origin(last.span.start), message));
        }
        Paper { expanded, outline, sites }
    }

    /// Reads a site, names meaning what they mean in other listings.
    pub fn read(&self, site: usize, vocabulary: &Vocabulary) -> Vec<Found> {
        listing::read(&self.expanded, &self.sites[site], vocabulary)
    }

    /// Reads all sites, twice: once for the names, and once more with them.
    pub fn listings(&self) -> Listings {
        let alone = Vocabulary::new(functions::definitions(&self.expanded, &self.outline));
        let mut vocabulary = alone.clone();
        for found in (0..self.sites.len()).flat_map(|site| self.read(site, &alone)) {
            if let Found::Listing(listing) = found {
                vocabulary.add(&listing);
            }
        }
        self.gather((0..self.sites.len()).flat_map(|site| self.read(site, &vocabulary)))
    }

    /// Puts together what was found at the sites, in their order, and holds it against what the paper prints.
    pub fn gather(&self, found: impl IntoIterator<Item = Found>) -> Listings {
        let mut all = Listings::default();
        for found in found {
            match found {
                Found::Listing(listing) if all.list.len() >= MAX_LISTINGS => {
                    let reason = "more algorithms than are read stand before it";
                    all.passed.push(Passed { place: listing.place, reason });
                    all.is_cut = true;
                }
                Found::Listing(listing) => all.list.push(*listing),
                Found::Passed(place, reason) => all.passed.push(Passed { place, reason }),
                Found::Nothing => {}
            }
        }
        for claim in claims::claims(self.expanded.text.as_str(), &self.outline) {
            self.judge(&claim, &mut all.list);
        }
        for listing in all.list.iter_mut().filter(|l| l.site.form == Form::Display) {
            let problems = rows::mismatches(&self.expanded, listing);
            listing.problems.extend(problems);
        }
        all
    }

    /// Compares a printed formula with the algorithms that it may belong to: those that it names, or else those
    /// that the sentence before it names, or else those of its section. In the last two cases it must be true of one.
    fn judge(&self, claim: &Claim, listings: &mut [Listing]) {
        let named = self.referred(&claim.labels, listings);
        let is_named = !named.is_empty();
        if !is_named && !claim.labels.is_empty() {
            return;
        }
        let candidates = if is_named { named } else { self.beside(claim, listings) };
        let check = |i: usize| printed::check(&self.expanded, claim, &listings[i]).map(|a| (i, a));
        let mut checked: Vec<(usize, Agreement)> = candidates.into_iter().filter_map(check).collect();
        if !is_named {
            checked.retain(|(_, a)| !matches!(a, Agreement::Unread(_) | Agreement::Size(..)));
            if checked.iter().any(|(_, a)| a.is_true()) {
                checked.retain(|(_, a)| a.is_true());
            } else {
                checked.drain(..checked.len().saturating_sub(1));
            }
        }
        let place = self.expanded.files.place(self.expanded.text.origin(claim.span.start));
        for (i, agreement) in checked {
            listings[i].printed.push(Printed { place: place.clone(), agreement });
        }
    }

    fn referred(&self, references: &[Reference], listings: &[Listing]) -> Vec<usize> {
        let place = |label: &String| listings.iter().position(|l| l.site.labels.contains(label));
        let mut found: Vec<usize> = Vec::new();
        for reference in references {
            match reference {
                Reference::Labels(labels) => found.extend(labels.iter().filter_map(place)),
                Reference::Range(first, last) => {
                    if let (Some(a), Some(b)) = (place(first), place(last)) {
                        found.extend(a.min(b)..=a.max(b));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Algorithms that a formula without a name may belong to, the nearest last.
    fn beside(&self, claim: &Claim, listings: &[Listing]) -> Vec<usize> {
        let at = claim.span.start;
        let text = &self.expanded.text.as_str()[..at];
        let paragraph = text.rfind("\n\n").unwrap_or(0);
        let spoken = self.outline.references_in(Span::new(paragraph, at));
        let found = self.referred(&spoken, listings);
        if !found.is_empty() {
            return found;
        }
        let section = self.outline.section(at);
        let same = |l: &Listing| self.outline.section(l.site.span.start) == section && l.site.span.start < at;
        (0..listings.len()).filter(|&i| same(&listings[i])).collect()
    }
}

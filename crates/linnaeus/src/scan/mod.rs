//! LaTeX sources → the algorithms in them, what is wrong with them, and how they are related.
//!
//! Files are put together and macros expanded ([`expand`]), environments and displays are found
//! ([`segment`]) and read ([`listing`]), and transfer functions that the paper prints are held against those
//! computed ([`printed`]). Where files come from, and who runs the comparisons, is up to the caller.

pub mod cells;
pub mod expand;
pub mod listing;
pub mod order;
pub mod printed;
pub mod segment;
pub mod source;

pub use listing::{Found, Listing, Problem};
pub use printed::Printed;
pub use source::Place;

use expand::{Expanded, Load};
use segment::{Outline, Site};

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

impl Paper {
    /// Puts a paper together; `load` gives the text of a file that it includes.
    pub fn new(name: &str, text: &str, load: Load) -> Paper {
        let expanded = expand::expand(name, text, load);
        let outline = segment::outline(&expanded);
        let sites = segment::sites(&expanded, &outline);
        Paper { expanded, outline, sites }
    }

    /// Reads a site.
    pub fn read(&self, site: usize) -> Vec<Found> {
        listing::read(&self.expanded, &self.sites[site])
    }
}

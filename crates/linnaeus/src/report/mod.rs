//! Results in the form in which they leave the engine. The only serializable types.

mod check;
mod compare;
mod drawing;
mod entry;
pub mod expression;
mod identify;
mod latex;
mod lines;
mod obstruction;
mod proof;
mod reading;
mod record;
mod show;
mod speaker;
mod text;
mod typeset;
mod zoo;

pub use check::{Remark, card_problems, edge_text, how, remark};
pub use compare::{BranchReport, Compare, compare, compare_text};
pub use drawing::{dot, svg};
pub use identify::{Identify, MatchReport, NearMissReport, identify, identify_bibtex, identify_text};
pub use latex::latex;
pub use obstruction::{EntryReport, ObstructionReport, RunReport};
pub use proof::proof;
pub use reading::{GuessReport, LineReport, ReadingReport, reading_report, reading_text};
pub use record::record;
pub use show::{ChannelReport, DiagnosticReport, OperatorReport, RealizationReport, Show, show};
pub use text::{Palette, text};
pub use zoo::{
    CardReport, EdgeReport, Filter, Graph, List, Listed, Node, RelatedReport, Scope, card, card_text, graph, kind, list,
};

//! Results in the form in which they leave the engine. The only serializable types.

mod compare;
mod entry;
pub mod expression;
mod identify;
mod latex;
mod lines;
mod obstruction;
mod proof;
mod show;
mod speaker;
mod text;
mod typeset;

pub use compare::{BranchReport, Compare, compare, compare_text};
pub use identify::{Identify, MatchReport, NearMissReport, identify, identify_bibtex, identify_text};
pub use latex::latex;
pub use obstruction::{EntryReport, ObstructionReport, RunReport};
pub use proof::proof;
pub use show::{ChannelReport, DiagnosticReport, OperatorReport, RealizationReport, Show, show};
pub use text::{Palette, text};

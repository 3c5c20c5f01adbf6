//! Results in the form in which they leave the engine. The only serializable types.

pub mod expression;
mod entry;
mod latex;
mod show;
mod text;

pub use show::{ChannelReport, DiagnosticReport, OperatorReport, RealizationReport, Show, show};
pub use text::{Palette, text};
pub use latex::latex;

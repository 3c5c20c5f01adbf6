//! Results in the form in which they leave the engine. The only serializable types.

mod check;
mod compare;
mod declare;
mod drawing;
mod entry;
mod export;
pub mod expression;
mod forms;
mod identify;
mod known;
mod latex;
mod lines;
mod list;
mod obstruction;
mod page;
mod picture;
mod poles;
mod proof;
mod reading;
mod realize;
mod record;
mod roots;
mod scan;
mod show;
mod simulation;
mod speaker;
mod spelling;
mod start;
mod states;
mod text;
mod typeset;
mod unread;
mod zoo;

pub use check::{Remark, card_problems, edge_text, how, remark};
pub use compare::{BranchReport, Compare, compare, compare_in, compare_text};
pub use drawing::{dot, svg};
pub use export::{Format, export, oracle_argument, plain, sympy_relation, unicode};
pub use forms::{FormReport, FormsReport, forms, forms_text};
pub use identify::{Identify, MatchReport, NearMissReport, identify, identify_bibtex, identify_text};
pub use latex::{equations, latex};
pub use list::{Filter, List, Listed, kind, list, no_kind};
pub use obstruction::{EntryReport, ObstructionReport, RunReport};
pub use page::{
    ApartPage, ComparePage, Equation, IdentifyPage, MatchPage, NearMissPage, PairPage, ReadingPage, WayPage,
    compare_page, identify_page, reading_page,
};
pub use picture::{Inside, block_diagram, unrolled};
pub use poles::{NumberReport, PlaceReport, PolesReport, RootReport, poles};
pub use proof::proof;
pub use reading::{GuessReport, LineReport, ReadingReport, guesses, reading_report, told};
pub use realize::{
    CostReport, Realize, TransferTables, implicit, improper, oracles, realize, realize_draft, realize_text, transfer,
    write_draft,
};
pub use record::record;
pub use scan::{Findings, NameReport, Names, Scan, Typesetter, names, scan, scan_html, scan_text};
pub use show::{
    ChannelReport, DiagnosticReport, OperatorReport, RealizationReport, Show, diagnostic_report, show, show_in,
};
pub use simulation::{SimulationReport, simulation, simulation_picture, simulation_text};
pub use spelling::spellings;
pub use states::{inverse_text, map_text, numeric_text};
pub use text::{Palette, text};
pub use unread::{Unread, UnreadText, unread};
pub use zoo::{CardReport, EdgeReport, Graph, Node, RelatedReport, Scope, card, card_text, graph};

//! The tree back as text in the plain notation.

pub use linnaeus::syntax::print::{algorithm, expression};

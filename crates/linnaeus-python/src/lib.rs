//! The extension module inside the Python package: texts in, reports out. It holds what the engine read and found,
//! lets other Python threads run while the engine works, and knows nothing of how Python shows it.

mod comparison;
mod reading;
mod refusal;
mod scan;
mod synthesis;
mod zoo;

use pyo3::prelude::*;
use serde::Serialize;

/// A report as JSON without blanks.
fn json(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("strings and numbers only")
}

/// What `linnaeus` is made of. Private: use `linnaeus`.
#[pymodule(gil_used = false)]
mod _native {
    /// The version of the engine.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::comparison::Comparison;
    #[pymodule_export]
    use crate::reading::{Reading, notations};
    #[pymodule_export]
    use crate::refusal::Refusal;
    #[pymodule_export]
    use crate::scan::{Named, Papers, Related};
    #[pymodule_export]
    use crate::synthesis::{export, forms, matrix, realize, transform};
    #[pymodule_export]
    use crate::zoo::{Identification, Zoo};
}

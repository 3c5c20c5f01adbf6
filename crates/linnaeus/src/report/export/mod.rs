//! Algorithms in the notations that leave the engine.

mod notation;

use crate::synthesis::Program;
use notation::{Notation, Style};

/// The program in the plain notation, declarations first.
pub fn plain(program: &Program) -> String {
    lines(program, Style::Plain)
}

/// The same with Greek letters and ∇.
pub fn unicode(program: &Program) -> String {
    lines(program, Style::Unicode)
}

fn lines(program: &Program, style: Style) -> String {
    let notation = Notation::new(program, style);
    let equations = notation.equations().into_iter().map(|(left, right)| format!("{left} = {right}"));
    notation.declarations().into_iter().chain(equations).map(|l| l + "\n").collect()
}

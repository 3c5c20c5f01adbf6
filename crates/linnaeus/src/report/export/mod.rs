//! Algorithms in the notations that leave the engine.

mod notation;

use super::expression::Script;
use crate::synthesis::Program;
use notation::Notation;

/// The program in the plain notation, declarations first.
pub fn plain(program: &Program) -> String {
    lines(program, Script::Plain)
}

/// The same with Greek letters and ∇.
pub fn unicode(program: &Program) -> String {
    lines(program, Script::Unicode)
}

fn lines(program: &Program, script: Script) -> String {
    let notation = Notation { program, script };
    let equations = notation.equations().into_iter().map(|(left, right)| format!("{left} = {right}"));
    notation.declarations().into_iter().chain(equations).map(|l| l + "\n").collect()
}

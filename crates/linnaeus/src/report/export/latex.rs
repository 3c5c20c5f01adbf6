//! A program in LaTeX: equations in `align*`, one per line, or the environment `algorithmic`.

use super::notation::{Notation, Style};
use crate::report::expression::{Script, name};
use crate::synthesis::Program;

/// `align*`.
pub fn align(program: &Program) -> String {
    let equations = Notation::new(program, Style::Latex).equations();
    let lines: Vec<String> = equations.into_iter().map(|(left, right)| format!("  {left} &= {right}")).collect();
    format!("\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n"))
}

/// `algorithmic`, as the packages `algpseudocode` and `algorithmicx` have it.
pub fn algorithmic(program: &Program) -> String {
    let notation = Notation::new(program, Style::Latex);
    let letter = name(Script::Latex, &program.system.letter);
    let mut out = format!("\\begin{{algorithmic}}\n  \\For{{${letter} = 0, 1, 2, \\ldots$}}\n");
    for (left, right) in notation.equations() {
        out += &format!("    \\State ${left} = {right}$\n");
    }
    out + "  \\EndFor\n\\end{algorithmic}\n"
}

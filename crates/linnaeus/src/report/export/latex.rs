//! A program in LaTeX: equations in `align*`, one per line, or the environment `algorithmic`.

use super::notation::{Notation, Style};
use crate::syntax::PRAGMA;
use crate::synthesis::Program;

/// `align*`.
pub fn align(program: &Program) -> String {
    let notation = Notation::new(program, Style::Latex);
    let equations = notation.equations();
    let lines: Vec<String> = equations.into_iter().map(|(left, right)| format!("  {left} &= {right}")).collect();
    let declared = declared(program, &notation);
    format!("{declared}\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n"))
}

/// What the formulas leave open, as comments that are read back.
fn declared(program: &Program, notation: &Notation) -> String {
    let remarks =
        super::remarks(program, &|n| notation.own(n).to_string()).into_iter().map(|line| format!("% {line}\n"));
    remarks.chain(notation.declarations().iter().map(|line| format!("{PRAGMA} {line}\n"))).collect()
}

/// `algorithmic`, as the packages `algpseudocode` and `algorithmicx` have it.
pub fn algorithmic(program: &Program) -> String {
    let notation = Notation::new(program, Style::Latex);
    let letter = notation.letter();
    let declared = declared(program, &notation);
    let mut out = format!("{declared}\\begin{{algorithmic}}\n  \\For{{${letter} = 0, 1, 2, \\ldots$}}\n");
    for (left, right) in notation.equations() {
        out += &format!("    \\State ${left} = {right}$\n");
    }
    out + "  \\EndFor\n\\end{algorithmic}\n"
}

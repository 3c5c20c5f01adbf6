//! A state space of python-control, where every parameter is a number.

use crate::report::expression::Script;
use crate::report::show::oracle_name;
use crate::synthesis::{Commuting, Program};
use linnaeus_algebra::{Matrix, RationalFunction};

/// The script; nothing if a parameter or an operator is left.
pub fn control(program: &Program, model: &Commuting) -> Option<String> {
    let rows = |m: &Matrix<RationalFunction>| -> Option<String> {
        let row = |i: usize| {
            let entries = m.row(i).iter().map(|e| Some(e.as_rational()?.to_string()));
            Some(format!("[{}]", entries.collect::<Option<Vec<_>>>()?.join(", ")))
        };
        let all = (0..m.rows()).map(row).collect::<Option<Vec<_>>>()?;
        Some(format!("np.array([{}], dtype=float).reshape({}, {})", all.join(", "), m.rows(), m.cols()))
    };
    let (a, b, c, d) = (rows(&model.a)?, rows(&model.b)?, rows(&model.c)?, rows(&model.d)?);
    let oracle = |o| format!("\"{}\"", oracle_name(o, &program.system, Script::Plain));
    let oracles: Vec<String> = program.ports.iter().map(|p| oracle(&p.oracle)).collect();
    let constants = program.constants.iter().map(|c| format!("\"{}\"", c.name));
    let inputs: Vec<String> = oracles.iter().cloned().chain(constants).collect();
    let comment = super::commented(program);
    Some(format!(
        "{comment}\nimport control\nimport numpy as np\n\n# Inputs are the oracles' answers, outputs their queries.\n\
         system = control.ss(\n    {a},\n    {b},\n    {c},\n    {d},\n    True,\n    \
         inputs=[{}],\n    outputs=[{}],\n)\nprint(system)\n",
        unique(&inputs, "u").join(", "),
        unique(&oracles, "y").join(", "),
    ))
}

/// python-control wants labels without dots, and no two alike.
fn unique(labels: &[String], letter: &str) -> Vec<String> {
    let label = |(i, l): (usize, &String)| format!("\"{letter}{}: {}\"", i + 1, l.trim_matches('"').replace('.', ","));
    labels.iter().enumerate().map(label).collect()
}

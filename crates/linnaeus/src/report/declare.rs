//! Declarations that say what formulas leave open.

use crate::syntax::ast::OracleKind;
use crate::system::{LinearSystem, Oracle, Space};
use crate::transfer::Analysis;

/// `operator A: X -> Y`, one line per class of operators that commute.
pub fn operators(system: &LinearSystem, used: &[usize]) -> Vec<String> {
    let space = |s: Space| system.space_names.of(&system.spaces, s);
    let mut classes: Vec<(u16, Vec<usize>)> = Vec::new();
    for &i in used {
        let class = system.operators[i].class;
        match classes.iter_mut().find(|(c, _)| *c == class && class != 0) {
            Some((_, list)) => list.push(i),
            None => classes.push((class, vec![i])),
        }
    }
    let line = |(class, list): (u16, Vec<usize>)| {
        let o = &system.operators[list[0]];
        let names: Vec<&str> = list.iter().map(|&i| system.operators[i].name.as_str()).collect();
        let symmetric = if o.symmetric { " symmetric" } else { "" };
        let commuting = if class != 0 && list.len() > 1 { " commuting" } else { "" };
        let word = if list.len() > 1 { "operators" } else { "operator" };
        let (from, to) = (space(o.domain), space(o.codomain));
        format!("{word} {}: {from} -> {to}{symmetric}{commuting}", names.join(", "))
    };
    classes.into_iter().map(line).collect()
}

/// `oracle F`, or `oracle F: X -> Y` where spaces differ or operators make them matter.
pub fn black_box(system: &LinearSystem, oracle: &Oracle, input: Space, output: Space, spaced: bool) -> Option<String> {
    let space = |s: Space| system.space_names.of(&system.spaces, s);
    let function = &oracle.function;
    (oracle.kind == OracleKind::BlackBox).then(|| {
        let between = spaced || !system.spaces.same(input, output);
        let spaces = if between { format!(": {} -> {}", space(input), space(output)) } else { String::new() };
        format!("oracle {function}{spaces}")
    })
}

/// `param L`: capitals are taken for operators.
pub fn capitals<'a>(parameters: impl Iterator<Item = &'a String>) -> Vec<String> {
    parameters.filter(|p| p.starts_with(char::is_uppercase)).map(|p| format!("param {p}")).collect()
}

/// What a transfer matrix with its oracles leaves open.
pub fn of_transfer(analysis: &Analysis) -> Vec<String> {
    let system = &analysis.system;
    let all: Vec<usize> = (0..system.operators.len()).collect();
    let mut lines = operators(system, &all);
    for channel in &analysis.channels {
        let call = &system.calls[channel.call];
        let found = black_box(system, &channel.oracle, call.input, call.output, !all.is_empty());
        lines.extend(found.filter(|l| !lines.contains(l)));
    }
    lines.extend(capitals(system.parameters.iter()));
    lines
}

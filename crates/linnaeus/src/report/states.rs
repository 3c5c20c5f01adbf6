//! State spaces as text: a realization by Ho and Kalman's method, the inverse, and what new states are made of.

use super::entry::EntryPrinter;
use super::export::{no_matrix, open_names, refused, too_long};
use super::expression::{DISPLAY_FUEL, Script, sum};
use super::realize::{indexed, oracle_names};
use crate::FUEL;
use crate::advice::{Advice, Wish};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::synthesis::ho_kalman::{Rows, balanced};
use crate::synthesis::{Commuting, Label, Name, Realized, Role, reason, remedy};
use crate::system::Space;
use crate::transfer;
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, with_fuel};

fn model(realized: &Realized) -> Result<&Commuting, Box<Diagnostic>> {
    realized.model().ok_or_else(|| no_matrix(&realized.program.system))
}

/// The balanced realization in floating point, where every parameter is a number.
pub fn numeric_text(realized: &Realized, tolerance: f64) -> Result<String, Box<Diagnostic>> {
    let model = model(realized)?;
    if !(0.0..1.0).contains(&tolerance) {
        let message = format!("a tolerance is at least 0 and less than 1, and {tolerance} is not");
        return Err(refused(Span::default(), message, "it is a share of the largest singular value, such as 1e-9"));
    }
    let numbers = || {
        let message = format!("a realization in numbers needs numbers, and there are {}", open_names(&model.system));
        refused(Span::default(), message, Advice::from("give every parameter a number with ").wish(Wish::Set))
    };
    let found = balanced(model, tolerance).ok_or_else(numbers)?;
    let values: Vec<String> = found.singular_values.iter().map(|x| format!("{x}")).collect();
    let mut out = format!(
        "Ho and Kalman's method by the singular value decomposition\n\
         order             {} exactly, {} in floating point\n\
         tolerance         {tolerance:e} of the largest singular value\n\
         singular values   {}\n",
        model.order(),
        found.numerical_rank,
        values.join(", ")
    );
    let row = |r: &Vec<f64>| format!("[{}]", r.iter().map(|x| format!("{x}")).collect::<Vec<_>>().join(", "));
    let rows = |m: &Rows| m.iter().map(row).collect::<Vec<_>>().join(",\n     ");
    for (name, m) in ["A", "B", "C", "D"].iter().zip(&found.matrices) {
        out += &format!("{name} = [{}]\n", rows(m));
    }
    Ok(out)
}

/// u = H⁻¹ y as a state space.
pub fn inverse_text(realized: &Realized) -> Result<String, Box<Diagnostic>> {
    let model = model(realized)?;
    let slow = |_| too_long();
    let found = with_fuel(FUEL, || model.inverse()).map_err(slow)?;
    let found = found.ok_or_else(|| {
        let calls = 0..model.calls();
        let deaf = calls.clone().find(|&i| calls.clone().all(|j| model.d[(i, j)].is_zero()));
        let message = "H has no proper inverse: its value at z = infinity, which is D, is singular";
        let help = "an inverse needs queries that use answers of the same iteration, as in `x[k+1] = x[k] - t*subgrad f(x[k+1])`";
        refused(deaf.map_or(Span::default(), |i| model.ports[i].span), message, help)
    })?;
    let h = with_fuel(FUEL, || found.transfer()).map_err(slow)?;
    let printer = EntryPrinter { system: &model.system, script: Script::Plain };
    let oracles = oracle_names(model.ports.iter().map(|p| &p.oracle), &model.system);
    // Columns are states, or queries and constants.
    let states = &realized.sheet.spaces;
    let queries = model.ports.iter().map(|p| p.input).chain(model.constants.iter().map(|c| c.space));
    let queries: Vec<Option<Space>> = queries.map(Some).collect();
    let rows = |name: &str, m: &Matrix<RationalFunction>, from: &[Option<Space>]| {
        let entry = |(e, space): (&RationalFunction, &Option<Space>)| match space {
            Some(space) => printer.commuting(e, *space),
            None => printer.scalar(e),
        };
        let row = |i: usize| format!("[{}]", m.row(i).iter().zip(from).map(entry).collect::<Vec<_>>().join(", "));
        let margin = " ".repeat(name.len() + 4);
        format!("{name} = [{}]\n", (0..m.rows()).map(row).collect::<Vec<_>>().join(&format!(",\n{margin}")))
    };
    let mut out = format!("# Answers of {} from their queries, with the same state\n", oracles.join(", "));
    let system = &model.system;
    let is_taken = |n: &str| system.operators.iter().any(|o| o.name == n) || system.parameters.iter().any(|p| p == n);
    let suffix = if ["A", "B", "C", "D"].into_iter().any(is_taken) { "_inverse" } else { "" };
    with_fuel(DISPLAY_FUEL, || {
        for (name, m, from) in
            [("A", &found.a, states), ("B", &found.b, &queries), ("C", &found.c, states), ("D", &found.d, &queries)]
        {
            out += &rows(&format!("{name}{suffix}"), m, from);
        }
        out += &rows("H^-1", &h, &queries);
    });
    Ok(out)
}

/// T: the state in terms of the one that the text stores, one line per component.
pub fn map_text(given: &Commuting, realized: &Realized) -> Result<String, Box<Diagnostic>> {
    let program = &realized.program;
    let Some(reduction) = &realized.reduction else {
        let message = format!("{}: the state is the one that the text stores", reason(&program.system));
        return Err(refused(Span::default(), message, remedy(&program.system)));
    };
    let printer = EntryPrinter { system: &program.system, script: Script::Plain };
    let letter = &program.system.letter;
    let at = |stem: &str, offset: i32| match offset {
        0 => format!("{stem}[{letter}]"),
        o => format!("{stem}[{letter}{o:+}]"),
    };
    let oracles = oracle_names(given.ports.iter().map(|p| &p.oracle), &given.system);
    let mut told: Vec<String> = Vec::new();
    let mut tell = |line: String| {
        if !told.contains(&line) {
            told.push(line);
        }
    };
    // A name of the text may mean something else in the new lines.
    let is_other = |j: usize, n: &Name| {
        let states = (0..program.stored()).filter(|&i| program.values[program.value(Role::State(i))].name == *n);
        let is_same = |i: usize| {
            (0..reduction.map.cols()).all(|l| match l == j {
                true => reduction.map[(i, l)].is_one(),
                false => reduction.map[(i, l)].is_zero(),
            })
        };
        let named = program.values.iter().any(|v| matches!(v.role, Role::State(_)) && v.name.stem == n.stem);
        named && !states.into_iter().any(is_same)
    };
    let slow = |_| too_long();
    // A matrix stores nothing: its state is what queries will be.
    let is_matrix = given.labels.iter().all(|l| *l == Label::Fresh);
    let to_come = if is_matrix { with_fuel(FUEL, || queries_to_come(given)).map_err(slow)? } else { None };
    let (origin, map, own) = if let Some((queries, state)) = to_come {
        let map = with_fuel(FUEL, || reduction.map.mul(&state)).map_err(slow)?;
        let own = queries.into_iter().map(|(port, later)| {
            tell(format!("query{} being the queries of {}", port + 1, oracles[port]));
            (at(&format!("query{}", port + 1), later), Some(given.ports[port].input))
        });
        (format!("queries to come, all answers from iteration {letter} on being zero"), map, own.collect())
    } else {
        let own = given.labels.iter().enumerate().map(|(j, label)| match label {
            Label::Named(n) if is_other(j, n) => {
                let stem = format!("{}_text", n.stem);
                tell(format!("{stem} being {} of the text", n.stem));
                (at(&stem, n.offset), given.spaces[j])
            }
            Label::Named(n) => (at(&n.stem, n.offset), given.spaces[j]),
            Label::Answer(port, age) => {
                tell(format!("answer{} being the answers of {}", port + 1, oracles[*port]));
                (at(&format!("answer{}", port + 1), -age), Some(given.ports[*port].output))
            }
            Label::Fresh => (format!("state{}", j + 1), given.spaces[j]),
        });
        ("the one that the text stores".to_string(), reduction.map.clone(), own.collect::<Vec<_>>())
    };
    let line = |i: usize| {
        let terms = (0..own.len()).filter(|&j| !map[(i, j)].is_zero()).map(|j| {
            let (c, (vector, space)) = (&map[(i, j)], &own[j]);
            let print = |c: &RationalFunction| match space {
                Some(from) => printer.commuting(c, *from),
                None => printer.scalar(c),
            };
            let minus = print(c).starts_with('-');
            let size = if minus { c.neg() } else { c.clone() };
            let text = print(&size);
            let text = if is_sum(&text) { format!("({text})") } else { text };
            (minus, if size.is_one() { vector.clone() } else { format!("{text}*{vector}") })
        });
        format!("#   {} = {}\n", indexed(program, program.value(Role::State(i))), sum(terms.collect()))
    };
    let lines: String = with_fuel(DISPLAY_FUEL, || (0..program.stored()).map(line).collect());
    let told: String = told.iter().map(|l| format!("#   {l}\n")).collect();
    Ok(format!("# The state of these lines, on the left, in terms of {origin}:\n{lines}{told}"))
}

/// Whether a formula has a sign between terms that no parentheses hold together.
fn is_sum(formula: &str) -> bool {
    let mut depth = 0;
    formula.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ' ' && depth == 0
    })
}

type ToCome = (Vec<(usize, i32)>, Matrix<RationalFunction>);

/// Queries to come that tell the state, by port and how many iterations later, and the state in terms of them, all
/// answers from now on being zero; none if they do not tell it.
fn queries_to_come(model: &Commuting) -> Result<Option<ToCome>, Exhausted> {
    let n = model.order();
    let (mut span, mut rows, mut found) = (transfer::Span::default(), model.c.clone(), Vec::new());
    let mut told = Vec::new();
    for later in 0..n as i32 {
        for port in span.extend(&rows)? {
            found.push((port, later));
            told.push(rows.row(port).to_vec());
        }
        rows = rows.mul(&model.a)?;
    }
    if found.len() < n {
        return Ok(None);
    }
    let told = Matrix::from_fn(told.len(), n, |i, j| told[i][j].clone());
    Ok(told.inverse()?.map(|state| (found, state)))
}

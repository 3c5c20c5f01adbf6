//! Which line defines which iterate.

use super::{Atom, Equation, LinearSystem};
use crate::diagnostic::{Code, Diagnostic, nearest};

/// For every equation the iterate it defines and at which offset: the iterate on its left where that
/// is possible, otherwise the pairing that defines the newest values.
pub fn assignment(system: &LinearSystem) -> Vec<Option<(usize, i32)>> {
    let plain = written_targets(system);
    let pairs = if plain.iter().all(Option::is_some) { plain } else { newest(system) };
    let offset = |(i, s): (usize, &Option<usize>)| s.and_then(|s| Some((s, highest_offset(system, i, s)?)));
    pairs.iter().enumerate().map(offset).collect()
}

/// The iterates on the left, if each stands on one left side only.
fn written_targets(system: &LinearSystem) -> Vec<Option<usize>> {
    let mut taken = vec![false; system.signals.len()];
    let target = |e: &super::Equation| {
        let (s, _) = e.target?;
        let free = direct_signals(&e.form).contains(&s) && !std::mem::replace(&mut taken[s], true);
        free.then_some(s)
    };
    system.equations.iter().map(target).collect()
}

/// The pairing with most pairs and, of those, the greatest sum of offsets; ties go to left sides.
fn newest(system: &LinearSystem) -> Vec<Option<usize>> {
    const PAIR: i64 = 1_000_000;
    let n = system.equations.len().max(system.signals.len());
    let gain = |i: usize, s: usize| -> i64 {
        let Some(equation) = system.equations.get(i).filter(|_| s < system.signals.len()) else {
            return 0;
        };
        let Some(offset) = highest_offset(system, i, s) else {
            return 0;
        };
        let written = equation.target.is_some_and(|(t, _)| t == s);
        PAIR + 4 * i64::from(offset) + i64::from(written)
    };
    let partner = assign(n, &|i, s| -gain(i, s));
    let paired = |i: usize| Some(partner[i]).filter(|&s| gain(i, s) > 0);
    (0..system.equations.len()).map(paired).collect()
}

/// The assignment of least cost, by the Hungarian method.
fn assign(n: usize, cost: &dyn Fn(usize, usize) -> i64) -> Vec<usize> {
    let (mut row_price, mut column_price) = (vec![0i64; n + 1], vec![0i64; n + 1]);
    // owner[j] is the row of column j, counted from 1; column 0 holds the row being placed.
    let mut owner = vec![0usize; n + 1];
    for row in 1..=n {
        owner[0] = row;
        let mut at = 0;
        let mut least = vec![i64::MAX; n + 1];
        let mut from = vec![0usize; n + 1];
        let mut seen = vec![false; n + 1];
        while owner[at] != 0 {
            seen[at] = true;
            let (mut delta, mut next) = (i64::MAX, 0);
            for j in (1..=n).filter(|&j| !seen[j]) {
                let reduced = cost(owner[at] - 1, j - 1) - row_price[owner[at]] - column_price[j];
                if reduced < least[j] {
                    (least[j], from[j]) = (reduced, at);
                }
                if least[j] < delta {
                    (delta, next) = (least[j], j);
                }
            }
            for j in 0..=n {
                if seen[j] {
                    row_price[owner[j]] += delta;
                    column_price[j] -= delta;
                } else if j > 0 {
                    least[j] -= delta;
                }
            }
            at = next;
        }
        while at != 0 {
            owner[at] = owner[from[at]];
            at = from[at];
        }
    }
    let mut partner = vec![0; n];
    (1..=n).for_each(|j| partner[owner[j] - 1] = j - 1);
    partner
}

fn direct_signals(form: &super::LinearForm) -> Vec<usize> {
    let mut found: Vec<usize> =
        form.keys().filter_map(|a| if let Atom::Signal(s, _) = a { Some(*s) } else { None }).collect();
    found.dedup();
    found
}

fn highest_offset(system: &LinearSystem, equation: usize, signal: usize) -> Option<i32> {
    let offsets = system.equations[equation].form.keys().filter_map(|a| match a {
        Atom::Signal(s, o) if *s == signal => Some(*o),
        _ => None,
    });
    offsets.max()
}

/// Reports iterates without a line and lines without an iterate.
pub fn check_counts(system: &LinearSystem, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(found) = system.equations.iter().find_map(|e| cancels(system, e)) {
        diagnostics.push(found);
        return;
    }
    let defined = assignment(system);
    let is_defined = |s: usize| defined.iter().flatten().any(|(d, _)| *d == s);
    for s in (0..system.signals.len()).filter(|&s| !is_defined(s)) {
        let updated = (0..system.signals.len()).filter(|&t| is_defined(t));
        let names: Vec<&str> = updated.map(|t| system.signals[t].name.as_str()).collect();
        diagnostics.push(shared_line(system, s, &defined).unwrap_or_else(|| without_update(system, s, &names)));
    }
    for i in (0..system.equations.len()).filter(|&i| defined[i].is_none()) {
        diagnostics.push(one_too_many(system, i));
    }
}

/// `x[k+1] = x[k+1] + …`.
fn cancels(system: &LinearSystem, equation: &Equation) -> Option<Diagnostic> {
    let (s, o) = equation.target?;
    if equation.form.keys().any(|a| matches!(a, Atom::Signal(t, p) if *t == s && *p >= o)) {
        return None;
    }
    let name = &system.signals[s].name;
    let message = format!("`{name}` cancels: this line does not determine it");
    Some(
        Diagnostic::error(Code::Underdetermined, equation.span, message)
            .help(format!("write an equation that gives the new value of `{name}` in other terms")),
    )
}

/// The iterate stands in a line such as `x[k+1] - y[k+1] = …`, which is used up by another.
fn shared_line(system: &LinearSystem, s: usize, defined: &[Option<(usize, i32)>]) -> Option<Diagnostic> {
    let shared =
        |i: &usize| system.equations[*i].target.is_none() && direct_signals(&system.equations[*i].form).contains(&s);
    let i = (0..system.equations.len()).find(shared)?;
    let name = &system.signals[s].name;
    let other = &system.signals[defined[i]?.0].name;
    let message = format!("this line alone cannot determine both `{other}` and `{name}`");
    Some(
        Diagnostic::error(Code::Underdetermined, system.equations[i].span, message)
            .help(format!("add an equation for `{name}`, as in `{name}[{}+1] = …`", system.letter)),
    )
}

fn without_update(system: &LinearSystem, s: usize, updated: &[&str]) -> Diagnostic {
    let (signal, letter) = (&system.signals[s], &system.letter);
    let name = &signal.name;
    let near = nearest(name, updated.iter().copied()).filter(|_| name.chars().count() > 2);
    let question = near.map_or(String::new(), |near| format!("did you mean `{near}`? Otherwise "));
    let is_gradient = matches!(name.split('_').next(), Some("g" | "grad" | "grads"));
    let line = match updated.first().filter(|_| is_gradient) {
        Some(point) => format!("{name}[{letter}] = grad f({point}[{letter}])"),
        None => format!("{name}[{letter}+1] = …"),
    };
    Diagnostic::error(Code::IterateWithoutUpdate, signal.span, format!("`{name}` is an iterate but no line updates it"))
        .help(format!(
            "{question}add a line that gives it a value, as in `{line}`, or drop the index wherever it stands"
        ))
}

fn one_too_many(system: &LinearSystem, i: usize) -> Diagnostic {
    let equation = &system.equations[i];
    let target = equation.target.map(|t| t.0);
    let same = |e: &&Equation| target.is_some() && e.target.map(|t| t.0) == target;
    let twins: Vec<&Equation> = system.equations.iter().filter(same).collect();
    if let ([first, .., last], Some(s)) = (&twins[..], target) {
        let name = &system.signals[s].name;
        return Diagnostic::error(Code::DefinedTwice, last.target_span, format!("`{name}` is defined twice"))
            .label(first.target_span, "the first definition")
            .help(format!("give one of the two another name than `{name}`"));
    }
    let counts = format!("there are {} equations for {} iterates", system.equations.len(), system.signals.len());
    Diagnostic::error(
        Code::Overdetermined,
        equation.span,
        format!("{counts}: nothing is left for this one to determine"),
    )
    .help("remove the line, or add the iterate that it determines")
}

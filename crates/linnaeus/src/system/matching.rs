//! Which line defines which iterate.

use super::{Atom, Equation, LinearSystem};
use crate::diagnostic::{Code, Diagnostic, nearest};

/// For every equation the iterate it defines and at which offset: the iterate on its left where that
/// is possible, otherwise one that stands in it and has no line of its own.
pub fn assignment(system: &LinearSystem) -> Vec<Option<(usize, i32)>> {
    let occurs: Vec<Vec<usize>> = system.equations.iter().map(|e| direct_signals(&e.form)).collect();
    let mut owner: Vec<Option<usize>> = vec![None; system.signals.len()];
    for (i, equation) in system.equations.iter().enumerate() {
        if let Some((s, _)) = equation.target {
            if owner[s].is_none() && occurs[i].contains(&s) {
                owner[s] = Some(i);
            }
        }
    }
    for i in 0..system.equations.len() {
        if !owner.contains(&Some(i)) {
            augment(i, &occurs, &mut owner, &mut vec![false; system.signals.len()]);
        }
    }
    (0..system.equations.len())
        .map(|i| {
            let s = owner.iter().position(|o| *o == Some(i))?;
            Some((s, highest_offset(system, i, s)?))
        })
        .collect()
}

/// Kuhn's augmenting path.
fn augment(equation: usize, occurs: &[Vec<usize>], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &s in &occurs[equation] {
        if std::mem::replace(&mut seen[s], true) {
            continue;
        }
        let free = match owner[s] {
            None => true,
            Some(other) => augment(other, occurs, owner, seen),
        };
        if free {
            owner[s] = Some(equation);
            return true;
        }
    }
    false
}

fn direct_signals(form: &super::LinearForm) -> Vec<usize> {
    let mut found: Vec<usize> = form.keys().filter_map(|a| if let Atom::Signal(s, _) = a { Some(*s) } else { None }).collect();
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
    let shared = |i: &usize| system.equations[*i].target.is_none() && direct_signals(&system.equations[*i].form).contains(&s);
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
    Diagnostic::error(Code::IterateWithoutUpdate, signal.span, format!("`{name}` is an iterate but no line updates it"))
        .help(format!("{question}add a line `{name}[{letter}+1] = …`, or drop the index and declare `constant {name}`"))
}

fn one_too_many(system: &LinearSystem, i: usize) -> Diagnostic {
    let equation = &system.equations[i];
    let target = equation.target.map(|t| t.0);
    let twin = system.equations[..i].iter().find(|e| target.is_some() && e.target.map(|t| t.0) == target);
    if let (Some(first), Some(s)) = (twin, target) {
        let name = &system.signals[s].name;
        return Diagnostic::error(Code::DefinedTwice, equation.target_span, format!("`{name}` is defined twice"))
            .label(first.target_span, "the first definition")
            .help(format!("give one of the two another name than `{name}`"));
    }
    let counts = format!("there are {} equations for {} iterates", system.equations.len(), system.signals.len());
    Diagnostic::error(Code::Overdetermined, equation.span, format!("{counts}: nothing is left for this one to determine"))
        .help("remove the line, or add the iterate that it determines")
}

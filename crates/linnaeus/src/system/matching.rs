//! Which line defines which iterate.

use super::{Atom, LinearSystem};
use crate::diagnostic::{Code, Diagnostic};

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
    let letter = &system.letter;
    for equation in &system.equations {
        if let Some((s, o)) = equation.target {
            if !equation.form.keys().any(|a| matches!(a, Atom::Signal(t, p) if *t == s && *p >= o)) {
                let name = &system.signals[s].name;
                diagnostics.push(
                    Diagnostic::error(Code::Underdetermined, equation.span, format!("`{name}` cancels: this line does not determine it"))
                        .help(format!("the new value of `{name}` must be given by the other terms")),
                );
                return;
            }
        }
    }
    let defined = assignment(system);
    for (s, signal) in system.signals.iter().enumerate() {
        if defined.iter().flatten().all(|(d, _)| *d != s) {
            let name = &signal.name;
            diagnostics.push(
                Diagnostic::error(Code::IterateWithoutUpdate, signal.span, format!("`{name}` is an iterate but no line updates it"))
                    .help(format!("add a line `{name}[{letter}+1] = …`, or drop the index and declare `constant {name}`")),
            );
        }
    }
    for (i, equation) in system.equations.iter().enumerate() {
        if defined[i].is_some() {
            continue;
        }
        let twin = system.equations[..i].iter().find(|e| e.target.map(|t| t.0) == equation.target.map(|t| t.0) && e.target.is_some());
        diagnostics.push(match (twin, equation.target) {
            (Some(first), Some((s, _))) => {
                let name = &system.signals[s].name;
                Diagnostic::error(Code::DefinedTwice, equation.span, format!("`{name}` is defined twice"))
                    .label(first.span, "the first definition")
                    .help("give one of the two another name")
            }
            _ => Diagnostic::error(Code::Overdetermined, equation.span, "there are more equations than iterates: nothing is left for this line to determine")
                .help("remove the line, or add the iterate that it determines"),
        });
    }
}

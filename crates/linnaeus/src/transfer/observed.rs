//! An algorithm without the lines on which no call depends: averages of iterates, values that are printed.

use super::{Analysis, analyse};
use crate::system::schedule::{Schedules, varies};
use crate::system::{Atom, LinearForm, LinearSystem, matching};
use linnaeus_algebra::{SortedMap, SortedSet};

/// The algorithm without iterates on which no query depends, and their names, if it is these alone whose coefficients
/// change with the index: its calls are those of an algorithm with constant coefficients.
pub fn without_onlookers(analysis: &Analysis) -> Option<(Analysis, Vec<String>)> {
    let system = &analysis.system;
    let defined: Option<Vec<usize>> = matching::assignment(system).into_iter().map(|d| Some(d?.0)).collect();
    let heard = heard(system, &defined?)?;
    let onlookers: Vec<String> = (0..system.signals.len())
        .filter(|s| !heard.signals.contains_key(s))
        .map(|s| system.signals[s].name.clone())
        .collect();
    let left = heard.system(system);
    let forms = || left.equations.iter().map(|e| &e.form).chain(left.calls.iter().map(|c| &c.argument));
    let still = forms().flatten().flat_map(|(_, c)| c.terms()).all(|(_, c)| !varies(c));
    if onlookers.is_empty() || !still || left.calls.iter().any(|c| varies(&c.oracle.step)) {
        return None;
    }
    let (schedules, numbers) = (Schedules::default(), Vec::new());
    Some((analyse(LinearSystem { schedules, numbers, ..left }).ok()?, onlookers))
}

/// What is left, with the new number of each.
struct Heard {
    signals: SortedMap<usize, usize>,
    equations: SortedMap<usize, usize>,
}

/// The iterates that calls depend on, and those whose lines hold calls. `defined` is what each equation defines.
fn heard(system: &LinearSystem, defined: &[usize]) -> Option<Heard> {
    let read = |form: &LinearForm| -> Vec<usize> {
        let signal = |atom: &Atom| if let Atom::Signal(s, _) = atom { Some(*s) } else { None };
        form.keys().filter_map(signal).collect()
    };
    let mut open: Vec<usize> = system.calls.iter().flat_map(|c| read(&c.argument)).collect();
    open.extend(system.calls.iter().map(|c| defined[c.equation]));
    let mut signals: SortedSet<usize> = SortedSet::new();
    while let Some(s) = open.pop() {
        if signals.insert(s) {
            let equation = &system.equations[defined.iter().position(|d| *d == s)?];
            open.extend(read(&equation.form));
            open.push(defined[equation.line]);
        }
    }
    let equations = (0..defined.len()).filter(|i| signals.contains(&defined[*i]));
    let equations = equations.enumerate().map(|(new, old)| (old, new)).collect();
    Some(Heard { signals: signals.into_iter().enumerate().map(|(new, old)| (old, new)).collect(), equations })
}

impl Heard {
    fn form(&self, form: &LinearForm) -> LinearForm {
        let atom = |atom: &Atom| match atom {
            Atom::Signal(s, offset) => Atom::Signal(self.signals[s], *offset),
            other => *other,
        };
        form.iter().map(|(a, c)| (atom(a), c.clone())).collect()
    }

    fn system(&self, whole: &LinearSystem) -> LinearSystem {
        let mut left = whole.clone();
        left.signals = self.signals.keys().map(|s| whole.signals[*s].clone()).collect();
        left.mentions.retain(|m| self.signals.contains_key(&m.signal));
        left.mentions.iter_mut().for_each(|m| m.signal = self.signals[&m.signal]);
        left.equations = self.equations.keys().map(|i| whole.equations[*i].clone()).collect();
        for equation in &mut left.equations {
            equation.form = self.form(&equation.form);
            equation.target = equation.target.and_then(|(s, offset)| Some((*self.signals.get(&s)?, offset)));
            equation.line = self.equations[&equation.line];
        }
        for call in &mut left.calls {
            (call.argument, call.equation) = (self.form(&call.argument), self.equations[&call.equation]);
        }
        left
    }
}

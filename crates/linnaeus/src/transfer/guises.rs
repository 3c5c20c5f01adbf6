//! One call in several guises. Every oracle of a function is an image of one graph, so that who asks prox_{tf} at x and
//! is told y knows ∇f(y) = (x − y)/t: a call of an oracle with one answer, at a query that the pair of another call
//! determines, says nothing new. A text with such calls is also one without them.

use super::channels::{Derived, derived};
use super::eliminate::analyse_calls;
use super::graph::{between, has_graph, may_replace};
use super::{Analysis, Timing, Transfer};
use crate::operator::OperatorPolynomial;
use crate::syntax::ast::OracleKind;
use crate::system::schedule::Schedules;
use crate::system::{Atom, Call, Equation, LinearForm, LinearSystem, Oracle, Signal};
use linnaeus_algebra::{Coefficient, Exhausted, RationalFunction};

/// Whether the answer of the one may follow from that of the other. A subgradient is one of many.
pub fn may_follow(late: &Oracle, early: &Oracle) -> bool {
    let is_unsampled = late.sample.is_none() && early.sample.is_none();
    let is_on_one_graph = has_graph(late) && has_graph(early) || late.kind != early.kind;
    is_unsampled
        && late != early
        && late.kind != OracleKind::Subdifferential
        && is_on_one_graph
        && may_replace(late, early)
}

/// The same algorithm with every call that follows from another one read as that one; nothing if none does. Calls keep
/// their numbers, and iterates that are added come last, each with the place of the call whose answer it is.
///
/// # Errors
/// [`Exhausted`] when the fuel ends.
pub fn united(analysis: &Analysis) -> Result<Option<Analysis>, Exhausted> {
    let oracles = || analysis.channels.iter().map(|c| &c.oracle);
    if !oracles().any(|late| oracles().any(|early| may_follow(late, early))) {
        return Ok(None);
    }
    let mut found: Option<Analysis> = None;
    loop {
        let now = found.as_ref().unwrap_or(analysis);
        let Ok(timing) = Timing::new(&now.system) else { return Ok(found) };
        let text = as_in_the_text(now, &timing)?;
        let Some(pair) = derived_in(&text, now)? else { return Ok(found) };
        let system = Rewriting { text: &text, now, timing: &timing }.without(pair)?;
        match analyse_calls(system) {
            Ok(next) if next.channels.len() < now.channels.len() => found = Some(next),
            _ => return Ok(found),
        }
    }
}

/// The equations with the steps of oracles as in their lines, not as in the iteration.
fn as_in_the_text(analysis: &Analysis, timing: &Timing) -> Result<LinearSystem, Exhausted> {
    let mut system = analysis.system.clone();
    if let Transfer::Noncommuting { .. } = analysis.transfer {
        for call in &mut system.calls {
            let moved = i64::from(timing.moved[call.equation]);
            call.oracle = call.oracle.with_numbers(&mut |r| system.schedules.advanced(r, -moved))?;
        }
    }
    Ok(system)
}

fn derived_in(text: &LinearSystem, found: &Analysis) -> Result<Option<Derived>, Exhausted> {
    let (channels, schedules): (_, &Schedules) = (&found.channels, &text.schedules);
    match &found.transfer {
        Transfer::Commuting { realization, .. } => {
            derived(text, channels, realization, &|c| Ok(c.clone()), &RationalFunction::clone)
        }
        Transfer::Noncommuting { realization, .. } => {
            let later = |p: &OperatorPolynomial| schedules.advanced_operator(p, 1);
            derived(text, channels, realization, &later, &|r| OperatorPolynomial::scalar(r.clone()))
        }
    }
}

struct Rewriting<'a> {
    text: &'a LinearSystem,
    now: &'a Analysis,
    timing: &'a Timing,
}

impl Rewriting<'_> {
    /// All calls of the later channel become calls of the earlier one's oracle, whose answer and query tell theirs. That
    /// is an iterate of its own, so that where the text begins it is what the later oracle answers there.
    fn without(&self, Derived { late, early, shift }: Derived) -> Result<LinearSystem, Exhausted> {
        let schedules = &self.text.schedules;
        let (late, early) = (&self.now.channels[late], &self.now.channels[early]);
        let step = schedules.advanced(&late.oracle.step, shift as i64)?;
        let matrix = between(&Oracle { step, ..late.oracle.clone() }, &early.oracle)?;
        let moved = |call: usize| i64::from(self.timing.moved[self.text.calls[call].equation]);
        // From the line of the earlier call to that of a later one.
        let offset = |call: usize, delay: usize| moved(early.call) - moved(call) - (shift + delay) as i64;
        let source = &self.text.calls[early.call];
        let mut system = self.text.clone();
        let begins = offset(late.call, 0);
        let target = (named(&mut system, late.call), -begins as i32);
        let own = |call: usize| {
            let (_, delay) = *late.calls.iter().find(|(c, _)| *c == call)?;
            Some(Atom::Signal(target.0, (offset(call, delay) - begins) as i32))
        };
        // Every call stands in one equation only.
        let told = answer(&mut system, early.call);
        let mut argument = LinearForm::new();
        for (atom, c) in &source.argument {
            let atom = match *atom {
                Atom::Call(call) => own(call).unwrap_or_else(|| answer(&mut system, call)),
                other => other,
            };
            add(&mut argument, atom, c.clone())?;
        }
        let mut form = LinearForm::from([(Atom::Signal(target.0, target.1), OperatorPolynomial::one())]);
        let factor = |j: usize| -> Result<OperatorPolynomial, Exhausted> {
            let here = schedules.advanced(&matrix[(1, j)], -moved(early.call))?;
            Ok(OperatorPolynomial::scalar(here).neg())
        };
        let [query, answer] = [factor(0)?, factor(1)?];
        add(&mut form, told, answer)?;
        argument.iter().try_for_each(|(atom, c)| add(&mut form, *atom, query.mul(c)?))?;
        let Equation { span, line, .. } = system.equations[source.equation];
        system.equations.push(Equation { form, target: Some(target), span, target_span: span, line });
        for &(call, delay) in &late.calls {
            let by = offset(call, delay);
            let put = |form: &mut LinearForm| match (form.remove(&Atom::Call(call)), own(call)) {
                (Some(factor), Some(atom)) => add(form, atom, factor),
                _ => Ok(()),
            };
            system.equations.iter_mut().try_for_each(|e| put(&mut e.form))?;
            system.calls.iter_mut().try_for_each(|c| put(&mut c.argument))?;
            let mut moved = LinearForm::new();
            for (atom, c) in &argument {
                let atom = match *atom {
                    Atom::Signal(s, o) => Atom::Signal(s, o + by as i32),
                    other => other,
                };
                add(&mut moved, atom, schedules.advanced_operator(c, by)?)?;
            }
            let call = &mut system.calls[call];
            call.oracle = source.oracle.with_numbers(&mut |r| schedules.advanced(r, by))?;
            (call.argument, call.input, call.output) = (moved, source.input, source.output);
        }
        Ok(system)
    }
}

fn add(form: &mut LinearForm, atom: Atom, c: OperatorPolynomial) -> Result<(), Exhausted> {
    let sum = form.remove(&atom).unwrap_or_else(OperatorPolynomial::zero).add(&c)?;
    if !sum.is_zero() {
        form.insert(atom, sum);
    }
    Ok(())
}

/// The iterate that is the answer to a call; one is made if the text has none.
fn answer(system: &mut LinearSystem, call: usize) -> Atom {
    let one = OperatorPolynomial::one();
    let form = |s: usize, o: i32| LinearForm::from([(Atom::Signal(s, o), one.clone()), (Atom::Call(call), one.neg())]);
    let known = system.equations.iter().find_map(|e| e.target.filter(|&(s, o)| e.form == form(s, o)));
    let (signal, offset) = known.unwrap_or_else(|| {
        let target = (named(system, call), 0);
        let Call { span, equation, .. } = system.calls[call];
        let line = system.equations[equation].line;
        let form = form(target.0, target.1);
        system.equations.push(Equation { form, target: Some(target), span, target_span: span, line });
        target
    });
    Atom::Signal(signal, offset)
}

/// A new iterate for the answer to a call.
fn named(system: &mut LinearSystem, call: usize) -> usize {
    let Call { output: space, span, .. } = system.calls[call];
    system.signals.push(Signal { name: unused_name(system), space, span });
    system.signals.len() - 1
}

/// u, u1, u2, …, whichever the text does not have.
fn unused_name(system: &LinearSystem) -> String {
    let mut taken: Vec<&String> = system.signals.iter().map(|s| &s.name).collect();
    taken.extend(system.constants.iter().map(|c| &c.name));
    taken.extend(system.operators.iter().map(|o| &o.name));
    taken.extend(system.schedules.list.iter().map(|s| &s.name));
    taken.extend(&system.parameters);
    let numbered = (1..).map(|n| format!("u{n}"));
    let mut names = std::iter::once("u".to_string()).chain(numbered);
    names.find(|name| !taken.contains(&name) && *name != system.letter).expect("names do not end")
}

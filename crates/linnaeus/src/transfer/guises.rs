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
use crate::system::{Atom, Equation, LinearForm, LinearSystem, Oracle, Signal};
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

/// A call as one of another oracle.
struct Replacement {
    call: usize,
    oracle: Oracle,
    argument: LinearForm,
    /// The answer of the other oracle: an iterate, or its own call.
    answer: Atom,
    /// Its answer is so many times that of the other oracle …
    own: RationalFunction,
    /// … plus so many times the query.
    query: RationalFunction,
}

impl Rewriting<'_> {
    /// All calls of the later channel become calls of the earlier one's oracle.
    fn without(&self, Derived { late, early, shift }: Derived) -> Result<LinearSystem, Exhausted> {
        let schedules = &self.text.schedules;
        let (late, early) = (&self.now.channels[late], &self.now.channels[early]);
        let step = schedules.advanced(&late.oracle.step, shift as i64)?;
        let matrix = between(&Oracle { step, ..late.oracle.clone() }, &early.oracle)?;
        let moved = |call: usize| i64::from(self.timing.moved[self.text.calls[call].equation]);
        let source = &self.text.calls[early.call];
        let mut system = self.text.clone();
        let mut replacements = Vec::new();
        for &(call, delay) in &late.calls {
            let shift = (shift + delay) as i64;
            // From the iteration of the earlier call to the index of the later one's line, and from line to line.
            let here = |r: &RationalFunction| schedules.advanced(r, -(shift + moved(call)));
            let offset = moved(early.call) - moved(call) - shift;
            let mut argument = LinearForm::new();
            for (atom, c) in &source.argument {
                let atom = match *atom {
                    Atom::Signal(s, o) => Atom::Signal(s, o + offset as i32),
                    // Every call stands in one equation only.
                    Atom::Call(c) => {
                        let (signal, o) = answer(&mut system, c);
                        Atom::Signal(signal, o + offset as i32)
                    }
                    constant => constant,
                };
                add(&mut argument, atom, schedules.advanced_operator(c, offset)?)?;
            }
            let oracle = source.oracle.with_numbers(&mut |r| schedules.advanced(r, offset))?;
            let (own, query) = (here(&matrix[(1, 1)])?, here(&matrix[(1, 0)])?);
            // What the text has a name for is kept once.
            let known = named_answer(&system, early.call);
            let answer = known.map_or(Atom::Call(call), |(s, o)| Atom::Signal(s, o + offset as i32));
            replacements.push(Replacement { call, oracle, argument, answer, own, query });
        }
        for Replacement { call, oracle, argument, answer, own, query } in &replacements {
            let put = |form: &mut LinearForm| -> Result<(), Exhausted> {
                let Some(factor) = form.remove(&Atom::Call(*call)) else { return Ok(()) };
                let times = |r: &RationalFunction| factor.mul(&OperatorPolynomial::scalar(r.clone()));
                add(form, *answer, times(own)?)?;
                argument.iter().try_for_each(|(atom, c)| add(form, *atom, times(query)?.mul(c)?))
            };
            system.equations.iter_mut().try_for_each(|e| put(&mut e.form))?;
            system.calls.iter_mut().try_for_each(|c| put(&mut c.argument))?;
            let call = &mut system.calls[*call];
            (call.oracle, call.input, call.output) = (oracle.clone(), source.input, source.output);
        }
        for Replacement { call, argument, .. } in replacements {
            system.calls[call].argument = argument;
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

/// The equation that makes an iterate the answer to a call.
fn answer_form(call: usize, (s, o): (usize, i32)) -> LinearForm {
    let one = OperatorPolynomial::one();
    LinearForm::from([(Atom::Signal(s, o), one.clone()), (Atom::Call(call), one.neg())])
}

/// The iterate that is the answer to a call, at which offset, if the text has one.
fn named_answer(system: &LinearSystem, call: usize) -> Option<(usize, i32)> {
    system.equations.iter().find_map(|e| e.target.filter(|target| e.form == answer_form(call, *target)))
}

/// The same; one is made if the text has none.
fn answer(system: &mut LinearSystem, call: usize) -> (usize, i32) {
    named_answer(system, call).unwrap_or_else(|| {
        let (space, span) = (system.calls[call].output, system.calls[call].span);
        let line = system.equations[system.calls[call].equation].line;
        system.signals.push(Signal { name: unused_name(system), space, span });
        let target = (system.signals.len() - 1, 0);
        let form = answer_form(call, target);
        system.equations.push(Equation { form, target: Some(target), span, target_span: span, line });
        target
    })
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

//! What a user asks to be done to an algorithm before it is written, as text: `--set A=I`, `--conjugate g`, ….

use super::forms::Freedom;
use super::given::{Given, reason, remedy};
use super::improper::Improper;
use super::model::{Commuting, Model, Port};
use super::scalar::oracle;
use super::setting::{Setting, Subject, done, known, number};
use crate::FUEL;
use crate::advice::{Advice, Wish};
use crate::diagnostic::{Code, Diagnostic};
use crate::operator::OperatorPolynomial;
use crate::source::{Source, Span};
use crate::syntax::ast::{FunctionTrait, OracleKind};
use crate::syntax::parse_oracles;
use crate::system::{LinearSystem, Oracle};
use crate::transfer::graph::may_replace;
use crate::transfer::realize::Unrealizable;
use linnaeus_algebra::{Exhausted, RationalFunction, with_fuel};
use std::rc::Rc;

/// At most this many iterations are taken as one.
pub const MAX_ITERATIONS: usize = 12;
/// At most this many calls are made of the calls of several iterations.
pub const MAX_REPEATED_CALLS: usize = 48;

/// Calls are moved by at most this many iterations against each other.
pub const MAX_SHIFT: i64 = 24;

/// What to do, in this order.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// `A=I`, `h=0`, `C=all`, `t=1/2`.
    pub set: Vec<String>,
    /// Functions whose calls answer zero.
    pub delete: Vec<String>,
    /// `1/(z-alpha)` or `f=1/(z-alpha)`: filters for linear oracles.
    pub filter: Vec<String>,
    /// `f,g`: two functions that change places.
    pub permute: Vec<String>,
    /// Functions whose conjugates are called.
    pub conjugate: Vec<String>,
    /// Conjugates of all functions.
    pub dual: bool,
    /// `prox_f, prox_{s g*}`: these oracles.
    pub oracles: Option<String>,
    /// So many iterations as one.
    pub repeat: Option<usize>,
    /// `0,1,1`: the calls at these times.
    pub shift: Option<String>,
}

/// The algorithm that was asked for.
#[derive(Clone, Debug)]
pub struct Granted {
    /// The algorithm.
    pub model: Commuting,
    /// One iteration, where several are taken as one, and how many.
    pub single: Option<(Commuting, usize)>,
    /// What is left open.
    pub freedom: Freedom,
    /// What must hold for it to be the same as before.
    pub assumptions: Vec<String>,
}

/// What was made of what a text gives.
#[derive(Clone, Debug)]
pub enum Changed {
    /// Coefficients commute, if not before then now.
    Commuting(Box<Granted>),
    /// They do not.
    Words {
        /// The algorithm.
        model: Model<OperatorPolynomial>,
        /// One iteration, where several are taken as one, and how many.
        single: Option<(Box<Model<OperatorPolynomial>>, usize)>,
        /// The calls are made at these times and no others.
        shift: Option<Vec<i64>>,
        /// What must hold for it to be the same as before.
        assumptions: Vec<String>,
    },
}

impl Changed {
    /// The algorithm, calls at the times that were asked for.
    pub fn given(self) -> Given {
        with_fuel(FUEL, || match self {
            Changed::Commuting(granted) => {
                let Granted { model, freedom, .. } = *granted;
                let shifted = freedom.shift.and_then(|m| model.shifted(&m).ok().flatten());
                Given::Commuting(shifted.unwrap_or(model))
            }
            Changed::Words { model, shift, .. } => {
                let shifted = shift.and_then(|m| model.word_shifted(&m).ok().flatten());
                Given::Words(shifted.unwrap_or(model))
            }
        })
    }
}

/// Why it cannot be done: a remark on one of the texts of the request.
#[derive(Clone, Debug)]
pub struct Denied {
    /// That text.
    pub source: Source,
    /// The remark.
    pub diagnostic: Box<Diagnostic>,
}

impl Denied {
    /// A remark on the whole of a text.
    pub(super) fn new(text: &str, message: impl Into<String>, help: impl Into<Advice>) -> Denied {
        let source = Source::new(text);
        let span = Span::new(0, text.len());
        Denied { diagnostic: Box::new(Diagnostic::error(Code::BadTransform, span, message).help(help)), source }
    }

    /// A remark that is about the whole of a text of the request.
    pub fn about(text: &str, diagnostic: Diagnostic) -> Denied {
        let span = Span::new(0, text.len());
        Denied { source: Source::new(text), diagnostic: Box::new(Diagnostic { span, ..diagnostic }) }
    }

    /// What is asked cannot be done where coefficients do not commute.
    fn words(asked: &str, system: &LinearSystem) -> Denied {
        let message = format!("{}: this is not done to such an algorithm", reason(system));
        Denied::new(asked, message, remedy(system))
    }

    /// The work limit was reached.
    pub(super) fn limit(text: &str) -> Denied {
        Denied { source: Source::new(text), diagnostic: Box::new(crate::limit_work(Span::new(0, text.len()))) }
    }
}

fn mend() -> Advice {
    Advice::from(Wish::Realize).then(" without it says which oracles or times make H an algorithm, if any do")
}

const SAMPLES: &str = "samples differ from one iteration to the next";
const LATER: &str = "a query would need an answer that is given only later";

impl Request {
    /// Does what is asked.
    pub fn grant(&self, model: &Commuting) -> Result<Granted, Denied> {
        with_fuel(FUEL, || {
            if self.set.is_empty() && self.delete.is_empty() {
                return self.applied(model.clone());
            }
            self.granted(Subject::new(model).map_err(|_| Denied::limit(""))?)
        })
    }

    /// Does what is asked to what a text gives, if coefficients commute then. A matrix that grows with z needs other oracles or other times first.
    pub fn grant_given(&self, given: &Given) -> Result<Granted, Denied> {
        match given {
            Given::Commuting(model) => self.grant(model),
            Given::Words(own) => match with_fuel(FUEL, || self.on_words(own))? {
                Changed::Commuting(granted) => Ok(*granted),
                Changed::Words { model, .. } => Err(Denied::words(&self.text(), &model.system)),
            },
            Given::Improper(matrix) => with_fuel(FUEL, || self.granted(Subject::Matrix(matrix.clone()))),
        }
    }

    /// Does what is asked to what a text gives, whether its coefficients commute or not.
    pub fn change(&self, given: &Given) -> Result<Changed, Denied> {
        match given {
            Given::Words(model) => with_fuel(FUEL, || self.on_words(model)),
            given => self.grant_given(given).map(|granted| Changed::Commuting(Box::new(granted))),
        }
    }

    /// What needs no coefficients to commute is done; if then they do, all is.
    fn on_words(&self, model: &Model<OperatorPolynomial>) -> Result<Changed, Denied> {
        let mut setting = Setting::new(Subject::Words(model.clone()));
        for text in &self.set {
            setting.set(text)?;
        }
        for function in &self.delete {
            setting.delete(function)?;
        }
        let Setting { subject: Subject::Words(mut model), mut assumptions } = setting else {
            return Err(Denied::words(&self.text(), &model.system));
        };
        let rest = Request { set: Vec::new(), delete: Vec::new(), ..self.clone() };
        if let Some(commuting) = model.commuting().map_err(|_| Denied::limit(&self.text()))? {
            let mut granted = rest.applied(commuting)?;
            granted.assumptions.splice(..0, assumptions);
            return Ok(Changed::Commuting(Box::new(granted)));
        }
        if let Some(text) = self.filter.first() {
            return Err(Denied::words(text, &model.system));
        }
        for text in &self.permute {
            let (f, g) = pair(text, &model.ports)?;
            model = model.renamed(&|h| exchanged(h, f, g));
            assumptions.push(format!("{f} and {g} have changed places"));
        }
        let changes = format!("with these oracles {LATER}, or an operator an inverse");
        if let Some((text, oracles)) = self.conjugates(&model.ports)? {
            model = done(&text, model.word_in_oracles(&oracles), &changes)?;
        }
        if let Some(text) = &self.oracles {
            let mut system = LinearSystem::clone(&model.system);
            let oracles = named_oracles(text, &model.ports, &mut system)?;
            model.system = Rc::new(system);
            model = done(text, model.word_in_oracles(&oracles), &changes)?;
        }
        let single = self.repeat.map(|n| (Box::new(model.clone()), n));
        if let Some(n) = self.repeat {
            if !model.system.schedules.is_empty() {
                return Err(Denied::words(&n.to_string(), &model.system));
            }
            repeatable(n, model.calls())?;
            model = done(&n.to_string(), model.word_repeated(n), SAMPLES)?;
        }
        let shift = self.word_shift(&model)?;
        Ok(Changed::Words { model, single, shift, assumptions })
    }

    /// The oracles of conjugates that are asked for, and the text that asks for them.
    fn conjugates(&self, ports: &[Port]) -> Result<Option<(String, Vec<Oracle>)>, Denied> {
        for function in &self.conjugate {
            known(ports, function)?;
        }
        if !self.dual && self.conjugate.is_empty() {
            return Ok(None);
        }
        let text = if self.dual { "dual".to_string() } else { self.conjugate.join(",") };
        let mut oracles = Vec::new();
        for own in ports.iter().map(|p| &p.oracle) {
            oracles.push(match self.conjugate.contains(&own.function) != self.dual {
                false => own.clone(),
                true => conjugated(own).ok_or_else(|| {
                    let message = format!("{} has no conjugate", own.description());
                    Denied::new(&own.function, message, "gradients, subgradients and proximal operators have one")
                })?,
            });
        }
        Ok(Some((text, oracles)))
    }

    /// The times at which calls are made where coefficients do not commute.
    fn word_shift(&self, model: &Model<OperatorPolynomial>) -> Result<Option<Vec<i64>>, Denied> {
        let Some(text) = &self.shift else { return Ok(None) };
        let m = numbers(text, model.calls())?;
        match model.word_shifted(&m) {
            Ok(Some(_)) => Ok(Some(m)),
            Ok(None) => Err(Denied::new(
                text,
                format!("with this shift {LATER}"),
                Advice::from(Wish::Shifts).then(" to see what is possible"),
            )),
            Err(Exhausted) => Err(Denied::limit(text)),
        }
    }

    /// Values first: a transfer matrix has a state only when they are put in.
    fn granted(&self, subject: Subject) -> Result<Granted, Denied> {
        let mut setting = Setting::new(subject);
        for text in &self.set {
            setting.set(text)?;
        }
        for function in &self.delete {
            setting.delete(function)?;
        }
        let Setting { subject, assumptions } = setting;
        let rest = Request { set: Vec::new(), delete: Vec::new(), ..self.clone() };
        let mut granted = match subject {
            Subject::Model(model) => rest.applied(model),
            Subject::Matrix(matrix) => rest.mended(matrix, self.set.last().map_or("", String::as_str)),
            Subject::Words(model) => Err(Denied::words(&self.text(), &model.system)),
        }?;
        granted.assumptions.splice(..0, assumptions);
        Ok(granted)
    }

    /// A matrix that grows with z needs other oracles or other times before anything else.
    fn mended(&self, matrix: Improper, set: &str) -> Result<Granted, Denied> {
        let mut asked = set.to_string();
        if let Some(model) = matrix.model().map_err(|_| Denied::limit(&asked))? {
            return self.applied(model);
        }
        let mut matrix = matrix;
        let mut system = LinearSystem::clone(&matrix.system);
        if let Some(text) = &self.oracles {
            let oracles = named_oracles(text, &matrix.ports, &mut system)?;
            matrix.system = Rc::new(system);
            let changed = matrix.in_oracles(&oracles).map_err(|_| Denied::limit(text))?;
            let none = || Denied::new(text, "in these oracles there is no transfer matrix", mend());
            matrix = changed.ok_or_else(none)?;
            asked.clone_from(text);
        }
        if let Some(text) = &self.shift {
            let m = numbers(text, matrix.ports.len())?;
            matrix = matrix.shifted(&m).map_err(|_| Denied::limit(text))?;
            asked.clone_from(text);
        }
        let model = matrix.model().map_err(|_| Denied::limit(&asked))?;
        let model = model.ok_or_else(|| Denied::new(&asked, format!("{LATER}: an entry of H grows with z"), mend()))?;
        let rest = Request { oracles: None, shift: None, ..self.clone() };
        let mut granted = rest.applied(model)?;
        granted.freedom.oracles_fixed |= self.oracles.is_some();
        granted.freedom.shift = self.shift.as_ref().map(|_| vec![0; granted.model.calls()]);
        Ok(granted)
    }

    /// What is asked besides values.
    fn applied(&self, model: Commuting) -> Result<Granted, Denied> {
        let mut work = Work { model, assumptions: Vec::new() };
        for text in &self.filter {
            work.filter(text)?;
        }
        for text in &self.permute {
            work.permute(text)?;
        }
        if let Some((text, oracles)) = self.conjugates(&work.model.ports)? {
            let made = work.model.in_oracles(&oracles);
            work.model = done(&text, made, &format!("with these oracles {LATER}"))?;
        }
        if let Some(text) = &self.oracles {
            work.oracles(text)?;
        }
        let single = self.repeat.map(|n| (work.model.clone(), n));
        if let Some(n) = self.repeat {
            work.repeat(n)?;
        }
        let shift = self.shift.as_ref().map(|text| work.shift(text)).transpose()?;
        let oracles_fixed = self.dual || !self.conjugate.is_empty() || self.oracles.is_some() || self.repeat.is_some();
        let freedom = Freedom { oracles_fixed, shift };
        Ok(Granted { model: work.model, single, freedom, assumptions: work.assumptions })
    }

    /// What is asked first, as it is typed.
    fn text(&self) -> String {
        let lists = [&self.set, &self.delete, &self.filter, &self.permute, &self.conjugate];
        let listed = lists.into_iter().flatten().next().cloned();
        let dual = self.dual.then(|| "dual".to_string());
        let repeat = self.repeat.map(|n| n.to_string());
        listed.or(dual).or(self.oracles.clone()).or(repeat).or(self.shift.clone()).unwrap_or_default()
    }

    /// Whether anything is asked.
    pub fn is_empty(&self) -> bool {
        let lists = [&self.set, &self.delete, &self.filter, &self.permute, &self.conjugate];
        let none = self.oracles.is_none() && self.repeat.is_none() && self.shift.is_none();
        lists.iter().all(|l| l.is_empty()) && !self.dual && none
    }
}

struct Work {
    model: Commuting,
    assumptions: Vec<String>,
}

impl Work {
    /// `1/(z-alpha)` for the one linear function, or `f=1/(z-alpha)`.
    fn filter(&mut self, text: &str) -> Result<(), Denied> {
        let linear: Vec<String> = {
            let traits = &self.model.system.traits;
            let functions = self.model.ports.iter().map(|p| p.oracle.function.clone());
            let is_linear = |f: &String| traits.get(f).is_some_and(|t| t.contains(&FunctionTrait::Linear));
            let mut found: Vec<String> = functions.filter(is_linear).collect();
            found.dedup();
            found
        };
        let (function, value) = match (text.split_once(['=', ':']), linear.as_slice()) {
            (Some((function, value)), _) => (function.trim().to_string(), value),
            (None, [one]) => (one.clone(), text),
            (None, _) => {
                let help =
                    Advice::from("write ").wish(Wish::Filter).then(", or declare `function f linear` in the text");
                return Err(Denied::new(text, "whose oracle is linear is not said", help));
            }
        };
        known(&self.model.ports, &function)?;
        let filter = number(value, &mut self.model.system)?;
        if filter.is_zero() {
            return Err(Denied::new(text, "this filter is zero", "give another one, such as `1/(z-alpha)`"));
        }
        let one = |p: &super::model::Port| p.oracle.function == function;
        let filters: Vec<RationalFunction> =
            self.model.ports.iter().map(|p| if one(p) { filter.clone() } else { RationalFunction::one() }).collect();
        self.model = self.model.filtered(&filters).map_err(|problem| match problem {
            Unrealizable::Exhausted => Denied::limit(text),
            Unrealizable::Improper { .. } => Denied::new(
                text,
                format!("after this filter {LATER}"),
                "multiply the filter by a power of z, such as `z/(z-alpha)`",
            ),
        })?;
        let mut system = LinearSystem::clone(&self.model.system);
        let traits = system.traits.entry(function.clone()).or_default();
        if !traits.contains(&FunctionTrait::Linear) {
            traits.push(FunctionTrait::Linear);
        }
        self.model.system = Rc::new(system);
        self.assumptions.push(format!("the oracle of {function} is linear"));
        Ok(())
    }

    fn permute(&mut self, text: &str) -> Result<(), Denied> {
        let (f, g) = pair(text, &self.model.ports)?;
        self.model = self.model.renamed(&|h| exchanged(h, f, g));
        self.assumptions.push(format!("{f} and {g} have changed places"));
        Ok(())
    }

    fn oracles(&mut self, text: &str) -> Result<(), Denied> {
        let mut system = LinearSystem::clone(&self.model.system);
        let oracles = named_oracles(text, &self.model.ports, &mut system)?;
        self.model.system = Rc::new(system);
        let made = self.model.in_oracles(&oracles);
        self.model = done(text, made, &format!("with these oracles {LATER}"))?;
        Ok(())
    }

    fn repeat(&mut self, n: usize) -> Result<(), Denied> {
        repeatable(n, self.model.calls())?;
        self.model = done(&n.to_string(), self.model.repeated(n), SAMPLES)?;
        Ok(())
    }

    fn shift(&mut self, text: &str) -> Result<Vec<i64>, Denied> {
        let m = numbers(text, self.model.calls())?;
        let shifted = self.model.shifted(&m);
        done(text, shifted, &format!("with this shift {LATER}"))?;
        Ok(m)
    }
}

/// Whether so many iterations of so many calls may be taken as one.
fn repeatable(n: usize, calls: usize) -> Result<(), Denied> {
    if (1..=MAX_ITERATIONS).contains(&n) && n * calls <= MAX_REPEATED_CALLS {
        return Ok(());
    }
    let text = n.to_string();
    let help = format!("repeat at most {MAX_ITERATIONS} times, with at most {MAX_REPEATED_CALLS} calls in all");
    let span = Span::new(0, text.len());
    let diagnostic = Diagnostic::error(Code::LimitLines, span, "so many iterations are not taken as one").help(help);
    Err(Denied { source: Source::new(&text), diagnostic: Box::new(diagnostic) })
}

/// `f,g`: two functions whose oracles are called.
fn pair<'a>(text: &'a str, ports: &[Port]) -> Result<(&'a str, &'a str), Denied> {
    let Some((f, g)) = text.split_once(',').map(|(f, g)| (f.trim(), g.trim())) else {
        return Err(Denied::new(text, "two functions change places", Advice::from("write ").wish(Wish::Permute)));
    };
    known(ports, f)?;
    known(ports, g)?;
    Ok((f, g))
}

/// A function, f for g and g for f.
fn exchanged(h: &str, f: &str, g: &str) -> String {
    let other = if h == f { g } else { f };
    if h == f || h == g { other.to_string() } else { h.to_string() }
}

/// `0,1,1`, one number per call, the least of them 0.
fn numbers(text: &str, p: usize) -> Result<Vec<i64>, Denied> {
    let numbers: Option<Vec<i64>> = text.split(',').map(|n| n.trim().parse::<i64>().ok()).collect();
    let Some(m) = numbers.filter(|m| m.len() == p) else {
        let example = (0..p).map(|i| i64::from(i != 0)).collect();
        let message = format!("a shift is {p} whole numbers, one per call");
        return Err(Denied::new(text, message, Advice::from("write ").wish(Wish::Shift(example))));
    };
    let least = m.iter().copied().min().unwrap_or(0);
    let m: Vec<i64> = m.into_iter().map(|n| n.saturating_sub(least)).collect();
    if m.iter().any(|n| *n > MAX_SHIFT) {
        let span = Span::new(0, text.len());
        let message = format!("calls are moved by at most {MAX_SHIFT} iterations against each other");
        let diagnostic = Diagnostic::error(Code::LimitDelay, span, message).help("use a smaller shift");
        return Err(Denied { source: Source::new(text), diagnostic: Box::new(diagnostic) });
    }
    Ok(m)
}

/// The oracles that a text names, one per port.
fn named_oracles(text: &str, ports: &[Port], system: &mut LinearSystem) -> Result<Vec<Oracle>, Denied> {
    let source = Source::new(text);
    let fail = |problem: Diagnostic| Denied { source: source.clone(), diagnostic: Box::new(problem) };
    let mut given = Vec::new();
    for e in parse_oracles(&source).map_err(fail)? {
        given.push(Some(oracle(&e, system).map_err(fail)?));
    }
    let p = ports.len();
    if given.len() != p {
        let help = format!("name {p} oracles, in the order of the calls");
        return Err(Denied::new(text, format!("there are {p} calls and {} oracles", given.len()), help));
    }
    let mut oracles = Vec::new();
    for port in ports {
        let own = &port.oracle;
        // A resolvent adds what is asked and what is answered.
        let within = system.spaces.same(port.input, port.output);
        let fits =
            |o: &&mut Option<Oracle>| o.as_ref().is_some_and(|o| may_replace(o, own) && (within || o.kind == own.kind));
        let Some(place) = given.iter_mut().find(fits) else {
            let message = format!("no oracle is named for `{}`", own.function);
            return Err(Denied::new(text, message, "name one oracle per call, of the same functions"));
        };
        let found = place.take().expect("just found");
        oracles.push(Oracle { sample: own.sample.clone(), ..found });
    }
    Ok(oracles)
}

/// The oracle of the conjugate that knows as much: by Moreau's identity for proximal operators.
fn conjugated(oracle: &Oracle) -> Option<Oracle> {
    use OracleKind::*;
    let conjugate = !oracle.conjugate;
    match oracle.kind {
        Gradient | Subdifferential => Some(Oracle { kind: Subdifferential, conjugate, ..oracle.clone() }),
        Prox => Some(Oracle { conjugate, step: oracle.step.inverse()?, ..oracle.clone() }),
        _ => None,
    }
}

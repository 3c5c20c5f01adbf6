//! Values for what an algorithm leaves open: `A=I`, `h=0`, `C=all`, `t=1/2`.

use super::improper::Improper;
use super::model::{Commuting, Model, Port};
use super::request::Denied;
use super::scalar::{Unset, scalar, values};
use crate::advice::{Advice, Wish};
use crate::operator::OperatorPolynomial;
use crate::source::{Source, Span};
use crate::syntax::ast::OracleKind;
use crate::syntax::parse_expression;
use crate::system::{LinearSystem, Z, parameter};
use crate::transfer::graph::Special;
use linnaeus_algebra::{Exhausted, RationalFunction, Variable};
use std::rc::Rc;

/// What values are put into.
pub enum Subject {
    /// An algorithm, whose state is the user's.
    Model(Commuting),
    /// A transfer matrix: which state is good for it depends on the values.
    Matrix(Improper),
    /// An algorithm whose coefficients do not commute.
    Words(Model<OperatorPolynomial>),
}

impl Subject {
    /// The algorithm, or its matrix if nothing in its state has a name.
    pub fn new(model: &Commuting) -> Result<Subject, Exhausted> {
        if model.has_names() || model.order() == 0 || !model.constants.is_empty() {
            return Ok(Subject::Model(model.clone()));
        }
        let (system, ports, h) = (model.system.clone(), model.ports.clone(), model.transfer()?);
        Ok(Subject::Matrix(Improper { system, ports, h, span: Span::default() }))
    }

    fn system(&mut self) -> &mut Rc<LinearSystem> {
        match self {
            Subject::Model(model) => &mut model.system,
            Subject::Matrix(matrix) => &mut matrix.system,
            Subject::Words(model) => &mut model.system,
        }
    }

    fn ports(&self) -> &[Port] {
        match self {
            Subject::Model(model) => &model.ports,
            Subject::Matrix(matrix) => &matrix.ports,
            Subject::Words(model) => &model.ports,
        }
    }

    fn substituted(&self, put: &dyn Fn(Variable) -> Option<RationalFunction>) -> Result<Option<Subject>, Exhausted> {
        Ok(match self {
            Subject::Model(model) => model.substituted(put)?.map(Subject::Model),
            Subject::Matrix(matrix) => matrix.substituted(put)?.map(Subject::Matrix),
            Subject::Words(model) => model.word_substituted(put)?.map(Subject::Words),
        })
    }

    fn with_identity(&self, operator: usize) -> Result<Option<Subject>, Exhausted> {
        Ok(match self {
            Subject::Model(model) => model.with_identity(operator)?.map(Subject::Model),
            Subject::Matrix(matrix) => matrix.with_identity(operator)?.map(Subject::Matrix),
            Subject::Words(model) => Some(Subject::Words(model.word_identity(operator)?)),
        })
    }

    fn closed(&self, function: &str, special: Special) -> Result<Option<Subject>, Exhausted> {
        Ok(match self {
            Subject::Model(model) => model.closed(function, special)?.map(Subject::Model),
            Subject::Matrix(matrix) => matrix.closed(function, special)?.map(Subject::Matrix),
            Subject::Words(model) => model.word_closed(function, special)?.map(Subject::Words),
        })
    }

    fn deleted(&self, function: &str) -> Result<Option<Subject>, Exhausted> {
        Ok(match self {
            Subject::Model(model) => model.deleted(function)?.map(Subject::Model),
            Subject::Matrix(matrix) => matrix.deleted(function)?.map(Subject::Matrix),
            Subject::Words(model) => model.word_deleted(function)?.map(Subject::Words),
        })
    }
}

/// Values that are put in one after the other.
pub struct Setting {
    /// What they are put into.
    pub subject: Subject,
    /// What must hold for it to be the same as before.
    pub assumptions: Vec<String>,
}

impl Setting {
    /// Nothing is put in yet.
    pub fn new(subject: Subject) -> Setting {
        Setting { subject, assumptions: Vec::new() }
    }

    /// `A=I`, `h=0`, `C=all`, `t=1/2`.
    pub fn set(&mut self, text: &str) -> Result<(), Denied> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(Denied::new(text, "there is no `=`", "write `A=I`, `h=0` or `t=1/2`"));
        };
        let (name, value) = (name.trim(), value.trim());
        let system = self.subject.system().clone();
        if let Some(i) = system.operators.iter().position(|o| o.name == name) {
            if value != "I" {
                return Err(Denied::new(text, format!("`{name}` is an operator"), format!("write `{name}=I`")));
            }
            let made = self.subject.with_identity(i);
            self.subject = done(text, made, "a denominator is zero for it")?;
            self.assumptions.push(format!("{name} = I"));
        } else if let Some(i) = system.parameters.iter().position(|p| p == name) {
            let value = number(value, self.subject.system())?;
            // Where the text has a parameter z, that is meant: no value holds the transform variable.
            let own = system.parameters.iter().position(|p| p == "z").map_or(Z, parameter);
            let value = value.rename(&|v| if v == Z { own } else { v });
            if value.variables().contains(&Z) {
                return Err(Denied::new(text, "a parameter is a number, and z is none", "give another value"));
            }
            let values = self.values(text, i, value)?;
            let put = |v: Variable| values.iter().find(|(w, _)| *w == v).map(|(_, value)| value.clone());
            let made = self.subject.substituted(&put);
            self.subject = done(text, made, "a step or a denominator is zero for it")?;
            self.positive_steps(text)?;
        } else if self.subject.ports().iter().any(|p| p.oracle.function == name) {
            self.specialize(text, name, value)?;
        } else {
            let all = system.operators.iter().map(|o| o.name.clone()).chain(system.parameters.iter().cloned());
            let mut names: Vec<String> =
                all.chain(self.subject.ports().iter().map(|p| p.oracle.function.clone())).collect();
            names.dedup();
            let message = format!("there is no operator, parameter or function `{name}` here");
            return Err(Denied::new(text, message, format!("there are {}", names.join(", "))));
        }
        Ok(())
    }

    /// The calls of a function answer zero.
    pub fn delete(&mut self, function: &str) -> Result<(), Denied> {
        known(self.subject.ports(), function)?;
        let deleted = self.subject.deleted(function);
        self.subject = done(function, deleted, "the other calls then form a loop without a solution")?;
        self.some_call(function)
    }

    /// `h=0` for a function, `C=all` or `C={0}` for a set.
    fn specialize(&mut self, text: &str, name: &str, value: &str) -> Result<(), Denied> {
        let mut own = self.subject.ports().iter().filter(|p| p.oracle.function == name);
        let is_set = own.any(|p| p.oracle.kind == OracleKind::Projection);
        let (special, assumption) = match (is_set, value) {
            (true, "all") => (Special::Zero, format!("{name} is the whole space")),
            (true, "{0}") => (Special::IndicatorOfZero, format!("{name} = {{0}}")),
            (true, _) => {
                let help = format!("write `{name}=all` for the whole space, or `{name}={{0}}`");
                return Err(Denied::new(text, format!("`{name}` is a set"), help));
            }
            (false, "0") => (Special::Zero, format!("{name} = 0")),
            (false, _) => {
                return Err(Denied::new(text, format!("`{name}` is a function"), format!("write `{name}=0`")));
            }
        };
        let made = self.subject.closed(name, special);
        self.subject = done(text, made, "the oracle of a function that is zero cannot be called there")?;
        self.assumptions.push(assumption);
        self.some_call(text)
    }

    /// A parameter's value, and those of the functions of it.
    fn values(
        &mut self,
        text: &str,
        i: usize,
        value: RationalFunction,
    ) -> Result<Vec<(Variable, RationalFunction)>, Denied> {
        let system = Rc::make_mut(self.subject.system());
        values(system, parameter(i), value).map_err(|problem| match problem {
            Unset::Exhausted => Denied::limit(text),
            Unset::Undefined(function) => {
                Denied::new(text, format!("`{function}` is no real number for it"), "give another value")
            }
        })
    }

    /// A step that is a number is positive.
    fn positive_steps(&self, text: &str) -> Result<(), Denied> {
        match self.subject.ports().iter().find(|p| p.oracle.lacks_step()) {
            None => Ok(()),
            Some(port) => {
                let message = format!("the step of the {} is then not positive", port.oracle.description());
                Err(Denied::new(text, message, "give a value for which every step is positive"))
            }
        }
    }

    /// An algorithm that asks nothing is none.
    fn some_call(&self, text: &str) -> Result<(), Denied> {
        match self.subject.ports() {
            [] => Err(Denied::new(text, "then no oracle is called any more", "leave one oracle at least")),
            _ => Ok(()),
        }
    }
}

/// What was made, or a remark why it was not.
pub fn done<T>(text: &str, made: Result<Option<T>, Exhausted>, why: &str) -> Result<T, Denied> {
    let help = || Advice::from("ask for something else; ").wish(Wish::Forms).then(" without it lists what is possible");
    made.map_err(|_| Denied::limit(text))?.ok_or_else(|| Denied::new(text, why, help()))
}

/// Only functions whose oracles are called can be spoken of.
pub fn known(ports: &[Port], function: &str) -> Result<(), Denied> {
    if ports.iter().any(|p| p.oracle.function == function) {
        return Ok(());
    }
    let mut names: Vec<&str> = ports.iter().map(|p| p.oracle.function.as_str()).collect();
    names.dedup();
    let help = format!("the oracles are those of {}", names.join(", "));
    Err(Denied::new(function, format!("no oracle of `{function}` is called"), help))
}

/// A number in parameters, old and new, and z.
pub fn number(value: &str, system: &mut Rc<LinearSystem>) -> Result<RationalFunction, Denied> {
    let source = Source::new(value);
    let made = parse_expression(&source).and_then(|e| {
        let mut book = LinearSystem::clone(system);
        let found = scalar(&e, &mut book)?;
        *system = Rc::new(book);
        Ok(found)
    });
    made.map_err(|problem| Denied { source, diagnostic: Box::new(problem) })
}

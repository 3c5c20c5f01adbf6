//! [`Algorithm`](crate::syntax::ast::Algorithm) → [`LinearSystem`]: what the names are, and every
//! line as a linear equation between iterates, oracle answers and constants.

mod arrange;
mod change;
mod declared;
mod indexing;
mod inner_products;
mod least_squares;
mod linearize;
pub mod matching;
mod range;
mod roles;
pub mod roots;
pub mod schedule;
mod spaces;

pub use indexing::Style;
pub use linearize::{Coefficients, resolve, with_a_map};
pub use spaces::{Names, Space, Spaces};

use crate::operator::{Letter, OperatorPolynomial};
use crate::source::Span;
use crate::syntax::ast::{FunctionTrait, OracleKind, Sample};
use linnaeus_algebra::{Coefficient, Exhausted, Rational, RationalFunction, SortedMap, SortedSet, Variable};
use schedule::Schedules;

/// What an equation is linear in.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// An iterate at a time relative to `k`.
    Signal(usize, i32),
    /// The answer of an oracle call; every call stands in one equation only.
    Call(usize),
    /// A constant vector.
    Constant(usize),
}

/// Σ coefficient · atom.
pub type LinearForm = SortedMap<Atom, OperatorPolynomial>;

/// An iterate.
#[derive(Clone, Debug)]
pub struct Signal {
    /// The user's name.
    pub name: String,
    /// Where it lives.
    pub space: Space,
    /// Its first occurrence.
    pub span: Span,
}

/// A place in the text where an iterate stands.
#[derive(Clone, Debug)]
pub struct Mention {
    /// Which iterate.
    pub signal: usize,
    /// At which offset from `k`.
    pub offset: i32,
    /// Where.
    pub span: Span,
}

/// A constant vector: an input without an oracle.
#[derive(Clone, Debug)]
pub struct Constant {
    /// The user's name.
    pub name: String,
    /// Where it lives.
    pub space: Space,
}

/// A linear operator.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The user's name.
    pub name: String,
    /// Where it takes its argument from.
    pub domain: Space,
    /// Where its value lives.
    pub codomain: Space,
    /// A' = A.
    pub symmetric: bool,
    /// Operators of one class commute; 0 is no class.
    pub class: u16,
    /// Whether A occurs.
    pub plain_used: bool,
    /// Whether A' occurs.
    pub adjoint_used: bool,
}

impl Operator {
    /// Whether it occurs.
    pub fn is_used(&self) -> bool {
        self.plain_used || self.adjoint_used
    }

    /// Whether the symbol of an operator on one space stands for its adjoint: where only that occurs.
    pub fn is_adjoint_only(&self) -> bool {
        !self.symmetric && self.adjoint_used && !self.plain_used
    }
}

/// An oracle: what is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oracle {
    /// Kind.
    pub kind: OracleKind,
    /// Whose oracle.
    pub function: String,
    /// Whether it is the conjugate's.
    pub conjugate: bool,
    /// The step; 1 where none is written, and for kinds that have none.
    pub step: RationalFunction,
    /// The name of the random sample, or of the index, that the call carries.
    pub sample: Option<String>,
    /// Of an argmin, A in f(x) + ρ/2 ‖A x − y‖². Nothing if the text does not tell, and for other kinds.
    pub map: Option<OperatorPolynomial>,
}

/// One place in the text where an oracle is called.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub oracle: Oracle,
    /// The sample as written.
    pub sample: Option<Sample>,
    /// Where it is called, as a linear form.
    pub argument: LinearForm,
    /// The space of the argument.
    pub input: Space,
    /// The space of the answer.
    pub output: Space,
    /// The call in the text.
    pub span: Span,
    /// The equation it stands in.
    pub equation: usize,
}

/// One line: the form is zero.
#[derive(Clone, Debug)]
pub struct Equation {
    /// target − value.
    pub form: LinearForm,
    /// The iterate alone on the left, with its offset.
    pub target: Option<(usize, i32)>,
    /// The statement in the text.
    pub span: Span,
    /// Its left-hand side.
    pub target_span: Span,
    /// Which statement it comes from; auxiliary equations share it with the line they serve.
    pub line: usize,
}

/// A change of variable that made the text linear.
#[derive(Clone, Debug)]
pub struct Change {
    /// The iterate as written.
    pub signal: String,
    /// The new variable in terms of it, as in `log(x)`.
    pub new: String,
}

/// The text as linear equations.
#[derive(Clone, Debug)]
pub struct LinearSystem {
    /// The index letter.
    pub letter: String,
    /// How the lines hang together.
    pub style: Style,
    /// Iterates in order of first appearance.
    pub signals: Vec<Signal>,
    /// Constant vectors.
    pub constants: Vec<Constant>,
    /// Operators in order of first appearance.
    pub operators: Vec<Operator>,
    /// Scalar parameters in order of first appearance; [`parameter`] is their variable.
    pub parameters: Vec<String>,
    /// Parameters that are `sqrt`, `exp` or `log` of others. Where the root of a parameter occurs, the parameter is its
    /// square, and in no coefficient itself.
    pub functions: Vec<(Variable, &'static str, RationalFunction)>,
    /// Coefficients that change with the index.
    pub schedules: Schedules,
    /// Lines that say where numbers begin that go on by a recursion, with the names of these.
    pub starts: Vec<(String, String)>,
    /// Numbers that change with the index in the text and were read as constants.
    pub frozen: Vec<String>,
    /// Names with an index that are numbers, in the text.
    pub numbers: Vec<String>,
    /// Functions of which `argmin_{rho f}` was read as a prox, since no operator fits.
    pub plain_minimizers: SortedSet<String>,
    /// Calls in order of first appearance.
    pub calls: Vec<Call>,
    /// Where the iterates stand in the text.
    pub mentions: Vec<Mention>,
    /// Lines in order.
    pub equations: Vec<Equation>,
    /// What was declared of functions and sets.
    pub traits: SortedMap<String, Vec<FunctionTrait>>,
    /// Changes of variable that were used.
    pub changes: Vec<Change>,
    /// The spaces.
    pub spaces: Spaces,
    /// What the spaces are called.
    pub space_names: Names,
}

impl LinearSystem {
    /// Where an atom lives.
    pub fn space_of(&self, atom: Atom) -> Space {
        match atom {
            Atom::Signal(s, _) => self.signals[s].space,
            Atom::Call(c) => self.calls[c].output,
            Atom::Constant(c) => self.constants[c].space,
        }
    }

    /// Whether an iterate stands for the answer to a call and has no name in the text.
    pub fn is_answer(&self, signal: usize) -> bool {
        let span = self.signals[signal].span;
        self.calls.iter().any(|call| call.span == span)
    }

    /// The system with another variable for a parameter, which then is none any more.
    pub fn with_parameter_as(mut self, n: usize, variable: Variable) -> Result<LinearSystem, Exhausted> {
        let count = self.parameters.len();
        let rename = |v: Variable| match v.0 as usize {
            i if i == n => variable,
            i if i > n && i < count => parameter(i - 1),
            _ => v,
        };
        self.map_numbers(&mut |r| Ok(r.rename(&rename)))?;
        for (symbol, _, argument) in &mut self.functions {
            (*symbol, *argument) = (rename(*symbol), argument.rename(&rename));
        }
        self.parameters.remove(n);
        Ok(self)
    }

    /// Replaces the numbers in all lines and calls.
    fn map_numbers(
        &mut self,
        f: &mut dyn FnMut(&RationalFunction) -> Result<RationalFunction, Exhausted>,
    ) -> Result<(), Exhausted> {
        let mut mapped = |form: &LinearForm| -> Result<LinearForm, Exhausted> {
            let all: LinearForm =
                form.iter().map(|(atom, c)| Ok((*atom, c.map_coefficients(&mut *f)?))).collect::<Result<_, _>>()?;
            Ok(all.into_iter().filter(|(_, c)| !c.is_zero()).collect())
        };
        for equation in &mut self.equations {
            equation.form = mapped(&equation.form)?;
        }
        for call in &mut self.calls {
            call.argument = mapped(&call.argument)?;
        }
        for call in &mut self.calls {
            call.oracle = call.oracle.with_numbers(f)?;
        }
        Ok(())
    }
}

/// The variable of the n-th parameter.
pub fn parameter(n: usize) -> Variable {
    Variable(n as u32)
}

/// The variable of the first operator, where operators commute; so many variables are theirs.
const OPERATORS: (u32, u32) = (1_000_000, 1_000_000);

/// The variable of the n-th operator, where operators commute.
pub fn operator_symbol(n: usize) -> Variable {
    Variable(OPERATORS.0 + n as u32)
}

/// Whether a symbol is that of an operator.
pub fn is_operator_symbol(v: Variable) -> bool {
    let (first, count) = OPERATORS;
    (first..first + count).contains(&v.0)
}

/// Whether an operator occurs in it, where operators commute.
pub fn holds_operator(r: &RationalFunction) -> bool {
    r.variables().into_iter().any(is_operator_symbol)
}

/// A letter where operators commute; an operator and its adjoint are then the same.
pub fn letter_symbol(letter: Letter) -> RationalFunction {
    let symbol = RationalFunction::variable(operator_symbol(letter.operator as usize));
    if letter.inverse { symbol.inverse().expect("a variable") } else { symbol }
}

/// The transform variable z, the most main of all.
pub const Z: Variable = Variable(u32::MAX);

/// Whether this can be the step of a proximal operator, a resolvent or a minimization: a number must be positive.
pub fn is_step(t: &RationalFunction) -> bool {
    t.as_rational().is_none_or(|n| n > Rational::ZERO)
}

impl Oracle {
    /// Whether it has a step, and that is a number which is not positive.
    pub fn lacks_step(&self) -> bool {
        self.kind.has_step() && !is_step(&self.step)
    }

    /// The oracle with the numbers in its step and its map replaced.
    pub fn with_numbers(
        &self,
        value: &mut dyn FnMut(&RationalFunction) -> Result<RationalFunction, Exhausted>,
    ) -> Result<Oracle, Exhausted> {
        let map = self.map.as_ref().map(|map| map.map_coefficients(value)).transpose()?;
        Ok(Oracle { step: value(&self.step)?, map, ..self.clone() })
    }

    /// The oracle without its step: `prox of f*`.
    pub fn description(&self) -> String {
        format!("{} of {}{}", self.kind.word(), self.function, if self.conjugate { "*" } else { "" })
    }
}

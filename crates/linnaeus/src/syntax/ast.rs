//! The tree that every notation is read into. It says what was written, not yet what it means:
//! whether `b` is a scalar or a vector, or `F(x[k])` a call or a product, is decided by
//! [`system`](crate::system).

use super::notation::Notation;
use crate::source::Span;
use linnaeus_algebra::Rational;

/// An algorithm as it was written.
#[derive(Clone, Debug, Default)]
pub struct Algorithm {
    /// How it is written.
    pub notation: Notation,
    /// Lines that declare.
    pub declarations: Vec<Declaration>,
    /// Lines that equate or assign, in the order of the text.
    pub statements: Vec<Statement>,
    /// Further members of chains `a = b = c`, each as a line of its own: they should say the same.
    pub claims: Vec<Statement>,
    /// Lines that were not used, each with the reason.
    pub ignored: Vec<Ignored>,
    /// Functions that lines define, to be minimized; none is left in the statements.
    pub functions: Vec<FunctionDefinition>,
    /// What every part of the text was taken for, in the order of the text.
    pub lines: Vec<Line>,
    /// What the notation left open and custom decided.
    pub guesses: Vec<Guess>,
}

/// A part of the text and what it was taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it is.
    pub span: Span,
    /// What it is.
    pub role: Role,
}

/// What a line is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It gives an iterate its next value.
    Update,
    /// It gives a name to something that never changes, or defines a function.
    Definition,
    /// It says what a name is.
    Declaration,
    /// It repeats the others.
    Loop,
    /// It says where to begin.
    Initialization,
    /// It says what is returned.
    Output,
    /// It is for people.
    Comment,
    /// It says nothing about the iteration.
    Skipped,
}

impl Role {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Role::Update => "update",
            Role::Definition => "definition",
            Role::Declaration => "declaration",
            Role::Loop => "loop",
            Role::Initialization => "initialization",
            Role::Output => "output",
            Role::Comment => "comment",
            Role::Skipped => "skipped",
        }
    }
}

/// What a name, or a way to write, was taken for where something else was possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The name as it is written.
    pub name: String,
    /// What it was taken for.
    pub taken_as: String,
    /// What to write for the other reading: a line that declares it, or another spelling, which begins with `write`.
    pub declaration: String,
}

/// A line that was read and is of no consequence.
#[derive(Clone, Debug)]
pub struct Ignored {
    /// Where it is.
    pub span: Span,
    /// What it is for.
    pub role: Role,
    /// Why it is not used.
    pub reason: &'static str,
}

/// `target = value`.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The whole statement.
    pub span: Span,
    /// The left-hand side.
    pub target: Expression,
    /// `=` or an arrow.
    pub sign: Sign,
    /// The right-hand side.
    pub value: Expression,
}

/// The sign between the two sides.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `=`: an equation where there are indices, an assignment where there are none.
    Equals,
    /// `<-` or `:=`: an assignment, whatever there is.
    Assigns,
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub node: Node,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Node {
    /// `0.1`, `3`.
    Number(Rational),
    /// `alpha`, `A`, `b`: anything without an index.
    Name(String),
    /// `x[k+1]`.
    Indexed(String, Index),
    /// `I`.
    Identity,
    /// `-a`.
    Minus(Box<Expression>),
    /// `a + b`, `a - b`, `a*b`, `a/b`.
    Binary(Operation, Box<Expression>, Box<Expression>),
    /// `a^n`.
    Power(Box<Expression>, Box<Expression>),
    /// `A'`.
    Adjoint(Box<Expression>),
    /// `grad f(…)`: an oracle is called.
    Call(Box<Call>),
    /// `2*prox_f - I`: an oracle as a map, to be composed and then applied.
    Oracle(Box<OracleName>),
    /// `F(…)`: a call of a black box, an operator applied, or a product.
    Apply(String, Span, Box<Expression>, Option<Sample>),
    /// `exp(…)`, `log …`, `inv(…)`.
    Elementary(Elementary, Box<Expression>),
    /// `argmin_x f(x) + rho/2 ||A x - b||^2`.
    Minimize(Box<Minimization>),
    /// The variable of a minimization, or of a function that a line defines.
    Variable(String),
    /// `f(x)` as a number, in what is minimized: the function's name, its place, its arguments.
    Value(String, Span, Vec<Expression>),
    /// `<a, b>`.
    Inner(Box<Expression>, Box<Expression>),
    /// `||a||`, in the metric of a symmetric operator where one is given.
    Norm(Box<Expression>, Option<Box<Expression>>),
}

/// `argmin_x …`, `argmax_{x in C} …`.
#[derive(Clone, Debug)]
pub struct Minimization {
    /// What varies.
    pub variable: String,
    /// A sum of function values, inner products and squared norms.
    pub objective: Expression,
    /// Which end is sought.
    pub sense: Sense,
    /// Where the variable must lie.
    pub set: Option<String>,
}

/// The sense of an optimization.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sense {
    /// `argmin`
    Minimize,
    /// `argmax`
    Maximize,
}

/// `L(x, z, y) = …`: a function that a line defines, for use in what is minimized.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// The whole line.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// What it depends on.
    pub variables: Vec<String>,
    /// Its value.
    pub body: Expression,
}

/// The four operations.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`, or nothing at all
    Multiply,
    /// `/`
    Divide,
}

/// `k+1` in `x[k+1]`: the letter and how far it is moved, in half steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// The letter.
    pub letter: String,
    /// Twice the offset, so that `k+1/2` has a place.
    pub halves: i64,
    /// Where the index stands.
    pub span: Span,
}

/// An oracle without its argument.
#[derive(Clone, Debug)]
pub struct OracleName {
    /// Where it stands.
    pub span: Span,
    /// What kind of oracle.
    pub kind: OracleKind,
    /// Whose oracle: `f` in `grad f`, `C` in `P_C`.
    pub function: String,
    /// Whether it is the conjugate's: `g*`.
    pub conjugate: bool,
    /// `t` in `prox_{t f}`; none means 1.
    pub step: Option<Expression>,
}

/// A call of an oracle.
#[derive(Clone, Debug)]
pub struct Call {
    /// Where the oracle's name stands, without the argument.
    pub name_span: Span,
    /// What kind of oracle.
    pub kind: OracleKind,
    /// Whose oracle: `f` in `grad f`, `C` in `P_C`.
    pub function: String,
    /// Whether it is the conjugate's: `g*`.
    pub conjugate: bool,
    /// `t` in `prox_{t f}`; none means 1.
    pub step: Option<Expression>,
    /// Where it is asked.
    pub argument: Expression,
    /// `xi[k]` in `grad f(x[k]; xi[k])`.
    pub sample: Option<Sample>,
}

impl OracleName {
    /// The oracle, asked somewhere.
    pub fn at(self, argument: Expression, sample: Option<Sample>) -> Call {
        let OracleName { span: name_span, kind, function, conjugate, step } = self;
        Call { name_span, kind, function, conjugate, step, argument, sample }
    }
}

/// The random sample, or the time, that an oracle call carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The sample's name; empty for the bare index, as in `grad f_k`.
    pub name: String,
    /// Its index; none if it never changes.
    pub index: Option<Index>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of oracle. Every one but the last two is a matrix image of the graph of ∂f.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OracleKind {
    /// ∇f
    Gradient,
    /// ∂f
    Subdifferential,
    /// prox_{t f}
    Prox,
    /// P_C
    Projection,
    /// J_{γ A}
    Resolvent,
    /// 2 prox_{t f} − I
    Reflected,
    /// ∇ of the Moreau envelope
    MoreauGradient,
    /// argmin of f plus a quadratic in a linear image
    Argmin,
    /// anything
    BlackBox,
}

impl OracleKind {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            OracleKind::Gradient => "gradient",
            OracleKind::Subdifferential => "subdifferential",
            OracleKind::Prox => "prox",
            OracleKind::Projection => "projection",
            OracleKind::Resolvent => "resolvent",
            OracleKind::Reflected => "reflected-resolvent",
            OracleKind::MoreauGradient => "moreau-gradient",
            OracleKind::Argmin => "argmin",
            OracleKind::BlackBox => "black-box",
        }
    }

    /// Whether a step is part of the oracle.
    pub fn has_step(self) -> bool {
        use OracleKind::*;
        matches!(self, Prox | Resolvent | Reflected | MoreauGradient | Argmin)
    }
}

/// Functions of one argument that are applied to every component.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Elementary {
    /// `exp`
    Exp,
    /// `log`, `ln`
    Log,
    /// `sqrt`
    Sqrt,
    /// `inv`: of a scalar or an operator
    Inverse,
    /// `transpose`, `adjoint`
    Adjoint,
    /// known, and never linear: `abs`, `sign`, `max`, …
    Nonlinear(&'static str),
}

/// A line that says what a name is.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The whole line.
    pub span: Span,
    /// What is said.
    pub node: DeclarationNode,
}

/// A declared name with its place.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// What a declaration says.
#[derive(Clone, Debug)]
pub enum DeclarationNode {
    /// `oracle F: X -> Y`
    Oracle(Vec<Declared>, Option<(String, String)>),
    /// `param t`
    Parameter(Vec<Declared>),
    /// `constant b: Y`
    Constant(Vec<Declared>, Option<String>),
    /// `iterate x: X`
    Iterate(Vec<Declared>, Option<String>),
    /// `operator A: X -> Y symmetric`
    Operator(Vec<Declared>, Option<(String, String)>, OperatorTraits),
    /// `function f: X linear`
    Function(Vec<Declared>, Option<String>, Vec<FunctionTrait>),
    /// `set C: X cone`
    Set(Vec<Declared>, Option<String>, Vec<FunctionTrait>),
    /// `index k`
    Index(Declared),
}

/// What is declared of operators.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorTraits {
    /// A' = A.
    pub symmetric: bool,
    /// Those of this line commute with one another.
    pub commuting: bool,
}

/// What is declared of a function or a set; used by relations.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FunctionTrait {
    /// The oracle is linear (a quadratic function without linear term, a subspace).
    Linear,
    /// The function is positively homogeneous of degree 1 (a norm): g(cx) = c g(x) for c > 0. Of a set, that it is a
    /// cone; of a black box, that it commutes with positive numbers.
    Homogeneous,
    /// The set is a cone, or the function the indicator of one.
    Cone,
}

impl FunctionTrait {
    /// As it is declared.
    pub fn word(self) -> &'static str {
        match self {
            FunctionTrait::Linear => "linear",
            FunctionTrait::Homogeneous => "homogeneous",
            FunctionTrait::Cone => "cone",
        }
    }

    /// That a function has it, with the verb of one and of several: `oracles of f are linear`.
    pub fn said_of(self, function: &str, [is, are]: [&str; 2]) -> String {
        match self {
            FunctionTrait::Linear => format!("oracles of {function} {are} linear"),
            FunctionTrait::Homogeneous => format!("{function} {is} homogeneous"),
            FunctionTrait::Cone => format!("{function} {is} that of a cone"),
        }
    }
}

impl Expression {
    /// Puts a node at a place.
    pub fn new(span: Span, node: Node) -> Self {
        Expression { span, node }
    }

    /// Calls `visit` on this expression and all that it contains, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        visit(self);
        match &self.node {
            Node::Number(_) | Node::Name(_) | Node::Indexed(..) | Node::Identity | Node::Variable(_) => {}
            Node::Minus(a) | Node::Adjoint(a) | Node::Elementary(_, a) | Node::Apply(_, _, a, _) => a.walk(visit),
            Node::Binary(_, a, b) | Node::Power(a, b) | Node::Inner(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Node::Oracle(oracle) => oracle.step.iter().for_each(|step| step.walk(visit)),
            Node::Call(call) => {
                if let Some(step) = &call.step {
                    step.walk(visit);
                }
                call.argument.walk(visit);
            }
            Node::Minimize(found) => found.objective.walk(visit),
            Node::Value(_, _, arguments) => arguments.iter().for_each(|a| a.walk(visit)),
            Node::Norm(a, weight) => {
                a.walk(visit);
                weight.iter().for_each(|w| w.walk(visit));
            }
        }
    }
}

impl Node {
    /// The node with its direct parts replaced.
    pub fn map_children(&self, f: &dyn Fn(&Expression) -> Expression) -> Node {
        let deep = |a: &Expression| Box::new(f(a));
        match self {
            Node::Number(_) | Node::Name(_) | Node::Indexed(..) | Node::Identity | Node::Variable(_) => self.clone(),
            Node::Minus(a) => Node::Minus(deep(a)),
            Node::Adjoint(a) => Node::Adjoint(deep(a)),
            Node::Elementary(function, a) => Node::Elementary(*function, deep(a)),
            Node::Apply(name, span, a, sample) => Node::Apply(name.clone(), *span, deep(a), sample.clone()),
            Node::Binary(operation, a, b) => Node::Binary(*operation, deep(a), deep(b)),
            Node::Power(a, b) => Node::Power(deep(a), deep(b)),
            Node::Call(call) => {
                let mut call = call.clone();
                call.argument = f(&call.argument);
                call.step = call.step.as_ref().map(f);
                Node::Call(call)
            }
            Node::Oracle(oracle) => {
                let mut oracle = oracle.clone();
                oracle.step = oracle.step.as_ref().map(f);
                Node::Oracle(oracle)
            }
            Node::Minimize(found) => {
                let mut found = found.clone();
                found.objective = f(&found.objective);
                Node::Minimize(found)
            }
            Node::Value(name, span, arguments) => Node::Value(name.clone(), *span, arguments.iter().map(f).collect()),
            Node::Inner(a, b) => Node::Inner(deep(a), deep(b)),
            Node::Norm(a, weight) => Node::Norm(deep(a), weight.as_ref().map(|w| deep(w))),
        }
    }
}

impl Statement {
    /// Calls `visit` on every expression of both sides.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        self.target.walk(visit);
        self.value.walk(visit);
    }
}

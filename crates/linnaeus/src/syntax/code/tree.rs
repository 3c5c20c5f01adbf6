//! The tree of a program: what its lines say, before it is asked what they do to the iterates.

use super::test::Test;
use super::token::Token;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use linnaeus_algebra::Rational;

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Term {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub node: Node,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Node {
    /// `0.1`
    Number(Rational),
    /// `x`
    Name(String),
    /// `"text"`
    Text(String),
    /// `x.T`
    Attribute(Box<Term>, String),
    /// `f(x, t=1)`
    Call(Box<Term>, Vec<Argument>),
    /// `x[k+1]`, `x{k}`
    Subscript(Box<Term>, Vec<Term>),
    /// `-x`
    Minus(Box<Term>),
    /// `a + b`
    Binary(Operator, Box<Term>, Box<Term>),
    /// `A'`
    Transpose(Box<Term>),
    /// `a, b`, `[a, b]`
    Tuple(Vec<Term>),
    /// `lambda x: …`, `@(x) …`, `x -> …`
    Function(Vec<String>, Box<Term>),
    /// `:` between brackets: all of it.
    Slice,
    /// `a if test else b`
    Choice(Box<(Test, Term, Term)>),
    /// Tests, comprehensions: read over, of no value.
    Other(&'static str),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Argument {
    /// `t` in `t=0.1`.
    pub keyword: Option<String>,
    /// Its value.
    pub value: Term,
}

/// Operators between two expressions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`, `.*`
    Multiply,
    /// `@`, and `*` where it is the product of matrices.
    Apply,
    /// `/`
    Divide,
    /// `\`
    Solve,
    /// `**`, `^`
    Power,
}

/// How a statement changes its target.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// `x = …`: the name stands for something else from here on.
    Bind,
    /// `x += …`: an operator, then as the language has it.
    Update(Operator),
    /// `x .= …`: what the name stands for is overwritten.
    Overwrite,
    /// `x .+= …`
    OverwriteBy(Operator),
}

/// A statement that stands alone.
#[derive(Clone, Debug)]
pub enum Action {
    /// `x, y = …`
    Assign {
        /// What is assigned; several where the value is a tuple.
        targets: Vec<Term>,
        /// How.
        change: Change,
        /// To what.
        value: Result<Term, Box<Diagnostic>>,
    },
    /// `f(x);`
    Expression(Result<Term, Box<Diagnostic>>),
    /// `return x`
    Return(Result<Term, Box<Diagnostic>>),
    /// `break`, `print`, `import`, …: what it is for.
    Idle(&'static str),
    /// `continue`
    Continue,
}

/// A statement or a block.
#[derive(Clone, Debug)]
pub enum Item {
    /// One statement.
    Line(Span, Action),
    /// `for k in range(n):`, `while …`.
    Loop(Loop),
    /// `if … else …`
    Branch(Vec<Arm>),
    /// `def`, `function`.
    Function(Function),
    /// `with`, `class`, `begin`: what is inside counts as it stands.
    Through(Span, Vec<Item>),
    /// `end`.
    End(Span),
}

/// One case of a branch.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its head.
    pub span: Span,
    /// When it is run.
    pub test: Test,
    /// What it does.
    pub body: Vec<Item>,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its head.
    pub span: Span,
    /// The variables that its head names.
    pub variables: Vec<String>,
    /// Whether the first of them counts, rather than running over things.
    pub counts: bool,
    /// What is repeated.
    pub body: Vec<Item>,
}

/// A function that the text defines.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its head.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub parameters: Vec<String>,
    /// Arguments that are true or false unless said otherwise.
    pub flags: Vec<(String, bool)>,
    /// The names of its values, where the head says them.
    pub outputs: Vec<String>,
    /// What it does.
    pub body: Vec<Item>,
}

/// Tokens up to a sign outside of brackets, and those after it.
pub fn split_at<'a>(tokens: &'a [Token], sign: &str) -> Option<(&'a [Token], &'a [Token])> {
    let mut depth = 0i64;
    for (i, token) in tokens.iter().enumerate() {
        depth += bracket(token);
        if depth == 0 && token.is(sign) {
            return Some((&tokens[..i], &tokens[i + 1..]));
        }
    }
    None
}

/// All stretches between commas, or another sign, outside of brackets.
pub fn split_all<'a>(tokens: &'a [Token], sign: &str) -> Vec<&'a [Token]> {
    let mut parts = Vec::new();
    let mut rest = tokens;
    while let Some((before, after)) = split_at(rest, sign) {
        parts.push(before);
        rest = after;
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(rest);
    }
    parts
}

/// How a token changes the depth of brackets.
pub fn bracket(token: &Token) -> i64 {
    match token.kind {
        super::token::Kind::Sign("(" | "[" | "{") => 1,
        super::token::Kind::Sign(")" | "]" | "}") => -1,
        _ => 0,
    }
}

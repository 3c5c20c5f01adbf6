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

impl Term {
    /// Puts terms in the place of terms, outermost first; what is put in is left as it is.
    pub fn replaced(&self, by: &mut dyn FnMut(&Term) -> Option<Term>) -> Term {
        if let Some(found) = by(self) {
            return found;
        }
        let mut one = |t: &Term| Box::new(t.replaced(by));
        let node = match &self.node {
            Node::Attribute(a, name) => Node::Attribute(one(a), name.clone()),
            Node::Call(f, arguments) => {
                let f = one(f);
                let given = |a: &Argument| Argument { keyword: a.keyword.clone(), value: a.value.replaced(by) };
                Node::Call(f, arguments.iter().map(given).collect())
            }
            Node::Subscript(a, indices) => {
                let a = one(a);
                Node::Subscript(a, indices.iter().map(|i| i.replaced(by)).collect())
            }
            Node::Minus(a) => Node::Minus(one(a)),
            Node::Binary(operator, a, b) => Node::Binary(*operator, one(a), one(b)),
            Node::Transpose(a) => Node::Transpose(one(a)),
            Node::Tuple(parts) => Node::Tuple(parts.iter().map(|p| p.replaced(by)).collect()),
            Node::Function(names, body) => Node::Function(names.clone(), one(body)),
            Node::Choice(parts) => {
                let (test, a, b) = &**parts;
                Node::Choice(Box::new((test.clone(), a.replaced(by), b.replaced(by))))
            }
            Node::Each(parts) => {
                let (value, variables, list) = &**parts;
                Node::Each(Box::new((value.replaced(by), variables.clone(), list.replaced(by))))
            }
            Node::Number(_) | Node::Name(_) | Node::Text(_) | Node::Slice | Node::Other(_) => self.node.clone(),
        };
        Term { span: self.span, node }
    }

    /// Shows every term, outermost first; what lies within one is left out where `see` says so.
    pub fn walk(&self, see: &mut dyn FnMut(&Term) -> bool) {
        self.replaced(&mut |t| (!see(t)).then(|| t.clone()));
    }
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
    /// `[a for v in list]`: `a`, `v` and the list.
    Each(Box<(Term, Term, Term)>),
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
    /// A name stands for what one pass over parts takes from a list.
    Take(String, Term),
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
    /// What its passes are.
    pub runs: Runs,
    /// The variables as they are written, and what they run over.
    pub head: Option<(Term, Term)>,
    /// What is repeated.
    pub body: Vec<Item>,
}

/// What the passes of a loop are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Iterations, which the first variable counts.
    Counted,
    /// Iterations, whatever the variables stand for.
    On,
    /// The same for every part, side by side.
    OverParts,
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

//! One line → a statement, or the reason why it is skipped.

use super::ast::{Expression, Node, Role, Sign, Statement};
use super::expression::Parser;
use super::lexer::{Token, TokenKind};
use super::notation::Notation;
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic, has_error};
use crate::source::{Source, Span};

/// What a line turned out to be.
pub enum Read {
    /// Equations or assignments: one, or one for each part of a tuple; then what else a chain says.
    Statements(Vec<Statement>, Vec<Statement>),
    /// Of no consequence, with the reason.
    Ignored(&'static str),
}

/// Lines around the updates that say nothing about them.
pub fn skipped(line: &[Token]) -> Option<(Role, &'static str)> {
    let TokenKind::Name(word) = &line[0].kind else {
        return None;
    };
    let has_sign = line.iter().any(|t| matches!(t.kind, TokenKind::Symbol('=') | TokenKind::Assign));
    Some(match word.to_lowercase().as_str() {
        "for" | "while" | "repeat" | "loop" => (Role::Loop, "loop"),
        "end" | "endfor" | "until" | "done" => (Role::Loop, "end of the loop"),
        "initialize" | "initialise" | "init" | "initial" | "given" | "choose" if !is_update(line) => {
            (Role::Initialization, "initialisation")
        }
        "set" if has_sign && !is_update(line) => (Role::Initialization, "initialisation"),
        "input" | "require" | "data" if !is_update(line) => (Role::Initialization, "input"),
        "return" | "output" | "print" if !is_update(line) => (Role::Output, "output"),
        "minimize" | "minimise" | "min" | "maximize" | "maximise" | "problem" | "solve" if !has_sign => {
            (Role::Skipped, "the problem solved")
        }
        _ => return None,
    })
}

/// `min[k+1] = …` and `input <- …` are updates after all.
fn is_update(line: &[Token]) -> bool {
    matches!(line.get(1).map(|t| &t.kind), Some(TokenKind::Symbol('=' | '[') | TokenKind::Assign))
}

/// Reads `target = value`.
pub fn read(
    line: &[Token],
    span: Span,
    source: &Source,
    vocabulary: &Vocabulary,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Read, Diagnostic> {
    if vocabulary.notation != Notation::Plain {
        return pasted(line, span, source, vocabulary, diagnostics);
    }
    let at = sign(line, span, source)?;
    let statement = equation(&line[..at], &line[at], &line[at + 1..], span, source, vocabulary, diagnostics)?;
    Ok(initial_or(vec![statement]))
}

fn initial_or(statements: Vec<Statement>) -> Read {
    if statements.iter().all(|s| is_initial_value(&s.target)) {
        return Read::Ignored("initial value");
    }
    Read::Statements(statements.into_iter().filter(|s| !is_initial_value(&s.target)).collect(), Vec::new())
}

/// Reads both sides.
fn equation(
    left: &[Token],
    sign: &Token,
    right: &[Token],
    span: Span,
    source: &Source,
    vocabulary: &Vocabulary,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Statement, Diagnostic> {
    let mut side = |tokens: &[Token], place: &str| {
        if tokens.is_empty() {
            return Err(Diagnostic::error(Code::UnexpectedToken, sign.span, format!("nothing stands {place} this"))
                .help(format!("write an update as `x[k+1] = …`: something is missing {place} the sign")));
        }
        Parser::new(tokens, source, vocabulary, diagnostics).whole()
    };
    let (target, value) = (side(left, "before"), side(right, "after"));
    let (target, value) = match (target, value) {
        (Err(left), Err(right)) => {
            diagnostics.push(left);
            return Err(right);
        }
        (target, value) => (target?, value?),
    };
    let sign = if sign.kind == TokenKind::Assign { Sign::Assigns } else { Sign::Equals };
    Ok(Statement { span, target, sign, value })
}

/// Reads `a = b = c`, of which the first readable member counts, and `(x, y) = (a, b)`.
fn pasted(
    line: &[Token],
    span: Span,
    source: &Source,
    vocabulary: &Vocabulary,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Read, Diagnostic> {
    let signs = signs(line);
    let Some(&first) = signs.first() else {
        return Err(Diagnostic::error(Code::MissingEquationSign, span, "this line has no `=`")
            .help("write an update as `x^{k+1} = …`, and put remarks after `%`"));
    };
    let ends: Vec<usize> = signs.iter().skip(1).copied().chain([line.len()]).collect();
    let mut blame: Option<(Vec<Diagnostic>, Diagnostic)> = None;
    for (member, (&at, &end)) in signs.iter().zip(&ends).enumerate() {
        let mut found = Vec::new();
        let mut read = || -> Result<Vec<Statement>, Diagnostic> {
            let (targets, values) = (components(&line[..first]), components(&line[at + 1..end]));
            if targets.len() != values.len() || targets.len() == 1 {
                return Ok(vec![equation(
                    &line[..first],
                    &line[at],
                    &line[at + 1..end],
                    span,
                    source,
                    vocabulary,
                    &mut found,
                )?]);
            }
            let pairs = targets.into_iter().zip(values);
            pairs.map(|(t, v)| equation(t, &line[at], v, span, source, vocabulary, &mut found)).collect()
        };
        match read() {
            Ok(statements) if !has_error(&found) => {
                diagnostics.extend(found);
                if signs.len() > 1 {
                    let others = if member == 0 { "those after it were" } else { "the others were" };
                    let place = line[at + 1].span.to(line[end - 1].span);
                    let message = format!("this is the member of the chain that was read; {others} not used");
                    diagnostics.push(Diagnostic::note(place, message));
                }
                let mut more = Vec::new();
                for (&at, &end) in signs.iter().zip(&ends).skip(member + 1).filter(|_| statements.len() == 1) {
                    let mut own = Vec::new();
                    let (left, right) = (&line[..first], &line[at + 1..end]);
                    let claim = equation(left, &line[at], right, span, source, vocabulary, &mut own);
                    more.extend(claim.ok().filter(|_| !has_error(&own)));
                }
                return Ok(match initial_or(at_once(statements)) {
                    Read::Statements(found, _) => Read::Statements(found, more),
                    ignored => ignored,
                });
            }
            Ok(_) => {
                let at = found.iter().position(|d| has_error(std::slice::from_ref(d))).unwrap_or(0);
                let problem = found.remove(at);
                blame.get_or_insert((found, problem));
            }
            Err(problem) => {
                blame.get_or_insert((found, problem));
            }
        }
    }
    let (more, problem) = blame.expect("there is a sign");
    diagnostics.extend(more);
    Err(problem)
}

/// `(x, y) <- (a, b)` without indices: both right-hand sides are computed before either name changes. With `=`, these
/// are equations if one can be computed after the other: in `(p, q) = (a, b + p)` there is one p.
fn at_once(statements: Vec<Statement>) -> Vec<Statement> {
    let bare = |s: &Statement| matches!(s.target.node, Node::Name(_));
    if statements.len() < 2 || !statements.iter().all(bare) {
        return statements;
    }
    let equations = statements.iter().all(|s| s.sign == Sign::Equals);
    if let Some(ordered) = Some(&statements).filter(|_| equations).and_then(|s| one_by_one(s)) {
        return ordered;
    }
    let kept = |s: &Statement| match &s.target.node {
        Node::Name(n) => Expression::new(s.target.span, Node::Name(format!("{n}_next"))),
        _ => s.target.clone(),
    };
    let first = statements.iter().map(|s| Statement { target: kept(s), ..s.clone() });
    let then = statements.iter().map(|s| Statement { value: kept(s), ..s.clone() });
    first.chain(then).collect()
}

/// Equations in an order in which each needs only those before it; none if there is no such order.
fn one_by_one(equations: &[Statement]) -> Option<Vec<Statement>> {
    let mut rest: Vec<&Statement> = equations.iter().collect();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let needs = |s: &Statement, t: &Statement| {
            let mut found = false;
            s.value
                .walk(&mut |e| found |= matches!((&e.node, &t.target.node), (Node::Name(a), Node::Name(b)) if a == b));
            found
        };
        let next = rest.iter().position(|s| !rest.iter().any(|t| needs(s, t)))?;
        found.push(rest.remove(next).clone());
    }
    Some(found)
}

/// The parts of `(a, b)` or of `a, b`.
fn components(tokens: &[Token]) -> Vec<&[Token]> {
    let mut inside = tokens;
    if let [Token { kind: TokenKind::Symbol('('), .. }, within @ .., Token { kind: TokenKind::Symbol(')'), .. }] =
        tokens
    {
        let mut depth = 0i64;
        let whole = within.iter().all(|t| {
            depth += bracket(t);
            depth >= 0
        });
        if whole {
            inside = within;
        }
    }
    let mut depth = 0;
    let parts: Vec<&[Token]> = inside
        .split(|t| {
            depth += bracket(t);
            depth == 0 && t.kind == TokenKind::Symbol(',')
        })
        .collect();
    if parts.len() == 1 { vec![tokens] } else { parts }
}

fn bracket(token: &Token) -> i64 {
    match token.kind {
        TokenKind::Symbol('(' | '[' | '{' | '⟨') => 1,
        TokenKind::Symbol(')' | ']' | '}' | '⟩') => -1,
        _ => 0,
    }
}

/// The one sign of a line.
fn sign(line: &[Token], span: Span, source: &Source) -> Result<usize, Diagnostic> {
    let signs = signs(line);
    let Some(&at) = signs.first() else {
        return Err(Diagnostic::error(Code::MissingEquationSign, span, "this line has no `=`")
            .help("write an update as `x[k+1] = …`, and put remarks after `#`"));
    };
    let touching = |i: usize| i > 0 && line[i].span.start == line[i - 1].span.end;
    let part = |t: &Token| matches!(t.kind, TokenKind::Symbol('=' | '<' | '>' | '+' | '-' | '*' | '/'));
    let first = if at > 0 && touching(at) && part(&line[at - 1]) { at - 1 } else { at };
    let last = match line.get(at + 1) {
        Some(t) if touching(at + 1) && matches!(t.kind, TokenKind::Symbol('=' | '<' | '>')) => at + 1,
        _ => at,
    };
    if first < last || first < at {
        let whole = line[first].span.to(line[last].span);
        let message = format!("`{}` is no sign of an equation", source.slice(whole));
        return Err(Diagnostic::error(Code::UnexpectedToken, whole, message)
            .help("write a single `=`, as in `x[k+1] = x[k] + …`"));
    }
    match signs.get(1) {
        None => Ok(at),
        Some(&second) => Err(Diagnostic::error(Code::UnexpectedToken, line[second].span, "a second sign in one line")
            .label(line[at].span, "the first one")
            .help("write one equation per line")),
    }
}

fn signs(line: &[Token]) -> Vec<usize> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (i, token) in line.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol('(' | '[' | '{') => depth += 1,
            TokenKind::Symbol(')' | ']' | '}') => depth -= 1,
            TokenKind::Symbol('=') | TokenKind::Assign if depth == 0 => found.push(i),
            _ => {}
        }
    }
    found
}

/// `x[0] = …`.
fn is_initial_value(target: &Expression) -> bool {
    matches!(&target.node, Node::Indexed(_, index) if index.letter.is_empty())
}

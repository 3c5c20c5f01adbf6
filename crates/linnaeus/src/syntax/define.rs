//! Functions that a line defines, `L(x, z, y) = f(x) + g(z) + <y, A*x - z>`, put in where they are minimized.

use super::ast::{Algorithm, Expression, FunctionDefinition, Node, Operation, OracleKind, OracleName, Role, Statement};
use super::expression::Parser;
use super::lexer::{Token, TokenKind};
use super::notation::Notation;
use super::plain::MAX_TEXT;
use super::print;
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic, has_error};
use crate::source::{Source, Span};

/// Reads the line if it defines a function of names.
pub fn definition(
    line: &[Token],
    span: Span,
    source: &Source,
    vocabulary: &Vocabulary,
) -> Option<Result<FunctionDefinition, Diagnostic>> {
    let (name, variables, sign) = head(line)?;
    let body = &line[sign + 1..];
    let valued = body.iter().any(|t| matches!(t.kind, TokenKind::Symbol('‖' | '⟨')));
    if !(variables.len() > 1 || valued || vocabulary.notation != Notation::Plain) || body.is_empty() {
        return None;
    }
    let mut found = Vec::new();
    let parsed = Parser::new(body, source, vocabulary, &mut found).of_function(variables.clone()).whole();
    let mistake = found.into_iter().find(|d| has_error(std::slice::from_ref(d)));
    Some(match (parsed, mistake) {
        (Ok(body), None) => Ok(FunctionDefinition { span, name, variables, body }),
        (Err(problem), _) | (_, Some(problem)) => Err(problem),
    })
}

/// `L(x, z, y) =`: the name, the variables, and where the sign stands.
fn head(line: &[Token]) -> Option<(String, Vec<String>, usize)> {
    let [Token { kind: TokenKind::Name(name), .. }, Token { kind: TokenKind::Symbol('('), .. }, rest @ ..] = line
    else {
        return None;
    };
    let mut variables = Vec::new();
    for (i, pair) in rest.chunks(2).enumerate() {
        let [Token { kind: TokenKind::Name(variable), .. }, after] = pair else { return None };
        variables.push(variable.clone());
        match after.kind {
            TokenKind::Symbol(',') | TokenKind::Semicolon => {}
            TokenKind::Symbol(')') => {
                let sign = 2 + 2 * i + 2;
                let is_sign = matches!(line.get(sign)?.kind, TokenKind::Symbol('=') | TokenKind::Assign);
                return is_sign.then(|| (name.clone(), variables, sign));
            }
            _ => return None,
        }
    }
    None
}

/// Leaves out lines that say what is known: `R_{t A} = 2*J_{t A} - I`.
fn leave_out_reflections(algorithm: &mut Algorithm) {
    let known: Vec<Span> = algorithm.statements.iter().filter(|s| is_reflection(s)).map(|s| s.span).collect();
    algorithm.statements.retain(|s| !known.contains(&s.span));
    for line in algorithm.lines.iter_mut().filter(|l| known.contains(&l.span)) {
        line.role = Role::Definition;
    }
}

/// Whether a line says of a reflected resolvent that it is one.
fn is_reflection(statement: &Statement) -> bool {
    let Node::Oracle(reflected) = &statement.target.node else { return false };
    let Node::Binary(Operation::Subtract, twice, identity) = &statement.value.node else { return false };
    let Node::Binary(Operation::Multiply, two, resolvent) = &twice.node else { return false };
    let Node::Oracle(resolvent) = &resolvent.node else { return false };
    let step = |o: &OracleName| o.step.as_ref().map(print::expression);
    reflected.kind == OracleKind::Reflected
        && matches!(resolvent.kind, OracleKind::Resolvent | OracleKind::Prox)
        && matches!(identity.node, Node::Identity)
        && print::expression(two) == "2"
        && (&reflected.function, reflected.conjugate, step(reflected))
            == (&resolvent.function, resolvent.conjugate, step(resolvent))
}

/// Puts the definitions in.
pub fn expand(algorithm: &mut Algorithm, diagnostics: &mut Vec<Diagnostic>) {
    leave_out_reflections(algorithm);
    let functions = std::mem::take(&mut algorithm.functions);
    let mut budget = MAX_TEXT;
    // A definition may use those before it.
    let mut known: Vec<FunctionDefinition> = Vec::new();
    let mut too_long = None;
    for mut function in functions {
        match put_in(&function.body, &known, &mut budget) {
            Some(body) => {
                function.body = body;
                known.push(function);
            }
            None => too_long = Some(function.span),
        }
    }
    for statement in &mut algorithm.statements {
        match put_in(&statement.value, &known, &mut budget) {
            Some(value) => statement.value = value,
            None => too_long = Some(statement.span),
        }
    }
    if let Some(span) = too_long {
        let message = format!("with its definitions put in, this has more than {MAX_TEXT} names and numbers");
        diagnostics.push(
            Diagnostic::error(Code::LimitLines, span, message)
                .help(format!("write shorter definitions, so that all are at most {MAX_TEXT} long together")),
        );
    }
    algorithm.functions = known;
}

/// The expression with definitions put in; none if it gets too long.
fn put_in(e: &Expression, known: &[FunctionDefinition], budget: &mut usize) -> Option<Expression> {
    let mut uses = false;
    e.walk(&mut |e| uses |= used(e, known).is_some());
    if !uses {
        return Some(e.clone());
    }
    let mut size = 0;
    e.walk(&mut |_| size += 1);
    if let Some((function, arguments)) = used(e, known) {
        let mut arguments: Vec<Expression> = arguments.to_vec();
        for argument in &mut arguments {
            *argument = put_in(argument, known, budget)?;
        }
        function.body.walk(&mut |_| size += 1);
        *budget = budget.checked_sub(size)?;
        return Some(with_arguments(&function.body, &function.variables, &arguments, e.span));
    }
    let left = std::cell::Cell::new(Some(*budget));
    let node = e.node.map_children(&|a| {
        let mut own = left.get().unwrap_or(0);
        let found = put_in(a, known, &mut own);
        left.set(left.get().and(found.is_some().then_some(own)));
        found.unwrap_or_else(|| a.clone())
    });
    *budget = left.get()?;
    Some(Expression::new(e.span, node))
}

/// The definition that a value of several arguments uses.
fn used<'a>(e: &'a Expression, known: &'a [FunctionDefinition]) -> Option<(&'a FunctionDefinition, &'a [Expression])> {
    let Node::Value(name, _, arguments) = &e.node else { return None };
    let fits = |f: &&FunctionDefinition| f.name == *name && f.variables.len() == arguments.len();
    known.iter().find(fits).filter(|_| arguments.len() > 1).map(|f| (f, arguments.as_slice()))
}

fn with_arguments(e: &Expression, variables: &[String], arguments: &[Expression], span: Span) -> Expression {
    if let Node::Variable(name) = &e.node
        && let Some(at) = variables.iter().position(|v| v == name)
    {
        return Expression::new(span, arguments[at].node.clone());
    }
    Expression::new(span, e.node.map_children(&|a| with_arguments(a, variables, arguments, span)))
}

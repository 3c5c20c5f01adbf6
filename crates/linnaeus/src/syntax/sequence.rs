//! What the order of the lines and the marks of names say of time where no index does: `x_+ = x - t∇f(x)`,
//! `g_t ← g_t + λ x_t`, `b^{k+1} = b^k + b`.

use super::ast::{
    Algorithm, Declaration, DeclarationNode, Declared, Expression, Guess, Index, Node, Operation, Sign, Statement,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use linnaeus_algebra::SortedSet;

/// Completes the statements of a text that was read line by line.
pub fn complete(algorithm: &mut Algorithm, diagnostics: &mut Vec<Diagnostic>) {
    steps(algorithm);
    weights(algorithm);
    if is_indexed(algorithm) {
        reassigned(algorithm);
        apart(algorithm, diagnostics);
    } else {
        renewed(algorithm);
        kept(algorithm, diagnostics);
    }
}

fn is_indexed(algorithm: &Algorithm) -> bool {
    let mut found = false;
    for statement in &algorithm.statements {
        statement.walk(&mut |e| found |= matches!(&e.node, Node::Indexed(_, i) if !i.letter.is_empty()));
    }
    found
}

/// The expression with some parts replaced.
fn replaced(e: &Expression, by: &dyn Fn(&Expression) -> Option<Node>) -> Expression {
    match by(e) {
        Some(node) => Expression::new(e.span, node),
        None => Expression::new(e.span, e.node.map_children(&|c| replaced(c, by))),
    }
}

fn names(algorithm: &Algorithm) -> SortedSet<String> {
    let mut found = SortedSet::new();
    for statement in &algorithm.statements {
        statement.walk(&mut |e| {
            if let Node::Name(n) | Node::Indexed(n, _) | Node::Variable(n) | Node::Apply(n, ..) = &e.node {
                found.insert(n.clone());
            }
        });
    }
    found
}

fn fresh(stem: &str, taken: &mut SortedSet<String>) -> String {
    let free = (1..).map(|n| format!("{stem}_{n}")).find(|n| !taken.contains(n)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

/// `prox_f(x, t)`: what stands behind the point is the step.
fn steps(algorithm: &mut Algorithm) {
    let mut found: Vec<Guess> = Vec::new();
    for statement in &algorithm.statements {
        statement.walk(&mut |e| {
            let Node::Call(call) = &e.node else { return };
            let Some(step) = call.step.as_ref().filter(|s| s.span.start >= call.name_span.end) else { return };
            let shown = super::print::expression(step);
            let guess = Guess {
                name: shown.clone(),
                taken_as: format!("the step of the {} of `{}`", call.kind.word(), call.function),
                declaration: format!("write `; {shown}` behind the point for a sample"),
            };
            if !found.contains(&guess) {
                found.push(guess);
            }
        });
    }
    algorithm.guesses.extend(found);
}

/// `L/2 ||x - z||^2`: what stands before a square can only be a number.
fn weights(algorithm: &mut Algorithm) {
    let mut found: Vec<(String, Span)> = Vec::new();
    let is_term = |e: &Expression| match &e.node {
        Node::Power(base, _) => matches!(base.node, Node::Norm(..)),
        Node::Inner(..) | Node::Value(..) => true,
        _ => false,
    };
    for statement in &algorithm.statements {
        statement.walk(&mut |e| {
            let factor = match &e.node {
                Node::Binary(Operation::Multiply, a, b) if is_term(b) => a,
                Node::Binary(Operation::Divide, a, b) if is_term(a) => b,
                _ => return,
            };
            factor.walk(&mut |e| {
                if let Node::Name(n) = &e.node
                    && n.starts_with(char::is_uppercase)
                    && found.iter().all(|(f, _)| f != n)
                {
                    found.push((n.clone(), e.span));
                }
            });
        });
    }
    let declared = |n: &str| algorithm.declarations.iter().any(|d| d.node.names().iter().any(|d| d.name == n));
    found.retain(|(n, _)| !declared(n));
    for (name, span) in found {
        let taken_as = "a number, since it stands before a square".to_string();
        algorithm.guesses.push(Guess { name: name.clone(), taken_as, declaration: format!("operator {name}") });
        let names = vec![Declared { name, span }];
        algorithm.declarations.push(Declaration { span: Span::new(0, 0), node: DeclarationNode::Parameter(names) });
    }
}

const NEXT: &[&str] = &["_plus", "_new", "_next", "_prime"];
const NOW: &[&str] = &["_cur", "_curr", "_current", "_now"];
const BEFORE: &[&str] = &["_old", "_prev", "_previous", "_last", "_minus"];

/// `x_new = x_old - …`: the next value of `x` has a name of its own, and no line hands it over.
fn renewed(algorithm: &mut Algorithm) {
    for statement in &mut algorithm.statements {
        // `x' = …`: nothing gives an adjoint a value.
        if let Node::Adjoint(inner) = &statement.target.node
            && let Node::Name(n) = &inner.node
            && n.starts_with(char::is_lowercase)
        {
            statement.target.node = Node::Name(format!("{n}_prime"));
        }
    }
    let targets: SortedSet<String> = algorithm
        .statements
        .iter()
        .filter_map(|s| if let Node::Name(n) = &s.target.node { Some(n.clone()) } else { None })
        .collect();
    let read = names(algorithm);
    let mut handed: Vec<Statement> = Vec::new();
    for target in &targets {
        let Some(stem) = NEXT.iter().find_map(|end| target.strip_suffix(end)).filter(|s| !s.is_empty()) else {
            continue;
        };
        let marked = |ends: &[&str]| ends.iter().map(|e| format!("{stem}{e}")).find(|n| read.contains(n));
        let (bare, now, before) = (read.contains(stem), marked(NOW), marked(BEFORE));
        let all = [Some(stem.to_string()).filter(|_| bare), now.clone(), before.clone()];
        if all.iter().flatten().next().is_none() || all.iter().flatten().any(|n| targets.contains(n)) {
            continue;
        }
        let Some(line) = algorithm.statements.iter().find(|s| matches!(&s.target.node, Node::Name(n) if n == target))
        else {
            continue;
        };
        let (span, place) = (line.span, line.target.span);
        let name = |n: &str| Expression::new(place, Node::Name(n.to_string()));
        let hand = |to: &str, from: &str| Statement { span, target: name(to), sign: Sign::Assigns, value: name(from) };
        // What is older than the present value has a place of its own.
        let oldest = before.filter(|_| bare || now.is_some());
        if let Some(oldest) = &oldest {
            handed.insert(0, hand(oldest, stem));
        }
        handed.push(hand(stem, target));
        let same: Vec<String> = all.into_iter().flatten().filter(|n| n != stem && Some(n) != oldest.as_ref()).collect();
        for statement in &mut algorithm.statements {
            statement.value = replaced(&statement.value, &|e| match &e.node {
                Node::Name(n) if same.contains(n) => Some(Node::Name(stem.to_string())),
                Node::Adjoint(a) if matches!(&a.node, Node::Name(n) if n == stem) && target.ends_with("_prime") => {
                    Some(Node::Name(target.clone()))
                }
                _ => None,
            });
        }
        algorithm.guesses.push(Guess {
            name: target.clone(),
            taken_as: format!("the next value of `{stem}`"),
            declaration: format!("write a line that gives `{stem}` another value"),
        });
    }
    algorithm.statements.extend(handed);
}

/// `x ← prox(x); y ← y + 2x - x_old`: what `x` was before its line, though no line keeps it. Where `x_old` is read before
/// `x` changes, it is the value of the iteration before.
fn kept(algorithm: &mut Algorithm, diagnostics: &mut Vec<Diagnostic>) {
    let assigns = |s: &Statement, name: &str| matches!(&s.target.node, Node::Name(n) if n == name);
    let declared = |n: &str| algorithm.declarations.iter().any(|d| d.node.names().iter().any(|d| d.name == n));
    let mut taken = names(algorithm);
    for old in taken.clone() {
        let Some(stem) = BEFORE.iter().find_map(|end| old.strip_suffix(end)).filter(|s| !s.is_empty()) else {
            continue;
        };
        let statements = &algorithm.statements;
        let lines: Vec<usize> = (0..statements.len()).filter(|i| assigns(&statements[*i], stem)).collect();
        if lines.is_empty() || declared(&old) || statements.iter().any(|s| assigns(s, &old)) {
            continue;
        }
        let mut reads: Vec<(usize, Span)> = Vec::new();
        for (i, statement) in statements.iter().enumerate() {
            statement
                .value
                .walk(&mut |e| reads.extend(matches!(&e.node, Node::Name(n) if *n == old).then_some((i, e.span))));
        }
        let Some(&(_, place)) = reads.first() else { continue };
        let line = lines[0];
        let early = reads.iter().any(|(i, _)| *i <= line);
        if lines.len() > 1 || early && reads.iter().any(|(i, _)| *i > line) {
            let message = format!("no line says which value of `{stem}` `{old}` is");
            let help = format!("write the line `{old} <- {stem}` where that value is kept");
            diagnostics.push(Diagnostic::error(Code::IterateWithoutUpdate, place, message).help(help));
            continue;
        }
        let span = statements[line].span;
        let name = |n: &str| Expression::new(statements[line].target.span, Node::Name(n.to_string()));
        let hand = |to: &str, from: &str| Statement { span, target: name(to), sign: Sign::Assigns, value: name(from) };
        let (before, behind) = if early {
            let present = fresh(stem, &mut taken);
            (hand(&present, stem), Some(hand(&old, &present)))
        } else {
            (hand(&old, stem), None)
        };
        let taken_as = if early { "in the iteration before" } else { "before its line" };
        let taken_as = format!("what `{stem}` was {taken_as}");
        let declaration = format!("constant {old}");
        algorithm.statements.insert(line, before);
        if let Some(behind) = behind {
            algorithm.statements.insert(line + 2, behind);
        }
        algorithm.guesses.push(Guess { name: old, taken_as, declaration });
    }
}

/// `g_t ← g_t + λ x_t` below another line for `g_t`: lines run in order, and values in between have names of their own.
fn reassigned(algorithm: &mut Algorithm) {
    let key = |s: &Statement| match &s.target.node {
        Node::Indexed(n, i) if !i.letter.is_empty() => Some((n.clone(), i.letter.clone(), i.halves)),
        _ => None,
    };
    let is = |e: &Expression, (name, letter, halves): &(String, String, i64)| matches!(&e.node, Node::Indexed(n, i) if n == name && i.letter == *letter && i.halves == *halves);
    let mut taken = names(algorithm);
    let mut at = 0;
    while at < algorithm.statements.len() {
        let own = key(&algorithm.statements[at]);
        let again = algorithm.statements.iter().skip(at + 1).position(|s| own.is_some() && key(s) == own);
        let (Some(own), Some(again)) = (own, again.map(|n| at + 1 + n)) else {
            at += 1;
            continue;
        };
        let later = &algorithm.statements[again];
        let mut reads = false;
        later.value.walk(&mut |e| reads |= is(e, &own));
        let arrows = [at, again].iter().all(|i| algorithm.statements[*i].sign == Sign::Assigns);
        if !reads && !arrows {
            at += 1;
            continue;
        }
        let name = fresh(&own.0, &mut taken);
        let rename = |e: &Expression| match &e.node {
            Node::Indexed(_, i) if is(e, &own) => Some(Node::Indexed(name.clone(), Index { ..i.clone() })),
            _ => None,
        };
        algorithm.statements[at].target = replaced(&algorithm.statements[at].target, &rename);
        for statement in &mut algorithm.statements[at + 1..=again] {
            statement.value = replaced(&statement.value, &rename);
        }
        let shown = super::print::expression(&algorithm.statements[again].target);
        algorithm.guesses.push(Guess {
            taken_as: "assigned anew, in the order of the lines".to_string(),
            declaration: "write another name for one of the two".to_string(),
            name: shown,
        });
        at += 1;
    }
}

/// Whether nothing here is an iterate or is asked.
fn is_formula(e: &Expression) -> bool {
    let mut found = true;
    e.walk(&mut |e| {
        found &= !matches!(
            e.node,
            Node::Indexed(..) | Node::Call(_) | Node::Oracle(_) | Node::Minimize(_) | Node::Apply(..)
        );
    });
    found
}

/// `b^{k+1} = b^k + b - A u^k`, `α_k = α/\sqrt{k}`: in one line the name with an index and the bare one are two things.
fn apart(algorithm: &mut Algorithm, diagnostics: &mut Vec<Diagnostic>) {
    let mut both: Vec<(String, Span)> = Vec::new();
    for statement in &algorithm.statements {
        let (mut indexed, mut bare) = (SortedSet::new(), Vec::new());
        // A bare name beside others of older times is the present value.
        statement.value.walk(&mut |e| match &e.node {
            Node::Indexed(n, i) if !i.letter.is_empty() && i.halves == 0 => {
                indexed.insert(n.clone());
            }
            Node::Name(n) => bare.push((n.clone(), e.span)),
            _ => {}
        });
        if let Node::Indexed(n, i) = &statement.target.node
            && !i.letter.is_empty()
            && i.halves == 0
            && is_formula(&statement.value)
        {
            indexed.insert(n.clone());
        }
        let own = bare.into_iter().filter(|(n, _)| indexed.contains(n));
        both.extend(own.filter(|(n, _)| both.iter().all(|(b, _)| b != n)).collect::<Vec<_>>());
    }
    let assigned = |n: &str| algorithm.statements.iter().any(|s| matches!(&s.target.node, Node::Name(t) if t == n));
    let declared = |n: &str| algorithm.declarations.iter().any(|d| d.node.names().iter().any(|d| d.name == n));
    both.retain(|(n, _)| !assigned(n) && !declared(n));
    let mut taken = names(algorithm);
    for (name, span) in both {
        let constant = fresh(&name, &mut taken);
        for statement in &mut algorithm.statements {
            statement.value = replaced(&statement.value, &|e| match &e.node {
                Node::Name(n) if *n == name => Some(Node::Name(constant.clone())),
                _ => None,
            });
        }
        let message =
            format!("`{name}` stands here with an index and without: without it is another thing, `{constant}`");
        diagnostics.push(Diagnostic::note(span, message));
    }
}

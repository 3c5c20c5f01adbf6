//! What stands before a loop and behind it: initial values, what never changes, what is done with the result.

use super::ast::{Algorithm, Expression, Ignored, Line, Node, Operation, Role, Statement};
use super::lexer::TokenKind;
use super::plain::Draft;
use super::statement;
use crate::source::Span;
use linnaeus_algebra::SortedSet;

/// Where a line stands.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Stands {
    /// In the loop, or no loop is marked.
    #[default]
    Within,
    /// Before the loop.
    Before,
    /// Behind its end.
    Behind,
}

/// Marks the lines around a loop of the plain notation, `for …`, `end`.
pub fn mark(drafts: &mut [Draft]) {
    let looping = |d: &Draft| match (d.tokens.first().map(|t| &t.kind), d.tokens.is_empty()) {
        (Some(TokenKind::Name(word)), false) => {
            let loops = statement::skipped(&d.tokens).is_some_and(|(role, _)| role == Role::Loop);
            loops.then(|| matches!(word.to_lowercase().as_str(), "end" | "endfor" | "until" | "done"))
        }
        _ => None,
    };
    let Some(begin) = drafts.iter().position(|d| looping(d) == Some(false)) else { return };
    let end = drafts.iter().rposition(|d| looping(d) == Some(true)).filter(|e| *e > begin).unwrap_or(drafts.len());
    drafts[..begin].iter_mut().for_each(|d| d.stands = Stands::Before);
    drafts.iter_mut().skip(end).for_each(|d| d.stands = Stands::Behind);
}

/// Leaves out what a loop does not repeat; what it uses and what never changes stays as a definition.
pub fn leave_out(algorithm: &mut Algorithm, drafts: &[Draft]) {
    let place = |span: Span| drafts.iter().find(|d| d.span == span).map_or(Stands::Within, |d| d.stands);
    let (mut iterated, mut used) = (SortedSet::new(), SortedSet::new());
    for statement in algorithm.statements.iter().filter(|s| place(s.span) == Stands::Within) {
        names(&statement.target, &mut iterated);
        names(&statement.value, &mut used);
    }
    if iterated.is_empty() {
        return;
    }
    let mut anywhere = SortedSet::new();
    algorithm.statements.iter().for_each(|s| names(&s.value, &mut anywhere));
    let counters = counters(algorithm, &place);
    let fate = |s: &Statement| -> Option<(Role, &'static str)> {
        let Node::Name(target) = &s.target.node else { return None };
        if counters.contains(target) {
            return Some((Role::Loop, "it counts"));
        }
        let (mut read, mut asks) = (SortedSet::new(), false);
        names(&s.value, &mut read);
        s.value.walk(&mut |e| asks |= matches!(e.node, Node::Call(_) | Node::Minimize(_)));
        let changes = iterated.contains(target) || asks || read.iter().any(|n| iterated.contains(n));
        match place(s.span) {
            // `k <- 0`, where the index counts by itself.
            Stands::Before if changes || !anywhere.contains(target) => {
                Some((Role::Initialization, "a value from before the loop"))
            }
            Stands::Behind if changes || !used.contains(target) => Some((Role::Output, "done after the loop")),
            _ => None,
        }
    };
    let left: Vec<(Span, Role, &'static str)> =
        algorithm.statements.iter().filter_map(|s| fate(s).map(|(role, reason)| (s.span, role, reason))).collect();
    let is_left = |span: Span| left.iter().any(|(s, ..)| *s == span);
    algorithm.statements.retain(|s| !is_left(s.span));
    algorithm.claims.retain(|s| !is_left(s.span));
    algorithm.lines.retain(|l: &Line| !is_left(l.span));
    for (span, role, reason) in left {
        if algorithm.ignored.iter().all(|i| i.span != span) {
            algorithm.ignored.push(Ignored { span, role, reason });
        }
    }
}

/// Names that begin with a number, grow by a number and are read by no other line: `k <- 0`, `k <- k + 1`.
fn counters(algorithm: &Algorithm, place: &dyn Fn(Span) -> Stands) -> SortedSet<String> {
    let number = |e: &Expression| matches!(e.node, Node::Number(_));
    let is = |e: &Expression, name: &str| matches!(&e.node, Node::Name(n) if n == name);
    let grows = |s: &Statement, name: &str| {
        is(&s.target, name) && matches!(&s.value.node, Node::Binary(Operation::Add, a, b) if is(a, name) && number(b))
    };
    let begun = algorithm.statements.iter().filter(|s| place(s.span) == Stands::Before && number(&s.value));
    let named = begun.filter_map(|s| if let Node::Name(n) = &s.target.node { Some(n.clone()) } else { None });
    let counts = |name: &String| {
        let mut others = algorithm.statements.iter().filter(|s| !grows(s, name));
        let reads = |e: &Expression| {
            let mut found = SortedSet::new();
            names(e, &mut found);
            found.contains(name)
        };
        algorithm.statements.iter().any(|s| grows(s, name)) && !others.any(|s| reads(&s.value))
    };
    named.filter(counts).collect()
}

/// The names that an expression reads.
fn names(e: &Expression, found: &mut SortedSet<String>) {
    e.walk(&mut |e| {
        if let Node::Name(n) | Node::Indexed(n, _) = &e.node {
            found.insert(n.clone());
        }
    });
}

//! Lines that are run from top to bottom: what is read before it has been assigned.

use crate::source::Span;
use crate::syntax::ast::{Algorithm, Node, Statement};

/// A value that is read too early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Early {
    /// Whose value.
    pub name: String,
    /// Where it is read.
    pub read: Span,
    /// Where it is assigned.
    pub assigned: Span,
}

/// In iteration k the line that assigns x[k+a] makes x[k+r] known only if r < a, or r = a and it stands above.
/// A line that reads its own target is implicit, which is another matter.
pub fn early(algorithm: &Algorithm) -> Vec<Early> {
    let target = |s: &Statement| match &s.target.node {
        Node::Indexed(name, index) => Some((name.clone(), index.letter.clone(), index.halves)),
        _ => None,
    };
    let targets: Vec<_> = algorithm.statements.iter().map(target).collect();
    let mut found: Vec<Early> = Vec::new();
    for (i, statement) in algorithm.statements.iter().enumerate() {
        statement.value.walk(&mut |e| {
            let Node::Indexed(name, index) = &e.node else { return };
            let assigns = |j: &usize| {
                let own = targets[*j].as_ref().filter(|(n, letter, _)| n == name && *letter == index.letter);
                own.is_some_and(|(_, _, halves)| index.halves > *halves || (index.halves == *halves && *j > i))
            };
            let known = |j: usize| {
                let own = targets[j].as_ref().filter(|(n, letter, _)| n == name && *letter == index.letter);
                own.is_some_and(|(_, _, halves)| index.halves < *halves || (index.halves == *halves && j <= i))
            };
            if (0..targets.len()).any(known) {
                return;
            }
            let later = (0..targets.len()).find(|j| *j != i && assigns(j));
            if let Some(j) = later
                && !found.iter().any(|f| f.name == *name && f.assigned == algorithm.statements[j].span)
            {
                let assigned = algorithm.statements[j].span;
                found.push(Early { name: name.clone(), read: e.span, assigned });
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::syntax::parse;

    fn check(text: &str, expected: &[&str]) {
        let (algorithm, _) = parse(&Source::new(text));
        let names: Vec<String> = early(&algorithm).into_iter().map(|e| e.name).collect();
        assert_eq!(names, expected, "{text}");
    }

    #[test]
    fn values_that_are_read_too_early() {
        check("y[k+1] = prox_f(x[k+1]); x[k+1] = x[k] - y[k]", &["x"]);
        check("x[k+1] = x[k] - y[k]; y[k+1] = prox_f(x[k+1])", &[]);
        check("y[k] = prox_f(x[k]); x[k+1] = x[k] - y[k]", &[]);
        check("x[k+1] = x[k] - t*grad f(x[k+1])", &[]);
        check("y[k] = prox_f(x[k+1]); x[k] = x[k-1] - y[k-1]", &["x"]);
        check("x[k+1] = prox_f(y[k+1]); y[k+1] = prox_g(x[k+1])", &["y"]);
        check("y[k+1/2] = prox_f(y[k]); y[k+1] = prox_g(y[k+1/2])", &[]);
    }
}

//! `r[k]'*r[k]`: the adjoint of an iterate makes a number of two, which is linear in neither.

use super::indexing::Indexed;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Expression, Node};
use linnaeus_algebra::SortedSet;

/// Refuses inner products of iterates where the first of them stands.
pub fn refuse(indexed: &Indexed, diagnostics: &mut Vec<Diagnostic>) {
    let target = |e: &Expression| match &e.node {
        Node::Indexed(name, _) => Some(name.clone()),
        _ => None,
    };
    let iterates: SortedSet<String> = indexed.equations.iter().filter_map(|e| target(&e.target)).collect();
    let mut first: Option<&Expression> = None;
    let values = indexed.equations.iter().map(|e| &e.value).chain(indexed.definitions.values());
    for value in values {
        value.walk(&mut |e| {
            if let Node::Adjoint(inner) = &e.node
                && target(inner).is_some_and(|name| iterates.contains(&name))
                && first.is_none_or(|known| e.span.start < known.span.start)
            {
                first = Some(e);
            }
        });
    }
    if let Some(Expression { span, .. }) = first {
        let message = "an inner product is not linear in the iterates";
        let help = "Linnaeus knows algorithms that update their iterates linearly; a step that is computed by an inner \
                    product, as in conjugate gradients, may be a number that changes with the index";
        diagnostics.push(Diagnostic::error(Code::ProductOfIterates, *span, message).help(help));
    }
}

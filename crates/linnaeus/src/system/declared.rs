//! What declarations say against what the lines do.

use super::indexing::Indexed;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Algorithm, DeclarationNode, Declared, Node};

/// Reports parameters, constants, operators and oracles that are updated like an iterate.
pub fn check(algorithm: &Algorithm, indexed: &Indexed, diagnostics: &mut Vec<Diagnostic>) {
    for declaration in &algorithm.declarations {
        let what = match &declaration.node {
            DeclarationNode::Parameter(_) => "a parameter",
            DeclarationNode::Constant(..) => "a constant",
            DeclarationNode::Operator(..) => "an operator",
            DeclarationNode::Oracle(..) => "an oracle",
            DeclarationNode::Iterate(..)
            | DeclarationNode::Function(..)
            | DeclarationNode::Set(..)
            | DeclarationNode::Index(_) => continue,
        };
        for Declared { name, span } in declaration.node.names() {
            let updates = |node: &Node| matches!(node, Node::Indexed(target, _) if target == name);
            if let Some(equation) = indexed.equations.iter().find(|e| updates(&e.target.node)) {
                diagnostics.push(
                    Diagnostic::error(
                        Code::BadDeclaration,
                        *span,
                        format!("`{name}` is declared {what}, but a line updates it"),
                    )
                    .label(equation.target.span, "updated here")
                    .help(format!("remove the declaration, or give {what} another name")),
                );
            }
        }
    }
}

//! Lines that give the gradient at an iterate a value: `grad phi(x[k+1]) = v` says that x[k+1] = grad phi*(v).

use super::ast::{Algorithm, Call, Expression, Node, OracleKind};
use crate::diagnostic::Diagnostic;

/// Turns such lines around; says so of each.
pub fn turn(algorithm: &mut Algorithm, diagnostics: &mut Vec<Diagnostic>) {
    let given: Vec<String> = algorithm.statements.iter().filter_map(|s| updated(&s.target)).collect();
    for statement in &mut algorithm.statements {
        let Node::Call(call) = &statement.target.node else { continue };
        let Some(name) = updated(&call.argument).filter(|n| !given.contains(n)) else { continue };
        if call.kind != OracleKind::Gradient || call.sample.is_some() {
            continue;
        }
        let shown = if call.conjugate { format!("{}*", call.function) } else { call.function.clone() };
        let turned = if call.conjugate { call.function.clone() } else { format!("{}*", call.function) };
        let message = format!("`{name}` was solved for: it is `grad {turned}` of what `grad {shown}` is equal to");
        diagnostics.push(Diagnostic::note(statement.target.span, message));
        let point = call.argument.clone();
        let asked = Call { conjugate: !call.conjugate, argument: statement.value.clone(), ..(**call).clone() };
        statement.value = Expression::new(statement.value.span, Node::Call(Box::new(asked)));
        statement.target = point;
    }
}

/// The iterate that a side is, if it is one.
fn updated(e: &Expression) -> Option<String> {
    match &e.node {
        Node::Indexed(name, index) if !index.letter.is_empty() => Some(name.clone()),
        _ => None,
    }
}

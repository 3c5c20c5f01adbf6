//! Functions of numerical libraries, as far as they are linear, and what overwrites its argument.

use super::Language;
use super::effects::changes;
use super::evaluate::{Read, binary, refuse};
use super::machine::{Machine, Value};
use super::tree::{Argument, Node as Code, Operator, Term};
use crate::diagnostic::Code as Mistake;
use crate::source::Span;
use crate::syntax::ast::{Call, Elementary, Expression, Node, Operation, OracleKind};
use crate::syntax::names::NONNEGATIVE;
use linnaeus_algebra::Rational;

fn known(span: Span, node: Node) -> Read<Value> {
    Ok(Value::Known(Expression::new(span, node)))
}

impl Machine<'_> {
    /// A function that is known by its name.
    pub(super) fn library(&mut self, name: &str, arguments: &[Argument], span: Span) -> Option<Read<Value>> {
        let values: Vec<&Term> = arguments.iter().filter(|a| a.keyword.is_none()).map(|a| &a.value).collect();
        Some(match (name, &values[..]) {
            ("dot" | "matmul" | "mv" | "mm" | "inner" | "vdot", [a, b]) => {
                let product = Code::Binary(Operator::Apply, Box::new((*a).clone()), Box::new((*b).clone()));
                if self.language == Language::Python {
                    return Some(self.evaluate(&Term { span, node: product }));
                }
                self.inner_product(a, b, span)
            }
            ("add" | "plus", [a, b]) => self.combined(Operator::Add, a, b, span),
            ("subtract" | "sub" | "minus", [a, b]) => self.combined(Operator::Subtract, a, b, span),
            ("multiply" | "mul" | "times", [a, b]) => self.combined(Operator::Multiply, a, b, span),
            ("mtimes", [a, b]) => self.combined(Operator::Apply, a, b, span),
            ("divide" | "div" | "true_divide" | "rdivide" | "mrdivide", [a, b]) => {
                self.combined(Operator::Divide, a, b, span)
            }
            ("power" | "pow", [a, b]) => self.combined(Operator::Power, a, b, span),
            ("mldivide" | "solve" | "lstsq" | "spsolve" | "linsolve", [a, b]) => {
                self.combined(Operator::Solve, a, b, span)
            }
            ("negative" | "uminus" | "neg", [a]) => {
                self.expression(a).and_then(|a| known(span, Node::Minus(Box::new(a))))
            }
            ("square", [a]) => self.expression(a).and_then(|a| {
                let two = Expression::new(span, Node::Number(Rational::from(2)));
                known(span, Node::Power(Box::new(a), Box::new(two)))
            }),
            ("transpose" | "adjoint" | "ctranspose" | "t" | "conj" | "conjugate", [a]) => {
                if name.starts_with("conj") {
                    return Some(self.evaluate(a));
                }
                self.mark_matrix(a);
                self.expression(a).and_then(|a| known(span, Node::Adjoint(Box::new(a))))
            }
            ("inv" | "pinv", [a]) => {
                self.mark_matrix(a);
                self.expression(a).and_then(|a| known(span, Node::Elementary(Elementary::Inverse, Box::new(a))))
            }
            ("sqrt", [a]) => self.number_of(Elementary::Sqrt, "sqrt", a, span),
            ("exp", [a]) => self.number_of(Elementary::Exp, "exp", a, span),
            ("log", [a]) => self.number_of(Elementary::Log, "log", a, span),
            (
                "copy" | "deepcopy" | "array" | "asarray" | "clone" | "float" | "Float64" | "double" | "single" | "vec"
                | "tensor" | "full" | "real" | "collect" | "float64" | "float32" | "squeeze" | "ravel" | "list" | "int",
                [a],
            ) => self.expression(a).map(Value::Known),
            ("eye" | "speye" | "identity", _) => known(span, Node::Identity),
            ("zeros_like" | "zeros", [..]) => known(span, Node::Number(Rational::ZERO)),
            (
                "norm" | "opnorm" | "normest" | "sum" | "mean" | "trace" | "tr" | "det" | "eigmax" | "eigvals"
                | "eigvalsh" | "cond" | "len" | "length" | "numel" | "size" | "eigs" | "svds" | "prod" | "argmax"
                | "argmin" | "any" | "all" | "isnan" | "item" | "logdet" | "svd" | "eig" | "nnz",
                _,
            ) => {
                let help = "leave the line out if the iteration does not need it; a number that does not change may have a name instead";
                let message = format!("`{name}` is not linear in the iterates");
                Err(refuse(Mistake::NonlinearFunction, span, message, help))
            }
            ("max" | "maximum" | "fmax" | "relu", [one, more @ ..]) if more.len() <= 1 => {
                self.positive_part(one, more, name, span)
            }
            ("clip" | "clamp", [a, ..]) => self.projection(a, "box", span),
            ("sign" | "sgn" | "abs" | "absolute" | "tanh" | "sin" | "cos" | "sigmoid" | "min" | "minimum", [a]) => {
                self.entrywise(name, a, span)
            }
            (
                "where" | "min" | "minimum" | "max" | "maximum" | "ifelse" | "merge" | "floor" | "ceil" | "round"
                | "mod" | "rem",
                _,
            ) => {
                let message = format!("`{name}` is not linear in the iterates");
                let help = "give the whole expression a name, as in `T(x)`, to make it an oracle";
                Err(refuse(Mistake::NonlinearFunction, span, message, help))
            }
            (
                "rand" | "randn" | "randint" | "randi" | "choice" | "permutation" | "randperm" | "normal" | "uniform"
                | "shuffle" | "next" | "sample" | "seed",
                _,
            ) => {
                let help = "hand the draw to the oracle, as in `grad_f(x, i)`, and it is a sample";
                Err(refuse(
                    Mistake::UnknownOracle,
                    span,
                    "a random number is no number that can be computed with",
                    help,
                ))
            }
            _ => return None,
        })
    }

    fn combined(&mut self, operator: Operator, a: &Term, b: &Term, span: Span) -> Read<Value> {
        let node = Code::Binary(operator, Box::new(a.clone()), Box::new(b.clone()));
        self.evaluate(&Term { span, node })
    }

    fn inner_product(&mut self, a: &Term, b: &Term, span: Span) -> Read<Value> {
        let (a, b) = (self.expression(a)?, self.expression(b)?);
        known(span, Node::Inner(Box::new(a), Box::new(b)))
    }

    /// `sqrt(t)` is a number; `sqrt` of an iterate is told of by the system.
    fn number_of(&mut self, function: Elementary, name: &str, a: &Term, span: Span) -> Read<Value> {
        let inner = self.expression(a)?;
        let _ = name;
        known(span, Node::Elementary(function, Box::new(inner)))
    }

    /// `max(v, 0)` of an iterate is a projection.
    fn positive_part(&mut self, one: &Term, more: &[&Term], name: &str, span: Span) -> Read<Value> {
        let is_zero = |t: &Term| matches!(&t.node, Code::Number(n) if n.is_zero());
        let point = match more {
            [] if name == "relu" => Some(one),
            [other] if is_zero(other) => Some(one),
            [other] if is_zero(one) => Some(*other),
            _ => None,
        };
        match point {
            Some(point) => self.projection(point, NONNEGATIVE, span),
            None => {
                let message = format!("`{name}` is not linear in the iterates");
                let help = "give the whole expression a name, as in `T(x)`, to make it an oracle";
                Err(refuse(Mistake::NonlinearFunction, span, message, help))
            }
        }
    }

    fn projection(&mut self, point: &Term, set: &str, span: Span) -> Read<Value> {
        let argument = self.expression(point)?;
        if !self.moves(&argument) || self.is_number(&argument) {
            let help = "a number that is cut off is no constant; leave the line out or give its value";
            return Err(refuse(Mistake::NonlinearFunction, span, "this is not linear", help));
        }
        let shown = crate::diagnostic::clipped(self.source.slice(span));
        self.guess(&shown, format!("the projection onto {set}"), "write `proj_D(v)` for a set D".to_string());
        let (kind, function) = (OracleKind::Projection, set.to_string());
        let call = Call { name_span: span, kind, function, conjugate: false, step: None, argument, sample: None };
        known(span, Node::Call(Box::new(call)))
    }

    /// A function of every entry is a black box.
    fn entrywise(&mut self, name: &str, a: &Term, span: Span) -> Read<Value> {
        let argument = self.expression(a)?;
        if !self.moves(&argument) || self.is_number(&argument) {
            let help = "give the number a name, and leave its definition out";
            return Err(refuse(Mistake::NonlinearFunction, span, format!("`{name}` of a number is not read"), help));
        }
        self.boxes.entry(name.to_string()).or_insert(span);
        let (kind, function) = (OracleKind::BlackBox, name.to_string());
        let call = Call { name_span: span, kind, function, conjugate: false, step: None, argument, sample: None };
        known(span, Node::Call(Box::new(call)))
    }

    /// `x.copy()`, `A.dot(x)`, `x.add(y, alpha=t)`.
    pub(super) fn vector_method(
        &mut self,
        base: &Term,
        method: &str,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Read<Value>> {
        let first = arguments.first().map(|a| &a.value);
        Some(match (method, first) {
            (
                "copy" | "clone" | "detach" | "flatten" | "ravel" | "squeeze" | "float" | "conj" | "tocsr" | "toarray"
                | "item",
                None,
            ) => self.evaluate(base),
            ("transpose" | "adjoint" | "t", None) => {
                self.mark_matrix(base);
                self.expression(base).and_then(|a| known(span, Node::Adjoint(Box::new(a))))
            }
            ("dot" | "matvec" | "matmul" | "mv" | "apply" | "forward" | "direct" | "mm", Some(x)) => {
                self.mark_matrix(base);
                self.combined(Operator::Apply, base, x, span)
            }
            ("rmatvec" | "adjoint" | "backward_op" | "adj" | "T", Some(x)) => {
                self.mark_matrix(base);
                let adjoint = Term { span: base.span, node: Code::Transpose(Box::new(base.clone())) };
                self.combined(Operator::Apply, &adjoint, x, span)
            }
            ("add" | "sub" | "mul" | "div", Some(_)) => self.changed(base, method, arguments, span).map(Value::Known),
            ("sum" | "mean" | "norm" | "max" | "min" | "argmax" | "numel" | "size" | "dim", _) => {
                let help = "leave the line out if the iteration does not need it";
                Err(refuse(Mistake::NonlinearFunction, span, format!("`{method}` is not linear in the iterates"), help))
            }
            _ => return None,
        })
    }

    /// What `add`, `sub`, `mul`, `div` make of a vector, with the factor `alpha`.
    fn changed(&mut self, base: &Term, method: &str, arguments: &[Argument], span: Span) -> Read<Expression> {
        let own = self.expression(base)?;
        let positional: Vec<&Argument> = arguments.iter().filter(|a| a.keyword.is_none()).collect();
        let factor = arguments.iter().find(|a| matches!(a.keyword.as_deref(), Some("alpha" | "value")));
        let (factor, other) = match (&positional[..], factor) {
            // `add_(-lr, d_p)`: the factor stood first once.
            ([a, b], None) => (Some(&a.value), Some(&b.value)),
            ([a, ..], f) => (f.map(|f| &f.value), Some(&a.value)),
            ([], _) => (None, None),
        };
        let Some(other) = other else {
            return Err(refuse(
                Mistake::MissingArgument,
                span,
                "an argument is missing",
                format!("write `{method}(y)`"),
            ));
        };
        let mut other = self.expression(other)?;
        if let Some(factor) = factor {
            let factor = self.expression(factor)?;
            other = binary(Operation::Multiply, factor, other);
        }
        let operation = match method {
            "add" => Operation::Add,
            "sub" => Operation::Subtract,
            "mul" => return Ok(Expression { span, ..binary(Operation::Multiply, other, own) }),
            _ => Operation::Divide,
        };
        Ok(Expression { span, ..binary(operation, own, other) })
    }

    /// `p.add_(d, alpha=-lr)`: a method that overwrites its owner.
    pub(super) fn in_place(
        &mut self,
        base: &Term,
        method: &str,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Read<Value>> {
        let stem = match method {
            _ if !changes(method) => return None,
            "assign" => "copy",
            "assign_add" => "add",
            "assign_sub" => "sub",
            _ => method.trim_end_matches('_'),
        };
        let name = match self.target(base) {
            Ok(Some(name)) => name,
            Ok(None) => return Some(Err(self.no_value(span, "a method of this"))),
            Err(problem) => return Some(Err(problem)),
        };
        let own = Term { span: base.span, node: Code::Name(name.clone()) };
        let value = match (stem, arguments.first()) {
            ("zero", _) => Ok(Expression::new(span, Node::Number(Rational::ZERO))),
            ("copy", Some(x)) => self.expression(&x.value),
            ("copy", None) => Err(self.no_value(span, "a copy of nothing")),
            _ => self.changed(&own, stem, arguments, span),
        };
        Some(value.map(|e| {
            let line = self.line;
            let e = self.define(&name, None, line, e);
            self.overwrite(&name, Value::Known(e.clone()), span);
            Value::Known(e)
        }))
    }

    /// `mul!(y, A, x)`, `prox!(y, g, x, t)`: Julia's functions that overwrite an argument; what is written, and with what.
    pub(super) fn overwriting(
        &mut self,
        name: &str,
        arguments: &[Argument],
        span: Span,
    ) -> Option<(Term, Read<Expression>)> {
        let stem = name.strip_suffix('!')?;
        let value = |i: usize| arguments.get(i).map(|a| a.value.clone());
        let times = |a: Term, b: Term| Term {
            span: a.span.to(b.span),
            node: Code::Binary(Operator::Apply, Box::new(a), Box::new(b)),
        };
        let plus = |a: Term, b: Term| Term {
            span: a.span.to(b.span),
            node: Code::Binary(Operator::Add, Box::new(a), Box::new(b)),
        };
        let (target, made) = match (stem, arguments.len()) {
            ("mul", 3) => (value(0)?, times(value(1)?, value(2)?)),
            ("mul", 5) => {
                let product = times(value(3)?, times(value(1)?, value(2)?));
                (value(0)?, plus(product, times(value(4)?, value(0)?)))
            }
            ("axpy", 3) => (value(2)?, plus(times(value(0)?, value(1)?), value(2)?)),
            ("axpby", 4) => (value(3)?, plus(times(value(0)?, value(1)?), times(value(2)?, value(3)?))),
            ("copyto" | "copy", 2) => (value(0)?, value(1)?),
            ("rmul", 2) => (value(0)?, times(value(1)?, value(0)?)),
            ("lmul", 2) => (value(1)?, times(value(0)?, value(1)?)),
            ("push" | "append" | "empty" | "resize" | "shuffle", _) | (_, 0 | 1) => return None,
            _ => {
                let function = Term { span, node: Code::Name(stem.to_string()) };
                (value(0)?, Term { span, node: Code::Call(Box::new(function), arguments[1..].to_vec()) })
            }
        };
        let made = self.expression(&made);
        Some((target, made))
    }
}

//! Calls: functions of the text are written out, oracles are recognised, what is left is a black box.

use super::Language;
use super::evaluate::{Key, Read, binary, is_module, is_owner, path, refuse};
use super::machine::{DEFINED, ENTRY, Machine, START, Value};
use super::oracle::{Named, named, one_of_many};
use super::tree::{Action, Argument, Function, Item, Node as Code, Term};
use super::whose::Part;
use crate::diagnostic::{Code as Mistake, clipped};
use crate::source::Span;
use crate::syntax::ast::{Call, Expression, Index, Node, Operation, OracleKind, Sample};
use crate::syntax::names::well_known;
use crate::syntax::print;

/// Functions within functions deeper than this are not written out.
pub const MAX_INLINED: usize = 12;

impl Machine<'_> {
    pub(super) fn call(&mut self, function: &Term, arguments: &[Argument], span: Span) -> Read<Value> {
        // `np.multiply(x, t, out=x)`
        if let Some(at) = self.output(function, arguments) {
            let mut rest = arguments.to_vec();
            let target = rest.remove(at).value;
            let value = self.call(function, &rest, span);
            return self.put_out(&target, value, span);
        }
        if let Code::Function(parameters, body) = &function.node {
            let own = one_line("", parameters, body);
            return self.written_out(&own, arguments, span);
        }
        // `tree_map(lambda p, g: p - t*g, params, grads)`: the same for every part.
        if let [first, rest @ ..] = arguments
            && !rest.is_empty()
            && first.keyword.is_none()
            && maps(function)
        {
            return self.call(&first.value, rest, span);
        }
        // `jax.grad(f)(x)`, `f.proximal(tau)(x)`.
        if let Code::Call(inner, given) = &function.node {
            return self.curried(inner, given, arguments, span);
        }
        if let Code::Attribute(base, method) = &function.node
            && let Some(found) = self.method(base, method, arguments, span)
        {
            return found;
        }
        // `grads[i](x)`: one of many, drawn anew.
        if let Code::Subscript(list, indices) = &function.node
            && let [index] = &indices[..]
            && !matches!(index.node, Code::Number(_) | Code::Text(_) | Code::Slice)
            && matches!(list.node, Code::Name(_) | Code::Attribute(..))
        {
            let mut all = arguments.to_vec();
            all.push(Argument { keyword: None, value: index.clone() });
            return self.call(list, &all, span);
        }
        let Some(names) = path(function) else {
            return Err(self.no_value(span, "a call of what was computed"));
        };
        let name = names[names.len() - 1].clone();
        let module = names.len() > 1 && is_module(&names[0]);
        if self.language == Language::Matlab && names.len() == 1 && self.is_indexing(&name, arguments) {
            let indices: Vec<Term> = arguments.iter().map(|a| a.value.clone()).collect();
            return self.subscript(function, &indices, span);
        }
        let local = self.scopes.iter().rev().find_map(|s| s.get(&name).copied());
        if let Some(Value::Function(found)) = local.map(|o| self.value(o)) {
            return self.written_out(&one_line(&name, &found.0, &found.1), arguments, span);
        }
        let defined = self.functions.get(&name);
        let composed = defined.is_some_and(|f| calls_oracles(&f.body) || f.parameters.len() > 1 && name == "reflect");
        let oracle = named(&name).filter(|_| (!module || name.contains("shrink")) && !composed);
        if let (None, Some((oracle, number))) = (&oracle, one_of_many(&name)) {
            // `grads[0](x)`: a list of oracles.
            let shown = clipped(self.source.slice(function.span));
            let whose = self.customary(oracle.kind, &shown);
            let whose = if number.is_empty() { whose } else { format!("{whose}_{number}") };
            let oracle = Named { function: Some(whose), ..oracle };
            return self.oracle(oracle, &name, arguments, function.span, span);
        }
        if let [argument] = arguments
            && !module
            && let Some(found) = self.derivative_of_an_image(&name, argument, function.span, span)
        {
            return found;
        }
        if let ([argument], None, false) = (arguments, &oracle, self.functions.contains_key(&name))
            && names.len() == 1
            && self.has_adjoint(&name)
        {
            self.mark_matrix(function);
            let (map, point) = (self.expression(function)?, self.expression(&argument.value)?);
            return Ok(Value::Known(Expression { span, ..binary(Operation::Multiply, map, point) }));
        }
        if let (Some((parameters, value)), None) = (self.explained.get(&name), &oracle) {
            return self.put_in(&parameters.clone(), &value.clone(), arguments, span);
        }
        if let (Some(own), None, false) = (self.functions.get(&name).cloned(), &oracle, module) {
            return self.own(&own, arguments, span);
        }
        if let Some(oracle) = &oracle
            && !module
        {
            return self.oracle(oracle.clone(), &name, arguments, function.span, span);
        }
        if let Some(found) = self.library(&name, arguments, span) {
            return found;
        }
        if let Some(oracle) = oracle {
            return self.oracle(oracle, &name, arguments, function.span, span);
        }
        if module {
            let shown = clipped(self.source.slice(function.span));
            let help =
                "write it with sums and products, or give it a name of your own, as in `F(x)`, to make it an oracle";
            return Err(refuse(Mistake::UnknownOracle, function.span, format!("`{shown}` is not known"), help));
        }
        self.black_box(&name, arguments, function.span, span)
    }

    /// Whether the text transposes what is called: `K.adjoint(y)`, `K.T @ y`, `K'*y`.
    fn has_adjoint(&self, name: &str) -> bool {
        let text = self.source.text();
        text.match_indices(name).any(|(at, _)| {
            let apart = !text[..at].ends_with(|c: char| c.is_alphanumeric() || "_.'\"".contains(c));
            let after = &text[at + name.len()..];
            let word: String = after.trim_start_matches('.').chars().take_while(|c| c.is_alphanumeric()).collect();
            let attribute =
                after.starts_with('.') && matches!(word.as_str(), "adjoint" | "T" | "H" | "rmatvec" | "adj");
            apart && (attribute || self.language != Language::Python && after.starts_with('\''))
        })
    }

    /// `grad(u)` beside `div(p)`: finite differences of an image, and minus their adjoint.
    fn derivative_of_an_image(
        &mut self,
        name: &str,
        argument: &Argument,
        place: Span,
        span: Span,
    ) -> Option<Read<Value>> {
        const GRADIENTS: &[&str] = &["grad", "gradient", "nabla"];
        const DIVERGENCES: &[&str] = &["div", "divergence"];
        let words: Vec<&str> = self.source.text().split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let word = |all: &[&str]| words.iter().any(|w| all.contains(w));
        let both = word(GRADIENTS) && word(DIVERGENCES);
        let is_divergence = DIVERGENCES.contains(&name);
        if !both || !is_divergence && !GRADIENTS.contains(&name) || self.functions.contains_key(name) {
            return None;
        }
        let operator = ["D", "Grad", "Nabla"].into_iter().find(|d| !words.contains(d))?;
        let what = format!(
            "{} {operator}, a linear operator of differences",
            if is_divergence { "minus the adjoint of" } else { "the map" }
        );
        self.guess(name, what, "write `grad_f(x)` for the gradient of a function f".to_string());
        let point = match self.expression(&argument.value) {
            Ok(point) => point,
            Err(problem) => return Some(Err(problem)),
        };
        let map = Expression::new(place, Node::Name(operator.to_string()));
        let made = if is_divergence {
            let adjoint = Expression::new(place, Node::Adjoint(Box::new(map)));
            Node::Minus(Box::new(binary(Operation::Multiply, adjoint, point)))
        } else {
            binary(Operation::Multiply, map, point).node
        };
        Some(Ok(Value::Known(Expression::new(span, made))))
    }

    /// The argument that a function of a library writes its result to.
    pub(super) fn output(&self, function: &Term, arguments: &[Argument]) -> Option<usize> {
        if self.language != Language::Python {
            return None;
        }
        let keyword = arguments.iter().position(|a| a.keyword.as_deref() == Some("out"));
        let names = path(function).filter(|n| n.len() > 1 && is_module(&n[0]))?;
        let two = matches!(
            names.last()?.as_str(),
            "add" | "subtract" | "multiply" | "divide" | "true_divide" | "matmul" | "dot"
        );
        keyword.or_else(|| (two && arguments.len() == 3 && arguments[2].keyword.is_none()).then_some(2))
    }

    /// Overwrites what an argument stands for.
    fn put_out(&mut self, target: &Term, value: Read<Value>, span: Span) -> Read<Value> {
        let Some(Key::Variable(own) | Key::Whole(own)) = self.key(target) else {
            return Err(self.no_value(target.span, "this"));
        };
        match value {
            Ok(Value::Known(e)) => {
                let line = self.line;
                let e = self.define(&own, None, line, e);
                self.overwrite(&own, Value::Known(e.clone()), span);
                Ok(Value::Known(e))
            }
            Ok(_) => Err(self.no_value(span, "this")),
            Err(problem) => {
                let line = self.line;
                self.poison(&own, line, problem.clone());
                Err(problem)
            }
        }
    }

    /// `x(k)` in MATLAB, rather than a call.
    fn is_indexing(&mut self, name: &str, arguments: &[Argument]) -> bool {
        if self.functions.contains_key(name) || named(name).is_some() {
            return false;
        }
        let sliced = arguments.iter().any(|a| matches!(a.value.node, Code::Slice));
        let variable = self.assigned.contains(name) || self.constants.contains_key(name);
        let counted = self.letter.clone().is_some_and(|letter| {
            arguments.iter().any(|a| {
                self.source.slice(a.value.span).split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == letter)
            })
        });
        sliced || variable || counted && arguments.len() == 1 && !is_word(name)
    }

    /// What a comment says that a function returns, with its arguments put in.
    fn put_in(&mut self, parameters: &[String], value: &Expression, arguments: &[Argument], span: Span) -> Read<Value> {
        let mut given = linnaeus_algebra::SortedMap::new();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            given.insert(parameter.clone(), self.expression(&argument.value)?);
        }
        fn put(e: &Expression, given: &linnaeus_algebra::SortedMap<String, Expression>, span: Span) -> Expression {
            match &e.node {
                Node::Name(n) if given.contains_key(n) => given[n].clone(),
                node => Expression::new(span, node.map_children(&|c| put(c, given, span))),
            }
        }
        Ok(Value::Known(put(value, &given, span)))
    }

    /// A function that the text defines.
    fn own(&mut self, function: &Function, arguments: &[Argument], span: Span) -> Read<Value> {
        let before = (self.definitions.len(), self.outcome.diagnostics.len());
        match self.written_out(function, arguments, span) {
            Ok(found) => Ok(found),
            Err(problem) if problem.code.is_limit() => Err(problem),
            Err(problem) => {
                // What cannot be written out is a black box.
                self.definitions.truncate(before.0);
                self.outcome.diagnostics.truncate(before.1);
                self.black_box(&function.name, arguments, span, span).map_err(|_| problem)
            }
        }
    }

    /// A function with its arguments put in.
    pub(super) fn written_out(&mut self, function: &Function, arguments: &[Argument], span: Span) -> Read<Value> {
        if self.scopes.len() > MAX_INLINED {
            let message = format!("functions call one another more than {MAX_INLINED} deep");
            return Err(refuse(Mistake::LimitNesting, span, message, "write the update without them"));
        }
        let mut scope = linnaeus_algebra::SortedMap::new();
        let parameters = function.parameters.iter().filter(|p| *p != "self");
        let mut positional = arguments.iter().filter(|a| a.keyword.is_none());
        for parameter in parameters {
            let by_name = arguments.iter().find(|a| a.keyword.as_ref() == Some(parameter));
            // `**arguments` hands over what the names say.
            let handed = |a: &&Argument| !matches!(&a.value.node, Code::Name(n) if n == "arguments" || n == "kwargs" || n == "args");
            if let Some(argument) = by_name.or_else(|| positional.by_ref().find(handed)) {
                let object = self.object(&argument.value)?;
                scope.insert(parameter.clone(), object);
            }
        }
        self.scopes.push(scope);
        let line = self.line;
        let result = self.function_body(function);
        self.line = line;
        self.scopes.pop();
        result
    }

    fn function_body(&mut self, function: &Function) -> Read<Value> {
        let returned = self.execute(&function.body)?;
        if let Some(value) = returned {
            return Ok(value);
        }
        let mut outputs = Vec::new();
        for name in &function.outputs {
            outputs.push(
                self.lookup(name, function.span)
                    .ok_or_else(|| self.no_value(function.span, "a function without a value"))?,
            );
        }
        match outputs[..] {
            [] => Err(self.no_value(function.span, "a function without a value")),
            [one] => Ok(self.value(one)),
            _ => Ok(Value::Tuple(outputs)),
        }
    }

    /// `f.grad(x)`, `A.dot(x)`, `x.copy()`, `buf.mul_(beta)`.
    fn method(&mut self, base: &Term, method: &str, arguments: &[Argument], span: Span) -> Option<Read<Value>> {
        let names = path(base);
        if names.as_ref().is_some_and(|n| n.len() == 1 && is_module(&n[0]) && n[0] != "F") {
            return None;
        }
        if let Some(found) = self.in_place(base, method, arguments, span) {
            return Some(found);
        }
        if let Some(found) = self.vector_method(base, method, arguments, span) {
            return Some(found);
        }
        let mut oracle = named(method)?;
        // `loss.grad_w(w)`: by which iterate.
        if oracle.function.as_ref().is_some_and(|by| self.is_iterate(by)) {
            oracle.function = None;
        }
        if names.as_ref().is_some_and(|n| n.iter().all(|n| is_owner(n) || is_module(n) && n != "F")) {
            return None;
        }
        if oracle.function.is_some() {
            // `tools.grad_f(x)`: the name says whose it is, and the owner must be the same everywhere.
            let shown = clipped(self.source.slice(base.span));
            let whose = oracle.function.clone().unwrap_or_default();
            let key = format!("owner of {method}");
            let (_, before) = self.given.entry(key).or_insert_with(|| (span, shown.clone())).clone();
            if before != shown {
                let message = format!("`{method}` belongs to `{shown}` here and to `{before}` before");
                return Some(Err(refuse(Mistake::UnexpectedToken, span, message, "two oracles need two names")));
            }
            let declaration = format!("write `{shown}.grad(x)` for an oracle of `{shown}`");
            self.guess(&format!("{shown}.{method}"), format!("an oracle of {whose}"), declaration);
            return None;
        }
        Some(self.owned(oracle, base, method, arguments, span))
    }

    /// `f.prox(x, t)`, `f.conj().prox(x, t)`, `fs[i].grad(x)`; `tools.prox(f, x, t)`, where the owner merely holds it.
    fn owned(&mut self, oracle: Named, base: &Term, method: &str, arguments: &[Argument], span: Span) -> Read<Value> {
        if self.holds(base, oracle.kind, arguments) {
            if path(base).is_none_or(|p| !is_module(&p[0]) && !is_owner(&p[0])) {
                let shown = clipped(self.source.slice(base.span));
                let declaration = format!("write `grad_{shown}(x)` for an oracle of `{shown}`");
                self.guess(&shown, "what holds the oracle".to_string(), declaration);
            }
            return self.oracle(oracle, method, arguments, base.span, span);
        }
        let Some(whose) = self.whose(base) else {
            let shown = clipped(self.source.slice(base.span));
            let message = format!("whose oracle `{shown}.{method}` is cannot be read");
            let help = format!("give the function a name: `{method}_f(x)`");
            return Err(refuse(Mistake::UnknownOracle, base.span, message, help));
        };
        let mut all = arguments.to_vec();
        all.extend(whose.one.map(|value| Argument { keyword: None, value }));
        let (function, conjugate) = (Some(whose.function), oracle.conjugate != whose.conjugate);
        self.oracle(Named { function, conjugate, ..oracle }, method, &all, base.span, span)
    }

    fn curried(&mut self, inner: &Term, given: &[Argument], arguments: &[Argument], span: Span) -> Read<Value> {
        let names = path(inner);
        let name = match (&inner.node, &names) {
            (Code::Attribute(_, name), _) => name.clone(),
            (_, Some(names)) => names.last().cloned().unwrap_or_default(),
            _ => String::new(),
        };
        // `value_and_grad(f)(x)` is a pair.
        if name == "value_and_grad" {
            let both: Vec<Argument> = given.iter().filter(|a| a.keyword.is_none()).chain(arguments).cloned().collect();
            let gradient = named("grad").expect("an oracle");
            let gradient = self.oracle(gradient, "grad", &both, inner.span, span)?;
            let value = Value::Unreadable(self.no_value(span, "a function's value"));
            let parts = vec![self.add(value), self.add(gradient)];
            return Ok(Value::Tuple(parts));
        }
        let Some(oracle) = named(&name) else {
            return Err(self.no_value(span, "a call of what was computed"));
        };
        let with = |first: &[Argument], second: &[Argument]| [first, second].concat();
        if oracle.function.is_some() {
            return self.oracle(oracle, &name, &with(arguments, given), inner.span, span);
        }
        let both = with(given, arguments);
        match &inner.node {
            Code::Attribute(base, _) if !self.holds(base, oracle.kind, &both) => {
                self.owned(oracle, base, &name, &with(arguments, given), span)
            }
            _ => self.oracle(oracle, &name, &both, inner.span, span),
        }
    }

    /// A call of an oracle: which argument is the point, which the step.
    fn oracle(&mut self, oracle: Named, name: &str, arguments: &[Argument], place: Span, span: Span) -> Read<Value> {
        let Named { kind, mut function, mut conjugate, step } = oracle;
        let mut point: Option<Expression> = None;
        let mut step = step.map(|s| Expression::new(place, Node::Name(s)));
        let mut rest: Vec<Expression> = Vec::new();
        let among = if function.is_none() { self.function_among(kind, arguments) } else { None };
        let mut arguments = arguments.to_vec();
        if let Some(at) = among
            && let Some(whose) = self.whose(&arguments[at].value)
        {
            if self.looks(&arguments[at]) == Part::Open {
                let (shown, declaration) = (&whose.function, format!("write `{name}_h(x, …)` for a function h"));
                self.guess(shown, format!("the function whose {name} is asked for"), declaration);
            }
            arguments.remove(at);
            arguments.extend(whose.one.map(|value| Argument { keyword: None, value }));
            (function, conjugate) = (Some(well_known(kind, &whose.function).to_string()), conjugate != whose.conjugate);
        }
        let arguments = &arguments;
        for argument in arguments {
            let stepped =
                argument.keyword.as_deref().is_some_and(|k| !matches!(k, "x" | "v" | "z" | "y" | "u" | "point"));
            let e = match self.expression(&argument.value) {
                Ok(e) if arguments.len() > 1 && self.is_drawn(&e) => match self.sampled(&argument.value) {
                    Some(sample) => {
                        rest.push(sample);
                        continue;
                    }
                    None => e,
                },
                Ok(e) => e,
                Err(problem) => match self.sampled(&argument.value) {
                    Some(sample) if point.is_some() => {
                        rest.push(sample);
                        continue;
                    }
                    _ => return Err(problem),
                },
            };
            if stepped && kind.has_step() {
                step = Some(e);
            } else if point.is_none() && (self.moves(&e) && !self.is_number(&e)) && !self.is_table(&e) {
                point = Some(e);
            } else if point.is_none() && arguments.len() > 1 {
                rest.push(e);
            } else if point.is_none() {
                point = Some(e);
            } else {
                rest.push(e);
            }
        }
        let is_point = |e: &Expression| !matches!(&e.node, Node::Name(n) if n.starts_with('?'));
        if let (None, Some(at)) = (&point, rest.iter().position(is_point)) {
            point = Some(rest.remove(at));
        }
        let Some(argument) = point else {
            let message = format!("`{name}` is called without a point");
            return Err(refuse(Mistake::MissingArgument, span, message, format!("write `{name}(x)`")));
        };
        if kind == OracleKind::Projection
            && function.is_none()
            && let [Expression { node: Node::Name(set), .. }] = &rest[..]
            && !set.starts_with([START, DEFINED, ENTRY])
        {
            function = Some(set.clone());
            rest.clear();
        }
        if kind.has_step() && step.is_none() && !rest.is_empty() {
            step = Some(rest.remove(0));
        }
        let sample = self.sample(&mut rest);
        let function = function.unwrap_or_else(|| self.customary(kind, name));
        if let Some(other) = rest.iter().find(|e| self.moves(e) && !self.is_number(e)) {
            let message = format!("`{name}` is asked at two iterates at once");
            let help = "an oracle has one argument; write the gradient by blocks, or one oracle of a pair";
            return Err(refuse(Mistake::UnexpectedToken, other.span, message, help));
        }
        self.given(&format!("{name} of {function}"), name, &rest, span)?;
        let call = Call { name_span: place, kind, function, conjugate, step, argument, sample };
        Ok(Value::Known(Expression::new(span, Node::Call(Box::new(call)))))
    }

    /// Whose oracle it is where the text does not say.
    fn customary(&mut self, kind: OracleKind, name: &str) -> String {
        let smooth = self.source.text().contains("grad") || self.source.text().contains('∇');
        let function = match kind {
            OracleKind::Projection => "C",
            OracleKind::Resolvent => "A",
            OracleKind::Prox | OracleKind::Reflected if smooth => "g",
            _ => "f",
        };
        let what = match kind {
            OracleKind::Gradient => format!("the gradient of {function}"),
            OracleKind::Projection => format!("the projection onto {function}"),
            OracleKind::Resolvent => format!("the resolvent of {function}"),
            OracleKind::Prox => format!("the prox of {function}"),
            _ => format!("an oracle of {function}"),
        };
        let name_of = |whose: &str| match name.find('[') {
            Some(at) => format!("{}_{whose}(x)", name[..at].trim_end_matches('s')),
            None => format!("{name}_{whose}(x)"),
        };
        let other = if kind == OracleKind::Projection {
            format!("write `{}` for a set D", name_of("D"))
        } else {
            format!("write `{}` for a function h", name_of("h"))
        };
        self.guess(name, what, other);
        function.to_string()
    }

    /// What an oracle is given besides the point must be the same in all calls: it belongs to the oracle.
    fn given(&mut self, key: &str, name: &str, rest: &[Expression], span: Span) -> Read<()> {
        let text = rest.iter().map(print::expression).collect::<Vec<_>>().join(", ");
        let (_, before) = self.given.entry(key.to_string()).or_insert((span, text.clone()));
        if *before != text {
            let message = format!("`{name}` is called with `{text}` here and with `{before}` before");
            let help = "two oracles need two names";
            return Err(refuse(Mistake::UnexpectedToken, span, message, help));
        }
        if !rest.is_empty() {
            self.guess(
                &format!("{name}(…, {text})"),
                format!("an oracle that `{text}` belongs to"),
                format!("write `{name}(x)` and nothing else"),
            );
        }
        Ok(())
    }

    /// A name that holds nothing readable may be a sample.
    fn sampled(&self, term: &Term) -> Option<Expression> {
        let Code::Name(name) = &term.node else { return None };
        self.assigned.contains(name).then(|| Expression::new(term.span, Node::Name(format!("?{name}"))))
    }

    /// `data[k]` where nothing assigns `data`: what the iteration is given.
    fn is_table(&self, e: &Expression) -> bool {
        let Node::Name(name) = &e.node else { return false };
        let table = name.strip_prefix(ENTRY).and_then(|n| n.split_once(']')).map(|(_, name)| name);
        table.is_some_and(|t| !self.assigned.contains(t))
    }

    /// Whether a name holds what was drawn at random, or what something unknown made.
    pub(super) fn is_drawn(&self, e: &Expression) -> bool {
        let Node::Name(name) = &e.node else { return false };
        let definition = name.strip_prefix(DEFINED).and_then(|n| n.parse::<usize>().ok());
        let problem = definition.and_then(|n| self.definitions.get(n)).and_then(|d| d.value.as_ref().err());
        problem.is_some_and(|p| p.code == Mistake::UnknownOracle)
    }

    fn sample(&mut self, rest: &mut Vec<Expression>) -> Option<Sample> {
        let letter = self.letter.clone().unwrap_or_else(|| "k".to_string());
        let at = rest.iter().position(|e| match &e.node {
            Node::Name(n) => n.starts_with('?') || *n == letter || self.is_table(e),
            Node::Binary(_, a, _) => matches!(&a.node, Node::Name(n) if *n == letter),
            _ => false,
        })?;
        let e = rest.remove(at);
        let (name, halves) = match &e.node {
            Node::Name(n) if n.starts_with('?') => (n[1..].to_string(), 0),
            Node::Name(n) if n.starts_with(ENTRY) => {
                let (offset, name) = n[1..].split_once(']').unwrap_or(("0", n));
                (name.to_string(), 2 * offset.parse::<i64>().unwrap_or(0))
            }
            Node::Binary(operation, _, b) => match (&b.node, operation) {
                (Node::Number(n), crate::syntax::ast::Operation::Add) => {
                    (String::new(), 2 * i64::try_from(n.numerator().clone()).unwrap_or(0).clamp(-50, 50))
                }
                (Node::Number(n), _) => {
                    (String::new(), -2 * i64::try_from(n.numerator().clone()).unwrap_or(0).clamp(-50, 50))
                }
                _ => (String::new(), 0),
            },
            _ => (String::new(), 0),
        };
        Some(Sample { name, index: Some(Index { letter, halves, span: e.span }), span: e.span })
    }

    /// Whether a name is assigned by the iteration, or stands for something of it.
    fn is_iterate(&self, name: &str) -> bool {
        self.assigned.contains(name) || self.scopes.iter().any(|s| s.contains_key(name))
    }

    /// A function that nothing explains: an oracle, if it is asked at an iterate.
    fn black_box(&mut self, name: &str, arguments: &[Argument], place: Span, span: Span) -> Read<Value> {
        let mut point = None;
        let mut rest = Vec::new();
        for argument in arguments {
            let e = self.expression(&argument.value)?;
            if arguments.len() > 1
                && self.is_drawn(&e)
                && let Some(sample) = self.sampled(&argument.value)
            {
                rest.push(sample);
                continue;
            }
            let moves = self.moves(&e) && !self.is_number(&e);
            match (moves, &point) {
                (true, None) => point = Some(e),
                (true, Some(_)) => {
                    let message = format!("`{}` is asked at two iterates at once", clipped(name));
                    let help = "an oracle has one argument; define the function in the text if it is linear";
                    return Err(refuse(Mistake::UnexpectedToken, e.span, message, help));
                }
                _ => rest.push(e),
            }
        }
        let shown = clipped(name);
        let Some(argument) = point else {
            // `alpha(k)`: a number that changes with the index.
            let letter = self.letter.clone().unwrap_or_default();
            if let [Expression { node: Node::Name(k), .. }] = &rest[..]
                && *k == letter
            {
                return Ok(Value::Known(Expression::new(span, Node::Name(format!("{ENTRY}0]{name}")))));
            }
            let message = format!("`{shown}` is not known");
            let help =
                "leave the line out if it has nothing to do with the iteration, or define the function in the text";
            return Err(refuse(Mistake::UnknownOracle, place, message, help));
        };
        let near =
            crate::diagnostic::nearest(name.split('_').next().unwrap_or(""), ["grad", "prox", "proj", "subgrad"]);
        if let Some(near) = near.filter(|n| name.contains('_') && *n != name) {
            let message = format!("there is no oracle `{shown}`");
            let help = format!("did you mean `{}`?", name.replacen(name.split('_').next().unwrap_or(""), near, 1));
            return Err(refuse(Mistake::UnknownOracle, place, message, help));
        }
        let mut rest = rest;
        let sample = self.sample(&mut rest);
        self.given(name, name, &rest, span)?;
        self.boxes.entry(name.to_string()).or_insert(place);
        let (kind, function) = (OracleKind::BlackBox, name.to_string());
        let call = Call { name_span: place, kind, function, conjugate: false, step: None, argument, sample };
        Ok(Value::Known(Expression::new(span, Node::Call(Box::new(call)))))
    }

    /// The name that a method changes.
    pub(super) fn target(&mut self, term: &Term) -> Read<Option<String>> {
        if let Code::Call(function, _) = &term.node
            && let Code::Attribute(base, method) = &function.node
            && method.ends_with('_')
        {
            self.evaluate(term)?;
            return self.target(base);
        }
        Ok(match self.key(term) {
            Some(Key::Variable(name) | Key::Whole(name)) => Some(name),
            _ => None,
        })
    }
}

/// Whether a function asks oracles itself, and so is none.
pub fn calls_oracles(items: &[Item]) -> bool {
    fn asks(term: &Term) -> bool {
        match &term.node {
            Code::Call(f, arguments) => {
                let own = path(f).and_then(|p| p.last().cloned()).is_some_and(|n| named(&n).is_some());
                own || asks(f) || arguments.iter().any(|a| asks(&a.value))
            }
            Code::Binary(_, a, b) => asks(a) || asks(b),
            Code::Minus(a) | Code::Transpose(a) | Code::Attribute(a, _) | Code::Subscript(a, _) => asks(a),
            Code::Tuple(parts) => parts.iter().any(asks),
            _ => false,
        }
    }
    items.iter().any(|item| match item {
        Item::Line(_, Action::Assign { value: Ok(v), .. } | Action::Return(Ok(v)) | Action::Expression(Ok(v))) => {
            asks(v)
        }
        _ => false,
    })
}

/// `lambda x: …` as a function of the text.
fn one_line(name: &str, parameters: &[String], value: &Term) -> Function {
    let body = vec![Item::Line(value.span, Action::Return(Ok(value.clone())))];
    let (name, parameters) = (name.to_string(), parameters.to_vec());
    Function { span: value.span, name, parameters, flags: Vec::new(), outputs: Vec::new(), body }
}

/// Whether a function applies another one to every part.
fn maps(function: &Term) -> bool {
    let names = path(function).unwrap_or_default();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(
        &names[..],
        ["map" | "fmap"] | [.., "tree_map" | "tree_multimap" | "map_structure"] | [.., "tree" | "tree_util", "map"]
    )
}

/// Whether a name looks like a function's rather than an array's.
fn is_word(name: &str) -> bool {
    name.chars().count() > 3 && crate::syntax::names::greek_letter(name).is_none() && name.contains('_')
}

//! The statements of a program in their order: what every name stands for after each.

use super::Language;
use super::effects::{appended, assigned, changes, ends, leaves, lines};
use super::evaluate::{Key, Read, binary, called, refuse};
use super::machine::{DEFINED, Definition, Machine, START, Value};
use super::tree::{Action, Arm, Change, Item, Node as Code, Operator, Runs, Term};
use crate::diagnostic::{Code as Mistake, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Expression, Node, Operation, Role};
use linnaeus_algebra::SortedSet;

impl Machine<'_> {
    /// Runs through statements; a value where one of them returns.
    pub fn execute(&mut self, items: &[Item]) -> Read<Option<Value>> {
        for (at, item) in items.iter().enumerate() {
            if self.left {
                lines(&items[at..]).into_iter().for_each(|span| self.tell(span, Role::Skipped, "never run"));
                break;
            }
            match item {
                Item::Line(span, Action::Continue) if self.scopes.len() == 1 => {
                    self.tell(*span, Role::Loop, "the next iteration");
                    self.left = true;
                }
                Item::Line(span, Action::Return(value)) if self.scopes.len() > 1 => {
                    self.line = *span;
                    self.outcome.copies.push(*span);
                    let value = value.as_ref().map_err(Clone::clone)?;
                    return self.evaluate(value).map(Some);
                }
                Item::Line(span, action) => self.act(*span, action)?,
                Item::Loop(found) if found.runs == Runs::OverParts => {
                    self.tell(found.span, Role::Loop, "a loop over parts");
                    let returned = self.execute(&found.body)?;
                    self.left = false;
                    if let Some(value) = returned {
                        return Ok(Some(value));
                    }
                }
                Item::Loop(found) => {
                    let message = "a loop within the iteration changes what is iterated";
                    let help = "write one pass of it out, or give the inner loop alone";
                    let problem = refuse(Mistake::Branch, found.span, message, help);
                    self.tell(found.span, Role::Skipped, "a loop within");
                    self.shut(&found.body, &problem);
                }
                Item::Branch(arms) => self.branch(arms, &items[..at], &items[at + 1..])?,
                Item::Through(span, body) => {
                    self.tell(*span, Role::Skipped, "a block");
                    if let Some(value) = self.execute(body)? {
                        return Ok(Some(value));
                    }
                }
                Item::Function(_) => {}
                Item::End(span) => self.tell(*span, Role::Loop, "the end of a block"),
            }
        }
        Ok(None)
    }

    /// What depends on a test cannot be told, nor whether the rest of the iteration is run.
    fn branch(&mut self, arms: &[Arm], before: &[Item], rest: &[Item]) -> Read<()> {
        let first = arms.first().map_or(self.line, |a| a.span);
        let names: SortedSet<String> = arms.iter().flat_map(|a| assigned(&a.body)).collect();
        let shown = names.iter().next().cloned().unwrap_or_default();
        for Arm { span: head, body, .. } in arms {
            self.tell(*head, Role::Skipped, "a test");
            let message = format!("`{shown}` depends on a test: what is iterated differs from case to case");
            let help = "give the branch that is run, without the test";
            let problem = refuse(Mistake::Branch, first, message, help);
            // What ends the loop does not go on.
            if ends(body) {
                for span in lines(body) {
                    self.tell(span, Role::Skipped, "a stop");
                }
                continue;
            }
            // `if p.grad is None: continue`: then there is nothing to iterate.
            let absent = assigned(before).is_empty()
                && ["is None", "isnothing", "=== nothing", "isempty"]
                    .iter()
                    .any(|w| self.source.slice(*head).contains(w));
            if let Some(place) = leaves(body).filter(|_| !absent && !assigned(rest).is_empty()) {
                let message = "a test leaves out the rest of the iteration";
                return Err(Box::new(
                    Diagnostic::error(Mistake::Branch, *head, message).label(place, "left here").help(help),
                ));
            }
            self.shut(body, &problem);
        }
        Ok(())
    }

    /// Makes unreadable what a block assigns.
    fn shut(&mut self, body: &[Item], problem: &Diagnostic) {
        for span in lines(body) {
            self.tell(span, Role::Skipped, "what a test decides");
        }
        for name in assigned(body) {
            let own = Box::new(problem.clone());
            self.poison(&name, problem.span, own);
        }
    }

    /// Lets a name stand for nothing readable.
    pub(super) fn poison(&mut self, name: &str, span: Span, problem: Box<Diagnostic>) {
        let place = problem.span;
        self.definitions.push(Definition { span, own: name.to_string(), entry: None, value: Err(problem) });
        let value =
            Value::Known(Expression::new(place, Node::Name(format!("{DEFINED}{}", self.definitions.len() - 1))));
        let object = self.add(value);
        self.bind(name, object);
    }

    fn act(&mut self, span: Span, action: &Action) -> Read<()> {
        self.line = span;
        match action {
            Action::Idle(reason) => self.tell(span, role_of(reason), reason),
            Action::Continue => self.tell(span, Role::Skipped, "the next iteration"),
            Action::Return(value) => {
                self.tell(span, Role::Output, "output");
                self.returned = value.as_ref().ok().and_then(|v| self.evaluate(v).ok());
            }
            Action::Expression(Err(problem)) => return Err(problem.clone()),
            Action::Expression(Ok(term)) => return self.effect(span, term),
            Action::Assign { targets, change, value } => self.assign(span, targets, *change, value)?,
            Action::Take(name, list) => {
                let object = self.object(list)?;
                self.bind(name, object);
            }
        }
        Ok(())
    }

    /// A call that stands alone: what it overwrites, if anything.
    fn effect(&mut self, span: Span, term: &Term) -> Read<()> {
        if matches!(term.node, Code::Text(_)) {
            self.tell(span, Role::Comment, "text");
            return Ok(());
        }
        let Some((name, arguments)) = called(term) else {
            self.tell(span, Role::Skipped, "a value that is not kept");
            return Ok(());
        };
        let is_method = matches!(&term.node, Code::Call(f, _) if matches!(f.node, Code::Attribute(..)));
        if is_method && changes(name) {
            let before = self.definitions.len();
            let result = self.evaluate(term).map(|_| ());
            if self.definitions.len() == before {
                self.outcome.copies.push(span);
            }
            return result;
        }
        if let Code::Call(function, _) = &term.node
            && self.output(function, arguments).is_some()
        {
            return match self.evaluate(term) {
                Err(problem) if problem.code.is_limit() => Err(problem),
                _ => Ok(()),
            };
        }
        if self.language == Language::Python
            && let ("copyto", [to, from]) = (name, arguments)
            && let Some(Key::Variable(own) | Key::Whole(own)) = self.key(&to.value)
        {
            match self.expression(&from.value) {
                Ok(e) => {
                    let e = self.define(&own, None, span, e);
                    self.overwrite(&own, Value::Known(e), span);
                }
                Err(problem) => self.poison(&own, span, problem),
            }
            return Ok(());
        }
        if name == "backward" || name.contains("compute_grad") {
            self.take_snapshot();
        }
        if let Some((list, entry)) = appended(term) {
            let value = self.expression(entry);
            let Some(Key::Variable(own)) = self.key(list) else {
                self.tell(span, Role::Skipped, "a history");
                return Ok(());
            };
            let at = self.appended.get(&own).copied().unwrap_or(0) + 1;
            match value {
                Ok(e) => {
                    let e = self.define(&own, Some(at), span, e);
                    let object = self.add(Value::Known(e));
                    self.scopes[0].insert(format!("{own}[{at}]"), object);
                }
                Err(problem) => self.refuse_key(&Key::Entry(own.clone(), at), span, problem),
            }
            self.appended.insert(own, at);
            return Ok(());
        }
        if self.language == Language::Julia
            && let Some((target, value)) = self.overwriting(name, arguments, term.span)
        {
            let Some(Key::Variable(own) | Key::Whole(own)) = self.key(&target) else {
                return Err(self.no_value(target.span, "this"));
            };
            match value {
                Ok(e) => {
                    let e = self.define(&own, None, span, e);
                    self.overwrite(&own, Value::Known(e), span);
                }
                Err(problem) => self.poison(&own, span, problem),
            }
            return Ok(());
        }
        let own = self.functions.get(name).cloned().filter(|_| !is_method);
        if let Some(own) = own {
            // A function of the text may overwrite what it is given.
            return match self.written_out(&own, arguments, term.span) {
                Err(problem) if problem.code.is_limit() => Err(problem),
                _ => Ok(()),
            };
        }
        let iterate = arguments.iter().find(|a| matches!(&a.value.node, Code::Name(n) if self.assigned.contains(n)));
        if let Some(argument) = iterate.filter(|_| !is_message(name)) {
            let message = format!("`{name}` was taken to change nothing");
            let shown = self.source.slice(argument.value.span);
            let help = format!("write what it does to `{shown}` as an assignment");
            self.outcome.diagnostics.push(Diagnostic::warning(Mistake::Reading, term.span, message).help(help));
        }
        self.tell(span, Role::Skipped, "a call that changes no iterate");
        Ok(())
    }

    fn take_snapshot(&mut self) {
        let names: Vec<(String, usize)> = self.scopes[0].iter().map(|(n, o)| (n.clone(), *o)).collect();
        for (name, object) in names {
            if let Value::Known(e) = self.value(object) {
                self.snapshot.insert(name, e);
            }
        }
    }

    fn assign(&mut self, span: Span, targets: &[Term], change: Change, value: &Read<Term>) -> Read<()> {
        let term = match value {
            Ok(term) => term,
            Err(problem) if problem.code.is_limit() => return Err(problem.clone()),
            Err(problem) => return self.refuse_all(targets, span, problem.clone()),
        };
        if targets.len() > 1 {
            return self.assign_all(span, targets, term);
        }
        let target = &targets[0];
        if let Code::Tuple(parts) = &target.node {
            return self.assign_all(span, parts, term);
        }
        // Counting by hand.
        if let (Code::Name(name), Some(letter)) = (&target.node, &self.letter)
            && name == letter
        {
            self.clock += 1;
            self.tell(span, Role::Loop, "it counts");
            return Ok(());
        }
        let Some(key) = self.key(target) else {
            let indices: Vec<Term> = match &target.node {
                Code::Subscript(_, indices) => indices.clone(),
                Code::Call(_, arguments) => arguments.iter().map(|a| a.value.clone()).collect(),
                _ => Vec::new(),
            };
            return self.part(target, self.no_part(target.span, &indices));
        };
        let before = self.definitions.len();
        let result = self.assign_one(span, &key, target, change, term);
        if let Err(problem) = result {
            if problem.code.is_limit() {
                return Err(problem);
            }
            self.refuse_key(&key, span, problem);
        }
        if self.definitions.len() == before {
            self.outcome.copies.push(span);
        }
        Ok(())
    }

    fn assign_one(&mut self, span: Span, key: &Key, target: &Term, change: Change, term: &Term) -> Read<()> {
        let operator = match change {
            Change::Update(operator) | Change::OverwriteBy(operator) => Some(operator),
            _ => None,
        };
        let in_place = match change {
            Change::Bind => matches!(key, Key::Whole(_)),
            Change::Overwrite | Change::OverwriteBy(_) => true,
            Change::Update(_) => self.language == Language::Python || matches!(key, Key::Whole(_)),
        };
        if let (None, false, Key::Variable(name)) = (operator, in_place, key) {
            return self.bind_to(name, span, term);
        }
        if operator == Some(Operator::Apply) {
            return Err(self.no_value(span, "a product from the right"));
        }
        let added = self.expression(term)?;
        let value = match operator {
            None => added,
            Some(operator) => {
                let old = self.expression(target)?;
                Expression { span: target.span.to(term.span), ..apply(operator, old, added) }
            }
        };
        match key {
            Key::Entry(name, offset) => {
                let e = self.define(name, Some(*offset), span, value);
                let object = self.add(Value::Known(e));
                self.scopes[0].insert(format!("{name}[{offset}]"), object);
                if self.source.slice(target.span).contains("end") {
                    self.appended.insert(name.clone(), *offset);
                }
            }
            Key::Variable(name) | Key::Whole(name) => {
                // Numbers cannot be overwritten.
                let number = self.is_number(&value);
                let e = self.define(name, None, span, value);
                if in_place && !number {
                    self.overwrite(name, Value::Known(e), span);
                } else {
                    let object = self.add(Value::Known(e));
                    self.bind(name, object);
                }
            }
        }
        Ok(())
    }

    /// `x = …`.
    fn bind_to(&mut self, name: &str, span: Span, term: &Term) -> Read<()> {
        self.binds = Some(name.to_string());
        let object = self.object(term);
        self.binds = None;
        let mut object = object?;
        match self.value(object) {
            Value::Known(e) => {
                let shared = matches!(&e.node, Node::Name(n) if n.starts_with([START, DEFINED])) && !self.is_number(&e);
                let e = self.define(name, None, span, e);
                if !shared
                    || !matches!(term.node, Code::Name(_) | Code::Attribute(..) | Code::Subscript(..) | Code::Call(..))
                {
                    object = self.add(Value::Known(e));
                }
            }
            Value::Unreadable(problem) => return Err(problem),
            _ => {}
        }
        self.bind(name, object);
        Ok(())
    }

    /// `x, y = y, x + d`: all values first.
    fn assign_all(&mut self, span: Span, targets: &[Term], term: &Term) -> Read<()> {
        let mut keys = Vec::new();
        for target in targets {
            keys.push(self.key(target));
        }
        let values = match &term.node {
            Code::Tuple(parts) if parts.len() == targets.len() => {
                parts.iter().map(|p| self.object(p)).collect::<Vec<_>>()
            }
            _ => match self.evaluate(term) {
                Ok(value) => self.taken_apart(value, targets, term),
                Err(problem) => return self.refuse_all(targets, span, problem),
            },
        };
        for ((target, key), object) in targets.iter().zip(keys).zip(values) {
            let Some(key) = key else { continue };
            let object = match object {
                Ok(object) => object,
                Err(problem) => {
                    self.refuse_key(&key, span, problem);
                    continue;
                }
            };
            let (Key::Variable(name) | Key::Whole(name) | Key::Entry(name, _)) = &key;
            let entry = if let Key::Entry(_, offset) = key { Some(offset) } else { None };
            let object = match self.value(object) {
                Value::Known(e) => {
                    let is_new = !matches!(&e.node, Node::Name(n) if n.starts_with([START, DEFINED]));
                    let e = self.define(name, entry, span, e);
                    if is_new || entry.is_some() { self.add(Value::Known(e)) } else { object }
                }
                _ => object,
            };
            match &key {
                Key::Variable(name) => self.bind(name, object),
                Key::Whole(name) => {
                    let value = self.value(object);
                    self.overwrite(name, value, target.span);
                }
                Key::Entry(name, offset) => {
                    self.scopes[0].insert(format!("{name}[{offset}]"), object);
                }
            }
        }
        self.outcome.copies.push(span);
        Ok(())
    }

    /// The parts of one value.
    fn taken_apart(&mut self, value: Value, targets: &[Term], term: &Term) -> Vec<Read<usize>> {
        let count = targets.len();
        match value {
            Value::Tuple(objects) if objects.len() == count => objects.into_iter().map(Ok).collect(),
            Value::Known(Expression { node: Node::Name(name), .. }) if name.starts_with(START) => {
                let whole = name[START.len_utf8()..].to_string();
                let names: Vec<String> = targets.iter().map(|t| self.source.slice(t.span).to_string()).collect();
                let parts = self.parts.entry(whole.clone()).or_insert(names).clone();
                if parts.len() != count {
                    let found = self.no_value(term.span, "a list of another length");
                    return vec![Err(found); count];
                }
                let part = |i: usize| Expression::new(targets[i].span, Node::Name(format!("{START}{whole}.{i}")));
                (0..count).map(|i| Ok(self.add(Value::Known(part(i))))).collect()
            }
            // `y, fy = prox(g, x, t)`: the point, then the value there.
            Value::Known(e) if matches!(e.node, Node::Call(_)) => {
                let other = self.no_value(term.span, "the value of a function");
                let first = self.add(Value::Known(e));
                std::iter::once(Ok(first)).chain(vec![Err(other); count - 1]).collect()
            }
            _ => vec![Err(self.no_value(term.span, "a list that is not written out")); count],
        }
    }

    fn refuse_all(&mut self, targets: &[Term], span: Span, problem: Box<Diagnostic>) -> Read<()> {
        for target in targets {
            match self.key(target) {
                Some(key) => self.refuse_key(&key, span, problem.clone()),
                None => return self.part(target, problem),
            }
        }
        Ok(())
    }

    fn refuse_key(&mut self, key: &Key, span: Span, problem: Box<Diagnostic>) {
        match key {
            Key::Variable(name) | Key::Whole(name) => self.poison(name, span, problem),
            Key::Entry(name, offset) => {
                self.definitions.push(Definition {
                    span,
                    own: name.clone(),
                    entry: Some(*offset),
                    value: Err(problem),
                });
            }
        }
    }

    /// `x[i] = …`: the whole of `x` cannot be told from here on; a history is kept for people.
    fn part(&mut self, target: &Term, problem: Box<Diagnostic>) -> Read<()> {
        let base = match &target.node {
            Code::Subscript(base, _) | Code::Call(base, _) | Code::Attribute(base, _) => base,
            _ => return Err(problem),
        };
        match self.key(base) {
            Some(Key::Variable(name) | Key::Whole(name)) => {
                let line = self.line;
                self.poison(&name, line, problem);
                Ok(())
            }
            _ => Err(problem),
        }
    }
}

/// Calls that people watch the iteration by.
fn is_message(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "print",
        "log",
        "info",
        "debug",
        "warn",
        "plot",
        "disp",
        "show",
        "append",
        "push",
        "extend",
        "write",
        "save",
        "record",
        "callback",
        "scatter",
        "draw",
        "title",
        "label",
        "legend",
        "display",
        "store",
        "track",
        "history",
        "backward",
        "zero_grad",
        "set_description",
        "update_progress",
        "check",
        "assert",
        "sleep",
        "pause",
        "line",
    ];
    let small = name.to_lowercase();
    WORDS.iter().any(|w| small.contains(w))
}

fn role_of(reason: &str) -> Role {
    if reason == "output" { Role::Output } else { Role::Skipped }
}

fn apply(operator: Operator, a: Expression, b: Expression) -> Expression {
    match operator {
        Operator::Add => binary(Operation::Add, a, b),
        Operator::Subtract => binary(Operation::Subtract, a, b),
        Operator::Divide => binary(Operation::Divide, a, b),
        // The factor stands first.
        _ => binary(Operation::Multiply, b, a),
    }
}

//! One iteration of a program, from its shape to its equations.

use super::choice::{Choice, Facts};
use super::emit::emit;
use super::iteration::{self, Shape};
use super::machine::{self, Machine, Value};
use super::names::{self, Names};
use super::tree::{self, Action, Item, Node, Term};
use super::{Language, Outcome, effects, evaluate};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};
use crate::syntax::ast::{self, Algorithm, Declaration, DeclarationNode, Declared, Guess, Line, OperatorTraits, Role};
use linnaeus_algebra::{SortedMap, SortedSet};

/// Rounds after which names must stand for the same objects as before.
const ROUNDS: usize = 6;

/// The text and what is known of it.
pub struct Fragment<'a> {
    pub source: &'a Source,
    pub language: Language,
    pub items: &'a [Item],
    pub explained: &'a SortedMap<String, (Vec<String>, ast::Expression)>,
    pub facts: &'a Facts,
    pub choices: &'a [Choice],
    /// Names that are one array, and meant to be.
    pub pairs: &'a [(String, String)],
}

/// What stands before the iteration.
#[derive(Default)]
struct Before {
    constants: SortedMap<String, Result<ast::Expression, Box<Diagnostic>>>,
    lines: SortedMap<String, Span>,
    /// Names that begin as one object.
    groups: Vec<SortedSet<String>>,
    guesses: Vec<Guess>,
}

impl<'a> Fragment<'a> {
    pub fn read(
        &self,
        mut shape: Shape<'a>,
        algorithm: &mut Algorithm,
        diagnostics: &mut Vec<Diagnostic>,
        aside: &mut Vec<(Span, Role, &'static str)>,
    ) {
        let functions = iteration::functions(self.items);
        let mut assigned = effects::assigned(shape.body);
        for name in effects::repeated(shape.body) {
            assigned.remove(&name);
        }
        // What is overwritten under another name is assigned too.
        let changed = effects::overwritten(shape.body, self.language);
        for (own, other) in effects::aliases(shape.body) {
            if changed.contains_key(&own) && self.language != Language::Matlab {
                assigned.insert(other);
            }
        }
        for (own, other) in shape.before.iter().flat_map(|i| effects::aliases(std::slice::from_ref(*i))) {
            let both = changed.contains_key(&own) || changed.contains_key(&other);
            if both && self.language != Language::Matlab {
                assigned.extend([own, other]);
            }
        }
        let early = effects::assigned_in_order(&shape.before);
        let letter = iteration::counter(&shape, &early);
        if let Some(letter) = &letter {
            assigned.remove(letter);
        }
        let renewed = if shape.around.is_none() { self.renewed(&shape, &mut assigned) } else { Vec::new() };
        let samples: Vec<String> = match shape.around {
            Some(l) => l.variables.iter().filter(|v| Some(*v) != letter.as_ref() && *v != "_").cloned().collect(),
            None => Vec::new(),
        };
        assigned.extend(samples.iter().cloned());
        let before = self.before(&shape, &functions, &assigned);
        if assigned.is_empty() {
            diagnostics.push(*iteration::nothing_to_read());
            return;
        }
        aside.append(&mut shape.aside);
        let mut groups = before.groups.clone();
        let mut seen: Vec<Vec<SortedSet<String>>> = Vec::new();
        let mut machine = loop {
            let mut machine = self.machine(&functions, &assigned, &before, letter.clone());
            start(&mut machine, &groups, &samples, &changed);
            if let Err(problem) = machine.execute(shape.body) {
                diagnostics.push(*problem);
                diagnostics.append(&mut machine.outcome.diagnostics);
                aside.append(&mut machine.outcome.aside);
                return;
            }
            let after = shared(&machine);
            seen.push(groups.clone());
            // What stands for a part is taken anew in every iteration.
            if after == groups || shape.around.is_none_or(|l| l.runs == tree::Runs::OverParts) {
                break machine;
            }
            if seen.len() > ROUNDS {
                let message = "which names stand for one array changes from iteration to iteration";
                let help = "copy what is to be kept, as in `y = x.copy()`";
                diagnostics.push(*evaluate::refuse(
                    Code::Branch,
                    shape.around.map_or(Span::default(), |l| l.span),
                    message,
                    help,
                ));
                break machine;
            }
            groups = after;
        };
        self.renew(&mut machine, &renewed, &shape);
        self.finish(machine, letter, algorithm, diagnostics, aside, &before, &shape);
    }

    fn machine<'m>(
        &self,
        functions: &'m SortedMap<String, tree::Function>,
        assigned: &SortedSet<String>,
        before: &Before,
        letter: Option<String>,
    ) -> Machine<'m>
    where
        'a: 'm,
    {
        let constant_lines = before.lines.clone();
        Machine {
            language: self.language,
            source: self.source,
            functions,
            assigned: assigned.clone(),
            constants: before.constants.clone(),
            letter,
            clock: 0,
            objects: Vec::new(),
            scopes: vec![SortedMap::new()],
            definitions: Vec::new(),
            started: Vec::new(),
            parts: SortedMap::new(),
            overwritten: SortedMap::new(),
            appended: SortedMap::new(),
            snapshot: SortedMap::new(),
            boxes: SortedMap::new(),
            given: SortedMap::new(),
            explained: self.explained,
            facts: self.facts,
            pairs: self.pairs,
            matrices: SortedMap::new(),
            outcome: Outcome { constant_lines, guesses: before.guesses.clone(), ..Outcome::default() },
            work: 0,
            line: Span::default(),
            binds: None,
            returned: None,
            left: false,
        }
    }

    /// Reads what stands before the loop: constants, and which names begin as one object.
    fn before(
        &self,
        shape: &Shape,
        functions: &SortedMap<String, tree::Function>,
        assigned: &SortedSet<String>,
    ) -> Before {
        let mut found = Before::default();
        let mut machine = self.machine(functions, &SortedSet::new(), &found, None);
        let mut roots: SortedMap<String, String> = SortedMap::new();
        let mut count: SortedMap<String, usize> = SortedMap::new();
        for (span, targets, value) in effects::assignments(&shape.before) {
            for (i, target) in targets.iter().enumerate() {
                let Some(evaluate::Key::Variable(name)) = machine.key(target) else { continue };
                let own = match (&value.node, targets.len()) {
                    (Node::Tuple(parts), n) if n > 1 && parts.len() == n => &parts[i],
                    _ => value,
                };
                let times = count.entry(name.clone()).or_default();
                *times += 1;
                let mut read = machine.expression(own);
                let fills = matches!(&own.node, Node::Call(..))
                    && matches!(&read, Ok(e) if matches!(e.node, ast::Node::Number(_)));
                let mentions = |e: &ast::Expression| {
                    let mut found = machine.moves(e);
                    e.walk(&mut |e| {
                        found |= matches!(&e.node, ast::Node::Name(n) if *n == name || assigned.contains(n));
                    });
                    found
                };
                if *times > 1
                    || fills
                    || read.as_ref().is_ok_and(mentions)
                    || targets.len() > 1 && !matches!(value.node, Node::Tuple(_))
                {
                    read = Err(machine.no_value(span, "this"));
                }
                let root = match &own.node {
                    Node::Name(other) if self.language != Language::Matlab => {
                        roots.entry(other.clone()).or_insert_with(|| other.clone()).clone()
                    }
                    _ => format!("{name} {times}"),
                };
                let number = read.as_ref().is_ok_and(|e| matches!(e.node, ast::Node::Number(_)));
                roots.insert(name.clone(), if number { format!("{name} {times}") } else { root });
                found.lines.insert(name.clone(), span);
                found.constants.insert(name.clone(), read);
            }
        }
        let mut groups: SortedMap<String, SortedSet<String>> = SortedMap::new();
        for (name, root) in roots.into_iter().filter(|(n, _)| assigned.contains(n)) {
            groups.entry(root).or_default().insert(name);
        }
        found.groups = groups.into_values().filter(|g| g.len() > 1).collect();
        found.guesses = machine.outcome.guesses;
        found
    }

    /// Names whose next value has a name of its own, `x_new` for `x`, where no loop hands it over.
    fn renewed(&self, shape: &Shape, assigned: &mut SortedSet<String>) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for name in assigned.clone() {
            const ENDS: &[&str] = &["_new", "_next", "_plus", "new", "next", "New", "Next", "_k1", "⁺", "_np1"];
            let Some(stem) = ENDS.iter().find_map(|e| name.strip_suffix(e)).filter(|s| !s.is_empty()) else { continue };
            let word = |w: &str| self.source.text().split(|c: char| !c.is_alphanumeric() && c != '_').any(|t| t == w);
            let own = [stem.to_string(), format!("{stem}_k"), format!("{stem}_old"), format!("{stem}_n")];
            if let Some(old) = own.into_iter().find(|o| word(o) && !assigned.contains(o)) {
                pairs.push((old, name));
            }
        }
        assigned.extend(pairs.iter().map(|(old, _)| old.clone()));
        if let Some(function) = shape.function {
            pairs
                .extend(returned(function, shape, &pairs).into_iter().map(|(parameter, _)| (parameter, String::new())));
            assigned.extend(pairs.iter().map(|(old, _)| old.clone()));
            let parameters = function.parameters.iter().filter(|p| effects::takes_apart(shape.body, p));
            assigned.extend(parameters.cloned().collect::<Vec<_>>());
        }
        pairs
    }

    /// Hands new values over where the text does not.
    fn renew(&self, machine: &mut Machine, renewed: &[(String, String)], shape: &Shape) {
        for (old, new) in renewed {
            if let Some(&object) = machine.scopes[0].get(new) {
                machine.scopes[0].insert(old.clone(), object);
                let what = format!("the next value of `{old}`");
                machine.guess(new, what, format!("write a loop in which `{old}` gets another value"));
            }
        }
        let Some(function) = shape.function else { return };
        let Some(returned) = machine.returned.clone() else { return };
        let values = match &returned {
            Value::Tuple(objects) => objects.clone(),
            _ => vec![machine.add(returned.clone())],
        };
        for (parameter, place) in self::returned(function, shape, renewed) {
            let Some(Value::Known(e)) = values.get(place).map(|o| machine.value(*o)) else { continue };
            let line = machine.line;
            let e = machine.define(&parameter, None, line, e);
            let object = machine.add(Value::Known(e));
            machine.scopes[0].insert(parameter.clone(), object);
            let what = format!("returned as the next value of `{parameter}`");
            machine.guess(&function.name, what, "write a loop that hands its values on".to_string());
        }
        let whole = function.parameters.iter().find(|p| machine.parts.contains_key(*p)).cloned();
        if let Some(whole) = whole {
            // `return (x, v), y` hands the state on and something else out.
            let count = machine.parts[&whole].len();
            let carried = match &returned {
                Value::Tuple(objects) if objects.len() == 2 => match machine.value(objects[0]) {
                    Value::Tuple(inner) if inner.len() == count => Some(objects[0]),
                    _ => None,
                },
                _ => None,
            };
            let object = carried.unwrap_or_else(|| machine.add(returned));
            machine.scopes[0].insert(whole, object);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn finish(
        &self,
        mut machine: Machine,
        letter: Option<String>,
        algorithm: &mut Algorithm,
        diagnostics: &mut Vec<Diagnostic>,
        aside: &mut Vec<(Span, Role, &'static str)>,
        before: &Before,
        shape: &Shape,
    ) {
        let shown = letter.as_deref().map_or_else(|| self.free_letter(), names::clean);
        let mut names = Names::new(&shown);
        let emitted = emit(&machine, &mut names, &shown);
        diagnostics.extend(emitted.problems);
        diagnostics.append(&mut machine.outcome.diagnostics);
        let used = machine.definitions.iter().filter(|d| emitted.used.contains(&d.span));
        let live: SortedSet<String> = used.map(|d| d.own.clone()).collect();
        for g in self.choices.iter().filter(|c| !c.names.is_disjoint(&live)).flat_map(|c| &c.guesses) {
            machine.guess(&g.name, g.taken_as.clone(), g.declaration.clone());
        }
        algorithm.guesses.append(&mut machine.outcome.guesses);
        algorithm.statements = emitted.statements;
        let whole = Span::new(0, 0);
        let told: SortedSet<String> =
            algorithm.declarations.iter().flat_map(|d| d.node.names()).map(|n| n.name.clone()).collect();
        let mut declare = |names: Vec<Declared>, node: fn(Vec<Declared>) -> DeclarationNode| {
            let names: Vec<Declared> = names.into_iter().filter(|d| !told.contains(&d.name)).collect();
            if !names.is_empty() {
                algorithm.declarations.push(Declaration { span: whole, node: node(names) });
            }
        };
        let used = |name: &str| names.known(name);
        let matrices = machine.matrices.iter().filter(|(n, _)| n.starts_with(|c: char| !c.is_uppercase()));
        let matrices: Vec<Declared> =
            matrices.filter_map(|(n, span)| used(n).map(|name| Declared { name, span: *span })).collect();
        declare(matrices, |names| DeclarationNode::Operator(names, None, OperatorTraits::default()));
        let called = called_boxes(&algorithm.statements);
        let boxes = machine.boxes.iter().map(|(n, span)| Declared { name: names::clean(n), span: *span });
        let boxes: Vec<Declared> = boxes.filter(|d| called.contains(&d.name)).collect();
        for b in &boxes {
            let declaration = format!("write a definition of `{}`", b.name);
            if !told.contains(&b.name) {
                algorithm.guesses.push(Guess { name: b.name.clone(), taken_as: "an oracle".to_string(), declaration });
            }
        }
        declare(boxes, |names| DeclarationNode::Oracle(names, None));
        for (name, span) in &machine.outcome.stars {
            if self.language == Language::Python && machine.matrices.contains_key(name) {
                let message =
                    format!("`{name} *` multiplies entry by entry in NumPy; it was read as the product with a matrix");
                let found = Diagnostic::warning(Code::Reading, *span, message);
                diagnostics.push(found.help(format!("write `{name} @ …`")));
            }
        }
        self.roles(&machine, &emitted.used, algorithm, aside, before, shape);
    }

    /// What every statement turned out to be for.
    fn roles(
        &self,
        machine: &Machine,
        used: &SortedSet<Span>,
        algorithm: &mut Algorithm,
        aside: &mut Vec<(Span, Role, &'static str)>,
        before: &Before,
        shape: &Shape,
    ) {
        let constant: SortedSet<Span> = before.lines.values().copied().collect();
        for span in used {
            let role = if constant.contains(span) { Role::Definition } else { Role::Update };
            algorithm.lines.push(Line { span: *span, role });
        }
        let defined: SortedSet<Span> = machine.definitions.iter().map(|d| d.span).collect();
        for span in &machine.outcome.copies {
            if !used.contains(span) && !defined.contains(span) && algorithm.lines.iter().all(|l| l.span != *span) {
                algorithm.lines.push(Line { span: *span, role: Role::Update });
            }
        }
        aside.extend(machine.outcome.aside.iter().copied());
        for item in &shape.before {
            for span in effects::lines(std::slice::from_ref(*item)) {
                let reason = match item {
                    Item::Line(_, Action::Assign { .. }) => "initial value",
                    Item::Line(..) | Item::Loop(_) | Item::Branch(_) => "before the loop",
                    _ => continue,
                };
                aside.push((span, Role::Initialization, reason));
            }
        }
        algorithm.lines.sort_by_key(|l| (l.span.start, l.span.end));
    }

    /// A letter that the text does not use.
    fn free_letter(&self) -> String {
        let word = |w: &str| self.source.text().split(|c: char| !c.is_alphanumeric() && c != '_').any(|t| t == w);
        let letters = ["k", "n", "t", "j", "i", "kk"];
        letters.iter().find(|l| !word(l)).unwrap_or(&"iteration").to_string()
    }
}

/// Arguments of a function that is one iteration whose next values it returns without a name that says so, with the
/// place among what is returned.
fn returned(function: &tree::Function, shape: &Shape, renewed: &[(String, String)]) -> Vec<(String, usize)> {
    let counts = |p: &String| shape.counts.as_ref() == Some(p);
    let is_state = |p: &&String| !evaluate::is_owner(p) && super::oracle::named(p).is_none() && !counts(p);
    let parameters: Vec<&String> = function.parameters.iter().filter(is_state).collect();
    let taken = |p: &str| effects::takes_apart(&function.body, p);
    let value = function.body.iter().rev().find_map(|item| match item {
        Item::Line(_, Action::Return(Ok(value))) => Some(value),
        _ => None,
    });
    let Some(value) = value.filter(|_| parameters.iter().all(|p| !taken(p))) else { return Vec::new() };
    let parts = match &value.node {
        Node::Tuple(parts) => parts.as_slice(),
        _ => std::slice::from_ref(value),
    };
    let named = |t: &Term| match &t.node {
        Node::Name(n) => parameters.contains(&n) || evaluate::is_owner(n) || renewed.iter().any(|(_, new)| new == n),
        // `self.x` keeps its value by itself.
        Node::Attribute(base, _) => evaluate::path(base).is_some_and(|p| evaluate::is_owner(&p[0])),
        _ => false,
    };
    let open = parts.iter().enumerate().filter(|(_, t)| !named(t));
    open.filter_map(|(i, _)| parameters.get(i).map(|p| ((*p).clone(), i))).collect()
}

/// Lets names that are one object begin as one.
fn start(machine: &mut Machine, groups: &[SortedSet<String>], samples: &[String], changed: &SortedMap<String, Span>) {
    for group in groups {
        let Some(first) = group.iter().next() else { continue };
        let name = format!("{}{first}", machine::START);
        let value = Value::Known(ast::Expression::new(Span::default(), ast::Node::Name(name)));
        let object = machine.add(value);
        for name in group {
            if let Some(place) = changed.get(name).filter(|_| machine.language != Language::Matlab) {
                machine.overwritten.insert(object, (name.clone(), *place));
            }
            machine.scopes[0].insert(name.clone(), object);
        }
    }
    for sample in samples {
        let message = format!("`{sample}` is what the loop runs over, and may only be handed to an oracle");
        let help = "write the oracle with its sample, as in `grad_f(x, i)`";
        let problem = evaluate::refuse(Code::UnexpectedToken, Span::default(), message, help);
        let object = machine.add(Value::Unreadable(problem));
        machine.scopes[0].insert(sample.clone(), object);
    }
}

/// Names that are one object after an iteration.
fn shared(machine: &Machine) -> Vec<SortedSet<String>> {
    let mut by_object: SortedMap<usize, SortedSet<String>> = SortedMap::new();
    for (name, object) in &machine.scopes[0] {
        if machine.assigned.contains(name) {
            by_object.entry(*object).or_default().insert(name.clone());
        }
    }
    let mut found: Vec<SortedSet<String>> = by_object.into_values().filter(|g| g.len() > 1).collect();
    found.sort();
    found
}

/// The black boxes that statements call.
fn called_boxes(statements: &[ast::Statement]) -> SortedSet<String> {
    let mut found = SortedSet::new();
    for s in statements {
        s.walk(&mut |e| {
            if let ast::Node::Call(call) = &e.node
                && call.kind == ast::OracleKind::BlackBox
            {
                found.insert(call.function.clone());
            }
        });
    }
    found
}

/// Whether a term is just this name.
pub fn is_name(term: &Term, name: &str) -> bool {
    matches!(&term.node, Node::Name(n) if n == name)
}

//! What the names stand for after one iteration → the lines of the tree, at their times.

use super::machine::{DEFINED, ENTRY, Machine, START, Value};
use super::names::{Names, clean};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Expression, Index, Node, Sample, Sign, Statement};
use linnaeus_algebra::{SortedMap, SortedSet};

/// A name at a time, relative to the iteration.
type Place = (String, i64);

/// What becomes of one iteration.
pub struct Emitted {
    /// The lines.
    pub statements: Vec<Statement>,
    /// Statements of the text that are used.
    pub used: SortedSet<Span>,
    /// What stands in the way.
    pub problems: Vec<Diagnostic>,
}

/// Writes one iteration as equations.
pub fn emit(machine: &Machine, names: &mut Names, letter: &str) -> Emitted {
    let mut live =
        Live { machine, definitions: SortedSet::new(), carried: SortedSet::new(), entries: SortedSet::new() };
    live.find();
    let mut emitter = Emitter { machine, live, names, letter, owners: SortedMap::new(), places: SortedMap::new() };
    emitter.place_carried();
    emitter.place_definitions();
    emitter.statements()
}

/// What the iteration needs.
struct Live<'m, 'a> {
    machine: &'m Machine<'a>,
    definitions: SortedSet<usize>,
    carried: SortedSet<String>,
    entries: SortedSet<String>,
}

/// The names of the reader's in an expression.
fn inner_names(e: &Expression) -> Vec<String> {
    let mut found = Vec::new();
    e.walk(&mut |e| {
        if let Node::Name(n) = &e.node
            && n.starts_with([START, DEFINED, ENTRY])
        {
            found.push(n.clone());
        }
    });
    found
}

fn entry(name: &str) -> Option<(i64, &str)> {
    let (offset, name) = name.strip_prefix(ENTRY)?.split_once(']')?;
    Some((offset.parse().ok()?, name))
}

impl Live<'_, '_> {
    /// Begins at the vectors that one iteration hands to the next.
    fn find(&mut self) {
        let mut open: Vec<String> = Vec::new();
        for definition in &self.machine.definitions {
            for name in definition.value.iter().flat_map(inner_names) {
                let is_number = match name.strip_prefix(START) {
                    Some(own) => self.is_number(own),
                    None => match entry(&name) {
                        Some((_, history)) => {
                            self.machine.definitions.iter().all(|d| d.entry.is_none() || d.own != history)
                        }
                        None => true,
                    },
                };
                if !is_number {
                    open.push(name);
                }
            }
        }
        if open.is_empty() {
            open.extend((0..self.machine.definitions.len()).map(|n| format!("{DEFINED}{n}")));
        }
        while let Some(name) = open.pop() {
            if let Some(n) = name.strip_prefix(DEFINED).and_then(|n| n.parse::<usize>().ok()) {
                if self.definitions.insert(n) {
                    open.extend(self.machine.definitions[n].value.iter().flat_map(inner_names));
                }
            } else if let Some(own) = name.strip_prefix(START) {
                if self.carried.insert(own.to_string())
                    && let Some(Value::Known(e)) = last(self.machine, own)
                {
                    open.extend(inner_names(&e));
                }
            } else if let Some((_, history)) = entry(&name)
                && self.entries.insert(history.to_string())
            {
                // What is assigned twice is what it was assigned last.
                let mut last: SortedMap<i64, usize> = SortedMap::new();
                for (n, d) in self.machine.definitions.iter().enumerate().filter(|(_, d)| d.own == history) {
                    d.entry.map(|offset| last.insert(offset, n));
                }
                open.extend(last.into_values().map(|n| format!("{DEFINED}{n}")));
            }
        }
    }

    fn is_number(&self, carried: &str) -> bool {
        let first = Expression::new(Span::default(), Node::Name(format!("{START}{carried}")));
        let next = match last(self.machine, carried) {
            Some(Value::Known(e)) => self.machine.is_number(&e),
            _ => false,
        };
        self.machine.is_number(&first) || next
    }
}

/// What a name stands for after the iteration.
fn last(machine: &Machine, name: &str) -> Option<Value> {
    if let Some((whole, part)) = name.rsplit_once('.')
        && let Ok(part) = part.parse::<usize>()
    {
        let object = *machine.scopes[0].get(whole)?;
        return match machine.value(object) {
            Value::Tuple(objects) => objects.get(part).map(|o| machine.value(*o)),
            // A state of one part may be handed on bare.
            value if part == 0 && machine.parts.get(whole).is_some_and(|p| p.len() == 1) => Some(value),
            _ => None,
        };
    }
    machine.scopes[0].get(name).map(|o| machine.value(*o))
}

struct Emitter<'m, 'a, 'n> {
    machine: &'m Machine<'a>,
    live: Live<'m, 'a>,
    names: &'n mut Names,
    letter: &'n str,
    /// The name that a definition gives its next value.
    owners: SortedMap<usize, Place>,
    /// Where last values and definitions are found.
    places: SortedMap<String, Place>,
}

impl Emitter<'_, '_, '_> {
    /// Whom the program calls a carried value; parts have the names that took them apart.
    fn display(&mut self, carried: &str) -> String {
        let own = carried.rsplit_once('.').and_then(|(whole, part)| {
            let part: usize = part.parse().ok()?;
            self.machine.parts.get(whole)?.get(part).cloned()
        });
        self.names.iterate(own.as_deref().unwrap_or(carried))
    }

    /// The value that a carried name has next, if it is another one's.
    fn next(&self, carried: &str) -> Option<String> {
        match last(self.machine, carried)? {
            Value::Known(Expression { node: Node::Name(n), .. }) if n.starts_with([START, DEFINED, ENTRY]) => Some(n),
            _ => None,
        }
    }

    fn place_carried(&mut self) {
        let order: Vec<String> = {
            let mut all: Vec<String> = self.live.carried.iter().cloned().collect();
            let at = |n: &String| self.machine.started.iter().position(|s| s == n).unwrap_or(usize::MAX);
            all.sort_by_key(|n| (at(n), n.clone()));
            all
        };
        for name in &order {
            if let Some(n) = self.next(name).and_then(|n| n.strip_prefix(DEFINED)?.parse::<usize>().ok())
                && self.machine.definitions[n].entry.is_none()
                && !self.owners.contains_key(&n)
            {
                let shown = self.display(name);
                self.owners.insert(n, (shown.clone(), 1));
                self.places.insert(format!("{START}{name}"), (shown, 0));
            }
        }
        // What merely repeats another value is that value, earlier.
        let mut waiting: Vec<String> =
            order.iter().filter(|n| !self.places.contains_key(&format!("{START}{n}"))).cloned().collect();
        loop {
            let before = waiting.len();
            let mut left = Vec::new();
            for name in std::mem::take(&mut waiting) {
                let place = self.next(&name).and_then(|next| self.earlier(&next));
                match place {
                    Some(place) => {
                        self.places.insert(format!("{START}{name}"), place);
                    }
                    None => left.push(name),
                }
            }
            waiting = left;
            if waiting.is_empty() {
                return;
            }
            if waiting.len() == before {
                // A line of its own breaks a circle.
                let name = waiting.remove(0);
                let shown = self.display(&name);
                self.places.insert(format!("{START}{name}"), (shown, 0));
            }
        }
    }

    /// Where a value lies one iteration later.
    fn earlier(&self, value: &str) -> Option<Place> {
        if let Some((offset, history)) = entry(value) {
            return Some((self.names.known(history)?, offset - 1));
        }
        let (name, offset) = match value.strip_prefix(DEFINED).and_then(|n| n.parse::<usize>().ok()) {
            Some(n) => self.owners.get(&n)?,
            None => self.places.get(value)?,
        };
        (offset.abs() < crate::syntax::expression::MAX_DELAY).then(|| (name.clone(), offset - 1))
    }

    fn place_definitions(&mut self) {
        let live: Vec<usize> = self.live.definitions.iter().copied().collect();
        for &n in live.iter().rev() {
            let definition = &self.machine.definitions[n];
            let place = match (self.owners.get(&n), definition.entry) {
                (Some(place), _) => place.clone(),
                (None, Some(offset)) => {
                    let shown = self.names.iterate(&definition.own);
                    let place = (shown, offset);
                    let taken = self.owners.values().any(|p| *p == place);
                    if taken { (self.names.fresh(&definition.own), offset) } else { place }
                }
                (None, None) => (self.names.fresh(&definition.own), 0),
            };
            self.owners.insert(n, place.clone());
            self.places.insert(format!("{DEFINED}{n}"), place);
        }
    }

    fn at(&self, place: &Place, span: Span) -> Node {
        let index = Index { letter: self.letter.to_string(), halves: 2 * place.1, span };
        Node::Indexed(place.0.clone(), index)
    }

    fn put(&mut self, e: &Expression) -> Expression {
        // Names are told first, so that the walk below need not change them.
        let mut all = Vec::new();
        e.walk(&mut |e| {
            if let Node::Name(n) = &e.node {
                all.push(n.clone());
            }
        });
        for name in all {
            match entry(&name) {
                Some((_, history)) => {
                    self.names.iterate(history);
                }
                None if !name.starts_with([START, DEFINED])
                    && Some(name.as_str()) != self.machine.letter.as_deref() =>
                {
                    self.names.constant(&name);
                }
                None => {}
            }
        }
        self.rewritten(e)
    }

    fn rewritten(&self, e: &Expression) -> Expression {
        let node = match &e.node {
            Node::Name(n) => match (self.places.get(n), entry(n)) {
                (Some(place), _) => self.at(place, e.span),
                (None, Some((offset, history))) => {
                    self.at(&(self.names.known(history).unwrap_or_default(), offset), e.span)
                }
                (None, None) if Some(n.as_str()) == self.machine.letter.as_deref() => {
                    Node::Name(self.letter.to_string())
                }
                (None, None) => Node::Name(self.names.known(n).unwrap_or_else(|| n.clone())),
            },
            node => node.map_children(&|c| self.rewritten(c)),
        };
        let node = match node {
            Node::Call(mut call) => {
                call.function = clean(&call.function);
                call.sample = match call.sample.take() {
                    // `grad f_k`: the oracle itself carries the index.
                    Some(Sample { name, index: Some(i), .. }) if name.is_empty() && i.halves == 0 => {
                        call.function = format!("{}_{}", call.function, self.letter);
                        None
                    }
                    found => found.map(|s| Sample {
                        name: if s.name.is_empty() { "xi".to_string() } else { clean(&s.name) },
                        index: s.index.map(|i| Index { letter: self.letter.to_string(), ..i }),
                        ..s
                    }),
                };
                Node::Call(call)
            }
            node => node,
        };
        Expression::new(e.span, node)
    }

    fn statements(mut self) -> Emitted {
        let (mut statements, mut problems, mut used) = (Vec::new(), Vec::new(), SortedSet::new());
        let machine = self.machine;
        for n in self.live.definitions.clone() {
            let definition = &machine.definitions[n];
            used.insert(definition.span);
            match &definition.value {
                Ok(value) => {
                    let value = self.put(value);
                    let place = self.owners[&n].clone();
                    let start = definition.span.start;
                    let target_span = Span::new(start, (start + definition.own.len()).min(definition.span.end));
                    let target = Expression::new(target_span, self.at(&place, target_span));
                    statements.push(Statement { span: definition.span, target, sign: Sign::Equals, value });
                }
                Err(problem) if !problems.contains(&**problem) => problems.push((**problem).clone()),
                Err(_) => {}
            }
        }
        for name in self.live.carried.clone() {
            let own = self.places.get(&format!("{START}{name}")).cloned();
            let Some((shown, 0)) = own else { continue };
            if self.owners.values().any(|p| *p == (shown.clone(), 1)) {
                continue;
            }
            let Some(Value::Known(value)) = last(machine, &name) else { continue };
            let span = value.span;
            let value = self.put(&value);
            let target = Expression::new(span, self.at(&(shown, 1), span));
            statements.push(Statement { span, target, sign: Sign::Equals, value });
        }
        self.constants(&mut statements, &mut used);
        Emitted { statements, used, problems }
    }

    /// Lines before the loop that give a name to something the lines use.
    fn constants(&mut self, statements: &mut Vec<Statement>, used: &mut SortedSet<Span>) {
        let mut found: SortedSet<String> = SortedSet::new();
        let mut first = Vec::new();
        loop {
            let mut new = Vec::new();
            let known = &self.machine.constants;
            for s in statements.iter().chain(&first) {
                s.value.walk(&mut |e| {
                    if let Node::Name(n) = &e.node
                        && let Some(raw) = self.names.raw(n)
                        && known.contains_key(&raw)
                        && !self.machine.assigned.contains(&raw)
                        && !found.contains(&raw)
                        && !new.contains(&raw)
                    {
                        new.push(raw);
                    }
                });
            }
            if new.is_empty() {
                break;
            }
            for raw in new {
                found.insert(raw.clone());
                let Some(Ok(value)) = self.machine.constants.get(&raw) else { continue };
                let Some(&span) = self.machine.outcome.constant_lines.get(&raw) else { continue };
                used.insert(span);
                let value = self.put(&value.clone());
                let target = Expression::new(
                    Span::new(span.start, (span.start + raw.len()).min(span.end)),
                    Node::Name(self.names.constant(&raw)),
                );
                first.push(Statement { span, target, sign: Sign::Equals, value });
            }
        }
        first.sort_by_key(|s| s.span);
        first.append(statements);
        *statements = first;
    }
}

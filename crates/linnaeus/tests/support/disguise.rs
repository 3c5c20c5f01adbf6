//! Disguises: what may be done to a text such that the new algorithm is related to the old one, and
//! how weak that relation can be.

use super::random::Random;
use super::rewrite::{Draft, Rewriting, SIMULTANEOUS, binary, equation, map, node, number, reads_of, size, target};
use linnaeus::relation::Relation;
use linnaeus::source::{Source, Span};
use linnaeus::syntax::ast::{Call, Expression, Index, Node, Operation, OracleKind};
use linnaeus::syntax::parse;
use linnaeus::transfer::Analysis;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What may be done.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The same algorithm in other words.
    Rewrite(Rewriting),
    /// An iterate is replaced by a combination of another iterate and a new one.
    Coordinates,
    /// An iterate is added that oracles do not reach.
    Uncontrolled,
    /// ∇f is called ∂f, prox_{tf} is called the resolvent of t f, or the other way around.
    Wording,
    /// The loop starts at another line.
    Rotate,
    /// Two functions exchange their names.
    Exchange,
    /// All calls of an oracle become calls of another oracle of the same function.
    Conjugate,
    /// A parameter is replaced by an invertible function of a new one.
    Reparametrise,
}

/// A text on its way, and what is known of its relation to the first one.
pub struct Disguise {
    /// The text.
    pub draft: Draft,
    /// The weakest relation that may be found.
    pub weakest: Relation,
    /// The first text's parameters in terms of those of the new one.
    pub parameters: BTreeMap<String, Expression>,
    /// What was done.
    pub done: Vec<Step>,
}

impl Disguise {
    /// The text as it was.
    pub fn new(text: &str, analysis: &Analysis) -> Disguise {
        let names = analysis.system.parameters.iter();
        Disguise {
            draft: Draft::new(text, &analysis.system),
            // The order of the lines is the order of the channels, and so the copies of an oracle may
            // come out exchanged.
            weakest: if analysis.channels.iter().any(|c| c.copy > 0) {
                Relation::Permutation
            } else {
                Relation::Oracle
            },
            parameters: names.map(|n| (n.clone(), node(Node::Name(n.clone())))).collect(),
            done: Vec::new(),
        }
    }

    /// Does it, if it can be done here.
    pub fn apply(&mut self, step: Step, random: &mut Random) -> bool {
        let (done, relation) = match step {
            Step::Rewrite(rewriting) => (self.rewrite(rewriting, random), Relation::Oracle),
            Step::Coordinates => (self.coordinates(random), Relation::Oracle),
            Step::Uncontrolled => (self.uncontrolled(random), Relation::Oracle),
            Step::Wording => (self.wording(random), Relation::Oracle),
            Step::Rotate => (self.rotate(random), Relation::Shift),
            Step::Exchange => (self.exchange(random), Relation::Permutation),
            Step::Conjugate => (self.conjugate(random), Relation::Lft),
            Step::Reparametrise => (self.reparametrise(random), Relation::Oracle),
        };
        if done {
            self.weakest = self.weakest.max(relation);
            if self.draft.shifted {
                self.weakest = self.weakest.max(Relation::Shift);
            }
            // A new name may be one that another function had at first.
            let originals: BTreeSet<&String> = self.draft.functions.values().collect();
            if self.draft.functions.iter().any(|(new, old)| new != old && originals.contains(new)) {
                self.weakest = self.weakest.max(Relation::Permutation);
            }
            self.done.push(step);
        }
        done
    }

    /// Does a few rewritings in between.
    pub fn reword(&mut self, most: usize, random: &mut Random) {
        for _ in 0..random.below(most + 1) {
            let rewriting = *random.pick(&SIMULTANEOUS);
            self.apply(Step::Rewrite(rewriting), random);
        }
    }

    fn rewrite(&mut self, rewriting: Rewriting, random: &mut Random) -> bool {
        let before = self.draft.origin.clone();
        if !self.draft.apply(rewriting, random) {
            return false;
        }
        if rewriting == Rewriting::Rename {
            let new = |old: &String| {
                let (first, after) = (&before[old], &self.draft.origin);
                after.iter().find(|(_, o)| *o == first).map_or(old.clone(), |(n, _)| n.clone())
            };
            let renamed = |e: &Expression| match &e.node {
                Node::Name(n) if before.contains_key(n) => node(Node::Name(new(n))),
                _ => e.clone(),
            };
            self.parameters = self.parameters.iter().map(|(n, e)| (n.clone(), map(e, &renamed))).collect();
        }
        true
    }

    /// The lines that are the only ones to define an iterate of the first text: line, name, offset.
    fn defined(&self) -> Vec<(usize, String, i64)> {
        let statements = &self.draft.algorithm.statements;
        let targets: Vec<_> = statements.iter().map(target).collect();
        if targets.iter().any(Option::is_none) {
            return Vec::new();
        }
        let lines = targets.into_iter().flatten().enumerate();
        lines
            .filter(|(_, (name, at))| self.draft.spaces.contains_key(name) && at % 2 == 0)
            .map(|(i, (name, at))| (i, name, at))
            .collect()
    }

    fn indexed(&self, name: &str, halves: i64) -> Expression {
        let index = Index { letter: self.draft.letter.clone(), halves, span: Span::default() };
        node(Node::Indexed(name.to_string(), index))
    }

    /// x = c w + d y, y perhaps as it was earlier.
    fn coordinates(&mut self, random: &mut Random) -> bool {
        let defined = self.defined();
        if defined.is_empty() || self.draft.algorithm.statements.iter().map(|s| size(&s.value)).sum::<usize>() > 150 {
            return false;
        }
        let (line, x, at) = random.pick(&defined).clone();
        let alike = |y: &String| *y != x && self.draft.spaces[y] == self.draft.spaces[&x];
        let others: Vec<_> = defined.iter().filter(|(_, y, _)| alike(y)).collect();
        let scales: Vec<Expression> = ["1", "-1", "2", "1/2", "-3"].map(formula).to_vec();
        let c = random.pick(&scales).clone();
        let w = self.draft.fresh("w");
        // How much later than x it is that y is read, at most as late as it is known.
        let term = (!others.is_empty()).then(|| {
            let (_, y, known) = random.pick(&others);
            let age = 2 * random.below(3) as i64;
            (y.clone(), known - at - age, random.pick(&scales).clone())
        });
        let value = |index: &Index| {
            let new = binary(Operation::Multiply, c.clone(), self.indexed(&w, index.halves));
            match &term {
                None => new,
                Some((y, later, d)) => {
                    let old = self.indexed(y, index.halves + later);
                    binary(Operation::Add, new, binary(Operation::Multiply, d.clone(), old))
                }
            }
        };
        let mut statements = self.draft.algorithm.statements.clone();
        for (i, s) in statements.iter_mut().enumerate() {
            s.value = map(&s.value, &|e| match &e.node {
                Node::Indexed(n, index) if *n == x => value(index),
                _ => e.clone(),
            });
            if i == line {
                if let Some((y, later, d)) = &term {
                    let old = binary(Operation::Multiply, d.clone(), self.indexed(y, at + later));
                    s.value = binary(Operation::Subtract, s.value.clone(), old);
                }
                s.target = self.indexed(&w, at);
                s.value = binary(Operation::Divide, s.value.clone(), c.clone());
            }
        }
        self.draft.algorithm.statements = statements;
        let space = self.draft.spaces.remove(&x).expect("an iterate of the first text");
        self.draft.spaces.insert(w, space);
        true
    }

    /// d[k+1] = c d[k], and d is added to a line.
    fn uncontrolled(&mut self, random: &mut Random) -> bool {
        let defined = self.defined();
        if defined.is_empty() {
            return false;
        }
        let (line, ..) = *random.pick(&defined);
        let dead = self.draft.fresh("free");
        let factor = random.pick(&["1", "2", "-1/2"].map(formula)).clone();
        let add = binary(Operation::Multiply, number(1 + random.below(3) as i64), self.indexed(&dead, 0));
        let next = binary(Operation::Multiply, factor, self.indexed(&dead, 0));
        let law = equation(self.indexed(&dead, 2), next);
        let s = &mut self.draft.algorithm.statements[line];
        s.value = binary(Operation::Add, s.value.clone(), add);
        self.draft.algorithm.statements.push(law);
        true
    }

    fn rotate(&mut self, random: &mut Random) -> bool {
        if !self.draft.apply(Rewriting::Assignments, random) {
            return false;
        }
        let n = self.draft.algorithm.statements.len();
        self.draft.algorithm.statements.rotate_left(random.below(n));
        true
    }

    fn exchange(&mut self, random: &mut Random) -> bool {
        let names: Vec<String> = self.draft.functions.keys().cloned().collect();
        let capital = |n: &String| (n.starts_with(char::is_uppercase), self.draft.boxes.contains(n));
        let pairs: Vec<(String, String)> = names
            .iter()
            .flat_map(|f| names.iter().map(move |g| (f.clone(), g.clone())))
            .filter(|(f, g)| f < g && capital(f) == capital(g))
            .collect();
        if pairs.is_empty() {
            return false;
        }
        let (f, g) = random.pick(&pairs).clone();
        let other = |n: &String| match n {
            n if *n == f => g.clone(),
            n if *n == g => f.clone(),
            n => n.clone(),
        };
        let boxes = self.draft.boxes.clone();
        self.draft.map_expressions(&|e| match &e.node {
            Node::Call(call) => {
                node(Node::Call(Box::new(Call { function: other(&call.function), ..(**call).clone() })))
            }
            Node::Apply(n, s, a, sample) if boxes.contains(n) => {
                node(Node::Apply(other(n), *s, a.clone(), sample.clone()))
            }
            _ => e.clone(),
        });
        true
    }

    fn wording(&mut self, random: &mut Random) -> bool {
        use OracleKind::*;
        let twin = |kind: OracleKind| match kind {
            Gradient => Some(Subdifferential),
            Subdifferential => Some(Gradient),
            Prox => Some(Resolvent),
            Resolvent => Some(Prox),
            _ => None,
        };
        let calls = self.calls();
        // Two names of one oracle in one text are two oracles, and would become one.
        let named = |c: &Call, kind: OracleKind| calls.iter().any(|d| d.function == c.function && d.kind == kind);
        let wanted: Vec<(&Call, OracleKind)> =
            calls.iter().filter_map(|c| Some((c, twin(c.kind).filter(|kind| !named(c, *kind))?))).collect();
        if wanted.is_empty() {
            return false;
        }
        let (chosen, kind) = *random.pick(&wanted);
        self.draft.map_expressions(&|e| match &e.node {
            Node::Call(c) if c.function == chosen.function && c.kind == chosen.kind => {
                node(Node::Call(Box::new(Call { kind, ..(**c).clone() })))
            }
            _ => e.clone(),
        });
        true
    }

    /// Every call in the text.
    fn calls(&self) -> Vec<Call> {
        let mut found = Vec::new();
        for s in &self.draft.algorithm.statements {
            s.walk(&mut |e| {
                if let Node::Call(call) = &e.node {
                    found.push((**call).clone());
                }
            });
        }
        found
    }

    fn conjugate(&mut self, random: &mut Random) -> bool {
        let wanted: Vec<Call> = self
            .calls()
            .into_iter()
            .filter(|c| matches!(c.kind, OracleKind::Prox | OracleKind::Reflected) && c.sample.is_none())
            .collect();
        if wanted.is_empty() {
            return false;
        }
        let chosen = random.pick(&wanted).clone();
        let key = |c: &Call| {
            let step = c.step.as_ref().map(super::print::expression);
            (c.kind, c.function.clone(), c.conjugate, step)
        };
        let same = |c: &Call| key(c) == key(&chosen);
        // One call that is written twice would be two if each had an equation of its own.
        let alone = wanted.iter().filter(|c| same(c)).count() == 1;
        let way = random.below(if alone { 5 } else { 3 });
        let step = chosen.step.clone().unwrap_or_else(|| number(1));
        let other_step = match random.below(3) {
            0 => number(2),
            1 => binary(Operation::Multiply, number(3), step.clone()),
            _ => binary(Operation::Divide, step.clone(), number(2)),
        };
        let new_lines = RefCell::new(Vec::new());
        let draft = RefCell::new(self.draft.clone());
        let letter = self.draft.letter.clone();
        let name = |stem: &str| {
            let index = Index { letter: letter.clone(), halves: 0, span: Span::default() };
            node(Node::Indexed(draft.borrow_mut().fresh(stem), index))
        };
        let times = |a: &Expression, b: Expression| binary(Operation::Multiply, a.clone(), b);
        let minus = |a: Expression, b: Expression| binary(Operation::Subtract, a, b);
        let over = |a: Expression, b: &Expression| binary(Operation::Divide, a, b.clone());
        let changed = |e: &Expression| -> Expression {
            let Node::Call(call) = &e.node else { return e.clone() };
            if !same(call) {
                return e.clone();
            }
            let query = if size(&call.argument) <= 4 {
                call.argument.clone()
            } else {
                let query = name("query");
                new_lines.borrow_mut().push(equation(query.clone(), call.argument.clone()));
                query
            };
            let calling = |kind: OracleKind, conjugate: bool, step: Option<Expression>, argument: Expression| {
                node(Node::Call(Box::new(Call { kind, conjugate, step, argument, ..(**call).clone() })))
            };
            let prox = match way {
                // x = prox_{t f}(x) + t prox_{f*/t}(x/t)
                0 => {
                    let dual = Some(over(number(1), &step));
                    let dual = calling(OracleKind::Prox, !call.conjugate, dual, over(query.clone(), &step));
                    minus(query.clone(), times(&step, dual))
                }
                1 if call.kind == OracleKind::Prox => {
                    let reflected = calling(OracleKind::Reflected, call.conjugate, Some(step.clone()), query.clone());
                    over(binary(Operation::Add, query.clone(), reflected), &number(2))
                }
                1 => calling(OracleKind::Prox, call.conjugate, Some(step.clone()), query.clone()),
                2 => {
                    let envelope =
                        calling(OracleKind::MoreauGradient, call.conjugate, Some(step.clone()), query.clone());
                    minus(query.clone(), times(&step, envelope))
                }
                // p = x − t ∂f(p)
                3 => {
                    let p = name("prox");
                    let implicit = calling(OracleKind::Subdifferential, call.conjugate, None, p.clone());
                    new_lines.borrow_mut().push(equation(p.clone(), minus(query.clone(), times(&step, implicit))));
                    p
                }
                // p = prox_{s f}((1 − s/t) p + (s/t) x)
                _ => {
                    let p = name("prox");
                    let ratio = over(other_step.clone(), &step);
                    let rest = times(&minus(number(1), ratio.clone()), p.clone());
                    let argument = binary(Operation::Add, rest, times(&ratio, query.clone()));
                    let implicit = calling(OracleKind::Prox, call.conjugate, Some(other_step.clone()), argument);
                    new_lines.borrow_mut().push(equation(p.clone(), implicit));
                    p
                }
            };
            if call.kind == OracleKind::Reflected { minus(times(&number(2), prox), query) } else { prox }
        };
        let mut statements = self.draft.algorithm.statements.clone();
        for s in &mut statements {
            s.value = map(&s.value, &changed);
            s.target = map(&s.target, &changed);
        }
        statements.extend(new_lines.into_inner());
        self.draft = draft.into_inner();
        self.draft.algorithm.statements = statements;
        true
    }

    fn reparametrise(&mut self, random: &mut Random) -> bool {
        let mut names = BTreeSet::new();
        for e in self.parameters.values() {
            e.walk(&mut |e| {
                if let Node::Name(n) = &e.node {
                    names.insert(n.clone());
                }
            });
        }
        let names: Vec<String> = names.into_iter().collect();
        if names.is_empty() {
            return false;
        }
        let old = random.pick(&names).clone();
        let forms =
            ["1/q", "1 - q", "2*q", "q - 1", "q/(1 + q)", "3/(q - 2)", "-q", "(2*q - 1)/(q + 3)", "q + p", "q*p"];
        let others: Vec<&String> = names.iter().filter(|n| **n != old).collect();
        let form = formula(forms[random.below(if others.is_empty() { 8 } else { 10 })]);
        let q = if random.one_in(2) { old.clone() } else { self.draft.fresh("q") };
        let p = if others.is_empty() { old.clone() } else { (*random.pick(&others)).clone() };
        let value = map(&form, &|e| match &e.node {
            Node::Name(n) if n == "q" => node(Node::Name(q.clone())),
            Node::Name(n) if n == "p" => node(Node::Name(p.clone())),
            _ => e.clone(),
        });
        let replaced = |e: &Expression| match &e.node {
            Node::Name(n) if *n == old => value.clone(),
            _ => e.clone(),
        };
        self.draft.map_expressions(&replaced);
        self.parameters = self.parameters.iter().map(|(n, e)| (n.clone(), map(e, &replaced))).collect();
        true
    }
}

/// Multiplies a term by a number, or adds one; where there is nothing to change, nothing is done.
pub fn perturb(draft: &mut Draft, random: &mut Random) -> bool {
    if random.one_in(2) {
        return draft.perturb(random);
    }
    let i = random.below(draft.algorithm.statements.len());
    let Some((name, _)) = target(&draft.algorithm.statements[i]) else {
        return false;
    };
    let space = draft.spaces.get(&name).copied();
    let fitting: Vec<String> =
        draft.spaces.iter().filter(|(_, s)| Some(**s) == space).map(|(n, _)| n.clone()).collect();
    if fitting.is_empty() {
        return false;
    }
    let other = random.pick(&fitting);
    // As old as it is read elsewhere, lest the text needs the future.
    let mut old: Vec<i64> = Vec::new();
    for s in &draft.algorithm.statements {
        old.extend(reads_of(&s.value, other));
        old.extend(target(s).filter(|(n, _)| n == other).map(|(_, at)| at - 2));
    }
    let Some(halves) = old.into_iter().min() else { return false };
    let index = Index { letter: draft.letter.clone(), halves, span: Span::default() };
    let factor = random.pick(&["1", "-1", "2", "1/3"].map(formula)).clone();
    let term = binary(Operation::Multiply, factor, node(Node::Indexed(other.clone(), index)));
    let s = &mut draft.algorithm.statements[i];
    s.value = binary(Operation::Add, s.value.clone(), term);
    true
}

fn formula(text: &str) -> Expression {
    let (algorithm, _) = parse(&Source::new(&format!("formula_ = {text}")));
    algorithm.statements[0].value.clone()
}

//! "Uselessly complexified" texts: rewritings that leave the algorithm what it is.

use super::print;
use super::random::Random;
use linnaeus::source::{Source, Span};
use linnaeus::syntax::ast::{
    Algorithm, Declaration, DeclarationNode, Declared, Expression, Index, Node, Operation, Sign, Statement,
};
use linnaeus::syntax::parse;
use linnaeus::system::{LinearSystem, Signal};
use std::collections::{BTreeMap, BTreeSet};

/// What may be done to a text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Rewriting {
    /// Other names for iterates, parameters, operators, functions.
    Rename,
    /// The lines in another order.
    Reorder,
    /// An iterate is replaced by its right-hand side wherever it is read.
    Inline,
    /// A subexpression becomes an iterate of its own.
    Split,
    /// An iterate that nothing depends on.
    DeadState,
    /// One line moved in time.
    ShiftLine,
    /// An iterate counted from another index.
    Renumber,
    /// The same expressions in other words.
    Algebra,
    /// One line with everything on one side.
    OneSide,
    /// Another index letter.
    Letter,
    /// Assignments that run in order.
    Assignments,
}

/// Rewritings that leave the index of every iterate, and lines that hold at once.
pub const SIMULTANEOUS: [Rewriting; 9] = [
    Rewriting::Rename,
    Rewriting::Reorder,
    Rewriting::Inline,
    Rewriting::Split,
    Rewriting::DeadState,
    Rewriting::ShiftLine,
    Rewriting::Algebra,
    Rewriting::OneSide,
    Rewriting::Letter,
];

/// A text on its way, with what its names were at first.
#[derive(Clone)]
pub struct Draft {
    /// The text as a tree.
    pub algorithm: Algorithm,
    /// The index letter.
    pub letter: String,
    /// Names of scalars, constants and operators, and what they were called at first.
    pub origin: BTreeMap<String, String>,
    /// The same for functions, sets and black boxes.
    pub functions: BTreeMap<String, String>,
    constants: BTreeSet<String>,
    operators: BTreeSet<String>,
    pub boxes: BTreeSet<String>,
    /// Iterates of one space have the same number; those that are made on the way have none.
    pub spaces: BTreeMap<String, usize>,
    /// Only a change of variable makes the text linear, and sums do not survive it.
    nonlinear: bool,
    /// Channels may have been moved in time.
    pub shifted: bool,
    made: usize,
}

impl Draft {
    /// A text that was read as this system.
    pub fn new(text: &str, system: &LinearSystem) -> Draft {
        let (algorithm, _) = parse(&Source::new(text));
        let boxed = |c: &linnaeus::system::Call| c.oracle.kind == linnaeus::syntax::ast::OracleKind::BlackBox;
        let constants: BTreeSet<String> = system.constants.iter().map(|c| c.name.clone()).collect();
        let operators: BTreeSet<String> = system.operators.iter().map(|o| o.name.clone()).collect();
        let all = system.parameters.iter().chain(&constants).chain(&operators);
        let alike = |a: &Signal, b: &Signal| system.spaces.same(a.space, b.space);
        let space = |s: &Signal| system.signals.iter().position(|t| alike(s, t)).expect("at least itself");
        Draft {
            algorithm,
            spaces: system.signals.iter().map(|s| (s.name.clone(), space(s))).collect(),
            letter: system.letter.clone(),
            origin: all.map(|n| (n.clone(), n.clone())).collect(),
            functions: system.calls.iter().map(|c| (c.oracle.function.clone(), c.oracle.function.clone())).collect(),
            boxes: system.calls.iter().filter(|c| boxed(c)).map(|c| c.oracle.function.clone()).collect(),
            constants,
            operators,
            nonlinear: !system.changes.is_empty(),
            shifted: false,
            made: 0,
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        print::algorithm(&self.algorithm)
    }

    /// Does it, if it can be done here.
    pub fn apply(&mut self, rewriting: Rewriting, random: &mut Random) -> bool {
        use Rewriting::*;
        if self.nonlinear && matches!(rewriting, Split | DeadState | Algebra | OneSide) {
            return false;
        }
        match rewriting {
            Rename => self.rename(random),
            Reorder => {
                random.shuffle(&mut self.algorithm.statements);
                true
            }
            Inline => self.inline(random),
            Split => self.split(random),
            DeadState => self.dead_state(random),
            ShiftLine => self.shift_line(random),
            Renumber => self.renumber(random),
            Algebra => self.algebra(random),
            OneSide => self.one_side(random),
            Letter => self.change_letter(random),
            Assignments => self.assignments(random),
        }
    }

    /// Multiplies one term by a number; where there is no term, nothing is done.
    pub fn perturb(&mut self, random: &mut Random) -> bool {
        let i = random.below(self.algorithm.statements.len());
        let value = self.algorithm.statements[i].value.clone();
        let places = self.places(&value, &|draft, e| draft.is_vector(e));
        if places.is_empty() {
            return false;
        }
        let place = *random.pick(&places);
        let factor = number(*random.pick(&[2, 3, 5, 7]));
        self.algorithm.statements[i].value =
            replace(&value, place, &|e| binary(Operation::Multiply, factor.clone(), e.clone()));
        true
    }

    fn rename(&mut self, random: &mut Random) -> bool {
        let iterates: BTreeSet<String> = self.iterates();
        let mut taken: BTreeSet<String> =
            iterates.iter().chain(self.origin.keys()).chain(self.functions.keys()).cloned().collect();
        taken.insert(self.letter.clone());
        let mut fresh = |pool: &[&str], random: &mut Random| loop {
            let mut name = random.pick(pool).to_string();
            if random.one_in(2) {
                name.push_str(&random.below(30).to_string());
            }
            if taken.insert(name.clone()) {
                return name;
            }
        };
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for name in iterates.iter().filter(|n| !self.origin.contains_key(*n)) {
            names.insert(name.clone(), fresh(&ITERATES, random));
        }
        for name in self.origin.keys().filter(|n| n.chars().all(|c| c.is_alphanumeric() || c == '_')) {
            let new = if !self.operators.contains(name) {
                fresh(&SCALARS, random)
            } else if matches!(name.trim_end_matches(|c: char| c.is_ascii_digit()), "A" | "K") {
                // These two are read as maps between different spaces.
                fresh(&["A", "K"], random)
            } else {
                fresh(&["B", "C", "D", "L", "M", "N", "Q", "W", "S"], random)
            };
            names.insert(name.clone(), new);
        }
        let mut functions: BTreeMap<String, String> = BTreeMap::new();
        for name in self.functions.keys() {
            let capital = name.starts_with(char::is_uppercase);
            functions.insert(
                name.clone(),
                fresh(
                    if capital { &["F", "G", "U", "V", "Y", "Z"] } else { &["f", "g", "h", "ell", "f_1", "psi"] },
                    random,
                ),
            );
        }
        let name = |n: &String| names.get(n).unwrap_or(n).clone();
        let function = |n: &String| functions.get(n).unwrap_or(n).clone();
        let boxes = self.boxes.clone();
        let either = |n: &String| {
            if boxes.contains(n) { function(n) } else { name(n) }
        };
        self.map_expressions(&|e| {
            let node = match &e.node {
                Node::Name(n) => Node::Name(name(n)),
                Node::Indexed(n, i) => Node::Indexed(name(n), i.clone()),
                Node::Apply(n, s, a, sample) => Node::Apply(either(n), *s, a.clone(), sample.clone()),
                Node::Call(call) => {
                    let mut call = call.clone();
                    call.function = function(&call.function);
                    Node::Call(call)
                }
                node => node.clone(),
            };
            Expression::new(e.span, node)
        });
        for d in &mut self.algorithm.declarations {
            match &mut d.node {
                DeclarationNode::Oracle(all, _)
                | DeclarationNode::Function(all, ..)
                | DeclarationNode::Set(all, ..) => all.iter_mut().for_each(|n| n.name = function(&n.name)),
                DeclarationNode::Parameter(all)
                | DeclarationNode::Constant(all, _)
                | DeclarationNode::Iterate(all, _)
                | DeclarationNode::Operator(all, ..) => all.iter_mut().for_each(|n| n.name = name(&n.name)),
                DeclarationNode::Index(_) => {}
            }
        }
        self.origin = self.origin.iter().map(|(n, o)| (name(n), o.clone())).collect();
        self.functions = self.functions.iter().map(|(n, o)| (function(n), o.clone())).collect();
        self.constants = self.constants.iter().map(name).collect();
        self.operators = self.operators.iter().map(name).collect();
        self.boxes = self.boxes.iter().map(function).collect();
        self.spaces = self.spaces.iter().map(|(n, s)| (name(n), *s)).collect();
        true
    }

    fn inline(&mut self, random: &mut Random) -> bool {
        let mut candidates = Vec::new();
        for (i, s) in self.algorithm.statements.iter().enumerate() {
            let Some((name, at)) = target(s) else {
                continue;
            };
            let others = self.algorithm.statements.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, s)| s);
            let reads: Vec<i64> = others.flat_map(|s| reads(s, &name)).collect();
            if !reads_of(&s.value, &name).is_empty() || reads.is_empty() || self.is_target_elsewhere(&name, i) {
                continue;
            }
            let exact = reads.iter().all(|r| *r == at);
            // Every reading copies the line; what is copied too often grows beyond reason.
            if reads.len() <= 4 && size(&s.value) <= 60 && (exact || self.may_shift()) {
                candidates.push((i, name, at, exact));
            }
        }
        if candidates.is_empty() {
            return false;
        }
        let (i, name, at, exact) = random.pick(&candidates).clone();
        let value = self.algorithm.statements.remove(i).value;
        self.map_expressions(&|e| match &e.node {
            Node::Indexed(n, index) if *n == name => shift(&value, index.halves - at),
            _ => e.clone(),
        });
        self.forget(&name);
        self.shifted |= !exact;
        true
    }

    fn split(&mut self, random: &mut Random) -> bool {
        let i = random.below(self.algorithm.statements.len());
        let value = self.algorithm.statements[i].value.clone();
        let places = self.places(&value, &|draft, e| draft.is_vector(e) && moves(e));
        if places.is_empty() || target(&self.algorithm.statements[i]).is_none() {
            return false;
        }
        let place = *random.pick(&places);
        let name = self.fresh("part");
        let index =
            Index { letter: self.letter.clone(), halves: 2 * (random.below(4) as i64 - 1), span: Span::default() };
        let part = node(Node::Indexed(name, index));
        let mut taken = None;
        walk_places(&value, &mut |at, e| {
            if at == place {
                taken = Some(e.clone());
            }
        });
        self.algorithm.statements[i].value = replace(&value, place, &|_| part.clone());
        let line = equation(part, taken.expect("the place exists"));
        let at = random.below(self.algorithm.statements.len() + 1);
        self.algorithm.statements.insert(at, line);
        true
    }

    fn dead_state(&mut self, random: &mut Random) -> bool {
        let i = random.below(self.algorithm.statements.len());
        let Some((name, at)) = target(&self.algorithm.statements[i]) else {
            return false;
        };
        let dead = self.fresh("dead");
        let indexed = |n: &str, halves: i64| {
            node(Node::Indexed(n.to_string(), Index { letter: self.letter.clone(), halves, span: Span::default() }))
        };
        let old = binary(Operation::Multiply, number(1 + random.below(3) as i64), indexed(&dead, 0));
        let mut value = binary(Operation::Add, old, indexed(&name, at - 2 * random.below(2) as i64));
        if random.one_in(2) {
            // A call that is made anyway, and is not needed here.
            let mut calls = Vec::new();
            let from = self.algorithm.statements[i].value.clone();
            from.walk(&mut |e| {
                if matches!(e.node, Node::Call(_)) {
                    calls.push(e.clone());
                }
            });
            if !calls.is_empty()
                && matches!(from.node, Node::Binary(Operation::Add | Operation::Subtract, ..))
                && !self.has_operator(&from)
            {
                value = binary(Operation::Subtract, value, random.pick(&calls).clone());
            }
        }
        let at = random.below(self.algorithm.statements.len() + 1);
        let line = equation(indexed(&dead, 2), value);
        self.algorithm.statements.insert(at, line);
        true
    }

    fn shift_line(&mut self, random: &mut Random) -> bool {
        if !self.may_shift() {
            return false;
        }
        let i = random.below(self.algorithm.statements.len());
        let halves = *random.pick(&[-4, -2, 2, 4]);
        let s = &mut self.algorithm.statements[i];
        s.target = shift(&s.target, halves);
        s.value = shift(&s.value, halves);
        self.shifted = true;
        true
    }

    fn renumber(&mut self, random: &mut Random) -> bool {
        let names: Vec<String> = self.iterates().into_iter().collect();
        if !self.may_shift() || names.is_empty() {
            return false;
        }
        let (name, halves) = (random.pick(&names).clone(), *random.pick(&[-4, -2, 2, 4]));
        self.map_expressions(&|e| match &e.node {
            Node::Indexed(n, i) if *n == name => {
                node(Node::Indexed(n.clone(), Index { halves: i.halves + halves, ..i.clone() }))
            }
            _ => e.clone(),
        });
        true
    }

    fn algebra(&mut self, random: &mut Random) -> bool {
        self.declare_constants();
        for s in 0..self.algorithm.statements.len() {
            for _ in 0..1 + random.below(3) {
                let value = self.algorithm.statements[s].value.clone();
                if size(&value) > 120 {
                    break;
                }
                let mut places = Vec::new();
                walk_places(&value, &mut |at, _| places.push(at));
                let place = *random.pick(&places);
                let choice = random.next();
                let draft = &*self;
                let new = replace(&value, place, &|e| draft.reworded(e, choice));
                self.algorithm.statements[s].value = new;
            }
        }
        true
    }

    /// The same value in other words.
    fn reworded(&self, e: &Expression, choice: u64) -> Expression {
        use Operation::*;
        let minus_one = || node(Node::Minus(Box::new(number(1))));
        match &e.node {
            Node::Binary(Subtract, a, b) => match choice % 4 {
                0 => binary(Add, (**a).clone(), binary(Multiply, minus_one(), (**b).clone())),
                1 => node(Node::Minus(Box::new(binary(Subtract, (**b).clone(), (**a).clone())))),
                2 => binary(Add, node(Node::Minus(b.clone())), (**a).clone()),
                _ => binary(Subtract, (**a).clone(), binary(Subtract, (**b).clone(), number(0))),
            },
            Node::Binary(Add, a, b) => match choice % 3 {
                0 => binary(Add, (**b).clone(), (**a).clone()),
                1 => binary(Subtract, (**a).clone(), node(Node::Minus(b.clone()))),
                _ => binary(Subtract, (**a).clone(), binary(Multiply, minus_one(), (**b).clone())),
            },
            Node::Binary(Multiply, a, b) => match (&a.node, &b.node) {
                (_, Node::Binary(op @ (Add | Subtract), x, y)) if choice.is_multiple_of(2) => binary(
                    *op,
                    binary(Multiply, (**a).clone(), (**x).clone()),
                    binary(Multiply, (**a).clone(), (**y).clone()),
                ),
                (Node::Binary(op @ (Add | Subtract), x, y), _) => binary(
                    *op,
                    binary(Multiply, (**x).clone(), (**b).clone()),
                    binary(Multiply, (**y).clone(), (**b).clone()),
                ),
                _ if !self.has_operator(a) && !self.has_operator(b) => binary(Multiply, (**b).clone(), (**a).clone()),
                _ => binary(Multiply, node(Node::Minus(a.clone())), node(Node::Minus(b.clone()))),
            },
            Node::Binary(Divide, a, b) => match choice % 2 {
                0 => binary(Multiply, binary(Divide, number(1), (**b).clone()), (**a).clone()),
                _ => binary(
                    Divide,
                    binary(Multiply, number(3), (**a).clone()),
                    binary(Multiply, (**b).clone(), number(3)),
                ),
            },
            Node::Minus(a) => binary(Multiply, minus_one(), (**a).clone()),
            Node::Number(n) => {
                binary(Subtract, node(Node::Number(n.clone() + linnaeus_algebra::Rational::ONE)), number(1))
            }
            Node::Power(a, b) if matches!(&b.node, Node::Number(n) if *n == linnaeus_algebra::Rational::from(2)) => {
                binary(Multiply, (**a).clone(), (**a).clone())
            }
            _ if self.is_vector(e) => match choice % 3 {
                0 => binary(Subtract, binary(Multiply, number(2), e.clone()), e.clone()),
                1 => binary(Multiply, number(1), e.clone()),
                _ => binary(Divide, binary(Multiply, number(2), e.clone()), number(2)),
            },
            _ => node(Node::Minus(Box::new(node(Node::Minus(Box::new(e.clone())))))),
        }
    }

    fn one_side(&mut self, random: &mut Random) -> bool {
        // With a single line like this every other iterate is on the left of its own.
        if self.algorithm.statements.iter().any(|s| target(s).is_none()) {
            return false;
        }
        let i = random.below(self.algorithm.statements.len());
        let s = &mut self.algorithm.statements[i];
        let (name, at) = target(s).expect("just seen");
        if reads_of(&s.value, &name).iter().any(|r| *r >= at) {
            return false;
        }
        let difference = match random.below(3) {
            0 => binary(Operation::Subtract, s.target.clone(), s.value.clone()),
            1 => binary(Operation::Subtract, s.value.clone(), s.target.clone()),
            _ => binary(
                Operation::Multiply,
                number(2),
                binary(Operation::Add, node(Node::Minus(Box::new(s.value.clone()))), s.target.clone()),
            ),
        };
        (s.target, s.value) = if random.one_in(2) { (difference, number(0)) } else { (number(0), difference) };
        true
    }

    fn change_letter(&mut self, random: &mut Random) -> bool {
        let new = random.pick(&["k", "n", "t", "i", "j", "m", "l", "ell", "iter", "N"]).to_string();
        let names: Vec<String> = self
            .iterates()
            .into_iter()
            .chain(self.origin.keys().cloned())
            .chain(self.functions.keys().cloned())
            .collect();
        let clash =
            |n: &String| *n == new || n.ends_with(&format!("_{new}")) || n.ends_with(&format!("_{}", self.letter));
        if names.iter().any(clash)
            || self.algorithm.declarations.iter().any(|d| matches!(d.node, DeclarationNode::Index(_)))
        {
            return false;
        }
        let old = std::mem::replace(&mut self.letter, new.clone());
        let rename = |i: &Index| {
            if i.letter == old { Index { letter: new.clone(), ..i.clone() } } else { i.clone() }
        };
        self.map_expressions(&|e| Expression::new(e.span, map_indices(&e.node, &rename)));
        true
    }

    /// x <- …, in an order in which every new value is there when it is read.
    fn assignments(&mut self, random: &mut Random) -> bool {
        let statements = std::mem::take(&mut self.algorithm.statements);
        let Some((lines, defined)) = self.in_order(&statements, random) else {
            self.algorithm.statements = statements;
            return false;
        };
        // How long ago every iterate is needed, and whether after its own line has run.
        let mut saves: BTreeMap<String, i64> = BTreeMap::new();
        let mut done: BTreeSet<String> = BTreeSet::new();
        let eager = random.one_in(3);
        for &i in &lines {
            for (name, at) in all_reads(&statements[i]) {
                let age = (defined[&name] - at) / 2;
                if age > 1 || (age == 1 && (eager || done.contains(&name))) {
                    let deepest = saves.entry(name).or_default();
                    *deepest = age.max(*deepest);
                }
            }
            done.insert(target(&statements[i]).expect("checked").0);
        }
        let saved = |name: &str, age: i64| format!("{name}_old{age}");
        let mut program: Vec<(String, Expression)> = Vec::new();
        for (name, depth) in &saves {
            for age in (1..=*depth).rev() {
                let from = if age == 1 { name.clone() } else { saved(name, age - 1) };
                program.push((saved(name, age), node(Node::Name(from))));
            }
        }
        done.clear();
        for &i in &lines {
            let value = map(&statements[i].value, &|e| match &e.node {
                Node::Indexed(name, index) => {
                    let age = (defined[name] - index.halves) / 2;
                    let direct = age == 0 || (age == 1 && !done.contains(name) && !saves.contains_key(name));
                    node(Node::Name(if direct { name.clone() } else { saved(name, age) }))
                }
                _ => e.clone(),
            });
            let name = target(&statements[i]).expect("checked").0;
            done.insert(name.clone());
            program.push((name, value));
        }
        let sign = if random.one_in(3) { Sign::Equals } else { Sign::Assigns };
        let line = |(name, value): (String, Expression)| Statement { sign, ..equation(node(Node::Name(name)), value) };
        self.algorithm.statements = program.into_iter().map(line).collect();
        self.shifted = true;
        true
    }

    /// An order of the lines for assignments, and when each iterate is defined.
    fn in_order(&self, statements: &[Statement], random: &mut Random) -> Option<(Vec<usize>, BTreeMap<String, i64>)> {
        let mut defined: BTreeMap<String, i64> = BTreeMap::new();
        for s in statements {
            let (name, at) = target(s)?;
            let mut sampled = false;
            s.walk(&mut |e| {
                sampled |= matches!(&e.node, Node::Call(c) if c.sample.is_some())
                    || matches!(&e.node, Node::Apply(_, _, _, Some(_)))
            });
            if at % 2 != 0 || sampled || defined.insert(name, at).is_some() || s.sign != Sign::Equals {
                return None;
            }
        }
        let mut order: Vec<usize> = Vec::new();
        let mut ready: BTreeSet<String> = BTreeSet::new();
        while order.len() < statements.len() {
            let fits = |i: &usize| {
                all_reads(&statements[*i])
                    .iter()
                    .all(|(n, at)| defined.get(n).is_some_and(|d| at < d || (at == d && ready.contains(n))))
            };
            let next: Vec<usize> = (0..statements.len()).filter(|i| !order.contains(i)).filter(fits).collect();
            if next.is_empty() {
                return None;
            }
            let i = *random.pick(&next);
            ready.insert(target(&statements[i])?.0);
            order.push(i);
        }
        Some((order, defined))
    }

    fn declare_constants(&mut self) {
        for name in self.constants.clone() {
            let here = |d: &Declaration| matches!(&d.node, DeclarationNode::Constant(all, _) if all.iter().any(|n| n.name == name));
            if !self.algorithm.declarations.iter().any(here) {
                let declared = Declared { name, span: Span::default() };
                self.algorithm
                    .declarations
                    .push(Declaration { span: Span::default(), node: DeclarationNode::Constant(vec![declared], None) });
            }
        }
    }

    /// Whether a comparison up to shifts is possible: there must be one commuting operator at most.
    pub fn may_shift(&self) -> bool {
        self.operators.len() < 2
    }

    pub fn fresh(&mut self, stem: &str) -> String {
        self.made += 1;
        format!("{stem}{}", self.made)
    }

    fn forget(&mut self, name: &str) {
        for d in &mut self.algorithm.declarations {
            if let DeclarationNode::Iterate(all, _) = &mut d.node {
                all.retain(|n| n.name != name);
            }
        }
        self.algorithm.declarations.retain(|d| !matches!(&d.node, DeclarationNode::Iterate(all, _) if all.is_empty()));
    }

    fn is_target_elsewhere(&self, name: &str, line: usize) -> bool {
        let others = self.algorithm.statements.iter().enumerate().filter(|(j, _)| *j != line);
        others
            .into_iter()
            .any(|(_, s)| target(s).is_none_or(|(n, _)| n == name) && !reads_of(&s.target, name).is_empty())
    }

    pub fn iterates(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for s in &self.algorithm.statements {
            s.walk(&mut |e| {
                if let Node::Indexed(n, i) = &e.node
                    && !i.letter.is_empty()
                {
                    found.insert(n.clone());
                }
            });
        }
        found
    }

    pub fn is_vector(&self, e: &Expression) -> bool {
        match &e.node {
            Node::Indexed(..) | Node::Call(_) => true,
            Node::Apply(n, _, a, _) => self.boxes.contains(n) || self.is_vector(a),
            Node::Name(n) => self.constants.contains(n),
            Node::Minus(a) | Node::Binary(Operation::Divide, a, _) => self.is_vector(a),
            Node::Binary(_, a, b) => self.is_vector(a) || self.is_vector(b),
            _ => false,
        }
    }

    fn has_operator(&self, e: &Expression) -> bool {
        let mut found = false;
        e.walk(&mut |e| match &e.node {
            Node::Name(n) | Node::Apply(n, ..) => found |= self.operators.contains(n),
            Node::Identity | Node::Adjoint(_) | Node::Elementary(..) => found = true,
            _ => {}
        });
        found
    }

    pub fn places(&self, e: &Expression, wanted: &dyn Fn(&Draft, &Expression) -> bool) -> Vec<usize> {
        let mut found = Vec::new();
        walk_places(e, &mut |at, e| {
            if wanted(self, e) {
                found.push(at);
            }
        });
        found
    }

    pub fn map_expressions(&mut self, f: &dyn Fn(&Expression) -> Expression) {
        for s in &mut self.algorithm.statements {
            s.target = map(&s.target, f);
            s.value = map(&s.value, f);
        }
    }
}

const ITERATES: [&str; 21] = [
    "x", "y", "z", "u", "v", "w", "p", "q", "r", "xi", "zeta", "e", "d", "x_bar", "theta_2", "X", "P", "R", "lambda",
    "in", "state",
];
const SCALARS: [&str; 20] = [
    "a", "b", "c", "s", "alpha", "beta", "gamma", "lambda", "mu", "eta", "tau", "theta", "rho", "kappa", "omega",
    "lam", "step", "z", "delta", "epsilon",
];

pub fn node(node: Node) -> Expression {
    Expression::new(Span::default(), node)
}

pub fn number(n: i64) -> Expression {
    node(Node::Number(n.into()))
}

pub fn binary(operation: Operation, a: Expression, b: Expression) -> Expression {
    node(Node::Binary(operation, Box::new(a), Box::new(b)))
}

pub fn equation(target: Expression, value: Expression) -> Statement {
    Statement { span: Span::default(), target, sign: Sign::Equals, value }
}

/// Replaces bottom up: parts first, then what they make.
pub fn map(e: &Expression, f: &dyn Fn(&Expression) -> Expression) -> Expression {
    f(&Expression::new(e.span, e.node.map_children(&|a| map(a, f))))
}

/// Calls `visit` with the number of every subexpression, steps, exponents and inverses left alone.
pub fn walk_places<'a>(e: &'a Expression, visit: &mut dyn FnMut(usize, &'a Expression)) {
    fn go<'a>(e: &'a Expression, at: &mut usize, visit: &mut dyn FnMut(usize, &'a Expression)) {
        visit(*at, e);
        *at += 1;
        match &e.node {
            Node::Minus(a) | Node::Apply(_, _, a, _) | Node::Power(a, _) => go(a, at, visit),
            Node::Binary(_, a, b) => {
                go(a, at, visit);
                go(b, at, visit);
            }
            Node::Call(call) => go(&call.argument, at, visit),
            _ => {}
        }
    }
    go(e, &mut 0, visit);
}

/// Replaces the subexpression with this number.
pub fn replace(e: &Expression, place: usize, f: &dyn Fn(&Expression) -> Expression) -> Expression {
    fn go(e: &Expression, at: &mut usize, place: usize, f: &dyn Fn(&Expression) -> Expression) -> Expression {
        let here = *at;
        *at += 1;
        let node = match &e.node {
            Node::Minus(a) => Node::Minus(Box::new(go(a, at, place, f))),
            Node::Apply(n, s, a, sample) => Node::Apply(n.clone(), *s, Box::new(go(a, at, place, f)), sample.clone()),
            Node::Power(a, b) => Node::Power(Box::new(go(a, at, place, f)), b.clone()),
            Node::Binary(op, a, b) => {
                let a = go(a, at, place, f);
                Node::Binary(*op, Box::new(a), Box::new(go(b, at, place, f)))
            }
            Node::Call(call) => {
                let mut call = call.clone();
                call.argument = go(&call.argument, at, place, f);
                Node::Call(call)
            }
            other => other.clone(),
        };
        let whole = Expression::new(e.span, node);
        if here == place { f(&whole) } else { whole }
    }
    go(e, &mut 0, place, f)
}

pub fn size(e: &Expression) -> usize {
    let mut n = 0;
    e.walk(&mut |_| n += 1);
    n
}

/// Whether it changes from one iteration to the next.
fn moves(e: &Expression) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.node, Node::Indexed(..)));
    found
}

/// The iterate alone on the left, and twice its offset.
pub fn target(s: &Statement) -> Option<(String, i64)> {
    match &s.target.node {
        Node::Indexed(name, index) if !index.letter.is_empty() => Some((name.clone(), index.halves)),
        _ => None,
    }
}

pub fn reads_of(e: &Expression, name: &str) -> Vec<i64> {
    let mut found = Vec::new();
    e.walk(&mut |e| {
        if let Node::Indexed(n, i) = &e.node
            && n == name
        {
            found.push(i.halves);
        }
    });
    found
}

fn reads(s: &Statement, name: &str) -> Vec<i64> {
    let mut found = reads_of(&s.value, name);
    found.extend(reads_of(&s.target, name));
    found
}

fn all_reads(s: &Statement) -> Vec<(String, i64)> {
    let mut found = Vec::new();
    s.value.walk(&mut |e| {
        if let Node::Indexed(n, i) = &e.node {
            found.push((n.clone(), i.halves));
        }
    });
    found
}

fn map_indices(node: &Node, f: &dyn Fn(&Index) -> Index) -> Node {
    let sampled = |s: &Option<linnaeus::syntax::ast::Sample>| {
        let mut s = s.clone();
        if let Some(s) = &mut s {
            s.index = s.index.as_ref().map(f);
        }
        s
    };
    match node {
        Node::Indexed(n, i) => Node::Indexed(n.clone(), f(i)),
        Node::Apply(n, span, a, s) => Node::Apply(n.clone(), *span, a.clone(), sampled(s)),
        Node::Call(call) => {
            let mut call = call.clone();
            call.sample = sampled(&call.sample);
            Node::Call(call)
        }
        other => other.clone(),
    }
}

/// The expression so many half steps later.
pub fn shift(e: &Expression, halves: i64) -> Expression {
    let later = |i: &Index| {
        if i.letter.is_empty() { i.clone() } else { Index { halves: i.halves + halves, ..i.clone() } }
    };
    map(e, &|e| Expression::new(e.span, map_indices(&e.node, &later)))
}

//! Which arm of a branch is read, where the test asks for a parameter, a flag or the first iteration: parameters are
//! taken as not zero and flags as set, unless the text gives them a value, and what happens once is no iteration.

use super::Language;
use super::effects::{assigned, base_name, ends, leaves, lines};
use super::evaluate::is_owner;
use super::test::{Asks, Question, Test};
use super::tree::{Action, Arm, Change, Item, Node, Operator, Runs, Term};
use crate::source::{Source, Span};
use crate::syntax::ast::{Guess, Role};
use linnaeus_algebra::{Rational, SortedMap, SortedSet};

/// Flags that are off unless somebody sets them.
const OFF: &[&str] =
    &["maximize", "verbose", "debug", "foreach", "capturable", "differentiable", "fused", "amsgrad", "centered"];

/// Names that vectors have, whatever else a function calls its arguments.
const POINTS: &[&str] = &["x", "y", "z", "w", "v", "u", "p", "q", "r", "g", "d"];

/// What the text says of a name by assigning it.
#[derive(Clone, Debug, PartialEq)]
enum Known {
    Flag(bool),
    Number(Rational),
    Nothing,
    /// Something that is computed.
    Computed,
}

/// What is known of the names that tests ask for.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    values: SortedMap<String, Vec<Known>>,
    flags: SortedMap<String, bool>,
    counters: SortedSet<String>,
    language: Option<Language>,
}

/// An answer to a test.
pub struct Answer {
    /// Whether it holds.
    pub holds: bool,
    /// Whether it is answered otherwise in the first iteration.
    pub once: bool,
    /// What was taken for granted.
    pub guesses: Vec<Guess>,
}

impl Facts {
    /// Goes through a program.
    pub fn new(items: &[Item], language: Language) -> Facts {
        let mut facts = Facts { language: Some(language), ..Facts::default() };
        facts.gather(items);
        facts
    }

    /// Of a page without a program, where this letter counts.
    pub fn counting(letter: Option<String>) -> Facts {
        Facts { counters: letter.into_iter().collect(), ..Facts::default() }
    }

    /// A name has this value, or one that is computed.
    pub fn computes(&mut self, name: String, value: Option<i64>) {
        self.add(name, value.map_or(Known::Computed, |n| Known::Number(Rational::from(n))));
    }

    /// Whether a condition holds, if that can be told; flags are only what is known as one.
    pub fn asked(&self, condition: &str, line: usize, is_flag: impl Fn(&str) -> bool) -> Option<Answer> {
        let tokens = super::token::tokenize(condition, Language::Python, &mut Vec::new());
        let [row] = &tokens.rows[..] else { return None };
        let test = super::test::condition(&row.tokens);
        let Test::All(questions) = &test else { return None };
        let plain = |q: &Question| match q.asks {
            Asks::Set => is_flag(&q.name),
            Asks::Equals(_) | Asks::Above(_) => true,
            Asks::Given | Asks::Stored => false,
        };
        questions.iter().all(plain).then(|| self.answer(&test, line))?
    }

    fn gather(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Line(_, Action::Assign { targets, change, value }) => match value {
                    Ok(value) => self.assigned(targets, *change, value),
                    Err(_) => targets.iter().filter_map(base_name).for_each(|n| self.add(n, Known::Computed)),
                },
                Item::Line(..) => {
                    assigned(std::slice::from_ref(item)).into_iter().for_each(|n| self.add(n, Known::Computed));
                }
                Item::Loop(l) => {
                    if l.runs == Runs::Counted {
                        self.counters.extend(l.variables.first().cloned());
                    }
                    self.gather(&l.body);
                }
                Item::Branch(arms) => arms.iter().for_each(|a| self.gather(&a.body)),
                Item::Function(f) => {
                    self.flags.extend(f.flags.iter().cloned());
                    self.gather(&f.body);
                }
                Item::Through(_, body) => self.gather(body),
                Item::End(_) => {}
            }
        }
    }

    fn add(&mut self, name: String, known: Known) {
        let all = self.values.entry(name).or_default();
        if !all.contains(&known) {
            all.push(known);
        }
    }

    fn assigned(&mut self, targets: &[Term], change: Change, value: &Term) {
        for (i, target) in targets.iter().enumerate() {
            let Some(name) = base_name(target) else { continue };
            let value = match &value.node {
                Node::Tuple(parts) if targets.len() > 1 && parts.len() == targets.len() => &parts[i],
                _ => value,
            };
            if counts(&name, change, value) {
                self.counters.insert(name);
            } else if change != Change::Bind || targets.len() > 1 && !is_literal(value) {
                self.add(name, Known::Computed);
            } else if !repeats(value, &name) {
                self.add(name, known(value));
            }
        }
    }

    /// Whether a test holds, if that can be told.
    pub fn answer(&self, test: &Test, line: usize) -> Option<Answer> {
        let Test::All(questions) = test else { return None };
        let mut all = Answer { holds: true, once: false, guesses: Vec::new() };
        for question in questions {
            let own = self.asked_of(question, line)?;
            if !own.holds {
                return Some(own);
            }
            all.once |= own.once;
            all.guesses.extend(own.guesses);
        }
        Some(all)
    }

    fn asked_of(&self, question: &Question, line: usize) -> Option<Answer> {
        let told = |holds: bool| Some(Answer { holds: holds != question.negated, once: false, guesses: Vec::new() });
        let later = |holds: bool| Some(Answer { once: true, ..told(holds)? });
        let name = question.name.as_str();
        let values = self.values.get(name).map_or(&[][..], Vec::as_slice);
        if self.counters.contains(name) {
            return match &question.asks {
                Asks::Equals(n) if is_small(n) => later(false),
                Asks::Above(n) if is_small(n) => later(true),
                _ => None,
            };
        }
        let taken = |holds: bool, what: &str, other: String| {
            let taken_as = format!("{what} where line {line} asks");
            let guess = Guess { name: name.to_string(), taken_as, declaration: format!("{name} = {other}") };
            Some(Answer { guesses: vec![guess], ..told(holds)? })
        };
        match (&question.asks, values) {
            (Asks::Stored, []) if !is_owner(name) => taken(true, "given", self.word("None")),
            (Asks::Stored, _) => later(true),
            (Asks::Given, [Known::Nothing]) => told(false),
            (Asks::Given, []) if name == "grad" => told(true),
            (Asks::Given, []) => taken(true, "given", self.word("None")),
            // What is computed later on is missing in the beginning alone.
            (Asks::Given, _) => later(true),
            // What is asked of a vector depends on its value.
            (Asks::Set | Asks::Equals(_) | Asks::Above(_), []) if POINTS.contains(&name) => None,
            (Asks::Set, [Known::Flag(flag)]) => told(*flag),
            (Asks::Set, [Known::Number(n)]) => told(!n.is_zero()),
            (Asks::Set, [Known::Nothing]) => told(false),
            (Asks::Set, []) => match self.flags.get(name).copied() {
                Some(true) => taken(true, "set, as it is by default,", self.word("False")),
                Some(false) => taken(false, "not set, as it is not by default,", self.word("True")),
                None if OFF.contains(&name) => taken(false, "not set", self.word("True")),
                None => taken(true, "set", self.word("False")),
            },
            (Asks::Equals(n), [Known::Number(v)]) => told(v == n),
            (Asks::Above(n), [Known::Number(v)]) => told(v > n),
            (Asks::Equals(n), []) if n.is_zero() => taken(false, "not zero", "0".to_string()),
            (Asks::Above(n), []) if n.is_zero() => taken(true, "positive", "0".to_string()),
            _ => None,
        }
    }

    /// A word as the language has it.
    fn word(&self, python: &str) -> String {
        match (self.language, python) {
            (Some(Language::Python) | None, _) => python,
            (_, "True") => "true",
            (_, "False") => "false",
            (Some(Language::Julia), _) => "nothing",
            _ => "[]",
        }
        .to_string()
    }
}

fn is_small(n: &Rational) -> bool {
    *n == Rational::ZERO || *n == Rational::ONE
}

fn is_literal(value: &Term) -> bool {
    known(value) != Known::Computed
}

fn known(value: &Term) -> Known {
    match &value.node {
        Node::Number(n) => Known::Number(n.clone()),
        Node::Name(word) => match word.as_str() {
            "True" | "true" => Known::Flag(true),
            "False" | "false" => Known::Flag(false),
            "None" | "nothing" => Known::Nothing,
            _ => Known::Computed,
        },
        Node::Tuple(parts) if parts.is_empty() => Known::Nothing,
        _ => Known::Computed,
    }
}

/// `momentum = group['momentum']`: the same name in another place.
pub fn repeats(value: &Term, name: &str) -> bool {
    match &value.node {
        Node::Name(n) => n == name,
        Node::Attribute(_, n) => n == name,
        Node::Subscript(_, indices) => matches!(&indices[..], [Term { node: Node::Text(t), .. }] if t == name),
        Node::Call(f, arguments) if matches!(&f.node, Node::Attribute(_, get) if get == "get") => {
            arguments.first().is_some_and(|a| matches!(&a.value.node, Node::Text(t) if t == name))
        }
        _ => false,
    }
}

/// `k += 1`, `k = k + 1`.
fn counts(name: &str, change: Change, value: &Term) -> bool {
    let one = |t: &Term| matches!(&t.node, Node::Number(n) if *n == Rational::ONE);
    let own = |t: &Term| base_name(t).is_some_and(|n| n == name);
    match (change, &value.node) {
        (Change::Update(Operator::Add), _) => one(value),
        (Change::Bind, Node::Binary(Operator::Add, a, b)) => own(a) && one(b),
        _ => false,
    }
}

/// A decision that was made, and the names that hang on it.
pub struct Choice {
    /// What was taken for granted.
    pub guesses: Vec<Guess>,
    /// What the arms assign.
    pub names: SortedSet<String>,
}

/// A program with decided branches replaced by the arm that is read.
pub struct Chosen {
    /// The program.
    pub items: Vec<Item>,
    /// Lines of other arms, and heads.
    pub aside: Vec<(Span, Role, &'static str)>,
    /// The decisions.
    pub choices: Vec<Choice>,
}

/// Decides the branches of a program that can be decided.
pub fn choose(items: &[Item], facts: &Facts, source: &Source) -> Chosen {
    let mut chosen = Chosen { items: Vec::new(), aside: Vec::new(), choices: Vec::new() };
    let items = chosen.block(items, facts, source);
    Chosen { items, ..chosen }
}

impl Chosen {
    fn block(&mut self, items: &[Item], facts: &Facts, source: &Source) -> Vec<Item> {
        let mut found = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Branch(arms) => match self.arm(arms, facts, source) {
                    Some(body) => found.extend(self.block(body, facts, source)),
                    None => found.push(item.clone()),
                },
                Item::Loop(l) => {
                    let body = self.block(&l.body, facts, source);
                    found.push(Item::Loop(super::tree::Loop { body, ..l.clone() }));
                }
                Item::Function(f) => {
                    let body = self.block(&f.body, facts, source);
                    found.push(Item::Function(super::tree::Function { body, ..f.clone() }));
                }
                Item::Through(span, body) => found.push(Item::Through(*span, self.block(body, facts, source))),
                Item::Line(..) | Item::End(_) => found.push(item.clone()),
            }
        }
        found
    }

    /// The statements that are run, none if no arm is.
    fn arm<'a>(&mut self, arms: &'a [Arm], facts: &Facts, source: &Source) -> Option<&'a [Item]> {
        let names: SortedSet<String> = arms.iter().flat_map(|a| assigned(&a.body)).collect();
        if names.is_empty() || arms.iter().any(|a| ends(&a.body) || leaves(&a.body).is_some()) {
            return None;
        }
        let (mut guesses, mut read, mut once) = (Vec::new(), None, false);
        for (i, arm) in arms.iter().enumerate() {
            let holds = match &arm.test {
                Test::Otherwise => true,
                test => {
                    let answer = facts.answer(test, source.position(arm.span.start).line)?;
                    once |= answer.once;
                    guesses.extend(answer.guesses);
                    answer.holds
                }
            };
            if holds {
                read = Some(i);
                break;
            }
        }
        for (i, arm) in arms.iter().enumerate() {
            self.aside.push((arm.span, Role::Skipped, "a test that was decided"));
            if Some(i) != read {
                let (role, reason) = match once {
                    true => (Role::Initialization, "the first iteration alone"),
                    false => (Role::Skipped, "the branch that is not read"),
                };
                self.aside.extend(lines(&arm.body).into_iter().map(|span| (span, role, reason)));
            }
        }
        self.choices.push(Choice { guesses, names });
        Some(read.map_or(&[], |i| &arms[i].body))
    }
}

//! State maps of a comparison in words and formulas.

use super::entry::EntryPrinter;
use super::expression::{Names, Printer, product, sum};
use super::show::oracle_name;
use super::speaker::Speaker;
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::Side;
use crate::relation::state_map::{Combination, NoStateMap, Source, States, constants, written};
use crate::relation::words::{WordMap, Words};
use crate::relation::{ROOT, Witness, is_operator};
use crate::system::Atom;
use crate::system::schedule::{Motion, schedule, scheduled, varies};
use crate::transfer::{State, Timing};
use linnaeus_algebra::{Coefficient, Exhausted, Polynomial, RationalFunction, Variable};

impl<'a> Speaker<'a> {
    /// The same speaker for the formulas of a state map.
    pub fn telling(&self, states: &States, repeat: Option<(Side, usize)>) -> Speaker<'a> {
        let (root, begins) = match states {
            States::Commuting(map) => (&map.root, map.begins),
            States::Words(map) => (&map.root, map.begins),
        };
        let roots = root.iter().map(|radicand| (ROOT, radicand.clone())).collect();
        Speaker { repeat, roots, begins: (0, begins), ..*self }
    }

    /// The same speaker for a run that begins at an index.
    pub fn beginning(&self, index: i64) -> Speaker<'a> {
        Speaker { roots: self.roots.clone(), begins: (index, index), ..*self }
    }
}

impl Speaker<'_> {
    /// T, row by row, or why there is none.
    pub fn state_map(&self, states: &States) -> Result<Vec<Vec<String>>, NoStateMap> {
        match states {
            States::Commuting(map) => {
                Ok((0..map.t.rows()).map(|i| map.t.row(i).iter().map(|e| self.rational(e)).collect()).collect())
            }
            States::Words(map) if !map.implicit.is_empty() => {
                let is_iterate = |j: usize| matches!(written(self.second)[j], State::Signal(..));
                let open = map.implicit.iter().flatten().any(|(s, _)| matches!(s, Source::Own(j) if is_iterate(*j)));
                Err(if open { NoStateMap::Words } else { NoStateMap::Answers })
            }
            States::Words(map) => {
                let entry = |words: &Words, s| self.operators(map.letters, &WordMap::coefficient(words, s));
                let row = |(_, words): &(usize, Words)| map.sources.iter().map(|s| entry(words, *s)).collect();
                Ok(map.initialization.iter().map(row).collect())
            }
        }
    }

    /// What T leads from and to: the components of ξ_A and ξ_B in terms of the states of the texts when B begins,
    /// operators as commuting symbols. Where coefficients do not commute these are single vectors.
    pub fn coordinates(&self, states: &States, witness: &Witness) -> [Vec<String>; 2] {
        match states {
            States::Commuting(map) => {
                let sources: Vec<Source> =
                    (0..written(self.second).len()).map(Source::Own).chain(constants(witness)).collect();
                let row = |i: usize| -> Combination {
                    let entries = sources.iter().copied().zip(map.second.row(i).iter().cloned());
                    entries.filter(|(_, c)| !c.is_zero()).collect()
                };
                let second = (0..map.second.rows()).map(|i| self.symbolic(&row(i))).collect();
                [map.first.iter().map(|c| self.symbolic(c)).collect(), second]
            }
            States::Words(map) => [
                map.sources.iter().map(|s| self.source(*s)).collect(),
                map.initialization.iter().map(|(j, _)| self.state(Side::Second, *j)).collect(),
            ],
        }
    }

    /// One equation per state of the second, then what must be zero. States that hold the same are told of once.
    pub fn starts(&self, states: &States) -> Vec<String> {
        let [theirs, ours] = self.both_starts(states);
        theirs.into_iter().chain(ours).collect()
    }

    /// The same apart: how the second starts, and how the first must.
    pub fn both_starts(&self, states: &States) -> [Vec<String>; 2] {
        let mut told = Vec::new();
        self.all_starts(states).map(|lines| {
            let before = told.len();
            lines.into_iter().for_each(|line| {
                if !told.contains(&line) {
                    told.push(line)
                }
            });
            told[before..].to_vec()
        })
    }

    fn all_starts(&self, states: &States) -> [Vec<String>; 2] {
        match states {
            States::Commuting(map) => self.initialization(map),
            States::Words(map) => self.word_starts(map),
        }
    }

    /// What must hold where the first starts, for a constant of the second where one makes up for it: `b = x[0] + p[0]`.
    pub fn required(&self, states: &States) -> Vec<String> {
        let [_, lines] = self.all_starts(states);
        match states {
            States::Words(_) => lines,
            States::Commuting(map) => {
                let equations = lines.into_iter().zip(&map.required);
                equations.map(|(line, equation)| self.for_constant(equation).unwrap_or(line)).collect()
            }
        }
    }

    /// An equation that must hold, solved for a constant of the second that a number multiplies.
    fn for_constant(&self, equation: &Combination) -> Option<String> {
        let is_own = |(s, c): &&(Source, RationalFunction)| {
            matches!(s, Source::Constant(Side::Second, _)) && !c.variables().into_iter().any(is_operator)
        };
        let (constant, factor) = equation.iter().find(is_own)?;
        let mut rest = Combination::new();
        for (source, c) in equation.iter().filter(|(s, _)| s != constant) {
            rest.push((*source, c.neg().div(factor).ok()??));
        }
        let (left, right) = self.sides(&vec![(*constant, RationalFunction::one())], &rest);
        Some(format!("{left} = {right}"))
    }

    /// What is told of where coefficients change with the index, and who tells it.
    fn dated_map<'m>(&'m self, map: &'m WordMap) -> (&'m WordMap, Speaker<'m>) {
        match (self.index, self.at_zero(map)) {
            (None, Some(first)) => (first, Speaker { counted: true, roots: self.roots.clone(), ..*self }),
            (None, None) => {
                let index = Some(self.first.system.letter.as_str());
                (map, Speaker { index, roots: self.roots.clone(), ..*self })
            }
            (Some(_), _) => (map, Speaker { roots: self.roots.clone(), ..*self }),
        }
    }

    /// What the start divides by, but for operators, which stand where they multiply, and for what the answer or A's
    /// own text says of all values.
    pub fn start_conditions(&self, states: &States, witness: &Witness) -> Vec<String> {
        let Some(branch) = witness.branches.first() else { return Vec::new() };
        let below: Vec<Polynomial> = match states {
            States::Commuting(map) => {
                let started = map.initialization.iter().map(|(_, c)| c);
                let all = started.chain(&map.implicit).chain(&map.required).flatten();
                all.map(|(_, c)| c.denominator().clone()).collect()
            }
            States::Words(map) => {
                let (at, _) = self.dated_map(map);
                let started = at.initialization.iter().map(|(_, words)| words);
                let all = started.chain(&at.implicit).chain(&at.required).flatten().flat_map(|(_, c)| c.terms());
                all.map(|(_, c)| c.denominator().clone()).collect()
            }
        };
        let demands = self.demands((&witness.sequences, &witness.assumptions), branch);
        let divisors = branch.nonzero.iter().chain(&demands.positive.polynomials).cloned().chain(self.divisors());
        let said: Vec<Polynomial> = divisors.flat_map(|p| factors(&p)).map(|f| from_origin(&f)).collect();
        let mut found: Vec<Polynomial> = Vec::new();
        for factor in below.iter().flat_map(factors) {
            // A root is zero where that is which it is the root of.
            let root = self.roots.iter().find(|(root, _)| factor == Polynomial::variable(*root));
            for f in root.map_or_else(|| vec![factor.clone()], |(_, radicand)| factors(radicand)) {
                let is_said = f.variables().into_iter().any(is_operator) || said.contains(&from_origin(&f));
                if !is_said && !found.contains(&f) {
                    found.push(f);
                }
            }
        }
        match states {
            States::Commuting(_) => self.exceptions(&found),
            States::Words(map) => self.dated_map(map).1.exceptions(&found),
        }
    }

    /// What A's text divides by, and the steps of its oracles.
    fn divisors(&self) -> Vec<Polynomial> {
        let system = &self.first.system;
        let forms = system.equations.iter().map(|e| &e.form).chain(system.calls.iter().map(|c| &c.argument));
        let coefficients =
            forms.flat_map(|form| form.iter()).flat_map(|(_, c)| c.terms()).map(|(_, c)| c.denominator());
        let steps = system.calls.iter().map(|c| &c.oracle.step);
        let all = coefficients.chain(steps.flat_map(|r| [r.numerator(), r.denominator()]));
        all.map(|p| p.rename(&|v| Side::First.place(v))).collect()
    }

    fn word_starts(&self, map: &WordMap) -> [Vec<String>; 2] {
        let (at, speaker) = self.dated_map(map);
        let zero = |words: &Words| format!("{} = 0", speaker.words(at.letters, words));
        [speaker.changes(at), at.required.iter().map(zero).collect()]
    }

    /// One equation per state of the second.
    pub fn changes(&self, map: &WordMap) -> Vec<String> {
        // Operators need not have inverses, and no start sets what an oracle gives: B's states stand where they are multiplied.
        let implicit = |words: &Words| {
            let (own, others): (Words, Words) = words.iter().cloned().partition(|(s, _)| matches!(s, Source::Own(_)));
            let sides = [own, negated(&others)];
            let [left, right] = sides.each_ref().map(|side| self.words(map.letters, side));
            if turns(&left, &right) {
                let [left, right] = sides.map(|side| self.words(map.letters, &negated(&side)));
                return format!("{left} = {right}");
            }
            format!("{left} = {right}")
        };
        let start = |(j, words): &(usize, Words)| {
            let own = (Source::Own(*j), OperatorPolynomial::one());
            implicit(&[own].into_iter().chain(negated(words)).collect())
        };
        map.initialization.iter().map(start).chain(map.implicit.iter().map(implicit)).collect()
    }

    /// What answers are that B's own text gives before its start, and that the start does not set:
    /// `u1_B[-1] = ∂f(x_B[0])`.
    pub fn own_answers(&self, states: &States) -> Vec<String> {
        let own: Vec<usize> = match states {
            States::Commuting(map) => map.own.clone(),
            States::Words(map) => {
                let map = self.at_zero(map).unwrap_or(map);
                let own = |s: &Source| if let Source::Own(j) = s { Some(*j) } else { None };
                map.sources.iter().filter_map(own).collect()
            }
        };
        own.into_iter().filter_map(|j| self.call_before(j)).collect()
    }

    /// `u1_B[-1] = ∂f(x_B[0])`, where a state is an answer and others tell what was asked.
    fn call_before(&self, state: usize) -> Option<String> {
        let (system, states) = (&self.second.system, written(self.second));
        let State::Answer(channel, age) = states[state] else { return None };
        let channel = &self.second.channels[channel];
        let call = &system.calls[channel.call];
        let moved = Timing::new(system).ok()?.moved[call.equation];
        let mut query = Words::new();
        for (atom, c) in &call.argument {
            let source = match *atom {
                Atom::Signal(s, offset) => {
                    Source::Own(states.iter().position(|x| *x == State::Signal(s, offset + moved + age))?)
                }
                Atom::Constant(j) => Source::Constant(Side::Second, j),
                Atom::Call(_) => return None,
            };
            if c.terms().iter().any(|(_, c)| varies(c)) {
                return None;
            }
            query.push((source, c.map_coefficients(&mut |c| Ok(c.rename(&|v| Side::Second.place(v)))).ok()?));
        }
        let (oracle, query) = (oracle_name(&channel.oracle, system, self.script), self.words(Side::Second, &query));
        Some(format!("{} = {oracle}({query})", self.state(Side::Second, state)))
    }

    /// Whether the initial values are given at an index that is left open, since coefficients have no
    /// value at 0.
    pub fn is_open(&self, states: &States) -> bool {
        matches!(states, States::Words(map) if self.at_zero(map).is_none())
    }

    /// `x[0] - tau*A'*y[0]`.
    pub fn words(&self, letters: Side, words: &Words) -> String {
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        let mut terms = Vec::new();
        for (source, polynomial) in words {
            let system = self.with_others(letters, polynomial);
            let entry = EntryPrinter { system: &system, script: self.script };
            let vector = self.source(*source);
            for (word, c) in polynomial.terms() {
                let (above, below) = (product(c.numerator()), product(c.denominator()));
                let mut factors = printer.factors(&above);
                if !word.is_empty() {
                    factors.push(entry.word(word));
                }
                factors.push(vector.clone());
                terms.push((above.negative != below.negative, printer.quotient(&factors, &printer.factors(&below))));
            }
        }
        sum(terms)
    }

    /// The map where the index is 0; nothing if it is left open.
    pub fn at_zero<'m>(&self, map: &'m WordMap) -> Option<&'m WordMap> {
        let changes = [self.first, self.second].iter().any(|text| !text.system.schedules.is_empty());
        if changes { map.at_zero.as_deref() } else { Some(map) }
    }

    /// Whether the start at index 0 is what the map is in every iteration.
    pub fn is_everywhere(&self, map: &WordMap, first: &WordMap) -> bool {
        let value = |v: Variable| match self.motion(scheduled(v)?.0)? {
            Motion::Clock => Some(RationalFunction::zero()),
            Motion::Power(_) => Some(RationalFunction::one()),
            _ => None,
        };
        let at_zero = |words: &Words| -> Option<Words> {
            let mut at = |c: &RationalFunction| c.substitute(&value)?.ok_or(Exhausted);
            let there = words.iter().map(|(s, p)| Some((*s, p.map_coefficients(&mut at).ok()?)));
            let there: Words = there.collect::<Option<_>>()?;
            Some(there.into_iter().filter(|(_, p)| !p.is_zero()).collect())
        };
        let of = |map: &WordMap| map.initialization.iter().map(|(j, words)| Some((*j, at_zero(words)?))).collect();
        let [there, here]: [Vec<Option<(usize, Words)>>; 2] = [map, first].map(of);
        let rest = |map: &WordMap| map.implicit.iter().chain(&map.required).map(at_zero).collect::<Vec<_>>();
        there == here && rest(map) == rest(first)
    }

    fn motion(&self, j: usize) -> Option<&Motion> {
        let (first, second) = (&self.first.system.schedules.list, &self.second.system.schedules.list);
        first.get(j).or_else(|| second.get(j - first.len())).map(|s| &s.motion)
    }
}

/// The factors of a polynomial, each up to a number, that are no numbers.
fn factors(p: &Polynomial) -> Vec<Polynomial> {
    product(p).factors.into_iter().map(|(f, _)| f).filter(|f| !f.variables().is_empty()).collect()
}

/// A polynomial with its sequences counted from the first value that occurs.
fn from_origin(p: &Polynomial) -> Polynomial {
    let offsets = p.variables().into_iter().filter_map(|v| Some(scheduled(v)?.1));
    let first = offsets.min().unwrap_or(0);
    p.rename(&|v| scheduled(v).map_or(v, |(j, offset)| schedule(j, offset - first)))
}

/// Whether an equation reads better with all its signs changed.
pub fn turns(left: &str, right: &str) -> bool {
    left.starts_with('-') || right.starts_with('-') && left.contains(" - ")
}

fn negated(words: &Words) -> Words {
    words.iter().map(|(s, c)| (*s, c.neg())).collect()
}

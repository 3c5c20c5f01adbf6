//! State maps of a comparison in words and formulas.

use super::entry::EntryPrinter;
use super::expression::{Names, Printer, product, sum};
use super::speaker::Speaker;
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::Side;
use crate::relation::state_map::{NoStateMap, Source, States};
use crate::relation::words::{WordMap, Words};
use crate::system::schedule::{Motion, scheduled};
use linnaeus_algebra::{Coefficient, Exhausted, RationalFunction, Variable};

impl<'a> Speaker<'a> {
    /// The same speaker for the formulas of a state map.
    pub fn telling(&self, states: &States, repeat: Option<(Side, usize)>) -> Speaker<'a> {
        let (root, begins) = match states {
            States::Commuting(map) => (map.root.clone(), 0),
            States::Words(map) => (map.root.clone(), map.begins),
        };
        Speaker { repeat, root, begins, ..*self }
    }
}

impl Speaker<'_> {
    /// T, row by row, or why there is none.
    pub fn state_map(&self, states: &States) -> Result<Vec<Vec<String>>, NoStateMap> {
        match states {
            States::Commuting(map) => {
                Ok((0..map.t.rows()).map(|i| map.t.row(i).iter().map(|e| self.rational(e)).collect()).collect())
            }
            States::Words(map) if map.sources.iter().any(|s| matches!(s, Source::Own(_))) => Err(NoStateMap::Words),
            States::Words(map) => {
                let entry = |words: &Words, s| self.operators(map.letters, &WordMap::coefficient(words, s));
                let row = |(_, words): &(usize, Words)| map.sources.iter().map(|s| entry(words, *s)).collect();
                Ok(map.initialization.iter().map(row).collect())
            }
        }
    }

    /// One equation per state of the second, then what must be zero.
    pub fn starts(&self, states: &States) -> Vec<String> {
        match states {
            States::Commuting(map) => self.initialization(map),
            States::Words(map) => self.word_starts(map),
        }
    }

    fn word_starts(&self, map: &WordMap) -> Vec<String> {
        // Where a coefficient has no value at 0, the first index is another, and is left open.
        if let (None, Ok(Some(first))) = (self.index, self.at_zero(map)) {
            return Speaker { counted: true, root: self.root.clone(), ..*self }.equations(&first);
        }
        Speaker { index: Some(&self.first.system.letter), root: self.root.clone(), ..*self }.equations(map)
    }

    fn equations(&self, map: &WordMap) -> Vec<String> {
        let start = |(j, words): &(usize, Words)| {
            format!("{} = {}", self.state(Side::Second, *j), self.words(map.letters, words))
        };
        // Operators need not have inverses: B's states stand where they are multiplied.
        let zero = |words: &Words| {
            let (own, others): (Words, Words) = words.iter().cloned().partition(|(s, _)| matches!(s, Source::Own(_)));
            let equation = |left: &Words, right: &Words| {
                format!("{} = {}", self.words(map.letters, left), self.words(map.letters, right))
            };
            let line = equation(&own, &negated(&others));
            match (own.is_empty(), line.starts_with('-')) {
                (true, _) => equation(&others, &own),
                (false, true) => equation(&negated(&own), &others),
                (false, false) => line,
            }
        };
        map.initialization.iter().map(start).chain(map.required.iter().map(zero)).collect()
    }

    /// `x[0] - tau*A'*y[0]`.
    pub fn words(&self, letters: Side, words: &Words) -> String {
        let system = if letters == Side::First { &self.first.system } else { &self.second.system };
        let entry = EntryPrinter { system, script: self.script };
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        let mut terms = Vec::new();
        for (source, polynomial) in words {
            let vector = self.source(*source).0;
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

    /// The map where the index is 0; nothing if a coefficient is not defined there.
    fn at_zero(&self, map: &WordMap) -> Result<Option<WordMap>, Exhausted> {
        let value = |v: Variable| match self.motion(scheduled(v)?.0)? {
            Motion::Clock => Some(RationalFunction::zero()),
            Motion::Power(_) => Some(RationalFunction::one()),
            _ => None,
        };
        let mut defined = true;
        let mut at = |p: &OperatorPolynomial| {
            p.map_coefficients(&mut |c| {
                let found = c.substitute(&value)?;
                defined &= found.is_some();
                Ok(found.unwrap_or_else(RationalFunction::zero))
            })
        };
        let mut found = map.clone();
        let starts = found.initialization.iter_mut().map(|(_, words)| words);
        for words in starts.chain(&mut found.required) {
            for (_, p) in words.iter_mut() {
                *p = at(p)?;
            }
            words.retain(|(_, p)| !p.terms().is_empty());
        }
        Ok(defined.then_some(found))
    }

    fn motion(&self, j: usize) -> Option<&Motion> {
        let (first, second) = (&self.first.system.schedules.list, &self.second.system.schedules.list);
        first.get(j).or_else(|| second.get(j - first.len())).map(|s| &s.motion)
    }
}

fn negated(words: &Words) -> Words {
    words.iter().map(|(s, c)| (*s, c.neg())).collect()
}

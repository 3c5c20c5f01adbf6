//! What equations between Markov parameters make of one side's operators. Where all but one operator of an entry is known,
//! that one is made of the words that are left; by which factors is solved for afterwards, as for any other correspondence.

use super::equations::Sequences;
use super::reading::Search;
use super::solving::MORE_LAGS;
use crate::operator::{Letter, OperatorPolynomial, Word, normal};
use crate::relation::behavior::Side;
use crate::relation::correspondence::{Images, Part};
use linnaeus_algebra::{Exhausted, SortedSet};

/// So many words one operator is made of at most.
const WORDS: usize = 40;

/// Words that are equal up to factors: those of an entry of the side whose operators are sought, and those of the other's.
struct Equation {
    sought: Vec<Word>,
    given: SortedSet<Word>,
}

/// One reading, as far as words go.
pub struct Elimination<'a> {
    targets: Part<'a>,
    sources: Part<'a>,
    equations: Vec<Equation>,
    /// Operators of the sources that are inverted.
    inverted: SortedSet<u16>,
}

impl Search<'_> {
    /// The operators of a side in the shift with which both are compared.
    pub fn elimination<'b>(
        &self,
        both: &Sequences,
        side: Side,
        (targets, sources): (Part<'b>, Part<'b>),
    ) -> Result<Elimination<'b>, Exhausted> {
        let words = |p: &OperatorPolynomial| p.terms().into_iter().map(|(word, _)| word.clone()).collect::<Vec<_>>();
        let mut equations = Vec::new();
        let length = both.length.min(MORE_LAGS) as i64;
        let p = both.shift.len();
        for lag in -length..length {
            for (i, j) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))) {
                let other = lag + both.shift[j] - both.shift[i];
                if lag.max(other) >= length {
                    continue;
                }
                let (x, y) = (words(&both.x.entry(lag, i, j)?), words(&both.y.entry(other, i, j)?));
                let (sought, given) = if side == Side::First { (x, y) } else { (y, x) };
                if !sought.is_empty() {
                    equations.push(Equation { sought, given: given.into_iter().collect() });
                }
            }
        }
        // What an argmin holds is said of operators, too.
        for (i, j) in self.hypothesis.order.iter().enumerate() {
            let maps = [&self.a.ports[i], &self.b.ports[*j]].map(|port| port.oracle.map.as_ref().map(words));
            if let [Some(x), Some(y)] = maps {
                let (sought, given) = if side == Side::First { (x, y) } else { (y, x) };
                equations.push(Equation { sought, given: given.into_iter().collect() });
            }
        }
        let plant = if side == Side::First { self.b } else { self.a };
        let r = &plant.realization;
        let entries = [&r.a, &r.b, &r.c, &r.d].into_iter().flat_map(|m| (0..m.rows()).flat_map(|i| m.row(i)));
        let letters = entries.flat_map(words).flatten().filter(|l: &Letter| l.inverse);
        let inverted = letters.map(|l| l.operator).collect();
        Ok(Elimination { targets, sources, equations, inverted })
    }
}

impl Elimination<'_> {
    /// The words that operators are made of, one operator after another; nothing if equations do not say.
    pub fn run(&self, sought: &[usize]) -> Option<Images> {
        let mut known = Images::new();
        while known.len() < sought.len() {
            let read = self.equations.iter().filter_map(|e| self.read(e, &known));
            let (own, words) = read.min_by_key(|(own, words)| (words.len(), *own))?;
            known.insert(own, words);
        }
        self.is_declared(&known).then_some(known)
    }

    /// The only operator in an equation that is not known, if it occurs once.
    fn read(&self, equation: &Equation, known: &Images) -> Option<(usize, Vec<Word>)> {
        let is_open = |l: &Letter| !known.contains_key(&(l.operator as usize));
        let (open, rest): (Vec<&Word>, Vec<&Word>) = equation.sought.iter().partition(|w| w.iter().any(is_open));
        let [word] = open[..] else { return None };
        let place = word.iter().position(is_open)?;
        let (letter, before, after) = (word[place], &word[..place], &word[place + 1..]);
        if after.iter().any(is_open) {
            return None;
        }
        let mut left = equation.given.clone();
        for word in rest {
            left.extend(self.image(word, known)?);
        }
        let turned = |list: SortedSet<Word>| list.iter().map(|w| normal(w.iter().rev().copied())).collect();
        let left = self.quotient(left, &self.image(before, known)?)?;
        // What is divided by on the right is divided by on the left of the words read backwards.
        let left: SortedSet<Word> = turned(self.quotient(turned(left), &turned(self.image(after, known)?))?);
        let mut found: Vec<Word> = left.into_iter().collect();
        if letter.inverse {
            let [word] = &found[..] else { return None };
            found = vec![normal(word.iter().rev().map(|l| l.inverted()))];
        }
        if letter.adjoint {
            found = found.iter().map(|word| self.sources.adjoint(word)).collect();
        }
        let is_whole = |l: &Letter| !l.inverse || self.inverted.contains(&l.operator);
        found.retain(|word| word.iter().all(is_whole));
        found.sort_by_key(|w| (w.len(), w.clone()));
        (!found.is_empty()).then_some((letter.operator as usize, found))
    }

    /// The words of a product of operators that are known; nothing if a sum would have to be inverted.
    fn image(&self, word: &[Letter], known: &Images) -> Option<SortedSet<Word>> {
        let mut found = SortedSet::from_iter([Word::new()]);
        for letter in word {
            let mut words = known[&(letter.operator as usize)].clone();
            if letter.adjoint {
                words = words.iter().map(|w| self.sources.adjoint(w)).collect();
            }
            if letter.inverse {
                let [word] = &words[..] else { return None };
                words = vec![normal(word.iter().rev().map(|l| l.inverted()))];
            }
            let product = |w: &Word| words.iter().map(|v| normal(w.iter().chain(v).copied())).collect::<Vec<_>>();
            found = found.iter().flat_map(product).collect();
            if found.len() > WORDS {
                return None;
            }
        }
        Some(found)
    }

    /// All words of which X may consist where P X consists of some words: the longest word of P times that of X is one of
    /// them, and what is left after that consists of them and of the others of P times that word of X.
    fn quotient(&self, mut product: SortedSet<Word>, divisor: &SortedSet<Word>) -> Option<SortedSet<Word>> {
        let leading = divisor.iter().max_by_key(|w| (w.len(), (*w).clone()))?;
        let mut found = SortedSet::new();
        let mut open: Vec<Word> = product.iter().cloned().collect();
        while let Some(word) = open.pop() {
            let back = leading.iter().rev().map(|l| l.inverted());
            let factor = normal(back.chain(word.iter().copied()));
            let divides = divisor.len() == 1 || factor.len() + leading.len() == word.len();
            if !divides || !found.insert(factor.clone()) {
                continue;
            }
            for other in divisor {
                let more = normal(other.iter().chain(&factor).copied());
                if product.insert(more.clone()) {
                    open.push(more);
                }
            }
            if product.len() > WORDS {
                return None;
            }
        }
        Some(found)
    }

    /// Whether operators are symmetric and commute as they are declared to, whatever the factors are.
    fn is_declared(&self, known: &Images) -> bool {
        let operators = &self.targets.system.operators;
        let commute = |v: &Word, w: &Word| normal(v.iter().chain(w).copied()) == normal(w.iter().chain(v).copied());
        known.iter().all(|(own, words)| {
            let o = &operators[*own];
            let is_kept = !o.symmetric || words.iter().all(|w| self.sources.adjoint(w) == *w);
            let together = |(other, theirs): (&usize, &Vec<Word>)| {
                let is_one = o.class == 0 || own == other || o.class != operators[*other].class;
                is_one || words.iter().all(|v| theirs.iter().all(|w| commute(v, w)))
            };
            is_kept && known.iter().all(together)
        })
    }
}

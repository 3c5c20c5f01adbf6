//! Polynomials in linear operators that need not commute, with rational functions as coefficients.

use linnaeus_algebra::{Coefficient, Exhausted, RationalFunction, spend};
use std::collections::BTreeMap;

/// An operator as it occurs in a word.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter {
    /// Letters of one class commute with each other, and so do their adjoints, but not the one with the
    /// other; 0 is no class.
    pub class: u16,
    /// Which operator.
    pub operator: u16,
    /// A' rather than A. Never set for a symmetric operator.
    pub adjoint: bool,
    /// A⁻¹ rather than A.
    pub inverse: bool,
}

impl Letter {
    /// The letter that cancels this one.
    pub fn inverted(self) -> Letter {
        Letter { inverse: !self.inverse, ..self }
    }
}

/// A product of operators, leftmost applied last; the empty word is the identity.
pub type Word = Vec<Letter>;

/// Σ coefficient · word. No coefficient is zero and no word holds a letter beside its inverse, and
/// letters of one commuting class stand in order, so equality is `==`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OperatorPolynomial {
    terms: BTreeMap<Word, RationalFunction>,
}

impl OperatorPolynomial {
    /// A multiple of the identity.
    pub fn scalar(value: RationalFunction) -> Self {
        let mut terms = BTreeMap::new();
        if !value.is_zero() {
            terms.insert(Word::new(), value);
        }
        OperatorPolynomial { terms }
    }

    /// A single operator.
    pub fn letter(letter: Letter) -> Self {
        OperatorPolynomial { terms: BTreeMap::from([(vec![letter], RationalFunction::one())]) }
    }

    /// The terms in a fixed order, short words first.
    pub fn terms(&self) -> Vec<(&Word, &RationalFunction)> {
        let mut terms: Vec<_> = self.terms.iter().collect();
        terms.sort_by_key(|(word, _)| (word.len(), (*word).clone()));
        terms
    }

    /// The coefficient, if only the identity occurs.
    pub fn as_scalar(&self) -> Option<RationalFunction> {
        match self.terms.len() {
            0 => Some(RationalFunction::zero()),
            1 => self.terms.get(&Word::new()).cloned(),
            _ => None,
        }
    }

    /// Applies a map to every coefficient.
    pub fn map_coefficients(
        &self,
        f: &mut dyn FnMut(&RationalFunction) -> Result<RationalFunction, Exhausted>,
    ) -> Result<Self, Exhausted> {
        let mut terms = BTreeMap::new();
        for (word, coefficient) in &self.terms {
            let value = f(coefficient)?;
            if !value.is_zero() {
                terms.insert(word.clone(), value);
            }
        }
        Ok(OperatorPolynomial { terms })
    }

    /// The terms whose words pass.
    pub fn filtered(&self, passes: &dyn Fn(&Word) -> bool) -> Self {
        let terms = self.terms.iter().filter(|(word, _)| passes(word));
        OperatorPolynomial { terms: terms.map(|(word, c)| (word.clone(), c.clone())).collect() }
    }

    /// The polynomial with its letters replaced; nothing if one has no replacement.
    pub fn map_letters(&self, f: &dyn Fn(Letter) -> Option<Letter>) -> Result<Option<Self>, Exhausted> {
        let mut mapped = Self::zero();
        for (word, coefficient) in &self.terms {
            let Some(letters) = word.iter().map(|l| f(*l)).collect::<Option<Vec<_>>>() else {
                return Ok(None);
            };
            mapped.insert(normal(letters), coefficient.clone())?;
        }
        Ok(Some(mapped))
    }

    /// The value where every letter is replaced by a commuting rational function.
    pub fn commuting(&self, value: &dyn Fn(Letter) -> RationalFunction) -> Result<RationalFunction, Exhausted> {
        let mut sum = RationalFunction::zero();
        for (word, coefficient) in &self.terms {
            let mut product = coefficient.clone();
            for letter in word {
                product = product.mul(&value(*letter))?;
            }
            sum = sum.add(&product)?;
        }
        Ok(sum)
    }

    /// (A B)' = B' A', coefficients being real. `symmetric` says whose adjoint is itself.
    pub fn adjoint(&self, symmetric: &dyn Fn(u16) -> bool) -> Self {
        let flip = |l: &Letter| Letter { adjoint: !symmetric(l.operator) && !l.adjoint, ..*l };
        let terms = self.terms.iter().map(|(word, c)| (normal(word.iter().rev().map(flip)), c.clone())).collect();
        OperatorPolynomial { terms }
    }

    fn insert(&mut self, word: Word, value: RationalFunction) -> Result<(), Exhausted> {
        let sum = match self.terms.get(&word) {
            Some(old) => old.add(&value)?,
            None => value,
        };
        if sum.is_zero() {
            self.terms.remove(&word);
        } else {
            self.terms.insert(word, sum);
        }
        Ok(())
    }
}

/// Cancels inverses and sorts commuting neighbours.
pub(crate) fn normal(letters: impl IntoIterator<Item = Letter>) -> Word {
    let mut word = Word::new();
    for letter in letters {
        let apart = |l: &Letter| l.class == 0 || l.class != letter.class || l.adjoint != letter.adjoint;
        let run = word.iter().rposition(apart).map_or(0, |i| i + 1);
        if letter.class != 0 {
            if let Some(i) = (run..word.len()).find(|&i| word[i] == letter.inverted()) {
                word.remove(i);
            } else {
                let at = (run..word.len()).find(|&i| word[i] > letter).unwrap_or(word.len());
                word.insert(at, letter);
            }
        } else if word.last() == Some(&letter.inverted()) {
            word.pop();
        } else {
            word.push(letter);
        }
    }
    word
}

impl Coefficient for OperatorPolynomial {
    fn zero() -> Self {
        OperatorPolynomial { terms: BTreeMap::new() }
    }

    fn one() -> Self {
        Self::scalar(RationalFunction::one())
    }

    fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    fn add(&self, other: &Self) -> Result<Self, Exhausted> {
        let mut sum = self.clone();
        for (word, value) in &other.terms {
            sum.insert(word.clone(), value.clone())?;
        }
        Ok(sum)
    }

    fn sub(&self, other: &Self) -> Result<Self, Exhausted> {
        self.add(&other.neg())
    }

    fn mul(&self, other: &Self) -> Result<Self, Exhausted> {
        let mut product = Self::zero();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                // A term is dear beside a coefficient operation: words are copied and compared.
                spend(100 + 16 * (left.len() + right.len()) as u64)?;
                product.insert(normal(left.iter().chain(right).copied()), a.mul(b)?)?;
            }
        }
        Ok(product)
    }

    fn neg(&self) -> Self {
        OperatorPolynomial { terms: self.terms.iter().map(|(w, c)| (w.clone(), c.neg())).collect() }
    }

    /// One term has an inverse; a sum has none in this ring.
    fn inverse(&self) -> Result<Option<Self>, Exhausted> {
        if self.terms.len() != 1 {
            return Ok(None);
        }
        let (word, value) = self.terms.iter().next().expect("one term");
        let word = normal(word.iter().rev().map(|l| l.inverted()));
        Ok(value.inverse().map(|v| OperatorPolynomial { terms: BTreeMap::from([(word, v)]) }))
    }

    fn weight(&self) -> usize {
        self.terms.iter().map(|(w, c)| 1 + 8 * w.len() + c.weight()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(operator: u16) -> OperatorPolynomial {
        OperatorPolynomial::letter(Letter { class: 0, operator, adjoint: false, inverse: false })
    }

    fn commuting(operator: u16) -> OperatorPolynomial {
        OperatorPolynomial::letter(Letter { class: 1, operator, adjoint: false, inverse: false })
    }

    #[test]
    fn operators_do_not_commute() {
        let (a, b) = (op(0), op(1));
        assert_ne!(a.mul(&b), b.mul(&a));
        assert_eq!(a.mul(&b).unwrap().sub(&a.mul(&b).unwrap()).unwrap(), OperatorPolynomial::zero());
    }

    #[test]
    fn declared_ones_do() {
        let (a, b) = (commuting(0), commuting(1));
        assert_eq!(a.mul(&b), b.mul(&a));
    }

    #[test]
    fn but_not_with_adjoints() {
        let (a, b) = (commuting(0), commuting(1).adjoint(&|_| false));
        assert_ne!(a.mul(&b), b.mul(&a));
        let (a, c) = (a.adjoint(&|_| false), b.clone());
        assert_eq!(a.mul(&c), c.mul(&a));
    }

    #[test]
    fn inverses_cancel() {
        for (a, b) in [(op(0), op(1)), (commuting(0), commuting(1))] {
            let ab = a.mul(&b).unwrap();
            assert_eq!(ab.mul(&ab.inverse().unwrap().unwrap()).unwrap(), OperatorPolynomial::one());
            assert_eq!(ab.inverse().unwrap().unwrap().mul(&ab).unwrap(), OperatorPolynomial::one());
        }
        assert_eq!(op(0).add(&op(1)).unwrap().inverse().unwrap(), None);
    }

    #[test]
    fn adjoint_reverses() {
        let ab = op(0).mul(&op(1)).unwrap();
        let back = ab.adjoint(&|_| false).adjoint(&|_| false);
        assert_eq!(ab, back);
        assert_ne!(ab.adjoint(&|_| false), ab);
    }
}

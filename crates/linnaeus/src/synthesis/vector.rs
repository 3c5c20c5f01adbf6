//! A linear combination as an expression that takes few operations.

use super::typed::Gain;
use crate::operator::{Letter, OperatorPolynomial, Word};
use linnaeus_algebra::{Coefficient, Exhausted, Integer, Polynomial, RationalFunction, SortedMap};

/// A vector as it is computed.
#[derive(Clone, Debug, PartialEq)]
pub enum Vector {
    /// A vector that has a name.
    Value(usize),
    /// Terms, each with whether it is subtracted; no terms are zero.
    Sum(Vec<(bool, Vector)>),
    /// A multiple, the number not 1.
    Scale(RationalFunction, Box<Vector>),
    /// A letter applied.
    Apply(Letter, Box<Vector>),
    /// The inverse of a sum of operators applied.
    Solve(OperatorPolynomial, Box<Vector>),
    /// The answer of a port.
    Call(usize, Box<Vector>),
}

/// Σ gain · value.
pub type Combination = SortedMap<usize, Gain>;

/// What it costs to compute vectors.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// Operators and sums of operators inverted.
    pub inversions: usize,
    /// Operators applied.
    pub applications: usize,
    /// Vectors added.
    pub additions: usize,
    /// Vectors multiplied by a number.
    pub scalings: usize,
}

impl Cost {
    /// One number to compare by: an operator is worth several vector operations, an inverse many.
    pub fn total(self) -> usize {
        20 * self.inversions + 4 * self.applications + self.additions + self.scalings
    }

    fn plus(self, other: Cost) -> Cost {
        Cost {
            inversions: self.inversions + other.inversions,
            applications: self.applications + other.applications,
            additions: self.additions + other.additions,
            scalings: self.scalings + other.scalings,
        }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(all: I) -> Cost {
        all.fold(Cost::default(), Cost::plus)
    }
}

impl Vector {
    /// The operations in it; what oracles do is not counted.
    pub fn cost(&self) -> Cost {
        match self {
            Vector::Value(_) => Cost::default(),
            Vector::Sum(terms) => {
                let leading = usize::from(!terms.is_empty() && terms.iter().all(|(minus, _)| *minus));
                let own = Cost { additions: terms.len().saturating_sub(1), scalings: leading, ..Cost::default() };
                terms.iter().map(|(_, v)| v.cost()).sum::<Cost>().plus(own)
            }
            Vector::Scale(_, v) => v.cost().plus(Cost { scalings: 1, ..Cost::default() }),
            Vector::Apply(letter, v) if !letter.inverse => v.cost().plus(Cost { applications: 1, ..Cost::default() }),
            Vector::Apply(_, v) | Vector::Solve(_, v) => v.cost().plus(Cost { inversions: 1, ..Cost::default() }),
            Vector::Call(_, v) => v.cost(),
        }
    }

    /// Calls `visit` on this expression and all that it contains, in the order of the text.
    pub fn walk(&self, visit: &mut dyn FnMut(&Vector)) {
        visit(self);
        match self {
            Vector::Value(_) => {}
            Vector::Sum(terms) => terms.iter().for_each(|(_, v)| v.walk(visit)),
            Vector::Scale(_, v) | Vector::Apply(_, v) | Vector::Solve(_, v) | Vector::Call(_, v) => v.walk(visit),
        }
    }

    /// Calls `visit` on every value in it.
    pub fn values(&self, visit: &mut dyn FnMut(usize)) {
        self.walk(&mut |v| {
            if let Vector::Value(id) = v {
                visit(*id);
            }
        });
    }

    /// The ports that it calls, as texts are read: a call in the query of another comes first.
    pub fn calls(&self) -> Vec<usize> {
        match self {
            Vector::Value(_) => Vec::new(),
            Vector::Sum(terms) => terms.iter().flat_map(|(_, v)| v.calls()).collect(),
            Vector::Scale(_, v) | Vector::Apply(_, v) | Vector::Solve(_, v) => v.calls(),
            Vector::Call(port, v) => v.calls().into_iter().chain([*port]).collect(),
        }
    }

    /// The expression with calls of other ports.
    pub fn map_ports(&self, f: &dyn Fn(usize) -> usize) -> Vector {
        let deep = |v: &Vector| Box::new(v.map_ports(f));
        match self {
            Vector::Value(v) => Vector::Value(*v),
            Vector::Sum(terms) => Vector::Sum(terms.iter().map(|(minus, v)| (*minus, v.map_ports(f))).collect()),
            Vector::Scale(c, v) => Vector::Scale(c.clone(), deep(v)),
            Vector::Apply(letter, v) => Vector::Apply(*letter, deep(v)),
            Vector::Solve(p, v) => Vector::Solve(p.clone(), deep(v)),
            Vector::Call(port, v) => Vector::Call(f(*port), deep(v)),
        }
    }

    /// The expression with every value replaced.
    pub fn map_values(&self, f: &dyn Fn(usize) -> Vector) -> Vector {
        let deep = |v: &Vector| Box::new(v.map_values(f));
        match self {
            Vector::Value(v) => f(*v),
            Vector::Sum(terms) => Vector::Sum(terms.iter().map(|(minus, v)| (*minus, v.map_values(f))).collect()),
            Vector::Scale(c, v) => Vector::Scale(c.clone(), deep(v)),
            Vector::Apply(letter, v) => Vector::Apply(*letter, deep(v)),
            Vector::Solve(p, v) => Vector::Solve(p.clone(), deep(v)),
            Vector::Call(port, v) => Vector::Call(*port, deep(v)),
        }
    }
}

/// The number that is pulled out of a combination without inverses of sums when it is written.
pub fn leading_factor(combination: &Combination) -> Result<RationalFunction, Exhausted> {
    let terms = combination.iter().flat_map(|(value, gain)| {
        let terms = gain.above.terms().into_iter();
        terms.map(|(word, c)| Term { factor: c.clone(), word: word.clone(), value: *value })
    });
    Ok(pulled(items(terms.collect())?)?.0)
}

/// Writes a combination: operators that are applied last are factored out, then numbers.
pub fn written(combination: &Combination) -> Result<Vector, Exhausted> {
    let mut inverted: Vec<(OperatorPolynomial, Vec<Term>)> = Vec::new();
    for (value, gain) in combination {
        let terms = gain.above.terms().into_iter();
        let terms = terms.map(|(word, c)| Term { factor: c.clone(), word: word.clone(), value: *value });
        match inverted.iter_mut().find(|(p, _)| *p == gain.below) {
            Some((_, list)) => list.extend(terms),
            None => inverted.push((gain.below.clone(), terms.collect())),
        }
    }
    let mut items = Vec::new();
    for (below, terms) in inverted {
        if below == OperatorPolynomial::one() {
            items.extend(self::items(terms)?);
        } else {
            let (factor, inner) = pulled(self::items(terms)?)?;
            items.push((factor, Vector::Solve(below, Box::new(inner))));
        }
    }
    sum(shared(items)?)
}

struct Term {
    factor: RationalFunction,
    word: Word,
    value: usize,
}

/// A number times a vector.
type Item = (RationalFunction, Vector);

/// Terms without an operator one by one, the others by the letter that acts last.
fn items(terms: Vec<Term>) -> Result<Vec<Item>, Exhausted> {
    let mut items = Vec::new();
    let mut groups: Vec<(Letter, Vec<Term>)> = Vec::new();
    for mut term in terms {
        if term.word.is_empty() {
            items.push((term.factor, Vector::Value(term.value)));
            continue;
        }
        let letter = term.word.remove(0);
        match groups.iter_mut().find(|(l, _)| *l == letter) {
            Some((_, list)) => list.push(term),
            None => groups.push((letter, vec![term])),
        }
    }
    for (letter, terms) in groups {
        let (factor, inner) = pulled(self::items(terms)?)?;
        items.push((factor, Vector::Apply(letter, Box::new(inner))));
    }
    Ok(items)
}

/// The number without its sign, and whether that is a minus.
fn split_sign(c: &RationalFunction) -> (bool, RationalFunction) {
    if c.numerator().leading_coefficient() < Integer::ZERO { (true, c.neg()) } else { (false, c.clone()) }
}

/// A sum with the number pulled out that leaves the fewest multiples, and of those the simplest.
fn pulled(items: Vec<Item>) -> Result<Item, Exhausted> {
    let mut candidates = vec![RationalFunction::one()];
    for c in items.iter().flat_map(|(c, _)| [c.clone(), c.neg()]) {
        if !candidates.contains(&c) {
            candidates.push(c);
        }
    }
    let own: Vec<&Polynomial> = items.iter().map(|(c, _)| c.denominator()).collect();
    let mut best: Option<([usize; 6], RationalFunction)> = None;
    // Quotients by a number and by its negative differ in sign alone.
    let mut known: Vec<(RationalFunction, Vec<(bool, RationalFunction)>)> = Vec::new();
    for candidate in candidates {
        let (turned, size) = split_sign(&candidate);
        if !known.iter().any(|(s, _)| *s == size) {
            let quotient = |(c, _): &Item| Ok(split_sign(&c.div(&size)?.expect("no term is zero")));
            let quotients = items.iter().map(quotient).collect::<Result<Vec<_>, Exhausted>>()?;
            known.push((size.clone(), quotients));
        }
        let quotients = known.iter().find(|(s, _)| *s == size).map_or(&[][..], |(_, q)| q);
        let mut multiples: Vec<&RationalFunction> = Vec::new();
        let mut negative = 0;
        for (minus, size) in quotients {
            negative += usize::from(*minus != turned);
            if !size.is_one() && !multiples.contains(&size) {
                multiples.push(size);
            }
        }
        let fractions = multiples.iter().filter(|m| !m.denominator().is_one()).count();
        // What may be zero is divided by only where that cannot be helped.
        let divisions = multiples.iter().filter(|m| divides(m)).count() + usize::from(divides(&candidate));
        // What no term is divided by is divided by even less gladly.
        let mut strange = 0;
        for below in multiples.iter().map(|m| m.denominator()).chain([candidate.denominator()]) {
            strange += usize::from(!divides_one_of(below, &own)?);
        }
        let key = [strange, divisions, multiples.len(), fractions, negative, usize::from(split_sign(&candidate).0)];
        if best.as_ref().is_none_or(|(least, _)| key < *least) {
            best = Some((key, candidate));
        }
    }
    let factor = best.expect("1 at least").1;
    let scaled = items.into_iter().map(|(c, v)| Ok((c.div(&factor)?.expect("no term is zero"), v)));
    let scaled: Vec<Item> = scaled.collect::<Result<_, Exhausted>>()?;
    Ok((factor, sum(scaled)?))
}

/// Whether a polynomial is a number, or a factor of one of several others.
pub fn divides_one_of(below: &Polynomial, others: &[&Polynomial]) -> Result<bool, Exhausted> {
    if below.is_constant() {
        return Ok(true);
    }
    for other in others {
        if *other == below || other.exact_divide(below)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a number is a quotient by a parameter.
pub fn divides(c: &RationalFunction) -> bool {
    !c.denominator().is_constant()
}

/// A number that several terms share is pulled out of those, if that saves multiples.
fn shared(items: Vec<Item>) -> Result<Vec<Item>, Exhausted> {
    let multiples = |list: &[RationalFunction]| {
        let mut found: Vec<RationalFunction> = Vec::new();
        for c in list.iter().map(|c| split_sign(c).1).filter(|c| !c.is_one()) {
            if !found.contains(&c) {
                found.push(c);
            }
        }
        found.len()
    };
    let mut best: Option<(usize, Vec<usize>)> = None;
    let mut factors: Vec<RationalFunction> = Vec::new();
    for size in items.iter().map(|(c, _)| split_sign(c).1).filter(|c| !c.is_one()) {
        if !factors.contains(&size) {
            factors.push(size);
        }
    }
    // Equal numbers are pulled out in any case.
    if factors.len() < 2 {
        return Ok(items);
    }
    for factor in &factors {
        let mut members = Vec::new();
        let mut left = Vec::new();
        for (i, (c, _)) in items.iter().enumerate() {
            let quotient = c.div(factor)?.expect("no term is zero");
            if quotient.denominator().is_one() {
                members.push(i);
                left.push(quotient);
            }
        }
        let own: Vec<RationalFunction> = members.iter().map(|&i| items[i].0.clone()).collect();
        let saved = multiples(&own).saturating_sub(multiples(&left) + 1);
        if members.len() > 1 && saved > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((saved, members));
        }
    }
    let Some((_, members)) = best else { return Ok(items) };
    let (inside, mut outside): (Vec<_>, Vec<_>) = items.into_iter().enumerate().partition(|(i, _)| members.contains(i));
    let inside = pulled(inside.into_iter().map(|(_, item)| item).collect())?;
    let mut found: Vec<Item> = outside.drain(..).map(|(_, item)| item).collect();
    found.push(inside);
    Ok(found)
}

/// The sum; vectors with the same multiple are added first.
fn sum(items: Vec<Item>) -> Result<Vector, Exhausted> {
    let mut groups: Vec<(RationalFunction, Vec<(bool, Vector)>)> = Vec::new();
    for (c, v) in items {
        let (minus, size) = split_sign(&c);
        match groups.iter_mut().find(|(s, _)| *s == size && !size.is_one()) {
            Some((_, list)) => list.push((minus, v)),
            None => groups.push((size, vec![(minus, v)])),
        }
    }
    let term = |(size, mut list): (RationalFunction, Vec<(bool, Vector)>)| {
        let minus = list.iter().all(|(minus, _)| *minus);
        if minus {
            list.iter_mut().for_each(|(m, _)| *m = false);
        }
        let inner = if list.len() == 1 { list.remove(0).1 } else { Vector::Sum(positive_first(list)) };
        // `(1 - beta)*x` reads better than `-(beta - 1)*x`.
        let (minus, size) = if minus && is_mixed(&size) { (false, size.neg()) } else { (minus, size) };
        (minus, if size.is_one() { inner } else { Vector::Scale(size, Box::new(inner)) })
    };
    let mut terms = positive_first(groups.into_iter().map(term).collect());
    Ok(match terms.as_slice() {
        [(false, _)] => terms.remove(0).1,
        _ => Vector::Sum(terms),
    })
}

/// Whether a number is a difference, which is as well written the other way round.
fn is_mixed(c: &RationalFunction) -> bool {
    let positive = c.numerator().terms().filter(|(_, n)| **n > Integer::ZERO).count();
    positive > 0 && positive < c.numerator().term_count()
}

/// A sum begins with a term that is added, if there is one.
fn positive_first(mut terms: Vec<(bool, Vector)>) -> Vec<(bool, Vector)> {
    if let Some(first) = terms.iter().position(|(minus, _)| !minus) {
        let term = terms.remove(first);
        terms.insert(0, term);
    }
    terms
}

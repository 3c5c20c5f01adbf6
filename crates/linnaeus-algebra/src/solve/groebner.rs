//! Gröbner bases by Buchberger's algorithm.
//!
//! The coefficients are polynomials in the variables outside the ring; nothing is divided, so the
//! basis is one over the field of fractions. Pairs are thrown away by the criteria of R. Gebauer
//! and H. M. Möller (*On an installation of Buchberger's algorithm*, 1988) and chosen by sugar.

use std::cmp::Ordering;

use crate::gcd::gcd_of;
use crate::{Exhausted, Polynomial, SortedMap, Variable, spend};

/// The variables of the ring, the largest first, in blocks: monomials are compared by the first
/// block, then by the second, and so on; within a block by degree, then reverse lexicographically.
pub(super) struct Ring {
    variables: Vec<Variable>,
    /// The end of each block.
    blocks: Vec<usize>,
}

impl Ring {
    /// The lexicographic order.
    pub(super) fn lexicographic(variables: Vec<Variable>) -> Self {
        let blocks = (1..=variables.len()).collect();
        Ring { variables, blocks }
    }

    /// The order that eliminates the first variable, by degree in the others.
    pub(super) fn eliminating_first(variables: Vec<Variable>) -> Self {
        let blocks = vec![1, variables.len()];
        Ring { variables, blocks }
    }

    /// The order by degree.
    fn by_degree(variables: Vec<Variable>) -> Self {
        let blocks = vec![variables.len()];
        Ring { variables, blocks }
    }

    fn compare(&self, a: &Exponents, b: &Exponents) -> Ordering {
        let mut start = 0;
        for &end in &self.blocks {
            let (a, b) = (&a[start..end], &b[start..end]);
            let degree = |e: &[u32]| e.iter().map(|&e| u64::from(e)).sum::<u64>();
            let reverse = || b.iter().rev().cmp(a.iter().rev());
            let order = degree(a).cmp(&degree(b)).then_with(reverse);
            if order != Ordering::Equal {
                return order;
            }
            start = end;
        }
        Ordering::Equal
    }

    /// The polynomial as a sum of monomials of the ring, descending.
    fn element(&self, p: &Polynomial) -> Element {
        let mut groups: SortedMap<Exponents, Vec<_>> = SortedMap::new();
        for (powers, c) in p.terms() {
            let mut exponents = vec![0; self.variables.len()];
            let mut rest = Vec::new();
            for (v, e) in powers {
                match self.variables.iter().position(|&w| w == v) {
                    Some(i) => exponents[i] = e,
                    None => rest.push((v, e)),
                }
            }
            groups.entry(exponents).or_default().push((rest, c.clone()));
        }
        let coefficient = |(e, terms): (Exponents, Vec<_>)| (e, Polynomial::from_terms(terms));
        let mut terms: Vec<_> = groups.into_iter().map(coefficient).collect();
        terms.sort_by(|(a, _), (b, _)| self.compare(b, a));
        Element { terms }
    }

    fn polynomial(&self, element: &Element) -> Polynomial {
        let term = |(exponents, c): &(Exponents, Polynomial)| {
            let powers = self.variables.iter().zip(exponents).filter(|&(_, &e)| e > 0);
            powers.fold(c.clone(), |p, (&v, &e)| p.times_power(v, e))
        };
        Polynomial::sum(element.terms.iter().map(term).collect())
    }
}

type Exponents = Vec<u32>;

/// A sum of monomials with nonzero coefficients, descending.
#[derive(Clone, Default)]
struct Element {
    terms: Vec<(Exponents, Polynomial)>,
}

impl Element {
    fn lead(&self) -> &Exponents {
        &self.terms[0].0
    }

    fn degree(&self) -> u32 {
        self.terms.iter().map(|(e, _)| e.iter().sum()).max().unwrap_or(0)
    }

    /// The element without the common factor of its coefficients.
    fn primitive(mut self) -> Result<Self, Exhausted> {
        let content = gcd_of(self.terms.iter().map(|(_, c)| c))?;
        if !content.is_one() && !content.is_zero() {
            for (_, c) in &mut self.terms {
                *c = c.exact_divide(&content)?.expect("the content divides");
            }
        }
        Ok(self)
    }

    /// a · self − b · x^shift · other.
    fn combine(
        &self,
        a: &Polynomial,
        b: &Polynomial,
        shift: &[u32],
        other: &Element,
        ring: &Ring,
    ) -> Result<Self, Exhausted> {
        spend((self.terms.len() + other.terms.len()) as u64)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let moved = |e: &Exponents| -> Exponents { e.iter().zip(shift).map(|(e, s)| e + s).collect() };
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Greater,
                (None, Some(_)) => Ordering::Less,
                (Some((e, _)), Some((f, _))) => ring.compare(e, &moved(f)),
            };
            let mut exponents = None;
            let mut sum = Polynomial::zero();
            if order != Ordering::Less {
                let (e, c) = left.next().expect("peeked");
                sum = c.mul(a)?;
                exponents = Some(e.clone());
            }
            if order != Ordering::Greater {
                let (e, c) = right.next().expect("peeked");
                sum = sum - c.mul(b)?;
                exponents = Some(moved(e));
            }
            if !sum.is_zero() {
                terms.push((exponents.expect("one side had a term"), sum));
            }
        }
        Ok(Element { terms })
    }
}

fn divides(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}

fn lcm(a: &[u32], b: &[u32]) -> Exponents {
    a.iter().zip(b).map(|(&a, &b)| a.max(b)).collect()
}

fn quotient(a: &[u32], b: &[u32]) -> Exponents {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn coprime(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(&a, &b)| a == 0 || b == 0)
}

/// Both polynomials without their greatest common divisor.
fn cofactors(a: &Polynomial, b: &Polynomial) -> Result<(Polynomial, Polynomial), Exhausted> {
    let gcd = a.gcd(b)?;
    let divide =
        |p: &Polynomial| -> Result<Polynomial, Exhausted> { Ok(p.exact_divide(&gcd)?.expect("the gcd divides")) };
    Ok((divide(a)?, divide(b)?))
}

/// A pair of basis elements whose leading terms are to cancel.
struct Pair {
    i: usize,
    j: usize,
    lcm: Exponents,
    sugar: u32,
}

/// The state of Buchberger's algorithm.
struct Buchberger<'a> {
    ring: &'a Ring,
    /// The elements with their sugar: the degree they would have if all had been homogeneous.
    elements: Vec<(Element, u32)>,
    /// Is the leading monomial not a multiple of a later one?
    active: Vec<bool>,
    pairs: Vec<Pair>,
}

/// The reduced Gröbner basis of the ideal over the field of fractions, as primitive polynomials in
/// ascending order of their leading monomials; 1 alone if there is no common zero.
pub(super) fn basis(ring: &Ring, ideal: &[&Polynomial]) -> Result<Vec<Polynomial>, Exhausted> {
    let mut state = Buchberger { ring, elements: Vec::new(), active: Vec::new(), pairs: Vec::new() };
    let generators = ideal.iter().filter(|p| !p.is_zero()).map(|p| ring.element(p));
    let mut generators: Vec<Element> = generators.collect();
    generators.sort_by(|a, b| ring.compare(a.lead(), b.lead()));
    for generator in generators {
        let sugar = generator.degree();
        if state.admit(generator, sugar)? {
            return Ok(vec![Polynomial::one()]);
        }
    }
    while let Some(pair) = state.next_pair() {
        let s = state.s_polynomial(&pair)?;
        if state.admit(s, pair.sugar)? {
            return Ok(vec![Polynomial::one()]);
        }
    }
    state.reduced()
}

impl Buchberger<'_> {
    /// Reduces an element and adds it to the basis; says whether it became a unit.
    fn admit(&mut self, element: Element, sugar: u32) -> Result<bool, Exhausted> {
        let active: Vec<&Element> = self.active_elements().collect();
        let element = reduce(element, &active, self.ring, divides)?;
        if element.terms.is_empty() {
            return Ok(false);
        }
        if element.lead().iter().all(|&e| e == 0) {
            return Ok(true);
        }
        self.update(element, sugar);
        Ok(false)
    }

    fn active_elements(&self) -> impl Iterator<Item = &Element> {
        let all = self.elements.iter().zip(&self.active);
        all.filter(|&(_, &active)| active).map(|((element, _), _)| element)
    }

    fn next_pair(&mut self) -> Option<Pair> {
        let compare = |&a: &usize, &b: &usize| {
            let (a, b) = (&self.pairs[a], &self.pairs[b]);
            let by_lcm = || self.ring.compare(&a.lcm, &b.lcm);
            a.sugar.cmp(&b.sugar).then_with(by_lcm)
        };
        let best = (0..self.pairs.len()).min_by(compare)?;
        Some(self.pairs.swap_remove(best))
    }

    fn s_polynomial(&self, pair: &Pair) -> Result<Element, Exhausted> {
        let (f, g) = (&self.elements[pair.i].0, &self.elements[pair.j].0);
        let (b, a) = cofactors(&f.terms[0].1, &g.terms[0].1)?;
        let zero = Element::default();
        let minus_one = Polynomial::integer(-1);
        let shift = quotient(&pair.lcm, f.lead());
        let left = zero.combine(&Polynomial::one(), &minus_one, &shift, f, self.ring)?;
        left.combine(&a, &b, &quotient(&pair.lcm, g.lead()), g, self.ring)
    }

    /// Adds an element with the pairs it makes, by the criteria of Gebauer and Möller.
    fn update(&mut self, element: Element, sugar: u32) {
        let k = self.elements.len();
        let lead = element.lead().clone();
        // B: an old pair is superfluous if the new leading monomial divides its lcm properly.
        let leads: Vec<&Exponents> = self.elements.iter().map(|(e, _)| e.lead()).collect();
        self.pairs.retain(|pair| {
            !divides(&lead, &pair.lcm) || lcm(leads[pair.i], &lead) == pair.lcm || lcm(leads[pair.j], &lead) == pair.lcm
        });
        // M and F: of the new pairs, those with a minimal lcm, one for each lcm, a coprime one if
        // there is one.
        let degree = |e: &[u32]| e.iter().sum::<u32>();
        let mut new: Vec<Pair> = Vec::new();
        for (i, (other, other_sugar)) in self.elements.iter().enumerate() {
            if !self.active[i] {
                continue;
            }
            let lcm = lcm(other.lead(), &lead);
            let total = degree(&lcm);
            let excess = |sugar: u32, lead: &[u32]| sugar.saturating_sub(degree(lead));
            let sugar = total + excess(sugar, &lead).max(excess(*other_sugar, other.lead()));
            new.push(Pair { i, j: k, lcm, sugar });
        }
        let is_coprime = |pair: &Pair| coprime(leads[pair.i], &lead);
        let mut kept: Vec<Pair> = Vec::new();
        new.sort_by_key(|pair| (degree(&pair.lcm), !is_coprime(pair)));
        for pair in new {
            if !kept.iter().any(|other| divides(&other.lcm, &pair.lcm)) {
                kept.push(pair);
            }
        }
        kept.retain(|pair| !is_coprime(pair));
        for (active, other) in self.active.iter_mut().zip(&leads) {
            *active &= !divides(&lead, other);
        }
        self.pairs.extend(kept);
        self.elements.push((element, sugar));
        self.active.push(true);
    }

    /// The elements with minimal leading monomials, each reduced by the others.
    fn reduced(&self) -> Result<Vec<Polynomial>, Exhausted> {
        let minimal: Vec<&Element> = self.active_elements().collect();
        let mut reduced = Vec::with_capacity(minimal.len());
        for (i, element) in minimal.iter().enumerate() {
            let others: Vec<&Element> = minimal.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, e)| *e).collect();
            reduced.push(reduce((*element).clone(), &others, self.ring, divides)?);
        }
        reduced.sort_by(|a, b| self.ring.compare(a.lead(), b.lead()));
        Ok(reduced.iter().map(|e| self.ring.polynomial(e).primitive_part()).collect())
    }
}

/// A multiple of the element by a nonzero coefficient, primitive, from which all terms are removed
/// whose monomials a leading monomial of the basis `fits`.
fn reduce(
    element: Element,
    basis: &[&Element],
    ring: &Ring,
    fits: fn(&[u32], &[u32]) -> bool,
) -> Result<Element, Exhausted> {
    let mut done = 0;
    let mut element = element.primitive()?;
    while done < element.terms.len() {
        let (exponents, c) = &element.terms[done];
        let Some(divisor) = basis.iter().find(|g| fits(g.lead(), exponents)) else {
            done += 1;
            continue;
        };
        let shift = quotient(exponents, divisor.lead());
        let (a, b) = cofactors(&divisor.terms[0].1, c)?;
        let next = element.combine(&a, &b, &shift, divisor, ring)?;
        element = if a.is_one() { next } else { next.primitive()? };
    }
    element.primitive()
}

/// The reduced echelon form of the polynomials as linear combinations of monomials in the
/// variables: those of high degree are eliminated first.
///
/// Returned only if it has fewer monomials than the polynomials, because combinations may hide
/// factors.
pub(super) fn echelon_form(
    variables: Vec<Variable>,
    polynomials: &[&Polynomial],
) -> Result<Option<Vec<Polynomial>>, Exhausted> {
    if polynomials.len() < 2 {
        return Ok(None);
    }
    let ring = Ring::by_degree(variables);
    let equal = |a: &[u32], b: &[u32]| a == b;
    let given: Vec<Element> = polynomials.iter().map(|p| ring.element(p)).filter(|e| !e.terms.is_empty()).collect();
    let occurs = |i: usize, row: &Element| row.terms.iter().any(|(e, _)| e == given[i].lead());
    if (0..given.len()).all(|i| given.iter().enumerate().all(|(j, row)| i == j || !occurs(i, row))) {
        return Ok(None);
    }
    let monomials = given.iter().map(|row| row.terms.len()).sum::<usize>();
    let mut rows: Vec<Element> = Vec::new();
    for row in given {
        let row = reduce(row, &rows.iter().collect::<Vec<_>>(), &ring, equal)?;
        if row.terms.is_empty() {
            continue;
        }
        for other in &mut rows {
            *other = reduce(std::mem::take(other), &[&row], &ring, equal)?;
        }
        rows.push(row);
    }
    let shorter = rows.iter().map(|row| row.terms.len()).sum::<usize>() < monomials;
    let polynomials = rows.iter().map(|row| ring.polynomial(row).primitive_part());
    Ok(shorter.then(|| polynomials.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> [Polynomial; 3] {
        [0, 1, 2].map(|i| Polynomial::variable(Variable(i)))
    }

    #[test]
    fn cyclic_three_is_triangular() {
        let [x, y, z] = variables();
        let xy = x.mul(&y).unwrap();
        let ideal = [
            &x + &y + z.clone(),
            &xy + y.mul(&z).unwrap() + z.mul(&x).unwrap(),
            xy.mul(&z).unwrap() - Polynomial::one(),
        ];
        let ring = Ring::lexicographic(vec![Variable(0), Variable(1), Variable(2)]);
        let basis = basis(&ring, &ideal.each_ref()).unwrap();
        let last = z.pow(3).unwrap() - Polynomial::one();
        let middle = y.square().unwrap() + y.mul(&z).unwrap() + z.square().unwrap();
        assert_eq!(basis.len(), 3);
        assert_eq!(basis[0], last);
        assert_eq!(basis[1], middle.primitive_part());
        assert_eq!(basis[2], (x + y + z).primitive_part());
    }

    #[test]
    fn coefficients_may_have_parameters() {
        // p x = 1, x y = p: y = p², which needs no division by a polynomial.
        let [x, y, p] = variables();
        let ideal = [p.mul(&x).unwrap() - Polynomial::one(), x.mul(&y).unwrap() - p.clone()];
        let ring = Ring::lexicographic(vec![Variable(0), Variable(1)]);
        let basis = basis(&ring, &ideal.each_ref()).unwrap();
        assert!(basis.contains(&(y - p.square().unwrap()).primitive_part()));
    }

    #[test]
    fn no_common_zero() {
        let [x, y, _] = variables();
        let one = Polynomial::one();
        let ideal = [x.mul(&y).unwrap() - one.clone(), x.clone()];
        let ring = Ring::eliminating_first(vec![Variable(0), Variable(1)]);
        assert_eq!(basis(&ring, &ideal.each_ref()).unwrap(), [one]);
    }
}

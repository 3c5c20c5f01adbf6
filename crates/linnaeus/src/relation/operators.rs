//! How the operators of two algorithms can correspond: each family holds for every operator, so
//! those of the one may be functions of those of the other.

use super::behavior::{Behavior, Port, Side, is_rectangular, owner};
use super::state_map::ROOT;
use super::verdict::Witness;
use crate::operator::{Letter, OperatorPolynomial, Word};
use crate::system::{LinearSystem, Space, Z, operator_symbol};
use crate::transfer::Analysis;
use linnaeus_algebra::{Coefficient, Exhausted, Polynomial, RationalFunction, Variable};
use std::sync::Arc;

/// The sought side's operators in terms of the given side's.
#[derive(Clone, Debug, Default)]
pub struct OperatorMap {
    /// What each becomes.
    pub values: Vec<(Variable, RationalFunction)>,
    /// Coefficients in those values, to be found.
    pub unknowns: Vec<Variable>,
    /// Those coefficients that may not vanish.
    pub nonzero: Vec<Variable>,
    /// Operators that are assumed to be multiples of the identity, on either side.
    pub identity: Vec<Variable>,
}

/// Which multiples of the identity operators may be that the other side has not.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Multiples {
    /// None.
    None,
    /// The identity itself.
    One,
    /// The identity itself, but for those of this set, by their numbers on their side, which may be any.
    Of(u32),
}

impl Multiples {
    fn is_open(self, v: Variable) -> bool {
        matches!(self, Multiples::Of(set) if identity_of(v).1 < 32 && set >> identity_of(v).1 & 1 == 1)
    }
}

/// First coefficient variable; out of the way of every other symbol.
const COEFFICIENT: u32 = 3_000_000;

/// So many coefficients there are.
pub const COEFFICIENTS: usize = 10;

/// So many numbers may scale the signals of channels.
pub const SCALES: usize = 100;

/// A number by which a signal of a channel is multiplied, to be found.
pub fn scale(n: usize) -> Variable {
    coefficient(COEFFICIENTS + n)
}

/// Whether a symbol is such a number.
pub fn is_scale(v: Variable) -> bool {
    is_coefficient(v) && v >= scale(0) && !is_multiple(v)
}

/// So many operators may be multiples of the identity that are to be found.
pub const MULTIPLES: usize = 3;

/// A number by which an operator multiplies, to be found.
pub fn multiple(n: usize) -> Variable {
    scale(SCALES + n)
}

/// Whether a symbol is such a number.
pub fn is_multiple(v: Variable) -> bool {
    is_coefficient(v) && v >= multiple(0)
}

/// A coefficient to be found.
pub fn coefficient(i: usize) -> Variable {
    Variable(COEFFICIENT + i as u32)
}

/// Ways to express the sought side's operators by the given side's, weakest demand first: the same
/// operator, then a multiple or an affine function of it. Where one side has none, the other's is such a
/// multiple of the identity as `identity` allows; where both have one, that would be no relation
/// of the two. What an argmin holds is I or −I, for its sign is a convention, as that of B in A x + B z = c.
pub fn maps(
    given: (&LinearSystem, &Behavior),
    sought: (&LinearSystem, &Behavior),
    identity: Multiples,
) -> Result<Vec<OperatorMap>, Exhausted> {
    let shape = |(system, b): (&LinearSystem, &Behavior)| -> Vec<(Variable, bool)> {
        let rectangular = |v: Variable| is_rectangular(system, &system.operators[identity_of(v).1]);
        used(b).into_iter().map(|v| (v, rectangular(v))).collect()
    };
    let (g, s) = (shape(given), shape(sought));
    let one = RationalFunction::one();
    if s.is_empty() && g.is_empty() {
        return Ok(vec![OperatorMap::default()]);
    }
    if s.is_empty() || g.is_empty() {
        let all: Vec<Variable> = g.iter().chain(&s).map(|(v, _)| *v).collect();
        let is_carried = |v: &Variable| is_carried(given.1, v) || is_carried(sought.1, v);
        let (carried, others): (Vec<Variable>, Vec<Variable>) = all.iter().copied().partition(is_carried);
        let open: Vec<Variable> = others.into_iter().filter(|v| identity.is_open(*v)).collect();
        let is_asked = match identity {
            Multiples::None => false,
            Multiples::One => true,
            Multiples::Of(set) => open.len() == set.count_ones() as usize && open.len() <= MULTIPLES,
        };
        if !is_asked {
            return Ok(Vec::new());
        }
        let unknowns: Vec<Variable> = (0..open.len()).map(multiple).collect();
        let map = |turned: &Vec<Variable>| {
            let value = |v: &Variable| match open.iter().position(|o| o == v) {
                Some(n) => (*v, RationalFunction::variable(multiple(n))),
                None => (*v, if turned.contains(v) { one.neg() } else { one.clone() }),
            };
            let values = all.iter().map(value).collect();
            OperatorMap { values, unknowns: unknowns.clone(), nonzero: unknowns.clone(), identity: all.clone() }
        };
        return Ok(subsets(carried).iter().map(map).collect());
    }
    let ([(a, a_rectangular)], [(b, b_rectangular)]) = (g.as_slice(), s.as_slice()) else {
        return several(&g, &s);
    };
    let symbol = RationalFunction::variable(*a);
    let (c0, c1) = (Variable(COEFFICIENT), Variable(COEFFICIENT + 1));
    let coefficient = |v: Variable| RationalFunction::variable(v);
    let affine = |x: &RationalFunction| coefficient(c1).mul(x)?.add(&coefficient(c0));
    let mut found = Vec::new();
    match (a_rectangular, b_rectangular) {
        (true, true) | (false, false) => {
            found.push(OperatorMap { values: vec![(*b, symbol.clone())], ..Default::default() });
            let (value, unknowns) = if *a_rectangular {
                (coefficient(c1).mul(&symbol)?, vec![c1])
            } else {
                (affine(&symbol)?, vec![c0, c1])
            };
            found.push(OperatorMap { values: vec![(*b, value)], unknowns, nonzero: vec![c1], ..Default::default() });
        }
        (true, false) => {
            let value = affine(&symbol.mul(&symbol)?)?;
            found.push(OperatorMap {
                values: vec![(*b, value)],
                unknowns: vec![c0, c1],
                nonzero: vec![c1],
                ..Default::default()
            });
        }
        // A map between two spaces cannot be made of an operator on one.
        (false, true) => {}
    }
    Ok(found)
}

/// The operators of the given side that matter, and the only one of the sought side that does.
pub fn one_of_several(given: &Behavior, sought: &Behavior) -> Option<(Vec<Variable>, Variable)> {
    match (used(given), &used(sought)[..]) {
        (given, [one]) if !given.is_empty() => Some((given, *one)),
        _ => None,
    }
}

/// The operators on which H or an oracle depends.
fn used(b: &Behavior) -> Vec<Variable> {
    let is_in_h = |v: &Variable| (0..b.h.rows()).any(|i| b.h.row(i).iter().any(|e| e.variables().contains(v)));
    b.operators.iter().copied().filter(|v| is_in_h(v) || is_carried(b, v)).collect()
}

/// Whether an argmin holds an operator.
fn is_carried(b: &Behavior, operator: &Variable) -> bool {
    b.ports.iter().filter_map(map_of).any(|map| map.variables().contains(operator))
}

/// All subsets of a few, small ones first.
pub fn subsets<T: Copy>(list: Vec<T>) -> Vec<Vec<T>> {
    let list = &list[..list.len().min(PERMUTED)];
    let mut found: Vec<Vec<T>> = vec![Vec::new()];
    for one in list {
        found.extend(found.iter().map(|set| [&set[..], &[*one]].concat()).collect::<Vec<_>>());
    }
    found.sort_by_key(Vec::len);
    found
}

/// The side that has operators where the other has none, with the identity inside every argmin: what its oracles are
/// where operators are that, but for signs.
pub fn with_identities(b: &Behavior, other: &Behavior) -> Result<Option<Behavior>, Exhausted> {
    if b.ports.iter().all(|p| p.oracle.map.is_none()) || !used(other).is_empty() {
        return Ok(None);
    }
    let one = |v: Variable| is_operator(v).then(RationalFunction::one);
    let mut ports = b.ports.to_vec();
    for port in &mut ports {
        let map = map_of(port).map(|map| map.substitute(&one)).transpose()?.flatten();
        port.oracle.map = map.map(OperatorPolynomial::scalar);
    }
    Ok(Some(Behavior { ports: Arc::new(ports), ..b.clone() }))
}

/// The linear map of an argmin, as a number.
pub fn map_of(port: &Port) -> Option<RationalFunction> {
    port.oracle.map.as_ref().and_then(OperatorPolynomial::as_scalar)
}

/// The sought operator as those functions of the given ones that a factor of an equation makes of it: the factor is
/// linear in it, and the function leads from where to where the operator does. A'A is even in the symbol of A, AA'A odd.
pub fn solved(
    equation: &Polynomial,
    (given, sought): (&[Variable], Variable),
    systems: (&LinearSystem, &LinearSystem),
    nonzero: &[Polynomial],
) -> Result<Vec<OperatorMap>, Exhausted> {
    let mut found = Vec::new();
    for (factor, _) in equation.factor()?.factors {
        if factor.degree_in(sought) != 1 || given.iter().all(|v| factor.degree_in(*v) == 0) {
            continue;
        }
        let parts: Vec<_> = factor.coefficients_in(sought).into_iter().map(RationalFunction::polynomial).collect();
        let Some(value) = parts[0].neg().div(&parts[1])? else { continue };
        if leads_alike(&value, (given, sought), systems)? && is_inverted(value.denominator(), given, nonzero)? {
            found.push(OperatorMap { values: vec![(sought, value)], ..Default::default() });
        }
    }
    Ok(found)
}

/// Whether a function of operators leads from where to where another operator does.
fn leads_alike(
    value: &RationalFunction,
    (given, sought): (&[Variable], Variable),
    systems: (&LinearSystem, &LinearSystem),
) -> Result<bool, Exhausted> {
    let rectangular = |system: &LinearSystem, v: Variable| {
        system.operators.get(identity_of(v).1).is_some_and(|o| is_rectangular(system, o))
    };
    let target = rectangular(systems.1, sought);
    match given {
        [one] if rectangular(systems.0, *one) => {
            let turned = |v: Variable| (v == *one).then(|| RationalFunction::variable(*one).neg());
            let same = if target { value.neg() } else { value.clone() };
            Ok(value.substitute(&turned)?.is_some_and(|r| r == same))
        }
        several => Ok(!target && several.iter().all(|v| !rectangular(systems.0, *v))),
    }
}

/// Whether the given text inverts what is divided by: another function of its operators may have no inverse.
fn is_inverted(denominator: &Polynomial, given: &[Variable], nonzero: &[Polynomial]) -> Result<bool, Exhausted> {
    for (factor, _) in denominator.factor()?.factors {
        let mut divides = given.iter().all(|v| factor.degree_in(*v) == 0);
        for p in nonzero {
            divides |= p.exact_divide(&factor)?.is_some();
        }
        if !divides {
            return Ok(false);
        }
    }
    Ok(true)
}

/// At most so many operators are taken for one another in any order.
const PERMUTED: usize = 4;

/// All orders, their own first.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = |order: &Vec<usize>| {
            let rest = (0..n).filter(|i| !order.contains(i)).collect::<Vec<_>>();
            rest.into_iter().map(|i| [&order[..], &[i]].concat()).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found
}

/// Several commuting operators correspond one to one, or each is a sum of multiples of the others.
fn several(given: &[(Variable, bool)], sought: &[(Variable, bool)]) -> Result<Vec<OperatorMap>, Exhausted> {
    let mut found = Vec::new();
    if given.len() == sought.len() {
        let orders = if given.len() <= PERMUTED { orders(given.len()) } else { vec![(0..given.len()).collect()] };
        for order in orders {
            let pairs = order.iter().map(|i| given[*i]).zip(sought);
            if pairs.clone().all(|(a, b)| a.1 == b.1) {
                let values = pairs.map(|(a, b)| (b.0, RationalFunction::variable(a.0))).collect();
                found.push(OperatorMap { values, ..Default::default() });
            }
        }
    } else if given.len() * sought.len() <= COEFFICIENTS && given.iter().chain(sought).all(|(_, r)| !r) {
        let mut map = OperatorMap::default();
        for (i, (target, _)) in sought.iter().enumerate() {
            let mut sum = RationalFunction::zero();
            for (j, (source, _)) in given.iter().enumerate() {
                let factor = coefficient(i * given.len() + j);
                sum = sum.add(&RationalFunction::variable(factor).mul(&RationalFunction::variable(*source))?)?;
                map.unknowns.push(factor);
            }
            map.values.push((*target, sum));
        }
        // An operator that is made of one is not zero.
        if given.len() == 1 {
            map.nonzero = map.unknowns.clone();
        }
        found.push(map);
    }
    Ok(found)
}

impl OperatorMap {
    /// With values of parameters put in.
    pub fn settled(mut self, value: &dyn Fn(Variable) -> Option<RationalFunction>) -> Result<OperatorMap, Exhausted> {
        for (_, image) in &mut self.values {
            if let Some(there) = image.substitute(value)? {
                *image = there;
            }
        }
        Ok(self)
    }

    /// Whether operators become what they are declared to be, whatever those are of which they are made: one that is
    /// symmetric is made of symmetric ones, or of A'A.
    pub fn keeps_symmetry(&self, given: &LinearSystem, sought: &LinearSystem) -> bool {
        let of = |system: &LinearSystem, v: Variable| system.operators.get(identity_of(v).1).cloned();
        let symmetric = |v: &Variable| of(given, *v).is_some_and(|o| o.symmetric || is_rectangular(given, &o));
        self.values.iter().filter(|(v, _)| !self.identity.contains(v)).all(|(target, value)| {
            let bound = of(sought, *target).is_some_and(|o| o.symmetric);
            !bound || value.variables().iter().filter(|v| is_operator(**v)).all(symmetric)
        })
    }

    /// The behavior with this side's operators replaced.
    pub fn apply(&self, behavior: &Behavior) -> Result<Option<Behavior>, Exhausted> {
        if self.values.iter().all(|(v, _)| Side::of(*v) != behavior.side) {
            return Ok(Some(behavior.clone()));
        }
        behavior.substituted(&|v| self.values.iter().find(|(w, _)| *w == v).map(|(_, x)| x.clone()))
    }
}

/// Whether a coefficient was made here.
pub fn is_coefficient(v: Variable) -> bool {
    (COEFFICIENT..COEFFICIENT + (COEFFICIENTS + SCALES + MULTIPLES) as u32).contains(&v.0)
}

/// Whether a symbol is an operator of either side.
pub fn is_operator(v: Variable) -> bool {
    owner(v).1.0 >= operator_symbol(0).0 && !is_coefficient(v) && v != Z && v != ROOT
}

/// Which side an identity assumption concerns, and its operator's number.
pub fn identity_of(v: Variable) -> (Side, usize) {
    let (side, own) = owner(v);
    (side, (own.0 - operator_symbol(0).0) as usize)
}

/// Where a letter takes its argument from, and where its value lives.
pub fn ends(system: &LinearSystem, letter: Letter) -> (Space, Space) {
    let o = &system.operators[letter.operator as usize];
    if letter.adjoint != letter.inverse { (o.codomain, o.domain) } else { (o.domain, o.codomain) }
}

/// What a witness of commuting symbols says of the operators: a symbol between two spaces stands for
/// the operator and its adjoint by turns, one on a single space for that of the two that occurs.
pub fn images(
    first: &Analysis,
    second: &Analysis,
    witness: &Witness,
) -> Result<Vec<(Variable, OperatorPolynomial)>, Exhausted> {
    let mut found = Vec::new();
    for (v, value) in &witness.operators {
        let (side, target) = identity_of(*v);
        let (other, whose, sources) = match side {
            Side::First => (Side::Second, first, second),
            Side::Second => (Side::First, second, first),
        };
        let is_source =
            |s: &Variable| !is_coefficient(*s) && owner(*s).0 == other && owner(*s).1.0 >= operator_symbol(0).0;
        let symbols: Vec<Variable> = value.variables().into_iter().filter(is_source).collect();
        let [symbol] = symbols[..] else {
            if symbols.iter().all(|s| value.denominator().degree_in(*s) == 0) {
                let factor = RationalFunction::new(Polynomial::one(), value.denominator().clone())?;
                let sum = in_several(value.numerator(), &symbols, &sources.system)?;
                found.push((*v, OperatorPolynomial::scalar(factor.expect("not zero")).mul(&sum)?));
            }
            continue;
        };
        if value.denominator().degree_in(symbol) > 0 {
            continue;
        }
        let source = identity_of(symbol).1;
        let flip = is_adjoint(witness, (side, whose, target), (sources, source));
        let o = &sources.system.operators[source];
        let turns = is_rectangular(&sources.system, o);
        let letter = |j: usize| Letter {
            class: o.class,
            operator: source as u16,
            adjoint: !o.symmetric && (flip != (turns && j % 2 == 1)),
            inverse: false,
        };
        let below = RationalFunction::polynomial(value.denominator().clone());
        let mut image = OperatorPolynomial::zero();
        for (degree, c) in value.numerator().coefficients_in(symbol).into_iter().enumerate() {
            let Some(c) = RationalFunction::polynomial(c).div(&below)? else { continue };
            let word: Word = (0..degree).map(letter).rev().collect();
            image = image.add(&product(&c, &word)?)?;
        }
        found.push((*v, image));
    }
    Ok(found)
}

/// A polynomial in operators that commute, each on one space.
fn in_several(p: &Polynomial, symbols: &[Variable], system: &LinearSystem) -> Result<OperatorPolynomial, Exhausted> {
    let Some((symbol, rest)) = symbols.split_first() else {
        return Ok(OperatorPolynomial::scalar(RationalFunction::polynomial(p.clone())));
    };
    let own = identity_of(*symbol).1;
    let o = &system.operators[own];
    let letter = Letter { class: o.class, operator: own as u16, adjoint: o.is_adjoint_only(), inverse: false };
    let mut sum = OperatorPolynomial::zero();
    for (degree, c) in p.coefficients_in(*symbol).iter().enumerate() {
        let power = product(&RationalFunction::one(), &vec![letter; degree])?;
        sum = sum.add(&power.mul(&in_several(c, rest, system)?)?)?;
    }
    Ok(sum)
}

/// A multiple of a product of operators.
pub fn product(factor: &RationalFunction, word: &[Letter]) -> Result<OperatorPolynomial, Exhausted> {
    let mut found = OperatorPolynomial::scalar(factor.clone());
    for letter in word {
        found = found.mul(&OperatorPolynomial::letter(*letter))?;
    }
    Ok(found)
}

/// Whether an operator is made of the adjoint of another.
fn is_adjoint(
    witness: &Witness,
    (side, whose, target): (Side, &Analysis, usize),
    (sources, source): (&Analysis, usize),
) -> bool {
    let (t, s) = (&whose.system.operators[target], &sources.system.operators[source]);
    if !is_rectangular(&sources.system, s) {
        return t.is_adjoint_only() != s.is_adjoint_only();
    }
    // Channels tell which space is which.
    let mut same = Vec::new();
    for &(i, j) in &witness.channel_map {
        let (i, j) = if side == Side::First { (i, j) } else { (j, i) };
        let x = &whose.system.calls[whose.channels[i % whose.channels.len()].call];
        let y = &sources.system.calls[sources.channels[j % sources.channels.len()].call];
        same.extend([(x.input, y.input), (x.output, y.output)]);
    }
    let meet = |x: Space, y: Space| {
        same.iter().any(|(a, b)| whose.system.spaces.same(*a, x) && sources.system.spaces.same(*b, y))
    };
    if !is_rectangular(&whose.system, t) {
        return meet(t.domain, s.codomain);
    }
    let straight = meet(t.domain, s.domain) || meet(t.codomain, s.codomain);
    !straight && (meet(t.domain, s.codomain) || meet(t.codomain, s.domain))
}

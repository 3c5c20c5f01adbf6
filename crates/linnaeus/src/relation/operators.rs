//! How the operators of two algorithms can correspond: each family holds for every operator, so
//! those of the one may be functions of those of the other.

use super::behavior::{Behavior, Port, Side, is_rectangular, owner};
use super::verdict::Witness;
use crate::operator::{Letter, OperatorPolynomial, Word};
use crate::system::{LinearSystem, Space, is_operator_symbol, operator_symbol};
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

/// Operators of either side that are taken for multiples of the identity.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Multiples {
    /// By their numbers in their text.
    assumed: [u64; 2],
    /// Those of them that may be any multiple; the others are the identity itself.
    open: [u64; 2],
}

impl Multiples {
    /// None.
    pub const NONE: Multiples = Multiples { assumed: [0; 2], open: [0; 2] };

    /// These, some of them being any multiple.
    pub fn of(assumed: &[Variable], open: &[Variable]) -> Multiples {
        Multiples { assumed: sets(assumed), open: sets(open) }
    }

    /// Those that a map of operators makes such.
    pub fn in_map(map: &OperatorMap) -> Multiples {
        let is_open = |(_, value): &&(Variable, RationalFunction)| value.variables().into_iter().any(is_multiple);
        let open: Vec<Variable> = map.values.iter().filter(is_open).map(|(v, _)| *v).collect();
        Multiples::of(&map.identity, &open)
    }

    /// Whether there are none.
    pub fn is_none(self) -> bool {
        self == Multiples::NONE
    }

    /// Whether an operator is one of them.
    pub fn assume(self, v: Variable) -> bool {
        is_in(self.assumed, v)
    }

    /// Whether some may be any multiple.
    pub fn are_open(self) -> bool {
        self.open != [0; 2]
    }

    /// Whether some of a side may be.
    pub fn are_open_in(self, side: Side) -> bool {
        self.open[usize::from(side == Side::Second)] != 0
    }

    /// The number by which an operator multiplies, if that is to be found.
    fn unknown(self, v: Variable) -> Option<Variable> {
        let (side, own) = place(v).filter(|_| is_in(self.open, v))?;
        let before = self.open[side] & ((1 << own) - 1);
        let others = if side == 1 { self.open[0].count_ones() } else { 0 };
        Some(multiple((others + before.count_ones()) as usize))
    }
}

/// So many operators of a side can be told apart in a set.
const TOLD_APART: usize = 64;

/// Where an operator stands in the sets of both sides, if it can be told apart.
fn place(v: Variable) -> Option<(usize, usize)> {
    let (side, own) = Some(v).filter(|v| is_operator(*v)).map(identity_of)?;
    (own < TOLD_APART).then_some((usize::from(side == Side::Second), own))
}

/// Whether an operator is one of those that can be taken for a multiple of the identity.
pub fn is_told_apart(v: Variable) -> bool {
    place(v).is_some()
}

/// Operators of both sides by their numbers.
fn sets(list: &[Variable]) -> [u64; 2] {
    let mut found = [0; 2];
    for (side, own) in list.iter().filter_map(|v| place(*v)) {
        found[side] |= 1 << own;
    }
    found
}

fn is_in(sets: [u64; 2], v: Variable) -> bool {
    place(v).is_some_and(|(side, own)| sets[side] >> own & 1 == 1)
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

/// Whether a symbol is a factor of an operator that is made of others.
pub fn is_factor(v: Variable) -> bool {
    is_coefficient(v) && v < scale(0)
}

/// So many operators may be multiples of the identity that are to be found.
pub const MULTIPLES: usize = 2 * TOLD_APART;

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
/// operator, then a multiple or an affine function of it. Where one side has none, there is no other way than that those
/// of the other are multiples of the identity, which `identity` says. What an argmin holds is I or −I, for its sign is
/// a convention, as that of B in A x + B z = c.
pub fn maps(
    given: (&LinearSystem, &Behavior),
    sought: (&LinearSystem, &Behavior),
    identity: Multiples,
) -> Result<Vec<OperatorMap>, Exhausted> {
    let left = |b: &Behavior| -> Vec<Variable> { used(b).into_iter().filter(|v| !identity.assume(*v)).collect() };
    let others = corresponding((given.0, &left(given.1)), (sought.0, &left(sought.1)))?;
    if identity.is_none() {
        return Ok(others);
    }
    let operators = given.1.operators.iter().chain(&sought.1.operators).copied();
    let all: Vec<Variable> = operators.filter(|v| identity.assume(*v)).collect();
    let unknowns: Vec<Variable> = all.iter().filter_map(|v| identity.unknown(*v)).collect();
    let is_carried = |v: &Variable| is_carried(given.1, v) || is_carried(sought.1, v);
    let carried = all.iter().copied().filter(|v| is_carried(v) && identity.unknown(*v).is_none());
    let (one, mut found) = (RationalFunction::one(), Vec::new());
    for turned in subsets(carried.collect()) {
        let value = |v: &Variable| match identity.unknown(*v) {
            Some(number) => (*v, RationalFunction::variable(number)),
            None => (*v, if turned.contains(v) { one.neg() } else { one.clone() }),
        };
        for map in &others {
            found.push(OperatorMap {
                values: all.iter().map(value).chain(map.values.iter().cloned()).collect(),
                unknowns: unknowns.iter().chain(&map.unknowns).copied().collect(),
                nonzero: unknowns.iter().chain(&map.nonzero).copied().collect(),
                identity: all.clone(),
            });
        }
    }
    Ok(found)
}

/// The same for operators that are no multiples of the identity.
fn corresponding(
    (given, theirs): (&LinearSystem, &[Variable]),
    (sought, own): (&LinearSystem, &[Variable]),
) -> Result<Vec<OperatorMap>, Exhausted> {
    let shape = |system: &LinearSystem, list: &[Variable]| -> Vec<(Variable, bool)> {
        let rectangular = |v: Variable| is_rectangular(system, &system.operators[identity_of(v).1]);
        list.iter().map(|v| (*v, rectangular(*v))).collect()
    };
    let (g, s) = (shape(given, theirs), shape(sought, own));
    match (g.is_empty(), s.is_empty()) {
        (true, true) => return Ok(vec![OperatorMap::default()]),
        (false, false) => {}
        _ => return Ok(Vec::new()),
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

/// The operators on which H or an oracle depends.
pub fn used(b: &Behavior) -> Vec<Variable> {
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

/// A side with the identity inside argmins that hold what is a multiple of it: what its oracles are, but for numbers.
pub fn with_identities(b: &Behavior, identity: Multiples) -> Result<Option<Behavior>, Exhausted> {
    if b.ports.iter().all(|p| p.oracle.map.is_none()) {
        return Ok(None);
    }
    let one = |v: Variable| (is_operator(v) && identity.assume(v)).then(RationalFunction::one);
    let mut ports = b.ports.to_vec();
    for port in &mut ports {
        let map = map_of(port).map(|map| map.substitute(&one)).transpose()?.flatten();
        port.oracle.map = map.map(OperatorPolynomial::scalar);
    }
    Ok(Some(Behavior { ports: Arc::new(ports), ..b.clone() }))
}

/// A side as far as it is known before it is which multiples of the identity operators are; those inside argmins may
/// have either sign.
pub fn with_multiples(b: &Behavior, identity: Multiples) -> Result<Option<Behavior>, Exhausted> {
    let value = |v: Variable| match identity.unknown(v) {
        _ if !is_operator(v) || !identity.assume(v) => None,
        Some(number) => Some(RationalFunction::variable(number)),
        None if is_carried(b, &v) => Some(RationalFunction::variable(multiple(MULTIPLES - 1))),
        None => Some(RationalFunction::one()),
    };
    b.substituted(&value)
}

/// So many operators of a side are taken for multiples of the identity in every way.
const ASSUMED: usize = 6;

/// The operators of a side where the other has none.
pub fn alone(a: &Behavior, b: &Behavior) -> Option<Vec<Variable>> {
    match (used(a), used(b)) {
        (own, other) | (other, own) if other.is_empty() && !own.is_empty() => Some(own),
        _ => None,
    }
}

/// Which operators of one side may be multiples of the identity, few first, and whether these are all ways. What is left
/// of both sides corresponds, so that it is nothing on both or on neither. That operators of both are such would be no
/// relation of the two: what is left of either has nothing to do with what it was made for.
pub fn assumable(a: &Behavior, b: &Behavior) -> (Vec<Vec<Variable>>, bool) {
    if let Some(all) = alone(a, b) {
        return (vec![all], true);
    }
    let (mut found, mut complete) = (Vec::new(), true);
    for own in [used(a), used(b)].into_iter().filter(|own| !own.is_empty()) {
        let set = |c: u32| own.iter().enumerate().filter(move |(i, _)| c >> i & 1 == 1).map(|(_, v)| *v).collect();
        match own.len() <= ASSUMED {
            true => found.extend((1_u32..(1 << own.len()) - 1).map(set)),
            false => complete = false,
        }
    }
    found.sort_by_key(Vec::len);
    (found, complete)
}

/// Of fewer, all sets may be any multiple of the identity; of more, each alone or all together.
const OPEN: usize = 4;

/// Which of some operators may be any multiple of the identity, few first.
pub fn openings<T: Copy>(assumed: &[T]) -> Vec<Vec<T>> {
    match assumed.len() < OPEN {
        true => subsets(assumed.to_vec()),
        false => {
            let one = assumed.iter().map(|v| vec![*v]);
            [Vec::new()].into_iter().chain(one).chain([assumed.to_vec()]).collect()
        }
    }
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

/// At most this many ways to solve for several operators.
const WAYS: usize = 16;

/// Several sought operators as functions of the given ones: one after another is eliminated by a factor of an equation
/// that is linear in it.
pub fn solved_together(
    equations: &[Polynomial],
    (given, sought): (&[Variable], &[Variable]),
    systems: (&LinearSystem, &LinearSystem),
    nonzero: &[Polynomial],
) -> Result<Vec<OperatorMap>, Exhausted> {
    let mut open = vec![(equations.to_vec(), OperatorMap::default())];
    let mut found: Vec<OperatorMap> = Vec::new();
    while let Some((equations, map)) = open.pop() {
        let is_known = |v: &Variable| map.values.iter().any(|(w, _)| w == v);
        let left: Vec<Variable> = sought.iter().copied().filter(|v| !is_known(v)).collect();
        if left.is_empty() {
            let mut leads = true;
            for (v, value) in &map.values {
                leads &= leads_alike(value, (given, *v), systems)?;
                leads &= is_inverted(value.denominator(), given, nonzero)?;
                // That one is a multiple of the identity is an assumption.
                leads &= value.variables().iter().any(|w| given.contains(w));
            }
            if leads && found.iter().all(|m| m.values != map.values) {
                found.push(map);
            }
            continue;
        }
        for (v, value) in eliminated(&equations, &left)? {
            let put = |w: Variable| (w == v).then(|| value.clone());
            let mut next = map.clone();
            let mut defined = true;
            for (_, earlier) in &mut next.values {
                match earlier.substitute(&put)? {
                    Some(there) => *earlier = there,
                    None => defined = false,
                }
            }
            let mut rest = Vec::new();
            for p in &equations {
                match RationalFunction::polynomial(p.clone()).substitute(&put)? {
                    Some(there) => rest.push(there.numerator().primitive_part()),
                    None => defined = false,
                }
            }
            next.values.push((v, value));
            if defined && open.len() + found.len() < WAYS {
                open.push((rest, next));
            }
        }
    }
    found.reverse();
    Ok(found)
}

/// One of some operators as what the factors of the simplest equation that is linear in it make of it.
fn eliminated(equations: &[Polynomial], sought: &[Variable]) -> Result<Vec<(Variable, RationalFunction)>, Exhausted> {
    let unknown = |p: &Polynomial| sought.iter().filter(|v| p.degree_in(**v) > 0).count();
    let mut list: Vec<&Polynomial> = equations.iter().filter(|p| unknown(p) > 0).collect();
    list.sort_by_key(|p| (unknown(p), p.term_count()));
    for p in list {
        let mut found = Vec::new();
        for (factor, _) in p.factor()?.factors {
            let Some(v) = sought.iter().copied().find(|v| factor.degree_in(*v) == 1) else { continue };
            let parts: Vec<_> = factor.coefficients_in(v).into_iter().map(RationalFunction::polynomial).collect();
            found.extend(parts[0].neg().div(&parts[1])?.filter(|value| !value.is_zero()).map(|value| (v, value)));
        }
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
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
        // An operator that is made of one is no multiple of the identity, but some of it may be.
        let affine = match given {
            [_] => {
                map.nonzero = map.unknowns.clone();
                with_units(&map)?
            }
            _ => None,
        };
        found.push(map);
        found.extend(affine);
    }
    Ok(found)
}

/// The same with multiples of the identity added, if there are numbers enough.
fn with_units(map: &OperatorMap) -> Result<Option<OperatorMap>, Exhausted> {
    let used = map.unknowns.len();
    if used + map.values.len() > COEFFICIENTS {
        return Ok(None);
    }
    let mut found = map.clone();
    for (i, (_, value)) in found.values.iter_mut().enumerate() {
        *value = value.add(&RationalFunction::variable(coefficient(used + i)))?;
        found.unknowns.push(coefficient(used + i));
    }
    Ok(Some(found))
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
    is_operator_symbol(owner(v).1)
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
        let is_source = |s: &Variable| is_operator(*s) && Side::of(*s) == other;
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

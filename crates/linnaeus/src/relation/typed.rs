//! Equations between vectors with operators and adjoints put back.
//!
//! Where operators commute they are symbols, and the coefficients of an equation c₁v₁ + c₂v₂ + … = 0 are rational
//! functions of them. Those that lead from one space of A: X → Y to the other are odd in its symbol and those that stay
//! are even, so the vectors of the text that has A tell where the equation leads, and that tells in which of the two
//! spaces the vectors of the other text are.

use super::behavior::{Side, is_rectangular};
use super::operators::is_operator;
use super::state_map::{Combination, Source, StateMap, written};
use super::verdict::ConstantMap;
use super::words::{Moment, WordMap, Words};
use crate::operator::{Letter, OperatorPolynomial};
use crate::system::{LinearSystem, Operator, Space, operator_symbol};
use crate::transfer::{Analysis, State};
use linnaeus_algebra::{Coefficient, Exhausted, Polynomial, RationalFunction, SortedSet, Variable};

/// The space of a state.
pub fn space_of(analysis: &Analysis, state: &State) -> Space {
    match *state {
        State::Signal(s, _) => analysis.system.signals[s].space,
        State::Answer(c, _) => analysis.system.calls[analysis.channels[c].call].output,
    }
}

/// The text of a source, and the space of that text in which it is.
pub fn place_of(source: Source, [first, second]: [&Analysis; 2]) -> (Side, Space) {
    match source {
        Source::State(i) => (Side::First, space_of(first, &written(first)[i])),
        // Channels of a repeated algorithm are numbered on from one iteration to the next.
        Source::Answer(c, _) => (Side::First, first.system.calls[first.channels[c % first.channels.len()].call].output),
        Source::Own(j) => (Side::Second, space_of(second, &written(second)[j])),
        Source::Constant(Side::First, j) => (Side::First, first.system.constants[j].space),
        Source::Constant(Side::Second, j) => (Side::Second, second.system.constants[j].space),
    }
}

/// Whose operators the coefficients of an equation hold, and from which of that text's spaces each term leads;
/// nothing if they hold none, or those of both, or no vector tells.
pub fn origins(equation: &Combination, texts: [&Analysis; 2]) -> Option<(Side, Vec<Space>)> {
    let symbols = equation.iter().flat_map(|(_, c)| c.variables()).filter(|v| is_operator(*v));
    let sides: SortedSet<Side> = symbols.map(Side::of).collect();
    let side = sides.iter().next().copied().filter(|_| sides.len() == 1)?;
    let system = &texts[usize::from(side == Side::Second)].system;
    let Some(i) = rectangular(system) else {
        return Some((side, vec![system.operators.first()?.domain; equation.len()]));
    };
    let (operator, symbol) = (&system.operators[i], side.place(operator_symbol(i)));
    let through = |space: Space, c: &RationalFunction| match is_odd(c, symbol) {
        true => other_end(system, operator, space),
        false => space,
    };
    let own = |s: Source| Some(place_of(s, texts)).filter(|(whose, _)| *whose == side).map(|(_, space)| space);
    let end = equation.iter().find_map(|(s, c)| Some(through(own(*s)?, c)))?;
    Some((side, equation.iter().map(|(s, c)| own(*s).unwrap_or_else(|| through(end, c))).collect()))
}

fn rectangular(system: &LinearSystem) -> Option<usize> {
    system.operators.iter().position(|o| is_rectangular(system, o))
}

fn is_odd(c: &RationalFunction, symbol: Variable) -> bool {
    let lowest = |p: &Polynomial| p.coefficients_in(symbol).iter().position(|c| !c.is_zero()).unwrap_or(0);
    (lowest(c.numerator()) + lowest(c.denominator())) % 2 == 1
}

fn other_end(system: &LinearSystem, operator: &Operator, space: Space) -> Space {
    if system.spaces.same(space, operator.domain) {
        operator.codomain
    } else if system.spaces.same(space, operator.codomain) {
        operator.domain
    } else {
        space
    }
}

/// The least product of sums of operators that clears them from all denominators.
pub fn operator_denominator<'a>(
    coefficients: impl IntoIterator<Item = &'a RationalFunction>,
) -> Result<RationalFunction, Exhausted> {
    let mut common = RationalFunction::one();
    for c in coefficients {
        let rest = c.mul(&common)?.denominator().clone();
        for (f, n) in rest.factor()?.factors {
            if f.variables().iter().any(|v| is_operator(*v)) {
                common = common.mul(&RationalFunction::polynomial(f.pow(n)?))?;
            }
        }
    }
    Ok(common)
}

/// A combination without operators in its denominators, and by what it was multiplied.
pub fn cleared(combination: &Combination) -> Result<(RationalFunction, Combination), Exhausted> {
    let factor = operator_denominator(combination.iter().map(|(_, c)| c))?;
    let times = |(s, c): &(Source, RationalFunction)| Ok((*s, c.mul(&factor)?));
    let found = combination.iter().map(times).collect::<Result<_, Exhausted>>()?;
    Ok((factor, found))
}

/// The start of a state map as its equations are written, in operators that need not commute; nothing if these cannot
/// be put back.
pub fn typed(map: &StateMap, texts: [&Analysis; 2], known: Vec<Source>) -> Result<Option<WordMap>, Exhausted> {
    let mut found = WordMap {
        sources: known,
        initialization: Vec::new(),
        determined: Vec::new(),
        implicit: Vec::new(),
        required: Vec::new(),
        skipped: map.skipped.clone(),
        begins: map.begins,
        letters: Side::First,
        root: map.root.clone(),
        moment: Moment::Any,
        at_zero: None,
    };
    found.sources.extend(map.own.iter().map(|j| Source::Own(*j)));
    for (j, start) in &map.initialization {
        let (factor, right) = cleared(start)?;
        let own = (Source::Own(*j), factor.neg());
        let equation = [own].into_iter().chain(right).collect();
        let Some(mut words) = in_words(&equation, texts)? else { return Ok(None) };
        if factor.is_one() {
            found.initialization.push((*j, words.split_off(1)));
        } else {
            found.sources.push(Source::Own(*j));
            found.implicit.push(words);
        }
    }
    for implicit in &map.implicit {
        let Some(words) = in_words(&cleared(implicit)?.1, texts)? else { return Ok(None) };
        found.implicit.push(words);
    }
    for required in &map.required {
        let Some(words) = in_words(&cleared(required)?.1, texts)? else { return Ok(None) };
        found.required.push(words);
    }
    Ok(Some(found))
}

/// The same for constants in terms of others.
pub fn typed_constants(map: &ConstantMap, texts: [&Analysis; 2]) -> Result<Option<ConstantMap>, Exhausted> {
    let mut found = map.clone();
    for (i, row) in found.images.iter_mut().enumerate() {
        let own = (Source::Constant(map.given.other(), i), RationalFunction::one());
        let others = map.free.iter().zip(row.iter()).filter(|(_, c)| !c.is_zero());
        let others = others.map(|(j, c)| Some((Source::Constant(map.given, *j), c.as_scalar()?)));
        let Some(equation) = [Some(own)].into_iter().chain(others).collect::<Option<Combination>>() else {
            return Ok(None);
        };
        let Some(words) = in_words(&equation, texts)? else { return Ok(None) };
        for (j, c) in map.free.iter().zip(row) {
            *c = WordMap::coefficient(&words, Source::Constant(map.given, *j));
        }
    }
    Ok(Some(found))
}

/// The coefficients of an equation as polynomials in operators, the second's counted on after the first's.
fn in_words(equation: &Combination, texts: [&Analysis; 2]) -> Result<Option<Words>, Exhausted> {
    let scalar = |(s, c): &(Source, RationalFunction)| (*s, OperatorPolynomial::scalar(c.clone()));
    let Some((side, spaces)) = origins(equation, texts) else {
        let is_plain = equation.iter().all(|(_, c)| !c.variables().into_iter().any(is_operator));
        return Ok(is_plain.then(|| equation.iter().map(scalar).collect()));
    };
    let mut found = Words::new();
    for ((source, c), from) in equation.iter().zip(spaces) {
        if c.denominator().variables().into_iter().any(is_operator) {
            return Ok(None);
        }
        found.push((*source, word_polynomial(c, (side, from), texts)?));
    }
    Ok(Some(found))
}

/// A coefficient that leads from a space, with an adjoint wherever the operator is gone back through.
fn word_polynomial(
    c: &RationalFunction,
    (side, from): (Side, Space),
    texts: [&Analysis; 2],
) -> Result<OperatorPolynomial, Exhausted> {
    let system = &texts[usize::from(side == Side::Second)].system;
    let before = if side == Side::First { 0 } else { texts[0].system.operators.len() };
    let below = RationalFunction::polynomial(c.denominator().clone()).inverse().expect("not zero");
    let mut sum = OperatorPolynomial::zero();
    for (powers, number) in c.numerator().terms() {
        let (own, others): (Vec<_>, Vec<_>) = powers.into_iter().partition(|(v, _)| is_operator(*v));
        let number = RationalFunction::polynomial(Polynomial::from_terms([(others, number.clone())])).mul(&below)?;
        let mut term = OperatorPolynomial::scalar(number);
        let mut at = from;
        for (v, e) in own {
            let i = (0..system.operators.len()).find(|i| side.place(operator_symbol(*i)) == v).unwrap_or(0);
            let operator = &system.operators[i];
            for _ in 0..e {
                let back = is_rectangular(system, operator) && !system.spaces.same(at, operator.domain);
                let letter =
                    Letter { class: operator.class, operator: (before + i) as u16, adjoint: back, inverse: false };
                term = OperatorPolynomial::letter(letter).mul(&term)?;
                at = other_end(system, operator, at);
            }
        }
        sum = sum.add(&term)?;
    }
    Ok(sum)
}

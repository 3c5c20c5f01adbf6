//! Sizes of vectors, and operators as matrices.

use super::point::Point;
use crate::operator::OperatorPolynomial;
use crate::prime_field::{Dense, PRIME, Stream};
use crate::relation::behavior::Side;
use crate::relation::operators::{ends, identity_of};
use crate::relation::verdict::{Assumption, Witness};
use crate::system::{LinearSystem, Space, operator_symbol};
use crate::transfer::Analysis;
use linnaeus_algebra::{Polynomial, RationalFunction, SortedMap, Variable};

/// How many components the vectors of each space have.
pub struct Dimensions {
    pub sizes: SortedMap<(Side, usize), usize>,
}

impl Dimensions {
    /// Spaces that the channel map identifies have one size; an operator that is the identity
    /// makes its two spaces one.
    pub fn new(first: &Analysis, second: &Analysis, witness: &Witness) -> Dimensions {
        let mut groups: Vec<Vec<(Side, usize)>> = Vec::new();
        let mut join = |x: (Side, usize), y: (Side, usize)| {
            let mut merged = vec![x, y];
            groups.retain(|g| {
                let touches = g.contains(&x) || g.contains(&y);
                if touches {
                    merged.extend(g.iter().copied());
                }
                !touches
            });
            groups.push(merged);
        };
        let class = |side: Side, system: &LinearSystem, s: Space| (side, system.spaces.class(s));
        for &(i, j) in &witness.channel_map {
            let x = &first.system.calls[first.channels[i % first.channels.len()].call];
            let y = &second.system.calls[second.channels[j % second.channels.len()].call];
            join(class(Side::First, &first.system, x.input), class(Side::Second, &second.system, y.input));
            join(class(Side::First, &first.system, x.output), class(Side::Second, &second.system, y.output));
        }
        for (analysis, side) in [(first, Side::First), (second, Side::Second)] {
            for call in &analysis.system.calls {
                let x = class(side, &analysis.system, call.input);
                join(x, x);
                let x = class(side, &analysis.system, call.output);
                join(x, x);
            }
        }
        for (v, image) in &witness.images {
            let (side, i) = identity_of(*v);
            let (system, other, others) = match side {
                Side::First => (&first.system, Side::Second, &second.system),
                Side::Second => (&second.system, Side::First, &first.system),
            };
            let o = &system.operators[i];
            let (domain, codomain) = (class(side, system, o.domain), class(side, system, o.codomain));
            for (word, _) in image.terms() {
                let (Some(last), Some(start)) = (word.first(), word.last()) else {
                    join(domain, codomain);
                    continue;
                };
                join(domain, class(other, others, ends(others, *start).0));
                join(codomain, class(other, others, ends(others, *last).1));
            }
        }
        for (system, side) in [(&first.system, Side::First), (&second.system, Side::Second)] {
            for o in &system.operators {
                for space in [o.domain, o.codomain] {
                    join(class(side, system, space), class(side, system, space));
                }
            }
        }
        for assumption in &witness.assumptions {
            if let Assumption::Identity(side, i, _) = assumption {
                let system = if *side == Side::First { &first.system } else { &second.system };
                join(
                    class(*side, system, system.operators[*i].domain),
                    class(*side, system, system.operators[*i].codomain),
                );
            }
        }
        let mut sizes = SortedMap::new();
        for (n, group) in groups.iter().enumerate() {
            sizes.extend(group.iter().map(|g| (*g, 2 + n % 3)));
        }
        Dimensions { sizes }
    }

    /// Every vector is a number.
    pub fn numbers(first: &Analysis, second: &Analysis) -> Dimensions {
        let mut sizes = SortedMap::new();
        for (system, side) in [(&first.system, Side::First), (&second.system, Side::Second)] {
            let signals = system.signals.iter().map(|s| s.space);
            let calls = system.calls.iter().flat_map(|c| [c.input, c.output]);
            let operators = system.operators.iter().flat_map(|o| [o.domain, o.codomain]);
            let spaces = signals.chain(calls).chain(operators).chain(system.constants.iter().map(|c| c.space));
            sizes.extend(spaces.map(|s| ((side, system.spaces.class(s)), 1)));
        }
        Dimensions { sizes }
    }

    pub fn of(&self, side: Side, system: &LinearSystem, space: Space) -> usize {
        self.sizes.get(&(side, system.spaces.class(space))).copied().unwrap_or(2)
    }
}

/// Random matrices, but for those operators that the witness makes of the other side's.
pub fn operators(
    first: &Analysis,
    second: &Analysis,
    dimensions: &Dimensions,
    witness: &Witness,
    point: &Point,
    stream: &mut Stream,
) -> Option<(Vec<Dense>, Vec<Dense>)> {
    let sides = [(first, Side::First), (second, Side::Second)];
    let mut found: SortedMap<Variable, Dense> = SortedMap::new();
    let mut bases: SortedMap<(Side, u16, usize), Dense> = SortedMap::new();
    for derived in [false, true] {
        for (analysis, side) in sides {
            let system = &analysis.system;
            for (i, o) in system.operators.iter().enumerate() {
                let symbol = side.place(operator_symbol(i));
                let (rows, cols) = (dimensions.of(side, system, o.codomain), dimensions.of(side, system, o.domain));
                let made = witness.images.iter().find(|(v, _)| *v == symbol).map(|(_, image)| image);
                let function = witness.operators.iter().find(|(v, _)| *v == symbol).map(|(_, value)| value);
                if (made.is_some() || function.is_some()) != derived {
                    continue;
                }
                let value = match made {
                    _ if let Some(factor) = witness.multiple(side, i) => Dense::scalar(rows, point.value(factor)?),
                    Some(made) => {
                        let other = side.other();
                        image_of(made, other, &found, (rows, cols), point)?
                    }
                    None if derived => fraction_of(function?, &found, (rows, cols), point)?,
                    None if o.class != 0 && rows == cols => {
                        // Operators that commute are polynomials in one.
                        let base = bases.entry((side, o.class, rows)).or_insert_with(|| {
                            let m = Dense::random(rows, rows, stream);
                            let symmetric = system.operators.iter().any(|p| p.class == o.class && p.symmetric);
                            if symmetric { m.plus(&m.transpose()) } else { m }
                        });
                        let [a, b, c] = [(); 3].map(|()| stream.next());
                        let square = base.after(base).times(c);
                        Dense::scalar(rows, a).plus(&base.times(b)).plus(&square)
                    }
                    None => {
                        let m = Dense::random(rows, cols, stream);
                        if o.symmetric && rows == cols { m.plus(&m.transpose()) } else { m }
                    }
                };
                found.insert(symbol, value);
            }
        }
    }
    let mut of = |analysis: &Analysis, side: Side| -> Option<Vec<Dense>> {
        (0..analysis.system.operators.len()).map(|i| found.remove(&side.place(operator_symbol(i)))).collect()
    };
    Some((of(first, Side::First)?, of(second, Side::Second)?))
}

/// A polynomial in the other side's operators.
pub fn image_of(
    image: &OperatorPolynomial,
    other: Side,
    found: &SortedMap<Variable, Dense>,
    (rows, cols): (usize, usize),
    point: &Point,
) -> Option<Dense> {
    let mut sum = Dense::zero(rows, cols);
    for (word, coefficient) in image.terms() {
        let mut m = Dense::scalar(cols, point.value(coefficient)?);
        for letter in word.iter().rev() {
            let own = found.get(&other.place(operator_symbol(letter.operator as usize)))?;
            let own = if letter.inverse { own.inverse()? } else { own.clone() };
            let own = if letter.adjoint { own.transpose() } else { own };
            if own.cols != m.rows.len() {
                return None;
            }
            m = own.after(&m);
        }
        if m.rows.len() != rows {
            return None;
        }
        sum = sum.plus(&m);
    }
    Some(sum)
}

/// A rational function of operators that commute, or of A'A or AA' where A leads from one space to another.
fn fraction_of(
    value: &RationalFunction,
    found: &SortedMap<Variable, Dense>,
    (rows, cols): (usize, usize),
    point: &Point,
) -> Option<Dense> {
    let mut bases: SortedMap<Variable, (Dense, u32)> = SortedMap::new();
    for v in value.variables() {
        let Some(own) = found.get(&v) else { continue };
        let base = match own.rows.len() == own.cols {
            true => (own.clone(), 1),
            false if own.cols == rows => (own.transpose().after(own), 2),
            false => (own.after(&own.transpose()), 2),
        };
        bases.insert(v, base);
    }
    if rows != cols || bases.values().any(|(base, _)| base.cols != rows) {
        return None;
    }
    let at = |p: &Polynomial| -> Dense {
        let mut sum = Dense::zero(rows, rows);
        for (powers, c) in p.terms() {
            let (own, others): (Vec<_>, Vec<_>) = powers.into_iter().partition(|(v, _)| bases.contains_key(v));
            let number = Polynomial::from_terms([(others, c.clone())]);
            let mut term = Dense::scalar(rows, number.evaluate_mod(&|v| point.at(v), PRIME));
            for (v, e) in own {
                let (base, step) = &bases[&v];
                for _ in 0..e / step {
                    term = base.after(&term);
                }
            }
            sum = sum.plus(&term);
        }
        sum
    };
    Some(at(value.numerator()).after(&at(value.denominator()).inverse()?))
}

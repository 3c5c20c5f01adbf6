//! An algorithm over the ring of operator polynomials, as the comparison has it.

use super::Entries;
use crate::operator::{Letter, OperatorPolynomial, Word};
use crate::relation::behavior::{Port, Side};
use crate::relation::correspondence::{Letters, Part};
use crate::system::schedule::{Motion, scheduled};
use crate::system::{Oracle, parameter};
use crate::transfer::{Analysis, Channel, Realization, Transfer, markov, over_operators};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, SortedSet, Variable};
use std::borrow::Cow;

/// One algorithm over the ring of operator polynomials.
#[derive(Clone)]
pub struct Plant {
    pub(super) ports: Vec<Port>,
    /// The realization as written, letters and coefficients as the comparison has them.
    pub realization: Realization<OperatorPolynomial>,
    pub(super) constants: Vec<String>,
    pub(super) parameters: Vec<Variable>,
    pub(super) nonzero: Vec<Polynomial>,
    /// What must not vanish either, and changes with the index.
    pub(super) running: Vec<Polynomial>,
}

impl Plant {
    /// With letters and coefficients replaced; nothing if a letter that matters has no image.
    pub fn new(
        analysis: &Analysis,
        side: Side,
        possible: &Letters,
        letters: &dyn Fn(Letter) -> Result<Option<OperatorPolynomial>, Exhausted>,
        place: &dyn Fn(&RationalFunction) -> RationalFunction,
    ) -> Result<Option<Plant>, Exhausted> {
        let written = written(analysis)?;
        let mut nonzero = SortedSet::new();
        let mut known = true;
        let mut entry = |e: &OperatorPolynomial| -> Result<OperatorPolynomial, Exhausted> {
            let mut sum = OperatorPolynomial::zero();
            for (word, c) in e.terms() {
                let c = place(c);
                nonzero.insert(c.denominator().clone());
                let mut term = OperatorPolynomial::scalar(c);
                for letter in word {
                    // What no coefficient depends on may be anything.
                    let matters = [false, true].iter().any(|a| possible.contains(&(letter.operator as usize, *a)));
                    let image = if matters { letters(*letter)? } else { continue };
                    known &= image.is_some();
                    term = term.mul(&image.unwrap_or_else(OperatorPolynomial::zero))?;
                }
                sum = sum.add(&term)?;
            }
            Ok(sum)
        };
        let mut ports = Vec::new();
        for (channel, Channel { oracle, .. }) in analysis.channels.iter().enumerate() {
            let map = oracle.map.as_ref().map(&mut entry).transpose()?;
            ports.push(Port { channel, oracle: Oracle { step: place(&oracle.step), map, ..oracle.clone() } });
        }
        let mut convert = |m: &Entries| m.try_map(&mut entry);
        let (a, b, c, d) = (convert(&written.a)?, convert(&written.b)?, convert(&written.c)?, convert(&written.d)?);
        if !known {
            return Ok(None);
        }
        nonzero.extend(
            ports.iter().flat_map(|p| [p.oracle.step.numerator().clone(), p.oracle.step.denominator().clone()]),
        );
        // Powers with the index have a base that is not zero.
        nonzero.extend(analysis.system.schedules.list.iter().filter_map(|s| match &s.motion {
            Motion::Power(base) => Some(place(base).numerator().clone()),
            _ => None,
        }));
        nonzero.retain(|d| !d.is_constant());
        let still = |d: &Polynomial| d.variables().into_iter().all(|v| scheduled(v).is_none());
        let (nonzero, running) = nonzero.into_iter().partition(still);
        Ok(Some(Plant {
            ports,
            realization: Realization { states: written.states.clone(), a, b, c, d },
            constants: analysis.system.constants.iter().map(|c| c.name.clone()).collect(),
            parameters: (0..analysis.system.parameters.len()).map(|i| side.place(parameter(i))).collect(),
            nonzero,
            running,
        }))
    }

    /// In other oracles of the same functions, channels in another order: `m[i]` turns a pair of
    /// channel `order[i]` into the new pair. Nothing if the new answers do not determine the old.
    pub fn in_oracles(
        &self,
        order: &[usize],
        m: &[Matrix<RationalFunction>],
    ) -> Result<Option<Realization<OperatorPolynomial>>, Exhausted> {
        let r = &self.realization;
        let states: Vec<usize> = (0..r.states.len()).collect();
        let constants: Vec<usize> = (self.ports.len()..r.d.cols()).collect();
        let (b, c, d) = (r.b.submatrix(&states, order), r.c.submatrix(order, &states), r.d.submatrix(order, order));
        let (e, f) = (r.b.submatrix(&states, &constants), r.d.submatrix(order, &constants));
        let p = order.len();
        let diagonal = |i: usize, j: usize| {
            Matrix::from_fn(p, p, |x, y| {
                if x == y { OperatorPolynomial::scalar(m[x][(i, j)].clone()) } else { OperatorPolynomial::zero() }
            })
        };
        // u = K (v − c (C x + F b)) for the new answers v and the constants b, with K = (cD + d)⁻¹.
        let Some(k) = diagonal(1, 0).mul(&d)?.add(&diagonal(1, 1))?.inverse()? else {
            return Ok(None);
        };
        let back = k.mul(&diagonal(1, 0))?;
        let (feedback, offset) = (back.mul(&c)?, back.mul(&f)?);
        let through = diagonal(0, 0).mul(&d)?.add(&diagonal(0, 1))?;
        Ok(Some(Realization {
            states: r.states.clone(),
            a: r.a.sub(&b.mul(&feedback)?)?,
            b: b.mul(&k)?.hstack(&e.sub(&b.mul(&offset)?)?),
            c: diagonal(0, 0).mul(&c)?.sub(&through.mul(&feedback)?)?,
            d: through.mul(&k)?.hstack(&diagonal(0, 0).mul(&f)?.sub(&through.mul(&offset)?)?),
        }))
    }
}

/// The realization as written, over operator polynomials whatever the operators.
pub fn written(analysis: &Analysis) -> Result<Cow<'_, Realization<OperatorPolynomial>>, Exhausted> {
    match &analysis.transfer {
        Transfer::Noncommuting { realization, .. } => Ok(Cow::Borrowed(realization)),
        Transfer::Commuting { .. } => over_operators(analysis).map(Cow::Owned),
    }
}

/// What occurs in an algorithm's coefficients. Operators on which no coefficient depends are left out.
pub struct Occurring {
    /// The letters that may.
    pub possible: Letters,
    /// Those that do in its transfer matrix.
    pub certain: Letters,
    /// Products of them.
    pub terms: SortedSet<Word>,
}

/// What occurs in an algorithm's coefficients.
pub fn letters(analysis: &Analysis) -> Result<Occurring, Exhausted> {
    let words = |m: &Entries| -> SortedSet<Word> {
        let entries = (0..m.rows()).flat_map(|i| m.row(i));
        entries.flat_map(|e| e.terms()).map(|(word, _)| word.clone()).collect()
    };
    let of = |m: &Entries| -> Letters { words(m).iter().flatten().map(|l| (l.operator as usize, l.adjoint)).collect() };
    let written = written(analysis)?;
    let maps = analysis.channels.iter().filter_map(|c| c.oracle.map.clone());
    let maps: Entries = Matrix::from_rows(maps.map(|map| vec![map]).collect());
    let all = || [&written.a, &written.b, &written.c, &written.d, &maps].into_iter();
    let mut possible: Letters = all().flat_map(of).collect();
    let mut terms: SortedSet<Word> = all().flat_map(words).filter(|w| !w.is_empty()).collect();
    if possible.is_empty() || !analysis.system.schedules.is_empty() {
        // Sequences of numbers may be special.
        return Ok(Occurring { possible, certain: Letters::new(), terms });
    }
    // With as many coefficients another operator in its place would show.
    let all = markov(&written, &analysis.system.schedules, 2 * analysis.minimal_order + 1)?;
    let used: SortedSet<usize> = all.iter().chain([&maps]).flat_map(of).map(|(o, _)| o).collect();
    possible.retain(|(o, _)| used.contains(o));
    terms.retain(|word| word.iter().all(|l| used.contains(&(l.operator as usize)) && !l.inverse));
    let channels: Vec<usize> = (0..analysis.channels.len()).collect();
    let h = all.iter().map(|m| m.submatrix(&channels, &channels));
    let certain = h.chain([maps]).flat_map(|m| of(&m)).collect();
    Ok(Occurring { possible, certain, terms })
}

pub(super) fn part<'a>(analysis: &'a Analysis, occurring: &'a Occurring) -> Part<'a> {
    let Occurring { possible, certain, terms } = occurring;
    Part { system: &analysis.system, possible, certain, terms }
}

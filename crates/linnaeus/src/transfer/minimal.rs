//! The least number of vectors that any realization of the same transfer matrix stores: the rank of
//! the Hankel matrix of Markov parameters.

use super::realization::Realization;
use crate::operator::{Letter, OperatorPolynomial};
use crate::prime_field::{Dense, PRIME, Stream, add, invert, multiply};
use crate::system::Operator;
use crate::system::schedule::{Motion, Schedules, scheduled};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, Variable, spend, with_fuel};
use std::borrow::Cow;

/// The work that the exact rank may take.
const EXACT_FUEL: u64 = 20_000_000;

/// The rank over ℚ(parameters, operators): that of observability times reachability.
///
/// The rank at a random point of a prime field never exceeds it. Where that is the number of states,
/// it is the answer; otherwise the rank is computed exactly, and only where that takes too long the
/// value at the point stands, which is too small with probability about 2⁻⁵⁰.
pub fn order(r: &Realization<RationalFunction>, channels: usize) -> Result<usize, Exhausted> {
    let at_point = order_where(r, channels, &|v| Stream::new(u64::from(v.0)).next())?;
    match at_point {
        Some(found) if found == r.states.len() => Ok(found),
        Some(found) => with_fuel(EXACT_FUEL, || exact_order(r, channels)).or(Ok(found)),
        None => exact_order(r, channels),
    }
}

/// The Hankel rank with every symbol a number modulo the prime; nothing if a denominator vanishes there.
pub fn order_where(
    r: &Realization<RationalFunction>,
    channels: usize,
    point: &dyn Fn(Variable) -> u64,
) -> Result<Option<usize>, Exhausted> {
    rank_where([&r.a, &r.b, &r.c], channels, point)
}

/// How many independent combinations of the states the queries tell of, at a random point.
pub fn observed_order(r: &Realization<RationalFunction>) -> Result<Option<usize>, Exhausted> {
    let n = r.states.len();
    rank_where([&r.a, &Matrix::identity(n), &r.c], n, &|v| Stream::new(u64::from(v.0)).next())
}

/// Whether A, B, C are minimal for sure: the rank at a random point never exceeds the one over the field.
pub fn is_minimal(abc: [&Matrix<RationalFunction>; 3]) -> Result<bool, Exhausted> {
    let found = rank_where(abc, abc[1].cols(), &|v| Stream::new(u64::from(v.0)).next())?;
    Ok(found == Some(abc[0].rows()))
}

fn rank_where(
    [a, b, c]: [&Matrix<RationalFunction>; 3],
    channels: usize,
    point: &dyn Fn(Variable) -> u64,
) -> Result<Option<usize>, Exhausted> {
    let value = |m: &Matrix<RationalFunction>, cols: usize| -> Option<Dense> {
        let row =
            |i: usize| m.row(i)[..cols].iter().map(|e| e.evaluate_mod(point, PRIME)).collect::<Option<Vec<u64>>>();
        Some(Dense { rows: (0..m.rows()).map(row).collect::<Option<_>>()?, cols })
    };
    let n = a.rows();
    let (Some(a), Some(b), Some(c)) = (value(a, n), value(b, channels), value(c, n)) else { return Ok(None) };
    hankel_rank(&|_| Cow::Borrowed(&a), &|_| Cow::Borrowed(&b), &|_| Cow::Borrowed(&c), n).map(Some)
}

fn exact_order(r: &Realization<RationalFunction>, channels: usize) -> Result<usize, Exhausted> {
    let inputs: Vec<usize> = (0..channels).collect();
    let states: Vec<usize> = (0..r.states.len()).collect();
    let b = r.b.submatrix(&states, &inputs);
    let reachable = krylov(&r.a, &b)?;
    let observable = krylov(&r.a.transpose(), &r.c.transpose())?.transpose();
    observable.mul(&reachable)?.rank()
}

/// A matrix at a time.
type At<'a> = &'a dyn Fn(i64) -> Cow<'a, Dense>;

/// The rank of [C; CA; …] [B, AB, …], each with so many blocks, around time 0.
fn hankel_rank(a: At, b: At, c: At, blocks: usize) -> Result<usize, Exhausted> {
    let n = a(0).cols;
    let mut reachable: Vec<Vec<u64>> = Vec::new();
    let mut past = Dense::scalar(n, 1);
    for j in 1..=blocks as i64 {
        reachable.extend(product(&past, &b(-j))?.transpose().rows);
        past = product(&past, &a(-j))?;
    }
    let reachable = Dense { rows: reachable, cols: n }.transpose();
    let mut hankel: Vec<Vec<u64>> = Vec::new();
    let mut future = reachable;
    let cols = future.cols;
    for j in 0..blocks as i64 {
        hankel.extend(product(&c(j), &future)?.rows);
        future = product(&a(j), &future)?;
    }
    Dense { rows: hankel, cols }.rank()
}

/// Independent columns that span all of B, AB, A²B, ….
fn krylov(a: &Matrix<RationalFunction>, b: &Matrix<RationalFunction>) -> Result<Matrix<RationalFunction>, Exhausted> {
    let rows: Vec<usize> = (0..a.rows()).collect();
    let (_, columns) = b.independent_rows_and_columns()?;
    let mut basis = b.submatrix(&rows, &columns);
    let mut newest = basis.clone();
    while newest.cols() > 0 && basis.cols() < a.rows() {
        let both = basis.hstack(&a.mul(&newest)?);
        let (_, columns) = both.independent_rows_and_columns()?;
        if columns.len() == basis.cols() {
            break;
        }
        // New columns may have pushed out old ones; with the old span they make up the new one.
        let added: Vec<usize> = columns.iter().copied().filter(|&j| j >= basis.cols()).collect();
        newest = both.submatrix(&rows, &added);
        basis = both.submatrix(&rows, &columns);
    }
    Ok(basis)
}

/// Operators are replaced by random matrices of this size.
pub(super) const SIZE: usize = 4;

/// The Hankel rank with every operator a random matrix, every parameter a random number and every
/// schedule a random sequence, per component of a vector. Values at a point never exceed the generic
/// rank, and reach it but for rare points.
pub fn generic_order(
    r: &Realization<OperatorPolynomial>,
    channels: usize,
    operators: &[Operator],
    schedules: &Schedules,
) -> Result<usize, Exhausted> {
    let matrices: Vec<[Dense; 2]> = operators.iter().enumerate().map(|(i, o)| random_operator(i, o)).collect();
    let states: Vec<usize> = (0..r.states.len()).collect();
    let inputs: Vec<usize> = (0..channels).collect();
    let b = r.b.submatrix(&states, &inputs);
    let at = |m: &Matrix<OperatorPolynomial>, time: i64| {
        Cow::Owned(blocks(m, &|p| evaluate(p, &matrices, &|v| random_value(schedules, v, time))))
    };
    let rank = hankel_rank(&|t| at(&r.a, t), &|t| at(&b, t), &|t| at(&r.c, t), r.states.len())?;
    Ok(rank.div_ceil(SIZE))
}

/// A number for a symbol at a time; sequences that go on by a rule are taken as free.
pub(super) fn random_value(schedules: &Schedules, v: Variable, time: i64) -> u64 {
    let number = |n: u64| Stream::new(n).next();
    let Some((j, offset)) = scheduled(v) else {
        return number(u64::from(v.0));
    };
    match &schedules.list[j].motion {
        Motion::Clock => add(number(u64::from(v.0)), time.rem_euclid(PRIME as i64) as u64),
        Motion::Power(base) => {
            let base = base.evaluate_mod(&|w| number(u64::from(w.0)), PRIME).filter(|b| *b != 0).unwrap_or(1);
            let factor = if time < 0 { invert(base) } else { base };
            (0..time.abs()).fold(number(u64::from(v.0)), |x, _| multiply(x, factor))
        }
        _ => number(((j as u64 + 1) << 40) + (offset + time + (1 << 20)) as u64),
    }
}

fn product(a: &Dense, b: &Dense) -> Result<Dense, Exhausted> {
    spend((a.rows.len() * a.cols * b.cols) as u64)?;
    Ok(a.after(b))
}

/// The operator and its inverse. Symmetric ones are symmetric; those of one commuting class are
/// polynomials of one matrix.
pub(super) fn random_operator(i: usize, operator: &Operator) -> [Dense; 2] {
    let seed = if operator.class != 0 { 1000 + u64::from(operator.class) } else { 1 + i as u64 };
    let mut m = Dense::random(SIZE, SIZE, &mut Stream::new(seed));
    if operator.symmetric || operator.class != 0 {
        m = m.plus(&m.transpose());
    }
    if operator.class != 0 {
        m = m.plus(&m.after(&m).times(i as u64 + 2));
    }
    let inverse = m.inverse().unwrap_or_else(|| Dense::scalar(SIZE, 1));
    [m, inverse]
}

pub(super) fn evaluate(p: &OperatorPolynomial, matrices: &[[Dense; 2]], point: &dyn Fn(Variable) -> u64) -> Dense {
    let mut sum = Dense::zero(SIZE, SIZE);
    for (word, coefficient) in p.terms() {
        let mut value = Dense::scalar(SIZE, coefficient.evaluate_mod(point, PRIME).unwrap_or(1));
        for Letter { operator, adjoint, inverse, .. } in word {
            let m = &matrices[*operator as usize][usize::from(*inverse)];
            value = value.after(&if *adjoint { m.transpose() } else { m.clone() });
        }
        sum = sum.plus(&value);
    }
    sum
}

pub(super) fn blocks(m: &Matrix<OperatorPolynomial>, value: &dyn Fn(&OperatorPolynomial) -> Dense) -> Dense {
    let mut rows = vec![Vec::new(); m.rows() * SIZE];
    for i in 0..m.rows() {
        for j in 0..m.cols() {
            for (s, row) in value(&m[(i, j)]).rows.into_iter().enumerate() {
                rows[i * SIZE + s].extend(row);
            }
        }
    }
    Dense { rows, cols: m.cols() * SIZE }
}

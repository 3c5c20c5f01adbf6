//! What related algorithms have in common, quickly computed: comparing is only worth it where the
//! keys allow a relation.

use crate::prime_field::{Dense, PRIME, Stream, add, invert, multiply, negate};
use crate::transfer::{Analysis, Realization, Transfer};
use linnaeus_algebra::{Matrix, RationalFunction, Variable};
use std::collections::BTreeMap;

/// What is the same for related algorithms, or ordered where one is an instance of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// How often each function is called, in rising order.
    pub calls: Vec<usize>,
    /// The degree of the behavior; none where coefficients do not commute.
    pub degree: Option<usize>,
}

impl Key {
    /// The key of an algorithm at generic parameters.
    pub fn new(analysis: &Analysis) -> Key {
        let mut functions: BTreeMap<&str, usize> = BTreeMap::new();
        for channel in &analysis.channels {
            *functions.entry(&channel.oracle.function).or_default() += 1;
        }
        let mut calls: Vec<usize> = functions.into_values().collect();
        calls.sort_unstable();
        let degree = match &analysis.transfer {
            Transfer::Commuting { realization, .. } => degree(realization, analysis.channels.len()),
            Transfer::Noncommuting { .. } => None,
        };
        Key { calls, degree }
    }
}

/// More channels than this have too many minors.
const MAX_CHANNELS: usize = 6;

/// The degree in z of the Plücker vector of range [H; I]: the principal minors of H over their common
/// denominator, common factors taken out. Changing oracles mixes the minors, a shift multiplies them
/// all by one power of z, and a special choice of parameters can only lower the degree.
fn degree(r: &Realization<RationalFunction>, p: usize) -> Option<usize> {
    if p > MAX_CHANNELS {
        return None;
    }
    let point = |v: Variable| Stream::new(u64::from(v.0) + 1).next();
    let value = |m: &Matrix<RationalFunction>, cols: usize| -> Option<Vec<Vec<u64>>> {
        let row =
            |i: usize| m.row(i)[..cols].iter().map(|e| e.evaluate_mod(&point, PRIME)).collect::<Option<Vec<u64>>>();
        (0..m.rows()).map(row).collect()
    };
    let n = r.states.len();
    let (a, b, c, d) = (value(&r.a, n)?, value(&r.b, p)?, value(&r.c, n)?, value(&r.d, p)?);
    let mut common: Vec<u64> = Vec::new();
    let mut highest = 0;
    for set in 0..1usize << p {
        let chosen: Vec<usize> = (0..p).filter(|i| set >> i & 1 == 1).collect();
        let minor = minor(&a, &b, &c, &d, &chosen);
        highest = highest.max(minor.len());
        common = gcd(common, minor);
    }
    Some(highest.saturating_sub(common.len()))
}

/// det [zI − A, B; −C, D] on some channels, coefficients by rising powers of z.
fn minor(a: &[Vec<u64>], b: &[Vec<u64>], c: &[Vec<u64>], d: &[Vec<u64>], chosen: &[usize]) -> Vec<u64> {
    let n = a.len();
    let at = |z: u64| {
        let mut rows = Vec::new();
        for i in 0..n {
            let mut row: Vec<u64> = a[i].iter().map(|x| negate(*x)).collect();
            row[i] = add(row[i], z);
            row.extend(chosen.iter().map(|&j| b[i][j]));
            rows.push(row);
        }
        for &i in chosen {
            let mut row: Vec<u64> = c[i].iter().map(|x| negate(*x)).collect();
            row.extend(chosen.iter().map(|&j| d[i][j]));
            rows.push(row);
        }
        Dense { cols: n + chosen.len(), rows }.determinant()
    };
    interpolate(&(0..=n as u64).map(at).collect::<Vec<_>>())
}

/// The polynomial with these values at 0, 1, 2, …, without leading zeros.
fn interpolate(values: &[u64]) -> Vec<u64> {
    // Newton's divided differences.
    let mut differences = values.to_vec();
    for step in 1..values.len() {
        for i in (step..values.len()).rev() {
            differences[i] = multiply(add(differences[i], negate(differences[i - 1])), invert(step as u64));
        }
    }
    let mut found: Vec<u64> = Vec::new();
    for i in (0..values.len()).rev() {
        // found · (z − i) + differences[i]
        found.insert(0, 0);
        for j in 0..found.len() - 1 {
            found[j] = add(found[j], negate(multiply(found[j + 1], i as u64)));
        }
        found[0] = add(found[0], differences[i]);
    }
    trim(found)
}

fn trim(mut p: Vec<u64>) -> Vec<u64> {
    while p.last() == Some(&0) {
        p.pop();
    }
    p
}

/// Euclid's algorithm; an empty polynomial is zero.
fn gcd(mut a: Vec<u64>, mut b: Vec<u64>) -> Vec<u64> {
    while !b.is_empty() {
        let lead = invert(b[b.len() - 1]);
        while a.len() >= b.len() {
            let factor = negate(multiply(a[a.len() - 1], lead));
            let shift = a.len() - b.len();
            for (i, x) in b.iter().enumerate() {
                a[shift + i] = add(a[shift + i], multiply(factor, *x));
            }
            a = trim(a);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a
}

//! What the laws are tried on.

#![allow(dead_code)]

use linnaeus_algebra::{Integer, Matrix, Polynomial, RationalFunction, Variable};
use proptest::collection::vec;
use proptest::prelude::*;

/// A prime for evaluations.
pub const P: u64 = (1 << 61) - 1;

/// Pairwise independent values of the variables, depending on a seed.
pub fn point(seed: u64) -> impl Fn(Variable) -> u64 {
    move |v| {
        let mixed = (seed ^ u64::from(v.0) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29) % P
    }
}

/// Integers, mostly small, some beyond a machine word.
pub fn integer() -> impl Strategy<Value = Integer> {
    prop_oneof![
        6 => (-9i64..10).prop_map(Integer::from),
        2 => any::<i64>().prop_map(Integer::from),
        1 => (any::<i128>(), any::<u64>()).prop_map(|(a, b)| Integer::from(a) * Integer::from(b)),
    ]
}

/// Polynomials in the first few variables with at most `terms` terms.
pub fn polynomial_in(
    variables: u32,
    degree: u32,
    terms: usize,
    coefficient: impl Strategy<Value = Integer>,
) -> impl Strategy<Value = Polynomial> {
    let monomial = vec((0..variables, 0..=degree), 0..4)
        .prop_map(|powers| powers.into_iter().map(|(v, e)| (Variable(v), e)).collect());
    vec((monomial, coefficient), 0..=terms).prop_map(Polynomial::from_terms)
}

/// Polynomials in which every term may have every variable, with some terms at least.
pub fn bulky_polynomial_in(
    variables: usize,
    degree: u32,
    coefficient: impl Strategy<Value = Integer>,
) -> impl Strategy<Value = Polynomial> {
    let monomial = vec(0..=degree, variables).prop_map(|exponents| (0..).map(Variable).zip(exponents).collect());
    nonzero(vec((monomial, coefficient), 4..12).prop_map(Polynomial::from_terms))
}

/// Polynomials as they come: few or many variables, small or large degrees and coefficients.
pub fn polynomial() -> impl Strategy<Value = Polynomial> {
    prop_oneof![
        4 => polynomial_in(3, 3, 8, integer()),
        2 => polynomial_in(1, 12, 10, integer()),
        1 => polynomial_in(12, 2, 8, integer()),
        1 => polynomial_in(3, 150, 6, integer()),
    ]
}

/// Small polynomials, whose sums and products meet often.
pub fn small_polynomial() -> impl Strategy<Value = Polynomial> {
    polynomial_in(3, 2, 3, (-3i64..4).prop_map(Integer::from))
}

pub fn nonzero(p: impl Strategy<Value = Polynomial>) -> impl Strategy<Value = Polynomial> {
    p.prop_map(|p| if p.is_zero() { Polynomial::one() } else { p })
}

/// Rational functions, small but with factors in common.
pub fn rational_function() -> impl Strategy<Value = RationalFunction> {
    (small_polynomial(), nonzero(small_polynomial())).prop_map(|(p, q)| RationalFunction::new(p, q).unwrap().unwrap())
}

/// Matrices with entries of which about half are zero.
pub fn matrix(rows: usize, cols: usize) -> impl Strategy<Value = Matrix<RationalFunction>> {
    let entry = prop_oneof![
        4 => Just(RationalFunction::zero()),
        3 => (-3i64..4).prop_map(RationalFunction::integer),
        2 => small_polynomial().prop_map(RationalFunction::polynomial),
        1 => rational_function(),
    ];
    vec(entry, rows * cols).prop_map(move |e| Matrix::from_fn(rows, cols, |i, j| e[i * cols + j].clone()))
}

/// The image under the injective endomorphism v ↦ v^k, which pushes exponents out of the packed
/// range.
pub fn inflate(p: &Polynomial, k: u32) -> Polynomial {
    Polynomial::from_terms(
        p.terms().map(|(powers, c)| (powers.into_iter().map(|(v, e)| (v, k * e)).collect(), c.clone())),
    )
}

//! Every operation ends within its fuel.

mod strategies;

use std::time::{Duration, Instant};

use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, Variable, with_fuel};
use proptest::prelude::*;
use strategies::{nonzero, polynomial};

fn variable(i: u32) -> Polynomial {
    Polynomial::variable(Variable(i))
}

fn integer(n: i64) -> Polynomial {
    Polynomial::integer(n)
}

/// Runs something far too large with little fuel.
fn check_exhausted<T: std::fmt::Debug>(f: impl FnOnce() -> Result<T, Exhausted>) {
    let start = Instant::now();
    let outcome = with_fuel(1_000_000, f);
    assert!(matches!(outcome, Err(Exhausted)), "{outcome:?}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn powers() {
    let sum = (0..10).fold(Polynomial::one(), |sum, i| sum + variable(i));
    check_exhausted(|| sum.pow(100));
    check_exhausted(|| integer(3).pow(u32::MAX));
    check_exhausted(|| (variable(0) + integer(1)).pow(1_000_000));
}

#[test]
fn substitution() {
    let p = variable(0).pow(4_000_000_000).unwrap() + integer(1);
    check_exhausted(|| p.substitute(Variable(0), &(variable(1) + integer(1))));
    check_exhausted(|| p.evaluate(&|_| Some(3.into())));
}

#[test]
fn gcds() {
    let sparse = |i: u32, e: u32| variable(i).pow(e).unwrap();
    let a = sparse(0, 1_000_000) + sparse(1, 999_999) + integer(1);
    let b = sparse(0, 999_983) - sparse(1, 3) + integer(2);
    check_exhausted(|| a.gcd(&b));
    let huge = sparse(0, u32::MAX) + integer(1);
    check_exhausted(|| huge.gcd(&(sparse(0, u32::MAX - 1) + integer(1))));
}

#[test]
fn division() {
    let a = variable(0).pow(100_000_000).unwrap() - integer(1);
    check_exhausted(|| a.exact_divide(&(variable(0) - integer(1))));
}

#[test]
fn dense_systems_with_many_parameters() {
    let entry = |i: usize, j: usize| RationalFunction::polynomial(variable((12 * i + j) as u32) + integer(1));
    let a = Matrix::from_fn(12, 12, entry);
    let (b, c) = (Matrix::from_fn(12, 1, entry), Matrix::from_fn(1, 12, entry));
    check_exhausted(|| Matrix::transfer(&a, &b, &c, &Matrix::zero(1, 1), Variable(1000)));
    check_exhausted(|| a.determinant());
    check_exhausted(|| a.inverse());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn fuel_changes_no_answer(
        a in nonzero(polynomial()), b in nonzero(polynomial()), fuel in 0u64..20_000,
    ) {
        let limited = with_fuel(fuel, || (a.mul(&b), a.gcd(&b), a.exact_divide(&b)));
        prop_assert!(limited.0.is_err() || limited.0 == a.mul(&b));
        prop_assert!(limited.1.is_err() || limited.1 == a.gcd(&b));
        prop_assert!(limited.2.is_err() || limited.2 == a.exact_divide(&b));
    }
}

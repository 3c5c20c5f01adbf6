//! The laws of the greatest common divisor, and agreement with an independent implementation.

mod strategies;

use linnaeus_algebra::{Integer, Polynomial, Variable};
use proptest::prelude::*;
use strategies::{bulky_polynomial_in, inflate, nonzero, polynomial, small_polynomial};

fn check_gcd(a: &Polynomial, b: &Polynomial) -> Result<Polynomial, TestCaseError> {
    let g = a.gcd(b)?;
    prop_assert!(g.leading_coefficient() > 0.into());
    let (Some(u), Some(v)) = (a.exact_divide(&g)?, b.exact_divide(&g)?) else {
        return Err(TestCaseError::fail("the gcd does not divide"));
    };
    prop_assert!(u.gcd(&v)?.is_one());
    prop_assert_eq!(b.gcd(a)?, g.clone());
    Ok(g)
}

fn small() -> impl Strategy<Value = Integer> + Clone {
    (-50i64..50).prop_map(Integer::from)
}

fn large() -> impl Strategy<Value = Integer> + Clone {
    any::<i128>().prop_map(Integer::from)
}

/// Three polynomials in the same variables, too large for the cheap cases.
fn triple(
    variables: std::ops::Range<usize>,
    degree: u32,
    coefficient: impl Strategy<Value = Integer> + Clone,
) -> impl Strategy<Value = [Polynomial; 3]> {
    variables.prop_flat_map(move |n| {
        let one = || bulky_polynomial_in(n, degree, coefficient.clone());
        [one(), one(), one()]
    })
}

fn check_common_factor([p, a, b]: &[Polynomial; 3]) -> Result<(), TestCaseError> {
    let g = check_gcd(&p.mul(a)?, &p.mul(b)?)?;
    let expected = p.mul(&a.gcd(b)?)?;
    prop_assert!(g == expected || g == -expected);
    Ok(())
}

/// Is the gcd by the crate `zippel-gcd`, which is over ℚ, the same up to a constant?
fn agrees_with_zippel_gcd(a: &Polynomial, b: &Polynomial) -> bool {
    let names = (0..12).map(|i| format!("x{i}"));
    let ring = polycore::Ring::new(names, polycore::Order::Lex);
    let read = |p: &Polynomial| ring.parse(&written(p)).expect("the syntax of polycore");
    let theirs = zippel_gcd::zippel(&read(a), &read(b));
    theirs == read(&a.gcd(b).expect("no limit")).primitive()
}

fn written(p: &Polynomial) -> String {
    let term = |(powers, c): (Vec<(Variable, u32)>, &Integer)| {
        let powers = powers.into_iter().map(|(v, e)| format!("*x{}^{e}", v.0));
        format!("{c}{}", powers.collect::<String>())
    };
    let terms: Vec<String> = p.terms().map(term).collect();
    terms.join(" + ").replace("+ -", "- ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn gcds_of_anything(a in nonzero(polynomial()), b in nonzero(polynomial())) {
        check_gcd(&a, &b)?;
    }

    #[test]
    fn a_common_factor_comes_out(pab in triple(1..7, 3, small())) {
        check_common_factor(&pab)?;
    }

    #[test]
    fn large_coefficients_come_out(pab in triple(1..7, 2, large())) {
        check_common_factor(&pab)?;
    }

    #[test]
    fn many_variables(pab in triple(8..12, 2, small())) {
        check_common_factor(&pab)?;
    }

    #[test]
    fn powers_and_conjugates(p in nonzero(small_polynomial()), q in nonzero(small_polynomial())) {
        let (a, b) = (p.pow(3)?.mul(&q)?, p.pow(2)?.mul(&q.pow(2)?)?);
        let g = check_gcd(&a, &b)?;
        let expected = p.pow(2)?.mul(&q)?.mul(&p.gcd(&q)?)?;
        prop_assert!(g == expected || g == -expected);
    }

    #[test]
    fn narrow_and_wide_agree([p, a, b] in triple(1..4, 2, small())) {
        let (a, b) = (p.mul(&a)?, p.mul(&b)?);
        prop_assert_eq!(inflate(&a, 70).gcd(&inflate(&b, 70))?, inflate(&a.gcd(&b)?, 70));
    }

    #[test]
    fn gcd_with_zero(a in polynomial()) {
        let g = a.gcd(&Polynomial::zero())?;
        prop_assert!(g == a || g == -&a);
        prop_assert!(g.leading_coefficient() >= 0.into());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn independent_implementation([p, a, b] in triple(1..7, 3, small())) {
        prop_assert!(agrees_with_zippel_gcd(&p.mul(&a)?, &p.mul(&b)?));
    }

    #[test]
    fn high_degrees(pab in triple(1..3, 40, small())) {
        check_common_factor(&pab)?;
    }
}

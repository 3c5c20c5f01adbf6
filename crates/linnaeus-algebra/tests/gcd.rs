//! The laws of the greatest common divisor, and agreement with an independent implementation.

mod strategies;

use linnaeus_algebra::{Integer, Polynomial, Variable};
use proptest::prelude::*;
use strategies::{nonzero, polynomial, polynomial_in, small_polynomial};

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

/// Polynomials whose gcds take the modular algorithms: five terms at least in up to six variables.
fn dense_polynomial() -> impl Strategy<Value = Polynomial> {
    (1u32..7).prop_flat_map(|n| {
        nonzero(polynomial_in(
            n,
            3,
            12,
            (-50i64..50).prop_map(Integer::from),
        ))
    })
}

fn large_coefficients() -> impl Strategy<Value = Polynomial> {
    nonzero(polynomial_in(
        3,
        3,
        8,
        any::<i128>().prop_map(Integer::from),
    ))
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
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn gcds_of_anything(a in nonzero(polynomial()), b in nonzero(polynomial())) {
        check_gcd(&a, &b)?;
    }

    #[test]
    fn a_common_factor_comes_out(
        p in dense_polynomial(), a in dense_polynomial(), b in dense_polynomial(),
    ) {
        let g = check_gcd(&p.mul(&a)?, &p.mul(&b)?)?;
        let expected = p.mul(&a.gcd(&b)?)?;
        prop_assert!(g == expected || g == -expected);
    }

    #[test]
    fn large_coefficients_come_out(
        p in large_coefficients(), a in large_coefficients(), b in large_coefficients(),
    ) {
        let g = check_gcd(&p.mul(&a)?, &p.mul(&b)?)?;
        let expected = p.mul(&a.gcd(&b)?)?;
        prop_assert!(g == expected || g == -expected);
    }

    #[test]
    fn powers_and_conjugates(p in nonzero(small_polynomial()), q in nonzero(small_polynomial())) {
        let (a, b) = (p.pow(3)?.mul(&q)?, p.pow(2)?.mul(&q.pow(2)?)?);
        let g = check_gcd(&a, &b)?;
        let expected = p.pow(2)?.mul(&q)?.mul(&p.gcd(&q)?)?;
        prop_assert!(g == expected || g == -expected);
    }

    #[test]
    fn gcd_with_zero(a in polynomial()) {
        let g = a.gcd(&Polynomial::zero())?;
        prop_assert!(g == a || g == -&a);
        prop_assert!(g.leading_coefficient() >= 0.into());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn independent_implementation(
        p in dense_polynomial(), a in dense_polynomial(), b in dense_polynomial(),
    ) {
        prop_assert!(agrees_with_zippel_gcd(&p.mul(&a)?, &p.mul(&b)?));
    }

    #[test]
    fn high_degrees(
        p in nonzero(polynomial_in(2, 40, 4, (-9i64..10).prop_map(Integer::from))),
        a in nonzero(polynomial_in(2, 40, 4, (-9i64..10).prop_map(Integer::from))),
        b in nonzero(polynomial_in(2, 40, 4, (-9i64..10).prop_map(Integer::from))),
    ) {
        check_gcd(&p.mul(&a)?, &p.mul(&b)?)?;
    }
}

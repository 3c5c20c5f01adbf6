//! Polynomials form a commutative ring, and the representation does not show.

mod strategies;

use linnaeus_algebra::{Exhausted, Polynomial, Rational, Variable};
use proptest::prelude::*;
use strategies::{P, inflate, nonzero, point, polynomial, polynomial_in, small_polynomial};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn ring_axioms(a in polynomial(), b in polynomial(), c in polynomial()) {
        let (zero, one) = (Polynomial::zero(), Polynomial::one());
        prop_assert_eq!(&a + &b, &b + &a);
        prop_assert_eq!(&(&a + &b) + &c, &a + &(&b + &c));
        prop_assert_eq!(&a + &zero, a.clone());
        prop_assert_eq!(&a - &a, zero.clone());
        prop_assert_eq!(&a - &b, &a + &(-&b));
        prop_assert_eq!(a.mul(&b), b.mul(&a));
        prop_assert_eq!(a.mul(&b)?.mul(&c), a.mul(&b.mul(&c)?));
        prop_assert_eq!(a.mul(&one), Ok(a.clone()));
        prop_assert_eq!(a.mul(&zero), Ok(zero));
        prop_assert_eq!(a.mul(&(&b + &c))?, a.mul(&b)? + a.mul(&c)?);
    }

    #[test]
    fn division_undoes_multiplication(a in polynomial(), b in nonzero(polynomial())) {
        let product = a.mul(&b)?;
        prop_assert_eq!(product.exact_divide(&b), Ok(Some(a.clone())));
        if !b.is_constant() {
            prop_assert_eq!((&product + Polynomial::one()).exact_divide(&b), Ok(None));
        }
        if let Some(q) = a.exact_divide(&b)? {
            prop_assert_eq!(q.mul(&b)?, a);
        }
    }

    #[test]
    fn evaluation_is_a_homomorphism(a in polynomial(), b in polynomial(), seed: u64) {
        let at = point(seed);
        let value = |p: &Polynomial| u128::from(p.evaluate_mod(&at, P));
        let p = u128::from(P);
        prop_assert_eq!(value(&(&a + &b)), (value(&a) + value(&b)) % p);
        prop_assert_eq!(value(&a.mul(&b)?), value(&a) * value(&b) % p);
        prop_assert_eq!(value(&Polynomial::one()), 1);
    }

    #[test]
    fn narrow_and_wide_agree(a in small_polynomial(), b in small_polynomial()) {
        for k in [50, 100, 1_000_000] {
            let (wide_a, wide_b) = (inflate(&a, k), inflate(&b, k));
            prop_assert_eq!(&wide_a + &wide_b, inflate(&(&a + &b), k));
            prop_assert_eq!(&wide_a - &wide_b, inflate(&(&a - &b), k));
            let product = a.mul(&b)?;
            let wide_product = wide_a.mul(&wide_b)?;
            prop_assert_eq!(&wide_product, &inflate(&product, k));
            if !b.is_zero() {
                prop_assert_eq!(wide_product.exact_divide(&wide_b), Ok(Some(wide_a.clone())));
            }
        }
    }

    #[test]
    fn many_variables_and_few_agree(a in small_polynomial(), b in small_polynomial()) {
        // With ten more variables as factors nothing is packed.
        let others = (20..30).try_fold(Polynomial::one(), |p, v| {
            p.mul(&Polynomial::variable(Variable(v)))
        })?;
        let (wide_a, wide_b) = (a.mul(&others)?, b.mul(&others)?);
        prop_assert_eq!(&wide_a + &wide_b, (&a + &b).mul(&others)?);
        prop_assert_eq!(wide_a.mul(&wide_b)?, a.mul(&b)?.mul(&others.square()?)?);
    }

    #[test]
    fn coefficients_rebuild(a in polynomial_in(4, 5, 8, strategies::integer()), v in 0u32..5) {
        let v = Variable(v);
        let coefficients = a.coefficients_in(v);
        prop_assert!(coefficients.iter().all(|c| c.degree_in(v) == 0));
        prop_assert_eq!(coefficients.len(), if a.is_zero() { 0 } else { a.degree_in(v) as usize + 1 });
        prop_assert_eq!(Polynomial::from_coefficients_in(v, &coefficients), a);
    }

    #[test]
    fn terms_rebuild_and_descend(a in polynomial()) {
        let terms: Vec<_> = a.terms().map(|(m, c)| (m, c.clone())).collect();
        prop_assert_eq!(terms.len(), a.term_count());
        if let Some((_, c)) = terms.first() {
            prop_assert_eq!(c, &a.leading_coefficient());
        }
        prop_assert_eq!(Polynomial::from_terms(terms.into_iter().rev()), a);
    }

    #[test]
    fn leading_terms_multiply(a in nonzero(polynomial()), b in nonzero(polynomial())) {
        let lead = |p: &Polynomial| Polynomial::from_terms(p.terms().take(1).map(|(m, c)| (m, c.clone())));
        prop_assert_eq!(lead(&a.mul(&b)?), lead(&a).mul(&lead(&b))?);
    }

    #[test]
    fn content_and_primitive_part(a in polynomial(), n in -20i64..20) {
        let part = a.primitive_part();
        prop_assert!(a.is_zero() || part.leading_coefficient() > 0.into());
        let rebuilt = part.scale(&a.content());
        prop_assert!(rebuilt == a || rebuilt == -&a);
        prop_assert_eq!(a.scale(&n.into()).content(), a.content() * n.unsigned_abs());
    }

    #[test]
    fn derivatives_satisfy_leibniz(a in polynomial(), b in polynomial()) {
        let v = Variable(1);
        let product = a.derivative(v).mul(&b)? + a.mul(&b.derivative(v))?;
        prop_assert_eq!(a.mul(&b)?.derivative(v), product);
    }

    #[test]
    fn substitution_is_a_homomorphism(
        a in small_polynomial(), b in small_polynomial(), value in small_polynomial(),
    ) {
        let v = Variable(0);
        let substitute = |p: &Polynomial| p.substitute(v, &value);
        prop_assert_eq!(substitute(&a.mul(&b)?)?, substitute(&a)?.mul(&substitute(&b)?)?);
        prop_assert_eq!(substitute(&(&a + &b))?, substitute(&a)? + substitute(&b)?);
        prop_assert_eq!(substitute(&Polynomial::variable(v))?, value);
    }

    #[test]
    fn evaluation_at_rationals(a in small_polynomial(), n in -9i64..9, d in 1u8..9) {
        let r = Rational::from_parts(n.into(), d.into());
        let partial = a.evaluate(&|v| (v == Variable(0)).then(|| r.clone()))?;
        let total = partial.evaluate(&|_| Some(Rational::ONE))?.unwrap();
        let direct = a.evaluate(&|v| Some(if v == Variable(0) { r.clone() } else { Rational::ONE }))?;
        prop_assert!(partial.is_canonical());
        prop_assert_eq!(total, direct);
    }

    #[test]
    fn powers_add(a in small_polynomial(), m in 0u32..4, n in 0u32..4) {
        prop_assert_eq!(a.pow(m)?.mul(&a.pow(n)?)?, a.pow(m + n)?);
    }
}

#[test]
fn exponents_never_wrap() {
    let x = Polynomial::variable(Variable(3));
    let huge = x.pow(u32::MAX).unwrap();
    assert_eq!(huge.degree_in(Variable(3)), u32::MAX);
    assert_eq!(huge.mul(&x), Err(Exhausted));
    assert_eq!(huge.exact_divide(&x.pow(u32::MAX - 1).unwrap()), Ok(Some(x.clone())));
    assert_eq!(huge.gcd(&x), Ok(x));
}

#[test]
fn the_packed_range_is_left_and_entered() {
    let x = Polynomial::variable(Variable(0)) + Polynomial::one();
    let p = x.pow(127).unwrap();
    let q = p.mul(&x).unwrap();
    assert_eq!(q.degree_in(Variable(0)), 128);
    assert_eq!(q.exact_divide(&x), Ok(Some(p.clone())));
    assert_eq!(&(&q + &p) - &q, p);
}

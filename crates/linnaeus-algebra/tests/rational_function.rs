//! Rational functions form a field, and every result is canonical.

mod strategies;

use linnaeus_algebra::{Polynomial, RationalFunction, Variable};
use proptest::prelude::*;
use strategies::{P, nonzero, point, rational_function, small_polynomial};

/// The function, after a check that it is in canonical form.
fn canonical(f: RationalFunction) -> RationalFunction {
    assert!(f.is_canonical(), "{f:?}");
    f
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn field_axioms(a in rational_function(), b in rational_function(), c in rational_function()) {
        let (zero, one) = (RationalFunction::zero(), RationalFunction::one());
        let sum = canonical(a.add(&b)?);
        let product = canonical(a.mul(&b)?);
        prop_assert_eq!(&sum, &b.add(&a)?);
        prop_assert_eq!(&product, &b.mul(&a)?);
        prop_assert_eq!(sum.add(&c)?, a.add(&b.add(&c)?)?);
        prop_assert_eq!(product.mul(&c)?, a.mul(&b.mul(&c)?)?);
        prop_assert_eq!(c.mul(&sum)?, c.mul(&a)?.add(&c.mul(&b)?)?);
        prop_assert_eq!(canonical(a.sub(&b)?), a.add(&b.neg())?);
        prop_assert_eq!(a.sub(&a)?, zero.clone());
        prop_assert_eq!(a.add(&zero)?, a.clone());
        prop_assert_eq!(a.mul(&one)?, a.clone());
        match a.inverse() {
            Some(inverse) => prop_assert_eq!(canonical(inverse).mul(&a)?, one),
            None => prop_assert!(a.is_zero()),
        }
    }

    #[test]
    fn division_undoes_multiplication(a in rational_function(), b in rational_function()) {
        match a.div(&b)? {
            Some(quotient) => prop_assert_eq!(canonical(quotient).mul(&b)?, a),
            None => prop_assert!(b.is_zero()),
        }
    }

    #[test]
    fn common_factors_cancel(
        p in small_polynomial(), q in nonzero(small_polynomial()), f in nonzero(small_polynomial()),
    ) {
        let reduced = RationalFunction::new(p.clone(), q.clone())?.unwrap();
        let expanded = RationalFunction::new(p.mul(&f)?, q.mul(&f)?)?.unwrap();
        prop_assert_eq!(canonical(expanded), reduced);
        prop_assert_eq!(RationalFunction::new(p, Polynomial::zero()), Ok(None));
    }

    #[test]
    fn evaluation_is_a_homomorphism(a in rational_function(), b in rational_function(), seed: u64) {
        let at = point(seed);
        let value = |f: &RationalFunction| f.evaluate_mod(&at, P).map(u128::from);
        if let (Some(x), Some(y)) = (value(&a), value(&b)) {
            prop_assert_eq!(value(&a.add(&b)?), Some((x + y) % u128::from(P)));
            prop_assert_eq!(value(&a.mul(&b)?), Some(x * y % u128::from(P)));
        }
    }

    #[test]
    fn powers(a in rational_function(), n in -3i32..4) {
        let direct = a.pow(n)?;
        match a.pow(-n)? {
            Some(inverse) if !a.is_zero() => {
                prop_assert!(canonical(direct.unwrap()).mul(&inverse)?.is_one());
            }
            _ => prop_assert!(a.is_zero()),
        }
    }

    #[test]
    fn substitution_is_a_homomorphism(
        a in rational_function(), b in rational_function(),
        x in rational_function(), y in rational_function(),
    ) {
        let value = |v: Variable| match v.0 {
            0 => Some(x.clone()),
            1 => Some(y.clone()),
            _ => None,
        };
        let (at_a, at_b) = (a.substitute(&value)?, b.substitute(&value)?);
        if let (Some(at_a), Some(at_b)) = (at_a, at_b) {
            prop_assert_eq!(a.mul(&b)?.substitute(&value)?, Some(canonical(at_a.mul(&at_b)?)));
            prop_assert_eq!(a.add(&b)?.substitute(&value)?, Some(at_a.add(&at_b)?));
        }
        prop_assert_eq!(a.substitute(&|_| None)?, Some(a.clone()));
    }

    #[test]
    fn renaming_and_substitution_agree(a in rational_function()) {
        let turn = |v: Variable| Variable((v.0 + 1) % 3);
        let substituted = a.substitute(&|v| Some(RationalFunction::variable(turn(v))))?;
        prop_assert_eq!(Some(canonical(a.rename(&turn))), substituted);
        // By way of sums, which are no variables.
        let beyond = |v: Variable| RationalFunction::variable(Variable(turn(v).0 + 3));
        let sum = |v: Variable| beyond(v).add(&RationalFunction::one()).ok();
        let back = |v: Variable| RationalFunction::variable(Variable(v.0 - 3)).sub(&RationalFunction::one()).ok();
        let detour = a.substitute(&sum)?.map(|b| b.substitute(&back)).transpose()?.flatten();
        prop_assert_eq!(Some(a.rename(&turn)), detour);
    }

    #[test]
    fn numbers_are_put_in_as_any_other_value(a in rational_function(), x in -20i64..20, y in 1i64..20) {
        let number = |v: Variable| RationalFunction::integer(if v.0 == 0 { x } else { y });
        let sum = |v: Variable| number(v).add(&RationalFunction::variable(Variable(7))).ok();
        let back = |v: Variable| (v.0 == 7).then(RationalFunction::zero);
        let shifted = a.substitute(&sum)?.map(|b| b.substitute(&back)).transpose()?.flatten();
        // Where the denominator vanishes at the number, it may cancel on the way.
        if let Some(value) = a.substitute(&|v| Some(number(v)))? {
            prop_assert_eq!(Some(canonical(value)), shifted);
        }
    }

    #[test]
    fn derivatives_satisfy_leibniz(a in rational_function(), b in rational_function()) {
        let v = Variable(0);
        let (da, db) = (canonical(a.derivative(v)?), b.derivative(v)?);
        prop_assert_eq!(a.mul(&b)?.derivative(v)?, da.mul(&b)?.add(&a.mul(&db)?)?);
    }
}

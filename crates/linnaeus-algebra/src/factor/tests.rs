//! Laws and known cases of factorization.

use super::Factorization;
use crate::{Exhausted, Integer, Polynomial, Rational, Variable, with_fuel};
use proptest::prelude::*;

/// Reads sums of products such as `4a^2*z - (b + 1)^3`; the variable of a letter is its position
/// in the alphabet.
fn polynomial(text: &str) -> Polynomial {
    let tokens: Vec<u8> = text.bytes().filter(|c| !c.is_ascii_whitespace()).collect();
    let mut reader = Reader { tokens, position: 0 };
    let f = reader.sum();
    assert_eq!(reader.position, reader.tokens.len(), "{text}");
    f
}

struct Reader {
    tokens: Vec<u8>,
    position: usize,
}

impl Reader {
    fn peek(&self) -> Option<u8> {
        self.tokens.get(self.position).copied()
    }

    fn eat(&mut self, token: u8) -> bool {
        let found = self.peek() == Some(token);
        self.position += usize::from(found);
        found
    }

    fn sum(&mut self) -> Polynomial {
        let mut sum = if self.eat(b'-') { -self.product() } else { self.product() };
        loop {
            if self.eat(b'+') {
                sum = sum + self.product();
            } else if self.eat(b'-') {
                sum = sum - self.product();
            } else {
                return sum;
            }
        }
    }

    fn product(&mut self) -> Polynomial {
        let mut product = self.power();
        while self.eat(b'*') || matches!(self.peek(), Some(b'a'..=b'z' | b'(')) {
            product = product.mul(&self.power()).unwrap();
        }
        product
    }

    fn power(&mut self) -> Polynomial {
        let base = self.atom();
        if self.eat(b'^') { base.pow(self.number()).unwrap() } else { base }
    }

    fn atom(&mut self) -> Polynomial {
        if self.eat(b'(') {
            let sum = self.sum();
            assert!(self.eat(b')'));
            return sum;
        }
        match self.peek() {
            Some(letter @ b'a'..=b'z') => {
                self.position += 1;
                Polynomial::variable(Variable(u32::from(letter - b'a')))
            }
            _ => Polynomial::integer(self.number()),
        }
    }

    fn number(&mut self) -> u32 {
        let digits = self.tokens[self.position..].iter().take_while(|c| c.is_ascii_digit());
        let digits: String = digits.map(|&c| char::from(c)).collect();
        self.position += digits.len();
        digits.parse().unwrap()
    }
}

/// The laws every factorization obeys.
fn lawful(f: &Polynomial) -> Factorization {
    let factorization = f.factor().unwrap();
    assert_eq!(factorization.product().unwrap(), *f);
    for (i, (g, _)) in factorization.factors.iter().enumerate() {
        assert!(!g.is_constant() && *g == g.primitive_part());
        for (h, _) in &factorization.factors[..i] {
            assert!(g.gcd(h).unwrap().is_one(), "{g:?} {h:?}");
        }
    }
    factorization
}

/// The product of the given irreducible polynomials factors into them.
fn check(content: i64, factors: &[(&str, u32)]) {
    let mut expected: Vec<(Polynomial, u32)> =
        factors.iter().map(|(f, e)| (polynomial(f).primitive_part(), *e)).collect();
    let mut f = Polynomial::integer(content);
    for (factor, e) in &expected {
        f = f.mul(&factor.pow(*e).unwrap()).unwrap();
    }
    let mut found = lawful(&f);
    assert!(found.complete, "{factors:?}");
    expected.sort();
    found.factors.sort();
    assert_eq!(found.factors, expected);
    assert_eq!(found.content, Integer::from(content));
    for (factor, _) in &expected {
        assert!(factor.is_irreducible().unwrap(), "{factor:?}");
    }
}

#[test]
fn constants_and_monomials() {
    assert_eq!(lawful(&Polynomial::zero()).content, Integer::ZERO);
    assert!(lawful(&Polynomial::integer(-12)).factors.is_empty());
    check(-12, &[("a", 3), ("q", 1), ("z", 7)]);
    check(1, &[("z", 2), ("a*z + 1", 3), ("z - 1", 5)]);
}

#[test]
fn transfer_functions() {
    check(1, &[("z - 1", 1), ("z - b", 1)]);
    check(1, &[("z^2 - 2w*z + w", 1)]);
    check(1, &[("a^2*s*t*z + z^2 - 2z + 1", 1)]);
    check(1, &[("4a^2*t^2*z^2 - 4a^2*t^2*z + a^2*t^2 + z^4 - 2z^3 + z^2", 1)]);
    check(-3, &[("z - 1", 2), ("z^2 - (1 + b - a*l)*z + b", 1), ("z - b*g", 3)]);
    check(2, &[("z^2 - (1 + b)*z + b - a*m", 1), ("z^2 - (1 + b)*z + b - a*l", 1)]);
    check(1, &[("(1+r)*z - r", 1), ("2z^2 + (a*r - 2)*z + 1 - a*r^2", 2)]);
}

#[test]
fn leading_coefficients() {
    check(1, &[("a*z + b", 1), ("c*z + d", 1), ("a*c*z^2 + 1", 1)]);
    check(6, &[("2a*z^2 + 3b", 1), ("3b*z^2 + 5a*z + 7", 1), ("(a + b)*z^2 + a*b + 1", 1)]);
    check(1, &[("(a^2 + b)*z^2 + c^2*z + 1", 1), ("(a^2 + b)*z^2 + c^2*z + b^2 + 2", 2)]);
    check(1, &[("a^2*b*z^3 + c^3 + a", 1), ("a*b^2*z^3 - c^2*z - b - a^2", 1)]);
    check(1, &[("2z^2 + 4a*z + 3a^2 + 1", 1), ("6z^2 + 3a^2*z + 2a^3 + 5", 1)]);
}

#[test]
fn quadratic_forms() {
    check(1, &[("x^2 + y^2 + z^2", 1), ("x*y + y*z + z*x", 1), ("x - y", 1), ("x + y", 1)]);
    check(1, &[("x^2 - 2y^2", 1), ("x^2 - 3y^2", 1), ("x^4 + y^4", 1)]);
    check(1, &[("x^2 + x*y + y^2 - 1", 1), ("x^2 - x*y + y^2 - 1", 1), ("x^2 - y^3", 1)]);
}

#[test]
fn splits_over_extensions_only() {
    check(1, &[("x^4 + 1", 1)]);
    check(1, &[("x^4 - 10x^2 + 1", 1)]);
    check(1, &[("x^4 - 2(a + b)*x^2 + (a - b)^2", 1)]);
    check(1, &[("x^2 - y", 1), ("x^2 + 4y^2", 1), ("x^6 + x^3*y^3 + y^6", 1)]);
}

#[test]
fn many_variables() {
    check(
        1,
        &[
            ("a^2 + b^2*c^2 + d*e - f^2*g + h^2 + 3i - j^2 + k^2*l - m^2 + n^2", 1),
            ("a^2 - b*c + 2d^2*e^2 + f*g^2 - h + i^2 + j*k - l^2 + m*n - 5", 1),
        ],
    );
    check(
        1,
        &[
            ("a^2*b^2 + c^2*d + e^2 + f^2 + g^2 + h^2", 1),
            ("c^2*a + b*d^2 + e*f + g*h + 1", 1),
            ("a*b*c*d^2 + e^2*f*g*h - 2", 2),
        ],
    );
}

#[test]
fn large_coefficients() {
    let big = Polynomial::integer(Integer::from(7).pow(50));
    let f = polynomial("x^2*y^2 + x + y").mul(&big).unwrap() + polynomial("x^3 + 1");
    let g = polynomial("x^3*y^2 - 2x + y^2").mul(&big).unwrap() - polynomial("y^2*x + 1");
    let product = lawful(&f.mul(&g).unwrap());
    assert!(product.complete);
    assert_eq!(product.factors.len(), 2);
}

#[test]
fn large_multiplicities() {
    check(5, &[("x + 1", 20), ("x - 1", 19), ("x^2 + x + 1", 7)]);
    check(1, &[("x^2 + y^2 + 1", 6), ("x*y^2 - 2x^2 + 1", 3), ("x + y^2", 11)]);
}

/// The number of divisors of n.
fn divisors(n: u32) -> usize {
    (1..=n).filter(|d| n.is_multiple_of(*d)).count()
}

#[test]
fn roots_of_unity() {
    let x = Polynomial::variable(Variable(0));
    let y = Polynomial::variable(Variable(1));
    for n in 1..=30 {
        let f = x.pow(n).unwrap() - Polynomial::one();
        assert_eq!(lawful(&f).factors.len(), divisors(n), "{n}");
        let homogeneous = x.pow(n).unwrap() - y.pow(n).unwrap();
        if n <= 16 {
            assert_eq!(lawful(&homogeneous).factors.len(), divisors(n), "{n}");
        }
    }
}

/// The minimal polynomial of √2 + √3 + √5 + … with n roots.
fn swinnerton_dyer(n: usize) -> Polynomial {
    let (x, root) = (Variable(0), Variable(1));
    let mut f = Polynomial::variable(x);
    for p in [2, 3, 5, 7, 11].into_iter().take(n) {
        let shifted = f.substitute(x, &polynomial("a + b")).unwrap();
        let mut even = Polynomial::zero();
        let mut odd = Polynomial::zero();
        for (k, c) in shifted.coefficients_in(root).into_iter().enumerate() {
            let c = c.scale(&Integer::from(p).pow(k / 2));
            if k % 2 == 0 { even = even + c } else { odd = odd + c }
        }
        f = even.pow(2).unwrap() - odd.pow(2).unwrap().scale(&Integer::from(p));
    }
    f
}

#[test]
fn swinnerton_dyer_polynomials() {
    for n in 1..=4 {
        let f = swinnerton_dyer(n);
        assert_eq!(f.total_degree(), 1 << n);
        assert!(f.is_irreducible().unwrap());
    }
    let product = swinnerton_dyer(3).mul(&polynomial("a^8 - 2")).unwrap();
    assert_eq!(lawful(&product).factors.len(), 2);
}

#[test]
fn rational_roots() {
    let roots = |text: &str| polynomial(text).rational_roots(Variable(25)).unwrap();
    let fraction = |n: i64, d: u32| Rational::from_parts(n.into(), d.into());
    assert_eq!(roots("(2z - 1)^2*(3z + 5)*(z^2 + 1)"), [(fraction(-5, 3), 1), (fraction(1, 2), 2)]);
    assert_eq!(roots("z^3*(z^2 - 2)"), [(fraction(0, 1), 3)]);
    assert_eq!(roots("(z - 3)*(a^2 + z) - (z - 3)*b*z"), [(fraction(3, 1), 1)]);
    assert_eq!(roots("z^4 - 10z^2 + 1"), []);
    assert_eq!(roots("7"), []);
}

#[test]
fn square_free_parts() {
    let parts = polynomial("12x^2*y^3*(x + y)^2*(x^2 - 1)*(y - 7)^3").square_free().unwrap();
    let expected = [("x^2 - 1", 1), ("x*(x + y)", 2), ("y*(y - 7)", 3)];
    assert_eq!(parts.content, Integer::from(12));
    for (part, e) in expected {
        assert!(parts.factors.contains(&(polynomial(part).primitive_part(), e)));
    }
    assert_eq!(parts.factors.len(), 3);
}

#[test]
fn gives_up_when_fuel_runs_out() {
    let f = polynomial("(x^2*y^2 + z^2 + x + 1)*(x^2*z^2 - y^2 + y + 3)*(x^2 + y^2 + z^2 + 5)");
    assert_eq!(with_fuel(200, || f.factor()), Err(Exhausted));
    for fuel in (0..20_000).step_by(371) {
        if let Ok(found) = with_fuel(fuel, || f.factor()) {
            assert_eq!(found.factors.len(), 3);
        }
    }
}

#[test]
fn high_degrees_are_refused_or_factored() {
    let x = Polynomial::from_terms([(vec![(Variable(0), 1 << 30)], Integer::ONE)]);
    let (square, y) = (x.mul(&x).unwrap(), Polynomial::variable(Variable(1)));
    assert_eq!((&square - &Polynomial::one()).factor(), Err(Exhausted));
    assert_eq!((&square - &y).factor().unwrap().factors.len(), 1);
    assert_eq!(x.factor().unwrap().factors, [(Polynomial::variable(Variable(0)), 1 << 30)]);
}

/// Sparse polynomials with small coefficients in at most `variables` variables.
fn small(variables: u32, degree: u32, terms: usize) -> impl Strategy<Value = Polynomial> {
    let monomial = proptest::collection::vec(0..=degree, variables as usize);
    let term = (monomial, -9i64..=9);
    proptest::collection::vec(term, 1..=terms).prop_map(|terms| {
        let term = |(e, c): (Vec<u32>, i64)| {
            let powers = (0..).map(Variable).zip(e).filter(|(_, e)| *e > 0).collect();
            (powers, Integer::from(c))
        };
        Polynomial::from_terms(terms.into_iter().map(term))
    })
}

/// A product has at least the factors of its factors, and they multiply back.
fn check_product(factors: &[Polynomial]) -> Result<(), TestCaseError> {
    let mut product = Polynomial::one();
    let mut expected = 0;
    for f in factors.iter().filter(|f| !f.is_zero()) {
        product = product.mul(f).unwrap();
        expected += f.factor().unwrap().factors.iter().map(|(_, e)| e).sum::<u32>();
    }
    let found = lawful(&product);
    prop_assert!(found.complete);
    prop_assert_eq!(found.factors.iter().map(|(_, e)| e).sum::<u32>(), expected);
    for (g, _) in &found.factors {
        let again = g.factor().unwrap();
        prop_assert_eq!(&again.factors, &[(g.clone(), 1)]);
        prop_assert!(again.content.is_one());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn univariate_products(f in small(1, 6, 5), g in small(1, 5, 4), h in small(1, 3, 4)) {
        check_product(&[f, g, h])?;
    }

    #[test]
    fn bivariate_products(f in small(2, 3, 5), g in small(2, 3, 5), h in small(2, 2, 4)) {
        check_product(&[f, g, h])?;
    }

    #[test]
    fn trivariate_products(f in small(3, 2, 6), g in small(3, 3, 5)) {
        check_product(&[f, g])?;
    }

    #[test]
    fn products_in_six_variables(f in small(6, 2, 6), g in small(6, 2, 6)) {
        check_product(&[f, g])?;
    }

    #[test]
    fn powers(f in small(2, 2, 4), e in 1u32..5) {
        let simple = f.factor().unwrap();
        let power = lawful(&f.pow(e).unwrap());
        let raised: Vec<_> = simple.factors.into_iter().map(|(g, k)| (g, k * e)).collect();
        prop_assert_eq!(power.factors, raised);
    }
}

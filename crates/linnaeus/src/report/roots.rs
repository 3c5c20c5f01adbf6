//! The complex roots of a polynomial in floating point, to be drawn. Only operations that round alike on every machine are used.

/// A complex number.
pub type Complex = (f64, f64);

/// More rounds change nothing that is seen.
const ROUNDS: usize = 400;
/// Roots that are nearer to each other, relative to their size, are one.
const NEAR: f64 = 1e-4;

fn times((a, b): Complex, (c, d): Complex) -> Complex {
    (a * c - b * d, a * d + b * c)
}

fn minus((a, b): Complex, (c, d): Complex) -> Complex {
    (a - c, b - d)
}

/// The absolute value.
fn size((a, b): Complex) -> f64 {
    (a * a + b * b).sqrt()
}

fn over(a: Complex, (c, d): Complex) -> Complex {
    let square = c * c + d * d;
    let (re, im) = times(a, (c, -d));
    (re / square, im / square)
}

/// The roots of c₀ + c₁z + … with multiplicities, by Durand and Kerner's iteration; nothing where a coefficient is no number, or
/// all are zero.
pub fn roots(coefficients: &[f64]) -> Option<Vec<(Complex, u32)>> {
    let largest = coefficients.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
    let degree = coefficients.iter().rposition(|c| c.abs() > 1e-12 * largest)?;
    let monic: Vec<f64> = coefficients[..degree].iter().map(|c| c / coefficients[degree]).collect();
    if !largest.is_finite() || monic.iter().any(|c| !c.is_finite()) {
        return None;
    }
    let value = |z: Complex| monic.iter().rev().fold((1.0, 0.0), |sum, c| minus(times(sum, z), (-c, 0.0)));
    // Powers of a number that is neither real nor a root of unity, within Cauchy's bound.
    let radius = 1.0 + monic.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
    let powers = std::iter::successors(Some((0.5 * radius, 0.0)), |z| Some(times(*z, (0.4, 0.9))));
    let mut found: Vec<Complex> = powers.take(degree).collect();
    for _ in 0..ROUNDS {
        for i in 0..degree {
            let others = (0..degree).filter(|j| *j != i).map(|j| minus(found[i], found[j]));
            let step = over(value(found[i]), others.fold((1.0, 0.0), times));
            if step.0.is_finite() && step.1.is_finite() {
                found[i] = minus(found[i], step);
            }
        }
    }
    Some(gathered(found))
}

/// Roots that are one, in the middle of those that were found; what is nearly real is.
fn gathered(found: Vec<Complex>) -> Vec<(Complex, u32)> {
    let mut groups: Vec<Vec<Complex>> = Vec::new();
    for z in found {
        let is_near = |w: &Complex| size(minus(*w, z)) <= NEAR * (1.0 + size(z));
        match groups.iter_mut().find(|g| g.iter().any(is_near)) {
            Some(group) => group.push(z),
            None => groups.push(vec![z]),
        }
    }
    let middle = |group: Vec<Complex>| {
        let n = group.len() as f64;
        let (re, im) = group.iter().fold((0.0, 0.0), |(a, b), (c, d)| (a + c / n, b + d / n));
        let flat = |part: f64, other: f64| if part.abs() <= 1e-7 * (1.0 + other.abs()) { 0.0 } else { part };
        ((flat(re, im), flat(im, re)), group.len() as u32)
    };
    let mut all: Vec<(Complex, u32)> = groups.into_iter().map(middle).collect();
    all.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The roots that are multiplied out, in the order of their real parts, are found again.
    fn check(wanted: &[(Complex, u32)]) {
        let mut product: Vec<Complex> = vec![(1.0, 0.0)];
        for &(root, n) in wanted {
            for _ in 0..n {
                let shifted = std::iter::once((0.0, 0.0)).chain(product.iter().copied());
                let scaled = product.iter().map(|c| times(*c, root)).chain([(0.0, 0.0)]);
                product = shifted.zip(scaled).map(|(a, b)| minus(a, b)).collect();
            }
        }
        let real: Vec<f64> = product.iter().map(|c| c.0).collect();
        let found = roots(&real).expect("numbers");
        assert_eq!(found.len(), wanted.len(), "{wanted:?}: {found:?}");
        for ((z, n), (w, m)) in found.iter().zip(wanted) {
            assert!(size(minus(*z, *w)) < 1e-3 && n == m, "{wanted:?}: {found:?}");
        }
    }

    #[test]
    fn found_again() {
        check(&[]);
        check(&[((0.5, 0.0), 1)]);
        check(&[((0.0, 0.0), 3)]);
        check(&[((0.0, 0.0), 1), ((1.0, 0.0), 2)]);
        check(&[((0.3, -0.4), 1), ((0.3, 0.4), 1), ((1.0, 0.0), 1)]);
        check(&[((-100.0, 0.0), 1), ((0.01, 0.0), 1)]);
        let unit: Vec<(Complex, u32)> = roots(&[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]).expect("numbers");
        assert_eq!(unit.len(), 8);
        assert!(unit.iter().all(|((a, b), _)| (size((*a, *b)) - 1.0).abs() < 1e-9));
    }

    #[test]
    fn no_numbers() {
        assert_eq!(roots(&[]), None);
        assert_eq!(roots(&[0.0, 0.0]), None);
        assert_eq!(roots(&[f64::NAN, 1.0]), None);
        assert_eq!(roots(&[1.0, f64::INFINITY]), None);
        assert_eq!(roots(&[2.0]), Some(vec![]));
        assert_eq!(roots(&[1.0, 2.0, 0.0]).map(|r| r.len()), Some(1));
    }
}

//! Which degrees a factor can have.

use super::cantor_zassenhaus::EqualDegree;

/// The degrees that factors of a polynomial of degree n may have, as a set closed under d ↦ n − d.
///
/// Every homomorphic image of the same degree refines the factorization, so the true degrees lie
/// among the sums of sub-multisets of the image's; images are combined by intersection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DegreeSet(Vec<bool>);

impl DegreeSet {
    /// No restriction: 0, 1, …, n.
    pub(super) fn all(n: usize) -> Self {
        Self(vec![true; n + 1])
    }

    /// Keeps the sums of degrees of the irreducible factors of an image.
    pub(super) fn restrict(&mut self, image: &[EqualDegree]) {
        let mut sums = vec![false; self.0.len()];
        sums[0] = true;
        for group in image {
            for _ in 0..group.count() {
                for k in (group.degree..sums.len()).rev() {
                    sums[k] |= sums[k - group.degree];
                }
            }
        }
        self.0.iter_mut().zip(sums).for_each(|(a, b)| *a &= b);
    }

    pub(super) fn contains(&self, degree: usize) -> bool {
        self.0.get(degree).copied().unwrap_or(false)
    }

    /// Only 0 and n remain: the polynomial is irreducible.
    pub(super) fn proves_irreducible(&self) -> bool {
        !self.0[1..self.0.len() - 1].iter().any(|&d| d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(degree: usize, count: usize) -> EqualDegree {
        EqualDegree { degree, product: vec![1; degree * count + 1] }
    }

    #[test]
    fn images_combine() {
        let mut degrees = DegreeSet::all(5);
        degrees.restrict(&[group(1, 1), group(2, 2)]);
        assert!(!degrees.proves_irreducible());
        degrees.restrict(&[group(2, 1), group(3, 1)]);
        assert!(degrees.contains(2) && degrees.contains(3) && !degrees.contains(1));
        degrees.restrict(&[group(1, 1), group(4, 1)]);
        assert!(degrees.proves_irreducible());
    }
}

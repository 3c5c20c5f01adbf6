//! Transposed Vandermonde systems over a prime field, in quadratic time.

use super::field::PrimeField;
use super::univariate::product_of_linear;

/// The system Σⱼ vⱼˢ xⱼ = wₛ for s = 1, …, n, with distinct nonzero vⱼ.
pub(super) struct Vandermonde {
    field: PrimeField,
    nodes: Vec<u64>,
    /// Π (y − vⱼ), by ascending degree.
    master: Vec<u64>,
}

impl Vandermonde {
    /// The system with these nodes; `None` if two are equal or one is 0.
    pub(super) fn new(field: PrimeField, nodes: Vec<u64>) -> Option<Self> {
        let mut sorted = nodes.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|w| w[0] == w[1]) || sorted.first() == Some(&0) {
            return None;
        }
        let master = product_of_linear(field, &nodes);
        Some(Vandermonde { field, nodes, master })
    }

    /// The number of unknowns.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The solution for the first `len` of the given values.
    ///
    /// With q = Π_{i≠j} (y − vᵢ), the combination of the equations by the coefficients of q is
    /// q(vⱼ) vⱼ xⱼ, because q vanishes at all other nodes.
    pub(super) fn solve(&self, values: &[u64]) -> Vec<u64> {
        let field = self.field;
        let unknown = |&v: &u64| {
            let (mut combination, mut at_node, mut q) = (0, 0, 0);
            for i in (0..self.len()).rev() {
                q = field.add(self.master[i + 1], field.mul(q, v));
                combination = field.add(combination, field.mul(q, values[i]));
                at_node = field.add(field.mul(at_node, v), q);
            }
            field.mul(combination, field.inverse(field.mul(at_node, v)))
        };
        self.nodes.iter().map(unknown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gcd::field::fields;

    #[test]
    fn the_solution_solves() {
        let field = fields().next().unwrap();
        let (nodes, x) = ([3, 10, 2, 77], [5, 0, 1, 9]);
        let value = |s: u32| {
            let products = nodes.iter().zip(&x).map(|(&v, &x)| field.mul(field.pow(v, s), x));
            products.fold(0, |sum, product| field.add(sum, product))
        };
        let values: Vec<u64> = (1..=4).map(value).collect();
        assert_eq!(Vandermonde::new(field, nodes.to_vec()).unwrap().solve(&values), x);
        assert!(Vandermonde::new(field, vec![1, 2, 1]).is_none());
    }
}

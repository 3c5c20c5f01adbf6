//! Sequences for which two realizations are the same, state by state in some order. Then nothing but equations
//! at one time are left, where the Markov parameters speak of many.

use super::Entries;
use super::equations::{Base, Sequences};
use super::reading::{Search, Solved};
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::Side;
use crate::relation::matching::orders;
use crate::transfer::Realization;
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, SortedSet};

/// Orders of more states are not tried.
const MAX_STATES: usize = 4;

impl Search<'_> {
    /// Solves for one side's parameters and sequences such that both are the same state by state.
    /// That there are none says nothing.
    pub(super) fn solve_by_states(&self, both: &Sequences, given: Side) -> Result<Option<Solved>, Exhausted> {
        let (Some(x), Some(y)) = (both.x.realization(), both.y.realization()) else { return Ok(None) };
        let (n, &by) = (x.states.len(), both.shift.first().unwrap_or(&0));
        let is_uniform = both.shift.iter().all(|m| *m == by);
        if self.matching.joint.is_empty() || !is_uniform || n != y.states.len() || n > MAX_STATES {
            return Ok(None);
        }
        for order in orders(n) {
            let Some(equations) = self.same_states(both, (x, y), by, &order)? else { continue };
            let found = self.solve_equations(equations, given, Base::Each, &mut None)?;
            if let Some(found) = found
                && self.verified(both, &found)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// What must vanish for state i of the first to be state `order[i]` of the second so much earlier; nothing if
    /// that is impossible.
    fn same_states(
        &self,
        both: &Sequences,
        (x, y): (&Realization<OperatorPolynomial>, &Realization<OperatorPolynomial>),
        by: i64,
        order: &[usize],
    ) -> Result<Option<Vec<Polynomial>>, Exhausted> {
        let channels: Vec<usize> = (0..both.shift.len()).collect();
        let (states, same) = ((0..order.len()).collect::<Vec<_>>(), &channels);
        let pairs: [(Entries, Entries); 4] = [
            (x.a.clone(), y.a.submatrix(order, order)),
            (x.b.submatrix(&states, same), y.b.submatrix(order, same)),
            (x.c.clone(), y.c.submatrix(same, order)),
            (x.d.submatrix(same, same), y.d.submatrix(same, same)),
        ];
        let mut found: SortedSet<Polynomial> = self.steps(both.shift)?.into_iter().collect();
        found.extend(self.matching.equations.iter().map(|p| p.primitive_part()));
        for (one, two) in &pairs {
            let two: Entries = two.try_map(|e| self.matching.joint.advanced_operator(e, -by))?;
            let difference: Entries = Matrix::sub(one, &two)?;
            for entry in (0..difference.rows()).flat_map(|i| difference.row(i)) {
                found.extend(entry.terms().into_iter().map(|(_, c)| c.numerator().primitive_part()));
            }
        }
        found.remove(&Polynomial::zero());
        Ok((!found.iter().any(Polynomial::is_constant)).then(|| found.into_iter().collect()))
    }
}

//! State maps whose entries are polynomials of low degree in operators. Their coefficients are numbers, for which
//! U T + G = 0 are linear equations, one for every word: that finds what no division isolates, as
//! u = x and v = y in P u + Q v = P x + Q y.

use super::echelon::{Equations, Vanishes};
use crate::operator::{Letter, OperatorPolynomial, Word};
use linnaeus_algebra::{Coefficient, Exhausted, SortedSet};
use std::collections::BTreeMap;

type Cells = Vec<OperatorPolynomial>;

/// One row of T per unknown, over what is given, that solves all equations, whose cells belong to the unknowns first.
pub fn of_low_degree(vanishes: Vanishes, rows: &[Cells], unknowns: usize) -> Result<Option<Vec<Cells>>, Exhausted> {
    let cells = rows.iter().flatten();
    let letters: SortedSet<Letter> = cells.flat_map(|c| c.terms()).flat_map(|(word, _)| word.iter().copied()).collect();
    let one = OperatorPolynomial::one();
    let degrees =
        [vec![one.clone()], [one].into_iter().chain(letters.iter().map(|l| OperatorPolynomial::letter(*l))).collect()];
    for factors in degrees.into_iter().filter(|_| !letters.is_empty()) {
        if let Some(found) = made_of(vanishes, rows, unknowns, &factors)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The same with entries that are combinations of these.
fn made_of(
    vanishes: Vanishes,
    rows: &[Cells],
    unknowns: usize,
    factors: &Cells,
) -> Result<Option<Vec<Cells>>, Exhausted> {
    let sought = unknowns * factors.len();
    let given = rows.first().map_or(0, |row| row.len() - unknowns);
    let mut equations = Equations::new(vanishes, SortedSet::new(), sought);
    for row in rows {
        let (left, right) = row.split_at(unknowns);
        let products = left.iter().flat_map(|u| factors.iter().map(move |factor| u.mul(factor)));
        let all = products.chain(right.iter().cloned().map(Ok)).collect::<Result<Cells, _>>()?;
        let mut by_word: BTreeMap<Word, Cells> = BTreeMap::new();
        for (at, cell) in all.iter().enumerate() {
            for (word, c) in cell.terms() {
                let equation =
                    by_word.entry(word.clone()).or_insert_with(|| vec![OperatorPolynomial::zero(); all.len()]);
                equation[at] = OperatorPolynomial::scalar(c.clone());
            }
        }
        for equation in by_word.into_values() {
            equations.add(equation)?;
        }
    }
    let Ok(solution) = equations.solve((given, given), &[])? else { return Ok(None) };
    if !solution.conditions.is_empty() {
        return Ok(None);
    }
    let entry = |values: &[Cells], i: usize| -> Result<OperatorPolynomial, Exhausted> {
        let terms = values.iter().zip(factors).map(|(value, factor)| value[i].mul(factor));
        terms.into_iter().try_fold(OperatorPolynomial::zero(), |sum, term| sum.add(&term?))
    };
    let rows = solution.values.chunks(factors.len());
    rows.map(|values| (0..given).map(|i| entry(values, i)).collect()).collect::<Result<_, _>>().map(Some)
}

//! Which of a sequence of vectors are independent of those before them.

use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction};

/// The span of the vectors so far, in echelon form: every one has a place where it is 1 and the
/// later ones are 0.
#[derive(Clone, Debug, Default)]
pub struct Span {
    rows: Vec<(usize, Vec<RationalFunction>)>,
}

impl Span {
    /// Adds the rows one by one; those that did not depend on the ones before.
    pub fn extend(&mut self, m: &Matrix<RationalFunction>) -> Result<Vec<usize>, Exhausted> {
        let mut kept = Vec::new();
        for i in 0..m.rows() {
            if self.add(m.row(i).to_vec())? {
                kept.push(i);
            }
        }
        Ok(kept)
    }

    /// Adds a vector, and says whether it did not depend on the ones before.
    pub fn add(&mut self, v: Vec<RationalFunction>) -> Result<bool, Exhausted> {
        let v = self.reduced(v)?;
        let occupied = v.iter().enumerate().filter(|(_, x)| !x.is_zero());
        let Some((place, lead)) = occupied.min_by_key(|(_, x)| x.weight()) else {
            return Ok(false);
        };
        let scale = lead.inverse().expect("not zero");
        let v = v.iter().map(|x| x.mul(&scale)).collect::<Result<_, _>>()?;
        self.rows.push((place, v));
        Ok(true)
    }

    /// The vector up to the span: 0 at the places of the echelon form.
    pub fn reduced(&self, v: Vec<RationalFunction>) -> Result<Vec<RationalFunction>, Exhausted> {
        self.rows.iter().try_fold(v, without)
    }

    /// The basis whose vectors are 0 at each other's places, in the order of their places. A unit
    /// vector in the span is one of them.
    pub fn basis(&self) -> Result<Vec<Vec<RationalFunction>>, Exhausted> {
        let mut found = Vec::new();
        for (i, (place, row)) in self.rows.iter().enumerate() {
            let row = self.rows[i + 1..].iter().try_fold(row.clone(), without)?;
            found.push((*place, row));
        }
        found.sort_by_key(|(place, _)| *place);
        Ok(found.into_iter().map(|(_, row)| row).collect())
    }
}

/// The vector minus that multiple of the row which makes it 0 at the row's place.
fn without(
    mut v: Vec<RationalFunction>,
    (place, row): &(usize, Vec<RationalFunction>),
) -> Result<Vec<RationalFunction>, Exhausted> {
    let factor = v[*place].clone();
    if factor.is_zero() {
        return Ok(v);
    }
    for (x, r) in v.iter_mut().zip(row).filter(|(_, r)| !r.is_zero()) {
        *x = x.sub(&factor.mul(r)?)?;
    }
    Ok(v)
}

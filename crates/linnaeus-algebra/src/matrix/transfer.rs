//! Transfer functions D + C (zI − A)⁻¹ B.

use super::Matrix;
use super::bareiss::clear_denominators;
use super::berkowitz::{characteristic, dot, krylov, numerator};
use super::components::{closure, components, relevant_states};
use crate::fuel::{Exhausted, spend};
use crate::polynomial::Polynomial;
use crate::rational_function::RationalFunction;
use crate::variables::Variable;

type M = Matrix<RationalFunction>;

impl Matrix<RationalFunction> {
    /// D + C (zI − A)⁻¹ B in lowest terms; A must be free of z.
    ///
    /// States that no input reaches or no output sees are dropped. The others are solved by
    /// strongly connected components, in the order of their dependence; only the largest component
    /// needs more than substitution. For it numerators and denominator are computed over ℤ\[parameters\]
    /// without fractions, and each entry is reduced once, at the end.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    ///
    /// # Panics
    /// If the sizes do not fit or z occurs in A.
    ///
    /// ```
    /// use linnaeus_algebra::{Matrix, RationalFunction, Variable};
    /// let z = Variable(0);
    /// let one = Matrix::<RationalFunction>::identity(1);
    /// let zero = Matrix::zero(1, 1);
    /// let integrator = Matrix::transfer(&one, &one, &one, &zero, z).unwrap();
    /// let z_minus_one = RationalFunction::variable(z).sub(&RationalFunction::one()).unwrap();
    /// assert_eq!(Some(integrator[(0, 0)].clone()), z_minus_one.inverse());
    /// ```
    pub fn transfer(a: &Self, b: &Self, c: &Self, d: &Self, z: Variable) -> Result<M, Exhausted> {
        assert_eq!((a.rows(), a.cols()), (b.rows(), c.cols()), "the states do not fit");
        assert_eq!((c.rows(), b.cols()), (d.rows(), d.cols()), "the signals do not fit");
        assert!(!a.entries.iter().any(|e| e.variables().contains(&z)), "z must not occur in A");
        spend((a.rows() as u64).pow(3))?;
        let states = relevant_states(a, b, c);
        let (inputs, outputs): (Vec<_>, Vec<_>) = ((0..b.cols()).collect(), (0..c.rows()).collect());
        let system = System {
            a: a.submatrix(&states, &states),
            b: b.submatrix(&states, &inputs),
            c: c.submatrix(&outputs, &states),
            z,
        };
        d.add(&system.transfer()?)
    }
}

/// x⁺ = A x + B u, y = C x.
struct System {
    a: M,
    b: M,
    c: M,
    z: Variable,
}

impl System {
    /// C (zI − A)⁻¹ B.
    ///
    /// With the states ordered as *before* the core, core and *after*, A is block triangular.
    /// Forward substitution gives X = (zI − A)⁻¹ B before the core, backward substitution
    /// Y = C (zI − A)⁻¹ after it, and the core is met only as Y (zI − A)⁻¹ X.
    fn transfer(&self) -> Result<M, Exhausted> {
        let n = self.a.rows();
        let blocks = components(&self.a);
        let Some(core) = blocks.iter().max_by_key(|block| block.len()).cloned() else {
            return Ok(Matrix::zero(self.c.rows(), self.b.cols()));
        };
        let follows = closure(n, core.iter().copied(), |i, j| !self.a[(j, i)].is_zero());
        let (after, before): (Vec<_>, Vec<_>) =
            blocks.into_iter().filter(|block| *block != core).partition(|block| follows[block[0]]);
        let before_states = before.concat();
        let inputs: Vec<usize> = (0..self.b.cols()).collect();
        let outputs: Vec<usize> = (0..self.c.rows()).collect();
        let part = |rows: &[usize], cols: &[usize]| self.a.submatrix(rows, cols);
        let drive = |rows: &[usize]| self.b.submatrix(rows, &inputs);
        let sight = |cols: &[usize]| self.c.submatrix(&outputs, cols);

        let x = propagate(&self.a, &self.b, &before, self.z)?;
        let reversed: Vec<_> = after.iter().rev().cloned().collect();
        let y = propagate(&self.a.transpose(), &self.c.transpose(), &reversed, self.z)?;
        let y = y.transpose();
        let after_states = reversed.concat();

        let into_core = drive(&core).add(&part(&core, &before_states).mul(&x)?)?;
        let into_after = drive(&after_states).add(&part(&after_states, &before_states).mul(&x)?)?;
        let from_core = sight(&core).add(&y.mul(&part(&after_states, &core))?)?;
        let around = sight(&before_states).mul(&x)?.add(&y.mul(&into_after)?)?;
        around.add(&through(&from_core, &part(&core, &core), &into_core, self.z)?)
    }
}

/// The rows of (zI − A)⁻¹ B for the states in the blocks, which depend only on earlier blocks.
fn propagate(a: &M, b: &M, blocks: &[Vec<usize>], z: Variable) -> Result<M, Exhausted> {
    let inputs: Vec<usize> = (0..b.cols()).collect();
    let mut done: Vec<usize> = Vec::new();
    let mut x = Matrix::zero(0, b.cols());
    for block in blocks {
        let drive = b.submatrix(block, &inputs).add(&a.submatrix(block, &done).mul(&x)?)?;
        let solution = through(&Matrix::identity(block.len()), &a.submatrix(block, block), &drive, z)?;
        x = x.vstack(&solution);
        done.extend(block);
    }
    Ok(x)
}

/// C (zI − A)⁻¹ B, every entry over the one characteristic polynomial and reduced once.
///
/// Over a common denominator L of A the matrix Ā = L A has polynomial entries, and
/// (zI − A)⁻¹ = L (wI − Ā)⁻¹ at w = L z.
fn through(c: &M, a: &M, b: &M, z: Variable) -> Result<M, Exhausted> {
    let n = a.rows();
    let (entries, common) = clear_denominators(&a.entries)?;
    let square: Vec<Vec<Polynomial>> = entries.chunks(n).map(<[_]>::to_vec).collect();
    let rows = cleared_rows(c)?;
    let columns = cleared_rows(&b.transpose())?;
    let w = common.times_power(z, 1);
    let chi = characteristic(&square)?;
    let chi_at_w = horner(&chi, &w)?;
    let mut transfer = Matrix::zero(c.rows(), b.cols());
    for (j, (column, column_scale)) in columns.iter().enumerate() {
        let vectors = krylov(&square, column)?;
        for (i, (row, row_scale)) in rows.iter().enumerate() {
            let markov = vectors.iter().map(|v| dot(row.iter().zip(v)));
            let markov = markov.collect::<Result<Vec<_>, _>>()?;
            let numerator = horner(&numerator(&chi, &markov)?, &w)?.mul(&common)?;
            let denominator = chi_at_w.mul(row_scale)?.mul(column_scale)?;
            transfer[(i, j)] = RationalFunction::reduced(numerator, denominator)?;
        }
    }
    Ok(transfer)
}

/// Every row times its least common denominator, with that denominator.
fn cleared_rows(m: &M) -> Result<Vec<(Vec<Polynomial>, Polynomial)>, Exhausted> {
    (0..m.rows()).map(|i| clear_denominators(m.row(i))).collect()
}

/// Σ cₖ wᵏ.
fn horner(coefficients: &[Polynomial], w: &Polynomial) -> Result<Polynomial, Exhausted> {
    let mut sum = Polynomial::zero();
    for c in coefficients.iter().rev() {
        sum = sum.mul(w)? + c;
    }
    Ok(sum)
}

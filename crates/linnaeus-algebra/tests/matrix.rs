//! Matrices over the field of rational functions, and over a ring that is not commutative.

mod strategies;

use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction, Variable};
use proptest::prelude::*;
use strategies::matrix;

type M = Matrix<RationalFunction>;

const Z: Variable = Variable(9);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn products_associate_and_distribute(a in matrix(2, 3), b in matrix(3, 2), c in matrix(2, 2), d in matrix(3, 2)) {
        prop_assert_eq!(a.mul(&b)?.mul(&c)?, a.mul(&b.mul(&c)?)?);
        prop_assert_eq!(a.mul(&b.add(&d)?)?, a.mul(&b)?.add(&a.mul(&d)?)?);
        prop_assert_eq!(a.mul(&b)?.transpose(), b.transpose().mul(&a.transpose())?);
        prop_assert_eq!(a.mul(&Matrix::identity(3))?, a.clone());
        prop_assert!(b.sub(&b)?.is_zero());
        prop_assert_eq!(b.neg().add(&d)?, d.sub(&b)?);
    }

    #[test]
    fn blocks(a in matrix(2, 2), b in matrix(2, 1), c in matrix(1, 3)) {
        let whole = a.hstack(&b).vstack(&c);
        prop_assert_eq!((whole.rows(), whole.cols()), (3, 3));
        prop_assert_eq!(whole.submatrix(&[0, 1], &[0, 1]), a);
        prop_assert_eq!(whole.submatrix(&[0, 1], &[2]), b);
        prop_assert_eq!(whole.submatrix(&[2], &[0, 1, 2]), c);
    }

    #[test]
    fn solutions_solve(a in matrix(4, 4), b in matrix(4, 2)) {
        match a.solve(&b)? {
            Some(x) => prop_assert_eq!(a.mul(&x)?, b),
            None => prop_assert!(a.determinant()?.is_zero()),
        }
    }

    #[test]
    fn inverses(a in matrix(3, 3)) {
        match a.inverse()? {
            Some(inverse) => {
                prop_assert_eq!(a.mul(&inverse)?, Matrix::identity(3));
                prop_assert_eq!(inverse.mul(&a)?, Matrix::identity(3));
                prop_assert_eq!(inverse.determinant()?.mul(&a.determinant()?)?, RationalFunction::one());
            }
            None => prop_assert!(a.rank()? < 3),
        }
    }

    #[test]
    fn determinants_multiply(a in matrix(3, 3), b in matrix(3, 3)) {
        let product = a.determinant()?.mul(&b.determinant()?)?;
        prop_assert_eq!(a.mul(&b)?.determinant()?, product);
        prop_assert_eq!(a.transpose().determinant()?, a.determinant()?);
    }

    #[test]
    fn rank_and_nullity(a in matrix(4, 2), b in matrix(2, 5)) {
        let product = a.mul(&b)?;
        let rank = product.rank()?;
        prop_assert!(rank <= a.rank()?.min(b.rank()?));
        let (rows, cols) = product.independent_rows_and_columns()?;
        prop_assert!(!product.submatrix(&rows, &cols).determinant()?.is_zero());
        let kernel = product.null_space()?;
        prop_assert_eq!(kernel.cols(), 5 - rank);
        prop_assert!(product.mul(&kernel)?.is_zero());
        prop_assert_eq!(kernel.rank()?, kernel.cols());
    }

    #[test]
    fn transfer_is_the_direct_solution(
        a in matrix(4, 4), b in matrix(4, 2), c in matrix(2, 4), d in matrix(2, 2),
    ) {
        let transfer = Matrix::transfer(&a, &b, &c, &d, Z)?;
        prop_assert!(transfer.map(RationalFunction::is_canonical) == Matrix::from_fn(2, 2, |_, _| true));
        prop_assert_eq!(transfer, direct(&a, &b, &c, &d)?);
    }

    #[test]
    fn transfer_does_not_depend_on_the_basis(
        a in matrix(3, 3), b in matrix(3, 1), c in matrix(1, 3), t in matrix(3, 3),
    ) {
        let d = Matrix::zero(1, 1);
        if let Some(inverse) = t.inverse()? {
            let changed = Matrix::transfer(
                &t.mul(&a)?.mul(&inverse)?, &t.mul(&b)?, &c.mul(&inverse)?, &d, Z,
            )?;
            prop_assert_eq!(changed, Matrix::transfer(&a, &b, &c, &d, Z)?);
        }
    }
}

fn direct(a: &M, b: &M, c: &M, d: &M) -> Result<M, Exhausted> {
    let zi = Matrix::identity(a.rows()).scale(&RationalFunction::variable(Z))?;
    let x = zi.sub(a)?.solve(b)?.expect("zI − A is invertible");
    d.add(&c.mul(&x)?)
}

#[test]
fn empty_matrices() {
    let m = M::zero(0, 3);
    assert_eq!(m.rank(), Ok(0));
    assert_eq!(m.null_space(), Ok(Matrix::identity(3)));
    assert_eq!(M::zero(0, 0).determinant(), Ok(RationalFunction::one()));
    assert_eq!(M::zero(0, 0).inverse(), Ok(Some(M::zero(0, 0))));
    let d = M::identity(2);
    let nothing = Matrix::transfer(&M::zero(0, 0), &M::zero(0, 2), &M::zero(2, 0), &d, Z);
    assert_eq!(nothing, Ok(d));
}

/// 2×2 integer matrices: a ring with zero divisors in which little commutes.
#[derive(Clone, PartialEq, Debug)]
struct Block([i64; 4]);

impl Coefficient for Block {
    fn zero() -> Self {
        Block([0; 4])
    }
    fn one() -> Self {
        Block([1, 0, 0, 1])
    }
    fn is_zero(&self) -> bool {
        self.0 == [0; 4]
    }
    fn add(&self, other: &Self) -> Result<Self, Exhausted> {
        Ok(Block(std::array::from_fn(|i| self.0[i] + other.0[i])))
    }
    fn sub(&self, other: &Self) -> Result<Self, Exhausted> {
        Ok(Block(std::array::from_fn(|i| self.0[i] - other.0[i])))
    }
    fn mul(&self, other: &Self) -> Result<Self, Exhausted> {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Ok(Block([a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h]))
    }
    fn neg(&self) -> Self {
        Block(self.0.map(|x| -x))
    }
    fn inverse(&self) -> Result<Option<Self>, Exhausted> {
        let [a, b, c, d] = self.0;
        let determinant = a * d - b * c;
        let adjugate = [d, -b, -c, a];
        Ok((determinant.abs() == 1).then(|| Block(adjugate.map(|x| x * determinant))))
    }
    fn weight(&self) -> usize {
        self.0.iter().filter(|&&x| x != 0).count()
    }
}

#[test]
fn noncommuting_entries_keep_their_order() {
    let [p, q] = [Block([1, 1, 0, 1]), Block([1, 0, 2, 1])];
    let one = Block::one();
    let m = Matrix::from_rows(vec![vec![p.clone(), q.clone()], vec![one, p.mul(&q).unwrap()]]);
    let rhs = Matrix::from_rows(vec![vec![q.clone()], vec![p.clone()]]);
    if let Some(x) = m.solve(&rhs).unwrap() {
        assert_eq!(m.mul(&x), Ok(rhs));
    }
    let triangular = Matrix::from_rows(vec![vec![p.clone(), q.clone()], vec![Block::zero(), q.clone()]]);
    let inverse = triangular.inverse().unwrap().expect("both diagonal entries are invertible");
    assert_eq!(triangular.mul(&inverse), Ok(Matrix::identity(2)));
    assert_eq!(inverse.mul(&triangular), Ok(Matrix::identity(2)));
    let two = Matrix::from_rows(vec![vec![Block([2, 0, 0, 2])]]);
    assert_eq!(two.inverse(), Ok(None));
}

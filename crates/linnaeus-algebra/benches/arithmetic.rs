//! Times of the kernel on systems like those of its caller, `cargo bench -p linnaeus-algebra`.

use divan::Bencher;
use linnaeus_algebra::{Matrix, Polynomial, RationalFunction, Variable};

fn main() {
    divan::main();
}

type M = Matrix<RationalFunction>;

const Z: Variable = Variable(9);

/// Pseudo-random integers in −3…3.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as i64 % 7 - 3
    }

    fn integer(&mut self) -> RationalFunction {
        RationalFunction::integer(self.next())
    }

    /// A polynomial of degree one in four parameters.
    fn affine(&mut self) -> RationalFunction {
        let constant = Polynomial::integer(self.next());
        let sum = (0..4).fold(constant, |sum, i| sum + Polynomial::variable(Variable(i)).scale(&self.next().into()));
        RationalFunction::polynomial(sum)
    }
}

/// A dense system with eight states, one input and one output.
fn dense_system(seed: u64) -> [M; 4] {
    let mut draw = Draw(seed);
    let a = Matrix::from_fn(8, 8, |_, _| draw.affine());
    let b = Matrix::from_fn(8, 1, |_, _| draw.integer());
    let c = Matrix::from_fn(1, 8, |_, _| draw.integer());
    [a, b, c, Matrix::zero(1, 1)]
}

/// As above, with a part of dimension three that the input does not reach, hidden by a change of
/// basis.
fn uncontrollable_system(seed: u64) -> [M; 4] {
    let [mut a, mut b, c, d] = dense_system(seed);
    for i in 5..8 {
        b[(i, 0)] = RationalFunction::zero();
        for j in 0..5 {
            a[(i, j)] = RationalFunction::zero();
        }
    }
    let mut draw = Draw(seed + 1);
    let mut triangle = |lower: bool| {
        Matrix::from_fn(8, 8, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Equal => RationalFunction::one(),
            std::cmp::Ordering::Greater if lower => RationalFunction::integer(draw.next().signum()),
            std::cmp::Ordering::Less if !lower => RationalFunction::integer(draw.next().signum()),
            _ => RationalFunction::zero(),
        })
    };
    let t = triangle(true).mul(&triangle(false)).unwrap();
    let inverse = t.inverse().unwrap().unwrap();
    let a = t.mul(&a).unwrap().mul(&inverse).unwrap();
    [a, t.mul(&b).unwrap(), c.mul(&inverse).unwrap(), d]
}

#[divan::bench(args = [1, 2, 3], sample_count = 10)]
fn transfer_dense(bencher: Bencher, seed: u64) {
    let [a, b, c, d] = dense_system(seed);
    bencher.bench(|| Matrix::transfer(&a, &b, &c, &d, Z).unwrap());
}

#[divan::bench(args = [1, 2, 3], sample_count = 10)]
fn transfer_uncontrollable(bencher: Bencher, seed: u64) {
    let [a, b, c, d] = uncontrollable_system(seed);
    let h = Matrix::transfer(&a, &b, &c, &d, Z).unwrap();
    assert!(h[(0, 0)].denominator().degree_in(Z) <= 5);
    bencher.bench(|| Matrix::transfer(&a, &b, &c, &d, Z).unwrap());
}

/// The implicit equations of PD3O in x, s, w, y₁, y₂, y₃ and the point v = 2x − w − τu₃.
fn pd3o() -> (M, M) {
    let [tau, sigma, a] = [0, 1, 2].map(|i| RationalFunction::variable(Variable(i)));
    let z = RationalFunction::variable(Z);
    let (zero, one, two) = (RationalFunction::zero(), RationalFunction::one(), RationalFunction::integer(2));
    let product = |factors: &[&RationalFunction]| factors.iter().fold(one.clone(), |p, f| p.mul(f).unwrap());
    let tau_a_z = product(&[&tau, &a, &z]);
    let minus_tau = tau.neg();
    let s_weight = one.sub(&product(&[&tau, &sigma, &a, &a])).unwrap();
    let minus_sigma_a = product(&[&sigma, &a]).neg();
    let minus = |f: &RationalFunction| f.neg();
    // columns: x s w y1 y2 y3 v
    let left = [
        [&one, &zero, &zero, &zero, &zero, &zero, &zero],
        [&zero, &z, &zero, &zero, &zero, &zero, &zero],
        [&minus(&one), &tau_a_z, &z, &zero, &zero, &zero, &zero],
        [&zero, &zero, &minus(&one), &one, &zero, &zero, &zero],
        [&zero, &minus(&s_weight), &zero, &zero, &one, &zero, &minus_sigma_a],
        [&minus(&one), &zero, &zero, &zero, &zero, &one, &zero],
        [&minus(&two), &zero, &one, &zero, &zero, &zero, &one],
    ];
    let right = [
        [&one, &zero, &zero],
        [&zero, &one, &zero],
        [&zero, &zero, &minus_tau],
        [&zero, &zero, &zero],
        [&zero, &zero, &zero],
        [&zero, &zero, &zero],
        [&zero, &zero, &minus_tau],
    ];
    let left = left.map(|row| row.map(Clone::clone).to_vec()).to_vec();
    let right = right.map(|row| row.map(Clone::clone).to_vec()).to_vec();
    (Matrix::from_rows(left), Matrix::from_rows(right))
}

#[divan::bench]
fn solve_pd3o(bencher: Bencher) {
    let (left, right) = pd3o();
    bencher.bench(|| left.solve(&right).unwrap().unwrap());
}

/// Two polynomials with a common factor, in `n` variables.
fn with_common_factor(n: u32, terms: usize) -> [Polynomial; 2] {
    let mut draw = Draw(u64::from(n));
    let mut random = || {
        Polynomial::from_terms((0..terms).map(|_| {
            let powers = (0..n).map(|v| (Variable(v), draw.next().unsigned_abs() as u32)).collect();
            (powers, draw.next().into())
        }))
    };
    let common = random();
    [random().mul(&common).unwrap(), random().mul(&common).unwrap()]
}

#[divan::bench(args = [1, 2, 3, 4, 5, 6, 8])]
fn gcd(bencher: Bencher, variables: u32) {
    let [a, b] = with_common_factor(variables, 20);
    bencher.bench(|| a.gcd(&b).unwrap());
}

#[divan::bench(args = [2, 4, 8])]
fn mul(bencher: Bencher, variables: u32) {
    let [a, b] = with_common_factor(variables, 20);
    bencher.bench(|| a.mul(&b).unwrap());
}

#[divan::bench(args = [2, 4, 8])]
fn exact_divide(bencher: Bencher, variables: u32) {
    let [a, b] = with_common_factor(variables, 20);
    let product = a.mul(&b).unwrap();
    bencher.bench(|| product.exact_divide(&a).unwrap().unwrap());
}

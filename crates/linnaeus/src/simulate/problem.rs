//! Test problems: minimize a sum of functions of x and of Kx, or find a zero of a monotone operator. The data is
//! fixed, small, and made of binary fractions, so that it is exact.

use super::dense::{Dense, Vector, combine, distance};
use super::function::Function;

/// The problems by name.
pub const NAMES: [&str; 4] = ["lasso", "logistic", "quadratic", "bilinear"];

/// Where a function's argument lives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is a function of x.
    Primal,
    /// It is a function of Kx.
    Image,
}

/// A function that a problem offers.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is called.
    pub name: &'static str,
    /// What it is.
    pub formula: &'static str,
    /// Of what it is a function.
    pub place: Place,
    /// Itself.
    pub function: Function,
}

/// A test problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its name.
    pub name: &'static str,
    /// K: one row per component of Kx.
    pub matrix: Dense,
    /// What its functions are made of, in the order of preference.
    pub terms: Vec<Term>,
    /// A constant vector for the image of K.
    pub data: Vector,
}

impl Problem {
    /// The problem of a name.
    pub fn new(name: &str) -> Option<Problem> {
        match name {
            "lasso" => Some(lasso()),
            "logistic" => Some(logistic()),
            "quadratic" => Some(quadratic()),
            "bilinear" => Some(bilinear()),
            _ => None,
        }
    }

    /// The number of components of x, where the algorithm has no operator K: a saddle point is then one vector.
    pub fn joint_dimension(&self) -> usize {
        let joint = self.terms.iter().find(|t| matches!(t.function, Function::Affine(..)));
        joint.and_then(|t| t.function.size()).unwrap_or(self.matrix.cols)
    }
}

/// Eighths between −1 and 1, the same at every call.
pub struct Eighths(u64);

impl Eighths {
    /// A sequence.
    pub fn new(seed: u64) -> Eighths {
        Eighths(seed)
    }

    /// The next one.
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % 17) as f64 / 8.0 - 1.0
    }

    /// The next so many.
    pub fn vector(&mut self, n: usize) -> Vector {
        (0..n).map(|_| self.number()).collect()
    }

    /// A matrix near the identity.
    fn matrix(&mut self, rows: usize, cols: usize) -> Dense {
        let noise: Vec<Vector> = (0..rows).map(|_| self.vector(cols)).collect();
        Dense::from_fn(rows, cols, |i, j| noise[i][j] / 4.0 + if i % cols == j { 1.0 } else { 0.0 })
    }
}

fn term(name: &'static str, formula: &'static str, place: Place, function: Function) -> Term {
    Term { name, formula, place, function }
}

/// What every problem offers: (μ/2)‖x‖², a box and no function at all.
fn common() -> Vec<Term> {
    vec![
        term("ridge", "(1/8)‖x‖²", Place::Primal, Function::Ridge(0.25)),
        term("box", "the indicator of −4 ≤ x ≤ 4", Place::Primal, Function::Box(-4.0, 4.0)),
        term("cone", "the indicator of x ≥ 0", Place::Primal, Function::Box(0.0, f64::INFINITY)),
        term("zero", "0", Place::Primal, Function::Zero),
        term("zero", "0", Place::Image, Function::Zero),
    ]
}

fn with(mut own: Vec<Term>) -> Vec<Term> {
    own.extend(common());
    own
}

/// ½‖Mx − b‖² as a quadratic function.
fn least_squares(m: &Dense, b: &[f64]) -> Function {
    Function::Quadratic(m.transpose().after(m), m.transpose().apply(b))
}

fn fit(b: &[f64]) -> Function {
    Function::Quadratic(Dense::scalar(b.len(), 1.0), b.to_vec())
}

fn lasso() -> Problem {
    let mut numbers = Eighths::new(1);
    let m = numbers.matrix(8, 6);
    let b: Vector = numbers.vector(8).iter().map(|x| 2.0 * x).collect();
    let own = vec![
        term("smooth", "½‖Mx − b‖²", Place::Primal, least_squares(&m, &b)),
        term("l1", "(1/4)‖x‖₁", Place::Primal, Function::L1(0.25)),
        term("fit", "½‖y − b‖²", Place::Image, fit(&b)),
    ];
    Problem { name: "lasso", terms: with(own), matrix: m, data: b }
}

fn logistic() -> Problem {
    let mut numbers = Eighths::new(2);
    let m = numbers.matrix(12, 4);
    let own = vec![
        term("smooth", "Σ log(1 + exp(−(Mx)ᵢ)) + (1/8)‖x‖²", Place::Primal, Function::Logistic(m.clone(), 0.25)),
        term("l1", "(1/4)‖x‖₁", Place::Primal, Function::L1(0.25)),
        term("fit", "Σ log(1 + exp(−yᵢ))", Place::Image, Function::Logistic(Dense::scalar(12, 1.0), 0.0)),
    ];
    let data = numbers.vector(12);
    Problem { name: "logistic", terms: with(own), matrix: m, data }
}

fn quadratic() -> Problem {
    let mut numbers = Eighths::new(3);
    let m = numbers.matrix(5, 4);
    let b = numbers.vector(5);
    let a = numbers.vector(4);
    let weights = Dense::from_fn(4, 4, |i, j| if i == j { 0.5 + 0.25 * i as f64 } else { 0.0 });
    let c = weights.apply(&a);
    let own = vec![
        term("smooth", "½‖Mx − b‖²", Place::Primal, least_squares(&m, &b)),
        term("weighted", "½(x − a)'D(x − a)", Place::Primal, Function::Quadratic(weights, c)),
        term("fit", "½‖y − b‖²", Place::Image, fit(&b)),
    ];
    Problem { name: "quadratic", terms: with(own), matrix: m, data: b }
}

/// min over x, max over y of y'Kx + b'x − c'y, as an operator of both, or with K apart.
fn bilinear() -> Problem {
    let mut numbers = Eighths::new(4);
    let k = numbers.matrix(3, 3);
    let (b, c) = (numbers.vector(3), numbers.vector(3));
    let skew = Dense::from_fn(6, 6, |i, j| match (i < 3, j < 3) {
        (true, false) => k.rows[j - 3][i],
        (false, true) => -k.rows[i - 3][j],
        _ => 0.0,
    });
    let joint = [&b[..], &c[..]].concat();
    let own = vec![
        term("saddle", "(K'y + b, c − Kx)", Place::Primal, Function::Affine(skew, joint)),
        term(
            "linear",
            "b'x",
            Place::Primal,
            Function::Quadratic(Dense::scalar(3, 0.0), b.iter().map(|x| -x).collect()),
        ),
        term("point", "the indicator of y = c", Place::Image, Function::Point(c.clone())),
    ];
    Problem { name: "bilinear", terms: with(own), matrix: k, data: c }
}

/// Iterations of the reference method.
const REFERENCE: usize = 20_000;

/// Where Σ φᵢ(Lᵢ x) is least, Lᵢ being I or K, by ADMM with a copy of Lᵢ x for every function; none if it does not
/// settle. Where one of them is an operator it is where all that is affine is zero, if the others allow it.
pub fn solution(n: usize, matrix: &Dense, functions: &[(Place, Function)]) -> Option<Vector> {
    if functions.iter().any(|(_, f)| matches!(f, Function::Affine(..))) {
        return zero(n, functions);
    }
    let image = |place: Place| if place == Place::Image { matrix.clone() } else { Dense::scalar(n, 1.0) };
    let maps: Vec<Dense> = functions.iter().map(|(place, _)| image(*place)).collect();
    let gram = maps.iter().fold(Dense::scalar(n, 0.0), |sum, m| sum.plus(1.0, &m.transpose().after(m)));
    let inverse = gram.inverse()?;
    let mut x = vec![0.0; n];
    let mut copies: Vec<Vector> = maps.iter().map(|m| vec![0.0; m.rows.len()]).collect();
    let mut prices = copies.clone();
    let mut change = f64::INFINITY;
    for _ in 0..REFERENCE {
        let mut sum = vec![0.0; n];
        for ((m, v), w) in maps.iter().zip(&copies).zip(&prices) {
            sum = combine(1.0, &sum, 1.0, &m.transpose().apply(&combine(1.0, v, -1.0, w)));
        }
        let next = inverse.apply(&sum);
        change = distance(&x, &next);
        x = next;
        let mut apart = 0.0_f64;
        for (i, (_, f)) in functions.iter().enumerate() {
            let seen = maps[i].apply(&x);
            let v = f.prox(1.0, &combine(1.0, &seen, 1.0, &prices[i]))?;
            change = change.max(distance(&v, &copies[i]));
            prices[i] = combine(1.0, &prices[i], 1.0, &combine(1.0, &seen, -1.0, &v));
            apart = apart.max(distance(&seen, &v));
            copies[i] = v;
        }
        change = change.max(apart);
        if change < 1e-15 {
            break;
        }
    }
    (change < 1e-9).then_some(x)
}

/// Where the sum of the affine ones is zero, unless another one minds.
fn zero(n: usize, functions: &[(Place, Function)]) -> Option<Vector> {
    let (mut m, mut c) = (Dense::scalar(n, 0.0), vec![0.0; n]);
    let mut others = Vec::new();
    for (_, f) in functions {
        match f {
            Function::Affine(a, b) => (m, c) = (m.plus(1.0, a), combine(1.0, &c, 1.0, b)),
            Function::Quadratic(q, b) => (m, c) = (m.plus(1.0, q), combine(1.0, &c, -1.0, b)),
            Function::Ridge(mu) => m = m.plus(1.0, &Dense::scalar(n, *mu)),
            other => others.push(other),
        }
    }
    let x = m.solve(&c.iter().map(|x| -x).collect::<Vector>())?;
    let allows = |f: &&Function| f.prox(1.0, &x).is_some_and(|y| distance(&x, &y) == 0.0);
    others.iter().all(allows).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::dense::norm;

    /// Smooth terms and what ‖·‖₁ may add to them cancel at the reference solution.
    #[test]
    fn reference_solutions_are_optimal() {
        for name in ["lasso", "logistic"] {
            let problem = Problem::new(name).unwrap();
            let n = problem.matrix.cols;
            let find = |role: &str| problem.terms.iter().find(|t| t.name == role).unwrap().clone();
            for fitted in ["smooth", "fit"] {
                let (smooth, l1) = (find(fitted), find("l1"));
                let list = [(smooth.place, smooth.function.clone()), (l1.place, l1.function)];
                let x = solution(n, &problem.matrix, &list).unwrap();
                let slope = match smooth.place {
                    Place::Primal => smooth.function.gradient(&x).unwrap(),
                    Place::Image => {
                        let inner = smooth.function.gradient(&problem.matrix.apply(&x)).unwrap();
                        problem.matrix.transpose().apply(&inner)
                    }
                };
                for (x, g) in x.iter().zip(&slope) {
                    let wrong = if x.abs() > 1e-9 { (g + 0.25 * x.signum()).abs() } else { (g.abs() - 0.25).max(0.0) };
                    assert!(wrong < 1e-8, "{name} {fitted}: {x} {g}");
                }
                assert!(norm(&x) > 0.1);
            }
        }
    }

    #[test]
    fn saddle_points() {
        let problem = Problem::new("bilinear").unwrap();
        let saddle = problem.terms[0].function.clone();
        let x = solution(
            6,
            &Dense::scalar(6, 1.0),
            &[(Place::Primal, saddle.clone()), (Place::Primal, Function::Box(-4.0, 4.0))],
        );
        assert!(norm(&saddle.gradient(&x.unwrap()).unwrap()) < 1e-12);
        let small = [(Place::Primal, saddle), (Place::Primal, Function::Box(-0.01, 0.01))];
        assert_eq!(solution(6, &Dense::scalar(6, 1.0), &small), None);
        let apart =
            [(Place::Primal, problem.terms[1].function.clone()), (Place::Image, problem.terms[2].function.clone())];
        let x = solution(3, &problem.matrix, &apart).unwrap();
        assert!(distance(&problem.matrix.apply(&x), &problem.data) < 1e-9);
    }
}

//! Convex functions and monotone operators whose oracles can be computed.

use super::dense::{Dense, Vector, combine, distance, norm};
use crate::relation::Sign;
use crate::syntax::ast::OracleKind;
use crate::system::Oracle;

/// What the oracles of an algorithm belong to.
#[derive(Clone, Debug, PartialEq)]
pub enum Function {
    /// ½ x'Qx − c'x.
    Quadratic(Dense, Vector),
    /// Σ log(1 + exp(−(Mx)ᵢ)) + (μ/2)‖x‖².
    Logistic(Dense, f64),
    /// w ‖x‖₁.
    L1(f64),
    /// The indicator of a box, the same bounds in all directions.
    Box(f64, f64),
    /// The indicator of a point.
    Point(Vector),
    /// (μ/2)‖x‖².
    Ridge(f64),
    /// 0.
    Zero,
    /// The monotone operator Mx + c, no gradient of any function.
    Affine(Dense, Vector),
    /// The conjugate of another function, its argument perhaps with the other sign.
    Conjugate(Box<Function>, Sign),
}

/// Newton's method ends here at the latest.
const NEWTON: usize = 60;

/// Steps of the proximal gradient method.
const PROXIMAL_GRADIENT: usize = 1000;

impl Function {
    /// A (sub)gradient, or the value of the operator; none where there is no formula for one.
    pub fn gradient(&self, x: &[f64]) -> Option<Vector> {
        match self {
            Function::Quadratic(q, c) => Some(combine(1.0, &q.apply(x), -1.0, c)),
            Function::Logistic(m, mu) => {
                let slopes: Vector = m.apply(x).iter().map(|s| -1.0 / (1.0 + s.exp())).collect();
                Some(combine(1.0, &m.transpose().apply(&slopes), *mu, x))
            }
            Function::L1(w) => Some(x.iter().map(|x| if *x == 0.0 { 0.0 } else { w * x.signum() }).collect()),
            Function::Ridge(mu) => Some(x.iter().map(|x| mu * x).collect()),
            Function::Zero => Some(vec![0.0; x.len()]),
            Function::Affine(m, c) => Some(combine(1.0, &m.apply(x), 1.0, c)),
            // ∇f*(x) is where ∇f is x.
            Function::Conjugate(f, sign) => match &**f {
                Function::Quadratic(q, c) => {
                    let s = factor(*sign);
                    let at = q.solve(&combine(s, x, 1.0, c))?;
                    Some(at.iter().map(|a| s * a).collect())
                }
                Function::Ridge(mu) => Some(x.iter().map(|x| x / mu).collect()),
                Function::Point(p) => Some(p.iter().map(|p| factor(*sign) * p).collect()),
                Function::Conjugate(inner, other) => {
                    let s = factor(*sign) * factor(*other);
                    let turned: Vector = x.iter().map(|x| s * x).collect();
                    Some(inner.gradient(&turned)?.iter().map(|g| s * g).collect())
                }
                _ => None,
            },
            Function::Box(..) | Function::Point(_) => None,
        }
    }

    /// (I + t∂f)⁻¹ v; none if the step is not positive.
    pub fn prox(&self, t: f64, v: &[f64]) -> Option<Vector> {
        if !(t > 0.0 && t.is_finite()) {
            return None;
        }
        match self {
            Function::Quadratic(q, c) => Dense::scalar(v.len(), 1.0).plus(t, q).solve(&combine(1.0, v, t, c)),
            Function::Affine(m, c) => Dense::scalar(v.len(), 1.0).plus(t, m).solve(&combine(1.0, v, -t, c)),
            Function::Logistic(m, mu) => newton(m, *mu, t, v),
            Function::L1(w) => Some(v.iter().map(|x| x.signum() * (x.abs() - t * w).max(0.0)).collect()),
            Function::Box(low, high) => Some(v.iter().map(|x| x.clamp(*low, *high)).collect()),
            Function::Point(p) => Some(p.clone()),
            Function::Ridge(mu) => Some(v.iter().map(|x| x / (1.0 + t * mu)).collect()),
            Function::Zero => Some(v.to_vec()),
            // Moreau: prox_{t f*}(v) = v − t prox_{f/t}(v/t).
            Function::Conjugate(f, sign) => {
                let s = factor(*sign);
                let scaled: Vector = v.iter().map(|x| s * x / t).collect();
                Some(combine(1.0, v, -t * s, &f.prox(1.0 / t, &scaled)?))
            }
        }
    }

    /// A Lipschitz constant of the gradient, where there is one.
    pub fn lipschitz(&self) -> Option<f64> {
        match self {
            Function::Quadratic(q, _) | Function::Affine(q, _) => Some(q.norm()),
            Function::Logistic(m, mu) => Some(m.norm().powi(2) / 4.0 + mu),
            Function::Ridge(mu) => Some(*mu),
            Function::Zero => Some(0.0),
            _ => None,
        }
    }

    /// How many components its argument has; none if any number will do.
    pub fn size(&self) -> Option<usize> {
        match self {
            Function::Quadratic(m, _) | Function::Logistic(m, _) | Function::Affine(m, _) => Some(m.cols),
            Function::Point(p) => Some(p.len()),
            Function::Conjugate(f, _) => f.size(),
            Function::L1(_) | Function::Box(..) | Function::Ridge(_) | Function::Zero => None,
        }
    }

    /// Whether its oracles are affine maps, where they have a formula.
    pub fn is_affine(&self) -> bool {
        match self {
            Function::Quadratic(..) | Function::Affine(..) | Function::Ridge(_) | Function::Zero => true,
            Function::Point(_) => true,
            Function::Conjugate(f, _) => f.is_affine(),
            Function::Logistic(..) | Function::L1(_) | Function::Box(..) => false,
        }
    }

    /// What an answer costs, in units of work.
    pub fn cost(&self) -> u64 {
        match self {
            Function::Quadratic(m, _) | Function::Affine(m, _) => 50 + (m.cols as u64).pow(3),
            Function::Logistic(..) => 5000,
            Function::Conjugate(f, _) => f.cost(),
            _ => 50,
        }
    }

    /// argmin of f + (ρ/2)‖K· − v‖², by the proximal gradient method; none if the
    /// penalty is not positive.
    pub fn argmin(&self, rho: f64, k: &Dense, v: &[f64]) -> Option<Vector> {
        let size = k.norm();
        if !(rho > 0.0 && rho.is_finite() && size > 0.0) {
            return None;
        }
        let step = 1.0 / (size * size);
        let adjoint = k.transpose();
        let mut x = vec![0.0; k.cols];
        for _ in 0..PROXIMAL_GRADIENT {
            let residual = combine(1.0, &k.apply(&x), -1.0, v);
            let next = self.prox(step / rho, &combine(1.0, &x, -step, &adjoint.apply(&residual)))?;
            let change = distance(&x, &next);
            x = next;
            if change <= 1e-16 * (1.0 + norm(&x)) {
                break;
            }
        }
        Some(x)
    }

    /// The answer of one of its oracles; the argmin is the one without a linear map.
    pub fn answer(&self, oracle: &Oracle, step: f64, query: &[f64]) -> Option<Vector> {
        if oracle.conjugate {
            let conjugate = Function::Conjugate(Box::new(self.clone()), Sign::Plus);
            return conjugate.answer(&Oracle { conjugate: false, ..oracle.clone() }, step, query);
        }
        let answer = match oracle.kind {
            OracleKind::Gradient | OracleKind::Subdifferential | OracleKind::BlackBox => self.gradient(query)?,
            OracleKind::Prox | OracleKind::Resolvent => self.prox(step, query)?,
            OracleKind::Projection => self.prox(1.0, query)?,
            OracleKind::Reflected => combine(2.0, &self.prox(step, query)?, -1.0, query),
            OracleKind::MoreauGradient => combine(1.0 / step, query, -1.0 / step, &self.prox(step, query)?),
            OracleKind::Argmin => self.prox(1.0 / step, query)?,
        };
        Some(answer)
    }
}

/// M with (y, u) = M (y₀, u₀), u₀ ∈ ∂f(y₀), as in [`crate::transfer::graph`] but with a number for the step; none for
/// an argmin, which may hold a linear map.
pub fn graph(oracle: &Oracle, t: f64) -> Option<[[f64; 2]; 2]> {
    let [[a, b], [c, d]] = match oracle.kind {
        OracleKind::Gradient | OracleKind::Subdifferential | OracleKind::BlackBox => [[1.0, 0.0], [0.0, 1.0]],
        OracleKind::Prox | OracleKind::Resolvent => [[1.0, t], [1.0, 0.0]],
        OracleKind::Projection => [[1.0, 1.0], [1.0, 0.0]],
        OracleKind::Reflected => [[1.0, t], [1.0, -t]],
        OracleKind::MoreauGradient => [[1.0, t], [0.0, 1.0]],
        OracleKind::Argmin => return None,
    };
    Some(if oracle.conjugate { [[b, a], [d, c]] } else { [[a, b], [c, d]] })
}

/// y₀ with (y, u) = M (y₀, u₀), u₀ ∈ ∂f(y₀): the point at which the function itself is taken.
pub fn point(oracle: &Oracle, step: f64, query: &[f64], answer: &[f64]) -> Vector {
    let point_and_slope = match oracle.kind {
        OracleKind::Gradient | OracleKind::Subdifferential | OracleKind::BlackBox => (query.to_vec(), answer.to_vec()),
        OracleKind::Prox | OracleKind::Resolvent | OracleKind::Projection | OracleKind::Argmin => {
            let step = if oracle.kind == OracleKind::Argmin { 1.0 / step } else { step };
            (answer.to_vec(), combine(1.0 / step, query, -1.0 / step, answer))
        }
        OracleKind::Reflected => (combine(0.5, query, 0.5, answer), combine(0.5 / step, query, -0.5 / step, answer)),
        OracleKind::MoreauGradient => (combine(1.0, query, -step, answer), answer.to_vec()),
    };
    if oracle.conjugate { point_and_slope.1 } else { point_and_slope.0 }
}

fn factor(sign: Sign) -> f64 {
    match sign {
        Sign::Plus => 1.0,
        Sign::Minus => -1.0,
    }
}

/// x with x + t ∇f(x) = v for the logistic loss, by Newton's method with halved steps.
fn newton(m: &Dense, mu: f64, t: f64, v: &[f64]) -> Option<Vector> {
    let f = Function::Logistic(m.clone(), mu);
    let residual = |x: &[f64]| f.gradient(x).map(|g| combine(1.0, &combine(1.0, x, t, &g), -1.0, v));
    let mut x = v.to_vec();
    for _ in 0..NEWTON {
        let r = residual(&x)?;
        if norm(&r) < 1e-14 * (1.0 + norm(v)) {
            break;
        }
        let weights: Vector = m.apply(&x).iter().map(|s| 1.0 / (2.0 + s.exp() + (-s).exp())).collect();
        let curved = Dense::from_fn(m.rows.len(), m.cols, |i, j| weights[i] * m.rows[i][j]);
        let step = Dense::scalar(v.len(), 1.0 + t * mu).plus(t, &m.transpose().after(&curved)).solve(&r)?;
        let mut length = 1.0;
        let mut next = combine(1.0, &x, -length, &step);
        while norm(&residual(&next)?) > norm(&r) && length > 1e-6 {
            length /= 2.0;
            next = combine(1.0, &x, -length, &step);
        }
        if distance(&next, &x) == 0.0 {
            break;
        }
        x = next;
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// u₀ = (v − prox)/t is a subgradient at the prox: moving about does not help.
    #[test]
    fn proximal_operators_solve_their_inclusion() {
        let m = Dense::from_fn(3, 3, |i, j| (1 + i + 2 * j) as f64 / 5.0);
        let q = m.transpose().after(&m);
        let v = vec![0.7, -1.3, 0.2];
        for f in [
            Function::Quadratic(q.clone(), vec![1.0, 0.0, -2.0]),
            Function::Logistic(m.clone(), 0.5),
            Function::Zero,
            Function::Affine(m.plus(-1.0, &m.transpose()), vec![1.0, 2.0, 3.0]),
        ] {
            let x = f.prox(0.8, &v).unwrap();
            let back = combine(1.0, &x, 0.8, &f.gradient(&x).unwrap());
            assert!(distance(&back, &v) < 1e-10, "{f:?}");
            // Moreau's identity, and the conjugate of the conjugate.
            let conjugate = Function::Conjugate(Box::new(f.clone()), Sign::Plus);
            let dual = conjugate.prox(1.0 / 0.8, &v.iter().map(|x| x / 0.8).collect::<Vector>()).unwrap();
            assert!(distance(&combine(1.0, &x, 0.8, &dual), &v) < 1e-10, "{f:?}");
            let twice = Function::Conjugate(Box::new(conjugate), Sign::Plus);
            assert!(distance(&twice.prox(0.8, &v).unwrap(), &x) < 1e-10, "{f:?}");
        }
        assert_eq!(Function::L1(1.0).prox(0.5, &v).unwrap(), vec![0.7 - 0.5, -1.3 + 0.5, 0.0]);
        assert_eq!(Function::Box(-1.0, 1.0).prox(9.0, &v).unwrap(), vec![0.7, -1.0, 0.2]);
        assert_eq!(Function::Zero.prox(0.0, &v), None);
        // Where the map is a multiple of the identity the argmin is a prox.
        let f = Function::L1(0.5);
        let twice: Vector = v.iter().map(|x| 2.0 * x).collect();
        let (x, y) = (f.argmin(0.5, &Dense::scalar(3, 2.0), &twice).unwrap(), f.prox(0.5, &v).unwrap());
        assert!(distance(&x, &y) < 1e-12);
        assert_eq!(f.argmin(-1.0, &Dense::scalar(3, 2.0), &twice), None);
        let q = Function::Conjugate(Box::new(Function::Quadratic(Dense::scalar(3, 2.0), vec![0.0; 3])), Sign::Minus);
        assert_eq!(q.gradient(&v).unwrap(), vec![0.35, -0.65, 0.1]);
    }
}

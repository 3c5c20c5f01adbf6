//! Families of algorithms, compared by the coefficients in z of their transfer functions.

use linnaeus_algebra::solve::Value;

use super::text::*;

const TRIPLE_MOMENTUM: &str = "-alpha*(z*(1+gamma)-gamma)/((z-1)*(z-beta))";
const NESTEROV: &str = "-alpha*(z*(1+beta)-beta)/((z-1)*(z-beta))";
const HEAVY_BALL: &str = "-alpha*z/((z-1)*(z-beta))";
/// Quasi-hyperbolic momentum.
const QHM: &str = "a*(b*nu*z-b*nu+b-z)/((z-b)*(z-1))";
/// Stochastic unified momentum.
const SUM: &str = "-a*(b*s*z-b*s+z)/((z-b)*(z-1))";
/// Weight decay as in PyTorch, and decoupled.
const PYTORCH: &str = "-gamma*z/(gamma*w*z-mu*z+mu+z^2-z)";
const SGDW: &str = "-alpha*z/((z-beta)*(eta*w'+z-1))";
/// C (zI − A)⁻¹ B with two states.
const TWO_STATES: &str = "(c1*(b1*(z-a22)+b2*a12)+c2*(b1*a21+b2*(z-a11)))/((z-a11)*(z-a22)-a12*a21)";
const COEFFICIENTS: &str = "a11 a12 a21 a22 b1 b2 c1 c2";

#[test]
fn momentum_families() {
    let given = "alpha beta gamma";
    check(
        &problem(matching(TRIPLE_MOMENTUM, QHM), "a b nu", given).nonzero(&["a", "alpha"]),
        &["nu = (beta*gamma-gamma+beta)/(beta); a = -alpha/(beta-1); b = beta; nonzero beta, beta-1"],
    );
    check(
        &problem(matching(TRIPLE_MOMENTUM, SUM), "a b s", given).nonzero(&["a"]),
        &["a = alpha; b = beta; s = gamma/(beta); nonzero alpha, beta"],
    );
    check(
        &problem(matching(QHM, TRIPLE_MOMENTUM), given, "a b nu"),
        &["alpha = -a*b+a; beta = b; gamma = (nu*b-b)/(b-1); nonzero b-1"],
    );
    check(&problem(matching(SUM, TRIPLE_MOMENTUM), given, "a b s"), &["alpha = a; beta = b; gamma = b*s"]);
    let sum = "-e*(f*s*z-f*s+z)/((z-f)*(z-1))";
    check(&problem(matching(QHM, sum), "e f s", "a b nu"), &["e = -a*b+a; f = b; s = (nu-1)/(b-1); nonzero b-1"]);
    check(&problem(matching(sum, QHM), "a b nu", "e f s"), &["nu = f*s-s+1; a = -e/(f-1); b = f; nonzero f-1"]);
}

#[test]
fn heavy_ball_is_nesterov_only_as_gradient_descent() {
    let nesterov = "-a*(z*(1+b)-b)/((z-1)*(z-b))";
    let problem = problem(matching(HEAVY_BALL, nesterov), "a b", "alpha beta");
    let problem = problem.nonzero(&["a", "alpha"]);
    check(&problem, &[]);
    check(&problem.conditions_allowed(), &["if beta = 0; a = alpha; b = 0"]);
}

#[test]
fn two_steps_with_a_redundant_coefficient() {
    let two_steps = matching(NESTEROV, "h*(s0+s1*z)/(r0+r1*z+z^2)");
    check(
        &problem(two_steps, "h r0 r1 s0 s1", "alpha beta"),
        &["r0 = beta; r1 = -beta-1; s0 = alpha*beta/(h); s1 = (-alpha*beta-alpha)/(h); free h; nonzero h"],
    );
}

#[test]
fn weight_decay() {
    let equations = || matching(PYTORCH, SGDW);
    check(
        &problem(equations(), "gamma mu w", "alpha beta eta w'").nonzero(&["alpha"]),
        &["gamma = alpha; mu = -beta*eta*w'+beta; w = (-beta*eta*w'+eta*w')/(alpha)"],
    );
    let d = "sqrt(gamma^2*w^2-2*gamma*mu*w-2*gamma*w+mu^2-2*mu+1)";
    let branch = |sign: &str| {
        format!(
            "alpha = gamma; beta = (-gamma*w+mu+1)/(2) + [{sign}1/(2)]*{d}; \
             w' = (gamma*w-mu+1)/(2*eta) + [{sign}1/(2*eta)]*{d}; free eta; nonzero eta"
        )
    };
    check(&problem(equations(), "alpha beta eta w'", "gamma mu w"), &[&branch("-"), &branch("")]);
}

#[test]
fn two_states_with_free_coefficients() {
    for target in [TRIPLE_MOMENTUM, NESTEROV] {
        let equations = || matching(target, TWO_STATES);
        let parameters = if target == NESTEROV { "alpha beta" } else { "alpha beta gamma" };
        // The realizations are an orbit of GL₂, of dimension four.
        let solution = solved(&problem(equations(), COEFFICIENTS, parameters));
        assert!(solution.complete);
        assert_eq!(solution.branches.len(), 1);
        let branch = &solution.branches[0];
        assert_eq!((branch.free.len(), branch.relations.len()), (4, 0));
        // The other way the pole at 1 is a condition, for Nesterov's method with another one.
        let reverse = problem(equations(), parameters, COEFFICIENTS);
        check(&reverse, &[]);
        let reverse = reverse.nonzero(&["alpha", "a12"]).conditions_allowed();
        let solution = solved(&reverse);
        assert!(solution.complete);
        let expected = if target == NESTEROV { 2 } else { 1 };
        let beta = Value::Rational(rational("a11+a22-1"));
        assert!(solution.branches.iter().any(|branch| {
            branch.values[&variable("beta")] == beta && (branch.conditions.len(), branch.free.len()) == (expected, 0)
        }));
    }
}

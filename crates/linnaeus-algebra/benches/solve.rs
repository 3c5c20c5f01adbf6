//! Times of the solver, `cargo bench -p linnaeus-algebra --bench solve`.

#[path = "../tests/solve/text.rs"]
mod text;

use divan::Bencher;
use linnaeus_algebra::solve::{Problem, solve};
use text::{With, matching, problem, system};

fn main() {
    divan::main();
}

const TRIPLE_MOMENTUM: &str = "-alpha*(z*(1+gamma)-gamma)/((z-1)*(z-beta))";
const NESTEROV: &str = "-alpha*(z*(1+beta)-beta)/((z-1)*(z-beta))";
const TWO_STATES: &str = "(c1*(b1*(z-a22)+b2*a12)+c2*(b1*a21+b2*(z-a11)))/((z-a11)*(z-a22)-a12*a21)";
const COEFFICIENTS: &str = "a11 a12 a21 a22 b1 b2 c1 c2";

fn run(bencher: Bencher, problem: &Problem) {
    bencher.bench(|| solve(problem).unwrap());
}

#[divan::bench]
fn two_states_as_triple_momentum(bencher: Bencher) {
    let equations = matching(TRIPLE_MOMENTUM, TWO_STATES);
    run(bencher, &problem(equations, COEFFICIENTS, "alpha beta gamma"));
}

#[divan::bench]
fn two_states_as_nesterov(bencher: Bencher) {
    let equations = matching(NESTEROV, TWO_STATES);
    run(bencher, &problem(equations, COEFFICIENTS, "alpha beta"));
}

#[divan::bench]
fn two_states_as_conditional_triple_momentum(bencher: Bencher) {
    let equations = matching(TRIPLE_MOMENTUM, TWO_STATES);
    let problem = problem(equations, COEFFICIENTS, "alpha beta gamma");
    run(bencher, &problem.conditions_allowed());
}

#[divan::bench]
fn triple_momentum_as_two_states(bencher: Bencher) {
    let equations = matching(TRIPLE_MOMENTUM, TWO_STATES);
    let problem = problem(equations, "alpha beta gamma", COEFFICIENTS);
    run(bencher, &problem.nonzero(&["alpha"]).conditions_allowed());
}

/// A third-order method with all 15 coefficients free against one with generic coefficients.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn three_states(bencher: Bencher) {
    let minor = |i: usize, j: usize| {
        let [p, q] = [[1, 2], [0, 2], [0, 1]][i];
        let [r, s] = [[1, 2], [0, 2], [0, 1]][j];
        let e = |i: usize, j: usize| {
            let name = ["a11", "a12", "a13", "a21", "a22", "a23", "a31", "a32", "a33"][3 * i + j];
            if i == j { format!("(z-{name})") } else { format!("(-{name})") }
        };
        let sign = if (i + j).is_multiple_of(2) { "+" } else { "-" };
        let minor = format!("{}*{}-{}*{}", e(p, r), e(q, s), e(p, s), e(q, r));
        (sign, format!("({minor})"), e(i, j))
    };
    let expand = |j: usize| {
        let (sign, minor, entry) = minor(0, j);
        format!("{sign}{entry}*{minor}")
    };
    let determinant: String = (0..3).map(expand).collect();
    let mut numerator = String::new();
    for i in 0..3 {
        for j in 0..3 {
            let (sign, minor, _) = minor(i, j);
            numerator += &format!("{sign}c{}*b{}*{minor}", j + 1, i + 1);
        }
    }
    let states = format!("({numerator})/({determinant})");
    let target = "(p2*z^2+p1*z+p0)/(z^3+q2*z^2+q1*z+q0)";
    let equations = matching(target, &states);
    let unknowns = "a11 a12 a13 a21 a22 a23 a31 a32 a33 b1 b2 b3 c1 c2 c3";
    run(bencher, &problem(equations, unknowns, "p0 p1 p2 q0 q1 q2"));
}

#[divan::bench]
fn three_dense_quadrics(bencher: Bencher) {
    let quadrics = ["x^2+2*x*y-y^2+3*t^2+x-5", "x*y+y*t+t*x-2*y-p", "3*x^2-y^2+t^2+x*t-y-1"];
    run(bencher, &system(&quadrics, "x y t", "p"));
}

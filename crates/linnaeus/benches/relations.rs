//! Comparisons with many free parameters, and the reading of a typical text.

use divan::{Bencher, black_box};
use linnaeus::relation::compare;

fn main() {
    divan::main();
}

const TRIPLE_MOMENTUM: &str =
    "y[k] = x[k] + gamma*(x[k] - x[k-1]); x[k+1] = x[k] - alpha*grad f(y[k]) + beta*(x[k] - x[k-1])";
const NESTEROV: &str = "y[k] = x[k] + beta*(x[k] - x[k-1]); x[k+1] = y[k] - alpha*grad f(y[k])";
const EIGHT_COEFFICIENTS: &str = "x[k+1] = a11*x[k] + a12*w[k] + b1*grad f(c1*x[k] + c2*w[k]); \
    w[k+1] = a21*x[k] + a22*w[k] + b2*grad f(c1*x[k] + c2*w[k])";
const FREE_DAVIS_YIN: &str = "x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(a*x[k] - b*w[k] - c*grad h(x[k])); \
    w[k+1] = d*w[k] + e*y[k] - e*x[k]";
const DOUGLAS_RACHFORD: &str = "x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]";

const PAIRS: &[(&str, &str, &str)] = &[
    ("8 free coefficients, triple momentum", EIGHT_COEFFICIENTS, TRIPLE_MOMENTUM),
    ("8 free coefficients, Nesterov", EIGHT_COEFFICIENTS, NESTEROV),
    ("free Davis-Yin, Douglas-Rachford", FREE_DAVIS_YIN, DOUGLAS_RACHFORD),
];

#[divan::bench(args = PAIRS.iter().map(|p| p.0))]
fn many_parameters(bencher: Bencher, name: &str) {
    let (_, a, b) = PAIRS.iter().find(|p| p.0 == name).expect("listed");
    let [a, b] = [a, b].map(|text| linnaeus::read(text).analysis.expect("read"));
    bencher.bench_local(|| compare(black_box(&a), black_box(&b), None));
}

#[divan::bench]
fn reading(bencher: Bencher) {
    bencher.bench_local(|| linnaeus::read(black_box(DOUGLAS_RACHFORD)));
}

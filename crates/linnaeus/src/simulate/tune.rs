//! Values for parameters that were given none: of some that theory suggests, those with which a short run comes
//! nearest to the solution.

use super::assign::Assignment;

/// How long the short runs are.
pub const TRIAL: usize = 60;
/// How often every parameter is looked at.
const ROUNDS: usize = 2;

/// A value and why it was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The value.
    pub value: f64,
    /// `1/L`; none for a number that stands for itself.
    pub reason: Option<&'static str>,
}

/// What theory suggests for steps, weights and penalties, L being the largest Lipschitz constant of a gradient.
pub fn candidates(assignment: &Assignment) -> Vec<Candidate> {
    let gradients = assignment.functions.iter().filter_map(|(_, _, f)| f.lipschitz());
    let lipschitz = gradients.fold(0.0, f64::max);
    let size = assignment.matrix.norm();
    let candidate = |value: f64, reason: &'static str| Candidate { value, reason: Some(reason) };
    let mut found = Vec::new();
    if lipschitz > 0.0 {
        found.extend([candidate(1.0 / lipschitz, "1/L"), candidate(0.5 / lipschitz, "1/(2L)")]);
    }
    if (size - 1.0).abs() > 1e-9 {
        found.push(candidate(0.9 / size, "0.9/‖K‖"));
    }
    found.extend([1.0, 0.5, 0.1].map(|value| Candidate { value, reason: None }));
    found
}

/// The best value for each of the unknowns, one after the other; `score` is less for better values.
pub fn tune(count: usize, candidates: &[Candidate], score: &mut dyn FnMut(&[f64]) -> f64) -> Vec<usize> {
    let mut best = vec![0; count];
    let values = |choice: &[usize]| choice.iter().map(|&c| candidates[c].value).collect::<Vec<f64>>();
    let mut least = score(&values(&best));
    for _ in 0..if count > 1 { ROUNDS } else { 1 } {
        for n in 0..count {
            for c in 0..candidates.len() {
                let mut trial = best.clone();
                trial[n] = c;
                let found = if trial == best { least } else { score(&values(&trial)) };
                if found < least {
                    (best, least) = (trial, found);
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_after_the_other() {
        let list: Vec<Candidate> = [1.0, 2.0, 3.0].map(|value| Candidate { value, reason: None }).to_vec();
        let found = tune(2, &list, &mut |v| (v[0] - 2.0).abs() + (v[1] - 3.0).abs());
        assert_eq!(found, [1, 2]);
        assert_eq!(tune(0, &list, &mut |_| 0.0), Vec::<usize>::new());
    }
}

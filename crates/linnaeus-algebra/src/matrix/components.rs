//! The structure of a state equation: which states matter, and which depend on each other.

use super::Matrix;
use crate::rational_function::RationalFunction;

type M = Matrix<RationalFunction>;

/// The states that some input reaches and some output sees, ascending, judged by nonzero entries.
pub(super) fn relevant_states(a: &M, b: &M, c: &M) -> Vec<usize> {
    let n = a.rows();
    let driven = (0..n).filter(|&i| b.row(i).iter().any(|e| !e.is_zero()));
    let reached = closure(n, driven, |i, j| !a[(j, i)].is_zero());
    let seen = (0..n).filter(|&j| (0..c.rows()).any(|i| !c[(i, j)].is_zero()));
    let seen = closure(n, seen, |i, j| !a[(i, j)].is_zero());
    (0..n).filter(|&i| reached[i] && seen[i]).collect()
}

/// What can be reached from `start` along `edge`.
pub(super) fn closure(n: usize, start: impl Iterator<Item = usize>, edge: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; n];
    let mut open: Vec<usize> = start.collect();
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut reached[i], true) {
            open.extend((0..n).filter(|&j| !reached[j] && edge(i, j)));
        }
    }
    reached
}

/// The strongly connected components of x⁺ = A x, each after those it depends on.
pub(super) fn components(a: &M) -> Vec<Vec<usize>> {
    let n = a.rows();
    // influence[i][j]: xᵢ depends on xⱼ, directly or not.
    let influence: Vec<Vec<bool>> = (0..n).map(|i| closure(n, [i].into_iter(), |i, j| !a[(i, j)].is_zero())).collect();
    let mut order: Vec<usize> = (0..n).collect();
    // A component depends on fewer states than any that depends on it.
    order.sort_by_key(|&i| influence[i].iter().filter(|&&x| x).count());
    let mut components: Vec<Vec<usize>> = Vec::new();
    for i in order {
        let same = |c: &&mut Vec<usize>| influence[i][c[0]] && influence[c[0]][i];
        match components.iter_mut().find(same) {
            Some(component) => component.push(i),
            None => components.push(vec![i]),
        }
    }
    components
}

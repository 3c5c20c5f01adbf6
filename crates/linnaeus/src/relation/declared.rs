//! What a declaration of one text asks of the operators of the other: where W is symmetric and V is W, V is, too.

use super::behavior::{Side, is_rectangular};
use super::operators::identity_of;
use super::verdict::{Assumption, Witness};
use crate::system::LinearSystem;

/// An operator of the first that is one of the second's, and on which side it is solved for.
struct Pair {
    own: [usize; 2],
    solved: Side,
}

/// Operators that must be symmetric, or commute, and are not declared to.
pub fn asked(systems: [&LinearSystem; 2], witness: &Witness) -> Vec<Assumption> {
    let pairs: Vec<Pair> = pairs(witness).collect();
    let mut found = Vec::new();
    let mut tell = |special: [bool; 2], solved: Side, assumption: &dyn Fn(Side, usize) -> Assumption| {
        // What the second's operators are follows from what the first's are, unless these are solved for.
        match special {
            [false, true] => found.push(assumption(Side::First, 0)),
            [true, false] if solved == Side::First => found.push(assumption(Side::Second, 1)),
            _ => {}
        }
    };
    for pair in &pairs {
        let symmetric = [0, 1].map(|n| systems[n].operators[pair.own[n]].symmetric);
        if [0, 1].iter().all(|n| !is_rectangular(systems[*n], &systems[*n].operators[pair.own[*n]])) {
            tell(symmetric, pair.solved, &|side, n| Assumption::Symmetric(side, pair.own[n]));
        }
    }
    for (n, x) in pairs.iter().enumerate() {
        for y in &pairs[..n] {
            let commute = [0, 1].map(|n| {
                let [v, w] = [x, y].map(|p| systems[n].operators[p.own[n]].class);
                v != 0 && v == w
            });
            if [0, 1].iter().any(|n| x.own[*n] == y.own[*n]) {
                continue;
            }
            tell(commute, x.solved, &|side, n| Assumption::Commuting(side, y.own[n], x.own[n]));
        }
    }
    found
}

/// The operators that are one of the other side's, or its adjoint.
fn pairs(witness: &Witness) -> impl Iterator<Item = Pair> {
    witness.images.iter().filter_map(|(v, image)| {
        let (solved, target) = identity_of(*v);
        let [(word, _)] = &image.terms()[..] else { return None };
        let [letter] = &word[..] else { return None };
        let source = letter.operator as usize;
        let own = if solved == Side::First { [target, source] } else { [source, target] };
        Some(Pair { own, solved })
    })
}

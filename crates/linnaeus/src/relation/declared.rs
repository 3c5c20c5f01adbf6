//! What a declaration of one text asks of the operators of the other: where W is symmetric and V is 2W − I, V is, too.

use super::behavior::{Side, is_rectangular};
use super::operators::identity_of;
use super::verdict::{Assumption, Witness};
use crate::operator::OperatorPolynomial;
use crate::system::{LinearSystem, Operator};
use linnaeus_algebra::{Coefficient, SortedSet};

/// An operator that is made of the other side's.
struct Made<'a> {
    solved: Side,
    own: usize,
    image: &'a OperatorPolynomial,
    /// The operators that it is made of.
    sources: SortedSet<usize>,
}

/// Operators that must be symmetric, or commute, and are not declared to.
pub fn asked(systems: [&LinearSystem; 2], witness: &Witness) -> Vec<Assumption> {
    let of = |side: Side| systems[usize::from(side == Side::Second)];
    let operator = |side: Side, own: usize| -> &Operator { &of(side).operators[own] };
    let is_square = |side: Side, own: usize| !is_rectangular(of(side), operator(side, own));
    let class = |side: Side, own: usize| operator(side, own).class;
    let together = |side: Side, i: usize, j: usize| class(side, i) != 0 && class(side, i) == class(side, j);
    let all: Vec<Made> = made(witness).collect();
    let mut found: Vec<Assumption> = Vec::new();
    let mut tell = |assumption: Assumption| {
        if !found.contains(&assumption) {
            found.push(assumption);
        }
    };
    for x in &all {
        let other = x.solved.other();
        let is_symmetric = |own: u16| operator(other, own as usize).symmetric;
        let is_kept = x.image.adjoint(&is_symmetric) == *x.image;
        if operator(x.solved, x.own).symmetric && !is_kept {
            let asked = x.sources.iter().filter(|i| !operator(other, **i).symmetric && is_square(other, **i));
            asked.for_each(|i| tell(Assumption::Symmetric(other, *i)));
        }
        // What the second's operators are follows from what the first's are.
        let told = x.sources.iter().any(|i| operator(other, *i).symmetric);
        if x.solved == Side::First
            && !operator(x.solved, x.own).symmetric
            && is_kept
            && told
            && is_square(x.solved, x.own)
        {
            tell(Assumption::Symmetric(x.solved, x.own));
        }
    }
    for (n, x) in all.iter().enumerate() {
        for y in all[..n].iter().filter(|y| y.solved == x.solved) {
            let (own, other) = (x.solved, x.solved.other());
            let product = |v: &Made, w: &Made| v.image.mul(w.image).ok();
            let commute = product(x, y) == product(y, x);
            let pairs =
                || y.sources.iter().flat_map(|i| x.sources.iter().map(move |j| (*i, *j))).filter(|(i, j)| i != j);
            match together(own, x.own, y.own) {
                true if !commute => {
                    let asked = pairs().filter(|(i, j)| !together(other, *i, *j));
                    asked.for_each(|(i, j)| tell(Assumption::Commuting(other, i.min(j), i.max(j))));
                }
                false if commute && own == Side::First && pairs().any(|(i, j)| together(other, i, j)) => {
                    tell(Assumption::Commuting(own, y.own.min(x.own), y.own.max(x.own)));
                }
                _ => {}
            }
        }
    }
    found
}

/// The operators that are made of the other side's.
fn made(witness: &Witness) -> impl Iterator<Item = Made<'_>> {
    witness.images.iter().filter_map(|(v, image)| {
        let (solved, own) = identity_of(*v);
        let letters = image.terms().into_iter().flat_map(|(word, _)| word);
        let sources: SortedSet<usize> = letters.map(|l| l.operator as usize).collect();
        (!sources.is_empty()).then_some(Made { solved, own, image, sources })
    })
}

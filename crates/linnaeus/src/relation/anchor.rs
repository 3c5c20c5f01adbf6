//! Where coefficients change with the index, the same calls may be counted differently: one text asks
//! at `y[k]` what the other asks at `y[k+1]`. Iterates that both texts name say by how much.

use crate::operator::OperatorPolynomial;
use crate::system::Atom;
use crate::transfer::{Analysis, Timing};
use linnaeus_algebra::Coefficient;
use std::collections::BTreeSet;

/// An iterate that is a channel's query or answer at time k, with its offset from k.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Anchor {
    name: String,
    is_query: bool,
    offset: i64,
}

/// Offsets that are tried where no name says anything.
const NEAR: [i64; 5] = [0, 1, -1, 2, -2];

/// By how much the pairs of channels, moved by `shift` already, may be moved further all together.
pub fn offsets(first: &Analysis, second: &Analysis, pairs: &[(usize, usize)], shift: &[i64]) -> Vec<i64> {
    let (Ok(a), Ok(b)) = (Timing::new(&first.system), Timing::new(&second.system)) else {
        return vec![0];
    };
    let mut found = BTreeSet::new();
    for (&(i, j), m) in pairs.iter().zip(shift) {
        for x in anchors(first, &a, i) {
            let twins = anchors(second, &b, j);
            let twins = twins.iter().filter(|y| y.name == x.name && y.is_query == x.is_query);
            found.extend(twins.map(|y| y.offset - x.offset - m));
        }
    }
    if found.is_empty() {
        return NEAR.to_vec();
    }
    let mut found: Vec<i64> = found.into_iter().collect();
    found.sort_by_key(|c| (c.abs(), *c < 0));
    found
}

fn anchors(analysis: &Analysis, timing: &Timing, channel: usize) -> Vec<Anchor> {
    let system = &analysis.system;
    let channel = &analysis.channels[channel];
    let mut found = Vec::new();
    let call = &system.calls[channel.call];
    let one = OperatorPolynomial::one();
    if let [(Atom::Signal(s, offset), c)] = call.argument.iter().collect::<Vec<_>>().as_slice()
        && **c == one
    {
        let offset = i64::from(offset + timing.moved[call.equation]);
        found.push(Anchor { name: system.signals[*s].name.clone(), is_query: true, offset });
    }
    for (e, equation) in system.equations.iter().enumerate() {
        let terms: Vec<_> = equation.form.iter().collect();
        let [(Atom::Signal(s, offset), c), (Atom::Call(n), d)] = terms.as_slice() else { continue };
        let served = channel.calls.iter().find(|(call, _)| call == n);
        if let (Some((_, delay)), true) = (served, c.neg() == **d && **c == one) {
            let offset = i64::from(offset + timing.moved[e]) + *delay as i64;
            found.push(Anchor { name: system.signals[*s].name.clone(), is_query: false, offset });
        }
    }
    found
}

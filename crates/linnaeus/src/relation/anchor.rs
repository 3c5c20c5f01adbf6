//! Where coefficients change with the index, the same calls may be counted differently: one text asks
//! at `y[k]` what the other asks at `y[k+1]`. The index of the point of a call says by how much.

use crate::operator::OperatorPolynomial;
use crate::syntax::ast::OracleKind;
use crate::system::{Atom, Oracle};
use crate::transfer::{Analysis, Timing};
use linnaeus_algebra::{Coefficient, SortedSet};

/// By what a text counts a call: the index of a signal of it, as its offset from k at time k.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Anchor {
    role: Role,
    offset: i64,
}

/// What a signal is to the function: where ∂f is asked, what it answers, or another query.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Role {
    Point,
    Subgradient,
    Query,
    Answer,
}

/// The roles of an oracle's query and answer. The call of a gradient is counted by where it is asked, whatever its
/// answer is called.
fn roles(oracle: &Oracle) -> (Role, Option<Role>) {
    use OracleKind::*;
    match (oracle.kind, oracle.conjugate) {
        (Gradient | Subdifferential, false) => (Role::Point, None),
        (Gradient | Subdifferential, true) => (Role::Subgradient, Some(Role::Point)),
        (Prox | Projection | Resolvent, false) => (Role::Query, Some(Role::Point)),
        (Prox | Projection | Resolvent, true) => (Role::Query, Some(Role::Subgradient)),
        _ => (Role::Query, Some(Role::Answer)),
    }
}

/// Offsets that are tried where indexes do not say.
const NEAR: [i64; 5] = [0, 1, -1, 2, -2];

/// By how much each pair of channels is moved when calls are the same that both texts count alike.
pub struct Anchors(Vec<SortedSet<i64>>);

impl Anchors {
    /// What the indexes say of pairs of channels.
    pub fn new(first: &Analysis, second: &Analysis, pairs: &[(usize, usize)]) -> Anchors {
        let (Ok(a), Ok(b)) = (Timing::new(&first.system), Timing::new(&second.system)) else {
            return Anchors(vec![SortedSet::new(); pairs.len()]);
        };
        let of = |&(i, j): &(usize, usize)| {
            let (ones, twos) = (anchors(first, &a, i), anchors(second, &b, j));
            let both = ones.iter().flat_map(|x| twos.iter().map(move |y| (x, y)));
            let alike = both.filter(|(x, y)| x.role == y.role);
            alike.map(|(x, y)| y.offset - x.offset).collect()
        };
        Anchors(pairs.iter().map(of).collect())
    }

    /// By how much all pairs, moved by `shift` already, are moved further together if a call has the same index.
    pub fn counted(&self, shift: &[i64]) -> SortedSet<i64> {
        self.0.iter().zip(shift).flat_map(|(moved, m)| moved.iter().map(move |by| by - m)).collect()
    }

    /// By how much all pairs, moved by `shift` already, may be moved further together. Where both texts name
    /// the same numbers, these and the indexes of calls say where counting begins; where they do not, that is a
    /// convention of each text.
    pub fn offsets(&self, shift: &[i64], origin: Origin) -> Vec<i64> {
        let mut found = self.counted(shift);
        let bare = found.is_empty();
        if origin != Origin::Named || bare {
            found.extend(shift.iter().map(|m| -m).chain([0]));
        }
        if origin == Origin::Open || origin == Origin::Named && bare {
            found.extend(NEAR);
        }
        let mut found: Vec<i64> = found.into_iter().collect();
        found.sort_by_key(|c| (c.abs(), *c < 0));
        found
    }
}

/// Where two texts begin to count.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Where the indexes of calls say.
    Named,
    /// Anywhere.
    Open,
    /// Anywhere, but they have no numbers in common: those of the one are solved for.
    Solved,
}

/// The latest iterate that a query is made of, and the iterate that an answer is.
fn anchors(analysis: &Analysis, timing: &Timing, channel: usize) -> Vec<Anchor> {
    let system = &analysis.system;
    let channel = &analysis.channels[channel];
    let mut found = Vec::new();
    let call = &system.calls[channel.call];
    let (query, answer) = roles(&channel.oracle);
    let asked = call.argument.iter().filter_map(|(atom, _)| match atom {
        Atom::Signal(_, offset) => Some(i64::from(offset + timing.moved[call.equation])),
        _ => None,
    });
    found.extend(asked.max().map(|offset| Anchor { role: query, offset }));
    let one = OperatorPolynomial::one();
    for (e, equation) in system.equations.iter().enumerate() {
        let terms: Vec<_> = equation.form.iter().collect();
        let [(Atom::Signal(_, offset), c), (Atom::Call(n), d)] = terms.as_slice() else { continue };
        let served = channel.calls.iter().find(|(call, _)| call == n);
        if let (Some((_, delay)), Some(role), true) = (served, answer, c.neg() == **d && **c == one) {
            found.push(Anchor { role, offset: i64::from(offset + timing.moved[e]) + *delay as i64 });
        }
    }
    found
}

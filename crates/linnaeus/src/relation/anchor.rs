//! Where coefficients change with the index, the same calls may be counted differently: one text asks
//! at `y[k]` what the other asks at `y[k+1]`. Iterates that both texts name say by how much.

use crate::operator::OperatorPolynomial;
use crate::syntax::ast::OracleKind;
use crate::system::{Atom, Oracle};
use crate::transfer::{Analysis, Timing};
use linnaeus_algebra::{Coefficient, SortedSet};

/// An iterate that is a signal of a channel at time k, with its offset from k.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Anchor {
    name: String,
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

/// The roles of an oracle's query and answer.
fn roles(oracle: &Oracle) -> (Role, Role) {
    use OracleKind::*;
    match (oracle.kind, oracle.conjugate) {
        (Gradient | Subdifferential, false) => (Role::Point, Role::Subgradient),
        (Gradient | Subdifferential, true) => (Role::Subgradient, Role::Point),
        (Prox | Projection | Resolvent, false) => (Role::Query, Role::Point),
        (Prox | Projection | Resolvent, true) => (Role::Query, Role::Subgradient),
        _ => (Role::Query, Role::Answer),
    }
}

/// Offsets that are tried where names do not say.
const NEAR: [i64; 5] = [0, 1, -1, 2, -2];

/// By how much each pair of channels is moved when an iterate that both texts name is the same signal.
pub struct Anchors(Vec<SortedSet<i64>>);

impl Anchors {
    /// What the names say of pairs of channels.
    pub fn new(first: &Analysis, second: &Analysis, pairs: &[(usize, usize)]) -> Anchors {
        let (Ok(a), Ok(b)) = (Timing::new(&first.system), Timing::new(&second.system)) else {
            return Anchors(vec![SortedSet::new(); pairs.len()]);
        };
        let of = |&(i, j): &(usize, usize)| {
            let (ones, twos) = (anchors(first, &a, i), anchors(second, &b, j));
            let both = ones.iter().flat_map(|x| twos.iter().map(move |y| (x, y)));
            let alike = both.filter(|(x, y)| x.name == y.name && x.role == y.role);
            alike.map(|(x, y)| y.offset - x.offset).collect()
        };
        Anchors(pairs.iter().map(of).collect())
    }

    /// By how much all pairs, moved by `shift` already, are moved further together if an iterate that both texts
    /// name is the same.
    pub fn named(&self, shift: &[i64]) -> SortedSet<i64> {
        self.0.iter().zip(shift).flat_map(|(moved, m)| moved.iter().map(move |by| by - m)).collect()
    }

    /// By how much all pairs, moved by `shift` already, may be moved further together. Where both texts name
    /// the same numbers, these and the iterates that both name say where counting begins; where they do not,
    /// that is a convention of each text.
    pub fn offsets(&self, shift: &[i64], origin: Origin) -> Vec<i64> {
        let mut found = self.named(shift);
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
    /// Where their names say.
    Named,
    /// Anywhere.
    Open,
    /// Anywhere, but they have no numbers in common: those of the one are solved for.
    Solved,
}

fn anchors(analysis: &Analysis, timing: &Timing, channel: usize) -> Vec<Anchor> {
    let system = &analysis.system;
    let channel = &analysis.channels[channel];
    let mut found = Vec::new();
    let call = &system.calls[channel.call];
    let (query, answer) = roles(&channel.oracle);
    let one = OperatorPolynomial::one();
    if let [(Atom::Signal(s, offset), c)] = call.argument.iter().collect::<Vec<_>>().as_slice()
        && **c == one
    {
        let offset = i64::from(offset + timing.moved[call.equation]);
        found.push(Anchor { name: system.signals[*s].name.clone(), role: query, offset });
    }
    for (e, equation) in system.equations.iter().enumerate() {
        let terms: Vec<_> = equation.form.iter().collect();
        let [(Atom::Signal(s, offset), c), (Atom::Call(n), d)] = terms.as_slice() else { continue };
        let served = channel.calls.iter().find(|(call, _)| call == n);
        if let (Some((_, delay)), true) = (served, c.neg() == **d && **c == one) {
            let offset = i64::from(offset + timing.moved[e]) + *delay as i64;
            found.push(Anchor { name: system.signals[*s].name.clone(), role: answer, offset });
        }
    }
    found
}

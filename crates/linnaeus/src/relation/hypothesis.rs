//! The ways in which two algorithms could be related, strongest first.

use super::beginnings::{Beginnings, is_possible};
use super::behavior::{Behavior, Port, Side};
use super::shift::Chosen;
use super::verdict::{Assumption, Directions, Relation};
use crate::syntax::ast::{FunctionTrait, OracleKind};
use crate::system::{LinearSystem, Oracle, Z};
use crate::transfer::graph::{between, has_graph};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, spend};

/// How one channel pair is read.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pairing {
    /// The same oracle; steps must agree.
    Same,
    /// The one stands for the other as it is: a black box for any oracle, a prox for a projection.
    Stands,
    /// Another oracle of the same function.
    Lft,
}

impl Pairing {
    /// How a pair of the second oracle becomes one of the first.
    pub fn matrix(self, first: &Oracle, second: &Oracle) -> Result<Matrix<RationalFunction>, Exhausted> {
        match self {
            Pairing::Same | Pairing::Stands => Ok(Matrix::identity(2)),
            Pairing::Lft => between(first, second),
        }
    }
}

/// A pairing of channels.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    /// For every channel of the first, that of the second.
    pub order: Vec<usize>,
    /// How each pair is read.
    pub pairings: Vec<Pairing>,
    /// What it would be called.
    pub relation: Relation,
    /// How many oracles have other names in the second.
    pub renamed: usize,
    /// How far it is from the plain reading.
    rank: (Relation, usize, usize),
}

/// What may be done to the steps of oracles that are called the same.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Steps {
    /// Nothing: numbers that differ are others.
    Fixed,
    /// They are multiplied where the signals are.
    Scaled,
}

/// All pairings that respect the functions, most natural first, without those that numbers in H exclude, or delays where
/// only shifts move them; the parameters of any of `chosen` may then be chosen, and in other oracles those of both.
pub fn pairings(
    first: &Behavior,
    second: &Behavior,
    steps: Steps,
    chosen: &[Chosen],
) -> Result<Vec<Hypothesis>, Exhausted> {
    let (a, b) = (&first.ports, &second.ports);
    let pairs = || a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
    let is_other = pairs().any(|(p, q)| ways(&p.oracle, &q.oracle).contains(&Pairing::Lft));
    let is_projected = a.iter().chain(b.iter()).any(|p| p.oracle.kind == OracleKind::Projection);
    let mut beginnings = Beginnings::new(first, second, &[Chosen::Both]);
    pairings_where(a, b, &mut |calls, order, how| {
        let i = order.len() - 1;
        let (x, y) = (&a[i].oracle, &b[order[i]].oracle);
        if steps == Steps::Fixed && how[i] == Pairing::Same && x.kind.has_step() && is_other_number(&x.step, &y.step) {
            return Ok(false);
        }
        // Other oracles make another H, and a projection is a prox of any step.
        if calls == Calls::Others {
            return if chosen.is_empty() || is_projected { Ok(true) } else { beginnings.admit(order, how) };
        }
        if steps == Steps::Scaled && is_other {
            return Ok(true);
        }
        if !chosen.is_empty() && !is_possible(first, second, order, chosen) {
            return Ok(false);
        }
        for (l, &m) in order.iter().enumerate() {
            if is_excluded((&first.h, l, i), (&second.h, m, order[i]))? {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// Whether two channels of the one are not two of the other: neither shifts nor scalings change what is on the diagonal
/// and what goes round two channels, and the quotient of such numbers is the same for all parameters.
fn is_excluded(
    (g, l, i): (&Matrix<RationalFunction>, usize, usize),
    (h, m, j): (&Matrix<RationalFunction>, usize, usize),
) -> Result<bool, Exhausted> {
    let is_number = |r: &RationalFunction| r.variables().iter().all(|v| *v == Z);
    let differs = |x: &RationalFunction, y: &RationalFunction| is_number(x) && is_number(y) && x != y;
    if l == i {
        return Ok(differs(&g[(i, i)], &h[(j, j)]));
    }
    let quotients = g[(i, i)].div(&g[(l, l)])?.zip(h[(j, j)].div(&h[(m, m)])?);
    let (x, y) = (g[(l, i)].mul(&g[(i, l)])?, h[(m, j)].mul(&h[(j, m)])?);
    Ok(quotients.is_some_and(|(x, y)| differs(&x, &y)) || differs(&x, &y))
}

/// The same for channels alone.
pub fn pairings_of(first: &[Port], second: &[Port]) -> Vec<Hypothesis> {
    pairings_where(first, second, &mut |_, _, _| Ok(true)).unwrap_or_default()
}

/// Whether one text calls what the other calls.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Calls {
    /// It does.
    Same,
    /// At least one other oracle of a function is called.
    Others,
}

/// Whether the pairs chosen so far, for the first channels of the first, may begin a pairing.
pub type Admit<'a> = &'a mut dyn FnMut(Calls, &[usize], &[Pairing]) -> Result<bool, Exhausted>;

/// Those of which every beginning is admitted.
pub fn pairings_where(first: &[Port], second: &[Port], admit: Admit) -> Result<Vec<Hypothesis>, Exhausted> {
    let mut found = Vec::new();
    if first.len() == second.len() {
        // What calls the same oracles is not crowded out by what calls others.
        let is_other = |p: &Port| second.iter().any(|q| ways(&p.oracle, &q.oracle).contains(&Pairing::Lft));
        let others = first.iter().rposition(is_other).map_or(0, |last| last + 1);
        for calls in [Calls::Same, Calls::Others] {
            let mut list = Vec::new();
            let mut pairs = Pairs { first, second, calls, others, found: &mut list };
            pairs.extend(&mut Vec::new(), &mut Vec::new(), admit)?;
            list.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.order.cmp(&b.order)));
            found.extend(list);
        }
    }
    found.truncate(MANY);
    Ok(found)
}

/// At most this many pairings are tried.
pub const MANY: usize = 500;

struct Pairs<'a> {
    first: &'a [Port],
    second: &'a [Port],
    calls: Calls,
    /// No channel from here on may be called by another oracle.
    others: usize,
    found: &'a mut Vec<Hypothesis>,
}

impl Pairs<'_> {
    fn extend(&mut self, order: &mut Vec<usize>, how: &mut Vec<Pairing>, admit: Admit) -> Result<(), Exhausted> {
        let (first, second) = (self.first, self.second);
        let i = order.len();
        if i == first.len() {
            if how.contains(&Pairing::Lft) == (self.calls == Calls::Others) {
                self.found.push(hypothesis(first, second, order, how));
            }
            return Ok(());
        }
        let is_hopeless = self.calls == Calls::Others && i >= self.others && !how.contains(&Pairing::Lft);
        if self.found.len() > 4 * MANY || is_hopeless {
            return Ok(());
        }
        spend((first.len() * first.len()) as u64)?;
        for j in 0..second.len() {
            if order.contains(&j) || !consistent(first, second, order, j) {
                continue;
            }
            for pairing in ways(&first[i].oracle, &second[j].oracle) {
                let is_other = pairing == Pairing::Lft && self.calls == Calls::Same;
                if is_other || !is_read_alike(first, second, (order, how), (j, pairing)) {
                    continue;
                }
                order.push(j);
                how.push(pairing);
                if admit(self.calls, order, how)? {
                    self.extend(order, how, admit)?;
                }
                order.pop();
                how.pop();
            }
        }
        Ok(())
    }
}

/// Functions are paired one to one, but that two black boxes may be oracles of one function.
fn consistent(first: &[Port], second: &[Port], order: &[usize], j: usize) -> bool {
    let (p, q) = (&first[order.len()].oracle, &second[j].oracle);
    let boxed = |x: &Oracle, y: &Oracle| x.kind == OracleKind::BlackBox && y.kind == OracleKind::BlackBox;
    order.iter().enumerate().all(|(a, &b)| {
        let (x, y) = (&first[a].oracle, &second[b].oracle);
        match (x.function == p.function, y.function == q.function) {
            (false, true) => boxed(x, p),
            (true, false) => boxed(y, q),
            _ => true,
        }
    })
}

/// Whether one oracle is the same one at every call: two calls of one oracle that are two of another are read in
/// the same way.
fn is_read_alike(
    first: &[Port],
    second: &[Port],
    (order, how): (&[usize], &[Pairing]),
    (j, pairing): (usize, Pairing),
) -> bool {
    let (one, two) = (&first[order.len()].oracle, &second[j].oracle);
    order.iter().zip(how).zip(first).all(|((&b, known), port)| {
        let (x, y) = (&port.oracle, &second[b].oracle);
        let is_one = x.function == one.function && y.function == two.function;
        let alike = !is_one || meaning(x, y, *known) == meaning(one, two, pairing);
        alike && (*known == pairing || x != one || y != two)
    })
}

/// What a black box is in a pair, but for a step; nothing if there is none, or one for another.
fn meaning(x: &Oracle, y: &Oracle, pairing: Pairing) -> Option<(OracleKind, bool)> {
    use OracleKind::*;
    let other = match (x.kind, y.kind) {
        (BlackBox, BlackBox) => return None,
        (BlackBox, _) => y,
        (_, BlackBox) => x,
        _ => return None,
    };
    Some(match (pairing, other.kind, other.conjugate) {
        (Pairing::Lft, ..) | (_, Gradient | Subdifferential, false) => (Subdifferential, false),
        (_, kind, conjugate) => (kind, conjugate),
    })
}

/// Pairs of channels in which one black box stands for two calls of another oracle: these have the same step.
pub fn boxed<'a>(
    pairings: &'a [Pairing],
    first: &'a [Port],
    second: &'a [Port],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let is_box = move |i: usize| {
        let kinds = (first[i].oracle.kind, second[i].oracle.kind);
        pairings[i] == Pairing::Stands && (kinds.0 == OracleKind::BlackBox || kinds.1 == OracleKind::BlackBox)
    };
    let is_one = move |x: &[Port], l: usize, i: usize| x[l].oracle.function == x[i].oracle.function;
    let earlier = move |i: usize| (0..i).rev().find(|&l| is_box(l) && is_one(first, l, i) && is_one(second, l, i));
    (0..pairings.len()).filter(move |&i| is_box(i)).filter_map(move |i| Some((earlier(i)?, i)))
}

/// Whether one oracle can stand for the other as it is.
pub fn is_alike(a: &Oracle, b: &Oracle) -> bool {
    ways(a, b).iter().any(|w| *w != Pairing::Lft)
}

/// How two oracles could be the same.
fn ways(a: &Oracle, b: &Oracle) -> Vec<Pairing> {
    use OracleKind::*;
    if a.sample.is_some() != b.sample.is_some() {
        return Vec::new();
    }
    let prox = |o: &Oracle| matches!(o.kind, Prox | Projection | Resolvent);
    let gradient = |o: &Oracle| matches!(o.kind, Gradient | Subdifferential);
    let alike = a.kind == b.kind || (gradient(a) && gradient(b)) || (prox(a) && prox(b));
    let same = alike && a.conjugate == b.conjugate;
    let mut found = Vec::new();
    if same && (a.kind == Projection) != (b.kind == Projection) {
        found.push(Pairing::Stands);
    } else if same {
        found.push(Pairing::Same);
    } else if a.kind == BlackBox || b.kind == BlackBox {
        found.push(Pairing::Stands);
    }
    let boxed = |o: &Oracle| o.kind == BlackBox;
    let base = |o: &Oracle| has_graph(o) || boxed(o);
    // With equal numbers for steps another oracle of the same kind is the same oracle.
    let is_equal = a.step.as_rational().is_some_and(|s| b.step.as_rational() == Some(s));
    if same && a.kind == b.kind && a.kind.has_step() && is_equal {
        return found;
    }
    // Projections are proxes of every step, so a step never separates them.
    if base(a)
        && base(b)
        && !(boxed(a) && boxed(b))
        && !(same && gradient(a))
        && !(a.kind == Projection && b.kind == Projection && same)
    {
        found.push(Pairing::Lft);
    }
    found
}

/// Whether two steps are different numbers.
fn is_other_number(s: &RationalFunction, t: &RationalFunction) -> bool {
    s.as_rational().zip(t.as_rational()).is_some_and(|(s, t)| s != t)
}

fn hypothesis(first: &[Port], second: &[Port], order: &[usize], how: &[Pairing]) -> Hypothesis {
    let pairs: Vec<(&Port, &Port)> = order.iter().enumerate().map(|(i, &j)| (&first[i], &second[j])).collect();
    let renamed = pairs.iter().filter(|(a, b)| a.oracle.function != b.oracle.function).count();
    let lft = how.contains(&Pairing::Lft);
    // Exchanging calls of one oracle, or names that both sides have, is a permutation.
    let crossed = pairs.iter().enumerate().any(|(n, (_, b))| {
        let earlier = || pairs[..n].iter().filter(|(_, c)| c.oracle == b.oracle);
        earlier().any(|(_, c)| c.channel > b.channel)
    });
    let names: Vec<&str> = first.iter().map(|p| p.oracle.function.as_str()).collect();
    let exchanged = pairs
        .iter()
        .any(|(a, b)| a.oracle.function != b.oracle.function && names.contains(&b.oracle.function.as_str()));
    let relation = match (lft, crossed || exchanged) {
        (true, _) => Relation::Lft,
        (false, true) => Relation::Permutation,
        (false, false) => Relation::Oracle,
    };
    let stands = how.iter().filter(|p| **p != Pairing::Same).count();
    let rank = (relation, renamed, stands);
    Hypothesis { order: order.to_vec(), pairings: how.to_vec(), relation, renamed, rank }
}

/// An oracle in its text.
type Declared<'a> = (&'a LinearSystem, &'a Oracle);

/// Whether whatever the one is, the other may be: what the kind or a declaration makes special is an instance of
/// what is general. A projection is the prox of an indicator, every oracle a black box; a resolvent and a prox are
/// two words for one thing, since no calculation tells them apart; a function that is declared linear is one of all
/// functions.
fn covers(one: Declared, other: Declared) -> bool {
    use OracleKind::*;
    let kinds = match (one.1.kind, other.1.kind) {
        (_, BlackBox) => true,
        (BlackBox, _) => false,
        (Projection, _) => true,
        (_, Projection) => false,
        _ => true,
    };
    kinds && lacking(one, other).is_empty()
}

/// What the other is declared to be and the one is not.
fn lacking(one: Declared, other: Declared) -> Vec<FunctionTrait> {
    let traits = |(system, oracle): Declared| system.traits.get(&oracle.function).cloned().unwrap_or_default();
    let ours = traits(one);
    let is_cone = ours.contains(&FunctionTrait::Cone)
        || one.1.kind == OracleKind::Projection
            && (ours.contains(&FunctionTrait::Linear) || ours.contains(&FunctionTrait::Homogeneous));
    let lacks = |t: &FunctionTrait| match t {
        // A linear black box commutes with positive numbers.
        FunctionTrait::Homogeneous if other.1.kind == OracleKind::BlackBox && ours.contains(&FunctionTrait::Linear) => {
            false
        }
        // A subspace is a cone, and the indicator of a cone is homogeneous.
        FunctionTrait::Cone | FunctionTrait::Homogeneous => !ours.contains(t) && !is_cone,
        FunctionTrait::Linear => !ours.contains(t),
    };
    traits(other).into_iter().filter(lacks).collect()
}

impl Hypothesis {
    /// Whether whatever the first's oracles are, the second's may be, and the other way round.
    pub fn admits(&self, first: (&LinearSystem, &[Port]), second: (&LinearSystem, &[Port])) -> Directions {
        let pair = |(i, &j): (usize, &usize)| ((first.0, &first.1[i].oracle), (second.0, &second.1[j].oracle));
        let pairs = || self.order.iter().enumerate().map(pair);
        let covered =
            Directions { forth: pairs().all(|(a, b)| covers(a, b)), back: pairs().all(|(a, b)| covers(b, a)) };
        // Two black boxes that happen to be one are not all there are.
        let two = || pairs().enumerate().flat_map(|(n, x)| pairs().take(n).map(move |y| (x, y)));
        let same = |x: Declared, y: Declared| x.1.function == y.1.function;
        let apart = Directions {
            forth: two().all(|(x, y)| same(x.0, y.0) || !same(x.1, y.1)),
            back: two().all(|(x, y)| same(x.1, y.1) || !same(x.0, y.0)),
        };
        covered.and(apart)
    }

    /// What must be assumed of oracles where neither text's are all instances of the other's: a prox is that of a
    /// declared linear map only if it is linear.
    pub fn assumptions(&self, first: (&LinearSystem, &[Port]), second: (&LinearSystem, &[Port])) -> Vec<Assumption> {
        let pair = |(i, &j): (usize, &usize)| ((first.0, &first.1[i].oracle), (second.0, &second.1[j].oracle));
        let pairs = || self.order.iter().enumerate().map(pair);
        let mut found = Vec::new();
        if pairs().all(|(a, b)| covers(a, b)) || pairs().all(|(a, b)| covers(b, a)) {
            return found;
        }
        for (a, b) in pairs() {
            for (side, one, other) in [(Side::First, a, b), (Side::Second, b, a)] {
                let lacks = lacking(one, other).into_iter();
                found.extend(lacks.map(|t| Assumption::Trait(side, one.1.function.clone(), t)));
            }
        }
        found.dedup();
        found
    }

    /// How a pair of the second's oracle becomes one of the first's, for every channel of the first.
    pub fn matrices(&self, first: &Behavior, second: &Behavior) -> Result<Vec<Matrix<RationalFunction>>, Exhausted> {
        self.matrices_of(&first.ports, &second.ports)
    }

    /// The same for channels alone.
    pub fn matrices_of(&self, first: &[Port], second: &[Port]) -> Result<Vec<Matrix<RationalFunction>>, Exhausted> {
        let pairs = self.order.iter().zip(&self.pairings).enumerate();
        pairs.map(|(i, (&j, how))| how.matrix(&first[i].oracle, &second[j].oracle)).collect()
    }
}

//! What related algorithms have in common, quickly computed: comparing is only worth it where the
//! keys allow a relation.
//!
//! An algorithm is the subspace range [H; I], written in the oracles ∂f. Its Plücker vector, the
//! principal minors of H over their common denominator, says all of it: another oracle of a function
//! is already accounted for, and a time shift multiplies the whole vector by a power of z, which is
//! divided out with all other common factors. A family of algorithms has a linear span of such
//! vectors; an instance of it lies in the span, after multiplication by a polynomial that makes up
//! for the difference of degrees. All this is computed at random points modulo a large prime.

mod plucker;
mod polynomial;
mod span;

use super::behavior::{Port, Side};
use super::conjugates::{self, Renaming};
use super::hypothesis::{Hypothesis, Pairing};
use super::verdict::{Assumption, Directions};
use crate::syntax::ast::OracleKind;
use crate::transfer::Analysis;
use crate::transfer::graph::Special;
use plucker::{Plucker, View};
use span::Span;
use std::cmp::Ordering;
use std::sync::Arc;

/// What is the same for related algorithms, or ordered where one is an instance of the other.
#[derive(Clone, Debug)]
pub struct Key {
    /// How often each function is called, in rising order.
    pub calls: Vec<usize>,
    /// Whether there are numbers that change with the index.
    pub varies: bool,
    /// Every function, and the set of channels that call it.
    functions: Vec<(String, usize)>,
    /// Those functions of which only the conjugate is called.
    conjugates: Vec<String>,
    /// The channels that may stand for oracles of another kind as they are: black boxes, projections.
    stands: usize,
    /// How many operators there are.
    operators: usize,
    /// None where there are too many channels.
    plucker: Option<Arc<Plucker>>,
}

/// With more operators than this any of them may be the identity.
const MAX_OPERATORS: usize = 3;

/// How many iterations with the few calls per function have the many, if more than one.
pub fn repetition(few: &[usize], many: &[usize]) -> Option<usize> {
    let times = many.first()?.checked_div(*few.first()?)?;
    let fits = few.len() == many.len() && few.iter().zip(many).all(|(x, y)| x * times == *y);
    (times > 1 && fits).then_some(times)
}

impl Key {
    /// The key of a family. Numbers that change with the index are taken as constants: what holds
    /// for all sequences holds for constant ones, so `frozen` is the text read in that way.
    pub fn new(frozen: &Analysis, varies: bool) -> Key {
        let mut names: Vec<&str> = Vec::new();
        frozen.channels.iter().map(|c| c.oracle.function.as_str()).for_each(|f| {
            if !names.contains(&f) {
                names.push(f);
            }
        });
        let calling = |f: &str| frozen.channels.iter().map(move |c| c.oracle.function == *f).collect::<Vec<_>>();
        let mut calls: Vec<usize> = names.iter().map(|f| calling(f).into_iter().filter(|own| *own).count()).collect();
        calls.sort_unstable();
        let functions = names.iter().map(|f| (f.to_string(), set_of(calling(f).into_iter()))).collect();
        let stands = |kind| matches!(kind, OracleKind::BlackBox | OracleKind::Projection | OracleKind::Argmin);
        Key {
            calls,
            varies,
            functions,
            conjugates: conjugates::called(frozen),
            stands: set_of(frozen.channels.iter().map(|c| stands(c.oracle.kind))),
            operators: frozen.system.operators.len(),
            plucker: Plucker::new(frozen).map(Arc::new),
        }
    }

    /// The same with numbers that change with the index taken as constants.
    pub fn frozen(&self) -> Key {
        Key { varies: false, ..self.clone() }
    }

    /// The place of the function that a channel calls.
    fn function(&self, channel: usize) -> Option<usize> {
        self.functions.iter().position(|(_, set)| set >> channel & 1 == 1)
    }

    /// The calls that are left without those of one function.
    fn calls_without(&self, set: usize) -> Vec<usize> {
        let mut calls = self.calls.clone();
        if let Some(at) = calls.iter().position(|c| *c == set.count_ones() as usize) {
            calls.remove(at);
        }
        calls
    }

    /// The keys with such calls that it has where two of its functions are the same.
    fn identified(&self, calls: &[usize]) -> impl Iterator<Item = Key> {
        let pairs = (0..self.functions.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
        pairs.filter_map(move |[i, j]| {
            let union = self.functions[i].1 | self.functions[j].1;
            let set = |n: usize| if n == i { union } else { self.functions[n].1 };
            let rest = || (0..self.functions.len()).filter(|n| *n != j);
            let mut found: Vec<usize> = rest().map(|n| set(n).count_ones() as usize).collect();
            found.sort_unstable();
            let functions = || rest().map(|n| (self.functions[n].0.clone(), set(n))).collect();
            (found == calls).then(|| Key { calls: found, functions: functions(), ..self.clone() })
        })
    }

    /// The sets of operators that may be the identity; nothing if there are too many.
    fn identities(&self, identity: bool) -> Option<std::ops::Range<usize>> {
        match identity {
            false => Some(0..1),
            true => (self.operators <= MAX_OPERATORS).then(|| 0..1 << self.operators),
        }
    }

    /// All oracles reduced to ∂f.
    fn reduced(&self) -> Option<Arc<Span>> {
        let plucker = self.plucker.as_ref()?;
        plucker.span(View::reduced(plucker.channels(), 0, None))
    }

    /// What changes with the index is no instance of what does not.
    fn may_vary(&self, other: &Key) -> Directions {
        Directions { forth: other.varies || !self.varies, back: self.varies || !other.varies }
    }
}

/// A set as a number; only the first channels count, as more have no spans.
fn set_of(members: impl Iterator<Item = bool>) -> usize {
    members.take(usize::BITS as usize).enumerate().filter(|(_, is_in)| *is_in).map(|(i, _)| 1 << i).sum()
}

/// Which of two families may lie in the other's span, channel i of the first being `order[i]` of the second, besides
/// what is known; nothing if none of their vectors are known.
fn between(
    known: Directions,
    (x, first): (&Plucker, View),
    (y, second): (&Plucker, View),
    order: &[usize],
) -> Option<Directions> {
    let (one, other) = (x.point(first)?, y.point(second)?);
    let mut found = known;
    // What is of higher degree lies in no span, which need not be known then.
    if !known.forth && one.degree <= other.degree {
        found.forth = one.may_lie_in(&*y.span(second)?, order);
    }
    if !known.back && other.degree <= one.degree {
        let mut inverse = vec![0; order.len()];
        order.iter().enumerate().for_each(|(i, &j)| inverse[j] = i);
        found.back = other.may_lie_in(&*x.span(first)?, &inverse);
    }
    Some(found)
}

/// What two keys say of the relations of their families.
#[derive(Copy, Clone, Debug)]
pub struct Sieve<'a> {
    /// The first's.
    pub first: &'a Key,
    /// The second's.
    pub second: &'a Key,
    /// The channels of each whose functions are read as conjugates.
    conjugate: [usize; 2],
}

/// A function of a side, special.
pub type Closed<'a> = (Side, &'a str, Special);

impl<'a> Sieve<'a> {
    /// Of two keys.
    pub fn new(first: &'a Key, second: &'a Key) -> Sieve<'a> {
        Sieve { first, second, conjugate: [0; 2] }
    }

    /// The same where functions of which one side calls the conjugate only are functions of the other.
    pub fn renamed(self, renaming: &Renaming) -> Sieve<'a> {
        let key = self.key(renaming.side);
        let is_renamed = |f: &String| renaming.functions.contains(f);
        let set = key.functions.iter().filter(|(f, _)| is_renamed(f)).map(|(_, set)| set).sum();
        let mut conjugate = self.conjugate;
        conjugate[usize::from(renaming.side == Side::Second)] = set;
        Sieve { conjugate, ..self }
    }

    /// Whether one may be the other where functions are named so.
    pub fn any_renamed(&self) -> bool {
        let all = conjugates::renamings([&self.first.conjugates, &self.second.conjugates]);
        self.first.calls == self.second.calls && all.iter().any(|r| self.renamed(r).plain().any())
    }

    fn key(&self, side: Side) -> &'a Key {
        if side == Side::First { self.first } else { self.second }
    }

    /// Which family may lie in the other, in any oracles, where a function may be special and operators
    /// the identity, besides what is known and as far as `enough` asks.
    fn directions(
        &self,
        identity: bool,
        closed: Option<Closed>,
        known: Directions,
        enough: fn(Directions) -> bool,
    ) -> Directions {
        let (Some(x), Some(y)) = (&self.first.plucker, &self.second.plucker) else {
            return Directions::ALL;
        };
        let set = |side: Side| {
            let (_, f, special) = closed.filter(|c| c.0 == side)?;
            let (_, set) = self.key(side).functions.iter().find(|(g, _)| g == f)?;
            Some((*set, special))
        };
        let [mine, others] = self.conjugate;
        let views = [
            View { conjugate: mine, ..View::reduced(x.channels(), 0, set(Side::First)) },
            View { conjugate: others, ..View::reduced(y.channels(), 0, set(Side::Second)) },
        ];
        let (own, theirs) = (views[0].open(x.channels()), views[1].open(y.channels()));
        if own.len() != theirs.len() {
            return Directions::default();
        }
        let is_consistent = |order: &Vec<usize>| {
            let pair = |(k, &o): (usize, &usize)| (self.first.function(own[k]), self.second.function(theirs[o]));
            let pairs: Vec<_> = order.iter().enumerate().map(pair).collect();
            pairs.iter().all(|(f, g)| pairs.iter().all(|(h, i)| (f == h) == (g == i)))
        };
        let orders: Vec<Vec<usize>> = span::permutations(own.len()).into_iter().filter(is_consistent).collect();
        self.over(identity, enough, &|[i, j]| {
            let mut found = known;
            for order in &orders {
                // Where a call stands for another one as it is, each pair on its own is reduced or not.
                let stands = |k: &usize| {
                    let (k, o) = (own[*k], theirs[order[*k]]);
                    (self.first.stands >> k | self.second.stands >> o) & (x.bent >> k | y.bent >> o) & 1 == 1
                };
                let free: Vec<usize> = (0..own.len()).filter(stands).collect();
                for reading in 0..1usize << free.len() {
                    let is_written =
                        |k: &usize| free.iter().position(|f| f == k).is_some_and(|n| reading >> n & 1 == 1);
                    let reduced = (0..own.len()).filter(|k| !is_written(k));
                    let view = views[0].reducing(reduced.clone().map(|k| own[k]));
                    let other = views[1].reducing(reduced.map(|k| theirs[order[k]]));
                    let views = [View { identity: i, ..view }, View { identity: j, ..other }];
                    found = between(found, (x, views[0]), (y, views[1]), order)?;
                    if enough(found) {
                        return Some(found);
                    }
                }
            }
            Some(found)
        })
    }

    /// What is possible when some operators are the identity; all that is not known is.
    fn over(
        &self,
        identity: bool,
        enough: fn(Directions) -> bool,
        directions: &dyn Fn([usize; 2]) -> Option<Directions>,
    ) -> Directions {
        let (Some(first), Some(second)) = (self.first.identities(identity), self.second.identities(identity)) else {
            return Directions::ALL;
        };
        let mut found = Directions::default();
        for which in first.flat_map(|i| second.clone().map(move |j| [i, j])) {
            found = found.or(directions(which).unwrap_or(Directions::ALL));
            if enough(found) {
                break;
            }
        }
        found
    }

    /// Whether one may be an instance of the other, in any oracles.
    pub fn plain(&self) -> Directions {
        self.plainly(Directions::ALL)
    }

    /// The same as far as it is asked.
    fn plainly(&self, asked: Directions) -> Directions {
        let asked = asked.and(self.first.may_vary(self.second));
        if self.first.calls != self.second.calls || !asked.any() {
            return Directions::default();
        }
        let known = Directions { forth: !asked.forth, back: !asked.back };
        self.directions(false, None, known, Directions::all).and(asked)
    }

    /// The same where one of the two is so many iterations taken as one.
    pub fn repeated(&self, side: Side, times: usize) -> Directions {
        let single = self.key(side.other());
        let functions: Vec<usize> = single.functions.iter().map(|(_, set)| *set).collect();
        // Iterations are all alike, and so are the calls of what lies in them.
        let alike = single.reduced().is_none_or(|s| s.may_repeat(times, &functions));
        self.plainly(match side {
            Side::First => Directions { forth: true, back: alike },
            Side::Second => Directions { forth: alike, back: true },
        })
    }

    /// Whether one may be the other for conjugate functions.
    pub fn dual(&self) -> bool {
        if self.first.calls != self.second.calls {
            return false;
        }
        let (Some(x), Some(y)) = (self.first.reduced(), self.second.reduced()) else {
            return false;
        };
        // A projection has any step, so that its pairs may also be scaled.
        let scaled = self.first.stands | self.second.stands != 0 && x.degree == y.degree;
        scaled || x.may_be_dual_of(&y) || y.may_be_dual_of(&x)
    }

    /// Whether one may be the other where operators are the identity.
    pub fn identity(&self) -> bool {
        self.first.calls == self.second.calls
            && self.first.operators + self.second.operators > 0
            && self.directions(true, None, Directions::default(), Directions::any).any()
    }

    /// Whether one may be the other where a function is special.
    pub fn special(&self, closed: Closed) -> bool {
        let (side, f, _) = closed;
        let (own, other) = (self.key(side), self.key(side.other()));
        let Some((_, set)) = own.functions.iter().find(|(g, _)| g == f) else {
            return false;
        };
        own.functions.len() > 1
            && own.calls_without(*set) == other.calls
            && self.directions(true, Some(closed), Directions::default(), Directions::any).any()
    }

    /// Whether any function may be special.
    pub fn any_special(&self) -> bool {
        [Side::First, Side::Second].into_iter().any(|side| {
            let functions = self.key(side).functions.iter();
            let closed =
                functions.flat_map(|(f, _)| [Special::Zero, Special::IndicatorOfZero].map(|s| (side, f.as_str(), s)));
            closed.into_iter().any(|closed| self.special(closed))
        })
    }

    /// Whether one may be the other where two functions of the side that has one more are the same.
    pub fn identified(&self) -> bool {
        let Sieve { first, second, .. } = *self;
        match first.functions.len().cmp(&second.functions.len()) {
            Ordering::Greater => first.identified(&second.calls).any(|first| Sieve::new(&first, second).plain().any()),
            Ordering::Less => second.identified(&first.calls).any(|second| Sieve::new(first, &second).plain().any()),
            Ordering::Equal => false,
        }
    }

    /// Which family may lie in the other when channels are paired in this way, other channels are those
    /// of special functions, and some operators of both are the identity; as far as it is asked.
    pub fn admits(
        &self,
        asked: Directions,
        ports: [&[Port]; 2],
        hypothesis: &Hypothesis,
        assumptions: &[Assumption],
        identity: [usize; 2],
    ) -> Directions {
        let (Some(x), Some(y)) = (&self.first.plucker, &self.second.plucker) else {
            return Directions::ALL;
        };
        let mut views = [View::default(); 2];
        for assumption in assumptions {
            let Assumption::Function(side, f, special) = assumption else { return Directions::ALL };
            let set: usize = self.key(*side).functions.iter().filter(|(g, _)| g == f).map(|(_, set)| set).sum();
            let view = &mut views[usize::from(*side == Side::Second)];
            match special {
                Special::Zero => view.zero |= set,
                Special::IndicatorOfZero => view.indicator |= set,
            }
        }
        let place = |ports: &[Port], i: usize| ports.iter().filter(|p| p.channel < ports[i].channel).count();
        let mut order = vec![0; ports[0].len()];
        for (i, (&j, how)) in hypothesis.order.iter().zip(&hypothesis.pairings).enumerate() {
            if *how == Pairing::Lft {
                views[0].reduced |= 1 << ports[0][i].channel;
                views[1].reduced |= 1 << ports[1][j].channel;
            }
            order[place(ports[0], i)] = place(ports[1], j);
        }
        let views = [0, 1].map(|i| View { identity: identity[i], conjugate: self.conjugate[i], ..views[i] });
        let known = Directions { forth: !asked.forth, back: !asked.back };
        between(known, (x, views[0]), (y, views[1]), &order).unwrap_or(Directions::ALL).and(asked)
    }
}

impl Key {
    /// How far the degrees in z are apart.
    pub fn degrees_apart(&self, other: &Key) -> usize {
        let degree = |k: &Key| k.reduced().map_or(0, |s| s.degree);
        degree(self).abs_diff(degree(other))
    }

    /// What a parameter-free algorithm has in common with those that it equals, in any oracles, as it is
    /// or where a function is special; nothing if it has parameters or calls that stand for others.
    pub fn names(&self) -> Option<Vec<Vec<u64>>> {
        let plucker = self.plucker.as_ref().filter(|_| self.stands == 0)?;
        let reduced = self.reduced().filter(|s| s.is_point())?;
        let mut found = vec![reduced.name()];
        if self.functions.len() > 1 {
            let special = [Special::Zero, Special::IndicatorOfZero];
            for closed in self.functions.iter().flat_map(|(_, set)| special.map(|s| (*set, s))) {
                let span = plucker.span(View::reduced(plucker.channels(), 0, Some(closed)));
                found.extend(span.filter(|s| s.is_point()).map(|s| s.name()));
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// The names that it has for conjugate functions.
    pub fn dual_names(&self) -> Vec<Vec<u64>> {
        let span = self.reduced().filter(|s| s.channels > 0);
        span.iter().flat_map(|s| (0..1usize << s.channels).map(|signs| s.dual(signs).name())).collect()
    }
}

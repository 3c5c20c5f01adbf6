//! Calls that carry a sample, ∇f(x[k]; ξ[k]), are calls along one path: they are the same only where the samples
//! are. Which samples of the one text are which of the other follows from the pairs of calls.

use super::anchor::Anchors;
use super::behavior::Side;
use super::verdict::{Assumption, Directions, SampleMap};
use crate::transfer::{Analysis, Timing};
use linnaeus_algebra::{SortedMap, SortedSet};

/// How the samples of two texts hang together.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Which may be chosen as the other has them: one sample that is used twice is not two samples.
    pub directions: Directions,
    /// By how much all calls are moved further than the shift says, so that samples stay where they are.
    pub begins: i64,
    maps: Vec<SampleMap>,
}

impl Paths {
    /// Of texts without samples.
    pub fn none() -> Paths {
        Paths { directions: Directions::ALL, begins: 0, maps: Vec::new() }
    }

    /// What must be said: samples of another name, or at another time.
    pub fn assumptions(&self) -> impl Iterator<Item = Assumption> {
        let told = |m: &&SampleMap| m.first != m.second || m.by != 0 || m.every.is_some();
        self.maps.iter().filter(told).cloned().map(Assumption::Sample)
    }

    /// Whether samples of one name are not the same at the same time.
    pub fn are_moved(&self) -> bool {
        self.assumptions().any(|a| a.is_condition())
    }
}

/// Where counting begins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// Where the shift says.
    Shift,
    /// Where calls have the same index, or the shift says.
    Calls,
}

/// The samples of pairs of channels, each moved by its shift; nothing if two samples of one path would have to be one.
pub fn paths(
    first: &Analysis,
    second: &Analysis,
    pairs: &[(usize, usize)],
    shift: &[i64],
    count: Count,
) -> Option<Paths> {
    let sampled = |x: &Analysis| x.channels.iter().any(|c| c.oracle.sample.is_some());
    if !sampled(first) || !sampled(second) {
        return Some(Paths::none());
    }
    if let Some(every) = repeated(first, second) {
        return paths_of_several(first, second, pairs, shift, every);
    }
    let mut found = Paths::none();
    let mut maps = SortedSet::new();
    for (&(i, j), m) in pairs.iter().zip(shift) {
        let (Some((ours, a)), Some((theirs, b))) = (sample(first, i), sample(second, j)) else { continue };
        let by = a.zip(b).map(|(a, b)| m - (b - a));
        // A sample that never changes is one of those that may.
        found.directions.forth &= a.is_none() || b.is_some();
        found.directions.back &= b.is_none() || a.is_some();
        maps.insert((ours, theirs, by));
    }
    let begins = match count {
        Count::Shift => 0,
        Count::Calls => {
            let mut counted = Anchors::new(first, second, pairs).counted(shift);
            // Some call may also be made at the same time in both.
            counted.extend(shift.iter().map(|m| -m).chain([0]));
            let moved = |c: &i64| {
                maps.iter().filter(|(ours, theirs, by)| ours == theirs && by.is_some_and(|by| by + c != 0)).count()
            };
            counted.into_iter().min_by_key(|c| (moved(c), c.abs())).unwrap_or(0)
        }
    };
    let map = |(first, second, by): (String, String, Option<i64>)| SampleMap {
        first,
        second,
        by: by.map_or(0, |by| by + begins),
        every: None,
    };
    found.begins = begins;
    found.maps = maps.into_iter().map(map).collect();
    if !is_consistent(&found.maps) {
        return None;
    }
    let ways = |own: &dyn Fn(&SampleMap) -> String| {
        let mut count: SortedMap<String, usize> = SortedMap::new();
        found.maps.iter().for_each(|m| *count.entry(own(m)).or_default() += 1);
        count.into_values().all(|n| n == 1)
    };
    let (forth, back) = (ways(&|m| m.second.clone()), ways(&|m| m.first.clone()));
    found.directions = found.directions.and(Directions { forth, back });
    Some(found)
}

/// How many iterations taken as one make the call of a channel, and which of them it is in.
fn iteration(x: &Analysis, channel: usize) -> (usize, usize) {
    let own = x.channels.get(channel).map(|c| c.call);
    let alike = |n: usize| x.channels[..n].iter().filter(|c| Some(c.call) == own).count();
    (alike(x.channels.len()), alike(channel.min(x.channels.len())))
}

/// The side of which several iterations are taken as one, and how many.
fn repeated(first: &Analysis, second: &Analysis) -> Option<(Side, usize)> {
    let sides = [(Side::First, first), (Side::Second, second)];
    let most = |x: &Analysis| (0..x.channels.len()).map(|i| iteration(x, i).0).max().unwrap_or(0);
    sides.into_iter().map(|(side, x)| (side, most(x))).find(|(_, n)| *n > 1)
}

/// The same where several iterations of a side are taken as one: each sample of the other is one of those of a path, and
/// no two of them are the same.
fn paths_of_several(
    first: &Analysis,
    second: &Analysis,
    pairs: &[(usize, usize)],
    shift: &[i64],
    (side, n): (Side, usize),
) -> Option<Paths> {
    let mut maps = SortedSet::new();
    for (&(i, j), m) in pairs.iter().zip(shift) {
        let (Some((ours, a)), Some((theirs, b))) = (sample(first, i), sample(second, j)) else { continue };
        let (a, b, n) = (a?, b?, n as i64);
        let by = match side {
            Side::First => n * (m - b) + iteration(first, i).1 as i64 + a,
            Side::Second => n * (-m - a) + iteration(second, j).1 as i64 + b,
        };
        maps.insert(SampleMap { first: ours, second: theirs, by, every: Some((side, n as usize)) });
    }
    let own = |m: &SampleMap| if side == Side::First { m.second.clone() } else { m.first.clone() };
    let path = |m: &SampleMap| {
        let name = if side == Side::First { &m.first } else { &m.second };
        (name.clone(), m.by.rem_euclid(n as i64))
    };
    let names: SortedSet<String> = maps.iter().map(own).collect();
    let places: SortedSet<(String, i64)> = maps.iter().map(path).collect();
    let is_one_to_one = names.len() == maps.len() && places.len() == maps.len();
    is_one_to_one.then(|| Paths { maps: maps.into_iter().collect(), ..Paths::none() })
}

/// The sample of a channel: its name, and the offset of its index in the iteration that makes the call.
fn sample(x: &Analysis, channel: usize) -> Option<(String, Option<i64>)> {
    let call = &x.system.calls[x.channels[channel % x.channels.len()].call];
    let sample = call.sample.as_ref()?;
    let moved = Timing::new(&x.system).map_or(0, |t| i64::from(t.moved[call.equation]));
    Some((sample.name.clone(), sample.index.as_ref().map(|i| i.halves / 2 + moved)))
}

/// Whether no sample would have to be the one before it: going round a cycle of names leads back to the same time.
fn is_consistent(maps: &[SampleMap]) -> bool {
    let mut time: SortedMap<(bool, &str), i64> = SortedMap::new();
    for start in maps {
        time.entry((true, &start.first)).or_insert(0);
        for _ in 0..maps.len() {
            for m in maps {
                let (ours, theirs) = ((true, m.first.as_str()), (false, m.second.as_str()));
                match (time.get(&ours).copied(), time.get(&theirs).copied()) {
                    (Some(t), None) => drop(time.insert(theirs, t - m.by)),
                    (None, Some(t)) => drop(time.insert(ours, t + m.by)),
                    (Some(s), Some(t)) if s - m.by != t => return false,
                    _ => {}
                }
            }
        }
    }
    true
}

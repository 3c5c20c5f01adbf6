//! How many numbers may be chosen in a span of time: a family in which more may be chosen than in another does
//! not lie in it.

use super::equations::Sequences;
use super::reading::Search;
use super::solving::FEW_LAGS;
use crate::prime_field::{Dense, PRIME, Stream, add, multiply};
use crate::relation::behavior::Side;
use crate::system::schedule::{Motion, scheduled};
use linnaeus_algebra::{Exhausted, RationalFunction, SortedMap, SortedSet, Variable, spend};

/// So many more iterations are looked at than numbers that do not change.
const MARGIN: usize = 8;

/// A value modulo the prime, and how it changes with the numbers that may be chosen.
type Tangent = (u64, Vec<u64>);

impl Search<'_> {
    /// Whether more numbers may be chosen on the side that is given than on the other, so that not all of the
    /// one lies in the other. In a span of time the other has so many numbers, and the rank of the given
    /// side's derivatives, at a random point, is never too large.
    pub(super) fn is_larger(&self, both: &Sequences, given: Side) -> Result<bool, Exhausted> {
        let (ours, theirs) = (self.own(given, is_free), self.own(given.other(), is_free));
        if theirs.len() >= ours.len() {
            return Ok(false);
        }
        let (x, y) = if given == Side::First { (both.x, &both.y) } else { (&both.y, both.x) };
        let spread = both.shift.iter().map(|m| m.unsigned_abs() as usize).max().unwrap_or(0);
        let mut entries: SortedSet<RationalFunction> = SortedSet::new();
        for count in 1..=both.length {
            let depends = |c: &RationalFunction| offsets(c.variables(), &ours).is_some();
            entries.extend(x.coefficients(count - 1..count)?.into_iter().filter(depends));
            // The first that depend on what may be chosen, and a few more, usually say it all.
            if entries.is_empty() {
                continue;
            }
            // The other's numbers: those that do not change, and one for each time that is spoken of.
            let reach = count + 2 * spread;
            let symbols = y.coefficients(0..reach)?;
            let symbols = symbols.iter().flat_map(RationalFunction::variables);
            let (first, last) = offsets(symbols, &theirs).unwrap_or((0, 0));
            let sought = if given == Side::First { self.b } else { self.a };
            let still = sought.parameters.len() + self.operators.unknowns().len() + self.scales().len();
            let still = still + self.own(given.other(), |m| !is_free(m)).len();
            let width = reach + (last - first) as usize + 1;
            let times = still + theirs.len() * width + MARGIN;
            let bound = still + theirs.len() * (times + width);
            if self.rank(&entries, &ours, times)?.is_some_and(|rank| rank > bound) {
                return Ok(true);
            }
            if count > FEW_LAGS {
                break;
            }
        }
        Ok(false)
    }

    /// The sequences of one side only that move in such a way.
    fn own(&self, side: Side, moves: impl Fn(&Motion) -> bool) -> SortedSet<usize> {
        let unknown = self.matching.unknown(side, self.first.system.schedules.list.len());
        unknown.into_iter().filter(|j| moves(&self.matching.joint.list[*j].motion)).collect()
    }

    /// On how many numbers, of those that may be chosen, values at so many times depend; nothing where functions
    /// are met.
    fn rank(
        &self,
        values: &SortedSet<RationalFunction>,
        ours: &SortedSet<usize>,
        times: usize,
    ) -> Result<Option<usize>, Exhausted> {
        let symbols = || values.iter().flat_map(RationalFunction::variables);
        let all = symbols().filter_map(scheduled).map(|(_, offset)| offset);
        let (first, last) = (all.clone().min().unwrap_or(0), all.max().unwrap_or(0));
        let width = (last - first) as usize + times;
        let columns = |j: usize, at: i64| {
            let place = ours.iter().position(|n| *n == j)?;
            Some(place * width + (at - first) as usize)
        };
        let mut course =
            Course { search: self, first, columns: &columns, cols: ours.len() * width, known: SortedMap::new() };
        let mut rows = Vec::new();
        for value in values {
            let slopes = value.variables().into_iter().map(|v| Ok((v, value.derivative(v)?)));
            let slopes: Vec<(Variable, RationalFunction)> = slopes.collect::<Result<_, Exhausted>>()?;
            for time in 0..times as i64 {
                match course.along(value, &slopes, time)? {
                    Some((_, row)) => rows.push(row),
                    None => return Ok(None),
                }
            }
        }
        let cols = course.cols;
        Dense { rows, cols }.rank().map(Some)
    }
}

fn is_free(motion: &Motion) -> bool {
    *motion == Motion::Free
}

/// The first and the last time at which such sequences are spoken of.
fn offsets(symbols: impl IntoIterator<Item = Variable>, of: &SortedSet<usize>) -> Option<(i64, i64)> {
    let found = symbols.into_iter().filter_map(scheduled).filter(|(j, _)| of.contains(j)).map(|(_, offset)| offset);
    found.fold(None, |span, o| Some(span.map_or((o, o), |(a, b): (i64, i64)| (a.min(o), b.max(o)))))
}

/// Random numbers at all times, and how they depend on those that may be chosen.
struct Course<'a> {
    search: &'a Search<'a>,
    /// Where recursions start.
    first: i64,
    /// The column of a number that may be chosen.
    columns: &'a dyn Fn(usize, i64) -> Option<usize>,
    cols: usize,
    known: SortedMap<(usize, i64), Tangent>,
}

impl Course<'_> {
    /// A function of sequences, moved in time.
    fn along(
        &mut self,
        value: &RationalFunction,
        slopes: &[(Variable, RationalFunction)],
        time: i64,
    ) -> Result<Option<Tangent>, Exhausted> {
        spend((value.numerator().terms().count() * (slopes.len() + 1) + self.cols) as u64)?;
        let mut there: SortedMap<Variable, u64> = SortedMap::new();
        let mut moves: SortedMap<Variable, Vec<u64>> = SortedMap::new();
        for v in value.variables() {
            let Some((number, tangent)) = self.symbol(v, time)? else { return Ok(None) };
            there.insert(v, number);
            moves.insert(v, tangent);
        }
        let at = |r: &RationalFunction| r.evaluate_mod(&|v| there.get(&v).copied().unwrap_or(0), PRIME);
        let Some(number) = at(value) else { return Ok(None) };
        let mut tangent = vec![0; self.cols];
        for (v, slope) in slopes {
            let Some(slope) = at(slope) else { return Ok(None) };
            tangent.iter_mut().zip(&moves[v]).for_each(|(x, m)| *x = add(*x, multiply(slope, *m)));
        }
        Ok(Some((number, tangent)))
    }

    fn symbol(&mut self, v: Variable, time: i64) -> Result<Option<Tangent>, Exhausted> {
        let list = &self.search.matching.joint.list;
        let Some((j, offset)) = scheduled(v) else { return Ok(Some((random(u64::from(v.0), 0), vec![0; self.cols]))) };
        let at = offset + time;
        if let Some(known) = self.known.get(&(j, at)) {
            return Ok(Some(known.clone()));
        }
        let found = match &list[j].motion {
            Motion::Free => {
                let mut tangent = vec![0; self.cols];
                if let Some(column) = (self.columns)(j, at) {
                    tangent[column] = 1;
                }
                (random(j as u64, at as u64), tangent)
            }
            Motion::Recursion(_) if at <= self.first => (random(j as u64, at as u64), vec![0; self.cols]),
            Motion::Recursion(next) => {
                let slopes = next.variables().into_iter().map(|v| Ok((v, next.derivative(v)?)));
                let slopes: Vec<(Variable, RationalFunction)> = slopes.collect::<Result<_, Exhausted>>()?;
                match self.along(next, &slopes, at - 1)? {
                    Some(found) => found,
                    None => return Ok(None),
                }
            }
            Motion::Clock => (random(j as u64, 0).wrapping_add(time as u64) % PRIME, vec![0; self.cols]),
            Motion::Power(_) | Motion::Function(..) => return Ok(None),
        };
        self.known.insert((j, at), found.clone());
        Ok(Some(found))
    }
}

/// A random number for a symbol at a time.
fn random(symbol: u64, time: u64) -> u64 {
    Stream::new((symbol << 24) ^ time.wrapping_mul(0x9e37_79b9)).next()
}

//! Maps and sets that keep their keys in order, as [`std::collections::BTreeMap`] does, in one vector.
//!
//! The maps of this project are small, and there are a hundred types of them. Every type gets a
//! copy of the code, and that of a vector is much shorter than that of a tree. An insertion moves what comes after the key: a map of
//! very many keys that do not come in order should be a tree.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{Bound, Index, RangeBounds};

/// Keys with their values; the keys are strictly ascending, so that equality is `==`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> SortedMap<K, V> {
    /// No key.
    pub const fn new() -> SortedMap<K, V> {
        SortedMap { entries: Vec::new() }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Keys and values, in order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.entries.iter().map(pair)
    }

    /// Keys and values, in order; the values may be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        self.entries.iter_mut().map(pair_mut)
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(k, _)| k)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(_, v)| v)
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.entries.iter_mut().map(|(_, v)| v)
    }

    /// The keys, in order.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.entries.into_iter().map(|(k, _)| k)
    }

    /// The values, in the order of their keys.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.entries.into_iter().map(|(_, v)| v)
    }

    /// The smallest key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.entries.first().map(pair)
    }

    /// The largest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.entries.last().map(pair)
    }

    /// Takes the smallest key out.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        if self.is_empty() { None } else { Some(self.entries.remove(0)) }
    }

    /// Takes the largest key out.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.entries.pop()
    }

    /// Keeps what is wanted.
    pub fn retain(&mut self, mut wanted: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(k, v)| wanted(k, v));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Where the key is, or where it belongs.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.entries.binary_search_by(|(k, _)| k.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &self.entries[at].1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &mut self.entries[at].1)
    }

    /// Whether there is the key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Gives a key its value, and returns the one that it had. The key stays the one that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.entries[at].1, value)),
            Err(at) => {
                self.entries.insert(at, (key, value));
                None
            }
        }
    }

    /// Takes a key out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| self.entries.remove(at).1)
    }

    /// A key, there or not.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { place: self.place(&key), map: self, key }
    }

    /// Keys of a range, with their values.
    pub fn range(&self, range: impl RangeBounds<K>) -> Iter<'_, K, V> {
        let start = match range.start_bound() {
            Bound::Included(k) => self.entries.partition_point(|e| e.0 < *k),
            Bound::Excluded(k) => self.entries.partition_point(|e| e.0 <= *k),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(k) => self.entries.partition_point(|e| e.0 <= *k),
            Bound::Excluded(k) => self.entries.partition_point(|e| e.0 < *k),
            Bound::Unbounded => self.len(),
        };
        self.entries[start..end.max(start)].iter().map(pair)
    }
}

type Iter<'a, K, V> = std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;
type IterMut<'a, K, V> = std::iter::Map<std::slice::IterMut<'a, (K, V)>, fn(&'a mut (K, V)) -> (&'a K, &'a mut V)>;

fn pair<K, V>(entry: &(K, V)) -> (&K, &V) {
    (&entry.0, &entry.1)
}

fn pair_mut<K, V>(entry: &mut (K, V)) -> (&K, &mut V) {
    (&entry.0, &mut entry.1)
}

/// A key of a map, there or not.
pub struct Entry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    place: Result<usize, usize>,
    key: K,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// The value of the key, which is made if there is none.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let at = match self.place {
            Ok(at) => at,
            Err(at) => {
                self.map.entries.insert(at, (self.key, value()));
                at
            }
        };
        &mut self.map.entries[at].1
    }

    /// The value of the key, which is `value` if it had none.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value of the key, the default one if it had none.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value if there is one.
    #[must_use]
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(at) = self.place {
            change(&mut self.map.entries[at].1);
        }
        self
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the map has the key")
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        entries.into_iter().for_each(|(k, v)| {
            self.insert(k, v);
        });
    }
}

impl<'a, K: Ord + Copy, V: Copy> Extend<(&'a K, &'a V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (&'a K, &'a V)>>(&mut self, entries: I) {
        self.extend(entries.into_iter().map(|(k, v)| (*k, *v)));
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = SortedMap::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut SortedMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// Keys, strictly ascending, so that equality is `==`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T> {
    keys: Vec<T>,
}

impl<T> SortedSet<T> {
    /// No key.
    pub const fn new() -> SortedSet<T> {
        SortedSet { keys: Vec::new() }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// The keys, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.keys.iter()
    }

    /// The smallest key.
    pub fn first(&self) -> Option<&T> {
        self.keys.first()
    }

    /// The largest key.
    pub fn last(&self) -> Option<&T> {
        self.keys.last()
    }

    /// Takes the smallest key out.
    pub fn pop_first(&mut self) -> Option<T> {
        if self.is_empty() { None } else { Some(self.keys.remove(0)) }
    }

    /// Takes the largest key out.
    pub fn pop_last(&mut self) -> Option<T> {
        self.keys.pop()
    }

    /// Keeps what is wanted.
    pub fn retain(&mut self, wanted: impl FnMut(&T) -> bool) {
        self.keys.retain(wanted);
    }
}

impl<T: Ord> SortedSet<T> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        self.keys.binary_search_by(|k| k.borrow().cmp(key))
    }

    /// Whether there is the key.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// The key that equals this one.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &self.keys[at])
    }

    /// Puts a key in; whether it is new.
    pub fn insert(&mut self, key: T) -> bool {
        let place = self.place(&key);
        if let Err(at) = place {
            self.keys.insert(at, key);
        }
        place.is_err()
    }

    /// Takes a key out; whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.take(key).is_some()
    }

    /// Takes a key out.
    pub fn take<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<T>
    where
        T: Borrow<Q>,
    {
        self.place(key).ok().map(|at| self.keys.remove(at))
    }

    /// The keys that the other has not.
    pub fn difference<'a>(&'a self, other: &'a SortedSet<T>) -> impl Iterator<Item = &'a T> + Clone {
        self.iter().filter(|k| !other.contains(*k))
    }

    /// The keys that the other has too.
    pub fn intersection<'a>(&'a self, other: &'a SortedSet<T>) -> impl Iterator<Item = &'a T> + Clone {
        self.iter().filter(|k| other.contains(*k))
    }

    /// The keys of both, in order.
    pub fn union<'a>(&'a self, other: &'a SortedSet<T>) -> impl Iterator<Item = &'a T> {
        let all: SortedSet<&T> = self.iter().chain(other).collect();
        all.into_iter()
    }

    /// Whether the other has all keys.
    pub fn is_subset(&self, other: &SortedSet<T>) -> bool {
        self.iter().all(|k| other.contains(k))
    }

    /// Whether all keys of the other are here.
    pub fn is_superset(&self, other: &SortedSet<T>) -> bool {
        other.is_subset(self)
    }

    /// Whether no key is in both.
    pub fn is_disjoint(&self, other: &SortedSet<T>) -> bool {
        self.intersection(other).next().is_none()
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        SortedSet::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, keys: I) {
        keys.into_iter().for_each(|k| {
            self.insert(k);
        });
    }
}

impl<'a, T: Ord + Copy + 'a> Extend<&'a T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, keys: I) {
        self.extend(keys.into_iter().copied());
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(keys: I) -> Self {
        let mut set = SortedSet::new();
        set.extend(keys);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(keys: [T; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::{SortedMap, SortedSet};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        /// Whatever is done, a tree would hold the same.
        #[test]
        fn as_a_tree(steps in prop::collection::vec((0u8..6, 0u8..12, any::<u16>()), 0..60), low in 0u8..12, high in 0u8..12) {
            let (mut map, mut tree) = (SortedMap::new(), BTreeMap::new());
            for (what, key, value) in steps {
                match what {
                    0 => prop_assert_eq!(map.remove(&key), tree.remove(&key)),
                    1 => prop_assert_eq!(map.pop_first(), tree.pop_first()),
                    2 => prop_assert_eq!(map.pop_last(), tree.pop_last()),
                    3 => *map.entry(key).or_default() = *tree.entry(key).and_modify(|v| *v /= 2).or_insert(value),
                    _ => prop_assert_eq!(map.insert(key, value), tree.insert(key, value)),
                }
                prop_assert_eq!(map.get(&key), tree.get(&key));
            }
            prop_assert!(map.iter().eq(&tree));
            prop_assert!(low > high || map.range(low..=high).eq(tree.range(low..=high)));
            prop_assert_eq!(map.first_key_value(), tree.first_key_value());
        }

        #[test]
        fn as_sets(a in prop::collection::vec(0u8..20, 0..20), b in prop::collection::vec(0u8..20, 0..20)) {
            let (s, t): (SortedSet<u8>, SortedSet<u8>) = (a.iter().copied().collect(), b.iter().copied().collect());
            let (a, b): (BTreeSet<u8>, BTreeSet<u8>) = (a.into_iter().collect(), b.into_iter().collect());
            prop_assert!(s.iter().eq(&a));
            prop_assert!(s.union(&t).eq(a.union(&b)));
            prop_assert!(s.difference(&t).eq(a.difference(&b)));
            prop_assert!(s.intersection(&t).eq(a.intersection(&b)));
            prop_assert_eq!(s.is_subset(&t), a.is_subset(&b));
            prop_assert_eq!(s.is_disjoint(&t), a.is_disjoint(&b));
            prop_assert_eq!(s.cmp(&t), a.cmp(&b));
        }
    }
}

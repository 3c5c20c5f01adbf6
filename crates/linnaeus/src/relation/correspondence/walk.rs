//! The search for maps of some operators to words in others.

use super::{BEGINNINGS, Letters, Part, Words, operators};
use crate::operator::{Letter, Word};
use crate::relation::behavior::is_rectangular;
use crate::relation::operators::ends;
use crate::system::LinearSystem;
use linnaeus_algebra::SortedSet;

/// The space of the targets and that of the sources for every end of a word.
pub fn spaces<'a>(
    t: &LinearSystem,
    s: &LinearSystem,
    words: impl Iterator<Item = (&'a usize, &'a Word)>,
) -> SortedSet<(usize, usize)> {
    let mut found = SortedSet::new();
    for (target, word) in words {
        let o = &t.operators[*target];
        if let (Some(last), Some(start)) = (word.first(), word.last()) {
            found.insert((t.spaces.class(o.domain), s.spaces.class(ends(s, *start).0)));
            found.insert((t.spaces.class(o.codomain), s.spaces.class(ends(s, *last).1)));
        }
    }
    found
}

/// Maps of some operators to words in others.
pub struct Walk<'a> {
    pub targets: Part<'a>,
    pub sources: Part<'a>,
    pub free: Vec<usize>,
    pub words: bool,
    pub injective: bool,
}

impl Walk<'_> {
    pub fn all(&self) -> (Vec<Words>, bool) {
        let mut found = Vec::new();
        let mut left = BEGINNINGS;
        let candidates: Vec<Vec<Word>> = self.free.iter().map(|t| self.candidates(*t)).collect();
        self.extend(&candidates, &mut Words::new(), &mut found, &mut left);
        found.sort_by_key(|words| {
            let letters = || words.values().flatten();
            let renamed = |(t, w): &(&usize, &Word)| !self.is_namesake(**t, w);
            (letters().count(), letters().filter(|l| l.adjoint).count(), words.iter().filter(renamed).count())
        });
        (found, left > 0)
    }

    fn extend(&self, candidates: &[Vec<Word>], words: &mut Words, found: &mut Vec<Words>, left: &mut usize) {
        let n = words.len();
        if n == self.free.len() {
            found.push(words.clone());
            return;
        }
        for word in &candidates[n] {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let taken = |w: &Word| w.first().map(|l| l.operator) == word.first().map(|l| l.operator);
            if self.injective && words.values().any(taken) {
                continue;
            }
            words.insert(self.free[n], word.clone());
            if self.is_typed(words) && self.keeps_commuting(words) {
                self.extend(candidates, words, found, left);
            }
            words.remove(&self.free[n]);
        }
    }

    fn is_namesake(&self, target: usize, word: &Word) -> bool {
        let name = &self.targets.system.operators[target].name;
        matches!(word[..], [l] if self.sources.system.operators[l.operator as usize].name == *name)
    }

    /// Letters, then products of two, the ones of the same name and place first. What would bring in
    /// only letters that the sources do not have stands for nothing.
    fn candidates(&self, target: usize) -> Vec<Word> {
        let sources = self.sources.system;
        let letter = |operator: usize, adjoint: bool| Letter {
            class: sources.operators[operator].class,
            operator: operator as u16,
            adjoint,
            inverse: false,
        };
        let mut letters = Vec::new();
        for own in operators(self.sources.possible) {
            letters.push(letter(own, false));
            if !sources.operators[own].symmetric {
                letters.push(letter(own, true));
            }
        }
        letters.sort_by_key(|l| {
            let own = l.operator as usize;
            (l.adjoint, !self.is_namesake(target, &vec![*l]), own != target, own)
        });
        let mut found: Vec<Word> = letters.iter().map(|l| vec![*l]).collect();
        if self.words {
            for x in &letters {
                found.extend(
                    letters
                        .iter()
                        .filter(|y| sources.spaces.same(ends(sources, **y).1, ends(sources, *x).0))
                        .map(|y| vec![*x, *y]),
                );
            }
        }
        let symmetric = self.targets.system.operators[target].symmetric;
        found.retain(|word| {
            let possible = self
                .uses(target)
                .any(|adjoint| word.iter().all(|l| self.sources.possible.contains(&self.sources.turned(*l, adjoint))));
            possible && (!symmetric || self.sources.adjoint(word) == *word)
        });
        found
    }

    /// Terms of the sources' coefficients that lead from where an operator does to where it does.
    pub fn terms(&self, target: usize, spaces: &SortedSet<(usize, usize)>) -> Vec<Word> {
        let (t, s) = (self.targets.system, self.sources.system);
        let o = &t.operators[target];
        let fits = |word: &Word| {
            let (Some(last), Some(start)) = (word.first(), word.last()) else { return false };
            spaces.contains(&(t.spaces.class(o.domain), s.spaces.class(ends(s, *start).0)))
                && spaces.contains(&(t.spaces.class(o.codomain), s.spaces.class(ends(s, *last).1)))
                && (!o.symmetric || self.sources.adjoint(word) == *word)
        };
        let turned = |adjoint: bool| {
            self.sources.terms.iter().map(move |w| if adjoint { self.sources.adjoint(w) } else { w.clone() })
        };
        let mut found: SortedSet<Word> = self.uses(target).flat_map(turned).filter(fits).collect();
        // Some of it may be the identity, which is the empty word.
        if !found.is_empty() && t.spaces.same(o.domain, o.codomain) {
            found.insert(Word::new());
        }
        found.into_iter().collect()
    }

    /// Whether an operator occurs, and whether its adjoint does.
    pub fn uses(&self, target: usize) -> impl Iterator<Item = bool> {
        [false, true].into_iter().filter(move |adjoint| self.targets.possible.contains(&(target, *adjoint)))
    }

    pub fn spaces(&self, words: &Words) -> SortedSet<(usize, usize)> {
        spaces(self.targets.system, self.sources.system, words.iter())
    }

    fn is_typed(&self, words: &Words) -> bool {
        let spaces = self.spaces(words);
        spaces.iter().map(|(t, _)| t).collect::<SortedSet<_>>().len() == spaces.len()
    }

    /// Operators that commute become such.
    fn keeps_commuting(&self, words: &Words) -> bool {
        let class = |t: usize| self.targets.system.operators[t].class;
        let together = |x: &Letter, y: &Letter| x == y || x.class != 0 && x.class == y.class && x.adjoint == y.adjoint;
        words.iter().all(|(t, v)| {
            words.iter().all(|(u, w)| {
                let commute = t == u || v == w || v.iter().all(|x| w.iter().all(|y| together(x, y)));
                class(*t) == 0 || class(*t) != class(*u) || commute
            })
        })
    }

    /// Whether the sources are the targets' as much as the targets are theirs.
    pub fn is_reversible(&self, words: &Words) -> bool {
        let (t, s) = (self.targets.system, self.sources.system);
        let spaces = self.spaces(words);
        let one_to_one = spaces.iter().map(|(_, s)| s).collect::<SortedSet<_>>().len() == spaces.len();
        let own = |word: &Word| match word[..] {
            [l] => Some(l.operator as usize),
            _ => None,
        };
        let images: Option<SortedSet<usize>> = words.values().map(own).collect();
        let Some(images) = images.filter(|i| i.len() == words.len()) else {
            return false;
        };
        let alike = |(x, w): (&usize, &Word)| {
            let o = &s.operators[w[0].operator as usize];
            let p = &t.operators[*x];
            o.symmetric == p.symmetric && is_rectangular(s, o) == is_rectangular(t, p)
        };
        let commuting = words.iter().all(|(x, v)| {
            words.iter().all(|(y, w)| {
                let class = |o: usize| t.operators[o].class;
                let there = v[0].class != 0 && v[0].class == w[0].class;
                x == y || !there || class(*x) != 0 && class(*x) == class(*y)
            })
        });
        one_to_one && commuting && images.len() == operators(self.sources.possible).len() && words.iter().all(alike)
    }

    /// Whether everything that occurs in the sources can come from the targets.
    pub fn reaches(&self, words: &Words) -> bool {
        let mut reached = Letters::new();
        for (target, word) in words {
            for adjoint in self.uses(*target) {
                reached.extend(word.iter().map(|l| self.sources.turned(*l, adjoint)));
            }
        }
        self.sources.certain.is_subset(&reached)
    }

    /// Whether everything that occurs in the targets can come from the sources.
    pub fn is_reached(&self, words: &Words) -> bool {
        self.targets.certain.iter().all(|(target, adjoint)| {
            words
                .get(target)
                .is_some_and(|w| w.iter().all(|l| self.sources.possible.contains(&self.sources.turned(*l, *adjoint))))
        })
    }
}

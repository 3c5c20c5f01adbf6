//! How operators that do not commute can correspond: each of the one side's is a multiple of one of
//! the other's or of its adjoint, or of a product of two where the one side has few. Each family
//! holds for every operator, so that all operators of the general side must be reached.

use super::behavior::{Side, is_rectangular};
use super::operators::{coefficient, ends, product};
use super::verdict::Assumption;
use crate::operator::{Letter, OperatorPolynomial, Word};
use crate::system::{LinearSystem, Space, operator_symbol};
use linnaeus_algebra::{Coefficient, Exhausted, RationalFunction, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// At most this many correspondences of one kind are tried.
const MANY: usize = 400;

/// Beginnings of correspondences that are looked at.
const BEGINNINGS: usize = 20_000;

/// Operators and whether their adjoint is meant.
pub type Letters = BTreeSet<(usize, bool)>;

/// One side's operators.
#[derive(Copy, Clone, Debug)]
pub struct Part<'a> {
    /// The system.
    pub system: &'a LinearSystem,
    /// All that may occur in a coefficient.
    pub possible: &'a Letters,
    /// What does occur.
    pub certain: &'a Letters,
}

/// What is asked of a correspondence, least first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One to one, and nothing is special on either side.
    Bijective,
    /// The operators of one side are special.
    Special,
    /// Some operators are the identity.
    Identity,
}

/// One side's operators in terms of the other's.
#[derive(Clone, Debug)]
pub struct Correspondence {
    /// Whose operators are made of the other's.
    pub side: Side,
    /// Products of the other's, up to factors that are to be found.
    pub words: BTreeMap<usize, Word>,
    /// Whether there are such factors.
    pub factors: bool,
    /// Operators that are the identity.
    pub identity: Vec<(Side, usize)>,
    /// Whether the first may be an instance of the second.
    pub forth: bool,
    /// Whether the second may be an instance of the first.
    pub back: bool,
}

impl Correspondence {
    /// What stands for a letter of a side.
    pub fn image(
        &self,
        side: Side,
        letter: Letter,
        other: &LinearSystem,
    ) -> Result<Option<OperatorPolynomial>, Exhausted> {
        let own = letter.operator as usize;
        if self.identity.contains(&(side, own)) {
            return Ok(Some(OperatorPolynomial::one()));
        }
        let Some((place, word)) = self.words.iter().enumerate().find(|(_, (o, _))| side == self.side && **o == own)
        else {
            return Ok(Some(OperatorPolynomial::letter(letter)));
        };
        let image = product(&self.factor(place), word.1)?;
        let image = if letter.adjoint { image.adjoint(&|o| other.operators[o as usize].symmetric) } else { image };
        if letter.inverse { image.inverse() } else { Ok(Some(image)) }
    }

    /// Whether the words begin and end where these pairs of spaces, the first's and the second's, have it.
    pub fn fits(&self, first: &LinearSystem, second: &LinearSystem, channels: &[(Space, Space)]) -> bool {
        let (targets, sources) = if self.side == Side::First { (first, second) } else { (second, first) };
        let known: BTreeSet<(usize, usize)> = channels
            .iter()
            .map(|(x, y)| if self.side == Side::First { (*x, *y) } else { (*y, *x) })
            .map(|(t, s)| (targets.spaces.class(t), sources.spaces.class(s)))
            .collect();
        spaces(targets, sources, &self.words).iter().all(|(t, s)| {
            let mut same = known.iter().filter(|(x, _)| x == t).peekable();
            same.peek().is_none() || same.any(|(_, y)| y == s)
        })
    }

    fn factor(&self, place: usize) -> RationalFunction {
        if self.factors { RationalFunction::variable(coefficient(place)) } else { RationalFunction::one() }
    }

    /// The factors that are to be found; none of them is zero.
    pub fn unknowns(&self) -> Vec<Variable> {
        if self.factors { (0..self.words.len()).map(coefficient).collect() } else { Vec::new() }
    }

    /// The operators as polynomials in the other side's.
    pub fn images(&self) -> Result<Vec<(Variable, OperatorPolynomial)>, Exhausted> {
        let image = |(place, (own, word)): (usize, (&usize, &Word))| {
            Ok((self.side.place(operator_symbol(*own)), product(&self.factor(place), word)?))
        };
        let one = |(side, own): &(Side, usize)| Ok((side.place(operator_symbol(*own)), OperatorPolynomial::one()));
        self.words.iter().enumerate().map(image).chain(self.identity.iter().map(one)).collect()
    }

    /// The same where order and adjoints do not matter.
    pub fn symbols(&self) -> Result<Vec<(Variable, RationalFunction)>, Exhausted> {
        let other = self.side.other();
        let symbol = |l: Letter| RationalFunction::variable(other.place(operator_symbol(l.operator as usize)));
        let mut found = Vec::new();
        for (v, image) in self.images()? {
            found.push((v, image.commuting(&symbol)?));
        }
        Ok(found)
    }

    /// What is assumed.
    pub fn assumptions(&self) -> Vec<Assumption> {
        self.identity.iter().map(|(side, own)| Assumption::Identity(*side, *own)).collect()
    }
}

/// All correspondences of a kind, most natural first, and whether these are all.
pub fn correspondences(first: Part, second: Part, kind: Kind) -> (Vec<Correspondence>, bool) {
    let (mut found, complete) = match kind {
        Kind::Bijective => bijective(first, second),
        Kind::Special => {
            let (mut forth, all) = special(first, second, Side::Second);
            let (back, all_back) = special(second, first, Side::First);
            forth.extend(back);
            (forth, all && all_back)
        }
        Kind::Identity => identities(first, second),
    };
    let complete = complete && found.len() <= MANY;
    found.truncate(MANY);
    (found, complete)
}

/// The most natural one to one correspondence, whatever occurs: of the side with fewer operators, each is one
/// of the other's.
pub fn plainest(first: Part, second: Part) -> Option<Correspondence> {
    let (side, targets, sources) = match operators(second.possible).len() <= operators(first.possible).len() {
        true => (Side::Second, second, first),
        false => (Side::First, first, second),
    };
    let walk = Walk { targets, sources, free: operators(targets.possible), words: false, injective: true };
    let words = walk.all().0.into_iter().next()?;
    let (factors, identity) = (false, Vec::new());
    Some(Correspondence { side, words, factors, identity, forth: true, back: true })
}

fn operators(letters: &Letters) -> Vec<usize> {
    letters.iter().map(|(o, _)| *o).collect::<BTreeSet<_>>().into_iter().collect()
}

fn bijective(first: Part, second: Part) -> (Vec<Correspondence>, bool) {
    let targets = operators(second.possible);
    if targets.len() != operators(first.possible).len() {
        return (Vec::new(), true);
    }
    let walk = Walk { targets: second, sources: first, free: targets, words: false, injective: true };
    let (list, complete) = walk.all();
    let mut found = Vec::new();
    for words in list.into_iter().filter(|w| walk.is_reversible(w)) {
        let (forth, back) = (walk.reaches(&words), walk.is_reached(&words));
        if forth || back {
            let (factors, identity) = (false, Vec::new());
            found.push(Correspondence { side: Side::Second, words, factors, identity, forth, back });
        }
    }
    (found, complete)
}

/// Those that make the operators of a side special, all that occur on the other side being reached.
fn special(sources: Part, targets: Part, side: Side) -> (Vec<Correspondence>, bool) {
    let (free, others) = (operators(targets.possible), operators(sources.possible));
    let make = |words| Correspondence {
        side,
        words,
        factors: false,
        identity: Vec::new(),
        forth: side == Side::Second,
        back: side == Side::First,
    };
    if others.is_empty() {
        // Whatever the operators are, they can only be multiplied by zero.
        let nothing = make(BTreeMap::new());
        return (if free.is_empty() { Vec::new() } else { vec![nothing] }, true);
    }
    let words = free.len() <= 2 || free.len() < others.len();
    let walk = Walk { targets, sources, free, words, injective: false };
    let (list, complete) = walk.all();
    let list = list.into_iter().filter(|w| walk.reaches(w) && !walk.is_reversible(w));
    (list.map(make).collect(), complete)
}

/// Those that make as many operators the identity as there are too many.
fn identities(first: Part, second: Part) -> (Vec<Correspondence>, bool) {
    let (ones, twos) = (operators(first.possible), operators(second.possible));
    let (side, many, targets, sources) =
        if ones.len() > twos.len() { (Side::First, ones, first, second) } else { (Side::Second, twos, second, first) };
    let excess = many.len() - operators(sources.possible).len();
    if excess == 0 || many.len() > 16 {
        return (Vec::new(), excess == 0);
    }
    let mut found = Vec::new();
    let mut complete = true;
    for chosen in (0_u32..1 << many.len()).filter(|c| c.count_ones() as usize == excess) {
        let (gone, free): (Vec<usize>, Vec<usize>) = {
            let (gone, free): (Vec<_>, Vec<_>) = many.iter().enumerate().partition(|(i, _)| chosen >> i & 1 == 1);
            (gone.into_iter().map(|(_, o)| *o).collect(), free.into_iter().map(|(_, o)| *o).collect())
        };
        let walk = Walk { targets, sources, free, words: false, injective: true };
        let (list, all) = walk.all();
        complete &= all;
        for words in list {
            let both = walk.is_reversible(&words);
            found.push(Correspondence {
                side,
                words,
                factors: false,
                identity: gone.iter().map(|o| (side, *o)).collect(),
                forth: both || side == Side::Second,
                back: both || side == Side::First,
            });
        }
        if found.len() > MANY {
            return (found, false);
        }
    }
    (found, complete)
}

/// The space of the targets and that of the sources for every end of a word.
fn spaces(t: &LinearSystem, s: &LinearSystem, words: &Words) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    for (target, word) in words {
        let o = &t.operators[*target];
        if let (Some(last), Some(start)) = (word.first(), word.last()) {
            found.insert((t.spaces.class(o.domain), s.spaces.class(ends(s, *start).0)));
            found.insert((t.spaces.class(o.codomain), s.spaces.class(ends(s, *last).1)));
        }
    }
    found
}

/// The search for maps of some operators to words in others.
struct Walk<'a> {
    targets: Part<'a>,
    sources: Part<'a>,
    free: Vec<usize>,
    words: bool,
    injective: bool,
}

type Words = BTreeMap<usize, Word>;

impl Walk<'_> {
    fn all(&self) -> (Vec<Words>, bool) {
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
                .any(|adjoint| word.iter().all(|l| self.sources.possible.contains(&self.turned(*l, adjoint))));
            possible && (!symmetric || self.adjoint(word) == *word)
        });
        found
    }

    /// Whether an operator occurs, and whether its adjoint does.
    fn uses(&self, target: usize) -> impl Iterator<Item = bool> {
        [false, true].into_iter().filter(move |adjoint| self.targets.possible.contains(&(target, *adjoint)))
    }

    fn turned(&self, letter: Letter, adjoint: bool) -> (usize, bool) {
        let own = letter.operator as usize;
        (own, !self.sources.system.operators[own].symmetric && letter.adjoint != adjoint)
    }

    fn adjoint(&self, word: &Word) -> Word {
        word.iter().rev().map(|l| Letter { adjoint: self.turned(*l, true).1, ..*l }).collect()
    }

    fn spaces(&self, words: &Words) -> BTreeSet<(usize, usize)> {
        spaces(self.targets.system, self.sources.system, words)
    }

    fn is_typed(&self, words: &Words) -> bool {
        let spaces = self.spaces(words);
        spaces.iter().map(|(t, _)| t).collect::<BTreeSet<_>>().len() == spaces.len()
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
    fn is_reversible(&self, words: &Words) -> bool {
        let (t, s) = (self.targets.system, self.sources.system);
        let spaces = self.spaces(words);
        let one_to_one = spaces.iter().map(|(_, s)| s).collect::<BTreeSet<_>>().len() == spaces.len();
        let own = |word: &Word| match word[..] {
            [l] => Some(l.operator as usize),
            _ => None,
        };
        let images: Option<BTreeSet<usize>> = words.values().map(own).collect();
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
    fn reaches(&self, words: &Words) -> bool {
        let mut reached = Letters::new();
        for (target, word) in words {
            for adjoint in self.uses(*target) {
                reached.extend(word.iter().map(|l| self.turned(*l, adjoint)));
            }
        }
        self.sources.certain.is_subset(&reached)
    }

    /// Whether everything that occurs in the targets can come from the sources.
    fn is_reached(&self, words: &Words) -> bool {
        self.targets.certain.iter().all(|(target, adjoint)| {
            words
                .get(target)
                .is_some_and(|w| w.iter().all(|l| self.sources.possible.contains(&self.turned(*l, *adjoint))))
        })
    }
}

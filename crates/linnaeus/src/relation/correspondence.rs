//! How operators that do not commute can correspond: each of the one side's is a multiple of one of
//! the other's or of its adjoint, of a product of two where the one side has few, or a sum of such. Each
//! family holds for every operator, so that all operators of the general side must be reached. A family lies in
//! another if every choice of its operators is one of the other's; that an operator is zero or a multiple of the
//! identity is no choice but an assumption.

mod walk;

use super::behavior::Side;
use super::operators::{COEFFICIENTS, coefficient, multiple, openings, product, subsets};
use super::verdict::Assumption;
use crate::operator::{Letter, OperatorPolynomial, Word, normal};
use crate::system::{LinearSystem, Operator, Space, operator_symbol};
use linnaeus_algebra::{Coefficient, Exhausted, RationalFunction, SortedMap, SortedSet, Variable};
use walk::{Walk, spaces};

/// At most this many correspondences of one kind are tried.
const MANY: usize = 400;

/// Beginnings of correspondences that are looked at.
const BEGINNINGS: usize = 20_000;

/// Operators as the words in others that they are sums of, up to factors.
pub type Images = SortedMap<usize, Vec<Word>>;

/// Operators as words in others.
type Words = SortedMap<usize, Word>;

/// Operators and whether their adjoint is meant.
pub type Letters = SortedSet<(usize, bool)>;

/// One side's operators.
#[derive(Copy, Clone, Debug)]
pub struct Part<'a> {
    /// The system.
    pub system: &'a LinearSystem,
    /// All that may occur in a coefficient.
    pub possible: &'a Letters,
    /// What does occur.
    pub certain: &'a Letters,
    /// Products of which coefficients are made.
    pub terms: &'a SortedSet<Word>,
}

impl Part<'_> {
    /// An operator, and whether its adjoint is meant, in a product or its adjoint.
    fn turned(&self, letter: Letter, adjoint: bool) -> (usize, bool) {
        let own = letter.operator as usize;
        (own, !self.system.operators[own].symmetric && letter.adjoint != adjoint)
    }

    /// The adjoint of a product.
    pub fn adjoint(&self, word: &Word) -> Word {
        normal(word.iter().rev().map(|l| Letter { adjoint: self.turned(*l, true).1, ..*l }))
    }

    /// The operators that may occur.
    pub fn operators(&self) -> Vec<usize> {
        operators(self.possible)
    }
}

/// What is asked of a correspondence, least first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One to one, and nothing is special on either side.
    Bijective,
    /// The operators of one side are special.
    Special,
    /// They are what equations make of them.
    Made,
    /// They are sums of products of the other's.
    Sums,
    /// Some operators are multiples of the identity.
    Identity,
}

/// One side's operators in terms of the other's.
#[derive(Clone, Debug)]
pub struct Correspondence {
    /// Whose operators are made of the other's.
    pub side: Side,
    /// Sums of products of the other's, up to factors that are to be found.
    pub words: Images,
    /// Whether there are such factors.
    pub factors: bool,
    /// Those of its operators that are multiples of the identity, and by what, which may be to be found.
    pub identity: SortedMap<usize, RationalFunction>,
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
        let is_made = side == self.side && (self.words.contains_key(&own) || self.identity.contains_key(&own));
        if !is_made {
            return Ok(Some(OperatorPolynomial::letter(letter)));
        }
        let image = self.sum(own)?;
        let image = if letter.adjoint { image.adjoint(&|o| other.operators[o as usize].symmetric) } else { image };
        if letter.inverse { image.inverse() } else { Ok(Some(image)) }
    }

    /// All words with the numbers of the operators that they are part of, in the order of their factors.
    fn parts(&self) -> impl Iterator<Item = (&usize, &Word)> {
        self.words.iter().flat_map(|(own, words)| words.iter().map(move |word| (own, word)))
    }

    /// What an operator is.
    fn sum(&self, own: usize) -> Result<OperatorPolynomial, Exhausted> {
        let unit = self.identity.get(&own).cloned().map(OperatorPolynomial::scalar);
        let mut found = unit.unwrap_or_else(OperatorPolynomial::zero);
        for (place, (_, word)) in self.parts().enumerate().filter(|(_, (o, _))| **o == own) {
            found = found.add(&product(&self.factor(place), word)?)?;
        }
        Ok(found)
    }

    /// Whether the words begin and end where these pairs of spaces, the first's and the second's, have it.
    pub fn fits(&self, first: &LinearSystem, second: &LinearSystem, channels: &[(Space, Space)]) -> bool {
        let (targets, sources) = if self.side == Side::First { (first, second) } else { (second, first) };
        let known: SortedSet<(usize, usize)> = channels
            .iter()
            .map(|(x, y)| if self.side == Side::First { (*x, *y) } else { (*y, *x) })
            .map(|(t, s)| (targets.spaces.class(t), sources.spaces.class(s)))
            .collect();
        spaces(targets, sources, self.parts()).iter().all(|(t, s)| {
            let mut same = known.iter().filter(|(x, _)| x == t).peekable();
            same.peek().is_none() || same.any(|(_, y)| y == s)
        })
    }

    fn factor(&self, place: usize) -> RationalFunction {
        if self.factors { RationalFunction::variable(coefficient(place)) } else { RationalFunction::one() }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.parts().count()
    }

    /// The multiples of the identity that are to be found.
    pub fn multiples(&self) -> impl Iterator<Item = Variable> {
        self.identity.values().flat_map(RationalFunction::variables)
    }

    /// The factors that are to be found.
    pub fn unknowns(&self) -> Vec<Variable> {
        let words = if self.factors { self.len() } else { 0 };
        (0..words).map(coefficient).chain(self.multiples()).collect()
    }

    /// Those of them that may not be zero: each that makes up an operator alone.
    pub fn nonzero(&self) -> Vec<Variable> {
        let is_whole = |own: &usize| self.words[own].iter().filter(|w| !w.is_empty()).count() == 1;
        let alone = |(place, (own, word)): (usize, (&usize, &Word))| {
            (!word.is_empty() && is_whole(own)).then(|| coefficient(place))
        };
        let words = self.parts().enumerate().filter_map(alone).filter(|_| self.factors);
        words.chain(self.multiples()).collect()
    }

    /// The operators as polynomials in the other side's.
    pub fn images(&self) -> Result<Vec<(Variable, OperatorPolynomial)>, Exhausted> {
        let image = |own: &usize| Ok((self.side.place(operator_symbol(*own)), self.sum(*own)?));
        self.words.keys().chain(self.identity.keys()).map(image).collect()
    }

    /// Whether an operator is zero where factors have these values, or nothing of what it is made of is left but the
    /// identity.
    pub fn is_degenerate(&self, value: &dyn Fn(Variable) -> Option<RationalFunction>) -> Result<bool, Exhausted> {
        for own in self.words.keys().chain(self.identity.keys()) {
            let there = self.sum(*own)?.map_coefficients(&mut |c| {
                let found = c.substitute(value)?;
                Ok(found.unwrap_or_else(RationalFunction::zero))
            })?;
            if there.is_zero() || self.words.contains_key(own) && there.as_scalar().is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether operators are symmetric and commute as they are declared to, whatever those are of which they are made,
    /// where factors have these values.
    pub fn keeps_declarations(
        &self,
        [first, second]: [&LinearSystem; 2],
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<bool, Exhausted> {
        let (targets, sources) = if self.side == Side::First { (first, second) } else { (second, first) };
        let mut known: Vec<(&Operator, OperatorPolynomial)> = Vec::new();
        for own in self.words.keys() {
            let operator = &targets.operators[*own];
            let image = self.sum(*own)?.map_coefficients(&mut |c| {
                let found = c.substitute(value)?;
                Ok(found.unwrap_or_else(|| c.clone()))
            })?;
            if operator.symmetric && image.adjoint(&|o| sources.operators[o as usize].symmetric) != image {
                return Ok(false);
            }
            for (_, other) in known.iter().filter(|(o, _)| o.class != 0 && o.class == operator.class) {
                if other.mul(&image)? != image.mul(other)? {
                    return Ok(false);
                }
            }
            known.push((operator, image));
        }
        Ok(true)
    }

    /// The same where order and adjoints do not matter.
    pub fn symbols(&self) -> Result<Vec<(Variable, RationalFunction)>, Exhausted> {
        let other = self.side.other();
        let symbol = |l: Letter| {
            let own = RationalFunction::variable(other.place(operator_symbol(l.operator as usize)));
            if l.inverse { own.inverse().expect("no operator is zero") } else { own }
        };
        let mut found = Vec::new();
        for (v, image) in self.images()? {
            found.push((v, image.commuting(&symbol)?));
        }
        Ok(found)
    }

    /// What is assumed.
    pub fn assumptions(&self) -> Vec<Assumption> {
        self.identity.iter().map(|(own, factor)| Assumption::Identity(self.side, *own, factor.clone())).collect()
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
        Kind::Sums => {
            let (mut forth, all) = sums(first, second, Side::Second);
            let (back, all_back) = sums(second, first, Side::First);
            forth.extend(back);
            (forth, all && all_back)
        }
        // Equations are of one reading.
        Kind::Made => (Vec::new(), true),
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
    let words = single(walk.all().0.into_iter().next()?);
    let (factors, identity) = (false, SortedMap::new());
    Some(Correspondence { side, words, factors, identity, forth: true, back: true })
}

fn operators(letters: &Letters) -> Vec<usize> {
    letters.iter().map(|(o, _)| *o).collect::<SortedSet<_>>().into_iter().collect()
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
            let (factors, identity, words) = (false, SortedMap::new(), single(words));
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
        words: single(words),
        factors: false,
        identity: SortedMap::new(),
        forth: side == Side::Second,
        back: side == Side::First,
    };
    if others.is_empty() {
        // Whatever the operators are, they can only be multiplied by zero.
        let nothing = make(SortedMap::new());
        return (if free.is_empty() { Vec::new() } else { vec![nothing] }, true);
    }
    let words = free.len() <= 2 || free.len() < others.len();
    let walk = Walk { targets, sources, free, words, injective: false };
    let (list, complete) = walk.all();
    let list = list.into_iter().filter(|w| walk.reaches(w) && !walk.is_reversible(w));
    (list.map(make).collect(), complete)
}

/// Those that make each operator of a side a sum of terms of the other's coefficients.
fn sums(sources: Part, targets: Part, side: Side) -> (Vec<Correspondence>, bool) {
    let free = operators(targets.possible);
    if free.is_empty() || sources.terms.is_empty() {
        return (Vec::new(), true);
    }
    // Letters say which spaces correspond.
    let walk = Walk { targets, sources, free, words: false, injective: false };
    let (list, complete) = walk.all();
    let readings: SortedSet<SortedSet<(usize, usize)>> = list.iter().map(|words| walk.spaces(words)).collect();
    let mut found = Vec::new();
    for spaces in readings {
        let words: Images = walk.free.iter().map(|t| (*t, walk.terms(*t, &spaces))).collect();
        let correspondence = Correspondence {
            side,
            words,
            factors: true,
            identity: SortedMap::new(),
            forth: side == Side::Second,
            back: side == Side::First,
        };
        // Products of two have been tried alone.
        let is_new = correspondence.words.values().any(|list| list.len() > 1 || list.iter().any(|w| w.len() > 2));
        if is_new && correspondence.len() <= COEFFICIENTS && correspondence.words.values().all(|w| !w.is_empty()) {
            found.push(correspondence);
        }
    }
    (found, complete)
}

/// Operators that are one word each.
fn single(words: Words) -> Images {
    words.into_iter().map(|(own, word)| (own, vec![word])).collect()
}

/// The side that has more operators, and by how many.
fn excess(first: Part, second: Part) -> (Side, usize) {
    let (ones, twos) = (first.operators().len(), second.operators().len());
    (if ones > twos { Side::First } else { Side::Second }, ones.abs_diff(twos))
}

/// Those that make as many operators the identity as there are too many, or fewer where the others cancel; then the same
/// with multiples of it.
fn identities(first: Part, second: Part) -> (Vec<Correspondence>, bool) {
    let (side, excess) = excess(first, second);
    let (targets, sources) = if side == Side::First { (first, second) } else { (second, first) };
    let many = targets.operators();
    if excess == 0 || many.len() > MANY_GONE {
        return (Vec::new(), excess == 0);
    }
    let (mut found, mut multiples) = (Vec::new(), Vec::new());
    let mut complete = true;
    for gone in sets(&many).into_iter().filter(|gone| gone.len() <= excess) {
        // What is too many still stays what it is.
        let alone = gone.len() < excess && sources.possible.is_empty();
        let free: Vec<usize> = many.iter().copied().filter(|o| !alone && !gone.contains(o)).collect();
        if gone.len() < excess && !free.is_empty() {
            continue;
        }
        let walk = Walk { targets, sources, free, words: false, injective: true };
        let (list, all) = walk.all();
        complete &= all;
        for words in &list {
            let both = walk.is_reversible(words);
            for identity in units(targets, &gone) {
                let one = Correspondence {
                    side,
                    words: single(words.clone()),
                    factors: false,
                    identity,
                    forth: both || side == Side::Second,
                    back: both || side == Side::First,
                };
                if one.multiples().next().is_none() { &mut found } else { &mut multiples }.push(one);
            }
        }
        if found.len() > MANY {
            return (found, false);
        }
    }
    multiples.sort_by_key(|one: &Correspondence| one.multiples().count());
    found.extend(multiples);
    (found, complete)
}

/// Of so many operators all sets may be multiples of the identity.
const MANY_GONE: usize = 16;

/// All sets of some operators, small ones first, but the empty one.
fn sets(many: &[usize]) -> Vec<Vec<usize>> {
    let set =
        |chosen: u32| many.iter().enumerate().filter(move |(i, _)| chosen >> i & 1 == 1).map(|(_, o)| *o).collect();
    let mut found: Vec<Vec<usize>> = (1_u32..1 << many.len()).map(set).collect();
    found.sort_by_key(Vec::len);
    found
}

/// The multiples of the identity that operators may be: itself, and any. The sign of what an argmin holds is a
/// convention, as that of B in A x + B z = c; the last is turned first.
fn units(targets: Part, gone: &[usize]) -> Vec<SortedMap<usize, RationalFunction>> {
    let maps = targets.system.calls.iter().rev().filter_map(|c| c.oracle.map.as_ref());
    let mut carried: Vec<usize> = Vec::new();
    for letter in maps.flat_map(OperatorPolynomial::terms).flat_map(|(word, _)| word) {
        if !carried.contains(&(letter.operator as usize)) {
            carried.push(letter.operator as usize);
        }
    }
    let mut found = Vec::new();
    for open in openings(gone) {
        let closed = carried.iter().copied().filter(|o| gone.contains(o) && !open.contains(o));
        for turned in subsets(closed.collect()) {
            let unit = |o: &usize| {
                let (one, number) = (RationalFunction::one(), open.iter().position(|x| x == o));
                let closed = || if turned.contains(o) { one.neg() } else { one.clone() };
                (*o, number.map_or_else(closed, |n| RationalFunction::variable(multiple(n))))
            };
            found.push(gone.iter().map(unit).collect());
        }
    }
    found
}

/// Of so many operators all sets are tried as multiples of the identity where the others are read off equations.
const FEW_GONE: usize = 4;

/// Which operators of a side may be multiples of the identity while its others are made of the other side's, few first:
/// all but one of them at most.
pub fn left(targets: Part) -> Vec<Vec<usize>> {
    let many = targets.operators();
    let few = if many.len() <= FEW_GONE { sets(&many) } else { Vec::new() };
    few.into_iter().filter(|gone| gone.len() < many.len()).collect()
}

/// The correspondences that make operators of a side these sums, and others multiples of the identity.
pub fn made(side: Side, targets: Part, words: &Images, gone: &[usize]) -> Vec<Correspondence> {
    let make = |identity| Correspondence {
        side,
        words: words.clone(),
        factors: words.values().any(|list| list.len() > 1),
        identity,
        forth: side == Side::Second,
        back: side == Side::First,
    };
    units(targets, gone).into_iter().map(make).collect()
}

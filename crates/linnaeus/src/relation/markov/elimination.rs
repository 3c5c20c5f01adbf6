//! What equations between Markov parameters make of one side's operators. Where all but one operator of an entry is known,
//! that one is made of the words that are left; by which factors is solved for afterwards, as for any other correspondence.

use super::equations::Sequences;
use super::reading::Search;
use crate::operator::{Letter, OperatorPolynomial, Word, normal};
use crate::relation::behavior::Side;
use crate::relation::correspondence::{Images, Part};
use crate::relation::hypothesis::Pairing;
use linnaeus_algebra::{Coefficient, Exhausted, Polynomial, RationalFunction, SortedSet, Variable};

/// So many words one operator is made of at most.
const WORDS: usize = 40;

/// So many ways are found where equations leave operators open.
const GUESSES: usize = 20;

/// How the operators of one side are made of the other's, and whether they can only be that.
#[derive(Debug)]
pub struct Outcome {
    /// What they are, up to factors.
    pub made: Vec<Images>,
    /// Whether equations say all that.
    pub complete: bool,
    /// Whether an entry of the one side vanishes and one of the other does not, whatever the operators are.
    pub is_apart: bool,
}

/// What an equation makes of an operator.
enum Reading {
    /// A sum of these.
    Is(usize, Vec<Word>),
    /// Nothing does.
    Never,
    /// It does not say.
    Open,
}

/// Words that are equal up to factors: those of an entry of the side whose operators are sought, and those of the other's.
struct Equation {
    sought: Vec<Word>,
    given: SortedSet<Word>,
    /// Whether one of the two vanishes and the other never does.
    is_apart: bool,
}

/// One reading, as far as words go.
pub struct Elimination<'a> {
    targets: Part<'a>,
    sources: Part<'a>,
    equations: Vec<Equation>,
    /// Operators of the sources that are inverted.
    inverted: SortedSet<u16>,
    /// Whether nothing that is given can vanish: in A's oracles B has A's parameters in it.
    is_sure: bool,
}

impl Search<'_> {
    /// The operators of a side in the shift with which both are compared, as so many lags tell.
    pub fn elimination<'b>(
        &self,
        both: &Sequences,
        side: Side,
        (targets, sources): (Part<'b>, Part<'b>),
        lags: usize,
    ) -> Result<Elimination<'b>, Exhausted> {
        // In A's oracles B has A's parameters in it, so that what is given may vanish.
        let is_sure = side == Side::Second || !self.hypothesis.pairings.contains(&Pairing::Lft);
        let nonzero: SortedSet<Variable> =
            [self.a, self.b].iter().flat_map(|x| &x.nonzero).filter_map(symbol).collect();
        let never = |c: &RationalFunction| {
            c.numerator().term_count() == 1 && c.numerator().variables().iter().all(|v| nonzero.contains(v))
        };
        let equation = |sought: &OperatorPolynomial, given: &OperatorPolynomial| {
            let stays = matches!(sought.terms()[..], [(_, c)] if never(c));
            let is_apart = given.is_zero() && stays || sought.is_zero() && !given.is_zero() && is_sure;
            Equation { sought: words(sought).collect(), given: words(given).collect(), is_apart }
        };
        let turned = |x: &OperatorPolynomial, y: &OperatorPolynomial| match side {
            Side::First => equation(x, y),
            Side::Second => equation(y, x),
        };
        let mut equations = Vec::new();
        let length = both.length.min(lags) as i64;
        let p = both.shift.len();
        for lag in -length..length {
            if equations.iter().any(|e: &Equation| e.is_apart) {
                break;
            }
            for (i, j) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))) {
                let other = lag + both.shift[j] - both.shift[i];
                if lag.max(other) < length {
                    equations.push(turned(&both.x.entry(lag, i, j)?, &both.y.entry(other, i, j)?));
                }
            }
        }
        // What an argmin holds is said of operators, too.
        for (i, j) in self.hypothesis.order.iter().enumerate() {
            let maps = [&self.a.ports[i], &self.b.ports[*j]].map(|port| port.oracle.map.as_ref());
            if let [Some(x), Some(y)] = maps {
                equations.push(turned(x, y));
            }
        }
        equations.retain(|e| !e.sought.is_empty() || !e.given.is_empty());
        let plant = if side == Side::First { self.b } else { self.a };
        let r = &plant.realization;
        let entries = [&r.a, &r.b, &r.c, &r.d].into_iter().flat_map(|m| (0..m.rows()).flat_map(|i| m.row(i)));
        let letters = entries.flat_map(words).flatten().filter(|l| l.inverse);
        let inverted = letters.map(|l| l.operator).collect();
        Ok(Elimination { targets, sources, equations, inverted, is_sure })
    }
}

impl Elimination<'_> {
    /// The words that operators are made of, one operator after another.
    pub fn run(&self, sought: &[usize]) -> Outcome {
        let is_apart = self.equations.iter().any(|e| e.is_apart);
        let mut found = Outcome { made: Vec::new(), complete: true, is_apart };
        if is_apart {
            return found;
        }
        self.go_on(sought, Images::new(), &mut found);
        found
    }

    fn go_on(&self, sought: &[usize], mut known: Images, found: &mut Outcome) {
        while known.len() < sought.len() {
            let mut best: Option<(usize, Vec<Word>)> = None;
            for equation in &self.equations {
                match self.read(equation, &known) {
                    Reading::Never => return,
                    Reading::Open => {}
                    Reading::Is(own, words) => {
                        let rank = |(own, words): &(usize, Vec<Word>)| (words.len(), *own);
                        let read = (own, words);
                        best = best.into_iter().chain([read]).min_by_key(rank);
                    }
                }
            }
            let Some((own, words)) = best else { return self.guess(sought, &known, found) };
            known.insert(own, words);
        }
        if self.equations.iter().any(|e| matches!(self.read(e, &known), Reading::Never)) {
            return;
        }
        match self.is_declared(&known) {
            true if !found.made.contains(&known) => found.made.push(known),
            true => {}
            false => found.complete = false,
        }
    }

    /// Where equations do not say what an operator is, it may be one of the other side's; that is not all that it may be.
    fn guess(&self, sought: &[usize], known: &Images, found: &mut Outcome) {
        found.complete = false;
        let open = sought.iter().filter(|o| !known.contains_key(*o));
        for (own, (operator, adjoint)) in open.flat_map(|own| self.sources.possible.iter().map(move |l| (own, l))) {
            if found.made.len() >= GUESSES {
                return;
            }
            let class = self.sources.system.operators[*operator].class;
            let letter = Letter { class, operator: *operator as u16, adjoint: *adjoint, inverse: false };
            let mut known = known.clone();
            known.insert(*own, vec![vec![letter]]);
            self.go_on(sought, known, found);
        }
    }

    /// The only operator in an equation that is not known, if it occurs once.
    fn read(&self, equation: &Equation, known: &Images) -> Reading {
        self.only(equation, known).unwrap_or(Reading::Open)
    }

    fn only(&self, equation: &Equation, known: &Images) -> Option<Reading> {
        let is_open = |l: &Letter| !known.contains_key(&(l.operator as usize));
        let (open, rest): (Vec<&Word>, Vec<&Word>) = equation.sought.iter().partition(|w| w.iter().any(is_open));
        if open.is_empty() {
            let mut all = SortedSet::new();
            for word in &rest {
                all.extend(self.image(word, known)?);
            }
            let is_missing = self.is_sure && equation.given.iter().any(|w| !all.contains(w));
            return is_missing.then_some(Reading::Never);
        }
        let [word] = open[..] else { return None };
        let place = word.iter().position(is_open)?;
        let (letter, before, after) = (word[place], &word[..place], &word[place + 1..]);
        if after.iter().any(is_open) {
            return None;
        }
        let mut left = equation.given.clone();
        for word in &rest {
            left.extend(self.image(word, known)?);
        }
        let (before, after) = (self.image(before, known)?, backwards(self.image(after, known)?));
        // V X = W V has no solution where V has no inverse, but V X V = V may have one.
        let lacks = |product: &SortedSet<Word>, divisor: &SortedSet<Word>| {
            let is_single = self.is_sure && divisor.len() == 1 && rest.is_empty();
            is_single && divisor.iter().any(|u| product.iter().any(|w| !self.is_whole(&divided(w, u))))
        };
        if lacks(&left, &before) || lacks(&backwards(left.clone()), &after) {
            return Some(Reading::Never);
        }
        let left = self.quotient(left, &before)?;
        let left = backwards(self.quotient(backwards(left), &after)?);
        let mut found: Vec<Word> = left.into_iter().collect();
        if letter.inverse {
            let [word] = &found[..] else { return None };
            found = vec![inverse(word)];
        }
        if letter.adjoint {
            found = found.iter().map(|word| self.sources.adjoint(word)).collect();
        }
        found.retain(|word| self.is_whole(word));
        found.sort_by_key(|w| (w.len(), w.clone()));
        (!found.is_empty()).then_some(Reading::Is(letter.operator as usize, found))
    }

    /// Whether a product holds no inverse of an operator that the text does not invert.
    fn is_whole(&self, word: &Word) -> bool {
        word.iter().all(|l| !l.inverse || self.inverted.contains(&l.operator))
    }

    /// The words of a product of operators that are known; nothing if a sum would have to be inverted.
    fn image(&self, word: &[Letter], known: &Images) -> Option<SortedSet<Word>> {
        let mut found = SortedSet::from_iter([Word::new()]);
        for letter in word {
            let mut words = known[&(letter.operator as usize)].clone();
            if letter.adjoint {
                words = words.iter().map(|w| self.sources.adjoint(w)).collect();
            }
            if letter.inverse {
                let [word] = &words[..] else { return None };
                words = vec![inverse(word)];
            }
            let product = |w: &Word| words.iter().map(|v| normal(w.iter().chain(v).copied())).collect::<Vec<_>>();
            found = found.iter().flat_map(product).collect();
            if found.len() > WORDS {
                return None;
            }
        }
        Some(found)
    }

    /// All words of which X may consist where P X consists of some words: the longest word of P times that of X is one of
    /// them, and what is left after that consists of them and of the others of P times that word of X.
    fn quotient(&self, mut product: SortedSet<Word>, divisor: &SortedSet<Word>) -> Option<SortedSet<Word>> {
        let leading = divisor.iter().max_by_key(|w| (w.len(), (*w).clone()))?;
        let mut found = SortedSet::new();
        let mut open: Vec<Word> = product.iter().cloned().collect();
        while let Some(word) = open.pop() {
            let factor = divided(&word, leading);
            let divides = divisor.len() == 1 || factor.len() + leading.len() == word.len();
            if !divides || !found.insert(factor.clone()) {
                continue;
            }
            for other in divisor {
                let more = normal(other.iter().chain(&factor).copied());
                if product.insert(more.clone()) {
                    open.push(more);
                }
            }
            if product.len() > WORDS {
                return None;
            }
        }
        Some(found)
    }

    /// Whether operators are symmetric and commute as they are declared to, whatever the factors are.
    fn is_declared(&self, known: &Images) -> bool {
        let operators = &self.targets.system.operators;
        let commute = |v: &Word, w: &Word| normal(v.iter().chain(w).copied()) == normal(w.iter().chain(v).copied());
        known.iter().all(|(own, words)| {
            let o = &operators[*own];
            let is_kept = !o.symmetric || words.iter().all(|w| self.sources.adjoint(w) == *w);
            let together = |(other, theirs): (&usize, &Vec<Word>)| {
                let is_one = o.class == 0 || own == other || o.class != operators[*other].class;
                is_one || words.iter().all(|v| theirs.iter().all(|w| commute(v, w)))
            };
            is_kept && known.iter().all(together)
        })
    }
}

fn inverse(word: &[Letter]) -> Word {
    normal(word.iter().rev().map(|l| l.inverted()))
}

fn words(p: &OperatorPolynomial) -> impl Iterator<Item = Word> {
    p.terms().into_iter().map(|(word, _)| word.clone()).collect::<Vec<_>>().into_iter()
}

/// The symbol that a polynomial is a multiple of.
fn symbol(p: &Polynomial) -> Option<Variable> {
    p.variables().first().copied().filter(|v| p.primitive_part() == Polynomial::variable(*v))
}

/// u⁻¹ w.
fn divided(word: &[Letter], divisor: &[Letter]) -> Word {
    normal(inverse(divisor).into_iter().chain(word.iter().copied()))
}

/// What is divided by on the right is divided by on the left of words read backwards.
fn backwards(words: SortedSet<Word>) -> SortedSet<Word> {
    words.iter().map(|w| normal(w.iter().rev().copied())).collect()
}

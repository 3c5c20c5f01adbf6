//! What is known to be positive. Steps of proximal maps, resolvents and minimizations are: those that a branch leaves
//! as their text has them are known to be, and the others must be for the branch to hold.
//!
//! A product is known up to squares, so that knowledge is linear over the field of two elements: where t and st are
//! positive, s is.

use super::behavior::Side;
use super::real::Texts;
use super::sample;
use super::verdict::Assumption;
use crate::system::schedule::{Motion, schedule, scheduled, started};
use crate::system::{LinearSystem, Oracle};
use crate::transfer::graph::gain;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Integer, Polynomial, Rational, RationalFunction, Sign, SortedSet, Variable};

/// A product of factors none of which is known to have one sign, each once.
#[derive(Clone, Debug, Default)]
struct Product {
    minus: bool,
    factors: SortedSet<Polynomial>,
}

impl Product {
    /// Times another, up to squares.
    fn times(&mut self, other: &Product) {
        self.minus ^= other.minus;
        for f in other.factors.iter() {
            if !self.factors.remove(f) {
                self.factors.insert(f.clone());
            }
        }
    }

    fn value(&self) -> Result<Polynomial, Exhausted> {
        let mut found = Polynomial::integer(if self.minus { -1 } else { 1 });
        for f in self.factors.iter() {
            found = found.mul(f)?;
        }
        Ok(found)
    }
}

/// What is known to be positive on a branch.
#[derive(Clone)]
pub struct Known<'a> {
    texts: Texts<'a>,
    /// Symbols, sequences being those at offset 0.
    symbols: SortedSet<Variable>,
    /// Products, none of which contains the last factor of another.
    products: Vec<Product>,
}

/// What must be positive and need not be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Polynomials.
    pub polynomials: Vec<Polynomial>,
    /// Numbers with square roots.
    pub roots: Vec<Value>,
}

impl<'a> Known<'a> {
    /// What steps say on a branch, and what it asks of them; nothing if one cannot be positive.
    pub fn of(texts: Texts<'a>, branch: &Branch) -> Result<Option<(Known<'a>, Asked)>, Exhausted> {
        let mut known = Known { texts, symbols: SortedSet::new(), products: Vec::new() };
        let (mut open, mut roots) = (Vec::new(), Vec::new());
        for (side, step) in texts.steps() {
            let value = |v: Variable| texts.value(branch, v);
            match step.variables().into_iter().find_map(|v| root(branch, v)) {
                Some(found) => roots.push((step, found)),
                // Values at several times at once are not compared.
                None if step.variables().into_iter().any(|v| texts.has_law_elsewhere(v)) => {}
                None => match step.substitute(&value)? {
                    Some(there) if there == step && !texts.is_taken(side, &step) => known.learn(&step)?,
                    Some(there) => open.push(there),
                    None => return Ok(None),
                },
            }
        }
        let mut asked = Asked::default();
        // What says least comes first.
        open.sort_by_key(|r| (r.numerator().term_count() + r.denominator().term_count(), r.variables().len()));
        for step in open {
            let product = known.product(&step)?;
            match product.factors.is_empty() {
                true if product.minus || step.is_zero() => return Ok(None),
                true => {}
                false => {
                    asked.polynomials.push(product.value()?);
                    known.learn(&step)?;
                }
            }
        }
        for (step, root) in roots {
            match known.root_sign(&step, &root)? {
                Sign::Nonpositive => return Ok(None),
                Sign::Both if !asked.roots.contains(&root.1) => asked.roots.push(root.1),
                _ => {}
            }
        }
        Ok(Some((known, asked)))
    }

    /// What is known where a polynomial is positive, too.
    pub fn besides(&self, p: &Polynomial) -> Result<Known<'a>, Exhausted> {
        let mut found = self.clone();
        found.learn(&RationalFunction::polynomial(p.clone()))?;
        Ok(found)
    }

    /// A positive value.
    fn learn(&mut self, value: &RationalFunction) -> Result<(), Exhausted> {
        let product = self.product(value)?;
        let Some(last) = product.factors.last().cloned() else { return Ok(()) };
        for other in &mut self.products {
            if other.factors.contains(&last) {
                other.times(&product);
            }
        }
        self.products.push(product);
        let single = |p: &Product| match (p.factors.last(), p.factors.len()) {
            (Some(f), 1) if !p.minus => symbol(f).map(still),
            _ => None,
        };
        self.symbols.extend(self.products.iter().filter_map(single));
        Ok(())
    }

    /// A value up to what is positive.
    fn product(&self, value: &RationalFunction) -> Result<Product, Exhausted> {
        let mut found = Product::default();
        for part in [value.numerator(), value.denominator()] {
            let factorization = part.factor()?;
            found.minus ^= factorization.content < Integer::ZERO;
            for (factor, _) in factorization.factors.into_iter().filter(|(_, e)| e % 2 == 1) {
                match self.sign(&factor)? {
                    Sign::Nonnegative => {}
                    Sign::Nonpositive => found.minus ^= true,
                    Sign::Both | Sign::Unknown => drop(found.factors.insert(factor)),
                }
            }
        }
        for known in &self.products {
            if known.factors.last().is_some_and(|f| found.factors.contains(f)) {
                found.times(known);
            }
        }
        Ok(found)
    }

    /// Whether a polynomial is a sum of what is positive, or minus such a sum.
    pub fn is_never_zero(&self, p: &Polynomial) -> bool {
        let first = p.leading_coefficient() < Integer::ZERO;
        p.variables().into_iter().all(|v| self.symbols.contains(&still(v)))
            && p.terms().all(|(_, c)| (*c < Integer::ZERO) == first)
    }

    /// The sign of a polynomial, positive symbols being squares.
    pub fn sign(&self, p: &Polynomial) -> Result<Sign, Exhausted> {
        let mut found = p.clone();
        for v in p.variables().into_iter().filter(|v| self.is_positive(*v)) {
            found = found.substitute(v, &Polynomial::variable(v).square()?)?;
        }
        if symbol(&found).is_some() { Ok(Sign::Both) } else { found.sign() }
    }

    /// What must not be negative for a value not to be, unless it never is; nothing if it always is.
    pub fn asked(&self, value: &RationalFunction) -> Result<Option<Polynomial>, Exhausted> {
        let found = self.product(value)?;
        if found.factors.is_empty() && found.minus {
            return Ok(None);
        }
        found.value().map(Some)
    }

    fn sign_of(&self, value: &RationalFunction) -> Result<Sign, Exhausted> {
        let product = self.product(value)?;
        Ok(match (product.factors.is_empty(), product.minus) {
            (true, false) => Sign::Nonnegative,
            (true, true) => Sign::Nonpositive,
            (false, _) => Sign::Both,
        })
    }

    /// The sign of a step that is a multiple or a fraction of one symbol whose value is a + b√r; of others it is not
    /// known.
    pub fn root_sign(&self, step: &RationalFunction, (v, value): &(Variable, Value)) -> Result<Sign, Exhausted> {
        let (Value::Root { a, b, radicand }, [only]) = (value, &step.variables()[..]) else { return Ok(Sign::Unknown) };
        let is_monomial = step.numerator().term_count() == 1 && step.denominator().term_count() == 1;
        let degree = step.numerator().degree_in(*v) + step.denominator().degree_in(*v);
        if only != v || !is_monomial || degree.is_multiple_of(2) {
            return Ok(Sign::Unknown);
        }
        let turned = step.numerator().leading_coefficient() < Integer::ZERO;
        let (a, b) = if turned { (a.neg(), b.neg()) } else { (a.clone(), b.clone()) };
        let (rational, irrational) = (self.sign_of(&a)?, self.sign_of(&b)?);
        if a.is_zero() || rational == irrational && rational != Sign::Both {
            return Ok(irrational);
        }
        // The larger of the two decides.
        let square = b.mul(&b)?.mul(&RationalFunction::polynomial(radicand.clone()))?;
        Ok(match self.sign_of(&a.mul(&a)?.sub(&square)?)? {
            Sign::Nonnegative => rational,
            Sign::Nonpositive => irrational,
            _ => Sign::Both,
        })
    }

    /// Whether a symbol is positive, or at least not negative: a step, a square root, an exponential, the index.
    pub fn is_positive(&self, v: Variable) -> bool {
        if self.symbols.contains(&still(v)) {
            return true;
        }
        let Some((j, _)) = scheduled(still(v)) else { return self.texts.is_function(v) };
        let (system, own) = self.texts.sequence(j);
        match &system.schedules.list[own].motion {
            Motion::Free => false,
            Motion::Clock => true,
            Motion::Function(name, _) => matches!(*name, "sqrt" | "exp"),
            Motion::Power(base) => base.as_rational().is_some_and(|b| b > Rational::ZERO),
            Motion::Recursion(_) => sample::stays_positive(&system.schedules, own),
        }
    }
}

/// The steps of a text that are no numbers, those of all iterations that its sequences take as one.
fn own_steps(system: &LinearSystem, is_silent: &dyn Fn(&Oracle) -> bool) -> Vec<RationalFunction> {
    let list = &system.schedules.list;
    let n = list.iter().map(|s| s.phase.0).max().unwrap_or(1);
    let stepped = system.calls.iter().filter(|c| c.oracle.kind.has_step() && !is_silent(&c.oracle));
    let steps = stepped.map(|c| &c.oracle.step).filter(|step| !step.variables().is_empty());
    if n == 1 {
        return steps.cloned().collect();
    }
    // Where the values of a sequence of the text are in the list, and whether there is one for every iteration.
    let starts: Vec<usize> = (0..list.len()).filter(|j| list[*j].phase.1 == 0).collect();
    let is_single = |at: usize| list.get(at + 1).is_none_or(|s| s.phase.1 == 0);
    let at = |v: Variable, time: i64| {
        let Some((j, offset)) = scheduled(v) else { return Some(v) };
        let (turn, phase) = ((offset + time).div_euclid(n), (offset + time).rem_euclid(n));
        let start = *starts.get(j)?;
        match (&list[start].motion, is_single(start)) {
            (Motion::Recursion(_), _) if phase == 0 => Some(schedule(start, turn)),
            (Motion::Free | Motion::Function(..), false) => Some(schedule(start + phase as usize, turn)),
            _ => None,
        }
    };
    let moved = |step: &RationalFunction, time: i64| {
        step.variables().into_iter().all(|v| at(v, time).is_some()).then(|| step.rename(&|v| at(v, time).unwrap_or(v)))
    };
    steps.flat_map(|step| (0..n).filter_map(|time| moved(step, time)).collect::<Vec<_>>()).collect()
}

/// The symbol that a polynomial is.
fn symbol(p: &Polynomial) -> Option<Variable> {
    let [v] = p.variables()[..] else { return None };
    (*p == Polynomial::variable(v)).then_some(v)
}

/// A sequence at offset 0: what holds at all times holds at one.
fn still(v: Variable) -> Variable {
    let j = scheduled(v).map(|(j, _)| j).or_else(|| started(v));
    j.map_or(v, |j| schedule(j, 0))
}

/// A symbol of which a branch says that it is irrational.
fn root(branch: &Branch, v: Variable) -> Option<(Variable, Value)> {
    let value = branch.values.get(&v).or_else(|| branch.conditions.get(&v))?;
    matches!(value, Value::Root { .. }).then(|| (v, value.clone()))
}

impl<'a> Texts<'a> {
    /// The steps of both texts that are no numbers, in the symbols of the comparison.
    fn steps(&self) -> Vec<(Side, RationalFunction)> {
        let mut found: Vec<(Side, RationalFunction)> = Vec::new();
        for (system, side) in [(self.first, Side::First), (self.second, Side::Second)] {
            for step in own_steps(system, &|oracle| self.is_silent(side, oracle)) {
                let times = || step.variables().into_iter().filter_map(scheduled).map(|(_, offset)| offset);
                let by = times().min().filter(|earliest| times().all(|offset| offset == *earliest)).unwrap_or(0);
                let step = step.rename(&|v| self.placed(side, v, by));
                if !found.contains(&(side, step.clone())) {
                    found.push((side, step));
                }
            }
        }
        found
    }

    /// Whether an oracle multiplies by a number whatever its step is, its function being special.
    fn is_silent(&self, side: Side, oracle: &Oracle) -> bool {
        self.assumptions.iter().any(|a| match a {
            Assumption::Function(s, f, special) if *s == side && *f == oracle.function => {
                gain(oracle, *special).is_ok_and(|g| g.is_some_and(|g| g.variables().is_empty()))
            }
            _ => false,
        })
    }

    /// Whether a step of the side that is not given has a sequence in it that both have: what the given text does not
    /// say of it must be asked.
    fn is_taken(&self, side: Side, step: &RationalFunction) -> bool {
        let shared = |j: usize| self.sequences.place.contains(&j) && j < self.first.schedules.list.len();
        side != self.given && step.variables().into_iter().filter_map(scheduled).any(|(j, _)| shared(j))
    }

    /// A symbol of a side, so many iterations earlier, in the comparison.
    fn placed(&self, side: Side, v: Variable, by: i64) -> Variable {
        match (scheduled(v), side) {
            (None, _) => side.place(v),
            (Some((j, offset)), Side::First) => schedule(j, offset - by),
            (Some((j, offset)), Side::Second) => {
                let own = self.first.schedules.list.len() + j;
                schedule(self.sequences.place.get(j).copied().unwrap_or(own), offset - by)
            }
        }
    }

    /// Whether a symbol is another value of a sequence than the one that is solved for.
    fn has_law_elsewhere(&self, v: Variable) -> bool {
        let law = |(j, _): &(usize, i64)| self.sequences.laws.iter().any(|(i, _)| i == j);
        scheduled(v).filter(law).is_some_and(|(_, offset)| offset != 0)
    }

    /// What a branch makes of a symbol, if that is rational.
    fn value(&self, branch: &Branch, v: Variable) -> Option<RationalFunction> {
        if let Some((j, offset)) = scheduled(v) {
            let law = self.sequences.laws.iter().find(|(i, _)| *i == j);
            return law.filter(|_| offset == 0).map(|(_, law)| law.clone());
        }
        match branch.values.get(&v).or_else(|| branch.conditions.get(&v)) {
            Some(Value::Rational(r)) => Some(r.clone()),
            _ => None,
        }
    }

    /// The text that a sequence belongs to, and its number there.
    fn sequence(&self, j: usize) -> (&'a LinearSystem, usize) {
        match j.checked_sub(self.first.schedules.list.len()) {
            None => (self.first, j),
            Some(own) => (self.second, own),
        }
    }

    /// Whether a symbol is a square root or an exponential of parameters.
    fn is_function(&self, v: Variable) -> bool {
        let side = Side::of(v);
        let system = if side == Side::First { self.first } else { self.second };
        system.functions.iter().any(|(w, name, _)| side.place(*w) == v && matches!(*name, "sqrt" | "exp"))
    }
}

//! Which solutions are real. The equations are solved over an algebraic closure; a square root asks
//! that something be no less than zero, and so does a value of √s, which is never negative. A step is positive.

use super::behavior::Side;
use super::positive::{Asked, Known};
use super::search::Names;
use super::soundness::radicands;
use super::verdict::{Assumption, Sequences};
use crate::system::LinearSystem;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Integer, Polynomial, Rational, RationalFunction, Sign, SortedMap, Variable};

/// The texts whose parameters are compared.
#[derive(Copy, Clone)]
pub struct Texts<'a> {
    /// A's.
    pub first: &'a LinearSystem,
    /// B's.
    pub second: &'a LinearSystem,
    /// How their sequences of numbers hang together.
    pub sequences: &'a Sequences,
    /// Whose numbers are given: what its text says of a sequence that both have is known.
    pub given: Side,
    /// Functions that are special: the step of an oracle that does nothing is of no consequence.
    pub assumptions: &'a [Assumption],
    /// Whose numbers they are: those of cards are positive by custom.
    pub names: Names,
}

/// What a branch asks of real numbers besides its equations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demands {
    /// What must not be negative and may be.
    pub nonnegative: Vec<Polynomial>,
    /// Steps that must be positive and need not be.
    pub positive: Asked,
    /// Roots that must not be negative and may be.
    pub nonnegative_roots: Vec<Value>,
    /// What must not vanish and may, steps being positive.
    pub nonzero: Vec<Polynomial>,
}

/// What must hold for a branch to be real and need not; nothing if it cannot be.
pub fn demands(texts: Texts, branch: &Branch) -> Result<Option<Demands>, Exhausted> {
    let Some((known, positive)) = Known::of(texts, branch)? else { return Ok(None) };
    let mut positive = positive;
    let mut all: Vec<Polynomial> = radicands(branch).cloned().collect();
    let mut nonnegative_roots = Vec::new();
    for root in texts.functions("sqrt") {
        match branch.values.get(&root).or_else(|| branch.conditions.get(&root)) {
            None => {}
            Some(Value::Rational(r)) => match known.asked(r)? {
                Some(p) => all.push(p),
                None => return Ok(None),
            },
            // What roots are taken of is asked for anyway.
            Some(Value::Root { a, b, radicand }) if a.is_zero() => match known.besides(radicand)?.asked(b)? {
                Some(p) => all.push(p),
                None => return Ok(None),
            },
            Some(value) => match known.root_sign(&RationalFunction::variable(root), &(root, value.clone()))? {
                Sign::Nonpositive => return Ok(None),
                Sign::Both if !nonnegative_roots.contains(value) => nonnegative_roots.push(value.clone()),
                _ => {}
            },
        }
    }
    for p in &branch.relations {
        if p.is_definite()? {
            return Ok(None);
        }
    }
    for root in &texts.sequences.roots {
        match known.asked(root)? {
            // What is divided by is not zero.
            Some(p) if root.numerator().is_constant() && !p.is_constant() => positive.polynomials.push(p),
            Some(p) => all.push(p),
            None => return Ok(None),
        }
    }
    let mut nonnegative = Vec::new();
    for p in all {
        match known.sign(&p)? {
            Sign::Nonnegative => {}
            Sign::Nonpositive => return Ok(None),
            Sign::Both | Sign::Unknown if nonnegative.contains(&p) || positive.polynomials.contains(&p) => {}
            Sign::Both | Sign::Unknown => nonnegative.push(p),
        }
    }
    if is_contradictory(&known, &nonnegative, &positive.polynomials) {
        return Ok(None);
    }
    let nonzero = branch.nonzero.iter().filter(|p| !known.is_never_zero(p)).cloned().collect();
    Ok(Some(Demands { nonnegative, positive, nonnegative_roots, nonzero }))
}

/// Whether no number is where one symbol must be by what is asked of it alone.
fn is_contradictory(known: &Known, nonnegative: &[Polynomial], positive: &[Polynomial]) -> bool {
    let mut bounds: SortedMap<Variable, [Option<(Rational, bool)>; 2]> = SortedMap::new();
    let asked = nonnegative.iter().map(|p| (p, false)).chain(positive.iter().map(|p| (p, true)));
    for (p, is_strict) in asked {
        let [v] = p.variables()[..] else { continue };
        let parts: Vec<_> = p.coefficients_in(v).iter().map(Polynomial::as_integer).collect();
        let [Some(b), Some(a)] = &parts[..] else { continue };
        // a v + b is not negative.
        let bound = (-Rational::from(b.clone()) / Rational::from(a.clone()), is_strict);
        let own = bounds.entry(v).or_insert_with(|| [known.is_positive(v).then_some((Rational::ZERO, false)), None]);
        let (side, is_tighter): (_, fn(&_, &_) -> bool) =
            if *a > Integer::ZERO { (&mut own[0], |x, y| x > y) } else { (&mut own[1], |x, y| x < y) };
        if side.as_ref().is_none_or(|old| is_tighter(&bound.0, &old.0) || bound.0 == old.0 && is_strict) {
            *side = Some(bound);
        }
    }
    bounds.values().any(|bounds| match bounds {
        [Some((least, x)), Some((most, y))] => least > most || least == most && (*x || *y),
        _ => false,
    })
}

/// Whether some branch is real wherever the given parameters are, and these numbers positive there.
pub fn is_everywhere(texts: Texts, branches: &[Branch], numbers: &[RationalFunction]) -> Result<bool, Exhausted> {
    let mut open: Vec<Polynomial> = Vec::new();
    for branch in branches {
        if !has_solutions(branch)? {
            continue;
        }
        let Some(Demands { nonnegative, mut positive, nonnegative_roots, .. }) = demands(texts, branch)? else {
            continue;
        };
        // A root of odd degree is real, but may be negative.
        let is_root = |v: &Variable| texts.is_root(*v);
        if !positive.roots.is_empty()
            || !nonnegative_roots.is_empty()
            || branch.relations.iter().any(|p| p.variables().iter().any(is_root))
        {
            continue;
        }
        for number in numbers {
            positive.polynomials.extend(unknown_sign(texts, branch, number)?);
        }
        let mut all = nonnegative;
        for p in positive.polynomials {
            if texts.names == Names::Shared || !is_positive_by_custom(&p)? {
                all.push(p);
            }
        }
        match &all[..] {
            all if is_met_far_out(texts, branch, all) => return Ok(true),
            // One branch where it is positive, another where it is negative.
            [p] if open.contains(&-p.clone()) => return Ok(true),
            [p] => open.push(p.clone()),
            _ => {}
        }
    }
    Ok(false)
}

/// What must be positive for a number to be positive, unless it is known to be.
pub fn unknown_sign(texts: Texts, branch: &Branch, number: &RationalFunction) -> Result<Option<Polynomial>, Exhausted> {
    let Some((known, _)) = Known::of(texts, branch)? else { return Ok(None) };
    let p = number.numerator().mul(number.denominator())?;
    Ok((known.sign(&p)? != Sign::Nonnegative).then_some(p))
}

/// Whether a polynomial is not negative where all of its variables are positive.
fn is_positive_by_custom(p: &Polynomial) -> Result<bool, Exhausted> {
    let mut found = p.clone();
    for v in p.variables() {
        found = found.substitute(v, &Polynomial::variable(v).square()?)?;
    }
    Ok(found.sign()? == Sign::Nonnegative)
}

/// Whether there is nothing to meet, or an arbitrary unknown that meets it all where it is large.
fn is_met_far_out(texts: Texts, branch: &Branch, open: &[Polynomial]) -> bool {
    let grows = |p: &Polynomial, v: Variable, downwards: bool| {
        let degree = p.degree_in(v);
        let lead = p.coefficients_in(v).pop().and_then(|c| c.as_integer());
        let negative = downwards && degree % 2 == 1;
        degree > 0 && lead.is_some_and(|c| (c > Integer::ZERO) != negative)
    };
    // A single one that is odd in an unknown has either sign, but for special values of the given parameters.
    let far = |v: &Variable| {
        if texts.is_root(*v) {
            return open.iter().all(|p| grows(p, *v, false));
        }
        [false, true].into_iter().any(|down| open.iter().all(|p| grows(p, *v, down)))
            || matches!(open, [p] if p.degree_in(*v) % 2 == 1)
    };
    open.is_empty() || (branch.relations.is_empty() && branch.free.iter().any(far))
}

/// Whether what is left unsolved has real solutions, whatever the given parameters are.
fn has_solutions(branch: &Branch) -> Result<bool, Exhausted> {
    let [p] = &branch.relations[..] else { return Ok(branch.relations.is_empty()) };
    for v in &branch.free {
        if has_real_root(p, *v)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a polynomial is known to have a real zero in one variable, whatever the others are: one of odd degree has,
/// and one without others that takes both signs.
pub fn has_real_root(p: &Polynomial, v: Variable) -> Result<bool, Exhausted> {
    Ok(p.degree_in(v) % 2 == 1 || p.variables() == [v] && p.sign()? == Sign::Both)
}

impl Texts<'_> {
    /// Whether a symbol is a square root of parameters: it is not negative.
    fn is_root(&self, v: Variable) -> bool {
        self.functions("sqrt").any(|root| root == v)
    }

    /// The symbols of a function of parameters.
    fn functions(&self, name: &'static str) -> impl Iterator<Item = Variable> {
        let of = move |system: &LinearSystem, side: Side| -> Vec<Variable> {
            system.functions.iter().filter(|(_, n, _)| *n == name).map(|(v, ..)| side.place(*v)).collect()
        };
        of(self.first, Side::First).into_iter().chain(of(self.second, Side::Second))
    }
}

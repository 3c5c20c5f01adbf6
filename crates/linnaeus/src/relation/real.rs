//! Which solutions are real. The equations are solved over an algebraic closure; a square root asks
//! that something be no less than zero, and so does a value of √s, which is never negative.

use super::behavior::Side;
use super::soundness::radicands;
use crate::system::LinearSystem;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Integer, Polynomial, RationalFunction, Sign, Variable};

/// The texts whose parameters are compared.
#[derive(Copy, Clone)]
pub struct Texts<'a> {
    /// A's.
    pub first: &'a LinearSystem,
    /// B's.
    pub second: &'a LinearSystem,
}

/// What must not be negative for a branch to be real and need not be so; nothing if it cannot be.
pub fn demands(texts: Texts, branch: &Branch) -> Result<Option<Vec<Polynomial>>, Exhausted> {
    let mut all: Vec<Polynomial> = radicands(branch).cloned().collect();
    for root in texts.functions("sqrt") {
        if let Some(Value::Rational(r)) = branch.values.get(&root).or_else(|| branch.conditions.get(&root)) {
            all.push(r.numerator().mul(r.denominator())?);
        }
    }
    if texts.has_negative_step(branch)? {
        return Ok(None);
    }
    for p in &branch.relations {
        if p.is_definite()? {
            return Ok(None);
        }
    }
    let mut found = Vec::new();
    for p in all {
        match texts.sign(&p)? {
            Sign::Nonnegative => {}
            Sign::Nonpositive => return Ok(None),
            Sign::Both | Sign::Unknown if found.contains(&p) => {}
            Sign::Both | Sign::Unknown => found.push(p),
        }
    }
    Ok(Some(found))
}

/// Whether some branch is real wherever the given parameters are.
pub fn is_everywhere(texts: Texts, branches: &[Branch]) -> Result<bool, Exhausted> {
    let mut open: Vec<Polynomial> = Vec::new();
    for branch in branches {
        if !has_solutions(branch)? {
            continue;
        }
        match demands(texts, branch)?.as_deref() {
            Some(open) if is_met_far_out(branch, open) => return Ok(true),
            // One branch where it is positive, another where it is negative.
            Some([p]) if open.contains(&-p.clone()) => return Ok(true),
            Some([p]) => open.push(p.clone()),
            _ => {}
        }
    }
    Ok(false)
}

/// Whether there is nothing to meet, or an arbitrary unknown that meets it all where it is large.
fn is_met_far_out(branch: &Branch, open: &[Polynomial]) -> bool {
    let grows = |p: &Polynomial, v: Variable, downwards: bool| {
        let degree = p.degree_in(v);
        let lead = p.coefficients_in(v).pop().and_then(|c| c.as_integer());
        let negative = downwards && degree % 2 == 1;
        degree > 0 && lead.is_some_and(|c| (c > Integer::ZERO) != negative)
    };
    let far = |v: &Variable| [false, true].into_iter().any(|down| open.iter().all(|p| grows(p, *v, down)));
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

/// Whether a step that is no number in the text becomes a negative one: proximal maps have positive steps.
pub fn is_negative(
    step: &RationalFunction,
    value: &dyn Fn(Variable) -> Option<RationalFunction>,
) -> Result<bool, Exhausted> {
    if step.variables().is_empty() {
        return Ok(false);
    }
    let found = step.substitute(value)?.filter(|r| r.variables().is_empty());
    Ok(found.is_some_and(|r| r.numerator().leading_coefficient() < Integer::ZERO))
}

impl Texts<'_> {
    fn has_negative_step(&self, branch: &Branch) -> Result<bool, Exhausted> {
        let value = |v: Variable| match branch.values.get(&v).or_else(|| branch.conditions.get(&v)) {
            Some(Value::Rational(r)) => Some(r.clone()),
            _ => None,
        };
        for (system, side) in [(self.first, Side::First), (self.second, Side::Second)] {
            for call in system.calls.iter().filter(|c| c.oracle.kind.has_step()) {
                if is_negative(&call.oracle.step.rename(&|v| side.place(v)), &value)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The symbols of a function of parameters.
    fn functions(&self, name: &'static str) -> impl Iterator<Item = Variable> {
        let of = move |system: &LinearSystem, side: Side| -> Vec<Variable> {
            system.functions.iter().filter(|(_, n, _)| *n == name).map(|(v, ..)| side.place(*v)).collect()
        };
        of(self.first, Side::First).into_iter().chain(of(self.second, Side::Second))
    }

    /// The sign of a polynomial, roots and exponentials being no less than zero.
    fn sign(&self, p: &Polynomial) -> Result<Sign, Exhausted> {
        let mut found = p.clone();
        for v in self.functions("sqrt").chain(self.functions("exp")) {
            found = found.substitute(v, &Polynomial::variable(v).square()?)?;
        }
        found.sign()
    }
}

//! A locally closed set, partly solved.

use super::roles::Roles;
use super::{Problem, groebner, limited};
use crate::{Exhausted, Polynomial, RationalFunction, SortedSet, Variable};

/// The work on the linear combinations of the equations.
const ECHELON_FUEL: u64 = 5_000_000;

/// An equation: the product of these different irreducible polynomials vanishes.
pub(super) type Factors = SortedSet<Polynomial>;

/// A variable of which an equation, in no other variable that is yet to be solved for, has degree
/// at least two. The leading coefficient does not vanish.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) variable: Variable,
    pub(super) equation: Polynomial,
}

/// A set of solutions.
///
/// Invariant: no factor of an equation is a unit or among `nonzero`; no assigned variable occurs
/// in an equation, an inequation or a later assignment; the variable of a link occurs in no
/// equation and in no other link before it.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) equations: Vec<Factors>,
    /// What does not vanish: irreducible and not units.
    pub(super) nonzero: SortedSet<Polynomial>,
    /// The variables that are solved for rationally, each by those not assigned before.
    pub(super) assigned: Vec<(Variable, RationalFunction)>,
    /// The variables that are algebraic over the ones left.
    pub(super) chain: Vec<Link>,
    /// Are the equations a Gröbner basis, or was that tried?
    pub(super) basis_tried: bool,
    /// By Krull's theorem, a component has at least this dimension.
    least_dimension: usize,
    /// Was every factorization complete?
    certain: bool,
}

impl Case {
    /// The whole problem, if it is not contradictory.
    pub(super) fn new(problem: &Problem, roles: &Roles) -> Result<Option<Self>, Exhausted> {
        let mut case = Some(Case {
            equations: Vec::new(),
            nonzero: SortedSet::new(),
            assigned: Vec::new(),
            chain: Vec::new(),
            basis_tried: false,
            least_dimension: 0,
            certain: true,
        });
        for p in &problem.nonzero {
            case = match case {
                Some(case) => case.excluding(p, roles)?,
                None => None,
            };
        }
        let Some(case) = case else { return Ok(None) };
        let equations: Vec<&Polynomial> = problem.equations.iter().collect();
        let variables = roles.descending(equations.iter().copied());
        let echelon = || groebner::echelon_form(variables, &equations);
        match limited(ECHELON_FUEL, echelon)?.flatten() {
            Some(shorter) => case.requiring(&shorter, roles),
            None => case.requiring(&problem.equations, roles),
        }
    }

    /// Is every polynomial that is called irreducible known to be so?
    pub(super) fn is_certain(&self) -> bool {
        self.certain
    }

    /// The number of variables that are neither assigned nor algebraic.
    pub(super) fn open(&self, roles: &Roles) -> usize {
        roles.dimension() - self.assigned.len() - self.chain.len()
    }

    /// Updates the least dimension of a component, and says whether this case may contain one:
    /// two different irreducible polynomials have no common zeros of codimension one.
    pub(super) fn may_be_component(&mut self, roles: &Roles) -> bool {
        let open = self.open(roles);
        let least = open.saturating_sub(self.equations.len());
        self.least_dimension = self.least_dimension.max(least);
        let irreducible = self.equations.iter().filter(|factors| factors.len() == 1);
        let codimension = match irreducible.count() {
            0 | 1 => self.equations.len().min(1),
            _ => 2,
        };
        open >= self.least_dimension + codimension
    }

    /// The irreducible factors that are neither units nor known not to vanish; `None` for zero.
    fn factors(&mut self, p: &Polynomial, roles: &Roles) -> Result<Option<Factors>, Exhausted> {
        if p.is_zero() {
            return Ok(None);
        }
        if roles.is_unit(p) {
            return Ok(Some(Factors::new()));
        }
        let p = p.primitive_part();
        if self.nonzero.contains(&p) {
            return Ok(Some(Factors::new()));
        }
        let factorization = p.factor()?;
        self.certain &= factorization.complete;
        let all = factorization.factors.into_iter().map(|(factor, _)| factor);
        let remain = all.filter(|f| !roles.is_unit(f) && !self.nonzero.contains(f));
        Ok(Some(remain.collect()))
    }

    /// The subset where the polynomials vanish, if it is not empty at once.
    pub(super) fn requiring<'a>(
        mut self,
        polynomials: impl IntoIterator<Item = &'a Polynomial>,
        roles: &Roles,
    ) -> Result<Option<Self>, Exhausted> {
        for p in polynomials {
            match self.factors(p, roles)? {
                None => {}
                Some(factors) if factors.is_empty() => return Ok(None),
                Some(factors) => self.insert(factors),
            }
        }
        Ok(Some(self))
    }

    /// Adds an equation, unless it follows from another, without those that follow from it.
    pub(super) fn insert(&mut self, factors: Factors) {
        if self.equations.iter().any(|e| e.is_subset(&factors)) {
            return;
        }
        self.equations.retain(|e| !factors.is_subset(e));
        self.equations.push(factors);
        self.basis_tried = false;
    }

    /// The subset where the polynomial does not vanish, if it is not empty at once.
    pub(super) fn excluding(mut self, p: &Polynomial, roles: &Roles) -> Result<Option<Self>, Exhausted> {
        let Some(factors) = self.factors(p, roles)? else {
            return Ok(None);
        };
        if factors.is_empty() {
            return Ok(Some(self));
        }
        let equations = std::mem::take(&mut self.equations);
        for equation in equations {
            let remain: Factors = equation.difference(&factors).cloned().collect();
            if remain.is_empty() {
                return Ok(None);
            }
            self.insert(remain);
        }
        if self.chain.iter().any(|link| factors.contains(&link.equation)) {
            return Ok(None);
        }
        self.nonzero.extend(factors);
        Ok(Some(self))
    }

    /// The subset where v = value, whose denominator must be known not to vanish, if it is not
    /// empty at once.
    pub(super) fn assigning(
        mut self,
        v: Variable,
        value: RationalFunction,
        roles: &Roles,
    ) -> Result<Option<Self>, Exhausted> {
        let nonzero = std::mem::take(&mut self.nonzero);
        let (changed, kept): (Vec<_>, Vec<_>) = nonzero.into_iter().partition(|p| p.degree_in(v) > 0);
        self.nonzero.extend(kept);
        for p in changed {
            match self.factors(&numerator_at(&p, v, &value)?, roles)? {
                None => return Ok(None),
                Some(factors) => self.nonzero.extend(factors),
            }
        }
        let chain = std::mem::take(&mut self.chain);
        let (changed, kept): (Vec<_>, Vec<_>) = chain.into_iter().partition(|link| link.equation.degree_in(v) > 0);
        self.chain = kept;
        let links = changed.into_iter().map(|link| Factors::from([link.equation]));
        let equations = std::mem::take(&mut self.equations);
        for equation in equations.into_iter().chain(links) {
            match self.at(equation, v, &value, roles)? {
                None => {}
                Some(factors) if factors.is_empty() => return Ok(None),
                Some(factors) => self.insert(factors),
            }
        }
        self.assigned.push((v, value));
        Ok(Some(self))
    }

    /// The factors of an equation at v = value; `None` when it is satisfied.
    fn at(
        &mut self,
        equation: Factors,
        v: Variable,
        value: &RationalFunction,
        roles: &Roles,
    ) -> Result<Option<Factors>, Exhausted> {
        let mut factors = Factors::new();
        for f in equation {
            if f.degree_in(v) == 0 {
                if !self.nonzero.contains(&f) {
                    factors.insert(f);
                }
                continue;
            }
            match self.factors(&numerator_at(&f, v, value)?, roles)? {
                None => return Ok(None),
                Some(new) => factors.extend(new),
            }
        }
        Ok(Some(factors))
    }
}

/// The numerator of `p` at v = value, over the denominator to the degree of `p`.
pub(super) fn numerator_at(p: &Polynomial, v: Variable, value: &RationalFunction) -> Result<Polynomial, Exhausted> {
    let (n, d) = (value.numerator(), value.denominator());
    if d.is_one() {
        return p.substitute(v, n);
    }
    let mut sum = Polynomial::zero();
    let mut denominators = Polynomial::one();
    let mut exponent = p.degree_in(v);
    for (e, c) in p.grouped_by(v) {
        let gap = exponent - e;
        sum = sum.mul(&n.pow(gap)?)?;
        denominators = denominators.mul(&d.pow(gap)?)?;
        sum = sum + c.mul(&denominators)?;
        exponent = e;
    }
    sum.mul(&n.pow(exponent)?)
}

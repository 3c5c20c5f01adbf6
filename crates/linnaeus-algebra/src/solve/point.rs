//! The generic point of a branch.

use super::triangular::pseudo_remainder;
use super::{Branch, Conditions, Problem, Value, quadratic};
use crate::{Exhausted, Polynomial, RationalFunction, SortedMap, Variable, spend};

/// A prime for evaluations.
const PRIME: u64 = (1 << 61) - 1;

/// The number of places at which a polynomial is evaluated to call it zero.
const PLACES: usize = 4;

/// Does the branch solve the problem?
///
/// Substitutes its values and says whether all equations vanish identically, modulo the relations
/// and the squares of the roots, and no nonzero polynomial does. It shares nothing with the search
/// but arithmetic. Rational values are not multiplied out but evaluated modulo a prime above 2⁶⁰, at
/// four places.
///
/// # Errors
/// [`Exhausted`] when the fuel ends.
///
/// ```
/// use linnaeus_algebra::solve::{Conditions, Problem, Value, solve, verify};
/// use linnaeus_algebra::{Polynomial, RationalFunction, Variable};
/// let [p, x] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
/// let problem = Problem {
///     equations: vec![&x - &p],
///     unknowns: vec![Variable(1)],
///     given: vec![Variable(0)],
///     nonzero: vec![x],
///     conditions: Conditions::Never,
/// };
/// let mut branch = solve(&problem).unwrap().branches.remove(0);
/// assert_eq!(verify(&problem, &branch), Ok(true));
/// branch.values.insert(Variable(1), Value::Rational(RationalFunction::one()));
/// assert_eq!(verify(&problem, &branch), Ok(false));
/// ```
pub fn verify(problem: &Problem, branch: &Branch) -> Result<bool, Exhausted> {
    if !is_well_formed(problem, branch) {
        return Ok(false);
    }
    let Some(point) = Point::new(branch, 0)?.map(Point::with_places) else {
        return Ok(false);
    };
    for p in &problem.equations {
        if !point.is_zero_of(p)? {
            return Ok(false);
        }
    }
    for p in problem.nonzero.iter().chain(&branch.nonzero) {
        if point.is_zero_of(p)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Is every variable accounted for once, and expressed by those that are arbitrary?
fn is_well_formed(problem: &Problem, branch: &Branch) -> bool {
    let assigned = |v: &Variable| branch.values.contains_key(v) || branch.conditions.contains_key(v);
    let values = || branch.values.values().chain(branch.conditions.values());
    let mut open = branch.relations.iter().chain(&branch.nonzero).flat_map(Polynomial::variables);
    let unknowns = || problem.unknowns.iter();
    let has_unknown = |p: &Polynomial| unknowns().any(|&v| p.degree_in(v) > 0);
    let given_stay_generic = match problem.conditions {
        Conditions::Allowed => branch.conditions.keys().all(|v| problem.given.contains(v)),
        Conditions::Never => branch.conditions.is_empty() && branch.relations.iter().all(has_unknown),
    };
    unknowns().all(|v| branch.values.contains_key(v) != branch.free.contains(v))
        && branch.values.keys().chain(&branch.free).all(|v| problem.unknowns.contains(v))
        && values().all(|value| !value.variables().iter().any(assigned))
        && !open.any(|v| assigned(&v))
        && given_stay_generic
}

/// The values of a branch with a variable for each square root, and what is zero besides.
pub(super) struct Point {
    values: SortedMap<Variable, RationalFunction>,
    /// Variables s with s² = radicand.
    roots: Vec<(Variable, Polynomial)>,
    /// Relations and a variable of each that occurs in none of the later ones.
    relations: Vec<(Variable, Polynomial)>,
    /// Where polynomials are evaluated, if there are neither roots nor relations.
    places: Vec<Place>,
}

/// Pseudo-random residues of all variables that are not assigned, and what they make of the others.
struct Place {
    seed: u64,
    values: SortedMap<Variable, u64>,
}

impl Place {
    /// `None` if a denominator vanishes there.
    fn new(seed: u64, values: &SortedMap<Variable, RationalFunction>) -> Option<Self> {
        let mut place = Place { seed, values: SortedMap::new() };
        for (&v, value) in values {
            let residue = value.evaluate_mod(&|w| place.arbitrary(w), PRIME)?;
            place.values.insert(v, residue);
        }
        Some(place)
    }

    fn arbitrary(&self, v: Variable) -> u64 {
        let mixed = (self.seed << 32 | u64::from(v.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) % PRIME
    }

    fn residue(&self, p: &Polynomial) -> u64 {
        p.evaluate_mod(&|v| self.values.get(&v).copied().unwrap_or_else(|| self.arbitrary(v)), PRIME)
    }
}

impl Point {
    /// The generic point of `branch`, with new variables not below `fresh`; `None` when the
    /// relations are not triangular.
    pub(super) fn new(branch: &Branch, fresh: u32) -> Result<Option<Self>, Exhausted> {
        let Some(relations) = triangular(&branch.relations) else {
            return Ok(None);
        };
        let all = || branch.values.iter().chain(&branch.conditions);
        let mentioned = all().flat_map(|(&v, value)| [vec![v], value.variables()].concat());
        let listed = branch.free.iter().copied();
        let related = branch.relations.iter().flat_map(Polynomial::variables);
        let above = mentioned.chain(listed).chain(related).map(|v| v.0 + 1).max();
        let mut point = Point { values: SortedMap::new(), roots: Vec::new(), relations, places: Vec::new() };
        let first = fresh.max(above.unwrap_or(0));
        for (&v, value) in all() {
            let value = point.with_variable_for_root(value, first)?;
            point.values.insert(v, value);
        }
        Ok(Some(point))
    }

    /// The same with places to evaluate at.
    pub(super) fn with_places(mut self) -> Self {
        if self.roots.is_empty() && self.relations.is_empty() {
            let places = (0..2 * PLACES as u64).filter_map(|seed| Place::new(seed, &self.values));
            self.places = places.take(PLACES).collect();
        }
        self
    }

    fn with_variable_for_root(&mut self, value: &Value, first: u32) -> Result<RationalFunction, Exhausted> {
        match value {
            Value::Rational(f) => Ok(f.clone()),
            Value::Root { a, b, radicand } => {
                let known = self.roots.iter().find(|(_, r)| r == radicand);
                let s = known.map_or(Variable(first + self.roots.len() as u32), |&(s, _)| s);
                if known.is_none() {
                    self.roots.push((s, radicand.clone()));
                }
                a.add(&b.mul(&RationalFunction::variable(s))?)
            }
        }
    }

    /// The numerator of `p` at this point, of degree at most one in each root.
    fn at(&self, p: &Polynomial) -> Result<Polynomial, Exhausted> {
        let p = RationalFunction::polynomial(p.clone());
        let value = p.substitute(&|v| self.values.get(&v).cloned())?;
        let mut value = value.expect("a polynomial has no poles").numerator().clone();
        for (s, radicand) in &self.roots {
            let parts = quadratic::remainder(&value, *s, radicand)?;
            value = Polynomial::from_coefficients_in(*s, &parts);
        }
        Ok(value)
    }

    /// Does `p` vanish at this point?
    ///
    /// Where there are neither roots nor relations its residues modulo a prime above 2⁶⁰ at four independent
    /// places decide: that a polynomial other than 0 has four zeros there has odds below 10⁻⁵⁰ for any
    /// degree below 10⁵. Otherwise the value is computed.
    pub(super) fn is_zero_of(&self, p: &Polynomial) -> Result<bool, Exhausted> {
        if self.places.len() == PLACES {
            spend((PLACES * p.term_count()) as u64)?;
            return Ok(self.places.iter().all(|place| place.residue(p) == 0));
        }
        let mut value = self.at(p)?;
        for (v, relation) in &self.relations {
            value = pseudo_remainder(&value, relation, *v)?;
        }
        Ok(value.is_zero())
    }

    /// The product of the numerators of `p` over all signs of the roots.
    pub(super) fn norm(&self, p: &Polynomial) -> Result<Polynomial, Exhausted> {
        let mut norm = self.at(p)?;
        for (s, radicand) in &self.roots {
            if norm.degree_in(*s) > 0 {
                let [a, b] = quadratic::remainder(&norm, *s, radicand)?;
                norm = a.square()? - b.square()?.mul(radicand)?;
            }
        }
        Ok(norm)
    }

    /// The leading coefficients of the relations.
    pub(super) fn leading_coefficients(&self) -> impl Iterator<Item = Polynomial> {
        self.relations.iter().map(|(v, relation)| relation.leading_coefficient_in(*v))
    }
}

/// The relations, each with a variable that occurs in none of the later ones.
fn triangular(relations: &[Polynomial]) -> Option<Vec<(Variable, Polynomial)>> {
    let mut rest: Vec<&Polynomial> = relations.iter().collect();
    let mut sorted = Vec::new();
    while !rest.is_empty() {
        let (i, v) = rest.iter().enumerate().find_map(|(i, p)| {
            let alone = |v: &Variable| rest.iter().filter(|q| q.degree_in(*v) > 0).count() == 1;
            let candidates = p.variables().into_iter().filter(alone);
            candidates.min_by_key(|&v| p.degree_in(v)).map(|v| (i, v))
        })?;
        sorted.push((v, rest.remove(i).clone()));
    }
    Some(sorted)
}

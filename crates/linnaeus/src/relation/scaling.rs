//! What may be done to the signals of a channel besides what makes it another oracle of the same function.
//!
//! Every oracle commutes with shifts and a linear one with every filter c(z), which is done to both signals:
//! H_A = Θ H_B Θ⁻¹ with Θ = diag(z^(-m_i) c_i). Where channels act on each other, the quotients of Θ's entries
//! are those of the entries of H_A and H_B, so Θ is read off a spanning forest of that graph, with
//! the parameters still unknown. The entries outside the forest, that is the products along
//! cycles, then are the equations for the parameters.
//!
//! The graph of ∂g is mapped to itself by diag(c, 1) if g is homogeneous of degree 1, by every diag(c, e) if it is the
//! indicator of a cone, c and e being positive numbers. What that does to another oracle of g follows from how its
//! pairs are made of those of ∂g: prox_{tg} becomes prox_{(c/e)tg}, query and answer multiplied by c. The numbers are
//! unknowns like the parameters.

use super::behavior::{Behavior, Port};
use super::hypothesis::{Hypothesis, Pairing};
use super::operators::{is_scale, scale};
use super::parameters::coefficients;
use super::search::Scope;
use super::shift::{Chosen, Shifts, candidates, components};
use super::verdict::Relation;
use crate::syntax::ast::{FunctionTrait, OracleKind};
use crate::system::{LinearSystem, Oracle, Z};
use crate::transfer::graph::between;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{
    Exhausted, Matrix, Polynomial, Rational, RationalFunction, Sign, SortedMap, SortedSet, Variable,
};
use std::sync::Arc;

type M = Matrix<RationalFunction>;

/// What is done to the graph of ∂f besides shifts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freedom {
    /// Nothing.
    Shift,
    /// u₀ is multiplied by a positive number: the function is the indicator of a set, and another oracle of it is called.
    Indicator,
    /// y₀ is multiplied by a positive number: the function is homogeneous of degree 1.
    Ray,
    /// y₀ and u₀ are by two: the function is the indicator of a cone.
    Cone,
    /// Both are by one: the oracle of a black box commutes with it.
    Positive,
    /// Both pass a filter.
    Filter,
}

/// What the channels' oracles admit, by the declarations of both texts; B in A's order. What one text says of a
/// function holds of the other's wherever they are one; of families that is asked only where both say it. A sample path
/// commutes with no filter.
pub fn freedoms(
    first: (&LinearSystem, &[Port]),
    second: (&LinearSystem, &[Port]),
    hypothesis: &Hypothesis,
    scope: Scope,
) -> Vec<Freedom> {
    let declared = |(system, ports): (&LinearSystem, &[Port]), i: usize, what: FunctionTrait| {
        let traits = system.traits.get(&ports[i].oracle.function);
        traits.is_some_and(|t| t.contains(&what))
    };
    let known = |i: usize, what: FunctionTrait| match (declared(first, i, what), declared(second, i, what)) {
        (one, other) if scope == Scope::Families => one && other,
        (one, other) => one || other,
    };
    let has_kind = |i: usize, kind: OracleKind| first.1[i].oracle.kind == kind || second.1[i].oracle.kind == kind;
    let freedom = |i: usize| {
        if known(i, FunctionTrait::Linear) && first.1[i].oracle.sample.is_none() {
            Freedom::Filter
        } else if !known(i, FunctionTrait::Homogeneous) && !known(i, FunctionTrait::Cone) {
            own_freedom(hypothesis.pairings[i], &first.1[i].oracle, &second.1[i].oracle, scope)
        } else if has_kind(i, OracleKind::BlackBox) {
            Freedom::Positive
        } else if known(i, FunctionTrait::Cone) || has_kind(i, OracleKind::Projection) {
            Freedom::Cone
        } else {
            Freedom::Ray
        }
    };
    (0..first.1.len()).map(freedom).collect()
}

/// What two oracles admit without declarations. A projection is a prox of every step, which is not tried of families.
pub fn own_freedom(pairing: Pairing, first: &Oracle, second: &Oracle, scope: Scope) -> Freedom {
    let kinds = [first.kind, second.kind];
    let is_indicator = kinds.contains(&OracleKind::Projection) && !kinds.contains(&OracleKind::BlackBox);
    if scope == Scope::Texts && pairing == Pairing::Lft && is_indicator { Freedom::Indicator } else { Freedom::Shift }
}

/// One channel of B, scaled by numbers that may be unknown.
#[derive(Clone, Debug)]
pub struct Scaled {
    /// How its pairs become those of A's oracle.
    pub matrix: M,
    /// Its step then, where it must be that of A's.
    pub step: RationalFunction,
    /// c and e.
    pub numbers: [RationalFunction; 2],
}

/// All channels of B, in A's order, with unknown numbers where the freedom admits them; filters are numbers too
/// if that is asked.
pub fn scaled_channels(
    hypothesis: &Hypothesis,
    (first, second): (&[Port], &[Port]),
    freedom: &[Freedom],
    filters_too: bool,
) -> Result<Vec<Scaled>, Exhausted> {
    let one = RationalFunction::one;
    let channel = |(i, &j): (usize, &usize)| {
        let (x, y) = (&first[i].oracle, &second[j].oracle);
        if freedom[i] == Freedom::Shift || freedom[i] == Freedom::Filter && !filters_too {
            let matrix = hypothesis.pairings[i].matrix(x, y)?;
            return Ok(Scaled { matrix, step: y.step.clone(), numbers: [one(), one()] });
        }
        let (c, e) = (RationalFunction::variable(scale(2 * i)), RationalFunction::variable(scale(2 * i + 1)));
        let numbers = match freedom[i] {
            Freedom::Shift => [one(), one()],
            Freedom::Indicator => [one(), e],
            Freedom::Ray => [c, one()],
            Freedom::Cone => [c, e],
            Freedom::Positive | Freedom::Filter => [c.clone(), c],
        };
        scaled(hypothesis.pairings[i], x, y, numbers)
    };
    hypothesis.order.iter().enumerate().map(channel).collect()
}

fn scaled(
    pairing: Pairing,
    first: &Oracle,
    second: &Oracle,
    [c, e]: [RationalFunction; 2],
) -> Result<Scaled, Exhausted> {
    use OracleKind::*;
    let diagonal = |a: &RationalFunction, b: &RationalFunction| {
        let zero = RationalFunction::zero;
        Matrix::from_rows(vec![vec![a.clone(), zero()], vec![zero(), b.clone()]])
    };
    if pairing == Pairing::Lft {
        let base = Oracle { kind: Subdifferential, conjugate: false, ..second.clone() };
        let matrix = between(first, &base)?.mul(&diagonal(&c, &e))?.mul(&between(&base, second)?)?;
        return Ok(Scaled { matrix, step: second.step.clone(), numbers: [c, e] });
    }
    let over = |x: &RationalFunction, y: &RationalFunction| Ok::<_, Exhausted>(x.div(y)?.expect("not zero"));
    let [y, u] = if second.conjugate { [&e, &c] } else { [&c, &e] };
    let (query, answer, factor) = match second.kind {
        Gradient | Subdifferential | BlackBox => (y, u, RationalFunction::one()),
        MoreauGradient => (y, u, over(y, u)?),
        Prox | Projection | Resolvent | Reflected => (y, y, over(y, u)?),
        Argmin => (y, y, over(u, y)?),
    };
    let seen: SortedSet<Variable> = query.variables().into_iter().chain(answer.variables()).collect();
    // A number that only the step depends on makes any step any other.
    let hidden = factor.variables().into_iter().find(|v| !seen.contains(v));
    let must = pairing == Pairing::Same && second.kind.has_step();
    let Some(hidden) = hidden.filter(|_| must) else {
        let step = second.step.mul(&factor)?;
        return Ok(Scaled { matrix: diagonal(query, answer), step, numbers: [c, e] });
    };
    let rest = factor.substitute(&|v| (v == hidden).then(RationalFunction::one))?.expect("not zero");
    let power = over(&factor, &rest)?;
    let wanted = over(&first.step, &second.step.mul(&rest)?)?;
    let is_above = power.denominator().is_constant();
    let value = if is_above { wanted } else { over(&RationalFunction::one(), &wanted)? };
    let put = |r: &RationalFunction| {
        Ok::<_, Exhausted>(r.substitute(&|v| (v == hidden).then(|| value.clone()))?.expect("not zero"))
    };
    Ok(Scaled { matrix: diagonal(query, answer), step: first.step.clone(), numbers: [put(&c)?, put(&e)?] })
}

/// One choice of Θ, and of the numbers by which channels are scaled.
#[derive(Clone, Debug)]
pub struct Gauge {
    /// m.
    pub shift: Vec<i64>,
    /// c, in both sides' symbols.
    pub filters: Vec<RationalFunction>,
    /// What c may be.
    freedom: Vec<Freedom>,
    /// What must vanish for c to be of that kind.
    pub equations: Vec<Polynomial>,
    /// How pairs of B's oracles become those of A's, once the numbers are known.
    pub matrices: Vec<M>,
    /// The numbers of every channel, where there are any.
    numbers: Vec<[RationalFunction; 2]>,
    /// Those of them that were solved for.
    positive: Vec<RationalFunction>,
    /// B's steps with them, where there are any.
    pub steps: Vec<RationalFunction>,
}

impl Gauge {
    /// Shifts alone.
    pub fn shifts(shift: Vec<i64>) -> Gauge {
        let p = shift.len();
        let filters = vec![RationalFunction::one(); p];
        Gauge {
            shift,
            filters,
            freedom: vec![Freedom::Shift; p],
            equations: Vec::new(),
            matrices: Vec::new(),
            numbers: Vec::new(),
            positive: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Shifts, where channels admit more.
    pub fn free(shift: Vec<i64>, freedom: &[Freedom]) -> Gauge {
        Gauge { freedom: freedom.to_vec(), ..Gauge::shifts(shift) }
    }

    /// Shifts, and on some channels the opposite of both signals.
    pub fn signed(shift: Vec<i64>, minus: &[bool]) -> Gauge {
        let sign = |m: &bool| RationalFunction::integer(if *m { -1 } else { 1 });
        Gauge { filters: minus.iter().map(sign).collect(), ..Gauge::shifts(shift) }
    }

    /// diag(c) H diag(c)⁻¹.
    pub fn apply(&self, b: &Behavior) -> Result<Behavior, Exhausted> {
        if self.filters.iter().all(RationalFunction::is_one) {
            return Ok(b.clone());
        }
        let p = b.h.rows();
        let diagonal = |of: &dyn Fn(usize) -> RationalFunction| {
            Matrix::from_fn(p, p, |i, j| if i == j { of(i) } else { RationalFunction::zero() })
        };
        let left = diagonal(&|i| self.filters[i].clone());
        let right = diagonal(&|i| self.filters[i].inverse().expect("c is not zero"));
        let h = left.mul(&b.h)?.mul(&right)?;
        let constants = left.mul(&b.constants)?;
        Ok(Behavior { h: Arc::new(h), constants: Arc::new(constants), ..b.clone() })
    }

    /// What two algorithms related in this way are called; none if shifts say it all.
    pub fn relation(&self) -> Option<Relation> {
        let filtered = |(f, c): (&Freedom, &RationalFunction)| *f == Freedom::Filter && !c.is_one();
        if self.freedom.iter().zip(&self.filters).any(filtered) {
            return Some(Relation::LinearOracle);
        }
        // That an indicator is any multiple of itself takes no declaration.
        let mut scaled = self.freedom.iter().zip(&self.numbers).filter(|(f, _)| **f != Freedom::Indicator);
        scaled.any(|(_, c)| c.iter().any(|c| !c.is_one())).then_some(Relation::Homogeneous)
    }

    /// With the numbers of a branch, which is left without them; nothing if one is not positive, or no rational function.
    pub fn settled(
        &self,
        channels: &[Scaled],
        unknown: &[Variable],
        branch: &mut Branch,
    ) -> Result<Option<Gauge>, Exhausted> {
        let matrices: Vec<M> = channels.iter().map(|c| c.matrix.clone()).collect();
        let mut found = Gauge { matrices, ..self.clone() };
        if unknown.is_empty() && channels.iter().all(|c| c.numbers.iter().all(RationalFunction::is_one)) {
            return Ok(Some(found));
        }
        let mut values: SortedMap<Variable, RationalFunction> = SortedMap::new();
        for v in unknown {
            let Some(c) = on_branch(&RationalFunction::variable(*v), branch)? else { return Ok(None) };
            if c.variables().contains(v) || c.as_rational().is_some_and(|c| c <= Rational::ZERO) {
                return Ok(None);
            }
            values.insert(*v, c.clone());
            found.positive.push(c);
        }
        for (i, channel) in channels.iter().enumerate() {
            let at = |r: &RationalFunction| on_branch(r, branch).map(|r| r.unwrap_or_else(RationalFunction::zero));
            let matrix = channel.matrix.try_map(at)?;
            let [c, e] = &channel.numbers;
            found.numbers.push([at(c)?, at(e)?]);
            let step = channel.step.substitute(&|v| values.get(&v).cloned())?;
            found.steps.push(step.unwrap_or_else(|| channel.step.clone()));
            found.matrices[i] = matrix;
            // The same number for query and answer is told as such.
            let m = &found.matrices[i];
            if m[(0, 0)] == m[(1, 1)] && m[(0, 1)].is_zero() && m[(1, 0)].is_zero() && !m[(0, 0)].is_one() {
                found.filters[i] = found.filters[i].mul(&m[(0, 0)])?;
                found.matrices[i] = Matrix::identity(2);
            }
        }
        branch.values.retain(|v, _| !unknown.contains(v));
        Ok(Some(found))
    }

    /// Whether what is done to the signals is another thing for other values of some unknowns.
    pub fn depends_on(&self, unknowns: &[Variable]) -> bool {
        let entries = self.matrices.iter().flat_map(|m| (0..2).flat_map(|i| m.row(i)));
        let mut all = self.filters.iter().chain(self.numbers.iter().flatten()).chain(entries);
        all.any(|r| r.variables().iter().any(|v| unknowns.contains(v)))
    }

    /// Whether two of the numbers that must be positive never are together.
    pub fn is_contradictory(&self) -> Result<bool, Exhausted> {
        let numbers = self.conditions();
        for (n, x) in numbers.iter().enumerate() {
            for y in &numbers[..n] {
                let product = x.mul(y)?;
                if product.numerator().mul(product.denominator())?.sign()? == Sign::Nonpositive {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What must be positive besides numbers.
    pub fn conditions(&self) -> Vec<RationalFunction> {
        let mut found: Vec<RationalFunction> = Vec::new();
        for c in &self.positive {
            // 1/s is as positive as s.
            let c = c.inverse().filter(|inverse| inverse.is_polynomial()).unwrap_or_else(|| c.clone());
            if c.as_rational().is_none() && !found.contains(&c) {
                found.push(c);
            }
        }
        found
    }
}

/// The numbers that are to be found.
pub fn unknowns(channels: &[Scaled]) -> Vec<Variable> {
    let used = channels.iter().flat_map(|c| {
        let entries = (0..2).flat_map(|i| c.matrix.row(i));
        entries.chain([&c.step]).flat_map(RationalFunction::variables).filter(|v| is_scale(*v)).collect::<Vec<_>>()
    });
    used.collect::<SortedSet<_>>().into_iter().collect()
}

/// A filter with the values of a branch, as far as these are rational.
pub fn on_branch(c: &RationalFunction, branch: &Branch) -> Result<Option<RationalFunction>, Exhausted> {
    let value = |v: Variable| match branch.values.get(&v).or_else(|| branch.conditions.get(&v)) {
        Some(Value::Rational(r)) => Some(r.clone()),
        _ => None,
    };
    // Twice, because values are given in variables that conditions may fix.
    match c.substitute(&value)? {
        Some(once) => once.substitute(&value),
        None => Ok(None),
    }
}

/// Choices of Θ.
pub struct Gauges {
    /// The choices.
    pub list: Vec<Gauge>,
    /// Whether these are all.
    pub complete: bool,
}

impl From<Shifts> for Gauges {
    fn from(shifts: Shifts) -> Gauges {
        Gauges { list: shifts.vectors.into_iter().map(Gauge::shifts).collect(), complete: shifts.complete }
    }
}

/// All Θ that can relate A to B, which is in A's oracles and order.
pub fn gauges(a: &Behavior, b: &Behavior, freedom: &[Freedom], chosen: Chosen) -> Result<Gauges, Exhausted> {
    let graph = Graph::new(a, b, freedom);
    let shifts = candidates(&graph.without_filters(&a.h), &graph.without_filters(&b.h), chosen);
    let mut list = Vec::new();
    for shift in shifts.vectors {
        let mut open = vec![Partial::new(shift)];
        while let Some(partial) = open.pop() {
            match graph.next(&partial) {
                Some(step) => open.extend(graph.extend(&partial, step)?),
                None => list.push(graph.finish(partial)?),
            }
        }
    }
    Ok(Gauges { list, complete: shifts.complete })
}

/// Which channels act on which, in A.
struct Graph<'a> {
    a: &'a Matrix<RationalFunction>,
    b: &'a Matrix<RationalFunction>,
    freedom: &'a [Freedom],
    /// Channels whose shifts hang together without the help of filtered ones.
    component: Vec<usize>,
    /// Symbols that c may not contain.
    operators: Vec<Variable>,
}

/// Θ as far as it is known.
#[derive(Clone)]
struct Partial {
    shift: Vec<i64>,
    /// By how much the shifts of a component are moved.
    moved: Vec<Option<i64>>,
    theta: Vec<Option<RationalFunction>>,
    equations: Vec<Polynomial>,
}

impl Partial {
    fn new(shift: Vec<i64>) -> Partial {
        let p = shift.len();
        Partial { shift, moved: vec![None; p], theta: vec![None; p], equations: Vec::new() }
    }
}

/// How the next channel's entry of Θ becomes known.
#[derive(Copy, Clone)]
enum Step {
    /// It is chosen: Θ is determined up to a factor per connected component.
    Root(usize),
    /// An entry of H gives its quotient by that of a known channel.
    Edge(usize, usize),
}

impl<'a> Graph<'a> {
    fn new(a: &'a Behavior, b: &'a Behavior, freedom: &'a [Freedom]) -> Graph<'a> {
        let p = freedom.len();
        let operators = a.operators.iter().chain(&b.operators).copied().collect();
        let mut graph = Graph { a: &a.h, b: &b.h, freedom, component: Vec::new(), operators };
        let rigid = |i: usize| freedom[i] != Freedom::Filter;
        let linked = |i: usize, j: usize| i != j && rigid(i) && rigid(j) && graph.has_edge(i, j);
        let linked: Vec<Vec<bool>> = (0..p).map(|i| (0..p).map(|j| linked(i, j)).collect()).collect();
        graph.component = components(&linked);
        graph
    }

    /// Whether either channel acts on the other.
    fn has_edge(&self, i: usize, j: usize) -> bool {
        let acts = |i: usize, j: usize| !self.a[(i, j)].is_zero() && !self.b[(i, j)].is_zero();
        acts(i, j) || acts(j, i)
    }

    fn without_filters(&self, h: &Matrix<RationalFunction>) -> Matrix<RationalFunction> {
        let free = |i: usize| self.freedom[i] == Freedom::Filter;
        let zero = |i: usize, j: usize| i != j && (free(i) || free(j));
        Matrix::from_fn(
            h.rows(),
            h.cols(),
            |i, j| {
                if zero(i, j) { RationalFunction::zero() } else { h[(i, j)].clone() }
            },
        )
    }

    /// Channels that are less free come first, so that roots are chosen among them.
    fn next(&self, partial: &Partial) -> Option<Step> {
        let mut unknown: Vec<usize> = (0..self.freedom.len()).filter(|&i| partial.theta[i].is_none()).collect();
        unknown.sort_by_key(|&i| self.freedom[i]);
        let known = |i: usize| (0..self.freedom.len()).find(|&j| partial.theta[j].is_some() && self.has_edge(i, j));
        let edge = unknown.iter().find_map(|&i| known(i).map(|j| Step::Edge(i, j)));
        edge.or_else(|| unknown.first().map(|&i| Step::Root(i)))
    }

    fn extend(&self, partial: &Partial, step: Step) -> Result<Vec<Partial>, Exhausted> {
        let (i, value) = match step {
            Step::Root(i) => (i, RationalFunction::one()),
            Step::Edge(i, j) => (i, self.quotient(i, j)?.mul(partial.theta[j].as_ref().expect("known"))?),
        };
        if self.freedom[i] == Freedom::Filter {
            let mut next = partial.clone();
            self.require_constant(&value, &self.operators, &mut next.equations)?;
            next.theta[i] = Some(value);
            return Ok(vec![next]);
        }
        let moves = match (step, partial.moved[self.component[i]]) {
            (_, Some(moved)) => moved..=moved,
            (Step::Root(_), None) => 0..=0,
            // z^(-m) is the value, which may lose terms where parameters are special.
            (Step::Edge(..), None) => {
                let degree = |p: &Polynomial| i64::from(p.degree_in(Z));
                let m = partial.shift[i];
                -degree(value.numerator()) - m..=degree(value.denominator()) - m
            }
        };
        moves.map(|moved| self.settle(partial.clone(), i, moved)).collect()
    }

    /// Moves the component of a channel; with that all its channels are known.
    fn settle(&self, mut partial: Partial, i: usize, moved: i64) -> Result<Partial, Exhausted> {
        partial.moved[self.component[i]] = Some(moved);
        for j in (0..self.freedom.len()).filter(|&j| self.component[j] == self.component[i]) {
            partial.theta[j] = Some(delay(partial.shift[j] + moved)?);
        }
        Ok(partial)
    }

    /// Θ_i / Θ_j.
    fn quotient(&self, i: usize, j: usize) -> Result<RationalFunction, Exhausted> {
        let (above, below) = match self.a[(i, j)].is_zero() || self.b[(i, j)].is_zero() {
            true => (&self.b[(j, i)], &self.a[(j, i)]),
            false => (&self.a[(i, j)], &self.b[(i, j)]),
        };
        Ok(above.div(below)?.expect("an edge"))
    }

    /// Adds what must vanish for a value not to depend on some symbols.
    fn require_constant(
        &self,
        value: &RationalFunction,
        symbols: &[Variable],
        equations: &mut Vec<Polynomial>,
    ) -> Result<(), Exhausted> {
        for &v in symbols {
            let slope = value.derivative(v)?;
            equations.extend(coefficients(slope.numerator(), &self.operators));
        }
        Ok(())
    }

    /// Splits Θ into shifts and filters, the least shift 0.
    fn finish(&self, partial: Partial) -> Result<Gauge, Exhausted> {
        let p = self.freedom.len();
        let theta: Vec<RationalFunction> = partial.theta.into_iter().map(|t| t.expect("all known")).collect();
        let own = |i: usize| match self.freedom[i] {
            Freedom::Filter => exponent(&theta[i]).map(|n| -n),
            _ => Some(partial.shift[i] + partial.moved[self.component[i]].unwrap_or(0)),
        };
        let shift: Vec<Option<i64>> = (0..p).map(own).collect();
        let least = shift.iter().flatten().copied().min().unwrap_or(0);
        let shift: Vec<i64> = shift.into_iter().map(|m| m.map_or(0, |m| m - least)).collect();
        let filters = (0..p).map(|i| theta[i].mul(&delay(-shift[i] - least)?)).collect::<Result<_, _>>()?;
        Ok(Gauge { filters, freedom: self.freedom.to_vec(), equations: partial.equations, ..Gauge::shifts(shift) })
    }
}

/// z^(-m).
fn delay(m: i64) -> Result<RationalFunction, Exhausted> {
    let power = RationalFunction::variable(Z).pow(i32::try_from(-m).unwrap_or(0))?;
    Ok(power.expect("z is not zero"))
}

/// n where the value is zⁿ.
fn exponent(value: &RationalFunction) -> Option<i64> {
    let n = i64::from(value.numerator().degree_in(Z)) - i64::from(value.denominator().degree_in(Z));
    (delay(-n).ok()? == *value).then_some(n)
}

//! What may be done to both signals of a channel: H_A = Θ H_B Θ⁻¹ with Θ = diag(z^(-m_i) c_i).
//!
//! Every oracle commutes with shifts. A homogeneous one also commutes with positive numbers c, a
//! linear one with every filter c(z). Where channels act on each other, the quotients of Θ's entries
//! are those of the entries of H_A and H_B, so Θ is read off a spanning forest of that graph, with
//! the parameters still unknown. The entries outside the forest, that is the products along
//! cycles, then are the equations for the parameters.

use super::behavior::{Behavior, Port};
use super::parameters::coefficients;
use super::search::Names;
use super::shift::{Chosen, Shifts, candidates, components};
use super::verdict::Relation;
use crate::syntax::ast::FunctionTrait;
use crate::system::{LinearSystem, Z};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, Rational, RationalFunction, Variable};
use std::sync::Arc;

/// What an oracle commutes with.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freedom {
    /// Shifts.
    Shift,
    /// Shifts and positive numbers.
    Positive,
    /// Filters.
    Filter,
}

/// What the channels' oracles commute with, by the declarations of both texts; B in A's order. What one
/// text says of a function holds of its namesake in the other, if names mean the same in both, and of no other
/// function. A sample path commutes with no filter.
pub fn freedoms(first: (&LinearSystem, &[Port]), second: (&LinearSystem, &[Port]), names: Names) -> Vec<Freedom> {
    let declared = |(system, ports): (&LinearSystem, &[Port]), i: usize, what: FunctionTrait| {
        let traits = system.traits.get(&ports[i].oracle.function);
        traits.is_some_and(|t| t.contains(&what))
    };
    let namesakes = |i: usize| names == Names::Shared && first.1[i].oracle.function == second.1[i].oracle.function;
    let known = |i: usize, what: FunctionTrait| match (declared(first, i, what), declared(second, i, what)) {
        (one, other) if namesakes(i) => one || other,
        (one, other) => one && other,
    };
    let freedom = |i: usize| {
        if known(i, FunctionTrait::Linear) && first.1[i].oracle.sample.is_none() {
            Freedom::Filter
        } else if known(i, FunctionTrait::Homogeneous) {
            Freedom::Positive
        } else {
            Freedom::Shift
        }
    };
    (0..first.1.len()).map(freedom).collect()
}

/// One choice of Θ.
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
}

impl Gauge {
    /// Shifts alone.
    pub fn shifts(shift: Vec<i64>) -> Gauge {
        let p = shift.len();
        let filters = vec![RationalFunction::one(); p];
        Gauge { shift, filters, freedom: vec![Freedom::Shift; p], equations: Vec::new() }
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
        let used = |f: Freedom| self.freedom.iter().zip(&self.filters).any(|(g, c)| *g == f && !c.is_one());
        match (used(Freedom::Filter), used(Freedom::Positive)) {
            (true, _) => Some(Relation::LinearOracle),
            (false, true) => Some(Relation::Homogeneous),
            (false, false) => None,
        }
    }

    /// Whether the numbers that must be positive can be so on a branch.
    pub fn admits(&self, branch: &Branch) -> Result<bool, Exhausted> {
        for c in self.positive() {
            let Some(c) = on_branch(c, branch)? else {
                return Ok(false);
            };
            if c.as_rational().is_some_and(|c| c <= Rational::ZERO) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What must be positive besides numbers: in A's symbols where all branches agree.
    pub fn conditions(&self, branches: &[Branch]) -> Result<Vec<RationalFunction>, Exhausted> {
        let mut found: Vec<RationalFunction> = Vec::new();
        for c in self.positive() {
            let mut values = Vec::new();
            for branch in branches {
                values.extend(on_branch(c, branch)?);
            }
            values.dedup();
            let c = if let [one] = values.as_slice() { one } else { c };
            // 1/s is as positive as s.
            let c = c.inverse().filter(|inverse| inverse.is_polynomial()).unwrap_or_else(|| c.clone());
            if c.as_rational().is_none() && !found.contains(&c) {
                found.push(c);
            }
        }
        Ok(found)
    }

    fn positive(&self) -> impl Iterator<Item = &RationalFunction> {
        let all = self.freedom.iter().zip(&self.filters);
        all.filter(|(f, _)| **f == Freedom::Positive).map(|(_, c)| c)
    }
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
        moves.map(|moved| self.settle(partial.clone(), i, moved, &step, &value)).collect()
    }

    /// Moves the component of a channel; with that all its channels without a number c are known.
    fn settle(
        &self,
        mut partial: Partial,
        i: usize,
        moved: i64,
        step: &Step,
        value: &RationalFunction,
    ) -> Result<Partial, Exhausted> {
        partial.moved[self.component[i]] = Some(moved);
        for j in (0..self.freedom.len()).filter(|&j| self.component[j] == self.component[i]) {
            if self.freedom[j] == Freedom::Shift || (j == i && matches!(step, Step::Root(_))) {
                partial.theta[j] = Some(delay(partial.shift[j] + moved)?);
            }
        }
        if partial.theta[i].is_none() {
            let c = value.mul(&delay(-partial.shift[i] - moved)?)?;
            let symbols: Vec<Variable> = self.operators.iter().copied().chain([Z]).collect();
            self.require_constant(&c, &symbols, &mut partial.equations)?;
            partial.theta[i] = Some(value.clone());
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
        Ok(Gauge { shift, filters, freedom: self.freedom.to_vec(), equations: partial.equations })
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

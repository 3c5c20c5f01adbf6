//! Which variables are unknown, given or constant.

use super::{Conditions, Problem};
use crate::{Polynomial, SortedMap, Variable};

/// The part a variable plays, with its place in the list of those of its kind.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Role {
    /// May be solved for when no unknown is left in an equation.
    Given(usize),
    /// To be solved for.
    Unknown(usize),
}

/// The part each variable plays. Variables without a role are constants of the field over which
/// the system is solved: a polynomial in them alone is a unit.
pub(super) struct Roles {
    roles: SortedMap<Variable, Role>,
    /// The unknowns, in the order of the problem.
    pub(super) unknowns: Vec<Variable>,
    /// The first variable larger than all of the problem.
    pub(super) fresh: u32,
}

impl Roles {
    pub(super) fn new(problem: &Problem) -> Self {
        let given = match problem.conditions {
            Conditions::Never => Vec::new(),
            Conditions::Allowed => problem.given.clone(),
        };
        let mut roles = SortedMap::new();
        roles.extend(given.iter().zip(0..).map(|(&v, i)| (v, Role::Given(i))));
        let unknowns = problem.unknowns.iter().zip(0..);
        roles.extend(unknowns.map(|(&v, i)| (v, Role::Unknown(i))));
        let polynomials = problem.equations.iter().chain(&problem.nonzero);
        let occurring = polynomials.flat_map(Polynomial::variables);
        let all = occurring.chain(problem.unknowns.clone()).chain(problem.given.clone());
        Roles { unknowns: problem.unknowns.clone(), roles, fresh: all.map(|v| v.0 + 1).max().unwrap_or(0) }
    }

    pub(super) fn role(&self, v: Variable) -> Option<Role> {
        self.roles.get(&v).copied()
    }

    /// The number of variables that may be solved for: the dimension of the space of solutions.
    pub(super) fn dimension(&self) -> usize {
        self.roles.len()
    }

    /// Has `p` no variable that may be solved for?
    pub(super) fn is_unit(&self, p: &Polynomial) -> bool {
        p.variables().iter().all(|&v| self.role(v).is_none())
    }

    /// Does an unknown occur in `p`?
    pub(super) fn has_unknown(&self, p: &Polynomial) -> bool {
        self.unknowns.iter().any(|&v| p.degree_in(v) > 0)
    }

    /// The variables for which `p = 0` may be solved: its unknowns, or, if there are none, its
    /// given variables.
    pub(super) fn targets(&self, p: &Polynomial) -> Vec<Variable> {
        let all = p.variables().into_iter();
        let (unknown, given): (Vec<_>, Vec<_>) =
            all.filter(|&v| self.role(v).is_some()).partition(|&v| matches!(self.role(v), Some(Role::Unknown(_))));
        if unknown.is_empty() { given } else { unknown }
    }

    /// The variables with a role that occur, the unknowns first and of each kind the last first.
    pub(super) fn descending<'a>(&self, polynomials: impl IntoIterator<Item = &'a Polynomial>) -> Vec<Variable> {
        let mut all: Vec<Variable> = polynomials.into_iter().flat_map(Polynomial::variables).collect();
        all.retain(|&v| self.role(v).is_some());
        all.sort_unstable_by_key(|&v| std::cmp::Reverse(self.role(v)));
        all.dedup();
        all
    }
}

//! Which function of a problem each function of an algorithm is, and what its operators are.

use super::dense::{Dense, Vector};
use super::function::Function;
use super::problem::{Eighths, Place, Problem, Term};
use super::refusal::Refusal;
use super::run::{Answer, Setting};
use crate::relation::behavior::Side;
use crate::source::Span;
use crate::syntax::ast::{FunctionTrait, OracleKind};
use crate::system::{LinearSystem, Space};
use crate::transfer::Analysis;
use linnaeus_algebra::SortedMap;

/// What a name of the text stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The name in the text.
    pub name: String,
    /// The name in the problem; for operators `K` or `I`.
    pub role: String,
    /// What that is.
    pub formula: String,
}

/// An algorithm's place in a problem.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// What the algorithm is applied to.
    pub setting: Setting,
    /// What functions and operators stand for.
    pub told: Vec<Assigned>,
    /// The functions, each once, with what they are functions of.
    pub functions: Vec<(String, Place, Function)>,
    /// K; the identity where the algorithm has none.
    pub matrix: Dense,
    /// The number of components of x.
    pub dimension: usize,
}

/// What is wanted of a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    Linear,
    Set,
    Cone,
    /// The conjugate is differentiable, by a formula.
    Inverse,
    Gradient,
    Prox,
}

/// Spaces as classes: those of x, those of Kx.
pub struct Spaces {
    places: SortedMap<usize, Place>,
    /// The operator that is K.
    special: Option<usize>,
}

impl Spaces {
    /// The first operator between two spaces is K, unless it is to be the identity; all others are identities.
    pub fn new(system: &LinearSystem, identities: &[usize]) -> Result<Spaces, Refusal> {
        let class = |s: Space| system.spaces.class(s);
        let special = system
            .operators
            .iter()
            .enumerate()
            .find(|(i, o)| !identities.contains(i) && class(o.domain) != class(o.codomain))
            .map(|(i, _)| i);
        let mut places = SortedMap::new();
        if let Some(i) = special {
            let o = &system.operators[i];
            places.insert(class(o.domain), Place::Primal);
            places.insert(class(o.codomain), Place::Image);
        }
        for _ in 0..=system.operators.len() {
            for (_, o) in system.operators.iter().enumerate().filter(|(i, _)| Some(*i) != special) {
                let (from, to) = (class(o.domain), class(o.codomain));
                match (places.get(&from).copied(), places.get(&to).copied()) {
                    (Some(p), None) => drop(places.insert(to, p)),
                    (None, Some(p)) => drop(places.insert(from, p)),
                    (Some(p), Some(q)) if p != q => {
                        let message =
                            format!("the problem has one matrix, and operator `{}` would need another", o.name);
                        return Err(Refusal::text(Side::First, Span::default(), message));
                    }
                    _ => {}
                }
            }
        }
        Ok(Spaces { places, special })
    }

    fn place(&self, system: &LinearSystem, space: Space) -> Place {
        self.places.get(&system.spaces.class(space)).copied().unwrap_or(Place::Primal)
    }
}

/// Every space of a text.
pub fn all_spaces(analysis: &Analysis) -> Vec<Space> {
    let system = &analysis.system;
    let signals = system.signals.iter().map(|s| s.space).chain(system.constants.iter().map(|c| c.space));
    let calls = system.calls.iter().flat_map(|c| [c.input, c.output]);
    signals.chain(calls).chain(system.operators.iter().flat_map(|o| [o.domain, o.codomain])).collect()
}

/// Gives every function of the text one of the problem: those that are asked for gradients first. What was chosen
/// by name is taken; what is fixed is not the problem's.
pub fn assign(
    analysis: &Analysis,
    problem: &Problem,
    chosen: &[(String, String)],
    fixed: &SortedMap<String, (Function, &'static str)>,
    identities: &[usize],
) -> Result<Assignment, Refusal> {
    let system = &analysis.system;
    let spaces = Spaces::new(system, identities)?;
    let with_matrix = spaces.special.is_some();
    let dimension = if with_matrix { problem.matrix.cols } else { problem.joint_dimension() };
    let image = if with_matrix { problem.matrix.rows.len() } else { dimension };
    let size = |place: Place| if place == Place::Image { image } else { dimension };
    let wanted = wanted(analysis, &spaces);
    let names: Vec<&String> = wanted.keys().collect();
    let asked =
        |name: &str, role: &str, message: String| Refusal::option("--assign", &format!("{name}={role}"), message);
    if let Some((name, role)) = chosen.iter().find(|(n, _)| !wanted.contains_key(n)) {
        let list: Vec<&str> = names.iter().map(|n| n.as_str()).collect();
        let message = format!("there is no function `{name}` to assign");
        return Err(asked(name, role, message).help(format!("there are {}", list.join(", "))));
    }
    let has_image = wanted.values().any(|(_, place)| *place == Place::Image);
    let mut found: SortedMap<String, (Place, Function, String, String)> = SortedMap::new();
    let mut taken: Vec<&str> = Vec::new();
    let mut order: Vec<(&String, Wanted, Place)> = wanted.iter().map(|(n, (w, p))| (n, *w, *p)).collect();
    let is_free = |n: &str| !chosen.iter().any(|(c, _)| c == n) && !fixed.contains_key(n);
    order.sort_by_key(|(n, w, _)| (is_free(n), *w));
    for (name, want, place) in order {
        if let Some((function, formula)) = fixed.get(name) {
            found.insert(name.clone(), (place, function.clone(), "assumed".to_string(), formula.to_string()));
            continue;
        }
        let invertible = |f: &Function| matches!(f, Function::Quadratic(..) | Function::Ridge(_));
        let fits = |t: &&Term| {
            let has_size = t.function.size().is_none_or(|n| n == size(place));
            t.place == place && has_size && (want != Wanted::Inverse || invertible(&t.function))
        };
        let term = match chosen.iter().find(|(n, _)| n == name) {
            Some((_, role)) => problem.terms.iter().filter(fits).find(|t| t.name == *role).ok_or_else(|| {
                let list: Vec<&str> = problem.terms.iter().filter(fits).map(|t| t.name).collect();
                let message = format!("`{role}` cannot be assigned to `{name}`");
                asked(name, role, message).help(format!("there are {}", list.join(", ")))
            })?,
            None => {
                let roles = preference(want, has_image, place);
                let free = |role: &&&str| **role == "zero" || !taken.contains(*role);
                let mut terms = roles
                    .iter()
                    .filter(free)
                    .filter_map(|role| problem.terms.iter().filter(fits).find(|t| t.name == *role));
                terms.next().ok_or_else(|| {
                    let call = system.calls.iter().find(|c| c.oracle.function == *name);
                    let message = format!("problem `{}` has no function for `{name}`", problem.name);
                    let span = call.map_or(Span::default(), |c| c.span);
                    Refusal::text(Side::First, span, message).help("choose one with `--assign`")
                })?
            }
        };
        taken.push(term.name);
        found.insert(name.clone(), (place, term.function.clone(), term.name.to_string(), term.formula.to_string()));
    }
    let mut told: Vec<Assigned> = Vec::new();
    for (name, (_, _, role, formula)) in &found {
        told.push(Assigned { name: name.clone(), role: role.clone(), formula: formula.clone() });
    }
    let mut operators = Vec::new();
    for (i, o) in system.operators.iter().enumerate() {
        let special = spaces.special == Some(i);
        let n = size(spaces.place(system, o.domain));
        operators.push(if special { problem.matrix.clone() } else { Dense::scalar(n, 1.0) });
        let formula = if special { format!("the {image} × {dimension} matrix of the problem") } else { multiple(1.0) };
        told.push(Assigned { name: o.name.clone(), role: if special { "K" } else { "I" }.to_string(), formula });
    }
    let sizes =
        all_spaces(analysis).iter().map(|s| (system.spaces.class(*s), size(spaces.place(system, *s)))).collect();
    let mut numbers = Eighths::new(7);
    let mut constant = |space: Space| -> Vector {
        let place = spaces.place(system, space);
        if place == Place::Image { problem.data.clone() } else { numbers.vector(size(place)) }
    };
    let constants = system.constants.iter().map(|c| constant(c.space)).collect();
    let function = |name: &String| found[name].1.clone();
    let answer = |name: &String| Answer { function: function(name), oracle: None };
    let answers = analysis.channels.iter().map(|c| answer(&c.oracle.function)).collect();
    Ok(Assignment {
        setting: Setting { sizes, operators, answers, constants },
        told,
        functions: found.iter().map(|(n, (place, f, ..))| (n.clone(), *place, f.clone())).collect(),
        matrix: if with_matrix { problem.matrix.clone() } else { Dense::scalar(dimension, 1.0) },
        dimension,
    })
}

/// What is wanted of each function, and of what it is a function.
fn wanted(analysis: &Analysis, spaces: &Spaces) -> SortedMap<String, (Wanted, Place)> {
    let system = &analysis.system;
    let mut found: SortedMap<String, (Wanted, Place)> = SortedMap::new();
    for channel in &analysis.channels {
        let traits = system.traits.get(&channel.oracle.function).map_or(&[][..], |t| t);
        let want = match channel.oracle.kind {
            _ if traits.contains(&FunctionTrait::Linear) => Wanted::Linear,
            _ if traits.contains(&FunctionTrait::Cone) => Wanted::Cone,
            OracleKind::Projection => Wanted::Set,
            OracleKind::Gradient | OracleKind::Subdifferential if channel.oracle.conjugate => Wanted::Inverse,
            OracleKind::Gradient | OracleKind::BlackBox => Wanted::Gradient,
            _ => Wanted::Prox,
        };
        let call = &system.calls[channel.call];
        let argmin = channel.oracle.kind == OracleKind::Argmin;
        let place = spaces.place(system, if argmin { call.output } else { call.input });
        let entry = found.entry(channel.oracle.function.clone()).or_insert((want, place));
        entry.0 = entry.0.min(want);
    }
    found
}

/// Names of functions, the best first. The data is fitted once: by a function of Kx where there is one.
fn preference(want: Wanted, has_image: bool, place: Place) -> &'static [&'static str] {
    match (want, place, has_image) {
        (Wanted::Set, ..) => &["box", "cone", "zero"],
        (Wanted::Cone, ..) => &["cone", "zero"],
        (Wanted::Linear, ..) => &["ridge", "zero"],
        (Wanted::Inverse, Place::Primal, false) => &["smooth", "weighted", "ridge"],
        (Wanted::Inverse, Place::Primal, true) => &["ridge"],
        (_, Place::Image, _) => &["fit", "point", "zero"],
        (Wanted::Gradient, _, true) => &["ridge", "linear", "smooth", "zero"],
        (Wanted::Gradient, _, false) => &["smooth", "saddle", "weighted", "ridge", "zero"],
        (Wanted::Prox, _, true) => &["l1", "weighted", "linear", "ridge", "box", "zero"],
        (Wanted::Prox, _, false) => &["l1", "weighted", "saddle", "smooth", "box", "ridge", "zero"],
    }
}

/// What a multiple of the identity is called.
pub fn multiple(factor: f64) -> String {
    match factor {
        1.0 => "the identity".to_string(),
        -1.0 => "minus the identity".to_string(),
        factor => format!("{factor} times the identity"),
    }
}

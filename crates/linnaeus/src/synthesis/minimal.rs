//! Coordinates for the state: as written, as few as possible, or canonical.

use super::clearing::cleared;
use super::desk::Step;
use super::model::{Commuting, Label};
use crate::transfer::realize::{Minimal, minimal, minimal_in_own_variables};
use crate::transfer::{StateSpace, chains};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction};

type M = Matrix<RationalFunction>;

/// Which state an algorithm is written with.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coordinates {
    /// As few vectors as possible, the user's own where that can be.
    #[default]
    Minimal,
    /// What the text stores.
    AsWritten,
    /// As few as possible, the state a list of past answers: the columns of B that are not combinations of
    /// those before are unit vectors, and so are those of A that lead to a new one.
    Answers,
    /// As few as possible, the state a list of queries to come: the same of the rows of C and A.
    Queries,
    /// The controllable canonical form: A has companion blocks, one per answer, that hold the denominators, and C holds
    /// the numerators.
    Controllable,
    /// The observable canonical form, the transpose: B holds the numerators.
    Observable,
}

impl Coordinates {
    /// All of them.
    pub const ALL: [Coordinates; 6] = [
        Coordinates::Minimal,
        Coordinates::AsWritten,
        Coordinates::Answers,
        Coordinates::Queries,
        Coordinates::Controllable,
        Coordinates::Observable,
    ];

    /// Those among which one that costs little is looked for.
    pub const PLAIN: [Coordinates; 4] =
        [Coordinates::Minimal, Coordinates::AsWritten, Coordinates::Answers, Coordinates::Queries];

    /// The word on the command line and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Coordinates::Minimal => "minimal",
            Coordinates::AsWritten => "as-written",
            Coordinates::Answers => "answers",
            Coordinates::Queries => "queries",
            Coordinates::Controllable => "controllable",
            Coordinates::Observable => "observable",
        }
    }

    /// The coordinates of a word.
    pub fn from_word(word: &str) -> Option<Coordinates> {
        Coordinates::ALL.into_iter().find(|c| c.word() == word)
    }
}

/// What became of the state.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The algorithm in its new coordinates.
    pub model: Commuting,
    /// T with ξ = T x, x the state as written and ξ the new one.
    pub map: M,
    /// How many dimensions no answer and no constant ever reaches.
    pub unreachable: usize,
    /// How many of the others no query ever shows.
    pub unobservable: usize,
}

impl Reduction {
    /// The same as seen from the state before another reduction, whose model was the one that was reduced.
    pub fn after(self, first: &Reduction) -> Result<Reduction, Exhausted> {
        Ok(Reduction {
            map: self.map.mul(&first.map)?,
            unreachable: self.unreachable + first.unreachable,
            unobservable: self.unobservable + first.unobservable,
            ..self
        })
    }
}

/// Changes the coordinates of the state. Constants count as inputs: what only they reach is kept.
pub fn reduced(model: &Commuting, coordinates: Coordinates) -> Result<Reduction, Exhausted> {
    reduced_by(model, coordinates, &(0..model.calls()).collect::<Vec<_>>())
}

/// The same, the queries to come or the past answers of the ports being gone through in an order.
pub fn reduced_by(model: &Commuting, coordinates: Coordinates, order: &[usize]) -> Result<Reduction, Exhausted> {
    let n = model.order();
    let space = permuted(&model.state_space(), order);
    let found = match coordinates {
        Coordinates::AsWritten => {
            let map = Matrix::identity(n);
            return Ok(Reduction { model: model.clone(), map, unreachable: 0, unobservable: 0 });
        }
        Coordinates::Minimal => minimal_in_own_variables(&space)?,
        Coordinates::Queries => minimal(&space)?,
        Coordinates::Answers => of_answers(minimal(&space)?)?,
        Coordinates::Controllable => {
            let found = minimal(&space)?;
            let s = companion(&found.realization.a, &found.realization.b)?;
            found.changed(&s)?
        }
        Coordinates::Observable => {
            let found = minimal(&space)?;
            let s = companion(&found.realization.a.transpose(), &found.realization.c.transpose())?;
            found.changed(&s.inverse()?.expect("a change of coordinates").transpose())?
        }
    };
    let reached = found.reached;
    let places: Vec<usize> = (0..order.len()).filter_map(|i| order.iter().position(|j| *j == i)).collect();
    let StateSpace { a, b, c, d } = permuted(&found.realization, &places);
    let order = a.rows();
    let unit = |i: usize| {
        let row = found.from_state.row(i);
        let mut occupied = (0..n).filter(|&j| !row[j].is_zero());
        match (occupied.next(), occupied.next()) {
            (Some(j), None) if row[j].is_one() => Some(j),
            _ => None,
        }
    };
    let places: Vec<Option<usize>> = (0..n).map(|j| (0..order).find(|&i| unit(i) == Some(j))).collect();
    let model = Commuting {
        labels: (0..order).map(|i| unit(i).map_or(Label::Fresh, |j| model.labels[j].clone())).collect(),
        spaces: (0..order).map(|i| unit(i).and_then(|j| model.spaces[j])).collect(),
        steps: model.steps.iter().filter_map(|s| kept(s, &places, n, order)).collect(),
        a,
        b,
        c,
        d,
        ..model.clone()
    };
    let map = found.from_state;
    let reduction = Reduction { model, map, unreachable: n - reached, unobservable: reached - order };
    if coordinates == Coordinates::Minimal { cleared(reduction) } else { Ok(reduction) }
}

/// What the text computes, where that is made of states that are kept.
pub(super) fn kept(step: &Step, places: &[Option<usize>], old: usize, new: usize) -> Option<Step> {
    let place = |v: usize| if v < old { places[v] } else { Some(v - old + new) };
    let row = step.row.iter().map(|(v, gain)| Some((place(*v)?, gain.clone())));
    Some(Step { row: row.collect::<Option<_>>()?, ..step.clone() })
}

/// The ports in another order, constants last as before.
fn permuted(space: &StateSpace, order: &[usize]) -> StateSpace {
    let states: Vec<usize> = (0..space.a.rows()).collect();
    let inputs: Vec<usize> = order.iter().copied().chain(order.len()..space.b.cols()).collect();
    StateSpace {
        a: space.a.clone(),
        b: space.b.submatrix(&states, &inputs),
        c: space.c.submatrix(order, &states),
        d: space.d.submatrix(order, &inputs),
    }
}

/// The state whose components are the coefficients of B, AB, … that are independent.
fn of_answers(found: Minimal) -> Result<Minimal, Exhausted> {
    let basis = found.realization.reachable()?;
    let s = basis.inverse()?.expect("as many as the order");
    found.changed(&s)
}

/// The coordinates in which (A, B) has companion blocks: with the chains b_i, A b_i, … side by side, one for every column
/// of B, and q_i the functional that is 1 on the end of chain i and 0 on all else, they are q_i, q_i A, ….
///
/// D. G. Luenberger, *Canonical forms for linear multivariable systems* (1967).
fn companion(a: &M, b: &M) -> Result<M, Exhausted> {
    let chains = chains(&a.transpose(), &b.transpose())?;
    let basis = Matrix::from_rows(chains.concat());
    let inverse = basis.inverse()?.expect("as many as the order");
    let mut rows = Vec::new();
    let mut end = 0;
    for chain in chains.iter().filter(|c| !c.is_empty()) {
        end += chain.len();
        let mut q = Matrix::from_fn(1, a.rows(), |_, j| inverse[(j, end - 1)].clone());
        for _ in chain {
            rows.push(q.row(0).to_vec());
            q = q.mul(a)?;
        }
    }
    Ok(Matrix::from_rows(rows))
}

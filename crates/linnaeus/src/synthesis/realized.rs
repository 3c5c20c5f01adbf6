//! A model with a state of choice, written as lines.

use super::clearing::cleared;
use super::given::Given;
use super::minimal::{Coordinates, Reduction, reduced};
use super::model::{Commuting, Model};
use super::oracles::explicit_oracles;
use super::program::{Program, program};
use super::typed::{Gain, Untyped, over_words, typed};
use crate::system::Oracle;
use crate::transfer::Explicitness;
use linnaeus_algebra::{Exhausted, Polynomial};

/// An algorithm ready to be printed.
#[derive(Clone, Debug)]
pub struct Realized {
    /// Its matrices.
    pub sheet: Model<Gain>,
    /// Its lines.
    pub program: Program,
    /// Where coefficients commute: the model and what became of its state.
    pub reduction: Option<Reduction>,
    /// Which state is stored.
    pub coordinates: Coordinates,
}

/// Calls that wait for each other's answers.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Their ports.
    pub cycle: Vec<usize>,
    /// Oracles of the same functions that avoid it, one per port, if there are any.
    pub oracles: Option<Vec<Oracle>>,
}

impl Realized {
    /// The model, where coefficients commute.
    pub fn model(&self) -> Option<&Commuting> {
        self.reduction.as_ref().map(|r| &r.model)
    }

    /// What is in the way if the lines cannot be run from top to bottom.
    pub fn implicit(&self) -> Result<Option<Loop>, Exhausted> {
        let Explicitness::Implicit(cycle) = &self.program.explicitness else {
            return Ok(None);
        };
        let oracles = match self.model() {
            Some(model) => explicit_oracles(&model.ports, &model.transfer()?)?,
            None => None,
        };
        Ok(Some(Loop { cycle: cycle.clone(), oracles }))
    }
}

/// Why a model cannot be written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unwritable {
    /// Operators do not commute, so that the state stays as written.
    Words,
    /// An entry has no meaning as an operator.
    Untyped(Untyped),
    /// A query would need an answer that is given later.
    Improper,
    /// The work limit was reached.
    Exhausted,
}

impl From<Exhausted> for Unwritable {
    fn from(_: Exhausted) -> Self {
        Unwritable::Exhausted
    }
}

/// Writes a model with a state of choice; without a choice the smallest that can be found.
pub fn realize(given: &Given, coordinates: Option<Coordinates>) -> Result<Realized, Unwritable> {
    match given {
        Given::Commuting(model) => {
            let wanted = coordinates.unwrap_or_default();
            let (reduction, sheet, coordinates) = match written(model, wanted)? {
                Ok(found) => found,
                // Over numbers fewer vectors may do than over operators that have no inverse.
                Err(_) if wanted == Coordinates::Minimal => match written(model, Coordinates::Observable)? {
                    Ok(found) => found,
                    Err(_) => written(model, Coordinates::AsWritten)?.map_err(Unwritable::Untyped)?,
                },
                Err(entry) => return Err(Unwritable::Untyped(entry)),
            };
            let mut program = program(&sheet)?;
            program.nonzero = divided(&program, &reduction.model)?;
            Ok(Realized { sheet, program, reduction: Some(reduction), coordinates })
        }
        Given::Improper(_) => Err(Unwritable::Improper),
        Given::Words(model) => {
            if coordinates.is_some_and(|c| c != Coordinates::AsWritten) {
                return Err(Unwritable::Words);
            }
            let sheet = over_words(model);
            let program = program(&sheet)?;
            Ok(Realized { sheet, program, reduction: None, coordinates: Coordinates::AsWritten })
        }
    }
}

/// A state of a kind with operators put back; no such state if one would have to be inverted that has no inverse.
fn written(
    model: &Commuting,
    coordinates: Coordinates,
) -> Result<Result<(Reduction, Model<Gain>, Coordinates), Untyped>, Exhausted> {
    let mut reduction = reduced(model, coordinates)?;
    let mut sheet = typed(&reduction.model);
    if matches!(sheet, Err(Untyped::Entry { .. })) && coordinates != Coordinates::AsWritten {
        // Multiples of the state by an operator may live where it needs no inverse.
        reduction = cleared(reduction)?;
        sheet = typed(&reduction.model);
    }
    match sheet {
        Ok(sheet) => Ok(Ok((reduction, sheet, coordinates))),
        Err(Untyped::Exhausted) => Err(Exhausted),
        Err(entry) => Ok(Err(entry)),
    }
}

/// What the lines divide by and the transfer matrix does not.
fn divided(program: &Program, model: &Commuting) -> Result<Vec<Polynomial>, Exhausted> {
    let mut found = program.divisors()?;
    if found.is_empty() {
        return Ok(found);
    }
    let h = model.transfer()?;
    for i in 0..h.rows() {
        for e in h.row(i) {
            let mut left = Vec::new();
            for f in found {
                if e.denominator().exact_divide(&f)?.is_none() {
                    left.push(f);
                }
            }
            found = left;
        }
    }
    Ok(found)
}

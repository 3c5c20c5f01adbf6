//! A model with a state of choice, written as lines.

use super::clearing::{cleared, multiples, scaled, sheared};
use super::desk::Effort;
use super::given::Given;
use super::minimal::{Coordinates, Reduction, reduced, reduced_by};
use super::model::{Commuting, Model};
use super::oracles::explicit_oracles;
use super::program::{Program, program};
use super::typed::{Gain, Untyped, over_words, typed};
use crate::operator::{Letter, OperatorPolynomial};
use crate::system::{Oracle, operator_symbol};
use crate::transfer::Explicitness;
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, Variable, with_fuel};

/// The work that a better state is worth.
const SEARCH: u64 = 2_000_000;

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
    /// The same with what several lines have in common computed once.
    fn with_effort(&self) -> Result<Realized, Exhausted> {
        match &self.reduction {
            Some(reduction) => lines(reduction.clone(), self.sheet.clone(), self.coordinates, Effort::Full),
            None => Ok(self.clone()),
        }
    }

    /// The model, where coefficients commute.
    pub fn model(&self) -> Option<&Commuting> {
        self.reduction.as_ref().map(|r| &r.model)
    }

    /// What is in the way if the lines cannot be run from top to bottom; oracles that are known to do without it are
    /// tried too.
    pub fn implicit(&self, known: &[Oracle]) -> Result<Option<Loop>, Exhausted> {
        let Explicitness::Implicit(cycle) = &self.program.explicitness else {
            return Ok(None);
        };
        let oracles = match self.model() {
            Some(model) => explicit_oracles(&model.ports, &model.transfer()?, known)?,
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
        Given::Commuting(model) if coordinates.unwrap_or_default() == Coordinates::Minimal => smallest(model),
        Given::Commuting(model) => own_state(model, coordinates.unwrap_or_default()),
        Given::Improper(_) => Err(Unwritable::Improper),
        Given::Words(model) => {
            if coordinates.is_some_and(|c| c != Coordinates::AsWritten) {
                return Err(Unwritable::Words);
            }
            let sheet = match coordinates {
                Some(_) => over_words(model),
                None => over_words(&model.shown()),
            };
            let program = program(&sheet, Effort::Full)?;
            Ok(Realized { sheet, program, reduction: None, coordinates: Coordinates::AsWritten })
        }
    }
}

/// The smallest state: the user's own variables, unless these need an inverse of an operator and others of the same number
/// need none. Where the text stores no more, what it stores is taken if that is cheaper; where nothing in the state is the
/// user's, the best state that is found with little work.
fn smallest(model: &Commuting) -> Result<Realized, Unwritable> {
    let key = |r: &Realized| (r.program.cost.inversions, r.program.nonzero.len(), r.program.cost.total());
    let mut own = own_state(model, Coordinates::Minimal)?;
    if model.has_names() && own.program.stored() == model.order() {
        let text = own_state(model, Coordinates::AsWritten);
        if let Ok(text) = text.map(|t| Realized { coordinates: own.coordinates, ..t })
            && key(&text) < key(&own)
        {
            own = text;
        }
    }
    if model.has_names() && own.program.cost.inversions == 0 {
        return Ok(own);
    }
    // What is found is kept if the search comes to no end.
    let _ = with_fuel(SEARCH, || improve(&mut own, &key));
    Ok(own)
}

/// Writes a model with a state of a kind.
fn own_state(model: &Commuting, wanted: Coordinates) -> Result<Realized, Unwritable> {
    let (reduction, sheet, coordinates) = match written(model, wanted) {
        // Over numbers fewer vectors may do than over operators that have no inverse.
        Err(Unwritable::Untyped(_)) if wanted == Coordinates::Minimal => match written(model, Coordinates::Queries) {
            Err(Unwritable::Untyped(_)) => written(model, Coordinates::AsWritten)?,
            other => other?,
        },
        other => other?,
    };
    Ok(lines(reduction, sheet, coordinates, Effort::Full)?)
}

fn lines(
    reduction: Reduction,
    sheet: Model<Gain>,
    coordinates: Coordinates,
    effort: Effort,
) -> Result<Realized, Exhausted> {
    let mut program = program(&sheet, effort)?;
    program.nonzero = divided(&program, &reduction.model)?;
    program.inverted = inverted(&program, &reduction.model)?;
    Ok(Realized { sheet, program, reduction: Some(reduction), coordinates })
}

/// Takes an algorithm with no more states that is better by a key, if there is one among those whose state is a list of past
/// answers or of queries to come, or has multiples, sums or differences of its components; of equals the first.
pub fn improve<K: Ord>(chosen: &mut Realized, key: &dyn Fn(&Realized) -> K) -> Result<(), Exhausted> {
    let Some(own) = chosen.reduction.clone() else { return Ok(()) };
    // Lines are not searched for what they have in common before a state is found to be better.
    let mut best = lines(own.clone(), chosen.sheet.clone(), chosen.coordinates, Effort::Little)?;
    let mut better = |best: &mut Realized, reduction: Reduction| -> Result<bool, Exhausted> {
        let found = match typed(&reduction.model) {
            Ok(sheet) => lines(reduction, sheet, Coordinates::Minimal, Effort::Little)?,
            Err(Untyped::Exhausted) => return Err(Exhausted),
            Err(Untyped::Entry { .. }) => return Ok(false),
        };
        let is_better = found.program.stored() <= best.program.stored() && key(&found) < key(best);
        if is_better {
            *best = found;
            if key(best) < key(chosen) {
                chosen.clone_from(best);
            }
            let full = best.with_effort()?;
            if key(&full) < key(chosen) {
                *chosen = full;
            }
        }
        Ok(is_better)
    };
    for coordinates in [Coordinates::Answers, Coordinates::Queries] {
        better(&mut best, cleared(reduced(&own.model, coordinates)?.after(&own)?)?)?;
    }
    let mut i = 0;
    while i < best.program.stored() {
        let Some(now) = best.reduction.clone() else { break };
        let mut found = false;
        for factor in multiples(&now.model, i) {
            found |= better(&mut best, scaled(now.clone(), i, &factor)?)?;
        }
        for j in (0..now.model.order()).filter(|&j| j != i) {
            for sign in [1, -1].map(RationalFunction::integer) {
                found |= better(&mut best, sheared(now.clone(), (i, j), &sign)?)?;
            }
        }
        // Another multiple of one component may make others worth it; every round is cheaper than the last.
        i = if found { 0 } else { i + 1 };
    }
    Ok(())
}

/// A state of a kind with operators put back.
type Written = (Reduction, Model<Gain>, Coordinates);

/// No such state if an operator would have to be inverted that has no inverse. Which queries to come or past answers
/// are stored is a matter of choice: others may need no inverse.
fn written(model: &Commuting, coordinates: Coordinates) -> Result<Written, Unwritable> {
    let own: Vec<usize> = (0..model.calls()).collect();
    let mut found = written_by(model, coordinates, &own);
    let has_choice = !matches!(coordinates, Coordinates::Minimal | Coordinates::AsWritten);
    let is_wanting = match &found {
        Ok((_, sheet, _)) => sheet.has_inverses(),
        Err(why) => matches!(why, Unwritable::Untyped(_)),
    };
    if !has_choice || !is_wanting {
        return found;
    }
    for (from, to) in own.iter().flat_map(|i| own.iter().map(move |j| (*i, *j))).filter(|(i, j)| i != j) {
        let mut order = own.clone();
        let port = order.remove(from);
        order.insert(to, port);
        // One without an inverse is worth a share of the work, one at all is worth all of it.
        let share = if found.is_ok() { SEARCH } else { u64::MAX };
        match with_fuel(share, || written_by(model, coordinates, &order)) {
            Ok(other) if !other.1.has_inverses() => return Ok(other),
            Ok(other) => found = found.or(Ok(other)),
            Err(Unwritable::Untyped(_)) => {}
            Err(why) => return found.map_err(|_| why),
        }
    }
    found
}

fn written_by(model: &Commuting, coordinates: Coordinates, order: &[usize]) -> Result<Written, Unwritable> {
    let mut reduction = reduced_by(model, coordinates, order)?;
    let mut sheet = typed(&reduction.model);
    if matches!(sheet, Err(Untyped::Entry { .. })) && coordinates != Coordinates::AsWritten {
        // Multiples of the state by an operator may live where it needs no inverse.
        reduction = cleared(reduction)?;
        sheet = typed(&reduction.model);
    }
    match sheet {
        Ok(sheet) => Ok((reduction, sheet, coordinates)),
        Err(Untyped::Exhausted) => Err(Unwritable::Exhausted),
        Err(entry) => Err(Unwritable::Untyped(entry)),
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

/// The operators and sums of operators that the lines invert and the transfer matrix does not.
fn inverted(program: &Program, model: &Commuting) -> Result<Vec<OperatorPolynomial>, Exhausted> {
    let found = program.inverses();
    if found.is_empty() {
        return Ok(found);
    }
    let h = model.transfer()?;
    let symbols: Vec<Variable> = (0..model.system.operators.len()).map(operator_symbol).collect();
    let symbol = |l: Letter| {
        let symbol = RationalFunction::variable(operator_symbol(l.operator as usize));
        if l.inverse { symbol.inverse().expect("a variable") } else { symbol }
    };
    let mut left = Vec::new();
    for sum in found {
        let mut is_new = false;
        for (factor, _) in sum.commuting(&symbol)?.numerator().factor()?.factors {
            let holds = symbols.iter().any(|s| factor.degree_in(*s) > 0);
            let mut divides = false;
            for e in (0..h.rows()).flat_map(|i| h.row(i)) {
                divides |= e.denominator().exact_divide(&factor)?.is_some();
            }
            is_new |= holds && !divides;
        }
        if is_new {
            left.push(sum);
        }
    }
    Ok(left)
}

//! Every way to write an algorithm: all shifts, all oracles of the same functions, with the state as it comes or as
//! small as possible.

use super::given::Given;
use super::minimal::Coordinates;
use super::model::{Commuting, Model};
use super::oracles::combinations;
use super::program::Program;
use super::realized::{Realized, Unwritable, improve, realize};
use super::request::{Changed, Denied, Request};
use super::unroll::{unrolled, unrolled_words};
use crate::FUEL;
use crate::operator::OperatorPolynomial;
use crate::relation::shift;
use crate::system::Oracle;
use crate::transfer::Explicitness;
use linnaeus_algebra::{Exhausted, with_fuel};

/// More forms than this are not listed.
pub const MAX_FORMS: usize = 400;

/// One way to write it.
#[derive(Clone, Debug)]
pub struct Form {
    /// The oracles, one per port.
    pub oracles: Vec<Oracle>,
    /// How many oracles are others than before.
    pub changed: usize,
    /// Δ_m H Δ_m⁻¹ is its transfer matrix.
    pub shift: Vec<i64>,
    /// The algorithm.
    pub realized: Realized,
}

impl Form {
    /// Its lines.
    pub fn program(&self) -> &Program {
        &self.realized.program
    }

    /// Whether one iteration runs from top to bottom.
    pub fn is_explicit(&self) -> bool {
        matches!(self.program().explicitness, Explicitness::Explicit(_))
    }

    fn refine(&mut self) -> Result<(), Exhausted> {
        refine(&mut self.realized)
    }

    /// Explicit forms first, then those without inverses, then those that store little, then those that compute little,
    /// then those that change little.
    fn rank(&self) -> impl Ord + use<> {
        let moved: i64 = self.shift.iter().sum();
        let program = self.program();
        (
            !self.is_explicit(),
            program.cost.inversions,
            program.stored(),
            program.cost.total(),
            self.changed,
            moved,
            self.shift.clone(),
        )
    }
}

/// Another state of the same size where it is the smallest, if that is cheaper.
fn refine(realized: &mut Realized) -> Result<(), Exhausted> {
    match realized.coordinates {
        Coordinates::Minimal => improve(realized, &|r| (r.program.cost.inversions, r.program.cost.total())),
        _ => Ok(()),
    }
}

/// Ways to write an algorithm, the cheapest first.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// The ways.
    pub list: Vec<Form>,
    /// Whether these are all.
    pub complete: bool,
    /// Whether there are infinitely many shifts, of which the nearest are listed.
    pub infinite: bool,
}

/// What is left open.
#[derive(Clone, Debug, Default)]
pub struct Freedom {
    /// The oracles are those of the model.
    pub oracles_fixed: bool,
    /// The calls are made at these times and no others.
    pub shift: Option<Vec<i64>>,
}

/// All forms of a model. Where the work limit is reached the list ends and is not complete.
pub fn forms(model: &Commuting, freedom: &Freedom) -> Forms {
    let mut found = Forms { complete: true, ..Forms::default() };
    if with_fuel(FUEL, || search(model, freedom, &mut found)).is_err() {
        found.complete = false;
    }
    found.refine();
    found
}

impl Forms {
    /// Sorted; of two ways to write the same calls with as much stored the dearer says nothing new.
    fn without_dearer(mut self) -> Forms {
        self.list.sort_by_cached_key(Form::rank);
        let mut seen: Vec<(Vec<i64>, usize)> = Vec::new();
        self.list.retain(|form| {
            let key = (form.shift.clone(), form.program().stored());
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        });
        self
    }

    /// Sorts the forms, when cheaper states were looked for as far as a share of the work goes, for cheap forms first.
    fn refine(&mut self) {
        self.list.sort_by_cached_key(Form::rank);
        let list = &mut self.list;
        let search = || list.iter_mut().filter(|f| f.is_explicit()).try_for_each(Form::refine);
        // The list has all forms even if it is not known of all whether they can be cheaper.
        let _ = with_fuel(FUEL / 10, search);
        // The text itself is listed if it is not what was found for it.
        let same = |a: &Form, b: &Form| {
            let price = |f: &Form| (f.program().stored(), f.program().cost);
            a.oracles == b.oracles && a.shift == b.shift && price(a) == price(b)
        };
        let minimal: Vec<Form> =
            self.list.iter().filter(|f| f.realized.coordinates != Coordinates::AsWritten).cloned().collect();
        self.list.retain(|f| f.realized.coordinates != Coordinates::AsWritten || !minimal.iter().any(|m| same(m, f)));
        self.list.sort_by_cached_key(Form::rank);
    }
}

/// All forms of so many iterations as one. The cheapest is as a rule one iteration written so many times.
fn repetitions(model: &Commuting, one: &Commuting, n: usize, freedom: &Freedom) -> Forms {
    let mut found = Forms { complete: true, ..Forms::default() };
    let still = freedom.shift.as_ref().is_none_or(|m| m.iter().all(|m| *m == 0));
    if still && with_fuel(FUEL, || unroll(one, n, &mut found)).is_err() {
        found.complete = false;
    }
    // Other forms of many calls have long coefficients, which are worth a share of the work.
    if with_fuel(FUEL / 20, || search(model, freedom, &mut found)).is_err() {
        found.complete = false;
    }
    found.without_dearer()
}

fn unroll(one: &Commuting, n: usize, found: &mut Forms) -> Result<(), Exhausted> {
    for coordinates in Coordinates::PLAIN {
        let Ok(mut realized) = realize(&Given::Commuting(one.clone()), Some(coordinates)) else { continue };
        let _ = with_fuel(FUEL / 10, || refine(&mut realized));
        let Some(realized) = unrolled(&realized, n)? else { continue };
        let oracles: Vec<Oracle> = realized.program.ports.iter().map(|p| p.oracle.clone()).collect();
        let shift = vec![0; oracles.len()];
        found.list.push(Form { oracles, changed: 0, shift, realized });
    }
    Ok(())
}

/// The forms of what a text gives, with what is asked done to it, and what must hold for them to be the same.
pub fn forms_of(given: &Given, request: &Request, own_oracles: bool) -> Result<(Forms, Vec<String>), Denied> {
    let granted = match request.change(given)? {
        Changed::Words { model, single, shift, assumptions } => {
            return Ok((forms_over_words(&model, single, shift), assumptions));
        }
        Changed::Commuting(granted) => *granted,
    };
    let mut freedom = granted.freedom;
    freedom.oracles_fixed |= own_oracles;
    let found = match &granted.single {
        Some((one, n)) => repetitions(&granted.model, one, *n, &freedom),
        None => forms(&granted.model, &freedom),
    };
    Ok((found, granted.assumptions))
}

/// Calls at all times where operators do not commute or numbers change with the index: the oracles stay, and so
/// does what is stored, but for answers that wait.
fn forms_over_words(
    model: &Model<OperatorPolynomial>,
    single: Option<(Box<Model<OperatorPolynomial>>, usize)>,
    shift: Option<Vec<i64>>,
) -> Forms {
    let mut found = Forms { complete: true, ..Forms::default() };
    // One iteration written several times is as a rule the cheapest.
    let still = shift.as_ref().is_none_or(|m| m.iter().all(|m| *m == 0));
    // Other forms of many calls have long coefficients, which are worth a share of the work.
    let share = if single.is_some() && still { FUEL / 50 } else { FUEL };
    if let Some((one, n)) = single.filter(|_| still) {
        let unroll = || -> Result<Option<Realized>, Exhausted> {
            let Ok(one) = realize(&Given::Words(*one), Some(Coordinates::AsWritten)) else { return Ok(None) };
            unrolled_words(&one, model, n)
        };
        if let Ok(Some(realized)) = with_fuel(FUEL, unroll) {
            let oracles: Vec<Oracle> = realized.program.ports.iter().map(|p| p.oracle.clone()).collect();
            found.list.push(Form { changed: 0, shift: vec![0; oracles.len()], oracles, realized });
        }
    }
    let search = |found: &mut Forms| -> Result<(), Exhausted> {
        let shifts = match shift {
            Some(m) => vec![m],
            None => {
                let lags = model.word_lags()?;
                let shifts = shift::proper_where(model.calls(), &|i, j| lags[i][j]);
                found.infinite = shifts.infinite;
                found.complete = shifts.complete || shifts.infinite;
                shifts.vectors
            }
        };
        for m in shifts {
            if found.list.len() >= MAX_FORMS {
                found.complete = false;
                break;
            }
            let Some(shifted) = model.word_shifted(&m)? else { continue };
            let oracles = shifted.ports.iter().map(|p| p.oracle.clone()).collect();
            match realize(&Given::Words(shifted), Some(Coordinates::AsWritten)) {
                Ok(realized) => found.list.push(Form { oracles, changed: 0, shift: m, realized }),
                Err(Unwritable::Exhausted) => return Err(Exhausted),
                Err(_) => continue,
            }
        }
        Ok(())
    };
    if with_fuel(share, || search(&mut found)).is_err() {
        found.complete = false;
    }
    found.without_dearer()
}

fn search(model: &Commuting, freedom: &Freedom, found: &mut Forms) -> Result<(), Exhausted> {
    let own = || model.ports.iter().map(|p| vec![p.oracle.clone()]).collect();
    let choices = if freedom.oracles_fixed { own() } else { model.choices() };
    let (combinations, complete) = combinations(&choices, MAX_FORMS);
    found.complete &= complete;
    for oracles in combinations {
        let Some(changed) = model.in_oracles(&oracles)? else { continue };
        let changes = oracles.iter().zip(&model.ports).filter(|(o, p)| **o != p.oracle).count();
        let lags = changed.lags()?;
        let shifts = shift::proper_where(changed.calls(), &|i, j| lags[i][j]);
        found.infinite |= shifts.infinite;
        found.complete &= shifts.complete || shifts.infinite;
        let wanted = freedom.shift.as_ref();
        let shifts = match wanted {
            Some(m) => vec![m.clone()],
            None => shifts.vectors,
        };
        for m in shifts {
            let Some(shifted) = changed.shifted(&m)? else { continue };
            let mut minimal_order = None;
            for coordinates in [Coordinates::Minimal, Coordinates::AsWritten] {
                if found.list.len() >= MAX_FORMS {
                    found.complete = false;
                    return Ok(());
                }
                // What is minimal as it comes is listed once, but for the text itself.
                let is_text = changes == 0 && m.iter().all(|m| *m == 0) && model.has_names();
                if coordinates == Coordinates::AsWritten && minimal_order == Some(shifted.order()) && !is_text {
                    continue;
                }
                let realized = match realize(&Given::Commuting(shifted.clone()), Some(coordinates)) {
                    Ok(realized) => realized,
                    Err(Unwritable::Exhausted) => return Err(Exhausted),
                    Err(_) => continue,
                };
                minimal_order = minimal_order.or(Some(realized.program.stored()));
                found.list.push(Form { oracles: oracles.clone(), changed: changes, shift: m.clone(), realized });
            }
        }
    }
    Ok(())
}

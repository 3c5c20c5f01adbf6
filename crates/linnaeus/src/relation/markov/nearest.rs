//! What differs where no reading makes all Markov parameters agree.

use super::plant::{Plant, letters, part};
use crate::operator::{Letter, OperatorPolynomial};
use crate::relation::behavior::{Side, owner};
use crate::relation::correspondence::plainest;
use crate::relation::hypothesis::{Hypothesis, Pairing, pairings_of};
use crate::relation::matching::matchings;
use crate::relation::search::Names;
use crate::relation::verdict::{Compared, Difference, Nearest};
use crate::system::parameter;
use crate::transfer::{Analysis, markov};
use linnaeus_algebra::{Exhausted, RationalFunction, Variable};

/// The most natural reading that has a meaning, and the first coefficients that differ in it for the
/// same parameters under the same names.
pub fn nearest(first: &Analysis, second: &Analysis) -> Result<Option<Nearest>, Exhausted> {
    let orders = (first.minimal_order, second.minimal_order);
    let (ones, twos) = (letters(first)?, letters(second)?);
    let (a, b) = (part(first, &ones), part(second, &twos));
    let Some(operators) = plainest(a, b) else {
        return Ok(Some(Nearest { orders, ..Nearest::default() }));
    };
    let Some(matching) =
        matchings(&first.system.schedules, &second.system.schedules, Names::Shared)?.into_iter().next()
    else {
        return Ok(Some(Nearest { orders, ..Nearest::default() }));
    };
    let itself = |l: Letter| Ok(Some(OperatorPolynomial::letter(l)));
    let ours = |l: Letter| operators.image(Side::First, l, &second.system);
    let theirs = |l: Letter| operators.image(Side::Second, l, &first.system);
    let (Some(a), Some(b), Some(as_written), Some(own)) = (
        Plant::new(first, Side::First, &ones.possible, &ours, &RationalFunction::clone)?,
        Plant::new(second, Side::Second, &twos.possible, &theirs, &|r| matching.placed(r))?,
        Plant::new(first, Side::First, &ones.possible, &itself, &RationalFunction::clone)?,
        Plant::new(second, Side::Second, &twos.possible, &itself, &|r| matching.placed(r))?,
    ) else {
        return Ok(Some(Nearest { orders, ..Nearest::default() }));
    };
    let namesake = |v: Variable| {
        let (side, own) = owner(v);
        let name = second.system.parameters.get(own.0 as usize).filter(|_| side == Side::Second)?;
        first.system.parameters.iter().position(|p| p == name).map(parameter)
    };
    // Where that makes a denominator vanish, names stay apart.
    let under_names = |c: &RationalFunction| {
        let found = c.substitute(&|v| namesake(v).map(RationalFunction::variable))?;
        Ok(found.unwrap_or_else(|| c.clone()))
    };
    let named = |m: &OperatorPolynomial| m.map_coefficients(&mut |c| under_names(c));
    let hypotheses = pairings_of(&a.ports, &b.ports);
    let steps = |hypothesis: &Hypothesis| -> Result<Vec<Difference>, Exhausted> {
        let mut found = Vec::new();
        for (n, pairing) in hypothesis.pairings.iter().enumerate() {
            let (x, y) = (&a.ports[n].oracle, &b.ports[hypothesis.order[n]].oracle);
            let step = under_names(&y.step)?;
            if *pairing == Pairing::Same && x.kind.has_step() && x.step != step {
                found.push(Difference { row: n, column: n, values: Compared::Step(x.step.clone(), step) });
            }
            let maps = x.map.as_ref().zip(y.map.as_ref().map(named).transpose()?);
            if maps.is_some_and(|(x, y)| *pairing == Pairing::Same && *x != y)
                && let (Some(x), Some(y)) =
                    (&as_written.ports[n].oracle.map, &own.ports[hypothesis.order[n]].oracle.map)
            {
                found.push(Difference { row: n, column: n, values: Compared::Map(x.clone(), named(y)?) });
            }
        }
        Ok(found)
    };
    // Oracles with other steps are better compared as oracles of the same functions.
    let mut ordered = Vec::new();
    for hypothesis in &hypotheses {
        ordered.push((steps(hypothesis)?, hypothesis));
    }
    ordered.sort_by_key(|(steps, _)| !steps.is_empty());
    for (steps, hypothesis) in ordered {
        let matrices = hypothesis.matrices_of(&a.ports, &b.ports)?;
        let new = |plant: &Plant| plant.in_oracles(&hypothesis.order, &matrices);
        let (Some(b), Some(own)) = (new(&b)?, new(&own)?) else {
            continue;
        };
        let count = orders.0 + orders.1 + 1;
        let sequence = |r| markov(r, &matching.joint, count);
        let (x, y) = (sequence(&a.realization)?, sequence(&b)?);
        let (as_written, own) = (sequence(&as_written.realization)?, sequence(&own)?);
        let p = hypothesis.order.len();
        let mut entries = steps;
        for (row, column) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))) {
            for lag in 0..count {
                let (ours, theirs) = (&x[lag][(row, column)], named(&y[lag][(row, column)])?);
                if *ours != theirs {
                    let ours = as_written[lag][(row, column)].clone();
                    let values = Compared::Markov(lag, ours, named(&own[lag][(row, column)])?);
                    entries.push(Difference { row, column, values });
                    break;
                }
            }
        }
        return Ok(Some(Nearest {
            channel_map: hypothesis.order.iter().copied().enumerate().collect(),
            shift: vec![0; p],
            matrices,
            operators: operators.symbols()?,
            images: operators.images()?,
            place: matching.place.clone(),
            entries,
            orders,
            readings: hypotheses.len(),
            ..Nearest::default()
        }));
    }
    Ok(Some(Nearest { orders, ..Nearest::default() }))
}

//! Two algorithms that are not known to be related, each on its own on one problem.

use super::dense::distance;
use super::refusal::{Blame, Refusal};
use super::{Following, Request, Setting, Simulation, Trace, simulate};
use crate::relation::behavior::Side;
use crate::system::Oracle;
use crate::transfer::Analysis;

/// Runs both from zero, each with parameters of its own. Calls of the same oracle of the same function are compared.
pub fn apart(first: &Analysis, second: &Analysis, request: &Request) -> Result<Simulation, Refusal> {
    let mut found = simulate(first, None, &own(request, Side::First, [first, second]))?;
    let other = simulate(second, None, &own(request, Side::Second, [second, first]));
    let other = other.map_err(|refusal| match refusal.blame {
        Blame::Text(_) => Refusal { blame: Blame::Text(Side::Second), ..refusal },
        Blame::Option(_) => refusal,
    })?;
    let mut pairs = pairs(first, second);
    // What is not in one space has no distance.
    let query = |trace: &Trace, channel: usize| trace.calls.first().map_or(0, |row| row[channel].query.len());
    pairs.retain(|(i, j)| query(&found.first, *i) == query(&other.first, *j));
    let differences = if pairs.is_empty() { Vec::new() } else { differences(&found.first, &other.first, &pairs) };
    for mut assigned in other.assigned {
        if !found.assigned.contains(&assigned) {
            assigned.name = format!("B.{}", assigned.name);
            found.assigned.push(assigned);
        }
    }
    found.settings.extend(other.settings.into_iter().map(|s| Setting { side: Side::Second, ..s }));
    found.solved &= other.solved;
    found.second = Some(Following {
        trace: other.first,
        differences,
        iterates: Err("the two are not known to be related"),
        pairs,
        start: other.start.to_string(),
        is_related: false,
    });
    Ok(found)
}

/// What is asked of one of the two: `B.t` is the second's, and so is `t` where the first has none. What neither has is left to
/// the first to refuse.
fn own(request: &Request, side: Side, [this, that]: [&Analysis; 2]) -> Request {
    let has = |x: &Analysis, name: &str| {
        let system = &x.system;
        system.parameters.iter().any(|p| p == name)
            || system.schedules.list.iter().any(|s| s.name == name)
            || system.operators.iter().any(|o| o.name == name)
            || system.calls.iter().any(|c| c.oracle.function == name)
    };
    let set = request.set.iter().filter_map(|(name, value)| {
        let name = match (side, name.strip_prefix("B.")) {
            (Side::First, None) => (has(this, name) || !has(that, name)).then_some(name.as_str()),
            (Side::First, Some(theirs)) => (!has(that, theirs)).then_some(name.as_str()),
            (Side::Second, None) => (has(this, name) && !has(that, name)).then_some(name.as_str()),
            (Side::Second, Some(own)) => has(this, own).then_some(own),
        };
        Some((name?.to_string(), *value))
    });
    let assign = request.assign.iter().filter(|(name, _)| has(this, name) || side == Side::First && !has(that, name));
    Request { set: set.collect(), assign: assign.cloned().collect(), ..request.clone() }
}

/// The channels of both that ask the same oracle of the same function, where each has only one that does.
fn pairs(first: &Analysis, second: &Analysis) -> Vec<(usize, usize)> {
    let is_same = |x: &Oracle, y: &Oracle| (x.kind, &x.function, x.conjugate) == (y.kind, &y.function, y.conjugate);
    let only = |x: &Analysis, oracle: &Oracle| {
        let mut found = (0..x.channels.len()).filter(|i| is_same(&x.channels[*i].oracle, oracle));
        found.next().filter(|_| found.next().is_none())
    };
    let pair = |i: usize| {
        let oracle = &first.channels[i].oracle;
        Some((only(first, oracle)?, only(second, oracle)?))
    };
    (0..first.channels.len()).filter_map(pair).collect()
}

/// How far their queries are apart, by iteration and pair.
fn differences(first: &Trace, second: &Trace, pairs: &[(usize, usize)]) -> Vec<Vec<f64>> {
    let rows = first.calls.iter().zip(&second.calls);
    rows.map(|(a, b)| pairs.iter().map(|(i, j)| distance(&a[*i].query, &b[*j].query)).collect()).collect()
}

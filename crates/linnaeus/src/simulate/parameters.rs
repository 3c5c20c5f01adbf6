//! Numbers for all parameters: those that were set, those that the relation determines, and for the others the best
//! of some that were tried.

use super::follow::{self, Point};
use super::tune::{Candidate, tune};
use super::{Refusal, Setting};
use crate::relation::Witness;
use crate::relation::behavior::Side;
use crate::system::parameter;
use crate::system::schedule::{Motion, start};
use crate::transfer::Analysis;
use linnaeus_algebra::{SortedMap, Variable};

/// Numbers for the symbols of a comparison, and where the first's sequences start.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Parameters of both.
    pub point: Point,
    /// Starts of sequences that follow a rule, values of those that have none.
    pub starts: SortedMap<usize, f64>,
}

#[derive(Copy, Clone, PartialEq)]
enum Symbol {
    Parameter(Variable),
    Sequence(usize),
}

struct Named {
    side: Side,
    name: String,
    symbol: Symbol,
}

/// Everything that needs a number.
pub struct Parameters<'a> {
    witness: Option<&'a Witness>,
    named: Vec<Named>,
    /// Sequences that follow a rule.
    recursive: Vec<usize>,
}

impl<'a> Parameters<'a> {
    /// The parameters of both texts and the sequences of the first.
    pub fn new(first: &Analysis, second: Option<(&Analysis, &'a Witness)>) -> Parameters<'a> {
        let mut named = Vec::new();
        for (side, analysis) in [(Side::First, Some(first)), (Side::Second, second.map(|(b, _)| b))] {
            let names = analysis.into_iter().flat_map(|a| a.system.parameters.iter().enumerate());
            named.extend(names.map(|(i, name)| {
                let symbol = Symbol::Parameter(side.place(parameter(i)));
                Named { side, name: name.clone(), symbol }
            }));
        }
        let mut recursive = Vec::new();
        for (j, schedule) in first.system.schedules.list.iter().enumerate() {
            match schedule.motion {
                Motion::Recursion(_) => recursive.push(j),
                Motion::Free => {}
                _ => continue,
            }
            named.push(Named { side: Side::First, name: schedule.name.clone(), symbol: Symbol::Sequence(j) });
        }
        Parameters { witness: second.map(|(_, w)| w), named, recursive }
    }

    /// Whether the relation leaves no choice.
    fn is_determined(&self, symbol: Symbol) -> bool {
        let branch = self.witness.and_then(|w| w.branches.first());
        match symbol {
            Symbol::Parameter(v) => branch.is_some_and(|b| b.conditions.contains_key(&v) || b.values.contains_key(&v)),
            Symbol::Sequence(j) => self.witness.is_some_and(|w| w.sequences.laws.iter().any(|(n, _)| *n == j)),
        }
    }

    /// Which one a name means: `t`, or `B.t` where the first has a `t` too.
    fn find(&self, name: &str) -> Option<&Named> {
        let plain = |n: &&Named| n.name == name;
        let marked = |n: &&Named| n.side == Side::Second && name.strip_prefix("B.") == Some(n.name.as_str());
        self.named.iter().find(plain).or_else(|| self.named.iter().find(marked))
    }

    fn given(&self, set: &[(String, f64)]) -> Result<Choice, Refusal> {
        let mut choice = Choice::default();
        for (name, value) in set {
            let free: Vec<String> = self.free().map(|n| n.name.clone()).collect();
            let found = self.find(name).filter(|n| !self.is_determined(n.symbol)).ok_or_else(|| {
                let why = if self.find(name).is_some() { "is determined by the relation" } else { "is no parameter" };
                let which = if free.is_empty() {
                    "there is nothing to set".to_string()
                } else {
                    format!("there are {}", free.join(", "))
                };
                Refusal::option("--set", &format!("{name}={value}"), format!("`{name}` {why}")).help(which)
            })?;
            choice.insert(found.symbol, *value);
        }
        for &j in &self.recursive {
            choice.starts.entry(j).or_insert(1.0);
        }
        Ok(choice)
    }

    fn free(&self) -> impl Iterator<Item = &Named> {
        self.named.iter().filter(|n| !self.is_determined(n.symbol))
    }

    /// All numbers, and where each comes from; `score` is less for better ones.
    pub fn choose(
        &self,
        set: &[(String, f64)],
        candidates: &[Candidate],
        score: &mut dyn FnMut(&Choice) -> f64,
    ) -> Result<(Choice, Vec<Setting>), Refusal> {
        let given = self.given(set)?;
        let open: Vec<&Named> = self.free().filter(|n| given.get(n.symbol).is_none()).collect();
        let completed = |values: &[f64]| {
            let mut choice = given.clone();
            open.iter().zip(values).for_each(|(n, value)| choice.insert(n.symbol, *value));
            choice.point.extend(choice.starts.iter().map(|(j, value)| (start(*j), *value)));
            if let Some(witness) = self.witness {
                follow::determine(witness, &mut choice.point);
            }
            choice
        };
        let best = tune(open.len(), candidates, &mut |values| score(&completed(values)));
        let values: Vec<f64> = best.iter().map(|&c| candidates[c].value).collect();
        let choice = completed(&values);
        let reason = |n: &Named| {
            if self.is_determined(n.symbol) {
                return "by the relation".to_string();
            }
            match open.iter().position(|o| o.symbol == n.symbol) {
                Some(i) => {
                    let reason = candidates[best[i]].reason.map_or(String::new(), |r| format!("{r}, "));
                    format!("{reason}the best of {} tried", candidates.len())
                }
                None if set.iter().any(|(name, _)| self.find(name).is_some_and(|f| f.symbol == n.symbol)) => {
                    "as set".to_string()
                }
                None => "by custom, at the start".to_string(),
            }
        };
        let told = |n: &Named| {
            let value = choice.get(n.symbol)?;
            Some(Setting { side: n.side, name: n.name.clone(), value, reason: reason(n) })
        };
        let mut settings: Vec<Setting> = self.named.iter().filter_map(told).collect();
        settings.sort_by_key(|s| s.side);
        Ok((choice, settings))
    }
}

impl Choice {
    fn get(&self, symbol: Symbol) -> Option<f64> {
        match symbol {
            Symbol::Parameter(v) => self.point.get(&v).copied(),
            Symbol::Sequence(j) => self.starts.get(&j).copied(),
        }
    }

    fn insert(&mut self, symbol: Symbol, value: f64) {
        match symbol {
            Symbol::Parameter(v) => drop(self.point.insert(v, value)),
            Symbol::Sequence(j) => drop(self.starts.insert(j, value)),
        }
    }
}

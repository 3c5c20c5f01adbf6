//! (H₁, Φ₁), (H₂, Φ₂) → [`Verdict`]: every relation is a group that acts on the range of [H; I], so
//! one mechanism serves them all. Channels are paired, the second algorithm is written in the
//! first's oracles, shifted, and its parameters are solved for.

mod anchor;
mod ansatz;
mod beginnings;
pub mod behavior;
mod beside;
mod conjugates;
mod constants;
mod correspondence;
mod course;
mod declared;
mod dual;
mod echelon;
mod functions;
mod hypothesis;
mod identity;
mod kept;
pub mod key;
mod laws;
mod lift;
mod markov;
mod matching;
mod multiples;
mod obstruction;
mod operators;
mod parameters;
mod paths;
mod positive;
mod radicals;
mod real;
mod recheck;
mod refutation;
mod sample;
mod scaling;
mod search;
pub mod shift;
mod soundness;
pub mod state_map;
pub mod typed;
mod verdict;
pub mod words;

pub use identity::{Identity, identity};
pub use kept::{Answers, Known};
pub use lift::{Steps, paced};
pub use operators::{is_coefficient, is_operator};
pub use radicals::{ROOT, Radicals, is_root};
pub use real::{Demands, Texts, demands, has_real_root};
pub use recheck::{Recheck, recheck, recheck_united};
pub use scaling::on_branch;
pub use search::{Names, Wanted, symbol_name, symbol_name_at_start};
pub use state_map::{NoStateMap, StateMap, States, state_map};
pub use verdict::{
    Assumption, Compared, Conjugate, ConstantMap, Difference, Directions, Exchange, Generality, Invariant, Limit,
    Nearest, NoRun, Obstruction, Refutation, Relation, SampleMap, Sequences, Sign, Verdict, Witness,
};
pub use words::WordMap;

use crate::FUEL;
use crate::system::schedule::{scheduled, varies};
use crate::transfer::{self, Analysis, Factor};
use behavior::Side;
use linnaeus_algebra::solve::Branch;
use linnaeus_algebra::{Exhausted, RationalFunction, Variable, with_fuel};
use search::Scope;

/// A verdict and its second opinion.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What was found.
    pub verdict: Verdict,
    /// What the re-check said of it, if it is positive.
    pub recheck: Option<Recheck>,
    /// What is more general, if parameters that do nothing but scale a function are taken into it.
    pub folded: Option<Box<Folded>>,
    /// Relations of other kinds, for parameters of A for which the verdict says nothing.
    pub also: Vec<Witness>,
    /// The texts that were compared, where calls whose answers follow from others are read as these.
    pub united: Option<Box<[Analysis; 2]>>,
}

impl Comparison {
    fn new(verdict: Verdict, recheck: Option<Recheck>) -> Comparison {
        Comparison { verdict, recheck, folded: None, also: Vec::new(), united: None }
    }

    /// The texts of which the verdict speaks.
    pub fn texts<'a>(&'a self, first: &'a Analysis, second: &'a Analysis) -> [&'a Analysis; 2] {
        self.united.as_ref().map_or([first, second], |texts| [&texts[0], &texts[1]])
    }

    /// Whether they are the same algorithms without any condition.
    fn is_unconditional(&self) -> bool {
        matches!(&self.verdict, Verdict::Related(w) if w.relation != Relation::Conditional)
    }
}

/// A comparison of texts whose functions have taken in such parameters.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The first text.
    pub first: Analysis,
    /// The second text.
    pub second: Analysis,
    /// The parameters.
    pub factors: Vec<(Side, Factor)>,
    /// How the two are related.
    pub witness: Witness,
}

/// Decides how two algorithms are related. A witness that fails its re-check is never shown.
pub fn compare(first: &Analysis, second: &Analysis, only: Option<Relation>) -> Comparison {
    compare_as(first, second, only, Names::Shared)
}

/// The same where names of sequences may be of no consequence, as those of a card are to a reader's text.
pub fn compare_as(first: &Analysis, second: &Analysis, only: Option<Relation>, names: Names) -> Comparison {
    let mut found = decided(first, second, only, names);
    if !found.is_unconditional()
        && only.is_none_or(|only| only >= Relation::Lft)
        && let Ok(Some(texts)) = with_fuel(FUEL / 10, || united(first, second))
    {
        // That some calls follow from others is already a change of oracles.
        let mut other = decided(&texts[0], &texts[1], only.filter(|only| *only > Relation::Lft), names);
        if let Verdict::Related(witness) = &mut other.verdict {
            witness.relation = witness.relation.max(Relation::Lft);
            match with_fuel(FUEL / 10, || heard([first, second], witness)) {
                Ok(branches) if branches.is_empty() => {
                    let reason = silenced([first, second], &texts, witness, only);
                    other = Comparison::new(Verdict::Distinct(Box::new(reason)), None);
                }
                Ok(branches) => witness.branches = branches,
                Err(Exhausted) => {}
            }
        }
        let is_better = match (&other.verdict, &found.verdict) {
            (Verdict::Related(_), Verdict::Related(_)) => other.is_unconditional(),
            (Verdict::Related(witness), _) if only == Some(Relation::Lft) => witness.relation == Relation::Lft,
            // What keeps texts apart that call functions twice at one point need not keep apart what they are.
            (Verdict::Related(_), _) | (Verdict::Distinct(_), Verdict::Undecided(_) | Verdict::Distinct(_)) => true,
            _ => false,
        };
        if is_better {
            found = Comparison { united: Some(Box::new(texts)), ..other };
        }
    }
    if only.is_none() && found.united.is_none() {
        found = beside::beside(first, second, names, found);
    }
    let equal = |v: &Verdict| matches!(v, Verdict::Related(w) if w.generality == Generality::Equal);
    if !equal(&found.verdict) {
        let [first, second] = found.texts(first, second);
        found.folded = with_fuel(FUEL / 10, || folded_too(first, second, only, names)).ok().flatten().map(Box::new);
    }
    found
}

/// The branches of a relation of two texts without some of their calls on which all calls of the texts as written have an
/// influence. Values that take it from one relate what is left.
fn heard([first, second]: [&Analysis; 2], witness: &Witness) -> Result<Vec<Branch>, Exhausted> {
    let Ok(matching) = words::matching(first, second, &witness.sequences.place) else {
        return Ok(witness.branches.clone());
    };
    let law = |j: usize| witness.sequences.laws.iter().find(|(i, _)| *i == j).map(|(_, law)| law);
    let mut found = Vec::new();
    for branch in &witness.branches {
        let value = |v: Variable| match scheduled(v) {
            None => search::rational(branch)(v),
            Some((j, _)) => law(j).filter(|law| !varies(law)).cloned(),
        };
        let at = |analysis: &Analysis, place: &dyn Fn(&RationalFunction) -> RationalFunction| {
            soundness::heard_words(analysis, &matching.joint, place, &value).map(|found| found.is_some())
        };
        if at(first, &RationalFunction::clone)? && at(second, &|r| matching.placed(r))? {
            found.push(branch.clone());
        }
    }
    Ok(found)
}

/// What keeps texts apart that without some of their calls are related only where these have no influence.
fn silenced(
    written: [&Analysis; 2],
    [first, second]: &[Analysis; 2],
    witness: &Witness,
    only: Option<Relation>,
) -> Obstruction {
    if witness.repeat.is_some() {
        return obstruction::obstruction(first, second, only);
    }
    // As near as they come: one value that takes an influence is another.
    let mut others = witness.branches.iter().flat_map(|branch| {
        let determined = branch.conditions.keys().chain(branch.values.keys());
        determined.map(move |v| {
            let mut other = branch.clone();
            other.conditions.remove(v);
            other.values.remove(v);
            other
        })
    });
    let is_heard = |branch: &Branch| {
        let branches = vec![branch.clone()];
        with_fuel(FUEL / 100, || heard(written, &Witness { branches, ..witness.clone() })).is_ok_and(|b| !b.is_empty())
    };
    let nearest = Nearest {
        values: others.find(is_heard),
        degenerate: witness.branches.clone(),
        ..Nearest::of([first, second], witness)
    };
    let run = with_fuel(FUEL / 4, || refutation::refutation(first, second, &nearest));
    Obstruction { nearest: Some(nearest), run, ..Obstruction::default() }
}

/// Both texts without calls whose answers follow from others, if either has such; nothing if stepping them does not
/// show that they make the calls of the texts as written.
fn united(first: &Analysis, second: &Analysis) -> Result<Option<[Analysis; 2]>, Exhausted> {
    let of = |text: &Analysis| -> Result<Option<Analysis>, Exhausted> {
        let Some(other) = transfer::united(text)? else { return Ok(None) };
        let found = recheck_united(text, &other);
        debug_assert!(found != Recheck::Failed, "calls are not those that they are read as: {other:?}");
        Ok((found == Recheck::Passed).then_some(other))
    };
    let texts = [of(first)?, of(second)?];
    if texts.iter().all(Option::is_none) {
        return Ok(None);
    }
    let [a, b] = texts;
    Ok(Some([a.unwrap_or_else(|| first.clone()), b.unwrap_or_else(|| second.clone())]))
}

fn decided(first: &Analysis, second: &Analysis, only: Option<Relation>, names: Names) -> Comparison {
    let decide = |names: Names| {
        let found = search::search(first, second, Wanted { only, names, ..Wanted::ALL }, Scope::Texts);
        checked(first, second, found, names)
    };
    let mut found = decide(names);
    if let Verdict::Distinct(obstruction) = &mut found.verdict
        && names == Names::Shared
        && matching::share_names(&first.system.schedules, &second.system.schedules)
        && let Verdict::Related(witness) = with_fuel(FUEL / 10, || decide(Names::Foreign)).verdict
    {
        obstruction.renamed = Some(witness);
    }
    found
}

/// What texts are that are equal once parameters which do nothing but scale a function are taken into it.
fn folded_too(
    first: &Analysis,
    second: &Analysis,
    only: Option<Relation>,
    names: Names,
) -> Result<Option<Folded>, Exhausted> {
    let mut factors = Vec::new();
    let mut taken = |x: &Analysis, side: Side| -> Result<Analysis, Exhausted> {
        let Some((found, list)) = transfer::folded(x)? else { return Ok(x.clone()) };
        factors.extend(list.into_iter().map(|f| (side, f)));
        Ok(found)
    };
    let (first, second) = (taken(first, Side::First)?, taken(second, Side::Second)?);
    if factors.is_empty() {
        return Ok(None);
    }
    let wanted = Wanted { only, names, ..Wanted::ALL };
    let found = checked(&first, &second, search::search(&first, &second, wanted, Scope::Texts), names);
    Ok(match found.verdict {
        Verdict::Related(witness) if witness.generality == Generality::Equal => {
            Some(Folded { first, second, factors, witness: *witness })
        }
        _ => None,
    })
}

/// Decides how two families of algorithms are related: whether one lies in the other, for all of its
/// parameters. Sequences of one name need not be the same, and a negative answer gives no reasons.
pub fn relate(first: &Analysis, second: &Analysis, wanted: Wanted) -> Comparison {
    let found = search::search(first, second, Wanted { names: Names::Foreign, ..wanted }, Scope::Families);
    checked(first, second, found, Names::Foreign)
}

/// The witness, if it passes its re-check.
fn confirmed(first: &Analysis, second: &Analysis, witness: Witness, names: Names) -> Option<Witness> {
    match checked(first, second, Verdict::Related(Box::new(witness)), names) {
        Comparison { verdict: Verdict::Related(witness), .. } => Some(*witness),
        _ => None,
    }
}

fn checked(first: &Analysis, second: &Analysis, mut verdict: Verdict, names: Names) -> Comparison {
    let Verdict::Related(witness) = &mut verdict else {
        return Comparison::new(verdict, None);
    };
    if witness.images.is_empty()
        && let Ok(images) = with_fuel(FUEL, || operators::images(first, second, witness))
    {
        witness.images = images;
    }
    let asked = declared::asked([&first.system, &second.system], witness);
    witness.assumptions.extend(asked);
    let others = std::mem::take(&mut witness.others).into_iter();
    witness.others = others.filter_map(|other| confirmed(first, second, other, names)).collect();
    if names == Names::Shared
        && let Some([a, b]) = paced(first, second, witness.repeat)
    {
        let found = with_fuel(FUEL, || search::same_values(&a, &b, witness));
        witness.same_parameters = found.ok().flatten();
    }
    match recheck(first, second, witness) {
        Recheck::Failed => {
            debug_assert!(false, "a witness failed its re-check: {witness:?}");
            Comparison::new(Verdict::Undecided(Limit::Recheck), Some(Recheck::Failed))
        }
        passed => Comparison::new(verdict, Some(passed)),
    }
}

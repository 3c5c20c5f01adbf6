//! Random algorithms in disguise are recognised, changed ones are not, and the order of the question
//! does not matter. What the engine claims is checked by numbers, see `support/certify.rs`.

mod support;

use linnaeus::relation::{Comparison, Directions, Generality, Limit, Recheck, Relation, Verdict, Witness, compare};
use linnaeus::report;
use linnaeus::syntax::ast::{Expression, Node, Operation, OracleKind};
use linnaeus::transfer::{Channel, Explicitness, Transfer};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Coefficient, RationalFunction};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::certify::{self, Case};
use support::disguise::{Disguise, Step, perturb};
use support::generate::{self, Symbols};
use support::printed;
use support::random::Random;
use support::rewrite::{Draft, Rewriting};
use support::simulate::{Experiment, fraction, inverse, negative, plus, times};

/// The seed, unless the environment sets another: `SEED=7 cargo test --test related`.
const SEED: u64 = 20_261_107;

fn seed() -> u64 {
    std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(SEED)
}

/// Two texts and what is wrong with the answer.
enum Outcome {
    /// There was nothing to compare.
    Skipped,
    /// As it should be, after so many comparisons; the word says what was found.
    Good(usize, &'static str),
    /// What is wrong.
    Bad(String),
}

/// Parameters under which two algorithms meet are sought for a bounded time.
const UNDECIDED: &str = "undecided";

/// Runs cases of one kind until so many comparisons are made; the first few failures are shown.
fn run(kind: &str, wanted: usize, case: &dyn Fn(&mut Random, &mut Pair) -> Outcome) {
    let (mut made, mut round) = (0, 0);
    let mut found: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    while made < wanted {
        assert!(round < 6 * wanted as u64, "{kind}: only {made} comparisons in {round} rounds");
        let mut random = Random::new(seed(), kind, round);
        let mut pair = Pair::default();
        let outcome = catch_unwind(AssertUnwindSafe(|| case(&mut random, &mut pair)));
        let outcome = outcome.unwrap_or_else(|_| Outcome::Bad("panicked".to_string()));
        match outcome {
            Outcome::Skipped => *found.entry("skipped").or_default() += 1,
            Outcome::Good(comparisons, word) => {
                made += comparisons;
                *found.entry(word).or_default() += comparisons;
            }
            Outcome::Bad(problem) => {
                made += 1;
                let Pair { first, second, done } = &pair;
                failures.push(format!(
                    "{kind}, round {round}, seed {}: {done}\n{first}\n--\n{second}\n--\n{problem}",
                    seed()
                ));
            }
        }
        round += 1;
    }
    println!("{kind}: {made} comparisons, {found:?}");
    let undecided = found.get(UNDECIDED).copied().unwrap_or(0);
    assert!(undecided * 50 < made, "{kind}: {undecided} of {made} are not decided");
    let text: String = failures.iter().take(3).map(|f| format!("\n\n{f}")).collect();
    assert!(failures.is_empty(), "{kind}: {} of {made} failed{text}", failures.len());
}

/// The two texts, for the story of a failure.
#[derive(Default)]
struct Pair {
    first: String,
    second: String,
    done: String,
}

/// What a random algorithm must have.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Having {
    Anything,
    /// At least two channels.
    TwoChannels,
    /// At least one prox.
    Prox,
}

fn has(case: &Case, having: Having) -> bool {
    let channels = &case.analysis.channels;
    let prox = |c: &Channel| matches!(c.oracle.kind, OracleKind::Prox | OracleKind::Reflected);
    match having {
        Having::Anything => true,
        Having::TwoChannels => channels.len() > 1,
        Having::Prox => channels.iter().any(prox),
    }
}

/// A random algorithm with one to three channels that all ask something.
fn base(random: &mut Random, symbols: Symbols, having: Having) -> Case {
    loop {
        let text = generate::small(random, symbols);
        let Some(case) = Case::new(text) else { continue };
        let channels = (1..=3).contains(&case.analysis.channels.len());
        if channels && !asks_nothing(&case) && is_small(&case) && has(&case, having) {
            return case;
        }
    }
}

/// Whether a comparison is no matter of seconds. Words in operators that do not commute grow fast.
fn is_small(case: &Case) -> bool {
    let system = &case.analysis.system;
    match &case.analysis.transfer {
        Transfer::Noncommuting { realization, .. } => realization.states.len() <= 4,
        Transfer::Commuting { .. } if system.parameters.is_empty() => true,
        Transfer::Commuting { .. } if system.parameters.len() > 3 => false,
        Transfer::Commuting { .. } if system.operators.is_empty() => case.analysis.minimal_order <= 5,
        Transfer::Commuting { .. } => case.analysis.minimal_order <= 4,
    }
}

/// Whether some query does not depend on any answer, and so is the same as itself at any other time.
fn asks_nothing(case: &Case) -> bool {
    let p = case.analysis.channels.len();
    let zero = |i: usize| match &case.analysis.transfer {
        Transfer::Commuting { h, .. } => h.row(i)[..p].iter().all(RationalFunction::is_zero),
        Transfer::Noncommuting { markov, .. } => markov.iter().all(|m| m.row(i)[..p].iter().all(Coefficient::is_zero)),
    };
    (0..p).any(zero)
}

fn describe(a: &Case, b: &Case, comparison: &Comparison) -> String {
    let text = report::compare_text(&a.analysis, &b.analysis, comparison);
    text.chars().take(1500).collect()
}

fn is_implicit(case: &Case) -> bool {
    matches!(case.analysis.explicitness, Explicitness::Implicit(_))
}

fn is_rational(branch: &Branch) -> bool {
    let all = branch.values.values().chain(branch.conditions.values());
    branch.relations.is_empty() && all.into_iter().all(|v| matches!(v, Value::Rational(_)))
}

/// The re-check of a claim, and the check by numbers.
fn confirmed(a: &Case, b: &Case, comparison: &Comparison, witness: &Witness) -> Result<(), String> {
    match comparison.recheck {
        Some(Recheck::Passed) => {}
        // Only numbers can be tried, and some conditions have no rational solution.
        Some(Recheck::NotSimulable)
            if [a, b].iter().any(|c| is_implicit(c)) || witness.branches.iter().any(|b| !is_rational(b)) => {}
        other => return Err(format!("the re-check says {other:?}")),
    }
    certify::claim(a, b, witness).unwrap_or(Ok(()))?;
    // Numbers are tried that meet no conditions.
    if let (Some(said), None) = (witness.same_parameters, witness.repeat)
        && witness.assumptions.is_empty()
        && (!said || witness.branches.iter().any(|b| b.conditions.is_empty()))
        && witness.filters.iter().all(RationalFunction::is_one)
        && let Some(is) = certify::same_names(a, b, witness, seed())
        && said != is
    {
        return Err(format!("with the same numbers for the same names they agree: {is}, not {said}"));
    }
    Ok(())
}

/// Each is as general as the other, but that a parameter which is a step of a prox is positive, and in other oracles any number.
fn as_general(a: &Case, b: &Case, witness: &Witness, is_recast: bool) -> Result<(), String> {
    let forth = certify::keeps_steps(a, b, witness, seed());
    if witness.generality == Generality::Equal {
        return if forth == Some(false) { Err("steps of B may be negative".to_string()) } else { Ok(()) };
    }
    let back = match compare(&b.analysis, &a.analysis, None).verdict {
        Verdict::Related(other) => certify::keeps_steps(b, a, &other, seed()),
        _ => None,
    };
    let wanted = match (is_recast, forth, back) {
        (true, Some(forth), Some(back)) => Directions { forth, back }.generality(),
        _ => Generality::Equal,
    };
    if witness.generality == wanted { Ok(()) } else { Err(format!("the generality is {wanted:?}")) }
}

type Steps<'a> = &'a dyn Fn(&mut Random) -> Vec<Step>;

/// A random algorithm and the same in disguise are related, equally general, by a relation that is no
/// weaker than the disguise.
fn recognised(random: &mut Random, pair: &mut Pair, having: Having, steps: Steps) -> Outcome {
    let symbols = if random.one_in(3) { Symbols::None } else { Symbols::Some };
    let a = base(random, symbols, having);
    let mut disguise = Disguise::new(&a.text, &a.analysis);
    pair.first.clone_from(&a.text);
    let mut applied = 0;
    for step in steps(random) {
        if !matches!(step, Step::Reparametrise) {
            disguise.reword(1, random);
        }
        applied += usize::from(disguise.apply(step, random));
    }
    pair.second = disguise.draft.text();
    pair.done = format!("{:?}", disguise.done);
    if applied == 0 {
        return Outcome::Skipped;
    }
    let Some(b) = Case::new(pair.second.clone()) else {
        return Outcome::Skipped;
    };
    // Oracles of one function that become the same may be asked the same, and what was asked the same
    // may be different if an iterate that nothing controls comes in.
    let splits = |s: &Step| matches!(s, Step::Conjugate | Step::Uncontrolled);
    if a.analysis.channels.len() != b.analysis.channels.len() && disguise.done.iter().any(splits) {
        return Outcome::Skipped;
    }
    let comparison = compare(&a.analysis, &b.analysis, None);
    let bad = |problem: String| Outcome::Bad(format!("{problem}\n{}", describe(&a, &b, &comparison)));
    let witness = match &comparison.verdict {
        Verdict::Related(witness) => witness,
        Verdict::Undecided(Limit::Work) => return Outcome::Good(1, UNDECIDED),
        _ => return bad("they are related".to_string()),
    };
    if witness.relation > disguise.weakest || !witness.assumptions.is_empty() {
        return bad(format!("the relation is no weaker than {:?}", disguise.weakest));
    }
    if let Err(problem) = as_general(&a, &b, witness, disguise.done.contains(&Step::Conjugate)) {
        return bad(problem);
    }
    if let Err(problem) = confirmed(&a, &b, &comparison, witness) {
        return bad(problem);
    }
    let experiment = Experiment::new(seed());
    let given = disguise.parameters.iter().map(|(n, e)| (n.clone(), number(e, &experiment))).collect();
    // With functions that are exchanged there may be a stronger relation, and it has other parameters.
    let sought = disguise.done.contains(&Step::Reparametrise) && !disguise.done.contains(&Step::Exchange);
    if sought && !certify::contains_map(&a, &b, witness, &given, seed()) {
        return bad("the new parameters are not found".to_string());
    }
    Outcome::Good(1, witness.relation.word())
}

/// The number that a formula in parameters has.
fn number(e: &Expression, experiment: &Experiment) -> u64 {
    match &e.node {
        Node::Number(n) => fraction(n),
        Node::Name(n) => experiment.named(n),
        Node::Minus(a) => negative(number(a, experiment)),
        Node::Binary(op, a, b) => {
            let (a, b) = (number(a, experiment), number(b, experiment));
            match op {
                Operation::Add => plus(a, b),
                Operation::Subtract => plus(a, negative(b)),
                Operation::Multiply => times(a, b),
                Operation::Divide => times(a, inverse(b)),
            }
        }
        other => panic!("no formula: {other:?}"),
    }
}

fn several(random: &mut Random, most: usize, choices: &[Step]) -> Vec<Step> {
    (0..1 + random.below(most)).map(|_| *random.pick(choices)).collect()
}

const ANYTHING: Having = Having::Anything;

#[test]
fn changes_of_coordinates() {
    let steps = |r: &mut Random| several(r, 3, &[Step::Coordinates]);
    run("coordinates", 1_000, &|random, pair| recognised(random, pair, ANYTHING, &steps));
}

#[test]
fn dead_states() {
    let steps = |r: &mut Random| several(r, 2, &[Step::Uncontrolled, Step::Rewrite(Rewriting::DeadState)]);
    run("dead states", 1_000, &|random, pair| recognised(random, pair, ANYTHING, &steps));
}

#[test]
fn shifts() {
    let steps = |_: &mut Random| vec![Step::Rotate];
    run("shifts", 1_000, &|random, pair| recognised(random, pair, Having::TwoChannels, &steps));
}

#[test]
fn conjugation() {
    let steps = |r: &mut Random| several(r, 2, &[Step::Conjugate]);
    run("conjugation", 1_000, &|random, pair| recognised(random, pair, Having::Prox, &steps));
}

#[test]
fn conjugation_and_shift() {
    let steps = |_: &mut Random| vec![Step::Conjugate, Step::Rotate];
    run("conjugation and shift", 500, &|random, pair| recognised(random, pair, Having::Prox, &steps));
}

#[test]
fn exchanged_functions() {
    let steps = |r: &mut Random| several(r, 2, &[Step::Exchange, Step::Rewrite(Rewriting::Reorder)]);
    run("permutation", 1_000, &|random, pair| recognised(random, pair, Having::TwoChannels, &steps));
}

#[test]
fn other_names() {
    let choices = [Step::Rewrite(Rewriting::Rename), Step::Rewrite(Rewriting::Letter), Step::Wording];
    run("names", 1_000, &|random, pair| recognised(random, pair, ANYTHING, &|r| several(r, 3, &choices)));
}

#[test]
fn reparametrisation() {
    let steps = |r: &mut Random| several(r, 2, &[Step::Reparametrise]);
    run("parameters", 1_000, &|random, pair| recognised(random, pair, ANYTHING, &steps));
}

const DISGUISES: [Step; 5] = [Step::Coordinates, Step::Uncontrolled, Step::Wording, Step::Exchange, Step::Conjugate];

#[test]
fn everything_at_once() {
    let steps = |r: &mut Random| {
        let mut steps = several(r, 3, &DISGUISES);
        if r.one_in(2) {
            steps.push(Step::Reparametrise);
        }
        if r.one_in(2) {
            steps.push(Step::Rotate);
        }
        steps
    };
    run("everything", 500, &|random, pair| recognised(random, pair, ANYTHING, &steps));
}

/// Both make the same calls from the start as it is printed, in whatever way iterates are counted.
#[test]
fn starts_as_printed() {
    run("starts", 400, &|random, pair| {
        let symbols = if random.one_in(2) { Symbols::None } else { Symbols::Some };
        let a = base(random, symbols, ANYTHING);
        let counted = |draft: &mut Draft, random: &mut Random| {
            for _ in 0..4 {
                draft.apply(*random.pick(&[Rewriting::Renumber, Rewriting::ShiftLine]), random);
            }
        };
        let mut first = Draft::new(&a.text, &a.analysis.system);
        counted(&mut first, random);
        pair.first = first.text();
        let Some(a) = Case::new(pair.first.clone()) else { return Outcome::Skipped };
        let mut disguise = Disguise::new(&a.text, &a.analysis);
        let mut steps = several(random, 2, &DISGUISES);
        steps.extend(random.one_in(2).then_some(Step::Rotate));
        for step in steps {
            disguise.apply(step, random);
            disguise.apply(Step::Rewrite(Rewriting::Inline), random);
        }
        counted(&mut disguise.draft, random);
        pair.second = disguise.draft.text();
        let Some(b) = Case::new(pair.second.clone()) else { return Outcome::Skipped };
        for (a, b) in [(&a, &b), (&b, &a)] {
            let comparison = compare(&a.analysis, &b.analysis, None);
            let Verdict::Related(witness) = &comparison.verdict else { return Outcome::Skipped };
            let report = report::compare(&a.analysis, &b.analysis, &comparison);
            match printed::start(a, b, witness, &report, seed()) {
                Some(Ok(())) => {}
                Some(Err(problem)) => return Outcome::Bad(format!("{problem}\n{}", describe(a, b, &comparison))),
                None => return Outcome::Skipped,
            }
        }
        Outcome::Good(2, "start")
    });
}

/// A random algorithm and the same with one coefficient changed.
fn perturbed(random: &mut Random, pair: &mut Pair, symbols: Symbols) -> Option<(Case, Case)> {
    let a = base(random, symbols, ANYTHING);
    if a.analysis.system.parameters.len() > 2 {
        return None;
    }
    let mut draft = Draft::new(&a.text, &a.analysis.system);
    let changed = perturb(&mut draft, random);
    (pair.first, pair.second) = (a.text.clone(), draft.text());
    let b = Case::new(draft.text()).filter(|b| changed && !asks_nothing(b) && b.analysis.channels.len() <= 4)?;
    Some((a, b))
}

/// Without parameters, what holds can be found by trying, and the engine must say just that.
#[test]
fn changed_numbers() {
    run("changed numbers", 1_500, &|random, pair| {
        let a = base(random, Symbols::None, ANYTHING);
        let mut disguise = Disguise::new(&a.text, &a.analysis);
        if random.one_in(2) {
            perturb(&mut disguise.draft, random);
        }
        let mut steps = several(random, 2, &DISGUISES);
        steps.extend(random.one_in(3).then_some(Step::Rotate));
        for step in steps {
            disguise.apply(step, random);
        }
        (pair.first, pair.second) = (a.text.clone(), disguise.draft.text());
        let Some(b) = Case::new(pair.second.clone()).filter(|b| !asks_nothing(b)) else { return Outcome::Skipped };
        let Some(holds) = certify::relations(&a, &b, seed()) else { return Outcome::Skipped };
        let comparison = compare(&a.analysis, &b.analysis, None);
        let bad = |problem: String| Outcome::Bad(format!("{problem}\n{}", describe(&a, &b, &comparison)));
        let only = compare(&a.analysis, &b.analysis, Some(Relation::Oracle));
        let same = matches!(only.verdict, Verdict::Related(_));
        if same != holds.contains(&Relation::Oracle) || matches!(only.verdict, Verdict::Undecided(_)) {
            return bad(format!("what holds is {holds:?}; asked for the same calls it says {:?}", only.verdict));
        }
        let word = match &comparison.verdict {
            Verdict::Related(witness) => {
                let plain = witness.assumptions.is_empty() && witness.repeat.is_none();
                if holds.first().copied() != plain.then_some(witness.relation) {
                    return bad(format!("what holds is {holds:?}"));
                }
                if let Err(problem) = confirmed(&a, &b, &comparison, witness) {
                    return bad(problem);
                }
                witness.relation.word()
            }
            Verdict::Distinct(_) if holds.is_empty() => "distinct",
            _ => return bad(format!("what holds is {holds:?}")),
        };
        Outcome::Good(2, word)
    });
}

/// With parameters, every claim is checked.
#[test]
fn changed_coefficients() {
    run("changed coefficients", 1_000, &|random, pair| {
        let Some((a, b)) = perturbed(random, pair, Symbols::Some) else { return Outcome::Skipped };
        let comparison = compare(&a.analysis, &b.analysis, None);
        let bad = |problem: String| Outcome::Bad(format!("{problem}\n{}", describe(&a, &b, &comparison)));
        match &comparison.verdict {
            Verdict::Related(witness) => match confirmed(&a, &b, &comparison, witness) {
                Ok(()) => Outcome::Good(1, witness.relation.word()),
                Err(problem) => bad(problem),
            },
            Verdict::Distinct(_) => Outcome::Good(1, "distinct"),
            Verdict::Undecided(_) => Outcome::Good(1, UNDECIDED),
        }
    });
}

fn mirrored(g: Generality) -> Generality {
    match g {
        Generality::Instance => Generality::Contains,
        Generality::Contains => Generality::Instance,
        other => other,
    }
}

/// A parameter is given a number.
fn specialised(random: &mut Random, pair: &mut Pair) -> Option<(Case, Case)> {
    let a = base(random, Symbols::Some, ANYTHING);
    let parameters = &a.analysis.system.parameters;
    if parameters.is_empty() {
        return None;
    }
    let chosen = random.pick(parameters).clone();
    let value = *random.pick(&[2, 3, 5]);
    let mut draft = Draft::new(&a.text, &a.analysis.system);
    draft.map_expressions(&|e| match &e.node {
        Node::Name(n) if *n == chosen => support::rewrite::number(value),
        _ => e.clone(),
    });
    (pair.first, pair.second) = (a.text.clone(), draft.text());
    Some((a, Case::new(draft.text())?))
}

/// A compared with B is B compared with A.
#[test]
fn either_way_around() {
    run("either way around", 1_500, &|random, pair| {
        let two = match random.below(3) {
            0 => perturbed(random, pair, Symbols::Some),
            1 => perturbed(random, pair, Symbols::None),
            _ => specialised(random, pair),
        };
        let Some((a, b)) = two else { return Outcome::Skipped };
        let (forth, back) = (compare(&a.analysis, &b.analysis, None), compare(&b.analysis, &a.analysis, None));
        let summary = |c: &Comparison, turn: bool| match &c.verdict {
            Verdict::Related(w) => {
                format!("{:?} {:?}", w.relation, if turn { mirrored(w.generality) } else { w.generality })
            }
            Verdict::Distinct(_) => "distinct".to_string(),
            Verdict::Undecided(limit) => format!("{limit:?}"),
        };
        // Which of the two is solved for makes a difference to the work.
        if [&forth, &back].iter().any(|c| matches!(c.verdict, Verdict::Undecided(Limit::Work))) {
            return Outcome::Good(2, UNDECIDED);
        }
        if summary(&forth, false) != summary(&back, true) {
            return Outcome::Bad(format!("{}\nback:\n{}", describe(&a, &b, &forth), describe(&b, &a, &back)));
        }
        let word = match &forth.verdict {
            Verdict::Related(w) => w.generality.word(),
            Verdict::Distinct(_) => "distinct",
            Verdict::Undecided(_) => return Outcome::Bad("it is not decided".to_string()),
        };
        Outcome::Good(2, word)
    });
}

/// The check by numbers refuses a claim in which one thing is changed.
#[test]
fn wrong_claims_are_refused() {
    let read = |text: &str| Case::new(text.to_string()).expect("well posed");
    let a = read("x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]");
    let b = read(
        "x[k] = prox_{s f}(w[k]); v[k] = 2*x[k] - w[k]; y[k] = v[k] - s*prox_{(1/s) g*}(v[k]/s); w[k+1] = w[k] + y[k] - x[k]",
    );
    let Verdict::Related(witness) = compare(&a.analysis, &b.analysis, None).verdict else { panic!("they are related") };
    assert_eq!(certify::claim(&a, &b, &witness), Some(Ok(())));
    let refused = |change: &dyn Fn(&mut Witness)| {
        let mut wrong = (*witness).clone();
        change(&mut wrong);
        assert!(matches!(certify::claim(&a, &b, &wrong), Some(Err(_))), "{wrong:?}");
    };
    refused(&|w| w.shift[0] += 1);
    refused(&|w| w.matrices.swap(0, 1));
    refused(&|w| w.channel_map = vec![(0, 1), (1, 0)]);
    refused(&|w| w.branches.clear());
    refused(&|w| {
        let value = w.branches[0].values.values_mut().next().expect("s");
        *value = Value::Rational(RationalFunction::integer(2));
    });
    let other = read(&b.text.replace("2*x[k] - w[k]", "3*x[k] - w[k]"));
    assert!(matches!(certify::claim(&a, &other, &witness), Some(Err(_))));
}

/// The report does not depend on how hash tables happen to be ordered.
#[test]
fn again_and_again() {
    run("again and again", 400, &|random, pair| {
        let a = base(random, Symbols::Some, ANYTHING);
        let mut disguise = Disguise::new(&a.text, &a.analysis);
        disguise.apply(Step::Coordinates, random);
        disguise.apply(Step::Reparametrise, random);
        (pair.first, pair.second) = (a.text.clone(), disguise.draft.text());
        let (first, second) = (&pair.first, &pair.second);
        let answer = || {
            let [a, b] = [first, second].map(|text| linnaeus::read(text).analysis);
            let (a, b) = (a?, b?);
            Some(report::compare(&a, &b, &compare(&a, &b, None)).to_json())
        };
        let answers = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2).map(|_| scope.spawn(answer)).collect();
            threads.into_iter().map(|t| t.join().expect("no panic")).collect::<Vec<_>>()
        });
        match &answers[..] {
            [None, ..] => Outcome::Skipped,
            [one, two] if one == two => Outcome::Good(2, "same"),
            _ => Outcome::Bad(format!("{answers:?}")),
        }
    });
}

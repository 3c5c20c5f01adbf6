//! However an algorithm is written, its transfer matrix is the same; and that matrix is what the
//! equations say when they are run.

mod support;

use linnaeus::operator::{Letter, OperatorPolynomial};
use linnaeus::system::{LinearSystem, Z, operator_symbol, parameter};
use linnaeus::transfer::{Analysis, Channel, Transfer};
use linnaeus_algebra::{Coefficient, Matrix, RationalFunction, Variable};
use std::collections::BTreeMap;
use support::random::Random;
use support::rewrite::{Draft, Rewriting, SIMULTANEOUS};
use support::simulate::Experiment;
use support::{corpus, generate, matchings, shift_between};

/// The seed, unless the environment sets another: `SEED=7 cargo test --test metamorphic`.
const SEED: u64 = 20_261_101;
const GOLDEN: &str = include_str!("corpus/golden.txt");
const ZOO: &str = include_str!("corpus/zoo.txt");

fn seed() -> u64 {
    std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(SEED)
}

/// A text with a name.
struct Case {
    label: String,
    text: String,
    analysis: Analysis,
}

fn case(label: String, text: String) -> Option<Case> {
    let analysis = linnaeus::read(&text).analysis?;
    Some(Case { label, text, analysis })
}

fn corpora() -> Vec<Case> {
    let good = [GOLDEN, ZOO].map(corpus).into_iter().flatten().filter(|e| e.one("error").is_none());
    good.map(|e| case(e.label.clone(), e.text).unwrap_or_else(|| panic!("{} is refused", e.label))).collect()
}

fn generated(count: usize) -> Vec<Case> {
    let text = |i: usize| generate::algorithm(&mut Random::new(seed(), "generated", i as u64));
    let cases = (0..count).filter_map(|i| case(format!("generated {i}"), text(i)));
    let cases: Vec<Case> = cases.filter(|c| !asks_nothing(&c.analysis)).collect();
    assert!(cases.len() * 4 > count * 3, "only {} of {count} generated texts are well posed", cases.len());
    cases
}

/// Whether some query is always zero, and so the same as itself at any other time.
fn asks_nothing(analysis: &Analysis) -> bool {
    let rows = 0..analysis.channels.len();
    let zero = |i: usize| match &analysis.transfer {
        Transfer::Commuting { h, .. } => h.row(i).iter().all(RationalFunction::is_zero),
        Transfer::Noncommuting { markov, .. } => markov.iter().all(|m| m.row(i).iter().all(Coefficient::is_zero)),
    };
    rows.into_iter().any(zero)
}

/// A new system's variables in terms of the original's.
struct Translation<'a> {
    original: &'a LinearSystem,
    new: &'a LinearSystem,
    names: &'a BTreeMap<String, String>,
}

impl Translation<'_> {
    fn old(&self, name: &str) -> String {
        self.names.get(name).cloned().unwrap_or_else(|| name.to_string())
    }

    fn variable(&self, v: Variable) -> Variable {
        if v == Z {
            return Z;
        }
        if let Some(i) = (0..self.new.operators.len()).find(|&i| operator_symbol(i) == v) {
            return operator_symbol(usize::from(self.operator(i as u16)));
        }
        let i = (0..self.new.parameters.len()).find(|&i| parameter(i) == v).expect("a parameter");
        let name = self.old(&self.new.parameters[i]);
        parameter(self.original.parameters.iter().position(|p| *p == name).expect("a parameter of the original"))
    }

    fn operator(&self, i: u16) -> u16 {
        let name = self.old(&self.new.operators[usize::from(i)].name);
        self.original.operators.iter().position(|o| o.name == name).expect("an operator of the original") as u16
    }

    fn function(&self, f: &RationalFunction) -> RationalFunction {
        f.rename(&|v| self.variable(v))
    }

    fn polynomial(&self, p: &OperatorPolynomial) -> OperatorPolynomial {
        p.terms().into_iter().fold(OperatorPolynomial::zero(), |sum, (word, c)| {
            let start = OperatorPolynomial::scalar(self.function(c));
            let letters =
                word.iter().map(|l| OperatorPolynomial::letter(Letter { operator: self.operator(l.operator), ..*l }));
            sum.add(&letters.fold(start, |product, l| product.mul(&l).unwrap())).unwrap()
        })
    }

    /// The columns of channels and constants, in the original's order of constants.
    fn columns(&self, channels: &[usize]) -> Option<Vec<usize>> {
        let constant = |name: &String| self.new.constants.iter().position(|c| self.old(&c.name) == *name);
        let constants = self.original.constants.iter().map(|c| Some(channels.len() + constant(&c.name)?));
        channels.iter().map(|&c| Some(c)).chain(constants).collect()
    }
}

fn signature(
    channels: &[Channel],
    function: &dyn Fn(&str) -> String,
    step: &dyn Fn(&RationalFunction) -> RationalFunction,
) -> Vec<String> {
    let one = |c: &Channel| {
        let o = &c.oracle;
        format!("{:?} {} {} {:?} {:?}", o.kind, function(&o.function), o.conjugate, o.sample, step(&o.step))
    };
    channels.iter().map(one).collect()
}

/// Whether the draft is the original; what differs, if it is not.
fn compare(original: &Analysis, draft: &Draft) -> Result<(), String> {
    let reading = linnaeus::read(&draft.text());
    let Some(new) = &reading.analysis else {
        return Err(reading.diagnostics.iter().map(|d| d.render(&reading.source)).collect());
    };
    let translation = Translation { original: &original.system, new: &new.system, names: &draft.origin };
    let before = signature(&original.channels, &str::to_string, &RationalFunction::clone);
    let called = |f: &str| draft.functions.get(f).cloned().unwrap_or_else(|| f.to_string());
    let after = signature(&new.channels, &called, &|s| translation.function(s));
    let ways = matchings(&before, &after);
    if ways.is_empty() {
        return Err(format!("channels\n  {before:?}\nbecame\n  {after:?}"));
    }
    let equal = |way: &Vec<usize>| -> bool {
        let Some(columns) = translation.columns(way) else {
            return false;
        };
        match (&original.transfer, &new.transfer) {
            (Transfer::Commuting { h, .. }, Transfer::Commuting { h: found, .. }) => {
                let p: Vec<usize> = (0..way.len()).collect();
                let found = found.map(|f| translation.function(f));
                if draft.shifted {
                    shift_between(&h.submatrix(&p, &p), &found.submatrix(way, way), Z).is_some()
                } else {
                    *h == found.submatrix(way, &columns)
                }
            }
            (Transfer::Noncommuting { h, markov, .. }, Transfer::Noncommuting { h: other, markov: others, .. }) => {
                let same = |a: &Matrix<OperatorPolynomial>, b: &Matrix<OperatorPolynomial>| {
                    *a == b.submatrix(way, &columns).map(|p| translation.polynomial(p))
                };
                let closed = match (h, other) {
                    (Some(a), Some(b)) => same(a, b),
                    // Whether a closed form is found depends on the order of elimination.
                    _ => true,
                };
                closed && markov.iter().zip(others).all(|(a, b)| same(a, b))
            }
            _ => false,
        }
    };
    if !ways.iter().any(equal) {
        let table = |a: &Analysis| match &a.transfer {
            Transfer::Commuting { h, .. } => format!("{h:?}"),
            Transfer::Noncommuting { markov, .. } => format!("{markov:?}"),
        };
        let shown = reading.report().transfer;
        return Err(format!("H became {shown:?}\nfrom {}", table(original).chars().take(600).collect::<String>()));
    }
    if new.minimal_order != original.minimal_order && !draft.shifted {
        return Err(format!("the minimal order {} became {}", original.minimal_order, new.minimal_order));
    }
    Ok(())
}

/// Counts what was tried, and fails with the first few that failed.
#[derive(Default)]
struct Tally {
    tried: usize,
    failures: Vec<String>,
}

impl Tally {
    fn add(&mut self, outcome: Result<(), String>, story: impl FnOnce() -> String) {
        self.tried += 1;
        if let Err(problem) = outcome {
            self.failures.push(format!("{}\n{problem}", story()));
        }
    }

    fn finish(self, at_least: usize) {
        println!("{} tried", self.tried);
        let shown: Vec<&String> = self.failures.iter().take(3).collect();
        let text: String = shown.iter().map(|f| format!("\n\n{f}")).collect();
        assert!(self.failures.is_empty(), "{} of {} failed, seed {}{text}", self.failures.len(), self.tried, seed());
        assert!(self.tried >= at_least, "only {} could be tried", self.tried);
    }
}

fn story(case: &Case, done: &[Rewriting], draft: &Draft) -> String {
    format!("{}: {done:?}\n{}\n--\n{}\n--", case.label, case.text, draft.text())
}

fn rewrite(case: &Case, wanted: &[Rewriting], random: &mut Random, tally: &mut Tally) {
    let mut draft = Draft::new(&case.text, &case.analysis.system);
    let done: Vec<Rewriting> = wanted.iter().copied().filter(|r| draft.apply(*r, random)).collect();
    if !done.is_empty() {
        tally.add(compare(&case.analysis, &draft), || story(case, &done, &draft));
    }
}

fn several(random: &mut Random) -> Vec<Rewriting> {
    let mut wanted: Vec<Rewriting> = (0..1 + random.below(5)).map(|_| *random.pick(&SIMULTANEOUS)).collect();
    if random.one_in(5) {
        wanted.push(Rewriting::Assignments);
    }
    wanted
}

#[test]
fn one_rewriting() {
    let mut tally = Tally::default();
    for case in corpora() {
        for (i, rewriting) in SIMULTANEOUS.into_iter().chain([Rewriting::Assignments]).enumerate() {
            rewrite(&case, &[rewriting], &mut Random::new(seed(), &case.label, i as u64), &mut tally);
        }
    }
    tally.finish(2_000);
}

#[test]
fn several_rewritings() {
    let mut tally = Tally::default();
    for case in corpora() {
        for round in 0..10 {
            let mut random = Random::new(seed(), &case.label, 100 + round);
            let wanted = several(&mut random);
            rewrite(&case, &wanted, &mut random, &mut tally);
        }
    }
    tally.finish(2_000);
}

#[test]
fn several_rewritings_of_generated_algorithms() {
    let mut tally = Tally::default();
    for case in generated(400) {
        for round in 0..6 {
            let mut random = Random::new(seed(), &case.label, round);
            let wanted = several(&mut random);
            rewrite(&case, &wanted, &mut random, &mut tally);
        }
    }
    tally.finish(1_500);
}

/// Runs the equations as written against the realization and the series of H.
fn agrees(case: &Case, experiment: &Experiment) -> Option<Result<(), String>> {
    let written = experiment.as_written(&case.text, &case.analysis)?;
    let heads: Vec<Vec<u64>> = case.analysis.channels.iter().map(|c| written[c.call].clone()).collect();
    let differ = |name: &str| Some(Err(format!("the queries of the {name} are not those of the text")));
    if experiment.by_realization(&case.analysis)? != heads {
        return differ("realization");
    }
    if experiment.by_transfer(&case.analysis)? != heads {
        return differ("transfer matrix");
    }
    for (channel, head) in case.analysis.channels.iter().zip(&heads) {
        for &(call, age) in &channel.calls {
            let expected = std::iter::repeat_n(&0, age).chain(head);
            if !written[call].iter().zip(expected).all(|(a, b)| a == b) {
                return Some(Err(format!("call {call} does not repeat the query made {age} iterations before")));
            }
        }
    }
    Some(Ok(()))
}

#[test]
fn transfer_matrices_run() {
    let mut tally = Tally::default();
    let cases = corpora();
    let expected = cases.len() * 95 / 100;
    for case in cases.iter().chain(&generated(400)) {
        if let Some(outcome) = agrees(case, &Experiment::new(seed())) {
            tally.add(outcome, || format!("{}\n{}", case.label, case.text));
        }
    }
    tally.finish(expected + 250);
}

/// A changed coefficient changes H exactly when it changes what is asked.
#[test]
fn perturbations() {
    let mut tally = Tally::default();
    let mut changed = 0;
    for case in corpora().into_iter().chain(generated(300)) {
        for round in 0..3 {
            let mut random = Random::new(seed(), &case.label, 200 + round);
            let mut draft = Draft::new(&case.text, &case.analysis.system);
            if !draft.perturb(&mut random) {
                continue;
            }
            let Some(other) = self::case(case.label.clone(), draft.text()) else {
                continue;
            };
            let experiment = Experiment::new(seed());
            let asked = |c: &Case| -> Option<Vec<Vec<u64>>> {
                let written = experiment.as_written(&c.text, &c.analysis)?;
                Some(c.analysis.channels.iter().map(|c| written[c.call].clone()).collect())
            };
            let (Some(before), Some(after)) = (asked(&case), asked(&other)) else {
                continue;
            };
            if before.len() != after.len() {
                continue;
            }
            let same_h = compare(&case.analysis, &draft).is_ok();
            let same_queries = before == after;
            changed += usize::from(!same_h);
            let outcome = if same_h == same_queries {
                Ok(())
            } else {
                Err(format!("H the same: {same_h}; queries the same: {same_queries}"))
            };
            tally.add(outcome, || story(&case, &[], &draft));
        }
    }
    assert!(changed * 2 > tally.tried, "only {changed} of {} perturbations mattered", tally.tried);
    tally.finish(1_000);
}

/// What people write needs a small part of the work that is granted.
#[test]
fn the_literature_is_cheap() {
    for case in corpora() {
        let reading = linnaeus_algebra::with_fuel(linnaeus::FUEL / 100, || linnaeus::read(&case.text));
        assert!(reading.analysis.is_some(), "{}", case.label);
    }
}

/// A constant is the same at all times, so it does not keep a call from being an older one.
#[test]
fn constants_do_not_keep_calls_apart() {
    let text = "constant b\nx[k+1] = x[k] - t*grad f(x[k] + b) + t*grad f(x[k-1] + b)";
    assert_eq!(linnaeus::read(text).analysis.expect("well posed").channels.len(), 1);
}

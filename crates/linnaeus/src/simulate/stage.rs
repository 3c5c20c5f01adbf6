//! One or two algorithms on a problem, from parameters to runs.

use super::assign::{Assignment, assign};
use super::dense::{Vector, distance};
use super::follow::{self, Pair, state_size, written};
use super::function;
use super::numbers::Numbers;
use super::parameters::{Choice, Parameters};
use super::problem::{self, Eighths, Place, Problem, solution};
use super::run::{Call, Run, Stop};
use super::tune::{TRIAL, candidates};
use super::{Following, MAX_ITERATIONS, Refusal, Request, Setting, Simulation, Trace};
use crate::diagnostic::Code;
use crate::relation::Witness;
use crate::relation::behavior::Side;
use crate::relation::state_map::{States, begins, leads, state_map};
use crate::source::Span;
use crate::transfer::Analysis;

/// The calls of all channels, by iteration.
type Calls = Vec<Vec<Call>>;
/// The state as written, by iteration.
type Written = Vec<Vec<Vector>>;

/// Algorithms in their place in a problem.
pub struct Stage<'a> {
    first: &'a Analysis,
    second: Option<(&'a Analysis, &'a Witness)>,
    request: &'a Request,
    problem: Problem,
    assignment: Assignment,
    solution: Option<Vector>,
}

impl<'a> Stage<'a> {
    /// Gives the first algorithm its place.
    pub fn new(
        first: &'a Analysis,
        second: Option<(&'a Analysis, &'a Witness)>,
        request: &'a Request,
    ) -> Result<Stage<'a>, Refusal> {
        if request.iterations > MAX_ITERATIONS {
            let message = format!("at most {MAX_ITERATIONS} iterations are run");
            let refusal = Refusal::option("--iterations", &request.iterations.to_string(), message);
            return Err(refusal.help("ask for fewer").limit(Code::LimitLines));
        }
        let problem = Problem::new(&request.problem).ok_or_else(|| {
            Refusal::option("--problem", &request.problem, format!("there is no problem `{}`", request.problem))
                .help(format!("there are {}", problem::NAMES.join(", ")))
        })?;
        let fixed = second.map(|(_, w)| follow::special(w, Side::First, problem.matrix.cols)).unwrap_or_default();
        let identities = second.map(|(_, w)| follow::identities(w, Side::First)).unwrap_or_default();
        let mut assignment = assign(first, &problem, &request.assign, &fixed, &identities)?;
        if let Some((_, witness)) = second {
            follow::zero_constants(witness, &mut assignment.setting.constants);
            follow::made_operators(first, witness, &mut assignment)?;
        }
        let functions: Vec<_> = assignment.functions.iter().map(|(_, place, f)| (*place, f.clone())).collect();
        let solution = solution(assignment.dimension, &assignment.matrix, &functions);
        Ok(Stage { first, second, request, problem, assignment, solution })
    }

    /// Runs one or both.
    pub fn simulate(&self) -> Result<Simulation, Refusal> {
        let (choice, settings) = self.parameters()?;
        let numbers = self.numbers(&choice);
        let map = self.second.map(|(b, w)| state_map(self.first, b, w).map_err(|why| why.reason()));
        // Where nothing is known of the second's start, both start at zero.
        let zero = match &map {
            Some(Ok(States::Commuting(map))) => !map.required.is_empty(),
            Some(Ok(States::Words(map))) => !map.at_zero.as_deref().unwrap_or(map).required.is_empty(),
            _ => true,
        };
        let start = self.start(zero);
        let lead = self.second.map_or(0, |(_, w)| leads(w).into_iter().max().unwrap_or(0));
        let times = self.second.map_or(1, |(_, w)| w.times(Side::First));
        let count = (self.request.iterations + lead) * times;
        let (calls, states) = self.run_with_states(&numbers, &start, count, times)?;
        let diverged = calls.len() < count;
        let distances = self.distances(self.first, &numbers, &self.places(), &calls);
        let second = match (self.second, &map) {
            (Some((second, witness)), Some(map)) => {
                let (assignment, point) = (&self.assignment, &choice.point);
                let pair = Pair { first: self.first, second, witness, assignment, point };
                let own = follow::numbers(second, point, &numbers, witness);
                Some(self.follow(&pair, (&numbers, &own), map, &states, &calls)?)
            }
            _ => None,
        };
        Ok(Simulation {
            problem: self.problem.name,
            assigned: self.assignment.told.clone(),
            settings,
            start: if zero { "zero" } else { "numbers other than zero, the same in every run" },
            solved: self.solution.is_some(),
            first: Trace { calls, distances, diverged },
            second,
        })
    }

    /// Runs the second beside the first.
    fn follow(
        &self,
        pair: &Pair,
        (theirs, numbers): (&Numbers, &Numbers),
        map: &Result<States, &'static str>,
        first: &[Vec<Vector>],
        log: &[Vec<Call>],
    ) -> Result<Following, Refusal> {
        let (second, witness) = (pair.second, pair.witness);
        let setting = pair.setting()?;
        let states = written(second);
        let mapped = match map {
            Ok(map) => pair.mapped(map, &setting, (0, &first[0]), log, theirs),
            Err(why) => Err(*why),
        };
        let followed = mapped.as_ref().map(|_| ()).map_err(|why| *why);
        let (values, told) = match mapped {
            Ok(values) => (values, "by the state map of the relation".to_string()),
            Err(why) => {
                let zeros = states.iter().map(|s| vec![0.0; state_size(second, &setting, s)]).collect();
                (zeros, format!("zero: {why}"))
            }
        };
        let begins = begins(witness);
        let mut run = Run::new(second, &setting, numbers, begins).map_err(|s| self.refusal(s, second))?;
        run.place(states, &values);
        let count = self.request.iterations * witness.times(Side::Second);
        let calls = run.steps(count).map_err(|s| self.refusal(s, second))?;
        let differences = pair.differences(log, &calls).unwrap_or_default();
        let is_finite = |calls: &[Vec<Call>]| calls.iter().flatten().flat_map(|c| &c.query).all(|x| x.is_finite());
        if is_finite(log) && differences.iter().flatten().any(|d| d.is_nan()) {
            let why = "what changes with the index in B does not follow from the parameters of A";
            let message = format!("{why}: the two cannot be run side by side");
            return Err(Refusal::text(Side::Second, Span::default(), message).help("run each of them alone"));
        }
        let distances = self.distances(second, numbers, &pair.places(&self.places()), &calls);
        let diverged = calls.len() < count;
        let times = witness.times(Side::Second);
        let theirs = followed.and_then(|()| {
            let map = map.as_ref().map_err(|why| *why)?;
            let own = (0..=calls.len() / times).map_while(|n| run.state(states, n * times));
            pair.iterates(map, &setting, first, &own.collect::<Vec<_>>(), log, theirs)
        });
        Ok(Following {
            iterates: theirs,
            trace: Trace { calls, distances, diverged },
            differences,
            pairs: witness.channel_map.clone(),
            start: told,
            is_related: true,
        })
    }

    /// Of what the function of each channel is a function.
    fn places(&self) -> Vec<Option<Place>> {
        let place = |name: &String| self.assignment.functions.iter().find(|(n, ..)| n == name).map(|(_, p, _)| *p);
        self.first.channels.iter().map(|c| place(&c.oracle.function)).collect()
    }

    fn numbers(&self, choice: &Choice) -> Numbers<'a> {
        let laws = self.second.map_or(&[][..], |(_, w)| &w.sequences.laws);
        let own = Numbers::new(choice.point.clone(), &self.first.system.schedules, choice.starts.clone());
        Numbers { laws, ..own }
    }

    /// Zero, or numbers that are as good as any.
    fn start(&self, zero: bool) -> Vec<Vector> {
        let mut numbers = Eighths::new(11);
        let size = |s| state_size(self.first, &self.assignment.setting, s);
        let states = written(self.first).iter();
        states.map(|s| if zero { vec![0.0; size(s)] } else { numbers.vector(size(s)) }).collect()
    }

    fn run(&self, numbers: &Numbers, start: &[Vector], count: usize) -> Result<Vec<Vec<Call>>, Refusal> {
        Ok(self.run_with_states(numbers, start, count, 1)?.0)
    }

    /// A run of the first, and its state before every so many iterations.
    fn run_with_states(
        &self,
        numbers: &Numbers,
        start: &[Vector],
        count: usize,
        every: usize,
    ) -> Result<(Calls, Written), Refusal> {
        let refusal = |s| self.refusal(s, self.first);
        let mut run = Run::new(self.first, &self.assignment.setting, numbers, 0).map_err(refusal)?;
        run.place(written(self.first), start);
        let calls = run.steps(count).map_err(refusal)?;
        let states = (0..=calls.len() / every).map_while(|n| run.state(written(self.first), n * every)).collect();
        Ok((calls, states))
    }

    /// Numbers for all parameters.
    fn parameters(&self) -> Result<(Choice, Vec<Setting>), Refusal> {
        let mut limit = None;
        let found = Parameters::new(self.first, self.second).choose(
            &self.request.set,
            &candidates(&self.assignment),
            &mut |choice| match self.score(choice) {
                Ok(score) => score,
                Err(why) => {
                    limit = limit.take().or(Some(why).filter(Refusal::is_limit));
                    f64::INFINITY
                }
            },
        );
        limit.map_or(found, Err)
    }

    /// How good parameters are: how far a short run ends from the solution, or how much it still moves.
    fn score(&self, choice: &Choice) -> Result<f64, Refusal> {
        let numbers = self.numbers(choice);
        if let Some((second, witness)) = self.second {
            let own = follow::numbers(second, &choice.point, &numbers, witness);
            let steps = second.channels.iter().filter(|c| c.oracle.kind.has_step());
            let positive = steps.map(|c| own.value(&c.oracle.step, 0)).all(|step| step > 0.0);
            if !positive || own.values.values().any(|v| !v.is_finite()) {
                return Ok(f64::INFINITY);
            }
        }
        let calls = self.run(&numbers, &self.start(true), TRIAL)?;
        if calls.len() < TRIAL {
            return Ok(f64::MAX);
        }
        let distances = self.distances(self.first, &numbers, &self.places(), &calls);
        let last = distances.last().and_then(|d| d.iter().copied().reduce(f64::max));
        let moved = || {
            let [.., a, b] = &calls[..] else { return 0.0 };
            a.iter().zip(b).map(|(x, y)| distance(&x.query, &y.query)).fold(0.0, f64::max)
        };
        Ok(last.unwrap_or_else(moved))
    }

    /// How far the points at which the functions are taken are from the solution; empty where there is none.
    fn distances(
        &self,
        analysis: &Analysis,
        numbers: &Numbers,
        places: &[Option<Place>],
        calls: &[Vec<Call>],
    ) -> Vec<Vec<f64>> {
        let Some(solution) = &self.solution else { return Vec::new() };
        let image = self.assignment.matrix.apply(solution);
        let far = |k: usize, c: usize, call: &Call| {
            let oracle = &analysis.channels[c].oracle;
            let step = numbers.value(&oracle.step, k as i64);
            let point = function::point(oracle, step, &call.query, &call.answer);
            match places[c] {
                Some(Place::Image) if image.len() == point.len() => distance(&point, &image),
                Some(Place::Primal) if solution.len() == point.len() => distance(&point, solution),
                _ => f64::NAN,
            }
        };
        let row = |(k, row): (usize, &Vec<Call>)| row.iter().enumerate().map(|(c, call)| far(k, c, call)).collect();
        calls.iter().enumerate().map(row).collect()
    }

    fn refusal(&self, stop: Stop, analysis: &Analysis) -> Refusal {
        let side = if std::ptr::eq(analysis, self.first) { Side::First } else { Side::Second };
        let span = |c: usize| analysis.system.calls[analysis.channels[c].call].span;
        let oracle = |c: usize| &analysis.channels[c].oracle;
        match stop {
            Stop::Implicit(calls) => {
                let mut names: Vec<&str> = calls.iter().map(|&c| oracle(c).function.as_str()).collect();
                names.dedup();
                let message = format!(
                    "calls of {} wait for each other's answers, and no formula gives them: one call alone must have a \
                     proximal operator for the step in its loop, several must be of quadratic functions",
                    names.join(", ")
                );
                Refusal::text(side, calls.first().map_or(Span::default(), |c| span(*c)), message)
                    .help("`forms` lists ways to write the algorithm that are explicit")
            }
            Stop::Work => Refusal::text(side, Span::default(), "the computation was stopped: it takes too long")
                .help("run fewer iterations, or set parameters with `--set`")
                .limit(Code::LimitWork),
            Stop::Undetermined => Refusal::text(
                side,
                Span::default(),
                "an operator or a coefficient has no value: a matrix without inverse",
            )
            .help("set other parameters with `--set`"),
            Stop::Step(c) => {
                let message =
                    format!("the step of an oracle of `{}` is not positive with these parameters", oracle(c).function);
                Refusal::text(side, span(c), message).help("set others with `--set`")
            }
            Stop::NoOracle(c) => {
                let (kind, function) = (oracle(c).kind.word(), &oracle(c).function);
                let message = format!("problem `{}` gives no {kind} oracle of `{function}`", self.problem.name);
                Refusal::text(side, span(c), message).help("choose another function with `--assign`")
            }
        }
    }
}

//! Two related algorithms unrolled in time, side by side: calls from top to bottom, what each iteration remembers
//! between them, and dashed lines between calls that are the same.

use super::canvas::{Anchor, Canvas, Look, Point, Rect};
use super::formula::Formula;
use crate::relation::behavior::Side;
use crate::relation::{Comparison, Verdict, Witness};
use crate::report::compare::{compare_in, sentence};
use crate::report::expression::{Script, name};
use crate::report::show::oracle_name;
use crate::report::speaker::Speaker;
use crate::transfer::{Analysis, Explicitness, Realization, State, Transfer};
use linnaeus_algebra::{Coefficient, Matrix};

/// Iterations that are drawn beside those that one side leaves out.
const ITERATIONS: usize = 3;
/// No more calls than this are drawn on a side, unless one iteration has more.
const CALLS: usize = 60;
/// From one call to the next.
const PITCH: f64 = 82.0;
/// The height of a call's box, and of what is remembered.
const BOX: f64 = 32.0;
const PILL: f64 = 22.0;
/// Room for arrows beside the calls.
const LANE: f64 = 62.0;
/// Room between the two sides.
const GAP: f64 = 150.0;
const SIZE: f64 = 16.0;

/// Both algorithms and their correspondence; none where they are not related.
pub fn unrolled(first: &Analysis, second: &Analysis, comparison: &Comparison) -> Option<String> {
    let (canvas, description) = drawn(first, second, comparison)?;
    Some(canvas.svg("Two algorithms side by side", &description))
}

/// The picture and what it shows, in words.
pub(super) fn drawn(first: &Analysis, second: &Analysis, comparison: &Comparison) -> Option<(Canvas, String)> {
    let Verdict::Related(witness) = &comparison.verdict else { return None };
    let [first, second] = comparison.texts(first, second);
    let pair = Pair::new(first, second, witness);
    let mut canvas = pair.draw();
    let notes = notes(first, second, comparison, witness);
    let extent = canvas.extent();
    for (n, note) in notes.iter().enumerate() {
        let at = (extent.x, extent.bottom() + 36.0 + 21.0 * n as f64);
        canvas.text(at, Anchor::Start, 14.0, Look::Faint, note);
    }
    let told: Vec<String> = notes.iter().map(Formula::plain).collect();
    let description = format!("Two algorithms unrolled in time. {}. {}", told.join(". "), pair.description());
    Some((canvas, description))
}

fn notes(first: &Analysis, second: &Analysis, comparison: &Comparison, witness: &Witness) -> Vec<Formula> {
    let report = compare_in(first, second, comparison, Script::Unicode);
    let mut found = vec![Formula::words(&sentence(witness))];
    let assumed = |a: &String| {
        let place = [" in A", " in B"].into_iter().find(|place| a.ends_with(place)).unwrap_or_default();
        let formula = Formula::new(a.strip_suffix(place).unwrap_or(a));
        Formula::words("assuming ").then(formula).then(Formula::words(place))
    };
    found.extend(report.assumptions.iter().map(assumed));
    if report.same_parameters == Some(false) {
        found.push(Formula::words("not with the same values of all that has one name in both"));
    }
    let equal = |p: &str, value: &str| {
        let left = Formula::words("B's ").then(Formula::new(&name(Script::Unicode, p)));
        left.then(Formula::words(" = ")).then(Formula::new(value))
    };
    for (n, branch) in report.branches.iter().enumerate() {
        if report.branches.len() > 1 {
            found.push(Formula::words(&format!("way {}", n + 1)));
        }
        let other = branch.parameters.iter().filter(|(p, value)| name(Script::Unicode, p) != **value);
        found.extend(other.map(|(p, value)| equal(p, value)));
        found.extend(branch.free.iter().map(|p| Formula::words("any ").then(Formula::new(p))));
        found.extend(branch.conditions.iter().map(|c| Formula::words("where ").then(Formula::new(c))));
    }
    for (c, (i, _)) in report.filters.iter().zip(&witness.channel_map).filter(|(c, _)| *c != "1") {
        let oracle = oracle_name(&first.channels[i % first.channels.len()].oracle, &first.system, Script::Unicode);
        let own = Formula::new(&oracle).then(Formula::words(": query and answer in A are "));
        found.push(own.then(Formula::new(c)).then(Formula::words(" times those in B")));
    }
    let said = report.initialization.iter().chain(&report.answers);
    found.extend(said.map(|l| Formula::words("start: ").then(Formula::new(l))));
    found.extend(report.start_conditions.iter().map(|c| Formula::words("start where ").then(Formula::new(c))));
    let speaker = Speaker::new(first, second, Script::Unicode);
    found.extend(speaker.answers_in(&report.initialization).iter().map(|line| {
        // The first word and the oracle are formulas.
        let (answers, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (words, oracle) = rest.split_once("'s ").unwrap_or((rest, ""));
        let (oracle, call) = oracle.split_at(oracle.find(" (call ").unwrap_or(oracle.len()));
        let own = Formula::new(answers).then(Formula::words(&format!(" {words}'s "))).then(Formula::new(oracle));
        if call.is_empty() { own } else { own.then(Formula::words(call)) }
    }));
    let all = found.len();
    found.retain(|f| f.width(14.0) < 900.0);
    if found.len() < all {
        found.push(Formula::words("the comparison says more, in lines too long for this picture"));
    }
    found
}

/// Which entries of a realization are not zero.
struct Pattern {
    a: Vec<Vec<bool>>,
    b: Vec<Vec<bool>>,
    c: Vec<Vec<bool>>,
    d: Vec<Vec<bool>>,
}

impl Pattern {
    fn new(analysis: &Analysis) -> Pattern {
        match &analysis.transfer {
            Transfer::Commuting { realization, .. } => Pattern::of(realization),
            Transfer::Noncommuting { realization, .. } => Pattern::of(realization),
        }
    }

    fn of<T: Coefficient>(r: &Realization<T>) -> Pattern {
        let of = |m: &Matrix<T>| {
            (0..m.rows()).map(|i| (0..m.cols()).map(|j| !m[(i, j)].is_zero()).collect()).collect::<Vec<Vec<bool>>>()
        };
        Pattern { a: of(&r.a), b: of(&r.b), c: of(&r.c), d: of(&r.d) }
    }

    /// States that reach a query sooner or later.
    fn seen(&self) -> Vec<usize> {
        let n = self.a.len();
        let mut seen: Vec<bool> = (0..n).map(|j| self.c.iter().any(|row| row[j])).collect();
        for _ in 0..n {
            seen = (0..n).map(|j| seen[j] || (0..n).any(|i| seen[i] && self.a[i][j])).collect();
        }
        (0..n).filter(|&j| seen[j]).collect()
    }
}

/// The states as written that reach an oracle sooner or later.
pub fn seen_states(analysis: &Analysis) -> Vec<usize> {
    Pattern::new(analysis).seen()
}

/// One call: which channel, in which iteration.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Call {
    channel: usize,
    iteration: usize,
}

/// One side, every call with its height.
struct Column<'a> {
    analysis: &'a Analysis,
    pattern: Pattern,
    /// The order of the calls in an iteration.
    order: Vec<usize>,
    iterations: usize,
    /// What is remembered from one iteration to the next.
    memory: Formula,
    /// The middle of the boxes, the height of the first call, and where arrows run: −1 left, 1 right.
    x: f64,
    top: f64,
    outside: f64,
    width: f64,
}

impl<'a> Column<'a> {
    fn new(analysis: &'a Analysis, iterations: usize, outside: f64) -> Column<'a> {
        let order = match &analysis.explicitness {
            Explicitness::Explicit(order) => order.clone(),
            Explicitness::Implicit(_) => (0..analysis.channels.len()).collect(),
        };
        let pattern = Pattern::new(analysis);
        let memory = memory(analysis, &pattern);
        let names = (0..analysis.channels.len()).map(|c| channel(analysis, c).width(SIZE)).fold(70.0, f64::max);
        let width = names.max(memory.width(13.0)) + 28.0;
        Column { analysis, pattern, order, iterations, memory, x: 0.0, top: 0.0, outside, width }
    }

    fn calls(&self) -> Vec<Call> {
        let all =
            (0..self.iterations).flat_map(|iteration| self.order.iter().map(move |&channel| (iteration, channel)));
        all.map(|(iteration, channel)| Call { channel, iteration }).collect()
    }

    fn y(&self, call: Call) -> f64 {
        let place = self.order.iter().position(|c| *c == call.channel).unwrap_or(0);
        self.top + PITCH * (call.iteration * self.order.len() + place) as f64
    }

    /// Between the iteration before and this one.
    fn memory_y(&self, iteration: usize) -> f64 {
        self.top + PITCH * (iteration * self.order.len()) as f64 - PITCH / 2.0
    }

    fn frame(&self, call: Call) -> Rect {
        Rect::around((self.x, self.y(call)), self.width, BOX)
    }

    fn pill(&self, iteration: usize) -> Rect {
        Rect::around((self.x, self.memory_y(iteration)), self.memory.width(13.0) + 24.0, PILL)
    }

    fn has_memory(&self) -> bool {
        self.memory != Formula::default()
    }

    fn draw(&self, canvas: &mut Canvas, title: &str, look: &dyn Fn(Call) -> Look) {
        let outer = self.x + self.outside * (self.width / 2.0 + LANE);
        let inner = self.x - self.outside * (self.width / 2.0 + 12.0);
        let p = self.order.len() as f64;
        for k in 0..self.iterations {
            let y = self.top + PITCH * p * k as f64 - BOX / 2.0 - 9.0;
            let h = PITCH * (p - 1.0) + BOX + 18.0;
            canvas.rect(Rect { x: outer.min(inner), y, w: (outer - inner).abs(), h }, 8.0, Look::Faint);
            let anchor = if self.outside < 0.0 { Anchor::End } else { Anchor::Start };
            let text = Formula::new(&self.analysis.system.letter).then(Formula::words(&format!(" = {k}")));
            canvas.text((outer + self.outside * 10.0, y + h / 2.0 + 5.0), anchor, 15.0, Look::Plain, &text);
        }
        let at = (self.x, self.memory_y(0) - 28.0);
        canvas.text(at, Anchor::Middle, 20.0, Look::Plain, &Formula::words(title));
        self.arrows(canvas);
        for call in self.calls() {
            let r = self.frame(call);
            canvas.rect(r, 6.0, look(call));
            let name = channel(self.analysis, call.channel);
            canvas.text((self.x, r.center().1 + 5.0), Anchor::Middle, SIZE, look(call), &name);
        }
        if self.has_memory() {
            for k in 0..=self.iterations {
                let r = self.pill(k);
                canvas.rect(r, PILL / 2.0, Look::Plain);
                canvas.text((self.x, r.center().1 + 4.0), Anchor::Middle, 13.0, Look::Plain, &self.memory);
            }
        }
    }

    /// What flows: answers into later queries of the iteration, and through what is remembered.
    fn arrows(&self, canvas: &mut Canvas) {
        let seen = self.pattern.seen();
        for k in 0..self.iterations {
            let frame = |channel: usize| self.frame(Call { channel, iteration: k });
            for &j in &self.order {
                for &i in self.order.iter().filter(|&&i| self.pattern.d[i][j]) {
                    self.arrow(canvas, frame(j), frame(i), 14.0);
                }
                if seen.iter().any(|&s| self.pattern.c[j][s]) {
                    self.arrow(canvas, self.pill(k), frame(j), 26.0);
                }
                if seen.iter().any(|&s| self.pattern.b[s][j]) {
                    self.arrow(canvas, frame(j), self.pill(k + 1), 38.0);
                }
            }
            if seen.iter().any(|&i| seen.iter().any(|&j| self.pattern.a[i][j])) {
                self.arrow(canvas, self.pill(k), self.pill(k + 1), 50.0);
            }
        }
    }

    /// Straight down to the next box, otherwise round the boxes between, so far out.
    fn arrow(&self, canvas: &mut Canvas, from: Rect, to: Rect, lane: f64) {
        let (top, bottom) = (from.center().1, to.center().1);
        let next = PITCH * self.order.len().clamp(1, 2) as f64 / 2.0 + PITCH / 2.0;
        if bottom > top && bottom - top < next.min(1.1 * PITCH) {
            return canvas.arrow(&[(self.x, from.bottom()), (self.x, to.y)], Look::Plain);
        }
        let side = |r: Rect| if self.outside > 0.0 { r.right() } else { r.x };
        let far = self.x + self.outside * (self.width / 2.0 + lane);
        let (leave, arrive) = (top + from.h / 5.0, bottom - to.h / 5.0);
        canvas.route(&[(side(from), leave), (far, leave), (far, arrive), (side(to), arrive)], Look::Faint);
    }
}

/// `∇f`, numbered where it is called several times.
pub fn channel(analysis: &Analysis, c: usize) -> Formula {
    let channel = &analysis.channels[c];
    let name = Formula::new(&oracle_name(&channel.oracle, &analysis.system, Script::Unicode));
    if channel.copy == 0 { name } else { name.then(Formula::words(&format!(", {}", channel.copy))) }
}

/// The names of what is remembered, if they are not too many.
fn memory(analysis: &Analysis, pattern: &Pattern) -> Formula {
    let states = match &analysis.transfer {
        Transfer::Commuting { realization, .. } => &realization.states,
        Transfer::Noncommuting { realization, .. } => &realization.states,
    };
    let mut names: Vec<String> = Vec::new();
    for j in pattern.seen() {
        let name = match states[j] {
            State::Signal(s, _) => analysis.system.signals[s].name.trim_matches('~').to_string(),
            State::Answer(..) => "answers".to_string(),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut all = Formula::default();
    for (n, name) in names.iter().enumerate() {
        let comma = if n == 0 { "" } else { ", " };
        let word = if name == "answers" { Formula::words(name) } else { Formula::new(name) };
        all = all.then(Formula::words(comma)).then(word);
    }
    if all.width(13.0) > 200.0 { Formula::words(&format!("{} vectors", names.len())) } else { all }
}

struct Pair<'a> {
    a: Column<'a>,
    b: Column<'a>,
    witness: &'a Witness,
}

impl<'a> Pair<'a> {
    fn new(first: &'a Analysis, second: &'a Analysis, witness: &'a Witness) -> Pair<'a> {
        let lead = witness.shift.iter().copied().max().unwrap_or(0).max(0) as usize;
        let times = [witness.times(Side::First), witness.times(Side::Second)];
        let most = (first.channels.len() * times[0]).max(second.channels.len() * times[1]).max(1);
        let count = ITERATIONS.min(CALLS / most).max(1);
        let mut a = Column::new(first, (count + lead.min(CALLS / most)) * times[0], -1.0);
        let mut b = Column::new(second, count * times[1], 1.0);
        a.x = 0.0;
        b.x = a.width / 2.0 + b.width / 2.0 + GAP;
        let pair = Pair { a, b, witness };
        let mut differences: Vec<f64> = pair.links().iter().map(|(c, d, _)| pair.a.y(*c) - pair.b.y(*d)).collect();
        differences.sort_by(f64::total_cmp);
        let top = differences.get(differences.len() / 2).copied().unwrap_or(0.0);
        Pair { b: Column { top, ..pair.b }, ..pair }
    }

    /// Where a channel of a side, numbered on through repeated iterations, is called at a time.
    fn place(&self, side: Side, channel: usize, time: i64) -> Option<Call> {
        let column = if side == Side::First { &self.a } else { &self.b };
        let p = column.analysis.channels.len();
        let iteration = usize::try_from(time).ok()? * self.witness.times(side) + channel / p;
        Some(Call { channel: channel % p, iteration })
    }

    /// Calls that are the same, both drawn, with the number of their pair of channels.
    fn links(&self) -> Vec<(Call, Call, usize)> {
        let mut found = Vec::new();
        for (n, (&(i, j), m)) in self.witness.channel_map.iter().zip(&self.witness.shift).enumerate() {
            for time in 0..(self.a.iterations + self.b.iterations) as i64 {
                let pair = self.place(Side::First, i, time).zip(self.place(Side::Second, j, time - m));
                let drawn = |c: &Call, d: &Call| c.iteration < self.a.iterations && d.iteration < self.b.iterations;
                found.extend(pair.filter(|(c, d)| drawn(c, d)).map(|(c, d)| (c, d, n)));
            }
        }
        found
    }

    /// Calls that the other side leaves out at the start.
    fn left_out(&self, side: Side) -> Vec<Call> {
        let mut found = Vec::new();
        for (&(i, j), &m) in self.witness.channel_map.iter().zip(&self.witness.shift) {
            let (channel, count) = if side == Side::First { (i, m) } else { (j, -m) };
            found.extend((0..count.max(0)).filter_map(|time| self.place(side, channel, time)));
        }
        found
    }

    /// The pair of channels that a call belongs to.
    fn pair_of(&self, side: Side, call: Call) -> Option<usize> {
        let column = if side == Side::First { &self.a } else { &self.b };
        let p = column.analysis.channels.len();
        let number = (call.iteration % self.witness.times(side)) * p + call.channel;
        self.witness.channel_map.iter().position(|&(i, j)| number == if side == Side::First { i } else { j })
    }

    fn draw(&self) -> Canvas {
        let mut canvas = Canvas::default();
        for (side, column, title) in [(Side::First, &self.a, "A"), (Side::Second, &self.b, "B")] {
            let alone = self.left_out(side);
            let look = |call: Call| match self.pair_of(side, call) {
                Some(n) if alone.contains(&call) => Look::Dashed(n),
                Some(n) => Look::Tone(n),
                None => Look::Faint,
            };
            column.draw(&mut canvas, title, &look);
        }
        let links = self.links();
        for (c, d, n) in &links {
            let (from, to) = (self.a.frame(*c), self.b.frame(*d));
            canvas.line(&[(from.right(), from.center().1), (to.x, to.center().1)], Look::Dashed(*n));
        }
        for (side, column, whose) in [(Side::First, &self.a, "B"), (Side::Second, &self.b, "A")] {
            for call in self.left_out(side).into_iter().filter(|c| c.iteration < column.iterations) {
                let at = self.beside(column, call, 22.0);
                let anchor = if side == Side::First { Anchor::Start } else { Anchor::End };
                let text = Formula::words(&format!("left out by {whose}"));
                canvas.text((at.0, at.1 + 4.0), anchor, 13.0, Look::Faint, &text);
            }
        }
        self.stubs(&mut canvas, &links);
        canvas
    }

    /// A point beside a call, towards the other side.
    fn beside(&self, column: &Column, call: Call, distance: f64) -> Point {
        (column.x - column.outside * (column.width / 2.0 + distance), column.y(call))
    }

    /// Calls whose partner is not drawn.
    fn stubs(&self, canvas: &mut Canvas, links: &[(Call, Call, usize)]) {
        for (side, column) in [(Side::First, &self.a), (Side::Second, &self.b)] {
            let alone = self.left_out(side);
            let linked = |call: &Call| links.iter().any(|(c, d, _)| if side == Side::First { c } else { d } == call);
            for call in column.calls().into_iter().filter(|c| !linked(c) && !alone.contains(c)) {
                if let Some(n) = self.pair_of(side, call) {
                    let ends = [self.beside(column, call, 0.0), self.beside(column, call, 30.0)];
                    canvas.line(&ends, Look::Dashed(n));
                }
            }
        }
    }

    fn description(&self) -> String {
        let line = |(&(i, j), m): (&(usize, usize), &i64)| {
            let name = |column: &Column, c: usize| channel(column.analysis, c % column.analysis.channels.len()).plain();
            format!("{} of A is {} of B, {m} iterations earlier.", name(&self.a, i), name(&self.b, j))
        };
        let pairs = self.witness.channel_map.iter().zip(&self.witness.shift);
        pairs.map(line).collect::<Vec<_>>().join(" ")
    }
}

//! x⁺ = A x + B u, y = C x + D u in the user's own variables: the state is what one iteration must
//! remember of the last.

use super::Channel;
use crate::diagnostic::{Code, Diagnostic};
use crate::operator::OperatorPolynomial;
use crate::source::Span;
use crate::system::{Atom, LinearForm, LinearSystem, Style, matching};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix};

/// What one component of the state holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// An iterate at an offset from `k`.
    Signal(usize, i32),
    /// The answer that a channel gave so many iterations ago.
    Answer(usize, i32),
}

/// A state-space realization. The columns of B and D are the channels' answers, then the constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Realization<T> {
    /// What the state holds.
    pub states: Vec<State>,
    /// How the state acts on the next one.
    pub a: Matrix<T>,
    /// How answers and constants act on the next state.
    pub b: Matrix<T>,
    /// How the state enters the queries.
    pub c: Matrix<T>,
    /// How answers and constants enter the queries of the same iteration.
    pub d: Matrix<T>,
}

/// Turns coefficients of the text, in lines that are moved so far in time, into those of the realization.
pub type Convert<'a, T> = &'a dyn Fn(&OperatorPolynomial, i32) -> Result<T, Exhausted>;

/// Every call as a channel of its own, in the order of the text.
pub fn realize<T: Coefficient>(
    system: &LinearSystem,
    timing: &Timing,
    convert: Convert<T>,
) -> Result<Realization<T>, Diagnostic> {
    let states = timing.states(system);
    Builder { system, timing, states: &states, convert }.build()
}

/// When every iterate is computed.
pub(crate) struct Timing {
    /// For every signal the equation that defines it.
    pub(crate) equation: Vec<usize>,
    /// For every signal the offset at which it is defined, after its line was moved in time.
    pub(crate) defined: Vec<i32>,
    /// The same as written.
    written: Vec<i32>,
    /// How far the line of each equation is moved.
    pub(crate) moved: Vec<i32>,
}

impl Timing {
    /// Moves lines in time so that nothing is read before it is computed.
    pub(crate) fn new(system: &LinearSystem) -> Result<Timing, Diagnostic> {
        let n = system.signals.len();
        let mut equation = vec![0; n];
        let mut written = vec![0; n];
        for (i, defines) in matching::assignment(system).into_iter().enumerate() {
            let (s, offset) = defines.expect("checked when the system was made");
            equation[s] = i;
            written[s] = offset;
        }
        let mut moved = vec![0; system.equations.len()];
        // For every line the one that moved it last, with what it reads.
        let mut mover: Vec<Option<Mover>> = vec![None; moved.len()];
        let rounds = 2 * n + 1;
        for round in 0..=rounds {
            let mut late = None;
            for i in 0..moved.len() {
                for (s, offset, span) in reads(system, i) {
                    let need = moved[i] + offset - written[s];
                    if need > moved[equation[s]] {
                        moved[equation[s]] = need;
                        mover[equation[s]] = Some(Mover { line: i, read: Some((s, offset, span)) });
                        late = Some(equation[s]);
                    }
                }
                // Auxiliary equations move with the line they serve.
                let line = system.equations[i].line;
                let (slow, fast) = if moved[i] < moved[line] { (i, line) } else { (line, i) };
                if moved[slow] != moved[fast] {
                    moved[slow] = moved[fast];
                    mover[slow] = Some(Mover { line: fast, read: None });
                    late = Some(slow);
                }
            }
            match late {
                None => break,
                Some(line) if round == rounds => {
                    return Err(noncausal(system, &written, &mover, line));
                }
                Some(_) => {}
            }
        }
        let defined = (0..n).map(|s| written[s] + moved[equation[s]]).collect();
        Ok(Timing { equation, defined, written, moved })
    }

    /// What the text calls that which a channel answers in iteration 0: the iterate that is nothing else, if there is one,
    /// and its index; otherwise the index of the line of the call. Where a line is moved, that is not 0.
    pub(crate) fn answer(&self, system: &LinearSystem, channel: &Channel) -> (Option<usize>, i32) {
        let named = channel.calls.iter().find_map(|&(call, delay)| {
            let e = system.calls[call].equation;
            let (signal, offset) = system.equations[e].target?;
            let form = &system.equations[e].form;
            let is_answer = |(atom, c): (&Atom, &OperatorPolynomial)| match atom {
                Atom::Signal(s, o) => (*s, *o) == (signal, offset) && *c == OperatorPolynomial::one(),
                Atom::Call(c2) => *c2 == call && c.neg() == OperatorPolynomial::one(),
                Atom::Constant(_) => false,
            };
            let is_plain = form.len() == 2 && form.iter().all(is_answer);
            is_plain.then(|| (signal, offset + self.moved[e] + delay as i32))
        });
        match named {
            Some((signal, index)) => (Some(signal), index),
            None => (None, self.moved[system.calls[channel.call].equation]),
        }
    }

    /// The past values that are needed, and every iterate that is defined for a later iteration.
    fn states(&self, system: &LinearSystem) -> Vec<State> {
        let mut depth: Vec<i32> = match system.style {
            Style::Simultaneous => self.written.iter().map(|&w| w.max(0)).collect(),
            Style::Sequential => vec![0; system.signals.len()],
        };
        for i in 0..system.equations.len() {
            for (s, offset, _) in reads(system, i) {
                depth[s] = depth[s].max(self.defined[s] - offset - self.moved[i]);
            }
        }
        let all = depth.iter().enumerate();
        all.flat_map(|(s, &d)| (1..=d).map(move |j| State::Signal(s, self.defined[s] - j))).collect()
    }
}

/// Why a line was moved: another one reads its iterate at an offset, or it serves that line.
#[derive(Clone)]
struct Mover {
    line: usize,
    read: Option<(usize, i32, Span)>,
}

/// Lines that move each other for ever form a circle; the read that reaches furthest is to blame.
fn noncausal(system: &LinearSystem, written: &[i32], mover: &[Option<Mover>], late: usize) -> Diagnostic {
    let back = |line: usize| mover[line].as_ref().map_or(line, |m| m.line);
    let start = (0..mover.len()).fold(late, |line, _| back(line));
    let mut circle = vec![start];
    while back(circle[circle.len() - 1]) != start && circle.len() < mover.len() {
        circle.push(back(circle[circle.len() - 1]));
    }
    let reads = circle.iter().filter_map(|&line| mover[line].as_ref()?.read);
    let worst = reads.max_by_key(|&(s, offset, _)| offset - written[s]);
    let (s, offset, whole) = worst.unwrap_or((0, 0, system.equations[start].span));
    let inside = |span: Span| whole.start <= span.start && span.end <= whole.end;
    let mention = system.mentions.iter().find(|m| m.signal == s && m.offset == offset && inside(m.span));
    let (name, letter) = (&system.signals[s].name, &system.letter);
    let newest = match written[s] {
        0 => String::new(),
        w => format!("{w:+}"),
    };
    let message = format!("this needs a value of `{name}` that is known only later");
    Diagnostic::error(Code::Noncausal, mention.map_or(whole, |m| m.span), message)
        .help(format!("the newest value that is known is `{name}[{letter}{newest}]`: lower the index here, or raise it where `{name}` is updated"))
}

/// Every signal that a line reads, directly or inside a call, with the place.
fn reads(system: &LinearSystem, equation: usize) -> Vec<(usize, i32, Span)> {
    let mut found = Vec::new();
    let mut add = |form: &LinearForm, span: Span| {
        for atom in form.keys() {
            if let Atom::Signal(s, offset) = atom {
                found.push((*s, *offset, span));
            }
        }
    };
    add(&system.equations[equation].form, system.equations[equation].span);
    for call in system.calls.iter().filter(|c| c.equation == equation) {
        add(&call.argument, call.span);
    }
    found
}

struct Builder<'a, T> {
    system: &'a LinearSystem,
    timing: &'a Timing,
    states: &'a [State],
    convert: Convert<'a, T>,
}

/// A form in present values, state and inputs.
struct Row<T> {
    present: Vec<T>,
    state: Vec<T>,
    input: Vec<T>,
}

impl<T: Coefficient> Builder<'_, T> {
    fn build(&self) -> Result<Realization<T>, Diagnostic> {
        let n = self.system.signals.len();
        let inputs = self.system.calls.len() + self.system.constants.len();
        let whole = self.system.equations.first().map_or(Span::default(), |e| e.span);
        let stop = |_: Exhausted| crate::limit_work(whole);
        let mut rows = Vec::new();
        for s in 0..n {
            let e = self.timing.equation[s];
            rows.push(self.row(&self.system.equations[e].form, self.timing.moved[e]).map_err(stop)?);
        }
        let m = Matrix::from_fn(n, n, |i, j| rows[i].present[j].clone());
        let rhs = Matrix::from_fn(n, self.states.len() + inputs, |i, j| match j.checked_sub(self.states.len()) {
            None => rows[i].state[j].neg(),
            Some(j) => rows[i].input[j].neg(),
        });
        let Some(present) = m.solve(&rhs).map_err(stop)? else {
            return Err(self.unsolvable(&m));
        };
        let mut next = Vec::new();
        for state in self.states {
            let State::Signal(s, offset) = *state else { unreachable!("only iterates so far") };
            next.push(if offset + 1 == self.timing.defined[s] {
                present.row(s).to_vec()
            } else {
                let before = self.states.iter().position(|t| *t == State::Signal(s, offset + 1)).expect("a chain");
                (0..self.states.len() + inputs).map(|j| if j == before { T::one() } else { T::zero() }).collect()
            });
        }
        let mut queries = Vec::new();
        for call in &self.system.calls {
            let row = self.row(&call.argument, self.timing.moved[call.equation]).map_err(stop)?;
            let mut query: Vec<T> = row.state.into_iter().chain(row.input).collect();
            for (s, c) in row.present.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
                for (j, entry) in query.iter_mut().enumerate() {
                    if !present.row(s)[j].is_zero() {
                        *entry = entry.add(&c.mul(&present.row(s)[j]).map_err(stop)?).map_err(stop)?;
                    }
                }
            }
            queries.push(query);
        }
        let k = self.states.len();
        let part = |rows: &[Vec<T>], from: usize, to: usize| {
            Matrix::from_fn(rows.len(), to - from, |i, j| rows[i][from + j].clone())
        };
        Ok(Realization {
            states: self.states.to_vec(),
            a: part(&next, 0, k),
            b: part(&next, k, k + inputs),
            c: part(&queries, 0, k),
            d: part(&queries, k, k + inputs),
        })
    }

    fn row(&self, form: &LinearForm, moved: i32) -> Result<Row<T>, Exhausted> {
        let inputs = self.system.calls.len() + self.system.constants.len();
        let mut row = Row {
            present: vec![T::zero(); self.system.signals.len()],
            state: vec![T::zero(); self.states.len()],
            input: vec![T::zero(); inputs],
        };
        for (atom, coefficient) in form {
            let value = (self.convert)(coefficient, moved)?;
            let place = match *atom {
                Atom::Call(c) => &mut row.input[c],
                Atom::Constant(c) => &mut row.input[self.system.calls.len() + c],
                Atom::Signal(s, offset) if offset + moved == self.timing.defined[s] => &mut row.present[s],
                Atom::Signal(s, offset) => {
                    let i =
                        self.states.iter().position(|t| *t == State::Signal(s, offset + moved)).expect("made for this");
                    &mut row.state[i]
                }
            };
            *place = value;
        }
        Ok(row)
    }

    /// The lines whose new values hang on each other and are not determined.
    fn unsolvable(&self, m: &Matrix<T>) -> Diagnostic {
        let n = m.rows();
        let all: Vec<usize> = (0..n).collect();
        let mut guilty = all.clone();
        // Drop lines as long as what is left cannot be solved.
        for s in all {
            let fewer: Vec<usize> = guilty.iter().copied().filter(|&g| g != s).collect();
            if !fewer.is_empty() && matches!(m.submatrix(&fewer, &fewer).inverse(), Ok(None)) {
                guilty = fewer;
            }
        }
        let mut lines: Vec<Span> =
            guilty.iter().map(|&s| self.system.equations[self.timing.equation[s]].span).collect();
        lines.sort();
        lines.dedup();
        let last = lines.pop().unwrap_or_default();
        let names: Vec<String> = guilty.iter().map(|&s| format!("`{}`", self.system.signals[s].name)).collect();
        let singular = self.is_singular(&guilty);
        let mut found = if singular {
            Diagnostic::error(
                Code::Underdetermined,
                last,
                format!("the new values of {} are not determined", names.join(", ")),
            )
            .help("each equation must say something new: give one new value in terms of the others")
        } else {
            Diagnostic::error(Code::LimitInverse, last, "this needs the inverse of a polynomial in several operators")
                .help(
                    "declare the operators commuting, or give the inverse a name of its own and declare it an operator",
                )
        };
        for line in &lines {
            found = found.label(*line, "together with this line");
        }
        found
    }

    /// Whether the lines stay unsolvable when all operators are numbers.
    fn is_singular(&self, signals: &[usize]) -> bool {
        let symbol = |l: crate::operator::Letter| {
            linnaeus_algebra::RationalFunction::variable(crate::system::operator_symbol(l.operator as usize))
        };
        let entry = |i: usize, j: usize| {
            let e = self.timing.equation[signals[i]];
            let atom = Atom::Signal(signals[j], self.timing.defined[signals[j]] - self.timing.moved[e]);
            match self.system.equations[e].form.get(&atom) {
                Some(p) => p.commuting(&symbol).unwrap_or_else(|_| linnaeus_algebra::RationalFunction::one()),
                None => linnaeus_algebra::RationalFunction::zero(),
            }
        };
        matches!(Matrix::from_fn(signals.len(), signals.len(), entry).inverse(), Ok(None))
    }
}

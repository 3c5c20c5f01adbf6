//! The block diagram of an algorithm: its linear part in feedback with its oracles, or, with its states shown,
//! the matrices of its realization in feedback with its oracles and with delays.

use super::canvas::{Anchor, Canvas, Look, Point, Rect};
use super::cell::Cell;
use super::formula::Formula;
use crate::Reading;
use crate::report::expression::{Script, name};
use crate::report::show::{Show, oracle_name, show_in};
use crate::transfer::{Analysis, Explicitness, State, Transfer};

/// What the block of the linear part shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Inside {
    /// H(z).
    Transfer,
    /// A, B, C, D, the states being delayed outside.
    States,
}

/// A matrix with more rows than this is drawn as a block without entries.
const MAX_ROWS: usize = 16;
/// A longer entry gets a name and is told below the picture.
const LONG: usize = 44;
/// Characters in a line below the picture.
const LINE: usize = 110;
/// The size of letters.
const SIZE: f64 = 17.0;
const NOTE: f64 = 13.0;
/// The distance between the two arrows of a port.
const PAIR: f64 = 28.0;

/// The block diagram; none where the text could not be read.
pub fn block_diagram(reading: &Reading, inside: Inside) -> Option<String> {
    let (canvas, description) = drawn(reading, inside)?;
    Some(canvas.svg("Block diagram", &description))
}

/// The diagram and what it shows, in words.
pub(super) fn drawn(reading: &Reading, inside: Inside) -> Option<(Canvas, String)> {
    let diagram = Diagram::new(reading, inside)?;
    Some((diagram.draw(), diagram.description()))
}

/// Something that is asked and answers.
struct Port {
    name: Formula,
    /// Tells equal oracles apart.
    look: Look,
    sent: Formula,
    received: Formula,
}

/// What is drawn, before it has places.
struct Diagram {
    /// What the linear part is called.
    heading: String,
    /// Rows of states come first.
    entries: Option<Vec<Vec<String>>>,
    /// What the columns are multiplied with.
    columns: Vec<Formula>,
    /// How many of the last columns are constants.
    constants: usize,
    delays: Vec<Port>,
    oracles: Vec<Port>,
    /// Lines below the picture.
    notes: Vec<Formula>,
}

impl Diagram {
    fn new(reading: &Reading, inside: Inside) -> Option<Diagram> {
        let analysis = reading.analysis.as_ref()?;
        let show = show_in(reading, Script::Unicode);
        let transfer = show.transfer.clone().flatten().filter(|_| inside == Inside::Transfer);
        let mut diagram = match transfer {
            Some(h) => Diagram {
                heading: "H(z)".to_string(),
                entries: Some(joined(h, show.transfer_constants.clone())),
                columns: Vec::new(),
                constants: 0,
                delays: Vec::new(),
                oracles: oracles(analysis, reading),
                notes: Vec::new(),
            },
            None => Diagram::with_states(analysis, reading, &show)?,
        };
        diagram.columns.extend(diagram.oracles.iter().map(|p| p.received.clone()));
        diagram.columns.extend(analysis.system.constants.iter().map(|c| Formula::new(&c.name)));
        diagram.constants = analysis.system.constants.len();
        diagram.tell_long_entries();
        if diagram.entries.as_ref().is_some_and(|e| e.len() > MAX_ROWS) {
            diagram.entries = None;
        }
        diagram.notes.extend(facts(analysis));
        Some(diagram)
    }

    /// The realization without states that never reach an oracle.
    fn with_states(analysis: &Analysis, reading: &Reading, show: &Show) -> Option<Diagram> {
        let r = show.realization.as_ref()?;
        let seen = super::unrolled::seen_states(analysis);
        let pick = |row: &Vec<Option<String>>| seen.iter().map(|&j| row[j].clone()).collect::<Vec<_>>();
        let side = |left: &Vec<Option<String>>, right: &Vec<Option<String>>, more: Option<&Vec<Option<String>>>| {
            let all = pick(left).into_iter().chain(right.iter().cloned()).chain(more.into_iter().flatten().cloned());
            all.map(|e| e.unwrap_or_default()).collect::<Vec<_>>()
        };
        let above = seen.iter().map(|&i| side(&r.a[i], &r.b[i], r.e.as_ref().map(|e| &e[i])));
        let below = (0..r.c.len()).map(|i| side(&r.c[i], &r.d[i], r.f.as_ref().map(|f| &f[i])));
        let port = |&j: &usize| Port {
            name: Formula::new("z").then(Formula::words("⁻¹")),
            look: Look::Plain,
            sent: state(analysis, j, 1),
            received: state(analysis, j, 0),
        };
        let delays: Vec<Port> = seen.iter().map(port).collect();
        Some(Diagram {
            heading: String::new(),
            entries: Some(above.chain(below).collect()),
            columns: delays.iter().map(|p| p.received.clone()).collect(),
            constants: 0,
            notes: Vec::new(),
            oracles: oracles(analysis, reading),
            delays,
        })
    }

    /// Gives names to entries that are too long for their place.
    fn tell_long_entries(&mut self) {
        let Some(entries) = &mut self.entries else { return };
        if entries.len() > MAX_ROWS {
            return;
        }
        for (i, row) in entries.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                if entry.chars().count() > LONG {
                    let short = format!("h_{{{},{}}}", i + 1, j + 1);
                    let lines = wrapped(&format!("{short} = {entry}"));
                    self.notes.extend(lines.iter().map(|l| Formula::new(l)));
                    *entry = short;
                }
            }
        }
    }

    fn description(&self) -> String {
        let list = |ports: &[Port]| ports.iter().map(|p| p.name.plain()).collect::<Vec<_>>().join(", ");
        let mut text = format!("The linear part in feedback with {}.", list(&self.oracles));
        if let Some(entries) = &self.entries {
            let rows: Vec<String> = entries.iter().map(|r| format!("[{}]", r.join(", "))).collect();
            let names: Vec<String> = self.columns.iter().map(Formula::plain).collect();
            text.push_str(&format!(" Its matrix, acting on {}, is [{}].", names.join(", "), rows.join(", ")));
        }
        for note in &self.notes {
            text.push_str(&format!(" {}.", note.plain()));
        }
        text
    }

    fn draw(&self) -> Canvas {
        let mut canvas = Canvas::default();
        let grid = Grid::new(self);
        canvas.rect(grid.frame, 6.0, Look::Plain);
        grid.draw(self, &mut canvas);
        let wide = |ports: &[Port], of: fn(&Port) -> &Formula| {
            ports.iter().map(|p| of(p).width(NOTE + 2.0)).fold(0.0, f64::max)
        };
        let first = self.delays.len();
        for (ports, from, direction) in [(&self.oracles, first, 1.0), (&self.delays, 0, -1.0)] {
            let gap = 44.0 + wide(ports, |p| &p.sent).max(wide(ports, |p| &p.received));
            let width = ports.iter().map(|p| p.name.width(SIZE + 1.0)).fold(44.0, f64::max) + 32.0;
            for (n, port) in ports.iter().enumerate() {
                let y = grid.rows[from + n];
                let edge = if direction > 0.0 { grid.frame.right() } else { grid.frame.x };
                port.draw(&mut canvas, (edge, y), direction * gap, direction * width);
            }
        }
        let extent = canvas.extent();
        for (n, note) in self.notes.iter().enumerate() {
            let at = (extent.x, extent.bottom() + 34.0 + 21.0 * n as f64);
            canvas.text(at, Anchor::Start, NOTE + 1.0, Look::Faint, note);
        }
        canvas
    }
}

impl Port {
    /// The box and its two arrows, from the edge of the linear part.
    fn draw(&self, canvas: &mut Canvas, (x, y): Point, gap: f64, width: f64) {
        let near = x + gap;
        let frame = Rect { x: near.min(near + width), y: y - 27.0, w: width.abs(), h: 54.0 };
        canvas.rect(frame, 6.0, self.look);
        canvas.text((frame.center().0, y + 6.0), Anchor::Middle, SIZE + 1.0, self.look, &self.name);
        let (up, down) = (y - PAIR / 2.0, y + PAIR / 2.0);
        canvas.arrow(&[(x, up), (near, up)], self.look);
        canvas.arrow(&[(near, down), (x, down)], self.look);
        let middle = x + gap / 2.0;
        canvas.text((middle, up - 7.0), Anchor::Middle, NOTE + 2.0, Look::Plain, &self.sent);
        canvas.text((middle, down + 19.0), Anchor::Middle, NOTE + 2.0, Look::Plain, &self.received);
    }
}

/// Where rows and columns of the linear part are.
struct Grid {
    frame: Rect,
    cells: Vec<Vec<Cell>>,
    /// The middle of every row, of every column.
    rows: Vec<f64>,
    columns: Vec<f64>,
    /// What the brackets enclose.
    inner: Rect,
}

/// Room above the matrix for the names of its columns.
const HEAD: f64 = 58.0;

impl Grid {
    fn new(diagram: &Diagram) -> Grid {
        let entries = diagram.entries.clone().unwrap_or_default();
        let cells: Vec<Vec<Cell>> = entries.iter().map(|r| r.iter().map(|e| Cell::new(e)).collect()).collect();
        let count = diagram.delays.len() + diagram.oracles.len();
        let height = |i: usize| cells.get(i).map_or(0.0, |r| r.iter().map(|c| c.height(SIZE)).fold(0.0, f64::max));
        let mut rows = Vec::new();
        let mut y = HEAD;
        for i in 0..count {
            let room = (height(i) + 24.0).max(96.0);
            rows.push(y + room / 2.0);
            y += room;
        }
        let columns_shown = if cells.is_empty() { 0 } else { diagram.columns.len() };
        let mut columns = Vec::new();
        let mut x = 34.0;
        for j in 0..columns_shown {
            let widest = cells.iter().map(|r| r[j].width(SIZE)).fold(diagram.columns[j].width(SIZE), f64::max);
            columns.push(x + (widest + 30.0) / 2.0);
            x += widest + 30.0;
        }
        let width = (x + 34.0).max(170.0);
        // A narrow matrix stands in the middle.
        let slack = (width - x - 34.0) / 2.0;
        columns.iter_mut().for_each(|c| *c += slack);
        let inner = Rect { x: 26.0 + slack, y: HEAD - 4.0, w: x - 18.0, h: y - HEAD + 8.0 };
        Grid { frame: Rect { x: 0.0, y: 0.0, w: width, h: y + 22.0 }, cells, rows, columns, inner }
    }

    fn draw(&self, diagram: &Diagram, canvas: &mut Canvas) {
        if self.cells.is_empty() {
            let size = format!("{} × {}", diagram.oracles.len(), diagram.oracles.len());
            let (x, _) = self.frame.center();
            canvas.text((x, 34.0), Anchor::Middle, SIZE + 3.0, Look::Plain, &Formula::new("H(z)"));
            return canvas.text((x, 58.0), Anchor::Middle, NOTE, Look::Faint, &Formula::words(&size));
        }
        let lonely = diagram.columns.len() == 1;
        if lonely {
            canvas.text((self.frame.w / 2.0, 34.0), Anchor::Middle, SIZE + 1.0, Look::Plain, &Formula::new("H(z)"));
        } else {
            for (x, name) in self.columns.iter().zip(&diagram.columns) {
                canvas.text((*x, HEAD - 18.0), Anchor::Middle, NOTE + 2.0, Look::Faint, name);
            }
            self.brackets(canvas);
        }
        for (row, y) in self.cells.iter().zip(&self.rows) {
            for (cell, x) in row.iter().zip(&self.columns) {
                cell.draw(canvas, (*x, *y), SIZE, Look::Plain);
            }
        }
        self.constants(diagram, canvas);
        self.partition(diagram, canvas);
        if !lonely && !diagram.heading.is_empty() {
            let at = (self.frame.w / 2.0, self.frame.bottom() + 20.0);
            canvas.text(at, Anchor::Middle, SIZE, Look::Plain, &Formula::new(&diagram.heading));
        }
    }

    fn brackets(&self, canvas: &mut Canvas) {
        let Rect { x, y, .. } = self.inner;
        let (right, bottom) = (self.inner.right(), self.inner.bottom());
        canvas.line(&[(x + 7.0, y), (x, y), (x, bottom), (x + 7.0, bottom)], Look::Plain);
        canvas.line(&[(right - 7.0, y), (right, y), (right, bottom), (right - 7.0, bottom)], Look::Plain);
    }

    /// Constants come in from above.
    fn constants(&self, diagram: &Diagram, canvas: &mut Canvas) {
        let first = diagram.columns.len() - diagram.constants;
        for (x, name) in self.columns.iter().zip(&diagram.columns).skip(first) {
            canvas.arrow(&[(*x, -34.0), (*x, 0.0)], Look::Plain);
            canvas.text((*x, -42.0), Anchor::Middle, SIZE, Look::Plain, name);
        }
    }

    /// Lines between A, B, C and D.
    fn partition(&self, diagram: &Diagram, canvas: &mut Canvas) {
        let n = diagram.delays.len();
        if n == 0 || n == self.rows.len() {
            return;
        }
        let y = (self.rows[n - 1] + self.rows[n]) / 2.0;
        canvas.line(&[(self.inner.x + 10.0, y), (self.inner.right() - 10.0, y)], Look::Faint);
        let edge = |j: usize, sign: f64| {
            let of = |row: &Vec<Cell>| row[j].width(SIZE) / 2.0;
            self.columns[j] + sign * self.cells.iter().map(of).fold(0.0, f64::max)
        };
        let x = (edge(n - 1, 1.0) + edge(n, -1.0)) / 2.0;
        canvas.line(&[(x, self.inner.y + 6.0), (x, self.inner.bottom() - 6.0)], Look::Faint);
    }
}

fn joined(left: Vec<Vec<Option<String>>>, right: Option<Vec<Vec<Option<String>>>>) -> Vec<Vec<String>> {
    let more = |i: usize| right.as_ref().map(|r| r[i].clone()).unwrap_or_default();
    let rows = left.into_iter().enumerate().map(|(i, row)| row.into_iter().chain(more(i)));
    rows.map(|row| row.map(|e| e.unwrap_or_else(|| "?".to_string())).collect()).collect()
}

/// The channels; those of one function look alike.
fn oracles(analysis: &Analysis, reading: &Reading) -> Vec<Port> {
    let mut functions: Vec<&str> = Vec::new();
    let mut ports = Vec::new();
    let single = analysis.channels.len() == 1;
    for (i, channel) in analysis.channels.iter().enumerate() {
        let function = channel.oracle.function.as_str();
        let tone = functions.iter().position(|f| *f == function).unwrap_or_else(|| {
            functions.push(function);
            functions.len() - 1
        });
        let number = if single { String::new() } else { (i + 1).to_string() };
        let query = query(reading.source.slice(analysis.system.calls[channel.call].span));
        let y = Formula::new(&format!("y{number}"));
        let sent = match query {
            Some(text) => y.then(Formula::words(" = ")).then(Formula::new(text)),
            None => y,
        };
        ports.push(Port {
            name: Formula::new(&oracle_name(&channel.oracle, &analysis.system, Script::Unicode)),
            look: Look::Tone(tone),
            sent,
            received: Formula::new(&format!("u{number}")),
        });
    }
    ports
}

/// What a call asks, as typed, if that is short.
pub fn query(call: &str) -> Option<&str> {
    let inner = call.strip_suffix(')')?;
    let mut depth = 1;
    for (i, c) in inner.char_indices().rev() {
        depth += i32::from(c == ')') - i32::from(c == '(');
        if depth == 0 {
            return Some(inner[i + 1..].trim()).filter(|t| t.chars().count() <= 32 && !t.contains(['\n', ';']));
        }
    }
    None
}

/// What else is worth knowing.
fn facts(analysis: &Analysis) -> Vec<Formula> {
    let system = &analysis.system;
    let mut found = Vec::new();
    let space = |s| system.space_names.of(&system.spaces, s);
    for o in &system.operators {
        let text = format!("{}: {} → {}", name(Script::Unicode, &o.name), space(o.domain), space(o.codomain));
        found.push(Formula::new(&text));
    }
    let order = match &analysis.explicitness {
        Explicitness::Explicit(_) => "explicit",
        Explicitness::Implicit(_) => "implicit: some calls wait for each other",
    };
    let vectors = if analysis.minimal_order == 1 { "vector" } else { "vectors" };
    found.push(Formula::words(&format!("stores {} {vectors} at least; {order}", analysis.minimal_order)));
    found
}

/// A state as written, so many iterations later.
fn state(analysis: &Analysis, j: usize, later: i32) -> Formula {
    let states = match &analysis.transfer {
        Transfer::Commuting { realization, .. } => &realization.states,
        Transfer::Noncommuting { realization, .. } => &realization.states,
    };
    let (stem, time) = match states[j] {
        State::Signal(s, offset) => (analysis.system.signals[s].name.trim_matches('~').to_string(), offset + later),
        State::Answer(channel, age) => (format!("u{}", channel + 1), age + later),
    };
    let offset = if time == 0 { String::new() } else { format!("{time:+}") };
    Formula::new(&format!("{stem}[{}{offset}]", analysis.system.letter))
}

/// A long formula in lines, broken at spaces where there are any.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let letters: Vec<char> = word.chars().collect();
        for piece in letters.chunks(LINE) {
            let piece: String = piece.iter().collect();
            let last = lines.last_mut().expect("never empty");
            if last.is_empty() {
                last.push_str(&piece);
            } else if last.chars().count() + piece.chars().count() < LINE {
                last.push(' ');
                last.push_str(&piece);
            } else {
                lines.push(piece);
            }
        }
    }
    lines
}

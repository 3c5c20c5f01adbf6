//! Loops and tests around the rows of a page: which rows are one iteration, and which a test decides.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// What opens a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The whole page.
    Page,
    /// `\For`, `while …`: the letter that it counts with, if one is told, and whether its passes are made side by side.
    Loop {
        /// `i` in `\For{$i=1,\ldots,m$}`.
        letter: Option<String>,
        /// `in parallel`, `for each agent`.
        parallel: bool,
    },
    /// One arm of a test; arms of one test have one number.
    Arm {
        /// The test.
        test: usize,
        /// Whether it is what is left when no other arm is taken.
        last: bool,
    },
}

/// Rows that stand together.
#[derive(Clone, Debug)]
pub struct Block {
    kind: Kind,
    /// What stands in it, the page in nothing.
    parent: usize,
    /// The condition, or what opens the loop.
    span: Span,
    /// Whether it leaves the loop: `break`, `return`.
    stops: bool,
    /// What becomes of it, if its test can be decided.
    fate: Option<Fate>,
}

/// What becomes of an arm of a test that is decided.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is what is done.
    Read,
    /// It is done in the first iteration alone.
    Once,
    /// It is not done.
    Left,
}

/// How an open block is closed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Closing {
    /// By a command or a word that says so.
    Word,
    /// By the brace that brings the depth back to this.
    Brace(usize),
    /// By a word, or by a row that stands no deeper on the page than this, once one stood deeper.
    Column(usize, bool),
}

/// Blocks in more blocks than this are not told apart.
const DEEP: usize = 50;

/// The blocks of a page.
#[derive(Clone, Debug)]
pub struct Blocks {
    all: Vec<Block>,
    open: Vec<(usize, Closing)>,
    tests: usize,
    /// The arm that was closed last, which `else` goes on with.
    before: Option<usize>,
    /// First arms of `\eIf`, which has two bodies.
    either: Vec<usize>,
}

impl Default for Blocks {
    fn default() -> Self {
        let page = Block { kind: Kind::Page, parent: 0, span: Span::default(), stops: false, fate: None };
        Blocks { all: vec![page], open: Vec::new(), tests: 0, before: None, either: Vec::new() }
    }
}

impl Blocks {
    /// The block that rows stand in now.
    pub fn here(&self) -> usize {
        self.open.last().map_or(0, |o| o.0)
    }

    /// How many blocks are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    fn push(&mut self, kind: Kind, span: Span, closing: Closing) {
        let parent = self.here();
        if self.open.len() >= DEEP {
            return self.open.push((parent, closing));
        }
        self.all.push(Block { kind, parent, span, stops: false, fate: None });
        self.open.push((self.all.len() - 1, closing));
    }

    /// Opens a loop.
    pub fn open_loop(&mut self, letter: Option<String>, parallel: bool, span: Span, closing: Closing) {
        self.push(Kind::Loop { letter, parallel }, span, closing);
    }

    /// Opens the first arm of a test.
    pub fn open_test(&mut self, span: Span, closing: Closing) {
        self.tests += 1;
        self.push(Kind::Arm { test: self.tests, last: false }, span, closing);
    }

    /// Opens another arm of the test that is open here or was closed last.
    pub fn next_arm(&mut self, last: bool, span: Span, closing: Closing) {
        let is_arm = |b: &usize| matches!(self.all[*b].kind, Kind::Arm { .. });
        if let Some(at) = self.open.iter().rposition(|(b, c)| is_arm(b) && !matches!(c, Closing::Brace(_))) {
            self.close(at);
        }
        let here = self.here();
        let before = self.before.filter(|b| self.all[*b].parent == here);
        match before.map(|b| self.all[b].kind.clone()) {
            Some(Kind::Arm { test, .. }) => self.push(Kind::Arm { test, last }, span, closing),
            _ => self.open_test(span, closing),
        }
    }

    fn close(&mut self, at: usize) {
        if let Some((block, _)) = self.open.get(at) {
            self.before = Some(*block).filter(|b| matches!(self.all[*b].kind, Kind::Arm { .. }));
        }
        self.open.truncate(at);
    }

    /// `\EndFor`, `end if`, `end`: the innermost block of that kind, and what is open within.
    pub fn close_word(&mut self, which: Ended) {
        let fits = |b: usize| match self.all[b].kind {
            Kind::Loop { .. } => which != Ended::Test,
            Kind::Arm { .. } => which != Ended::Loop,
            Kind::Page => false,
        };
        if let Some(at) = self.open.iter().rposition(|(b, _)| fits(*b)) {
            self.close(at);
            self.before = None;
        }
    }

    /// Another body follows that of the arm that was just opened.
    pub fn expect_either(&mut self) {
        self.either.push(self.here());
    }

    /// The condition of the innermost block, if it is the first of two bodies.
    pub fn either(&self) -> Option<Span> {
        Some(self.here()).filter(|b| self.either.contains(b)).map(|b| self.all[b].span)
    }

    /// Whether a brace that brings the depth down to this closes a block.
    pub fn would_close(&self, depth: usize) -> bool {
        self.open.iter().any(|(_, c)| matches!(c, Closing::Brace(d) if *d >= depth))
    }

    /// A brace brought the depth down to this.
    pub fn close_brace(&mut self, depth: usize) {
        if let Some(at) = self.open.iter().position(|(_, c)| matches!(c, Closing::Brace(d) if *d >= depth)) {
            self.close(at);
        }
    }

    /// A test on one line that leaves the loop.
    pub fn stop_at_once(&mut self, span: Span, closing: Closing) {
        self.open_test(span, closing);
        self.stop();
        self.close(self.open.len() - 1);
    }

    /// A row begins at this column.
    pub fn row_at(&mut self, column: usize) {
        let left = |c: &Closing| matches!(c, Closing::Column(own, true) if column <= *own);
        if let Some(at) = self.open.iter().position(|(_, c)| left(c)) {
            self.close(at);
        }
        for (_, closing) in &mut self.open {
            if let Closing::Column(own, indented) = closing {
                *indented |= column > *own;
            }
        }
    }

    /// The environment in which this many were open ends.
    pub fn leave(&mut self, depth: usize) {
        if self.open.len() > depth {
            self.close(depth);
        }
    }

    /// `break` stands here; at the end of the page or of a loop that is no news.
    pub fn stop(&mut self) {
        let here = self.here();
        self.all[here].stops |= matches!(self.all[here].kind, Kind::Arm { .. });
    }

    fn path(&self, block: usize) -> impl Iterator<Item = usize> + Clone {
        let mut at = block;
        std::iter::from_fn(move || {
            let here = (at != 0).then_some(at);
            at = self.all[at].parent;
            here
        })
    }

    /// Whether a row of the block stands in a loop.
    pub fn is_repeated(&self, block: usize) -> bool {
        self.path(block).any(|b| matches!(self.all[b].kind, Kind::Loop { .. }))
    }

    /// Whether a row of the block stands in a test.
    pub fn is_tested(&self, block: usize) -> bool {
        self.path(block).any(|b| matches!(self.all[b].kind, Kind::Arm { .. }))
    }

    /// Whether nothing in the block goes on: a test that stops.
    pub fn is_stop(&self, block: usize) -> bool {
        self.path(block).any(|b| matches!(self.all[b].kind, Kind::Arm { .. }) && self.all[b].stops)
    }

    /// Whether the arm is all that goes on: every other arm of its test stops, and one of them is taken.
    fn is_certain(&self, arm: usize) -> bool {
        let Kind::Arm { test, .. } = self.all[arm].kind else { return true };
        if self.all[arm].fate == Some(Fate::Read) {
            return true;
        }
        let mut others = Vec::new();
        let mut complete = false;
        for (i, block) in self.all.iter().enumerate() {
            if let Kind::Arm { test: t, last } = block.kind
                && t == test
            {
                complete |= last;
                if i != arm {
                    others.push(block.stops);
                }
            }
        }
        complete && others.iter().all(|s| *s)
    }

    /// The arms of every test, of which one holds what is looked for.
    pub fn tests(&self, holds: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let of = |test: usize| {
            let own = |b: &usize| matches!(self.all[*b].kind, Kind::Arm { test: t, .. } if t == test);
            (0..self.all.len()).filter(own).collect::<Vec<usize>>()
        };
        (1..=self.tests).map(of).filter(|arms| arms.iter().any(|a| holds(*a))).collect()
    }

    /// Whether a row of a block stands in another.
    pub fn is_within(&self, block: usize, outer: usize) -> bool {
        self.path(block).any(|b| b == outer)
    }

    /// The condition of an arm, and whether it is what is left when no other arm is taken.
    pub fn condition(&self, arm: usize) -> (Span, bool) {
        (self.all[arm].span, matches!(self.all[arm].kind, Kind::Arm { last: true, .. }))
    }

    /// Decides what becomes of an arm.
    pub fn settle(&mut self, arm: usize, fate: Fate) {
        self.all[arm].fate = Some(fate);
    }

    /// What becomes of a row of the block, if a test around it was decided.
    pub fn fate(&self, block: usize) -> Option<Fate> {
        let mut fates = self.path(block).filter_map(|b| self.all[b].fate);
        fates.clone().find(|f| *f != Fate::Read).or_else(|| fates.next())
    }

    /// The arm with which a test begins.
    fn first_arm(&self, arm: usize) -> usize {
        let test = |b: &Block| if let Kind::Arm { test, .. } = b.kind { Some(test) } else { None };
        self.all.iter().position(|b| test(b) == test(&self.all[arm])).unwrap_or(arm)
    }

    /// Why lines of certain blocks cannot be read, one remark per block. A line is its block, its target's name, and
    /// letters below or above the target that are not moved. Of these, `time` counts the iterations.
    pub fn problems(&self, lines: &[(usize, String, Vec<String>)], time: Option<&String>) -> Vec<(usize, Diagnostic)> {
        let mut found: Vec<(usize, Diagnostic)> = Vec::new();
        let mut add = |block: usize, d: Diagnostic| {
            if found.iter().all(|(b, _)| *b != block) {
                found.push((block, d));
            }
        };
        for (block, name, _) in lines {
            let is_open = |b: &usize| matches!(self.all[*b].kind, Kind::Arm { .. }) && !self.is_certain(*b);
            if let Some(arm) = self.path(*block).find(is_open) {
                add(arm, tested(name, self.all[self.first_arm(arm)].span));
            }
        }
        for inner in (1..self.all.len()).filter(|b| self.is_inner(*b, lines, time)) {
            let message = "a loop within the iteration changes what is iterated";
            let help = "write one pass of it out, or give the inner loop alone";
            add(inner, Diagnostic::error(Code::Branch, self.all[inner].span, message).help(help));
        }
        if let Some(second) = self.second_loop(lines, time) {
            let message = "a second loop follows the first: what is iterated is not one iteration";
            let help = "give one of the loops alone";
            add(second, Diagnostic::error(Code::Branch, self.all[second].span, message).help(help));
        }
        found
    }

    /// The loop that begins when another has ended, if both have lines and count the iterations.
    fn second_loop(&self, lines: &[(usize, String, Vec<String>)], time: Option<&String>) -> Option<usize> {
        let outermost =
            |block: usize| self.path(block).filter(|b| matches!(self.all[*b].kind, Kind::Loop { .. })).last();
        let counts = |(block, _, letters): &(usize, String, Vec<String>)| {
            let outer = outermost(*block)?;
            let Kind::Loop { letter, parallel } = &self.all[outer].kind else { return None };
            let parts = letter.as_ref().is_some_and(|l| Some(l) != time && letters.contains(l));
            (!parallel && !parts).then_some(outer)
        };
        let mut loops = lines.iter().filter_map(counts);
        let first = loops.next()?;
        loops.find(|l| *l != first)
    }

    /// Whether a block is a loop in another that has lines of its own, and its passes follow one another.
    fn is_inner(&self, block: usize, lines: &[(usize, String, Vec<String>)], time: Option<&String>) -> bool {
        let Kind::Loop { letter, parallel } = &self.all[block].kind else { return false };
        let inside = |l: &&(usize, String, Vec<String>)| self.path(l.0).any(|b| b == block);
        let mut own = lines.iter().filter(inside).peekable();
        if own.peek().is_none() || *parallel {
            return false;
        }
        // `x_i^{k+1}` for all i: the parts of one point.
        if let Some(letter) = letter
            && Some(letter) != time
            && own.all(|l| l.2.contains(letter))
        {
            return false;
        }
        let outer = self.path(self.all[block].parent).find(|b| matches!(self.all[*b].kind, Kind::Loop { .. }));
        outer.is_some_and(|outer| {
            lines.iter().any(|l| self.path(l.0).any(|b| b == outer) && !self.path(l.0).any(|b| b == block))
        })
    }

    /// Whether a line of the block is among what was refused.
    pub fn is_refused(&self, block: usize, problems: &[(usize, Diagnostic)]) -> bool {
        self.path(block).any(|b| problems.iter().any(|(p, _)| *p == b))
    }
}

/// What a closing word closes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Ended {
    /// `\EndFor`
    Loop,
    /// `\EndIf`
    Test,
    /// `end`
    Any,
}

/// What a test decides is not told.
pub fn tested(name: &str, condition: Span) -> Diagnostic {
    let message = format!("`{name}` depends on a test: what is iterated differs from case to case");
    Diagnostic::error(Code::Branch, condition, message).help("give the branch that is run, without the test")
}

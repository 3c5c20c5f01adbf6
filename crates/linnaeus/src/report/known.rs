//! Calls that are none of their own in a comparison: what tells their answers, and what these are called in it.

use super::expression::{Script, name};
use super::show::oracle_name;
use super::speaker::letter;
use crate::relation::Comparison;
use crate::relation::behavior::Side;
use crate::transfer::{Analysis, Channel};

/// A call whose answer follows from that of another one, or has a name that is not the text's.
#[derive(PartialEq)]
pub enum Known {
    /// The oracle whose query and answer tell that of another one.
    Told(Side, String, String),
    /// What the answer of an oracle is called.
    Named(Side, String, String),
}

impl Known {
    /// In words, formulas as they are.
    pub fn text(&self) -> String {
        match self {
            Known::Told(side, other, own) => {
                format!("what {other} is asked and answers in {} tells the answer of {own}", letter(*side))
            }
            Known::Named(side, name, own) => format!("{name} is the answer of {own} in {}", letter(*side)),
        }
    }

    /// A sentence in LaTeX.
    pub fn latex(&self) -> String {
        match self {
            Known::Told(side, other, own) => format!(
                "In {}, what ${other}$ is asked and answers tells the answer of ${own}$, which is no call of its own.",
                letter(*side)
            ),
            Known::Named(side, name, own) => {
                format!("There ${name}$ denotes the answer of ${own}$ in {}.", letter(*side))
            }
        }
    }
}

/// All of them.
pub fn known(written: [&Analysis; 2], comparison: &Comparison, script: Script) -> Vec<Known> {
    let mut found = Vec::new();
    for (n, side) in [Side::First, Side::Second].into_iter().enumerate() {
        let Some(united) = &comparison.united else { break };
        let (text, now) = (written[n], &united[n]);
        let called = |oracle| oracle_name(oracle, &text.system, script);
        let mut add = |known: Known| {
            if !found.contains(&known) {
                found.push(known);
            }
        };
        for channel in &text.channels {
            let serves = |c: &&Channel| c.calls.iter().any(|(call, _)| *call == channel.call);
            if let Some(other) = now.channels.iter().find(serves).filter(|c| c.oracle != channel.oracle) {
                add(Known::Told(side, called(&other.oracle), called(&channel.oracle)));
            }
        }
        for added in &now.system.signals[text.system.signals.len()..] {
            if let Some(call) = text.system.calls.iter().find(|c| c.span == added.span) {
                add(Known::Named(side, name(script, &added.name), called(&call.oracle)));
            }
        }
    }
    found
}

//! Names below which an index stands that changes with time by itself: entries of a table.

use super::super::atoms::{Atom, Nucleus};
use super::super::time::{Clock, parts, shape};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// `i` of `\alpha_{i_k}`: an index below that changes with time by itself.
pub fn drawn(atom: &Atom, clock: &Clock) -> Option<String> {
    let letter = clock.letter.as_ref()?;
    atom.sub.iter().flat_map(|s| parts(s)).find_map(|part| match part {
        [Atom { nucleus: Nucleus::Name(name), sub: Some(sub), .. }] => {
            shape(sub).filter(|(l, _)| l == letter).map(|_| name.clone())
        }
        _ => None,
    })
}

/// The error for a vector that is picked anew in every iteration.
pub fn of_a_table(name: &str, index: &str, is_iterate: bool, span: Span) -> Diagnostic {
    let message =
        format!("which of the `{name}` is meant depends on `{index}`, which changes from iteration to iteration");
    let help = match is_iterate {
        true => {
            "methods that keep a table, one vector per sample (SAG, SAGA) or per coordinate, are outside of the class; with \
             a reference point in place of the table, as in SVRG, the inner loop can be read"
        }
        false => "give what changes with the index the index itself, as in `b_k`, or make it part of an oracle",
    };
    Diagnostic::error(Code::BadIndex, span, message).help(help)
}

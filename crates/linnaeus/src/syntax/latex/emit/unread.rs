//! Indices that are not understood: a delay without a number, `x_{k-\tau}`, every third iterate, `x_{3k}`, a second letter
//! that counts. None of them is a constant.

use super::super::atoms::{Atom, Nucleus};
use super::super::time::{Clock, parts, shape};
use super::flat;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Why a part of a script cannot be a label.
pub fn unread(name: &str, part: &[Atom], clock: &Clock, span: Span) -> Option<Diagnostic> {
    let counting = |a: &Atom| match &a.nucleus {
        Nucleus::Name(n) if a.sub.is_none() && a.sup.is_none() => match &clock.letter {
            Some(letter) => n == letter,
            None => matches!(n.as_str(), "k" | "t" | "n"),
        },
        _ => false,
    };
    let at = part.iter().position(counting).filter(|_| part.len() > 1)?;
    let computes = |a: &Atom| match a.nucleus {
        Nucleus::Symbol(c) => "+-*/(<>|".contains(c),
        Nucleus::Fraction(..) => true,
        _ => false,
    };
    if at == 0 && is_fraction(&part[1..]) {
        return None;
    }
    let multiplied = at > 0 && matches!(part[at - 1].nucleus, Nucleus::Number(_));
    if !multiplied && !part.iter().any(computes) {
        return None;
    }
    let shown = |a: &Atom| if let Nucleus::Name(n) = &a.nucleus { n.clone() } else { String::new() };
    let letter = shown(&part[at]);
    let message = format!("this index of `{name}` is not read: it is no `{letter}` and a whole number");
    let delay = part.iter().find(|a| matches!(a.nucleus, Nucleus::Name(_)) && shown(a) != letter);
    let help = match delay {
        Some(delay) if part.iter().any(|a| a.is('-') || a.is('+')) => {
            format!(
                "write a number for `{}`, as in `{name}_{{{letter}-3}}`, or `{name}_{{{letter},i}}` for a label",
                flat(std::slice::from_ref(delay))
            )
        }
        _ if multiplied => {
            format!("write all steps of one iteration, with names of their own, as in `{name}_{{{letter}+1}}`")
        }
        _ => format!(
            "write an index as in `{name}_{{{letter}+1}}`, and labels behind a comma, as in `{name}_{{{letter}+1,i}}`"
        ),
    };
    Some(Diagnostic::error(Code::BadIndex, span, message).help(help))
}

/// `k+1/3`: a value on the way from one iteration to the next.
pub fn is_between(part: &[Atom], clock: &Clock) -> bool {
    let [Atom { nucleus: Nucleus::Name(n), sub: None, sup: None, .. }, offset @ ..] = part else { return false };
    clock.letter.as_ref() == Some(n) && is_fraction(offset)
}

/// `+1/3`, a part of an iteration: a value on the way.
fn is_fraction(offset: &[Atom]) -> bool {
    let whole = |a: &Atom| if let Nucleus::Number(n) = &a.nucleus { n.parse::<u32>().ok() } else { None };
    let (above, below) = match offset {
        [plus, above, slash, below] if plus.is('+') && slash.is('/') => (whole(above), whole(below)),
        [plus, Atom { nucleus: Nucleus::Fraction(above, below), .. }] if plus.is('+') => match (&above[..], &below[..])
        {
            ([above], [below]) => (whole(above), whole(below)),
            _ => return false,
        },
        _ => return false,
    };
    matches!((above, below), (Some(above), Some(below)) if 0 < above && above < below)
}

/// Why a name that counts with another letter than the text cannot be read.
pub fn rival(name: &str, atom: &Atom, clock: &Clock) -> Option<Diagnostic> {
    let letter = clock.letter.as_ref()?;
    let scripts = [&atom.sub, &atom.sup].into_iter().flatten().flat_map(|s| parts(s));
    let letters: Vec<String> = scripts.filter_map(shape).map(|(l, _)| l).collect();
    let other = letters.iter().find(|l| clock.rivals.contains(*l)).filter(|_| !letters.contains(letter))?;
    let message = format!("`{name}` counts with `{other}` here, other lines with `{letter}`");
    let help = format!(
        "write one letter in all lines, as in `{name}_{{{letter}+1}}`, or paste the two iterations one at a time"
    );
    Some(Diagnostic::error(Code::BadIndex, atom.span, message).help(help))
}

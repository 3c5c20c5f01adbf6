//! Scripts that came down to the line in copying: `xk+1 = proxγg(xk − γ∇f(xk))` for `x_{k+1} = prox_{γg}(…)`.
//!
//! A line that gives a sum a value, a letter and a counting letter plus one, can mean nothing else. Where one does,
//! the same two letters side by side are an index everywhere, and letters between `prox` and its argument stand below it.

use super::atoms::{Atom, Nucleus};
use super::time::shape;
use crate::diagnostic::Diagnostic;

/// Whether a text has a line such as `xk+1 = …`.
pub fn came_apart(text: &str) -> bool {
    text.lines().any(|line| {
        let solid: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).take(7).collect();
        let [name, letter, '+', '1', sign @ ..] = solid.as_slice() else { return false };
        name.is_alphabetic() && counts(&letter.to_string()) && matches!(sign, ['=' | '←', ..] | [':', '=', ..])
    })
}

fn counts(letter: &str) -> bool {
    matches!(letter, "k" | "n" | "t" | "j" | "i")
}

/// Puts the scripts of all lines back; says so once.
pub fn put_back<'a>(lines: impl Iterator<Item = &'a mut Vec<Atom>>, diagnostics: &mut Vec<Diagnostic>) {
    let mut lines: Vec<&mut Vec<Atom>> = lines.collect();
    let Some((letter, place)) = lines.iter().find_map(|l| target(l)) else { return };
    for line in &mut lines {
        **line = indexed(line, &letter, true);
    }
    let message = format!("`{letter}` behind a letter was read as its index, which came down to the line in copying");
    diagnostics.push(Diagnostic::note(place, message));
}

/// Reads `x_{2k+1} = …, x_{2k+2} = …` as one iteration of two steps, `x_{k+1/2}` and `x_{k+1}`, if nothing else counts with
/// that letter.
pub fn halve<'a>(lines: impl Iterator<Item = &'a mut Vec<Atom>>, diagnostics: &mut Vec<Diagnostic>) {
    let mut lines: Vec<&mut Vec<Atom>> = lines.collect();
    let target = lines.iter().find_map(|l| {
        let first = l.first().filter(|a| matches!(a.nucleus, Nucleus::Name(_)))?;
        l.iter().find(|a| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns))?;
        let found = [&first.sub, &first.sup].into_iter().flatten().find_map(|s| doubled(s))?;
        Some((found.0, first.span))
    });
    let Some((letter, place)) = target else { return };
    let mut once = false;
    for line in &lines {
        line.iter().for_each(|a| a.walk(&mut |a| once |= counts_once(a, &letter)));
    }
    if once {
        return;
    }
    lines.iter_mut().for_each(|line| line.iter_mut().for_each(|a| halved(a, &letter)));
    let message = format!("two steps, `2{letter}` and `2{letter}+1`, were read as one iteration");
    diagnostics.push(Diagnostic::note(place, message));
}

/// `2k+1` as a letter and half steps.
fn doubled(script: &[Atom]) -> Option<(String, i64)> {
    let [two, letter, rest @ ..] = script else { return None };
    let Nucleus::Name(counting) = &letter.nucleus else { return None };
    let whole = |a: &Atom| match &a.nucleus {
        Nucleus::Number(n) if bare(a) => n.parse::<i64>().ok().filter(|n| *n < 1000),
        _ => None,
    };
    let offset = match rest {
        [] => 0,
        [sign, n] if sign.is('+') => whole(n)?,
        [sign, n] if sign.is('-') => -whole(n)?,
        _ => return None,
    };
    (whole(two) == Some(2) && bare(letter) && counts(counting)).then(|| (counting.clone(), offset))
}

/// Whether a name carries the letter without the factor, moved in time.
fn counts_once(atom: &Atom, letter: &str) -> bool {
    matches!(atom.nucleus, Nucleus::Name(_))
        && [&atom.sub, &atom.sup]
            .into_iter()
            .flatten()
            .any(|s| shape(s).is_some_and(|(l, halves)| l == letter && halves != 0))
}

fn halved(atom: &mut Atom, letter: &str) {
    match &mut atom.nucleus {
        Nucleus::Group(inside) | Nucleus::Root(inside) => inside.iter_mut().for_each(|a| halved(a, letter)),
        Nucleus::Fraction(above, below) => above.iter_mut().chain(below).for_each(|a| halved(a, letter)),
        _ => {}
    }
    let span = atom.span;
    for script in [&mut atom.sub, &mut atom.sup].into_iter().flatten() {
        if let Some((_, halves)) = doubled(script).filter(|(l, _)| l == letter) {
            let at = |nucleus: Nucleus| Atom::new(nucleus, span);
            let number = |n: i64| at(Nucleus::Number(n.to_string()));
            let sign = at(Nucleus::Symbol(if halves < 0 { '-' } else { '+' }));
            let name = at(Nucleus::Name(letter.to_string()));
            *script = match halves.abs() {
                0 => vec![name],
                n if n % 2 == 0 => vec![name, sign, number(n / 2)],
                n => vec![name, sign, number(n), at(Nucleus::Symbol('/')), number(2)],
            };
        }
        script.iter_mut().for_each(|a| halved(a, letter));
    }
}

/// Lifts an index that stands behind a name in parentheses, `x_i(k+1) = …`, as control theory writes it.
pub fn lift<'a>(lines: impl Iterator<Item = &'a mut Vec<Atom>>) {
    let mut lines: Vec<&mut Vec<Atom>> = lines.collect();
    let Some(letter) = lines.iter().find_map(|l| lifted_target(l)) else { return };
    for line in &mut lines {
        **line = lifted(line, &letter);
    }
}

/// `x(k+1) =`: the letter that counts.
fn lifted_target(line: &[Atom]) -> Option<String> {
    let [name, open, counting, plus, one, close, sign, ..] = line else { return None };
    let Nucleus::Name(letter) = &counting.nucleus else { return None };
    let named = matches!(name.nucleus, Nucleus::Name(_)) && name.sup.is_none();
    let moved = plus.is('+') && one.nucleus == Nucleus::Number("1".into()) && bare(counting) && bare(one);
    let around = open.is('(') && close.is(')') && bare(close);
    let given = matches!(sign.nucleus, Nucleus::Equals | Nucleus::Assigns);
    (named && around && moved && given && counts(letter)).then(|| letter.clone())
}

fn lifted(atoms: &[Atom], letter: &str) -> Vec<Atom> {
    let mut out: Vec<Atom> = Vec::new();
    let mut at = 0;
    while at < atoms.len() {
        let mut atom = atoms[at].clone();
        at += 1;
        match &atom.nucleus {
            Nucleus::Group(inside) => atom.nucleus = Nucleus::Group(lifted(inside, letter)),
            Nucleus::Fraction(above, below) => {
                atom.nucleus = Nucleus::Fraction(lifted(above, letter), lifted(below, letter));
            }
            Nucleus::Name(_) if atom.sup.is_none() && atoms.get(at).is_some_and(|a| a.is('(')) => {
                let close = atoms[at..].iter().position(|a| a.is(')')).map(|c| at + c);
                let script = close.filter(|c| atoms[*c].sup.is_none()).map(|c| &atoms[at..=c]);
                if let Some(script) = script.filter(|s| shape(s).is_some_and(|(l, _)| l == letter)) {
                    atom.span = atom.span.to(script[script.len() - 1].span);
                    atom.sup = Some(script.to_vec());
                    at += script.len();
                }
            }
            _ => {}
        }
        out.push(atom);
    }
    out
}

/// `xk+1 =`: the letter that counts.
fn target(line: &[Atom]) -> Option<(String, crate::source::Span)> {
    let [name, letter, plus, one, sign, ..] = line else { return None };
    let Nucleus::Name(counting) = &letter.nucleus else { return None };
    let moved = plus.is('+') && one.nucleus == Nucleus::Number("1".into()) && bare(one);
    let given = matches!(sign.nucleus, Nucleus::Equals | Nucleus::Assigns);
    (is_letter(name) && bare(letter) && counts(counting) && moved && given)
        .then(|| (counting.clone(), name.span.to(one.span)))
}

fn bare(atom: &Atom) -> bool {
    atom.sub.is_none() && atom.sup.is_none() && atom.primes == 0
}

/// A name of one letter without scripts, Greek letters and decorated ones included.
fn is_letter(atom: &Atom) -> bool {
    matches!(&atom.nucleus, Nucleus::Name(n) if crate::syntax::names::oracle_word(n).is_none_or(|_| n.len() == 1))
        && bare(atom)
}

fn indexed(atoms: &[Atom], letter: &str, is_line: bool) -> Vec<Atom> {
    let mut out: Vec<Atom> = Vec::new();
    let mut at = 0;
    while at < atoms.len() {
        let mut atom = atoms[at].clone();
        let is_index = |a: &Atom| a.nucleus == Nucleus::Name(letter.to_string()) && bare(a);
        if let Nucleus::Group(inside) = &atom.nucleus {
            atom.nucleus = Nucleus::Group(indexed(inside, letter, false));
        } else if let Nucleus::Fraction(above, below) = &atom.nucleus {
            atom.nucleus = Nucleus::Fraction(indexed(above, letter, false), indexed(below, letter, false));
        } else if atom.nucleus == Nucleus::Name("prox".into()) && bare(&atom) {
            let names = atoms[at + 1..].iter().take_while(|a| is_letter(a)).count();
            if names > 0 && atoms.get(at + 1 + names).is_some_and(|a| a.is('(')) {
                atom.span = atom.span.to(atoms[at + names].span);
                atom.sub = Some(atoms[at + 1..=at + names].to_vec());
                at += names;
            }
        } else if is_letter(&atom) && !is_index(&atom) && atoms.get(at + 1).is_some_and(is_index) {
            let behind = &atoms[at + 1..];
            let close = |i: usize| is_line && at == 0 || behind[i - 1].span.end == behind[i].span.start;
            let moved = matches!(behind, [_, sign, n, ..] if (sign.is('+') || sign.is('-')) && matches!(n.nucleus, Nucleus::Number(_)) && bare(n))
                && close(1)
                && close(2);
            let length = if moved { 3 } else { 1 };
            atom.span = atom.span.to(behind[length - 1].span);
            atom.sub = Some(behind[..length].to_vec());
            at += length;
        }
        out.push(atom);
        at += 1;
    }
    out
}

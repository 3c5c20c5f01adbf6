//! Which letter counts the iterations, where it stands, and which names carry it.

use super::atoms::{Atom, Nucleus};
use crate::syntax::ast::OracleKind;
use crate::syntax::names::oracle_word;
use linnaeus_algebra::{SortedMap, SortedSet};

/// Below or above.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// `x_{k+1}`
    Sub,
    /// `x^{k+1}`
    Sup,
}

/// How a text writes time.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The letter; none where nothing carries an index.
    pub letter: Option<String>,
    /// Where it stands as a rule.
    pub place: Place,
    /// Names that carry it, shifted, somewhere, or a plus sign.
    pub iterates: SortedSet<String>,
    /// Names that carry it above, shifted.
    pub above: SortedSet<String>,
    /// Names that a line gives a value under a number above, with time below: `x^1_{k+1}`.
    pub numbered: SortedSet<String>,
    /// Sets that are projected onto: `P_C`.
    pub sets: SortedSet<String>,
    /// Names that are asked at an iterate alone somewhere: `f(x_k)`.
    pub called: SortedSet<String>,
    /// Whether time is written `x^+`.
    pub plus: bool,
    /// Whether nothing shows the letter shifted.
    pub is_guess: bool,
    /// Other letters that might count, where nothing shows one shifted.
    pub others: Vec<String>,
    /// Letters that other lines count with: `y_{t+1} = …` beside `x_{k+1} = …`.
    pub rivals: SortedSet<String>,
    /// All names of the text.
    pub names: SortedSet<String>,
    /// Names that multiply or divide somewhere, and nothing else gives a meaning: `t` in `t∇f(x)`.
    pub factors: SortedSet<String>,
    /// Whether a divergence is taken, so that `∇u^k` is the differences of an image.
    pub divergence: bool,
}

/// Minus the adjoint of the differences of an image.
pub const DIVERGENCE: &str = "div";

/// `k+1` as a letter and half steps; `None` for anything else.
pub fn shape(script: &[Atom]) -> Option<(String, i64)> {
    let mut atoms: &[Atom] = script;
    if let [Atom { nucleus: Nucleus::Group(inner), sub: None, sup: None, .. }] = atoms {
        atoms = inner;
    }
    if let [first, inside @ .., last] = atoms
        && first.is('(')
        && last.is(')')
        && last.sup.is_none()
    {
        atoms = inside;
    }
    let bare = |a: &Atom| a.sub.is_none() && a.sup.is_none() && a.primes == 0;
    if !atoms.iter().all(bare) {
        return None;
    }
    let letter = |a: &Atom| match &a.nucleus {
        Nucleus::Name(n) if n.chars().count() == 1 || n == "ell" || n == "tau" || n == "nu" => Some(n.clone()),
        _ => None,
    };
    let halves = |a: &Atom| -> Option<i64> {
        match &a.nucleus {
            Nucleus::Number(n) => {
                let (whole, half) = n.strip_suffix(".5").map_or((n.as_str(), 0), |w| (w, 1));
                let whole = if whole.is_empty() && half == 1 { "0" } else { whole };
                whole.parse::<i64>().ok().filter(|n| *n < 1_000_000).map(|n| 2 * n + half)
            }
            Nucleus::Fraction(a, b) => match (a.as_slice(), b.as_slice()) {
                ([Atom { nucleus: Nucleus::Number(a), .. }], [Atom { nucleus: Nucleus::Number(b), .. }])
                    if b == "2" =>
                {
                    a.parse::<i64>().ok().filter(|n| *n < 1_000_000)
                }
                _ => None,
            },
            _ => None,
        }
    };
    match atoms {
        [a] => Some((letter(a)?, 0)),
        [a, sign, n] if sign.is('+') || sign.is('-') => match (letter(a), letter(n)) {
            (Some(l), None) => Some((l, if sign.is('+') { halves(n)? } else { -halves(n)? })),
            (None, Some(l)) if sign.is('+') => Some((l, halves(a)?)),
            _ => None,
        },
        [a, sign, n, slash, two] if slash.is('/') && (sign.is('+') || sign.is('-')) => {
            let by_two = matches!(&two.nucleus, Nucleus::Number(d) if d == "2");
            let n = halves(n).filter(|_| by_two)? / 2;
            Some((letter(a)?, if sign.is('+') { n } else { -n }))
        }
        _ => None,
    }
}

/// The parts of a script between commas.
pub fn parts(script: &[Atom]) -> Vec<&[Atom]> {
    script.split(|a| a.is(',') || a.is(';')).filter(|p| !p.is_empty()).collect()
}

/// Whether a script is `+`, `++`, ….
pub fn pluses(script: &[Atom]) -> Option<i64> {
    (!script.is_empty() && script.iter().all(|a| a.is('+'))).then_some(script.len() as i64)
}

/// Whether a script is `-`, `--`, ….
pub fn minuses(script: &[Atom]) -> Option<i64> {
    (!script.is_empty() && script.iter().all(|a| a.is('-'))).then_some(script.len() as i64)
}

/// How far a name is moved in time, in half steps, if it carries the letter that counts.
pub fn moved(atom: &Atom, clock: &Clock) -> Option<i64> {
    if !matches!(atom.nucleus, Nucleus::Name(_)) {
        return None;
    }
    let letter = clock.letter.as_ref()?;
    let own = [&atom.sub, &atom.sup].into_iter().flatten().find_map(|s| {
        pluses(s)
            .map(|n| 2 * n)
            .or_else(|| parts(s).into_iter().filter_map(shape).find(|(l, _)| l == letter).map(|s| s.1))
    });
    own.or_else(|| (clock.plus && matches!(&atom.nucleus, Nucleus::Name(n) if clock.iterates.contains(n))).then_some(0))
}

/// The letters below and above what a line gives a value, where they are not moved.
pub fn letters(line: &[Atom]) -> Vec<String> {
    let Some(Atom { nucleus: Nucleus::Name(_), sub, sup, .. }) = line.first() else { return Vec::new() };
    let scripts = [sub, sup].into_iter().flatten().flat_map(|s| parts(s));
    scripts.filter_map(shape).filter(|(_, halves)| *halves == 0).map(|(l, _)| l).collect()
}

/// Looks over all atoms.
pub fn clock(lines: &[Vec<Atom>], declared: Option<String>) -> Clock {
    let mut shifted: SortedMap<(String, Place), usize> = SortedMap::new();
    let mut plain: SortedMap<(String, Place), usize> = SortedMap::new();
    let mut carriers: Vec<(String, String, Place, i64)> = Vec::new();
    let mut plus: SortedSet<String> = SortedSet::new();
    let mut divergence = false;
    let given_names = given_names(lines);
    let mut names = SortedSet::new();
    for line in lines {
        for atom in line {
            atom.walk(&mut |a| {
                let Nucleus::Name(name) = &a.nucleus else { return };
                names.insert(name.clone());
                divergence |= name == DIVERGENCE;
                for (script, place) in [(&a.sub, Place::Sub), (&a.sup, Place::Sup)] {
                    let Some(script) = script else { continue };
                    // `A^+` of what no line gives a value is a pseudo-inverse.
                    let given = name.starts_with(char::is_lowercase) || given_names.contains(name);
                    if pluses(script).is_some() && place == Place::Sup && given {
                        plus.insert(name.clone());
                    }
                    for part in parts(script) {
                        let part = without_transpose(part);
                        if let Some((letter, halves)) = shape(part) {
                            let counts = if halves == 0 { &mut plain } else { &mut shifted };
                            *counts.entry((letter.clone(), place)).or_default() += 1;
                            carriers.push((name.clone(), letter, place, halves));
                        }
                    }
                }
            });
        }
    }
    let most = |counts: &SortedMap<(String, Place), usize>| {
        counts.iter().max_by_key(|((l, _), n)| (**n, usual(l))).map(|((l, p), _)| (l.clone(), *p))
    };
    let targets: SortedMap<(String, Place), usize> = targets(lines);
    let found = most(&shifted)
        .map(|f| (f, false))
        .or_else(|| if plus.is_empty() { most(&targets).map(|f| (f, true)) } else { None });
    let (letter, place, is_guess) = match (declared, found) {
        (Some(l), found) => (Some(l), found.map_or(Place::Sub, |((_, p), _)| p), false),
        (None, Some(((l, p), guess))) => (Some(l), p, guess),
        (None, None) if !plus.is_empty() => (Some("k".to_string()), Place::Sup, false),
        (None, None) => (None, Place::Sub, false),
    };
    let is_time = |l: &String| Some(l) == letter.as_ref();
    let iterates = carriers.iter().filter(|(_, l, _, h)| is_time(l) && *h != 0).map(|(n, ..)| n.clone());
    let above =
        carriers.iter().filter(|(_, l, p, h)| is_time(l) && *p == Place::Sup && *h != 0).map(|(n, ..)| n.clone());
    let numbered = lines.iter().filter_map(|line| match line.first() {
        Some(Atom { nucleus: Nucleus::Name(name), sub: Some(_), sup: Some(sup), .. })
            if matches!(sup.as_slice(), [Atom { nucleus: Nucleus::Number(_), .. }]) =>
        {
            Some(name.clone())
        }
        _ => None,
    });
    // `p_1^k = …` gives a value to what carries time above: a power gets none.
    let given = lines.iter().filter_map(|line| match line.as_slice() {
        [Atom { nucleus: Nucleus::Name(name), sup: Some(sup), .. }, sign, ..]
            if matches!(sign.nucleus, Nucleus::Equals | Nucleus::Assigns)
                && shape(sup).is_some_and(|(l, _)| is_time(&l)) =>
        {
            Some(name.clone())
        }
        _ => None,
    });
    let mut sets = SortedSet::new();
    let mut called = SortedSet::new();
    for line in lines {
        asked(line, &is_time, &mut called);
        line.iter().for_each(|a| {
            a.walk(&mut |a| match &a.nucleus {
                Nucleus::Name(word) if oracle_word(word) == Some(OracleKind::Projection) => {
                    if let Some([Atom { nucleus: Nucleus::Name(set), sub: None, sup: None, .. }]) = a.sub.as_deref() {
                        sets.insert(set.clone());
                    }
                }
                Nucleus::Group(inside) | Nucleus::Root(inside) => asked(inside, &is_time, &mut called),
                Nucleus::Fraction(above, below) => {
                    asked(above, &is_time, &mut called);
                    asked(below, &is_time, &mut called);
                }
                _ => {}
            });
        });
    }
    let mut factors = SortedSet::new();
    lines.iter().for_each(|line| multiplying(line, &mut factors));
    factors.retain(|n| !given_names.contains(n));
    let rivals = lines.iter().filter_map(|line| rival(line, letter.as_ref()?)).collect();
    let others = targets.keys().map(|(l, _)| l.clone()).filter(|l| is_guess && !is_time(l)).collect();
    Clock {
        others,
        rivals,
        names,
        factors,
        divergence,
        numbered: numbered.collect(),
        sets,
        called,
        plus: !plus.is_empty(),
        iterates: iterates.chain(plus.iter().cloned()).collect(),
        above: above.chain(given).collect(),
        letter,
        place,
        is_guess,
    }
}

/// The names that lines give a value.
fn given_names(lines: &[Vec<Atom>]) -> SortedSet<String> {
    let mut found = SortedSet::new();
    for line in lines {
        let sign = line.iter().position(|a| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns));
        for atom in &line[..sign.unwrap_or(0)] {
            found.extend(if let Nucleus::Name(n) = &atom.nucleus { Some(n.clone()) } else { None });
        }
    }
    found
}

/// The letter that a line counts with, if that is another than the others count with.
fn rival(line: &[Atom], letter: &String) -> Option<String> {
    let target = line.first().filter(|a| matches!(a.nucleus, Nucleus::Name(_)))?;
    line.iter().find(|a| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns))?;
    let scripts = [&target.sub, &target.sup].into_iter().flatten().flat_map(|s| parts(s));
    let found: Vec<(String, i64)> = scripts.filter_map(shape).collect();
    let counts = |l: &String| found.iter().any(|(own, _)| own == l);
    found.iter().find(|(l, halves)| *halves != 0 && !counts(letter) && usual(l) > 0).map(|(l, _)| l.clone())
}

/// Names that stand before a derivative, a name or behind a slash.
fn multiplying(atoms: &[Atom], out: &mut SortedSet<String>) {
    for (i, atom) in atoms.iter().enumerate() {
        match &atom.nucleus {
            Nucleus::Group(inside) | Nucleus::Root(inside) => multiplying(inside, out),
            Nucleus::Fraction(above, below) => {
                multiplying(above, out);
                if let [Atom { nucleus: Nucleus::Name(n), sub: None, sup: None, .. }] = below.as_slice() {
                    out.insert(n.clone());
                }
                multiplying(below, out);
            }
            Nucleus::Name(n) if atom.sub.is_none() && atom.sup.is_none() && oracle_word(n).is_none() => {
                let before = i.checked_sub(1).map(|b| &atoms[b]);
                let asked = before.is_some_and(|b| b.is('∇') || b.is('∂') || b.nucleus == Nucleus::After);
                let divides = before.is_some_and(|b| b.is('/'));
                let multiplies =
                    atoms.get(i + 1).is_some_and(|a| a.is('∇') || a.is('∂') || matches!(a.nucleus, Nucleus::Name(_)));
                if !asked && (divides || multiplies) {
                    out.insert(n.clone());
                }
            }
            _ => {}
        }
    }
}

/// Small names before parentheses around nothing but an iterate; no `\alpha_k(x_k)`, no `∇f(x_k)`.
fn asked(atoms: &[Atom], is_time: &dyn Fn(&String) -> bool, out: &mut SortedSet<String>) {
    let timed = |s: &Option<Vec<Atom>>| {
        s.as_deref().is_some_and(|s| parts(s).into_iter().filter_map(shape).any(|(l, _)| is_time(&l)))
    };
    for (i, window) in atoms.windows(4).enumerate() {
        let [name, open, point, close] = window else { continue };
        if i > 0 && (atoms[i - 1].is('∇') || atoms[i - 1].is('∂')) {
            continue;
        }
        let Nucleus::Name(own) = &name.nucleus else { continue };
        // No step is called so.
        if own == "pi" && open.is('(') && name.sub.is_none() && name.sup.is_none() {
            out.insert(own.clone());
        }
        let alone = matches!(point.nucleus, Nucleus::Name(_)) && (timed(&point.sub) || timed(&point.sup));
        let bare = close.sub.is_none() && close.sup.is_none() && !timed(&name.sub) && !timed(&name.sup);
        // A sample may stand behind the point: `g(x_t, \xi_t)`.
        let ends = close.is(')') || close.is(',') || close.is(';');
        if open.is('(') && ends && alone && bare && own.starts_with(char::is_lowercase) {
            out.insert(own.clone());
        }
    }
}

fn usual(letter: &str) -> usize {
    ["i", "j", "s", "m", "n", "t", "k"].iter().position(|l| *l == letter).map_or(0, |p| p + 1)
}

/// Letters that are the whole script of what a line gives a value.
fn targets(lines: &[Vec<Atom>]) -> SortedMap<(String, Place), usize> {
    let mut found = SortedMap::new();
    for line in lines {
        let Some(Atom { nucleus: Nucleus::Name(_), sub, sup, .. }) = line.first() else { continue };
        for (script, place) in [(sub, Place::Sub), (sup, Place::Sup)] {
            let shape = script
                .as_deref()
                .and_then(shape)
                .filter(|(l, _)| ["k", "t", "n", "j", "i", "m", "s"].contains(&l.as_str()));
            if let Some((letter, _)) = shape {
                *found.entry((letter, place)).or_default() += 1;
            }
        }
    }
    found
}

/// `k` in `\lambda^{kT}`.
pub fn without_transpose(part: &[Atom]) -> &[Atom] {
    match part {
        [index @ .., last] if !index.is_empty() && is_transpose(last) => index,
        _ => part,
    }
}

/// `T`, `\top`, `H` as a superscript.
pub fn is_transpose(atom: &Atom) -> bool {
    match &atom.nucleus {
        Nucleus::Name(n) => matches!(n.as_str(), "T" | "H"),
        Nucleus::Text(n) => matches!(n.as_str(), "T" | "H"),
        Nucleus::Symbol(c) => *c == '⊤',
        _ => false,
    }
}

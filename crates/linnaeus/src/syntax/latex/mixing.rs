//! Sums over neighbours, `\sum_j w_{ij} x_j`: one row of a matrix times all parts at once. Sums of gradients at one point,
//! `\frac1n\sum_i \nabla f_i(x)`: the gradient of one function.

use super::atoms::{Atom, Nucleus, unknown};
use super::time::parts;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Atoms with such sums as products, or the error for a sum of another kind.
pub fn mixed(atoms: Vec<Atom>, diagnostics: &mut Vec<Diagnostic>) -> Result<Vec<Atom>, Diagnostic> {
    let mut found: Vec<Atom> = Vec::with_capacity(atoms.len());
    let mut rest = atoms.as_slice();
    while let [first, after @ ..] = rest {
        rest = after;
        let Nucleus::Sum(place) = first.nucleus else {
            found.push(first.clone());
            continue;
        };
        if let Some(letter) = triangle(first) {
            let message = format!(
                "this sum ends where `{letter}` is: every part is computed from those before it, and parts are not told apart"
            );
            let help = "write one line per part, without the sum";
            return Err(Diagnostic::error(Code::BadIndex, place, message).help(help));
        }
        if let Some(Total { gradient, function, each, behind }) = total(first, after) {
            let mean = mean(&mut found, first);
            let what = if mean { "mean" } else { "sum" };
            let message =
                format!("this was read as the gradient of one function: `{function}` is the {what} of all `{each}`");
            let whole = place.to(gradient.last().map_or(place, |a| a.span));
            diagnostics.push(Diagnostic::note(whole, message).help("write the terms out if they are to be told apart"));
            found.extend(gradient);
            rest = behind;
            continue;
        }
        let Some((product, left)) = row(first, after) else { return Err(unknown("sum", place)) };
        let message = "this sum was read as a matrix times all parts, stacked into one vector";
        let whole = place.to(product.last().map_or(place, |a| a.span));
        diagnostics.push(Diagnostic::note(whole, message).help("write one line per part if they are to be told apart"));
        found.extend(product);
        rest = left;
    }
    let mut inside: Option<Span> = None;
    for atom in &found {
        atom.walk(&mut |a| {
            if let Nucleus::Sum(place) = a.nucleus {
                inside.get_or_insert(place);
            }
        });
    }
    inside.map_or(Ok(found), |place| Err(unknown("sum", place)))
}

/// `i` in `\sum_{j=1}^{i-1}` and `\sum_{j<i}`: a sum over what comes before.
fn triangle(sum: &Atom) -> Option<String> {
    let below = sum.sub.as_ref()?;
    let over = letter(below.first()?)?;
    let compares = below.iter().any(|a| ['<', '>', '≤', '≥'].iter().any(|c| a.is(*c)));
    let ends = sum.sup.iter().flatten().chain(below[1..].iter().filter(|_| compares));
    ends.filter_map(letter).find(|l| *l != over && l.starts_with(|c: char| "ijkl".contains(c)))
}

/// A sum of gradients at one point.
struct Total<'a> {
    /// The gradient of all.
    gradient: Vec<Atom>,
    function: String,
    each: String,
    behind: &'a [Atom],
}

/// `\nabla f(x)` for `\sum_i \nabla f_i(x)`, also with weights `\lambda_i`.
fn total<'a>(sum: &Atom, after: &'a [Atom]) -> Option<Total<'a>> {
    let below = sum.sub.as_ref()?;
    let over = letter(below.first()?)?;
    // `\sum_{i \in B_k}` is a sample.
    if below.iter().any(|a| a.sub.is_some()) {
        return None;
    }
    let (body, behind) = after.split_at(end_of_term(after));
    let at = body.iter().position(|a| a.is('∇'))?;
    let [sign, function, point @ ..] = &body[at..] else { return None };
    let Nucleus::Name(name) = &function.nucleus else { return None };
    let own = function.sub.as_deref().is_some_and(|s| s.len() == 1 && letter(&s[0]).is_some_and(|l| l == over));
    let plain = function.sup.is_none() && function.primes == 0 && sign.sub.is_none() && sign.sup.is_none();
    let asked = matches!(point, [open, .., close] if open.is('(') && close.is(')') && close.sup.is_none());
    let mut depth = 0i64;
    let once = point.iter().rev().skip(1).rev().all(|a| {
        depth += i64::from(a.is('(')) - i64::from(a.is(')'));
        depth > 0
    });
    let mut same = true;
    point.iter().for_each(|a| a.walk(&mut |a| same &= !has_label(a, &over)));
    let weight = |a: &Atom| matches!(a.nucleus, Nucleus::Name(_) | Nucleus::Number(_) | Nucleus::Fraction(..));
    if !(own && plain && asked && once && same && body[..at].iter().all(weight)) {
        return None;
    }
    let kept = body[..at].iter().filter(|a| !has_label(a, &over)).cloned();
    let whole = Atom { sub: None, ..function.clone() };
    let gradient = kept.chain([sign.clone(), whole]).chain(point.iter().cloned()).collect();
    Some(Total { gradient, function: name.clone(), each: format!("{name}_{over}"), behind })
}

/// Takes `\frac1n` before a sum to the sum of `n` terms. Whether it stood there.
fn mean(before: &mut Vec<Atom>, sum: &Atom) -> bool {
    let Some(Atom { nucleus: Nucleus::Fraction(above, below), sup: None, .. }) = before.last() else { return false };
    let [Atom { nucleus: Nucleus::Name(count), sub: None, sup: None, .. }] = below.as_slice() else { return false };
    let ends = match sum.sup.as_deref() {
        Some([last]) => last.nucleus == below[0].nucleus,
        Some(_) => false,
        None => matches!(count.as_str(), "n" | "N" | "m" | "M"),
    };
    if !ends {
        return false;
    }
    let one = matches!(above.as_slice(), [Atom { nucleus: Nucleus::Number(n), .. }] if n == "1");
    let above = above.clone();
    if let Some(last) = before.pop().filter(|_| !one) {
        before.push(Atom::new(Nucleus::Group(above), last.span));
    }
    true
}

/// Where a term ends: at a sign, or where the parentheses around it close.
fn end_of_term(terms: &[Atom]) -> usize {
    let mut depth = 0i64;
    let end = terms.iter().position(|a| {
        depth += i64::from(a.is('(') || a.is('[')) - i64::from(a.is(')') || a.is(']'));
        depth < 0 || depth == 0 && (a.is('+') || a.is('-') || a.is(',') || matches!(a.nucleus, Nucleus::Equals))
    });
    end.unwrap_or(terms.len())
}

/// `W x_i` for `\sum_j w_{ij} x_j`, and what stands behind it.
fn row<'a>(sum: &Atom, after: &'a [Atom]) -> Option<(Vec<Atom>, &'a [Atom])> {
    let over = letter(sum.sub.as_ref()?.first()?)?;
    let [weight, terms @ ..] = after else { return None };
    let Nucleus::Name(name) = &weight.nucleus else { return None };
    let indices = weight.sub.as_ref()?;
    let letters: Vec<String> = parts(indices).into_iter().flatten().map(letter).collect::<Option<_>>()?;
    let [row, column] = &letters[..] else { return None };
    let (own, transposed) = match (row == &over, column == &over) {
        (false, true) => (row, false),
        (true, false) => (column, true),
        _ => return None,
    };
    let (body, rest) = terms.split_at(end_of_term(terms));
    let mut asks = false;
    body.iter().for_each(|a| a.walk(&mut |a| asks |= has_label(a, &over)));
    if !asks {
        return None;
    }
    let mut matrix = Atom::new(Nucleus::Name(name.to_uppercase()), weight.span);
    if transposed {
        matrix.sup = Some(vec![Atom::new(Nucleus::Name("T".into()), weight.span)]);
    }
    let times = Atom::new(Nucleus::Symbol('*'), weight.span);
    let renamed = body.iter().map(|a| relabelled(a, &over, own));
    Some(([matrix, times].into_iter().chain(renamed).collect(), rest))
}

fn letter(atom: &Atom) -> Option<String> {
    match &atom.nucleus {
        Nucleus::Name(n) if n.chars().count() == 1 && atom.sub.is_none() && atom.sup.is_none() => Some(n.clone()),
        _ => None,
    }
}

fn has_label(atom: &Atom, label: &str) -> bool {
    atom.sub.iter().flatten().any(|a| letter(a).is_some_and(|l| l == label))
}

/// With another letter below every name.
fn relabelled(atom: &Atom, from: &str, to: &str) -> Atom {
    let all = |list: &Vec<Atom>| list.iter().map(|a| relabelled(a, from, to)).collect::<Vec<_>>();
    let below = |list: &Vec<Atom>| {
        let renamed = list.iter().map(|a| match letter(a) {
            Some(l) if l == from => Atom { nucleus: Nucleus::Name(to.to_string()), ..a.clone() },
            _ => relabelled(a, from, to),
        });
        renamed.collect::<Vec<_>>()
    };
    let nucleus = match &atom.nucleus {
        Nucleus::Group(a) => Nucleus::Group(all(a)),
        Nucleus::Root(a) => Nucleus::Root(all(a)),
        Nucleus::Fraction(a, b) => Nucleus::Fraction(all(a), all(b)),
        other => other.clone(),
    };
    Atom { nucleus, sub: atom.sub.as_ref().map(below), ..atom.clone() }
}

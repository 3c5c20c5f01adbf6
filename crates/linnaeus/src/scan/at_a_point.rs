//! Printed formulas in operators that do not commute: both sides are computed at a point.

use super::printed::Agreement;
use crate::prime_field::{Dense, PRIME, invert, multiply, negate};
use crate::syntax::ast::{Elementary, Expression, Node, Operation};
use crate::transfer::{Analysis, Point};
use linnaeus_algebra::Rational;

/// Compares printed entries, in an order of the calls, with the H of an algorithm.
pub fn compare(rows: &[Vec<Expression>], analysis: &Analysis, orders: &[Vec<usize>]) -> Result<Agreement, String> {
    let point = Point::new(&analysis.system);
    let computed = point.transfer(analysis).ok_or("numbers that change with the index leave no H to compare with")?;
    let p = computed.len();
    if rows.len() != p || rows.iter().any(|r| r.len() != p) {
        return Ok(Agreement::Size(rows.len(), p));
    }
    let value = |e: &Expression| evaluate(e, &point);
    let printed: Vec<Vec<Dense>> = rows.iter().map(|r| r.iter().map(value).collect()).collect::<Result<_, _>>()?;
    let differing = |order: &[usize]| -> Vec<(usize, usize)> {
        let all = (0..p * p).map(|n| (n / p, n % p));
        all.filter(|&(i, j)| printed[order[i]][order[j]] != computed[i][j]).collect()
    };
    if let Some(shift) = orders.iter().find_map(|order| shift(&printed, &computed, order, point.z)) {
        return Ok(if shift.iter().all(|m| *m == 0) { Agreement::Same } else { Agreement::Shifted(shift) });
    }
    // The first of the best.
    let best = orders.iter().rev().map(|o| differing(o)).min_by_key(Vec::len).unwrap_or_default();
    Ok(Agreement::DiffersIn(best))
}

/// So many iterations calls are moved against each other.
const SHIFTS: i64 = 3;

/// The m, at least 0, with G = Δ_m H Δ_m⁻¹, Δ_m = diag(z^(-m_i)), H being printed in an order.
fn shift(printed: &[Vec<Dense>], computed: &[Vec<Dense>], order: &[usize], z: u64) -> Option<Vec<i64>> {
    let p = computed.len();
    let power = |n: i64| (0..n.abs()).fold(1, |x, _| multiply(x, if n < 0 { invert(z) } else { z }));
    let fits = |i: usize, j: usize, m: &[i64]| printed[order[i]][order[j]].times(power(m[j] - m[i])) == computed[i][j];
    let mut found: Vec<Vec<i64>> = vec![Vec::new()];
    for i in 0..p {
        let longer =
            |m: &Vec<i64>| (-SHIFTS..=SHIFTS).map(|s| m.iter().copied().chain([s]).collect()).collect::<Vec<_>>();
        found = if i == 0 { vec![vec![0]] } else { found.iter().flat_map(longer).collect() };
        found.retain(|m| (0..=i).all(|j| fits(i, j, m) && fits(j, i, m)));
    }
    // The calls that no other hears of may be moved at will.
    let m = found.into_iter().min_by_key(|m| m.iter().map(|s| s.abs()).sum::<i64>())?;
    let least = m.iter().min().copied().unwrap_or(0);
    Some(m.iter().map(|s| s - least).collect())
}

/// The value of a printed entry.
fn evaluate(e: &Expression, point: &Point) -> Result<Dense, String> {
    let unread = || Err("an entry is no rational expression in names of the algorithm".to_string());
    let pair = |a: &Expression, b: &Expression| Ok::<_, String>((evaluate(a, point)?, evaluate(b, point)?));
    let inverse = |m: Dense| m.inverse().ok_or_else(|| "an entry divides by zero".to_string());
    match &e.node {
        Node::Number(n) => Ok(point.number(residue(n)?)),
        Node::Identity => Ok(point.number(1)),
        Node::Name(name) if name == "z" => Ok(point.number(point.z)),
        Node::Name(name) => point
            .named(name)
            .ok_or_else(|| format!("`{}` is no name of the algorithm", crate::diagnostic::clipped(name))),
        Node::Minus(a) => Ok(evaluate(a, point)?.times(negate(1))),
        Node::Adjoint(a) => Ok(evaluate(a, point)?.transpose()),
        Node::Elementary(Elementary::Inverse, a) => inverse(evaluate(a, point)?),
        Node::Binary(Operation::Add, a, b) => pair(a, b).map(|(a, b)| a.plus(&b)),
        Node::Binary(Operation::Subtract, a, b) => pair(a, b).map(|(a, b)| a.plus(&b.times(negate(1)))),
        Node::Binary(Operation::Multiply, a, b) => pair(a, b).map(|(a, b)| a.after(&b)),
        Node::Binary(Operation::Divide, a, b) => {
            let (a, b) = pair(a, b)?;
            if b != point.number(b.rows[0][0]) {
                return Err("an entry divides by an operator, and from which side is open".to_string());
            }
            Ok(a.after(&inverse(b)?))
        }
        Node::Power(base, exponent) => {
            let Some(n) = whole(exponent).filter(|n| n.abs() <= 12) else { return unread() };
            let base = evaluate(base, point)?;
            let base = if n < 0 { inverse(base)? } else { base };
            Ok((0..n.abs()).fold(point.number(1), |m, _| m.after(&base)))
        }
        _ => unread(),
    }
}

fn whole(e: &Expression) -> Option<i64> {
    match &e.node {
        Node::Number(n) if n.is_int() => n.to_string().parse().ok(),
        Node::Minus(a) => whole(a).map(|n| -n),
        _ => None,
    }
}

/// A rational number modulo the prime.
fn residue(n: &Rational) -> Result<u64, String> {
    let text = n.to_string();
    let (above, below) = text.split_once('/').unwrap_or((&text, "1"));
    let digits = |s: &str| {
        s.bytes().try_fold(0u64, |x, b| {
            let digit = char::from(b).to_digit(10).map(u64::from)?;
            Some((multiply(x, 10) + digit) % PRIME)
        })
    };
    match (digits(above.trim()), digits(below.trim())) {
        (Some(a), Some(b)) if b != 0 => Ok(multiply(a, invert(b))),
        _ => Err("a number is not read".to_string()),
    }
}

//! Constant vectors. Their part in the queries need not be the same function of z: what differs may
//! be made up for by the initial state, since a constant that enters an integrator is forgotten
//! but for where the integrator starts.

use super::behavior::{Behavior, Side};
use super::operators::{OperatorMap, is_operator, product};
use super::state_map::{NoStateMap, determined};
use super::verdict::{ConstantMap, Directions};
use crate::operator::{OperatorPolynomial, Word};
use crate::system::Z;
use crate::transfer::{Analysis, Transfer};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, SortedMap, SortedSet, Variable};
use std::sync::Arc;

type M = Matrix<RationalFunction>;

/// The behavior with its starts in the place of its constants: what the queries are without oracles
/// from every initial state, C (zI − A)⁻¹.
pub fn starting(analysis: &Analysis, behavior: &Behavior) -> Result<Behavior, Exhausted> {
    let Transfer::Commuting { realization: r, .. } = &analysis.transfer else {
        return Ok(behavior.clone());
    };
    let (n, p) = (r.a.rows(), r.c.rows());
    let responses = Matrix::transfer(&r.a, &Matrix::identity(n), &r.c, &Matrix::zero(p, n), Z)?;
    let constants = responses.map(|e| e.rename(&|v| behavior.side.place(v)));
    Ok(Behavior { constants: Arc::new(constants), ..behavior.clone() })
}

/// Both behaviors, the second in the first's order and oracles.
pub struct Both<'a> {
    /// The two.
    pub behaviors: [&'a Behavior; 2],
    /// With starts in the place of constants, where these can be told.
    pub starts: [Option<Behavior>; 2],
    /// m.
    pub shift: &'a [i64],
    /// What the constants are called.
    pub names: [&'a [String]; 2],
}

/// How constants hang together on one branch.
pub struct Matched {
    /// One side's in terms of the other's.
    pub map: ConstantMap,
    /// Those that must be zero.
    pub zero: Vec<(Side, usize)>,
    /// Whether whatever the constants of the one side are, those of the other may be chosen to suit.
    pub directions: Directions,
}

/// How constants hang together on every branch. Branches on which fewer need be zero displace the others.
pub fn on_branches(
    both: &Both,
    branches: &mut Vec<Branch>,
    operators: &OperatorMap,
) -> Result<Vec<Matched>, Exhausted> {
    let mut all = Vec::new();
    for branch in branches.iter() {
        all.extend(matched(both, branch, operators)?.map(|m| (branch.clone(), m)));
    }
    let Some(best) = all.iter().map(|(_, m)| m).min_by_key(|m| (m.zero.len(), m.directions.generality())) else {
        return Ok(Vec::new());
    };
    let best = (best.zero.clone(), best.directions);
    all.retain(|(_, m)| (&m.zero, m.directions) == (&best.0, best.1));
    let (kept, found) = all.into_iter().unzip();
    *branches = kept;
    Ok(found)
}

/// Solves for the constants of the second, or else for those of the first, such that the queries agree from
/// some initial states. What cannot be made up for must be zero.
fn matched(both: &Both, branch: &Branch, operators: &OperatorMap) -> Result<Option<Matched>, Exhausted> {
    let Some(([a, b], starts)) = both.on(branch, operators)? else {
        return Ok(None);
    };
    let [x, y] = both.names;
    let (forth, back) = (images(&starts, &b, &a, [x, y])?, images(&starts, &a, &b, [y, x])?);
    Ok(Some(hung_together(&forth, &back)))
}

/// A constant as a combination of the other side's, if it is one.
pub type Image = Option<Vec<OperatorPolynomial>>;

/// What it comes to that constants of the first are these combinations of the second's, and the other way round.
pub fn hung_together(forth: &[Image], back: &[Image]) -> Matched {
    let is_open = |list: &[Image]| list.iter().any(Option::is_none);
    // Where the first has none, those of the second need not be zero for that.
    let is_made = !is_open(back) && (is_open(forth) || forth.is_empty());
    let given = if is_made { Side::Second } else { Side::First };
    let (solved, other) = if given == Side::First { (forth, back) } else { (back, forth) };
    let free: Vec<usize> = (0..solved.len()).filter(|&j| solved[j].is_some()).collect();
    let image = |i: usize| free.iter().flat_map(|&j| &solved[j]).map(|column| column[i].clone()).collect();
    let images: Vec<Vec<OperatorPolynomial>> = (0..other.len()).map(image).collect();
    // What is not made of the other side's constants is zero, if it matters.
    let unused = |i: &usize| images[*i].iter().all(OperatorPolynomial::is_zero) && other[*i].is_none();
    let unsolved = (0..solved.len()).filter(|&j| solved[j].is_none()).map(|j| (given, j));
    let mut zero: Vec<(Side, usize)> =
        unsolved.chain((0..other.len()).filter(unused).map(|i| (given.other(), i))).collect();
    zero.sort_unstable();
    let all = (0..other.len()).all(|i| other[i].is_some() || zero.contains(&(given.other(), i)));
    let directions = match given {
        Side::First => Directions { forth: true, back: all },
        Side::Second => Directions { forth: all, back: true },
    };
    Matched { map: ConstantMap { given, free, images }, zero, directions }
}

/// The i-th of n.
pub fn unit(n: usize, i: usize) -> Vec<OperatorPolynomial> {
    (0..n).map(|j| if i == j { OperatorPolynomial::one() } else { OperatorPolynomial::zero() }).collect()
}

/// A column as a combination of others.
fn combination(m: &M, others: &[usize], column: usize) -> Result<Option<Vec<RationalFunction>>, Exhausted> {
    let rows: Vec<usize> = (0..m.rows()).collect();
    let columns: Vec<usize> = others.iter().copied().chain([column]).collect();
    // The last column is a combination of those before it iff it has no pivot.
    let (kernel, last) = (m.submatrix(&rows, &columns).null_space()?, others.len());
    let Some(at) = (0..kernel.cols()).find(|&j| !kernel[(last, j)].is_zero()) else {
        return Ok(None);
    };
    let factor = |i: usize| Ok(kernel[(i, at)].div(&kernel[(last, at)])?.expect("not zero").neg());
    (0..last).map(factor).collect::<Result<Vec<_>, _>>().map(Some)
}

/// What a constant does to each query at each time.
pub type Influence = SortedMap<(usize, i64), OperatorPolynomial>;

/// At most so many products of operators are tried.
const WORDS: usize = 16;

/// Products of operators that can be factors of others in a constant: only what one influence begins with and
/// the other goes on with.
pub fn factors(target: &Influence, others: &[Influence]) -> Result<Vec<OperatorPolynomial>, Exhausted> {
    let mut words: SortedSet<(usize, Word)> = SortedSet::from([(0, Word::new())]);
    for (place, p) in target {
        for q in others.iter().filter_map(|other| other.get(place)) {
            for (long, short) in p.terms().iter().flat_map(|(a, _)| q.terms().into_iter().map(move |(b, _)| (*a, b))) {
                words.extend(long.strip_prefix(short.as_slice()).map(|rest| (rest.len(), rest.into())));
            }
        }
    }
    words.into_iter().take(WORDS).map(|(_, w)| product(&RationalFunction::one(), &w)).collect()
}

/// A constant as a combination of others where operators do not commute.
pub fn in_words(target: &Influence, others: &[Influence]) -> Result<Image, Exhausted> {
    let factors = factors(target, others)?;
    let columns = others.len() * factors.len();
    let mut rows: SortedMap<(usize, i64, Word), Vec<RationalFunction>> = SortedMap::new();
    let mut fill = |at: &(usize, i64), column: usize, p: &OperatorPolynomial| {
        for (word, c) in p.terms() {
            let row = rows.entry((at.0, at.1, word.clone()));
            row.or_insert_with(|| vec![RationalFunction::zero(); columns + 1])[column] = c.clone();
        }
    };
    target.iter().for_each(|(at, p)| fill(at, columns, p));
    for (i, other) in others.iter().enumerate() {
        for (j, factor) in factors.iter().enumerate() {
            for (at, p) in other {
                fill(at, i * factors.len() + j, &p.mul(factor)?);
            }
        }
    }
    if rows.is_empty() {
        return Ok(Some(vec![OperatorPolynomial::zero(); others.len()]));
    }
    let all = Matrix::from_rows(rows.into_values().collect());
    let Some(found) = combination(&all, &(0..columns).collect::<Vec<_>>(), columns)? else {
        return Ok(None);
    };
    let sum = |i: usize| {
        let mut own = found[i * factors.len()..].iter().zip(&factors);
        own.try_fold(OperatorPolynomial::zero(), |sum, (c, f)| sum.add(&OperatorPolynomial::scalar(c.clone()).mul(f)?))
    };
    (0..others.len()).map(sum).collect::<Result<Vec<_>, _>>().map(Some)
}

impl Both<'_> {
    /// The constants' part in the queries of both, and what initial states make up for, with the values of a
    /// branch; nothing if a denominator vanishes.
    fn on(&self, branch: &Branch, operators: &OperatorMap) -> Result<Option<([M; 2], M)>, Exhausted> {
        let rational = |(v, value): (&Variable, &Value)| match value {
            Value::Rational(r) => Some((*v, r.clone())),
            Value::Root { .. } => None,
        };
        let mut values: SortedMap<Variable, RationalFunction> = match determined(branch) {
            Ok((values, _)) => values,
            Err(NoStateMap::Exhausted) => return Err(Exhausted),
            Err(_) => branch.conditions.iter().chain(&branch.values).filter_map(rational).collect(),
        };
        values.extend(operators.values.iter().cloned());
        // Thrice, because operators are given in coefficients that have values themselves, and those in a
        // parameter that makes a root rational.
        let at = |x: &Behavior| -> Result<Option<Behavior>, Exhausted> {
            let mut found = Some(x.clone());
            for _ in 0..3 {
                found = match found {
                    Some(x) => x.substituted(&|v| values.get(&v).cloned())?,
                    None => None,
                };
            }
            Ok(found)
        };
        let [a, b] = self.behaviors;
        let (Some(a), Some(b)) = (at(a)?, at(b)?) else {
            return Ok(None);
        };
        let none = vec![0; a.h.rows()];
        let mut starts: M = Matrix::zero(a.h.rows(), 0);
        for (start, shift) in self.starts.iter().zip([&none[..], self.shift]) {
            if let Some(start) = start
                && let Some(start) = at(start)?
            {
                starts = starts.hstack(&shifted(&start.constants, shift)?);
            }
        }
        let own = [Arc::unwrap_or_clone(a.constants), shifted(&b.constants, self.shift)?];
        let starts = starts.hstack(&left_behind(&own[0])?).hstack(&left_behind(&own[1])?);
        Ok(Some((own, starts)))
    }
}

/// Each constant of one side as a combination of the other's, those of the same name or place first; nothing
/// where there is none that holds for all operators.
fn images(starts: &M, sought: &M, given: &M, names: [&[String]; 2]) -> Result<Vec<Image>, Exhausted> {
    let rows: Vec<usize> = (0..given.rows()).collect();
    let column = |m: &M, j: usize| m.submatrix(&rows, &[j]);
    let none = Matrix::zero(rows.len(), 0);
    let mut found = Vec::new();
    for j in 0..given.cols() {
        let target = column(given, j);
        let is_one = |i: usize| Ok(absorbed(starts, &target.sub(&column(sought, i))?, &none)?.is_some());
        if let Some(i) =
            natural(names, j, &found).into_iter().find_map(|i| is_one(i).map(|is| is.then_some(i)).transpose())
        {
            found.push(Some(unit(sought.cols(), i?)));
            continue;
        }
        let solved = absorbed(starts, &target, sought)?;
        let solved = solved.filter(|list| list.iter().all(is_operator_polynomial));
        found.push(solved.map(|list| list.into_iter().map(OperatorPolynomial::scalar).collect()));
    }
    Ok(found)
}

/// The constants that one may be, as it is: its namesake first, then its neighbour, then those that no other is.
pub fn natural([own, others]: [&[String]; 2], j: usize, found: &[Image]) -> Vec<usize> {
    let is_taken = |i: usize| found.iter().flatten().any(|image| *image == unit(others.len(), i));
    let mut list: Vec<usize> = (0..others.len()).collect();
    list.sort_by_key(|&i| (others[i] != own[j], i != j, is_taken(i)));
    list
}

/// Whether operators are only multiplied and added.
fn is_operator_polynomial(r: &RationalFunction) -> bool {
    r.denominator().variables().into_iter().all(|v| !is_operator(v))
}

/// Δ_m h.
fn shifted(h: &M, shift: &[i64]) -> Result<M, Exhausted> {
    if h.cols() == 0 {
        return Ok(h.clone());
    }
    let mut rows = Vec::new();
    for (i, m) in shift.iter().enumerate() {
        let delay = RationalFunction::variable(Z).pow(-*m as i32)?.expect("z is not zero");
        rows.push(h.row(i).iter().map(|e| e.mul(&delay)).collect::<Result<_, _>>()?);
    }
    Ok(Matrix::from_rows(rows))
}

/// What constants leave behind when they are shifted out.
fn left_behind(m: &M) -> Result<M, Exhausted> {
    let mut columns: M = Matrix::zero(m.rows(), 0);
    let rows: Vec<usize> = (0..m.rows()).collect();
    for j in 0..m.cols() {
        let order: usize = rows.iter().map(|&i| m[(i, j)].denominator().degree_in(Z) as usize).sum();
        let mut left = m.submatrix(&rows, &[j]).try_map(strictly_proper)?;
        for _ in 0..order {
            columns = columns.hstack(&left);
            left = left.try_map(|e| strictly_proper(&e.mul(&RationalFunction::variable(Z))?))?;
        }
    }
    Ok(columns)
}

/// c for which (g − h c)/(z − 1) is what the queries are without oracles from some initial states.
fn absorbed(starts: &M, g: &M, h: &M) -> Result<Option<Vec<RationalFunction>>, Exhausted> {
    if g.is_zero() {
        return Ok(Some(vec![RationalFunction::zero(); h.cols()]));
    }
    let z_minus_one = RationalFunction::variable(Z).sub(&RationalFunction::one())?;
    let summed = |m: &M| m.try_map(|e| Ok::<_, Exhausted>(e.div(&z_minus_one)?.expect("z - 1 is not zero")));
    let all = coefficients(&starts.hstack(&summed(h)?).hstack(&summed(g)?))?;
    let others: Vec<usize> = (0..all.cols() - 1).collect();
    let found = combination(&all, &others, all.cols() - 1)?;
    Ok(found.map(|list| list[starts.cols()..].to_vec()))
}

/// Without its polynomial part.
fn strictly_proper(w: &RationalFunction) -> Result<RationalFunction, Exhausted> {
    let degree = |p: &Polynomial| p.degree_in(Z);
    let lead = |p: &Polynomial| RationalFunction::polynomial(p.coefficients_in(Z).pop().expect("a coefficient"));
    let mut rest = w.clone();
    while !rest.is_zero() && degree(rest.numerator()) >= degree(rest.denominator()) {
        let power = (degree(rest.numerator()) - degree(rest.denominator())) as i32;
        let factor = lead(rest.numerator()).div(&lead(rest.denominator()))?.expect("it leads");
        let z = RationalFunction::variable(Z).pow(power)?.expect("z is not zero");
        rest = rest.sub(&factor.mul(&z)?)?;
    }
    Ok(rest)
}

/// The coefficients with respect to z, every row over its common denominator.
fn coefficients(m: &M) -> Result<M, Exhausted> {
    let mut rows = Vec::new();
    for i in 0..m.rows() {
        let mut common = Polynomial::one();
        for e in m.row(i) {
            let gcd = common.gcd(e.denominator())?;
            common = common.mul(&e.denominator().exact_divide(&gcd)?.expect("it divides"))?;
        }
        let common = RationalFunction::polynomial(common);
        let mut columns = Vec::new();
        for e in m.row(i) {
            columns.push(e.mul(&common)?.numerator().coefficients_in(Z));
        }
        let most = columns.iter().map(Vec::len).max().unwrap_or(0);
        let entry = |c: &Vec<Polynomial>, n: usize| {
            c.get(n).map_or_else(RationalFunction::zero, |p| RationalFunction::polynomial(p.clone()))
        };
        rows.extend((0..most).map(|n| columns.iter().map(|c| entry(c, n)).collect::<Vec<_>>()));
    }
    Ok(Matrix::from_rows(rows))
}

#[cfg(test)]
mod tests {
    use crate::relation::{Relation, Verdict, compare};

    /// The constant is compared with what is left of A when one of its functions is zero.
    #[test]
    fn a_constant_beside_a_function_that_is_zero() {
        let first = "constant b; x[k+1] = x[k] - t*grad f(x[k] + b) - grad h(x[k])";
        let [a, b] = [first, "w[k+1] = w[k] - s*grad f(w[k])"].map(|t| crate::read(t).analysis.expect("a good text"));
        let Verdict::Related(witness) = compare(&a, &b, None).verdict else { panic!("they are related") };
        assert_eq!((witness.relation, witness.assumptions.len()), (Relation::Conditional, 1));
    }
}

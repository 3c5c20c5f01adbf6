//! Queries and answers of the first as the second has them by the claimed transformation.

use super::clock::Clock;
use super::point::Point;
use super::space::image_of;
use crate::operator::{Letter, OperatorPolynomial};
use crate::prime_field::{Dense, PRIME, add, invert, multiply, negate};
use crate::relation::behavior::Side;
use crate::relation::verdict::Witness;
use crate::syntax::ast::{FunctionTrait, OracleKind};
use crate::system::{LinearSystem, Oracle, Z, operator_symbol};
use crate::transfer::Analysis;
use linnaeus_algebra::{Matrix, Polynomial, RationalFunction, SortedMap, Variable};

/// The query and the answer of every channel in one iteration.
pub type Exchange = SortedMap<usize, (Vec<u64>, Vec<u64>)>;

/// Whether the claimed transformation turns pairs of the one oracle into pairs of the other: on the graph of ∂f it must
/// be what every function admits, which is nothing, or one of which as much is declared.
pub fn functions_agree(
    first: &Analysis,
    second: &Analysis,
    witness: &Witness,
    clock: &Clock,
    times: i64,
) -> Option<bool> {
    let is_dual = witness.is_dual();
    for (n, (&(i, j), m)) in witness.channel_map.iter().zip(&witness.matrices).enumerate() {
        let (f, g) =
            (&first.channels[i % first.channels.len()].oracle, &second.channels[j % second.channels.len()].oracle);
        let conjugate = g.conjugate ^ witness.conjugate(&g.function).is_some();
        let g = &Oracle { conjugate, ..g.clone() };
        let filter = witness.filters.get(n).cloned().unwrap_or_else(RationalFunction::one);
        // What a black box is of a function is a choice, and what is a filter has been declared linear.
        let is_open = |o: &Oracle| o.kind == OracleKind::BlackBox;
        if is_dual || is_open(f) || is_open(g) || filter.variables().contains(&Z) {
            continue;
        }
        let at = |side: Side, turn: i64, channel: usize, p: usize| {
            let phase = if witness.times(side) > 1 { channel / p } else { 0 };
            turn * witness.times(side) as i64 + phase as i64
        };
        let admits = Admitted::new((&first.system, f), (&second.system, g));
        for k in 0..if clock.changes() { times } else { 1 } {
            let ours = at(Side::First, k + witness.shift[n], i, first.channels.len());
            let theirs = at(Side::Second, k, j, second.channels.len());
            let steps = [clock.own(Side::First, &f.step, ours)?, clock.own(Side::Second, &g.step, theirs)?];
            let c = clock.joint(&filter, k)?;
            let entry = |i: usize, j: usize| Some(multiply(c, clock.joint(&m[(i, j)], k)?));
            let map = [[entry(0, 0)?, entry(0, 1)?], [entry(1, 0)?, entry(1, 1)?]];
            let ours = pairs(f, steps[0], held(f, Side::First, witness, &|r| clock.own(Side::First, r, ours))?);
            let theirs = pairs(g, steps[1], held(g, Side::Second, witness, &|r| clock.own(Side::Second, r, theirs))?);
            if !admits.contains(&product(&inverse(&ours)?, &product(&map, &theirs))) {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// Of which function the graph is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Base {
    Own,
    Conjugate,
}

/// What maps the graph of a function to itself, by what is declared of it.
struct Admitted {
    /// It is that of an indicator, which is any positive multiple of itself, or of the conjugate of one.
    indicator: Option<Base>,
    is_cone: bool,
    is_homogeneous: bool,
    is_linear: bool,
}

impl Admitted {
    fn new(first: (&LinearSystem, &Oracle), second: (&LinearSystem, &Oracle)) -> Admitted {
        let declared = |(system, oracle): (&LinearSystem, &Oracle), what: FunctionTrait| {
            system.traits.get(&oracle.function).is_some_and(|list| list.contains(&what))
        };
        let has = |what: FunctionTrait| declared(first, what) || declared(second, what);
        let set = [first.1, second.1].into_iter().find(|o| o.kind == OracleKind::Projection);
        let indicator = set.map(|o| if o.conjugate { Base::Conjugate } else { Base::Own });
        let is_homogeneous = has(FunctionTrait::Homogeneous);
        let is_cone = has(FunctionTrait::Cone) || is_homogeneous && set.is_some();
        Admitted { indicator, is_cone, is_homogeneous, is_linear: has(FunctionTrait::Linear) }
    }

    /// Whether diag(c, e) is among it.
    fn contains(&self, [[c, other], [another, e]]: &[[u64; 2]; 2]) -> bool {
        let is_number = match (*c, *e) {
            (0, _) | (_, 0) => false,
            (1, 1) => true,
            (1, _) if self.indicator == Some(Base::Own) => true,
            (_, 1) if self.indicator == Some(Base::Conjugate) => true,
            (c, e) => self.is_cone || self.is_homogeneous && e == 1 || self.is_linear && c == e,
        };
        *other == 0 && *another == 0 && is_number
    }
}

/// By what the linear map inside an argmin multiplies, if all its operators are multiples of the identity by numbers; 1
/// where they are not, and where there is none.
pub fn held(
    oracle: &Oracle,
    side: Side,
    witness: &Witness,
    value: &dyn Fn(&RationalFunction) -> Option<u64>,
) -> Option<u64> {
    let mut sum = 0;
    for (word, c) in oracle.map.iter().flat_map(OperatorPolynomial::terms) {
        let factors = word.iter().map(|l| witness.multiple(side, l.operator as usize).and_then(value));
        let Some(factors) = factors.collect::<Option<Vec<u64>>>() else { return Some(1) };
        sum = add(sum, factors.into_iter().fold(value(c)?, multiply));
    }
    Some(if oracle.map.is_some() { sum } else { 1 })
}

/// Whether the linear maps inside argmins that are paired are the same, where both texts tell them.
pub fn maps_agree(
    first: (&Analysis, &[Dense]),
    second: (&Analysis, &[Dense]),
    witness: &Witness,
    point: &Point,
) -> Option<bool> {
    let of = |(analysis, operators): (&Analysis, &[Dense]), side: Side, i: usize| -> Option<Option<Dense>> {
        let channel = &analysis.channels[i % analysis.channels.len()];
        let Some(map) = &channel.oracle.map else { return Some(None) };
        let own = |(n, m): (usize, &Dense)| (side.place(operator_symbol(n)), m.clone());
        let known: SortedMap<Variable, Dense> = operators.iter().enumerate().map(own).collect();
        let letters = || map.terms().into_iter().flat_map(|(word, _)| word.iter()).collect::<Vec<_>>();
        // What is a multiple of the identity is part of the graph.
        if letters().iter().all(|l| witness.multiple(side, l.operator as usize).is_some()) {
            return Some(None);
        }
        let placed = map.map_coefficients(&mut |c| Ok(c.rename(&|v| side.place(v)))).ok()?;
        let (rows, cols) = map.terms().first().map(|(word, _)| size(word, side, &known))??;
        image_of(&placed, side, &known, (rows, cols), point).map(Some)
    };
    for &(i, j) in &witness.channel_map {
        if let (Some(ours), Some(theirs)) = (of(first, Side::First, i)?, of(second, Side::Second, j)?)
            && ours != theirs
        {
            return Some(false);
        }
    }
    Some(true)
}

/// The rows and columns of a product of operators.
fn size(word: &[Letter], side: Side, known: &SortedMap<Variable, Dense>) -> Option<(usize, usize)> {
    let ends = |l: &Letter| {
        let m = known.get(&side.place(operator_symbol(l.operator as usize)))?;
        Some(if l.adjoint != l.inverse { (m.cols, m.rows.len()) } else { (m.rows.len(), m.cols) })
    };
    Some((ends(word.first()?)?.0, ends(word.last()?)?.1))
}

/// Pairs of an oracle in terms of those of ∂f. The weight of an argmin is the inverse of a step, and what is minimized
/// is multiplied by c before it is compared with the query.
pub fn pairs(oracle: &Oracle, step: u64, c: u64) -> [[u64; 2]; 2] {
    let own = match oracle.kind {
        OracleKind::Gradient | OracleKind::Subdifferential | OracleKind::BlackBox => [[1, 0], [0, 1]],
        OracleKind::Prox | OracleKind::Projection | OracleKind::Resolvent => [[1, step], [1, 0]],
        OracleKind::Argmin => [[c, invert(multiply(c, step))], [1, 0]],
        OracleKind::Reflected => [[1, step], [1, negate(step)]],
        OracleKind::MoreauGradient => [[1, step], [0, 1]],
    };
    if oracle.conjugate { own.map(|[y, u]| [u, y]) } else { own }
}

pub fn product(a: &[[u64; 2]; 2], b: &[[u64; 2]; 2]) -> [[u64; 2]; 2] {
    let entry = |i: usize, j: usize| add(multiply(a[i][0], b[0][j]), multiply(a[i][1], b[1][j]));
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}

/// 1/c for every channel pair; a witness without filters has none to state.
pub fn filters_at(witness: &Witness, point: &Point) -> Option<Vec<Filter>> {
    if witness.filters.is_empty() {
        return Some(witness.channel_map.iter().map(|_| Filter { above: vec![1], below: vec![1] }).collect());
    }
    let at = |p: &Polynomial| -> Option<Vec<u64>> {
        let mut values: Vec<u64> =
            p.coefficients_in(Z).iter().map(|c| c.evaluate_mod(&|v| point.at(v), PRIME)).collect();
        while values.last() == Some(&0) {
            values.pop();
        }
        (!values.is_empty()).then_some(values)
    };
    witness.filters.iter().map(|c| Some(Filter { above: at(c.denominator())?, below: at(c.numerator())? })).collect()
}

/// w with below(z) w = above(z) s, coefficients by rising powers of z.
pub struct Filter {
    pub above: Vec<u64>,
    pub below: Vec<u64>,
}

impl Filter {
    /// By how much w begins before s.
    pub fn lead(&self) -> i64 {
        self.above.len() as i64 - self.below.len() as i64
    }

    /// w from its beginning on, s being zero before its first term.
    pub fn apply(&self, s: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let (b, a) = (self.above.len() - 1, self.below.len() - 1);
        let scale = invert(self.below[a]);
        let mut w: Vec<Vec<u64>> = Vec::new();
        for t in 0..s.len() {
            let mut sum = vec![0; s[t].len()];
            let mut add_term = |factor: u64, term: &[u64]| {
                sum.iter_mut().zip(term).for_each(|(x, y)| *x = add(*x, multiply(factor, *y)))
            };
            for j in (0..=b).filter(|j| t + j >= b) {
                add_term(self.above[j], &s[t + j - b]);
            }
            for j in (0..a).filter(|j| t + j >= a) {
                add_term(negate(self.below[j]), &w[t + j - a]);
            }
            w.push(sum.into_iter().map(|x| multiply(x, scale)).collect());
        }
        w
    }
}

/// A combination of a query and an answer; where only one of the two counts, that one's size.
pub fn mixed(row: [u64; 2], y: &[u64], u: &[u64]) -> Vec<u64> {
    let of = |v: &[u64], c: usize| v.get(c).copied().unwrap_or(0);
    let length = match row {
        [0, _] => u.len(),
        [_, 0] => y.len(),
        _ => y.len().min(u.len()),
    };
    (0..length).map(|c| add(multiply(row[0], of(y, c)), multiply(row[1], of(u, c)))).collect()
}

pub fn inverse_at(
    m: &Matrix<RationalFunction>,
    value: &dyn Fn(&RationalFunction) -> Option<u64>,
) -> Option<[[u64; 2]; 2]> {
    let at = |i: usize, j: usize| value(&m[(i, j)]);
    inverse(&[[at(0, 0)?, at(0, 1)?], [at(1, 0)?, at(1, 1)?]])
}

pub fn inverse(&[[a, b], [c, d]]: &[[u64; 2]; 2]) -> Option<[[u64; 2]; 2]> {
    let determinant = add(multiply(a, d), negate(multiply(b, c)));
    if determinant == 0 {
        return None;
    }
    let s = invert(determinant);
    let minus = |x: u64| multiply(s, negate(x));
    Some([[multiply(s, d), minus(b)], [minus(c), multiply(s, a)]])
}

/// The inverses of matrices by time.
pub struct Inverses<'a> {
    pub matrices: &'a [Matrix<RationalFunction>],
    pub known: Vec<[[u64; 2]; 2]>,
}

impl<'a> Inverses<'a> {
    pub fn new(matrices: &'a [Matrix<RationalFunction>]) -> Inverses<'a> {
        Inverses { matrices, known: Vec::new() }
    }

    /// At a time; they are computed once if nothing changes with it.
    pub fn at(&mut self, clock: &Clock, time: i64) -> Option<&[[[u64; 2]; 2]]> {
        if clock.changes() || self.known.is_empty() {
            let at = |r: &RationalFunction| clock.joint(r, time);
            self.known = self.matrices.iter().map(|m| inverse_at(m, &at)).collect::<Option<_>>()?;
        }
        Some(&self.known)
    }
}

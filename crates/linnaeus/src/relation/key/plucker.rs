//! The Plücker vectors of a family at random parameters, and their spans, computed when they are asked for.

use super::polynomial::{MAX_POINTS, divided, gcd, interpolate, trim};
use super::set_of;
use super::span::Span;
use crate::operator::OperatorPolynomial;
use crate::prime_field::{PRIME, Stream, add, invert, multiply, negate};
use crate::system::{letter_symbol, operator_symbol};
use crate::transfer::graph::{self, Special};
use crate::transfer::{Analysis, Transfer};
use linnaeus_algebra::{Matrix, Multiplicative, RationalFunction, Variable};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, PoisonError};

/// More channels than this have too many minors.
const MAX_CHANNELS: usize = 4;
/// More states than this take too long.
const MAX_STATES: usize = 24;
/// So many vectors are enough for the largest spans that people write.
const SAMPLES: usize = 60;
/// Values are taken at this point and after it: z = 1 and its like are poles.
const FIRST_POINT: u64 = 0x0003_1415_9265_3589;

const _: () = assert!(MAX_STATES < MAX_POINTS);

/// A family of algorithms whose coefficients commute.
#[derive(Debug)]
pub struct Plucker {
    a: Matrix<RationalFunction>,
    b: Matrix<RationalFunction>,
    c: Matrix<RationalFunction>,
    d: Matrix<RationalFunction>,
    /// How every oracle comes from ∂f.
    graphs: Vec<Matrix<RationalFunction>>,
    /// The channels whose oracle is another one than ∂f.
    pub bent: usize,
    /// The operators inside every argmin that has some: where they are I or −I it is a prox, of which nothing is known.
    held: Vec<usize>,
    /// Points by which operators are the identity.
    drawn: Mutex<HashMap<usize, Vec<Option<Arc<Point>>>>>,
    spans: Spans,
    /// Spans of one vector.
    points: Spans,
}

/// Spans by how a family is looked at.
type Spans = Mutex<HashMap<View, Option<Arc<Span>>, BuildHasherDefault<Multiplicative>>>;

/// How a family is looked at; sets of operators and of channels are numbers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct View {
    /// The operators that are the identity.
    pub identity: usize,
    /// Those whose oracle is reduced to ∂f; the others are as they are.
    pub reduced: usize,
    /// Those whose function is zero.
    pub zero: usize,
    /// Those whose function is the indicator of zero.
    pub indicator: usize,
    /// Those whose function is read as the conjugate of another.
    pub conjugate: usize,
}

impl View {
    /// All oracles reduced, and one function special.
    pub fn reduced(channels: usize, identity: usize, closed: Option<(usize, Special)>) -> View {
        let view = View { identity, reduced: (1 << channels) - 1, ..View::default() };
        match closed {
            None => view,
            Some((set, Special::Zero)) => View { zero: set, ..view },
            Some((set, Special::IndicatorOfZero)) => View { indicator: set, ..view },
        }
    }
}

impl View {
    /// The channels that are no special function's.
    pub fn open(self, channels: usize) -> Vec<usize> {
        (0..channels).filter(|i| (self.zero | self.indicator) >> i & 1 == 0).collect()
    }

    /// The same with only these oracles reduced.
    pub fn reducing(self, channels: impl Iterator<Item = usize>) -> View {
        View { reduced: channels.fold(self.zero | self.indicator, |set, i| set | 1 << i), ..self }
    }
}

/// One algorithm of a family.
#[derive(Debug)]
struct Point {
    /// det(zI − A) times the principal minors of H, by sets of channels.
    minors: Vec<Vec<u64>>,
    graphs: Vec<[u64; 4]>,
}

impl Plucker {
    /// Nothing where there are too many channels, or numbers that change with the index. What holds for all operators holds for numbers in their
    /// place, which commute.
    pub fn new(analysis: &Analysis) -> Option<Plucker> {
        if analysis.channels.len() > MAX_CHANNELS || !analysis.system.schedules.is_empty() {
            return None;
        }
        let [a, b, c, d] = match &analysis.transfer {
            Transfer::Commuting { realization: r, .. } => [r.a.clone(), r.b.clone(), r.c.clone(), r.d.clone()],
            Transfer::Noncommuting { realization: r, .. } => {
                let scalar = |m: &Matrix<OperatorPolynomial>| m.try_map(|e| e.commuting(&letter_symbol)).ok();
                [scalar(&r.a)?, scalar(&r.b)?, scalar(&r.c)?, scalar(&r.d)?]
            }
        };
        if a.rows() > MAX_STATES {
            return None;
        }
        let graphs: Vec<_> = analysis.channels.iter().map(|c| graph::matrix(&c.oracle)).collect();
        let held = analysis.channels.iter().filter_map(|c| c.oracle.map.as_ref()).map(|map| {
            let letters = map.terms().into_iter().flat_map(|(word, _)| word);
            letters.fold(0, |set, l| set | 1usize.checked_shl(l.operator.into()).unwrap_or(0))
        });
        Some(Plucker {
            held: held.filter(|set| *set != 0).collect(),
            bent: set_of(graphs.iter().map(|m| *m != Matrix::identity(2))),
            graphs,
            a,
            b,
            c,
            d,
            drawn: Mutex::default(),
            spans: Mutex::default(),
            points: Mutex::default(),
        })
    }

    /// How many channels there are.
    pub fn channels(&self) -> usize {
        self.graphs.len()
    }

    /// The span of all vectors, as far as they are drawn; nothing if there are none, or none are known.
    pub fn span(&self, view: View) -> Option<Arc<Span>> {
        self.kept(&self.spans, view, SAMPLES)
    }

    /// The span of one of them.
    pub fn point(&self, view: View) -> Option<Arc<Span>> {
        self.kept(&self.points, view, 1)
    }

    fn kept(&self, spans: &Spans, view: View, samples: usize) -> Option<Arc<Span>> {
        if self.held.iter().any(|operators| operators & !view.identity == 0) {
            return None;
        }
        if let Some(known) = spans.lock().unwrap_or_else(PoisonError::into_inner).get(&view) {
            return known.clone();
        }
        let span = self.compute(view, samples).map(Arc::new);
        spans.lock().unwrap_or_else(PoisonError::into_inner).insert(view, span.clone());
        span
    }

    /// The span of so many vectors, or of those that are lucky.
    fn compute(&self, view: View, samples: usize) -> Option<Span> {
        let closed = view.zero | view.indicator;
        let open = view.open(self.channels());
        let mut span: Option<Span> = None;
        let mut idle = 0;
        for point in (0..SAMPLES).filter_map(|n| self.draw(view.identity, n)).take(samples) {
            let reduced = point.reduced(view.reduced | closed, view.conjugate);
            let chosen = |set: usize| {
                view.indicator + (0..open.len()).filter(|i| set >> i & 1 == 1).map(|i| 1 << open[i]).sum::<usize>()
            };
            let mut vector: Vec<Vec<u64>> = (0..1usize << open.len()).map(|set| reduced[chosen(set)].clone()).collect();
            let common = vector.iter().fold(Vec::new(), |g, m| gcd(g, m.clone()));
            if common.is_empty() {
                return None;
            }
            if common.len() > 1 {
                vector.iter_mut().for_each(|m| *m = divided(std::mem::take(m), &common).0);
            }
            let length = vector.iter().map(Vec::len).max().unwrap_or(1);
            match &mut span {
                None => span = Some(Span::new(open.len(), &vector)),
                Some(span) if length != span.degree + 1 => {}
                Some(span) => idle = if span.extend(&vector) { 0 } else { idle + 1 },
            }
            // Two vectors that add nothing show that the span is complete.
            if idle == 2 {
                break;
            }
        }
        if let Some(span) = &mut span {
            span.complete = idle == 2;
        }
        span
    }

    fn draw(&self, identity: usize, n: usize) -> Option<Arc<Point>> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = drawn.entry(identity).or_default();
        while drawn.len() <= n {
            let seed = drawn.len() as u64 + 1;
            drawn.push(self.at(identity, seed).map(Arc::new));
        }
        drawn[n].clone()
    }

    /// The algorithm at random parameters; nothing if the point is unlucky.
    fn at(&self, identity: usize, seed: u64) -> Option<Point> {
        let p = self.channels();
        let point = |v: Variable| {
            let operator = v.0.checked_sub(operator_symbol(0).0);
            match operator.is_some_and(|n| n < usize::BITS && identity >> n & 1 == 1) {
                true => 1,
                false => Stream::new((u64::from(v.0) + 1) * 1_000 + seed).next(),
            }
        };
        let at = |e: &RationalFunction| e.evaluate_mod(&point, PRIME);
        let value = |m: &Matrix<RationalFunction>, cols: usize| -> Option<Vec<Vec<u64>>> {
            (0..m.rows()).map(|i| m.row(i)[..cols].iter().map(at).collect()).collect()
        };
        let n = self.a.rows();
        let (a, b, c, d) = (value(&self.a, n)?, value(&self.b, p)?, value(&self.c, n)?, value(&self.d, p)?);
        let points = (0..=n as u64).map(|i| Eliminated::new(&a, &b, &c, &d, FIRST_POINT + i));
        let points = points.collect::<Option<Vec<_>>>()?;
        let scales = inverses(&points.iter().flat_map(|e| e.scales.clone()).collect::<Vec<_>>());
        let mut values = vec![Vec::with_capacity(n + 1); 1 << p];
        for (point, scales) in points.iter().zip(scales.chunks(p + 1)) {
            values.iter_mut().zip(point.minors(scales)).for_each(|(list, value)| list.push(value));
        }
        let graph = |m: &Matrix<RationalFunction>| -> Option<[u64; 4]> {
            Some([at(&m[(0, 0)])?, at(&m[(0, 1)])?, at(&m[(1, 0)])?, at(&m[(1, 1)])?])
        };
        let graphs = self.graphs.iter().map(graph).collect::<Option<Vec<_>>>()?;
        Some(Point { minors: values.iter().map(|v| interpolate(v)).collect(), graphs })
    }
}

impl Point {
    /// The minors with the oracles of some channels reduced, those of some functions to the conjugate's.
    fn reduced(&self, channels: usize, conjugate: usize) -> Vec<Vec<u64>> {
        let mut minors = self.minors.clone();
        for (i, &[a, b, c, d]) in self.graphs.iter().enumerate() {
            let [m00, m01, m10, m11] = if conjugate >> i & 1 == 1 { [b, a, d, c] } else { [a, b, c, d] };
            if channels >> i & 1 == 0 || [m00, m01, m10, m11] == [1, 0, 0, 1] {
                continue;
            }
            // (y, u) = M (y₀, u₀), and M⁻¹ is [m11 −m01; −m10 m00] up to its determinant.
            for set in (0..minors.len()).filter(|s| s >> i & 1 == 0) {
                let (us, ys) = (std::mem::take(&mut minors[set]), std::mem::take(&mut minors[set | 1 << i]));
                minors[set | 1 << i] = combination(m11, &ys, negate(m01), &us);
                minors[set] = combination(m00, &us, negate(m10), &ys);
            }
        }
        minors
    }
}

/// p x + q y.
fn combination(p: u64, x: &[u64], q: u64, y: &[u64]) -> Vec<u64> {
    let entry = |v: &[u64], i: usize| v.get(i).copied().unwrap_or(0);
    let sum = |i: usize| add(multiply(p, entry(x, i)), multiply(q, entry(y, i)));
    trim((0..x.len().max(y.len())).map(sum).collect())
}

/// [zI − A, B; −C, D] with its first columns eliminated, every row multiplied by a number.
struct Eliminated {
    /// What det(zI − A) and every row of H are multiplied by.
    scales: Vec<u64>,
    determinant: u64,
    h: Vec<Vec<u64>>,
}

impl Eliminated {
    /// Nothing at a pole.
    fn new(a: &[Vec<u64>], b: &[Vec<u64>], c: &[Vec<u64>], d: &[Vec<u64>], z: u64) -> Option<Eliminated> {
        let n = a.len();
        let mut rows: Vec<Vec<u64>> = Vec::with_capacity(n + d.len());
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            let mut row: Vec<u64> = a.iter().map(|x| negate(*x)).chain(b.iter().copied()).collect();
            row[i] = add(row[i], z);
            rows.push(row);
        }
        rows.extend(c.iter().zip(d).map(|(c, d)| c.iter().map(|x| negate(*x)).chain(d.iter().copied()).collect()));
        let mut scales = vec![1; d.len() + 1];
        let mut determinant = 1;
        for j in 0..n {
            let pivot = (j..n).find(|&i| rows[i][j] != 0)?;
            if pivot != j {
                rows.swap(pivot, j);
                determinant = negate(determinant);
            }
            let (done, rest) = rows.split_at_mut(j + 1);
            let lead = &done[j];
            determinant = multiply(determinant, lead[j]);
            for (i, row) in rest.iter_mut().enumerate().filter(|(_, row)| row[j] != 0) {
                let scale = &mut scales[(i + j + 2).saturating_sub(n)];
                *scale = multiply(*scale, lead[j]);
                let factor = negate(row[j]);
                for (x, l) in row[j + 1..].iter_mut().zip(&lead[j + 1..]) {
                    *x = add(multiply(*x, lead[j]), multiply(factor, *l));
                }
            }
        }
        let h = rows[n..].iter().map(|row| row[n..].to_vec()).collect();
        Some(Eliminated { scales, determinant, h })
    }

    /// det(zI − A) times the principal minors of H, by sets of channels.
    fn minors(&self, inverse_scales: &[u64]) -> impl Iterator<Item = u64> {
        let determinant = multiply(self.determinant, inverse_scales[0]);
        (0..1usize << self.h.len()).map(move |set| {
            let chosen: Vec<usize> = (0..self.h.len()).filter(|i| set >> i & 1 == 1).collect();
            let minor = chosen
                .iter()
                .fold(small_determinant(&self.h, &chosen, &chosen), |m, i| multiply(m, inverse_scales[i + 1]));
            multiply(determinant, minor)
        })
    }
}

/// The determinant of some rows and columns, expanded along the first row.
fn small_determinant(h: &[Vec<u64>], rows: &[usize], cols: &[usize]) -> u64 {
    let Some((first, rows)) = rows.split_first() else {
        return 1;
    };
    cols.iter().enumerate().fold(0, |sum, (k, &j)| {
        let others: Vec<usize> = cols.iter().copied().filter(|c| *c != j).collect();
        let term = multiply(h[*first][j], small_determinant(h, rows, &others));
        add(sum, if k % 2 == 0 { term } else { negate(term) })
    })
}

/// All inverses with one division; the numbers are not zero.
fn inverses(numbers: &[u64]) -> Vec<u64> {
    let products: Vec<u64> = numbers.iter().scan(1, |p, x| Some(std::mem::replace(p, multiply(*p, *x)))).collect();
    let mut rest = invert(numbers.iter().fold(1, |p, x| multiply(p, *x)));
    let mut found = vec![0; numbers.len()];
    for i in (0..numbers.len()).rev() {
        found[i] = multiply(rest, products[i]);
        rest = multiply(rest, numbers[i]);
    }
    found
}

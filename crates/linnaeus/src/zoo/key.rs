//! What related algorithms have in common, quickly computed: comparing is only worth it where the
//! keys allow a relation.
//!
//! An algorithm is the subspace range [H; I], written in the oracles ∂f. Its Plücker vector, the
//! principal minors of H over their common denominator, says all of it: another oracle of a function
//! is already accounted for, and a time shift multiplies the whole vector by a power of z, which is
//! divided out with all other common factors. A family of algorithms has a linear span of such
//! vectors; an instance of it lies in the span, after multiplication by a polynomial that makes up
//! for the difference of degrees. All this is computed at random points modulo a large prime.

use crate::prime_field::{Dense, PRIME, Stream, add, invert, multiply, negate};
use crate::relation::behavior::Side;
use crate::relation::graph::{self, Special};
use crate::syntax::ast::OracleKind;
use crate::system::{Oracle, operator_symbol};
use crate::transfer::{Analysis, Realization, Transfer};
use linnaeus_algebra::{Matrix, RationalFunction, Variable};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What is the same for related algorithms, or ordered where one is an instance of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// How often each function is called, in rising order.
    pub calls: Vec<usize>,
    /// The span of its Plücker vectors, oracles reduced to ∂f; none where operators do not commute
    /// or there are too many channels.
    pub reduced: Option<Span>,
    /// The same with oracles as they are, for where a black box stands for one.
    pub written: Option<Span>,
    /// Whether a call may stand for calls of another kind as it is: a black box, a projection.
    pub stands: bool,
    /// Whether there are numbers that change with the index.
    pub varies: bool,
    /// How many operators there are.
    pub operators: usize,
    /// The same where a function is special.
    pub special: Vec<(String, Special, Key)>,
    /// The same where all operators are the identity.
    pub identity: Option<Box<Key>>,
}

/// How many iterations with the few calls per function have the many, if more than one.
pub fn repetition(few: &[usize], many: &[usize]) -> Option<usize> {
    let times = many.first()?.checked_div(*few.first()?)?;
    let fits = few.len() == many.len() && few.iter().zip(many).all(|(x, y)| x * times == *y);
    (times > 1 && fits).then_some(times)
}

/// Which of two families may lie in the other.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Directions {
    /// The first may be an instance of the second.
    pub forth: bool,
    /// The second may be an instance of the first.
    pub back: bool,
}

impl Directions {
    /// Both.
    pub const ALL: Directions = Directions { forth: true, back: true };

    /// Whether there is any.
    pub fn any(self) -> bool {
        self.forth || self.back
    }

    fn or(self, other: Directions) -> Directions {
        Directions { forth: self.forth || other.forth, back: self.back || other.back }
    }
}

/// The linear span of the Plücker vectors of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// How many channels there are.
    channels: usize,
    /// The degree in z.
    degree: usize,
    /// A basis in reduced echelon form. Entry (degree + 1) S + i of a vector belongs to the minor on
    /// the set S of channels and to zⁱ.
    basis: Vec<Vec<u64>>,
    /// One vector of the family.
    sample: Vec<u64>,
    /// For every set S of channels but the empty one the span of all products of two entries of the
    /// minors on ∅ and S; empty where the degree is too high.
    quadrics: Vec<Vec<Vec<u64>>>,
}

/// More channels than this have too many minors.
const MAX_CHANNELS: usize = 4;
/// Products of entries are used up to this degree.
const MAX_QUADRIC: usize = 3;
/// More states than this take too long.
const MAX_STATES: usize = 24;

impl Key {
    /// The key of a family. Numbers that change with the index are taken as constants: what holds
    /// for all sequences holds for constant ones, so `frozen` is the text read in that way.
    pub fn new(frozen: &Analysis, varies: bool) -> Key {
        let mut key = Key::with(frozen, varies, false);
        if key.operators > 0 {
            key.identity = Some(Box::new(Key::with(frozen, varies, true)));
        }
        key
    }

    fn with(frozen: &Analysis, varies: bool, identity: bool) -> Key {
        let mut functions: BTreeMap<&str, usize> = BTreeMap::new();
        for channel in &frozen.channels {
            *functions.entry(&channel.oracle.function).or_default() += 1;
        }
        let mut calls: Vec<usize> = functions.into_values().collect();
        calls.sort_unstable();
        let stands = |o: &Oracle| matches!(o.kind, OracleKind::BlackBox | OracleKind::Projection | OracleKind::Argmin);
        let mut key = Key {
            calls,
            reduced: None,
            written: None,
            stands: frozen.channels.iter().any(|c| stands(&c.oracle)),
            varies,
            operators: if identity { 0 } else { frozen.system.operators.len() },
            special: Vec::new(),
            identity: None,
        };
        if let Transfer::Commuting { realization, .. } = &frozen.transfer
            && frozen.channels.len() <= MAX_CHANNELS
            && realization.states.len() <= MAX_STATES
        {
            let mut samples = Samples { realization, analysis: frozen, identity, drawn: Vec::new() };
            key.reduced = samples.span(true, &[]);
            key.written = if is_plain(frozen) { key.reduced.clone() } else { samples.span(false, &[]) };
            key.special = special(&mut samples, frozen, &key);
        }
        key
    }

    /// Which family may lie in the other.
    pub fn directions(&self, other: &Key) -> Directions {
        if self.calls != other.calls {
            return Directions::default();
        }
        let directions = |x: &Option<Span>, y: &Option<Span>| match (x, y) {
            (Some(x), Some(y)) => Directions { forth: x.may_lie_in(y), back: y.may_lie_in(x) },
            _ => Directions::ALL,
        };
        let mut found = directions(&self.reduced, &other.reduced);
        if self.stands || other.stands {
            // Each channel on its own may be read as written or as an oracle of ∂f.
            let several = self.calls.iter().sum::<usize>() > 1;
            let written = if several { Directions::ALL } else { directions(&self.written, &other.written) };
            found = found.or(written);
        }
        // What changes with the index is no instance of what does not.
        found.forth &= other.varies || !self.varies;
        found.back &= self.varies || !other.varies;
        found
    }
}

impl Key {
    /// Whether one may be the other for conjugate functions.
    pub fn may_be_dual(&self, other: &Key) -> bool {
        if self.calls != other.calls {
            return false;
        }
        match (&self.reduced, &other.reduced) {
            (Some(x), Some(y)) => x.may_be_dual_of(y) || y.may_be_dual_of(x),
            _ => false,
        }
    }

    /// Itself, and where all operators are the identity.
    fn variants(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(self).chain(self.identity.as_deref())
    }

    /// Whether one may be the other where operators are the identity.
    pub fn may_have_identity(&self, other: &Key) -> bool {
        let pairs = self.variants().flat_map(|a| other.variants().map(move |b| (a, b)));
        self.operators + other.operators > 0 && pairs.into_iter().any(|(a, b)| a.directions(b).any())
    }

    /// The functions that one must be special in for the two to be related.
    pub fn special_functions(&self, other: &Key) -> Vec<(Side, String, Special)> {
        let mut found = Vec::new();
        for (a, b) in self.variants().flat_map(|a| other.variants().map(move |b| (a, b))) {
            let first = a.special.iter().filter(|(_, _, k)| k.directions(b).any());
            let second = b.special.iter().filter(|(_, _, k)| a.directions(k).any());
            found.extend(first.map(|(f, s, _)| (Side::First, f.clone(), *s)));
            found.extend(second.map(|(f, s, _)| (Side::Second, f.clone(), *s)));
        }
        found.sort();
        found.dedup();
        found
    }

    /// How far apart two algorithms with the same oracles are; none if they have others.
    pub fn distance(&self, other: &Key, a: &Analysis, b: &Analysis) -> Option<usize> {
        if self.calls != other.calls {
            return None;
        }
        let kinds = |x: &Analysis| {
            let mut kinds: Vec<OracleKind> = x.channels.iter().map(|c| c.oracle.kind).collect();
            kinds.sort();
            kinds
        };
        let degree = |k: &Key| k.reduced.as_ref().map_or(0, |s| s.degree);
        let foreign = usize::from(kinds(a) != kinds(b)) * 100;
        let operators = a.system.operators.len().abs_diff(b.system.operators.len()) * 20;
        let parameters = a.system.parameters.len().abs_diff(b.system.parameters.len());
        Some(foreign + operators + degree(self).abs_diff(degree(other)) * 10 + parameters)
    }
}

impl Key {
    /// What a parameter-free algorithm has in common with those that it equals, in any oracles, as it
    /// is, where a function is special, or for conjugate functions; nothing if it has parameters.
    pub fn names(&self) -> Option<Vec<Vec<u64>>> {
        let reduced = self.reduced.as_ref().filter(|s| s.basis.len() == 1)?;
        let mut found = vec![reduced.name()];
        found.extend(self.written.as_ref().filter(|_| self.stands).map(Span::name));
        for (_, _, special) in &self.special {
            let spans = special.reduced.iter().chain(&special.written);
            found.extend(spans.filter(|s| s.basis.len() == 1).map(Span::name));
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// The names that it has for conjugate functions.
    pub fn dual_names(&self) -> Vec<Vec<u64>> {
        let span = self.reduced.iter().filter(|s| s.channels > 0);
        span.flat_map(|s| (0..1usize << s.channels).map(|signs| s.dual(signs).name())).collect()
    }
}

/// Whether all oracles are ∂f as they are.
fn is_plain(analysis: &Analysis) -> bool {
    analysis.channels.iter().all(|c| graph::matrix(&c.oracle) == Matrix::identity(2))
}

/// The keys that are left when the calls of one function only multiply.
fn special(samples: &mut Samples, analysis: &Analysis, key: &Key) -> Vec<(String, Special, Key)> {
    let mut found = Vec::new();
    let mut functions: Vec<&str> = analysis.channels.iter().map(|c| c.oracle.function.as_str()).collect();
    functions.sort_unstable();
    functions.dedup();
    if functions.len() < 2 {
        return found;
    }
    for function in functions {
        let own = |i: &usize| analysis.channels[*i].oracle.function == function;
        let closed: Vec<usize> = (0..analysis.channels.len()).filter(own).collect();
        let mut calls = key.calls.clone();
        if let Some(at) = calls.iter().position(|c| *c == closed.len()) {
            calls.remove(at);
        }
        for special in [Special::Zero, Special::IndicatorOfZero] {
            let gain = |&i: &usize| matches!(graph::gain(&analysis.channels[i].oracle, special), Ok(Some(_)));
            if !closed.iter().all(gain) {
                continue;
            }
            let fixed: Vec<(usize, bool)> = closed.iter().map(|&i| (i, special == Special::IndicatorOfZero)).collect();
            let Some(reduced) = samples.span(true, &fixed) else { continue };
            let key = Key {
                calls: calls.clone(),
                written: is_plain(analysis).then(|| reduced.clone()),
                reduced: Some(reduced),
                stands: key.stands,
                varies: key.varies,
                operators: key.operators,
                special: Vec::new(),
                identity: None,
            };
            found.push((function.to_string(), special, key));
        }
    }
    found
}

/// Minors at several random points of the parameters, drawn as they are needed.
struct Samples<'a> {
    realization: &'a Realization<RationalFunction>,
    analysis: &'a Analysis,
    /// Whether operators are the identity.
    identity: bool,
    drawn: Vec<Option<Minors>>,
}

/// Minors by sets of channels.
struct Minors {
    /// Oracles reduced to ∂f.
    reduced: Vec<Vec<u64>>,
    /// Oracles as they are.
    written: Vec<Vec<u64>>,
}

/// So many vectors are enough for the largest spans that people write; a family that they do not
/// fill has no key.
const SAMPLES: usize = 60;

impl Samples<'_> {
    fn draw(&mut self, n: usize) -> Option<&Minors> {
        while self.drawn.len() <= n {
            let seed = self.drawn.len() as u64 + 1;
            self.drawn.push(minors(self.realization, self.analysis, self.identity, seed));
        }
        self.drawn[n].as_ref()
    }

    /// The span where some channels have their answer (`false`) or their query (`true`) set to zero.
    fn span(&mut self, reduced: bool, fixed: &[(usize, bool)]) -> Option<Span> {
        let channels = self.analysis.channels.len();
        let open: Vec<usize> = (0..channels).filter(|i| fixed.iter().all(|(j, _)| i != j)).collect();
        let rest: usize = fixed.iter().filter(|(_, bit)| *bit).map(|(i, _)| 1 << i).sum();
        let mut span =
            Span { channels: open.len(), degree: 0, basis: Vec::new(), sample: Vec::new(), quadrics: Vec::new() };
        let mut idle = 0;
        for n in 0..SAMPLES {
            let Some(drawn) = self.draw(n) else { continue };
            let vector = if reduced { &drawn.reduced } else { &drawn.written };
            let chosen =
                |set: usize| rest + (0..open.len()).filter(|i| set >> i & 1 == 1).map(|i| 1 << open[i]).sum::<usize>();
            let mut vector: Vec<Vec<u64>> = (0..1usize << open.len()).map(|set| vector[chosen(set)].clone()).collect();
            let common = vector.iter().fold(Vec::new(), |g, m| gcd(g, m.clone()));
            if common.is_empty() {
                return None;
            }
            if common.len() > 1 {
                vector.iter_mut().for_each(|m| *m = divided(std::mem::take(m), &common).0);
            }
            let length = vector.iter().map(Vec::len).max().unwrap_or(1);
            if span.sample.is_empty() {
                span.degree = length - 1;
            } else if length != span.degree + 1 {
                continue;
            }
            let mut flat = Vec::with_capacity(vector.len() * length);
            for minor in &vector {
                flat.extend((0..length).map(|i| minor.get(i).copied().unwrap_or(0)));
            }
            if span.sample.is_empty() {
                span.sample = flat.clone();
                if span.degree <= MAX_QUADRIC {
                    span.quadrics = vec![Vec::new(); vector.len() - 1];
                }
            }
            let mut grows = false;
            for (i, quadric) in span.quadrics.iter_mut().enumerate() {
                grows |= extend(quadric, products(&flat, length, i + 1));
            }
            grows |= extend(&mut span.basis, flat);
            idle = if grows { 0 } else { idle + 1 };
            // Two vectors that add nothing show that the span is complete.
            if idle == 2 {
                return Some(span);
            }
        }
        None
    }
}

impl Span {
    /// Whether a vector of this family, times a polynomial, lies in the span of the other, for some
    /// order of the channels.
    fn may_lie_in(&self, other: &Span) -> bool {
        if self.channels != other.channels || self.degree > other.degree {
            return false;
        }
        let more = other.degree - self.degree;
        permutations(self.channels).into_iter().any(|order| {
            if more == 0 && !self.fits_quadrics(other, &order) {
                return false;
            }
            let mut basis = other.basis.clone();
            // Multiples by zⁱ that are independent of the span and of one another do not meet it.
            (0..=more).any(|i| !extend(&mut basis, self.lifted(&order, i, other.degree)))
        })
    }

    /// Whether products of entries lie where those of the other do.
    fn fits_quadrics(&self, other: &Span, order: &[usize]) -> bool {
        let moved = self.lifted(order, 0, self.degree);
        other.quadrics.iter().enumerate().all(|(i, quadric)| {
            let mut basis = quadric.clone();
            !extend(&mut basis, products(&moved, self.degree + 1, i + 1))
        })
    }

    /// Whether the two may be equal when the functions of one are read as conjugates: minors on
    /// complementary sets, with the signs of a reflection of some channels.
    fn may_be_dual_of(&self, other: &Span) -> bool {
        let n = self.channels;
        if n != other.channels {
            return false;
        }
        (0..1usize << n).any(|signs| self.dual(signs).may_lie_in(other))
    }

    /// The sample for conjugate functions, some channels reflected.
    fn dual(&self, signs: usize) -> Span {
        let (length, all) = (self.degree + 1, (1usize << self.channels) - 1);
        let mut dual = Span { basis: Vec::new(), quadrics: Vec::new(), ..self.clone() };
        for set in 0..=all {
            let odd = (set & signs).count_ones() % 2 == 1;
            for i in 0..length {
                let x = self.sample[length * set + i];
                dual.sample[length * (all ^ set) + i] = if odd { negate(x) } else { x };
            }
        }
        dual
    }

    /// The sample up to a factor and the order of channels.
    fn name(&self) -> Vec<u64> {
        let orders = permutations(self.channels).into_iter();
        orders.map(|order| normal(self.lifted(&order, 0, self.degree))).min().unwrap_or_default()
    }

    /// The sample times zⁱ among vectors of a higher degree, channels in another order.
    fn lifted(&self, order: &[usize], by: usize, degree: usize) -> Vec<u64> {
        let mut found = vec![0; (degree + 1) << self.channels];
        for set in 0..1usize << self.channels {
            let moved: usize = (0..self.channels).filter(|i| set >> i & 1 == 1).map(|i| 1 << order[i]).sum();
            for i in 0..=self.degree {
                found[(degree + 1) * moved + i + by] = self.sample[(self.degree + 1) * set + i];
            }
        }
        found
    }
}

/// The first entry that is not zero made 1.
fn normal(mut v: Vec<u64>) -> Vec<u64> {
    if let Some(lead) = v.iter().find(|x| **x != 0) {
        let scale = invert(*lead);
        v.iter_mut().for_each(|x| *x = multiply(*x, scale));
    }
    v
}

/// All orders of so many channels.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..n {
        found = found
            .into_iter()
            .flat_map(|p| {
                let rest = (0..n).filter(|i| !p.contains(i)).collect::<Vec<_>>();
                rest.into_iter().map(move |i| [p.as_slice(), &[i]].concat())
            })
            .collect();
    }
    found
}

/// All products of two entries of the minors on ∅ and on a set.
fn products(flat: &[u64], length: usize, set: usize) -> Vec<u64> {
    let entries: Vec<u64> = flat[..length].iter().chain(&flat[length * set..length * (set + 1)]).copied().collect();
    let pairs = (0..entries.len()).flat_map(|i| (i..entries.len()).map(move |j| (i, j)));
    pairs.map(|(i, j)| multiply(entries[i], entries[j])).collect()
}

/// Adds a vector to a basis in echelon form; whether it was independent.
fn extend(basis: &mut Vec<Vec<u64>>, mut v: Vec<u64>) -> bool {
    for row in basis.iter() {
        let lead = row.iter().position(|x| *x != 0).expect("rows are not zero");
        if v[lead] != 0 {
            let factor = negate(v[lead]);
            v.iter_mut().zip(row).for_each(|(x, r)| *x = add(*x, multiply(factor, *r)));
        }
    }
    let Some(lead) = v.iter().position(|x| *x != 0) else {
        return false;
    };
    let scale = invert(v[lead]);
    v.iter_mut().for_each(|x| *x = multiply(*x, scale));
    for row in basis.iter_mut() {
        if row[lead] != 0 {
            let factor = negate(row[lead]);
            row.iter_mut().zip(&v).for_each(|(x, r)| *x = add(*x, multiply(factor, *r)));
        }
    }
    basis.push(v);
    true
}

/// The minors by sets of channels at random parameters, oracles reduced and as they are; nothing if
/// the point is unlucky.
fn minors(r: &Realization<RationalFunction>, analysis: &Analysis, identity: bool, seed: u64) -> Option<Minors> {
    let p = analysis.channels.len();
    let is_operator = |v: Variable| (0..analysis.system.operators.len()).any(|n| v == operator_symbol(n));
    let point = |v: Variable| match identity && is_operator(v) {
        true => 1,
        false => Stream::new((u64::from(v.0) + 1) * 1_000 + seed).next(),
    };
    let at = |e: &RationalFunction| e.evaluate_mod(&point, PRIME);
    let value = |m: &Matrix<RationalFunction>, cols: usize| -> Option<Vec<Vec<u64>>> {
        (0..m.rows()).map(|i| m.row(i)[..cols].iter().map(at).collect::<Option<Vec<u64>>>()).collect()
    };
    let n = r.states.len();
    let (a, b, c, d) = (value(&r.a, n)?, value(&r.b, p)?, value(&r.c, n)?, value(&r.d, p)?);
    let points: Vec<u64> = (0..=n as u64).collect();
    let written: Vec<Vec<u64>> = (0..1usize << p)
        .map(|set| {
            let chosen: Vec<usize> = (0..p).filter(|i| set >> i & 1 == 1).collect();
            points.iter().map(|z| minor(&a, &b, &c, &d, &chosen, *z)).collect()
        })
        .collect();
    let mut reduced = written.clone();
    for (i, channel) in analysis.channels.iter().enumerate() {
        if !graph::has_graph(&channel.oracle) {
            continue;
        }
        // (y, u) = M (y₀, u₀), and M⁻¹ is [m11 −m01; −m10 m00] up to its determinant.
        let m = graph::matrix(&channel.oracle);
        let (m00, m01, m10, m11) = (at(&m[(0, 0)])?, at(&m[(0, 1)])?, at(&m[(1, 0)])?, at(&m[(1, 1)])?);
        for set in (0..1usize << p).filter(|s| s >> i & 1 == 0) {
            let (us, ys) = (reduced[set].clone(), reduced[set | 1 << i].clone());
            let mix = |p: u64, q: u64, x: &[u64], y: &[u64]| -> Vec<u64> {
                x.iter().zip(y).map(|(x, y)| add(multiply(p, *x), negate(multiply(q, *y)))).collect()
            };
            reduced[set | 1 << i] = mix(m11, m01, &ys, &us);
            reduced[set] = mix(m00, m10, &us, &ys);
        }
    }
    let polynomials = |minors: Vec<Vec<u64>>| minors.iter().map(|m| interpolate(m)).collect();
    Some(Minors { reduced: polynomials(reduced), written: polynomials(written) })
}

/// det [zI − A, B; −C, D] on some channels: the characteristic polynomial times the minor of H.
fn minor(a: &[Vec<u64>], b: &[Vec<u64>], c: &[Vec<u64>], d: &[Vec<u64>], chosen: &[usize], z: u64) -> u64 {
    let mut rows = Vec::new();
    for (i, row) in a.iter().enumerate() {
        let mut row: Vec<u64> = row.iter().map(|x| negate(*x)).collect();
        row[i] = add(row[i], z);
        row.extend(chosen.iter().map(|&j| b[i][j]));
        rows.push(row);
    }
    for &i in chosen {
        let mut row: Vec<u64> = c[i].iter().map(|x| negate(*x)).collect();
        row.extend(chosen.iter().map(|&j| d[i][j]));
        rows.push(row);
    }
    Dense { cols: a.len() + chosen.len(), rows }.determinant()
}

/// The polynomial with these values at 0, 1, 2, …, coefficients by rising powers.
fn interpolate(values: &[u64]) -> Vec<u64> {
    // Newton's divided differences.
    let mut differences = values.to_vec();
    for step in 1..values.len() {
        let inverse = inverse_of(step);
        for i in (step..values.len()).rev() {
            differences[i] = multiply(add(differences[i], negate(differences[i - 1])), inverse);
        }
    }
    let mut found: Vec<u64> = Vec::new();
    for i in (0..values.len()).rev() {
        // found · (z − i) + differences[i]
        found.insert(0, 0);
        for j in 0..found.len() - 1 {
            found[j] = add(found[j], negate(multiply(found[j + 1], i as u64)));
        }
        found[0] = add(found[0], differences[i]);
    }
    trim(found)
}

/// 1/n for the numbers of points that occur.
fn inverse_of(n: usize) -> u64 {
    static TABLE: OnceLock<Vec<u64>> = OnceLock::new();
    TABLE.get_or_init(|| (0..=MAX_STATES as u64 + 1).map(|n| if n == 0 { 0 } else { invert(n) }).collect())[n]
}

fn trim(mut p: Vec<u64>) -> Vec<u64> {
    while p.last() == Some(&0) {
        p.pop();
    }
    p
}

/// Euclid's algorithm; an empty polynomial is zero.
fn gcd(mut a: Vec<u64>, mut b: Vec<u64>) -> Vec<u64> {
    while !b.is_empty() {
        (a, b) = (b.clone(), divided(a, &b).1);
    }
    a
}

/// Quotient and remainder.
fn divided(mut a: Vec<u64>, b: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let lead = invert(b[b.len() - 1]);
    let mut quotient = vec![0; (a.len() + 1).saturating_sub(b.len())];
    while a.len() >= b.len() {
        let factor = multiply(a[a.len() - 1], lead);
        let shift = a.len() - b.len();
        quotient[shift] = factor;
        for (i, x) in b.iter().enumerate() {
            a[shift + i] = add(a[shift + i], negate(multiply(factor, *x)));
        }
        a = trim(a);
    }
    (quotient, a)
}

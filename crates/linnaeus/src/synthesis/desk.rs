//! What one iteration computes, and in which order: queries, new states, and vectors that are computed once because
//! several of these need them.

use super::model::{Model, Name};
use super::program::Role;
use super::typed::Gain;
use super::vector::{Combination, Cost, Vector, divides_one_of, leading_factor, written};
use crate::operator::{Letter, OperatorPolynomial, Word};
use crate::system::{LinearSystem, Space};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction};

/// A vector between the state and the calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What the user called it.
    pub name: Option<Name>,
    /// Where it lives.
    pub space: Space,
    /// What it is of states, answers and constants, which are counted in this order.
    pub row: Combination,
}

/// How much is tried to compute something only once.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Nothing: only queries and new states are made of each other.
    Little,
    /// What the text computes, and what several lines have in common.
    Full,
}

/// In one iteration at most this many vectors are added because lines have them in common.
const ROUNDS: usize = 3;
/// Of the vectors that lines have in common so many are tried, the dearest first.
const TRIED: usize = 12;

/// What was computed, in the order in which it was.
#[derive(Clone, Debug)]
pub struct Desk<'a> {
    /// The model.
    pub model: &'a Model<Gain>,
    /// What every value is.
    pub roles: Vec<Role>,
    /// The vectors that are computed for the sake of others.
    pub steps: Vec<Step>,
    /// What was computed, in states, constants and answers, and how.
    pub known: Vec<(usize, Combination, Vector)>,
}

/// When new states are computed: first where that costs no more.
#[derive(Copy, Clone, Debug)]
enum Moment {
    /// When all calls are made, in their order.
    Last,
    /// When all calls are made, those of few terms first.
    LastShortFirst,
    /// As soon as can be, behind the query that can be asked then.
    BehindQuery,
    /// As soon as can be, before that query.
    BeforeQuery,
    /// As soon as can be, before all else that can be computed then.
    First,
}

const MOMENTS: [Moment; 5] =
    [Moment::Last, Moment::LastShortFirst, Moment::BehindQuery, Moment::BeforeQuery, Moment::First];

/// Computes all queries, calls being made in an order if there is one, and the next state.
pub fn desk<'a>(model: &'a Model<Gain>, order: Option<&[usize]>, effort: Effort) -> Result<Desk<'a>, Exhausted> {
    let plan = Plan::new(model, order);
    let mut best = plan.cheapest(&[])?;
    if effort == Effort::Little || order.is_none() {
        return Ok(best);
    }
    let is_new = |s: &&Step| !plan.queries.contains(&s.row) && !plan.next.contains(&s.row);
    let own: Vec<Step> = model.steps.iter().filter(is_new).cloned().collect();
    if !own.is_empty() {
        let mut own = plan.cheapest(&own)?;
        // What the text computes need not be worth it.
        while let Some(unused) = own.unused() {
            let steps = own.steps.iter().enumerate().filter(|(i, _)| *i != unused).map(|(_, s)| s.clone());
            own = plan.cheapest(&steps.collect::<Vec<_>>())?;
        }
        if own.price() < best.price() {
            best = own;
        }
    }
    for _ in 0..ROUNDS {
        let mut found: Option<Desk> = None;
        for step in plan.common(&best)? {
            let mut steps = best.steps.clone();
            steps.push(step);
            let desk = plan.cheapest(&steps)?;
            if desk.unused().is_none() && desk.price() < found.as_ref().unwrap_or(&best).price() {
                found = Some(desk);
            }
        }
        match found {
            Some(desk) => best = desk,
            None => break,
        }
    }
    Ok(best)
}

impl<'a> Desk<'a> {
    fn id(&self, role: Role) -> usize {
        self.roles.iter().position(|r| *r == role).expect("every vector has a role")
    }

    fn price(&self) -> (usize, usize) {
        let cost = self.known.iter().map(|(.., v)| v.cost()).sum::<Cost>();
        (cost.inversions, cost.total())
    }

    /// A step that nothing is made of.
    fn unused(&self) -> Option<usize> {
        (0..self.steps.len()).find(|i| {
            let id = self.id(Role::Step(*i));
            let mut is_used = false;
            self.known.iter().for_each(|(.., v)| v.values(&mut |other| is_used |= other == id));
            !is_used
        })
    }

    /// The next states in the order in which they are computed.
    pub fn states(&self) -> Vec<usize> {
        let state = |(id, ..): &(usize, Combination, Vector)| match self.roles[*id] {
            Role::Next(i) => Some(i),
            _ => None,
        };
        self.known.iter().filter_map(state).collect()
    }

    /// The expressions that stand at two places.
    fn repeated(&self) -> Result<Vec<Combination>, Exhausted> {
        let mut all: Vec<Vector> = Vec::new();
        for (.., vector) in &self.known {
            vector.walk(&mut |v| all.push(v.clone()));
        }
        let is_double = |(i, v): &(usize, &Vector)| v.cost().total() > 0 && all[..*i].contains(v);
        let mut found: Vec<Combination> = Vec::new();
        for (_, v) in all.iter().enumerate().filter(is_double) {
            let Some(row) = self.expanded(v)? else { continue };
            if !found.contains(&row) {
                found.push(row);
            }
        }
        Ok(found)
    }

    /// An expression in states, answers and constants; nothing if a sum of operators is inverted in it.
    fn expanded(&self, v: &Vector) -> Result<Option<Combination>, Exhausted> {
        let multiple = |factor: &OperatorPolynomial, row: Option<Combination>| -> Result<_, Exhausted> {
            let Some(row) = row.filter(|row| !has_solves(row)) else { return Ok(None) };
            let scaled = row.iter().map(|(v, g)| Ok((*v, Gain::polynomial(factor.mul(&g.above)?))));
            Ok(Some(scaled.collect::<Result<Combination, Exhausted>>()?))
        };
        match v {
            Vector::Value(id) => Ok(Some(match self.known.iter().find(|(known, ..)| known == id) {
                Some((_, row, _)) => row.clone(),
                None => Combination::from([(*id, Gain::polynomial(OperatorPolynomial::one()))]),
            })),
            Vector::Scale(c, v) => multiple(&OperatorPolynomial::scalar(c.clone()), self.expanded(v)?),
            Vector::Apply(letter, v) => multiple(&OperatorPolynomial::letter(*letter), self.expanded(v)?),
            Vector::Sum(terms) => {
                let mut sum = Combination::default();
                for (minus, v) in terms {
                    let sign = RationalFunction::integer(if *minus { -1 } else { 1 });
                    let Some(row) = multiple(&OperatorPolynomial::scalar(sign), self.expanded(v)?)? else {
                        return Ok(None);
                    };
                    for (value, gain) in row {
                        let all = match sum.remove(&value) {
                            Some(old) => old.above.add(&gain.above)?,
                            None => gain.above,
                        };
                        if !all.is_zero() {
                            sum.insert(value, Gain::polynomial(all));
                        }
                    }
                }
                Ok(Some(sum))
            }
            Vector::Solve(..) | Vector::Call(..) => Ok(None),
        }
    }

    /// Writes a vector, as a multiple of one computed before and a rest where that is cheaper.
    fn write(&mut self, role: Role, row: &Combination) -> Result<(), Exhausted> {
        let mut best = written(row)?;
        let mut rest = row.clone();
        // A fourth reuse never pays in practice; the bound keeps the search short.
        for _ in 0..3 {
            let mut found = None;
            for (id, other, _) in &self.known {
                for shorter in without(&rest, *id, other)? {
                    // So many terms take as many additions but one.
                    if terms(&shorter) > terms(&rest).min(best.cost().total()) {
                        continue;
                    }
                    let vector = written(&shorter)?;
                    if vector.cost().total() < best.cost().total() {
                        best = vector;
                        found = Some(shorter);
                    }
                }
            }
            match found {
                Some(shorter) => rest = shorter,
                None => break,
            }
        }
        let id = self.id(role);
        self.known.push((id, row.clone(), best));
        Ok(())
    }
}

/// What must be computed.
struct Plan<'a> {
    model: &'a Model<Gain>,
    /// The calls in the order in which they are made, or as they come.
    order: Vec<usize>,
    is_explicit: bool,
    queries: Vec<Combination>,
    next: Vec<Combination>,
}

impl<'a> Plan<'a> {
    fn new(model: &'a Model<Gain>, order: Option<&[usize]>) -> Plan<'a> {
        Plan {
            model,
            order: order.map_or_else(|| (0..model.calls()).collect(), <[usize]>::to_vec),
            is_explicit: order.is_some(),
            queries: (0..model.calls()).map(|i| row(&model.c, &model.d, i)).collect(),
            next: (0..model.order()).map(|i| row(&model.a, &model.b, i)).collect(),
        }
    }

    fn desk(&self, steps: &[Step]) -> Desk<'a> {
        let model = self.model;
        let states = (0..model.order()).map(Role::State);
        let constants = (0..model.constants.len()).map(Role::Constant);
        let answers = (0..model.calls()).map(Role::Answer);
        let queries = (0..model.calls()).map(Role::Query);
        let next = (0..model.order()).map(Role::Next);
        let steps_of = (0..steps.len()).map(Role::Step);
        let roles = states.chain(answers).chain(constants).chain(queries).chain(next).chain(steps_of).collect();
        Desk { model, roles, steps: steps.to_vec(), known: Vec::new() }
    }

    fn cheapest(&self, steps: &[Step]) -> Result<Desk<'a>, Exhausted> {
        let mut best: Option<Desk> = None;
        for moment in MOMENTS {
            let is_last = matches!(moment, Moment::Last | Moment::LastShortFirst);
            if !self.is_explicit && !is_last {
                break;
            }
            let desk = self.written(steps, moment)?;
            if best.as_ref().is_none_or(|b| desk.price() < b.price()) {
                best = Some(desk);
            }
        }
        Ok(best.expect("one moment at least"))
    }

    fn written(&self, steps: &[Step], moment: Moment) -> Result<Desk<'a>, Exhausted> {
        let mut desk = self.desk(steps);
        for stage in 0..=self.order.len() {
            let here = |row: &Combination| self.stage(row) == stage;
            let new_states = |desk: &mut Desk<'a>| -> Result<(), Exhausted> {
                (0..self.next.len())
                    .filter(|&i| here(&self.next[i]))
                    .try_for_each(|i| desk.write(Role::Next(i), &self.next[i]))
            };
            if matches!(moment, Moment::First) {
                new_states(&mut desk)?;
            }
            for (i, step) in steps.iter().enumerate().filter(|(_, s)| here(&s.row)) {
                desk.write(Role::Step(i), &step.row)?;
            }
            if matches!(moment, Moment::BeforeQuery) {
                new_states(&mut desk)?;
            }
            if let Some(&port) = self.order.get(stage) {
                desk.write(Role::Query(port), &self.queries[port])?;
            }
            if matches!(moment, Moment::BehindQuery) {
                new_states(&mut desk)?;
            }
        }
        let mut order: Vec<usize> = (0..self.next.len()).collect();
        match moment {
            Moment::Last => {}
            Moment::LastShortFirst => order.sort_by_key(|&i| terms(&self.next[i])),
            _ => return Ok(desk),
        }
        order.into_iter().try_for_each(|i| desk.write(Role::Next(i), &self.next[i]))?;
        Ok(desk)
    }

    /// How many calls must have been made before a vector can be computed.
    fn stage(&self, row: &Combination) -> usize {
        let (n, p) = (self.model.order(), self.model.calls());
        let answers = row.keys().filter(|v| (n..n + p).contains(v)).map(|v| v - n);
        let place = |port: usize| self.order.iter().position(|o| *o == port).map_or(0, |i| i + 1);
        answers.map(place).max().unwrap_or(0)
    }

    /// What two lines, or two places of one, have in common but for a factor; the dearest first.
    fn common(&self, desk: &Desk) -> Result<Vec<Step>, Exhausted> {
        let rows: Vec<&Combination> = desk.known.iter().map(|(_, row, _)| row).collect();
        let mut found: Vec<(usize, Combination)> = Vec::new();
        for (i, first) in rows.iter().enumerate() {
            for (j, second) in rows.iter().enumerate() {
                for part in shared(first, second, i == j)? {
                    let price = written(&part)?.cost().total();
                    if price > 0 && !found.iter().any(|(_, p)| *p == part) && !rows.contains(&&part) {
                        found.push((price, part));
                    }
                }
            }
        }
        for part in desk.repeated()? {
            if !found.iter().any(|(_, p)| *p == part) && !rows.contains(&&part) {
                found.push((written(&part)?.cost().total(), part));
            }
        }
        found.sort_by_key(|(price, _)| std::cmp::Reverse(*price));
        found.truncate(TRIED);
        let step = |(_, row): (usize, Combination)| self.space(&row).map(|space| Step { name: None, space, row });
        Ok(found.into_iter().filter_map(step).collect())
    }

    /// Where a combination lives.
    fn space(&self, row: &Combination) -> Option<Space> {
        let (value, gain) = row.iter().next()?;
        let (word, _) = gain.above.terms().into_iter().next()?;
        Some(word.iter().rev().fold(self.space_of(*value)?, |space, letter| led(&self.model.system, *letter, space)))
    }

    fn space_of(&self, value: usize) -> Option<Space> {
        let model = self.model;
        let (n, p) = (model.order(), model.calls());
        match value {
            v if v < n => model.spaces[v],
            v if v < n + p => Some(model.ports[v - n].output),
            v => model.constants.get(v - n - p).map(|c| c.space),
        }
    }
}

/// Where an operator leads; one on a single space stays in the space that its argument is said to be in.
fn led(system: &LinearSystem, letter: Letter, from: Space) -> Space {
    let o = &system.operators[letter.operator as usize];
    if system.spaces.same(o.domain, o.codomain) {
        from
    } else if letter.adjoint == letter.inverse {
        o.codomain
    } else {
        o.domain
    }
}

/// A row of two matrices as a combination of states, answers and constants: these come first among the
/// values, in this order.
fn row(state: &Matrix<Gain>, input: &Matrix<Gain>, i: usize) -> Combination {
    let all = state.row(i).iter().chain(input.row(i)).cloned().enumerate();
    all.filter(|(_, g)| !g.is_zero()).collect()
}

/// The number of words.
fn terms(row: &Combination) -> usize {
    row.values().map(|g| g.above.terms().len()).sum()
}

fn has_solves(row: &Combination) -> bool {
    row.values().any(|g| g.below != OperatorPolynomial::one())
}

/// F with F a = b for single terms, if it needs no inverse of an operator that b does not hold.
fn quotient(
    b: (&Word, &RationalFunction),
    a: (&Word, &RationalFunction),
) -> Result<Option<OperatorPolynomial>, Exhausted> {
    let inverses = |w: &Word| w.iter().filter(|l| l.inverse).count();
    let single = |(w, c): (&Word, &RationalFunction)| -> Result<OperatorPolynomial, Exhausted> {
        let mut product = OperatorPolynomial::scalar(c.clone());
        for letter in w {
            product = product.mul(&OperatorPolynomial::letter(*letter))?;
        }
        Ok(product)
    };
    if a.0.len() > b.0.len() {
        return Ok(None);
    }
    let inverse = single(a)?.inverse()?.expect("one term");
    let found = single(b)?.mul(&inverse)?;
    let fits = found.terms().iter().all(|(w, _)| inverses(w) <= inverses(b.0) && w.len() + a.0.len() == b.0.len());
    Ok(fits.then_some(found))
}

/// The factors by which terms of a combination may come from those of another, each once. What may be zero is not
/// divided by for the sake of a shorter line.
fn factors(row: &Combination, other: &Combination) -> Result<Vec<OperatorPolynomial>, Exhausted> {
    let mut own: Vec<Polynomial> = Vec::new();
    for (_, c) in row.values().flat_map(|g| g.above.terms()) {
        if !own.contains(c.denominator()) {
            own.push(c.denominator().clone());
        }
    }
    let own: Vec<&Polynomial> = own.iter().collect();
    let mut found: Vec<OperatorPolynomial> = Vec::new();
    for (value, gain) in other {
        let Some(wanted) = row.get(value) else { continue };
        let mut candidates = Vec::new();
        for a in gain.above.terms() {
            let mut all = OperatorPolynomial::zero();
            for b in wanted.above.terms() {
                let Some(factor) = quotient(b, a)? else { continue };
                all = all.add(&factor)?;
                candidates.push(factor);
            }
            candidates.push(all);
        }
        for factor in candidates {
            let mut is_fit = !factor.is_zero() && !found.contains(&factor);
            for (_, c) in factor.terms() {
                is_fit = is_fit && divides_one_of(c.denominator(), &own)?;
            }
            if is_fit {
                found.push(factor);
            }
        }
    }
    Ok(found)
}

/// The combination less a multiple of another, for every multiple that removes a term, with the multiple
/// added as a term of its own.
fn without(row: &Combination, id: usize, other: &Combination) -> Result<Vec<Combination>, Exhausted> {
    if row.contains_key(&id) || has_solves(row) || has_solves(other) {
        return Ok(Vec::new());
    }
    let most = terms(row);
    let mut found = Vec::new();
    for factor in factors(row, other)? {
        let mut shorter = row.clone();
        for (value, gain) in other {
            let removed = factor.mul(&gain.above)?;
            let left = match shorter.remove(value) {
                Some(old) => old.above.sub(&removed)?,
                None => removed.neg(),
            };
            if !left.is_zero() {
                shorter.insert(*value, Gain::polynomial(left));
            }
        }
        // The multiple itself is a term more.
        if terms(&shorter) < most {
            shorter.insert(id, Gain::polynomial(factor));
            found.push(shorter);
        }
    }
    Ok(found)
}

/// The parts of a combination of which another holds a multiple, as they stand and without a number in front.
fn shared(row: &Combination, other: &Combination, is_same: bool) -> Result<Vec<Combination>, Exhausted> {
    if has_solves(row) || has_solves(other) {
        return Ok(Vec::new());
    }
    let mut found: Vec<Combination> = Vec::new();
    for factor in factors(other, row)? {
        if is_same && factor.as_scalar().is_some() {
            continue;
        }
        let mut part = Combination::default();
        for (value, gain) in row {
            let Some(there) = other.get(value) else { continue };
            let there = there.above.terms();
            let mut kept = OperatorPolynomial::zero();
            for (word, _) in gain.above.terms() {
                let term = gain.above.filtered(&|w| w == word);
                let image = factor.mul(&term)?;
                if image.terms().iter().all(|t| there.contains(t)) {
                    kept = kept.add(&term)?;
                }
            }
            if !kept.is_zero() {
                part.insert(*value, Gain::polynomial(kept));
            }
        }
        let factor = leading_factor(&part)?;
        if let Some(inverse) = factor.inverse().filter(|_| !factor.is_one()) {
            let scaled = part
                .iter()
                .map(|(v, g)| Ok((*v, Gain::polynomial(g.above.mul(&OperatorPolynomial::scalar(inverse.clone()))?))));
            let scaled: Combination = scaled.collect::<Result<_, Exhausted>>()?;
            if !found.contains(&scaled) {
                found.push(scaled);
            }
        }
        if !found.contains(&part) {
            found.push(part);
        }
    }
    Ok(found)
}

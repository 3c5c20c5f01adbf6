//! Coefficients that change with the index: `alpha[k]`, `t[k+1]`, the index `k` itself, `beta^k`.
//!
//! They live in a field with an automorphism σ, one iteration later: σ takes `alpha[k]` to
//! `alpha[k+1]`, k to k + 1 and bᵏ to b·bᵏ. Coefficients do not commute with z, but z a = σ(a) z.
//! Values of a sequence at different times are symbols of their own; a recursion such as
//! `t[k+1] = (1 + sqrt(1 + 4 t[k]^2))/2` is a rule by which they are reduced.

use crate::operator::OperatorPolynomial;
use crate::report::expression::plain;
use linnaeus_algebra::solve::rational_root;
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, SortedMap, Variable, spend};

/// A sequence of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The user's name; that of the index for the index itself.
    pub name: String,
    /// How it goes on.
    pub motion: Motion,
    /// (1, 0), or (n, s) for the s-th of every n values, `alpha[n k + s]`.
    pub phase: (i64, i64),
}

impl Schedule {
    /// All values of a sequence.
    pub fn new(name: &str, motion: Motion) -> Schedule {
        Schedule { name: name.to_string(), motion, phase: (1, 0) }
    }
}

/// How a sequence goes on from one iteration to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Motion {
    /// In any way.
    Free,
    /// Its value one iteration later than `k`.
    Recursion(RationalFunction),
    /// A function, `sqrt`, `exp` or `log`, of a value at `k`.
    Function(&'static str, RationalFunction),
    /// The index.
    Clock,
    /// bᵏ.
    Power(RationalFunction),
}

const FIRST: u32 = 100_000_000;
const WIDTH: u32 = 20_000;
const MIDDLE: u32 = WIDTH / 2;

/// The symbol of the j-th schedule at an offset from `k`. The index and powers stand at 0 only.
pub fn schedule(j: usize, offset: i64) -> Variable {
    debug_assert!(offset.unsigned_abs() < u64::from(MIDDLE));
    Variable((i64::from(FIRST + j as u32 * WIDTH + MIDDLE) + offset) as u32)
}

/// Which schedule a symbol belongs to, and at what offset; nothing for other symbols.
pub fn scheduled(v: Variable) -> Option<(usize, i64)> {
    let n = v.0.checked_sub(FIRST).filter(|_| v != super::Z)?;
    Some(((n / WIDTH) as usize, i64::from(n % WIDTH) - i64::from(MIDDLE)))
}

const STARTS: u32 = 50_000_000;

/// The symbol of the j-th schedule's value where the index is 0, which does not change with the index.
pub fn start(j: usize) -> Variable {
    Variable(STARTS + j as u32)
}

/// Which schedule's value where the index is 0 a symbol is; nothing for other symbols.
pub fn started(v: Variable) -> Option<usize> {
    (STARTS..FIRST).contains(&v.0).then(|| (v.0 - STARTS) as usize)
}

/// Whether a value changes with the index.
pub fn varies(value: &RationalFunction) -> bool {
    value.variables().into_iter().any(|v| scheduled(v).is_some())
}

/// The schedules of a text, or of two that are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedules {
    /// In order of first appearance.
    pub list: Vec<Schedule>,
}

impl Schedules {
    /// Whether there are none: all coefficients are constant.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The number of a schedule, which is added if it is new.
    pub fn number(&mut self, name: &str, motion: Motion) -> usize {
        let alike = |s: &Schedule| s.name == name && (s.motion == motion || motion == Motion::Free);
        self.list.iter().position(alike).unwrap_or_else(|| {
            self.list.push(Schedule::new(name, motion));
            self.list.len() - 1
        })
    }

    /// σ applied so many times.
    pub fn advanced(&self, value: &RationalFunction, steps: i64) -> Result<RationalFunction, Exhausted> {
        if steps == 0 || !varies(value) {
            return Ok(value.clone());
        }
        let moved = value.rename(&|v| match scheduled(v) {
            Some((j, offset)) if !self.is_closed(j) => schedule(j, offset + steps),
            _ => v,
        });
        let mut values = SortedMap::new();
        for v in moved.variables() {
            let symbol = RationalFunction::variable(v);
            match scheduled(v).map(|(j, _)| &self.list[j].motion) {
                Some(Motion::Clock) => values.insert(v, symbol.add(&RationalFunction::integer(steps))?),
                Some(Motion::Power(base)) => {
                    let factor = base.pow(steps as i32)?.expect("the base of a power is not zero");
                    values.insert(v, symbol.mul(&factor)?)
                }
                _ => None,
            };
        }
        if values.is_empty() {
            return Ok(moved);
        }
        Ok(moved.substitute(&|v| values.get(&v).cloned())?.expect("an automorphism"))
    }

    /// σ on the coefficients of an operator polynomial.
    pub fn advanced_operator(&self, value: &OperatorPolynomial, steps: i64) -> Result<OperatorPolynomial, Exhausted> {
        if steps == 0 || self.is_empty() {
            return Ok(value.clone());
        }
        value.map_coefficients(&mut |c| self.advanced(c, steps))
    }

    /// Whether σ maps its one symbol to a function of itself.
    fn is_closed(&self, j: usize) -> bool {
        self.list.get(j).is_some_and(|s| matches!(s.motion, Motion::Clock | Motion::Power(_)))
    }

    /// What must vanish for a polynomial to vanish along all sequences that keep to their rules:
    /// values are traced back to the earliest ones, squares of square roots are resolved. The
    /// result is zero iff the polynomial is.
    pub fn reduced(&self, p: &Polynomial) -> Result<Polynomial, Exhausted> {
        match self.earliest(p) {
            Some(base) => self.reduced_to(p, base),
            None => Ok(p.clone()),
        }
    }

    /// The earliest time of which a polynomial speaks.
    pub fn earliest(&self, p: &Polynomial) -> Option<i64> {
        let offsets = p.variables().into_iter().filter_map(scheduled).filter(|(j, _)| !self.is_closed(*j));
        offsets.map(|(_, o)| o).min()
    }

    /// The same with values traced back to a time.
    pub fn reduced_to(&self, p: &Polynomial, base: i64) -> Result<Polynomial, Exhausted> {
        let mut p = self.without_signs(p)?;
        if self.list.iter().all(|s| !matches!(s.motion, Motion::Recursion(_) | Motion::Function("sqrt", _))) {
            return Ok(p);
        }
        loop {
            spend(100)?;
            let mut symbols: Vec<(i64, usize, Variable)> =
                p.variables().into_iter().filter_map(|v| scheduled(v).map(|(j, o)| (o, j, v))).collect();
            symbols.sort();
            let mut next = None;
            for (offset, j, v) in symbols.into_iter().rev() {
                match &self.list[j].motion {
                    Motion::Recursion(value) => {
                        let value = self.advanced(value, offset - 1)?;
                        let known = |w: Variable| scheduled(w).is_none_or(|(i, o)| self.is_closed(i) || o >= base);
                        if value.variables().into_iter().all(known) {
                            next = Some(replace(&p, v, &value)?);
                        }
                    }
                    Motion::Function("sqrt", radicand) if p.degree_in(v) > 1 => {
                        next = Some(resolve_squares(&p, v, &self.advanced(radicand, offset)?)?);
                    }
                    _ => {}
                }
                if next.is_some() {
                    break;
                }
            }
            match next {
                Some(found) => p = found,
                None => return self.without_signs(&p),
            }
        }
    }

    /// The same without squares of (−1)ᵏ, which are 1.
    pub fn without_signs(&self, p: &Polynomial) -> Result<Polynomial, Exhausted> {
        let minus = RationalFunction::integer(-1);
        let is_sign = |v: &Variable| {
            let motion = scheduled(*v).and_then(|(j, _)| self.list.get(j)).map(|s| &s.motion);
            matches!(motion, Some(Motion::Power(base)) if *base == minus) && p.degree_in(*v) > 1
        };
        let signs = p.variables().into_iter().filter(is_sign);
        signs.into_iter().try_fold(p.clone(), |p, v| resolve_squares(&p, v, &RationalFunction::one()))
    }

    /// The coefficients with respect to everything that changes with the index.
    pub fn coefficients(&self, p: &Polynomial) -> Vec<Polynomial> {
        let symbol = p.variables().into_iter().find(|v| scheduled(*v).is_some());
        match symbol {
            None => vec![p.clone()],
            Some(v) => {
                p.coefficients_in(v).iter().filter(|c| !c.is_zero()).flat_map(|c| self.coefficients(c)).collect()
            }
        }
    }

    /// A value where the index is 0: so is k, and bᵏ is 1.
    fn at_start(&self, value: &RationalFunction) -> Option<RationalFunction> {
        let there = |v: Variable| match self.list.get(scheduled(v)?.0)?.motion {
            Motion::Clock => Some(RationalFunction::zero()),
            Motion::Power(_) => Some(RationalFunction::one()),
            _ => None,
        };
        value.substitute(&there).ok()?
    }

    /// What a symbol is called: `alpha[k+1]`, `k`, `beta^k`, `sqrt(1 + 4*t[k]^2)`. Without an index
    /// letter the index is 0: `alpha[1]`.
    pub fn text(&self, v: Variable, letter: &str, names: &dyn Fn(Variable) -> String) -> Option<String> {
        let (j, offset) = scheduled(v)?;
        let schedule = self.list.get(j)?;
        Some(match &schedule.motion {
            Motion::Clock if letter.is_empty() => "0".to_string(),
            Motion::Power(_) if letter.is_empty() => "1".to_string(),
            Motion::Clock | Motion::Power(_) => schedule.name.clone(),
            Motion::Function(function, argument) => {
                let inner = self.advanced(argument, offset).ok()?;
                let inner = if letter.is_empty() { self.at_start(&inner)? } else { inner };
                if let ("sqrt", Some(n)) = (*function, inner.as_rational())
                    && let Some(root) = rational_root(&n)
                {
                    return Some(root.to_string());
                }
                format!("{function}({})", plain(&inner, &|w| self.text(w, letter, names).unwrap_or_else(|| names(w))))
            }
            Motion::Free | Motion::Recursion(_) => {
                let (n, s) = schedule.phase;
                let letter = if n == 1 || letter.is_empty() { letter.to_string() } else { format!("{n}{letter}") };
                let at = match (letter.as_str(), n * offset + s) {
                    ("", at) => at.to_string(),
                    (_, 0) => letter,
                    (_, at) => format!("{letter}{at:+}"),
                };
                format!("{}[{at}]", schedule.name)
            }
        })
    }
}

/// The numerator of the polynomial with a value put in.
fn replace(p: &Polynomial, v: Variable, value: &RationalFunction) -> Result<Polynomial, Exhausted> {
    let coefficients = p.coefficients_in(v);
    let mut sum = Polynomial::zero();
    let degree = coefficients.len() - 1;
    for (i, c) in coefficients.iter().enumerate() {
        let above = value.numerator().pow(i as u32)?;
        let below = value.denominator().pow((degree - i) as u32)?;
        sum = &sum + &c.mul(&above)?.mul(&below)?;
    }
    Ok(sum)
}

/// The polynomial with v² replaced, so that v occurs at most to the first power.
pub fn resolve_squares(p: &Polynomial, v: Variable, square: &RationalFunction) -> Result<Polynomial, Exhausted> {
    let coefficients = p.coefficients_in(v);
    let most = (coefficients.len() - 1) / 2;
    let mut parts = [Polynomial::zero(), Polynomial::zero()];
    for (i, c) in coefficients.iter().enumerate() {
        let above = square.numerator().pow((i / 2) as u32)?;
        let below = square.denominator().pow((most - i / 2) as u32)?;
        parts[i % 2] = &parts[i % 2] + &c.mul(&above)?.mul(&below)?;
    }
    Ok(Polynomial::from_coefficients_in(v, &parts))
}

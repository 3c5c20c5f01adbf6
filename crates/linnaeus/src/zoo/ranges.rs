//! Where a card's parameters lie, as far as its own line says so in numbers: `t in (0, 2/L), the step; wd >= 0`.

use crate::relation::behavior::Side;
use crate::system::parameter;
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Integer, Polynomial, Rational, RationalFunction};
use std::cmp::Ordering;

/// Where a parameter lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The parameter.
    pub name: String,
    /// `in (0, 2/L)`, `>= 0`.
    pub text: String,
    low: Option<Bound>,
    high: Option<Bound>,
}

/// An end of a range that is a number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    at: Rational,
    /// Whether it is part of the range.
    is_in: bool,
}

impl Bound {
    /// Nothing if it is no whole number.
    fn new(text: &str, is_in: bool) -> Option<Bound> {
        let at = RationalFunction::integer(text.trim().parse::<i64>().ok()?).as_rational()?;
        Some(Bound { at, is_in })
    }
}

/// What a card says of its parameters. What is not of the form `name, name in (a, b)` or `name > a` says nothing.
pub fn ranges(parameters: &str) -> Vec<Range> {
    parameters.split(';').filter_map(clause).flatten().collect()
}

fn clause(text: &str) -> Option<Vec<Range>> {
    const WORDS: [&str; 5] = [" in ", " >= ", " <= ", " > ", " < "];
    let (at, word) = WORDS.iter().filter_map(|word| Some((text.find(word)?, *word))).min()?;
    let names: Vec<&str> = text[..at].split(',').flat_map(|part| part.split(" and ")).map(str::trim).collect();
    let is_name = |n: &&str| !n.is_empty() && n.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !names.iter().all(is_name) {
        return None;
    }
    let rest = &text[at + word.len()..];
    let (said, low, high) = match word.trim() {
        "in" => interval(rest)?,
        sign => {
            let said = rest.split([',', ' ']).next()?;
            let bound = Some(Bound::new(said, sign.ends_with('='))?);
            if sign.starts_with('>') { (said, bound, None) } else { (said, None, bound) }
        }
    };
    let text = format!("{} {said}", word.trim());
    let range = |n: &&str| Range { name: n.to_string(), text: text.clone(), low: low.clone(), high: high.clone() };
    Some(names.iter().map(range).collect())
}

/// `(0, 2/L)` at the beginning of a text, and its ends.
fn interval(text: &str) -> Option<(&str, Option<Bound>, Option<Bound>)> {
    let (mut depth, mut comma) = (0, None);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 1 => {
                let comma = comma?;
                let low = Bound::new(&text[1..comma], text.starts_with('['));
                return Some((&text[..=i], low, Bound::new(&text[comma + 1..i], c == ']')));
            }
            ')' | ']' => depth -= 1,
            ',' if depth == 1 => comma = Some(i),
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

impl Range {
    /// Whether nothing lies inside.
    pub fn is_empty(&self) -> bool {
        self.low.as_ref().zip(self.high.as_ref()).is_some_and(|(low, high)| match low.at.cmp(&high.at) {
            Ordering::Less => false,
            Ordering::Equal => !(low.is_in && high.is_in),
            Ordering::Greater => true,
        })
    }

    /// Whether a value certainly lies outside.
    fn excludes(&self, value: &Value) -> bool {
        let is_beyond = |bound: &Bound, beyond: Ordering| match against(value, &bound.at) {
            Some(Ordering::Equal) => !bound.is_in,
            found => found == Some(beyond),
        };
        self.low.as_ref().is_some_and(|low| is_beyond(low, Ordering::Less))
            || self.high.as_ref().is_some_and(|high| is_beyond(high, Ordering::Greater))
    }
}

/// How a value compares with a number; nothing where that depends on parameters, which are positive by custom.
fn against(value: &Value, number: &Rational) -> Option<Ordering> {
    let (a, b, radicand) = match value {
        Value::Rational(r) if r.variables().is_empty() => return Some(r.as_rational()?.cmp(number)),
        Value::Rational(r) => return (is_negative(r) && *number >= Rational::ZERO).then_some(Ordering::Less),
        Value::Root { a, b, radicand } => (a.as_rational()? - number, b.as_rational()?, radicand),
    };
    let [rational, irrational] = [&a, &b].map(|x| x.cmp(&Rational::ZERO));
    // Both are on one side, or the larger of the two decides.
    match RationalFunction::polynomial(radicand.clone()).as_rational() {
        _ if rational == irrational || rational == Ordering::Equal => Some(irrational),
        Some(square) => match (&b * &b * square).cmp(&(&a * &a)) {
            Ordering::Greater => Some(irrational),
            Ordering::Less => Some(rational),
            Ordering::Equal => Some(Ordering::Equal),
        },
        None => None,
    }
}

/// Whether a value is negative wherever all parameters are positive, as is plain from its signs.
fn is_negative(value: &RationalFunction) -> bool {
    let all = |p: &Polynomial, sign: Ordering| p.terms().all(|(_, c)| c.cmp(&Integer::ZERO) == sign);
    all(value.numerator(), Ordering::Less) && all(value.denominator(), Ordering::Greater)
}

/// The parameters of a card, the second of two texts, whose values lie where the card does not want them.
pub fn violated(ranges: &[Range], analysis: &Analysis, branch: &Branch) -> Vec<Range> {
    let is_outside = |range: &&Range| {
        let place = analysis.system.parameters.iter().position(|p| *p == range.name);
        let value = place.and_then(|i| branch.values.get(&Side::Second.place(parameter(i))));
        value.is_some_and(|value| range.excludes(value))
    };
    ranges.iter().filter(is_outside).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_compared_with_numbers() {
        let root = |a: i64, b: i64, radicand: i64| Value::Root {
            a: RationalFunction::integer(a),
            b: RationalFunction::integer(b),
            radicand: Polynomial::integer(radicand),
        };
        let told = |value: &Value, n: i64| against(value, &Rational::from(n));
        assert_eq!(told(&root(0, -1, 6), -2), Some(Ordering::Less));
        assert_eq!(told(&root(0, -1, 6), -3), Some(Ordering::Greater));
        assert_eq!(told(&root(1, 2, 5), 5), Some(Ordering::Greater));
        assert_eq!(told(&root(1, -1, 4), -1), Some(Ordering::Equal));
        let unknown = Value::Root {
            a: RationalFunction::zero(),
            b: RationalFunction::integer(-1),
            radicand: Polynomial::variable(parameter(0)),
        };
        assert_eq!((told(&unknown, 1), told(&unknown, -1)), (Some(Ordering::Less), None));
        let (h, one) = (RationalFunction::variable(parameter(0)), RationalFunction::one());
        let negative = [h.neg(), h.neg().sub(&one).unwrap(), h.neg().div(&h.add(&one).unwrap()).unwrap().unwrap()];
        for value in negative.map(Value::Rational) {
            assert_eq!((told(&value, 0), told(&value, -1)), (Some(Ordering::Less), None));
        }
        assert_eq!(told(&Value::Rational(one.sub(&h).unwrap()), 0), None);
    }

    #[test]
    fn ranges_are_read_as_far_as_they_are_numbers() {
        let told = |text: &str| {
            let ends = |b: &Option<Bound>| b.as_ref().map_or("?".to_string(), |b| format!("{} {}", b.at, b.is_in));
            let one = |r: Range| format!("{} {}: {}, {}", r.name, r.text, ends(&r.low), ends(&r.high));
            ranges(text).into_iter().map(one).collect::<Vec<_>>().join("; ")
        };
        for (text, wanted) in [
            ("t in (0, 2/L), the step; wd >= 0, the decay", "t in (0, 2/L): 0 false, ?; wd >= 0: 0 true, ?"),
            ("b1, b2 in [0, 1)", "b1 in [0, 1): 0 true, 1 false; b2 in [0, 1): 0 true, 1 false"),
            ("phi in (1, (1 + sqrt(5))/2], the ratio", "phi in (1, (1 + sqrt(5))/2]: 1 false, ?"),
            ("l1 > 1 and l2 > 1", "l1 > 1: 1 false, ?"),
            ("x0, the starting point and anchor; t_k, with t_0 > 1; beta", ""),
            ("tau > rho*(3/(2 - gamma) - 1)", ""),
            ("M, the part of A that is in (", ""),
        ] {
            assert_eq!(told(text), wanted, "{text}");
        }
    }
}

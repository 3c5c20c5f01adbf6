//! Changing the list of variables a polynomial is written in, and the canonical representation.

use std::borrow::Cow;

use super::{Few, Polynomial, Term, Terms};
use crate::monomial::{Boxed, Monomial, PACKED_MAX, Packed};
use crate::variables::{FEW, Variables};

/// Two polynomials in one frame and one representation.
pub(super) enum Aligned<'a> {
    Narrow(Cow<'a, [Term<Packed>]>, Cow<'a, [Term<Packed>]>),
    Wide(Cow<'a, [Term<Boxed>]>, Cow<'a, [Term<Boxed>]>),
}

impl Polynomial {
    /// The polynomial with these packed terms: unused variables are dropped.
    pub(crate) fn from_narrow(frame: &Variables, terms: Vec<Term<Packed>>) -> Self {
        let support = terms.iter().fold(0, |all, (m, _)| all | m);
        let n = frame.len();
        if (0..n).all(|i| support.exponent(n, i) > 0) {
            // A list that is short enough moves into place.
            let short = terms.len() <= Few::new().inline_size();
            let terms = if short { terms.into_iter().collect() } else { Few::from_vec(terms) };
            return Polynomial { variables: frame.clone(), terms: Terms::Narrow(terms) };
        }
        let kept: Vec<usize> = (0..n).filter(|&i| support.exponent(n, i) > 0).collect();
        let terms = terms.into_iter().map(|(m, c)| (m.restricted(&kept, n), c)).collect();
        Polynomial { variables: sublist(frame, &kept), terms: Terms::Narrow(terms) }
    }

    /// The polynomial with these boxed terms: unused variables are dropped, and the terms packed
    /// if they fit.
    pub(crate) fn from_wide(frame: &Variables, terms: Vec<Term<Boxed>>) -> Self {
        let n = frame.len();
        let degrees = degrees(&terms, n);
        let kept: Vec<usize> = (0..n).filter(|&i| degrees[i] > 0).collect();
        let variables = sublist(frame, &kept);
        let terms = if kept.len() <= FEW && degrees.iter().all(|&d| d <= PACKED_MAX) {
            let pack = |m: Boxed| Packed::from_exponents(&m.restricted(&kept, n).exponents(kept.len()));
            Terms::Narrow(terms.into_iter().map(|(m, c)| (pack(m), c)).collect())
        } else if kept.len() == n {
            Terms::Wide(terms)
        } else {
            Terms::Wide(terms.into_iter().map(|(m, c)| (m.restricted(&kept, n), c)).collect())
        };
        Polynomial { variables, terms }
    }

    /// The packed terms in a larger frame of few variables; `None` for a wide polynomial.
    pub(super) fn narrow_in(&self, frame: &Variables) -> Option<Cow<'_, [Term<Packed>]>> {
        let Terms::Narrow(terms) = &self.terms else {
            return None;
        };
        if self.variables == *frame || self.variables.len() == 0 {
            return Some(Cow::Borrowed(terms));
        }
        let (places, n) = (self.variables.places_in(frame), frame.len());
        let lift = |(m, c): &Term<Packed>| (m.in_frame(&places, n), c.clone());
        Some(Cow::Owned(terms.iter().map(lift).collect()))
    }

    /// The boxed terms in a larger frame.
    pub(super) fn wide_in(&self, frame: &Variables) -> Cow<'_, [Term<Boxed>]> {
        let own = self.variables.len();
        let (places, n) = (self.variables.places_in(frame), frame.len());
        match &self.terms {
            Terms::Wide(terms) if own == n => Cow::Borrowed(terms),
            Terms::Wide(terms) => terms.iter().map(|(m, c)| (m.in_frame(&places, n), c.clone())).collect(),
            Terms::Narrow(terms) => {
                let unpack = |m: &Packed| Boxed::from_exponents(&m.exponents(own));
                terms.iter().map(|(m, c)| (unpack(m).in_frame(&places, n), c.clone())).collect()
            }
        }
    }

    /// Both polynomials in `frame`, packed if both are narrow and the frame is small.
    pub(super) fn aligned<'a>(&'a self, other: &'a Self, frame: &Variables) -> Aligned<'a> {
        if frame.len() <= FEW
            && let (Some(a), Some(b)) = (self.narrow_in(frame), other.narrow_in(frame))
        {
            return Aligned::Narrow(a, b);
        }
        Aligned::Wide(self.wide_in(frame), other.wide_in(frame))
    }
}

/// The largest exponent of each of `n` variables.
pub(super) fn degrees<M: Monomial>(terms: &[Term<M>], n: usize) -> Vec<u32> {
    let mut degrees = vec![0; n];
    for (m, _) in terms {
        for (i, d) in degrees.iter_mut().enumerate() {
            *d = m.exponent(n, i).max(*d);
        }
    }
    degrees
}

fn sublist(frame: &Variables, kept: &[usize]) -> Variables {
    let list: Vec<_> = kept.iter().map(|&i| frame.as_slice()[i]).collect();
    Variables::from_ascending(&list)
}

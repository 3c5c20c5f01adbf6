//! Variables and sorted lists of them.

use std::fmt;

/// A variable is only a number; the caller keeps the names. Variables with a larger number are
/// *more main*: they weigh more in the monomial order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub u32);

/// The most variables a packed monomial holds.
pub(crate) const FEW: usize = 8;

/// A strictly ascending list of variables; up to [`FEW`] of them live in place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Variables {
    /// The length and the variables; unused places hold `Variable(0)`.
    Few(u8, [Variable; FEW]),
    /// More than [`FEW`] variables.
    Many(Vec<Variable>),
}

impl Variables {
    pub(crate) const NONE: Variables = Variables::Few(0, [Variable(0); FEW]);

    /// The list of one variable.
    pub(crate) fn single(v: Variable) -> Self {
        Self::from_ascending(&[v])
    }

    /// The list of the given variables, which must ascend strictly.
    pub(crate) fn from_ascending(list: &[Variable]) -> Self {
        debug_assert!(list.windows(2).all(|w| w[0] < w[1]));
        if list.len() <= FEW {
            let mut few = [Variable(0); FEW];
            few[..list.len()].copy_from_slice(list);
            Variables::Few(list.len() as u8, few)
        } else {
            Variables::Many(list.to_vec())
        }
    }

    pub(crate) fn as_slice(&self) -> &[Variable] {
        match self {
            Variables::Few(len, list) => &list[..usize::from(*len)],
            Variables::Many(list) => list,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.as_slice().len()
    }

    pub(crate) fn position(&self, v: Variable) -> Option<usize> {
        self.as_slice().binary_search(&v).ok()
    }

    /// The variables of either list.
    pub(crate) fn union(&self, other: &Self) -> Self {
        if self == other || other.len() == 0 {
            return self.clone();
        }
        if self.len() == 0 {
            return other.clone();
        }
        let mut all = [self.as_slice(), other.as_slice()].concat();
        all.sort_unstable();
        all.dedup();
        Self::from_ascending(&all)
    }

    /// The place in `frame` of each variable of `self`; `frame` must contain them all.
    pub(crate) fn places_in(&self, frame: &Self) -> Vec<usize> {
        let place = |&v| frame.position(v).expect("the frame contains the variable");
        self.as_slice().iter().map(place).collect()
    }
}

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

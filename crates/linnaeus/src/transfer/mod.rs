//! [`LinearSystem`](crate::system::LinearSystem) → [`Realization`] → transfer matrix.

mod channels;
mod eliminate;
mod fold;
pub mod graph;
mod guises;
mod minimal;
mod mixed;
mod observed;
mod point;
mod realization;
pub mod realize;
mod span;
mod state_space;

pub use channels::Channel;
pub use eliminate::{
    Analysis, Explicitness, Transfer, analyse, explicitness, markov, operators_commute, over_operators, unchanging,
};
pub use fold::{Factor, folded};
pub use guises::united;
pub use minimal::{generic_order, observed_order, order, order_where};
pub use observed::without_onlookers;
pub(crate) use point::Point;
pub use realization::{Realization, State};
pub(crate) use realization::{Timing, realize as realize_calls};
pub(crate) use span::Span;
pub use state_space::StateSpace;
pub(crate) use state_space::chains;

//! Pictures of algorithms, as SVG that needs nothing else. Layouts are functions of what is drawn.

mod block;
mod canvas;
mod cell;
#[cfg(test)]
mod collisions;
mod formula;
mod plane;
mod plot;
#[cfg(test)]
mod tests;
mod unrolled;

pub use block::{Inside, block_diagram};
pub(super) use canvas::{Anchor, Canvas, Look, escaped};
pub(super) use formula::Formula;
pub(super) use plane::{Mark, plane};
pub(super) use plot::{Curve, Panel, plot};
pub(super) use unrolled::channel;
pub use unrolled::unrolled;

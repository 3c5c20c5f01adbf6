//! [`Analysis`](crate::transfer::Analysis) or H → algorithms: other states, other oracles, other times, written
//! as lines that can be run.

mod clearing;
mod desk;
mod division;
pub mod forms;
pub mod given;
pub mod ho_kalman;
pub mod improper;
pub mod minimal;
pub mod model;
mod naming;
pub mod oracles;
pub mod program;
pub mod realized;
pub mod request;
mod scalar;
mod setting;
mod steps;
pub mod transform;
pub mod typed;
mod unroll;
pub mod vector;
mod word_transform;
mod words;

pub use desk::{Effort, Step};
pub use forms::{Form, Forms, Freedom, forms, forms_of};
pub use given::{Draft, Given, draft, read, reason, remedy};
pub use improper::{Improper, WayOut};
pub use minimal::{Coordinates, Reduction, reduced};
pub use model::{Commuting, Label, Model, Name, Port};
pub use program::{Line, Program, Role, Value, program};
pub use realized::{Loop, Realized, Unwritable, realize};
pub use request::{Changed, Denied, Granted, Request};
pub use typed::{Gain, Untyped, typed};
pub use vector::{Cost, Vector};

//! Exact arithmetic over ℚ(parameters)(z).
//!
//! - [`Integer`] and [`Rational`] are `dashu`'s.
//! - [`Polynomial`]: sparse, in any number of variables, over ℤ; canonical, so that equality is
//!   `==`.
//! - [`RationalFunction`]: a quotient of coprime polynomials, canonical too.
//! - [`Bounds`]: two numbers between which one with square roots lies.
//! - [`Matrix`]: over any [`Coefficient`]; over rational functions also rank, determinant, null
//!   space and [`Matrix::transfer`], D + C (zI − A)⁻¹ B.
//!
//! An operation that may be expensive returns `Result<_, Exhausted>`: inside [`with_fuel`] it
//! gives up instead of running for ever.
//!
//! ```
//! use linnaeus_algebra::{Exhausted, RationalFunction, Variable};
//! # fn main() -> Result<(), Exhausted> {
//! let x = RationalFunction::variable(Variable(0));
//! let one = RationalFunction::one();
//! let square_minus_one = x.mul(&x)?.sub(&one)?;
//! assert_eq!(square_minus_one.div(&x.add(&one)?)?, Some(x.sub(&one)?));
//! # Ok(())
//! # }
//! ```

mod bounds;
pub mod factor;
mod fuel;
mod gcd;
mod matrix;
mod monomial;
mod polynomial;
mod rational_function;
mod sign;
pub mod solve;
pub mod sorted;
mod variables;

pub use dashu_int::IBig as Integer;
pub use dashu_ratio::RBig as Rational;

pub use bounds::Bounds;
pub use factor::Factorization;
pub use fuel::{Exhausted, limited, metered, spend, with_fuel};
pub use matrix::{Coefficient, Matrix};
pub use polynomial::{Multiplicative, Polynomial, multiply_mod};
pub use rational_function::RationalFunction;
pub use sign::Sign;
pub use sorted::{SortedMap, SortedSet};
pub use variables::Variable;

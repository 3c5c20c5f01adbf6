//! Text → [`Algorithm`](ast::Algorithm): many notations, one tree.

pub mod ast;
mod declaration;
mod expression;
pub mod lexer;
pub mod names;
mod plain;
mod statement;

pub use plain::parse;

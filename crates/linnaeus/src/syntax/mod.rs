//! Text → [`Algorithm`](ast::Algorithm): many notations, one tree.

pub mod ast;
mod declaration;
mod expression;
pub mod lexer;
pub mod names;
mod plain;
mod statement;
mod vocabulary;

pub use plain::parse;

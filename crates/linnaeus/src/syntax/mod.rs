//! Text → [`Algorithm`](ast::Algorithm): many notations, one tree.

pub mod ast;
mod declaration;
mod expression;
pub mod lexer;
pub mod names;
mod plain;
mod statement;
mod transfer;
mod vocabulary;

pub use plain::parse;
pub use transfer::{TransferText, is_transfer, parse_expression, parse_oracles, parse_transfer};

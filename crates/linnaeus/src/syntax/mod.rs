//! Text → [`Algorithm`](ast::Algorithm): many notations, one tree.

pub mod ast;
mod code;
mod custom;
mod declaration;
mod define;
mod expression;
mod inverse;
mod latex;
pub mod lexer;
pub mod names;
pub mod notation;
mod objective;
mod outside;
mod plain;
pub mod print;
mod sequence;
mod statement;
mod transfer;
mod vocabulary;

pub(crate) use expression::needs_argument;
pub(crate) use latex::{PRAGMA, is_display, is_math, is_structural, read_back};
pub use plain::{parse, parse_as};
pub use transfer::{
    MAX_ROWS, TransferText, is_transfer, is_whole_transfer, parse_expression, parse_oracles, parse_transfer,
};

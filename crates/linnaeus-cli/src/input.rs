//! Gets the text: from a file, standard input, the command line or the zoo.

use crate::arguments::{Input, Inputs, Named};
use crate::folder;
use linnaeus::Reading;
use linnaeus::syntax::notation::Notation;
use linnaeus::system::Coefficients;
use linnaeus::zoo::{Animal, Zoo};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// No more than this is read from a file; the engine's own limit is lower.
pub const MAX_BYTES: u64 = 4_000_000;

/// The text, or why there is none.
pub fn read(input: &Input, folder: Option<&Path>) -> Result<String, String> {
    if let Some(text) = &input.expression {
        return Ok(text.clone());
    }
    read_named(input.file.as_deref().unwrap_or("-"), folder)
}

/// The text of a file, or the equations of a card for `zoo:ID`.
pub fn read_named(name: &str, folder: Option<&Path>) -> Result<String, String> {
    let Some(id) = name.strip_prefix("zoo:") else { return read_file(name) };
    let zoo = folder::zoo(folder)?;
    Ok(find(&zoo, id)?.card.equations.clone())
}

/// The texts of several algorithms.
pub fn texts(inputs: &Inputs, folder: Option<&Path>) -> Result<Vec<String>, String> {
    let text = |named: &Named| match named {
        Named::File(path) => read_named(path, folder),
        Named::Text(text) => Ok(text.clone()),
    };
    inputs.list.iter().map(text).collect()
}

/// Whether one of several algorithms is a card of the zoo.
pub fn has_card(inputs: &Inputs) -> bool {
    inputs.list.iter().any(|named| matches!(named, Named::File(path) if path.starts_with("zoo:")))
}

/// The card with an identifier or a slug.
pub fn find<'a>(zoo: &'a Zoo, id: &str) -> Result<&'a Animal, String> {
    zoo.find(id).ok_or_else(|| zoo.no_card(id))
}

/// The text of a file, or of standard input for `-`.
pub fn read_file(path: &str) -> Result<String, String> {
    let bytes = if path == "-" { all(std::io::stdin().lock()) } else { File::open(path).and_then(all) };
    let bytes = bytes.map_err(|e| format!("cannot read `{path}`: {e}"))?;
    String::from_utf8(bytes).map_err(|_| format!("`{path}` is not text in UTF-8"))
}

/// The text of a paper: in UTF-8, or in Latin-1 where it is not that.
pub fn read_paper(path: &str) -> Result<String, String> {
    let bytes = if path == "-" { all(std::io::stdin().lock()) } else { File::open(path).and_then(all) };
    let bytes = bytes.map_err(|e| format!("cannot read `{path}`: {e}"))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(e) if e.as_bytes().contains(&0) => Err(format!("`{path}` is not text")),
        Err(e) => Ok(e.as_bytes().iter().map(|b| char::from(*b)).collect()),
    }
}

fn all(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a text, in the notation that is asked for or in the one it seems to be written in.
pub fn parse(text: &str, notation: Option<&str>, coefficients: Coefficients) -> Reading {
    let notation = notation.and_then(Notation::from_word).unwrap_or_else(|| Notation::detect(text));
    linnaeus::read_as(text, notation, coefficients)
}

/// What becomes of coefficients that change with the index.
pub fn coefficients(freeze: bool) -> Coefficients {
    if freeze { Coefficients::Frozen } else { Coefficients::AsWritten }
}

//! Gets the text: from a file, standard input or the command line.

use crate::arguments::Input;
use linnaeus::system::Coefficients;
use std::fs::File;
use std::io::Read;

/// No more than this is read from a file; the engine's own limit is lower.
const MAX_BYTES: u64 = 4_000_000;

/// The text, or why there is none.
pub fn read(input: &Input) -> Result<String, String> {
    if let Some(text) = &input.expression {
        return Ok(text.clone());
    }
    read_file(input.file.as_deref().unwrap_or("-"))
}

/// The text of a file, or of standard input for `-`.
pub fn read_file(path: &str) -> Result<String, String> {
    let bytes = if path == "-" { all(std::io::stdin().lock()) } else { File::open(path).and_then(all) };
    let bytes = bytes.map_err(|e| format!("cannot read `{path}`: {e}"))?;
    String::from_utf8(bytes).map_err(|_| format!("`{path}` is not text in UTF-8"))
}

fn all(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What becomes of coefficients that change with the index.
pub fn coefficients(freeze: bool) -> Coefficients {
    if freeze { Coefficients::Frozen } else { Coefficients::AsWritten }
}

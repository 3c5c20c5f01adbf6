//! Linnaeus for the web: text in, JSON out.
//!
//! The functions of [`command`] answer as the command of the same name does with `--json`. Those of [`page`] answer with
//! formulas as LaTeX, for the page. The types of all answers are in `linnaeus.d.ts`, beside this crate's `Cargo.toml`.

pub mod command;
pub mod page;
mod request;

use linnaeus::zoo::{Animal, Zoo};
use linnaeus::{Reading, report};
use std::sync::OnceLock;
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// The zoo as one text.
static PACKED: OnceLock<&str> = OnceLock::new();

/// Takes the zoo, which is a file of its own beside the WebAssembly. It is read when it is first asked for; a second one is ignored.
#[wasm_bindgen]
pub fn take_zoo(packed: String) {
    PACKED.get_or_init(|| packed.leak());
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
extern "C" {
    /// The worker's own: loads the part of the engine that no first question needs (`xtask/src/bin/split.rs`).
    #[wasm_bindgen(js_namespace = globalThis, js_name = linnaeusRest)]
    fn rest();
}

/// Has all of the engine loaded, as the first call does that needs it. Native code is whole.
#[wasm_bindgen]
pub fn complete() {
    #[cfg(target_arch = "wasm32")]
    rest();
}

/// The cards, and what has been computed of them so far.
fn zoo() -> Result<&'static Zoo, String> {
    static ZOO: OnceLock<Result<Zoo, String>> = OnceLock::new();
    let packed = PACKED.get().ok_or("the zoo has not arrived")?;
    let zoo =
        ZOO.get_or_init(|| Zoo::unpack(packed).map_err(|r| format!("the card `{}` of the zoo is damaged", r.slug)));
    zoo.as_ref().map_err(String::clone)
}

/// What the page catches: one sentence, or remarks with their places.
type Answer = Result<String, String>;

fn card(id: &str) -> Result<&'static Animal, String> {
    let zoo = zoo()?;
    zoo.find(id).ok_or_else(|| zoo.no_card(id))
}

/// A text, or the equations of a card for `zoo:ID`.
fn read(text: &str) -> Result<Reading, String> {
    match text.strip_prefix("zoo:") {
        Some(id) => Ok(linnaeus::read(&card(id)?.card.equations)),
        None => Ok(linnaeus::read(text)),
    }
}

/// What is said of texts that were not read.
fn unread(first: &Reading, second: &Reading) -> String {
    report::unread(first, second).to_json()
}

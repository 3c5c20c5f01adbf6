//! The zoo's files as one text, which `Zoo::unpack` reads. Shared by the library's build script and by `cargo xtask web`.

use std::fs;
use std::path::{Path, PathBuf};

/// Every card under a line with its family and slug, then the record of relations under an empty line. U+001E stands before each
/// such line and nowhere else. What was read is told of.
pub fn pack(zoo: &Path, told: &mut dyn FnMut(&Path)) -> String {
    let mut packed = String::new();
    told(zoo);
    for family in entries(zoo).into_iter().filter(|p| p.is_dir()) {
        told(&family);
        for card in entries(&family).into_iter().filter(|p| p.extension().is_some_and(|e| e == "md")) {
            told(&card);
            let text = fs::read_to_string(&card).expect("a card that was listed");
            packed.push_str(&format!("\u{1e}{} {}\n{text}", stem(&family), stem(&card)));
        }
    }
    let record = zoo.join("relations.txt");
    told(&record);
    packed.push_str("\u{1e}\n");
    packed.push_str(&fs::read_to_string(record).unwrap_or_default());
    packed
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).map(|list| list.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    found.sort();
    found
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

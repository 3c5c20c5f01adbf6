//! Lists the cards of the zoo and how they are related, so that both are part of the library.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../zoo");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = String::from("&[\n");
    for family in entries(&root).into_iter().filter(|p| p.is_dir()) {
        println!("cargo::rerun-if-changed={}", family.display());
        for card in entries(&family).into_iter().filter(|p| p.extension().is_some_and(|e| e == "md")) {
            println!("cargo::rerun-if-changed={}", card.display());
            let (family, slug) = (stem(&family), stem(&card));
            let path = fs::canonicalize(&card).expect("a card that was listed");
            writeln!(list, "    ({family:?}, {slug:?}, include_str!({:?})),", path.display().to_string())
                .expect("a string takes text");
        }
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says where"));
    fs::write(out.join("cards.rs"), list).expect("the build folder takes files");
    let relations = fs::read_to_string(root.join("relations.txt")).unwrap_or_default();
    fs::write(out.join("relations.txt"), relations).expect("the build folder takes files");
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

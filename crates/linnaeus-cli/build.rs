//! Lists the files of the page, so that they can be part of the command.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    if env::var_os("CARGO_FEATURE_WEB").is_some() {
        let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
        println!("cargo::rerun-if-changed={}", dist.display());
        let dist = fs::canonicalize(dist).expect("the page is made by `cargo xtask web`");
        collect(&dist, &dist, &mut files);
    }
    let mut list = String::from("&[\n");
    for (name, path) in files {
        writeln!(list, "    ({name:?}, include_bytes!({:?})),", path.display().to_string())
            .expect("a string takes text");
    }
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says where"));
    fs::write(out.join("page.rs"), list + "]\n").expect("the build folder takes files");
}

/// Paths below the root, with slashes.
fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(root, &path, files);
        } else if let Ok(below) = path.strip_prefix(root) {
            files.push((below.to_string_lossy().replace('\\', "/"), path));
        }
    }
}

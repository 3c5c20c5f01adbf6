//! Packs the zoo, so that it is part of the library.

#[path = "pack.rs"]
mod pack;

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=pack.rs");
    if env::var_os("CARGO_FEATURE_EMBEDDED").is_none() {
        return;
    }
    let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../zoo");
    let packed = pack::pack(&zoo, &mut |read| println!("cargo::rerun-if-changed={}", read.display()));
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says where"));
    fs::write(out.join("zoo.txt"), packed).expect("the build folder takes files");
}

//! `linnaeus scan` as a user meets it: files, streams, exit codes, pages.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linnaeus")).args(arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A folder of its own for every test.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    dir
}

fn scan(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_linnaeus"))
        .arg("scan")
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the command runs");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

const DESCENT: &str = r"\[ x^{k+1} = x^k - \tau \nabla f(x^k) \]";

#[test]
fn exit_codes() {
    let dir = folder(
        "codes",
        &[
            ("good.tex", DESCENT),
            ("bad.tex", r"\begin{algorithm} $y^{k+1} = \nabla f(x^{k+1})$ \\ $x^{k+1} = x^k - y^k$ \end{algorithm}"),
            ("none.tex", "No formula."),
        ],
    );
    for (file, expected) in [("good.tex", 0), ("bad.tex", 1), ("none.tex", 0), ("absent.tex", 2)] {
        let (code, out, err) = scan(&dir, &[file]);
        assert_eq!(code, expected, "{file}\n{out}\n{err}");
        assert_eq!(code == 2, out.is_empty(), "{file}");
    }
    assert_eq!(run(&["scan"]).status.code(), Some(2));
}

#[test]
fn a_file_that_cannot_be_read_stops_no_other() {
    let dir = folder("some", &[("good.tex", DESCENT)]);
    std::fs::write(dir.join("latin.tex"), b"caf\xe9 \\[ u^{k+1} = u^k - \\tau \\nabla f(u^k) \\]").expect("written");
    let (code, out, err) = scan(&dir, &["good.tex", "absent.tex", "latin.tex"]);
    assert_eq!(code, 2, "{out}\n{err}");
    assert!(err.contains("absent.tex"), "{err}");
    assert!(out.contains("good.tex") && out.contains("latin.tex") && out.contains("2 algorithms, 2 read"), "{out}");
}

#[test]
fn several_papers_are_compared() {
    let other = r"\begin{align} u^{n+1} &= u^n - \tau \nabla f(u^n) \label{eq:u} \end{align}";
    let dir = folder("several", &[("a.tex", DESCENT), ("b.tex", other)]);
    let (code, out, _) = scan(&dir, &["a.tex", "b.tex", "--json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(code, 0);
    assert_eq!(report["classes"][0]["members"], serde_json::json!([1, 2]));
    assert_eq!(report["listings"][1]["file"], "b.tex");
    assert_eq!(report["listings"][1]["label"], "eq:u");
}

#[test]
fn only_files_of_the_folder_are_included() {
    let dir = folder(
        "included",
        &[
            ("secret.tex", r"\[ s^{k+1} = s^k - \nabla f(s^k) \]"),
            ("paper/main.tex", "\\input{parts/one}\n\\input{../secret}\n\\input{/etc/passwd}\n\\include{main}"),
            ("paper/parts/one.tex", DESCENT),
        ],
    );
    let (code, out, _) = scan(&dir, &["paper/main.tex", "--json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(code, 0);
    assert_eq!(report["listings"].as_array().expect("a list").len(), 1);
    assert_eq!(report["listings"][0]["file"], "parts/one.tex");
    assert_eq!(report["remarks"].as_array().expect("a list").len(), 3);
}

#[test]
fn a_page_carries_all_that_it_needs() {
    let dir = folder("page", &[("a.tex", DESCENT)]);
    let (code, out, _) = scan(&dir, &["a.tex", "--html", "-o", "page.html"]);
    assert_eq!((code, out.as_str()), (0, ""));
    let page = fs::read_to_string(dir.join("page.html")).expect("a page");
    assert!(page.contains("katex.render") && page.contains("data:font/woff2"));
    for outside in ["<script src", "<link", "href=\"http", "@import", "url(fonts"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// The copy of KaTeX is the one that `cargo xtask katex` fetched.
#[test]
fn katex_is_pinned() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("vendor/katex");
    let version = fs::read_to_string(dir.join("VERSION")).expect("the version");
    let mut count = 0;
    for (name, sum) in version.lines().skip(1).filter_map(|l| l.split_once(' ')) {
        let bytes = fs::read(dir.join(name)).expect("a file");
        let found =
            bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |s, b| (s ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
        assert_eq!(format!("{found:016x}"), sum, "{name}");
        count += 1;
    }
    assert_eq!(count, 2);
    assert!(fs::read_to_string(dir.join("LICENSE")).expect("the license").contains("MIT"));
}

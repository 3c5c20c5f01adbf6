//! What the page's engine answers is what the command prints.

use linnaeus_wasm::command;
use std::path::{Path, PathBuf};
use std::process::Command;

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_linnaeus")).args(arguments).output().expect("the command runs");
    String::from_utf8(output.stdout).expect("text")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every example, and a mistake.
fn texts() -> Vec<String> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root().join("examples")).expect("examples").flatten().map(|e| e.path()).collect();
    files.sort();
    let mut texts: Vec<String> = files.iter().map(|f| std::fs::read_to_string(f).expect("a text")).collect();
    texts.push("x[k+1] = x[k] - gard f(x[k])".to_string());
    texts
}

/// The crate has no zoo of its own: the page hands it one.
fn open_zoo() {
    linnaeus_wasm::take_zoo(linnaeus::zoo::PACKED.to_string());
}

fn check(arguments: &[&str], answer: Result<String, String>) {
    let wanted = printed(arguments);
    let answer = answer.unwrap_or_default();
    assert!(wanted.trim_end() == answer.trim_end(), "{arguments:?}:\n{wanted}\n{answer}");
}

#[test]
fn one_text() {
    open_zoo();
    for text in texts() {
        check(&["show", "--json", "-e", &text], command::show(&text));
        check(&["identify", "--json", "-e", &text], command::identify(&text));
        check(&["realize", "--json", "-e", &text], command::realize(&text, ""));
        check(&["realize", "--to", "python", "-e", &text], command::export_as(&text, "", "python"));
        check(&["draw", "--states", "-e", &text], command::draw(&text, "states"));
    }
}

#[test]
fn ways_to_write() {
    for text in texts().iter().step_by(3) {
        check(&["forms", "--json", "-e", text], command::forms(text, ""));
        check(&["forms", "--json", "--dual", "-e", text], command::forms(text, r#"{"dual":true}"#));
        let own = r#"{"own_oracles":true,"repeat":2}"#;
        check(&["forms", "--json", "--own-oracles", "--repeat", "2", "-e", text], command::forms(text, own));
        let set = r#"{"set":["t=1/2"],"state":"observable"}"#;
        check(
            &["realize", "--json", "--set", "t=1/2", "--state", "observable", "-e", text],
            command::realize(text, set),
        );
    }
    // What cannot be done.
    let text = "x[k] = prox_{t f}(s[k]); y[k] = prox_{t g}(2*x[k] - s[k]); s[k+1] = s[k] + y[k] - x[k]";
    check(&["forms", "--json", "--set", "q=1", "-e", text], command::forms(text, r#"{"set":["q=1"]}"#));
    check(&["forms", "--json", "--shift", "1,0", "-e", text], command::forms(text, r#"{"shift":"1,0"}"#));
    let implicit = "subgrad f, subgrad g";
    let asked = format!(r#"{{"oracles":"{implicit}"}}"#);
    check(&["realize", "--json", "--oracles", implicit, "-e", text], command::realize(text, &asked));
    let words = "operators V, W: X -> X; x[k+1] = V*W*x[k] - W*V*grad f(x[k])";
    check(&["forms", "--json", "--repeat", "2", "-e", words], command::forms(words, r#"{"repeat":2}"#));
}

#[test]
fn two_texts() {
    open_zoo();
    let texts = texts();
    for (a, b) in texts.iter().zip(texts.iter().skip(1)) {
        check(&["compare", "--json", "-e", a, "-e", b], command::compare(a, b));
    }
    let (a, b) = ("zoo:douglas_rachford", "zoo:admm_scaled");
    check(&["compare", "--json", a, b], command::compare(a, b));
    check(&["compare", "--latex", a, b], command::proof(a, b, "latex"));
    check(&["compare", "--to", "sympy", a, b], command::proof(a, b, "sympy"));
    check(&["draw", a, b], command::unrolled(a, b));
    check(&["simulate", "--json", "--iterations", "30", a, b], command::simulate(a, b, r#"{"iterations":30}"#, false));
}

#[test]
fn the_zoo() {
    open_zoo();
    check(&["zoo", "list", "--json"], command::zoo_list("", "", ""));
    check(&["zoo", "list", "--json", "inertial", "--oracles", "prox"], command::zoo_list("inertial", "", "prox"));
    check(&["zoo", "list", "--json", "--family", "splitting"], command::zoo_list("", "splitting", ""));
    check(&["zoo", "show", "--json", "ALG-0042"], command::zoo_card("ALG-0042"));
    check(&["zoo", "relations", "--json", "--plain"], command::zoo_relations(true));
    check(&["zoo", "relations", "--json"], command::zoo_relations(false));
}

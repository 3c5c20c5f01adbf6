//! The command as a user meets it: arguments, streams, exit codes, JSON, and the README's promises.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const DOUGLAS_RACHFORD: &str =
    "x1[k+1] = prox_{t f}(x3[k]); x2[k+1] = prox_{t g}(2*x1[k+1] - x3[k]); x3[k+1] = x3[k] + x2[k+1] - x1[k+1]";
const TWO_OPERATORS: &str = "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - t*(A'*u[k] + B'*v[k]); \
                             u[k+1] = prox_{s f*}(u[k] + s*A*x[k+1]); v[k+1] = prox_{s g*}(v[k] + s*B*x[k+1])";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn linnaeus(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linnaeus"));
    command.args(arguments).current_dir(root()).env_remove("NO_COLOR");
    command
}

fn run(arguments: &[&str]) -> Output {
    linnaeus(arguments).output().expect("the command starts")
}

fn run_with_input(arguments: &[&str], text: &str) -> Output {
    let mut child = linnaeus(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(arguments: &[&str]) -> (Value, i32) {
    let output = run(arguments);
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{arguments:?}: {e}: {}", text(&output.stderr)));
    (value, code(&output))
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn file_standard_input_and_argument_are_the_same() {
    let path = "examples/nesterov.txt";
    let content = std::fs::read_to_string(root().join(path)).unwrap();
    let from_file = run(&["show", path]);
    assert_eq!(code(&from_file), 0);
    assert_eq!(run_with_input(&["show", "-"], &content).stdout, from_file.stdout);
    assert_eq!(run(&["show", "-e", &content]).stdout, from_file.stdout);
    assert!(text(&from_file.stdout).contains("Transfer matrix H(z)"));
}

#[test]
fn every_example_is_read() {
    let mut count = 0;
    for file in std::fs::read_dir(root().join("examples")).unwrap() {
        let path = file.unwrap().path();
        let path = path.to_str().expect("a plain name");
        for form in [&["show", path][..], &["show", "--json", path], &["show", "--latex", path]] {
            let output = run(form);
            assert_eq!(code(&output), 0, "{form:?}\n{}", text(&output.stderr));
            assert!(output.stderr.is_empty() && !output.stdout.is_empty(), "{form:?}");
        }
        count += 1;
    }
    assert!(count >= 9);
}

#[test]
fn json_has_the_stated_form() {
    let (show, code) = json(&["show", "--json", "-e", DOUGLAS_RACHFORD]);
    assert_eq!(code, 0);
    let expected = "channels constants diagnostics explicit ignored index minimal_order operators order parameters reading realization \
                    schema signals transfer transfer_scalar";
    assert_eq!(keys(&show), expected.split_whitespace().collect::<Vec<_>>());
    assert_eq!(show["schema"], 1);
    let channel = &show["channels"][0];
    let facts = ["oracle", "kind", "function", "step"].map(|k| channel[k].as_str().unwrap());
    assert_eq!(facts, ["prox_{t f}", "prox", "f", "t"]);
    assert_eq!(show["channels"][1]["oracle"], "prox_{t g}");
    assert_eq!(show["signals"][2]["name"], "x3");
    assert_eq!(show["parameters"], serde_json::json!(["t"]));
    assert_eq!(show["operators"], serde_json::json!([]));
    assert_eq!(show["transfer"], serde_json::json!([["-1/(z - 1)", "1/(z - 1)"], ["(2*z - 1)/(z - 1)", "-1/(z - 1)"]]));
    assert_eq!(show["transfer_scalar"], show["transfer"]);
    assert_eq!(keys(&show["realization"]), ["A", "B", "C", "D", "states"]);
    assert_eq!(show["realization"]["states"], serde_json::json!(["x1[k]", "x2[k]", "x3[k]"]));
    assert_eq!(show["realization"]["D"], serde_json::json!([["0", "0"], ["2", "0"]]));
    assert_eq!(
        (&show["minimal_order"], &show["explicit"], &show["order"]),
        (&1.into(), &true.into(), &serde_json::json!([0, 1]))
    );
    assert_eq!(show["diagnostics"], serde_json::json!([]));
}

#[test]
fn a_channel_without_a_step_says_null() {
    let (show, _) = json(&["show", "--json", "-e", "x[k+1] = x[k] - t*grad f(x[k])"]);
    assert_eq!((&show["channels"][0]["kind"], &show["channels"][0]["step"]), (&"gradient".into(), &Value::Null));
}

#[test]
fn operators_are_described_and_become_one_symbol() {
    let (show, _) = json(&["show", "--json", "examples/chambolle_pock.txt"]);
    let operator = &show["operators"][0];
    assert_eq!(["name", "domain", "codomain"].map(|k| operator[k].as_str().unwrap()), ["A", "X", "Y"]);
    assert_eq!(show["transfer"][0][1], "-tau*adjoint(A)/z");
    assert_eq!(show["transfer_scalar"][0][1], "-tau*A/z");
    assert!(show.get("markov").is_none());
}

#[test]
fn operators_that_do_not_commute_have_markov_parameters() {
    let (show, code) = json(&["show", "--json", "-e", TWO_OPERATORS]);
    assert_eq!(code, 0);
    assert_eq!(show.get("transfer_scalar"), Some(&Value::Null));
    let markov = show["markov"].as_array().expect("a list");
    assert_eq!(markov[0], show["realization"]["D"]);
    assert!(markov.len() > 2);
    assert!(markov.iter().all(|m| m.as_array().is_some_and(|rows| rows.len() == 2)));
}

#[test]
fn an_implicit_algorithm_names_its_loop() {
    let (show, code) = json(&["show", "--json", "-e", "x[k+1] = x[k] - t*subgrad f(x[k+1])"]);
    assert_eq!(code, 0);
    assert_eq!((&show["explicit"], &show["loop"]), (&false.into(), &serde_json::json!([0])));
    assert!(show["order"].is_null());
}

#[test]
fn constants_have_columns_of_their_own() {
    let (show, _) = json(&["show", "--json", "-e", "x[k+1] = x[k] - t*A'*(A*x[k] - b) - t*grad f(x[k])"]);
    assert_eq!(show["constants"][0]["name"], "b");
    assert_eq!(show["transfer_constants"].as_array().map(Vec::len), Some(1));
    assert_eq!(show["transfer"][0].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_bad_text_is_answered_in_json_too() {
    let (show, code) = json(&["show", "--json", "-e", "x[k+1] = x[k]\n  - gard f(x[k]"]);
    assert_eq!(code, 2);
    let (show_one, code_one) = json(&["show", "--json", "-e", "y[k] = x[k]\nx[k+1] = y[k] - gard f(y[k])"]);
    assert_eq!(code_one, 2);
    assert!(!show["diagnostics"].as_array().unwrap().is_empty());
    let found = &show_one["diagnostics"][0];
    assert_eq!(keys(found), ["code", "help", "message", "severity", "span"]);
    assert_eq!((&found["severity"], &found["code"]), (&"error".into(), &"unknown-oracle".into()));
    assert_eq!(
        found["span"],
        serde_json::json!({"start": {"line": 2, "column": 17}, "end": {"line": 2, "column": 21}})
    );
    assert!(found["help"].as_str().unwrap().contains("grad"));
    assert!(show_one.get("transfer").is_none());
}

#[test]
fn a_bad_text_is_answered_on_standard_error() {
    for form in [&["show", "-e", "x[k+1] = x[k]*y[k]"][..], &["show", "--latex", "-e", "x[k+1] = x[k]*y[k]"]] {
        let output = run(form);
        assert_eq!(code(&output), 2);
        assert!(output.stdout.is_empty());
        // How it was read stands before.
        assert!(text(&output.stderr).starts_with("Reading"), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("\nerror: "), "{}", text(&output.stderr));
    }
}

#[test]
fn limits_have_an_exit_code_of_their_own() {
    for form in ["x[k+1] = x[k] - t^999*grad f(x[k])", "x[k+1] = x[k-999] - grad f(x[k])"] {
        assert_eq!(code(&run(&["show", "-e", form])), 3, "{form}");
        let (show, code) = json(&["show", "--json", "-e", form]);
        assert_eq!(code, 3);
        assert!(show["diagnostics"][0]["code"].as_str().unwrap().starts_with("limit-"));
    }
    let long = "# nothing\n".repeat(30_000);
    assert_eq!(code(&run_with_input(&["show", "-"], &long)), 3);
}

#[test]
fn what_cannot_be_opened_is_bad_input() {
    for form in
        [&["show", "no/such/file"][..], &["show", "crates"], &["show"], &["show", "--json", "--latex", "-"], &["what"]]
    {
        let output = linnaeus(form).stdin(Stdio::null()).output().unwrap();
        assert_eq!(code(&output), 2, "{form:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{form:?}");
    }
    let output =
        linnaeus(&["show", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(
            |mut child| {
                child.stdin.take().unwrap().write_all(b"x[k+1] = \xff").unwrap();
                child.wait().unwrap()
            },
        );
    assert_eq!(output.unwrap().code(), Some(2));
}

#[test]
fn pipes_get_no_color() {
    for no_color in [None, Some("1")] {
        for form in [&["show", "-e", DOUGLAS_RACHFORD][..], &["show", "-e", "x[k+1] = gard f(x[k])"]] {
            let mut command = linnaeus(form);
            if let Some(value) = no_color {
                command.env("NO_COLOR", value);
            }
            let output = command.output().unwrap();
            assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{form:?}");
        }
    }
}

#[test]
fn latex() {
    let output = text(&run(&["show", "--latex", "-e", "x[k+1] = x[k] - alpha*grad f(x[k])"]).stdout);
    assert!(output.contains(r"\begin{bmatrix} -\frac{\alpha}{z - 1} \end{bmatrix}"), "{output}");
    assert_eq!(output.matches('{').count(), output.matches('}').count());
    assert_eq!(output.matches(r"\begin").count(), output.matches(r"\end").count());
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

/// The lines of the fenced block that begins after `start`.
fn fenced(after: &str) -> &str {
    let body = after.split_once("```").and_then(|(_, rest)| rest.split_once('\n')).expect("a fence").1;
    body.split_once("```").expect("the fence is closed").0
}

#[test]
fn inputs_of_the_readme_are_read() {
    let readme = readme();
    let blocks: Vec<&str> = readme.split("<!-- input -->").skip(1).map(fenced).collect();
    assert!(blocks.len() >= 3);
    for block in blocks {
        let output = run_with_input(&["show", "-"], block);
        assert_eq!(code(&output), 0, "{block}\n{}", text(&output.stderr));
    }
}

/// In a table marked as input the last code of every row is a text of its own.
#[test]
fn tables_of_the_readme_are_read() {
    let readme = readme();
    let mut count = 0;
    for table in readme.split("<!-- input: last column -->").skip(1) {
        let rows = table.lines().skip_while(|l| !l.starts_with('|')).skip(2).take_while(|l| l.starts_with('|'));
        for row in rows {
            let input = row.rsplit('`').nth(1).unwrap_or_else(|| panic!("no code in {row}"));
            let output = run(&["show", "-e", input]);
            assert_eq!(code(&output), 0, "{input}\n{}", text(&output.stderr));
            count += 1;
        }
    }
    assert!(count >= 20, "{count} rows");
}

/// The output shown is the output, but for blocks that a line `…` stands for.
#[test]
fn output_of_the_readme_is_real() {
    let readme = readme();
    let mut count = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split_once("```").expect("the fence is closed").0;
        let (command, shown) = block.split_once('\n').expect("a command and its output");
        let command = command.strip_prefix("$ cargo run --release -- ").expect("our command");
        // What stands between quotes is one argument.
        let parts = command.split('"').enumerate();
        let arguments: Vec<&str> = parts
            .flat_map(|(n, part)| if n % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
            .collect();
        let output = run(&arguments);
        let all = [text(&output.stdout), text(&output.stderr)].concat();
        let mut rest = all.as_str();
        for part in shown.split("…\n").map(|p| p.trim_matches('\n')).filter(|p| !p.is_empty()) {
            let at = rest.find(part).unwrap_or_else(|| panic!("not printed:\n{part}\nbut\n{all}"));
            rest = &rest[at + part.len()..];
        }
        count += 1;
    }
    assert!(count >= 2);
}

fn architecture() -> String {
    std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap()
}

#[test]
fn limits_are_stated_as_they_are() {
    let text = architecture();
    let table = text.split_once("<!-- limits -->").expect("the table").1;
    let rows = table.lines().skip_while(|l| !l.starts_with('|')).skip(2).take_while(|l| l.starts_with('|'));
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let mut names = cells[3].split('`').skip(1).step_by(2);
        let (name, path) = (names.next().unwrap(), names.next().unwrap());
        let source = std::fs::read_to_string(root().join(path)).unwrap();
        let line = source
            .lines()
            .find(|l| l.contains(&format!("const {name}: ")))
            .unwrap_or_else(|| panic!("no {name} in {path}"));
        assert!(line.ends_with(&format!("= {};", cells[2])), "{row}\n{line}");
        count += 1;
    }
    assert!(count >= 14);
}

#[test]
fn the_json_example_is_real() {
    let text = architecture();
    let (input, rest) = text.split_once("<!-- json: ").expect("the example").1.split_once(" -->").unwrap();
    let shown: Value = serde_json::from_str(fenced(rest)).unwrap();
    assert_eq!(shown, json(&["show", "--json", "-e", input]).0);
}

#[test]
fn the_reading_comes_before_the_answer() {
    let pasted = r"x^{k+1} = x^k - \gamma \nabla f(x^k), \quad k = 0, 1, \dots";
    for command in ["show", "identify"] {
        let shown = text(&run(&[command, "-e", pasted]).stdout);
        assert!(shown.starts_with("Reading, as LaTeX\n"), "{shown}");
        assert!(shown.contains("update         x[k+1] = x[k] - gamma*grad f(x[k])"), "{shown}");
        assert!(shown.contains("`gamma` is a number; otherwise: operator gamma: X -> X"), "{shown}");
    }
    let (shown, _) = json(&["show", "--json", "--from", "latex", "-e", pasted]);
    assert_eq!(shown["reading"]["notation"], "latex");
    assert_eq!(shown["reading"]["lines"][1]["role"], "loop");
    assert_eq!(code(&run(&["show", "--from", "plain", "-e", pasted])), 2);
    let descent = "x[k+1] = x[k] - t*grad f(x[k])";
    let (compared, _) = json(&["compare", "--json", "-e", descent, "-e", r"x_{k+1} = x_k - \eta \nabla f(x_k)"]);
    assert_eq!(compared["readings"][1]["notation"], "latex");
    assert_eq!(compared["verdict"], "related");
}

#[test]
fn compare_has_four_endings() {
    let descent = "x[k+1] = x[k] - t*grad f(x[k])";
    let momentum = "x[k+1] = x[k] - t*grad f(x[k]) + b*(x[k] - x[k-1])";
    let nesterov = "y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - t*grad f(y[k])";
    for (a, b, code, verdict) in [(descent, momentum, 0, "related"), (momentum, nesterov, 1, "distinct")] {
        let output = run(&["compare", "--json", "-e", a, "-e", b]);
        assert_eq!(output.status.code(), Some(code), "{a} and {b}");
        let json: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
        assert_eq!(json["schema"], 1);
        assert_eq!(json["verdict"], verdict);
    }
    assert_eq!(run(&["compare", "-e", descent, "-e", "x[k+1] = gard f(x[k])"]).status.code(), Some(2));
    assert_eq!(run(&["compare", "-e", descent]).status.code(), Some(2));
    let bad = "x[k+1] = gard f(x[k])";
    for (texts, inputs) in
        [([descent, bad], &["second"][..]), ([bad, descent], &["first"]), ([bad, bad], &["first", "second"])]
    {
        let (answer, code) = json(&["compare", "--json", "-e", texts[0], "-e", texts[1]]);
        let unread = answer["unread"].as_array().unwrap();
        assert_eq!(
            (unread.iter().map(|t| t["input"].as_str().unwrap()).collect::<Vec<_>>(), code),
            (inputs.to_vec(), 2)
        );
        assert_eq!(unread[0]["diagnostics"][0]["code"], "unknown-oracle");
    }
}

#[test]
fn compare_says_how() {
    let output = run(&["compare", "--json", "examples/douglas_rachford.txt", "examples/admm.txt"]);
    let json: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(json["relation"], "permutation");
    assert_eq!(json["generality"], "equal");
    assert_eq!(json["shift"], serde_json::json!([1, 0]));
    assert_eq!(json["channel_map"], serde_json::json!([[0, 1], [1, 0]]));
    assert_eq!(json["parameters"]["rho"], "1/t");
    assert_eq!(json["recheck"], "passed");
}

#[test]
fn compare_proves_in_latex() {
    let output = run(&["compare", "--latex", "examples/douglas_rachford.txt", "examples/admm.txt"]);
    assert_eq!(code(&output), 0);
    let tex = text(&output.stdout);
    assert!(tex.contains(r"\paragraph{Claim.}") && tex.contains(r"\paragraph{Proof.}"), "{tex}");
    assert_eq!(code(&run(&["compare", "--latex", "--json", "-", "-"])), 2);
}

/// A folder for a zoo of one's own, empty.
fn own_zoo(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("mine")).unwrap();
    folder
}

/// The card of a newcomer: a copy of another with some words changed.
fn copy_card(folder: &Path, slug: &str, changes: &[(&str, &str)]) -> PathBuf {
    let card = std::fs::read_to_string(root().join("zoo/gradient_momentum/gradient_descent.md")).unwrap();
    let text = changes.iter().fold(card, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let path = folder.join("mine").join(format!("{slug}.md"));
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_zoo_is_in_order() {
    let output = run(&["zoo", "check"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains(" cards, ") && output.stderr.is_empty());
    assert_eq!(code(&run(&["zoo", "check", "--write"])), 2);
    assert_eq!(code(&run(&["zoo", "check", "--zoo", "no/such/folder"])), 2);
    assert_eq!(code(&run(&["zoo", "check", "--zoo", "zoo"])), 0);
}

#[test]
fn a_new_card_is_told_what_it_is() {
    let folder = own_zoo("new");
    let dir = folder.to_str().unwrap();
    let id = ("ALG-0001", "ALG-9001");
    copy_card(&folder, "twin", &[id]);
    let output = run(&["zoo", "check", "--zoo", dir]);
    let told = text(&output.stdout);
    assert_eq!(code(&output), 1, "{told}");
    assert!(told.contains("ALG-9001 duplicates ALG-0001 gradient_descent: the same calls"), "{told}");
    assert!(told.contains("ALG-9001 is an instance of ALG-0002 heavy_ball"), "{told}");
    let written = run(&["zoo", "check", "--write", "--zoo", dir]);
    assert_eq!(code(&written), 0, "{}", text(&written.stdout));
    let again = text(&run(&["zoo", "check", "--zoo", dir]).stdout);
    assert!(again.contains("; 0 pairs compared"), "{again}");
    let record = std::fs::read_to_string(folder.join("relations.txt")).unwrap();
    assert!(record.contains("ALG-0001 ALG-9001 oracle equal\n") && !record.contains("ALG-0001 ALG-0002 "));
    std::fs::write(folder.join("relations.txt"), record.replace("ALG-0001 ALG-9001 oracle equal\n", "")).unwrap();
    let short = run(&["zoo", "check", "--all", "--zoo", dir]);
    assert_eq!(code(&short), 1);
    assert!(text(&short.stdout).contains("ALG-9001 duplicates ALG-0001"), "{}", text(&short.stdout));
}

#[test]
fn transfer_functions_are_recorded() {
    let folder = own_zoo("transfer");
    let dir = folder.to_str().unwrap();
    let path =
        copy_card(&folder, "two", &[("ALG-0001", "ALG-9001"), ("x[k+1] = x[k] - ", "x[k+1] = x[k] - x[k-1] + ")]);
    let output = run(&["zoo", "check", "--zoo", dir]);
    assert_eq!(code(&output), 1);
    assert!(text(&output.stdout).contains("not the one computed"), "{}", text(&output.stdout));
    assert_eq!(code(&run(&["zoo", "check", "--write", "--zoo", dir])), 0);
    assert!(std::fs::read_to_string(path).unwrap().contains("z**2"));
    assert_eq!(code(&run(&["zoo", "check", "--zoo", dir])), 0);
}

#[test]
fn cards_are_looked_at_where_they_are_and_as_they_are_saved() {
    let folder = own_zoo("strange");
    let dir = folder.to_str().unwrap();
    let deep = folder.join("mine").join("deeper").join("still");
    std::fs::create_dir_all(&deep).unwrap();
    let marked = copy_card(&folder, "marked", &[("ALG-0001", "ALG-9001")]);
    let card = std::fs::read_to_string(&marked).unwrap();
    std::fs::write(deep.join("below.md"), &card).unwrap();
    std::fs::write(&marked, format!("\u{feff}{card}")).unwrap();
    let output = run(&["zoo", "check", "--zoo", dir]);
    let told = text(&output.stdout);
    assert_eq!(code(&output), 1, "{told}");
    assert!(told.contains("below.md:\nerror: a card stands in the folder of its family"), "{told}");
    assert!(told.contains("ALG-9001 duplicates ALG-0001") && !told.contains("begins with"), "{told}");
}

#[test]
fn a_broken_card_is_underlined() {
    let folder = own_zoo("broken");
    let dir = folder.to_str().unwrap();
    copy_card(&folder, "step", &[("ALG-0001", "ALG-9001"), ("grad f", "gard f")]);
    copy_card(&folder, "nameless", &[("ALG-0001", "ALG-9002"), ("\n# ", "\n")]);
    copy_card(&folder, "taken", &[]);
    let output = run(&["zoo", "check", "--zoo", dir]);
    let told = text(&output.stdout);
    assert_eq!(code(&output), 1);
    assert!(told.contains("mine/step.md:\nerror: there is no oracle `gard`\n") && told.contains("^^^^"), "{told}");
    assert!(told.contains("mine/nameless.md:\nerror: the name is missing\n"), "{told}");
    assert!(told.contains("mine/taken.md:\nerror: `ALG-0001` is the card `gradient_descent` already\n"), "{told}");
    let shown = run(&["show", "zoo:heavy_ball", "--zoo", dir]);
    assert_eq!(code(&shown), 0);
    assert!(text(&shown.stderr).contains("mine/nameless.md"));
}

#[test]
fn cards_are_listed() {
    let count = |arguments: &[&str]| {
        let (list, code) = json(&[&["zoo", "list", "--json"], arguments].concat());
        let cards = list["cards"].as_array().unwrap().clone();
        assert_eq!(code, i32::from(cards.is_empty()));
        cards
    };
    let all = count(&[]);
    assert_eq!(keys(&all[0]), ["family", "id", "name", "oracles", "problem", "slug", "year"]);
    let family = count(&["--family", "splitting"]);
    assert!(family.len() < all.len() && family.iter().all(|c| c["family"] == "splitting"));
    let three = count(&["--oracles", "prox,grad,prox"]);
    assert!(
        three.iter().any(|c| c["slug"] == "davis_yin")
            && three.iter().all(|c| c["oracles"].as_array().unwrap().len() == 3)
    );
    assert!(count(&["douglas-rachford", "inertial"]).iter().any(|c| c["slug"] == "inertial_douglas_rachford"));
    assert!(count(&["there is no such word"]).is_empty());
    assert_eq!(code(&run(&["zoo", "list", "--family", "splittings"])), 2);
    assert_eq!(code(&run(&["zoo", "list", "--oracles", "prax"])), 2);
}

#[test]
fn a_card_is_shown() {
    for id in ["ALG-0128", "alg-0128", "douglas_rachford"] {
        let shown = text(&run(&["zoo", "show", id]).stdout);
        for part in
            ["ALG-0128 Douglas", "prox_{tg}", "The same\n", "admm_scaled", "Special case of\n", "doi:10.1137/0716071"]
        {
            assert!(shown.contains(part), "{part}\n{shown}");
        }
    }
    let (card, _) = json(&["zoo", "show", "--json", "douglas_rachford"]);
    assert_eq!(card["show"]["minimal_order"], 1);
    assert!(card["class"].as_array().unwrap().contains(&"ALG-0136".into()));
    let related = card["related"].as_array().unwrap();
    let relaxed = related.iter().find(|r| r["slug"] == "relaxed_douglas_rachford").unwrap();
    assert_eq!((&relaxed["relation"], &relaxed["generality"]), (&"oracle".into(), &"instance".into()));
    assert!(text(&run(&["zoo", "show", "--bibtex", "douglas_rachford"]).stdout).starts_with('@'));
    let output = run(&["zoo", "show", "dougles_rachford"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("did you mean `douglas_rachford`?"));
}

#[test]
fn the_graph_is_printed() {
    let (graph, _) = json(&["zoo", "relations", "--json"]);
    assert_eq!(keys(&graph), ["edges", "nodes", "schema"]);
    let (plain, _) = json(&["zoo", "relations", "--json", "--plain"]);
    let edges = |g: &Value| g["edges"].as_array().unwrap().len();
    assert!(edges(&plain) < edges(&graph));
    assert!(text(&run(&["zoo", "relations", "--dot"]).stdout).starts_with("digraph"));
    assert!(text(&run(&["zoo", "relations", "--svg"]).stdout).ends_with("</svg>\n"));
    let lines = text(&run(&["zoo", "relations", "--plain"]).stdout);
    assert_eq!(lines.lines().count(), edges(&plain));
    assert!(lines.contains("ALG-0001 gradient_descent is an instance of ALG-0002 heavy_ball: the same calls"));
}

#[test]
fn cards_are_algorithms_too() {
    assert_eq!(code(&run(&["compare", "zoo:extra", "zoo:ALG-0001"])), 0);
    assert_eq!(code(&run(&["compare", "zoo:no_such_card", "zoo:ALG-0001"])), 2);
    let folder = own_zoo("named");
    copy_card(&folder, "my_step", &[("ALG-0001", "ALG-9001")]);
    let dir = folder.to_str().unwrap();
    let output = run(&["compare", "--zoo", dir, "zoo:my_step", "zoo:gradient_descent", "--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(code(&run(&["zoo", "show", "my_step", "--zoo", dir])), 0);
}

#[test]
fn draw_has_four_endings() {
    for file in ["examples/douglas_rachford.txt", "examples/two_operators.txt", "zoo:extragradient"] {
        let plain = run(&["draw", file]);
        assert_eq!(code(&plain), 0, "{}", text(&plain.stderr));
        assert!(text(&plain.stdout).starts_with("<svg ") && plain.stderr.is_empty());
        assert!(text(&run(&["draw", "--states", file]).stdout).contains("⁻¹"));
    }
    let pair = run(&["draw", "examples/douglas_rachford.txt", "examples/admm.txt"]);
    assert!(code(&pair) == 0 && text(&pair.stdout).contains("left out by B"));
    let distinct = run(&["draw", "examples/nesterov.txt", "-e", "x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])"]);
    assert_eq!(code(&distinct), 1);
    let told = text(&distinct.stderr);
    assert!(distinct.stdout.is_empty() && told.starts_with("Distinct: ") && told.contains("  run "), "{told}");
    for bad in [
        &["draw"][..],
        &["draw", "no/such/file"],
        &["draw", "-e", "x[k+1] ="],
        &["draw", "-e", "x", "-e", "x", "-e", "x"],
    ] {
        assert_eq!(code(&run(bad)), 2, "{bad:?}");
    }
    assert_eq!(code(&run(&["draw", "-e", "x[k+1] = x[k-999] - grad f(x[k])"])), 3);
    assert_eq!(code(&run(&["draw", "examples/admm.txt", "-o", "no/such/folder/picture.svg"])), 2);
}

#[test]
fn simulate_has_four_endings() {
    let (report, code_one) =
        json(&["simulate", "--json", "examples/admm.txt", "--iterations", "5", "--set", "rho=1/2"]);
    assert_eq!(code_one, 0);
    assert_eq!(keys(&report), ["A", "assigned", "parameters", "problem", "schema"]);
    assert_eq!(
        (&report["parameters"][0]["value"], &report["parameters"][0]["reason"]),
        (&0.5.into(), &"as set".into())
    );
    assert_eq!(report["A"]["queries"].as_array().map(Vec::len), Some(5));
    let (pair, _) =
        json(&["simulate", "--json", "examples/douglas_rachford.txt", "examples/admm.txt", "--problem", "quadratic"]);
    let largest =
        pair["differences"].as_array().unwrap().iter().flat_map(|r| r.as_array().unwrap()).filter_map(Value::as_f64);
    assert!(largest.fold(0.0, f64::max) < 1e-12);
    let heavy_ball = "x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])";
    let (distinct, ending) = json(&["simulate", "--json", "examples/nesterov.txt", "-e", heavy_ball]);
    assert_eq!((ending, &distinct["no_iterates"]), (1, &"the two are not known to be related".into()));
    for bad in [
        &["simulate"][..],
        &["simulate", "examples/admm.txt", "--problem", "lazzo"],
        &["simulate", "examples/admm.txt", "--set", "rho"],
        &["simulate", "examples/admm.txt", "--set", "rho=much"],
        &["simulate", "examples/admm.txt", "--assign", "f=l2"],
        &["simulate", "-e", "x[k+1] = x[k] - t*grad f(x[k+1]) - t*prox_{s g}(x[k+1])"],
    ] {
        let output = run(bad);
        assert!(code(&output) == 2 && !output.stderr.is_empty(), "{bad:?}");
    }
    assert_eq!(code(&run(&["simulate", "examples/admm.txt", "--iterations", "10001"])), 3);
}

/// Every picture in the README is what the command below it makes.
#[test]
fn pictures_of_the_readme_are_real() {
    let readme = readme();
    let mut count = 0;
    for part in readme.split("<!-- picture: ").skip(1) {
        let command = part.split_once(" -->").expect("a command").0;
        let path = part.split_once("](").expect("a picture").1.split_once(')').unwrap().0;
        let kept = std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
        let mut words: Vec<&str> = command.split_whitespace().collect();
        let folder = std::env::temp_dir().join(format!("linnaeus-picture-{}-{count}.svg", std::process::id()));
        words.extend(["-o", folder.to_str().expect("a plain name")]);
        let output = run(&words);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(std::fs::read_to_string(&folder).unwrap(), kept, "make {path} anew: linnaeus {command} -o {path}");
        std::fs::remove_file(folder).unwrap();
        count += 1;
    }
    assert_eq!(count, 3);
}

#[test]
fn realize_prints_what_can_be_read_again() {
    let text = text(&run(&["realize", "examples/admm.txt"]).stdout);
    assert!(text.starts_with("# stores 2 vectors, 3 as written"), "{text}");
    let output = run(&["compare", "examples/admm.txt", "-e", &text, "--only", "oracle"]);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let (report, code) = json(&["realize", "--json", "-e", "x[k+1] = x[k] - 1/4*grad f(x[k])"]);
    assert_eq!((code, &report["cost"]["stored"], &report["balanced"]["numerical_rank"]), (0, &1.into(), &1.into()));
    assert_eq!(report["text"], "x[k+1] = x[k] - 1/4*grad f(x[k])\n");
}

#[test]
fn realize_and_forms_have_exit_codes() {
    let gradient = "x[k+1] = x[k] - t*grad f(x[k])";
    for (arguments, code) in [
        (vec!["realize", "-e", gradient], 0),
        (vec!["realize", "-e", "x[k+1] = x[k] - t*grad f(x[k+1])"], 2),
        (vec!["realize", "-e", "oracles: prox_f; H = [[z]]"], 2),
        (vec!["realize", "-e", "x[k+1] = x[k] - alpha[k]*grad f(x[k])"], 0),
        (vec!["realize", "--freeze", "-e", "x[k+1] = x[k] - alpha[k]*grad f(x[k])"], 0),
        (vec!["realize", "-e", gradient, "--to", "control"], 2),
        (vec!["realize", "-e", gradient, "--map"], 0),
        (vec!["realize", "-e", gradient, "--inverse"], 2),
        (vec!["realize", "-e", "x[k+1] = x[k] - t*grad f(x[k+1])", "--inverse"], 0),
        (vec!["realize", "-e", gradient, "--numeric"], 2),
        (vec!["realize", "-e", gradient, "--set", "t=1/2", "--numeric", "--tolerance", "1e-6"], 0),
        (vec!["realize", "-e", gradient, "--set", "t=1/2", "--numeric", "--tolerance", "2"], 2),
        (vec!["realize", "-e", gradient, "--set", "t=k"], 2),
        (vec!["forms", "-e", "x[k+1] = x[k] - alpha[k]*grad f(x[k])"], 0),
        (vec!["forms", "-e", "x[k+1] = x[k] - alpha[k]*grad f(x[k])", "--dual"], 2),
        (vec!["realize", "-e", gradient, "--set", "t=1/2", "--to", "control"], 0),
        (vec!["realize", "zoo:nesterov", "--state", "observable", "--to", "julia"], 0),
        (vec!["show", "zoo:nesterov", "--to", "python"], 0),
        (vec!["forms", "-e", gradient, "--repeat", "1000"], 3),
        (vec!["forms", "-e", gradient, "--conjugate", "g"], 2),
        (vec!["forms", "zoo:douglas_rachford", "--best"], 0),
        (vec!["forms", "zoo:douglas_rachford", "--to", "pepit"], 0),
        (vec!["forms", "examples/two_operators.txt"], 0),
        (vec!["compare", "zoo:heavy_ball", "zoo:ema_momentum", "--to", "sympy"], 0),
        (vec!["compare", "zoo:heavy_ball", "zoo:nesterov", "--to", "sympy"], 2),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output.stderr));
        let is_remark = text(&output.stderr).starts_with("note: ");
        assert_eq!(code == 0, output.stderr.is_empty() || is_remark, "{arguments:?}");
    }
}

#[test]
fn forms_are_listed_as_data() {
    let (report, code) = json(&["forms", "--json", "--own-oracles", "examples/pd3o.txt"]);
    assert_eq!(code, 0);
    let forms = report["forms"].as_array().unwrap();
    let mut shifts: Vec<String> = forms.iter().map(|f| f["shift"].to_string()).collect();
    shifts.sort();
    shifts.dedup();
    assert_eq!(shifts, ["[0,0,0]", "[0,0,1]", "[0,1,1]"]);
    assert_eq!(report["complete"], true);
}

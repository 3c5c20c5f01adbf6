//! What leaves the engine as code runs, and does what the text does.

mod support;

use linnaeus::relation::{Relation, Verdict, compare};
use linnaeus::report::{self, Format};
use linnaeus::source::Source;
use linnaeus::synthesis::{Commuting, Coordinates, Given, Program, Realized, Vector, realize};
use linnaeus::system::{LinearSystem, operator_symbol, parameter};
use linnaeus::transfer::{Analysis, Explicitness};
use linnaeus_algebra::{RationalFunction, Variable};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::corpus;
use support::simulate::{Experiment, P, Runs, STEPS};

const GOLDEN: &str = include_str!("corpus/golden.txt");

fn read(text: &str) -> Analysis {
    linnaeus::read(text).analysis.unwrap_or_else(|| panic!("refused: {text}"))
}

fn minimal(analysis: &Analysis) -> Option<Realized> {
    let model = Commuting::new(analysis)?;
    Some(realize(&Given::Commuting(model), Some(Coordinates::Minimal)).unwrap())
}

/// The listings and cards, with what each is called.
fn texts() -> Vec<(String, String)> {
    let golden = corpus(GOLDEN).into_iter().filter(|e| e.one("error").is_none()).map(|e| (e.label, e.text));
    let zoo = linnaeus::zoo::Zoo::embedded();
    let cards = zoo.animals().iter().map(|a| (a.card.slug.clone(), a.card.equations.clone()));
    golden.chain(cards).collect()
}

fn python() -> Option<PathBuf> {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|o| o.status.success());
    found.then(|| PathBuf::from("python3"))
}

/// A Python that has a package: the one at hand, or an environment made for it.
fn python_with(package: &str) -> Option<PathBuf> {
    let import = format!("import {package}");
    let has_it = |p: &Path| Command::new(p).args(["-c", &import]).output().is_ok_and(|o| o.status.success());
    let python = python()?;
    if has_it(&python) {
        return Some(python);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(package);
    let own = folder.join("bin").join("python");
    if !has_it(&own) {
        run(Command::new(&python).args(["-m", "venv"]).arg(&folder));
        run(Command::new(&own).args(["-m", "pip", "install", "--quiet", package]));
    }
    Some(own)
}

fn python_with_sympy() -> Option<PathBuf> {
    python_with("sympy")
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{told}");
    String::from_utf8(output.stdout).unwrap()
}

fn run_script(python: &Path, name: &str, script: &str) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.py", std::process::id()));
    std::fs::write(&file, script).unwrap();
    let said = run(Command::new(python).arg(&file));
    std::fs::remove_file(&file).unwrap();
    said
}

/// Numbers modulo 2⁶¹ − 1, in place of vectors and parameters.
const FIELD: &str = r#"
import json
P = 2**61 - 1

class N:
    def __init__(self, n): self.n = n % P
    def __add__(self, o): return N(self.n + of(o))
    __radd__ = __add__
    def __sub__(self, o): return N(self.n - of(o))
    def __rsub__(self, o): return N(of(o) - self.n)
    def __mul__(self, o): return N(self.n * of(o))
    __rmul__ = __mul__
    def __neg__(self): return N(-self.n)
    def __truediv__(self, o): return N(self.n * pow(of(o), P - 2, P))
    def __rtruediv__(self, o): return N(of(o) * pow(self.n, P - 2, P))
    def __pow__(self, e): return N(pow(self.n, e, P))

def of(o):
    return o.n if isinstance(o, N) else o

def case(source, states, names, ports, answers, gains, numbers, constants, functions):
    """Runs a program on given answers and prints its queries."""
    space = {}
    exec(source, space)
    # A root or a logarithm is a number of its own, which goes with its argument.
    for name in ("sqrt", "exp", "log"):
        space[name] = lambda v, name=name: N(functions[name + str(of(v))])
    queries = [[] for _ in answers]
    turn = {name: 0 for name in names}
    def oracle(name):
        own = ports[name]
        def call(v, *rest):
            port = own[turn[name] % len(own)]
            turn[name] += 1
            queries[port].append(of(v))
            return N(answers[port][len(queries[port]) - 1])
        return call
    arguments = {name: oracle(name) for name in names}
    arguments.update({name: (lambda v, g=g: g * v) for name, g in ((n, N(g)) for n, g in gains.items())})
    arguments.update({name: N(n) for name, n in numbers.items()})
    state = tuple(N(0) for _ in range(states))
    if not constants:
        space["run"](state, len(answers[0]), **arguments)
    else:
        # The simulation gives what enters without an oracle a new value in every iteration.
        for k in range(len(answers[0])):
            arguments.update({name: N(values[k]) for name, values in constants.items()})
            state = space["step"](state, **arguments)
    print(json.dumps(queries))
"#;

/// Ports in the order in which Python calls them.
fn order(v: &Vector, found: &mut Vec<usize>) {
    match v {
        Vector::Value(_) => {}
        Vector::Sum(terms) => terms.iter().for_each(|(_, v)| order(v, found)),
        Vector::Scale(_, v) | Vector::Apply(_, v) | Vector::Solve(_, v) => order(v, found),
        Vector::Call(port, v) => {
            order(v, found);
            found.push(*port);
        }
    }
}

fn value(experiment: &Experiment, system: &LinearSystem, r: &RationalFunction) -> u64 {
    let name = |v: Variable| {
        let operators = (0..system.operators.len()).map(|i| (operator_symbol(i), &system.operators[i].name));
        let parameters = (0..system.parameters.len()).map(|i| (parameter(i), &system.parameters[i]));
        let all: Vec<_> = operators.chain(parameters).collect();
        experiment.named(all.iter().find(|(w, _)| *w == v).expect("a symbol of the text").1)
    };
    r.evaluate_mod(&name, P).expect("an unlucky experiment")
}

/// A call of `case`; nothing where the text says more than the harness knows.
fn harness(analysis: &Analysis, realized: &Realized, experiment: &Experiment) -> Option<String> {
    let program: &Program = &realized.program;
    let source = report::export(realized, Format::Python).unwrap();
    // The names of the arguments are read off the signature.
    let signature = source.split("def step(state").nth(1)?.split(')').next()?;
    let arguments: Vec<&str> = signature.trim_start_matches(", *, ").split(", ").filter(|a| !a.is_empty()).collect();
    let mut calls = Vec::new();
    program.lines.iter().for_each(|l| order(&l.vector, &mut calls));
    let (mut names, mut gains, mut numbers) = (Vec::new(), String::new(), String::new());
    let mut ports: Vec<(String, Vec<usize>)> = Vec::new();
    let mut inverses = Vec::new();
    program.lines.iter().for_each(|l| {
        l.vector.walk(&mut |v| {
            if let Vector::Solve(p, _) = v
                && !inverses.contains(p)
            {
                inverses.push(p.clone());
            }
        })
    });
    let system = &analysis.system;
    for argument in arguments {
        let called = |p: &usize| {
            source.contains(&format!("{argument}(")) && report::oracle_argument(&program.ports[*p]) == argument
        };
        let own: Vec<usize> = calls.iter().copied().filter(|p| called(p)).collect();
        if !own.is_empty() {
            names.push(argument.to_string());
            ports.push((argument.to_string(), own));
        } else if system.constants.iter().any(|c| c.name == argument) {
            continue;
        } else if let Some(n) = argument.strip_prefix("inverse").and_then(|n| n.parse::<usize>().ok()) {
            let symbol = |l: linnaeus::operator::Letter| {
                let s = RationalFunction::variable(operator_symbol(l.operator as usize));
                if l.inverse { s.inverse().unwrap() } else { s }
            };
            let below = inverses[n - 1].commuting(&symbol).unwrap();
            let gain = value(experiment, system, &below.inverse().unwrap());
            write!(gains, "{argument:?}: {gain}, ").unwrap();
        } else if let Some(o) = system.operators.iter().position(|o| {
            [
                &o.name,
                &format!("{}_adjoint", o.name),
                &format!("{}_inverse", o.name),
                &format!("{}_adjoint_inverse", o.name),
            ]
            .contains(&&argument.to_string())
        }) {
            let symbol = RationalFunction::variable(operator_symbol(o));
            let symbol = if argument.ends_with("_inverse") { symbol.inverse().unwrap() } else { symbol };
            write!(gains, "{argument:?}: {}, ", value(experiment, system, &symbol)).unwrap();
        } else {
            let own = |p: &&String| {
                **p == argument
                    || linnaeus::report::expression::name(linnaeus::report::expression::Script::Sympy, p) == argument
            };
            let name = system.parameters.iter().find(own)?;
            write!(numbers, "{argument:?}: {}, ", experiment.named(name)).unwrap();
        }
    }
    let mut answers: Runs = experiment.inputs(analysis);
    let entering = answers.split_off(analysis.channels.len());
    let constants: String =
        system.constants.iter().zip(entering).map(|(c, run)| format!("{:?}: {run:?}, ", c.name)).collect();
    let mut functions = String::new();
    for (v, function, argument) in &system.functions {
        let own = experiment.named(&system.parameters[v.0 as usize]);
        write!(functions, "\"{function}{}\": {own}, ", value(experiment, system, argument)).unwrap();
    }
    let ports: String = ports.iter().map(|(n, list)| format!("{n:?}: {list:?}, ")).collect();
    Some(format!(
        "case({source:?}, {}, {names:?}, {{{ports}}}, {answers:?}, {{{gains}}}, {{{numbers}}}, {{{constants}}}, {{{functions}}})\n",
        program.stored()
    ))
}

#[test]
fn python_makes_the_same_queries() {
    let Some(python) = python() else { return };
    let mut script = FIELD.to_string();
    let mut expected: Vec<(String, Runs)> = Vec::new();
    for (n, (label, text)) in texts().into_iter().enumerate() {
        let analysis = read(&text);
        let explicit = matches!(analysis.explicitness, Explicitness::Explicit(_));
        let sampled = analysis.channels.iter().any(|c| c.oracle.sample.is_some());
        if !explicit || sampled || analysis.channels.is_empty() {
            continue;
        }
        let Some(realized) = minimal(&analysis) else { continue };
        let experiment = Experiment::new(n as u64);
        let Some(call) = harness(&analysis, &realized, &experiment) else { continue };
        let of_channels = |calls: Runs| analysis.channels.iter().map(|c| calls[c.call].clone()).collect();
        let simulated = experiment.as_written(&text, &analysis).map(of_channels);
        let simulated = simulated.or_else(|| experiment.by_realization(&analysis));
        script += &call;
        expected.push((label, simulated.unwrap()));
    }
    assert!(expected.len() > 200, "{} programs were run", expected.len());
    let said = run_script(&python, "programs", &script);
    let found: Vec<Runs> = said.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(found.len(), expected.len());
    for ((label, expected), found) in expected.iter().zip(found) {
        assert_eq!(found.iter().map(Vec::len).max(), Some(STEPS), "{label}");
        assert_eq!(found, *expected, "{label}");
    }
}

/// Sequences of numbers, the index and its powers, against the same lines written by hand.
const CHANGING: &str = r#"
def near(a, b):
    assert abs(a - b) < 1e-12 * (1 + abs(b)), (a, b)

grad_f = lambda v: v**3 + 2*v
prox_g = lambda v, t: v / (1 + 3*t)

def fista(steps):
    t, before, x = 1.0, 0.5, 2.0
    for _ in range(steps):
        after = (1 + (1 + 4*t*t)**0.5)/2
        y = x + (t - 1)/after*(x - before)
        t, before, x = after, x, prox_g(y - 0.1*grad_f(y), 0.1)
    return x

def sequence(j):
    t = 1.0
    for _ in range(j):
        t = (1 + (1 + 4*t*t)**0.5)/2
    return t

def clock(steps):
    before, x = 0.5, 2.0
    for k in range(steps):
        y = x + k/(k + 3)*(x - before)
        before, x = x, y - 0.1*grad_f(y)
    return x

def power(steps):
    x = 2.0
    for k in range(steps):
        x = x - (0.1*0.5**k + (k + 1)**-2.0)*grad_f(x)
    return x
"#;

#[test]
fn coefficients_that_change_are_counted() {
    let Some(python) = python() else { return };
    let cases = [
        (
            "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k] = x[k] + (t[k] - 1)/t[k+1]*(x[k] - x[k-1]); \
             x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))",
            "fista",
            "grad_f=grad_f, prox_g=prox_g, s=0.1, t=sequence",
        ),
        ("y[k] = x[k] + k/(k+3)*(x[k] - x[k-1]); x[k+1] = y[k] - t*grad f(y[k])", "clock", "grad_f=grad_f, t=0.1"),
        (
            "x[k+1] = x[k] - (t*b^k + alpha[k+1])*grad f(x[k])",
            "power",
            "grad_f=grad_f, t=0.1, b=0.5, alpha=lambda j: j**-2.0",
        ),
    ];
    let mut script = CHANGING.to_string();
    for (text, reference, arguments) in cases {
        let draft = linnaeus::synthesis::read(text, linnaeus::system::Coefficients::AsWritten);
        let realized = realize(&draft.given.unwrap(), None).unwrap();
        let source = report::export(&realized, Format::Python).unwrap();
        let start = if realized.program.stored() == 1 { "(2.0,)" } else { "(2.0, 0.5)" };
        let order = realized.program.values.iter().map(|v| v.name.offset).collect::<Vec<_>>();
        assert!(order[0] == 0, "{source}");
        script += &format!(
            "space = {{}}\nexec({source:?}, space)\nfor steps in range(6):\n    \
             near(space[\"run\"]({start}, steps, {arguments})[0], {reference}(steps))\n"
        );
        assert!(report::export(&realized, Format::Pepit).unwrap_err().render(&Source::new("")).contains("--freeze"));
    }
    run_script(&python, "changing", &script);
}

/// A small reader of Julia, which knows nothing of how the text was made.
mod julia {
    use std::collections::BTreeSet;

    const KEYWORDS: &[&str] = &[
        "baremodule",
        "begin",
        "break",
        "catch",
        "const",
        "continue",
        "do",
        "else",
        "elseif",
        "end",
        "export",
        "false",
        "finally",
        "for",
        "function",
        "global",
        "if",
        "import",
        "in",
        "let",
        "local",
        "macro",
        "module",
        "quote",
        "return",
        "struct",
        "true",
        "try",
        "using",
        "while",
    ];

    /// Words, numbers and signs of a line.
    pub fn tokens(line: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            let mut token = c.to_string();
            if c.is_alphanumeric() || c == '_' {
                while chars.peek().is_some_and(|d| d.is_alphanumeric() || *d == '_') {
                    token.extend(chars.next());
                }
            } else if c == '*' && chars.peek() == Some(&'*') {
                token.extend(chars.next());
            }
            if !c.is_whitespace() {
                found.push(token);
            }
        }
        found
    }

    pub fn is_name(token: &str) -> bool {
        token.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }

    /// The lines without comments and documentation.
    pub fn lines(source: &str) -> Vec<&str> {
        source.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#') && !l.starts_with('"')).collect()
    }

    /// Brackets and blocks close, every name is given before it is used, and nothing is Python's.
    pub fn check(source: &str) -> Result<(), String> {
        let mut known: BTreeSet<String> = ["sqrt", "exp", "log", "step", "run"].map(str::to_string).into();
        let mut outside = known.clone();
        let mut blocks = 0;
        for line in lines(source) {
            let all = tokens(line);
            let fail = |why: &str| Err(format!("{why}: {line}"));
            let mut open = Vec::new();
            for t in &all {
                match t.as_str() {
                    "(" | "[" => open.push(t.clone()),
                    ")" if open.pop().as_deref() != Some("(") => return fail("a parenthesis closes nothing"),
                    "]" if open.pop().as_deref() != Some("[") => return fail("a bracket closes nothing"),
                    "**" | "def" | "None" | "True" | "False" | "not" | "and" | "or" | "is" | "pass" | "range"
                    | "self" | "\"" | "'" => return fail("this is Python"),
                    _ => {}
                }
            }
            if !open.is_empty() || line.ends_with(':') {
                return fail("something stays open");
            }
            let names = |part: &[String]| -> Vec<String> { part.iter().filter(|t| is_name(t)).cloned().collect() };
            let free = |part: &[String], known: &BTreeSet<String>| {
                names(part).into_iter().find(|n| !known.contains(n) || KEYWORDS.contains(&n.as_str()))
            };
            match all[0].as_str() {
                "function" => {
                    blocks += 1;
                    outside.insert(all[1].clone());
                    known = outside.iter().cloned().chain(names(&all[2..])).collect();
                }
                "for" => {
                    blocks += 1;
                    if all[2] != "in" {
                        return fail("a loop runs in something");
                    }
                    if let Some(n) = free(&all[3..], &known) {
                        return fail(&format!("`{n}` is not known"));
                    }
                    known.insert(all[1].clone());
                }
                "end" => blocks -= 1,
                "return" => {
                    if let Some(n) = free(&all[1..], &known) {
                        return fail(&format!("`{n}` is not known"));
                    }
                }
                _ => {
                    let Some(sign) = all.iter().position(|t| t == "=") else { return fail("no statement") };
                    // A keyword argument has a sign, too; here only one stands in a line.
                    if all[sign + 1..].contains(&"=".to_string()) {
                        return fail("two signs");
                    }
                    if let Some(n) = free(&all[sign + 1..], &known) {
                        return fail(&format!("`{n}` is not known"));
                    }
                    let given = names(&all[..sign]);
                    if given.is_empty() || given.iter().any(|n| KEYWORDS.contains(&n.as_str())) {
                        return fail("nothing is given a value");
                    }
                    known.extend(given);
                }
            }
        }
        if blocks == 0 { Ok(()) } else { Err(format!("{blocks} blocks stay open")) }
    }
}

/// The names between the parentheses of the first function, the state aside.
fn signature(line: &str) -> Vec<String> {
    let inside = line.split_once('(').unwrap().1.rsplit_once(')').unwrap().0;
    julia::tokens(inside).into_iter().filter(|t| julia::is_name(t)).collect()
}

/// Julia is well formed, and its statements are those of Python one by one.
#[test]
fn julia_says_what_python_says() {
    let mut count = 0;
    for (label, text) in texts() {
        let draft = linnaeus::synthesis::read(&text, linnaeus::system::Coefficients::AsWritten);
        let realized = realize(&draft.given.unwrap(), None).unwrap();
        let (Ok(python), Ok(source)) =
            (report::export(&realized, Format::Python), report::export(&realized, Format::Julia))
        else {
            assert!(matches!(realized.program.explicitness, Explicitness::Implicit(_)), "{label}");
            continue;
        };
        julia::check(&source).unwrap_or_else(|why| panic!("{label}: {why}\n{source}"));
        let python: Vec<&str> = julia::lines(&python).into_iter().skip_while(|l| !l.starts_with("def step")).collect();
        let source = julia::lines(&source);
        let (ours, theirs) = (signature(source[0]), signature(python[0]));
        assert_eq!(ours.len(), theirs.len(), "{label}");
        let renamed = |line: &str| -> Vec<String> {
            let own = |t: String| match theirs.iter().position(|n| *n == t) {
                Some(i) => ours[i].clone(),
                None if t == "**" => "^".to_string(),
                None => t,
            };
            julia::tokens(line).into_iter().map(own).collect()
        };
        let body = |all: &[&str]| all.iter().position(|l| l.starts_with("return")).unwrap();
        let (n, m) = (body(&source), body(&python));
        assert_eq!(n, m, "{label}");
        for (ours, theirs) in source[1..=n].iter().zip(&python[1..=m]) {
            assert_eq!(julia::tokens(ours), renamed(theirs), "{label}");
        }
        count += 1;
    }
    assert!(count > 250, "{count} programs");
    // The checker can fail.
    for wrong in [
        "function step(state; t)\n    (x,) = state\n    y = x**2\n    return (y,)\nend",
        "function step(state; t)\n    (x,) = state\n    y = x + s\n    return (y,)\nend",
        "function step(state; t)\n    (x,) = state\n    return (x,)\n",
        "function step(state; t)\n    (x,) = state\n    y = (x + t\n    return (y,)\nend",
        "function step(state; t)\n    (end,) = state\n    return (t,)\nend",
        "def step(state):\n    return state",
    ] {
        assert!(julia::check(wrong).is_err(), "{wrong}");
    }
}

/// python-control and PEPit run what they are given.
#[test]
fn scripts_for_other_packages_run() {
    if std::env::var_os("PACKAGES").is_none() && !cached("control") {
        eprintln!("skipped: set PACKAGES=1 to install python-control and PEPit");
        return;
    }
    let Some(control) = python_with("control") else { return };
    let numeric = minimal(&read("y[k] = x[k] + 1/2*(x[k] - x[k-1]); x[k+1] = y[k] - 1/3*grad f(y[k])")).unwrap();
    let mut script = report::export(&numeric, Format::Control).unwrap();
    // H at z = 2, where it is -(1/3)(3/2 z - 1/2)/(z² - 3/2 z + 1/2) = -5/9.
    script += "\nassert abs(complex(system(2)) + 5/9) < 1e-9, system(2)\n";
    run_script(&control, "control", &script);
    let Some(pepit) = python_with("PEPit") else { return };
    for (text, set) in [
        ("x[k+1] = x[k] - 1/2*grad f(x[k])", 0.1),
        ("x[k] = prox_{f}(w[k]); y[k] = prox_{g}(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]", 0.25),
        ("x[k+1] = prox_{1/2 g}(x[k] - 1/2*grad f(x[k]))", 0.25),
    ] {
        let script = report::export(&minimal(&read(text)).unwrap(), Format::Pepit).unwrap();
        let said = run_script(&pepit, "pepit", &script);
        let rate: f64 = said.trim().lines().last().unwrap().parse().unwrap_or_else(|_| panic!("{said}"));
        assert!(rate > 0.0 && rate <= set, "{text}: {rate}");
    }
}

fn cached(package: &str) -> bool {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(package).exists()
}

const LINES: [&str; 6] = [
    "y[k] = x[k] + beta*(x[k] - x[k-1]); x[k+1] = y[k] - 1/3*grad f(y[k])",
    "x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(2*x[k] - w[k]); w[k+1] = w[k] + lambda*(y[k] - x[k])",
    "x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))",
    "x[k+1] = inv(I + t*W)*(x[k] - t*grad f(x[k]))",
    "constant b; x[k+1] = prox_f(x[k]/2 + b)",
    "x[k+1] = x[k] - t*subgrad f(x[k+1])",
];

#[test]
fn sympy_derives_the_same_matrix() {
    let Some(python) = python_with_sympy() else { return };
    for text in LINES {
        let script = report::export(&minimal(&read(text)).unwrap(), Format::Sympy).unwrap();
        let said = run_script(&python, "derivation", &script);
        assert!(said.contains("H follows from the equations"), "{text}\n{said}");
    }
    // The script can fail: with another line it does.
    let script = report::export(&minimal(&read(LINES[0])).unwrap(), Format::Sympy).unwrap();
    let wrong = script.replacen("X[0]", "3*X[0]", 1);
    assert_ne!(wrong, script);
    let output = Command::new(&python).args(["-c", &wrong]).output().unwrap();
    assert!(!output.status.success(), "a wrong script passes");
}

#[test]
fn sympy_checks_relations() {
    let Some(python) = python_with_sympy() else { return };
    let zoo = linnaeus::zoo::Zoo::embedded();
    let pairs = [
        ("douglas_rachford", "admm_scaled"),
        ("heavy_ball", "ema_momentum"),
        ("nesterov", "triple_momentum"),
        ("nids", "exact_diffusion"),
    ];
    for (first, second) in pairs {
        let [a, b] = [first, second].map(|s| linnaeus::read(&zoo.find(s).unwrap().card.equations));
        let (x, y) = (a.analysis.as_ref().unwrap(), b.analysis.as_ref().unwrap());
        let comparison = linnaeus::relation::compare(x, y, None);
        let script = report::sympy_relation((x, &a.source), (y, &b.source), &comparison).unwrap();
        let said = run_script(&python, "relation", &script);
        assert!(said.contains("related as claimed"), "{first} {second}\n{said}");
    }
}

#[test]
fn what_cannot_be_exported_says_why() {
    let implicit = minimal(&read("x[k+1] = x[k] - t*grad f(x[k+1])")).unwrap();
    assert!(report::export(&implicit, Format::Python).unwrap_err().message.contains("implicit"));
    let open = minimal(&read("x[k+1] = x[k] - t*grad f(x[k])")).unwrap();
    assert!(report::export(&open, Format::Control).unwrap_err().message.contains("numbers"));
    let operator = minimal(&read("x[k+1] = x[k] - A'*grad f(A*x[k])")).unwrap();
    assert!(report::export(&operator, Format::Pepit).unwrap_err().message.contains("operators"));
}

#[test]
fn latex_has_one_equation_per_line() {
    let realized = minimal(&read(LINES[2])).unwrap();
    let text = report::export(&realized, Format::Latex).unwrap();
    let expected = r"% linnaeus: operator A: X -> Y
\begin{align*}
  x_{k+1} &= \operatorname{prox}_{\tau f}\left(x_{k} - \tau A^{*} y_{k}\right) \\
  y_{k+1} &= \operatorname{prox}_{\sigma g^{*}}\left(y_{k} + \sigma A \left(2 x_{k+1} - x_{k}\right)\right)
\end{align*}
";
    assert_eq!(text, expected);
}

/// No parameter, operator, constant or oracle is called like something that a script uses itself.
#[test]
fn names_that_scripts_use() {
    let (Some(python), Some(sympy)) = (python(), python_with_sympy()) else { return };
    let words = ["S", "X", "U", "Y", "H", "sp", "solution", "derived", "equations", "print", "lambda", "state", "step"];
    for word in words.into_iter().chain(["run", "iterations", "arguments", "k", "range", "problem", "fixed", "last"]) {
        let text = format!(
            "param {word}; x[n+1] = x[n] + {word}*(x[n] - x[n-1]) - 1/2*(2 - {word})*grad f(x[n]) - {word}*prox_{{{word} g}}(x[n])"
        );
        let realized = minimal(&read(&text)).unwrap();
        let script = report::export(&realized, Format::Sympy).unwrap();
        let said = run_script(&sympy, "names", &script);
        assert!(said.contains("H follows from the equations"), "{text}\n{said}");
        let script = report::export(&realized, Format::Python).unwrap();
        let call = "import inspect\nnames = [n for n in inspect.signature(step).parameters if n != 'state']\n\
            value = lambda n: (lambda v, *_: v) if n in ('grad_f', 'prox_g') else 0.5\n\
            print(run((1.0, 2.0), 2, **{n: value(n) for n in names}))\n";
        assert_eq!(run_script(&python, "names", &(script + call)).trim(), "(-0.6875, -0.75)", "{text}");
        let script = report::export(&realized, Format::Pepit).unwrap();
        let tree = "import ast, sys\nast.parse(open(sys.argv[0]).read())\nsys.exit()\n";
        run_script(&python, "names", &format!("{tree}{script}"));
        let is_used = ["state", "step", "run", "iterations", "arguments", "problem", "fixed", "last"].contains(&word);
        assert!(!is_used || !script.contains(&format!("\n{word} = 1.0")), "{script}");
    }
    let black_box = "oracle step; x[k+1] = x[k] - t*step(x[k])";
    let script = report::export(&minimal(&read(black_box)).unwrap(), Format::Python).unwrap();
    let call = "print(run((8.0,), 3, step_=lambda v: v, t=0.5))\n";
    assert_eq!(run_script(&python, "names", &(script + call)).trim(), "(1.0,)");
}

/// Zero is that of the space in which it is asked for, and is there before anything is computed.
#[test]
fn zero_lives_in_its_space() {
    let Some(python) = python() else { return };
    let check = |text: &str, call: &str, said: &str| {
        let given = linnaeus::synthesis::read(text, linnaeus::system::Coefficients::AsWritten).given.unwrap();
        let realized = realize(&given, Some(Coordinates::Queries)).unwrap();
        let julia = report::export(&realized, Format::Julia).unwrap();
        let script = report::export(&realized, Format::Python).unwrap();
        assert!(julia.contains("0*zero") && script.contains("0*zero"), "{script}");
        let again = linnaeus::read(&script).analysis.unwrap_or_else(|| panic!("not read again:\n{script}"));
        assert_eq!(again.channels.len(), realized.program.ports.len(), "{script}");
        assert_eq!(run_script(&python, "zero", &format!("{VECTORS}{script}{call}")).trim(), said, "{script}");
    };
    // Vectors of X have two components, those of Y three.
    let text =
        "operator A: X -> Y; function f: X; function g: Y; oracles: grad f, grad g; H = [[1/(z-1), A'/z], [0, 0]]";
    let call = "more = lambda v: V([c + 1 for c in v.c])\n\
        last = step((V([0, 0]), V([0, 0])), grad_f=more, grad_g=more, A_adjoint=lambda v: V(v.c[:2]), zero=V([0, 0, 0]))\n\
        print([v.c for v in last])\n";
    check(text, call, "[[2, 2], [1, 1]]");
    let alone = "H = [[0]]; oracles: grad f";
    check(alone, "print(step((), grad_f=lambda v: V([c + 1 for c in v.c]), zero=V([0, 0])))\n", "()");
}

/// Vectors that are added only to those of as many components.
const VECTORS: &str = r#"
class V:
    def __init__(self, c): self.c = list(c)
    def __add__(self, o):
        assert len(self.c) == len(o.c), "vectors of different spaces"
        return V(a + b for a, b in zip(self.c, o.c))
    def __mul__(self, n): return V(n * a for a in self.c)
    __rmul__ = __mul__
    def __sub__(self, o): return self + -1 * o
    def __neg__(self): return -1 * self

"#;

/// What the text stores and no answer reaches is told of.
#[test]
fn what_is_left_out_is_said() {
    let text = "x[k+1] = x[k] - t*grad f(x[k] + 3*w[k]); w[k+1] = 2*w[k]; v[k+1] = v[k] + x[k]";
    let realized = minimal(&read(text)).unwrap();
    for format in [Format::Python, Format::Julia] {
        let script = report::export(&realized, format).unwrap();
        assert!(script.contains("# left out: 1 vector of the text that no answer reaches"), "{script}");
        assert!(script.contains("# left out: 1 vector of the text that no query shows"), "{script}");
    }
    let whole = realize(&Given::Commuting(Commuting::new(&read(text)).unwrap()), Some(Coordinates::AsWritten)).unwrap();
    assert!(!report::export(&whole, Format::Python).unwrap().contains("left out"));
}

/// Subgradients are bounded, or steps along them go anywhere.
#[test]
fn subgradient_methods_have_a_rate() {
    let script = report::export(&minimal(&read("x[k+1] = x[k] - t*subgrad f(x[k])")).unwrap(), Format::Pepit).unwrap();
    assert!(script.contains("ConvexLipschitzFunction, M=1.0"), "{script}");
}

/// How two texts are related, as a script that SymPy runs.
fn relation_script(first: &str, second: &str) -> Result<String, String> {
    let [a, b] = [first, second].map(linnaeus::read);
    let (x, y) = (a.analysis.as_ref().unwrap(), b.analysis.as_ref().unwrap());
    let comparison = linnaeus::relation::compare(x, y, None);
    report::sympy_relation((x, &a.source), (y, &b.source), &comparison).map_err(|why| why.to_string())
}

/// Assumptions, repetition, duality, roots, operators that do not commute, coefficients that change.
#[test]
fn sympy_checks_all_kinds_of_relations() {
    let Some(python) = python_with_sympy() else { return };
    let douglas_rachford = "x[k] = prox_{t f}(s[k]); y[k] = prox_{t g}(2*x[k] - s[k]); s[k+1] = s[k] + y[k] - x[k]";
    let own_dual = "x[k] = prox_f(w[k]); y[k] = prox_g(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]";
    let dual = own_dual.replace("prox_f", "prox_{f*}").replace("prox_g", "prox_{g*}");
    let fista = "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1]); \
        x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))";
    let prox_first = "x[k] = prox_{s g}(y[k] - s*grad f(y[k])); t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; \
        y[k+1] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1])";
    let pairs = [
        (
            douglas_rachford,
            "operator M: X -> Y; x[k+1] = prox_{tau f}(x[k] - tau*M'*y[k]); \
             y[k+1] = prox_{sigma g*}(y[k] + sigma*M*(2*x[k+1] - x[k]))",
            "assuming M = I in B",
        ),
        (
            "x[k+1] = x[k] - t*grad f(x[k])",
            "y[k] = x[k] - t*grad f(x[k]); x[k+1] = y[k] - t*grad f(y[k])",
            "2 iterations of A count as one",
        ),
        (
            "x[k+1] = x[k] - alpha*grad f(x[k]) + beta*(x[k] - x[k-1])",
            "v[k+1] = (1 - h*r)*v[k] - h*grad f(q[k]); q[k+1] = q[k] + h*v[k+1]",
            "B starts with q[0] = x[0]",
        ),
        ("x[k+1] = prox_{t f}(x[k] - t*grad h(x[k]))", "x[k+1] = x[k] - s*grad h(x[k])", "assuming f = 0 in A"),
        (own_dual, &dual, "A is the dual of B"),
        (
            "operator V: X -> X; operator W: X -> X; y[k+1] = W*V*y[k] - t*grad f(V*y[k])",
            "operator V: X -> X; operator W: X -> X; x[k+1] = V*W*x[k] - t*V*grad f(x[k])",
            "B starts with x[0] = V*y[0]",
        ),
        (
            "x[k+1] = x[k] - alpha[k]*grad f(x[k]) + beta[k]*(x[k] - x[k-1])",
            "v[k+1] = m[k]*v[k] - s[k]*grad f(w[k]); w[k+1] = w[k] + v[k+1]",
            "B starts with w[0] = x[0]",
        ),
        (fista, prox_first, "B starts"),
        (
            "x[k+1] = x[k] - t[k]*grad f(x[k])",
            "operator M: X -> X; w[k+1] = w[k] - s[k]*M*grad f(w[k])",
            "assuming M = I in B",
        ),
        (
            "x[k+1] = prox_{t f}(x[k] + b[k]*(x[k] - x[k-1]))",
            "w[k+1] = w[k] + c[k]*(w[k] - w[k-1]) - t*subgrad f(w[k+1])",
            "B = moved(",
        ),
        ("x[k+1] = x[k] - sqrt(a)*grad f(x[k])", "w[k+1] = w[k] - b*grad f(w[k])", "sqrt(a_A)"),
        (
            "x[k+1] = x[k] - t[k]*grad f(x[k])",
            "y[k] = x[k] - a[k]*grad f(x[k]); x[k+1] = y[k] - b[k]*grad f(y[k])",
            "2 iterations of A count as one",
        ),
        (
            "y[k] = x[k] - 1/(2*k+1)*grad f(x[k]); x[k+1] = y[k] - 1/(2*k+2)*grad f(y[k])",
            "x[k+1] = x[k] - 1/(k+1)*grad f(x[k])",
            "B = lifted(one_B, 1)",
        ),
        (
            "operator V: X -> X; operator W: X -> X; x[k+1] = V*x[k] - W*grad f(x[k])",
            "operator V: X -> X; operator W: X -> X; y[k] = V*x[k] - W*grad f(x[k]); x[k+1] = V*y[k] - W*grad f(y[k])",
            "A = lifted(one_A, 1)",
        ),
        (
            "operator V: X -> X; operator W: X -> X; x[k+1] = prox_{t f}(V*W*x[k] - t*W*grad h(x[k]))",
            "operator V: X -> X; operator W: X -> X; x[k+1] = V*W*x[k] - s*W*grad h(x[k])",
            "A = closed(A, [1], ",
        ),
        (
            "x[k+1] = prox_{t[k] f}(x[k] - t[k]*grad h(x[k]))",
            "x[k+1] = x[k] - s[k]*grad h(x[k])",
            "assuming f = 0 in A",
        ),
        (
            "operators V, W: X -> X commuting; operator U: X -> X; x[k+1] = V*W*U*V*x[k] - t*V'*W'*grad f(x[k])",
            // Of operators that commute those that are declared first stand first: in B another one than in A.
            "operators W, V: X -> X commuting; operator U: X -> X; y[k+1] = W*V*U*V*y[k] - t*W'*V'*grad f(y[k])",
            "op_V_adjoint_A: \"A1'\"",
        ),
        // Operators that are roots of numbers times others.
        (
            "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - A'*A*x[k] - B'*B*grad h(x[k])",
            "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - 2*A'*A*x[k] - B'*B*grad h(x[k])",
            "B starts with x_B[0] = x[0]",
        ),
    ];
    for (first, second, told) in pairs {
        let script = relation_script(first, second).unwrap();
        assert!(script.contains(told), "{script}");
        let said = run_script(&python, "relation", &script);
        assert!(said.contains("related as claimed"), "{first} {second}\n{said}");
    }
    // The scripts can fail.
    for (first, second, wrong) in [
        (pairs[1].0, pairs[1].1, ("z**(1)*X", "z**(2)*X")),
        (pairs[5].0, pairs[5].1, ("op_W_A*op_V_A", "op_V_A*op_W_A")),
        (pairs[6].0, pairs[6].1, ("lag - m + n, -m", "lag - m + n + 1, -m")),
        (pairs[11].0, pairs[11].1, ("state = a * state", "state = -a * state")),
        (pairs[14].0, pairs[14].1, ("A = closed(A, [1], lambda i: [", "A = closed(A, [1], lambda i: [2 * ")),
        (pairs[16].0, pairs[16].1, ("op_W_A: \"A1\"", "op_W_A: \"A2\"")),
    ] {
        let script = relation_script(first, second).unwrap();
        let other = script.replacen(wrong.0, wrong.1, 1);
        assert_ne!(other, script, "{wrong:?}");
        let output = Command::new(&python).args(["-c", &other]).output().unwrap();
        assert!(!output.status.success(), "a wrong script passes\n{other}");
    }
}

/// Names of changed variables, of norms and of loops are such that what is printed is read again as what it was.
#[test]
fn names_are_read_back() {
    let bregman = r"u^{k+1} = \argmin_u J(u) - \langle p^k, u\rangle + \frac{\lambda}{2}\|Au-f\|^2 \\
p^{k+1} = p^k + \lambda A^T(f - Au^{k+1})";
    let counted = "for step in range(n):\n    w = w - lr*grad_f(w)\n";
    let nuclear = r"x^{k+1} = \prox_{\tau\|\cdot\|_*}(x^k - \tau\nabla f(x^k))";
    let mixed = r"x^{k+1} = \prox_{\tau\|\cdot\|_{2,1}}(x^k - \tau\nabla f(x^k))";
    for text in [bregman, counted, nuclear, mixed] {
        let reading = linnaeus::read(text);
        let wanted = reading.report();
        let analysis = reading.analysis.unwrap_or_else(|| panic!("refused: {text}"));
        let realized = realize(&Given::Commuting(Commuting::new(&analysis).unwrap()), None).unwrap();
        for format in [Format::Plain, Format::Unicode, Format::Latex, Format::Algorithmic] {
            let printed = report::export(&realized, format).unwrap();
            let again = linnaeus::read(&printed);
            let said: String = again.diagnostics.iter().map(|d| d.render(&again.source)).collect();
            assert!(again.analysis.is_some(), "{printed}\n{said}");
            let found = again.report();
            assert_eq!(found.transfer, wanted.transfer, "{printed}");
            let functions =
                |s: &report::Show| s.channels.iter().flatten().map(|c| c.function.clone()).collect::<Vec<_>>();
            assert_eq!(functions(&found), functions(&wanted), "{printed}");
        }
    }
}

/// Names of several letters do not run into what they multiply, and what is printed so is read back.
#[test]
fn long_names_stand_apart_in_latex() {
    let text = "x[k+1] = x[k] - step_size*lam*grad f(x[k]) - lam*(x[k] - x[k-1])";
    let analysis = read(text);
    let written = report::export(&minimal(&analysis).unwrap(), Format::Latex).unwrap();
    for part in [r"\mathit{lam} \, x_{k-1}", r"\mathit{step}_{\mathrm{size}} \, \mathit{lam} \, \nabla f"] {
        assert!(written.contains(part), "{written}");
    }
    let again = read(&written);
    let related = compare(&analysis, &again, None).verdict;
    assert!(matches!(related, Verdict::Related(w) if w.relation == Relation::Oracle), "{written}");
    let short = report::export(&minimal(&read("x[k+1] = x[k] - t*grad f(x[k])")).unwrap(), Format::Latex).unwrap();
    assert!(!short.contains(r"\,"), "{short}");
}

/// The index is no name of the text that a script could take: what stands above the program is the text's own.
#[test]
fn the_index_keeps_its_name() {
    for text in ["x[k+1] = x[k] - t/(k + 1)*grad f(x[k])", "x[n+1] = x[n] - t/(n + 1)*grad f(x[n])"] {
        let given = linnaeus::synthesis::read(text, linnaeus::system::Coefficients::AsWritten).given.unwrap();
        let realized = realize(&given, None).unwrap();
        for format in [Format::Python, Format::Julia] {
            let script = report::export(&realized, format).unwrap();
            assert!(!script.contains("k_") && !script.contains("of the text"), "{script}");
            assert!(script.contains(&format!("# {text}\n")), "{script}");
        }
    }
}

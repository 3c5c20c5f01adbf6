//! What leaves the engine as code runs, and does what the text does.

mod support;

use linnaeus::report::{self, Format};
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

/// A Python that has SymPy: the one at hand, or an environment made for it.
fn python_with_sympy() -> Option<PathBuf> {
    let has_sympy = |p: &Path| Command::new(p).args(["-c", "import sympy"]).output().is_ok_and(|o| o.status.success());
    let python = python()?;
    if has_sympy(&python) {
        return Some(python);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sympy");
    let own = folder.join("bin").join("python");
    if !has_sympy(&own) {
        run(Command::new(&python).args(["-m", "venv"]).arg(&folder));
        run(Command::new(&own).args(["-m", "pip", "install", "--quiet", "sympy"]));
    }
    Some(own)
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

def case(source, states, names, ports, answers, gains, numbers, constants):
    """Runs a program on given answers and prints its queries."""
    space = {}
    exec(source, space)
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
    let ports: String = ports.iter().map(|(n, list)| format!("{n:?}: {list:?}, ")).collect();
    Some(format!(
        "case({source:?}, {}, {names:?}, {{{ports}}}, {answers:?}, {{{gains}}}, {{{numbers}}}, {{{constants}}})\n",
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
        let script = report::sympy_relation((x, &a.source), (y, &b.source), &comparison.verdict).unwrap();
        let said = run_script(&python, "relation", &script);
        assert!(said.contains("related as claimed"), "{first} {second}\n{said}");
    }
}

#[test]
fn what_cannot_be_exported_says_why() {
    let implicit = minimal(&read("x[k+1] = x[k] - t*grad f(x[k+1])")).unwrap();
    assert!(report::export(&implicit, Format::Python).unwrap_err().contains("implicit"));
    let open = minimal(&read("x[k+1] = x[k] - t*grad f(x[k])")).unwrap();
    assert!(report::export(&open, Format::Control).unwrap_err().contains("numbers"));
    let operator = minimal(&read("x[k+1] = x[k] - A'*grad f(A*x[k])")).unwrap();
    assert!(report::export(&operator, Format::Pepit).unwrap_err().contains("operators"));
}

#[test]
fn latex_has_one_equation_per_line() {
    let realized = minimal(&read(LINES[2])).unwrap();
    let text = report::export(&realized, Format::Latex).unwrap();
    let expected = r"\begin{align*}
  x_{k+1} &= \operatorname{prox}_{\tau f}\left(x_{k} - \tau A^{*} y_{k}\right) \\
  y_{k+1} &= \operatorname{prox}_{\sigma g^{*}}\left(y_{k} + \sigma A \left(2 x_{k+1} - x_{k}\right)\right)
\end{align*}
";
    assert_eq!(text, expected);
}

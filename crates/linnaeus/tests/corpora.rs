//! The paper's listings and the zoo's equations give the transfer functions recorded for them.

mod support;

use linnaeus::operator::{Letter, OperatorPolynomial};
use linnaeus::report::Show;
use linnaeus::system::{LinearSystem, Z, operator_symbol, parameter};
use linnaeus::transfer::{Analysis, Realization, Transfer};
use linnaeus_algebra::{Matrix, RationalFunction, Variable};
use support::{Entry, corpus, formula, matchings, shift_between};

const GOLDEN: &str = include_str!("corpus/golden.txt");
const ZOO: &str = include_str!("corpus/zoo.txt");

/// The channel as kind, function and step, however it is spelled.
fn signature(show: &Show) -> Vec<String> {
    let channels = show.channels.iter().flatten();
    channels.map(|c| format!("{} {} {:?}", c.kind, c.function, c.step)).collect()
}

fn recorded_signature(entry: &Entry) -> Vec<String> {
    let one = |label: &&str| {
        let declared =
            if label.chars().all(char::is_alphanumeric) { format!("oracle {label}\n") } else { String::new() };
        // Without an operator it would be a prox.
        let map = if label.starts_with("argmin") { "A*" } else { "" };
        let reading = linnaeus::read(&format!("{declared}q[k+1] = {map}{label}(q[k])"));
        assert!(reading.analysis.is_some(), "{}: {label}: {:?}", entry.label, reading.diagnostics);
        signature(&reading.report()).remove(0)
    };
    entry.all("channel").iter().map(one).collect()
}

fn variable(system: &LinearSystem, name: &str) -> Variable {
    if name == "z" {
        return Z;
    }
    if let Some(i) = system.parameters.iter().position(|p| p == name) {
        return parameter(i);
    }
    let operator = system.operators.iter().position(|o| o.name == name);
    operator_symbol(operator.unwrap_or_else(|| panic!("no symbol `{name}` was read")))
}

fn table(entry: &Entry, key: &str, system: &LinearSystem) -> Matrix<RationalFunction> {
    let row = |line: &&str| line.split(", ").map(|e| formula(e, &|n| variable(system, n))).collect();
    Matrix::from_rows(entry.all(key).iter().map(row).collect())
}

fn symbol(l: Letter) -> RationalFunction {
    let v = RationalFunction::variable(operator_symbol(l.operator as usize));
    if l.inverse { v.inverse().expect("a variable") } else { v }
}

/// H with operators as commuting symbols, the channels' columns only.
fn scalar_transfer(analysis: &Analysis) -> Matrix<RationalFunction> {
    let p: Vec<usize> = (0..analysis.channels.len()).collect();
    match &analysis.transfer {
        Transfer::Commuting { h, .. } => h.submatrix(&p, &p),
        Transfer::Noncommuting { h, .. } => {
            let h = h.as_ref().expect("a closed form");
            h.submatrix(&p, &p).map(|e: &OperatorPolynomial| e.commuting(&symbol).unwrap())
        }
    }
}

fn read(entry: &Entry) -> (Analysis, Show) {
    let reading = linnaeus::read(&entry.text);
    let complaints: String = reading.diagnostics.iter().map(|d| d.render(&reading.source)).collect();
    let show = reading.report();
    (reading.analysis.unwrap_or_else(|| panic!("{} is refused\n{complaints}", entry.label)), show)
}

#[test]
fn golden_listings() {
    for entry in corpus(GOLDEN).iter().filter(|e| e.one("error").is_none()) {
        let (analysis, show) = read(entry);
        let h = scalar_transfer(&analysis);
        let recorded = table(entry, "H", &analysis.system);
        let ways = matchings(&recorded_signature(entry), &signature(&show));
        assert!(!ways.is_empty(), "{}: channels {:?}", entry.label, signature(&show));
        let found = ways.iter().any(|m| h.submatrix(m, m) == recorded);
        assert!(found, "{}: {:?}", entry.label, show.transfer_scalar);
        if let Some(order) = entry.one("order") {
            assert_eq!(analysis.minimal_order.to_string(), order, "{}", entry.label);
        }
        if let Some(explicit) = entry.one("explicit") {
            assert_eq!(show.explicit.map(|e| e.to_string()).as_deref(), Some(explicit), "{}", entry.label);
        }
        if let (Some(states), Transfer::Commuting { realization, .. }) = (entry.one("states"), &analysis.transfer) {
            let names: Vec<String> = states.split(", ").map(str::to_string).collect();
            realization_is_printed(entry, &analysis, realization, &show, &names, &ways);
        }
    }
}

fn realization_is_printed(
    entry: &Entry,
    analysis: &Analysis,
    r: &Realization<RationalFunction>,
    show: &Show,
    names: &[String],
    ways: &[Vec<usize>],
) {
    let states = show.realization.as_ref().expect("a realization").states.clone();
    let orders = matchings(names, &states);
    let [a, b, c, d] = ["A", "B", "C", "D"].map(|key| table(entry, key, &analysis.system));
    let same = |s: &Vec<usize>, m: &Vec<usize>| {
        r.a.submatrix(s, s) == a && r.b.submatrix(s, m) == b && r.c.submatrix(m, s) == c && r.d.submatrix(m, m) == d
    };
    let found = orders.iter().any(|s| ways.iter().any(|m| same(s, m)));
    assert!(found, "{}: {states:?}\n{:?}", entry.label, show.realization);
}

#[test]
fn zoo_equations_up_to_shift() {
    let entries = corpus(ZOO);
    assert_eq!(entries.len(), 259);
    for entry in &entries {
        let (analysis, show) = read(entry);
        let h = scalar_transfer(&analysis);
        let recorded = table(entry, "H", &analysis.system);
        let recorded =
            if recorded.rows() == 0 { Matrix::from_fn(0, 0, |_, _| RationalFunction::zero()) } else { recorded };
        let ways = matchings(&recorded_signature(entry), &signature(&show));
        assert!(!ways.is_empty(), "{}: channels {:?}", entry.label, signature(&show));
        let found = ways.iter().any(|m| shift_between(&recorded, &h.submatrix(m, m), Z).is_some());
        assert!(found, "{}: {:?}", entry.label, show.transfer);
        let constants: Vec<&str> = analysis.system.constants.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(constants, entry.all("constant"), "{}", entry.label);
        let mut parameters: Vec<&str> = analysis.system.parameters.iter().map(String::as_str).collect();
        parameters.sort_unstable();
        assert_eq!(parameters, entry.all("parameter"), "{}", entry.label);
    }
}

//! A script that derives H from the equations with SymPy alone, and compares it with what Linnaeus says.

use super::names::Renamed;
use crate::report::entry::EntryPrinter;
use crate::report::expression::{Script, name};
use crate::synthesis::{Commuting, Program, Role, Vector};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, SortedSet};

/// Words that the script uses.
pub const RESERVED: &[&str] = &[
    "S",
    "X",
    "U",
    "Y",
    "H",
    "sp",
    "solution",
    "derived",
    "equations",
    "print",
    "len",
    "dict",
    "globals",
    "text",
    "i",
    "j",
];

/// The script; operators stand as commuting symbols, as in H.
pub fn sympy(renamed: &Renamed, model: &Commuting) -> Result<String, Exhausted> {
    let (program, h) = (&renamed.program, model.transfer()?);
    let remarks: String = renamed.remarks().iter().map(|l| format!("# {l}\n")).collect();
    let comment = remarks + &super::commented(program);
    Ok(format!(
        "# The transfer matrix of\n#\n{comment}\nimport sympy as sp\n\nz = sp.Symbol(\"z\")\n{}{HELPER}\n{}\nH = {}\n\
         assert sp.simplify(derived - H) == sp.zeros(*H.shape), derived\nsp.pprint(H)\nprint(\"H follows from the equations\")\n",
        symbols(program),
        derivation(program),
        matrix(program, &h),
    ))
}

/// Quotients of integers stay exact when SymPy reads them.
const HELPER: &str = "\n\ndef S(text):\n    return sp.sympify(text, locals=globals())\n\n";

fn printer(program: &Program) -> EntryPrinter<'_> {
    EntryPrinter { system: &program.system, script: Script::Sympy }
}

/// Parameters and operators.
fn symbols(program: &Program) -> String {
    let system = &program.system;
    let names = (0..system.parameters.len()).map(crate::system::parameter);
    let operators = (0..system.operators.len()).map(crate::system::operator_symbol);
    let symbol = |v| name(Script::Sympy, &printer(program).name_of(v));
    let all: SortedSet<String> = names.chain(operators).map(symbol).filter(|n| !n.contains('(')).collect();
    all.iter().map(|n| format!("{n} = sp.Symbol(\"{n}\")\n")).collect()
}

/// Every line in transforms: a vector an iteration later is z times what it is now.
fn derivation(program: &Program) -> String {
    let mut out = String::from("# Transforms of all vectors; U are answers and constants, Y queries.\n");
    let p = program.ports.len();
    let inputs = p + program.constants.len();
    out += &format!("U = sp.symbols(\"U1:{}\")\nY = sp.symbols(\"Y1:{}\")\n", inputs + 1, p + 1);
    let stems: Vec<String> = {
        let mut found = Vec::new();
        for value in program.values.iter().filter(|v| !matches!(v.role, Role::Constant(_)) && !v.name.stem.is_empty()) {
            if !found.contains(&value.name.stem) {
                found.push(value.name.stem.clone());
            }
        }
        found
    };
    let place = |stem: &str| stems.iter().position(|s| s == stem).unwrap_or(0);
    out += &format!("X = sp.symbols(\"X1:{}\")  # {}\n", stems.len() + 1, stems.join(", "));
    let value = |id: usize| {
        let v = &program.values[id];
        match v.role {
            Role::Constant(c) => format!("U[{}]", p + c),
            _ => match v.name.offset {
                0 => format!("X[{}]", place(&v.name.stem)),
                o => format!("z**({o})*X[{}]", place(&v.name.stem)),
            },
        }
    };
    let mut equations = Vec::new();
    for line in &program.lines {
        let right = expression(program, &line.vector, &value, &mut equations);
        equations.push(format!("{} - ({right})", value(line.value)));
    }
    out += "equations = [\n";
    equations.iter().for_each(|e| out += &format!("    {e},\n"));
    out += "]\n";
    out += "solution = sp.solve(equations, X + Y, dict=True)\nassert len(solution) == 1\n";
    out += "derived = sp.Matrix(len(Y), len(U), lambda i, j: sp.diff(solution[0][Y[i]], U[j]))\n";
    out
}

/// A vector in transforms; every call adds an equation for its query.
fn expression(program: &Program, v: &Vector, value: &dyn Fn(usize) -> String, equations: &mut Vec<String>) -> String {
    match v {
        Vector::Value(id) => value(*id),
        Vector::Sum(terms) => {
            let texts =
                terms.iter().map(|(minus, v)| (*minus, format!("({})", expression(program, v, value, equations))));
            crate::report::expression::sum(texts.collect::<Vec<_>>())
        }
        Vector::Scale(c, v) => {
            format!("({})*({})", exact(&printer(program).scalar(c)), expression(program, v, value, equations))
        }
        Vector::Apply(letter, v) => {
            let operator = name(
                Script::Sympy,
                &printer(program).name_of(crate::system::operator_symbol(letter.operator as usize)),
            );
            let power = if letter.inverse { "**(-1)" } else { "" };
            format!("{operator}{power}*({})", expression(program, v, value, equations))
        }
        Vector::Solve(below, v) => {
            let symbol = |l: crate::operator::Letter| {
                let s = RationalFunction::variable(crate::system::operator_symbol(l.operator as usize));
                if l.inverse { s.inverse().unwrap_or_else(RationalFunction::one) } else { s }
            };
            let below = below.commuting(&symbol).unwrap_or_else(|_| RationalFunction::one());
            format!("({})/({})", expression(program, v, value, equations), exact(&printer(program).scalar(&below)))
        }
        Vector::Call(port, v) => {
            let query = expression(program, v, value, equations);
            equations.push(format!("Y[{port}] - ({query})"));
            format!("U[{port}]")
        }
    }
}

/// Quotients of integers as SymPy keeps them exact.
fn exact(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { text.to_string() } else { format!("S(\"{text}\")") }
}

fn matrix(program: &Program, h: &Matrix<RationalFunction>) -> String {
    let row = |i: usize| {
        let entries: Vec<String> = h.row(i).iter().map(|e| exact(&printer(program).scalar(e))).collect();
        format!("[{}]", entries.join(", "))
    };
    let rows: Vec<String> = (0..h.rows()).map(row).collect();
    format!("sp.Matrix([\n    {},\n])", rows.join(",\n    "))
}

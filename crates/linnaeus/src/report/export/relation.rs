//! A script that derives the transfer matrices of two texts with SymPy alone and checks how they are related.

use crate::operator::{Letter, OperatorPolynomial};
use crate::relation::behavior::{Side, owner};
use crate::relation::{Verdict, Witness};
use crate::report::expression::{Script, name, plain};
use crate::source::Source;
use crate::system::{Atom, LinearForm, LinearSystem, Z, operator_symbol, parameter};
use crate::transfer::{Analysis, Timing, Transfer};
use linnaeus_algebra::solve::Value;
use linnaeus_algebra::{RationalFunction, Variable};
use std::collections::BTreeSet;

/// The script, or why there is none.
pub fn sympy_relation(
    first: (&Analysis, &Source),
    second: (&Analysis, &Source),
    verdict: &Verdict,
) -> Result<String, String> {
    let Verdict::Related(witness) = verdict else {
        return Err("a script checks how two algorithms are related, and these are not known to be".to_string());
    };
    let (a, b) = (first.0, second.0);
    let commuting = |x: &Analysis| matches!(x.transfer, Transfer::Commuting { .. });
    if !commuting(a) || !commuting(b) {
        return Err("where coefficients do not commute there is no matrix that SymPy could check".to_string());
    }
    if witness.repeat.is_some() || !witness.assumptions.iter().all(|x| !x.is_condition()) || is_dual(witness) {
        return Err(
            "there is no script for repetitions, duality and relations under assumptions; use `--latex`".to_string()
        );
    }
    let values: Vec<(Variable, Value)> = witness
        .branches
        .first()
        .into_iter()
        .flat_map(|b| b.values.clone().into_iter().chain(b.conditions.clone()))
        .collect();
    if values.iter().any(|(_, v)| !matches!(v, Value::Rational(_))) {
        return Err("there is no script where parameters are square roots; use `--latex`".to_string());
    }
    let book = Book { first: &a.system, second: &b.system };
    let mut out =
        String::from("# Derives the transfer matrices of A and B from their equations and checks their relation.\n");
    for (title, source) in [("A", first.1), ("B", second.1)] {
        out += &format!("#\n# {title}:\n");
        source.text().lines().for_each(|l| out += &(format!("#   {l}").trim_end().to_string() + "\n"));
    }
    out += "\nimport sympy as sp\n\nz = sp.Symbol(\"z\")\n";
    book.symbols().iter().for_each(|s| out += &format!("{s} = sp.Symbol(\"{s}\")\n"));
    out += HELPERS;
    out += &book.derivation(a, Side::First)?;
    out += &book.derivation(b, Side::Second)?;
    out += &book.claim(witness, &values);
    Ok(out)
}

fn is_dual(witness: &Witness) -> bool {
    witness.assumptions.iter().any(|x| matches!(x, crate::relation::Assumption::Dual(_)))
}

const HELPERS: &str = r#"

def S(text):
    return sp.sympify(text, locals=globals())


def transfer(equations, signals, queries, answers):
    """Queries in terms of answers: signals and queries are eliminated."""
    solution = sp.solve(equations, list(signals) + list(queries), dict=True)
    assert len(solution) == 1
    return sp.Matrix(len(queries), len(answers), lambda i, j: sp.diff(solution[0][queries[i]], answers[j]))

"#;

/// The names of both sides.
struct Book<'a> {
    first: &'a LinearSystem,
    second: &'a LinearSystem,
}

impl Book<'_> {
    fn system(&self, side: Side) -> &LinearSystem {
        if side == Side::First { self.first } else { self.second }
    }

    /// B's symbols have a mark, so that none is like one of A's.
    fn name(&self, v: Variable) -> String {
        let (side, own) = owner(v);
        let system = self.system(side);
        let parameter = system.parameters.get(own.0 as usize);
        let operator = || {
            let i = own.0.checked_sub(operator_symbol(0).0)? as usize;
            Some(format!("op_{}", system.operators.get(i)?.name))
        };
        let found = parameter.cloned().or_else(operator).unwrap_or_else(|| format!("c{}", v.0));
        let clean: String = found.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        format!("{}_{}", name(Script::Sympy, &clean), if side == Side::First { "A" } else { "B" })
    }

    fn symbols(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for side in [Side::First, Side::Second] {
            let system = self.system(side);
            let own =
                (0..system.parameters.len()).map(parameter).chain((0..system.operators.len()).map(operator_symbol));
            found.extend(own.map(|v| self.name(side.place(v))));
        }
        found
    }

    fn formula(&self, r: &RationalFunction) -> String {
        let names = |v: Variable| format!("{}{}", crate::report::expression::RAW, self.name(v));
        format!("S(\"{}\")", plain(r, &names))
    }

    /// The equations as written, in transforms.
    fn derivation(&self, analysis: &Analysis, side: Side) -> Result<String, String> {
        let system = &analysis.system;
        let letter = if side == Side::First { "A" } else { "B" };
        let moved = Timing::new(system).map_err(|_| "the text cannot be timed".to_string())?.moved;
        let p = analysis.channels.len();
        let place = |call: usize| {
            let found = analysis.channels.iter().enumerate().find_map(|(j, c)| {
                let served = c.calls.iter().find(|(n, _)| *n == call)?;
                Some((j, served.1 as i32))
            });
            found.expect("every call is served")
        };
        let atom = |atom: &Atom, equation: usize| match *atom {
            Atom::Signal(s, offset) => format!("{}X{letter}[{s}]", power(offset)),
            Atom::Call(c) => {
                let (j, delay) = place(c);
                format!("{}U{letter}[{j}]", power(-delay - moved[equation]))
            }
            Atom::Constant(c) => format!("U{letter}[{}]", p + c),
        };
        let form = |f: &LinearForm, equation: usize| -> Result<String, String> {
            let mut terms = Vec::new();
            for (a, c) in f {
                terms.push(format!("{}*{}", self.coefficient(c, side)?, atom(a, equation)));
            }
            Ok(if terms.is_empty() { "0".to_string() } else { terms.join(" + ") })
        };
        let names: Vec<&str> = system.signals.iter().map(|s| s.name.as_str()).collect();
        let mut out = format!("# {letter}: iterates {}; an iteration later is z times now.\n", names.join(", "));
        let symbols = |word: &str, n: usize| format!("{word}{letter} = sp.symbols(\"{word}{letter}1:{}\")\n", n + 1);
        out += &symbols("X", system.signals.len());
        out += &symbols("U", p + system.constants.len());
        out += &symbols("Y", p);
        out += &format!("H{letter} = transfer(\n    [\n");
        for (i, equation) in system.equations.iter().enumerate() {
            out += &format!("        {},\n", form(&equation.form, i)?);
        }
        for (j, channel) in analysis.channels.iter().enumerate() {
            let call = &system.calls[channel.call];
            let argument = form(&call.argument, call.equation)?;
            out += &format!("        Y{letter}[{j}] - {}({argument}),\n", power(moved[call.equation]));
        }
        out += &format!("    ],\n    X{letter},\n    Y{letter},\n    U{letter}[:{p}],\n)\n\n");
        Ok(out)
    }

    fn coefficient(&self, p: &OperatorPolynomial, side: Side) -> Result<String, String> {
        let symbol = |l: Letter| {
            let s = RationalFunction::variable(operator_symbol(l.operator as usize));
            if l.inverse { s.inverse().unwrap_or_else(RationalFunction::one) } else { s }
        };
        let value = p.commuting(&symbol).map_err(|_| "this takes too long".to_string())?;
        Ok(self.formula(&value.rename(&|v| side.place(v))))
    }

    fn claim(&self, witness: &Witness, values: &[(Variable, Value)]) -> String {
        let mut out = String::from(
            "# What Linnaeus claims: parameters, order of the channels, oracles, shifts and filters.\nvalues = {\n",
        );
        let rational = values.iter().filter_map(|(v, value)| match value {
            Value::Rational(r) => Some((*v, r.clone())),
            Value::Root { .. } => None,
        });
        for (v, r) in rational.chain(witness.operators.iter().cloned()).filter(|(v, _)| *v != Z) {
            out += &format!("    sp.Symbol(\"{}\"): {},\n", self.name(v), self.formula(&r));
        }
        let rows: Vec<String> = witness.channel_map.iter().map(|(i, _)| i.to_string()).collect();
        let columns: Vec<String> = witness.channel_map.iter().map(|(_, j)| j.to_string()).collect();
        let p = rows.len();
        let entry = |i: usize, r: usize, c: usize| match witness.matrices.get(i) {
            Some(m) => self.formula(&m[(r, c)]),
            None => u8::from(r == c).to_string(),
        };
        let diagonal = |r: usize, c: usize| {
            let entries: Vec<String> = (0..p).map(|i| entry(i, r, c)).collect();
            format!("sp.diag({})", entries.join(", "))
        };
        let theta: Vec<String> = (0..p)
            .map(|i| {
                let filter = witness.filters.get(i).map_or_else(|| "1".to_string(), |c| self.formula(c));
                format!("{filter}*z**({})", -witness.shift.get(i).copied().unwrap_or(0))
            })
            .collect();
        out += &format!(
            "}}\n\n\ndef put(m):\n    for _ in range(3):\n        m = m.subs(values, simultaneous=True)\n    return m\n\n\n\
             A = put(HA.extract([{rows}], [{rows}]))\nB = put(HB.extract([{columns}], [{columns}]))\n\
             a, b = put({}), put({})\nc, d = put({}), put({})\ntheta = put(sp.diag({}))\n\
             B = (a * B + b) * (c * B + d).inv()\n\
             difference = (A - theta * B * theta.inv()).applyfunc(sp.simplify)\n\
             assert difference == sp.zeros({p}, {p}), difference\nprint(\"A and B are related as claimed\")\n",
            diagonal(0, 0),
            diagonal(0, 1),
            diagonal(1, 0),
            diagonal(1, 1),
            theta.join(", "),
            rows = rows.join(", "),
            columns = columns.join(", "),
        );
        out
    }
}

fn power(n: i32) -> String {
    if n == 0 { String::new() } else { format!("z**({n})*") }
}

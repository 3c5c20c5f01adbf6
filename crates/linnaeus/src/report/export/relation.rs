//! A script that derives the transfer matrices of two texts with SymPy alone and checks how they are related.

use crate::advice::{Advice, Wish};
use crate::operator::{Letter, OperatorPolynomial};
use crate::relation::behavior::{Side, owner};
use crate::relation::{Assumption, Comparison, Verdict, Witness, state_map};
use crate::report::compare::texts;
use crate::report::expression::{Script, plain};
use crate::report::known::{Known, known};
use crate::report::speaker::{Speaker, letter};
use crate::source::Source;
use crate::system::{Atom, LinearForm, LinearSystem, Z, operator_symbol, parameter};
use crate::transfer::graph::gain;
use crate::transfer::{Analysis, Timing, Transfer, unchanging};
use linnaeus_algebra::solve::Value;
use linnaeus_algebra::{RationalFunction, SortedSet, Variable};

/// The script, or why there is none.
pub fn sympy_relation(
    first: (&Analysis, &Source),
    second: (&Analysis, &Source),
    comparison: &Comparison,
) -> Result<String, Advice> {
    let Verdict::Related(witness) = &comparison.verdict else {
        return Err("a script checks how two algorithms are related, and these are not known to be".into());
    };
    let [a, b] = comparison.texts(first.0, second.0);
    let mut out = String::from("# Derives A and B from their equations and checks how they are related.\n");
    for (title, source) in [("A", first.1), ("B", second.1)] {
        out += &format!("#\n# {title}:\n");
        source.text().lines().for_each(|l| out += &(format!("#   {l}").trim_end().to_string() + "\n"));
    }
    let known = known([first.0, second.0], comparison, Script::Plain);
    let lines: Vec<String> = known.iter().map(Known::text).chain(told(a, b, witness)).collect();
    if !lines.is_empty() {
        out += "#\n";
    }
    lines.iter().for_each(|l| out += &format!("# {l}\n"));
    let commuting = |x: &Analysis| matches!(x.transfer, Transfer::Commuting { .. }) && x.system.schedules.is_empty();
    if !commuting(a) || !commuting(b) {
        return Ok(out + &super::markov::script(a, b, witness)?);
    }
    let branch = witness.branches.first();
    if branch.is_some_and(|b| !b.relations.is_empty()) {
        let why = "there is no script where parameters are left with equations between them; use ";
        return Err(Advice::from(why).wish(Wish::Proof));
    }
    let values: Vec<(Variable, Value)> =
        branch.into_iter().flat_map(|b| b.values.clone().into_iter().chain(b.conditions.clone())).collect();
    let book = Book { first: &a.system, second: &b.system };
    out += "\nimport sympy as sp\n\nz = sp.Symbol(\"z\")\n";
    book.symbols().iter().for_each(|s| out += &format!("{s} = sp.Symbol(\"{s}\")\n"));
    out += HELPERS;
    out += &book.derivation(a, Side::First, witness.times(Side::First))?;
    out += &book.derivation(b, Side::Second, witness.times(Side::Second))?;
    out += &book.claim(&[a, b], witness, &values)?;
    Ok(out)
}

/// What is assumed, and how the second is started.
fn told(a: &Analysis, b: &Analysis, witness: &Witness) -> Vec<String> {
    let [first, second] = texts(a, b, witness);
    let speaker = Speaker::new(&first, &second, Script::Plain);
    let mut lines: Vec<String> =
        witness.assumptions.iter().map(|x| format!("assuming {}", speaker.assumption(x))).collect();
    if let Some((side, n)) = witness.repeat {
        lines.push(format!("{n} iterations of {} count as one", letter(side)));
    }
    match state_map(a, b, witness) {
        Ok(map) => {
            let speaker = speaker.telling(&map, witness.repeat);
            let starts = speaker.starts(&map);
            lines.extend(starts.iter().map(|l| format!("B starts with {l}")));
            lines.extend(speaker.own_answers(&map));
            lines.extend(speaker.answers_in(&starts));
        }
        Err(why) => lines.push(format!("no state map: {}", why.reason())),
    }
    lines
}

const HELPERS: &str = r#"

def S(text):
    return sp.sympify(text, locals=globals())


def closed(H, keep, gains):
    """Answers of some channels are multiples of their queries."""
    if not gains:
        return H.extract(keep, keep)
    shut = list(gains)
    G = sp.diag(*[gains[i] for i in shut])
    inner = (sp.eye(len(shut)) - G * H.extract(shut, shut)).inv() * G * H.extract(shut, keep)
    return H.extract(keep, keep) + H.extract(keep, shut) * inner


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
        if let Some((_, function, argument)) = system.functions.iter().find(|(w, ..)| *w == own) {
            return format!("{function}({})", self.text(&argument.rename(&|v| side.place(v))));
        }
        let parameter = system.parameters.get(own.0 as usize);
        let operator = || {
            let i = own.0.checked_sub(operator_symbol(0).0)? as usize;
            Some(format!("op_{}", system.operators.get(i)?.name))
        };
        let found = parameter.cloned().or_else(operator).unwrap_or_else(|| format!("c{}", v.0));
        let clean: String = found.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        format!("{clean}_{}", if side == Side::First { "A" } else { "B" })
    }

    fn symbols(&self) -> SortedSet<String> {
        let mut found = SortedSet::new();
        for side in [Side::First, Side::Second] {
            let system = self.system(side);
            let own =
                (0..system.parameters.len()).map(parameter).chain((0..system.operators.len()).map(operator_symbol));
            let is_function = |v: &Variable| system.functions.iter().any(|(w, ..)| w == v);
            found.extend(own.filter(|v| !is_function(v)).map(|v| self.name(side.place(v))));
        }
        found
    }

    fn text(&self, r: &RationalFunction) -> String {
        let names = |v: Variable| format!("{}{}", crate::report::expression::RAW, self.name(v));
        plain(r, &names)
    }

    fn formula(&self, r: &RationalFunction) -> String {
        format!("S(\"{}\")", self.text(r))
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Rational(r) => self.formula(r),
            Value::Root { a, b, radicand } => {
                let radicand = RationalFunction::polynomial(radicand.clone());
                format!("{} + {}*sp.sqrt({})", self.formula(a), self.formula(b), self.formula(&radicand))
            }
        }
    }

    /// The equations as written, in transforms; so many iterations count as one.
    fn derivation(&self, analysis: &Analysis, side: Side, n: usize) -> Result<String, Advice> {
        let system = &analysis.system;
        let letter = letter(side);
        let moved = Timing::new(system).map_err(|_| Advice::from("the text cannot be timed"))?.moved;
        let p = analysis.channels.len();
        let place = |call: usize| {
            let found = analysis.channels.iter().enumerate().find_map(|(j, c)| {
                let served = c.calls.iter().find(|(n, _)| *n == call)?;
                Some((j, served.1 as i32))
            });
            found.expect("every call is served")
        };
        let steady = unchanging(analysis).map_err(|_| Advice::from("this takes too long"))?;
        // What a time within an iteration is: so many iterations later, and the place in it.
        let split = |time: i32| (power(time.div_euclid(n as i32)), time.rem_euclid(n as i32) as usize);
        let atom = |atom: &Atom, equation: usize, time: i32| match *atom {
            Atom::Signal(s, offset) => {
                let (later, inner) = split(time + offset);
                format!("{later}X{letter}[{}]", s * n + inner)
            }
            Atom::Call(c) => {
                let (j, delay) = place(c);
                let (later, inner) = split(time - delay - moved[equation]);
                // All iterations read the first's answer to a call that is the same in all.
                let inner = if steady[j] { 0 } else { inner };
                format!("{later}U{letter}[{}]", inner * p + j)
            }
            Atom::Constant(c) => format!("U{letter}[{}]", n * p + c),
        };
        let form = |f: &LinearForm, equation: usize, time: i32| -> Result<String, Advice> {
            let mut terms = Vec::new();
            for (a, c) in f {
                terms.push(format!("{}*{}", self.coefficient(c, side)?, atom(a, equation, time)));
            }
            Ok(if terms.is_empty() { "0".to_string() } else { terms.join(" + ") })
        };
        let names: Vec<&str> = system.signals.iter().map(|s| s.name.as_str()).collect();
        let each = if n == 1 { String::new() } else { format!(", {n} times each") };
        let mut out = format!("# {letter}: iterates {}{each}; an iteration later is z times now.\n", names.join(", "));
        let symbols = |word: &str, n: usize| format!("{word}{letter} = sp.symbols(\"{word}{letter}1:{}\")\n", n + 1);
        out += &symbols("X", n * system.signals.len());
        out += &symbols("U", n * p + system.constants.len());
        out += &symbols("Y", n * p);
        out += &format!("H{letter} = transfer(\n    [\n");
        for time in 0..n as i32 {
            for (i, equation) in system.equations.iter().enumerate() {
                out += &format!("        {},\n", form(&equation.form, i, time)?);
            }
            for (j, channel) in analysis.channels.iter().enumerate() {
                let call = &system.calls[channel.call];
                let argument = form(&call.argument, call.equation, time + moved[call.equation])?;
                out += &format!("        Y{letter}[{}] - ({argument}),\n", time as usize * p + j);
            }
        }
        out += &format!("    ],\n    X{letter},\n    Y{letter},\n    U{letter}[:{}],\n)\n\n", n * p);
        Ok(out)
    }

    fn coefficient(&self, p: &OperatorPolynomial, side: Side) -> Result<String, Advice> {
        let symbol = |l: Letter| {
            let s = RationalFunction::variable(operator_symbol(l.operator as usize));
            if l.inverse { s.inverse().unwrap_or_else(RationalFunction::one) } else { s }
        };
        let value = p.commuting(&symbol).map_err(|_| Advice::from("this takes too long"))?;
        Ok(self.formula(&value.rename(&|v| side.place(v))))
    }

    /// The channels of special functions, and by what they multiply.
    fn gains(&self, analysis: &Analysis, side: Side, witness: &Witness) -> Result<String, Advice> {
        let p = analysis.channels.len();
        let mut found = Vec::new();
        for assumption in &witness.assumptions {
            let Assumption::Function(whose, function, special) = assumption else { continue };
            let own = analysis.channels.iter().enumerate().filter(|(_, c)| c.oracle.function == *function);
            for (i, channel) in own.filter(|_| *whose == side) {
                let gain = gain(&channel.oracle, *special).ok().flatten().ok_or("an oracle has no value there")?;
                let gain = self.formula(&gain.rename(&|v| side.place(v)));
                found.extend((0..witness.times(side)).map(|t| format!("{}: {gain}", t * p + i)));
            }
        }
        Ok(format!("{{{}}}", found.join(", ")))
    }

    fn claim(
        &self,
        [first, second]: &[&Analysis; 2],
        witness: &Witness,
        values: &[(Variable, Value)],
    ) -> Result<String, Advice> {
        let mut out = String::from(
            "# What Linnaeus claims: parameters, order of the channels, oracles, shifts and filters.\nvalues = {\n",
        );
        let operators = witness.operators.iter().map(|(v, r)| (*v, Value::Rational(r.clone())));
        let is_function = |v: Variable| {
            let (side, own) = owner(v);
            self.system(side).functions.iter().any(|(w, ..)| *w == own)
        };
        for (v, value) in values.iter().cloned().chain(operators).filter(|(v, _)| *v != Z && !is_function(*v)) {
            out += &format!("    sp.Symbol(\"{}\"): {},\n", self.name(v), self.value(&value));
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
             A = put(closed(HA, [{rows}], {}))\nB = put(closed(HB, [{columns}], {}))\n\
             a, b = put({}), put({})\nc, d = put({}), put({})\ntheta = put(sp.diag({}))\n\
             B = (a * B + b) * (c * B + d).inv()\n\
             difference = (A - theta * B * theta.inv()).applyfunc(sp.simplify)\n\
             assert difference == sp.zeros({p}, {p}), difference\nprint(\"A and B are related as claimed\")\n",
            self.gains(first, Side::First, witness)?,
            self.gains(second, Side::Second, witness)?,
            diagonal(0, 0),
            diagonal(0, 1),
            diagonal(1, 0),
            diagonal(1, 1),
            theta.join(", "),
            rows = rows.join(", "),
            columns = columns.join(", "),
        );
        Ok(out)
    }
}

fn power(n: i32) -> String {
    if n == 0 { String::new() } else { format!("z**({n})*") }
}

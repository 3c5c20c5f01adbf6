//! A script that compares Markov parameters with SymPy, where operators do not commute or numbers change with the
//! index.

use crate::advice::{Advice, Wish};
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::{Side, owner};
use crate::relation::{Assumption, Steps, Witness};
use crate::report::expression::{RAW, plain};
use crate::report::speaker::letter;
use crate::system::schedule::{Motion, scheduled};
use crate::system::{LinearSystem, Z, operator_symbol};
use crate::transfer::graph::gain;
use crate::transfer::{Analysis, Explicitness, Realization, Transfer, explicitness, over_operators, unchanging};
use linnaeus_algebra::solve::Value;
use linnaeus_algebra::{Coefficient, Matrix, RationalFunction, Variable};

const HELPERS: &str = r#"

def S(text, **own):
    return sp.sympify(text, locals={**globals(), **own})


def response(system, row, column, lag, at):
    """How an answer enters the query so many iterations later, that query being asked at k + at."""
    if lag < 0:
        return sp.Integer(0)
    if lag == 0:
        return system(at)[3][row, column]
    product = system(at)[2][row, :]
    for i in range(1, lag):
        product = product * system(at - i)[0]
    return (product * system(at - lag)[1][:, column])[0, 0]


# Sequences that follow a rule: the function, and its value at k + i in terms of those before.
RULES = []


def followed(e):
    """Values that follow from earlier ones, replaced by these."""
    for i in range(LAST, -LAST, -1):
        for sequence, rule in RULES:
            e = e.subs(sequence(k + i), rule(i))
    return e


def ordered(word):
    """A product of operators in which neighbours that commute stand by their names."""
    runs = []
    for factor in word:
        base, power = factor.as_base_exp()
        kind = CLASSES.get(base)
        if not runs or kind is None or kind != runs[-1][0]:
            runs.append((kind, []))
        runs[-1][1].append((str(base), base, power))
    product = sp.Mul(*[base**power for _, run in runs for _, base, power in sorted(run, key=lambda l: l[0])])
    again = product.args_cnc()[1]
    return product if again == list(word) else ordered(again)


def same(a, b):
    """Products of operators are compared one by one, their coefficients as numbers."""
    found = {}
    for term in sp.Add.make_args(sp.expand(a - b)):
        number, word = term.args_cnc()
        word = ordered(word)
        found[word] = found.get(word, 0) + sp.Mul(*number)
    return all(sp.simplify(c) == 0 or sp.simplify(followed(c)) == 0 for c in found.values())

"#;

const CLOSED: &str = r#"def closed(system, shut, gains):
    """The system whose answers of some channels are multiples of their queries."""

    @functools.lru_cache(None)
    def matrices(i):
        a, b, c, d = (m.applyfunc(put) for m in system(i))
        g = sp.diag(*gains(i)).applyfunc(put)
        loop = g * d.extract(shut, shut)
        total = power = sp.eye(len(shut))
        for _ in shut:
            power = (power * loop).applyfunc(sp.expand)
            total += power
        # Without a loop among these calls the series ends.
        if not power.is_zero_matrix:
            total = (sp.eye(len(shut)) - loop).inv()
        into, out = b[:, shut] * total * g, d[:, shut] * total * g
        a, b = a + into * c[shut, :], b + into * d[shut, :]
        c, d = c + out * c[shut, :], d + out * d[shut, :]
        for j in shut:
            b[:, j], d[:, j] = sp.zeros(b.rows, 1), sp.zeros(d.rows, 1)
        return a, b, c, d

    return matrices


"#;

const MOVED: &str = r#"def moved(system, change):
    """The system whose queries and answers are P y + Q u and R y + S u, without constants."""

    @functools.lru_cache(None)
    def matrices(i):
        a, b, c, d = (m.applyfunc(put) for m in system(i))
        p, q, r, s = (m.applyfunc(put) for m in change(i))
        b, d = b[:, : d.rows], d[:, : d.rows]
        answer = (r * d + s).inv()
        query = (p * d + q) * answer
        return a - b * answer * r * c, b * answer, p * c - query * r * c, query

    return matrices


"#;

const LIFTED: &str = r#"def lifted(steps, calls):
    """Several iterations as one: call i of the s-th of them has number s*calls + i."""

    @functools.lru_cache(None)
    def matrices(i):
        parts = steps(i)
        order, width = parts[0][0].rows, len(parts) * calls
        state, inputs = sp.eye(order), sp.zeros(order, width)
        queries, direct = [], []
        for s, (a, b, c, d) in enumerate(parts):
            own = sp.zeros(calls, width)
            own[:, s * calls : (s + 1) * calls] = sp.eye(calls)
            queries.append(c * state)
            direct.append(c * inputs + d[:, :calls] * own)
            inputs = a * inputs + b[:, :calls] * own
            state = a * state
        return state, inputs, sp.Matrix.vstack(*queries), sp.Matrix.vstack(*direct)

    return matrices


"#;

/// One side as the script derives it.
struct Part {
    /// The names of its numbers: those of all iterations that are taken as one.
    system: LinearSystem,
    /// The matrices of each of these iterations.
    steps: Vec<Realization<OperatorPolynomial>>,
    /// The calls in one of them.
    calls: usize,
}

impl Part {
    fn new(analysis: &Analysis, times: usize) -> Result<Part, Advice> {
        let slow = |_| Advice::from("this takes too long");
        let calls = analysis.channels.len();
        let own = || match &analysis.transfer {
            Transfer::Noncommuting { realization, .. } => Ok(realization.clone()),
            Transfer::Commuting { .. } => over_operators(analysis).map_err(slow),
        };
        if times == 1 {
            return Ok(Part { system: analysis.system.clone(), steps: vec![own()?], calls });
        }
        if unchanging(analysis).map_err(slow)?.contains(&true) {
            let why = "there is no script for several iterations that make one and the same call; use ";
            return Err(Advice::from(why).wish(Wish::Proof));
        }
        let why = "there is no script where a sequence needs more than its last value; use ";
        let steps = Steps::new(analysis, times).map_err(slow)?.ok_or_else(|| Advice::from(why).wish(Wish::Proof))?;
        Ok(Part { system: steps.system, steps: steps.list, calls })
    }

    fn order(&self) -> usize {
        self.steps[0].states.len()
    }
}

/// The script, or why there is none.
pub fn script(a: &Analysis, b: &Analysis, witness: &Witness) -> Result<String, Advice> {
    let refuse = |why: &str| Err(Advice::from(format!("{why}; use ")).wish(Wish::Proof));
    let (x, y) = (Part::new(a, witness.times(Side::First))?, Part::new(b, witness.times(Side::Second))?);
    let book = Book { first: &x.system, second: &y.system, witness };
    if witness.filters.iter().any(|c| c.variables().contains(&Z)) {
        return refuse("there is no script for filters with a memory where coefficients do not commute with z");
    }
    let closed = [book.closed(Side::First, a, &x)?, book.closed(Side::Second, b, &y)?];
    if !witness.sequences.rules.is_empty() || book.follows_a_rule() {
        return refuse("there is no script where a sequence of the one follows a rule of the other");
    }
    let branch = witness.branches.first();
    if branch.is_some_and(|b| !b.relations.is_empty()) {
        return refuse("there is no script where parameters are left with equations between them");
    }
    let changed = witness.matrices.iter().any(|m| *m != Matrix::identity(2));
    if changed && !y.steps.iter().all(|r| book.is_numeric(&r.d)) {
        return refuse("there is no script for other oracles where operators enter queries at once");
    }
    let most = witness.shift.iter().map(|m| m.unsigned_abs() as usize).max().unwrap_or(0);
    let lags = x.order() + y.order() + most;
    let mut out = String::from("\nimport functools\n\nimport sympy as sp\n\nk = sp.Symbol(\"k\", positive=True)\n");
    out += &format!("LAST = {}\n", lags + most + 2);
    out += &book.symbols();
    out += &book.classes();
    out += HELPERS;
    out += &book.sequences(Side::First)?;
    out += &book.sequences(Side::Second)?;
    out += "# What Linnaeus claims of parameters and operators.\nvalues = {\n";
    for (v, value) in branch.into_iter().flat_map(|b| b.values.iter().chain(&b.conditions)) {
        // Coefficients of operators have no name but in the lines below.
        if crate::relation::is_coefficient(*v) {
            out += &format!("    sp.Symbol(\"{}\"): {},\n", book.name(*v), book.value(value));
        } else if !crate::relation::is_operator(*v) && scheduled(*v).is_none() {
            out += &format!("    {}: {},\n", book.name(*v), book.value(value));
        }
    }
    out += &book.identities();
    out += &book.images()?;
    out += "}\n\n\n";
    if witness.repeat.is_some() {
        out += LIFTED;
    }
    out += &book.system(Side::First, &x);
    out += &book.system(Side::Second, &y);
    if closed.iter().any(|c| !c.is_empty()) {
        out += CLOSED;
        out += &closed.concat();
    }
    if changed {
        out += &book.oracles(y.calls * y.steps.len());
    }
    let pairs: Vec<String> = (0..witness.channel_map.len())
        .map(|n| {
            let (i, j) = witness.channel_map[n];
            let factor = witness.filters.get(n).map_or_else(|| "1".to_string(), |c| book.formula(c, "0"));
            format!("({i}, {j}, {}, {factor})", witness.shift[n])
        })
        .collect();
    out += &format!(
        "# Channel of A, channel of B, shift, factor.\npairs = [{}]\n\n\
         # That many are enough: unobservable subspaces are constant after as many steps as there are states.\n\
         for lag in range({}):\n    for i, j, m, c in pairs:\n        for p, q, n, d in pairs:\n            \
         a = put(response(A, i, p, lag, 0))\n            b = put(c / d * response(B, j, q, lag - m + n, -m))\n            \
         assert same(a, b), (lag, i, p, a, b)\nprint(\"A and B are related as claimed\")\n",
        pairs.join(", "),
        lags + 1
    );
    Ok(out)
}

/// The names of both sides.
struct Book<'a> {
    first: &'a LinearSystem,
    second: &'a LinearSystem,
    witness: &'a Witness,
}

fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

impl Book<'_> {
    fn of(&self, side: Side) -> &LinearSystem {
        if side == Side::First { self.first } else { self.second }
    }

    /// Whether what may be anything in A follows a rule in B.
    fn follows_a_rule(&self) -> bool {
        let own = &self.first.schedules.list;
        self.witness.sequences.place.iter().enumerate().any(|(j, &at)| {
            let theirs = &self.second.schedules.list[j].motion;
            own.get(at).is_some_and(|s| matches!((&s.motion, theirs), (Motion::Free, Motion::Recursion(_))))
        })
    }

    fn name(&self, v: Variable) -> String {
        let (side, own) = owner(v);
        let system = self.of(side);
        if let Some((_, function, argument)) = system.functions.iter().find(|(w, ..)| *w == own) {
            return format!("{function}({})", self.text(&argument.rename(&|v| side.place(v)), "0"));
        }
        let parameter = system.parameters.get(own.0 as usize).cloned().unwrap_or_else(|| format!("c{}", v.0));
        format!("{}_{}", clean(&parameter), letter(side))
    }

    /// The function that gives the values of a sequence, by its number in the comparison.
    fn sequence(&self, n: usize) -> String {
        match n.checked_sub(self.first.schedules.list.len()) {
            None => format!("seq{n}_A"),
            Some(j) => format!("seq{j}_B"),
        }
    }

    /// A number so many iterations later.
    fn text(&self, r: &RationalFunction, at: &str) -> String {
        let names = |v: Variable| match scheduled(v) {
            Some((n, 0)) => format!("{RAW}{}({at})", self.sequence(n)),
            Some((n, offset)) => format!("{RAW}{}({at} + ({offset}))", self.sequence(n)),
            None => format!("{RAW}{}", self.name(v)),
        };
        plain(r, &names)
    }

    fn formula(&self, r: &RationalFunction, at: &str) -> String {
        if at == "i" { format!("S(\"{}\", i=i)", self.text(r, at)) } else { format!("S(\"{}\")", self.text(r, at)) }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Rational(r) => self.formula(r, "0"),
            Value::Root { a, b, radicand } => {
                let radicand = RationalFunction::polynomial(radicand.clone());
                let [a, b, radicand] = [a, b, &radicand].map(|r| self.formula(r, "0"));
                format!("{a} + {b}*sp.sqrt({radicand})")
            }
        }
    }

    fn operator(&self, side: Side, i: usize, adjoint: bool) -> String {
        let o = &self.of(side).operators[i];
        let adjoint = if adjoint && !o.symmetric { "_adjoint" } else { "" };
        format!("op_{}{adjoint}_{}", clean(&o.name), letter(side))
    }

    fn symbols(&self) -> String {
        let mut out = String::new();
        for side in [Side::First, Side::Second] {
            let system = self.of(side);
            for i in 0..system.parameters.len() {
                let v = crate::system::parameter(i);
                if system.functions.iter().all(|(w, ..)| *w != v) {
                    let name = self.name(side.place(v));
                    out += &format!("{name} = sp.Symbol(\"{name}\")\n");
                }
            }
            for (i, o) in system.operators.iter().enumerate() {
                for adjoint in if o.symmetric { vec![false] } else { vec![false, true] } {
                    let name = self.operator(side, i, adjoint);
                    out += &format!("{name} = sp.Symbol(\"{name}\", commutative=False)\n");
                }
            }
        }
        out
    }

    /// Which operators commute with each other: those of one class, and their adjoints, but not the one with the other.
    fn classes(&self) -> String {
        let mut out = String::new();
        for side in [Side::First, Side::Second] {
            for (i, o) in self.of(side).operators.iter().enumerate().filter(|(_, o)| o.class != 0) {
                for adjoint in if o.symmetric { vec![false] } else { vec![false, true] } {
                    let mark = if adjoint { "'" } else { "" };
                    let name = self.operator(side, i, adjoint);
                    out += &format!("    {name}: \"{}{}{mark}\",\n", letter(side), o.class);
                }
            }
        }
        format!("CLASSES = {{\n{out}}}\n")
    }

    /// The line that closes the channels of special functions, if there are any.
    fn closed(&self, side: Side, analysis: &Analysis, part: &Part) -> Result<String, Advice> {
        let refuse = |why: &str| Err(Advice::from(format!("{why}; use ")).wish(Wish::Proof));
        let (mut own, mut shut, mut gains) = (Vec::new(), Vec::new(), Vec::new());
        for assumption in &self.witness.assumptions {
            let Assumption::Function(whose, function, special) = assumption else { continue };
            let channels = analysis.channels.iter().enumerate().filter(|(_, c)| c.oracle.function == *function);
            for (i, channel) in channels.filter(|_| *whose == side) {
                let gain = gain(&channel.oracle, *special).ok().flatten().ok_or("an oracle has no value there")?;
                if part.steps.len() > 1 && gain.variables().into_iter().any(|v| scheduled(v).is_some()) {
                    return refuse("there is no script for a special function whose step changes between iterations");
                }
                own.push(i);
                for s in 0..part.steps.len() {
                    shut.push((s * part.calls + i).to_string());
                    gains.push(self.formula(&self.placed(side, &gain), "i"));
                }
            }
        }
        if shut.is_empty() {
            return Ok(String::new());
        }
        let is_number = |p: &OperatorPolynomial| p.terms().iter().all(|(word, _)| word.is_empty());
        for step in &part.steps {
            let entry = |i: usize, j: usize| &step.d[(own[i], own[j])];
            let loops = explicitness(own.len(), &|i, j| !entry(i, j).is_zero());
            let numbers = (0..own.len()).all(|i| (0..own.len()).all(|j| is_number(entry(i, j))));
            if matches!(loops, Explicitness::Implicit(_)) && !numbers {
                return refuse("there is no script where operators stand in a loop of calls of special functions");
            }
        }
        let side = letter(side);
        Ok(format!("{side} = closed({side}, [{}], lambda i: [{}])\n\n\n", shut.join(", "), gains.join(", ")))
    }

    /// A number of one side in the symbols of the comparison.
    fn placed(&self, side: Side, r: &RationalFunction) -> RationalFunction {
        let shift = if side == Side::First { 0 } else { self.first.schedules.list.len() };
        r.rename(&|v| match scheduled(v) {
            Some((j, offset)) => crate::system::schedule::schedule(j + shift, offset),
            None => side.place(v),
        })
    }

    /// Every sequence as a function of the offset from k.
    fn sequences(&self, side: Side) -> Result<String, Advice> {
        let own = self.first.schedules.list.len();
        let shift = if side == Side::First { 0 } else { own };
        let place = |r: &RationalFunction| self.placed(side, r);
        let (mut out, mut rules) = (String::new(), String::new());
        for (j, s) in self.of(side).schedules.list.iter().enumerate() {
            let number = j + shift;
            let name = self.sequence(number);
            let law = self.witness.sequences.laws.iter().find(|(n, _)| *n == number);
            let twin = (side == Side::Second).then(|| self.witness.sequences.place[j]).filter(|at| *at < own);
            let body = match (law, twin, &s.motion) {
                (Some((_, law)), ..) => self.formula(law, "i"),
                (None, Some(at), Motion::Free | Motion::Recursion(_)) => format!("{}(i)", self.sequence(at)),
                (.., Motion::Clock) => "k + i".to_string(),
                (.., Motion::Free) => format!("sp.Function(\"{name}\")(k + i)"),
                (.., Motion::Power(base)) => format!("{}**(k + i)", self.formula(&place(base), "i")),
                (.., Motion::Function(f, argument)) => format!("sp.{f}({})", self.formula(&place(argument), "i")),
                (.., Motion::Recursion(next)) => {
                    let rule = self.text(&place(next), "(i - 1)");
                    rules += &format!("RULES.append((sp.Function(\"{name}\"), lambda i: S(\"{rule}\", i=i)))\n");
                    format!("sp.Function(\"{name}\")(k + i)")
                }
            };
            out += &format!("def {name}(i):  # {}\n    return {body}\n\n\n", s.name);
        }
        Ok(out + &rules)
    }

    /// Operators that are assumed to be multiples of the identity.
    fn identities(&self) -> String {
        let mut out = String::new();
        for assumption in &self.witness.assumptions {
            let Assumption::Identity(side, i, factor) = assumption else { continue };
            for adjoint in if self.of(*side).operators[*i].symmetric { vec![false] } else { vec![false, true] } {
                out += &format!("    {}: {},\n", self.operator(*side, *i, adjoint), self.formula(factor, "0"));
            }
        }
        out
    }

    /// Operators of one side in terms of the other's.
    fn images(&self) -> Result<String, Advice> {
        let mut out = String::new();
        for (i, _) in self.second.operators.iter().enumerate() {
            let v = Side::Second.place(operator_symbol(i));
            let image = match self.witness.images.iter().find(|(w, _)| *w == v) {
                Some((_, image)) => image.clone(),
                None => continue,
            };
            for adjoint in if self.second.operators[i].symmetric { vec![false] } else { vec![false, true] } {
                let symmetric = |o: u16| self.first.operators.get(o as usize).is_some_and(|o| o.symmetric);
                let image = if adjoint { image.adjoint(&symmetric) } else { image.clone() };
                let own = self.operator(Side::Second, i, adjoint);
                out += &format!("    {own}: {},\n", self.polynomial(Side::First, &image, "0")?);
            }
        }
        Ok(out)
    }

    fn polynomial(&self, side: Side, p: &OperatorPolynomial, at: &str) -> Result<String, Advice> {
        let mut terms = Vec::new();
        for (word, c) in p.terms() {
            let mut factors = vec![self.formula(c, at)];
            for l in word {
                if l.operator as usize >= self.of(side).operators.len() {
                    return Err(Advice::from("there is no script for these operators; use ").wish(Wish::Proof));
                }
                let inverse = if l.inverse { "**(-1)" } else { "" };
                factors.push(format!("{}{inverse}", self.operator(side, l.operator as usize, l.adjoint)));
            }
            terms.push(factors.join("*"));
        }
        Ok(if terms.is_empty() { "sp.Integer(0)".to_string() } else { terms.join(" + ") })
    }

    /// Whether a matrix of B holds numbers alone, operators that are the identity left out.
    fn is_numeric(&self, m: &Matrix<OperatorPolynomial>) -> bool {
        let is_identity = |operator: u16| {
            let own = operator as usize;
            let is = |x: &Assumption| matches!(x, Assumption::Identity(Side::Second, i, _) if *i == own);
            self.witness.assumptions.iter().any(is)
        };
        let numeric = |p: &OperatorPolynomial| p.terms().iter().all(|(w, _)| w.iter().all(|l| is_identity(l.operator)));
        (0..m.rows()).all(|i| m.row(i).iter().all(numeric))
    }

    /// B in A's oracles: (query, answer) of each call is multiplied by a matrix.
    fn oracles(&self, calls: usize) -> String {
        let entry = |row: usize, column: usize| {
            let of = |j: usize| {
                let pair = self.witness.channel_map.iter().position(|(_, b)| *b == j);
                match pair.and_then(|n| self.witness.matrices.get(n)) {
                    Some(m) => self.formula(&m[(row, column)], "i"),
                    None => u8::from(row == column).to_string(),
                }
            };
            format!("sp.diag({})", (0..calls).map(of).collect::<Vec<_>>().join(", "))
        };
        let [p, q, r, s] = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(row, column)| entry(row, column));
        format!(
            "{MOVED}# (query, answer) of A's oracles from those of B's.\nB = moved(\n    B,\n    lambda i: (\n        \
             {p},\n        {q},\n        {r},\n        {s},\n    ),\n)\n\n"
        )
    }

    /// The matrices of an iteration, by its offset from k; those of all that are taken as one, and what they make.
    fn system(&self, side: Side, part: &Part) -> String {
        let matrix = |m: &Matrix<OperatorPolynomial>| {
            let entry = |e: &OperatorPolynomial| {
                let placed = e.map_coefficients(&mut |c| Ok(self.placed(side, c))).unwrap_or_else(|_| e.clone());
                self.polynomial(side, &placed, "i").unwrap_or_default()
            };
            let rows: Vec<String> =
                (0..m.rows()).map(|i| m.row(i).iter().map(entry).collect::<Vec<_>>().join(", ")).collect();
            format!("sp.Matrix({}, {}, [{}])", m.rows(), m.cols(), rows.join(", "))
        };
        let four = |r: &Realization<OperatorPolynomial>| [&r.a, &r.b, &r.c, &r.d].map(matrix).join(",\n        ");
        let helper = match side {
            Side::First => {
                "def put(e):\n    for _ in range(3):\n        e = sp.expand(e).subs(values)\n    return e\n\n\n"
            }
            Side::Second => "",
        };
        let letter = letter(side);
        match part.steps.as_slice() {
            [one] => {
                let matrices = four(one);
                format!(
                    "{helper}@functools.lru_cache(None)\ndef {letter}(i):\n    return (\n        {matrices},\n    )\n\n\n"
                )
            }
            all => {
                let each: Vec<String> = all.iter().map(|r| format!("        ({},),\n", four(r))).collect();
                format!(
                    "{helper}def one_{letter}(i):\n    return [\n{}    ]\n\n\n{letter} = lifted(one_{letter}, {})\n\n\n",
                    each.concat(),
                    part.calls
                )
            }
        }
    }
}

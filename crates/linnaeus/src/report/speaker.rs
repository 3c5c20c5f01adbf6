//! Formulas and sentences of a comparison, in the names that the two texts use.

use super::compare::BranchReport;
use super::entry::EntryPrinter;
use super::expression::{Names, Printer, RAW, Script, TILDE, VECTOR, name, product, sum};
use super::show::oracle_name;
use super::spelling::{spelled, symbols};
use super::start::turns;
use super::typeset::terms;
use crate::FUEL;
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::{Side, owner};
use crate::relation::state_map::{Combination, Source, StateMap, determined, written};
use crate::relation::typed::{cleared, origins};
use crate::relation::words::{Words, target};
use crate::relation::{
    Assumption, Conjugate, ConstantMap, Demands, Names as NamesOf, ROOT, Radicals, Sequences, Sign, Texts, Witness,
    demands, has_real_root, is_operator, symbol_name, symbol_name_at_start,
};
use crate::syntax::ast::OracleKind;
use crate::system::schedule::{Motion, schedule, scheduled};
use crate::system::{LinearSystem, Operator, Space, operator_symbol};
use crate::transfer::graph::Special;
use crate::transfer::{Analysis, Channel, State, Timing};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{
    Coefficient, Exhausted, Integer, Polynomial, Rational, RationalFunction, SortedMap, SortedSet, Variable, with_fuel,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Writes formulas of a comparison.
pub struct Speaker<'a> {
    /// A.
    pub first: &'a Analysis,
    /// B.
    pub second: &'a Analysis,
    /// How formulas are written.
    pub script: Script,
    /// The iteration in which states are spoken of; none at the start.
    pub index: Option<&'a str>,
    /// Which side is repeated, and how often.
    pub repeat: Option<(Side, usize)>,
    /// Symbols of square roots, and what these are roots of.
    pub roots: Vec<(Variable, Polynomial)>,
    /// The index of A and that of B at the start.
    pub begins: (i64, i64),
    /// Whether sequences of numbers, too, are spoken of at the start: `t[0]` rather than `t[k]`.
    pub counted: bool,
    /// What the two are called.
    pub parties: Parties,
}

/// What two algorithms that are compared are called.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Parties {
    /// A and B.
    Letters,
    /// The input, and a card of the zoo.
    Card,
}

impl Parties {
    /// `A`, or `the input`.
    pub fn name(self, side: Side) -> &'static str {
        match (self, side) {
            (Parties::Letters, side) => letter(side),
            (Parties::Card, Side::First) => "the input",
            (Parties::Card, Side::Second) => "the card",
        }
    }
}

impl<'a> Speaker<'a> {
    /// Speaks of states at the start.
    pub fn new(first: &'a Analysis, second: &'a Analysis, script: Script) -> Speaker<'a> {
        let parties = Parties::Letters;
        Speaker {
            first,
            second,
            script,
            index: None,
            repeat: None,
            roots: Vec::new(),
            begins: (0, 0),
            counted: false,
            parties,
        }
    }

    /// The same speaker, calling the two so.
    pub fn calling(self, parties: Parties) -> Speaker<'a> {
        Speaker { parties, ..self }
    }
}

impl Speaker<'_> {
    /// A symbol's name; the second's carry a mark where the first has the same name.
    pub fn name(&self, v: Variable) -> String {
        if let Some((_, radicand)) = self.roots.iter().find(|(root, _)| *root == v) {
            let names: Names = &|v| self.name(v);
            return format!("{RAW}{}", self.square_root(&Printer { script: self.script, names }.polynomial(radicand)));
        }
        let own = if self.counted {
            symbol_name_at_start(self.first, self.second, v)
        } else {
            symbol_name(self.first, self.second, v)
        };
        let side = Side::of(v);
        if let (Script::Sympy, Some((function, argument))) = (self.script, self.function(v)) {
            let names: Names = &|w| self.name(side.place(w));
            return format!("{RAW}{function}({})", Printer { script: self.script, names }.rational(argument));
        }
        if let (Side::Second, Some((function, argument))) = (side, self.function(v)) {
            let names: Names = &|w| self.name(side.place(w));
            return format!("{function}({})", Printer { script: Script::Plain, names }.rational(argument));
        }
        let (first, second) = (&self.first.system, &self.second.system);
        let spelled = |own: &str, systems: &[&LinearSystem]| match self.script {
            Script::Sympy => spelled(own, systems),
            _ => own.to_string(),
        };
        if side == Side::First {
            let both = &[first, second][..if own.ends_with(']') { 2 } else { 1 }];
            return spelled(&own, both);
        }
        let clashes = |n: &str| first.parameters.iter().chain(first.operators.iter().map(|o| &o.name)).any(|m| m == n);
        let mut new = if clashes(&own) { format!("{own}_B") } else { spelled(&own, &[second]) };
        let is_taken = |n: &str| {
            symbols(first).any(|m| spelled(m, &[first]) == n)
                || symbols(second).any(|m| m == n && m != own && !clashes(m))
        };
        while is_taken(&new) || self.script == Script::Sympy && is_taken(&name(self.script, &new)) {
            new.push(if clashes(&own) { 'B' } else { '_' });
        }
        new
    }

    /// `sqrt`, `exp` or `log` and its argument in the text's own symbols, where a symbol stands for that.
    fn function(&self, v: Variable) -> Option<(&'static str, &RationalFunction)> {
        let (side, own) = owner(v);
        let found = self.system(side).functions.iter().find(|(w, ..)| *w == own)?;
        Some((found.1, &found.2))
    }

    /// A parameter's value.
    pub fn value(&self, value: &Value) -> String {
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        match value {
            Value::Rational(r) => printer.rational(r),
            Value::Root { a, b, radicand } => self.with_root(a, b, &self.square_root(&printer.polynomial(radicand))),
        }
    }

    fn square_root(&self, of: &str) -> String {
        match self.script {
            Script::Plain | Script::Sympy => format!("sqrt({of})"),
            Script::Unicode => format!("√({of})"),
            Script::Latex => format!("\\sqrt{{{of}}}"),
        }
    }

    /// a + b √….
    fn with_root(&self, a: &RationalFunction, b: &RationalFunction, root: &str) -> String {
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        let minus = b.numerator().leading_coefficient() < Integer::ZERO;
        let size = if minus { b.neg() } else { b.clone() };
        let is_term = size.is_polynomial() && size.numerator().term_count() == 1;
        let product = match self.script {
            _ if size.is_one() => root.to_string(),
            Script::Latex if is_term || !size.is_polynomial() => format!("{} {root}", printer.rational(&size)),
            Script::Latex => format!("\\left({}\\right) {root}", printer.rational(&size)),
            _ if is_term => printer.join(&[printer.rational(&size), root.to_string()]),
            _ => printer.join(&[format!("({})", printer.rational(&size)), root.to_string()]),
        };
        let rational = Some((false, printer.rational(a))).filter(|_| !a.is_zero());
        sum(rational.into_iter().chain([(minus, product)]).collect())
    }

    /// A rational function.
    pub fn rational(&self, r: &RationalFunction) -> String {
        self.value(&Value::Rational(r.clone()))
    }

    /// An entry of a matrix that acts on the answers of a channel of the first, operators put back
    /// where they are the first's.
    pub fn entry(&self, value: &RationalFunction, channel: usize) -> String {
        self.response(value, self.first.system.calls[self.first.channels[channel].call].output)
    }

    /// The same for what a query owes to a constant in a space of the first.
    pub fn response(&self, value: &RationalFunction, space: Space) -> String {
        let mut operators = value.variables().into_iter().filter(|v| is_operator(*v)).peekable();
        if operators.peek().is_some() && operators.all(|v| Side::of(v) == Side::First) {
            return self.typed(value, Side::First, space);
        }
        self.rational(value)
    }

    /// A coefficient that leads from a space of a side, whose operators are called as in its text, and parameters as in
    /// the comparison.
    fn typed(&self, coefficient: &RationalFunction, side: Side, space: Space) -> String {
        let entry = EntryPrinter { system: self.system(side), script: self.script };
        let own = coefficient.rename(&|v| if is_operator(v) { owner(v).1 } else { v });
        let names: Names = &|v| if is_operator(v) { entry.name_of(v) } else { self.name(v) };
        entry.commuting_in(&Printer { script: self.script, names }, &own, space)
    }

    /// Everything that must not vanish, one line per parameter where that is possible.
    pub(super) fn exceptions(&self, nonzero: &[Polynomial]) -> Vec<String> {
        let mut by_variable: SortedMap<Variable, Vec<Rational>> = SortedMap::new();
        let mut other = Vec::new();
        for p in nonzero {
            match single_value(p).filter(|(v, _)| !is_operator(*v)) {
                Some((v, value)) if value == Rational::ZERO => {
                    by_variable.entry(self.square_of(v).unwrap_or(v)).or_default().push(value)
                }
                Some((v, value)) => by_variable.entry(v).or_default().push(value),
                None => other.push(p),
            }
        }
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        let differs = if self.script == Script::Latex { "\\neq" } else { "!=" };
        let mut lines = Vec::new();
        for (v, mut values) in by_variable {
            values.sort();
            values.dedup();
            let list: Vec<String> = values.iter().map(Rational::to_string).collect();
            let name = name(self.script, &self.name(v));
            lines.push(match (list.as_slice(), self.script) {
                ([one], _) => format!("{name} {differs} {one}"),
                (many, Script::Latex) => format!("{name} \\notin \\{{{}\\}}", many.join(", ")),
                (many, _) => format!("{name} not in {{{}}}", many.join(", ")),
            });
        }
        let line = |p: &Polynomial| match self.invertible(p) {
            Some(text) => text,
            None => format!("{} {differs} 0", printer.polynomial(p)),
        };
        lines.extend(other.into_iter().map(line));
        lines
    }

    /// `I + t*W is invertible`, where operators of one side do not vanish.
    fn invertible(&self, p: &Polynomial) -> Option<String> {
        let text = self.inverted(&RationalFunction::polynomial(p.clone()))?;
        Some(match self.script {
            Script::Latex => format!("{text} \\text{{ is invertible}}"),
            _ => format!("{text} is invertible"),
        })
    }

    /// A function of operators of one side, on one space, as an operator; parameters may be of both.
    fn inverted(&self, value: &RationalFunction) -> Option<String> {
        let operators: Vec<Variable> = value.variables().into_iter().filter(|v| is_operator(*v)).collect();
        let side = Side::of(*operators.first()?);
        if self.script == Script::Sympy || operators.iter().any(|v| Side::of(*v) != side) {
            return None;
        }
        // In the symbols of that side's own text, with its names as they are here.
        let mut system = self.system(side).clone();
        for (i, o) in system.operators.iter_mut().enumerate() {
            o.name = self.name(side.place(operator_symbol(i)));
        }
        let space = system.operators[(owner(operators[0]).1.0 - operator_symbol(0).0) as usize].domain;
        let entry = EntryPrinter { system: &system, script: self.script };
        let names: Names = &|v| if is_operator(v) { entry.name_of(v) } else { self.name(v) };
        let own = value.rename(&|v| if is_operator(v) { owner(v).1 } else { v });
        Some(entry.commuting_in(&Printer { script: self.script, names }, &own, space))
    }

    /// What a branch asks of real numbers.
    pub(super) fn demands(&self, (sequences, assumptions): (&Sequences, &[Assumption]), branch: &Branch) -> Demands {
        let (first, second) = (&self.first.system, &self.second.system);
        let given = Side::First;
        let texts = Texts { first, second, sequences, given, assumptions, names: NamesOf::Shared };
        let nothing = || Demands { nonzero: branch.nonzero.clone(), ..Demands::default() };
        with_fuel(FUEL, || demands(texts, branch)).ok().flatten().unwrap_or_else(nothing)
    }

    /// What must be positive, and what must not be negative: `s > 0`, `t >= 1`.
    fn inequalities(&self, demands: &Demands) -> Vec<String> {
        let [at_least, at_most] = if self.script == Script::Latex { ["\\geq", "\\leq"] } else { [">=", "<="] };
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        let line = |p: &Polynomial, [above, below]: [&str; 2]| match single_value(p) {
            Some((v, value)) => {
                let sign = if p.leading_coefficient() > Integer::ZERO { above } else { below };
                format!("{} {sign} {value}", name(self.script, &self.name(v)))
            }
            None => format!("{} {above} 0", printer.polynomial(p)),
        };
        let positive = demands.positive.polynomials.iter().map(|p| line(p, [">", "<"]));
        let roots = demands.positive.roots.iter().map(|v| format!("{} > 0", self.value(v)));
        let not_less = demands.nonnegative_roots.iter().map(|v| format!("{} {at_least} 0", self.value(v)));
        let nonnegative = demands.nonnegative.iter().map(|p| line(p, [at_least, at_most]));
        positive.chain(roots).chain(nonnegative).chain(not_less).collect()
    }

    /// An operator polynomial in one side's operators, coefficients in the symbols of both.
    pub fn operators(&self, side: Side, value: &OperatorPolynomial) -> String {
        let system = self.with_others(side, value);
        let words = EntryPrinter { system: &system, script: self.script };
        let names: Names = &|v| self.name(v);
        words.operators_in(&Printer { script: self.script, names }, value)
    }

    /// The same for what an operator is, the identity being `I` but in SymPy, where that is another number.
    fn image(&self, side: Side, value: &OperatorPolynomial) -> String {
        self.with_identity(side, value, Some("I").filter(|_| self.script != Script::Sympy))
    }

    /// A multiple of the identity, which is `I`: this is said and not computed with.
    pub fn multiple(&self, factor: &RationalFunction) -> String {
        self.with_identity(Side::First, &OperatorPolynomial::scalar(factor.clone()), Some("I"))
    }

    fn with_identity(&self, side: Side, value: &OperatorPolynomial, identity: Option<&str>) -> String {
        let words = EntryPrinter { system: self.system(side), script: self.script };
        let names: Names = &|v| self.name(v);
        words.sum_of_words(&Printer { script: self.script, names }, value, identity)
    }

    /// A side's text, with the operators of the other side counted on where they occur.
    pub(super) fn with_others(&self, side: Side, value: &OperatorPolynomial) -> Cow<'_, LinearSystem> {
        let (own, other) = (self.system(side), self.system(side.other()));
        let letters = value.terms().into_iter().flat_map(|(word, _)| word.iter());
        if letters.map(|l| l.operator as usize).all(|o| o < own.operators.len()) {
            return Cow::Borrowed(own);
        }
        let mut all = own.clone();
        for o in &other.operators {
            let clash = own.operators.iter().any(|p| p.name == o.name);
            let name = if clash { format!("{}_{}", o.name, letter(side.other())) } else { o.name.clone() };
            all.operators.push(Operator { name, ..o.clone() });
        }
        Cow::Owned(all)
    }

    /// The same speaker with names for square roots.
    fn with_roots(&self, radicals: &Radicals) -> Speaker<'_> {
        Speaker { roots: radicals.squares.clone(), ..*self }
    }

    /// One way to choose the parameters, operators as the witness has them.
    pub fn way(&self, witness: &Witness, branch: &Branch) -> BranchReport {
        let mut report = self.branch(&witness.operators, (&witness.sequences, &witness.assumptions), branch);
        // The second's operators, with a mark where the first has the same name.
        let mut second = self.second.clone();
        for (i, o) in second.system.operators.iter_mut().enumerate() {
            o.name = self.name(Side::Second.place(operator_symbol(i)));
        }
        let radicals = with_fuel(FUEL, || Radicals::of(branch)).unwrap_or_default();
        let rooted = self.with_roots(&radicals);
        let marked = Speaker { roots: radicals.squares.clone(), ..Speaker::new(self.first, &second, self.script) };
        for (v, image) in &witness.images {
            let fixed = || image.map_coefficients(&mut |c| radicals.settled(c)?.ok_or(Exhausted));
            let Ok(image) = with_fuel(FUEL, fixed) else { continue };
            let letters = || image.terms().into_iter().flat_map(|(word, _)| word.iter());
            let has_unit = image.terms().iter().any(|(w, _)| w.is_empty());
            let is_long = image.terms().iter().any(|(w, _)| w.len() > 1);
            let differs = letters().any(|l| l.adjoint || l.inverse) || is_long || has_unit;
            if !differs {
                continue;
            }
            let own = symbol_name(self.first, self.second, *v);
            match Side::of(*v) {
                Side::Second => drop(report.parameters.insert(own, rooted.image(Side::First, &image))),
                Side::First => {
                    let left = format!("{} = ", name(self.script, &self.name(*v)));
                    let text = format!("{left}{}", marked.image(Side::Second, &image));
                    match report.conditions.iter_mut().find(|c| c.starts_with(&left)) {
                        Some(said) => *said = text,
                        None => report.conditions.push(text),
                    }
                }
            }
        }
        report
    }

    /// The parameter in whose stead its square root occurs.
    fn square_of(&self, root: Variable) -> Option<Variable> {
        let (side, own) = owner(root);
        let found = self.system(side).squares().find(|(_, r)| *r == own);
        found.map(|(square, _)| side.place(square))
    }

    /// Whether a symbol is a function of a number.
    fn is_number(&self, v: Variable) -> bool {
        self.function(v).is_some_and(|(_, argument)| argument.variables().is_empty())
    }

    /// What is said of parameters whose roots occur is said of them, not of the roots; of numbers nothing.
    fn without_roots(&self, branch: &Branch) -> Branch {
        let is_told = |v: Variable| branch.values.contains_key(&v) || branch.conditions.contains_key(&v);
        let is_kept = |v: &Variable| match self.square_of(*v) {
            Some(square) => !is_told(square),
            // With its root a square is arbitrary, too.
            None => !self.is_number(*v) && !branch.free.iter().any(|root| self.square_of(*root) == Some(*v)),
        };
        let mut found = branch.clone();
        found.values.retain(|v, _| is_kept(v));
        found.conditions.retain(|v, _| is_kept(v));
        found
    }

    /// Parameters of B that parameters of A are, and which: those are A's.
    fn turned(&self, branch: &Branch) -> SortedMap<Variable, Variable> {
        let is_parameter = |side: Side, v: Variable| {
            let (whose, own) = owner(v);
            whose == side && (own.0 as usize) < self.system(side).parameters.len() && self.function(v).is_none()
        };
        let mut found = SortedMap::new();
        for (v, value) in branch.values.iter().filter(|(v, _)| is_parameter(Side::First, **v)) {
            let Value::Rational(r) = value else { continue };
            let twin = r.variables().first().copied().filter(|w| *r == RationalFunction::variable(*w));
            if let Some(w) = twin.filter(|w| is_parameter(Side::Second, *w)) {
                found.entry(w).or_insert(*v);
            }
        }
        found
    }

    /// One way to choose the parameters, some operators being functions of others, where so much is known of sequences
    /// and functions.
    pub fn branch(
        &self,
        operators: &[(Variable, RationalFunction)],
        known: (&Sequences, &[Assumption]),
        whole: &Branch,
    ) -> BranchReport {
        let branch = &self.without_roots(whole);
        let mut parameters = BTreeMap::new();
        let mut conditions = Vec::new();
        let ours = self.turned(branch);
        for (w, v) in &ours {
            parameters.insert(symbol_name(self.first, self.second, *w), name(self.script, &self.name(*v)));
        }
        for (v, value) in branch.values.iter().filter(|(v, _)| !ours.values().any(|own| own == *v)) {
            if is_operator(*v) {
                let Value::Rational(r) = value else { continue };
                let text = self.image(Side::First, &OperatorPolynomial::scalar(r.clone()));
                match Side::of(*v) {
                    Side::Second => drop(parameters.insert(symbol_name(self.first, self.second, *v), text)),
                    Side::First => conditions.push(format!("{} = {text}", name(self.script, &self.name(*v)))),
                }
            } else if Side::of(*v) == Side::Second && !crate::relation::is_coefficient(*v) {
                parameters.insert(symbol_name(self.first, self.second, *v), self.value(value));
            } else if !crate::relation::is_coefficient(*v) {
                conditions.push(format!("{} = {}", name(self.script, &self.name(*v)), self.value(value)));
            }
        }
        let radicals = with_fuel(FUEL, || Radicals::of(branch)).unwrap_or_default();
        let rooted = self.with_roots(&radicals);
        let mut twins: SortedMap<Variable, String> = SortedMap::new();
        for (v, value) in operators {
            let Ok(Some(value)) = with_fuel(FUEL, || radicals.settled(value)) else { continue };
            // Where A's operator is one of B's, that one is A's.
            let twin = value.variables().first().copied().filter(|w| value == RationalFunction::variable(*w));
            let is_other = |w: &Variable| is_operator(*w) && Side::of(*w) == Side::Second;
            if let Some(w) = twin.filter(|w| Side::of(*v) == Side::First && is_other(w)) {
                let own = name(self.script, &self.name(*v));
                match twins.get(&w) {
                    Some(twin) => conditions.push(format!("{own} = {twin}")),
                    None => {
                        parameters.insert(symbol_name(self.first, self.second, w), own.clone());
                        twins.insert(w, own);
                    }
                }
                continue;
            }
            let is_inverse = value.denominator().variables().into_iter().any(is_operator);
            let inverse = if is_inverse { rooted.inverted(&value) } else { None };
            let text = inverse.unwrap_or_else(|| rooted.rational(&value));
            match Side::of(*v) {
                Side::Second => drop(parameters.insert(symbol_name(self.first, self.second, *v), text)),
                Side::First => conditions.push(format!("{} = {text}", name(self.script, &self.name(*v)))),
            }
        }
        for (v, value) in &branch.conditions {
            let left = name(self.script, &self.name(*v));
            conditions.push(format!("{left} = {}", self.value(value)));
        }
        let names: Names = &|v| self.name(v);
        let printer = Printer { script: self.script, names };
        // An unknown that a relation determines is not arbitrary.
        let root = |p: &Polynomial| {
            let mut own = branch.free.iter().filter(|v| p.degree_in(**v) > 0);
            own.next().filter(|_| own.next().is_none()).copied()
        };
        let relation = |p: &Polynomial| {
            let text = format!("{} = 0", printer.polynomial(p));
            match root(p) {
                // A real root may be negative, and a square root is not.
                Some(v)
                    if self.function(v).is_none() && with_fuel(FUEL, || has_real_root(p, v)).is_ok_and(|has| has) =>
                {
                    let words = match self.script {
                        Script::Latex => "\\text{, which has a real root }",
                        _ => ", which has a real root",
                    };
                    format!("{text}{words} {}", name(self.script, &self.name(v)))
                }
                _ => text,
            }
        };
        conditions.extend(branch.relations.iter().map(relation));
        let roots: Vec<Variable> = branch.relations.iter().filter_map(root).collect();
        let free = branch.free.iter().filter(|v| !roots.contains(v) && !ours.contains_key(v));
        let demands = self.demands(known, whole);
        // What is positive is not zero.
        let is_implied = |p: &Polynomial| {
            let divides = |q: &Polynomial| with_fuel(FUEL, || q.exact_divide(p)).is_ok_and(|found| found.is_some());
            demands.positive.polynomials.iter().any(divides)
        };
        let is_told = |p: &Polynomial| !is_implied(p) && !p.variables().into_iter().all(|v| self.is_number(v));
        let nonzero: Vec<Polynomial> = demands.nonzero.iter().filter(|p| is_told(p)).cloned().collect();
        conditions.extend(self.exceptions(&nonzero));
        conditions.extend(self.inequalities(&demands));
        let free = free.map(|v| self.name(self.square_of(*v).unwrap_or(*v))).collect();
        BranchReport { parameters, free, conditions, ..BranchReport::default() }
    }
}

/// Numbers that change with the index.
impl Speaker<'_> {
    /// Adds what is said of sequences to what is said of parameters.
    pub fn add_laws(&self, sequences: &Sequences, branch: &mut BranchReport) {
        let own = self.first.system.schedules.list.len();
        let second = self.second_by_names_of_first(sequences);
        let in_first = Speaker { roots: self.roots.clone(), second: &second, ..*self };
        for (j, &at) in sequences.place.iter().enumerate() {
            let named = matches!(self.second.system.schedules.list[j].motion, Motion::Free | Motion::Recursion(_));
            if at < own && named {
                let theirs = symbol_name(self.first, self.second, schedule(own + j, 0));
                let ours = symbol_name(self.first, self.second, schedule(at, 0));
                branch.parameters.insert(theirs, name(self.script, &ours));
                // What may be anything in A follows a rule in B.
                let rule = match (&self.first.system.schedules.list[at].motion, self.second_motion(sequences, j)) {
                    (Motion::Free, Motion::Recursion(rule)) => rule,
                    _ => continue,
                };
                let next = symbol_name(self.first, self.second, schedule(at, 1));
                let text = in_first.value(&Value::Rational(rule.clone()));
                branch.conditions.push(format!("{} = {text}", name(self.script, &next)));
                let told: Vec<String> = rule.variables().into_iter().map(|v| self.name(v)).collect();
                branch.free.retain(|v| !told.contains(v));
            }
        }
        let motion = |j: usize| match j.checked_sub(own) {
            None => &self.first.system.schedules.list[j].motion,
            Some(j) => &self.second.system.schedules.list[j].motion,
        };
        let laws = sequences.laws.iter().map(|(j, law)| (*j, 0, law));
        let rules = sequences.rules.iter().map(|(j, rule)| (*j, 1, rule));
        for (j, offset, value) in laws.chain(rules) {
            if !matches!(motion(j), Motion::Free | Motion::Recursion(_)) {
                continue;
            }
            let text = self.value(&Value::Rational(value.clone()));
            let sequence = symbol_name(self.first, self.second, schedule(j, offset));
            if j < own {
                branch.conditions.push(format!("{} = {text}", name(self.script, &sequence)));
            } else {
                branch.parameters.insert(sequence, text);
            }
        }
        // A power of a number is what it is.
        let any = sequences.any.iter().filter(|j| !matches!(motion(**j), Motion::Power(_)));
        branch.free.extend(any.map(|j| self.name(schedule(*j, 0))));
    }
}

impl Speaker<'_> {
    /// The second with the first's names for sequences that both have, also within functions.
    fn second_by_names_of_first(&self, sequences: &Sequences) -> Analysis {
        let mut second = self.second.clone();
        let ours = &self.first.system.schedules.list;
        let list = &mut second.system.schedules.list;
        let both: Vec<usize> =
            (0..list.len()).filter(|j| sequences.place.get(*j).is_some_and(|at| *at < ours.len())).collect();
        for &j in &both {
            list[j].name = ours[sequences.place[j]].name.clone();
        }
        if !both.is_empty() {
            second.system.letter = self.first.system.letter.clone();
        }
        second
    }

    /// How a sequence of the second goes on, in the symbols of the comparison.
    fn second_motion(&self, sequences: &Sequences, j: usize) -> Motion {
        match &self.second.system.schedules.list[j].motion {
            Motion::Recursion(next) => Motion::Recursion(next.rename(&|v| match scheduled(v) {
                Some((i, offset)) => schedule(sequences.place[i], offset),
                None => Side::Second.place(v),
            })),
            motion => motion.clone(),
        }
    }
}

/// Constant vectors.
impl Speaker<'_> {
    /// Adds what is said of constants to what is said of parameters, but where they are the same under the same
    /// name, or zero by assumption.
    pub fn add_constants(&self, witness: &Witness, (map, branch): (&ConstantMap, &Branch), report: &mut BranchReport) {
        let mut radicals = with_fuel(FUEL, || Radicals::of(branch)).unwrap_or_default();
        let root = determined(branch).ok().and_then(|(_, root)| root);
        radicals.squares.extend(root.map(|radicand| (ROOT, radicand)));
        let speaker = self.with_roots(&radicals);
        let (given, own, side) = (self.system(map.given), self.system(map.given.other()), map.given.other());
        // Operators that are the same are called as in the text of the constants that they multiply.
        let twin = |v: Variable| {
            let same = |(w, r): &&(Variable, RationalFunction)| {
                Side::of(*w) == map.given && *r == RationalFunction::variable(v)
            };
            witness.operators.iter().find(same).map_or(v, |(w, _)| *w)
        };
        let mut below = SortedSet::new();
        for (i, image) in map.images.iter().enumerate() {
            let name = &own.constants[i].name;
            let settled = |c: &OperatorPolynomial| {
                let fixed = || c.map_coefficients(&mut |r| radicals.settled(r)?.ok_or(Exhausted));
                with_fuel(FUEL, fixed).unwrap_or_else(|_| c.clone())
            };
            let image: Vec<OperatorPolynomial> = image.iter().map(settled).collect();
            let terms = map.free.iter().zip(&image).filter(|(_, c)| !c.is_zero());
            let words: Words = terms.map(|(&j, c)| (Source::Constant(map.given, j), c.clone())).collect();
            let scalar = |(s, c): &(Source, OperatorPolynomial)| Some((*s, c.as_scalar()?.rename(&twin)));
            let terms: Option<Combination> = words.iter().map(scalar).collect();
            let same = matches!(&words[..], [(Source::Constant(_, j), c)]
                if *c == OperatorPolynomial::one() && given.constants[*j].name == *name);
            if same || witness.assumptions.contains(&Assumption::ZeroConstant(side, name.clone())) {
                continue;
            }
            let coefficients = words.iter().flat_map(|(_, c)| c.terms()).map(|(_, c)| c);
            below.extend(coefficients.flat_map(|c| product(c.denominator()).factors).map(|(f, _)| f));
            let text = match &terms {
                Some(none) if none.is_empty() => "0".to_string(),
                Some(terms) => {
                    let left = vec![(Source::Constant(side, i), RationalFunction::one())];
                    speaker.sides(&left, terms).1
                }
                None => speaker.words(target(self.second, witness), &words),
            };
            match side {
                Side::Second => drop(report.parameters.insert(name.clone(), text)),
                Side::First => report.conditions.push(format!("{} = {text}", speaker.constant(Side::First, i))),
            }
        }
        let below: Vec<Polynomial> = below.into_iter().filter(|p| !branch.nonzero.contains(p)).collect();
        report.conditions.extend(self.exceptions(&below).into_iter().filter(|c| !c.is_empty()));
    }

    /// What a constant vector is called, B's with a mark where A has one of the same name.
    fn constant(&self, side: Side, j: usize) -> String {
        let own = &self.system(side).constants[j].name;
        let own_names = |side: Side| self.system(side).constants.iter().map(|c| c.name.as_str());
        let mark =
            if side == Side::Second { mark(own, own_names(Side::First), own_names(side)) } else { String::new() };
        format!("{}{mark}", name(self.script, own))
    }

    pub fn analysis(&self, side: Side) -> &Analysis {
        if side == Side::First { self.first } else { self.second }
    }

    pub fn system(&self, side: Side) -> &LinearSystem {
        &self.analysis(side).system
    }
}

/// States as they are when an algorithm starts.
impl Speaker<'_> {
    /// `x[-1]`; the answers of a channel are `u` with its number from 1.
    pub fn state(&self, side: Side, index: usize) -> String {
        let analysis = self.analysis(side);
        match written(analysis)[index] {
            State::Signal(s, offset) => self.at(side, &analysis.system.signals[s].name, offset),
            State::Answer(channel, age) => self.dated_answer(side, channel, age),
        }
    }

    fn at(&self, side: Side, own: &str, time: i32) -> String {
        let (tilded, inner) = iterate(own);
        let alike = |side: Side| {
            let all = self.system(side).signals.iter().map(|s| iterate(&s.name));
            all.filter(|(other, _)| *other == tilded).map(|(_, name)| name)
        };
        let mark = if side == Side::Second { mark(inner, alike(Side::First), alike(side)) } else { String::new() };
        let dated = |own: &str| self.dated(side, &format!("{}{mark}", name(self.script, own)), time);
        // A function of an iterate, which made the text linear: the index is that of the iterate.
        let (tilde, plain) = own.strip_prefix(TILDE).map_or(("", own), |rest| ("\u{303}", rest));
        let Some((function, inner)) = plain.strip_suffix(')').and_then(|s| s.split_once('(')) else {
            return dated(own);
        };
        let marked = |own: &str| if tilde.is_empty() { dated(own) } else { dated(&format!("{TILDE}{own}")) };
        match (function.strip_suffix('^'), self.script) {
            (Some(base), Script::Latex) => format!("({})^{{{inner}}}", marked(base)),
            (Some(base), _) => format!("{}^({inner})", marked(base)),
            (None, Script::Latex) => format!("\\{function}({})", marked(inner)),
            (None, _) => format!("{function}({})", marked(inner)),
        }
    }

    fn times(&self, side: Side) -> usize {
        self.repeat.filter(|(s, _)| *s == side).map_or(1, |(_, n)| n)
    }

    /// A vector at a time, counted from the iteration that is spoken of.
    fn dated(&self, side: Side, vector: &str, time: i32) -> String {
        let times = self.times(side);
        let time = i64::from(time) + if side == Side::Second { self.begins.1 } else { self.begins.0 };
        let time = match (self.index, time) {
            (None, n) => n.to_string(),
            (Some(k), n) => {
                let factor = if times == 1 { String::new() } else { times.to_string() };
                let offset = if n == 0 { String::new() } else { format!("{n:+}") };
                format!("{factor}{k}{offset}")
            }
        };
        if self.script == Script::Latex { format!("{vector}^{{{time}}}") } else { format!("{vector}[{time}]") }
    }

    /// The answer of a channel in an iteration; by the text's own name for it, if it has one, and otherwise counted as the
    /// text counts the line of the call.
    fn dated_answer(&self, side: Side, channel: usize, time: i32) -> String {
        let analysis = self.analysis(side);
        match Timing::new(&analysis.system).map(|timing| timing.answer(&analysis.system, &analysis.channels[channel])) {
            Ok((Some(signal), offset)) => self.at(side, &analysis.system.signals[signal].name, time + offset),
            Ok((None, offset)) => self.dated(side, &self.answer(side, channel), time + offset),
            Err(_) => self.dated(side, &self.answer(side, channel), time),
        }
    }

    /// What the answers of a channel are called.
    pub fn answer(&self, side: Side, channel: usize) -> String {
        let taken = |stem: &str| {
            let mut signals = self.first.system.signals.iter().chain(&self.second.system.signals);
            let numbered = |rest: &str| is_number(rest.split_once("_B").map_or(rest, |(number, _)| number));
            signals.any(|s| s.name.trim_start_matches(TILDE).strip_prefix(stem).is_some_and(numbered))
        };
        let stem = ["u", "v", "r", "answer"].into_iter().find(|s| !taken(s)).unwrap_or("oracle_answer");
        let own = format!("{stem}{}", channel + 1);
        match (self.script, side) {
            (Script::Latex, Side::Second) => name(Script::Latex, &format!("{TILDE}{own}")),
            (Script::Latex, Side::First) => name(Script::Latex, &own),
            (_, Side::Second) => format!("{own}_B"),
            (_, Side::First) => own,
        }
    }

    /// Says what the answers are that some lines mention.
    pub fn answers_in(&self, lines: &[String]) -> Vec<String> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let mentioned = |word: &str| lines.iter().any(|l| l.split(|c| !is_name(c)).any(|w| w == word));
        let mut found = Vec::new();
        for (analysis, side) in [(self.first, Side::First), (self.second, Side::Second)] {
            let whose = self.parties.name(side);
            for (i, channel) in analysis.channels.iter().enumerate() {
                let answer = self.answer(side, i);
                if mentioned(&answer) {
                    let oracle = oracle_name(&channel.oracle, &analysis.system, self.script);
                    let copy = if channel.copy > 0 { format!(" (call {})", channel.copy) } else { String::new() };
                    found.push(format!("{answer} being the answers of {whose}'s {oracle}{copy}"));
                }
            }
        }
        found
    }

    /// What a source is called.
    pub fn source(&self, source: Source) -> String {
        match source {
            Source::State(i) => self.state(Side::First, i),
            Source::Answer(c, t) => {
                // Channels of a repeated algorithm are numbered on from one iteration to the next.
                let p = self.first.channels.len();
                let time = t * self.times(Side::First) + c / p;
                self.dated_answer(Side::First, c % p, time as i32)
            }
            Source::Own(j) => self.state(Side::Second, j),
            Source::Constant(side, j) => self.constant(side, j),
        }
    }

    /// `2*x1[0] - x2[0]`.
    pub fn combination(&self, combination: &Combination) -> String {
        signed_sum(self.terms(combination).into_iter())
    }

    /// The two sides of an equation: `A*x_B[0]` and `y[0]`.
    pub fn sides(&self, left: &Combination, right: &Combination) -> (String, String) {
        let mut ours = self.terms(&left.iter().chain(right).cloned().collect());
        let theirs = ours.split_off(left.len());
        (signed_sum(ours.into_iter()), signed_sum(theirs.into_iter()))
    }

    /// The same with operators as commuting symbols.
    pub fn symbolic(&self, combination: &Combination) -> String {
        signed_sum(combination.iter().map(|(source, c)| self.symbolic_product(c, &self.source(*source))))
    }

    /// The terms of an equation, operators and adjoints where they belong.
    fn terms(&self, equation: &Combination) -> Vec<String> {
        let Some((side, spaces)) = origins(equation, [self.first, self.second]) else {
            return equation.iter().map(|(s, c)| self.symbolic_product(c, &self.source(*s))).collect();
        };
        let terms = equation.iter().zip(spaces);
        terms.map(|((s, c), space)| self.product(c, &self.source(*s), side, space)).collect()
    }

    /// A coefficient times a vector of one side's space, the adjoint written where that side's
    /// operators need it.
    fn product(&self, coefficient: &RationalFunction, vector: &str, side: Side, space: Space) -> String {
        if !coefficient.variables().into_iter().any(is_operator) {
            return self.symbolic_product(coefficient, vector);
        }
        let times = match self.script {
            Script::Plain | Script::Sympy => "*",
            Script::Unicode => "·",
            Script::Latex => " ",
        };
        format!("{}{times}{vector}", self.typed(coefficient, side, space))
    }

    /// A coefficient times a vector, operators being commuting symbols.
    fn symbolic_product(&self, coefficient: &RationalFunction, vector: &str) -> String {
        if self.script == Script::Latex {
            return self.latex_product(coefficient, vector);
        }
        let names: Names = &|v| {
            if v == VECTOR { vector.to_string() } else { self.name(v) }
        };
        let printer = Printer { script: self.script, names };
        let product = coefficient.mul(&RationalFunction::variable(VECTOR));
        product.map_or_else(|_| "?".to_string(), |p| printer.rational(&p))
    }

    /// The coefficient before the vector, sums in parentheses.
    fn latex_product(&self, coefficient: &RationalFunction, vector: &str) -> String {
        if coefficient.is_one() || coefficient.neg().is_one() {
            return format!("{}{vector}", if coefficient.is_one() { "" } else { "-" });
        }
        let text = self.rational(coefficient);
        let is_sum = coefficient.is_polynomial() && terms(&text).len() > 1;
        if is_sum { format!("\\left({text}\\right) {vector}") } else { format!("{text} {vector}") }
    }

    /// One equation per state of the second, and what must be zero.
    pub fn initialization(&self, map: &StateMap) -> [Vec<String>; 2] {
        let whole = |c: &Combination| cleared(c).map_or_else(|_| c.clone(), |(_, whole)| whole);
        let zero = |c: &Combination| format!("{} = 0", self.combination(&whole(c)));
        let start = map.initialization.iter().map(|(j, c)| self.start(*j, c));
        let implicit = map.implicit.iter().map(|c| self.implicit(whole(c)));
        [start.chain(implicit).collect(), map.required.iter().map(zero).collect()]
    }

    /// `v[0] = W*x[0]`. Operators need not have inverses: they stand on the side where they multiply.
    fn start(&self, state: usize, combination: &Combination) -> String {
        let (factor, right) = cleared(combination).unwrap_or_else(|_| (RationalFunction::one(), combination.clone()));
        let right = right.into_iter().map(|(s, c)| (s, c.neg()));
        self.implicit([(Source::Own(state), factor)].into_iter().chain(right).collect())
    }

    /// What vanishes as an equation, the second's own states on the left.
    fn implicit(&self, whole: Combination) -> String {
        let (mut left, right): (Combination, Combination) =
            whole.into_iter().partition(|(s, _)| matches!(s, Source::Own(_)));
        let mut right: Combination = right.into_iter().map(|(s, c)| (s, c.neg())).collect();
        let (ours, theirs) = self.sides(&left, &right);
        if !turns(&ours, &theirs) {
            return format!("{ours} = {theirs}");
        }
        [&mut left, &mut right].into_iter().flatten().for_each(|(_, c)| *c = c.neg());
        let (left, right) = self.sides(&left, &right);
        format!("{left} = {right}")
    }
}

/// Terms added; a minus before one is that of the sum.
fn signed_sum(terms: impl Iterator<Item = String>) -> String {
    let signed = |text: String| match text.strip_prefix('-') {
        Some(rest) => (true, rest.to_string()),
        None => (false, text),
    };
    sum(terms.map(signed).collect())
}

/// What is written behind a name of B where A has one of that name: `_B`, and further Bs where something else is called so.
fn mark<'a>(own: &str, first: impl Iterator<Item = &'a str>, second: impl Iterator<Item = &'a str>) -> String {
    let mut taken: Vec<&str> = first.collect();
    if !taken.contains(&own) {
        return String::new();
    }
    taken.extend(second);
    let mut mark = "_B".to_string();
    while taken.contains(&format!("{own}{mark}").as_str()) {
        mark.push('B');
    }
    mark
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

/// β − 1 → (β, 1); β → (β, 0).
fn single_value(p: &Polynomial) -> Option<(Variable, Rational)> {
    let [v] = p.variables()[..] else { return None };
    let coefficients = p.coefficients_in(v);
    let [c0, c1] = &coefficients[..] else {
        return None;
    };
    let (c0, c1) = (c0.as_integer()?, c1.as_integer()?);
    (c1 != Integer::ZERO).then(|| (v, -Rational::from(c0) / Rational::from(c1)))
}

/// What the reports call a side.
pub fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "A",
        Side::Second => "B",
    }
}

impl Speaker<'_> {
    /// `h = 0 in B`.
    pub fn assumption(&self, a: &Assumption) -> String {
        let called = |side: &Side| self.parties.name(*side);
        let is_set = |side: &Side, f: &str| {
            let analysis = self.analysis(*side);
            let is_set = |c: &Channel| c.oracle.function == f && c.oracle.kind == OracleKind::Projection;
            analysis.channels.iter().any(is_set)
        };
        match a {
            Assumption::Function(side, f, special) => {
                let text = match (special, is_set(side, f)) {
                    (Special::Zero, false) => format!("{f} = 0"),
                    (Special::Zero, true) => format!("{f} is the whole space"),
                    (Special::IndicatorOfZero, false) => format!("{f} is the indicator of {{0}}"),
                    (Special::IndicatorOfZero, true) => format!("{f} = {{0}}"),
                };
                format!("{text} in {}", called(side))
            }
            Assumption::ZeroConstant(side, name) => format!("{name} = 0 in {}", called(side)),
            Assumption::Identity(side, i, factor) => {
                format!("{} = {} in {}", self.system(*side).operators[*i].name, self.multiple(factor), called(side))
            }
            Assumption::Same(side, f, g) => {
                let text = match (is_set(side, f), is_set(side, g)) {
                    (true, false) => format!("{g} is the indicator of {f}"),
                    (false, true) => format!("{f} is the indicator of {g}"),
                    _ => format!("{g} = {f}"),
                };
                format!("{text} in {}", called(side))
            }
            Assumption::Symmetric(side, i) => {
                format!("{} is symmetric in {}", self.system(*side).operators[*i].name, called(side))
            }
            Assumption::Commuting(side, i, j) => {
                let [v, w] = [i, j].map(|n| &self.system(*side).operators[*n].name);
                format!("{v} and {w} commute in {}", called(side))
            }
            Assumption::Trait(side, f, what) => format!("{} in {}", what.said_of(f, ["is", "are"]), called(side)),
            Assumption::Positive(c) => format!("{} > 0", self.value(&Value::Rational(c.clone()))),
            Assumption::Dual(pairs) => {
                let argument = |sign: Sign| if sign == Sign::Minus { "(-·)" } else { "" };
                let [a, b] = [Side::First, Side::Second].map(|side| called(&side));
                let pair = |c: &Conjugate| format!("{} of {a} is {}*{} of {b}", c.first, c.second, argument(c.sign));
                format!("{a} is the dual of {b}: {}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
            Assumption::Conjugate(pair) => {
                let [(one, h), (other, g)] = pair.naming(self.first);
                format!("{h} of {} is {g}* of {}", called(&one), called(&other))
            }
            Assumption::Sample(map) => {
                let (ours, theirs) = (&self.first.system.letter, &self.second.system.letter);
                let at = |index: &str| match map.by {
                    0 => index.to_string(),
                    by if by < 0 => format!("{index}-{}", -by),
                    by => format!("{index}+{by}"),
                };
                // The bare index is a sample without a name.
                let sample = |name: &str, at: &str| match name {
                    "" => format!("the sample at {at}"),
                    name => format!("the sample {name}[{at}]"),
                };
                let [a, b] = [Side::First, Side::Second].map(|side| called(&side));
                let several =
                    |n: usize, index: &str| at(&format!("{n}{}{index}", if index.len() > 1 { "*" } else { "" }));
                let (one, two) = (&map.first, &map.second);
                match map.every {
                    None => format!("{} of {b} is {} of {a}", sample(two, theirs), sample(one, &at(ours))),
                    Some((Side::First, n)) => {
                        format!("{} of {b} is {} of {a}", sample(two, theirs), sample(one, &several(n, theirs)))
                    }
                    Some((Side::Second, n)) => {
                        format!("{} of {a} is {} of {b}", sample(one, ours), sample(two, &several(n, ours)))
                    }
                }
            }
        }
    }
}

/// The iterate that is asked about, and whether it is marked as B's: `x` in `log(x)`.
fn iterate(own: &str) -> (bool, &str) {
    let plain = own.strip_prefix(TILDE).unwrap_or(own);
    let inside = plain.strip_suffix(')').and_then(|s| s.split_once('('));
    let name = inside.map_or(plain, |(function, inner)| function.strip_suffix('^').unwrap_or(inner));
    (plain.len() < own.len(), name)
}

//! Matrix entries with their operators put back: an entry from X to Y is odd in the symbol of
//! A: X → Y, one from X to X is even, and the word A'A A'… is determined by where it starts.

use super::expression::{Names, Printer, Product, RAW, Script, name, product};
use super::spelling::spelled;
use crate::operator::{Letter, OperatorPolynomial};
use crate::system::schedule::{Motion, scheduled};
use crate::system::{LinearSystem, Operator, Space, Z, operator_symbol};
use linnaeus_algebra::{Polynomial, RationalFunction, Variable};

/// Writes entries of one system's matrices.
pub struct EntryPrinter<'a> {
    /// The system.
    pub system: &'a LinearSystem,
    /// In which script.
    pub script: Script,
}

impl EntryPrinter<'_> {
    /// What a variable is called: parameters by their names, operators by theirs; in SymPy's script no two
    /// alike.
    pub fn name_of(&self, v: Variable) -> String {
        let own = self.own_name(v);
        if self.script != Script::Sympy || v == Z || own.starts_with(RAW) {
            return own;
        }
        spelled(&own, &[self.system])
    }

    fn own_name(&self, v: Variable) -> String {
        if let Some((function, argument)) = self.function(v) {
            let inner = self.scalar(&argument);
            return match self.script {
                Script::Latex if function == "sqrt" => format!("{RAW}\\sqrt{{{inner}}}"),
                Script::Latex => format!("{RAW}\\{function}\\left({inner}\\right)"),
                _ => format!("{RAW}{function}({inner})"),
            };
        }
        if let Some(text) = self.system.schedules.text(v, &self.system.letter, &|w| self.name_of(w)) {
            return text;
        }
        let operator = v.0.checked_sub(operator_symbol(0).0).map(|i| i as usize);
        match operator.filter(|_| v != Z) {
            Some(i) => self.system.operators.get(i).map_or_else(|| "?".to_string(), |o| o.name.clone()),
            None => self.system.parameters.get(v.0 as usize).cloned().unwrap_or_else(|| "?".to_string()),
        }
    }

    /// `sqrt`, `exp` or `log` and its argument, where a symbol stands for that.
    pub fn function(&self, v: Variable) -> Option<(&'static str, RationalFunction)> {
        if let Some((_, function, argument)) = self.system.functions.iter().find(|(w, ..)| *w == v) {
            return Some((function, argument.clone()));
        }
        let (j, offset) = scheduled(v)?;
        match &self.system.schedules.list.get(j)?.motion {
            Motion::Function(function, argument) => {
                Some((function, self.system.schedules.advanced(argument, offset).ok()?))
            }
            _ => None,
        }
    }

    /// An entry as a function of commuting symbols.
    pub fn scalar(&self, value: &RationalFunction) -> String {
        let names: Names = &|v| self.name_of(v);
        Printer { script: self.script, names }.rational(value)
    }

    /// An entry that maps `from` somewhere, with operators and adjoints where they belong.
    pub fn commuting(&self, value: &RationalFunction, from: Space) -> String {
        let names: Names = &|v| self.name_of(v);
        self.commuting_in(&Printer { script: self.script, names }, value, from)
    }

    /// The same with parameters that another printer writes.
    pub fn commuting_in(&self, printer: &Printer, value: &RationalFunction, from: Space) -> String {
        let symbols: Vec<Variable> = (0..self.system.operators.len()).map(operator_symbol).collect();
        let holds = |p: &Polynomial| symbols.iter().any(|s| p.degree_in(*s) > 0);
        if !holds(value.numerator()) && !holds(value.denominator()) {
            return printer.rational(value);
        }
        let split = |p: Product| -> (Product, Vec<(Polynomial, u32)>) {
            let (operators, scalars) = p.factors.into_iter().partition(|(f, _)| holds(f));
            (Product { factors: scalars, ..p }, operators)
        };
        let (above, above_operators) = split(product(value.numerator()));
        let (below, below_operators) = split(product(value.denominator()));
        let (flipped, words) = self.operator_factors(printer, above_operators, below_operators, from);
        let sign = if (above.negative != below.negative) != flipped { "-" } else { "" };
        let mut numerator = printer.factors(&above);
        numerator.extend(words);
        format!("{sign}{}", printer.quotient(&numerator, &printer.factors(&below)))
    }

    /// Operator factors of numerator and denominator as words, and whether the sign was turned.
    fn operator_factors(
        &self,
        printer: &Printer,
        above: Vec<(Polynomial, u32)>,
        below: Vec<(Polynomial, u32)>,
        from: Space,
    ) -> (bool, Vec<String>) {
        let rectangular =
            self.system.operators.iter().position(|o| o.is_used() && !self.system.spaces.same(o.domain, o.codomain));
        let Some(i) = rectangular else {
            let names: Names = &|v| self.adjoint(v).unwrap_or_else(|| (printer.names)(v));
            let printer = &Printer { script: printer.script, names };
            // Everything commutes: factors as they are, inverses as powers.
            let show = |(f, n): &(Polynomial, u32), inverse: bool| {
                let text = self.with_identity(printer, f, &|p| printer.polynomial(p));
                let text = if f.term_count() > 1 { self.parenthesized(&text) } else { text };
                if inverse { self.inverse(&text, *n) } else { printer.power(&text, *n) }
            };
            return (false, above.iter().map(|f| show(f, false)).chain(below.iter().map(|f| show(f, true))).collect());
        };
        let symbol = operator_symbol(i);
        let starts_in_domain = self.system.spaces.same(self.system.operators[i].domain, from);
        let mut out = Vec::new();
        let mut flipped = false;
        let (power, rest) = split_symbol(above, symbol);
        let word: Vec<Letter> = (0..power).map(|j| self.alternating(i, starts_in_domain, j)).rev().collect();
        if !word.is_empty() {
            out.push(self.word(&word));
        }
        let (power, below) = split_symbol(below, symbol);
        // An inverse starts where the operator ends.
        let inverse = |j: u32| Letter { inverse: true, ..self.alternating(i, !starts_in_domain, j) };
        let word: Vec<Letter> = (0..power).map(inverse).rev().collect();
        if !word.is_empty() {
            out.push(self.word(&word));
        }
        let square = [self.alternating(i, starts_in_domain, 1), self.alternating(i, starts_in_domain, 0)];
        for (list, inverse) in [(rest, false), (below, true)] {
            let Some(mut all) = multiply(&list) else {
                continue;
            };
            if all.is_one() {
                continue;
            }
            if all.coefficients_in(symbol).iter().find(|c| !c.is_zero()).is_some_and(|c| product(c).negative) {
                all = -&all;
                flipped = !flipped;
            }
            let text = self.in_square(printer, &all, symbol, &square);
            out.push(if inverse { self.inverse(&self.parenthesized(&text), 1) } else { self.parenthesized(&text) });
        }
        (flipped, out)
    }

    /// The adjoint of an operator on one space whose symbol stands for that.
    fn adjoint(&self, symbol: Variable) -> Option<String> {
        let operator = self.system.operators.iter().position(Operator::is_adjoint_only)?;
        let letter = Letter { class: 0, operator: operator as u16, adjoint: true, inverse: false };
        (symbol == operator_symbol(operator)).then(|| format!("{RAW}{}", self.word(&[letter])))
    }

    fn alternating(&self, operator: usize, starts_in_domain: bool, j: u32) -> Letter {
        let adjoint = starts_in_domain == (j % 2 == 1);
        Letter { class: 0, operator: operator as u16, adjoint, inverse: false }
    }

    /// A polynomial in the square of the symbol, as a polynomial in A'A or AA'.
    fn in_square(&self, printer: &Printer, p: &Polynomial, symbol: Variable, square: &[Letter; 2]) -> String {
        let mut terms = Vec::new();
        for (degree, coefficient) in p.coefficients_in(symbol).iter().enumerate() {
            if coefficient.is_zero() {
                continue;
            }
            let c = product(coefficient);
            let mut factors = printer.factors(&c);
            if degree > 0 {
                let word = self.word(square);
                let base = if degree > 2 { self.parenthesized(&word) } else { word };
                factors.push(printer.power(&base, degree as u32 / 2));
            } else if self.script != Script::Sympy {
                factors.push("I".to_string());
            }
            terms.push((c.negative, printer.join(&factors)));
        }
        super::expression::sum(terms)
    }

    /// A polynomial in an operator of one space, the identity written where no operator stands.
    fn with_identity(&self, printer: &Printer, p: &Polynomial, whole: &dyn Fn(&Polynomial) -> String) -> String {
        let symbols: Vec<Variable> = (0..self.system.operators.len()).map(operator_symbol).collect();
        if self.script == Script::Sympy || p.term_count() == 1 {
            return whole(p);
        }
        let mut terms = Vec::new();
        let (mut free, mut bound) = (Vec::new(), Vec::new());
        for (monomial, c) in p.terms() {
            let list = if monomial.iter().any(|(v, _)| symbols.contains(v)) { &mut bound } else { &mut free };
            list.push((monomial, c.clone()));
        }
        for (list, identity) in [(free, true), (bound, false)] {
            let part = Polynomial::from_terms(list);
            if part.is_zero() {
                continue;
            }
            if identity {
                let c = product(&part);
                let mut factors = printer.factors(&c);
                factors.push("I".to_string());
                terms.push((c.negative, printer.join(&factors)));
            } else {
                let text = whole(&part);
                match text.strip_prefix('-') {
                    Some(rest) => terms.push((true, rest.to_string())),
                    None => terms.push((false, text)),
                }
            }
        }
        super::expression::sum(terms)
    }

    fn parenthesized(&self, text: &str) -> String {
        if self.script == Script::Latex { format!("\\left({text}\\right)") } else { format!("({text})") }
    }

    fn inverse(&self, text: &str, n: u32) -> String {
        match self.script {
            Script::Plain if n == 1 => format!("inv({text})"),
            Script::Plain => format!("inv({text})^{n}"),
            Script::Sympy => format!("{text}**(-{n})"),
            Script::Latex => format!("{text}^{{-{n}}}"),
            Script::Unicode if n == 1 => format!("{text}⁻¹"),
            Script::Unicode => format!(
                "{text}⁻{}",
                n.to_string()
                    .chars()
                    .map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c as usize - 48).unwrap_or(c))
                    .collect::<String>()
            ),
        }
    }

    /// An entry in noncommuting operators.
    pub fn operators(&self, value: &OperatorPolynomial) -> String {
        let names: Names = &|v| self.name_of(v);
        self.operators_in(&Printer { script: self.script, names }, value)
    }

    /// The same with coefficients that another printer writes.
    pub fn operators_in(&self, printer: &Printer, value: &OperatorPolynomial) -> String {
        self.sum_of_words(printer, value, None)
    }

    /// The same with a name for the identity.
    pub fn sum_of_words(&self, printer: &Printer, value: &OperatorPolynomial, identity: Option<&str>) -> String {
        let mut terms = Vec::new();
        for (word, coefficient) in value.terms() {
            let (above, below) = (product(coefficient.numerator()), product(coefficient.denominator()));
            let mut factors = printer.factors(&above);
            match identity {
                _ if !word.is_empty() => factors.push(self.word(word)),
                Some(name) => factors.push(name.to_string()),
                None => {}
            }
            terms.push((above.negative != below.negative, printer.quotient(&factors, &printer.factors(&below))));
        }
        super::expression::sum(terms)
    }

    /// A product of operators.
    pub fn word(&self, word: &[Letter]) -> String {
        let letters = word.iter().map(|l| {
            let operator = name(self.script, &self.system.operators[l.operator as usize].name);
            match (self.script, l.adjoint, l.inverse) {
                (_, false, false) => operator,
                (Script::Plain, true, false) => format!("{operator}'"),
                (Script::Plain, false, true) => format!("inv({operator})"),
                (Script::Plain, true, true) => format!("inv({operator}')"),
                (Script::Sympy, true, false) => format!("adjoint({operator})"),
                (Script::Sympy, false, true) => format!("{operator}**(-1)"),
                (Script::Sympy, true, true) => format!("adjoint({operator})**(-1)"),
                (Script::Unicode, true, false) => format!("{operator}'"),
                (Script::Unicode, false, true) => format!("{operator}⁻¹"),
                (Script::Unicode, true, true) => format!("({operator}')⁻¹"),
                (Script::Latex, true, false) => format!("{operator}^{{*}}"),
                (Script::Latex, false, true) => format!("{operator}^{{-1}}"),
                (Script::Latex, true, true) => format!("{operator}^{{-*}}"),
            }
        });
        let letters: Vec<String> = letters.collect();
        match self.script {
            Script::Unicode => letters.concat(),
            Script::Latex => super::expression::side_by_side(&letters),
            Script::Plain | Script::Sympy => letters.join("*"),
        }
    }
}

/// The power of the symbol among the factors, and the other factors.
fn split_symbol(factors: Vec<(Polynomial, u32)>, symbol: Variable) -> (u32, Vec<(Polynomial, u32)>) {
    let is_symbol = |f: &Polynomial| f.term_count() == 1 && f.degree_in(symbol) > 0;
    let power = factors.iter().filter(|(f, _)| is_symbol(f)).map(|(_, n)| n).sum();
    (power, factors.into_iter().filter(|(f, _)| !is_symbol(f)).collect())
}

fn multiply(factors: &[(Polynomial, u32)]) -> Option<Polynomial> {
    let mut all = Polynomial::one();
    for (f, n) in factors {
        all = all.mul(&f.pow(*n).ok()?).ok()?;
    }
    Some(all)
}

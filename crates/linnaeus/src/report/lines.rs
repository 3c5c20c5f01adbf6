//! The lines of a text as LaTeX: what was typed, term by term, in the typeset notation.

use super::expression::{Script, TILDE, gap, name};
use crate::Reading;
use crate::syntax::ast::{
    Algorithm, Call, Elementary, Expression, Index, Minimization, Node, Operation, OracleKind, OracleName, Sample,
    Sense, Sign, Statement,
};
use crate::syntax::print::Tightness;
use crate::system::{LinearSystem, Style};

/// Writes lines; some names are marked by a tilde.
pub struct Lines<'a> {
    /// Which names.
    pub is_marked: &'a dyn Fn(&str) -> bool,
    /// What the lines amount to: which names with an index are numbers, and whether lines run one after the other.
    pub system: Option<&'a LinearSystem>,
}

/// The lines of a text as they are, each with its terms.
pub fn unmarked(reading: &Reading) -> Vec<(String, Vec<String>)> {
    let system = reading.analysis.as_ref().map(|a| &a.system);
    Lines { is_marked: &|_| false, system }.algorithm(&reading.algorithm)
}

impl Lines<'_> {
    /// One pair of left-hand side and right-hand side per statement, the latter as its terms with
    /// their signs.
    pub fn algorithm(&self, algorithm: &Algorithm) -> Vec<(String, Vec<String>)> {
        algorithm.statements.iter().map(|s| self.statement(s)).collect()
    }

    fn statement(&self, s: &Statement) -> (String, Vec<String>) {
        let sign = if s.sign == Sign::Assigns || self.runs(s) { "\\leftarrow" } else { "=" };
        let mut terms = Vec::new();
        self.terms(&s.value, false, &mut terms);
        (format!("{} &{sign} ", self.expression(&s.target)), terms)
    }

    /// Whether a line is run, whatever sign it has: it need not hold for one value of each of its names.
    fn runs(&self, s: &Statement) -> bool {
        self.system
            .is_some_and(|found| found.style == Style::Sequential && found.equations.iter().any(|e| e.span == s.span))
    }

    /// Whether a name with an index is a number.
    fn is_number(&self, name: &str) -> bool {
        self.system.is_some_and(|s| s.numbers.iter().any(|n| n == name))
    }

    fn terms(&self, e: &Expression, negative: bool, out: &mut Vec<String>) {
        match &e.node {
            Node::Binary(Operation::Add, a, b) if !negative => {
                self.terms(a, false, out);
                self.terms(b, false, out);
            }
            Node::Binary(Operation::Subtract, a, b) if !negative => {
                self.terms(a, false, out);
                self.terms(b, true, out);
            }
            Node::Minus(a) if !negative => self.terms(a, true, out),
            _ => {
                let text = self.at_least(e, if negative { Tightness::Product } else { Tightness::Sum });
                out.push(match (out.is_empty(), negative) {
                    (true, false) => text,
                    (true, true) => format!("-{text}"),
                    (false, false) => format!("+ {text}"),
                    (false, true) => format!("- {text}"),
                });
            }
        }
    }

    fn name(&self, own: &str) -> String {
        if (self.is_marked)(own) { name(Script::Latex, &format!("{TILDE}{own}")) } else { name(Script::Latex, own) }
    }

    fn expression(&self, e: &Expression) -> String {
        self.at_least(e, Tightness::Sum)
    }

    fn at_least(&self, e: &Expression, wanted: Tightness) -> String {
        let (text, tightness) = self.plain(e);
        if tightness < wanted { format!("({text})") } else { text }
    }

    fn plain(&self, e: &Expression) -> (String, Tightness) {
        use Tightness::*;
        match &e.node {
            Node::Number(n) if n.is_int() => (n.to_string(), Primary),
            Node::Number(n) => (format!("\\tfrac{{{}}}{{{}}}", n.numerator(), n.denominator()), Primary),
            Node::Name(n) => (self.name(n), Primary),
            Node::Indexed(n, i) if self.is_number(n) => (format!("{}_{{{}}}", self.name(n), self.index(i)), Primary),
            Node::Indexed(n, i) => (format!("{}^{{{}}}", self.name(n), self.index(i)), Primary),
            Node::Identity => ("I".to_string(), Primary),
            Node::Minus(a) => (format!("-{}", self.at_least(a, Power)), Sum),
            Node::Binary(Operation::Add, a, b) => {
                (format!("{} + {}", self.at_least(a, Sum), self.at_least(b, Product)), Sum)
            }
            Node::Binary(Operation::Subtract, a, b) => {
                (format!("{} - {}", self.at_least(a, Sum), self.at_least(b, Product)), Sum)
            }
            Node::Binary(Operation::Multiply, a, b) => {
                let (left, right) = (self.at_least(a, Product), self.at_least(b, Power));
                let dot = match right.chars().next() {
                    Some(c) if c.is_ascii_digit() => "\\cdot ",
                    // An operator is no function: `W (x - y)` would be a call.
                    Some('(') if matches!(&a.node, Node::Name(n) if n.starts_with(char::is_uppercase)) => "\\cdot ",
                    Some('(') if gap(&left, &right) == " " => "",
                    _ => "\\,",
                };
                (format!("{left} {dot}{right}"), Product)
            }
            Node::Binary(Operation::Divide, a, b) => {
                (format!("\\tfrac{{{}}}{{{}}}", self.expression(a), self.expression(b)), Product)
            }
            Node::Power(a, b) if !matches!(b.node, Node::Number(_) | Node::Minus(_)) => {
                (format!("({})^{{{}}}", self.expression(a), self.expression(b)), Power)
            }
            Node::Power(a, b) => (format!("{{{}}}^{{{}}}", self.at_least(a, Primary), self.expression(b)), Power),
            Node::Adjoint(a) => (format!("{{{}}}^{{*}}", self.at_least(a, Primary)), Primary),
            Node::Call(call) => (self.called(call), Primary),
            Node::Apply(own, _, a, sample) => (self.applied(self.name(own), a, sample), Primary),
            Node::Elementary(function, a) => self.elementary(*function, a),
            Node::Oracle(oracle) => (self.oracle(oracle), Primary),
            Node::Minimize(found) => (self.minimization(found), Sum),
            Node::Variable(n) => (self.name(n), Primary),
            Node::Value(own, _, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|a| self.expression(a)).collect();
                let own = own.strip_suffix('*').map_or_else(|| self.name(own), |f| format!("{}^{{*}}", self.name(f)));
                (format!("{own}({})", arguments.join(", ")), Primary)
            }
            Node::Inner(a, b) => (format!("\\langle {}, {}\\rangle", self.expression(a), self.expression(b)), Primary),
            Node::Norm(a, None) => (format!("\\|{}\\|", self.expression(a)), Primary),
            Node::Norm(a, Some(w)) => (format!("\\|{}\\|_{{{}}}", self.expression(a), self.expression(w)), Primary),
        }
    }

    fn minimization(&self, found: &Minimization) -> String {
        let word = match found.sense {
            Sense::Minimize => "min",
            Sense::Maximize => "max",
        };
        let set = found.set.as_ref().map_or(String::new(), |set| format!("\\in {}", self.name(set)));
        format!("\\arg\\{word}_{{{}{set}}}\\ {}", self.name(&found.variable), self.expression(&found.objective))
    }

    fn elementary(&self, function: Elementary, a: &Expression) -> (String, Tightness) {
        let inner = self.expression(a);
        let text = match function {
            Elementary::Exp => format!("\\exp\\left({inner}\\right)"),
            Elementary::Log => format!("\\log\\left({inner}\\right)"),
            Elementary::Sqrt => format!("\\sqrt{{{inner}}}"),
            Elementary::Inverse => format!("\\left({inner}\\right)^{{-1}}"),
            Elementary::Adjoint => format!("\\left({inner}\\right)^{{*}}"),
            Elementary::Nonlinear(word) => format!("\\operatorname{{{word}}}\\left({inner}\\right)"),
        };
        (text, Tightness::Primary)
    }

    fn index(&self, i: &Index) -> String {
        let letter = name(Script::Latex, &i.letter);
        let sign = if i.halves < 0 { "-" } else { "+" };
        match (i.halves.abs() / 2, i.halves % 2 != 0) {
            (0, false) => letter,
            (n, false) => format!("{letter}{sign}{n}"),
            (0, true) => format!("{letter}{sign}1/2"),
            (n, true) => format!("{letter}{sign}{}/2", 2 * n + 1),
        }
    }

    fn called(&self, call: &Call) -> String {
        let (span, kind, function, conjugate) = (call.name_span, call.kind, call.function.clone(), call.conjugate);
        let oracle = self.oracle(&OracleName { span, kind, function, conjugate, step: call.step.clone() });
        self.applied(oracle, &call.argument, &call.sample)
    }

    fn oracle(&self, oracle: &OracleName) -> String {
        use OracleKind::*;
        let star = match oracle.conjugate {
            false => "",
            true if oracle.kind == OracleKind::Resolvent => "^{-1}",
            true => "^{*}",
        };
        let f = format!("{}{star}", name(Script::Latex, &oracle.function));
        let with_step = match &oracle.step {
            None => f.clone(),
            Some(step) => format!("{} {f}", self.at_least(step, Tightness::Product)),
        };
        match oracle.kind {
            Gradient => format!("\\nabla {f}"),
            Subdifferential => format!("\\partial {f}"),
            Prox => format!("\\operatorname{{prox}}_{{{with_step}}}"),
            Projection => format!("P_{{{f}}}"),
            Resolvent => format!("J_{{{with_step}}}"),
            Reflected => format!("R_{{{with_step}}}"),
            MoreauGradient => format!("\\nabla \\operatorname{{env}}_{{{with_step}}}"),
            Argmin => format!("\\operatorname{{argmin}}_{{{with_step}}}"),
            BlackBox => f,
        }
    }

    fn applied(&self, function: String, a: &Expression, sample: &Option<Sample>) -> String {
        let sample = sample.as_ref().map_or_else(String::new, |s| {
            let index = s.index.as_ref().map(|i| self.index(i));
            match (s.name.is_empty(), index) {
                (true, index) => format!(";\\, {}", index.unwrap_or_default()),
                (false, None) => format!(";\\, {}", self.name(&s.name)),
                (false, Some(index)) => format!(";\\, {}^{{{index}}}", self.name(&s.name)),
            }
        });
        format!("{function}({}{sample})", self.expression(a))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::notation::Notation;
    use crate::syntax::print;
    use crate::system::Coefficients;
    use crate::zoo::Zoo;

    fn typeset(reading: &crate::Reading) -> String {
        let rows: Vec<String> =
            unmarked(reading).into_iter().map(|(left, terms)| format!("{left}{}", terms.join(" "))).collect();
        let declared: String = reading.algorithm.declarations.iter().map(|d| print::declaration(d) + "\n").collect();
        format!("{declared}\\begin{{align}}\n{}\n\\end{{align}}", rows.join(" \\\\\n"))
    }

    /// Every card, typeset, is read as what it was.
    #[test]
    fn typeset_cards_are_read_again() {
        let zoo = Zoo::embedded();
        let mut wrong = Vec::new();
        for animal in zoo.animals() {
            let first = animal.reading();
            let text = typeset(first);
            let second = crate::read_as(&text, Notation::Latex, Coefficients::AsWritten);
            let (a, b) = (first.report(), second.report());
            if a.transfer != b.transfer || a.markov != b.markov || second.analysis.is_none() {
                let said = second.diagnostics.first().map(|d| d.render(&second.source)).unwrap_or_default();
                wrong.push(format!("{}:\n{text}\n{said}", animal.card.slug));
            }
        }
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), zoo.animals().len(), wrong.join("\n"));
    }
}

//! Polynomials and rational functions as text, factored, in several scripts.

use crate::relation::is_operator;
use crate::syntax::names::greek_letter;
use crate::system::Z;
use linnaeus_algebra::{Integer, Polynomial, RationalFunction, Variable, with_fuel};

/// How formulas are written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// The plain notation, which is also Julia's: `2*alpha^2`, names as the user spells them.
    Plain,
    /// Text that SymPy reads: `2*alpha**2`.
    Sympy,
    /// For a terminal: `2α²`.
    Unicode,
    /// LaTeX: `2 \alpha^{2}`.
    Latex,
}

/// The names of variables other than z.
pub type Names<'a> = &'a dyn Fn(Variable) -> String;

/// A rational function as SymPy reads it.
pub fn plain(value: &RationalFunction, names: Names) -> String {
    Printer { script: Script::Sympy, names }.rational(value)
}

/// Words that Python keeps for itself.
const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "nonlocal", "not", "or", "pass", "raise", "return",
    "try", "while", "with", "yield", "None", "True", "False",
];

/// A name in a script. SymPy cannot read `lambda`, and `z` is the transform variable.
pub fn name(script: Script, name: &str) -> String {
    if let Some(formula) = name.strip_prefix(RAW) {
        return formula.to_string();
    }
    // `alpha[k+1]` and `beta^k`, numbers that change with the index.
    if let Some((stem, index)) = name.strip_suffix(']').and_then(|n| n.split_once('[')) {
        let stem = self::name(script, stem);
        return if script == Script::Latex { with_index(&stem, index) } else { format!("{stem}[{index}]") };
    }
    if let Some((base, index)) = name.split_once('^').filter(|(b, _)| is_base(b)) {
        let base = if base.starts_with('(') { base.to_string() } else { self::name(script, base) };
        return match script {
            Script::Latex => format!("{base}^{{{index}}}"),
            Script::Unicode => format!("{base}^{index}"),
            Script::Sympy => format!("({base}**{index})"),
            Script::Plain => format!("{base}^{index}"),
        };
    }
    if let Some(of) = radicand(name).filter(|of| of.chars().all(|c| c.is_alphanumeric() || c == '_')) {
        let of = self::name(script, of);
        return if script == Script::Latex { format!("\\sqrt{{{of}}}") } else { format!("sqrt({of})") };
    }
    match script {
        Script::Plain => name.to_string(),
        Script::Sympy => match name {
            "lambda" => "lamda".to_string(),
            "z" => "z_".to_string(),
            word if PYTHON.contains(&word) => format!("{word}_"),
            _ => name.replace("lambda", "lamda").replace('~', "_"),
        },
        Script::Unicode => {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            match greek_letter(stem) {
                Some(letter) => format!("{letter}{}", &name[stem.len()..]),
                None => name.to_string(),
            }
        }
        Script::Latex => latex_name(name),
    }
}

/// Whether it is a name or a number in parentheses.
fn is_base(text: &str) -> bool {
    let number = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let is_digit = |c: char| c.is_ascii_digit() || "-/.".contains(c);
    number.map_or_else(|| text.chars().all(char::is_alphanumeric), |n| n.chars().all(is_digit))
}

/// `x_{k+1}`, or `x_{1,k+1}` where the name has a subscript already.
pub fn with_index(stem: &str, index: &str) -> String {
    match stem.strip_suffix('}').filter(|s| s.contains("_{")) {
        Some(open) => format!("{open},{index}}}"),
        None => format!("{stem}_{{{index}}}"),
    }
}

/// Accents that are part of a name.
const ACCENTS: &[&str] = &["bar", "hat", "tilde", "check", "breve"];

/// Before a name: in LaTeX it gets a tilde.
pub const TILDE: char = '\u{303}';

/// Before what is a formula already.
pub const RAW: char = '\u{1}';

fn latex_name(name: &str) -> String {
    let (marked, name) = name.strip_prefix(TILDE).map_or((false, name), |own| (true, own));
    let (head, rest) = name.split_once(['_', '~']).unwrap_or((name, ""));
    let stem = head.trim_end_matches(|c: char| c.is_ascii_digit());
    let body = match greek_letter(stem) {
        Some(_) if stem == "omicron" => "o".to_string(),
        Some(_) => format!("\\{stem}"),
        None if stem.starts_with("sqrt(") => format!("\\sqrt{{{}}}", &stem[5..stem.len() - 1]),
        None if stem.chars().count() > 1 && stem.chars().all(|c| c.is_ascii_alphanumeric()) => {
            format!("\\mathit{{{stem}}}")
        }
        None if stem.is_ascii() => stem.to_string(),
        None => format!("\\text{{{stem}}}"),
    };
    let body = match (marked, stem.chars().count() > 1 && greek_letter(stem).is_none()) {
        (false, _) => body,
        (true, false) => format!("\\tilde{{{body}}}"),
        (true, true) => format!("\\widetilde{{{body}}}"),
    };
    let mut body = body;
    let mut labels: Vec<&str> = rest.split(['_', '~']).filter(|w| !w.is_empty()).collect();
    // `x_bar` is how `\bar x` is called.
    while let Some(accent) = labels.first().filter(|w| ACCENTS.contains(w)) {
        body = format!("\\{accent}{{{body}}}");
        labels.remove(0);
    }
    let word = |w: &str| match greek_letter(w) {
        Some(_) => format!("\\{w}"),
        None if w.chars().count() > 1 && !w.chars().all(|c| c.is_ascii_digit()) => format!("\\mathrm{{{w}}}"),
        None => w.to_string(),
    };
    let below: Vec<String> =
        [&head[stem.len()..]].into_iter().chain(labels).filter(|w| !w.is_empty()).map(word).collect();
    if below.is_empty() { body } else { format!("{body}_{{{}}}", below.join(",")) }
}

/// Writes formulas.
#[derive(Copy, Clone)]
pub struct Printer<'a> {
    /// In which script.
    pub script: Script,
    /// What variables are called.
    pub names: Names<'a>,
}

/// A product ready to be printed: sign, integer, factors with multiplicities.
#[derive(Clone, Debug, Default)]
pub struct Product {
    /// Whether a minus sign stands before it.
    pub negative: bool,
    /// The integer factor, positive.
    pub content: Integer,
    /// The other factors.
    pub factors: Vec<(Polynomial, u32)>,
}

/// The work that factoring one polynomial for display may take.
const FACTOR_FUEL: u64 = 1_000_000;
/// The work that factoring for one whole report may take; what comes later is printed expanded.
pub const DISPLAY_FUEL: u64 = 20_000_000;

/// Stands for a vector in a product with a coefficient.
pub const VECTOR: Variable = Variable(4_000_000);

/// The factors of a polynomial, or the polynomial itself where factoring takes too long.
pub fn product(p: &Polynomial) -> Product {
    let (content, mut factors) = match with_fuel(FACTOR_FUEL, || p.factor()) {
        Ok(found) => (found.content, found.factors),
        Err(_) => {
            (p.content() * if p.leading_coefficient() < Integer::ZERO { -1 } else { 1 }, vec![(p.primitive_part(), 1)])
        }
    };
    factors.retain(|(f, _)| !f.is_one());
    // Single symbols first, operators and vectors behind numbers, then what does not depend on z, then z, then the rest.
    factors.sort_by_key(|(f, _)| {
        let with_z = f.degree_in(Z) > 0;
        let acts = f.variables().into_iter().any(|v| is_operator(v) || v == VECTOR);
        (with_z, f.term_count() > 1, f.total_degree(), acts, f.clone())
    });
    let negative = content < Integer::ZERO;
    Product { negative, content: if negative { -content } else { content }, factors }
}

impl Printer<'_> {
    /// A rational function in lowest terms, factored.
    pub fn rational(&self, value: &RationalFunction) -> String {
        if value.is_zero() {
            return "0".to_string();
        }
        let (mut above, mut below) = (product(value.numerator()), product(value.denominator()));
        let mut negative = above.negative != below.negative;
        if negative {
            // `1 - beta` reads better than `-(beta - 1)`.
            let turned = above.factors.iter_mut().chain(&mut below.factors).find(|(f, n)| n % 2 == 1 && is_mixed(f));
            if let Some((f, _)) = turned {
                *f = -&*f;
                negative = false;
            }
        }
        match (above.factors.as_slice(), value.is_polynomial() && above.content == Integer::ONE) {
            // A lone sum needs no parentheses, and can take the sign into itself.
            ([(only, 1)], true) => self.polynomial(&if negative { -only } else { only.clone() }),
            _ => format!(
                "{}{}",
                if negative { "-" } else { "" },
                self.quotient(&self.factors(&above), &self.factors(&below))
            ),
        }
    }

    /// `above/below`, each a list of factors; an empty list is 1.
    pub fn quotient(&self, above: &[String], below: &[String]) -> String {
        let numerator = self.join(above);
        if below.is_empty() {
            return numerator;
        }
        match self.script {
            Script::Latex => {
                let strip = |list: &[String]| {
                    if list.len() == 1 { unwrapped(&list[0]).to_string() } else { self.join(list) }
                };
                format!("\\frac{{{}}}{{{}}}", strip(above), strip(below))
            }
            _ if below.len() == 1 && !below[0].contains(['*', '·', ' ']) => {
                format!("{numerator}/{}", below[0])
            }
            _ if below.len() == 1 && below[0].starts_with('(') => {
                format!("{numerator}/{}", below[0])
            }
            _ => format!("{numerator}/({})", self.join(below)),
        }
    }

    /// Factors side by side.
    pub fn join(&self, factors: &[String]) -> String {
        if factors.is_empty() {
            return "1".to_string();
        }
        match self.script {
            Script::Plain | Script::Sympy => factors.join("*"),
            Script::Latex => side_by_side(factors),
            Script::Unicode => {
                let mut out = String::new();
                for factor in factors {
                    if is_word(trailing_name(&out)) && factor.starts_with(|c: char| c.is_alphanumeric() || c == '(')
                        || is_word(leading_name(factor)) && !trailing_name(&out).is_empty()
                        || out.ends_with(|c: char| c.is_ascii_digit())
                            && factor.starts_with(|c: char| c.is_ascii_digit())
                        || factor.contains('^') && !trailing_name(&out).is_empty()
                    {
                        out.push('·');
                    }
                    out.push_str(factor);
                }
                out
            }
        }
    }

    /// The factors of a product as text, sums in parentheses.
    pub fn factors(&self, p: &Product) -> Vec<String> {
        let mut out = Vec::new();
        if p.content != Integer::ONE {
            out.push(p.content.to_string());
        }
        for (factor, multiplicity) in &p.factors {
            if let [v] = factor.variables()[..]
                && *factor == Polynomial::variable(v)
            {
                out.extend(self.powers(v, *multiplicity));
                continue;
            }
            let text = self.polynomial(factor);
            let text = if factor.term_count() > 1 { self.parenthesized(&text) } else { text };
            out.push(self.power(&text, *multiplicity));
        }
        out
    }

    fn parenthesized(&self, text: &str) -> String {
        match self.script {
            Script::Latex => format!("\\left({text}\\right)"),
            _ => format!("({text})"),
        }
    }

    /// A power; the base is already in parentheses where it must be.
    pub fn power(&self, base: &str, exponent: u32) -> String {
        // `beta^k` has an exponent already.
        if exponent > 1 && base.contains('^') && !base.ends_with(')') {
            return self.power(&self.parenthesized(base), exponent);
        }
        match (exponent, self.script) {
            (1, _) => base.to_string(),
            (n, Script::Plain) => format!("{base}^{n}"),
            (n, Script::Sympy) => format!("{base}**{n}"),
            (n, Script::Latex) => format!("{base}^{{{n}}}"),
            (n, Script::Unicode) => format!("{base}{}", superscript(n)),
        }
    }

    /// A power of a variable; the square of a root is what that is the root of.
    fn powers(&self, v: Variable, exponent: u32) -> Vec<String> {
        let text = self.variable(v);
        let Some(square) = radicand(&text).filter(|_| exponent > 1) else { return vec![self.power(&text, exponent)] };
        let is_name = |c: char| c.is_alphanumeric() || "[]_\\".contains(c);
        let square = if square.chars().all(is_name) { square.to_string() } else { self.parenthesized(square) };
        let whole = self.power(&square, exponent / 2);
        [whole].into_iter().chain((exponent % 2 == 1).then_some(text)).collect()
    }

    /// A variable's name.
    pub fn variable(&self, v: Variable) -> String {
        if v == Z { "z".to_string() } else { name(self.script, &(self.names)(v)) }
    }

    /// A polynomial by falling powers of z.
    pub fn polynomial(&self, p: &Polynomial) -> String {
        let mut terms: Vec<(bool, String)> = Vec::new();
        for (degree, coefficient) in p.coefficients_in(Z).iter().enumerate().rev() {
            if coefficient.is_zero() {
                continue;
            }
            let power = self.power("z", degree as u32);
            if degree == 0 {
                terms.extend(self.monomials(coefficient));
            } else if coefficient.term_count() == 1 {
                let (negative, text) = self.monomials(coefficient).remove(0);
                let text = if text == "1" { power } else { self.join(&[text, power]) };
                terms.push((negative, text));
            } else {
                let negative = coefficient.leading_coefficient() < Integer::ZERO;
                let positive = if negative { -coefficient } else { coefficient.clone() };
                let inner = self.parenthesized(&sum(self.monomials(&positive)));
                terms.push((negative, self.join(&[inner, power])));
            }
        }
        sum(terms)
    }

    fn monomials(&self, p: &Polynomial) -> Vec<(bool, String)> {
        p.terms()
            .map(|(monomial, coefficient)| {
                let negative = *coefficient < Integer::ZERO;
                let size = if negative { -coefficient.clone() } else { coefficient.clone() };
                let mut factors: Vec<String> = Vec::new();
                if size != Integer::ONE {
                    factors.push(size.to_string());
                }
                factors.extend(monomial.iter().flat_map(|(v, e)| self.powers(*v, *e)));
                (negative, self.join(&factors))
            })
            .collect()
    }
}

/// What a root is the root of.
fn radicand(text: &str) -> Option<&str> {
    let plain = text.strip_prefix("sqrt(").and_then(|t| t.strip_suffix(')'));
    plain.or_else(|| text.strip_prefix("\\sqrt{").and_then(|t| t.strip_suffix('}')))
}

/// A sum without z of terms of both signs.
fn is_mixed(p: &Polynomial) -> bool {
    let positive = p.terms().filter(|(_, c)| **c > Integer::ZERO).count();
    p.degree_in(Z) == 0 && positive > 0 && positive < p.term_count()
}

/// `a - b + c`, a positive term first if there is one.
pub fn sum(mut terms: Vec<(bool, String)>) -> String {
    if let (Some((true, _)), Some(first)) = (terms.first(), terms.iter().position(|(negative, _)| !negative)) {
        let term = terms.remove(first);
        terms.insert(0, term);
    }
    let mut out = String::new();
    for (i, (negative, text)) in terms.into_iter().enumerate() {
        out.push_str(match (i, negative) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        out.push_str(&text);
    }
    if out.is_empty() { "0".to_string() } else { out }
}

fn trailing_name(text: &str) -> &str {
    &text[text
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8))..]
}

fn leading_name(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len())]
}

/// `lr` and `b1` must be kept apart from their neighbours; `2`, `α`, `2α` and `AW` need not.
fn is_word(name: &str) -> bool {
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit());
    name.chars().count() > 1 && !name.chars().all(char::is_uppercase) && name.chars().any(|c| c.is_ascii())
}

/// LaTeX factors side by side, names of several letters apart from their neighbours.
pub fn side_by_side(factors: &[String]) -> String {
    let mut out = String::new();
    for factor in factors {
        if !out.is_empty() {
            out.push_str(gap(&out, factor));
        }
        out.push_str(factor);
    }
    out
}

/// What stands between two LaTeX factors: spaces are not set, so that `\mathit{lam} x` would look like one word.
pub fn gap(left: &str, right: &str) -> &'static str {
    let is_word = |name: &str| ["\\mathit{", "\\widetilde{", "\\text{"].iter().any(|w| name.starts_with(w));
    let last = left.rsplit_once(' ').map_or(left, |(_, last)| last);
    let is_whole = last.ends_with('}') && last.matches('{').count() == last.matches('}').count();
    if is_whole && is_word(last) || is_word(right) { " \\, " } else { " " }
}

fn unwrapped(text: &str) -> &str {
    match text.strip_prefix("\\left(").and_then(|t| t.strip_suffix("\\right)")) {
        Some(inner) if !inner.contains("\\left(") => inner,
        _ => text,
    }
}

fn superscript(n: u32) -> String {
    n.to_string().chars().map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c as usize - '0' as usize).unwrap_or(c)).collect()
}

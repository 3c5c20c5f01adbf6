//! Characters → tokens of the plain notation.

use super::names::greek;
use crate::diagnostic::{Code, Diagnostic, MAX_ERRORS, clipped};
use crate::source::Span;
use linnaeus_algebra::{Integer, Rational};

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
    /// Whether white space stands before it.
    pub spaced: bool,
}

/// The kinds of token.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// A name, Greek letters spelled out.
    Name(String),
    /// An exact number.
    Number(Rational),
    /// `_` before `{`.
    Underscore,
    /// One of `+ - * / ^ = < > , : ' ( ) [ ] { }`, `∇`, `∂`, `‖`, `⟨`, `⟩`, `∈`.
    Symbol(char),
    /// `<-` or `:=`.
    Assign,
    /// `->`.
    Arrow,
    /// `;`.
    Semicolon,
    /// The end of a line.
    Newline,
    /// A comment, to the end of its line.
    Comment,
}

/// No number has more digits than this.
pub(super) const DIGITS: usize = 400;
/// No name has more characters than this.
pub(super) const LETTERS: usize = 100;

/// Cuts the text into tokens. What is no token is reported and left out.
pub fn tokenize(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    Lexer { text, at: 0, spaced: false, tokens: Vec::new(), diagnostics }.run()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    spaced: bool,
    tokens: Vec<Token>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn run(mut self) -> Vec<Token> {
        while let Some(c) = self.peek() {
            let start = self.at;
            match c {
                '\n' => self.push(start, 1, TokenKind::Newline),
                c if c.is_whitespace() || c == '\u{feff}' || c == '\u{200b}' => {
                    self.at += c.len_utf8();
                    self.spaced = true;
                }
                '#' | '%' => self.comment(),
                '/' if self.rest().starts_with("//") => self.comment(),
                '…' => self.push(start, c.len_utf8(), TokenKind::Symbol('…')),
                '.' if self.rest().starts_with("..") => {
                    let dots = self.rest().len() - self.rest().trim_start_matches('.').len();
                    self.push(start, dots, TokenKind::Symbol('…'));
                }
                '0'..='9' => self.number(),
                '.' if self.rest()[1..].starts_with(|d: char| d.is_ascii_digit()) => self.number(),
                '<' if self.rest().starts_with("<-") => self.push(start, 2, TokenKind::Assign),
                ':' if self.rest().starts_with(":=") => self.push(start, 2, TokenKind::Assign),
                '-' if self.rest().starts_with("->") => self.push(start, 2, TokenKind::Arrow),
                '*' if self.rest().starts_with("**") => self.push(start, 2, TokenKind::Symbol('^')),
                '|' if self.rest().starts_with("||") => self.push(start, 2, TokenKind::Symbol('‖')),
                ';' => self.push(start, 1, TokenKind::Semicolon),
                '_' => self.push(start, 1, TokenKind::Underscore),
                '+' | '-' | '*' | '/' | '^' | '=' | '<' | '>' | ',' | ':' | '\'' | '(' | ')' | '[' | ']' | '{'
                | '}' | '∇' | '∂' | '‖' | '⟨' | '⟩' | '∈' => {
                    self.push(start, c.len_utf8(), TokenKind::Symbol(c))
                }
                c if plain_twin(c).is_some() => self.push(start, c.len_utf8(), plain_twin(c).expect("just seen")),
                c if superscript(c).is_some() => self.superscript(),
                c if c.is_alphabetic() => self.name(),
                '\\' if self.greek_command() => {
                    self.at += 1;
                    self.name();
                }
                c => {
                    self.at += self.rest().chars().take_while(|d| *d == c).map(char::len_utf8).sum::<usize>();
                    let span = Span::new(start, self.at);
                    let message = format!("`{}` has no meaning here", clipped(&c.to_string()));
                    let help =
                        "remove it; there are names, numbers, `+ - * / ^ ( ) [ ]` and oracles such as `grad f(x[k])`";
                    self.report(Diagnostic::error(Code::UnexpectedToken, span, message).help(help));
                }
            }
        }
        self.tokens
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Whether this is `\alpha` or another Greek letter as LaTeX writes it.
    fn greek_command(&self) -> bool {
        let word: &str = self.rest()[1..].split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
        ('Α'..='ϖ').any(|c| greek(c) == Some(word))
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, start: usize, length: usize, kind: TokenKind) {
        self.at = start + length;
        self.tokens.push(Token { kind, span: Span::new(start, self.at), spaced: std::mem::take(&mut self.spaced) });
    }

    /// Nobody reads more than the first few mistakes.
    fn report(&mut self, mistake: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(mistake);
        }
    }

    fn comment(&mut self) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.push(self.at, length, TokenKind::Comment);
    }

    fn name(&mut self) {
        /// Words that stand below a letter.
        const LABELS: [&str; 4] = ["max", "min", "old", "new"];
        let mut name = String::new();
        let mut length = 0;
        let rest = &self.text[self.at..];
        let mut chars = rest.chars().peekable();
        while let Some(c) = chars.next() {
            let joins = c == '_' && chars.peek() != Some(&'{') && length > 0;
            if let Some(digit) = subscript(c).filter(|_| length > 0) {
                name.push(digit);
            } else if superscript(c).is_some() || plain_twin(c).is_some() || !(c.is_alphanumeric() || joins) {
                break;
            } else if let Some(spelled) = greek(c) {
                // `αβ` is two letters, as in any formula; `α1` and `Δx` are one name.
                if length > 0 && !name.ends_with('_') {
                    break;
                }
                name.push_str(spelled);
                // `βv` is a product, `λmax` a name with a label.
                let behind = &rest[length + c.len_utf8()..];
                let letters = behind.find(|l: char| !l.is_ascii_alphabetic()).unwrap_or(behind.len());
                if length == 0 && c.is_lowercase() && letters > 0 && !LABELS.contains(&&behind[..letters]) {
                    length += c.len_utf8();
                    break;
                }
            } else {
                name.push(c);
            }
            length += c.len_utf8();
        }
        if name.chars().nth(LETTERS).is_some() {
            let span = Span::new(self.at, self.at + length);
            let message = format!("a name has at most {LETTERS} characters");
            self.report(
                Diagnostic::error(Code::LimitLines, span, message)
                    .help(format!("use a name of at most {LETTERS} characters")),
            );
            name = name.chars().take(LETTERS).collect();
        }
        self.push(self.at, length, TokenKind::Name(name));
    }

    fn superscript(&mut self) {
        let start = self.at;
        let run: String = self.rest().chars().map_while(superscript).collect();
        let length: usize = self.rest().chars().take_while(|c| superscript(*c).is_some()).map(char::len_utf8).sum();
        self.push(start, 0, TokenKind::Symbol('^'));
        let (sign, digits) = run.strip_prefix('-').map_or((1, run.as_str()), |d| (-1, d));
        match digits.parse::<i64>() {
            Ok(n) => self.push(start, length, TokenKind::Number(Rational::from(sign * n))),
            Err(_) => {
                self.at = start + length;
                let span = Span::new(start, self.at);
                self.report(
                    Diagnostic::error(Code::UnexpectedToken, span, "this superscript is not a power")
                        .help("write a power as `^2` and an adjoint as `A'`"),
                );
            }
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let digits_from = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let whole = digits_from(start);
        let mut end = whole;
        if bytes.get(end) == Some(&b'.') && bytes.get(end + 1) != Some(&b'.') {
            end = digits_from(end + 1);
        }
        let fraction = end.saturating_sub(whole + 1);
        if fraction > 0 && bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            let last = digits_from(end + 1);
            let found = Diagnostic::error(Code::UnexpectedToken, Span::new(start, last), "a number with two points");
            self.report(found.help("write one decimal point"));
            return self.push(start, last - start, TokenKind::Number(Rational::ONE));
        }
        let mut exponent: i64 = 0;
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let last = digits_from(end + 1 + sign);
            if last > end + 1 + sign {
                exponent = self.text[end + 1..last].parse().unwrap_or(i64::MAX);
                end = last;
            }
        }
        if end - start > DIGITS || exponent.unsigned_abs() > DIGITS as u64 {
            self.report(
                Diagnostic::error(
                    Code::NumberTooLong,
                    Span::new(start, end),
                    format!("a number has at most {DIGITS} digits"),
                )
                .help(format!("write at most {DIGITS} digits, or a parameter instead of the number")),
            );
            return self.push(start, end - start, TokenKind::Number(Rational::ONE));
        }
        let mantissa: String =
            self.text[start..whole + (fraction + 1).min(end - whole)].chars().filter(char::is_ascii_digit).collect();
        let mantissa: Integer = mantissa.parse().unwrap_or(Integer::ZERO);
        let scale = exponent - fraction as i64;
        let ten = Integer::from(10).pow(scale.unsigned_abs() as usize);
        let value =
            if scale >= 0 { Rational::from(mantissa * ten) } else { Rational::from(mantissa) / Rational::from(ten) };
        self.push(start, end - start, TokenKind::Number(value));
    }
}

/// Characters that are only another way to draw one that we know.
fn plain_twin(c: char) -> Option<TokenKind> {
    Some(TokenKind::Symbol(match c {
        '−' | '–' => '-',
        '·' | '×' | '⋅' | '∗' | '∘' => '*',
        '÷' => '/',
        '′' | '’' | 'ᵀ' | '⊤' | '†' => '\'',
        '←' | '≔' => return Some(TokenKind::Assign),
        '→' => return Some(TokenKind::Arrow),
        _ => return None,
    }))
}

fn subscript(c: char) -> Option<char> {
    "₀₁₂₃₄₅₆₇₈₉".chars().position(|d| d == c).and_then(|d| char::from_digit(d as u32, 10))
}

fn superscript(c: char) -> Option<char> {
    Some(match c {
        '⁻' => '-',
        _ => char::from_digit("⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|d| d == c)? as u32, 10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut diagnostics = Vec::new();
        let shown: Vec<String> = tokenize(text, &mut diagnostics)
            .into_iter()
            .map(|t| match t.kind {
                TokenKind::Name(n) => n,
                TokenKind::Number(n) => n.to_string(),
                TokenKind::Symbol(c) => c.to_string(),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }

    #[test]
    fn numbers_are_exact() {
        check("0.1 .5 2e-3 12 1.50", "1/10 1/2 1/500 12 3/2");
        check("2x 2e", "2 x 2 e");
    }

    #[test]
    fn unicode_is_spelled_out() {
        check("x₁ − α·∇f(A² Aᵀ)", "x1 - alpha * ∇ f ( A ^ 2 A ' )");
        check("αβ x_1 prox_{t f}", "alpha beta x_1 prox Underscore { t f }");
    }
}

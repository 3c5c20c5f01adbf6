//! Characters → tokens of a programming language, in logical lines.

use super::Language;
use crate::diagnostic::{Code, Diagnostic, MAX_ERRORS};
use crate::source::Span;
use crate::syntax::lexer::{DIGITS, LETTERS};
use linnaeus_algebra::{Integer, Rational};

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
    /// Whether white space stands before it.
    pub spaced: bool,
}

/// The kinds of token.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A name or a keyword, as it is written.
    Name(String),
    /// An exact number.
    Number(Rational),
    /// Text between quotes.
    Text(String),
    /// An operator, a bracket or a stop.
    Sign(&'static str),
    /// A character that means nothing.
    Stray(char),
}

impl Token {
    /// Whether this is a sign.
    pub fn is(&self, sign: &str) -> bool {
        matches!(self.kind, Kind::Sign(s) if s == sign)
    }

    /// The name, if it is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// What stands on one line, continuations included, and how far it is indented.
#[derive(Clone, Debug)]
pub struct Row {
    /// Blanks before it.
    pub indent: usize,
    /// Its tokens; at least one.
    pub tokens: Vec<Token>,
}

impl Row {
    /// Where it stands.
    pub fn span(&self) -> Span {
        span_of(&self.tokens)
    }
}

/// Where tokens stand; there must be one.
pub fn span_of(tokens: &[Token]) -> Span {
    tokens[0].span.to(tokens[tokens.len() - 1].span)
}

const PYTHON: &[&str] = &[
    "**=", "//=", "...", "**", "//", "->", ":=", "+=", "-=", "*=", "/=", "@=", "%=", "==", "!=", "<=", ">=", "<<",
    ">>", "+", "-", "*", "/", "@", "%", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "&", "|", "^",
    "~",
];
const JULIA: &[&str] = &[
    "...", ".+=", ".-=", ".*=", "./=", ".^=", ".==", ".<=", ".>=", "===", "!==", ".=", ".+", ".-", ".*", "./", ".^",
    ".\\", ".<", ".>", ".'", "+=", "-=", "*=", "/=", "\\=", "^=", "==", "!=", "<=", ">=", "&&", "||", "->", "=>", "|>",
    "::", "<:", "//", "+", "-", "*", "/", "\\", "^", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".",
    "&", "|", "~", "!", "?", "%", "'", "@", "\u{2208}", "\u{2264}", "\u{2265}", "\u{2260}", "\u{221a}", "\u{22c5}",
    "\u{2218}",
];
const MATLAB: &[&str] = &[
    "...", ".*", "./", ".^", ".\\", ".'", "+=", "-=", "*=", "/=", "==", "~=", "!=", "<=", ">=", "&&", "||", "+", "-",
    "*", "/", "\\", "^", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "&", "|", "~", "!", "'", "@",
];

/// The text as rows, and its comments.
pub struct Tokens {
    /// Rows that hold something.
    pub rows: Vec<Row>,
    /// Comments, each to the end of its line or of the block.
    pub comments: Vec<Span>,
}

/// Cuts a text into rows of tokens.
pub fn tokenize(text: &str, language: Language, diagnostics: &mut Vec<Diagnostic>) -> Tokens {
    let (row, found) = (Vec::new(), Tokens { rows: Vec::new(), comments: Vec::new() });
    let lexer = Lexer { text, language, at: 0, spaced: false, open: Vec::new(), indent: 0, row, found, diagnostics };
    lexer.run()
}

struct Lexer<'a> {
    text: &'a str,
    language: Language,
    at: usize,
    spaced: bool,
    /// Brackets that are open.
    open: Vec<&'static str>,
    indent: usize,
    row: Vec<Token>,
    found: Tokens,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn run(mut self) -> Tokens {
        self.measure();
        while let Some(c) = self.rest().chars().next() {
            match c {
                '\n' => self.newline(),
                c if c.is_whitespace() || c == '\u{feff}' || c == '\u{200b}' => {
                    self.at += c.len_utf8();
                    self.spaced = true;
                }
                _ if self.comment() || self.quoted() || self.continued() => {}
                '0'..='9' => self.number(),
                '.' if self.rest()[1..].starts_with(|d: char| d.is_ascii_digit()) => self.number(),
                c if starts_name(c) => self.name(),
                c => self.sign(c),
            }
        }
        self.end_row();
        self.found
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Counts the blanks at the beginning of a line.
    fn measure(&mut self) {
        let blanks = self.rest().chars().take_while(|c| *c == ' ' || *c == '\t');
        self.indent = blanks.map(|c| if c == '\t' { 4 } else { 1 }).sum();
    }

    fn newline(&mut self) {
        self.at += 1;
        self.spaced = true;
        let hangs = self.language == Language::Julia && self.row.last().is_some_and(hangs);
        // A bracket that is never closed must not swallow the text: a row that begins anew closes it.
        let inside = !self.open.is_empty() && !self.begins_anew();
        if !inside && !hangs {
            self.end_row();
            self.measure();
        }
    }

    /// Whether the next line is a statement of its own, whatever is open.
    fn begins_anew(&self) -> bool {
        let line = self.rest().lines().next().unwrap_or("").trim();
        let word: String = line.chars().take_while(|c| continues_name(*c)).collect();
        let after = line[word.len()..].trim_start();
        let keyword = ["while", "def", "return", "end", "function"].contains(&word.as_str());
        let count = |c: char| line.matches(c).count();
        let assigns = !word.is_empty() && after.starts_with("= ") && !line.ends_with(',');
        keyword && !after.starts_with([',', ')', '=', '-', '+', ']']) || assigns && count('(') == count(')')
    }

    fn end_row(&mut self) {
        self.open.clear();
        if !self.row.is_empty() {
            self.found.rows.push(Row { indent: self.indent, tokens: std::mem::take(&mut self.row) });
        }
    }

    fn push(&mut self, length: usize, kind: Kind) {
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        self.row.push(Token { kind, span, spaced: std::mem::take(&mut self.spaced) });
    }

    /// Nobody reads more than the first few mistakes.
    fn report(&mut self, mistake: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(mistake);
        }
    }

    fn comment(&mut self) -> bool {
        let rest = self.rest();
        let length = match self.language {
            Language::Julia if rest.starts_with("#=") => rest.find("=#").map_or(rest.len(), |n| n + 2),
            Language::Matlab if rest.starts_with("%{") => rest.find("%}").map_or(rest.len(), |n| n + 2),
            Language::Matlab if rest.starts_with(['%', '#']) => rest.find('\n').unwrap_or(rest.len()),
            Language::Python | Language::Julia if rest.starts_with('#') => rest.find('\n').unwrap_or(rest.len()),
            _ => return false,
        };
        self.found.comments.push(Span::new(self.at, self.at + length));
        self.at += length;
        self.spaced = true;
        true
    }

    /// `\` in Python and `...` in MATLAB join a line to the next.
    fn continued(&mut self) -> bool {
        let mark = match self.language {
            Language::Python => "\\",
            Language::Julia => return false,
            Language::Matlab => "...",
        };
        let Some(after) = self.rest().strip_prefix(mark) else { return false };
        let line = after.find('\n').unwrap_or(after.len());
        if self.language == Language::Python && !after[..line].trim().is_empty() {
            return false;
        }
        let start = self.at + mark.len();
        if !after[..line].trim().is_empty() {
            self.found.comments.push(Span::new(start, start + line));
        }
        self.at = (start + line + 1).min(self.text.len());
        self.spaced = true;
        true
    }

    /// Whether a quote here is a transpose.
    fn transposes(&self) -> bool {
        self.language != Language::Python
            && !self.spaced
            && self.row.last().is_some_and(|t| match &t.kind {
                Kind::Name(_) | Kind::Number(_) => true,
                Kind::Sign(s) => [")", "]", "}", "'", ".'"].contains(s),
                _ => false,
            })
    }

    fn quoted(&mut self) -> bool {
        let whole = self.text;
        let rest = &whole[self.at..];
        let prefix = if self.language == Language::Python {
            let letters = rest.chars().take_while(|c| "fFrRbBuU".contains(*c)).count();
            if letters <= 2 && rest[letters..].starts_with(['\'', '"']) { letters } else { 0 }
        } else {
            0
        };
        let body = &rest[prefix..];
        let Some(quote) = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|q| body.starts_with(q)) else {
            return false;
        };
        if quote == "'" && self.transposes() {
            return false;
        }
        let long = quote.len() == 3 && self.language != Language::Matlab;
        let quote = if long { quote } else { &quote[..1] };
        let inner = &body[quote.len()..];
        let end = if long { inner.find(quote) } else { closing(inner, quote, self.language) };
        let line = inner.find('\n').unwrap_or(inner.len());
        let (length, close) = match end {
            Some(n) => (n, quote.len()),
            None if long => (inner.len(), 0),
            None => {
                let span = Span::new(self.at, self.at + prefix + quote.len() + line);
                let found = Diagnostic::error(Code::UnbalancedParenthesis, span, "this text is never closed");
                self.report(found.help(format!("add the missing `{quote}`")));
                (line, 0)
            }
        };
        let text = inner[..length].to_string();
        self.push(prefix + quote.len() + length + close, Kind::Text(text));
        true
    }

    fn name(&mut self) {
        let mut length = 0;
        let whole = self.text;
        let rest = &whole[self.at..];
        for (i, c) in rest.char_indices() {
            let more = rest[i + c.len_utf8()..].chars().next();
            let bang = c == '!' && self.language == Language::Julia && more != Some('=');
            if !(continues_name(c) || i == 0 || bang) {
                break;
            }
            length = i + c.len_utf8();
            if bang {
                break;
            }
        }
        let name = rest[..length].to_string();
        if name.chars().nth(LETTERS).is_some() {
            let span = Span::new(self.at, self.at + length);
            self.report(
                Diagnostic::error(Code::LimitLines, span, format!("a name has at most {LETTERS} characters"))
                    .help(format!("use a name of at most {LETTERS} characters")),
            );
        }
        self.push(length, Kind::Name(name));
    }

    fn number(&mut self) {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(|b| b.is_ascii_digit() || (*b == b'_' && at > start)) {
                at += 1;
            }
            at
        };
        let whole = digits(start);
        let mut end = whole;
        let dotted = bytes.get(end) == Some(&b'.')
            && (self.language == Language::Python
                || !matches!(bytes.get(end + 1), Some(b'*' | b'/' | b'^' | b'\\' | b'\'' | b'+' | b'-' | b'.')));
        if dotted {
            end = digits(end + 1);
        }
        let fraction: String = self.text[whole.min(end)..end].chars().filter(char::is_ascii_digit).collect();
        let mut exponent: i64 = 0;
        if matches!(bytes.get(end), Some(b'e' | b'E' | b'f' | b'd')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let last = digits(end + 1 + sign);
            if last > end + 1 + sign {
                exponent = self.text[end + 1..last].parse().unwrap_or(i64::MAX);
                end = last;
            }
        }
        let span = Span::new(start, end);
        if end - start > DIGITS || exponent.unsigned_abs() > DIGITS as u64 {
            let found = Diagnostic::error(Code::NumberTooLong, span, format!("a number has at most {DIGITS} digits"));
            self.report(found.help(format!("write at most {DIGITS} digits, or a parameter instead of the number")));
            return self.push(end - start, Kind::Number(Rational::ONE));
        }
        let mantissa: String = self.text[start..whole].chars().filter(char::is_ascii_digit).collect();
        let mantissa: Integer = (mantissa + &fraction).parse().unwrap_or(Integer::ZERO);
        let scale = exponent - fraction.len() as i64;
        let ten = Integer::from(10).pow(scale.unsigned_abs() as usize);
        let value =
            if scale >= 0 { Rational::from(mantissa * ten) } else { Rational::from(mantissa) / Rational::from(ten) };
        self.push(end - start, Kind::Number(value));
    }

    fn sign(&mut self, c: char) {
        let known = match self.language {
            Language::Python => PYTHON,
            Language::Julia => JULIA,
            Language::Matlab => MATLAB,
        };
        let twin = match c {
            '−' | '–' => Some("-"),
            '·' | '×' | '∗' => Some("*"),
            _ => None,
        };
        if let Some(sign) = twin {
            return self.push(c.len_utf8(), Kind::Sign(sign));
        }
        let Some(sign) = known.iter().find(|s| self.rest().starts_with(**s)) else {
            return self.push(c.len_utf8(), Kind::Stray(c));
        };
        match *sign {
            "(" | "[" | "{" => self.open.push(sign),
            ")" | "]" | "}" => {
                self.open.pop();
            }
            _ => {}
        }
        self.push(sign.len(), Kind::Sign(sign));
    }
}

/// Where a text ends, on its own line.
fn closing(inner: &str, quote: &str, language: Language) -> Option<usize> {
    let mut chars = inner.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            '\n' => return None,
            '\\' if language != Language::Matlab => {
                chars.next();
            }
            c if quote.starts_with(c) => return Some(i),
            _ => {}
        }
    }
    None
}

/// Whether a row of Julia goes on after this.
fn hangs(token: &Token) -> bool {
    const SIGNS: &[&str] =
        &["+", "-", "*", "/", "=", ".=", ".+", ".-", ".*", "./", ".+=", ".-=", "+=", "-=", "&&", "||", ","];
    matches!(token.kind, Kind::Sign(s) if SIGNS.contains(&s))
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '∇' || c == '∂'
}

fn continues_name(c: char) -> bool {
    let small = ('\u{2080}'..='\u{209c}').contains(&c) || c == '\u{2032}' || ('\u{300}'..='\u{36f}').contains(&c);
    c.is_alphanumeric() || c == '_' || small || "⁺⁻ᵀ".contains(c) || c == '∇'
}

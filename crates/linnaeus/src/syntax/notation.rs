//! Which notation a text is written in.

use super::code::{self, Language};
use super::latex;
use super::names::greek_letter;

/// A way to write algorithms.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// `x[k+1] = x[k] - t*grad f(x[k])`.
    #[default]
    Plain,
    /// `x^{k+1} = x^k - t\nabla f(x^k)`, with or without the page around it.
    Latex,
    /// `xₖ₊₁ = xₖ − t∇f(xₖ)`, and scripts written `x^{k+1}` without a backslash.
    Unicode,
    /// `x = x - t*grad_f(x)` in a loop; arrays are NumPy's or PyTorch's.
    Python,
    /// `x .= x .- t*∇f(x)` in a loop.
    Julia,
    /// `x = x - t*grad_f(x);` in a loop.
    Matlab,
}

impl Notation {
    /// Every notation.
    pub const ALL: &'static [Notation] =
        &[Notation::Plain, Notation::Latex, Notation::Unicode, Notation::Python, Notation::Julia, Notation::Matlab];

    /// The notation that a text seems to be written in.
    ///
    /// ```
    /// use linnaeus::syntax::notation::Notation;
    /// assert_eq!(Notation::detect("x[k+1] = x[k] - α·∇f(x[k])"), Notation::Plain);
    /// assert_eq!(Notation::detect(r"x_{k+1} = x_k - \alpha\nabla f(x_k)"), Notation::Latex);
    /// assert_eq!(Notation::detect("xₖ₊₁ = xₖ − α∇f(xₖ)"), Notation::Unicode);
    /// assert_eq!(Notation::detect("for k in range(n):\n    x -= alpha * grad_f(x)"), Notation::Python);
    /// ```
    pub fn detect(text: &str) -> Notation {
        let text = &without_quotes(text);
        let index_in_brackets = bracket_index(text);
        if let Some(language) = code::detect(text) {
            return match language {
                Language::Python => Notation::Python,
                Language::Julia => Notation::Julia,
                Language::Matlab => Notation::Matlab,
            };
        }
        if has_command(text) || text.contains('$') && !index_in_brackets {
            return Notation::Latex;
        }
        let small = text.chars().any(|c| "ₖₜₙᵢⱼₘₛ₊₋ᵏᵗⁿⁱʲᵐˢ⁺⁽".contains(c));
        let decorated = text.chars().any(|c| ('\u{300}'..='\u{36f}').contains(&c));
        let tagged = text.contains("<sub>") || text.contains("<sup>");
        let scripted = tagged
            || text.contains("^{")
            || text.contains("^(k")
            || text.contains("^+")
            || has_script_letter(text)
            || has_moved_script(text);
        let scripted = scripted || has_moved_argument(text) || has_numbered_arrows(text);
        if !index_in_brackets && (small || decorated || scripted || latex::came_apart(text)) {
            return Notation::Unicode;
        }
        Notation::Plain
    }

    /// The programming language, if it is one.
    pub fn language(self) -> Option<Language> {
        match self {
            Notation::Plain | Notation::Latex | Notation::Unicode => None,
            Notation::Python => Some(Language::Python),
            Notation::Julia => Some(Language::Julia),
            Notation::Matlab => Some(Language::Matlab),
        }
    }

    /// The word on the command line and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Notation::Plain => "plain",
            Notation::Latex => "latex",
            Notation::Unicode => "unicode",
            Notation::Python => "python",
            Notation::Julia => "julia",
            Notation::Matlab => "matlab",
        }
    }

    /// The notation that a word names.
    pub fn from_word(word: &str) -> Option<Notation> {
        Notation::ALL.iter().copied().find(|n| n.word() == word)
    }
}

/// The text with blanks for what a list of formulas in backticks has around them: `` 1. `v = b*v + g(x)` ``.
pub fn without_quotes(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let inside = body.split_once('`').and_then(|(before, rest)| Some((before, rest.split_once('`')?)));
        let bullet = |b: &str| b.chars().all(|c| c.is_ascii_digit() || " \t.)(-*•+".contains(c));
        match inside {
            Some((before, (formula, after)))
                if bullet(before)
                    && !formula.is_empty()
                    && !after.contains(char::is_alphanumeric)
                    && !after.contains('`') =>
            {
                let start = line.find('`').unwrap_or(0);
                let keep = start + 1..start + 1 + formula.len();
                let blank = |(i, c): (usize, char)| match c {
                    '\n' => "\n".to_string(),
                    c if keep.contains(&i) => c.to_string(),
                    c => " ".repeat(c.len_utf8()),
                };
                found.extend(line.char_indices().map(blank));
            }
            _ => found.push_str(line),
        }
    }
    found
}

/// Whether `[k+1]`, `[t]` or the like stands behind a name.
fn bracket_index(text: &str) -> bool {
    text.match_indices('[').any(|(i, _)| {
        let before = text[..i].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let mut inside = text[i + 1..].chars().take_while(|c| !matches!(c, ']' | '\n'));
        let letter = inside.next().is_some_and(char::is_alphabetic);
        before && letter && inside.all(|c| c.is_ascii_digit() || "+-/ ".contains(c))
    })
}

/// Whether a backslash begins a command that is not a Greek letter: those the plain notation reads too.
fn has_command(text: &str) -> bool {
    text.match_indices('\\').any(|(i, _)| {
        let word: String = text[i + 1..].chars().take_while(char::is_ascii_alphabetic).collect();
        let alone = word.is_empty() && text[i + 1..].starts_with(['\\', '[', '(', '{', '|', ',', ';']);
        alone || (!word.is_empty() && greek_letter(&word).is_none())
    }) || text.contains('\\') && !bracket_index(text) && (text.contains('^') || text.contains('_'))
}

/// `x_{n+1}`: a letter that counts, moved, below a name.
fn has_moved_script(text: &str) -> bool {
    text.match_indices("_{").any(|(i, _)| {
        let inside = text[i + 2..].chars().take_while(|c| !matches!(c, '}' | '\n'));
        let mut chars = inside.filter(|c| !c.is_whitespace());
        let letter = chars.next().is_some_and(char::is_alphabetic);
        let sign = chars.next().is_some_and(|c| "+-−".contains(c));
        letter && sign && chars.next().is_some_and(|c| c.is_ascii_digit())
    })
}

/// `x(k+1) = …`: a letter that counts, moved, in parentheses behind what a line gives a value.
fn has_moved_argument(text: &str) -> bool {
    text.lines().filter_map(|l| l.split_once('=')).any(|(left, _)| {
        let inside = left.trim().strip_suffix(')').and_then(|l| l.split_once('(')).map_or("", |(_, inside)| inside);
        let mut chars = inside.chars().filter(|c| !c.is_whitespace());
        let counts = chars.next().is_some_and(|c| "kntj".contains(c)) && chars.next() == Some('+');
        counts && chars.all(|c| c.is_ascii_digit())
    })
}

/// `2: v ← …`: numbered lines of an algorithm that was copied from a page.
fn has_numbered_arrows(text: &str) -> bool {
    text.lines().any(|l| {
        let body = l.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        body.len() < l.trim_start().len() && body.starts_with([':', '.']) && body.contains('←')
    })
}

/// `x^k`: a letter that may count, above a letter.
fn has_script_letter(text: &str) -> bool {
    text.match_indices('^').any(|(i, _)| {
        let mut after = text[i + 1..].chars();
        let counts = after.next().is_some_and(|c| "kntj".contains(c));
        counts && after.next().is_none_or(|c| !c.is_alphanumeric())
    }) && !text.contains("[")
}

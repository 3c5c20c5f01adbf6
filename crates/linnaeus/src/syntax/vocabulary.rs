//! What can be said of names before anything is parsed.

use super::declaration::{declared_names, is_declaration};
use super::lexer::{Token, TokenKind};
use super::names::ORACLE_WORDS;
use super::notation::Notation;
use crate::diagnostic::nearest;
use linnaeus_algebra::SortedSet;

/// The names of a text by how they are introduced.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// How the text is written.
    pub notation: Notation,
    /// Declared black boxes.
    pub oracles: SortedSet<String>,
    /// Everything that is declared, black boxes included.
    declared: SortedSet<String>,
    /// Names that are updated or carry an index, except where they stand as a sample.
    iterates: SortedSet<String>,
}

impl Vocabulary {
    /// Looks over all lines.
    pub fn new(lines: &[&[Token]], notation: Notation) -> Self {
        let mut found = Vocabulary { notation, ..Vocabulary::default() };
        for line in lines {
            if is_declaration(line) {
                let (names, are_oracles) = declared_names(line);
                if are_oracles {
                    found.oracles.extend(names.iter().cloned());
                }
                found.declared.extend(names);
            } else {
                found.iterates.extend(iterates(line));
            }
        }
        found
    }

    /// Whether the name is updated or carries an index anywhere.
    pub fn is_iterate(&self, name: &str) -> bool {
        self.iterates.contains(name)
    }

    /// Whether a declaration says what the name is.
    pub fn is_declared(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// The oracle that a misspelt word may mean; a word that the text itself explains is not misspelt.
    pub fn nearest_oracle(&self, word: &str) -> Option<String> {
        if word.chars().count() < 3 || self.declared.contains(word) || self.is_iterate(word) {
            return None;
        }
        let declared = self.oracles.iter().map(String::as_str);
        nearest(word, ORACLE_WORDS.iter().copied().chain(declared)).map(str::to_string)
    }
}

fn iterates(line: &[Token]) -> impl Iterator<Item = String> {
    let is_equal = |t: &Token| matches!(t.kind, TokenKind::Symbol('=') | TokenKind::Assign);
    let equal = line.iter().position(is_equal).unwrap_or(0);
    line.iter().enumerate().filter_map(move |(i, token)| {
        let TokenKind::Name(name) = &token.kind else {
            return None;
        };
        // In `(x[k+1], y[k+1]) = …` both are updated.
        let sampled = i > equal && matches!(line[i - 1].kind, TokenKind::Semicolon | TokenKind::Symbol(','));
        let marked = match line.get(i + 1).map(|t| (&t.kind, t.spaced)) {
            Some((TokenKind::Symbol('['), spaced)) => !sampled && !spaced,
            Some((TokenKind::Symbol('=') | TokenKind::Assign, _)) => i == 0,
            _ => false,
        };
        marked.then(|| name.clone())
    })
}

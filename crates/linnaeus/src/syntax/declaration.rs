//! Lines such as `operator A: X -> Y symmetric`.

use super::ast::{Declaration, DeclarationNode, Declared, FunctionTrait, OperatorTraits};
use super::lexer::{Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::source::Span;

const WORDS: &[&str] = &[
    "oracle", "oracles", "param", "params", "parameter", "parameters", "constant", "constants", "operator", "operators",
    "function", "functions", "set", "iterate", "iterates", "index",
];

/// Whether the line begins with a declaring word that is not itself updated.
pub fn is_declaration(line: &[Token]) -> bool {
    matches!(&line[0].kind, TokenKind::Name(word) if WORDS.contains(&word.as_str()))
        && matches!(line.get(1).map(|t| &t.kind), None | Some(TokenKind::Name(_)))
        && !line.iter().any(|t| matches!(t.kind, TokenKind::Symbol('=') | TokenKind::Assign))
}

/// The names that an `oracle` line declares, found before anything is parsed.
pub fn declared_oracles(line: &[Token]) -> Vec<String> {
    if !is_declaration(line) || !matches!(&line[0].kind, TokenKind::Name(w) if w.starts_with("oracle")) {
        return Vec::new();
    }
    let names = line[1..].iter().take_while(|t| t.kind != TokenKind::Symbol(':'));
    names.filter_map(|t| if let TokenKind::Name(n) = &t.kind { Some(n.clone()) } else { None }).collect()
}

/// Reads the line.
pub fn read(line: &[Token], span: Span) -> Result<Declaration, Diagnostic> {
    Reader { line, at: 1 }.read(span)
}

struct Reader<'a> {
    line: &'a [Token],
    at: usize,
}

impl Reader<'_> {
    fn read(mut self, span: Span) -> Result<Declaration, Diagnostic> {
        let TokenKind::Name(word) = &self.line[0].kind else { return Err(self.bad("a declaring word")) };
        let names = self.names()?;
        let node = match word.as_str() {
            "oracle" | "oracles" => DeclarationNode::Oracle(names, self.map_spaces()?),
            "param" | "params" | "parameter" | "parameters" => DeclarationNode::Parameter(names),
            "constant" | "constants" => DeclarationNode::Constant(names, self.space()?),
            "iterate" | "iterates" => DeclarationNode::Iterate(names, self.space()?),
            "operator" | "operators" => {
                let spaces = self.map_spaces()?;
                let mut traits = OperatorTraits::default();
                while let Some((word, span)) = self.word() {
                    match word.as_str() {
                        "symmetric" | "selfadjoint" => traits.symmetric = true,
                        "commuting" => traits.commuting = true,
                        _ => return Err(unknown_trait(&word, span, &["symmetric", "commuting"])),
                    }
                }
                if let (true, Some((from, to))) = (traits.symmetric, spaces.as_ref()) {
                    if from != to {
                        return Err(Diagnostic::error(Code::BadDeclaration, span, format!("an operator from {from} to {to} cannot be symmetric"))
                            .help(format!("declare `operator {}: {from} -> {from} symmetric`", names[0].name)));
                    }
                }
                DeclarationNode::Operator(names, spaces, traits)
            }
            "index" => DeclarationNode::Index(names.into_iter().next().expect("at least one name")),
            _ => {
                let space = self.space()?;
                let mut traits = Vec::new();
                while let Some((word, span)) = self.word() {
                    traits.push(match word.as_str() {
                        "linear" | "quadratic" | "subspace" => FunctionTrait::Linear,
                        "homogeneous" | "cone" => FunctionTrait::Homogeneous,
                        _ => return Err(unknown_trait(&word, span, &["linear", "quadratic", "subspace", "homogeneous", "cone"])),
                    });
                }
                DeclarationNode::Function(names, space, traits)
            }
        };
        if self.at < self.line.len() {
            return Err(self.bad("the end of the line"));
        }
        Ok(Declaration { span, node })
    }

    fn names(&mut self) -> Result<Vec<Declared>, Diagnostic> {
        let mut names = Vec::new();
        loop {
            let Some((name, span)) = self.word() else { return Err(self.bad("a name")) };
            names.push(Declared { name, span });
            if !self.eat(&TokenKind::Symbol(',')) {
                return Ok(names);
            }
        }
    }

    fn space(&mut self) -> Result<Option<String>, Diagnostic> {
        if !self.eat(&TokenKind::Symbol(':')) {
            return Ok(None);
        }
        self.word().map(|(name, _)| Some(name)).ok_or_else(|| self.bad("a space such as `X`"))
    }

    fn map_spaces(&mut self) -> Result<Option<(String, String)>, Diagnostic> {
        let Some(from) = self.space()? else { return Ok(None) };
        if !self.eat(&TokenKind::Arrow) {
            return Err(self.bad("`->` and a second space"));
        }
        let Some((to, _)) = self.word() else { return Err(self.bad("the second space")) };
        Ok(Some((from, to)))
    }

    fn word(&mut self) -> Option<(String, Span)> {
        let token = self.line.get(self.at)?;
        let TokenKind::Name(name) = &token.kind else { return None };
        self.at += 1;
        Some((name.clone(), token.span))
    }

    fn eat(&mut self, kind: &TokenKind) -> bool {
        let found = self.line.get(self.at).is_some_and(|t| t.kind == *kind);
        self.at += usize::from(found);
        found
    }

    fn bad(&self, wanted: &str) -> Diagnostic {
        let last = self.line[self.line.len() - 1].span;
        let span = self.line.get(self.at).map_or(Span::new(last.start, last.end), |t| t.span);
        let message = if self.at < self.line.len() { format!("expected {wanted} here") } else { format!("expected {wanted} after this") };
        Diagnostic::error(Code::BadDeclaration, span, message)
            .help("declarations are `oracle F`, `param t`, `constant b: Y`, `operator A: X -> Y symmetric`, `function f linear`, `iterate x: X`, `index k`")
    }
}

fn unknown_trait(word: &str, span: Span, known: &[&str]) -> Diagnostic {
    let help = match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("what may be said here: {}", known.join(", ")),
    };
    Diagnostic::error(Code::BadDeclaration, span, format!("`{word}` is not known of this")).help(help)
}

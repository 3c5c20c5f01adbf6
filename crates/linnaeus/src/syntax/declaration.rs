//! Lines such as `operator A: X -> Y symmetric`.

use super::ast::{Declaration, DeclarationNode, Declared, FunctionTrait, OperatorTraits};
use super::lexer::{Token, TokenKind};
use super::names::{elementary, is_reserved};
use crate::diagnostic::{Code, Diagnostic, clipped, nearest};
use crate::source::Span;
use std::collections::HashMap;

const WORDS: &[&str] = &[
    "oracle",
    "oracles",
    "param",
    "params",
    "parameter",
    "parameters",
    "constant",
    "constants",
    "operator",
    "operators",
    "function",
    "functions",
    "set",
    "iterate",
    "iterates",
    "index",
];
const OPERATOR_TRAITS: &[&str] = &["symmetric", "selfadjoint", "commuting"];
const FUNCTION_TRAITS: &[&str] = &["linear", "quadratic", "subspace", "homogeneous", "cone"];

/// Whether the line begins with a declaring word that is not itself updated.
pub fn is_declaration(line: &[Token]) -> bool {
    matches!(&line[0].kind, TokenKind::Name(word) if WORDS.contains(&word.as_str()))
        && matches!(line.get(1).map(|t| &t.kind), None | Some(TokenKind::Name(_)))
}

/// The names that a line declares, found before anything is parsed, and whether they are oracles.
pub fn declared_names(line: &[Token]) -> (Vec<String>, bool) {
    let are_oracles = matches!(&line[0].kind, TokenKind::Name(w) if w.starts_with("oracle"));
    let mut names = Vec::new();
    for pair in line.windows(2) {
        match (&pair[0].kind, &pair[1].kind) {
            (TokenKind::Symbol(':'), _) => break,
            (TokenKind::Symbol(','), TokenKind::Name(name)) => names.push(name.clone()),
            (TokenKind::Name(_), TokenKind::Name(name)) if names.is_empty() => names.push(name.clone()),
            _ => {}
        }
    }
    (names, are_oracles)
}

/// Reads the line.
pub fn read(line: &[Token], span: Span) -> Result<Declaration, Diagnostic> {
    Reader { line, at: 1, name: None }.read(span)
}

/// Reports names that the notation needs and names that are declared twice.
pub fn check(declarations: &[Declaration], diagnostics: &mut Vec<Diagnostic>) {
    let mut first: HashMap<(bool, &str), Span> = HashMap::new();
    for declaration in declarations {
        // Functions and sets have names of their own: `f` in `grad f` is not the parameter `f`.
        let is_function = matches!(declaration.node, DeclarationNode::Function(..) | DeclarationNode::Set(..));
        for Declared { name, span } in declaration.node.names() {
            let may_be_function = matches!(declaration.node, DeclarationNode::Oracle(..)) && elementary(name).is_some();
            if is_reserved(name) && !may_be_function {
                let message = format!("`{name}` is a word of the notation");
                diagnostics.push(Diagnostic::error(Code::BadDeclaration, *span, message).help("choose another name"));
            }
            if let Some(before) = first.insert((is_function, name), *span) {
                diagnostics.push(
                    Diagnostic::error(Code::BadDeclaration, *span, format!("`{name}` is declared twice"))
                        .label(before, "the first declaration")
                        .help("say all of it in one declaration, or choose another name"),
                );
            }
        }
    }
}

impl DeclarationNode {
    /// The names that are declared.
    pub fn names(&self) -> &[Declared] {
        match self {
            DeclarationNode::Oracle(names, _)
            | DeclarationNode::Parameter(names)
            | DeclarationNode::Constant(names, _)
            | DeclarationNode::Iterate(names, _)
            | DeclarationNode::Operator(names, ..)
            | DeclarationNode::Function(names, ..)
            | DeclarationNode::Set(names, ..) => names,
            DeclarationNode::Index(name) => std::slice::from_ref(name),
        }
    }
}

struct Reader<'a> {
    line: &'a [Token],
    at: usize,
    /// The first name declared, for examples in help.
    name: Option<String>,
}

impl Reader<'_> {
    fn read(mut self, span: Span) -> Result<Declaration, Diagnostic> {
        let names = self.names()?;
        let node = match self.keyword() {
            "oracle" | "oracles" => DeclarationNode::Oracle(names, self.map_spaces()?),
            "param" | "params" | "parameter" | "parameters" => DeclarationNode::Parameter(names),
            "constant" | "constants" => DeclarationNode::Constant(names, self.space()?),
            "iterate" | "iterates" => DeclarationNode::Iterate(names, self.space()?),
            "operator" | "operators" => {
                let spaces = self.map_spaces()?;
                let traits = self.operator_traits(spaces.as_ref())?;
                DeclarationNode::Operator(names, spaces, traits)
            }
            "index" if names.len() > 1 => {
                return Err(self.bad_at(names[1].span, "one letter counts the iterations"));
            }
            "index" => DeclarationNode::Index(names.into_iter().next().expect("at least one name")),
            "set" | "sets" => {
                let space = self.space()?;
                DeclarationNode::Set(names, space, self.function_traits()?)
            }
            _ => {
                let space = self.space()?;
                DeclarationNode::Function(names, space, self.function_traits()?)
            }
        };
        if self.at < self.line.len() {
            return Err(self.bad("the end of the line"));
        }
        Ok(Declaration { span, node })
    }

    fn operator_traits(&mut self, spaces: Option<&(String, String)>) -> Result<OperatorTraits, Diagnostic> {
        let mut traits = OperatorTraits::default();
        while let Some((word, span)) = self.word() {
            match word.as_str() {
                "symmetric" | "selfadjoint" => traits.symmetric = true,
                "commuting" => traits.commuting = true,
                _ if self.line.get(self.at).is_some_and(|t| t.kind == TokenKind::Arrow) => {
                    return Err(self.bad_at(self.rest(), "the spaces stand after a colon"));
                }
                _ => return Err(unknown_trait(&word, span, OPERATOR_TRAITS)),
            }
            if let Some((from, to)) = spaces.filter(|(from, to)| from != to) {
                let message = format!("an operator from {from} to {to} cannot be {word}");
                let help = format!("declare `operator {}: {from} -> {from} {word}`", self.example_name());
                return Err(Diagnostic::error(Code::BadDeclaration, span, message).help(help));
            }
        }
        Ok(traits)
    }

    fn function_traits(&mut self) -> Result<Vec<FunctionTrait>, Diagnostic> {
        let mut traits = Vec::new();
        while let Some((word, span)) = self.word() {
            traits.push(match word.as_str() {
                "linear" | "quadratic" | "subspace" => FunctionTrait::Linear,
                "homogeneous" => FunctionTrait::Homogeneous,
                "cone" => FunctionTrait::Cone,
                _ => return Err(unknown_trait(&word, span, FUNCTION_TRAITS)),
            });
        }
        Ok(traits)
    }

    fn names(&mut self) -> Result<Vec<Declared>, Diagnostic> {
        let mut names = Vec::new();
        loop {
            let Some((name, span)) = self.word() else {
                return Err(self.bad("a name"));
            };
            self.name.get_or_insert(name.clone());
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
        let Some(from) = self.space()? else {
            return Ok(None);
        };
        if self.at == self.line.len() {
            return Err(self.bad_at(self.rest(), "there are two spaces, from which and into which"));
        }
        if !self.eat(&TokenKind::Arrow) {
            return Err(self.bad("`->` and a second space"));
        }
        let Some((to, _)) = self.word() else {
            return Err(self.bad("the second space"));
        };
        Ok(Some((from, to)))
    }

    fn word(&mut self) -> Option<(String, Span)> {
        let token = self.line.get(self.at)?;
        let TokenKind::Name(name) = &token.kind else {
            return None;
        };
        self.at += 1;
        Some((name.clone(), token.span))
    }

    fn eat(&mut self, kind: &TokenKind) -> bool {
        let found = self.line.get(self.at).is_some_and(|t| t.kind == *kind);
        self.at += usize::from(found);
        found
    }

    fn keyword(&self) -> &str {
        match &self.line[0].kind {
            TokenKind::Name(word) => word,
            _ => "",
        }
    }

    /// Everything after the declaring word.
    fn rest(&self) -> Span {
        let last = self.line[self.line.len() - 1].span;
        self.line.get(1).map_or(last, |t| t.span.to(last))
    }

    fn bad(&self, wanted: &str) -> Diagnostic {
        if self.at == self.line.len() {
            return self.bad_at(self.line[self.at - 1].span, &format!("expected {wanted} after this"));
        }
        // Signs that touch are one mistake: `=>`.
        let here = &self.line[self.at..];
        let is_sign = |t: &Token| !matches!(t.kind, TokenKind::Name(_) | TokenKind::Number(_));
        let touching = here.iter().skip(1).take_while(|t| is_sign(&here[0]) && is_sign(t) && !t.spaced).count();
        self.bad_at(here[0].span.to(here[touching].span), &format!("expected {wanted} here"))
    }

    fn bad_at(&self, span: Span, message: &str) -> Diagnostic {
        let name = self.example_name();
        let help = match self.keyword() {
            "oracle" | "oracles" => format!("write `oracle {name}` or `oracle {name}: X -> Y`"),
            "param" | "params" | "parameter" | "parameters" => {
                format!("write `param {name}`; a value stands on a line of its own, as in `{name} = 1/2`")
            }
            "constant" | "constants" => format!("write `constant {name}` or `constant {name}: X`"),
            "iterate" | "iterates" => format!("write `iterate {name}: X`"),
            "operator" | "operators" => {
                format!("write `operator {name}: X -> Y` or `operator {name}: X -> X symmetric`")
            }
            "index" => "write `index k`".to_string(),
            word => format!("write `{word} {name}`, `{word} {name}: X` or `{word} {name} linear`"),
        };
        Diagnostic::error(Code::BadDeclaration, span, message).help(help)
    }

    fn example_name(&self) -> &str {
        let usual = match self.keyword() {
            "oracle" | "oracles" => "F",
            "param" | "params" | "parameter" | "parameters" => "t",
            "constant" | "constants" => "b",
            "iterate" | "iterates" => "x",
            "operator" | "operators" => "A",
            "set" => "C",
            _ => "f",
        };
        self.name.as_deref().unwrap_or(usual)
    }
}

fn unknown_trait(word: &str, span: Span, known: &[&str]) -> Diagnostic {
    let help = match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("what may be said here: {}", known.join(", ")),
    };
    Diagnostic::error(Code::BadDeclaration, span, format!("`{}` is not known of this", clipped(word))).help(help)
}

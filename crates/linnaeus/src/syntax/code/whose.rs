//! Whose oracle is called: the owner of a method, or one of the arguments.

use super::evaluate::{Key, is_module, is_owner, path};
use super::machine::{Machine, Value};
use super::oracle::is_star;
use super::tree::{Argument, Node as Code, Term};
use crate::syntax::ast::OracleKind;
use crate::syntax::names::{greek, greek_letter};

/// A function as a program names it.
pub struct Whose {
    pub function: String,
    /// `f.conj()`, `Conjugate(f)`
    pub conjugate: bool,
    /// `i` in `fs[i]`
    pub one: Option<Term>,
}

/// What an argument beside the point looks like.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Function,
    Step,
    Open,
}

impl Machine<'_> {
    /// The function that a term names: `f`, `self.f`, `f[0]`, `fs[i]`, `f.conj()`, `Conjugate(f)`.
    pub(super) fn whose(&mut self, term: &Term) -> Option<Whose> {
        let conjugate = |inner: Option<Whose>| inner.map(|w| Whose { conjugate: !w.conjugate, ..w });
        match &term.node {
            Code::Name(name) => {
                let (function, conjugate) = super::oracle::conjugated(name);
                Some(Whose { function: function.to_string(), conjugate, one: None })
            }
            Code::Attribute(base, name) if is_star(name) => conjugate(self.whose(base)),
            Code::Call(function, arguments) => match (&function.node, &arguments[..]) {
                (Code::Attribute(base, name), []) if is_star(name) => conjugate(self.whose(base)),
                (_, [one]) if path(function).is_some_and(|p| p.last().is_some_and(|n| is_star(n))) => {
                    conjugate(self.whose(&one.value))
                }
                _ => None,
            },
            Code::Attribute(_, name) if matches!(name.as_str(), "T" | "H" | "data" | "grad" | "real") => None,
            Code::Attribute(..) => match self.key(term)? {
                Key::Variable(name) => {
                    let (function, conjugate) = super::oracle::conjugated(&name);
                    Some(Whose { function: function.to_string(), conjugate, one: None })
                }
                _ => None,
            },
            Code::Subscript(base, indices) => match &indices[..] {
                [Term { node: Code::Number(n), .. }] if n.is_int() => {
                    let whose = self.whose(base)?;
                    Some(Whose { function: format!("{}_{n}", whose.function), ..whose })
                }
                [index] if !matches!(index.node, Code::Slice | Code::Text(_)) => {
                    Some(Whose { one: Some(index.clone()), ..self.whose(base)? })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What an argument that is no iterate looks like.
    pub(super) fn looks(&mut self, argument: &Argument) -> Part {
        if argument.keyword.is_some() {
            return Part::Step;
        }
        let Some(whose) = self.whose(&argument.value) else { return Part::Step };
        let name = match &argument.value.node {
            Code::Name(name) => name.clone(),
            _ => whose.function.clone(),
        };
        let local = self.scopes.iter().rev().find_map(|s| s.get(&name).copied());
        let is_function = local.is_some_and(|o| matches!(self.value(o), Value::Function(_)));
        if whose.conjugate || is_function || self.functions.contains_key(&name) || is_function_name(&name) {
            return Part::Function;
        }
        let number = self.expression(&argument.value).is_ok_and(|e| self.is_number(&e) || self.moves(&e));
        if number || is_step_name(&name) { Part::Step } else { Part::Open }
    }

    /// Which argument names the function, where the name of the oracle does not.
    pub(super) fn function_among(&mut self, kind: OracleKind, arguments: &[Argument]) -> Option<usize> {
        let asked = |m: &mut Self, a: &Argument| {
            m.expression(&a.value).is_ok_and(|e| m.moves(&e) && !m.is_number(&e) && !m.is_drawn(&e))
        };
        let point = arguments.iter().position(|a| asked(self, a))?;
        let mut parts: Vec<(usize, Part)> = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            if i != point && argument.keyword.is_none() && !self.is_passed(&argument.value) {
                parts.push((i, self.looks(argument)));
            }
        }
        if let Some((i, _)) = parts.iter().find(|(_, p)| *p == Part::Function) {
            return Some(*i);
        }
        let open = parts.iter().find(|(_, p)| *p == Part::Open)?.0;
        let steps = arguments.len() - 1 > 1;
        // `prox(h, x)` against `prox(x, c)`: what stands before the point is the function.
        let named = open < point || kind == OracleKind::Projection || kind.has_step() && steps;
        named.then_some(open)
    }

    /// Whether a term is an iterate, or was drawn: no name of a function.
    fn is_passed(&self, term: &Term) -> bool {
        let Code::Name(name) = &term.node else { return false };
        Some(name) == self.letter.as_ref()
            || self.assigned.contains(name)
            || self.scopes.iter().any(|s| s.get(name).is_some_and(|o| !matches!(self.objects[*o], Value::Function(_))))
    }

    /// Whether what stands before a method merely holds it: `self`, `np`, `utils` in `utils.prox(f, x, t)`.
    pub(super) fn holds(&mut self, base: &Term, kind: OracleKind, arguments: &[Argument]) -> bool {
        let names = path(base);
        let known = |names: &[String]| names.iter().all(|n| is_owner(n) || is_module(n)) && names != ["F"];
        if names.is_some_and(|names| known(&names)) {
            return true;
        }
        // The arguments name the function.
        let beside = |m: &mut Self, a: &Argument| m.looks(a) == Part::Function;
        self.function_among(kind, arguments).is_some_and(|i| !kind.has_step() || beside(self, &arguments[i]))
    }
}

/// Letters and words that functions have.
fn is_function_name(name: &str) -> bool {
    let stem = stem(name);
    matches!(
        stem,
        "f" | "g"
            | "h"
            | "F"
            | "G"
            | "H"
            | "phi"
            | "psi"
            | "φ"
            | "ψ"
            | "loss"
            | "cost"
            | "objective"
            | "obj"
            | "func"
            | "fun"
            | "reg"
            | "regularizer"
            | "penalty"
    )
}

/// Letters and words that steps have.
fn is_step_name(name: &str) -> bool {
    let stem = stem(name);
    let letter = stem.chars().next().filter(|_| stem.chars().count() == 1).is_some_and(|c| greek(c).is_some());
    letter
        || greek_letter(stem).is_some()
        || stem.contains("step")
        || matches!(stem, "t" | "s" | "lr" | "lam" | "lmbda" | "lambd" | "learning_rate" | "gam" | "sig" | "eps")
}

/// A name without its number or index.
fn stem(name: &str) -> &str {
    let short = name.trim_end_matches(|c: char| c.is_ascii_digit() || ('₀'..='₉').contains(&c) || c == 'ₖ');
    let short = short.strip_suffix("_k").or_else(|| short.strip_suffix("_t")).unwrap_or(short);
    short.trim_end_matches('_')
}

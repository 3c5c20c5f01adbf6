//! `\newcommand`, `\def` and `\DeclareMathOperator` in the text, expanded where they are used.

use super::scan::{Item, Kind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::Role;
use std::collections::HashMap;

/// Macros make no more items than this.
pub const MAX_ITEMS: usize = 50_000;

struct Macro {
    arguments: usize,
    default: Option<Vec<Item>>,
    body: Vec<Item>,
}

/// Takes the definitions out and puts what they say in.
pub fn expand(
    items: Vec<Item>,
    aside: &mut Vec<(Span, Role, &'static str)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Item> {
    let mut macros: HashMap<String, Macro> = HashMap::new();
    let mut stack: Vec<Item> = items.into_iter().rev().collect();
    let mut out = Vec::new();
    let mut made = 0;
    while let Some(item) = stack.pop() {
        let Kind::Command(name) = &item.kind else {
            out.push(item);
            continue;
        };
        let before = stack.len();
        let last = stack.first().map_or(item.span, |i| i.span);
        if let Some((key, found, end)) = definition(name, &mut stack) {
            aside.push((item.span.to(end.unwrap_or(last)), Role::Skipped, "macro"));
            if end.is_none() {
                diagnostics.push(unclosed(item.span));
            }
            macros.insert(key, found);
            continue;
        }
        if stack.len() < before {
            // A definition that names nothing.
            let end = stack.last().map_or(last.end, |i| i.span.start);
            aside.push((Span::new(item.span.start, end.max(item.span.end)), Role::Skipped, "macro"));
            diagnostics.push(unclosed(item.span));
            continue;
        }
        let Some(found) = macros.get(name) else {
            out.push(item);
            continue;
        };
        let Some(arguments) = arguments(found, item.span, &mut stack) else {
            aside.push((item.span.to(last), Role::Skipped, "macro"));
            diagnostics.push(unclosed(item.span));
            return out;
        };
        made += found.body.len() + arguments.iter().map(Vec::len).sum::<usize>();
        if made > MAX_ITEMS {
            let message = format!("macros make more than {MAX_ITEMS} characters and commands");
            let help = format!("write out what they stand for, so that it is at most {MAX_ITEMS} long");
            diagnostics.push(Diagnostic::error(Code::LimitLines, item.span, message).help(help));
            aside.push((item.span.to(last), Role::Skipped, "macro"));
            return out;
        }
        let body = substitute(found, &arguments, item.span);
        if body.is_empty() {
            aside.push((item.span, Role::Skipped, "macro"));
        }
        stack.extend(body.into_iter().rev());
    }
    out
}

/// Reads a definition that begins with this command.
fn definition(name: &str, stack: &mut Vec<Item>) -> Option<(String, Macro, Option<Span>)> {
    let is_operator = match name {
        "newcommand" | "renewcommand" | "providecommand" | "def" | "gdef" => false,
        "DeclareMathOperator" => true,
        _ => return None,
    };
    if stack.last().is_some_and(|i| i.kind == Kind::Char('*')) {
        stack.pop();
    }
    let (named, _) = argument(stack);
    let key = named.iter().find_map(|i| match &i.kind {
        Kind::Command(n) => Some(n.clone()),
        _ => None,
    })?;
    let mut count = 0;
    let mut default = None;
    if matches!(name, "def" | "gdef") {
        while stack.last().is_some_and(|i| i.kind != Kind::Open && i.kind != Kind::Newline) {
            count += usize::from(stack.pop().is_some_and(|i| i.kind == Kind::Char('#')));
        }
    } else {
        if let Some(number) = bracketed(stack) {
            count = number.iter().find_map(|i| digit(&i.kind)).unwrap_or(0);
        }
        default = bracketed(stack);
    }
    let (mut body, end) = argument(stack);
    if is_operator {
        let wrap = |kind| Item { kind, span: end.unwrap_or_default(), spaced: false };
        body.insert(0, wrap(Kind::Open));
        body.insert(0, wrap(Kind::Command("operatorname".into())));
        body.push(wrap(Kind::Close));
    }
    Some((key, Macro { arguments: count.min(9), default, body }, end))
}

fn digit(kind: &Kind) -> Option<usize> {
    match kind {
        Kind::Char(c) => c.to_digit(10).map(|d| d as usize),
        _ => None,
    }
}

/// `[…]`, if it stands here.
fn bracketed(stack: &mut Vec<Item>) -> Option<Vec<Item>> {
    if stack.last().is_none_or(|i| i.kind != Kind::Char('[')) {
        return None;
    }
    let close = stack.iter().rev().position(|i| matches!(i.kind, Kind::Char(']') | Kind::Newline))?;
    let at = stack.len() - 1 - close;
    if stack[at].kind == Kind::Newline {
        return None;
    }
    let mut inside = stack.split_off(at);
    inside.reverse();
    inside.pop();
    inside.remove(0);
    Some(inside)
}

fn unclosed(span: Span) -> Diagnostic {
    Diagnostic::error(Code::UnbalancedParenthesis, span, "a brace after this macro is never closed")
        .help("add the missing `}`")
}

/// One item or one group, without its braces, and where it ends; nowhere if a brace stays open.
fn argument(stack: &mut Vec<Item>) -> (Vec<Item>, Option<Span>) {
    while stack.last().is_some_and(|i| i.kind == Kind::Newline) {
        stack.pop();
    }
    let Some(first) = stack.pop() else { return (Vec::new(), None) };
    if first.kind != Kind::Open {
        let end = first.span;
        return (vec![first], Some(end));
    }
    let mut depth = 1;
    let mut inside = Vec::new();
    while let Some(item) = stack.pop() {
        match item.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (inside, Some(item.span));
        }
        inside.push(item);
    }
    (inside, None)
}

fn arguments(found: &Macro, span: Span, stack: &mut Vec<Item>) -> Option<Vec<Vec<Item>>> {
    let mut given = Vec::new();
    if let Some(default) = &found.default {
        // What is not written stands where the macro does.
        let here = || default.iter().map(|i| Item { span, ..i.clone() }).collect();
        given.push(bracketed(stack).unwrap_or_else(here));
    }
    while given.len() < found.arguments {
        let (inside, end) = argument(stack);
        end?;
        given.push(inside);
    }
    Some(given)
}

fn substitute(found: &Macro, arguments: &[Vec<Item>], span: Span) -> Vec<Item> {
    let mut out = Vec::new();
    let mut body = found.body.iter().peekable();
    while let Some(item) = body.next() {
        if item.kind == Kind::Char('#')
            && let Some(n) = body.peek().and_then(|i| digit(&i.kind))
        {
            body.next();
            // What the user wrote keeps its place.
            out.extend(arguments.get(n.wrapping_sub(1)).into_iter().flatten().cloned());
        } else {
            out.push(Item { kind: item.kind.clone(), span, spaced: item.spaced });
        }
    }
    out
}

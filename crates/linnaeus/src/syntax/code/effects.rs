//! What statements change, told without going through them.

use super::Language;
use super::choice::repeats;
use super::evaluate::called;
use super::tree::{Action, Change, Item, Node as Code, Term};
use crate::source::Span;
use linnaeus_algebra::{SortedMap, SortedSet};

/// Where a block leaves the rest of the iteration out.
pub fn leaves(items: &[Item]) -> Option<Span> {
    items.iter().find_map(|item| match item {
        Item::Line(span, Action::Continue) => Some(*span),
        Item::Through(_, body) => leaves(body),
        Item::Branch(arms) => arms.iter().find_map(|a| leaves(&a.body)),
        _ => None,
    })
}

/// Whether a block ends the loop.
pub fn ends(items: &[Item]) -> bool {
    match items.last() {
        Some(Item::Line(_, Action::Return(_) | Action::Idle("a stop" | "output"))) => true,
        Some(Item::Through(_, body)) => ends(body),
        _ => false,
    }
}

/// Every statement of a block.
pub fn lines(items: &[Item]) -> Vec<Span> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Line(span, _) | Item::End(span) => found.push(*span),
            Item::Loop(l) => {
                found.push(l.span);
                found.extend(lines(&l.body));
            }
            Item::Branch(arms) => {
                for arm in arms {
                    found.push(arm.span);
                    found.extend(lines(&arm.body));
                }
            }
            Item::Function(f) => {
                found.push(f.span);
                found.extend(lines(&f.body));
            }
            Item::Through(span, body) => {
                found.push(*span);
                found.extend(lines(body));
            }
        }
    }
    found
}

/// The names that statements assign, functions left out.
pub fn assigned(items: &[Item]) -> SortedSet<String> {
    let mut found = SortedSet::new();
    for item in items {
        match item {
            Item::Line(_, Action::Assign { targets, .. }) => found.extend(targets.iter().filter_map(base_name)),
            Item::Line(_, Action::Expression(Ok(term))) => found.extend(changed_by(term)),
            Item::Line(..) | Item::End(_) | Item::Function(_) => {}
            Item::Loop(l) => found.extend(assigned(&l.body)),
            Item::Branch(arms) => arms.iter().for_each(|a| found.extend(assigned(&a.body))),
            Item::Through(_, body) => found.extend(assigned(body)),
        }
    }
    found
}

/// Names that are only ever assigned themselves, from another place: `lr = group['lr']`.
pub fn repeated(items: &[Item]) -> SortedSet<String> {
    let (mut same, mut other) = (SortedSet::new(), SortedSet::new());
    tell_repeated(items, &mut same, &mut other);
    same.difference(&other).cloned().collect()
}

fn tell_repeated(items: &[Item], same: &mut SortedSet<String>, other: &mut SortedSet<String>) {
    for item in items {
        match item {
            Item::Line(_, Action::Assign { targets, change: Change::Bind, value: Ok(value) }) if matches!(&targets[..], [Term { node: Code::Name(n), .. }] if repeats(value, n)) =>
            {
                same.extend(targets.iter().filter_map(base_name));
            }
            Item::Line(..) => other.extend(assigned(std::slice::from_ref(item))),
            Item::Loop(l) => tell_repeated(&l.body, same, other),
            Item::Branch(arms) => arms.iter().for_each(|a| tell_repeated(&a.body, same, other)),
            Item::Through(_, body) => tell_repeated(body, same, other),
            Item::Function(_) | Item::End(_) => {}
        }
    }
}

/// The name that an assignment to a term changes.
pub fn base_name(term: &Term) -> Option<String> {
    match &term.node {
        Code::Name(name) => Some(name.clone()),
        Code::Tuple(parts) => parts.first().and_then(base_name),
        Code::Attribute(base, name) if name == "data" || name == "grad" && !super::evaluate::holds_gradient(base) => {
            base_name(base)
        }
        Code::Attribute(base, name) => match super::evaluate::path(base)?.last()? {
            owner if super::evaluate::is_owner(owner) || super::evaluate::is_module(owner) => Some(name.clone()),
            owner => Some(format!("{owner}_{name}")),
        },
        Code::Subscript(_, indices) if matches!(indices[..], [Term { node: Code::Text(_), .. }]) => {
            match &indices[0].node {
                Code::Text(text) => Some(text.clone()),
                _ => None,
            }
        }
        Code::Subscript(base, _) => base_name(base),
        Code::Call(base, _) => base_name(base),
        _ => None,
    }
}

/// `xs.append(x)`, `push!(xs, x)`: the list and what is added to it.
pub fn appended(term: &Term) -> Option<(&Term, &Term)> {
    let Code::Call(function, arguments) = &term.node else { return None };
    match (&function.node, &arguments[..]) {
        (Code::Attribute(list, method), [entry]) if method == "append" => Some((list, &entry.value)),
        (Code::Name(name), [list, entry]) if name == "push!" => Some((&list.value, &entry.value)),
        _ => None,
    }
}

/// Methods that overwrite what they belong to.
pub fn changes(method: &str) -> bool {
    const METHODS: &[&str] = &["add_", "sub_", "mul_", "div_", "copy_", "zero_", "assign", "assign_add", "assign_sub"];
    METHODS.contains(&method)
}

/// The names that a call overwrites.
fn changed_by(term: &Term) -> Vec<String> {
    let Some((name, arguments)) = called(term) else { return Vec::new() };
    if let Some((list, _)) = appended(term) {
        return base_name(list).into_iter().collect();
    }
    if changes(name) {
        let mut base = term;
        while let Code::Call(function, _) = &base.node {
            let Code::Attribute(inner, _) = &function.node else { break };
            base = inner;
        }
        return base_name(base).into_iter().collect();
    }
    if let Some(out) = arguments.iter().find(|a| a.keyword.as_deref() == Some("out")) {
        return base_name(&out.value).into_iter().collect();
    }
    let module = match &term.node {
        Code::Call(function, _) => super::evaluate::path(function).filter(|p| super::evaluate::is_module(&p[0])),
        _ => None,
    };
    if module.is_some_and(|p| p.len() > 1) {
        let at = match (name, arguments.len()) {
            ("copyto", 2) => 0,
            ("add" | "subtract" | "multiply" | "divide" | "true_divide" | "matmul" | "dot", 3) => 2,
            _ => return Vec::new(),
        };
        return base_name(&arguments[at].value).into_iter().collect();
    }
    let Some(stem) = name.strip_suffix('!') else { return Vec::new() };
    let at = match stem {
        "push" | "append" | "empty" | "resize" | "shuffle" => return Vec::new(),
        "axpy" => 2,
        "axpby" => 3,
        "lmul" => 1,
        _ => 0,
    };
    arguments.get(at).and_then(|a| base_name(&a.value)).into_iter().collect()
}

/// The names that statements before the loop assign.
pub fn assigned_in_order(items: &[&Item]) -> SortedSet<String> {
    items.iter().flat_map(|i| assigned(std::slice::from_ref(*i))).collect()
}

/// Plain assignments among statements, with their places.
pub fn assignments<'a>(items: &[&'a Item]) -> Vec<(Span, &'a [Term], &'a Term)> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Line(span, Action::Assign { targets, change: Change::Bind, value: Ok(value) }) => {
                found.push((*span, targets.as_slice(), value));
            }
            Item::Through(_, body) => found.extend(assignments(&body.iter().collect::<Vec<_>>())),
            _ => {}
        }
    }
    found
}

/// Whether statements take a name apart: `x, y = state`.
pub fn takes_apart(items: &[Item], name: &str) -> bool {
    items.iter().any(|item| match item {
        Item::Line(_, Action::Assign { targets, value: Ok(value), .. }) => {
            super::fragment::is_name(value, name) && (targets.len() > 1 || matches!(targets[0].node, Code::Tuple(_)))
        }
        Item::Through(_, body) => takes_apart(body, name),
        _ => false,
    })
}

/// Names that stand for what another name stands for, in the order of the text: `buf = state["v"]`.
pub fn aliases(items: &[Item]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Line(_, Action::Assign { targets, change: Change::Bind, value: Ok(value) }) => {
                let shares = matches!(value.node, Code::Name(_) | Code::Attribute(..) | Code::Subscript(..));
                if let ([target], true) = (&targets[..], shares)
                    && let (Some(own), Some(other)) = (base_name(target), base_name(value))
                    && !matches!(&value.node, Code::Attribute(_, n) if matches!(n.as_str(), "grad" | "T" | "shape"))
                {
                    found.push((own, other));
                }
            }
            Item::Line(_, Action::Take(own, list)) => found.extend(base_name(list).map(|other| (own.clone(), other))),
            Item::Loop(l) => found.extend(aliases(&l.body)),
            Item::Through(_, body) => found.extend(aliases(body)),
            _ => {}
        }
    }
    found
}

/// The names whose objects statements overwrite, and where.
pub fn overwritten(items: &[Item], language: Language) -> SortedMap<String, Span> {
    let mut found = SortedMap::new();
    for item in items {
        match item {
            Item::Line(span, Action::Assign { targets, change, .. }) => {
                let in_place = match change {
                    Change::Bind => false,
                    Change::Update(_) => language == Language::Python,
                    Change::Overwrite | Change::OverwriteBy(_) => true,
                };
                let whole = |t: &Term| matches!(t.node, Code::Subscript(..));
                let names = targets.iter().filter(|t| in_place || whole(t)).filter_map(base_name);
                found.extend(names.map(|n| (n, *span)));
            }
            Item::Line(span, Action::Expression(Ok(term))) if appended(term).is_none() => {
                found.extend(changed_by(term).into_iter().map(|n| (n, *span)));
            }
            Item::Loop(l) => found.extend(overwritten(&l.body, language)),
            Item::Through(_, body) => found.extend(overwritten(body, language)),
            _ => {}
        }
    }
    found
}

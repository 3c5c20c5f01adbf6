//! Loops over parts: what is done to every parameter of a list, side by side, is one iteration of the list as a whole.
//! `grads[i]` and `for g in grads` are `grads` then.

use super::Language;
use super::effects::{aliases, assigned, base_name, overwritten};
use super::evaluate::{is_owner, path};
use super::oracle::is_given_gradient;
use super::tree::{Action, Argument, Arm, Change, Function, Item, Loop, Node, Runs, Term};
use crate::diagnostic::{Code, Diagnostic, clipped};
use crate::source::{Source, Span};
use crate::syntax::ast::Guess;
use linnaeus_algebra::{Rational, SortedMap, SortedSet};

const NUMBER: &str = "the number of a part";
const WHOLE: &str = "a list as a whole, while its parts are changed one by one,";
const COMPUTED: &str = "a list that is computed";

/// A program whose loops over parts are told.
#[derive(Default)]
pub struct Gathered {
    /// The program.
    pub items: Vec<Item>,
    /// Names that are one array, and meant to be.
    pub pairs: Vec<(String, String)>,
    /// What was taken for granted.
    pub guesses: Vec<Guess>,
    /// Remarks.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a variable of a loop stands for.
enum Part {
    /// Which part it is.
    Number,
    /// The part, of this list if it has a name.
    Element(Option<Term>),
}

/// Finds the loops over parts.
pub fn gather(items: &[Item], language: Language, source: &Source) -> Gathered {
    let mut mentions = SortedMap::new();
    count_mentions(items, &mut mentions);
    let mut reader = Reader { language, source, mentions, depth: 0, found: Gathered::default() };
    let items = reader.block(items);
    Gathered { items, ..reader.found }
}

struct Reader<'a> {
    language: Language,
    source: &'a Source,
    /// How often the text says a name outside of the heads of loops.
    mentions: SortedMap<String, usize>,
    depth: usize,
    found: Gathered,
}

impl Reader<'_> {
    fn block(&mut self, items: &[Item]) -> Vec<Item> {
        items.iter().map(|item| self.item(item)).collect()
    }

    fn item(&mut self, item: &Item) -> Item {
        match item {
            Item::Loop(l) => {
                self.depth += 1;
                let body = self.block(&l.body);
                self.depth -= 1;
                self.repeated(Loop { body, ..l.clone() })
            }
            Item::Branch(arms) => {
                let arm = |a: &Arm| Arm { span: a.span, test: a.test.clone(), body: self.block(&a.body) };
                Item::Branch(arms.iter().map(arm).collect())
            }
            Item::Function(f) => Item::Function(Function { body: self.block(&f.body), ..f.clone() }),
            Item::Through(span, body) => Item::Through(*span, self.block(body)),
            Item::Line(..) => terms_replaced(item, &mut |t| listed(t)),
            Item::End(_) => item.clone(),
        }
    }

    fn repeated(&mut self, l: Loop) -> Item {
        let mut parts = Vec::new();
        let told = l.head.as_ref().is_some_and(|(variables, list)| split(variables, list, &mut parts));
        if !told || !self.is_over_parts(&l, &mut parts) {
            return Item::Loop(l);
        }
        let shown = clipped(self.source.slice(l.span));
        let declaration = "write out what is done to each part".to_string();
        if self.found.guesses.is_empty() {
            let taken_as = "one iteration, the same for every part".to_string();
            self.found.guesses.push(Guess { name: shown, taken_as, declaration });
        }
        Item::Loop(self.side_by_side(l, &parts))
    }

    /// Whether the passes of a loop change its own parts and nothing that the next pass reads.
    fn is_over_parts(&self, l: &Loop, parts: &mut [(String, Part)]) -> bool {
        // `for key in params`, with `params[key]`: what numbers the parts is anything.
        let mut keys = SortedSet::new();
        each_term(&l.body, &mut |t| {
            if let Some((list, v)) = picked(t, parts)
                && parts.iter().any(|(n, p)| *n == v && p.is_of(list))
            {
                keys.insert(v);
            }
        });
        for (name, part) in parts.iter_mut().filter(|(n, _)| keys.contains(n)) {
            let _ = name;
            *part = Part::Number;
        }
        let changed = overwritten(&l.body, self.language);
        let shares = aliases(&l.body);
        let in_place = |name: &str| {
            changed.contains_key(name) || shares.iter().any(|(own, other)| other == name && changed.contains_key(own))
        };
        let all = assigned(&l.body);
        let (mut targets, mut read, mut numbers, mut within) = (false, false, false, false);
        self.look(l, parts, &mut |t, is_target| {
            if let Some((list, _)) = picked(t, parts) {
                let own = is_target || base_name(list).is_some_and(|n| in_place(&n));
                targets |= own;
                read |= own && !is_target;
            } else if let Node::Name(n) = &t.node {
                numbers |= parts.iter().any(|(v, p)| v == n && matches!(p, Part::Number));
            }
        });
        let elements = || parts.iter().filter(|(_, p)| matches!(p, Part::Element(_))).map(|(n, _)| n);
        if elements().any(|n| in_place(n) || all.contains(n) && !rebound(&l.body, n, self.language)) {
            return true;
        }
        for inner in l.body.iter().flat_map(loops).filter(|i| i.runs == Runs::OverParts) {
            if let Some((_, list)) = &inner.head {
                list.walk(&mut |t| {
                    within |= matches!(&t.node, Node::Name(n) if elements().any(|e| e == n));
                    true
                });
            }
        }
        let alone = carried(&l.body, parts).is_empty();
        let anew = elements().any(|n| all.contains(n) && rebound(&l.body, n, self.language));
        alone && (within || anew || targets && !numbers && (read || self.depth > 0))
    }

    /// Shows every outermost term of a body; whether it is assigned.
    fn look(&self, l: &Loop, parts: &[(String, Part)], see: &mut dyn FnMut(&Term, bool)) {
        each_statement(&l.body, &mut |targets, change, value| {
            for target in targets {
                let own = picked(target, parts).is_some();
                if own {
                    see(target, true);
                    if change != Change::Bind {
                        see(target, false);
                    }
                }
            }
            let mut inside = |t: &Term| {
                see(t, false);
                picked(t, parts).is_none()
            };
            targets.iter().filter(|t| picked(t, parts).is_none()).for_each(|t| t.walk(&mut inside));
            if let Some(value) = value {
                value.walk(&mut inside);
            }
        });
    }

    /// One pass, with lists in the place of their parts.
    fn side_by_side(&mut self, l: Loop, parts: &[(String, Part)]) -> Loop {
        let mut changed: SortedSet<String> = SortedSet::new();
        self.look(&l, parts, &mut |t, is_target| {
            if let (Some((list, _)), true) = (picked(t, parts), is_target) {
                changed.extend(base_name(list));
            }
        });
        let (mut takes, mut lists) = (Vec::new(), SortedMap::new());
        for (name, part) in parts {
            let Part::Element(Some(list)) = part else { continue };
            let Some(own) = base_name(list).filter(|own| own != name) else { continue };
            let known = self.mentions.get(&own).is_some_and(|n| *n > 0);
            let anew = rebound(&l.body, name, self.language) && !changed.contains(&own);
            if anew && assigned(&l.body).contains(name) {
                self.warn(&l.body, name);
            }
            if is_given_gradient(&own) || known && anew {
                lists.insert(name.clone(), list.clone());
            } else if known {
                self.found.pairs.push((name.clone(), own));
                takes.push(Item::Line(l.span, Action::Take(name.clone(), list.clone())));
            }
        }
        let mut put = |t: &Term| {
            if let Some((list, v)) = picked(t, parts) {
                // `state[p]` is what holds the state.
                let element = parts.iter().any(|(n, p)| *n == v && matches!(p, Part::Element(_)));
                let holder = element && path(list).and_then(|p| p.last().cloned()).is_some_and(|o| is_owner(&o));
                return Some(if holder { t.clone() } else { Term { span: t.span, node: list.node.clone() } });
            }
            let whole = matches!(t.node, Node::Name(_) | Node::Attribute(..) | Node::Subscript(..))
                && base_name(t).is_some_and(|n| changed.contains(&n));
            if whole && !matches!(&t.node, Node::Attribute(_, n) if n == "data" || n == "grad") {
                return Some(Term { span: t.span, node: Node::Other(WHOLE) });
            }
            let Node::Name(n) = &t.node else { return None };
            if parts.iter().any(|(v, p)| v == n && matches!(p, Part::Number)) {
                return Some(Term { span: t.span, node: Node::Other(NUMBER) });
            }
            lists.get(n).map(|list| Term { span: t.span, node: list.node.clone() })
        };
        let body = takes.into_iter().chain(l.body.iter().map(|i| terms_replaced(i, &mut put))).collect();
        Loop { body, runs: Runs::OverParts, variables: Vec::new(), ..l }
    }

    /// Says that a loop leaves its list alone.
    fn warn(&mut self, body: &[Item], name: &str) {
        let mut place = Span::default();
        each_statement(body, &mut |targets, _, value| {
            if let ([Term { node: Node::Name(n), span }], Some(value)) = (targets, value)
                && n == name
            {
                place = span.to(value.span);
            }
        });
        let message = format!(
            "this gives the name `{name}` another value, and the list keeps its own; it was read as an update of the list"
        );
        let sign = if self.language == Language::Julia { format!("{name} .= …") } else { format!("{name}[:] = …") };
        let told = Diagnostic::warning(Code::Reading, place, message).help(format!("write `{sign}`"));
        self.found.diagnostics.push(told);
    }
}

impl Part {
    fn is_of(&self, other: &Term) -> bool {
        match self {
            Part::Element(Some(list)) => base_name(list).is_some() && base_name(list) == base_name(other),
            _ => false,
        }
    }
}

/// What the variables of a loop stand for, if it runs over lists.
fn split(variables: &Term, over: &Term, parts: &mut Vec<(String, Part)>) -> bool {
    let name = |t: &Term| match &t.node {
        Node::Name(n) => Some(n.clone()),
        _ => None,
    };
    let number = |t: &Term, parts: &mut Vec<(String, Part)>| match name(t) {
        Some(n) => {
            parts.push((n, Part::Number));
            true
        }
        None => false,
    };
    let pair = |t: &Term| match &t.node {
        Node::Tuple(both) if both.len() == 2 => Some((both[0].clone(), both[1].clone())),
        _ => None,
    };
    match &over.node {
        Node::Other("a range") => number(variables, parts),
        Node::Call(f, arguments) => {
            let (owner, function) = match &f.node {
                Node::Attribute(owner, name) => (Some(&**owner), name.as_str()),
                Node::Name(name) => (None, name.as_str()),
                _ => return false,
            };
            let values: Vec<&Term> = arguments.iter().filter(|a| a.keyword.is_none()).map(|a| &a.value).collect();
            match (function, &values[..], owner) {
                ("enumerate" | "pairs", [list, ..], None) => {
                    pair(variables).is_some_and(|(i, v)| number(&i, parts) && split(&v, list, parts))
                }
                ("zip", lists, None) => match &variables.node {
                    Node::Tuple(own) if own.len() == lists.len() => {
                        own.iter().zip(lists).all(|(v, list)| split(v, list, parts))
                    }
                    _ => false,
                },
                ("range" | "eachindex" | "keys", [_, ..], None) | ("keys", [], Some(_)) => number(variables, parts),
                ("list" | "tuple" | "reversed" | "collect", [list], None) => split(variables, list, parts),
                ("items" | "named_parameters", [], Some(owner)) => pair(variables).is_some_and(|(key, v)| {
                    let list = (function == "items").then(|| owner.clone());
                    let known = name(&v).map(|v| parts.push((v, Part::Element(list)))).is_some();
                    number(&key, parts) && known
                }),
                ("values", [], Some(owner)) => split(variables, owner, parts),
                (_, [], _) => name(variables).map(|v| parts.push((v, Part::Element(None)))).is_some(),
                _ => false,
            }
        }
        Node::Name(_) | Node::Attribute(..) | Node::Subscript(..) => match &variables.node {
            Node::Name(v) => {
                parts.push((v.clone(), Part::Element(Some(over.clone()))));
                true
            }
            Node::Tuple(own) => {
                let names: Option<Vec<String>> = own.iter().map(name).collect();
                let told = names.is_some();
                parts.extend(names.into_iter().flatten().map(|v| (v, Part::Element(None))));
                told
            }
            _ => false,
        },
        _ => false,
    }
}

/// `list[i]`, `list[i, :]`, `list(i)`: the list and the variable.
fn picked<'t>(t: &'t Term, parts: &[(String, Part)]) -> Option<(&'t Term, String)> {
    let variable = |i: &Term| match &i.node {
        Node::Name(n) => parts.iter().any(|(v, _)| v == n).then(|| n.clone()),
        _ => None,
    };
    let numbered = |n: &String| parts.iter().any(|(v, p)| v == n && matches!(p, Part::Number));
    match &t.node {
        Node::Subscript(list, indices) => {
            let [first, rest @ ..] = &indices[..] else { return None };
            let v = variable(first).filter(|_| rest.iter().all(|i| matches!(i.node, Node::Slice)))?;
            let is_list = matches!(list.node, Node::Name(_) | Node::Attribute(..) | Node::Subscript(..));
            (is_list && base_name(list).is_some()).then_some((&**list, v))
        }
        Node::Call(list, arguments) if matches!(list.node, Node::Name(_)) => {
            let [Argument { keyword: None, value }] = &arguments[..] else { return None };
            variable(value).filter(numbered).map(|v| (&**list, v))
        }
        _ => None,
    }
}

/// `[a for v in list]` with the list in the place of its parts.
fn listed(t: &Term) -> Option<Term> {
    let each = match &t.node {
        Node::Tuple(parts) => match &parts[..] {
            [Term { node: Node::Each(each), .. }] => each,
            _ => return None,
        },
        Node::Each(each) => each,
        _ => return None,
    };
    let (value, variables, list) = &**each;
    let mut parts = Vec::new();
    if !split(variables, list, &mut parts) || parts.iter().any(|(_, p)| matches!(p, Part::Element(None))) {
        return Some(Term { span: t.span, node: Node::Other(COMPUTED) });
    }
    let mut put = |t: &Term| {
        if let Some((list, _)) = picked(t, &parts) {
            return Some(Term { span: t.span, node: list.node.clone() });
        }
        let Node::Name(n) = &t.node else { return None };
        let (_, part) = parts.iter().find(|(v, _)| v == n)?;
        let node = match part {
            Part::Element(Some(list)) => list.node.clone(),
            _ => Node::Other(NUMBER),
        };
        Some(Term { span: t.span, node })
    };
    Some(value.replaced(&mut put).replaced(&mut listed))
}

/// Whether all that happens to a name is that it gets another value.
fn rebound(body: &[Item], name: &str, language: Language) -> bool {
    let (mut all, mut any) = (true, false);
    each_statement(body, &mut |targets, change, _| {
        for target in targets.iter().filter(|t| base_name(t).as_deref() == Some(name)) {
            let new =
                matches!(change, Change::Bind) || matches!(change, Change::Update(_)) && language != Language::Python;
            all &= new && matches!(target.node, Node::Name(_));
            any = true;
        }
    });
    all && any
}

/// Names that a pass reads before it gives them a value; a number that it raises by one counts.
fn carried(body: &[Item], parts: &[(String, Part)]) -> SortedSet<String> {
    let all = assigned(body);
    let (mut known, mut found) = (SortedSet::new(), SortedSet::new());
    each_statement(body, &mut |targets, change, value| {
        let mut see = |t: &Term| {
            if picked(t, parts).is_some() || is_keyed(t) {
                return false;
            }
            let own = match &t.node {
                Node::Name(n) => Some(n.clone()),
                Node::Attribute(..) => base_name(t),
                _ => None,
            };
            if let Some(n) = own.filter(|n| !known.contains(n) && all.contains(n)) {
                found.insert(n);
            }
            true
        };
        let one = matches!(value, Some(Term { node: Node::Number(n), .. }) if *n == Rational::ONE);
        if let Some(value) = value {
            value.walk(&mut see);
        }
        if change != Change::Bind && !one {
            targets.iter().for_each(|t| t.walk(&mut see));
        }
        known.extend(targets.iter().filter_map(base_name));
    });
    // A list as a whole is refused where it is read.
    each_statement(body, &mut |targets, _, _| {
        targets.iter().filter_map(|t| picked(t, parts)).filter_map(|(list, _)| base_name(list)).for_each(|list| {
            found.remove(&list);
        });
    });
    for (name, _) in parts {
        found.remove(name);
    }
    found
}

/// `state['v']`: what is kept with each part.
fn is_keyed(t: &Term) -> bool {
    matches!(&t.node, Node::Subscript(_, indices) if matches!(indices[..], [Term { node: Node::Text(_), .. }]))
}

fn loops(item: &Item) -> Vec<&Loop> {
    match item {
        Item::Loop(l) => vec![l],
        Item::Through(_, body) => body.iter().flat_map(loops).collect(),
        Item::Branch(arms) => arms.iter().flat_map(|a| &a.body).flat_map(loops).collect(),
        _ => Vec::new(),
    }
}

/// What is assigned, how, and the value.
type See<'a> = dyn FnMut(&[Term], Change, Option<&Term>) + 'a;

/// Shows the statements of a block in their order.
fn each_statement(items: &[Item], see: &mut See) {
    for item in items {
        match item {
            Item::Line(_, Action::Assign { targets, change, value }) => see(targets, *change, value.as_ref().ok()),
            Item::Line(_, Action::Expression(Ok(t)) | Action::Return(Ok(t))) => see(&[], Change::Bind, Some(t)),
            Item::Line(..) | Item::End(_) => {}
            Item::Loop(l) => each_statement(&l.body, see),
            Item::Branch(arms) => arms.iter().for_each(|a| each_statement(&a.body, see)),
            Item::Function(f) => each_statement(&f.body, see),
            Item::Through(_, body) => each_statement(body, see),
        }
    }
}

fn each_term(items: &[Item], see: &mut dyn FnMut(&Term)) {
    each_statement(items, &mut |targets, _, value| {
        for t in targets.iter().chain(value) {
            t.walk(&mut |t| {
                see(t);
                true
            });
        }
    });
}

fn count_mentions(items: &[Item], mentions: &mut SortedMap<String, usize>) {
    each_term(items, &mut |t| {
        if let Node::Name(_) | Node::Attribute(..) | Node::Subscript(..) = &t.node
            && let Some(name) = base_name(t)
        {
            *mentions.entry(name).or_default() += 1;
        }
    });
}

/// A statement or a block with terms put in the place of terms.
fn terms_replaced(item: &Item, by: &mut dyn FnMut(&Term) -> Option<Term>) -> Item {
    match item {
        Item::Line(span, action) => {
            let action = match action {
                Action::Assign { targets, change, value } => Action::Assign {
                    targets: targets.iter().map(|t| t.replaced(by)).collect(),
                    change: *change,
                    value: value.as_ref().map(|v| v.replaced(by)).map_err(Clone::clone),
                },
                Action::Expression(Ok(t)) => Action::Expression(Ok(t.replaced(by))),
                Action::Return(Ok(t)) => Action::Return(Ok(t.replaced(by))),
                Action::Take(name, list) => Action::Take(name.clone(), list.replaced(by)),
                other => other.clone(),
            };
            Item::Line(*span, action)
        }
        Item::Loop(l) => {
            let head = l.head.as_ref().map(|(v, list)| (v.clone(), list.replaced(by)));
            Item::Loop(Loop { head, body: l.body.iter().map(|i| terms_replaced(i, by)).collect(), ..l.clone() })
        }
        Item::Branch(arms) => {
            let mut arm = |a: &Arm| {
                let body = a.body.iter().map(|i| terms_replaced(i, by)).collect();
                Arm { span: a.span, test: a.test.clone(), body }
            };
            Item::Branch(arms.iter().map(&mut arm).collect())
        }
        Item::Function(f) => {
            let body = f.body.iter().map(|i| terms_replaced(i, by)).collect();
            Item::Function(Function { body, ..f.clone() })
        }
        Item::Through(span, body) => Item::Through(*span, body.iter().map(|i| terms_replaced(i, by)).collect()),
        Item::End(span) => Item::End(*span),
    }
}

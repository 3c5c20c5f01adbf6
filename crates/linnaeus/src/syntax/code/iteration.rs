//! Which part of a program is the iteration, and what stands before it.

use super::call::calls_oracles;
use super::effects::{assigned, lines};
use super::evaluate::refuse;
use super::oracle::named;
use super::tree::{Action, Arm, Change, Function, Item, Loop, Node, Operator, Runs, Term};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::Role;
use linnaeus_algebra::{SortedMap, SortedSet};

/// A program, by what its parts are for.
#[derive(Default)]
pub struct Shape<'a> {
    /// Statements before the iteration.
    pub before: Vec<&'a Item>,
    /// One iteration.
    pub body: &'a [Item],
    /// The loop around it.
    pub around: Option<&'a Loop>,
    /// The function it is, where there is no loop.
    pub function: Option<&'a Function>,
    /// What counts, where a function is told.
    pub counts: Option<String>,
    /// Other lines and what they are.
    pub aside: Vec<(Span, Role, &'static str)>,
}

/// Finds the iteration.
pub fn find(items: &[Item]) -> Result<Shape<'_>, Box<Diagnostic>> {
    for over_parts in [false, true] {
        let mut shape = Shape::default();
        if descend(items, &mut shape, over_parts)? {
            return Ok(shape);
        }
    }
    let mut shape = Shape::default();
    if driven(items, &mut shape) {
        return Ok(shape);
    }
    // No loop: a function, or the lines as they stand.
    let functions = own_functions(items);
    let outside = |i: &&Item| matches!(i, Item::Line(_, Action::Assign { .. }));
    let settings: Vec<&Item> = items.iter().filter(outside).filter(|i| is_setting(i)).collect();
    let lines_outside = items.iter().filter(outside).count() > settings.len();
    if let ([one], false) = (&functions[..], lines_outside) {
        shape.before = settings;
        shape.body = &one.body;
        shape.function = Some(one);
        shape.aside.push((one.span, Role::Skipped, "the head of a function"));
        return Ok(shape);
    }
    // A function that is nothing but its value.
    if let ([], [one], false) = (&functions[..], &returning(items)[..], lines_outside) {
        shape.before = settings;
        shape.body = &one.body;
        shape.function = Some(one);
        shape.aside.push((one.span, Role::Skipped, "the head of a function"));
        return Ok(shape);
    }
    // Of several methods the one with the state is the step.
    let steps = functions.iter().filter(|f| is_step(&f.name)).max_by_key(|f| f.parameters.len());
    if let (Some(step), false) = (steps, lines_outside) {
        shape.before = settings;
        shape.body = &step.body;
        shape.function = Some(step);
        shape.aside.push((step.span, Role::Skipped, "the head of a function"));
        return Ok(shape);
    }
    shape.body = items;
    Ok(shape)
}

/// `fori_loop(0, n, body, x0)`, `scan(step, x0, xs)`: a function that is called in a loop. Whether there is one.
fn driven<'a>(items: &'a [Item], shape: &mut Shape<'a>) -> bool {
    for (at, item) in items.iter().enumerate() {
        let value = match item {
            Item::Line(_, Action::Assign { value: Ok(v), .. } | Action::Expression(Ok(v)) | Action::Return(Ok(v))) => v,
            Item::Function(Function { span, body, .. }) | Item::Through(span, body) => {
                if driven(body, shape) {
                    shape.aside.push((*span, Role::Skipped, "around the loop"));
                    return true;
                }
                continue;
            }
            _ => continue,
        };
        let Some((name, is_counted)) = repeated(value) else { continue };
        let called = items.iter().find_map(|i| match i {
            Item::Function(f) if f.name == name => Some(f),
            _ => None,
        });
        let Some(step) = called else { continue };
        let apart = |i: &&Item| !matches!(i, Item::Function(_));
        shape.before = items[..at].iter().filter(apart).collect();
        shape.body = &step.body;
        shape.function = Some(step);
        shape.counts = step.parameters.first().filter(|_| is_counted).cloned();
        shape.aside.push((step.span, Role::Skipped, "the head of a function"));
        shape.aside.push((head(item), Role::Loop, "loop"));
        let behind = items[at + 1..].iter().filter(apart).flat_map(|i| lines(std::slice::from_ref(i)));
        shape.aside.extend(behind.map(|span| (span, Role::Output, "after the loop")));
        return true;
    }
    false
}

/// The function that a call repeats, and whether its first argument counts.
fn repeated(term: &Term) -> Option<(String, bool)> {
    let mut found = None;
    term.walk(&mut |t| {
        let Node::Call(callee, arguments) = &t.node else { return true };
        let (Node::Name(word) | Node::Attribute(_, word)) = &callee.node else { return true };
        let (place, is_counted) = match word.as_str() {
            "fori_loop" => (2, true),
            "while_loop" => (1, false),
            "scan" => (0, false),
            _ => return true,
        };
        if let Some(Node::Name(name)) = arguments.get(place).map(|a| &a.value.node) {
            found = Some((name.clone(), is_counted));
        }
        false
    });
    found
}

/// `lr = 0.1`, `nesterov = True` outside of a function.
fn is_setting(item: &Item) -> bool {
    let Item::Line(_, Action::Assign { change: Change::Bind, value: Ok(value), .. }) = item else { return false };
    match &value.node {
        Node::Number(_) => true,
        Node::Name(word) => matches!(word.as_str(), "True" | "False" | "None" | "true" | "false" | "nothing"),
        _ => false,
    }
}

fn is_step(name: &str) -> bool {
    let small = name.to_lowercase();
    ["step", "update", "iterate", "iteration"].iter().any(|w| small.contains(w))
}

/// Functions of one value that no loop and no oracle's name says more of.
fn returning(items: &[Item]) -> Vec<&Function> {
    let returns = |f: &&Function| {
        let value = |i: &Item| matches!(i, Item::Line(_, Action::Return(Ok(_))));
        named(&f.name).is_none() && !f.parameters.is_empty() && f.body.iter().any(value)
    };
    let functions = items.iter().filter_map(|i| if let Item::Function(f) = i { Some(f) } else { None });
    functions.filter(returns).collect()
}

/// Functions that are no oracles.
fn own_functions(items: &[Item]) -> Vec<&Function> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Function(f)
                if named(&f.name).is_none() && (!assigned(&f.body).is_empty() || calls_oracles(&f.body)) =>
            {
                found.push(f);
            }
            Item::Through(_, body) => found.extend(own_functions(body)),
            _ => {}
        }
    }
    found
}

/// Goes down to the loop over time, or else over parts; whether there is one.
fn descend<'a>(items: &'a [Item], shape: &mut Shape<'a>, over_parts: bool) -> Result<bool, Box<Diagnostic>> {
    let repeats = |item: &Item| repeats(item, over_parts);
    let with: Vec<usize> = (0..items.len()).filter(|&i| repeats(&items[i])).collect();
    let Some(&at) = with.first() else { return Ok(false) };
    if let [first, second, ..] = with[..] {
        let (a, b) = (head(&items[first]), head(&items[second]));
        let found = Diagnostic::error(Code::UnexpectedToken, b, "there are two loops, and either may be the iteration");
        return Err(Box::new(found.label(a, "the first one").help("give one loop at a time")));
    }
    shape.before.extend(&items[..at]);
    for item in &items[at + 1..] {
        for span in lines(std::slice::from_ref(item)) {
            let end = matches!(item, Item::End(_));
            let told =
                if end { (span, Role::Loop, "the end of a block") } else { (span, Role::Output, "after the loop") };
            shape.aside.push(told);
        }
    }
    match &items[at] {
        Item::Function(f) => {
            shape.aside.push((f.span, Role::Skipped, "the head of a function"));
            descend(&f.body, shape, over_parts)
        }
        Item::Through(span, body) => {
            shape.aside.push((*span, Role::Skipped, "a block"));
            descend(body, shape, over_parts)
        }
        Item::Branch(arms) => {
            let Some(Arm { span, body, .. }) = arms.iter().find(|a| a.body.iter().any(&repeats)) else {
                return Ok(false);
            };
            shape.aside.push((*span, Role::Skipped, "a test"));
            descend(body, shape, over_parts)
        }
        Item::Loop(l) => {
            shape.aside.push((l.span, Role::Loop, "loop"));
            let inner: Vec<&Item> = l.body.iter().filter(|i| repeats(i)).collect();
            let others = l.body.iter().filter(|i| !repeats(i));
            let alone = others.clone().all(|i| assigned(std::slice::from_ref(i)).is_empty());
            if inner.len() == 1 && alone {
                return descend(&l.body, shape, over_parts);
            }
            shape.body = &l.body;
            shape.around = Some(l);
            Ok(true)
        }
        Item::Line(..) | Item::End(_) => Ok(false),
    }
}

fn head(item: &Item) -> Span {
    lines(std::slice::from_ref(item)).first().copied().unwrap_or_default()
}

/// Whether a loop over time, or over parts, that assigns something is inside.
fn repeats(item: &Item, over_parts: bool) -> bool {
    let inside = |body: &[Item]| body.iter().any(|i| repeats(i, over_parts));
    match item {
        Item::Loop(l) if (l.runs == Runs::OverParts) == over_parts => !assigned(&l.body).is_empty(),
        Item::Loop(l) => inside(&l.body),
        Item::Function(f) => named(&f.name).is_none() && inside(&f.body),
        Item::Through(_, body) => inside(body),
        Item::Branch(arms) => arms.iter().any(|a| inside(&a.body)),
        Item::Line(..) | Item::End(_) => false,
    }
}

/// Functions that the text defines, by name.
pub fn functions(items: &[Item]) -> SortedMap<String, Function> {
    let mut found = SortedMap::new();
    for item in items {
        match item {
            Item::Function(f) => {
                found.extend(functions(&f.body));
                found.insert(f.name.clone(), f.clone());
            }
            Item::Through(_, body) => found.extend(functions(body)),
            Item::Loop(l) => found.extend(functions(&l.body)),
            Item::Line(
                span,
                Action::Assign { targets, value: Ok(Term { node: Node::Function(parameters, body), .. }), .. },
            ) => {
                if let [Term { node: Node::Name(name), .. }] = &targets[..] {
                    let body = vec![Item::Line(body.span, Action::Return(Ok((**body).clone())))];
                    let (name, parameters, outputs) = (name.clone(), parameters.clone(), Vec::new());
                    found.insert(
                        name.clone(),
                        Function { span: *span, name, parameters, flags: Vec::new(), outputs, body },
                    );
                }
            }
            _ => {}
        }
    }
    found
}

/// The variable that counts: that of the loop, or one that every pass raises by one.
pub fn counter(shape: &Shape, before: &SortedSet<String>) -> Option<String> {
    if shape.counts.is_some() {
        return shape.counts.clone().filter(|c| c != "_");
    }
    if let Some(l) = shape.around
        && l.runs == Runs::Counted
    {
        return l.variables.first().filter(|v| *v != "_").cloned();
    }
    shape.body.iter().find_map(|item| {
        let Item::Line(_, Action::Assign { targets, change, value: Ok(value) }) = item else { return None };
        let [Term { node: Node::Name(name), .. }] = &targets[..] else { return None };
        let one = |t: &Term| matches!(&t.node, Node::Number(n) if *n == linnaeus_algebra::Rational::ONE);
        let own = |t: &Term| matches!(&t.node, Node::Name(n) if n == name);
        let raised = match change {
            Change::Update(Operator::Add) => one(value),
            Change::Bind => match &value.node {
                Node::Binary(Operator::Add, a, b) => own(a) && one(b) || one(a) && own(b),
                _ => false,
            },
            _ => false,
        };
        let counts =
            ["k", "n", "i", "j", "it", "iter", "t", "step", "epoch"].contains(&name.as_str()) || before.contains(name);
        (raised && counts && shape.around.is_some()).then(|| name.clone())
    })
}

/// The error for a text that holds no assignment at all.
pub fn nothing_to_read() -> Box<Diagnostic> {
    let help = "give the loop, with lines such as `x = x - alpha*grad_f(x)`";
    refuse(Code::EmptyInput, Span::new(0, 0), "there is no assignment to read", help)
}

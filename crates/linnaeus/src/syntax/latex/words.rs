//! What words around formulas say: what a row is for, when it is done, whether it leaves the loop.

use super::atoms::known_word;
use super::layout::{WORDS, is_formula};
use super::rows;
use super::scan::{Item, Kind};
use crate::source::Span;
use crate::syntax::ast::Role;
use crate::syntax::names::is_joining;

/// Whether words begin a condition: `if`, `with probability`, `every`.
pub fn is_condition(words: &str) -> bool {
    let words = words.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let mut all = words.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty());
    let first = all.next().unwrap_or("");
    let second = all.next().unwrap_or("");
    match first {
        "if" | "unless" | "otherwise" | "else" | "elseif" | "elif" | "elsif" | "whenever" | "when" | "every"
        | "periodically" => true,
        "only" | "except" | "once" => matches!(second, "if" | "when" | "every" | "otherwise"),
        "but" | "and" | "or" | "then" | "also" => is_condition(&words[first.len()..]),
        "with" => matches!(second, "probability" | "prob" | "chance"),
        "w" => second == "p",
        "for" => matches!(second, "even" | "odd") || words.ends_with(" even") || words.ends_with(" odd"),
        _ => false,
    }
}

/// Whether words say what is assumed of functions, sets and operators: no run of the algorithm decides that.
pub fn is_assumption(words: &str) -> bool {
    const ASSUMED: &[&str] = &[
        "smooth",
        "convex",
        "concave",
        "differentiable",
        "lipschitz",
        "continuous",
        "monotone",
        "cocoercive",
        "nonexpansive",
        "coercive",
        "closed",
        "proper",
        "bounded",
        "quadratic",
        "linear",
        "affine",
        "symmetric",
        "invertible",
        "definite",
        "semidefinite",
        "separable",
        "proximable",
        "holds",
        "hold",
    ];
    let words = words.to_lowercase();
    words
        .split(|c: char| !c.is_alphabetic())
        .any(|w| ASSUMED.contains(&w) || w.strip_prefix("non").is_some_and(|w| ASSUMED.contains(&w)))
}

/// Whether words end a condition: what comes next is done.
pub fn is_consequence(words: &str) -> bool {
    let words = words.to_lowercase();
    words.contains([',', ':'])
        || words.split(|c: char| !c.is_alphabetic()).any(|w| {
            matches!(w, "then" | "do" | "set" | "update" | "compute" | "let" | "put" | "take" | "use" | "perform")
        })
}

/// Whether words leave the loop.
pub fn is_stop(words: &str) -> bool {
    words.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|w| {
        matches!(
            w,
            "break"
                | "stop"
                | "stops"
                | "return"
                | "exit"
                | "terminate"
                | "quit"
                | "halt"
                | "output"
                | "stopping"
                | "terminates"
        )
    })
}

/// Whether words that leave the loop say what is done otherwise.
pub fn goes_on(text: &str) -> bool {
    let text = text.to_lowercase();
    let word = |w: &str| text.split(|c: char| !c.is_alphabetic()).position(|t| t == w);
    let stops = text.split(|c: char| !c.is_alphabetic()).position(is_stop);
    let otherwise = word("otherwise").or_else(|| word("else"));
    stops.is_some_and(|s| otherwise.is_some_and(|o| s < o))
}

/// Whether the words of a loop say that its passes are made side by side.
pub fn is_parallel(words: &str) -> bool {
    words.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|w| {
        matches!(
            w,
            "parallel"
                | "parallelly"
                | "simultaneously"
                | "agent"
                | "agents"
                | "node"
                | "nodes"
                | "worker"
                | "workers"
                | "client"
                | "clients"
                | "machine"
                | "machines"
                | "device"
                | "devices"
        )
    })
}

/// Whether words after the first say that something is done.
pub fn computes(words: &str) -> bool {
    words.to_lowercase().split(|c: char| !c.is_alphabetic()).skip(1).any(is_verb)
}

/// `compute`, `update`, `set`.
pub fn is_verb(word: &str) -> bool {
    matches!(
        word,
        "compute"
            | "computes"
            | "update"
            | "updates"
            | "set"
            | "perform"
            | "evaluate"
            | "calculate"
            | "let"
            | "define"
            | "iterate"
            | "do"
            | "obtain"
            | "find"
            | "put"
            | "repeat"
            | "run"
            | "generate"
            | "take"
            | "use"
            | "apply"
            | "form"
    )
}

/// Whether the first word asks for what is known before.
pub fn asks(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let asking =
        ["input", "require", "data", "given", "choose", "pick", "fix", "parameter", "select", "sample", "draw"];
    asking.iter().any(|w| text.starts_with(w))
}

/// When a row counts.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Condition {
    /// Always.
    None,
    /// Always, under an assumption: `if f is smooth`.
    Assumption,
    /// When a test says so.
    Test(Span),
}

impl Condition {
    fn new(place: Option<Span>, assumed: bool) -> Condition {
        match place {
            None => Condition::None,
            Some(_) if assumed => Condition::Assumption,
            Some(span) => Condition::Test(span),
        }
    }
}

/// The words before those that end a condition.
fn head(words: &str) -> &str {
    let small = words.to_lowercase();
    let end = [small.find([',', ':']), small.find("then")].into_iter().flatten().min().unwrap_or(words.len());
    words.get(..end).unwrap_or(words)
}

/// Formulas without those that say when the others count, and the place of the condition.
pub fn conditioned(items: Vec<Item>, said: &[(String, Span)]) -> (Vec<Item>, Condition) {
    let mut kept = Vec::new();
    let mut condition: Option<Span> = None;
    let (mut testing, mut assumed, mut compares) = (false, false, false);
    let mut chunks = said.iter().peekable();
    let mut hear = |(words, span): &(String, Span), testing: &mut bool, condition: &mut Option<Span>| {
        let begins = is_condition(words);
        assumed |= (begins || *testing) && is_assumption(head(words));
        if begins {
            *testing = !is_consequence(words);
            condition.get_or_insert(*span);
        } else if *testing {
            *testing = !is_consequence(words);
            if *testing {
                *condition = condition.map(|c| c.to(*span));
            }
        }
    };
    for item in items {
        while let Some(chunk) = chunks.next_if(|(_, s)| s.start < item.span.start) {
            hear(chunk, &mut testing, &mut condition);
        }
        if !testing {
            kept.push(item);
        } else if is_formula(&item) {
            compares |= rows::is_sign(&item.kind) || rows::is_relation(&item.kind);
            condition = condition.map(|c| c.to(item.span));
        }
    }
    chunks.for_each(|chunk| hear(chunk, &mut testing, &mut condition));
    (kept, Condition::new(condition, assumed && !compares))
}

/// The letters that stand together from here on.
fn run(items: &[Item]) -> String {
    let letter = |(n, i): (usize, &Item)| match i.kind {
        Kind::Char(c) if c.is_alphabetic() && (n == 0 || !i.spaced) => Some(c),
        _ => None,
    };
    items.iter().enumerate().map_while(letter).collect()
}

/// The same where words stand among the formulas.
pub fn free_condition(items: Vec<Item>) -> (Vec<Item>, Condition) {
    if items.iter().any(|i| rows::is_text(&i.kind)) || run(&items).eq_ignore_ascii_case("end") {
        return (items, Condition::None);
    }
    let (mut assumed, mut compares) = (false, false);
    let mut kept: Vec<Item> = Vec::new();
    let mut condition: Option<Span> = None;
    let mut testing = false;
    let mut at = 0;
    while at < items.len() {
        let apart = at == 0 || items[at].spaced || matches!(items[at - 1].kind, Kind::Char(c) if !c.is_alphabetic());
        let word = if apart { run(&items[at..]) } else { String::new() };
        let length = word.chars().count();
        let next = if length > 0 { run(&items[(at + length).min(items.len())..]) } else { String::new() };
        let item = &items[at];
        if length > 1 && is_condition(&format!("{word} {next}")) {
            testing = true;
            let span = item.span.to(items[at + length - 1].span);
            condition = Some(condition.map_or(span, |c| c.to(span)));
            at += length;
            continue;
        }
        if testing && (length > 1 && is_consequence(&word) || matches!(item.kind, Kind::Char(',' | ':'))) {
            testing = false;
            at += length.max(1);
            continue;
        }
        if testing {
            assumed |= is_assumption(&word);
            compares |= rows::is_sign(&item.kind) || rows::is_relation(&item.kind);
            condition = condition.map(|c| c.to(item.span));
        } else {
            kept.push(item.clone());
        }
        at += 1;
    }
    (kept, Condition::new(condition, assumed && !compares))
}

/// Words among formulas that nothing marks, each stretch of them as one item between two formulas, and their places.
pub fn apart(items: Vec<Item>) -> (Vec<Item>, Vec<Span>) {
    let mut out: Vec<Item> = Vec::with_capacity(items.len());
    let mut said = Vec::new();
    let (mut at, mut depth) = (0, 0usize);
    while at < items.len() {
        match items[at].kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        // What stands in braces, as in `\text{…}`, is marked.
        let end = if depth == 0 { prose(&items, at) } else { at };
        if end == at {
            out.push(items[at].clone());
            at += 1;
            continue;
        }
        let place = items[at].span;
        said.push(place.to(items[end - 1].span));
        let span = Span::new(place.start, place.start);
        out.push(Item { kind: Kind::Command(WORDS.into()), span, spaced: true });
        at = end;
    }
    (out, said)
}

/// The end of the words that begin here; here, if none do.
fn prose(items: &[Item], at: usize) -> usize {
    // What a sign or an operator stands before is a name, and so is what carries a script.
    let begins = match at.checked_sub(1).map(|b| &items[b]) {
        Some(before) => {
            let touches = !items[at].spaced && matches!(before.kind, Kind::Char(c) if c.is_alphanumeric());
            let bound = rows::is_operator(&before.kind) || rows::is_sign(&before.kind);
            !touches && !bound && !matches!(before.kind, Kind::Sub | Kind::Sup | Kind::Open)
        }
        None => true,
    };
    if !begins {
        return at;
    }
    let word = |at: usize| {
        let word = run(&items[at..]).to_lowercase();
        let length = word.chars().count();
        let next = items.get(at + length);
        let apart = next
            .is_none_or(|n| n.spaced || matches!(n.kind, Kind::Char(',' | ';' | ':' | '.')) || rows::is_gap(&n.kind));
        let named = known_word(&word).is_some() && word != "id";
        (length > 1 && apart && !named).then_some((word, length))
    };
    let opens = at == 0 || matches!(items[at - 1].kind, Kind::Char(',' | ';' | '.' | ':'));
    let (mut end, mut joins) = (at, false);
    while let Some((found, length)) = word(end) {
        let bound = items.get(end + length).is_some_and(|n| is_bound(&n.kind));
        if is_joining(&found) {
            joins = true;
        } else if bound || !joins && !opens {
            break;
        }
        // A word that opens a row is no factor of what follows, as in `Momentum x_{k+1} = …`.
        joins |= at == 0 && length > 3;
        end += length;
    }
    if joins { end } else { at }
}

fn is_bound(kind: &Kind) -> bool {
    rows::is_operator(kind) || rows::is_sign(kind) || rows::is_relation(kind)
}

/// What stands behind the words that announce it, where words and formulas are not told apart.
pub fn behind_words(items: Vec<Item>, role: Role) -> Vec<Item> {
    if role == Role::Loop {
        let colon = items.iter().position(|i| i.kind == Kind::Char(':'));
        return colon.map(|c| items[c + 1..].to_vec()).unwrap_or_default();
    }
    let length = run(&items).chars().count();
    let colon = usize::from(items.get(length).is_some_and(|i| i.kind == Kind::Char(':')));
    items[length + colon..].to_vec()
}

/// The words at the beginning of a line without marks around formulas.
pub fn free_words(items: &[Item]) -> String {
    let mut text = String::new();
    for item in items {
        match &item.kind {
            Kind::Char(c) if item.spaced => text.extend([' ', *c]),
            Kind::Char(c) => text.push(*c),
            Kind::Command(c) if matches!(c.as_str(), "min" | "max" | "minimize" | "text" | "mathrm") => {
                text.push_str(&format!(" {c} "));
            }
            Kind::Open | Kind::Close => text.push(' '),
            _ => break,
        }
    }
    text
}

/// What a line is for, told by its first word.
pub fn by_words(text: &str, free: bool) -> Option<(Role, &'static str)> {
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let text = text.trim_start_matches("text ").trim_start_matches("mathrm ").trim_start();
    let first: String = text.chars().take_while(|c| c.is_alphabetic()).collect();
    let updated = text[first.len()..].trim_start().starts_with(['=', ':', '_', '^'])
        && !text[first.len()..].trim_start().starts_with(": ");
    if updated && free && first.len() < 4 {
        return None;
    }
    Some(match first.as_str() {
        "for" | "while" | "repeat" | "loop" | "until" | "end" | "endfor" | "endwhile" | "do" | "iterate" => {
            (Role::Loop, "loop")
        }
        "initialize" | "initialise" | "initialization" | "initialisation" | "init" | "initial" | "input" | "inputs"
        | "require" | "data" | "given" | "choose" | "pick" | "fix" | "parameters" | "start" | "starting" | "let"
        | "select" | "sample" | "draw" | "observe" | "receive" => (Role::Initialization, "initialisation"),
        "return" | "output" | "outputs" | "ensure" | "result" | "print" | "display" | "report" | "record" | "plot" => {
            (Role::Output, "output")
        }
        "minimize" | "minimise" | "min" | "maximize" | "max" | "subject" | "problem" | "solve" | "st" => {
            (Role::Skipped, "the problem solved")
        }
        "if" | "else" | "elseif" | "endif" => (Role::Skipped, "condition"),
        "algorithm" | "procedure" | "function" if free => (Role::Comment, "heading"),
        _ => {
            let words = text.split(|c: char| !c.is_alphabetic()).filter(|w| w.len() > 3 && !is_formula_word(w)).count();
            let signed = text.contains(['=', '(']);
            return (free && words >= 2 && !signed).then_some((Role::Comment, "prose"));
        }
    })
}

fn is_formula_word(word: &str) -> bool {
    crate::syntax::names::greek_letter(word).is_some()
        || crate::syntax::names::is_reserved(word)
        || matches!(word, "argmax" | "nabla" | "frac")
}

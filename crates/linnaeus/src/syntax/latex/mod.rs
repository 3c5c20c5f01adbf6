//! LaTeX and Unicode: a page of mathematics → the tokens of the plain notation, one line per equation.
//!
//! Characters become items (`scan`), macros are expanded (`macros`), the page falls into rows and other
//! lines (`layout`) and the rows into equations (`rows`); letters get their scripts (`atoms`), the letter
//! that counts is found (`time`), tests are decided where they can be (`decide`), and scripts become indices, names, powers and steps (`emit`).

mod apart;
mod atoms;
mod blocks;
mod commands;
mod decide;
mod emit;
mod layout;
mod macros;
pub mod matrix;
mod mixing;
mod numbers;
mod rows;
mod scan;
mod time;
mod unicode;
mod words;

pub(crate) use commands::{is_display, is_math, is_structural};

use super::ast::{Guess, Role};
use super::lexer::{Token, tokenize};
use super::notation::Notation;
use super::outside::Stands;
use super::{declaration, plain::Draft};
use crate::diagnostic::{Code, Diagnostic, MAX_ERRORS};
use crate::source::{Source, Span};
pub use apart::came_apart;
pub use emit::read_back;
pub use scan::has_letters;

use atoms::{Atom, Nucleus};
use blocks::{Blocks, Fate};
use layout::Announced;
use linnaeus_algebra::{SortedMap, SortedSet};
use rows::Segment;
use scan::{Item, Kind};

/// More characters and commands than this are not read.
pub const MAX_ITEMS: usize = 60_000;
/// A row of more characters and commands than this is not read.
pub const MAX_ROW: usize = 4_000;

/// What a page holds.
#[derive(Debug, Default)]
pub struct Pasted {
    /// Its equations and declarations.
    pub drafts: Vec<Draft>,
    /// Its other lines.
    pub aside: Vec<(Span, Role, &'static str)>,
    /// What was decided.
    pub guesses: Vec<Guess>,
}

/// Reads a page.
pub fn read(source: &Source, notation: Notation, diagnostics: &mut Vec<Diagnostic>) -> Pasted {
    let (declared, text) = without_declarations(source);
    let scanned = scan::scan(&text, notation);
    let mut pasted = Pasted { aside: scanned.aside, ..Pasted::default() };
    if let Some(span) = scanned.doubled {
        diagnostics.push(Diagnostic::note(span, "every backslash is doubled here and was read as one"));
    }
    if scanned.items.len() > MAX_ITEMS {
        let message = format!("the text has more than {MAX_ITEMS} characters and commands");
        diagnostics.push(too_long(Span::new(0, 0), message, MAX_ITEMS));
        return pasted;
    }
    let items = with_underscores(scanned.items, diagnostics);
    let items = macros::expand(items, &mut pasted.aside, diagnostics);
    let page = layout::lay_out(items, source);
    pasted.aside.extend(page.aside.iter().copied());
    if let Some(long) = page.rows.iter().find(|r| r.items.len() > MAX_ROW) {
        let message = format!("this has more than {MAX_ROW} characters and commands");
        diagnostics.push(too_long(long.span, message, MAX_ROW));
        pasted.drafts = page.rows.iter().map(|row| Draft::unread(row.span)).collect();
        return pasted;
    }
    let page = layout::Page { aside: Vec::new(), ..page };
    let (segments, aside, mut blocks) = rows::segments(page, source);
    pasted.aside.extend(aside);
    pasted.drafts = declared;
    equations(segments, &mut blocks, source, notation, &mut pasted, diagnostics);
    pasted.drafts.sort_by_key(|d| d.span.start);
    pasted
}

/// `x*{k+1} = x*k`: Markdown took the underscores for emphasis.
fn with_underscores(mut items: Vec<Item>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Item> {
    // Not `\operatorname*{argmin}`, `\tcp*{…}`, `\DeclareMathOperator*{…}`.
    let is_name = |i: &Item| match &i.kind {
        Kind::Close => true,
        Kind::Command(name) => atoms::carries_scripts(name),
        Kind::Char(c) => c.is_alphabetic(),
        _ => false,
    };
    let touches = |i: usize| items.get(i).is_some_and(|i| !i.spaced);
    let starred = |i: usize| {
        let before = i.checked_sub(1).map(|n| &items[n]).filter(|n| is_name(n));
        before.is_some() && items[i].kind == Kind::Char('*') && touches(i) && touches(i + 1)
    };
    let groups = |i: usize| starred(i) && items.get(i + 1).is_some_and(|n| n.kind == Kind::Open);
    let letters: Vec<Kind> =
        (0..items.len()).filter(|&i| groups(i)).filter_map(|i| items.get(i + 2)).map(|i| i.kind.clone()).collect();
    let alone = |i: usize| {
        let after = items.get(i + 2).filter(|n| !n.spaced);
        letters.contains(&items[i + 1].kind)
            && !after.is_some_and(|n| matches!(n.kind, Kind::Char(c) if c.is_alphanumeric()))
    };
    let eaten: Vec<usize> = (0..items.len()).filter(|&i| groups(i) || starred(i) && alone(i)).collect();
    for i in eaten {
        diagnostics.push(Diagnostic::note(items[i].span, "this `*` was read as `_`"));
        items[i].kind = Kind::Sub;
    }
    items
}

fn too_long(span: Span, message: String, bound: usize) -> Diagnostic {
    Diagnostic::error(Code::LimitLines, span, message)
        .help(format!("paste one algorithm at a time, at most {bound} long"))
}

/// What a comment begins with that declares.
pub const PRAGMA: &str = "% linnaeus:";

/// Lines of the plain notation that declare, also in comments, and the text with blanks in their place.
fn without_declarations(source: &Source) -> (Vec<Draft>, String) {
    let mut drafts = Vec::new();
    let mut rest = String::with_capacity(source.text().len());
    for line in source.text().split_inclusive('\n') {
        let begin = rest.len();
        let mut own = Vec::new();
        let hidden = line.trim_start().strip_prefix(PRAGMA);
        let said = hidden.unwrap_or(if declares(line) { line } else { "" });
        let mut tokens = tokenize(said, &mut own);
        let start = begin + if hidden.is_some() { line.len() - said.len() } else { 0 };
        tokens.retain(|t| !matches!(t.kind, super::lexer::TokenKind::Newline | super::lexer::TokenKind::Comment));
        if !tokens.is_empty() && declaration::is_declaration(&tokens) && own.is_empty() {
            for token in &mut tokens {
                token.span = Span::new(token.span.start + start, token.span.end + start);
            }
            drafts.push(Draft::new(tokens));
            rest.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        } else {
            rest.push_str(line);
        }
    }
    (drafts, rest)
}

/// Whether a line begins as a declaration does; `function values` in prose has no name after it alone.
pub(super) fn declares(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or("");
    let second = words.next().unwrap_or("");
    let third = words.next();
    let name = |w: &str| {
        w.trim_end_matches([':', ',']).trim_start_matches('\\').chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let known = ["oracle", "operator", "param", "parameter", "constant", "iterate", "index", "function", "set"];
    known.iter().any(|k| first == *k || first.strip_suffix('s') == Some(k))
        && !second.is_empty()
        && name(second)
        && !line.contains('=')
        && (third.is_none()
            || second.ends_with([':', ','])
            || third.is_some_and(|w| {
                w.starts_with([':', ','])
                    || matches!(
                        w,
                        "symmetric"
                            | "commuting"
                            | "linear"
                            | "homogeneous"
                            | "cone"
                            | "quadratic"
                            | "subspace"
                            | "selfadjoint"
                    )
            }))
}

fn index_declared(drafts: &[Draft]) -> Option<String> {
    drafts.iter().find_map(|d| match d.tokens.as_slice() {
        [
            Token { kind: super::lexer::TokenKind::Name(word), .. },
            Token { kind: super::lexer::TokenKind::Name(letter), .. },
        ] if word == "index" => Some(letter.clone()),
        _ => None,
    })
}

/// What `param t` names.
fn parameters_declared(drafts: &[Draft]) -> Vec<String> {
    let says = |d: &&Draft| matches!(d.tokens.first().map(|t| &t.kind), Some(super::lexer::TokenKind::Name(word)) if word.starts_with("param"));
    drafts.iter().filter(says).flat_map(|d| declaration::declared_names(&d.tokens).0).collect()
}

/// An equation as atoms.
struct Equation {
    atoms: Vec<Atom>,
    span: Span,
    block: usize,
    condition: Option<Span>,
    announced: Option<(Announced, Span)>,
}

fn equations(
    segments: Vec<Segment>,
    blocks: &mut Blocks,
    source: &Source,
    notation: Notation,
    pasted: &mut Pasted,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let index = index_declared(&pasted.drafts);
    let parameters = parameters_declared(&pasted.drafts);
    let fonts = fonts(&segments);
    let distinct = |name: &str, font: &str| {
        fonts.get(name).is_some_and(|f| f.len() > 1 && f.iter().next().map(String::as_str) != Some(font))
    };
    let mut lines: Vec<Equation> = Vec::new();
    let mut announced: Vec<(Announced, Span)> = Vec::new();
    for segment in segments {
        if diagnostics.len() >= MAX_ERRORS {
            pasted.drafts.push(Draft::unread(segment.span));
            continue;
        }
        announced.extend(segment.announced.filter(|a| !announced.contains(a)));
        let Segment { items, span, block, condition, announced } = segment;
        let mut own = Vec::new();
        match atoms::atoms(&items, notation, &distinct, &mut own) {
            Ok(found) => {
                diagnostics.extend(own);
                lines.push(Equation { atoms: trimmed(found), span, block, condition, announced });
            }
            // What words set aside need not be readable.
            Err(_) if announced.is_some_and(|(a, _)| !(a.asks && a.computes)) => {}
            Err(problem) => {
                diagnostics.extend(own);
                diagnostics.push(problem);
                pasted.drafts.push(Draft::unread(span));
            }
        }
    }
    lines.retain(|line| {
        let empty = line.atoms.is_empty();
        if empty && line.announced.is_none() {
            pasted.aside.push((line.span, Role::Skipped, "layout"));
        }
        !empty
    });
    apart::lift(lines.iter_mut().map(|l| &mut l.atoms));
    apart::halve(lines.iter_mut().map(|l| &mut l.atoms), diagnostics);
    apart::put_back(lines.iter_mut().map(|l| &mut l.atoms), diagnostics);
    let surely: Vec<Vec<Atom>> = lines.iter().filter(|l| l.announced.is_none()).map(|l| l.atoms.clone()).collect();
    let mut clock = time::clock(&surely, index.clone());
    if clock.letter.is_none() || clock.is_guess {
        let all: Vec<Vec<Atom>> = lines.iter().map(|l| l.atoms.clone()).collect();
        clock = time::clock(&all, index);
    }
    clock.factors.extend(parameters);
    let used = used(&lines);
    lines.retain(|line| {
        line.announced.is_none_or(|(a, _)| {
            a.is_update(&line.atoms, &clock, blocks.is_repeated(line.block))
                || a.role == Role::Initialization && !a.asks && is_definition(&line.atoms, &used)
        })
    });
    for (found, row) in announced {
        let mut read: Vec<&mut Equation> =
            lines.iter_mut().filter(|l| l.announced.is_some_and(|(_, r)| r == row)).collect();
        let says = |from: usize, to: usize| source.slice(Span::new(from, to.max(from))).contains(['$', '=', '^']);
        match read.first_mut() {
            None => pasted.aside.push((row, found.role, found.reason)),
            Some(first) if says(row.start, first.span.start.saturating_sub(1)) => {
                pasted.aside.push((Span::new(row.start, first.span.start), found.role, found.reason));
            }
            Some(first) => first.span = Span::new(row.start.min(first.span.start), first.span.end),
        }
        if let Some(last) = read.last_mut() {
            if says(last.span.end + 1, row.end) {
                pasted.aside.push((Span::new(last.span.end, row.end), found.role, found.reason));
            } else {
                last.span = Span::new(last.span.start, row.end.max(last.span.end));
            }
        }
    }
    if let (Some(letter), Some(other)) = (&clock.letter, clock.others.first()) {
        let declaration = format!("index {other}");
        let guess = Guess { name: letter.clone(), taken_as: "the letter that counts".into(), declaration };
        pasted.guesses.push(guess);
    }
    decide::decide(blocks, &lines, &clock, source, &mut pasted.guesses);
    lines.retain(|line| {
        let signed = line.atoms.iter().any(|a| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns) || a.is('∈'));
        let aside = match () {
            () if blocks.is_stop(line.block) => Some((Role::Skipped, "a stop")),
            () if blocks.fate(line.block) == Some(Fate::Once) => {
                Some((Role::Initialization, "the first iteration alone"))
            }
            () if blocks.fate(line.block) == Some(Fate::Left) => Some((Role::Skipped, "the branch that is not read")),
            () if !signed && blocks.is_tested(line.block) => Some((Role::Skipped, "what a test decides")),
            () if line.condition.is_some() && !is_iterated(&line.atoms, &clock, blocks.is_repeated(line.block)) => {
                Some((Role::Skipped, "a definition by cases"))
            }
            () => idle(&line.atoms, &clock),
        };
        pasted.aside.extend(aside.map(|(role, reason)| (line.span, role, reason)));
        aside.is_none()
    });
    let told: Vec<(usize, String, Vec<String>)> =
        lines.iter().map(|l| (l.block, target(&l.atoms), time::letters(&l.atoms))).collect();
    let refused = blocks.problems(&told, clock.letter.as_ref());
    for (_, problem) in &refused {
        if !diagnostics.contains(problem) {
            diagnostics.push(problem.clone());
        }
    }
    let repeated: Vec<bool> = lines.iter().map(|l| blocks.is_repeated(l.block)).collect();
    let (begin, end) = (repeated.iter().position(|r| *r), repeated.iter().rposition(|r| *r));
    for (i, (line, (_, name, _))) in lines.iter().zip(&told).enumerate() {
        let span = line.span;
        let stands = match (begin, end) {
            (Some(begin), _) if i < begin => Stands::Before,
            (_, Some(end)) if i > end => Stands::Behind,
            _ => Stands::Within,
        };
        let condition = line.condition.filter(|_| !blocks.is_refused(line.block, &refused));
        let problem = condition.map(|c| blocks::tested(name, c)).filter(|d| !diagnostics.contains(d));
        diagnostics.extend(problem);
        if condition.is_some() || blocks.is_refused(line.block, &refused) {
            pasted.drafts.push(Draft::unread(span));
            continue;
        }
        match emit::Emitter::new(&clock, &mut pasted.guesses, diagnostics).line(&line.atoms) {
            Ok(tokens) => pasted.drafts.push(Draft { tokens, span, stands }),
            Err(problem) => {
                diagnostics.push(problem);
                pasted.drafts.push(Draft::unread(span));
            }
        }
    }
}

/// Whether a line may be part of an iteration: it assigns, gives an iterate a value or stands in a loop.
fn is_iterated(atoms: &[Atom], clock: &time::Clock, repeated: bool) -> bool {
    let Some(Atom { nucleus: Nucleus::Name(name), .. }) = atoms.first() else { return repeated };
    let mut again = false;
    atoms[1..].iter().for_each(|a| a.walk(&mut |a| again |= a.nucleus == Nucleus::Name(name.clone())));
    let assigns = atoms.iter().any(|a| a.nucleus == Nucleus::Assigns);
    let applied = atoms.get(1).is_some_and(|a| a.is('('));
    let moved = !clock.is_guess && time::moved(&atoms[0], clock).is_some();
    !applied && (assigns || again || repeated || moved)
}

/// The names that lines use, scripts and all, wherever they are given no value.
fn used(lines: &[Equation]) -> Vec<Atom> {
    let mut found = Vec::new();
    for line in lines {
        line.atoms[signed(&line.atoms)..].iter().for_each(|a| {
            a.walk(&mut |a| found.extend(matches!(a.nucleus, Nucleus::Name(_)).then(|| a.clone())));
        });
    }
    found
}

/// Where the sign of an equation stands.
fn signed(atoms: &[Atom]) -> usize {
    atoms.iter().position(|a| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns)).unwrap_or(0)
}

/// `let \tilde W = (I + W)/2`, `let L_\rho(x, y) = …`: an operator or a function that is used elsewhere, written out.
fn is_definition(atoms: &[Atom], used: &[Atom]) -> bool {
    let sign = signed(atoms);
    let (Some(target), Some(value)) = (atoms.first(), atoms.get(sign + 1..)) else { return false };
    let Nucleus::Name(name) = &target.nucleus else { return false };
    let applied = sign > 3 && atoms[1].is('(') && atoms[sign - 1].is(')');
    let operator = sign == 1 && name.starts_with(char::is_uppercase) && name != "I";
    let mut readable = !value.is_empty();
    let mut depends = false;
    for atom in value {
        atom.walk(&mut |a| match &a.nucleus {
            Nucleus::Symbol(c) => readable &= "()+-*/'⊤†⋆".contains(*c) || applied && "‖⟨⟩,|∇".contains(*c),
            Nucleus::Text(_) | Nucleus::Equals | Nucleus::Assigns => readable = false,
            Nucleus::Name(name) => {
                depends = true;
                readable &= super::names::elementary(name).is_none();
            }
            _ => {}
        });
    }
    // `Let X = R^n` names a space.
    readable &= value.len() > 1 || value.iter().any(|a| matches!(a.nucleus, Nucleus::Fraction(..) | Nucleus::Group(_)));
    let same = |a: &Atom| a.nucleus == target.nucleus && a.sub == target.sub;
    (operator || applied) && readable && depends && used.iter().any(same)
}

/// What a line gives a value, as it is called in messages.
fn target(atoms: &[Atom]) -> String {
    match atoms.first() {
        Some(Atom { nucleus: Nucleus::Name(name), .. }) => name.clone(),
        _ => "this line".to_string(),
    }
}

impl Announced {
    /// Whether an equation behind such words is one that is iterated.
    fn is_update(self, atoms: &[Atom], clock: &time::Clock, repeated: bool) -> bool {
        let sign = atoms.iter().position(|a| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns));
        let Some(sign) = sign.filter(|s| *s > 0) else { return false };
        let moved = |a: &Atom| time::moved(a, clock);
        let Some(target) = moved(&atoms[0]) else {
            let bare = sign == 1 && atoms[0].sub.is_none() && atoms[0].sup.is_none();
            return repeated && bare && !self.asks && self.role != Role::Loop;
        };
        let mut carried = false;
        atoms[sign..].iter().for_each(|a| a.walk(&mut |a| carried |= moved(a).is_some()));
        target > 0 || carried && (!self.asks || self.computes)
    }
}

/// The fonts that each letter stands in; the first of them in the alphabet is the one without a mark.
fn fonts(segments: &[Segment]) -> SortedMap<String, SortedSet<String>> {
    let mut found: SortedMap<String, SortedSet<String>> = SortedMap::new();
    for segment in segments {
        let letter = |i: &Item| match &i.kind {
            Kind::Char(c) if c.is_alphabetic() => Some(c.to_string()),
            Kind::Command(c) if super::names::greek_letter(c).is_some() => Some(c.clone()),
            _ => None,
        };
        let items = &segment.items;
        for (i, item) in items.iter().enumerate() {
            let Some(name) = letter(item) else { continue };
            let beside = |j: Option<usize>| {
                j.and_then(|j| items.get(j)).is_some_and(|i| matches!(i.kind, Kind::Char(c) if c.is_alphabetic()))
            };
            if beside(i.checked_sub(1)) || (beside(Some(i + 1)) && !items[i + 1].spaced) {
                continue;
            }
            let before = |n: usize| i.checked_sub(n).and_then(|j| items.get(j)).map(|i| &i.kind);
            let font = match (before(1), before(2)) {
                (Some(Kind::Command(font)), _) | (Some(Kind::Open), Some(Kind::Command(font))) => font.as_str(),
                _ => "",
            };
            let known =
                ["mathbf", "boldsymbol", "bm", "pmb", "mathcal", "mathscr", "mathfrak", "mathbb", "mathsf", "vec"];
            let font = if known.contains(&font) { atoms::family(font) } else { "" };
            // Bold is a habit, not a distinction, unless both stand in one text.
            found.entry(name).or_default().insert(font.to_string());
        }
    }
    found
}

/// Without labels before a colon and stops behind the end.
fn trimmed(mut atoms: Vec<Atom>) -> Vec<Atom> {
    while atoms
        .last()
        .is_some_and(|a| [',', ';', '.', ':', '\\'].iter().any(|c| a.is(*c)) || matches!(a.nucleus, Nucleus::Text(_)))
    {
        atoms.pop();
    }
    let is_sign = |a: &Atom| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns) || a.is('∈');
    let first_sign = atoms.iter().position(is_sign).unwrap_or(atoms.len());
    if let Some(colon) = atoms[..first_sign].iter().position(|a| a.is(':')) {
        let plain = |a: &Atom| a.sub.is_none() && a.sup.is_none();
        if atoms[..colon].iter().all(plain) {
            atoms.drain(..=colon);
        }
    }
    let skip = atoms
        .iter()
        .take_while(|a| [',', ';', '.', ':'].iter().any(|c| a.is(*c)) || matches!(a.nucleus, Nucleus::Text(_)))
        .count();
    atoms.drain(..skip);
    // An opening brace of `cases` that never closes.
    let opens = atoms.iter().filter(|a| a.is('(')).count();
    let closes = atoms.iter().filter(|a| a.is(')')).count();
    if opens == closes + 1 && atoms.first().is_some_and(|a| a.is('(')) && atoms.iter().position(is_sign).is_some() {
        atoms.remove(0);
    }
    atoms
}

/// What an equation is for, if no update and no definition.
fn idle(atoms: &[Atom], clock: &time::Clock) -> Option<(Role, &'static str)> {
    let sign = atoms.iter().position(|a| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns) || a.is('∈'));
    let mut moves = false;
    let mut asks = false;
    for atom in atoms {
        atom.walk(&mut |a| {
            let timed = |s: &Option<Vec<Atom>>| {
                s.iter().flat_map(|s| time::parts(s)).any(|p| {
                    time::pluses(p).is_some() || time::shape(p).is_some_and(|(l, _)| Some(&l) == clock.letter.as_ref())
                })
            };
            moves |= matches!(a.nucleus, Nucleus::Name(_)) && (timed(&a.sub) || timed(&a.sup));
            asks |= a.is('∂') || a.is('∇') || matches!(a.nucleus, Nucleus::Arg(_));
        });
    }
    let Some(sign) = sign else {
        // Where the text has an index and this has it too, a sign is missing.
        return (!(moves && clock.letter.is_some())).then_some((Role::Skipped, "no equation"));
    };
    if let ([Atom { nucleus: Nucleus::Name(n), sub: None, sup: None, .. }, ..], 1) = (atoms, sign)
        && Some(n) == clock.letter.as_ref()
    {
        return Some((Role::Loop, "it counts"));
    }
    let member = atoms[sign].is('∈');
    if member && !asks {
        return Some((Role::Initialization, "initialisation"));
    }
    let single = sign == 1 && matches!(atoms[0].nucleus, Nucleus::Name(_));
    // `where z = (x, y)`
    if single && is_tuple(&atoms[sign + 1..]) && !moves {
        return Some((Role::Skipped, "what it is made of"));
    }
    let applied = matches!(atoms.get(1), Some(a) if a.is('('));
    let tuple = atoms[0].is('(') || atoms[..sign].iter().any(|a| a.is(','));
    if clock.letter.is_some() && !moves && !single && !applied && !tuple {
        return Some((Role::Skipped, "a constraint"));
    }
    None
}

/// `(x, y)`: names between commas, in parentheses.
fn is_tuple(atoms: &[Atom]) -> bool {
    let [open, inside @ .., close] = atoms else { return false };
    let named = |part: &[Atom]| matches!(part, [Atom { nucleus: Nucleus::Name(_), .. }]);
    let parts: Vec<&[Atom]> = inside.split(|a| a.is(',')).collect();
    open.is('(') && close.is(')') && parts.len() > 1 && parts.into_iter().all(named)
}

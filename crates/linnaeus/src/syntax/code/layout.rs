//! Rows of tokens → blocks and statements: by indentation in Python, by `end` in Julia and MATLAB.

use super::Language;
use super::expression;
use super::test::{self, Test};
use super::token::{Kind, Row, Token, span_of};
use super::tree::{Action, Arm, Change, Function, Item, Loop, Node, Operator, Runs, Term, split_all, split_at};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::expression::MAX_NESTING;

/// One statement, or the head of a block, before blocks are told apart.
struct Piece {
    indent: usize,
    tokens: Vec<Token>,
}

impl Piece {
    fn word(&self) -> &str {
        self.tokens[0].word().unwrap_or("")
    }
}

/// Reads a program.
pub fn read(rows: Vec<Row>, language: Language, diagnostics: &mut Vec<Diagnostic>) -> Vec<Item> {
    let pieces: Vec<Piece> = rows.into_iter().flat_map(|row| pieces(row, language)).collect();
    let openers = pieces.iter().filter(|p| opens(p.word(), language)).count();
    let ends = pieces.iter().filter(|p| closes(p.word())).count();
    let open_functions = language == Language::Matlab && ends < openers;
    let mut reader = Reader { pieces, at: 0, language, depth: 0, open_functions, diagnostics };
    let mut items = Vec::new();
    while reader.at < reader.pieces.len() {
        let indent = reader.pieces[reader.at].indent;
        items.extend(reader.block(indent));
        // What is left was closed once too often.
        if let Some(piece) = reader.pieces.get(reader.at) {
            items.push(Item::End(span_of(&piece.tokens)));
            reader.at += 1;
        }
    }
    items
}

/// A row falls into statements at `;`, in MATLAB at `,` too, and in Python behind the colon of a head.
fn pieces(row: Row, language: Language) -> Vec<Piece> {
    let Row { indent, tokens } = row;
    let mut found = Vec::new();
    for part in split_all(&tokens, ";") {
        let first = part.first().and_then(Token::word).unwrap_or("");
        match language {
            Language::Python if is_head(first) => {
                let (head, rest) = split_at(part, ":").unwrap_or((part, &[]));
                found.push(Piece { indent, tokens: head.to_vec() });
                if !rest.is_empty() {
                    found.push(Piece { indent: indent + 1, tokens: rest.to_vec() });
                }
            }
            Language::Matlab => found.extend(split_all(part, ",").into_iter().map(|p| (indent, p)).map(piece)),
            // What follows an inline block belongs to it.
            Language::Python => found.push(piece((found.last().map_or(indent, |p: &Piece| p.indent), part))),
            Language::Julia => found.push(piece((indent, part))),
        }
    }
    found.retain(|p: &Piece| !p.tokens.is_empty());
    found
}

fn piece((indent, tokens): (usize, &[Token])) -> Piece {
    Piece { indent, tokens: tokens.to_vec() }
}

/// Words that begin a block in Python.
fn is_head(word: &str) -> bool {
    matches!(
        word,
        "for" | "while" | "if" | "elif" | "else" | "def" | "class" | "with" | "try" | "except" | "finally" | "async"
    )
}

/// Words that begin a block which `end` closes.
fn opens(word: &str, language: Language) -> bool {
    match language {
        Language::Python => false,
        Language::Julia => {
            matches!(
                word,
                "for" | "while" | "if" | "function" | "begin" | "let" | "try" | "module" | "struct" | "mutable"
            )
        }
        Language::Matlab => {
            matches!(word, "for" | "parfor" | "while" | "if" | "function" | "switch" | "try" | "classdef")
        }
    }
}

fn closes(word: &str) -> bool {
    matches!(word, "end" | "endfor" | "endwhile" | "endif" | "endfunction" | "end_try_catch" | "endswitch" | "until")
}

/// Words that begin another arm of a block.
fn goes_on(word: &str) -> bool {
    matches!(word, "else" | "elseif" | "elif" | "catch" | "finally" | "except" | "case" | "otherwise")
}

struct Reader<'a> {
    pieces: Vec<Piece>,
    at: usize,
    language: Language,
    depth: usize,
    /// Whether functions end where the next one begins.
    open_functions: bool,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    /// Statements up to what closes the block, which is not taken.
    fn block(&mut self, indent: usize) -> Vec<Item> {
        let mut items = Vec::new();
        while let Some(piece) = self.pieces.get(self.at) {
            let word = piece.word();
            let ends = match self.language {
                Language::Python => piece.indent < indent && !items.is_empty(),
                _ => closes(word) || goes_on(word),
            };
            if ends || (self.open_functions && self.depth > 0 && word == "function") {
                break;
            }
            self.item(&mut items);
        }
        items
    }

    /// The block behind a head, and the row that closes it.
    fn body(&mut self, indent: usize, items: &mut Vec<Item>) -> Vec<Item> {
        if self.depth >= MAX_NESTING {
            let span = self.pieces.get(self.at).map_or(Span::default(), |p| span_of(&p.tokens));
            let message = format!("blocks are nested more than {MAX_NESTING} deep");
            self.diagnostics.push(Diagnostic::error(Code::LimitNesting, span, message).help("give the loop alone"));
            // The rest cannot be told apart.
            let rest = self.pieces[self.at..].iter().map(|p| Item::End(span_of(&p.tokens)));
            items.extend(rest);
            self.at = self.pieces.len();
            return Vec::new();
        }
        self.depth += 1;
        let found = match self.language {
            Language::Python => match self.pieces.get(self.at).map(|p| p.indent) {
                Some(deeper) if deeper > indent => self.block(deeper),
                Some(same) if same == indent => self.flat(indent),
                _ => Vec::new(),
            },
            _ => self.block(0),
        };
        self.depth -= 1;
        found
    }

    /// A block whose indentation was lost: all that follows.
    fn flat(&mut self, indent: usize) -> Vec<Item> {
        let span = span_of(&self.pieces[self.at].tokens);
        let note = "nothing is indented below this head, so that all that follows was taken as its block";
        let head = self.at.checked_sub(1).map_or(span, |h| span_of(&self.pieces[h].tokens));
        self.diagnostics.push(Diagnostic::note(head, note).help("indent the lines that belong to the block"));
        self.block(indent)
    }

    fn close(&mut self, items: &mut Vec<Item>) {
        if self.language == Language::Python {
            return;
        }
        match self.pieces.get(self.at) {
            Some(piece) if closes(piece.word()) => {
                items.push(Item::End(span_of(&piece.tokens)));
                self.at += 1;
            }
            _ => {}
        }
    }

    fn item(&mut self, items: &mut Vec<Item>) {
        let piece = &self.pieces[self.at];
        let indent = piece.indent;
        let tokens = unmacro(&piece.tokens, self.language).to_vec();
        let whole = span_of(&piece.tokens);
        let word = tokens.first().and_then(Token::word).unwrap_or("").to_string();
        let head = matches!(self.language, Language::Python) && is_head(&word) || opens(&word, self.language);
        self.at += 1;
        if !head && (!goes_on(&word) || self.language != Language::Python) {
            let overwrites =
                tokens.len() < self.pieces[self.at - 1].tokens.len() && self.pieces[self.at - 1].tokens[1].is(".");
            return items.extend(statement(&tokens, whole, self.language, overwrites));
        }
        match word.as_str() {
            "for" | "parfor" | "while" => {
                let (variables, runs, head) = loop_head(&tokens, self.language);
                let body = self.body(indent, items);
                let mut after = Vec::new();
                self.close(&mut after);
                items.push(Item::Loop(Loop { span: whole, variables, runs, head, body }));
                items.extend(after);
            }
            "def" | "function" => self.function(&tokens, whole, indent, items),
            "if" | "switch" | "elif" | "else" => self.branch(whole, indent, &tokens, items),
            "async" => items.push(Item::End(whole)),
            _ => {
                let body = self.body(indent, items);
                items.push(Item::Through(whole, body));
                while self.pieces.get(self.at).is_some_and(|p| {
                    goes_on(p.word()) && p.indent == indent || goes_on(p.word()) && self.language != Language::Python
                }) {
                    // What is done when something fails is no part of the iteration.
                    let span = span_of(&self.pieces[self.at].tokens);
                    self.at += 1;
                    let arm = self.body(indent, items);
                    items.push(Item::Branch(vec![Arm { span, test: Test::Open, body: arm }]));
                }
                self.close(items);
            }
        }
    }

    fn branch(&mut self, whole: Span, indent: usize, tokens: &[Token], items: &mut Vec<Item>) {
        let main = tokens.iter().any(|t| t.word() == Some("__name__"));
        let body = self.body(indent, items);
        if main {
            return items.push(Item::Through(whole, body));
        }
        let mut arms = vec![Arm { span: whole, test: test::read(tokens), body }];
        while let Some(piece) = self.pieces.get(self.at) {
            let same = self.language != Language::Python || piece.indent == indent;
            if !goes_on(piece.word()) || !same {
                break;
            }
            let (span, test) = (span_of(&piece.tokens), test::read(&piece.tokens));
            self.at += 1;
            let body = self.body(indent, items);
            arms.push(Arm { span, test, body });
        }
        items.push(Item::Branch(arms));
        self.close(items);
    }

    fn function(&mut self, tokens: &[Token], whole: Span, indent: usize, items: &mut Vec<Item>) {
        let mut rest = &tokens[1..];
        let mut outputs = Vec::new();
        if self.language == Language::Matlab
            && let Some((left, right)) = split_at(rest, "=")
        {
            outputs = left.iter().filter_map(|t| t.word().map(str::to_string)).collect();
            rest = right;
        }
        // `Base.iterate(…)`: a method of its own for a function of another module.
        let open = rest.iter().position(|t| t.is("(")).unwrap_or(rest.len().min(1));
        let name = rest[..open].iter().rev().find_map(Token::word).unwrap_or("").to_string();
        let (parameters, flags) = parameters(&rest[open..]);
        let body = self.body(indent, items);
        items.push(Item::Function(Function { span: whole, name, parameters, flags, outputs, body }));
        self.close(items);
    }
}

/// The names between the parentheses of a head, without types and defaults, and those that are true or false by default.
fn parameters(tokens: &[Token]) -> (Vec<String>, Vec<(String, bool)>) {
    let mut depth = 0i64;
    let close = tokens.iter().position(|t| {
        depth += i64::from(t.is("(")) - i64::from(t.is(")"));
        depth == 0
    });
    let Some(close) = close.filter(|c| tokens[*c].is(")")) else { return (Vec::new(), Vec::new()) };
    let inside = tokens.get(1..close).unwrap_or(&[]);
    let parts = split_all(inside, ",").into_iter().flat_map(|p| split_all(p, ";"));
    let (mut names, mut flags) = (Vec::new(), Vec::new());
    for part in parts {
        let Some(name) = part.iter().find_map(Token::word).map(str::to_string) else { continue };
        let default = split_at(part, "=").and_then(|(_, value)| value.first()?.word());
        match default {
            Some("True" | "true") => flags.push((name.clone(), true)),
            Some("False" | "false") => flags.push((name.clone(), false)),
            _ => {}
        }
        names.push(name);
    }
    (names, flags)
}

/// Without macros such as `@inbounds` and words such as `global`.
fn unmacro(tokens: &[Token], language: Language) -> &[Token] {
    let mut rest = tokens;
    if language != Language::Julia {
        return rest;
    }
    loop {
        rest = match rest {
            [at, name, more @ ..] if at.is("@") && (name.word().is_some() || name.is(".")) && !more.is_empty() => {
                // `@printf("…")` is a call, not a mark before a statement.
                if more[0].is("(") && !more[0].spaced || matches!(more[0].kind, Kind::Text(_)) {
                    return rest;
                }
                more
            }
            [word, more @ ..] if matches!(word.word(), Some("global" | "local" | "const")) && !more.is_empty() => more,
            _ => return rest,
        };
    }
}

/// The variables of a loop, whether they count, and what they run over.
fn loop_head(tokens: &[Token], language: Language) -> (Vec<String>, Runs, Option<(Term, Term)>) {
    if tokens[0].word() == Some("while") {
        return (Vec::new(), Runs::On, None);
    }
    let sign = tokens.iter().position(|t| t.word() == Some("in") || t.is("=") || t.is("\u{2208}"));
    let Some(sign) = sign else { return (Vec::new(), Runs::On, None) };
    let variables = tokens[1..sign].iter().filter_map(|t| t.word().map(str::to_string)).collect();
    let over = &tokens[sign + 1..];
    let whole = span_of(tokens);
    let head = expression::read(&tokens[1..sign], language, whole)
        .and_then(|v| Ok((v, expression::read(over, language, whole)?)))
        .ok();
    let counts = match language {
        Language::Python => {
            let counting = ["range", "enumerate", "count", "trange", "arange"];
            over.iter().any(|t| t.word().is_some_and(|w| counting.contains(&w)))
        }
        _ => over.iter().any(|t| t.is(":")),
    };
    (variables, if counts { Runs::Counted } else { Runs::On }, head)
}

const SIGNS: &[(&str, Change)] = &[
    ("=", Change::Bind),
    (":=", Change::Bind),
    ("+=", Change::Update(Operator::Add)),
    ("-=", Change::Update(Operator::Subtract)),
    ("*=", Change::Update(Operator::Multiply)),
    ("/=", Change::Update(Operator::Divide)),
    ("@=", Change::Update(Operator::Apply)),
    (".=", Change::Overwrite),
    (".+=", Change::OverwriteBy(Operator::Add)),
    (".-=", Change::OverwriteBy(Operator::Subtract)),
    (".*=", Change::OverwriteBy(Operator::Multiply)),
    ("./=", Change::OverwriteBy(Operator::Divide)),
];

/// One statement; chains `a = b = c` are several.
fn statement(tokens: &[Token], whole: Span, language: Language, overwrites: bool) -> Vec<Item> {
    let line = |action| vec![Item::Line(whole, action)];
    let word = tokens[0].word().unwrap_or("");
    let rest = &tokens[1..];
    match word {
        "break" => return line(Action::Idle("a stop")),
        "continue" => return line(Action::Continue),
        "return" if rest.is_empty() => return line(Action::Idle("output")),
        "return" => return line(Action::Return(expression::read(rest, language, whole))),
        "import" | "from" | "using" | "pass" | "raise" | "assert" | "nonlocal" | "del" | "global" | "export"
        | "clear" | "clc" | "close" | "hold" | "figure" | "tic" | "toc" | "yield" | "persistent" | "print"
        | "error" | "warning" | "throw" | "disp" | "fprintf" | "printf" | "println"
            if !rest.first().is_some_and(|t| t.is("=")) =>
        {
            return line(Action::Idle(idle(word)));
        }
        _ => {}
    }
    if tokens[0].is("@") {
        return line(Action::Idle("a remark of the program"));
    }
    let sign = |t: &Token| SIGNS.iter().find(|(s, _)| t.is(s)).map(|(_, c)| *c);
    let mut depth = 0i64;
    let at = tokens.iter().position(|t| {
        depth += super::tree::bracket(t);
        depth == 0 && sign(t).is_some()
    });
    let Some(at) = at else {
        // `x: np.ndarray`, a type and no value.
        if language == Language::Python && split_at(tokens, ":").is_some() {
            return line(Action::Idle("a type"));
        }
        // `test && action`.
        if let Some((_, action)) =
            split_at(tokens, "&&").or_else(|| split_at(tokens, "||")).filter(|(_, a)| !a.is_empty())
        {
            let action = match action {
                [open, inner @ .., close] if open.is("(") && close.is(")") && !inner.is_empty() => inner,
                _ => action,
            };
            let body = statement(action, span_of(action), language, false);
            return vec![Item::Branch(vec![Arm { span: whole, test: Test::Open, body }])];
        }
        return line(Action::Expression(expression::read(tokens, language, whole)));
    };
    let mut change = sign(&tokens[at]).unwrap_or(Change::Bind);
    if overwrites {
        change = match change {
            Change::Bind => Change::Overwrite,
            Change::Update(operator) => Change::OverwriteBy(operator),
            other => other,
        };
    }
    let mut left = &tokens[..at];
    if let (Language::Python, Some((name, _))) = (language, split_at(left, ":")) {
        left = name;
    }
    if let (Language::Julia, Some((name, _))) = (language, split_at(left, "::")) {
        left = name;
    }
    assignments(left, change, &tokens[at + 1..], whole, language)
}

fn assignments(left: &[Token], change: Change, right: &[Token], whole: Span, language: Language) -> Vec<Item> {
    let target = match expression::read(left, language, whole) {
        Ok(target) => target,
        Err(problem) => return vec![Item::Line(whole, Action::Expression(Err(problem)))],
    };
    // `f(x) = …` in Julia.
    if let (Language::Julia, Change::Bind, Node::Call(name, arguments)) = (language, change, &target.node)
        && let Node::Name(name) = &name.node
    {
        let parameter = |t: &Term| match &t.node {
            Node::Name(n) => Some(n.clone()),
            _ => None,
        };
        let parameters = arguments.iter().filter_map(|a| parameter(&a.value)).collect();
        let body = vec![Item::Line(whole, Action::Return(expression::read(right, language, whole)))];
        let (name, outputs) = (name.clone(), Vec::new());
        return vec![Item::Function(Function { span: whole, name, parameters, flags: Vec::new(), outputs, body })];
    }
    // `x, = state` takes apart, `[x] = f(y)` in MATLAB does not.
    let targets = match target.node {
        Node::Tuple(parts) if parts.len() != 1 || language == Language::Matlab => parts,
        _ => vec![target],
    };
    // `a = b = c`: both stand for one thing.
    if let (Change::Bind, Some((middle, _))) = (change, split_at(right, "=").filter(|_| language != Language::Matlab)) {
        let mut items = assignments(middle, change, &right[middle.len() + 1..], whole, language);
        let value = expression::read(middle, language, whole);
        items.push(Item::Line(whole, Action::Assign { targets, change, value }));
        return items;
    }
    let value = expression::read(right, language, whole);
    vec![Item::Line(whole, Action::Assign { targets, change, value })]
}

fn idle(word: &str) -> &'static str {
    match word {
        "raise" | "assert" | "error" | "throw" => "a stop",
        "print" | "disp" | "fprintf" | "printf" | "println" | "warning" => "a message",
        _ => "of no consequence",
    }
}

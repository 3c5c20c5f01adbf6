//! The plain notation: `x[k+1] = x[k] - t*grad f(x[k])`, one equation per line.

use super::ast::{Algorithm, Ignored, Line, Node, Role};
use super::lexer::{Token, TokenKind, tokenize};
use super::notation::Notation;
use super::outside::{self, Stands};
use super::vocabulary::Vocabulary;
use super::{code, custom, declaration, define, inverse, latex, sequence, statement};
use crate::diagnostic::{Code, Diagnostic, MAX_ERRORS, has_error};
use crate::source::{Source, Span};
use linnaeus_algebra::SortedSet;

/// More statements than this are not read.
pub const MAX_STATEMENTS: usize = 200;
/// More names and numbers than this, counted wherever they stand, are not read.
pub const MAX_TEXT: usize = 5000;
/// More different names than this are not read.
pub const MAX_NAMES: usize = 200;
/// More lines of a page that are no equations are not listed.
pub const MAX_ASIDE: usize = 1000;
/// More text than this is not read.
pub const MAX_BYTES: usize = 200_000;

/// The tokens of one statement or declaration.
#[derive(Clone, Debug)]
pub struct Draft {
    /// None where they could not be told.
    pub tokens: Vec<Token>,
    /// Where it stands.
    pub span: Span,
    /// Where it stands beside the loop.
    pub stands: Stands,
}

impl Draft {
    /// A draft that is as long as its tokens; there must be one.
    pub fn new(tokens: Vec<Token>) -> Self {
        let span = tokens[0].span.to(tokens[tokens.len() - 1].span);
        Draft { tokens, span, stands: Stands::Within }
    }

    /// A statement whose tokens could not be told.
    pub fn unread(span: Span) -> Self {
        Draft { tokens: Vec::new(), span, stands: Stands::Within }
    }
}

/// Reads a text in the notation that it seems to be written in.
///
/// ```
/// use linnaeus::{source::Source, syntax::parse};
/// let (algorithm, diagnostics) = parse(&Source::new("x[k+1] = x[k] - t*grad f(x[k])"));
/// assert_eq!(algorithm.statements.len(), 1);
/// assert!(diagnostics.is_empty());
/// ```
pub fn parse(source: &Source) -> (Algorithm, Vec<Diagnostic>) {
    parse_as(source, Notation::detect(source.text()))
}

/// Reads a text in a notation. What could be read is in the tree; what could not is in the list.
pub fn parse_as(source: &Source, notation: Notation) -> (Algorithm, Vec<Diagnostic>) {
    let given = source;
    let source = &Source::new(&super::notation::without_quotes(given.text()));
    let mut diagnostics = Vec::new();
    let mut algorithm = Algorithm { notation, ..Algorithm::default() };
    let length = source.text().len();
    if length > MAX_BYTES {
        let message = format!("the text has {length} bytes; at most {MAX_BYTES} are read");
        diagnostics.push(too_much(Span::new(0, 0), message, &format!("{MAX_BYTES} bytes")));
        return (algorithm, diagnostics);
    }
    if let Some(language) = notation.language() {
        let algorithm = code::read(source, language, notation, &mut diagnostics);
        return finished(algorithm, given, source, diagnostics);
    }
    let mut drafts = match notation {
        Notation::Latex | Notation::Unicode => {
            let pasted = latex::read(source, notation, &mut diagnostics);
            algorithm.ignored = set_aside(pasted.aside, source, &mut diagnostics);
            algorithm.guesses = pasted.guesses;
            pasted.drafts
        }
        _ => {
            let tokens = tokenize(source.text(), &mut diagnostics);
            let lines = logical_lines(&tokens, &mut algorithm);
            let mut drafts: Vec<Draft> = headed(lines, &mut diagnostics)
                .into_iter()
                .map(|line| Draft::new(unnumbered(line, &mut algorithm)))
                .collect();
            outside::mark(&mut drafts);
            drafts
        }
    };
    if drafts.len() > MAX_STATEMENTS {
        let message = format!("there are {} statements; at most {MAX_STATEMENTS} are read", drafts.len());
        diagnostics.push(too_much(drafts[MAX_STATEMENTS].span, message, &format!("{MAX_STATEMENTS} statements")));
        drafts[MAX_STATEMENTS..].iter_mut().for_each(|d| d.tokens.clear());
    }
    let lines: Vec<&[Token]> = drafts.iter().map(|d| d.tokens.as_slice()).filter(|t| !t.is_empty()).collect();
    let mut vocabulary = Vocabulary::new(&lines, notation);
    let known = |name: &str| vocabulary.is_declared(name) || vocabulary.is_iterate(name);
    let asked = custom::asked(&lines, &known);
    let taken = if notation == Notation::Plain { Vec::new() } else { custom::oracles(&lines, &known) };
    vocabulary.oracles.extend(taken.iter().map(|g| g.name.clone()).chain(asked));
    algorithm.guesses.extend(taken);
    for draft in &drafts {
        let readable =
            !draft.tokens.is_empty() && diagnostics.len() < MAX_ERRORS && balanced(&draft.tokens, &mut diagnostics);
        let role = if readable {
            read_line(draft, source, &vocabulary, &mut algorithm, &mut diagnostics)
        } else {
            Some(Role::Update)
        };
        algorithm.lines.extend(role.map(|role| Line { span: draft.span, role }));
    }
    if notation != Notation::Plain {
        custom::declare(&mut algorithm);
    }
    outside::leave_out(&mut algorithm, &drafts);
    define::expand(&mut algorithm, &mut diagnostics);
    inverse::turn(&mut algorithm, &mut diagnostics);
    sequence::complete(&mut algorithm, &mut diagnostics);
    finished(algorithm, given, source, diagnostics)
}

/// The tree with all its lines, checked as a whole. What was given has as many bytes as what was read.
fn finished(
    mut algorithm: Algorithm,
    given: &Source,
    source: &Source,
    mut diagnostics: Vec<Diagnostic>,
) -> (Algorithm, Vec<Diagnostic>) {
    finish_lines(&mut algorithm, given, source);
    declaration::check(&algorithm.declarations, &mut diagnostics);
    diagnostics.extend(too_large(&algorithm));
    if algorithm.statements.is_empty() && !has_error(&diagnostics) {
        diagnostics.push(
            Diagnostic::error(Code::EmptyInput, Span::new(0, 0), "there is no equation to read")
                .help("type an update such as `x[k+1] = x[k] - t*grad f(x[k])`"),
        );
    }
    (algorithm, diagnostics)
}

/// The lines of a page that are not read; neighbours of one kind are one.
fn set_aside(
    mut aside: Vec<(Span, Role, &'static str)>,
    source: &Source,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Ignored> {
    aside.sort_by_key(|(span, ..)| (span.start, span.end));
    let mut found: Vec<Ignored> = Vec::new();
    for (span, role, reason) in aside {
        match found.last_mut() {
            Some(last)
                if last.reason == reason && reason == "layout" && is_blank(source, last.span.end, span.start) =>
            {
                last.span = last.span.to(span);
            }
            _ => found.push(Ignored { span, role, reason }),
        }
    }
    if found.len() > MAX_ASIDE {
        let message = format!("there are more than {MAX_ASIDE} lines that are no equations");
        diagnostics.push(too_much(found[MAX_ASIDE].span, message, &format!("{MAX_ASIDE} such lines")));
        // The rest is told of as one.
        let rest = found.drain(MAX_ASIDE..).reduce(|a, b| Ignored { span: a.span.to(b.span), ..a });
        found.extend(rest);
    }
    found
}

/// Whether nothing stands between two places, not even the end of a line.
fn is_blank(source: &Source, from: usize, to: usize) -> bool {
    from >= to || source.slice(Span::new(from, to)).chars().all(|c| c != '\n' && c.is_whitespace())
}

/// All lines in the order of the text; lines of punctuation alone, and quotes around nothing, are layout.
fn finish_lines(algorithm: &mut Algorithm, given: &Source, source: &Source) {
    let ignored = algorithm.ignored.iter().map(|i| Line { span: i.span, role: i.role });
    algorithm.lines.extend(ignored);
    let mut start = 0;
    let mut bare = Vec::new();
    for line in given.text().split_inclusive('\n') {
        let body = line.trim();
        let read = source.slice(Span::new(start, start + line.len()));
        // In the plain notation every character is a token or a mistake that was reported.
        let is_bare = algorithm.notation == Notation::Plain || !latex::has_letters(read);
        if !body.is_empty() && is_bare {
            let from = start + (line.len() - line.trim_start().len());
            bare.push(Span::new(from, from + body.len()));
        }
        start += line.len();
    }
    bare.retain(|b| algorithm.lines.iter().all(|l| l.span.end <= b.start || b.end <= l.span.start));
    algorithm.lines.extend(bare.into_iter().map(|span| Line { span, role: Role::Skipped }));
    algorithm.lines.sort_by_key(|l| (l.span.start, l.span.end));
}

pub(super) fn too_much(span: Span, message: String, bound: &str) -> Diagnostic {
    Diagnostic::error(Code::LimitLines, span, message).help(format!("give one algorithm at a time, at most {bound}"))
}

/// Where the statements say more than is read.
fn too_large(algorithm: &Algorithm) -> Option<Diagnostic> {
    let mut names = SortedSet::new();
    let mut size = 0;
    for statement in &algorithm.statements {
        statement.walk(&mut |e| match &e.node {
            Node::Name(name) | Node::Indexed(name, _) | Node::Apply(name, ..) => {
                size += 1;
                names.insert(name.clone());
            }
            _ => size += 1,
        });
        let message = "up to here the text is as long as is read";
        if size > MAX_TEXT {
            return Some(too_much(statement.span, message.to_string(), &format!("{MAX_TEXT} names and numbers")));
        }
        if names.len() > MAX_NAMES {
            return Some(too_much(statement.span, message.to_string(), &format!("{MAX_NAMES} different names")));
        }
    }
    None
}

/// Reads a line into the tree and says what it is for, unless that is told with what is ignored.
fn read_line(
    draft: &Draft,
    source: &Source,
    vocabulary: &Vocabulary,
    algorithm: &mut Algorithm,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Role> {
    let (line, span) = (draft.tokens.as_slice(), draft.span);
    if let Some((role, reason)) = statement::skipped(line).filter(|_| vocabulary.notation == Notation::Plain) {
        algorithm.ignored.push(Ignored { span, role, reason });
        return None;
    }
    if declaration::is_declaration(line) {
        match declaration::read(line, span) {
            Ok(found) => algorithm.declarations.push(found),
            Err(problem) => diagnostics.push(problem),
        }
        return Some(Role::Declaration);
    }
    if let Some(found) = define::definition(line, span, source, vocabulary) {
        match found {
            Ok(function) => algorithm.functions.push(function),
            Err(_) => {
                let reason = "a function that is not read";
                algorithm.ignored.push(Ignored { span, role: Role::Skipped, reason });
                return None;
            }
        }
        return Some(Role::Definition);
    }
    match statement::read(line, span, source, vocabulary, diagnostics) {
        Ok(statement::Read::Statements(found, claims)) => {
            algorithm.claims.extend(claims);
            let bare = found.iter().all(|s| matches!(s.target.node, Node::Name(_)));
            algorithm.statements.extend(found);
            Some(if bare { Role::Definition } else { Role::Update })
        }
        Ok(statement::Read::Ignored(reason)) => {
            algorithm.ignored.push(Ignored { span, role: Role::Initialization, reason });
            None
        }
        Err(problem) => {
            diagnostics.push(problem);
            Some(Role::Update)
        }
    }
}

/// Groups tokens into statements: a statement ends with its line or at `;`, unless a parenthesis is
/// open or an operator hangs over and the next line has no sign of its own.
pub(super) fn logical_lines(tokens: &[Token], algorithm: &mut Algorithm) -> Vec<Vec<Token>> {
    let mut lines = Vec::new();
    let mut line: Vec<Token> = Vec::new();
    let mut depth = 0i64;
    for (i, token) in tokens.iter().enumerate() {
        match &token.kind {
            TokenKind::Comment => {
                if line.is_empty() {
                    algorithm.ignored.push(Ignored { span: token.span, role: Role::Comment, reason: "comment" });
                }
                continue;
            }
            TokenKind::Newline => {
                let next = next_line(&tokens[i + 1..]);
                let hangs = depth > 0 || line.last().is_some_and(is_operator) || next.first().is_some_and(is_operator);
                if line.is_empty() || (hangs && !next.is_empty() && !next.iter().any(is_sign)) {
                    continue;
                }
            }
            TokenKind::Semicolon if depth <= 0 => {}
            kind => {
                match kind {
                    TokenKind::Symbol('(' | '[' | '{') => depth += 1,
                    TokenKind::Symbol(')' | ']' | '}') => depth -= 1,
                    _ => {}
                }
                line.push(token.clone());
                continue;
            }
        }
        depth = 0;
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The same with what stands behind the head of a loop, as in `while …: x = …`, as a line of its own. A loop with such
/// a body that a test ends is the iteration itself if it is alone, and one within it otherwise.
fn headed(lines: Vec<Vec<Token>>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Vec<Token>> {
    let equations = lines.iter().filter(|l| l.iter().any(is_sign) && !declaration::is_declaration(l)).count();
    let mut found = Vec::new();
    for mut line in lines {
        let Some(colon) = body_of_loop(&line) else {
            found.push(line);
            continue;
        };
        let body = line.split_off(colon + 1);
        let is_tested = matches!(&line[0].kind, TokenKind::Name(word) if word.eq_ignore_ascii_case("while"));
        if is_tested && equations > 1 {
            let head = line[0].span.to(line[colon].span);
            let message = "a loop within the iteration changes what is iterated";
            let help = "write one pass of it out, or give the loop alone, its head on a line of its own";
            diagnostics.push(Diagnostic::error(Code::Branch, head, message).help(help));
        }
        found.extend([line, body]);
    }
    found
}

/// Where the head of a loop ends behind which an equation stands on the same line.
fn body_of_loop(line: &[Token]) -> Option<usize> {
    let (role, _) = statement::skipped(line)?;
    let colon = line.iter().rposition(|t| t.kind == TokenKind::Symbol(':'))?;
    (role == Role::Loop && line[colon + 1..].iter().any(is_sign)).then_some(colon)
}

/// A line without the number of its equation: `(a)` before it, `   (2.3)` behind it.
fn unnumbered(mut line: Vec<Token>, algorithm: &mut Algorithm) -> Vec<Token> {
    let is = |t: &Token, c: char| t.kind == TokenKind::Symbol(c);
    let letter = |t: &Token| matches!(&t.kind, TokenKind::Name(n) if n.chars().count() == 1);
    let number = |t: &Token| matches!(t.kind, TokenKind::Number(_));
    let mut numbers = Vec::new();
    if let [open, label, close, next, ..] = line.as_slice()
        && is(open, '(')
        && (letter(label) || number(label))
        && is(close, ')')
        && next.span.start > close.span.end
        && matches!(next.kind, TokenKind::Name(_))
        && line.iter().any(is_sign)
    {
        numbers.push(open.span.to(close.span));
        line.drain(..3);
    }
    let label = match line.as_slice() {
        [.., before, open, label, close] if is(open, '(') && number(label) && is(close, ')') => Some((3, before, open)),
        [.., before, open, label, more, close]
            if is(open, '(') && number(label) && letter(more) && is(close, ')') && !more.spaced =>
        {
            Some((4, before, open))
        }
        _ => None,
    };
    if let Some((length, ..)) = label.filter(|(_, before, open)| open.span.start >= before.span.end + 2) {
        let from = line.len() - length;
        numbers.push(line[from].span.to(line[line.len() - 1].span));
        line.truncate(from);
    }
    for span in numbers {
        algorithm.ignored.push(Ignored { span, role: Role::Skipped, reason: "number" });
    }
    line
}

fn next_line(tokens: &[Token]) -> &[Token] {
    let end =
        tokens.iter().position(|t| matches!(t.kind, TokenKind::Newline | TokenKind::Comment)).unwrap_or(tokens.len());
    &tokens[..end]
}

fn is_operator(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Symbol('+' | '-' | '*' | '/' | '=') | TokenKind::Assign)
}

fn is_sign(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Symbol('=') | TokenKind::Assign)
}

/// Whether every parenthesis has its partner; reports the first that has not.
pub(super) fn balanced(line: &[Token], diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut open: Vec<&Token> = Vec::new();
    let problem = |span: Span, message: String, help: String| {
        Diagnostic::error(Code::UnbalancedParenthesis, span, message).help(help)
    };
    for token in line {
        let TokenKind::Symbol(c) = token.kind else {
            continue;
        };
        match c {
            '(' | '[' | '{' => open.push(token),
            ')' | ']' | '}' => match open.pop() {
                None => {
                    diagnostics.push(problem(
                        token.span,
                        format!("this `{c}` closes nothing"),
                        format!("remove `{c}` or open it before"),
                    ));
                    return false;
                }
                Some(opener) if partner(opener) != c => {
                    let want = partner(opener);
                    diagnostics.push(
                        problem(opener.span, format!("this is closed by `{c}`"), format!("close it with `{want}`"))
                            .label(token.span, "closed here"),
                    );
                    return false;
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    if let Some(opener) = open.last() {
        let want = partner(opener);
        diagnostics.push(problem(
            opener.span,
            format!("this is never closed by `{want}`"),
            format!("add the missing `{want}`"),
        ));
        return false;
    }
    true
}

fn partner(open: &Token) -> char {
    match open.kind {
        TokenKind::Symbol('(') => ')',
        TokenKind::Symbol('[') => ']',
        _ => '}',
    }
}

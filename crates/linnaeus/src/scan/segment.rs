//! The parts of a paper → the places where algorithms may stand.

use super::expand::Expanded;
use super::outline::{Block, Outline, command, contains, group};
use super::programs::is_program;
use crate::source::Span;

/// More displays and listings than this are not read.
pub const MAX_SITES: usize = 4_000;

/// A place where an algorithm may stand.
#[derive(Clone, Debug)]
pub struct Site {
    /// The name of its environment.
    pub environment: String,
    /// All of it.
    pub span: Span,
    /// How it stands in the paper.
    pub form: Form,
    /// What it is called, first its own label.
    pub labels: Vec<String>,
    /// Its caption as it stands.
    pub caption: Option<Span>,
}

/// How an algorithm may stand in a paper.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// In an environment for algorithms: its lines are run from top to bottom.
    Listing,
    /// In a displayed formula.
    Display,
    /// In formulas of the running text.
    Inline,
    /// As a program.
    Program,
}

/// All places where algorithms may stand, in the order of the paper.
pub fn sites(paper: &Expanded, outline: &Outline) -> Vec<Site> {
    let is_algorithm = |b: &Block| {
        let name = b.name.trim_end_matches('*').to_lowercase();
        paper.algorithms.contains(&b.name)
            || name.contains("algorithm")
            || name.starts_with("algpseudocode")
            || matches!(name.as_str(), "algo" | "algor" | "pseudocode" | "procedure")
    };
    let mut found: Vec<(usize, Form)> = Vec::new();
    for (i, block) in outline.blocks.iter().enumerate() {
        let in_algorithm = outline.is_inside(i, is_algorithm);
        if is_algorithm(block) && !in_algorithm {
            let inner = |j: &usize| outline.blocks[*j].span.start < block.span.end;
            let algorithms: Vec<usize> =
                (i + 1..outline.blocks.len()).take_while(inner).filter(|&j| is_algorithm(&outline.blocks[j])).collect();
            // Of several listings in one float each is one.
            let leaf = |j: &usize| {
                !algorithms.iter().any(|k| k != j && contains(outline.blocks[*j].span, outline.blocks[*k].span))
            };
            let leaves: Vec<usize> = algorithms.iter().copied().filter(leaf).collect();
            let listed = if leaves.len() > 1 { leaves } else { vec![i] };
            found.extend(listed.into_iter().map(|j| (j, Form::Listing)));
        } else if block.is_display() && !in_algorithm && !outline.is_inside(i, |b| b.is_display() || b.is_picture()) {
            found.push((i, Form::Display));
        } else if is_program(&block.name) && !in_algorithm {
            found.push((i, Form::Program));
        }
    }
    found.truncate(MAX_SITES);
    let spans: Vec<Span> = found.iter().map(|(i, _)| outline.blocks[*i].span).collect();
    let site = |&(i, form): &(usize, Form)| {
        let block = &outline.blocks[i];
        let around = described(outline, i, &spans);
        let named = |span: Span| {
            let in_formula = outline.innermost(span).is_some_and(|b| outline.blocks[b].is_display());
            (form == Form::Listing && in_formula, span.start)
        };
        let inside = outline.labels.iter().filter(|(_, s)| contains(around, *s));
        let mut labels: Vec<(String, Span)> = inside.cloned().collect();
        labels.sort_by_key(|(_, span)| named(*span));
        Site {
            environment: block.name.clone(),
            span: block.span,
            form,
            labels: labels.into_iter().map(|(name, _)| name).collect(),
            caption: outline.captions.iter().copied().find(|c| contains(around, *c)),
        }
    };
    let blocks: Vec<Site> = found.iter().map(site).collect();
    let closed = |b: &Block| is_algorithm(b) || b.is_display() || b.is_picture() || is_program(&b.name);
    let outside = |f: &Span| {
        let around = outline.innermost(*f);
        around.is_none_or(|b| !closed(&outline.blocks[b]) && !outline.is_inside(b, closed))
            && !outline.captions.iter().any(|c| contains(*c, *f))
    };
    let running: Vec<Span> = outline.formulas.iter().copied().filter(outside).collect();
    let mut all = in_text(paper, &running);
    all.truncate(MAX_SITES - blocks.len().min(MAX_SITES));
    all.extend(blocks);
    all.sort_by_key(|s| s.span.start);
    all
}

/// Formulas of the running text that may update something; those of one paragraph are one site.
fn in_text(paper: &Expanded, formulas: &[Span]) -> Vec<Site> {
    let mut found: Vec<Site> = Vec::new();
    for span in formulas.iter().filter(|f| may_update(paper.text.slice(**f))) {
        let apart = |last: &Site| paper.text.slice(Span::new(last.span.end, span.start)).contains("\n\n");
        match found.last_mut().filter(|last| !apart(last)) {
            Some(last) => last.span.end = span.end,
            None => {
                let (labels, caption) = (Vec::new(), None);
                found.push(Site { environment: "$".into(), span: *span, form: Form::Inline, labels, caption });
            }
        }
    }
    found
}

/// Whether a formula gives a value to something at another time, or assigns.
pub fn may_update(formula: &str) -> bool {
    let text: String = formula.chars().filter(|c| !c.is_whitespace()).collect();
    let says = ["=", "\\gets", "\\leftarrow", "\\in\\", "\\coloneqq"].iter().any(|s| text.contains(s));
    let moves = ["+1", "-1", "^+", "^{+}", "_+", "_{+}", "\\gets", "\\leftarrow", "\\frac{1}{2}", "1/2"];
    says && moves.iter().any(|m| text.contains(m))
}

/// The largest block around a listing that holds no other, up to the one that has a caption.
fn described(outline: &Outline, block: usize, listings: &[Span]) -> Span {
    let mut at = block;
    let captioned = |span: Span| outline.captions.iter().any(|c| contains(span, *c));
    while let Some(parent) = outline.blocks[at].parent {
        let around = &outline.blocks[parent];
        let alone = listings.iter().filter(|l| contains(around.span, **l)).count() == 1;
        let float = ["figure", "table", "algorithm", "float", "wrapfigure", "minipage", "subfigure"];
        let named = float.iter().any(|f| around.name.starts_with(f));
        if captioned(outline.blocks[at].span) || !alone || !named {
            break;
        }
        at = parent;
    }
    let around = outline.blocks[at].span;
    if captioned(around) { around } else { outline.blocks[block].span }
}

/// A caption or a title as words: commands are left out, what they act on stays.
pub fn words(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let (name, length) = command(rest);
                rest = &rest[length - 1..];
                if name.is_empty() {
                    out.push(' ');
                } else if name == "label" {
                    rest = group(rest).map_or(rest, |(_, length)| &rest[length..]);
                } else if let Some(letter) = crate::syntax::names::greek_letter(name) {
                    out.push(letter);
                }
            }
            '{' | '}' | '$' => {}
            '~' => out.push(' '),
            '-' if rest.starts_with("--") => {
                rest = &rest[2..];
                out.push('—');
            }
            '-' if rest.starts_with('-') => {
                rest = &rest[1..];
                out.push('–');
            }
            c => out.push(c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

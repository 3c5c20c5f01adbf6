//! Tests that can be decided, as in a program: of a parameter, of a flag, of the first iteration.

use super::Equation;
use super::atoms::{Atom, Nucleus};
use super::blocks::{Blocks, Fate};
use super::time::Clock;
use crate::source::Source;
use crate::syntax::ast::Guess;
use crate::syntax::code::choice::{Answer, Facts};
use crate::syntax::names::greek_letter;

/// Words that name a choice which is made before the iteration begins.
const FLAGS: &[&str] = &[
    "nesterov",
    "momentum",
    "acceleration",
    "accelerate",
    "accelerated",
    "maximize",
    "amsgrad",
    "centered",
    "extrapolate",
    "extrapolation",
    "relaxation",
    "inertia",
];

/// Decides the tests of a page whose arms hold lines.
pub fn decide(blocks: &mut Blocks, lines: &[Equation], clock: &Clock, source: &Source, guesses: &mut Vec<Guess>) {
    let mut facts = Facts::counting(clock.letter.clone());
    for line in lines {
        let value = match &line.atoms[..] {
            [_, sign, Atom { nucleus: Nucleus::Number(n), .. }] if sign.nucleus == Nucleus::Equals => n.parse().ok(),
            _ => None,
        };
        facts.computes(super::target(&line.atoms), value);
    }
    for arms in blocks.tests(|arm| lines.iter().any(|l| blocks.is_within(l.block, arm))) {
        let Some((read, once, own)) = chosen(&arms, &facts, blocks, source) else { continue };
        for (i, arm) in arms.iter().enumerate() {
            let fate = match (Some(i) == read, once) {
                (true, _) => Fate::Read,
                (false, true) => Fate::Once,
                (false, false) => Fate::Left,
            };
            blocks.settle(*arm, fate);
        }
        guesses.extend(own);
    }
}

/// The arm that is read, none if nothing is done, and whether the first iteration takes another.
fn chosen(
    arms: &[usize],
    facts: &Facts,
    blocks: &Blocks,
    source: &Source,
) -> Option<(Option<usize>, bool, Vec<Guess>)> {
    let (mut once, mut guesses) = (false, Vec::new());
    for (i, arm) in arms.iter().enumerate() {
        let (span, last) = blocks.condition(*arm);
        if last {
            return Some((Some(i), once, guesses));
        }
        let answer = asked(source.slice(span), facts, source.position(span.start).line)?;
        once |= answer.once;
        let marked = source.text().contains('$') || source.text().contains("\\begin{");
        guesses.extend(answer.guesses.into_iter().map(|g| in_tex(g, marked)));
        if answer.holds {
            return Some((Some(i), once, guesses));
        }
    }
    Some((None, once, guesses))
}

fn asked(condition: &str, facts: &Facts, line: usize) -> Option<Answer> {
    let text = plain(condition)?;
    let is_flag = |name: &str| FLAGS.contains(&name.to_lowercase().trim_start_matches("use_"));
    facts.asked(&text, line, is_flag)
}

/// What to write otherwise: a value of the parameter, or the lines of the other branch.
fn in_tex(guess: Guess, marked: bool) -> Guess {
    let line = match guess.declaration.split_once(" = ") {
        Some((name, "0")) if greek_letter(name).is_some() => Some(format!("\\{name} = 0")),
        Some((name, "0")) if name.chars().count() == 1 => Some(format!("{name} = 0")),
        _ => None,
    };
    let declaration = match line {
        Some(line) if marked => format!("${line}$"),
        Some(line) => line,
        None => "write the branch that is run, without the test".to_string(),
    };
    Guess { declaration, ..guess }
}

/// A condition as a program has it.
fn plain(condition: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = condition;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let name: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
                let symbol = rest.chars().next().filter(|_| name.is_empty());
                rest = &rest[symbol.map_or(name.len(), char::len_utf8)..];
                text.push_str(&word(&name, symbol)?);
            }
            '$' | '{' | '}' | '~' => text.push(' '),
            '≠' => text.push_str(" != "),
            '≥' => text.push_str(" >= "),
            '≤' => text.push_str(" <= "),
            '=' if !text.trim_end().ends_with(['=', '!', '<', '>']) => text.push_str(" == "),
            '^' | '|' | '‖' => return None,
            c => text.push(c),
        }
    }
    let mut words: Vec<&str> = text.split_whitespace().collect();
    while words
        .first()
        .is_some_and(|w| matches!(w.to_lowercase().as_str(), "if" | "else" | "elseif" | "elsif" | "elif"))
    {
        words.remove(0);
    }
    while words.last().is_some_and(|w| matches!(w.to_lowercase().as_str(), "then" | "do" | ":" | "then:" | "do:")) {
        words.pop();
    }
    let text = words.join(" ");
    Some(text.trim_end_matches([':', ',', '.']).to_string())
}

fn word(command: &str, symbol: Option<char>) -> Option<String> {
    let found = match command {
        "" => match symbol? {
            '_' => "_",
            ',' | ':' | ';' | '!' | ' ' | '(' | ')' => " ",
            _ => return None,
        },
        "neq" | "ne" => " != ",
        "geq" | "ge" | "geqslant" => " >= ",
        "leq" | "le" | "leqslant" => " <= ",
        "land" | "wedge" | "And" | "AND" => " and ",
        "lnot" | "neg" | "Not" | "NOT" => " not ",
        "text" | "textbf" | "textit" | "textrm" | "texttt" | "mathrm" | "mathbf" | "mbox" | "emph" | "bf" | "it"
        | "quad" | "qquad" | "left" | "right" | "textsf" | "operatorname" | "If" | "ElsIf" | "IF" | "ELSIF" => " ",
        name if greek_letter(name).is_some() => return Some(format!(" {name} ")),
        _ => return None,
    };
    Some(found.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_said_as_in_a_program() {
        let check = |tex: &str, said: &str| assert_eq!(plain(tex).as_deref(), Some(said), "{tex}");
        check("$\\mu \\neq 0$", "mu != 0");
        check("\\textbf{if} \\: t > 1", "t > 1");
        check("$k=0$ then", "k == 0");
        check("else if $k \\geq 1$:", "k >= 1");
        assert_eq!(plain("$\\|x\\| < 1$"), None);
    }
}

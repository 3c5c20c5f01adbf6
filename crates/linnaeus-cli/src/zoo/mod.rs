//! `linnaeus zoo …`.

mod check;

use crate::arguments::{CardArguments, ListArguments, RelationsArguments, ZooArguments, ZooCommand};
use crate::{complain, folder, input, palette, print};
use linnaeus::report::{self, Filter, Graph, Scope};
use linnaeus::zoo::Zoo;
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

/// No card passes the filter.
const NONE: u8 = 1;

/// Runs one of the commands on the zoo, with the cards of a folder beside those of Linnaeus.
pub fn run(arguments: &ZooArguments, dir: Option<&Path>) -> ExitCode {
    if let ZooCommand::Check(arguments) = &arguments.command {
        return check::run(arguments, dir);
    }
    let answer = folder::zoo(dir).and_then(|zoo| match &arguments.command {
        ZooCommand::List(arguments) => list(&zoo, arguments),
        ZooCommand::Show(arguments) => show(&zoo, arguments),
        ZooCommand::Relations(arguments) => Ok((relations(&zoo, arguments), 0)),
        ZooCommand::Check(_) => unreachable!("done above"),
    });
    match answer {
        Ok((text, code)) => {
            print(&text);
            ExitCode::from(code)
        }
        Err(message) => complain(&message),
    }
}

fn list(zoo: &Zoo, arguments: &ListArguments) -> Result<(String, u8), String> {
    let families: BTreeSet<&str> = zoo.animals().iter().map(|a| a.card.family.as_str()).collect();
    if let Some(family) = arguments.family.as_deref().filter(|f| !families.contains(f)) {
        let all: Vec<&str> = families.into_iter().collect();
        return Err(format!("there is no family `{family}`; the families are {}", all.join(", ")));
    }
    let kind = |word: &str| report::kind(word.trim()).ok_or_else(|| report::no_kind(word.trim()));
    let oracles = arguments.oracles.as_deref().map(|o| o.split(',').map(kind).collect::<Result<_, _>>());
    let filter =
        Filter { family: arguments.family.clone(), oracles: oracles.transpose()?, words: arguments.words.clone() };
    let found = report::list(zoo, &filter);
    let code = if found.cards.is_empty() { NONE } else { 0 };
    let text =
        if arguments.json { found.to_json() + "\n" } else { found.text(palette(std::io::stdout().is_terminal())) };
    Ok((text, code))
}

fn show(zoo: &Zoo, arguments: &CardArguments) -> Result<(String, u8), String> {
    let animal = input::find(zoo, arguments.id.strip_prefix("zoo:").unwrap_or(&arguments.id))?;
    let text = if arguments.json {
        report::card(zoo, animal).to_json() + "\n"
    } else if arguments.bibtex {
        format!("{}\n", animal.card.bibtex)
    } else {
        report::card_text(zoo, animal, palette(std::io::stdout().is_terminal()))
    };
    Ok((text, 0))
}

fn relations(zoo: &Zoo, arguments: &RelationsArguments) -> String {
    let scope = if arguments.plain { Scope::Plain } else { Scope::All };
    if arguments.json {
        report::graph(zoo, scope).to_json() + "\n"
    } else if arguments.dot {
        report::dot(&report::graph(zoo, scope))
    } else if arguments.svg {
        report::svg(&report::graph(zoo, scope))
    } else {
        Graph::text(zoo, scope)
    }
}

//! `linnaeus scan PAPER.tex …`.

use crate::arguments::ScanArguments;
use crate::{LIMIT, complain, folder, input, palette, print, processors};
use linnaeus::report::{Findings, Names, Typesetter, names, scan, scan_html, scan_text};
use linnaeus::scan::{Listing, Listings, Pair, Paper, pairs};
use linnaeus::transfer::Analysis;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Something is wrong with an algorithm.
const PROBLEM: u8 = 1;
/// A file cannot be read.
const UNREADABLE: u8 = 2;

/// Formulas in the page are typeset by this copy of KaTeX.
const KATEX: Typesetter =
    Typesetter { css: include_str!("../vendor/katex/katex.css"), js: include_str!("../vendor/katex/katex.js") };

/// Reads the papers, looks through the zoo, compares, prints.
pub fn run(arguments: &ScanArguments, folder: Option<&Path>) -> ExitCode {
    let zoo = match folder::zoo(folder) {
        Ok(zoo) => zoo,
        Err(message) => return complain(&message),
    };
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut unread: Option<u8> = None;
    for file in &arguments.files {
        let long = |t: &String| t.len() as u64 >= input::MAX_BYTES;
        let (message, code) = match input::read_paper(file) {
            Ok(text) if !long(&text) => {
                texts.push((file.clone(), text));
                continue;
            }
            Ok(_) => (format!("`{file}` has more than {} bytes", input::MAX_BYTES), LIMIT),
            Err(message) => (message, UNREADABLE),
        };
        let _ = writeln!(std::io::stderr(), "error: {message}");
        unread = Some(unread.map_or(code, |u| u.min(code)));
    }
    if let (true, Some(code)) = (texts.is_empty(), unread) {
        return ExitCode::from(code);
    }
    let papers: Vec<(Paper, Listings)> = processors::map("reading", &texts, |(path, text)| {
        let paper = Paper::new(short(path, &arguments.files), text, &mut |wanted| included(path, wanted));
        let listings = paper.listings();
        (paper, listings)
    });
    let all: Vec<&Listing> = papers.iter().flat_map(|(_, l)| &l.list).collect();
    let known: Vec<Names> = processors::map("identifying", &all, |l| names(&zoo, l));
    let analyses: Vec<Option<&Analysis>> = all.iter().map(|l| l.reading.analysis.as_ref()).collect();
    let found = processors::map("comparing", &pairs::candidates(&analyses), |&(i, j)| {
        pairs::pair((i, analyses[i]?), (j, analyses[j]?))
    });
    let related: Vec<Pair> = found.into_iter().flatten().collect();
    let findings = Findings { papers: &papers, names: &known, pairs: &related };
    let report = scan(findings);
    let shown = if arguments.json {
        report.to_json() + "\n"
    } else if arguments.html {
        scan_html(findings, KATEX)
    } else {
        scan_text(findings, palette(arguments.output.is_none() && std::io::stdout().is_terminal()))
    };
    match &arguments.output {
        Some(path) => {
            if let Err(e) = std::fs::write(path, shown) {
                return complain(&format!("cannot write `{}`: {e}", path.display()));
            }
        }
        None => print(&shown),
    }
    let limited = report.is_limited() || known.iter().any(|n| n.is_undecided && n.list.is_empty());
    ExitCode::from(match (unread, report.has_problem(), limited) {
        (Some(UNREADABLE), ..) => UNREADABLE,
        (_, true, _) => PROBLEM,
        (Some(_), ..) | (_, _, true) => LIMIT,
        (None, false, false) => 0,
    })
}

/// The name of a file without its folder, where no other has it.
fn short<'a>(path: &'a str, all: &[String]) -> &'a str {
    let name = |path: &'a str| Path::new(path).file_name().and_then(|n| n.to_str()).unwrap_or(path);
    let own = name(path);
    let others = all.iter().filter(|p| Path::new(p.as_str()).file_name() == Path::new(path).file_name()).count();
    if others > 1 { path } else { own }
}

/// The text of a file that a paper includes: only what lies in the paper's folder, or below it, is read.
fn included(paper: &str, wanted: &str) -> Option<String> {
    let folder = match Path::new(paper).parent() {
        Some(p) if p.as_os_str().is_empty() => PathBuf::from("."),
        Some(p) => p.to_path_buf(),
        None => return None,
    };
    let folder = folder.canonicalize().ok().filter(|_| paper != "-")?;
    let file = folder.join(wanted).canonicalize().ok()?;
    let allowed = file.starts_with(&folder) && file.is_file();
    allowed.then(|| input::read_paper(file.to_str()?).ok()).flatten()
}

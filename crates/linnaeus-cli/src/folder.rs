//! Cards of the zoo from a folder, `DIR/FAMILY/slug.md`, beside those that are part of Linnaeus.

use crate::{input, palette};
use linnaeus::diagnostic::{Code, Diagnostic};
use linnaeus::source::{Source, Span};
use linnaeus::zoo::graph::Record;
use linnaeus::zoo::{Animal, Refused, Zoo};
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// How the cards of a folder are related.
pub const RELATIONS: &str = "relations.txt";

/// Cards are looked for in the folders of a family so many levels down, to say that they are in the wrong place.
const DEEP: usize = 8;

/// All cards, and what was wrong with some.
pub struct Loaded {
    /// The cards that can be used.
    pub zoo: Zoo,
    /// Identifiers of those from the folder.
    pub own: BTreeSet<String>,
    /// What cannot be used, with its path.
    pub refused: Vec<(PathBuf, Source, Vec<Diagnostic>)>,
    /// Whether the folder says how its cards are related.
    pub has_record: bool,
    folder: Option<PathBuf>,
}

impl Loaded {
    /// Where a card stands.
    pub fn path(&self, animal: &Animal) -> PathBuf {
        let folder = self.folder.as_deref().filter(|_| self.own.contains(&animal.card.id));
        place(folder.unwrap_or(Path::new("zoo")), &animal.card.family, &animal.card.slug)
    }
}

fn place(folder: &Path, family: &str, slug: &str) -> PathBuf {
    folder.join(family).join(format!("{slug}.md"))
}

/// The zoo with the cards of a folder; cards that cannot be used are left out, with a warning.
pub fn zoo(folder: Option<&Path>) -> Result<Zoo, String> {
    let loaded = load(folder)?;
    let mut errors = std::io::stderr();
    for (path, source, diagnostics) in &loaded.refused {
        let _ = write!(errors, "{}", problems(path, source, diagnostics));
    }
    Ok(loaded.zoo)
}

/// The zoo with the cards of a folder.
pub fn load(folder: Option<&Path>) -> Result<Loaded, String> {
    let mut loaded = Loaded {
        zoo: Zoo::embedded(),
        own: BTreeSet::new(),
        refused: Vec::new(),
        has_record: false,
        folder: folder.map(Path::to_path_buf),
    };
    let Some(folder) = folder else { return Ok(loaded) };
    let mut own = Zoo::default();
    let mut refused: Vec<Refused> = Vec::new();
    let (families, files): (Vec<PathBuf>, Vec<PathBuf>) = entries(folder)?.into_iter().partition(|p| p.is_dir());
    let mut strays: Vec<PathBuf> = files.into_iter().filter(|p| is_card(p)).collect();
    for family in &families {
        for below in entries(family)? {
            strays.extend(cards_below(&below, DEEP)?);
        }
    }
    for stray in strays {
        let message = "a card stands in the folder of its family";
        let problem = Diagnostic::error(Code::Card, Span::new(0, 0), message);
        let problem = problem.help(format!("move it into a folder, as in `FAMILY/{}.md`", stem(&stray)));
        let text = input::read_file(&stray.to_string_lossy())?;
        loaded.refused.push((stray, Source::new(&text), vec![problem]));
    }
    for family in families {
        for card in entries(&family)?.into_iter().filter(|p| is_card(p)) {
            let text = input::read_file(&card.to_string_lossy())?.replace("\r\n", "\n");
            refused.extend(own.add(&stem(&family), &stem(&card), &text).err());
        }
    }
    let mut record = Record::default();
    let path = folder.join(RELATIONS);
    if path.is_file() {
        loaded.has_record = true;
        let text = input::read_file(&path.to_string_lossy())?;
        match Record::parse(&text) {
            Ok(found) => record = found,
            Err(diagnostics) => loaded.refused.push((path, Source::new(&text), diagnostics)),
        }
    }
    loaded.own = own.animals().iter().map(|a| a.card.id.clone()).collect();
    refused.extend(loaded.zoo.merge(own, record));
    loaded.refused.extend(refused.into_iter().map(|r| (place(folder, &r.family, &r.slug), r.source, r.diagnostics)));
    Ok(loaded)
}

/// What is wrong with a file.
pub fn problems(path: &Path, source: &Source, diagnostics: &[Diagnostic]) -> String {
    let colors = palette(std::io::stdout().is_terminal());
    let one = |d: &Diagnostic| format!("in {}:\n{}\n", path.display(), colors.severity(&d.render(source)));
    diagnostics.iter().map(one).collect()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let list = std::fs::read_dir(folder).map_err(|e| format!("cannot read `{}`: {e}", folder.display()))?;
    let mut found: Vec<PathBuf> = list.flatten().map(|e| e.path()).collect();
    found.sort();
    Ok(found)
}

/// The cards in a folder and the folders in it, so many levels down.
fn cards_below(folder: &Path, levels: usize) -> Result<Vec<PathBuf>, String> {
    let is_hidden = folder.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
    if levels == 0 || is_hidden || !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_file() && is_card(&path) {
            found.push(path);
        } else {
            found.extend(cards_below(&path, levels - 1)?);
        }
    }
    Ok(found)
}

/// Whether a file is a card; what is said of a folder in general is not.
fn is_card(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "md") && path.file_stem().is_some_and(|s| !s.eq_ignore_ascii_case("readme"))
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

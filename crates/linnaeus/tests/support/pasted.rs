//! The corpus of pasted texts.

const GOOD: [(&str, &str); 12] = [
    ("index", include_str!("../corpus/pasted/index.txt")),
    ("signs", include_str!("../corpus/pasted/signs.txt")),
    ("oracles", include_str!("../corpus/pasted/oracles.txt")),
    ("names", include_str!("../corpus/pasted/names.txt")),
    ("layout", include_str!("../corpus/pasted/layout.txt")),
    ("argmin", include_str!("../corpus/pasted/argmin.txt")),
    ("unicode", include_str!("../corpus/pasted/unicode.txt")),
    ("damage", include_str!("../corpus/pasted/damage.txt")),
    ("subtle", include_str!("../corpus/pasted/subtle.txt")),
    ("python", include_str!("../corpus/pasted/python.txt")),
    ("julia", include_str!("../corpus/pasted/julia.txt")),
    ("matlab", include_str!("../corpus/pasted/matlab.txt")),
];
const BAD: [&str; 3] = [
    include_str!("../corpus/pasted/bad.txt"),
    include_str!("../corpus/pasted/code_bad.txt"),
    include_str!("../corpus/pasted/subtle_bad.txt"),
];

/// A text under its title, and what is recorded of it by key.
pub struct Entry {
    pub title: String,
    pub text: String,
    pub records: Vec<(String, String)>,
}

impl Entry {
    /// The first value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.records.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}

/// `=== title`, the text, then records: `--- key value` with more lines below it.
fn entries(file: &str) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    for line in file.lines() {
        if let Some(title) = line.strip_prefix("=== ") {
            found.push(Entry { title: title.to_string(), text: String::new(), records: Vec::new() });
            continue;
        }
        let Some(entry) = found.last_mut() else { continue };
        if let Some(record) = line.strip_prefix("--- ") {
            let (key, value) = record.split_once(' ').unwrap_or((record, ""));
            entry.records.push((key.to_string(), value.to_string()));
        } else if let Some((_, value)) = entry.records.last_mut() {
            if !value.is_empty() {
                value.push('\n');
            }
            value.push_str(line);
        } else {
            entry.text.push_str(line);
            entry.text.push('\n');
        }
    }
    found
}

/// Texts that cannot be read.
pub fn bad() -> Vec<Entry> {
    BAD.iter().flat_map(|file| entries(file)).collect()
}

/// Texts that can.
pub fn all() -> Vec<Entry> {
    GOOD.iter().flat_map(|(_, file)| entries(file)).collect()
}

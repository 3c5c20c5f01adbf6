//! BibTeX entries, as far as cards use them: a kind, a key and fields in braces.

/// An entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// `article`, `book`, ….
    pub kind: String,
    /// `LionsMercier1979`.
    pub key: String,
    /// Fields in the order of the text, names in small letters.
    pub fields: Vec<(String, String)>,
    /// The entry as it stands.
    pub text: String,
}

/// What is wrong, and in which line from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

const KINDS: &[&str] = &[
    "article",
    "book",
    "booklet",
    "inbook",
    "incollection",
    "inproceedings",
    "manual",
    "mastersthesis",
    "misc",
    "online",
    "phdthesis",
    "proceedings",
    "techreport",
    "unpublished",
];

impl Entry {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// `Lions, Mercier 1979`; of a later edition the year in which it was written.
    pub fn short(&self) -> String {
        let year = self.field("origyear").or(self.field("year")).unwrap_or("");
        let who = self.field("author").or(self.field("organization")).or(self.field("title")).unwrap_or(&self.key);
        let names: Vec<String> = who.split(" and ").map(surname).collect();
        let names = match names.as_slice() {
            [a, b, c] => format!("{a}, {b}, {c}"),
            [a, _, _, ..] => format!("{a} et al."),
            few => few.join(", "),
        };
        format!("{names} {year}").trim().to_string()
    }
}

/// What stands before the comma, or the last word.
fn surname(name: &str) -> String {
    let plain: String = name.chars().filter(|c| !matches!(c, '{' | '}')).collect();
    match plain.split_once(',') {
        Some((family, _)) => family.trim().to_string(),
        None if name.starts_with('{') => plain.trim().to_string(),
        None => plain.split_whitespace().last().unwrap_or("").to_string(),
    }
}

/// What is wrong with entries that can be read: nobody wrote it, or what should lead to it cannot.
pub fn complaints(text: &str) -> Vec<Problem> {
    let mut found = Vec::new();
    for entry in parse(text).unwrap_or_default() {
        let start = text.find(&entry.text).unwrap_or(0);
        let line = |name: &str| {
            let of_field = |line: &str| line.trim_start().to_lowercase().starts_with(name);
            let within = entry.text.lines().position(of_field).unwrap_or(0);
            text[..start].matches('\n').count() + within
        };
        let mut complain = |name: &str, message: String| found.push(Problem { line: line(name), message });
        if ["author", "editor", "organization"].iter().all(|who| entry.field(who).is_none_or(str::is_empty)) {
            complain("@", format!("`{}` has no author", entry.key));
        }
        if let Some(doi) = entry.field("doi").filter(|doi| !is_doi(doi)) {
            complain("doi", format!("`{doi}` is no DOI, which is as `10.1137/0716071`"));
        }
        let is_arxiv = entry.field("archiveprefix").is_none_or(|prefix| prefix.eq_ignore_ascii_case("arxiv"));
        if let Some(eprint) = entry.field("eprint").filter(|e| is_arxiv && !is_eprint(e)) {
            complain(
                "eprint",
                format!("`{eprint}` is no number of the arXiv, which is as `1605.07421` or `math/0309103`"),
            );
        }
    }
    found
}

/// `10.`, the number of a registrant and a name.
fn is_doi(text: &str) -> bool {
    let Some((registrant, name)) = text.strip_prefix("10.").and_then(|rest| rest.split_once('/')) else { return false };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let registered = registrant.split('.').all(is_number) && registrant.split('.').next().is_some_and(|n| n.len() >= 4);
    registered && !name.is_empty() && !name.contains(char::is_whitespace)
}

/// `1605.07421`, or `math.OC/0309103` before 2007; with or without a version.
fn is_eprint(text: &str) -> bool {
    let digits = |part: &str, few: usize, many: usize| {
        (few..=many).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
    };
    let number = match text.rsplit_once('v') {
        Some((number, version)) if digits(version, 1, 2) => number,
        _ => text,
    };
    match (number.split_once('/'), number.split_once('.')) {
        (Some((archive, number)), _) => {
            let is_archive = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '.');
            !archive.is_empty() && archive.chars().all(is_archive) && digits(number, 7, 7)
        }
        (None, Some((month, number))) => digits(month, 4, 4) && digits(number, 4, 5),
        (None, None) => false,
    }
}

/// All entries of a text.
pub fn parse(text: &str) -> Result<Vec<Entry>, Problem> {
    let mut reader = Reader { text, at: 0 };
    let mut found: Vec<Entry> = Vec::new();
    loop {
        reader.skip_space();
        if reader.rest().is_empty() {
            break;
        }
        let entry = reader.entry()?;
        if found.iter().any(|e| e.key == entry.key) {
            return Err(reader.problem(format!("the key `{}` stands twice", entry.key)));
        }
        found.push(entry);
    }
    if found.is_empty() { Err(reader.problem("there is no entry")) } else { Ok(found) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn problem(&self, message: impl Into<String>) -> Problem {
        let line = self.text[..self.at].matches('\n').count();
        Problem { line, message: message.into() }
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn expect(&mut self, c: char) -> Result<(), Problem> {
        self.skip_space();
        if !self.rest().starts_with(c) {
            return Err(self.problem(format!("`{c}` is missing")));
        }
        self.at += c.len_utf8();
        Ok(())
    }

    fn word(&mut self) -> &'a str {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-:./+".contains(c))).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn entry(&mut self) -> Result<Entry, Problem> {
        self.skip_space();
        let start = self.at;
        self.expect('@')?;
        let kind = self.word().to_lowercase();
        if !KINDS.contains(&kind.as_str()) {
            return Err(self.problem(format!("`@{kind}` is no kind of entry")));
        }
        self.expect('{')?;
        let key = self.word().to_string();
        if key.is_empty() {
            return Err(self.problem("the entry has no key"));
        }
        let mut entry = Entry { kind, key, ..Entry::default() };
        loop {
            self.skip_space();
            if self.rest().starts_with('}') {
                self.at += 1;
                break;
            }
            self.expect(',')?;
            self.skip_space();
            if self.rest().starts_with('}') {
                self.at += 1;
                break;
            }
            let name = self.word().to_lowercase();
            if name.is_empty() {
                return Err(self.problem("a field has no name"));
            }
            self.expect('=')?;
            let value = self.value()?;
            entry.fields.push((name, value));
        }
        if entry.field("title").is_none() {
            return Err(self.problem(format!("`{}` has no title", entry.key)));
        }
        entry.text = self.text[start..self.at].to_string();
        Ok(entry)
    }

    /// `{…}`, `"…"` or a bare word.
    fn value(&mut self) -> Result<String, Problem> {
        self.skip_space();
        let rest = self.rest();
        match rest.chars().next() {
            Some('{') => {
                let mut depth = 0usize;
                for (i, c) in rest.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        self.at += i + 1;
                        return Ok(collapse(&rest[1..i]));
                    }
                }
                Err(self.problem("a brace is not closed"))
            }
            Some('"') => match rest[1..].find('"') {
                Some(end) => {
                    self.at += end + 2;
                    Ok(collapse(&rest[1..=end]))
                }
                None => Err(self.problem("a quotation mark is not closed")),
            },
            _ => {
                let word = self.word();
                if word.is_empty() { Err(self.problem("a field has no value")) } else { Ok(word.to_string()) }
            }
        }
    }
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries() {
        let text = "@article{A1,\n  author = {Lions, P. and Mercier, B.},\n  title = {On {X}},\n  year = 1979,\n}\n@misc{B, title=\"T\"}";
        let found = parse(text).expect("two entries");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].short(), "Lions, Mercier 1979");
        assert_eq!(found[0].field("title"), Some("On {X}"));
        assert_eq!(found[1].short(), "T");
    }

    #[test]
    fn complaints_of_what_leads_nowhere() {
        for (fields, says) in [
            ("author={A, B}, doi={10.1137/0716071}", ""),
            ("author={A, B}, doi={10.1007/978-3-319-48311-5_2}, eprint={1605.07421v2}", ""),
            ("author={A, B}, eprint={math.OC/0309103}, archivePrefix={arXiv}", ""),
            ("author={A, B}, eprint={hal-01234567}, archivePrefix={HAL}", ""),
            ("organization={Keras}", ""),
            ("year={2020}", "no author"),
            ("author={}", "no author"),
            ("author={A, B}, doi={hello}", "no DOI"),
            ("author={A, B}, doi={https://doi.org/10.1137/0716071}", "no DOI"),
            ("author={A, B}, doi={10.1137/}", "no DOI"),
            ("author={A, B}, eprint={99999}", "arXiv"),
            ("author={A, B}, eprint={1605.074215}", "arXiv"),
        ] {
            let text = format!("@misc{{Z, author={{C}}, title={{y}}}}\n\n@misc{{A, title={{x}},\n{}}}", fields);
            let found = complaints(&text);
            match found.as_slice() {
                [] => assert_eq!(says, "", "{fields}"),
                [one] => {
                    assert!(!says.is_empty() && one.message.contains(says), "{fields}: {}", one.message);
                    assert!(one.line >= 2, "{fields}: line {}", one.line);
                }
                many => panic!("{fields}: {many:?}"),
            }
        }
    }

    #[test]
    fn problems() {
        for (text, line, says) in [
            ("@article{A,\n title = {x}", 1, "`,`"),
            ("@artikel{A, title={x}}", 0, "kind"),
            ("@article{A, title={x}}\n@article{A, title={y}}", 1, "twice"),
            ("@article{A, title={x}\n year=1}", 1, "`,`"),
            ("@article{A, year={1}}", 0, "title"),
            ("", 0, "no entry"),
        ] {
            let problem = parse(text).expect_err(text);
            assert_eq!(problem.line, line, "{text}");
            assert!(problem.message.contains(says), "{text}: {}", problem.message);
        }
    }
}

//! The algorithms of a paper for a terminal.

use super::{Findings, LinkReport, ListingReport, PlaceReport, RemarkReport, Scan, scan_in};
use crate::report::expression::Script;
use crate::report::text::{Palette, matrix};
use std::fmt::Write;

/// The findings for people.
pub fn scan_text(findings: Findings, palette: Palette) -> String {
    let report = scan_in(findings, Script::Unicode);
    let mut out = String::new();
    for listing in &report.listings {
        one(&mut out, listing, palette);
        out.push('\n');
    }
    classes(&mut out, &report, palette);
    let list = |out: &mut String, heading: &str, remarks: &[RemarkReport]| {
        if !remarks.is_empty() {
            let _ = writeln!(out, "{}", palette.heading(heading));
            for r in remarks {
                let _ = writeln!(out, "  {} {}", palette.dim(&at(&r.place)), r.message);
            }
            out.push('\n');
        }
    };
    list(&mut out, "Passed over", &report.passed);
    list(&mut out, "Left out", &report.remarks);
    out.push_str(&tally(&report));
    out
}

fn at(place: &PlaceReport) -> String {
    format!("{}:{}", place.file, place.line)
}

fn one(out: &mut String, l: &ListingReport, palette: Palette) {
    let caption = l.caption.as_ref().map_or(String::new(), |c| format!("  {c}"));
    let place = if l.label.is_some() { format!("  {}", at(&l.place)) } else { String::new() };
    let title = palette.heading(&format!("{}. {}{caption}", l.number, l.name));
    let _ = writeln!(out, "{title}{}", palette.dim(&place));
    let told = ["update", "definition", "declaration", "initialization", "output"];
    for line in l.lines.iter().filter(|line| told.contains(&line.role)) {
        let shown = if line.read.is_empty() { crate::diagnostic::clipped(&line.text) } else { line.read.join("; ") };
        let _ = writeln!(out, "  {} {shown}", palette.dim(&format!("{:>5} {:<14}", line.place.line, line.role)));
    }
    for g in &l.guesses {
        let _ =
            writeln!(out, "  {} `{}` is {}; otherwise: {}", palette.dim("guess"), g.name, g.taken_as, g.declaration);
    }
    if let Some(h) = &l.transfer {
        let _ = writeln!(out, "  {}", palette.dim("H(z)"));
        matrix(out, h, &l.oracles, &l.oracles, palette);
    }
    for n in &l.names {
        let _ = writeln!(out, "  {} {}", palette.dim(&format!("{}:", n.heading.to_lowercase())), n.shown);
    }
    if l.names.is_empty() && l.transfer.is_some() {
        let _ = writeln!(out, "  {}", palette.dim("no card of the zoo is related to it"));
    } else if l.more_names > 0 {
        let _ = writeln!(out, "  {}", palette.dim(&format!("and {} more cards", l.more_names)));
    }
    for p in l.printed.iter().filter(|p| p.agreement != "different") {
        let _ = writeln!(out, "  {} {}", palette.dim(&at(&p.place)), p.message);
    }
    for p in &l.problems {
        let mark = palette.severity(&format!("error: {}", p.message));
        let _ = writeln!(out, "  {} {mark} {}", at(&p.place), palette.dim(&format!("[{}]", p.code)));
        for also in &p.also {
            let _ = writeln!(out, "    {} {}", at(&also.place), also.message);
        }
        if let Some(help) = &p.help {
            let _ = writeln!(out, "    help: {help}");
        }
    }
}

fn classes(out: &mut String, report: &Scan, palette: Palette) {
    let name = |n: usize| report.listings.get(n - 1).map_or("", |l| l.name.as_str());
    if !report.classes.is_empty() {
        let _ = writeln!(out, "{}", palette.heading("The same"));
        for class in &report.classes {
            let members: Vec<&str> = class.members.iter().map(|n| name(*n)).collect();
            let _ = writeln!(out, "  {}", members.join(" = "));
            for how in &class.how {
                let _ = writeln!(out, "    {} {}", name(how.second), palette.dim(&sentence(how)));
            }
        }
        out.push('\n');
    }
    if !report.links.is_empty() {
        let _ = writeln!(
            out,
            "{}",
            palette.heading("Related, A the first and B the second, of every two classes one pair")
        );
        for link in report.main_links() {
            let verb = verb(link.generality);
            let _ = writeln!(
                out,
                "  {} {verb} {} {}",
                name(link.first),
                name(link.second),
                palette.dim(&format!("· {}", sentence(link)))
            );
        }
        out.push('\n');
    }
    if !report.undecided.is_empty() {
        let list: Vec<String> =
            report.undecided.iter().map(|[a, b]| format!("{} and {}", name(*a), name(*b))).collect();
        let _ = writeln!(out, "Undecided within the limits: {}\n", list.join(", "));
    }
}

/// What the first of two is to the second.
pub fn verb(generality: &str) -> &'static str {
    match generality {
        "instance" => "is a case of",
        "contains" => "contains",
        "equal" => "is as general as",
        _ => "overlaps with",
    }
}

/// The relation and what makes it.
pub fn sentence(link: &LinkReport) -> String {
    let relation = match link.relation {
        "oracle" => "the same calls",
        "shift" => "the same up to shift",
        "permutation" => "the same with oracles exchanged",
        "lft" => "the same in other oracles",
        "linear-oracle" => "the same up to filters",
        "homogeneous" => "the same up to scalings",
        "repetition" => "several iterations as one",
        _ => "under an assumption",
    };
    std::iter::once(relation).chain(link.details.iter().map(String::as_str)).collect::<Vec<_>>().join(" · ")
}

fn tally(report: &Scan) -> String {
    let read = report.listings.iter().filter(|l| l.transfer.is_some() || l.explicit.is_some()).count();
    let problems: usize = report.listings.iter().map(|l| l.problems.len()).sum();
    let count = |n: usize, what: &str| match n {
        1 => format!("1 {what}"),
        n if what.ends_with('s') => format!("{n} {what}es"),
        n => format!("{n} {what}s"),
    };
    if report.listings.is_empty() {
        return "No algorithm was found.\n".to_string();
    }
    format!(
        "{}, {read} read; {} of algorithms that are the same, {}; {}\n",
        count(report.listings.len(), "algorithm"),
        count(report.classes.len(), "class"),
        count(report.links.len(), "other relation"),
        count(problems, "problem"),
    )
}

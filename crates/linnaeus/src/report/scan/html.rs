//! The algorithms of a paper as one page that needs nothing beside it.

use super::text::{sentence, verb};
use super::{Findings, ListingReport, PlaceReport, Scan, scan_in};
use crate::report::expression::Script;
use crate::report::latex::bmatrix;
use crate::report::lines::unmarked;
use crate::scan::Listing;
use std::fmt::Write;

/// What typesets formulas in the page: it must define `katex.render`.
#[derive(Copy, Clone, Debug)]
pub struct Typesetter<'a> {
    /// Its style sheet, fonts included.
    pub css: &'a str,
    /// Its program.
    pub js: &'a str,
}

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
section{border-top:1px solid #ddd;padding:1rem 0}h2{font-size:1.1rem;margin:0 0 .5rem}\
.place,.how{color:#666;font-size:.9rem}.problem{background:#fdecea;border-left:4px solid #c0392b;padding:.4rem .8rem;margin:.5rem 0}\
.true{color:#1e7d34}code{background:#f4f4f4;padding:0 .2em}.tex{overflow-x:auto;display:block}\
ul{padding-left:1.2rem}h3{font-size:1rem;margin:.5rem 0 0}.reading{font-size:.9rem;margin-top:0}a{color:#1a5fb4}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}code{background:#2a2a2a}section{border-color:#444}\
.problem{background:#3a1f1c}.place,.how{color:#aaa}.true{color:#6cc77d}a{color:#8ab4f8}}";

/// The findings as a page.
pub fn scan_html(findings: Findings, typesetter: Typesetter) -> String {
    let report = scan_in(findings, Script::Unicode);
    let typeset = scan_in(findings, Script::Latex);
    let listings: Vec<&Listing> = findings.listings().map(|(_, l)| l).collect();
    let titles = findings.papers.iter().filter_map(|(p, _)| p.expanded.files.list().first()).map(|f| f.name.as_str());
    let title = &titles.collect::<Vec<_>>().join(", ");
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>Algorithms in {}</title>\n<style>{}</style>\n<style>{STYLE}</style>\n\
         </head><body>\n<h1>Algorithms in {}</h1>\n",
        escaped(title),
        typesetter.css,
        escaped(title)
    );
    overview(&mut out, &report);
    for ((l, formulas), listing) in report.listings.iter().zip(&typeset.listings).zip(listings) {
        one(&mut out, l, formulas, listing);
    }
    for (heading, list) in [("Passed over", &report.passed), ("Left out", &report.remarks)] {
        if !list.is_empty() {
            let _ = writeln!(out, "<section><h2>{heading}</h2><ul>");
            for r in list {
                let _ = writeln!(out, "<li>{} {}</li>", place(&r.place), escaped(&r.message));
            }
            let _ = writeln!(out, "</ul></section>");
        }
    }
    let _ = write!(
        out,
        "<script>{}</script>\n<script>document.querySelectorAll('.tex').forEach(function(e){{\
         katex.render(e.textContent,e,{{displayMode:true,throwOnError:false}})}})</script>\n</body></html>\n",
        typesetter.js
    );
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn place(p: &PlaceReport) -> String {
    format!("<span class=\"place\">{}:{}</span>", escaped(&p.file), p.line)
}

fn overview(out: &mut String, report: &Scan) {
    let name = |n: usize| {
        let name = report.listings.get(n - 1).map_or("", |l| l.name.as_str());
        format!("<a href=\"#listing-{n}\">{}</a>", escaped(name))
    };
    let problems = report.listings.iter().filter(|l| !l.problems.is_empty());
    let list: Vec<String> = problems.map(|l| name(l.number)).collect();
    if !list.is_empty() {
        let _ = writeln!(out, "<section><h2>Problems</h2><p>{}</p></section>", list.join(", "));
    }
    if !report.classes.is_empty() {
        let _ = writeln!(out, "<section><h2>The same</h2><ul>");
        for class in &report.classes {
            let members: Vec<String> = class.members.iter().map(|n| name(*n)).collect();
            let _ = writeln!(out, "<li>{}<ul>", members.join(" = "));
            for how in &class.how {
                let _ = writeln!(out, "<li class=\"how\">{} {}</li>", name(how.second), escaped(&sentence(how)));
            }
            let _ = writeln!(out, "</ul></li>");
        }
        let _ = writeln!(out, "</ul></section>");
    }
    if !report.links.is_empty() {
        let _ = writeln!(
            out,
            "<section><h2>Related</h2><p class=\"how\">A is the first and B the second; of every two classes one pair.</p><ul>"
        );
        for l in report.main_links() {
            let (first, second, how) = (name(l.first), name(l.second), escaped(&sentence(l)));
            let _ = writeln!(out, "<li>{first} {} {second} <span class=\"how\">{how}</span></li>", verb(l.generality));
        }
        let _ = writeln!(out, "</ul></section>");
    }
    for [a, b] in &report.undecided {
        let _ = writeln!(out, "<p>Undecided within the limits: {} and {}</p>", name(*a), name(*b));
    }
}

fn one(out: &mut String, l: &ListingReport, formulas: &ListingReport, listing: &Listing) {
    let caption = l.caption.as_ref().map_or(String::new(), |c| format!(" {}", escaped(c)));
    let n = l.number;
    let _ = writeln!(out, "<section id=\"listing-{n}\"><h2>{n}. {}{caption}</h2>{}", escaped(&l.name), place(&l.place));
    let rows: Vec<String> =
        unmarked(&listing.reading).into_iter().map(|(left, terms)| left + &terms.join(" ")).collect();
    let tex = |out: &mut String, formula: &str| {
        let _ = writeln!(out, "<span class=\"tex\">{}</span>", escaped(formula));
    };
    if !rows.is_empty() {
        tex(out, &format!("\\begin{{aligned}}{}\\end{{aligned}}", rows.join(" \\\\ ")));
    }
    let _ = writeln!(out, "<h3>Reading</h3><ul class=\"reading\">");
    for line in &l.lines {
        let shown = if line.read.is_empty() { line.text.clone() } else { line.read.join("; ") };
        let _ = writeln!(out, "<li>{} {} <code>{}</code></li>", place(&line.place), line.role, escaped(&shown));
    }
    for g in &l.guesses {
        let _ = writeln!(
            out,
            "<li>guess: <code>{}</code> is {}; otherwise <code>{}</code></li>",
            escaped(&g.name),
            escaped(&g.taken_as),
            escaped(&g.declaration)
        );
    }
    let _ = writeln!(out, "</ul>");
    if let Some(h) = &formulas.transfer {
        let oracles = formulas.oracles.join(",\\; ");
        tex(out, &format!("\\hat H(z) = {}, \\qquad \\Phi = \\left({oracles}\\right)", bmatrix(h)));
    }
    for p in &l.problems {
        let _ = write!(out, "<div class=\"problem\">{} {}", place(&p.place), escaped(&p.message));
        for also in &p.also {
            let _ = write!(out, "<br>{} {}", place(&also.place), escaped(&also.message));
        }
        if let Some(help) = &p.help {
            let _ = write!(out, "<br>help: {}", escaped(help));
        }
        let _ = writeln!(out, "</div>");
    }
    for p in l.printed.iter().filter(|p| p.agreement != "different") {
        let _ = writeln!(out, "<p class=\"true\">{} {}</p>", place(&p.place), escaped(&p.message));
    }
    if !l.names.is_empty() {
        let _ = writeln!(out, "<ul>");
        for name in &l.names {
            let _ = writeln!(
                out,
                "<li>{}: {} <span class=\"how\">{}</span></li>",
                name.heading,
                escaped(&name.shown),
                escaped(&name.reference)
            );
        }
        if l.more_names > 0 {
            let _ = writeln!(out, "<li class=\"how\">and {} more cards</li>", l.more_names);
        }
        let _ = writeln!(out, "</ul>");
    }
    let _ = writeln!(out, "</section>");
}

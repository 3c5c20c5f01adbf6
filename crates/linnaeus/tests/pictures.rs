//! Pictures are well-formed, say what they show, and are the same every time.

use linnaeus::relation::compare;
use linnaeus::report::{Inside, block_diagram, unrolled};

/// A small reader of XML: tags are closed in their order, attributes are quoted and not repeated, and `<` and `&`
/// stand for themselves nowhere.
fn well_formed(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (words, tag) = rest.split_at(at);
        entities(words)?;
        let end = tag.find('>').ok_or("a tag without an end")?;
        let inside = &tag[1..end];
        rest = &tag[end + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            let last = open.pop();
            (last == Some(name)).then_some(()).ok_or(format!("</{name}> closes {last:?}"))?;
            continue;
        }
        let (inside, closed) = inside.strip_suffix('/').map_or((inside, false), |i| (i, true));
        let (name, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
        let mut seen: Vec<&str> = Vec::new();
        let mut left = attributes.trim();
        while !left.is_empty() {
            let (key, value) = left.split_once("=\"").ok_or(format!("no value in `{left}`"))?;
            let (value, after) = value.split_once('"').ok_or("an open quote")?;
            let plain = key.chars().all(|c| c.is_ascii_alphanumeric() || "-:".contains(c));
            (plain && !seen.contains(&key)).then_some(()).ok_or(format!("attribute `{key}`"))?;
            entities(value)?;
            seen.push(key);
            left = after.trim();
        }
        if !closed {
            open.push(name);
        }
    }
    entities(rest)?;
    if open.is_empty() && rest.trim().is_empty() { Ok(()) } else { Err(format!("open: {open:?}")) }
}

fn entities(text: &str) -> Result<(), String> {
    let known = |part: &str| ["amp;", "lt;", "gt;", "quot;"].iter().any(|e| part.starts_with(e));
    let fine = text.split('&').skip(1).all(known) && text.chars().all(|c| c >= ' ' || c == '\n' || c == '\t');
    if fine { Ok(()) } else { Err(format!("in `{text}`")) }
}

#[test]
fn the_checker_sees_mistakes() {
    assert_eq!(well_formed("<a b=\"1\"><c/>x &lt; y</a>\n"), Ok(()));
    for wrong in
        ["<a>", "<a></b>", "<a b=1/>", "<a b=\"1\" b=\"2\"/>", "<a>&</a>", "<a>\u{1}</a>", "<a/>x", "<a b=\"&\"/>"]
    {
        assert!(well_formed(wrong).is_err(), "{wrong}");
    }
}

fn check(picture: &str) {
    assert_eq!(well_formed(picture), Ok(()), "{picture}");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    for part in ["<title id=", "<desc id=", "prefers-color-scheme:dark"] {
        assert!(picture.contains(part), "{part}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf "));
}

const TEXTS: [&str; 6] = [
    "x[k+1] = x[k] - t*grad f(x[k])",
    "x1[k+1] = prox_{t f}(x3[k]); x2[k+1] = prox_{t g}(2*x1[k+1] - x3[k]); x3[k+1] = x3[k] + x2[k+1] - x1[k+1]",
    "operator A: X -> Y; x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))",
    "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - t*(A'*u[k] + B'*v[k]); \
     u[k+1] = prox_{s f*}(u[k] + s*A*x[k+1]); v[k+1] = prox_{s g*}(v[k] + s*B*x[k+1])",
    "y[k] = x[k] + k/(k+3)*(x[k] - x[k-1]); x[k+1] = y[k] - alpha[k]*grad f(y[k])",
    "x[k+1] = x[k] - t*A'*(A*x[k] - b) - t*grad f(x[k]; xi[k])",
];

#[test]
fn block_diagrams() {
    for text in TEXTS {
        for inside in [Inside::Transfer, Inside::States] {
            let draw = || block_diagram(&linnaeus::read(text), inside).expect("a good text");
            check(&draw());
            assert_eq!(draw(), draw());
        }
    }
    assert_eq!(block_diagram(&linnaeus::read("x[k+1] ="), Inside::Transfer), None);
    let shown = block_diagram(&linnaeus::read(TEXTS[1]), Inside::Transfer).unwrap();
    assert!(shown.contains("[(2z - 1)/(z - 1), -1/(z - 1)]"), "the description tells H");
}

#[test]
fn pairs() {
    let admm = "x[k+1] = prox_{(1/rho) f}(z[k] - u[k]); z[k+1] = prox_{(1/rho) g}(x[k+1] + u[k]); u[k+1] = u[k] + x[k+1] - z[k+1]";
    for (a, b) in
        [(TEXTS[1], admm), (TEXTS[0], TEXTS[0]), (TEXTS[2], TEXTS[2]), (TEXTS[3], TEXTS[3]), (TEXTS[4], TEXTS[4])]
    {
        let [first, second] = [a, b].map(|t| linnaeus::read(t).analysis.expect("a good text"));
        let draw = || unrolled(&first, &second, &compare(&first, &second, None)).expect("related");
        check(&draw());
        assert_eq!(draw(), draw());
    }
}

/// A picture of two algorithms says all that the comparison says of their parameters.
#[test]
fn conditions_are_in_the_picture() {
    let a = linnaeus::read("p[k+1] = prox_{c r}(p[k] - tau*grad h(p[k]))").analysis.unwrap();
    let b = linnaeus::read("x[k+1] = prox_{t f}(x[k] - t*grad g(x[k]))").analysis.unwrap();
    let picture = unrolled(&a, &b, &compare(&a, &b, None)).unwrap();
    assert!(picture.contains("where τ = c") || picture.contains("where tau = c"), "{picture}");
}

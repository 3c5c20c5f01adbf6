//! LaTeX that fits on a page: displays are broken and wide matrices are listed entry by entry.

/// About so many characters of a formula fit on a line of the class `article`.
const LINE: usize = 57;

/// About how many characters wide a formula is.
pub fn width(tex: &str) -> usize {
    let mut chars = tex.chars().peekable();
    let mut total = 0;
    let mut fraction = 0;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let mut word = String::new();
                while chars.peek().is_some_and(char::is_ascii_alphabetic) {
                    word.extend(chars.next());
                }
                match word.as_str() {
                    "frac" | "tfrac" | "dfrac" => fraction = 2,
                    "left" => total += 1,
                    "right" | "mathit" | "mathrm" | "tilde" | "widetilde" | "text" | "operatorname" => {}
                    "" => drop(chars.next()),
                    _ => total += 1,
                }
            }
            '{' => {
                let mut depth = 1;
                let inner: String = chars
                    .by_ref()
                    .take_while(|c| {
                        depth += match c {
                            '{' => 1,
                            '}' => -1,
                            _ => 0,
                        };
                        depth > 0
                    })
                    .collect();
                let inner = width(&inner);
                // The numerator is counted; the denominator counts where it is wider.
                match fraction {
                    2 => (fraction, total) = (1, total + inner),
                    1 => {
                        fraction = 0;
                        total += inner / 2;
                    }
                    _ => total += inner,
                }
            }
            '^' | '_' | ' ' | '&' => {}
            '+' | '-' | '=' => total += 2,
            _ => total += 1,
        }
    }
    total
}

/// Equations below each other; each is a left-hand side, with its `&`, and terms with their signs.
pub fn aligned(equations: &[(String, Vec<String>)]) -> String {
    let lines: Vec<String> = equations.iter().map(|(left, terms)| broken(left, terms)).collect();
    format!("\\begin{{align*}}\n  {}\n\\end{{align*}}\n", lines.join(" \\\\\n  "))
}

fn broken(left: &str, terms: &[String]) -> String {
    let mut out = left.to_string();
    let mut used = width(left);
    let mut first = true;
    for term in terms {
        let more = width(term) + 1;
        if !first && used + more > LINE {
            out.push_str(" \\\\\n  &\\quad ");
            used = width(left).min(12) + 2;
        } else if !first {
            out.push(' ');
        }
        // A delimiter pair may not be broken, so it stays in its term.
        out.push_str(term);
        used += more;
        first = false;
    }
    out
}

/// The terms of a sum, at its outermost signs.
pub fn terms(sum: &str) -> Vec<String> {
    let (mut found, mut depth) = (vec![String::new()], 0);
    let bytes: Vec<char> = sum.chars().collect();
    for (i, &c) in bytes.iter().enumerate() {
        let rest: String = bytes[i..].iter().take(6).collect();
        if rest.starts_with("\\left") && !rest.starts_with("\\lefta") {
            depth += 1;
        }
        if rest.starts_with("\\right") {
            depth -= 1;
        }
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            '+' | '-' if depth == 0 && i > 0 && bytes[i - 1] == ' ' => found.push(String::new()),
            _ => {}
        }
        found.last_mut().expect("one").push(c);
    }
    found.into_iter().map(|t| t.trim().to_string()).collect()
}

/// `name = [matrix]`, entry by entry where that is too wide.
pub fn matrix(name: &str, rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let column = |j: usize| rows.iter().map(|r| width(&r[j])).max().unwrap_or(0) + 2;
    let total = width(name) + (0..columns).map(column).sum::<usize>();
    if total <= LINE {
        if let [row] = rows
            && let [entry] = row.as_slice()
        {
            return format!("\\[ {name} = {entry} \\]\n");
        }
        return format!("\\[ {name} = {} \\]\n", bmatrix(rows));
    }
    let mut equations = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        for (j, entry) in row.iter().enumerate().filter(|(_, e)| *e != "0") {
            let left = if columns == 1 && rows.len() == 1 {
                format!("{name} &= ")
            } else {
                format!("\\bigl[{name}\\bigr]_{{{}{}}} &= ", i + 1, j + 1)
            };
            equations.extend(entry_lines(&left, entry));
        }
    }
    let zero = rows.iter().flatten().any(|e| e == "0");
    let rest = if zero { "and all other entries are zero.\n" } else { "" };
    format!("{}{rest}", aligned(&equations))
}

/// Equations side by side where they fit on a line, else below each other.
pub fn together(equations: &[(String, Vec<String>)]) -> String {
    let flat: Vec<String> =
        equations.iter().map(|(left, terms)| format!("{}{}", left.replace('&', ""), terms.join(" "))).collect();
    if flat.iter().map(|e| width(e) + 3).sum::<usize>() <= LINE {
        return format!("\\[ {} \\]\n", flat.join(", \\qquad "));
    }
    aligned(equations)
}

/// One entry; a fraction that is too wide has numerator and denominator apart.
pub fn entry_lines(left: &str, entry: &str) -> Vec<(String, Vec<String>)> {
    if width(left) + width(entry) <= LINE || !entry.contains("\\frac") {
        return vec![(left.to_string(), pieces(entry))];
    }
    let (sign, body) = entry.strip_prefix('-').map_or(("", entry), |rest| ("-", rest));
    let parts = body.strip_prefix("\\frac{").and_then(|rest| {
        let end = closing(rest)?;
        let (above, rest) = (&rest[..end], rest[end + 1..].strip_prefix('{')?);
        let end = closing(rest)?;
        (end + 1 == rest.len()).then_some((above, &rest[..end]))
    });
    let Some((above, below)) = parts else {
        return vec![(left.to_string(), terms(entry))];
    };
    let name = left.split_once(" &").map_or(left, |(n, _)| n);
    vec![
        (left.to_string(), vec![format!("{sign}n/d \\quad\\text{{where, for }} {name},")]),
        ("n &= ".to_string(), pieces(above)),
        ("d &= ".to_string(), pieces(below)),
    ]
}

/// A sum at its signs, a product after its parentheses; a factor that is too wide itself is broken
/// at its signs, with delimiters that may stand on different lines.
fn pieces(tex: &str) -> Vec<String> {
    if width(tex) <= LINE - 14 {
        return vec![tex.to_string()];
    }
    let parts = match terms(tex) {
        sum if sum.len() > 1 => sum,
        _ => match factors(tex) {
            product if product.len() > 1 => product,
            _ => opened(tex),
        },
    };
    if parts.len() == 1 { parts } else { parts.iter().flat_map(|p| pieces(p)).collect() }
}

/// Cuts after every outermost parenthesis and its exponent.
fn factors(tex: &str) -> Vec<String> {
    let (mut found, mut current, mut depth) = (Vec::new(), String::new(), 0);
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        if rest.starts_with("\\left(") || c == '{' {
            depth += 1;
        } else if c == '}' {
            depth -= 1;
        } else if rest.starts_with("\\right)") {
            depth -= 1;
            taken = "\\right)".len();
            if let Some(power) = rest[taken..].strip_prefix("^{").and_then(closing) {
                taken += power + 3;
            }
        }
        current.push_str(&rest[..taken]);
        if depth == 0 && taken > 1 && rest.starts_with("\\right)") {
            found.push(std::mem::take(&mut current).trim().to_string());
        }
        rest = &rest[taken..];
    }
    if !current.trim().is_empty() {
        found.push(current.trim().to_string());
    }
    found
}

/// A factor in parentheses as terms, the parentheses of fixed size.
fn opened(factor: &str) -> Vec<String> {
    // Nothing can be broken inside a fraction.
    let start = factor.find("\\left(").filter(|i| !factor[..*i].contains("\\frac"));
    let parts = start.zip(factor.rfind("\\right)"));
    let Some((start, end)) = parts else {
        return vec![factor.to_string()];
    };
    let mut inner = terms(&factor[start + "\\left(".len()..end]);
    if let Some(first) = inner.first_mut() {
        *first = format!("{}\\bigl({first}", &factor[..start]);
    }
    if let Some(last) = inner.last_mut() {
        last.push_str(&format!("\\bigr){}", &factor[end + "\\right)".len()..]));
    }
    inner
}

/// Where the group ends that was opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (i, c) in text.char_indices() {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        if depth == 0 {
            return Some(i);
        }
    }
    None
}

/// A matrix with fractions of full size.
pub fn bmatrix(rows: &[Vec<String>]) -> String {
    let has_fraction = rows.iter().flatten().any(|e| e.contains("\\frac"));
    let row = |r: &Vec<String>| r.join(" & ").replace("\\frac", "\\dfrac");
    let between = if has_fraction { " \\\\[2.5ex] " } else { " \\\\ " };
    format!("\\begin{{bmatrix}} {} \\end{{bmatrix}}", rows.iter().map(row).collect::<Vec<_>>().join(between))
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        assert_eq!(width("x_{1}^{k+1}"), 6);
        assert_eq!(width("\\frac{ab}{c}"), 2);
        assert_eq!(width("\\left(\\alpha + b\\right)"), 7);
    }

    #[test]
    fn sums_are_broken_at_their_signs() {
        assert_eq!(
            terms("a + \\left(b - c\\right) d - \\frac{e + f}{g}"),
            ["a", "+ \\left(b - c\\right) d", "- \\frac{e + f}{g}"]
        );
        assert_eq!(terms("-x"), ["-x"]);
    }

    #[test]
    fn products_are_broken_after_their_parentheses() {
        let tex = "a \\left(\\left(b\\right) + c\\right)^{-1} \\left(d\\right) e";
        assert_eq!(factors(tex), ["a \\left(\\left(b\\right) + c\\right)^{-1}", "\\left(d\\right)", "e"]);
        assert_eq!(factors("\\frac{\\left(a\\right) b}{c} \\left(d\\right)").len(), 1);
        assert_eq!(opened("2 \\left(a + b\\right)^{2}"), ["2 \\bigl(a", "+ b\\bigr)^{2}"]);
    }

    #[test]
    fn wide_matrices_are_listed() {
        let wide = "a".repeat(40);
        let tex = matrix("H", &[vec![wide.clone(), "0".to_string()], vec!["1".to_string(), wide]]);
        assert!(
            tex.contains("\\bigl[H\\bigr]_{11} &= ")
                && tex.contains("_{21} &= 1")
                && tex.contains("other entries are zero")
        );
        assert!(matrix("H", &[vec!["1".to_string()]]).starts_with("\\[ H = 1"));
    }
}

//! A formula → the cells between its `&` and `\\`; matrices stay whole.

use super::outline::{command, group};
use crate::source::Span;

/// What stands between two marks of alignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Where, in the formula.
    pub span: Span,
    /// The number of its row.
    pub row: usize,
    /// Whether a matrix stands in it.
    pub has_matrix: bool,
}

/// Whether an environment is a matrix; an array is one between brackets.
fn is_matrix(name: &str, before: &str) -> bool {
    name.trim_end_matches('*').ends_with("matrix")
        || name == "array" && before.trim_end().ends_with(['[', '(']) && !before.trim_end().ends_with("\\[")
}

/// The cells of a formula, in order; empty ones are left out.
pub fn cells(text: &str) -> Vec<Cell> {
    let mut found = Vec::new();
    let (mut at, mut start, mut row) = (0, 0, 0);
    let (mut braces, mut has_matrix) = (0usize, false);
    let mut matrices: Vec<String> = Vec::new();
    let cut = |found: &mut Vec<Cell>, start: &mut usize, at: usize, next: usize, row: usize, has_matrix: &mut bool| {
        if !text[*start..at].trim().is_empty() {
            found.push(Cell { span: Span::new(*start, at), row, has_matrix: *has_matrix });
        }
        *start = next;
        *has_matrix = false;
    };
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let outside = braces == 0 && matrices.is_empty();
        let mut length = c.len_utf8();
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            '&' if outside => cut(&mut found, &mut start, at, at + 1, row, &mut has_matrix),
            '$' if outside => {
                cut(&mut found, &mut start, at, at + 1, row, &mut has_matrix);
                row += 1;
            }
            '\\' => {
                let name;
                (name, length) = command(&rest[1..]);
                let sign = rest[1..].chars().next();
                if name == "begin" || name == "end" {
                    if let Some((inside, taken)) = group(&rest[length..]) {
                        length += taken;
                        if name == "begin" && is_matrix(inside, &text[..at]) {
                            matrices.push(inside.to_string());
                            has_matrix = true;
                        } else if name == "end" && matrices.last().is_some_and(|m| m == inside) {
                            matrices.pop();
                        } else if outside || (name == "begin" && matrices.is_empty() && braces == 0) {
                            if name == "begin" && matches!(inside, "array" | "alignat" | "alignat*" | "alignedat") {
                                length += group(&rest[length..]).map_or(0, |(_, taken)| taken);
                            }
                            cut(&mut found, &mut start, at, at + length, row, &mut has_matrix);
                            row += 1;
                        }
                    }
                } else if outside && name.is_empty() && matches!(sign, Some('\\' | '[' | ']' | '(' | ')')) {
                    if sign == Some('\\') && rest[2..].starts_with('[') {
                        length += rest[2..].find(']').map_or(0, |i| i + 1);
                    }
                    cut(&mut found, &mut start, at, at + length, row, &mut has_matrix);
                    row += 1;
                }
            }
            _ => {}
        }
        at += length;
    }
    cut(&mut found, &mut start, text.len(), text.len(), row, &mut has_matrix);
    found
}

/// The formula with blanks in place of equations between matrices.
pub fn without_matrices(text: &str) -> String {
    let cells = cells(text);
    let mut blank = vec![false; cells.len()];
    for (i, cell) in cells.iter().enumerate().filter(|(_, c)| c.has_matrix) {
        blank[i] = true;
        // The other side of the equation may stand in the cell before.
        let body = text[cell.span.range()].trim_start_matches(['\\', '!', ',', ';', ' ', '\n', '\t']);
        let continues = body.starts_with('=') || body.starts_with("colonequals");
        if continues && i > 0 && cells[i - 1].row == cell.row {
            blank[i - 1] = true;
        }
    }
    let mut out = text.to_string();
    for (cell, _) in cells.iter().zip(blank).filter(|(_, b)| *b) {
        let blanks: String = text[cell.span.range()].chars().map(blanked).collect();
        out.replace_range(cell.span.range(), &blanks);
    }
    out
}

/// As many bytes of blanks as a character has.
pub fn blanked(c: char) -> &'static str {
    match c.len_utf8() {
        _ if c == '\n' => "\n",
        1 => " ",
        2 => "  ",
        3 => "   ",
        _ => "    ",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_fall_into_cells() {
        let text = r"\begin{align}a &= \begin{bmatrix}1 & 2\\3 & 4\end{bmatrix}, & b &= c \\ d &= e\end{align}";
        let found: Vec<(usize, &str, bool)> =
            cells(text).iter().map(|c| (c.row, text[c.span.range()].trim(), c.has_matrix)).collect();
        let matrix = r"= \begin{bmatrix}1 & 2\\3 & 4\end{bmatrix},";
        assert_eq!(
            found,
            [
                (1, "a", false),
                (1, matrix, true),
                (1, "b", false),
                (1, "= c", false),
                (2, "d", false),
                (2, "= e", false)
            ]
        );
        let rest = without_matrices(text);
        assert_eq!(rest.len(), text.len());
        assert!(!rest.contains("bmatrix") && !rest.contains('a') || rest.contains("{align}"));
        assert!(rest.contains("= c") && rest.contains("= e"));
    }
}

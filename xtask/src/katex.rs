//! The copy of KaTeX that pages carry: its program, and its style sheet with the fonts that our formulas use inside.

use crate::shell::{Failure, command, root, run};
use std::fs;
use std::path::Path;

/// Another version needs another look at the pages.
const VERSION: &str = "0.16.22";

/// Upright, italic and bold letters, script capitals, signs, and brackets of all sizes.
const FONTS: &[&str] = &[
    "KaTeX_AMS-Regular",
    "KaTeX_Caligraphic-Regular",
    "KaTeX_Main-Bold",
    "KaTeX_Main-Italic",
    "KaTeX_Main-Regular",
    "KaTeX_Math-Italic",
    "KaTeX_Size1-Regular",
    "KaTeX_Size2-Regular",
    "KaTeX_Size3-Regular",
    "KaTeX_Size4-Regular",
];

/// Fetches the package and writes `crates/linnaeus-cli/vendor/katex`.
pub fn vendor() -> Result<(), Failure> {
    let work = root().join("target/katex");
    fs::create_dir_all(&work)?;
    run(command("npm pack --silent", &[&format!("katex@{VERSION}")]).current_dir(&work))?;
    run(command("tar -xzf", &[&format!("katex-{VERSION}.tgz")]).current_dir(&work))?;
    let package = work.join("package");
    let to = root().join("crates/linnaeus-cli/vendor/katex");
    fs::create_dir_all(&to)?;
    let css = style(&package)?;
    let js = fs::read_to_string(package.join("dist/katex.min.js"))?;
    let sums = format!("katex {VERSION}\nkatex.css {:016x}\nkatex.js {:016x}\n", checksum(&css), checksum(&js));
    fs::write(to.join("katex.css"), css)?;
    fs::write(to.join("katex.js"), js)?;
    fs::write(to.join("VERSION"), sums)?;
    fs::copy(package.join("LICENSE"), to.join("LICENSE"))?;
    Ok(())
}

/// The style sheet; of the fonts, those that are used.
fn style(package: &Path) -> Result<String, Failure> {
    let css = fs::read_to_string(package.join("dist/katex.min.css"))?;
    let mut out = String::new();
    let mut rest = css.as_str();
    while let Some(start) = rest.find("@font-face{") {
        let end = start + rest[start..].find('}').map_or(rest.len() - start, |i| i + 1);
        let rule = &rest[start..end];
        out.push_str(&rest[..start]);
        if let Some(font) = FONTS.iter().find(|f| rule.contains(&format!("/{f}.woff2"))) {
            let bytes = fs::read(package.join(format!("dist/fonts/{font}.woff2")))?;
            let source = rule.find("src:").unwrap_or(0);
            let after = source + rule[source..].find(['}', ';']).unwrap_or(0);
            let data = base64(&bytes);
            let inline = format!("src:url(data:font/woff2;base64,{data}) format(\"woff2\")");
            out.push_str(&format!("{}{inline}{}", &rule[..source], &rule[after..]));
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    Ok(out)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let n = chunk.iter().chain([&0, &0]).take(3).fold(0u32, |n, b| (n << 8) | u32::from(*b));
        for i in 0..4 {
            let letter = LETTERS[(n >> (18 - 6 * i)) as usize & 63] as char;
            out.push(if i <= chunk.len() { letter } else { '=' });
        }
    }
    out
}

/// FNV-1a, as the tests of the command compute it.
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    #[test]
    fn base64() {
        for (text, expected) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(super::base64(text.as_bytes()), expected);
        }
    }
}

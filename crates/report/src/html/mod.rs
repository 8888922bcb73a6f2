//! The report as a page: one file that needs nothing else, for every command, metric and format.
//!
//! The page is our own JavaScript (`SCRIPTS`, in the order in which they are read) over one block of JSON (`data`). Nothing is fetched: a content security policy names the digests of the one
//! script and the one style sheet, and forbids everything else. Names come from files that anybody may have written, so the block is escaped such that no markup is in it, and the
//! scripts make text nodes and attributes only, never markup.

mod columns;
mod data;
mod inert;
mod runs;
mod shares;

use crate::material::Material;
use crate::shorten::shortened;
use propcov_result::RunResult;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::io;

/// The scripts of the page.
const SCRIPTS: &[&str] = &[
    include_str!("page/dom.js"),
    include_str!("page/data.js"),
    include_str!("page/list.js"),
    include_str!("page/wave.js"),
    include_str!("page/panel.js"),
    include_str!("page/summary.js"),
    include_str!("page/source.js"),
    include_str!("page/findings.js"),
    include_str!("page/properties.js"),
    include_str!("page/matrix.js"),
    include_str!("page/states.js"),
    include_str!("page/refinement.js"),
    include_str!("page/main.js"),
];

/// Its style sheet.
const STYLE: &str = include_str!("page/style.css");

/// Writes the page.
pub fn write(result: &RunResult, material: &Material, to: &mut dyn io::Write) -> io::Result<()> {
    let (result, material) = (&*shortened(result), &*brief(material));
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat());
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        digest(&script),
        digest(STYLE)
    );
    writeln!(to, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(to, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")?;
    writeln!(to, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(to, "<meta name=\"color-scheme\" content=\"light dark\">\n<title>propcov</title>")?;
    write!(to, "<style>{STYLE}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n")?;
    writeln!(
        to,
        "<noscript>This report is drawn by JavaScript, which is switched off here. `propcov report` prints the same as text.</noscript>"
    )?;
    write!(to, "<script type=\"application/json\" id=\"data\">")?;
    let keys = result.keys(&|path| material.text(path));
    inert::write(&data::Data::new(result, material, &keys), to)?;
    write!(to, "</script>\n<script>{script}</script>\n</body>\n</html>\n")
}

/// The material, with short names in the run before.
fn brief(material: &Material) -> Cow<'_, Material> {
    match material.before.as_deref().map(shortened) {
        Some(Cow::Owned(before)) => {
            Cow::Owned(Material { before: Some(Box::new(before)), ..material.clone() })
        }
        _ => Cow::Borrowed(material),
    }
}

/// The digest of an inline script or style sheet, as policies have it.
pub(crate) fn digest(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text)))
}

/// Base64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let sextet = (bits >> (18 - 6 * at) & 63) as usize;
            text.push(if at <= three.len() { char::from(ALPHABET[sextet]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_in_its_standard() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn scripts_make_no_markup_and_evaluate_nothing() {
        let forbidden = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "http:",
        ];
        for script in SCRIPTS {
            let script = script.replace("http://www.w3.org/2000/svg", "");
            for word in forbidden {
                assert!(!script.contains(word), "{word}");
            }
            assert!(!script.contains("</"), "a script may not end the element that it is in");
        }
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import") && !STYLE.contains("</"));
    }
}

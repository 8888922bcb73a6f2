//! Requirements: identifiers and texts that properties formalise, from comments beside the properties or from a table.
//!
//! A comment `req: ID text`, or `%REQ ID text` as Lustre tools write such things, belongs to the property that is written on the same line or right below its block of comments: blank lines may be inside the
//! block, but not between it and the property. Several comments may stand above one property. What stands above something else belongs to no property, and is listed so. A table is CSV with the columns `id`, `text` and `properties` (names, separated by spaces or semicolons); a heading says which
//! column is which, and without one they are in this order.

use crate::material::Material;
use propcov_result::{Place, RunResult};

/// A requirement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Its identifier.
    pub id: String,
    /// What it says.
    pub text: String,
    /// The properties that formalise it.
    pub properties: Vec<String>,
    /// Where the comment is, if it is from one.
    pub place: Option<Place>,
}

/// What begins a comment in one of the formats that are read.
const COMMENTS: [&str; 6] = ["//", "--", "/*", "(*", ";", "#"];
/// What begins a requirement in a comment.
const SIGNS: [&str; 2] = ["req:", "%req"];

/// All requirements: those of tables first, then those in comments, in their order.
pub fn requirements(result: &RunResult, material: &Material) -> Vec<Requirement> {
    let mut all = material.requirements.clone();
    for text in &material.texts {
        let lines: Vec<&str> = text.text.lines().collect();
        for (number, line) in (1_u32..).zip(&lines) {
            let Some((id, said)) = in_comment(line) else { continue };
            let place = Place {
                file: text.path.clone(),
                line: number,
                column: 1,
                end_line: number,
                end_column: u32::try_from(line.chars().count()).unwrap_or(u32::MAX).max(1),
            };
            let properties = next_property(result, &text.path, &lines, number).into_iter().collect();
            let found = Requirement { id, text: said, properties, place: Some(place) };
            match all.iter_mut().find(|known| known.id == found.id) {
                // One requirement may have several properties.
                Some(known) => {
                    known.properties.extend(found.properties.iter().cloned());
                    known.properties.dedup();
                }
                None => all.push(found),
            }
        }
    }
    all
}

/// Adds what another table has. A requirement that is in both has the properties of both.
pub fn unite(all: &mut Vec<Requirement>, more: Vec<Requirement>) {
    for found in more {
        match all.iter_mut().find(|known| known.id == found.id) {
            Some(known) => {
                let new: Vec<String> =
                    found.properties.into_iter().filter(|name| !known.properties.contains(name)).collect();
                known.properties.extend(new);
                if known.text.is_empty() {
                    known.text = found.text;
                }
            }
            None => all.push(found),
        }
    }
}

/// What is wrong with tables: requirements whose properties the result does not have.
pub fn complaints(result: &RunResult, tables: &[Requirement]) -> Vec<String> {
    let exists = |name: &str| result.properties.iter().any(|property| property.name == name);
    let missing = tables.iter().flat_map(|requirement| {
        requirement.properties.iter().filter(|name| !exists(name)).map(|name| (&requirement.id, name))
    });
    missing.map(|(id, name)| format!("requirement {id}: there is no property `{name}`")).collect()
}

/// Identifier and text, if a line has a comment with a requirement.
fn in_comment(line: &str) -> Option<(String, String)> {
    let begins = |sign: &&str| line.find(sign.to_owned()).map(|at| (at, at + sign.len()));
    let (_, inside) = COMMENTS.iter().filter_map(begins).min()?;
    let comment = line.get(inside..)?.trim_start();
    let is_sign =
        |sign: &&&str| comment.get(..sign.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(sign));
    let sign = SIGNS.iter().find(is_sign)?;
    let rest = comment.get(sign.len()..)?.trim_start_matches(':');
    // `%REQUIRED` is another word.
    let rest = Some(rest).filter(|rest| sign.ends_with(':') || rest.starts_with([' ', '\t']))?;
    let rest = rest.trim().trim_end_matches("*/").trim_end_matches("*)").trim();
    let (id, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let id = id.trim_end_matches(':');
    (!id.is_empty()).then(|| (id.to_owned(), text.trim().to_owned()))
}

/// The property that a comment stands right above, or beside.
fn next_property(result: &RunResult, file: &str, lines: &[&str], line: u32) -> Option<String> {
    let written = result.properties.iter().filter_map(|property| Some((property, property.place.as_ref()?)));
    let here: Vec<_> = written.filter(|(_, place)| place.file == file).collect();
    let beside =
        here.iter().filter(|(_, place)| place.line <= line && line <= place.end_line.max(place.line));
    if let Some((property, _)) = beside.min_by_key(|(_, place)| (line - place.line, place.column)) {
        return Some(property.name.clone());
    }
    let is_open = |text: &str| text.rfind("/*") > text.rfind("*/") || text.rfind("(*") > text.rfind("*)");
    let mut is_inside = lines.get(line as usize - 1).is_some_and(|text| is_open(text));
    let mut is_adjacent = true;
    for (number, text) in (1_u32..).zip(lines).skip(line as usize) {
        let begins = here.iter().filter(|(_, place)| place.line == number);
        if let Some((property, _)) = begins.min_by_key(|(_, place)| place.column) {
            return is_adjacent.then(|| property.name.clone());
        }
        let text = text.trim();
        let is_comment = is_inside || COMMENTS.iter().any(|sign| text.starts_with(sign));
        // A label or a keyword may have a line of its own.
        let is_word = !text.is_empty() && !text.contains([' ', '\t', ';']) && is_adjacent;
        if is_inside && (text.contains("*/") || text.contains("*)")) {
            is_inside = false;
        } else {
            is_inside |= is_comment && is_open(text);
        }
        match () {
            () if is_comment || is_word => is_adjacent = true,
            () if text.is_empty() => is_adjacent = false,
            () => return None,
        }
    }
    None
}

/// The requirements of a table.
///
/// # Errors
/// When it is no table, or a row has no identifier: the line, and what was expected.
pub fn from_csv(text: &str) -> Result<Vec<Requirement>, String> {
    let rows = rows(text.trim_start_matches('\u{feff}'))?;
    let mut columns: [Option<usize>; 3] = [Some(0), Some(1), Some(2)];
    let mut rows = rows.into_iter().peekable();
    if let Some((_, first)) = rows.peek() {
        let position = |names: &[&str]| {
            first.iter().position(|field| names.iter().any(|name| field.trim().eq_ignore_ascii_case(name)))
        };
        let named = [
            position(&["id", "identifier"]),
            position(&["text", "requirement"]),
            position(&["properties", "property"]),
        ];
        if named[0].is_some() {
            columns = named;
            rows.next();
        }
    }
    let mut all = Vec::new();
    for (line, row) in rows {
        let field = |at: Option<usize>| at.and_then(|at| row.get(at)).map_or("", |field| field.trim());
        let [id, text, properties] = columns.map(field);
        if id.is_empty() {
            return Err(format!("line {line}: expected an identifier, text and properties"));
        }
        let properties = properties.split([';', ' ', '\t', '\n']).filter(|name| !name.is_empty());
        let properties = properties.map(str::to_owned).collect();
        all.push(Requirement { id: id.to_owned(), text: text.to_owned(), properties, place: None });
    }
    Ok(all)
}

/// Fields by row, each with the line that it begins in (RFC 4180). Empty lines are left out.
fn rows(text: &str) -> Result<Vec<(usize, Vec<String>)>, String> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut line, mut begin, mut quoted) = (1, 1, None);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        line += usize::from(character == '\n');
        match (character, quoted) {
            ('"', Some(_)) if characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            ('"', Some(_)) => quoted = None,
            (other, Some(_)) => field.push(other),
            ('"', None) if field.trim().is_empty() => {
                field.clear();
                quoted = Some(line);
            }
            (',', None) => row.push(std::mem::take(&mut field)),
            ('\r', None) => {}
            ('\n', None) => {
                row.push(std::mem::take(&mut field));
                rows.push((begin, std::mem::take(&mut row)));
                begin = line;
            }
            (other, None) => field.push(other),
        }
    }
    if let Some(line) = quoted {
        return Err(format!("line {line}: expected `\"` at the end of a field"));
    }
    row.push(field);
    rows.push((begin, row));
    rows.retain(|(_, row)| row.iter().any(|field| !field.trim().is_empty()));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Text;
    use propcov_result::{Property, Verdict};

    fn property(name: &str, line: u32) -> Property {
        let place = Place { file: "a.sv".to_owned(), line, column: 3, end_line: line, end_column: 9 };
        Property {
            name: name.to_owned(),
            kind: "invariant".to_owned(),
            formula: None,
            place: Some(place),
            verdict: Verdict::Proved,
            depth: None,
            reason: None,
            engine: None,
            certified: true,
            vacuous: false,
            recalled: false,
            helpers: Vec::new(),
            seconds: 0.0,
            evidence: None,
            trace: None,
            attempt: None,
            tested: None,
            unmet: Vec::new(),
            stray: None,
            inductive: None,
            smooth: None,
            core: None,
            core_reason: None,
            own: Vec::new(),
            reads: None,
        }
    }

    #[test]
    fn a_comment_belongs_to_the_property_beside_or_below_it() {
        let mut result = RunResult::new("cover", 0);
        result.properties = vec![property("late", 9), property("p", 3), property("q", 5)];
        let text = "// req: R-1 never more than four\n//REQ: R-2: flags\nassert p\n\nassert q // req: R-3\n\
                    --%REQ R-4 the rest\n-- a requirement: none\n--%REQUIRED x\n/* req: R-1 again */ last\n// req: R-9\n";
        let material = Material {
            texts: vec![Text { path: "a.sv".to_owned(), text: text.to_owned() }],
            ..Material::default()
        };
        let found: Vec<(String, String, String)> = requirements(&result, &material)
            .into_iter()
            .map(|one| (one.id, one.text, one.properties.join(" ")))
            .collect();
        let expected = [
            ("R-1", "never more than four", "p late"),
            ("R-2", "flags", "p"),
            ("R-3", "", "q"),
            ("R-4", "the rest", "late"),
            ("R-9", "", ""),
        ];
        assert_eq!(found, expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())));
    }

    #[test]
    fn a_comment_above_something_else_belongs_to_no_property() {
        let mut result = RunResult::new("cover", 0);
        result.properties = vec![property("p", 4), property("q", 8), property("r", 12), property("s", 16)];
        let text = "// req: R-1 of a signal\nlogic x;\n// req: R-2\nassert p;\n// req: R-3\n\n// inside the block\nassert q;\n\
                    // req: R-4 too far away\n\n\nassert r;\n/* req: R-5\n   over two lines */\nlabel:\n  assert s;\n";
        let material = Material {
            texts: vec![Text { path: "a.sv".to_owned(), text: text.to_owned() }],
            ..Material::default()
        };
        let found = requirements(&result, &material);
        let found: Vec<(&str, String)> =
            found.iter().map(|one| (one.id.as_str(), one.properties.join(" "))).collect();
        let expected = [("R-1", ""), ("R-2", "p"), ("R-3", "q"), ("R-4", ""), ("R-5", "s")];
        assert_eq!(found, expected.map(|(id, name)| (id, name.to_owned())));
    }

    #[test]
    fn a_table_may_have_a_heading_and_quotes() {
        let read =
            from_csv("Properties,ID,Text\r\n\"p;q\",R1,\"says \"\"so\"\",\nover two lines\"\r\n\r\n,R2,\r\n");
        let read = read.expect("a table");
        assert_eq!(read[0].id, "R1");
        assert_eq!(read[0].text, "says \"so\",\nover two lines");
        assert_eq!(read[0].properties, ["p", "q"]);
        assert_eq!((read[1].id.as_str(), read[1].properties.len(), read.len()), ("R2", 0, 2));
        assert_eq!(from_csv("R1,text,p q\n").expect("a table")[0].properties, ["p", "q"]);
    }

    #[test]
    fn several_tables_are_united_and_properties_that_do_not_exist_are_named() {
        let mut result = RunResult::new("check", 0);
        result.properties = vec![property("ok", 3), property("late", 9)];
        let mut all = from_csv("id,text,property\nR1,stays in range,ok\nR3,,missing\n").expect("a table");
        unite(&mut all, from_csv("id,text,property\nR1,again,ok late\nR3,nothing,\n").expect("a table"));
        assert_eq!((all.len(), all[0].text.as_str(), all[1].text.as_str()), (2, "stays in range", "nothing"));
        assert_eq!(all[0].properties, ["ok", "late"]);
        assert_eq!(complaints(&result, &all), ["requirement R3: there is no property `missing`"]);
        let material = Material { requirements: all, ..Material::default() };
        let style = crate::terminal::Style { width: 80, colour: false };
        let text = crate::text::formalised(&result, &material, &style);
        let words: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<&str>>().join(" ")).collect();
        for expected in
            ["R1 ok proved stays in range", "R1 late proved", "R3 missing no such property nothing"]
        {
            assert!(words.iter().any(|line| line == expected), "{text}");
        }
        let text = crate::markdown::markdown(&result, &material);
        for expected in ["| `R1` | `late` | proved |", "| `R3` | `missing` | :warning: no such property |"] {
            assert!(text.contains(expected), "{text}");
        }
        let none = Material::default();
        assert_eq!(crate::text::formalised(&result, &none, &style), "");
        assert!(!crate::markdown::markdown(&result, &none).contains("requirement"));
    }

    #[test]
    fn what_is_wrong_with_a_table_is_said_with_its_line() {
        assert_eq!(from_csv("R1,\"open\n"), Err("line 1: expected `\"` at the end of a field".to_owned()));
        let expected = "line 2: expected an identifier, text and properties";
        assert_eq!(from_csv("R1,a,p\n,b,q\n"), Err(expected.to_owned()));
    }
}

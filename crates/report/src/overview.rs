//! Several designs, or several tasks of a project, on one page: a line for each, with its headlines and a link to its own report.
//!
//! The page has no script at all. Names are text, whatever is in them.

use crate::html::digest;
use crate::material::Material;
use crate::terminal::{Align, Page, Style, Table, printable};
use crate::xml::escape;
use propcov_result::{RunResult, Scope, Threshold, Verdict};
use std::fmt::Write as _;
use std::path::Path;

/// A design with its newest run.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'r> {
    /// Its name: that of its directory, below the one that the page is in.
    pub name: &'r str,
    /// Whether its directory has a page.
    pub has_page: bool,
    /// What the run found out.
    pub result: &'r RunResult,
    /// What there is besides.
    pub material: &'r Material,
}

/// What the results of one command are called: by the name that the design has in `propcov.toml`, or by its first file; where others are about the same one, as tasks of a project are, by the task, the directory or the number as well.
pub fn names(results: &[&RunResult]) -> Vec<String> {
    let path = |result: &RunResult| {
        let file =
            result.design.as_ref().and_then(|design| design.files.first()).map(|file| file.path.clone());
        let model = result.refinement.as_ref().map(|refinement| refinement.implementation.path.clone());
        let configured = result.run.configuration.as_ref().and_then(|file| file.design.clone());
        configured.or(file).or(model).unwrap_or_else(|| "propcov".to_owned())
    };
    let paths: Vec<String> = results.iter().map(|result| path(result)).collect();
    let directory = |result: &RunResult| {
        let task = result.design.as_ref().and_then(|design| design.task.clone());
        task.or_else(|| {
            let directory = Path::new(result.run.directory.as_deref()?).file_name()?;
            Some(directory.to_string_lossy().into_owned())
        })
    };
    let name = |(at, (result, path)): (usize, (&&RunResult, &String))| {
        let mut alike = results.iter().zip(&paths).filter(|(_, other)| *other == path);
        if alike.clone().count() == 1 {
            return path.clone();
        }
        let own = directory(result);
        match own
            .filter(|own| alike.by_ref().filter(|(one, _)| directory(one).as_ref() == Some(own)).count() == 1)
        {
            Some(own) => format!("{path} ({own})"),
            None => format!("{path} ({})", at + 1),
        }
    };
    results.iter().zip(&paths).enumerate().map(name).collect()
}

impl Entry<'_> {
    fn headlines(&self) -> Vec<String> {
        let shares = self.result.shares.iter().filter(|share| share.scope == Scope::All);
        shares.map(|share| format!("{} {}", share.metric, share.headline_text())).collect()
    }

    fn verdicts(&self) -> String {
        let count = |wanted: &[Verdict]| {
            self.result.properties.iter().filter(|one| wanted.contains(&one.verdict)).count()
        };
        let counts = [
            (count(&[Verdict::Proved, Verdict::Reached]), "good"),
            (count(&[Verdict::Falsified, Verdict::Unreachable]), "failed"),
            (count(&[Verdict::Bounded]), "bounded"),
            (count(&[Verdict::Unknown]), "unknown"),
        ];
        let shown = counts.iter().filter(|(count, _)| *count > 0);
        shown.map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
    }
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 24px auto; max-width: 1100px; padding: 0 16px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 6px 14px 6px 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
.bad { font-weight: 700; }
";

/// The page.
pub fn html(entries: &[Entry<'_>]) -> String {
    let text = |text: &str| {
        let mut escaped = String::new();
        escape(&printable(text), &mut escaped);
        escaped
    };
    let policy =
        format!("default-src 'none'; style-src '{}'; base-uri 'none'; form-action 'none'", digest(STYLE));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>propcov</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>propcov: {} designs</h1>\n\
         <div class=\"scroll\"><table>\n<tr><th>design</th><th>properties</th><th>coverage</th><th>run</th></tr>\n",
        entries.len()
    );
    for entry in entries {
        let name = match entry.has_page {
            true => {
                format!("<a href=\"{}/report.html\">{}</a>", crate::sarif::uri(entry.name), text(entry.name))
            }
            false => text(entry.name),
        };
        let is_bad = entry
            .result
            .properties
            .iter()
            .any(|one| matches!(one.verdict, Verdict::Falsified | Verdict::Unreachable));
        let class = if is_bad { " class=\"bad\"" } else { "" };
        let headlines: Vec<String> = entry.headlines().iter().map(|line| text(line)).collect();
        let run =
            format!("{} {}", entry.result.run.command, entry.result.run.date.as_deref().unwrap_or_default());
        let _ = writeln!(
            page,
            "<tr><td>{name}</td><td{class}>{}</td><td>{}</td><td>{}</td></tr>",
            text(&entry.verdicts()),
            headlines.join("<br>"),
            text(&run)
        );
    }
    page.push_str("</table></div>\n</body>\n</html>\n");
    page
}

/// The same for people at a terminal.
pub fn text(entries: &[Entry<'_>], style: &Style) -> String {
    let mut page = Page::new(style);
    let mut table = Table::with_headings(&[
        ("design", Align::Left),
        ("command", Align::Left),
        ("properties", Align::Left),
        ("coverage", Align::Left),
    ]);
    for entry in entries {
        let command = entry.result.run.command.clone();
        table.row([entry.name.to_owned(), command, entry.verdicts(), entry.headlines().join(", ")]);
    }
    page.table(0, &table);
    let complaints: Vec<String> = (entries.iter())
        .flat_map(|entry| {
            let said = entry.result.run.thresholds.iter().filter_map(Threshold::complaint);
            said.map(|complaint| format!("{}: {complaint}", entry.name))
        })
        .collect();
    if !complaints.is_empty() {
        page.gap();
    }
    for complaint in &complaints {
        page.warning(complaint);
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_result::{Share, Tally};

    #[test]
    fn each_design_has_a_line_with_its_headline_and_names_are_text() {
        let mut result = RunResult::new("cover", 0);
        let tally = Tally { covered: 1_usize.into(), uncovered: 1_usize.into(), ..Tally::default() };
        result.shares.push(Share::new("mutation", Scope::All, tally, true));
        let (result, material) = (&result, &Material::default());
        let entry = |name, has_page| Entry { name, has_page, result, material };
        let entries = [entry("fifo", true), entry("<b>\"x\"", true), entry("later", false)];
        let page = html(&entries);
        assert!(page.contains("<a href=\"fifo/report.html\">fifo</a>"), "{page}");
        assert!(page.contains("<a href=\"%3Cb%3E%22x%22/report.html\">") && !page.contains("<b>"), "{page}");
        assert!(page.contains("<td>later</td>") && page.matches("mutation 50.00 %").count() == 3);
        assert_eq!(text(&entries, &Style::default()).lines().count(), 4);
    }
}

//! Cobertura's XML, which GitLab, Jenkins and Azure show. What lines and branches are here: `lines`. A file is a class, its directory a package.

use crate::grades::graded;
use crate::lines::{Line, added, lines};
use crate::terminal::printable;
use crate::xml::Xml;
use propcov_result::RunResult;
use std::collections::BTreeMap;

/// A file and its lines.
type Class<'l> = (&'l str, &'l BTreeMap<u32, Line>);

/// How much of something is hit.
#[derive(Clone, Copy, Default)]
struct Sum {
    lines: usize,
    hit: usize,
    branches: usize,
    taken: usize,
}

impl Sum {
    fn of<'l>(lines: impl Iterator<Item = &'l Line>) -> Sum {
        let mut sum = Sum::default();
        for line in lines {
            sum.lines += 1;
            sum.hit += usize::from(line.hits > 0);
            sum.branches += line.branches.len();
            sum.taken += line.taken();
        }
        sum
    }

    /// As a number from 0 to 1. Nothing of nothing is all.
    fn rate(hit: usize, of: usize) -> String {
        if of == 0 { "1".to_owned() } else { format!("{:.4}", hit as f64 / of as f64) }
    }

    fn line_rate(self) -> String {
        Sum::rate(self.hit, self.lines)
    }

    fn branch_rate(self) -> String {
        Sum::rate(self.taken, self.branches)
    }
}

/// The document. The time is in milliseconds since 1970; 0 where a result has no date.
pub fn cobertura(result: &RunResult) -> String {
    united(&[result])
}

/// One document of all results. What several of them say about a line is added up, as genhtml does with records of the same file.
pub fn united(results: &[&RunResult]) -> String {
    let graded: Vec<_> = results.iter().map(|result| graded(result)).collect();
    let files = added(graded.iter().map(|graded| lines(graded)));
    let sum = Sum::of(files.values().flat_map(BTreeMap::values));
    let seconds = results.iter().filter_map(|result| crate::date::seconds(result.run.date.as_deref()?));
    let seconds = seconds.max().unwrap_or(0);
    let version = results.first().map_or("", |result| result.run.version.as_str());
    let mut xml = Xml::new(
        "coverage",
        &[
            ("line-rate", &sum.line_rate()),
            ("branch-rate", &sum.branch_rate()),
            ("lines-covered", &sum.hit.to_string()),
            ("lines-valid", &sum.lines.to_string()),
            ("branches-covered", &sum.taken.to_string()),
            ("branches-valid", &sum.branches.to_string()),
            ("complexity", "0"),
            ("version", &format!("propcov {}", printable(version))),
            ("timestamp", &(seconds * 1000).to_string()),
        ],
    );
    xml.open("sources", &[]);
    xml.leaf("source", &[], ".");
    xml.close();
    xml.open("packages", &[]);
    let mut packages: BTreeMap<&str, Vec<Class<'_>>> = BTreeMap::new();
    for (file, lines) in &files {
        let package = file.rsplit_once('/').map_or(".", |(directory, _)| directory);
        packages.entry(package).or_default().push((file, lines));
    }
    for (package, classes) in packages {
        let sum = Sum::of(classes.iter().flat_map(|(_, lines)| lines.values()));
        open(&mut xml, "package", &[("name", &printable(package))], sum);
        xml.open("classes", &[]);
        for (file, lines) in classes {
            let name = printable(file);
            let class = name.rsplit('/').next().unwrap_or(&name);
            open(&mut xml, "class", &[("name", class), ("filename", &name)], Sum::of(lines.values()));
            xml.empty("methods", &[]);
            xml.open("lines", &[]);
            for (number, line) in lines {
                one(&mut xml, *number, line);
            }
            xml.close();
            xml.close();
        }
        xml.close();
        xml.close();
    }
    xml.finish()
}

fn open(xml: &mut Xml, name: &'static str, attributes: &[(&'static str, &str)], sum: Sum) {
    let (lines, branches) = (sum.line_rate(), sum.branch_rate());
    let rates = [("line-rate", lines.as_str()), ("branch-rate", &branches), ("complexity", "0")];
    xml.open(name, &[attributes, &rates].concat());
}

fn one(xml: &mut Xml, number: u32, line: &Line) {
    let (number, hits) = (number.to_string(), line.hits.to_string());
    let [taken, all] = [line.taken(), line.branches.len()];
    let percent = 100 * taken / all.max(1);
    let condition = format!("{percent}% ({taken}/{all})");
    xml.empty(
        "line",
        &[("number", &number), ("hits", &hits), ("branch", "true"), ("condition-coverage", &condition)],
    );
}

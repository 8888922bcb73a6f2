//! Reads `worked_examples.txt`: graphs with formulas whose coverage is known.
//!
//! An example is a title, a graph, and a line for each formula:
//!
//! ```text
//! ## E1 AG(p1 -> AX AX q)
//!   init={0} edges=[(0, 1), (1, 1)] labels={'p1': [0], 'q': [1]} fair=[] dontcare=[] reach={0,1} fairstates={0,1}
//!   AX q        holds ckv={1} def3={1} table1={1} xu={(0, 1)} xu_alg={(0, 1)}
//!   AX AX p1    FAILS
//! ```

use super::Kripke;
use crate::written::WrittenCtl;
use std::collections::{BTreeMap, BTreeSet};

/// A graph and what is known of it. The observed label is `q`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkedExample {
    /// The line that it starts with.
    pub title: String,
    /// The graph.
    pub kripke: Kripke,
    /// States that do not count.
    pub dont_care: BTreeSet<usize>,
    /// The formulas about it.
    pub formulas: Vec<ExampleFormula>,
}

/// A formula and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleFormula {
    /// The formula.
    pub formula: WrittenCtl,
    /// Whether it holds. The other fields are empty if it does not.
    pub holds: bool,
    /// The states covered by mutation (`ckv=`).
    pub mutation: BTreeSet<usize>,
    /// The states covered by observability (`def3=`), implications taken apart.
    pub observability: BTreeSet<usize>,
    /// The transitions covered by observability (`xu=`), implications taken apart. Don't-cares count here.
    pub transitions: BTreeSet<(usize, usize)>,
}

/// The examples in the text, without those on simulation (S1 and so on).
///
/// # Errors
/// When a line cannot be read.
pub fn worked_examples(text: &str) -> Result<Vec<WorkedExample>, String> {
    let mut examples: Vec<WorkedExample> = Vec::new();
    for block in text.split("## ").filter(|block| block.starts_with('E')) {
        let mut lines = block.lines().filter(|line| !line.trim().is_empty());
        let title = lines.next().unwrap_or_default().to_owned();
        let graph = lines.next().ok_or_else(|| format!("{title} has no graph"))?;
        let (kripke, dont_care) = graph_of(graph).ok_or_else(|| format!("cannot read {graph}"))?;
        let formulas = lines.map(formula_of).collect::<Result<_, _>>()?;
        examples.push(WorkedExample { title, kripke, dont_care, formulas });
    }
    Ok(examples)
}

/// What follows `name=` up to the next name.
fn field<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let start = line.find(&format!(" {name}="))? + name.len() + 2;
    let rest = &line[start..];
    let end = rest.find('=').and_then(|next| rest[..next].rfind(' ')).unwrap_or(rest.len());
    Some(rest[..end].trim())
}

fn numbers(text: &str) -> Vec<usize> {
    let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    digits.filter_map(|digits| digits.parse().ok()).collect()
}

fn pairs(text: &str) -> Vec<(usize, usize)> {
    numbers(text).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

/// The lists of numbers inside of a list of lists.
fn lists(text: &str) -> Vec<Vec<usize>> {
    text.trim_start_matches('[').split('[').filter(|list| list.contains(']')).map(numbers).collect()
}

fn graph_of(line: &str) -> Option<(Kripke, BTreeSet<usize>)> {
    let edges = pairs(field(line, "edges")?);
    let mut labels = BTreeMap::new();
    for label in field(line, "labels")?.split("],") {
        let (name, states) = label.split_once(':')?;
        let name = name.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        labels.insert(name.to_owned(), numbers(states));
    }
    let fairness = field(line, "fair")?;
    let kripke = Kripke {
        states: edges.iter().map(|(from, to)| from.max(to) + 1).max()?,
        initial: numbers(field(line, "init")?),
        edges,
        labels,
        fairness: if fairness == "[]" { Vec::new() } else { lists(fairness) },
    };
    Some((kripke, numbers(field(line, "dontcare")?).into_iter().collect()))
}

fn formula_of(line: &str) -> Result<ExampleFormula, String> {
    let split = |word: &str| line.find(word).map(|at| line.split_at(at));
    let (holds, (formula, known)) = match (split(" holds"), split(" FAILS")) {
        (Some(parts), None) => (true, parts),
        (None, Some(parts)) => (false, parts),
        _ => return Err(format!("cannot read {line}")),
    };
    let states = |name| field(known, name).map(numbers).unwrap_or_default().into_iter().collect();
    Ok(ExampleFormula {
        formula: formula.trim().parse()?,
        holds,
        mutation: states("ckv"),
        observability: states("def3"),
        transitions: field(known, "xu").map(pairs).unwrap_or_default().into_iter().collect(),
    })
}

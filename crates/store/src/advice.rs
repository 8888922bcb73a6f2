//! Advice: lemmas that earlier runs have proved, as candidates for the next one.
//!
//! A file of JSON lines. The first line says what the file is; each other line is one lemma, complete in itself: its text for people, the properties whose proofs
//! use it and the length of these inductions, the signals that it reads with their sorts, and its expression, node by node, as in the run directory. A lemma about signals that the design does not
//! have, or has with another sort, is kept as it is and not used: the file may have been written for another version of the design.
//!
//! Nothing here is believed. Who reads a file has to check every lemma.

use crate::error::{Malformed, StoreError};
use crate::names::Names;
use crate::node;
use crate::value::{sort_from_json, sort_to_json};
use propcov_ir::{ElementSet, ExprId, ExprPool, Invariant, Node, Proof, Sort, System};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Changes when a line changes its form or its meaning.
const SCHEMA: &str = "propcov-advice/1";

/// The first line.
#[derive(Serialize, Deserialize)]
struct Heading {
    schema: String,
    /// The version of propcov that wrote it.
    version: String,
    /// The path of the design, for people.
    design: String,
}

/// One lemma.
#[derive(Clone, Serialize, Deserialize)]
struct Line {
    /// Its text, for people. It means nothing.
    lemma: String,
    /// The properties whose proofs use it.
    #[serde(rename = "for")]
    properties: BTreeSet<String>,
    /// The longest of these inductions.
    k: u32,
    /// What it reads, by name, with sorts.
    signals: BTreeMap<String, Json>,
    /// Its expression, operands first.
    nodes: Vec<Json>,
}

/// Lemmas for one design.
#[derive(Default)]
pub struct Advice {
    lines: Vec<Line>,
    /// The lemmas of these lines.
    invariant: Invariant,
    /// Lines about signals that the design does not have.
    foreign: Vec<String>,
}

impl Advice {
    /// What a file says about a design.
    ///
    /// # Errors
    /// When no propcov wrote the file, or another version with another form, or when a line is damaged: with the line, and the position in it.
    pub fn parse(path: &Path, bytes: &[u8], system: &System) -> Result<Advice, StoreError> {
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').zip(1..);
        let no_advice =
            |message: String| corrupt(path, 1, format!("this is no advice of propcov: {message}"));
        let (first, _) = lines.next().ok_or_else(|| no_advice("the file is empty".to_owned()))?;
        let heading: Heading = serde_json::from_slice(first).map_err(|error| no_advice(reason(&error)))?;
        if heading.schema != SCHEMA {
            let message = format!("the form is `{}`, and `{SCHEMA}` is expected", heading.schema);
            return Err(corrupt(path, 1, message));
        }
        let names = Names::new(system);
        let mut advice = Advice::default();
        for (bytes, number) in lines {
            let line: Line =
                serde_json::from_slice(bytes).map_err(|error| corrupt(path, number, reason(&error)))?;
            let malformed = |Malformed(message)| corrupt(path, number, message);
            if fits(system, &names, &line).map_err(malformed)? {
                let lemma = advice.expression(&names, &line).map_err(malformed)?;
                advice.add(lemma, line);
            } else {
                advice.foreign.push(String::from_utf8_lossy(bytes).trim_end().to_owned());
            }
        }
        Ok(advice)
    }

    /// The expression of a line, in the pool of all of them.
    fn expression(&mut self, names: &Names<'_>, line: &Line) -> Result<ExprId, Malformed> {
        let (mut pool, mut exprs) = (ExprPool::new(), Vec::with_capacity(line.nodes.len()));
        for json in &line.nodes {
            let made = node::from_json(names, &mut pool, &exprs, json)?;
            exprs.push(Some(made));
            if let Node::Signal(signal) | Node::Next(signal) = pool.node(made)
                && !line.signals.contains_key(names.name(*signal))
            {
                return Err(Malformed::new(format!("signal {json} is not listed")));
            }
        }
        let lemma = exprs.last().copied().flatten().filter(|last| *pool.sort(*last) == Sort::BOOL);
        let lemma = lemma.ok_or_else(|| Malformed::new("the lemma is not Boolean"))?;
        Ok(copy(&pool, lemma, &mut self.invariant.exprs))
    }

    fn add(&mut self, lemma: ExprId, line: Line) {
        match self.invariant.lemmas.iter().position(|known| *known == lemma) {
            Some(known) => {
                let known = &mut self.lines[known];
                known.properties.extend(line.properties);
                known.k = known.k.max(line.k);
            }
            None => {
                self.invariant.lemmas.push(lemma);
                self.lines.push(line);
            }
        }
    }

    /// All lemmas about signals of the design, in order.
    pub fn invariant(&self) -> &Invariant {
        &self.invariant
    }

    /// How many lemmas are about signals that the design does not have.
    pub fn foreign(&self) -> usize {
        self.foreign.len()
    }

    /// The argument that the lemmas of a property's proof make, and their positions.
    pub fn proof(&self, system: &System, property: &str) -> Option<(Proof, Vec<usize>)> {
        let used = |position: &usize| self.lines[*position].properties.contains(property);
        let positions: Vec<usize> = (0..self.lines.len()).filter(used).collect();
        let k = positions.iter().map(|position| self.lines[*position].k).max()?;
        let mut invariant = Invariant::default();
        for position in &positions {
            let lemma = self.invariant.lemmas[*position];
            let lemma = copy(&self.invariant.exprs, lemma, &mut invariant.exprs);
            invariant.lemmas.push(lemma);
        }
        let core: ElementSet = system.element_ids().collect();
        Some((Proof { invariant: invariant.into(), k: k.max(1), simple_path: false, core }, positions))
    }

    /// Forgets the lemmas that are not at these positions.
    pub fn keep_only(&mut self, positions: &BTreeSet<usize>) {
        let mut lines = std::mem::take(&mut self.lines);
        let old = std::mem::take(&mut self.invariant);
        for (position, line) in lines.drain(..).enumerate() {
            if positions.contains(&position) {
                let lemma = copy(&old.exprs, old.lemmas[position], &mut self.invariant.exprs);
                self.invariant.lemmas.push(lemma);
                self.lines.push(line);
            }
        }
    }

    /// Adds a proved property and the lemmas of its proof.
    pub fn learn(&mut self, system: &System, property: &str, good: ExprId, proof: &Proof) {
        let mut view = system.clone();
        self.note(&view, property, proof.k, good);
        view.exprs = proof.invariant.exprs.clone();
        for lemma in &proof.invariant.lemmas {
            self.note(&view, property, proof.k, *lemma);
        }
    }

    /// Adds a lemma whose expression is in the system's pool.
    fn note(&mut self, view: &System, property: &str, k: u32, lemma: ExprId) {
        let mut pool = ExprPool::new();
        let expr = copy(&view.exprs, lemma, &mut pool);
        let mut signals = BTreeMap::new();
        let mut nodes = Vec::with_capacity(pool.len());
        // The copy has nothing but the lemma, which comes last.
        for id in (0..=expr.0).map(ExprId) {
            if let Node::Signal(signal) | Node::Next(signal) = pool.node(id) {
                let signal = view.signal(*signal);
                signals.insert(signal.name.clone(), sort_to_json(&signal.sort));
            }
            nodes.push(node::to_json(view, &pool, id));
        }
        let own = copy(&pool, expr, &mut self.invariant.exprs);
        let properties = BTreeSet::from([property.to_owned()]);
        self.add(own, Line { lemma: view.show(lemma).to_string(), properties, k, signals, nodes });
    }

    /// The text of a file that says the same.
    ///
    /// # Errors
    /// Never for what this crate makes; the encoder may say otherwise.
    pub fn print(&self, design: &str) -> Result<String, serde_json::Error> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let heading = Heading { schema: SCHEMA.to_owned(), version, design: design.to_owned() };
        let mut text = serde_json::to_string(&heading)?;
        text.push('\n');
        for line in &self.lines {
            text.push_str(&serde_json::to_string(line)?);
            text.push('\n');
        }
        for line in &self.foreign {
            text.push_str(line);
            text.push('\n');
        }
        Ok(text)
    }
}

/// Whether the design has all signals of a line.
fn fits(system: &System, names: &Names<'_>, line: &Line) -> Result<bool, Malformed> {
    for (name, sort) in &line.signals {
        let sort = sort_from_json(sort)?;
        if names.id(name).is_none_or(|signal| system.signal(signal).sort != sort) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The same expression in another pool.
fn copy(from: &ExprPool, expr: ExprId, to: &mut ExprPool) -> ExprId {
    to.copy(from, expr, &mut FxHashMap::default())
}

fn corrupt(path: &Path, line: usize, message: String) -> StoreError {
    StoreError::Corrupt { path: path.to_owned(), line, message }
}

/// What the parser says, without its own idea of the line: it has seen only one.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(text) => format!("{text} (column {})", error.column()),
        None => text,
    }
}

//! The traceability matrix as a view of a result: a row for each property, a column for each element in question, and what the analysis of validity cores found out about each
//! pair.
//!
//! Elements are given by number. What refers to an element that the result does not have keeps its number as a name, and marks that are missing are [`Mark::Unknown`], so that no rendering panics or
//! drops anything.
//!
//! # References
//! E. Ghassabani: Inductive Validity Cores. PhD thesis, University of Minnesota, 2018. Section 6.3, Figures 6.3 and 6.4.

use crate::marks::{add_what_follows, marks};
use crate::mutants::element_name;
use propcov_result::{CoreRow, Element, Property, Reads, RunResult, Verdict};
use std::collections::{BTreeSet, HashMap};

/// What all properties are called together.
pub(crate) const TOGETHER: &str = "all together";

/// A matrix property × element.
pub(crate) struct Traceability<'r> {
    result: &'r RunResult,
    /// The elements in question: the columns.
    pub(crate) elements: Vec<u32>,
    /// The properties.
    pub(crate) properties: Vec<Row<'r>>,
    /// The conjunction of all properties, if it was asked about and all of them hold.
    pub(crate) together: Option<Row<'r>>,
    /// How many properties the design has besides, about which nothing is said here.
    pub(crate) others: usize,
}

/// A property, or all of them together, and what it rests on.
pub(crate) struct Row<'r> {
    pub(crate) name: &'r str,
    /// What came of it; `None`: all together, or a property that the result does not have.
    pub(crate) property: Option<&'r Property>,
    pub(crate) verdict: Verdict,
    /// What is known of its cores.
    pub(crate) known: &'r CoreRow,
    marks: HashMap<u32, Mark>,
}

/// What a property has to do with an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// In every core: the property cannot be proved without it.
    Must,
    /// In some minimal core, but not in all.
    May,
    /// In a core that was found; more is not known.
    Core,
    /// Certainly in no minimal core. An element that is merely outside the cores that were found is [`Mark::Unknown`].
    Unused,
    /// It was not found out.
    #[default]
    Unknown,
    /// The property has no proof, so it has no cores.
    NoProof,
}

impl Mark {
    /// All of them, strongest first.
    pub const ALL: [Mark; 6] =
        [Mark::Must, Mark::May, Mark::Core, Mark::Unused, Mark::Unknown, Mark::NoProof];

    /// The sign in text matrices.
    pub fn symbol(self) -> char {
        match self {
            Mark::Must => 'X',
            Mark::May => 'o',
            Mark::Core => 'x',
            Mark::Unused => '.',
            Mark::Unknown => '?',
            Mark::NoProof => '-',
        }
    }

    /// The word in CSV and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Must => "must",
            Mark::May => "may",
            Mark::Core => "core",
            Mark::Unused => "unused",
            Mark::Unknown => "unknown",
            Mark::NoProof => "no-proof",
        }
    }

    /// What it means, for legends.
    pub fn meaning(self) -> &'static str {
        match self {
            Mark::Must => "MUST, in every core",
            Mark::May => "MAY, in some minimal core, not all",
            Mark::Core => "in a core that was found",
            Mark::Unused => "in no minimal core",
            Mark::Unknown => "not known",
            Mark::NoProof => "no proof, so no core",
        }
    }

    /// Whether some core that was found has the element.
    pub fn is_used(self) -> bool {
        matches!(self, Mark::Must | Mark::May | Mark::Core)
    }
}

impl<'r> Traceability<'r> {
    /// What a result says about cores.
    pub(crate) fn new(result: &'r RunResult) -> Traceability<'r> {
        let universe: BTreeSet<u32> =
            result.cores.iter().flat_map(|row| row.universe.iter().copied()).collect();
        let rows = || result.cores.iter();
        let properties: Vec<Row<'r>> = rows()
            .filter_map(|known| {
                let name = known.property.as_deref()?;
                let property = result.property(name);
                let verdict = property.map_or(Verdict::Unknown, |property| property.verdict);
                Some(Row { name, property, verdict, known, marks: marks(known) })
            })
            .collect();
        let together = rows().find(|row| row.property.is_none()).map(|known| {
            let mut marks = marks(known);
            add_what_follows(&mut marks, &properties);
            let is_bounded = properties.iter().any(|row| row.verdict == Verdict::Bounded);
            let verdict = if is_bounded { Verdict::Bounded } else { Verdict::Proved };
            Row { name: TOGETHER, property: None, verdict, known, marks }
        });
        let all = result.design.as_ref().map_or(0, |design| design.properties);
        let others = all.saturating_sub(properties.len());
        Traceability { result, elements: universe.into_iter().collect(), properties, together, others }
    }

    /// What the user calls the design: usually the file.
    pub(crate) fn design(&self) -> &'r str {
        let files = self.result.design.as_ref().map(|design| design.files.as_slice()).unwrap_or_default();
        files.first().map_or("", |file| file.path.as_str())
    }

    /// An element.
    pub(crate) fn element(&self, id: u32) -> Option<&'r Element> {
        self.result.element(id)
    }

    /// The name of an element.
    pub(crate) fn name(&self, id: u32) -> String {
        element_name(self.result, id)
    }

    /// The names of elements.
    pub(crate) fn names(&self, ids: &[u32]) -> Vec<String> {
        ids.iter().map(|id| self.name(*id)).collect()
    }

    /// The properties, then all of them together.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row<'r>> {
        self.properties.iter().chain(&self.together)
    }

    /// Elements that certainly no property needs: whatever they are, each property holds. Properties that do not
    /// hold do not count, nor do their own equations; if none holds, there are no such elements.
    pub(crate) fn unused(&self) -> Vec<u32> {
        self.of_all_that_hold(|mark| mark == Mark::Unused)
    }

    /// Elements that are in no core that was found, of any property; but some property may need them: they are
    /// not [`Traceability::unused`].
    pub(crate) fn open(&self) -> Vec<u32> {
        let unused = self.unused();
        let mut outside = self.of_all_that_hold(|mark| matches!(mark, Mark::Unused | Mark::Unknown));
        outside.retain(|element| unused.binary_search(element).is_err());
        outside
    }

    /// The elements with such a mark in each property that holds, without own equations.
    fn of_all_that_hold(&self, is_wanted: impl Fn(Mark) -> bool) -> Vec<u32> {
        let holding: Vec<&Row<'r>> = self.properties.iter().filter(|row| row.known.holds).collect();
        let in_question = |element: &u32| !holding.is_empty() && !self.is_own_equation(*element);
        let in_all = |element: &u32| holding.iter().all(|row| is_wanted(row.mark(*element)));
        self.elements.iter().copied().filter(in_question).filter(in_all).collect()
    }

    /// Whether an element is the equation of a property that needs it, as such equations do.
    pub(crate) fn is_own_equation(&self, element: u32) -> bool {
        self.properties.iter().any(|row| row.own().contains(&element) && row.mark(element) != Mark::Unused)
    }
}

impl<'r> Row<'r> {
    /// What the property has to do with an element.
    pub(crate) fn mark(&self, element: u32) -> Mark {
        self.marks.get(&element).copied().unwrap_or_default()
    }

    /// The elements with a mark.
    pub(crate) fn with(&self, mark: Mark) -> Vec<u32> {
        self.known.universe.iter().copied().filter(|element| self.mark(*element) == mark).collect()
    }

    /// The property's own equation, where it has one: an element, or several if equations were taken apart.
    pub(crate) fn own(&self) -> &'r [u32] {
        self.property.map(|property| property.own.as_slice()).unwrap_or_default()
    }

    /// What its expression mentions, if that is known.
    pub(crate) fn reads(&self) -> Option<&'r Reads> {
        self.property.and_then(|property| property.reads.as_ref())
    }
}

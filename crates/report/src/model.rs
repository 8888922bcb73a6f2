//! The traceability matrix as plain data: a row for each property, a column for each element, and what the analysis of validity cores found out about
//! each pair.
//!
//! Elements are named by their position in [`Traceability::elements`]. Positions out of range are ignored, and marks that are missing are
//! [`Mark::Unknown`], so that no rendering panics.
//!
//! # References
//! E. Ghassabani: Inductive Validity Cores. PhD thesis, University of Minnesota, 2018. Section 6.3, Figures 6.3 and 6.4.

/// A matrix property × element.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traceability {
    /// What the user calls the design: usually the file.
    pub design: String,
    /// The elements in question: the columns.
    pub elements: Vec<Element>,
    /// The properties: the rows.
    pub properties: Vec<Property>,
    /// How many properties the design has besides, about which nothing is said here.
    pub others: usize,
    /// The conjunction of all properties, if it was asked about and all of them hold.
    pub together: Option<Property>,
}

/// A column: a definition that the user wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Its hierarchical name.
    pub name: String,
    /// What it is: "equation", "register", …
    pub kind: String,
    /// Where it is written.
    pub place: Option<Place>,
    /// Whether no input and no state is behind it: it has the same value in every step of every run.
    pub constant: bool,
}

/// A range in a source file. Lines and columns count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// First line.
    pub line: usize,
    /// First column.
    pub column: usize,
    /// Last line.
    pub end_line: usize,
    /// Last column.
    pub end_column: usize,
}

/// A row: a property, and what it rests on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Whether it holds for a reason that says nothing about the design: assumptions conflict, or it is constant.
    pub vacuous: bool,
    /// What is known of each element, in the order of [`Traceability::elements`]. [`crate::marks::Known::marks`] computes them.
    pub marks: Vec<Mark>,
    /// The cores that were found, in the order in which they were found.
    pub cores: Vec<Core>,
    /// Whether these are certainly all minimal cores.
    pub complete: bool,
    /// Those of which it was asked, but not found out, whether they are in every core.
    pub must_unknown: Vec<usize>,
    /// A smallest core, if it is known.
    pub minimum: Option<Vec<usize>>,
    /// Bounded cores, by depth.
    pub by_depth: Vec<DepthCore>,
    /// Where the time went.
    pub seconds: Seconds,
    /// The values of a violation, for [`crate::jkind::document`]; may be empty.
    pub counterexample: Vec<SignalValues>,
    /// The property's own equation, where it has one: an element, or several if equations were taken apart.
    pub own: Vec<usize>,
    /// What the property's own expression mentions; for [`crate::remarks::remarks`]. `None` if it is not known.
    pub reads: Option<Reads>,
}

/// Whether a property holds in the design as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Proved {
        /// The engine that proved it.
        engine: String,
        /// Length of the induction.
        k: u32,
    },
    /// No violation in this many steps after the first; more was not asked for.
    UpTo(u32),
    /// It does not.
    Falsified {
        /// The engine that found the counterexample.
        engine: String,
        /// Number of its steps.
        length: usize,
    },
    /// It is not known.
    Unknown {
        /// Why.
        reason: String,
        /// Number of steps in which there is certainly no violation.
        true_for: u32,
    },
}

impl Default for Verdict {
    fn default() -> Verdict {
        Verdict::Unknown { reason: String::new(), true_for: 0 }
    }
}

impl Verdict {
    /// Whether there are cores: the property is proved, or holds up to the depth that was asked for.
    pub fn holds(&self) -> bool {
        matches!(self, Verdict::Proved { .. } | Verdict::UpTo(_))
    }

    /// The word in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "proved",
            Verdict::UpTo(_) => "bounded",
            Verdict::Falsified { .. } => "falsified",
            Verdict::Unknown { .. } => "unknown",
        }
    }
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

/// A set of elements from which the property can be proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Core {
    /// Its elements.
    pub elements: Vec<usize>,
    /// Whether it can do without some of them.
    pub minimal: Minimality,
    /// What is inductive in a proof from these elements, as text: the property, then lemmas. May be empty.
    pub invariants: Vec<String>,
}

/// Whether a core can do without any of its elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Minimality {
    /// It needs each of them.
    Minimal,
    /// Nobody has looked.
    #[default]
    Unchecked,
    /// It needs all but these, for which it could not be found out.
    Undecided(Vec<usize>),
}

/// The cores of a bounded proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DepthCore {
    /// Number of transitions.
    pub depth: u32,
    /// Suffices for all steps up to the depth (thesis, Definition 5).
    pub up_to: Vec<usize>,
    /// Suffices for the last of these steps alone (thesis, Figures 5.10, 5.12, 5.17).
    pub at: Vec<usize>,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// The proof of the property.
    pub proof: f64,
    /// The search for cores.
    pub cores: f64,
    /// Everything, checks included.
    pub total: f64,
    /// How long a single check of adequacy may take, if that is limited in seconds.
    pub check_limit: Option<f64>,
}

/// A signal in a violation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignalValues {
    /// Its name.
    pub name: String,
    /// The name of its type: "bool", "int", "real", …
    pub sort: String,
    /// Its value in each step; `None` where it has none. Booleans are 0 and 1, reals are fractions, as JKind has it.
    pub values: Vec<Option<String>>,
}

/// What the expression of a property mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Elements whose signals it mentions itself (not through definitions) in the antecedent, if it is an implication.
    pub antecedent: Vec<usize>,
    /// Those that it mentions elsewhere: the consequent, or all of it if it is no implication.
    pub consequent: Vec<usize>,
    /// Whether an input or a state is in its cone of influence. `false`: it is a statement about constants.
    pub changes: bool,
}

impl Traceability {
    /// The name of an element; a question mark for a position out of range.
    pub fn name(&self, element: usize) -> &str {
        self.elements.get(element).map_or("?", |element| element.name.as_str())
    }

    /// The properties, then all of them together.
    pub fn rows(&self) -> impl Iterator<Item = &Property> {
        self.properties.iter().chain(&self.together)
    }

    /// Elements that certainly no property needs: whatever they are, each property holds. Properties that do not
    /// hold do not count, nor do their own equations; if none holds, there are no such elements.
    pub fn unused(&self) -> Vec<usize> {
        self.of_all_that_hold(|mark| mark == Mark::Unused)
    }

    /// Elements that are in no core that was found, of any property; but some property may need them: they are
    /// not [`Traceability::unused`].
    pub fn open(&self) -> Vec<usize> {
        let unused = self.unused();
        let mut outside = self.of_all_that_hold(|mark| matches!(mark, Mark::Unused | Mark::Unknown));
        outside.retain(|element| unused.binary_search(element).is_err());
        outside
    }

    /// The elements with such a mark in each property that holds, without own equations.
    fn of_all_that_hold(&self, is_wanted: impl Fn(Mark) -> bool) -> Vec<usize> {
        let holding: Vec<&Property> = self.properties.iter().filter(|row| row.verdict.holds()).collect();
        let in_question = |element: &usize| !holding.is_empty() && !self.is_own_equation(*element);
        let in_all = |element: &usize| holding.iter().all(|row| is_wanted(row.mark(*element)));
        (0..self.elements.len()).filter(in_question).filter(in_all).collect()
    }

    /// Whether an element is the equation of a property that needs it, as such equations do.
    pub fn is_own_equation(&self, element: usize) -> bool {
        self.properties.iter().any(|row| row.own.contains(&element) && row.mark(element) != Mark::Unused)
    }
}

impl Property {
    /// What the property has to do with an element.
    pub fn mark(&self, element: usize) -> Mark {
        self.marks.get(element).copied().unwrap_or_default()
    }

    /// The elements with a mark.
    pub fn with(&self, mark: Mark) -> Vec<usize> {
        (0..self.marks.len()).filter(|&element| self.mark(element) == mark).collect()
    }
}

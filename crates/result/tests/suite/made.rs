//! Designs that are lines of text, each of them an element, and what a metric finds out about them: small enough that everything can be counted by hand.

use fastrand::Rng;
use propcov_result::{
    Element, Finding, FindingVerdict, Place, Property, Role, RunResult, Scope, Share, Subject, Tally, Verdict,
};

/// The file that all lines are in.
pub(crate) const FILE: &str = "rtl/made.sv";

/// A line with an element: who it is, what it is called, whether its name has its place, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The same for ever.
    pub(crate) identity: usize,
    pub(crate) name: String,
    pub(crate) is_statement: bool,
    pub(crate) value: String,
    /// What becomes of its edit: by each property.
    pub(crate) verdicts: Vec<FindingVerdict>,
    pub(crate) role: Role,
}

impl Line {
    pub(crate) fn text(&self) -> String {
        match self.is_statement {
            true => format!("  {}   <= {};", self.name, self.value),
            false => format!("  logic [{}:0] {};", self.value, self.name),
        }
    }
}

/// A design: lines with elements, and others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made {
    /// A line without an element is a comment.
    pub(crate) lines: Vec<Result<Line, String>>,
}

pub(crate) const PROPERTIES: usize = 3;

pub(crate) fn verdict(rng: &mut Rng) -> FindingVerdict {
    use FindingVerdict::{Covered, Uncovered, Unknown};
    *rng.choice([Covered, Covered, Uncovered, Uncovered, Uncovered, Unknown].iter()).expect("some")
}

pub(crate) fn line(rng: &mut Rng, identity: usize) -> Line {
    Line {
        identity,
        name: format!("s{identity}"),
        is_statement: rng.bool(),
        value: format!("a{} + {}", rng.u8(0..3), identity),
        verdicts: (0..PROPERTIES).map(|_| verdict(rng)).collect(),
        role: if rng.u8(0..6) == 0 { Role::Checker } else { Role::Design },
    }
}

impl Made {
    pub(crate) fn random(rng: &mut Rng) -> Made {
        let count = rng.usize(1..9);
        let mut lines: Vec<Result<Line, String>> =
            (0..count).map(|identity| Ok(line(rng, identity))).collect();
        for _ in 0..rng.usize(0..4) {
            let at = rng.usize(0..=lines.len());
            lines.insert(at, Err(format!("// note {at}")));
        }
        Made { lines }
    }

    pub(crate) fn text(&self) -> String {
        let line = |line: &Result<Line, String>| match line {
            Ok(line) => line.text() + "\n",
            Err(comment) => comment.clone() + "\n",
        };
        self.lines.iter().map(line).collect()
    }

    pub(crate) fn elements(&self) -> Vec<&Line> {
        self.lines.iter().filter_map(|line| line.as_ref().ok()).collect()
    }

    /// All that a run would have found out, counted by definition.
    pub(crate) fn result(&self) -> RunResult {
        let mut result = RunResult::new("cover", 0);
        result.run.metrics = vec!["mutation".to_owned()];
        for number in 0..PROPERTIES {
            result.properties.push(Property {
                name: format!("p{number}"),
                kind: "invariant".to_owned(),
                formula: None,
                place: None,
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
            });
        }
        for (at, line) in self.lines.iter().enumerate() {
            let Ok(line) = line else { continue };
            let (number, column) = (at as u32 + 1, 3);
            let end_column = line.text().trim_end_matches(';').chars().count() as u32;
            let place = Place { file: FILE.to_owned(), line: number, column, end_line: number, end_column };
            let name = match line.is_statement {
                true => format!("{}@{number}:{column}", line.name),
                false => line.name.clone(),
            };
            let id = result.elements.len() as u32;
            let kind = if line.is_statement { "assignment" } else { "register" };
            let (kind, role, places) = (kind.to_owned(), line.role, vec![place]);
            result.elements.push(Element { id, name, kind, role, places, ..Element::default() });
            for (property, verdict) in line.verdicts.iter().enumerate() {
                result.findings.push(Finding {
                    metric: "mutation".into(),
                    subject: Subject::Element(id),
                    edit: "free".into(),
                    property: Some(format!("p{property}").into()),
                    verdict: *verdict,
                    reason: None,
                    bound: None,
                    by: None,
                    certified: true,
                    evidence: None,
                    witness: None,
                    count: None,
                    waiver: None,
                });
            }
        }
        result.shares = self.shares(&|_| false);
        result.climb();
        result
    }

    /// The shares where some lines are waived, counted line by line. What is covered is not waived.
    pub(crate) fn shares(&self, is_waived: &dyn Fn(&Line) -> bool) -> Vec<Share> {
        use FindingVerdict::{Covered, Unknown};
        let together = |line: &Line| match () {
            () if line.verdicts.contains(&Covered) => Covered,
            () if line.verdicts.contains(&Unknown) => Unknown,
            () => FindingVerdict::Uncovered,
        };
        let count = |scope: Scope, role: Role, of: &dyn Fn(&Line) -> FindingVerdict| {
            let mut tally = Tally::default();
            for line in self.elements().into_iter().filter(|line| line.role == role) {
                match together(line) != Covered && is_waived(line) {
                    true => tally.waived += 1,
                    false => tally.add(of(line), &1_usize.into()),
                }
            }
            Share::new("mutation", scope, tally, true)
        };
        let mut shares = vec![count(Scope::All, Role::Design, &together)];
        shares.push(count(Scope::Edit("free".to_owned()), Role::Design, &together));
        for property in 0..PROPERTIES {
            let name = format!("p{property}");
            shares.push(count(Scope::Property(name), Role::Design, &|line| line.verdicts[property]));
        }
        shares.push(count(Scope::Checker, Role::Checker, &together));
        shares
    }
}

//! The analysis as a matrix of properties and elements, for the crate that renders it.

use crate::cores::listen::TOGETHER;
use crate::cores::reading;
use crate::cores::study::{Study, is_good, is_stray};
use crate::cores::violation;
use propcov::certificate::lemma_lines;
use propcov_coverage::cores::{self, Found, Holds, PropertyCores};
use propcov_ir::{ElementId, ElementSet, Parent, Region, System};
use propcov_report::marks::add_what_follows;
use propcov_report::{
    Core, DepthCore, Element, Known, Mark, Minimality, Parts, Place, Property, Seconds, Traceability, Verdict,
};
use rustc_hash::FxHashMap;

/// Which column an element has.
pub(crate) struct Columns(FxHashMap<ElementId, usize>);

impl Columns {
    pub(crate) fn new(universe: &ElementSet) -> Columns {
        Columns(universe.iter().enumerate().map(|(column, element)| (element, column)).collect())
    }

    pub(crate) fn get(&self, element: ElementId) -> Option<usize> {
        self.0.get(&element).copied()
    }

    /// The columns of a set.
    pub(crate) fn of(&self, elements: &ElementSet) -> Vec<usize> {
        elements.iter().filter_map(|element| self.get(element)).collect()
    }

    fn parts(&self, parts: &cores::Parts) -> Parts {
        Parts { sure: self.of(&parts.sure), unknown: self.of(&parts.unknown) }
    }

    fn core(&self, core: &cores::Core) -> Core {
        let minimal = match &core.minimal {
            cores::Minimality::Minimal => Minimality::Minimal,
            cores::Minimality::Unchecked => Minimality::Unchecked,
            cores::Minimality::Undecided(open) => Minimality::Undecided(self.of(open)),
        };
        Core { elements: self.of(&core.elements), minimal, invariants: Vec::new() }
    }
}

impl Study<'_> {
    /// The matrix.
    pub(crate) fn traceability(&self) -> Traceability {
        let system = self.subject.system();
        let columns = Columns::new(&self.subject.universe);
        let constants = reading::constants(system);
        let universe = self.subject.universe.iter();
        let elements = universe.map(|element| column(system, element, &constants)).collect();
        let row = |cores: &PropertyCores| self.row(cores, &columns);
        let properties: Vec<Property> = self.analysis.properties.iter().map(row).collect();
        let together = self.analysis.together.as_ref().map(|found| {
            let mut row = self.found(found, &columns);
            add_what_follows(&mut row.marks, &properties);
            Property { name: TOGETHER.to_owned(), verdict: conjunction(&properties), ..row }
        });
        let others = system.properties().len().saturating_sub(properties.len());
        Traceability { design: self.subject.input.path.clone(), elements, properties, others, together }
    }

    /// Adds what is inductive in the proof of each core, as text.
    pub(crate) fn add_invariants(&self, matrix: &mut Traceability) {
        let system = self.subject.system();
        for (row, cores) in matrix.properties.iter_mut().zip(&self.analysis.properties) {
            let property = system.invariant(cores.property).map(|expr| system.show(expr).to_string());
            for (core, proof) in row.cores.iter_mut().zip(&cores.proofs) {
                let lemmas = proof.iter().flat_map(|proof| lemma_lines(system, &proof.invariant));
                let claims = property.iter().filter(|_| proof.is_some()).cloned();
                core.invariants = claims.chain(lemmas).collect();
            }
        }
    }

    fn row(&self, cores: &PropertyCores, columns: &Columns) -> Property {
        let system = self.subject.system();
        let mut row = match is_good(&cores.holds()) {
            true => self.found(&cores.found, columns),
            false => {
                Property { marks: vec![Mark::NoProof; self.subject.universe.len()], ..Property::default() }
            }
        };
        row.name.clone_from(&system.property(cores.property).name);
        row.verdict = verdict(cores.holds());
        row.vacuous = self.is_vacuous(cores);
        if let Holds::No(trace) = cores.holds() {
            row.counterexample = violation::values(system, cores.property, trace);
            if is_stray(self.subject, cores.property) {
                let reason = "a run violates it, but may not go on for ever".to_owned();
                row.verdict =
                    Verdict::Unknown { reason, true_for: u32::try_from(trace.depth()).unwrap_or(0) };
            }
        }
        row.by_depth = cores
            .by_depth
            .iter()
            .map(|at| DepthCore {
                depth: at.depth,
                up_to: columns.of(&at.up_to.elements),
                at: columns.of(&at.at.elements),
            })
            .collect();
        let seconds = &cores.seconds;
        row.seconds = Seconds {
            proof: seconds.proof,
            cores: seconds.cores,
            total: seconds.proof + seconds.cores + seconds.certify,
            check_limit: self.options.check_time.map(|time| time.as_secs_f64()),
        };
        let reading = reading::of_property(system, cores.property);
        row.own = columns.of(&self.whole_equations(&reading.own));
        row.reads = Some(reading.columns(columns));
        row
    }

    /// The elements, with all pieces of the equations that they are pieces of.
    fn whole_equations(&self, elements: &ElementSet) -> ElementSet {
        let system = self.subject.system();
        let equation = |element| Some(system.parts(Parent::Whole(system.whole_of(element)?)));
        let pieces = elements.iter().filter_map(equation).flatten();
        pieces.chain(elements.iter()).collect()
    }

    fn found(&self, found: &Found, columns: &Columns) -> Property {
        let cores: Vec<Core> = found.cores.iter().map(|core| columns.core(core)).collect();
        let known = Known {
            cores: cores.clone(),
            complete: found.complete,
            must: found.must.as_ref().map(|parts| columns.parts(parts)),
            may: found.may.as_ref().map(|parts| columns.parts(parts)),
        };
        Property {
            marks: known.marks(self.subject.universe.len()),
            cores,
            complete: found.complete,
            must_unknown: found.must.as_ref().map(|parts| columns.of(&parts.unknown)).unwrap_or_default(),
            minimum: found.minimum.as_ref().map(|minimum| columns.of(minimum)),
            ..Property::default()
        }
    }
}

/// What all properties together are: proved if all of them are, else bounded.
fn conjunction(properties: &[Property]) -> Verdict {
    let bounded = properties.iter().filter_map(|row| match row.verdict {
        Verdict::UpTo(depth) => Some(depth),
        _ => None,
    });
    let length = properties.iter().filter_map(|row| match row.verdict {
        Verdict::Proved { k, .. } => Some(k),
        _ => None,
    });
    match bounded.min() {
        Some(depth) => Verdict::UpTo(depth),
        None => Verdict::Proved { engine: String::new(), k: length.max().unwrap_or(0) },
    }
}

fn verdict(holds: Holds<'_>) -> Verdict {
    match holds {
        Holds::Yes { engine, k } => Verdict::Proved { engine: engine.to_owned(), k },
        Holds::UpTo(depth) => Verdict::UpTo(depth),
        Holds::No(trace) => Verdict::Falsified { engine: "bmc".to_owned(), length: trace.steps.len() },
        Holds::Unknown(reason) => Verdict::Unknown { reason: reason.to_string(), true_for: 0 },
    }
}

fn column(system: &System, id: ElementId, constants: &ElementSet) -> Element {
    let element = system.element(id);
    let place = element.span().and_then(|span| {
        let file = system.files.get(span.file.0 as usize)?.path.clone();
        match span.region {
            Region::Text { line, column, end_line, end_column } => Some(Place {
                file,
                line: line as usize,
                column: column as usize,
                end_line: end_line as usize,
                end_column: end_column as usize,
            }),
            Region::Bytes { .. } => None,
        }
    });
    Element {
        name: element.name.clone(),
        kind: element.kind.name().to_owned(),
        place,
        constant: constants.contains(id),
    }
}

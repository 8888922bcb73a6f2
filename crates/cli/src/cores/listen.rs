//! Cores on standard output, each as soon as it is found.

use crate::cores::words::core_line;
use crate::progress::Progress;
use propcov_coverage::cores::{Core, Goal, Observer};
use propcov_ir::{ElementSet, PropertyId, System};
use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

/// What all properties are called together.
pub(crate) const TOGETHER: &str = "all together";

/// Hears of cores, and prints them if that is wanted.
pub(crate) struct Listener<'l> {
    system: &'l System,
    progress: &'l Progress,
    prints: bool,
    heard: Mutex<Heard>,
}

/// What was heard so far.
#[derive(Default)]
pub(crate) struct Heard {
    cores: Vec<(Option<PropertyId>, ElementSet)>,
    /// Whether cores are meant to be minimal: if not, nobody has looked, and nothing is undecided.
    wants_minimal: bool,
    /// Why something could not be printed.
    pub(crate) failure: Option<io::Error>,
}

impl Heard {
    /// Whether nobody has heard of any core.
    pub(crate) fn is_empty(&self) -> bool {
        self.cores.is_empty()
    }

    /// How many cores of a property were heard of.
    pub(crate) fn count(&self, property: Option<PropertyId>) -> usize {
        self.cores.iter().filter(|(of, _)| *of == property).count()
    }

    /// Whether somebody has heard of this core.
    pub(crate) fn knows(&self, property: Option<PropertyId>, elements: &ElementSet) -> bool {
        self.cores.iter().any(|(of, core)| *of == property && core == elements)
    }

    /// Prints a core with the next number, unless it is known.
    pub(crate) fn note(&mut self, system: &System, property: Option<PropertyId>, core: &Core) -> String {
        if self.knows(property, &core.elements) {
            return String::new();
        }
        self.cores.push((property, core.elements.clone()));
        let name = property.map_or(TOGETHER, |property| system.property(property).name.as_str());
        core_line(system, name, self.count(property), core, self.wants_minimal)
    }
}

impl<'l> Listener<'l> {
    /// Prints cores if asked to.
    pub(crate) fn new(system: &'l System, progress: &'l Progress, prints: bool, goal: Goal) -> Listener<'l> {
        let wants_minimal = !matches!(goal, Goal::One | Goal::Must);
        Listener { system, progress, prints, heard: Mutex::new(Heard { wants_minimal, ..Heard::default() }) }
    }

    /// What was heard.
    pub(crate) fn finish(self) -> Heard {
        self.heard.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Listener<'_> {
    fn progress(&self, property: PropertyId, stage: &str, cores: usize, checks: u64) {
        self.progress.message(|| {
            let name = &self.system.property(property).name;
            format!("{name}: {stage}, cores: {cores}, checks: {checks}")
        });
    }

    fn core(&self, property: Option<PropertyId>, core: &Core) {
        if !self.prints {
            return;
        }
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let line = heard.note(self.system, property, core);
        let written = self.progress.suspend(|| {
            let mut stdout = io::stdout().lock();
            stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush())
        });
        // A reader that has gone away is no error of ours.
        if let Some(error) = written.err().filter(|error| error.kind() != ErrorKind::BrokenPipe) {
            heard.failure.get_or_insert(error);
        }
    }
}

//! Hole witnesses: what could each uncovered mutant do while every property looks on?

use crate::cover::keep::Keeper;
use crate::cover::tally::{Standing, Tally};
use crate::input::{Complaint, hint};
use propcov::files::{Stems, WriteError, write_atomically};
use propcov::waveform::{self, Run};
use propcov_budget::Budget;
use propcov_certify::check_proof;
use propcov_coverage::difference::{self, Answer, Notion, Observation, observation, search};
use propcov_engine::{Limits, Stats};
use propcov_ir::{Difference, Edits, ElementId, Mutant, Mutation, PropertyId, Status, System, UnknownReason};
use propcov_store::{ProductProof, Witness, fingerprint};
use propcov_verify::PanicLog;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What an uncovered mutant could do.
#[derive(Clone, Debug)]
pub(crate) struct Hole {
    pub(crate) mutant: Mutant,
    pub(crate) answer: Answer,
    /// Where somebody looked, in words.
    pub(crate) observation: String,
    /// The waveform, once it is written.
    pub(crate) vcd: Option<PathBuf>,
}

/// The notion of observation that was asked for.
pub(crate) fn notion(system: &System, list: &[String]) -> Result<Notion, Complaint> {
    match list {
        [] => return Ok(Notion::Default),
        [name] if name == "outputs" => return Ok(Notion::Outputs),
        [name] if name == "registers" => return Ok(Notion::Registers),
        _ => {}
    }
    let outputs = system.outputs.iter().map(|output| output.name.as_str());
    let known: Vec<&str> =
        outputs.chain(system.signals().iter().map(|signal| signal.name.as_str())).collect();
    for name in list {
        if system.output_named(name).is_none() && system.signal_named(name).is_none() {
            let hint = hint(name, &known, "outputs and signals");
            return Err(Complaint(format!("error: no output or signal is called `{name}`; {hint}\n")));
        }
    }
    Ok(Notion::Named(list.to_vec()))
}

/// How witnesses are looked for.
pub(crate) struct Search<'a, 's> {
    pub(crate) system: &'a System,
    /// The properties that look on.
    pub(crate) properties: &'a [PropertyId],
    pub(crate) notion: &'a Notion,
    pub(crate) limits: &'a Limits,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) panics: &'a PanicLog,
    /// What earlier runs left, and where answers go.
    pub(crate) keeper: &'a Keeper<'s>,
}

impl Search<'_, '_> {
    /// Looks for what each of the mutants could do, in their order.
    pub(crate) fn all(&self, mutants: &[Mutant], progress: &(dyn Fn(usize) + Sync)) -> (Vec<Hole>, Stats) {
        let (free, stuck): (Vec<Mutant>, Vec<Mutant>) =
            mutants.iter().copied().partition(|mutant| mutant.mutation == Mutation::Free);
        let mut stats = Stats::default();
        let mut holes = self.each(&free, &mut stats, progress);
        // Whatever a stuck element does, one that is left open may do as well: if that has no effect, nothing has.
        let without: FxHashMap<ElementId, Hole> = (holes.iter())
            .filter(|hole| matches!(hole.answer, Answer::NoEffect(_)))
            .map(|hole| (hole.mutant.element, hole.clone()))
            .collect();
        let rest: Vec<Mutant> =
            stuck.iter().copied().filter(|mutant| !without.contains_key(&mutant.element)).collect();
        let done = mutants.len() - rest.len();
        holes.extend(self.each(&rest, &mut stats, &|count| progress(done + count)));
        let implied =
            |mutant: &Mutant| Some(Hole { mutant: *mutant, ..without.get(&mutant.element)?.clone() });
        holes.extend(stuck.iter().filter_map(implied));
        let order: FxHashMap<Mutant, usize> = mutants.iter().copied().zip(0..).collect();
        holes.sort_by_key(|hole| order.get(&hole.mutant).copied());
        (holes, stats)
    }

    fn each(&self, mutants: &[Mutant], stats: &mut Stats, progress: &(dyn Fn(usize) + Sync)) -> Vec<Hole> {
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<(usize, Hole, Stats)>> = Mutex::new(Vec::new());
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(mutant) = mutants.get(at) else { return };
                let (hole, stats) = self.one(*mutant);
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.push((at, hole, stats));
                progress(found.len());
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.min(mutants.len()) {
                scope.spawn(work);
            }
            work();
        });
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(at, ..)| *at);
        found.iter().for_each(|(_, _, of_one)| stats.merge(of_one));
        found.into_iter().map(|(_, hole, _)| hole).collect()
    }

    fn one(&self, mutant: Mutant) -> (Hole, Stats) {
        let observed = observation(self.system, self.properties, mutant, self.notion);
        let question = self.question(&observed);
        let answered = self.panics.guard(|| match self.recall(mutant, &observed, &question) {
            Some(answer) => (answer, Stats::default()),
            None => {
                let (answer, stats) =
                    search(self.system, self.properties, mutant, &observed, self.limits, self.seed);
                self.keep(mutant, &observed, question, &answer);
                (answer, stats)
            }
        });
        let crashed = || UnknownReason::Incomplete("internal error".to_owned());
        let (answer, stats) = answered.unwrap_or_else(|| (Answer::Unknown(crashed()), Stats::default()));
        (Hole { mutant, answer, observation: observed.words, vcd: None }, stats)
    }

    /// A short name for what is asked about a mutant: which properties look on, and what is observed, both in words and by name.
    fn question(&self, observed: &Observation) -> String {
        let properties = self.properties.iter().map(|property| self.system.property(*property).name.as_str());
        let signals = observed.signals.iter().map(|(name, _)| name.as_str());
        fingerprint(
            properties.chain(["|", &observed.words]).chain(signals).collect::<Vec<_>>().join("\n").as_bytes(),
        )
    }

    /// What an earlier run found, if it is accepted now.
    fn recall(&self, mutant: Mutant, observed: &Observation, question: &str) -> Option<Answer> {
        let asked = |hole: &&propcov_store::Hole| hole.mutant == mutant && hole.question == question;
        match &self.keeper.loaded.holes.iter().find(asked)?.witness {
            Witness::Differs { difference, shortest } => {
                difference::check(self.system, self.properties, mutant, observed, difference).ok()?;
                Some(Answer::Differs { difference: difference.clone(), shortest: *shortest })
            }
            Witness::NoEffect(written) => {
                let product = difference::product(self.system, self.properties, mutant, observed).ok()?;
                let proof = written.proof(&product.system)?;
                let (deadline, interrupt) = (self.limits.deadline, self.limits.interrupt.clone());
                let budget = Budget { conflicts: None, deadline, interrupt };
                check_proof(&product.system, &product.edits(), product.property, &proof, &budget).ok()?;
                Some(Answer::NoEffect(proof))
            }
        }
    }

    fn keep(&self, mutant: Mutant, observed: &Observation, question: String, answer: &Answer) {
        let witness = match answer {
            Answer::Unknown(_) => return,
            Answer::Differs { difference, shortest } => {
                Witness::Differs { difference: difference.clone(), shortest: *shortest }
            }
            Answer::NoEffect(proof) => {
                let product = difference::product(self.system, self.properties, mutant, observed);
                let Ok(product) = product else { return };
                Witness::NoEffect(ProductProof::new(&product.system, proof))
            }
        };
        self.keeper.keep_hole(&propcov_store::Hole { mutant, question, witness });
    }
}

/// The mutants that no property notices.
pub(crate) fn uncovered(tally: &Tally<'_>) -> Vec<Mutant> {
    let positions = (0..tally.mutants.len()).filter(|mutant| tally.standing(*mutant) == Standing::Uncovered);
    positions.map(|mutant| tally.mutants[mutant]).collect()
}

/// Notes in the findings what has no effect.
pub(crate) fn note_no_effect(tally: &mut Tally<'_>, holes: &[Hole]) {
    let without: FxHashSet<Mutant> = (holes.iter())
        .filter(|hole| matches!(hole.answer, Answer::NoEffect(_)))
        .map(|hole| hole.mutant)
        .collect();
    for finding in &mut tally.findings {
        if let Status::Uncovered(proof) = &finding.status
            && without.contains(&finding.mutant)
        {
            finding.status = Status::NoEffect(proof.clone());
        }
    }
}

/// Both runs of a witness as a waveform.
pub(crate) fn waveform(
    system: &System,
    properties: &[PropertyId],
    mutant: Mutant,
    difference: &Difference,
) -> std::io::Result<Vec<u8>> {
    let comment = format!(
        "{} of {}: nobody notices that {} differs in the last step",
        mutant.mutation.name(),
        system.element(mutant.element).name,
        difference.observed.join(", "),
    );
    let (none, edits) = (Edits::none(), mutant.edits(system));
    let runs = [
        Run { scope: "design", edits: &none, trace: &difference.original },
        Run { scope: "mutant", edits: &edits, trace: &difference.mutated },
    ];
    waveform::runs(system, properties, &[mutant.element], &comment, &runs)
}

/// Writes a waveform for each difference into a directory.
pub(crate) fn write_waveforms(
    system: &System,
    properties: &[PropertyId],
    holes: &mut [Hole],
    directory: &Path,
) -> Result<(), WriteError> {
    let mut stems = Stems::default();
    for hole in holes {
        let Answer::Differs { difference, .. } = &hole.answer else { continue };
        let element = &system.element(hole.mutant.element).name;
        let stem = stems.stem(&format!("{element}-{}", hole.mutant.mutation.name()));
        let path = directory.join(format!("{stem}.vcd"));
        let written = std::fs::create_dir_all(directory)
            .and_then(|()| waveform(system, properties, hole.mutant, difference))
            .and_then(|bytes| write_atomically(&path, &bytes));
        match written {
            Ok(()) => hole.vcd = Some(path),
            Err(error) => return Err(WriteError { path, error }),
        }
    }
    Ok(())
}

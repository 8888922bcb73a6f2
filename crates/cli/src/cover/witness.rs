//! Hole witnesses: what could each uncovered mutant do while every property looks on?

use crate::cover::keep::Keeper;
use crate::cover::tally::{Standing, Tally};
use crate::input::{Complaint, Input, hint};
use propcov::files::Stems;
use propcov::waveform::{self, Run};
use propcov_budget::Budget;
use propcov_coverage::difference::{self, Answer, Notion, Observation, observation, search};
use propcov_engine::{Limits, Stats};
use propcov_ir::{
    Difference, Digest, Edits, ElementId, Kill, Mutant, Mutation, PropertyId, Status, System, UnknownReason,
};
use propcov_store::{Effect, Question, StoreError, Witness};
use propcov_verify::PanicLog;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What may be spent in vain on proofs of earlier runs, in all.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most answers to other questions that are tried for one mutant.
const TRIED: usize = 2;

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
    pub(crate) asked: Asked<'a>,
    /// What earlier runs say that mutants do.
    pub(crate) effects: &'a FxHashMap<Mutant, Vec<&'a Effect>>,
    pub(crate) limits: &'a Limits,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) panics: &'a PanicLog,
    /// Where answers go.
    pub(crate) keeper: &'a Keeper<'s>,
    /// What was spent on proofs of earlier runs that were not accepted.
    pub(crate) in_vain: Mutex<Duration>,
}

/// What is observed.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) notion: &'a Notion,
    /// As the user said it.
    pub(crate) observe: &'a [String],
}

/// What is said about each mutant, in the order given.
pub(crate) fn by_mutant(effects: &[Effect]) -> FxHashMap<Mutant, Vec<&Effect>> {
    let mut by_mutant: FxHashMap<Mutant, Vec<&Effect>> = FxHashMap::default();
    for effect in effects {
        by_mutant.entry(effect.mutant).or_default().push(effect);
    }
    by_mutant
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
        let observed = observation(self.system, self.properties, mutant, self.asked.notion);
        let meaning =
            difference::meaning(self.system, &self.keeper.meanings, self.properties, mutant, &observed);
        let answered = self.panics.guard(|| {
            let (answer, is_kept, stats) = match self.recall(mutant, &observed, meaning) {
                Some((answer, is_exact)) => (answer, is_exact, Stats::default()),
                None => {
                    let (answer, stats) =
                        search(self.system, self.properties, mutant, &observed, self.limits, self.seed);
                    (answer, false, stats)
                }
            };
            if !is_kept {
                self.keep(mutant, &observed, meaning, &answer);
            }
            (answer, stats)
        });
        let crashed = || UnknownReason::Incomplete("internal error".to_owned());
        let (answer, stats) = answered.unwrap_or_else(|| (Answer::Unknown(crashed()), Stats::default()));
        (Hole { mutant, answer, observation: observed.words, vcd: None }, stats)
    }

    /// What an earlier run found, if it is accepted now, and whether it was about the same question. What it said about other ones is tried as well: there may be more
    /// properties now, or more to observe.
    fn recall(&self, mutant: Mutant, observed: &Observation, meaning: Digest) -> Option<(Answer, bool)> {
        let effects = self.effects.get(&mutant)?;
        let (exact, others): (Vec<&Effect>, Vec<&Effect>) =
            effects.iter().partition(|effect| effect.meaning == meaning);
        let tried = exact.iter().map(|effect| (*effect, true));
        let mut tried = tried.chain(others.iter().take(TRIED).map(|effect| (*effect, false)));
        tried.find_map(|(effect, is_exact)| {
            Some((self.accepted(mutant, observed, &effect.witness)?, is_exact))
        })
    }

    /// The answer that a witness is evidence of. Whether runs are the shortest ones is not known.
    fn accepted(&self, mutant: Mutant, observed: &Observation, witness: &Witness) -> Option<Answer> {
        match witness {
            Witness::Differs(kill) => {
                let difference =
                    difference::replay(self.system, self.properties, mutant, observed, kill).ok()?;
                Some(Answer::Differs { difference, shortest: false })
            }
            Witness::NoEffect(kept) => {
                let start = Instant::now();
                let spent = || self.in_vain.lock().unwrap_or_else(PoisonError::into_inner);
                let end = start.checked_add(PATIENCE.saturating_sub(*spent()));
                let deadline = [self.limits.deadline, end].into_iter().flatten().min();
                let budget = Budget { conflicts: None, deadline, interrupt: self.limits.interrupt.clone() };
                let proof = difference::recheck_no_effect(
                    self.system,
                    self.properties,
                    mutant,
                    observed,
                    |product| kept.on(product),
                    &budget,
                );
                if proof.is_err() {
                    *spent() += start.elapsed();
                }
                proof.ok().map(Answer::NoEffect)
            }
        }
    }

    fn keep(&self, mutant: Mutant, observed: &Observation, meaning: Digest, answer: &Answer) {
        let question = Question { properties: self.properties, observe: self.asked.observe };
        match answer {
            Answer::Unknown(_) => {}
            Answer::Differs { difference, .. } => {
                let kill = Kill::of(self.system, mutant, &difference.mutated);
                self.keeper.keep_difference(meaning, &question, mutant, &kill);
            }
            Answer::NoEffect(proof) => {
                let product = difference::product(self.system, self.properties, mutant, observed);
                let Ok(product) = product else { return };
                self.keeper.keep_no_effect(meaning, &question, mutant, (&product.system, proof));
            }
        }
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

/// Writes a waveform for each difference into the run directory, if there is one.
pub(crate) fn write_waveforms(
    input: &Input,
    properties: &[PropertyId],
    holes: &mut [Hole],
    keeper: &Keeper<'_>,
) -> Result<(), StoreError> {
    let system = &input.design.system;
    let mut stems = Stems::default();
    for hole in holes {
        let Answer::Differs { difference, .. } = &hole.answer else { continue };
        let element = &system.element(hole.mutant.element).name;
        let stem = stems.stem(&format!("{}-{element}-{}", stem_of(&input.path), hole.mutant.mutation.name()));
        let Ok(bytes) = waveform(system, properties, hole.mutant, difference) else { continue };
        match keeper.keep_waveform(&stem, &bytes) {
            None => return Ok(()),
            Some(written) => hole.vcd = Some(written?),
        }
    }
    Ok(())
}

/// What a design is called in the names of files that belong to it.
pub(crate) fn stem_of(path: &str) -> String {
    let stem = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|_| !path.starts_with('<')).unwrap_or_else(|| "stdin".to_owned())
}

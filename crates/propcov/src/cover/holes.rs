//! Hole witnesses: what could each uncovered mutant do while every property looks on?

use crate::Error;
use crate::cover::scene::Scene;
use crate::files::{Stems, design_stem};
use crate::read::unknown_name;
use crate::waveform::{self, Run};
use propcov_budget::Budget;
use propcov_coverage::difference::{self, Answer, Notion, Observation, observation, search};
use propcov_coverage::mutation::record::Hole;
use propcov_engine::{Limits, Stats};
use propcov_ir::{
    Difference, Digest, Edits, ElementId, Finding, Kill, Mutant, Mutation, PropertyId, Status, System,
    UnknownReason,
};
use propcov_store::{Effect, Question, StoreError, Witness};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What may be spent in vain on proofs of earlier runs, in all.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most answers to other questions that are tried for one mutant.
const TRIED: usize = 2;

/// The notion of observation that was asked for.
pub(crate) fn notion(system: &System, list: &[String]) -> Result<Notion, Error> {
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
            return Err(unknown_name("output or signal", "outputs and signals", name, &known));
        }
    }
    Ok(Notion::Named(list.to_vec()))
}

/// How witnesses are looked for.
pub(crate) struct Search<'a, 's> {
    pub(crate) scene: &'a Scene<'a, 's>,
    /// The properties that look on.
    pub(crate) properties: &'a [PropertyId],
    pub(crate) asked: Asked<'a>,
    /// What earlier runs say that mutants do.
    pub(crate) effects: &'a FxHashMap<Mutant, Vec<&'a Effect>>,
    pub(crate) limits: &'a Limits,
    /// The most work on one mutant, in solver ticks.
    pub(crate) ticks: u64,
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
            for _ in 1..self.scene.options.thread_count().min(mutants.len()) {
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
        // Even to say what would be observed takes time.
        if self.limits.exhausted(0) {
            let answer = Answer::Unknown(self.limits.reason());
            return (Hole { mutant, answer, observation: String::new(), waveform: None }, Stats::default());
        }
        let observed = observation(self.scene.system, self.properties, mutant, self.asked.notion);
        let meaning = difference::meaning(
            self.scene.system,
            &self.scene.keeper.meanings,
            self.properties,
            mutant,
            &observed,
        );
        let answered = self.scene.control.panics.guard(|| {
            let (answer, is_kept, stats) = match self.recall(mutant, &observed, meaning) {
                Some((answer, is_exact)) => (answer, is_exact, Stats::default()),
                // What was tried in vain is not tried again with less.
                None if self.is_in_vain(meaning) => {
                    let why = "the effort of an earlier run was not enough".to_owned();
                    (Answer::Unknown(UnknownReason::Incomplete(why)), true, Stats::default())
                }
                None => {
                    let limits = self.limits.for_one(self.ticks, None);
                    let (answer, stats) = search(
                        self.scene.system,
                        self.properties,
                        mutant,
                        &observed,
                        &limits,
                        self.scene.options.seed,
                    );
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
        (Hole::new(mutant, answer, &observed), stats)
    }

    /// Whether earlier runs have done as much as this one would, or may do.
    fn is_in_vain(&self, meaning: Digest) -> bool {
        let spent = self.scene.keeper.in_vain(meaning);
        spent.is_some_and(|spent| spent >= self.ticks || self.scene.options.settled)
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
                    difference::replay(self.scene.system, self.properties, mutant, observed, kill).ok()?;
                Some(Answer::Differs { difference, shortest: false })
            }
            Witness::NoEffect(kept) => {
                let start = Instant::now();
                let spent = || self.in_vain.lock().unwrap_or_else(PoisonError::into_inner);
                let end = start.checked_add(PATIENCE.saturating_sub(*spent()));
                let deadline = [self.limits.deadline, end].into_iter().flatten().min();
                let budget = Budget { conflicts: None, deadline, interrupt: self.limits.interrupt.clone() };
                let proof = difference::recheck_no_effect(
                    self.scene.system,
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
            Answer::Unknown(_) if self.ticks == u64::MAX || self.limits.exhausted(0) => {}
            Answer::Unknown(_) => self.scene.keeper.keep_in_vain(meaning, self.ticks),
            Answer::Differs { difference, .. } => {
                let kill = Kill::of(self.scene.system, mutant, &difference.mutated);
                self.scene.keeper.keep_difference(meaning, &question, mutant, &kill);
            }
            Answer::NoEffect(proof) => {
                let product = difference::product(self.scene.system, self.properties, mutant, observed);
                let Ok(product) = product else { return };
                self.scene.keeper.keep_no_effect(meaning, &question, mutant, (&product.system, proof));
            }
        }
    }
}

/// Notes in the findings what has no effect.
pub(crate) fn note_no_effect(findings: &mut [Finding], holes: &[Hole]) {
    let without: FxHashSet<Mutant> = (holes.iter())
        .filter(|hole| matches!(hole.answer, Answer::NoEffect(_)))
        .map(|hole| hole.mutant)
        .collect();
    for finding in findings {
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
    kind: waveform::Kind,
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
    waveform::runs(system, properties, &[mutant.element], &comment, &runs, kind)
}

/// Writes a waveform for each difference into the run directory, if there is one.
pub(crate) fn write_waveforms(
    scene: &Scene<'_, '_>,
    design: &str,
    properties: &[PropertyId],
    holes: &mut [Hole],
) -> Result<(), StoreError> {
    let mut stems = Stems::default();
    for hole in holes {
        let Answer::Differs { difference, .. } = &hole.answer else { continue };
        let element = &scene.system.element(hole.mutant.element).name;
        let stem = stems.stem(&format!("{}-{element}-{}", design_stem(design), hole.mutant.mutation.name()));
        let Ok(bytes) = waveform(scene.system, properties, hole.mutant, difference, waveform::Kind::Vcd)
        else {
            continue;
        };
        match scene.keeper.keep_waveform(&stem, &bytes) {
            None => return Ok(()),
            Some(written) => hole.waveform = Some(written?.display().to_string()),
        }
    }
    Ok(())
}

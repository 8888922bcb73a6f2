//! What uncovered mutants can do: a hole is one thing, a mutant that nobody could tell from the design another.
//!
//! With `--witness` all effort goes into it, and each hole gets a shortest run. Without, a small share of the effort tells most of those apart that have
//! no effect, so that they do not count as holes. That share is counted in solver ticks, a part of it for each mutant, and is the same on every machine; only
//! where design and mutants are so many that even encoding them takes long does the clock end it.

use crate::certificate::Directory;
use crate::cover::holes::{self, Asked, Search, by_mutant, note_no_effect, write_waveforms};
use crate::cover::mutation::{Mutated, Mutating};
use crate::cover::run::Measure;
use crate::cover::scene::{Scene, until};
use crate::cover::{Metric, elements};
use crate::{Error, Share};
use propcov_coverage::difference::{Answer, Notion};
use propcov_coverage::mutation::Killing;
use propcov_coverage::mutation::record::{Hole, Measured, Runs};
use propcov_engine::Limits;
use propcov_ir::{Mutant, PropertyId, Status, UnknownReason};
use propcov_result::{RunResult, Stop};
use propcov_verify::{Outcome, record};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The share that is spent in any case: so many ticks, and as many as proofs and mutants took.
const SHARE: u64 = 200_000_000;
/// The least for one mutant: enough for those that are told apart by a glance.
const LEAST: u64 = 1_000_000;
/// Where shares are united, one of so many parts of it is left.
const SETTLED: u32 = 4;
/// The clock ends it after this time, and after that of proofs and mutants.
const PATIENCE: Duration = Duration::from_secs(8);

/// The most values of runs that a result has where nobody asked for them.
const VALUES: usize = 200_000;

/// Mutation coverage as a metric.
pub(crate) struct Mutation<'a, 's> {
    scene: &'a Scene<'a, 's>,
    mutating: Mutating<'a, 's>,
    notion: Notion,
    /// When work began.
    start: Instant,
}

/// Begins to measure.
pub(crate) fn begin<'a, 's>(
    scene: &'a Scene<'a, 's>,
    _: &'static Metric,
) -> Result<Option<Box<dyn Measure + 'a>>, Error> {
    let options = scene.options;
    let selected = scene.elements()?;
    let mutants = elements::mutants(scene.system, &selected, &options.mutation.edits);
    Ok(Some(Box::new(Mutation::new(scene, mutants)?)))
}

impl<'a, 's> Mutation<'a, 's> {
    /// Of these mutants.
    pub(crate) fn new(scene: &'a Scene<'a, 's>, mutants: Vec<Mutant>) -> Result<Mutation<'a, 's>, Error> {
        let notion = holes::notion(scene.system, scene.observed())?;
        Ok(Mutation { scene, mutating: Mutating::new(scene, mutants), notion, start: Instant::now() })
    }

    /// Works on what is proved.
    pub(crate) fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        self.mutating.work(outcomes, limits);
    }

    /// What was found, and what uncovered mutants can do.
    /// Mutants of dead elements can do nothing.
    pub(crate) fn classified(
        self,
        thoroughly: bool,
        spent_ticks: u64,
        dead: &BTreeSet<u32>,
    ) -> (Mutated, Vec<Hole>) {
        let Mutation { scene, mutating, notion, start } = self;
        let mut mutated = mutating.finish();
        let mut uncovered = uncovered(&mutated, thoroughly);
        uncovered.retain(|mutant| !dead.contains(&mutant.element.0));
        if let Some(share) = scene.options.share {
            uncovered.retain(|mutant| share.classifies(scene.system, *mutant));
        }
        if scene.options.without_effects {
            uncovered.clear();
        }
        let effort = Effort::new(scene, &mutated, uncovered.len(), thoroughly, spent_ticks, start);
        let began = Instant::now();
        let progress = scene.control.progress;
        progress.stage("effects:".to_owned());
        let search = Search {
            scene,
            properties: &mutated.properties,
            asked: Asked { notion: &notion, observe: scene.observed() },
            effects: &by_mutant(&mutated.effects),
            limits: &effort.limits,
            ticks: effort.ticks,
            in_vain: Mutex::default(),
        };
        let (mut holes, stats) =
            search.all(&uncovered, &|done| progress.detail(&format!("{done} of {}", uncovered.len())));
        mutated.internal_errors.extend(scene.control.panics.take());
        // Nobody can tell the mutant from the design as long as the properties hold: beyond the bound they may not.
        let bounded = up_to_bound(&mutated);
        holes.retain(|hole| !matches!(hole.answer, Answer::NoEffect(_)) || !bounded.contains(&hole.mutant));
        note_no_effect(&mut mutated.findings, &holes);
        mutated.stats.merge(&stats);
        mutated.effect_seconds = began.elapsed().as_secs_f64();
        (mutated, holes)
    }
}

impl Measure for Mutation<'_, '_> {
    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        Mutation::work(self, outcomes, limits);
    }

    fn finish(self: Box<Self>, result: &mut RunResult) {
        let (scene, options) = (self.scene, &self.scene.options.mutation);
        let dead = result.dead_elements();
        let (mutated, mut holes) = self.classified(options.witness, result.stats.ticks, &dead);
        if let Some(count) = scene.options.preview {
            preview(scene, &mutated, count, result);
        }
        if options.witness
            && let Err(error) = write_waveforms(scene, scene.design.name(), &mutated.properties, &mut holes)
        {
            scene.keeper.failed(&error, "not all waveforms were kept");
        }
        let runs = match options {
            options if options.traces => Runs::All,
            options if options.witness => Runs::Holes,
            // Nobody draws those of a share.
            _ if scene.options.presume || scene.options.share.is_some() => Runs::Few(0),
            // The report draws them.
            _ => Runs::Few(VALUES),
        };
        record(scene, &mutated, &holes, &[], runs, result);
        if let Some(path) = &scene.options.certificate {
            match Directory::create(path) {
                Ok(directory) => {
                    let (design, limits) = (&scene.design.design, scene.limits());
                    directory.write_bounded(design, scene.system, &mutated.findings, limits, result);
                }
                Err(error) => result.notes.push(error.note()),
            }
        }
        if options.witness && result.run.stop.is_none() && options.budget.is_none() {
            result.run.stop = cut_short(&holes);
        }
    }
}

/// Adds what was found to a result.
pub(crate) fn record(
    scene: &Scene<'_, '_>,
    mutated: &Mutated,
    holes: &[Hole],
    killings: &[Killing],
    runs: Runs,
    result: &mut RunResult,
) {
    let measured = Measured {
        system: scene.system,
        properties: &mutated.properties,
        mutants: &mutated.mutants,
        findings: &mutated.findings,
        holes,
        evidence: &|finding| scene.keeper.reference(finding),
        killings,
        runs,
        dead: &result.dead_elements(),
    };
    measured.add_to(result);
    result.run.stop = result.run.stop.or(mutated.stop);
    record::add_stats(&mut result.stats, &mutated.stats);
    result.stats.seconds.insert("coverage".to_owned(), record::finely_rounded(mutated.seconds));
    result.stats.seconds.insert("effects".to_owned(), record::finely_rounded(mutated.effect_seconds));
    result.stats.decided_at.clone_from(&mutated.decided_at);
    result.stats.reused = Some(mutated.reused);
    result.run.internal_errors.extend(mutated.internal_errors.iter().cloned());
}

/// Notes how much is left for each of so many shares: pairs of a property and a mutant that are not decided, and those of properties that are not proved.
fn preview(scene: &Scene<'_, '_>, mutated: &Mutated, count: u32, result: &mut RunResult) {
    let open = mutated.findings.iter().filter(|finding| matches!(finding.status, Status::Unknown(_)));
    let mut pairs: Vec<(PropertyId, Mutant)> =
        open.map(|finding| (finding.property, finding.mutant)).collect();
    for property in scene.properties.iter().filter(|property| !mutated.properties.contains(property)) {
        pairs.extend(mutated.mutants.iter().map(|mutant| (*property, *mutant)));
    }
    let mut sizes = vec![0; count as usize];
    for (property, mutant) in pairs {
        let owner = Share::owner(scene.system, &scene.keeper.meanings, property, mutant.element, count);
        sizes[owner as usize - 1] += 1;
    }
    let counts = &mut result.stats.counts;
    counts.extend((1..).zip(sizes).map(|(index, size)| (crate::share::size_name(index, count), size)));
}

/// What may be spent on effects.
struct Effort {
    limits: Limits,
    /// For one mutant.
    ticks: u64,
}

impl Effort {
    fn new(
        scene: &Scene<'_, '_>,
        mutated: &Mutated,
        mutants: usize,
        thoroughly: bool,
        spent_ticks: u64,
        start: Instant,
    ) -> Effort {
        let limits = until(scene.limits(), mutated.deadline);
        if thoroughly {
            return Effort { limits, ticks: u64::MAX };
        }
        // Several shares have as much together as one run has.
        let shards = scene.options.share.map_or(1, |share| share.shard().count.max(1));
        // Whoever unites them tries what nobody could.
        let parts = if scene.options.settled { SETTLED } else { shards };
        let share = SHARE / u64::from(parts);
        let share = share.saturating_add(spent_ticks).saturating_add(mutated.stats.ticks);
        let ticks = (share / mutants.max(1) as u64).max(LEAST);
        let now = Instant::now();
        let end = now.checked_add(PATIENCE / parts + now.saturating_duration_since(start));
        Effort { limits: until(&limits, end), ticks }
    }
}

/// The mutants that no property notices; those that none notices up to the bound only where all effort is asked for.
fn uncovered(mutated: &Mutated, with_bounded: bool) -> Vec<Mutant> {
    let (mutants, findings) = (&mutated.mutants, &mutated.findings);
    if mutated.properties.is_empty() {
        return Vec::new();
    }
    let is_uncovered = |at: usize| {
        let column = findings.iter().skip(at).step_by(mutants.len().max(1));
        column.into_iter().all(|finding| match finding.status {
            Status::Uncovered(_) => true,
            Status::Unknown(_) => {
                let presumed = mutated.presumed.get(&(finding.property, finding.mutant));
                presumed.is_some_and(|presumed| matches!(presumed.status, Status::Uncovered(_)))
            }
            Status::Bounded(_) => with_bounded,
            _ => false,
        })
    };
    (0..mutants.len()).filter(|at| is_uncovered(*at)).map(|at| mutants[at]).collect()
}

/// The mutants that are not noticed up to the bound.
fn up_to_bound(mutated: &Mutated) -> FxHashSet<Mutant> {
    let bounded = mutated.findings.iter().filter(|finding| matches!(finding.status, Status::Bounded(_)));
    bounded.map(|finding| finding.mutant).collect()
}

/// Why something is not known that was asked for.
pub(crate) fn cut_short(holes: &[Hole]) -> Option<Stop> {
    holes.iter().find_map(|hole| match hole.answer {
        Answer::Unknown(UnknownReason::Cancelled) => Some(Stop::Interrupted),
        Answer::Unknown(UnknownReason::Memory) => Some(Stop::Memory),
        Answer::Unknown(UnknownReason::Timeout) => Some(Stop::Timeout),
        _ => None,
    })
}

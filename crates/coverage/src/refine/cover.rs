//! Coverage of many flips: each proposition is a tree of its own.

use super::divide::{Tree, search, shuffle};
use super::judge::Judge;
use super::naive::one_by_one;
use super::{Algorithm, Coverage, FlipStatus, Observer, Options, Simulated, Stats, Stopped};
use propcov_ir::{Graph, Label, LabelFlip};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

impl Simulated<'_> {
    /// Which flips are covered. No label to be flipped is open. When the budget runs out, what is decided is kept.
    ///
    /// # Errors
    /// If the checker refuses evidence, or something else is not as promised.
    pub fn cover(
        &self,
        flips: &[LabelFlip],
        options: &Options,
        observer: &dyn Observer,
    ) -> Result<Coverage, Stopped> {
        let setting = self.judge.setting;
        flips.iter().try_for_each(|flip| check_flip(setting.implementation, *flip))?;
        let mut stats = Stats::default();
        let mut status: BTreeMap<(u32, u32), FlipStatus> = BTreeMap::new();
        for flip in flips {
            let reached = setting.tree.is_reached(flip.state);
            let known = if reached { FlipStatus::Unknown } else { FlipStatus::Unreachable };
            status.insert((flip.proposition, flip.state), known);
        }
        let progress = Progress {
            observer,
            done: AtomicUsize::new(
                status.values().filter(|known| **known == FlipStatus::Unreachable).count(),
            ),
            total: status.len(),
            is_over: AtomicBool::new(false),
        };
        let mut open: Vec<LabelFlip> = status
            .iter()
            .filter(|(_, known)| **known == FlipStatus::Unknown)
            .map(|((proposition, state), _)| LabelFlip { state: *state, proposition: *proposition })
            .collect();
        let mut trees: Vec<&mut [LabelFlip]> =
            open.chunk_by_mut(|left, right| left.proposition == right.proposition).collect();
        trees.iter_mut().for_each(|tree| shuffle(tree, options.seed));
        let trees: Vec<&[LabelFlip]> = trees.into_iter().map(|tree| &*tree).collect();
        let found = search_all(&self.judge, &trees, options, &progress);
        stats.add(&found.stats);
        stats.memory_bytes += self.bytes as u64;
        for (flip, known) in found.decided {
            status.insert((flip.proposition, flip.state), known);
        }
        if let Some(stopped @ (Stopped::Internal(_) | Stopped::TooLarge(_))) = found.stopped {
            return Err(stopped);
        }
        let find = |flip: &LabelFlip| status.get(&(flip.proposition, flip.state)).copied();
        let findings = flips.iter().map(|flip| (*flip, find(flip).unwrap_or(FlipStatus::Unknown))).collect();
        Ok(Coverage { findings, stats })
    }
}

/// Decides the flips of all trees, as many at a time as there are threads.
fn search_all(
    judge: &Judge<'_>,
    trees: &[&[LabelFlip]],
    options: &Options,
    progress: &Progress<'_>,
) -> Found {
    let mut found = Found::default();
    for some in trees.chunks(options.threads.max(1)) {
        if progress.is_over() {
            break;
        }
        let some: Vec<Tree<'_>> = some.iter().map(|flips| Tree { judge, flips, options, progress }).collect();
        match options.algorithm {
            Algorithm::Divide | Algorithm::Figure3 => found.join(search(&some)),
            Algorithm::Naive => some.iter().for_each(|tree| found.join(one_by_one(tree))),
        }
    }
    found
}

/// That there is such a mutant.
pub(super) fn check_flip(implementation: &Graph, flip: LabelFlip) -> Result<(), Stopped> {
    let exists = implementation.states().contains(&flip.state)
        && (flip.proposition as usize) < implementation.propositions().len()
        && implementation.label(flip.state, flip.proposition) != Label::Open;
    if exists {
        return Ok(());
    }
    Err(Stopped::Internal(format!("proposition {} of state {} has no mutant", flip.proposition, flip.state)))
}

/// What threads have decided together.
pub(super) struct Progress<'o> {
    observer: &'o dyn Observer,
    done: AtomicUsize,
    total: usize,
    is_over: AtomicBool,
}

impl Progress<'_> {
    /// One more flip is decided.
    pub(super) fn decided(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.observer.decided(done, self.total);
    }

    /// Whether some thread had to stop.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// What was found about the flips of a tree, or by a worker.
#[derive(Default)]
pub(super) struct Found {
    pub(super) decided: Vec<(LabelFlip, FlipStatus)>,
    pub(super) stats: Stats,
    pub(super) stopped: Option<Stopped>,
}

impl Found {
    /// Notes a flip that the checker knows about.
    pub(super) fn note(&mut self, flip: LabelFlip, status: FlipStatus, progress: &Progress<'_>) {
        self.decided.push((flip, status));
        progress.decided();
    }

    /// Why a worker stopped, which the others have to know.
    pub(super) fn end(&mut self, result: Result<(), Stopped>, progress: &Progress<'_>) {
        if let Err(stopped) = result {
            progress.is_over.store(true, Ordering::Relaxed);
            self.stopped = Some(stopped);
        }
    }

    /// Together with what another worker found, and the worse reason to stop.
    pub(super) fn join(&mut self, other: Found) {
        self.decided.extend(other.decided);
        self.stats.add(&other.stats);
        self.stopped =
            self.stopped.take().into_iter().chain(other.stopped).max_by_key(|stopped| match stopped {
                Stopped::Budget => 0,
                Stopped::TooLarge(_) => 1,
                Stopped::Internal(_) => 2,
            });
    }
}

/// Does the tasks below a number on several threads, which claim them in order. A worker takes claims until there is none.
pub(super) fn share<W: Send>(
    tasks: usize,
    workers: Vec<W>,
    work: impl Fn(W, &mut dyn FnMut() -> Option<usize>) -> Found + Sync,
) -> Found {
    let next = AtomicUsize::new(0);
    let claim = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|task| *task < tasks);
    let mut found = Found::default();
    std::thread::scope(|scope| {
        let (work, claim) = (&work, &claim);
        let mut workers = workers.into_iter();
        let own = workers.next();
        let others: Vec<_> =
            workers.map(|worker| scope.spawn(move || work(worker, &mut { claim }))).collect();
        if let Some(worker) = own {
            found.join(work(worker, &mut { claim }));
        }
        for other in others {
            match other.join() {
                Ok(other) => found.join(other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    found
}

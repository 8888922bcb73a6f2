//! The divide-and-conquer procedure: mutants share the work that they have in common.
//!
//! `Coverage` of the paper's Figure 3. The flips of a proposition are divided at random into two halves of equal size, and so on. At a node, the labels of all flips that are not below it have their original values:
//! see [`incomplete`](super::incomplete). On the average, depth i costs 2⁻ⁱ of one similarity run for each of its 2ⁱ nodes, so that all flips together cost about log₂ n runs.
//!
//! Random halves at every node are the halves of one random order of all flips, which is what is drawn here. Threads share the nodes at some depth, and claim them in order. A worker goes from
//! one to the next by undoing and doing again; what several workers do again is counted once. So findings and counts do not depend on the number of threads.

use super::cover::{Found, Progress, share};
use super::incomplete::Worker;
use super::judge::Judge;
use super::product::Product;
use super::similarity::{Ending, Similarity};
use super::stats::timed;
use super::watch::Watch;
use super::{Algorithm, Options, Stats, Stopped};
use propcov_ir::{Label, LabelFlip};
use std::sync::Arc;

/// How deep the nodes that threads claim are at most.
const CLAIM_DEPTH: u32 = 7;

/// The flips of one proposition.
pub(super) struct Tree<'t> {
    pub(super) judge: &'t Judge<'t>,
    pub(super) flips: &'t [LabelFlip],
    pub(super) options: &'t Options,
    pub(super) progress: &'t Progress<'t>,
}

impl Tree<'_> {
    /// The pairs that are in question while all labels are free, and what it took to find them.
    fn product(&self) -> (Stats, Result<Product, Stopped>) {
        let (setting, mut stats) = (self.judge.setting, Stats::default());
        let product = timed(&mut stats.preparing, || {
            let mut fits = setting.fits.clone();
            fits.set_free(setting.implementation, &setting.acceptance, self.flips.iter());
            Product::new(setting, &fits, &mut Watch::new(&self.options.budget))
        });
        if let Ok(product) = &product {
            stats.pairs += product.pairs.len() as u64;
            stats.counters += product.questions.len() as u64;
        }
        (stats, product)
    }

    /// Whether all labels of the proposition that a run can get to, and that are not open, are flipped.
    fn has_all_labels(&self) -> bool {
        let Some(first) = self.flips.first() else { return true };
        let setting = self.judge.setting;
        let is_label = |state: &&u32| setting.implementation.label(**state, first.proposition) != Label::Open;
        setting.tree.order().iter().filter(is_label).count() == self.flips.len()
    }
}

/// Puts the flips of a tree in a random order.
pub(super) fn shuffle(flips: &mut [LabelFlip], seed: u64) {
    let proposition = flips.first().map_or(0, |flip| u64::from(flip.proposition));
    let mixed = seed.wrapping_add(proposition.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    fastrand::Rng::with_seed(mixed).shuffle(flips);
}

/// Decides all flips of some trees, which are in random orders. The run at a root is one thread's work, so threads begin with a tree each. Below the roots, they share the branches of one tree
/// after the other.
pub(super) fn search(trees: &[Tree<'_>]) -> Found {
    let mut found = Found::default();
    let products = in_parallel(trees, Tree::product);
    let roots = in_parallel(&trees.iter().zip(&products).collect::<Vec<_>>(), |(tree, product)| {
        let mut found = Found { stats: product.0.clone(), ..Found::default() };
        let root = match &product.1 {
            Ok(product) => Root::new(tree, product, &mut found),
            Err(stopped) => Err(stopped.clone()),
        };
        let root = root.map_err(|stopped| found.end(Err(stopped), tree.progress)).ok();
        (root, found)
    });
    let waiting: usize = roots.iter().filter_map(|(root, _)| root.as_ref()).map(Root::bytes).sum();
    found.stats.note_size(waiting);
    for (tree, (root, own)) in trees.iter().zip(roots) {
        found.join(own);
        if let Some(root) = root.filter(|_| !tree.progress.is_over()) {
            found.join(root.search(waiting));
        }
    }
    found
}

/// The same for each of a few things, each on a thread of its own.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (Some((first, others)), work) = (items.split_first(), &work) else { return Vec::new() };
    std::thread::scope(|scope| {
        let others: Vec<_> = others.iter().map(|item| scope.spawn(move || work(item))).collect();
        let joined = others.into_iter().map(|other| match other.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        std::iter::once(work(first)).chain(joined).collect()
    })
}

/// Where a tree begins: all labels in question were free, and what that decides is decided.
struct Root<'t> {
    worker: Worker<'t>,
    product: &'t Product,
    /// The flips that are left.
    flips: Vec<u32>,
}

impl<'t> Root<'t> {
    fn new(tree: &'t Tree<'t>, product: &'t Product, found: &mut Found) -> Result<Root<'t>, Stopped> {
        let mut watch = Watch::new(&tree.options.budget);
        let similarity = timed(&mut found.stats.preparing, || {
            Similarity::new(tree.judge.setting, product, Ending::Never, &mut watch)
        })?;
        let common = Arc::default();
        let mut worker = Worker { tree, similarity, watch, found: Found::default(), is_owner: true, common };
        let flips = at_root(&mut worker);
        found.join(std::mem::take(&mut worker.found));
        Ok(Root { worker, product, flips: flips? })
    }

    fn bytes(&self) -> usize {
        self.product.bytes() + self.worker.similarity.bytes()
    }

    /// Decides what is left, while so much memory is in use anyway.
    fn search(self, bytes: usize) -> Found {
        let Root { worker, flips, .. } = self;
        if flips.is_empty() {
            return Found::default();
        }
        let tree = worker.tree;
        let depth = flips.len().ilog2().min(CLAIM_DEPTH);
        let threads = tree.options.threads.clamp(1, 1 << depth);
        let mut walkers = Vec::new();
        for _ in 1..threads {
            let copy = Worker {
                tree,
                similarity: worker.similarity.clone(),
                watch: Watch::new(&tree.options.budget),
                found: Found::default(),
                is_owner: true,
                common: Arc::clone(&worker.common),
            };
            walkers.push(Walker::new(copy, flips.clone(), depth));
        }
        walkers.insert(0, Walker::new(worker, flips, depth));
        let mut found = share(1 << depth, walkers, |mut walker, claim| {
            let mut result = Ok(());
            while result.is_ok() && !tree.progress.is_over() {
                let Some(task) = claim() else { break };
                result = walker.task(task);
            }
            let Walker { worker: Worker { mut found, similarity, .. }, .. } = walker;
            found.stats.note_size(similarity.bytes());
            found.end(result, tree.progress);
            found
        });
        let copies = found.stats.memory_bytes as usize * (threads - 1);
        found.stats.note_size(bytes + tree.judge.base.bytes() + copies);
        found
    }
}

/// The run in which all labels in question are free, and what it decides.
fn at_root(worker: &mut Worker<'_>) -> Result<Vec<u32>, Stopped> {
    worker.run()?;
    let tree = worker.tree;
    if tree.has_all_labels() {
        worker.common =
            Arc::new(tree.judge.common(&worker.similarity, tree.flips, &mut worker.found.stats)?);
    }
    let all: Vec<u32> = (0..tree.flips.len() as u32).collect();
    if tree.options.algorithm != Algorithm::Divide {
        return Ok(all);
    }
    let rest = worker.settle(&all)?;
    worker.settle_indifferent(&rest)
}

/// A worker, and the nodes on the way from the root to where it is.
struct Walker<'t> {
    worker: Worker<'t>,
    /// The flips that are free and undecided at each node, and where its part of the trail begins.
    nodes: Vec<(Vec<u32>, usize)>,
    /// The task that led here: its bits say which halves were taken, the highest one first.
    task: usize,
    depth: u32,
}

impl<'t> Walker<'t> {
    fn new(worker: Worker<'t>, root: Vec<u32>, depth: u32) -> Walker<'t> {
        let mark = worker.similarity.mark();
        Walker { worker, nodes: vec![(root, mark)], task: 0, depth }
    }

    /// Goes to the node with this number at the depth where nodes are claimed, and decides all below it. On the way it meets nodes that belong to several
    /// tasks: they are the first one's.
    fn task(&mut self, task: usize) -> Result<(), Stopped> {
        let differing = usize::BITS - (task ^ self.task).leading_zeros();
        let shared = self.depth.saturating_sub(differing) as usize;
        self.worker.is_owner = false;
        while self.nodes.len() > shared + 1
            && let Some((_, mark)) = self.nodes.pop()
        {
            self.worker.undo(mark);
        }
        self.task = task;
        loop {
            let level = self.nodes.len() as u32 - 1;
            let below = self.depth - level;
            let Some((flips, _)) = self.nodes.last() else { return Ok(()) };
            let is_first = task & ((1 << below) - 1) == 0;
            if flips.len() < 2 || below == 0 {
                self.worker.is_owner = true;
                let flips = flips.clone();
                return if is_first { divide(&mut self.worker, &flips) } else { Ok(()) };
            }
            self.worker.is_owner = task & ((1 << (below - 1)) - 1) == 0;
            let mark = self.worker.similarity.mark();
            let kept = self.worker.enter(flips, task >> (below - 1) & 1)?;
            if self.worker.is_owner {
                self.worker.found.stats.undone += (self.worker.similarity.mark() - mark) as u64;
            }
            self.nodes.push((kept, mark));
        }
    }
}

/// Figure 3, below a node. The recursion is as deep as the logarithm of the number of flips.
fn divide(worker: &mut Worker<'_>, flips: &[u32]) -> Result<(), Stopped> {
    match flips {
        [] => Ok(()),
        [flip] => worker.decide(*flip),
        _ => {
            for half in [0, 1] {
                let mark = worker.similarity.mark();
                let kept = worker.enter(flips, half)?;
                divide(worker, &kept)?;
                worker.undo(mark);
            }
            Ok(())
        }
    }
}

//! A search for cores under way: who is asked, what the answers were, and what follows from them at any moment.
//!
//! All algorithms ask through here. An answer is checked for sense before it is believed: a core has to be a subset of the set that was asked about, a grown set a superset, and neither may contradict what is known. What
//! contradicts is kept as undecided, so that a judge that is not monotone can cost completeness but neither a false statement that could be avoided nor an endless loop: whatever was asked is explored, or left out, afterwards.
//!
//! # What may be concluded
//! - x is in MUST if T \ {x} is inadequate, and is not if some adequate set lacks it.
//! - x is in MAY if for some inadequate set G the set G ∪ {x} is adequate: a minimal core inside G ∪ {x} has x. This is so for all elements of a minimal core, and *for all elements outside a maximal
//!   unexplored set that turns out to be inadequate*. So MAY is found without shrinking anything.
//! - The list is complete if all sets are explored, or if some adequate set has MUST elements only: it is a subset of every core.
//! - Inadequate sets G of which no two lack the same element give a lower bound: each core has an element outside each of them.

use super::explored::{Explored, Next, Status};
use super::{Core, Found, Goal, Judge, Judgement, Listener, Minimality, Parts, Task};
use propcov_ir::{ElementSet, UnknownReason};
use rustc_hash::FxHashSet;

/// So many sets may be without an answer in a round, and one more for so many answers. If there are more, it goes on with the next round.
const PATIENCE: usize = 20;
const ANSWERS_PER_FAILURE: usize = 4;

/// What is known before the search.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Adequate sets, such as the core of the proof: if there is one, the universe is not asked about again.
    pub adequate: Vec<ElementSet>,
    /// Inadequate sets.
    pub inadequate: Vec<ElementSet>,
    /// What is to be found out from there.
    pub task: Task,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Adequate, and so is this subset: the smallest that is known, not always the one that the judge found now.
    Adequate(ElementSet),
    /// Inadequate, and so is this superset.
    Inadequate(ElementSet),
    /// No answer.
    Unknown,
    /// Nothing was asked, or the answer was cut off: the search is over.
    Over,
}

/// A search under way.
pub(super) struct Exploration<'a> {
    judge: &'a mut dyn Judge,
    listener: &'a mut dyn Listener,
    /// T.
    pub(super) universe: ElementSet,
    /// The map.
    pub(super) explored: Explored,
    /// The inadequate sets that were known before.
    inadequate: Vec<ElementSet>,
    undecided: Vec<(ElementSet, UnknownReason)>,
    unanswered: FxHashSet<ElementSet>,
    heard: FxHashSet<ElementSet>,
    /// Cores about which nothing more can be found out in this round.
    settled: FxHashSet<ElementSet>,
    /// Whether there is more effort for a set in a later round.
    is_early: bool,
    /// Answers in this round.
    answered: usize,
    /// Elements that are certainly in MAY.
    pub(super) may: ElementSet,
    /// The search was told to stop.
    pub(super) stopped: bool,
    /// Nothing is unexplored.
    exhausted: bool,
    /// Some answer contradicted others.
    contradicted: bool,
    /// Every core has so many elements.
    pub(super) at_least: usize,
}

impl<'a> Exploration<'a> {
    /// Begins a search.
    pub(super) fn new(
        judge: &'a mut dyn Judge,
        universe: &ElementSet,
        start: &Start,
        listener: &'a mut dyn Listener,
    ) -> Exploration<'a> {
        let mut explored = Explored::new(universe);
        for set in &start.adequate {
            explored.block_up(&set.intersection(universe));
        }
        let mut inadequate = Vec::new();
        for set in &start.inadequate {
            let set = set.intersection(universe);
            if explored.status(&set) == Status::Unexplored {
                explored.block_down(&set);
                inadequate.push(set);
            }
        }
        Exploration {
            judge,
            listener,
            universe: universe.clone(),
            explored,
            inadequate,
            undecided: Vec::new(),
            unanswered: FxHashSet::default(),
            heard: FxHashSet::default(),
            settled: FxHashSet::default(),
            is_early: false,
            answered: 0,
            may: ElementSet::new(),
            stopped: false,
            exhausted: false,
            contradicted: false,
            at_least: 0,
        }
    }

    /// Begins a round: each set is worth so much effort. Sets that had no answer in the round before are unexplored again.
    pub(super) fn begin_round(&mut self, round: u32) {
        self.is_early = self.judge.set_round(round);
        if round > 0 {
            self.explored.forget_unanswered();
            self.unanswered.clear();
            self.undecided.clear();
            self.settled.clear();
            self.answered = 0;
            self.exhausted = false;
        }
    }

    /// Whether so many sets had no answer in this round that it is better to begin the next one.
    pub(super) fn is_round_over(&self) -> bool {
        self.is_early && self.unanswered.len() > PATIENCE + self.answered / ANSWERS_PER_FAILURE
    }

    /// There are no rounds: each set is worth all effort at once.
    pub(super) fn take_time(&mut self) {
        self.judge.set_round(u32::MAX);
    }

    /// Whether another round may find out more: some set had no answer, and is worth more effort there.
    pub(super) fn is_worth_a_round(&self) -> bool {
        self.is_early && !self.stopped && !self.contradicted && !self.undecided.is_empty()
    }

    /// Adds to MAY what follows from the sets that are known before anything is asked: what makes an inadequate set adequate is in a minimal core.
    pub(super) fn conclude_may(&mut self) {
        for element in self.universe.difference(&self.may).iter() {
            let is_in = |set: &ElementSet| {
                !set.contains(element) && self.explored.status(&set.with(element)) == Status::Adequate
            };
            if self.inadequate.iter().any(is_in) {
                self.may.insert(element);
            }
        }
    }

    /// How many sets to ask about at once.
    pub(super) fn width(&self) -> usize {
        self.judge.width().max(1)
    }

    /// Whether small sets are to come first.
    pub(super) fn prefers_small(&self) -> bool {
        self.judge.prefers_small()
    }

    /// Whether it is time to stop.
    pub(super) fn is_over(&mut self) -> bool {
        self.stopped |= self.judge.is_over();
        self.stopped
    }

    /// A known adequate set; the whole universe is asked about if there is none. `None` if it is not adequate, or that is not known.
    pub(super) fn first_core(&mut self) -> Option<ElementSet> {
        if self.explored.cores().next().is_none() {
            let universe = self.universe.clone();
            match self.ask(&universe) {
                Answer::Inadequate(_) => self.exhausted = true,
                Answer::Unknown => self.explored.leave_out(&universe),
                Answer::Adequate(_) | Answer::Over => {}
            }
        }
        self.explored.cores().min_by_key(|core| core.len()).cloned()
    }

    /// Asks about a set.
    pub(super) fn ask(&mut self, set: &ElementSet) -> Answer {
        if self.is_over() {
            return Answer::Over;
        }
        let judgement = self.judge.judge(set);
        self.learn(set, judgement)
    }

    /// Asks about several sets; the answers are in their order.
    pub(super) fn ask_all(&mut self, sets: &[ElementSet]) -> Vec<Answer> {
        if let [set] = sets {
            return vec![self.ask(set)];
        }
        if self.is_over() {
            return vec![Answer::Over; sets.len()];
        }
        let mut judgements = self.judge.judge_all(sets).into_iter();
        let answer = |set| match judgements.next() {
            Some(judgement) => self.learn(set, judgement),
            None => Answer::Over,
        };
        sets.iter().map(answer).collect()
    }

    /// Asks about maximal unexplored sets. Those without an answer are left out.
    pub(super) fn ask_maximal(&mut self, sets: &[ElementSet]) -> Vec<Answer> {
        let answers = self.ask_all(sets);
        for (set, answer) in sets.iter().zip(&answers) {
            self.note_maximal(set, answer);
        }
        answers
    }

    /// What follows from an answer about a set that was maximal among the unexplored ones when it was asked about.
    pub(super) fn note_maximal(&mut self, set: &ElementSet, answer: &Answer) {
        match answer {
            Answer::Inadequate(_) => self.may = self.may.union(&self.universe.difference(set)),
            Answer::Unknown => self.explored.leave_out(set),
            Answer::Adequate(_) | Answer::Over => {}
        }
    }

    fn learn(&mut self, set: &ElementSet, judgement: Judgement) -> Answer {
        self.answered += usize::from(!matches!(judgement, Judgement::Unknown(_)));
        match judgement {
            Judgement::Adequate(core) => {
                let core = if core.is_subset(set) { core } else { set.clone() };
                if self.explored.status(&core) == Status::Inadequate {
                    return self.contradicts(set);
                }
                self.explored.block_up(&core);
                Answer::Adequate(self.explored.smallest_within(set).unwrap_or(&core).clone())
            }
            Judgement::Inadequate(grown) => {
                let grown =
                    if set.is_subset(&grown) { grown.intersection(&self.universe) } else { set.clone() };
                match self.explored.status(&grown) {
                    Status::Adequate => return self.contradicts(set),
                    Status::Inadequate => {}
                    Status::Unanswered | Status::Unexplored => self.explored.block_down(&grown),
                }
                Answer::Inadequate(grown)
            }
            Judgement::Unknown(_) if self.is_over() => Answer::Over,
            Judgement::Unknown(reason) => self.leave_undecided(set, reason),
        }
    }

    fn contradicts(&mut self, set: &ElementSet) -> Answer {
        self.contradicted = true;
        let reason = "the answer contradicts earlier ones: a set is adequate and a superset of it is not";
        self.leave_undecided(set, UnknownReason::Incomplete(reason.to_owned()))
    }

    fn leave_undecided(&mut self, set: &ElementSet, reason: UnknownReason) -> Answer {
        if self.unanswered.insert(set.clone()) {
            self.undecided.push((set.clone(), reason));
        }
        Answer::Unknown
    }

    /// Whether this very set was asked about in vain.
    pub(super) fn is_unanswered(&self, set: &ElementSet) -> bool {
        self.unanswered.contains(set)
    }

    /// The next maximal unexplored set; `None` if there is none, or no time to look for it.
    pub(super) fn next_maximal(&mut self) -> Option<ElementSet> {
        let judge = &*self.judge;
        let next = self.explored.maximal(&|| judge.is_over());
        self.take(next)
    }

    /// A maximal unexplored superset, likewise.
    pub(super) fn next_maximal_superset(&mut self, set: &ElementSet) -> Option<ElementSet> {
        let judge = &*self.judge;
        match self.explored.maximal_superset(set, &|| judge.is_over()) {
            Next::Set(set) => Some(set),
            Next::Exhausted => None,
            Next::Interrupted => {
                self.stopped = true;
                None
            }
        }
    }

    /// As many maximal unexplored sets as it is worth to ask about at once. If `lacking` is given, each lacks one of these elements, and that there is none does not mean that nothing is unexplored.
    pub(super) fn next_batch(&mut self, lacking: Option<&ElementSet>) -> Vec<ElementSet> {
        let width = self.width();
        let judge = &*self.judge;
        let batch = self.explored.maximal_sets(width, lacking, &|| judge.is_over());
        if let Some(end) = batch.end {
            let exhausted = end == Next::Exhausted;
            self.stopped |= end == Next::Interrupted;
            let is_all = exhausted && batch.sets.is_empty() && lacking.is_none();
            // Those that belong to others may be explored or not.
            self.exhausted |= is_all && (!self.explored.is_divided() || self.is_everything_known());
        }
        batch.sets
    }

    /// Whether each set is known to be adequate or inadequate.
    fn is_everything_known(&mut self) -> bool {
        let judge = &*self.judge;
        self.explored.is_everything_known(&|| judge.is_over())
    }

    /// Asks nothing: what is known is all that is found.
    pub(super) fn conclude(&mut self, goal: Goal) {
        self.conclude_may();
        self.exhausted = self.explored.cores().next().is_some() && self.is_everything_known();
        // Others would have found out the rest.
        let is_enough = match goal {
            Goal::One => self.explored.cores().next().is_some(),
            Goal::Minimal => self.explored.cores().any(|core| self.minimality(core) == Minimality::Minimal),
            Goal::Must => self.must().unknown.is_empty(),
            Goal::May => self.universe.is_subset(&self.may),
            Goal::All | Goal::Minimum => false,
        };
        self.stopped = !self.exhausted && self.only_core().is_none() && !is_enough;
    }

    /// A minimal core that is known, or else a small one.
    pub(super) fn best_core(&self) -> Option<ElementSet> {
        let rank =
            |core: &&ElementSet| (self.minimality(core) != Minimality::Minimal, core.len(), (*core).clone());
        self.explored.cores().min_by_key(rank).cloned()
    }

    fn take(&mut self, next: Next) -> Option<ElementSet> {
        match next {
            Next::Set(set) => return Some(set),
            Next::Exhausted => self.exhausted = true,
            Next::Interrupted => self.stopped = true,
        }
        None
    }

    /// What is known of a core's minimality.
    fn minimality(&self, core: &ElementSet) -> Minimality {
        let needed = self.explored.needed(core);
        let open = core.difference(&needed);
        if open.is_empty() {
            Minimality::Minimal
        } else if needed.is_empty() && !open.iter().any(|x| self.is_unanswered(&core.without(x))) {
            Minimality::Unchecked
        } else {
            Minimality::Undecided(open)
        }
    }

    /// Tells the listener of a core, once.
    pub(super) fn announce(&mut self, core: &ElementSet) {
        let minimal = self.minimality(core);
        if minimal == Minimality::Minimal {
            self.explored.set_minimal(core);
            self.may = self.may.union(core);
        }
        if self.heard.insert(core.clone()) {
            self.listener.core(&Core { elements: core.clone(), minimal });
        }
    }

    /// Tells the listener of a core about which all was found out that can be. If a later round may find out more, only of one that is minimal.
    pub(super) fn settle(&mut self, core: &ElementSet) {
        if !self.is_early || self.minimality(core) == Minimality::Minimal {
            self.announce(core);
        }
        self.settled.insert(core.clone());
    }

    /// Whether nothing more can be found out about this core, for now.
    pub(super) fn is_settled(&self, core: &ElementSet) -> bool {
        self.heard.contains(core) || self.settled.contains(core)
    }

    /// The only minimal core, if that is known: one with MUST elements only.
    pub(super) fn only_core(&self) -> Option<&ElementSet> {
        let must = self.explored.must();
        self.explored.cores().find(|core| core.is_subset(&must))
    }

    fn must(&self) -> Parts {
        let sure = self.explored.must();
        let unknown = self.explored.in_all_adequate().difference(&sure);
        Parts { sure, unknown }
    }

    /// All that is known now. If one core was asked for, that is the one to report.
    pub(super) fn finish(mut self, goal: Goal, one: Option<&ElementSet>) -> Found {
        let known: Vec<ElementSet> = match one {
            Some(one) => vec![self.explored.smallest_within(one).unwrap_or(one).clone()],
            None => self.explored.cores().cloned().collect(),
        };
        let mut cores = Vec::new();
        for elements in known {
            self.announce(&elements);
            let minimal = self.minimality(&elements);
            cores.push(Core { elements, minimal });
        }
        for core in &cores {
            self.may = self.may.union(&self.explored.needed(&core.elements));
        }
        let must = self.must();
        if !cores.is_empty() {
            self.may = self.may.union(&must.sure);
        }
        // If all minimal cores are known, but only one of them is wanted, that one is no complete list.
        let all_known = self.knows_all();
        let complete = all_known && cores.len() == self.explored.cores().count();
        let mut at_least = self.at_least.max(self.explored.lower_bound());
        let smallest = self.explored.cores().min_by_key(|core| core.len()).cloned();
        if all_known {
            at_least = smallest.as_ref().map_or(0, ElementSet::len);
        }
        let minimum = smallest.filter(|core| core.len() <= at_least);
        let may = self.may_parts(complete, &cores);
        let holds = !cores.is_empty();
        let wants = |goals: &[Goal]| goals.contains(&goal);
        Found {
            must: (holds && (must.unknown.is_empty() || wants(&[Goal::All, Goal::Must]))).then_some(must),
            may: (may.unknown.is_empty() || wants(&[Goal::All, Goal::May])).then_some(may),
            cores,
            complete,
            minimum,
            at_least,
            undecided: self.undecided,
            stopped: self.stopped,
        }
    }

    /// Whether the known cores are all minimal cores.
    fn knows_all(&mut self) -> bool {
        if self.contradicted || self.only_core().is_some() {
            return !self.contradicted;
        }
        let judge = &*self.judge;
        self.exhausted
            && self.explored.cores().all(|core| self.minimality(core) == Minimality::Minimal)
            && (!self.explored.has_left_out() || self.explored.is_everything_known(&|| judge.is_over()))
    }

    fn may_parts(&self, complete: bool, cores: &[Core]) -> Parts {
        if complete {
            let sure = cores.iter().fold(ElementSet::new(), |all, core| all.union(&core.elements));
            return Parts { sure, unknown: ElementSet::new() };
        }
        let sure = self.may.clone();
        let unknown = self.universe.difference(&sure);
        Parts { sure, unknown }
    }
}

//! All questions about two graphs, in turn: simulation, then coverage, then what is not implemented, then explanations.
//!
//! What cannot be answered is said with its reason, and what was answered before it stays.

use super::study::study;
use super::{
    Answer, Criteria, CriteriaForm, Explanation, FlipStatus, Observer, Options, Pair, Simulated, Stats,
    Stopped, UnmatchedTransition, explain,
};
use propcov_ir::{Graph, Label, LabelFlip};
use propcov_verify::Progress;
use std::sync::Arc;
use std::time::Instant;

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Which of these labels are covered.
    pub flips: Vec<LabelFlip>,
    /// The propositions that these are labels of, in the order in which they are reported. Some may have no label.
    pub observed: Vec<u32>,
    /// What of the specification is not implemented, and in which form.
    pub criteria: Option<CriteriaForm>,
    /// Why these labels are covered or not.
    pub explained: Vec<LabelFlip>,
    /// How to find out.
    pub options: Options,
}

/// What was found out about two graphs.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The graphs.
    pub pair: Arc<Pair>,
    /// The questions.
    pub questions: Questions,
    /// Whether the specification simulates the implementation, with evidence; or why that is not known.
    pub answer: Found<Answer>,
    /// By label that is in question.
    pub findings: Vec<(LabelFlip, FlipStatus)>,
    /// Why some labels are not decided, if that is so.
    pub reason: String,
    /// What of the specification is not implemented, if that was asked.
    pub criteria: Option<Found<(Criteria, Transitions)>>,
    /// By label that is to be explained; nothing where nothing is simulated.
    pub explanations: Vec<(LabelFlip, Found<Explanation>)>,
    /// What it took.
    pub work: Work,
    /// Bugs.
    pub internal_errors: Vec<String>,
}

/// An answer, or why there is none.
pub type Found<T> = Result<T, String>;

/// The third criterion.
#[derive(Clone, Debug)]
pub enum Transitions {
    /// Those in [`Criteria::unimplemented_transitions`].
    Removable,
    /// As Katz, Grumberg and Geist have it.
    Unmatched(Vec<UnmatchedTransition>),
}

/// What each question took.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// To see whether the specification simulates the implementation.
    pub simulation: (Stats, f64),
    /// To see which labels are covered.
    pub coverage: (Stats, f64),
    /// To see what is not implemented.
    pub criteria: (Stats, f64),
}

/// The labels of these propositions in all states, as far as they say something.
pub fn all_labels(graph: &Graph, observed: &[u32]) -> Vec<LabelFlip> {
    let of = |proposition: &u32| {
        let proposition = *proposition;
        let flips = graph.states().map(move |state| LabelFlip { state, proposition });
        flips.filter(|flip| graph.label(flip.state, flip.proposition) != Label::Open)
    };
    observed.iter().flat_map(of).collect()
}

/// Tells how many labels are decided.
struct Counter<'p>(&'p dyn Progress);

impl Observer for Counter<'_> {
    fn decided(&self, done: usize, total: usize) {
        self.0.detail(&format!("{done} of {total} labels"));
    }
}

impl Survey {
    /// Asks all of it.
    pub fn new(pair: Arc<Pair>, questions: Questions, progress: &dyn Progress) -> Survey {
        let mut survey = Survey {
            pair,
            questions,
            answer: Err(String::new()),
            findings: Vec::new(),
            reason: String::new(),
            criteria: None,
            explanations: Vec::new(),
            work: Work::default(),
            internal_errors: Vec::new(),
        };
        survey.ask(progress);
        survey
    }

    /// Whether the specification simulates the implementation, if that is known.
    pub fn simulates(&self) -> Option<bool> {
        self.answer.as_ref().ok().map(|answer| matches!(answer, Answer::Simulated(_)))
    }

    fn ask(&mut self, progress: &dyn Progress) {
        progress.stage("simulation".to_owned());
        let start = Instant::now();
        let pair = Arc::clone(&self.pair);
        let budget = self.questions.options.budget.clone();
        let mut work = Stats::default();
        let mut seconds = 0.0;
        let answer = study(&pair, &budget, &mut work, |found| {
            seconds = start.elapsed().as_secs_f64();
            match found {
                Ok(mut simulated) => {
                    progress.stage("coverage:".to_owned());
                    self.cover(&simulated, progress);
                    progress.stage("criteria".to_owned());
                    self.ask_criteria(&mut simulated);
                    Answer::Simulated(simulated.simulation().clone())
                }
                Err(distinction) => Answer::Distinguished(distinction),
            }
        });
        if answer.is_err() {
            seconds = start.elapsed().as_secs_f64();
        }
        self.work.simulation = (work, seconds);
        self.answer = self.accept(answer);
        if self.simulates() == Some(true) {
            for flip in self.questions.explained.clone() {
                let explanation = self.accept(explain(&pair, flip, &budget));
                self.explanations.push((flip, explanation));
            }
        }
    }

    fn cover(&mut self, simulated: &Simulated<'_>, progress: &dyn Progress) {
        let start = Instant::now();
        let flips = &self.questions.flips;
        let coverage = simulated.cover(flips, &self.questions.options, &Counter(progress));
        let mut stats = Stats::default();
        self.reason = self.out_of_budget();
        self.findings = match self.accept(coverage) {
            Ok(coverage) => {
                stats = coverage.stats;
                coverage.findings
            }
            Err(why) => {
                self.reason = why;
                let reachable = self.pair.implementation().reachable();
                let status = |flip: &LabelFlip| match reachable[flip.state as usize] {
                    true => FlipStatus::Unknown,
                    false => FlipStatus::Unreachable,
                };
                self.questions.flips.iter().map(|flip| (*flip, status(flip))).collect()
            }
        };
        self.work.coverage = (stats, start.elapsed().as_secs_f64());
    }

    fn ask_criteria(&mut self, simulated: &mut Simulated<'_>) {
        let Some(form) = self.questions.criteria else { return };
        let start = Instant::now();
        let budget = self.questions.options.budget.clone();
        let mut stats = Stats::default();
        let found = match form {
            CriteriaForm::Removable => {
                simulated.criteria(&budget, &mut stats).map(|criteria| (criteria, Transitions::Removable))
            }
            CriteriaForm::Kgg99 => simulated.criteria_of_states(&budget, &mut stats).and_then(|criteria| {
                let unmatched = simulated.unmatched_transitions(&budget)?;
                Ok((criteria, Transitions::Unmatched(unmatched)))
            }),
        };
        self.criteria = Some(self.accept(found));
        self.work.criteria = (stats, start.elapsed().as_secs_f64());
    }

    /// The answer, or why there is none. What is wrong is noted.
    fn accept<T>(&mut self, result: Result<T, Stopped>) -> Found<T> {
        result.map_err(|stopped| match stopped {
            Stopped::Budget => self.out_of_budget(),
            Stopped::TooLarge(why) => why,
            Stopped::Internal(error) => {
                self.internal_errors.push(error);
                "internal error".to_owned()
            }
        })
    }

    fn out_of_budget(&self) -> String {
        match self.questions.options.budget.stop() {
            Some(propcov_budget::Stop::Cancelled) => "interrupted".to_owned(),
            Some(propcov_budget::Stop::Memory) => "out of memory".to_owned(),
            _ => "out of time".to_owned(),
        }
    }
}

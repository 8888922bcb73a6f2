//! `propcov cores`: from a design to what the proofs of its properties rest on. [`Design::cores_with`] is the list of steps.

mod announce;
mod matrix;
mod memory;
mod study;
mod subject;

pub(crate) use announce::Watcher;
pub(crate) use memory::{CoreMemory, note_reused};

use study::Question;
use subject::Subject;

use crate::keeper::{Keep, Keeper};
use crate::{Control, Design, Error, Share};
use matrix::MatrixFile;
use propcov_coverage::cores::{Algorithm, Goal, Options, Part};
use propcov_frontend::{Elements, Granularity};
use propcov_ir::{Meanings, PropertyId};
use propcov_result::RunResult;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What is asked of `cores`.
#[derive(Clone, Debug)]
pub struct CoresOptions {
    /// These properties only; all of them if empty.
    pub properties: Vec<String>,
    /// What is to be found.
    pub goal: Goal,
    /// How; `None` for the fastest way that is sure.
    pub algorithm: Option<Algorithm>,
    /// Bounded: cores for the first so many transitions only.
    pub depth: Option<u32>,
    /// Which elements are in question. All others are always kept.
    pub elements: Elements,
    /// Of these, those of some kinds or with names that fit: `registers`, `assignments`, `u_fifo.*`; all of them if empty.
    pub only: Vec<String>,
    /// Which of them are left out, in the same words.
    pub exclude: Vec<String>,
    /// Whether assumptions are, too.
    pub assumptions: bool,
    /// How finely definitions are taken apart; `None`: as the design was read.
    pub granularity: Option<Granularity>,
    /// Give up on a single set of elements after this time, not after an effort that follows from that of the proof.
    pub check_timeout: Option<Duration>,
    /// Stop after this time.
    pub timeout: Option<Duration>,
    /// How many threads may work; `None`: one for each core. Results do not depend on it.
    pub threads: Option<usize>,
    /// The seed of all random choices.
    pub seed: u64,
    /// A file for the matrix of properties and elements: its extension is one of [`propcov_report::MATRIX_FORMATS`].
    pub matrix: Option<PathBuf>,
    /// Whether each core is to have the invariants of its proof.
    pub invariants: bool,
    /// Where evidence is kept, and found again.
    pub keep: Keep,
    /// Do only this share of the work; others do the rest.
    pub share: Option<Share>,
    /// Find out nothing new: only what is kept counts.
    pub settled: bool,
}

/// Of so many properties, the search for all cores of each is divided. If there are more, each of them belongs to one share as a whole.
const FEW: usize = 16;

impl Default for CoresOptions {
    fn default() -> CoresOptions {
        CoresOptions {
            properties: Vec::new(),
            goal: Goal::All,
            algorithm: None,
            depth: None,
            elements: Elements::default(),
            only: Vec::new(),
            exclude: Vec::new(),
            assumptions: false,
            granularity: None,
            check_timeout: None,
            timeout: None,
            threads: None,
            seed: 0,
            matrix: None,
            invariants: false,
            keep: Keep::default(),
            share: None,
            settled: false,
        }
    }
}

impl CoresOptions {
    /// Whether the algorithm is for that.
    fn check(&self) -> Result<(), Error> {
        if self.share.is_some() && self.depth.is_some() {
            let why = "cores up to a depth have no evidence that could be kept: they cannot be shared out";
            return Err(Error::Usage(why.to_owned()));
        }
        let Some(algorithm) = self.algorithm else { return Ok(()) };
        if !algorithm.goals().contains(&self.goal) {
            return Err(Error::Usage(format!("{} is not for the goal {:?}", algorithm.name(), self.goal)));
        }
        if algorithm == Algorithm::Bvc && self.depth.is_none() {
            return Err(Error::Usage("bvc finds cores of bounded proofs, and needs a depth".to_owned()));
        }
        Ok(())
    }

    /// What is asked about so many properties.
    fn question(&self, properties: usize) -> Options {
        Options {
            goal: self.goal,
            algorithm: self.algorithm,
            depth: self.depth,
            threads: self.threads.unwrap_or_else(all_threads),
            // What others find out is needed for that.
            together: properties > 1 && self.share.is_none(),
            check_time: self.check_timeout,
            part: Part::Everything,
        }
    }

    /// Whether a share is about parts of the search for each property's cores, and not about some properties.
    fn is_divided(&self, properties: usize) -> bool {
        self.goal == Goal::All && self.algorithm.is_none() && properties <= FEW
    }

    /// Of these properties, those whose cores are looked for here, and which of the questions are asked.
    fn part(&self, subject: &Subject<'_>, meanings: &Meanings) -> (Vec<PropertyId>, Part) {
        let mut properties = subject.properties.clone();
        let Some(share) = self.share.filter(|_| !self.settled) else {
            return (properties, if self.settled { Part::Nothing } else { Part::Everything });
        };
        if !self.is_divided(properties.len()) {
            properties.retain(|property| share.proves(meanings, *property));
            return (properties, Part::Everything);
        }
        let (system, universe) = (&subject.measurable.system, &subject.universe);
        let region = |property: &PropertyId| (*property, share.region(system, meanings, *property, universe));
        let regions = properties.iter().map(region).collect();
        (properties, Part::Region(Arc::new(regions)))
    }
}

/// One thread for each core.
pub(crate) fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Design {
    /// Proves the properties, and finds what their proofs rest on.
    pub fn cores(&self, options: &CoresOptions) -> Result<RunResult, Error> {
        self.cores_with(options, &Control::default())
    }

    /// The same, for those who want to stop or watch it: [`crate::Progress::news`] has each core as soon as it is found.
    pub fn cores_with(&self, options: &CoresOptions, control: &Control<'_>) -> Result<RunResult, Error> {
        options.check()?;
        let matrix = options.matrix.as_deref().map(MatrixFile::new).transpose()?;
        let design = self.taken_apart(options.granularity)?;
        let subject = Subject::new(&design, options)?;
        let mut result = design.result("cores", options.seed, control);
        result.notes.extend(subject.notes(&design));
        result.run.shard = options.share.map(Share::shard);

        let keeper = Keeper::open(&options.keep, &design, &subject.measurable.system, design.reading(false));
        if options.share.is_some() {
            keeper.introduce();
        }
        let (properties, part) = options.part(&subject, &keeper.meanings);
        let question = Question {
            design: &design,
            subject: &subject,
            properties: &properties,
            timeout: options.timeout,
            seed: options.seed,
            // What others have tried in vain before is hard, and shared out; where there was nobody before, each share proves all properties.
            share: options.share.filter(|_| !options.keep.others.is_empty()),
            settled: options.settled,
        };
        let asked = Options { part, ..options.question(properties.len()) };
        let study = question.study(&asked, &keeper, control);
        study.add_to(&mut result);
        if options.invariants {
            study.add_invariants(&mut result);
        }
        result.climb();
        control.finish(&mut result);
        if let Some(matrix) = matrix {
            matrix.write(&mut result);
        }
        keeper.keep_result(&mut result);
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_coverage::cores::CoreMetric;
    use propcov_result::{Scope, Threshold, ThresholdVerdict, Verdict};

    fn example(name: &str) -> Design {
        crate::read(format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))).expect("an example")
    }

    #[test]
    fn cores_come_with_verdicts_elements_and_a_status_for_each() {
        let result = example("asw.lus").cores(&CoresOptions::default()).expect("cores");
        assert_eq!(result.properties[0].verdict, Verdict::Proved);
        let row = &result.cores[0];
        assert!(row.complete && row.answered && row.cores.len() == 2);
        assert_eq!(result.elements.len(), 10);
        assert!(result.elements.iter().all(|element| element.status.is_some()));
        assert!(row.cores.iter().all(|core| core.invariants.is_empty()), "nobody asked for invariants");
    }

    #[test]
    fn a_design_is_read_again_where_definitions_are_to_be_taken_apart() {
        let design = example("asw.lus");
        let options = CoresOptions {
            goal: Goal::One,
            granularity: Some(Granularity::Operator),
            invariants: true,
            ..CoresOptions::default()
        };
        let result = design.cores(&options).expect("cores");
        assert!(result.elements.len() > 20);
        assert!(result.cores[0].cores.iter().all(|core| !core.invariants.is_empty()));
        let smv = example("lift.smv").cores(&options);
        assert!(smv.is_err_and(|error| error.to_string().contains("operator granularity")));
    }

    #[test]
    fn algorithms_are_refused_what_they_are_not_for() {
        let design = example("asw.lus");
        let asked = |goal: Goal, algorithm: Algorithm| {
            design.cores(&CoresOptions { goal, algorithm: Some(algorithm), ..CoresOptions::default() })
        };
        assert!(asked(Goal::All, Algorithm::Uc).is_err());
        assert!(asked(Goal::Minimal, Algorithm::Bvc).is_err(), "without a depth");
        assert!(asked(Goal::One, Algorithm::Uc).is_ok());
    }

    #[test]
    fn one_run_serves_several_metrics() {
        let design = example("asw_2.lus");
        let covered = |metrics: &[CoreMetric]| {
            let options = crate::CoverOptions {
                metrics: metrics.iter().filter_map(|metric| crate::metric(metric.name())).collect(),
                thresholds: vec![Threshold::of_each(60.0)],
                ..crate::CoverOptions::default()
            };
            let result = design.cover(&options).expect("coverage");
            assert_eq!(result.run.thresholds[0].verdict, ThresholdVerdict::Missed);
            let share = |metric: &CoreMetric| {
                result.share(metric.name(), &Scope::All).expect("a share").tally.clone()
            };
            metrics.iter().map(share).collect::<Vec<_>>()
        };
        let (must, may, model) = (CoreMetric::Must, CoreMetric::May, CoreMetric::Model);
        let together = covered(&[must, may, model]);
        assert_eq!(together, [covered(&[must]), covered(&[may]), covered(&[model])].concat());
    }
}

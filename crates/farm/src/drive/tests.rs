//! Farms on which everything goes wrong that can.

use super::*;
use crate::scheduler::Choice;
use crate::{Input, Limits, Plan};
use fastrand::Rng;

/// A scheduler on which everything goes wrong that can.
struct Wild<'f> {
    farm: &'f Farm,
    rng: Rng,
    /// Jobs that it has, with those that they wait for.
    jobs: Vec<(String, Job, Vec<String>)>,
    count: usize,
    can_wait: bool,
    /// How many jobs may be lost from here on.
    losses: usize,
    /// Shares with more than this need too much memory.
    fits: u32,
}

impl Wild<'_> {
    /// Some jobs end, in whatever order.
    fn go_on(&mut self) {
        let names: Vec<String> = self.jobs.iter().map(|(id, ..)| id.clone()).collect();
        let ready = |waits: &[String]| waits.iter().all(|id| !names.contains(id));
        let mut kept = Vec::new();
        for (id, job, waits) in std::mem::take(&mut self.jobs) {
            if !ready(&waits) || self.rng.u8(..3) == 0 {
                kept.push((id, job, waits));
            } else if self.losses > 0 && self.rng.u8(..3) == 0 {
                self.losses -= 1;
            } else {
                let is_share = self.farm.plan.is_round(job.stage);
                let ending = match is_share && job.count < self.fits {
                    true => Ending::Memory,
                    false => Ending::Good,
                };
                let inputs = self.farm.known_before(job.stage).expect("readable");
                let done =
                    Done { ending, seconds: 1.0, decided: 1, inputs, allowed: u64::MAX, ..Done::default() };
                // Some jobs are run twice, whatever the scheduler promises.
                (0..self.rng.usize(1..3)).for_each(|_| self.farm.finish(job, &done).expect("written"));
            }
        }
        self.jobs = kept;
    }
}

impl Scheduler for Wild<'_> {
    fn submit(&mut self, tasks: &[Task], after: &[String]) -> Result<Vec<(Job, String)>, FarmError> {
        assert!(self.can_wait || after.is_empty(), "nobody waits here");
        if self.count > 0 && self.rng.u8(..8) == 0 {
            return Err(FarmError::Scheduler { scheduler: "wild".to_owned(), why: "down".to_owned() });
        }
        let taken = self.rng.usize(1..=tasks.len());
        let mut ids = Vec::new();
        for task in &tasks[..taken] {
            self.count += 1;
            let id = format!("{}", self.count);
            self.jobs.push((id.clone(), task.job, after.to_vec()));
            ids.push((task.job, id));
        }
        Ok(ids)
    }

    fn alive(&mut self, ids: &[String]) -> Result<BTreeSet<String>, FarmError> {
        if self.rng.u8(..8) == 0 {
            return Err(FarmError::Scheduler { scheduler: "wild".to_owned(), why: "busy".to_owned() });
        }
        Ok(ids.iter().filter(|id| self.jobs.iter().any(|(known, ..)| known == *id)).cloned().collect())
    }

    fn cancel(&mut self, ids: &[String]) -> Result<(), FarmError> {
        self.jobs.retain(|(id, ..)| !ids.contains(id));
        Ok(())
    }

    fn can_wait(&self) -> bool {
        self.can_wait
    }
}

fn plan(shards: u32, rounds: u32) -> Plan {
    Plan {
        version: Plan::VERSION,
        arguments: vec!["cover".to_owned(), "x.aag".to_owned()],
        directory: ".".into(),
        program: "propcov".into(),
        out: "out".into(),
        shards,
        rounds,
        scheduler: Choice::Local { workers: 1 },
        limits: Limits { memory: Some(1 << 30), minutes: Some(1), threads: 1, tries: 30 },
        head_start: None,
        inputs: Vec::new(),
        generation: 0,
    }
}

fn create(path: &Path, plan: Plan) -> Farm {
    let (farm, begun) = Farm::create(path, plan, &[], false).expect("planned");
    assert!(matches!(begun, Begun::New), "{begun:?}");
    farm
}

fn cases() -> u64 {
    std::env::var("PROPCOV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(30)
}

#[test]
fn whatever_happens_every_share_is_done_and_the_result_knows_all_of_them() {
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let room = tempfile::tempdir().expect("a directory");
        let (shards, rounds) = (rng.u32(1..6), rng.u32(1..4));
        let mut plan = plan(shards, rounds);
        if rng.bool() {
            plan.limits.memory = None;
        }
        let farm = create(room.path(), plan);
        let (can_wait, losses) = (rng.bool(), rng.usize(..20));
        let fits = if rng.bool() { shards * 2 } else { 0 };
        let mut wild =
            Wild { farm: &farm, rng: rng.fork(), jobs: Vec::new(), count: 0, can_wait, losses, fits };
        let mut memory = Memory::default();
        let mut steps = 0;
        loop {
            // Whoever looks after it may die, and know nothing any more.
            if rng.u8(..5) == 0 {
                memory = Memory::default();
            }
            let state =
                farm.step(&mut wild, &mut memory).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            if state.is_finished {
                assert!(state.given_up.is_empty(), "seed {seed}: {state:?}");
                break;
            }
            wild.go_on();
            steps += 1;
            assert!(steps < 2000, "seed {seed}: no end: {state:?}");
        }
        let books = farm.books().expect("readable");
        for stage in 0..=rounds {
            for job in farm.jobs(stage, &books.cuts) {
                let ending = books.done.get(&job).map(|done| done.ending.clone());
                assert_eq!(ending, Some(Ending::Good), "seed {seed}: {job}");
            }
        }
        let last = Job { stage: rounds + 1, index: 1, count: 1 };
        assert_eq!(
            books.done[&last].inputs,
            books.known_before(last.stage),
            "seed {seed}: the result is of all jobs"
        );
    }
}

#[test]
fn shares_that_are_cut_are_the_whole() {
    let room = tempfile::tempdir().expect("a directory");
    let farm = create(room.path(), plan(3, 2));
    let job = |stage, index, count| Job { stage, index, count };
    let cuts: BTreeSet<Job> = [job(1, 2, 3), job(2, 5, 6)].into();
    assert_eq!(farm.jobs(1, &cuts), [job(1, 1, 3), job(1, 2, 6), job(1, 5, 6), job(1, 3, 3)]);
    let second = [job(2, 1, 3), job(2, 2, 6), job(2, 5, 12), job(2, 11, 12), job(2, 3, 3)];
    assert_eq!(farm.jobs(2, &cuts), second);
    assert_eq!(farm.jobs(0, &cuts), [job(0, 1, 1)]);
    // Each number up to twelve is in one of them.
    for part in 1..=12 {
        let owners = second.iter().filter(|share| job(2, part, 12).is_part_of(**share)).count();
        assert_eq!(owners, 1, "{part}");
    }
}

#[test]
fn a_list_that_was_cut_off_costs_its_last_line() {
    let room = tempfile::tempdir().expect("a directory");
    let farm = create(room.path(), plan(3, 1));
    let submitted =
        |index: u32| Event::Submitted { job: Job { stage: 1, index, count: 3 }, id: index.to_string() };
    farm.note(&submitted(1)).expect("written");
    farm.note(&submitted(2)).expect("written");
    let path = room.path().join(SUBMITTED);
    let text = std::fs::read_to_string(&path).expect("there");
    std::fs::write(&path, &text[..text.len() - 5]).expect("written");
    farm.note(&submitted(3)).expect("written");
    let known: Vec<u32> = farm.books().expect("readable").submitted.keys().map(|job| job.index).collect();
    assert_eq!(known, [1, 3]);
}

#[test]
fn another_plan_is_refused_and_the_same_one_is_taken() {
    let room = tempfile::tempdir().expect("a directory");
    create(room.path(), plan(3, 1));
    let (_, begun) = Farm::create(room.path(), plan(3, 1), &[], false).expect("the same");
    assert!(matches!(begun, Begun::Same), "{begun:?}");
    let error = Farm::create(room.path(), plan(4, 1), &[], false).expect_err("another").to_string();
    assert!(error.contains("another plan") && error.contains("--anew"), "{error}");
    let (farm, begun) = Farm::create(room.path(), plan(4, 1), &[], true).expect("somebody wants it so");
    assert!(matches!(begun, Begun::Anew { .. }) && farm.plan.shards == 4, "{begun:?}");
    let error = Farm::open(&room.path().join("nowhere")).expect_err("none");
    assert!(error.to_string().contains("no farm was planned here"), "{error}");
}

#[test]
fn a_farm_whose_files_have_changed_begins_anew_and_jobs_of_before_are_in_nobodys_way() {
    let room = tempfile::tempdir().expect("a directory");
    let with = |sha256: &str| {
        let inputs = vec![Input { path: "x.aag".into(), sha256: Some(sha256.to_owned()) }];
        Plan { inputs, ..plan(2, 1) }
    };
    let old = create(room.path(), with("1"));
    let first = Job { stage: 0, index: 1, count: 1 };
    old.finish(first, &Done::default()).expect("written");
    assert!(matches!(Farm::create(room.path(), with("1"), &[], false), Ok((_, Begun::Same))));
    let (new, begun) = Farm::create(room.path(), with("2"), &[], false).expect("begun");
    let Begun::Anew { changed, before: Some(before) } = begun else { panic!("{begun:?}") };
    assert_eq!(changed, [PathBuf::from("x.aag")]);
    assert!(new.books().expect("readable").done.is_empty(), "nothing is done");
    assert_ne!(new.directory_of(first), old.directory_of(first));
    // A job of before that ends now says nothing about the new one, and neither does who looked after it.
    let error = old.finish(first, &Done::default()).expect_err("too late").to_string();
    assert!(error.contains("begun anew"), "{error}");
    assert!(old.books().is_err() && new.books().expect("readable").done.is_empty());
    before.discard();
    assert!(
        Farm::create(room.path(), with("2"), &[], false).is_ok_and(|(farm, _)| farm.plan.generation == 1)
    );
    // Nobody takes it from who looks after it.
    let lock = Lock::take(room.path()).expect("free");
    let error = Farm::create(room.path(), with("3"), &[], false).expect_err("busy").to_string();
    assert!(error.contains("looks after this farm"), "{error}");
    drop(lock);
    assert!(
        Farm::create(room.path(), with("1"), &[], false).is_ok_and(|(farm, _)| farm.plan.generation == 2)
    );
}

#[test]
fn what_was_given_up_is_counted_and_tried_again_when_somebody_wants_it() {
    let room = tempfile::tempdir().expect("a directory");
    let mut plan = plan(1, 1);
    plan.limits.tries = 1;
    let farm = create(room.path(), plan);
    let first = Job { stage: 0, index: 1, count: 1 };
    farm.finish(first, &Done::default()).expect("written");
    // A scheduler that loses every share.
    let mut losing = Losing { farm: &farm, submitted: Vec::new() };
    let mut memory = Memory::default();
    let mut run = |losing: &mut Losing<'_>| {
        for _ in 0..1000 {
            let state = farm.step(losing, &mut memory).expect("a look");
            if state.is_finished {
                return state;
            }
        }
        panic!("no end");
    };
    let state = run(&mut losing);
    let parts = 1 << CUTS;
    assert_eq!(state.given_up.len(), parts, "cut again and again, and lost at last");
    let status = farm.state().expect("readable");
    assert_eq!((status.given_up.len(), status.is_finished), (parts, true));
    let before = losing.submitted.len();
    farm.resume(None, None).expect("written");
    let status = farm.state().expect("readable");
    assert!(status.given_up.is_empty() && !status.is_finished, "{status:?}");
    let state = run(&mut losing);
    assert_eq!(state.given_up.len(), parts);
    assert_eq!(losing.submitted.len() - before, 2 * parts, "each of them once more than it is tried again");
}

#[test]
fn who_asks_to_stop_while_jobs_are_submitted_stops_these_as_well() {
    let room = tempfile::tempdir().expect("a directory");
    let farm = create(room.path(), plan(3, 1));
    let mut late = Late { farm: &farm, when: 0, taken: Vec::new() };
    let state = farm.step(&mut late, &mut Memory::default()).expect("a look");
    assert!(state.is_cancelled && late.taken.is_empty(), "{:?}", late.taken);
    let books = farm.books().expect("readable");
    assert_eq!(books.submitted.len(), 1, "noted, so that whoever resumes knows of it");
    // Nothing is submitted by somebody whose books are older than the mark.
    farm.resume(None, None).expect("written");
    late.when = 1;
    let state = farm.step(&mut late, &mut Memory::default()).expect("a look");
    assert!(late.taken.is_empty(), "{state:?}");
}

/// A scheduler that loses all shares, and does the rest.
struct Losing<'f> {
    farm: &'f Farm,
    submitted: Vec<Job>,
}

impl Scheduler for Losing<'_> {
    fn submit(&mut self, tasks: &[Task], _: &[String]) -> Result<Vec<(Job, String)>, FarmError> {
        for task in tasks {
            match self.farm.plan.is_round(task.job.stage) {
                true => self.submitted.push(task.job),
                false => {
                    let inputs = self.farm.known_before(task.job.stage)?;
                    self.farm.finish(task.job, &Done { inputs, ..Done::default() })?;
                }
            }
        }
        let count = self.submitted.len();
        Ok(tasks.iter().map(|task| (task.job, format!("{}-{count}", task.job.file_name()))).collect())
    }

    fn alive(&mut self, _: &[String]) -> Result<BTreeSet<String>, FarmError> {
        Ok(BTreeSet::new())
    }

    fn cancel(&mut self, _: &[String]) -> Result<(), FarmError> {
        Ok(())
    }

    fn can_wait(&self) -> bool {
        false
    }
}

/// A scheduler during whose work somebody asks to stop.
struct Late<'f> {
    farm: &'f Farm,
    /// While jobs are submitted, or while it is asked who is there.
    when: u32,
    taken: Vec<String>,
}

impl Scheduler for Late<'_> {
    fn submit(&mut self, tasks: &[Task], _: &[String]) -> Result<Vec<(Job, String)>, FarmError> {
        self.taken.push(tasks[0].job.file_name());
        self.farm.note(&Event::Cancelled)?;
        Ok(vec![(tasks[0].job, tasks[0].job.file_name())])
    }

    fn alive(&mut self, _: &[String]) -> Result<BTreeSet<String>, FarmError> {
        if self.when == 1 {
            self.farm.note(&Event::Cancelled)?;
        }
        Ok(BTreeSet::new())
    }

    fn cancel(&mut self, ids: &[String]) -> Result<(), FarmError> {
        self.taken.retain(|id| !ids.contains(id));
        Ok(())
    }

    fn can_wait(&self) -> bool {
        false
    }
}

/// A scheduler that only remembers what it was given.
#[derive(Default)]
struct Patient {
    given: Vec<Task>,
}

impl Scheduler for Patient {
    fn submit(&mut self, tasks: &[Task], _: &[String]) -> Result<Vec<(Job, String)>, FarmError> {
        self.given.extend(tasks.iter().cloned());
        Ok(tasks.iter().map(|task| (task.job, task.job.file_name())).collect())
    }

    fn alive(&mut self, ids: &[String]) -> Result<BTreeSet<String>, FarmError> {
        Ok(ids.iter().cloned().collect())
    }

    fn cancel(&mut self, _: &[String]) -> Result<(), FarmError> {
        Ok(())
    }

    fn can_wait(&self) -> bool {
        true
    }
}

#[test]
fn large_shares_are_first_and_their_limits_follow_from_the_first_job() {
    let room = tempfile::tempdir().expect("a directory");
    let mut plan = plan(4, 1);
    (plan.limits.memory, plan.limits.minutes) = (None, None);
    let farm = create(room.path(), plan);
    let (mut patient, mut memory) = (Patient::default(), Memory::default());
    farm.step(&mut patient, &mut memory).expect("a look");
    assert_eq!(patient.given.len(), 1, "nobody knows yet what shares need: {:?}", patient.given);
    let first = patient.given.remove(0);
    assert_eq!((first.job.stage, first.memory >> 20), (0, 4096));
    let done = Done { seconds: 1800.0, memory: Some(1 << 30), sizes: vec![3, 10, 0, 7], ..Done::default() };
    farm.finish(first.job, &done).expect("written");
    let state = farm.step(&mut patient, &mut memory).expect("a look");
    let order: Vec<(u32, u32)> = patient.given.iter().map(|task| (task.job.stage, task.job.index)).collect();
    assert_eq!(order, [(1, 2), (1, 4), (1, 1), (1, 3), (2, 1)]);
    assert!(patient.given.iter().all(|task| task.memory >> 20 == 4096 && task.minutes == 120));
    let allowance = Allowance { memory: 4 << 30, minutes: 120, is_measured: true };
    assert_eq!(state.allowance, Some(allowance));
}

#[test]
fn while_the_file_system_is_away_nothing_is_lost_and_nothing_is_submitted_again() {
    let room = tempfile::tempdir().expect("a directory");
    let (here, elsewhere) = (room.path().join("farm"), room.path().join("elsewhere"));
    let farm = create(&here, plan(3, 1));
    let (mut patient, mut memory) = (Patient::default(), Memory::default());
    farm.step(&mut patient, &mut memory).expect("a look");
    let given = patient.given.len();
    assert_eq!(given, 5, "all stages");
    std::fs::rename(&here, &elsewhere).expect("moved");
    for _ in 0..3 {
        let error = farm.step(&mut patient, &mut memory).expect_err("nothing can be seen");
        assert!(may_pass(&error) && memory.is_patient(), "{error}");
    }
    // A job that ends meanwhile waits with its note, and makes nothing in the wrong place.
    let job = patient.given[0].job;
    std::thread::scope(|scope| {
        let note = scope.spawn(|| farm.finish(job, &Done::default()));
        std::thread::sleep(Duration::from_millis(300));
        assert!(!here.exists(), "made in the place of what is away");
        std::fs::rename(&elsewhere, &here).expect("moved back");
        note.join().expect("ended").expect("written");
    });
    farm.step(&mut patient, &mut memory).expect("it is back");
    assert_eq!(patient.given.len(), given, "submitted again");
    assert!(farm.books().expect("readable").done.contains_key(&job));
}

#[test]
fn a_job_that_had_too_little_memory_is_done_again_when_it_may_have_more() {
    let room = tempfile::tempdir().expect("a directory");
    let farm = create(room.path(), plan(3, 1));
    let (mut patient, mut memory) = (Patient::default(), Memory::default());
    farm.step(&mut patient, &mut memory).expect("a look");
    let first = patient.given[0].job;
    let done = Done { ending: Ending::Memory, allowed: 1 << 30, ..Done::default() };
    farm.finish(first, &done).expect("written");
    let error = farm.step(&mut patient, &mut memory).expect_err("it cannot be cut");
    assert!(error.to_string().contains("needs more than 1024 MiB"), "{error}");
    farm.resume(Some(2 << 30), None).expect("written");
    let given = patient.given.len();
    farm.step(&mut patient, &mut memory).expect("once more");
    let again = patient.given.get(given).expect("submitted again");
    assert_eq!((again.job, again.memory >> 20), (first, 2048));
}

//! From a plan to a result: submits what can be done, looks after it, and does again what was lost.
//!
//! All that is known is in the farm's directory. Whoever drives it can end at any time, and another one goes on from there.

use crate::files;
use crate::lock::{self, Lock};
use crate::plan::Allowance;
use crate::scheduler::{Scheduler, Task};
use crate::{Done, Ending, FarmError, Job, Limits, Plan};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const PLAN: &str = "plan.json";
const SUBMITTED: &str = "submitted.jsonl";
const DONE: &str = "done";
const WORK: &str = "work";
const LOG: &str = "log";

/// A share is cut in two at most so often: into 64 parts.
const CUTS: u32 = 6;
/// After so many losses, a share is cut in two: perhaps it is too large.
const LOSSES: usize = 2;
/// How often a job has to be absent before it counts as lost: what it wrote last may not be seen here yet.
const ABSENCES: u32 = 3;
/// The longest pause before a job that was lost again and again is submitted again.
const LONGEST: Duration = Duration::from_secs(300);

/// The shortest time between two looks.
const SHORTEST: Duration = Duration::from_millis(10);

/// How long the file system may be away.
const AWAY: Duration = Duration::from_secs(15 * 60);

/// A directory that all machines see.
#[derive(Clone, Debug)]
pub struct Farm {
    path: PathBuf,
    plan: Plan,
}

/// A line of the list of what was submitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Event {
    /// The scheduler has a job, under this name.
    Submitted { job: Job, id: String },
    /// A share is cut in two, in this round and those that follow.
    Cut { job: Job },
    /// Nobody is to go on.
    Cancelled,
    /// Somebody is to go on after all.
    Resumed,
    /// What was lost until here does not count any more: it is tried as often again.
    Again,
    /// From here on, jobs may have this.
    Limits { memory: Option<u64>, minutes: Option<u32> },
}

/// How a farm was begun.
#[derive(Debug)]
pub enum Begun {
    /// There was none.
    New,
    /// It was there, with the same question and the same files: it goes on.
    Same,
    /// It was there with another question, or other files: it begins anew. Jobs of before were asked to end, and what they have found is where they have kept it.
    Anew {
        /// The files that have something else in them now.
        changed: Vec<PathBuf>,
        /// The farm as it was, unless nobody can read it any more.
        before: Option<Box<Farm>>,
    },
}

/// What there is to know at some moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The stage that is being worked on: the first one that is not done.
    pub stage: u32,
    /// How many stages there are.
    pub stages: u32,
    /// The jobs of this stage.
    pub jobs: usize,
    /// How many of them have ended.
    pub done: usize,
    /// How many of them are with the scheduler.
    pub running: usize,
    /// How many jobs of all stages were lost, so far.
    pub lost: usize,
    /// Those that were given up on.
    pub given_up: Vec<Job>,
    /// Whether the result is there.
    pub is_finished: bool,
    /// Whether somebody has asked to stop.
    pub is_cancelled: bool,
    /// Findings that are not decided, as far as the newest round knows.
    pub open: u64,
    /// What the scheduler or the file system said last, if it could not be asked.
    pub trouble: Option<String>,
    /// What each job of this stage may have.
    pub allowance: Option<Allowance>,
}

/// Who looks at a farm at work.
pub trait Watch {
    /// Whether to go on looking. The jobs go on in any case.
    fn look(&mut self, state: &State) -> bool;
}

/// What the files say.
struct Books {
    done: BTreeMap<Job, Done>,
    submitted: BTreeMap<Job, Vec<String>>,
    /// How many of those do not count as tries any more.
    forgiven: BTreeMap<Job, usize>,
    cuts: BTreeSet<Job>,
    is_cancelled: bool,
    limits: Limits,
}

/// What is remembered from one look to the next.
#[derive(Default)]
struct Memory {
    /// How often a job was not there.
    absent: BTreeMap<String, u32>,
    trouble: Option<String>,
    /// Since when nothing can be seen.
    away: Option<Instant>,
    /// When jobs that were lost may be submitted again, by the names under which they were lost.
    later: BTreeMap<String, Instant>,
}

impl Farm {
    /// Begins: the plan is written. Where the files that it is about have changed (also those that only the caller knows of), or where somebody wants it so, the farm begins anew.
    ///
    /// # Errors
    /// When there is another one already, when somebody looks after one that is to begin anew, or when the directory cannot be written.
    pub fn create(
        path: &Path,
        mut plan: Plan,
        included: &[PathBuf],
        anew: bool,
    ) -> Result<(Farm, Begun), FarmError> {
        let is_same = |there: &Plan, plan: &Plan| there.inputs == plan.inputs && included.is_empty();
        let place = path.join(PLAN);
        let there = match files::read::<Plan>(&place) {
            Ok(there) => there,
            // Of a version that has other plans, perhaps.
            Err(FarmError::Malformed { .. }) if anew => None,
            Err(error) => return Err(error),
        };
        let begun = match there {
            None if !place.exists() => Begun::New,
            Some(there) if !anew && there.is_like(&plan) && is_same(&there, &plan) => {
                plan.generation = there.generation;
                Begun::Same
            }
            Some(there) if !anew && !there.is_like(&plan) => {
                return Err(another_plan(path, &there, &plan));
            }
            there => {
                if let Some(busy) = lock::holder(path)? {
                    return Err(busy);
                }
                let before = there.map(|plan| Box::new(Farm { path: path.to_owned(), plan }));
                // If they go on, they are in nobody's way.
                if let Some(before) = &before {
                    let _ = before.cancel();
                }
                plan.generation = generation_after(&place);
                let mut changed =
                    before.as_ref().map(|before| before.plan.changed(&plan)).unwrap_or_default();
                changed.extend(included.iter().cloned());
                Begun::Anew { changed, before }
            }
        };
        // Schedulers do not make it.
        let log = path.join(plan.place(LOG));
        std::fs::create_dir_all(&log).map_err(|error| files::failed(&log, "create", error))?;
        files::write(&place, &plan).map_err(|error| files::failed(&place, "write", error))?;
        Ok((Farm { path: path.to_owned(), plan }, begun))
    }

    /// Removes what jobs have left, of a farm that has begun anew.
    pub fn discard(self) {
        // What cannot be removed is in nobody's way.
        for name in [WORK, DONE, LOG] {
            let _ = std::fs::remove_dir_all(self.place(name));
        }
        let _ = std::fs::remove_file(self.place(SUBMITTED));
    }

    fn place(&self, name: &str) -> PathBuf {
        self.path.join(self.plan.place(name))
    }

    /// Reads a plan that was written, and waits for it if the file system is away for a moment: whoever runs jobs has been told that it is there.
    ///
    /// # Errors
    /// When there is none, or one of another version.
    pub fn open_patiently(path: &Path) -> Result<Farm, FarmError> {
        // What is wrong with it is said below.
        let _ = files::patiently(|| std::fs::metadata(path.join(PLAN)));
        Farm::open(path)
    }

    /// Whether its file system can be seen.
    pub fn is_there(&self) -> bool {
        self.path.join(PLAN).exists()
    }

    fn away(&self) -> FarmError {
        FarmError::Away { path: self.path.clone() }
    }

    /// Reads a plan that was written.
    ///
    /// # Errors
    /// When there is none, or one of another version.
    pub fn open(path: &Path) -> Result<Farm, FarmError> {
        let malformed = |why: &str| FarmError::Malformed { path: path.to_owned(), why: why.to_owned() };
        let plan: Plan =
            files::read(&path.join(PLAN))?.ok_or_else(|| malformed("no farm was planned here"))?;
        if plan.version != Plan::VERSION {
            return Err(malformed("planned by another version of propcov"));
        }
        Ok(Farm { path: path.to_owned(), plan })
    }

    /// What is asked.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The run directory of a job.
    pub fn directory_of(&self, job: Job) -> PathBuf {
        self.place(WORK).join(job.stage.to_string()).join(job.share_name())
    }

    /// Makes the run directory of a job, if the farm can be seen.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn prepare(&self, job: Job) -> Result<(), FarmError> {
        let directory = self.directory_of(job);
        let work = self.place(WORK);
        let parts = [work.clone(), work.join(job.stage.to_string()), directory.clone()];
        let make = |path: &PathBuf| match std::fs::create_dir(path) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        };
        files::patiently(|| parts.iter().try_for_each(make))
            .map_err(|error| files::failed(&directory, "create", error))
    }

    /// The run directories of all jobs of earlier stages, the first stage first.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn directories_before(&self, stage: u32) -> Result<Vec<PathBuf>, FarmError> {
        let mut directories = Vec::new();
        for stage in 0..stage {
            let of_stage = self.place(WORK).join(stage.to_string());
            directories.extend(files::names(&of_stage)?.into_iter().map(|name| of_stage.join(name)));
        }
        if self.is_there() { Ok(directories) } else { Err(self.away()) }
    }

    /// How much was done in the stages before one: more, whenever a job there has ended by itself, or has ended well after it had not.
    ///
    /// # Errors
    /// When that cannot be read.
    pub fn known_before(&self, stage: u32) -> Result<u64, FarmError> {
        Ok(self.books()?.known_before(stage))
    }

    /// Notes that a job has ended by itself.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn finish(&self, job: Job, done: &Done) -> Result<(), FarmError> {
        let path = self.note_of(job);
        if let Ok(Some(plan)) = files::read::<Plan>(&self.path.join(PLAN))
            && plan != self.plan
        {
            return Err(self.superseded());
        }
        files::patiently(|| files::write(&path, done)).map_err(|error| files::failed(&path, "write", error))
    }

    fn superseded(&self) -> FarmError {
        let why = "this farm has begun anew, with another plan".to_owned();
        FarmError::Malformed { path: self.path.clone(), why }
    }

    fn books(&self) -> Result<Books, FarmError> {
        if files::read::<Plan>(&self.path.join(PLAN))?.is_some_and(|plan| plan != self.plan) {
            return Err(self.superseded());
        }
        let books = self.read_books()?;
        // If it went away meanwhile, the books are not all there.
        if self.is_there() { Ok(books) } else { Err(self.away()) }
    }

    fn read_books(&self) -> Result<Books, FarmError> {
        if !self.is_there() {
            return Err(self.away());
        }
        let mut books = Books {
            done: BTreeMap::new(),
            submitted: BTreeMap::new(),
            forgiven: BTreeMap::new(),
            cuts: BTreeSet::new(),
            is_cancelled: false,
            limits: self.plan.limits,
        };
        for name in files::names(&self.place(DONE))? {
            let Some(Ok(job)) = name.strip_suffix(".json").map(str::parse::<Job>) else { continue };
            match files::read(&self.place(DONE).join(&name)) {
                Ok(Some(done)) => {
                    books.done.insert(job, done);
                }
                // One that nobody can read says nothing: the job is done again.
                Ok(None) | Err(FarmError::Malformed { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        for event in self.events()? {
            match event {
                Event::Submitted { job, id } => books.submitted.entry(job).or_default().push(id),
                Event::Cut { job } => {
                    books.cuts.insert(job);
                }
                Event::Cancelled => books.is_cancelled = true,
                Event::Resumed => books.is_cancelled = false,
                Event::Again => {
                    books.forgiven = books.submitted.iter().map(|(job, ids)| (*job, ids.len())).collect();
                }
                Event::Limits { memory, minutes } => {
                    books.limits.memory = memory.or(books.limits.memory);
                    books.limits.minutes = minutes.or(books.limits.minutes);
                }
            }
        }
        // Those that had too little memory are done again where they may have more.
        let limits = books.limits;
        let may_have = |job: &Job, done: &BTreeMap<Job, Done>| limits.allowance(job.stage, done).memory;
        let again: Vec<Job> = books
            .done
            .iter()
            .filter(|(job, done)| done.ending == Ending::Memory && done.allowed < may_have(job, &books.done))
            .map(|(job, _)| *job)
            .collect();
        for job in again {
            books.done.remove(&job);
            books.submitted.remove(&job);
            books.forgiven.remove(&job);
        }
        Ok(books)
    }

    /// What was noted, in the order of time.
    fn events(&self) -> Result<Vec<Event>, FarmError> {
        let path = self.place(SUBMITTED);
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(files::failed(&path, "read", error)),
        };
        // A line that was cut off is one that nobody has acted upon.
        Ok(text.lines().filter_map(|line| serde_json::from_str::<Event>(line).ok()).collect())
    }

    /// Whether somebody has asked to stop, just now.
    fn is_cancelled(&self) -> Result<bool, FarmError> {
        let marks = self.events()?.into_iter().rev();
        let newest = marks.into_iter().find(|event| matches!(event, Event::Cancelled | Event::Resumed));
        Ok(newest == Some(Event::Cancelled))
    }

    fn note(&self, event: &Event) -> Result<(), FarmError> {
        self.note_all(std::slice::from_ref(event))
    }

    fn note_all(&self, events: &[Event]) -> Result<(), FarmError> {
        let path = self.place(SUBMITTED);
        // A line that was cut off is ended first.
        let mut lines = b"\n".to_vec();
        for event in events {
            lines.extend(serde_json::to_vec(event).unwrap_or_default());
            lines.push(b'\n');
        }
        let attempt = || {
            if !self.is_there() {
                return Err(std::io::ErrorKind::NotFound.into());
            }
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&path)?;
            file.write_all(&lines)?;
            file.sync_data()
        };
        files::patiently(attempt).map_err(|error| files::failed(&path, "write", error))
    }

    /// The jobs of a stage, some of them in parts.
    fn jobs(&self, stage: u32, cuts: &BTreeSet<Job>) -> Vec<Job> {
        let mut jobs = Vec::new();
        let mut open = self.plan.jobs(stage);
        open.reverse();
        while let Some(job) = open.pop() {
            // What is cut in one round is in parts in the following ones.
            let is_cut =
                cuts.iter().any(|cut| cut.stage <= stage && (cut.index, cut.count) == (job.index, job.count));
            match job.halves().filter(|_| is_cut && self.plan.is_round(stage)) {
                Some(halves) => open.extend(halves.into_iter().rev()),
                None => jobs.push(job),
            }
        }
        jobs
    }

    /// What a job prints.
    fn log_of(&self, job: Job) -> PathBuf {
        self.place(LOG).join(format!("{}.log", job.file_name()))
    }

    /// That it has ended by itself.
    fn note_of(&self, job: Job) -> PathBuf {
        self.place(DONE).join(format!("{}.json", job.file_name()))
    }

    fn task(&self, job: Job, Allowance { memory, minutes, .. }: Allowance) -> Task {
        let words = ["farm", "job", "--memory", &memory.to_string(), "--minutes", &minutes.to_string()]
            .map(str::to_owned);
        let place = [self.path.display().to_string(), job.file_name()];
        let program = [self.plan.program.display().to_string()];
        Task {
            job,
            command: program.into_iter().chain(words).chain(place).collect(),
            name: format!("propcov-{}", job.stage),
            log: self.log_of(job),
            memory,
            minutes,
            threads: self.plan.limits.threads,
        }
    }

    /// How much there is to do in a share, as far as that is known: what it left open in the round before, and how long that took; in the first round, what the first job left.
    fn size(&self, job: Job, books: &Books) -> (u64, u64) {
        let known = (1..job.stage).rev().find_map(|stage| books.done.get(&Job { stage, ..job }));
        if let Some(done) = known {
            return (done.open, (done.seconds * 1000.0) as u64);
        }
        // What was cut in two was large.
        if let Some(whole) = job.whole(self.plan.shards) {
            let (open, time) = self.size(whole, books);
            return (open.div_ceil(2), time / 2);
        }
        let first = books.done.get(&Job { stage: 0, index: 1, count: 1 });
        let size = first.and_then(|done| done.sizes.get(job.index as usize - 1)).copied();
        (size.unwrap_or_default(), 0)
    }

    /// What a job printed last.
    pub fn last_words(&self, job: Job) -> String {
        let path = self.log_of(job);
        let text =
            std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("nothing was printed").to_owned()
    }

    /// Sees to it that everything is done. Ends when the result is there, when somebody has asked to stop, or when the one who watches does not want to go on.
    ///
    /// # Errors
    /// When jobs say that they can never be done, when somebody else looks after it, and when files cannot be read or written. Jobs that are running go on.
    pub fn drive(&self, every: Duration, watch: &mut dyn Watch) -> Result<State, FarmError> {
        let mut lock = Lock::take(&self.path)?;
        let mut scheduler = self.plan.scheduler.scheduler();
        let mut memory = Memory::default();
        let shortest = (every / 50).max(SHORTEST);
        let (mut before, mut pause) = (State::default(), shortest);
        loop {
            lock.beat()?;
            let state = match self.step(scheduler.as_mut(), &mut memory) {
                Ok(state) => {
                    memory.away = None;
                    state
                }
                // Nothing is lost as long as nothing can be seen.
                Err(error) if may_pass(&error) && memory.is_patient() => {
                    State { trouble: Some(error.to_string()), ..before.clone() }
                }
                Err(error) => return Err(error),
            };
            if !watch.look(&state) || state.is_finished || state.is_cancelled {
                return Ok(state);
            }
            // What changes fast is looked at often.
            pause = if state == before { (pause * 2).min(every) } else { shortest };
            before = state;
            std::thread::sleep(pause.min(every));
        }
    }

    /// Goes on after somebody asked to stop, perhaps with other limits for jobs. What was given up, or could not be done, is tried again.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn resume(&self, memory: Option<u64>, minutes: Option<u32>) -> Result<(), FarmError> {
        if memory.is_some() || minutes.is_some() {
            self.note(&Event::Limits { memory, minutes })?;
        }
        let books = self.books()?;
        for (job, _) in books.done.iter().filter(|(_, done)| matches!(done.ending, Ending::Hopeless(_))) {
            self.forget(*job)?;
        }
        let is_done = |job: &Job| books.done.get(job).is_some_and(|done| done.ending == Ending::Good);
        if books.submitted.keys().any(|job| !is_done(job)) {
            self.note(&Event::Again)?;
        }
        if books.is_cancelled { self.note(&Event::Resumed) } else { Ok(()) }
    }

    /// Removes the note that a job has ended.
    fn forget(&self, job: Job) -> Result<(), FarmError> {
        let path = self.note_of(job);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(files::failed(&path, "remove", error))
            }
            _ => Ok(()),
        }
    }

    /// Ends all jobs. What they have found is kept.
    ///
    /// # Errors
    /// When the scheduler cannot be asked to.
    pub fn cancel(&self) -> Result<usize, FarmError> {
        self.note(&Event::Cancelled)?;
        let mut scheduler = self.plan.scheduler.scheduler();
        let books = self.books()?;
        let alive: Vec<String> = scheduler.alive(&books.open())?.into_iter().collect();
        if !alive.is_empty() {
            scheduler.cancel(&alive)?;
        }
        Ok(alive.len())
    }

    /// How things are, without doing anything about it.
    ///
    /// # Errors
    /// When files cannot be read.
    pub fn state(&self) -> Result<State, FarmError> {
        let mut scheduler = self.plan.scheduler.scheduler();
        let (mut memory, books) = (Memory::default(), self.books()?);
        let alive = self.alive(scheduler.as_mut(), &books, &mut memory);
        let mut state = State {
            stages: self.plan.last_stage() + 1,
            is_cancelled: books.is_cancelled,
            trouble: memory.trouble,
            ..State::default()
        };
        for stage in 0..=self.plan.last_stage() {
            let jobs = self.jobs(stage, &books.cuts);
            let is_done = |job: &&Job| books.done.get(job).is_some_and(|done| done.ending == Ending::Good);
            let is_running = |job: &&Job| books.ids(**job).iter().any(|id| alive.contains(id));
            let done = jobs.iter().filter(is_done).count();
            let given_up = jobs.iter().filter(|job| !is_running(job) && self.is_given_up(**job, &books));
            state.given_up.extend(given_up);
            let given_up = state.given_up.iter().filter(|job| job.stage == stage).count();
            if done + given_up == jobs.len() && stage < self.plan.last_stage() {
                continue;
            }
            let running = jobs.iter().filter(|job| !is_done(job)).filter(is_running).count();
            let allowance = Some(books.limits.allowance(stage, &books.done));
            let is_finished = done == jobs.len();
            state = State { stage, jobs: jobs.len(), done, running, is_finished, allowance, ..state };
            break;
        }
        state.lost = books.lost();
        state.open = self.undecided(&books);
        Ok(state)
    }

    /// Whether a job that is neither done nor running is not tried again.
    fn is_given_up(&self, job: Job, books: &Books) -> bool {
        let is_lost = match books.done.get(&job) {
            Some(done) => done.ending == Ending::Memory && self.is_small(job),
            None => books.tries(job) > self.plan.limits.tries as usize,
        };
        self.plan.is_round(job.stage) && is_lost
    }

    /// The jobs that the scheduler has. Where it cannot be asked, all of them: nothing is lost as long as nobody says so.
    fn alive(&self, scheduler: &mut dyn Scheduler, books: &Books, memory: &mut Memory) -> BTreeSet<String> {
        let ids = books.open();
        match scheduler.alive(&ids) {
            Ok(alive) => {
                memory.trouble = None;
                alive
            }
            Err(error) => {
                memory.trouble = Some(error.to_string());
                ids.into_iter().collect()
            }
        }
    }

    /// One look at everything, and what follows from it.
    fn step(&self, scheduler: &mut dyn Scheduler, memory: &mut Memory) -> Result<State, FarmError> {
        // First who is there, then what is done: who ends in between is done, and not lost.
        let alive = self.alive(scheduler, &self.books()?, memory);
        let mut books = self.books()?;
        memory.count(&books, &alive);
        let last = self.plan.last_stage();
        let mut state = State { stages: last + 1, is_cancelled: books.is_cancelled, ..State::default() };
        let (mut waiting_for, mut is_first): (Vec<String>, bool) = (Vec::new(), true);
        for stage in 0..=last {
            if stage == last {
                self.renew_last(&mut books)?;
            }
            // What a share may have follows from what the first job needed.
            let first = Job { stage: 0, index: 1, count: 1 };
            if stage > 0 && books.limits.are_measured() && !books.done.contains_key(&first) {
                break;
            }
            let allowance = books.limits.allowance(stage, &books.done);
            self.cut(stage, &mut books, &alive, &memory.absent)?;
            let mut jobs = self.jobs(stage, &books.cuts);
            // The largest first, so that none of them is begun when all others are done.
            jobs.sort_by_key(|job| (std::cmp::Reverse(self.size(*job, &books)), job.index));
            let (mut running, mut wanted, mut done, mut given_up) = (Vec::new(), Vec::new(), 0, Vec::new());
            let mut waits = 0;
            for job in &jobs {
                match self.standing(*job, &books, &alive, &memory.absent)? {
                    Standing::Done => done += 1,
                    Standing::Running(id) => running.push(id),
                    Standing::Wanted if memory.has_to_wait(books.ids(*job), scheduler.pause()) => waits += 1,
                    Standing::Wanted => wanted.push(self.task(*job, allowance)),
                    Standing::GivenUp => given_up.push(*job),
                }
            }
            state.given_up.append(&mut given_up);
            if is_first && !(running.is_empty() && wanted.is_empty() && waits == 0) {
                is_first = false;
                let (jobs, running, allowance) = (jobs.len(), running.len(), Some(allowance));
                state = State { stage, jobs, done, running, allowance, ..state };
            }
            // A result that is there may be from before something that is still done.
            state.is_finished = stage == last && done == jobs.len() && waiting_for.is_empty();
            let mut taken: BTreeSet<Job> = BTreeSet::new();
            let is_ready = waiting_for.is_empty() || scheduler.can_wait();
            // Somebody may have asked to stop since the books were read.
            if !wanted.is_empty() && is_ready && !books.is_cancelled && !self.is_cancelled()? {
                match scheduler.submit(&wanted, &waiting_for) {
                    Ok(submitted) => {
                        let ids: Vec<String> = submitted.iter().map(|(_, id)| id.clone()).collect();
                        taken.extend(submitted.iter().map(|(job, _)| *job));
                        let events = submitted.into_iter().map(|(job, id)| Event::Submitted { job, id });
                        self.note_all(&events.collect::<Vec<_>>())?;
                        // Whoever has asked to stop meanwhile did not know of these.
                        if self.is_cancelled()? {
                            scheduler.cancel(&ids)?;
                            state.is_cancelled = true;
                            break;
                        }
                        running.extend(ids);
                    }
                    // It can never be run.
                    Err(error @ FarmError::Program { .. }) => return Err(error),
                    // It has taken jobs before: it may be down for a while. Whoever watches is told.
                    Err(error) if !books.submitted.is_empty() || !waiting_for.is_empty() => {
                        memory.trouble = Some(error.to_string());
                    }
                    Err(error) => return Err(error),
                }
            }
            let is_open = waits > 0 || wanted.iter().any(|task| !taken.contains(&task.job));
            waiting_for.extend(running);
            if is_open || (!waiting_for.is_empty() && !scheduler.can_wait()) {
                break;
            }
        }
        state.lost = books.lost();
        state.open = self.undecided(&books);
        state.trouble.clone_from(&memory.trouble);
        if state.is_finished {
            state.stage = last;
        }
        Ok(state)
    }

    /// A result that was made before all shares were done is made again.
    fn renew_last(&self, books: &mut Books) -> Result<(), FarmError> {
        let job = Job { stage: self.plan.last_stage(), index: 1, count: 1 };
        let others = books.known_before(job.stage);
        if books.done.get(&job).is_some_and(|done| done.inputs < others && done.ending == Ending::Good) {
            self.forget(job)?;
            books.done.remove(&job);
            // It was not lost.
            books.submitted.remove(&job);
            books.forgiven.remove(&job);
        }
        Ok(())
    }

    /// Whether a share is not cut any more.
    fn is_small(&self, job: Job) -> bool {
        job.count >= self.plan.shards.saturating_mul(1 << CUTS)
    }

    /// Cuts in two what had too little memory, and what was lost again and again.
    fn cut(
        &self,
        stage: u32,
        books: &mut Books,
        alive: &BTreeSet<String>,
        absent: &BTreeMap<String, u32>,
    ) -> Result<(), FarmError> {
        if !self.plan.is_round(stage) {
            return Ok(());
        }
        for job in self.jobs(stage, &books.cuts) {
            let is_too_large = match books.done.get(&job) {
                Some(done) => done.ending == Ending::Memory,
                None => books.losses(job, alive, absent) >= LOSSES,
            };
            if is_too_large && !self.is_small(job) {
                self.note(&Event::Cut { job })?;
                books.cuts.insert(job);
            }
        }
        Ok(())
    }

    fn standing(
        &self,
        job: Job,
        books: &Books,
        alive: &BTreeSet<String>,
        absent: &BTreeMap<String, u32>,
    ) -> Result<Standing, FarmError> {
        match books.done.get(&job).map(|done| &done.ending) {
            Some(Ending::Good) => return Ok(Standing::Done),
            Some(Ending::Hopeless(why)) => return Err(FarmError::Hopeless { job, why: why.clone() }),
            // It cannot be cut any more, or is not a share at all.
            Some(Ending::Memory) if !self.plan.is_round(job.stage) => {
                let allowed = books.done.get(&job).map_or(0, |done| done.allowed >> 20);
                let why = format!(
                    "it needs more than {allowed} MiB. Try: propcov farm resume {} --job-memory SIZE",
                    self.plan.out.display()
                );
                return Err(FarmError::Hopeless { job, why });
            }
            Some(Ending::Memory) => return Ok(Standing::GivenUp),
            None => {}
        }
        let Some(last) = books.ids(job).last() else { return Ok(Standing::Wanted) };
        if alive.contains(last) || absent.get(last).is_none_or(|count| *count < ABSENCES) {
            return Ok(Standing::Running(last.clone()));
        }
        match books.tries(job) > self.plan.limits.tries as usize {
            true if self.plan.is_round(job.stage) => Ok(Standing::GivenUp),
            true => Err(FarmError::Hopeless { job, why: self.last_words(job) }),
            false => Ok(Standing::Wanted),
        }
    }

    /// What is not decided, as far as the newest round knows.
    fn undecided(&self, books: &Books) -> u64 {
        let newest = books.done.keys().map(|job| job.stage).filter(|stage| *stage <= self.plan.rounds).max();
        let of_newest = books.done.iter().filter(|(job, _)| Some(job.stage) == newest);
        of_newest.map(|(_, done)| done.open).sum()
    }
}

/// Why a farm with other options is not begun in the place of one that is there.
fn another_plan(path: &Path, there: &Plan, plan: &Plan) -> FarmError {
    let out = plan.out.display();
    let asked = |plan: &Plan| {
        format!("`propcov {}` in {} shards, {} rounds", plan.arguments.join(" "), plan.shards, plan.rounds)
    };
    let (old, new) = (asked(there), asked(plan));
    let differ = match old == new {
        _ if there.version != plan.version => "of another version of propcov".to_owned(),
        true => "with other options of the farm".to_owned(),
        false => format!("{old}; not {new}"),
    };
    let why = format!(
        "this farm has another plan ({differ}). `propcov farm resume {out}` goes on with it, `--anew` begins with yours, and --out takes another directory"
    );
    FarmError::Malformed { path: path.to_owned(), why }
}

/// The number of a beginning that follows the one in a file.
fn generation_after(plan: &Path) -> u32 {
    let there = files::read::<serde_json::Value>(plan).ok().flatten();
    let number = there.and_then(|plan| plan.get("generation")?.as_u64()).unwrap_or(0);
    u32::try_from(number).unwrap_or(0).wrapping_add(1)
}

/// Whether an error may be gone in a moment.
fn may_pass(error: &FarmError) -> bool {
    match error {
        FarmError::Away { .. } => true,
        FarmError::Io { error, .. } => files::may_pass(error),
        FarmError::Malformed { .. }
        | FarmError::Scheduler { .. }
        | FarmError::Busy { .. }
        | FarmError::Program { .. }
        | FarmError::Hopeless { .. } => false,
    }
}

impl Memory {
    /// Whether to wait for a file system that is away.
    fn is_patient(&mut self) -> bool {
        self.away.get_or_insert_with(Instant::now).elapsed() < AWAY
    }

    /// Whether it is too early to submit a job again that was lost under these names.
    fn has_to_wait(&mut self, ids: &[String], pause: Duration) -> bool {
        let Some(last) = ids.last().filter(|_| !pause.is_zero()) else { return false };
        let factor = 1 << (ids.len() - 1).min(16);
        let now = Instant::now();
        *self.later.entry(last.clone()).or_insert_with(|| now + (pause * factor).min(LONGEST)) > now
    }

    /// Counts who is absent.
    fn count(&mut self, books: &Books, alive: &BTreeSet<String>) {
        for (job, ids) in &books.submitted {
            let Some(last) = ids.last().filter(|_| !books.done.contains_key(job)) else { continue };
            match alive.contains(last) {
                true => self.absent.remove(last),
                false => self.absent.insert(last.clone(), self.absent.get(last).map_or(1, |count| count + 1)),
            };
        }
    }
}

impl Books {
    /// The names of jobs that have not ended by themselves.
    fn open(&self) -> Vec<String> {
        let open = self.submitted.iter().filter(|(job, _)| !self.done.contains_key(job));
        open.flat_map(|(_, ids)| ids.iter().cloned()).collect()
    }

    /// How many jobs were submitted again.
    fn lost(&self) -> usize {
        self.submitted.values().map(|ids| ids.len().saturating_sub(1)).sum()
    }

    /// How often a job was submitted since somebody last said that it is to be tried again.
    fn tries(&self, job: Job) -> usize {
        self.ids(job).len() - self.forgiven.get(&job).copied().unwrap_or(0).min(self.ids(job).len())
    }

    /// How much was done in earlier stages: that a job ends well after it had too little memory counts once more.
    fn known_before(&self, stage: u32) -> u64 {
        let earlier = self.done.iter().filter(|(job, _)| job.stage < stage);
        earlier.map(|(_, done)| if done.ending == Ending::Good { 2 } else { 1 }).sum()
    }

    fn ids(&self, job: Job) -> &[String] {
        self.submitted.get(&job).map_or(&[], Vec::as_slice)
    }

    /// How often a job was lost.
    fn losses(&self, job: Job, alive: &BTreeSet<String>, absent: &BTreeMap<String, u32>) -> usize {
        let is_lost = |id: &&String| {
            let is_latest = self.ids(job).last() == Some(*id);
            !alive.contains(*id) && (!is_latest || absent.get(*id).is_some_and(|count| *count >= ABSENCES))
        };
        self.ids(job).iter().filter(is_lost).count()
    }
}

/// How things are with a job.
enum Standing {
    Done,
    Running(String),
    Wanted,
    GivenUp,
}

#[cfg(test)]
mod tests;

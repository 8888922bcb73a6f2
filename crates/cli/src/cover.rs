//! `propcov cover`: which parts of a design do its proven properties check? [`run`] chooses the metric; [`mutation`] is the list of
//! steps of one of them, and `states` has the other ones.

pub(crate) mod arguments;
mod cores;
pub(crate) mod document;
mod earlier;
pub(crate) mod elements;
pub(crate) mod groups;
mod holes_text;
pub(crate) mod keep;
pub(crate) mod measure;
pub(crate) mod method;
pub(crate) mod milestones;
pub(crate) mod states;
pub(crate) mod suggestion;
pub(crate) mod tally;
pub(crate) mod text;
pub(crate) mod witness;

use crate::args::Format;
use crate::exit::ExitCode;
use crate::input::{self, Complaint, Input};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::CoverArguments;
use keep::{Keeper, Use};
use measure::{Measured, Question, Stop, measure};
use propcov_coverage::difference::Answer;
use propcov_coverage::ranking::Ranking;
use propcov_coverage::{METRICS, Subject};
use propcov_engine::Limits;
use propcov_ir::{ElementSet, PropertyId, PropertyKind, SignalKind, System, UnknownReason};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;
use suggestion::Explain;
use witness::{Asked, Hole, Search};

/// The most properties that are named in a message.
const NAMED: usize = 8;

/// Everything that a run found out.
pub(crate) struct Coverage<'a> {
    pub(crate) measured: Measured<'a>,
    pub(crate) keeper: &'a Keeper<'a>,
    pub(crate) ranking: Ranking,
    /// What uncovered mutants could do, if that was asked for.
    pub(crate) holes: Option<Vec<Hole>>,
    /// The least share that has to be covered, in percent.
    pub(crate) threshold: Option<f64>,
    /// Whether the user asked for no more than can be had in a multiple of the proofs' time.
    pub(crate) is_budgeted: bool,
    /// How to have one of the elements explained, where that makes sense.
    pub(crate) explain: Option<Explain>,
}

/// Runs the command.
pub(crate) fn run(arguments: &CoverArguments, session: &mut Session) -> ExitCode {
    let metric = METRICS.iter().find(|metric| metric.name == arguments.metric).unwrap_or(&METRICS[0]);
    let result = match metric.subject {
        Subject::Elements => mutation(arguments, session),
        Subject::Labels(place) => states::cover(place, arguments, session),
        Subject::Cores(core) => cores::cover(core, arguments, session),
    };
    input::settle(result, session)
}

/// Measures by mutation of elements.
fn mutation(arguments: &CoverArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let method = method::method(&arguments.effort)?;
    let input = read(&arguments.file, arguments.bits, session)?;
    let system = &input.design.system;
    let properties = input::select_properties(system, &arguments.properties)?;
    let properties = measurable(system, &properties, arguments.quiet, session)?;
    let elements = elements::select(system, &arguments.elements)?;
    let mutants = elements::mutants(system, &elements, &arguments::mutations(&arguments.edits));
    let observed = arguments.observed();
    let notion = witness::notion(system, &observed)?;
    session.remark(arguments.quiet, &states::arguments::idle_for_mutation(arguments));
    session.remark(arguments.quiet, &input::warnings(&input.design));
    for (is_idle, note) in [
        (!observed.is_empty() && !arguments.witness, "--observe does nothing without --witness"),
        (arguments.traces && arguments.format != Format::Json, "--traces does nothing without --format json"),
    ] {
        if is_idle {
            session.remark(arguments.quiet, &format!("note: {note}\n"));
        }
    }
    let use_it = if arguments.fresh { Use::Fresh } else { Use::GoOn };
    let keeper = Keeper::open(&arguments.keep, use_it, &input, arguments.bits, session);

    let question = Question {
        input: &input,
        properties: &properties,
        mutants: &mutants,
        method,
        seed: arguments.effort.seed,
        threads: arguments.effort.thread_count(),
        accuracy: arguments.accuracy.map(|percent| percent / 100.0),
        budget: arguments.budget,
        deadline: arguments.effort.timeout.and_then(|timeout| start.checked_add(timeout)),
        quiet: arguments.quiet,
    };
    let mut measured = measure(&question, &keeper, session);
    let mut code = keeper.code;
    let holes = if arguments.witness && !measured.tally.properties.is_empty() {
        let asked = Asked { notion: &notion, observe: &observed };
        let (holes, result) = holes(&mut measured, &question, asked, &keeper, session);
        code = code.and(result);
        Some(holes)
    } else {
        None
    };
    measured.verdicts.seconds = start.elapsed().as_secs_f64();
    let ranking = measured.tally.ranking();
    let coverage = Coverage {
        measured,
        keeper: &keeper,
        ranking,
        holes,
        threshold: arguments.threshold,
        is_budgeted: arguments.budget.is_some(),
        explain: Explain::new(arguments),
    };
    code = code.and(coverage.exit_code()).and(output::print(
        arguments.format,
        session,
        |palette| coverage.text(arguments.stats, palette),
        || coverage.document("cover", arguments.effort.seed, arguments.traces),
    ));
    Ok(code.and(complain(&coverage.measured, &keeper, session)))
}

/// Reads the design, and takes its words apart if that is asked for. All of them, whatever is mutated, so that findings fit
/// every selection. From here on, a CTL property `AG p` is the invariant p.
pub(crate) fn read(file: &Path, bits: bool, session: &mut Session) -> Result<Input, Complaint> {
    let mut input = input::read(file, session)?;
    finite(&input.design.system)?;
    if bits {
        let all: ElementSet = input.design.system.element_ids().collect();
        input.design.system = input.design.system.split_bits(&all).system;
    }
    input.strengthened = input.design.system.strengthen_to_invariants();
    Ok(input)
}

/// Coverage is measured of circuits, so numbers without bounds are beyond it.
pub(crate) fn finite(system: &System) -> Result<(), Complaint> {
    let unbounded = || system.signals().iter().filter(|signal| signal.sort.is_unbounded());
    // What `pre` keeps has no name that the user gave it.
    let named = unbounded().find(|signal| !matches!(signal.kind, SignalKind::State { .. }));
    let Some(signal) = named.or_else(|| unbounded().next()) else { return Ok(()) };
    Err(Complaint(format!(
        "error: this is for finite systems for now, and `{}` is of sort {}; for others there is `propcov cores`, and `propcov cover --metric core`, must, may and model\n",
        signal.name, signal.sort
    )))
}

/// The properties that mutation can measure. Of those of CTL these are the invariants, `AG p`; the others are left out, which is said.
pub(crate) fn measurable(
    system: &System,
    properties: &[PropertyId],
    quiet: bool,
    session: &mut Session,
) -> Result<Vec<PropertyId>, Complaint> {
    let is_measurable = |property: &PropertyId| {
        let is_ctl = matches!(system.property(*property).kind, PropertyKind::Ctl(_));
        !is_ctl || system.invariant(*property).is_some()
    };
    let (kept, others): (Vec<PropertyId>, Vec<PropertyId>) =
        properties.iter().partition(|id| is_measurable(id));
    if others.is_empty() {
        return Ok(kept);
    }
    let names = others.iter().take(NAMED).map(|id| system.property(*id).name.as_str());
    let names = names.collect::<Vec<_>>().join(", ");
    let more = match others.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let are = if others.len() == 1 { "is" } else { "are" };
    let what = format!("mutation measures invariants, and {names}{more} {are} none");
    if kept.is_empty() {
        let hint = "of CTL properties, `AG p` is one if p has no path quantifier in it";
        return Err(Complaint(format!("error: {what}; {hint}\n")));
    }
    session.remark(quiet, &format!("note: {what}: left out\n"));
    Ok(kept)
}

/// What went wrong besides.
pub(crate) fn complain(measured: &Measured<'_>, keeper: &Keeper<'_>, session: &mut Session) -> ExitCode {
    let mut code = keeper.complain(session);
    session.complain(&measured.verdicts.internal_errors());
    for error in &measured.internal_errors {
        session.complain(&format!("internal error: {error}\n"));
        code = code.and(ExitCode::Internal);
    }
    code
}

/// What each uncovered mutant could do, with waveforms.
fn holes(
    measured: &mut Measured<'_>,
    question: &Question<'_>,
    asked: Asked<'_>,
    keeper: &Keeper<'_>,
    session: &mut Session,
) -> (Vec<Hole>, ExitCode) {
    let start = Instant::now();
    let progress = Progress::new(session.terminal.stderr && !question.quiet);
    progress.stage("witnesses:".to_owned());
    let mut limits = Limits::default();
    limits.deadline = measured.deadline;
    limits.interrupt = session.interrupt.clone();
    let system = &question.input.design.system;
    let properties = measured.tally.properties.clone();
    let effects = keeper.recall(&properties, question.mutants).effects;
    let search = Search {
        system,
        properties: &properties,
        asked,
        effects: &witness::by_mutant(&effects),
        limits: &limits,
        seed: question.seed,
        threads: question.threads,
        panics: &session.panics,
        keeper,
        in_vain: Mutex::default(),
    };
    let uncovered = witness::uncovered(&measured.tally);
    let (mut holes, stats) =
        search.all(&uncovered, &|done| progress.message(|| format!("{done} of {}", uncovered.len())));
    progress.finish();
    measured.internal_errors.extend(session.panics.take());
    witness::note_no_effect(&mut measured.tally, &holes);
    measured.stats.merge(&stats);
    measured.coverage_seconds += start.elapsed().as_secs_f64();
    let code = match witness::write_waveforms(question.input, &properties, &mut holes, keeper) {
        Ok(()) => ExitCode::Good,
        Err(error) => keeper.failed(&error, "not all waveforms were kept", session),
    };
    (holes, code)
}

impl Coverage<'_> {
    /// Whether less is certainly covered than was asked for.
    pub(crate) fn is_below_threshold(&self) -> bool {
        let covered = self.measured.tally.together(None).percent().map_or(0.0, |(low, _)| low);
        self.threshold.is_some_and(|threshold| covered < threshold)
    }

    /// The exit code that follows from verdicts and findings.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let of_coverage = match self.measured.stop {
            // The user said that this much is enough.
            None | Some(Stop::Accuracy | Stop::Budget) => ExitCode::Good,
            Some(Stop::Timeout | Stop::Interrupted | Stop::Techniques) => ExitCode::Undecided,
        };
        let is_cut_short = |hole: &Hole| match hole.answer {
            Answer::Unknown(UnknownReason::Cancelled) => true,
            Answer::Unknown(UnknownReason::Timeout) => !self.is_budgeted,
            _ => false,
        };
        let of_holes = match self.holes.iter().flatten().any(is_cut_short) {
            true => ExitCode::Undecided,
            false => ExitCode::Good,
        };
        let of_threshold = if self.is_below_threshold() { ExitCode::BelowThreshold } else { ExitCode::Good };
        self.measured.verdicts.exit_code().and(of_coverage).and(of_holes).and(of_threshold)
    }
}

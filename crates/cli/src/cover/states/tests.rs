//! What happens if something goes wrong on the way: verdicts that are unknown or wrong, counts that are wrong.

use super::evidence::evidence;
use super::measure::{Asker, Counts, Row, Standing, Task, unknown_rows};
use super::observed::{Given, Subjects};
use super::prepare::Question;
use super::runs::HoleRun;
use super::{Flip, Implication, Manner, Measurement, Outcome, Place, Semantics};
use crate::answer::Answer;
use crate::ctl_evidence::Size;
use crate::panics::PanicLog;
use crate::progress::Progress;
use dashu_int::UBig;
use propcov_ir::{CtlVerdict, PropertyId, System, UnknownReason};
use propcov_sat::Budget;
use propcov_symbolic::{Options, Silent};

/// A counter of four states. What it is in the first one is checked by an invariant, and that it is 2 afterwards by nobody.
const COUNTER: &[u8] = b"MODULE main\nVAR n : 0..3;\nASSIGN init(n) := 0; next(n) := (n + 1) mod 4;\n\
    SPEC AG (n != 3 -> AX n != 0)\nSPEC n = 0\nINVARSPEC n < 4\n";

/// All properties hold; `work` may say otherwise. Then `n` is measured.
fn with_outcomes<T>(
    work: impl FnOnce(&mut [Outcome], &mut Asker<'_, '_>),
    look: impl FnOnce(&System, &Question<'_>, &Counts, &mut Vec<Row>) -> T,
) -> T {
    let given = Given::new(&["n".to_owned()], &[]);
    let read = propcov_frontend::read_with("counter.smv", COUNTER, &given.extras());
    let (mut design, values) = read.expect("well-formed");
    let properties: Vec<PropertyId> = (0..3).map(PropertyId).collect();
    let Ok(subjects) = given.subjects(&mut design.system, &properties, &values) else { panic!("a state") };
    let Subjects { observed, .. } = &subjects;
    let manner = Manner {
        place: Place::State,
        semantics: Semantics::Observability,
        flip: Flip::Any,
        implication: Implication::Split,
    };
    let question = Question::new(&mut design.system, &properties, &subjects, manner);
    let prepared = question.prepared(&design.system).expect("observable");
    let measurement = Measurement::new(&prepared, Options::default(), &Budget::default(), &Silent);
    let (progress, panics) = (Progress::new(false), PanicLog::default());
    let mut asker = Asker {
        system: &design.system,
        measurement: measurement.ok(),
        why: UnknownReason::Cancelled,
        panics: &panics,
        progress: &progress,
        internal_errors: Vec::new(),
    };
    let holds = |property: &PropertyId| Outcome {
        answer: Answer::Ctl(CtlVerdict::Holds(None)),
        ..Outcome::unknown(*property, UnknownReason::Cancelled)
    };
    let mut outcomes: Vec<Outcome> = properties.iter().map(holds).collect();
    work(&mut outcomes, &mut asker);
    let outcomes: Vec<&Outcome> = outcomes.iter().collect();
    let Ok((space, counts)) = asker.space() else { panic!("a small system") };
    let mut rows = Task { observed, outcomes: &outcomes, space: &space }.rows(&mut asker);
    look(&design.system, &question, &counts, &mut rows)
}

fn ends(row: &Row) -> (UBig, UBig) {
    let share = row.share.as_ref().expect("counted");
    (share.low.clone(), share.high.clone())
}

fn pair(low: u8, high: u8) -> (UBig, UBig) {
    (low.into(), high.into())
}

#[test]
fn a_property_that_is_not_decided_may_cover_everything() {
    let all = with_outcomes(|_, _| {}, |_, _, _, rows| ends(&rows[0]));
    let (low, high) = with_outcomes(
        |outcomes, _| outcomes[0].answer = Answer::unknown(UnknownReason::Timeout),
        |_, _, _, rows| {
            assert!(matches!(rows[0].parts[0].standing, Standing::Unproved(UnknownReason::Timeout)));
            assert_eq!(rows[0].doubts, [UnknownReason::Timeout]);
            ends(&rows[0])
        },
    );
    // The first state, by the second property; every other one is entered from a state that is not 3.
    assert_eq!(all, pair(4, 4));
    assert_eq!((low, high), pair(1, 4));
}

#[test]
fn a_property_that_fails_covers_nothing() {
    let found = with_outcomes(
        |outcomes, _| outcomes[0].answer = Answer::Ctl(CtlVerdict::Fails(None)),
        |_, _, _, rows| ends(&rows[0]),
    );
    assert_eq!(found, pair(1, 1));
}

#[test]
fn engines_and_diagrams_that_disagree_are_an_internal_error() {
    with_outcomes(
        |outcomes, asker| {
            asker.confirm(2, &mut outcomes[2]);
            assert!(outcomes[2].answer.is_proved() && outcomes[2].internal_errors.is_empty());
            outcomes[2].answer = Answer::Ctl(CtlVerdict::Fails(None));
            asker.confirm(2, &mut outcomes[2]);
            let reason = outcomes[2].answer.reason();
            assert!(matches!(reason, Some(UnknownReason::NotCertified(_))), "{reason:?}");
            assert_eq!(outcomes[2].internal_errors.len(), 1);
        },
        |_, _, _, _| {},
    );
}

/// Whether the independent checker agrees with rows.
fn judged(system: &System, question: &Question<'_>, counts: &Counts, rows: Vec<Row>) -> (Vec<bool>, usize) {
    let rows: Vec<(Row, Vec<HoleRun>)> = rows.into_iter().map(|row| (row, Vec::new())).collect();
    let size = Some(Size { states: 4, transitions: 4 });
    let panics = PanicLog::default();
    let found = evidence(question, system, Some(counts), size, &rows, &Budget::default(), &panics);
    (found.rows, found.refuted.len())
}

#[test]
fn a_count_that_is_wrong_is_refuted() {
    let right = |system: &System, question: &Question<'_>, counts: &Counts, rows: &mut Vec<Row>| {
        judged(system, question, counts, std::mem::take(rows))
    };
    assert_eq!(with_outcomes(|_, _| {}, right), (vec![true], 0));
    let of_property = |system: &System, question: &Question<'_>, counts: &Counts, rows: &mut Vec<Row>| {
        if let Standing::Covers(contribution) = &mut rows[0].parts[0].standing {
            contribution.covered += 1_u8;
        }
        judged(system, question, counts, std::mem::take(rows))
    };
    assert_eq!(with_outcomes(|_, _| {}, of_property), (vec![false], 1));
    let of_all = |system: &System, question: &Question<'_>, counts: &Counts, rows: &mut Vec<Row>| {
        if let Ok(share) = &mut rows[0].share {
            share.low -= 1_u8;
            share.high -= 1_u8;
        }
        judged(system, question, counts, std::mem::take(rows))
    };
    assert_eq!(with_outcomes(|_, _| {}, of_all), (vec![false], 1));
}

#[test]
fn what_is_not_known_has_rows_that_say_so() {
    let given = Given::new(&["n".to_owned(), "n = 1".to_owned()], &[]);
    let read = propcov_frontend::read_with("counter.smv", COUNTER, &given.extras());
    let (mut design, values) = read.expect("well-formed");
    let Ok(subjects) = given.subjects(&mut design.system, &[], &values) else { panic!("states") };
    let rows = unknown_rows(&subjects.observed, &[], &UnknownReason::Timeout);
    assert_eq!(rows.len(), 3, "two, and both together");
    assert!(rows.iter().all(|row| row.share.is_err() && row.holes.is_err()));
}

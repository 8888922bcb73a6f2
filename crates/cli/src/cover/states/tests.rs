//! What happens if something goes wrong on the way: verdicts that are unknown or wrong, counts that are wrong.

use super::evidence::{Certified, Judgement, evidence};
use super::measure::{Asker, Counts, Row, Standing, Task, unknown_rows};
use super::observed::{Given, Subjects};
use super::prepare::Question;
use super::runs::HoleRun;
use super::{Flip, Implication, Manner, Measurement, Outcome, Place, Semantics};
use crate::progress::Progress;
use dashu_int::UBig;
use propcov_budget::Budget;
use propcov_ir::{CtlVerdict, PropertyId, System, UnknownReason};
use propcov_symbolic::{Options, Silent};
use propcov_verify::{Answer, PanicLog, Size};

/// A counter of four states. What it is in the first one is checked by an invariant, and that it is 2 afterwards by nobody.
const COUNTER: &[u8] = b"MODULE main\nVAR n : 0..3;\nASSIGN init(n) := 0; next(n) := (n + 1) mod 4;\n\
    SPEC AG (n != 3 -> AX n != 0)\nSPEC n = 0\nINVARSPEC n < 4\n";

/// All properties hold; `work` may say otherwise. Then `n` is measured.
fn with_outcomes<T>(
    work: impl FnOnce(&mut [Outcome], &mut Asker<'_, '_>),
    look: impl FnOnce(&System, &Question<'_>, &Counts, &mut Vec<Row>) -> T,
) -> T {
    with_flip(Flip::Any, work, look)
}

fn with_flip<T>(
    flip: Flip,
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
        flip,
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

/// Measures, makes something wrong, and asks the independent checker; then looks at what it says, and what becomes of counts and rows.
fn judged<T>(
    flip: Flip,
    damage: impl FnOnce(&mut Counts, &mut Row),
    look: impl FnOnce(&Certified, &Result<Counts, UnknownReason>, &Row, &[HoleRun]) -> T,
) -> T {
    with_flip(
        flip,
        |_, _| {},
        |system, question, counts, rows| {
            let mut counts = Counts {
                reachable: counts.reachable.clone(),
                excluded: counts.excluded.clone(),
                unfair: counts.unfair.clone(),
                total: counts.total.clone(),
            };
            damage(&mut counts, &mut rows[0]);
            let run = || HoleRun { hole: 1, trace: Err(UnknownReason::Timeout), vcd: None };
            let mut rows: Vec<(Row, Vec<HoleRun>)> =
                std::mem::take(rows).into_iter().map(|row| (row, vec![run()])).collect();
            let size = Some(Size { states: 4, transitions: 4 });
            let (budget, panics) = (Budget::default(), PanicLog::default());
            let found = evidence(question, system, Some(&counts), size, &rows, &budget, &panics);
            let mut counts = Ok(counts);
            found.apply(&mut counts, &mut rows);
            look(&found, &counts, &rows[0].0, &rows[0].1)
        },
    )
}

fn one_more(_: &mut Counts, row: &mut Row) {
    if let Ok(share) = &mut row.share {
        share.low += 1_u8;
        share.high += 1_u8;
    }
}

fn one_less(_: &mut Counts, row: &mut Row) {
    if let Ok(share) = &mut row.share {
        share.low -= 1_u8;
        share.high -= 1_u8;
    }
}

/// That a row, and nothing else, is wrong, and not shown.
fn is_refuted(
    found: &Certified,
    counts: &Result<Counts, UnknownReason>,
    row: &Row,
    runs: &[HoleRun],
) -> bool {
    let is_hidden = matches!(row.share, Err(UnknownReason::NotCertified(_)))
        && matches!(row.holes, Err(UnknownReason::NotCertified(_)))
        && !row.parts.iter().any(|part| matches!(part.standing, Standing::Covers(_)))
        && runs.is_empty();
    matches!(found.rows[..], [Judgement::Refuted(_)])
        && is_hidden
        && counts.is_ok()
        && found.errors().count() == 1
}

#[test]
fn what_is_right_is_confirmed() {
    for flip in [Flip::Any, Flip::All] {
        judged(
            flip,
            |_, _| {},
            |found, counts, row, runs| {
                assert_eq!(found.rows, [Judgement::Confirmed]);
                assert_eq!((found.errors().count(), runs.len()), (0, 1));
                assert!(counts.is_ok() && row.share.is_ok());
            },
        );
    }
}

#[test]
fn a_count_that_is_wrong_is_refuted_and_not_shown() {
    let of_property = |_: &mut Counts, row: &mut Row| {
        if let Standing::Covers(contribution) = &mut row.parts[0].standing {
            contribution.covered += 1_u8;
        }
    };
    assert!(judged(Flip::Any, of_property, is_refuted));
    assert!(judged(Flip::Any, one_less, is_refuted));
    assert!(judged(Flip::Any, one_more, is_refuted));
}

#[test]
fn if_what_there_is_to_cover_is_wrong_nothing_is_known() {
    let damage = |counts: &mut Counts, _: &mut Row| counts.total += 1_u8;
    judged(Flip::Any, damage, |found, counts, row, _| {
        assert_eq!(found.errors().count(), 1);
        assert!(matches!(counts, Err(UnknownReason::NotCertified(_))));
        assert!(matches!(row.share, Err(UnknownReason::NotCertified(_))));
    });
}

#[test]
fn properties_may_notice_every_other_value_together_though_none_does_alone() {
    judged(Flip::All, one_more, |found, _, row, _| {
        assert!(matches!(found.rows[..], [Judgement::Open(_)]), "{found:?}");
        assert_eq!(found.errors().count(), 0);
        assert_eq!(ends(row), pair(2, 2));
    });
    assert!(judged(Flip::All, one_less, is_refuted));
    let with_one = |counts: &mut Counts, row: &mut Row| {
        row.parts.iter_mut().skip(2).for_each(|part| part.standing = Standing::Unrelated);
        row.parts[0].standing = Standing::Unrelated;
        one_more(counts, row);
    };
    assert!(judged(Flip::All, with_one, is_refuted), "a single property shares nothing");
}

#[test]
fn what_is_certain_of_a_part_that_is_not_known_in_full_is_not_refuted() {
    let partial = |_: &mut Counts, row: &mut Row| {
        row.doubts.push(UnknownReason::Timeout);
        if let Standing::Covers(contribution) = &mut row.parts[0].standing {
            contribution.covered -= 1_u8;
        }
        if let Ok(share) = &mut row.share {
            share.low -= 1_u8;
        }
    };
    judged(Flip::Any, partial, |found, _, row, _| {
        assert!(matches!(found.rows[..], [Judgement::Open(_)]), "{found:?}");
        assert_eq!(ends(row), pair(3, 4));
    });
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

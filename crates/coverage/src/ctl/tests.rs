//! What happens if something goes wrong on the way: verdicts that are unknown or wrong, counts that are wrong.

use super::asker::Asker;
use super::confirm::{Certified, Judgement, evidence};
use super::question::{Manner, Question};
use super::rows::{Counts, Row, Standing, Task, unknown_rows};
use super::runs::HoleRun;
use super::{Flip, Implication, Measurement, Named, Observed, Place, Semantics, Subjects};
use propcov_budget::Budget;
use propcov_frontend::Extra;
use propcov_ir::{CtlVerdict, PropertyId, System, UnknownReason};
use propcov_result::Count;
use propcov_symbolic::Options;
use propcov_verify::{Answer, Outcome, PanicLog, Silent, Size};

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

/// The counter, and what is observed of it.
fn read(names: &[&str], properties: &[PropertyId]) -> (System, Subjects) {
    let extra = |name: &&str| Extra { origin: "--observe".to_owned(), text: (*name).to_owned() };
    let extras: Vec<Extra> = names.iter().map(extra).collect();
    let read = propcov_frontend::read_with("counter.smv", COUNTER, &extras);
    let (mut design, values) = read.expect("well-formed");
    let named = names.iter().zip(values).map(|(name, expr)| Observed { name: (*name).to_owned(), expr });
    let observed: Vec<Observed> = named.collect();
    let named = Named { observed: &observed, dont_care: &[], waived: &[] };
    let subjects = Subjects::new(&mut design.system, properties, named).expect("states");
    (design.system, subjects)
}

fn with_flip<T>(
    flip: Flip,
    work: impl FnOnce(&mut [Outcome], &mut Asker<'_, '_>),
    look: impl FnOnce(&System, &Question<'_>, &Counts, &mut Vec<Row>) -> T,
) -> T {
    let properties: Vec<PropertyId> = (0..3).map(PropertyId).collect();
    let (mut system, subjects) = read(&["n"], &properties);
    let manner = Manner {
        place: Place::State,
        semantics: Semantics::Observability,
        flip,
        implication: Implication::Split,
    };
    let question = Question::new(&mut system, &properties, &subjects, manner);
    let prepared = question.prepared(&system).expect("observable");
    let measurement = Measurement::new(&prepared, Options::default(), &Budget::default(), &Silent);
    let panics = PanicLog::default();
    let mut asker = Asker {
        system: &system,
        measurement: measurement.ok(),
        why: UnknownReason::Cancelled,
        panics: &panics,
        progress: &Silent,
        internal_errors: Vec::new(),
    };
    let holds = |property: &PropertyId| Outcome {
        answer: Answer::Ctl(CtlVerdict::Holds(None)),
        ..Outcome::unknown(*property, UnknownReason::Cancelled)
    };
    let mut outcomes: Vec<Outcome> = properties.iter().map(holds).collect();
    work(&mut outcomes, &mut asker);
    let Ok((space, counts)) = asker.space() else { panic!("a small system") };
    let mut rows = Task { observed: &subjects.observed, outcomes: &outcomes, space: &space }.rows(&mut asker);
    look(&system, &question, &counts, &mut rows)
}

/// What is covered at least, and at most.
fn ends(row: &Row) -> (Count, Count) {
    let tally = row.tally.as_ref().expect("counted");
    (tally.covered.clone(), &tally.covered + &tally.unknown)
}

fn pair(low: usize, high: usize) -> (Count, Count) {
    (low.into(), high.into())
}

#[test]
fn a_property_that_is_not_decided_may_cover_everything() {
    let all = with_outcomes(|_, _| {}, |_, _, _, rows| ends(&rows[0]));
    let (low, high) = with_outcomes(
        |outcomes, _| outcomes[0].answer = Answer::unknown(UnknownReason::Timeout),
        |_, _, _, rows| {
            assert!(matches!(rows[0].parts[0].standing, Standing::Unproved(UnknownReason::Timeout)));
            assert_eq!(rows[0].reason(), Some(&UnknownReason::Timeout));
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
    look: impl FnOnce(&Certified, &Result<Counts, UnknownReason>, &Row) -> T,
) -> T {
    with_flip(
        flip,
        |_, _| {},
        |system, question, counts, rows| {
            let mut counts = counts.clone();
            damage(&mut counts, &mut rows[0]);
            let run = HoleRun { hole: 1, trace: Err(UnknownReason::Timeout), waveform: None };
            rows[0].runs.push(run);
            let size = Some(Size { states: 4, transitions: 4 });
            let (budget, panics) = (Budget::default(), PanicLog::default());
            let found = evidence(question, system, Some(&counts), size, rows, &budget, &panics);
            let mut counts = Ok(counts);
            found.apply(&mut counts, rows);
            look(&found, &counts, &rows[0])
        },
    )
}

fn one_more(_: &mut Counts, row: &mut Row) {
    if let Ok(tally) = &mut row.tally {
        tally.covered += 1;
    }
}

fn one_less(_: &mut Counts, row: &mut Row) {
    if let Ok(tally) = &mut row.tally {
        tally.covered = &tally.covered - &Count::from(1_usize);
    }
}

/// That a row, and nothing else, is wrong, and not shown.
fn is_refuted(found: &Certified, counts: &Result<Counts, UnknownReason>, row: &Row) -> bool {
    let is_hidden = matches!(row.tally, Err(UnknownReason::NotCertified(_)))
        && matches!(row.holes, Err(UnknownReason::NotCertified(_)))
        && !row.parts.iter().any(|part| matches!(part.standing, Standing::Covers(_)))
        && row.runs.is_empty();
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
            |found, counts, row| {
                assert_eq!(found.rows, [Judgement::Confirmed]);
                assert_eq!((found.errors().count(), row.runs.len()), (0, 1));
                assert!(counts.is_ok() && row.tally.is_ok());
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
    let damage = |counts: &mut Counts, _: &mut Row| counts.total += 1;
    judged(Flip::Any, damage, |found, counts, row| {
        assert_eq!(found.errors().count(), 1);
        assert!(matches!(counts, Err(UnknownReason::NotCertified(_))));
        assert!(matches!(row.tally, Err(UnknownReason::NotCertified(_))));
    });
}

#[test]
fn properties_may_notice_every_other_value_together_though_none_does_alone() {
    judged(Flip::All, one_more, |found, _, row| {
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
        row.parts[0].doubt = Some(UnknownReason::Timeout);
        if let Standing::Covers(contribution) = &mut row.parts[0].standing {
            contribution.covered -= 1_u8;
        }
        if let Ok(tally) = &mut row.tally {
            tally.covered = &tally.covered - &Count::from(1_usize);
            tally.unknown += 1;
        }
    };
    judged(Flip::Any, partial, |found, _, row| {
        assert!(matches!(found.rows[..], [Judgement::Open(_)]), "{found:?}");
        assert_eq!(ends(row), pair(3, 4));
    });
}

#[test]
fn what_is_not_known_has_rows_that_say_so() {
    let (_, subjects) = read(&["n", "n = 1"], &[]);
    let rows = unknown_rows(&subjects.observed, &[], &UnknownReason::Timeout);
    assert_eq!(rows.len(), 3, "two, and both together");
    assert!(rows.iter().all(|row| row.tally.is_err() && row.holes.is_err()));
}

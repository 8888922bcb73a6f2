//! Evidence that is kept and handed in again: the same question has the same answer without any engine, and what shows something else is not believed.

use super::ask::{Log, Options, Question, Way, check_found, default_ways, options, ways};
use super::oracle::Truth;
use super::statements::shown;
use super::systems::is_decided;
use propcov_coverage::cores::{Analysis, Core, Goal, Memory, Observer, Piece, Witness};
use propcov_coverage::mutation::Standing;
use propcov_ir::{ElementSet, Proof, PropertyId, Trace};
use propcov_testkit::{Random, Scope, ValidityCase, for_random_arith_validity, for_random_validity};
use std::cell::Cell;
use std::sync::Mutex;

/// Remembers everything that is accepted.
#[derive(Default)]
struct Diary {
    log: Log,
    earlier: Vec<(PropertyId, Piece)>,
    kept: Mutex<Vec<(PropertyId, usize, Piece)>>,
    standings: Mutex<Vec<Standing>>,
}

impl Diary {
    fn after(earlier: Vec<(PropertyId, Piece)>) -> Diary {
        Diary { earlier, ..Diary::default() }
    }

    fn keep(&self, property: PropertyId, order: usize, kept: &ElementSet, witness: Witness) {
        let piece = Piece { kept: kept.clone(), witness };
        self.kept.lock().expect("nobody panics").push((property, order, piece));
    }

    /// What was kept, in order.
    fn pieces(&self) -> Vec<(PropertyId, Piece)> {
        let mut kept = self.kept.lock().expect("nobody panics").clone();
        kept.sort_by_key(|(_, order, _)| *order);
        kept.into_iter().map(|(property, _, piece)| (property, piece)).collect()
    }

    fn count(&self, standing: Standing) -> usize {
        let standings = self.standings.lock().expect("nobody panics");
        standings.iter().filter(|other| **other == standing).count()
    }
}

impl Observer for Diary {
    fn progress(&self, property: PropertyId, stage: &str, cores: usize, checks: u64) {
        self.log.progress(property, stage, cores, checks);
    }

    fn core(&self, property: Option<PropertyId>, core: &Core) {
        self.log.core(property, core);
    }

    fn memory(&self) -> Option<&dyn Memory> {
        Some(self)
    }
}

impl Memory for Diary {
    fn recall(&self, property: PropertyId, check: &mut dyn FnMut(Piece) -> Standing) {
        let pieces = self.earlier.iter().filter(|(of, _)| *of == property);
        let standings: Vec<Standing> = pieces.map(|(_, piece)| check(piece.clone())).collect();
        self.standings.lock().expect("nobody panics").extend(standings);
    }

    fn adequate(&self, property: PropertyId, kept: &ElementSet, order: usize, proof: &Proof) {
        self.keep(property, order, kept, Witness::Proof(proof.clone()));
    }

    fn inadequate(&self, property: PropertyId, kept: &ElementSet, run: &Trace) {
        self.keep(property, 0, kept, Witness::Run(run.clone()));
    }
}

fn ask(case: &ValidityCase<'_>, options: &Options, diary: &Diary) -> Analysis {
    options.ask(case.system, case.universe, &[case.property], diary)
}

fn is_right(case: &ValidityCase<'_>, way: Way, analysis: &Analysis, diary: &Diary) -> Result<(), String> {
    let properties = [case.property];
    let question = Question { system: case.system, universe: case.universe, properties: &properties };
    let truth = Truth::of(&[case.truth], case.universe, Scope::Always);
    let cores = analysis.properties.first().ok_or("nothing about the property")?;
    question.check_holds(&truth, cores, None)?;
    if truth.holds() { check_found(&truth, way, cores, &diary.log) } else { Ok(()) }
}

/// The same question again.
fn nobody_is_asked_twice(case: &ValidityCase<'_>) -> Result<(), String> {
    if !is_decided(case.system, case.property, case.truth)
        || !case.truth.is_adequate(case.universe, Scope::Always)
    {
        return Ok(());
    }
    let ways = if case.seed.is_multiple_of(8) { ways() } else { default_ways() };
    for way in ways {
        let options = options(way, case.seed);
        let diary = Diary::default();
        let first = ask(case, &options, &diary);
        is_right(case, way, &first, &diary).map_err(|problem| format!("{way:?}: {problem}"))?;
        let pieces = diary.pieces();
        let again = Diary::after(pieces.clone());
        let second = ask(case, &options, &again);
        is_right(case, way, &second, &again).map_err(|problem| format!("{way:?} again: {problem}"))?;
        let (before, after) = (&first.properties[0].found, &second.properties[0].found);
        if shown(before) != shown(after) {
            return Err(format!("{way:?}: {} became {}", shown(before), shown(after)));
        }
        if again.count(Standing::Accepted) != pieces.len() || !again.pieces().is_empty() {
            return Err(format!("{way:?}: {:?}, new {:?}", again.standings, again.pieces()));
        }
        if !second.stats.solver_calls.is_empty() || second.stats.counts.get("checks of adequacy") != Some(&0)
        {
            return Err(format!("{way:?}: somebody was asked: {:?}", second.stats));
        }
    }
    Ok(())
}

#[test]
fn what_is_known_of_finite_systems_is_not_asked_again() {
    for_random_validity(60, 1_310_000, nobody_is_asked_twice);
}

#[test]
fn what_is_known_of_systems_with_ints_is_not_asked_again() {
    for_random_arith_validity(20, 1_320_000, nobody_is_asked_twice);
}

/// Evidence about other sets than those it is evidence for, and a part of what there was.
#[test]
fn what_is_forged_is_not_believed_and_what_is_left_is_used() {
    let (forged, rejected) = (Cell::new(0), Cell::new(0));
    for_random_validity(80, 1_330_000, |case| {
        if !is_decided(case.system, case.property, case.truth)
            || !case.truth.is_adequate(case.universe, Scope::Always)
        {
            return Ok(());
        }
        let way = (Goal::All, None);
        let options = options(way, case.seed);
        let diary = Diary::default();
        ask(case, &options, &diary);
        let random = &mut Random::new(case.seed);
        let mut pieces = diary.pieces();
        pieces.retain(|_| random.percent(70));
        let sets: Vec<ElementSet> = case.truth.subsets().collect();
        let mut is_true = Vec::new();
        for (_, piece) in &mut pieces {
            if random.percent(50) {
                piece.kept = random.pick(&sets).clone();
            }
            let is_proof = matches!(piece.witness, Witness::Proof(_));
            is_true.push(case.truth.is_adequate(&piece.kept, Scope::Always) == is_proof);
        }
        let again = Diary::after(pieces);
        let second = ask(case, &options, &again);
        is_right(case, way, &second, &again)?;
        let standings = again.standings.lock().expect("nobody panics");
        for (standing, is_true) in standings.iter().zip(&is_true) {
            if *standing == Standing::Accepted && !is_true {
                return Err("something false was accepted".to_owned());
            }
        }
        forged.set(forged.get() + is_true.iter().filter(|is_true| !**is_true).count());
        let refused = standings.iter().filter(|standing| **standing == Standing::Rejected).count();
        rejected.set(rejected.get() + refused);
        Ok(())
    });
    if std::env::var("PROPCOV_SEED").is_err() {
        assert!(forged.get() > 10 && rejected >= forged, "{forged:?} {rejected:?}");
    }
}

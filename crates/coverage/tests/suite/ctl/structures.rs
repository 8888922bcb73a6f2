//! Random Kripke structures with formulas over their labels, and the definition as testkit has it.

use super::binate::binate_formula;
use super::measured::{Compared, Question, options, settings};
use propcov_coverage::ctl::{Flip, Implication};
use propcov_ir::{Edits, ExprId, PropertyKind};
use propcov_testkit::{
    ExplicitCtl, Implications, Kripke, KripkeSystem, Random, WrittenCtl, is_whole_run, kripke_system,
    random_acceptable_formula, random_kripke, seeds, with_duals,
};

/// A structure, properties about it, and states that nobody cares for.
pub(crate) struct Structure {
    pub(crate) kripke: Kripke,
    pub(crate) model: KripkeSystem,
    pub(crate) formulas: Vec<WrittenCtl>,
    pub(crate) ignored: Vec<usize>,
    pub(crate) dont_care: Vec<ExprId>,
}

/// A random structure with up to that many formulas that hold and mention q; `None` if it has no fair path.
pub(crate) fn structure(random: &mut Random, most: usize) -> Option<Structure> {
    let mut kripke = random_kripke(random);
    if random.percent(20) {
        kripke.fairness.push((0..kripke.states).filter(|_| random.percent(70)).collect());
    }
    if random.percent(50) {
        // Along a single path, changes in one place and in another come together more often.
        let mut left = vec![false; kripke.states];
        kripke.edges.retain(|(from, _)| !std::mem::replace(&mut left[*from], true));
    }
    let mut model = kripke_system(&kripke);
    let mut candidates = Vec::new();
    for _ in 0..12 * most {
        let formula = match random.below(3) {
            0 => random_acceptable_formula(random, &["p", "q", "q", "r"], 2),
            _ => binate_formula(random),
        };
        let written = model.lower(&formula, Implications::Apart).expect("labels");
        candidates.push((formula, written));
    }
    let explored = model.system.clone();
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&explored, &edits).expect("small");
    if explicit.fair_reachable() == 0 {
        return None;
    }
    let mut formulas = Vec::new();
    for (formula, written) in candidates {
        if formulas.len() < most && formula.mentions("q") && explicit.holds_initially(&written) {
            let whole = model.lower(&formula, Implications::Whole).expect("labels");
            let chance = *random.pick(&[0, 0, 50]);
            let (whole, written) = (with_duals(random, &whole, chance), with_duals(random, &written, chance));
            let name = format!("f{}", formulas.len());
            let id = model.system.add_property(name, PropertyKind::Ctl(whole), None);
            model.system.set_as_written(id, written);
            formulas.push(formula);
        }
    }
    let ignored = match random.below(3) {
        0 => Vec::new(),
        _ => (0..kripke.states).filter(|_| random.percent(30)).collect(),
    };
    // Each in an expression of its own: together they count as their union.
    let dont_care = ignored.iter().map(|state| model.is_one_of(&[*state])).collect();
    Some(Structure { kripke, model, formulas, ignored, dont_care })
}

#[test]
fn random_structures_are_covered_as_the_definition_says() {
    let mut compared = Compared::default();
    for seed in seeds(300, 720_000) {
        let mut random = Random::new(seed);
        let Some(structure) = structure(&mut random, 3) else { continue };
        let implication = *random.pick(&[Implication::Split, Implication::Whole]);
        let flip = *random.pick(&[Flip::Any, Flip::All]);
        let labels = ["p", "q", "r"].map(|label| structure.model.labels[label]);
        for setting in settings(flip, implication) {
            let (system, dont_care) = (&structure.model.system, &structure.dont_care[..]);
            let options = options(&mut random);
            let question =
                Question { system, setting, observed: &labels, dont_care, waived: &[], options, ticks: None };
            match question.compare() {
                Ok(counts) => compared += counts,
                Err(problem) => panic!("seed {seed}: {problem}\n{:?}", structure.kripke),
            }
        }
    }
    if is_whole_run() {
        assert!(compared.all > 6000 && compared.covering * 7 > compared.all, "{compared:?}");
    }
}

//! Validity cores by definition: every subset of the elements in question is tried, and every slice is explored state by state.
//!
//! A set of elements of the universe is adequate if the property holds while all other elements of the universe are freed. Elements outside the universe are always kept. Nothing here uses
//! that supersets of adequate sets are adequate; a test says that they are.

use crate::cases::for_systems;
use crate::validity_system::{arith_validity_system, universe_of, validity_system};
use crate::{ArithExplicit, Explicit, Outcome};
use propcov_ir::{Edit, Edits, ElementId, ElementSet, PropertyId, Sort, System};

/// More elements are not in question at once.
pub(crate) const LARGEST_UNIVERSE: usize = 7;

/// Bounded questions can be asked about steps up to this one.
pub const LAST_STEP: usize = 5;

/// Steps of a system with numbers that are evaluated at most for one slice.
const WORK: usize = 8_000;

/// In which steps the property has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In all.
    Always,
    /// In those up to and including this one, which is at most [`LAST_STEP`].
    UpTo(usize),
    /// In this one alone, which is at most [`LAST_STEP`].
    At(usize),
}

/// The truth about a property and all subsets of a universe.
#[derive(Clone, Debug)]
pub struct Validity {
    universe: Vec<ElementId>,
    /// For each subset; bit i of its number stands for element i of the universe.
    slices: Vec<Slice>,
}

/// What exploring a slice has shown.
#[derive(Clone, Debug)]
struct Slice {
    /// The least depth of a violation.
    violated: Option<usize>,
    /// For each step up to [`LAST_STEP`], whether some run violates the property in it.
    violated_at: Vec<bool>,
}

impl Validity {
    /// Tries all subsets of the universe.
    ///
    /// # Errors
    /// When there are too many of them, or a slice is too large to explore.
    pub fn decide(system: &System, property: PropertyId, universe: &ElementSet) -> Result<Validity, String> {
        if universe.len() > LARGEST_UNIVERSE {
            return Err(format!("{} elements are too many", universe.len()));
        }
        let mut validity = Validity { universe: universe.iter().collect(), slices: Vec::new() };
        for subset in 0..1usize << validity.universe.len() {
            let edits = slice(universe, &validity.set(subset));
            validity.slices.push(Slice::explore(system, &edits, property)?);
        }
        Ok(validity)
    }

    /// The elements in question.
    pub fn universe(&self) -> ElementSet {
        self.universe.iter().copied().collect()
    }

    /// All subsets of the universe.
    pub fn subsets(&self) -> impl Iterator<Item = ElementSet> + '_ {
        (0..self.slices.len()).map(|subset| self.set(subset))
    }

    /// Whether the property holds while only these elements of the universe are kept.
    pub fn is_adequate(&self, kept: &ElementSet, scope: Scope) -> bool {
        self.slices[self.number(kept)].holds(scope)
    }

    /// The least depth of a violation while only these elements of the universe are kept.
    pub fn violated(&self, kept: &ElementSet) -> Option<usize> {
        self.slices[self.number(kept)].violated
    }

    /// All minimal cores, in order.
    pub fn cores(&self, scope: Scope) -> Vec<ElementSet> {
        let adequate: Vec<ElementSet> =
            self.subsets().filter(|subset| self.is_adequate(subset, scope)).collect();
        let is_minimal =
            |core: &&ElementSet| adequate.iter().all(|other| other == *core || !other.is_subset(core));
        let mut cores: Vec<ElementSet> = adequate.iter().filter(is_minimal).cloned().collect();
        cores.sort();
        cores
    }

    /// The elements that are in every core; all of the universe where there is none.
    pub fn must(&self, scope: Scope) -> ElementSet {
        self.cores(scope).iter().fold(self.universe(), |must, core| must.intersection(core))
    }

    /// The elements that are in some minimal core.
    pub fn may(&self, scope: Scope) -> ElementSet {
        self.cores(scope).iter().fold(ElementSet::new(), |may, core| may.union(core))
    }

    /// The size of the smallest core.
    pub fn minimum(&self, scope: Scope) -> Option<usize> {
        self.cores(scope).iter().map(ElementSet::len).min()
    }

    fn set(&self, subset: usize) -> ElementSet {
        let members = self.universe.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
        members.map(|(_, element)| *element).collect()
    }

    fn number(&self, set: &ElementSet) -> usize {
        let members = self.universe.iter().enumerate().filter(|(_, element)| set.contains(**element));
        members.map(|(bit, _)| 1 << bit).sum()
    }
}

/// The overlay that frees all elements of the universe but these.
fn slice(universe: &ElementSet, kept: &ElementSet) -> Edits {
    let mut edits = Edits::none();
    for element in universe.difference(kept).iter() {
        edits.insert(element, Edit::Free);
    }
    edits
}

impl Slice {
    fn explore(system: &System, edits: &Edits, property: PropertyId) -> Result<Slice, String> {
        let (outcome, by_step) = if has_numbers(system) {
            let explored = ArithExplicit::explore_steps(system, edits, LAST_STEP, WORK);
            let (explicit, by_step) = explored.map_err(|error| error.to_string())?;
            (explicit.outcome(property), by_step)
        } else {
            let explicit = Explicit::explore(system, edits).map_err(|error| error.to_string())?;
            let by_step = Explicit::violations_by_step(system, edits, LAST_STEP);
            (explicit.outcome(property), by_step.map_err(|error| error.to_string())?)
        };
        let violated = match outcome {
            Outcome::Violated { depth } => Some(depth),
            Outcome::Holds { .. } => None,
        };
        Ok(Slice {
            violated,
            violated_at: by_step.iter().map(|properties| properties[property.0 as usize]).collect(),
        })
    }

    fn holds(&self, scope: Scope) -> bool {
        match scope {
            Scope::Always => self.violated.is_none(),
            Scope::UpTo(last) => !self.violated_at[..=last].contains(&true),
            Scope::At(step) => !self.violated_at[step],
        }
    }
}

pub(crate) fn has_numbers(system: &System) -> bool {
    system.signals().iter().any(|signal| matches!(signal.sort, Sort::Int | Sort::Real))
}

/// A system, a property that holds in it, and which elements it rests on.
#[derive(Clone, Copy, Debug)]
pub struct ValidityCase<'a> {
    /// Makes the case.
    pub seed: u64,
    /// The system.
    pub system: &'a System,
    /// The property; it holds.
    pub property: PropertyId,
    /// The elements in question: at most seven.
    pub universe: &'a ElementSet,
    /// The truth.
    pub truth: &'a Validity,
}

/// Checks random finite systems with properties that hold, many of them for several reasons. As [`for_random_systems`](crate::for_random_systems).
///
/// # Panics
/// As [`for_random_systems`](crate::for_random_systems).
pub fn for_random_validity(
    count: u64,
    first_seed: u64,
    check: impl Fn(&ValidityCase<'_>) -> Result<(), String>,
) {
    for_systems(validity_system, count, first_seed, |seed, system| check_one(seed, system, &check));
}

/// As [`for_random_validity`], with systems that have ints, which are bounded by constraints outside the universe.
///
/// # Panics
/// As [`for_random_systems`](crate::for_random_systems).
pub fn for_random_arith_validity(
    count: u64,
    first_seed: u64,
    check: impl Fn(&ValidityCase<'_>) -> Result<(), String>,
) {
    for_systems(arith_validity_system, count, first_seed, |seed, system| check_one(seed, system, &check));
}

fn check_one(
    seed: u64,
    system: &System,
    check: &impl Fn(&ValidityCase<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let (property, universe) = (PropertyId(0), universe_of(seed, system));
    // While shrinking, systems may become too large to explore.
    let Ok(truth) = Validity::decide(system, property, &universe) else { return Ok(()) };
    if !truth.is_adequate(&universe, Scope::Always) {
        return Ok(());
    }
    check(&ValidityCase { seed, system, property, universe: &universe, truth: &truth }).map_err(|problem| {
        let names: Vec<&str> = universe.iter().map(|element| system.element(element).name.as_str()).collect();
        format!("{problem} (in question are {})", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::{ElementKind, PropertyKind, Site};

    fn set(elements: &[u32]) -> ElementSet {
        elements.iter().copied().map(ElementId).collect()
    }

    /// Two latches that start false; the first stays so, the second becomes what the first is. The property: one of them is false.
    fn two_reasons() -> (System, PropertyId) {
        let mut system = System::new();
        let (a, b) = (system.add_state("a", Sort::BOOL), system.add_state("b", Sort::BOOL));
        let (read_a, read_b) = (system.read(a), system.read(b));
        let no = system.exprs.bool(false);
        for (state, next) in [(a, read_a), (b, read_a)] {
            system.set_init(state, no);
            system.set_next(state, next);
            let name = system.signal(state).name.clone();
            system.add_element(format!("init.{name}"), ElementKind::Init, Site::Init(state), None);
            system.add_element(name, ElementKind::Register, Site::Next(state), None);
        }
        let both = system.exprs.and(read_a, read_b);
        let not_both = system.exprs.not(both);
        let property = system.add_property("not both", PropertyKind::Invariant(not_both), None);
        (system, property)
    }

    #[test]
    fn the_cores_of_a_hand_made_system_are_found() {
        let (system, property) = two_reasons();
        let truth = Validity::decide(&system, property, &system.element_ids().collect()).expect("small");
        // Elements: init.a, a, init.b, b. Either a is always false, or b is: that needs a to be false, too.
        assert_eq!(truth.cores(Scope::Always), [set(&[0, 1])]);
        assert_eq!((truth.must(Scope::Always), truth.may(Scope::Always)), (set(&[0, 1]), set(&[0, 1])));
        assert_eq!(truth.minimum(Scope::Always), Some(2));
        assert_eq!(truth.violated(&set(&[0, 2, 3])), Some(2));
        // In the first step either initial value will do.
        assert_eq!(truth.cores(Scope::UpTo(0)), [set(&[0]), set(&[2])]);
        // One step later, b is what a was.
        assert_eq!(truth.cores(Scope::UpTo(1)), [set(&[0, 1]), set(&[0, 3])]);
        assert_eq!(truth.cores(Scope::At(1)), [set(&[0, 1]), set(&[0, 3])]);
        assert_eq!(truth.must(Scope::At(1)), set(&[0]));
        assert_eq!(truth.may(Scope::At(1)), set(&[0, 1, 3]));
    }

    #[test]
    fn what_is_outside_the_universe_is_always_kept() {
        let (system, property) = two_reasons();
        let truth = Validity::decide(&system, property, &set(&[1, 2])).expect("small");
        assert_eq!(truth.cores(Scope::Always), [set(&[1])]);
        assert_eq!(truth.subsets().count(), 4);
    }

    fn more_elements_mean_fewer_runs(case: &ValidityCase<'_>) -> Result<(), String> {
        let scopes = (0..=LAST_STEP).flat_map(|step| [Scope::UpTo(step), Scope::At(step)]);
        for scope in scopes.chain([Scope::Always]) {
            for kept in case.truth.subsets().filter(|kept| case.truth.is_adequate(kept, scope)) {
                for element in case.universe.iter() {
                    if !case.truth.is_adequate(&kept.with(element), scope) {
                        return Err(format!(
                            "{kept:?} is adequate, and with {element:?} it is not: {scope:?}"
                        ));
                    }
                }
            }
        }
        for kept in case.truth.subsets() {
            let violated = case.truth.violated(&kept);
            let first = (0..=LAST_STEP).find(|step| !case.truth.is_adequate(&kept, Scope::At(*step)));
            if violated.filter(|depth| *depth <= LAST_STEP) != first {
                return Err(format!("{kept:?}: violated in step {violated:?}, step by step {first:?}"));
            }
        }
        Ok(())
    }

    #[test]
    fn adequacy_is_monotone_and_steps_agree_with_depths() {
        for_random_validity(40, 0, more_elements_mean_fewer_runs);
        for_random_arith_validity(20, 0, more_elements_mean_fewer_runs);
    }
}

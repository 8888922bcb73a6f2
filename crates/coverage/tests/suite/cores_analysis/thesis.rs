//! The examples that the thesis works out, with all that it says about them. Where it contradicts itself, the definition decides.
//!
//! # References
//! E. Ghassabani: Inductive Validity Cores. PhD thesis, University of Minnesota, 2018. Chapters 3 and 4, sections 5.4 and 6.3.

use super::ask::{Log, Options, options};
use propcov_coverage::cores::{
    Algorithm, Analysis, Core, CoreMetric, Found, Goal, Minimality, PropertyCores,
};
use propcov_frontend::{Design, Granularity, Sources, UniverseOptions, read, read_as, universe};
use propcov_ir::{ElementSet, PropertyId};
use std::path::Path;

/// Everything but the hysteresis: what property set 3 covers.
const ALL_BUT_D2: &str = "a1_below a2_below a1_above a2_above below above_hyst doi_on d1";
const ALL: &str = "a1_below a2_below a1_above a2_above below above_hyst doi_on d1 d2";
const EITHER_ALTIMETER: [&str; 2] = ["a1_below below doi_on", "a2_below below doi_on"];

fn example(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A model and the elements in question.
struct Model {
    design: Design,
    universe: ElementSet,
}

impl Model {
    fn new(design: Design) -> Model {
        let universe = universe(&design, &UniverseOptions::default()).expect("a default needs no annotation");
        Model { design, universe }
    }

    fn example(name: &str) -> Model {
        Model::new(read(name, &example(name)).unwrap_or_else(|error| panic!("{error}")))
    }

    /// A set of elements that are written with spaces between them.
    fn set(&self, names: &str) -> ElementSet {
        let element = |name: &str| {
            let mut ids = self.design.system.element_ids().zip(self.design.system.elements());
            ids.find(|(_, element)| element.name == name).map(|(id, _)| id)
        };
        names.split_whitespace().map(|name| element(name).unwrap_or_else(|| panic!("no {name}"))).collect()
    }

    fn sets(&self, cores: &[&str]) -> Vec<ElementSet> {
        let mut sets: Vec<ElementSet> = cores.iter().map(|core| self.set(core)).collect();
        sets.sort();
        sets
    }

    fn property(&self, name: &str) -> PropertyId {
        let properties = self.design.system.properties();
        let at = properties.iter().position(|property| property.name == name);
        PropertyId(at.unwrap_or_else(|| panic!("no property {name}")) as u32)
    }

    fn ask(&self, properties: &[&str], options: &Options) -> Analysis {
        let properties: Vec<PropertyId> = properties.iter().map(|name| self.property(name)).collect();
        let analysis = options.ask(&self.design.system, &self.universe, &properties, &Log::default());
        for cores in &analysis.properties {
            assert!(cores.outcome.internal_errors.is_empty(), "{:?}", cores.outcome.internal_errors);
        }
        analysis
    }

    fn ask_one(&self, property: &str, options: &Options) -> PropertyCores {
        self.ask(&[property], options).properties.pop().expect("one property")
    }

    /// All minimal cores of a property, and what follows from them, by each algorithm.
    fn has_cores(&self, property: &str, cores: &[&str]) {
        let algorithms =
            [None, Some(Algorithm::Marco), Some(Algorithm::OnlineMarco), Some(Algorithm::GrowShrink)];
        for algorithm in algorithms {
            let found = self.ask_one(property, &options((Goal::All, algorithm), 0)).found;
            self.are_cores(&found, cores, &format!("{property}, {algorithm:?}"));
        }
    }

    /// The list is complete and is this one.
    fn are_cores(&self, found: &Found, cores: &[&str], what: &str) {
        let expected = self.sets(cores);
        let must = expected.iter().fold(self.universe.clone(), |must, core| must.intersection(core));
        let may = expected.iter().fold(ElementSet::new(), |may, core| may.union(core));
        let smallest = expected.iter().map(ElementSet::len).min();
        let mut all: Vec<ElementSet> = found.cores.iter().map(|core| core.elements.clone()).collect();
        all.sort();
        assert_eq!(all, expected, "{what}");
        assert!(found.complete && !found.stopped && found.undecided.is_empty(), "{what}: {found:?}");
        let parts = |parts: &Option<propcov_coverage::cores::Parts>| {
            let parts = parts.clone().unwrap_or_else(|| panic!("{what}: {found:?}"));
            assert!(parts.unknown.is_empty(), "{what}: {found:?}");
            parts.sure
        };
        assert_eq!((parts(&found.must), parts(&found.may)), (must, may), "{what}");
        assert_eq!(found.minimum.as_ref().map(ElementSet::len), smallest, "{what}");
        assert!(found.minimum.as_ref().is_some_and(|core| expected.contains(core)), "{what}: {found:?}");
    }

    /// What a property covers by a metric, with nothing unknown.
    fn covers(&self, metric: CoreMetric, property: &str) -> ElementSet {
        let found = self.ask_one(property, &options((metric.goal(), None), 0)).found;
        let parts = metric.covered(&found, &self.universe);
        assert!(parts.unknown.is_empty(), "{metric:?} of {property}: {found:?}");
        parts.sure
    }

    /// All metrics cover the same.
    fn coincide(&self, property: &str, covered: &str) {
        for metric in [CoreMetric::Core, CoreMetric::Must, CoreMetric::May, CoreMetric::Model] {
            assert_eq!(self.covers(metric, property), self.set(covered), "{metric:?} of {property}");
        }
    }

    /// For each depth: all minimal cores of the steps up to it, and those of its last step alone. The algorithm for bounded cores has to find one of each.
    fn has_bounded_cores(&self, depths: &[(&[&str], &[&str])]) {
        let last = depths.len() as u32 - 1;
        let way = (Goal::Minimal, Some(Algorithm::Bvc));
        let by_depth = self.ask_one("OK", &Options { depth: Some(last), ..options(way, 0) }).by_depth;
        assert_eq!(by_depth.len(), depths.len());
        for ((depth, (up_to, at)), core) in (0..).zip(depths).zip(&by_depth) {
            let all = Options { depth: Some(depth), ..options((Goal::All, None), 0) };
            self.are_cores(&self.ask_one("OK", &all).found, up_to, &format!("up to {depth}"));
            assert_eq!(core.depth, depth);
            self.is_one_of(&core.up_to, up_to, &format!("up to {depth}"));
            self.is_one_of(&core.at, at, &format!("at {depth}"));
        }
    }

    fn is_one_of(&self, core: &Core, cores: &[&str], what: &str) {
        assert_eq!(core.minimal, Minimality::Minimal, "{what}");
        assert!(self.sets(cores).contains(&core.elements), "{what}: {core:?} is none of {cores:?}");
    }
}

/// Figures 3.1 and 3.2, where the property is none of the elements.
#[test]
fn the_altitude_switch_has_two_minimal_cores() {
    let mut model = Model::example("asw.lus");
    model.universe = model.set(ALL);
    model.has_cores("p", &EITHER_ALTIMETER);
    assert_eq!(model.covers(CoreMetric::Must, "p"), model.set("below doi_on"));
    assert_eq!(model.covers(CoreMetric::May, "p"), model.set("a1_below a2_below below doi_on"));
    let one = model.covers(CoreMetric::Core, "p");
    assert!(model.sets(&EITHER_ALTIMETER).contains(&one), "{one:?}");
}

/// The same with figure 4.10's annotation, which has the property among the elements. Chapter 4 leaves it out of the cores; by definition, and in figure 4.16, it is in all of them.
#[test]
fn an_annotated_property_is_in_every_core() {
    let model = Model::example("asw.lus");
    assert_eq!(
        model.universe,
        model.set("a1_below a2_below a1_above a2_above below above_hyst d1 d2 p doi_on")
    );
    model.has_cores("p", &["a1_below below doi_on p", "a2_below below doi_on p"]);
}

/// What chapter 4 says of other annotations.
#[test]
fn what_is_not_annotated_is_in_no_core_and_needs_no_other() {
    let mut model = Model::example("asw.lus");
    let all = model.set(ALL);
    model.universe = all.difference(&model.set("a1_below doi_on"));
    model.has_cores("p", &["below"]);
    model.universe = all.difference(&model.set("a1_below"));
    model.has_cores("p", &["below doi_on"]);
}

/// Figure 4.16 has the second altimeter from depth 1 to 4. The first one does as well, and both do at once.
#[test]
fn bounded_cores_of_the_altitude_switch_have_an_altimeter() {
    let model = Model::example("asw.lus");
    let cores = ["a1_below below doi_on p", "a2_below below doi_on p"];
    let way = (Goal::Minimal, Some(Algorithm::Bvc));
    let by_depth = model.ask_one("p", &Options { depth: Some(4), ..options(way, 0) }).by_depth;
    assert_eq!(by_depth.len(), 5);
    for core in by_depth {
        model.is_one_of(&core.up_to, &cores, "up to");
        model.is_one_of(&core.at, &cores, "at");
    }
}

/// Property set 1, figure 6.3.
#[test]
fn properties_of_computed_variables_need_three_equations() {
    let model = Model::example("asw_1.lus");
    let rows = [("on_p", "below doi_on"), ("off_p", "doi_on d1"), ("all_p", "below doi_on d1")];
    for (property, covered) in rows {
        model.has_cores(property, &[covered]);
        model.coincide(property, covered);
    }
}

/// Property set 2. The thesis prints one of the two cores of `all_p`, and says that there are two.
#[test]
fn properties_of_inputs_tell_the_metrics_apart() {
    let model = Model::example("asw_2.lus");
    model.has_cores("on_p", &EITHER_ALTIMETER);
    model.has_cores("off_p", &["doi_on d1"]);
    model.has_cores("all_p", &["a1_below below doi_on d1", "a2_below below doi_on d1"]);
    assert_eq!(model.covers(CoreMetric::Must, "all_p"), model.set("below doi_on d1"));
    assert_eq!(model.covers(CoreMetric::May, "all_p"), model.set("a1_below a2_below below doi_on d1"));
}

/// Property set 3.
#[test]
fn the_corrected_property_needs_all_but_the_memory() {
    let model = Model::example("asw_3.lus");
    model.has_cores("on_p", &EITHER_ALTIMETER);
    model.has_cores("off_p", &[ALL_BUT_D2]);
    model.has_cores("all_p", &[ALL_BUT_D2]);
    model.coincide("all_p", ALL_BUT_D2);
}

/// The final property set, figure 6.4. Of `on_p` the figure has one minimal core.
#[test]
fn the_hysteresis_property_needs_everything() {
    let model = Model::example("asw_4.lus");
    model.has_cores("on_p", &EITHER_ALTIMETER);
    model.has_cores("off_p", &[ALL_BUT_D2]);
    model.has_cores("hyst_p", &[ALL]);
    model.has_cores("all_p", &[ALL]);
    for property in ["hyst_p", "all_p"] {
        model.coincide(property, ALL);
    }
}

/// In each property set the conjunction by us has the cores of `all_p`, the conjunction by the model.
#[test]
fn properties_together_are_the_conjunction_that_the_model_has() {
    let conjunctions: [(&str, &[&str], &[&str]); 4] = [
        ("asw_1.lus", &["on_p", "off_p"], &["below doi_on d1"]),
        ("asw_2.lus", &["on_p", "off_p"], &["a1_below below doi_on d1", "a2_below below doi_on d1"]),
        ("asw_3.lus", &["on_p", "off_p"], &[ALL_BUT_D2]),
        ("asw_4.lus", &["on_p", "off_p", "hyst_p"], &[ALL]),
    ];
    for (file, properties, cores) in conjunctions {
        let model = Model::example(file);
        let options = Options { together: true, ..options((Goal::All, None), 0) };
        let found = model.ask(properties, &options).together.expect("all of them hold");
        model.are_cores(&found, cores, file);
    }
}

/// Section 6.3.1: with operators as elements the hysteresis property no longer needs everything, and least of all what the then branches of `doi_on` and `d1` say.
#[test]
fn operator_by_operator_the_hysteresis_property_leaves_something_out() {
    let name = "asw_4.lus";
    let granular = propcov_frontend::Options {
        granularity: Granularity::Operator,
        ..propcov_frontend::Options::default()
    };
    let sources = Sources::one(name, example(name));
    let (design, _) = read_as(&sources, &[], &granular).unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(design);
    let covered = model.covers(CoreMetric::May, "hyst_p");
    // A piece is called `equation@line:column text`.
    let piece = |name: &str| -> Option<String> {
        let (equation, place) = name.split_once('@')?;
        Some(format!("{equation}: {}", place.split_once(' ')?.1))
    };
    let left_out = model.universe.difference(&covered);
    let left_out: Vec<String> =
        left_out.iter().filter_map(|element| piece(&model.design.system.element(element).name)).collect();
    // Where the property says something, `below` is false by itself; so whether it is inhibited does not matter either.
    assert_eq!(left_out, ["doi_on: not", "doi_on: inhibit", "doi_on: true", "d1: false"]);
}

/// Figures 5.9 and 5.10.
#[test]
fn one_counter_is_enough_in_the_end_and_either_at_first() {
    let model = Model::example("two_counters.lus");
    model.has_cores("OK", &["counter2 OK"]);
    let (either, second): (&[&str], &[&str]) = (&["counter1 OK", "counter2 OK"], &["counter2 OK"]);
    let mut depths = vec![(either, either); 5];
    depths.extend([(second, second); 4]);
    model.has_bounded_cores(&depths);
}

/// Figures 5.16 and 5.17. The figure has what suffices for the last step alone: from depth 5 on that is the second counter, which is below 6 in the first steps. By definition 5, a bounded core suffices for all steps up to
/// the depth, and that takes both. In steps 3 and 4 either counter suffices; the figure has the first.
#[test]
fn both_counters_are_needed_in_the_end_and_only_one_in_each_step() {
    let model = Model::example("two_counters_3.lus");
    model.has_cores("OK", &["counter1 counter2 OK"]);
    let (first, both): (&[&str], &[&str]) = (&["counter1 OK"], &["counter1 counter2 OK"]);
    let (either, second): (&[&str], &[&str]) = (&["counter1 OK", "counter2 OK"], &["counter2 OK"]);
    let mut depths = vec![(first, first); 3];
    depths.extend([(first, either); 2]);
    depths.extend([(both, second); 4]);
    model.has_bounded_cores(&depths);
}

/// After figure 5.11: the model `ex3_e8_381_e7_224`, which is not among the published ones.
const EX3_E8_381_E7_224: &str = "
node top(beacon, second: bool) returns (OK: bool);
var V19_late, V20_early: bool; V63_diff, V64_incr, V65_PC: int;
let
  OK = true -> not (pre V20_early) or not V19_late;
  V19_late = false -> if pre V19_late then V63_diff < 0 else V63_diff <= -10;
  V20_early = false -> if pre V20_early then V63_diff > 0 else V63_diff >= 10;
  V63_diff = if false then 0 else if beacon and second then V65_PC + V64_incr else V65_PC;
  V64_incr = if beacon or not second then 1 else if second and not beacon then 2 else 0;
  V65_PC = 0 -> pre V63_diff;
  --%PROPERTY OK;
  --%IVC V19_late, V20_early, V63_diff, V64_incr, V65_PC, OK;
tel;
";

/// Section 5.4, figures 5.11 and 5.12. The text has both cores up to depth 10, the figure up to depth 9; it is 9, since no more than 10 is counted before step 9, and `pre V20_early` is one step behind. At first fewer elements
/// do, as the figure shows.
#[test]
fn a_second_way_to_hold_ends_at_depth_ten() {
    let design = read("ex3.lus", EX3_E8_381_E7_224.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let model = Model::new(design);
    let late = "V19_late V64_incr V63_diff V65_PC OK";
    let early = "V20_early V64_incr V63_diff V65_PC OK";
    model.has_cores("OK", &[late]);
    let (at_first, next): (&[&str], &[&str]) = (&["OK"], &["V20_early OK", late]);
    let (either, in_the_end): (&[&str], &[&str]) = (&[early, late], &[late]);
    let mut depths = vec![(at_first, at_first), (next, next)];
    depths.extend([(either, either); 8]);
    depths.extend([(in_the_end, in_the_end); 2]);
    model.has_bounded_cores(&depths);
}

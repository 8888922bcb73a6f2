//! Models in which variables are multiplied: engines may know more of products than the independent checker, and may take something for a run that is none. Both are undecided, and no bug.

use super::ask::{Log, Options, options};
use propcov_coverage::cores::{Goal, Holds, Parts, PropertyCores};
use propcov_frontend::{Design, UniverseOptions, read, universe};
use propcov_ir::{ElementSet, PropertyId, UnknownReason};

/// Engines prove it, but not in a way that can be checked.
const SQUARE: &str = "node n(x: int) returns (ok: bool);
var b: int;
let
  b = x * x;
  ok = b >= 0;
  --%PROPERTY ok;
tel;
";

/// A linear proof, and one that needs the square.
const EITHER: &str = "node n(x: int) returns (ok: bool);
var a, b: int;
let
  a = if x > 0 then x else 0;
  b = x * x;
  ok = a >= 0 or b >= 0;
  --%PROPERTY ok;
tel;
";

/// A linear proof; without it there is no violation either, which no solver here knows: 2 is no square of a fraction.
const IRRATIONAL: &str = "node n(x, y: int) returns (ok: bool);
var a, b: int;
let
  a = if x > 0 then x else 0;
  b = x * x - 2 * y * y;
  ok = a >= 0 or x = 0 or b <> 0;
  --%PROPERTY ok;
tel;
";

struct Model {
    design: Design,
    universe: ElementSet,
}

impl Model {
    fn new(text: &str) -> Model {
        let design = read("model.lus", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let universe = universe(&design, &UniverseOptions::default()).expect("a default needs no annotation");
        Model { design, universe }
    }

    fn ask(&self, options: &Options) -> PropertyCores {
        let mut analysis =
            options.ask(&self.design.system, &self.universe, &[PropertyId(0)], &Log::default());
        let cores = analysis.properties.pop().expect("one property");
        assert!(cores.outcome.internal_errors.is_empty(), "{options:?}: {:?}", cores.outcome.internal_errors);
        cores
    }

    fn names(&self, set: &ElementSet) -> Vec<&str> {
        let mut names: Vec<&str> =
            set.iter().map(|element| self.design.system.element(element).name.as_str()).collect();
        names.sort_unstable();
        names
    }

    fn parts(&self, parts: Option<&Parts>) -> [Vec<&str>; 2] {
        let parts = parts.expect("asked for");
        [self.names(&parts.sure), self.names(&parts.unknown)]
    }
}

const GOALS: [Goal; 6] = [Goal::One, Goal::Minimal, Goal::Minimum, Goal::All, Goal::Must, Goal::May];

#[test]
fn a_property_whose_proof_cannot_be_checked_is_unknown() {
    let model = Model::new(SQUARE);
    for goal in GOALS {
        let cores = model.ask(&options((goal, None), 0));
        match cores.holds() {
            Holds::Unknown(UnknownReason::Incomplete(why)) => {
                assert!(why.contains("beyond linear arithmetic"), "{why}");
            }
            holds => panic!("{goal:?}: {holds:?}"),
        }
        assert!(cores.found.cores.is_empty() && !cores.found.complete);
    }
    let bounded = model.ask(&Options { depth: Some(3), ..options((Goal::All, None), 0) });
    assert!(
        matches!(bounded.holds(), Holds::Unknown(UnknownReason::Unsupported(_))),
        "{:?}",
        bounded.holds()
    );
}

#[test]
fn slices_that_cannot_be_checked_are_undecided() {
    for text in [EITHER, IRRATIONAL] {
        let model = Model::new(text);
        for depth in [None, Some(2)] {
            let ask = |goal| model.ask(&Options { depth, ..options((goal, None), 0) });
            for goal in GOALS {
                let cores = ask(goal);
                assert!(matches!(cores.holds(), Holds::Yes { .. } | Holds::UpTo(2)), "{:?}", cores.holds());
                assert!(!cores.found.cores.is_empty() && !cores.found.complete && !cores.found.stopped);
            }
            let cores = ask(Goal::All);
            let sets: Vec<_> = cores.found.cores.iter().map(|core| model.names(&core.elements)).collect();
            assert_eq!(sets, [vec!["a", "ok"]]);
            assert_eq!(model.parts(cores.found.must.as_ref()), [vec!["ok"], vec!["a"]]);
            assert_eq!(model.parts(cores.found.may.as_ref()), [vec!["a", "ok"], vec!["b"]]);
            let reasons: Vec<String> =
                cores.found.undecided.iter().map(|(_, reason)| reason.to_string()).collect();
            let is_known =
                |reason: &String| reason.contains("products") || reason.contains("beyond linear arithmetic");
            assert!(!reasons.is_empty() && reasons.iter().all(is_known), "{reasons:?}");
        }
    }
}

//! Real models whose coverage was computed with NuSMV alone, state by state.

use propcov_budget::Budget;
use propcov_coverage::ctl::{Flip, Implication, Measured, Measurement, Place, Prepared, Request, Semantics};
use propcov_frontend::{Extra, read_with};
use propcov_ir::{CtlVerdict, ExprId, PropertyId, System};
use propcov_symbolic::{Options, Silent};
use propcov_testkit::reference;
use serde_json::Value;

/// The model without its specifications, and with what is added to its main module.
fn edited(model: &str, added: &str) -> String {
    let keywords =
        ["MODULE", "VAR", "IVAR", "ASSIGN", "DEFINE", "FAIRNESS", "JUSTICE", "INIT", "TRANS", "INVAR"];
    let (mut text, mut is_kept) = (String::new(), true);
    for line in model.lines() {
        let word = line.split_whitespace().next().unwrap_or_default();
        if word.ends_with("SPEC") {
            is_kept = false;
        } else if keywords.contains(&word) {
            is_kept = true;
        }
        if is_kept {
            text.push_str(line);
            text.push('\n');
        }
        if line.trim() == "MODULE main" {
            text.push_str(added);
        }
    }
    text
}

/// How many states there are to be covered, and how many are.
fn count(system: &System, semantics: Semantics, observed: ExprId, dont_care: &[ExprId]) -> (usize, usize) {
    let request = Request {
        place: Place::State,
        semantics,
        flip: Flip::Any,
        implication: Implication::Split,
        properties: &[PropertyId(0)],
        observed: &[observed],
        dont_care,
        waived: &[],
    };
    let prepared = Prepared::new(system, &request).expect("observable");
    let mut measurement =
        Measurement::new(&prepared, Options::default(), &Budget::default(), &Silent).expect("small");
    let space = measurement.space().expect("small").expect("states");
    assert!(matches!(measurement.check(0), CtlVerdict::Holds(_)));
    let Measured::Covered(covered, None) = measurement.measure(&space, 0, 0) else {
        panic!("not measured exactly");
    };
    let evaluator = measurement.checker().evaluator();
    assert_eq!(covered.sure(), covered.possible());
    let number = |count: dashu_int::UBig| usize::try_from(count).expect("small");
    (number(space.total), number(evaluator.count_states(covered.sure())))
}

#[test]
fn real_models_are_covered_as_another_model_checker_says() {
    let folder = reference::folder().join("../benchmarks/smv");
    let path = folder.join("coverage_anchors.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        return println!("skipped: there is no {}", path.display());
    };
    let anchors: Vec<Value> = serde_json::from_str(&text).expect("a list");
    assert_eq!(anchors.len(), 6);
    for anchor in &anchors {
        let name = anchor["model"].as_str().expect("a name");
        let model = std::fs::read_to_string(folder.join(name)).expect("a model");
        let text = |field: &str| anchor[field].as_str().expect("text").to_owned();
        let added = format!("DEFINE {}\nCTLSPEC {};\n", text("define"), text("ctl"));
        let uncovered = anchor["some_uncovered_observability"].as_array().expect("a list");
        let uncovered = uncovered.iter().map(|state| state.as_str().expect("text").to_owned());
        let extras: Vec<Extra> = [text("observe")]
            .into_iter()
            .chain(uncovered)
            .map(|text| Extra { origin: "anchor".to_owned(), text })
            .collect();
        let (design, exprs) =
            read_with(name, edited(&model, &added).as_bytes(), &extras).unwrap_or_else(|e| panic!("{e}"));
        let (observed, uncovered) = exprs.split_first().expect("the observed one");
        let number = |field: &str| anchor[field].as_u64().expect("a number") as usize;
        let covered =
            |semantics, dont_care: &[ExprId]| count(&design.system, semantics, *observed, dont_care);
        let expected = (number("reachable"), number("covered_observability"));
        assert_eq!(covered(Semantics::Observability, &[]), expected, "{name}");
        let expected = (number("reachable"), number("covered_mutation"));
        assert_eq!(covered(Semantics::Mutation, &[]), expected, "{name}");
        // Without the uncovered states as much is covered.
        let expected = (number("reachable") - uncovered.len(), number("covered_observability"));
        assert_eq!(covered(Semantics::Observability, uncovered), expected, "{name}");
    }
}

//! Remarks in words.

use crate::fixtures::{Scope, large, matrix, numbers, refute, set_1, set_2, set_3};
use propcov_report::remarks::remarks;
use propcov_result::{Reads, RunResult, Verdict};

#[test]
fn the_initial_property_set_has_computed_antecedents_and_unused_elements() {
    insta::assert_snapshot!(remarks(&set_1()).join("\n"), @r"
    No property needs a1_below, a2_below, a1_above, a2_above, above_hyst and d2 (6 of 9 elements): each of them holds whatever they are.
    on_p mentions a1_below and a2_below in its antecedent but holds whatever they are, so it does not notice an error in their definition; look whether the antecedent can be said in terms of inputs.
    off_p mentions a1_above and a2_above in its antecedent but holds whatever they are, so it does not notice an error in their definition; look whether the antecedent can be said in terms of inputs.
    ");
}

#[test]
fn the_second_property_set_leaves_four_elements_alone() {
    insta::assert_snapshot!(remarks(&set_2()).join("\n"), @"No property needs a1_above, a2_above, above_hyst and d2 (4 of 9 elements): each of them holds whatever they are.");
}

#[test]
fn the_final_property_set_gives_no_cause_for_remarks() {
    assert_eq!(remarks(&set_3(Scope::All)), Vec::<String>::new());
    assert_eq!(remarks(&RunResult::default()), Vec::<String>::new());
}

#[test]
fn properties_that_rest_on_little_are_mentioned() {
    let mut set = matrix(
        "p.lus",
        &["x", "y", "p", "q", "r", "s"],
        Scope::All,
        &[
            ("p", &[&["p"]]),
            ("q", &[&["q", "x"], &["q", "y"]]),
            ("r", &[&["r", "x"]]),
            ("s", &[&["s"]]),
            ("outside", &[&[]]),
        ],
    );
    let reads = |antecedent: &[&str], consequent: &[&str], changes| Reads {
        antecedent: numbers(&set.elements, antecedent),
        consequent: numbers(&set.elements, consequent),
        changes,
    };
    let (of_r, of_s) = (reads(&["x"], &["y"], true), reads(&[], &["y"], false));
    set.properties[2].reads = Some(of_r);
    set.properties[3].reads = Some(of_s);
    insta::assert_snapshot!(remarks(&set).join("\n"), @"
    p needs no element in question besides its own equation: look whether it is a tautology, or follows from assumptions or other parts that are always kept.
    q can be proved in 2 ways that have no element in common besides its own equation: it notices no error that is confined to one element.
    r says something about y but holds whatever it is; look whether its antecedent can ever be true.
    s is about constants: no input and no state can change it, so it says nothing about what the design does.
    outside needs no element in question: look whether it is a tautology, or follows from assumptions or other parts that are always kept.
    ");
}

#[test]
fn a_proof_from_constants_or_from_one_element_is_mentioned() {
    let mut set = matrix(
        "p.lus",
        &["low", "high", "x", "y", "p"],
        Scope::All,
        &[("p", &[&["low", "high", "p"]]), ("q", &[&["low"]]), ("r", &[&["x"]]), ("s", &[&["x", "y"]])],
    );
    set.elements[0].constant = true;
    set.elements[1].constant = true;
    insta::assert_snapshot!(remarks(&set).join("\n"), @"
    p can be proved from its own equation and the constants low and high alone: it holds whatever the rest of the design does.
    q can be proved from the constant low alone: it holds whatever the rest of the design does.
    r can be proved from x alone: look whether it says as much as it should.
    ");
    let few = matrix("p.lus", &["x", "y"], Scope::All, &[("r", &[&["x"]])]);
    assert_eq!(remarks(&few), ["The property does not need y (1 of 2 elements): it holds whatever it is."]);
}

#[test]
fn unused_elements_may_be_needed_by_properties_that_are_not_here() {
    let remark = |properties: &[(&str, &[&[&str]])]| {
        let mut set = matrix("p.lus", &["x", "y"], Scope::All, properties);
        if let Some(design) = &mut set.design {
            design.properties += 1;
        }
        remarks(&set).remove(0)
    };
    let expected = "r does not need y (1 of 2 elements): it holds whatever it is.";
    assert_eq!(remark(&[("r", &[&["x"]])]), expected);
    let expected = "None of these properties needs y (1 of 2 elements): each of them holds whatever it is.";
    assert_eq!(remark(&[("r", &[&["x"]]), ("s", &[&["x"]])]), expected);
}

#[test]
fn the_own_equation_may_be_in_pieces() {
    let names = ["p", "p.1", "p.2", "x", "y", "z"];
    let mut set = matrix("p.lus", &names, Scope::All, &[("p", &[&["p", "p.1", "x"]])]);
    set.properties[0].own = vec![0, 1, 2];
    insta::assert_snapshot!(remarks(&set).join("\n"), @"
    The property does not need p.2, y and z (3 of 6 elements): it holds whatever they are.
    p can be proved from its own equation and x alone: look whether it says as much as it should.
    ");
    set.cores[0].cores[0].elements = vec![0, 1];
    insta::assert_snapshot!(remarks(&set).join("\n"), @"
    The property does not need p.2, x, y and z (4 of 6 elements): it holds whatever they are.
    p needs no element in question besides its own equation: look whether it is a tautology, or follows from assumptions or other parts that are always kept.
    ");
}

#[test]
fn what_is_unknown_gives_no_remark() {
    let mut set = set_1();
    for row in &mut set.cores {
        (row.cores, row.complete, row.minimum) = (Vec::new(), false, None);
    }
    assert_eq!(remarks(&set), Vec::<String>::new());
    let mut set = matrix("p.lus", &["x", "y"], Scope::All, &[("p", &[&["x"], &["y"]])]);
    set.cores[0].complete = false;
    assert_eq!(remarks(&set), Vec::<String>::new());
    // y may be in another core.
    let set = matrix("p.lus", &["x", "y"], Scope::One, &[("p", &[&["x"]])]);
    assert_eq!(remarks(&set), Vec::<String>::new());
}

#[test]
fn properties_that_do_not_hold_are_not_counted() {
    let mut set = matrix("p.lus", &["x", "y", "q"], Scope::All, &[("p", &[&["x"]]), ("q", &[&["x", "q"]])]);
    refute(&mut set, "q", Verdict::Falsified);
    insta::assert_snapshot!(remarks(&set).join("\n"), @"
    No property that holds needs y (1 of 3 elements): each of them holds whatever it is.
    p can be proved from x alone: look whether it says as much as it should.
    ");
}

#[test]
fn long_lists_are_cut_off() {
    let remarks = remarks(&large(300, 5, "p"));
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert!(remarks[0].contains("and 35 more (43 of 300 elements)"), "{}", remarks[0]);
}

//! What to look at, in words. Each remark is one sentence that follows from the cores, not from a guess about style:
//!
//! - elements that no property needs: each property holds whatever they are;
//! - a property that is about constants, or that needs nothing besides its own equation;
//! - a property that mentions a computed signal in its antecedent and holds whatever that signal is. The thesis calls this "a classic specification
//!   problem: using computed variables as the antecedents of implications" (section 6.3, Figure 6.3): an error in the computation goes unnoticed;
//! - an implication that holds whatever its consequent's signals are: perhaps its antecedent is never true;
//! - a property of which all proofs have no element in common: no single element is needed.
//!
//! What is not known gives no remark. At most one of the last four is made about a property, the strongest, except that antecedents are always mentioned.

use crate::model::{Mark, Property, Reads, Scope, Traceability};
use crate::words::{listed, printable};

/// Longer lists are cut off: all renderings have them in full.
const AT_MOST: usize = 8;

/// The remarks: first about elements, then about properties in their order.
pub fn remarks(traceability: &Traceability) -> Vec<String> {
    let mut remarks: Vec<String> = unused(traceability).into_iter().collect();
    for row in traceability.properties.iter().filter(|row| row.verdict.holds()) {
        remarks.extend(about(traceability, row));
    }
    remarks
}

fn unused(traceability: &Traceability) -> Option<String> {
    let elements = traceability.unused();
    if elements.is_empty() {
        return None;
    }
    let holding = traceability.properties.iter().filter(|row| row.verdict.holds()).count();
    let names = named(traceability, &elements);
    let share = format!("{} of {} elements", elements.len(), traceability.elements.len());
    let they = if elements.len() == 1 { "it is" } else { "they are" };
    Some(match (traceability.properties.len() - holding, holding) {
        (0, 1) => format!("The property does not need {names} ({share}): it holds whatever {they}."),
        (0, _) => format!("No property needs {names} ({share}): each of them holds whatever {they}."),
        (_, _) => {
            format!("No property that holds needs {names} ({share}): each of them holds whatever {they}.")
        }
    })
}

fn about(traceability: &Traceability, row: &Property) -> Vec<String> {
    let name = printable(&row.name);
    if row.reads.as_ref().is_some_and(|reads| !reads.changes) {
        return vec![format!(
            "{name} is about constants: no input and no state can change it, so it says nothing about what the design does."
        )];
    }
    if rests_on_nothing(row) {
        let besides = if row.own.is_some() {
            "no element in question besides its own equation"
        } else {
            "no element in question"
        };
        return vec![format!(
            "{name} needs {besides}: look whether it is a tautology, or follows from assumptions or other parts that are \
             always kept."
        )];
    }
    let vacuous = row.reads.as_ref().and_then(|reads| ignored_consequent(traceability, row, reads));
    let mut remarks: Vec<String> = vacuous.or_else(|| nothing_in_common(row)).into_iter().collect();
    remarks.extend(row.reads.as_ref().and_then(|reads| ignored_antecedent(traceability, row, reads)));
    remarks
}

/// Everything but the property's own equation is known to be unnecessary.
fn rests_on_nothing(row: &Property) -> bool {
    !row.marks.is_empty()
        && (0..row.marks.len()).all(|element| row.own == Some(element) || row.mark(element) == Mark::Unused)
}

fn ignored_antecedent(traceability: &Traceability, row: &Property, reads: &Reads) -> Option<String> {
    let ignored: Vec<usize> =
        reads.antecedent.iter().copied().filter(|&read| row.mark(read) == Mark::Unused).collect();
    if ignored.is_empty() {
        return None;
    }
    let (name, names) = (printable(&row.name), named(traceability, &ignored));
    let (they, their) = if ignored.len() == 1 { ("it is", "its") } else { ("they are", "their") };
    Some(format!(
        "{name} mentions {names} in its antecedent but holds whatever {they}, so it does not notice an error in {their} \
         definition; look whether the antecedent can be said in terms of inputs."
    ))
}

fn ignored_consequent(traceability: &Traceability, row: &Property, reads: &Reads) -> Option<String> {
    let unnecessary = reads.consequent.iter().all(|&read| row.mark(read) == Mark::Unused);
    if reads.antecedent.is_empty() || reads.consequent.is_empty() || !unnecessary {
        return None;
    }
    let (name, names) = (printable(&row.name), named(traceability, &reads.consequent));
    let they = if reads.consequent.len() == 1 { "it is" } else { "they are" };
    Some(format!(
        "{name} says something about {names} but holds whatever {they}; look whether its antecedent can ever be true."
    ))
}

fn nothing_in_common(row: &Property) -> Option<String> {
    let needed =
        (0..row.marks.len()).any(|element| row.own != Some(element) && row.mark(element) == Mark::Must);
    let certain = row.scope == Scope::All && row.complete && row.cores.len() > 1;
    let besides = if row.own.is_some() { " besides its own equation" } else { "" };
    (certain && !needed).then(|| {
        format!(
            "{} can be proved in {} ways that have no element in common{besides}: it notices no error that is confined to one \
             element.",
            printable(&row.name),
            row.cores.len()
        )
    })
}

fn named(traceability: &Traceability, elements: &[usize]) -> String {
    let names: Vec<String> = elements.iter().map(|&element| printable(traceability.name(element))).collect();
    listed(&names, AT_MOST)
}

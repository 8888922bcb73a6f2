//! What to look at, in words. Each remark is one sentence that follows from the cores, not from a guess about style:
//!
//! - elements that no property needs: each property holds whatever they are;
//! - a property that is about constants, or that needs nothing besides its own equation;
//! - a property that can be proved from constants alone;
//! - a property that mentions a computed signal in its antecedent and holds whatever that signal is. The thesis calls this "a classic specification
//!   problem: using computed variables as the antecedents of implications" (section 6.3, Figure 6.3): an error in the computation goes unnoticed;
//! - an implication that holds whatever its consequent's signals are: perhaps its antecedent is never true;
//! - a property of which all proofs have no element in common: no single element is needed;
//! - a property that can be proved from a single element.
//!
//! What is not known gives no remark. About a property only the strongest is made, except that antecedents are always mentioned.

use crate::model::{Mark, Row, Traceability};
use crate::terminal::printable;
use crate::words::listed;
use propcov_result::{CoreSet, Reads, RunResult, Verdict};

/// Longer lists are cut off: all renderings have them in full.
const AT_MOST: usize = 8;

/// Where there are no more elements than this, a core with a single one is no surprise.
const FEW: usize = 2;

/// The remarks: first about elements, then about properties in their order.
pub fn remarks(result: &RunResult) -> Vec<String> {
    let traceability = Traceability::new(result);
    unused(&traceability).into_iter().chain(about_properties(&traceability)).collect()
}

/// Those about properties.
pub(crate) fn about_properties(traceability: &Traceability<'_>) -> Vec<String> {
    let holding = traceability.properties.iter().filter(|row| row.known.holds);
    holding.flat_map(|row| about(traceability, row)).collect()
}

fn unused(traceability: &Traceability<'_>) -> Option<String> {
    let elements = traceability.unused();
    if elements.is_empty() {
        return None;
    }
    let holding = traceability.properties.iter().filter(|row| row.known.holds).count();
    let names = named(traceability, &elements);
    let share = format!("{} of {} elements", elements.len(), traceability.elements.len());
    let they = if elements.len() == 1 { "it is" } else { "they are" };
    let none = match (traceability.others, traceability.properties.len() - holding) {
        (0, 0) => "No property",
        (0, _) => "No property that holds",
        (_, 0) => "None of these properties",
        (_, _) => "None of these properties that hold",
    };
    Some(match traceability.properties.as_slice() {
        [only] => format!(
            "{} does not need {names} ({share}): it holds whatever {they}.",
            if traceability.others == 0 { "The property".to_owned() } else { printable(only.name) }
        ),
        _ => format!("{none} needs {names} ({share}): each of them holds whatever {they}."),
    })
}

fn about(traceability: &Traceability<'_>, row: &Row<'_>) -> Vec<String> {
    let name = printable(row.name);
    if row.reads().is_some_and(|reads| !reads.changes) {
        return vec![format!(
            "{name} is about constants: no input and no state can change it, so it says nothing about what the design does."
        )];
    }
    if rests_on_nothing(row) {
        let besides = match row.own().is_empty() {
            true => "no element in question",
            false => "no element in question besides its own equation",
        };
        return vec![format!(
            "{name} needs {besides}: look whether it is a tautology, or follows from assumptions or other parts that are \
             always kept."
        )];
    }
    let vacuous = row.reads().and_then(|reads| ignored_consequent(traceability, row, reads));
    let strongest = vacuous
        .or_else(|| constants(traceability, row))
        .or_else(|| nothing_in_common(row))
        .or_else(|| single(traceability, row));
    let mut remarks: Vec<String> = strongest.into_iter().collect();
    remarks.extend(row.reads().and_then(|reads| ignored_antecedent(traceability, row, reads)));
    remarks
}

/// Everything but the property's own equation is known to be unnecessary.
fn rests_on_nothing(row: &Row<'_>) -> bool {
    let is_unnecessary = |element: &u32| row.own().contains(element) || row.mark(*element) == Mark::Unused;
    let has_bare_core = row.known.cores.iter().any(|core| others(row, core).is_empty());
    let universe = &row.known.universe;
    !universe.is_empty() && (has_bare_core || universe.iter().all(is_unnecessary))
}

/// The elements of a core without the property's own equation.
fn others(row: &Row<'_>, core: &CoreSet) -> Vec<u32> {
    core.elements.iter().copied().filter(|element| !row.own().contains(element)).collect()
}

/// A core in which nothing can change.
fn constants(traceability: &Traceability<'_>, row: &Row<'_>) -> Option<String> {
    let is_constant = |element: &u32| traceability.element(*element).is_some_and(|it| it.constant);
    let mut cores = row.known.cores.iter().map(|core| others(row, core));
    let core = cores.find(|core| !core.is_empty() && core.iter().all(is_constant))?;
    let constants = if core.len() == 1 { "the constant" } else { "the constants" };
    let names = named(traceability, &core);
    Some(format!(
        "{} {} from {}{constants} {names} alone: it holds whatever the rest of the design does.",
        printable(row.name),
        can_be_proved(row),
        own_equation(row)
    ))
}

/// A core with a single element, where there are more that it could have needed.
fn single(traceability: &Traceability<'_>, row: &Row<'_>) -> Option<String> {
    let mut cores = row.known.cores.iter().map(|core| others(row, core));
    let core = cores.find(|core| core.len() == 1)?;
    let in_question = traceability.elements.iter().filter(|element| !row.own().contains(element)).count();
    (in_question > FEW).then(|| {
        format!(
            "{} {} from {}{} alone: look whether it says as much as it should.",
            printable(row.name),
            can_be_proved(row),
            own_equation(row),
            named(traceability, &core)
        )
    })
}

/// Bounded is not proved.
fn can_be_proved(row: &Row<'_>) -> &'static str {
    match row.verdict {
        Verdict::Bounded => "can be shown up to the depth",
        _ => "can be proved",
    }
}

/// Each core of a property has its own equation as well, if it has one.
fn own_equation(row: &Row<'_>) -> &'static str {
    if row.own().is_empty() { "" } else { "its own equation and " }
}

fn ignored_antecedent(traceability: &Traceability<'_>, row: &Row<'_>, reads: &Reads) -> Option<String> {
    let ignored: Vec<u32> =
        reads.antecedent.iter().copied().filter(|&read| row.mark(read) == Mark::Unused).collect();
    if ignored.is_empty() {
        return None;
    }
    let (name, names) = (printable(row.name), named(traceability, &ignored));
    let (they, their) = if ignored.len() == 1 { ("it is", "its") } else { ("they are", "their") };
    Some(format!(
        "{name} mentions {names} in its antecedent but holds whatever {they}, so it does not notice an error in {their} \
         definition; look whether the antecedent can be said in terms of inputs."
    ))
}

fn ignored_consequent(traceability: &Traceability<'_>, row: &Row<'_>, reads: &Reads) -> Option<String> {
    let unnecessary = reads.consequent.iter().all(|&read| row.mark(read) == Mark::Unused);
    if reads.antecedent.is_empty() || reads.consequent.is_empty() || !unnecessary {
        return None;
    }
    let (name, names) = (printable(row.name), named(traceability, &reads.consequent));
    let they = if reads.consequent.len() == 1 { "it is" } else { "they are" };
    Some(format!(
        "{name} says something about {names} but holds whatever {they}; look whether its antecedent can ever be true."
    ))
}

fn nothing_in_common(row: &Row<'_>) -> Option<String> {
    let needed = row.with(Mark::Must).iter().any(|element| !row.own().contains(element));
    let certain = row.known.complete && row.known.cores.len() > 1;
    let besides = if !row.own().is_empty() { " besides its own equation" } else { "" };
    (certain && !needed).then(|| {
        format!(
            "{} {} in {} ways that have no element in common{besides}: it notices no error that is confined to one \
             element.",
            printable(row.name),
            can_be_proved(row),
            row.known.cores.len()
        )
    })
}

fn named(traceability: &Traceability<'_>, elements: &[u32]) -> String {
    let names: Vec<String> = elements.iter().map(|element| printable(&traceability.name(*element))).collect();
    listed(&names, AT_MOST)
}

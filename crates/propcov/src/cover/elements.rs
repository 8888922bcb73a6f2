//! Which elements are mutated: by kind, or by name with `*` and `?`.

use crate::Error;
use crate::read::unknown_name;
use propcov_ir::{Element, ElementId, ElementKind, Mutant, Mutation, System};
use propcov_result::fits;
use propcov_verify::record::is_memory;

/// What is in question when nothing else is said: statements, where there are such; else registers, or everything where there are none.
pub(crate) fn default(system: &System) -> &'static str {
    if system.elements().iter().any(is_statement) {
        return "statements";
    }
    let has_registers = system.elements().iter().any(|element| element.kind == ElementKind::Register);
    if has_registers || is_stateful_by_equations(system) { "registers" } else { "all" }
}

/// The elements that can be mutated and that the list of kinds and patterns selects, in the order of the design. An element of split words is also
/// selected by the name of the word. Those that another list selects are left out.
pub(crate) fn select(system: &System, list: &[String], exclude: &[String]) -> Result<Vec<ElementId>, Error> {
    let is_mutable = |element: &ElementId| !system.mutants_of(*element).is_empty();
    select_among(system, system.element_ids().filter(is_mutable).collect(), list, exclude)
}

/// The same among other candidates.
pub(crate) fn select_among(
    system: &System,
    candidates: Vec<ElementId>,
    list: &[String],
    exclude: &[String],
) -> Result<Vec<ElementId>, Error> {
    let chosen = marked(system, &candidates, list)?;
    let left_out = marked(system, &candidates, exclude)?;
    let is_wanted = |element: &ElementId| {
        let at = element.0 as usize;
        chosen[at] && !left_out[at]
    };
    let selected: Vec<ElementId> = candidates.into_iter().filter(is_wanted).collect();
    match selected.is_empty() {
        true => Err(Error::Usage(format!("--exclude {} leaves no element", exclude.join(",")))),
        false => Ok(selected),
    }
}

/// For each element of the design, whether it is a candidate and some entry of the list selects it. Each entry has to select one.
fn marked(system: &System, candidates: &[ElementId], list: &[String]) -> Result<Vec<bool>, Error> {
    let mut selected = vec![false; system.elements().len()];
    let by_equations = is_stateful_by_equations(system);
    for entry in list {
        let entry = if by_equations && entry == "registers" { "gates" } else { entry };
        let mut matched = false;
        for element in candidates {
            if matches(system, *element, entry) {
                selected[element.0 as usize] = true;
                matched = true;
            }
        }
        if !matched {
            return Err(nothing(system, candidates, entry));
        }
    }
    Ok(selected)
}

fn matches(system: &System, id: ElementId, entry: &str) -> bool {
    let element = system.element(id);
    match entry {
        "all" => true,
        "registers" => element.kind == ElementKind::Register,
        "gates" => matches!(element.kind, ElementKind::Gate | ElementKind::Equation),
        "assignments" => element.kind == ElementKind::Assignment,
        "branches" => element.kind == ElementKind::Branch,
        "connections" => element.kind == ElementKind::Connection,
        "statements" => is_statement(element),
        pattern => system.names_of(id).any(|name| {
            let word = name.rsplit_once('[').map_or(name, |(word, _)| word);
            fits(pattern, name) || fits(pattern, word)
        }),
    }
}

/// What people write line by line. A register is the sum of its assignments, and not one of them.
fn is_statement(element: &Element) -> bool {
    matches!(element.kind, ElementKind::Assignment | ElementKind::Branch | ElementKind::Connection)
}

/// Whether equations are all there is to say about what a design remembers: in Lustre, `pre` may be anywhere, and there are no registers.
fn is_stateful_by_equations(system: &System) -> bool {
    !system.elements().iter().any(|element| element.kind == ElementKind::Register)
        && system.states().iter().any(|state| is_memory(system, *state))
}

/// Why nothing is selected.
fn nothing(system: &System, mutable: &[ElementId], entry: &str) -> Error {
    match entry {
        _ if mutable.is_empty() => {
            return Error::Usage("the design has no element to measure".to_owned());
        }
        "registers" => {
            return Error::Usage("the design has no registers; try --elements gates".to_owned());
        }
        "gates" | "assignments" | "branches" | "connections" | "statements" => {
            return Error::Usage(format!("the design has no {entry}; try --elements registers"));
        }
        _ => {}
    }
    if let Some(element) = system.elements().iter().find(|element| fits(entry, &element.name)) {
        return not_mutable(element);
    }
    let names: Vec<&str> = mutable.iter().map(|element| system.element(*element).name.as_str()).collect();
    unknown_name("element", "elements", entry, &names)
}

/// That an element is one of those that are never mutated.
pub(crate) fn not_mutable(element: &Element) -> Error {
    let kind = match element.kind {
        ElementKind::Init => "an initial value",
        _ => "an assumption",
    };
    Error::Usage(format!("{} is {kind}, and those are not mutated", element.name))
}

/// The mutants of elements, by element and then by mutation.
pub(crate) fn mutants(system: &System, elements: &[ElementId], mutations: &[Mutation]) -> Vec<Mutant> {
    let of_element = |element: &ElementId| system.mutants_of(*element);
    let mutants = elements.iter().flat_map(of_element);
    mutants.filter(|mutant| mutations.contains(&mutant.mutation)).collect()
}

//! The states of a system as fields.

use super::Field;
use propcov_bdd::Var;
use propcov_ir::{ExprId, Node, SignalId, SignalKind, Sort, System, words};
use propcov_solve::Netlist;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Which of two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// The first.
    Now,
    /// The second.
    Next,
}

/// One field for each state, and for each element of an array, in the order of declaration. The variables are those of the latches of the netlist, by
/// their position.
pub fn of_states(
    netlist: &Netlist,
    system: &System,
    vars: &[Var],
    when: When,
    preferred: &FxHashSet<SignalId>,
) -> Vec<Field> {
    let mut bits_of: BTreeMap<SignalId, Vec<(u32, Var)>> = BTreeMap::new();
    for (latch, var) in netlist.latches.iter().zip(vars) {
        bits_of.entry(latch.origin.state).or_default().push((latch.origin.index, *var));
    }
    let mut fields = Vec::new();
    for (signal, mut bits) in bits_of {
        bits.sort_unstable();
        let bits: Vec<Var> = bits.into_iter().map(|(_, var)| var).collect();
        let state = system.signal(signal);
        for (indices, sort, bits) in elements(&state.sort, &bits) {
            let part: String = indices.iter().map(|index| format!("[{index}]")).collect();
            let name = format!("{}{part}", state.name);
            let label = match when {
                When::Now => name,
                When::Next => format!("next({name})"),
            };
            let preferred = preferred.contains(&signal);
            fields.push(Field { label, signal, indices, when, sort, bits, preferred });
        }
    }
    fields
}

/// What is not an array among the parts of a word, with the indices that lead there.
fn elements(sort: &Sort, bits: &[Var]) -> Vec<(Vec<u64>, Sort, Vec<Var>)> {
    let mut parts = vec![(Vec::new(), sort.clone(), bits.to_vec())];
    // Each round removes one level of arrays of arrays.
    while parts.iter().any(|(_, sort, _)| matches!(sort, Sort::Array(_))) {
        let split = parts.into_iter().flat_map(|(indices, sort, bits)| match &sort {
            Sort::Array(array) => {
                let width = words::bit_count(&array.element).unwrap_or(0).max(1) as usize;
                let element = |(index, bits): (u64, &[Var])| {
                    let indices = indices.iter().copied().chain([index]).collect();
                    (indices, array.element.clone(), bits.to_vec())
                };
                (0..).zip(bits.chunks(width)).map(element).collect()
            }
            _ => vec![(indices, sort, bits)],
        });
        parts = split.collect();
    }
    parts
}

/// The states among these signals and behind the definitions of the wires among them.
pub fn states_behind(system: &System, signals: &[SignalId]) -> FxHashSet<SignalId> {
    let mut states = FxHashSet::default();
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut met: FxHashSet<SignalId> = signals.iter().copied().collect();
    let (mut waiting, mut open) = (signals.to_vec(), Vec::new());
    while let Some(signal) = waiting.pop() {
        match system.signal(signal).kind {
            SignalKind::Input => {}
            SignalKind::State { .. } => {
                states.insert(signal);
            }
            SignalKind::Wire { definition } => open.push(definition),
        }
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            if let Node::Signal(read) = system.exprs.node(expr)
                && met.insert(*read)
            {
                waiting.push(*read);
            }
            open.extend(system.exprs.operands(expr));
        }
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_of_an_array_of_arrays_has_its_indices_and_bits() {
        let sort = Sort::array(Sort::BOOL, Sort::array(Sort::BOOL, Sort::BitVec(3)));
        let bits: Vec<Var> = (0..12).map(Var).collect();
        let parts = elements(&sort, &bits);
        let indices: Vec<&[u64]> = parts.iter().map(|(indices, ..)| indices.as_slice()).collect();
        assert_eq!(indices, [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert!(parts.iter().all(|(_, sort, _)| *sort == Sort::BitVec(3)));
        let together: Vec<Var> = parts.iter().flat_map(|(.., bits)| bits).copied().collect();
        assert_eq!(together, bits);
        assert_eq!(elements(&Sort::BOOL, &bits[..1]), [(vec![], Sort::BOOL, bits[..1].to_vec())]);
    }
}

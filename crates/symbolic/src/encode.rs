//! From a netlist to functions: each gate becomes a diagram, once, and is forgotten after its last use.

use propcov_bdd::{Bdd, Manager, Stop};
use propcov_solve::aig::Gate;
use propcov_solve::{Aig, Bit};
use rustc_hash::FxHashMap;

/// The functions of some edges of a graph, in the order of the edges. `leaf` gives the function of each leaf that occurs.
pub(crate) fn functions(
    manager: &Manager,
    aig: &Aig,
    roots: &[Bit],
    leaf: &dyn Fn(usize) -> Bdd,
) -> Result<Vec<Bdd>, Stop> {
    let cone = cone(aig, roots);
    // How often each node is still needed.
    let mut uses: FxHashMap<usize, u32> = FxHashMap::default();
    for node in &cone {
        if let Gate::And(a, b) = aig.gate(*node) {
            *uses.entry(a.node()).or_default() += 1;
            *uses.entry(b.node()).or_default() += 1;
        }
    }
    for root in roots {
        *uses.entry(root.node()).or_default() += 1;
    }
    let mut functions: FxHashMap<usize, Bdd> = FxHashMap::default();
    for node in cone {
        let function = match aig.gate(node) {
            Gate::False => manager.constant(false),
            Gate::Leaf => leaf(node),
            Gate::And(a, b) => {
                let function = edge(&functions, a).and(&edge(&functions, b))?;
                for operand in [a.node(), b.node()] {
                    if let Some(count) = uses.get_mut(&operand) {
                        *count -= 1;
                        if *count == 0 {
                            functions.remove(&operand);
                        }
                    }
                }
                function
            }
        };
        functions.insert(node, function);
    }
    Ok(roots.iter().map(|root| edge(&functions, *root)).collect())
}

fn edge(functions: &FxHashMap<usize, Bdd>, bit: Bit) -> Bdd {
    let function = &functions[&bit.node()];
    if bit.is_negated() { !function } else { function.clone() }
}

/// The nodes that the edges depend on, operands first.
pub(crate) fn cone(aig: &Aig, roots: &[Bit]) -> Vec<usize> {
    let mut seen = fixedbitset::FixedBitSet::with_capacity(aig.len());
    let mut open: Vec<usize> = roots.iter().map(|root| root.node()).collect();
    while let Some(node) = open.pop() {
        if seen.put(node) {
            continue;
        }
        if let Gate::And(a, b) = aig.gate(node) {
            open.extend([a.node(), b.node()]);
        }
    }
    // Operands precede the nodes that use them.
    seen.ones().collect()
}

/// The leaves that an edge depends on.
pub(crate) fn leaves(aig: &Aig, root: Bit) -> Vec<usize> {
    cone(aig, &[root]).into_iter().filter(|node| aig.gate(*node) == Gate::Leaf).collect()
}

/// The conjuncts of an edge: those of a conjunction, taken apart as far as it goes.
pub(crate) fn conjuncts(aig: &Aig, root: Bit) -> Vec<Bit> {
    let mut conjuncts = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![root];
    while let Some(bit) = open.pop() {
        if !seen.insert(bit) {
            continue;
        }
        match aig.gate(bit.node()) {
            Gate::And(a, b) if !bit.is_negated() => open.extend([b, a]),
            _ => conjuncts.push(bit),
        }
    }
    conjuncts
}

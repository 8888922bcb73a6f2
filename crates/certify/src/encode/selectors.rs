//! One copy of a system for many mutants: each of them has a selector, a literal that is the same in all steps.
//!
//! The construction is the multiplexer of Chockler, Kroening and Purandare (*Coverage in interpolation-based model
//! checking*, DAC 2010, Fig. 1): where an element is defined, what others read is a new word r that equals the definition
//! unless a mutant of the element is selected. A cut then leaves r open, so that r itself is the paper's free input; a
//! mutant that is stuck at a constant makes r equal to it.
//!
//! **At most one selector is true.** The selectors are the leaves of a binary tree. A node is implied by its children, which
//! exclude each other: n selectors take n − 1 further literals and 3 (n − 1) clauses. That a node is false makes
//! everything below it false, by which a query turns off what it is not about in few literals.
//!
//! What others read of an array that is not a table is a choice between what is selected and the definition.
//!
//! A selector exists only once its element's definition has been encoded. As long as it does not, nothing that was encoded
//! depends on the element, and its mutants are the system as written.

use super::gates::Gates;
use super::word::Word;
use crate::Rejection;
use propcov_ir::{ElementId, Mutant, Mutation, Sort};
use propcov_sat::Lit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The mutations of each element that belong to a family.
pub(crate) type Mutations = FxHashMap<ElementId, Vec<Mutation>>;

/// The selectors of a family in one solver.
#[derive(Default)]
pub(crate) struct Selectors {
    family: Rc<Mutations>,
    leaves: FxHashMap<Mutant, usize>,
    nodes: Vec<Node>,
    /// The root of the tree.
    root: Option<usize>,
    /// Leaves that are not in the tree yet.
    loose: Vec<usize>,
}

struct Node {
    /// Implied by every selector below.
    literal: Lit,
    parent: Option<usize>,
    below: Below,
}

#[derive(Clone, Copy)]
enum Below {
    Mutant(Mutant),
    Nodes([usize; 2]),
}

/// Which mutants a query is about: under the assumption, exactly one of them is selected.
pub(crate) struct Selection {
    /// `None` if nothing can be selected anyway.
    pub(crate) assumption: Option<Lit>,
    /// Whether the assumption was made for this selection, so that it can be forgotten and more can be asked of it.
    own: bool,
}

impl Selectors {
    /// No selector yet for any of the mutants.
    pub(crate) fn new(family: Rc<Mutations>) -> Selectors {
        Selectors { family, ..Selectors::default() }
    }

    /// Whether there is nothing to select.
    pub(crate) fn is_empty(&self) -> bool {
        self.family.is_empty()
    }

    /// What others read of an element whose definition is this word.
    pub(crate) fn multiplexed(
        &mut self,
        gates: &mut Gates,
        element: ElementId,
        sort: &Sort,
        written: Word,
    ) -> Result<Word, Rejection> {
        let family = Rc::clone(&self.family);
        let Some(mutations) = family.get(&element) else { return Ok(written) };
        let mut mutants = Vec::with_capacity(mutations.len());
        for &mutation in mutations {
            let constant = match mutation {
                Mutation::Free => None,
                Mutation::Zero | Mutation::One => match mutation.constant(sort) {
                    Some(value) => Some(gates.constant_word(&value)?),
                    None => return Err(Rejection::Malformed(format!("{sort} has no {}", mutation.name()))),
                },
                Mutation::OffByOne | Mutation::Stale => {
                    return Err(Rejection::Unsupported(format!("{} in a family", mutation.name())));
                }
            };
            mutants.push((self.leaf(gates, Mutant { element, mutation }), constant));
        }
        let open = gates.fresh_word(sort)?;
        if written.is_term() {
            let mut read = written;
            for (selector, constant) in mutants {
                read = gates.mux_words(selector, &constant.unwrap_or_else(|| open.clone()), &read)?;
            }
            return Ok(read);
        }
        let mut by_bits: Vec<(Lit, Option<Vec<Lit>>)> = Vec::with_capacity(mutants.len());
        for (selector, constant) in mutants {
            by_bits.push((selector, constant.map(|constant| gates.literals(&constant)).transpose()?));
        }
        let truth = gates.constant(true);
        let (read, written) = (gates.literals(&open)?, gates.literals(&written)?);
        for (bit, (&read, &written)) in read.iter().zip(&written).enumerate() {
            // Selected mutants may make r true where the definition is false, or false where it is true.
            let (mut rise, mut fall) = (vec![!read, written], vec![read, !written]);
            for (selector, constant) in &by_bits {
                match constant {
                    None => {
                        rise.push(*selector);
                        fall.push(*selector);
                    }
                    Some(constant) => {
                        let value = constant[bit] == truth;
                        gates.clause(&[!*selector, read.negated_if(!value)]);
                        if value { rise.push(*selector) } else { fall.push(*selector) }
                    }
                }
            }
            gates.clause(&rise);
            gates.clause(&fall);
        }
        Ok(open)
    }

    fn leaf(&mut self, gates: &mut Gates, mutant: Mutant) -> Lit {
        let nodes = &mut self.nodes;
        let loose = &mut self.loose;
        let leaf = *self.leaves.entry(mutant).or_insert_with(|| {
            nodes.push(Node { literal: gates.fresh(), parent: None, below: Below::Mutant(mutant) });
            loose.push(nodes.len() - 1);
            nodes.len() - 1
        });
        nodes[leaf].literal
    }

    /// The selector of a mutant, if something that was encoded depends on its element.
    pub(crate) fn selector(&self, mutant: Mutant) -> Option<Lit> {
        self.leaves.get(&mutant).map(|leaf| self.nodes[*leaf].literal)
    }

    /// The mutant that is selected in the model of the last query, which was satisfiable.
    pub(crate) fn selected(&self, gates: &Gates) -> Option<Mutant> {
        let is_true = |node: &usize| gates.value(self.nodes[*node].literal) == Some(true);
        let mut node = self.root.filter(is_true)?;
        loop {
            match self.nodes[node].below {
                Below::Mutant(mutant) => return Some(mutant),
                Below::Nodes(children) => node = children.into_iter().find(is_true)?,
            }
        }
    }

    /// Puts new selectors into the tree; says whether there were any.
    pub(crate) fn exclude_each_other(&mut self, gates: &mut Gates) -> bool {
        let mut layer = std::mem::take(&mut self.loose);
        if layer.is_empty() {
            return false;
        }
        while layer.len() > 1 {
            layer = layer.chunks(2).map(|pair| self.join(gates, pair)).collect();
        }
        layer.extend(self.root);
        self.root = Some(self.join(gates, &layer));
        true
    }

    fn join(&mut self, gates: &mut Gates, nodes: &[usize]) -> usize {
        let &[left, right] = nodes else { return nodes[0] };
        let literal = gates.fresh();
        let (a, b) = (self.nodes[left].literal, self.nodes[right].literal);
        gates.clause(&[!a, literal]);
        gates.clause(&[!b, literal]);
        gates.clause(&[!a, !b]);
        let parent = self.nodes.len();
        self.nodes.push(Node { literal, parent: None, below: Below::Nodes([left, right]) });
        self.nodes[left].parent = Some(parent);
        self.nodes[right].parent = Some(parent);
        parent
    }

    /// Selects exactly one of the mutants. Those without a selector are all the same: none of the others is selected.
    pub(crate) fn select(&self, gates: &mut Gates, members: &[Mutant]) -> Selection {
        let selected: Vec<usize> =
            members.iter().filter_map(|mutant| self.leaves.get(mutant).copied()).collect();
        let all_have_one = selected.len() == members.len();
        match (&selected[..], all_have_one, self.root) {
            (_, _, None) => Selection { assumption: None, own: false },
            ([], _, Some(root)) => Selection { assumption: Some(!self.nodes[root].literal), own: false },
            (&[only], true, _) => Selection { assumption: Some(self.nodes[only].literal), own: false },
            (_, _, Some(_)) => {
                let selection = gates.fresh();
                if all_have_one {
                    let mut one_of = vec![!selection];
                    one_of.extend(selected.iter().map(|leaf| self.nodes[*leaf].literal));
                    gates.clause(&one_of);
                }
                self.turn_off_others(gates, selection, &selected);
                Selection { assumption: Some(selection), own: true }
            }
        }
    }

    /// Where all members have selectors this is implied, and shortens the search.
    fn turn_off_others(&self, gates: &mut Gates, selection: Lit, selected: &[usize]) {
        let mut above: FxHashSet<usize> = FxHashSet::default();
        for leaf in selected {
            let mut node = Some(*leaf);
            while let Some(here) = node.filter(|here| above.insert(*here)) {
                node = self.nodes[here].parent;
            }
        }
        // Not in the order of the hash table: runs are reproducible.
        let mut inner: Vec<usize> = above.iter().copied().collect();
        inner.sort_unstable();
        for node in inner {
            let Below::Nodes(children) = self.nodes[node].below else { continue };
            for child in children.into_iter().filter(|child| !above.contains(child)) {
                gates.clause(&[!selection, !self.nodes[child].literal]);
            }
        }
    }
}

impl Selection {
    /// Leaves out one of its mutants. Where it is the only one, nothing is left to be asked about.
    pub(crate) fn leave_out(&self, gates: &mut Gates, selector: Lit) {
        if let Some(selection) = self.assumption.filter(|_| self.own) {
            gates.clause(&[!selection, !selector]);
        }
    }

    /// Lets the solver forget it.
    pub(crate) fn forget(self, gates: &mut Gates) {
        if let Some(selection) = self.assumption.filter(|_| self.own) {
            gates.clause(&[!selection]);
        }
    }
}

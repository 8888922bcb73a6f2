//! The order of the variables of two models in one manager.
//!
//! Pairs of states are compared bit by bit, so what corresponds to each other had better be close (the interleaving of Katz, Grumberg and Geist 1999). Each model
//! brings the order that it was built in. What has the same name in both becomes neighbours; what has no counterpart stays behind its predecessor. Without
//! any common name, two orders are merged evenly, which for numbers of states is bit by bit.

use rustc_hash::FxHashMap;

/// Whose variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The concrete model, whose labels are changed.
    Implementation,
    /// The abstract model, which simulates the other one or does not.
    Specification,
}

/// What has variables: a bit of a state, or an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    /// The name of the signal and the position of the bit.
    pub(super) name: Option<(String, u32)>,
}

/// Which of them, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    State(usize),
    Input(usize),
}

/// All items of both, each side in an order of its own, in one order. Those of the implementation keep theirs.
pub(super) fn interleaved(implementation: &[Item], specification: &[Item]) -> Vec<(Side, ItemKind)> {
    let named = implementation.iter().enumerate();
    let named: FxHashMap<&(String, u32), usize> =
        named.filter_map(|(at, item)| Some((item.name.as_ref()?, at))).collect();
    let counterpart = |item: &Item| named.get(item.name.as_ref()?).copied();
    let has_common_names = specification.iter().any(|item| counterpart(item).is_some());
    // Behind which item of the implementation; 0 is before all of them.
    let mut behind: Vec<Vec<ItemKind>> = vec![Vec::new(); implementation.len() + 1];
    let mut last = 0;
    for (at, item) in specification.iter().enumerate() {
        last = match counterpart(item) {
            Some(position) => position + 1,
            None if has_common_names => last,
            // The same fraction of both orders, and the implementation first.
            None => at * implementation.len() / specification.len() + usize::from(!implementation.is_empty()),
        };
        behind[last].push(item.kind);
    }
    let mut order = Vec::with_capacity(implementation.len() + specification.len());
    for (at, followers) in behind.into_iter().enumerate() {
        if let Some(before) = at.checked_sub(1) {
            order.push((Side::Implementation, implementation[before].kind));
        }
        order.extend(followers.into_iter().map(|kind| (Side::Specification, kind)));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(names: &[Option<&str>]) -> Vec<Item> {
        let item = |(at, name): (usize, &Option<&str>)| Item {
            kind: ItemKind::State(at),
            name: name.map(|name| (name.to_owned(), 0)),
        };
        names.iter().enumerate().map(item).collect()
    }

    fn shown(implementation: &[Option<&str>], specification: &[Option<&str>]) -> String {
        let order = interleaved(&items(implementation), &items(specification));
        let parts = order.into_iter().map(|(side, kind)| {
            let ItemKind::State(at) = kind else { return String::new() };
            let prime = if side == Side::Specification { "'" } else { "" };
            format!("{at}{prime}")
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn equal_names_are_neighbours_and_others_follow_their_predecessor() {
        let order = shown(&[Some("a"), Some("b"), Some("c")], &[Some("c"), Some("x"), Some("a")]);
        assert_eq!(order, "0 2' 1 2 0' 1'");
        assert_eq!(shown(&[Some("a"), Some("b")], &[Some("x"), Some("b")]), "0' 0 1 1'");
    }

    #[test]
    fn without_common_names_both_orders_are_merged_evenly() {
        assert_eq!(shown(&[None; 4], &[None; 4]), "0 0' 1 1' 2 2' 3 3'");
        assert_eq!(shown(&[None; 4], &[None; 2]), "0 0' 1 2 1' 3");
        assert_eq!(shown(&[None; 2], &[None; 4]), "0 0' 1' 1 2' 3'");
        assert_eq!(shown(&[], &[None; 2]), "0' 1'");
    }
}

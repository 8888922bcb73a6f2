//! Sets of elements, which compare, hash and print by what is in them.

use crate::ElementId;
use fixedbitset::FixedBitSet;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A set of elements of one system. Sets with the same elements are equal, whatever was in them before.
#[derive(Clone, Default)]
pub struct ElementSet(FixedBitSet);

/// The elements, and nothing of how they are kept: equal sets look the same.
impl fmt::Debug for ElementSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|element| element.0)).finish()
    }
}

impl PartialEq for ElementSet {
    fn eq(&self, other: &ElementSet) -> bool {
        self.0.is_subset(&other.0) && other.0.is_subset(&self.0)
    }
}

impl Eq for ElementSet {}

impl Hash for ElementSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.ones().for_each(|index| index.hash(state));
    }
}

impl PartialOrd for ElementSet {
    fn partial_cmp(&self, other: &ElementSet) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By size, then by elements in order: the order in which reports list sets.
impl Ord for ElementSet {
    fn cmp(&self, other: &ElementSet) -> Ordering {
        self.len().cmp(&other.len()).then_with(|| self.0.ones().cmp(other.0.ones()))
    }
}

impl ElementSet {
    /// The empty set.
    pub fn new() -> ElementSet {
        ElementSet::default()
    }

    /// Adds an element; says whether it was new.
    pub fn insert(&mut self, element: ElementId) -> bool {
        self.0.grow(element.0 as usize + 1);
        !self.0.put(element.0 as usize)
    }

    /// Removes an element.
    pub fn remove(&mut self, element: ElementId) {
        if self.contains(element) {
            self.0.set(element.0 as usize, false);
        }
    }

    /// Whether the element is in the set.
    pub fn contains(&self, element: ElementId) -> bool {
        self.0.contains(element.0 as usize)
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = ElementId> + '_ {
        self.0.ones().map(|index| ElementId(index as u32))
    }

    /// Whether all elements are in the other set.
    pub fn is_subset(&self, other: &ElementSet) -> bool {
        self.0.is_subset(&other.0)
    }

    /// The elements of either set.
    pub fn union(&self, other: &ElementSet) -> ElementSet {
        let mut set = self.clone();
        set.0.union_with(&other.0);
        set
    }

    /// The elements of both sets.
    pub fn intersection(&self, other: &ElementSet) -> ElementSet {
        let mut set = self.clone();
        set.0.intersect_with(&other.0);
        set
    }

    /// The elements that the other set does not have.
    pub fn difference(&self, other: &ElementSet) -> ElementSet {
        let mut set = self.clone();
        set.0.difference_with(&other.0);
        set
    }

    /// The set with one element more.
    #[must_use]
    pub fn with(&self, element: ElementId) -> ElementSet {
        let mut set = self.clone();
        set.insert(element);
        set
    }

    /// The set without an element.
    #[must_use]
    pub fn without(&self, element: ElementId) -> ElementSet {
        let mut set = self.clone();
        set.remove(element);
        set
    }

    /// How many elements the set has.
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }
}

impl Extend<ElementId> for ElementSet {
    fn extend<T: IntoIterator<Item = ElementId>>(&mut self, iter: T) {
        for element in iter {
            self.insert(element);
        }
    }
}

impl FromIterator<ElementId> for ElementSet {
    fn from_iter<T: IntoIterator<Item = ElementId>>(iter: T) -> ElementSet {
        let mut set = ElementSet::new();
        set.extend(iter);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(elements: &[u32]) -> ElementSet {
        elements.iter().copied().map(ElementId).collect()
    }

    #[test]
    fn sets_are_equal_whatever_was_in_them_before() {
        use std::collections::HashSet;
        let mut shrunk = set(&[1, 70]);
        shrunk.remove(ElementId(70));
        assert_eq!(shrunk, set(&[1]));
        assert_eq!(HashSet::from([shrunk, set(&[1])]).len(), 1);
    }

    #[test]
    fn equal_sets_have_the_same_text() {
        let mut shrunk = set(&[1, 3, 70]);
        shrunk.remove(ElementId(70));
        assert_eq!(format!("{shrunk:?}"), "{1, 3}");
        assert_eq!(format!("{:?}", set(&[])), "{}");
    }

    #[test]
    fn small_sets_come_first() {
        let mut sets = vec![set(&[2, 90]), set(&[1, 5]), set(&[7]), set(&[])];
        sets.sort();
        assert_eq!(sets, [set(&[]), set(&[7]), set(&[1, 5]), set(&[2, 90])]);
    }

    #[test]
    fn operations_do_not_depend_on_capacity() {
        let (small, large) = (set(&[0, 1]), set(&[1, 200]));
        assert_eq!(small.union(&large), set(&[0, 1, 200]));
        assert_eq!(small.intersection(&large), set(&[1]));
        assert_eq!(large.intersection(&small), set(&[1]));
        assert_eq!(large.difference(&small), set(&[200]));
        assert_eq!(small.difference(&large), set(&[0]));
        assert!(set(&[1]).is_subset(&large) && !large.is_subset(&small));
    }
}

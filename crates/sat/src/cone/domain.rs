//! Sets of variables that a query decides.

use crate::Var;

/// A set of variables: a list in order of insertion, and a bit per variable. Building, joining and emptying cost in
/// proportion to the members, not to the variables of the solver.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    members: Vec<Var>,
    present: Vec<u64>,
}

impl Domain {
    /// The empty set.
    pub fn new() -> Domain {
        Domain::default()
    }

    /// Adds a variable; tells whether it is new.
    pub fn insert(&mut self, var: Var) -> bool {
        let (word, bit) = (var.index() / 64, 1 << (var.index() % 64));
        if word >= self.present.len() {
            self.present.resize(word + 1, 0);
        }
        let is_new = self.present[word] & bit == 0;
        if is_new {
            self.present[word] |= bit;
            self.members.push(var);
        }
        is_new
    }

    /// Whether the variable is a member.
    pub fn contains(&self, var: Var) -> bool {
        self.present.get(var.index() / 64).is_some_and(|word| word >> (var.index() % 64) & 1 != 0)
    }

    /// Adds all members of another set.
    pub fn union_with(&mut self, other: &Domain) {
        for &var in &other.members {
            self.insert(var);
        }
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        for var in self.members.drain(..) {
            self.present[var.index() / 64] = 0;
        }
    }

    /// The members, in order of insertion.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Var> {
        self.members.iter().copied()
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl Extend<Var> for Domain {
    fn extend<I: IntoIterator<Item = Var>>(&mut self, variables: I) {
        for var in variables {
            self.insert(var);
        }
    }
}

impl FromIterator<Var> for Domain {
    fn from_iter<I: IntoIterator<Item = Var>>(variables: I) -> Domain {
        let mut domain = Domain::new();
        domain.extend(variables);
        domain
    }
}

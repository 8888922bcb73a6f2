//! Paths of instances: where in a hierarchy something is.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The path of an instance from the top of a design, such as `cpu.alu`. The names in it may have dots themselves.
///
/// All that is in one instance shares one copy of the path, and instances share the path of the one that they are in: hierarchies may be thousands of
/// levels deep.
#[derive(Clone, Default)]
pub struct Scope(Option<Arc<Instance>>);

struct Instance {
    outer: Scope,
    name: String,
}

impl Scope {
    /// The top, and the only scope of a format without instances.
    pub const TOP: Scope = Scope(None);

    /// The instance of this name in an instance.
    #[must_use]
    pub fn child(&self, name: impl Into<String>) -> Scope {
        Scope(Some(Arc::new(Instance { outer: self.clone(), name: name.into() })))
    }

    /// The names of the instances on the way, the outermost first.
    pub fn path(&self) -> Vec<&str> {
        let mut path: Vec<&str> = self.outwards().map(|instance| instance.name.as_str()).collect();
        path.reverse();
        path
    }

    /// The instance, the one that it is in, and so on.
    fn outwards(&self) -> impl Iterator<Item = &Instance> {
        std::iter::successors(self.0.as_deref(), |instance| instance.outer.0.as_deref())
    }

    /// Whether this is the top.
    pub fn is_top(&self) -> bool {
        self.0.is_none()
    }

    /// The instance that this one is in; none for the top.
    pub fn parent(&self) -> Option<Scope> {
        self.0.as_ref().map(|instance| instance.outer.clone())
    }

    /// Whether something here is in the other instance, directly or further down.
    pub fn is_within(&self, other: &Scope) -> bool {
        self.path().starts_with(&other.path())
    }

    fn is_same(&self, other: &Scope) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl PartialEq for Scope {
    fn eq(&self, other: &Scope) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scope {}

impl PartialOrd for Scope {
    fn partial_cmp(&self, other: &Scope) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Name by name, the outermost first.
impl Ord for Scope {
    fn cmp(&self, other: &Scope) -> Ordering {
        if self.is_same(other) { Ordering::Equal } else { self.path().cmp(&other.path()) }
    }
}

impl Hash for Scope {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.path().hash(state);
    }
}

/// One after the other: the path may be longer than the stack is deep.
impl Drop for Instance {
    fn drop(&mut self) {
        let mut outer = self.outer.0.take();
        while let Some(mut instance) = outer.and_then(Arc::into_inner) {
            outer = instance.outer.0.take();
        }
    }
}

/// With dots.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path().join("."))
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scope({:?})", self.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_is_within_those_it_is_in() {
        let cpu = Scope::TOP.child("cpu");
        let alu = cpu.child("alu");
        assert_eq!((Scope::TOP.to_string(), alu.to_string()), (String::new(), "cpu.alu".to_owned()));
        assert!(alu.is_within(&cpu) && alu.is_within(&alu) && alu.is_within(&Scope::TOP));
        assert!(!cpu.is_within(&alu) && !Scope::TOP.child("cp").is_within(&cpu));
        assert_eq!((alu.parent(), cpu.parent(), Scope::TOP.parent()), (Some(cpu), Some(Scope::TOP), None));
    }

    #[test]
    fn dots_in_names_are_no_steps_of_the_path() {
        let escaped = Scope::TOP.child("a.b");
        assert_ne!(escaped, Scope::TOP.child("a").child("b"));
        assert_eq!(escaped.parent(), Some(Scope::TOP));
    }

    #[test]
    fn a_hierarchy_may_be_deeper_than_the_stack() {
        let deep = (0..1_000_000).fold(Scope::TOP, |scope, _| scope.child("u"));
        assert_eq!(deep.path().len(), 1_000_000);
        assert!(deep.clone() == deep && deep.parent().is_some_and(|outer| outer < deep));
    }

    #[test]
    fn there_is_one_top() {
        assert_eq!(Scope::default(), Scope::TOP);
        assert!(Scope::TOP.is_top() && !Scope::TOP.child("").is_top());
    }
}

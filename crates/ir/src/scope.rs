//! Paths of instances: where in a hierarchy something is.

use std::fmt;
use std::sync::Arc;

/// The path of an instance from the top of a design, such as `cpu.alu`. The names in it may have dots themselves.
///
/// All that is in one instance shares one copy of the path.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope(Option<Arc<[String]>>);

impl Scope {
    /// The top, and the only scope of a format without instances.
    pub const TOP: Scope = Scope(None);

    /// The instance of this name in an instance.
    #[must_use]
    pub fn child(&self, name: impl Into<String>) -> Scope {
        Scope(Some(self.path().iter().cloned().chain([name.into()]).collect()))
    }

    /// The names of the instances on the way, the outermost first.
    pub fn path(&self) -> &[String] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether this is the top.
    pub fn is_top(&self) -> bool {
        self.path().is_empty()
    }

    /// The instance that this one is in; none for the top.
    pub fn parent(&self) -> Option<Scope> {
        let (_, outer) = self.path().split_last()?;
        Some(Scope((!outer.is_empty()).then(|| outer.into())))
    }

    /// Whether something here is in the other instance, directly or further down.
    pub fn is_within(&self, other: &Scope) -> bool {
        self.path().starts_with(other.path())
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
    fn there_is_one_top() {
        assert_eq!(Scope::default(), Scope::TOP);
        assert!(Scope::TOP.is_top() && !Scope::TOP.child("").is_top());
    }
}

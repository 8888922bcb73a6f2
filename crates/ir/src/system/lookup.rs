//! What a name stands for. A name comes before an alias, whoever has it.

use super::{Output, System};
use crate::{Element, ElementId, ExprId, Node, PropertyId, Signal, SignalId, Site, UnaryOp};

impl System {
    /// The signal with this name or alias.
    pub fn signal_named(&self, name: &str) -> Option<SignalId> {
        let position = |is_it: &dyn Fn(&Signal) -> bool| self.signals.iter().position(is_it);
        let found = position(&|signal| signal.name == name)
            .or_else(|| position(&|signal| signal.aliases.iter().any(|alias| alias == name)))?;
        Some(SignalId(found as u32))
    }

    /// The output with this name.
    pub fn output_named(&self, name: &str) -> Option<&Output> {
        self.outputs.iter().find(|output| output.name == name)
    }

    /// The property with this name.
    pub fn property_named(&self, name: &str) -> Option<PropertyId> {
        let found = self.properties.iter().position(|property| property.name == name)?;
        Some(PropertyId(found as u32))
    }

    /// The element with this name, or that says what the signal with this alias is.
    pub fn element_named(&self, name: &str) -> Option<ElementId> {
        let has_alias = |element: &Element| self.aliases_of(element).iter().any(|alias| alias == name);
        let found = (self.elements.iter().position(|element| element.name == name))
            .or_else(|| self.elements.iter().position(has_alias))?;
        Some(ElementId(found as u32))
    }

    /// All names of an element, its own first.
    pub fn names_of(&self, element: ElementId) -> impl Iterator<Item = &str> {
        let element = self.element(element);
        std::iter::once(&element.name).chain(self.aliases_of(element)).map(String::as_str)
    }

    /// The other names of what an element defines. An initial value is not what its signal is called after.
    fn aliases_of(&self, element: &Element) -> &[String] {
        match element.site {
            Site::Wire(signal) | Site::Next(signal) => &self.signal(signal).aliases,
            Site::Init(_) | Site::Constraint(_) => &[],
        }
    }

    /// The element that says what an output is: the definition of the wire, or the next value of the register, that the
    /// output is or is the negation of. None for an output that is an input, a constant or an expression of several signals.
    pub fn element_driving(&self, output: &str) -> Option<ElementId> {
        let signal = self.driver(self.output_named(output)?.expr)?;
        self.element_at(Site::Wire(signal)).or_else(|| self.element_at(Site::Next(signal)))
    }

    /// The signal that an expression is, or is the negation of.
    pub(crate) fn driver(&self, mut expr: ExprId) -> Option<SignalId> {
        loop {
            match self.exprs.node(expr) {
                Node::Unary(UnaryOp::Not, operand) => expr = *operand,
                Node::Signal(signal) => return Some(*signal),
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{ElementKind, Output, Site, Sort, System};

    #[test]
    fn names_come_before_aliases_and_both_are_found() {
        let mut system = System::new();
        let first = system.add_state("beats[0]", Sort::BOOL);
        let second = system.add_state("full", Sort::BOOL);
        for (state, name) in [(first, "beats[0]"), (second, "full")] {
            let read = system.read(state);
            system.set_next(state, read);
            system.add_element(format!("{name}.init"), ElementKind::Init, Site::Init(state), None);
            system.add_element(name, ElementKind::Register, Site::Next(state), None);
        }
        for alias in ["cnt[0]", "full", "beats[0]", "cnt[0]"] {
            system.add_alias(first, alias);
        }
        assert_eq!(system.signal(first).aliases, ["cnt[0]", "full"]);
        assert_eq!(system.signal_named("cnt[0]"), Some(first));
        assert_eq!(system.signal_named("full"), Some(second));
        assert_eq!(system.signal_named("cnt"), None);
        let element = |name| system.element_named(name).map(|id| system.element(id).site);
        assert_eq!(element("cnt[0]"), Some(Site::Next(first)));
        assert_eq!(element("full"), Some(Site::Next(second)));
        assert_eq!(element("full.init"), Some(Site::Init(second)));
        assert_eq!(element("cnt[1]"), None);
        let id = system.element_named("beats[0]").expect("an element");
        assert_eq!(system.names_of(id).collect::<Vec<_>>(), ["beats[0]", "cnt[0]", "full"]);
    }

    #[test]
    fn an_output_leads_to_what_drives_it() {
        let mut system = System::new();
        let input = system.add_input("in", Sort::BOOL);
        let state = system.add_state("q", Sort::BOOL);
        let (i, q) = (system.read(input), system.read(state));
        system.set_next(state, i);
        let both = system.exprs.and(i, q);
        let wire = system.add_wire("both", both);
        let w = system.read(wire);
        let inverted = system.exprs.not(w);
        let register = system.add_element("q", ElementKind::Register, Site::Next(state), None);
        let gate = system.add_element("both", ElementKind::Gate, Site::Wire(wire), None);
        for (name, expr) in [("a", q), ("b", inverted), ("c", i), ("d", both)] {
            system.outputs.push(Output { name: name.to_owned(), expr });
        }
        let found: Vec<_> = ["a", "b", "c", "d", "e"].map(|name| system.element_driving(name)).into();
        assert_eq!(found, [Some(register), Some(gate), None, None, None]);
    }
}

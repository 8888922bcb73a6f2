//! What a state of a system is called wherever people read of it: in lists of states, among what is not covered, and in complaints.

use crate::{Origin, System, Value};

/// Words of more bits than this are hexadecimal.
const DECIMAL: u32 = 16;

impl System {
    /// The name of the state in which the states of the system have these values, in their order: `place=busy,
    /// full=TRUE`. What a front end added is left out, so different states may have one name.
    pub fn state_name(&self, values: &[Value]) -> String {
        let states = self.states().iter().map(|state| self.signal(*state));
        let known = states.zip(values).filter(|(state, _)| state.origin == Origin::User);
        let parts: Vec<String> =
            known.map(|(state, value)| format!("{}={}", state.name, value.written())).collect();
        if parts.is_empty() { "state".to_owned() } else { parts.join(", ") }
    }
}

impl Value {
    /// As SMV has it. Wide words are hexadecimal, as in products of uncovered states.
    pub fn written(&self) -> String {
        match self {
            Value::Bits(bits) if bits.width() == 1 => {
                if bits.is_nonzero() { "TRUE" } else { "FALSE" }.to_owned()
            }
            Value::Bits(bits) if bits.width() <= DECIMAL => bits.unsigned().to_string(),
            Value::Bits(bits) => format!("{:#x}", bits.unsigned()),
            Value::Array(array) => {
                let elements = array
                    .elements()
                    .map(|(index, value)| format!("{}: {}", index.written(), value.written()));
                let rest = format!("else: {}", array.default_value().written());
                format!("[{}]", elements.chain([rest]).collect::<Vec<_>>().join(", "))
            }
            other => other.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArraySort, ArrayValue, Bits, EnumSort, Sort};
    use std::sync::Arc;

    #[test]
    fn values_are_written_as_in_smv() {
        let word = |width, value| Value::Bits(Bits::from_u64(width, value));
        assert_eq!([word(1, 0).written(), word(1, 1).written()], ["FALSE", "TRUE"]);
        assert_eq!([word(2, 1).written(), word(16, 65_535).written()], ["1", "65535"]);
        assert_eq!(word(17, 65_535).written(), "0xffff");
        let variants = vec!["idle".to_owned(), "busy".to_owned()];
        let places = Arc::new(EnumSort { name: "place".to_owned(), variants });
        assert_eq!(Value::Enum(places, 1).written(), "busy");
        let sort = Arc::new(ArraySort { index: Sort::BitVec(2), element: Sort::BOOL });
        let mut memory = ArrayValue::constant(sort, Value::bool(false));
        memory.write(Bits::from_u64(2, 3), Value::bool(true));
        assert_eq!(Value::Array(memory).written(), "[3: TRUE, else: FALSE]");
    }

    #[test]
    fn a_state_is_named_by_what_the_user_wrote() {
        let mut system = System::new();
        for name in ["pre x", "%first"] {
            let helper = system.add_state(name, Sort::BOOL);
            system.set_origin(helper, Origin::Helper);
        }
        let values = |count: usize| vec![Value::bool(true); count];
        assert_eq!(system.state_name(&values(2)), "state");
        system.add_state("count", Sort::BitVec(3));
        system.add_state("full", Sort::BOOL);
        let mut all = values(4);
        all[2] = Value::Bits(Bits::from_u64(3, 5));
        assert_eq!(system.state_name(&all), "count=5, full=TRUE");
        // How a name is spelt says nothing.
        system.add_state("pre y", Sort::BOOL);
        all.push(Value::bool(false));
        assert_eq!(system.state_name(&all), "count=5, full=TRUE, pre y=FALSE");
    }
}

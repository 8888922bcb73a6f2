//! How many: a natural number without limit.

use dashu_int::UBig;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// A number of mutants, elements, states, transitions or labels. In JSON it is a decimal string: states may be more than 2⁶⁴.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count(UBig);

impl Count {
    /// None at all.
    pub const ZERO: Count = Count(UBig::ZERO);

    /// Whether there is none.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Whether there is exactly one.
    pub fn is_one(&self) -> bool {
        self.0.is_one()
    }

    /// The number itself.
    pub fn number(&self) -> &UBig {
        &self.0
    }

    /// The number, if it is one of a few.
    pub fn to_usize(&self) -> Option<usize> {
        usize::try_from(&self.0).ok()
    }
}

impl From<usize> for Count {
    fn from(count: usize) -> Count {
        Count(count.into())
    }
}

impl From<u64> for Count {
    fn from(count: u64) -> Count {
        Count(count.into())
    }
}

impl From<UBig> for Count {
    fn from(count: UBig) -> Count {
        Count(count)
    }
}

impl Add for &Count {
    type Output = Count;

    fn add(self, other: &Count) -> Count {
        Count(&self.0 + &other.0)
    }
}

/// What is left; none if the other is more.
impl Sub for &Count {
    type Output = Count;

    fn sub(self, other: &Count) -> Count {
        if self.0 > other.0 { Count(&self.0 - &other.0) } else { Count::ZERO }
    }
}

impl AddAssign<&Count> for Count {
    fn add_assign(&mut self, other: &Count) {
        self.0 += &other.0;
    }
}

impl AddAssign<usize> for Count {
    fn add_assign(&mut self, other: usize) {
        self.0 += UBig::from(other);
    }
}

impl<'a> Sum<&'a Count> for Count {
    fn sum<I: Iterator<Item = &'a Count>>(counts: I) -> Count {
        counts.fold(Count::ZERO, |sum, count| &sum + count)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if is_plain { UBig::from_str_radix(&text, 10).ok() } else { None };
        number
            .map(Count)
            .ok_or_else(|| de::Error::custom(format!("expected a number in decimal, found `{text}`")))
    }
}

impl JsonSchema for Count {
    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]+$",
            "description": "A natural number in decimal, as text: numbers of states pass 2^64."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_machine_words_survive_json() {
        let large = Count(UBig::ONE << 200);
        let text = serde_json::to_string(&large).expect("written");
        assert_eq!(text, format!("\"{}\"", UBig::ONE << 200));
        assert_eq!(serde_json::from_str::<Count>(&text).expect("read"), large);
    }

    #[test]
    fn what_is_no_decimal_number_is_refused() {
        for wrong in ["\"\"", "\"-1\"", "\"+1\"", "\"1_0\"", "\"0x1\"", "\"1.0\"", "1"] {
            assert!(serde_json::from_str::<Count>(wrong).is_err(), "{wrong} was accepted");
        }
    }
}

//! The values of one signal in several steps, in one string where they are bit-vectors: most designs are made of these, and runs are long.

use crate::error::Malformed;
use crate::value::{value_from_json, value_to_json};
use propcov_ir::{Bits, Sort, Value};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// Values of one sort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Packed {
    /// Bit-vectors: their bits one after the other, the most significant one of each first, as hexadecimal digits. The last one may have bits that mean nothing.
    Bits(String),
    /// One by one.
    Values(Vec<Json>),
}

impl Packed {
    /// These values.
    pub(crate) fn new<'v>(sort: &Sort, values: impl Iterator<Item = &'v Value>) -> Packed {
        if sort.width().is_none() {
            return Packed::Values(values.map(value_to_json).collect());
        }
        let bits = values.filter_map(Value::as_bits);
        let bits = bits.flat_map(|bits| (0..bits.width()).rev().map(move |index| bits.bit(index)));
        let (mut text, mut digit, mut count) = (String::new(), 0, 0u32);
        for bit in bits {
            digit = digit << 1 | u32::from(bit);
            count += 1;
            if count.is_multiple_of(4) {
                text.extend(char::from_digit(digit, 16));
                digit = 0;
            }
        }
        let missing = count.next_multiple_of(4) - count;
        if missing > 0 {
            text.extend(char::from_digit(digit << missing, 16));
        }
        Packed::Bits(text)
    }

    /// So many values of a sort.
    pub(crate) fn values(&self, sort: &Sort, count: usize) -> Result<Vec<Value>, Malformed> {
        let wrong = || Malformed::new(format!("these are not {count} values of sort {sort}"));
        match (self, sort.width()) {
            (Packed::Bits(text), Some(width)) => {
                let width = width as usize;
                let bits = count.checked_mul(width).ok_or_else(wrong)?;
                if text.len() != bits.div_ceil(4) {
                    return Err(wrong());
                }
                let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
                let digits = digits.ok_or_else(wrong)?;
                let bit = |at: usize| digits[at / 4] >> (3 - at % 4) & 1 == 1;
                let value =
                    |at: usize| Bits::from_bits((0..width).rev().map(|index| bit(at * width + index)));
                Ok((0..count).map(|at| Value::Bits(value(at))).collect())
            }
            (Packed::Values(values), None) if values.len() == count => {
                let values = values.iter().map(value_from_json).collect::<Result<Vec<_>, _>>()?;
                if values.iter().all(|value| value.has_sort(sort)) { Ok(values) } else { Err(wrong()) }
            }
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_testkit::{Random, random_value};

    #[test]
    fn values_are_read_as_they_were_written() {
        let mut random = Random::new(3);
        let memory = Sort::array(Sort::BitVec(2), Sort::BitVec(3));
        for sort in [Sort::BOOL, Sort::BitVec(3), Sort::BitVec(4), Sort::BitVec(70), memory, Sort::Int] {
            for count in 0..9 {
                let values: Vec<Value> = (0..count).map(|_| random_value(&mut random, &sort)).collect();
                let packed = Packed::new(&sort, values.iter());
                assert_eq!(packed.values(&sort, count), Ok(values.clone()), "{sort}");
                let text = serde_json::to_string(&packed).expect("JSON");
                assert_eq!(serde_json::from_str::<Packed>(&text).expect("JSON"), packed);
                assert!(packed.values(&sort, count + 5).is_err());
            }
        }
        let values = [1u64, 0, 1, 1, 1].map(|bit| Value::Bits(Bits::from_u64(1, bit)));
        assert_eq!(Packed::new(&Sort::BOOL, values.iter()), Packed::Bits("b8".to_owned()));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let bits = |text: &str| Packed::Bits(text.to_owned());
        assert!(bits("g").values(&Sort::BOOL, 4).is_err());
        assert!(bits("ä").values(&Sort::BOOL, 8).is_err());
        assert!(bits("f").values(&Sort::BitVec(u32::MAX), usize::MAX).is_err());
        assert!(bits("f").values(&Sort::Int, 1).is_err());
        assert!(Packed::Values(Vec::new()).values(&Sort::BOOL, 0).is_err());
    }
}

//! Values and sorts as JSON. Every value says what sort it has, so that expressions can be read without looking elsewhere.

use crate::error::Malformed;
use dashu_int::IBig;
use dashu_ratio::RBig;
use propcov_ir::{ArrayValue, Bits, EnumSort, Sort, Value};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The widest bit-vector that is read: nobody should have to pay for a number in a damaged file.
pub(crate) const WIDEST: u32 = 1 << 24;

/// A sort.
pub(crate) fn sort_to_json(sort: &Sort) -> Json {
    match sort {
        Sort::BitVec(width) => json!(width),
        Sort::Int => json!("int"),
        Sort::Real => json!("real"),
        Sort::Array(array) => {
            json!({ "array": [sort_to_json(&array.index), sort_to_json(&array.element)] })
        }
        Sort::Enum(sort) => json!({ "enum": sort.name, "variants": sort.variants }),
    }
}

/// The sort that was written.
pub(crate) fn sort_from_json(json: &Json) -> Result<Sort, Malformed> {
    let unknown = || Malformed::new(format!("{json} is no sort"));
    match json {
        Json::Number(width) => {
            let width = width.as_u64().and_then(|width| u32::try_from(width).ok());
            width.filter(|width| (1..=WIDEST).contains(width)).map(Sort::BitVec).ok_or_else(unknown)
        }
        Json::String(name) if name == "int" => Ok(Sort::Int),
        Json::String(name) if name == "real" => Ok(Sort::Real),
        Json::Object(fields) => match (fields.get("array"), fields.get("enum"), fields.get("variants")) {
            (Some(Json::Array(sorts)), None, None) => match sorts.as_slice() {
                [index, element] => Ok(Sort::array(sort_from_json(index)?, sort_from_json(element)?)),
                _ => Err(unknown()),
            },
            (None, Some(Json::String(name)), Some(variants)) => {
                let variants: Vec<String> =
                    serde_json::from_value(variants.clone()).map_err(|_| unknown())?;
                Ok(Sort::Enum(Arc::new(EnumSort { name: name.clone(), variants })))
            }
            _ => Err(unknown()),
        },
        _ => Err(unknown()),
    }
}

/// A value.
pub(crate) fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Bits(bits) => json!(bits.to_string()),
        Value::Int(value) => json!({ "int": value.to_string() }),
        Value::Real(value) => json!({ "real": value.to_string() }),
        Value::Enum(sort, position) => {
            json!({ "enum": sort.name, "variants": sort.variants, "position": position })
        }
        Value::Array(array) => {
            let sort = array.sort();
            let elements: Vec<Json> = array
                .elements()
                .map(|(index, value)| json!([value_to_json(index), value_to_json(value)]))
                .collect();
            json!({
                "array": [sort_to_json(&sort.index), sort_to_json(&sort.element)],
                "default": value_to_json(array.default_value()),
                "elements": elements,
            })
        }
    }
}

/// The value that was written.
pub(crate) fn value_from_json(json: &Json) -> Result<Value, Malformed> {
    let unknown = || Malformed::new(format!("{json} is no value"));
    let fields = match json {
        Json::String(bits) => return Ok(Value::Bits(bits_from_text(bits)?)),
        Json::Object(fields) => fields,
        _ => return Err(unknown()),
    };
    let text = |name: &str| fields.get(name).and_then(Json::as_str);
    if let Some(number) = text("int") {
        return number.parse::<IBig>().map(Value::Int).map_err(|_| unknown());
    }
    if let Some(number) = text("real") {
        // The library reads 1/0 without a complaint.
        let number = number.parse::<RBig>().ok().filter(|number| !number.denominator().is_zero());
        return number.map(Value::Real).ok_or_else(unknown);
    }
    let value = match (fields.get("array"), fields.get("position").and_then(Json::as_u64)) {
        (None, Some(position)) => match sort_from_json(&without(fields, "position"))? {
            Sort::Enum(sort) => Value::Enum(sort, u32::try_from(position).map_err(|_| unknown())?),
            _ => return Err(unknown()),
        },
        (Some(sorts), None) => {
            let Sort::Array(sort) = sort_from_json(&json!({ "array": sorts }))? else {
                return Err(unknown());
            };
            let default = value_from_json(fields.get("default").ok_or_else(unknown)?)?;
            let elements = fields.get("elements").and_then(Json::as_array).ok_or_else(unknown)?;
            let mut array = ArrayValue::constant(sort, default);
            for element in elements {
                let Some([index, value]) = element.as_array().map(Vec::as_slice) else {
                    return Err(unknown());
                };
                array.write(value_from_json(index)?, value_from_json(value)?);
            }
            Value::Array(array)
        }
        _ => return Err(unknown()),
    };
    if value.has_sort(&value.sort()) { Ok(value) } else { Err(unknown()) }
}

fn without(fields: &serde_json::Map<String, Json>, name: &str) -> Json {
    let mut fields = fields.clone();
    fields.remove(name);
    Json::Object(fields)
}

/// A bit-vector, most significant bit first.
pub(crate) fn bits_from_text(text: &str) -> Result<Bits, Malformed> {
    let fits = !text.is_empty()
        && text.len() <= WIDEST as usize
        && text.bytes().all(|digit| digit == b'0' || digit == b'1');
    if !fits {
        return Err(Malformed::new(format!("`{text}` is no bit-vector")));
    }
    Ok(Bits::from_bits(text.bytes().rev().map(|digit| digit == b'1')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_testkit::{Random, random_value};

    fn sorts() -> Vec<Sort> {
        let variants = vec!["idle".to_owned(), "busy".to_owned(), "done".to_owned()];
        let state = Sort::Enum(Arc::new(EnumSort { name: "state".to_owned(), variants }));
        let memory = Sort::array(Sort::BitVec(3), Sort::BitVec(70));
        let nested = Sort::array(Sort::BitVec(2), Sort::array(Sort::BitVec(1), state.clone()));
        vec![Sort::BOOL, Sort::BitVec(65), state, memory, nested, Sort::Int, Sort::Real]
    }

    #[test]
    fn every_value_is_read_as_it_was_written() {
        let mut random = Random::new(1);
        for sort in sorts() {
            assert_eq!(sort_from_json(&sort_to_json(&sort)), Ok(sort.clone()));
            for _ in 0..50 {
                let value = random_value(&mut random, &sort);
                assert_eq!(value_from_json(&value_to_json(&value)), Ok(value));
            }
        }
        for number in ["-170141183460469231731687303715884105729", "0", "3"] {
            let value = Value::Int(number.parse().expect("a number"));
            assert_eq!(value_from_json(&value_to_json(&value)), Ok(value));
        }
        for number in ["-1/3", "0", "22/7"] {
            let value = Value::Real(number.parse().expect("a number"));
            assert_eq!(value_from_json(&value_to_json(&value)), Ok(value));
        }
    }

    #[test]
    fn what_is_no_value_is_an_error() {
        for text in [
            "\"\"",
            "\"012\"",
            "3",
            "null",
            "{}",
            "{\"int\":\"x\"}",
            "{\"real\":\"1/0\"}",
            "{\"enum\":\"e\",\"variants\":[\"a\"],\"position\":1}",
            "{\"array\":[1,2],\"default\":\"0\",\"elements\":[]}",
            "{\"array\":[1,1],\"default\":\"0\",\"elements\":[[\"00\",\"1\"]]}",
            "{\"array\":[1,99999999999],\"default\":\"0\",\"elements\":[]}",
        ] {
            let json: Json = serde_json::from_str(text).expect("JSON");
            assert!(value_from_json(&json).is_err(), "{text}");
        }
    }
}

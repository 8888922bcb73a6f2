//! The order in which people expect names: `V9` before `V10`.

use std::cmp::Ordering;

/// Compares names, numbers in them by value.
pub(crate) fn compare(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (pieces(left).into_iter(), pieces(right).into_iter());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(one), Some(other)) => match one.cmp(&other) {
                Ordering::Equal => {}
                different => return different,
            },
        }
    }
}

/// A number without leading zeros (longer is larger; then the text itself), or a character.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'a> {
    Number(usize, &'a str),
    Other(char),
}

fn pieces(name: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            pieces.push(Piece::Other(first));
            rest = &rest[first.len_utf8()..];
        } else {
            let number = rest[..digits].trim_start_matches('0');
            pieces.push(Piece::Number(number.len(), number));
            rest = &rest[digits..];
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn numbers_inside_names_are_compared_by_value() {
        let mut names = vec!["V140_g01", "b", "V69_x", "V069", "OK", "V140_g1a", "a10", "a9", ""];
        names.sort_by(|one, other| compare(one, other));
        assert_eq!(names, ["", "OK", "V069", "V69_x", "V140_g01", "V140_g1a", "a9", "a10", "b"]);
    }
}

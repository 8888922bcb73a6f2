//! Numbers and lists in sentences.

/// The most digits of a count that are printed.
const DIGITS: usize = 30;

/// `1 property`, `2 properties`.
pub(crate) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// How many of a list to show: all, or at most so many. A limit never hides a single one.
pub(crate) fn shown(total: usize, most: usize) -> usize {
    if total <= most.saturating_add(1) { total } else { most }
}

/// A number in decimal, rounded if it is too long to be read.
pub(crate) fn readable(number: &str) -> String {
    let leading = number.get(..4).and_then(|digits| digits.parse::<u32>().ok());
    let (Some(leading), true) = (leading, number.len() > DIGITS) else { return number.to_owned() };
    let exponent = number.len() - 1;
    match (leading + 5) / 10 {
        1000 => format!("1.00e{}", exponent + 1),
        rounded => format!("{}.{:02}e{exponent}", rounded / 100, rounded % 100),
    }
}

/// `a`, `a and b`, `a, b and c`; of long lists the first few and how many there are besides.
pub(crate) fn listed(names: &[String], at_most: usize) -> String {
    let (shown, more) = match names.len() {
        length if length > at_most => (&names[..at_most], length - at_most),
        _ => (names, 0),
    };
    match (shown, more) {
        (shown, more) if more > 0 => format!("{} and {more} more", shown.join(", ")),
        ([], _) => String::new(),
        ([only], _) => only.clone(),
        ([first @ .., last], _) => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_rounded() {
        assert_eq!(readable("7"), "7");
        let digits = |start: &str, zeros: usize| format!("{start}{}", "0".repeat(zeros));
        assert_eq!(readable(&digits("2", 29)), digits("2", 29));
        assert_eq!(readable(&digits("2036", 87)), "2.04e90");
        assert_eq!(readable(&digits("9996", 27)), "1.00e31");
        assert_eq!(readable(&digits("1", 30)), "1.00e30");
    }

    #[test]
    fn a_limit_never_hides_a_single_one() {
        assert_eq!([shown(3, 4), shown(4, 4), shown(5, 4), shown(6, 4)], [3, 4, 5, 4]);
    }
}

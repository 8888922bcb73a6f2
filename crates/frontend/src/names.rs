//! What the user may have meant.

/// The names that resemble the one given, best first, at most five.
pub fn near_matches<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let wanted = given.to_lowercase();
    let tolerance = (wanted.chars().count() / 3).max(2);
    let mut near: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let candidate = name.to_lowercase();
            let contained =
                !wanted.is_empty() && (candidate.contains(&wanted) || wanted.contains(&candidate));
            let distance = if contained { 1 } else { edit_distance(&wanted, &candidate, tolerance)? };
            Some((distance, name))
        })
        .collect();
    near.sort();
    near.into_iter().take(5).map(|(_, name)| name).collect()
}

/// How many characters have to be inserted, deleted or replaced, if not more than the limit.
fn edit_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let b: Vec<char> = b.chars().collect();
    if a.chars().count().abs_diff(b.len()) > limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_and_partial_names_are_recognised_and_others_are_not() {
        let names = ["no_overflow", "mutual_exclusion", "top.fifo.no_underflow", "p1"];
        let near = |given| near_matches(given, names.into_iter());
        assert_eq!(near("no_overflwo"), ["no_overflow"]);
        assert_eq!(near("Mutual"), ["mutual_exclusion"]);
        assert_eq!(near("fifo"), ["top.fifo.no_underflow"]);
        assert_eq!(near("something_else"), Vec::<&str>::new());
    }

    #[test]
    fn the_distance_counts_single_edits() {
        assert_eq!(edit_distance("kitten", "sitting", 3), Some(3));
        assert_eq!(edit_distance("kitten", "sitting", 2), None);
        assert_eq!(edit_distance("", "ab", 2), Some(2));
    }
}

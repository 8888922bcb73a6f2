//! Patterns of names: `*` stands for any characters, `?` for one.

/// Whether a name fits a pattern.
pub fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut from) = (0, 0);
    // The last star, and where in the name it was met: it is made to stand for one more character when nothing else fits.
    let mut star: Option<(usize, usize)> = None;
    while from < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(c) if *c == '?' || *c == name[from] => {
                at += 1;
                from += 1;
            }
            _ => match star {
                Some((star_at, met)) => {
                    star = Some((star_at, met + 1));
                    at = star_at + 1;
                    from = met + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_stand_for_characters_and_nothing_else_does() {
        for (pattern, name, expected) in [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("*", "top.fifo", true),
            ("top.*", "top.fifo.count", true),
            ("top.*", "xtop.fifo", false),
            ("*.count", "top.fifo.count", true),
            ("*.count", "top.fifo.counter", false),
            ("cnt?", "cnt7", true),
            ("cnt?", "cnt", false),
            ("cnt?", "cnt17", false),
            ("*a*b*c", "xxaxbxbxc", true),
            ("*a*b*c", "xxaxcxb", false),
            ("x[3]", "x[3]", true),
            ("x[3]", "x3", false),
            ("a.b", "axb", false),
            ("ä?*", "äöü", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} and {name}");
        }
    }

    #[test]
    fn patterns_are_matched_without_trying_everything() {
        let pattern = "*a".repeat(40);
        assert!(!fits(&pattern, &("a".repeat(39) + "b")));
    }
}

//! Words.

/// The widest line of text.
pub(crate) const WIDTH: usize = 100;

/// One or many.
pub(crate) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

//! What edits of a design are, in words.

/// What an edit does to an element; nothing where its name says it.
pub(super) fn described(edit: &str) -> String {
    let words = match edit {
        "free" => "left open: any value in any step",
        "zero" => "stuck at zero",
        "one" => "stuck at one",
        "off-by-one" => "greater by one",
        "stale" => "what it was to be one step before",
        _ => return edit.to_owned(),
    };
    format!("{edit} ({words})")
}

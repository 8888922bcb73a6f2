//! What slang calls things in its syntax tree, in the words of the user.

/// The word for a kind of node, as it stands before "is not supported".
pub(super) fn in_words(kind: &str) -> String {
    let known = match kind {
        "ArbitrarySymbol" => "a name that is no value",
        "BlockEventList" => "an event of a block",
        "CopyClass" | "NewClass" => "an object of a class",
        "CycleDelay" => "a delay in cycles (##)",
        "Delay" | "Delay3" | "OneStepDelay" => "a delay (#)",
        "DisableFork" => "disable fork",
        "Dist" => "dist",
        "EventTrigger" => "an event trigger (->)",
        "MultiPort" => "a port of several signals:",
        "NetAlias" => "an alias of nets:",
        "NewArray" => "a dynamic array",
        "NewCovergroup" => "a covergroup",
        "NullLiteral" => "null",
        "PatternCase" | "pattern" => "a pattern (matches)",
        "ProceduralAssign" => "assign or force in a process",
        "ProceduralDeassign" => "deassign or release in a process",
        "RandCase" => "randcase",
        "RandSequence" => "randsequence",
        "RealLiteral" => "a real number",
        "RepeatedEvent" => "repeat of an event",
        "StringLiteral" => "a string",
        "TaggedUnion" => "a tagged union",
        "TimeLiteral" => "a time",
        "TypeReference" => "a type as a value",
        "Wait" => "wait",
        "WaitFork" => "wait fork",
        "WaitOrder" => "wait_order",
        _ => return spelled(kind),
    };
    known.to_owned()
}

/// A word such as `UnknownKind` as `unknown kind`; anything else as it is.
fn spelled(kind: &str) -> String {
    let is_kind = kind.starts_with(|c: char| c.is_ascii_uppercase())
        && kind.chars().all(|c| c.is_ascii_alphanumeric())
        && kind.chars().any(|c| c.is_ascii_lowercase());
    if !is_kind {
        return kind.to_owned();
    }
    let mut words = String::new();
    for c in kind.chars() {
        if c.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_nodes_become_words_and_other_texts_stay() {
        assert_eq!(in_words("RealLiteral"), "a real number");
        assert_eq!(in_words("StrangeNewThing"), "strange new thing");
        assert_eq!(in_words("DPI function f"), "DPI function f");
    }
}

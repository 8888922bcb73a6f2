//! What the proofs of `propcov check --core` use.

use crate::terminal::Page;
use crate::words::plural;
use propcov_result::RunResult;

/// Writes a list for each property.
pub(super) fn write(result: &RunResult, page: &mut Page) {
    for property in &result.properties {
        let name = &property.name;
        if let Some(core) = &property.core {
            page.gap();
            let total = result.design.as_ref().map_or(result.elements.len(), |design| design.elements);
            let all = plural(total, "element", "elements");
            page.say(0, format!("The proof of {name} uses {} of {all}:", core.len()));
            page.list(2, "", core.iter().map(|id| crate::mutants::element_name(result, *id)));
        } else if let Some(reason) = &property.core_reason {
            page.gap();
            page.say(0, format!("Elements that the proof of {name} uses: not found ({reason})."));
        }
    }
}

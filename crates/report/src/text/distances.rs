//! Numbers of steps that the design asks for.

use crate::terminal::Page;
use propcov_result::RunResult;

/// Writes each in a line.
pub(super) fn write(result: &RunResult, page: &mut Page) {
    if result.distances.is_empty() {
        return;
    }
    page.title("Distances, in steps");
    for distance in &result.distances {
        let mut line = format!("{}: {} = {}", distance.name, distance.text, distance.value());
        if let Some(reason) = &distance.reason {
            line.push_str(&format!(" ({reason})"));
        }
        page.say(2, line.as_str());
    }
}

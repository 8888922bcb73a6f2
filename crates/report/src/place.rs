//! Places in source files, in words.

use propcov_result::Place;

/// `file:line:column`.
pub(crate) fn position(place: &Place) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

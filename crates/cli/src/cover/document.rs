//! Parts of documents.

use crate::document;
use propcov_ir::{ElementId, Region, System};

/// To four digits.
pub(crate) fn four_digits(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

/// An element and where it is written.
pub(crate) fn element(system: &System, id: ElementId) -> document::Element {
    let element = system.element(id);
    let file = element.span().and_then(|span| system.files.get(span.file.0 as usize));
    let text = element.span().and_then(|span| match span.region {
        Region::Text { line, column, end_line, end_column } => Some((line, column, end_line, end_column)),
        Region::Bytes { .. } => None,
    });
    document::Element {
        id: id.0,
        name: element.name.clone(),
        kind: element.kind.name(),
        file: file.map(|file| file.path.clone()),
        line: text.map(|text| text.0),
        column: text.map(|text| text.1),
        end_line: text.map(|text| text.2),
        end_column: text.map(|text| text.3),
    }
}

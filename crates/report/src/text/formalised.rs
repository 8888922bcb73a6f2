//! Which properties formalise which requirements, with their verdicts; and where cores are known, why each is satisfied.

use crate::material::Material;
use crate::model::Traceability;
use crate::requirements::requirements;
use crate::terminal::{Align, Page, Span, Style, Table};
use crate::text::argument;
use crate::text::verdicts::word;
use propcov_result::RunResult;

/// A table with a line for each requirement and property of it; nothing without requirements.
pub fn formalised(result: &RunResult, material: &Material, style: &Style) -> String {
    let all = requirements(result, material);
    let mut page = Page::new(style);
    if all.is_empty() {
        return page.finish();
    }
    page.gap();
    use Align::{Left, Remark};
    let mut table =
        Table::with_headings(&[("requirement", Left), ("property", Left), ("verdict", Left), ("", Remark)]);
    for requirement in &all {
        let text = requirement.text.split_whitespace().collect::<Vec<&str>>().join(" ");
        if requirement.properties.is_empty() {
            table.row([Span::from(&requirement.id), "-".into(), "-".into(), text.into()]);
            continue;
        }
        for (at, name) in requirement.properties.iter().enumerate() {
            let property = result.properties.iter().find(|property| property.name == *name);
            let verdict = match property.map(word) {
                Some((verdict, tone)) => Span::toned(tone, verdict),
                None => "no such property".into(),
            };
            let text = if at == 0 { text.clone() } else { String::new() };
            table.row([Span::from(&requirement.id), Span::from(name), verdict, text.into()]);
        }
    }
    page.table(0, &table);
    argument::write(&Traceability::new(result), &all, &mut page);
    page.finish()
}

//! A run of the size that a report has to stand: so many lines, one element on each, and so many findings. Writes it as a page, and says how long that took.
//!
//! `cargo run --release -p propcov-report --example large -- FILE [LINES [FINDINGS]]`

use propcov_report::{Material, Text, html};
use propcov_result::{
    Count, Design, Element, File, Finding, FindingVerdict, Place, Property, RunResult, Scope, Share, Subject,
    Tally, Trace, TraceSignal, TraceSignalKind, Verdict, Witness,
};
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "large.html".to_owned());
    let mut number = |otherwise| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (lines, findings) = (number(20_000), number(50_000));
    let (result, material) = made(lines, findings as usize);
    let start = Instant::now();
    let mut page = Vec::new();
    html::write(&result, &material, &mut page)?;
    let seconds = start.elapsed().as_secs_f64();
    std::fs::write(&path, &page)?;
    writeln!(
        std::io::stdout(),
        "{lines} lines, {findings} findings: {} bytes, rendered in {seconds:.3} s",
        page.len()
    )
}

fn made(lines: u32, findings: usize) -> (RunResult, Material) {
    let mut result = RunResult::new("cover", 0);
    let file = "rtl/large.sv";
    let files = vec![File { path: file.to_owned(), sha256: "0".repeat(64) }];
    result.design = Some(Design { format: "verilog".to_owned(), files, ..Design::default() });
    result.run.metrics = vec!["mutation".to_owned()];
    let text = |line: u32| {
        format!(
            "  assign stage_{}_data[{}] = enable_{line} ? next_{line} : held_{line} ^ mask;\n",
            line / 32,
            line % 32
        )
    };
    let source: String = (0..lines).map(text).collect();
    let properties: Vec<Arc<str>> = (0..3).map(|at| format!("check.property_{at}").into()).collect();
    result.properties = properties.iter().map(|name| property(name)).collect();
    result.elements = (0..lines)
        .map(|id| Element {
            id,
            name: format!("top.core.stage_{}.data[{}]", id / 32, id % 32),
            scope: format!("top.core.stage_{}", id / 32),
            kind: "assignment".to_owned(),
            places: vec![Place {
                file: file.to_owned(),
                line: id + 1,
                column: 10,
                end_line: id + 1,
                end_column: 60,
            }],
            ..Element::default()
        })
        .collect();
    let (metric, edits): (Arc<str>, [Arc<str>; 3]) =
        ("mutation".into(), ["free".into(), "zero".into(), "one".into()]);
    for at in 0..findings {
        let id = (at / 3) as u32 % lines;
        let verdict = match (at * 7919) % 10 {
            0..6 => FindingVerdict::Covered,
            6..9 => FindingVerdict::Uncovered,
            _ => FindingVerdict::Unknown,
        };
        let is_shown = verdict == FindingVerdict::Uncovered && at % 50 == 0;
        result.findings.push(Finding {
            metric: metric.clone(),
            subject: Subject::Element(id),
            edit: edits[at / 3 / lines as usize % 3].clone(),
            property: Some(properties[at % 3].clone()),
            verdict,
            reason: None,
            bound: None,
            by: Some("ic3".into()),
            certified: true,
            evidence: Some(format!("{:032x}", at * 31).into()),
            witness: is_shown.then(|| Box::new(witness(at))),
            count: None,
            waiver: None,
        });
    }
    let tally = Tally {
        covered: Count::from(findings / 2),
        uncovered: Count::from(findings / 3),
        ..Tally::default()
    };
    result.shares.push(Share::new("mutation", Scope::All, tally, true));
    result.climb();
    let texts = vec![Text { path: file.to_owned(), text: source }];
    (result, Material { texts, ..Material::default() })
}

fn property(name: &str) -> Property {
    let empty = serde_json::json!({
        "name": name, "kind": "invariant", "verdict": "proved", "certified": true, "seconds": 0.1
    });
    let property = serde_json::from_value::<Property>(empty);
    property.unwrap_or_else(|error| unreachable!("{error}: {:?}", Verdict::Proved))
}

/// Two runs of 20 steps and 40 signals, of which some differ.
fn witness(seed: usize) -> Witness {
    let signal = |at: usize, mutant: usize| TraceSignal {
        name: format!("top.core.signal_{at}"),
        kind: TraceSignalKind::State,
        sort: "bitvec 16".to_owned(),
        focus: at == 0,
        values: (0..20)
            .map(|step| {
                format!("{:016b}", (step * (at + 3) * 977 + seed + mutant * usize::from(at < 4)) % 65_536)
            })
            .collect(),
        ranges: Vec::new(),
    };
    let trace =
        |mutant| Trace { steps: 20, signals: (0..40).map(|at| signal(at, mutant)).collect(), shows: None };
    Witness {
        design: Some(trace(0)),
        mutant: Some(trace(1)),
        observed: vec!["out".to_owned()],
        depth: Some(19),
        ..Witness::default()
    }
}

//! Any bytes, as each format of graphs and by each convention: read or refused, never a panic. A byte 0 separates a `.tra` from its `.lab`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use propcov_frontend::graph::{GRAPH_FORMATS, GraphOptions, StateLabels, read, read_flips};

fuzz_target!(|bytes: &[u8]| {
    let split = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (text, lab) = (&bytes[..split], bytes.get(split + 1..).unwrap_or_default());
    for format in GRAPH_FORMATS {
        let path = format!("fuzz.{}", format.extensions[0]);
        for state_labels in StateLabels::ALL {
            let options = GraphOptions { complete: bytes.len() % 2 == 0, state_labels: *state_labels };
            match read(&path, text, Some(("fuzz.lab", lab)), &options) {
                Ok(file) => {
                    assert!(file.graph.dead_end().is_none() && !file.graph.initial().is_empty());
                    _ = read_flips("fuzz", lab, &file.graph);
                }
                Err(error) => assert!(!error.message.is_empty()),
            }
        }
    }
});

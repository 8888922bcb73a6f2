//! The syntax of SMV.

use crate::common::benchmarks;
use propcov_frontend::smv;

#[test]
fn the_benchmarks_are_parsed() {
    let Some(files) = benchmarks("smv", "smv") else { return };
    for (name, bytes) in files {
        assert!(smv::sniff(&bytes) || name.contains("m4"), "{name}");
        match smv::parse(&name, &bytes) {
            Ok(_) => {},
            Err(error) => eprintln!("{error}\n   {:?}", error.source_line),
        }
    }
}

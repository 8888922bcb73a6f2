//! Lustre equations taken apart into operators.

use propcov_frontend::{Design, Granularity, Options, read, read_as};

fn operators(text: &str) -> Design {
    let options = Options { granularity: Granularity::Operator };
    match read_as("test.lus", text.as_bytes(), &[], &options) {
        Ok((design, _)) => design,
        Err(error) => panic!("{error}\n{text}"),
    }
}

#[test]
fn probe() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/asw_4.lus")).unwrap();
    let design = operators(&text);
    for e in design.system.elements() { println!("{} {:?}", e.name, e.span.unwrap().region); }
    let _ = read("a.lus", text.as_bytes());
}

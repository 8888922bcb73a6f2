//! Any bytes behind the exporter's first line: read or refused, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use propcov_frontend::verilog;

fuzz_target!(|bytes: &[u8]| {
    let export = [b"propcov-slang 3 fuzz\n".as_slice(), bytes].concat();
    if let Err(error) = verilog::FRONTEND.read("fuzz", &export) {
        assert!(error.to_string().len() < 2000);
    }
});

//! Any bytes: read or refused, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use propcov_frontend::lustre;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = lustre::FRONTEND.read("fuzz", bytes) {
        assert!(error.to_string().len() < 2000);
    }
});

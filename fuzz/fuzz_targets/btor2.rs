//! Any bytes: read or refused, never a panic; what was read means something, and can be printed and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use propcov_frontend::btor2;

fuzz_target!(|bytes: &[u8]| {
    let Ok(design) = btor2::FRONTEND.read("fuzz", bytes) else { return };
    assert!(design.system.validate().is_ok());
    if let Ok(text) = btor2::print(&design.system) {
        let again = btor2::FRONTEND.read("fuzz", text.as_bytes()).expect("what is printed can be read");
        assert_eq!(again.system.properties().len(), design.system.properties().len());
    }
});

//! Any bytes: read or refused, never a panic; what was read means something, and printing it loses nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use propcov_frontend::aiger;

fuzz_target!(|bytes: &[u8]| {
    let Ok(parsed) = aiger::parse("fuzz", bytes) else { return };
    let design = aiger::FRONTEND.read("fuzz", bytes).expect("what is parsed has a meaning");
    assert!(design.system.validate().is_ok());
    let text = aiger::print_ascii(&parsed.model);
    assert_eq!(aiger::parse("fuzz", &text).map(|again| again.model).as_ref(), Ok(&parsed.model));
    let consecutive = parsed.model.consecutive();
    match aiger::print_binary(&consecutive) {
        // A few unused inputs more than the parser takes are the one thing that text has and binary has not.
        Ok(binary) if consecutive.inputs.len() < 1 << 16 => {
            assert_eq!(aiger::parse("fuzz", &binary).map(|again| again.model), Ok(consecutive));
        }
        Ok(_) => {}
        Err(error) => panic!("{error}"),
    }
});

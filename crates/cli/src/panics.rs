//! Panics are recorded, not printed.

use propcov_verify::PanicLog;
use std::panic;

/// Records all panics of the process from now on, those of all threads.
pub(crate) fn install() -> PanicLog {
    let log = PanicLog::default();
    let shared = log.clone();
    panic::set_hook(Box::new(move |panic| shared.record(panic)));
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_of_other_threads_are_recorded_with_their_place() {
        let log = install();
        let joined = std::thread::spawn(|| panic!("thread {} fell over", 7)).join();
        // The default hook again, so that other tests can fail audibly.
        drop(panic::take_hook());
        assert!(joined.is_err());
        let messages = log.take();
        let found = messages
            .iter()
            .any(|message| message.starts_with("thread 7 fell over (") && message.contains("panics.rs:"));
        assert!(found, "{messages:?}");
        assert!(log.take().is_empty(), "taking leaves nothing behind");
    }
}

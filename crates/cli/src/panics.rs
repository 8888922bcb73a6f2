//! A crash of one engine must not cost the verdicts of the others: panics are recorded, not printed, and whoever ran the
//! engine asks what was recorded.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::{Arc, Mutex, PoisonError};

/// Where panics of all threads are recorded. Clones share the record.
#[derive(Clone, Debug, Default)]
pub(crate) struct PanicLog(Arc<Mutex<Vec<String>>>);

impl PanicLog {
    /// Records all panics of the process from now on.
    pub(crate) fn install() -> PanicLog {
        let log = PanicLog::default();
        let shared = log.clone();
        panic::set_hook(Box::new(move |panic| shared.push(describe(panic))));
        log
    }

    fn push(&self, message: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }

    /// What was recorded since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs something that may panic; `None` when it did.
    pub(crate) fn guard<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        // What the work was about is not looked at again after a panic.
        panic::catch_unwind(AssertUnwindSafe(work)).ok()
    }
}

fn describe(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let message = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic");
    match panic.location() {
        Some(location) => format!("{message} ({}:{})", location.file(), location.line()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_of_other_threads_are_recorded_with_their_place() {
        let log = PanicLog::install();
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

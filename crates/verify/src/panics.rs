//! A crash of one engine must not cost the verdicts of the others: panics are recorded, and whoever ran the engine asks what
//! was recorded.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::{Arc, Mutex, PoisonError};

/// Where panics are recorded. Clones share the record.
///
/// A panic on a thread of an engine is only seen by the panic hook of the process: a program that wants it recorded, and
/// not printed, sets a hook that calls [`PanicLog::record`]. Without one, [`PanicLog::guard`] records what it caught itself.
#[derive(Clone, Debug, Default)]
pub struct PanicLog(Arc<Mutex<Vec<String>>>);

impl PanicLog {
    /// Records a panic, with its place.
    pub fn record(&self, panic: &PanicHookInfo<'_>) {
        let message = message(panic.payload());
        self.push(match panic.location() {
            Some(location) => format!("{message} ({}:{})", location.file(), location.line()),
            None => message.to_owned(),
        });
    }

    fn push(&self, message: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }

    fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// What was recorded since the last call.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs something that may panic; `None` when it did.
    pub fn guard<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        // What the work was about is not looked at again after a panic.
        let caught = panic::catch_unwind(AssertUnwindSafe(work));
        if let Err(payload) = &caught
            && self.is_empty()
        {
            self.push(message(payload.as_ref()).to_owned());
        }
        caught.ok()
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_panics_has_no_result_and_is_recorded_without_a_hook() {
        let log = PanicLog::default();
        assert_eq!(log.guard(|| 7), Some(7));
        assert!(log.take().is_empty());
        let crashed: Option<()> = log.guard(|| panic!("expected by test {}", 1));
        assert!(crashed.is_none());
        assert_eq!(log.take(), ["expected by test 1"]);
        assert!(log.take().is_empty(), "taking leaves nothing behind");
    }
}

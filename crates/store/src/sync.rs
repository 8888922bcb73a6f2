//! Sees to it that what was written gets to the disk, without anybody having to wait for it: a second after the first write that has not got there,
//! and at the end.
//!
//! What a process has written survives its end, however violent: the system has it. This is for when the system itself ends.

use std::fs::File;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(1);

/// A thread that sleeps while there is nothing to do.
pub(crate) struct Syncer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    files: Vec<Arc<File>>,
    is_dirty: bool,
    is_over: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let mut state = self.state();
        while !state.is_over {
            if !state.is_dirty {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let wait = self.changed.wait_timeout_while(state, PATIENCE, |state| !state.is_over);
            state = wait.unwrap_or_else(PoisonError::into_inner).0;
            state = self.sync(state);
        }
        drop(self.sync(state));
    }

    /// Others may go on writing meanwhile.
    fn sync<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        if !std::mem::take(&mut state.is_dirty) {
            return state;
        }
        let files = state.files.clone();
        drop(state);
        for file in files {
            // A disk that fails shows in writes as well.
            let _ = file.sync_all();
        }
        self.state()
    }
}

impl Syncer {
    pub(crate) fn new() -> Syncer {
        let shared = Arc::<Shared>::default();
        let worker = Arc::clone(&shared);
        // Without a thread it is done once, at the end.
        let thread = std::thread::Builder::new().name("sync".to_owned()).spawn(move || worker.work()).ok();
        Syncer { shared, thread }
    }

    /// One more file.
    pub(crate) fn add(&self, file: Arc<File>) {
        self.shared.state().files.push(file);
    }

    /// Something was written.
    pub(crate) fn written(&self) {
        let was_dirty = std::mem::replace(&mut self.shared.state().is_dirty, true);
        if !was_dirty {
            self.shared.changed.notify_all();
        }
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        self.shared.state().is_over = true;
        self.shared.changed.notify_all();
        match self.thread.take() {
            Some(thread) => {
                let _ = thread.join();
            }
            None => drop(self.shared.sync(self.shared.state())),
        }
    }
}

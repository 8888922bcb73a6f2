//! How much memory the process may use, and who watches it.
//!
//! What counts is what the process occupies, because most of it belongs to solvers that keep no books: the resident pages that the system
//! reports, sampled by a thread of its own many times a second. Between two samples a process writes to some tens of megabytes at most, however
//! much it reserves. No limit of the system is set as a backstop: an allocation that fails would abort the process, and lose what is known.
//!
//! The flag goes up with the cap and stays up, so that whoever is asked for a reason still finds it, until somebody who knows that the work in
//! question has ended asks for [`Interrupt::recover`](crate::Interrupt::recover).

use crate::Interrupt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// The time between two samples.
const PERIOD: Duration = Duration::from_millis(20);
/// Work may go on when the process is back below this part of the cap, in percent.
const RECOVERED: u64 = 75;
/// The part of what the machine has to offer that is used by default, in percent.
const DEFAULT_PART: u64 = 85;

/// What watchers and the watched share.
#[derive(Debug)]
pub(crate) struct Gauge {
    exceeded: AtomicBool,
    cap: AtomicU64,
}

impl Default for Gauge {
    fn default() -> Gauge {
        Gauge { exceeded: AtomicBool::new(false), cap: AtomicU64::new(u64::MAX) }
    }
}

impl Gauge {
    pub(crate) fn is_exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Relaxed)
    }

    pub(crate) fn exceed(&self) {
        self.exceeded.store(true, Ordering::Relaxed);
    }

    fn sample(&self) {
        if used().is_some_and(|used| used > self.cap.load(Ordering::Relaxed)) {
            self.exceed();
        }
    }

    pub(crate) fn recover(&self) -> bool {
        if self.is_exceeded() {
            give_back();
            let enough = self.cap.load(Ordering::Relaxed) / 100 * RECOVERED;
            if used().is_some_and(|used| used <= enough) {
                self.exceeded.store(false, Ordering::Relaxed);
            }
        }
        !self.is_exceeded()
    }
}

/// A thread that compares the memory of the process with a cap, until this is dropped.
#[derive(Debug)]
pub struct MemoryWatch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl MemoryWatch {
    /// Stops whoever watches this flag once the process occupies more than so many bytes. Does nothing where the system does not tell.
    pub fn start(cap: u64, interrupt: &Interrupt) -> MemoryWatch {
        let gauge = interrupt.gauge();
        gauge.cap.fetch_min(cap, Ordering::Relaxed);
        // A cap below what is there already counts however soon the work is done.
        gauge.sample();
        let (end, ended) = mpsc::channel();
        let watch = move || {
            while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                gauge.sample();
            }
        };
        let thread = std::thread::Builder::new().name("memory".to_owned()).stack_size(1 << 16).spawn(watch);
        MemoryWatch { end: Some(end), thread: thread.ok() }
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The bytes that the process occupies, if the system tells.
pub fn used() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * page_size())
}

/// The cap when nobody sets one: most of what the machine has left, or of what the process's control group allows. `None` where the system
/// does not tell.
pub fn default_cap() -> Option<u64> {
    let group = group_limits().into_iter().flatten().min();
    let least = [available(), group].into_iter().flatten().min()?;
    Some(least / 100 * DEFAULT_PART)
}

/// What the machine could hand out without swapping.
fn available() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// The limits of the control group (version 2, then version 1) and of those around it.
fn group_limits() -> Vec<Option<u64>> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            list if list.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        for group in std::path::Path::new(path.trim_start_matches('/')).ancestors() {
            let limit = std::fs::read_to_string(std::path::Path::new(root).join(group).join(file));
            // "max", or a number near 2^63, is no limit.
            limits.push(limit.ok().and_then(|limit| limit.trim().parse().ok()));
        }
    }
    limits
}

#[cfg(target_os = "linux")]
fn page_size() -> u64 {
    // The auxiliary vector of the process: pairs of words, of which number 6 (AT_PAGESZ) has the size of pages.
    static SIZE: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *SIZE.get_or_init(|| {
        let vector = std::fs::read("/proc/self/auxv").unwrap_or_default();
        let word = |bytes: &[u8]| bytes.try_into().map(usize::from_ne_bytes).unwrap_or(0);
        let pairs = vector.chunks_exact(2 * size_of::<usize>());
        let mut pairs = pairs.map(|pair| pair.split_at(size_of::<usize>()));
        pairs.find(|(key, _)| word(key) == 6).map_or(4096, |(_, value)| word(value) as u64)
    })
}

#[cfg(not(target_os = "linux"))]
fn page_size() -> u64 {
    4096
}

/// Has the allocator return what is free, which it otherwise keeps for later.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back() {
    #[expect(unsafe_code, reason = "Rust has no way to ask the system's allocator")]
    mod c {
        unsafe extern "C" {
            // It locks what it needs, and frees nothing that is in use.
            pub(super) safe fn malloc_trim(pad: usize) -> i32;
        }
    }
    c::malloc_trim(0);
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn the_process_occupies_something_and_the_machine_has_more() {
        let (used, cap) = (used().expect("Linux tells"), default_cap().expect("Linux tells"));
        assert!(used > 100_000 && used < cap, "{used} {cap}");
        assert!(page_size().is_power_of_two() && page_size() >= 4096);
    }

    #[test]
    fn the_flag_goes_up_above_the_cap_and_down_when_memory_is_free_again() {
        let interrupt = Interrupt::default();
        let cap = used().expect("Linux tells") + (400 << 20);
        let _watch = MemoryWatch::start(cap, &interrupt);
        let child = interrupt.child();
        assert!(!child.is_raised());
        let filled = vec![1u8; 500 << 20];
        let start = Instant::now();
        while !child.is_raised() && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(PERIOD);
        }
        assert!(child.is_raised() && child.is_out_of_memory() && !interrupt.recover());
        assert_eq!(filled.iter().map(|byte| usize::from(*byte)).sum::<usize>(), filled.len());
        drop(filled);
        assert!(interrupt.recover() && !child.is_raised());
    }
}

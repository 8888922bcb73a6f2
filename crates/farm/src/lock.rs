//! Who looks after a farm: one at a time, or two would submit the same jobs.
//!
//! A file names the owner, who writes it again now and then. On the machine of the owner the system says whether it is still there; on others, the age of the file does,
//! by the clock of the file system.

use crate::files::{failed, read};
use crate::{FarmError, scheduler};
use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const LOCK: &str = "driver.json";

/// How often the owner gives a sign, and after how long without one it counts as gone.
const BEAT: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(90);

/// A process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Owner {
    host: String,
    /// On one machine, containers may give the same number to different processes.
    space: String,
    process: u32,
    started: String,
}

impl Owner {
    fn of_this() -> Owner {
        let process = std::process::id();
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let space = std::fs::read_link("/proc/self/ns/pid").map(|path| path.display().to_string());
        Owner {
            host: host.trim().to_owned(),
            space: space.unwrap_or_default(),
            process,
            started: scheduler::started(process).unwrap_or_default(),
        }
    }

    /// Whether it is there, as far as the system of this machine can say.
    fn is_there(&self, this: &Owner) -> Option<bool> {
        let is_near = (&self.host, &self.space) == (&this.host, &this.space);
        is_near.then(|| scheduler::started(self.process).as_ref() == Some(&self.started))
    }
}

/// That this process looks after a farm, until it is dropped.
pub(crate) struct Lock {
    path: PathBuf,
    owner: Owner,
    beaten: Instant,
}

impl Lock {
    /// # Errors
    /// When somebody else looks after the farm, and when files cannot be written.
    pub(crate) fn take(farm: &Path) -> Result<Lock, FarmError> {
        let (path, owner) = (farm.join(LOCK), Owner::of_this());
        loop {
            match write_new(&path, &owner) {
                Ok(()) => return Ok(Lock { path, owner, beaten: Instant::now() }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, "write", error)),
            }
            if let Some(busy) = holder(farm)? {
                return Err(busy);
            }
            // Of those who see that it is free, one can move it away.
            let aside = farm.join(format!(".{LOCK}.{}", owner.process));
            if std::fs::rename(&path, &aside).is_ok() {
                let _ = std::fs::remove_file(&aside);
            }
        }
    }

    /// Gives a sign, if it is time for one.
    ///
    /// # Errors
    /// When somebody else has taken over.
    pub(crate) fn beat(&mut self) -> Result<(), FarmError> {
        if self.beaten.elapsed() < BEAT {
            return Ok(());
        }
        self.beaten = Instant::now();
        match read::<Owner>(&self.path) {
            Ok(Some(owner)) if owner != self.owner => {
                let farm = self.path.parent().unwrap_or(Path::new("."));
                return Err(FarmError::Busy { path: farm.to_owned(), owner: name(&owner) });
            }
            Ok(Some(_)) => {
                // What it says stays the same: its time does not. If the file system is away, it is tried again.
                let file = std::fs::OpenOptions::new().write(true).open(&self.path);
                let _ = file.and_then(|mut file| file.write_all(&bytes(&self.owner)));
            }
            Ok(None) => {
                let _ = write_new(&self.path, &self.owner);
            }
            Err(_) => {}
        }
        Ok(())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if matches!(read::<Owner>(&self.path), Ok(Some(owner)) if owner == self.owner) {
            // Otherwise it is out of date soon.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Who looks after a farm, as an error; `None` if nobody does.
///
/// # Errors
/// When files cannot be read.
pub(crate) fn holder(farm: &Path) -> Result<Option<FarmError>, FarmError> {
    let path = farm.join(LOCK);
    let owner = match read::<Owner>(&path) {
        Ok(None) => return Ok(None),
        Ok(Some(owner)) => Some(owner),
        // It is being written, or was never written to the end.
        Err(FarmError::Malformed { .. }) => None,
        Err(error) => return Err(error),
    };
    let is_there = owner.as_ref().and_then(|owner| owner.is_there(&Owner::of_this()));
    let busy = |owner: String| FarmError::Busy { path: farm.to_owned(), owner };
    let called = owner.as_ref().map_or_else(|| "another process".to_owned(), name);
    Ok(match (is_there, age(farm, &path)) {
        (Some(true), _) => Some(busy(called)),
        (Some(false), _) | (None, None) => None,
        (None, Some(age)) if age >= SILENCE => None,
        (None, Some(age)) => {
            let (age, silence) = (age.as_secs(), SILENCE.as_secs());
            Some(busy(format!("{called} (last sign {age} s ago; after {silence} s without one it is gone)")))
        }
    })
}

fn name(owner: &Owner) -> String {
    format!("process {} on {}", owner.process, owner.host)
}

fn bytes(owner: &Owner) -> Vec<u8> {
    serde_json::to_vec(owner).unwrap_or_default()
}

fn write_new(path: &Path, owner: &Owner) -> io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(&bytes(owner))
}

/// How long ago a file was written, by the clock of its file system; `None` if it is gone.
fn age(farm: &Path, path: &Path) -> Option<Duration> {
    let written = std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()?;
    let probe = farm.join(format!(".{LOCK}.now.{}", std::process::id()));
    let now = std::fs::write(&probe, b"now")
        .and_then(|()| std::fs::metadata(&probe))
        .and_then(|metadata| metadata.modified());
    let _ = std::fs::remove_file(&probe);
    let now = now.unwrap_or_else(|_| std::time::SystemTime::now());
    Some(now.duration_since(written).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_looks_after_a_farm_until_it_is_gone() {
        let room = tempfile::tempdir().expect("a directory");
        let (farm, path) = (room.path(), room.path().join(LOCK));
        let lock = Lock::take(farm).expect("free");
        let error = Lock::take(farm).err().expect("taken").to_string();
        assert!(error.contains(&format!("process {} on", std::process::id())), "{error}");
        drop(lock);
        assert!(!path.exists());
        // One of this machine that is not there any more, at once.
        let gone = Owner { started: "0".to_owned(), ..Owner::of_this() };
        write_new(&path, &gone).expect("written");
        drop(Lock::take(farm).expect("its owner is gone"));
        // One of another machine, after a while.
        let elsewhere = Owner { host: "elsewhere".to_owned(), ..Owner::of_this() };
        write_new(&path, &elsewhere).expect("written");
        let error = Lock::take(farm).err().expect("taken").to_string();
        assert!(error.contains("on elsewhere (last sign 0 s ago"), "{error}");
        let long_ago = std::time::SystemTime::now() - SILENCE * 2;
        let file = std::fs::OpenOptions::new().write(true).open(&path).expect("there");
        file.set_modified(long_ago).expect("set");
        let mut lock = Lock::take(farm).expect("silent for long");
        // Whoever has lost it is told.
        std::fs::write(&path, bytes(&elsewhere)).expect("written");
        lock.beaten = Instant::now().checked_sub(BEAT * 2).expect("an earlier time");
        let error = lock.beat().expect_err("lost").to_string();
        assert!(error.contains("process") && error.contains("elsewhere"), "{error}");
        drop(lock);
        assert!(path.exists(), "it is another one's");
    }
}

//! What a database is about. Findings for one identity mean nothing for another.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// Changes when a record changes its form or its meaning.
pub const SCHEMA: &str = "propcov-store/1";

/// The first line of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of propcov that wrote it.
    pub version: String,
    /// The path of the design, for people; the same design may be called by another name.
    pub design: String,
    /// The absolute path of the design, by which designs of the same name are told apart. There is none for standard input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The [`fingerprint`] of the design's bytes.
    pub fingerprint: String,
    /// The coverage metric.
    pub metric: String,
    /// Of what size elements are: as the design has them, or bit by bit.
    pub granularity: String,
}

impl Identity {
    /// Whether findings of the one are findings of the other.
    pub fn is_same(&self, other: &Identity) -> bool {
        let essential =
            |identity: &Identity| Identity { design: String::new(), place: None, ..identity.clone() };
        essential(self) == essential(other)
    }

    /// Whether the other is about a design elsewhere that has nothing to do with this one: it has another content, and is still there.
    pub fn is_elsewhere(&self, other: &Identity) -> bool {
        self.fingerprint != other.fingerprint
            && self.place != other.place
            && other.place.as_ref().is_some_and(|place| Path::new(place).exists())
    }

    /// Why findings of the other are no findings of this one.
    pub fn difference(&self, other: &Identity) -> Option<String> {
        if self.fingerprint != other.fingerprint {
            return Some(format!("the design has changed ({})", other.design));
        }
        if (&self.schema, &self.version) != (&other.schema, &other.version) {
            return Some(format!("it was written by propcov {} ({})", other.version, other.schema));
        }
        (!self.is_same(other))
            .then(|| format!("it is about {} coverage, {}", other.metric, other.granularity))
    }
}

/// A short name for these bytes: their length, and FNV-1a in 64 bits. It notices edits, not attacks: findings are checked again
/// when they are read, so that even a coincidence does no harm.
pub fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{}-{hash:016x}", bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_is_fnv_1a_and_the_length() {
        assert_eq!(fingerprint(b""), "0-cbf29ce484222325");
        assert_eq!(fingerprint(b"a"), "1-af63dc4c8601ec8c");
        assert_eq!(fingerprint(b"foobar"), "6-85944171f73967e8");
    }
}

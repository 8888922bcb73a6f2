//! Short names that follow from content: the first 128 bits of SHA-256.
//!
//! The same on every machine and in every run, so that they can be written to files. What two contents have in common by accident is not to be
//! expected; nobody has to rely on it, for whatever is found by such a name is checked before it is believed.

use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A name that follows from content. Written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 16]);

impl Digest {
    /// The name of these bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest::shortened(Sha256::digest(bytes).as_slice())
    }

    /// One name for several, in this order. `kind` says what it names, so that lists of different kinds are not confused.
    pub fn of_all(kind: &str, parts: impl IntoIterator<Item = Digest>) -> Digest {
        let mut digester = Digester::new(kind);
        parts.into_iter().for_each(|part| digester.digest(part));
        digester.finish()
    }

    /// One name for a set: neither order nor repetition matters.
    pub fn of_set(kind: &str, parts: impl IntoIterator<Item = Digest>) -> Digest {
        let mut parts: Vec<Digest> = parts.into_iter().collect();
        parts.sort_unstable();
        parts.dedup();
        Digest::of_all(kind, parts)
    }

    /// One of so many equal parts of all names, the first being 0: the same on every machine. Of twice as many parts, two make up each of these.
    pub fn part(self, count: u32) -> u32 {
        let number = u128::from_be_bytes(self.0);
        u32::try_from(number % u128::from(count.max(1))).unwrap_or_default()
    }

    fn shortened(hash: &[u8]) -> Digest {
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(hash).for_each(|(byte, hashed)| *byte = *hashed);
        Digest(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Something that is no [`Digest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected 32 hexadecimal digits")]
pub struct NoDigest;

impl FromStr for Digest {
    type Err = NoDigest;

    fn from_str(text: &str) -> Result<Digest, NoDigest> {
        let digits = text.as_bytes();
        if digits.len() != 32 {
            return Err(NoDigest);
        }
        let digit = |digit: u8| match digit {
            b'0'..=b'9' => Ok(digit - b'0'),
            b'a'..=b'f' => Ok(digit - b'a' + 10),
            _ => Err(NoDigest),
        };
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Digest(bytes))
    }
}

/// Makes a [`Digest`] piece by piece. Each piece says where it ends, so that no two lists of pieces are confused.
pub struct Digester(Sha256);

impl Digester {
    /// The beginning of the content of a thing of this kind.
    pub fn new(kind: &str) -> Digester {
        let mut digester = Digester(Sha256::new());
        digester.text(kind);
        digester
    }

    /// A number, in as many bytes as it needs (LEB128).
    pub fn number(&mut self, number: u64) {
        let (mut bytes, mut length, mut rest) = ([0; 10], 0, number);
        for byte in &mut bytes {
            let more = if rest > 0x7f { 0x80 } else { 0 };
            *byte = (rest & 0x7f) as u8 | more;
            length += 1;
            rest >>= 7;
            if more == 0 {
                break;
            }
        }
        self.0.update(&bytes[..length]);
    }

    /// Bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    /// Text.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Another name.
    pub fn digest(&mut self, digest: Digest) {
        self.0.update(digest.0);
    }

    /// The name of all that.
    pub fn finish(self) -> Digest {
        Digest::shortened(self.0.finalize().as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_sha_256_and_reads_as_it_is_written() {
        let digest = Digest::of(b"abc");
        assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223");
        assert_eq!(digest.to_string().parse(), Ok(digest));
        for wrong in ["", "ba78", "BA7816BF8F01CFEA414140DE5DAE2223", "ba7816bf8f01cfea414140de5dae222g"] {
            assert_eq!(wrong.parse::<Digest>(), Err(NoDigest), "{wrong}");
        }
    }

    #[test]
    fn pieces_are_told_apart() {
        let of = |kind: &str, texts: &[&str]| {
            let mut digester = Digester::new(kind);
            texts.iter().for_each(|text| digester.text(text));
            digester.finish()
        };
        assert_ne!(of("k", &["ab", "c"]), of("k", &["a", "bc"]));
        assert_ne!(of("k", &["a"]), of("ka", &[]));
        assert_ne!(of("k", &[""]), of("k", &[]));
        let [a, b] = [Digest::of(b"a"), Digest::of(b"b")];
        assert_ne!(Digest::of_all("k", [a, b]), Digest::of_all("k", [b, a]));
        assert_eq!(Digest::of_set("k", [a, b, a]), Digest::of_set("k", [b, a]));
    }

    #[test]
    fn numbers_are_told_apart_whatever_follows() {
        let of = |numbers: &[u64]| {
            let mut digester = Digester::new("k");
            numbers.iter().for_each(|number| digester.number(*number));
            digester.finish()
        };
        let lists: [&[u64]; 6] = [&[0], &[127], &[128], &[1, 0], &[u64::MAX], &[0, 1]];
        for (at, list) in lists.iter().enumerate() {
            assert!(lists[..at].iter().all(|other| of(other) != of(list)), "{list:?}");
        }
    }
}

//! What several test files need.

use std::path::PathBuf;

/// The shared files `kind/*.extension` by name; `None`, with a note in the test's output, where there are none.
pub(crate) fn benchmarks(kind: &str, extension: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks").join(kind);
    let Ok(entries) = std::fs::read_dir(&directory) else {
        eprintln!("skipped: there is no {}", directory.display());
        return None;
    };
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no .{extension} files in {}", directory.display());
    Some(files)
}

/// The rows of the shared `RESULTS.csv` without its heading, as the columns up to the first free text.
pub(crate) fn results(kind: &str) -> Vec<Vec<String>> {
    rows(kind, "RESULTS.csv", ',')
}

/// The rows of a shared table without its heading.
pub(crate) fn rows(kind: &str, file: &str, separator: char) -> Vec<Vec<String>> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks").join(kind).join(file);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(separator).map(str::to_owned).collect()).collect()
}

/// Pseudo-random numbers that a seed replays (SplitMix64).
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below the bound, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.next() & 1 == 1
    }
}

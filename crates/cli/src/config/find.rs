//! Where the file is: beside the design, or in a directory above it, up to the root of the repository, the home directory, or the root of the file system.

use super::NAME;
use std::path::{Component, Path, PathBuf};

/// What a repository has in its root.
const ROOTS: [&str; 5] = [".git", ".hg", ".jj", ".svn", "_darcs"];

/// The file that belongs to a directory.
pub(super) fn find(directory: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let start = directory.canonicalize().ok()?;
    for above in start.ancestors() {
        let file = above.join(NAME);
        if file.is_file() {
            return Some(file);
        }
        let is_root = ROOTS.iter().any(|root| above.join(root).exists());
        if is_root || Some(above) == home {
            return None;
        }
    }
    None
}

/// A path as somebody in the current directory would write it: names of files stay readable, and the same wherever the repository is.
pub(super) fn relative(path: &Path, current: &Path) -> PathBuf {
    if !path.is_absolute() {
        return path.to_owned();
    }
    let common = path.components().zip(current.components()).take_while(|(one, other)| one == other).count();
    // What shares nothing but the root is better said in full.
    if common <= 1 {
        return path.to_owned();
    }
    let up = current.components().skip(common).map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(path.components().skip(common)).collect();
    if relative.as_os_str().is_empty() { PathBuf::from(".") } else { relative }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_nearest_file_counts_and_nothing_beyond_the_repository_or_home() {
        let top = tempfile::tempdir().expect("a directory");
        let root = top.path().canonicalize().expect("a path");
        fs::create_dir_all(root.join("repo/rtl/deep")).expect("made");
        fs::write(root.join(NAME), "").expect("written");
        assert_eq!(find(&root.join("repo/rtl"), None), Some(root.join(NAME)));
        assert_eq!(find(&root.join("repo/rtl"), Some(&root.join("repo"))), None, "not beyond home");
        fs::create_dir(root.join("repo/.git")).expect("made");
        assert_eq!(find(&root.join("repo/rtl"), None), None, "not beyond the repository");
        fs::write(root.join("repo").join(NAME), "").expect("written");
        assert_eq!(find(&root.join("repo/rtl/deep"), None), Some(root.join("repo").join(NAME)));
        fs::write(root.join("repo/rtl").join(NAME), "").expect("written");
        assert_eq!(find(&root.join("repo/rtl/deep"), None), Some(root.join("repo/rtl").join(NAME)));
        assert_eq!(find(&root.join("nowhere"), None), None);
    }

    #[test]
    fn paths_are_written_from_here() {
        let from =
            |path: &str, current: &str| relative(Path::new(path), Path::new(current)).display().to_string();
        assert_eq!(from("/a/b/c.sv", "/a/b"), "c.sv");
        assert_eq!(from("/a/b/c/d.sv", "/a/b"), "c/d.sv");
        assert_eq!(from("/a/b/c.sv", "/a/b/x/y"), "../../c.sv");
        assert_eq!(from("/a/b", "/a/b"), ".");
        assert_eq!(from("/etc/x", "/home/y"), "/etc/x");
        assert_eq!(from("x.sv", "/home/y"), "x.sv");
    }
}

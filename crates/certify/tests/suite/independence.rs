//! The certifier's independence, as far as the compiler does not enforce it.

use std::path::Path;

fn sources(directory: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(directory).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).expect("text")));
        }
    }
}

#[test]
fn the_checker_uses_neither_the_engines_circuits_nor_their_crates() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    sources(&root.join("src"), &mut found);
    assert!(found.len() > 5, "where are the sources?");
    for (path, text) in found {
        for forbidden in
            ["words::", "BitAlgebra", "Lanes", "propcov_solve", "propcov_engine", "propcov_symbolic"]
        {
            assert!(!text.contains(forbidden), "{path} mentions {forbidden}");
        }
    }
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("text");
    let dependencies = manifest.split("[dev-dependencies]").next().expect("a part before");
    for forbidden in ["propcov-solve", "propcov-engine", "propcov-symbolic"] {
        assert!(!dependencies.contains(forbidden), "{forbidden}");
    }
}

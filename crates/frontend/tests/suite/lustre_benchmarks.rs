//! Every shared Lustre model passes the static checks.

use crate::common;
use propcov_frontend::lustre;

#[test]
fn every_shared_lustre_model_is_parsed_and_checked() {
    let (Some(mut files), Some(more)) =
        (common::benchmarks("lustre/models", "lus"), common::benchmarks("lustre/sefm18", "lus"))
    else {
        return;
    };
    files.extend(more);
    assert_eq!(files.len(), 472);
    let problems: Vec<String> = files
        .iter()
        .filter_map(|(name, bytes)| {
            assert!(lustre::sniff(bytes), "{name} is not recognised");
            lustre::check(name, bytes).err().map(|error| error.to_string())
        })
        .collect();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

//! Every shared benchmark is read, and is as big as its authors say.

use crate::common;
use propcov_frontend::{aiger, btor2, read};

#[test]
fn every_shared_aiger_file_has_the_recorded_counts() {
    let Some(files) = common::benchmarks("aiger", "aig") else { return };
    let results = common::results("aiger");
    assert_eq!(files.len(), results.len());
    for (name, bytes) in &files {
        let design = read(name, bytes).unwrap_or_else(|error| panic!("{error}"));
        let row = results.iter().find(|row| row[0] == *name).unwrap_or_else(|| panic!("{name} has no row"));
        let system = &design.system;
        system.validate().unwrap_or_else(|error| panic!("{name}: {error}"));
        let counts = [system.inputs().len(), system.states().len(), system.wires().len()];
        assert_eq!(counts.map(|count| count.to_string()), row[1..4], "{name}");
        let model =
            aiger::model_of(&design).unwrap_or_else(|| panic!("{name} was read as {}", design.format()));
        assert_eq!(system.properties().len(), model.outputs.len(), "{name}");
    }
}

#[test]
fn every_shared_btor2_file_has_the_recorded_counts() {
    let Some(files) = common::benchmarks("btor2", "btor2") else { return };
    let results = common::results("btor2");
    assert_eq!(files.len(), results.len());
    for (name, bytes) in &files {
        let design = read(name, bytes).unwrap_or_else(|error| panic!("{error}"));
        let row = results.iter().find(|row| row[0] == *name).unwrap_or_else(|| panic!("{name} has no row"));
        let system = &design.system;
        system.validate().unwrap_or_else(|error| panic!("{name}: {error}"));
        let counts = [system.inputs().len(), system.states().len(), system.constraints().len()];
        assert_eq!(counts.map(|count| count.to_string()), row[2..5], "{name}");
        let model =
            btor2::model_of(&design).unwrap_or_else(|| panic!("{name} was read as {}", design.format()));
        assert_eq!(system.properties().len(), model.bads(), "{name}");
    }
}

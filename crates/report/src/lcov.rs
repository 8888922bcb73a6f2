//! A trace file of lcov: what `genhtml --branch-coverage` and most tools that show coverage read. What lines and branches are here: `lines`.

use crate::grades::graded;
use crate::lines::lines;
use crate::terminal::printable;
use propcov_result::RunResult;
use std::fmt::Write;

/// The trace file.
pub fn lcov(result: &RunResult) -> String {
    let mut text = String::new();
    for (file, lines) in lines(&graded(result)) {
        let _ = writeln!(text, "TN:propcov\nSF:{}", printable(file));
        let (mut branches, mut taken) = (0, 0);
        for (number, line) in &lines {
            for (position, branch) in line.branches.iter().enumerate() {
                let hits = branch.map_or("-".to_owned(), |hits| hits.to_string());
                let _ = writeln!(text, "BRDA:{number},0,{position},{hits}");
            }
            branches += line.branches.len();
            taken += line.taken();
        }
        let _ = writeln!(text, "BRF:{branches}\nBRH:{taken}");
        for (number, line) in &lines {
            let _ = writeln!(text, "DA:{number},{}", line.hits);
        }
        let hit = lines.values().filter(|line| line.hits > 0).count();
        let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    text
}

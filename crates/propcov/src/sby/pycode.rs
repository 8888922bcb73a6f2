//! Python code in a project: what stands between `--pycode-begin--` and `--pycode-end--` writes lines of the project, by calls of `output`, and knows the task and its
//! tags. It can do whatever its author likes, so it is executed only if the user says so; otherwise it is an error.

use super::Wrong;
use crate::slang;
use std::process::{Command, Stdio};

const BEGIN: &str = "--pycode-begin--";
const END: &str = "--pycode-end--";

/// Gives the code what SymbiYosys gives it. What the code prints is no part of the project.
const DRIVER: &str = "
import json, sys
sys.path[:] = [place for place in sys.path if place]
given, out = json.loads(sys.argv[1]), sys.stdout
sys.stdout = sys.stderr
def output(line):
    out.write(str(line).rstrip('\\n') + '\\n')
exec(given['code'], {'output': output, 'task': given['task'], 'tags': set(given['tags'])})
";

/// What the code of a project is told, and whether it may be executed.
#[derive(Clone, Copy)]
pub(super) struct Given<'g> {
    pub(super) task: Option<&'g str>,
    pub(super) tags: &'g [&'g str],
    /// Where it is executed.
    pub(super) directory: &'g std::path::Path,
    pub(super) may_run: bool,
}

/// The lines of a project with their numbers, from 1, and what its code writes in the place of the code.
pub(super) fn lines(text: &str, given: Given<'_>) -> Result<Vec<(usize, String)>, Wrong> {
    let mut all = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        if line.trim_end() != BEGIN {
            all.push((number, line.to_owned()));
            continue;
        }
        if !given.may_run {
            let message =
                format!("Python code in a project is not executed ({BEGIN}), unless --pycode allows it");
            return Err((number, message));
        }
        let mut code = String::new();
        let is_code = |line: &str| line.trim_end() != END;
        for (_, line) in lines.by_ref().take_while(|(_, line)| is_code(line)) {
            code.push_str(line);
            code.push('\n');
        }
        let written = run(&code, given).map_err(|message| (number, message))?;
        all.extend(written.lines().map(|line| (number, line.to_owned())));
    }
    Ok(all)
}

/// What some code writes.
fn run(code: &str, given: Given<'_>) -> Result<String, String> {
    let asked = serde_json::json!({ "code": code, "task": given.task, "tags": given.tags });
    let python = slang::python();
    let mut command = Command::new(&python);
    command.args(["-c", DRIVER]).arg(asked.to_string()).stdin(Stdio::null());
    if !given.directory.as_os_str().is_empty() {
        command.current_dir(given.directory);
    }
    let ran = command.output().map_err(|error| format!("{} cannot be run ({error})", python.display()))?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    let last = said.trim_end().lines().last().unwrap_or_default();
    Err(format!("the Python code of the project failed ({}): {last}", ran.status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const TEXT: &str = "[options]\n--pycode-begin--\nfor n in range(2):\n    output(f'# {task} {sorted(tags)} {n}')\nprint('unseen')\n--pycode-end--\nmode bmc\n";

    fn given(may_run: bool) -> Given<'static> {
        Given { task: Some("t"), tags: &["b", "a"], directory: Path::new(""), may_run }
    }

    #[test]
    fn code_is_not_executed_unless_that_is_allowed() {
        let (number, message) = lines(TEXT, given(false)).expect_err("not allowed");
        assert_eq!(number, 2);
        assert!(message.contains("--pycode"), "{message}");
    }

    #[test]
    fn what_code_writes_stands_in_its_place() {
        let Ok(lines) = lines(TEXT, given(true)) else { return eprintln!("skipped: there is no python3") };
        let texts: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        assert_eq!(texts, ["[options]", "# t ['a', 'b'] 0", "# t ['a', 'b'] 1", "mode bmc"]);
        assert_eq!(lines[3].0, 7);
    }

    #[test]
    fn code_that_fails_is_said_with_its_line() {
        let wrong = lines("--pycode-begin--\n1 / 0\n--pycode-end--\n", given(true)).expect_err("it fails");
        assert_eq!(wrong.0, 1);
        assert!(wrong.1.contains("ZeroDivisionError") || wrong.1.contains("cannot be run"), "{}", wrong.1);
    }
}

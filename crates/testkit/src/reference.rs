//! Asks `ctl_oracle.py`, which stands outside the project, in `../shared/oracle`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the other oracle and its examples are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle")
}

/// What the Python program says about the input, or what is absent. It gets the folder as argument, and has to read everything before it
/// writes anything.
pub fn ask(driver: &str, input: &str) -> Result<String, String> {
    let folder = folder();
    if !folder.join("ctl_oracle.py").exists() {
        return Err(folder.join("ctl_oracle.py").display().to_string());
    }
    let mut command = Command::new("python3");
    command.arg("-c").arg(driver).arg(&folder).env("PYTHONDONTWRITEBYTECODE", "1");
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        return Err("python3".to_owned());
    };
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the driver failed");
    Ok(String::from_utf8(output.stdout).expect("text"))
}

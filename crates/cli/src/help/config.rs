//! `propcov help config`: what `propcov.toml` can have, asked of the command line itself.

use crate::args::Arguments;
use crate::config::keys::{self, Kind};
use crate::config::waivers;
use clap::CommandFactory;

/// The page.
pub(super) fn page() -> String {
    let mut text = "\
propcov.toml: options that a team would otherwise type again and again.

It is found beside the design or in a directory above it, up to the root of the repository (.git), the home directory, or
the root of the file system; `--config FILE` names another one, and `--no-config` ignores all. propcov says on standard error
which file it used, and what it took from there. `propcov init` writes one.

A key is the long name of an option. The command line counts more than the file, a section of a design more than what is for
all designs, and the section of a command more than what is for all commands. Paths are meant from where the file stands.
What nobody knows, or has the wrong type, is an error.

  timeout = \"5m\"                      for every command that has --timeout
  files = [\"rtl/fifo.sv\"]             the design: `propcov cover` without FILE
  top = \"fifo\"
  reset = { rst_n = 0 }               lists of NAME=VALUE may be tables

  [cover]                             for propcov cover only
  metric = [\"mutation\", \"must\"]       lists of texts
  threshold = { mutation = 90, \"file:rtl/fifo.sv\" = 80 }

  [design.uart]                       one of several designs: `propcov cover uart`
  files = [\"rtl/uart.sv\"]

  [design.uart.cover]                 for this design and command
  bound = 20

  [[waiver]]                          or [[design.uart.waiver]]
  element = \"debug_*\"                 names of elements
  reason = \"not in the product\"

With several designs, each keeps its findings in a directory of its own (propcov.out/NAME).

Waivers count apart what is not covered, and never make anything covered. They are found by name and by text, not by line, so
that they stay when lines move. One that has expired waives nothing; one that fits nothing any more, or nothing that needs it,
is reported. Keys of a waiver:
"
    .to_owned();
    super::rows(&mut text, waivers::fields().map(|(name, meaning)| (name.to_owned(), meaning.to_owned())));
    text.push_str("\nKeys, with the commands that have them (F: true or false, L: a list):\n");
    let root = Arguments::command();
    super::rows(
        &mut text,
        keys::all(&root).into_iter().map(|(name, (kind, _, commands))| {
            let sign = match kind {
                Kind::Flag => "F ",
                Kind::Many => "L ",
                Kind::One => "  ",
            };
            let all = commands.len() == keys::COMMANDS.len();
            (name, format!("{sign}{}", if all { "all commands".to_owned() } else { commands.join(", ") }))
        }),
    );
    text
}

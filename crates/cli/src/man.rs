//! Manual pages, made of the command line itself: one for propcov and one for each command.

use crate::args::Arguments;
use crate::exit::ExitCode;
use crate::session::Session;
use clap::CommandFactory;
use propcov::files::WriteError;
use std::path::Path;

/// Prints the page of propcov, or writes all pages into a directory.
pub(crate) fn run(directory: Option<&Path>, session: &mut Session) -> ExitCode {
    let Some(directory) = directory else {
        let mut page = Vec::new();
        return match clap_mangen::Man::new(Arguments::command()).render(&mut page) {
            Ok(()) => session.print(&String::from_utf8_lossy(&page)),
            Err(_) => ExitCode::Internal,
        };
    };
    let written = std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), directory));
    match written {
        Ok(()) => ExitCode::Good,
        Err(error) => {
            session.complain(&format!("error: {}\n", WriteError { path: directory.to_owned(), error }));
            ExitCode::BadInput
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Command;
    use clap_complete::Shell;

    /// All commands that users see, each with the names of those above it.
    fn commands(command: &Command, above: &[String], all: &mut Vec<(Vec<String>, Command)>) {
        let name: Vec<String> = above.iter().cloned().chain([command.get_name().to_owned()]).collect();
        all.push((name.clone(), command.clone()));
        command.get_subcommands().filter(|one| !one.is_hide_set()).for_each(|one| commands(one, &name, all));
    }

    fn options(command: &Command) -> Vec<String> {
        let seen = command.get_arguments().filter(|argument| !argument.is_hide_set());
        seen.filter_map(|argument| argument.get_long()).map(str::to_owned).collect()
    }

    #[test]
    fn manual_pages_and_completions_have_every_command_and_every_option() {
        let mut root = Arguments::command();
        root.build();
        let mut all = Vec::new();
        commands(&root, &[], &mut all);
        assert!(all.len() > 15, "{}", all.len());
        let directory = std::env::temp_dir().join(format!("propcov-man-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory");
        clap_mangen::generate_to(Arguments::command(), &directory).expect("pages");
        let script = |shell: Shell| {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "propcov", &mut script);
            String::from_utf8(script).expect("text")
        };
        let [bash, zsh, fish] = [Shell::Bash, Shell::Zsh, Shell::Fish].map(script);
        for (name, command) in all.iter().filter(|(name, _)| name.get(1).is_none_or(|name| name != "help")) {
            let page = directory.join(format!("{}.1", name.join("-")));
            let page =
                std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("no page {}", page.display()));
            let page = page.replace("\\-", "-");
            // Options of this command, not of any: what bash offers in its own case.
            let case = format!("        {})\n            opts=\"", name.join("__subcmd__"));
            let offered =
                bash.split_once(&case).and_then(|(_, rest)| rest.split_once('"')).map(|(opts, _)| opts);
            let offered = offered.unwrap_or_else(|| panic!("bash has no case {case}"));
            for option in options(command) {
                let long = format!("--{option}");
                assert!(page.contains(&long), "{name:?}: the page lacks {long}");
                assert!(offered.split(' ').any(|word| word == long), "{name:?}: bash lacks {long}");
                assert!(zsh.contains(&long), "{name:?}: zsh lacks {long}");
                assert!(fish.contains(&format!("-l {option}")), "{name:?}: fish lacks {long}");
            }
            for inner in command.get_subcommands().filter(|one| !one.is_hide_set()) {
                let word = inner.get_name();
                assert!(
                    page.contains(&format!("{}-{word}(1)", name.join("-"))),
                    "{name:?}: the page lacks {word}"
                );
                for text in [&bash, &zsh, &fish] {
                    assert!(text.contains(word), "{name:?}: a completion lacks {word}");
                }
            }
        }
        std::fs::remove_dir_all(&directory).expect("removed");
    }
}

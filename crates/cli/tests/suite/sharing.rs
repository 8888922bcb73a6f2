//! Shares of the work, and farms of processes on this machine: what is lost is done again, and the result is that of one run.

use crate::common::{Run, Workspace, findings, share};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn propcov(workspace: &Workspace, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_propcov"));
    command.current_dir(workspace.path()).args(arguments).output().expect("propcov starts").into()
}

/// What a run found, without who found it, how, and how long it took.
fn facts(document: &Value) -> Value {
    let mut facts = document.clone();
    for field in ["run", "stats", "notes", "gate"] {
        facts[field] = Value::Null;
    }
    let list = |value: &mut Value| value.as_array_mut().map(std::mem::take).unwrap_or_default();
    let mut of = list(&mut facts["findings"]);
    for finding in &mut of {
        for field in ["by", "evidence", "witness"] {
            finding[field] = Value::Null;
        }
    }
    facts["findings"] = of.into();
    let mut of = list(&mut facts["properties"]);
    for property in &mut of {
        for field in [
            "seconds",
            "engine",
            "evidence",
            "depth",
            "size",
            "helped_by",
            "core",
            "proof",
            "recalled",
            "certify_seconds",
        ] {
            property[field] = Value::Null;
        }
    }
    facts["properties"] = of.into();
    let mut of = list(&mut facts["cores"]);
    of.iter_mut().for_each(|row| row["seconds"] = Value::Null);
    facts["cores"] = of.into();
    facts
}

/// What is true, as bytes.
fn bytes(workspace: &Workspace, directory: &str) -> String {
    let run = propcov(workspace, &["report", directory, "--format", "facts"]);
    assert!(!run.stdout.is_empty(), "{}", run.stderr);
    run.stdout
}

fn document(path: &Path) -> Value {
    let mut results: Vec<PathBuf> = std::fs::read_dir(path.join("results"))
        .expect("results")
        .map(|entry| entry.expect("readable").path())
        .collect();
    results.sort();
    let text = std::fs::read_to_string(results.last().expect("a result")).expect("readable");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn shards_and_a_merge_have_the_result_of_one_run() {
    for example in ["queue.btor2", "mutex.smv", "fifo.btor2"] {
        let workspace = Workspace::example(example);
        let single = workspace.run("cover", &["-m", "cone,core,mutation", "--out", "single"]);
        assert_eq!(single.code, 0, "{}", single.stderr);
        for index in ["3", "1", "2", "1"] {
            let run = workspace.run(
                "cover",
                &["-m", "cone,core,mutation", "--shards", "3", "--shard", index, "--format", "json"],
            );
            assert_eq!(run.code, 0, "{example} {index}: {}", run.stderr);
            let shard = run.document()["run"]["shard"].clone();
            assert_eq!(shard, json!({ "index": index.parse::<u32>().expect("a number"), "count": 3 }));
        }
        let parts = ["propcov.out/shards/2-of-3", "propcov.out/shards/3-of-3", "propcov.out/shards/1-of-3"];
        let merged =
            propcov(&workspace, &[&["report", "whole", "--format", "json", "--merge"], &parts[..]].concat());
        assert_eq!(merged.code, 0, "{}", merged.stderr);
        assert_eq!(
            facts(&merged.document()),
            facts(&document(&workspace.path().join("single"))),
            "{example}"
        );
        assert_eq!(bytes(&workspace, "whole"), bytes(&workspace, "single"), "{example}");
        let verified = workspace.verify(&["whole"]);
        assert_eq!(verified.code, 0, "{}", verified.stdout);

        let partial = propcov(&workspace, &[&["report", "partial", "--merge"], &parts[..2]].concat());
        assert!(partial.stderr.contains("shard 1 of 3 is missing"), "{}", partial.stderr);
        assert_eq!(partial.code, 4, "what is missing is unknown: {}", partial.stdout);
    }
}

#[test]
fn a_shard_reads_what_others_have_kept_and_does_not_do_it_again() {
    let workspace = Workspace::example("queue.btor2");
    let cheap = ["-m", "mutation", "--tests", "cone,core,simulation", "--out", "first"];
    assert_eq!(workspace.run("cover", &cheap).code, 4);
    let mut reused = 0;
    for index in ["1", "2"] {
        let arguments =
            ["-m", "mutation", "--shards", "2", "--shard", index, "--base", "first", "--format", "json"];
        let run = workspace.run("cover", &arguments);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let document = run.document();
        let decided = document["stats"]["decided_by"].as_object().cloned().unwrap_or_default();
        for technique in ["core", "simulation"] {
            assert!(!decided.contains_key(technique), "{technique} was done before: {decided:?}");
        }
        reused += document["stats"]["reused"].as_u64().unwrap_or_default();
    }
    // Three properties and eighteen mutants, but for three that the cheap ones do not decide.
    assert_eq!(reused, 51);
}

#[test]
fn shards_that_are_not_there_and_directories_that_say_nothing_are_refused() {
    let workspace = Workspace::example("queue.btor2");
    for (arguments, why) in [
        (&["--shards", "3", "--shard", "4"][..], "--shard is from 1 to 3, not 4"),
        (&["--shards", "3", "--shard", "0"], "--shard is from 1 to 3, not 0"),
        (&["--shards", "3"], "--shards goes with --shard"),
        (&["--shard", "1"], "--shards"),
        (&["--shards", "0", "--shard", "1"], "0 is not in 1..=65536"),
        (&["--shards", "3", "--shard", "1", "--no-out"], "cannot be used with"),
    ] {
        let run = workspace.run("cover", arguments);
        assert!(run.code == 1 && run.stderr.contains(why), "{arguments:?}: {}", run.stderr);
    }
    std::fs::create_dir(workspace.path().join("empty")).expect("made");
    let run = propcov(&workspace, &["report", "whole", "--merge", "empty"]);
    assert!(
        run.code == 1
            && run.stderr.contains("no run of `propcov cover`, `cores` or `check` has ended in empty"),
        "{}",
        run.stderr
    );
    let run = propcov(&workspace, &["report", "whole", "--merge", "nowhere"]);
    assert!(run.code == 1 && run.stderr.contains("nowhere is no directory"), "{}", run.stderr);
}

/// Runs a farm on the design of a workspace to its end.
fn farm(workspace: &Workspace, design: &str, arguments: &[&str]) -> Run {
    propcov(workspace, &[&["farm", "run", design], arguments].concat())
}

/// A program that stands for propcov in jobs.
fn script(workspace: &Workspace, text: &str) -> String {
    let program = workspace.path().join("program");
    std::fs::write(&program, text).expect("written");
    assert!(Command::new("chmod").arg("+x").arg(&program).status().expect("chmod").success());
    program.display().to_string()
}

/// Somebody who looks after a farm with two workers.
fn drive(workspace: &Workspace, shards: &str, program: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_propcov"));
    command.current_dir(workspace.path()).args(["farm", "run", "queue.btor2", "-m", "mutation"]);
    command.args(["--workers", "2", "--shards", shards, "--program", program]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("propcov starts")
}

#[test]
fn a_farm_of_processes_has_the_result_of_one_run() {
    let workspace = Workspace::example("queue.btor2");
    let single = workspace.run("cover", &["-m", "cone,core,mutation", "--out", "single", "--format", "json"]);
    let run = farm(
        &workspace,
        "queue.btor2",
        &["-m", "cone,core,mutation", "--shards", "3", "--workers", "2", "--format", "json"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(facts(&run.document())["shares"], facts(&single.document())["shares"]);
    assert_eq!(findings(&run.document()), findings(&single.document()));
    assert_eq!(bytes(&workspace, "propcov.out"), bytes(&workspace, "single"));
    let status = propcov(&workspace, &["farm", "status"]);
    assert_eq!((status.code, status.stdout.as_str()), (0, "done\n"));
    // It is done: to ask again does nothing.
    let again = propcov(&workspace, &["farm", "resume"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let other = farm(&workspace, "queue.btor2", &["-m", "mutation", "--shards", "5"]);
    assert!(other.code == 1 && other.stderr.contains("another plan"), "{}", other.stderr);
}

#[test]
fn any_command_that_takes_jobs_will_do() {
    let workspace = Workspace::example("queue.btor2");
    let submit = "nohup {command} > {log} 2>&1 & echo submitted as $!";
    let arguments = [
        "-m",
        "mutation",
        "--scheduler",
        "command",
        "--submit",
        submit,
        "--poll",
        "kill -0 {id}",
        "--kill",
        "kill {id}",
    ];
    let run = farm(
        &workspace,
        "queue.btor2",
        &[&arguments[..], &["--shards", "2", "--rounds", "1", "--format", "json"]].concat(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let single = workspace.run("cover", &["-m", "mutation", "--no-out", "--format", "json"]);
    let all = json!("all");
    assert_eq!(share(&run.document(), "mutation", &all), share(&single.document(), "mutation", &all));
}

#[test]
fn jobs_that_are_killed_and_a_driver_that_dies_lose_nothing() {
    let workspace = Workspace::example("queue.btor2");
    // A program that is killed the first time that a shard is run, and once more for one of them, which is then cut in two.
    let text = format!(
        "#!/bin/sh\nfor last; do :; done\ncase $last in 1.*) n=$(cat tries.$last 2>/dev/null || echo 0); echo $((n + 1)) > tries.$last\n\
         case $last in 1.2-of-3) [ $n -ge 2 ] || kill -9 $$ ;; *) [ $n -ge 1 ] || kill -9 $$ ;; esac ;; esac\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_propcov")
    );
    let program = script(&workspace, &text);
    let mut driver = drive(&workspace, "3", &program);
    let start = Instant::now();
    while !workspace.path().join("propcov.out/farm/done/0.1-of-1.json").exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "the first stage does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    driver.kill().expect("killed");
    driver.wait().expect("ended");
    let run = propcov(&workspace, &["farm", "resume"]);
    assert_eq!(run.code, 0, "{}\n{}", run.stdout, run.stderr);
    let lost = |name: &str| std::fs::read_to_string(workspace.path().join(name)).unwrap_or_default();
    assert_eq!(lost("tries.1.1-of-3").trim(), "2", "killed once, run once");
    let parts = workspace.path().join("propcov.out/farm/work/1");
    assert!(
        parts.join("2-of-6").is_dir() && parts.join("5-of-6").is_dir(),
        "what is lost twice is cut in two"
    );
    let single = workspace.run("cover", &["-m", "mutation", "--no-out", "--format", "json"]);
    assert_eq!(findings(&document(&workspace.path().join("propcov.out"))), findings(&single.document()));
}

#[test]
fn a_farm_is_cancelled_and_goes_on() {
    let workspace = Workspace::example("queue.btor2");
    // Shards that wait until they are ended, the first time.
    let text = format!(
        "#!/bin/sh\nfor last; do :; done\ncase $last in 1.*) [ -e goes-on ] || exec sleep 1000 ;; esac\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_propcov")
    );
    let program = script(&workspace, &text);
    let mut driver = drive(&workspace, "2", &program);
    let start = Instant::now();
    let is_running = || propcov(&workspace, &["farm", "status"]).stdout.contains("2 running");
    while !(workspace.path().join("propcov.out/farm/done/0.1-of-1.json").exists() && is_running()) {
        assert!(start.elapsed() < Duration::from_secs(120), "the shards do not start");
        std::thread::sleep(Duration::from_millis(50));
    }
    let cancelled = propcov(&workspace, &["farm", "cancel"]);
    assert!(cancelled.stdout.starts_with("2 jobs were ended."), "{}{}", cancelled.stdout, cancelled.stderr);
    assert_eq!(driver.wait().expect("ended").code(), Some(4));
    assert!(propcov(&workspace, &["farm", "status"]).stdout.starts_with("cancelled in: round 1 of 2"));
    std::fs::write(workspace.path().join("goes-on"), "").expect("written");
    let run = propcov(&workspace, &["farm", "resume"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn what_can_never_be_done_is_said_once() {
    let workspace = Workspace::new("broken.btor2", "1 sort bitvec\n");
    let run = farm(&workspace, "broken.btor2", &["-m", "mutation"]);
    assert!(run.code == 1 && run.stderr.contains("the first stage cannot be done"), "{}", run.stderr);
    for (arguments, why) in [
        (&["--tests", "core"][..], "chooses techniques by itself"),
        (&["--shard", "1", "--shards", "2"], "not for a farm"),
        (&["--scheduler", "slurm", "--workers", "2"], "--workers is for --scheduler local"),
        (&["--scheduler", "command"], "--submit"),
        (&["--sbatch=-pX"], "--sbatch is for --scheduler slurm"),
    ] {
        let run = farm(&workspace, "broken.btor2", arguments);
        assert!(run.code == 1 && run.stderr.contains(why), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn cores_and_checks_are_shared_out_by_hand() {
    let workspace = Workspace::example("asw_2.lus");
    assert_eq!(workspace.run("cores", &["--out", "single"]).code, 0);
    for index in ["2", "1", "3", "2"] {
        let run = workspace.run("cores", &["--shards", "3", "--shard", index, "--format", "json"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.document()["run"]["shard"]["count"], 3);
    }
    let parts = ["propcov.out/shards/1-of-3", "propcov.out/shards/2-of-3", "propcov.out/shards/3-of-3"];
    let merged = propcov(&workspace, &[&["report", "whole", "--merge"], &parts[..]].concat());
    assert_eq!(merged.code, 0, "{}{}", merged.stdout, merged.stderr);
    assert_eq!(bytes(&workspace, "whole"), bytes(&workspace, "single"));
    assert_eq!(workspace.verify(&["whole"]).code, 0);
    let partial = propcov(&workspace, &["report", "partial", "--merge", parts[1]]);
    assert!(partial.stderr.contains("shards 1 of 3, 3 of 3 are missing"), "{}", partial.stderr);

    let workspace = Workspace::example("queue.btor2");
    let single = workspace.run("check", &["--out", "single", "--format", "facts"]);
    for index in ["2", "1"] {
        let run = workspace.run("check", &["--shards", "2", "--shard", index, "-q"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let parts = ["propcov.out/shards/1-of-2", "propcov.out/shards/2-of-2"];
    let merged =
        propcov(&workspace, &[&["report", "whole", "--format", "facts", "--merge"], &parts[..]].concat());
    assert_eq!((merged.code, merged.stdout), (single.code, single.stdout), "{}", merged.stderr);
    // What is kept is not looked for again.
    let again = workspace.run("check", &["--out", "single", "--format", "json"]);
    let again = again.document();
    let properties = again["properties"].as_array().expect("properties");
    assert!(properties.iter().all(|property| property["recalled"] == true), "{properties:?}");
    for (arguments, why) in [
        (&["--shards", "2", "--shard", "3"][..], "--shard is from 1 to 2, not 3"),
        (&["--shards", "2", "--shard", "1", "--bound", "3"], "--engine and --bound are not for shards"),
        (&["--out", "x", "--core"], "--core and --advice are not for shards"),
        (&["--base", "x"], "--base goes with --shard or --out"),
    ] {
        let run = workspace.run("check", arguments);
        assert!(run.code == 1 && run.stderr.contains(why), "{arguments:?}: {}", run.stderr);
    }
    let run = workspace.run("cores", &["--shards", "2", "--shard", "1", "--depth", "3"]);
    assert!(run.code == 1 && run.stderr.contains("cannot be shared out"), "{}", run.stderr);
}

#[test]
fn farms_look_for_cores_and_check_properties() {
    let workspace = Workspace::example("asw_2.lus");
    assert_eq!(workspace.run("cores", &["--out", "single"]).code, 0);
    let run = propcov(
        &workspace,
        &["farm", "run", "cores", "asw_2.lus", "--shards", "3", "--workers", "2", "--out", "many"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(bytes(&workspace, "many"), bytes(&workspace, "single"));
    assert!(run.stderr.contains("min for each (from the first job)"), "{}", run.stderr);

    let workspace = Workspace::example("queue.btor2");
    let single = workspace.run("check", &["--format", "facts"]);
    let run = propcov(
        &workspace,
        &["farm", "run", "check", "queue.btor2", "--shards", "2", "--workers", "2", "--format", "facts"],
    );
    assert_eq!((run.code, run.stdout), (single.code, single.stdout), "{}", run.stderr);
}

#[test]
fn a_first_job_that_needs_more_memory_says_so_and_goes_on_when_it_may_have_it() {
    let workspace = Workspace::example("queue.btor2");
    let run = farm(&workspace, "queue.btor2", &["-m", "mutation", "--job-memory", "1M", "--workers", "1"]);
    assert!(run.code == 1 && run.stderr.contains("needs more than 1 MiB"), "{}", run.stderr);
    assert!(run.stderr.contains("--job-memory SIZE"), "{}", run.stderr);
    let run = propcov(&workspace, &["farm", "resume", "--job-memory", "2G"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_directory_that_is_away_for_a_while_costs_nothing() {
    let workspace = Workspace::example("queue.btor2");
    let here = |name: &str| workspace.path().join(name);
    // The first shard waits until somebody has moved the directory away.
    let text = format!(
        "#!/bin/sh\nfor last; do :; done\ncase $last in 1.1-*) touch '{}'; while [ -e propcov.out/farm/plan.json ]; do sleep 0.02; done ;; esac\nexec '{}' \"$@\"\n",
        here("waits").display(),
        env!("CARGO_BIN_EXE_propcov")
    );
    let program = script(&workspace, &text);
    let mut driver = drive(&workspace, "2", &program);
    let start = Instant::now();
    while !here("waits").exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "the first shard does not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::fs::rename(here("propcov.out"), here("elsewhere")).expect("moved");
    std::thread::sleep(Duration::from_secs(2));
    assert!(!here("propcov.out").exists(), "something was made in its place");
    std::fs::rename(here("elsewhere"), here("propcov.out")).expect("moved back");
    assert_eq!(driver.wait().expect("ended").code(), Some(0));
    let single = workspace.run("cover", &["-m", "mutation", "--out", "single"]);
    assert_eq!(single.code, 0, "{}", single.stderr);
    assert_eq!(bytes(&workspace, "propcov.out"), bytes(&workspace, "single"));
}

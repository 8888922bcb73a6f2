"""What all benchmarks of this folder have in common: the models, the binary, a row at a time, and what the figures depend on."""

import csv, fnmatch, json, os, pathlib, random, subprocess, sys, time

import measuring

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT.parent / "shared" / "benchmarks" / "smv"


def recorded_answers():
    """File name -> what NuSMV said."""
    if not MODELS.exists():
        sys.exit(f"there is no {MODELS}: this benchmark needs ../shared")
    verdicts = json.loads((MODELS / "ctl_verdicts.json").read_text())
    with open(MODELS / "RESULTS.tsv", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {row["file"]: measuring.recorded_answer(row, verdicts.get(row["file"], [])) for row in rows}


def chosen(recorded, pattern, is_wanted):
    """Models with such a name, in an order in which an interrupted run is a fair sample."""
    models = [MODELS / name for name in sorted(recorded) if fnmatch.fnmatch(pathlib.Path(name).stem, pattern)]
    models = [model for model in models if is_wanted(recorded[model.name])]
    random.Random(0).shuffle(models)
    return models or sys.exit(f"no model is called {pattern}")


def add_options(parser, out):
    parser.add_argument("--memory", type=int, default=8, metavar="GB", help="address space of each process (%(default)s)")
    parser.add_argument("--models", default="*", metavar="PATTERN", help="only models with such a name")
    parser.add_argument("--binary", help="a propcov to measure instead of building this one")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / out, metavar="DIR")
    parser.add_argument("--summary", type=pathlib.Path, metavar="CSV", help="measure nothing")


def provide_binary(arguments):
    arguments.is_given = bool(arguments.binary)
    if not arguments.is_given:
        subprocess.run(["cargo", "build", "--quiet", "--release", "--package", "propcov"], cwd=ROOT, check=True)
        arguments.binary = str(ROOT / "target" / "release" / "propcov")


def circumstances(arguments, names):
    """What the figures depend on."""

    def said(*command):
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()

    # Nobody knows what somebody else's binary was built from.
    changed = ", changed" if said("git", "status", "--porcelain", "crates", "Cargo.lock") else ""
    revision = "a given binary" if arguments.is_given else said("git", "rev-parse", "--short", "HEAD") + changed
    processor = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "processor": processor,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "version": f"{said(arguments.binary, '--version')} ({revision})",
        "options": {name: value for name in names if (value := getattr(arguments, name)) != ""},
    }


def measure_all(models, columns, rows_of, line, run, out):
    """Writes the rows of each model as soon as they are there. Ctrl-C ends that early."""
    out.mkdir(parents=True, exist_ok=True)
    run["models"] = len(models)
    (out / "run.json").write_text(json.dumps(run, indent=2) + "\n")
    with open(out / "results.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        for index, model in enumerate(models, 1):
            try:
                rows = rows_of(model)
            except KeyboardInterrupt:
                print(f"interrupted before {index} of {len(models)} models", file=sys.stderr)
                break
            for row in rows:
                writer.writerow(row)
                print(f"{index}/{len(models)} {line(row)}", file=sys.stderr)
            file.flush()
    run["load_after"] = round(os.getloadavg()[0], 2)
    (out / "run.json").write_text(json.dumps(run, indent=2) + "\n")


def conclude(path, typed, summary):
    """Writes the summary beside the rows that are there; says whether nobody contradicted anybody."""
    with open(path, newline="") as file:
        rows = typed(csv.DictReader(file))
    run = json.loads((path.parent / "run.json").read_text()) if (path.parent / "run.json").exists() else {}
    text, agreed = summary(rows, run)
    (path.parent / "summary.md").write_text(text)
    print(text)
    return agreed

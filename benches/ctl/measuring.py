"""Runs propcov and NuSMV on one model, and compares what they say with each other and with what is recorded.

Seconds are wall-clock seconds of the whole process: start-up, reading, verdicts, evidence, and the counts of states if they are asked for.
"""

import json, math, os, pathlib, re, resource, signal, statistics, subprocess, tempfile, time

COUNTS = ("reachable", "fair", "diameter")
COLUMNS = ["model", "specifications", "recorded_seconds", "runs"]
COLUMNS += ["propcov", "propcov_seconds", *COUNTS, "true", "false", "certified", "peak_nodes", "reorderings", "reachability_seconds"]
COLUMNS += ["nusmv", "nusmv_seconds", "compared", "disagreements", "notes"]

# How long after its own deadline propcov may still write its document.
GRACE = 10


class Answer:
    """What a tool said of a model. Verdicts and counts may be there in part."""

    def __init__(self, status, seconds, verdicts=None, counts=None, stats=None, note=""):
        # finished, unfinished, unread or crashed
        self.status, self.seconds, self.note = status, seconds, note
        # instance -> [true, false or None for each CTL specification, in the order of the module]
        self.verdicts = verdicts or {}
        # name -> digits, as NuSMV prints them
        self.counts = counts or {}
        self.stats = stats or {}


def printed(count):
    """A number as NuSMV prints it: with six significant digits."""
    return f"{float(count):g}"


def timed(command, limit, memory):
    """Output, errors, exit code (None: stopped at the limit) and seconds."""

    def restrict():
        resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))

    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               errors="replace", preexec_fn=restrict, start_new_session=True)
    try:
        output, errors = process.communicate(timeout=limit)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        code = None
    except KeyboardInterrupt:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return output, errors, code, time.monotonic() - start


class Propcov:
    def __init__(self, binary, options, with_counts, memory):
        self.command = [binary, "check", "--format", "json", "--quiet", *(["--stats"] if with_counts else []), *options]
        self.with_counts, self.memory = with_counts, memory

    def check(self, model, limit):
        command = [*self.command, "--timeout", str(math.ceil(limit)), str(model)]
        output, errors, code, seconds = timed(command, math.ceil(limit) + GRACE, self.memory)
        note = first_line(errors).replace(str(model), model.name)
        if code is None:
            return Answer("unfinished", seconds, note=f"killed {GRACE} s after its deadline")
        try:
            document = json.loads(output)
        except json.JSONDecodeError:
            return Answer("unread" if code == 1 else "crashed", seconds, note=note or f"no document, exit code {code}")
        verdicts, certified = {}, 0
        for property in document.get("properties") or []:
            if property["kind"] == "ctl":
                instance = property["name"].rpartition(".")[0]
                verdict = {"proved": "true", "falsified": "false"}.get(property["verdict"])
                verdicts.setdefault(instance, []).append(verdict)
                certified += property["certified"]
                note = note or (property.get("reason") if verdict is None else "") or ""
        stats = document.get("stats") or {}
        counts = {name: printed(count) for name, count in (stats.get("states") or {}).items() if name in COUNTS}
        diagrams = stats.get("diagrams") or {}
        taken = {"certified": certified, **{name: diagrams.get(name, "") for name in ("peak_nodes", "reorderings")}}
        taken["reachability_seconds"] = (stats.get("seconds") or {}).get("reachability", "")
        whole = all(None not in row for row in verdicts.values()) and (counts or not self.with_counts)
        status = "crashed" if code == 5 else "finished" if whole else "unfinished"
        note = note or ("" if whole else "states not counted")
        return Answer(status, seconds, verdicts, counts, taken, note)


class NuSMV:
    """The peer, given the same questions by a script: counts of states if they are asked for, and CTL specifications."""

    def __init__(self, binary, options, with_counts, memory):
        self.binary, self.options, self.with_counts, self.memory = binary, options, with_counts, memory
        # Stops at the first error, or a question would be asked of no model.
        self.script = ["set on_failure_script_quits", "go"]
        self.script += ["compute_reachable", "print_reachable_states", "print_fair_states"] if with_counts else []
        # It checks small cones of influence first; the list of properties has the order of the model.
        self.script += ["check_ctlspec", "show_property -c", "quit"]

    def check(self, model, limit):
        with tempfile.NamedTemporaryFile("w", suffix=".cmd") as script:
            script.write("\n".join(self.script) + "\n")
            script.flush()
            command = [self.binary, *self.options, "-source", script.name, str(model)]
            output, errors, code, seconds = timed(command, limit, self.memory)
        verdicts, counts = read_nusmv(output)
        if code is None:
            return Answer("unfinished", seconds, verdicts, counts)
        if code != 0 or (self.with_counts and "fair" not in counts):
            return Answer("unread" if "reachable" not in counts else "crashed", seconds, verdicts, counts, note=first_line(errors))
        return Answer("finished", seconds, verdicts, counts)


def read_nusmv(output):
    """Verdicts by instance and counts, in what NuSMV prints."""
    verdicts, counts = {}, {}
    # `case` in a formula is printed in several lines.
    for formula, verdict in re.findall(r"^\d+ ?: ?(.*?)\n  \[CTL +(True|False) ", output, re.MULTILINE | re.DOTALL):
        verdicts.setdefault(instance_of(formula), []).append(verdict.lower())
    for name, pattern in (
        ("reachable", r"^reachable states: (\S+) "),
        ("fair", r"^fair states: (\S+) "),
        ("diameter", r"^system diameter: (\d+)"),
    ):
        found = re.search(pattern, output, re.MULTILINE)
        if found:
            counts[name] = printed(found[1])
    return verdicts, counts


def instance_of(formula):
    """NuSMV prints `AG p IN instance`; of the main module `AG p` alone."""
    return formula.rpartition(" IN ")[2].strip() if " IN " in formula else ""


def first_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    wrong = [line for line in lines if "error" in line.lower()]
    return (wrong or lines or [""])[0]


def recorded_answer(row, verdicts):
    """What is recorded in RESULTS.tsv and ctl_verdicts.json."""
    said = {}
    for formula, verdict in verdicts:
        said.setdefault(instance_of(formula), []).append(verdict)
    counts = {"reachable": row["reachable"], "fair": row["fair_reachable"], "diameter": row["diameter"]}
    counts = {name: printed(count) for name, count in counts.items() if count}
    answer = Answer("finished" if counts else "unfinished", float(row["nusmv_seconds"]), said, counts)
    answer.specifications = int(row["ctl"])
    return answer


def compare(ours, theirs, whose):
    """How many verdicts and counts both have, and where they differ."""
    compared, conflicts = 0, []
    if not ours.verdicts and ours.status in ("unread", "crashed"):
        return compared, conflicts
    for instance, expected in theirs.verdicts.items():
        said = ours.verdicts.get(instance, [])
        where = f" in {instance}" if instance else ""
        if ours.status == theirs.status == "finished" and len(said) != len(expected):
            conflicts.append(f"{len(said)} specifications{where}, {whose} {len(expected)}")
            continue
        for number, (a, b) in enumerate(zip(said, expected), 1):
            if a is not None:
                compared += 1
                if a != b:
                    conflicts.append(f"SPEC {number}{where} is {a}, {whose} {b}")
    for name in COUNTS:
        if name in ours.counts and name in theirs.counts:
            compared += 1
            if ours.counts[name] != theirs.counts[name]:
                conflicts.append(f"{name} {ours.counts[name]}, {whose} {theirs.counts[name]}")
    return compared, conflicts


def with_a_specification(model, directory):
    """A copy of a model without any CTL specification, with one that is true: nobody looks at the states of a model without a question."""
    text, found = re.subn(r"^(\s*MODULE\s+main\b(?:[ \t]*\([ \t]*\))?)", r"\1 SPEC TRUE ", model.read_text(errors="replace"), flags=re.MULTILINE)
    copy = pathlib.Path(directory) / model.name
    copy.write_text(text)
    return copy if found == 1 else model


def measure(model, recorded, tools, arguments):
    """A row of the table. `tools` has propcov, and perhaps nusmv."""
    with tempfile.TemporaryDirectory(prefix="propcov-bench-") as directory:
        asked = model if recorded.specifications else with_a_specification(model, directory)
        return row_of(model, asked, recorded, tools, arguments)


def row_of(model, asked, recorded, tools, arguments):
    answers = {name: [] for name in tools}
    for turn in range(arguments.repeat):
        for name in tools if turn % 2 == 0 else reversed(tools):
            answers[name].append(tools[name].check(asked, arguments.timeout))
        if max(answer.seconds for runs in answers.values() for answer in runs) >= arguments.repeat_below:
            break
    ours = worst(answers["propcov"])
    row = dict.fromkeys(COLUMNS, "")
    row.update(model=model.stem, runs=len(answers["propcov"]), propcov=ours.status, **ours.counts, **ours.stats)
    row["specifications"] = sum(map(len, (ours.verdicts or recorded.verdicts).values()))
    row["recorded_seconds"] = recorded.seconds if recorded.status == "finished" else ""
    for verdict in ("true", "false"):
        row[verdict] = sum(said.count(verdict) for said in ours.verdicts.values())
    row["compared"], conflicts = compare(ours, recorded, "recorded")
    for name, runs in answers.items():
        row[name] = worst(runs).status
        row[f"{name}_seconds"] = round(statistics.median(answer.seconds for answer in runs), 4)
    # What is recorded has no verdicts of models that were too slow; and the peer may be of another version.
    for theirs in answers.get("nusmv", [])[:1]:
        compared, more = compare(ours, theirs, "NuSMV")
        row["compared"] = max(row["compared"], compared)
        conflicts += more
        conflicts += [f"NuSMV itself differs from what is recorded: {text}" for text in compare(theirs, recorded, "recorded")[1]]
    for again in answers["propcov"]:
        conflicts += compare(again, ours, "another run of propcov")[1]
    row["disagreements"] = "; ".join(dict.fromkeys(conflicts))
    row["notes"] = ours.note if ours.status != "finished" else ""
    return row


def worst(answers):
    """Of repetitions, the one that says least."""
    order = ("crashed", "unread", "unfinished", "finished")
    return min(answers, key=lambda answer: order.index(answer.status))

"""One process at a time: how long it took, and what it said about cores."""

import json, pathlib, statistics, sys
from dataclasses import dataclass, field

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import processes

# What is asked of each model; `check` is the proof alone.
MODES = ("check", "one", "minimal", "must", "all")
# The exit code of an internal error: evidence that propcov's own checker did not accept.
INTERNAL_ERROR = 5
# What takes longer than this is not repeated.
REPEATED_BELOW = 2
COLUMNS = (
    "model", "mode", "status", "exit_code", "runs", "seconds", "cpu_seconds", "engine_seconds", "proof_seconds", "cores_seconds", "certify_seconds", "cores", "smallest",
    "largest", "must", "open", "notes",
)


@dataclass
class Sample:
    """One run of propcov on one model."""

    status: str
    exit_code: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    engine_seconds: float = 0.0
    proof_seconds: float = 0.0
    cores_seconds: float = 0.0
    certify_seconds: float = 0.0
    cores: list = field(default_factory=list)
    minimal: list = field(default_factory=list)
    complete: bool = False
    must: object = None
    must_unknown: frozenset = frozenset()
    notes: str = ""

    @property
    def answer(self):
        """What must not depend on the moment: everything but the seconds."""
        return self.status, frozenset(self.cores), self.complete, self.must, self.must_unknown


@dataclass
class Model:
    """A model, what was published of it, and its runs so far."""

    path: object
    published: dict = field(default_factory=dict)
    published_cores: object = None
    samples: dict = field(default_factory=dict)

    @property
    def name(self):
        return self.path.stem

    def first(self, mode):
        runs = self.samples.get(mode)
        return runs[0] if runs else None

    def has_to_run(self, mode):
        first = self.first(mode)
        return first is None or (first.seconds < REPEATED_BELOW and first.status != "CRASHED")


def run(binary, model, mode, timeout):
    """One run of `propcov check` or `propcov cores`."""
    command = [binary, "check"] if mode == "check" else [binary, "cores", "--no-out", f"--{mode}"]
    output, errors, code, seconds, cpu = processes.timed(command + [str(model), "--quiet", "--format", "json", "--stats", "-t", str(timeout)], timeout)
    sample = read(mode, output, errors, code)
    sample.exit_code, sample.seconds, sample.cpu_seconds = code, seconds, cpu
    return sample


def read(mode, output, errors, code):
    """What a document of propcov says. The models have one property each."""
    said = errors.strip().splitlines()
    if code == INTERNAL_ERROR:
        wrong = next((line for line in said if "internal error" in line), said[0] if said else "no output")
        return Sample("CRASHED", notes=wrong)
    try:
        document = json.loads(output)
        stats = document["stats"]
        property, = document["properties"]
        if property["verdict"] == "falsified":
            return Sample("REFUTED", notes=property["name"])
        if mode == "check":
            return read_check(property, stats)
        about, = (entry for entry in document["cores"] if entry.get("property") is not None)
        names = {element["id"]: element["name"] for element in document["elements"]}
    except (ValueError, KeyError, TypeError):
        was_killed = code is not None and code < 0
        return Sample("CRASHED" if was_killed or code == 101 else "error", notes=f"exit code {code}: " + (said[0] if said else "no output that can be read"))
    return read_cores(property, about, names)


def read_check(property, stats):
    return Sample(
        status="answered" if property["verdict"] == "proved" and property["certified"] else "open",
        engine_seconds=stats["seconds"]["engine"],
        proof_seconds=stats["seconds"]["engine"],
        certify_seconds=stats["seconds"]["certify"],
        notes=property.get("reason") or "",
    )


def read_cores(property, about, names):
    """What is empty or not known is left out of a document; elements are numbers."""
    def named(ids):
        return frozenset(names[id] for id in ids)

    seconds = about["seconds"]
    undecided = [f"{reason} ({count})" for reason, count in about.get("undecided", {}).items()]
    reasons = [property.get("reason") or "", "out of time" if about["stopped"] else "", *undecided]
    return Sample(
        status="answered" if about["answered"] else "open",
        engine_seconds=seconds["proof"] + seconds["cores"],
        proof_seconds=seconds["proof"],
        cores_seconds=seconds["cores"],
        certify_seconds=seconds["certify"],
        cores=[named(core["elements"]) for core in about.get("cores", [])],
        minimal=[core["minimal"] == "minimal" for core in about.get("cores", [])],
        complete=about["complete"],
        must=named(about["must"]) if "must" in about else None,
        must_unknown=named(about.get("must_unknown", [])),
        notes="; ".join(reason for reason in reasons if reason),
    )


def rows(model):
    """A model's rows of results, one for each mode: medians of its runs."""
    for mode in MODES:
        runs = model.samples.get(mode)
        if not runs:
            continue
        first = runs[0]
        middle = lambda name: round(statistics.median(getattr(sample, name) for sample in runs), 6)
        differ = len({sample.answer for sample in runs}) > 1
        worst = next((status for status in ("CRASHED", "REFUTED", "error", "open") if any(s.status == status for s in runs)), "answered")
        sizes = [len(core) for core in first.cores]
        yield {
            "model": model.name, "mode": mode, "status": worst, "exit_code": first.exit_code, "runs": len(runs),
            **{name: middle(name) for name in ("seconds", "cpu_seconds", "engine_seconds", "proof_seconds", "cores_seconds", "certify_seconds")},
            "cores": "" if mode == "check" else len(sizes), "smallest": min(sizes, default=""), "largest": max(sizes, default=""),
            "must": "" if first.must is None else len(first.must), "open": len(first.must_unknown),
            # Where time ran out, what was found depends on the machine.
            "notes": "; ".join(note for note in (first.notes, "runs differ" if differ and worst == "answered" else "") if note),
        }

"""One process at a time: how long it took, and what it said."""

import json, pathlib, re, statistics, sys, tempfile
from dataclasses import dataclass, field

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import processes

COLUMNS = (
    "model", "verdict", "certified", "engine", "depth", "k", "lemmas", "runs", "seconds", "cpu_seconds", "engine_seconds", "proof_seconds", "published_seconds",
    "published_engine", "ratio", "notes",
)

@dataclass
class Sample:
    """One run of propcov on one model."""

    verdict: str
    certified: bool = False
    engine: str = ""
    depth: object = ""
    engine_seconds: float = 0.0
    proof_seconds: float = 0.0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    notes: str = ""


@dataclass
class Model:
    """A model, and its runs so far."""

    path: pathlib.Path
    published: dict = field(default_factory=dict)
    samples: list = field(default_factory=list)
    k: object = ""
    lemmas: object = ""

    @property
    def name(self):
        return f"{self.path.parent.name}/{self.path.stem}"


def run(binary, model, timeout, options=()):
    """One run of `propcov check`."""
    command = [binary, "check", str(model), "--quiet", "--format", "json", "--stats", "-t", str(timeout), *options]
    output, errors, _, seconds, cpu = processes.timed(command, timeout)
    sample = read(output, errors)
    sample.seconds, sample.cpu_seconds = seconds, cpu
    return sample


def read(output, errors):
    """What a document of propcov says: a model is proved if all of its properties are."""
    try:
        document = json.loads(output)
        properties = document["properties"]
    except (json.JSONDecodeError, KeyError):
        said = errors.strip().splitlines()
        return Sample("error", notes=said[0] if said else "no output")
    verdicts = {p["verdict"] for p in properties}
    worst = next((v for v in ("falsified", "unknown") if v in verdicts), "proved") if properties else "error"
    engines = sorted({p["engine"] for p in properties if p["engine"]})
    depths = [p["depth"] for p in properties if p["depth"] is not None]
    open_ones = [f"{p['name']}: {p.get('reason')}" for p in properties if p["verdict"] == "unknown"]
    return Sample(
        verdict=worst,
        certified=all(p["certified"] for p in properties),
        engine="+".join(engines),
        depth=max(depths, default=""),
        engine_seconds=document["stats"]["seconds"].get("engine", 0.0),
        proof_seconds=document["stats"]["seconds"]["proof"],
        notes="; ".join(open_ones[:2]) + (f"; and {len(open_ones) - 2} more" if len(open_ones) > 2 else ""),
    )


def look_at_proofs(binary, model, timeout):
    """The length of induction and the number of lemmas of a model's proofs, by one more run that nobody measures: the same input has the same proof."""
    with tempfile.TemporaryDirectory() as directory:
        run(binary, model, timeout, ["--certificate", directory])
        return proofs(file.read_text() for file in sorted(pathlib.Path(directory).glob("*.invariant.txt")))


def proofs(texts):
    """The greatest k, and all lemmas."""
    found = [re.search(r"these (\d+) lemmas? it is (\d+)-inductive", text) for text in texts]
    found = [match for match in found if match]
    return max((int(match[2]) for match in found), default=""), sum(int(match[1]) for match in found) if found else ""


def row(model):
    """A model's row of results: medians of its runs."""
    first = model.samples[0]
    middle = lambda name: statistics.median(getattr(sample, name) for sample in model.samples)
    published = float(model.published["proof_s"]) if model.published.get("proof_s") else ""
    seconds = middle("seconds")
    differing = {(s.verdict, s.certified, s.engine, s.depth) for s in model.samples}
    notes = [first.notes, "runs differ" if len(differing) > 1 else ""]
    return {
        "model": model.name,
        "verdict": first.verdict if len({s.verdict for s in model.samples}) == 1 else "differs",
        "certified": "yes" if all(s.certified for s in model.samples) else "no",
        "engine": first.engine,
        "depth": first.depth,
        "k": model.k,
        "lemmas": model.lemmas,
        "runs": len(model.samples),
        "seconds": round(seconds, 4),
        "cpu_seconds": round(middle("cpu_seconds"), 4),
        "engine_seconds": round(middle("engine_seconds"), 6),
        "proof_seconds": round(middle("proof_seconds"), 4),
        "published_seconds": published,
        "published_engine": model.published.get("engine", ""),
        "ratio": round(seconds / published, 4) if published else "",
        "notes": "; ".join(note for note in notes if note),
    }

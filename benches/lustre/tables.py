"""From rows to Markdown."""

import collections, math, pathlib, statistics, sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from processes import quartiles, seconds

TEXTS = ("model", "verdict", "certified", "engine", "published_engine", "notes")
# JKind's seconds do not have the start of the Java machine in them, ours have everything.
REMARK = (
    "Seconds of propcov are wall-clock seconds of the whole process, certification included. Published are JKind's own seconds for the proof, of the authors' "
    "machine; the start of the Java machine, about a second, is not in them. Nothing of JKind was run here, so that a ratio compares two machines as well as two tools."
)


def typed(rows):
    """Rows as they were before they were written."""
    return [{name: value if name in TEXTS else number(value) for name, value in row.items()} for row in rows]


def number(text):
    try:
        return float(text) if any(c in text for c in ".e") else int(text)
    except ValueError:
        return text


def table(head, lines):
    text = "| " + " | ".join(head) + " |\n|" + "---|" * len(head) + "\n"
    return text + "".join("| " + " | ".join(str(cell) for cell in cells) + " |\n" for cells in lines)


def is_as_expected(rows):
    """All properties hold; not to prove one is a pity, to refute one is wrong."""
    return not any(row["verdict"] in ("falsified", "error", "differs") or "runs differ" in row["notes"] for row in rows)


def geometric(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def spread(name, values):
    low, middle, high = quartiles(values)
    return [name, *map(seconds, (low, middle, high, max(values), sum(values)))]


def summary(rows, run):
    proved = [row for row in rows if row["verdict"] == "proved" and row["certified"] == "yes"]
    compared = [row for row in proved if row["published_seconds"] != ""]
    share = f"{100 * len(proved) / len(rows):.1f} %"
    parts = [
        "# Lustre models: propcov next to what was published of JKind\n",
        f"{run['date']}, {run['processor']}, {run['cores']} cores, load {run['load']} before and {run.get('load_after', '?')} after. {run['version']}. "
        f"{run['timeout']:g} s per model, {run['repeat']} round{'s' if run['repeat'] > 1 else ''}, {run['jobs']} at once, models `{run['only']}`.\n",
        f"**{len(proved)} of {len(rows)} models proved and certified ({share})** within {run['timeout']:g} s.\n",
        REMARK + "\n",
    ]
    if compared:
        parts.append(f"Seconds of the {len(compared)} proved models with a published time:\n")
        head = ["", "lower quartile", "median", "upper quartile", "largest", "total"]
        columns = (("propcov, whole process", "seconds"), ("propcov, processor", "cpu_seconds"), ("propcov, proof and certification", "proof_seconds"), ("propcov, proof alone", "engine_seconds"))
        lines = [spread(name, [row[column] for row in compared]) for name, column in columns]
        lines.append(spread("JKind, published", [row["published_seconds"] for row in compared]))
        lines.append([*spread("whole process / published", [row["ratio"] for row in compared])[:-1], "-"])
        parts.append(table(head, lines))
        medians = [statistics.median(row[name] for row in compared) for name in ("seconds", "published_seconds")]
        parts.append(
            f"Ratio of medians {medians[0] / medians[1]:.3f}; geometric mean of ratios {geometric([row['ratio'] for row in compared]):.3f}. "
            f"{sum(row['ratio'] < 0.1 for row in compared)} models take less than a tenth of the published time, "
            f"{sum(row['ratio'] >= 1 for row in compared)} take longer than it{slower(compared)}\n"
        )
        engine = [row["engine_seconds"] / row["published_seconds"] for row in compared]
        ours = statistics.median(row["engine_seconds"] for row in compared)
        parts.append(
            f"Of the proof alone, without process and certification, which is what JKind's figure is about: ratio of medians {ours / medians[1]:.3f}, "
            f"median of ratios {statistics.median(engine):.3f}; {sum(ratio < 0.1 for ratio in engine)} models take less than a tenth of the published time, "
            f"{sum(ratio >= 1 for ratio in engine)} longer than it.\n"
        )
    parts.append(by_engine(proved))
    parts.append(open_models(rows, proved))
    return "\n".join(parts)


def slower(rows):
    worst = sorted((row for row in rows if row["ratio"] >= 1), key=lambda row: -row["ratio"])
    words = [f"{row['model']} ({seconds(row['seconds'])} s, published {row['published_seconds']})" for row in worst[:10]]
    return (": " + ", ".join(words) + (" and others" if len(worst) > 10 else "") if words else "") + "."


def by_engine(proved):
    groups = collections.defaultdict(list)
    for row in proved:
        groups[row["engine"]].append(row)
    lines = []
    for engine, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        published = collections.Counter(row["published_engine"] for row in group if row["published_engine"])
        theirs = ", ".join(f"{name} {count}" for name, count in published.most_common())
        lemmas = [row["lemmas"] for row in group if row["lemmas"] != ""]
        most = f"{statistics.median(lemmas):g} / {max(lemmas)}" if lemmas else "-"
        lines.append([engine, len(group), seconds(statistics.median(row["seconds"] for row in group)), most, theirs or "-"])
    head = ["decided by", "models", "median seconds", "lemmas, median / most", "JKind's engine, where published"]
    return "Several engines are named where a model has several properties.\n\n" + table(head, lines)


def open_models(rows, proved):
    rest = [row for row in rows if row not in proved]
    if not rest:
        return "All models were proved.\n"
    lines = [[row["model"], row["verdict"], seconds(row["seconds"]), row["published_seconds"], row["published_engine"], row["notes"]] for row in rest]
    return f"Not proved, {len(rest)}:\n\n" + table(["model", "verdict", "seconds", "published", "JKind's engine", "why"], lines)


def all_models(rows):
    head = ["model", "verdict", "certified", "engine", "k", "depth", "lemmas", "seconds", "proof", "published", "ratio"]
    names = ["model", "verdict", "certified", "engine", "k", "depth", "lemmas", "seconds", "proof_seconds", "published_seconds", "ratio"]
    remark = "`k`: length of induction of the proof. `depth`: frames, where IC3 found it. `seconds`: the whole process. `proof`: proof and certification, in steps of a millisecond."
    return f"# All models\n\n{REMARK}\n\n{remark}\n\n" + table(head, [[row[name] for name in names] for row in rows])

"""From rows of coverage to a summary in Markdown."""

import statistics

import tables

# Below this, single calls of the clock and of the operating system are seen.
SHORT = 0.005
# What the issue asks for.
AIM = 0.2
TEXTS = ("model", "metric", "semantics", "observed", "status", "total", "covered", "certified", "disagreements", "notes")
FIGURES = (
    ("overhead", "(prepaid + coverage) / plain"),
    ("overhead_after_check", "coverage / plain"),
    ("overhead_over_check", "plain, prepaid and coverage over plain of `check`"),
    ("process_overhead", "whole processes, with holes and evidence"),
)


def typed(rows):
    return tables.typed(rows, TEXTS)


def line(row):
    """One row, for people who watch."""
    words = [row["model"], f"{row['metric']} {row['semantics']} {row['observed']}".strip(), row["status"]]
    if row["overhead"] != "":
        words.append(f"{percent(row['overhead'])} of {row['plain_seconds']:.4f} s, {percent(row['overhead_after_check'])} without what is prepaid")
    words += [f"DISAGREES: {row['disagreements']}" if row["disagreements"] else "", row["notes"]]
    return ", ".join(word for word in words if word)


def percent(ratio):
    return f"{100 * ratio:.1f} %" if abs(ratio) < 0.1 else f"{100 * ratio:.0f} %"


def summary(rows, run):
    """The text, and whether nobody contradicted anybody."""
    wrong = [row for row in rows if row["disagreements"]]
    models = len({row["model"] for row in rows})
    parts = ["# What coverage costs on top of plain checking\n", *tables.setting(run)]
    parts.append(f"{models} of {run.get('models', models)} models.\n\n" + MEANING)
    for metric in ("state", "transition"):
        parts.append(f"## Overhead of {metric} coverage\n\n" + overheads(rows, metric))
    parts.append(agreement(rows, wrong))
    parts.append("## One signal\n\n" + one_signal(rows))
    parts.append("## All signals that the properties mention\n\n" + all_signals(rows))
    mutation = [row for row in rows if row["semantics"] == "mutation"]
    if mutation:
        parts.append("## One signal, states, mutation semantics\n\n" + by_mutation(mutation))
    parts.append("## Not measured\n\n" + left_out(rows))
    return "\n".join(parts), not wrong


MEANING = """\
*Plain* checking: building the model, reachable states, verdicts. *Coverage*: what there is to be covered, what is, all counts. *Prepaid*: fair states and the
transition relation, where the verdicts did not need them, but `propcov check`, too, computes them afterwards for sanity and evidence; coverage finds them there. All three
of one process, and *overhead* is (prepaid + coverage) / plain. This hides what coverage adds to plain checking itself: variables for other values, diagrams of propositions
that are changed, another order of variables. *Over plain of `check`* has that, too: it compares with another process, and so has more noise. Lists of holes and
evidence count in whole processes only. Medians of repetitions; ratios within a process are made first.
"""


def of(rows, metric, one):
    """Finished measurements of one signal, or of all."""
    return [
        row for row in rows
        if row["metric"] == metric and row["semantics"] == "observability" and row["status"] == "finished" and (row["observed"] != "all") == one
    ]


def quartiles(values):
    """The least, the quartiles and the greatest."""
    values = sorted(values)
    cuts = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return [values[0], *cuts, values[-1]]


def overheads(rows, metric):
    head = ["", "models", "least", "quartile", "median", "quartile", "greatest", f"at most {percent(AIM)}"]
    lines = []
    alone = of(rows, metric, True)
    # The same models for both metrics: those of a process that both are compared with.
    real = [row for row in alone if row["check_plain_seconds"] >= SHORT]
    for group, which in ((alone, "one signal"), (real, f"one signal, plain checking by `check` takes {1000 * SHORT:g} ms or more")):
        for name, title in FIGURES:
            lines.append(distribution(f"{which}: {title}", [row[name] for row in group if row[name] != ""]))
    # With one signal that is the same run.
    several = of(rows, metric, False)
    names = {row["model"] for row in several}
    several += [row for row in alone if row["model"] not in names and row["signals"] == 1]
    for name, title in FIGURES[:2]:
        lines.append(distribution(f"all signals, for each of them: {title}", [row[name] / row["signals"] for row in several]))
    return tables.table(head, [cells for cells in lines if cells])


def distribution(title, values):
    if not values:
        return None
    return [title, len(values), *map(percent, quartiles(values)), sum(value <= AIM for value in values)]


def agreement(rows, wrong):
    text = f"## Agreement\n\nMeasurements with disagreements (repetitions, NuSMV's counts and verdicts): {len(wrong) or 'none'}.\n"
    return text + "".join(f"\n- **{row['model']}**, {row['metric']}: {row['disagreements']}" for row in wrong) + ("\n" if wrong else "")


def one_signal(rows):
    found = {(row["model"], row["metric"]): row for metric in ("state", "transition") for row in of(rows, metric, True)}
    head = ["model", "properties", "observed", "states", "state coverage", "transition coverage", "plain seconds", "by `check`"]
    head += [f"{metric}: {what}" for metric in ("state", "transition") for what in ("overhead", "without prepaid", "over `check`", "process")]
    lines = []
    for model in sorted({model for model, _ in found}):
        pair = [found.get((model, metric)) for metric in ("state", "transition")]
        some, state = pair[0] or pair[1], pair[0]
        cell = lambda row, name: percent(row[name]) if row and row[name] != "" else ""
        cells = [model, f"{some['measured']} of {some['properties']}", some["observed"], state["total"] if state else ""]
        cells += [f"{row['percent']:.2f} %" if row else "" for row in pair]
        cells.append(f"{statistics.median(row['plain_seconds'] for row in pair if row):.4f}")
        cells.append(f"{some['check_plain_seconds']:.4f}")
        lines.append(cells + [cell(row, name) for row in pair for name, _ in FIGURES])
    return tables.table(head, lines)


def all_signals(rows):
    head = ["model", "metric", "signals", "coverage", "plain seconds", "coverage seconds", "overhead", "for each signal"]
    lines = []
    for row in sorted(of(rows, "state", False) + of(rows, "transition", False), key=lambda row: (row["model"], row["metric"])):
        cells = [row["model"], row["metric"], row["signals"], f"{row['percent']:.2f} %", f"{row['plain_seconds']:.4f}"]
        lines.append([*cells, f"{row['coverage_seconds']:.4f}", percent(row["overhead"]), percent(row["overhead"] / row["signals"])])
    return tables.table(head, lines)


def by_mutation(rows):
    head = ["model", "observed", "states", "coverage", "plain seconds", "coverage seconds"]
    lines = []
    for row in sorted(rows, key=lambda row: row["model"]):
        covered = f"{row['percent']:.2f} %" if row["percent"] != "" else row["status"]
        lines.append([row["model"], row["observed"], row["total"], covered, f"{row['plain_seconds']:.4f}", f"{row['coverage_seconds']:.4f}"])
    return tables.table(head, lines)


def left_out(rows):
    left = [row for row in rows if row["status"] != "finished"]
    what = lambda row: " ".join(word for word in (row["metric"], row["semantics"], row["observed"]) if word)
    return "".join(f"- {row['model']}, {what(row)}: {row['notes']}\n" for row in left) or "Nothing.\n"

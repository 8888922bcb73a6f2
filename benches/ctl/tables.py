"""From rows to a summary in Markdown."""

import statistics

# Below this, start-up is most of what is measured.
REAL = 0.5
# Columns that are no numbers, and counts of states, which stay as they are printed.
TEXTS = ("model", "propcov", "nusmv", "reachable", "fair", "disagreements", "notes")


def line(row):
    """One row, for people who watch."""
    words = [row["model"], f"propcov {row['propcov']} {row['propcov_seconds']:.3f} s"]
    if row["nusmv"]:
        words.append(f"NuSMV {row['nusmv']} {row['nusmv_seconds']:.3f} s")
    words.append(f"recorded {row['recorded_seconds'] or '-'} s")
    words += [f"DISAGREES: {row['disagreements']}" if row["disagreements"] else "", row["notes"]]
    return ", ".join(word for word in words if word)


def typed(rows, texts=TEXTS):
    """Rows as they were before they were written."""
    return [{name: number(value) if name not in texts else value for name, value in row.items()} for row in rows]


def number(text):
    try:
        return float(text) if any(c in text for c in ".e") else int(text)
    except ValueError:
        return text


def table(head, lines):
    text = "| " + " | ".join(head) + " |\n|" + "---|" * len(head) + "\n"
    return text + "".join("| " + " | ".join(str(cell) for cell in cells) + " |\n" for cells in lines)


def names(rows, what=None):
    texts = [row["model"] + (f" ({what(row)})" if what else "") for row in rows]
    return f"{len(rows)}" + (": " + ", ".join(texts) if rows else "")


def summary(rows, run):
    """The text, and whether nobody contradicted anybody."""
    wrong = [row for row in rows if row["disagreements"]]
    parts = ["# CTL on the SMV models\n", introduction(rows, run), overview(rows, run), agreement(rows, wrong)]
    for status, title in (("unread", "Not read"), ("crashed", "Internal errors"), ("unfinished", "Not finished")):
        some = [row for row in rows if row["propcov"] == status]
        if some:
            parts.append(f"## {title}\n\n" + "".join(f"- {row['model']}: {row['notes']}\n" for row in some))
    parts.append("## All models\n\n" + everything(rows))
    return "\n".join(parts), not wrong


def setting(run):
    """What the figures depend on."""
    if not run:
        return []
    options = ", ".join(f"{name.replace('_', '-')} {value}" for name, value in run["options"].items() if value not in (None, False, "*"))
    return [
        f"{run['version']}, {run['date']}; {run['processor']}, {run['cores']} cores, load before {run['load']}, "
        f"after {run.get('load_after', 'unknown (interrupted)')}. Options: {options}.\n"
    ]


def introduction(rows, run):
    text = setting(run)
    if run.get("nusmv"):
        text.append(f"Beside it, in turn: {run['nusmv']}.\n")
    text.append(
        f"{len(rows)} of {run.get('models', len(rows))} models. Recorded seconds are NuSMV 2.6.0's on another machine: they say which models are "
        "hard, and no ratio is made of them.\n"
    )
    return "\n".join(text)


def finished(rows, tool, limit=None):
    return [row for row in rows if row[tool] == "finished" and (limit is None or row[f"{tool}_seconds"] <= limit)]


def overview(rows, run):
    measured = any(row["nusmv"] for row in rows)
    recorded = [row for row in rows if row["recorded_seconds"] != ""]
    tools = ["propcov"] + (["nusmv"] if measured else [])
    head = ["", "propcov", *(["NuSMV"] if measured else []), "NuSMV, recorded"]
    lines = [["models finished", *(len(finished(rows, tool)) for tool in tools), len(recorded)]]
    for bound in (0.1, 1, 10, 60):
        if bound <= run.get("options", {}).get("timeout", 60):
            counts = [len(finished(rows, tool, bound)) for tool in tools]
            lines.append([f"within {bound} s", *counts, sum(row["recorded_seconds"] <= bound for row in recorded)])
    text = table(head, lines)
    limit = run.get("options", {}).get("timeout", 10)
    late = [row for row in recorded if row["recorded_seconds"] <= limit and row["propcov"] != "finished"]
    text += f"\nNuSMV finished within {limit:g} s (recorded), propcov did not: {names(late, lambda row: row['propcov'])}.\n"
    if not measured:
        return text
    both = [row for row in finished(rows, "propcov") if row["nusmv"] == "finished"]
    late = [row for row in finished(rows, "nusmv") if row["propcov"] != "finished"]
    early = [row for row in finished(rows, "propcov") if row["nusmv"] != "finished"]
    text += f"\nNuSMV finished in this run, propcov did not: {names(late, lambda row: row['propcov'])}.\n"
    text += f"\npropcov finished, NuSMV did not in this run: {names(early, lambda row: row['nusmv'])}.\n"
    real = [row for row in both if max(row["propcov_seconds"], row["nusmv_seconds"]) >= REAL]
    for group, what in ((both, "models that both finish"), (real, f"of them that take either at least {REAL} s")):
        if group:
            ratios = sorted(row["propcov_seconds"] / row["nusmv_seconds"] for row in group)
            total = [sum(row[f"{tool}_seconds"] for row in group) for tool in tools]
            text += (
                f"\nSeconds of propcov divided by those of NuSMV, {len(group)} {what}: median {statistics.median(ratios):.2f}, "
                f"from {ratios[0]:.2f} to {ratios[-1]:.2f}; totals {total[0]:.1f} s and {total[1]:.1f} s.\n"
            )
    return text


def agreement(rows, wrong):
    compared = sum(row["compared"] for row in rows)
    text = f"## Agreement\n\nVerdicts and counts compared: {compared}. Models with disagreements: {len(wrong) or 'none'}.\n"
    return text + "".join(f"\n- **{row['model']}**: {row['disagreements']}" for row in wrong) + ("\n" if wrong else "")


def everything(rows):
    measured = any(row["nusmv"] for row in rows)
    head = ["model", "true / false", "certified", "reachable", "fair", "layers", "peak nodes", "reorderings", "propcov"]
    head += (["NuSMV", "ratio"] if measured else []) + ["recorded"]
    lines = []
    for row in sorted(rows, key=lambda row: row["model"]):
        cells = [row["model"], f"{row['true']} / {row['false']}", row["certified"], row["reachable"], row["fair"], row["diameter"]]
        cells += [row["peak_nodes"], row["reorderings"], seconds(row, "propcov")]
        if measured:
            both = row["propcov"] == row["nusmv"] == "finished"
            cells += [seconds(row, "nusmv"), f"{row['propcov_seconds'] / row['nusmv_seconds']:.2f}" if both else ""]
        lines.append([*cells, row["recorded_seconds"]])
    return table(head, lines)


def seconds(row, tool):
    return f"{row[f'{tool}_seconds']:.3f}" if row[tool] == "finished" else row[tool]

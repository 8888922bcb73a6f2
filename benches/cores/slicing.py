"""A second opinion about a set of elements, from a model in which nothing else is left.

The equations of all other variables are deleted, and the variables become inputs, as in figure 5.15 of the thesis. Whether the property then holds is asked of `propcov check`, which knows nothing of cores. That is
possible for models of one node, where each equation defines one variable; 295 of the 435 models are of that kind.
"""

import pathlib, re, tempfile

import measuring


def sliced(text, kept):
    """The model with these equations only; None if it is not of that kind."""
    code = re.sub(r"--(?!%)[^\n]*", "", re.sub(r"\(\*.*?\*\)|/\*.*?\*/", "", text, flags=re.S))
    found = re.fullmatch(r"(?P<before>(?:(?!\bnode\b).)*)\bnode\s+(?P<name>\w+)\s*\((?P<inputs>[^)]*)\)\s*returns\s*\((?P<outputs>[^)]*)\)\s*;?"
                         r"(?:\s*var\b(?P<locals>.*?))?\blet\b(?P<body>.*)\btel\b\s*;?\s*\.?\s*", code, flags=re.S)
    if not found or re.search(r"\b(?:node|subrange)\b", found["locals"] or "") or re.search(r"\bnode\b", found["body"]):
        return None
    sorts = dict(declarations(found["outputs"]) + declarations(found["locals"] or ""))
    pragmas = re.findall(r"--%PROPERTY\s+([\w~.]+)", found["body"])
    statements = [statement.strip() for statement in re.sub(r"--%[^\n]*", "", found["body"]).split(";")]
    equations, others = {}, []
    for statement in filter(None, statements):
        if re.match(r"assert\b", statement):
            others.append(statement)
            continue
        match = re.match(r"(\w+)\s*=", statement)
        if not match or match[1] not in sorts:
            return None
        equations[match[1]] = statement
    if set(equations) != set(sorts) or not kept <= set(equations) or any(name not in sorts for name in pragmas):
        return None
    freed = sorted(set(sorts) - kept)
    inputs = [part.strip() for part in found["inputs"].split(";") if part.strip()] + [f"{name} : {sorts[name]}" for name in freed]
    body = others + [equations[name] for name in sorted(kept)] + ["output_of_slice = true"]
    variables = "".join(f"{name} : {sorts[name]}; " for name in sorted(kept))
    properties = "".join(f"  --%PROPERTY {name};\n" for name in pragmas)
    head = f"node {found['name']}({'; '.join(inputs)}) returns (output_of_slice : bool);\n" + (f"var {variables}\n" if variables else "")
    return f"{found['before']}{head}let\n" + "".join(f"  {statement};\n" for statement in body) + f"{properties}tel;\n"


def declarations(text):
    """Pairs of a variable and its type."""
    found = []
    for part in filter(str.strip, text.split(";")):
        names, _, sort = part.partition(":")
        found += [(name.strip(), sort.strip()) for name in names.split(",")]
    return found


def opinion(binary, path, kept, timeout):
    """'adequate', 'inadequate', or None where there is no answer."""
    text = sliced(path.read_text(errors="replace"), kept)
    if text is None:
        return None
    with tempfile.TemporaryDirectory() as directory:
        slice = pathlib.Path(directory) / "slice.lus"
        slice.write_text(text)
        sample = measuring.run(binary, slice, "check", timeout)
    return {"answered": "adequate", "REFUTED": "inadequate"}.get(sample.status)


def second_opinions(binary, model, everything, timeout, most):
    """Whether plain checks agree with what is said about the published cores, and about ours that were not published. Returns (number of checks, contradictions)."""
    theirs = [frozenset(core) for core in model.published_cores["cores"]]
    ours = [core for core, is_minimal in zip(everything.cores, everything.minimal) if is_minimal]
    disputed = [core for core in theirs if core not in ours]
    asked, wrong = 0, []
    for core in disputed[:most]:
        said = any(smaller <= core for smaller in everything.cores)
        if not said and not everything.complete and not any(core < larger for larger in ours):
            continue
        asked += ask(binary, model, core, "adequate" if said else "inadequate", timeout, wrong)
    for core in [core for core in ours if core not in theirs][:most]:
        asked += ask(binary, model, core, "adequate", timeout, wrong)
        for element in sorted(core)[:most]:
            asked += ask(binary, model, core - {element}, "inadequate", timeout, wrong)
    return asked, wrong


def ask(binary, model, core, expected, timeout, wrong):
    said = opinion(binary, model.path, core, timeout)
    if said not in (None, expected):
        wrong.append(f"a plain check says {said}, not {expected}: {' '.join(sorted(core))}")
    return said is not None

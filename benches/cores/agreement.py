"""Our cores next to the published ones, as sets of names.

What was published is not evidence: JKind counts a check that runs out of time as "necessary". What propcov reports was checked: each core has a proof, each of its elements a run of the
model without it, and a complete list a refutation of any further core. So each difference is settled, one way or the other, and what is not is said to be open.
"""

COLUMNS = (
    "model", "cores", "published", "ours", "complete", "equal", "more", "not_minimal", "inadequate", "open", "must", "must_published_only", "must_ours_only", "failures", "notes",
)


def names(elements):
    """A set, short enough to be read."""
    elements = sorted(elements)
    return "{" + ", ".join(elements[:8]) + (f", and {len(elements) - 8} more" if len(elements) > 8 else "") + "}"


def compare(published, everything, must, one, minimal):
    """A row about one model: `published` is its line of published_cores.jsonl, the others are samples of our runs or None."""
    theirs = [frozenset(core) for core in published["cores"]]
    ours = [core for core, is_minimal in zip(everything.cores, everything.minimal) if is_minimal]
    fates = {core: fate(core, ours, everything) for core in theirs}
    count = lambda kind: sum(found == kind for found in fates.values())
    more = [core for core in ours if core not in fates]
    failures = contradictions(everything, must, one, minimal)
    kinds = [kind for kind in ("not minimal", "inadequate", "open") if count(kind)]
    if everything.status not in ("answered", "open"):
        verdict = "no answer"
    elif not kinds:
        verdict = "equal" if not more and everything.complete else "ours more" if more and everything.complete else "equal so far"
    else:
        verdict = "published " + " and ".join(kinds) if kinds != ["open"] else "open"
    their_must = frozenset(published["must"])
    notes = [f"published {names(core)}: {reason(core, ours, found)}" for core, found in fates.items() if found in ("not minimal", "inadequate")]
    return {
        "model": "", "cores": verdict, "published": len(theirs), "ours": len(ours), "complete": "yes" if everything.complete else "no",
        "equal": count("equal"), "more": len(more), "not_minimal": count("not minimal"), "inadequate": count("inadequate"), "open": count("open"),
        **compare_must(their_must, must), "failures": "; ".join(failures), "notes": "; ".join(notes[:3]) + (f"; and {len(notes) - 3} more" if len(notes) > 3 else ""),
    }


def fate(core, ours, everything):
    """What our evidence says about a published core."""
    if core in ours:
        return "equal"
    # Each of our cores has a certified proof, so that a superset is not minimal.
    if any(smaller < core for smaller in everything.cores):
        return "not minimal"
    # Ours is minimal: without any of its elements there is a run to a violation, and a proper subset has that run, too.
    if any(core < larger for larger in ours):
        return "inadequate"
    # A complete list comes with a refutation of every set that contains none of its cores.
    return "inadequate" if everything.complete else "open"


def reason(core, ours, found):
    if found == "not minimal":
        inside = [smaller for smaller in ours if smaller < core]
        return f"not minimal, without {names(core - min(inside, key=len))} it is one of ours" if inside else "not minimal"
    larger = [ours_core for ours_core in ours if core < ours_core]
    return f"inadequate, {names(larger[0] - core)} is needed with it" if larger else "inadequate, by the certified complete list"


def compare_must(theirs, must):
    if must is None or must.must is None or must.status != "answered":
        return {"must": "open", "must_published_only": "", "must_ours_only": ""}
    too_many, missing = theirs - must.must, must.must - theirs
    verdict = {(False, False): "equal", (True, False): "published too large", (False, True): "published too small", (True, True): "both"}[bool(too_many), bool(missing)]
    return {"must": verdict, "must_published_only": " ".join(sorted(too_many)), "must_ours_only": " ".join(sorted(missing))}


def contradictions(everything, must, one, minimal):
    """What our own runs say against each other: always a fault of propcov."""
    found = []
    ours = [core for core, is_minimal in zip(everything.cores, everything.minimal) if is_minimal]
    if any(smaller < larger for larger in ours for smaller in everything.cores):
        found.append("a core that was called minimal contains another one")
    if len(set(everything.cores)) < len(everything.cores):
        found.append("a core is listed twice")
    if not everything.complete:
        return found
    if not ours or len(ours) < len(everything.cores):
        found.append("a list was called complete and has no core, or one that is not minimal")
        return found
    in_all = frozenset.intersection(*ours)
    if everything.must is not None and everything.must != in_all:
        found.append("MUST of --all is not what all cores have in common")
    if must and must.must is not None and not (must.must <= in_all <= must.must | must.must_unknown):
        found.append("MUST of --must is not what all cores have in common")
    if minimal and any(core not in ours for core, is_minimal in zip(minimal.cores, minimal.minimal) if is_minimal):
        found.append("the core of --minimal is not in the complete list")
    if one and any(not any(smaller <= core for smaller in ours) for core in one.cores):
        found.append("the core of --one contains none of the complete list")
    return found

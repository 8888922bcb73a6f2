"""Pairs of graphs in which the specification simulates the implementation, by construction.

First there is a graph S0, and an implementation that unfolds it: each of its states is a copy of a state of S0, and each of its steps a copy of a step of S0. The specification is S0 *loosened*: some of
its states leave `q` open, others get a twin in which `q` is flipped. So it simulates the implementation, and about a part of the labels it says nothing.
"""

import json
from dataclasses import dataclass, field

OBSERVED = "q"
# What becomes of a state of S0 in the specification, with weights: as it is, `q` open, a twin with all successors, a twin with a part of them
LOOSENED = (("kept", 60), ("open", 10), ("twin", 15), ("narrow twin", 15))


@dataclass
class Graph:
    """States are numbers. Of each: the propositions that hold, and its successors."""

    labels: list
    successors: list
    initial: list = field(default_factory=lambda: [0])
    # Where `q` is open.
    open: set = field(default_factory=set)

    @property
    def states(self):
        return len(self.labels)

    @property
    def transitions(self):
        return sum(map(len, self.successors))

    def propositions(self):
        return sorted(set().union(*self.labels, {OBSERVED}))


def label(**values):
    """The propositions whose value is true."""
    return frozenset(name for name, value in values.items() if value)


def shares(weights, count):
    """So many words, each as often as its weight says, but for rounding."""
    total, result = sum(weight for _, weight in weights), []
    so_far = 0
    for word, weight in weights:
        so_far += weight
        result += [word] * (round(count * so_far / total) - len(result))
    return result


def loosened(graph, rng):
    """A specification that allows more. Twins have the highest numbers."""
    kind = shares(LOOSENED, graph.states)
    rng.shuffle(kind)
    twin, labels = {}, list(graph.labels)
    for state in range(graph.states):
        if kind[state].endswith("twin"):
            twin[state] = len(labels)
            labels.append(graph.labels[state] ^ {OBSERVED})

    def with_twins(states):
        return sorted({*states, *(twin[state] for state in states if state in twin)})

    successors = [with_twins(steps) for steps in graph.successors]
    for state in twin:
        steps = graph.successors[state]
        if kind[state] == "narrow twin":
            steps = [step for step in steps if rng.random() < 0.75] or steps[:1]
        successors.append(with_twins(steps))
    return Graph(labels, successors, with_twins(graph.initial), {state for state in range(graph.states) if kind[state] == "open"})


def unfolded(graph, states, degree, rng):
    """An implementation with so many states, each reachable, and about so many steps from each. Also which state of the graph each is a copy of."""
    original, copies = [graph.initial[0]], [[] for _ in range(graph.states)]
    copies[original[0]].append(0)
    successors = [[]]
    for state in range(1, states):
        # Most trees like this are as deep as the logarithm of their size.
        before = int(rng.random() * state)
        steps = graph.successors[original[before]]
        chosen = steps[int(rng.random() * len(steps))]
        original.append(chosen)
        copies[chosen].append(state)
        successors[before].append(state)
        successors.append([])
    for state in range(states):
        steps = [step for step in graph.successors[original[state]] if copies[step]]
        if not steps:
            # A state that was reached last: nothing is a copy of what comes after it.
            steps = graph.successors[original[state]][:1]
            successors.append([])
            original.append(steps[0])
            copies[steps[0]].append(len(original) - 1)
        for _ in range(max(1 - len(successors[state]), degree - len(successors[state]))):
            targets = copies[steps[int(rng.random() * len(steps))]]
            successors[state].append(targets[int(rng.random() * len(targets))])
    # Copies that were added meanwhile.
    for state in range(states, len(original)):
        complete(state, graph, original, copies, successors)
    labels = [graph.labels[state] for state in original]
    return Graph(labels, [sorted(set(steps)) for steps in successors]), original


def complete(state, graph, original, copies, successors):
    """Gives a state without steps one, to a copy that is there if possible."""
    steps = graph.successors[original[state]]
    present = [step for step in steps if copies[step]]
    if present:
        successors[state].append(copies[present[0]][0])
        return
    original.append(steps[0])
    copies[steps[0]].append(len(original) - 1)
    successors[state].append(len(original) - 1)
    successors.append([])
    complete(len(original) - 1, graph, original, copies, successors)


def write_implementation(graph, path):
    """`path` and the .lab file next to it, as PRISM has them: quick to read."""
    lines = [f"{graph.states} {graph.transitions}"]
    for state, steps in enumerate(graph.successors):
        lines += [f"{state} {step} 1" for step in steps]
    path.write_text("\n".join(lines) + "\n")
    names = ["init", *graph.propositions()]
    number = {name: index for index, name in enumerate(names)}
    said = {frozen: " ".join(str(number[name]) for name in sorted(frozen)) for frozen in set(graph.labels)}
    initial = set(graph.initial)
    lines = [" ".join(f'{index}="{name}"' for name, index in number.items())]
    for state, holds in enumerate(graph.labels):
        words = ("0 " if state in initial else "") + said[holds]
        if words:
            lines.append(f"{state}: {words}")
    path.with_suffix(".lab").write_text("\n".join(lines) + "\n")


def write_specification(graph, path, propositions):
    def labels(state):
        return [name for name in sorted(graph.labels[state]) if name != OBSERVED or state not in graph.open] + ["?" + OBSERVED] * (state in graph.open)

    document = {
        "propositions": propositions,
        "initial": graph.initial,
        "states": [{"name": state, "labels": labels(state)} for state in range(graph.states)],
        "transitions": [[state, step] for state, steps in enumerate(graph.successors) for step in steps],
    }
    path.write_text(json.dumps(document))


def is_simulated(implementation, specification):
    """By the definition, for tests: whether the greatest simulation relates the initial states."""
    related = set()
    for state, holds in enumerate(implementation.labels):
        for partner, wanted in enumerate(specification.labels):
            free = {OBSERVED} if partner in specification.open else set()
            if holds - free == wanted - free:
                related.add((state, partner))
    shrinks = True
    while shrinks:
        gone = {
            (state, partner)
            for state, partner in related
            if not all(any((step, answer) in related for answer in specification.successors[partner]) for step in implementation.successors[state])
        }
        related -= gone
        shrinks = bool(gone)
    return all(any((state, partner) in related for partner in specification.initial) for state in implementation.initial)

"""The families of graphs: an implementation of about n states, and a specification of about n' states that simulates it.

Each family is a function of n, n' and two sources of random numbers, one for the specification and one for what it leaves open. So in a series of implementations the specification is the same. Degrees are
chosen so that 10^5 states have about 10^6 transitions at most.
"""

import math, pathlib, random, sys
from dataclasses import dataclass

from graphs import Graph, label, loosened, unfolded, write_implementation, write_specification

# Of loosened graphs: each state of S0 becomes about so many.
GROWTH = 1.3


def some(rng, share=0.5):
    return rng.random() < share


def random_base(states, degree, others, rng):
    """Every state has `degree` successors, and `others` propositions beside the observed one."""
    successors = [sorted({(state + 1) % states, *(rng.randrange(states) for _ in range(degree - 1))}) for state in range(states)]
    labels = [label(**{f"p{number}": some(rng) for number in range(others)}, q=some(rng)) for _ in range(states)]
    return Graph(labels, successors)


def dense(n, specified, rng, free):
    """Random graphs with ten steps from each state, and four more propositions."""
    base = random_base(max(3, round(specified / GROWTH)), 10 if specified >= 100 else 3, 4, rng)
    return unfolded(base, n, 10, free)[0], base


def sparse(n, specified, rng, free):
    """Random graphs with three steps from each state, and one more proposition: states are told apart only by what comes after them."""
    base = random_base(max(3, round(specified / GROWTH)), 3, 1, rng)
    return unfolded(base, n, 3, free)[0], base


def torus(n, specified, rng, free):
    """A grid without borders, steps to the right and down. Its specification is a smaller one; a state knows whether it is on its first row, or on its first column."""
    side = max(2, round(math.sqrt(specified / GROWTH)))
    width = side * max(1, round(math.sqrt(n) / side))
    height = side * max(1, round(n / width / side))
    marked = [[some(rng) for _ in range(side)] for _ in range(side)]

    def grid(width, height):
        places = [(x, y) for y in range(height) for x in range(width)]
        labels = [label(row=y % side == 0, column=x % side == 0, q=marked[y % side][x % side]) for x, y in places]
        return Graph(labels, [sorted({y * width + (x + 1) % width, (y + 1) % height * width + x}) for x, y in places])

    return grid(width, height), grid(side, side)


def counter(n, specified, rng, free):
    """A cycle of n states whose labels repeat after n' steps. The specification may begin anywhere, and nothing but the observed proposition tells its states apart."""
    period = max(3, round(specified / GROWTH))
    length = period * max(1, round(n / period))
    marked = [some(rng) for _ in range(period)]

    def cycle(length, initial):
        return Graph([label(q=marked[state % period]) for state in range(length)], [[(state + 1) % length] for state in range(length)], initial)

    return cycle(length, [0]), cycle(period, list(range(period)))


def tree(n, specified, rng, free):
    """A binary tree that goes on at its leaves: those of the specification lead back to its root, those of the implementation to its first state that is a copy of what has to come next."""
    depth = max(2, round(math.log2(specified / GROWTH)))
    last = 2**depth - 1
    marked = [some(rng) for _ in range(last)]
    labels = [label(root=state == 0, left=state % 2 == 1, q=marked[state]) for state in range(last)]

    def next_of(state):
        return [0] if 2 * state + 1 >= last else [2 * state + 1, 2 * state + 2]

    base = Graph(labels, [next_of(state) for state in range(last)])
    # Breadth first, so that the first copies are those that are nearest to the root.
    original, successors, first = [0], [], {0: 0}
    for state in range(n):
        if state == len(original):
            break
        steps = []
        for step in next_of(original[state]) * (2 if len(next_of(original[state])) == 1 else 1):
            if len(original) < n:
                first.setdefault(step, len(original))
                steps.append(len(original))
                original.append(step)
            else:
                steps.append(first.get(step))
        successors.append(steps)
    # With fewer states than the specification has, some have no copy: these leaves lead to the root, and so must those of the specification.
    if any(step is None for steps in successors for step in steps):
        return tree(n, max(4, specified // 2), rng, free)
    return Graph([labels[state] for state in original], [sorted(set(steps)) for steps in successors]), base


def clients(n, specified, rng, free):
    """Clients are idle, wait, or use the one server. The specification has a few of them, and somebody else. Visible are what the first one does and whether the server is in use."""

    def explored(count, others):
        start = ("i" * count, False)
        numbers, todo, successors = {start: 0}, [start], []
        for phases, other in todo:
            is_free = "u" not in phases and not other
            steps = [(phases, other), (phases, not other)] if others and (is_free or other) else [(phases, other)] if others else []
            for client, phase in enumerate(phases):
                if phase != "w" or is_free:
                    steps.append((phases[:client] + {"i": "w", "w": "u", "u": "i"}[phase] + phases[client + 1 :], other))
            for step in steps:
                if step not in numbers:
                    numbers[step] = len(todo)
                    todo.append(step)
            successors.append(sorted({numbers[step] for step in steps}))
        labels = [label(waits=phases[0] == "w", busy=other or "u" in phases, q=phases[0] == "u") for phases, other in todo]
        return Graph(labels, successors)

    def nearest(size, wanted):
        return min(range(1, 15), key=lambda count: abs(math.log(size(count) / wanted)))

    count = nearest(lambda count: 2 ** (count - 1) * (count + 2), n)
    few = nearest(lambda count: 2 ** (count - 1) * (count + 4) * GROWTH, specified)
    return explored(count, False), explored(min(few, count), True)


def hypercube(n, specified, rng, free):
    """A step flips a bit. The specification has the first bits alone, and a step may flip none of them. Visible are the first bit, and the parity of the specification's."""
    bits = max(2, round(math.log2(n)))
    bits = next(fewer for fewer in range(bits, 1, -1) if fewer * 2**fewer <= 1.1e6)
    few = min(bits, max(2, round(math.log2(specified / GROWTH))))
    marked = [some(rng) for _ in range(2**few)]

    def cube(bits, stays):
        successors = [sorted([state ^ 1 << bit for bit in range(bits)] + [state] * stays) for state in range(2**bits)]
        seen = [state & (1 << few) - 1 for state in range(2**bits)]
        return Graph([label(bit=state & 1, parity=state.bit_count() & 1, q=marked[state]) for state in seen], successors)

    return cube(bits, False), cube(few, True)


FAMILIES = {family.__name__: family for family in (dense, sparse, torus, counter, tree, clients, hypercube)}


@dataclass(frozen=True)
class Instance:
    """A pair of graphs as files."""

    family: str
    n: int
    specified: int
    implementation: pathlib.Path
    specification: pathlib.Path


def pair(family, n, specified, seed=0):
    """Both graphs, the same for the same arguments."""
    rng, free = random.Random(f"{family} {specified} {seed}"), random.Random(f"{family} {n} {specified} {seed}")
    implementation, base = FAMILIES[family](n, specified, rng, free)
    return implementation, loosened(base, random.Random(f"loosened {family} {specified} {seed}"))


def generate(family, n, specified, folder, seed=0):
    """Writes both files, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{family}-{n}-{specified}" + (f"-{seed}" if seed else "")
    instance = Instance(family, n, specified, folder / f"{stem}.tra", folder / f"{stem}.json")
    newest = max(pathlib.Path(module).stat().st_mtime for module in (__file__, sys.modules["graphs"].__file__))
    # The specification is written last.
    if not instance.specification.exists() or instance.specification.stat().st_mtime < newest:
        implementation, specification = pair(family, n, specified, seed)
        write_implementation(implementation, instance.implementation)
        write_specification(specification, instance.specification, sorted({*implementation.propositions(), *specification.propositions()}))
    return instance

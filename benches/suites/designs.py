"""Designs with many assertions that hold only together, in Verilog: a FIFO, an arbiter, a UART-like shifter, a pipeline. Each is made in sizes, from
twenty assertions to some hundreds."""


def module(name, ports, body):
    return f"module {name}(input clk, {ports});\n{body}endmodule\n"


def clocked(statements):
    return "always @(posedge clk) begin\n" + "".join(f"  {line}\n" for line in statements) + "end\n"


def asserted(conditions):
    return "".join(f"always @* assert({condition});\n" for condition in conditions)


def fifo(bits):
    """A ring of 2^bits places, each with a bit that says whether it is taken."""
    depth = 1 << bits
    body = f"reg [{bits - 1}:0] rd = 0, wr = 0; reg [{bits}:0] count = 0; reg [{depth - 1}:0] taken = 0; reg [{bits}:0] seen = 0;\n"
    body += f"wire can_push = push && count != {depth}; wire can_pop = pop && count != 0;\n"
    body += f"wire [{bits - 1}:0] used = wr - rd;\n"
    body += clocked(
        [
            "if (can_push) begin wr <= wr + 1; taken[wr] <= 1; end",
            "if (can_pop) begin rd <= rd + 1; taken[rd] <= 0; end",
            "count <= count + can_push - can_pop;",
            f"if (can_push && seen != {2 * depth - 1}) seen <= seen + 1;",
        ]
    )
    conditions = [f"count <= {depth}", f"used == count[{bits - 1}:0]", f"(count == 0) == (taken == 0)", f"(count == {depth}) == (&taken)"]
    conditions += ["count == 0 || taken[rd]", f"count == {depth} || !taken[wr]", f"seen >= count || seen == {2 * depth - 1}"]
    for place in range(depth):
        # A place is taken exactly when it lies within `count` places from the reading end.
        conditions.append(f"taken[{place}] == ({{1'b0, {bits}'d{place} - rd}} < count)")
    for place in range(depth):
        conditions.append(f"!(rd == {place} && count != 0) || taken[{place}]")
    return module("fifo", "input push, input pop", body + asserted(conditions))


def arbiter(clients):
    """Round robin with a one-hot turn; a grant stays until the client lets go."""
    top = clients - 1
    body = f"reg [{top}:0] turn = 1, grant = 0; reg busy = 0; reg [{top}:0] waited = 0;\n"
    body += f"wire [{top}:0] next_turn = {{turn[{top - 1}:0], turn[{top}]}};\n"
    body += clocked(
        [
            "if (busy) begin if (!(request & grant)) begin busy <= 0; grant <= 0; turn <= next_turn; end end",
            "else if (request & turn) begin busy <= 1; grant <= request & turn; end",
            "else turn <= next_turn;",
            "waited <= request & ~grant;",
        ]
    )
    conditions = ["busy == (grant != 0)", "(grant & ~turn) == 0", "turn != 0"]
    for one in range(clients):
        conditions.append(f"!grant[{one}] || turn[{one}]")
        for other in range(one):
            conditions.append(f"!(turn[{one}] && turn[{other}])")
            conditions.append(f"!(grant[{one}] && grant[{other}])")
    return module("arbiter", f"input [{top}:0] request", body + asserted(conditions))


def shifter(bits):
    """A transmitter: a divider of the clock, a register that shifts out, and a count of bits that are left."""
    width = (bits + 2).bit_length()
    body = f"reg [{bits}:0] shift = {{{bits + 1}{{1'b1}}}}; reg [{width - 1}:0] left = 0; reg busy = 0, line = 1; reg [3:0] divider = 0;\n"
    body += f"reg [{bits - 1}:0] held = 0;\n"
    body += "wire tick = divider == 0; wire begins = start && !busy;\n"
    body += clocked(
        [
            "divider <= begins ? 9 : busy && tick ? (left == 1 ? 0 : 9) : busy ? divider - 1 : 0;",
            f"if (begins) begin busy <= 1; left <= {bits + 1}; shift <= {{1'b1, data}}; held <= data; line <= 0; end",
            f"else if (busy && tick) begin left <= left - 1; shift <= {{1'b1, shift[{bits}:1]}}; line <= left == 1 ? 1'b1 : shift[0]; busy <= left != 1; end",
        ]
    )
    conditions = [f"left <= {bits + 1}", "busy == (left != 0)", "busy || line", "divider <= 9", "busy || divider == 0", f"shift[{bits}]"]
    conditions.append("busy || &shift")
    for count in range(1, bits + 2):
        # What was shifted out is replaced by ones, and what is left is what was to be sent.
        conditions.append(f"left != {count} || busy")
        conditions.append(f"left != {count} || (&shift[{bits}:{count - 1}])")
        if count > 1:
            conditions.append(f"left != {count} || shift[{count - 2}:0] == held[{bits - 1}:{bits - count + 1}]")
    return module("shifter", f"input start, input [{bits - 1}:0] data", body + asserted(conditions))


def pipeline(stages):
    """Tagged requests go through stages; a stage moves on when the one after it is free or moves on."""
    tag = 6
    body = f"reg [{tag - 1}:0] issued = 0, retired = 0;\n"
    for stage in range(stages):
        body += f"reg valid{stage} = 0; reg [{tag - 1}:0] tag{stage} = 0;\n"
    body += f"wire moves{stages - 1} = valid{stages - 1} && ready;\n"
    for stage in reversed(range(stages - 1)):
        body += f"wire moves{stage} = valid{stage} && (!valid{stage + 1} || moves{stage + 1});\n"
    statements = [f"if (request && (!valid0 || moves0)) begin valid0 <= 1; tag0 <= issued; issued <= issued + 1; end else if (moves0) valid0 <= 0;"]
    for stage in range(1, stages):
        statements.append(f"if (moves{stage - 1}) begin valid{stage} <= 1; tag{stage} <= tag{stage - 1}; end else if (moves{stage}) valid{stage} <= 0;")
    statements.append(f"if (moves{stages - 1}) retired <= retired + 1;")
    body += clocked(statements)
    total = " + ".join(f"{{{tag - 1}'b0, valid{stage}}}" for stage in range(stages))
    body += f"wire [{tag - 1}:0] inside = {total}; wire [{tag - 1}:0] open = issued - retired;\n"
    conditions = ["open == inside", f"open <= {stages}"]
    for stage in range(stages):
        before = " + ".join([f"{tag}'d0"] + [f"{{{tag - 1}'b0, valid{later}}}" for later in range(stage + 1, stages)])
        body += f"wire [{tag - 1}:0] ahead{stage} = {before}; wire [{tag - 1}:0] place{stage} = tag{stage} - retired;\n"
        conditions.append(f"!valid{stage} || place{stage} == ahead{stage}")
        conditions.append(f"!valid{stage} || place{stage} < open")
        for later in range(stage + 1, stages):
            conditions.append(f"!(valid{stage} && valid{later}) || tag{stage} != tag{later}")
            conditions.append(f"!(valid{stage} && valid{later}) || place{later} < place{stage}")
    return module("pipeline", "input request, input ready", body + asserted(conditions))


# Name, generator, sizes from about twenty assertions to some hundreds, and the length of induction that each is known to take.
FAMILIES = [
    ("fifo", fifo, [3, 4, 5, 6, 8], 1),
    ("arbiter", arbiter, [4, 8, 12, 16, 24], 1),
    ("shifter", shifter, [8, 16, 32, 64, 128], 1),
    ("pipeline", pipeline, [4, 6, 8, 12, 16], 1),
]

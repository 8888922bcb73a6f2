"""Synthesises designs with Yosys: each argument is a directory with dut.sv, which gets dut.btor.

Each design is one of a process of its own, because Yosys ends the process on an error. Who has read a design, or nobody, is written to standard output, one line for each.
The first word of the file `clocks` in the directory is what Yosys does about clocks.
"""

import os
import sys

from pyosys import libyosys

READERS = ["read_slang dut.sv --top dut -j 1", "read_verilog -sv -formal dut.sv"]
PASSES = ["dffunmap", "memory -nomap", "setundef -undriven -zero", "opt_clean", "write_btor dut.btor"]


def synthesise(directory, reader):
    os.chdir(directory)
    with open("clocks", encoding="utf-8") as file:
        clocks = file.read().split()[0]
    design = libyosys.Design()
    for name in [reader, "hierarchy -top dut", "proc", "flatten", clocks, *PASSES]:
        design.run_pass(name)


def attempt(directory, reader):
    child = os.fork()
    if child == 0:
        nowhere = os.open(os.path.join(directory, "log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        synthesise(directory, reader)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


for directory in sys.argv[1:]:
    reader = next((reader for reader in READERS if attempt(directory, reader)), "nobody")
    print(reader.split()[0], flush=True)

"""What several benchmarks need: a process and its seconds, and figures as text."""

import os, statistics, subprocess, tempfile, threading, time


def timed(command, limit):
    """Standard output, standard error, exit code, wall-clock seconds and processor seconds of a process."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        # The limit is kept by propcov; this is for the case that it is not.
        killer = threading.Timer(limit + 20, process.kill)
        killer.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        killer.cancel()
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
        return (*texts, process.returncode, seconds, usage.ru_utime + usage.ru_stime)


def measured(command):
    """Processor seconds and peak memory, in bytes, of a process whose output does not matter."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def quartiles(values):
    values = sorted(values)
    return statistics.quantiles(values, method="inclusive") if len(values) > 1 else values * 3


def seconds(value):
    """Enough digits for small ones."""
    return f"{value:.1f}" if value >= 100 else f"{value:.2f}" if value >= 1 else f"{value:.4f}"

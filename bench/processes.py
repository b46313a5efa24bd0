"""Programs that run while a benchmark measures: the port of tfm serve, and memory."""
import contextlib
import os
import re
import subprocess
import time

from train_runs import RunFailed


@contextlib.contextmanager
def running(command, log, environment):
    """Runs a program with its output in the file `log`, and ends it afterwards."""
    with open(log, "wb") as output:
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=output,
                                   env=os.environ | environment)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def running_service(command, log):
    """Runs the command, which is tfm serve with its options, on a free port. Yields the process and
    the port.
    """
    with running([*command, "--port", 0], log, {"OMP_WAIT_POLICY": "passive"}) as process:
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", log.read_text())):
            if process.poll() is not None:
                raise RunFailed(f"the service ended:\n{log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)
        yield process, int(found[1])


def resident(pid):
    """Returns the MiB of resident memory of a process: its own, and mapped files. Throws
    ProcessLookupError if the process has ended.
    """
    fields = {}
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as status:
            for line in status:
                name, value = line.split(":", 1)
                if name in ("RssAnon", "RssFile"):
                    fields[name] = int(value.split()[0]) / 1024
        return fields["RssAnon"], fields["RssFile"]
    except (FileNotFoundError, KeyError) as error:
        raise ProcessLookupError(f"process {pid} has ended") from error

"""The program tfm: `tfm ...` or `python -m tfm_program ...`.

This package is apart from the package tfm, so that starting the program does not load the module.
"""

import os
import sys

from . import libtorch


def main() -> None:
    """Replaces this process by the program."""
    program = os.path.join(os.path.dirname(__file__), "bin", "tfm")
    folder = libtorch.elsewhere()
    if folder:
        others = os.environ.get("LD_LIBRARY_PATH")
        os.environ["LD_LIBRARY_PATH"] = f"{folder}:{others}" if others else folder
    os.execv(program, ["tfm", *sys.argv[1:]])

"""Finds the LibTorch of the package torch.

If torch lies beside this package, the module and the program find its libraries by themselves. It
may also be in another folder of the path, for example with `pip install --target`.
"""

import ctypes
import importlib.util
import os


def elsewhere() -> str:
    """Returns the folder of LibTorch's libraries, or an empty string if torch lies beside tfm."""
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.isdir(os.path.join(site, "torch", "lib")):
        return ""
    found = importlib.util.find_spec("torch")
    if found is None or not found.submodule_search_locations:
        raise ImportError("tfm needs torch: pip install 'torch==2.13.*'")
    return os.path.join(found.submodule_search_locations[0], "lib")


def load() -> None:
    """Loads LibTorch, so that the module finds it loaded, wherever it is."""
    folder = elsewhere()
    if folder:
        ctypes.CDLL(os.path.join(folder, "libtorch.so"))

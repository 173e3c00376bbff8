"""Digests of the measuring code and of the libraries it measures with. Loads no torch.

A finished run may be reused only while both are equal to those of the worker that would
measure it anew, so the worker's hello carries them too.
"""

import functools
import hashlib
import importlib.metadata
import platform
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent

_MEASURING = (
    "contracts.py",
    "decoding.py",
    "parameters.py",
    "combinations.py",
    "catalog.py",
    "models.py",
    "registry.py",
    "measure",
    "experiments",
)
# What can change a measurement; doors, limits and the runner cannot.


@functools.cache
def compute_code_digest() -> str:
    """sha256 over names and texts of the modules that measure."""
    total = hashlib.sha256()
    for path in sorted(_list_files()):
        total.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0")
        total.update(path.read_bytes() + b"\0")
    return total.hexdigest()


@functools.cache
def compute_torch_digest() -> str:
    """sha256 over the versions and the machine kind that decide bits and bytes."""
    parts = [
        f"torch {importlib.metadata.version('torch')}",
        f"numpy {importlib.metadata.version('numpy')}",
        f"python {platform.python_version()}",
        f"machine {platform.machine()}",
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _list_files() -> list[Path]:
    files: list[Path] = []
    for name in _MEASURING:
        path = _PACKAGE / name
        files += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return files

"""What tests share. A test whose package is not installed is skipped, and says so."""

import os

import hypothesis
import numpy as np
import pytest

import pycastforge as cf

# The same examples in every run; others with `--hypothesis-profile=default`.
hypothesis.settings.register_profile("repeatable", derandomize=True)
hypothesis.settings.load_profile("repeatable")

ANY = "castforge@1"  # converts between any two of these
NUMBERS = [t for s in cf.opsets() if s.name == ANY for t in s.types if t.bits]


def has_numpy(dtype) -> bool:
    """Whether numpy, with ml_dtypes, has elements of the type."""
    try:
        return dtype.numpy is not None
    except cf.UnknownType:
        return False


@pytest.fixture
def program() -> str:
    """The command line program; its path comes from the environment."""
    path = os.environ.get("CASTFORGE_PROGRAM")
    if not path:
        pytest.skip("CASTFORGE_PROGRAM does not say where the program castforge is")
    return path


def random_packed(rng: np.random.Generator, dtype, shape) -> cf.Packed:
    """Elements of any bit pattern; of bool only the two that are numbers."""
    count = int(np.prod(shape, dtype=np.int64))
    data = rng.integers(0, 256, (count * dtype.bits + 7) // 8, dtype=np.uint8)
    if dtype.kind == "bool":
        data &= 1
    return cf.Packed(data, shape, dtype)


def codes(x) -> np.ndarray:
    """Bit patterns of an array or Packed, one per word."""
    array = x.unpack() if isinstance(x, cf.Packed) else x
    return array.view(f"u{array.dtype.itemsize}")

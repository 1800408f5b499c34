"""Arrays of jax."""

import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import ANY

import pycastforge as cf

jax = pytest.importorskip("jax", exc_type=ImportError)
jnp = jax.numpy


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float16", "int8", "bool_"])
def test_there_and_back(name):
    x = jnp.arange(6, dtype=jnp.float32).reshape(2, 3)
    y = cf.cast(x, getattr(jnp, name))
    assert isinstance(y, jax.Array) and y.shape == (2, 3) and y.dtype == getattr(jnp, name)
    want = cf.cast(np.asarray(x), getattr(jnp, name))
    np.testing.assert_array_equal(np.asarray(y).view(np.uint8), want.view(np.uint8))
    back = cf.cast(y, "float32")
    assert isinstance(back, jax.Array) and back.dtype == jnp.float32


def test_four_bits():
    x = jnp.arange(5, dtype=jnp.float32)
    y = cf.cast(x, jnp.int4)
    assert y.dtype == jnp.int4 and y.tolist() == [0, 1, 2, 3, 4]
    assert cf.cast(y, "float32").tolist() == [0, 1, 2, 3, 4]


def test_arrays_cannot_be_written():
    with pytest.raises(cf.BadArray, match="cannot be written"):
        cf.cast(jnp.zeros(3), "float32", out=jnp.zeros(3), opset=ANY)


def test_elements_that_jax_has_not():
    if not jax.config.jax_enable_x64:
        x = jnp.array([3e9, -3e9], jnp.float32)
        uses = [
            lambda: cf.cast(x, "int64"),
            lambda: cf.cast(jnp.array([16777217]), "float64"),
            lambda: cf.kernel("float32", "int64")(x),
            lambda: cf.arange(x[0], x[0] + 1024, jnp.float32(512), to="int64"),
        ]
        for use in uses:
            with pytest.raises(cf.UnknownType, match="x64 is off; set jax_enable_x64, or cast numpy.asarray"):
                use()
        assert cf.cast(np.asarray(x), "int64").tolist() == [3000000000, -3000000000]
    packed = cf.cast(jnp.ones(4, jnp.float32), "float6e2m3")
    assert isinstance(packed, cf.Packed) and cf.cast(packed, "float32").tolist() == [1] * 4
    with pytest.raises(cf.UnknownType, match="layout"):
        cf.cast(jnp.ones(4, jnp.float32), "float6e2m3", layout="bytes")


def test_elements_of_64_bits():
    code = """
import numpy as np, pycastforge as cf, jax.numpy as jnp
y = cf.cast(jnp.array([3e9], jnp.float32), "int64")
assert y.dtype == jnp.int64 and y.tolist() == [3000000000]
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "JAX_ENABLE_X64": "1"})

"""Arrays of jax."""

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

"""For code written around numpy: one function in place of `ndarray.astype`. Nothing of numpy is changed."""

import numpy

from . import _core


def astype(
    x, dtype, *, opset: str | _core.OpSet | None = None, threads: int = 1, **attributes: str | int
) -> numpy.ndarray:
    """As `numpy.asarray(x).astype(dtype)`, with the numbers of `cast`: an array of numpy or ml_dtypes of x's shape.

    Any strides will do, and whatever numpy.asarray takes. Elements that share bytes elsewhere have one each here.
    Short names count bits, as in `dtype`: "f4" is float4_e2m1fn, numpy.dtype("f4") is float32.

    >>> import pycastforge.numpy as cfn
    >>> cfn.astype([[1, 2.5], [480, -3]], "float8_e4m3fn").T[1].tolist()
    [2.5, -3.0]
    >>> cfn.astype([1.0, -2.0], "float4_e2m1fn").tolist()
    [1.0, -2.0]
    """
    x = numpy.asarray(x)
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    return _core.cast(x, dtype, opset=opset, threads=threads, copy=True, layout="bytes", **attributes)

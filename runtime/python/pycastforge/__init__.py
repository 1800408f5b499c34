"""Casts between number formats: exact, rounded once, the same bits everywhere.

>>> import numpy as np, pycastforge as cf
>>> cf.cast(np.array([1, 480, -0.0], np.float32), "float8_e4m3fn", saturate=False)
array([1, nan, -0], dtype=float8_e4m3fn)
"""

from ._core import (
    Kernel,
    OpSet,
    Packed,
    Type,
    arange,
    bitcast,
    cast,
    dtype,
    dtypes,
    format_text,
    info,
    kernel,
    opsets,
    parse_text,
)
from ._errors import (
    BadArray,
    BadAttribute,
    BadFile,
    BadNumber,
    BadRange,
    Error,
    IsaUnavailable,
    NotAnArray,
    PairNotAdmitted,
    UnknownAttribute,
    UnknownOpset,
    UnknownType,
    WrongOperation,
)

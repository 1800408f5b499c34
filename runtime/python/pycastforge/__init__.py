"""Casts between number formats: exact, rounded once, the same bits everywhere.

>>> import numpy as np, pycastforge as cf
>>> cf.cast(np.array([1, 480, -0.0], np.float32), "float8_e4m3fn", saturate=False).tolist()
[1.0, nan, -0.0]
"""

from ._arguments import in_pythons_words
from ._audit import Audit, Difference, audit
from ._checkpoints import Shard, convert
from ._core import (
    Kernel,
    OpSet,
    Packed,
    SafetensorsFile,
    Stats,
    Type,
    arange,
    bitcast,
    cast,
    dtype,
    dtypes,
    format_text,
    info,
    kernel,
    open_safetensors,
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
    NoTruthTable,
    NotAnArray,
    PairNotAdmitted,
    UnknownAttribute,
    UnknownOpset,
    UnknownType,
    WrongOperation,
)
from ._formats import Format, QuantizationError, load, quantization_error
from ._files import from_onnx, save_safetensors, to_onnx
from ._rules import explain

__version__ = info()["version"]
manifest_hash = info()["manifest"]
"""Hash over the meanings of all kernels: equal hashes, equal results."""

__all__ = [
    "Audit",
    "BadArray",
    "BadAttribute",
    "BadFile",
    "BadNumber",
    "BadRange",
    "Difference",
    "Error",
    "Format",
    "IsaUnavailable",
    "Kernel",
    "NoTruthTable",
    "NotAnArray",
    "OpSet",
    "Packed",
    "PairNotAdmitted",
    "QuantizationError",
    "SafetensorsFile",
    "Shard",
    "Stats",
    "Type",
    "UnknownAttribute",
    "UnknownOpset",
    "UnknownType",
    "WrongOperation",
    "__version__",
    "arange",
    "audit",
    "bitcast",
    "cast",
    "convert",
    "dtype",
    "dtypes",
    "explain",
    "format_text",
    "from_onnx",
    "info",
    "kernel",
    "load",
    "manifest_hash",
    "open_safetensors",
    "opsets",
    "parse_text",
    "quantization_error",
    "save_safetensors",
    "to_onnx",
]

for _name in __all__:
    if hasattr(globals()[_name], "__nb_signature__"):
        globals()[_name] = in_pythons_words(globals()[_name])

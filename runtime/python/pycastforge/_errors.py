"""What the package raises: subclasses of TypeError and ValueError with the library's message."""


class Error(Exception):
    """Base of all errors of this package."""


class UnknownType(Error, TypeError):
    """No type has that name, or a family of arrays has no such type."""


class PairNotAdmitted(Error, TypeError):
    """The op-set does not convert between these types, or lacks one of them."""


class NotAnArray(Error, TypeError):
    """Something else stands where an array is expected."""


class UnknownAttribute(Error, TypeError):
    """The op-set has no attribute of that name."""


class WrongOperation(Error, TypeError):
    """The op-set describes another operation."""


class UnknownOpset(Error, ValueError):
    """There is no such op-set, or no such version of it."""


class BadAttribute(Error, ValueError):
    """A value outside an attribute's set, or of the wrong kind."""


class BadArray(Error, ValueError):
    """Strides, shape, size, device, overlap or writability of an array are not what is needed."""


class NoTruthTable(BadArray, AttributeError):
    """The truth table of a kernel whose source has too many codes. As a property raises it, it is an AttributeError."""


class BadNumber(Error, ValueError):
    """A text that is no number, or a number beyond all integers. `index` says which one."""

    index: int = 0


class BadRange(Error, ValueError):
    """A sequence that cannot be: a step of zero, an input that is not finite, too many elements."""


class BadFile(Error, ValueError):
    """A file or message says something that it must not say."""


class IsaUnavailable(Error, ValueError):
    """The instruction set is unknown, was not built, or this machine lacks it."""


_BY_STATUS = {
    "unknown_opset": UnknownOpset,
    "unknown_type": UnknownType,
    "type_not_admitted": PairNotAdmitted,
    "pair_not_admitted": PairNotAdmitted,
    "text_conversion": PairNotAdmitted,
    "type_mismatch": PairNotAdmitted,
    "bad_type": PairNotAdmitted,
    "unknown_attribute": UnknownAttribute,
    "bad_attribute": BadAttribute,
    "repeated_attribute": BadAttribute,
    "wrong_operation": WrongOperation,
    "isa_unavailable": IsaUnavailable,
    "bad_number": BadNumber,
    "integer_out_of_range": BadNumber,
    "not_scalar": BadRange,
    "non_finite": BadRange,
    "input_range": BadRange,
    "step_zero": BadRange,
    "count_limit": BadRange,
    "beyond_end": BadRange,
    "kernels_refused": BadFile,
    "file_refused": BadFile,
}


def of_status(code: str, message: str, index: int | None) -> Error:
    """The error for a status of the library; all about buffers and shapes is BadArray."""
    error = _BY_STATUS.get(code, BadArray)(message)
    if isinstance(error, BadNumber) and index is not None:
        error.index = index
    return error


for _class in [Error, NoTruthTable, *Error.__subclasses__()]:
    _class.__module__ = "pycastforge"

"""Casts of others, and casts that are wrong on purpose."""

import shutil
import subprocess

import ml_dtypes
import numpy as np
import pytest

import pycastforge as cf


@pytest.mark.parametrize("src, dst", [("float32", "float8e4m3fn"), ("bfloat16", "int8"), ("int4", "float4e2m1")])
def test_our_own_cast_has_no_difference(src, dst):
    report = cf.audit(lambda x: cf.cast(x, dst), src, dst)
    assert report.differences == 0 and report.tried > 10 and not report.ranges


def test_a_function_that_returns_nothing():
    with pytest.raises(cf.NotAnArray):
        cf.audit(lambda x: None, "float16", "float8e4m3fn")


def test_one_wrong_code_is_found():
    def wrong(x):
        y = cf.cast(x, "bfloat16")
        y.view(np.uint16)[x.view(np.uint16) == 0x3C01] ^= 1
        return y

    report = cf.audit(wrong, "float16", "bfloat16")
    assert report.complete and report.tried == 65536 and report.differences == 1
    (difference,) = report.ranges
    assert (difference.first, difference.last, difference.count) == (0x3C01, 0x3C01, 1)
    assert difference.expected[0] ^ difference.found[0] == 1
    assert difference.kind == "another number"
    assert "3C01..3C01" in str(report) and "nearest_even" in str(report)


def test_kinds_and_exact_ranges():
    """ml_dtypes has NaN beyond the range where ONNX saturates."""
    report = cf.audit(lambda x: x.astype(ml_dtypes.float8_e4m3fn), "float16", "float8e4m3fn")
    assert set(report.kinds) == {"NaN, not a number"}
    assert [(r.first, r.last) for r in report.ranges] == [(0x5F41, 0x7C00), (0xDF41, 0xFC00)]
    assert report.ranges[0].values == (464.25, np.inf)


def test_ranges_beyond_the_limit_are_counted():
    report = cf.audit(lambda x: np.zeros(x.shape, np.int8), "float16", "int8", most_ranges=3)
    assert len(report.ranges) == 3 and report.more_ranges > 0
    assert sum(report.kinds.values()) == report.differences


def test_functions_that_return_something_else():
    with pytest.raises(cf.UnknownType, match="returned float16, expected bfloat16"):
        cf.audit(lambda x: x, "float16", "bfloat16")
    with pytest.raises(cf.BadArray, match="returned shape"):
        cf.audit(lambda x: cf.cast(x, "bfloat16")[:-1], "float16", "bfloat16")
    with pytest.raises(ValueError, match="at most 32 bits"):
        cf.audit(lambda x: x, "float64", "float64", exhaustive=True, opset="castforge@1")
    for name, words in [("libm.so.6", "LIBRARY:FUNCTION"), ("libm.so.6:no_such", "no function no_such")]:
        with pytest.raises(ValueError, match=words):
            cf.audit(name, "float16", "bfloat16")
    with pytest.raises(ValueError, match="family"):
        cf.audit(lambda x: x, "float16", "bfloat16", family="list")


def test_function_of_a_shared_library(tmp_path):
    compiler = next(filter(None, map(shutil.which, ["cc", "gcc", "clang"])), None)
    if compiler is None:
        pytest.skip("no C compiler")
    source = tmp_path / "f.c"
    source.write_text("""
#include <stddef.h>
#include <stdint.h>
#include <string.h>
void truncate_to_bfloat16(const void* src, void* dst, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint32_t word;
    memcpy(&word, (const char*)src + 4 * i, 4);
    uint16_t high = (uint16_t)(word >> 16);
    memcpy((char*)dst + 2 * i, &high, 2);
  }
}
""")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / "libf.so", source], check=True)
    report = cf.audit(f"{tmp_path}/libf.so:truncate_to_bfloat16", "float32", "bfloat16")
    assert not report.complete and report.differences > 1000
    assert {"another number", "another NaN", "infinite, not finite"} & set(report.kinds)

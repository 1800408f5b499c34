"""Datasets of narrow floats through h5py and its own HDF5 library, compared with numpy's float64 arithmetic.

python3 h5py_test.py libcastforge_hdf5_module.so another_libhdf5.so
"""
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

MODULE, OTHER_HDF5 = sys.argv[1:3]


def load(path=MODULE):
    module = ctypes.PyDLL(path)
    module.castforge_hdf5_create_type.restype = ctypes.c_int64
    module.castforge_hdf5_recognize.argtypes = [ctypes.c_int64]
    module.castforge_hdf5_recognize.restype = ctypes.c_uint16
    return module


def attach(module, path=None):
    """The message; empty: done."""
    message = ctypes.create_string_buffer(1000)
    result = module.castforge_hdf5_attach(None if path is None else os.fsencode(path), message, len(message))
    assert (result < 0) == bool(message.value)
    return message.value.decode()


def number(module, name):
    found = ctypes.c_uint16()
    assert module.castforge_find_type(name.encode(), ctypes.byref(found)) == 0
    return found


def loaded(name):
    """Files of the process whose name starts so."""
    with open("/proc/self/maps") as maps:
        paths = {line.split(None, 5)[5].rstrip("\n") for line in maps if len(line.split(None, 5)) > 5}
    return sorted(path for path in paths if os.path.basename(path).startswith(name))


# What needs a process of its own: `h5py_test.py MODULE OTHER_HDF5 <name>` prints the messages.
def without_hdf5():
    module = load()
    print(module.castforge_hdf5_register(None) < 0, module.castforge_hdf5_create_type(number(module, "bfloat16")) < 0)
    print(attach(module))
    print(attach(module, OTHER_HDF5))
    print(attach(module, loaded("libc.so")[0]))


def with_another():
    import h5py  # noqa: F401, loads its own
    first = loaded("libhdf5-") + loaded("libhdf5.so") + loaded("libhdf5_serial.so")
    ctypes.CDLL(OTHER_HDF5)
    module = load()
    print(attach(module))
    print(attach(module, first[0]) or "attached")
    print(attach(module, first[0]) or "attached")
    print(attach(module, OTHER_HDF5))


if len(sys.argv) > 3:
    {"without_hdf5": without_hdf5, "with_another": with_another}[sys.argv[3]]()
    sys.exit()

import h5py  # noqa: E402
import numpy as np  # noqa: E402


def messages_of(name):
    run = subprocess.run([sys.executable, __file__, MODULE, OTHER_HDF5, name], check=True, text=True,
                         capture_output=True)
    return run.stdout.splitlines()


def e4m3fn_values():
    """The magnitudes of the codes 00 to 7E."""
    codes = np.arange(0x7F)
    exponent, fraction = codes >> 3, codes & 7
    return np.where(exponent == 0, fraction * 2.0**-9, (8 + fraction) * 2.0 ** (exponent - 10.0))


def e4m3fn_codes(numbers):
    """Nearest, ties to even, saturated; NaN is 7F."""
    values = e4m3fn_values()
    middles = (values[:-1] + values[1:]) / 2
    with np.errstate(invalid="ignore"):  # signaling NaNs
        magnitudes = np.abs(numbers.astype(np.float64))
    codes = np.searchsorted(middles, magnitudes, "left")
    tie = middles[np.minimum(codes, len(middles) - 1)] == magnitudes
    codes += tie & (codes % 2 == 1)
    codes = codes | np.where(np.signbit(numbers), 0x80, 0)
    return np.where(np.isnan(numbers), 0x7F, codes).astype(np.uint8)


def numbers32():
    """Every float16, the middles between neighbours of float8e4m3fn, and both neighbours of these in float32."""
    values = e4m3fn_values()
    middles = ((values[:-1] + values[1:]) / 2).astype(np.float32)
    around = np.concatenate([middles, np.nextafter(middles, np.float32(0)), np.nextafter(middles, np.float32(1e9))])
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = halves[~(np.isnan(halves) & np.signbit(halves))]
    return np.concatenate([halves.astype(np.float32), around, -around, np.float32([1e30, -1e30, 1e-40])])


class H5py(unittest.TestCase):
    def setUp(self):
        self.module = load()
        self.assertEqual(attach(self.module), "")
        self.assertEqual(self.module.castforge_hdf5_register(b"onnx@28"), 0)
        self.file = h5py.File.in_memory() if hasattr(h5py.File, "in_memory") else h5py.File(
            "castforge_h5py_test.h5", "w", driver="core", backing_store=False)
        self.addCleanup(self.file.close)

    def datatype(self, name):
        return h5py.Datatype(h5py.h5t.TypeFloatID(self.module.castforge_hdf5_create_type(number(self.module, name))))

    def codes(self, dataset, datatype, unit=np.uint8):
        found = np.empty(dataset.shape, unit)
        dataset.id.read(h5py.h5s.ALL, h5py.h5s.ALL, found, datatype.id)
        return found

    def test_no_second_hdf5_is_loaded(self):
        main = [path for path in loaded("libhdf5") if not os.path.basename(path).startswith("libhdf5_hl")
                and "_hl" not in os.path.basename(path)]
        self.assertEqual(len(main), 1, main)

    def test_float32_to_float8_and_back(self):
        float8, written = self.datatype("float8e4m3fn"), numbers32()
        dataset = self.file.create_dataset("w", written.shape, float8)
        dataset[...] = written
        expected = e4m3fn_codes(written)
        codes = self.codes(dataset, float8)
        np.testing.assert_array_equal(codes, expected)
        values = np.concatenate([e4m3fn_values(), [np.nan]])
        back = np.where(expected & 0x80, -1, 1) * values[expected & 0x7F]
        for wide in (np.float32, np.float64, np.float16):
            found = dataset.astype(wide)[:]
            self.assertEqual(found.dtype, wide)
            np.testing.assert_array_equal(found, back.astype(wide))
            np.testing.assert_array_equal(np.signbit(found)[~np.isnan(back)], np.signbit(back)[~np.isnan(back)])

    def test_chunks_compression_and_selections(self):
        float8, written = self.datatype("float8e4m3fn"), np.linspace(-500, 500, 60000, dtype=np.float32)
        written = written.reshape(200, 300)
        dataset = self.file.create_dataset("w", written.shape, float8, chunks=(64, 64), compression="gzip")
        dataset[...] = written
        dataset[10:20, ::7] = written[30:40, ::7]
        written[10:20, ::7] = written[30:40, ::7]
        codes = e4m3fn_codes(written)
        np.testing.assert_array_equal(self.codes(dataset, float8), codes)
        values = np.where(codes & 0x80, -1, 1) * np.append(e4m3fn_values(), np.nan)[codes & 0x7F]
        np.testing.assert_array_equal(dataset.astype("f4")[5:150:3, 17:], values[5:150:3, 17:])

    def test_bfloat16(self):
        bfloat16, written = self.datatype("bfloat16"), numbers32()
        written = written[np.isfinite(written)]
        dataset = self.file.create_dataset("w", written.shape, bfloat16)
        dataset[...] = written
        bits = written.view(np.uint32).astype(np.uint64)
        expected = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        np.testing.assert_array_equal(self.codes(dataset, bfloat16, np.uint16), expected)

    def test_float4_has_a_byte_each(self):
        float4 = self.datatype("float4e2m1")
        dataset = self.file.create_dataset("w", (7,), float4)
        dataset[...] = np.float32([0, 0.5, 1, -1.5, 2.5, 5, 100])
        np.testing.assert_array_equal(self.codes(dataset, float4), [0, 1, 2, 0xB, 4, 6, 7])
        np.testing.assert_array_equal(dataset.astype("f4")[:], [0, 0.5, 1, -1.5, 2, 4, 6])

    def test_the_last_op_set_counts(self):
        float8 = self.datatype("float8e4m3fn")
        dataset = self.file.create_dataset("w", (2,), float8)
        for opset, code in ((b"openvino-convert@1", 0x7F), (b"onnx@28", 0x7E)):
            self.assertEqual(self.module.castforge_hdf5_register(opset), 0)
            self.assertLess(self.module.castforge_hdf5_register(b"onx@28"), 0)  # changes nothing
            dataset[...] = np.float32([1, 1e6])
            np.testing.assert_array_equal(self.codes(dataset, float8), [0x38, code])

    def test_predefined_types_are_recognized(self):
        hdf5 = ctypes.CDLL(self.hdf5_path())
        for symbol, name in (("H5T_FLOAT_F8E4M3_g", "float8e4m3fn"), ("H5T_FLOAT_F8E5M2_g", "float8e5m2"),
                             ("H5T_FLOAT_BFLOAT16LE_g", "bfloat16"), ("H5T_IEEE_F16LE_g", "float16")):
            try:
                id_ = ctypes.c_int64.in_dll(hdf5, symbol).value
            except ValueError:
                continue  # HDF5 1 has fewer
            with self.subTest(symbol):
                self.assertEqual(self.module.castforge_hdf5_recognize(id_), number(self.module, name).value)

    def hdf5_path(self):
        return [path for path in loaded("libhdf5") if "_hl" not in os.path.basename(path)][0]

    def test_each_refusal_says_why(self):
        lines = messages_of("without_hdf5")
        self.assertEqual(lines[0], "True True")
        self.assertEqual(lines[1], "no HDF5 library is loaded in this process: load it first (Python: import h5py)")
        self.assertEqual(lines[2], f"{OTHER_HDF5}: not loaded in this process: load it first (Python: import h5py)")
        self.assertRegex(lines[3], r"libc\.so\S*: has no H5open, so it is no HDF5 library$")

    def test_one_of_several_is_chosen_by_its_path(self):
        if os.path.realpath(OTHER_HDF5) == os.path.realpath(self.hdf5_path()):
            self.skipTest("h5py has the system's HDF5")
        lines = messages_of("with_another")
        self.assertRegex(lines[0], "^several HDF5 libraries are loaded in this process, give the path of one: /.* /")
        self.assertEqual(lines[1:3], ["attached", "attached"])
        self.assertRegex(lines[3], f"^{OTHER_HDF5}: this module is attached to another HDF5 library; load a copy")

    def test_a_copy_of_the_module_serves_too(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copy(MODULE, folder)
            self.assertEqual(attach(load(copy)), "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

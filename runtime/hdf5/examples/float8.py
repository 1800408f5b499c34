"""Writes and reads a float8 dataset with h5py.  python3 float8.py libcastforge_hdf5_module.so [file.h5]"""
import ctypes
import sys

import h5py
import numpy as np


def attach(module_path):
    """Gives the HDF5 library of h5py castforge's conversions; before other threads use h5py."""
    module = ctypes.PyDLL(module_path)
    module.castforge_hdf5_create_type.restype = ctypes.c_int64
    message = ctypes.create_string_buffer(500)
    if module.castforge_hdf5_attach(None, message, len(message)) < 0:
        raise OSError(message.value.decode())
    if module.castforge_hdf5_register(b"onnx@28") < 0:  # out of range is saturated; None: castforge@1
        raise OSError("castforge_hdf5_register: no such op-set")
    return module


def datatype(module, name):
    """The HDF5 type of a number format of castforge, for create_dataset."""
    number = ctypes.c_uint16()
    if module.castforge_find_type(name.encode(), ctypes.byref(number)) != 0:
        raise ValueError(f"{name}: no such type")
    made = module.castforge_hdf5_create_type(number)
    if made < 0:
        raise ValueError(f"{name}: no type that HDF5 can describe")
    return h5py.Datatype(h5py.h5t.TypeFloatID(made))


module = attach(sys.argv[1])
weights = np.array([1.0, -0.5, 448.0, 1.0e6, 2.0**-9, 1.0 + 2.0**-4 + 2.0**-20, np.nan], np.float32)

with h5py.File(sys.argv[2] if len(sys.argv) > 2 else "float8.h5", "w") as file:
    float8 = datatype(module, "float8e4m3fn")
    dataset = file.create_dataset("weights", weights.shape, float8)
    dataset[...] = weights  # create_dataset(data=weights) would round to float16 first
    back = dataset.astype("f4")[:]
    codes = np.empty(weights.shape, np.uint8)
    dataset.id.read(h5py.h5s.ALL, h5py.h5s.ALL, codes, float8.id)

print("codes ", " ".join(f"{code:02x}" for code in codes))
print("values", " ".join(f"{value:g}" for value in back))

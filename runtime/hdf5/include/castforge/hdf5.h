/* Conversions of castforge for HDF5: datasets of bfloat16, float8, float6 and float4 are read and written as float,
 * double or float16 with H5Dread and H5Dwrite.
 *
 *   castforge_hdf5_register(NULL);
 *   castforge_find_type("float8e4m3fn", &type);
 *   hid_t float8 = castforge_hdf5_create_type(type);
 *   hid_t dataset = H5Dcreate2(file, "w", float8, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
 *   H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, weights);
 *
 * An HDF5 float type states size, fields and exponent bias, but not which codes are NaN and whether there are
 * infinities. Types are recognized by what it does state, exactly: see runtime/hdf5/README.md. */
#ifndef CASTFORGE_HDF5_H
#define CASTFORGE_HDF5_H

#include <castforge/castforge.h>
#include <hdf5.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Registers the conversions with the HDF5 library of this program, by the rules of the op-set with its default
 * attributes; NULL: castforge@1, which has every type (a library without it: the default one). They replace those that
 * HDF5 has looked up before; pairs of types that the op-set does not admit keep HDF5's own. Again with another op-set:
 * that one counts from then on. No other thread may use HDF5 meanwhile, unless it was built thread-safe. Negative where
 * the op-set is unknown or none of casts, or HDF5 refuses. */
CASTFORGE_API herr_t castforge_hdf5_register(const char* opset);

/* A new HDF5 type of a signed floating-point format, little-endian, elements below 8 bits in the low bits of a byte
 * each; to be closed with H5Tclose. Negative where the type is none HDF5 can describe, as integers and float8e8m0, or
 * where its description is also that of a format with a lower number, as binary8p4se has that of float8e4m3fnuz. */
CASTFORGE_API hid_t castforge_hdf5_create_type(castforge_type type);

/* The format that an HDF5 type describes, of several the one with the lowest number; CASTFORGE_NO_TYPE: none. */
CASTFORGE_API castforge_type castforge_hdf5_recognize(hid_t type);

#ifdef __cplusplus
}
#endif

#endif

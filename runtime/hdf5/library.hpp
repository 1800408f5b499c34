#pragma once
// The functions and variables of HDF5 in use, behind pointers: libcastforge_hdf5 fills them when it is linked
// (linked.cpp), the module at run time, from the HDF5 library that a process has loaded (loaded.cpp).
#include <hdf5.h>

// clang-format off
#define CASTFORGE_HDF5_SYMBOLS(X)                                                                              \
  X(H5open) X(H5get_libversion) X(H5Tregister) X(H5Tunregister) X(H5Tcopy) X(H5Tclose)                         \
  X(H5Tget_class) X(H5Tget_size) X(H5Tget_precision) X(H5Tget_offset) X(H5Tget_order) X(H5Tget_norm)           \
  X(H5Tget_ebias) X(H5Tget_fields) X(H5Tset_size) X(H5Tset_precision) X(H5Tset_fields) X(H5Tset_ebias)         \
  X(H5T_NATIVE_FLOAT_g) X(H5T_IEEE_F32LE_g) X(H5T_IEEE_F64LE_g)
// clang-format on

namespace castforge {

struct Hdf5Library {
#define CASTFORGE_HDF5_MEMBER(symbol) decltype(&::symbol) symbol;  // NOLINT(bugprone-macro-parentheses): a name
  CASTFORGE_HDF5_SYMBOLS(CASTFORGE_HDF5_MEMBER)
#undef CASTFORGE_HDF5_MEMBER
};

/// Null where there is none yet.
const Hdf5Library* hdf5_library();

}  // namespace castforge

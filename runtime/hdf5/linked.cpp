#include "library.hpp"

namespace castforge {

const Hdf5Library* hdf5_library() {
#define CASTFORGE_HDF5_ADDRESS(symbol) &::symbol,
  static const Hdf5Library library = {CASTFORGE_HDF5_SYMBOLS(CASTFORGE_HDF5_ADDRESS)};
#undef CASTFORGE_HDF5_ADDRESS
  return &library;
}

}  // namespace castforge

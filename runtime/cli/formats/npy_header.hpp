// The header of a .npy file (NumPy format 1.0, 2.0, 3.0): a Python dictionary written as text.
#pragma once

#include "cli/formats/tensor.hpp"
#include "cli/io/input_file.hpp"

#include <string>
#include <string_view>

namespace castforge::cli {

/// An array-protocol type string such as "<f4", taken apart. `order` is one of < > = |.
struct NpyDescr {
  char order = '|';
  char kind = 0;      // b i u f V ...
  unsigned size = 0;  // bytes of an element
};

/// Nothing where `descr` is not of the form ORDER KIND SIZE.
std::optional<NpyDescr> parse_npy_descr(std::string_view descr);

struct NpyHeader {
  std::string descr;               // of a record type the list of its fields: "[('a', '<f4')]"
  std::uint64_t descr_offset = 0;  // in the file, for messages
  bool fortran_order = false;
  Shape shape;
  std::uint64_t data_offset = 0;
};

/// Reads and checks a header; throws a bad_data Failure that names the byte.
NpyHeader read_npy_header(InputFile& file);

/// The bytes before the elements, as NumPy itself writes them. A bad_data Failure where the rank exceeds
/// NumPy's.
std::string npy_header_bytes(std::string_view descr, bool fortran_order, const Shape& shape);

}  // namespace castforge::cli

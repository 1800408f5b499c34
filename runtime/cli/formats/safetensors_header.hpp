// The header of a .safetensors file: names, element types, shapes and byte ranges, as JSON.
#pragma once

#include "cli/formats/tensor.hpp"
#include "cli/io/input_file.hpp"

#include <string>
#include <utility>
#include <vector>

namespace castforge::cli {

struct SafetensorsEntry {
  std::string name;
  std::string dtype;
  Shape shape;
  std::uint64_t begin = 0, end = 0;  // within the data section
  std::uint64_t count = 0;           // product of the shape
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> tensors;  // in the order of their data
  std::vector<std::pair<std::string, std::string>> metadata;
  bool has_metadata = false;
  std::uint64_t data_offset = 0;
};

/// Bits of one element of a dtype; 0 where the format has no such dtype.
int safetensors_bits(std::string_view dtype);

/// Reads and checks a header: every tensor's size agrees with its range, and the ranges cover the data
/// section without overlaps or gaps. Throws a bad_data Failure that names the tensor or byte.
SafetensorsHeader read_safetensors_header(InputFile& file);

/// The bytes before the data: `begin`, `end` and `dtype` of the tensors must be set. The data starts at a
/// multiple of 8.
std::string safetensors_header_bytes(const SafetensorsHeader& header);

}  // namespace castforge::cli

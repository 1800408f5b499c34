// Files made of bytes, casts of them, and runs of the program.
#pragma once

#include "cli/commands/cast_job.hpp"
#include "cli/io/failure.hpp"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace cli_test {

/// A folder of its own for a test; gone with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view contents) const;
  std::string read(const std::string& name) const;
  /// Names of the files in it, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

/// Bytes from numbers: bytes({1, 2, 255}).
std::string bytes(std::initializer_list<int> values);
/// Little-endian bytes of values.
template <class T>
std::string codes(std::initializer_list<T> values) {
  std::string out;
  for (const T value : values) out.append(reinterpret_cast<const char*>(&value), sizeof value);
  return out;
}

/// A .npy file of version `major` whose dictionary is `header`, unpadded.
std::string npy(std::string_view header, std::string_view data, int major = 1);
/// A .npy file with that descr and shape, as in "(2, 3)".
std::string npy_array(std::string_view descr, std::string_view shape, std::string_view data, bool fortran = false);
/// A .safetensors file.
std::string safetensors(std::string_view header, std::string_view data);
/// Fields of a Protocol Buffers message.
std::string varint(std::uint64_t value);
std::string varint_field(std::uint32_t number, std::uint64_t value);
std::string bytes_field(std::uint32_t number, std::string_view contents);

struct Outcome {
  int code = 0;
  std::string message;  // without the folder's path
  std::string output;
};

/// Casts `input`, the contents of a file called in.EXTENSION, to out.EXTENSION.
struct CastOf {
  std::string extension, input;
  std::string to;
  std::string from = {};
  std::string output_extension = {};  // empty: the same
  std::vector<std::string> tensors = {};
  std::string opset = "onnx@28";
  unsigned threads = 1;
};
Outcome cast(const CastOf& what);

struct Run {
  int code = 0;
  std::string output, errors;
};

/// Where the program is: that of the build, or what CASTFORGE_TRIED_PROGRAM says (tests/mutation).
std::string program_path();

/// Runs the program with arguments as a shell reads them, in a folder, after `environment` ("NAME=value").
Run program(const Folder& folder, const std::string& arguments, const std::string& environment = "");

}  // namespace cli_test

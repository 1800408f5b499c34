// Kernels as one header and one source in C, for those who copy files into their tree and link nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/catalogue.hpp"

namespace castforge::amalgam {

struct Request {
  std::vector<const driver::Kernel*> kernels;  // planned
  std::vector<std::string> sets;               // instruction sets beside the portable form
  std::string name = "castforge_casts";        // of the files, and what their other symbols begin with
  std::string extension = ".c";
  std::string language = "C99";
  std::string manifest;  // hash
  std::string command;   // that makes them, for the reader
};

struct File {
  std::string name, text;
};
struct Amalgam {
  File header, source;
  std::vector<std::string> notes;  // kernels that an instruction set does not have
};

/// `folder`: templates/, with the helpers in amalgam/. Throws std::runtime_error where a kernel cannot be printed at
/// all.
Amalgam amalgamate(const Request& request, const std::filesystem::path& folder);

/// The instruction sets there are helpers for, in order of preference, the last the best; without the portable one.
std::vector<std::string> known_sets(const std::filesystem::path& folder);

/// The name in C.
std::string function_name(const driver::Kernel& kernel);

}  // namespace castforge::amalgam

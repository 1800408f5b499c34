// From spec files to the bytes of a .cft file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "spec/loader.hpp"
#include "tabulate/table.hpp"

namespace castforge::tabulate {

struct Request {
  std::vector<std::filesystem::path> library;  // spec trees of the library that the kernels come beside
  std::vector<std::filesystem::path> own;      // files or folders with what it lacks
  std::vector<spec::SpecText> texts = {};      // likewise: good ones are the library's, the others what it lacks
  std::vector<std::string> library_opsets;     // as for spec::load
  std::vector<std::string> opsets;             // only cells of these; empty: of all
  std::vector<std::string> pairs;              // only these, "SRC:DST"; empty: all
  bool verified = true;                        // tables are held against the exact semantics, as load() does again
};

struct Made {
  struct Kernel {
    std::string name, src, dst;
    Table table;
  };
  std::vector<std::string> types;   // of the file's own
  std::vector<std::string> opsets;  // that get cells
  std::vector<Kernel> kernels;
  std::string file;  // the bytes
};

/// A table that differs from the exact semantics, which would be an error of this program.
struct WrongTable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A request that asks for nothing that the library lacks.
struct NothingNew : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A request whose op-sets and pairs have no conversion that the library lacks.
struct NoConversion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `progress(done, all)` is called before every kernel. Throws spec::SpecError for specs, std::invalid_argument for
/// names that are none, NothingNew, NoConversion, std::length_error for what no file holds, WrongTable.
Made make(const Request& request, const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace castforge::tabulate

// A file made from pieces of another: bytes as they are, and elements through kernels. In bounded memory.
#pragma once

#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/progress.hpp"

#include <castforge/castforge.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace castforge::cli {

/// A piece of the result: `count` elements from byte `offset` of the input on; with no kernel, that many bytes.
struct Piece {
  std::uint64_t offset = 0, count = 0;
  const Kernel* kernel = nullptr;
};

/// The pieces of a result, in their order.
class Pieces {
 public:
  virtual ~Pieces() = default;
  virtual std::size_t size() const = 0;
  virtual Piece piece(std::size_t index) const = 0;
};

/// Sees blocks of elements before and after their cast, from several threads at once.
using SeeBlock = std::function<void(std::size_t piece, const void* before, const void* after, std::size_t count)>;

/// Writes the pieces one after the other. So many threads convert at the same time and take turns at writing, and one
/// more reads; together they hold at most 32 MiB. Throws the Failure of the first block that failed.
void write_pieces(InputFile& from, const Pieces& pieces, OutputFile& to, unsigned threads, Progress& progress,
                  const SeeBlock& see = {});

/// Reads the result of that call back, from byte `begin` of `written` on, and computes it again with the kernels that
/// `other` gives for those of the pieces. Throws a bad_data Failure that names the first piece, by `name_of`, and the
/// byte that differ.
void check_pieces(InputFile& from, const Pieces& pieces, InputFile& written, std::uint64_t begin, unsigned threads,
                  Progress& progress, const std::function<const Kernel*(const Kernel*)>& other,
                  const std::function<std::string(std::size_t)>& name_of);

}  // namespace castforge::cli

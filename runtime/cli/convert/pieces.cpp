#include "cli/convert/pieces.hpp"

#include "cli/formats/tensor.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/ordered_pipeline.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace castforge::cli {
namespace {

constexpr std::size_t kAllBlocks = 32 << 20, kLargestBlock = 1 << 19;

struct Block {
  std::vector<std::byte> in, out, written;
  const Kernel* kernel = nullptr;
  std::size_t piece = 0, count = 0, bytes_in = 0, bytes_out = 0;
  std::uint64_t at = 0;  // in the result
};

/// Hands out the pieces block by block.
class Blocks {
 public:
  Blocks(InputFile& from, const Pieces& pieces, std::uint64_t begin, unsigned threads)
      : from_(from),
        pieces_(pieces),
        at_(begin),
        block_bytes_(std::clamp<std::size_t>(kAllBlocks / 3 / pipeline_chunks(threads), 1 << 12, kLargestBlock)) {}

  bool take(Block& block) {
    while (done_ == now_.count) {
      if (next_ == pieces_.size()) return false;
      now_ = pieces_.piece(next_++);
      done_ = 0;
    }
    const int src_bits = now_.kernel ? type_info(now_.kernel->src()).storage_bits : 8;
    const int dst_bits = now_.kernel ? type_info(now_.kernel->dst()).storage_bits : 8;
    // Eight elements are whole bytes.
    const std::uint64_t most = block_bytes_ / static_cast<std::size_t>(std::max(src_bits, dst_bits)) * 8;
    block.piece = next_ - 1;
    block.kernel = now_.kernel;
    block.count = static_cast<std::size_t>(std::min(most, now_.count - done_));
    block.bytes_in = bytes_of_elements(block.count, src_bits);
    block.bytes_out = bytes_of_elements(block.count, dst_bits);
    block.at = at_;
    if (block.in.size() < block.bytes_in) block.in.resize(block.bytes_in);
    from_.read_exactly(now_.offset + done_ / 8 * static_cast<unsigned>(src_bits), block.in.data(), block.bytes_in,
                       "tensor data");
    done_ += block.count;
    at_ += block.bytes_out;
    return true;
  }

  static void cast(const Kernel& kernel, Block& block) {
    if (block.out.size() < block.bytes_out) block.out.resize(block.bytes_out);
    const Status status = kernel.run(block.in.data(), block.out.data(), block.count);
    if (!status) throw Failure(ExitCode::bad_data, status.message());
  }

 private:
  InputFile& from_;
  const Pieces& pieces_;
  std::uint64_t at_;
  std::size_t block_bytes_;
  Piece now_;
  std::size_t next_ = 0;    // the piece after that
  std::uint64_t done_ = 0;  // of the piece
};

class Writing {
 public:
  using Chunk = Block;

  Writing(InputFile& from, const Pieces& pieces, OutputFile& to, unsigned threads, Progress& progress,
          const SeeBlock& see)
      : blocks_(from, pieces, 0, threads), to_(to), progress_(progress), see_(see) {}

  bool take(Block& block) { return blocks_.take(block); }

  void work(Block& block) const {
    if (block.kernel == nullptr) return;
    Blocks::cast(*block.kernel, block);
    if (see_) see_(block.piece, block.in.data(), block.out.data(), block.count);
  }

  void put(Block& block) {
    to_.write(block.kernel ? block.out.data() : block.in.data(), block.bytes_out);
    progress_.advance(block.bytes_in);
  }

 private:
  Blocks blocks_;
  OutputFile& to_;
  Progress& progress_;
  const SeeBlock& see_;
};

class Checking {
 public:
  using Chunk = Block;

  Checking(InputFile& from, const Pieces& pieces, InputFile& written, std::uint64_t begin, unsigned threads,
           Progress& progress, const std::function<const Kernel*(const Kernel*)>& other,
           const std::function<std::string(std::size_t)>& name_of)
      : blocks_(from, pieces, begin, threads),
        written_(written),
        progress_(progress),
        other_(other),
        name_of_(name_of) {}

  bool take(Block& block) {
    if (!blocks_.take(block)) return false;
    if (block.written.size() < block.bytes_out) block.written.resize(block.bytes_out);
    written_.read_exactly(block.at, block.written.data(), block.bytes_out, "tensor data");
    return true;
  }

  void work(Block& block) const {
    if (block.kernel) Blocks::cast(*other_(block.kernel), block);
    const std::byte* expected = block.kernel ? block.out.data() : block.in.data();
    if (std::memcmp(expected, block.written.data(), block.bytes_out) == 0) return;
    const auto differ = std::mismatch(expected, expected + block.bytes_out, block.written.data()).first - expected;
    throw bad_byte(written_.name(), block.at + static_cast<std::uint64_t>(differ),
                   text(name_of_(block.piece), ": expected what the cast gives again, found another byte"));
  }

  void put(Block& block) { progress_.advance(block.bytes_in); }

 private:
  Blocks blocks_;
  InputFile& written_;
  Progress& progress_;
  const std::function<const Kernel*(const Kernel*)>& other_;
  const std::function<std::string(std::size_t)>& name_of_;
};

}  // namespace

void write_pieces(InputFile& from, const Pieces& pieces, OutputFile& to, unsigned threads, Progress& progress,
                  const SeeBlock& see) {
  Writing steps(from, pieces, to, threads, progress, see);
  OrderedPipeline<Writing>(steps).run(threads);
}

void check_pieces(InputFile& from, const Pieces& pieces, InputFile& written, std::uint64_t begin, unsigned threads,
                  Progress& progress, const std::function<const Kernel*(const Kernel*)>& other,
                  const std::function<std::string(std::size_t)>& name_of) {
  Checking steps(from, pieces, written, begin, threads, progress, other, name_of);
  OrderedPipeline<Checking>(steps).run(threads);
}

}  // namespace castforge::cli

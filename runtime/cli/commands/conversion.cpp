#include "cli/commands/conversion.hpp"

#include "cli/io/failure.hpp"
#include "cli/io/ordered_pipeline.hpp"

#include <algorithm>

namespace castforge::cli {
namespace {

class KernelSteps {
 public:
  struct Chunk {
    std::vector<std::byte> in, out;
    std::size_t count = 0;
  };

  KernelSteps(ElementReader& src, const Kernel& kernel, ElementWriter& dst, std::size_t most, Progress& progress)
      : src_(src),
        kernel_(kernel),
        dst_(dst),
        most_(most),
        progress_(progress),
        src_bits_(type_info(kernel.src()).storage_bits),
        dst_bits_(type_info(kernel.dst()).storage_bits) {}

  bool take(Chunk& chunk) {
    chunk.in.resize(bytes_of_elements(most_, src_bits_));
    chunk.count = src_.read(chunk.in.data(), most_);
    return chunk.count != 0;
  }

  void work(Chunk& chunk) const {
    chunk.out.resize(bytes_of_elements(most_, dst_bits_));
    const Status status = kernel_.run(chunk.in.data(), chunk.out.data(), chunk.count);
    if (!status) throw Failure(ExitCode::bad_data, status.message());
  }

  void put(Chunk& chunk) {
    dst_.write(chunk.out.data(), chunk.count);
    total_ += chunk.count;
    progress_.advance(bytes_of_elements(chunk.count, src_bits_));
  }

  std::uint64_t total() const { return total_; }

 private:
  ElementReader& src_;
  const Kernel& kernel_;
  ElementWriter& dst_;
  std::size_t most_;
  Progress& progress_;
  int src_bits_, dst_bits_;
  std::uint64_t total_ = 0;
};

}  // namespace

std::uint64_t convert(ElementReader& src, const Kernel& kernel, ElementWriter& dst, std::optional<std::uint64_t> count,
                      unsigned threads, Progress& progress) {
  const int widest = std::max(type_info(kernel.src()).storage_bits, type_info(kernel.dst()).storage_bits);
  const Chunks chunks = chunks_of(count, widest, threads);
  KernelSteps steps(src, kernel, dst, chunks.elements, progress);
  OrderedPipeline<KernelSteps>(steps).run(chunks.threads);
  return steps.total();
}

}  // namespace castforge::cli

#include "cli/conversion.hpp"

#include "cli/failure.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace castforge::cli {
namespace {

constexpr std::size_t kChunkBytes = 1 << 20;

class Line {
 public:
  Line(ElementReader& src, const Kernel& kernel, ElementWriter& dst, std::size_t chunk, Progress& progress)
      : src_(src), kernel_(kernel), dst_(dst), chunk_(chunk), progress_(progress),
        src_bits_(type_info(kernel.src()).storage_bits), dst_bits_(type_info(kernel.dst()).storage_bits) {}

  /// What every thread does until the elements are used up or something fails.
  void work() noexcept {
    try {
      std::vector<std::byte> in(bytes(chunk_, src_bits_)), out(bytes(chunk_, dst_bits_));
      std::size_t count = 0;
      std::uint64_t turn = 0;
      while (take(in, count, turn)) {
        const Status status = kernel_.run(in.data(), out.data(), count);
        if (!status) throw Failure(ExitCode::bad_data, status.message());
        if (!put(out, count, turn)) break;
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// After all threads are done: the elements written.
  std::uint64_t result() const {
    if (failure_) std::rethrow_exception(failure_);
    return total_;
  }

 private:
  static std::size_t bytes(std::size_t count, int bits) { return static_cast<std::size_t>(*packed_bytes(count, bits)); }

  bool take(std::vector<std::byte>& in, std::size_t& count, std::uint64_t& turn) {
    const std::lock_guard lock(reading_);
    if (stopped()) return false;
    count = src_.read(in.data(), chunk_);
    turn = taken_++;
    return count != 0;
  }

  bool put(const std::vector<std::byte>& out, std::size_t count, std::uint64_t turn) {
    std::unique_lock lock(writing_);
    turn_changed_.wait(lock, [&] { return turn == written_ || failure_; });
    if (failure_) return false;
    dst_.write(out.data(), count);
    total_ += count;
    progress_.advance(bytes(count, src_bits_));
    ++written_;
    turn_changed_.notify_all();
    return true;
  }

  bool stopped() {
    const std::lock_guard lock(writing_);
    return failure_ != nullptr;
  }

  void fail(std::exception_ptr failure) noexcept {
    const std::lock_guard lock(writing_);
    if (!failure_) failure_ = std::move(failure);
    turn_changed_.notify_all();
  }

  ElementReader& src_;
  const Kernel& kernel_;
  ElementWriter& dst_;
  std::size_t chunk_;
  Progress& progress_;
  int src_bits_, dst_bits_;

  std::mutex reading_;
  std::uint64_t taken_ = 0;  // chunks handed out

  std::mutex writing_;
  std::condition_variable turn_changed_;
  std::uint64_t written_ = 0, total_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::uint64_t convert(ElementReader& src, const Kernel& kernel, ElementWriter& dst, std::optional<std::uint64_t> count,
                      unsigned threads, Progress& progress) {
  const int widest = std::max(type_info(kernel.src()).storage_bits, type_info(kernel.dst()).storage_bits);
  std::uint64_t chunk = kChunkBytes * 8 / static_cast<std::size_t>(widest);  // a multiple of 8
  if (count) {
    // Readers want multiples of 8, and one more element shows them that the data ends.
    chunk = std::min(chunk, (*count / 8 + 1) * 8);
    threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, *count / chunk + 1));
  }
  Line line(src, kernel, dst, static_cast<std::size_t>(chunk), progress);
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < threads; ++i) helpers.emplace_back([&line] { line.work(); });
  line.work();
  helpers.clear();
  return line.result();
}

}  // namespace castforge::cli

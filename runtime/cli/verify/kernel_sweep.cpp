#include "cli/verify/kernel_sweep.hpp"

#include "cli/io/element_words.hpp"
#include "cli/io/failure.hpp"
#include "cli/verify/exact_runs.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <random>
#include <stdexcept>

namespace castforge::cli {
namespace {

constexpr std::size_t kBlock = 8192;   // elements: source and results stay in the nearest caches
constexpr std::size_t kUnevenAt = 64;  // one in so many blocks is shorter, by 1 to kMostLess elements
constexpr std::size_t kMostLess = 512;
constexpr std::size_t kEndsByte = 8;  // so many elements of any width reach the end of a byte

/// count elements of a whole word each: value, value + step, ...
template <class Word>
void fill_words(unsigned char* memory, std::size_t at, std::size_t count, std::uint64_t value, std::uint64_t step) {
  auto* const words = reinterpret_cast<Word*>(memory) + at;
  const auto first = static_cast<Word>(value), by = static_cast<Word>(step);
  for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<Word>(first + static_cast<Word>(i) * by);
}

/// Elements in memory, one after the other.
class Elements {
 public:
  explicit Elements(const TypeInfo& type)
      : words_(type),
        bits_(type.storage_bits),
        whole_(type.value_bits == type.storage_bits),
        memory_((kBlock + kEndsByte) * 8) {}

  void fill(std::size_t at, std::size_t count, std::uint64_t value, std::uint64_t step) {
    unsigned char* const to = memory();
    if (whole_ && bits_ == 8) return fill_words<std::uint8_t>(to, at, count, value, step);
    if (whole_ && bits_ == 16) return fill_words<std::uint16_t>(to, at, count, value, step);
    if (whole_ && bits_ == 32) return fill_words<std::uint32_t>(to, at, count, value, step);
    if (whole_ && bits_ == 64) return fill_words<std::uint64_t>(to, at, count, value, step);
    for (std::size_t i = 0; i < count; ++i) words_.put(to, at + i, value + i * step);
  }

  /// Bits of the last byte that no element fills become zero.
  void clear_end(std::size_t count) {
    if (count > 0) memory()[bytes(count) - 1] = 0;
  }

  std::size_t bytes(std::size_t count) const { return bytes_of_elements(count, bits_); }
  unsigned char* memory() { return memory_.data(); }
  const ElementWords& words() const { return words_; }

 private:
  ElementWords words_;
  int bits_;
  bool whole_;
  std::vector<unsigned char> memory_;
};

class Sweep {
 public:
  Sweep(const std::vector<Kernel>& kernels, const Rule& rule)
      : kernels_(kernels),
        rule_(rule),
        src_(type_info(kernels.front().src())),
        dst_(type_info(kernels.front().dst())),
        in_(src_),
        expected_(dst_),
        moved_in_(kBlock * 8 + 1),
        out_(kBlock * 8 + 1) {
    result_.kernel = kernels.front().name();
    result_.seconds.resize(kernels.size());
    begin_block();
  }

  KernelCheck run() {
    const auto start = Clock::now();
    const auto none = for_each_exact_run(src_, dst_, rule_, [this](const ExactRun& run) { add(run); });
    if (none) result_.problem = text("its rule states no result for the code 0x", std::hex, *none);
    if (filled_ > 0) {  // the last block ends before the place that was cleared for its end
      length_ = filled_;
      expected_.fill(length_, kEndsByte, 0, 0);
      check_block();
    }
    result_.codes = first_;
    result_.complete = !none;
    result_.exact_seconds = seconds_since(start);
    for (const double spent : result_.seconds) result_.exact_seconds -= spent;
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  void begin_block() {
    filled_ = 0;
    length_ = kBlock - (blocks_ % kUnevenAt == 0 ? 1 + blocks_ / kUnevenAt % kMostLess : 0);
  }

  void add(ExactRun run) {
    while (run.count > 0) {
      const std::size_t count = std::min<std::uint64_t>(run.count, length_ - filled_);
      if (count == length_) {
        fill_whole(run.result, run.step);
      } else {
        if (filled_ == 0) expected_.clear_end(length_);
        whole_.reset();
        expected_.fill(filled_, count, run.result, run.step);
      }
      filled_ += count;
      run.result += count * run.step;
      run.count -= count;
      if (filled_ == length_) check_block();
    }
  }

  /// Most blocks have one result throughout: that of the block before.
  void fill_whole(std::uint64_t result, std::uint64_t step) {
    const Whole whole{result & low_bits(dst_.value_bits), step, length_};
    if (whole_ && *whole_ == whole) return;
    expected_.clear_end(length_);
    expected_.fill(0, length_, result, step);
    whole_ = whole;
  }

  void check_block() {
    in_.fill(0, length_, first_, 1);
    // Every other block lies at an odd address.
    const std::size_t skew = blocks_ % 2;
    const unsigned char* in = in_.memory();
    if (skew == 1) {
      std::memcpy(moved_in_.data() + 1, in, in_.bytes(length_));
      in = moved_in_.data() + 1;
    }
    unsigned char* const out = out_.data() + skew;
    const std::size_t bytes = expected_.bytes(length_);
    compare_one_by_itself();
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      std::memset(out, blocks_ % 4 < 2 ? 0xA5 : 0x5A, bytes);  // what a kernel does not write is seen
      const auto start = Clock::now();
      static_cast<void>(kernels_[k].run(in, out, length_));
      const bool same = std::memcmp(out, expected_.memory(), bytes) == 0;
      result_.seconds[k] += seconds_since(start);
      if (!same) disagree(kernels_[k], out);
    }
    first_ += length_;
    ++blocks_;
    begin_block();
  }

  /// The runs say of one code of the block what exact_cast says of it alone.
  void compare_one_by_itself() {
    const std::size_t i = random_() % length_;
    const auto alone = exact_cast(src_, dst_, rule_, first_ + i);
    if (alone && expected_.words().get(expected_.memory(), i) == *alone) return;
    throw std::logic_error(
        text(result_.kernel, ": the run of exact results is wrong at the code 0x", std::hex, first_ + i));
  }

  void disagree(const Kernel& kernel, const unsigned char* out) {
    const std::uint64_t wrong_before = result_.wrong;
    for (std::size_t i = 0; i < length_; ++i) {
      const std::uint64_t found = load_element(out, i, dst_.storage_bits, dst_.packing),
                          wanted = load_element(expected_.memory(), i, dst_.storage_bits, dst_.packing);
      if (found != wanted) result_.add({std::string(kernel.isa()), first_ + i, wanted, found});
    }
    if (result_.wrong == wrong_before)
      result_.problem = text(kernel.isa(), ": sets bits behind the last of ", length_, " elements");
  }

  struct Whole {
    std::uint64_t result, step;
    std::size_t length;
    friend bool operator==(const Whole&, const Whole&) = default;
  };

  const std::vector<Kernel>& kernels_;
  const Rule& rule_;
  TypeInfo src_, dst_;
  Elements in_, expected_;
  std::vector<unsigned char> moved_in_, out_;
  std::optional<Whole> whole_;  // what expected_ holds
  std::uint64_t first_ = 0;     // code of the block
  std::size_t filled_ = 0, length_ = 0, blocks_ = 0;
  std::mt19937_64 random_{41};
  KernelCheck result_;
};

}  // namespace

KernelCheck sweep_kernel(const std::vector<Kernel>& kernels, const Rule& rule) { return Sweep(kernels, rule).run(); }

}  // namespace castforge::cli

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "checks.hpp"
#include "crash.hpp"
#include "elements.hpp"
#include "inputs.hpp"

namespace castforge::exhaustive {

namespace {

/// Whole pages with an inaccessible page before and after.
class Pages {
 public:
  explicit Pages(std::size_t at_least) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    size_ = (at_least + page_ - 1) / page_ * page_;
    void* all = mmap(nullptr, size_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::runtime_error("mmap failed");
    base_ = static_cast<std::uint8_t*>(all) + page_;
    protect(PROT_READ | PROT_WRITE);
  }
  ~Pages() { munmap(base_ - page_, size_ + 2 * page_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  void protect(int protection) {
    if (mprotect(base_, size_, protection) != 0) throw std::runtime_error("mprotect failed");
  }
  std::uint8_t* begin() const { return base_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t page_, size_ = 0;
  std::uint8_t* base_ = nullptr;
};

constexpr std::size_t kLongest = 4200;  // elements
constexpr std::size_t kWatch = 128;     // bytes watched on each side of the destination
constexpr std::uint8_t kCanary = 0xA5;
constexpr std::size_t kIntoFence = 4096;  // prefetched so far ahead, beyond the source, which must not fault

/// Every length up to three blocks and some more elements, then longer ones. The largest block is two vectors of bytes,
/// or as many elements as a vector holds of 2 bits, where source and result share bytes.
std::vector<std::size_t> lengths(const Subject& subject) {
  constexpr std::size_t kLargestVector = 64;
  const bool share_bytes = subject.src_bits() < 8 && subject.dst_bits() < 8;
  const std::size_t block = kLargestVector * (share_bytes ? 4 : 2);
  std::vector<std::size_t> n;
  for (std::size_t i = 0; i <= 3 * block + 5; ++i) n.push_back(i);
  for (std::size_t i : {511, 512, 513, 767, 1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 4113}) n.push_back(i);
  return n;
}

/// One subject with its buffers: a read-only source full of codes, and the results expected for the
/// elements that start at each byte of it.
class Bench {
 public:
  Bench(const Subject& subject, const oracle::Converter& oracle, Report& report)
      : subject_(subject),
        report_(report),
        source_(bytes_for(kLongest, subject.src_bits())),
        target_(bytes_for(kLongest, subject.dst_bits()) + 64) {
    const std::size_t count = source_.size() * 8 / static_cast<std::size_t>(subject.src_bits());
    std::vector<std::uint64_t> codes = random_codes(*subject.src, count, 5);
    const std::vector<std::uint8_t> bytes = elements_of(*subject.src, codes);
    std::memcpy(source_.begin(), bytes.data(), bytes.size());
    source_.protect(PROT_READ);
    const auto width = static_cast<std::size_t>(subject.src_bits());
    unit_ = width / std::gcd(width, std::size_t{8});
    expected_.resize(unit_);
    for (std::size_t shift = 0; shift < unit_; ++shift) {
      for (std::size_t i = 0; i < (source_.size() - shift) * 8 / width; ++i) {
        const std::uint64_t stored = element(source_.begin() + shift, subject.src->format(), i);
        expected_[shift].push_back(subject.dst->stored(oracle(subject.src->code_in(stored))));
      }
    }
  }

  std::size_t source_bytes(std::size_t n) const { return bytes_for(n, subject_.src_bits()); }
  std::size_t target_bytes(std::size_t n) const { return bytes_for(n, subject_.dst_bits()); }
  std::size_t source_end(std::size_t n) const { return source_.size() - source_bytes(n); }
  std::size_t target_end(std::size_t n) const { return target_.size() - target_bytes(n); }

  /// Converts n elements from byte `from` of the source pages to byte `to` of the target pages.
  void out_of_place(std::size_t n, std::size_t from, std::size_t to, const char* how) {
    const std::size_t bytes = target_bytes(n);
    const std::size_t first = to < kWatch ? 0 : to - kWatch;
    const std::size_t last = std::min(target_.size(), to + bytes + kWatch);
    std::memset(target_.begin() + first, kCanary, last - first);
    running(n, how);
    subject_.run(source_.begin() + from, target_.begin() + to, n, kIntoFence);
    compare(n, from, target_.begin() + to, how);
    watch(first, to, how, n);
    watch(to + bytes, last, how, n);
  }

  void in_place(std::size_t n, std::size_t at, const char* how) {
    const std::size_t bytes = target_bytes(n);
    const std::size_t first = at < kWatch ? 0 : at - kWatch;
    const std::size_t last = std::min(target_.size(), at + bytes + kWatch);
    std::memset(target_.begin() + first, kCanary, last - first);
    std::memcpy(target_.begin() + at, source_.begin(), bytes);
    running(n, how);
    subject_.run(target_.begin() + at, target_.begin() + at, n, kIntoFence);
    compare(n, 0, target_.begin() + at, how);
    watch(first, at, how, n);
    watch(at + bytes, last, how, n);
  }

 private:
  void compare(std::size_t n, std::size_t from, const std::uint8_t* got, const char* how) {
    const std::size_t skipped = from / unit_ * unit_ * 8 / static_cast<std::size_t>(subject_.src_bits());
    const std::vector<std::uint8_t> want =
        pack(std::span(expected_[from % unit_]).subspan(skipped, n), subject_.dst->format());
    if (want.empty() || std::memcmp(want.data(), got, want.size()) == 0) return;
    const std::size_t at = static_cast<std::size_t>(std::mismatch(want.begin(), want.end(), got).first - want.begin());
    report_.fail(std::to_string(n) + " elements, " + how + ": byte " + std::to_string(at) + " is " + hex(got[at], 8) +
                 ", expected " + hex(want[at], 8));
  }

  void watch(std::size_t first, std::size_t last, const char* how, std::size_t n) {
    for (std::size_t i = first; i < last; ++i) {
      if (target_.begin()[i] != kCanary) {
        report_.fail(std::to_string(n) + " elements, " + how + ": wrote outside the destination");
        return;
      }
    }
  }

  const Subject& subject_;
  Report& report_;
  Pages source_, target_;
  std::size_t unit_ = 1;                              // bytes until an element begins at the start of a byte again
  std::vector<std::vector<std::uint64_t>> expected_;  // [byte of the first element modulo unit_][element], as stored
};

}  // namespace

void check_buffers(const Subject& subject, const oracle::Converter& oracle, Report& report) {
  running(subject.name + " on " + subject.isa);
  Bench bench(subject, oracle, report);
  const bool same_width = subject.src_bits() == subject.dst_bits();
  for (std::size_t n : lengths(subject)) {
    bench.out_of_place(n, 0, 0, "both right after an inaccessible page");
    bench.out_of_place(n, bench.source_end(n), bench.target_end(n), "both right before an inaccessible page");
    if (n <= 260) bench.out_of_place(n, n * 5 % 64, 1 + n * 11 % 63, "misaligned");
    if (same_width) {
      bench.in_place(n, 0, "in place, right after an inaccessible page");
      bench.in_place(n, bench.target_end(n), "in place, right before an inaccessible page");
      bench.in_place(n, 1 + n % 63, "in place, misaligned");
    }
  }
  for (std::size_t n : {1, 31, 64, 100, 257}) {
    for (std::size_t offset = 0; offset < 64; ++offset) {
      bench.out_of_place(n, offset, 0, "source misaligned");
      bench.out_of_place(n, 0, offset, "destination misaligned");
    }
  }
}

void check_large(const Subject& subject, const oracle::Converter& oracle, Report& report) {
  constexpr std::size_t kBytes = std::size_t{24} << 20;  // source and destination together
  constexpr std::size_t kStretch = 4096;                 // elements; a whole number of bytes for every width
  const auto width = static_cast<std::size_t>(subject.src_bits() + subject.dst_bits());
  const std::size_t count = kBytes * 8 / width / kStretch * kStretch + 77;
  const std::vector<std::uint64_t> codes = random_codes(*subject.src, kStretch, 31);
  std::vector<std::uint64_t> results;
  for (std::uint64_t code : codes) results.push_back(oracle(code));
  const std::vector<std::uint8_t> src_stretch = elements_of(*subject.src, codes);
  const std::vector<std::uint8_t> dst_stretch = elements_of(*subject.dst, results);
  const auto fill = [](std::uint8_t* out, std::size_t bytes, const std::vector<std::uint8_t>& stretch) {
    for (std::size_t at = 0; at < bytes; at += stretch.size()) {
      std::memcpy(out + at, stretch.data(), std::min(stretch.size(), bytes - at));
    }
  };
  const std::size_t src_bytes = bytes_for(count, subject.src_bits());
  const std::size_t dst_bytes = bytes_for(count, subject.dst_bits());
  const auto check = [&](const std::uint8_t* dst, const char* how) {
    // The last byte may have unused bits; they are zero.
    const std::size_t used = count * static_cast<std::size_t>(subject.dst_bits()) % 8;
    bool same = dst[-1] == kCanary && dst[dst_bytes] == kCanary;
    for (std::size_t at = 0; at < dst_bytes && same; at += dst_stretch.size()) {
      const std::size_t whole = std::min(dst_stretch.size(), dst_bytes - at);
      const bool end = at + whole == dst_bytes && used != 0;
      same = std::memcmp(dst + at, dst_stretch.data(), end ? whole - 1 : whole) == 0;
      const unsigned kept = subject.dst->format().high_first ? 0xFFu << (8 - used) : (1u << used) - 1;
      if (end) same = same && dst[at + whole - 1] == (dst_stretch[whole - 1] & kept);
    }
    if (!same) report.fail(std::to_string(count) + " elements, " + how + ": wrong");
  };
  std::vector<std::uint8_t> src(src_bytes);
  std::vector<std::uint8_t> dst(dst_bytes + 64, kCanary);
  fill(src.data(), src_bytes, src_stretch);
  const auto convert = [&](const std::uint8_t* from, std::uint8_t* to, bool by_handle) {
    if (!by_handle) {
      subject.run(from, to, count, 0);
    } else if (!subject.kernel.run(from, to, count).ok()) {
      report.fail("run() of the handle failed");
    }
  };
  // Through the handle too: it may write results of this size past the caches.
  for (bool by_handle : {false, true}) {
    if (by_handle && !subject.kernel) continue;
    for (std::size_t offset : {std::size_t{32}, std::size_t{7}}) {
      std::fill(dst.begin(), dst.begin() + 40, kCanary);
      std::fill(dst.end() - 64, dst.end(), kCanary);
      running(count, "large");
      convert(src.data(), dst.data() + offset, by_handle);
      check(dst.data() + offset, by_handle ? "large, by the handle" : "large");
    }
    if (subject.src_bits() != subject.dst_bits()) continue;
    std::fill(dst.begin(), dst.begin() + 40, kCanary);
    std::fill(dst.end() - 64, dst.end(), kCanary);
    std::memcpy(dst.data() + 16, src.data(), src_bytes);
    running(count, "large, in place");
    convert(dst.data() + 16, dst.data() + 16, by_handle);
    check(dst.data() + 16, by_handle ? "large, in place, by the handle" : "large, in place");
  }
}

}  // namespace castforge::exhaustive

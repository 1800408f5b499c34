// Memory that faults one byte past its end, and test values.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

// A few pages with an inaccessible page on either side. Neither reads nor writes beyond the pages survive.
class FencedPages {
 public:
  explicit FencedPages(std::size_t bytes) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (bytes + page - 1) / page * page;
    whole_ = size_ + 2 * page;
    base_ = static_cast<std::byte*>(mmap(nullptr, whole_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED || mprotect(base_ + page, size_, PROT_READ | PROT_WRITE) != 0) std::abort();
    first_ = base_ + page;
  }
  ~FencedPages() { munmap(base_, whole_); }
  FencedPages(const FencedPages&) = delete;
  FencedPages& operator=(const FencedPages&) = delete;

  std::byte* begin() const { return first_; }
  std::byte* end() const { return first_ + size_; }
  std::size_t size() const { return size_; }

 private:
  std::byte *base_, *first_;
  std::size_t size_, whole_;
};

// splitmix64
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// Powers of two and their neighbours, patterns, IEEE 754 landmarks, random values of every magnitude.
template <class U>
std::vector<U> test_values(std::size_t random) {
  constexpr int bits = static_cast<int>(sizeof(U) * 8);
  std::vector<U> values;
  for (int i = 0; i < bits; ++i) {
    const U p = static_cast<U>(U{1} << i);
    for (U v : {static_cast<U>(p - 1), p, static_cast<U>(p + 1)}) {
      values.push_back(v);
      values.push_back(static_cast<U>(~v));
      values.push_back(static_cast<U>(U{0} - v));
    }
  }
  for (std::uint64_t v : {0x7F800000ull,         0x7F800001ull,         0x7FC00000ull,         0x3F800000ull,
                          0x4B800000ull,         0x477FE000ull,         0x477FEFFFull,         0x477FF000ull,
                          0x33000000ull,         0x33000001ull,         0x38800000ull,         0x387FC000ull,
                          0x7FF0000000000000ull, 0x7FF0000000000001ull, 0x7FF8000000000000ull, 0x3FF0000000000000ull,
                          0x36A0000000000000ull, 0x36A0000000000001ull, 0x47EFFFFFF0000000ull, 0x47EFFFFFEFFFFFFFull,
                          0x380FFFFFE0000000ull, 0x5555555555555555ull, 0x0123456789ABCDEFull}) {
    values.push_back(static_cast<U>(v));
    values.push_back(static_cast<U>(static_cast<U>(v) | (U{1} << (bits - 1))));
  }
  Random rng(bits);
  for (std::size_t i = 0; i < random; ++i) {
    const std::uint64_t v = rng.next();
    values.push_back(static_cast<U>(i % 2 == 0 ? v : v >> (v % 64)));
  }
  return values;
}

}  // namespace

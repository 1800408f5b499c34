// Runs a kernel on fenced buffers for every count and compares each code with the scalar evaluation.
#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "loops/loop.hpp"

namespace {

using namespace castforge;

// Bit by bit, unlike the library: bit k of the stream is bit k % 8 of byte k / 8, or bit 7 - k % 8 where the first one
// is at the high end, which then is the highest of its element.
inline std::uint64_t code_at(const std::byte* p, std::size_t i, int bits, Packing packing) {
  std::uint64_t code = 0;
  const auto width = static_cast<std::size_t>(bits);
  for (std::size_t b = 0; b < width; ++b) {
    const std::size_t k = i * width + b;
    const bool high = packing == Packing::high_first;
    const std::uint64_t bit = std::to_integer<unsigned>(p[k / 8]) >> (high ? 7 - k % 8 : k % 8) & 1;
    code |= bit << (high ? width - 1 - b : b);
  }
  return code;
}
/// What a check has to know of a kernel: one function for all of them compiles in half of the time.
struct Subject {
  int src_bits, dst_bits;
  Packing src_packing, dst_packing;
  void (*run)(const void* src, void* dst, std::size_t count, std::size_t ahead);
  std::uint64_t (*result)(std::uint64_t code);  // of its chosen plan

  std::uint64_t src_code(const std::byte* p, std::size_t i) const { return code_at(p, i, src_bits, src_packing); }
  std::uint64_t dst_code(const std::byte* p, std::size_t i) const { return code_at(p, i, dst_bits, dst_packing); }
};
template <class K>
std::uint64_t result_of(std::uint64_t code) {
  return lane::at_plan<typename K::plans::chosen, K::kSrcBits, K::kDstBits>(code);
}

// Prefetching beyond the end of a buffer must not fault.
inline constexpr std::size_t kIntoFence = 4096;

inline std::size_t bytes_for(std::size_t count, int bits) { return (count * static_cast<std::size_t>(bits) + 7) / 8; }

// One call on buffers that end at a fence, start at a fence, or lie `shift` bytes before one; returns a description of
// the first difference, empty when all is well.
inline std::string run_once(const Subject& kernel, const FencedPages& in, const FencedPages& out, std::size_t count,
                            std::size_t shift, bool at_end, Random& rng) {
  const std::size_t in_bytes = bytes_for(count, kernel.src_bits), out_bytes = bytes_for(count, kernel.dst_bits);
  std::byte* src = at_end ? in.end() - in_bytes - shift : in.begin() + shift;
  std::byte* dst = at_end ? out.end() - out_bytes - shift : out.begin() + shift;
  for (std::size_t i = 0; i < in_bytes; ++i) src[i] = static_cast<std::byte>(rng.next());
  std::memset(out.begin(), 0xA5, out.size());
  kernel.run(src, dst, count, kIntoFence);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t code = kernel.src_code(src, i), got = kernel.dst_code(dst, i), want = kernel.result(code);
    if (got != want) {
      return "count " + std::to_string(count) + " element " + std::to_string(i) + " code " + std::to_string(code) +
             ": got " + std::to_string(got) + ", want " + std::to_string(want);
    }
  }
  const std::size_t used = count * static_cast<std::size_t>(kernel.dst_bits) % 8;
  const bool high = kernel.dst_packing == Packing::high_first;
  const unsigned unused = high ? 0xFFu >> used : 0xFFu << used & 0xFFu;
  if (used != 0 && (std::to_integer<unsigned>(dst[out_bytes - 1]) & unused) != 0) {
    return "count " + std::to_string(count) + ": unused bits of the last byte are not zero";
  }
  for (const std::byte* p = out.begin(); p != out.end(); ++p) {
    if ((p < dst || p >= dst + out_bytes) && *p != std::byte{0xA5}) {
      return "count " + std::to_string(count) + ": a byte outside the destination was written";
    }
  }
  return {};
}

inline std::string run_in_place(const Subject& kernel, const FencedPages& pages, std::size_t count, std::size_t shift,
                                Random& rng) {
  const std::size_t bytes = bytes_for(count, kernel.src_bits);
  std::byte* p = pages.end() - bytes - shift;
  std::vector<std::byte> before(bytes);
  for (std::size_t i = 0; i < bytes; ++i) before[i] = p[i] = static_cast<std::byte>(rng.next());
  kernel.run(p, p, count, kIntoFence);
  for (std::size_t i = 0; i < count; ++i) {
    if (kernel.dst_code(p, i) != kernel.result(kernel.src_code(before.data(), i))) {
      return "in place, count " + std::to_string(count) + " element " + std::to_string(i);
    }
  }
  return {};
}

inline std::string differs(const Subject& kernel) {
  static const FencedPages in(16384), out(16384);
  Random rng(static_cast<std::uint64_t>(kernel.src_bits * 100 + kernel.dst_bits));
  std::string failure;
  // Three blocks of the largest kind, then some more elements.
  for (std::size_t count = 0; count <= 1600 && failure.empty(); count += count < 300 ? 1 : 7) {
    failure = run_once(kernel, in, out, count, 0, true, rng);
    if (failure.empty()) failure = run_once(kernel, in, out, count, count % 7, count % 2 == 0, rng);
    if (failure.empty() && kernel.src_bits == kernel.dst_bits)
      failure = run_in_place(kernel, in, count, count % 3, rng);
  }
  return failure;
}

template <class K>
void check_kernel() {
  CAPTURE(K::kSrcBits, K::kDstBits);
  CHECK(differs({K::kSrcBits, K::kDstBits, lane::src_packing<K>(), lane::dst_packing<K>(), &simd::run<K>,
                 &result_of<K>}) == "");
}

/// Elements one by one, of every width: stored, the bits beside them as they were, and loaded again.
inline std::string elements_differ() {
  Random rng(9);
  for (int bits = 1; bits <= kLargestStorageBits; ++bits) {
    for (const Packing packing : {Packing::low_first, Packing::high_first}) {
      if (!packing_is_possible(bits, packing)) continue;
      std::byte buffer[192];
      for (std::byte& byte : buffer) byte = static_cast<std::byte>(rng.next());
      for (std::size_t i = 0; i < 20; ++i) {
        std::uint64_t codes[20];
        for (std::size_t k = 0; k < 20; ++k) codes[k] = code_at(buffer, k, bits, packing);
        codes[i] = rng.next() & low_bits(bits);
        store_element(buffer, i, codes[i], bits, packing);
        for (std::size_t k = 0; k < 20; ++k) {
          if (code_at(buffer, k, bits, packing) != codes[k] || load_element(buffer, k, bits, packing) != codes[k])
            return std::to_string(bits) + " bits, element " + std::to_string(k) + " after " + std::to_string(i);
        }
      }
    }
  }
  return {};
}

// The copy of a rest ends in zeros, and nothing behind its block is written.
inline void check_padding() {
  constexpr std::size_t kCapacity = 192, kBehind = 64;
  for (std::size_t n = 0; n <= kCapacity; ++n) {
    std::vector<std::byte> from(n + 1);  // no null pointer where n is 0
    for (std::size_t i = 0; i < n; ++i) from[i] = static_cast<std::byte>(i + 1);
    alignas(64) std::array<std::byte, kCapacity + kBehind> to, expected;
    to.fill(std::byte{0xA5});
    simd::detail::copy_padded<kCapacity>(to.data(), from.data(), n);
    expected.fill(std::byte{0});
    std::copy_n(from.begin(), n, expected.begin());
    std::fill_n(expected.end() - kBehind, kBehind, std::byte{0xA5});
    INFO(n << " bytes");
    CHECK(to == expected);
  }
}

}  // namespace

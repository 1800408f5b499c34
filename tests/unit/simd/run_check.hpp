// Runs a kernel on fenced buffers for every count and compares each code with the scalar evaluation.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "buffers.hpp"
#include "simd/loop.hpp"

namespace {

using namespace castforge;

inline std::uint64_t code_at(const std::byte* p, std::size_t i, int bits) {
  if (bits < 8) {
    const std::size_t per_byte = static_cast<std::size_t>(8 / bits), at = i % per_byte;
    const std::size_t shift = bits == 1 ? 7 - at : at * static_cast<std::size_t>(bits);
    return std::to_integer<unsigned>(p[i / per_byte]) >> shift & ((1u << bits) - 1);
  }
  std::uint64_t code = 0;
  std::memcpy(&code, p + i * static_cast<std::size_t>(bits / 8), static_cast<std::size_t>(bits / 8));
  return code;
}

// Prefetching beyond the end of a buffer must not fault.
inline constexpr std::size_t kIntoFence = 4096;

inline std::size_t bytes_for(std::size_t count, int bits) { return (count * static_cast<std::size_t>(bits) + 7) / 8; }

// One call on buffers that end at a fence, start at a fence, or lie `shift` bytes before one; returns a description of
// the first difference, empty when all is well.
template <class K>
std::string run_once(const FencedPages& in, const FencedPages& out, std::size_t count, std::size_t shift, bool at_end,
                     Random& rng) {
  const std::size_t in_bytes = bytes_for(count, K::kSrcBits), out_bytes = bytes_for(count, K::kDstBits);
  std::byte* src = at_end ? in.end() - in_bytes - shift : in.begin() + shift;
  std::byte* dst = at_end ? out.end() - out_bytes - shift : out.begin() + shift;
  for (std::size_t i = 0; i < in_bytes; ++i) src[i] = static_cast<std::byte>(rng.next());
  std::memset(out.begin(), 0xA5, out.size());
  simd::run<K>(src, dst, count, kIntoFence);
  using P = typename K::plans::chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t code = code_at(src, i, K::kSrcBits), got = code_at(dst, i, K::kDstBits);
    const std::uint64_t want = lane::at_plan<P, K::kSrcBits, K::kDstBits>(code);
    if (got != want) {
      return "count " + std::to_string(count) + " element " + std::to_string(i) + " code " + std::to_string(code) +
             ": got " + std::to_string(got) + ", want " + std::to_string(want);
    }
  }
  const std::size_t used = count * static_cast<std::size_t>(K::kDstBits) % 8;
  const unsigned unused = K::kDstBits == 1 ? 0xFFu >> used : 0xFFu << used & 0xFFu;
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

template <class K>
std::string run_in_place(const FencedPages& pages, std::size_t count, std::size_t shift, Random& rng) {
  const std::size_t bytes = bytes_for(count, K::kSrcBits);
  std::byte* p = pages.end() - bytes - shift;
  std::vector<std::byte> before(bytes);
  for (std::size_t i = 0; i < bytes; ++i) before[i] = p[i] = static_cast<std::byte>(rng.next());
  simd::run<K>(p, p, count, kIntoFence);
  using P = typename K::plans::chosen;
  for (std::size_t i = 0; i < count; ++i) {
    if (code_at(p, i, K::kDstBits) !=
        lane::at_plan<P, K::kSrcBits, K::kDstBits>(code_at(before.data(), i, K::kSrcBits))) {
      return "in place, count " + std::to_string(count) + " element " + std::to_string(i);
    }
  }
  return {};
}

template <class K>
void check_kernel() {
  CAPTURE(K::kSrcBits, K::kDstBits);
  static const FencedPages in(8192), out(8192);
  Random rng(static_cast<std::uint64_t>(K::kSrcBits * 100 + K::kDstBits));
  std::string failure;
  // Three blocks of the largest kind, then some more elements.
  for (std::size_t count = 0; count <= 800 && failure.empty(); count += count < 300 ? 1 : 7) {
    failure = run_once<K>(in, out, count, 0, true, rng);
    if (failure.empty()) failure = run_once<K>(in, out, count, count % 7, count % 2 == 0, rng);
    if constexpr (K::kSrcBits == K::kDstBits) {
      if (failure.empty()) failure = run_in_place<K>(in, count, count % 3, rng);
    }
  }
  CHECK(failure == "");
}

}  // namespace

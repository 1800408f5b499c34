// Every operation on vectors against its meaning on words, lane by lane.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "buffers.hpp"
#include "simd/kernel.hpp"

#if CASTFORGE_VECTOR

namespace {

using namespace castforge;
using lane::Word;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// So many that lanes of a quarter of the width fill vectors too.
template <class U>
constexpr std::size_t kLanes = 2 * lane::kVectorBytes;

/// Every value of 8 and 16 bits; of wider ones landmarks and random values.
template <class U>
std::vector<U> samples() {
  std::vector<U> values;
  if constexpr (sizeof(U) <= 2) {
    for (std::size_t i = 0; i < std::size_t{1} << (8 * sizeof(U)); ++i) values.push_back(static_cast<U>(i));
  } else {
    values = test_values<U>(40000);
  }
  while (values.size() % kLanes<U> != 0) values.push_back(values[values.size() / 2]);
  return values;
}

template <class U, class Lanes, class F>
std::string compare(const std::vector<U>& a, const std::vector<U>& b, std::size_t at, const Lanes& lanes, F f) {
  using D = lane::detail::Lane<Lanes>;
  D got[kLanes<U>];
  lane::store(reinterpret_cast<std::byte*>(got), lanes);
  for (std::size_t k = 0; k < kLanes<U>; ++k) {
    const D want = f(Word<U>(a[at + k]), Word<U>(b[at + k])).value;
    if (got[k] != want) {
      return std::to_string(a[at + k]) + ", " + std::to_string(b[at + k]) + ": " + std::to_string(got[k]) + ", not " +
             std::to_string(want);
    }
  }
  return {};
}

/// f(a, b) of lanes in memory, in registers and, of bytes, in the order that wider results want: the first difference.
template <class U, class F>
std::string differs(const std::vector<U>& a, const std::vector<U>& b, F f) {
  using lane::detail::loaded;
  constexpr std::size_t N = kLanes<U>;
  std::string first;
  for (std::size_t i = 0; i + N <= a.size() && first.empty(); i += N) {
    const lane::Source<U, N> x{reinterpret_cast<const std::byte*>(a.data() + i)},
        y{reinterpret_cast<const std::byte*>(b.data() + i)};
    first = compare(a, b, i, f(x, y), f);
    if (first.empty()) first = compare(a, b, i, f(loaded(x), loaded(y)), f);
    if constexpr (sizeof(U) == 1) {
      using Ordered = lane::Source<U, N, lane::detail::order_for(4)>;
      if (first.empty()) first = compare(a, b, i, f(Ordered{x.data}, loaded(y)), f);
      if (first.empty()) first = compare(a, b, i, f(loaded(Ordered{x.data}), loaded(Ordered{y.data})), f);
    }
  }
  return first;
}

/// f(a) of every sample for which `domain` holds.
template <class U, class F, class Domain>
std::string unary(F f, Domain domain) {
  std::vector<U> values = samples<U>();
  for (U& v : values) {
    if (!domain(v)) v = 0;
  }
  return differs<U>(values, values, [f](const auto& a, const auto&) { return f(a); });
}
template <class U, class F>
std::string unary(F f) {
  return unary<U>(f, [](U) { return true; });
}

/// f(a, b) of all pairs of bytes, of pairs of landmarks with each other and with small numbers, and of random values.
template <class U, class F>
std::string binary(F f) {
  std::vector<U> a, b;
  const auto pair = [&](U x, U y) { a.push_back(x), b.push_back(y); };
  if constexpr (sizeof(U) == 1) {
    for (unsigned i = 0; i < 65536; ++i) pair(static_cast<U>(i), static_cast<U>(i >> 8));
  } else {
    const std::vector<U> some = test_values<U>(8), many = test_values<U>(20000);
    for (const U x : some) {
      for (const U y : some) pair(x, y);
      for (unsigned n = 0; n < 8 * sizeof(U) + 3; ++n) pair(x, static_cast<U>(n));
    }
    for (std::size_t i = 0; i < many.size(); ++i) pair(many[i], many[(i * 7 + 1) % many.size()]);
  }
  while (a.size() % kLanes<U> != 0) pair(1, 2);
  return differs<U>(a, b, f);
}

#define CHECK_UNARY(U, expression) CHECK((unary<U>([](const auto& a) { return expression; })) == "")
#define CHECK_UNARY_WHERE(U, expression, condition) \
  CHECK((unary<U>([](const auto& a) { return expression; }, [](U v) { return condition; })) == "")
#define CHECK_BINARY(U, expression) CHECK((binary<U>([](const auto& a, const auto& b) { return expression; })) == "")

}  // namespace

#endif

#include "src/range_float32.hpp"

#include <algorithm>
#include <bit>

#include "src/exact/cast.hpp"
#include "src/exact/rounding.hpp"

namespace castforge {
namespace {

constexpr int kPrecision = 23 + 1;                               // significant bits of float32
constexpr int kLeast = -149, kEnd = 128;                         // its numbers are multiples of 2^kLeast below 2^kEnd
constexpr std::uint64_t kMost = std::uint64_t{1} << kPrecision;  // all integers up to here are float32

/// The exponent of the last bit that is set.
int grid(const exact::Value& value) noexcept {
  return value.significand == 0 ? kEnd : value.exponent + std::countr_zero(value.significand);
}

/// The magnitude as a multiple of 2^low, which divides it; more than kMost where it is more than that.
std::uint64_t multiple(const exact::Value& value, int low) noexcept {
  if (value.significand == 0) return 0;
  const int bits = value.exponent + static_cast<int>(std::bit_width(value.significand)) - low;
  if (bits > kPrecision + 1) return kMost + 1;
  const int shift = value.exponent - low;
  return shift >= 0 ? value.significand << shift : value.significand >> -shift;
}

std::uint32_t code(const exact::Value& value) noexcept {
  return static_cast<std::uint32_t>(*exact::encode(exact::kFloat32, {}, value));
}

}  // namespace

std::optional<Float32Sequence> in_float32(std::uint64_t start, std::uint64_t step, std::uint64_t count) noexcept {
  const exact::Value from = exact::decode_floating(exact::kFloat64, start),
                     by = exact::decode_floating(exact::kFloat64, step);
  const auto is_finite = [](const exact::Value& v) noexcept { return v.cls == exact::Value::Class::finite; };
  if (!is_finite(from) || !is_finite(by) || count > kMost) return std::nullopt;
  // Indices, products and sums are multiples of one power of two, and at most 2^24 of them.
  const int low = std::min(grid(from), grid(by));
  const std::uint64_t first = multiple(from, low), apart = multiple(by, low);
  if (low < kLeast || low + kPrecision >= kEnd || first > kMost || apart > kMost) return std::nullopt;
  const std::uint64_t product = apart * count;  // of an index that is not below the last one: at most 2^49
  const std::uint64_t most = from.negative == by.negative ? first + product : std::max(first, product);
  if (most > kMost) return std::nullopt;
  return Float32Sequence{code(from), code(by)};
}

}  // namespace castforge

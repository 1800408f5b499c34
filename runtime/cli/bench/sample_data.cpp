#include "cli/bench/sample_data.hpp"

#include "cli/io/element_words.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

namespace castforge::cli {
namespace {

constexpr std::size_t kPeriod = 1 << 18;

/// What a double holds, whatever the specs call that format, if they have it.
constexpr Format kDouble = {.id = static_cast<Type>(0xFFFF),  // no type of the library
                            .kind = TypeKind::floating,
                            .nan = NanCodes::ieee,
                            .storage_bits = 64,
                            .value_bits = 64,
                            .exponent_bits = 11,
                            .mantissa_bits = 52,
                            .exponent_bias = 1023,
                            .is_signed = true,
                            .subnormals = true,
                            .infinity = true,
                            .canonical_nan = 0x7FF8000000000000,
                            .max_finite = 0x7FEFFFFFFFFFFFFF,
                            .infinity_code = 0x7FF0000000000000};

/// The code of a positive number, truncated to the type's precision, at most its largest and above zero.
std::uint64_t magnitude_code(const TypeInfo& type, double positive) {
  constexpr Rule kTruncate = {.carry = 0, .overflow = Overflow::max};
  const auto code = exact_cast(kDouble, type, kTruncate, std::bit_cast<std::uint64_t>(positive));
  return std::max<std::uint64_t>(code.value_or(0), type.subnormals ? 1 : 0);
}

class CodeSource {
 public:
  explicit CodeSource(const TypeInfo& type) : type_(type) {}

  std::uint64_t next() {
    const std::uint64_t random = engine_();
    if (type_.kind == TypeKind::boolean) return random >> 63;
    const std::uint64_t any = random & low_bits(type_.value_bits);
    if (type_.kind == TypeKind::integer) return any;
    const bool negative = type_.is_signed && random >> 63 != 0;
    const std::uint64_t magnitude =
        random % 64 == 0 ? special(random >> 6) : magnitude_code(type_, std::abs(normal_(engine_)) + 1e-300);
    return magnitude | (negative ? std::uint64_t{1} << (type_.value_bits - 1) : 0);
  }

 private:
  std::uint64_t special(std::uint64_t random) {
    const std::uint64_t magnitudes = low_bits(type_.value_bits - (type_.is_signed ? 1 : 0));
    switch (random % 8) {
      case 0: return 0;
      case 1: return type_.infinity ? type_.infinity_code : type_.max_finite;
      case 2: return type_.canonical_nan & magnitudes;
      case 3: return 1;
      case 4: return type_.max_finite;
      default: return engine_() & magnitudes;
    }
  }

  TypeInfo type_;
  std::mt19937_64 engine_{20240229};
  std::normal_distribution<double> normal_;
};

}  // namespace

void fill_with_sample_data(Type type, void* dst, std::size_t count) {
  const TypeInfo info = type_info(type);
  const std::size_t first = std::min(count, kPeriod);
  CodeSource source(info);
  const ElementWords words(info);
  auto* bytes = static_cast<unsigned char*>(dst);
  const std::size_t first_bytes = *storage_bytes(type, first), total = *storage_bytes(type, count);
  std::memset(bytes, 0, first_bytes);  // what no element fills
  for (std::size_t i = 0; i < first; ++i) words.put(bytes, i, source.next());
  for (std::size_t done = first_bytes; done < total;) {
    const std::size_t part = std::min(done, total - done);
    std::memcpy(bytes + done, bytes, part);
    done += part;
  }
}

}  // namespace castforge::cli

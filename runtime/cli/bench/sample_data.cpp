#include "cli/bench/sample_data.hpp"

#include "cli/io/element_words.hpp"
#include "src/exact/format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

namespace castforge::cli {
namespace {

constexpr std::size_t kPeriod = 1 << 18;

constexpr NamedData kNames[] = {{"mixed", SampleData::mixed},         {"normal", SampleData::normal},
                                {"subnormal", SampleData::subnormal}, {"zero", SampleData::zero},
                                {"special", SampleData::special},     {"huge", SampleData::huge},
                                {"all-codes", SampleData::all_codes}, {"range", SampleData::range}};

/// What a double holds, whatever the specs call that format, if they have it.
constexpr Format kDouble = [] {
  Format format = exact::kFloat64;
  format.id = static_cast<Type>(0xFFFF);  // no type of the library
  return format;
}();

/// The code of a positive number, truncated to the type's precision, at most its largest and above zero.
std::uint64_t magnitude_code(const TypeInfo& type, double positive) {
  constexpr Rule kTruncate = {.carry = 0, .overflow = Overflow::max};
  const auto code = exact_cast(kDouble, type, kTruncate, std::bit_cast<std::uint64_t>(positive));
  return std::max<std::uint64_t>(code.value_or(0), type.subnormals ? 1 : 0);
}

class CodeSource {
 public:
  CodeSource(const TypeInfo& type, SampleData data) : type_(type), data_(data) {}

  std::uint64_t next() {
    const std::uint64_t random = engine_();
    if (type_.kind != TypeKind::floating && data_ == SampleData::zero) return 0;
    if (type_.kind == TypeKind::boolean) return random >> 63;
    const std::uint64_t any = random & low_bits(type_.value_bits);
    if (type_.kind == TypeKind::integer || data_ == SampleData::all_codes) return any;
    bool negative = type_.is_signed && random >> 63 != 0;
    if (data_ == SampleData::zero && type_.nan == NanCodes::negative_zero) negative = false;
    return magnitude(random) | (negative ? std::uint64_t{1} << (type_.value_bits - 1) : 0);
  }

 private:
  std::uint64_t magnitude(std::uint64_t random) {
    const std::uint64_t fraction = random & low_bits(type_.mantissa_bits);
    const bool has_nan = type_.canonical_nan != 0;
    switch (data_) {
      case SampleData::mixed:
        if (random % 64 == 0) return special(random >> 6);
        break;
      case SampleData::subnormal:
        if (type_.subnormals && type_.mantissa_bits > 0) return std::max<std::uint64_t>(fraction, 1);
        break;
      case SampleData::zero:
        if (type_.subnormals || type_.mantissa_bits > 0) return 0;
        break;
      case SampleData::special:
        if (type_.infinity && (!has_nan || random % 2 == 0)) return type_.infinity_code;
        if (has_nan) return type_.canonical_nan & magnitudes();
        break;
      case SampleData::huge: return type_.max_finite & ~fraction;
      case SampleData::range:
        return magnitude_code(
            type_, std::ldexp(1 + static_cast<double>(random >> 40) * 0x1p-24, -120 - static_cast<int>(random % 36)));
      default: break;
    }
    return magnitude_code(type_, std::abs(normal_(engine_)) + 1e-300);
  }

  std::uint64_t magnitudes() const { return low_bits(type_.value_bits - (type_.is_signed ? 1 : 0)); }

  std::uint64_t special(std::uint64_t random) {
    switch (random % 8) {
      case 0: return 0;
      case 1: return type_.infinity ? type_.infinity_code : type_.max_finite;
      case 2: return type_.canonical_nan & magnitudes();
      case 3: return 1;
      case 4: return type_.max_finite;
      default: return engine_() & magnitudes();
    }
  }

  TypeInfo type_;
  SampleData data_;
  std::mt19937_64 engine_{20240229};
  std::normal_distribution<double> normal_;
};

}  // namespace

std::span<const NamedData> sample_data_names() { return kNames; }

std::string_view name_of(SampleData data) {
  return std::find_if(std::begin(kNames), std::end(kNames), [data](const NamedData& one) { return one.data == data; })
      ->name;
}

void fill_with_sample_data(Type type, SampleData data, void* dst, std::size_t count) {
  const TypeInfo info = type_info(type);
  const std::size_t first = std::min(count, kPeriod);
  CodeSource source(info, data);
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

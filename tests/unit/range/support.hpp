// Sequences through the public interface, on every instruction set and in parts of every kind.
#pragma once

#include "conformance/support.hpp"
#include "exact.hpp"

#include <algorithm>
#include <random>

namespace castforge::range_test {

using conformance::Bytes;
using conformance::code_at;
using Codes = std::vector<std::uint64_t>;

inline int bits_of(Type type) { return type_info(type).storage_bits; }

/// The codes of elements first .. first + count - 1; the bytes around the destination must stay as they are.
inline Codes part(const Range& range, std::uint64_t first, std::size_t count, std::size_t misalignment = 0) {
  const std::size_t bytes = storage_bytes(range.type(), count).value(), guard = 64 + misalignment;
  Bytes buffer(bytes + 2 * guard, 0xA5);
  const Status status = range.fill(first, buffer.data() + guard, count);
  INFO(status.message());
  REQUIRE(status.ok());
  CHECK(std::all_of(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(guard),
                    [](int b) { return b == 0xA5; }));
  CHECK(std::all_of(buffer.end() - static_cast<std::ptrdiff_t>(guard), buffer.end(), [](int b) { return b == 0xA5; }));
  const Bytes middle(buffer.begin() + static_cast<std::ptrdiff_t>(guard),
                     buffer.end() - static_cast<std::ptrdiff_t>(guard));
  Codes codes;
  for (std::size_t i = 0; i < count; ++i) codes.push_back(code_at(middle, bits_of(range.type()), i));
  return codes;
}

/// All elements: on every instruction set, in one go and in pieces; all must agree.
inline Codes elements(std::string_view opset, Scalar start, Scalar stop, Scalar step, Type type) {
  Codes all;
  bool first = true;
  std::mt19937 random(7);
  for (const std::string& isa : conformance::usable_isas()) {
    INFO(opset << " on " << isa);
    const Range range = find_range(opset, start, stop, step, type, {}, isa);
    INFO(range.status().message());
    REQUIRE(range.ok());
    CHECK(range.isa() == isa);
    const auto count = static_cast<std::size_t>(range.count());
    const Codes codes = part(range, 0, count, random() % 9);
    if (first) all = codes;
    first = false;
    CHECK(codes == all);
    Codes pieces;
    while (pieces.size() < count) {
      const std::size_t most = std::size_t{1} << random() % 12;
      const Codes piece =
          part(range, pieces.size(), std::min(count - pieces.size(), random() % most + 1), random() % 3);
      pieces.insert(pieces.end(), piece.begin(), piece.end());
    }
    CHECK(pieces == all);
  }
  CHECK(range_count(opset, start, stop, step, type).count == all.size());
  return all;
}

inline const exact_range::Format& format_of(Type type) {
  for (const exact_range::Format* format : {&exact_range::kFloat16, &exact_range::kBfloat16, &exact_range::kFloat32}) {
    if (format->name == name(type)) return *format;
  }
  return exact_range::kFloat64;
}

/// A number as an element of the type: the nearest one; integers exactly.
inline Scalar scalar(Type type, double value) {
  const TypeInfo info = type_info(type);
  if (info.kind == TypeKind::integer) {
    const std::uint64_t code = value < 0 ? 0 - static_cast<std::uint64_t>(-value) : static_cast<std::uint64_t>(value);
    return {type, info.storage_bits == 64 ? code : code & ((std::uint64_t{1} << info.storage_bits) - 1)};
  }
  return {type, exact_range::encode(exact_range::decode(std::bit_cast<std::uint64_t>(value), exact_range::kFloat64),
                                    format_of(type))};
}

inline Codes codes_of(Type type, std::initializer_list<double> values) {
  Codes codes;
  for (const double value : values) codes.push_back(scalar(type, value).code);
  return codes;
}

inline Codes run(double start, double stop, double step, Type input, Type output,
                 std::string_view opset = "openvino-range@4") {
  return elements(opset, scalar(input, start), scalar(input, stop), scalar(input, step), output);
}

}  // namespace castforge::range_test

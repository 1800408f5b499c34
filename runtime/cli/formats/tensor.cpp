#include "cli/formats/tensor.hpp"

#include "cli/io/failure.hpp"

#include <algorithm>
#include <limits>

namespace castforge::cli {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();

}  // namespace

bool is_string(Type type) { return type_info(type).kind == TypeKind::string; }

std::optional<Type> string_type() {
  for (std::size_t i = 0; i < type_count(); ++i) {
    if (is_string(type_at(i))) return type_at(i);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> element_count(const Shape& shape) {
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return 0;
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) {
    if (count > kMost / extent) return std::nullopt;
    count *= extent;
  }
  return count;
}

std::optional<std::uint64_t> packed_bytes(std::uint64_t count, int bits) {
  if (bits == 0) return 0;
  const auto width = static_cast<std::uint64_t>(bits);
  const std::uint64_t groups = count / 8, rest = (count % 8 * width + 7) / 8;
  if (groups > (kMost - rest) / width) return std::nullopt;
  return groups * width + rest;
}

std::uint64_t elements_filling(std::uint64_t bytes, int bits) {
  const auto width = static_cast<std::uint64_t>(bits);
  return bytes / width * 8 + bytes % width * 8 / width;
}

std::string part_of_an_element(int bits, std::uint64_t rest) {
  return is_natural_width(bits)
             ? text("expected an element of ", bits / 8, " bytes, found ", rest, " before the file ends")
             : text("expected an element of ", bits, " bits, found ", rest, " bytes too many for those before it");
}

std::string shape_text(const Shape& shape) {
  std::string out = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) out += text(i == 0 ? "" : ", ", shape[i]);
  return out + ']';
}

Chunks chunks_of(std::optional<std::uint64_t> count, int bits, unsigned threads) {
  constexpr std::size_t kChunkBytes = 1 << 20;
  std::uint64_t chunk = kChunkBytes / static_cast<std::size_t>(bits) * 8;  // eight elements are whole bytes
  if (count) {
    chunk = std::min(chunk, (*count / 8 + 1) * 8);
    threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, *count / chunk + 1));
  }
  return {static_cast<std::size_t>(chunk), threads};
}

bool same_in_both_orders(const Shape& shape) {
  if (element_count(shape) == 0U) return true;
  return std::count_if(shape.begin(), shape.end(), [](std::uint64_t extent) { return extent != 1; }) <= 1;
}

}  // namespace castforge::cli

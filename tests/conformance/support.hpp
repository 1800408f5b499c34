// Reading the data files, and casting through the public interface on every instruction set.
#pragma once

#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "exhaustive/elements.hpp"
#include "oracle/value.hpp"

namespace castforge::conformance {

using Bytes = std::vector<std::uint8_t>;

inline std::string data_path(const std::string& file) {
  return std::string(CASTFORGE_SOURCE_DIR) + "/tests/conformance/data/" + file;
}

inline nlohmann::json read_json(const std::string& file) {
  std::ifstream in(data_path(file));
  REQUIRE(in.good());
  return nlohmann::json::parse(in);
}

/// Rows of a tab-separated file, the heading included.
inline std::vector<std::vector<std::string>> read_table(const std::string& file) {
  std::ifstream in(data_path(file));
  REQUIRE(in.good());
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::stringstream fields(line);
    for (std::string cell; std::getline(fields, cell, '\t');) cells.push_back(cell);
    rows.push_back(std::move(cells));
  }
  return rows;
}

inline Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

inline Type type_of(std::string_view name) {
  const std::optional<Type> type = find_type(name);
  INFO("type " << name);
  REQUIRE(type.has_value());
  return *type;
}

inline std::uint64_t code_at(const Bytes& bytes, exhaustive::Layout layout, std::size_t i) {
  return exhaustive::element(bytes.data(), layout, i);
}
inline Bytes bytes_of(const std::vector<std::uint64_t>& codes, exhaustive::Layout layout) {
  return exhaustive::pack(codes, layout);
}
/// How elements of a type lie in memory.
inline exhaustive::Layout layout_of(std::string_view type) { return oracle::codec(type).format(); }

inline std::vector<std::string> usable_isas() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < isa_count(); ++i) {
    if (isa(i).usable) names.emplace_back(isa(i).name);
  }
  REQUIRE_FALSE(names.empty());
  return names;
}

/// Casts `count` elements on every instruction set; all must agree. The result is that of the first.
inline Bytes cast_everywhere(std::string_view opset, Type src, Type dst, const Attributes& attributes,
                             const Bytes& input, std::size_t count) {
  Bytes first;
  for (const std::string& isa : usable_isas()) {
    const Kernel kernel = find_kernel(opset, src, dst, attributes, isa);
    INFO(opset << " " << name(src) << " to " << name(dst) << " on " << isa << ": " << kernel.status().message());
    REQUIRE(kernel.ok());
    Bytes output(storage_bytes(dst, count).value());
    REQUIRE(kernel.run(input.data(), output.data(), count).ok());
    if (first.empty()) first = output;
    CHECK(output == first);
  }
  return first;
}

/// The same for codes.
inline std::vector<std::uint64_t> cast_codes(std::string_view opset, std::string_view src, std::string_view dst,
                                             const Attributes& attributes, const std::vector<std::uint64_t>& codes) {
  const Type from = type_of(src), to = type_of(dst);
  const Bytes output =
      cast_everywhere(opset, from, to, attributes, bytes_of(codes, layout_of(name(from))), codes.size());
  std::vector<std::uint64_t> results;
  for (std::size_t i = 0; i < codes.size(); ++i) results.push_back(code_at(output, layout_of(name(to)), i));
  return results;
}

inline std::uint64_t cast_code(std::string_view opset, std::string_view src, std::string_view dst, std::uint64_t code,
                               const Attributes& attributes = {}) {
  return cast_codes(opset, src, dst, attributes, {code})[0];
}

}  // namespace castforge::conformance

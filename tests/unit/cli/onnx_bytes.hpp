// ONNX models made of bytes; field numbers of onnx.proto.
#pragma once

#include "support.hpp"

namespace cli_test::onnx {

inline std::string pair(std::string_view key, std::string_view value) {
  return bytes_field(13, bytes_field(1, key) + bytes_field(2, value));
}

inline std::string tensor(std::string_view name, const std::string& elements, std::uint64_t count = 2, int type = 1) {
  return varint_field(1, count) + varint_field(2, static_cast<std::uint64_t>(type)) + elements + bytes_field(8, name);
}

inline std::string two_floats() { return bytes_field(9, codes<float>({1, -2})); }
inline std::string external(std::string_view location) { return pair("location", location) + varint_field(14, 1); }

/// A model of a graph with these fields.
inline std::string model(const std::string& graph, std::uint64_t opset = 21) {
  return varint_field(1, 10) + bytes_field(7, bytes_field(2, "g") + graph) + bytes_field(8, varint_field(2, opset));
}
inline std::string initializer(const std::string& tensor) { return bytes_field(5, tensor); }
inline std::string output_of_node(std::string_view name) { return bytes_field(1, bytes_field(2, name)); }
/// A node with an attribute that has this field.
inline std::string node(const std::string& attribute) { return bytes_field(1, bytes_field(5, attribute)); }

}  // namespace cli_test::onnx

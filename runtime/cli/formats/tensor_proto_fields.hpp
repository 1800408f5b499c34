// Field numbers of TensorProto (onnx.proto) and where it puts which element type.
#pragma once

#include "cli/formats/wire.hpp"

#include <castforge/interface.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace castforge::cli {

namespace field {
inline constexpr std::uint32_t kDims = 1, kDataType = 2, kSegment = 3, kFloatData = 4, kInt32Data = 5, kStringData = 6,
                               kInt64Data = 7, kName = 8, kRawData = 9, kDoubleData = 10, kUint64Data = 11,
                               kExternalData = 13, kDataLocation = 14;
}

/// The value of data_location where elements are in another file.
inline constexpr std::uint64_t kExternalLocation = 1;

/// "float_data", or "field 99" for numbers without a name here.
std::string field_name(std::uint32_t number);

/// A Failure unless a field has one of the wire types.
void expect_type(const InputFile& file, const WireField& found, std::initializer_list<WireType> allowed);

/// Whether the elements are in a field of that number, where they are in the message.
bool holds_elements(std::uint32_t number);

/// The number that data_type has for a type; nothing where ONNX has none.
std::optional<std::uint64_t> onnx_number(Type type);

/// The least IR version of a model that may have the type; 0 where every version may.
std::uint64_t onnx_ir_version(Type type);

/// "COMPLEX64" for 14: what ONNX calls a data_type that is no type of casts; empty for other numbers.
std::string_view uncastable_type(std::uint64_t data_type);

/// The typed field for elements of a type: float_data and double_data for 32 and 64-bit floating types,
/// int64_data for 64-bit signed integers, uint64_data for 32 and 64-bit unsigned ones, string_data for
/// strings, int32_data for all others.
std::uint32_t typed_field_of(Type type);

}  // namespace castforge::cli

// Types and rules for the text tests, written out by hand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/text/element.hpp"
#include "src/text/text.hpp"

namespace text_test {

using castforge::BelowRange;
using castforge::InfResult;
using castforge::NanCodes;
using castforge::NanResult;
using castforge::NegativeResult;
using castforge::Notation;
using castforge::Overflow;
using castforge::Rule;
using castforge::TypeKind;
using namespace castforge::text;

struct Type : castforge::Format {
  const char* name = "";
};

inline constexpr std::uint16_t kRne = 0xC8C8, kRna = 0xCCCC, kRtz = 0x0000, kRtn = 0xEE00, kRtp = 0x00EE, kRto = 0x0E0E;

inline Type integer(const char* name, bool is_signed, int bits) {
  Type type{};
  type.name = name;
  type.kind = TypeKind::integer;
  type.is_signed = is_signed;
  type.value_bits = type.storage_bits = bits;
  if (bits == 1) type.packing = castforge::Packing::high_first;
  const std::uint64_t all = bits == 64 ? ~0ull : (1ull << bits) - 1;
  type.max_finite = is_signed ? all >> 1 : all;
  return type;
}

inline Type boolean() {
  Type type{};
  type.name = "bool";
  type.kind = TypeKind::boolean;
  type.value_bits = type.storage_bits = 8;
  type.max_finite = 1;
  return type;
}

/// `top_codes`: how many magnitude codes at the top are not finite.
inline Type floating(const char* name, int exponent, int mantissa, int bias, NanCodes nan, bool infinity,
                     std::uint64_t top_codes, std::uint64_t canonical_nan, bool is_signed = true,
                     bool subnormals = true, int storage = 0) {
  Type type{};
  type.name = name;
  type.kind = TypeKind::floating;
  type.nan = nan;
  type.exponent_bits = exponent;
  type.mantissa_bits = mantissa;
  type.exponent_bias = bias;
  type.value_bits = exponent + mantissa + (is_signed ? 1 : 0);
  type.storage_bits = storage != 0 ? storage : type.value_bits;
  type.is_signed = is_signed;
  type.subnormals = subnormals;
  type.infinity = infinity;
  type.canonical_nan = canonical_nan;
  type.max_finite = (1ull << (exponent + mantissa)) - 1 - top_codes;
  type.infinity_code = infinity ? type.max_finite + 1 : 0;
  return type;
}

inline Type ieee(const char* name, int exponent, int mantissa, int bias, int storage = 0) {
  const std::uint64_t hidden = 1ull << mantissa;
  const std::uint64_t top = ((1ull << exponent) - 1) << mantissa;
  return floating(name, exponent, mantissa, bias, NanCodes::ieee, true, hidden, top | hidden >> 1, true, true, storage);
}

inline const Type kFloat64 = ieee("float64", 11, 52, 1023);
inline const Type kFloat32 = ieee("float32", 8, 23, 127);
inline const Type kFloat16 = ieee("float16", 5, 10, 15);
inline const Type kBfloat16 = ieee("bfloat16", 8, 7, 127);
inline const Type kE4M3FN = floating("float8e4m3fn", 4, 3, 7, NanCodes::top, false, 1, 0x7F);
inline const Type kE4M3FNUZ = floating("float8e4m3fnuz", 4, 3, 8, NanCodes::negative_zero, false, 0, 0x80);
inline const Type kE5M2 = ieee("float8e5m2", 5, 2, 15);
inline const Type kE5M2FNUZ = floating("float8e5m2fnuz", 5, 2, 16, NanCodes::negative_zero, false, 0, 0x80);
inline const Type kE2M1 = floating("float4e2m1", 2, 1, 1, NanCodes::none, false, 0, 0);
inline const Type kE8M0 = floating("float8e8m0", 8, 0, 127, NanCodes::top, false, 1, 0xFF, false, false);
inline const Type kBool = boolean();
inline const Type kInt2 = integer("int2", true, 2), kUint2 = integer("uint2", false, 2),
                  kUint1 = integer("uint1", false, 1);
inline const Type kInt4 = integer("int4", true, 4), kUint4 = integer("uint4", false, 4);
inline const Type kInt8 = integer("int8", true, 8), kUint8 = integer("uint8", false, 8);
inline const Type kInt16 = integer("int16", true, 16), kUint16 = integer("uint16", false, 16);
inline const Type kInt32 = integer("int32", true, 32), kUint32 = integer("uint32", false, 32);
inline const Type kInt64 = integer("int64", true, 64), kUint64 = integer("uint64", false, 64);

/// Floating formats of at most 16 bits: those of ONNX and others that stress the grid (coarse, biased,
/// unsigned).
inline std::vector<Type> small_floats() {
  return {kFloat16,
          kBfloat16,
          kE4M3FN,
          kE4M3FNUZ,
          kE5M2,
          kE5M2FNUZ,
          kE2M1,
          ieee("float8e4m3", 4, 3, 7),
          ieee("float8e3m4", 3, 4, 3),
          floating("float8e4m3b11fnuz", 4, 3, 11, NanCodes::negative_zero, false, 0, 0x80),
          floating("float6e2m3", 2, 3, 1, NanCodes::none, false, 0, 0, true, true, 8),
          floating("float6e3m2", 3, 2, 3, NanCodes::none, false, 0, 0, true, true, 8),
          floating("binary8p2", 6, 1, 32, NanCodes::negative_zero, true, 1, 0x80),
          floating("binary8p3", 5, 2, 16, NanCodes::negative_zero, true, 1, 0x80),
          floating("binary8p7", 1, 6, 1, NanCodes::negative_zero, true, 1, 0x80),
          ieee("float12e5m6", 5, 6, 15, 16),
          floating("float8e6m1", 6, 1, 31, NanCodes::top, false, 1, 0x7F),
          floating("float8e2m5", 2, 5, 1, NanCodes::top, false, 1, 0x7F),
          floating("ufloat8e5m3", 5, 3, 15, NanCodes::top, true, 2, 0xFF, false),
          floating("float4e1m2", 1, 2, 1, NanCodes::none, false, 0, 0),
          floating("float8e4m3 bias 5", 4, 3, 5, NanCodes::top, false, 1, 0x7F),  // step 2^-7: 0.01 or 0.008
          floating("float8e4m3 bias 60", 4, 3, 60, NanCodes::none, false, 0, 0),
          floating("float8e4m3 bias -20", 4, 3, -20, NanCodes::none, false, 0, 0),
          floating("float16u e6m10", 6, 10, 31, NanCodes::none, false, 0, 0, false)};
}

/// A float64 source's row for a floating destination unless changed: nearest even, overflow and infinity to
/// infinity.
inline Rule rule(std::uint16_t carry = kRne, Overflow overflow = Overflow::infinity,
                 InfResult inf = InfResult::infinity, NanResult nan = NanResult::nan) {
  return {.carry = carry, .overflow = overflow, .inf = inf, .nan = nan};
}

/// ONNX float64 to integers of 8 bits and more.
inline Rule integer_rule(std::uint16_t carry = kRtz, Overflow overflow = Overflow::wrap,
                         InfResult inf = InfResult::zero) {
  return rule(carry, overflow, inf, NanResult::zero);
}

inline std::string format(const Type& type, std::uint64_t code, Notation notation) {
  char buffer[kFormatBuffer];
  return std::string(buffer, format_one(type, code, notation, buffer));
}

struct Parsed {
  ParseError error;
  std::uint64_t code;
};

inline Parsed parse(const Type& type, const Rule& how, std::string_view text) {
  // An exactly sized heap copy lets a sanitizer see reads outside the text.
  const std::vector<char> copy(text.begin(), text.end());
  const std::string_view one(copy.data(), copy.size());
  std::uint64_t element = 0;
  const ParseResult result = parse_many(type, how, &one, 1, &element);
  return {result.error, load_code(type, &element, 0)};
}

}  // namespace text_test

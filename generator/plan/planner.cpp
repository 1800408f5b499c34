#include "plan/planner.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>

#include "lower/lower_regular.hpp"
#include "lower/lower_saturated.hpp"
#include "lower/lower_steps.hpp"
#include "lower/lower_table.hpp"
#include "plan/instruction_sets.hpp"
#include "plan/real.hpp"
#include "semantics/convert.hpp"

namespace castforge::plan {
namespace {

using spec::Kind;
using spec::Meaning;
using spec::Type;

constexpr const char* kFast = "generator/plan/encode_fast.cpp";
constexpr const char* kFloating = "generator/plan/encode_floating.cpp";
constexpr const char* kInteger = "generator/plan/encode_integer.cpp";
constexpr const char* kScaled = "generator/plan/encode_scaled_integer.cpp";
constexpr const char* kPlanner = "generator/plan/planner.cpp";

int unit(const Type& type) { return storage_unit(type.storage_bits); }
bool is_integer(const Type& type) { return type.kind == Kind::integer; }
bool is_floating(const Type& type) { return type.kind == Kind::floating; }

bool keeps_bits(const Meaning& meaning) { return meaning.bits == spec::Bits::kept; }
bool is_integral(const Meaning& meaning) {
  return !keeps_bits(meaning) && meaning.src == meaning.dst && meaning.same_type == spec::SameType::integral &&
         is_floating(*meaning.src);
}
bool is_copy(const Meaning& meaning) {
  return keeps_bits(meaning) ||
         (meaning.src == meaning.dst && !is_integral(meaning) && !spec::converts_to_itself(meaning));
}

/// Real-number arithmetic is what the other kernels do.
bool is_real(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const bool differ = meaning.src != meaning.dst || spec::converts_to_itself(meaning);
  return !keeps_bits(meaning) && src.kind != Kind::boolean && dst.kind != Kind::boolean && differ &&
         !(is_integer(src) && is_integer(dst));
}
bool is_real_in_32_bits(const Meaning& meaning) {
  const bool clamps_wide = meaning.saturate_first && meaning.saturate_first->bits > 32;
  return is_real(meaning) && !clamps_wide && std::max(unit(*meaning.src), unit(*meaning.dst)) <= 32 &&
         working_layout(*meaning.src, *meaning.dst).mantissa_bits == kFloat32.mantissa_bits;
}

using Built = std::optional<Program>;
using Encoder = Value (*)(Builder&, const Real&, const Meaning&);

Built finished(Builder& b, Value result) { return result ? Built(b.finish(result)) : std::nullopt; }

// ---- tables ----

bool is_tabulated(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  if (src.storage_bits < 8 && dst.storage_bits < 8) return true;
  if (src.storage_bits > 8 || dst.kind == Kind::boolean || src.kind == Kind::boolean || is_copy(meaning)) return false;
  if (is_integer(src) && is_integer(dst)) return false;
  return !(is_integer(src) && src.storage_bits == 8 && dst.storage_bits > 8);
}

/// Lookups of an instruction set also where conversions exist, which take longer.
Built looked_up(const Meaning& meaning, lower::TableClass table_class) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const bool unpacks = is_integer(src) && is_integer(dst) && src.storage_bits < 8 && dst.storage_bits > 8;
  const bool two_bytes = is_real(meaning) && src.storage_bits == 8 && dst.storage_bits == 16;
  // Of bytes that are interleaved a sign takes two operations, each byte of a result by lookup one.
  const bool signs = unpacks && src.is_signed && dst.storage_bits == 16 && table_class == lower::TableClass::bytes16;
  const bool instead = signs || (table_class == lower::TableClass::vbmi && (unpacks || two_bytes));
  if (!is_tabulated(meaning) && !instead) return {};
  return lower::lower_table(meaning, table_class);
}
Built vbmi_lookups(const Meaning& meaning) { return looked_up(meaning, lower::TableClass::vbmi); }
Built bytes16_lookups(const Meaning& meaning) { return looked_up(meaning, lower::TableClass::bytes16); }
Built neon_lookups(const Meaning& meaning) { return looked_up(meaning, lower::TableClass::neon); }

Built steps(const Meaning& meaning) {
  return is_real(meaning) && meaning.src->storage_bits == 16 && meaning.dst->storage_bits <= 8
             ? lower::lower_steps(meaning)
             : std::nullopt;
}

/// bfloat16 and what else has its exponents in 16 bits to formats that are exponents alone: in 16-bit lanes.
Built exponent_alone(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  if (!is_real_in_32_bits(meaning) || !is_floating(dst) || dst.has_zero() || unit(dst) > 16) return {};
  if (!is_shortened_float32(src) || src.storage_bits != 16) return {};
  Builder b = builder_for(meaning, "convert_float.in_16_bits", kFloating, 16);
  const Layout layout{src.name.c_str(), src.exponent_bits, src.mantissa_bits, src.exponent_bias};
  return finished(b, encode_power_of_two(b, decode_floating(b, src, layout), meaning));
}

Built odd_steps(const Meaning& meaning) { return is_real(meaning) ? lower::lower_odd_steps(meaning) : std::nullopt; }

template <lower::TableClass kClass>
Built regular_cells(const Meaning& meaning) {
  return is_real(meaning) ? lower::lower_regular(meaning, kClass) : std::nullopt;
}

template <lower::TableClass kClass>
Built saturated(const Meaning& meaning) {
  return is_real(meaning) ? lower::lower_saturated(meaning, kClass) : std::nullopt;
}

Built table(const Meaning& meaning) {
  if (!is_tabulated(meaning)) return {};
  Builder b = builder_for(meaning, "lookup.table", kPlanner, unit(*meaning.dst));
  ir::Table results;
  results.name = "kTable";
  results.bits = unit(*meaning.dst);
  results.note = "the result of every code";
  const std::uint64_t codes = 1ull << meaning.src->storage_bits;
  for (std::uint64_t code = 0; code < codes; ++code)
    results.entries.push_back(semantics::convert_storage(meaning, code));
  return b.finish(lookup(Op::table, b.element(), b.table(results)));
}

// ---- 64-bit sources by way of float32 ----

/// Numbers above the range of float32 arrive as infinities, or as its largest: both must have one result.
bool may_pass_float32(const Meaning& meaning) {
  if (!is_real(meaning) || meaning.src->storage_bits != 64 || is_integer(*meaning.dst)) return false;
  if (is_layout(*meaning.src, kFloat64) && is_layout(*meaning.dst, kFloat32)) return false;
  for (const bool negative : {false, true}) {
    if (!is_floating(*meaning.src)) break;
    if (meaning.negative_inf != spec::NegativeInf::as_negative) return false;
    if (semantics::infinity_result(meaning, negative) != semantics::overflow_result(meaning, negative)) return false;
  }
  return true;
}

Built wide_source(const Meaning& meaning, const char* id, const char* source, bool sticky, Encoder encode) {
  if (!may_pass_float32(meaning) || meaning.dst->has_gap()) return {};
  Builder b = builder_for(meaning, id, source, 64);
  const Real real = decode_wide(b, meaning, sticky);
  return real.whole ? finished(b, encode(b, real, meaning)) : std::nullopt;
}

template <bool kSticky>
Built wide_half(const Meaning& meaning) {
  if (!meaning.dst->has_zero()) return {};
  return wide_source(meaning, kSticky ? "convert_float.half_sticky" : "convert_float.half", kFast, kSticky,
                     encode_half);
}

template <bool kSticky>
Built wide_multiply_add(const Meaning& meaning) {
  if (!meaning.dst->has_zero()) return {};
  const char* id = kSticky ? "convert_float.multiply_add_sticky" : "convert_float.multiply_add";
  return wide_source(meaning, id, kFast, kSticky, encode_by_multiply_add);
}

template <bool kSticky>
Built wide_odd(const Meaning& meaning) {
  const bool integer = is_integer(*meaning.src);
  // What float32 rounds to zero is not zero for the directed modes, nor for a destination that has no negative numbers.
  if (!integer && !(rounds_to_nearest_even(meaning) && meaning.dst->is_signed)) return {};
  if (integer && !has_odd_integer(*meaning.src, *meaning.dst, 64)) return {};
  const char* id = integer ? (kSticky ? "from_integer.odd_sticky" : "from_integer.odd")
                           : (kSticky ? "convert_float.odd_sticky" : "convert_float.odd");
  return wide_source(meaning, id, kFloating, kSticky, encode_floating);
}

// ---- conversions of the instruction set ----

/// Integers to float32 or float64 to nearest even, where their lanes do not hold the source exactly.
Built nearest_integer(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const bool single = is_layout(dst, kFloat32);
  if (!is_integer(src) || src.value_bits != src.storage_bits || (src.storage_bits != 32 && src.storage_bits != 64))
    return {};
  if (!(single || (is_layout(dst, kFloat64) && src.storage_bits == 64)) || !rounds_to_nearest_even(meaning)) return {};
  Builder b = builder_for(meaning, "from_integer.nearest", kPlanner, src.storage_bits);
  b.needs(kNeedsVector);
  if (single && src.storage_bits == 64)
    return b.finish(unary(src.is_signed ? Op::float32_of_int64 : Op::float32_of_uint64, b.element()));
  return b.finish(nearest_float(b.element(), src.is_signed));
}

/// Integers of 8 to 32 bits to float64: one exact conversion.
Built exact_integer(const Meaning& meaning) {
  const Type& src = *meaning.src;
  if (!is_integer(src) || src.value_bits != src.storage_bits || !is_layout(*meaning.dst, kFloat64)) return {};
  const int bits = src.storage_bits;
  if (bits != 8 && bits != 16 && !(bits == 32 && src.is_signed)) return {};
  Builder b = builder_for(meaning, "from_integer.exact", kPlanner, 32);
  b.needs(kNeedsVector);
  return b.finish(unary(Op::float64_of_int32, src.is_signed ? b.signed_input() : b.input()));
}

/// Integers of 32 or 64 bits to float32: as float64, of which the bits that float32 has not are rounded away.
Built integer_by_double(const Meaning& meaning) {
  const Type& src = *meaning.src;
  if (!is_integer(src) || src.value_bits != src.storage_bits || (src.storage_bits != 32 && src.storage_bits != 64))
    return {};
  if (!is_layout(*meaning.dst, kFloat32) || meaning.saturate_first) return {};
  Builder b = builder_for(meaning, "from_integer.by_double", kPlanner, 64);
  b.needs(kNeedsVector);
  const Value rounded = round_low_bits(b, decode_double(b, src), kFloat64.mantissa_bits - kFloat32.mantissa_bits,
                                       src.is_signed, meaning.round);
  return rounded ? Built(b.finish(unary(Op::float32_of_float64, rounded))) : std::nullopt;
}

/// Floats of at most 32 bits to float64, through float32, which holds them exactly.
Built widening(const Meaning& meaning) {
  const Type& src = *meaning.src;
  if (!is_floating(src) || src.storage_bits < 16 || src.storage_bits > 32 || !is_layout(*meaning.dst, kFloat64))
    return {};
  if (working_layout(src, src).mantissa_bits != kFloat32.mantissa_bits) return {};
  Builder b = builder_for(meaning, "convert_float.widening", kFast, 32);
  const Real real = decode_floating(b, src, kFloat32, has_hardware_decode(src, kFloat32, 32));
  return finished(b, encode_double(b, real, meaning));
}

/// float64 to float32 itself.
Built nearest_single(const Meaning& meaning) {
  if (!is_layout(*meaning.src, kFloat64) || !is_layout(*meaning.dst, kFloat32)) return {};
  Builder b = builder_for(meaning, "convert_float.nearest", kFast, 64);
  const Real real = decode_rounded(b, *meaning.src);
  return finished(b, encode_single(b, real, meaning));
}

/// Floats that end below 2^31 to 64-bit integers: as 32-bit integers, sign-extended.
Built short_integer(const Meaning& meaning) {
  const Type& src = *meaning.src;
  if (!is_floating(src) || !is_integer(*meaning.dst) || meaning.dst->storage_bits != 64 ||
      !has_hardware_decode(src, kFloat32, 32))
    return {};
  Builder b = builder_for(meaning, "round_to_integer.extended", kFast, 32);
  const Value result = encode_small_integer(b, decode_floating(b, src, kFloat32, true), meaning);
  return result ? Built(b.finish(widen_signed(result, 64))) : std::nullopt;
}

/// Floats of the range of float32 to 64-bit integers.
Built scaled_integer(const Meaning& meaning) {
  const Type& src = *meaning.src;
  if (!is_shortened_float32(src) || !is_integer(*meaning.dst) || meaning.dst->storage_bits != 64) return {};
  Builder b = builder_for(meaning, "round_to_integer.scaled", kScaled, 32);
  return finished(b, encode_scaled_integer(b, decode_floating(b, src, kFloat32), meaning));
}

/// float64 to integers, in 64-bit lanes.
template <Encoder kEncode>
Built double_to_integer(const Meaning& meaning, const char* id) {
  if (!is_layout(*meaning.src, kFloat64) || !is_integer(*meaning.dst)) return {};
  Builder b = builder_for(meaning, id, kFast, 64);
  return finished(b, kEncode(b, decode_floating(b, *meaning.src, kFloat64), meaning));
}
/// To integers of at most 16 bits, by way of float32.
Built double_saturate(const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  if (!is_layout(*meaning.src, kFloat64) || !is_integer(dst) || dst.value_bits > 16) return {};
  Builder b = builder_for(meaning, "round_to_integer.saturate", kFast, 64);
  const Real real = decode_odd_single(b, meaning);
  return real.whole ? finished(b, encode_saturated_integer(b, real, meaning)) : std::nullopt;
}
Built double_convert(const Meaning& meaning) {
  return double_to_integer<encode_small_integer>(meaning, "round_to_integer.convert");
}
Built double_truncate(const Meaning& meaning) {
  return double_to_integer<encode_truncated_integer>(meaning, "round_to_integer.truncate");
}
Built double_indefinite(const Meaning& meaning) {
  return double_to_integer<encode_indefinite_integer>(meaning, "round_to_integer.indefinite");
}
Built double_wrap(const Meaning& meaning) {
  return double_to_integer<encode_wrapped_integer>(meaning, "round_to_integer.wrap");
}

// ---- 32-bit lanes in which float32 holds the source ----

struct Decoder {
  bool quick, hardware, odd;
  explicit Decoder(const Meaning& meaning)
      : quick(is_integer(*meaning.src) && has_quick_integer(*meaning.src, *meaning.dst, 32)),
        hardware(is_floating(*meaning.src) && has_hardware_decode(*meaning.src, kFloat32, 32)),
        odd(is_integer(*meaning.src) && !quick && has_odd_integer(*meaning.src, *meaning.dst, 32)) {}
  bool exists(const Meaning& meaning) const { return is_floating(*meaning.src) || quick || odd; }
  Real operator()(Builder& b, const Type& src) const {
    return quick ? decode_quick_integer(b, src)
           : odd ? decode_odd_integer(b, src)
                 : decode_floating(b, src, kFloat32, hardware);
  }
};

Built in_32_bits(const Meaning& meaning, const char* id, const char* source, Encoder encode) {
  if (!is_real_in_32_bits(meaning)) return {};
  const Decoder decode(meaning);
  if (!decode.exists(meaning)) return {};
  Builder b = builder_for(meaning, id, source, 32);
  const Real real = decode(b, *meaning.src);
  return finished(b, encode(b, real, meaning));
}

Built half(const Meaning& meaning) {
  if (!is_floating(*meaning.dst) || !meaning.dst->has_zero()) return {};
  return in_32_bits(meaning, "convert_float.half", kFast, encode_half);
}
Built by_multiply_add(const Meaning& meaning) {
  if (!is_floating(*meaning.dst) || !meaning.dst->has_zero()) return {};
  return in_32_bits(meaning, "convert_float.multiply_add", kFast, encode_by_multiply_add);
}
Built saturated_integer(const Meaning& meaning) {
  return is_integer(*meaning.dst) ? in_32_bits(meaning, "round_to_integer.saturate", kFast, encode_saturated_integer)
                                  : std::nullopt;
}
Built small_integer(const Meaning& meaning) {
  return is_integer(*meaning.dst) ? in_32_bits(meaning, "round_to_integer.convert", kFast, encode_small_integer)
                                  : std::nullopt;
}
Built truncated_integer(const Meaning& meaning) {
  return is_integer(*meaning.dst) ? in_32_bits(meaning, "round_to_integer.truncate", kFast, encode_truncated_integer)
                                  : std::nullopt;
}
Built indefinite_integer(const Meaning& meaning) {
  return is_integer(*meaning.dst) ? in_32_bits(meaning, "round_to_integer.indefinite", kFast, encode_indefinite_integer)
                                  : std::nullopt;
}
Built wrapped_integer(const Meaning& meaning) {
  return is_integer(*meaning.dst) ? in_32_bits(meaning, "round_to_integer.wrap", kFast, encode_wrapped_integer)
                                  : std::nullopt;
}
/// The source decoded by the instruction set, the rest in integers.
Built converted_source(const Meaning& meaning) {
  const Decoder decode(meaning);
  const bool to_integer = is_integer(*meaning.dst);
  if (!(decode.hardware || decode.odd || (decode.quick && !to_integer))) return {};
  if (to_integer) return in_32_bits(meaning, "round_to_integer.half_decode", kInteger, encode_integer);
  return in_32_bits(meaning,
                    decode.hardware ? "convert_float.half_decode"
                    : decode.odd    ? "from_integer.odd"
                                    : "from_integer.quick",
                    kFloating, encode_floating);
}

// ---- integers only ----

Built copy(const Meaning& meaning) { return is_copy(meaning) ? Built(plan_copy(meaning)) : std::nullopt; }
Built truth(const Meaning& meaning) {
  return meaning.dst->kind == Kind::boolean && !keeps_bits(meaning) ? Built(plan_truth(meaning)) : std::nullopt;
}
Built from_truth(const Meaning& meaning) {
  return meaning.src->kind == Kind::boolean && !keeps_bits(meaning) ? Built(plan_from_truth(meaning)) : std::nullopt;
}
Built integers(const Meaning& meaning) {
  return is_integer(*meaning.src) && is_integer(*meaning.dst) && meaning.src != meaning.dst
             ? Built(plan_integers(meaning))
             : std::nullopt;
}

Built integral(const Meaning& meaning) {
  if (!is_integral(meaning)) return {};
  const Type& src = *meaning.src;
  const Layout layout = src.storage_bits == 64 ? kFloat64 : kFloat32;
  if (src.mantissa_bits != layout.mantissa_bits || src.exponent_bits != layout.exponent_bits) return {};
  Builder b = builder_for(meaning, "round_to_integral.integer", kInteger, layout.sign_bit() + 1);
  return b.finish(encode_integral(b, decode_floating(b, src, layout), meaning));
}

Built in_integers(const Meaning& meaning) {
  if (!is_real(meaning)) return {};
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const bool from_integer = is_integer(src);
  Layout layout = working_layout(src, dst);
  int lane = std::max({32, unit(src), unit(dst)});
  if (meaning.saturate_first && meaning.saturate_first->bits > 32) lane = 64;
  if (from_integer) {
    const int bits = src.value_bits - (src.is_signed ? 1 : 0);
    if (unit(src) > 32) layout = kFloat64;
    const auto lacks_room = [&] { return bits > layout.mantissa_bits + 1 && dst.mantissa_bits > odd_room(layout); };
    const bool same_grid = dst.mantissa_bits == layout.mantissa_bits && dst.exponent_bias == layout.bias &&
                           dst.min_exponent() <= 0 && !may_overflow(src, dst);
    if (lacks_room() && !same_grid) layout = kFloat64;
    if (lacks_room()) return plan_wide_integer(meaning);
  }
  // Lanes of 64 bits work in float64, but for float32 and its shortened forms, which need no decoding.
  if (lane == 64 && !is_shortened_float32(src)) layout = kFloat64;
  if (layout.mantissa_bits == kFloat64.mantissa_bits) lane = 64;
  const char* id = is_integer(dst) ? "round_to_integer.integer"
                   : from_integer  ? "from_integer.integer"
                                   : "convert_float.integer";
  Builder b = builder_for(meaning, id, is_integer(dst) ? kInteger : kFloating, lane);
  const Real real = from_integer ? decode_integer(b, src, layout) : decode_floating(b, src, layout);
  return b.finish(is_integer(dst) ? encode_integer(b, real, meaning) : encode_floating(b, real, meaning));
}

using Lowering = Built (*)(const Meaning&);

// Every lowering, in order of preference. Each says itself which meanings it serves, and of what in the instruction set
// its program has need.

/// Those that look at results of the exact semantics, or at nothing but bits, and one that is faster than lookups.
constexpr Lowering kByResults[] = {
    truth,
    from_truth,
    copy,
    exponent_alone,
    vbmi_lookups,
    bytes16_lookups,
    neon_lookups,
    table,
    saturated<lower::TableClass::vbmi>,
    saturated<lower::TableClass::bytes16>,
    saturated<lower::TableClass::neon>,
    steps,
    odd_steps,
    regular_cells<lower::TableClass::bytes16>,
    regular_cells<lower::TableClass::neon>,
};

/// Those that compute. They give minus zero to what is negative and rounds to zero.
constexpr Lowering kArithmetic[] = {
    integers,
    integral,
    nearest_integer,
    exact_integer,
    integer_by_double,
    widening,
    nearest_single,
    short_integer,
    scaled_integer,
    double_convert,
    double_saturate,
    double_truncate,
    double_wrap,
    double_indefinite,
    wide_half<true>,
    wide_multiply_add<true>,
    wide_odd<true>,
    wide_half<false>,
    wide_multiply_add<false>,
    wide_odd<false>,
    half,
    by_multiply_add,
    saturated_integer,
    small_integer,
    truncated_integer,
    wrapped_integer,
    indefinite_integer,
    converted_source,
    in_integers,
};

/// The program, with zero for a result that is minus zero.
Program without_minus_zero(Program program, const Type& dst) {
  Builder b(program.id, program.source, program.src_bits, program.dst_bits, unit(dst));
  b.program() = std::move(program);
  const Value result{&b, static_cast<int>(b.program().nodes.size()) - 1};
  const std::uint64_t code = semantics::storage_of_code(dst, dst.sign_mask());
  const Value minus_zero = b.constant("kMinusZero", code, "-0 as " + dst.name);
  return b.finish(select(equal(result.named("number"), minus_zero), b.literal(0), result));
}

/// What makes the result of an infinity of that of overflow with its sign.
struct InfinityChange {
  bool replaces;       // the whole code; else some bits flip, for both signs the same
  std::uint64_t bits;  // the code, or the bits
};
std::optional<InfinityChange> infinity_apart(const Meaning& meaning) {
  if (!is_real(meaning) || !is_floating(*meaning.src) || !meaning.src->infinity || !is_floating(*meaning.dst))
    return {};
  if (!meaning.src->is_signed || unit(*meaning.src) < unit(*meaning.dst)) return {};
  const std::uint64_t infinity = semantics::infinity_result(meaning, false),
                      minus_infinity = semantics::infinity_result(meaning, true);
  const std::uint64_t flips = infinity ^ semantics::overflow_result(meaning, false),
                      minus_flips = minus_infinity ^ semantics::overflow_result(meaning, true);
  if (flips == 0 && minus_flips == 0) return {};
  if (flips == minus_flips) return InfinityChange{false, semantics::storage_of_code(*meaning.dst, flips)};
  if (infinity == minus_infinity) return InfinityChange{true, semantics::storage_of_code(*meaning.dst, infinity)};
  return {};
}

/// The program, whose infinities are overflow, with their own result for them.
Program with_infinity(Program program, const Type& src, const Type& dst, const InfinityChange& change) {
  Builder b(program.id, program.source, program.src_bits, program.dst_bits, unit(src));
  b.program() = std::move(program);
  Value result{&b, static_cast<int>(b.program().nodes.size()) - 1};
  result = result.named("number", "infinities as overflow");
  const Value magnitude =
      b.element() & b.constant("kAllButSign", low_bits(src.value_bits - 1), power_formula(src.value_bits - 1) + " - 1");
  const Value is_infinity = equal(magnitude, b.constant("kInfinity", src.infinity_code(), "infinity as " + src.name));
  const auto where_infinity = [&](Value bits) {
    const Value found = select(is_infinity, bits, b.literal(0));
    return unit(dst) < unit(src) ? truncate(found, unit(dst)) : found;
  };
  if (!change.replaces) {
    return b.finish(result ^ where_infinity(b.constant("kInfinityBits", change.bits,
                                                       "how the result of infinity differs from that of overflow")));
  }
  const Value ones = where_infinity(b.constant("kAllBits", low_bits(unit(src)), "all ones"));
  b.work_in(unit(dst));
  return b.finish(merge(ones, b.constant("kInfinityResult", change.bits, "of both signs"), result));
}

/// What a lowering makes of a meaning.
Built lowered(Lowering lowering, bool by_results, const Meaning& meaning) {
  Built built;
  if (by_results || meaning.zero_sign == spec::ZeroSign::kept) {
    built = lowering(meaning);
  } else {
    Meaning with_sign = meaning;
    with_sign.zero_sign = spec::ZeroSign::kept;
    built = lowering(with_sign);
    if (built) built = without_minus_zero(std::move(*built), *meaning.dst);
  }
  if (built) return built;
  const auto change = infinity_apart(meaning);
  if (!change) return {};
  Meaning overflows = meaning;
  overflows.inf = spec::InfResult::as_overflow;
  built = lowered(lowering, by_results, overflows);
  return built ? Built(with_infinity(std::move(*built), *meaning.src, *meaning.dst, *change)) : std::nullopt;
}

}  // namespace

NoLayout::NoLayout(const Type& type, Because because)
    : std::runtime_error("no working layout holds " + type.name), type(type), because(because) {}

std::vector<Program> plan_kernel(const Meaning& meaning) {
  std::vector<Program> programs;
  const bool by_element = !has_vector_loop(meaning.src->storage_bits) || !has_vector_loop(meaning.dst->storage_bits);
  const auto try_all = [&](std::span<const Lowering> lowerings, bool by_results) {
    for (const Lowering lowering : lowerings) {
      // Nothing after one that runs everywhere would be chosen.
      if (!programs.empty() && programs.back().needs == kNeedsNothing) return;
      Built built = lowered(lowering, by_results, meaning);
      if (built && (!by_element || built->needs == kNeedsNothing)) programs.push_back(std::move(*built));
    }
  };
  try_all(kByResults, true);
  try_all(kArithmetic, false);
  if (programs.empty() || programs.back().needs != kNeedsNothing) {
    throw std::runtime_error("no plan from " + meaning.src->name + " to " + meaning.dst->name);
  }
  keep_chosen(programs);
  return programs;
}

}  // namespace castforge::plan

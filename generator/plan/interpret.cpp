#include "plan/interpret.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace castforge::plan {
namespace {

constexpr std::size_t kBlock = 512;
using Block = std::array<std::uint64_t, kBlock>;

std::uint64_t low_bits(int count) { return count >= 64 ? ~0ull : (1ull << count) - 1; }

std::int64_t as_signed(std::uint64_t lane, int bits) {
  const int unused = 64 - bits;
  return static_cast<std::int64_t>(lane << unused) >> unused;
}

float as_float(std::uint64_t lane) { return std::bit_cast<float>(static_cast<std::uint32_t>(lane)); }
std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint64_t float32_of_half(std::uint64_t half) {
  const std::uint64_t sign = (half & 0x8000) << 16;
  const std::uint64_t mag = half & 0x7FFF;
  if (mag > 0x7C00) return sign | 0x7F800000 | 0x400000 | (mag & 0x3FF) << 13;
  if (mag == 0x7C00) return sign | 0x7F800000;
  const float value = mag < 0x400 ? std::ldexp(static_cast<float>(mag), -24)
                                  : std::ldexp(static_cast<float>((mag & 0x3FF) | 0x400), static_cast<int>(mag >> 10) - 25);
  return sign | bits_of(value);
}

std::uint64_t half_of_float32(std::uint64_t bits) {
  const std::uint64_t sign = (bits >> 16) & 0x8000;
  const std::uint64_t mag = bits & 0x7FFFFFFF;
  if (mag > 0x7F800000) return sign | 0x7E00 | ((mag >> 13) & 0x1FF);
  if (mag >= 0x477FF000) return sign | 0x7C00;  // 65520: halfway between 65504 and 65536
  const std::uint64_t exponent = std::max<std::uint64_t>(mag >> 23, 113);  // 2^-14: the smallest normal binade
  const std::uint64_t significand = (mag & 0x7FFFFF) | ((mag >> 23) != 0 ? 0x800000 : 0);
  const std::uint64_t shift = std::min<std::uint64_t>(13 + (exponent - (mag >> 23 != 0 ? mag >> 23 : 1)), 25);
  const std::uint64_t odd = (significand >> shift) & 1;
  const std::uint64_t kept = (significand + ((1ull << (shift - 1)) - 1) + odd) >> shift;
  return sign | (kept + ((exponent - 113) << 10));
}

std::uint64_t double_of_float32(std::uint64_t bits) {
  const std::uint64_t sign = (bits >> 31) << 63;
  const std::uint64_t mag = bits & 0x7FFFFFFF;
  if (mag >= 0x7F800000) {
    const std::uint64_t fraction = mag & 0x7FFFFF;
    return sign | 0x7FF0000000000000 | (fraction == 0 ? 0 : (fraction | 0x400000) << 29);
  }
  return sign | std::bit_cast<std::uint64_t>(static_cast<double>(as_float(mag)));
}

std::uint64_t float32_of_double(std::uint64_t bits) {
  const std::uint64_t sign = (bits >> 63) << 31;
  const std::uint64_t mag = bits & 0x7FFFFFFFFFFFFFFF;
  if (mag > 0x7FF0000000000000) return sign | 0x7FC00000 | ((mag >> 29) & 0x3FFFFF);
  return sign | bits_of(static_cast<float>(std::bit_cast<double>(mag)));
}

std::uint64_t cut_float32_of_double(std::uint64_t bits) {
  const std::uint64_t mag = bits & 0x7FFFFFFFFFFFFFFF;
  std::uint64_t single = float32_of_double(mag);
  if (mag <= 0x7FF0000000000000 && double_of_float32(single) > mag) --single;
  return (bits >> 63) << 31 | single;
}

/// A number below 2^63 as an integer, by the mode of the operation.
std::int64_t whole(double x, Op op) {
  const auto cut = static_cast<std::int64_t>(x);
  const auto floor = static_cast<std::int64_t>(std::floor(x));
  switch (op) {
    case Op::int_of_float_nearest: return static_cast<std::int64_t>(std::nearbyint(x));
    case Op::int_of_float_away: return static_cast<std::int64_t>(std::round(x));
    case Op::int_of_float_floor: return floor;
    case Op::int_of_float_ceil: return static_cast<std::int64_t>(std::ceil(x));
    case Op::int_of_float_odd: return static_cast<double>(floor) == x ? floor : floor | 1;  // one of the two beside x
    default: return cut;
  }
}

/// The integer part modulo 2^64; 0 for what is no number.
std::uint64_t cut(double x) {
  if (!std::isfinite(x)) return 0;
  const std::uint64_t whole = static_cast<std::uint64_t>(std::fmod(std::trunc(std::fabs(x)), 18446744073709551616.0));  // exact
  return x < 0 ? 0 - whole : whole;
}

std::uint64_t flush(std::uint64_t bits, int width) {
  const std::uint64_t exponent = width == 64 ? 0x7FF0000000000000 : 0x7F800000, sign = width == 64 ? 1ull << 63 : 1ull << 31;
  return (bits & exponent) == 0 ? bits & sign : bits;
}

/// The sign of low half * 2^8 + high half * 2^(24 - fold), halves in two's complement. Its second byte is the folded code;
/// instruction sets may take the sign from there, too.
bool folded_sign(std::uint64_t lane, int fold) {
  return as_signed(lane & 0xFFFF, 16) * 256 + (as_signed(lane >> 16, 16) << (24 - fold)) < 0;
}

/// float16 is read and made as it is, whatever is flushed.
std::uint64_t loaded(Load load, std::uint64_t bits, bool flushed) {
  const auto read = [&](int width) { return flushed ? flush(bits, width) : bits; };
  const auto given = [&](std::uint64_t single) { return flushed ? flush(single, 32) : single; };
  switch (load) {
    case Load::plain: return bits;
    case Load::float16: return float32_of_half(bits & 0xFFFF);
    case Load::float32_cut: return cut(as_float(read(32))) & 0xFFFFFFFF;
    case Load::float64: return given(float32_of_double(read(64)));
    case Load::float64_cut: return cut(std::bit_cast<double>(read(64))) & 0xFFFFFFFF;
    case Load::float64_toward_zero: return given(cut_float32_of_double(read(64)));
    case Load::int64: return bits_of(static_cast<float>(static_cast<std::int64_t>(bits)));
    case Load::uint64: return bits_of(static_cast<float>(bits));
  }
  return bits;
}

std::uint64_t stored(Store store, std::uint64_t lane, bool flushed) {
  const std::uint64_t read = flushed ? flush(lane, 32) : lane;
  const std::int64_t integer = as_signed(lane, 32);
  switch (store) {
    case Store::plain: return lane;
    case Store::upper_half: return lane >> 16;
    case Store::upper_nearest: return (lane + 0x7FFF + (lane >> 16 & 1)) >> 16 & 0xFFFF;
    case Store::float16: return half_of_float32(read);
    case Store::float64: return double_of_float32(read);
    case Store::int64: return static_cast<std::uint64_t>(integer);
    case Store::float32_cut: return cut(as_float(read));
    case Store::float64_of_int: return std::bit_cast<std::uint64_t>(static_cast<double>(integer));
  }
  return lane;
}

/// Widths of the floating-point numbers that an operation reads and gives, float16 apart; 0: none.
struct FloatWidths {
  int read = 0, given = 0;
};
FloatWidths float_widths(Op op, int lane_bits) {
  switch (op) {
    case Op::min_or_second:
    case Op::binade:
    case Op::multiply_add: return {32, 32};
    case Op::int_of_float_away:
    case Op::int_of_float_floor:
    case Op::int_of_float_ceil:
    case Op::int_of_float_odd:
    case Op::float_to_half: return {32, 0};
    case Op::int_of_float_toward_zero:
    case Op::int_of_float_nearest:
    case Op::wrap_int_of_float_toward_zero:
    case Op::wrap_int_of_float_nearest:
    case Op::cut_to_int:
    case Op::cut_to_long: return {lane_bits, 0};
    case Op::double_to_float: return {64, 32};
    default: return {};
  }
}

}  // namespace

std::uint64_t extend(const LanePlan& plan, std::uint64_t storage, int storage_bits) {
  if (plan.prepare) return extend(*plan.prepare, storage, storage_bits);
  if (!plan.sign_extend) return storage;
  return static_cast<std::uint64_t>(as_signed(storage, storage_bits)) & low_bits(plan.lane_bits);
}

std::string interpret(const LanePlan& plan, std::span<std::uint64_t> lanes, Subnormals subnormals) {
  const int bits = plan.lane_bits;
  const std::uint64_t all = low_bits(bits);
  const std::uint64_t top = 1ull << (bits - 1);
  if (plan.prepare) {
    const std::string problem = interpret(*plan.prepare, lanes, subnormals);
    if (!problem.empty()) return problem;
    if (plan.load == Load::plain) {
      for (std::uint64_t& lane : lanes) lane &= all;
    }
  }
  if (plan.load_shift != 0) {
    for (std::uint64_t& lane : lanes) lane = lane << plan.load_shift & all;
  }
  const bool flushed = subnormals == Subnormals::flushed;
  for (std::uint64_t& lane : lanes) lane = loaded(plan.load, lane, flushed);
  std::vector<Block> values(plan.nodes.size());
  std::string error;
  for (std::size_t start = 0; start < lanes.size(); start += kBlock) {
    const std::size_t count = std::min(kBlock, lanes.size() - start);
    for (std::size_t id = 0; id < plan.nodes.size(); ++id) {
      const Node& node = plan.nodes[id];
      Block& out = values[id];
      const auto operand = [&](int index) -> const Block& { return values[static_cast<std::size_t>(index < 0 ? 0 : index)]; };
      const FloatWidths widths = flushed ? float_widths(node.op, bits) : FloatWidths{};
      Block read[3];
      const auto as_read = [&](int index, Block& copy) -> const Block& {
        if (widths.read == 0 || index < 0) return operand(index);
        for (std::size_t i = 0; i < count; ++i) copy[i] = flush(operand(index)[i], widths.read);
        return copy;
      };
      const Block& a = as_read(node.a, read[0]);
      const Block& b = as_read(node.b, read[1]);
      const Block& c = as_read(node.c, read[2]);
      const auto each = [&](auto&& function) {
        for (std::size_t i = 0; i < count; ++i) out[i] = function(i) & all;
        if (widths.given == 0) return;
        for (std::size_t i = 0; i < count; ++i) out[i] = flush(out[i], widths.given);
      };
      const auto require = [&](const char* what, auto&& holds) {
        for (std::size_t i = 0; i < count && error.empty(); ++i) {
          if (!holds(i)) error = plan.id + ": " + (node.name.empty() ? "a value" : node.name) + ": " + what;
        }
      };
      switch (node.op) {
        case Op::input: std::copy_n(lanes.begin() + static_cast<std::ptrdiff_t>(start), count, out.begin()); break;
        case Op::constant: each([&](std::size_t) { return node.imm; }); break;
        case Op::bit_and: each([&](std::size_t i) { return a[i] & b[i]; }); break;
        case Op::bit_or: each([&](std::size_t i) { return a[i] | b[i]; }); break;
        case Op::bit_xor: each([&](std::size_t i) { return a[i] ^ b[i]; }); break;
        case Op::add: each([&](std::size_t i) { return a[i] + b[i]; }); break;
        case Op::sub: each([&](std::size_t i) { return a[i] - b[i]; }); break;
        case Op::shl_imm: each([&](std::size_t i) { return a[i] << node.imm; }); break;
        case Op::shr_imm: each([&](std::size_t i) { return a[i] >> node.imm; }); break;
        case Op::sar_imm:
          each([&](std::size_t i) { return static_cast<std::uint64_t>(as_signed(a[i], bits) >> node.imm); });
          break;
        case Op::shl:
          each([&](std::size_t i) { return b[i] >= static_cast<std::uint64_t>(bits) ? 0 : a[i] << b[i]; });
          break;
        case Op::shr:
          each([&](std::size_t i) { return b[i] >= static_cast<std::uint64_t>(bits) ? 0 : a[i] >> b[i]; });
          break;
        case Op::min: each([&](std::size_t i) { return std::min(a[i], b[i]); }); break;
        case Op::max: each([&](std::size_t i) { return std::max(a[i], b[i]); }); break;
        case Op::min_signed:
          each([&](std::size_t i) { return as_signed(a[i], bits) < as_signed(b[i], bits) ? a[i] : b[i]; });
          break;
        case Op::max_signed:
          each([&](std::size_t i) { return as_signed(a[i], bits) > as_signed(b[i], bits) ? a[i] : b[i]; });
          break;
        case Op::equal: each([&](std::size_t i) -> std::uint64_t { return a[i] == b[i]; }); break;
        case Op::greater:
          require("an operand of a comparison has the top bit set", [&](std::size_t i) { return ((a[i] | b[i]) & top) == 0; });
          each([&](std::size_t i) -> std::uint64_t { return a[i] > b[i]; });
          break;
        case Op::mask_and: each([&](std::size_t i) { return a[i] & b[i]; }); break;
        case Op::mask_or: each([&](std::size_t i) { return a[i] | b[i]; }); break;
        case Op::select: each([&](std::size_t i) { return a[i] != 0 ? b[i] : c[i]; }); break;
        case Op::float_of_uint:
          if (bits == 32) {
            require("an integer above 2^24 is not exact in float32", [&](std::size_t i) { return a[i] <= 1ull << 24; });
            each([&](std::size_t i) { return bits_of(static_cast<float>(a[i])); });
          } else {
            require("an integer above 2^53 is not exact in float64", [&](std::size_t i) { return a[i] <= 1ull << 53; });
            each([&](std::size_t i) { return std::bit_cast<std::uint64_t>(static_cast<double>(a[i])); });
          }
          break;
        case Op::merge: each([&](std::size_t i) { return (a[i] & b[i]) | (~a[i] & c[i]); }); break;
        case Op::nan_becomes: {
          const std::uint64_t infinity = bits == 64 ? 0x7FF0000000000000 : 0x7F800000;
          each([&](std::size_t i) { return (a[i] & ~top) > infinity ? (a[i] & top) | b[i] : a[i]; });
          break;
        }
        case Op::float_of_int:
          require("an integer beyond 2^24 is not exact in float32", [&](std::size_t i) { return std::abs(as_signed(a[i], bits)) <= 1 << 24; });
          each([&](std::size_t i) { return bits_of(static_cast<float>(as_signed(a[i], bits))); });
          break;
        case Op::min_or_second: each([&](std::size_t i) { return as_float(a[i]) < as_float(b[i]) ? a[i] : b[i]; }); break;
        case Op::binade:
          require("a NaN has no binade", [&](std::size_t i) { return !std::isnan(as_float(a[i])); });
          require("a least binade that is no power of two", [&](std::size_t i) { return (b[i] & 0x807FFFFF) == 0 && b[i] != 0 && b[i] < 0x7F800000; });
          each([&](std::size_t i) { return std::max(a[i] & 0x7F800000, b[i]) | (a[i] & 0x80000000); });
          break;
        case Op::int_of_float_toward_zero:
        case Op::int_of_float_nearest:
          each([&](std::size_t i) {
            const double x = bits == 32 ? as_float(a[i]) : std::bit_cast<double>(a[i]);
            return std::fabs(x) < std::ldexp(1.0, bits - 1) ? static_cast<std::uint64_t>(whole(x, node.op)) : 1ull << (bits - 1);
          });
          break;
        case Op::int_of_float_away:
        case Op::int_of_float_floor:
        case Op::int_of_float_ceil:
        case Op::int_of_float_odd:
          require("a number beyond 2^31 has no 32-bit integer", [&](std::size_t i) {
            return as_float(a[i]) >= -2147483648.0f && as_float(a[i]) < 2147483648.0f;
          });
          each([&](std::size_t i) { return static_cast<std::uint64_t>(whole(as_float(a[i]), node.op)); });
          break;
        case Op::wrap_int_of_float_toward_zero:
        case Op::wrap_int_of_float_nearest:
          require("no number, or a tiny one, reaches an integer conversion", [&](std::size_t i) {
            const double x = bits == 32 ? as_float(a[i]) : std::bit_cast<double>(a[i]);
            return std::isfinite(x) && (x == 0 || std::fabs(x) >= 0.25);
          });
          each([&](std::size_t i) {
            const double x = bits == 32 ? as_float(a[i]) : std::bit_cast<double>(a[i]);
            const double whole = node.op == Op::wrap_int_of_float_nearest ? std::nearbyint(x) : std::trunc(x);
            const double rest = std::fmod(whole, 4294967296.0);  // exact, with the sign of x
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(rest)) & 0xFFFFFFFF;
          });
          break;
        case Op::cut_to_int:
          each([&](std::size_t i) { return cut(bits == 32 ? as_float(a[i]) : std::bit_cast<double>(a[i])) & 0xFFFFFFFF; });
          break;
        case Op::cut_to_long: each([&](std::size_t i) { return cut(std::bit_cast<double>(a[i])); }); break;
        case Op::cut_double_to_float: each([&](std::size_t i) { return loaded(Load::float64_toward_zero, a[i], flushed); }); break;
        case Op::multiply_add:
          require("a NaN reaches the multiply-add", [&](std::size_t i) {
            return !std::isnan(as_float(a[i])) && !std::isnan(as_float(b[i])) && !std::isnan(as_float(c[i]));
          });
          require("a first factor that is no power of two, or a product that is no normal number", [&](std::size_t i) {
            const std::uint64_t power = (a[i] >> 23) & 0xFF, exponent = (b[i] >> 23) & 0xFF;  // biased
            const bool is_power = (a[i] & 0x7FFFFF) == 0 && power >= 1 && power <= 254 && exponent >= 1;
            return is_power && power + exponent > 127 && power + exponent < 127 + 255;
          });
          each([&](std::size_t i) { return bits_of(std::fma(as_float(a[i]), as_float(b[i]), as_float(c[i]))); });
          break;
        case Op::half_to_float: each([&](std::size_t i) { return float32_of_half(a[i] & 0xFFFF); }); break;
        case Op::float_to_half: each([&](std::size_t i) { return half_of_float32(a[i]); }); break;
        case Op::double_to_float:
          each([&](std::size_t i) { return float32_of_double(a[i]); });
          break;
        case Op::nearest_float_of_int:
          each([&](std::size_t i) {
            const std::int64_t v = as_signed(a[i], bits);
            return bits == 32 ? bits_of(static_cast<float>(v)) : std::bit_cast<std::uint64_t>(static_cast<double>(v));
          });
          break;
        case Op::nearest_float_of_uint:
          each([&](std::size_t i) { return bits == 32 ? bits_of(static_cast<float>(a[i])) : std::bit_cast<std::uint64_t>(static_cast<double>(a[i])); });
          break;
        case Op::nearest_single_of_int: each([&](std::size_t i) { return bits_of(static_cast<float>(as_signed(a[i], bits))); }); break;
        case Op::nearest_single_of_uint: each([&](std::size_t i) { return bits_of(static_cast<float>(a[i])); }); break;
      }
      if (!error.empty()) return error;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t last = values.back()[i];
      const std::uint64_t result = plan.fold != 0 ? (last + (last >> plan.fold)) & all : last;
      if (plan.sign_in_result && plan.fold != 0 && folded_sign(last, plan.fold) != ((last & top) != 0)) {
        return plan.id + ": a fraction that changes the sign of its exponent's half";
      }
      const bool negative = ((plan.sign_in_result ? last : lanes[start + i]) & top) != 0;
      const bool is_zero = (result & (2 * plan.sign_bit - 1)) == 0;
      lanes[start + i] = negative && !(plan.sign_unless_zero && is_zero) ? result | plan.sign_bit : result;
    }
    for (std::size_t i = start; i < start + count; ++i) lanes[i] = stored(plan.store, lanes[i], flushed);
  }
  return error;
}

}  // namespace castforge::plan

// What lowerings ask of a format, a rule, the formats of a rule. all<...> and no<...> put questions together.
#pragma once

#include "plan/real.hpp"
#include "semantics/results.hpp"
#include "spec/model.hpp"

namespace castforge::plan {

using spec::Kind;
using spec::Meaning;
using spec::Type;

template <class Subject>
bool any(const Subject&) {
  return true;
}
/// What a question is about.
template <class Subject>
Subject asked_of(bool (*)(const Subject&));
template <auto kQuestion>
using SubjectOf = decltype(asked_of(kQuestion));

template <auto kFirst, auto... kMore>
bool all(const SubjectOf<kFirst>& subject) {
  return kFirst(subject) && (kMore(subject) && ...);
}
template <auto kQuestion>
bool no(const SubjectOf<kQuestion>& subject) {
  return !kQuestion(subject);
}

// ---- one format ----

inline bool boolean(const Type& type) { return type.kind == Kind::boolean; }
inline bool integer(const Type& type) { return type.kind == Kind::integer; }
inline bool floating(const Type& type) { return type.kind == Kind::floating; }
inline bool with_sign(const Type& type) { return type.is_signed; }
inline bool floating_with_zero(const Type& type) { return floating(type) && type.has_zero(); }
inline bool exponent_alone(const Type& type) { return floating(type) && !type.has_zero(); }

/// Of an element in memory.
template <int kBits>
bool bits(const Type& type) {
  return type.storage_bits == kBits;
}
template <int kBits>
bool at_most(const Type& type) {
  return type.storage_bits <= kBits;
}
template <int kBits>
bool at_least(const Type& type) {
  return type.storage_bits >= kBits;
}
/// No bit around the code.
inline bool whole(const Type& type) { return type.value_bits == type.storage_bits; }
template <int kBits>
bool fills(const Type& type) {
  return whole(type) && bits<kBits>(type);
}
inline bool fills_lane(const Type& type) { return type.value_bits == storage_unit(type.storage_bits); }

template <const Layout& kLayout>
bool like(const Type& type) {
  return is_layout(type, kLayout);
}
inline bool within_float32(const Type& type) {
  return working_layout(type, type).mantissa_bits == kFloat32.mantissa_bits;
}

// ---- a rule ----

/// Where anything is rounded, one of these carry tables does it.
template <std::uint16_t... kTables>
bool rounds_by(const Meaning& meaning) {
  return meaning.round == nullptr || ((meaning.round->carry == kTables) || ...);
}
inline bool nearest_even(const Meaning& meaning) { return rounds_by<kNearestEvenTable>(meaning); }
inline bool toward_zero(const Meaning& meaning) { return rounds_by<kTowardZeroTable>(meaning); }
inline bool to_odd(const Meaning& meaning) { return meaning.round != nullptr && meaning.round->carry == kOddTable; }
inline bool nearest_or_toward_zero(const Meaning& meaning) {
  return rounds_by<kNearestEvenTable, kNearestAwayTable, kTowardZeroTable>(meaning);
}
/// In the modes in which all instruction sets convert to integers.
inline bool in_mode_of_conversions(const Meaning& meaning) {
  return rounds_by<kNearestEvenTable, kTowardZeroTable>(meaning);
}

inline bool by_value(const Meaning& meaning) { return meaning.bits == spec::Bits::converted; }
inline bool to_integral(const Meaning& meaning) {
  return by_value(meaning) && meaning.src == meaning.dst && meaning.same_type == spec::SameType::integral &&
         floating(*meaning.src);
}
/// The same bits as another integer, with a sign or without.
inline bool reinterprets(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  return integer(src) && integer(dst) && whole(src) && whole(dst) && src.value_bits == dst.value_bits &&
         meaning.overflow == spec::Overflow::wrap && !meaning.saturate_first;
}
inline bool keeps_code(const Meaning& meaning) {
  return !by_value(meaning) || reinterprets(meaning) ||
         (meaning.src == meaning.dst && !to_integral(meaning) && !spec::converts_to_itself(meaning));
}
/// By arithmetic on real numbers.
inline bool real(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  return !keeps_code(meaning) && !to_integral(meaning) && !boolean(src) && !boolean(dst) &&
         !(integer(src) && integer(dst));
}
/// To the low bits of whole elements.
inline bool wraps(const Meaning& meaning) { return wraps_whole_elements(meaning) && in_mode_of_conversions(meaning); }
/// To what the conversion of the hardware gives for all that is out of range, NaN and infinities included.
inline bool indefinite(const Meaning& meaning) {
  return meaning.overflow == spec::Overflow::indefinite && in_mode_of_conversions(meaning) &&
         (!meaning.src->has_nan() || meaning.nan == spec::NanResult::min) &&
         (!meaning.src->infinity || meaning.inf == spec::InfResult::as_overflow);
}
/// Has infinity the result of overflow, for both signs? Numbers beyond the range of an intermediate format arrive as
/// infinity or as its largest number.
inline bool infinity_overflows(const Meaning& meaning) {
  if (!floating(*meaning.src)) return true;
  const auto alike = [&](bool negative) {
    return semantics::infinity_result(meaning, negative) == semantics::overflow_result(meaning, negative);
  };
  return meaning.negative_inf == spec::NegativeInf::as_negative && alike(false) && alike(true);
}

// ---- both formats ----

/// From one integer to another: the low bits of the source are the result, or the source with zeros above it.
inline bool keeps_low_bits(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  if (!integer(src) || !integer(dst) || meaning.saturate_first) return false;
  return src.value_bits < dst.value_bits ? !src.is_signed : meaning.overflow == spec::Overflow::wrap;
}
/// Are all results looked up in one table? For so few codes no arithmetic is as fast.
inline bool tabulated(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  if (src.storage_bits < 8 && dst.storage_bits < 8) return !keeps_low_bits(meaning);
  return src.storage_bits <= 8 && !(integer(src) && (integer(dst) || (bits<8>(src) && dst.storage_bits > 8)));
}
/// Are there at most 16 results, of a byte or less each?
inline bool in_short_table(const Meaning& meaning) {
  return meaning.src->storage_bits <= 4 && meaning.dst->storage_bits <= 8;
}
inline bool quick_integer(const Meaning& meaning) { return has_quick_integer(*meaning.src, *meaning.dst); }
/// An int32, which every instruction set converts to float32 by one instruction, whose rounding no result shows.
inline bool quick_int32(const Meaning& meaning) {
  return all<integer, with_sign, fills<32>>(*meaning.src) && quick_integer(meaning);
}
/// Lanes of 32 bits serve, and float32 holds the source, or as much of it as results depend on.
inline bool in_float32(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const bool clamps_wide = meaning.saturate_first && meaning.saturate_first->bits > 32;
  return real(meaning) && !clamps_wide && at_most<32>(src) && at_most<32>(dst) &&
         working_layout(src, dst).mantissa_bits == kFloat32.mantissa_bits &&
         (floating(src) || quick_integer(meaning) || has_odd_integer(src, dst, 32));
}
/// 64 bits are rounded to odd as float32, and nothing above the range of that is missed; or an integer is clamped.
inline bool by_float32(const Meaning& meaning) { return may_round_to_odd(meaning) && infinity_overflows(meaning); }
inline bool clamped(const Meaning& meaning) { return may_be_clamped(*meaning.dst); }
/// An integer with more bits than the working layout, to a format with too many for rounding to odd.
inline bool rounded_directly(const Meaning& meaning) { return !integer_form(meaning).has_room; }

}  // namespace castforge::plan

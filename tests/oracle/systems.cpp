#include "oracle/systems.hpp"

#include <algorithm>
#include <stdexcept>

namespace castforge::oracle {

namespace {

using Names = std::vector<std::string>;

bool one_of(const std::string& name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Format& format_of(const std::string& name) { return codec(name).format(); }
bool is_float(const std::string& name) { return format_of(name).kind == Kind::floating; }
bool is_float8(const std::string& t) {
  return one_of(t, {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"});
}
bool is_float8_fnuz(const std::string& t) { return one_of(t, {"float8e4m3fnuz", "float8e5m2fnuz"}); }

// ---- ONNX Cast ------------------------------------------------------------------------------------------

const int kOnnxVersions[] = {1, 6, 9, 13, 19, 21, 23, 24, 25, 28};

int onnx_version(const std::string& family, const std::string& version) {
  for (int v : kOnnxVersions) {
    if (version == std::to_string(v) && (family == "onnx" || v >= 19)) return v;
  }
  throw std::invalid_argument(family + " has no version " + version);
}

Names onnx_types(int version) {
  Names t = {"bool",   "int8",   "int16",  "int32",   "int64",   "uint8",
             "uint16", "uint32", "uint64", "float16", "float32", "float64"};
  const auto add = [&t](std::initializer_list<const char*> more) { t.insert(t.end(), more.begin(), more.end()); };
  // string, from version 9, is not a matter of codes and is tested elsewhere.
  if (version >= 13) add({"bfloat16"});
  if (version >= 19) add({"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"});
  if (version >= 21) add({"int4", "uint4"});
  if (version >= 23) add({"float4e2m1"});
  if (version >= 24) add({"float8e8m0"});
  if (version >= 25) add({"int2", "uint2"});
  if (version >= 28) add({"float6e2m3", "float6e3m2"});
  return t;
}

Rule onnx_rule(const Request& r, int version, bool reference) {
  const bool saturate = r.saturate.value_or(1) != 0;
  const Format& dst = format_of(r.dst);
  Rule rule;
  if (r.src == r.dst) {
    // The float 8 tables of Cast hold for every source, so E5M2 Inf saturates even from E5M2.
    if (r.dst == "float8e5m2" && saturate) rule.same = SameType::copy_clamped;
    return rule;
  }
  if (dst.kind == Kind::boolean) return rule;
  if (dst.kind == Kind::integer) {
    rule.not_a_number = NotANumber::zero;
    rule.infinite = Infinite::zero;
    rule.overflow = Overflow::wrap;
    rule.round = Round::toward_zero;
    if (one_of(r.dst, {"int2", "uint2", "int4", "uint4"}) && is_float(r.src)) {
      rule.round = Round::nearest_even;
      if (version < 24) {
        rule.overflow = Overflow::saturate;
        rule.infinite = Infinite::as_overflow;
      }
    }
    return rule;
  }
  if (is_float8(r.dst)) {
    if (!saturate) {
      rule.overflow = Overflow::infinity;  // NaN in the three types that have no infinity
      rule.infinite = Infinite::infinity;
    } else {
      rule.overflow = Overflow::max;
      rule.infinite = Infinite::max;
      if (is_float8_fnuz(r.dst) && version < 24 && !reference) rule.infinite = Infinite::nan;
    }
    return rule;
  }
  if (r.dst == "float4e2m1") {
    rule.overflow = Overflow::max;
    rule.infinite = Infinite::max;
    rule.not_a_number = reference && version >= 24 ? NotANumber::zero_opposite_sign : NotANumber::max_positive;
    return rule;
  }
  if (one_of(r.dst, {"float6e2m3", "float6e3m2"})) {
    rule.overflow = Overflow::max;
    rule.infinite = Infinite::max;
    rule.not_a_number = NotANumber::zero_opposite_sign;
    return rule;
  }
  if (r.dst == "float8e8m0") {
    const std::string mode = r.round_mode.value_or("up");
    rule.round = mode == "up" ? Round::up : mode == "down" ? Round::toward_zero : Round::nearest_away;
    if (mode != "up" && mode != "down" && mode != "nearest") {
      throw std::invalid_argument("round_mode is up, down or nearest");
    }
    rule.below = saturate ? BelowRange::smallest : BelowRange::nan;
    rule.overflow = saturate ? Overflow::max : Overflow::nan;
    rule.infinite = saturate ? Infinite::max : Infinite::nan;
    return rule;
  }
  return rule;  // float16, bfloat16, float32, float64: nearest even, overflow to infinity
}

// ---- pypto.cast -----------------------------------------------------------------------------------------

const Names kPyptoTypes = {"float16", "bfloat16", "float32", "int8", "uint8", "int16", "int32", "int64"};

struct PyptoPair {
  const char* src;
  const char* dst;
  enum Modes { ignored, five, five_and_odd } modes;  // what the later vendor table permits
  bool satmode;                                      // satmode acts (2026-03)
};

const PyptoPair kPyptoPairs[] = {
    {"float16", "float32", PyptoPair::ignored, false}, {"bfloat16", "float32", PyptoPair::ignored, false},
    {"int32", "int64", PyptoPair::ignored, false},     {"uint8", "float16", PyptoPair::ignored, false},
    {"int8", "float16", PyptoPair::ignored, false},    {"int16", "float32", PyptoPair::ignored, false},
    {"float16", "int8", PyptoPair::five, true},        {"float16", "uint8", PyptoPair::five, true},
    {"float16", "int16", PyptoPair::five, true},       {"float16", "int32", PyptoPair::five, false},
    {"bfloat16", "int32", PyptoPair::five, false},     {"float32", "int16", PyptoPair::five, true},
    {"float32", "int32", PyptoPair::five, false},      {"float32", "int64", PyptoPair::five, false},
    {"float32", "bfloat16", PyptoPair::five, false},   {"float32", "float16", PyptoPair::five_and_odd, false},
    {"int32", "float32", PyptoPair::five, false},      {"int64", "float32", PyptoPair::five, false},
    {"int16", "float16", PyptoPair::five, false},      {"int32", "float16", PyptoPair::ignored, false},
    {"int32", "int16", PyptoPair::ignored, true},      {"int64", "int32", PyptoPair::ignored, true},
};

const char* const kPyptoModes[] = {"CAST_NONE", "CAST_RINT",  "CAST_ROUND", "CAST_FLOOR",
                                   "CAST_CEIL", "CAST_TRUNC", "CAST_ODD"};

Round pypto_round(const std::string& mode, bool float_to_integer) {
  if (mode == "CAST_NONE") return float_to_integer ? Round::toward_zero : Round::nearest_even;
  if (mode == "CAST_RINT") return Round::nearest_even;
  if (mode == "CAST_ROUND") return Round::nearest_away;
  if (mode == "CAST_FLOOR") return Round::down;
  if (mode == "CAST_CEIL") return Round::up;
  if (mode == "CAST_TRUNC") return Round::toward_zero;
  if (mode == "CAST_ODD") return Round::odd;
  throw std::invalid_argument("unknown CastMode " + mode);
}

Rule pypto_rule(const Request& r) {
  const bool later = r.version == "2026-03";
  std::string mode = r.mode.value_or("CAST_NONE");
  Rule rule;
  if (r.src == r.dst) {
    const bool integral = one_of(mode, {"CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC"});
    if (r.src == "float32" && integral) {
      rule.same = SameType::integral;
      rule.round = pypto_round(mode, false);
    }
    return rule;
  }
  const PyptoPair* pair = nullptr;
  for (const PyptoPair& p : kPyptoPairs) {
    if (r.src == p.src && r.dst == p.dst) pair = &p;
  }
  if (pair == nullptr) throw std::invalid_argument("pypto casts no " + r.src + " to " + r.dst);
  if (later) {
    const bool permitted =
        pair->modes == PyptoPair::five_and_odd || (pair->modes == PyptoPair::five && mode != "CAST_ODD");
    if (!permitted) mode = "CAST_NONE";
  }
  const bool to_integer = format_of(r.dst).kind == Kind::integer;
  rule.round = pypto_round(mode, is_float(r.src) && to_integer);
  if (!to_integer) return rule;  // overflow and infinities give infinity in every mode
  rule.not_a_number = NotANumber::zero;
  rule.infinite = Infinite::as_overflow;
  rule.overflow = Overflow::saturate;
  if (later && pair->satmode && r.satmode.value_or("OFF") == "OFF") {
    rule.overflow = Overflow::wrap;
    if (is_float(r.src)) rule.saturate_first = {.bits = 32, .is_signed = true};
  }
  return rule;
}

// ---- OpenVINO Convert -----------------------------------------------------------------------------------

const Names kOpenvinoTypes = {"bool",    "uint1",   "int4",         "uint4",      "int8",      "int16",   "int32",
                              "int64",   "uint8",   "uint16",       "uint32",     "uint64",    "float16", "bfloat16",
                              "float32", "float64", "float8e4m3fn", "float8e5m2", "float4e2m1"};

Rule openvino_rule(const Request& r) {
  const Format& dst = format_of(r.dst);
  Rule rule;
  if (r.src == r.dst || dst.kind == Kind::boolean) return rule;
  if (dst.kind == Kind::integer) {
    rule.round = Round::toward_zero;
    rule.overflow = Overflow::wrap;
    rule.infinite = Infinite::zero;
    rule.not_a_number = NotANumber::zero;
  } else if (r.src == "int32" && r.dst == "float16") {
    rule.overflow = Overflow::max;
  } else if (r.dst == "float8e4m3fn") {
    rule.overflow = Overflow::nan;
    rule.infinite = Infinite::nan;
  } else if (r.dst == "float4e2m1") {
    rule.overflow = Overflow::max;
    rule.infinite = Infinite::max;
    rule.not_a_number = NotANumber::max_signed;
  }
  return rule;
}

// ---- ONNX BitCast ---------------------------------------------------------------------------------------

/// The lists of types of one width that its documentation admits; complex numbers and what came later apart.
const Names kBitcastWidths[] = {
    {"int64", "uint64", "float64"},
    {"int32", "uint32", "float32"},
    {"int16", "uint16", "float16", "bfloat16"},
    {"int8", "uint8", "bool", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0"},
    {"int4", "uint4", "float4e2m1"},
    {"int2", "uint2"}};

Names bitcast_types() {
  Names names;
  for (const Names& width : kBitcastWidths) names.insert(names.end(), width.begin(), width.end());
  return names;
}

bool bitcast_admits(const std::string& src, const std::string& dst) {
  return std::any_of(std::begin(kBitcastWidths), std::end(kBitcastWidths),
                     [&](const Names& width) { return one_of(src, width) && one_of(dst, width); });
}

Rule bitcast_rule(const Request& r) {
  if (!bitcast_admits(r.src, r.dst)) throw std::invalid_argument("no BitCast of " + r.src + " to " + r.dst);
  Rule rule;
  rule.same = SameType::bits;
  return rule;
}

// ---- IEEE P3109 Convert ---------------------------------------------------------------------------------

// What the library has; with other formats (added_formats) and modes the rules are the same.
const Names kP3109Types = {"binary8p4se", "binary8p3se", "binary4p2sf", "float16", "bfloat16", "float32"};

Round p3109_round(const std::string& mode) {
  if (mode == "NearestTiesToEven") return Round::nearest_even;
  if (mode == "NearestTiesToAway") return Round::nearest_away;
  if (mode == "ToOdd") return Round::odd;
  if (mode == "TowardZero") return Round::toward_zero;
  if (mode == "TowardPositive") return Round::up;
  if (mode == "TowardNegative") return Round::down;
  throw std::invalid_argument("unknown rounding " + mode);
}

/// The table of section 4.7.4: NaN is NaN, and a zero result of the external formats is +0.
Rule p3109_rule(const Request& r) {
  const Format& dst = format_of(r.dst);
  const std::string saturation = r.saturation.value_or("SatNone");
  const std::string mode = r.rounding.value_or("NearestTiesToEven");
  Rule rule;
  rule.round = p3109_round(mode);
  rule.same = SameType::converted;
  rule.plus_zero = true;
  rule.infinite = dst.infinity && saturation != "SatFinite" ? Infinite::infinity : Infinite::max;
  if (saturation != "SatNone" || !dst.infinity) {
    rule.overflow = Overflow::max;
  } else {
    rule.overflow = mode == "ToOdd" && dst.is_signed ? Overflow::infinity : Overflow::ieee;
  }
  if (saturation == "SatNone") {
    const bool up = mode == "TowardZero" || mode == "TowardPositive";
    rule.negative = up ? Negative::clamp : Negative::nan;
    rule.minus_infinity_nan = !dst.is_signed;
  }
  return rule;
}

// ---- the open rule set: ONNX Cast-25, and its small-float rules for every other format -------------------

Names castforge_types() {
  Names names = onnx_types(28);
  names.push_back("uint1");
  for (const Format& f : added_formats()) names.push_back(f.name);
  return names;
}

Rule castforge_rule(const Request& r) {
  const Format& dst = format_of(r.dst);
  const Names onnx = onnx_types(25);
  if (dst.kind != Kind::floating || one_of(r.dst, onnx)) return onnx_rule(r, 25, false);
  const bool saturate = r.saturate.value_or(1) != 0;
  const bool small = dst.bits <= 8;
  const bool saturates = small && saturate;
  Rule rule;
  if (r.src == r.dst) {
    if (saturates && dst.infinity) rule.same = SameType::copy_clamped;
    return rule;
  }
  if (saturates) {
    rule.overflow = Overflow::max;
    rule.infinite = Infinite::max;
  }
  const bool plain_nan = small && !saturate && dst.nan != Nan::none;
  if (dst.nan == Nan::none) rule.not_a_number = NotANumber::max_positive;
  if (plain_nan) {
    rule.negative = Negative::nan;
    rule.below = BelowRange::nan;
  }
  return rule;
}

bool is_onnx(const std::string& family) { return family == "onnx" || family == "onnx-reference"; }

}  // namespace

std::vector<std::string> types_of(const std::string& family, const std::string& version) {
  if (is_onnx(family)) return onnx_types(onnx_version(family, version));
  if (family == "pypto" && (version == "8.5.0" || version == "2026-03")) return kPyptoTypes;
  if (family == "openvino-convert" && version == "1") return kOpenvinoTypes;
  if (family == "castforge" && version == "1") return castforge_types();
  if (family == "onnx-bitcast" && version == "26") return bitcast_types();
  if (family == "p3109" && version == "4.0") return kP3109Types;
  throw std::invalid_argument("unknown rule set " + family + "@" + version);
}

std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& family, const std::string& version) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const Names types = types_of(family, version);
  for (const std::string& src : types) {
    for (const std::string& dst : types) {
      const bool listed = std::any_of(std::begin(kPyptoPairs), std::end(kPyptoPairs),
                                      [&](const PyptoPair& p) { return src == p.src && dst == p.dst; });
      const bool admitted = family == "pypto"          ? src == dst || listed
                            : family == "onnx-bitcast" ? bitcast_admits(src, dst)
                                                       : true;
      if (admitted) pairs.emplace_back(src, dst);
    }
  }
  return pairs;
}

std::vector<std::pair<std::string, std::string>> rule_sets() {
  std::vector<std::pair<std::string, std::string>> sets;
  for (int v : kOnnxVersions) sets.emplace_back("onnx", std::to_string(v));
  for (int v : kOnnxVersions) {
    if (v >= 19) sets.emplace_back("onnx-reference", std::to_string(v));
  }
  sets.emplace_back("castforge", "1");
  sets.emplace_back("onnx-bitcast", "26");
  sets.emplace_back("openvino-convert", "1");
  sets.emplace_back("p3109", "4.0");
  sets.emplace_back("pypto", "8.5.0");
  sets.emplace_back("pypto", "2026-03");
  return sets;
}

std::vector<Request> requests(const std::string& family, const std::string& version, const std::string& src,
                              const std::string& dst) {
  std::vector<Request> all(1);
  all[0].family = family;
  all[0].version = version;
  all[0].src = src;
  all[0].dst = dst;
  const auto vary = [&all](const auto& values, auto member) {
    std::vector<Request> more;
    for (const Request& r : all) {
      more.push_back(r);
      for (const auto& value : values) {
        more.push_back(r);
        more.back().*member = value;
      }
    }
    all = std::move(more);
  };
  if (is_onnx(family) || family == "castforge") {
    const int v = family == "castforge" ? 25 : onnx_version(family, version);
    if (v >= 19) vary(std::vector<std::int64_t>{0, 1}, &Request::saturate);
    if (v >= 24) vary(Names{"up", "down", "nearest"}, &Request::round_mode);
  } else if (family == "p3109") {
    vary(Names{"NearestTiesToEven"}, &Request::rounding);
    vary(Names{"SatNone", "SatFinite", "SatPropagate"}, &Request::saturation);
  } else if (family == "pypto") {
    vary(Names(std::begin(kPyptoModes), std::end(kPyptoModes)), &Request::mode);
    if (version == "2026-03") vary(Names{"ON", "OFF"}, &Request::satmode);
  }
  return all;
}

Rule rule_for(const Request& r) {
  const Names types = types_of(r.family, r.version);
  if (!one_of(r.src, types) || !one_of(r.dst, types)) {
    throw std::invalid_argument(r.family + "@" + r.version + " does not admit " + r.src + " to " + r.dst);
  }
  Rule rule;
  if (is_onnx(r.family)) {
    rule = onnx_rule(r, onnx_version(r.family, r.version), r.family == "onnx-reference");
  } else if (r.family == "pypto") {
    rule = pypto_rule(r);
  } else if (r.family == "p3109") {
    rule = p3109_rule(r);
  } else if (r.family == "castforge") {
    rule = castforge_rule(r);
  } else if (r.family == "onnx-bitcast") {
    rule = bitcast_rule(r);
  } else {
    rule = openvino_rule(r);
  }
  return normalised(format_of(r.src), format_of(r.dst), rule);
}

}  // namespace castforge::oracle

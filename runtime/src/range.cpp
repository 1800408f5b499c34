#include <bit>
#include <castforge/range.hpp>
#include <cmath>

#include "src/exact/format.hpp"
#include "src/exact/rounding.hpp"
#include "src/float_guard.hpp"
#include "src/isa_table.hpp"
#include "src/loaded/data_kernel.hpp"
#include "src/machine_types.hpp"
#include "src/opset_tables.hpp"
#include "src/ramp_table.hpp"
#include "src/range_float32.hpp"
#include "src/range_rules.hpp"
#include "src/status_parts.hpp"
#include "src/type_rows.hpp"

namespace castforge {
namespace {

__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

bool is_floating(Type type) noexcept { return type_row(type).kind == TypeKind::floating; }
bool is_number(Type type) noexcept { return is_floating(type) || type_row(type).kind == TypeKind::integer; }

struct Input {
  Scalar scalar;
  Role role;
};

/// One call's inputs with what they become on the way to a plan. Each step leaves its complaint in `status`.
class Resolution {
 public:
  Resolution(OpSet opset, const Isa& isa, const RangeRules& rules, const Attributes& attributes, Type result,
             const Scalar& start, const Scalar& stop, const Scalar& step) noexcept
      : opset_(opset),
        isa_(isa),
        rules_(rules),
        attributes_(attributes),
        result_(result),
        inputs_{{start, Role::start}, {stop, Role::stop}, {step, Role::step}} {}

  Status resolve(RangePlan& plan) noexcept {
    if (const Status status = check_types(); !status) return status;
    if (const Status status = read_attributes(); !status) return status;
    if (const Status status = find_machine_types(); !status) return status;
    const bool floating = is_floating(result_);
    const bool exact = !floating && rules_.exact_integers;
    for (int i = 0; i < 3; ++i) {
      if (const Status status = read(i, exact); !status) return status;
    }
    if (!floating) {
      for (int i = 0; i < 3; ++i) {
        if (const Status status = truncate(i); !status) return status;
      }
    }
    if (const Status status = exact ? count_exactly(plan) : count_in_float64(plan); !status) return status;
    return floating ? plan_floats(plan) : plan_integers(plan);
  }

 private:
  Status complaint(StatusCode code, Role role, std::uint64_t first = 0, std::uint64_t second = 0) const noexcept {
    StatusParts parts = status_parts(code);
    parts.opset = opset_.table();
    parts.role = static_cast<std::uint8_t>(role);
    parts.first = first;
    parts.second = second;
    return Status(parts);
  }

  Status bad_type(Type type, Role role, bool mixed) const noexcept {
    StatusParts parts = status_parts(StatusCode::bad_type);
    parts.opset = opset_.table();
    parts.role = static_cast<std::uint8_t>(role);
    parts.src = static_cast<std::uint16_t>(type);
    parts.dst = static_cast<std::uint16_t>(inputs_[0].scalar.type);
    parts.first = mixed;
    return Status(parts);
  }

  Status check_types() const noexcept {
    const Input all[] = {inputs_[0], inputs_[1], inputs_[2], {Scalar(result_, 0), Role::result}};
    for (const Input& one : all) {
      if (const Status status = check_known(one.scalar.type); !status) return status;
    }
    for (const Input& one : all) {
      if (!is_number(one.scalar.type) || !opset_.admits(one.scalar.type)) {
        return bad_type(one.scalar.type, one.role, false);
      }
    }
    for (const Input& one : all) {
      if (rules_.same_operand_types && one.scalar.type != all[0].scalar.type) {
        return bad_type(one.scalar.type, one.role, true);
      }
    }
    return Status();
  }

  /// The op-set's attributes, as the call gives them: in which type elements are computed.
  Status read_attributes() noexcept {
    ValuePositions values;
    const Status status = choose_values(*opset_.table(), result_, result_, attributes_, values);
    if (!status) return status;
    const int bits = type_row(result_).storage_bits;
    accumulate_in_float64_ = rules_.accumulate_in_float64 || bits > 32;
    if (const auto index = rules_.narrow_attribute; index && bits < 32) {
      accumulate_in_float64_ = means_float64(opset_.table()->attributes[*index].values[values[*index]]);
    }
    return Status();
  }

  /// The types that sequences are computed in.
  Status find_machine_types() noexcept {
    const auto single = machine_float(32), twice = machine_float(64), integer = machine_integer(64);
    if (!single || !twice || !integer) return given_status(StatusCode::unknown_type, "binary32, binary64, int64");
    float32_ = *single;
    float64_ = *twice;
    int64_ = *integer;
    return Status();
  }

  /// The op-set's own conversion, as an index of the registry.
  Status find(Type src, Type dst, std::uint16_t& kernel) const noexcept {
    const Selection selection = select(*opset_.table(), src, dst, {});
    if (!selection.status) return selection.status;
    const tables::Entry entry = selection.variant->entry;
    if (entry.is_text()) return pair_status(StatusCode::text_conversion, opset_.table(), src, dst);
    kernel = entry.index();
    return Status();
  }

  Kernel::Function function(std::uint16_t kernel) const noexcept { return registry().fastest_function(isa_, kernel); }

  void convert_by(std::uint16_t kernel, RangePlan& plan) const noexcept {
    plan.convert = function(kernel);
    if (plan.convert == nullptr) plan.data = &registry().kernel_row(kernel);
  }

  Status convert(Type src, Type dst, std::uint64_t code, std::uint64_t& result) const noexcept {
    std::uint16_t kernel = 0;
    if (const Status status = find(src, dst, kernel); !status) return status;
    unsigned char from[8] = {}, to[8];
    const Format &src_format = type_row(src), &dst_format = type_row(dst);
    store_element(from, 0, code, src_format.storage_bits, src_format.packing);
    run_kernel(function(kernel), &registry().kernel_row(kernel), isa_, from, to, 1, 0);
    result = load_element(to, 0, dst_format.storage_bits, dst_format.packing);
    return Status();
  }

  /// Input i as a float64, or as an integer where that is asked for and it is one.
  Status read(int i, bool exact) noexcept {
    const Scalar& scalar = inputs_[i].scalar;
    const Format& type = type_row(scalar.type);
    if (exact && type.kind == TypeKind::integer) {
      std::uint64_t code = scalar.code;
      if (type.storage_high) code >>= type.storage_bits - type.value_bits;
      const exact::Value value = exact::decode_integer(type, code & low_bits(type.value_bits));
      const auto magnitude = static_cast<Signed128>(value.significand);
      integers_[i] = value.negative ? -magnitude : magnitude;
      whole_[i] = true;
      return Status();
    }
    if (const Status status = convert(scalar.type, float64_, scalar.code, floats_[i]); !status) return status;
    constexpr std::uint64_t kInfinity = exact::kFloat64.infinity_code;
    if ((floats_[i] & kInfinity) == kInfinity) return complaint(StatusCode::non_finite, inputs_[i].role);
    return Status();
  }

  /// Makes input i an integer, towards zero. In whole numbers: no floating-point environment matters.
  Status truncate(int i) noexcept {
    if (whole_[i]) return Status();
    const exact::Value value = exact::decode_floating(exact::kFloat64, floats_[i]);
    const Unsigned128 integer = exact::truncate(value, 0).ulps;
    const Unsigned128 largest = value.negative ? Unsigned128{1} << 63 : UINT64_MAX;
    if (integer > largest) {
      // An integer may be inside and its float64 not.
      return complaint(StatusCode::input_range, inputs_[i].role, !is_floating(inputs_[i].scalar.type));
    }
    const auto magnitude = static_cast<std::uint64_t>(integer);
    integers_[i] = value.negative ? -static_cast<Signed128>(integer) : static_cast<Signed128>(integer);
    const double whole = static_cast<double>(magnitude);  // exact: the leading 53 bits hold all that is set
    floats_[i] = std::bit_cast<std::uint64_t>(value.negative ? -whole : whole);
    return Status();
  }

  Status too_many(std::uint64_t at_least) const noexcept {
    return complaint(StatusCode::count_limit, Role::none, at_least, rules_.count_limit);
  }

  /// The range may have few elements, yet their number is more than a float64 holds.
  Status count_not_finite() const noexcept { return too_many(0); }

  Status count_exactly(RangePlan& plan) const noexcept {
    const Signed128 start = integers_[0], stop = integers_[1], step = integers_[2];
    if (step == 0) return complaint(StatusCode::step_zero, Role::step, !whole_[2]);
    if (step > 0 ? start >= stop : start <= stop) return Status();
    const auto distance = static_cast<Unsigned128>(step > 0 ? stop - start : start - stop);
    const auto stride = static_cast<Unsigned128>(step > 0 ? step : -step);
    const Unsigned128 count = (distance + stride - 1) / stride;  // below 2^66
    if (count > rules_.count_limit) {
      return too_many(count > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(count));
    }
    plan.count = static_cast<std::uint64_t>(count);
    return Status();
  }

  Status count_in_float64(RangePlan& plan) const noexcept {
    // Volatile: every operation is done between the guard's first and last act, and rounded to float64.
    const FloatGuard guard;
    const volatile double start = std::bit_cast<double>(floats_[0]), stop = std::bit_cast<double>(floats_[1]),
                          step = std::bit_cast<double>(floats_[2]);
    if (step == 0) {
      const bool truncated_to_zero = !is_floating(result_) && is_floating(inputs_[2].scalar.type);
      return complaint(StatusCode::step_zero, Role::step, truncated_to_zero);
    }
    if (step > 0 ? start >= stop : start <= stop) return Status();
    const volatile double distance = stop - start;
    const volatile double quotient = std::fabs(distance) / std::fabs(step);
    const volatile double count = std::ceil(quotient);
    if (!std::isfinite(count)) return count_not_finite();
    if (!(count < 0x1p64)) return too_many(UINT64_MAX);
    plan.count = static_cast<std::uint64_t>(count);
    return plan.count > rules_.count_limit ? too_many(plan.count) : Status();
  }

  /// Elements modulo 2^bits: directly, or for types that are not whole bytes through int64 and the op-set's
  /// own conversion from there.
  Status plan_integers(RangePlan& plan) const noexcept {
    const Format& type = type_row(result_);
    plan.start = static_cast<std::uint64_t>(integers_[0]);
    plan.step = static_cast<std::uint64_t>(integers_[2]);
    plan.result_bits = type.storage_bits;
    plan.ramp_bits = type.storage_bits;
    if (!is_natural_width(type.storage_bits) || type.storage_bits != type.value_bits) {
      plan.ramp_bits = 64;
      std::uint16_t kernel = 0;
      if (const Status status = find(int64_, result_, kernel); !status) return status;
      convert_by(kernel, plan);
    }
    plan.ramp = isa_.ramps->integer[std::countr_zero(static_cast<unsigned>(plan.ramp_bits)) - 3];
    return Status();
  }

  Status plan_floats(RangePlan& plan) const noexcept {
    plan.result_bits = type_row(result_).storage_bits;
    const auto single = narrower(plan.count);
    const bool wide = accumulate_in_float64_ && !single, fused = rules_.fused && !single;
    const Type element = wide ? float64_ : float32_;
    plan.ramp_bits = wide ? 64 : 32;
    plan.start = single ? single->start : floats_[0];
    plan.step = single ? single->step : floats_[2];
    if (!wide && !single) {
      if (const Status status = convert(float64_, element, floats_[0], plan.start); !status) return status;
      if (const Status status = convert(float64_, element, floats_[2], plan.step); !status) return status;
    }
    plan.ramp = (fused ? isa_.ramps->fused : isa_.ramps->rounded)[wide];
    if (result_ == element) return Status();
    std::uint16_t kernel = 0;
    if (const Status status = find(element, result_, kernel); !status) return status;
    const tables::KernelRamp* const converting = registry().kernel_ramp(isa_, kernel);
    const tables::RampFn ramp = converting == nullptr ? nullptr : fused ? converting->fused : converting->rounded;
    if (ramp != nullptr && is_in_domain(plan)) plan.ramp = ramp;
    else convert_by(kernel, plan);
    return Status();
  }

  /// Of tables::KernelRamp.
  static bool is_in_domain(const RangePlan& plan) noexcept {
    const bool wide = plan.ramp_bits == 64;
    const std::uint64_t infinity = (wide ? exact::kFloat64 : exact::kFloat32).infinity_code;
    const auto is_finite = [infinity](std::uint64_t code) noexcept { return (code & infinity) != infinity; };
    return is_finite(plan.start) && is_finite(plan.step) && (wide || plan.count <= tables::kSplitIndices);
  }

  /// The sequence in float32 where float64 is asked for and would give the same elements.
  std::optional<Float32Sequence> narrower(std::uint64_t count) const noexcept {
    if (!accumulate_in_float64_ || result_ == float64_) return std::nullopt;
    for (const Type element : {float32_, float64_}) {
      std::uint16_t kernel = 0;
      if (element == result_) continue;
      if (!find(element, result_, kernel) || !is_ieee(registry().kernel_row(kernel).rule)) return std::nullopt;
    }
    return in_float32(floats_[0], floats_[2], count);
  }

  OpSet opset_;
  const Isa& isa_;
  const RangeRules& rules_;
  const Attributes& attributes_;
  Type result_;
  Input inputs_[3];
  Type float32_{}, float64_{}, int64_{};  // by what they are, not by name
  bool accumulate_in_float64_ = true;
  bool whole_[3] = {};            // an integer from the start, held in integers_ only
  std::uint64_t floats_[3] = {};  // float64 bits
  Signed128 integers_[3] = {};
};

}  // namespace

Range find_range(OpSet opset, Scalar start, Scalar stop, Scalar step, Type result, const Attributes& attributes,
                 std::string_view isa) noexcept {
  const IsaChoice choice = choose_isa(isa);
  if (!choice.status) return Range(choice.status);
  if (opset.table() == nullptr) return Range(simple_status(StatusCode::unknown_opset, Role::none, 0, kNoOpSet));
  RangeRules rules;
  if (const Status status = read_range_rules(opset, rules); !status) return Range(status);
  RangePlan plan;
  const Status status = Resolution(opset, *choice.isa, rules, attributes, result, start, stop, step).resolve(plan);
  return status ? Range(plan, result, choice.isa->name) : Range(status);
}

Range find_range(std::string_view opset, Scalar start, Scalar stop, Scalar step, Type result,
                 const Attributes& attributes, std::string_view isa) noexcept {
  OpSet found;
  if (const Status status = find_range_opset(opset, found); !status) return Range(status);
  return find_range(found, start, stop, step, result, attributes, isa);
}

RangeCount range_count(std::string_view opset, Scalar start, Scalar stop, Scalar step, Type result,
                       const Attributes& attributes) noexcept {
  const Range range = find_range(opset, start, stop, step, result, attributes);
  return {range.status(), range.count()};
}

Status Range::fill(std::uint64_t first, void* dst, std::size_t count) const noexcept {
  if (!status_) return status_;
  if (first > plan_.count || count > plan_.count - first) {
    return simple_status(StatusCode::beyond_end, Role::none, first, plan_.count);
  }
  if (count == 0) return Status();
  if (dst == nullptr) return simple_status(StatusCode::null_pointer, Role::destination, count);
  tables::Ramp ramp{.start = plan_.start, .step = plan_.step, .first = first};
  if (plan_.convert == nullptr && plan_.data == nullptr) {
    plan_.ramp(ramp, dst, count);
    return Status();
  }
  // Blocks that stay in the first-level cache; a multiple of 8 elements, so that each begins on a whole byte.
  constexpr std::size_t kBlock = 1024;
  alignas(64) std::byte block[kBlock * sizeof(std::uint64_t)];
  auto* out = static_cast<std::byte*>(dst);
  const Isa& isa = isa_named(isa_);
  while (count != 0) {
    const std::size_t here = count < kBlock ? count : kBlock;
    plan_.ramp(ramp, block, here);
    run_kernel(plan_.convert, plan_.data, isa, block, out, here, 0);
    out += here * plan_.result_bits / 8;
    ramp.first += here;
    count -= here;
  }
  return Status();
}

}  // namespace castforge

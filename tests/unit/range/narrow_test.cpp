// Sequences of types that are narrower than what they are computed in, against the definition of their elements: whose
// sums are exact in float32, in float64 or in neither.
#include "support.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <set>

#include "src/isa_table.hpp"
#include "src/machine_types.hpp"
#include "src/opset_tables.hpp"
#include "src/range_float32.hpp"
#include "src/registry.hpp"
#include "src/tables.hpp"
#include "src/type_rows.hpp"

using namespace castforge;
using namespace castforge::range_test;

namespace {

constexpr Type kNarrow[] = {Type::float16, Type::bfloat16, Type::float32};
constexpr std::string_view kOpSets[] = {"openvino-range@4", "openvino-reference@4"};

struct Sequence {
  double start, step;
};
constexpr Sequence kSequences[] = {
    {0, 1},
    {0, 0.25},
    {-0.0, -1},
    {-0.0, 0.5},
    {0.5, 0.1},
    {7, -1.0 / 3},
    {-1, 0.2},
    {-1, 0x1p-9},
    {3, -0.01171875},
    {100000.5, 0.0001},
    // Ties, and numbers beside them by less than float32 tells.
    {1, 0x1p-11},
    {1, 0x1p-8},
    {1, 0x1p-24},
    {1 + 0x1p-40, 0x1p-11},
    {1 - 0x1p-40, 0x1p-8},
    {-256 - 0x1p-30, 0x1p-9},
    {0x1p-45, -0x1p-12},
    {1 + 0x1p-52, 0x1p-24},
    // Out of float16's range, into it, through it.
    {65000, 1.7},
    {-65500, -0.37},
    {70000, -13.3},
    {-1e6, 3000.1},
    {65519.5, 0x1p-10},
    // Subnormal numbers of float16, then of the others.
    {0, 0x1p-27},
    {0, 3e-8},
    {1e-6, -1e-8},
    {-6.2e-5, 1.3e-7},
    {0x1p-120, -0x1p-99},
    {0, 1e-40},
    {1e-37, -2.3e-40},
    {3e-45, 1.1e-45},
    {0x1p-149, 0x1p-99},
    // The largest numbers, then beyond float32.
    {0x1.8p63, 0x1.1p55},
    {-0x1p63, -0x1.7p63},
    {3.38e38, 1e34},
    {-3e38, -5e36},
    {1e300, 1e299},
    // Steps that are lost in the sum for long.
    {4096 - 0x1p-41, 0x1p-52},
    {1e10, 1e-9},
    {2049 - 0x1p-20, 0x1p-60},
};

exact_range::Number number(double value) {
  return exact_range::decode(std::bit_cast<std::uint64_t>(value), exact_range::kFloat64);
}

/// The float64 that is nearest where `count` elements end, not infinite.
double end(const Sequence& s, double count) {
  const double stop = s.start + s.step * count;
  return std::isfinite(stop) ? stop : std::copysign(1.79e308, stop);
}

exact_range::FloatRule rule(std::string_view opset, Type type) {
  return {opset == kOpSets[0] ? exact_range::kFloat64 : exact_range::kFloat32, format_of(type)};
}

/// False where the sequence has infinities in float32, which exact numbers leave out.
bool is_finite(const Sequence& s, const exact_range::FloatRule& r) {
  return !exact_range::rounded(number(s.start), r.accumulator).infinite &&
         !exact_range::rounded(number(s.step), r.accumulator).infinite;
}

template <class Check>
void each_sequence(double count, const Check& check) {
  for (const std::string_view opset : kOpSets) {
    for (const Type type : kNarrow) {
      for (const Sequence& s : kSequences) {
        const exact_range::FloatRule r = rule(opset, type);
        if (!is_finite(s, r)) continue;
        INFO(opset << " " << name(type) << " " << s.start << " + i * " << s.step << ", " << count << " elements");
        check(opset, type, s, r);
      }
    }
  }
}

}  // namespace

TEST_CASE("narrow ramps: elements by their definition, short and long sequences") {
  constexpr std::size_t kCount = 701;
  for (const double length : {700.0, 1048576.0, 4e9}) {
    each_sequence(length, [&](std::string_view opset, Type type, const Sequence& s, const exact_range::FloatRule& r) {
      Codes expected;
      for (std::uint64_t i = 0; i < kCount; ++i)
        expected.push_back(exact_range::float_element(number(s.start), number(s.step), i, r));
      for (const std::string& isa : conformance::usable_isas()) {
        INFO(isa);
        const Range range = find_range(opset, s.start, end(s, length), s.step, type, {}, isa);
        if (!range) continue;  // the steps are lost: too many elements
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(range.count(), kCount));
        expected.resize(std::min(expected.size(), count));
        CHECK(part(range, 0, expected.size(), 3) == expected);
      }
    });
  }
}

TEST_CASE("narrow ramps: every number of elements, every place to begin") {
  std::mt19937 random(5);
  each_sequence(1000, [&](std::string_view opset, Type type, const Sequence& s, const exact_range::FloatRule&) {
    for (const std::string& isa : conformance::usable_isas()) {
      INFO(isa);
      const Range range = find_range(opset, s.start, end(s, 1000), s.step, type, {}, isa);
      if (!range || range.count() < 900) continue;
      const Codes all = part(range, 0, 900);
      std::size_t wrong = 0;
      for (std::size_t count = 0; count <= 200; ++count) {
        const std::size_t first = random() % 700;
        const Codes codes = part(range, first, count, random() % 64);
        wrong += !std::equal(codes.begin(), codes.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("narrow ramps: far into a sequence") {
  each_sequence(4e9, [&](std::string_view opset, Type type, const Sequence& s, const exact_range::FloatRule& r) {
    for (const std::uint64_t first : {std::uint64_t{65500}, std::uint64_t{16777000}, std::uint64_t{3999999000}}) {
      Codes expected;
      for (std::uint64_t i = 0; i < 40; ++i)
        expected.push_back(exact_range::float_element(number(s.start), number(s.step), first + 13 * i, r));
      for (const std::string& isa : conformance::usable_isas()) {
        INFO(isa << " from " << first);
        const Range range = find_range(opset, s.start, end(s, 4e9), s.step, type, {}, isa);
        if (!range || range.count() < first + 521) continue;
        const Codes codes = part(range, first, 521, 1);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < 40; ++i) wrong += codes[13 * i] != expected[i];
        CHECK(wrong == 0);
      }
    }
  });
}

TEST_CASE("narrow ramps: one call and many give the same") {
  for (const std::string_view opset : kOpSets) {
    for (const Type type : kNarrow) {
      for (const Sequence& s : {Sequence{0, 1}, {-3000, 0.1}, {70000, -0.5}, {-1e-3, 1e-7}}) {
        Codes all;
        for (const std::string& isa : conformance::usable_isas()) {
          INFO(opset << " " << name(type) << " " << s.start << " + i * " << s.step << " on " << isa);
          const Range range = find_range(opset, s.start, end(s, 200000), s.step, type, {}, isa);
          REQUIRE(range.ok());
          const auto count = static_cast<std::size_t>(range.count());
          const Codes codes = part(range, 0, count);
          if (all.empty()) all = codes;
          CHECK(codes == all);
          Codes pieces;
          for (std::size_t length = 1; pieces.size() < count; length = length * 3 % 8191) {
            const Codes piece = part(range, pieces.size(), std::min(length, count - pieces.size()));
            pieces.insert(pieces.end(), piece.begin(), piece.end());
          }
          CHECK(pieces == all);
        }
      }
    }
  }
}

TEST_CASE("narrow ramps: the thread's environment makes no difference") {
  for (const Type type : kNarrow) {
    for (const Sequence& s : {Sequence{-1, 0.01}, {0, 0.25}, {1e-6, -1e-8}, {65000, 1.7}, {1 + 0x1p-52, 0x1p-24}}) {
      const double stop = end(s, 1500);
      const Codes expected = elements("openvino-range@4", s.start, stop, s.step, type);
      for (const int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
        INFO(name(type) << " " << s.start << " + i * " << s.step << ", mode " << mode);
        for (const std::string& isa : conformance::usable_isas()) {
          std::fesetround(mode);
          const Range range = find_range("openvino-range@4", s.start, stop, s.step, type, {}, isa);
          const Codes codes = part(range, 0, expected.size());
          std::fesetround(FE_TONEAREST);
          CHECK(codes == expected);
        }
      }
    }
  }
}

TEST_CASE("instruction sets with vectors have a ramp of each kernel by which range op-sets convert") {
  const Registry& all = registry();
  std::size_t count = 0;
  const Isa* isas = isa_table(count);
  REQUIRE(count != 0);
  for (const std::string_view opset : kOpSets) {
    for (const Type src : {Type::float32, Type::float64}) {
      for (const Type dst : kNarrow) {
        if (type_row(dst).storage_bits >= type_row(src).storage_bits) continue;
        OpSet found;
        REQUIRE(find_range_opset(opset, found).ok());
        const Selection selection = select(*found.table(), src, dst, {});
        REQUIRE(selection.status.ok());
        const std::uint16_t kernel = selection.variant->entry.index();
        for (const Isa* isa = isas; isa != isas + count; ++isa) {
          INFO(opset << " " << name(src) << " to " << name(dst) << " on " << isa->name);
          CHECK((all.kernel_ramp(*isa, kernel) != nullptr) == (isa->name != "portable"));
        }
      }
    }
  }
  for (const Isa* isa = isas; isa != isas + count; ++isa) {
    CHECK(all.kernel_ramp(*isa, tables::library::kModule.kernel_count) == nullptr);
  }
}

TEST_CASE("sequences that are exact in float32") {
  const auto exact = [](double start, double step, std::uint64_t count) {
    return in_float32(std::bit_cast<std::uint64_t>(start), std::bit_cast<std::uint64_t>(step), count);
  };
  const auto same = exact(-2.5, 0.25, 10);
  REQUIRE(same.has_value());
  CHECK(same->start == 0xC0200000);
  CHECK(same->step == 0x3E800000);
  CHECK(exact(0, 1, 1 << 24));
  CHECK_FALSE(exact(0, 1, (1 << 24) + 1));
  CHECK_FALSE(exact(1, 1, 1 << 24));
  CHECK(exact(1, -1, 1 << 24));
  CHECK(exact(-0.0, 1, 10)->start == 0x80000000);
  CHECK(exact(0, 3, 5 << 20));
  CHECK_FALSE(exact(0, 3, 6 << 20));
  CHECK(exact(0x1p23, 1, 1 << 23));
  CHECK_FALSE(exact(0x1p24, 1, 1000));
  CHECK_FALSE(exact(0, 0.1, 10));
  CHECK_FALSE(exact(0.1, 1, 10));
  CHECK(exact(0, 0x1p-149, 1000));
  CHECK_FALSE(exact(0, 0x1p-150, 1000));
  CHECK(exact(0x1p126, 0x1p103, 1000));
  CHECK_FALSE(exact(0x1p126, 0x1p104, 1000));  // 2^24 steps would be infinity
  CHECK_FALSE(exact(1e300, 1, 10));
  CHECK_FALSE(exact(0, 1e30, 10));
}

TEST_CASE("sequences are computed in float32 only where the op-set rounds as IEEE 754 does") {
  CHECK(is_ieee(Rule{.carry = carry::nearest_even}));
  CHECK_FALSE(is_ieee(Rule{.carry = carry::nearest_even, .zero_sign = ZeroSign::positive}));
  CHECK_FALSE(is_ieee(Rule{.carry = carry::nearest_even, .overflow = Overflow::max}));
  CHECK_FALSE(is_ieee(Rule{.carry = carry::toward_zero}));
}

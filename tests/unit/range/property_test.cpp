// Random sequences against exact arithmetic; what holds for all of them; large indices.
#include "support.hpp"

#include <cmath>

using namespace castforge;
using namespace castforge::range_test;

namespace {

constexpr Type kFloats[] = {Type::float16, Type::bfloat16, Type::float32, Type::float64};
constexpr Type kIntegers[] = {Type::int8,  Type::int16,  Type::int32,  Type::int64,
                              Type::uint8, Type::uint16, Type::uint32, Type::uint64};

bool is_float(Type type) { return type_info(type).kind == TypeKind::floating; }

exact_range::Int128 integer_of(const Scalar& s) {
  const TypeInfo info = type_info(s.type);
  const std::uint64_t sign = std::uint64_t{1} << (info.storage_bits - 1);
  const std::uint64_t code = s.code & (sign | (sign - 1));
  return info.is_signed && (code & sign) != 0 ? exact_range::Int128(code) - 2 * exact_range::Int128(sign)
                                              : exact_range::Int128(code);
}

/// The input rounded to float64.
exact_range::Number float64_of(const Scalar& s) {
  const exact_range::Number n =
      is_float(s.type) ? exact_range::decode(s.code, format_of(s.type)) : exact_range::integer(integer_of(s));
  return exact_range::rounded(n, exact_range::kFloat64);
}

/// An element of the type near a number; integers that do not fit are left to the caller to avoid.
Scalar near(Type type, double value) { return scalar(type, is_float(type) ? value : std::trunc(value)); }

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint64_t word() { return engine_(); }
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  double real() { return static_cast<double>(static_cast<std::int64_t>(word())) * 0x1p-63; }
  template <std::size_t N>
  Type of(const Type (&types)[N]) {
    return types[below(N)];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace

TEST_CASE("float sequences equal exact arithmetic") {
  Random random(1);
  std::size_t elements_seen = 0;
  for (int round = 0; round < 400; ++round) {
    const Type output = random.of(kFloats);
    const Type input = random.below(2) == 0 ? Type::float64 : random.of(kFloats);
    // Exponents that the input can hold, also subnormal ones of the results.
    const int widest = input == Type::float16 ? 6 : input == Type::float64 && random.below(4) == 0 ? 1000 : 100;
    const double size = std::ldexp(1, static_cast<int>(random.below(2 * static_cast<std::uint64_t>(widest))) - widest);
    const double a = random.real() * size;
    const double d = random.real() * size * std::ldexp(1, -static_cast<int>(random.below(12)));
    const Scalar start = near(input, a), step = near(input, d);
    const Scalar stop =
        near(input, a + d * static_cast<double>(random.below(200)) + (random.below(2) != 0 ? d * 0.5 : 0));
    const exact_range::Number first = float64_of(start), stride = float64_of(step), end = float64_of(stop);
    if (stride.is_zero() || stride.infinite || first.infinite || end.infinite) continue;
    const exact_range::Natural count = exact_range::float_count(first, end, stride);
    if (count.length() > 12) continue;
    for (const std::string_view opset : {"openvino-range@4", "openvino-reference@4"}) {
      const bool narrow = opset == "openvino-reference@4" && output != Type::float64;
      const exact_range::FloatRule rule{narrow ? exact_range::kFloat32 : exact_range::kFloat64, format_of(output)};
      if (narrow && (exact_range::rounded(first, exact_range::kFloat32).infinite ||
                     exact_range::rounded(stride, exact_range::kFloat32).infinite))
        continue;
      INFO(opset << " round " << round << " " << name(input) << " to " << name(output) << std::hex << " " << start.code
                 << " " << stop.code << " " << step.code);
      const Codes codes = elements(opset, start, stop, step, output);
      REQUIRE(!(exact_range::Natural(codes.size()) < count));
      REQUIRE(!(count < exact_range::Natural(codes.size())));
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < codes.size(); ++i)
        wrong += codes[i] != exact_range::float_element(first, stride, i, rule);
      CHECK(wrong == 0);
      elements_seen += codes.size();
    }
  }
  CHECK(elements_seen > 20000);
}

TEST_CASE("integer sequences equal exact arithmetic") {
  Random random(2);
  std::size_t elements_seen = 0;
  for (int round = 0; round < 400; ++round) {
    const Type output = random.of(kIntegers);
    const Type types[] = {random.of(kIntegers), random.of(kIntegers), random.of(kIntegers)};
    // Codes with few significant bits as often as with many.
    const auto any = [&](Type type) {
      const Scalar s(type, random.word() >> random.below(static_cast<std::uint64_t>(bits_of(type))));
      return Scalar(type, s.code & (~std::uint64_t{0} >> (64 - bits_of(type))));
    };
    const Scalar start = any(types[0]), stop = any(types[1]), step = any(types[2]);
    const exact_range::Int128 a = integer_of(start), b = integer_of(stop), d = integer_of(step);
    INFO("round " << round << " " << name(types[0]) << " " << name(types[1]) << " " << name(types[2]) << std::hex << " "
                  << start.code << " " << stop.code << " " << step.code);
    if (d == 0) {
      CHECK(range_count("openvino-range@4", start, stop, step, output).status.code() == StatusCode::step_zero);
      continue;
    }
    exact_range::Int128 count = 0;
    if (d > 0 && a < b) count = (b - a + d - 1) / d;
    if (d < 0 && a > b) count = (a - b - d - 1) / -d;
    const Range range = find_range("openvino-range@4", start, stop, step, output);
    if (count > 4294967295) {
      CHECK(range.status().code() == StatusCode::count_limit);
      continue;
    }
    REQUIRE(range.status().message() == "ok");
    CHECK(range.count() == static_cast<std::uint64_t>(count));
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits_of(output));
    const auto check = [&](std::uint64_t first, const Codes& codes) {
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < codes.size(); ++i) {
        wrong += codes[i] != (static_cast<std::uint64_t>(a + d * static_cast<exact_range::Int128>(first + i)) & mask);
      }
      CHECK(wrong == 0);
      elements_seen += codes.size();
    };
    if (range.count() <= 5000) check(0, elements("openvino-range@4", start, stop, step, output));
    const std::uint64_t length = std::min<std::uint64_t>(range.count(), 300);
    for (const std::uint64_t first :
         {std::uint64_t{0}, random.below(range.count() - length + 1), range.count() - length}) {
      check(first, part(range, first, static_cast<std::size_t>(length), random.below(9)));
    }
  }
  CHECK(elements_seen > 50000);
}

TEST_CASE("integer results of float inputs: the inputs are truncated first") {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const double a = random.real() * 1000, b = random.real() * 1000, d = random.real() * 30;
    const auto start = static_cast<std::int64_t>(a), stop = static_cast<std::int64_t>(b),
               step = static_cast<std::int64_t>(d);
    INFO(a << " " << b << " " << d);
    if (step == 0) {
      CHECK(range_count("openvino-range@4", a, b, d, Type::int16).status.code() == StatusCode::step_zero);
    } else {
      CHECK(elements("openvino-range@4", a, b, d, Type::int16) ==
            elements("openvino-range@4", start, stop, step, Type::int16));
    }
  }
}

TEST_CASE("first and last element, order") {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    const Type output = random.of(kFloats);
    const double a = random.real() * 100, d = random.real();
    const double b = a + d * static_cast<double>(random.below(300));
    const Codes codes = elements("openvino-range@4", a, b, d, output);
    if (codes.empty()) continue;
    CHECK(codes.front() == scalar(output, a).code);
    const exact_range::Format& format = format_of(output);
    const exact_range::Number end =
        exact_range::rounded(exact_range::decode(std::bit_cast<std::uint64_t>(b), exact_range::kFloat64), format);
    exact_range::Number before = exact_range::decode(codes.front(), format);
    std::size_t wrong = 0;
    for (const std::uint64_t code : codes) {
      const exact_range::Number now = exact_range::decode(code, format);
      wrong += d > 0 ? exact_range::less(now, before) : exact_range::less(before, now);
      // Not beyond stop, up to the rounding of one element.
      wrong += d > 0 ? exact_range::less(end, now) && code != codes.back()
                     : exact_range::less(now, end) && code != codes.back();
      before = now;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("elements far into a sequence") {
  const exact_range::Number zero = exact_range::integer(0), one = exact_range::integer(1);
  const std::uint64_t starts[] = {
      0, 65530, (1u << 20) - 7, (1u << 24) - 5, (1u << 31) - 300, 3000000001u, 4294967295u - 600};
  for (const std::string& isa : conformance::usable_isas()) {
    const Range wide = find_range("openvino-range@4", 0.0, 4294967295.0, 1.0, Type::float32, {}, isa);
    const Range narrow = find_range("openvino-reference@4", 0.0, 4294967295.0, 1.0, Type::float32, {}, isa);
    const Range doubled = find_range("openvino-range@4", 0.0, 4294967295.0, 1.0, Type::float64, {}, isa);
    const Range integers = find_range("openvino-range@4", 0.0, 4294967295.0, 1.0, Type::uint16, {}, isa);
    REQUIRE(wide.count() == 4294967295u);
    REQUIRE(narrow.count() == 4294967295u);
    for (const std::uint64_t first : starts) {
      INFO(isa << " from " << first);
      constexpr std::size_t kCount = 600;
      const Codes a = part(wide, first, kCount), b = part(narrow, first, kCount), c = part(doubled, first, kCount, 3),
                  d = part(integers, first, kCount, 1);
      for (std::size_t i = 0; i < kCount; i += 13) {
        CHECK(a[i] == exact_range::float_element(zero, one, first + i, {exact_range::kFloat64, exact_range::kFloat32}));
        CHECK(b[i] == exact_range::float_element(zero, one, first + i, {exact_range::kFloat32, exact_range::kFloat32}));
        CHECK(c[i] == exact_range::float_element(zero, one, first + i, {exact_range::kFloat64, exact_range::kFloat64}));
        CHECK(d[i] == ((first + i) & 0xFFFF));
      }
    }
  }
}

TEST_CASE("long sequences: neighbouring runs of a million elements join") {
  for (const Type type : {Type::float32, Type::float64, Type::float16, Type::int8, Type::int64}) {
    for (const std::string& isa : conformance::usable_isas()) {
      const Range range = find_range("openvino-reference@4", 0.25, 3000000.5, 1.0, type, {}, isa);
      REQUIRE(range.ok());
      const auto count = static_cast<std::size_t>(range.count());
      const Codes all = part(range, 0, count);
      for (const std::uint64_t first :
           {(std::uint64_t{1} << 20) - 5, (std::uint64_t{1} << 21) - 37, range.count() - 100}) {
        CHECK(part(range, first, 100) == Codes(all.begin() + static_cast<std::ptrdiff_t>(first),
                                               all.begin() + static_cast<std::ptrdiff_t>(first) + 100));
      }
    }
  }
}

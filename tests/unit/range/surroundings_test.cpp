// What must not matter: the thread's floating-point environment, threads, the language of the caller.
#include "support.hpp"

#include <castforge/castforge.h>

#include <atomic>
#include <cfenv>
#include <cstring>
#include <thread>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

using namespace castforge;
using namespace castforge::range_test;

namespace {

struct Case {
  std::string_view opset;
  double start, stop, step;
  Type type;
};

// Subnormal numbers, ties and quotients that round.
constexpr Case kCases[] = {
    {"openvino-range@4", 0, 2e-322, 5e-324, Type::float64},   {"openvino-range@4", 0, 1e-43, 1e-45, Type::float32},
    {"openvino-range@4", 0, 5e-324, 1, Type::float64},        {"openvino-range@4", 1, 1.3, 0.1, Type::float64},
    {"openvino-range@4", -1, 0.875, 0.2, Type::float16},      {"openvino-range@4", 0, 3e-40, 1e-42, Type::bfloat16},
    {"openvino-reference@4", 0, 1e-43, 1e-45, Type::float32}, {"openvino-reference@4", -1, 7, 0.1, Type::float32},
    {"openvino-reference@4", 0.1, 9, 0.3, Type::bfloat16},    {"openvino-range@4", 0.5, 90, 0.1, Type::float16},
    {"openvino-range@4", 0, 1e-6, 3e-9, Type::float16},       {"openvino-range@4", 0, 300, 0.25, Type::bfloat16},
    {"openvino-range@4", 3e-39, 2, 0.01, Type::bfloat16},     {"openvino-range@4", 0x1p-140, 2, 0.01, Type::float32},
    {"openvino-range@4", 0.9, 10.3, 1.7, Type::int32},        {"openvino-reference@4", 0.9, 10.3, 1.7, Type::int32},
    {"openvino-range@4", 5e-324, 5, 1, Type::int8},
};

Codes run(const Case& c) { return elements(c.opset, c.start, c.stop, c.step, c.type); }

}  // namespace

TEST_CASE("rounding mode and flushing of subnormals make no difference, and stay as they were") {
  for (const Case& c : kCases) {
    INFO(c.opset << " " << c.start << " " << c.stop << " " << c.step << " " << name(c.type));
    const Codes expected = run(c);
    for (const int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
      Codes got;
      std::fesetround(mode);
      const int left = [&] {
        got = run(c);
        return std::fegetround();
      }();
      std::fesetround(FE_TONEAREST);
      CHECK(left == mode);
      CHECK(got == expected);
    }
#if defined(__SSE2__)
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040);  // flush to zero, denormals are zero
    const Codes got = run(c);
    const unsigned left = _mm_getcsr();
    _mm_setcsr(saved);
    CHECK(got == expected);
    CHECK((left & 0x8040) == 0x8040);
#endif
  }
}

TEST_CASE("exception flags stay as they were") {
  std::feclearexcept(FE_ALL_EXCEPT);
  const Range range = find_range("openvino-range@4", -1.0, 0.875, 0.2, Type::float16);
  std::uint16_t codes[10];
  REQUIRE(range.fill(0, codes, 10).ok());
  CHECK(std::fetestexcept(FE_ALL_EXCEPT) == 0);
}

TEST_CASE("the caller's threads") {
  for (const Type type : {Type::float32, Type::float16, Type::float64, Type::bfloat16}) {
    const Codes expected = part(find_range("openvino-range@4", 0.0, 10000.0, 0.25, type), 0, 40000);
    const std::int64_t shape[] = {40000};
    Bytes bytes(40000 * static_cast<std::size_t>(bits_of(type)) / 8, 0xA5);
    std::atomic<int> tasks = 0;
    ParallelFor parallel;
    parallel.context = &tasks;
    parallel.run = [](void* context, std::size_t count, ParallelFor::Task task, void* data) {
      std::vector<std::jthread> threads;
      for (std::size_t i = count; i-- > 0;) threads.emplace_back([=] { task(data, i); });
      *static_cast<std::atomic<int>*>(context) += static_cast<int>(count);
    };
    REQUIRE(range("openvino-range@4", 0.0, 10000.0, 0.25, {type, shape, bytes.data(), bytes.size()}, {},
                  {.parallel = parallel, .elements_per_task = 1000})
                .ok());
    CHECK(tasks == 40);  // 1000 becomes 1024, a multiple of 512
    CHECK(bytes == conformance::bytes_of(expected, bits_of(type)));
  }
}

TEST_CASE("numbers are typed by their C++ type") {
  CHECK(Scalar(1).type == Type::int32);
  CHECK(Scalar(-1L).code == ~std::uint64_t{0});
  CHECK(Scalar(std::uint8_t{7}).type == Type::uint8);
  CHECK(Scalar(std::uint64_t{7}).type == Type::uint64);
  CHECK(Scalar(1.0F).code == 0x3F800000);
  CHECK(Scalar(1.0).type == Type::float64);
}

TEST_CASE("from C") {
  const auto type = [](Type t) { return static_cast<castforge_type>(t); };
  const castforge_scalar start{type(Type::int32), 2}, stop{type(Type::int32), 23}, step{type(Type::int32), 3},
      zero{type(Type::int32), 0};
  const castforge_type result = type(Type::uint8);
  std::uint64_t count = 99;
  CHECK(castforge_range_count("openvino-range@4", start, stop, step, result, nullptr, &count) == CASTFORGE_OK);
  CHECK(count == 7);
  unsigned char codes[8] = {};
  CHECK(castforge_range_fill("openvino-range@4", start, stop, step, result, 1, 3, codes, nullptr) == CASTFORGE_OK);
  CHECK(std::memcmp(codes, "\x05\x08\x0B\0\0", 5) == 0);
  CHECK(castforge_range_fill("openvino-range@4", start, stop, step, result, 5, 3, codes, nullptr) ==
        CASTFORGE_BEYOND_END);
  CHECK(castforge_range_count("openvino-range@4", start, stop, step, result, nullptr, nullptr) ==
        CASTFORGE_NULL_POINTER);

  char message[100];
  castforge_options options = CASTFORGE_OPTIONS_INIT;
  options.message = message;
  options.message_size = sizeof message;
  CHECK(castforge_range_count("openvino-range@4", start, stop, zero, result, &options, &count) == CASTFORGE_STEP_ZERO);
  CHECK(count == 0);
  CHECK(std::string(message) == "openvino-range@4: the step is 0; it must be positive or negative");
  CHECK(castforge_range_count("onyx@1", start, stop, step, result, nullptr, &count) == CASTFORGE_UNKNOWN_OPSET);
  CHECK(castforge_range_count(nullptr, start, stop, step, result, nullptr, &count) == CASTFORGE_OK);  // the default
  CHECK(castforge_range_count("openvino-range@4", start, stop, step, 60000, nullptr, &count) == CASTFORGE_UNKNOWN_TYPE);
  const castforge_attribute attribute{"saturate", nullptr, 1};
  options.attributes = &attribute;
  options.attribute_count = 1;
  CHECK(castforge_range_count("openvino-range@4", start, stop, step, result, &options, &count) ==
        CASTFORGE_UNKNOWN_ATTRIBUTE);
  options.size = 3;
  CHECK(castforge_range_fill("openvino-range@4", start, stop, step, result, 0, 1, codes, &options) ==
        CASTFORGE_BAD_OPTIONS);

  const std::int32_t numbers[] = {2, 23, 3};
  const std::int64_t shape[] = {7};
  const castforge_tensor a{type(Type::int32), 0, nullptr, numbers, 4}, b{type(Type::int32), 0, nullptr, numbers + 1, 4},
      c{type(Type::int32), 0, nullptr, numbers + 2, 4};
  const castforge_mutable_tensor dst{result, 1, shape, codes, sizeof codes};
  CHECK(castforge_range("openvino-range@4", &a, &b, &c, &dst, nullptr) == CASTFORGE_OK);
  CHECK(std::memcmp(codes, "\x02\x05\x08\x0B\x0E\x11\x14\0", 8) == 0);
  options = CASTFORGE_OPTIONS_INIT;
  options.message = message;
  options.message_size = sizeof message;
  CHECK(castforge_range("openvino-range@4", &a, &b, nullptr, &dst, &options) == CASTFORGE_NULL_POINTER);
  CHECK(std::string_view(message) == "the step is null");
  CHECK(castforge_range("openvino-range@4", &a, nullptr, &c, &dst, nullptr) == CASTFORGE_NULL_POINTER);
  CHECK(castforge_range("openvino-range@4", &a, &b, &c, nullptr, nullptr) == CASTFORGE_NULL_POINTER);
  const castforge_tensor vector{type(Type::int32), 1, shape, numbers, 12};
  CHECK(castforge_range("openvino-range@4", &a, &b, &vector, &dst, nullptr) == CASTFORGE_NOT_SCALAR);
  CHECK(std::string(castforge_status_string(CASTFORGE_NOT_SCALAR)) == "not_scalar");
}

// No call of the interface allocates, except Status::message(): this program's operator new counts.
#include <atomic>
#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <new>
#include <string_view>

namespace {
std::atomic<long> allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("lookups, casts, text and messages do not allocate") {
  using castforge::Type;
  const std::int8_t src[3] = {1, -2, 3};
  float dst[3] = {};
  const std::int64_t shape[1] = {3};
  const std::string_view texts[2] = {"1.25", "x"};
  char message[600];
  std::size_t length = 0;
  std::size_t written = 0;

  const long before = allocations;
  const castforge::Kernel kernel = castforge::find_kernel("onnx@23", Type::int8, Type::float32, {.saturate = true});
  const bool ran = kernel.run(src, dst, 3).ok();
  const bool cast = castforge::cast("onnx@23", {Type::int8, shape, src, 3}, {Type::float32, shape, dst, 12}).ok();
  const bool formatted =
      castforge::format_text("onnx@23", Type::float32, dst, 3, {}, [&](std::size_t, std::string_view text) {
        length += text.size();
      }).ok();
  const castforge::Status bad = castforge::parse_text("onnx@23", Type::float32, texts, dst);
  for (const castforge::Status& status : {bad, castforge::find_kernel("onnx@13", Type::int8, Type::float8e5m2).status(),
                                          castforge::find_kernel("nothing@1", Type::int8, Type::float8e5m2).status()}) {
    written += status.write_message(message, sizeof message);
  }
  const long after = allocations;

  CHECK(after == before);
  CHECK(ran);
  CHECK(cast);
  CHECK(formatted);
  CHECK(length == 4);  // 1 -2 3
  CHECK(bad.index() == 1);
  CHECK(written > 100);
}

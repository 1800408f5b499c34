// Threads that use the library for the first time all at once, and processes that fork after they have used it.
#include <castforge/castforge.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "unit/api/own_program.hpp"

using namespace castforge;

namespace {

/// Entry points that may be the first one of a program; each tells whether it did what it is for.
const std::vector<std::function<bool()>>& first_calls() {
  static const std::vector<std::function<bool()>> calls = {
      [] {
        const float src[2] = {1, -2};
        std::uint16_t dst[2] = {};
        return find_kernel("onnx@25", Type::float32, Type::float16).run(src, dst, 2).ok() && dst[1] == 0xC000;
      },
      [] {
        const std::int64_t shape[1] = {2};
        const float src[2] = {1, 448};
        unsigned char dst[2] = {};
        return cast("", {Type::float32, shape, src, 8}, {Type::float8e4m3fn, shape, dst, 2}).ok() && dst[1] == 0x7E;
      },
      [] { return find_type("F8_E4M3") == Type::float8e4m3fn; },
      [] { return find_opset("onnx@22")->name() == "onnx@21"; },
      [] { return !active_isa().empty() && isa_count() > 0; },
      [] { return load(std::as_bytes(std::span("noise"))).code() == StatusCode::file_refused; },
      [] {
        std::uint64_t element = 0;
        return parse_number("1.5", Type::float32, element).ok() && element == 0x3FC00000;
      },
      [] {
        const std::string_view texts[] = {"1.5", "-2"};
        float dst[2] = {};
        return parse_text("onnx@25", Type::float32, texts, dst).ok() && dst[1] == -2;
      },
      [] {
        const float src = 1.5;
        std::string text;
        return format_text("onnx@25", Type::float32, &src, 1, {}, [&](std::size_t, std::string_view t) { text = t; })
                   .ok() &&
               text == "1.5";
      },
      [] {
        std::uint16_t dst[4] = {};
        return find_range("openvino-range@4", 0, 1, 0.25, Type::float16).fill(0, dst, 4).ok() && dst[2] == 0x3800;
      },
      [] {
        const std::string_view text = "Convert<Binary8p3se, binary32, (NearestTiesToEven, SatNone)>";
        return find_kernel_by_notation(text).ok();
      },
      [] {
        const std::vector<float> src(1 << 20, 1.0F);
        std::vector<std::uint16_t> dst(src.size());
        return find_kernel("onnx@25", Type::float32, Type::bfloat16).run(src.data(), dst.data(), src.size()).ok() &&
               dst.back() == 0x3F80;
      },
      [] {
        castforge_type type = CASTFORGE_NO_TYPE;
        return castforge_find_type("float32", &type) == CASTFORGE_OK && castforge_opset_count() > 0;
      },
  };
  return calls;
}

/// The exit code of a copy of this process that runs `body`.
template <class Body>
int in_child(const Body& body) {
  const pid_t process = ::fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    ::alarm(60);  // a child that waits for a lock for ever
    ::_exit(body() ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(process, &status, 0) == process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("many threads use the library at once, in a new process", "[.][first_use]") {
  constexpr std::size_t kThreads = 16;
  const auto& calls = first_calls();
  const char* shift = std::getenv("CASTFORGE_FIRST_CALL");
  const std::size_t first = shift == nullptr ? 0 : static_cast<std::size_t>(std::atoi(shift));
  std::barrier start(kThreads);
  std::array<bool, kThreads> right{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      right[t] = true;
      // Every thread begins elsewhere, so that each entry point is somebody's first one.
      for (std::size_t i = 0; i < calls.size(); ++i) right[t] = right[t] && calls[(first + t + i) % calls.size()]();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const bool one : right) CHECK(one);
}

TEST_CASE("the first use by many threads") {
  for (std::size_t i = 0; i < first_calls().size(); ++i) {
    INFO("the first thread begins with call " << i);
    const std::string command =
        "CASTFORGE_FIRST_CALL=" + std::to_string(i) + " '" + own_program() + "' '[first_use]' > /dev/null 2>&1";
    CHECK(std::system(command.c_str()) == 0);
  }
}

TEST_CASE("a process that forks after it has used the library") {
  for (const auto& call : first_calls()) REQUIRE(call());
  for (std::size_t i = 0; i < first_calls().size(); ++i) {
    INFO("call " << i);
    CHECK(in_child(first_calls()[i]) == 0);
  }
  // A kernel that the parent looked up.
  const Kernel kernel = find_kernel("onnx@25", Type::float32, Type::float16);
  CHECK(in_child([&] {
          const float src = 1;
          std::uint16_t dst = 0;
          return kernel.run(&src, &dst, 1).ok() && dst == 0x3C00;
        }) == 0);
}

TEST_CASE("a process that forks while its threads use the library") {
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; !stop; ++i) first_calls()[i % first_calls().size()]();
    });
  }
  for (std::size_t i = 0; i < 2 * first_calls().size(); ++i) {
    INFO("call " << i % first_calls().size());
    CHECK(in_child(first_calls()[i % first_calls().size()]) == 0);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

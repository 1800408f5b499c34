// Chunks that are read, worked on and put by several threads: each once, in order, up to the step that fails.
#include "cli/io/ordered_pipeline.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>

using castforge::cli::OrderedPipeline;

namespace {

struct Steps {
  struct Chunk {
    int number = 0;
  };
  int count = 0, bad_take = -1, bad_work = -1, bad_put = -1;
  int next = 0;
  std::vector<int> out = {};

  bool take(Chunk& chunk) {
    if (next == count) return false;
    if (next == bad_take) throw std::runtime_error("take");
    chunk.number = next++;
    return true;
  }
  void work(const Chunk& chunk) const {
    if (chunk.number == bad_work) throw std::runtime_error("work");
    if (chunk.number % 7 == 3) std::this_thread::sleep_for(std::chrono::microseconds(20));  // others overtake it
  }
  void put(const Chunk& chunk) {
    if (chunk.number == bad_put) throw std::runtime_error("put");
    out.push_back(chunk.number);
  }
};

}  // namespace

TEST_CASE("threads that the system does not give are done without") {
  struct Work {
    int& left;  // how many threads the system still gives
    std::atomic<int>& done;
    Work(int& left, std::atomic<int>& done) : left(left), done(done) {}
    Work(const Work& other) : left(other.left), done(other.done) {  // as the standard library's thread does
      if (left-- == 0) throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    }
    void operator()() const { ++done; }
  };
  for (const auto& [count, given, started] : {std::array{4, 2, 2}, {4, 9, 3}, {4, 0, 0}, {1, 9, 0}, {0, 9, 0}}) {
    int left = given;
    std::atomic<int> done = 0;
    {
      std::vector<std::jthread> threads;
      castforge::cli::start_more(threads, static_cast<std::size_t>(count), Work(left, done));
      CHECK(threads.size() == static_cast<std::size_t>(started));
    }
    CHECK(done == started);
  }
}

TEST_CASE("the same steps in one thread") {
  Steps steps{.count = 20};
  castforge::cli::run_alone(steps);
  REQUIRE(steps.out.size() == 20);
  CHECK(steps.out.back() == 19);
}

TEST_CASE("chunks come out once and in order, and what fails says so") {
  std::mt19937 random(1);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  for (int i = 0; i < 2000; ++i) {
    Steps steps{.count = below(60)};
    const int place = below(60), kind = below(4);
    if (kind == 1) steps.bad_take = place;
    if (kind == 2) steps.bad_work = place;
    if (kind == 3) steps.bad_put = place;
    const bool fails = kind != 0 && place < steps.count;
    std::string message;
    try {
      OrderedPipeline<Steps>(steps).run(static_cast<unsigned>(1 + below(6)));
    } catch (const std::exception& error) {
      message = error.what();
    }
    CAPTURE(i, kind, place, steps.count);
    REQUIRE(message == (!fails ? "" : kind == 1 ? "take" : kind == 2 ? "work" : "put"));
    for (std::size_t k = 0; k < steps.out.size(); ++k) REQUIRE(steps.out[k] == static_cast<int>(k));
    // What was read before reading failed is not lost; behind work that fails, what was before it may be.
    if (!fails) REQUIRE(steps.out.size() == static_cast<std::size_t>(steps.count));
    else if (kind != 2) REQUIRE(steps.out.size() == static_cast<std::size_t>(place));
    else REQUIRE(steps.out.size() <= static_cast<std::size_t>(place));
  }
}

#include "fuzz/target.hpp"

#include <cstdio>
#include <cstdlib>

namespace castforge::fuzz {

#define CASTFORGE_FUZZ_TARGET(name) void name(Input input);
#include "fuzz/targets.def"
#undef CASTFORGE_FUZZ_TARGET

std::span<const Target> targets() {
  static constexpr Target kTargets[] = {
#define CASTFORGE_FUZZ_TARGET(name) {#name, name},
#include "fuzz/targets.def"
#undef CASTFORGE_FUZZ_TARGET
  };
  return kTargets;
}

void fail(const std::string& message) {
  std::fprintf(stderr, "fuzz: %s\n", message.c_str());
  std::abort();
}

namespace {
std::size_t accepted_inputs = 0;
}

void accepted() { ++accepted_inputs; }
std::size_t accepted_so_far() { return accepted_inputs; }

std::uint8_t Choices::byte() {
  if (rest_.empty()) return 0;
  const std::uint8_t first = rest_.front();
  rest_ = rest_.subspan(1);
  return first;
}

std::uint64_t Choices::word(int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | byte();
  return value;
}

std::string Choices::text(std::size_t most) {
  const std::size_t length = std::min(below(most + 1), rest_.size());
  const std::string result(text_of(rest_.first(length)));
  rest_ = rest_.subspan(length);
  return result;
}

}  // namespace castforge::fuzz

// What every fuzz target is: a function of some bytes. It returns for whatever input, or ends the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace castforge::fuzz {

using Input = std::span<const std::uint8_t>;

/// The targets, by name: one per row of targets.def.
struct Target {
  std::string_view name;
  void (*run)(Input input);
};
std::span<const Target> targets();

inline std::string_view text_of(Input input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

/// Ends the program with a message: what must hold does not.
[[noreturn]] void fail(const std::string& message);
inline void require(bool holds, const std::string& message) {
  if (!holds) fail(message);
}

/// What a target calls where an input was not refused but used to the end. Of the kept inputs of each target one has to
/// come there: formats of files change, and inputs that are all refused at the door would show nothing.
void accepted();
std::size_t accepted_so_far();

/// An input as a row of decisions; zeros follow its end.
class Choices {
 public:
  explicit Choices(Input input) : rest_(input) {}

  std::uint8_t byte();
  std::uint64_t word(int bytes);
  /// 0 to n - 1.
  std::size_t below(std::size_t n) { return n <= 1 ? 0 : static_cast<std::size_t>(word(n > 256 ? 4 : 1) % n); }
  bool flag() { return (byte() & 1) != 0; }
  /// True for one byte of `n`.
  bool one_in(std::size_t n) { return below(n) == n - 1; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }
  /// Up to `most` bytes.
  std::string text(std::size_t most);
  Input rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  Input rest_;
};

}  // namespace castforge::fuzz

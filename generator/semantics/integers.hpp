// The domain of exact integers.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace castforge::semantics {

/// A domain of finite.hpp.
struct Integers {
  __extension__ using Word = unsigned __int128;
  using Bit = bool;

  static Word constant(std::uint64_t value) { return value; }
  static Word power(int exponent) { return Word{1} << exponent; }
  static Word plus(Word a, Word b) { return a + b; }
  static Word minus(Word a, Word b) { return a - b; }
  static Word shifted_left(Word word, int by) { return word << by; }
  static Word shifted_right(Word word, int by) { return word >> by; }
  static Word low(Word word, int bits) { return word & (power(bits) - 1); }
  static Word select(Bit condition, Word yes, Word no) { return condition ? yes : no; }
  static Word share(Word word) { return word; }

  static Bit truth(bool value) { return value; }
  static Bit is_set(Word word, int bit) { return (word >> bit & 1) != 0; }
  static Bit any_set(Word word, int bits) { return low(word, bits) != 0; }
  static Bit less(Word a, Word b) { return a < b; }
  static Bit equal(Word a, Word b) { return a == b; }
  static Bit row(unsigned table, Bit last_kept, Bit first_dropped, Bit sticky) {
    return (table >> (last_kept << 2 | first_dropped << 1 | static_cast<int>(sticky)) & 1) != 0;
  }

  static void expect_not(Bit broken, const char* promise) {
    if (broken) throw std::logic_error(promise);
  }
};

}  // namespace castforge::semantics

// The table of powers of ten, computed from exact integers at compile time.
#include "src/text/powers.hpp"

#include <array>
#include <bit>

namespace castforge::text {
namespace {

constexpr int kWords = 16;  // 960 bits below the top word: 128 bits are left of 2^960 / 5^345

/// Little-endian big integer.
struct Words {
  std::array<std::uint64_t, kWords> word{};

  constexpr void multiply_by_5() {
    u128 carry = 0;
    for (std::uint64_t& w : word) {
      carry += static_cast<u128>(w) * 5;
      w = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }

  constexpr void divide_by_5() {
    u128 rest = 0;
    for (std::size_t i = word.size(); i-- > 0;) {
      rest = rest << 64 | word[i];
      word[i] = static_cast<std::uint64_t>(rest / 5);
      rest %= 5;
    }
  }

  constexpr int bit_width() const {
    for (std::size_t i = word.size(); i-- > 0;) {
      if (word[i] != 0) return static_cast<int>(i) * 64 + static_cast<int>(std::bit_width(word[i]));
    }
    return 0;
  }

  /// 64 bits, the highest of which is bit `top`; below bit 0 there are zeros.
  constexpr std::uint64_t bits_from(int top) const {
    std::uint64_t result = 0;
    const int low = top - 63;
    for (int i = 0; i < static_cast<int>(word.size()); ++i) {
      const int shift = i * 64 - low;  // where this word's bit 0 lands
      if (shift > -64 && shift < 64) result |= shift >= 0 ? word[i] << shift : word[i] >> -shift;
    }
    return result;
  }

  constexpr Power leading() const {
    const int top = bit_width() - 1;
    return {bits_from(top), bits_from(top - 64)};
  }
};

constexpr std::size_t slot(int exponent) { return static_cast<std::size_t>(exponent - kMinPower); }

struct Table {
  Powers power{};
  bool sound = true;  // the logarithm formula holds and no entry lost bits
};

constexpr Table make_table() {
  Table table;
  Words five;  // 5^e
  five.word[0] = 1;
  for (int e = 0; e <= kMaxPower; ++e) {
    table.power[slot(e)] = five.leading();
    table.sound = table.sound && five.bit_width() - 1 + e == floor_log2_pow10(e);
    five.multiply_by_5();
  }
  constexpr int kScale = (kWords - 1) * 64;
  Words inverse;  // floor(2^kScale * 5^e): truncating at every step truncates the whole
  inverse.word[kWords - 1] = 1;
  for (int e = -1; e >= kMinPower; --e) {
    inverse.divide_by_5();
    table.power[slot(e)] = inverse.leading();
    table.sound = table.sound && inverse.bit_width() - 1 - kScale + e == floor_log2_pow10(e);
    table.sound = table.sound && inverse.bit_width() >= 128 && inverse.leading().lo != 0;
  }
  return table;
}

constexpr Table kTable = make_table();
static_assert(kTable.sound);
static_assert(kTable.power[slot(0)].hi == 1ull << 63 && kTable.power[slot(0)].lo == 0);

}  // namespace

constinit const Powers kPowers = kTable.power;

}  // namespace castforge::text

// How one byte of the results of an 8-bit source is looked up with instructions that know tables of 16 entries.
//
// A plane, 256 bytes, is 16 rows by the high four bits of the code. Such an instruction gives zero where its index is out of
// range, so that an index made from the code (RowIndex) reads a row only where it means one; the byte is a sum of terms
// "table[index]" modulo 256. A term that begins at one row and holds for the rows after it need not be repeated for them,
// which makes rows that resemble their neighbours cheap, and rows that differ by a constant are one term for what they have
// in common and one that adds the constant (kHigh). Number formats consist of little else: a row or two for subnormal
// numbers and NaN, the others equal but for the exponent.
//
// Sign: where T[c + 128] (T[-c] for two's complement) is T[c] with some bits flipped, or -T[c], the terms serve half of the
// codes, and what other codes differ by is added by terms of their own.
#pragma once

#include <cstdint>

#include "simd/isa.hpp"

#if CASTFORGE_VECTOR && CASTFORGE_X86 < 4

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

// Sixteen table entries, added and subtracted byte by byte.
struct Row {
  std::uint64_t half[2] = {};

  static constexpr std::uint64_t kTops = 0x8080808080808080;
  constexpr bool operator==(const Row&) const = default;
  constexpr bool zero() const noexcept { return (half[0] | half[1]) == 0; }
  constexpr std::uint8_t at(int i) const noexcept { return static_cast<std::uint8_t>(half[i >> 3] >> (8 * (i & 7))); }
  static constexpr Row all(std::uint8_t byte) noexcept {
    const std::uint64_t eight = std::uint64_t{0x0101010101010101} * byte;
    return {{eight, eight}};
  }
  static constexpr std::uint64_t minus(std::uint64_t a, std::uint64_t b) noexcept {
    return ((a | kTops) - (b & ~kTops)) ^ ((a ^ ~b) & kTops);
  }
  static constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) noexcept {
    return ((a & ~kTops) + (b & ~kTops)) ^ ((a ^ b) & kTops);
  }
  friend constexpr Row operator&(const Row& a, const Row& b) noexcept {
    return {{a.half[0] & b.half[0], a.half[1] & b.half[1]}};
  }
  // 0xFF for zero.
  constexpr Row zero_bytes() const noexcept {
    const auto zeros = [](std::uint64_t v) { return (~(((v & ~kTops) + ~kTops) | v) & kTops) / 128 * 255; };
    return {{zeros(half[0]), zeros(half[1])}};
  }
  friend constexpr Row operator-(const Row& a, const Row& b) noexcept {
    return {{minus(a.half[0], b.half[0]), minus(a.half[1], b.half[1])}};
  }
  friend constexpr Row operator+(const Row& a, const Row& b) noexcept {
    return {{plus(a.half[0], b.half[0]), plus(a.half[1], b.half[1])}};
  }
  friend constexpr Row operator^(const Row& a, const Row& b) noexcept {
    return {{a.half[0] ^ b.half[0], a.half[1] ^ b.half[1]}};
  }
};

// What terms are read with. "Folded" is the code without its sign: the low seven bits, or the absolute value. An index that
// is followed by (+k) exists for several rows; row numbers count within the half of the table that the index serves.
enum RowIndex : int {
  kFoldedHigh = 0,   // the row of the folded code, for every code
  kFoldedFrom = 1,   // (+k, 8) the column, for rows k to 7 of the folded code
  kFoldedOnly = 9,   // (+k, 8) the column, for row k of the folded code
  kFoldedEnds = 17,  // 8 more than the folded code, modulo 128: for its last eight values and its first eight
  kLow = 18,         // the column, for every code
  kHigh = 19,        // the row, for every code
  kEnds = 20,        // 8 more than the code, modulo 256: for its last eight values and its first eight
  kLowerFrom = 21,   // (+k, 8) the column, for rows k to 7 of the lower half
  kUpperFrom = 29,   // (+k, 8) the column, for rows k to 7 of the upper half
  kOnly = 37,        // (+k, 16) the column, for row k
  kUpperOdd = 53,    // the column, for rows 1, 3, 5 and 7 of the upper half
  kRowIndices = 54,
  kFirstUnfolded = kLow,  // these terms are added after the sign has had its effect
};

// The effect of the sign on the sum of the folded terms. Bits that are flipped are named apart where that is cheap. A byte
// that is not the lowest of a result that is negated gets a carry where all bytes below it are zero.
enum class Sign : std::uint8_t { none, flips_top, flips_all, flips_some, negates, negates_with_carry };

// What a plane does to the vector that says where all bytes so far are zero, before the sign has had its effect on them.
enum class Zeros : std::uint8_t { ignores, begins, continues };

struct PlaneProgram {
  std::uint64_t terms = 0;  // bit i: there is a term with index i
  Sign sign = Sign::none;
  Zeros zeros = Zeros::ignores;
  int direct = 0;  // entries of a table that is read as a whole instead of folded terms; 256: all codes
};

#if CASTFORGE_NEON
static constexpr bool kHasDirect = true;
static constexpr int kDirectCost[2] = {9, 20};  // 128 and 256 entries
static constexpr int kOnlyCost[2] = {0, 1};     // making the index of one row: the first, others
static constexpr int kFromCost[2] = {1, 2};     // the same of the rows from one on
static constexpr int kEndsCost[2] = {1, 2};     // the same of the ends of the code, of the folded code
static constexpr int kOddCost = 4;              // the same of the odd rows
static constexpr int kNegateCost = 2;
#else
static constexpr bool kHasDirect = false;
static constexpr int kDirectCost[2] = {};
static constexpr int kOnlyCost[2] = {1, 2};
static constexpr int kFromCost[2] = {0, 1};
static constexpr int kEndsCost[2] = {2, 3};
static constexpr int kOddCost = 3;
static constexpr int kNegateCost = 1;
#endif
static constexpr int kTermCost = 2;  // lookup and addition
static constexpr int kNever = 1 << 20;

// The cheapest program of a plane, given the indices that earlier planes have made.
class PlanePlan {
 public:
  PlaneProgram program{};
  std::uint64_t used;           // indices, including those of earlier planes
  Row tables[kRowIndices] = {};  // by index
  std::uint8_t flips = 0;

  // absolute: the folded code is the absolute value.
  constexpr PlanePlan(const Row (&rows)[16], bool absolute, std::uint64_t used_before) noexcept
      : used(used_before), absolute_(absolute) {
    set_shapes(rows);
    // Folded: a sum that is right for the lower half, and what the upper half then differs by.
    const std::uint8_t sample = absolute ? rows[11].at(8) : rows[12].at(8);  // the mirror image of code 0x48
    flips = static_cast<std::uint8_t>(sample ^ rows[4].at(8));
    const int sums = folded(rows), sums_of_shapes = folded(shapes_) + high_cost(kFoldedHigh);
    const int sign_cost = flips == 0 ? 0 : flips == 0x80 || flips == 0xFF ? 2 : 3;
    const int sum = sums < sums_of_shapes ? sums : sums_of_shapes;
    const bool direct = kHasDirect && kDirectCost[0] < sum;
    const int either = direct ? kDirectCost[0] : sum;
    // What the folded code 128 gives, the absolute value that has no code of its own.
    const std::uint8_t beyond = direct ? rows[0].at(0) : std::uint8_t{0};

    Row differences[8], of_negated[8], of_shapes[8];
    bool flipped = true;
    for (int h = 0; h < 8; ++h) {
      const Row mirrored = absolute ? mirror(rows, h, beyond) : rows[h];
      differences[h] = rows[h + 8] - (mirrored ^ Row::all(flips));
      of_negated[h] = rows[h + 8] + mirrored;
      of_shapes[h] = shapes_[h + 8] - shapes_[h];
      flipped = flipped && differences[h].zero();
    }
    // A table of rows has room for the one after the last, whose one code is 128.
    if (absolute && !direct && sums_of_shapes < sums) differences[0].half[0] &= ~std::uint64_t{0xFF};
    const int by_flips = either + sign_cost + walk(differences, Row{}, kUpperFrom, kOnly + 8);
    // A negated zero is zero, which some instructions rely on.
    const int by_negation =
        rows[0].at(0) != 0 ? kNever : either + kNegateCost + walk(of_negated, Row{}, kUpperFrom, kOnly + 8);
    // A table of all rows holds the sign's effect where that is a constant difference.
    const int by_rows = absolute ? kNever
                                 : sums_of_shapes - high_cost(kFoldedHigh) + high_cost(kHigh) +
                                       walk(of_shapes, Row{}, kUpperFrom, kOnly + 8);
    int unfolded_sums = kNever, unfolded_shapes = kNever;
    if (!flipped) {
      unfolded_sums = unfolded(rows);
      unfolded_shapes = unfolded(shapes_) + high_cost(kHigh);
    }
    const int whole = kHasDirect ? kDirectCost[1] : kNever;

    int least = by_flips;
    for (const int cost : {by_negation, by_rows, unfolded_sums, unfolded_shapes, whole}) {
      if (cost < least) least = cost;
    }
    if (least == by_rows) {
      folded(shapes_, this);
      walk(of_shapes, Row{}, kUpperFrom, kOnly + 8, this);
      add_high(rows, kHigh, 16);
    } else if (least == unfolded_sums) {
      unfolded(rows, this);
    } else if (least == unfolded_shapes) {
      unfolded(shapes_, this);
      add_high(rows, kHigh, 16);
    } else if (least == whole) {
      program.direct = 256;
    } else {
      const bool negated = by_negation < by_flips;
      add_folded(rows, direct, sums <= sums_of_shapes);
      if (absolute && !negated && !tables[kFoldedHigh].zero()) tables[kFoldedHigh].half[1] = rows[8].at(0) ^ flips;
      program.sign = negated         ? Sign::negates
                     : flips == 0    ? Sign::none
                     : flips == 0x80 ? Sign::flips_top
                     : flips == 0xFF ? Sign::flips_all
                                     : Sign::flips_some;
      walk(negated ? of_negated : differences, Row{}, kUpperFrom, kOnly + 8, this);
    }
    finish();
  }

  // A byte of results that are negated as a whole: `negatives` is what the sign makes of rows 0 to 7.
  constexpr PlanePlan(const Row (&rows)[16], const Row (&negatives)[8], Sign sign, Zeros zeros,
                      std::uint64_t used_before) noexcept
      : used(used_before) {
    set_shapes(rows);
    const int sums = folded(rows), sums_of_shapes = folded(shapes_) + high_cost(kFoldedHigh);
    add_folded(rows, kHasDirect && kDirectCost[0] < sums && kDirectCost[0] < sums_of_shapes, sums <= sums_of_shapes);
    program.sign = sign;
    program.zeros = zeros;
    Row differences[8];
    for (int h = 0; h < 8; ++h) differences[h] = rows[h + 8] - negatives[h];
    walk(differences, Row{}, kUpperFrom, kOnly + 8, this);
    finish();
  }

 private:
  static constexpr int kTypical = 8;  // a column that is no exception even in the rows of subnormal numbers and NaN
  bool absolute_ = false;
  Row shapes_[16] = {};               // rows without the constant that one of kHigh's entries can add

  constexpr void set_shapes(const Row (&rows)[16]) noexcept {
    for (int h = 0; h < 16; ++h) shapes_[h] = rows[h] - Row::all(rows[h].at(kTypical));
  }
  constexpr void add_folded(const Row (&rows)[16], bool direct, bool plain) noexcept {
    if (direct) {
      program.direct = 128;
    } else if (plain) {
      folded(rows, this);
    } else {
      folded(shapes_, this);
      add_high(rows, kFoldedHigh, 8);
    }
  }
  constexpr void finish() noexcept {
    for (int i = 0; i < kRowIndices; ++i) {
      if (!tables[i].zero()) program.terms |= std::uint64_t{1} << i;
    }
    used |= program.terms;
  }

  constexpr bool has(int index) const noexcept { return (used >> index & 1) != 0; }
  constexpr int high_cost(int index) const noexcept { return kTermCost + (has(index) ? 0 : 2); }

  // Entries of the lower half in the places of their negatives in row h of the upper half.
  static constexpr Row mirror(const Row (&rows)[16], int h, std::uint8_t beyond) noexcept {
    Row r{};
    if (h == 0) r.half[0] = beyond;
    for (int l = h == 0 ? 1 : 0; l < 16; ++l) {
      const int code = 128 - 16 * h - l;
      r.half[l >> 3] |= std::uint64_t{rows[code >> 4].at(code & 15)} << (8 * (l & 7));
    }
    return r;
  }

  constexpr void add_high(const Row (&rows)[16], int index, int count) noexcept {
    for (int h = 0; h < count; ++h) tables[index].half[h >> 3] |= std::uint64_t{rows[h].at(kTypical)} << (8 * (h & 7));
  }

  // Least cost of terms, each for the rows from some row on or for one row only, whose sum is row[0 .. 7], given a sum that
  // is `start` without them. out: adds the terms to its tables.
  constexpr int walk(const Row* row, const Row& start, int from, int only, PlanePlan* out = nullptr) const noexcept {
    // State 8 is "the terms so far make `start`", state i "they make row i", for the first row of its kind.
    int kind[8] = {}, best[9] = {kNever, kNever, kNever, kNever, kNever, kNever, kNever, kNever, 0};
    int came_from[8] = {};
    bool plain = true;
    for (int i = 0; i < 8; ++i) {
      kind[i] = 8;
      if (row[i] == start) continue;
      plain = false;
      kind[i] = i;
      for (int j = 0; j < i; ++j) {
        if (kind[j] == j && row[j] == row[i]) kind[i] = j;
      }
    }
    if (plain) return 0;
    const auto cheapest = [&best] {
      int state = 8;
      for (int b = 0; b < 8; ++b) {
        if (best[b] < best[state]) state = b;
      }
      return state;
    };
    for (int i = 0; i < 8; ++i) {
      const int state = cheapest(), k = kind[i];
      const int change = best[state] + kTermCost + (has(from + i) ? 0 : kFromCost[i != 0]);
      const int single = kTermCost + (has(only + i) ? 0 : kOnlyCost[i != 0 || only == kOnly + 8]);
      came_from[i] = k;
      const int stay = best[k];
      for (int b = 0; b < 9; ++b) best[b] += best[b] < kNever ? single : 0;
      best[k] = stay;
      if (change < stay) {
        best[k] = change;
        came_from[i] = state;
      }
    }
    int state = cheapest();
    const int cost = best[state];
    if (out != nullptr) {
      const auto sum_of = [&](int s) { return s == 8 ? start : row[s]; };
      for (int i = 7; i >= 0; --i) {
        if (kind[i] != state) {
          out->tables[only + i] = out->tables[only + i] + (row[i] - sum_of(state));
        } else if (came_from[i] != state) {
          out->tables[from + i] = out->tables[from + i] + (row[i] - sum_of(came_from[i]));
          state = came_from[i];
        }
      }
    }
    return cost;
  }

  // Least cost of a sum that is right for rows 0 to 7, of folded codes.
  constexpr int folded(const Row* rows, PlanePlan* out = nullptr) const noexcept {
    const int cost = walk(rows, Row{}, kFoldedFrom, kFoldedOnly);
    Row inner[8];
    // (An absolute value of 128 is not among the ends; the sum modulo 128 would take it for 0.)
    if (!absolute_ && cost > kTermCost && without_ends(rows, 8, inner)) {
      const int inner_cost = walk(inner, Row{}, kFoldedFrom, kFoldedOnly);
      const int with_ends = inner_cost + kTermCost + (has(kFoldedEnds) ? 0 : kEndsCost[1]);
      if (with_ends < cost) {
        if (out != nullptr) {
          out->tables[kFoldedEnds] = ends(rows, inner, 8);
          walk(inner, Row{}, kFoldedFrom, kFoldedOnly, out);
        }
        return with_ends;
      }
    }
    if (out != nullptr) walk(rows, Row{}, kFoldedFrom, kFoldedOnly, out);
    return cost;
  }

  // The same of rows 0 to 15, without a sign.
  constexpr int unfolded(const Row (&rows)[16], PlanePlan* out = nullptr) const noexcept {
    const Row start = most_frequent(rows);
    const int cost = halves(rows, start);
    Row inner[16], even[16];
    const bool has_ends = without_ends(rows, 16, inner);
    const int with_ends = has_ends ? halves(inner, start) + kTermCost + (has(kEnds) ? 0 : kEndsCost[0]) : kNever;
    // Where one row is one unit in the last place, ties go up in odd rows and down in even ones.
    const Row odd = rows[11] - rows[10];
    for (int h = 0; h < 16; ++h) even[h] = h > 8 && h % 2 != 0 ? rows[h] - odd : rows[h];
    const int with_odd = odd.zero() ? kNever : halves(even, start) + kTermCost + (has(kUpperOdd) ? 0 : kOddCost);
    if (out != nullptr) {
      if (with_ends < cost && with_ends <= with_odd) {
        out->tables[kEnds] = ends(rows, inner, 16);
        halves(inner, start, out);
      } else if (with_odd < cost) {
        out->tables[kUpperOdd] = odd;
        halves(even, start, out);
      } else {
        halves(rows, start, out);
      }
    }
    const int least = with_ends < with_odd ? with_ends : with_odd;
    return least < cost ? least : cost;
  }

  // The first and the last row made equal to their neighbours. False where they differ in more than eight columns at the
  // ends of the code.
  static constexpr bool without_ends(const Row* rows, int count, Row* inner) noexcept {
    const Row &first = rows[0], &last = rows[count - 1];
    if (first.half[1] != rows[1].half[1] || last.half[0] != rows[count - 2].half[0]) return false;
    for (int h = 0; h < count; ++h) inner[h] = rows[h == 0 ? 1 : h == count - 1 ? count - 2 : h];
    return true;
  }
  static constexpr Row ends(const Row* rows, const Row* inner, int count) noexcept {
    return {{Row::minus(rows[count - 1].half[1], inner[count - 1].half[1]),
             Row::minus(rows[0].half[0], inner[0].half[0])}};
  }

  // The row that is there most often, or zeros.
  static constexpr Row most_frequent(const Row (&rows)[16]) noexcept {
    int most = 2, candidate = -1;
    for (int i = 0; i < 16 - most; ++i) {
      int equals = 1;
      for (int j = i + 1; j < 16; ++j) equals += rows[j] == rows[i] ? 1 : 0;
      if (equals > most) {
        most = equals;
        candidate = i;
      }
    }
    return candidate < 0 ? Row{} : rows[candidate];
  }

  // Both halves from a sum that starts as `start` everywhere, or as zero where that is cheaper.
  constexpr int halves(const Row* rows, const Row& start, PlanePlan* out = nullptr) const noexcept {
    const auto cost_from = [this, rows](const Row& s, PlanePlan* to) {
      return walk(rows, s, kLowerFrom, kOnly, to) + walk(rows + 8, s, kUpperFrom, kOnly + 8, to);
    };
    int cost = cost_from(Row{}, nullptr);
    bool begun = false;
    if (!start.zero()) {
      const int begun_cost = kTermCost + (has(kLow) ? 0 : 1) + cost_from(start, nullptr);
      begun = begun_cost < cost;
      if (begun) cost = begun_cost;
    }
    if (out != nullptr) {
      if (begun) out->tables[kLow] = start;
      cost_from(begun ? start : Row{}, out);
    }
    return cost;
  }
};

static constexpr int kMostPlanes = 8;

// How a result is put together. A compile-time parameter of the loops: kernels with the same pattern share one.
struct RowsPattern {
  bool absolute = false;
  int planes = 0;                // distinct planes that are not all zero
  int terms = 0;                 // of all planes
  bool masked = false;           // bits above a result of less than a byte are not zero
  int from[kMostPlanes] = {};    // result byte j is plane from[j], or zero for -1
  PlaneProgram plane[kMostPlanes] = {};
};

// The programs of all planes, and their tables: those of the terms of all planes in turn, then those read as a whole.
template <int kDstBits, class Results>
struct RowsLayout {
  static constexpr int kBytes = kDstBits < 8 ? 1 : kDstBits / 8;
  RowsPattern pattern{};
  Row rows[kMostPlanes * 26] = {};
  std::uint8_t flips[kMostPlanes] = {};

  constexpr explicit RowsLayout(const Results& results) noexcept {
    Row plane[kBytes][16] = {};
    const auto set = [&plane](int code, std::uint64_t result) {
      for (int j = 0; result != 0 && j < kBytes; ++j, result >>= 8) {
        plane[j][code >> 4].half[code >> 3 & 1] |= (result & 0xFF) << (8 * (code & 7));
      }
    };
    const bool negates = results[0] == 0 && mostly_negated(results);
    pattern.masked = negates && kDstBits < 8;
    for (int c = 0; c < 256; ++c) {
      const std::uint64_t result = results[static_cast<std::size_t>(c)];
      // Bits that nobody sees make a negative of a packed result one of a byte.
      const std::uint64_t opposite = results[static_cast<std::size_t>(c & 127)];
      const bool is_negative = pattern.masked && c > 127 && (result + opposite) % (1u << (kDstBits & 7)) == 0;
      set(c, is_negative ? (0 - opposite) & 0xFF : result);
    }
    bool constant = true;  // two's complement: do the signs have any effect?
    pattern.absolute = !negates;
    for (int j = 0; j < kBytes; ++j) pattern.absolute = pattern.absolute && is_odd(plane[j], constant);
    pattern.absolute = pattern.absolute && !constant;

    Row zeros[8];  // 0xFF for codes whose bytes so far are zero
    for (Row& row : zeros) row = Row::all(0xFF);
    std::uint64_t used = 0;
    bool zeros_begun = false;
    for (int j = 0; j < kBytes; ++j) {
      pattern.from[j] = plane_like(plane, j);
      if (pattern.from[j] != pattern.planes) continue;
      if (negates && kBytes > 1) {
        Row negative[8];
        bool changes = false;
        for (int h = 0; h < 8; ++h) {
          negative[h] = zeros_begun ? (plane[j][h] ^ Row::all(0xFF)) - zeros[h] : Row{} - plane[j][h];
          const Row left = zeros[h] & plane[j][h].zero_bytes();
          changes = changes || !(left == zeros[h]);
          zeros[h] = left;
        }
        add_plane(PlanePlan(plane[j], negative, zeros_begun ? Sign::negates_with_carry : Sign::negates,
                            !changes      ? Zeros::ignores
                            : zeros_begun ? Zeros::continues
                                          : Zeros::begins,
                            used),
                  used);
        zeros_begun = zeros_begun || changes;
      } else {
        add_plane(PlanePlan(plane[j], pattern.absolute, used), used);
      }
    }
    int end = pattern.terms;
    for (int p = 0; p < pattern.planes; ++p) {
      for (int h = 0; h < pattern.plane[p].direct / 16; ++h) rows[end++] = plane[source_[p]][h];
    }
  }

 private:
  int source_[kMostPlanes] = {};  // result byte that plane p was first seen in

  constexpr void add_plane(const PlanePlan& plan, std::uint64_t& used) noexcept {
    const int p = pattern.planes++;
    pattern.plane[p] = plan.program;
    flips[p] = plan.flips;
    for (int i = 0; i < kRowIndices; ++i) {
      if ((plan.program.terms >> i & 1) != 0) rows[pattern.terms++] = plan.tables[i];
    }
    used = plan.used;
  }

  // Does code c + 128 have the negative of code c's result, but for a few?
  static constexpr bool mostly_negated(const Results& results) noexcept {
    constexpr std::uint64_t all = ~std::uint64_t{0} >> (64 - kDstBits);
    int negative = 0, others = 0;
    for (std::size_t c = 1; c < 128; ++c) {
      const std::uint64_t low = results[c] & all;
      if (low == 0 && results[c + 128] == 0) continue;
      if (((low + results[c + 128]) & all) == 0) ++negative;
      else ++others;
    }
    return negative > 4 * others;
  }

  // Do two's complement negatives differ by constant bits? A few codes tell number formats apart.
  static constexpr bool is_odd(const Row (&rows)[16], bool& constant) noexcept {
    const auto at = [&rows](int code) { return rows[code >> 4].at(code & 15); };
    const int flip = at(3) ^ at(253);
    constant = constant && flip == 0;
    for (const int code : {0x12, 0x34, 0x48, 0x65}) {
      if ((at(code) ^ at(256 - code)) != flip) return false;
    }
    return true;
  }

  // The plane that byte j is: -1 for zeros, pattern.planes for a new one.
  constexpr int plane_like(const Row (&plane)[kBytes][16], int j) noexcept {
    const auto equal = [&plane, j](int other) {
      for (int h = 0; h < 16; ++h) {
        if (!(plane[j][h] == (other < 0 ? Row{} : plane[other][h]))) return false;
      }
      return true;
    };
    if (equal(-1)) return -1;
    for (int p = 0; p < pattern.planes; ++p) {
      if (equal(source_[p])) return p;
    }
    source_[pattern.planes] = j;
    return pattern.planes;
  }
};

// What the program keeps of a layout.
template <RowsPattern kPattern>
struct RowsData {
  static constexpr int kRows = [] {
    int rows = kPattern.terms;
    for (const PlaneProgram& program : kPattern.plane) rows += program.direct / 16;
    return rows;
  }();
  alignas(64) Row rows[kRows == 0 ? 1 : kRows] = {};
  std::uint8_t flips[kMostPlanes] = {};

  template <class Layout>
  constexpr explicit RowsData(const Layout& layout) noexcept {
    for (int i = 0; i < kRows; ++i) rows[i] = layout.rows[i];
    for (int p = 0; p < kMostPlanes; ++p) flips[p] = layout.flips[p];
  }
};

}  // namespace detail

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_VECTOR && CASTFORGE_X86 < 4

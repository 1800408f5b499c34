#include "lower/plane_search.hpp"

#include <algorithm>
#include <initializer_list>

namespace castforge::lower {
namespace {

constexpr int kTypicalColumn = 8;  // no exception even in the rows of subnormal numbers and NaN

/// Terms and what they cost.
struct Sum {
  int cost = 0;
  std::vector<Term> terms;
};

Sum operator+(Sum a, const Sum& b) {
  a.cost += b.cost;
  a.terms.insert(a.terms.end(), b.terms.begin(), b.terms.end());
  return a;
}

/// The first of the least costs.
const Sum& cheapest(std::initializer_list<const Sum*> sums) {
  return **std::min_element(sums.begin(), sums.end(), [](const Sum* a, const Sum* b) { return a->cost < b->cost; });
}

/// Eight rows, and what reads the column in the rows from one on, or in one only.
struct HalfIndices {
  Index from, only;
  int first_row;  // the number of the first one
};
constexpr HalfIndices kMagnitudes{Index::magnitude_from, Index::magnitude_only, 0};
constexpr HalfIndices kLower{Index::lower_from, Index::only, 0}, kUpper{Index::upper_from, Index::only, 8};

class Search {
 public:
  Search(const BytePlane& plane, bool absolute, const Indices& used, const LookupCosts& costs)
      : plane_(plane), absolute_(absolute), used_(used), costs_(costs) {
    for (int h = 0; h < 16; ++h) shapes_[h] = plane[h] - ByteRow::all(plane[h][kTypicalColumn]);
  }

  PlaneProgram cheapest_program() const {
    // A sum that is right for the lower half, and what the upper half then differs by.
    const int sample = plane_.at(absolute_ ? 256 - 0x48 : 128 + 0x48);
    const auto flips = static_cast<std::uint8_t>(sample ^ plane_.at(0x48));
    const Sum by_rows_alone = of_magnitudes(plane_), by_shapes = of_magnitudes(shapes_);
    const Sum highs = high_term(Index::magnitude_high);
    const bool with_highs = by_shapes.cost + highs.cost < by_rows_alone.cost;
    Sum magnitudes = with_highs ? by_shapes + highs : by_rows_alone;
    const bool whole = costs_.lookup128 < magnitudes.cost;
    if (whole) magnitudes = Sum{costs_.lookup128, {}};
    const std::uint8_t beyond = whole ? plane_.at(0) : std::uint8_t{0};  // what the magnitude 128 is looked up as

    BytePlane differences, of_negated, of_shapes;  // rows 8 to 15
    bool mirrored_everywhere = true;
    for (int h = 0; h < 8; ++h) {
      const ByteRow lower = absolute_ ? mirrored(h, beyond) : plane_[h];
      differences[h] = plane_[h + 8] - (lower ^ ByteRow::all(flips));
      of_negated[h] = plane_[h + 8] + lower;
      of_shapes[h] = shapes_[h + 8] - shapes_[h];
      mirrored_everywhere = mirrored_everywhere && differences[h].zero();
    }
    // A table of rows has room for the one after the last, whose one code is 128.
    const bool row_of_128 = absolute_ && !whole && with_highs;
    if (row_of_128) differences[0][0] = 0;

    const Sum never{kNever, {}};
    Sum by_flips = magnitudes + in_turn(&differences.rows[0], ByteRow{}, kUpper);
    by_flips.cost += flips == 0 ? 0 : flips == 0x80 || flips == 0xFF ? costs_.flip_top_or_all : costs_.flip_some;
    // A negated zero is zero, which some instructions rely on.
    Sum by_negation = never;
    if (plane_.at(0) == 0) {
      by_negation = magnitudes + in_turn(&of_negated.rows[0], ByteRow{}, kUpper);
      by_negation.cost += costs_.negate;
    }
    // A table of all rows holds the sign's effect where that is a constant difference.
    Sum by_table_of_rows = never;
    if (!absolute_) {
      by_table_of_rows = by_shapes + high_term(Index::high) + in_turn(&of_shapes.rows[0], ByteRow{}, kUpper);
    }
    Sum without_sign = never, without_sign_by_shapes = never;
    if (!mirrored_everywhere) {
      without_sign = of_codes(plane_);
      without_sign_by_shapes = of_codes(shapes_) + high_term(Index::high);
    }
    const Sum all_codes{costs_.lookup256, {}};

    const Sum& best =
        cheapest({&by_table_of_rows, &without_sign, &without_sign_by_shapes, &all_codes, &by_flips, &by_negation});
    PlaneProgram program;
    program.terms = best.terms;
    if (&best == &all_codes) {
      program.whole = 256;
      program.entries = plane_;
    } else if (&best == &by_flips || &best == &by_negation) {
      if (whole) set_whole(program);
      program.sign = &best == &by_negation ? SignEffect::negates : flips == 0 ? SignEffect::none : SignEffect::flips;
      program.flips = program.sign == SignEffect::flips ? flips : std::uint8_t{0};
      if (row_of_128 && &best == &by_flips) set_row_of_128(program, flips);
    }
    finish(program);
    return program;
  }

  PlaneProgram cheapest_negated(const std::array<ByteRow, 8>& negatives, SignEffect sign) const {
    PlaneProgram program;
    const Sum by_shapes = of_magnitudes(shapes_) + high_term(Index::magnitude_high),
              by_rows_alone = of_magnitudes(plane_);
    const Sum& magnitudes = cheapest({&by_rows_alone, &by_shapes});
    if (costs_.lookup128 < magnitudes.cost) set_whole(program);
    else program.terms = magnitudes.terms;
    program.sign = sign;
    std::array<ByteRow, 8> differences;
    for (int h = 0; h < 8; ++h) {
      differences[static_cast<std::size_t>(h)] = plane_[h + 8] - negatives[static_cast<std::size_t>(h)];
    }
    const Sum others = in_turn(differences.data(), ByteRow{}, kUpper);
    program.terms.insert(program.terms.end(), others.terms.begin(), others.terms.end());
    finish(program);
    return program;
  }

 private:
  const BytePlane& plane_;
  bool absolute_;
  const Indices& used_;
  const LookupCosts& costs_;
  BytePlane shapes_;  // rows without the constant that one entry of a table of rows can add

  void set_whole(PlaneProgram& program) const {
    program.whole = 128;
    for (int h = 0; h < 8; ++h) program.entries[h] = plane_[h];
  }
  void set_row_of_128(PlaneProgram& program, std::uint8_t flips) const {
    for (Term& term : program.terms) {
      if (term.index.kind == Index::magnitude_high) term.table[8] = plane_.at(128) ^ flips;
    }
  }
  static void finish(PlaneProgram& program) {
    std::sort(program.terms.begin(), program.terms.end(),
              [](const Term& a, const Term& b) { return a.index < b.index; });
  }

  int cost_of(TermIndex index) const { return costs_.term + index_cost(index, costs_, used_); }
  Sum term(TermIndex index, const ByteRow& table) const { return {cost_of(index), {{index, table}}}; }

  /// What shapes_ lack, by a table of rows.
  Sum high_term(Index kind) const {
    const int rows = kind == Index::high ? 16 : 8;
    return term({kind}, ByteRow::each([&](int h) { return h < rows ? plane_[h][kTypicalColumn] : 0; }));
  }

  /// Entries of the lower half in the places of their negatives in row h of the upper half.
  ByteRow mirrored(int h, std::uint8_t beyond) const {
    return ByteRow::each([&](int l) { return h == 0 && l == 0 ? beyond : plane_.at(128 - 16 * h - l); });
  }

  /// The cheapest terms, each for the rows from some row on or for one row only, whose sum is row[0 .. 7], given a
  /// sum that is `start` without them.
  Sum in_turn(const ByteRow* row, const ByteRow& start, const HalfIndices& indices) const {
    // What the terms for rows from some row on have made of the sum so far: `start`, or what a row holds; the first row
    // that does stands for all of these.
    constexpr int kStart = 8;
    std::array<int, 8> holds{};
    for (int i = 0; i < 8; ++i) {
      int first = 0;
      while (!(row[first] == row[i])) ++first;
      holds[static_cast<std::size_t>(i)] = row[i] == start ? kStart : first;
    }
    std::array<int, 9> best;  // least cost of the rows so far when the sum has come to be this
    best.fill(kNever);
    best[kStart] = 0;
    std::array<int, 8> came_from{};
    const auto at = [](auto& of, int i) -> auto& { return of[static_cast<std::size_t>(i)]; };
    const auto cheapest_state = [&best, &at] {
      int state = kStart;
      for (int s = 0; s < kStart; ++s) {
        if (at(best, s) < at(best, state)) state = s;
      }
      return state;
    };
    for (int i = 0; i < 8; ++i) {
      const int here = at(holds, i), state = cheapest_state(), stay = at(best, here);
      const int change = at(best, state) + cost_of({indices.from, indices.first_row + i});
      const int mend = cost_of({indices.only, indices.first_row + i});
      for (int& cost : best) cost = std::min(kNever, cost + mend);
      at(best, here) = std::min(stay, change);
      at(came_from, i) = change < stay ? state : here;
    }

    Sum sum;
    int state = cheapest_state();
    sum.cost = at(best, state);
    const auto sum_of = [&](int s) { return s == kStart ? start : row[s]; };
    for (int i = 7; i >= 0; --i) {
      if (at(holds, i) != state) {
        sum.terms.push_back({{indices.only, indices.first_row + i}, row[i] - sum_of(state)});
      } else if (at(came_from, i) != state) {
        sum.terms.push_back({{indices.from, indices.first_row + i}, row[i] - sum_of(at(came_from, i))});
        state = at(came_from, i);
      }
    }
    return sum;
  }

  /// A sum that is right for rows 0 to 7, of magnitudes.
  Sum of_magnitudes(const BytePlane& plane) const {
    const Sum plain = in_turn(&plane.rows[0], ByteRow{}, kMagnitudes);
    BytePlane inner;
    // (An absolute value of 128 is not among the ends; the sum modulo 128 would take it for 0.)
    if (absolute_ || plain.cost <= costs_.term || !without_ends(plane, 8, inner)) return plain;
    const Sum with_ends =
        term({Index::magnitude_ends}, ends(plane, inner, 8)) + in_turn(&inner.rows[0], ByteRow{}, kMagnitudes);
    return cheapest({&plain, &with_ends});
  }

  /// The same of rows 0 to 15, without a sign.
  Sum of_codes(const BytePlane& plane) const {
    const ByteRow start = most_frequent(plane);
    const Sum plain = halves(plane, start);
    Sum with_ends{kNever, {}}, with_odd{kNever, {}};
    BytePlane inner;
    if (without_ends(plane, 16, inner)) with_ends = halves(inner, start) + term({Index::ends}, ends(plane, inner, 16));
    // Where one row is one unit in the last place, ties go up in odd rows and down in even ones.
    const ByteRow odd = plane[11] - plane[10];
    if (!odd.zero()) {
      BytePlane even = plane;
      for (const int h : {9, 11, 13, 15}) even[h] = plane[h] - odd;
      with_odd = halves(even, start) + term({Index::upper_odd}, odd);
    }
    return cheapest({&plain, &with_ends, &with_odd});
  }

  /// The first and the last row made equal to their neighbours. False where they differ in more than eight columns at
  /// the ends of the code.
  static bool without_ends(const BytePlane& plane, int count, BytePlane& inner) {
    for (int l = 0; l < 8; ++l) {
      if (plane[0][l + 8] != plane[1][l + 8] || plane[count - 1][l] != plane[count - 2][l]) return false;
    }
    inner = plane;
    inner[0] = plane[1];
    inner[count - 1] = plane[count - 2];
    return true;
  }
  static ByteRow ends(const BytePlane& plane, const BytePlane& inner, int count) {
    const ByteRow first = plane[0] - inner[0], last = plane[count - 1] - inner[count - 1];
    return ByteRow::each([&](int i) { return i < 8 ? last[i + 8] : first[i - 8]; });
  }

  /// The row that is there most often, three times or more, or zeros.
  static ByteRow most_frequent(const BytePlane& plane) {
    std::ptrdiff_t most = 2;
    ByteRow found;
    for (const ByteRow& row : plane.rows) {
      const std::ptrdiff_t times = std::count(plane.rows.begin(), plane.rows.end(), row);
      if (times > most) {
        most = times;
        found = row;
      }
    }
    return found;
  }

  /// Both halves from a sum that starts as `start` everywhere, or as zero where that is cheaper.
  Sum halves(const BytePlane& plane, const ByteRow& start) const {
    const auto from = [&](const ByteRow& first) {
      return in_turn(&plane.rows[0], first, kLower) + in_turn(&plane.rows[8], first, kUpper);
    };
    const Sum plain = from(ByteRow{});
    if (start.zero()) return plain;
    const Sum begun = term({Index::column}, start) + from(start);
    return cheapest({&plain, &begun});
  }
};

}  // namespace

int index_cost(TermIndex index, const LookupCosts& costs, const Indices& used) {
  if (used.contains(index)) return 0;
  switch (index.kind) {
    case Index::magnitude_high:
    case Index::high: return costs.high;
    case Index::magnitude_from:
    case Index::lower_from: return index.row == 0 ? costs.from_first_row : costs.from_later_row;
    case Index::upper_from: return index.row == 8 ? costs.from_first_row : costs.from_later_row;
    case Index::magnitude_only:
    case Index::only: return index.row == 0 ? costs.only_first_row : costs.only_later_row;
    case Index::magnitude_ends: return costs.ends_of_magnitude;
    case Index::column: return costs.column;
    case Index::ends: return costs.ends;
    case Index::upper_odd: return costs.odd_rows;
  }
  return kNever;
}

PlaneProgram cheapest_plane(const BytePlane& plane, bool absolute, const Indices& used, const LookupCosts& costs) {
  return Search(plane, absolute, used, costs).cheapest_program();
}

PlaneProgram cheapest_negated_plane(const BytePlane& plane, const std::array<ByteRow, 8>& negatives, SignEffect sign,
                                    const Indices& used, const LookupCosts& costs) {
  return Search(plane, false, used, costs).cheapest_negated(negatives, sign);
}

}  // namespace castforge::lower

#include "lower/plane_search.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>

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

const Sum kNone{kNever, {}};

/// The first of the least costs.
const Sum& cheapest(std::initializer_list<const Sum*> sums) {
  return **std::min_element(sums.begin(), sums.end(), [](const Sum* a, const Sum* b) { return a->cost < b->cost; });
}

/// Rows, at most eight, and what reads the column in the rows from one on, or in one only.
struct RowIndices {
  Index from, only;
  int first_row;  // the number of the first one
  int count;
};

class PlaneSearch {
 public:
  PlaneSearch(const BytePlane& plane, const Codes& codes, const Indices& used, const LookupCosts& costs)
      : plane_(plane),
        codes_(codes),
        half_(codes.half() / 16),
        magnitudes_{Index::magnitude_from, Index::magnitude_only, 0, std::min(half_, codes.last_row + 1)},
        // Narrow codes have no rows after their upper half, so that its index needs no bound above.
        upper_{codes.narrow() ? Index::lower_from : Index::upper_from, Index::only, half_, half_},
        used_(used),
        costs_(costs) {
    for (int h = 0; h < codes.rows(); ++h) shapes_[h] = plane[h] - ByteRow::all(plane[h][kTypicalColumn]);
  }

  PlaneProgram cheapest_program() const { return codes_.splits() ? with_sign() : finished_without_sign(); }

  PlaneProgram cheapest_negated(const std::array<ByteRow, 8>& negatives, SignEffect sign) const {
    PlaneProgram program;
    const Sum by_shapes = of_shapes(), by_rows_alone = of_magnitudes(plane_);
    const Sum& magnitudes = cheapest({&by_rows_alone, &by_shapes});
    if (!codes_.narrow() && costs_.lookup128 < magnitudes.cost) set_whole(program);
    else program.terms = magnitudes.terms;
    program.sign = sign;
    std::array<ByteRow, 8> differences;
    for (int h = 0; h < half_; ++h) {
      differences[static_cast<std::size_t>(h)] = plane_[h + half_] - negatives[static_cast<std::size_t>(h)];
    }
    const Sum others = in_turn(differences.data(), ByteRow{}, upper_);
    program.terms.insert(program.terms.end(), others.terms.begin(), others.terms.end());
    finish(program);
    return program;
  }

 private:
  const BytePlane& plane_;
  const Codes& codes_;
  int half_;  // rows before the sign is set
  RowIndices magnitudes_, upper_;
  const Indices& used_;
  const LookupCosts& costs_;
  BytePlane shapes_;  // rows without the constant that one entry of a table of rows can add

  PlaneProgram with_sign() const {
    // A sum that is right for the lower half, and what the upper half then differs by.
    const int typical = half_ / 2 * 16 + kTypicalColumn;
    const int sample = plane_.at(codes_.absolute ? 256 - typical : codes_.half() + typical);
    const auto flips = static_cast<std::uint8_t>(sample ^ plane_.at(typical));
    const Sum by_rows_alone = of_magnitudes(plane_), by_shapes = of_shapes();
    const bool with_highs = by_shapes.cost < by_rows_alone.cost;
    Sum magnitudes = with_highs ? by_shapes : by_rows_alone;
    const bool whole = !codes_.narrow() && costs_.lookup128 < magnitudes.cost;
    if (whole) magnitudes = Sum{costs_.lookup128, {}};
    const std::uint8_t beyond = whole ? plane_.at(0) : std::uint8_t{0};  // what the magnitude 128 is looked up as

    BytePlane differences, of_negated, from_shapes;  // rows of the upper half
    bool mirrored_everywhere = true;
    for (int h = 0; h < half_; ++h) {
      const ByteRow lower = codes_.absolute ? mirrored(h, beyond) : plane_[h];
      differences[h] = plane_[h + half_] - (lower ^ ByteRow::all(flips));
      of_negated[h] = plane_[h + half_] + lower;
      from_shapes[h] = shapes_[h + half_] - shapes_[h];
      mirrored_everywhere = mirrored_everywhere && differences[h].zero();
    }
    // A table of rows has a spare entry, row 8, which magnitude 128 alone selects.
    const bool row_of_128 = codes_.absolute && !whole && with_highs;
    if (row_of_128) differences[0][0] = 0;

    const int to_top = codes_.narrow() ? costs_.sign_to_top : 0;
    Sum by_flips = magnitudes + in_turn(&differences.rows[0], ByteRow{}, upper_);
    if (flips != 0) by_flips.cost += to_top;
    by_flips.cost += flips == 0 ? 0 : flips == 0x80 || flips == 0xFF ? costs_.flip_top_or_all : costs_.flip_some;
    // A negated zero is zero, which some instructions rely on.
    Sum by_negation = kNone;
    if (plane_.at(0) == 0) {
      by_negation = magnitudes + in_turn(&of_negated.rows[0], ByteRow{}, upper_);
      by_negation.cost += costs_.negate + to_top;
    }
    // A table of all rows holds the sign's effect where that is a constant difference.
    Sum by_table_of_rows = kNone;
    if (!codes_.absolute && !codes_.clamps()) {
      by_table_of_rows =
          of_magnitudes(shapes_) + high_term(Index::high) + in_turn(&from_shapes.rows[0], ByteRow{}, upper_);
    }
    const Sum without_sign = mirrored_everywhere ? kNone : of_codes();
    const Sum all_codes{lookup_of_all(), {}};

    const Sum& best = cheapest({&by_table_of_rows, &without_sign, &all_codes, &by_flips, &by_negation});
    PlaneProgram program;
    program.terms = best.terms;
    if (&best == &all_codes) {
      set_all(program);
    } else if (&best == &by_flips || &best == &by_negation) {
      if (whole) set_whole(program);
      program.sign = &best == &by_negation ? SignEffect::negates : flips == 0 ? SignEffect::none : SignEffect::flips;
      program.flips = program.sign == SignEffect::flips ? flips : std::uint8_t{0};
      if (row_of_128 && &best == &by_flips) set_row_of_128(program, flips);
    }
    finish(program);
    return program;
  }

  PlaneProgram finished_without_sign() const {
    const Sum sum = of_codes();
    PlaneProgram program;
    if (lookup_of_all() < sum.cost) set_all(program);
    else program.terms = sum.terms;
    finish(program);
    return program;
  }

  /// A table of all codes in one.
  int lookup_of_all() const {
    return codes_.bits == 8 ? costs_.lookup256 : codes_.bits == 7 ? costs_.lookup128 : costs_.lookup64;
  }
  void set_all(PlaneProgram& program) const {
    program.whole = std::max(64, codes_.count());
    program.entries = plane_;
  }
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
    const int rows = kind == Index::high ? codes_.rows() : half_;
    return term({kind}, ByteRow::each([&](int h) { return h < rows ? plane_[h][kTypicalColumn] : 0; }));
  }

  /// Entries of the lower half in the places of their negatives in row h of the upper half.
  ByteRow mirrored(int h, std::uint8_t beyond) const {
    return ByteRow::each([&](int l) { return h == 0 && l == 0 ? beyond : plane_.at(128 - 16 * h - l); });
  }

  /// The cheapest terms, each for the rows from some row on or for one row only, whose sum is row[0], row[1] and so on,
  /// given a sum that is `start` without them.
  Sum in_turn(const ByteRow* row, const ByteRow& start, const RowIndices& indices) const {
    // The state of the search is what the sum is so far: `start`, or equal to a row; the first of equal rows stands for
    // all of them.
    constexpr int kStart = 8;
    std::array<int, 8> holds{};
    for (int i = 0; i < indices.count; ++i) {
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
    for (int i = 0; i < indices.count; ++i) {
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
    for (int i = indices.count - 1; i >= 0; --i) {
      if (at(holds, i) != state) {
        sum.terms.push_back({{indices.only, indices.first_row + i}, row[i] - sum_of(state)});
      } else if (at(came_from, i) != state) {
        sum.terms.push_back({{indices.from, indices.first_row + i}, row[i] - sum_of(at(came_from, i))});
        state = at(came_from, i);
      }
    }
    return sum;
  }

  /// A sum that is right for the rows of magnitudes.
  Sum of_magnitudes(const BytePlane& plane) const {
    const Sum plain = in_turn(&plane.rows[0], ByteRow{}, magnitudes_);
    if (codes_.clamps()) {
      const int next = codes_.last_row + 1;
      std::array<ByteRow, 8> beyond;  // what these rows have more than the last magnitude
      for (int h = next; h < half_; ++h) {
        beyond[static_cast<std::size_t>(h)] = plane[h] - ByteRow::all(plane.at(codes_.last()));
      }
      return plain + in_turn(&beyond[static_cast<std::size_t>(next)], ByteRow{},
                             {Index::unclamped_from, Index::unclamped_only, next, half_ - next});
    }
    BytePlane inner;
    // (An absolute value of 128 is not among the ends; the sum modulo 128 would take it for 0.)
    if (codes_.absolute || codes_.narrow() || plain.cost <= costs_.term || !without_ends(plane, 8, inner)) return plain;
    const Sum with_ends =
        term({Index::magnitude_ends}, ends(plane, inner, 8)) + in_turn(&inner.rows[0], ByteRow{}, magnitudes_);
    return cheapest({&plain, &with_ends});
  }

  /// The same with a table of rows, which has no clamped ones.
  Sum of_shapes() const { return codes_.clamps() ? kNone : of_magnitudes(shapes_) + high_term(Index::magnitude_high); }

  /// The same of all rows, without a sign.
  Sum of_codes() const {
    const Sum by_rows_alone = of_codes(plane_), by_shapes = of_codes(shapes_) + high_term(Index::high);
    return cheapest({&by_rows_alone, &by_shapes});
  }
  Sum of_codes(const BytePlane& plane) const {
    const ByteRow start = most_frequent(plane);
    const Sum plain = halves(plane, start);
    if (codes_.narrow()) return plain;
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
  ByteRow most_frequent(const BytePlane& plane) const {
    std::ptrdiff_t most = 2;
    ByteRow found;
    const std::span<const ByteRow> rows(plane.rows.data(), static_cast<std::size_t>(codes_.rows()));
    for (const ByteRow& row : rows) {
      const std::ptrdiff_t times = std::count(rows.begin(), rows.end(), row);
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
      if (codes_.narrow()) return in_turn(&plane.rows[0], first, {Index::lower_from, Index::only, 0, codes_.rows()});
      return in_turn(&plane.rows[0], first, {Index::lower_from, Index::only, 0, 8}) +
             in_turn(&plane.rows[8], first, upper_);
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
    case Index::unclamped_from:
    case Index::lower_from: return index.row == 0 ? costs.from_first_row : costs.from_later_row;
    case Index::upper_from: return index.row == 8 ? costs.from_first_row : costs.from_later_row;
    case Index::magnitude_only:
    case Index::unclamped_only:
    case Index::only: return index.row == 0 ? costs.only_first_row : costs.only_later_row;
    case Index::magnitude_ends: return costs.ends_of_magnitude;
    case Index::column: return costs.column;
    case Index::ends: return costs.ends;
    case Index::upper_odd: return costs.odd_rows;
  }
  return kNever;
}

PlaneProgram cheapest_plane(const BytePlane& plane, const Codes& codes, const Indices& used, const LookupCosts& costs) {
  return PlaneSearch(plane, codes, used, costs).cheapest_program();
}

PlaneProgram cheapest_negated_plane(const BytePlane& plane, const Codes& codes, const std::array<ByteRow, 8>& negatives,
                                    SignEffect sign, const Indices& used, const LookupCosts& costs) {
  return PlaneSearch(plane, codes, used, costs).cheapest_negated(negatives, sign);
}

}  // namespace castforge::lower

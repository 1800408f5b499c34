#include "lower/window_program.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace castforge::lower {
namespace {

using Bytes = std::vector<std::uint8_t>;  // by number seen

constexpr int kSignBit = 0x80;
constexpr int kMostSteps = 4;  // a fifth costs as much as the rows that need it by themselves

std::uint8_t byte(int v) { return static_cast<std::uint8_t>(v); }

std::uint8_t at(const Line& line, Seen /*seen*/, int number) {
  const int above = std::max(0, number - line.least);
  return std::min(byte((line.twice ? 2 * above : above) + line.offset), line.most);
}

std::uint8_t at(const Rows& rows, Seen seen, int number) {
  const int row = number >> 4;
  int sum = rows.first[row];
  for (const ByteRow& step : rows.steps) {
    // Numbers of one row have the same top bit, so that a comparison in two's complement orders them.
    const bool behind = static_cast<std::int8_t>(number) > static_cast<std::int8_t>(step[row]);
    sum += behind ? (rows.down ? -1 : 1) : 0;
  }
  // An absolute value of 128 is no column to a lookup.
  const bool has_column = seen == Seen::code || (number < kSignBit && row >= rows.columns_from);
  if (rows.columns && has_column) sum += (*rows.columns)[number & 15];
  return byte(sum);
}

/// The most frequent byte, the smallest of several.
template <class Range>
std::uint8_t most_frequent(const Range& bytes) {
  std::array<std::uint16_t, 256> times{};
  std::uint8_t found = 0;
  for (const std::uint8_t one : bytes) {
    const int now = ++times[one], most = times[found];
    if (now > most || (now == most && one < found)) found = one;
  }
  return found;
}

class WindowSearch {
 public:
  WindowSearch(std::span<const std::uint64_t> results, TableClass table_class, int limit)
      : results_(results), costs_(lookup_costs(table_class)) {
    best_.table_class = table_class;
    best_.price = limit;
  }

  std::optional<WindowProgram> cheapest() {
    for (const Seen seen : {Seen::code, Seen::below_sign, Seen::absolute}) {
      for (const SignOfCode& sign : signs(seen)) search(seen, sign);
    }
    return found_ ? std::optional(best_) : std::nullopt;
  }

 private:
  std::span<const std::uint64_t> results_;
  const LookupCosts& costs_;
  WindowProgram best_;  // its price is the limit until one is found
  bool found_ = false;
  // Of the search that runs:
  WindowProgram now_;  // without base and windows
  int price_before_base_ = 0;
  Bytes wanted_;
  std::vector<int> starts_;  // of windows

  std::uint8_t result(int code) const { return byte(static_cast<int>(results_[static_cast<std::size_t>(code)])); }

  // ---- signs ----

  std::vector<SignOfCode> signs(Seen seen) const {
    if (seen == Seen::code) return {SignOfCode{}};
    const auto with_sign = [&](int m) { return result(seen == Seen::absolute ? 256 - m : kSignBit + m); };
    Bytes differences;
    for (int m = 1; m < kSignBit; ++m) differences.push_back(result(m) ^ with_sign(m));
    std::vector<SignOfCode> found;
    for (const bool patched : {false, true}) {
      if (patched && seen == Seen::absolute) continue;
      const int first = patched || seen == Seen::absolute ? 1 : 0;
      SignOfCode sign;
      if (patched) sign.patch = result(kSignBit);
      const auto every = [&](int begin, int end, auto agrees) {
        for (int m = begin; m < end; ++m) {
          if (!agrees(m)) return false;
        }
        return true;
      };
      // Instructions that negate by a sign give 0 for the code 0.
      if (result(0) == 0 && every(first, kSignBit, [&](int m) { return byte(-result(m)) == with_sign(m); })) {
        SignOfCode negates = sign;
        negates.negates = true;
        found.push_back(negates);
      }
      sign.flips = most_frequent(differences);
      int same = first;
      while (same < kSignBit && with_sign(same) == result(same)) ++same;
      if (sign.flips != 0 && seen != Seen::absolute && same > first) sign.without = same;
      const int signed_from = std::max(first, sign.without);
      if (every(signed_from, kSignBit, [&](int m) { return byte(result(m) ^ sign.flips) == with_sign(m); })) {
        found.push_back(sign);
      }
    }
    return found;
  }

  int price(const SignOfCode& sign) const {
    const int patch = sign.patch ? costs_.patch : 0;
    if (sign.negates) return costs_.negate + patch;
    if (sign.flips == 0) return patch;
    const bool whole = sign.flips == kSignBit || sign.flips == 0xFF;
    return (whole ? costs_.flip_top_or_all : costs_.flip_some) + (sign.without != 0 ? 1 : 0) + patch;
  }

  // ---- windows ----

  int price_of_window(int start) const {
    if (start == 0) return costs_.term + costs_.only_first_row;
    // No number lies beyond a window at the end, so that its index needs no bound above.
    const bool at_end = start + 15 >= last_seen(now_.seen) && now_.seen == Seen::below_sign;
    return costs_.term + (at_end ? 1 : costs_.only_later_row);
  }

  /// Adds windows wherever the base is not right; keeps the program where it is the cheapest so far.
  template <class Base>
  void consider(const Base& base, int price_of_base) {
    // Most bases cost too much after a few numbers, so what they lack is computed only as it is asked for.
    const auto lack = [&](int m) {
      return m < static_cast<int>(wanted_.size()) ? byte(wanted_[static_cast<std::size_t>(m)] - at(base, now_.seen, m))
                                                  : std::uint8_t{0};
    };
    // From the first number that lacks something on, or from zero, where a window is cheaper.
    for (const bool from_zero : {true, false}) {
      now_.price = price_before_base_ + price_of_base;
      starts_.clear();
      for (int m = 0; m <= last_seen(now_.seen) && now_.price < best_.price; ++m) {
        if (lack(m) == 0) continue;
        starts_.push_back(from_zero && m < 16 ? 0 : m);
        now_.price += price_of_window(starts_.back());
        m = starts_.back() + 15;
      }
      if (now_.price >= best_.price) continue;
      best_ = now_;
      best_.base = base;
      for (const int start : starts_) {
        best_.windows.push_back({start, ByteRow::each([&](int i) { return lack(start + i); })});
      }
      found_ = true;
    }
  }

  // ---- bases ----

  void search(Seen seen, const SignOfCode& sign) {
    now_.table_class = best_.table_class;
    now_.seen = seen;
    now_.sign = sign;
    price_before_base_ = (seen == Seen::code ? 0 : 1) + price(sign);
    wanted_.clear();
    for (int m = 0; m <= last_seen(seen); ++m) wanted_.push_back(result(m));
    if (seen == Seen::absolute) {
      // Only code 0x80 has this absolute value, and its sign is set.
      const std::uint8_t least = result(kSignBit);
      wanted_.back() = sign.negates ? byte(-least) : byte(least ^ sign.flips);
    }
    search_lines();
    search_rows();
  }

  /// The value of the longest run of equal results.
  std::uint8_t longest_run() const {
    int longest = 0, length = 0;
    std::uint8_t found = 0xFF;
    for (std::size_t m = 1; m < wanted_.size(); ++m) {
      length = wanted_[m] == wanted_[m - 1] ? length + 1 : 0;
      if (length > longest) {
        longest = length;
        found = wanted_[m];
      }
    }
    return found;
  }

  /// A line of zeros takes nothing and is not added.
  static int price_of(const Line& line) {
    if (line.most == 0) return -1;
    return (line.least != 0 ? 1 : 0) + (line.twice ? 1 : 0) + (line.offset != 0 ? 1 : 0) + (line.most != 0xFF ? 1 : 0);
  }

  void search_lines() {
    const std::uint8_t most = longest_run();
    Bytes offsets;
    for (Line line; line.least < last_seen(now_.seen); ++line.least) {
      for (const bool twice : {false, true}) {
        line.twice = twice;
        line.offset = 0;
        line.most = 0xFF;
        offsets.clear();
        for (int m = line.least; m <= last_seen(now_.seen); ++m) {
          offsets.push_back(byte(wanted_[static_cast<std::size_t>(m)] - at(line, now_.seen, m)));
        }
        for (const std::uint8_t offset : {std::uint8_t{0}, most_frequent(offsets)}) {
          line.offset = offset;
          for (const std::uint8_t clamp : {std::uint8_t{0xFF}, most}) {
            line.most = clamp;
            consider(line, price_of(line));
          }
        }
      }
    }
  }

  /// The row-th 16 results, the last of them repeated where there are fewer.
  ByteRow row_of(int row) const {
    const std::size_t first = 16 * static_cast<std::size_t>(row);
    return ByteRow::each(
        [&](int i) { return wanted_[std::min(first + static_cast<std::size_t>(i), wanted_.size() - 1)]; });
  }
  int row_count() const { return (static_cast<int>(wanted_.size()) + 15) / 16; }

  void search_rows() {
    search_steps(Rows{}, 0);
    std::vector<ByteRow> tried;
    for (int r = 0; r < row_count(); ++r) {
      const ByteRow shape = row_of(r) - ByteRow::all(row_of(r)[0]);
      if (shape.zero() || std::ranges::find(tried, shape) != tried.end()) continue;
      tried.push_back(shape);
      for (int from = 0; from < (now_.seen == Seen::code ? 1 : 8); ++from) {
        Rows rows;
        rows.columns = shape;
        rows.columns_from = from;
        const int index = now_.seen == Seen::code ? costs_.column
                          : from == 0             ? costs_.from_first_row
                                                  : costs_.from_later_row;
        search_steps(rows, costs_.term + index);
      }
    }
  }

  void search_steps(const Rows& without, int price_of_columns) {
    for (int steps = 0; steps <= kMostSteps; ++steps) {
      for (const bool down : {false, true}) {
        if (steps == 0 && down) continue;
        Rows rows = without;
        rows.down = down;
        rows.steps.assign(static_cast<std::size_t>(steps), ByteRow{});
        for (int r = 0; r < row_count(); ++r) place_row(rows, r);
        consider(rows, costs_.high + costs_.term - 1 + price_of_columns + steps * costs_.step);
      }
    }
  }

  /// The first result of a row and its steps; no steps, and the most frequent result, where they do not reach.
  void place_row(Rows& rows, int r) const {
    ByteRow row = row_of(r);
    const bool has_columns = now_.seen == Seen::code || (r < 8 && r >= rows.columns_from);
    if (rows.columns && has_columns) row = row - *rows.columns;
    const auto none = byte(r < 8 || now_.seen != Seen::code ? 0x7F : 0xFF);  // the last number there, or 128 alone
    for (ByteRow& step : rows.steps) step[r] = none;
    std::size_t taken = 0;
    for (int c = 1; c < 16; ++c) {
      const auto change = static_cast<std::int8_t>(rows.down ? row[c - 1] - row[c] : row[c] - row[c - 1]);
      if (change < 0 || taken + static_cast<std::size_t>(change) > rows.steps.size()) {
        for (ByteRow& step : rows.steps) step[r] = none;
        rows.first[r] = most_frequent(row.bytes);
        return;
      }
      for (int i = 0; i < change; ++i) rows.steps[taken++][r] = byte(16 * r + c - 1);
    }
    rows.first[r] = row[0];
  }
};

}  // namespace

std::uint8_t base_at(const WindowProgram& program, int number) {
  return std::visit([&](const auto& base) { return at(base, program.seen, number); }, program.base);
}

std::optional<WindowProgram> program_of_windows(std::span<const std::uint64_t> results, TableClass table_class,
                                                int limit) {
  return WindowSearch(results, table_class, limit).cheapest();
}

int last_seen(Seen seen) { return seen == Seen::code ? 255 : seen == Seen::below_sign ? 127 : 128; }

}  // namespace castforge::lower

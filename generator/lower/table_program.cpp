#include "lower/table_program.hpp"

#include <algorithm>
#include <bit>
#include <castforge/elements.hpp>
#include <stdexcept>

#include "lower/plane_search.hpp"

namespace castforge::lower {
namespace {

/// Has a code with its sign the negative of the result without, but for a few? A number of one bit is its own negative.
bool mostly_negated(std::span<const std::uint64_t> results, const Codes& codes, int dst_bits) {
  if (!codes.splits() || results[0] != 0 || dst_bits == 1) return false;
  int negative = 0, others = 0;
  const auto half = static_cast<std::size_t>(codes.half());
  for (std::size_t c = 1; c < half; ++c) {
    if (results[c] == 0 && results[c + half] == 0) continue;
    const bool opposite = ((results[c] + results[c + half]) & low_bits(dst_bits)) == 0;
    ++(opposite ? negative : others);
  }
  return negative > 4 * others;
}

/// Do the results of two's complement negatives differ by constant bits? A few codes tell number formats apart.
bool differs_by_sign(const BytePlane& plane) {
  const int flip = plane.at(3) ^ plane.at(253);
  return std::ranges::all_of(std::array{0x12, 0x34, 0x48, 0x65},
                             [&](int code) { return (plane.at(code) ^ plane.at(256 - code)) == flip; });
}

/// Byte j of every result. Planes of fewer than 256 codes end in zeros.
std::vector<BytePlane> planes_of(std::span<const std::uint64_t> results, int dst_bits) {
  std::vector<BytePlane> planes(static_cast<std::size_t>(storage_unit(dst_bits) / 8));
  for (std::size_t j = 0; j < planes.size(); ++j) {
    for (std::size_t c = 0; c < results.size(); ++c) {
      planes[j].set(static_cast<int>(c), static_cast<std::uint8_t>(results[c] >> (8 * j)));
    }
  }
  return planes;
}

/// Makes of each distinct plane that is not all zero a program, by `make`, in order of the bytes.
template <class Make>
void add_planes(TableProgram& program, const std::vector<BytePlane>& planes, Make make) {
  for (std::size_t j = 0; j < planes.size(); ++j) {
    const auto same =
        std::find(planes.begin(), planes.begin() + static_cast<std::ptrdiff_t>(j), planes[j]) - planes.begin();
    if (planes[j] == BytePlane{}) {
      program.from.push_back(-1);
    } else if (same < static_cast<std::ptrdiff_t>(j)) {
      program.from.push_back(program.from[static_cast<std::size_t>(same)]);
    } else {
      program.from.push_back(static_cast<int>(program.planes.size()));
      program.planes.push_back(make(planes[j]));
    }
  }
}

void use(Indices& used, const PlaneProgram& plane) {
  for (const Term& term : plane.terms) used.insert(term.index);
}

/// Results of a part of a byte of which nobody sees the other bits: the negative of one becomes that of a whole byte.
std::vector<std::uint64_t> whole_negatives(std::span<const std::uint64_t> results, const Codes& codes, int dst_bits) {
  std::vector<std::uint64_t> seen(results.begin(), results.end());
  const auto half = static_cast<std::size_t>(codes.half());
  for (std::size_t c = 0; c < half; ++c) {
    if (((seen[c + half] + seen[c]) & low_bits(dst_bits)) == 0)
      seen[c + half] = (0 - seen[c]) & low_bits(storage_unit(dst_bits));
  }
  return seen;
}

void plan_rows(TableProgram& program, std::span<const std::uint64_t> results, const LookupCosts& costs) {
  Codes& codes = program.codes;
  const int half = codes.half();
  const bool negates = mostly_negated(results, codes, program.dst_bits);
  program.masked = negates && program.dst_bits < storage_unit(program.dst_bits);
  const std::vector<std::uint64_t> seen =
      program.masked ? whole_negatives(results, codes, program.dst_bits) : std::vector(results.begin(), results.end());
  const std::vector<BytePlane> planes = planes_of(seen, program.dst_bits);
  const auto changes_sign = [](const BytePlane& plane) { return plane.at(3) != plane.at(253); };
  codes.absolute = !codes.narrow() && !negates && std::ranges::all_of(planes, differs_by_sign) &&
                   std::ranges::any_of(planes, changes_sign);

  Indices used;
  if (!negates || planes.size() == 1) {
    add_planes(program, planes, [&](const BytePlane& plane) {
      PlaneProgram made = cheapest_plane(plane, codes, used, costs);
      use(used, made);
      return made;
    });
    return;
  }
  std::array<bool, 128> all_zero;  // codes whose bytes so far are zero
  all_zero.fill(true);
  bool has_carry = false;
  add_planes(program, planes, [&](const BytePlane& plane) {
    std::array<ByteRow, 8> negatives;
    bool tells_zero = false;
    for (int c = 0; c < half; ++c) {
      bool& zero = all_zero[static_cast<std::size_t>(c)];
      const int carry = has_carry && !zero ? 0 : 1;
      negatives[static_cast<std::size_t>(c >> 4)][c & 15] = static_cast<std::uint8_t>((plane.at(c) ^ 0xFF) + carry);
      tells_zero = tells_zero || (zero && plane.at(c) != 0);
      zero = zero && plane.at(c) == 0;
    }
    const SignEffect sign = has_carry ? SignEffect::negates_with_carry : SignEffect::negates;
    PlaneProgram made = cheapest_negated_plane(plane, codes, negatives, sign, used, costs);
    made.tells_zero = tells_zero;
    has_carry = has_carry || tells_zero;
    use(used, made);
    return made;
  });
  // After the last plane that takes a carry nobody needs the masks.
  for (auto plane = program.planes.rbegin(); plane != program.planes.rend(); ++plane) {
    plane->tells_zero = false;
    if (plane->sign == SignEffect::negates_with_carry) break;
  }
}

int sign_price(const PlaneProgram& plane, const LookupCosts& costs) {
  switch (plane.sign) {
    case SignEffect::none: return 0;
    case SignEffect::flips: return plane.flips == 0x80 || plane.flips == 0xFF ? costs.flip_top_or_all : costs.flip_some;
    case SignEffect::negates: return costs.negate;
    case SignEffect::negates_with_carry: return costs.negate_with_carry;
    case SignEffect::replaces: return costs.replace;
  }
  return 0;
}

int price(const PlaneProgram& plane, const LookupCosts& costs, const Indices& used) {
  int total = plane.whole == 256   ? costs.lookup256
              : plane.whole == 128 ? costs.lookup128
              : plane.whole == 64  ? costs.lookup64
              : plane.whole == 16  ? costs.term
                                   : 0;
  for (const Term& term : plane.terms) total += costs.term + index_cost(term.index, costs, used);
  return total + sign_price(plane, costs) + (plane.patch ? costs.patch : 0);
}

/// One instruction reads 128 entries: they are enough where bit 7 has the same effect on every code but 0x80.
PlaneProgram plan_whole(const BytePlane& plane, const LookupCosts& costs) {
  PlaneProgram best;
  best.whole = 256;
  best.entries = plane;
  const auto attempt = [&](SignEffect sign, std::uint8_t flips, std::uint8_t other, auto upper) {
    PlaneProgram program;
    program.whole = 128;
    for (int h = 0; h < 8; ++h) program.entries[h] = plane[h];
    program.sign = sign;
    program.flips = flips;
    program.other = other;
    for (int c = 1; c < 128; ++c) {
      if (plane.at(c + 128) != static_cast<std::uint8_t>(upper(plane.at(c)))) return;
    }
    if (plane.at(128) != static_cast<std::uint8_t>(upper(plane.at(0)))) program.patch = plane.at(128);
    if (price(program, costs, {}) <= price(best, costs, {})) best = program;
  };
  const std::uint8_t flips = plane.at(1) ^ plane.at(129), last = plane.at(255);
  attempt(flips == 0 ? SignEffect::none : SignEffect::flips, flips, 0, [=](int byte) { return byte ^ flips; });
  if (plane.at(0) == 0) attempt(SignEffect::negates, 0, 0, [](int byte) { return -byte; });
  attempt(SignEffect::replaces, 0, last, [=](int) { return last; });
  return best;
}

void plan_tables(TableProgram& program, std::span<const std::uint64_t> results, const LookupCosts& costs) {
  Indices used;
  add_planes(program, planes_of(results, program.dst_bits), [&](const BytePlane& plane) {
    const PlaneProgram whole = plan_whole(plane, costs), terms = cheapest_plane(plane, program.codes, used, costs);
    const PlaneProgram& best = price(terms, costs, used) < price(whole, costs, used) ? terms : whole;
    use(used, best);
    return best;
  });
}

}  // namespace

TableProgram program_of_table(std::span<const std::uint64_t> results, int dst_bits, TableClass table_class) {
  TableProgram program;
  program.table_class = table_class;
  program.dst_bits = dst_bits;
  Codes& codes = program.codes;
  codes.bits = std::bit_width(results.size()) - 1;
  codes.sign_place = codes.bits - 1;
  if (!std::has_single_bit(results.size()) || codes.bits < 1 || codes.bits > 8) {
    throw std::invalid_argument("a table has one result for each code of at most 8 bits");
  }

  const LookupCosts& costs = lookup_costs(table_class);
  program.identity = codes.bits == dst_bits;
  for (std::size_t c = 0; c < results.size(); ++c) program.identity = program.identity && results[c] == c;
  if (program.identity) return program;
  if (table_class == TableClass::vbmi && codes.bits <= 4 && dst_bits > 8) {
    program.wide.assign(results.begin(), results.end());
  } else if (codes.bits <= 4) {
    add_planes(program, planes_of(results, dst_bits), [](const BytePlane& plane) {
      PlaneProgram made;
      made.whole = 16;
      made.entries = plane;
      return made;
    });
  } else if (codes.narrow()) {
    TableProgram whole = program;
    whole.codes.sign_place = codes.bits;
    plan_rows(program, results, costs);
    plan_rows(whole, results, costs);
    if (price(whole, costs) <= price(program, costs)) return whole;
  } else if (table_class == TableClass::vbmi) {
    TableProgram masked = program;
    plan_tables(program, results, costs);
    if (mostly_negated(results, codes, dst_bits) && dst_bits < storage_unit(dst_bits)) {
      masked.masked = true;
      plan_tables(masked, whole_negatives(results, codes, dst_bits), costs);
      if (price(masked, costs) + costs.mask < price(program, costs)) return masked;
    }
  } else {
    const TableProgram blank = program;
    plan_rows(program, results, costs);
    // Clamped to the end of a row that most later magnitudes share the result of.
    for (int row = 0; row < 7 && !program.codes.absolute; ++row) {
      TableProgram clamped = blank;
      clamped.codes.last_row = row;
      plan_rows(clamped, results, costs);
      if (price(clamped, costs) < price(program, costs)) program = clamped;
    }
  }
  return program;
}

int price(const TableProgram& program, const LookupCosts& costs) {
  if (!program.wide.empty()) return costs.term;
  int total = 0;
  Indices used;
  for (const PlaneProgram& plane : program.planes) {
    total += price(plane, costs, used);
    use(used, plane);
  }
  const Codes& codes = program.codes;
  const auto magnitude = [](const Term& term) { return of_magnitude(term.index.kind); };
  const bool splits = codes.narrow() && std::ranges::any_of(program.planes, [&](const PlaneProgram& plane) {
                        return std::ranges::any_of(plane.terms, magnitude);
                      });
  const bool clamps =
      codes.clamps() && std::ranges::any_of(program.planes, [&](const PlaneProgram& plane) {
        return std::ranges::any_of(plane.terms, [](const Term& term) { return of_clamped_magnitude(term.index.kind); });
      });
  const bool moves_sign = codes.narrow() && std::ranges::any_of(program.planes, [](const PlaneProgram& plane) {
                            return plane.sign != SignEffect::none;
                          });
  return total + (splits ? costs.split : 0) + (clamps ? costs.clamp : 0) + (moves_sign ? costs.sign_to_top : 0);
}

}  // namespace castforge::lower

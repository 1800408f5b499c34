#include "plan/planner.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "ir/program_text.hpp"
#include "plan/afterwards.hpp"
#include "plan/lowerings.hpp"

namespace castforge::plan {
namespace {

using ir::Builder;
using ir::kNeedsNothing;
using ir::Program;
using spec::Meaning;
using spec::Type;
using Built = std::optional<Program>;

Built by_row(const Lowering& row, const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  if (!row.source(src) || !row.destination(dst) || !row.rule(meaning)) return {};
  Builder b(std::string(row.id), "generator/" + std::string(row.file), src.storage_bits, dst.storage_bits,
            row.lanes(meaning));
  b.needs(row.needs);
  return row.build(b, meaning);
}

Built with_sign_of_zero(const Lowering& row, const Meaning& meaning) {
  if (row.results == Results::exact || meaning.zero_sign == spec::ZeroSign::kept) return by_row(row, meaning);
  Meaning with_sign = meaning;
  with_sign.zero_sign = spec::ZeroSign::kept;
  Built built = by_row(row, with_sign);
  return built ? Built(without_minus_zero(std::move(*built), *meaning.dst)) : std::nullopt;
}

/// What a lowering makes of a rule. One that has no program for infinities with a result of their own is asked once
/// more with infinities as overflow.
Built lowered(const Lowering& row, const Meaning& meaning) {
  if (Built built = with_sign_of_zero(row, meaning)) return built;
  if (!has_infinity_apart(meaning)) return {};
  Meaning overflows = meaning;
  overflows.inf = spec::InfResult::as_overflow;
  Built built = with_sign_of_zero(row, overflows);
  return built ? Built(with_infinity_apart(std::move(*built), meaning)) : std::nullopt;
}

bool is_long_table(const Program& program) {
  const ir::Node& result = program.result();
  return result.op == ir::Op::table && !is_short(program.tables[static_cast<std::size_t>(result.table)]);
}

}  // namespace

NoLayout::NoLayout(const Type& type, Because because)
    : std::runtime_error("no working layout holds " + type.name), type(type), because(because) {}

std::vector<Program> plan_kernel(const Meaning& meaning, const InstructionSet* next_on) {
  std::vector<Program> programs;
  Built left_out;
  const bool by_element = !has_vector_loop(meaning.src->storage_bits) || !has_vector_loop(meaning.dst->storage_bits);
  for (const Lowering& row : lowerings()) {
    if (left_out && left_out->id == row.id) continue;
    Built built = lowered(row, meaning);
    if (!built || (by_element && built->needs != kNeedsNothing)) continue;
    const bool last = built->needs == kNeedsNothing;  // nothing after it would be chosen
    if (next_on != nullptr && !left_out && !last && runs(*next_on, *built)) {
      left_out = std::move(built);
      continue;
    }
    if (left_out) {
      if (!last && ir::do_the_same(*built, *left_out)) continue;
      // Of two programs by one name the later one needs less. They meet where the one between them is left out.
      std::erase_if(programs, [&](const Program& one) { return one.id == built->id; });
    }
    programs.push_back(std::move(*built));
    if (!last) continue;
    if (left_out) {
      const auto next = std::ranges::find_if(programs, [&](const Program& one) { return runs(*next_on, one); });
      if (is_long_table(*next)) programs.insert(next, std::move(*left_out));
    }
    keep_chosen(programs);
    return programs;
  }
  throw std::runtime_error("no plan from " + meaning.src->name + " to " + meaning.dst->name);
}

}  // namespace castforge::plan

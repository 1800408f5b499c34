#include "compare.hpp"

#include <algorithm>
#include <cstdio>

#include "exhaustive/inputs.hpp"
#include "program.hpp"

namespace castforge::evaluator {

namespace {

constexpr std::uint64_t kOtherNan = 0xFFFFFFFF;  // negative, and with another payload than the usual one

std::string hex(std::uint64_t code, int bits) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llX", (bits + 3) / 4, static_cast<unsigned long long>(code));
  return text;
}

std::string described(const oracle::Codec& codec, std::uint64_t code, int unit) {
  const oracle::Value v = codec.decode(code);
  char text[64];
  std::snprintf(text, sizeof text, "%.20Lg", v.magnitude);
  const char* magnitude = v.what == oracle::Class::nan ? "NaN" : v.what == oracle::Class::infinite ? "Inf" : text;
  return hex(code, unit) + " (" + (v.negative ? "-" : "") + magnitude + ")";
}

}  // namespace

Results::Results(const Kernel& kernel, std::span<const std::uint64_t> codes) : kernel_(kernel), codes_(codes) {
  // Which plan a set runs is known only where every plan could be read.
  const bool complete = kernel.plans.size() == kernel.order.size();
  std::vector<std::vector<InstructionSet>> sets(kernel.plans.size());
  if (complete) {
    sets = runners(kernel);
    const std::string& least = instruction_sets().front().name;
    const auto runs_there = [&](const auto& of_plan) { return !of_plan.empty() && of_plan.front().name == least; };
    if (std::none_of(sets.begin(), sets.end(), runs_there)) {
      findings_.push_back({kernel.file, kernel.line, "", "no plan runs on " + least});
    }
  }
  for (std::size_t i = 0; i < kernel.plans.size(); ++i) {
    by_plan_.emplace_back();
    try {
      by_plan_.back() = evaluate(kernel.plans[i], sets[i]);
    } catch (const Error& e) {
      findings_.push_back({kernel.plans[i].file, e.line(), kernel.plans[i].name, e.what()});
    }
  }
}

std::vector<std::uint64_t> Results::evaluate(const Plan& plan, const std::vector<InstructionSet>& sets) {
  const Program program(kernel_, plan);
  const auto any_offers = [&sets](const char* feature) {
    return std::any_of(sets.begin(), sets.end(), [&](const InstructionSet& s) { return offers(s, feature); });
  };
  const World usual = world_of(sets);
  std::vector<std::uint64_t> results(codes_.size()), others(codes_.size());
  const bool makes_nan = program.run(codes_, results, usual);
  evaluated_ += codes_.size();
  const auto same_in = [&](const World& world, const char* what) {
    program.run(codes_, others, world);
    evaluated_ += codes_.size();
    const auto [first, other] = std::mismatch(results.begin(), results.end(), others.begin());
    if (first == results.end()) return;
    const int from = unit_of(kernel_.src_bits), to = unit_of(kernel_.dst_bits);
    findings_.push_back({plan.file, plan.line, plan.name,
                         hex(codes_[static_cast<std::size_t>(first - results.begin())], from) + " gives " +
                             hex(*first, to) + ", and " + hex(*other, to) + " " + what});
  };
  if (makes_nan) {
    World world = usual;
    world.nan = kOtherNan;
    same_in(world, "with another arithmetic NaN");
  }
  // Under "rounding" a set whose instructions embed it leaves the control register alone, flushing included.
  const bool may_flush = plan.environment == "none" || (plan.environment == "rounding" && any_offers("avx512"));
  if (may_flush && program.flushes()) {
    World world = usual;
    world.flush = true;
    same_in(world, "where subnormal numbers are flushed");
  }
  if (plan.environment == "none" && program.rounds()) {
    World world = usual;
    world.truncate = true;
    same_in(world, "where the thread rounds toward zero");
  }
  if (any_offers("vector") && program.has_long_table()) {
    throw Error(plan.line, "lane::table of more than 16 bytes in a plan that a vector set runs");
  }
  return results;
}

void Results::compare(const oracle::Codec& src, const oracle::Codec& dst, std::span<const std::uint64_t> expected,
                      const std::string& asked, std::vector<Finding>& findings) const {
  for (std::size_t i = 0; i < by_plan_.size(); ++i) {
    const std::vector<std::uint64_t>& got = by_plan_[i];
    if (got.empty()) continue;
    std::size_t wrong = 0, first = 0;
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (got[k] != expected[k] && wrong++ == 0) first = k;
    }
    if (wrong == 0) continue;
    const int from = unit_of(kernel_.src_bits), to = unit_of(kernel_.dst_bits);
    findings.push_back({kernel_.plans[i].file, kernel_.plans[i].line, kernel_.plans[i].name,
                        described(src, codes_[first], from) + " gives " + described(dst, got[first], to) +
                            ", expected " + described(dst, expected[first], to) + "; " + std::to_string(wrong) +
                            " of " + std::to_string(got.size()) + " codes differ (" + asked + ")"});
  }
}

void Results::check_nibbles(std::vector<Finding>& findings) const {
  if (4 % kernel_.src_bits != 0 || 4 % kernel_.dst_bits != 0) return;
  const std::size_t elements = 4 / static_cast<std::size_t>(kernel_.src_bits);
  // The lowest bit of an element where all of a nibble are one number.
  const auto place = [elements](std::size_t i, int bits, bool high_first) {
    return (high_first ? elements - 1 - i : i) * static_cast<std::size_t>(bits);
  };
  for (std::size_t p = 0; p < by_plan_.size(); ++p) {
    const Plan& plan = kernel_.plans[p];
    const std::vector<std::uint64_t>& results = by_plan_[p];
    if (results.empty()) continue;
    const auto table =
        std::find_if(plan.tables.begin(), plan.tables.end(), [](const Table& t) { return t.name == "kOfNibble"; });
    if (table == plan.tables.end()) {
      const Expression& result = plan.statements.back().value;
      const bool copies = kernel_.src_bits == kernel_.dst_bits && kernel_.src_high_first == kernel_.dst_high_first &&
                          result.kind == Expression::Kind::name && result.text == plan.parameter;
      if (!copies) findings.push_back({plan.file, plan.line, plan.name, "a plan without kOfNibble"});
      continue;
    }
    if (table->entries.size() != 16) {
      findings.push_back({plan.file, table->line, plan.name,
                          "kOfNibble has " + std::to_string(table->entries.size()) + " entries, not 16"});
      continue;
    }
    for (std::size_t nibble = 0; nibble < 16; ++nibble) {
      std::uint64_t expected = 0;
      for (std::size_t i = 0; i < elements; ++i) {
        const std::size_t code = nibble >> place(i, kernel_.src_bits, kernel_.src_high_first) & (results.size() - 1);
        expected |= results[code] << place(i, kernel_.dst_bits, kernel_.dst_high_first);
      }
      if (table->entries[nibble] == expected) continue;
      findings.push_back({plan.file, table->line, plan.name,
                          "kOfNibble has " + hex(table->entries[nibble], table->bits) + " for the bits " +
                              hex(nibble, 4) + ", map() gives " + hex(expected, table->bits)});
      break;
    }
  }
}

std::vector<std::uint64_t> codes_for(const Kernel& kernel, const oracle::Codec& src, const oracle::Codec& dst) {
  if (kernel.src_bits > 16) return exhaustive::inputs_for(src, dst);
  std::vector<std::uint64_t> codes(std::size_t{1} << kernel.src_bits);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = i;
  return codes;
}

void check_comment(const Kernel& kernel, std::vector<Finding>& findings) {
  if (kernel.plans.size() != kernel.order.size()) return;
  constexpr std::size_t kText = 12;  // where the text of a comment begins, behind its label
  const std::string label = "   plan     ", margin(kText, ' '), runs = ", runs on";
  std::vector<std::string> said;
  bool goes_on = false;
  for (const std::string& line : kernel.comments) {
    if (line.starts_with(label)) {
      said.push_back(line.substr(kText));
    } else if (goes_on && line.starts_with(margin)) {
      said.back() += " " + line.substr(kText);
    }
    goes_on = line.starts_with(label) || (goes_on && line.starts_with(margin));
  }
  std::vector<std::string> expected;
  const std::vector<std::vector<InstructionSet>> sets = runners(kernel);
  for (std::size_t i = 0; i < kernel.plans.size(); ++i) {
    expected.push_back(kernel.plans[i].name + runs);
    for (const InstructionSet& set : sets[i]) expected.back() += " " + set.name;
  }
  for (std::string& line : said) {  // to <plan>, runs on ...
    const std::size_t name = line.find('.') + 1, source = line.find(" ("), sets_at = line.rfind(runs);
    if (name == 0 || source < name || source == std::string::npos || sets_at == std::string::npos) continue;
    line = line.substr(name, source - name) + line.substr(sets_at);
  }
  for (std::size_t i = 0; i < std::max(said.size(), expected.size()); ++i) {
    const std::string has = i < said.size() ? said[i] : "nothing",
                      wants = i < expected.size() ? expected[i] : "nothing";
    if (has != wants) {
      findings.push_back(
          {kernel.file, kernel.line, "", "its comment says \"" + has + "\", expected \"" + wants + "\""});
    }
  }
}

void check_rows(const Kernel& kernel, const oracle::Converter& oracle, std::vector<Finding>& findings) {
  if (kernel.rows.empty()) {
    findings.push_back({kernel.file, kernel.line, "", "no row of the kernel is asserted"});
    return;
  }
  std::vector<std::uint64_t> codes, expected;
  for (const Row& row : kernel.rows) {
    codes.push_back(row.code);
    expected.push_back(oracle(row.code));
    if (row.result == expected.back()) continue;
    findings.push_back({kernel.file, row.line, "",
                        "the assertion says " + hex(row.code, kernel.src_bits) + " gives " +
                            hex(row.result, kernel.dst_bits) + ", expected " + hex(expected.back(), kernel.dst_bits)});
  }
  Results(kernel, codes).compare(oracle.src(), oracle.dst(), expected, "codes of the assertion", findings);
}

}  // namespace castforge::evaluator

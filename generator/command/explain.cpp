#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "audit/explanation.hpp"
#include "cli/io/json_text.hpp"
#include "command/command.hpp"
#include "command/counterexample.hpp"
#include "emit/kernel_file.hpp"
#include "emit/truth_table.hpp"
#include "semantics/convert.hpp"
#include "spec/canonical.hpp"
#include "spec/hex.hpp"
#include "spec/notation.hpp"
#include "spec/resolve.hpp"
#include "tabulate/table.hpp"

namespace castforge::command {
namespace {

using Json = nlohmann::ordered_json;

/// What there is to say of a pair under an op-set, looked up once.
struct Explanation {
  const Selected& selected;
  spec::Meaning canonical;
  driver::Kernel* kernel = nullptr;  // none where strings are converted
  std::string path, source;          // of the kernel: below generated/, and its text there
  evidence::KernelEvidence verified;
  std::vector<evidence::ProcessorFamily> processors;  // on which it runs as on a lesser instruction set

  bool is_text() const {
    return canonical.src->kind == spec::Kind::string || canonical.dst->kind == spec::Kind::string;
  }
};

void print_head(const Explanation& facts) {
  const Selected& selected = facts.selected;
  std::printf("%s -> %s under %s", selected.src->name.c_str(), selected.dst->name.c_str(),
              selected.opset->name().c_str());
  for (const auto& [name, value] : selected.attributes) {
    if (std::ranges::find(selected.idle, name) == selected.idle.end())
      std::printf("  %s=%s", name.c_str(), value.c_str());
  }
  for (const std::string& name : selected.idle) std::printf("  (%s has no effect)", name.c_str());
  if (!selected.opset->notation.empty())
    std::printf("\n%s", spec::written(*selected.opset, *selected.src, *selected.dst, selected.attributes).c_str());
  std::printf("\n\nTypes\n");
  for (const spec::Type* type : {selected.src, selected.dst}) {
    std::printf("  %-16s %s:%d\n", type->name.c_str(), type->where.file.c_str(), type->where.line);
    if (!type->doc.empty()) std::printf("  %-16s %s\n", "", type->doc.c_str());
    for (const std::string& cite : type->cites) std::printf("  %-16s cites %s\n", "", cite.c_str());
  }

  std::printf("\nRule, property by property (a later rule wins over an earlier one)\n");
  for (const audit::Property& property : audit::properties(selected.meaning)) {
    const spec::Rule& rule = *property.rule;
    std::printf("  %-10s = %-14s %s:%d:%d  %s  rule \"%s\"\n", property.name.c_str(), property.word.c_str(),
                rule.where.file.c_str(), rule.where.line, rule.where.column, rule.where.pointer.c_str(),
                rule.id.c_str());
    if (!rule.basis.empty()) std::printf("  %-27s   basis: %s\n", "", rule.basis.c_str());
  }
  std::printf("\nMeaning\n  %s\n", driver::meaning_summary(facts.canonical).c_str());
  if (const spec::Rounding* round = facts.canonical.round; round != nullptr) {
    std::printf("  carry table of %s (%s): %s, %s:%d\n", round->name.c_str(), round->short_name.c_str(),
                driver::carry_word(*round).c_str(), round->where.file.c_str(), round->where.line);
  }
  if (selected.opset->options.empty()) return;
  std::printf("\nOptions of the op-set\n");
  for (const auto& [name, value] : selected.opset->options) std::printf("  %-20s %s\n", name.c_str(), value.c_str());
}

void print_kernel(const Explanation& facts) {
  const driver::Kernel& kernel = *facts.kernel;
  std::printf("\nTruth table\n");
  for (const std::string& row : emit::format_truth_table(facts.canonical)) std::printf("  %s\n", row.c_str());
  std::printf("\nKernel\n  %s  %s\n  source generated/%s, struct %s\n", kernel.name.c_str(), kernel.hash.c_str(),
              facts.path.c_str(), kernel.struct_name.c_str());
  for (const audit::PlanFacts& plan : audit::plan_facts(kernel, facts.verified)) {
    std::string sets;
    for (const std::string& set : plan.instruction_sets) sets += " " + set;
    std::printf("  plan   %s, %zu operation%s (%s), runs on%s\n         program %s, verified: %s\n", plan.id.c_str(),
                plan.operations, plan.operations == 1 ? "" : "s", plan.source.c_str(), sets.c_str(),
                plan.verified.program.c_str(), plan.verified.word().c_str());
  }
  for (const evidence::ProcessorFamily& family : facts.processors)
    std::printf("  %-6s %s\n", family.name.c_str(), evidence::family_note(family).c_str());
  std::printf("  data   %s\n", tabulate::describe(tabulate::tabulate(facts.canonical)).c_str());
  std::printf("  used by");
  for (const std::string& name : kernel.opsets) std::printf(" %s", name.c_str());
  const audit::CheckFacts checked = audit::check_facts(facts.canonical);
  std::printf(
      "\n\nProof state\n  every plan equals the exact semantics on %zu source elements: %s (checked just now)\n",
      checked.points, checked.words());
  if (!facts.verified.swept.empty()) {
    std::string sets;
    for (const std::string& set : facts.verified.swept) sets += " " + set;
    std::printf("  compiled, at all 2^%d source codes (on record): on%s\n", facts.canonical.src->value_bits,
                sets.c_str());
  }
  std::printf("  mark: %s\n", facts.verified.mark());
  std::printf("\nSource, as the library runs it\n");
  std::istringstream source(facts.source);
  for (std::string line; std::getline(source, line);) std::printf("  %s\n", line.c_str());
}

void print_steps(const Explanation& facts, std::uint64_t element) {
  const spec::Meaning& meaning = facts.canonical;
  std::printf("\nElement %s becomes %s\n", element_text(*meaning.src, element).c_str(),
              element_text(*meaning.dst, semantics::convert_storage(meaning, element)).c_str());
  for (const ir::Program& program : facts.kernel->programs) {
    std::printf("  plan %s\n", program.id.c_str());
    for (const audit::Step& step : audit::steps(program, element))
      std::printf("    %16s  %s\n", step.value.c_str(), step.text.c_str());
  }
}

Json steps_json(const Explanation& facts, std::uint64_t element) {
  const spec::Meaning& meaning = facts.canonical;
  Json plans = Json::array();
  for (const ir::Program& program : facts.kernel->programs) {
    Json list = Json::array();
    for (const audit::Step& step : audit::steps(program, element))
      list.push_back({{"text", step.text}, {"value", step.value}});
    plans.push_back({{"id", program.id}, {"steps", list}});
  }
  return {{"source", element_text(*meaning.src, element)},
          {"result", element_text(*meaning.dst, semantics::convert_storage(meaning, element))},
          {"plans", plans}};
}

void check_element(const spec::Type& src, std::uint64_t element) {
  if (element > low_bits(src.storage_bits))
    throw std::invalid_argument("--element: " + src.name + " has " + std::to_string(src.storage_bits) +
                                " bits, at most " + spec::hex(low_bits(src.storage_bits)) + " (got " +
                                spec::hex(element) + ")");
}

Json json_of(const spec::Location& where) {
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}, {"pointer", where.pointer}};
}

Json head_json(const Explanation& facts) {
  const Selected& selected = facts.selected;
  const auto type_json = [](const spec::Type& type) {
    return Json{{"name", type.name}, {"doc", type.doc}, {"cites", type.cites}, {"where", json_of(type.where)}};
  };
  Json out = {{"source", type_json(*selected.src)},
              {"destination", type_json(*selected.dst)},
              {"opset", selected.opset->name()},
              {"attributes", Json::object()},
              {"rule", Json::array()},
              {"meaning", driver::meaning_summary(facts.canonical)}};
  for (const auto& [name, value] : selected.attributes) out["attributes"][name] = value;
  out["attributes_without_effect"] = selected.idle;
  out["options"] = selected.opset->options;
  if (!selected.opset->notation.empty()) {
    out["written"] = spec::written(*selected.opset, *selected.src, *selected.dst, selected.attributes);
  }
  for (const audit::Property& property : audit::properties(selected.meaning)) {
    out["rule"].push_back({{"property", property.name},
                           {"value", property.word},
                           {"rule", property.rule->id},
                           {"basis", property.rule->basis},
                           {"where", json_of(property.rule->where)}});
  }
  if (const spec::Rounding* round = facts.canonical.round; round != nullptr) {
    out["rounding"] = {{"name", round->name},
                       {"short_name", round->short_name},
                       {"carry", driver::carry_word(*round)},
                       {"where", json_of(round->where)}};
  }
  return out;
}

Json kernel_json(const Explanation& facts) {
  const driver::Kernel& kernel = *facts.kernel;
  Json rows = Json::array();
  for (const emit::TruthRow& row : emit::truth_table(facts.canonical)) {
    rows.push_back({{"source", row.source}, {"code", row.code}, {"value", row.value}, {"because", row.because}});
  }
  Json plans = Json::array();
  for (const audit::PlanFacts& plan : audit::plan_facts(kernel, facts.verified)) {
    plans.push_back({{"id", plan.id},
                     {"operations", plan.operations},
                     {"generator", plan.source},
                     {"instruction_sets", plan.instruction_sets},
                     {"program", plan.verified.program},
                     {"verified", plan.verified.word()}});
  }
  Json processors = Json::array();
  for (const evidence::ProcessorFamily& family : facts.processors)
    processors.push_back({{"family", family.name}, {"instruction_set", family.set}, {"runs_as", family.lesser}});
  const audit::CheckFacts checked = audit::check_facts(facts.canonical);
  return {{"name", kernel.name},
          {"hash", kernel.hash},
          {"file", facts.path},
          {"struct", kernel.struct_name},
          {"truth_table", rows},
          {"plans", plans},
          {"processors", processors},
          {"data", tabulate::describe(tabulate::tabulate(facts.canonical))},
          {"opsets", kernel.opsets},
          {"checked", {{"source_elements", checked.points}, {"all", checked.all}}},
          {"verified", facts.verified.mark()},
          {"swept", facts.verified.swept},
          {"code", facts.source}};
}

/// The kernels of the pair, whose source stands in the same files; the one of the meaning is remembered.
std::vector<driver::Kernel*> kernels_of_pair(driver::Catalogue& catalogue, Explanation& facts) {
  const std::string text = driver::meaning_text(facts.canonical);
  std::vector<driver::Kernel*> pair;
  for (driver::Kernel& candidate : catalogue.kernels) {
    if (candidate.text == text) facts.kernel = &candidate;
    if (candidate.meaning.src == facts.canonical.src && candidate.meaning.dst == facts.canonical.dst)
      pair.push_back(&candidate);
  }
  return pair;
}

/// A query by types and op-set, also where it was a conversion as its system writes it.
ExplainQuery by_types(const spec::SpecModel& model, ExplainQuery query) {
  if (!query.dst.empty()) return query;
  if (model.find_type(query.src) != nullptr)
    throw std::invalid_argument(
        "DST is missing: explain takes SRC and DST, two types, or one conversion as its system "
        "writes it");
  const auto written = spec::read_written(model, query.src);
  if (!written)
    throw std::invalid_argument("\"" + query.src +
                                "\" is no conversion that an op-set writes so; otherwise SRC and DST are two types");
  const bool same_opset = query.opset.empty() || model.find_opset(query.opset) == written->opset;
  if (!same_opset || !query.attributes.empty())
    throw std::invalid_argument("\"" + query.src + "\" names its op-set, " + written->opset->name() +
                                ", and its attributes; no others go with it");
  query.src = written->src;
  query.dst = written->dst;
  query.opset = written->opset->name();
  query.attributes.insert(query.attributes.end(), written->attributes.begin(), written->attributes.end());
  return query;
}

}  // namespace

std::uint64_t element_bits(const std::string& given) {
  const bool hexadecimal = given.starts_with("0x") || given.starts_with("0X");
  const std::string_view digits = std::string_view(given).substr(hexadecimal ? 2 : 0);
  std::uint64_t bits = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), bits, hexadecimal ? 16 : 10);
  if (digits.empty() || problem != std::errc{} || end != digits.data() + digits.size())
    throw std::invalid_argument("--element: expected up to 64 bits, as 0x3FA66666 or a decimal number, found \"" +
                                given + "\"");
  return bits;
}

int explain(const Places& places, const ExplainQuery& query) {
  Loaded loaded = load_unplanned(places);
  const Selected selected = select_cell(loaded.model, by_types(loaded.model, query));
  Explanation facts{selected, spec::canonical(selected.meaning), nullptr, {}, {}, {}, {}};
  if (query.element && facts.is_text())
    throw std::invalid_argument("--element: conversions of strings are no kernels and have no plans");
  if (query.element) check_element(*selected.src, *query.element);
  std::vector<driver::Kernel*> pair;
  if (!facts.is_text()) {
    pair = kernels_of_pair(loaded.catalogue, facts);
    plan_pair(loaded, pair, places);
  }
  if (!query.json) print_head(facts);
  if (facts.is_text()) {
    if (query.json) {
      Json out = head_json(facts);
      out["text"] = {{"grammar", facts.canonical.parse}, {"notation", facts.canonical.format}};
      std::printf("%s\n", cli::json_text(out, 2).c_str());
    } else {
      std::printf(
          "  text conversion: grammar \"%s\", notation \"%s\"; run by the text engine of the runtime, no kernel\n",
          facts.canonical.parse.c_str(), facts.canonical.format.c_str());
    }
    return kOk;
  }

  if (facts.kernel == nullptr) {
    std::fprintf(stderr, "error: no kernel has this meaning: %s\n", driver::meaning_text(facts.canonical).c_str());
    return kVerificationFailed;
  }
  verify_kernel(*facts.kernel);
  facts.verified = load_evidence(places).of(*facts.kernel);
  facts.processors = loaded.processors.of(*facts.kernel);
  const emit::Templates templates(places.templates);
  const auto files = emit::pair_files(templates, loaded.processors, {pair.begin(), pair.end()});
  facts.path = files.kernel_paths.at(facts.kernel);
  facts.source = audit::source_in(files.files.at(facts.path), *facts.kernel);
  if (!query.json) {
    print_kernel(facts);
    if (query.element) print_steps(facts, *query.element);
    return kOk;
  }
  Json out = head_json(facts);
  out["kernel"] = kernel_json(facts);
  if (query.element) out["element"] = steps_json(facts, *query.element);
  std::printf("%s\n", cli::json_text(out, 2).c_str());
  return kOk;
}

}  // namespace castforge::command

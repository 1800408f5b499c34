#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "command/command.hpp"
#include "emit/kernel_file.hpp"
#include "emit/truth_table.hpp"
#include "plan/instruction_sets.hpp"
#include "spec/canonical.hpp"
#include "spec/notation.hpp"
#include "spec/resolve.hpp"
#include "tabulate/table.hpp"
#include "verify/points.hpp"

namespace castforge::command {
namespace {

std::string property_word(const spec::Meaning& meaning, const std::string& property, const spec::Rule* rule) {
  const auto found = rule->set.values.find(property);
  if (found != rule->set.values.end()) return found->second;
  return property == "round" && meaning.round != nullptr ? meaning.round->name : "";
}

}  // namespace

int explain(const Places& places, const ExplainQuery& given) {
  Loaded loaded = load(places);
  ExplainQuery query = given;
  if (query.dst.empty()) {  // a conversion as its system writes it
    const auto written = spec::read_written(loaded.model, given.src);
    if (!written)
      throw std::invalid_argument("\"" + given.src +
                                  "\" is no conversion that an op-set writes so; otherwise SRC and DST are two types");
    query.src = written->src;
    query.dst = written->dst;
    query.opset = written->opset->name();
    query.attributes.insert(query.attributes.end(), written->attributes.begin(), written->attributes.end());
  }
  const Selected selected = select_cell(loaded.model, query);
  const spec::Meaning& meaning = selected.meaning;
  const spec::Meaning canonical = spec::canonical(meaning);

  std::printf("%s -> %s under %s", selected.src->name.c_str(), selected.dst->name.c_str(),
              selected.opset->name().c_str());
  for (const auto& [name, value] : selected.attributes) std::printf("  %s=%s", name.c_str(), value.c_str());
  if (!selected.opset->notation.empty())
    std::printf("\n%s", spec::written(*selected.opset, *selected.src, *selected.dst, selected.attributes).c_str());
  std::printf("\n\nTypes\n");
  for (const spec::Type* type : {selected.src, selected.dst}) {
    std::printf("  %-16s %s:%d\n", type->name.c_str(), type->where.file.c_str(), type->where.line);
    if (!type->doc.empty()) std::printf("  %-16s %s\n", "", type->doc.c_str());
    for (const std::string& cite : type->cites) std::printf("  %-16s cites %s\n", "", cite.c_str());
  }

  std::printf("\nRule, property by property (a later rule wins over an earlier one)\n");
  for (const auto& [property, rule] : meaning.decided_by) {
    std::printf("  %-10s = %-14s %s:%d:%d  %s  rule \"%s\"\n", property.c_str(),
                property_word(meaning, property, rule).c_str(), rule->where.file.c_str(), rule->where.line,
                rule->where.column, rule->where.pointer.c_str(), rule->id.c_str());
    if (!rule->basis.empty()) std::printf("  %-27s   basis: %s\n", "", rule->basis.c_str());
  }
  std::printf("\nMeaning\n  %s\n", driver::meaning_summary(canonical).c_str());
  if (canonical.round != nullptr) {
    std::printf("  carry table of %s (%s): 0x%04X, %s:%d\n", canonical.round->name.c_str(),
                canonical.round->short_name.c_str(), canonical.round->carry, canonical.round->where.file.c_str(),
                canonical.round->where.line);
  }
  if (canonical.src->kind == spec::Kind::string || canonical.dst->kind == spec::Kind::string) {
    std::printf(
        "  text conversion: grammar \"%s\", notation \"%s\"; run by the text engine of the runtime, no kernel\n",
        canonical.parse.c_str(), canonical.format.c_str());
    return kOk;
  }

  driver::Kernel* kernel = nullptr;
  const std::string text = driver::meaning_text(canonical);
  for (driver::Kernel& candidate : loaded.catalogue.kernels) {
    if (candidate.text == text) kernel = &candidate;
  }
  if (kernel == nullptr) {
    std::fprintf(stderr, "error: no kernel has this meaning: %s\n", text.c_str());
    return kVerificationFailed;
  }
  verify_kernel(*kernel);
  std::printf("\nTruth table\n");
  for (const std::string& row : emit::format_truth_table(canonical)) std::printf("  %s\n", row.c_str());
  std::vector<const driver::Kernel*> pair;
  for (driver::Kernel& candidate : loaded.catalogue.kernels) {
    if (candidate.meaning.src == canonical.src && candidate.meaning.dst == canonical.dst) pair.push_back(&candidate);
  }
  const auto files = emit::pair_files(emit::Templates(places.templates), {pair.begin(), pair.end()});
  const std::string path = files.kernel_paths.at(kernel);
  std::printf("\nKernel\n  %s  %s\n  source generated/%s, struct %s\n", kernel->name.c_str(), kernel->hash.c_str(),
              path.c_str(), kernel->struct_name.c_str());
  for (std::size_t i = 0; i < kernel->programs.size(); ++i) {
    const ir::Program& program = kernel->programs[i];
    std::string sets;
    for (const std::string& set : plan::chosen_on(kernel->programs, i)) sets += " " + set;
    std::printf("  plan   %s, %zu operations (%s), runs on%s\n", program.id.c_str(), program.nodes.size(),
                program.source.c_str(), sets.c_str());
  }
  const tabulate::Table table = tabulate::tabulate(canonical);
  std::printf("  data   %s\n", tabulate::describe(table).c_str());
  std::printf("  used by");
  for (const std::string& name : kernel->opsets) std::printf(" %s", name.c_str());
  const std::size_t points = verify::source_points(canonical).size();
  std::printf("\n\nProof state\n  every plan equals the exact semantics on %zu source elements%s (checked just now)\n",
              points,
              verify::points_are_exhaustive(canonical)
                  ? ": all there are"
                  : ": every class of sign, exponent, kept bits, first dropped bit and sticky");

  std::printf("\nSource, as the library runs it\n");
  std::istringstream file(files.files.at(path));
  std::string line;
  bool inside = false;
  while (std::getline(file, line)) {
    inside = inside || line.rfind("struct " + kernel->struct_name + " ", 0) == 0 ||
             line.rfind("static_assert(lane::maps<" + kernel->struct_name + ">", 0) == 0;
    if (inside) std::printf("  %s\n", line.c_str());
    if (line == "};" || line == "}));") inside = false;
  }
  return kOk;
}

}  // namespace castforge::command

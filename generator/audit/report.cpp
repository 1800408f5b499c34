#include "audit/report.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "audit/explanation.hpp"
#include "audit/plot.hpp"
#include "cli/io/json_text.hpp"
#include "driver/functions.hpp"
#include "driver/sha256.hpp"
#include "emit/kernel_file.hpp"
#include "emit/print_cpp.hpp"
#include "emit/truth_table.hpp"
#include "spec/words.hpp"

namespace castforge::audit {
namespace {

using driver::Kernel;
using driver::TextRule;
using emit::Fields;

std::string place(const spec::Location& where) { return where.file + ":" + std::to_string(where.line); }

/// "22.1 G"
std::string rate(double per_second) {
  std::ostringstream out;
  out.precision(3);
  if (per_second >= 1e9) out << per_second / 1e9 << " G";
  else out << per_second / 1e6 << " M";
  return out.str();
}

std::string ratio(double value) {
  std::ostringstream out;
  out.precision(2);
  out << value;
  return out.str();
}

Fields words(std::initializer_list<std::pair<const std::string, std::string>> list) { return {list, {}}; }

/// A list with one item: its section of a frame appears once.
std::vector<Fields> once(Fields fields = {}) { return {std::move(fields)}; }

struct Pair {
  const spec::Type *src, *dst;
  std::vector<const Kernel*> kernels;
  std::vector<const TextRule*> texts;

  std::string page() const { return "pairs/" + src->name + "--" + dst->name + ".html"; }
};

class Reporter {
 public:
  Reporter(const driver::Catalogue& catalogue, const emit::Templates& templates, const Known& known)
      : catalogue_(catalogue), templates_(templates), known_(known), manifest_(driver::manifest_hash(catalogue)) {
    for (const Kernel& kernel : catalogue.kernels) pair_of(kernel.meaning).kernels.push_back(&kernel);
    for (const TextRule& rule : catalogue.text_rules) pair_of(rule.meaning).texts.push_back(&rule);
    if (known.speeds) find_measured();
  }

  std::map<std::string, std::string> run(const std::function<void(std::size_t, std::size_t)>& progress) {
    std::size_t done = 0;
    for (const auto& [names, pair] : pairs_) {
      progress(done++, pairs_.size());
      page(pair);
    }
    index();
    files_["style.css"] = templates_.render("audit_style.css", {});
    files_["search.js"] = templates_.render("audit_search.js", words({{"entries", cli::json_text(search_)}}));
    return std::move(files_);
  }

 private:
  Pair& pair_of(const spec::Meaning& meaning) {
    Pair& pair = pairs_[{meaning.src->name, meaning.dst->name}];
    pair.src = meaning.src;
    pair.dst = meaning.dst;
    return pair;
  }

  Fields type_fields(const spec::Type& type) const {
    Fields fields = words({{"name", type.name}, {"doc", type.doc}, {"where", place(type.where)}});
    for (const std::string& cite : type.cites) fields.lists["cites"].push_back(words({{"cite", cite}}));
    return fields;
  }

  /// Where a statement of the spec is: as text, since the specs lie beside the report's program, not in it.
  static Fields rule_fields(const Property& property) {
    return words({{"property", property.name},
                  {"word", property.word},
                  {"rule", property.rule->id},
                  {"basis", property.rule->basis},
                  {"where", place(property.rule->where) + " " + property.rule->where.pointer}});
  }

  /// What a mark of evidence::KernelEvidence says.
  static const char* meaning_of(std::string_view mark) {
    if (mark == "exhaustive") return "every plan gives the exact result for every source element";
    if (mark == "smt")
      return "every plan is proved to give the exact result for every source element, by an SMT solver";
    return "every plan gives the exact result for every class of source elements, of the destination's normal "
           "exponents a sample where they are many";
  }

  /// A kernel that was not measured is as fast as one that was and runs the same function.
  void find_measured() {
    const std::vector<Kernel>& kernels = catalogue_.kernels;
    const std::vector<std::size_t> functions = driver::functions(kernels);
    std::map<std::size_t, const Kernel*> by_function;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (!known_.speeds->kernels.contains(kernels[i].name)) continue;
      measured_[&kernels[i]] = &kernels[i];
      by_function.emplace(functions[i], &kernels[i]);
    }
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (const auto found = by_function.find(functions[i]); found != by_function.end())
        measured_.emplace(&kernels[i], found->second);
    }
  }

  std::vector<Fields> speed_fields(const Kernel& kernel) const {
    const auto found = measured_.find(&kernel);
    if (found == measured_.end()) return {};
    const std::vector<Speed>& speeds = known_.speeds->kernels.at(found->second->name);
    const auto one = [](const Speed& speed) {
      return speed.isa + ", " + rate(speed.elements_per_second) + " elements/s, " + ratio(speed.of_memcpy) +
             " of memcpy";
    };
    Fields fields = words({{"fastest", one(speeds.back())}, {"slowest", one(speeds.front())}});
    if (found->second != &kernel) fields.lists["of_another"] = once(words({{"other", found->second->name}}));
    return once(std::move(fields));
  }

  void add_plans(Fields& section, const Kernel& kernel) const {
    const std::vector<PlanFacts> facts = plan_facts(kernel, known_.evidence.of(kernel));
    for (std::size_t i = 0; i < facts.size(); ++i) {
      Fields plan = words({{"id", facts[i].id},
                           {"operations", std::to_string(facts[i].operations)},
                           {"generator", facts[i].source},
                           {"sets", spec::join(facts[i].instruction_sets, ", ")},
                           {"program", facts[i].verified.program},
                           {"verified", facts[i].verified.word()}});
      Fields table;
      for (const emit::PrintedConstant& constant : emit::print_cpp(kernel.programs[i]).constants) {
        table.lists["constants"].push_back(
            words({{"constant", constant.name}, {"value", constant.value}, {"formula", constant.formula}}));
      }
      if (!table.lists["constants"].empty()) plan.lists["has_constants"] = once(table);
      section.lists["plans"].push_back(plan);
    }
  }

  Fields kernel_fields(const Kernel& kernel, const std::string& path, const std::string& file) const {
    const std::string source = source_in(file, kernel);
    const CheckFacts checked = check_facts(kernel.meaning);
    const evidence::KernelEvidence verified = known_.evidence.of(kernel);
    Fields section = words({{"kernel", kernel.name},
                            {"summary", driver::meaning_summary(kernel.meaning)},
                            {"hash", kernel.hash},
                            {"meaning", kernel.text},
                            {"path", "generated/" + path},
                            {"struct", kernel.struct_name},
                            {"source_hash", "sha256:" + driver::sha256(source)},
                            {"code", source},
                            {"mark", verified.mark()},
                            {"mark_means", meaning_of(verified.mark())},
                            {"points", std::to_string(checked.points)},
                            {"classes", checked.words()},
                            {"opsets", spec::join({kernel.opsets.begin(), kernel.opsets.end()}, ", ")},
                            {"plot", plot(kernel.meaning)}});
    for (const emit::TruthRow& row : emit::truth_table(kernel.meaning)) {
      section.lists["rows"].push_back(
          words({{"source", row.source}, {"code", row.code}, {"value", row.value}, {"because", row.because}}));
    }
    for (const spec::Rule* rule : kernel.rules) {
      std::string set;
      for (const auto& [name, value] : rule->set.values) set += (set.empty() ? "" : ", ") + name + " = " + value;
      section.lists["rules"].push_back(words({{"rule", rule->id},
                                              {"set", set},
                                              {"basis", rule->basis},
                                              {"where", place(rule->where) + " " + rule->where.pointer}}));
    }
    if (const spec::Rounding* round = kernel.meaning.round; round != nullptr && driver::rounds(kernel.meaning)) {
      section.lists["rounding"] = once(words({{"round", round->name},
                                              {"carry", driver::carry_word(*round)},
                                              {"where", place(round->where)},
                                              {"doc", round->doc}}));
    }
    add_plans(section, kernel);
    if (!verified.swept.empty())
      section.lists["has_swept"] = once(words({{"swept", spec::join(verified.swept, ", ")},
                                               {"codes", "2^" + std::to_string(kernel.meaning.src->value_bits)}}));
    section.lists["measured"] = speed_fields(kernel);
    if (section.lists["measured"].empty()) section.lists["not_measured"] = once();
    return section;
  }

  void page(const Pair& pair) {
    Fields fields = words({{"src", pair.src->name}, {"dst", pair.dst->name}, {"manifest", manifest_}});
    fields.lists["types"].push_back(type_fields(*pair.src));
    if (pair.src != pair.dst) fields.lists["types"].push_back(type_fields(*pair.dst));
    if (!pair.kernels.empty()) {
      const emit::PairFiles files = emit::pair_files(templates_, known_.processors, pair.kernels);
      for (const Kernel* kernel : pair.kernels) {
        const std::string& path = files.kernel_paths.at(kernel);
        fields.lists["kernels"].push_back(kernel_fields(*kernel, path, files.files.at(path)));
        search_.push_back({pair.page() + "#" + kernel->name, kernel->name, driver::meaning_summary(kernel->meaning)});
      }
    }
    for (const TextRule* rule : pair.texts) {
      Fields section = words({{"text", rule->name},
                              {"summary", driver::meaning_summary(rule->meaning)},
                              {"grammar", rule->meaning.parse},
                              {"notation", rule->meaning.format}});
      for (const Property& property : properties(rule->meaning))
        section.lists["rules"].push_back(rule_fields(property));
      fields.lists["texts"].push_back(section);
      search_.push_back({pair.page() + "#" + rule->name, rule->name, driver::meaning_summary(rule->meaning)});
    }
    files_[pair.page()] = templates_.render("audit_pair.html", fields);
  }

  void index() {
    std::set<std::string> sources, destinations;
    for (const auto& [names, pair] : pairs_) sources.insert(names.first), destinations.insert(names.second);
    std::map<std::string, std::size_t> marks;
    for (const Kernel& kernel : catalogue_.kernels) ++marks[known_.evidence.of(kernel).mark()];

    Fields fields = words({{"manifest", manifest_},
                           {"pairs", std::to_string(pairs_.size())},
                           {"kernels", std::to_string(catalogue_.kernels.size())},
                           {"texts", std::to_string(catalogue_.text_rules.size())},
                           {"types", std::to_string(catalogue_.types.size())}});
    for (const char* word : {"exhaustive", "smt", "classes"}) fields.words[word] = std::to_string(marks[word]);
    for (const std::string& dst : destinations) fields.lists["destinations"].push_back(words({{"dst", dst}}));
    for (const std::string& src : sources) {
      Fields row = words({{"src", src}});
      for (const std::string& dst : destinations) {
        Fields cell;
        if (const auto found = pairs_.find({src, dst}); found != pairs_.end()) {
          const Pair& pair = found->second;
          std::set<std::string> words_of_pair;
          for (const Kernel* kernel : pair.kernels) words_of_pair.insert(known_.evidence.of(*kernel).mark());
          const std::string mark = words_of_pair.empty()               ? "text"
                                   : words_of_pair.contains("classes") ? "classes"
                                   : words_of_pair.contains("smt")     ? "smt"
                                                                       : "exhaustive";
          cell.lists["pair"] = once(words({{"page", pair.page()},
                                           {"mark", mark},
                                           {"count", std::to_string(pair.kernels.size() + pair.texts.size())},
                                           {"title", src + " to " + dst}}));
        }
        row.lists["cells"].push_back(cell);
      }
      fields.lists["rows"].push_back(row);
    }
    for (const driver::OpSetCells& cells : catalogue_.opsets) {
      const spec::OpSet& opset = *cells.opset;
      fields.lists["opsets"].push_back(words({{"name", opset.name()},
                                              {"operation", opset.operation},
                                              {"cells", std::to_string(cells.cells.size())},
                                              {"doc", opset.doc},
                                              {"where", place(opset.where)}}));
    }
    if (known_.speeds) {
      for (const std::string& line : known_.speeds->conditions)
        fields.lists["conditions"].push_back(words({{"line", line}}));
    } else {
      fields.lists["not_measured"] = once();
    }
    files_["index.html"] = templates_.render("audit_index.html", fields);
  }

  const driver::Catalogue& catalogue_;
  const emit::Templates& templates_;
  const Known& known_;
  std::string manifest_;
  std::map<std::pair<std::string, std::string>, Pair> pairs_;
  std::map<const Kernel*, const Kernel*> measured_;  // the one that was measured, itself where it was
  std::map<std::string, std::string> files_;
  nlohmann::ordered_json search_ = nlohmann::ordered_json::array();
};

}  // namespace

std::map<std::string, std::string> report(const driver::Catalogue& catalogue, const emit::Templates& templates,
                                          const Known& known,
                                          const std::function<void(std::size_t, std::size_t)>& progress) {
  return Reporter(catalogue, templates, known).run(progress);
}

}  // namespace castforge::audit

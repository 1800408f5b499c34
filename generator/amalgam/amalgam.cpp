#include "amalgam/amalgam.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "amalgam/helpers.hpp"
#include "amalgam/print_vectors.hpp"
#include "amalgam/print_words.hpp"
#include "emit/comment.hpp"
#include "emit/template.hpp"
#include "emit/truth_table.hpp"
#include "ir/analysis.hpp"
#include "plan/instruction_sets.hpp"
#include "spec/hex.hpp"
#include "spec/words.hpp"

namespace castforge::amalgam {
namespace {

using driver::Kernel;
using emit::Fields;

const std::string kEach = "CASTFORGE_EACH_";  // followed by how many times

const ir::Program* program_for(const Kernel& kernel, const plan::InstructionSet& set) {
  for (const ir::Program& program : kernel.programs) {
    if (plan::runs(set, program)) return &program;
  }
  return nullptr;
}

const plan::InstructionSet& set_named(const std::string& name) {
  for (const plan::InstructionSet& set : plan::instruction_sets()) {
    if (set.name == name) return set;
  }
  throw std::logic_error("amalgam: no instruction set is called " + name);
}

/// Does the function have to set the floating-point environment?
bool enters(const ir::Program& program, const Target& target) {
  const ir::Environment environment = ir::environment(program);
  return environment == ir::Environment::subnormals ||
         (environment == ir::Environment::rounding && target.number("embeds_rounding", 0) == 0);
}

Fields table_fields(const std::string& name, const ir::Table& table) {
  Fields fields;
  fields.words["table"] = name;
  fields.words["bits"] = std::to_string(table.bits);
  // Vectors load 16 bytes of a short table.
  fields.words["count"] = std::to_string(is_short(table) ? 16 : table.entries.size());
  fields.lists["notes"];
  if (!table.note.empty()) {
    for (const std::string& line : emit::comment_lines("// ", table.note))
      fields.lists["notes"].push_back(emit::field("line", line));
  }
  std::string line;
  for (const std::uint64_t entry : table.entries) {
    const std::string text = spec::hex(entry, table.bits) + (table.bits == 64 ? "u," : ",");
    if (line.size() + text.size() + 5 > emit::kColumns) {
      fields.lists["lines"].push_back(emit::field("line", line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + text;
  }
  fields.lists["lines"].push_back(emit::field("line", line));
  return fields;
}

/// The tables of the program that are not in `printed` yet.
void add_tables(Fields& fields, const Kernel& kernel, const ir::Program& program, const std::vector<std::string>& names,
                std::set<std::string>& printed) {
  for (const ir::Table& table : program.tables) {
    const std::string name = table_name(kernel.name, program, table);
    if (std::find(names.begin(), names.end(), name) == names.end() || !printed.insert(name).second) continue;
    fields.lists["tables"].push_back(table_fields(name, table));
  }
}

bool is_high(const spec::Type& type) { return type.packing == Packing::high_first; }
std::string word_type(int bits) { return "uint" + std::to_string(storage_unit(bits)) + "_t"; }

/// One machine's instruction sets.
struct Machine {
  std::string arch;
  std::vector<Target*> targets;
};

class Writer {
 public:
  Writer(const Request& request, const std::filesystem::path& folder)
      : request_(request), folder_(folder), frames_(folder), portable_(folder / "amalgam", "portable") {
    for (const std::string& name : known_sets(folder)) {
      if (std::find(request.sets.begin(), request.sets.end(), name) == request.sets.end()) continue;
      targets_.push_back(std::make_unique<Target>(folder / "amalgam", name));
      const std::string arch = targets_.back()->setting("arch");
      if (machines_.empty() || machines_.back().arch != arch) machines_.push_back({arch, {}});
      machines_.back().targets.push_back(targets_.back().get());
    }
  }

  Amalgam write() {
    for (const Kernel* kernel : request_.kernels) kernels_.push_back(kernel_fields(*kernel));
    Fields all;
    common(all);
    all.lists["kernels"] = kernels_;
    Amalgam made;
    made.notes = notes_;
    made.header = {request_.name + ".h", rendered("amalgam_header.h", all)};
    made.source = {request_.name + request_.extension, rendered("amalgam_source.c", all)};
    return made;
  }

 private:
  /// Helper functions in the source are called by the names of targets, so that a kernel has another one per target.
  static std::string function_on(const Target& target, const Kernel& kernel) {
    return target.name() + "_" + kernel.name;
  }
  static int number_of(const Machine& machine, const Target* target) {
    const auto found = std::find(machine.targets.begin(), machine.targets.end(), target);
    return static_cast<int>(found - machine.targets.begin()) + 1;
  }
  static std::string inline_of(const Target& target) { return "CASTFORGE_" + emit::upper_case(target.name()); }
  static std::string attribute_of(const Target& target) {
    const std::string features = target.setting("target");
    return features.empty() ? "" : " __attribute__((target(\"" + features + "\")))";
  }

  Fields kernel_fields(const Kernel& kernel) {
    const spec::Type &src = *kernel.meaning.src, &dst = *kernel.meaning.dst;
    Fields fields;
    fields.words["kernel"] = kernel.name;
    fields.words["function"] = function_name(kernel);
    fields.words["src_bits"] = std::to_string(src.storage_bits);
    fields.words["dst_bits"] = std::to_string(dst.storage_bits);
    memory_fields(fields, "src", src);
    memory_fields(fields, "dst", dst);
    comment(fields, kernel);
    rows(fields, kernel);
    for (const char* const list : {"portable", "copy", "machines", "tables", "enter"}) fields.lists[list];
    const ir::Program& last = kernel.programs.back();
    std::set<std::string> everywhere;  // tables of the portable form, which machines may read too
    if (last.is_copy() && src.packing == dst.packing) {
      fields.lists["copy"].emplace_back();
      if (!is_natural_width(src.storage_bits)) return fields;
    } else {
      fields.lists["portable"].push_back(portable_fields(kernel, last, everywhere));
    }
    for (const Machine& machine : machines_) {
      Fields here;
      here.words["arch"] = machine.arch;
      for (const char* const list : {"tables", "blocks", "calls"}) here.lists[list];
      std::set<std::string> printed = everywhere;
      for (Target* target : machine.targets) add_block(here, kernel, machine, *target, printed);
      std::reverse(here.lists["calls"].begin(), here.lists["calls"].end());
      fields.lists["machines"].push_back(here);
    }
    return fields;
  }

  /// How the elements of one side, `src` or `dst`, lie in memory.
  void memory_fields(Fields& fields, const std::string& side, const spec::Type& type) {
    const bool whole = is_natural_width(type.storage_bits);
    fields.words[side + "_bytes"] = std::to_string(type.storage_bits / 8);
    fields.words[side + "_high"] = is_high(type) ? "1" : "0";
    fields.lists[side + "_whole"].resize(whole ? 1 : 0);
    fields.lists[side + "_packed"].resize(whole ? 0 : 1);
    packed_ = packed_ || !whole;
    if (is_high(type)) high_.insert(type.name);
  }

  static void comment(Fields& fields, const Kernel& kernel) {
    std::vector<std::string> lines = emit::comment_lines("// ", kernel.name + " (" + kernel.hash + ")");
    const auto add = [&](const std::string& label, const std::string& text) {
      const std::vector<std::string> more = emit::comment_lines("//   " + label, text);
      lines.insert(lines.end(), more.begin(), more.end());
    };
    add("meaning  ", driver::meaning_summary(kernel.meaning));
    for (const spec::Rule* rule : kernel.rules)
      add("rule     ", rule->where.file + "#" + rule->where.pointer + " (" + rule->id + ")");
    for (const std::string& text : emit::citations(kernel.rules)) add("cites    ", text);
    lines.emplace_back("//");
    for (const std::string& row : emit::format_truth_table(kernel.meaning)) lines.push_back("//   " + row);
    if (lines.back() == "//") lines.emplace_back("//   every result stands in a table in the source");
    for (const std::string& line : lines) fields.lists["comment"].push_back(emit::field("line", line));
  }

  /// Elements and results as bytes in memory.
  static void rows(Fields& fields, const Kernel& kernel) {
    const spec::Type &src = *kernel.meaning.src, &dst = *kernel.meaning.dst;
    const auto in_memory = [](std::uint64_t code, const spec::Type& type) {
      const std::uint64_t word = is_high(type) ? code << (8 - type.storage_bits) : code;
      return spec::hex(word, storage_unit(type.storage_bits)) + "u";
    };
    for (const emit::Representative& mark : emit::representatives(kernel.meaning)) {
      Fields row;
      row.words["code"] = in_memory(mark.source, src);
      row.words["result"] = in_memory(mark.result, dst);
      row.words["why"] = mark.why;
      fields.lists["rows"].push_back(row);
    }
  }

  Fields portable_fields(const Kernel& kernel, const ir::Program& program, std::set<std::string>& tables) {
    const spec::Type &src = *kernel.meaning.src, &dst = *kernel.meaning.dst;
    const PrintedWords printed = print_words(program, kernel.name, portable_);
    if (!printed.problem.empty())
      throw std::runtime_error(kernel.name + ": the portable form cannot be printed: " + printed.problem);
    Fields fields;
    fields.lists["tables"];
    add_tables(fields, kernel, program, printed.tables, tables);
    for (const std::string& line : printed.lines) fields.lists["lines"].push_back(emit::field("line", line));
    fields.words["from_type"] = word_type(src.storage_bits);
    fields.words["to_type"] = word_type(dst.storage_bits);
    fields.lists["enter"];
    if (enters(program, portable_)) fields.lists["enter"].emplace_back(), environment_ = true;
    return fields;
  }

  void add_block(Fields& here, const Kernel& kernel, const Machine& machine, Target& target,
                 std::set<std::string>& tables) {
    const spec::Type &src = *kernel.meaning.src, &dst = *kernel.meaning.dst;
    const ir::Program* const program = program_for(kernel, set_named(target.name()));
    if (program == nullptr) return;
    const PrintedBlock block = print_vectors(*program, kernel.name, src.packing, dst.packing, target);
    if (!block.problem.empty()) {
      const std::string instead = here.lists["calls"].empty() ? "portable" : here.lists["calls"].back().words["target"];
      notes_.push_back(kernel.name + ": not written for " + target.name() + " (" + block.problem + "), which runs " +
                       instead);
      return;
    }
    add_tables(here, kernel, *program, block.tables, tables);
    const auto bytes = [&](const spec::Type& type) {
      return static_cast<int>(bytes_of_elements(static_cast<std::size_t>(block.lanes), type.storage_bits));
    };
    Fields fields;
    fields.words["function"] = function_on(target, kernel);
    fields.words["inline"] = inline_of(target);
    fields.words["attribute"] = attribute_of(target);
    fields.words["lanes"] = std::to_string(block.lanes);
    fields.words["in"] = std::to_string(bytes(src));
    fields.words["out"] = std::to_string(bytes(dst));
    for (const std::string& line : block.lines) {
      fields.lists["lines"].push_back(emit::field("line", line));
      add_repeats(line);
    }
    fields.lists["enter"];
    if (enters(*program, target)) fields.lists["enter"].emplace_back(), environment_ = true;
    fields.lists["prefetch"];
    fields.lists["no_prefetch"];
    if (src.storage_bits < 32) {
      fields.lists["no_prefetch"].emplace_back();
    } else {
      constexpr int kCacheLine = 64;
      const int lines = (bytes(src) + kCacheLine - 1) / kCacheLine;
      repeats_.insert(lines);
      Fields prefetch;
      prefetch.words["lines"] = std::to_string(lines);
      prefetch.words["line_bytes"] = std::to_string(kCacheLine);
      fields.lists["prefetch"].push_back(prefetch);
    }
    here.lists["blocks"].push_back(fields);
    Fields call;
    call.words["number"] = std::to_string(number_of(machine, &target));
    call.words["called"] = function_on(target, kernel);
    call.words["target"] = target.name();
    here.lists["calls"].push_back(call);
    loops_ = true;
  }

  void common(Fields& all) {
    all.words["name"] = request_.name;
    all.words["upper"] = emit::upper_case(request_.name);
    all.words["guard"] = emit::upper_case(request_.name) + "_H";
    all.words["header_name"] = request_.name + ".h";
    all.words["source_name"] = request_.name + request_.extension;
    all.words["language"] = request_.language;
    all.words["command"] = request_.command;
    all.words["manifest"] = request_.manifest;
    all.words["high_note"] =
        high_.empty() ? "" : ", of " + spec::join({high_.begin(), high_.end()}, ", ") + " at the high end";
    std::string sets = "portable", words = "\"portable\"";
    for (const auto& target : targets_) sets += ", " + target->name(), words += ", \"" + target->name() + "\"";
    all.words["sets"] = sets;
    all.words["set_words"] = words;
    for (const char* const list : {"notes", "packed", "environment", "portable", "machines", "cpuid", "loops"})
      all.lists[list];
    for (const std::string& note : notes_) all.lists["notes"].push_back(emit::field("line", note));
    if (packed_) all.lists["packed"].emplace_back();
    if (environment_) all.lists["environment"].emplace_back();
    if (loops_) all.lists["loops"].emplace_back();
    if (const std::string text = portable_.text("CASTFORGE_INLINE"); !text.empty())
      all.lists["portable"].push_back({{{"helpers", text}}, {}});
    for (const Machine& machine : machines_) {
      Fields here;
      here.words["arch"] = machine.arch;
      std::istringstream files(machine.targets.front()->setting("include"));
      for (std::string file; files >> file;) here.lists["includes"].push_back({{{"file", file}}, {}});
      for (Target* target : machine.targets) {
        Fields one;
        one.words["target"] = target->name();
        one.words["inline"] = inline_of(*target);
        one.words["attribute"] = attribute_of(*target);
        one.words["helpers"] = target->text(inline_of(*target));
        one.words["runs"] = target->setting("runs");
        one.words["number"] = std::to_string(number_of(machine, target));
        if (one.words["runs"].find("CASTFORGE_HAS") != std::string::npos && all.lists["cpuid"].empty())
          all.lists["cpuid"].emplace_back();
        here.lists["targets"].push_back(one);
      }
      all.lists["machines"].push_back(here);
    }
    all.lists["repeats"];
    if (!repeats_.empty()) all.lists["repeats"].push_back(repeat_fields());
  }

  /// Keeps how many times the calls of CASTFORGE_EACH_n in a line repeat a statement.
  void add_repeats(const std::string& line) {
    for (std::size_t at = 0; (at = line.find(kEach, at)) != std::string::npos; at += kEach.size())
      repeats_.insert(std::stoi(line.substr(at + kEach.size())));
  }

  /// The macros that repeat a statement, as many as are used: each after the one that repeats it fewer times.
  Fields repeat_fields() const {
    constexpr int kCallsInOneLine = 3;
    Fields all;
    int fewer = 0;
    for (const int count : repeats_) {
      Fields each;
      each.words["count"] = std::to_string(count);
      for (int next = fewer; next < count;) {
        Fields line;
        int calls = 0;
        line.lists["fewer"];
        if (next == fewer && fewer != 0) {
          line.lists["fewer"].push_back(emit::field("count", std::to_string(fewer)));
          ++calls;
        }
        for (; next < count && calls < kCallsInOneLine; ++next, ++calls)
          line.lists["at"].push_back(emit::field("i", std::to_string(next)));
        line.lists["more"].resize(next < count ? 1 : 0);
        each.lists["lines"].push_back(line);
      }
      all.lists["each"].push_back(each);
      fewer = count;
    }
    return all;
  }

  std::string rendered(const std::string& frame, const Fields& fields) const {
    std::string text = frames_.render(frame, fields);
    for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
    return text;
  }

  const Request& request_;
  std::filesystem::path folder_;
  emit::Templates frames_;
  Target portable_;
  std::vector<std::unique_ptr<Target>> targets_;
  std::vector<Machine> machines_;
  std::vector<Fields> kernels_;
  std::vector<std::string> notes_;
  std::set<int> repeats_;       // how many times statements are repeated
  std::set<std::string> high_;  // types whose first element is in the high bits of a byte
  bool packed_ = false, environment_ = false, loops_ = false;
};

}  // namespace

Amalgam amalgamate(const Request& request, const std::filesystem::path& folder) {
  return Writer(request, folder).write();
}

std::vector<std::string> known_sets(const std::filesystem::path& folder) {
  const std::vector<std::string> there = targets_in(folder / "amalgam");
  std::vector<std::string> known;
  for (const plan::InstructionSet& set : plan::instruction_sets()) {
    if (set.offers != ir::kNeedsNothing && std::find(there.begin(), there.end(), set.name) != there.end())
      known.emplace_back(set.name);
  }
  return known;
}

std::string function_name(const Kernel& kernel) { return "castforge_" + kernel.name; }

}  // namespace castforge::amalgam

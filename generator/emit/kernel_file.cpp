#include "emit/kernel_file.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "emit/comment.hpp"
#include "emit/print_cpp.hpp"
#include "emit/truth_table.hpp"
#include "ir/analysis.hpp"
#include "lower/nibbles.hpp"
#include "plan/instruction_sets.hpp"
#include "spec/hex.hpp"
#include "spec/words.hpp"

namespace castforge::emit {
namespace {

using driver::Kernel;

const char* environment_word(ir::Environment environment) {
  switch (environment) {
    case ir::Environment::none: return "none";
    case ir::Environment::rounding: return "rounding";
    case ir::Environment::subnormals: return "subnormals";
  }
  return "";
}

/// Why a program has its environment; "" where none is needed because nothing is computed in floating point.
const char* environment_note(ir::Environment environment) {
  switch (environment) {
    case ir::Environment::none: return "";
    case ir::Environment::rounding: return "flushing changes no result";
    case ir::Environment::subnormals: return "flushing is not proved harmless";
  }
  return "";
}

/// Code and comment, the comments of a block in one column where the code is short enough; above it where the line
/// would be too long.
std::vector<std::string> with_note(const std::string& indent, const std::string& code, const std::string& note,
                                   std::size_t column) {
  if (note.empty()) return {indent + code};
  std::string line = code;
  line.resize(std::max(line.size(), column), ' ');
  line = indent + line + "  // " + note;
  if (line.size() <= kColumns) return {line};
  std::vector<std::string> lines = comment_lines(indent + "// ", note);
  lines.push_back(indent + code);
  return lines;
}

/// The column after which comments of a block begin: short lines decide.
template <class List, class Text>
std::size_t note_column(const List& list, Text text) {
  std::size_t column = 0;
  for (const auto& item : list) {
    const std::size_t size = text(item).size();
    if (size <= 64) column = std::max(column, size);
  }
  return column;
}

/// Where a line that is too long is best divided: behind a comma or operator that fits, in as few parentheses as any,
/// the last of these. npos: nowhere.
std::size_t division_of(const std::string& line) {
  constexpr std::size_t kLeast = 24;  // less would be no line
  std::size_t best = std::string::npos;
  int depth = 0, best_depth = 0;
  for (std::size_t i = 0; i < kColumns; ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    for (const std::string_view separator : {", ", " + ", " | ", " & ", " - "}) {
      const std::size_t behind = i + separator.size();
      if (i <= kLeast || behind > kColumns || line.compare(i, separator.size(), separator) != 0) continue;
      if (best != std::string::npos && depth > best_depth) continue;
      best = behind;
      best_depth = depth;
    }
  }
  return best;
}

/// A statement that is longer than a line, as several.
std::vector<std::string> broken(const std::string& line) {
  std::vector<std::string> lines;
  std::string rest = line;
  while (rest.size() > kColumns) {
    const std::size_t at = division_of(rest);
    if (at == std::string::npos) break;
    lines.push_back(rest.substr(0, at - 1));
    rest = std::string(10, ' ') + rest.substr(at);
  }
  lines.push_back(rest);
  return lines;
}

void add_lines(Fields& fields, const std::string& list, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    for (const std::string& part : broken(line)) fields.lists[list].push_back(field("line", part));
  }
}

/// "//   plan     ..." and, where that is longer than a line, lines below that begin under its text.
void add_header(Fields& fields, const std::string& label, const std::string& text) {
  std::string first = "//   " + label;
  first.resize(14, ' ');
  for (const std::string& line : comment_lines(first, text)) fields.lists["header"].push_back(field("line", line));
}

Fields table_fields(const ir::Table& table, const std::string& indent) {
  const std::size_t per_line = table.bits == 64 ? 4 : table.bits == 8 ? 16 : 8;
  Fields fields;
  fields.words["word"] = unsigned_type(table.bits);
  fields.words["count"] = std::to_string(table.entries.size());
  fields.words["name"] = table.name;
  if (!table.note.empty()) add_lines(fields, "notes", comment_lines(indent + "// ", table.note));
  for (std::size_t start = 0; start < table.entries.size(); start += per_line) {
    std::string line;
    for (std::size_t i = start; i < std::min(start + per_line, table.entries.size()); ++i)
      line += spec::hex(table.entries[i], table.bits) + ", ";
    line.pop_back();
    // Of more than one row, the index of the first entry.
    if (table.entries.size() > per_line) line += "  // " + spec::hex(start, 8).substr(2);
    fields.lists["lines"].push_back(field("line", indent + "    " + line));
  }
  return fields;
}

/// Those that need a word: operators of C++ do not.
std::set<ir::Op> named_operations(const ir::Program& program) {
  std::set<ir::Op> used;
  for (const ir::Node& node : program.nodes) {
    if (node.op != ir::Op::input && node.op != ir::Op::constant && !ir::is_infix(node.op)) used.insert(node.op);
  }
  if (program.result().op == ir::Op::constant) used.insert(ir::Op::constant);  // lane::fill
  return used;
}

/// What the operations of a file are, for who has nothing but the file.
void add_legend(Fields& fields, const std::set<ir::Op>& used) {
  // A constant needs a word where it is the whole result.
  const auto spelled = [](ir::Op op) { return op == ir::Op::constant ? "lane::fill<U>(bits, kName)" : spelling(op); };
  std::size_t column = 0;
  for (const ir::Op op : used) column = std::max(column, spelled(op).size());
  for (const ir::Op op : used) {
    const ir::Operation& row = ir::operation(op);
    std::string first = "//   " + spelled(op);
    first.resize(5 + column + 2, ' ');
    const std::string words = ir::domain_words(row), domain = words.empty() ? "" : " (always: " + words + ")";
    const std::string doc = op == ir::Op::constant ? "the constant, whatever bits is" : row.doc;
    for (const std::string& line : comment_lines(first, doc + domain))
      fields.lists["legend"].push_back(field("line", line));
  }
  if (!used.empty()) fields.lists["has_legend"].emplace_back();
}

/// The table that vectors read in place of map(); none for copies, which they move as they are.
std::optional<ir::Table> table_of_loop(const Kernel& kernel, const ir::Program& program) {
  const bool copies = program.is_copy() && kernel.meaning.src->packing == kernel.meaning.dst->packing;
  return copies ? std::nullopt : lower::nibble_table(kernel.meaning);
}

Fields program_fields(const Kernel& kernel, const ir::Program& program) {
  const PrintedProgram printed = print_cpp(program);
  Fields fields;
  fields.words["variant"] = program.variant();
  fields.words["needs"] = needs_word(program.needs);
  const ir::Environment environment = ir::environment(program);
  add_lines(fields, "environment",
            with_note("    ",
                      std::string("static constexpr lane::Environment kEnvironment = lane::Environment::") +
                          environment_word(environment) + ";",
                      environment_note(environment), 0));
  const auto constant_text = [](const PrintedConstant& c) {
    return "static constexpr " + c.type + " " + c.name + " = " + c.value + ";";
  };
  const std::size_t constants = note_column(printed.constants, constant_text);
  for (const PrintedConstant& constant : printed.constants)
    add_lines(fields, "constants", with_note("    ", constant_text(constant), constant.formula, constants));
  for (const ir::Table& table : program.tables) fields.lists["tables"].push_back(table_fields(table, "    "));
  if (const std::optional<ir::Table> table = table_of_loop(kernel, program))
    fields.lists["tables"].push_back(table_fields(*table, "    "));
  const auto statement_text = [](const PrintedStatement& statement) { return statement.text; };
  const std::size_t statements = note_column(printed.statements, statement_text);
  for (const PrintedStatement& statement : printed.statements)
    add_lines(fields, "statements", with_note("      ", statement.text, statement.note, statements));
  return fields;
}

bool has_tables(const ir::Program& program) { return !program.tables.empty(); }

std::string lookups_struct(const Kernel& kernel) { return kernel.struct_name + "_lookups"; }

/// The table of a kernel of which a program reads the result.
std::string whole_table(const Kernel& kernel) {
  for (const ir::Program& program : kernel.programs) {
    const ir::Node& result = program.result();
    if (result.op == ir::Op::table)
      return program.tables[static_cast<std::size_t>(result.table)].name + " of the plan " + program.variant();
  }
  return "the tables of the plans";
}

/// `lookups`: the file in which the programs with tables stand; empty: here.
Fields kernel_fields(const Kernel& kernel, const evidence::Processors& processors, const std::string& lookups) {
  const spec::Meaning& meaning = kernel.meaning;
  Fields fields;
  fields.words["name"] = kernel.name;
  fields.words["struct_name"] = kernel.struct_name;
  add_header(fields, "kernel", kernel.name + " (" + kernel.hash + ")");
  add_header(fields, "meaning", driver::meaning_summary(meaning));
  fields.words["src"] = meaning.src->name;
  fields.words["dst"] = meaning.dst->name;
  fields.words["src_bits"] = std::to_string(meaning.src->storage_bits);
  fields.words["dst_bits"] = std::to_string(meaning.dst->storage_bits);
  const auto add_packing = [&](const char* constant, const spec::Type& type) {
    if (type.packing == Packing::low_first) return;
    fields.lists["packings"].push_back(field("line", std::string("  static constexpr Packing ") + constant +
                                                         " = Packing::" + std::string(spec::word_of(type.packing)) +
                                                         ";  // the first element of a byte is in its high bits"));
  };
  add_packing("kSrcPacking", *meaning.src);
  add_packing("kDstPacking", *meaning.dst);
  add_header(fields, "request", kernel.request);
  for (const spec::Rule* rule : kernel.rules) {
    add_header(fields, "rule", rule->where.file + "#" + rule->where.pointer + " (" + rule->id + ")");
  }
  for (const std::string& row : format_truth_table(meaning)) fields.lists["rows"].push_back(field("row", row));
  if (fields.lists["rows"].empty())
    fields.lists["rows"].push_back(field("row", "every result stands in " + whole_table(kernel)));

  std::string plan_list;
  for (std::size_t i = 0; i < kernel.programs.size(); ++i) {
    const ir::Program& program = kernel.programs[i];
    const bool elsewhere = !lookups.empty() && has_tables(program);
    fields.lists["plans"].emplace_back();
    fields.lists["plans"].back().lists[elsewhere ? "elsewhere" : "here"].push_back(program_fields(kernel, program));
    fields.lists["plans"].back().words["lookups_struct"] = lookups_struct(kernel);
    fields.lists["plans"].back().words["variant"] = program.variant();
    std::string sets;
    for (const std::string& set : plan::chosen_on(kernel.programs, i)) sets += " " + set;
    add_header(fields, "plan",
               program.id + " (" + program.source + ")" + (elsewhere ? " in " + lookups : "") + ", runs on" + sets);
    plan_list += (plan_list.empty() ? "" : ", ") + program.variant();
  }
  for (const evidence::ProcessorFamily& family : processors.of(kernel))
    add_header(fields, family.name, evidence::family_note(family));
  fields.words["plan_list"] = plan_list;

  const std::vector<Representative> marks = representatives(meaning);
  // As many rows on a line as fit beside what they show; where not even one does, that stands above it.
  const auto line_of = [&](std::size_t start, std::size_t count) {
    std::string rows, why;
    for (std::size_t i = start; i < start + count; ++i) {
      rows += (rows.empty() ? "{" : " {") + spec::hex(marks[i].source, storage_unit(meaning.src->storage_bits)) + ", " +
              spec::hex(marks[i].result, storage_unit(meaning.dst->storage_bits)) + "},";
      why += (why.empty() ? "" : "; ") + marks[i].why;
    }
    return std::pair{"    " + rows, why};
  };
  const auto columns = [](const std::pair<std::string, std::string>& line) {
    return line.first.size() + 5 + line.second.size();
  };
  for (std::size_t start = 0; start < marks.size();) {
    std::size_t count = std::min<std::size_t>(3, marks.size() - start);
    while (count > 1 && columns(line_of(start, count)) > kColumns) --count;
    const auto [rows, why] = line_of(start, count);
    const bool beside = columns({rows, why}) <= kColumns;
    if (!beside) fields.lists["asserts"].push_back(field("line", "    // " + why));
    fields.lists["asserts"].push_back(field("line", beside ? rows + "  // " + why : rows));
    start += count;
  }
  return fields;
}

std::string filled(const Templates& templates, const std::string& frame, const Fields& fields) {
  std::string text = templates.render(frame, fields);
  const auto in_head = [&](std::size_t at) { return at < text.find("#pragma once"); };
  for (std::size_t at = 0; in_head(at = text.find("\n\n", at));) text.erase(at, 1);
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;)
    text.erase(at, 1);  // an empty section leaves a blank line
  for (std::size_t at = 0; (at = text.find("\n\n};\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

/// What the frames of a pair's files have in common.
Fields pair_fields(const spec::Meaning& meaning) {
  Fields fields = field("src", meaning.src->name);
  fields.words["dst"] = meaning.dst->name;
  fields.words["src_file"] = meaning.src->where.file;
  fields.words["dst_file"] = meaning.dst->where.file;
  return fields;
}

/// What the files of a pair are made with.
struct Making {
  const Templates& templates;
  const evidence::Processors& processors;
  const FileLimits& limits;
  std::string pair;  // its own file, without .hpp
};

/// `lookups`: the file in which the programs with tables of the one kernel stand; empty: with the rest.
std::string render(const Making& with, const std::vector<const Kernel*>& kernels, const std::string& lookups = "") {
  Fields fields = pair_fields(kernels.front()->meaning);
  if (!lookups.empty()) fields.lists["includes"].push_back(field("path", lookups));
  std::vector<const spec::Rule*> rules;
  std::set<ir::Op> used;
  for (const Kernel* kernel : kernels) {
    fields.lists["kernels"].push_back(kernel_fields(*kernel, with.processors, lookups));
    for (const ir::Program& program : kernel->programs) {
      if (lookups.empty() || !has_tables(program)) used.merge(named_operations(program));
    }
    rules.insert(rules.end(), kernel->rules.begin(), kernel->rules.end());
  }
  for (const std::string& text : citations(rules)) add_header(fields, "cites", text);
  add_legend(fields, used);
  return filled(with.templates, "kernel_file.hpp", fields);
}

std::string render_lookups(const Templates& templates, const Kernel& kernel) {
  Fields fields = pair_fields(kernel.meaning);
  add_header(fields, "kernel", kernel.name);
  fields.words["lookups_struct"] = lookups_struct(kernel);
  std::set<ir::Op> used;
  for (const ir::Program& program : kernel.programs) {
    if (!has_tables(program)) continue;
    fields.lists["here"].push_back(program_fields(kernel, program));
    used.merge(named_operations(program));
  }
  add_legend(fields, used);
  return filled(templates, "kernel_lookups.hpp", fields);
}

bool fits(const std::string& text, const FileLimits& limits) {
  return text.size() <= limits.bytes &&
         static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) <= limits.lines;
}

constexpr const char* kConverted = "converted";

/// What tells the kernels of a pair apart, from coarse to fine, in plain words.
std::vector<std::string> distinctions(const Kernel& kernel) {
  const spec::Meaning& meaning = kernel.meaning;
  const auto word = [](std::string_view of_spec) { return std::string(of_spec); };
  return {meaning.bits == spec::Bits::kept ? "bits_kept" : kConverted,
          !driver::overflow_matters(meaning) ? "in_range"
          : meaning.saturate_first           ? "saturating_first"
                                             : word(spec::in_file_name(meaning.overflow)),
          driver::rounds(meaning) ? meaning.round->name : "exact",
          "infinity_to_" + word(spec::word_of(meaning.inf, meaning.dst->kind)),
          "nan_to_" + word(spec::word_of(meaning.nan)),
          "negative_to_" + word(spec::word_of(meaning.negative)),
          "sign_of_zero_" + word(spec::word_of(meaning.zero_sign)),
          kernel.struct_name.substr(kernel.struct_name.find("__") + 2)};
}

/// Files of kernels that one file does not hold: divided by the next distinction that tells them apart. `words`: the
/// distinctions so far.
void divide(const Making& with, const std::vector<const Kernel*>& kernels, const std::string& words, std::size_t level,
            PairFiles& out) {
  const std::string stem = words.empty() ? with.pair : with.pair + "__" + words;
  const std::string path = stem + ".hpp";
  const std::string text = render(with, kernels);
  if (fits(text, with.limits)) {
    out.files[path] = text;
    for (const Kernel* kernel : kernels) out.kernel_paths[kernel] = path;
    return;
  }
  if (kernels.size() == 1) {
    const std::string lookups = stem + "__lookups.hpp";
    const std::string beside = render_lookups(with.templates, *kernels.front());
    const std::string rest = render(with, kernels, lookups);
    const bool divides = std::max(beside.size(), rest.size()) < text.size();
    if (divides) out.files[lookups] = beside;
    out.files[path] = divides ? rest : text;
    out.kernel_paths[kernels.front()] = path;
    return;
  }
  std::map<std::string, std::vector<const Kernel*>> groups;
  for (const Kernel* kernel : kernels) groups[distinctions(*kernel).at(level)].push_back(kernel);
  for (const auto& [word, group] : groups) {
    // Beside bits that are kept, converted is a word of its own only where no other follows.
    const bool others_follow = word == kConverted && group.size() > 1 && !fits(render(with, group), with.limits);
    const bool says_nothing = groups.size() == 1 || others_follow;
    const std::string longer = says_nothing ? words : words.empty() ? word : words + "_" + word;
    divide(with, group, longer, level + 1, out);
  }
}

}  // namespace

std::string needs_word(unsigned needs, const std::string& scope) {
  std::string text;
  unsigned unnamed = needs;
  for (const auto& [bit, word] : ir::all_needs()) {
    if ((needs & bit) != 0) text += (text.empty() ? "" : " | ") + scope + std::string(word);
    unnamed &= ~static_cast<unsigned>(bit);
  }
  if (unnamed != 0) throw std::logic_error("a need without a name: bits " + std::to_string(unnamed));
  return text.empty() ? scope + "nothing" : text;
}

std::string pair_path(const spec::Meaning& meaning) {
  return "kernels/" + meaning.dst->name + "/from_" + meaning.src->name + ".hpp";
}

PairFiles pair_files(const Templates& templates, const evidence::Processors& processors,
                     const std::vector<const Kernel*>& kernels, const FileLimits& limits) {
  PairFiles out;
  const std::string path = pair_path(kernels.front()->meaning);
  divide({templates, processors, limits, path.substr(0, path.size() - 4)}, kernels, "", 0, out);
  if (out.files.contains(path)) return out;
  Fields index = pair_fields(kernels.front()->meaning);
  for (const Kernel* kernel : kernels) {
    add_header(index, "kernel", kernel->name + ", in " + out.kernel_paths.at(kernel));
    add_header(index, "meaning", driver::meaning_summary(kernel->meaning));
  }
  std::set<std::string> parts;
  for (const auto& [kernel, part] : out.kernel_paths) parts.insert(part);
  for (const std::string& part : parts) index.lists["parts"].push_back(field("path", part));
  out.files[path] = templates.render("kernel_parts.hpp", index);
  return out;
}

}  // namespace castforge::emit

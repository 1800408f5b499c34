#include "emit/kernel_file.hpp"

#include <algorithm>
#include <set>

#include "emit/print_cpp.hpp"
#include "emit/truth_table.hpp"

namespace castforge::emit {
namespace {

std::string unsigned_word(int bits) { return "std::uint" + std::to_string(std::max(8, bits)) + "_t"; }

const char* needs_word(plan::Needs needs) {
  switch (needs) {
    case plan::Needs::nothing: return "lane::Needs::nothing";
    case plan::Needs::fma: return "lane::Needs::fma";
    case plan::Needs::f16c: return "lane::Needs::f16c";
    case plan::Needs::avx512: return "lane::Needs::avx512";
    case plan::Needs::vbmi: return "lane::Needs::vbmi";
  }
  return "";
}

/// Code and comment, the comments of a block in one column where the code is short enough.
std::string with_note(const std::string& code, const std::string& note, std::size_t column) {
  if (note.empty()) return code;
  std::string line = code;
  line.resize(std::max(line.size(), column), ' ');
  return line + "  // " + note;
}

template <class List, class Text>
std::size_t note_column(const List& list, Text text) {
  std::size_t column = 0;
  for (const auto& item : list) {
    const std::size_t size = text(item).size();
    if (size <= 72) column = std::max(column, size);
  }
  return column;
}

std::string constant_line(const PrintedConstant& constant) { return constant.name + " = " + constant.value + ";"; }

Fields plan_fields(const plan::LanePlan& plan, bool code_fits) {
  const PrintedPlan printed = print_cpp(plan);
  Fields fields;
  fields.words["variant"] = plan.variant();
  fields.words["needs"] = needs_word(plan.needs);
  fields.words["lane_bits"] = std::to_string(plan.lane_bits);
  fields.words["sign_extend"] = plan.sign_extend ? "true" : "false";
  fields.words["parameter"] = printed.uses_input ? "W bits" : "W";
  fields.words["result"] = printed.result;
  if (plan.uses_float_environment()) fields.lists["traits"].push_back({{{"trait", "kUsesFloat"}}, {}});
  if (code_fits) fields.lists["traits"].push_back({{{"trait", "kCodeFits"}}, {}});
  const std::size_t constants = note_column(printed.constants, constant_line);
  for (const PrintedConstant& constant : printed.constants) {
    fields.lists["constants"].push_back({{{"word", unsigned_word(plan.lane_bits)}, {"constant", with_note(constant_line(constant), constant.formula, constants)}}, {}});
  }
  const std::size_t statements = note_column(printed.statements, [](const PrintedStatement& s) { return s.text; });
  for (const PrintedStatement& statement : printed.statements) {
    fields.lists["statements"].push_back({{{"statement", with_note(statement.text, statement.note, statements)}}, {}});
  }
  return fields;
}

Fields table_fields(const spec::Meaning& meaning, const plan::TablePlan& table) {
  const int bits = std::max(8, meaning.dst->storage_bits);
  const std::size_t per_line = bits == 64 ? 4 : 8;
  Fields fields;
  fields.words["word"] = unsigned_word(bits);
  fields.words["count"] = std::to_string(table.entries.size());
  for (std::size_t start = 0; start < table.entries.size(); start += per_line) {
    std::string line;
    for (std::size_t i = start; i < std::min(start + per_line, table.entries.size()); ++i) line += hex(table.entries[i], bits) + ", ";
    line.pop_back();
    const std::string first = value_text(*meaning.src, start & ((1ull << meaning.src->value_bits) - 1));
    fields.lists["lines"].push_back({{{"line", line + "  // " + hex(start, 8).substr(2) + ": " + first + (per_line > 1 ? " .." : "")}}, {}});
  }
  return fields;
}

Fields kernel_fields(const Kernel& kernel) {
  const spec::Meaning& meaning = kernel.meaning;
  Fields fields;
  fields.words["name"] = kernel.name;
  fields.words["struct_name"] = kernel.struct_name;
  fields.words["summary"] = meaning_summary(meaning);
  fields.words["hash"] = kernel.hash;
  fields.words["src"] = meaning.src->name;
  fields.words["dst"] = meaning.dst->name;
  fields.words["src_bits"] = std::to_string(meaning.src->storage_bits);
  fields.words["dst_bits"] = std::to_string(meaning.dst->storage_bits);
  std::set<std::string> cites;
  for (const spec::Rule* rule : kernel.rules) {
    fields.lists["rules"].push_back({{{"rule", rule->where.file + "#" + rule->where.pointer + " (" + rule->id + ")"}}, {}});
    if (!rule->basis.empty() && cites.insert(rule->basis).second) fields.lists["cites"].push_back({{{"cite", rule->basis}}, {}});
  }
  for (const std::string& row : format_truth_table(meaning)) fields.lists["rows"].push_back({{{"row", row}}, {}});
  if (fields.lists["rows"].empty()) fields.lists["rows"].push_back({{{"row", "every result stands in the table below"}}, {}});

  std::string plan_list;
  if (kernel.plans.has_table) {
    fields.lists["table"].push_back(table_fields(meaning, kernel.plans.table));
    fields.lists["plan_lines"].push_back({{{"plan_line", "table: all " + std::to_string(kernel.plans.table.entries.size()) + " results"}}, {}});
    plan_list = "table";
  }
  for (const plan::LanePlan& plan : kernel.plans.lanes) {
    fields.lists["plans"].push_back(plan_fields(plan, plan.code_fits));
    fields.lists["plan_lines"].push_back({{{"plan_line", plan.id + " (" + plan.source + ")"}}, {}});
    plan_list += (plan_list.empty() ? "" : ", ") + plan.variant();
  }
  fields.words["plan_list"] = plan_list;

  const std::string at = "lane::at<" + kernel.struct_name + ">(";
  std::vector<Landmark> marks = landmarks(meaning);
  for (const Landmark& mark : marks) {
    const std::string text = "static_assert(" + at + hex(mark.source, std::max(8, meaning.src->storage_bits)) + ") == " +
                             hex(mark.result, std::max(8, meaning.dst->storage_bits)) + ");";
    fields.lists["asserts"].push_back({{{"assert", text + "  // " + mark.why}}, {}});
  }
  return fields;
}

}  // namespace

std::string kernel_path(const Kernel& kernel) {
  return "kernels/" + kernel.meaning.dst->name + "/from_" + kernel.meaning.src->name + ".hpp";
}

std::string kernel_file(const Templates& templates, const std::vector<const Kernel*>& kernels) {
  const spec::Meaning& first = kernels.front()->meaning;
  Fields fields;
  fields.words["src"] = first.src->name;
  fields.words["dst"] = first.dst->name;
  fields.words["src_file"] = first.src->where.file;
  fields.words["dst_file"] = first.dst->where.file;
  for (const Kernel* kernel : kernels) fields.lists["kernels"].push_back(kernel_fields(*kernel));
  return templates.render("kernel_file.hpp", fields);
}

}  // namespace castforge::emit

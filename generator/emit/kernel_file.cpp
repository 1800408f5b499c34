#include "emit/kernel_file.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "emit/print_cpp.hpp"
#include "emit/truth_table.hpp"
#include "semantics/value.hpp"

namespace castforge::emit {
namespace {

Fields field(const std::string& name, const std::string& word) { return {{{name, word}}, {}}; }

std::string unsigned_word(int bits) { return "std::uint" + std::to_string(std::max(8, bits)) + "_t"; }

std::string needs_word(unsigned needs) {
  std::string text;
  const auto add = [&](unsigned bit, const char* word) {
    if ((needs & bit) != 0) text += (text.empty() ? "lane::Needs::" : " | lane::Needs::") + std::string(word);
  };
  add(plan::kNeedsVector, "vector");
  add(plan::kNeedsAvx512, "avx512");
  add(plan::kNeedsVbmi, "vbmi");
  return text.empty() ? "lane::Needs::nothing" : text;
}

/// Code and comment, the comments of a block in one column where the code is short enough.
std::string with_note(const std::string& code, const std::string& note, std::size_t column) {
  if (note.empty()) return code;
  std::string line = code;
  line.resize(std::max(line.size(), column), ' ');
  return line + "  // " + note;
}

std::string return_line(const PrintedPlan& printed) { return with_note("return " + printed.result + ";", printed.result_note, 0); }

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

/// The function that runs before map(): whole lines, so that plans without one leave no trace in the frame.
std::string prepare_function(const plan::LanePlan& plan, const PrintedPlan& printed) {
  const std::size_t column = note_column(printed.statements, [](const PrintedStatement& s) { return s.text; });
  std::string text = std::string("    template <class W>\n    static constexpr W prepare(W bits) noexcept {  // in 64-bit lanes; ") + (plan.load != plan::Load::plain ? "as kLoad says" : "the low half goes to map()") + "\n";
  for (const PrintedStatement& statement : printed.statements) text += "      " + with_note(statement.text, statement.note, column) + "\n";
  return text + "      " + return_line(printed) + "\n    }\n";
}

std::string sign_lines(std::uint64_t sign_bit, bool unless_zero, const char* what) {
  if (sign_bit == 0) return "";
  return "    static constexpr std::uint8_t kSignBit = " + hex(sign_bit, 8) + ";  // " + what + "\n" +
         "    static constexpr bool kSignUnlessZero = " + (unless_zero ? "true;  // there is no negative zero\n" : "false;\n");
}

/// What stands before the tables of a steps plan: constants and the function place().
std::string place_function(const plan::StepsPlan& steps) {
  const PrintedPlan printed = print_cpp(*steps.place);
  const std::size_t constants = note_column(printed.constants, constant_line);
  const std::size_t column = note_column(printed.statements, [](const PrintedStatement& s) { return s.text; });
  std::string text;
  for (const PrintedConstant& constant : printed.constants) text += "    static constexpr std::uint16_t " + with_note(constant_line(constant), constant.formula, constants) + "\n";
  text += sign_lines(steps.sign_bit, steps.sign_unless_zero, "where the sign of the source goes");
  text += "    template <class W>\n    static constexpr W place(W bits) noexcept {  // in 16-bit lanes\n";
  for (const PrintedStatement& statement : printed.statements) text += "      " + with_note(statement.text, statement.note, column) + "\n";
  return text + "      " + return_line(printed) + "\n    }\n";
}

/// An enumerator of lane::Load or lane::Store, and what it says to a reader. Empty: plain.
struct ConversionWords {
  const char* word = "";
  const char* meaning = "";
};

ConversionWords load_words(const plan::LanePlan& plan) {
  switch (plan.load) {
    case plan::Load::plain: return {};
    case plan::Load::float16: return {"float16", "a float16, as float32: exact"};
    case plan::Load::float32_cut: return {"float32_cut", "a float32, cut to an integer, modulo 2^32; NaN and infinities: 0"};
    case plan::Load::float64: return {"float64", "a float64, rounded to float32: nearest, ties to even"};
    case plan::Load::float64_cut: return {"float64_cut", "a float64, cut to an integer, modulo 2^32; NaN and infinities: 0"};
    case plan::Load::float64_toward_zero: return {"float64_toward_zero", "a float64, rounded to float32: toward zero"};
    case plan::Load::int64:
    case plan::Load::uint64:
      return {plan.load == plan::Load::int64 ? "int64" : "uint64", "an integer, rounded to float32: nearest, ties to even"};
  }
  return {};
}

ConversionWords store_words(const plan::LanePlan& plan) {
  switch (plan.store) {
    case plan::Store::plain: return {};
    case plan::Store::upper_half: return {"upper_half", "the result is in the upper half of the lane"};
    case plan::Store::upper_nearest:
      return {"upper_nearest", "what map() returns is rounded to its upper half: nearest, ties to even; the carry may run into the exponent"};
    case plan::Store::float16: return {"float16", "the float32 that map() returns is rounded to float16: nearest, ties to even"};
    case plan::Store::float64: return {"float64", "the float32 that map() returns is stored as float64: exact"};
    case plan::Store::int64: return {"int64", "the integer that map() returns is sign-extended to 64 bits"};
    case plan::Store::float32_cut:
      return {"float32_cut", "the float32 that map() returns is cut to 64-bit integers, modulo 2^64; 0 for NaN and infinities"};
    case plan::Store::float64_of_int: return {"float64_of_int", "the integer that map() returns is stored as float64: exact"};
  }
  return {};
}

std::string conversion_line(const std::string& direction, const ConversionWords& words, const std::string& subject) {
  if (*words.word == '\0') return "";
  return "\n    static constexpr lane::" + direction + " k" + direction + " = lane::" + direction + "::" + words.word + ";  // " + subject + words.meaning;
}

Fields plan_fields(const plan::LanePlan& plan) {
  const PrintedPlan printed = print_cpp(plan);
  Fields fields;
  fields.words["variant"] = plan.variant();
  fields.words["needs"] = needs_word(plan.needs);
  fields.words["lane_bits"] = std::to_string(plan.lane_bits);
  fields.words["sign_extend"] = plan.sign_extend ? "true" : "false";
  fields.words["parameter"] = printed.uses_input ? "W bits" : "W";
  fields.words["return"] = return_line(printed);
  fields.words["uses_float"] = !plan.uses_float_environment() ? "false" : plan.flush_safe ? "true, kFlushSafe = true" : "true, kFlushSafe = false";
  fields.words["code_fits"] = plan.code_fits ? "true" : "false";
  fields.words["conversions"] = "";
  if (plan.load_shift != 0) fields.words["conversions"] += "\n    static constexpr int kLoadShift = " + std::to_string(plan.load_shift) + ";  // the source is in the high bits of the lane";
  fields.words["conversions"] += conversion_line("Load", load_words(plan), plan.prepare ? "the lane is what prepare() returns, " : "the lane is the source, ");
  fields.words["conversions"] += conversion_line("Store", store_words(plan), "");
  const char* const place = plan.sign_in_result ? "where the sign goes" : "where the sign of the source goes; the magnitude is in the low bits";
  fields.words["sign"] = sign_lines(plan.sign_bit, plan.sign_unless_zero, place);
  if (plan.sign_in_result) fields.words["sign"] += "    static constexpr bool kSignInResult = true;  // it is the sign of what map() returns\n";
  if (plan.fold != 0) {
    const std::string fold = std::to_string(plan.fold);
    fields.words["sign"] += "    static constexpr int kFold = " + fold + ";  // the code is v + (v >> " + fold +
                            ") of what map() returns: the exponent goes over the fraction, in the low bits\n";
  }
  std::size_t constants = note_column(printed.constants, constant_line);
  fields.words["prepare"] = "";
  if (plan.prepare) {
    const PrintedPlan first = print_cpp(*plan.prepare);
    constants = std::max(constants, note_column(first.constants, constant_line));
    for (const PrintedConstant& constant : first.constants) {
      fields.lists["constants"].push_back({{{"word", unsigned_word(plan.prepare->lane_bits)}, {"constant", with_note(constant_line(constant), constant.formula, constants)}}, {}});
    }
    fields.words["prepare"] = prepare_function(plan, first);
  }
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
  const std::size_t per_line = bits == 64 ? 4 : bits == 8 ? 16 : 8;
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

Fields steps_fields(const spec::Meaning& meaning, const plan::StepsPlan& steps) {
  Fields fields;
  std::string formula = std::string("kFirst[h] + (l > kOnce[h] ? ") + (steps.rises_by_one() ? "1" : "kRise[h]") + " : 0)";
  if (steps.has_second_steps()) formula += " + (l > kTwice[h] ? 1 : 0)";
  fields.words["split"] = steps.place ? "what place() makes of the source" : "the source";
  fields.words["place"] = steps.place ? place_function(steps) : "";
  fields.words["formula"] = formula + (steps.has_small ? "; kSmall[l] for h = 0" : "");
  const auto table = [&](const char* name, const char* what, const std::array<std::uint8_t, 256>& entries, bool codes = false, int shift = 8) {
    Fields list{{{"table_name", name}, {"what", what}}, {}};
    for (std::size_t start = 0; start < entries.size(); start += 16) {
      std::string line;
      for (std::size_t i = start; i < start + 16; ++i) line += (codes ? hex(entries[i], 8) : std::to_string(entries[i])) + ", ";
      line.pop_back();
      const std::string value = steps.place ? "cells from here" : value_text(*meaning.src, semantics::code_of_storage(*meaning.src, start << shift));
      list.lists["step_lines"].push_back(field("step_line", line + "  // " + hex(start, 8).substr(2) + ": " + value + " .."));
    }
    fields.lists["step_tables"].push_back(list);
  };
  table("kFirst", "the result for low byte 0", steps.first, true);
  table("kOnce", "the last low byte before the first step; 255: no step", steps.once);
  if (steps.has_second_steps()) table("kTwice", "the same for a second step, by 1", steps.twice);
  if (steps.has_small) table("kSmall", "the result for high byte 0", steps.small, true, 0);
  if (!steps.rises_by_one()) table("kRise", "height of the first step, modulo 256", steps.rise);
  return fields;
}

Fields kernel_fields(const Kernel& kernel) {
  const spec::Meaning& meaning = kernel.meaning;
  Fields fields;
  fields.words["name"] = kernel.name;
  fields.words["struct_name"] = kernel.struct_name;
  fields.words["summary"] = meaning_comment(meaning);
  fields.words["hash"] = kernel.hash;
  fields.words["src"] = meaning.src->name;
  fields.words["dst"] = meaning.dst->name;
  fields.words["src_bits"] = std::to_string(meaning.src->storage_bits);
  fields.words["dst_bits"] = std::to_string(meaning.dst->storage_bits);
  for (const spec::Rule* rule : kernel.rules) {
    fields.lists["rules"].push_back(field("rule", rule->where.file + "#" + rule->where.pointer + " (" + rule->id + ")"));
  }
  for (const std::string& row : format_truth_table(meaning)) fields.lists["rows"].push_back({{{"row", row}}, {}});
  if (fields.lists["rows"].empty()) fields.lists["rows"].push_back({{{"row", "every result stands in the table below"}}, {}});

  std::string plan_list;
  if (kernel.plans.has_table) {
    fields.lists["table"].push_back(table_fields(meaning, kernel.plans.table));
    fields.lists["table"].back().words["table_needs"] = needs_word(kernel.plans.table_needs);
    fields.lists["plan_lines"].push_back({{{"plan_line", "table: all " + std::to_string(kernel.plans.table.entries.size()) + " results"}}, {}});
    plan_list = "table";
  }
  if (kernel.plans.has_steps) {
    fields.lists["steps"].push_back(steps_fields(meaning, kernel.plans.steps));
    fields.lists["plan_lines"].push_back(field("plan_line", "steps: all 65536 results (generator/plan/steps.cpp)"));
    plan_list = "steps";
  }
  for (const plan::LanePlan& plan : kernel.plans.lanes) {
    fields.lists["plans"].push_back(plan_fields(plan));
    fields.lists["plan_lines"].push_back({{{"plan_line", plan.id + " (" + plan.source + ")"}}, {}});
    plan_list += (plan_list.empty() ? "" : ", ") + plan.variant();
  }
  fields.words["plan_list"] = plan_list;

  const std::vector<Landmark> marks = landmarks(meaning);
  const std::size_t per_line = 3;
  for (std::size_t start = 0; start < marks.size(); start += per_line) {
    std::string rows, why;
    for (std::size_t i = start; i < std::min(start + per_line, marks.size()); ++i) {
      rows += (rows.empty() ? "{" : " {") + hex(marks[i].source, std::max(8, meaning.src->storage_bits)) + ", " +
              hex(marks[i].result, std::max(8, meaning.dst->storage_bits)) + "},";
      why += (why.empty() ? "" : "; ") + marks[i].why;
    }
    fields.lists["asserts"].push_back(field("assert", rows + "  // " + why));
  }
  return fields;
}

std::string render(const Templates& templates, const std::vector<const Kernel*>& kernels) {
  const spec::Meaning& first = kernels.front()->meaning;
  Fields fields = field("src", first.src->name);
  fields.words["dst"] = first.dst->name;
  fields.words["src_file"] = first.src->where.file;
  fields.words["dst_file"] = first.dst->where.file;
  std::set<std::string> cites;
  for (const Kernel* kernel : kernels) {
    fields.lists["kernels"].push_back(kernel_fields(*kernel));
    for (const spec::Rule* rule : kernel->rules) {
      if (!rule->basis.empty() && cites.insert(rule->basis).second) fields.lists["cites"].push_back(field("cite", rule->basis));
    }
  }
  std::string text = templates.render("kernel_file.hpp", fields);
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);  // an empty section leaves a blank line
  return text;
}

bool fits(const std::string& text) {
  return text.size() <= kMaxBytes && static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) <= kMaxLines;
}

/// "from_float16__rne_sat" goes to kernels/<dst>/from_float16__sat.hpp: the name without its rounding.
std::string policy_path(const Kernel& kernel) {
  const std::size_t round = kernel.struct_name.find("__") + 2;
  const std::size_t policy = kernel.struct_name.find('_', round);
  return "kernels/" + kernel.meaning.dst->name + "/" + kernel.struct_name.substr(0, round) +
         (policy == std::string::npos ? "plain" : kernel.struct_name.substr(policy + 1)) + ".hpp";
}

std::string own_path(const Kernel& kernel) { return "kernels/" + kernel.meaning.dst->name + "/" + kernel.struct_name + ".hpp"; }

}  // namespace

std::string pair_path(const spec::Meaning& meaning) { return "kernels/" + meaning.dst->name + "/from_" + meaning.src->name + ".hpp"; }

std::map<std::string, std::string> pair_files(const Templates& templates, const std::vector<const Kernel*>& kernels) {
  const std::string path = pair_path(kernels.front()->meaning);
  std::map<std::string, std::string> files{{path, render(templates, kernels)}};
  if (fits(files[path])) return files;

  files.clear();
  std::map<std::string, std::vector<const Kernel*>> parts;
  for (const Kernel* kernel : kernels) parts[policy_path(*kernel)].push_back(kernel);
  Fields index = field("src", kernels.front()->meaning.src->name);
  index.words["dst"] = kernels.front()->meaning.dst->name;
  for (const Kernel* kernel : kernels) index.lists["kernels"].push_back({{{"name", kernel->name}, {"summary", meaning_comment(kernel->meaning)}}, {}});
  for (const auto& [part, list] : parts) {
    const std::string text = render(templates, list);
    if (fits(text)) {
      files[part] = text;
      continue;
    }
    for (const Kernel* kernel : list) {
      const std::string own = own_path(*kernel);
      files[own] = render(templates, {kernel});
      if (!fits(files[own])) {
        throw std::logic_error(own + " is longer than the " + std::to_string(kMaxLines) + " lines and " + std::to_string(kMaxBytes) +
                               " bytes of a kernel file");
      }
    }
  }
  for (const auto& [part, text] : files) index.lists["parts"].push_back(field("path", part));
  files[path] = templates.render("kernel_parts.hpp", index);
  return files;
}

std::string kernel_path(const Kernel& kernel, const std::map<std::string, std::string>& files) {
  for (const std::string& path : {own_path(kernel), policy_path(kernel)}) {
    if (files.count(path) != 0) return path;
  }
  return pair_path(kernel.meaning);
}

}  // namespace castforge::emit

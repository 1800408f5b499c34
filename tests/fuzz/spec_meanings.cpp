// Formats and rules that nobody has thought of: decisions make two types, a rounding mode and an op-set as JSON files;
// what the loader takes of them is planned, tabulated and written as a .cft file, and each of these has to agree with
// the exact semantics.
#include <algorithm>
#include <array>
#include <castforge/interface.hpp>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "driver/catalogue.hpp"
#include "fuzz/scratch.hpp"
#include "fuzz/target.hpp"
#include "ir/interpret.hpp"
#include "plan/planner.hpp"
#include "semantics/convert.hpp"
#include "spec/loader.hpp"
#include "spec/words.hpp"
#include "src/isa_table.hpp"
#include "src/loaded/loaded_file.hpp"
#include "tabulate/file.hpp"
#include "tabulate/table.hpp"
#include "verify/points.hpp"

namespace castforge::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCodes = 1500;  // of each conversion

const char* flag(bool value) { return value ? "true" : "false"; }

std::string storage_text(Choices& choices, int bits) {
  std::string text = ", \"storage_bits\": ";
  if (choices.one_in(3)) return text + std::to_string(bits);  // dense, or a word
  text += std::to_string(storage_unit(bits));
  if (choices.one_in(4)) text += ", \"storage_align\": \"high\"";
  return text;
}

std::string float_text(Choices& choices) {
  const bool is_signed = choices.byte() % 4 != 0;
  // Mostly of the size of formats that exist.
  int exponent = 1 + static_cast<int>(choices.below(choices.one_in(8) ? 11 : 6));
  int mantissa = static_cast<int>(choices.below(choices.one_in(8) ? 53 : 8));
  const int bits = static_cast<int>(is_signed) + exponent + mantissa;
  const int usual = (1 << (exponent - 1)) - 1;
  const int bias = usual + (choices.one_in(2) ? static_cast<int>(choices.below(64)) - 32 : 0);
  constexpr const char* kNan[] = {"none", "top", "ieee", "negative_zero"};
  std::ostringstream out;
  out << R"("kind": "float", "signed": )" << flag(is_signed) << R"(, "exponent_bits": )" << exponent
      << R"(, "mantissa_bits": )" << mantissa << R"(, "exponent_bias": )" << bias << R"(, "subnormals": )"
      << flag(choices.byte() % 4 != 0) << R"(, "infinity": )" << flag(choices.flag()) << R"(, "nan": ")"
      << choices.one_of(kNan) << '"' << storage_text(choices, bits);
  return out.str();
}

std::string integer_text(Choices& choices) {
  const int bits = 2 + static_cast<int>(choices.below(choices.one_in(4) ? 63 : 15));
  std::ostringstream out;
  out << R"("kind": "integer", "signed": )" << flag(choices.flag()) << R"(, "bits": )" << bits
      << storage_text(choices, bits);
  return out.str();
}

std::string type_text(Choices& choices, const std::string& name, int id) {
  const std::string body = choices.byte() % 4 == 0 ? integer_text(choices) : float_text(choices);
  return "{\"name\": \"" + name + "\", \"id\": " + std::to_string(id) + ", " + body + "}\n";
}

std::string rounding_text(Choices& choices) {
  const std::uint64_t carry = choices.word(2);
  std::string digits;
  for (int bit = 0; bit < 16; ++bit) {
    if (bit != 0 && bit % 4 == 0) digits += ' ';
    digits += (carry >> bit & 1) != 0 ? '1' : '0';
  }
  return R"({"name": "own", "short": "own", "carry": ")" + digits + "\"}\n";
}

/// One rule per set of properties, each by a number that picks its word; the loader says which cannot be.
class OpSetText {
 public:
  explicit OpSetText(Choices& choices) {
    for (auto& rule : words_) {
      for (const std::string_view property : spec::property_names()) {
        if (property == "parse" || property == "format") continue;
        if (&rule == &words_[1] && !choices.one_in(3)) continue;  // what attributes change
        rule[std::string(property)] = choices.byte();
      }
    }
  }

  std::string text(const std::string& src, const std::string& dst) const {
    const std::string types = src == dst ? quoted(src) : quoted(src) + ", " + quoted(dst);
    std::string all = R"({"opset": "own", "version": 1, "operation": "cast", "types": {"add": [)" + types + "]},\n";
    all += " \"pairs\": {" + quoted(src) + ": [" + quoted(dst) + "]},\n";
    if (!words_[1].empty()) all += R"( "attributes": {"other": {"type": "flag", "default": 0}},)";
    all += " \"rules\": [" + rule(0, "");
    if (!words_[1].empty()) all += ",\n" + rule(1, R"("attr": {"other": 1}, )");
    return all + "]}\n";
  }

  /// Takes back what an error is about. False where it is about something else.
  bool mend(const spec::Diagnostic& error) {
    std::istringstream parts(error.where.pointer);
    std::vector<std::string> path;
    for (std::string part; std::getline(parts, part, '/');) path.push_back(part);
    if (path.size() != 5 || path[1] != "rules" || path[3] != "set") return false;
    auto& rule = words_[path[2] == "0" ? 0 : 1];
    const auto found = rule.find(path[4]);
    if (found == rule.end()) return false;
    if (error.message.find("which none of its pairs has") != std::string::npos) rule.erase(found);
    else if (++found->second, ++tries_ > 60) return false;
    return true;
  }

 private:
  static std::string quoted(const std::string& text) { return '"' + text + '"'; }

  std::string rule(std::size_t number, const std::string& attribute) const {
    std::string set;
    for (const auto& [property, choice] : words_[number])
      set += (set.empty() ? "" : ", ") + quoted(property) + ": " + quoted(word(property, choice));
    return R"({"id": "rule)" + std::to_string(number) + R"(", "src": "any", "dst": "any", )" + attribute +
           "\"set\": {" + set + R"(}, "basis": "none"})";
  }

  static std::string word(const std::string& property, std::size_t choice) {
    constexpr const char* kRoundings[] = {"own", "nearest_even", "toward_zero"};
    constexpr const char* kRanges[] = {"none", "int8", "own_b", "own_a"};
    if (property == "round") return kRoundings[choice % std::size(kRoundings)];
    if (property == "saturate_first") return kRanges[choice % std::size(kRanges)];
    const auto words = spec::find_property(property)->words;
    return std::string(words[choice % words.size()]);
  }

  std::array<std::map<std::string, std::size_t>, 2> words_;
  int tries_ = 0;
};

/// Some of the source words on which plans are compared, spread over all.
std::vector<std::uint64_t> some_points(const spec::Meaning& meaning, std::size_t start) {
  const std::vector<std::uint64_t> all = verify::source_points(meaning);
  if (all.size() <= kCodes) return all;
  const std::size_t step = all.size() / kCodes | 1;
  std::vector<std::uint64_t> some;
  for (std::size_t i = start % step; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

void check_programs(const driver::Kernel& kernel, const std::vector<std::uint64_t>& sources) {
  std::vector<ir::Program> programs;
  try {
    programs = plan::plan_kernel(kernel.meaning);
  } catch (const plan::NoLayout& error) {
    // Refused by its file and key; the conversion can still be loaded as data.
    const bool refusable = error.because == plan::NoLayout::Because::small
                               ? error.type.min_positive() < std::numeric_limits<double>::min()
                               : error.type.mantissa_bits > plan::kMostRounded;
    require(refusable, kernel.text + "\n  " + error.what());
    return;
  } catch (const std::exception& error) {
    fail(kernel.text + "\n  " + error.what());
  }
  for (const ir::Program& program : programs) {
    std::vector<std::uint64_t> codes = sources;
    const std::string problem = ir::interpret(program, codes);
    require(problem.empty(), kernel.text + "\n  " + program.id + ": " + problem);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::uint64_t expected = semantics::convert_storage(kernel.meaning, sources[i]);
      if (codes[i] == expected) continue;
      std::ostringstream message;
      message << kernel.text << "\n  " << program.id << std::hex << ": 0x" << sources[i] << " is 0x" << codes[i]
              << ", expected 0x" << expected;
      fail(message.str());
    }
  }
}

/// The catalogue as a .cft file, read by the runtime: each kernel gives what the semantics say.
void check_file(const driver::Catalogue& catalogue, const std::vector<tabulate::Table>& tables,
                const std::vector<std::vector<std::uint64_t>>& sources) {
  const std::string bytes = tabulate::file_of(catalogue, tables);
  Status status;
  const std::unique_ptr<LoadedFile> file = read_file(std::as_bytes(std::span(bytes)), status);
  require(file != nullptr, catalogue.kernels[0].text + "\n  its file is refused: " + status.message());
  require(file->kernels.size() == catalogue.kernels.size(), "a file of other kernels");
  for (std::size_t k = 0; k < file->kernels.size(); ++k) {
    const DataKernel& kernel = file->kernels[k];
    const Format &from = kernel.from, &to = kernel.to;
    const std::size_t count = sources[k].size();
    const auto source = std::make_unique<unsigned char[]>(bytes_of_elements(count, from.storage_bits));
    const auto result = std::make_unique<unsigned char[]>(bytes_of_elements(count, to.storage_bits));
    for (std::size_t i = 0; i < count; ++i)
      store_element(source.get(), i, sources[k][i], from.storage_bits, from.packing);
    run_data(kernel, isa_named(active_isa()), source.get(), result.get(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t found = load_element(result.get(), i, to.storage_bits, to.packing);
      require(found == semantics::convert_storage(catalogue.kernels[k].meaning, sources[k][i]),
              catalogue.kernels[k].text + "\n  differs in the .cft file at source " + std::to_string(sources[k][i]));
    }
  }
}

void check_model(const spec::SpecModel& model, std::size_t start) {
  const driver::Catalogue catalogue = driver::resolve_catalogue(model);
  std::vector<tabulate::Table> tables;
  std::vector<std::vector<std::uint64_t>> sources;
  for (const driver::Kernel& kernel : catalogue.kernels) {
    sources.push_back(some_points(kernel.meaning, start));
    check_programs(kernel, sources.back());
    tables.push_back(tabulate::tabulate(kernel.meaning));
    const auto difference = tabulate::find_difference(kernel.meaning, tables.back(), 100);
    require(!difference, kernel.text + "\n  table: " + difference.value_or(""));
  }
  if (catalogue.kernels.empty()) return;
  check_file(catalogue, tables, sources);
  accepted();
}

}  // namespace

void spec_meanings(Input input) {
  static const Scratch scratch;
  Choices choices(input);
  const std::size_t start = choices.byte();
  const fs::path shipped = fs::path(CASTFORGE_SOURCE_DIR) / "specs";
  const std::array<std::string, 6> kShipped = {"float32", "float16", "float64", "int8", "bool", "uint32"};
  std::string names[2] = {"own_a", "own_b"};
  std::vector<fs::path> paths = {shipped / "roundings/nearest_even.json", shipped / "roundings/toward_zero.json",
                                 shipped / "types/int8.json", scratch.write("own.json", rounding_text(choices))};
  for (std::size_t side = 0; side < 2; ++side) {
    // A shipped type on one side, every other time.
    if (choices.byte() % 4 == 0) {
      names[side] = choices.one_of(kShipped);
      paths.push_back(shipped / "types" / (names[side] + ".json"));
    } else {
      paths.push_back(
          scratch.write(names[side] + ".json", type_text(choices, names[side], 1000 + static_cast<int>(side))));
    }
  }
  if (choices.one_in(16)) names[1] = names[0];
  OpSetText opset(choices);
  paths.push_back({});
  for (bool mended = true; mended;) {
    mended = false;
    paths.back() = scratch.write("opset.json", opset.text(names[0], names[1]));
    std::optional<spec::SpecModel> model;
    try {
      model = spec::load(paths);
    } catch (const spec::SpecError& error) {
      for (const spec::Diagnostic& one : error.diagnostics()) mended |= opset.mend(one);
    }
    if (model) check_model(*model, start);
  }
}

}  // namespace castforge::fuzz

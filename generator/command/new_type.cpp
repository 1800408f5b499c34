#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"
#include "command/command.hpp"
#include "emit/truth_table.hpp"
#include "plan/planner.hpp"
#include "spec/loader.hpp"
#include "spec/names.hpp"
#include "spec/read.hpp"

namespace castforge::command {
namespace {

namespace fs = std::filesystem;

/// What the types that there are have: the type's name by number, and by each of its names in lower case.
struct Taken {
  std::map<int, std::string> ids;
  std::map<std::string, std::string> names;
};

/// The types in a folder; what cannot be read has none.
void collect(const fs::path& folder, Taken& taken) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".json") continue;
    std::string text;
    try {
      text = spec::read_spec(entry.path());
    } catch (const std::runtime_error&) {
      continue;
    }
    if (text.size() > spec::kLargestSpec) continue;
    spec::Diagnostics ignored;
    spec::Node root;
    if (!spec::parse_json(text, entry.path().string(), entry.path().string(), ignored, root)) continue;
    if (root.kind != spec::Node::Kind::object) continue;
    const std::unique_ptr<spec::Type> type = spec::read_type(root, ignored);
    if (type == nullptr) continue;
    taken.ids[type->id] = type->name;
    taken.names[spec::lower_case(type->name)] = type->name;
    for (const spec::Alias& alias : type->aliases) {
      if (spec::is_user_facing(alias.name)) taken.names.emplace(spec::lower_case(alias.name), type->name);
    }
  }
}

Taken taken_beside(const NewType& request) {
  Taken taken;
  collect(request.out, taken);
  for (const fs::path& folder : request.known) collect(folder / "types", taken);
  return taken;
}

/// The number that was asked for, or the first free one.
int id_of(const NewType& request, const Taken& taken) {
  if (request.id >= 0) return request.id;
  int id = spec::kFirstOwnTypeId;
  while (taken.ids.contains(id)) ++id;
  return id;
}

/// What keeps the type from standing beside those that there are; empty where nothing does.
std::string clash(const std::string& name, int id, const Taken& taken) {
  const auto named = taken.names.find(name);
  if (named != taken.names.end())
    return named->second == name ? "there is a type \"" + name + "\" already"
                                 : "\"" + name + "\" is a name of the type \"" + named->second + "\"";
  const auto numbered = taken.ids.find(id);
  if (numbered == taken.ids.end()) return "";
  return std::to_string(id) + " is the number of the type \"" + numbered->second + "\"";
}

/// The type that a spec says. Throws SpecError.
spec::Type read_back(const std::string& text, const fs::path& path) {
  spec::Diagnostics diagnostics;
  spec::Node root;
  std::unique_ptr<spec::Type> type;
  if (spec::parse_json(text, path.generic_string(), path.filename().generic_string(), diagnostics, root))
    type = spec::read_type(root, diagnostics);
  diagnostics.throw_if_any();
  return *type;
}

/// "448", "0x1p-9": what reads back as the same number.
std::string exact_text(double value) {
  constexpr double kWholeInDouble = 9007199254740992;  // 2^53
  char text[32];
  const bool is_whole = value < kWholeInDouble && value == std::floor(value);
  std::snprintf(text, sizeof text, is_whole ? "%.0f" : "%a", value);
  return text;
}

/// Narrow codes lie dense, as those of ONNX do; others in words of the machine.
int default_storage(int bits) {
  if (bits < 8) return bits;
  int storage = 8;
  while (storage < bits) storage *= 2;
  return storage;
}

/// Are there programs for all conversions to and from the type? By what driver::plan_all() refuses.
bool is_compilable(const spec::Type& type) {
  const bool is_coarse = type.mantissa_bits <= plan::kMostRounded || type.is_ieee(11, 52);
  return is_coarse && (type.min_exponent() - type.mantissa_bits >= -1022 || type.exponent_bias == 1023);
}

}  // namespace

int new_type(const NewType& request) {
  if (!spec::is_plain_name(request.name))
    throw std::invalid_argument("NAME: expected a lower-case letter, then letters, digits and _, found \"" +
                                request.name + "\"");
  const int value_bits = (request.is_signed ? 1 : 0) + request.exponent + request.mantissa;
  const std::string bias = request.bias.empty() ? std::to_string((1 << (request.exponent - 1)) - 1) : request.bias;
  const int storage = request.storage > 0 ? request.storage : default_storage(request.bits);
  if (value_bits != request.bits) {
    throw std::invalid_argument(std::string(request.is_signed ? "sign 1 + " : "") + "exponent " +
                                std::to_string(request.exponent) + " + mantissa " + std::to_string(request.mantissa) +
                                " = " + std::to_string(value_bits) + " bits, but --bits says " +
                                std::to_string(request.bits));
  }
  const auto path = request.out / (request.name + ".json");
  if (std::filesystem::exists(path)) {
    std::fprintf(stderr, "%s: error: already exists; remove it or choose another name\n",
                 cli::printable(path.string()).c_str());
    return kInputOutput;
  }
  const bool infinity = request.infinity || request.nan == "ieee";
  const bool subnormals = request.mantissa > 0 || request.is_signed;
  const auto yes = [](bool value) { return value ? "true" : "false"; };
  std::string text = "{\n  \"$schema\": \"../schema/type.schema.json\",\n";
  const Taken taken = taken_beside(request);
  const int id = id_of(request, taken);
  text += "  \"name\": \"" + request.name + "\", \"id\": " + std::to_string(id) + ", \"kind\": \"float\",\n";
  text += "  \"doc\": \"" + std::to_string(request.bits) +
          "-bit float: " + (request.is_signed ? "sign, " : "no sign, ") + std::to_string(request.exponent) +
          " exponent bits, " + std::to_string(request.mantissa) + " fraction bits, stored in " +
          std::to_string(storage) + " bits. Say here where the format comes from.\",\n";
  text += std::string("  \"signed\": ") + yes(request.is_signed) +
          ", \"exponent_bits\": " + std::to_string(request.exponent) +
          ", \"mantissa_bits\": " + std::to_string(request.mantissa) + ", \"exponent_bias\": " + bias + ",\n";
  text += std::string("  \"subnormals\": ") + yes(subnormals) + ", \"infinity\": " + yes(infinity) + ", \"nan\": \"" +
          request.nan + "\",\n";
  text += "  \"storage_bits\": " + std::to_string(storage) + ",\n";
  const std::string end = "  \"aliases\": {}\n}\n";

  const spec::Type type = read_back(text + end, path);  // an impossible encoding leaves nothing behind
  text += "  \"facts\": {\"max_finite\": \"" + exact_text(type.max_finite()) + "\", \"min_positive\": \"" +
          exact_text(type.min_positive()) + "\", \"value_bits\": " + std::to_string(type.value_bits) + "},\n" + end;
  read_back(text, path);
  std::error_code error;
  std::filesystem::create_directories(request.out, error);
  cli::write_file(path.string(), text);
  const std::string largest = emit::value_text(type, type.max_finite_code());
  const std::string smallest = emit::value_text(type, type.has_zero() ? 1 : 0);
  const std::string problem = clash(type.name, type.id, taken);
  if (request.json) {
    nlohmann::ordered_json out = {{"file", path.string()},
                                  {"name", type.name},
                                  {"id", type.id},
                                  {"largest", largest},
                                  {"smallest_positive", smallest}};
    if (!problem.empty()) out["clash"] = problem;
    std::printf("%s\n", cli::json_text(out, 2).c_str());
    return kOk;
  }
  std::printf("%s: largest %s, smallest positive %s\n", cli::printable(path.string()).c_str(), largest.c_str(),
              smallest.c_str());
  if (!problem.empty()) {
    std::printf("%s: the new one can take its place in specs of your own, not stand beside it.\n", problem.c_str());
    return kOk;
  }
  std::printf("Next: edit it. `castforge --load %s` takes it without a compiler; %s (specs/README.md).\n",
              cli::printable(path.string()).c_str(),
              is_compilable(type) ? "in specs/types it is compiled in, after `castforge-gen generate`"
                                  : "`castforge-gen generate` refuses it, which says why");
  return kOk;
}

}  // namespace castforge::command

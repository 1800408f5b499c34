// Spec files: whatever the bytes, they are read, or refused with the places of what is wrong.
#include <filesystem>
#include <fstream>

#include "driver/catalogue.hpp"
#include "fuzz/scratch.hpp"
#include "fuzz/target.hpp"
#include "spec/loader.hpp"
#include "spec/template.hpp"

namespace castforge::fuzz {
namespace {

namespace fs = std::filesystem;

void check_places(const spec::SpecError& error) {
  require(!error.diagnostics().empty(), "an error without a place");
  for (const spec::Diagnostic& one : error.diagnostics())
    require(one.where.line > 0 && one.where.column > 0 && !one.message.empty(),
            "an error without a place: " + one.text());
}

/// A few types and a rounding mode, for op-sets to speak of.
std::vector<fs::path> around() {
  const fs::path specs = fs::path(CASTFORGE_SOURCE_DIR) / "specs";
  std::vector<fs::path> paths;
  for (const char* name : {"types/float16.json", "types/float8e8m0.json", "types/int8.json", "types/string.json",
                           "types/bool.json", "roundings/nearest_even.json"})
    paths.push_back(specs / name);
  return paths;
}

}  // namespace

void spec_files(Input input) {
  static const Scratch scratch;
  static const std::vector<fs::path> known = around();
  const fs::path file = scratch.write("input.json", text_of(input));
  std::vector<fs::path> paths = known;
  paths.push_back(file);
  try {
    const spec::SpecModel model = spec::load(paths);
    driver::resolve_catalogue(model);
    accepted();
  } catch (const spec::SpecError& error) {
    check_places(error);
  }
  spec::Diagnostics diagnostics;
  spec::Node root;
  if (!spec::parse_json(text_of(input), "input.json", "input.json", diagnostics, root)) return;
  spec::template_pattern(root);
  for (const char* name : {"binary8p3ue", "a", "float8e4m3b11"}) {
    spec::Diagnostics of_template;
    spec::type_of_template(root, name, of_template);
  }
}

}  // namespace castforge::fuzz

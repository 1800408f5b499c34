// generate --beside: what is written for kernels that are added to a library, and whose manifest that has to be.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "command/command.hpp"
#include "driver/beside.hpp"
#include "support.hpp"

using namespace castforge::generating;

namespace {

const fs::path kManifest = source_tree() / "generated/MANIFEST.tsv";

std::string beside(const fs::path& manifest, const std::string& specs) {
  return "generate --beside " + manifest.string() + " --specs " + specs + " --out added";
}

/// A format whose name is the first of all and whose id is the last.
void write_format(const Folder& folder) {
  REQUIRE(gen(folder.path(), "new-type afloat8 --bits 8 --exponent 3 --mantissa 4 --nan ieee --out own").code == 0);
}

std::vector<std::string> kernels(const std::string& manifest) {
  std::vector<std::string> names;
  std::istringstream stream(manifest);
  std::string line;
  std::getline(stream, line);  // the columns
  while (std::getline(stream, line)) names.push_back(line.substr(0, line.find('\t')));
  return names;
}

}  // namespace

TEST_CASE("beside a library only what it lacks is written") {
  const Folder folder;
  write_format(folder);
  const Run run = gen(folder.path(), beside(kManifest, "own"));
  INFO(run.errors);
  REQUIRE(run.code == 0);
  const Tree added = tree(folder / "added");

  const std::vector<std::string> names = kernels(added.at("MANIFEST.tsv"));
  CHECK(names.size() > 50);
  for (const std::string& name : names) {
    INFO(name);
    CHECK(name.find("afloat8") != std::string::npos);
  }
  for (const auto& [path, content] : added) {
    INFO(path);
    if (path.starts_with("kernels/")) CHECK(path.find("afloat8") != std::string::npos);
    if (path.starts_with("units/"))
      CHECK((path.ends_with("_afloat8.cpp") || path == "units/units.cpp" || path == "units/layouts.hpp"));
    if (path.starts_with("tables/opset_")) CHECK(path == "tables/opset_castforge-1.cpp");
    CHECK(path != "OPERATIONS.md");
  }
  // The type header takes the place of the library's, the table is added to the library's.
  CHECK(added.at("include/castforge/types.hpp").find("float32 = ") != std::string::npos);
  CHECK(added.at("include/castforge/types.hpp").find("afloat8 = 1000") != std::string::npos);
  CHECK(added.at("tables/types.cpp").find("Type::float32") == std::string::npos);
  CHECK(added.at("tables/types.cpp").find("Type::afloat8") != std::string::npos);
  CHECK(added.at("tables/opset_castforge-1.cpp").find("{Type::float32, Type::float16,") == std::string::npos);
  CHECK(added.at("tables/ids.hpp").find("kTypeCount = 1,") != std::string::npos);
  CHECK(added.at("tables/ids.hpp").find("kBeside = \"sha256:") != std::string::npos);
  CHECK(gen(folder.path(), "check --out added --beside " + kManifest.string() + " --specs own").code == 0);
}

TEST_CASE("an op-set of a user's own refers to the library's kernels") {
  const Folder folder;
  write_format(folder);
  write(folder / "own/mine.json", R"({"opset": "mine", "version": 1, "extends": "onnx@25",
    "types": {"add": ["afloat8"]}, "pairs": {"afloat8": ["float32"], "float32": ["afloat8", "float16", "string"]},
    "rules": []})");
  const Run run = gen(folder.path(), beside(kManifest, "own"));
  INFO(run.errors);
  REQUIRE(run.code == 0);
  const Tree added = tree(folder / "added");
  const std::string& table = added.at("tables/kernels.cpp");
  CHECK(table.find("{\"float32_to_float16__") > table.find("kReferences"));
  CHECK(table.find("{\"float32_to_float16__") != std::string::npos);
  for (const std::string& name : kernels(added.at("MANIFEST.tsv"))) CHECK(name.find("afloat8") != std::string::npos);
  // Of text rules those that the added cells lead to, the library's among them.
  CHECK(added.at("tables/ids.hpp").find("  float32_to_string__") != std::string::npos);
  CHECK(added.at("tables/ids.hpp").find("  string_to_float32__") == std::string::npos);
}

TEST_CASE("specs that add nothing make a tree without kernels") {
  const Folder folder;
  write(folder / "own/even.json", R"({"name": "even", "short": "rtev", "doc": "To even.",
    "carry": "0111 0000 0111 0000"})");
  const Run run = gen(folder.path(), beside(kManifest, "own"));
  INFO(run.errors);
  REQUIRE(run.code == 0);
  CHECK(read(folder / "added/tables/ids.hpp").find("kKernelCount = 0;") != std::string::npos);
}

TEST_CASE("the manifest of another library is refused") {
  const Folder folder;
  write_format(folder);
  const std::string manifest = read(kManifest);
  const std::size_t hash = manifest.find("sha256:");
  const std::size_t second_line = manifest.find('\n') + 1, third_line = manifest.find('\n', second_line) + 1;
  const std::string first_kernel = manifest.substr(second_line, manifest.find('\t', second_line) - second_line);

  std::string other = manifest;
  other[hash + 7] = other[hash + 7] == '0' ? '1' : '0';
  const std::pair<std::string, std::string> cases[] = {
      {other, "has the meaning sha256:"},
      {manifest.substr(0, second_line) + manifest.substr(third_line), "it lacks the kernel " + first_kernel},
      {manifest + "a_to_b__exact\tkernels/b/from_a.hpp\tsha256:0\t\t\t\n", "no spec leads to its kernel a_to_b__exact"},
      {"name\tvalue\n", "this is no MANIFEST.tsv of castforge"},
      {manifest + "cut off\n", "a line with too few columns: cut off"},
  };
  for (const auto& [text, complaint] : cases) {
    INFO(complaint);
    write(folder / "other.tsv", text);
    const Run run = gen(folder.path(), beside(folder / "other.tsv", "own"));
    CHECK(run.code == 2);
    CHECK(run.errors.find(complaint) != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "added"));
  }
}

TEST_CASE("of pairs that the library converts by another rule the error names the first by the numbers of types") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  // The first type by its name, and the last by its number.
  REQUIRE(gen(folder.path(), "new-type afloat8 --bits 8 --exponent 3 --mantissa 4 --nan ieee --out specs/types").code ==
          0);
  edit(specs / "opsets/mini-1.json", R"("types": { "add": [)", R"("types": { "add": ["afloat8", )");
  namespace command = castforge::command;
  command::Places places;
  places.specs = {specs};
  const command::Loaded library = command::load(places);
  edit(specs / "opsets/mini-1.json", R"("inf": "infinity", "nan": "nan" })", R"("inf": "max", "nan": "nan" })");
  command::Loaded changed = command::load(places);
  CHECK_THROWS_WITH(castforge::driver::beside(library.catalogue, std::move(changed.catalogue)),
                    "mini@1 would convert float16 -> float16 by another rule than the library's");
}

// What one more type spec does to the shipped tree: new files, the lists that admit the type, and nothing else.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <set>

#include "support.hpp"

using namespace castforge::generating;

namespace {

/// Lines of `before` that `after` lacks, where its others stand in the same order.
std::vector<std::string> lost(const std::string& before, const std::string& after) {
  const std::vector<std::string> now = lines(after);
  std::vector<std::string> gone;
  auto at = now.begin();
  for (const std::string& line : lines(before)) {
    const auto found = std::find(at, now.end(), line);
    if (found == now.end()) gone.push_back(line);
    else at = found + 1;
  }
  return gone;
}

}  // namespace

TEST_CASE("a new type leaves every other type's files and numbers as they are") {
  const Folder folder;
  fs::copy(source_tree() / "specs", folder / "specs", fs::copy_options::recursive);
  fs::copy(source_tree() / "generated", folder / "generated", fs::copy_options::recursive);
  fs::create_directories(folder / "tests");
  fs::copy(source_tree() / "tests/evidence", folder / "tests/evidence", fs::copy_options::recursive);
  const Tree before = tree(folder / "generated");
  // Its name is the first of all: nothing may hang on the order of names.
  REQUIRE(gen(folder.path(), "new-type afloat8 --bits 8 --exponent 3 --mantissa 4 --nan ieee --out specs/types").code ==
          0);
  const Run run = gen(folder.path(), "generate --specs specs --out generated");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  const Tree after = tree(folder / "generated");

  std::size_t kernels = 0, pairs = 0;
  std::set<std::string> changed;
  for (const auto& [path, content] : before) {
    INFO(path);
    REQUIRE(after.contains(path));
    if (path.starts_with("kernels/")) {
      ++kernels;
      const bool same = after.at(path) == content;
      CHECK(same);
    } else if (after.at(path) != content) {
      changed.insert(path);
    }
  }
  CHECK(kernels > 700);
  for (const auto& [path, content] : after) {
    if (before.contains(path)) continue;
    INFO(path);
    const bool from =
        path.find("/from_afloat8.hpp") != std::string::npos || path.find("/from_afloat8__") != std::string::npos;
    const bool unit = path == "units/to_afloat8.cpp" || path == "units/from_afloat8.cpp";
    CHECK((path.starts_with("kernels/afloat8/") || from || unit));
    pairs += path.starts_with("kernels/") && path.find("__") == std::string::npos;
  }
  CHECK(pairs == 2 * 26 + 1);  // to and from every numeric type there was, and to itself

  // Only castforge@1 admits every type: the other op-sets' tables and the words of rules stay.
  CHECK(changed == std::set<std::string>{"tables/types.cpp", "tables/kernels.cpp", "tables/programs.cpp",
                                         "tables/ids.hpp", "tables/text_rules.cpp", "tables/opset_castforge-1.cpp",
                                         "include/castforge/types.hpp", "sources.cmake", "INDEX.md", "MANIFEST.tsv",
                                         "units/units.cpp"});

  // Lists grow by lines; what is in them stays word for word: enumerators with their values, rows, units.
  using Lines = std::vector<std::string>;
  const auto lost_of = [&](const std::string& path) { return lost(before.at(path), after.at(path)); };
  CHECK(lost_of("include/castforge/types.hpp") ==
        Lines{"inline constexpr int kTypeCount = 30;  // type_at(0), ... are the types"});
  CHECK(lost_of("tables/types.cpp").empty());
  for (const std::string& line : lost_of("tables/ids.hpp")) {
    INFO(line);
    CHECK(line.starts_with("inline constexpr "));  // how many there are, and the hash over all
  }
  CHECK(lost_of("tables/text_rules.cpp").empty());
  CHECK(lost_of("sources.cmake").empty());
  CHECK(lost_of("MANIFEST.tsv").empty());
  CHECK(lost_of("units/units.cpp").empty());
  CHECK(lost_of("tables/kernels.cpp").empty());
  for (const std::string& line : lost_of("tables/opset_castforge-1.cpp")) {
    INFO(line);
    CHECK(line.starts_with("    Type::"));  // the list of admitted types is wrapped anew
  }
  // The number that new-type chose is the first of those for types of one's own.
  CHECK(after.at("include/castforge/types.hpp").find("  afloat8 = 1000,\n") != std::string::npos);
}

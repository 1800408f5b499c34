// What generate writes, and when: the same bytes everywhere, nothing that is current, nothing of another's.
#include <catch2/catch_all.hpp>

#include "support.hpp"

using namespace castforge::codegen;
using Catch::Matchers::ContainsSubstring;

namespace {

/// generate into `folder`/generated; the tree it leaves.
Tree generated(const Folder& folder, const fs::path& specs) {
  const Run run = gen(folder.path(), "generate --specs " + quoted(specs) + " --out generated");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  return tree(folder / "generated");
}

/// "kernels/int8/from_float16.hpp" and its parts concern float16 and int8.
bool concerns(const std::string& path, const std::string& type) {
  return path.find("/" + type + "/") != std::string::npos || path.find("from_" + type + ".") != std::string::npos ||
         path.find("from_" + type + "__") != std::string::npos;
}

}  // namespace

TEST_CASE("the same bytes from any folder, under any locale and time zone") {
  const Folder here, there;
  const fs::path specs = small_specs(here);
  const Tree first = generated(here, specs);
  REQUIRE(first.size() > 15);
  fs::create_directories(there / "deep/er");
  int number = 0;
  for (const std::string environment : {"LC_ALL=C TZ=UTC", "LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=Asia/Kathmandu",
                                        "LC_ALL=tr_TR.UTF-8 LANG=tr_TR LANGUAGE=tr TZ=America/St_Johns",
                                        "-u LC_ALL LANG=C.utf8 HOME=/nonexistent", "-i"}) {
    const std::string out = "out" + std::to_string(number++);
    const Run run = gen(there / "deep/er", "generate --specs " + quoted(specs) + " --out ../" + out, environment);
    INFO(environment << ": " << run.errors);
    REQUIRE(run.code == 0);
    CHECK(differences(first, tree(there / "deep" / out)).empty());
  }
  // The specs elsewhere, read in another order.
  const Folder elsewhere;
  const Tree moved = generated(elsewhere, small_specs(elsewhere));
  CHECK(differences(first, moved).empty());
  for (const auto& [path, content] : first) {
    INFO(path);
    CHECK(content.find(here.path().string()) == std::string::npos);  // no machine's paths
    CHECK(content.find('\r') == std::string::npos);
    CHECK((content.empty() || content.back() == '\n'));
  }
}

TEST_CASE("a current folder is left alone") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  const Tree first = generated(folder, specs);
  std::map<std::string, fs::file_time_type> times;
  for (const auto& [path, content] : first) {
    fs::last_write_time(folder / "generated" / path, fs::file_time_type::clock::now() - std::chrono::hours(5));
    times[path] = fs::last_write_time(folder / "generated" / path);
  }
  const Run again = gen(folder.path(), "generate --specs specs --out generated");
  CHECK(again.code == 0);
  CHECK(again.output == std::to_string(first.size()) + " files: 0 written, 0 removed, " + std::to_string(first.size()) +
                            " already current\n");
  for (const auto& [path, time] : times) CHECK(fs::last_write_time(folder / "generated" / path) == time);
  CHECK(gen(folder.path(), "check --specs specs --out generated").code == 0);
  CHECK(fs::last_write_time(folder / "generated" / "MANIFEST.tsv") == times["MANIFEST.tsv"]);
}

TEST_CASE("check tells changed, missing and orphaned files, and generate mends them") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  const Tree first = generated(folder, specs);
  const std::string changed = "kernels/int8/from_float16.hpp", missing = "units/to_float16.cpp",
                    orphaned = "kernels/float99/from_float16.hpp";
  write(folder / "generated" / changed, first.at(changed) + "// by hand\n");
  fs::remove(folder / "generated" / missing);
  write(folder / "generated" / orphaned, "// nobody's\n");
  const Run check = gen(folder.path(), "check --specs specs --out generated");
  CHECK(check.code == 3);
  CHECK_THAT(check.errors, ContainsSubstring("generated/" + changed + ": changed\n"));
  CHECK_THAT(check.errors, ContainsSubstring("generated/" + missing + ": missing\n"));
  CHECK_THAT(check.errors, ContainsSubstring("generated/" + orphaned + ": orphaned"));
  CHECK_THAT(check.errors, ContainsSubstring("error: 3 of " + std::to_string(first.size()) + " files differ"));
  CHECK(check.output.empty());

  const Run mended = gen(folder.path(), "generate --specs specs --out generated");
  CHECK(mended.code == 0);
  CHECK_THAT(mended.output, ContainsSubstring("changed " + changed));
  CHECK_THAT(mended.output, ContainsSubstring(missing));
  CHECK_THAT(mended.output, ContainsSubstring("removed " + orphaned));
  CHECK(differences(first, tree(folder / "generated")).empty());
  CHECK_FALSE(fs::exists(folder / "generated/kernels/float99"));
  CHECK(gen(folder.path(), "check --specs specs --out generated").code == 0);
}

TEST_CASE("an empty folder is all missing") {
  const Folder folder;
  small_specs(folder);
  const Run run = gen(folder.path(), "check --specs specs --out nowhere");
  CHECK(run.code == 3);
  CHECK_THAT(run.errors, ContainsSubstring("nowhere/MANIFEST.tsv: missing"));
  CHECK_FALSE(fs::exists(folder / "nowhere"));
}

TEST_CASE("a folder with files of one's own is not generated into") {
  const Folder folder;
  small_specs(folder);
  write(folder / "mine/thesis.txt", "years of work");
  const Run run = gen(folder.path(), "generate --specs specs --out mine");
  CHECK(run.code == 4);
  CHECK_THAT(run.errors, ContainsSubstring("mine: error: this folder holds files but no MANIFEST.tsv"));
  CHECK(tree(folder / "mine") == Tree{{"thesis.txt", "years of work"}});
  write(folder / "file", "");
  CHECK(gen(folder.path(), "generate --specs specs --out file/below").code == 4);
}

TEST_CASE("an edited type changes the files of that type") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  const Tree before = generated(folder, specs);
  const std::string type = read(specs / "types/float16.json");
  // Another bias; the facts no longer hold.
  std::string moved = type;
  moved.replace(moved.find("\"exponent_bias\": 15"), 19, "\"exponent_bias\": 14");
  const std::size_t facts = moved.find("\"facts\"");
  moved.erase(facts, moved.find('}', facts) + 2 - facts);
  write(specs / "types/float16.json", moved);
  const Tree after = generated(folder, specs);
  std::size_t kernels = 0, kept = 0;
  const std::vector<std::string> changed = differences(before, after);
  for (const std::string& path : changed) {
    if (!path.starts_with("kernels/")) continue;
    INFO(path);
    ++kernels;
    CHECK(concerns(path, "float16"));
  }
  for (const auto& [path, content] : before) {
    if (path.starts_with("kernels/") && !concerns(path, "float16")) ++kept;
  }
  CHECK(kernels >= 6);  // to and from three other types
  CHECK(kept >= 9);
}

TEST_CASE("words about a type or a rule change no kernel") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  const Tree before = generated(folder, specs);
  edit(specs / "types/float16.json", "\"name\": \"float16\"", "\n\n  \"name\":   \"float16\"");
  edit(specs / "opsets/mini-1.json", "\"A few conversions.\"", "\"Several conversions.\"");
  edit(specs / "opsets/mini-1.json", "  \"rules\": [", "\n\n\n  \"rules\": [");
  for (const std::string& path : differences(before, generated(folder, specs))) {
    INFO(path);
    CHECK_FALSE(path.starts_with("kernels/"));
    CHECK_FALSE(path.starts_with("units/"));
  }
}

TEST_CASE("a meaning hash is of the meaning") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  const auto hash = [&](const std::string& kernel) {
    const std::string manifest = generated(folder, specs).at("MANIFEST.tsv");
    const std::size_t at = manifest.find(kernel + "\t");
    INFO(kernel);
    REQUIRE(at != std::string::npos);
    return manifest.substr(manifest.find("sha256:", at), 19);
  };
  const std::string wraps = hash("float16_to_int8__rtz_wrap"), copies = hash("float16_to_float32__exact");
  edit(specs / "opsets/mini-1.json", "\"round\": \"toward_zero\", \"overflow\": \"wrap\", \"inf\": \"zero\"",
       "\"round\": \"toward_zero\", \"overflow\": \"wrap\", \"inf\": \"saturate\"");
  CHECK(hash("float16_to_int8__rtz_wrap_infmax") != wraps);
  CHECK(hash("float16_to_float32__exact") == copies);
}

TEST_CASE("shipped and own specs are merged") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  write(folder / "own/float8e3m4.json", read(source_tree() / "tests/consumer/project/float8e3m4.json"));
  write(folder / "own/mine.json",
        R"({ "opset": "mini", "version": 3, "extends": 2, "types": { "add": ["float8e3m4"] } })");
  const Run run = gen(folder.path(), "generate --specs specs --specs own --out generated");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  CHECK(fs::exists(folder / "generated/kernels/float8e3m4/from_float32.hpp"));
  CHECK(fs::exists(folder / "generated/kernels/int8/from_float8e3m4.hpp"));
  CHECK_THAT(read(folder / "generated/include/castforge/types.hpp"), ContainsSubstring("float8e3m4"));
  const Run without = gen(folder.path(), "check --specs specs --out generated");
  CHECK(without.code == 3);
  CHECK_THAT(without.errors, ContainsSubstring("kernels/float8e3m4/from_float32.hpp: orphaned"));
}

TEST_CASE("generate removes its own files only, and no specs") {
  const Folder folder;
  small_specs(folder);
  REQUIRE(gen(folder.path(), "generate --specs specs --out generated").code == 0);
  write(folder / "generated/NOTES.txt", "mine\n");
  const Run again = gen(folder.path(), "generate --specs specs --out generated");
  CHECK(again.code == 0);
  CHECK_THAT(again.errors, ContainsSubstring("generated/NOTES.txt: not written by castforge-gen, so it stays"));
  CHECK(read(folder / "generated/NOTES.txt") == "mine\n");
  CHECK(gen(folder.path(), "check --specs specs --out generated").code == 3);
  fs::remove(folder / "generated/NOTES.txt");

  fs::rename(folder / "specs", folder / "generated/specs");
  const Run inside = gen(folder.path(), "generate --specs generated/specs --out generated");
  CHECK(inside.code == 2);
  CHECK_THAT(inside.errors, ContainsSubstring("generated/specs: expected specs outside of the generated folder"));
  CHECK(fs::exists(folder / "generated/specs/types/float32.json"));
}

TEST_CASE("op-sets whose names are written alike have files and symbols of their own") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  const std::string rules =
      R"("operation": "cast", "types": {"add": ["float32", "int8"]}, "pairs": {"float32": ["int8"]},
      "rules": [{"id": "r", "src": "any", "dst": "any", "basis": "x",
      "set": {"round": "floor", "overflow": "wrap", "inf": "zero", "nan": "zero"}}]})";
  write(specs / "opsets/first.json", R"({"opset": "a-1", "version": "2", )" + rules);
  write(specs / "opsets/second.json", R"({"opset": "a", "version": "1-2", )" + rules);
  const Run run = gen(folder.path(), "generate --specs specs --out generated");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  std::string tables;
  for (const auto& [path, content] : tree(folder / "generated")) {
    if (path.starts_with("tables/opset_")) tables += content;
  }
  for (const std::string name : {"\"a@1-2\"", "\"a-1@2\"", " kOpSet_a_1_2 ", " kOpSet_a_1_2_ "})
    CHECK_THAT(tables, ContainsSubstring(name));
  CHECK_THAT(read(folder / "generated/tables/opsets.cpp"),
             ContainsSubstring("&kOpSet_a_1_2,") && ContainsSubstring("&kOpSet_a_1_2_,"));
}

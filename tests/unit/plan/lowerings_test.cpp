// The list of lowerings, and what kernel files say of it.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

#include "driver/catalogue.hpp"
#include "plan/lowerings.hpp"
#include "spec/loader.hpp"

using namespace castforge;

TEST_CASE("a lowering has a name of two words and a file that is there") {
  for (const plan::Lowering& row : plan::lowerings()) {
    INFO(row.id << " in " << row.file);
    CHECK(std::ranges::count(row.id, '.') == 1);
    CHECK(std::filesystem::exists(std::filesystem::path(CASTFORGE_SOURCE_DIR) / "generator" / row.file));
  }
}

TEST_CASE("every program of every shipped kernel has the name, the file and the needs of a lowering") {
  const spec::SpecModel model = spec::load({std::filesystem::path(CASTFORGE_SOURCE_DIR) / "specs"});
  for (const driver::Kernel& kernel : driver::build_catalogue(model).kernels) {
    for (const ir::Program& program : kernel.programs) {
      INFO(kernel.name << ": " << program.id << " in " << program.source << " needs " << program.needs);
      CHECK(std::ranges::any_of(plan::lowerings(), [&](const plan::Lowering& row) {
        return program.id == row.id && program.source == "generator/" + std::string(row.file) &&
               program.needs == row.needs;
      }));
    }
  }
}

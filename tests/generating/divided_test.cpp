// Kernel files that would be too long: the lookups of a kernel stand in a file beside it, and mean the same there.
#include <catch2/catch_all.hpp>

#include <algorithm>

#include "command/command.hpp"
#include "emit/files.hpp"
#include "emit/kernel_file.hpp"
#include "evaluator/program.hpp"
#include "support.hpp"

using namespace castforge;
using namespace castforge::generating;

namespace {

std::vector<evaluator::File> files_of(const emit::PairFiles& pair) {
  std::vector<evaluator::File> files;
  for (const auto& [path, text] : pair.files) files.push_back(evaluator::parse("generated/" + path, text));
  evaluator::link(files);
  return files;
}

const evaluator::Kernel& only_kernel(const std::vector<evaluator::File>& files) {
  const evaluator::Kernel* found = nullptr;
  for (const evaluator::File& file : files) {
    for (const evaluator::Problem& problem : file.problems)
      FAIL_CHECK(file.path.string() << ":" << problem.line << ": " << problem.message);
    if (file.kernels.empty()) continue;
    REQUIRE((found == nullptr && file.kernels.size() == 1));
    found = &file.kernels.front();
  }
  REQUIRE(found != nullptr);
  return *found;
}

std::vector<std::uint64_t> results_of(const evaluator::Kernel& kernel, const evaluator::Plan& plan) {
  std::vector<std::uint64_t> codes(std::size_t{1} << kernel.src_bits), results(codes.size());
  for (std::size_t code = 0; code < codes.size(); ++code) codes[code] = code;
  static_cast<void>(evaluator::Program(kernel, plan).run(codes, results, evaluator::World{.bytes16 = true}));
  return results;
}

}  // namespace

TEST_CASE("lookups of a kernel that is too long for a file stand beside it") {
  const Folder folder;
  command::Places places;
  places.specs = {small_specs(folder)};
  command::Loaded loaded = command::load(places);
  const emit::Templates templates(source_tree() / "templates");
  std::size_t divided_kernels = 0;
  for (const driver::Kernel& kernel : loaded.catalogue.kernels) {
    if (kernel.meaning.src->storage_bits > 16) continue;
    const emit::PairFiles whole = emit::pair_files(templates, {}, {&kernel});
    REQUIRE(whole.files.size() == 1);
    const std::string& text = whole.files.begin()->second;
    const emit::PairFiles divided = emit::pair_files(templates, {}, {&kernel}, {.bytes = text.size() - 1});
    if (divided.files.size() == 1) {  // no tables, or hardly anything else: longer than asked for, and whole
      CHECK(divided.files == whole.files);
      continue;
    }
    ++divided_kernels;
    INFO(kernel.name);
    REQUIRE(divided.files.size() == 2);
    const std::string path = whole.files.begin()->first, beside = path.substr(0, path.size() - 4) + "__lookups.hpp";
    REQUIRE((divided.files.contains(path) && divided.files.contains(beside)));
    CHECK(divided.kernel_paths.at(&kernel) == path);
    for (const auto& [file, part] : divided.files) CHECK(part.size() < text.size());

    const std::vector<evaluator::File> before = files_of(whole), after = files_of(divided);
    const evaluator::Kernel &one = only_kernel(before), &other = only_kernel(after);
    CHECK(one.order == other.order);
    REQUIRE(one.plans.size() == other.plans.size());
    for (std::size_t i = 0; i < one.plans.size(); ++i) {
      CHECK(one.plans[i].name == other.plans[i].name);
      CHECK(results_of(one, one.plans[i]) == results_of(other, other.plans[i]));
    }
  }
  CHECK(divided_kernels > 0);
}

TEST_CASE("no file of a pair takes the place of another pair's") {
  const Folder folder;
  command::Places places;
  places.specs = {small_specs(folder)};
  command::Loaded loaded = command::load(places);
  const emit::Templates templates(source_tree() / "templates");
  std::vector<driver::Kernel>& kernels = loaded.catalogue.kernels;
  // So many float32 to int8 that they are divided, the wrapping one in a file of its own.
  for (std::size_t i = 0, count = kernels.size(); i < count; ++i) {
    const driver::Kernel one = kernels[i];
    if (one.meaning.src->name != "float32" || one.meaning.dst->name != "int8") continue;
    if (one.meaning.overflow != spec::Overflow::saturate) continue;
    for (int copy = 0; copy < 20; ++copy) {
      kernels.push_back(one);
      kernels.back().struct_name += std::to_string(copy);
    }
  }
  const std::string divided = "kernels/int8/from_float32__wrapping.hpp";
  REQUIRE(emit::emit_all(loaded.catalogue, {}, {}, templates).contains(divided));
  for (const auto& type : loaded.model.types) {
    if (type->name == "float16") type->name = "float32__wrapping";
  }
  CHECK_THROWS_WITH(emit::emit_all(loaded.catalogue, {}, {}, templates), "two pairs of types have one file " + divided);
}

// As many types and op-sets as files may add, by threads; one more is refused.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <castforge/castforge.hpp>
#include <catch2/catch_all.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/io/failure.hpp"
#include "cli/selection/load_formats.hpp"
#include "support.hpp"

using namespace castforge;
using Catch::Matchers::ContainsSubstring;

namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::path(CASTFORGE_BINARY_DIR) / ("unit_load_many." + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
};

std::string type_name(std::size_t i) { return "many" + std::to_string(i); }
std::string opset_name(std::size_t i) { return "many-" + std::to_string(i); }
int bias(std::size_t i) { return static_cast<int>(i) - 20; }

/// 8 bits, 4 of them exponent: 1.0 has another code with every bias.
std::string type_spec(std::size_t i) {
  return R"({"name": ")" + type_name(i) + R"(", "id": )" + std::to_string(4000 + i) +
         R"(, "kind": "float", "signed": true, "exponent_bits": 4, "mantissa_bits": 3, "exponent_bias": )" +
         std::to_string(bias(i)) + R"(, "subnormals": true, "infinity": false, "nan": "top", "storage_bits": 8})";
}
std::string opset_spec(std::size_t i) {
  return R"({"opset": ")" + opset_name(i) + R"(", "version": 1, "operation": "cast",
    "types": {"add": ["float32", "float8e4m3fn"]}, "pairs": {"float32": ["float8e4m3fn"]}, "rules": [
      {"id": "all", "src": "any", "dst": "any", "basis": "this test",
       "set": {"round": "nearest_even", "overflow": "max", "inf": "max", "nan": "nan"}}]})";
}

/// What load_formats says; empty where it is content.
std::string complaint(const std::string& file) {
  try {
    cli::load_formats(file, load_test::shipped());
    return {};
  } catch (const cli::Failure& failure) {
    return failure.what();
  }
}

/// Whether the smallest normal number of type `i` gets its code.
bool casts(std::size_t i) {
  const auto type = find_type(type_name(i));
  const Kernel kernel = type ? find_kernel("castforge@1", Type::float32, *type) : Kernel();
  const float value = std::ldexp(1.0F, 1 - bias(i));
  unsigned char code = 0;
  return kernel.ok() && kernel.run(&value, &code, 1).ok() && code == 0x08;
}

}  // namespace

// One case: what is loaded stays.
TEST_CASE("threads load as many types and op-sets as files may add") {
  const Folder folder;
  std::vector<std::string> types, opsets;
  for (std::size_t i = 0; i <= kMostLoadedTypes; ++i) {
    types.push_back(folder / (type_name(i) + ".json"));
    std::ofstream(types.back()) << type_spec(i);
  }
  for (std::size_t i = 0; i <= kMostLoadedOpSets; ++i) {
    opsets.push_back(folder / (opset_name(i) + ".json"));
    std::ofstream(opsets.back()) << opset_spec(i);
  }
  const std::size_t shipped_types = type_count(), shipped_opsets = opset_count();
  std::atomic<std::size_t> next = 0, wrong = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < kMostLoadedTypes;) {
      if (!complaint(types[i]).empty() || !casts(i)) ++wrong;
      // What others have loaded, or another thread is about to, and that twice.
      if (!complaint(types[i / 2]).empty() || !casts(i / 2)) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(type_count() == shipped_types + kMostLoadedTypes);
  const OpSet castforge = *find_opset("castforge@1");
  for (std::size_t i = 0; i < kMostLoadedTypes; ++i) {
    INFO(type_name(i));
    CHECK(casts(i));
    CHECK(castforge.admits(*find_type(type_name(i)), *find_type(type_name(kMostLoadedTypes - 1 - i))));
  }

  const std::size_t kernels = kernel_count();
  CHECK_THAT(complaint(types.back()),
             ContainsSubstring("many64.json: these kernels cannot be added: with many64 there would be more than 64 "
                               "loaded types"));
  CHECK_FALSE(find_type(type_name(kMostLoadedTypes)));
  CHECK(kernel_count() == kernels);
  CHECK(complaint(types.front()).empty());  // it is there

  for (const std::string& type : types) fs::remove(type);  // what was loaded is not read again
  for (std::size_t i = 0; i < kMostLoadedOpSets; ++i) {
    INFO(opset_name(i));
    CHECK(complaint(opsets[i]).empty());
    CHECK(find_kernel(opset_name(i) + "@1", Type::float32, Type::float8e4m3fn).ok());
  }
  CHECK_THAT(complaint(opsets.back()), ContainsSubstring("many-64.json: these kernels cannot be added: with many-64@1 "
                                                         "there would be more than 64 loaded op-sets"));
  CHECK(opset_count() == shipped_opsets + kMostLoadedOpSets);
  CHECK(casts(0));
}

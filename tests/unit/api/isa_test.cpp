// Which instruction set is used, and CASTFORGE_FORCE_ISA: the test program runs itself with the variable set.
#include <array>
#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "unit/api/own_program.hpp"

namespace {

/// Output of this program's hidden test "probe" with CASTFORGE_FORCE_ISA set to `isa`.
std::string probe(const std::string& isa) {
  const std::string command =
      "CASTFORGE_FORCE_ISA='" + isa + "' CASTFORGE_PROBE=1 '" + own_program() + "' '[probe]' 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 512> chunk{};
  while (std::fgets(chunk.data(), chunk.size(), pipe) != nullptr) output += chunk.data();
  REQUIRE(pclose(pipe) == 0);
  return output;
}

std::vector<std::string> usable() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < castforge::isa_count(); ++i) {
    if (castforge::isa(i).usable) names.emplace_back(castforge::isa(i).name);
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

TEST_CASE("what the library says in a program with CASTFORGE_FORCE_ISA set", "[.][probe]") {
  if (std::getenv("CASTFORGE_PROBE") == nullptr) SKIP("run by the other tests");
  using castforge::Type;
  const castforge::Kernel kernel = castforge::find_kernel("onnx@13", Type::uint8, Type::float32);
  const castforge::Kernel named = castforge::find_kernel("onnx@13", Type::uint8, Type::float32, {}, "portable");
  std::printf("active <%s>\n", std::string(castforge::active_isa()).c_str());
  std::printf("status <%s>\n", castforge::isa_status().message().c_str());
  std::printf("kernel <%s>\n", kernel ? std::string(kernel.isa()).c_str() : castforge::name(kernel.status().code()));
  std::printf("named <%s>\n", named ? std::string(named.isa()).c_str() : castforge::name(named.status().code()));
  const unsigned char src[100] = {5};
  float dst[100] = {};
  const castforge::Status status = kernel.run(src, dst, 100);
  std::printf("run <%s> %g\n", castforge::name(status.code()), static_cast<double>(dst[0]));
}

TEST_CASE("portable comes first and is always usable; the last usable one is active") {
  REQUIRE(castforge::isa_count() > 0);
  CHECK(castforge::isa(0).name == "portable");
  CHECK(castforge::isa(0).usable);
  if (std::getenv("CASTFORGE_FORCE_ISA") == nullptr) {
    CHECK(castforge::isa_status().ok());
    CHECK(castforge::active_isa() == usable().back());
  }
}

TEST_CASE("every usable instruction set can be forced") {
  for (const std::string& isa : usable()) {
    INFO(isa);
    const std::string output = probe(isa);
    INFO(output);
    CHECK(output.find("active <" + isa + ">\nstatus <ok>\nkernel <" + isa + ">\nnamed <portable>\nrun <ok> 5\n") !=
          std::string::npos);
  }
}

TEST_CASE("an empty variable forces nothing") {
  CHECK(probe("").find("active <" + usable().back() + ">\nstatus <ok>\n") != std::string::npos);
}

TEST_CASE("an unknown instruction set fails every lookup") {
  for (const std::string isa : {"mmx", "AVX2", "avx2 "}) {
    INFO(isa);
    const std::string output = probe(isa);
    INFO(output);
    bool has_near = false;
    for (std::size_t i = 0; i < castforge::isa_count(); ++i) has_near = has_near || castforge::isa(i).name == "avx2";
    const std::string near = has_near && isa != "mmx" ? ": did you mean avx2? " : "; ";
    CHECK(output.find("active <>\nstatus <CASTFORGE_FORCE_ISA: unknown instruction set \"" + isa + "\"" + near +
                      "usable here: " + joined(usable()) +
                      ">\nkernel <isa_unavailable>\nnamed <isa_unavailable>\nrun <isa_unavailable> 0\n") !=
          std::string::npos);
  }
}

TEST_CASE("a built instruction set that the machine lacks fails every lookup") {
  for (std::size_t i = 0; i < castforge::isa_count(); ++i) {
    const castforge::IsaInfo isa = castforge::isa(i);
    if (isa.usable) continue;
    const std::string output = probe(std::string(isa.name));
    INFO(output);
    CHECK(output.find("status <CASTFORGE_FORCE_ISA: this machine cannot run the instruction set \"" +
                      std::string(isa.name) + "\"; usable here: " + joined(usable()) + ">") != std::string::npos);
    CHECK(output.find("run <isa_unavailable> 0\n") != std::string::npos);
  }
}

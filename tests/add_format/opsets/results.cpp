// results FORM [FILE.cft]: a line for each conversion below that the library has: what it is and a hash of its results,
// for every code of sources to 16 bits and ten million random words of wider ones. FORM says how they have to be done:
// "code", compiled, all of them; "data", by the tables and rules of the file, most of them.
#include <castforge/castforge.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace castforge;

constexpr std::size_t kRandomWords = 10'000'000;
constexpr const char* kRoundings[] = {"roundTiesToEven",     "roundTiesToAway",     "roundTowardZero",
                                      "roundTowardPositive", "roundTowardNegative", "roundToOdd"};
constexpr const char* kModes[] = {"NearestTiesToEven", "NearestTiesToAway", "ToOdd",
                                  "TowardZero",        "TowardPositive",    "TowardNegative"};
constexpr const char* kSaturations[] = {"SatNone", "SatFinite", "SatPropagate"};

std::vector<std::uint8_t> codes(int bits) {
  std::vector<std::uint8_t> bytes;
  if (bits <= 16) {
    for (std::uint32_t code = 0; code < std::uint32_t{1} << bits; ++code)
      for (int k = 0; k < bits; k += 8) bytes.push_back(static_cast<std::uint8_t>(code >> k));
    return bytes;
  }
  bytes.resize(kRandomWords * static_cast<std::size_t>(bits) / 8);
  std::mt19937_64 random(20261123);
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    const std::uint64_t word = random();
    std::memcpy(bytes.data() + i, &word, 8);
  }
  return bytes;
}

int compiled = 0, data = 0;
bool is_wrong = false;

void show(const std::string& name, const Kernel& kernel) {
  if (!kernel) return;
  ++(kernel.form() == KernelForm::code ? compiled : data);
  const int bits = type_info(kernel.src()).storage_bits, result_bits = type_info(kernel.dst()).storage_bits;
  const std::vector<std::uint8_t> source = codes(bits);
  const std::size_t count = source.size() * 8 / static_cast<std::size_t>(bits);
  std::vector<std::uint8_t> result(count * static_cast<std::size_t>(result_bits) / 8);
  if (!kernel.run(source.data(), result.data(), count).ok()) is_wrong = true;
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : result) hash = (hash ^ byte) * 0x100000001b3;
  std::printf("%s %zu %016llx\n", name.c_str(), count, static_cast<unsigned long long>(hash));
}

Type type(const char* name) {
  Type found{};
  return find_type(name, found) ? found : Type{0xFFFF};
}

void ieee754(const char* src, const char* dst, const char* invalid = nullptr) {
  for (const char* rounding : kRoundings) {
    const Attribute given[] = {{"rounding", AttributeValue::from_text(rounding)},
                               {"invalid", AttributeValue::from_text(invalid == nullptr ? "" : invalid)}};
    Attributes attributes;
    attributes.others = std::span(given).first(invalid == nullptr ? 1 : 2);
    show(std::string("ieee754 ") + src + " " + dst + " " + rounding + " " + (invalid == nullptr ? "" : invalid),
         find_kernel("ieee754@2019", type(src), type(dst), attributes));
  }
}

void p3109(const char* src, const char* dst) {
  for (const char* mode : kModes) {
    for (const char* saturation : kSaturations) {
      const std::string name = std::string("Convert<") + src + ", " + dst + ", (" + mode + ", " + saturation + ")>";
      show(name, find_kernel_by_notation(name));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (argc > 2) {
    if (const Status status = load(argv[2]); !status) return std::puts(status.message().c_str()), 1;
  }
  ieee754("float32", "float16");
  ieee754("float32", "int32", "saturate");
  ieee754("float16", "float32");
  ieee754("float16", "int8", "indefinite");
  ieee754("bfloat16", "float16");
  ieee754("float64", "float32");
  ieee754("int32", "float16");
  p3109("binary32", "Binary8p3ue");
  p3109("binary16", "Binary8p3ue");
  p3109("Binary8p3ue", "bfloat16");
  p3109("Binary8p3ue", "Binary8p3se");
  const bool wanted = std::strcmp(argv[1], "code") == 0 ? data == 0 : data > compiled;
  if (!wanted) std::printf("%d conversions are compiled, %d are data\n", compiled, data);
  return is_wrong || !wanted ? 1 : 0;
}

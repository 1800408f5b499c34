// codes FILE BITS [COUNT]: every code of a type of so many storage bits, up to 16, packed from the low end; or COUNT
// random words of more, the same ones each time.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int bits = std::atoi(argv[2]);
  std::vector<std::uint8_t> bytes;
  if (argc > 3) {
    std::mt19937_64 random(20261123);
    const auto count = std::strtoull(argv[3], nullptr, 10);
    bytes.reserve(count * static_cast<unsigned>(bits) / 8);
    while (bytes.size() < count * static_cast<unsigned>(bits) / 8) {
      const std::uint64_t word = random();
      for (int k = 0; k < bits; k += 8) bytes.push_back(static_cast<std::uint8_t>(word >> k));
    }
  } else {
    if (bits < 1 || bits > 16) return 2;
    std::uint64_t pending = 0;
    int filled = 0;
    // Codes of less than a byte so often that whole bytes come out.
    for (std::uint64_t code = 0; code < (std::uint64_t{1} << bits) * (bits < 8 ? 8 : 1); ++code) {
      pending |= (code & ((std::uint64_t{1} << bits) - 1)) << filled;
      for (filled += bits; filled >= 8; filled -= 8, pending >>= 8) bytes.push_back(static_cast<std::uint8_t>(pending));
    }
  }
  std::ofstream file(argv[1], std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return file.good() ? 0 : 1;
}

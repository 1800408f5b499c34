#include "cli/convert/hash.hpp"

#include "cli/io/input_file.hpp"

#include <stdexcept>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

static_assert(XXH_VERSION_NUMBER >= 800, "XXH3 hashes have been the same since xxHash 0.8.0");

namespace castforge::cli {

struct Hash::State {
  XXH3_state_t state;
};

Hash::Hash() : state_(new State) { XXH3_128bits_reset(&state_->state); }

Hash::~Hash() = default;

void Hash::add(const void* bytes, std::size_t length) { XXH3_128bits_update(&state_->state, bytes, length); }

std::string Hash::text() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_->state));
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : canonical.digest) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string hash_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.text();
}

std::string hash_of_file(const std::string& path) {
  InputFile file(path);
  std::vector<char> block(1 << 20);
  Hash hash;
  for (std::uint64_t at = 0;;) {
    const std::size_t got = file.read_at(at, block.data(), block.size());
    if (got == 0) return hash.text();
    hash.add(block.data(), got);
    at += got;
  }
}

}  // namespace castforge::cli

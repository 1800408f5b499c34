// Zip archives made of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli_test {

struct ZipPart {
  std::string name, stored;  // the bytes in the archive
  std::string contents = stored;
  int method = 0;  // 8: `stored` is a deflate stream
  int flags = 0;
};

inline std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

/// A deflate stream of one block that is not compressed; at most 65535 bytes.
inline std::string deflated_plainly(std::string_view bytes) {
  return '\1' + little_endian(bytes.size(), 2) + little_endian(~bytes.size(), 2) + std::string(bytes);
}

/// With `zip64` sizes and offsets stand in the fields for large archives.
inline std::string zip(const std::vector<ZipPart>& parts, bool zip64 = false, std::string_view comment = {}) {
  std::string out, directory;
  for (const ZipPart& part : parts) {
    const std::uint64_t at = out.size();
    const std::string what = little_endian(part.flags, 2) + little_endian(part.method, 2) + little_endian(0, 4) +
                             little_endian(crc32_of(part.contents), 4);
    const std::string small = little_endian(part.stored.size(), 4) + little_endian(part.contents.size(), 4);
    const std::string large = std::string(8, '\xFF');
    const std::string extra = zip64 ? little_endian(1, 2) + little_endian(24, 2) +
                                          little_endian(part.contents.size(), 8) +
                                          little_endian(part.stored.size(), 8) + little_endian(at, 8)
                                    : "";
    out += "PK\3\4" + little_endian(20, 2) + what + small + little_endian(part.name.size(), 2) + little_endian(0, 2) +
           part.name + part.stored;
    directory += "PK\1\2" + little_endian(20, 2) + little_endian(20, 2) + what + (zip64 ? large : small) +
                 little_endian(part.name.size(), 2) + little_endian(extra.size(), 2) + little_endian(0, 2) +
                 little_endian(0, 8) + (zip64 ? std::string(4, '\xFF') : little_endian(at, 4)) + part.name + extra;
  }
  const std::uint64_t at = out.size(), end64 = at + directory.size();
  out += directory;
  if (zip64) {
    out += "PK\6\6" + little_endian(44, 8) + little_endian(45, 2) + little_endian(45, 2) + little_endian(0, 8) +
           little_endian(parts.size(), 8) + little_endian(parts.size(), 8) + little_endian(directory.size(), 8) +
           little_endian(at, 8);
    out += "PK\6\7" + little_endian(0, 4) + little_endian(end64, 8) + little_endian(1, 4);
  }
  const std::uint64_t count = zip64 ? 0xFFFF : parts.size();
  out += "PK\5\6" + little_endian(0, 4) + little_endian(count, 2) + little_endian(count, 2) +
         little_endian(zip64 ? ~0ULL : directory.size(), 4) + little_endian(zip64 ? ~0ULL : at, 4) +
         little_endian(comment.size(), 2) + std::string(comment);
  return out;
}

}  // namespace cli_test

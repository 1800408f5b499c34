// ZIP archives (PKWARE's APPNOTE.TXT, with ZIP64), for reading. What the directory announces is compared with what is
// there, and complaints name the byte, which is why the directory is read here and not by a library; zlib decompresses.
#pragma once

#include "cli/io/input_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace castforge::cli {

struct ZipMember {
  std::string name;
  std::uint64_t directory_at = 0;  // of its entry in the directory
  std::uint64_t header_at = 0;     // of its local header
  std::uint64_t stored_size = 0, size = 0;
  std::uint32_t crc = 0;
  unsigned method = 0, flags = 0;
};

/// The members in the order of the directory. Throws a bad_data Failure that names the byte.
std::vector<ZipMember> read_zip_directory(InputFile& file);

/// The contents of a member, stored or deflated, which must have the size and the checksum that the directory says.
/// Deflated ones are decompressed to a spool. The file must outlive it.
std::unique_ptr<InputFile> open_zip_member(InputFile& file, const ZipMember& member);

}  // namespace castforge::cli

#include "cli/formats/zip.hpp"

#include "cli/io/failure.hpp"
#include "cli/io/file_parts.hpp"
#include "cli/io/spool.hpp"

#include <castforge/elements.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace castforge::cli {
namespace {

constexpr std::size_t kBlock = 1 << 18;
constexpr std::size_t kLongestComment = 65535;  // its length has 16 bits
/// What a record begins with: 'P', 'K' and two bytes of its own, the first the lowest.
constexpr std::uint32_t signature(std::uint32_t third, std::uint32_t fourth) {
  return 'P' | 'K' << 8 | third << 16 | fourth << 24;
}
constexpr std::uint32_t kLocalHeader = signature(3, 4), kEntry = signature(1, 2), kEnd = signature(5, 6),
                        kEnd64 = signature(6, 6), kLocator64 = signature(6, 7);
constexpr std::size_t kLocalHeaderBytes = 30, kEntryBytes = 46, kEndBytes = 22, kEnd64Bytes = 56, kLocatorBytes = 20;

template <class T>
T little_endian(const unsigned char* bytes) {
  return static_cast<T>(load_element(bytes, 0, 8 * sizeof(T)));
}
constexpr auto u16 = little_endian<std::uint16_t>;
constexpr auto u32 = little_endian<std::uint32_t>;
constexpr auto u64 = little_endian<std::uint64_t>;

/// Where the directory is and how many entries it has.
struct Directory {
  std::uint64_t entries, size, at;
};

Directory find_directory(InputFile& file) {
  const std::uint64_t size = file.size_for("npz");
  const std::size_t tail_size = static_cast<std::size_t>(std::min<std::uint64_t>(size, kEndBytes + kLongestComment));
  std::vector<unsigned char> tail(tail_size);
  file.read_exactly(size - tail_size, tail.data(), tail_size, "zip archive");
  for (std::size_t back = kEndBytes; back <= tail_size; ++back) {
    const unsigned char* end = tail.data() + tail_size - back;
    if (u32(end) != kEnd || u16(end + 20) != back - kEndBytes) continue;
    Directory directory{u16(end + 10), u32(end + 12), u32(end + 16)};
    const std::uint64_t end_at = size - back;
    const bool large = directory.entries == 0xFFFF || directory.size == 0xFFFFFFFF || directory.at == 0xFFFFFFFF;
    unsigned char more[kEnd64Bytes];
    if (large && end_at >= kLocatorBytes) {
      file.read_exactly(end_at - kLocatorBytes, more, kLocatorBytes, "zip archive");
      if (u32(more) == kLocator64) {
        const std::uint64_t at = u64(more + 8);
        if (at > size || size - at < kEnd64Bytes) {
          throw bad_byte(file.name(), end_at - kLocatorBytes, "zip64 locator: it points beyond the file");
        }
        file.read_exactly(at, more, kEnd64Bytes, "zip archive");
        if (u32(more) != kEnd64) throw bad_byte(file.name(), at, "expected the end of the zip64 directory");
        directory = {u64(more + 32), u64(more + 40), u64(more + 48)};
      }
    }
    if (directory.at > end_at || directory.size > end_at - directory.at ||
        directory.entries > directory.size / kEntryBytes) {
      throw bad_byte(file.name(), end_at,
                     text("zip directory: ", directory.entries, " entries in ", directory.size, " bytes from byte ",
                          directory.at, " on are not in the file"));
    }
    return directory;
  }
  throw bad_byte(file.name(), size, "expected the end of a zip archive, found none: no zip archive, or truncated");
}

/// Sizes and offset that do not fit 32 bits stand in an extra field.
void read_zip64(const std::string& file, ZipMember& member, const std::vector<unsigned char>& extra) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::size_t id = u16(&extra[at]), length = u16(&extra[at + 2]);
    at += 4;
    if (length > extra.size() - at) break;
    if (id != 1) {
      at += length;
      continue;
    }
    std::size_t used = 0;
    for (std::uint64_t* field : {&member.size, &member.stored_size, &member.header_at}) {
      if (*field != 0xFFFFFFFF) continue;
      if (used + 8 > length) throw bad_byte(file, member.directory_at, "zip64 field: expected 8 bytes more");
      *field = u64(&extra[at + used]);
      used += 8;
    }
    return;
  }
}

std::uint32_t add_crc(std::uint32_t crc, const void* bytes, std::size_t length) {
  return static_cast<std::uint32_t>(crc32_z(crc, static_cast<const Bytef*>(bytes), length));
}

void check_crc(const std::string& name, const ZipMember& member, std::uint32_t found) {
  if (found != member.crc) {
    throw bad_file(name, text("the checksum of the contents is ", std::hex, found, ", the archive says ", member.crc,
                              ": the file is damaged"));
  }
}

/// Inflates `stored_size` bytes from `begin` on.
class Inflater {
 public:
  Inflater(InputFile& file, std::string name, const ZipMember& member, std::uint64_t begin)
      : file_(file), name_(std::move(name)), member_(member), begin_(begin) {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::unique_ptr<InputFile> run() {
    Spool spool(name_);
    std::vector<unsigned char> in(kBlock), out(kBlock);
    std::uint32_t crc = 0;
    std::uint64_t read = 0;
    for (int result = Z_OK; result != Z_STREAM_END;) {
      if (stream_.avail_in == 0) {
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, member_.stored_size - read));
        if (part == 0) throw fail(read, "the compressed data end too early");
        file_.read_exactly(begin_ + read, in.data(), part, "compressed data");
        stream_.next_in = in.data();
        stream_.avail_in = static_cast<uInt>(part);
        read += part;
      }
      stream_.next_out = out.data();
      stream_.avail_out = static_cast<uInt>(kBlock);
      result = inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
        throw fail(read - stream_.avail_in, stream_.msg != nullptr ? stream_.msg : "the compressed data are damaged");
      }
      const std::size_t length = kBlock - stream_.avail_out;
      // Not a byte more than announced is kept: a few bytes can say gigabytes.
      if (length > member_.size - spool.size()) {
        throw fail(read, text("expected ", member_.size, " bytes when decompressed, found more"));
      }
      crc = add_crc(crc, out.data(), length);
      spool.write(out.data(), length);
    }
    if (spool.size() != member_.size) {
      throw fail(read, text("expected ", member_.size, " bytes when decompressed, found ", spool.size()));
    }
    if (stream_.avail_in != 0 || read != member_.stored_size) {
      throw fail(read - stream_.avail_in, "expected the end of the compressed data, found more");
    }
    check_crc(name_, member_, crc);
    return std::make_unique<InputFile>(name_, spool);
  }

 private:
  Failure fail(std::uint64_t at, std::string_view message) const { return bad_byte(name_, begin_ + at, message); }

  InputFile& file_;
  std::string name_;
  ZipMember member_;
  std::uint64_t begin_;
  z_stream stream_{};
};

}  // namespace

std::vector<ZipMember> read_zip_directory(InputFile& file) {
  const Directory directory = find_directory(file);
  std::vector<ZipMember> members;
  std::uint64_t at = directory.at;
  const std::uint64_t end = directory.at + directory.size;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    unsigned char fixed[kEntryBytes] = {};
    if (end - at >= kEntryBytes) file.read_exactly(at, fixed, kEntryBytes, "zip directory");
    if (u32(fixed) != kEntry) {
      throw bad_byte(file.name(), at,
                     text("expected entry ", i + 1, " of ", directory.entries, " of the zip directory"));
    }
    const std::size_t name = u16(fixed + 28), extra = u16(fixed + 30), comment = u16(fixed + 32);
    if (name + extra + comment > end - at - kEntryBytes) {
      throw bad_byte(file.name(), at, "zip directory: the entry reaches beyond the directory");
    }
    ZipMember member{.name = std::string(name, '\0'),
                     .directory_at = at,
                     .header_at = u32(fixed + 42),
                     .stored_size = u32(fixed + 20),
                     .size = u32(fixed + 24),
                     .crc = u32(fixed + 16),
                     .method = u16(fixed + 10),
                     .flags = u16(fixed + 8)};
    file.read_exactly(at + kEntryBytes, member.name.data(), name, "zip directory");
    std::vector<unsigned char> fields(extra);
    file.read_exactly(at + kEntryBytes + name, fields.data(), extra, "zip directory");
    read_zip64(file.name(), member, fields);
    at += kEntryBytes + name + extra + comment;
    members.push_back(std::move(member));
  }
  return members;
}

std::unique_ptr<InputFile> open_zip_member(InputFile& file, const ZipMember& member) {
  const std::string name = text(file.name(), ": member ", in_quotes(member.name));
  constexpr unsigned kStored = 0, kDeflated = 8;
  if ((member.flags & 1) != 0) throw bad_file(name, "the member is encrypted");
  if (member.method != kStored && member.method != kDeflated) {
    throw bad_byte(name, member.directory_at,
                   text("expected a stored or deflated member, found compression method ", member.method));
  }
  const std::uint64_t size = *file.size();
  unsigned char fixed[kLocalHeaderBytes] = {};
  if (member.header_at <= size && size - member.header_at >= kLocalHeaderBytes) {
    file.read_exactly(member.header_at, fixed, kLocalHeaderBytes, "zip member");
  }
  if (u32(fixed) != kLocalHeader) throw bad_byte(name, member.header_at, "expected the header of a zip member");
  const std::uint64_t begin = member.header_at + kLocalHeaderBytes + u16(fixed + 26) + u16(fixed + 28);
  if (begin > size || member.stored_size > size - begin) {
    throw bad_byte(name, member.header_at,
                   text("expected ", member.stored_size, " bytes of data, found the file's end"));
  }
  if (member.method == kDeflated) return Inflater(file, name, member, begin).run();

  if (member.size != member.stored_size) {
    throw bad_byte(name, member.directory_at,
                   text("a stored member of ", member.size, " bytes takes ", member.stored_size));
  }
  std::vector<char> block(kBlock);
  std::uint32_t crc = 0;
  for (std::uint64_t done = 0; done < member.size;) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, member.size - done));
    file.read_exactly(begin + done, block.data(), part, "element data");
    crc = add_crc(crc, block.data(), part);
    done += part;
  }
  check_crc(name, member, crc);
  return std::make_unique<InputFile>(name, std::make_unique<FilePart>(file, begin, member.size));
}

}  // namespace castforge::cli

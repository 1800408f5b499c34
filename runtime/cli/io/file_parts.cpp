#include "cli/io/file_parts.hpp"

#include <algorithm>

namespace castforge::cli {
namespace {

constexpr std::size_t kAhead = 1 << 16;

}  // namespace

std::size_t FilePart::read_at(std::uint64_t offset, void* dst, std::size_t length) {
  if (offset >= size_) return 0;
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(length, size_ - offset));
  return file_.read_at(begin_ + offset, dst, most);
}

std::size_t ReadAhead::read_at(std::uint64_t offset, void* dst, std::size_t length) {
  if (length >= kAhead) return file_.read_at(offset, dst, length);  // the block stays for those who read little
  const auto has = [&] { return offset < begin_ ? 0 : filled_ - std::min<std::uint64_t>(offset - begin_, filled_); };
  if (has() < length) {
    block_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kAhead, size())));
    filled_ = 0;  // should reading fail
    filled_ = file_.read_at(offset, block_.data(), block_.size());
    begin_ = offset;
  }
  const auto got = std::min<std::size_t>(length, has());
  std::copy_n(block_.data() + (filled_ - has()), got, static_cast<char*>(dst));
  return got;
}

std::uint64_t JoinedFiles::add(InputFile& file) { return add({0, 0, &file, {}}, *file.size()); }

std::uint64_t JoinedFiles::add(std::string path, std::uint64_t bytes) {
  return add({0, 0, nullptr, std::move(path)}, bytes);
}

std::uint64_t JoinedFiles::add(Member member, std::uint64_t bytes) {
  member.begin = end_;
  end_ = member.end = end_ + bytes;
  members_.push_back(std::move(member));
  return members_.back().begin;
}

InputFile& JoinedFiles::file_of(std::size_t member) {
  if (members_[member].file != nullptr) return *members_[member].file;
  if (!open_ || opened_ != member) {
    open_.reset();
    open_ = std::make_unique<InputFile>(members_[member].path);
    opened_ = member;
  }
  return *open_;
}

std::size_t JoinedFiles::read_at(std::uint64_t offset, void* dst, std::size_t length) {
  std::size_t done = 0;
  while (done < length && offset + done < end_) {
    const std::uint64_t at = offset + done;
    const auto after = std::upper_bound(members_.begin(), members_.end(), at,
                                        [](std::uint64_t byte, const Member& member) { return byte < member.end; });
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(length - done, after->end - at));
    const std::size_t got = file_of(static_cast<std::size_t>(after - members_.begin()))
                                .read_at(at - after->begin, static_cast<char*>(dst) + done, most);
    done += got;
    if (got < most) break;  // shorter than it was
  }
  return done;
}

}  // namespace castforge::cli

#include "cli/formats/npz.hpp"

#include <utility>

namespace castforge::cli {
namespace {

constexpr std::string_view kEnding = ".npy";
constexpr std::string_view kSignature = "PK";  // with entries, and without any

}  // namespace

Npz::Npz(InputFile& file) : file_(file) {
  file.spool(kSignature);
  for (ZipMember& member : read_zip_directory(file)) {
    if (member.name.ends_with(kEnding)) members_.push_back(std::move(member));
    else ++left_out_;
  }
}

std::string Npz::name(std::size_t index) const {
  const std::string& name = members_[index].name;
  return name.substr(0, name.size() - kEnding.size());
}

NpzSource::NpzSource(const Npz& archive, std::size_t index, std::optional<Type> from)
    : contents_(open_zip_member(archive.file(), archive.member(index))), array_(*contents_, from) {
  info_ = array_.info();
  info_.name = archive.name(index);
}

void NpzSource::put_in_c_order() {
  array_.put_in_c_order();
  info_.fortran_order = false;
}

}  // namespace castforge::cli

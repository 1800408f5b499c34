#include "cli/inspect/tensor_list.hpp"

#include "cli/formats/npz.hpp"
#include "cli/formats/raw.hpp"
#include "cli/formats/safetensors.hpp"
#include "cli/formats/tensor_proto.hpp"
#include "cli/inspect/tensor_patterns.hpp"
#include "cli/io/failure.hpp"

namespace castforge::cli {
namespace {

using Visit = std::function<void(const ListedTensor&)>;

void visit_source(TensorSource& source, const Visit& visit) {
  const TensorInfo& info = source.info();
  visit({info.name, std::string(name(info.type)), info.shape, info.fortran_order, info.count, &source});
}

void visit_safetensors(InputFile& file, const TensorListing& listing, const Visit& visit) {
  const SafetensorsHeader header(file);
  // Before any tensor is read, which may be damaged.
  const std::vector<bool> wanted = wanted_names(
      file.name(), header.size(), [&](std::size_t i) { return header.name(i); }, listing.tensors);
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!wanted[i]) continue;
    const SafetensorsEntry entry = header.tensor(i);
    const auto type = type_of_dtype(entry.dtype);
    if (listing.from && type != listing.from) continue;
    if (!type) {
      visit({entry.name(), entry.dtype, entry.shape, false, entry.count, nullptr});
      continue;
    }
    SafetensorsSource source(file, header, entry, *type);
    visit_source(source, visit);
  }
}

void visit_npz(InputFile& file, const TensorListing& listing, const Visit& visit) {
  const Npz archive(file);
  const std::vector<bool> wanted = wanted_names(
      file.name(), archive.size(), [&](std::size_t i) { return archive.name(i); }, listing.tensors);
  for (std::size_t i = 0; i < archive.size(); ++i) {
    if (!wanted[i]) continue;
    const auto contents = open_zip_member(file, archive.member(i));
    const NpyHeader header = read_npy_header(*contents);
    if (!listing.from && !npy_tells_type(header.descr)) {
      visit({archive.name(i), header.descr, header.shape, header.fortran_order, element_count(header.shape), nullptr});
      continue;
    }
    NpzSource source(archive, i, listing.from);
    visit_source(source, visit);
  }
}

}  // namespace

void for_each_tensor(InputFile& file, const TensorListing& listing, const Visit& visit) {
  switch (listing.format) {
    case FileFormat::safetensors: return visit_safetensors(file, listing, visit);
    case FileFormat::npz: return visit_npz(file, listing, visit);
    case FileFormat::npy: {
      NpySource source(file, listing.from);
      return visit_source(source, visit);
    }
    case FileFormat::pb: {
      TensorProtoSource source(file, listing.from);
      return visit_source(source, visit);
    }
    case FileFormat::raw: break;
  }
  RawSource source(file, *listing.from, std::nullopt);
  visit_source(source, visit);
}

}  // namespace castforge::cli

#include "cli/inspect/tensor_list.hpp"

#include "cli/formats/npz.hpp"
#include "cli/formats/onnx_source.hpp"
#include "cli/formats/raw.hpp"
#include "cli/formats/safetensors.hpp"
#include "cli/formats/tensor_proto.hpp"
#include "cli/inspect/tensor_patterns.hpp"

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
  bool any = false;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!wanted[i]) continue;
    const SafetensorsEntry entry = header.tensor(i);
    const auto type = type_of_dtype(entry.dtype);
    if (listing.from && type != listing.from) continue;
    any = true;
    if (!type) {
      visit({entry.name(), entry.dtype, entry.shape, false, entry.count, nullptr});
      continue;
    }
    SafetensorsSource source(file, header, entry, *type);
    visit_source(source, visit);
  }
  // A list of no tensor would look as if all was well: complains as a cast of them does.
  if (listing.from && !any) {
    throw none_of_type(file.name(), *listing.from, listing.tensors, {header.dtypes().begin(), header.dtypes().end()});
  }
}

void visit_onnx(InputFile& file, const TensorListing& listing, const Visit& visit) {
  const OnnxModel model(file, OnnxUse::look);
  const std::deque<OnnxInitializer>& all = model.initializers();
  const std::vector<bool> wanted = wanted_names(
      file.name(), all.size(), [&](std::size_t i) { return std::string(all[i].name); }, listing.tensors);
  bool any = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const OnnxInitializer& one = all[i];
    if (!wanted[i] || (listing.from && one.type != listing.from)) continue;
    any = true;
    if (!one.type) {
      const Shape shape = model.shape(one);
      visit({one.name, one.type_name(), shape, false, element_count(shape), nullptr});
      continue;
    }
    OnnxSource source(model, one);
    visit_source(source, visit);
  }
  if (!listing.from || any) return;
  std::set<std::string> held;
  for (const OnnxInitializer& one : all) held.insert(one.type_name());
  throw none_of_type(file.name(), *listing.from, listing.tensors, held);
}

/// Visits an array of which the descriptor says no type by what its header says; false where it says one.
bool visit_header(std::string_view name, InputFile& file, const TensorListing& listing, const Visit& visit) {
  if (listing.from) return false;
  const NpyHeader header = read_npy_header(file);
  if (npy_tells_type(header.descr)) return false;
  visit({name, header.descr, header.shape, header.fortran_order, element_count(header.shape), nullptr});
  return true;
}

void visit_npy(InputFile& file, const TensorListing& listing, const Visit& visit) {
  if (visit_header("", file, listing, visit)) return;
  NpySource source(file, listing.from);
  visit_source(source, visit);
}

constexpr std::size_t kMostTold = 10;  // damaged arrays

std::optional<Failure> visit_npz(InputFile& file, const TensorListing& listing, const Visit& visit) {
  const Npz archive(file);
  const std::vector<bool> wanted = wanted_names(
      file.name(), archive.size(), [&](std::size_t i) { return archive.name(i); }, listing.tensors);
  std::string damage;
  std::size_t damaged = 0;
  for (std::size_t i = 0; i < archive.size(); ++i) {
    if (!wanted[i]) continue;
    try {
      if (visit_header(archive.name(i), *open_zip_member(file, archive.member(i)), listing, visit)) continue;
      NpzSource source(archive, i, listing.from);
      visit_source(source, visit);
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::bad_data) throw;
      if (++damaged <= kMostTold) damage += text(damage.empty() ? "" : "; ", failure.what());
    }
  }
  if (damaged == 0) return std::nullopt;
  if (damaged > kMostTold) damage += text("; and ", damaged - kMostTold, " more");
  return Failure(ExitCode::bad_data, damage);
}

}  // namespace

std::optional<Failure> for_each_tensor(InputFile& file, const TensorListing& listing, const Visit& visit) {
  switch (listing.format) {
    case FileFormat::safetensors: visit_safetensors(file, listing, visit); break;
    case FileFormat::onnx: visit_onnx(file, listing, visit); break;
    case FileFormat::npz: return visit_npz(file, listing, visit);
    case FileFormat::npy: visit_npy(file, listing, visit); break;
    case FileFormat::pb: {
      TensorProtoSource source(file, listing.from);
      visit_source(source, visit);
      break;
    }
    case FileFormat::raw: {
      RawSource source(file, *listing.from, std::nullopt);
      visit_source(source, visit);
    }
  }
  return std::nullopt;
}

}  // namespace castforge::cli

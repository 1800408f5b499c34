#include "cli/commands/safetensors_cast.hpp"

#include "cli/commands/conversion.hpp"
#include "cli/commands/tensor_selection.hpp"
#include "cli/formats/safetensors.hpp"
#include "cli/io/failure.hpp"

#include <cstdio>
#include <functional>
#include <set>

namespace castforge::cli {
namespace {

/// What becomes of the tensors that are cast, by the dtype they have: nothing where they are copied after all.
class Kernels {
 public:
  Kernels(const CastJob& job, const std::string& file, const SafetensorsHeader& header)
      : job_(job), file_(file), header_(header), by_dtype_(header.dtypes().size()) {}

  const std::optional<Kernel>& of(std::size_t tensor) {
    auto& known = by_dtype_[header_.dtype(tensor)];
    if (!known) known = find(tensor);
    return *known;
  }

 private:
  std::optional<Kernel> find(std::size_t index) const {
    const SafetensorsEntry tensor = header_.tensor(index);
    const Type type = castable_type(file_, tensor, std::nullopt);
    if (type == job_.to && job_.tensors.empty()) {
      if (const auto opset = find_opset(job_.kernels.opset); opset && !opset->admits(type, type)) {
        return std::nullopt;
      }
    }
    try {
      return job_.kernels.find(type, job_.to);
    } catch (const Failure& failure) {
      throw Failure(failure.code(), text(file_, ": tensor ", in_quotes(tensor.name()), ": ", failure.what()));
    }
  }

  const CastJob& job_;
  const std::string& file_;
  const SafetensorsHeader& header_;
  std::vector<std::optional<std::optional<Kernel>>> by_dtype_;  // nothing where no tensor has asked yet
};

/// The order of the tensors in the result: the widest elements first, so that every tensor is aligned to its element
/// size, and otherwise as they stand in the input.
std::vector<std::uint32_t> order_by_width(const std::vector<std::uint8_t>& bits) {
  std::vector<std::uint32_t> order;
  order.reserve(bits.size());
  for (const int width : std::set<int, std::greater<>>(bits.begin(), bits.end())) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits[i] == width) order.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return order;
}

void report(const SafetensorsEntry& from, const std::optional<Kernel>& kernel) {
  const std::string what = kernel ? text(kernel->name(), " on ", kernel->isa()) : "kept";
  std::fprintf(stderr, "castforge: %s %s %s: %s\n", in_quotes(from.name()).c_str(), from.dtype.c_str(),
               shape_text(from.shape).c_str(), what.c_str());
}

}  // namespace

void cast_safetensors(const CastJob& job, InputFile& file) {
  const std::string dtype = dtype_of_type(printable(job.output), job.to);
  const SafetensorsHeader header(file);
  const std::vector<bool> selected = select_tensors(file.name(), header, job.tensors, job.from);
  Kernels kernels(job, file.name(), header);
  const std::optional<Kernel> copied;
  const auto kernel_of = [&](std::size_t i) -> const std::optional<Kernel>& {
    return selected[i] ? kernels.of(i) : copied;
  };

  std::vector<std::uint8_t> bits(header.size());
  std::vector<int> own_bits;
  for (const std::string& own : header.dtypes()) own_bits.push_back(safetensors_bits(own));
  const int cast_bits = safetensors_bits(dtype);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = static_cast<std::uint8_t>(kernel_of(i) ? cast_bits : own_bits[header.dtype(i)]);
  }
  const std::vector<std::uint32_t> order = order_by_width(bits);

  OutputFile out(job.output);
  std::uint64_t end = 0;
  write_safetensors_header(out, header.metadata(), order.size(), [&](std::size_t i) {
    SafetensorsEntry tensor = header.tensor(order[i]);
    if (kernel_of(order[i])) tensor.dtype = dtype;
    lay_out(file.name(), tensor, bits[order[i]], i == 0 ? 0 : end);
    end = tensor.end;
    return tensor;
  });
  Progress progress(*file.size() - header.data_offset());
  for (const std::uint32_t i : order) {
    const std::optional<Kernel>& kernel = kernel_of(i);
    if (!job.verbose && header.is_empty(i)) continue;
    const SafetensorsEntry tensor = header.tensor(i);
    if (job.verbose) report(tensor, kernel);
    if (kernel) {
      SafetensorsSource source(file, header, tensor, kernel->src());
      FileElementWriter writer(out, job.to);
      convert(*source.elements(), *kernel, writer, tensor.count, job.threads, progress);
    } else {
      copy_bytes(file, header.data_offset() + tensor.begin, header.data_offset() + tensor.end, out);
      progress.advance(tensor.end - tensor.begin);
    }
  }
  out.commit();
}

}  // namespace castforge::cli

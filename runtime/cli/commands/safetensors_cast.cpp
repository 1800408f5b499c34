#include "cli/commands/safetensors_cast.hpp"

#include "cli/commands/tensor_selection.hpp"
#include "cli/convert/safetensors_contents.hpp"
#include "cli/formats/safetensors.hpp"
#include "cli/io/failure.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

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

  void check_limits(std::size_t index) {
    const std::optional<Kernel>& kernel = of(index);
    if (!kernel) return;
    const SafetensorsEntry tensor = header_.tensor(index);
    const Status status = job_.kernels.limits(kernel->src(), kernel->dst(), tensor.shape.size(), tensor.count);
    if (!status) throw bad_file(file_, text("tensor ", in_quotes(tensor.name()), ": ", status.message()));
  }

 private:
  std::optional<Kernel> find(std::size_t index) const {
    const SafetensorsEntry tensor = header_.tensor(index);
    const Type type = castable_type(file_, tensor, std::nullopt);
    if (type == job_.to && job_.tensors.empty()) {
      OpSet opset;
      if (find_opset(job_.kernels.opset, type, type, opset) && !opset.admits(type, type)) return std::nullopt;
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

void report(const SafetensorsEntry& from, const std::optional<Kernel>& kernel) {
  const std::string what = kernel ? text(kernel->name(), " on ", kernel->isa()) : "kept";
  std::fprintf(stderr, "castforge: %s %s %s: %s\n", in_quotes(from.name()).c_str(), from.dtype.c_str(),
               shape_text(from.shape).c_str(), what.c_str());
}

}  // namespace

void cast_safetensors(const CastJob& job, InputFile& file) {
  dtype_of_type(printable(job.output), job.to);  // complains before anything is read
  const SafetensorsHeader header(file);
  const std::vector<bool> selected = select_tensors(file.name(), header, job.tensors, job.from);
  Kernels kernels(job, file.name(), header);
  if (std::ranges::none_of(selected, std::identity())) job.kernels.check_for(job.to);
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (selected[i]) kernels.check_limits(i);
  }
  const std::optional<Kernel> copied;
  const auto kernel_of = [&](std::size_t i) -> const std::optional<Kernel>& {
    return selected[i] ? kernels.of(i) : copied;
  };

  const SafetensorsRewrite rewrite(file, header, [&](std::size_t i) {
    const std::optional<Kernel>& kernel = kernel_of(i);
    return kernel ? &*kernel : nullptr;
  });

  OutputFile out(job.output);
  rewrite.write_head(out);
  if (job.verbose) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      const std::size_t tensor = rewrite.tensor(i);
      report(header.tensor(tensor), kernel_of(tensor));
    }
  }
  Progress progress(*file.size() - header.data_offset());
  write_pieces(file, rewrite, out, job.threads, progress);
  out.commit();
}

}  // namespace castforge::cli

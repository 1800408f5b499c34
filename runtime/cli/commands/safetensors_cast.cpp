#include "cli/commands/safetensors_cast.hpp"

#include "cli/commands/conversion.hpp"
#include "cli/commands/tensor_selection.hpp"
#include "cli/formats/safetensors.hpp"
#include "cli/io/failure.hpp"

#include <cstdio>
#include <unordered_map>

namespace castforge::cli {
namespace {

/// What becomes of one tensor of the input.
struct Plan {
  SafetensorsEntry from;
  std::optional<Kernel> kernel;  // none: copied
};

std::optional<Kernel> kernel_for(const CastJob& job, const std::string& file, const SafetensorsEntry& tensor) {
  const Type type = castable_type(file, tensor, std::nullopt);
  if (type == job.to && job.tensors.empty()) {
    if (const auto opset = find_opset(job.kernels.opset); opset && !opset->admits(type, type)) {
      return std::nullopt;
    }
  }
  try {
    return job.kernels.find(type, job.to);
  } catch (const Failure& failure) {
    throw Failure(failure.code(), text(file, ": tensor ", in_quotes(tensor.name), ": ", failure.what()));
  }
}

void report(const Plan& plan) {
  const std::string what = plan.kernel ? text(plan.kernel->name(), " on ", plan.kernel->isa()) : "kept";
  std::fprintf(stderr, "castforge: %s %s %s: %s\n", in_quotes(plan.from.name).c_str(), plan.from.dtype.c_str(),
               shape_text(plan.from.shape).c_str(), what.c_str());
}

}  // namespace

void cast_safetensors(const CastJob& job, InputFile& file) {
  const SafetensorsHeader header = read_safetensors_header(file);
  const std::vector<bool> selected = select_tensors(file.name(), header, job.tensors, job.from);

  SafetensorsHeader result = header;
  std::unordered_map<std::string, Plan> plans;
  for (std::size_t i = 0; i < header.tensors.size(); ++i) {
    Plan plan{header.tensors[i], std::nullopt};
    if (selected[i]) plan.kernel = kernel_for(job, file.name(), plan.from);
    if (plan.kernel) result.tensors[i].dtype = dtype_of_type(job.output, job.to);
    plans.emplace(plan.from.name, std::move(plan));
  }
  lay_out(file.name(), result);

  OutputFile out(job.output);
  out.write(safetensors_header_bytes(result));
  Progress progress(*file.size() - header.data_offset);
  for (const SafetensorsEntry& entry : result.tensors) {
    const Plan& plan = plans.at(entry.name);
    if (job.verbose) report(plan);
    if (plan.kernel) {
      SafetensorsSource source(file, header, plan.from, plan.kernel->src());
      FileElementWriter writer(out, job.to);
      convert(*source.elements(), *plan.kernel, writer, plan.from.count, job.threads, progress);
    } else {
      copy_bytes(file, header.data_offset + plan.from.begin, header.data_offset + plan.from.end, out);
      progress.advance(plan.from.end - plan.from.begin);
    }
  }
  out.commit();
}

}  // namespace castforge::cli

#include "cli/formats/onnx_source.hpp"

namespace castforge::cli {

OnnxSource::OnnxSource(const OnnxModel& model, const OnnxInitializer& one)
    : model_(model),
      one_(one),
      message_(model.label(one), model.message(one)),
      tensor_(message_, std::nullopt, IfExternal::allow) {
  info_ = tensor_.info();
}

std::unique_ptr<ElementReader> OnnxSource::elements() {
  if (one_.place != OnnxInitializer::Place::external) return tensor_.elements();
  open_external();
  return std::make_unique<FileElementReader>(*external_, one_.offset, info_.type, info_.count);
}

void OnnxSource::open_external() {
  std::uint64_t bytes = 0;
  try {
    if (!external_) external_ = std::make_unique<InputFile>(model_.external_path(one_));
    bytes = external_->size_for("external_data");
  } catch (const Failure& failure) {
    throw model_.of_external(one_, failure);
  }
  model_.check_external(one_, bytes);
}

}  // namespace castforge::cli

// Files: safetensors, ONNX TensorProto, checkpoints.
#pragma once

#include <nanobind/nanobind.h>

namespace pycastforge {

void bind_files(nanobind::module_& module);

}  // namespace pycastforge

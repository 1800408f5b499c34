#include "cli/convert/safetensors_rewrite.hpp"

#include "cli/formats/safetensors.hpp"

#include <set>

namespace castforge::cli {

SafetensorsRewrite::SafetensorsRewrite(const InputFile& file, const SafetensorsHeader& header, KernelOf kernel_of)
    : file_(file), header_(header), kernel_of_(std::move(kernel_of)) {
  std::vector<std::uint8_t> own_bits, bits(header.size());
  for (const std::string& dtype : header.dtypes()) {
    own_bits.push_back(static_cast<std::uint8_t>(safetensors_bits(dtype)));
  }
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const Kernel* kernel = kernel_of_(i);
    bits[i] = kernel ? static_cast<std::uint8_t>(type_info(kernel->dst()).storage_bits) : own_bits[header.dtype(i)];
  }
  order_.reserve(bits.size());
  for (const int width : std::set<int, std::greater<>>(bits.begin(), bits.end())) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits[i] == width) order_.push_back(static_cast<std::uint32_t>(i));
    }
  }
}

Piece SafetensorsRewrite::piece(std::size_t index) const {
  const SafetensorsEntry tensor = header_.tensor(order_[index]);
  const Kernel* kernel = kernel_of_(order_[index]);
  return {header_.data_offset() + tensor.begin, kernel ? tensor.count : tensor.end - tensor.begin, kernel};
}

SafetensorsEntry SafetensorsRewrite::entry_of(std::size_t piece, std::uint64_t begin) const {
  SafetensorsEntry tensor = header_.tensor(order_[piece]);
  if (const Kernel* kernel = kernel_of_(order_[piece])) tensor.dtype = dtype_of_type(file_.name(), kernel->dst());
  lay_out(file_.name(), tensor, safetensors_bits(tensor.dtype), begin);
  return tensor;
}

void SafetensorsRewrite::write_header(OutputFile& out) const {
  std::uint64_t end = 0;
  write_safetensors_header(out, header_.metadata(), order_.size(), [&](std::size_t i) {
    const SafetensorsEntry tensor = entry_of(i, i == 0 ? 0 : end);
    end = tensor.end;
    return tensor;
  });
}

}  // namespace castforge::cli

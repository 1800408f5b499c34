#include "cli/convert/safetensors_contents.hpp"

#include "cli/formats/safetensors.hpp"
#include "cli/io/failure.hpp"

#include <algorithm>
#include <set>

namespace castforge::cli {

SafetensorsHeader checked_header(InputFile& file, const std::string& shard, const CheckpointIndex* index) {
  SafetensorsHeader header(file);
  if (index == nullptr) return header;
  const std::vector<std::string>& files = index->files();
  const auto own = static_cast<std::size_t>(std::lower_bound(files.begin(), files.end(), shard) - files.begin());
  for (std::size_t i = 0; i < header.size(); ++i) {
    const SafetensorsEntry tensor = header.tensor(i);
    const std::size_t place = index->file_of(tensor.name_token);
    if (place == own) continue;
    const std::string where = place == files.size() ? "lacks it" : "has it in " + in_quotes(files[place]);
    throw bad_file(file.name(),
                   text("tensor ", in_quotes(tensor.name()), ": expected what the index says, which ", where));
  }
  if (header.size() != index->tensors_in(own)) {
    throw bad_file(file.name(), text("expected the ", index->tensors_in(own),
                                     " tensors that the index has in it, found ", header.size()));
  }
  return header;
}

SafetensorsRewrite::SafetensorsRewrite(const InputFile& file, const SafetensorsHeader& header,
                                       ShardContents::KernelOf kernel_of)
    : file_(file), header_(header), kernel_of_(std::move(kernel_of)) {
  std::vector<int> own_bits, bits(header.size());
  for (const std::string& dtype : header.dtypes()) own_bits.push_back(safetensors_bits(dtype));
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const Kernel* kernel = kernel_of_(i);
    bits[i] = kernel ? type_info(kernel->dst()).storage_bits : own_bits[header.dtype(i)];
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

void SafetensorsRewrite::write_head(OutputFile& out) const {
  std::uint64_t end = 0;
  write_safetensors_header(out, header_.metadata(), order_.size(), [&](std::size_t i) {
    const SafetensorsEntry tensor = entry_of(i, i == 0 ? 0 : end);
    end = tensor.end;
    return tensor;
  });
}

std::string SafetensorsRewrite::name(std::size_t piece) const {
  return text("tensor ", in_quotes(header_.name(order_[piece])));
}

void SafetensorsContents::lay_out(KernelOf kernel_of) {
  for (std::size_t i = 0; i < size(); ++i) {
    const Kernel* kernel = kernel_of(i);
    if (!kernel) continue;
    const std::uint64_t bits =
        header_.tensor(i).count % 8 * static_cast<std::uint64_t>(type_info(kernel->dst()).storage_bits);
    if (bits % 8 == 0) continue;
    throw usage_error(text(file_.name(), ": tensor ", in_quotes(name(i)),
                           ": expected a number of elements that fills whole bytes as ", castforge::name(kernel->dst()),
                           ", found ", header_.tensor(i).count));
  }
  rewrite_.emplace(file_, header_, std::move(kernel_of));
}

ShardTensor SafetensorsContents::tensor(std::size_t index) const {
  const SafetensorsEntry entry = header_.tensor(index);
  return {entry.name(), entry.dtype, type_of_dtype(entry.dtype), entry.shape, entry.count, entry.end - entry.begin};
}

std::string SafetensorsContents::dtype_of(Type type) const { return dtype_of_type(file_.name(), type); }

}  // namespace castforge::cli

// Readers of tensors: whatever the bytes, they are read to their end, or refused by a Failure.
#include "cli/formats/output.hpp"
#include "cli/inspect/tensor_list.hpp"
#include "cli/io/failure.hpp"
#include "fuzz/read_tensors.hpp"
#include "fuzz/target.hpp"

#include <vector>

namespace castforge::fuzz {
namespace {

using namespace castforge::cli;

constexpr std::size_t kBlock = 4096;  // elements, a multiple of 8

void read_elements(TensorSource& source, ElementWriter* writer) {
  const TypeInfo type = type_info(source.info().type);
  const std::unique_ptr<ElementReader> reader = source.elements();
  std::vector<unsigned char> codes(bytes_of_elements(kBlock, type.storage_bits));
  while (const std::size_t count = reader->read(codes.data(), kBlock)) {
    require(count <= kBlock, "a reader delivers more than it was asked for");
    if (writer != nullptr) writer->write(codes.data(), count);
    if (count < kBlock) break;
  }
  if (writer != nullptr) writer->finish();
}

void read_texts(TensorSource& source) {
  const std::unique_ptr<TextReader> reader = source.texts();
  TextBlock block;
  while (reader->read(block)) {
  }
}

void read_tensor(TensorSource& source) {
  const bool in_other_order = source.info().fortran_order && !same_in_both_orders(source.info().shape);
  if (is_string(source.info().type)) return read_texts(source);
  read_elements(source, nullptr);
  if (in_other_order) source.put_in_c_order();
  // And into a file of every format that is written.
  for (const FileFormat format : {FileFormat::npy, FileFormat::safetensors, FileFormat::pb, FileFormat::raw}) {
    if (!source.info().count) continue;
    try {
      OutputFile out("/dev/null");
      read_elements(source, start_output(format, out, source.info(), &source).get());
    } catch (const Failure&) {
    }
  }
}

/// Without a type, and with one that the input decides on: file formats that do not tell all need it.
void read_file(FileFormat format, Input input) {
  std::size_t sum = 0;
  for (const std::uint8_t byte : input) sum += byte;
  for (const bool with_type : {false, true}) {
    const std::optional<Type> from = with_type ? std::optional(type_at(sum % type_count())) : std::nullopt;
    if (format == FileFormat::raw && !from) continue;
    InputFile file("input", std::as_bytes(input));
    if (read_tensors(file, format, from) != 0) accepted();
  }
}

}  // namespace

std::size_t read_tensors(InputFile& file, FileFormat format, std::optional<Type> from) {
  std::size_t whole = 0;
  try {
    for_each_tensor(file, {.format = format, .from = from, .tensors = {}}, [&](const ListedTensor& tensor) {
      if (tensor.source == nullptr) return;
      // One bad tensor does not end the others.
      try {
        read_tensor(*tensor.source);
        ++whole;
      } catch (const Failure&) {
      }
    });
  } catch (const Failure&) {
  }
  return whole;
}

void npy(Input input) { read_file(FileFormat::npy, input); }
void npz(Input input) { read_file(FileFormat::npz, input); }
void raw(Input input) { read_file(FileFormat::raw, input); }
void safetensors(Input input) { read_file(FileFormat::safetensors, input); }
void tensor_proto(Input input) { read_file(FileFormat::pb, input); }

}  // namespace castforge::fuzz

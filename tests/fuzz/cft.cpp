// The reader of .cft files: a file is refused with the byte, or every kernel of it can be run and follows its rule.
#include <castforge/interface.hpp>
#include <castforge/loadable.hpp>
#include <cstring>

#include "fuzz/target.hpp"
#include "src/isa_table.hpp"
#include "src/loaded/loaded_file.hpp"
#include "src/text/element.hpp"

namespace castforge::fuzz {
namespace {

constexpr std::size_t kElements = 33;

void run(const DataKernel& kernel, std::span<const std::uint8_t> noise) {
  unsigned char source[8 * kElements] = {}, result[8 * kElements] = {};
  for (std::size_t i = 0; i < sizeof source; ++i) {
    source[i] = static_cast<unsigned char>(noise[i * 37 % noise.size()] + i * 29);
  }
  run_data(kernel, isa_named(active_isa()), source, result, kElements);
  if (kernel.form == loadable::Form::rule) return;
  for (std::size_t i = 0; i < kElements; ++i) {
    const Format &from = kernel.from, &to = kernel.to;
    const auto expected = exact_cast(from, to, kernel.rule, text::load_code(from, source, i));
    if (!expected) continue;
    const std::uint64_t found = load_element(result, i, to.storage_bits, to.packing);
    require(found == storage_word(to, *expected), std::string(kernel.name) + " does not follow its rule");
  }
}

void read(std::span<const std::byte> bytes, std::span<const std::uint8_t> noise) {
  Status status;
  const std::unique_ptr<LoadedFile> file = read_file(bytes, status);
  require((file == nullptr) != status.ok(), "a file that is both refused and read");
  if (file == nullptr) {
    require(status.code() == StatusCode::file_refused && !status.message().empty(), "a refusal without a reason");
    return;
  }
  for (const DataKernel& kernel : file->kernels) run(kernel, noise);
  accepted();
}

}  // namespace

void cft(Input input) {
  read(std::as_bytes(input), input);
  if (input.size() <= loadable::kHeaderBytes) return;
  // With size and check put right, so that the contents are looked at.
  std::string file(text_of(input));
  loadable::Check check;
  for (std::size_t i = loadable::kHeaderBytes; i < file.size(); ++i) check.add(static_cast<unsigned char>(file[i]));
  const std::uint64_t size = file.size(), value = check.value();
  std::memcpy(file.data() + 16, &size, sizeof size);
  std::memcpy(file.data() + 24, &value, sizeof value);
  read(std::as_bytes(std::span(file)), input);
}

}  // namespace castforge::fuzz

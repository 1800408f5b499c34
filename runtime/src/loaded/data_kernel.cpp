#include "src/loaded/data_kernel.hpp"

#include <algorithm>
#include <bit>

#include "src/exact/cast.hpp"
#include "src/text/element.hpp"

namespace castforge {
namespace {

using loadable::Form;

constexpr std::size_t kChunk = 256;  // elements, a multiple of 8: each chunk of a dense stream begins on a whole byte

void run_rule(const DataKernel& kernel, const void* src, void* dst, std::size_t count) noexcept {
  const Format &from = kernel.from, &to = kernel.to;
  text::CodeWriter out(to, dst);
  for (std::size_t i = 0; i < count; ++i) {
    // Files are refused whose rule lacks a result at the codes that set_table() tries; for any other code it is 0.
    out.put(exact::cast(from, to, kernel.exact_rule, text::load_code(from, src, i)).value_or(0));
  }
  out.finish();
}

std::size_t word_index(int bits) noexcept {
  return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(storage_unit(bits)))) - 3;
}

tables::LookupFn function_of(const DataKernel& kernel, const tables::IsaLookups& lookups) noexcept {
  const std::size_t from = word_index(kernel.from.storage_bits), to = word_index(kernel.to.storage_bits);
  if (kernel.lookup.blocks.index_bits == 0) return lookups.whole[from][to];
  if (kernel.lookup.compact) return lookups.compact_steps;
  const bool integer = kernel.lookup.blocks.positions.by_magnitude;
  return (integer ? lookups.integer_steps : lookups.steps)[from - 2][to];
}

/// Elements to words: either buffer holds those of a dense stream.
void run_packed(const DataKernel& kernel, tables::LookupFn function, const std::byte* src, std::byte* dst,
                std::size_t count) noexcept {
  const Format &from = kernel.from, &to = kernel.to;
  const auto src_bits = static_cast<std::size_t>(from.storage_bits),
             dst_bits = static_cast<std::size_t>(to.storage_bits);
  std::uint64_t in[kChunk], out[kChunk];
  for (std::size_t done = 0; done < count; done += kChunk) {
    const std::size_t n = std::min(kChunk, count - done);
    const std::byte* const here = src + done / 8 * src_bits;
    const void* words = here;
    if (!is_natural_width(from.storage_bits)) {
      const int word = storage_unit(from.storage_bits);
      for (std::size_t i = 0; i < n; ++i)
        store_element(in, i, load_element(here, i, from.storage_bits, from.packing), word);
      words = in;
    }
    std::byte* const there = dst + done / 8 * dst_bits;
    if (is_natural_width(to.storage_bits)) {
      function(kernel.lookup, words, there, n);
      continue;
    }
    function(kernel.lookup, words, out, n);
    ElementPacker packer(there, to.storage_bits, to.packing);
    const int word = storage_unit(to.storage_bits);
    for (std::size_t i = 0; i < n; ++i) packer.put(load_element(out, i, word));
    packer.finish();
  }
}

}  // namespace

std::uint64_t storage_word(const Format& format, std::uint64_t code) noexcept {
  Format word = format;
  word.storage_bits = storage_unit(format.storage_bits);
  std::uint64_t result = 0;
  text::CodeWriter writer(word, &result);
  writer.put(code);
  writer.finish();
  return result;
}

void run_data(const DataKernel& kernel, const Isa& isa, const void* src, void* dst, std::size_t count) noexcept {
  if (kernel.form == Form::rule) return run_rule(kernel, src, dst, count);
  const tables::LookupFn function = function_of(kernel, *isa.lookups);
  if (is_natural_width(kernel.from.storage_bits) && is_natural_width(kernel.to.storage_bits))
    return function(kernel.lookup, src, dst, count);
  run_packed(kernel, function, static_cast<const std::byte*>(src), static_cast<std::byte*>(dst), count);
}

void run_kernel(tables::KernelFn function, const tables::Kernel* row, const Isa& isa, const void* src, void* dst,
                std::size_t count, std::size_t ahead) noexcept {
  if (function != nullptr) return function(src, dst, count, ahead);
  run_data(static_cast<const DataKernel&>(*row), isa, src, dst, count);
}

}  // namespace castforge

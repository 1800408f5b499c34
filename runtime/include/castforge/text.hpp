// Conversions with a string on one side. Strings have no storage of their own here: they come and go as
// views.
#pragma once

#include <castforge/export.h>

#include <castforge/attributes.hpp>
#include <castforge/status.hpp>
#include <castforge/type_info.hpp>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace castforge {

/// Receives the text of element `index`; the view is valid during the call only.
struct TextSink {
  void (*write)(void* context, std::size_t index, std::string_view text) = nullptr;
  void* context = nullptr;

  TextSink() = default;
  TextSink(void (*function)(void*, std::size_t, std::string_view), void* data) : write(function), context(data) {}

  /// From anything callable as f(index, text); it is called, not copied.
  template <class F>
  requires std::is_invocable_v<F&, std::size_t, std::string_view> &&
      (!std::is_same_v<std::remove_cvref_t<F>, TextSink>)TextSink(F&& f)
      : write([](void* data, std::size_t index, std::string_view text) {
          (*static_cast<std::remove_reference_t<F>*>(data))(index, text);
        }),
        context(const_cast<void*>(static_cast<const void*>(&f))) {}
};

/// Numbers to text: calls the sink for elements 0 .. count - 1 in order. `src` is laid out as for
/// Kernel::run. Each text is the shortest from which the op-set reads the number again, float8e8m0's on the grid of
/// float64 and on the side from which the default rounding mode comes back. Errors: those of find_kernel, null_pointer.
/// An exception that the sink throws reaches the caller.
CASTFORGE_API Status format_text(std::string_view opset, Type src_type, const void* src, std::size_t count,
                                 const Attributes& attributes, TextSink sink);

/// Text to numbers: `dst` receives texts.size() elements, laid out as for Kernel::run. Errors: those of
/// find_kernel, null_pointer, and bad_number or integer_out_of_range with the index of the first bad element;
/// what `dst` holds is unspecified then.
CASTFORGE_API Status parse_text(std::string_view opset, Type dst_type, std::span<const std::string_view> texts,
                                void* dst, const Attributes& attributes = {}) noexcept;

/// The same for texts in one buffer: text i is chars[offsets[i]] up to chars[offsets[i + 1]]; `offsets` has
/// count + 1 entries, none below the one before: bad_shape otherwise.
CASTFORGE_API Status parse_text(std::string_view opset, Type dst_type, const char* chars, const std::size_t* offsets,
                                std::size_t count, void* dst, const Attributes& attributes = {}) noexcept;

/// A number as someone types it, to the element of `type` that is nearest to it, ties to even; no op-set is asked.
/// Beyond the range it is infinity, NaN where there is none, and the largest number where there is neither; a negative
/// one is 0 in a format without signs, the smallest number where there is no zero. Integers keep the low bits;
/// infinities and NaN are 0 there. `element` is the word of memory that holds it, in its low bits. Errors:
/// unknown_type, bad_number, integer_out_of_range, type_mismatch for a type of strings.
CASTFORGE_API Status parse_number(std::string_view text, Type type, std::uint64_t& element) noexcept;

}  // namespace castforge

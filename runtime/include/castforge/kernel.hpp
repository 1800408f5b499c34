// A conversion looked up once and run many times.
#pragma once

#include <castforge/export.h>

#include <castforge/attributes.hpp>
#include <castforge/opset.hpp>
#include <castforge/rule.hpp>
#include <castforge/status.hpp>
#include <castforge/type_info.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace castforge {

namespace tables {
struct Kernel;
}

enum class KernelForm : std::uint8_t {
  code,   // compiled
  table,  // looked up, in tables that were loaded
  rule,   // in exact arithmetic, element by element
};

/// A resolved conversion, or the reason why there is none. A value; copies are independent; run() is
/// thread-safe.
class Kernel {
 public:
  /// Converts `count` elements; see run() for buffers. The source is prefetched `ahead` bytes before it is read (0: not
  /// at all), which changes nothing but the time.
  using Function = void (*)(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept;

  Kernel() noexcept : Kernel(Status(StatusParts{.code = StatusCode::no_kernel})) {}
  explicit Kernel(const Status& status) noexcept : status_(status) {}
  Kernel(Function loop, const tables::Kernel* table, std::string_view isa) noexcept
      : function_(loop), table_(table), isa_(isa) {}

  bool ok() const noexcept { return table_ != nullptr; }
  explicit operator bool() const noexcept { return ok(); }

  /// Why the lookup failed; ok where it did not.
  const Status& status() const noexcept { return status_; }

  /// Converts `count` elements. Buffers hold ceil(count * storage_bits / 8) bytes, need no alignment, and may
  /// be the same where both types have the same storage width; they must not overlap otherwise. Unused bits
  /// of the last byte of the destination become zero. Numeric conversions cannot fail: the status is
  /// status(), or null_pointer where there are elements and no buffer. The result goes past the caches where
  /// source and result together fill what one core has of the last-level one (CASTFORGE_STREAM_BYTES in the
  /// environment sets another number of bytes).
  Status run(const void* src, void* dst, std::size_t count) const noexcept {
    if (table_ == nullptr) return status_;
    if (src == nullptr || dst == nullptr) return without_buffer(src, count);
    if (function_ != nullptr && count < kLargeCount) function_(src, dst, count, 0);
    else run_large(src, dst, count);
    return Status();
  }

  /// What run() calls, for all elements or for one part after the other. Null for a kernel that is data, as those of
  /// load() are: run() converts by its tables.
  Function function() const noexcept { return function_; }
  std::string_view isa() const noexcept { return isa_; }

  // The following need ok().
  CASTFORGE_API Type src() const noexcept;
  CASTFORGE_API Type dst() const noexcept;
  CASTFORGE_API std::string_view name() const noexcept;     // "float32_to_float8e4m3fn__rne_max"
  CASTFORGE_API std::string_view meaning() const noexcept;  // hash of the resolved rule
  CASTFORGE_API const Rule& rule() const noexcept;          // what it does, for exact_cast for example
  /// Hashes of the plans that it was compiled from, with commas, as in MANIFEST.tsv; empty where it is data.
  CASTFORGE_API std::string_view programs() const noexcept;
  /// How it does that. A kernel that follows its rule element by element is slow.
  CASTFORGE_API KernelForm form() const noexcept;

  /// The row behind it: the library's own.
  const tables::Kernel* table() const noexcept { return table_; }

 private:
  static constexpr std::size_t kLargeCount = std::size_t{1} << 16;  // smaller conversions fit a near cache
  CASTFORGE_API static Status without_buffer(const void* src, std::size_t count) noexcept;
  CASTFORGE_API void run_large(const void* src, void* dst, std::size_t count) const noexcept;

  Function function_ = nullptr;
  const tables::Kernel* table_ = nullptr;
  std::string_view isa_;
  Status status_;
};

/// Looks a conversion up; `opset` as for find_opset: "onnx@23", "onnx" for its newest version, empty for the default.
/// `isa` names an instruction set; empty means active_isa(). On processors where a lesser set's function is faster for
/// this kernel, by measurement, it is that function. No allocation, no lock. Errors: unknown_opset, wrong_operation,
/// unknown_type (a number that is no type), type_not_admitted, pair_not_admitted, unknown_attribute, bad_attribute,
/// repeated_attribute, text_conversion, isa_unavailable.
CASTFORGE_API Kernel find_kernel(std::string_view opset, Type src, Type dst, const Attributes& attributes = {},
                                 std::string_view isa = {}) noexcept;
CASTFORGE_API Kernel find_kernel(OpSet opset, Type src, Type dst, const Attributes& attributes = {},
                                 std::string_view isa = {}) noexcept;

/// Looks a conversion up by what its system calls it, where the op-set has a notation for that (OpSet::notation):
/// "Convert<Binary8p3se, binary32, (NearestTiesToEven, SatNone)>". Of several versions the newest that has it. Errors
/// as above; unknown_opset where no op-set writes conversions so.
CASTFORGE_API Kernel find_kernel_by_notation(std::string_view text, std::string_view isa = {}) noexcept;
/// The same, and the op-set that it was found in; untouched where there is none.
CASTFORGE_API Kernel find_kernel_by_notation(std::string_view text, OpSet& opset, std::string_view isa = {}) noexcept;

/// All kernels of the library, whatever op-set they belong to; no_kernel from kernel_count() on. Always the function of
/// the instruction set itself.
CASTFORGE_API std::size_t kernel_count() noexcept;
CASTFORGE_API Kernel kernel_at(std::size_t index, std::string_view isa = {}) noexcept;

}  // namespace castforge

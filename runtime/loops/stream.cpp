// Streaming stores of one instruction set; compiled once per instruction set, as the generated units are.
#include "src/stream_table.hpp"

#include "simd/lanes.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

#if CASTFORGE_VECTOR

template <class Arch>
void stream_lines(std::byte* to, const std::byte* from, std::size_t lines) noexcept {
  for (; lines != 0; --lines, to += tables::kLineBytes, from += tables::kLineBytes)
    lane::kernel::stream_line(to, from, Arch{});
}

template <class Arch>
constexpr tables::StreamFn stream_function() noexcept {
  if constexpr (lane::kernel::streams(Arch{})) return stream_lines<Arch>;
  else return nullptr;
}

constexpr tables::StreamFn kStream = stream_function<lane::Arch>();

#else

constexpr tables::StreamFn kStream = nullptr;

#endif

}  // namespace

extern const tables::StreamFn kIsaStream;
const tables::StreamFn kIsaStream = kStream;

}  // namespace CASTFORGE_ISA
}  // namespace castforge

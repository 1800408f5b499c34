// A third of the cases on this instruction set: on scalar words, on vectors of elements in memory, of loaded elements,
// and of bytes in the order that narrowing leaves them in. CASTFORGE_PART says which.
#include "unit/operations/ways.hpp"

#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>

#if CASTFORGE_PART == 0
#include "operation_kernels_0.hpp"
#elif CASTFORGE_PART == 1
#include "operation_kernels_1.hpp"
#else
#include "operation_kernels_2.hpp"
#endif

namespace castforge::test {
namespace {

template <class K, std::size_t... I>
void words(const std::byte* const* operands, std::size_t count, std::byte* results, std::index_sequence<I...>) {
  using U = lane::Unsigned<K::kBits>;
  const auto word = [&](std::size_t operand, std::size_t i) {
    U value;
    std::memcpy(&value, operands[operand] + i * sizeof value, sizeof value);
    return lane::Word<U>(value);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto result = K::map(word(I, i)...);
    static_assert(decltype(result)::kBits == K::kTo);
    std::memcpy(results + i * sizeof result.value, &result.value, sizeof result.value);
  }
}

template <class K>
void on_words(const std::byte* const* operands, std::size_t count, std::byte* results) {
  words<K>(operands, count, results, std::make_index_sequence<K::kArity>{});
}

#if CASTFORGE_VECTOR

/// How operands come to an operation.
enum class From { memory, vectors, narrowed };

template <From kFrom, class U, std::size_t N>
CASTFORGE_INLINE auto operand(const std::byte* elements, [[maybe_unused]] const std::byte* wide) noexcept {
  const lane::Source<U, N> source{elements};
  if constexpr (kFrom == From::memory) return source;
  else if constexpr (kFrom == From::vectors) return lane::detail::loaded(source);
  else return lane::truncate<U>(lane::Source<std::uint16_t, N>{wide});
}

/// Operands in blocks of N. `kFrom` is how the first operand comes; the others come from memory if it is narrowed.
template <class K, From kFrom, std::size_t N, std::size_t... I>
void vectors(const std::byte* const* operands, std::size_t count, std::byte* results, std::index_sequence<I...>) {
  static_assert(kWayBlock % N == 0);
  constexpr std::size_t kSize = K::kBits / 8;
  constexpr From kOthers = kFrom == From::narrowed ? From::memory : kFrom;
  alignas(64) std::uint16_t wide[N] = {};
  for (std::size_t start = 0; start < count; start += N) {
    if constexpr (kFrom == From::narrowed) {
      for (std::size_t i = 0; i < N; ++i)
        wide[i] = static_cast<std::uint16_t>(0xA500 | static_cast<std::uint8_t>(operands[0][start + i]));
    }
    lane::store(results + start * (K::kTo / 8),
                K::map(operand < I == 0 ? kFrom : kOthers, lane::Unsigned<K::kBits>,
                       N > (operands[I] + start * kSize, reinterpret_cast<const std::byte*>(wide))...));
  }
}

template <class K, From kFrom, std::size_t N>
void on_lanes(const std::byte* const* operands, std::size_t count, std::byte* results) {
  vectors<K, kFrom, N>(operands, count, results, std::make_index_sequence<K::kArity>{});
}

#endif

template <class K>
constexpr WaysOfCase ways_of(const char* name) {
  WaysOfCase all{name, K::kBits, K::kTo, K::kArity, 0, {}};
  all.ways[all.count++] = {"words", true, on_words<K>};
#if CASTFORGE_VECTOR
  if constexpr (K::kHasVectorForm && lane::isa_meets(K::kNeeds)) {
    constexpr std::size_t kFrom = K::kBits / 8, kTo = K::kTo / 8, kNarrower = kFrom < kTo ? kFrom : kTo;
    constexpr std::size_t kLanes = lane::kVectorBytes / kNarrower * (kFrom == kTo ? 2 : 1);  // as the loop of a kernel
    all.ways[all.count++] = {"elements in memory", false, on_lanes<K, From::memory, kLanes>};
    all.ways[all.count++] = {"vectors", false, on_lanes<K, From::vectors, kLanes>};
    if constexpr (kFrom == 1) {
      all.ways[all.count++] = {"narrowed elements", false, on_lanes<K, From::narrowed, kLanes>};
    } else if constexpr (kLanes < lane::kVectorBytes) {
      all.ways[all.count++] = {"elements of a kernel to bytes", false, on_lanes<K, From::vectors, lane::kVectorBytes>};
    }
  }
#endif
  return all;
}

#define CASTFORGE_ENTRY(kernel) ways_of<operations::kernel>(#kernel),
constexpr WaysOfCase kCases[] = {CASTFORGE_OPERATION_KERNELS(CASTFORGE_ENTRY)};

}  // namespace

namespace CASTFORGE_ISA {
extern const SomeWays first, second, third;
#if CASTFORGE_PART == 0
extern const WaysOfIsa ways;
const SomeWays first = {std::size(kCases), kCases};
#define CASTFORGE_TEXT(name) #name
#define CASTFORGE_TEXT_OF(macro) CASTFORGE_TEXT(macro)
const WaysOfIsa ways = {&CASTFORGE_TEXT_OF(CASTFORGE_ISA)[sizeof "isa"], {&first, &second, &third}};  // without isa_
#elif CASTFORGE_PART == 1
const SomeWays second = {std::size(kCases), kCases};
#else
const SomeWays third = {std::size(kCases), kCases};
#endif
}  // namespace CASTFORGE_ISA

}  // namespace castforge::test

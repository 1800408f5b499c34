// On this instruction set every operation gives what the table of operations says: on scalar words, on vectors of
// elements in memory, of loaded elements, and of bytes in the order that narrowing leaves them in.
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "operation_kernels.hpp"
#include "unit/operations/cases.hpp"

using namespace castforge;

#if defined(CASTFORGE_ISA_SSE4_2)
#define TESTED_ISA "sse4_2"
#elif defined(CASTFORGE_ISA_AVX2)
#define TESTED_ISA "avx2"
#elif defined(CASTFORGE_ISA_AVX512)
#define TESTED_ISA "avx512"
#elif defined(CASTFORGE_ISA_AVX512VBMI)
#define TESTED_ISA "avx512vbmi"
#elif defined(CASTFORGE_ISA_NEON64)
#define TESTED_ISA "neon64"
#else
#define TESTED_ISA "portable"
#endif
extern "C" {
extern const char castforge_test_isa[];
const char castforge_test_isa[] = TESTED_ISA;
}

namespace {

using Numbers = std::vector<std::uint64_t>;
using Columns = std::vector<Numbers>;

template <class K, std::size_t... I>
void words(const Columns& columns, std::size_t count, Numbers& results, std::index_sequence<I...>) {
  using U = lane::Unsigned<K::kBits>;
  for (std::size_t i = 0; i < count; ++i) {
    const auto result = K::map(lane::Word<U>(static_cast<U>(columns[I][i]))...);
    static_assert(decltype(result)::kBits == K::kTo);
    results[i] = result.value;
  }
}

template <class K>
void on_words(const Columns& columns, std::size_t count, Numbers& results) {
  words<K>(columns, count, results, std::make_index_sequence<K::kArity>{});
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

/// Operands in blocks of N, the last one filled up from the front. `kFrom` is how the first operand comes; the others
/// come from memory if it is narrowed.
template <class K, From kFrom, std::size_t N, std::size_t... I>
void vectors(const Columns& columns, std::size_t count, Numbers& results, std::index_sequence<I...>) {
  using U = lane::Unsigned<K::kBits>;
  using To = lane::Unsigned<K::kTo>;
  alignas(64) U elements[K::kArity][N];
  alignas(64) std::uint16_t wide[N];
  alignas(64) To out[N];
  for (std::size_t start = 0; start < count; start += N) {
    for (std::size_t k = 0; k < K::kArity; ++k) {
      for (std::size_t i = 0; i < N; ++i) elements[k][i] = static_cast<U>(columns[k][(start + i) % count]);
    }
    for (std::size_t i = 0; i < N; ++i) wide[i] = static_cast<std::uint16_t>(0xA500 | (elements[0][i] & 0xFF));
    const auto at = [&](std::size_t k) { return reinterpret_cast<const std::byte*>(elements[k]); };
    constexpr From kOthers = kFrom == From::narrowed ? From::memory : kFrom;
    lane::store(reinterpret_cast<std::byte*>(out), K::map(operand < I == 0 ? kFrom : kOthers, U,
                                                          N > (at(I), reinterpret_cast<const std::byte*>(wide))...));
    for (std::size_t i = 0; i < N && start + i < count; ++i) results[start + i] = out[i];
  }
}

template <class K, From kFrom, std::size_t N>
void on_lanes(const Columns& columns, std::size_t count, Numbers& results) {
  vectors<K, kFrom, N>(columns, count, results, std::make_index_sequence<K::kArity>{});
}

#endif

struct Way {
  const char* name;
  void (*run)(const Columns& columns, std::size_t count, Numbers& results);
};

template <class K>
std::vector<Way> ways() {
  std::vector<Way> list = {{"words", on_words<K>}};
#if CASTFORGE_VECTOR
  if constexpr (K::kHasVectorForm && lane::isa_meets(K::kNeeds)) {
    constexpr std::size_t kFrom = K::kBits / 8, kTo = K::kTo / 8, kNarrower = kFrom < kTo ? kFrom : kTo;
    constexpr std::size_t kLanes = lane::kVectorBytes / kNarrower * (kFrom == kTo ? 2 : 1);  // as the loop of a kernel
    list.push_back({"elements in memory", on_lanes<K, From::memory, kLanes>});
    list.push_back({"vectors", on_lanes<K, From::vectors, kLanes>});
    if constexpr (kFrom == 1) {
      list.push_back({"narrowed elements", on_lanes<K, From::narrowed, kLanes>});
    } else if constexpr (kLanes < lane::kVectorBytes) {
      list.push_back({"elements of a kernel to bytes", on_lanes<K, From::vectors, lane::kVectorBytes>});
    }
  }
#endif
  return list;
}

struct Entry {
  const char* name;
  std::vector<Way> (*ways)();
};
#define CASTFORGE_ENTRY(kernel) {#kernel, ways<operations::kernel>},
const Entry kEntries[] = {CASTFORGE_OPERATION_KERNELS(CASTFORGE_ENTRY)};

}  // namespace

TEST_CASE("operations give on words and vectors what their table says", "[operations]") {
  const std::vector<test::Case> cases = test::operation_cases();
  REQUIRE(cases.size() == std::size(kEntries));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    REQUIRE(cases[i].name == kEntries[i].name);
    const test::Tuples tuples = test::tuples_of(cases[i]);
    const std::size_t count = tuples.results.size();
    Numbers results(count);
    for (const Way& way : kEntries[i].ways()) {
      way.run(tuples.columns, count, results);
      for (std::size_t at = 0; at < count; ++at) {
        if (results[at] == tuples.results[at]) continue;
        std::string operands;
        for (const Numbers& column : tuples.columns)
          operands += (operands.empty() ? "" : ", ") + std::to_string(column[at]);
        FAIL_CHECK(cases[i].name << "(" << operands << ") on " << way.name << ": " << results[at] << ", expected "
                                 << tuples.results[at]);
        break;
      }
    }
  }
}

// How a kernel lists its plans, which one this instruction set runs, and evaluation of a plan on a single code.
//
// A kernel has kSrcBits and kDstBits, the bits of one element in memory, kSrcPacking and kDstPacking where elements
// share bytes from the high end on (castforge/elements.hpp), and plans. A plan has kNeeds, kEnvironment and map(bits),
// the whole conversion: of the source code, zero-extended to 8, 16, 32 or 64 bits, to the result code in as many bits
// as hold it, zeros above. Between 4, 2 and 1 bits, but for copies, it also has kOfNibble (loops/nibbles.hpp).
#pragma once

#include <castforge/elements.hpp>
#include <initializer_list>

#include "simd/float_word.hpp"

namespace castforge::inline CASTFORGE_ISA::lane {

/// What in the thread's floating-point environment could change a plan's results if the loop did not set it.
enum class Environment {
  none,
  rounding,    ///< rounding mode and masks of exceptions, where instructions do not embed their own
  subnormals,  ///< also whether subnormals are flushed
};

namespace detail {

template <class First, class... Rest> struct FirstMet {
  using type =
      typename std::conditional_t<isa_meets(First::kNeeds), std::type_identity<First>, FirstMet<Rest...>>::type;
};
template <class Only> struct FirstMet<Only> {
  static_assert(isa_meets(Only::kNeeds), "no plan of the kernel runs on this instruction set");
  using type = Only;
};

}  // namespace detail

/// The smallest word that holds an element of kBits bits.
template <int kBits> using StorageWord = Unsigned<storage_unit(kBits)>;

/// At which end of a byte the first element is, as a kernel says where it is not the low one.
template <class K> constexpr Packing src_packing() noexcept {
  if constexpr (requires { K::kSrcPacking; }) return K::kSrcPacking;
  else return Packing::low_first;
}
template <class K> constexpr Packing dst_packing() noexcept {
  if constexpr (requires { K::kDstPacking; }) return K::kDstPacking;
  else return Packing::low_first;
}

/// The plans of a kernel in order of preference.
template <class... P> struct Plans {
  using chosen = typename detail::FirstMet<P...>::type;  ///< runs on this instruction set

  /// f.template operator()<Plan>() of every plan holds.
  template <class F> static constexpr bool all(F f) noexcept { return (f.template operator()<P>() && ...); }
};

/// Result code of one source code under plan P of a kernel with the given widths in bits.
template <class P, int kSrcBits, int kDstBits> constexpr std::uint64_t at_plan(std::uint64_t code) noexcept {
  using U = StorageWord<kSrcBits>;
  const U bits = static_cast<U>(code & low_bits(kSrcBits));
  const Word<StorageWord<kDstBits>> result = P::map(Word<U>(bits));
  return result.value;
}

/// A source code and the result it must have.
struct Row {
  std::uint64_t code, result;
};

/// Does every plan of kernel K give every row's result? Asserted beside each kernel, by the portable unit.
template <class K> constexpr bool maps([[maybe_unused]] std::initializer_list<Row> rows) noexcept {
#if CASTFORGE_VECTOR
  return true;
#else
  return K::plans::all([rows]<class P>() {
    for (const Row& row : rows) {
      if (at_plan<P, K::kSrcBits, K::kDstBits>(row.code) != row.result) return false;
    }
    return true;
  });
#endif
}

}  // namespace castforge::inline CASTFORGE_ISA::lane

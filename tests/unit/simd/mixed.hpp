// Kernels for the loops: what they compute means nothing, but every bit of it depends on the source.
#pragma once

#include "loops/loop.hpp"

namespace {

using namespace castforge;
using lane::Environment;
using lane::Needs;

// Of each four bits of memory the results of the elements in them, as the loop over nibbles looks them up; for other
// widths zeros.
template <class K>
constexpr std::array<std::uint16_t, 16> results_of_nibbles() noexcept {
  std::array<std::uint16_t, 16> all{};
  if constexpr (4 % K::kSrcBits == 0 && 4 % K::kDstBits == 0) {
    constexpr int kResultBits = 4 / K::kSrcBits * K::kDstBits;
    for (unsigned nibble = 0; nibble < 16; ++nibble) {
      for (unsigned i = 0; i < 4 / K::kSrcBits; ++i) {
        const std::uint64_t code = nibble >> bit_in_group(i, K::kSrcBits, 4, K::kSrcPacking);
        const std::uint64_t result = lane::at_plan<typename K::plan, K::kSrcBits, K::kDstBits>(code);
        all[nibble] |= static_cast<std::uint16_t>(result << bit_in_group(i, K::kDstBits, kResultBits, K::kDstPacking));
      }
    }
  }
  return all;
}

// Every bit of the source matters; results of different elements differ.
template <int kSrc, int kDst, Packing kFrom = Packing::low_first, Packing kTo = Packing::low_first>
struct Mixed {
  static constexpr int kSrcBits = kSrc, kDstBits = kDst;
  static constexpr Packing kSrcPacking = kFrom, kDstPacking = kTo;
  using U = lane::StorageWord<kSrc>;
  using D = lane::StorageWord<kDst>;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr Environment kEnvironment = Environment::none;
    static constexpr std::array<std::uint16_t, 16> kOfNibble = results_of_nibbles<Mixed>();
    static constexpr auto map(auto bits) noexcept {
      constexpr auto kKept = static_cast<D>(~std::uint64_t{0} >> (64 - kDst));
      const auto mixed = bits ^ (bits >> (kSrc / 2)) ^ (bits >> (kSrc / 4));
      if constexpr (sizeof(D) < sizeof(U)) return (lane::truncate<D>(mixed) + 0x35) & kKept;
      else if constexpr (sizeof(D) == sizeof(U)) return (mixed + 0x35) & kKept;
      else return (lane::widen<D>(bits) ^ (lane::widen_signed<D>(mixed) << (8 * (sizeof(D) - sizeof(U))))) & kKept;
    }
  };
  using plans = lane::Plans<plan>;
};

// Zero, as the padding of a last block is, becomes all ones.
template <int kDst, Packing kTo>
struct Inverted {
  static constexpr int kSrcBits = 8, kDstBits = kDst;
  static constexpr Packing kSrcPacking = Packing::low_first, kDstPacking = kTo;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr Environment kEnvironment = Environment::none;
    static constexpr auto map(auto bits) noexcept { return (bits & ((1 << kDst) - 1)) ^ ((1 << kDst) - 1); }
  };
  using plans = lane::Plans<plan>;
};

template <int kBits, Packing kFrom = Packing::low_first, Packing kTo = kFrom>
struct Same {
  static constexpr int kSrcBits = kBits, kDstBits = kBits;
  static constexpr Packing kSrcPacking = kFrom, kDstPacking = kTo;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr Environment kEnvironment = Environment::none;
    static constexpr std::array<std::uint16_t, 16> kOfNibble = results_of_nibbles<Same>();
    static constexpr auto map(auto bits) noexcept { return bits; }
  };
  using plans = lane::Plans<plan>;
};

}  // namespace

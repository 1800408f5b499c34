// Kernels for the loops: what they compute means nothing, but every bit of it depends on the source.
#pragma once

#include "loops/loop.hpp"

namespace {

using namespace castforge;
using lane::Environment;
using lane::Needs;

// Every bit of the source matters; results of different elements differ.
template <int kSrc, int kDst, Packing kFrom = Packing::low_first, Packing kTo = Packing::low_first>
struct Mixed {
  static constexpr int kSrcBits = kSrc, kDstBits = kDst;
  static constexpr Packing kSrcPacking = kFrom, kDstPacking = kTo;
  using U = lane::Unit<kSrc>;
  using D = lane::Unit<kDst>;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr Environment kEnvironment = Environment::none;
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
    static constexpr auto map(auto bits) noexcept { return bits; }
  };
  using plans = lane::Plans<plan>;
};

}  // namespace

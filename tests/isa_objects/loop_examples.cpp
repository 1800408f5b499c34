// For check_loop_examples.py: a loop over blocks as it has to be, then one for each way of breaking the rule.
#include "loops/blocks.hpp"

namespace castforge::inline CASTFORGE_ISA::examples {

namespace {

template <std::size_t kBytes, class Body>
CASTFORGE_INLINE void walk(const std::byte* in, std::byte* out, std::size_t blocks, std::size_t ahead,
                           Body body) noexcept {
  do {
    simd::detail::prefetch<kBytes>(in, ahead);
    body(in, out);
    in += kBytes;
    out += kBytes;
  } while (--blocks != 0);
}

constexpr std::size_t kBytes = 2 * lane::kVectorBytes;

CASTFORGE_INLINE void move_vectors(const std::byte* in, std::byte* out) noexcept {
  lane::store(out, lane::loaded(lane::Source<std::uint8_t, kBytes>{in}));
}

CASTFORGE_INLINE void move_elements(const std::byte* in, std::byte* out, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = in[i] ^ std::byte{1};
    asm volatile("");  // else it may become vector code
  }
}

}  // namespace

void elsewhere() noexcept;

void vectors(const std::byte* from, std::byte* to, std::size_t blocks, std::size_t ahead) noexcept {
  walk<kBytes>(from, to, blocks, ahead,
               [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE { move_vectors(in, out); });
}

void branch(const std::byte* from, std::byte* to, std::size_t blocks, std::size_t ahead) noexcept {
  walk<kBytes>(from, to, blocks, ahead, [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
    if (*in != std::byte{0}) move_vectors(in, out);
  });
}

void call(const std::byte* from, std::byte* to, std::size_t blocks, std::size_t ahead) noexcept {
  walk<kBytes>(from, to, blocks, ahead, [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
    elsewhere();
    move_vectors(in, out);
  });
}

void elements(const std::byte* from, std::byte* to, std::size_t blocks, std::size_t ahead) noexcept {
  walk<kBytes>(from, to, blocks, ahead, [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
    move_elements(in, out, kBytes);
  });
}

void one_element(const std::byte* from, std::byte* to, std::size_t blocks, std::size_t ahead) noexcept {
  walk<kBytes>(from, to, blocks, ahead, [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
    move_vectors(in, out);
    *out ^= std::byte{1};
  });
}

void elements_afterwards(const std::byte* from, std::byte* to, std::size_t blocks, std::size_t ahead) noexcept {
  walk<kBytes>(from, to, blocks, ahead,
               [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE { move_vectors(in, out); });
  move_elements(from + blocks * kBytes, to + blocks * kBytes, kBytes / 2);
}

void half_vectors(const std::byte* from, std::byte* to, std::size_t blocks, std::size_t ahead) noexcept {
  constexpr std::size_t kHalf = lane::kVectorBytes / 2;
  walk<kHalf>(from, to, blocks, ahead, [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
    simd::detail::copy_chunk<lane::detail::Native<std::uint8_t, kHalf>>(out, in);
  });
}

}  // namespace castforge::inline CASTFORGE_ISA::examples

// Elements of widths that are no words: dense streams from either end of a byte, with vectors and one by one.
#include "mixed.hpp"
#include "run_check.hpp"

namespace {

constexpr Packing kHigh = Packing::high_first;

template <int kBits>
void check_width() {
  check_kernel<Mixed<kBits, 8>>();
  check_kernel<Mixed<kBits, 16>>();
  check_kernel<Mixed<kBits, 32>>();
  check_kernel<Mixed<8, kBits>>();
  check_kernel<Mixed<16, kBits>>();
  check_kernel<Mixed<32, kBits>>();
  check_kernel<Mixed<kBits, kBits>>();
  check_kernel<Mixed<kBits, 4>>();
  check_kernel<Mixed<4, kBits>>();
  check_kernel<Same<kBits>>();
}
template <int kBits>
void check_high_first() {
  check_kernel<Mixed<kBits, 8, kHigh>>();
  check_kernel<Mixed<kBits, 16, kHigh>>();
  check_kernel<Mixed<kBits, 32, kHigh>>();
  check_kernel<Mixed<kBits, 64, kHigh>>();
  check_kernel<Mixed<8, kBits, Packing::low_first, kHigh>>();
  check_kernel<Mixed<32, kBits, Packing::low_first, kHigh>>();
  check_kernel<Mixed<kBits, 6, kHigh>>();
  check_kernel<Mixed<6, kBits, Packing::low_first, kHigh>>();
  check_kernel<Mixed<kBits, kBits, kHigh, kHigh>>();
  check_kernel<Same<kBits, kHigh>>();
  check_kernel<Same<kBits, kHigh, Packing::low_first>>();
  check_kernel<Same<kBits, Packing::low_first, kHigh>>();
  check_kernel<Inverted<kBits, kHigh>>();
}
template <int kBits>
void check_by_element() {
  static_assert(!has_vector_loop(kBits));
  check_kernel<Mixed<kBits, 32>>();
  check_kernel<Mixed<8, kBits>>();
  check_kernel<Mixed<kBits, 6>>();
  check_kernel<Same<kBits>>();
}

struct Narrower : Same<8> {
  static constexpr int kDstBits = 6;
};
struct Wider : Same<8> {
  static constexpr int kSrcBits = 6;
};

}  // namespace

TEST_CASE("3 bits", "[simd][dense]") { check_width<3>(); }
TEST_CASE("5 bits", "[simd][dense]") { check_width<5>(); }
TEST_CASE("6 bits", "[simd][dense]") {
  check_width<6>();
  check_kernel<Mixed<6, 64>>();
  check_kernel<Mixed<64, 6>>();
  check_kernel<Mixed<6, 2>>();
  check_kernel<Mixed<2, 6>>();
  check_kernel<Mixed<6, 12>>();
  check_kernel<Mixed<10, 6>>();
}
TEST_CASE("7 bits", "[simd][dense]") { check_width<7>(); }
TEST_CASE("10 bits", "[simd][dense]") { check_width<10>(); }
TEST_CASE("12 bits", "[simd][dense]") { check_width<12>(); }
TEST_CASE("bytes filled from the high end", "[simd][dense]") {
  check_high_first<1>();
  check_high_first<2>();
  check_high_first<4>();
}
TEST_CASE("single bits from the low end", "[simd][dense]") {
  check_kernel<Mixed<1, 8>>();
  check_kernel<Mixed<8, 1>>();
  check_kernel<Mixed<32, 1>>();
}
TEST_CASE("widths without vectors", "[simd][dense]") {
  check_by_element<9>();
  check_by_element<11>();
  check_by_element<17>();  // just above a width that is a word
  check_by_element<24>();
  check_by_element<33>();
  check_by_element<58>();
  check_by_element<63>();
}
TEST_CASE("codes 01 02 03 04 of 6 bits are 81 30 10", "[simd][dense]") {
  const std::byte codes[4] = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  std::byte dense[3] = {}, back[4] = {};
  simd::run<Narrower>(codes, dense, 4, 0);
  CHECK((dense[0] == std::byte{0x81} && dense[1] == std::byte{0x30} && dense[2] == std::byte{0x10}));
  simd::run<Wider>(dense, back, 4, 0);
  CHECK(std::memcmp(codes, back, 4) == 0);
}
TEST_CASE("elements one by one", "[simd][dense]") { CHECK(elements_differ() == ""); }

#include "support.hpp"

#include "cli/formats/code_layout.hpp"
#include "cli/formats/tensor.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace castforge;
using namespace castforge::cli;
using cli_test::bytes;

TEST_CASE("packing is the inverse of unpacking for every width and number of elements") {
  for (int bits = 1; bits < 64; ++bits) {
    if (is_natural_width(bits)) continue;
    const auto word = static_cast<std::size_t>(storage_unit(bits) / 8);
    for (const Packing packing : {Packing::low_first, Packing::high_first}) {
      if (!packing_is_possible(bits, packing)) continue;
      for (std::size_t count = 0; count < 40; ++count) {
        std::string codes(count * word, '\0');
        for (std::size_t i = 0; i < count; ++i) {
          store_element(codes.data(), i, (i * 0x9E3779B97F4A7C15 + 3) & low_bits(bits), static_cast<int>(8 * word));
        }
        std::string packed((count * static_cast<std::size_t>(bits) + 7) / 8, '\xAA');
        pack_codes(codes.data(), packed.data(), count, bits, packing);
        std::string back(count * word, '\x55');
        unpack_codes(packed.data(), back.data(), count, bits, packing);
        CHECK(back == codes);
        // Element by element the same stream, whatever was there before.
        std::string stored(packed.size(), '\0');
        for (std::size_t i = count; i-- > 0;) {
          const std::uint64_t code = load_element(packed.data(), i, bits, packing);
          store_element(stored.data(), i, ~code, bits, packing);
          store_element(stored.data(), i, code, bits, packing);
        }
        CHECK(stored == packed);
        // Packing in place gives the same.
        pack_codes(codes.data(), codes.data(), count, bits, packing);
        CHECK(codes.substr(0, packed.size()) == packed);
      }
    }
  }
}

TEST_CASE("where the first element is; upper bits are ignored and unused bits zero") {
  const std::string codes = bytes({0xF1, 0xF2, 0xF3});
  std::string packed(2, '\xFF');
  pack_codes(codes.data(), packed.data(), 3, 4, Packing::low_first);
  CHECK(packed == bytes({0x21, 0x03}));
  pack_codes(codes.data(), packed.data(), 3, 4, Packing::high_first);
  CHECK(packed == bytes({0x12, 0x30}));
  pack_codes(codes.data(), packed.data(), 3, 2, Packing::low_first);
  CHECK(packed.substr(0, 1) == bytes({0x39}));
  pack_codes(codes.data(), packed.data(), 3, 1, Packing::high_first);
  CHECK(packed.substr(0, 1) == bytes({0xA0}));
  pack_codes(codes.data(), packed.data(), 3, 1, Packing::low_first);
  CHECK(packed.substr(0, 1) == bytes({0x05}));
}

TEST_CASE("four elements of 6 bits are three bytes, two of 12 bits too") {
  const std::string six = bytes({1, 2, 3, 4}), twelve = bytes({0xBC, 0xFA, 0x56, 0x04});
  std::string packed(3, '\xFF');
  pack_codes(six.data(), packed.data(), 4, 6, Packing::low_first);
  CHECK(packed == bytes({0x81, 0x30, 0x10}));
  pack_codes(twelve.data(), packed.data(), 2, 12, Packing::low_first);
  CHECK(packed == bytes({0xBC, 0x6A, 0x45}));
  CHECK(bits_in_file({.words = true}, 6) == 8);
  CHECK(bits_in_file({.words = true}, 12) == 16);
  CHECK(bits_in_file({}, 6) == 6);
}

TEST_CASE("how many elements fill bytes") {
  CHECK(elements_filling(3, 6) == 4);
  CHECK(elements_filling(2, 6) == 2);
  CHECK(elements_filling(1, 12) == 0);
  CHECK(elements_filling(7, 16) == 3);
  CHECK(packed_bytes(4, 6) == 3U);
  CHECK(packed_bytes(5, 6) == 4U);
}

TEST_CASE("byte order") {
  std::string two = bytes({1, 2, 3, 4}), four = bytes({1, 2, 3, 4}), eight = bytes({1, 2, 3, 4, 5, 6, 7, 8});
  swap_bytes(two.data(), 2, 2);
  swap_bytes(four.data(), 1, 4);
  swap_bytes(eight.data(), 1, 8);
  CHECK(two == bytes({2, 1, 4, 3}));
  CHECK(four == bytes({4, 3, 2, 1}));
  CHECK(eight == bytes({8, 7, 6, 5, 4, 3, 2, 1}));
}

#include "support.hpp"

#include "cli/formats/code_layout.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace castforge::cli;
using cli_test::bytes;

TEST_CASE("packing is the inverse of unpacking for every number of elements") {
  for (const int bits : {2, 4}) {
    for (std::size_t count = 0; count < 40; ++count) {
      std::string codes(count, '\0');
      for (std::size_t i = 0; i < count; ++i) codes[i] = static_cast<char>((i * 7 + 3) % (1U << bits));
      std::string packed((count * static_cast<std::size_t>(bits) + 7) / 8, '\xAA');
      pack_codes(codes.data(), packed.data(), count, bits);
      std::string back(count, '\x55');
      unpack_codes(packed.data(), back.data(), count, bits);
      CHECK(back == codes);
      // Packing in place gives the same.
      pack_codes(codes.data(), codes.data(), count, bits);
      CHECK(codes.substr(0, packed.size()) == packed);
    }
  }
}

TEST_CASE("the first element is in the low bits, and unused bits are zero") {
  const std::string codes = bytes({0xF1, 0xF2, 0xF3});
  std::string packed(2, '\xFF');
  pack_codes(codes.data(), packed.data(), 3, 4);
  CHECK(packed == bytes({0x21, 0x03}));
  pack_codes(codes.data(), packed.data(), 3, 2);
  CHECK(packed.substr(0, 1) == bytes({0x39}));
  pack_codes(codes.data(), packed.data(), 3, 1);  // single bits: from the high bit on
  CHECK(packed.substr(0, 1) == bytes({0xA0}));
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

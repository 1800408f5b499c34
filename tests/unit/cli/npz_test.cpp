// Arrays in zip archives, numpy files on standard input, and arrays in Fortran order.
#include "support.hpp"
#include "zip_bytes.hpp"

#include "cli/formats/c_order.hpp"

#include <catch2/catch_test_macros.hpp>

#include <numeric>

using namespace cli_test;

namespace {

const std::string kZippedFloats = codes<float>({1, -2, 0.5, 4, 8, -16});
const std::string kZippedHalves = codes<std::uint16_t>({0x3C00, 0xC000, 0x3800, 0x4400, 0x4800, 0xCC00});
const std::string kArray = npy_array("<f4", "(6,)", kZippedFloats);

/// 64 floats, 0 1 2 3 0 1 ..., as zlib compresses their .npy file.
const std::string kCompressed(
    "\x9B\xEC\x17\xEA\x1B\x10\xC9\xC8\x60\xCD\x50\xAD\x9E\x92\x5A\x9C\x5C\xA4\x6E\xA5\xA0\x6E\x93\x66\xA2"
    "\xAE\xA3\xA0\x9E\x96\x5F\x54\x52\x94\x98\x17\x9F\x5F\x94\x92\x0A\x12\x77\x4B\xCC\x29\x4E\x05\x8A\x17"
    "\x67\x24\x16\xA4\x02\xF9\x1A\x66\x26\x3A\x9A\x3A\x0A\xB5\x5C\x0C\x60\xD0\x60\x0F\x24\x1C\x80\xC8\x61"
    "\xA4\xF1\x01",
    78);

Outcome cast_npz(const std::string& archive, const std::vector<std::string>& tensors = {}) {
  return cast({.extension = "npz", .input = archive, .to = "float16", .output_extension = "raw", .tensors = tensors});
}

}  // namespace

TEST_CASE("npz: an array of an archive, stored and deflated, zip64, with a comment") {
  const ZipPart stored{"w.npy", kArray}, plain{"w.npy", deflated_plainly(kArray), kArray, 8};
  for (const ZipPart& part : {stored, plain}) {
    CHECK(cast_npz(zip({part})).output == kZippedHalves);
    CHECK(cast_npz(zip({part}, true)).output == kZippedHalves);
    CHECK(cast_npz(zip({part}, false, "PK\5\6 is how the end begins")).output == kZippedHalves);
    CHECK(cast_npz(zip({{"a.npy", "x"}, part, {"note.txt", "no array"}}), {"w"}).output == kZippedHalves);
  }
  std::string sixty_four = "\x93NUMPY\1";
  sixty_four += std::string("\0\x3B\0", 3) + "{'descr': '<f4', 'fortran_order': False, 'shape': (64,), }\n";
  for (int i = 0; i < 64; ++i) sixty_four += codes<float>({static_cast<float>(i % 4)});
  const Outcome inflated = cast_npz(zip({{"w.npy", kCompressed, sixty_four, 8}}));
  CHECK(inflated.message == "");
  CHECK(inflated.output.size() == 128);
  CHECK(inflated.output.substr(0, 8) == codes<std::uint16_t>({0, 0x3C00, 0x4000, 0x4200}));
}

TEST_CASE("npz: which array has to be said") {
  const std::string two = zip({{"a.npy", kArray}, {"b.npy", kArray}});
  CHECK(cast_npz(two, {"b"}).output == kZippedHalves);
  const Outcome both = cast_npz(two);
  CHECK(both.code == 2);
  CHECK(both.message == "in.npz: one tensor goes into this output, found 2; choose one with --tensors");
  for (const std::vector<std::string>& patterns : {std::vector<std::string>{"c"}, {"a", "c"}}) {
    const Outcome none = cast_npz(two, patterns);
    CHECK(none.code == 2);
    CHECK(none.message == "in.npz: --tensors \"c\" matches no tensor; `castforge info` lists them");
  }
  CHECK(cast_npz(two, {"*"}).message == "in.npz: one tensor goes into this output, found 2 that --tensors matches");
  const Outcome empty = cast_npz(zip({}));
  CHECK(empty.code == 2);
  CHECK(empty.message == "in.npz: one tensor goes into this output, the file holds none");
}

TEST_CASE("npz: members that are left out are told") {
  const Folder folder;
  folder.write("x.npz", zip({{"w.npy", kArray}, {"note.txt", "no array"}}));
  CHECK(program(folder, "info x.npz")
            .output.starts_with("x.npz: npz, 1 tensor, 1 member of other names than *.npy left out\n"));
  CHECK(program(folder, "info x.npz --json").output.find("\"members_left_out\": 1,") != std::string::npos);
}

TEST_CASE("npz: arrays of one name") {
  const std::string twice = zip({{"a.npy", kArray}, {"a.npy", kArray}});
  const std::string why =
      "in.npz: one tensor goes into this output, found 2 of the name \"a\", which --tensors cannot tell apart";
  CHECK(cast_npz(twice).message == why);
  CHECK(cast_npz(twice, {"a"}).message == why);
  const std::string thrice = zip({{"a.npy", kArray}, {"b.npy", kArray}, {"a.npy", kArray}});
  CHECK(cast_npz(thrice).message == "in.npz: one tensor goes into this output, found 3; choose one with --tensors");
  CHECK(cast_npz(thrice, {"b"}).output == kZippedHalves);
  const Folder folder;
  folder.write("x.npz", thrice);
  CHECK(program(folder, "info x.npz").output.starts_with("x.npz: npz, 3 tensors, several of the name \"a\"\n"));
  CHECK(program(folder, "info x.npz --tensors b").output.starts_with("x.npz: npz, 1 tensor\n"));
}

TEST_CASE("npz: damaged archives") {
  const ZipPart part{"w.npy", kArray};
  const auto message = [](const std::string& archive) {
    const Outcome outcome = cast_npz(archive);
    CHECK(outcome.code == 1);
    return outcome.message;
  };
  CHECK(message("") == "in.npz: byte 0: expected the end of a zip archive, found none: no zip archive, or truncated");
  ZipPart changed = part;
  changed.contents.back() ^= 1;  // so that the checksum is another one
  CHECK(message(zip({changed})).find("the checksum of the contents is ") != std::string::npos);
  CHECK(message(zip({{"w.npy", deflated_plainly(kArray), changed.contents, 8}})).find("checksum") != std::string::npos);
  CHECK(message(zip({{"w.npy", "\7", kArray, 8}})).find("invalid block type") != std::string::npos);
  CHECK(message(zip({{"w.npy", deflated_plainly(kArray), kArray + "x", 8}})).find("when decompressed, found ") !=
        std::string::npos);
  CHECK(message(zip({{"w.npy", deflated_plainly(kArray + "x"), kArray, 8}})).find("decompressed, found more") !=
        std::string::npos);
  CHECK(message(zip({{"w.npy", deflated_plainly(kArray) + "x", kArray, 8}})).find("expected the end of the compr") !=
        std::string::npos);
  CHECK(message(zip({{"w.npy", kArray, kArray, 12}})).ends_with("found compression method 12"));
  CHECK(message(zip({{"w.npy", kArray, kArray, 0, 1}})).ends_with("the member is encrypted"));
  CHECK(message(zip({{"w.npy", "no array"}})).find("expected the npy signature") != std::string::npos);
  // An entry of the directory has 46 bytes and the name: two are not in 51 bytes.
  std::string two = zip({part});
  const std::size_t end = two.rfind("PK\5\6");
  two[end + 8] = two[end + 10] = 2;
  CHECK(message(two).find("zip directory: 2 entries in 51 bytes from byte ") != std::string::npos);
  // The sizes are said to be in a field that has no bytes and is the last one, behind another one of 20 bytes.
  std::string empty = zip({part}, true);
  const std::string large = little_endian(1, 2) + little_endian(24, 2);
  empty.replace(
      empty.find(large), large.size() + 24,
      little_endian(9, 2) + little_endian(20, 2) + std::string(20, 'x') + little_endian(1, 2) + little_endian(0, 2));
  CHECK(message(empty).find("zip64 field: expected 8 bytes more") != std::string::npos);
}

TEST_CASE("npz: every truncation and every flipped bit is a result or a complaint") {
  for (const bool zip64 : {false, true}) {
    const std::string archive = zip({{"w.npy", deflated_plainly(kArray), kArray, 8}, {"x.txt", "more"}}, zip64);
    REQUIRE(cast_npz(archive).output == kZippedHalves);
    for (std::size_t size = 0; size < archive.size(); ++size) {
      INFO("truncated to " << size);
      CHECK(cast_npz(archive.substr(0, size)).code == 1);
    }
    for (std::size_t bit = 0; bit < archive.size() * 8; ++bit) {
      std::string damaged = archive;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      const Outcome outcome = cast_npz(damaged);
      INFO("bit " << bit << ": " << outcome.message);
      // What is not protected by a checksum, such as names, may change what is found, never a number.
      CHECK((outcome.code == 1 || outcome.code == 2 || outcome.output == kZippedHalves));
    }
  }
}

TEST_CASE("numpy files on standard input") {
  const Folder folder;
  folder.write("in.npy", kArray);
  folder.write("in.npz", zip({{"w.npy", deflated_plainly(kArray), kArray, 8}}));
  for (const std::string format : {"npy", "npz"}) {
    const std::string arguments = "cast - - --to float16 --output-format raw --input-format " + format;
    const Run piped = program(folder, arguments + " < in." + format);
    CHECK(piped.errors == "");
    CHECK(piped.output == kZippedHalves);
    const Run shorter = program(folder, arguments + " < /dev/null");
    CHECK(shorter.code == 1);
    // Nothing is kept of what is no such file, however much of it there is.
    const Run endless = program(folder, arguments + " < /dev/zero");
    CHECK(endless.code == 1);
  }
  folder.write("half.npy", kArray.substr(0, kArray.size() - 1));
  CHECK(program(folder, "cast - - --to float16 --input-format npy < half.npy").code == 1);
  const Run nowhere = program(folder, "cast - - --to float16 --input-format npy < in.npy", "TMPDIR=/nowhere");
  CHECK(nowhere.code == 4);
  CHECK(nowhere.errors == "castforge: standard input: cannot be kept in /nowhere: No such file or directory\n");
}

TEST_CASE("Fortran order becomes C order wherever the file cannot say it") {
  // Element [i][j][k] of a 2 x 3 x 4 array is 100 i + 10 j + k.
  std::string in_c, in_fortran, halves;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) in_c += codes<std::int32_t>({100 * i + 10 * j + k});
    }
  }
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) in_fortran += codes<std::int32_t>({100 * i + 10 * j + k});
    }
  }
  for (const char* to : {"raw", "pb", "safetensors"}) {
    const auto result = [&](const std::string& data, bool fortran) {
      return cast({.extension = "npy",
                   .input = npy_array("<i4", "(2, 3, 4)", data, fortran),
                   .to = "float16",
                   .output_extension = to});
    };
    CHECK(result(in_fortran, true).message == "");
    CHECK(result(in_fortran, true).output == result(in_c, false).output);
  }
  // One element per byte in the file, two in the result.
  const Outcome packed = cast({.extension = "npy",
                               .input = npy_array("|V1", "(2, 3)", bytes({1, 2, 3, 4, 5, 6}), true),
                               .to = "uint4",
                               .from = "uint4",
                               .output_extension = "raw",
                               .opset = "castforge@1"});
  CHECK(packed.output == bytes({0x31, 0x25, 0x64}));
  const Outcome strings = cast(
      {.extension = "npy", .input = npy_array("|S1", "(2, 2)", "1234", true), .to = "int8", .output_extension = "raw"});
  CHECK(strings.output == bytes({1, 3, 2, 4}));
}

TEST_CASE("C order in any budget of memory, for any shape") {
  using castforge::cli::COrder;
  using castforge::cli::Shape;
  const std::vector<Shape> shapes = {{}, {1}, {7}, {3, 5}, {5, 3}, {1, 6, 1}, {2, 3, 4}, {4, 1, 3, 2}, {3, 2, 2, 5}};
  for (const Shape& shape : shapes) {
    for (const std::size_t item : {1U, 2U, 3U, 4U, 8U, 12U}) {
      const std::uint64_t count = *castforge::cli::element_count(shape);
      // Item n of the file, in Fortran order, has the bytes of n; the result is known from its indices.
      std::string file = "begin", expected(count * item, '\0');
      for (std::uint64_t n = 0; n < count; ++n) {
        std::uint64_t rest = n, place = 0;
        Shape index;
        for (const std::uint64_t extent : shape) index.push_back(rest % extent), rest /= extent;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) place = place * shape[axis] + index[axis];
        const std::string bytes = little_endian(n + 1, static_cast<int>(std::min<std::size_t>(item, 8))) +
                                  std::string(item > 8 ? item - 8 : 0, 'x');
        file += bytes;
        expected.replace(place * item, item, bytes);
      }
      for (std::size_t budget = item; budget <= count * item + item; budget += item) {
        castforge::cli::InputFile input("memory", std::as_bytes(std::span(file)));
        COrder view(input, 5, shape, item, budget);
        REQUIRE(view.size() == expected.size());
        std::string found(expected.size(), '\0');
        for (std::size_t at = 0; at < found.size();) {
          const std::size_t got = view.read_at(at, found.data() + at, std::min<std::size_t>(5, found.size() - at));
          REQUIRE(got != 0);
          at += got;
        }
        INFO(castforge::cli::shape_text(shape) << ", items of " << item << ", budget " << budget);
        CHECK(found == expected);
      }
    }
  }
}

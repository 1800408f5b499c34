// Files that end early, were altered, are foreign, or lie: refused with the place, and nothing of them stays.
#include <castforge/castforge.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <castforge/castforge.hpp>
#include <castforge/loadable.hpp>
#include <catch2/catch_all.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

#include "src/loaded/checked.hpp"
#include "src/loaded/loaded_file.hpp"
#include "support.hpp"

using namespace castforge;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

/// A small file: a type, a table of all results, steps, rules of text, cells.
const std::string& sample() {
  static const std::string file =
      load_test::made({"ue5m3.json"}, {"float32:ue5m3", "ue5m3:float16", "ue5m3:string"}).file;
  return file;
}

/// The same with its size and check put right, so that the content is looked at.
std::string sealed(std::string file) {
  const auto put = [&](std::size_t at, std::uint64_t value) { std::memcpy(file.data() + at, &value, sizeof value); };
  loadable::Check check;
  for (std::size_t i = loadable::kHeaderBytes; i < file.size(); ++i) check.add(static_cast<unsigned char>(file[i]));
  put(16, file.size());
  put(24, check.value());
  return file;
}

std::string refusal(const std::string& file) {
  const std::size_t types = type_count(), kernels = kernel_count(), opsets = opset_count();
  const Status status = load_test::load(file);
  CHECK(status.code() == StatusCode::file_refused);
  CHECK(type_count() == types);
  CHECK(kernel_count() == kernels);
  CHECK(opset_count() == opsets);
  return status.message();
}

/// The first place of a text, which occurs.
std::size_t place_of(const std::string& text, const std::string& file) {
  const std::size_t at = file.find(text);
  REQUIRE(at != std::string::npos);
  return at;
}

/// The content with `from`, which occurs, replaced at its first place.
std::string replaced(const std::string& from, const std::string& to) {
  std::string file = sample();
  return sealed(file.replace(place_of(from, file), from.size(), to));
}

}  // namespace

TEST_CASE("what is no .cft file, or not all of one, is refused") {
  CHECK_THAT(refusal(""), StartsWith("this is no .cft file"));
  CHECK_THAT(refusal("{ \"name\": \"ue5m3\" }"), StartsWith("this is no .cft file"));
  CHECK_THAT(refusal(sample().substr(0, 4)), StartsWith("byte 0: the content ends in the middle of the header"));
  CHECK_THAT(refusal(sample().substr(0, 20)), ContainsSubstring("the header"));
  CHECK_THAT(refusal(sample().substr(0, sample().size() - 1)),
             StartsWith("byte " + std::to_string(sample().size() - 1) + ": the file ends here, but by its header"));
  CHECK_THAT(refusal(sample() + "x"), ContainsSubstring("by its header"));
  CHECK_THAT(refusal(sealed(sample() + "x")), ContainsSubstring("there are bytes behind"));
  std::string file = sample();
  file[8] = 4;
  CHECK_THAT(refusal(file), ContainsSubstring("the file has version 4, expected 3"));
  file = sample();
  std::swap(file[12], file[15]);
  CHECK_THAT(refusal(file), ContainsSubstring("byte order"));
  file = sample();
  file[file.size() / 2] ^= 1;
  CHECK_THAT(refusal(file), ContainsSubstring("altered or damaged"));
  for (std::size_t size = loadable::kHeaderBytes; size < sample().size(); size += 7)
    CHECK_THAT(refusal(sealed(sample().substr(0, size))), StartsWith("byte "));
}

TEST_CASE("only regular files of at most 1 GiB are read, and of those that are no .cft files only the beginning") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("castforge-load-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const auto refusal = [](const fs::path& path) {
    const Status status = load(path.c_str());
    CHECK(status.code() == StatusCode::file_refused);
    return status.message();
  };
  CHECK(refusal("/dev/zero") == "the file cannot be read: it is no regular file");  // which never ends
  CHECK(refusal(folder) == "the file cannot be read: it is a folder");
  REQUIRE(::mkfifo((folder / "pipe.cft").c_str(), 0600) == 0);
  CHECK(refusal(folder / "pipe.cft") == "the file cannot be read: it is no regular file");
  CHECK_THAT(refusal(folder / "none.cft"), ContainsSubstring("No such file"));
  // Without blocks on the disk.
  std::ofstream(folder / "large.cft") << "large";
  fs::resize_file(folder / "large.cft", std::uintmax_t{loadable::kLargestFile} + 1);
  CHECK(refusal(folder / "large.cft") == "the file cannot be read: more than 1 GiB");
  fs::resize_file(folder / "large.cft", loadable::kLargestFile);
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  CHECK_THAT(refusal(folder / "large.cft"), StartsWith("this is no .cft file"));
  ::getrusage(RUSAGE_SELF, &after);
  CHECK(after.ru_maxrss - before.ru_maxrss < 100000);  // kilobytes
  std::ofstream(folder / "good.cft", std::ios::binary) << sealed(sample() + "x");
  CHECK_THAT(refusal(folder / "good.cft"), ContainsSubstring("there are bytes behind"));
  fs::remove_all(folder);
}

TEST_CASE("a file that lies is refused with the place") {
  // The name of a type that is one of the library's.
  CHECK_THAT(replaced("ue5m3", "int16").empty() ? "" : refusal(replaced("float16", "float61")),
             ContainsSubstring("the type float61 is not that of this library"));
  CHECK_THAT(refusal(replaced("ue5m3", "Ue5m3")), ContainsSubstring("the name of a type has characters"));
  // The version of an op-set, a text with two bytes of length before it.
  std::string other_version = sample();
  const std::size_t version = place_of("castforge", other_version) + 9;
  REQUIRE(other_version.substr(version, 3) == std::string("\x01\0001", 3));
  CHECK_THAT(refusal(sealed(other_version.replace(version, 3, std::string("\x03\000025", 5)))),
             ContainsSubstring("the version of an op-set has characters"));
  // Format: five exponent bits and three fraction bits, to four of them.
  std::string file = sample();
  const std::size_t type = place_of("ue5m3", file) + 5;
  const std::size_t exponent = type + 2 + 3 + 2;
  REQUIRE(file[exponent] == 5);
  file[exponent] = 4;
  CHECK_THAT(refusal(sealed(file)), ContainsSubstring("ue5m3: a number is out of range, or contradicts another one"));
  // Flags that there are, but contradict each other; and one that there is not.
  file = sample();
  const std::size_t flags = exponent + 2 + 4;
  REQUIRE(file[flags] == loadable::kSubnormals);
  file[flags] = 31;
  CHECK_THAT(refusal(sealed(file)), ContainsSubstring("ue5m3: a number is out of range, or contradicts another one"));
  file[flags] = 32;
  CHECK_THAT(refusal(sealed(file)), ContainsSubstring("the flags of a type"));
  // The largest number of a type is 2^15 - 1.
  file = sample();
  file[type] = 0, file[type + 1] = static_cast<char>(0x80);
  CHECK_THAT(refusal(sealed(file)), ContainsSubstring("the number of a type"));
  // A kernel's source as the type behind the last one.
  file = sample();
  const auto behind_text = [&](std::size_t at) {
    return at + 2 + static_cast<unsigned char>(file[at]) + 256u * static_cast<unsigned char>(file[at + 1]);
  };
  const std::size_t name = place_of("float32_to_ue5m3", file) - 2, place = behind_text(behind_text(name));
  file[place] = file[loadable::kHeaderBytes];  // how many types there are
  CHECK_THAT(refusal(sealed(file)), ContainsSubstring("the place of a type"));
  // The same kernel's rule: a clamp to 8 bits before the indefinite value, which then no source has.
  file = sample();
  const std::size_t rule = place + 2 * 2, overflow = rule + 2;  // behind the two types, and the carry table
  REQUIRE(loadable::kOverflows[static_cast<unsigned char>(file[overflow])] == "max");
  REQUIRE(file[overflow + 1] == 0);
  file[overflow] = static_cast<char>(std::ranges::find(loadable::kOverflows, "indefinite") - loadable::kOverflows);
  CHECK_THAT(refusal(sealed(file)), !ContainsSubstring("a rule"));
  file[overflow + 1] = 8;
  CHECK_THAT(refusal(sealed(file)), ContainsSubstring("a rule"));
  // The bias of another format: the tables contradict the rule.
  file = sample();
  REQUIRE(file[exponent + 2] == 15);
  file[exponent + 2] = 14;
  CHECK_THAT(refusal(sealed(file)), ContainsSubstring("the table contradicts the rule at the source code 0x"));
}

TEST_CASE("a format is refused where its spec would be") {
  // Half of the smallest number, which is just above 2^-bias, has to be normal where there are no subnormals.
  Format gap{.kind = TypeKind::floating,
             .storage_bits = 8,
             .value_bits = 8,
             .exponent_bits = 4,
             .mantissa_bits = 3,
             .exponent_bias = 1021,
             .is_signed = true};
  CHECK(complete_format(gap));
  gap.exponent_bias = 1022;
  CHECK_FALSE(complete_format(gap));
  gap.subnormals = true;
  CHECK(complete_format(gap));

  // Beside zero there are two finite numbers.
  Format small{.kind = TypeKind::floating, .storage_bits = 1, .value_bits = 1, .exponent_bits = 1};
  CHECK(complete_format(small));  // without zero
  small.subnormals = true;
  CHECK_FALSE(complete_format(small));
  small.storage_bits = small.value_bits = 2, small.is_signed = true;
  CHECK(complete_format(small));
}

TEST_CASE("a table without a run of results is refused") {
  // Powers of two from 2^-3 to 2^3. Numbers outside that range are NaN by the rule; the table says NaN of all.
  const Kernel like = find_kernel("castforge@1", Type::float32, Type::float8e8m0, {.saturate = false});
  REQUIRE(like.ok());
  DataKernel kernel;
  kernel.from = type_info(Type::float32);
  kernel.to = type_info(Type::float8e8m0);
  kernel.to.value_bits = kernel.to.exponent_bits = 3, kernel.to.exponent_bias = 3, kernel.to.canonical_nan = 7;
  REQUIRE(complete_format(kernel.to));
  kernel.rule = kernel.exact_rule = like.rule();
  const TableProblem problem =
      set_table(kernel, {.form = loadable::Form::steps, .index_bits = 9, .positions = {0}, .results = {7}});
  CHECK(problem.found);
  CHECK(problem.problem == FileProblem::wrong);

  // Of integers 1, 2, 4 and 8, rounded up to the next of them, as are their negatives; which the table leaves out.
  kernel.from = type_info(Type::int32);
  kernel.rule.negative = kernel.exact_rule.negative = NegativeResult::abs;
  const StatedTable positive{
      .form = loadable::Form::steps, .index_bits = 8, .positions = {0, 1, 2, 3, 5, 9}, .results = {7, 3, 4, 5, 6, 7}};
  const TableProblem negative = set_table(kernel, positive);
  CHECK(negative.found);
  CHECK(negative.code == 0xFFFFFFFF);  // -1
}

TEST_CASE("a rule for texts without a result for some number is refused") {
  const std::string made = load_test::made({"ue5m3.json"}, {"string:ue5m3"}).file;
  const std::uint16_t nearest = carry::nearest_even;
  const std::string bytes(reinterpret_cast<const char*>(&nearest), sizeof nearest);
  const std::size_t rule = made.rfind(bytes), overflow = rule + bytes.size();
  REQUIRE(rule != std::string::npos);
  CHECK(load_test::load(made).ok());
  std::string file = made;
  file[overflow] = static_cast<char>(std::ranges::find(loadable::kOverflows, "wrap") - loadable::kOverflows);
  CHECK_THAT(refusal(sealed(file)), ContainsSubstring("a text rule"));
  // Without a mode of rounding, which 1.5 needs.
  file = made;
  std::memcpy(file.data() + rule, &carry::exact, bytes.size());
  CHECK_THAT(refusal(sealed(file)), ContainsSubstring("a text rule"));
}

TEST_CASE("a notation whose fields are none is refused") {
  const std::string notation = "Made<{src}, {dst}, {mode}>", file = load_test::made_of_text(R"({
    "opset": "made", "version": 1, "operation": "cast", "notation": ")" + notation + R"(",
    "types": {"add": ["float32", "float16"]}, "pairs": {"float32": ["float16"]},
    "attributes": {"mode": {"type": "string", "values": ["a", "b"], "default": "a"}},
    "rules": [{"id": "all", "src": "any", "dst": "any", "basis": "this test",
      "set": {"round": "nearest_even", "overflow": "infinity", "inf": "infinity", "nan": "nan"}}]})");
  const std::size_t at = place_of(notation, file);
  for (const std::string wrong :
       {"Made<{src}, {dst}, {mode ", "Made<{src  {dst}, {mode}>", "Made<{src}, {dst}, {}{}{}>",
        "Made<{src}, {src}, {mode}>", "Made<{src}, {dst}, {more}>", "Made<}src}, {dst}, {mode}>",
        "Made<{sr{}, {dst}, {mode}>"}) {
    CAPTURE(wrong);
    std::string altered = file;
    altered.replace(at, notation.size(), wrong + std::string(notation.size() - wrong.size(), ' '));
    CHECK_THAT(refusal(sealed(altered)), ContainsSubstring("the notation of an op-set has characters"));
  }
  CHECK(load_test::load(file).ok());
}

TEST_CASE("a damaged file is refused, or loads what it says") {
  std::mt19937 random(7);
  std::size_t refused = 0, loaded = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string file = sample();
    const std::size_t changes = 1 + random() % 3;
    for (std::size_t k = 0; k < changes; ++k) {
      const std::size_t at = loadable::kHeaderBytes + random() % (file.size() - loadable::kHeaderBytes);
      // Every other time in the first part, where the numbers are that lead to others.
      const std::size_t place = random() % 2 == 0 ? at : loadable::kHeaderBytes + random() % 400;
      switch (random() % 4) {
        case 0: file[place] = static_cast<char>(random()); break;
        case 1: file[place] = static_cast<char>(file[place] ^ 1 << random() % 8); break;
        case 2: file.erase(place, 1 + random() % 8); break;
        default: file.insert(place, 1 + random() % 8, static_cast<char>(random())); break;
      }
    }
    Status status;
    const std::string bytes = sealed(file);
    const std::unique_ptr<LoadedFile> read = read_file(std::as_bytes(std::span(bytes)), status);
    ++(read == nullptr ? refused : loaded);
    CHECK((read == nullptr) == !status.ok());
    if (read == nullptr) {
      CHECK_THAT(status.message(), StartsWith("byte "));
      continue;
    }
    // What is believed can be used: every kernel, whatever the file says of it.
    for (const DataKernel& kernel : read->kernels) {
      std::array<unsigned char, 8 * 33> source, result{};
      for (unsigned char& byte : source) byte = static_cast<unsigned char>(random());
      run_data(kernel, isa_named(active_isa()), source.data(), result.data(), 33);
    }
  }
  CHECK(refused > 2000);
  CHECK(loaded > 10);
}

TEST_CASE("clashes, and files that cannot be read") {
  CHECK_THAT(load("/nowhere/a.cft").message(), StartsWith("the file cannot be read: "));
  CHECK(load(static_cast<const char*>("/")).code() == StatusCode::file_refused);
}

TEST_CASE("C: the message of the calling thread's last load") {
  const auto message = [] {
    std::string text(castforge_load_message(nullptr, 0), '\0');
    castforge_load_message(text.data(), text.size() + 1);
    return text;
  };
  std::thread([&] { CHECK(message().empty()); }).join();
  CHECK(castforge_load("/nowhere/a.cft") == CASTFORGE_FILE_REFUSED);
  CHECK_THAT(message(), StartsWith("the file cannot be read: "));
  std::thread([&] { CHECK(message().empty()); }).join();
  char start[9];
  CHECK(castforge_load_message(start, sizeof start) == message().size());
  CHECK(std::string(start) == "the file");
  CHECK(castforge_load(nullptr) == CASTFORGE_NULL_POINTER);
  CHECK(castforge_load_bytes(nullptr, 8) == CASTFORGE_NULL_POINTER);
  CHECK_THAT(message(), ContainsSubstring("null"));
  CHECK(castforge_load_bytes("abc", 3) == CASTFORGE_FILE_REFUSED);
  CHECK_FALSE(message().empty());
  // Loading is all or nothing, and a file that is known adds nothing: other tests are not disturbed.
  CHECK(castforge_load_bytes(sample().data(), sample().size()) == CASTFORGE_OK);
  CHECK(message().empty());
}

TEST_CASE("a name that belongs to one type cannot be shared") {
  const std::string file = load_test::made_of_text(R"({"name": "bytes9", "id": 3300, "kind": "integer", "signed": true,
    "bits": 8, "storage_bits": 8, "aliases": {"numpy": "<V9"}})");
  std::string forged = file;  // it says still that other types may have the name
  forged.replace(place_of("<V9", file), 3, "<f4");
  CHECK_THAT(load_test::load(sealed(forged)).message(), ContainsSubstring("the name <f4 already has another meaning"));
  CHECK(find_type_in("numpy", "<f4") == Type::float32);
  CHECK(load_test::load(file).ok());
}

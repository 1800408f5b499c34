// The readers and writers of files are linked into the Python module too: a language that the program around them has
// set changes neither files nor messages.
#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

#include <locale>

using namespace cli_test;

namespace {

/// `.` between thousands, `,` before the fraction.
class Grouped : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

class Language {
 public:
  Language() : before_(std::locale::global(std::locale(std::locale::classic(), new Grouped))) {}
  ~Language() { std::locale::global(before_); }

 private:
  std::locale before_;
};

}  // namespace

TEST_CASE("a language with marks between thousands changes no file and no message") {
  const std::string data(1500 * 4, '\0');
  const CastOf casts[] = {
      {.extension = "npy", .input = npy_array("<f4", "(1500,)", data), .to = "float16"},
      {.extension = "npy", .input = npy_array("<f4", "(1500,)", data), .to = "string"},
      {.extension = "safetensors",
       .input = safetensors(R"({"a":{"dtype":"F32","shape":[1500],"data_offsets":[0,6000]}})", data),
       .to = "float16"},
      {.extension = "npy", .input = npy_array("<f4", "(1500,)", data), .to = "float16", .output_extension = "pb"},
      {.extension = "npy", .input = npy_array("<f4", "(1500,)", data), .to = "int8", .output_extension = "safetensors"},
      // Refused, with numbers in the message.
      {.extension = "npy", .input = npy_array("<f4", "(1500,)", data + "?"), .to = "float16"},
      {.extension = "raw", .input = data + "?", .to = "float16", .from = "float32"}};
  for (const CastOf& one : casts) {
    const Outcome expected = cast(one);
    Outcome found;
    {
      const Language german;
      found = cast(one);
    }
    CHECK(found.code == expected.code);
    CHECK(found.message == expected.message);
    CHECK(found.output == expected.output);
  }
}

// The shelf: every format against the second oracle and published values, templates, names.
#include <castforge/castforge.hpp>
#include <catch2/catch_all.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "oracle/json.hpp"
#include "oracle/oracle.hpp"
#include "oracle/specs.hpp"
#include "semantics/value.hpp"
#include "spec/loader.hpp"
#include "support.hpp"

using namespace castforge;
namespace fs = std::filesystem;

namespace {

const spec::Type& type_in(const spec::SpecModel& model, const std::string& name) {
  const spec::Type* type = model.find_type(name);
  INFO(name);
  REQUIRE(type != nullptr);
  return *type;
}

spec::SpecModel loaded(const std::string& name) {
  return spec::load({load_test::shipped() / "roundings", spec::named_spec(load_test::shipped(), name)});
}

/// "0x1p-3", "NaN", "-Inf"
std::string text_of(const semantics::Value& value) {
  if (value.cls == semantics::Value::Class::nan) return "NaN";
  if (value.cls == semantics::Value::Class::infinity) return value.negative ? "-Inf" : "Inf";
  return "";
}

/// Whether a code means what a published table says of it.
bool means(const spec::Type& type, std::uint64_t code, const std::string& said) {
  const semantics::Value value = semantics::decode(type, code);
  if (const std::string special = text_of(value); !special.empty()) return said == special;
  if (said == "NaN" || said == "Inf" || said == "-Inf") return false;
  const double number = std::strtod(said.c_str(), nullptr);
  const double mine = std::ldexp(static_cast<double>(value.significand), value.exponent);
  return std::fabs(number) == mine &&
         std::signbit(number) == (value.negative && (mine != 0 || type.has_negative_zero()));
}

bool same_value(const spec::Type& type, const oracle::Codec& codec, std::uint64_t code) {
  const semantics::Value mine = semantics::decode(type, code);
  const oracle::Value other = codec.decode(code);
  if (other.what == oracle::Class::nan) return mine.cls == semantics::Value::Class::nan;
  if (other.what == oracle::Class::infinite)
    return mine.cls == semantics::Value::Class::infinity && mine.negative == other.negative;
  return mine.cls == semantics::Value::Class::finite && mine.negative == other.negative &&
         std::ldexp(static_cast<long double>(mine.significand), mine.exponent) == other.magnitude;
}

/// Compares a format of P3109 with its official values, in code order; their number.
std::size_t compare_with_official(const std::string& name, const std::vector<std::string>& values) {
  INFO(name);
  const spec::SpecModel model = loaded("shelf/" + name);
  const spec::Type& type = type_in(model, name);
  // What the report says of a name: KpP, signed or unsigned, extended or finite.
  int width = 0, precision = 0;
  char sign = 0, domain = 0;
  REQUIRE(std::sscanf(name.c_str(), "binary%dp%d%c%c", &width, &precision, &sign, &domain) == 4);
  const bool is_signed = sign == 's';
  const int exponent_bits = width - precision + (is_signed ? 0 : 1);
  const oracle::Codec codec(oracle::make_floating(name, is_signed, exponent_bits, precision - 1,
                                                  1 << (exponent_bits - 1), true, domain == 'e',
                                                  is_signed ? oracle::Nan::negative_zero : oracle::Nan::top, width));
  REQUIRE(values.size() == std::size_t{1} << width);
  std::size_t wrong = 0;
  for (std::uint64_t code = 0; code < values.size(); ++code)
    wrong += means(type, code, values[code]) && same_value(type, codec, code) ? 0 : 1;
  CHECK(wrong == 0);
  return values.size();
}

/// The values of a table of the working group: "codepoint,value,subnormal" and a line for each code.
std::vector<std::string> values_of_csv(const fs::path& file) {
  INFO(file.string());
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  REQUIRE(line.starts_with("codepoint,value"));
  std::vector<std::string> values;
  while (std::getline(in, line)) {
    const std::size_t comma = line.find(',');
    REQUIRE(comma != std::string::npos);
    REQUIRE(std::stoull(line.substr(0, comma), nullptr, 16) == values.size());
    values.push_back(load_test::words_of(line.substr(comma + 1, line.find(',', comma + 1) - comma - 1)).at(0));
  }
  return values;
}

std::vector<fs::path> shelf_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(load_test::shipped() / "shelf/types")) files.push_back(entry.path());
  return files;
}

}  // namespace

TEST_CASE("every code of the formats in files means the same to the oracle") {
  const std::vector<fs::path> files = shelf_files();
  CHECK(files.size() >= 11);
  for (const fs::path& file : files) {
    const std::string name = file.stem().string();
    INFO(name);
    const spec::SpecModel model = loaded("shelf/" + name);
    const spec::Type& type = type_in(model, name);
    CHECK_FALSE(type.cites.empty());
    CHECK_FALSE(type.doc.empty());
    std::ifstream in(file);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const auto format = oracle::format_from(oracle::parse_json(text));
    REQUIRE(format.has_value());
    const oracle::Codec codec(*format);
    std::size_t wrong = 0;
    const std::uint64_t step = type.value_bits > 16 ? 251 : 1;
    for (std::uint64_t code = 0; code >> type.value_bits == 0; code += step)
      wrong += same_value(type, codec, code) ? 0 : 1;
    CHECK(wrong == 0);
  }
}

TEST_CASE("formats that ml_dtypes has mean what they mean there") {
  const auto rows = load_test::data_rows("ml_dtypes/values.tsv");
  REQUIRE(rows.size() == 3);
  for (const auto& row : rows) {
    const spec::SpecModel model = loaded("shelf/" + row[0]);
    const std::vector<std::string> values = load_test::words_of(row[1]);
    REQUIRE(values.size() == 256);
    for (std::uint64_t code = 0; code < 256; ++code) {
      INFO(row[0] << " " << code);
      CHECK(means(type_in(model, row[0]), code, values[code]));
    }
  }
}

TEST_CASE("the formats of P3109 have the values of the official tables") {
  const auto rows = load_test::data_rows("p3109/values.tsv");
  REQUIRE(rows.size() == 120);
  std::size_t codes = 0;
  for (const auto& row : rows) codes += compare_with_official(row[0], load_test::words_of(row[1]));
  CHECK(codes == 13296);
}

// Not by default (tests/conformance/data/README.md): the tables of the working group, where they are installed.
TEST_CASE("the installed official tables of 3 to 12 bits", "[.][official]") {
  const char* const folder = std::getenv("CASTFORGE_P3109_TABLES");
  REQUIRE(folder != nullptr);
  std::map<int, std::size_t> tables;  // by width
  std::size_t codes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    int width = 0;
    if (entry.path().extension() != ".csv" || std::sscanf(stem.c_str(), "Binary%dp", &width) != 1 || width > 12)
      continue;
    ++tables[width];
    const std::string name = "b" + stem.substr(1);
    // Values from 2^-2047 on: no float64 has them, and no type of castforge.
    if (name == "binary12p1ue" || name == "binary12p1uf") {
      CHECK_THROWS(loaded("shelf/" + name));
      continue;
    }
    codes += compare_with_official(name, values_of_csv(entry.path()));
  }
  REQUIRE(tables.size() == 10);
  for (const auto& [width, number] : tables) {
    INFO(width << " bits");
    CHECK(number == static_cast<std::size_t>(4 * width - 2));
  }
  CHECK(codes == 335856);
}

TEST_CASE("numbers of types on the shelf are their own") {
  std::set<int> ids;
  const spec::SpecModel shipped = spec::load({load_test::shipped()});
  for (const auto& type : shipped.types) CHECK(ids.insert(type->id).second);
  std::vector<std::string> names;
  for (const spec::OnShelf& one : spec::shelf(load_test::shipped()))
    names.insert(names.end(), one.names.begin(), one.names.end());
  CHECK(names.size() == shelf_files().size() + 128 + 278);
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  std::size_t shipped_too = 0;
  for (const std::string& name : names) {
    INFO(name);
    const spec::SpecModel model = loaded(name);
    const spec::Type& type = *model.types.at(0);
    CHECK("shelf/" + type.name == name);
    if (shipped.find_type(type.name) != nullptr) ++shipped_too;
    else CHECK(ids.insert(type.id).second);
    CHECK(type.id < 1000);
  }
  CHECK(shipped_too == 3);
}

TEST_CASE("every format of the shelf goes beside the shipped ones") {
  for (const spec::OnShelf& one : spec::shelf(load_test::shipped())) {
    for (const std::string& name : {one.names.front(), one.names.back()}) {
      INFO(name);
      CHECK_NOTHROW(spec::load({load_test::shipped(), spec::named_spec(load_test::shipped(), name)}));
    }
  }
}

TEST_CASE("names that are none say what there is") {
  using Catch::Matchers::ContainsSubstring;
  using Catch::Matchers::MessageMatches;
  const auto refused = [](const std::string& name, const std::string& message) {
    INFO(name);
    CHECK_THROWS_MATCHES(loaded(name), std::exception, MessageMatches(ContainsSubstring(message)));
  };
  refused("shelf/ue5m4", "did you mean \"shelf/ue5m3\"");
  refused("shelf/binary8p3xe", "did you mean \"shelf/binary8p3se\"? `castforge list shelf`");
  refused("shelf/something", "nothing on the shelf has that name; `castforge list shelf` shows what there is");
  refused("shelf/binary12p1ue", "P must be 2..12 (got 1)");
  refused("shelf/binary8p9ue", "P must be 1..8 (got 9)");
  refused("shelf/binary8p8se", "P must be 1..7 (got 8)");
  refused("shelf/binary08p3ue", "nothing on the shelf");
  refused("shelf/cfloat8_1_4_3_b64", "bias must be 0..63 (got 64)");
  refused("shelf/cfloat8_1_4_2_b6", "fraction must be 3..3 (got 2)");
  refused("ieee754@1985", "no shipped op-set");
  refused("nowhere.json", "no such file");
}

TEST_CASE("templates are refused where they are wrong, with the place") {
  using Catch::Matchers::ContainsSubstring;
  const fs::path file = fs::temp_directory_path() / "castforge_template.json";
  const auto made = [&](const std::string& parameters, const std::string& type) -> std::string {
    std::ofstream(file) << R"({ "template": "x{n}", "parameters": )" << parameters << ", \"type\": " << type << " }";
    try {
      spec::load({load_test::shipped() / "roundings", file.string() + "#x4"});
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  const std::string range = R"({ "n": { "from": 1, "to": 9 } })";
  const std::string rest = R"("kind": "integer", "signed": true, "bits": "{n + 4}", "storage_bits": 8)";
  CHECK(made(range, R"({ "name": "x{n}", "id": "{2 * n + 1000}", )" + rest + " }").empty());
  CHECK_THAT(made(range, R"({ "name": "x{n}", "id": "{2 * m}", )" + rest + " }"), ContainsSubstring("no parameter m"));
  CHECK_THAT(made(range, R"({ "name": "x{n}", "id": "{2 *}", )" + rest + " }"), ContainsSubstring("is missing"));
  CHECK_THAT(made(range, R"({ "name": "x{n}", "id": "{(2}", )" + rest + " }"), ContainsSubstring("does not end"));
  CHECK_THAT(made(range, R"({ "name": "x{n}", "id": "{2 3}", )" + rest + " }"), ContainsSubstring("what is"));
  CHECK_THAT(made(range, R"({ "name": "x{n}", "id": "{10^10}", )" + rest + " }"), ContainsSubstring("beyond 32 bits"));
  CHECK_THAT(made(R"({ "n": 4 })", R"({ "name": "x{n}" })"), ContainsSubstring("must be {\"from\""));
  CHECK_THAT(made(R"({ "n": { "from": 5, "to": 9 } })", R"({ "name": "x{n}" })"), ContainsSubstring("must be 5..9"));
  CHECK_THAT(made(R"({ "n": { "4": { "name": "x" } } })", R"({ "name": "x{n}" })"), ContainsSubstring("already"));
  fs::remove(file);
}

TEST_CASE("a format of the shelf is loaded by its name") {
  REQUIRE(load_test::load_named({"shelf/binary8p3ue", "shelf/tf32", "castforge@1"}).ok());
  const Type type = find_type("Binary8p3ue").value();
  CHECK(name(type) == "binary8p3ue");
  CHECK(name(find_type("FloatTF32").value()) == "tf32");  // as LLVM calls it
  const float number = 1.2F;
  std::uint8_t code = 0;
  const Kernel kernel = find_kernel("castforge@1", Type::float32, type);
  REQUIRE(kernel.ok());
  CHECK(kernel.run(&number, &code, 1).ok());
  CHECK(code == 0x81);  // 1.25
  const Kernel by_name = find_kernel_by_notation("Convert<binary32, Binary8p3ue, (NearestTiesToEven, SatNone)>");
  CHECK(by_name.ok());
  // castforge@1 whole admits the formats that it leaves to p3109@4.0 otherwise.
  CHECK(find_kernel("castforge@1", Type::int8, Type::binary8p3se).ok());
}

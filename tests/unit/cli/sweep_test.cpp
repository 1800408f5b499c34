// `castforge verify --level exhaustive`: exact results in runs, every code of a source, records of what was compared.
#include "support.hpp"

#include "cli/records/record_file.hpp"
#include "cli/verify/exact_runs.hpp"
#include "cli/verify/kernel_sweep.hpp"

#include <castforge/types.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

using namespace castforge;
using namespace castforge::cli;
using cli_test::Folder;
using cli_test::program;

namespace {

/// The first code at which the runs differ from exact_cast, or whose order is wrong; nothing where there is none. At
/// most `per_run` codes of each run are tried, its ends among them.
std::optional<std::uint64_t> wrong_run(const Format& src, const Format& dst, const Rule& rule,
                                       std::uint64_t per_run = ~std::uint64_t{0}) {
  std::optional<std::uint64_t> wrong;
  std::uint64_t next = 0;
  std::mt19937_64 random(1);
  const auto none = for_each_exact_run(src, dst, rule, [&](const ExactRun& run) {
    if (run.first != next || run.count == 0) wrong = run.first;
    const auto check = [&](std::uint64_t i) {
      const std::uint64_t result = (run.result + i * run.step) & low_bits(dst.value_bits);
      if (exact_cast(src, dst, rule, run.first + i) != result && !wrong) wrong = run.first + i;
    };
    if (run.count <= per_run) {
      for (std::uint64_t i = 0; i < run.count; ++i) check(i);
    } else {
      check(0);
      check(run.count - 1);
      for (std::uint64_t i = 2; i < per_run; ++i) check(random() % run.count);
    }
    next = run.first + run.count;
  });
  if (wrong) return wrong;
  if (none) return exact_cast(src, dst, rule, *none) ? none : std::nullopt;
  return next == std::uint64_t{1} << src.value_bits ? std::nullopt : std::optional(next);
}

/// A float with everything that its parameters decide.
Format floating(int exponent_bits, int mantissa_bits, int bias, bool is_signed, bool subnormals, NanCodes nan) {
  Format format;
  format.id = static_cast<Type>(30000 + exponent_bits * 64 + mantissa_bits);
  format.exponent_bits = exponent_bits;
  format.mantissa_bits = mantissa_bits;
  format.exponent_bias = bias;
  format.is_signed = is_signed;
  format.subnormals = subnormals;
  format.nan = nan;
  format.storage_bits = format.value_bits = exponent_bits + mantissa_bits + (is_signed ? 1 : 0);
  const std::uint64_t top = low_bits(exponent_bits + mantissa_bits);
  if (nan == NanCodes::ieee) {
    format.infinity = true;
    format.infinity_code = low_bits(exponent_bits) << mantissa_bits;
    format.canonical_nan = top;
    format.max_finite = format.infinity_code - 1;
  } else if (nan == NanCodes::top) {
    format.canonical_nan = top;
    format.max_finite = top - 1;
  } else {
    format.max_finite = top;
  }
  return format;
}

Format integer(int bits, bool is_signed) {
  Format format;
  format.id = static_cast<Type>(31000 + bits * 2 + (is_signed ? 1 : 0));
  format.kind = TypeKind::integer;
  format.is_signed = is_signed;
  format.storage_bits = format.value_bits = bits;
  format.max_finite = low_bits(is_signed ? bits - 1 : bits);
  return format;
}

/// Any carry table that leaves exact numbers alone, and any policies.
Rule any_rule(std::mt19937_64& random, TypeKind dst) {
  const auto pick = [&](auto... values) {
    const std::common_type_t<decltype(values)...> list[] = {values...};
    return list[random() % sizeof...(values)];
  };
  Rule rule;
  rule.carry = static_cast<std::uint16_t>(random() & 0xEEEE);
  rule.nan = NanResult::max_signed;
  rule.inf = pick(InfResult::max, InfResult::zero, InfResult::as_overflow);
  if (dst == TypeKind::floating) {
    rule.overflow = pick(Overflow::infinity, Overflow::max, Overflow::nan, Overflow::ieee);
    rule.negative = pick(NegativeResult::nan, NegativeResult::clamp, NegativeResult::abs);
    rule.negative_test = pick(NegativeTest::exact, NegativeTest::rounded);
    rule.zero_sign = pick(ZeroSign::kept, ZeroSign::positive);
    rule.underflow = pick(BelowRange::min, BelowRange::nan);
    return rule;
  }
  rule.overflow = pick(Overflow::wrap, Overflow::saturate, Overflow::indefinite);
  if (pick(true, false)) {
    rule.saturate_first.bits = static_cast<std::uint8_t>(1 + random() % 64);
    rule.saturate_first.is_signed = pick(true, false);
  }
  return rule;
}

// ---- kernels with a fault each; what is right comes from a real one

Kernel::Function real = nullptr;
std::uint64_t faulty_code = 0;

template <class From, class To>
void one_wrong(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  real(src, dst, count, ahead);
  for (std::size_t i = 0; i < count; ++i) {
    From code;
    std::memcpy(&code, static_cast<const unsigned char*>(src) + i * sizeof code, sizeof code);
    if (code == faulty_code) static_cast<unsigned char*>(dst)[i * sizeof(To)] ^= 1;
  }
}

void last_unwritten(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  if (count > 1) real(src, dst, count - 1, ahead);
}

void bits_behind_the_end(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  real(src, dst, count, ahead);
  if (count % 2 == 1) static_cast<unsigned char*>(dst)[count / 2] |= 0x80;
}

Kernel with(const Kernel& kernel, Kernel::Function function) {
  real = kernel.function();
  return Kernel(function, kernel.table(), kernel.isa());
}

}  // namespace

TEST_CASE("runs of exact results are the results one by one: rules of the library") {
  std::size_t tried = 0;
  for (std::size_t i = 0; i < kernel_count(); ++i) {
    const Kernel kernel = kernel_at(i, "portable");
    const TypeInfo src = type_info(kernel.src()), dst = type_info(kernel.dst());
    if (src.value_bits > 16) continue;
    const auto wrong = wrong_run(src, dst, kernel.rule());
    INFO(kernel.name() << " at " << wrong.value_or(0));
    CHECK_FALSE(wrong);
    ++tried;
  }
  CHECK(tried > 500);
}

TEST_CASE("runs of exact results are the results one by one: any formats and rules") {
  std::vector<Format> sources = {floating(4, 3, 7, true, true, NanCodes::ieee),
                                 floating(5, 6, 15, true, false, NanCodes::top),
                                 floating(7, 3, 60, false, true, NanCodes::none),
                                 floating(6, 0, 31, false, false, NanCodes::top),
                                 integer(12, true),
                                 integer(11, false),
                                 integer(1, false)};
  std::vector<Format> others = {floating(3, 2, 3, true, false, NanCodes::none),
                                floating(2, 5, -1, false, false, NanCodes::none),
                                floating(4, 9, 11, true, true, NanCodes::top),
                                floating(8, 23, 127, true, true, NanCodes::ieee),
                                floating(5, 9, 20, true, false, NanCodes::ieee),
                                floating(8, 0, 127, false, false, NanCodes::top),
                                integer(3, true),
                                integer(8, false),
                                integer(64, true),
                                integer(64, false)};
  std::vector<Format> destinations = sources;
  destinations.insert(destinations.end(), others.begin(), others.end());
  for (std::size_t i = 0; i < type_count(); ++i) {
    const TypeInfo type = type_info(type_at(i));
    if (type.kind != TypeKind::string && type.value_bits <= 8) sources.push_back(type);
    if (type.kind != TypeKind::string) destinations.push_back(type);
  }
  std::mt19937_64 random(7);
  for (const Format& src : sources) {
    for (const Format& dst : destinations) {
      for (int i = 0; i < 8; ++i) {
        Rule rule = any_rule(random, dst.kind);
        if (src.id == dst.id)
          rule.same_type = std::array{SameType::copy, SameType::integral, SameType::converted}[i % 3];
        const auto wrong = wrong_run(src, dst, rule);
        INFO("source " << static_cast<int>(src.id) << " to " << static_cast<int>(dst.id) << ", carry " << std::hex
                       << rule.carry << ", overflow " << static_cast<int>(rule.overflow) << ", first "
                       << static_cast<int>(rule.saturate_first.bits) << " at " << wrong.value_or(0));
        REQUIRE_FALSE(wrong);
      }
    }
  }
}

TEST_CASE("runs of exact results of 32-bit sources") {
  for (const auto& [src, dst, opset] : {std::tuple{Type::float32, Type::float8e4m3fn, "onnx@25"},
                                        {Type::float32, Type::float16, "onnx@25"},
                                        {Type::float32, Type::float64, "onnx@25"},
                                        {Type::float32, Type::int8, "onnx@25"},
                                        {Type::float32, Type::bool_, "onnx@25"},
                                        {Type::int32, Type::uint8, "onnx@25"},
                                        {Type::int32, Type::float64, "onnx@25"},
                                        {Type::uint32, Type::float8e5m2, "onnx@25"},
                                        {Type::uint32, Type::int64, "onnx@25"}}) {
    const Kernel kernel = find_kernel(opset, src, dst, {}, "portable");
    REQUIRE(kernel.ok());
    const auto wrong = wrong_run(type_info(src), type_info(dst), kernel.rule(), 4);
    INFO(kernel.name() << " at " << wrong.value_or(0));
    CHECK_FALSE(wrong);
  }
}

TEST_CASE("a rule without a result stops the runs at the code that has none") {
  Rule rule;  // exact, where float16 is not
  std::uint64_t seen = 0;
  const auto none = for_each_exact_run(type_info(Type::float16), type_info(Type::float8e4m3fn), rule,
                                       [&](const ExactRun& run) { seen = run.first + run.count; });
  REQUIRE(none);
  CHECK_FALSE(exact_cast(type_info(Type::float16), type_info(Type::float8e4m3fn), rule, *none));
  CHECK(seen <= *none);
}

TEST_CASE("a sweep finds the one wrong result, elements not written and bits behind the end") {
  const Kernel right = find_kernel("onnx@25", Type::float16, Type::float8e4m3fn);
  REQUIRE(right.ok());
  const KernelCheck check = sweep_kernel({right}, right.rule());
  CHECK(check.complete);
  CHECK(check.codes == 1 << 16);
  CHECK(check.wrong == 0);
  for (const std::uint64_t code : {0x0000, 0x3C01, 0x7BFF, 0xFFFF}) {
    faulty_code = code;
    const KernelCheck found = sweep_kernel({right, with(right, one_wrong<std::uint16_t, std::uint8_t>)}, right.rule());
    CHECK(found.wrong == 1);
    REQUIRE(found.first.size() == 1);
    CHECK(found.first[0].source == code);
    CHECK(found.first[0].found == (found.first[0].expected ^ 1));
  }
  CHECK(sweep_kernel({with(right, last_unwritten)}, right.rule()).wrong > 0);
  const Kernel narrow = find_kernel("onnx@25", Type::float16, Type::int4);
  REQUIRE(narrow.ok());
  CHECK(sweep_kernel({narrow}, narrow.rule()).problem.empty());
  // The last block has one element, the block before had others in the same byte.
  const Kernel in_quarters = find_kernel("castforge@1", Type::uint16, Type::int2);
  REQUIRE(in_quarters.ok());
  CHECK(sweep_kernel({in_quarters}, in_quarters.rule()).problem.empty());
  const KernelCheck behind = sweep_kernel({with(narrow, bits_behind_the_end)}, narrow.rule());
  CHECK(behind.problem.find("sets bits behind the last") != std::string::npos);
}

TEST_CASE("a sweep of 2^32 codes finds the one wrong result") {
  const Kernel right = find_kernel("onnx@25", Type::float32, Type::bool_);
  REQUIRE(right.ok());
  faulty_code = 0x80000001;
  const KernelCheck found =
      check_kernel({with(right,
                         [](const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
                           real(src, dst, count, ahead);
                           std::uint32_t first;
                           std::memcpy(&first, src, sizeof first);
                           const std::uint64_t at = faulty_code - first;
                           if (at < count) static_cast<unsigned char*>(dst)[at] ^= 1;
                         })},
                   right.rule(), Level::exhaustive);
  CHECK(found.complete);
  CHECK(found.codes == std::uint64_t{1} << 32);
  CHECK(found.wrong == 1);
  REQUIRE(found.first.size() == 1);
  CHECK(found.first[0].source == faulty_code);
}

TEST_CASE("records come back as they were written, and outdated ones go") {
  using namespace castforge::records;
  const Folder folder;
  const auto path = folder.path("sweep.tsv");
  {
    RecordFile file(path, [](const Record&) { return true; });
    file.add({"b_to_c", "sha256:2", "22,23", How::exhaustive, {"portable", "avx2"}, 32, "castforge 1, g++ 12"});
    file.add({"a_to_c", "sha256:1", "11", How::smt, {}, 64, "z3 4.8.12"});
    const auto read = read_records(path);  // before the file is closed: what was stopped goes on from here
    REQUIRE(read.size() == 2);
    CHECK(read[0].isas == std::vector<std::string>{"portable", "avx2"});
    CHECK(read[0].code_bits == 32);
    CHECK(read[1].how == How::smt);
    CHECK(read[1].isas.empty());
    file.sort();
  }
  CHECK(folder.read("sweep.tsv") ==
        "kernel\tmeaning\tprograms\thow\tisas\tcodes\ttool\n"
        "a_to_c\tsha256:1\t11\tsmt\tall\t2^64\tz3 4.8.12\n"
        "b_to_c\tsha256:2\t22,23\texhaustive\tportable,avx2\t2^32\tcastforge 1, g++ 12\n");
  {
    std::ofstream(path, std::ios::app) << "d_to_c\tsha256:3\t1";  // stopped while it wrote
    RecordFile file(path, [](const Record& record) { return record.programs == "11"; });
    CHECK(file.records().size() == 1);
  }
  CHECK(folder.read("sweep.tsv").find("b_to_c") == std::string::npos);
  {  // Two at once, as shards of one sweep are.
    RecordFile one(folder.path("both.tsv"), [](const Record&) { return true; });
    RecordFile other(folder.path("both.tsv"), [](const Record&) { return true; });
    one.add({"a_to_c", "sha256:1", "11", How::smt, {}, 64, "z3 4.8.12"});
    other.add({"b_to_c", "sha256:2", "22", How::smt, {}, 64, "z3 4.8.12"});
    other.sort();  // puts another file in the place of the one that both have begun with
    one.add({"c_to_c", "sha256:3", "33", How::smt, {}, 64, "z3 4.8.12"});
    CHECK(read_records(folder.path("both.tsv")).size() == 3);
    one.sort();
    CHECK(read_records(folder.path("both.tsv")).size() == 3);
    std::ofstream(folder.path("both.tsv"), std::ios::app) << "d_to_c\tsha256:4\t4";  // of one that was stopped
    one.add({"e_to_c", "sha256:5", "55", How::smt, {}, 64, "z3 4.8.12"});
    CHECK(read_records(folder.path("both.tsv")).size() == 4);
    std::filesystem::remove(folder.path("both.tsv"));
    one.add({"f_to_c", "sha256:6", "66", How::smt, {}, 64, "z3 4.8.12"});
    one.sort();
    CHECK(read_records(folder.path("both.tsv")).size() == 5);
  }
  const std::string head = "kernel\tmeaning\tprograms\thow\tisas\tcodes\ttool\n";
  for (const auto& [text, problem] :
       {std::pair<std::string, std::string>{"name\tvalue\n", "sweep.tsv:1: this is no file of verification records"},
        {"", "it is empty"},
        {head + "a\tb\tc\n", "sweep.tsv:2: expected 7 columns, found 3"},
        {head + "a\tb\tc\tguessed\tall\t2^64\tz3\n", "expected exhaustive or smt, found \"guessed\""},
        {head + "a\tb\tc\tsmt\tavx2\t2^64\tz3\n", "expected the instruction sets that ran, or all for a proof"},
        {head + "a\tb\tc\texhaustive\tall\t2^32\tz3\n", "expected the instruction sets that ran, or all for a proof"},
        {head + "a\tb\tc\tsmt\tall\t2^65\tz3\n", "expected the number of source codes"},
        {head + "a\tb\tc\tsmt\tall\t2^6x\tz3\n", "expected the number of source codes"}}) {
    std::ofstream(path, std::ios::trunc) << text;
    INFO(text);
    std::string message;
    try {
      read_records(path);
    } catch (const castforge::cli::Failure& failure) {
      CHECK(failure.code() == castforge::cli::ExitCode::bad_data);
      message = failure.what();
    }
    CHECK(message.find(problem) != std::string::npos);
  }
}

TEST_CASE("castforge verify records what it compared at every code, and goes on from there") {
  const Folder folder;
  const std::string command = "verify --level exhaustive --pair float32:bool --isa portable --record sweep.tsv --json";
  const cli_test::Run first = program(folder, command);
  INFO(first.output << first.errors);
  REQUIRE(first.code == 0);
  const auto facts = nlohmann::json::parse(first.output);
  CHECK(facts.at("kernels") == 1);
  CHECK(facts.at("with_every_source_code") == 1);
  CHECK(facts.at("results") == std::uint64_t{1} << 32);
  const auto records = records::read_records(folder.path("sweep.tsv"));
  REQUIRE(records.size() == 1);
  const Kernel kernel = find_kernel("onnx@25", Type::float32, Type::bool_);
  CHECK(records[0].kernel == kernel.name());
  CHECK(records[0].meaning == kernel.meaning());
  CHECK(records[0].programs == kernel.programs());
  CHECK(records[0].isas == std::vector<std::string>{"portable"});
  const auto again = nlohmann::json::parse(program(folder, command).output);
  CHECK(again.at("kernels") == 0);
  CHECK(again.at("on_record") == 1);
  CHECK(program(folder, "verify --pair float16:bool --shard 1/1").code == 2);
  CHECK(program(folder, "verify --pair float16:bool --level all").code == 2);
  CHECK(program(folder, "verify --pair float16:bool --record /nowhere/sweep.tsv").code == 4);
  folder.write("other.tsv", "name\tvalue\n");
  const cli_test::Run other_table = program(folder, "verify --pair float16:bool --record other.tsv");
  CHECK(other_table.code == 1);
  CHECK(other_table.errors ==
        "castforge: other.tsv:1: this is no file of verification records: expected the columns of one\n");
  CHECK(folder.read("other.tsv") == "name\tvalue\n");
  for (const char* output : {"-", "/dev/stdout"}) {
    INFO(output);
    const auto refused = program(folder, std::string("verify --pair float16:bool --record ") + output);
    CHECK(refused.code == 4);
    CHECK(refused.output == "");
    CHECK(refused.errors == std::string("castforge: ") + output + ": records are kept in regular files only\n");
  }
  CHECK_FALSE(std::filesystem::exists(folder.path("-")));

  // Sweeps of programs that are no more go; proofs are those of castforge-gen.
  const std::string head = "kernel\tmeaning\tprograms\thow\tisas\tcodes\ttool\n",
                    proof = "a_to_c\tsha256:1\t11\tsmt\tall\t2^64\tz3 4.8.12\n";
  folder.write("mixed.tsv", head + "a_to_c\tsha256:1\t11\texhaustive\tportable\t2^32\tcastforge 0\n" + proof);
  const cli_test::Run mixed = program(folder, "verify --pair float16:bool --record mixed.tsv");
  CHECK(mixed.code == 0);
  CHECK(mixed.output.ends_with("  1 record dropped, of kernels or programs that this library does not have\n"));
  CHECK(folder.read("mixed.tsv") == head + proof);
  const auto parts =
      nlohmann::json::parse(program(folder, "verify --pair float16:float8e4m3fn --shard 0/2 --json").output);
  const auto other = nlohmann::json::parse(
      program(folder, "verify --pair float16:float8e4m3fn --shard 1/2 --threads 2 --json").output);
  const auto whole = nlohmann::json::parse(program(folder, "verify --pair float16:float8e4m3fn --json").output);
  CHECK(parts.at("kernels").get<int>() + other.at("kernels").get<int>() == whole.at("kernels").get<int>());
}

// castforge --load: a spec, or tables made of one, on every command.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_all.hpp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support.hpp"

using Catch::Matchers::ContainsSubstring;

namespace {

namespace fs = std::filesystem;

struct Run {
  int code;
  std::string output;  // of both streams
};

Run shell(const std::string& line) {
  std::FILE* const pipe = popen((line + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), got);
  return {WEXITSTATUS(pclose(pipe)), output};
}
std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }
Run program(const std::string& arguments) { return shell(quoted(CASTFORGE_PROGRAM) + " " + arguments); }
Run gen(const std::string& arguments) { return shell(quoted(CASTFORGE_GEN) + " " + arguments); }

struct Folder {
  fs::path path = fs::path(CASTFORGE_BINARY_DIR) / ("unit_load_program." + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  fs::path operator/(const char* name) const { return path / name; }
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

const std::string kSpec = quoted(load_test::spec("ue5m3.json"));

}  // namespace

TEST_CASE("a spec, and tables made of it, serve every command") {
  const Folder folder;
  const std::string cft = quoted(folder / "ue5m3.cft");
  const Run tables = gen("tables " + kSpec + " -o " + cft);
  INFO(tables.output);
  REQUIRE(tables.code == 0);
  CHECK_THAT(tables.output, ContainsSubstring("1 types, 1 op-sets, "));
  CHECK(fs::file_size(folder / "ue5m3.cft") < 1'000'000);
  CHECK_FALSE(fs::exists(folder / "ue5m3.cft.part"));

  const float values[] = {1, 17, -2, 1e9F, 3.0e-5F, 0};
  write(folder / "in.raw", std::string(reinterpret_cast<const char*>(values), sizeof values));
  const std::string in = quoted(folder / "in.raw");
  std::vector<std::string> results;
  // Where no op-set is named, one that has the type serves.
  for (const auto& [file, opset] :
       {std::pair(kSpec, " --opset castforge@1"), std::pair(kSpec, ""), std::pair(cft, "")}) {
    const fs::path out = folder / "out.raw";
    const Run cast =
        program("--load " + file + " cast " + in + " " + quoted(out) + " --from float32 --to ue5m3" + opset);
    INFO(cast.output);
    REQUIRE(cast.code == 0);
    results.push_back(read(out));
  }
  // 17 is a tie between 16 and 18; negative numbers clamp to zero; beyond the range the largest; two subnormal units
  // and a bit less.
  CHECK(results[0] == std::string("\x78\x98\x00\xFE\x04\x00", 6));
  CHECK(results[1] == results[0]);
  CHECK(results[2] == results[0]);

  const std::string load = "--load " + cft + " ";
  CHECK_THAT(program(load + "list types").output, ContainsSubstring("ue5m3 "));
  CHECK_THAT(program(load + "list pairs --opset castforge@1").output,
             ContainsSubstring("float32 ue5m3 saturate (loaded table)\n"));
  CHECK_THAT(program(load + "info").output, ContainsSubstring("added         1 type, 82 kernels, manifest cft:"));
  const Run verify = program(load + "verify --pair float32:ue5m3 --pair ue5m3:float64 --pair int64:ue5m3");
  INFO(verify.output);
  CHECK(verify.code == 0);
  CHECK_THAT(verify.output, ContainsSubstring("0 kernels wrong"));
  const Run bench = program(load + "bench --pair float32:ue5m3 --opset castforge@1 --size 4096");
  INFO(bench.output);
  CHECK(bench.code == 0);
  const Run range = program(load + "range - --start 1 --stop 3 --step 1 --to ue5m3");
  CHECK_THAT(range.output, ContainsSubstring("ue5m3"));  // no range op-set admits it: the message says what they admit
  CHECK(range.code == 2);
  const Run explanation = gen("explain float32 ue5m3 --opset castforge@1 --specs " + kSpec);
  CHECK(explanation.code == 0);
  CHECK_THAT(explanation.output, ContainsSubstring("ue5m3.json:1") && ContainsSubstring("Truth table"));
  CHECK_THAT(program("list types").output, !ContainsSubstring("ue5m3"));
  // Twice, and both ways: nothing contradicts.
  const std::string spec = "--load " + kSpec + " ";
  for (const std::string& files : {load + load, load + spec, spec + load, spec + spec}) {
    const Run run = program(files + "list types");
    INFO(files << run.output);
    CHECK(run.code == 0);
    CHECK_THAT(run.output, ContainsSubstring("ue5m3 "));
  }
}

namespace {

std::string safetensors(const std::string& dtype, const std::string& elements, std::size_t count) {
  const std::string header = "{\"a.w\":{\"dtype\":\"" + dtype + "\",\"shape\":[" + std::to_string(count) +
                             "],\"data_offsets\":[0," + std::to_string(elements.size()) + "]}}";
  std::string file(8, '\0');
  file[0] = static_cast<char>(header.size());
  return file + header + elements;
}

/// A format of 8 bits with a name in safetensors files.
std::string own_format(int bias) {
  return R"({"name": "own8", "id": 3100, "kind": "float", "signed": true, "exponent_bits": 3, "mantissa_bits": 4,
             "exponent_bias": )" +
         std::to_string(bias) + R"(, "subnormals": true, "infinity": true, "nan": "top", "storage_bits": 8,
             "aliases": {"safetensors": "F8_OWN"}})";
}

}  // namespace

TEST_CASE("bits, ranges and text of a loaded format") {
  const Folder folder;
  write(folder / "own8.json", own_format(3));
  write(folder / "bits.json", R"({"opset": "own-bitcast", "version": 1, "operation": "bitcast",
    "types": {"add": ["own8", "uint8", "ue5m3"]}, "pairs": {"own8": ["uint8", "ue5m3"], "uint8": ["own8"]},
    "rules": [{"id": "bits", "src": "any", "dst": "any", "set": {"bits": "kept"}, "basis": "this test"}]})");
  write(folder / "steps.json", R"({"opset": "own-range", "version": 1, "extends": "onnx-range@27",
    "types": {"add": ["own8"]}, "rules": []})");
  const std::string load = "--load " + kSpec + " --load " + quoted(folder / "own8.json") + " --load " +
                           quoted(folder / "bits.json") + " --load " + quoted(folder / "steps.json") + " ";
  const std::string out = quoted(folder / "out.raw");
  const auto made = [&](const std::string& arguments) {
    const Run run = program(load + arguments);
    INFO(run.output);
    REQUIRE(run.code == 0);
    return read(folder / "out.raw");
  };
  // Steps of a half from 0: exact.
  CHECK(made("range " + out + " --start 0 --stop 3 --step 0.5 --to own8 --opset own-range") ==
        std::string("\0\x20\x30\x38\x40\x44", 6));
  write(folder / "text.raw", "1.5\n-2\nnan\ninf\n1e9\n");
  const std::string codes = "\x38\xC0\x7F\x7D\x7D";  // saturated at 29
  CHECK(made("cast " + quoted(folder / "text.raw") + " " + out + " --from string --to own8") == codes);
  write(folder / "codes.raw", codes);
  const std::string in = "cast " + quoted(folder / "codes.raw") + " " + out;
  CHECK(made(in + " --from own8 --to string") == "1.5\n-2\nNaN\n29\n29\n");
  for (const char* dst : {"uint8", "ue5m3"})
    CHECK(made(in + " --from own8 --to " + dst + std::string(" --opset own-bitcast")) == codes);
  CHECK_THAT(program(load + "info " + quoted(folder / "codes.raw") + " --from own8 --to ue5m3").output,
             ContainsSubstring("own8"));
  CHECK_THAT(program(load + "list opsets").output, ContainsSubstring("own-range@1"));
}

TEST_CASE("plans convert checkpoints to loaded formats") {
  const Folder folder;
  fs::create_directories(folder / "in");
  const float values[] = {1.5F, -2, 0.25F, 1e9F};
  write(folder / "in/model.safetensors",
        safetensors("F32", std::string(reinterpret_cast<const char*>(values), sizeof values), std::size(values)));
  write(folder / "plan.json", R"({"opset": "own@1", "default": {"keep": true},
    "rules": [{"tensors": ["a.*"], "from": "float32", "to": "own8", "way": "up"}]})");
  write(folder / "own.json", R"({"opset": "own", "version": 1, "operation": "cast",
    "types": {"add": ["float32", "own8"]}, "pairs": {"float32": ["own8"], "own8": ["float32"]},
    "attributes": {"way": {"type": "enumeration", "values": {"near": 0, "up": 1}, "default": "near", "doc": "x"}},
    "rules": [
      {"id": "all", "src": "any", "dst": "float", "basis": "this test",
       "set": {"round": "nearest_even", "overflow": "infinity", "inf": "infinity", "nan": "nan"}},
      {"id": "up", "src": "any", "dst": "own8", "attr": {"way": "up"}, "set": {"round": "ceil"}, "basis": "this test"}
    ]})");
  const auto convert = [&](int bias) {
    write(folder / "own8.json", own_format(bias));
    return program("--load " + quoted(folder / "own8.json") + " --load " + quoted(folder / "own.json") + " convert " +
                   quoted(folder / "in") + " " + quoted(folder / "out") + " --verify --plan " +
                   quoted(folder / "plan.json"));
  };
  const Run first = convert(3);
  INFO(first.output);
  REQUIRE(first.code == 0);
  CHECK(read(folder / "out/model.safetensors").ends_with("\x38\xC0\x10\x7E"));
  CHECK_THAT(convert(3).output, ContainsSubstring("0 shards converted, 1 done before"));
  // The same names with another meaning: nothing of that is done yet.
  CHECK_THAT(convert(4).output, ContainsSubstring("1 shard converted, 0 done before"));
  CHECK(read(folder / "out/model.safetensors").ends_with("\x48\xD0\x20\x7E"));
  // A type without an alias for it has no name in such a file.
  write(folder / "plan.json", R"({"opset": "castforge@1", "default": {"to": "ue5m3"}})");
  const Run nameless = program("--load " + kSpec + " convert " + quoted(folder / "in") + " " +
                               quoted(folder / "other") + " --plan " + quoted(folder / "plan.json"));
  CHECK(nameless.code == 2);
  CHECK_THAT(nameless.output, ContainsSubstring("no alias of safetensors"));
  CHECK_FALSE(fs::exists(folder / "other"));
}

TEST_CASE("--load refuses with the file, the place and what was expected") {
  const Folder folder;
  write(folder / "bad.json", "{ \"name\": \"ue5m3\", \"id\": 1001, \"kind\": \"float\" }");
  const Run bad = program("--load " + quoted(folder / "bad.json") + " info");
  CHECK(bad.code == 1);
  CHECK_THAT(bad.output, ContainsSubstring("bad.json:1:"));
  write(folder / "bad.cft", "no tables");
  const Run foreign = program("--load " + quoted(folder / "bad.cft") + " info");
  CHECK(foreign.code == 1);
  CHECK_THAT(foreign.output, ContainsSubstring("bad.cft: this is no .cft file"));
  const Run missing = program("--load /nowhere/x.json info");
  CHECK(missing.code == 4);
  CHECK_THAT(missing.output, ContainsSubstring("/nowhere/x.json: no such file"));
  REQUIRE(::mkfifo((folder / "pipe.json").c_str(), 0600) == 0);
  const Run pipe = program("--load " + quoted(folder / "pipe.json") + " info");
  CHECK(pipe.code == 4);
  CHECK_THAT(pipe.output, ContainsSubstring("pipe.json: specs are read from regular files only"));
  fs::rename(folder / "pipe.json", folder / "pipe.cft");
  CHECK(program("--load " + quoted(folder / "pipe.cft") + " info").code == 4);
  fs::create_directory(folder / "folder.cft");
  CHECK(program("--load " + quoted(folder / "folder.cft") + " info").code == 4);
  write(folder / "x.txt", "1");
  CHECK(program("--load " + quoted(folder / "x.txt") + " info").code == 2);
  CHECK(program("--load").code == 2);
  // A type of that name, or that number, is known.
  std::string clash = read(load_test::spec("ue5m3.json"));
  clash.replace(clash.find("1001"), 4, "6   ");
  write(folder / "clash.json", clash);
  const Run run = program("--load " + quoted(folder / "clash.json") + " info");
  CHECK(run.code == 1);
  CHECK_THAT(run.output, ContainsSubstring("clash.json"));
  // The user's file is to blame, whichever comes first by name.
  std::string taken = read(load_test::spec("ue5m3.json"));
  taken.replace(taken.find("ue5m3"), 5, "float32");
  write(folder / "taken.json", taken);
  CHECK_THAT(program("--load " + quoted(folder / "taken.json") + " info").output,
             ContainsSubstring("taken.json:1:") && ContainsSubstring("\"float32\" is already defined at"));
  write(folder / "a_mode.json", R"({ "name": "a_mode", "short": "rne", "carry": "0111 0111 0111 0111" })");
  CHECK_THAT(program("--load " + quoted(folder / "a_mode.json") + " info").output,
             ContainsSubstring("a_mode.json:1:") && ContainsSubstring("\"rne\" is already taken at"));
  taken.replace(taken.find("float32"), 7, "fp32");
  write(folder / "alias.json", taken);
  CHECK_THAT(program("--load " + quoted(folder / "alias.json") + " info").output,
             ContainsSubstring("alias.json:1:") &&
                 ContainsSubstring("the name \"fp32\" is taken: it is an alias of type \"float32\""));
}

TEST_CASE("tables do not replace the spec that they are made of") {
  const Folder folder;
  const fs::path own = folder / "own.json";
  fs::copy_file(load_test::spec("ue5m3.json"), own);
  const auto size = fs::file_size(own);
  fs::create_symlink("own.json", folder / "link.cft");
  for (const char* out : {"own.json", "link.cft"}) {
    const Run run = gen("tables " + quoted(own) + " -o " + quoted(folder / out));
    CHECK(run.code == 2);
    CHECK_THAT(run.output, ContainsSubstring("expected another file than the specs, found one of them"));
  }
  CHECK(fs::file_size(own) == size);
  CHECK(gen("tables " + quoted(own) + " -o " + quoted(folder / "t.cft")).code == 0);
  CHECK(gen("tables " + quoted(own) + " -o " + quoted(folder / "t.cft")).code == 0);
}

TEST_CASE("tables are made of what was asked for") {
  const Folder folder;
  const std::string out = " -o " + quoted(folder / "t.cft");
  CHECK_THAT(gen("tables " + kSpec + out + " --pairs float32:ue5m3,ue5m3:float32").output,
             ContainsSubstring("3 conversions"));
  CHECK_THAT(gen("tables " + kSpec + out + " --opset castforge@1").output, ContainsSubstring("82 conversions"));
  CHECK(gen("tables " + kSpec + out + " --pairs float32:nothing").code == 2);
  CHECK(gen("tables " + kSpec + out + " --opset nothing@1").code == 2);
  CHECK(gen("tables " + kSpec + " -o /nowhere/t.cft").code == 4);
  CHECK(gen("tables" + out).code == 2);
  fs::remove(folder / "t.cft");
  for (const std::string none : {" --opset onnx@23", " --pairs float32:float16", " --opset p3109@4.0"}) {
    const Run run = gen("tables " + kSpec + out + none);
    CHECK(run.code == 1);
    CHECK_THAT(run.output, ContainsSubstring("no conversion that the library lacks matches --opset and --pairs; "
                                             "those with conversions are castforge@1"));
    CHECK_FALSE(fs::exists(folder / "t.cft"));
  }
  const Run slow =
      gen("tables " + quoted(load_test::spec("float24e7m16.json")) + out + " --pairs float32:float24e7m16");
  CHECK_THAT(slow.output, ContainsSubstring("slow: float32_to_float24e7m16__rne"));
}

TEST_CASE("a format with which no kernel can compute is refused by its file and key") {
  const Folder folder;
  const auto spec = [](int bias) {
    return R"({"name": "tiny", "id": 3101, "kind": "float", "signed": false,
 "exponent_bits": 11, "mantissa_bits": 6, "exponent_bias": )" +
           std::to_string(bias) + R"(, "subnormals": true, "infinity": false, "nan": "top", "storage_bits": 32})";
  };
  const fs::path source = CASTFORGE_SOURCE_DIR;
  const auto generate = [&](int bias) {
    write(folder / "tiny.json", spec(bias));
    return gen("generate --specs " + quoted(source / "specs") + " --specs " + quoted(folder / "tiny.json") +
               " --beside " + quoted(source / "generated/MANIFEST.tsv") + " --out " + quoted(folder / "generated"));
  };
  for (const int bias : {1030, 1024}) {
    const Run run = generate(bias);
    INFO(run.output);
    CHECK(run.code == 1);
    CHECK_THAT(run.output, ContainsSubstring("tiny.json:2:60: error: /exponent_bias: the smallest value above zero"));
    CHECK_THAT(run.output, ContainsSubstring("no smaller ones than 2^-1022"));
    CHECK_FALSE(fs::exists(folder / "generated"));
    // As data it is served.
    const Run cast =
        program("--load " + quoted(folder / "tiny.json") + " verify --pair float64:tiny --pair tiny:float32");
    INFO(cast.output);
    CHECK(cast.code == 0);
  }
}

TEST_CASE("a rounding mode comes before what refers to it, and attributes are options") {
  const Folder folder;
  const std::string mode = "--load " + quoted(load_test::spec("ties_up.json"));
  const std::string opset = "--load " + quoted(load_test::spec("upward.json"));
  const float values[] = {1.0625F, -1.0625F, 1e9F};  // two ties of float8e4m3fn, and what it has no number for
  write(folder / "in.raw", std::string(reinterpret_cast<const char*>(values), sizeof values));
  const std::string cast = " cast " + quoted(folder / "in.raw") + " " + quoted(folder / "out.raw") +
                           " --from float32 --to float8e4m3fn --opset upward";
  for (const std::string& load : {mode + " " + opset, mode + " " + mode + " " + mode + " " + opset + " " + opset}) {
    const Run run = program(load + cast);
    INFO(run.output);
    CHECK(run.code == 0);
    CHECK(read(folder / "out.raw") == "\x39\xB8\x7F");
    CHECK(program(load + cast + " --limit saturate").code == 0);
    CHECK(read(folder / "out.raw") == "\x39\xB8\x7E");
  }
  const Run alone = program(opset + cast);
  CHECK(alone.code == 1);
  CHECK_THAT(alone.output, ContainsSubstring("\"round\" must be one of"));
  CHECK(program(cast + " --limit saturate").code == 2);
}

TEST_CASE("an op-set that converts to text alone has nothing to measure") {
  const Folder folder;
  write(folder / "texts.json", R"({"opset": "texts", "version": 1, "operation": "cast", "doc": "To text.",
    "types": {"add": ["float16", "string"]}, "pairs": {"float16": ["string"]},
    "rules": [{"id": "text", "src": "any", "dst": "string", "set": {"format": "fixed"}, "basis": "this test"}]})");
  const Run run = program("--load " + quoted(folder / "texts.json") + " bench --all --opset texts");
  CHECK(run.code == 2);
  CHECK_THAT(run.output, ContainsSubstring("castforge: texts@1 converts no numbers to others"));
}

TEST_CASE("the shelf is listed") {
  const Run list = program("list shelf");
  CHECK(list.code == 0);
  CHECK_THAT(list.output, ContainsSubstring("shelf/ue5m3                  Unsigned 8-bit float, 5 exponent"));
  CHECK_THAT(list.output, ContainsSubstring("278 formats, shelf/binary3p1sf to shelf/binary12p12ue.\n"));
  const auto json = nlohmann::json::parse(program("list shelf --json").output);
  std::size_t names = 0;
  for (const auto& one : json) {
    CHECK(one.at("pattern").get<std::string>().starts_with("shelf/"));
    CHECK(one.at("doc").get<std::string>().size() > 20);
    names += one.at("names").size();
  }
  CHECK(json.size() == 13);
  CHECK(names == 11 + 128 + 278);
  const Run wrong = program("--load shelf/ue5m4 info");
  CHECK(wrong.code == 4);
  CHECK_THAT(wrong.output, ContainsSubstring("did you mean \"shelf/ue5m3\"?"));
}

TEST_CASE("a conversion is named as its system writes it") {
  const Folder folder;
  const float values[] = {1, 0, -1e9F};
  write(folder / "in.raw", std::string(reinterpret_cast<const char*>(values), sizeof values));
  const auto cast = [&](const std::string& arguments) {
    return program("cast " + quoted(folder / "in.raw") + " " + quoted(folder / "out.raw") + " " + arguments);
  };
  const Run run = cast("--as 'Convert<binary32, Binary8p3se, (NearestTiesToEven, SatFinite)>'");
  INFO(run.output);
  CHECK(run.code == 0);
  CHECK(read(folder / "out.raw") == std::string("\x40\x00\xFE", 3));
  const Run other = program("--load shelf/binary8p3ue --load p3109@4.0 cast " + quoted(folder / "in.raw") + " " +
                            quoted(folder / "out.raw") + " --as 'Convert<binary32,Binary8p3ue,(TowardZero,SatNone)>'");
  INFO(other.output);
  CHECK(other.code == 0);
  CHECK(read(folder / "out.raw") == std::string("\x80\x00\x00", 3));

  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Run bad = cast(arguments);
    INFO(arguments);
    CHECK(bad.code == 2);
    CHECK_THAT(bad.output, ContainsSubstring(message));
  };
  const std::string as = " --as 'Convert<binary32, Binary8p3se, (NearestTiesToEven, SatFinite)>'";
  refused("", "--to is required, or --as");
  refused("--to float16" + as, "no --to or --from goes with it");
  refused("--from float32" + as, "no --to or --from goes with it");
  refused("--opset onnx@28" + as, "names its op-set and attributes");
  refused("--attr rounding=TowardZero" + as, "names its op-set and attributes");
  refused("--as 'Convert<binary32>'", "p3109@4.0 writes Convert<{src}, {dst}, ({rounding}, {saturation})>");
  refused("--as 'Convert<binary32, Binary8p3se, (Upward, SatFinite)>'", "rounding");
  refused("--as 'Convert<binary32, Binary8p3, (NearestTiesToEven, SatFinite)>'", "Binary8p3");
}

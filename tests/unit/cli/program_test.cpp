// The program as someone at a terminal meets it.
#include "support.hpp"

#include <castforge/castforge.hpp>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

using namespace cli_test;
using nlohmann::json;

TEST_CASE("help teaches") {
  const Folder folder;
  const Run top = program(folder, "--help");
  CHECK(top.code == 0);
  for (const char* word : {"cast", "info", "list"}) CHECK(top.output.find(word) != std::string::npos);
  const Run cast_help = program(folder, "cast --help");
  CHECK(cast_help.code == 0);
  CHECK(cast_help.output.find("Examples:\n") != std::string::npos);
  CHECK(program(folder, "--version").output == std::string(castforge::version()) + "\n");
}

TEST_CASE("wrong usage exits with 2 and says what is right") {
  const Folder folder;
  folder.write("in.npy", npy_array("<f4", "(1,)", codes<float>({1})));
  folder.write("in.onnx", "");
  folder.write("in.xyz", "");
  struct Case {
    std::string arguments, message;
  };
  const std::string help = "\nRun with --help for more information.";
  const std::vector<Case> cases = {
      {"", "expected a command, found nothing" + help},
      {"cast in.npy out.npy", "--to is required, or --as"},
      {"cast in.npy out.npy --to float16 --threads -1", ""},
      {"cast in.npy out.npy --to float16 --colour red", ""},
      {"cast in.npy out.npy --to float16 --attr saturate", "--attr: expected NAME=VALUE, found \"saturate\""},
      {"cast in.npy out.npy --to float16 --tensors a",
       "--tensors is for safetensors and npz input; npy holds one tensor"},
      {"cast in.npy out.xyz --to float16",
       "out.xyz: expected the extension .npy, .safetensors, .pb or .raw; --output-format says what a file "
       "of another name is"},
      {"cast in.onnx out.npy --to float16",
       "in.onnx: expected the extension .npy, .npz, .safetensors, .pb or .raw; --input-format says what a file of "
       "another name is; `castforge convert` takes ONNX models"},
      {"info in.xyz",
       "in.xyz: expected the extension .npy, .npz, .safetensors, .onnx, .pb or .raw; --input-format says what a file "
       "of another name is"},
      {"info - --input-format onnx < in.onnx",
       "standard input: onnx input must be a regular file; a stream can only be raw, npy or npz"},
      {"cast in.npy out.onnx --to float16",
       "out.onnx: expected the extension .npy, .safetensors, .pb or .raw; --output-format says what a file of another "
       "name is"},
      {"cast in.npy out.npy --to float16 --input-format tiff",
       "--input-format: expected npy, npz, safetensors, pb or raw, found \"tiff\""},
      {"cast - out.raw --from float32 --to float16 --count ''",
       "--count: expected a number from 0 to 9223372036854775807, found \"\"" + help},
      {"cast - out.raw --from float32 --to float16 --count -5",
       "--count: expected a number from 0 to 9223372036854775807, found \"-5\"" + help},
      {"cast - out.raw --from float32 --to float16 --count 0x10", ""},
      {"cast - out.raw --from float32 --to float16 --count 9223372036854775808", ""},
      {"cast in.npy out.npy --to float16 --threads ''",
       "--threads: expected a number from 0 to 1024, found \"\"" + help},
      {"cast in.npy out.npy --to float16 --threads 1025", ""},
      {"bench --pair f32:f16 --threads ''", ""},
      {"bench --pair f32:f16 --size ''", ""},
      {"bench --pair f32:f16 --seconds ''", "--seconds: expected a value, found \"\"" + help},
      {"bench --pair f32:f16 --seconds -1", "--seconds: expected a number above 0, found \"-1\""},
      {"bench --pair f32:f16 --seconds inf", "--seconds: expected a number above 0, found \"inf\""},
      {"bench --pair f32:f16 --json ''", "--json: expected the path of a file, found \"\"" + help},
      {"bench --pair f32:string",
       "float32 to string: strings are converted by `castforge cast` from and to npy, pb and "
       "raw files only"},
      {"cast in.npy out.npy --to", "--to: expected TYPE, found nothing" + help},
      {"cast in.npy out.npy --to float16 --to int8", "--to: expected once, found 2 times" + help},
      {"verify --pair f32:f16 --shard ''", "--shard: expected I/N, found \"\"" + help},
      {"verify --pair f32:f16 --record ''", "--record: expected the path of a file, found \"\"" + help},
      {"convert in.npy out --plan plan.json --shard ''", "--shard: expected I/N, found \"\"" + help},
      {"convert in.npy '' --plan plan.json", "TARGET: expected the path of a folder, found \"\"" + help},
      {"convert in.npy out --plan plan.json --stats ''", "--stats: expected the path of a file, found \"\"" + help},
      {"convert '' out --plan plan.json", "SOURCE: expected the path of a folder or a file, found \"\"" + help},
      {"cast in.npy '' --to float16", "OUTPUT: expected the path of a file, found \"\"" + help},
      {"cast in.npy '' --output-format npy --to float16", "OUTPUT: expected the path of a file, found \"\"" + help},
      {"cast '' out.npy --to float16", "INPUT: expected the path of a file, found \"\"" + help},
      {"range '' --start 0 --stop 1 --step 1 --to int8 --output-format raw",
       "OUTPUT: expected the path of a file, found \"\"" + help},
      {"verify --isa '' --pair f32:f16", "--isa: expected a value, found \"\"" + help},
      {"verify --pair ''", "--pair: expected a value, found \"\"" + help},
      {"verify --level ''", "--level: expected quick or exhaustive, found \"\"" + help},
      {"cast in.npy out.npy --to float16 --opset ''", "--opset: expected a value, found \"\"" + help},
      {"cast in.npy out.npy --to float16 --isa ''", "--isa: expected a value, found \"\"" + help},
      {"cast in.npy out.npy --to float16 --from ''", "--from: expected a value, found \"\"" + help},
      {"cast in.npy out.npy --to float16 --saturate ''", "--saturate: expected a value, found \"\"" + help},
      {"cast in.npy out.npy --to float16 --input-format ''", "--input-format: expected a value, found \"\"" + help},
      {"cast in.npy out.npy --to float16 --output-format ''", "--output-format: expected a value, found \"\"" + help},
      {"range out.npy --start '' --stop 1 --step 1 --to int8", "--start: expected a value, found \"\"" + help},
      {"--load '' list types", "--load: expected a value, found \"\"" + help},
      {"completion bash -o ''", "--output: expected a value, found \"\"" + help},
      {"list pairs --opset onnx@0", ""},
      {"list types --opset onnx@25", "--opset goes with `list pairs`"},
      {"list kinds", ""},
      {"csat in.npy out.npy", "\"csat\" is no command: did you mean \"cast\"?\nRun with --help for the list of them."},
      {"frobnicate", "\"frobnicate\" is no command\nRun with --help for the list of them."},
      {"cast in.npy out.npy --to float16 --staurate 1",
       "\"--staurate\" is no option of cast: did you mean \"--saturate\"?\nRun with --help for the list of them."},
      {"cast in.npy out.npy --too=float16",
       "\"--too\" is no option of cast: did you mean \"--to\"?\nRun with --help for the list of them."},
      {"cast in.npy --out out.npy --to float16",
       "\"--out\" is no option of cast: did you mean \"--output-format\"?\nRun with --help for the list of them."},
      {"cast -t float16 in.npy out.npy",
       "\"-t\" is no option of cast: did you mean \"--to\"?\nRun with --help for the list of them."},
      {"cast in.npy out.npy -to float16",
       "\"-to\" is no option of cast: did you mean \"--to\"?\nRun with --help for the list of them."},
      {"-x cast", "\"-x\" is no option\nRun with --help for the list of them."},
      {"cast in.npy out.npy one 'two words' --to float16",
       "expected no more words, found \"one\", \"two words\"" + help},
      {"cast in.npy out.npy --to float16 -- -x", "expected no more words, found \"-x\"" + help},
      {"list types more", "expected no more words, found \"more\"" + help},
      {"list types --nothing 1", "\"--nothing\" is no option of list\nRun with --help for the list of them."},
      {"--nothing list types", "\"--nothing\" is no option\nRun with --help for the list of them."},
      {"list types --load my.json", "\"--load\" stands before the command: castforge --load ... list ..."},
      {"cast in.npy out.npy --to float16 --opset ieee754@2019",
       "unknown op-set \"ieee754@2019\"; `castforge list opsets` shows all; castforge --load ieee754@2019 ... adds it"},
      {"cast in.npy out.npy --to float16 --opset ieee754",
       "unknown op-set \"ieee754\"; `castforge list opsets` shows all; castforge --load ieee754@2019 ... adds it"},
      {"list pairs --opset ieee754@2019",
       "unknown op-set \"ieee754@2019\"; `castforge list opsets` shows all; castforge --load ieee754@2019 ... adds it"},
      {"cast in.npy out.npy --to ue5m3", "--to: unknown type \"ue5m3\"; castforge --load shelf/ue5m3 ... adds it"},
      {"cast in.npy out.npy --to Float8_E4M3",
       "--to: unknown type \"Float8_E4M3\"; castforge --load shelf/float8e4m3 ... adds it"},
      {"cast in.npy out.npy --to float16 --from Binary8p3ue",
       "--from: unknown type \"Binary8p3ue\"; castforge --load shelf/binary8p3ue ... adds it"},
      {"cast - y.raw --from float32 --to binary8p3se --opset p3109 --rounding ToOdd < /dev/null",
       "p3109@4.0: rounding \"ToOdd\": expected NearestTiesToEven; castforge --load p3109@4.0 ... adds it"},
      {"cast - y.raw --from float32 --to binary8p3se --opset p3109 --rounding toOdd < /dev/null",
       "p3109@4.0: rounding \"toOdd\": expected NearestTiesToEven"},
      {"list tyeps", "WHAT: expected types, opsets, pairs or shelf, found \"tyeps\": did you mean \"types\"?" + help},
      {"cast - x.pb --to float16 --input-format pb < in.npy",
       "standard input: pb input must be a regular file; a stream can only be raw, npy or npz"},
      {"cast in.npy out.npz --to float16",
       "out.npz: expected the extension .npy, .safetensors, .pb or .raw; --output-format says what a file "
       "of another name is"},
  };
  for (const Case& c : cases) {
    INFO(c.arguments);
    const Run run = program(folder, c.arguments);
    CHECK(run.code == 2);
    CHECK(run.output == "");
    CHECK(run.errors.starts_with("castforge: "));
    if (!c.message.empty()) CHECK(run.errors == "castforge: " + c.message + "\n");
  }
  CHECK(folder.names() == std::vector<std::string>{"in.npy", "in.onnx", "in.xyz"});
}

TEST_CASE("numbers are decimal, whatever they begin with") {
  const Folder folder;
  folder.write("in.raw", codes<std::int8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  CHECK(program(folder, "cast in.raw out.raw --from int8 --to int16 --count 010 --threads 01").code == 0);
}

TEST_CASE("what the library says about types, op-sets and attributes comes through") {
  const Folder folder;
  folder.write("in.npy", npy_array("<f4", "(1,)", codes<float>({1})));
  const auto message = [&](const std::string& arguments) {
    const Run run = program(folder, "cast in.npy out.npy " + arguments);
    CHECK(run.code == 2);
    return run.errors;
  };
  using castforge::Type;
  const auto kernel = [](const char* opset, Type dst, const castforge::Attributes& attributes = {}) {
    return "castforge: " + castforge::find_kernel(opset, Type::float32, dst, attributes).status().message() + "\n";
  };
  CHECK(message("--to float16 --opset onnx@0") == kernel("onnx@0", Type::float16));
  CHECK(message("--to float16 --opset onnx@99") ==
        "castforge: \"onnx@99\" is above the newest version known, onnx@28\n");
  CHECK(message("--to float61") ==
        "castforge: --to: unknown type \"float61\": did you mean float16? `castforge list types` shows all\n");
  CHECK(message("--to float8e4m3fn --opset onnx@13") == kernel("onnx@13", Type::float8e4m3fn));
  CHECK(message("--to float16 --opset onnx@13 --saturate 1") == kernel("onnx@13", Type::float16, {.saturate = 1}));
  CHECK(message("--to float8e8m0 --round-mode sideways") ==
        kernel("onnx@28", Type::float8e8m0, {.round_mode = "sideways"}));
  const castforge::Attribute colour[] = {{"colour", "red"}};
  CHECK(message("--to float16 --attr colour=red") == kernel("onnx@28", Type::float16, {.others = colour}));
  CHECK(message("--to float99").find("--to: ") != std::string::npos);
  CHECK(message("--to float16 --isa z80").find("z80") != std::string::npos);
  CHECK(program(folder, "cast in.npy out.npy --to float16", "CASTFORGE_FORCE_ISA=z80").code == 2);
  CHECK(folder.names() == std::vector<std::string>{"in.npy"});
}

TEST_CASE("attributes reach the kernel") {
  const Folder folder;
  folder.write("in.raw", codes<float>({1000.0F}));
  const auto result = [&](const std::string& options) {
    const Run run = program(folder, "cast in.raw - --from f32 --to FLOAT8E4M3FN " + options);
    CHECK(run.errors == "");
    return run.output;
  };
  CHECK(result("") == bytes({0x7E}));
  CHECK(result("--saturate 1 --isa portable") == bytes({0x7E}));
  CHECK(result("--saturate 0") == bytes({0x7F}));
  CHECK(result("--attr saturate=0") == bytes({0x7F}));
  CHECK(result("--attr saturate=0 --attr round_mode=down --opset onnx@24") == bytes({0x7F}));
}

TEST_CASE("missing and unreadable input") {
  const Folder folder;
  const Run missing = program(folder, "cast no.npy out.npy --to float16");
  CHECK(missing.code == 4);
  CHECK(missing.errors == "castforge: no.npy: cannot open: No such file or directory\n");
  const Run directory = program(folder, "cast . out.npy --input-format npy --to float16");
  CHECK(directory.code == 4);
  CHECK(directory.errors == "castforge: .: cannot read: Is a directory\n");
}

// NOLINTBEGIN(misc-misleading-bidirectional): such names are what this is about.
TEST_CASE("names of files reach the terminal without what acts on it") {
  using castforge::cli::printable;
  CHECK(printable("w\u00e4rme \u6e29\u5ea6.npy") == "w\u00e4rme \u6e29\u5ea6.npy");
  CHECK(printable("\x1b[2J\x7f\u009b\xff") == "\\x1B[2J\\x7F\\xC2\\x9B\\xFF");
  CHECK(printable("a\u202eypn.exe") == "a\\xE2\\x80\\xAEypn.exe");
  for (const char* acts : {"\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
                           "\u2066", "\u2067", "\u2068", "\u2069"}) {
    CHECK(printable(acts).starts_with("\\xE2\\x8"));
  }
  for (const char* plain : {"\u200d", "\u2010", "\u2027", "\u202f", "\u2065", "\u206a"})
    CHECK(printable(plain) == plain);
  const Folder folder;
  CHECK(program(folder, "cast a\u202e.npy out.npy --to float16").errors ==
        "castforge: a\\xE2\\x80\\xAE.npy: cannot open: No such file or directory\n");
}
// NOLINTEND(misc-misleading-bidirectional)

TEST_CASE("a cast is silent unless --verbose") {
  const Folder folder;
  folder.write("in.npy", npy_array("<f4", "(1,)", codes<float>({1})));
  const Run silent = program(folder, "cast in.npy out.npy --to float16");
  CHECK(silent.code == 0);
  CHECK(silent.output + silent.errors == "");
  const Run verbose = program(folder, "cast in.npy out.npy --to float16 --isa portable --verbose");
  CHECK(verbose.output == "");
  CHECK(verbose.errors.starts_with("castforge: in.npy: 1 element, float32_to_float16__"));
  CHECK(verbose.errors.ends_with(" on portable\n"));
}

TEST_CASE("info") {
  const Folder folder;
  const Run plain = program(folder, "info");
  CHECK(plain.code == 0);
  CHECK(plain.output.find(castforge::version()) != std::string::npos);
  CHECK(plain.output.find(castforge::manifest_hash()) != std::string::npos);
  const json parsed = json::parse(program(folder, "info --json", "CASTFORGE_FORCE_ISA=portable").output);
  CHECK(parsed.at("manifest") == castforge::manifest_hash());
  CHECK(parsed.at("isas").size() == castforge::isa_count());
  CHECK(parsed.at("isas").at(0) == json{{"name", "portable"}, {"usable", true}, {"active", true}});
  CHECK(program(folder, "info", "CASTFORGE_STREAM_BYTES=1048576").code == 0);
  for (const std::string bad : {"1MiB", "-1", "99999999999999999999"}) {
    const Run run = program(folder, "info", "CASTFORGE_STREAM_BYTES=" + bad);
    CHECK(run.code == 2);
    CHECK(run.errors.find("CASTFORGE_STREAM_BYTES: expected a number of bytes such as 33554432, found ") !=
          std::string::npos);
  }
  const Run forced = program(folder, "info", "CASTFORGE_FORCE_ISA=z80");
  CHECK(forced.code == 2);
  CHECK(forced.errors.find("z80") != std::string::npos);
}

TEST_CASE("an instruction set that cannot be forced ends every command that needs one") {
  const Folder folder;
  folder.write("in.npy", npy_array("<f4", "(1,)", codes<float>({1})));
  for (const char* command :
       {"cast in.npy out.npy --to float16", "cast in.npy out.npy --to float16 --isa portable",
        "cast in.npy out.npy --to string", "range out.npy --start 0 --stop 1 --step 1 --to int8",
        "bench --pair float16:int4", "bench --pair float16:int4 --isa all", "bench --pair float16:int4 --isa portable",
        "verify --pair float16:int4", "verify --pair float16:int4 --isa portable",
        "verify --pair float16:int4 --record record.tsv", "info in.npy --to float16"}) {
    INFO(command);
    const Run run = program(folder, command, "CASTFORGE_FORCE_ISA=z80");
    CHECK(run.code == 2);
    CHECK(run.output == "");
    CHECK(run.errors.starts_with("castforge: CASTFORGE_FORCE_ISA: unknown instruction set \"z80\""));
  }
  CHECK(folder.names() == std::vector<std::string>{"in.npy"});
}

TEST_CASE("list") {
  const Folder folder;
  const json types = json::parse(program(folder, "list types --json").output);
  CHECK(types.size() == castforge::kTypeCount);
  bool found = false;
  for (const json& type : types) {
    if (type.at("name") != "float8e4m3fn") continue;
    found = true;
    CHECK(type.at("storage_bits") == 8);
    CHECK(type.at("exponent_bits") == 4);
  }
  CHECK(found);
  CHECK(program(folder, "list types").output.find("\nfloat8e4m3fn ") != std::string::npos);

  const json opsets = json::parse(program(folder, "list opsets --json").output);
  CHECK(opsets.size() == castforge::opset_count());
  CHECK(program(folder, "list opsets").output.find("onnx@28") != std::string::npos);

  const json pairs = json::parse(program(folder, "list pairs --opset onnx@22 --json").output);
  CHECK(pairs.at("opset") == "onnx@21");
  CHECK(pairs.at("pairs").size() == 400);
  const std::string text = program(folder, "list pairs --opset onnx@21").output;
  CHECK(std::count(text.begin(), text.end(), '\n') == 400);
  CHECK(text.find("float32 float8e5m2 saturate\n") != std::string::npos);
}

// castforge convert: ONNX models made by hand, mostly such as must be refused. That results are valid models is for
// onnx itself to say: runtime/python/tests/test_onnx_models.py.
#include "child.hpp"
#include "onnx_bytes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <sys/stat.h>

#include <algorithm>

using namespace cli_test;
using namespace cli_test::onnx;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kModelPlan = R"({"opset": "onnx@28", "default": {"to": "float16"}})";

/// Converts in.onnx, beside which lies data.bin of 8 bytes.
Run convert_model(const Folder& folder, const std::string& contents, std::string_view plan = kModelPlan) {
  folder.write("in.onnx", contents);
  folder.write("data.bin", codes<float>({3, 4}));
  folder.write("plan.json", plan);
  return program(folder, "convert in.onnx out --plan plan.json --verify");
}

/// The message with which a model is refused; nothing is written then.
std::string refusal(const std::string& contents, int code = 1) {
  const Folder folder;
  const Run run = convert_model(folder, contents);
  CHECK(run.code == code);
  CHECK(!fs::exists(folder.path("out/in.onnx")));
  return run.errors;
}

bool says(const std::string& message, std::string_view what) {
  UNSCOPED_INFO(message);
  return message.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("onnx: the bytes of a converted model") {
  const Folder folder;
  const std::string other = varint_field(99, 7);  // a field that nobody knows
  // An integer, and one of a type that castforge does not know: complex64.
  const std::string kept = initializer(tensor("ids", bytes_field(9, codes<std::int64_t>({5})), 1, 7)) +
                           initializer(tensor("phases", bytes_field(9, codes<float>({0, 1})), 1, 14));
  // Old models list initializers as inputs too: name, and in it the type, of a tensor, its elements, and a shape.
  const auto input = [](std::string_view name, std::uint64_t type) {
    return bytes_field(
        11, bytes_field(1, name) + bytes_field(2, bytes_field(1, varint_field(1, type) + bytes_field(2, ""))));
  };
  const std::string before = output_of_node("before"), after = output_of_node("after");
  REQUIRE(convert_model(folder, other + model(before + initializer(tensor("w", two_floats() + bytes_field(12, "doc"))) +
                                              kept + after + initializer(tensor("v", external("data.bin"))) +
                                              input("w", 1) + input("x", 1)))
              .code == 0);
  const auto cast = [](const std::string& name) {
    const std::string to = bytes_field(1, "to") + varint_field(3, 1) + varint_field(20, 2);
    return bytes_field(1, bytes_field(1, name + ".as_float16") + bytes_field(2, name) +
                              bytes_field(3, name + ".as_float16/Cast") + bytes_field(4, "Cast") + bytes_field(5, to));
  };
  const std::string w = varint_field(1, 2) + bytes_field(12, "doc") + varint_field(2, 10) +
                        bytes_field(8, "w.as_float16") + bytes_field(9, codes<std::uint16_t>({0x3C00, 0xC000}));
  const std::string v = varint_field(1, 2) + varint_field(2, 10) + bytes_field(8, "v.as_float16") +
                        pair("location", "in.onnx.data") + pair("offset", "0") + pair("length", "4") +
                        varint_field(14, 1);
  // The two nodes and what follows keep the places they had.
  const std::string graph = cast("w") + cast("v") + bytes_field(2, "g") + before + initializer(w) + kept + after +
                            initializer(v) + input("w.as_float16", 10) + input("x", 1);
  CHECK(folder.read("out/in.onnx") ==
        other + varint_field(1, 10) + bytes_field(7, graph) + bytes_field(8, varint_field(2, 21)));
  CHECK(folder.read("out/in.onnx.data") == codes<std::uint16_t>({0x4200, 0x4400}));
}

TEST_CASE("onnx: tensors in external data begin at aligned places, kept ones too") {
  const Folder folder;
  const auto place = [](std::uint64_t offset) {
    return pair("location", "data.bin") + pair("offset", std::to_string(offset)) + varint_field(14, 1);
  };
  folder.write("in.onnx", model(initializer(tensor("a", place(0), 3)) + initializer(tensor("b", place(12), 2000, 7)) +
                                initializer(tensor("c", place(16), 1))));
  std::string data = codes<float>({1, 2, 3}) + std::string(16000, 'x');
  folder.write("data.bin", data);
  folder.write("plan.json", kModelPlan);
  REQUIRE(program(folder, "convert in.onnx out --plan plan.json --verify --threads 2").code == 0);
  const std::string written = folder.read("out/in.onnx.data");
  REQUIRE(written.size() == 20096 + 2);
  CHECK(written.substr(0, 6) == codes<std::uint16_t>({0x3C00, 0x4000, 0x4200}));
  CHECK(written.substr(4096, 16000) == data.substr(12));
}

TEST_CASE("onnx: what cannot stay valid is refused before anything is written") {
  const std::string w = initializer(tensor("w", two_floats()));
  CHECK(says(refusal(model(w + output_of_node("w.as_float16")), 2), "another value, \"w.as_float16\""));
  CHECK(says(refusal(model(w + w)), "different names, found \"w\" twice"));
  CHECK(says(refusal(varint_field(1, 10) + bytes_field(7, w), 2), "imports no version of ONNX's operators"));
  CHECK(says(refusal(model(w) + bytes_field(20, "")), "training_info"));
  const Folder folder;
  const Run run = convert_model(folder, model(w, 11), R"({"opset": "onnx@28", "default": {"to": "bfloat16"}})");
  CHECK(run.code == 2);
  CHECK(says(run.errors,
             "imports version 11 of ONNX's operators, whose Cast does not admit bfloat16 to float32; version 13 does"));
}

TEST_CASE("onnx: an empty initializer has no elements") {
  const std::string surplus = initializer(tensor("w", bytes_field(4, codes<float>({1, 2})), 0));  // float_data
  CHECK(says(refusal(model(surplus)), "initializer \"w\""));
  CHECK(says(refusal(model(surplus + initializer(tensor("v", two_floats())))), "initializer \"w\""));
  const Folder folder;
  CHECK(convert_model(folder, model(initializer(tensor("w", "", 0)))).code == 0);
}

TEST_CASE("onnx: external data that cannot be followed are refused") {
  for (const char* location : {"../data.bin", "/etc/passwd", "a/../../data.bin"}) {
    CHECK(says(refusal(model(initializer(tensor("w", external(location))))), "below the model's folder"));
  }
  const std::string there = initializer(tensor("v", external("data.bin")));
  CHECK(refusal(model(there + initializer(tensor("w", external("none.bin")))), 4) ==
        "castforge: in.onnx: initializer \"w\": external_data: none.bin: cannot open: No such file or directory\n");
  // What follows the zero byte would be lost where the file is opened.
  const std::string with_zero("data.bin\0x", 10);
  CHECK(says(refusal(model(initializer(tensor("w", external(with_zero))))),
             R"(in.onnx: initializer "w": external_data: expected a path without a zero byte, found "data.bin\x00x")"));
  CHECK(says(refusal(model(initializer(tensor("w", external("data.bin"), 3)))), "expected 12 bytes from byte 0"));
  const std::string far = pair("offset", "18446744073709551615");
  CHECK(says(refusal(model(initializer(tensor("w", far + external("data.bin"))))), "which has 8"));
  CHECK(
      says(refusal(model(initializer(tensor("w", pair("length", "7") + external("data.bin"))))), "length of 8 bytes"));
  CHECK(says(refusal(model(initializer(tensor("w", pair("offset", "x") + external("data.bin"))))), "number of bytes"));
  CHECK(
      says(refusal(model(initializer(tensor("w", two_floats() + external("data.bin"))))), "no elements in this file"));
  const std::string numbers = bytes_field(4, codes<float>({1, -2}));  // float_data
  CHECK(says(refusal(model(initializer(tensor("w", numbers + external("data.bin"))))), "no elements in this file"));
  CHECK(says(refusal(model(initializer(tensor("w", external("data.bin"), 2, 8)))), "expected strings in this file"));
  CHECK(says(refusal(model(initializer(tensor("w", varint_field(14, 1))))), "with a location"));
  // In places whose tensors are not rewritten.
  const std::string elsewhere = tensor("c", external("data.bin"));
  const std::string in_graph = bytes_field(6, initializer(elsewhere));
  const std::string deeper = bytes_field(11, node(in_graph));
  for (const std::string& graph :
       {node(bytes_field(5, elsewhere)), node(in_graph), node(deeper), node(bytes_field(22, bytes_field(1, elsewhere))),
        bytes_field(15, bytes_field(2, elsewhere))}) {
    CHECK(says(refusal(model(graph)), "found some of another tensor"));
  }
}

TEST_CASE("onnx: external data are in regular files, links to such too") {
  const Folder folder;
  fs::create_directory(folder.path("folder"));
  REQUIRE(::mkfifo(folder.path("fifo").c_str(), 0600) == 0);
  for (const char* location : {".", "folder", "fifo"}) {
    const Run run = convert_model(folder, model(initializer(tensor("w", external(location)))));
    CHECK(run.code == 1);
    CHECK(says(run.errors, "in.onnx: initializer \"w\": external_data: expected a regular file, found \"" +
                               std::string(location) + '"'));
  }
  // As caches of models have them, which keep contents elsewhere.
  const Folder elsewhere;
  fs::create_symlink(elsewhere.write("blob", codes<float>({5, 6})), folder.path("link.bin"));
  CHECK(convert_model(folder, model(initializer(tensor("w", external("link.bin"))))).code == 0);
  CHECK(folder.read("out/in.onnx.data") == codes<std::uint16_t>({0x4500, 0x4600}));
}

TEST_CASE("onnx: new names are compared with those of all values") {
  const auto in_function = [](const std::string& value) { return bytes_field(25, bytes_field(7, value)); };
  const std::string w = initializer(tensor("w", two_floats())), name = bytes_field(2, "w.as_float16");
  const std::string inner = bytes_field(11, bytes_field(1, "w.as_float16"));  // an input
  for (const std::string& contents :
       {model(bytes_field(11, bytes_field(1, "w.as_float16")) + w), model(w + node(bytes_field(6, inner))),
        model(w) + in_function(name), model(w + bytes_field(15, bytes_field(1, bytes_field(8, "w.as_float16")))),
        model(initializer(tensor("w.as_float16", two_floats())) + w)}) {
    CHECK(says(refusal(contents, 2), "another value, \"w.as_float16\""));
  }
  // None of these is a new name, of that tensor or of that type.
  const Folder folder;
  const std::string others = output_of_node("v.as_float16") + output_of_node("w.as_float") +
                             output_of_node("w.as_float8e5m2") + output_of_node("w.as_float16.as_float16");
  CHECK(convert_model(folder, model(others + w)).code == 0);
}

TEST_CASE("onnx: an initializer is an input once") {
  const std::string input = bytes_field(11, bytes_field(1, "w"));
  CHECK(says(refusal(model(input + initializer(tensor("w", two_floats())) + input)),
             "expected inputs of different names, found \"w\" again"));
  const std::string long_input = bytes_field(11, bytes_field(1, "w") + bytes_field(9, std::string(1 << 20, 'd')));
  CHECK(says(refusal(model(long_input + initializer(tensor("w", two_floats())))), "input: expected at most 1048576"));
}

TEST_CASE("onnx: fields of an initializer that are kept, short and long") {
  const Folder folder;
  std::string fields, expected;
  for (const std::size_t length : {253, 254, 255, 256, 70000, 3}) fields += bytes_field(77, std::string(length, 'f'));
  const std::string v = tensor("v", two_floats() + fields), ids = tensor("ids", fields + std::string(), 0, 7);
  REQUIRE(convert_model(folder, model(initializer(v) + initializer(ids))).code == 0);
  const std::string written = varint_field(1, 2) + fields + varint_field(2, 10) + bytes_field(8, "v.as_float16") +
                              bytes_field(9, codes<std::uint16_t>({0x3C00, 0xC000}));
  CHECK(
      says(folder.read("out/in.onnx"), initializer(written) + initializer(ids) + bytes_field(8, varint_field(2, 21))));
}

TEST_CASE("onnx: many initializers and inputs take time and memory by the size of the model") {
  constexpr std::size_t kMany = 60000;
  std::string initializers, inputs;
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string name = std::to_string(i);
    // Every second one in float_data, and all of them inputs too.
    initializers += initializer(tensor(name, bytes_field(i % 2 == 0 ? 9 : 4, codes<float>({1})), 1));
    inputs += bytes_field(11, bytes_field(1, name)) + bytes_field(11, bytes_field(1, "x" + name));
  }
  const Folder folder;
  folder.write("plan.json", kModelPlan);
  const auto run = [&](const std::string& graph) {
    folder.write("in.onnx", model(graph));
    return Child(folder, {"convert", "in.onnx", "out", "--plan", "plan.json", "--no-resume"}).wait();
  };
  const End small = run(initializer(tensor("w", two_floats()))), large = run(initializers + inputs);
  REQUIRE(small.code == 0);
  REQUIRE(large.code == 0);
  const std::string written = folder.read("out/in.onnx");
  CHECK(says(written.substr(written.size() - 100), bytes_field(11, bytes_field(1, "59999.as_float16"))));
#ifndef CASTFORGE_SANITIZED  // which take time and memory themselves
  CHECK(large.peak_kilobytes - small.peak_kilobytes < 20000);
  CHECK(large.cpu_seconds < 6);
#endif
}

TEST_CASE("onnx: more initializers or files than any model has are refused") {
  std::string initializers, files;
  for (std::size_t i = 0; i <= std::size_t{1} << 19; ++i) initializers += bytes_field(5, "");
  CHECK(says(refusal(model(initializers)), "expected at most 524288 initializers, found more"));
  for (std::size_t i = 0; i <= std::size_t{1} << 16; ++i) {
    const std::string name = std::to_string(i);
    files += initializer(tensor(name, external(name)));
  }
  CHECK(says(refusal(model(files)), "external_data: expected at most 65536 files, found more"));
}

TEST_CASE("onnx: damaged models are refused, wherever they end") {
  const std::string whole = model(initializer(tensor("w", two_floats())) + bytes_field(11, bytes_field(1, "w")) +
                                  node(bytes_field(6, output_of_node("x"))));
  const Folder folder;
  CHECK(convert_model(folder, whole).code == 0);
  const std::size_t graph_end = whole.size() - bytes_field(8, varint_field(2, 21)).size();
  for (std::size_t end = 0; end < graph_end; ++end) {
    const Folder cut;
    const Run run = convert_model(cut, whole.substr(0, end));
    CHECK(run.code == 1);
    CHECK(says(run.errors, "castforge: in.onnx"));
  }
  std::string deep;
  for (int i = 0; i < 150; ++i) deep = node(bytes_field(6, deep));
  CHECK(says(refusal(model(deep)), "deep in each other"));
}

TEST_CASE("onnx: versions of the operators whose Cast is another, or unknown") {
  const std::string w = initializer(tensor("w", two_floats()));
  CHECK(says(refusal(model(w, 5), 2),
             "imports version 5 of ONNX's operators, whose Cast does not admit float16 to "
             "float32; version 6 does"));
  CHECK(says(refusal(model(w, 99), 2), "imports version 99 of ONNX's operators, of which castforge knows those up to"));
}

TEST_CASE("onnx: what has the wanted type keeps its name") {
  const Folder folder;
  const std::string halves = bytes_field(9, codes<std::uint16_t>({0x3C00, 0xC000}));
  const std::string contents = model(initializer(tensor("v", halves, 2, 10)) + bytes_field(11, bytes_field(1, "v")));
  REQUIRE(convert_model(folder, contents).code == 0);
  CHECK(folder.read("out/in.onnx") == contents);
}

TEST_CASE("onnx: the version of the format becomes that of the types that come in, and never an older one") {
  struct Case {
    std::string_view type;
    std::uint64_t operators, before, after;
  };
  for (const Case& c : {Case{"float16", 21, 3, 3}, Case{"bfloat16", 13, 3, 4}, Case{"bfloat16", 21, 10, 10},
                        Case{"float8e4m3fn", 19, 8, 9}, Case{"float8e5m2fnuz", 19, 9, 9}, Case{"int4", 21, 9, 10},
                        Case{"float4e2m1", 23, 10, 11}, Case{"float8e8m0", 24, 11, 12}, Case{"uint2", 25, 12, 13},
                        Case{"float6e3m2", 28, 13, 14}, Case{"float8e4m3fn", 28, 200, 200}}) {
    const auto version = [](std::uint64_t number) { return number == 0 ? "" : varint_field(1, number); };
    const std::string graph = bytes_field(7, bytes_field(2, "g") + initializer(tensor("w", two_floats()))),
                      operators = bytes_field(8, varint_field(2, c.operators)), other = varint_field(99, 7);
    const std::string plan = R"({"opset": "onnx@28", "default": {"to": ")" + std::string(c.type) + R"("}})";
    // Wherever it stands, and where there is none.
    const Folder folder;
    REQUIRE(convert_model(folder, other + version(c.before) + operators + graph, plan).code == 0);
    INFO(c.type << ": " << c.before);
    CHECK(folder.read("out/in.onnx").starts_with(other + version(c.after) + operators + varint(7 * 8 + 2)));
    const std::string first = folder.read("out/in.onnx").substr((other + version(c.after) + operators).size());
    REQUIRE(convert_model(folder, graph + operators + version(c.before) + other, plan).code == 0);
    CHECK(folder.read("out/in.onnx") == first + operators + version(c.after) + other);
    REQUIRE(convert_model(folder, graph + operators, plan).code == 0);
    const std::uint64_t needed = c.before == c.after ? 0 : c.after;
    if (needed != 0) CHECK(folder.read("out/in.onnx") == version(needed) + first + operators);
  }
}

TEST_CASE("onnx: an initializer without a name cannot be cast, and may stay") {
  const std::string contents = model(initializer(tensor("w", two_floats())) + initializer(tensor("", two_floats())));
  CHECK(says(refusal(contents),
             "in.onnx: initializer 1 of the graph: expected a name, as the node Cast has to make a "
             "value of it, found an empty one; keep the initializer or name it"));
  const Folder folder;
  CHECK(convert_model(folder, contents, R"({"opset": "onnx@28", "default": {"keep": true}})").code == 0);
}

TEST_CASE("onnx: fields of other wire types than theirs are refused") {
  const auto refused = [](const std::string& fields) {
    return refusal(model(initializer(varint_field(1, 2) + fields + two_floats())));
  };
  const std::string name = bytes_field(8, "w"), type = varint_field(2, 1);
  CHECK(says(refused(type + varint_field(8, 1)), "name: expected wire type 2, found 0"));
  CHECK(says(refused(name + bytes_field(2, "1")), "data_type: expected wire type 0, found 2"));
  CHECK(says(refused(name + type + bytes_field(14, "1")), "data_location: expected wire type 0, found 2"));
  CHECK(says(refusal(model(varint_field(5, 1))), "initializer: expected wire type 2, found 0"));
  CHECK(says(refusal(varint_field(7, 1)), "graph: expected wire type 2, found 0"));
}

TEST_CASE("onnx: names have at most 65536 bytes") {
  const Folder folder;
  const auto named = [](std::size_t length) {
    return model(initializer(tensor(std::string(length, 'n'), two_floats())));
  };
  CHECK(convert_model(folder, named(65536)).code == 0);
  CHECK(says(refusal(named(65537)), "name: expected at most 65536 bytes, found length 65537"));
}

TEST_CASE("onnx: another content of external data is another source") {
  const Folder folder;
  const std::string contents = model(initializer(tensor("w", external("data.bin"))));
  REQUIRE(convert_model(folder, contents).code == 0);
  CHECK(says(program(folder, "convert in.onnx out --plan plan.json").output, "1 done before"));
  folder.write("data.bin", codes<float>({5, 6}));
  CHECK(says(program(folder, "convert in.onnx out --plan plan.json").output, "1 shard converted"));
  CHECK(folder.read("out/in.onnx.data") == codes<std::uint16_t>({0x4500, 0x4600}));
  folder.write("out/in.onnx.data", "x");
  CHECK(says(program(folder, "convert in.onnx out --plan plan.json").output, "1 shard converted"));
}

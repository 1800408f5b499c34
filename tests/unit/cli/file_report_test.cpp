// castforge info FILE: what people see before they cast.
#include "child.hpp"
#include "onnx_bytes.hpp"
#include "zip_bytes.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <limits>

using namespace cli_test;
using nlohmann::json;

namespace {

const float kInf = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();
const std::string kTenFloats = codes<float>({0.0f, -0.0f, 1.0f, -1.5f, 100000.0f, 1e-6f, kNaN, kInf, -kInf, 3.0f});

json report(const Folder& folder, const std::string& arguments) {
  const Run run = program(folder, "info --json " + arguments);
  INFO(arguments << ": " << run.errors);
  REQUIRE(run.code == 0);
  return json::parse(run.output);
}

std::string with_single_spaces(std::string text) {
  for (std::size_t at; (at = text.find("  ")) != std::string::npos;) text.erase(at, 1);
  return text;
}

}  // namespace

TEST_CASE("info FILE: the facts, in every format") {
  const Folder folder;
  folder.write("x.npy", npy_array("<f4", "(2, 5)", kTenFloats));
  folder.write("x.npz", zip({{"x.npy", npy_array("<f4", "(2, 5)", kTenFloats)}}));
  folder.write("x.raw", kTenFloats);
  folder.write("x.pb", onnx::tensor("x", bytes_field(9, kTenFloats), 10));
  folder.write("x.onnx", onnx::model(onnx::initializer(folder.read("x.pb"))));
  folder.write("x.safetensors",
               safetensors(R"({"x":{"dtype":"F32","shape":[2,5],"data_offsets":[0,40]}})", kTenFloats));
  for (const std::string name : {"x.npy", "x.npz", "x.raw", "x.pb", "x.onnx", "x.safetensors"}) {
    INFO(name);
    const std::string from = name == "x.raw" ? " --from float32" : "";
    const json facts = report(folder, name + from + " --to float8e4m3fn --opset onnx@23");
    CHECK(facts.at("file") == name);
    REQUIRE(facts.at("tensors").size() == 1);
    const json& one = facts.at("tensors").at(0);
    CHECK(one.at("type") == "float32");
    CHECK(one.at("elements") == 10);
    CHECK(one.at("amax") == 100000);
    CHECK(one.at("smallest") == 1e-6f);
    CHECK(one.at("nan") == 1);
    CHECK(one.at("infinite") == 2);
    CHECK(one.at("zeros") == 2);
    CHECK(one.at("exponents") == json{{-20, 1}, {0, 2}, {1, 1}, {16, 1}});
    CHECK(one.at("cast") == json{{"finite", 7},
                                 {"saturated", 1},
                                 {"nonfinite", 0},
                                 {"nonzero", 5},
                                 {"flushed", 1},
                                 {"in_range", 6},
                                 {"inexact", 1},
                                 {"largest_error_ulp", one["cast"]["largest_error_ulp"]}});
    CHECK(facts.at("all").at("elements") == 10);
  }
  CHECK(report(folder, "x.npy").at("tensors").at(0).at("shape") == json{2, 5});
  CHECK(report(folder, "- --from float32 < x.raw").at("tensors").at(0).at("elements") == 10);
  CHECK(report(folder, "- --input-format npy < x.npy").at("tensors").at(0).at("amax") == 100000);

  const Run text = program(folder, "info x.npy --to float8e4m3fn");
  CHECK(text.code == 0);
  CHECK(text.output.find("x.npy: npy, 1 tensor; cast to float8e4m3fn by ") == 0);
  CHECK(text.output.find("2^0") != std::string::npos);
  CHECK(text.output.find("out of range\n") != std::string::npos);
  CHECK(text.output.find("flushes\n") != std::string::npos);
  CHECK(text.output.find('\033') == std::string::npos);  // no colours into a pipe
}

TEST_CASE("info FILE: what a cast does is told in shares of the numbers it can happen to") {
  const Folder folder;
  struct Case {
    std::string data, row, sentence;
  };
  for (const Case& c : std::vector<Case>{
           {codes<float>({1e9f, 1e9f, 1.0001f, 1.0f}), "0 % 50.0 % 0 % 50.0 %\n",
            "50.0 % of the finite numbers out of its range, 0 % of those other than zero flushed to zero, 50.0 % of "
            "those in its range rounded"},
           {codes<float>({kNaN, kNaN, 1e9f, 1.0f}), "0 % 50.0 % 0 % 0 %\n",
            "50.0 % of the finite numbers out of its range, 0 % of those other than zero flushed to zero, 0 % of "
            "those in its range rounded"},
           {codes<float>({0.0f, -0.0f, kInf, 1e-9f, 1.0f}), "40.0 % 0 % 50.0 % 25.0 %\n",
            "0 % of the finite numbers out of its range, 50.0 % of those other than zero flushed to zero, 25.0 % of "
            "those in its range rounded"},
           {codes<float>({kNaN, kInf}), "0 % 0 % 0 % 0 %\n", ""}}) {
    folder.write("x.raw", c.data);
    const Run run = program(folder, "info x.raw --from float32 --to float8e4m3fn");
    INFO(run.output);
    CHECK(run.code == 0);
    CHECK(with_single_spaces(run.output).find(c.row) != std::string::npos);
    CHECK(run.output.find(c.sentence) != std::string::npos);
    CHECK((run.output.find("A cast to float8e4m3fn: ") != std::string::npos) == !c.sentence.empty());
  }
  // Tensors that are not cast are none of the numbers that shares are of.
  folder.write("x.safetensors", safetensors(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                            R"("i":{"dtype":"I64","shape":[2],"data_offsets":[8,24]}})",
                                            codes<float>({1e9f, 1}) + codes<std::int64_t>({1, 2})));
  CHECK(program(folder, "info x.safetensors --to float8e4m3fn").output.find(": 50.0 % of the finite numbers") !=
        std::string::npos);
  // Overflow is decided on the rounded number: 456 and 464 are 448, 465 is beyond.
  folder.write("r.raw", codes<float>({456, -464, 465, 480, 1}));
  const std::string to = "r.raw --from float32 --to float8e4m3fn";
  const json clamped = report(folder, to).at("all").at("cast");
  CHECK(clamped.at("saturated") == 2);
  CHECK(clamped.at("nonfinite") == 0);
  CHECK(clamped.at("in_range") == 3);
  CHECK(clamped.at("inexact") == 2);
  const json lost = report(folder, to + " --saturate 0").at("all").at("cast");
  CHECK(lost.at("saturated") == 0);
  CHECK(lost.at("nonfinite") == 2);
  CHECK(lost.at("in_range") == 3);
  CHECK(with_single_spaces(program(folder, "info --saturate 0 " + to).output).find(" 40.0 % 0 % 66.7 %\n") !=
        std::string::npos);
  const json all = report(folder, "x.safetensors --to float8e4m3fn").at("all");
  CHECK(all.at("elements") == 4);
  CHECK(all.at("cast").at("finite") == 2);
  CHECK(all.at("cast").at("saturated") == 1);
  CHECK(all.at("cast").at("in_range") == 1);
}

TEST_CASE("info FILE: shares of nearly all or nearly none do not look like all or none") {
  const Folder folder;
  std::string data;
  for (int i = 0; i < 62397; ++i) data += codes<float>({i < 3 ? 1.0f : 0.0f});
  folder.write("x.raw", data);
  CHECK(with_single_spaces(program(folder, "info x.raw --from float32").output).find(" >99.9 %\n") != data.npos);
  folder.write("x.raw", codes<float>({0, 0}));
  CHECK(with_single_spaces(program(folder, "info x.raw --from float32").output).find(" 100.0 %\n") != data.npos);
  data.clear();
  for (int i = 0; i < 62397; ++i) data += codes<float>({i < 3 ? 0.0f : 1.0f});
  folder.write("x.raw", data);
  CHECK(with_single_spaces(program(folder, "info x.raw --from float32").output).find(" <0.01 %\n") != data.npos);
}

TEST_CASE("info FILE: a cast that is tried on many small tensors takes time by their elements") {
  std::string header = "{", data;
  for (int i = 0; i < 10000; ++i) {
    const std::string begin = std::to_string(data.size());
    data += codes<std::uint16_t>({0x3F80, 0x4000});
    header += (i == 0 ? "\"w" : ",\"w") + std::to_string(i) + R"(":{"dtype":"BF16","shape":[2],"data_offsets":[)" +
              begin + "," + std::to_string(data.size()) + "]}";
  }
  const Folder folder;
  folder.write("x.safetensors", safetensors(header + "}", data));
  folder.write("log", "");
  const auto to_log = [] { ::dup2(::open("log", O_WRONLY), STDOUT_FILENO); };
  const End end = Child(folder, {"info", "x.safetensors", "--to", "float8e4m3fn", "--threads", "1"}, to_log).wait();
  CHECK(end.code == 0);
  CHECK(end.cpu_seconds < 4);  // 9 s where each has tables of its own
}

TEST_CASE("info FILE: the rules of a cast are checked where it is tried on no tensor") {
  const Folder folder;
  folder.write("s.npy", npy_array("|S2", "(3,)", "1 2 3 "));
  folder.write("i.safetensors",
               safetensors(R"({"i":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", codes<std::int64_t>({1000})));
  folder.write("f.npy", npy_array("<f4", "(2, 5)", kTenFloats));
  for (const std::string rules : {"--opset onnx@13", "--opset onnx@13 --attr ceiling=1", "--opset onnx@13 --isa z80",
                                  "--opset onnx@13 --attr ceiling", "--opset onnx@28 --saturate maybe"}) {
    const Run cast = program(folder, "cast f.npy out.raw --to float8e4m3fn " + rules);
    REQUIRE(cast.code == 2);
    for (const std::string file : {"s.npy", "i.safetensors"}) {
      const Run run = program(folder, "info " + file + " --to float8e4m3fn " + rules);
      INFO(file << " " << rules);
      CHECK(run.code == 2);
      CHECK(run.output == "");
      CHECK(run.errors == cast.errors);
    }
  }
}

TEST_CASE("info FILE: a cast that is tried on no tensor") {
  const Folder folder;
  folder.write("s.npy", npy_array("|S2", "(3,)", "1 2 3 "));
  folder.write("i.safetensors",
               safetensors(R"({"i":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", codes<std::int64_t>({1000})));
  for (const std::string file : {"s.npy", "i.safetensors"}) {
    const Run run = program(folder, "info " + file + " --to float8e4m3fn");
    INFO(run.output);
    CHECK(run.code == 0);
    CHECK(run.output.find(", 1 tensor; none of those on which a cast to float8e4m3fn is tried\n") != std::string::npos);
    CHECK(run.output.find("saturate") == std::string::npos);
    CHECK(run.output.find("A cast to") == std::string::npos);
  }
}

TEST_CASE("info FILE: columns are counted in characters") {
  const Folder folder;
  folder.write("x.safetensors",
               safetensors("{\"w\u00e4rme_w\u00e4rme\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},"
                           "\"plain_plain\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}",
                           ""));
  const Run run = program(folder, "info x.safetensors");
  INFO(run.output);
  CHECK(run.code == 0);
  CHECK(run.output.find("w\u00e4rme_w\u00e4rme  float32") != run.output.npos);
  CHECK(run.output.find("plain_plain  float32") != run.output.npos);
}

TEST_CASE("info FILE: many chunks and threads give what one gives") {
  const Folder folder;
  std::string data;
  for (int i = 0; i < 1'000'000; ++i) data += codes<float>({static_cast<float>(i % 4096) / 64});
  folder.write("x.raw", data);
  const json one = report(folder, "x.raw --from float32 --to float8e5m2 --threads 1");
  CHECK(one == report(folder, "x.raw --from float32 --to float8e5m2 --threads 3"));
  CHECK(one.at("all").at("elements") == 1'000'000);
  CHECK(one.at("all").at("amax") == 4095.0 / 64);
  std::uint64_t counted = one.at("all").at("zeros");
  for (const json& row : one.at("all").at("exponents")) counted += row.at(1).get<std::uint64_t>();
  CHECK(counted == 1'000'000);
}

TEST_CASE("info FILE: selections, types that cannot be read, empty tensors, odd lengths") {
  const Folder folder;
  folder.write("x.safetensors", safetensors(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                            R"("c":{"dtype":"C64","shape":[1],"data_offsets":[8,16]},)"
                                            R"("n":{"dtype":"F16","shape":[0,3],"data_offsets":[16,16]},)"
                                            R"("i":{"dtype":"I64","shape":[1],"data_offsets":[16,24]}})",
                                            codes<float>({2, 4, 8, 16, 0, 0})));
  const json all = report(folder, "x.safetensors --to float16");
  REQUIRE(all.at("tensors").size() == 4);
  const auto named = [&](const std::string& name) {
    for (const json& one : all.at("tensors")) {
      if (one.at("name") == name) return one;
    }
    return json();
  };
  CHECK(named("w").at("amax") == 4);
  CHECK(named("c").at("type") == "C64");
  CHECK_FALSE(named("c").contains("amax"));
  CHECK(named("n").at("elements") == 0);
  CHECK(named("n").at("exponents").empty());
  CHECK_FALSE(named("i").contains("cast"));  // as `castforge cast`, which leaves it as it is
  CHECK(report(folder, "x.safetensors --tensors 'w'").at("tensors").size() == 1);
  CHECK(report(folder, "x.safetensors --from float16").at("tensors").size() == 1);
  CHECK(program(folder, "info x.safetensors --tensors nothing").code == 2);
  for (const char* output : {"", " --json"}) {
    const Run run = program(folder, std::string("info x.safetensors --from float64") + output);
    CHECK(run.code == 2);
    CHECK(run.output == "");
    CHECK(run.errors ==
          "castforge: x.safetensors: --from float64 matches no tensor; the file holds C64, F16, F32, I64\n");
  }
  CHECK(program(folder, "info x.safetensors --from float16 --tensors w").errors ==
        "castforge: x.safetensors: --from float16 matches no tensor of --tensors; the file holds C64, F16, F32, "
        "I64\n");

  folder.write("odd.raw", bytes({0x21, 0x43, 0x05}));
  CHECK(report(folder, "odd.raw --from uint4").at("tensors").at(0).at("elements") == 6);
  folder.write("none.raw", "");
  CHECK(report(folder, "none.raw --from float32 --to float16").at("tensors").at(0).at("elements") == 0);
  CHECK(program(folder, "info none.raw --from float32 --to float16").code == 0);
  folder.write("texts.npy", npy_array("|S2", "(3,)", "1 2 3 "));
  CHECK(report(folder, "texts.npy").at("tensors").at(0).at("type") == "string");
}

TEST_CASE("info FILE: rows of the histogram say what the table says") {
  const Folder folder;
  folder.write("x.raw", codes<float>({1e-40f, -1e-40f, 1e20f, 1, 0}));
  const auto output = [&](const std::string& to) {
    const Run run = program(folder, "info x.raw --from float32 --to " + to);
    CHECK(run.code == 0);
    return with_single_spaces(run.output);
  };
  const std::string flushed = output("float8e4m3fn");
  INFO(flushed);
  CHECK(flushed.find(" flushes\n") != flushed.npos);
  CHECK(flushed.find(" out of range\n") != flushed.npos);
  CHECK(flushed.find("saturates") == flushed.npos);  // it may become an infinity or NaN
  const std::string without_zero = output("float8e8m0");
  INFO(without_zero);
  CHECK(without_zero.find("0 % of those other than zero flushed") != without_zero.npos);
  CHECK(without_zero.find("flushes") == without_zero.npos);
}

TEST_CASE("info FILE: bool has no range that numbers could be out of") {
  const Folder folder;
  folder.write("x.raw", codes<float>({2, -1, 0.3f, 0, kNaN}));
  const Run run = program(folder, "info x.raw --from float32 --to bool");
  INFO(run.output);
  CHECK(run.code == 0);
  CHECK(with_single_spaces(run.output).find(" zero flush\n") != run.output.npos);
  CHECK(run.output.find("A cast to bool: 0 % of the finite numbers other than zero flushed to zero.\n") !=
        run.output.npos);
  CHECK(report(folder, "x.raw --from float32 --to bool").at("all").at("cast") ==
        json{{"finite", 4}, {"nonzero", 3}, {"flushed", 0}});
}

TEST_CASE("info FILE: arrays of which elements cannot be read are listed by their headers") {
  const Folder folder;
  const auto facts = [&](const std::string& descr, const std::string& data) {
    folder.write("x.npy", npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,)}", data));
    folder.write("x.npz", zip({{"x.npy", folder.read("x.npy")}}));
    const json one = report(folder, "x.npy").at("tensors").at(0);
    json member = report(folder, "x.npz").at("tensors").at(0);
    CHECK(member.at("name") == "x");
    member["name"] = "";
    CHECK(one == member);
    CHECK(one.at("elements") == 2);
    CHECK_FALSE(one.contains("amax"));
    return one.at("type");
  };
  CHECK(facts("'<c8'", std::string(16, '\0')) == "<c8");
  CHECK(facts("'<M8[D]'", std::string(16, '\0')) == "<M8[D]");
  CHECK(facts("'<V1'", std::string(2, '\0')) == "<V1");
  const std::string record = "[('a[', '<f4'), (\"b\", [('c', '|i1')], (2,))]";
  CHECK(facts(record, std::string(12, '\0')) == record);
  CHECK(program(folder, "cast x.npz y.npy --to float16").errors ==
        "castforge: x.npz: member \"x.npy\": byte 20: npy header: expected a single element type, found a record "
        "type\n");
  folder.write("cut.npy", npy("{'descr': [('a', '<f4')", ""));
  CHECK(program(folder, "info cut.npy").errors ==
        "castforge: cut.npy: byte 33: npy header: expected the end of a record type, found the end of the header\n");
}

TEST_CASE("info FILE: the initializers of an ONNX model are listed as the tensors of a safetensors file") {
  const Folder folder;
  const std::string numbers = codes<float>({2, 4, 1e9f}), integers = codes<std::int64_t>({5, -5});
  folder.write("data.bin", "12345678" + numbers);
  folder.write("other.bin", codes<float>({7}));
  const std::string graph =
      onnx::initializer(onnx::tensor("raw", bytes_field(9, numbers), 3)) +
      onnx::initializer(onnx::tensor("typed", bytes_field(4, numbers), 3)) +
      onnx::output_of_node("raw") +  // between them, as some models have it
      onnx::initializer(onnx::tensor("elsewhere", onnx::pair("offset", "8") + onnx::external("data.bin"), 3)) +
      onnx::initializer(onnx::tensor("apart", onnx::external("other.bin"), 1)) +
      onnx::initializer(onnx::tensor("n", bytes_field(9, ""), 0, 10)) +
      onnx::initializer(onnx::tensor("i", bytes_field(7, varint(5) + varint(~std::uint64_t{4})), 2, 7)) +
      onnx::initializer(onnx::tensor("packed", bytes_field(5, varint(0x21) + varint(3)), 3, 22));
  folder.write("x.onnx", onnx::model(graph));
  folder.write("x.safetensors", safetensors(R"({"raw":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},)"
                                            R"("typed":{"dtype":"F32","shape":[3],"data_offsets":[12,24]},)"
                                            R"("elsewhere":{"dtype":"F32","shape":[3],"data_offsets":[24,36]},)"
                                            R"("apart":{"dtype":"F32","shape":[1],"data_offsets":[36,40]},)"
                                            R"("n":{"dtype":"F16","shape":[0],"data_offsets":[40,40]},)"
                                            R"("i":{"dtype":"I64","shape":[2],"data_offsets":[40,56]}})",
                                            numbers + numbers + numbers + codes<float>({7}) + integers));
  for (const std::string options :
       {"", " --to float8e4m3fn", " --to float16 --opset onnx@23 --tensors '*a*' --tensors i",
        " --from float32 --threads 2", " --from int64 --to float16"}) {
    INFO(options);
    json model = report(folder, "x.onnx" + options), tensors = report(folder, "x.safetensors" + options);
    CHECK(model.at("format") == "onnx");
    if (model.at("tensors").back().at("name") == "packed") {  // of a type that safetensors lacks
      CHECK(model.at("tensors").back().at("type") == "int4");
      CHECK(model.at("tensors").back().at("amax") == 3);
      CHECK(model.at("all").at("elements") == tensors.at("all").at("elements").get<int>() + 3);
      model.at("tensors").erase(model.at("tensors").size() - 1);
    } else {
      CHECK(model.at("all") == tensors.at("all"));
    }
    CHECK(model.at("tensors") == tensors.at("tensors"));
    CHECK(model.value("to", json()) == tensors.value("to", json()));
  }
  const Run text = program(folder, "info x.onnx --to float8e4m3fn --opset onnx@23");
  CHECK(text.output.starts_with("x.onnx: onnx, 7 tensors; cast to float8e4m3fn by onnx@23 tried\n"));
  CHECK(with_single_spaces(text.output).find("\nelsewhere float32 [3] 3 1e+09 0 0 0 % 33.3 % 0 % 0 %\n") !=
        text.output.npos);
  folder.write("model", onnx::model(graph));
  CHECK(report(folder, "model --input-format onnx").at("tensors").size() == 7);

  CHECK(program(folder, "info x.onnx --tensors nothing").errors ==
        "castforge: x.onnx: --tensors \"nothing\" matches no tensor; `castforge info` lists them\n");
  const Run none = program(folder, "info x.onnx --from float64 --tensors 'r*'");
  CHECK(none.code == 2);
  CHECK(none.output == "");
  CHECK(none.errors ==
        "castforge: x.onnx: --from float64 matches no tensor of --tensors; the file holds float16, "
        "float32, int4, int64\n");
}

TEST_CASE("info FILE: initializers that cannot be read, and what a conversion refuses, are listed") {
  const Folder folder;
  const std::string elsewhere = onnx::tensor("c", onnx::external("none.bin"), 2, 14);
  const std::string input = bytes_field(11, bytes_field(1, "w"));
  folder.write(
      "x.onnx",
      onnx::model(onnx::initializer(onnx::tensor("w", onnx::two_floats())) + onnx::initializer(elsewhere) +
                  onnx::initializer(onnx::tensor("u", "", 3, 99)) +
                  onnx::initializer(onnx::tensor("s", bytes_field(6, "1") + bytes_field(6, "2"), 2, 8)) +
                  onnx::node(bytes_field(5, elsewhere)) + bytes_field(15, bytes_field(1, elsewhere)) + input + input) +
          bytes_field(20, ""));
  const json facts = report(folder, "x.onnx --to float16");
  const json& all = facts.at("tensors");
  REQUIRE(all.size() == 4);
  CHECK(all.at(0).at("amax") == 2);
  const std::string types[] = {"float32", "COMPLEX64", "ONNX type 99", "string"};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(all.at(i).at("type") == types[i]);
    CHECK(all.at(i).at("shape") == json{i == 2 ? 3 : 2});
    CHECK(all.at(i).contains("amax") == (i == 0));
    CHECK(all.at(i).contains("cast") == (i == 0));
  }
  CHECK(facts.at("all").at("elements") == 2);
  CHECK(
      program(folder, "info x.onnx --from float64").errors ==
      "castforge: x.onnx: --from float64 matches no tensor; the file holds COMPLEX64, ONNX type 99, float32, string\n");
}

TEST_CASE("info FILE: damaged ONNX models, and external data that are not there") {
  const Folder folder;
  folder.write("data.bin", codes<float>({3, 4}));
  std::filesystem::create_directory(folder.path("d.onnx"));
  const std::string w = onnx::initializer(onnx::tensor("w", onnx::two_floats()));
  const auto v = [](const std::string& elements, std::uint64_t count = 2) {
    return onnx::initializer(onnx::tensor("v", elements, count));
  };
  struct Case {
    std::string contents;
    int code;
    std::string message;
  };
  for (const Case& c : std::vector<Case>{
           {"", 1, "expected an ONNX model, found no graph in it\n"},
           {onnx::model(w).substr(0, 20), 1, "x.onnx: byte "},
           {onnx::model(w + w), 1, "expected initializers of different names, found \"w\" twice\n"},
           {onnx::model(w + v(bytes_field(9, "1234567"))), 1,
            "x.onnx: initializer \"v\": byte 6: raw_data: expected 8 bytes for float32 [2], found 7\n"},
           {onnx::model(w + v(bytes_field(4, codes<float>({1})))), 1,
            "x.onnx: initializer \"v\": float_data: expected 2 entries for 2 elements, found 1\n"},
           {onnx::model(w + v(onnx::external("../data.bin"))), 1, "expected a file below the model's folder"},
           {onnx::model(w + v(onnx::external("d.onnx"))), 1, "expected a regular file, found \"d.onnx\"\n"},
           {onnx::model(w + v(onnx::external("none.bin"))), 4,
            "x.onnx: initializer \"v\": external_data: none.bin: cannot open: No such file or directory\n"},
           {onnx::model(w + v(onnx::pair("offset", "4") + onnx::external("data.bin"))), 1,
            "x.onnx: initializer \"v\": expected 8 bytes from byte 4 of data.bin on, which has 8\n"},
           {onnx::model(w + v(onnx::external("data.bin"), 3)), 1, "expected 12 bytes from byte 0 of data.bin on"}}) {
    folder.write("x.onnx", c.contents);
    const Run run = program(folder, "info x.onnx");
    INFO(run.errors << c.message);
    CHECK(run.code == c.code);
    CHECK(run.output == "");
    CHECK(run.errors.find(c.message) != run.errors.npos);
  }
  // Files of other tensors need not be there.
  folder.write("x.onnx", onnx::model(w + v(onnx::external("none.bin"))));
  CHECK(report(folder, "x.onnx --tensors w").at("tensors").at(0).at("amax") == 2);
  // From wherever the model is named.
  folder.write("x.onnx", onnx::model(v(onnx::external("data.bin"))));
  CHECK(report(folder, '\'' + folder.path("x.onnx") + '\'').at("all").at("amax") == 4);
  std::filesystem::create_directory(folder.path("below"));
  std::filesystem::rename(folder.path("x.onnx"), folder.path("below/x.onnx"));
  std::filesystem::rename(folder.path("data.bin"), folder.path("below/data.bin"));
  CHECK(report(folder, "below/x.onnx").at("all").at("amax") == 4);
  CHECK(program(folder, "info d.onnx").errors == "castforge: d.onnx: cannot read: Is a directory\n");
}

TEST_CASE("info FILE: a damaged member hides none of the others") {
  const Folder folder;
  const std::string good = npy_array("<f4", "(2, 5)", kTenFloats);
  folder.write("x.npz", zip({{"a.npy", "no array"}, {"b.npy", good}, {"c.npy", good.substr(1)}, {"d.npy", good}}));
  for (const char* output : {"", " --json"}) {
    const Run run = program(folder, std::string("info x.npz") + output);
    INFO(run.output);
    CHECK(run.code == 1);
    CHECK(run.errors.starts_with("castforge: x.npz: member \"a.npy\": byte 0: expected the npy signature"));
    CHECK(run.errors.find("; x.npz: member \"c.npy\": byte 0: expected the npy signature") != std::string::npos);
    if (*output == 0) CHECK(run.output.starts_with("x.npz: npz, 2 tensors\n"));
    if (*output == 0) continue;
    const json facts = json::parse(run.output);
    CHECK(facts.at("all").at("elements") == 20);
    CHECK(run.errors == "castforge: " + facts.at("damaged").get<std::string>() + "\n");
  }
  std::vector<ZipPart> many;
  for (char name = 'a'; name <= 'l'; ++name) many.push_back({std::string(1, name) + ".npy", "no array"});
  many.push_back({"m.npy", good});
  folder.write("many.npz", zip(many));
  CHECK(program(folder, "info many.npz").errors.ends_with("; and 2 more\n"));
  // An array of bytes without a type: whoever knows it can say so.
  folder.write("v.npy", npy_array("|V1", "(40,)", kTenFloats));
  CHECK(program(folder, "info v.npy --to float16").output.find("(--from says which type") != std::string::npos);
  CHECK(report(folder, "v.npy --to float16 --from float8e4m3fn").at("all").at("elements") == 40);
  const Run alone = program(folder, "info x.npz --tensors a");
  CHECK(alone.code == 1);
  CHECK(alone.output == "");
}

TEST_CASE("info FILE: bad input") {
  const Folder folder;
  folder.write("x.raw", kTenFloats);
  folder.write("short.npy", npy_array("<f4", "(2, 5)", kTenFloats.substr(1)));
  folder.write("integers.npy", npy_array("<i4", "(2, 5)", kTenFloats));
  std::filesystem::create_directory(folder.path("d.npy"));
  struct Case {
    std::string arguments;
    int code;
    std::string message;
  };
  for (const Case& c :
       std::vector<Case>{{"none.npy", 4, "none.npy: cannot open: No such file or directory"},
                         {"d.npy", 4, "d.npy: cannot read: Is a directory"},
                         {".", 2, ".: expected a file, found a folder; `castforge convert` takes those of checkpoints"},
                         {"short.npy", 1, "expected 40 bytes of data for float32 [2, 5], found 39"},
                         {"x.raw", 2, "raw input says nothing of its type: give it with --from"},
                         {"x.raw --from float61", 2, "--from: unknown type \"float61\""},
                         {"x.raw --from float32 --to float61", 2, "--to: unknown type \"float61\""},
                         {"x.raw --from float32 --tensors a", 2, "--tensors is for safetensors, npz and onnx input"},
                         {"x.npy --input-format NPY", 2, "raw, found \"NPY\": did you mean \"npy\"?\n"},
                         {"x.npy --input-format nyp", 2, "raw, found \"nyp\": did you mean \"npy\"?\n"},
                         {"x.raw --from float64 --input-format tiff", 2,
                          "--input-format: expected npy, npz, safetensors, onnx, pb or raw"},
                         {"x.raw --from float32 --to float4e2m1 --opset onnx@13", 2, "float4e2m1"},
                         {"x.raw --from float32 --opset onnx@23", 2, "expected --to TYPE beside them"},
                         {"x.raw --from float32 --saturate 0", 2, "expected --to TYPE beside them"},
                         {"--isa avx2", 2, "expected --to TYPE beside them"},
                         {"integers.npy --to float16 --opset onyx@23", 2, "onyx@23"},  // tried on nothing
                         {"integers.npy --to float16 --attr ceiling=1", 2, "ceiling"},
                         {"integers.npy --to float16 --isa z80", 2, "z80"},
                         {"--to float16", 2, "--to requires FILE"}}) {
    const Run run = program(folder, "info " + c.arguments);
    INFO(c.arguments << ": " << run.errors);
    CHECK(run.code == c.code);
    CHECK(run.output == "");
    CHECK(run.errors.find(c.message) != std::string::npos);
  }
  // A misspelt pattern is told of before damage of what others match.
  folder.write("x.npz", zip({{"a.npy", "no array"}, {"b.npy", npy_array("<f4", "(2, 5)", kTenFloats)}}));
  CHECK(program(folder, "info x.npz --tensors a").code == 1);
  const Run misspelt = program(folder, "info x.npz --tensors a --tensors c");
  CHECK(misspelt.code == 2);
  CHECK(misspelt.errors == "castforge: x.npz: --tensors \"c\" matches no tensor; `castforge info` lists them\n");
  folder.write("odd.raw", kTenFloats.substr(1));
  CHECK(program(folder, "info odd.raw --from float32").code == 1);
}

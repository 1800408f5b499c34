// The program disturbed at random moments, on full disks, with inputs that shrink and outputs that others write: the
// old output stays whole or the new one is complete.
#include "child.hpp"
#include "onnx_bytes.hpp"

#include "cli/formats/output.hpp"
#include "cli/inspect/tensor_list.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/folder_lock.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <random>
#include <thread>

using namespace cli_test;
using castforge::cli::Failure;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

const Names kCast = {"cast", "in.raw", "out.raw", "--from", "float32", "--to", "float16"};
const Names kConvert = {"convert", "in", "out", "--plan", "plan.json", "--threads", "2"};
constexpr std::string_view kOneTypePlan = R"({"opset": "onnx@28", "default": {"to": "float16"}})";

std::string floats(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes;
  for (std::size_t i = 0; i < 4 * count; ++i) bytes += static_cast<char>(random());
  return bytes;
}

/// A .safetensors file of one float32 tensor.
std::string tensor(std::size_t count, unsigned seed) {
  const std::string n = std::to_string(count), end = std::to_string(4 * count);
  return safetensors(R"({"w":{"dtype":"F32","shape":[)" + n + R"(],"data_offsets":[0,)" + end + "]}}",
                     floats(count, seed));
}

void write_one_tensor(const Folder& folder, std::size_t elements) {
  fs::create_directories(folder.path("in"));
  folder.write("in/model.safetensors", tensor(elements, 3));
  folder.write("plan.json", kOneTypePlan);
}

Names temporaries_below(const std::string& path) {
  Names names;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".tmp") names.push_back(entry.path().string());
  }
  return names;
}

/// Random moments within the time that the undisturbed command takes.
class Moments {
 public:
  Moments(const Folder& folder, const Names& arguments) {
    const Clock::time_point start = Clock::now();
    REQUIRE(Child(folder, arguments).wait().code == 0);
    whole_ = Clock::now() - start;
  }
  void wait() { std::this_thread::sleep_for(moment_(random_) * whole_); }

 private:
  std::mt19937 random_{21};
  std::uniform_real_distribution<double> moment_{0, 1.1};
  std::chrono::duration<double> whole_{};
};

/// What a shell says of commands with a disk of their own, below disk/, of so many KiB.
Run on_small_disk(const Folder& folder, int kilobytes, const std::string& commands) {
  if (std::system("unshare -rm true 2> /dev/null") != 0) SKIP("no disks can be mounted here");
  fs::create_directories(folder.path("disk"));
  const Folder captured;
  folder.write("commands",
               "mount -t tmpfs -o size=" + std::to_string(kilobytes) + "k none disk || exit 99\n" + commands);
  const std::string line = "cd '" + folder.path("") + "' && unshare -rm sh ./commands > '" + captured.path("out") +
                           "' 2> '" + captured.path("err") + "'";
  const int status = std::system(line.c_str());
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 99) SKIP("no disks can be mounted here");
  return {WEXITSTATUS(status), captured.read("out"), captured.read("err")};
}

const std::string kProgram = "'" + program_path() + "' ";

}  // namespace

TEST_CASE("a cast that is ended at any moment leaves the old output or the new one") {
  const Folder folder;
  folder.write("in.raw", floats(1 << 21, 1));
  Moments moments(folder, kCast);
  const std::string complete = folder.read("out.raw");
  int caught = 0;
  for (const int signal_number : {SIGTERM, SIGKILL}) {
    for (int i = 0; i < 20; ++i) {
      folder.write("out.raw", "old");
      Child child(folder, kCast);
      moments.wait();
      child.send(signal_number);
      const End end = child.wait();
      CHECK((end.code == 0 || end.signal == signal_number));
      caught += end.signal == signal_number;
      const std::string left = folder.read("out.raw");
      CHECK((left == "old" || left == complete));
      if (end.code == 0) CHECK(left == complete);
      if (signal_number == SIGTERM) CHECK(folder.names() == Names{"in.raw", "out.raw"});
      for (const std::string& name : temporaries_below(folder.path(""))) fs::remove(name);
    }
  }
  CHECK(caught > 0);
}

TEST_CASE("a conversion that is ended at any moment leaves no temporary file, and goes on where it was") {
  const Folder folder;
  write_one_tensor(folder, 1 << 21);
  Moments moments(folder, kConvert);
  const std::string complete = folder.read("out/model.safetensors");
  int caught = 0;
  for (int i = 0; i < 20; ++i) {
    fs::remove_all(folder.path("out"));
    Child child(folder, kConvert);
    moments.wait();
    child.send(SIGTERM);
    const End end = child.wait();
    CHECK((end.code == 0 || end.signal == SIGTERM));
    caught += end.signal == SIGTERM;
    if (!fs::exists(folder.path("out"))) continue;
    CHECK(temporaries_below(folder.path("out")).empty());
    if (fs::exists(folder.path("out/model.safetensors"))) CHECK(folder.read("out/model.safetensors") == complete);
  }
  CHECK(caught > 0);
  REQUIRE(Child(folder, kConvert).wait().code == 0);
  CHECK(folder.read("out/model.safetensors") == complete);
}

TEST_CASE("a full disk") {
  const Folder folder;
  folder.write("in.raw", floats(1 << 18, 1));
  write_one_tensor(folder, 1 << 18);
  const Run cast = on_small_disk(folder, 256,
                                 "printf old > disk/out.raw\n" + kProgram +
                                     "cast in.raw disk/out.raw --from float32 --to float16\n"
                                     "echo $? $(cat disk/out.raw) $(ls -A disk)\n");
  CHECK(cast.output == "4 old out.raw\n");
  CHECK(cast.errors == "castforge: disk/out.raw: cannot write: No space left on device\n");
  // Half of the output fits; with room the same command goes on.
  const Run convert = on_small_disk(folder, 256,
                                    kProgram +
                                        "convert in disk/out --plan plan.json > log\n"
                                        "echo $? $(find disk -name '*.tmp' -o -name '*.safetensors')\n"
                                        "mount -o remount,size=8m disk && " +
                                        kProgram +
                                        "convert in disk/out --plan plan.json > log\n"
                                        "echo $? $(cd disk && find -name '*.tmp' -o -name '*.safetensors')\n");
  CHECK(convert.output == "4\n0 ./out/model.safetensors\n");
  CHECK(convert.errors.find("No space left on device") != std::string::npos);
}

TEST_CASE("a folder of shards that cannot be written to") {
  const Folder folder;
  write_one_tensor(folder, 64);
  const Run run = on_small_disk(folder, 256,
                                "mkdir disk/out && mount -o remount,ro disk && " + kProgram +
                                    "convert in disk/out --plan plan.json > log\necho $?\n");
  CHECK(run.output == "4\n");
  CHECK(run.errors.find("Read-only file system") != std::string::npos);
}

TEST_CASE("a folder of a result that can be written to no more is named, once") {
  const Folder folder;
  write_one_tensor(folder, 64);
  folder.write("in/other.safetensors", tensor(64, 4));
  const Run run = on_small_disk(folder, 256,
                                kProgram + "convert in disk/out --plan plan.json > log && rm disk/out/*.json && " +
                                    "touch in/* && mount -o remount,ro disk && " + kProgram +
                                    "convert in disk/out --plan plan.json > log\necho $?\n");
  CHECK(run.output == "4\n");
  CHECK(run.errors == "castforge: disk/out: cannot write: Read-only file system\n");
}

TEST_CASE("what was converted is reported where what goes with it cannot be written") {
  const Folder folder;
  write_one_tensor(folder, 64);
  folder.write("in/tokenizer.json", std::string(1 << 19, ' '));  // more than the disk holds
  for (const std::string option : {"--json", "--stats report.json"}) {
    const Run run = on_small_disk(
        folder, 256,
        kProgram + "convert in disk/out --plan plan.json " + option + " > log\ncode=$?\ncat log\nexit $code\n");
    CHECK(run.code == 4);
    CHECK(run.errors == "castforge: disk/out/tokenizer.json: cannot write: No space left on device\n");
    const auto report = nlohmann::json::parse(option == "--json" ? run.output : folder.read("report.json"));
    CHECK(report.at("finished") == false);
    CHECK(report.at("shards").at(0).at("outcome") == "converted");
    CHECK(report.at("shards").at(0).at("tensors").at(0).at("tensor") == "w");
  }
}

TEST_CASE("an input that shrinks while it is read is bad data, in every format") {
  const Folder folder;
  const std::string data(1 << 18, '\1');  // more than readers hold
  const auto count = std::to_string(data.size() / 4);
  const std::pair<std::string, std::string> files[] = {
      {"x.npy", npy_array("<f4", "(" + count + ",)", data)},
      {"x.safetensors",
       safetensors(R"({"w":{"dtype":"F32","shape":[)" + count + R"(],"data_offsets":[0,262144]}})", data)},
      {"x.pb", varint_field(1, data.size() / 4) + varint_field(2, 1) + bytes_field(9, data)},
      {"x.onnx", onnx::model(onnx::initializer(onnx::tensor("w", bytes_field(9, data), data.size() / 4)))},
      {"x.raw", data}};
  for (const auto& [name, contents] : files) {
    INFO(name);
    folder.write(name, contents);
    castforge::cli::InputFile file(folder.path(name));
    const auto format = castforge::cli::file_format(name, "", castforge::cli::FileUse::look);
    bool complained = false;
    const auto read_half = [&, path = folder.path(name),
                            half = contents.size() / 2](const castforge::cli::ListedTensor& tensor) {
      const auto reader = tensor.source->elements();
      std::string codes(4096 * 4, '\0');
      CHECK(reader->read(codes.data(), 4096) == 4096);
      fs::resize_file(path, half);
      try {
        while (reader->read(codes.data(), 4096) != 0) {
        }
      } catch (const Failure& failure) {
        complained = failure.code() == castforge::cli::ExitCode::bad_data;
      }
    };
    castforge::cli::for_each_tensor(file, {.format = format, .from = castforge::find_type("float32"), .tensors = {}},
                                    read_half);
    CHECK(complained);
  }
}

TEST_CASE("two that write one output: it is that of one of them") {
  const Folder folder;
  folder.write("in.raw", floats(1 << 20, 1));
  folder.write("other.raw", floats(1 << 20, 2));
  Names other = kCast;
  other[1] = "other.raw";
  std::string results[2];
  REQUIRE(Child(folder, kCast).wait().code == 0);
  results[0] = folder.read("out.raw");
  REQUIRE(Child(folder, other).wait().code == 0);
  results[1] = folder.read("out.raw");
  REQUIRE(results[0] != results[1]);
  for (int i = 0; i < 10; ++i) {
    folder.write("out.raw", "old");
    Child one(folder, kCast), two(folder, other);
    CHECK(one.wait().code == 0);
    CHECK(two.wait().code == 0);
    const std::string left = folder.read("out.raw");
    CHECK((left == results[0] || left == results[1]));
    CHECK(folder.names() == Names{"in.raw", "other.raw", "out.raw"});
  }
}

TEST_CASE("two conversions into one folder") {
  const Folder folder;
  write_one_tensor(folder, 1 << 18);
  REQUIRE(Child(folder, kConvert).wait().code == 0);
  const std::string complete = folder.read("out/model.safetensors");
  for (int i = 0; i < 20; ++i) {
    fs::remove_all(folder.path("out"));
    Child one(folder, kConvert), two(folder, kConvert);
    CHECK(one.wait().code == 0);  // whoever comes second waits, and finds the work done
    CHECK(two.wait().code == 0);
    CHECK(folder.read("out/model.safetensors") == complete);
    CHECK(temporaries_below(folder.path("out")).empty());
  }
}

TEST_CASE("a conversion that has to wait says for what, and goes on") {
  using castforge::cli::FolderLock;
  const bool removed = GENERATE(false, true);  // does the other one remove its folder at the end?
  const Folder folder;
  write_one_tensor(folder, 1000);
  const std::string state = folder.path("out/.castforge");
  std::optional<FolderLock> other(std::in_place, state, FolderLock::Kind::exclusive, "out");
  folder.write("errors", "");
  Child waiting(folder, kConvert, [] {
    const int file = ::open("errors", O_WRONLY);
    if (::dup2(file, STDERR_FILENO) < 0) ::_exit(126);
  });
  const Clock::time_point last = Clock::now() + std::chrono::minutes(1);
  const auto says = [&] {
    return folder.read("errors") ==
           "castforge: out: another conversion is at work here; this one goes on when it has ended\n";
  };
  while (!says() && Clock::now() < last) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(says());
  CHECK_FALSE(fs::exists(folder.path("out/model.safetensors")));
  if (removed) fs::remove_all(folder.path("out"));
  other.reset();
  CHECK(waiting.wait().code == 0);
  CHECK(fs::exists(folder.path("out/model.safetensors")));
  CHECK(fs::exists(state));
}

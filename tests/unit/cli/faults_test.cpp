// What happens around the program: signals, closed descriptors and pipes, limits, places that cannot be written to.
// The old output stays whole or the new one is complete, and no temporary file is left.
#include "child.hpp"

#include "cli/io/interrupt.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

using namespace cli_test;

namespace {

using Names = std::vector<std::string>;

const std::string kTwoFloats = codes<float>({1, -2});
const std::string kTwoHalves = codes<std::uint16_t>({0x3C00, 0xC000});

/// Waits until the program has made its temporary file.
std::string temporary_of(const Folder& folder) {
  for (int i = 0; i < 3000; ++i) {
    for (const std::string& name : folder.names()) {
      if (name.ends_with(".tmp")) return name;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  FAIL("no temporary file");
  return "";
}

/// In a new process: of no user that owns files here, or the exit code 125 where that is impossible.
void become_another_user() {
  if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(125);
}

mode_t permissions(const std::string& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

const Names kStreamCast = {"cast", "-", "out.raw", "--from", "float32", "--to", "float16"};

}  // namespace

TEST_CASE("signals that end the program remove its temporary file and leave the old output") {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU,
                                  SIGVTALRM, SIGPROF, SIGTRAP, SIGSYS, SIGIO, SIGPWR, SIGSTKFLT, SIGRTMIN, SIGRTMAX}) {
    INFO(::strsignal(signal_number));
    const Folder folder;
    folder.write("out.raw", "old");
    Child child(folder, kStreamCast);
    temporary_of(folder);
    child.send(signal_number);
    const End end = child.wait();
    CHECK(end.signal == signal_number);
    CHECK(folder.names() == Names{"out.raw"});
    CHECK(folder.read("out.raw") == "old");
  }
}

TEST_CASE("a signal removes every temporary file of the program") {
  const Folder folder;
  folder.write("b.tsv", "old");
  // All pairs, so that it is still at work however fast the machine is.
  Child child(folder, {"bench", "--all", "--size", "1Mi", "--seconds", "600", "--json", "a.json", "--tsv", "b.tsv"});
  for (int i = 0; i < 3000 && folder.names().size() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(folder.names().size() == 3);
  child.send(SIGTERM);
  CHECK(child.wait().signal == SIGTERM);
  CHECK(folder.names() == Names{"b.tsv"});
  CHECK(folder.read("b.tsv") == "old");
}

TEST_CASE("a signal that ends a forked process leaves the files of its parent") {
  const Folder folder;
  folder.write(".out.raw.1-0.tmp", "half");
  const std::string path = folder.path(".out.raw.1-0.tmp");
  castforge::cli::remove_when_interrupted(path);
  const auto ended_child = [](const auto& before) {
    const pid_t child = ::fork();
    if (child == 0) {
      before();
      ::raise(SIGUSR1);  // not one that Catch2 handles
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1));
  };
  ended_child([] {});
  CHECK(folder.names() == Names{".out.raw.1-0.tmp"});
  // It removes its own, in a place of a file of its parent, too.
  folder.write(".own.raw.2-0.tmp", "");
  ended_child([&] { castforge::cli::remove_when_interrupted(folder.path(".own.raw.2-0.tmp")); });
  CHECK(folder.names() == Names{".out.raw.1-0.tmp"});
  castforge::cli::nothing_to_remove(path);
}

TEST_CASE("a signal that the parent ignores stays ignored") {
  const Folder folder;
  Child child(folder, kStreamCast, [] { std::signal(SIGHUP, SIG_IGN); });
  temporary_of(folder);
  child.send(SIGHUP);
  child.close_input();
  CHECK(child.wait().code == 0);
  CHECK(folder.names() == Names{"out.raw"});
}

TEST_CASE("a file that may grow no further is an error") {
  const Folder folder;
  folder.write("in.raw", std::string(1 << 20, '\0'));
  folder.write("out.raw", "old");
  // The limit counts blocks of 512 or 1024 bytes; it holds for the captured messages too.
  const Run run = program(folder, "cast in.raw out.raw --from float32 --to float16", "ulimit -f 100;");
  CHECK(run.code == 4);
  CHECK(run.errors == "castforge: out.raw: cannot write: File too large\n");
  CHECK(folder.names() == Names{"in.raw", "out.raw"});
  CHECK(folder.read("out.raw") == "old");
}

TEST_CASE("a temporary file belongs to its owner alone until it gets its permissions") {
  struct Case {
    mode_t mask, old, expected;
  };
  // A new file by the umask; a replaced one as before, without bits that were meant for other contents.
  for (const Case& c : {Case{027, 0, 0640}, Case{0, 0, 0666}, Case{077, 0644, 0644}, Case{022, 07755, 0755}}) {
    const Folder folder;
    if (c.old != 0) {
      folder.write("out.raw", "old");
      REQUIRE(::chmod(folder.path("out.raw").c_str(), c.old) == 0);
    }
    Child child(folder, kStreamCast, [&] { ::umask(c.mask); });
    CHECK(permissions(folder.path(temporary_of(folder))) == 0600);
    child.close_input();
    CHECK(child.wait().code == 0);
    CHECK(permissions(folder.path("out.raw")) == c.expected);
  }
}

TEST_CASE("symbolic links that lead nowhere are not replaced") {
  const Folder folder;
  folder.write("in.raw", kTwoFloats);
  std::filesystem::create_symlink("nowhere.raw", folder.path("dangling.raw"));
  std::filesystem::create_symlink("loop.raw", folder.path("loop.raw"));
  const Names before = folder.names();
  const Run dangling = program(folder, "cast in.raw dangling.raw --from float32 --to float16");
  CHECK(dangling.code == 4);
  CHECK(dangling.errors == "castforge: dangling.raw: cannot follow the symbolic link: No such file or directory\n");
  const Run loop = program(folder, "cast in.raw loop.raw --from float32 --to float16");
  CHECK(loop.code == 4);
  CHECK(loop.errors == "castforge: loop.raw: cannot follow the symbolic link: Too many levels of symbolic links\n");
  CHECK(folder.names() == before);
  CHECK(std::filesystem::is_symlink(folder.path("dangling.raw")));
  CHECK(std::filesystem::is_symlink(folder.path("loop.raw")));
}

TEST_CASE("a folder that cannot be written to") {
  const Folder folder;
  folder.write("in.raw", kTwoFloats);
  folder.write("errors", "");
  REQUIRE(::chmod(folder.path("in.raw").c_str(), 0644) == 0);
  REQUIRE(::chmod(folder.path("").c_str(), 0555) == 0);
  Child child(folder, {"cast", "in.raw", "out.raw", "--from", "float32", "--to", "float16"}, [] {
    ::dup2(::open("errors", O_WRONLY), STDERR_FILENO);
    become_another_user();  // permissions are nothing to the superuser
  });
  const int code = child.wait().code;
  if (code >= 125) SKIP("this program cannot be run by another user here");
  CHECK(code == 4);
  REQUIRE(::chmod(folder.path("").c_str(), 0755) == 0);
  CHECK(folder.names() == Names{"errors", "in.raw"});
  CHECK(folder.read("errors") == "castforge: out.raw: cannot make a file in .: Permission denied\n");
}

TEST_CASE("a file that may not be written is not replaced") {
  const Folder folder;
  folder.write("in.raw", kTwoFloats);
  folder.write("out.raw", "old");
  folder.write("errors", "");
  REQUIRE(::chmod(folder.path("in.raw").c_str(), 0644) == 0);
  REQUIRE(::chmod(folder.path("out.raw").c_str(), 0444) == 0);
  REQUIRE(::chmod(folder.path("").c_str(), 0777) == 0);
  Child child(folder, {"cast", "in.raw", "out.raw", "--from", "float32", "--to", "float16"}, [] {
    ::dup2(::open("errors", O_WRONLY), STDERR_FILENO);
    become_another_user();  // permissions are nothing to the superuser
  });
  const int code = child.wait().code;
  if (code >= 125) SKIP("this program cannot be run by another user here");
  CHECK(code == 4);
  CHECK(folder.read("errors") == "castforge: out.raw: cannot write: Permission denied\n");
  CHECK(folder.read("out.raw") == "old");
  CHECK(folder.names() == Names{"errors", "in.raw", "out.raw"});
}

TEST_CASE("a file that its folder keeps for its owner is not replaced, which is said first") {
  if (::geteuid() != 0) SKIP("this takes two users");
  const Folder folder;
  folder.write("out.raw", "old");
  folder.write("errors", "");
  REQUIRE(::chmod(folder.path("out.raw").c_str(), 0666) == 0);
  REQUIRE(::chmod(folder.path("").c_str(), 01777) == 0);
  Child child(folder, kStreamCast, [] {
    ::dup2(::open("errors", O_WRONLY), STDERR_FILENO);
    become_another_user();
  });
  child.close_input();
  const int code = child.wait().code;
  if (code >= 125) SKIP("this program cannot be run by another user here");
  CHECK(code == 4);
  CHECK(folder.read("errors") == "castforge: out.raw: cannot replace: Operation not permitted\n");
  CHECK(folder.names() == Names{"errors", "out.raw"});
}

TEST_CASE("why a file cannot be reached is said, and a pipe is not waited for") {
  const Folder folder;
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "float16"}})");
  for (const char* name : {"loop.bin", "loop", "loop.cft", "loop.json", "loop.so"})
    REQUIRE(::symlink(name, folder.path(name).c_str()) == 0);
  for (const char* command : {"info loop.bin", "convert loop out --plan plan.json", "--load loop.cft info",
                              "--load loop.json info", "--kernels loop.so info"}) {
    const Run run = program(folder, command);
    INFO(command << ": " << run.errors);
    CHECK(run.code != 0);
    CHECK(run.errors.find("Too many levels of symbolic links") != std::string::npos);
  }
  REQUIRE(::mkfifo(folder.path("pipe.so").c_str(), 0600) == 0);
  CHECK(program(folder, "--kernels pipe.so info").errors ==
        "castforge: --kernels: expected a regular file, found \"pipe.so\"\n");
}

TEST_CASE("one thread is enough where the system gives no other") {
  const Folder folder;
  folder.write("in.raw", kTwoFloats);
  folder.write("out", "");
  REQUIRE(::chmod(folder.path("in.raw").c_str(), 0644) == 0);
  Child child(folder, {"cast", "in.raw", "-", "--from", "float32", "--to", "float16", "--threads", "4"}, [] {
    ::dup2(::open("out", O_WRONLY), STDOUT_FILENO);
    ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // the search for leaks starts a process
    const rlimit one = {1, 1};
    ::setrlimit(RLIMIT_NPROC, &one);
    become_another_user();  // of the superuser's processes there may be any number
  });
  const int code = child.wait().code;
  if (code >= 125) SKIP("this program cannot be run by another user here");
  CHECK(code == 0);
  CHECK(folder.read("out") == kTwoHalves);
}

TEST_CASE("closed standard descriptors never become the program's files") {
  const Folder folder;
  folder.write("in.raw", kTwoFloats);
  const std::string cast = "cast in.raw out.raw --from float32 --to float16 --verbose";
  for (const char* closed : {" >&- 2>&-", " 2>&-", " >&-", " <&- >&- 2>&-"}) {
    INFO(closed);
    CHECK(program(folder, cast + closed).code == 0);
    CHECK(folder.read("out.raw") == kTwoHalves);
  }
  CHECK(program(folder, "list types >&-").code == 4);
  CHECK(program(folder, "cast in.raw - --from float32 --to float16 >&-").code == 4);
  const Run no_input = program(folder, "cast - out.raw --from float32 --to float16 <&-");
  CHECK(no_input.code == 4);
  CHECK(no_input.errors == "castforge: standard input: cannot read: Bad file descriptor\n");
}

TEST_CASE("a reader that has had enough ends the program silently") {
  const Folder folder;
  folder.write("in.raw", kTwoFloats);
  folder.write("errors", "");
  for (const Names& arguments : {Names{"list", "pairs"}, Names{"list", "types", "--json"}, Names{"info"},
                                 Names{"cast", "in.raw", "-", "--from", "float32", "--to", "float16"}}) {
    int output[2];
    REQUIRE(::pipe(output) == 0);
    ::close(output[0]);
    Child child(folder, arguments, [&] {
      ::dup2(output[1], STDOUT_FILENO);
      ::dup2(::open("errors", O_WRONLY | O_APPEND), STDERR_FILENO);
    });
    ::close(output[1]);
    CHECK(child.wait().signal == SIGPIPE);
    CHECK(folder.read("errors") == "");
  }
  // Where the parent wants no such signal it is an error.
  int output[2];
  REQUIRE(::pipe(output) == 0);
  ::close(output[0]);
  Child child(folder, {"list", "pairs"}, [&] {
    std::signal(SIGPIPE, SIG_IGN);
    ::dup2(output[1], STDOUT_FILENO);
    ::dup2(::open("errors", O_WRONLY | O_APPEND), STDERR_FILENO);
  });
  ::close(output[1]);
  CHECK(child.wait().code == 4);
  CHECK(folder.read("errors") == "castforge: standard output: cannot write\n");
}

TEST_CASE("output onto input, whatever the format") {
  const Folder folder;
  folder.write("x.raw", kTwoFloats);
  CHECK(program(folder, "cast x.raw x.raw --from float32 --to float16").code == 0);
  CHECK(folder.read("x.raw") == kTwoHalves);
  folder.write("x.safetensors", safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", kTwoFloats));
  CHECK(program(folder, "cast x.safetensors x.safetensors --to float16").code == 0);
  CHECK(folder.read("x.safetensors").ends_with(kTwoHalves));
  // A file that turns out to be bad stays as it was.
  const std::string bad = npy_array("<f4", "(2,)", kTwoFloats + "?");
  folder.write("x.npy", bad);
  CHECK(program(folder, "cast x.npy x.npy --to float16").code == 1);
  CHECK(folder.read("x.npy") == bad);
  CHECK(folder.names() == Names{"x.npy", "x.raw", "x.safetensors"});
}

TEST_CASE("control characters of file names do not reach the terminal") {
  const Folder folder;
  const auto message = [&](const std::string& name, const std::string& options) {
    const Run run = program(folder, "cast '" + name + "' out.npy --to float16" + options);
    CHECK(run.code != 0);
    return run.errors;
  };
  CHECK(message("a\x1b[31m\nb.npy", "") == "castforge: a\\x1B[31m\\x0Ab.npy: cannot open: No such file or directory\n");
  CHECK(message("\xC2\x9B-\x9B-\x7F.npy", "") ==
        "castforge: \\xC2\\x9B-\\x9B-\\x7F.npy: cannot open: No such file or directory\n");
  CHECK(message("caf\xC3\xA9.npy", "") == "castforge: caf\xC3\xA9.npy: cannot open: No such file or directory\n");
  CHECK(message("a\x1b.xyz", "") == "castforge: a\\x1B.xyz: cannot open: No such file or directory\n");
  CHECK(message("a.npy", " '--c\x1bolour' red").find('\x1b') == std::string::npos);
  folder.write("a\x07.npy", "no array");
  CHECK(message("a\x07.npy", "").starts_with("castforge: a\\x07.npy: byte 0: "));
}

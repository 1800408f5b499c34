// How the programs describe their own command lines, and colours.
#include "support.hpp"

#include "cli/terminal/completion.hpp"
#include "cli/terminal/manual.hpp"

#include <CLI/CLI.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

using namespace cli_test;
namespace terminal = castforge::terminal;

namespace {

/// What bash completes for a command line whose last word is unfinished.
std::vector<std::string> completed(const Folder& folder, const std::vector<std::string>& words) {
  std::string script = "source ./castforge.bash; COMP_WORDS=(";
  for (const std::string& word : words) script += " '" + word + "'";
  script += "); COMP_CWORD=" + std::to_string(words.size() - 1) + "; _castforge; printf '%s\\n' \"${COMPREPLY[@]}\"";
  folder.write("try.bash", script);
  const Run run = program(folder, "--version > version; bash try.bash");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  std::vector<std::string> found;
  std::istringstream lines(run.output);
  for (std::string line; std::getline(lines, line);) found.push_back(line);
  std::sort(found.begin(), found.end());
  return found;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool on_path(const std::string& tool) { return std::system(("command -v " + tool + " > /dev/null 2>&1").c_str()) == 0; }

/// The program's output where standard output and error are a terminal.
std::string on_terminal(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(master >= 0);
  REQUIRE(::grantpt(master) == 0);
  REQUIRE(::unlockpt(master) == 0);
  const int terminal_end = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
  REQUIRE(terminal_end >= 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(terminal_end, STDOUT_FILENO);
    ::dup2(terminal_end, STDERR_FILENO);
    std::vector<std::string> all = {program_path()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv, envp;
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<std::string> variables = environment;
    for (std::string& word : variables) envp.push_back(word.data());
    envp.push_back(nullptr);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  ::close(terminal_end);
  std::string output;
  char block[4096];
  for (ssize_t got; (got = ::read(master, block, sizeof block)) > 0;)
    output.append(block, static_cast<std::size_t>(got));
  ::waitpid(child, nullptr, 0);
  ::close(master);
  return output;
}

}  // namespace

TEST_CASE("bash completes commands, options, values and operands") {
  const Folder folder;
  folder.write("castforge.bash", program(folder, "completion bash").output);
  folder.write("tensor.npy", "");
  CHECK(completed(folder, {"castforge", "ca"}) == std::vector<std::string>{"cast"});
  CHECK(completed(folder, {"castforge", "--ver"}) == std::vector<std::string>{"--version"});
  CHECK(completed(folder, {"castforge", "cast", "--verb"}) == std::vector<std::string>{"--verbose"});
  CHECK(has(completed(folder, {"castforge", "cast", "a", "b", "--to", "float8"}), "float8e4m3fn"));
  CHECK(has(completed(folder, {"castforge", "cast", "a", "b", "--to", "=", "float8"}), "float8e4m3fn"));
  CHECK(has(completed(folder, {"castforge", "cast", "a", "b", "--opset", "onnx@2"}), "onnx@23"));
  CHECK(completed(folder, {"castforge", "cast", "tens"}) == std::vector<std::string>{"tensor.npy"});
  CHECK(completed(folder, {"castforge", "list", ""}) == std::vector<std::string>{"opsets", "pairs", "shelf", "types"});
  CHECK(completed(folder, {"castforge", "--load", "x.json", "list", "ty"}) == std::vector<std::string>{"types"});
  CHECK(completed(folder, {"castforge", "completion", ""}) == std::vector<std::string>{"bash", "fish", "zsh"});
}

TEST_CASE("bash completes values of attributes, of whatever op-set") {
  using Words = std::vector<std::string>;
  const Folder folder;
  folder.write("castforge.bash", program(folder, "completion bash").output);
  const auto after = [&](const Words& typed) {
    Words words = {"castforge", "cast", "a", "b"};
    words.insert(words.end(), typed.begin(), typed.end());
    return completed(folder, words);
  };
  CHECK(after({"--saturate", ""}) == Words{"0", "1"});
  CHECK(after({"--round-mode", "d"}) == Words{"down"});
  CHECK(after({"--round-mode", "=", "d"}) == Words{"down"});
  CHECK(has(after({"--mode", "CAST_R"}), "CAST_RINT"));
  CHECK(after({"--attr", "satu"}) ==
        Words{"saturate=0", "saturate=1", "saturation=SatFinite", "saturation=SatNone", "saturation=SatPropagate"});
  // bash takes the words apart at the sign, and replaces the last part.
  CHECK(after({"--attr", "saturate", "="}) == Words{"0", "1"});
  CHECK(after({"--attr", "round_mode", "=", "n"}) == Words{"nearest"});
  CHECK(after({"--attr", "=", "round_mode", "=", "n"}) == Words{"nearest"});
  CHECK(after({"--attr", "=", "round_mode", "="}) == Words{"down", "nearest", "up"});
  CHECK(after({"--attr", "saturate", "=", "0", "--to", "float8e8"}) == Words{"float8e8m0"});
  // And at the sign before a version, which it replaces too.
  const Words of_pypto = {"@2026-03", "@8.5.0"};
  CHECK(after({"--opset", "pypto", "@"}) == of_pypto);
  CHECK(after({"--opset", "pypto", "@", "8"}) == Words{"@8.5.0"});
  CHECK(after({"--opset", "=", "pypto", "@", "8"}) == Words{"@8.5.0"});
  CHECK(after({"--opset", "pypto@8"}) == Words{"pypto@8.5.0"});
  CHECK(after({"--opset", "pypto", "@", "8.5.0", "--mode", "CAST_RO"}) == Words{"CAST_ROUND"});
  for (const std::string& shell : terminal::completion_shells())
    CHECK(program(folder, "completion " + shell).output.find("round_mode=nearest") != std::string::npos);
}

TEST_CASE("bash completes names of files with blanks and other characters that shells look for") {
  const Folder folder;
  folder.write("castforge.bash", program(folder, "completion bash").output);
  for (const char* name : {"two words.npy", "two more", "twice*.npy"}) folder.write(name, "");
  const std::vector<std::string> all = {"twice*.npy", "two more", "two words.npy"};
  CHECK(completed(folder, {"castforge", "cast", "tw"}) == all);
  CHECK(completed(folder, {"castforge", "cast", "two w"}) == std::vector<std::string>{"two words.npy"});
  CHECK(completed(folder, {"castforge", "convert", "in", "out", "--plan", "tw"}) == all);
}

TEST_CASE("completion offers what the command takes") {
  using Words = std::vector<std::string>;
  const Folder folder;
  folder.write("castforge.bash", program(folder, "completion bash").output);
  const Words written = {"npy", "pb", "raw", "safetensors"}, read = {"npy", "npz", "pb", "raw", "safetensors"},
              looked_into = {"npy", "npz", "onnx", "pb", "raw", "safetensors"};
  CHECK(completed(folder, {"castforge", "cast", "--output-format", ""}) == written);
  CHECK(completed(folder, {"castforge", "range", "--output-format", ""}) == written);
  CHECK(completed(folder, {"castforge", "cast", "--input-format", ""}) == read);
  CHECK(completed(folder, {"castforge", "info", "--input-format", ""}) == looked_into);
  const Words of_ranges = completed(folder, {"castforge", "range", "--opset", ""});
  CHECK(has(of_ranges, "onnx-range@27"));
  CHECK(!has(of_ranges, "onnx@28"));
  for (const char* command : {"cast", "info", "bench"}) {
    const Words of_casts = completed(folder, {"castforge", command, "--opset", ""});
    INFO(command);
    CHECK(has(of_casts, "onnx@28"));
    CHECK(has(of_casts, "onnx-bitcast@26"));
    CHECK(!has(of_casts, "onnx-range@27"));
  }
  const Words listed = completed(folder, {"castforge", "list", "pairs", "--opset", "onnx"});
  CHECK(has(listed, "onnx@28"));
  CHECK(has(listed, "onnx-range@27"));
  CHECK(completed(folder, {"castforge", "range", "--attr", "stash"}) ==
        Words{"stash_type=float32", "stash_type=float64"});
  CHECK(!has(completed(folder, {"castforge", "cast", "--attr", ""}), "stash_type=float32"));
  CHECK(completed(folder, {"castforge", "range", "--stash-type", ""}) == Words{"float32", "float64"});
  CHECK(completed(folder, {"castforge", "manual", "c"}) == Words{"cast", "completion", "convert"});
}

TEST_CASE("completion scripts and manual pages know every command and option") {
  const Folder folder;
  for (const std::string& shell : terminal::completion_shells()) {
    const Run run = program(folder, "completion " + shell);
    CHECK(run.code == 0);
    for (const char* word : {"cast", "convert", "verify", "round-mode", "float8e4m3fn", "onnx@28", "tensors"}) {
      INFO(shell << ": " << word);
      CHECK(run.output.find(word) != std::string::npos);
    }
    if (!on_path(shell)) continue;
    folder.write("script", run.output);
    CHECK(program(folder, "--version; " + shell + " -n script").code == 0);
  }
  for (const auto& [shell, near] : {std::pair("tcsh", ""), {"fihs", ": did you mean \"fish\"?"}}) {
    const Run other = program(folder, "completion " + std::string(shell));
    CHECK(other.code == 2);
    CHECK(other.errors == "castforge: SHELL: expected bash, zsh or fish, found \"" + std::string(shell) + "\"" + near +
                              "\nRun with --help for more information.\n");
  }

  std::filesystem::create_directory(folder.path("man"));
  REQUIRE(program(folder, "manual -o man").code == 0);
  for (const char* command :
       {"", "-cast", "-convert", "-info", "-list", "-range", "-bench", "-verify", "-completion"}) {
    const std::string page = folder.read("man/castforge" + std::string(command) + ".1");
    for (const char* section : {".TH ", ".SH NAME\n", ".SH SYNOPSIS\n", ".SH OPTIONS\n"}) {
      INFO(command << section);
      CHECK(page.find(section) != std::string::npos);
    }
    for (const char* value : {"\\fITEXT", "\\fIINT", "\\fIUINT", "\\fIFLOAT"}) {  // CLI11's, of values without a name
      INFO(command << value);
      CHECK(page.find(value) == std::string::npos);
    }
    if (!on_path("groff")) continue;
    folder.write("page.1", page);
    const Run formatted = program(folder, "--version; groff -man -ww -Tutf8 page.1 > page.txt");
    CHECK(formatted.errors == "");
  }
  CHECK(program(folder, "manual cast").output == folder.read("man/castforge-cast.1"));
  const Run unknown = program(folder, "manual csat");
  CHECK(unknown.code == 2);
  CHECK(unknown.errors.find("COMMAND: \"csat\" is no command of castforge: did you mean \"cast\"?\n") !=
        std::string::npos);
  CHECK(program(folder, "manual -o nowhere").code == 4);
  CHECK(program(folder, "completion bash -o nowhere/x").code == 4);
}

TEST_CASE("manual pages and completions are made of the definitions, whatever text they have") {
  CLI::App app("Says [it's] all: a\\b", "tool");
  bool flag = false;
  std::string value;
  CLI::App* command = app.add_subcommand("go", "Go; and more");
  command->add_flag("-f,--flag", flag, "It's a \"flag\" [of] kinds: all\n.leading point");
  command->add_option("--word", value, "One of these")->check(CLI::IsMember({"a", "b"}));
  command->add_option("--kind", value, "A kind")->type_name("VALUE");
  command->add_option("--other", value, "Another one")->type_name("VALUE");
  command->add_option("--hidden", value, "Not to be seen")->group("");
  command->add_option("FILE", value, "The file")->type_name("FILE")->required();
  const terminal::CommandFacts facts =
      terminal::command_facts(app, {{"--kind VALUE", {"plain", "$(touch made)", "a b", "it's"}}});
  REQUIRE(facts.commands.size() == 1);
  const terminal::CommandFacts& go = facts.commands.front();
  REQUIRE(go.positionals.size() == 1);
  CHECK(go.positionals.front().is_path);
  CHECK(go.positionals.front().required);
  const auto words_of = [&](const std::string& name) {
    const auto option =
        std::find_if(go.options.begin(), go.options.end(), [&](const auto& o) { return o.name() == name; });
    REQUIRE(option != go.options.end());
    return option->words;
  };
  CHECK(words_of("--word") == std::vector<std::string>{"a", "b"});
  CHECK(words_of("--kind").size() == 4);
  CHECK(words_of("--other").empty());
  CHECK(std::none_of(go.options.begin(), go.options.end(), [](const auto& o) { return o.name() == "--hidden"; }));

  const std::string page = terminal::manual_pages(facts, "1.0").at("tool-go.1");
  CHECK(page.find("\n.leading") == std::string::npos);  // a request to the formatter otherwise
  CHECK(page.find("\\&.leading") != std::string::npos);
  const Folder folder;
  for (const std::string& shell : terminal::completion_shells()) {
    const std::string script = terminal::completion_script(facts, shell);
    CHECK(script.find("plain") != std::string::npos);
    CHECK(script.find("touch") == std::string::npos);  // what a shell would run
    if (!on_path(shell)) continue;
    folder.write("script", script);
    CHECK(program(folder, "--version; " + shell + " -n script").code == 0);
  }
}

TEST_CASE("colours are for terminals that want them") {
  const auto coloured = [](const std::vector<std::string>& environment) {
    return on_terminal({"cast"}, environment).find('\033') != std::string::npos;
  };
  CHECK(coloured({"TERM=xterm"}));
  CHECK(coloured({"TERM=xterm", "NO_COLOR="}));
  CHECK_FALSE(coloured({"TERM=xterm", "NO_COLOR=1"}));
  CHECK_FALSE(coloured({"TERM=dumb"}));
  CHECK_FALSE(coloured({}));
  CHECK(on_terminal({"info"}, {"TERM=xterm"}).find("\033[32m") != std::string::npos);
  const Folder folder;
  CHECK(program(folder, "cast", "TERM=xterm").errors.find('\033') == std::string::npos);  // no terminal
}

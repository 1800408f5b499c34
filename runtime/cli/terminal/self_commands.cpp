#include "cli/terminal/self_commands.hpp"

#include "cli/io/failure.hpp"
#include "cli/terminal/completion.hpp"
#include "cli/terminal/manual.hpp"
#include "cli/terminal/usage.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <utility>

namespace castforge::terminal {
namespace {

struct Options {
  std::string shell, out, command;
};

CommandFacts facts_of(const SelfCommands& self) {
  ValueWords words = self.words();
  for (const CommandFacts& command : command_facts(self.program, {}).commands)
    words["manual COMMAND COMMAND"].push_back(command.name);
  return command_facts(self.program, words);
}

void add_completion(const std::shared_ptr<SelfCommands>& self) {
  auto options = std::make_shared<Options>();
  const std::string name = self->program.get_name();
  CLI::App* command = self->program.add_subcommand(
      "completion", "Print a script by which a shell completes this program's command line");
  command->add_option("SHELL", options->shell, "bash, zsh or fish")->required()->check(one_of(completion_shells()));
  command->add_option("-o,--output", options->out, "File to write instead")->type_name("FILE");
  command->footer("Examples:\n  source <(" + name + " completion bash)\n  " + name +
                  " completion fish > ~/.config/fish/completions/" + name + ".fish");
  command->callback([self, options] {
    const std::string script = completion_script(facts_of(*self), options->shell);
    if (options->out.empty()) std::cout << script;
    else self->write_file(options->out, script);
  });
}

void add_manual(const std::shared_ptr<SelfCommands>& self) {
  auto options = std::make_shared<Options>();
  const std::string name = self->program.get_name();
  CLI::App* command = self->program.add_subcommand("manual", "Print the manual page of this program or of a command");
  command->add_option("COMMAND", options->command, "The command; the program itself where none is given")
      ->type_name("COMMAND");
  command->add_option("-o,--output", options->out, "Existing folder to write all pages to instead, as NAME.1")
      ->type_name("FOLDER");
  const std::string some =
      self->program.get_subcommands([](const CLI::App* one) { return !one->get_name().empty(); }).front()->get_name();
  command->footer("Examples:\n  " + name + " manual " + some + " | man -l -\n  " + name +
                  " manual -o ~/.local/share/man/man1");
  command->callback([self, options] {
    const CommandFacts facts = facts_of(*self);
    const auto pages = manual_pages(facts, self->version);
    if (!options->out.empty()) {
      for (const auto& [file, page] : pages) self->write_file(options->out + "/" + file, page);
      return;
    }
    const std::string& program = self->program.get_name();
    const auto page = pages.find(program + (options->command.empty() ? "" : "-" + options->command) + ".1");
    if (page == pages.end()) {
      std::vector<std::string> names;
      for (const CommandFacts& one : facts.commands) names.push_back(one.name);
      throw CLI::ValidationError("COMMAND", cli::text(cli::in_quotes(options->command), " is no command of ", program,
                                                      cli::did_you_mean(options->command, names)));
    }
    std::cout << page->second;
  });
}

}  // namespace

void add_self_commands(SelfCommands commands) {
  const auto self = std::make_shared<SelfCommands>(std::move(commands));
  add_completion(self);
  add_manual(self);
}

}  // namespace castforge::terminal

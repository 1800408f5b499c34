#include "cli/terminal/command_facts.hpp"

#include "cli/io/words.hpp"

#include <CLI/CLI.hpp>

namespace castforge::terminal {
namespace {

/// The words of "TEXT:{a,b}", what CLI::IsMember and the like say of themselves.
std::vector<std::string> words_of_set(const std::string& type) {
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos || close <= open + 1) return {};
  return cli::split(type.substr(open + 1, close - open - 1), ',');
}

ArgumentFacts argument_facts(const std::string& command, const CLI::Option& option, const ValueWords& words) {
  ArgumentFacts facts;
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  if (option.get_positional()) facts.names = {option.get_name(true)};
  facts.help = option.get_description();
  facts.preset = option.get_default_str();
  facts.required = option.get_required();
  facts.repeats = option.get_expected_max() > 1;
  if (option.get_items_expected_max() == 0) return facts;

  // "TYPE:FILE:{a,b}": the name, then what each check says of itself.
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  facts.value = type.substr(0, colon);
  if (colon != std::string::npos && type.find("(existing)") == std::string::npos)
    facts.admitted = type.substr(colon + 1);
  facts.words = words_of_set(type);
  const std::string of_option = facts.name() + ' ' + facts.value;
  for (const std::string& key : {command + ' ' + of_option, of_option, facts.value}) {
    if (const auto known = words.find(key); known != words.end() && facts.words.empty()) facts.words = known->second;
  }
  for (const char* path : {"FILE", "FOLDER", "PATH"}) facts.is_path = facts.is_path || facts.value == path;
  return facts;
}

}  // namespace

CommandFacts command_facts(const CLI::App& app, const ValueWords& words) {
  CommandFacts facts;
  facts.name = app.get_name();
  facts.description = app.get_description();
  facts.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? facts.positionals : facts.options)
        .push_back(argument_facts(facts.name, *option, words));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    facts.commands.push_back(command_facts(*command, words));
  }
  return facts;
}

}  // namespace castforge::terminal

#include "cli/terminal/usage.hpp"

#include "cli/io/failure.hpp"
#include "cli/terminal/parse_message.hpp"
#include "cli/terminal/whole_number.hpp"

#include <algorithm>

namespace castforge::terminal {
namespace {

using cli::did_you_mean;
using cli::in_quotes;
using cli::text;

/// Neither "-" nor a number, which may be negative, is an option.
bool looks_like_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '.' && (word[1] < '0' || word[1] > '9');
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : word == words.back() ? " or " : ", ") + word;
  return CLI::Validator(
      [words, list](const std::string& given) {
        if (std::find(words.begin(), words.end(), given) != words.end()) return std::string();
        return text("expected ", list, ", found ", in_quotes(given), did_you_mean(given, words));
      },
      CLI::detail::generate_set(words));
}

CLI::Validator number_from(std::int64_t least, std::int64_t most) {
  const std::string range = text(least, " to ", most);
  return CLI::Validator(
      [=](std::string& given) {
        const auto number = whole_number(given, least, most);
        if (!number) return text("expected a number from ", range, ", found ", in_quotes(given));
        given = text(*number);  // leading zeros would mean base 8 to what reads it next
        return std::string();
      },
      range);
}

void add_threads(CLI::App& command, unsigned& threads, const std::string& what, int most) {
  command.add_option("--threads", threads, what + "; 0 is one per processor")
      ->type_name("N")
      ->transform(number_from(0, most))
      ->capture_default_str();
}

CLI::Validator not_empty(const std::string& what) {
  return CLI::Validator(
      [what](const std::string& given) { return given.empty() ? text("expected ", what, ", found \"\"") : ""; }, "");
}

void refuse_empty_values(CLI::App& program) {
  for (CLI::Option* option : program.get_options([](const CLI::Option*) { return true; })) {
    if (option->get_items_expected_min() > 0) option->check(not_empty("a value"));  // no flag
  }
  for (CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) refuse_empty_values(*command);
}

std::string complaint(const CLI::App& program, int argc, const char* const* argv, const std::string& what) {
  const CLI::App* command = nullptr;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (command == nullptr && !word.starts_with('-')) {
      std::vector<std::string> names;
      for (const CLI::App* known : program.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(known->get_name());
        if (known->get_name() == word) command = known;
      }
      if (command != nullptr) continue;
      return text(in_quotes(word), " is no command", did_you_mean(word, names),
                  "\nRun with --help for the list of them.");
    }
    if (word == "--") break;  // no options from here on
    if (!looks_like_option(word)) continue;
    const CLI::App& scope = command == nullptr ? program : *command;
    const bool is_short = word[1] != '-';
    const std::string name = word.substr(0, word.find('='));
    if (is_short && scope.get_option_no_throw(word.substr(0, 2)) != nullptr) continue;
    if (const CLI::Option* option = scope.get_option_no_throw(name); option != nullptr) {
      const bool value_follows = option->get_items_expected_min() > 0 && name == word;
      if (command == nullptr && value_follows) ++i;
      continue;
    }
    std::vector<std::string> names;
    for (const CLI::Option* option : scope.get_options()) {
      for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
    }
    if (command != nullptr && program.get_option_no_throw(name) != nullptr) {
      return text(in_quotes(name), " stands before the command: ", program.get_name(), ' ', name, " ... ",
                  command->get_name(), " ...");
    }
    return text(in_quotes(name), " is no option", command == nullptr ? "" : " of " + command->get_name(),
                did_you_mean(is_short ? '-' + name : name, names), "\nRun with --help for the list of them.");
  }
  if (what.starts_with("The following argument")) {  // which CLI11 names from the last one on
    std::string found;
    for (const std::string& word : program.remaining(true)) found += (found.empty() ? "" : ", ") + in_quotes(word);
    return text("expected no more words, found ", found, "\nRun with --help for more information.");
  }
  return text(in_plain_words(what), "\nRun with --help for more information.");
}

}  // namespace castforge::terminal

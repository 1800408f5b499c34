#include "cli/terminal/completion.hpp"

#include "cli/io/printable.hpp"
#include "cli/io/words.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace castforge::terminal {
namespace {

using cli::in_single_quotes;
using cli::joined;

/// The words that shells take as they stand: in lists of words they look for more than blanks.
std::string offered(const ArgumentFacts& argument) {
  constexpr std::string_view kOthers = "_-.:,/@+=";
  std::vector<std::string> plain;
  std::copy_if(argument.words.begin(), argument.words.end(), std::back_inserter(plain), [&](const std::string& word) {
    return std::all_of(word.begin(), word.end(), [&](char c) {
      return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
             kOthers.find(c) != kOthers.npos;
    });
  });
  return joined(plain, " ");
}

/// The first sentence or clause of a help text: what fits beside a name.
std::string brief(const std::string& help) {
  return help.substr(0, std::min({help.find(". "), help.find("; "), help.find('\n')}));
}

/// "castforge_gen": what may be part of a function's name.
std::string identifier(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> names_of(const std::vector<ArgumentFacts>& options) {
  std::vector<std::string> names;
  for (const ArgumentFacts& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> names_of(const std::vector<CommandFacts>& commands) {
  std::vector<std::string> names;
  for (const CommandFacts& command : commands) names.push_back(command.name);
  return names;
}

// ---- bash

/// `-o|--out`, or `cast,-o|cast,--out` with a command before.
std::string bash_pattern(const std::string& before, const ArgumentFacts& option) {
  std::string out;
  for (const std::string& name : option.names) out += (out.empty() ? "" : "|") + before + name;
  return out;
}

std::string bash_candidates(const ArgumentFacts& argument) {
  if (!argument.words.empty())
    return "COMPREPLY=($(compgen -W " + in_single_quotes(offered(argument)) + " -- \"$cur\"))";
  // Names may have blanks: a line each.
  if (argument.is_path) return "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")";
  return ":";
}

std::string bash_script(const CommandFacts& program) {
  const std::string function = "_" + identifier(program.name);
  std::string values, operands, words;
  const auto add = [&](const CommandFacts& command, const std::string& before) {
    std::vector<std::string> names = names_of(command.options);
    for (const ArgumentFacts& option : command.options) {
      if (option.value.empty()) continue;
      values += "    " + bash_pattern(before, option) + ") " + bash_candidates(option) + "; found=yes ;;\n";
    }
    for (std::size_t i = 0; i < command.positionals.size(); ++i) {
      const ArgumentFacts& operand = command.positionals[i];
      const std::string place = operand.repeats ? "*" : std::to_string(i);
      operands += "    " + before + place + ") " + bash_candidates(operand) + " ;;\n";
    }
    if (!command.commands.empty()) names = names_of(command.commands);
    words += "    " + before + ") words=" + in_single_quotes(joined(names, " ")) + " ;;\n";
    if (!command.commands.empty())
      words += "    ,-*) words=" + in_single_quotes(joined(names_of(command.options), " ")) + " ;;\n";
  };
  add(program, ",");
  for (const CommandFacts& command : program.commands) add(command, command.name + ",");

  std::vector<std::string> with_value;  // every option that takes one, behind "COMMAND,"
  const auto collect = [&](const CommandFacts& command, const std::string& before) {
    for (const ArgumentFacts& option : command.options) {
      if (!option.value.empty()) with_value.push_back(bash_pattern(before, option));
    }
  };
  collect(program, ",");
  for (const CommandFacts& command : program.commands) collect(command, command.name + ",");
  if (with_value.empty()) with_value.emplace_back("'no option'");

  return "# bash completion for " + program.name + ", made by `" + program.name + " completion bash`\n" + function +
         "() {\n"
         "  local typed=() kept= command= operand=0 skip= found= name= last at cur prev word words i\n"
         "  COMPREPLY=()\n"
         "  # `onnx@2` comes as three words, and is replaced from the sign on.\n"
         "  for ((i = 0; i <= COMP_CWORD; i++)); do\n"
         "    word=${COMP_WORDS[i]} last=$((${#typed[@]} - 1))\n"
         "    if [[ $i -gt 0 && ( $word == @ || ${COMP_WORDS[i-1]} == @ ) ]]; then\n"
         "      [[ $word == @ ]] && kept=${typed[last]}\n"
         "      typed[last]+=$word\n"
         "    else\n"
         "      typed+=(\"$word\") kept=\n"
         "    fi\n"
         "  done\n"
         "  last=$((${#typed[@]} - 1))\n"
         "  cur=${typed[last]} at=$((last - 1))\n"
         "  # `--to=x` comes as three words, and so does `a=x`, of which only what follows the sign is replaced.\n"
         "  if [[ $cur == = ]]; then cur=; at=$last; fi\n"
         "  if [[ ${typed[at]} == = ]]; then\n"
         "    at=$((at - 1))\n"
         "    if [[ ${typed[at]} != -* ]]; then\n"
         "      name=${typed[at]}= at=$((at - 1))\n"
         "      [[ ${typed[at]} == = ]] && at=$((at - 1))\n"
         "    fi\n"
         "  fi\n"
         "  prev=${typed[at]} cur=$name$cur kept=$name$kept\n"
         "  for ((i = 1; i < last; i++)); do\n"
         "    word=${typed[i]}\n"
         "    if [[ $word == = ]]; then skip=yes; continue; fi\n"
         "    if [[ $skip ]]; then skip=; continue; fi\n"
         "    case $command,$word in\n"
         "      " +
         joined(with_value, "|") +
         ") skip=yes ;;\n"
         "      *,-?*) ;;\n"
         "      *) if [[ $command ]]; then operand=$((operand + 1)); else command=$word; fi ;;\n"
         "    esac\n"
         "  done\n"
         "  case $command,$prev in\n" +
         values +
         "  esac\n"
         "  if [[ ! $found && $cur != -* && $command ]]; then\n"
         "    case $command,$operand in\n" +
         operands +
         "    esac\n"
         "    [[ ${#COMPREPLY[@]} -gt 0 ]] && found=yes\n"
         "  fi\n"
         "  if [[ $found ]]; then COMPREPLY=(\"${COMPREPLY[@]#\"$kept\"}\"); return; fi\n"
         "  word=$command,\n"
         "  [[ ! $command && $cur == -* ]] && word=,-\n"
         "  case $word in\n" +
         words +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "}\n"
         "complete -F " +
         function + " " + program.name + "\n";
}

// ---- zsh

/// Within [...] of _arguments, or a word before a colon.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '[' || c == ']' || c == ':' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string zsh_value(const ArgumentFacts& argument) {
  const std::string action = !argument.words.empty() ? "(" + offered(argument) + ")"
                             : argument.is_path      ? "_files"
                                                     : " ";
  return ":" + zsh_text(argument.value) + ":" + action;
}

/// Arguments of _arguments, a line each.
std::string zsh_arguments(const CommandFacts& command, const std::string& indent) {
  std::string out;
  for (const ArgumentFacts& option : command.options) {
    const std::string others = option.repeats ? "*" : "(" + joined(option.names, " ") + ")";
    for (const std::string& name : option.names) {
      const bool takes = !option.value.empty();
      const std::string spec = others + name + (takes && name.starts_with("--") ? "=" : "") + "[" +
                               zsh_text(brief(option.help)) + "]" + (takes ? zsh_value(option) : "");
      out += " \\\n" + indent + in_single_quotes(spec);
    }
  }
  for (std::size_t i = 0; i < command.positionals.size(); ++i) {
    const ArgumentFacts& operand = command.positionals[i];
    ArgumentFacts shown = operand;
    shown.value = operand.name();
    out += " \\\n" + indent + in_single_quotes((operand.repeats ? "*" : std::to_string(i + 1)) + zsh_value(shown));
  }
  return out;
}

std::string zsh_script(const CommandFacts& program) {
  std::string described, cases;
  for (const CommandFacts& command : program.commands) {
    described += "    " + in_single_quotes(zsh_text(command.name) + ":" + brief(command.description)) + "\n";
    cases += "    " + command.name + ") _arguments -s" + zsh_arguments(command, "      ") + " ;;\n";
  }
  const std::string function = "_" + identifier(program.name);
  return "#compdef " + program.name + "\n# zsh completion, made by `" + program.name + " completion zsh`\n" + function +
         "() {\n"
         "  local -a commands\n"
         "  local context state state_descr line\n"
         "  typeset -A opt_args\n"
         "  commands=(\n" +
         described +
         "  )\n"
         "  _arguments -s -C" +
         zsh_arguments(program, "    ") +
         " \\\n    '1:command:->command' '*::argument:->argument'\n"
         "  if [[ $state == command ]]; then _describe command commands; return; fi\n"
         "  [[ $state == argument ]] || return\n"
         "  case $words[1] in\n" +
         cases +
         "  esac\n"
         "}\n"
         // Sourced by hand it registers itself; found on $fpath it is the function's body.
         "if [[ $funcstack[1] == " +
         function + " ]]; then\n  " + function + " \"$@\"\nelse\n  compdef " + function + " " + program.name + "\nfi\n";
}

// ---- fish

/// In single quotes, as fish reads it.
std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

std::string fish_values(const ArgumentFacts& argument) {
  if (!argument.words.empty()) return " -x -a " + fish_quoted(offered(argument));
  return argument.is_path ? " -r -F" : " -x";
}

std::string fish_script(const CommandFacts& program) {
  std::string out = "# fish completion for " + program.name + ", made by `" + program.name + " completion fish`\n" +
                    "complete -c " + program.name + " -f\n";
  const auto add = [&](const CommandFacts& command, const std::string& condition) {
    for (const ArgumentFacts& option : command.options) {
      out += "complete -c " + program.name + " -n " + fish_quoted(condition);
      for (const std::string& name : option.names) {
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.value.empty()) out += fish_values(option);
      out += " -d " + fish_quoted(brief(option.help)) + "\n";
    }
    for (const ArgumentFacts& operand : command.positionals) {
      if (operand.words.empty() && !operand.is_path) continue;
      out += "complete -c " + program.name + " -n " + fish_quoted(condition);
      out += operand.is_path ? " -F" : " -a " + fish_quoted(offered(operand));
      out += "\n";
    }
  };
  add(program, "__fish_use_subcommand");
  for (const CommandFacts& command : program.commands) {
    out += "complete -c " + program.name + " -n '__fish_use_subcommand' -a " + command.name + " -d " +
           fish_quoted(brief(command.description)) + "\n";
    add(command, "__fish_seen_subcommand_from " + command.name);
  }
  return out;
}

}  // namespace

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  return shells;
}

std::string completion_script(const CommandFacts& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  return shell == "zsh" ? zsh_script(program) : fish_script(program);
}

}  // namespace castforge::terminal

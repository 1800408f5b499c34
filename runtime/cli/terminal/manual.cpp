#include "cli/terminal/manual.hpp"

#include <sstream>

namespace castforge::terminal {
namespace {

/// Text as it is: what man(7) would take for requests, escapes and hyphens that it may break at, made plain.
std::string plain(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '.' || c == '\'') && (i == 0 || text[i - 1] == '\n')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\'') out += "\\(aq";
    else if (c == '`') out += "\\(ga";
    else if (c == '^') out += "\\(ha";
    else if (c == '~') out += "\\(ti";
    else out += c;
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

void add_argument(std::string& out, const ArgumentFacts& argument, bool positional) {
  out += ".TP\n";
  std::string heading;
  for (const std::string& name : argument.names) {
    heading += (heading.empty() ? "" : ", ") + (positional ? italic(name) : bold(name));
  }
  if (!positional && !argument.value.empty()) heading += " " + italic(argument.value);
  out += heading + "\n" + plain(argument.help) + "\n";
  std::string more;
  const auto say = [&more](const std::string& sentence) { more += (more.empty() ? "" : " ") + sentence; };
  if (argument.required) say("Required.");
  if (!argument.admitted.empty()) say("Values: " + plain(argument.admitted) + ".");
  if (!argument.preset.empty()) say("Default: " + plain(argument.preset) + ".");
  if (!more.empty()) out += ".br\n" + more + "\n";
}

/// A page; `title` is "castforge-cast", `called` "castforge cast".
std::string page(const CommandFacts& command, const std::string& title, const std::string& called,
                 const std::string& program, const std::string& version) {
  std::string out = ".\\\" Made by `" + program + " manual`.\n";
  out += ".TH \"" + upper(plain(title)) + "\" 1 \"\" \"" + plain(program + " " + version) + "\" \"User Commands\"\n";
  const std::string brief = command.description.substr(0, command.description.find('\n'));
  out += ".SH NAME\n" + plain(title) + " \\- " + plain(brief) + "\n";
  out += ".SH SYNOPSIS\n" + bold(called);
  if (!command.options.empty()) out += " [" + italic("OPTION") + "]...";
  for (const ArgumentFacts& operand : command.positionals) {
    const std::string name = italic(operand.name()) + (operand.repeats ? "..." : "");
    out += operand.required ? " " + name : " [" + name + "]";
  }
  if (!command.commands.empty()) out += " " + italic("COMMAND") + " ...";
  const bool lines = command.description.find('\n') != std::string::npos;  // laid out by hand
  out += "\n.SH DESCRIPTION\n" + std::string(lines ? ".nf\n" : "") + plain(command.description) + "\n" +
         (lines ? ".fi\n" : "");
  for (const ArgumentFacts& operand : command.positionals) add_argument(out, operand, true);
  if (!command.commands.empty()) {
    out += ".SH COMMANDS\n";
    for (const CommandFacts& one : command.commands) {
      out +=
          ".TP\n" + bold(one.name) + "\n" + plain(one.description) + ". See " + bold(title + "-" + one.name) + "(1).\n";
    }
  }
  if (!command.options.empty()) {
    out += ".SH OPTIONS\n";
    for (const ArgumentFacts& option : command.options) add_argument(out, option, false);
  }
  if (!command.footer.empty()) out += ".SH NOTES\n.nf\n" + plain(command.footer) + "\n.fi\n";
  if (title != program) out += ".SH SEE ALSO\n" + bold(program) + "(1)\n";
  return out;
}

}  // namespace

std::map<std::string, std::string> manual_pages(const CommandFacts& program, const std::string& version) {
  std::map<std::string, std::string> pages;
  pages[program.name + ".1"] = page(program, program.name, program.name, program.name, version);
  for (const CommandFacts& command : program.commands) {
    const std::string title = program.name + "-" + command.name;
    pages[title + ".1"] = page(command, title, program.name + " " + command.name, program.name, version);
  }
  return pages;
}

}  // namespace castforge::terminal

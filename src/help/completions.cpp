#include "tfm/help/completions.h"

#include <algorithm>
#include <functional>
#include <map>

namespace tfm {
namespace {

using Entries = std::vector<HelpEntry>;

/// Returns the command that the page describes, without "tfm": "config check".
std::string command_words(const HelpPage& page) {
  return page.name.substr(page.name.find(' ') + 1);
}

bool is_option(const HelpEntry& entry) { return !entry.options.empty(); }

bool is_argument(const HelpEntry& entry) { return entry.options.empty() && !entry.value.empty(); }

Entries select(const HelpPage& page, bool (*belongs)(const HelpEntry&)) {
  Entries entries;
  for (const HelpGroup& group : page.groups)
    std::ranges::copy_if(group.entries, std::back_inserter(entries), belongs);
  return entries;
}

bool takes_file(const HelpEntry& entry) { return entry.value.starts_with("FILE"); }

bool takes_folder(const HelpEntry& entry) { return entry.value.starts_with("FOLDER"); }

/// Returns the first sentence of the text, without its full stop. "et al." does not end it.
std::string first_sentence(const std::string& text) {
  auto end = text.find(". ");
  while (end != std::string::npos && text.substr(0, end).ends_with(" al"))
    end = text.find(". ", end + 1);
  const std::string sentence = text.substr(0, end);
  return sentence.ends_with('.') ? sentence.substr(0, sentence.size() - 1) : sentence;
}

std::string join(const std::vector<std::string>& words, const std::string& separator = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

/// Puts a backslash in front of every character of the text that is one of `characters`.
std::string escape(const std::string& text, std::string_view characters) {
  std::string escaped;
  for (const char letter : text) {
    if (characters.find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

/// Puts the text in single quotes for bash and zsh. Since they allow no escapes within such quotes,
/// a quote in the text becomes '\''.
std::string quote(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

/// Maps the first words of commands ("config") to their second words ("check"), and each second
/// word to the summary of the command. The second word is empty if the command has no group.
using Groups = std::map<std::string, std::map<std::string, std::string>>;

Groups group_commands(const std::vector<HelpPage>& commands) {
  Groups groups;
  for (const HelpPage& page : commands) {
    const std::string words = command_words(page);
    const auto space = words.find(' ');
    const std::string name = space == std::string::npos ? "" : words.substr(space + 1);
    groups[words.substr(0, space)][name] = first_sentence(page.summary);
  }
  return groups;
}

bool is_group(const std::map<std::string, std::string>& names) { return !names.contains(""); }

std::vector<std::string> names_of(const std::map<std::string, std::string>& group) {
  std::vector<std::string> names;
  for (const auto& [name, summary] : group) names.push_back(name);
  return names;
}

std::vector<std::string> first_words(const Groups& groups) {
  std::vector<std::string> words;
  for (const auto& [word, names] : groups) words.push_back(word);
  return words;
}

// bash

/// Returns the branch of the script's `case` that completes the value of an option.
std::string bash_value(const std::string& command, const HelpEntry& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.options) patterns.push_back(quote(command + " " + name));
  const std::string action = takes_file(option)     ? "_tfm_paths -f"
                             : takes_folder(option) ? "_tfm_paths -d"
                                                    : "_tfm_words " + quote(join(option.choices));
  return "    " + join(patterns, " | ") + ") " + action + "; return ;;\n";
}

/// Returns the branch of the script's `case` that completes an option or argument of a command.
std::string bash_command(const std::string& command, const HelpPage& page) {
  std::vector<std::string> words;
  bool files = false;
  for (const HelpEntry& option : select(page, is_option))
    words.insert(words.end(), option.options.begin(), option.options.end());
  for (const HelpEntry& argument : select(page, is_argument)) {
    words.insert(words.end(), argument.choices.begin(), argument.choices.end());
    files = files || takes_file(argument) || takes_folder(argument);
  }
  return "    " + quote(command) + ") " + (files ? "_tfm_paths -f; " : "") + "_tfm_words " +
         quote(join(words)) + " ;;\n";
}

constexpr const char* bash_start = R"(# bash completion of tfm, made by `tfm completions bash`
_tfm_words() {
  COMPREPLY+=($(compgen -W "$1" -- "$word"))
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
_tfm_paths() {
  local IFS=$'\n'
  COMPREPLY+=($(compgen "$1" -- "$word"))
  compopt -o filenames 2>/dev/null
}
_tfm() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= i
  COMPREPLY=()
  [[ $word == = ]] && word=
  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${COMP_WORDS[i]}" in
)";

std::string bash_script(const HelpPage& program, const std::vector<HelpPage>& commands) {
  const Groups groups = group_commands(commands);
  std::string script = bash_start;
  script += "      ' " + join(first_words(groups), "' | ' ") + "') command=${COMP_WORDS[i]} ;;\n";
  for (const auto& [word, names] : groups) {
    if (is_group(names))
      script += "      '" + word + " " + join(names_of(names), "' | '" + word + " ") +
                "') command=\"$command ${COMP_WORDS[i]}\" ;;\n";
  }
  script += "    esac\n  done\n  case \"$command $previous\" in\n";
  for (const HelpPage& page : commands) {
    for (const HelpEntry& option : select(page, is_option))
      if (!option.value.empty()) script += bash_value(command_words(page), option);
  }
  script += "  esac\n  case \"$command\" in\n    '') _tfm_words '" + join(first_words(groups));
  for (const HelpEntry& option : select(program, is_option)) script += " " + join(option.options);
  script += "' ;;\n";
  for (const auto& [word, names] : groups) {
    if (is_group(names))
      script += "    " + word + ") _tfm_words '" + join(names_of(names)) + "' ;;\n";
  }
  for (const HelpPage& page : commands) script += bash_command(command_words(page), page);
  return script + "  esac\n}\ncomplete -F _tfm tfm\n";
}

// zsh

std::string zsh_text(const std::string& text) { return escape(first_sentence(text), "\\[]:"); }

/// Returns the part of an _arguments specification that completes the value of an entry, such as
/// ":FILE:_files" or ":NAME:(fp32 bf16)". Returns an empty text for a flag.
std::string zsh_action(const HelpEntry& entry) {
  if (entry.value.empty()) return "";
  const std::string action = takes_file(entry)       ? "_files"
                             : takes_folder(entry)   ? "_files -/"
                             : entry.choices.empty() ? " "
                                                     : "(" + join(entry.choices) + ")";
  return ":" + escape(entry.value, ":") + ":" + action;
}

/// Returns the name of an option as _arguments expects it: "*--beam-size=" or "*-b+". "*" allows
/// the option to be repeated. "=" and "+" mean that its value is in the same word or the next word.
std::string zsh_option(const std::string& name, bool has_value) {
  return "*" + name + (!has_value ? "" : name.starts_with("--") ? "=" : "+");
}

/// Returns a shell function that completes the options and arguments of one page.
std::string zsh_function(const std::string& name, const HelpPage& page) {
  std::string function = name + "() {\n  _arguments";
  for (const HelpEntry& option : select(page, is_option)) {
    for (const std::string& each : option.options)
      function += " \\\n    " + quote(zsh_option(each, !option.value.empty()) + "[" +
                                      zsh_text(option.text) + "]" + zsh_action(option));
  }
  std::vector<std::string> choices;
  bool files = false;
  for (const HelpEntry& argument : select(page, is_argument)) {
    choices.insert(choices.end(), argument.choices.begin(), argument.choices.end());
    files = files || takes_file(argument) || takes_folder(argument);
  }
  if (files || !choices.empty()) {
    const std::string words = choices.empty() ? "" : "compadd -S \"\" -- " + join(choices);
    function +=
        " \\\n    " + quote("*:argument:{" + std::string(files ? "_files; " : "") + words + "}");
  }
  return function + "\n}\n";
}

std::string zsh_name(std::string words) {
  std::ranges::replace(words, ' ', '_');
  return "_tfm_" + words;
}

std::string zsh_list(const std::map<std::string, std::string>& texts) {
  std::string list = "(";
  for (const auto& [name, text] : texts) list += "\n    " + quote(name + ":" + escape(text, ":"));
  return list + ")";
}

std::string zsh_script(const HelpPage& program, const std::vector<HelpPage>& commands) {
  const Groups groups = group_commands(commands);
  std::string script = "#compdef tfm\n# zsh completion of tfm, made by `tfm completions zsh`\n";
  for (const HelpPage& page : commands) script += zsh_function(zsh_name(command_words(page)), page);
  script += zsh_function("_tfm_options", program);
  std::map<std::string, std::string> first;
  std::string cases;
  for (const auto& [word, names] : groups) {
    first[word] = is_group(names) ? join(names_of(names), ", ") : names.at("");
    cases += "    " + word + ") ";
    cases += is_group(names) ? "commands=" + zsh_list(names) + "\n      _tfm_next " + word
                             : "_tfm_" + word;
    cases += " ;;\n";
  }
  return script + R"(_tfm_next() {
  if ((CURRENT == 2)); then
    _describe command commands
  else
    local name=$1_$words[2]
    shift words
    ((CURRENT--))
    ((${+functions[_tfm_$name]})) && _tfm_$name
  fi
}
_tfm() {
  local -a commands
  commands=)" +
         zsh_list(first) + R"(
  if ((CURRENT == 2)); then
    [[ $words[2] == -* ]] && _tfm_options || _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
)" + cases +
         "  esac\n}\nif [[ $funcstack[1] == _tfm ]]; then _tfm \"$@\"; else compdef _tfm tfm; fi\n";
}

// fish

std::string fish_quote(const std::string& text) { return "'" + escape(text, "\\'") + "'"; }

/// Returns the line of the script that offers an option or argument if the condition is true.
std::string fish_line(const std::string& condition, const HelpEntry& entry) {
  std::string line = "complete -c tfm -n " + fish_quote(condition);
  for (const std::string& name : entry.options)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  // Without "-f" (which "-x" contains), fish would offer the files that the arguments may be.
  if (is_option(entry) && !entry.value.empty()) line += takes_file(entry) ? " -r" : " -x";
  if (takes_file(entry)) line += " -F";
  if (takes_folder(entry)) line += " -a '(__fish_complete_directories)'";
  if (!entry.choices.empty()) line += " -a " + fish_quote(join(entry.choices));
  return line + " -d " + fish_quote(first_sentence(entry.text)) + "\n";
}

/// Returns a fish condition that is true for command lines with this command.
std::string fish_condition(const std::string& words) {
  const auto space = words.find(' ');
  const std::string seen = "__fish_seen_subcommand_from ";
  return space == std::string::npos
             ? seen + words
             : seen + words.substr(0, space) + "; and " + seen + words.substr(space + 1);
}

std::string fish_script(const HelpPage& program, const std::vector<HelpPage>& commands) {
  std::string script =
      "# fish completion of tfm, made by `tfm completions fish`\ncomplete -c tfm -f\n";
  for (const HelpEntry& option : select(program, is_option))
    script += fish_line("__fish_use_subcommand", option);
  for (const auto& [word, names] : group_commands(commands)) {
    const std::string all = join(names_of(names));
    HelpEntry entry{.names = "", .text = is_group(names) ? all : names.at(""), .fallback = ""};
    entry.choices = {word};
    script += fish_line("__fish_use_subcommand", entry);
    if (!is_group(names)) continue;
    for (const auto& [name, summary] : names) {
      entry.text = summary;
      entry.choices = {name};
      script +=
          fish_line(fish_condition(word) + "; and not __fish_seen_subcommand_from " + all, entry);
    }
  }
  for (const HelpPage& page : commands) {
    const std::string condition = fish_condition(command_words(page));
    for (const HelpEntry& option : select(page, is_option)) script += fish_line(condition, option);
    for (const HelpEntry& argument : select(page, is_argument)) {
      if (takes_file(argument) || takes_folder(argument) || !argument.choices.empty())
        script += fish_line(condition, argument);
    }
  }
  return script;
}

}  // namespace

std::string completion_script(Shell shell, const HelpPage& program,
                              const std::vector<HelpPage>& commands) {
  switch (shell) {
    case Shell::bash:
      return bash_script(program, commands);
    case Shell::zsh:
      return zsh_script(program, commands);
    case Shell::fish:
      return fish_script(program, commands);
  }
  return "";
}

}  // namespace tfm

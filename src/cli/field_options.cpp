#include "field_options.h"

#include <algorithm>
#include <cctype>
#include <ranges>
#include <regex>

#include "tfm/config/other_names.h"
#include "tfm/config/validate.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

/// Returns the option with which the user set the field to the value: "--n-best 8". A flag takes no
/// value after a space: "--sampling" and "--sampling=false".
std::string as_option(const Field& field, const std::string& value) {
  if (field.type != FieldType::boolean) return option_name(field) + " " + value;
  return option_name(field) + (value == "true" ? "" : "=" + value);
}

/// Returns the hint as a sentence that names options instead of fields: "raise beam_size" -> "Raise
/// --beam-size."
std::string option_hint(const Violation& violation) {
  std::string hint = violation.hint;
  for (const std::string& key : violation.keys) {
    const Field& field = *find_field(key);
    if (field.type == FieldType::boolean)
      hint = std::regex_replace(hint, std::regex("\\b" + field.name + " to (?=true|false)"),
                                field.name + "=");
    hint = std::regex_replace(hint, std::regex("\\b" + field.name + "\\b"), option_name(field));
  }
  hint.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(hint.front())));
  return hint + ".";
}

/// Returns the error for a broken rule. It names the options that set the fields of the rule, or
/// the fields themselves if no option set them.
ConfigError option_error(const Violation& violation, const std::vector<std::string>& assignments) {
  std::string given;
  for (const std::string& assignment : assignments) {
    const auto equals = assignment.find('=');
    const Field& field = *find_field(assignment.substr(0, equals));
    if (std::ranges::find(violation.keys, field.key()) == violation.keys.end()) continue;
    given += (given.empty() ? "" : ", ") + as_option(field, assignment.substr(equals + 1));
  }
  return given.empty() ? ConfigError("", to_text(violation))
                       : ConfigError(given, violation.what, option_hint(violation));
}

bool is_override(const std::string& argument) {
  static const std::regex form("(model|tokenizer|data|training|decoding)\\.[A-Za-z_-]+=[^]*");
  return std::regex_match(argument, form);
}

/// Returns the equals sign and the value of an option ("--max-steps=4" -> "=4"), or "=VALUE" if the
/// option has no value.
std::string value_part(const std::string& option) {
  const auto equals = option.find('=');
  return equals == std::string::npos ? "=VALUE" : option.substr(equals);
}

}  // namespace

std::string option_name(const Field& field) {
  std::string name = "--" + field.name;
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string option_help(const Field& field, const std::function<bool(const Field&)>& has_option) {
  static const std::regex word("[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)?");
  std::string help;
  auto rest = field.doc.cbegin();
  for (std::sregex_iterator found(field.doc.begin(), field.doc.end(), word), end; found != end;
       ++found) {
    help.append(rest, (*found)[0].first);
    rest = (*found)[0].second;
    // Names without underscore, such as "sampling", are also words of the language.
    const bool may_be_name = found->str().find('_') != std::string::npos;
    const Field* named = may_be_name ? find_field(field.section + "." + found->str()) : nullptr;
    help += named == nullptr     ? found->str()
            : has_option(*named) ? option_name(*named)
                                 : named->key();
  }
  return help.append(rest, field.doc.cend());
}

void apply_options(Config& config, const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) {
    const auto equals = assignment.find('=');
    const Field& field = *find_field(assignment.substr(0, equals));
    const std::string value = assignment.substr(equals + 1);
    if (const auto problem = field.set(config, value))
      throw ConfigError(as_option(field, value), *problem);
  }
  if (const auto problems = violations(config); !problems.empty())
    throw option_error(problems.front(), assignments);
}

int run_with_options(const std::vector<std::string>& assignments, const std::function<int()>& run) {
  try {
    return run();
  } catch (const ConfigError& error) {
    for (const std::string& assignment : assignments | std::views::reverse) {
      const auto equals = assignment.find('=');
      const Field& field = *find_field(assignment.substr(0, equals));
      if (field.key() != error.where()) continue;
      throw ConfigError(as_option(field, assignment.substr(equals + 1)), error.problem(),
                        std::regex_replace(std::string(error.hint()), std::regex(field.key()),
                                           option_name(field)));
    }
    throw;
  }
}

std::vector<std::string> take_overrides(std::vector<std::string>& arguments, Effect effect) {
  std::vector<std::string> overrides;
  std::ranges::copy_if(arguments, std::back_inserter(overrides), is_override);
  std::erase_if(arguments, is_override);
  for (const std::string& each : overrides) {
    const std::string key = each.substr(0, each.find('='));
    const Field* field = find_field(key);
    const std::string nearest = nearest_key(key);
    if (field == nullptr)
      throw ConfigError(each, "unknown key '" + key + "'",
                        nearest.empty() ? "`tfm config explain decoding` lists the keys."
                                        : "Did you mean '" + nearest + "'?");
    if (!field->effects.contains(effect))
      throw ConfigError(each, "the field has no effect on this command",
                        "`tfm config explain decoding` lists the fields that have one.");
  }
  return overrides;
}

std::string advise_override(const std::string& option) {
  std::string name = option.substr(0, option.find('='));
  name.erase(0, name.find_first_not_of('-'));
  std::string written;
  for (const Field& field : fields()) {
    if (option_name(field) == "--" + name)
      written += (written.empty() ? "" : " or ") + field.key() + value_part(option);
  }
  if (!written.empty()) return "Write a config field without dashes: " + written + ".";
  const auto meanings = find_other_name(name);
  if (meanings.empty()) return "";
  return describe_other_name(name) + ": write " + meanings.front().key + value_part(option) + ".";
}

}  // namespace tfm

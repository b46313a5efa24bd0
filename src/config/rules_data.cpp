#include <regex>
#include <set>

#include "rules.h"

namespace tfm {
namespace {

void check_lengths(const DataConfig& data, Violations& found) {
  if (data.fixed_length == 1 || data.fixed_length > data.max_length) {
    found.push_back(
        {{"data.fixed_length", "data.max_length"},
         "a fixed length of " + std::to_string(data.fixed_length) + " tokens is not possible",
         "set fixed_length to 0, or to 2 to " + std::to_string(data.max_length)});
  }
}

void check_valid_sets(const DataConfig& data, Violations& found) {
  static const std::regex form("([A-Za-z0-9_.-]+)=[^,]+(,[^,]+)?");
  std::set<std::string> names;
  for (const std::string& set : data.valid_sets) {
    std::smatch parts;
    if (!std::regex_match(set, parts, form)) {
      found.push_back({{"data.valid_sets"},
                       "'" + set + "' is neither NAME=SOURCE,TARGET nor NAME=TSV",
                       "use letters, digits, '_', '.' and '-' in the name"});
    } else if (!names.insert(parts[1]).second) {
      found.push_back({{"data.valid_sets"},
                       "two sets are named '" + parts[1].str() + "'",
                       "give each set its own name"});
    }
  }
}

/// Checks that the code of a language can be a part of a web address and of a JSON reply.
void check_language(const std::string& key, const std::string& code, Violations& found) {
  static const std::regex form("([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?");
  if (std::regex_match(code, form)) return;
  found.push_back({{key},
                   "'" + code + "' is not the code of a language",
                   "use two or three letters, with a variant if needed: de, pt-BR"});
}

struct TextFiles {
  std::string name;  // beginning of the keys: "data.train"
  const std::string& source;
  const std::string& target;
  const std::string& tsv;
};

void check_files(const TextFiles& files, Violations& found) {
  const std::string source = files.name + "_source";
  const std::string target = files.name + "_target";
  const std::string tsv = files.name + "_tsv";
  if (files.source.empty() != files.target.empty()) {
    found.push_back({{source, target},
                     (files.source.empty() ? source : target) + " is missing",
                     "give both or neither"});
  }
  if (!files.tsv.empty() && !(files.source.empty() && files.target.empty())) {
    found.push_back({{tsv, source, target},
                     "the data is given twice",
                     "set either " + tsv + " or the two others"});
  }
}

}  // namespace

void check_data(const DataConfig& data, Violations& found) {
  check_lengths(data, found);
  const bool has_valid_set = !data.valid_source.empty() || !data.valid_tsv.empty();
  if (!data.valid_alignment.empty() && !has_valid_set) {
    found.push_back({{"data.valid_alignment", "data.valid_source"},
                     "gold alignments need a validation set",
                     "set valid_source and valid_target, or remove valid_alignment"});
  }
  check_valid_sets(data, found);
  check_language("data.source_language", data.source_language, found);
  check_language("data.target_language", data.target_language, found);
  if (!data.valid_sets.empty() && !has_valid_set) {
    found.push_back({{"data.valid_sets", "data.valid_source"},
                     "the first validation set, which selects the best model, is missing",
                     "set valid_source and valid_target"});
  }
}

void check_text_files(const DataConfig& data, Violations& found) {
  check_files({"data.train", data.train_source, data.train_target, data.train_tsv}, found);
  check_files({"data.valid", data.valid_source, data.valid_target, data.valid_tsv}, found);
}

}  // namespace tfm

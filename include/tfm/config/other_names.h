// The names that other toolkits give to the fields of a config: Marian, Eole and OpenNMT-py,
// fairseq, Sockeye and Joey NMT. They are not read as keys, because many of them differ in their
// values or units. If an unknown key is one of them, the error names the field and the difference.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

struct OtherName {
  std::string name;          ///< with underscores: "dim_emb"
  std::string_view toolkit;  ///< "Marian", or several: "Marian and Sockeye"
  std::string key;           ///< the key of the field here: "model.hidden_size"
  std::string_view note;     ///< how the meaning differs, without a capital letter; may be empty
};

/// Returns all names, toolkit by toolkit. A name with different meanings occurs several times.
const std::vector<OtherName>& other_names();

/// Returns the meanings of a name. `-` and `_` are the same, and only the part after the last dot
/// counts: "model.dim-emb" is "dim_emb".
std::vector<OtherName> find_other_name(std::string_view name);

/// Returns the meanings in words: "'dim-emb' is model.hidden_size in Marian". Returns an empty text
/// if no toolkit has the name.
std::string describe_other_name(std::string_view name);

}  // namespace tfm

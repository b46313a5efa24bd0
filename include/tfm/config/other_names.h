// The names that config fields have in other toolkits: Marian, Eole and OpenNMT-py, fairseq,
// Sockeye and Joey NMT. These names are not accepted as keys, because many take other values or
// units. If an unknown key is one of these names, the error names tfm's field and the difference in
// meaning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

struct OtherName {
  std::string name;          ///< with underscores: "dim_emb"
  std::string_view toolkit;  ///< "Marian", or several: "Eole and OpenNMT-py"
  std::string key;           ///< the key of tfm's field: "model.hidden_size"
  std::string_view note;     ///< how the meaning differs, without initial capital; may be empty
};

/// Returns the names of all toolkits. A name with several meanings occurs once per meaning.
const std::vector<OtherName>& other_names();

/// Returns the meanings of a name. `-` is read as `_`, and everything up to the last dot is
/// ignored: "model.dim-emb" is looked up as "dim_emb".
std::vector<OtherName> find_other_name(std::string_view name);

/// Describes the meanings of a name: "'dim-emb' of Marian is model.hidden_size in tfm". Returns an
/// empty text if no toolkit uses the name.
std::string describe_other_name(std::string_view name);

}  // namespace tfm

#include "tfm/config/validate.h"

#include "rules.h"

namespace tfm {

std::string to_text(const Violation& violation) {
  std::string keys;
  for (const std::string& key : violation.keys) keys += (keys.empty() ? "" : ", ") + key;
  return keys + ": " + violation.what + "; " + violation.hint;
}

std::vector<Violation> violations(const Config& config) {
  Violations found;
  check_model(config, found);
  check_data(config.data, found);
  check_vocabularies(config, found);
  check_regularisers(config, found);
  check_special_tokens(config.tokenizer, found);
  check_text_files(config.data, found);
  check_schedule(config.training, found);
  check_run(config, found);
  check_decoding(config.decoding, found);
  return found;
}

}  // namespace tfm

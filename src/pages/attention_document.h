// Converts the attention of sentences to JSON: for attention_json(), and in a shorter form for the
// HTML page.
#pragma once

#include <string>
#include <vector>

#include "tfm/pages/attention.h"

namespace tfm {

enum class WeightForm {
  exact,        ///< every float as it is
  thousandths,  ///< whole thousandths, and each row without its last zeros
};

/// Returns the document. attention_state.js reads thousandths, which need less than half of the
/// space.
std::string attention_document(const std::vector<SentenceAttention>& sentences, WeightForm form);

}  // namespace tfm

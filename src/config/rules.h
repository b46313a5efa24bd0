// Checks the rules of validate.h. Each function appends the rules that the config breaks to
// `found`. The functions are implemented in rules_<section>.cpp.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/validate.h"

namespace tfm {

using Violations = std::vector<Violation>;

void check_model(const Config& config, Violations& found);
/// Checks lengths, gold alignments, the additional validation sets (data.valid_sets) and languages.
void check_data(const DataConfig& data, Violations& found);
/// Checks that the training data and the validation set, if given, are each two files or one TSV
/// file.
void check_text_files(const DataConfig& data, Violations& found);
/// Checks vocabulary files, and fields of other sections that need a certain kind of vocabulary.
void check_vocabularies(const Config& config, Violations& found);
void check_special_tokens(const TokenizerConfig& tokenizer, Violations& found);
void check_regularisers(const Config& config, Violations& found);
void check_schedule(const TrainingConfig& training, Violations& found);
/// Checks device, limits, checkpoints and early stopping.
void check_run(const Config& config, Violations& found);
void check_decoding(const DecodingConfig& decoding, Violations& found);

}  // namespace tfm

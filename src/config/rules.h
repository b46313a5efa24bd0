// The rules of validate.h, in one or more files per section. Each function appends to `found` the
// rules that the config breaks.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/validate.h"

namespace tfm {

using Violations = std::vector<Violation>;

void check_model(const Config& config, Violations& found);
/// Checks lengths, gold alignments and further validation sets.
void check_data(const DataConfig& data, Violations& found);
/// Checks that training data and validation set are each given as two files or as one TSV file.
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

// The rules of validate.h, a section a file. Each function adds the rules that the config breaks.
#pragma once

#include <string>
#include <vector>

#include "tfm/config/validate.h"

namespace tfm {

using Violations = std::vector<Violation>;

void check_model(const Config& config, Violations& found);
/// Lengths, and the texts of validation.
void check_data(const DataConfig& data, Violations& found);
/// The two or one files of training text and of validation text.
void check_text_files(const DataConfig& data, Violations& found);
/// Files of vocabularies, and what the vocabularies must be for other sections.
void check_vocabularies(const Config& config, Violations& found);
void check_special_tokens(const TokenizerConfig& tokenizer, Violations& found);
void check_regularisers(const Config& config, Violations& found);
void check_schedule(const TrainingConfig& training, Violations& found);
/// Device, end, checkpoints and validations of a run.
void check_run(const Config& config, Violations& found);
void check_decoding(const DecodingConfig& decoding, Violations& found);

}  // namespace tfm

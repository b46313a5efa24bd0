// `tfm model info`: describes a model folder.
#pragma once

#include <filesystem>
#include <string>

#include "report_format.h"
#include "tfm/help/command.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

struct ModelInfoOptions {
  std::filesystem::path folder;  ///< if empty, the default model is described
  ReportFormat format = ReportFormat::text;
};

/// Returns the sizes of the vocabularies: "4000 tokens, source and target together".
std::string describe_vocabularies(const TokenizerPair& tokenizers);

int run_model_info(const ModelInfoOptions& options);
Command model_info_command(Run<ModelInfoOptions> run = run_model_info);

}  // namespace tfm

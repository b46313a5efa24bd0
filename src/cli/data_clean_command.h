// tfm data clean: drops pairs that are bad to train on, and reports which rule dropped how many.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model_rules.h"
#include "report_format.h"
#include "tfm/corpus/rules.h"
#include "tfm/help/command.h"

namespace tfm {

struct DataCleanOptions {
  std::vector<std::filesystem::path> text;  ///< two files, one TSV or TMX file, or a prefix
  std::filesystem::path output;
  std::string source_language;
  std::string target_language;
  RuleValues rules = default_rule_values();
  ModelRuleOptions models;
  ReportFormat format = ReportFormat::text;
  std::filesystem::path page;  ///< also write the report there, as HTML; may be empty
  std::int64_t memory = 1024;  ///< MiB for the keys of duplicates
};

int run_data_clean(const DataCleanOptions& options);

Command data_clean_command(Run<DataCleanOptions> run = run_data_clean);

}  // namespace tfm

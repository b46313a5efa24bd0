// The rules of `tfm data clean` that need a model: their options, and the scorer that cleaning
// gets.
#pragma once

#include <filesystem>
#include <memory>

#include "runtime_options.h"
#include "tfm/corpus/pair_scorer.h"
#include "tfm/corpus/pair_source.h"
#include "tfm/corpus/rules.h"

namespace tfm {

struct ModelRuleOptions {
  std::filesystem::path model;          ///< from source to target; may be empty
  std::filesystem::path reverse_model;  ///< from target to source; may be empty
  RuntimeOptions runtime;
};

/// Returns a scorer for the rules that are on, or nullptr if none of them needs a model. Throws
/// ConfigError if a rule needs a model and none is named, or the other way round, and as
/// load_models (load.h) does. Warns if a model translates between other languages than these.
std::unique_ptr<PairScorer> make_pair_scorer(const ModelRuleOptions& options,
                                             const RuleValues& values, const PairFiles& files);

}  // namespace tfm

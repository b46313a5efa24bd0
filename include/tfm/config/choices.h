// The names that configs use for the values of each enum, in the order of the enum. They are
// written only here. The exceptions are former names (former_names.cpp) and the keys of the
// validation metrics, which a static_assert compares with these names.
#pragma once

#include <array>
#include <string_view>

#include "tfm/config/config.h"

namespace tfm {

template <class Enum>
inline constexpr std::array<std::string_view, 0> choice_names{};

template <>
inline constexpr auto choice_names<Preset> =
    std::to_array<std::string_view>({"none", "tiny", "base", "big"});
template <>
inline constexpr auto choice_names<NormOrder> = std::to_array<std::string_view>({"post", "pre"});
template <>
inline constexpr auto choice_names<Norm> =
    std::to_array<std::string_view>({"layer_norm", "rms_norm", "deviation_norm"});
template <>
inline constexpr auto choice_names<FinalNorm> =
    std::to_array<std::string_view>({"automatic", "always", "never"});
template <>
inline constexpr auto choice_names<Activation> =
    std::to_array<std::string_view>({"relu", "gelu", "silu", "swiglu"});
template <>
inline constexpr auto choice_names<Positions> = std::to_array<std::string_view>(
    {"sinusoidal", "learned", "rotary", "by_token", "none", "sinusoidal_halves"});
template <>
inline constexpr auto choice_names<CrossAttention> =
    std::to_array<std::string_view>({"top", "layerwise"});
template <>
inline constexpr auto choice_names<TiedEmbeddings> =
    std::to_array<std::string_view>({"none", "decoder", "all"});
template <>
inline constexpr auto choice_names<Init> =
    std::to_array<std::string_view>({"xavier_uniform", "pytorch"});

template <>
inline constexpr auto choice_names<TokenizerKind> =
    std::to_array<std::string_view>({"sentencepiece", "word", "pieces"});
template <>
inline constexpr auto choice_names<SubwordAlgorithm> =
    std::to_array<std::string_view>({"bpe", "unigram"});

template <>
inline constexpr auto choice_names<LanguageTags> =
    std::to_array<std::string_view>({"none", "first", "after_eos"});
template <>
inline constexpr auto choice_names<LongLines> =
    std::to_array<std::string_view>({"skip", "truncate", "error"});
template <>
inline constexpr auto choice_names<BadLines> = std::to_array<std::string_view>({"skip", "error"});

template <>
inline constexpr auto choice_names<OptimizerKind> =
    std::to_array<std::string_view>({"adam", "adamw", "sgd"});
template <>
inline constexpr auto choice_names<ScheduleKind> =
    std::to_array<std::string_view>({"constant", "inverse_sqrt", "cosine", "sgdr"});
template <>
inline constexpr auto choice_names<BatchType> =
    std::to_array<std::string_view>({"tokens", "sentences"});
template <>
inline constexpr auto choice_names<BestBy> =
    std::to_array<std::string_view>({"bleu", "chrf", "loss"});
template <>
inline constexpr auto choice_names<BleuTokenizer> =
    std::to_array<std::string_view>({"auto", "13a", "zh", "char", "intl", "none"});
template <>
inline constexpr auto choice_names<LogUnit> = std::to_array<std::string_view>({"steps", "epochs"});
template <>
inline constexpr auto choice_names<DecodingPrecision> =
    std::to_array<std::string_view>({"auto", "fp32", "bf16", "fp16", "int8"});
template <>
inline constexpr auto choice_names<Precision> =
    std::to_array<std::string_view>({"auto", "fp32", "bf16", "fp16"});
template <>
inline constexpr auto choice_names<OnDivergence> =
    std::to_array<std::string_view>({"rollback", "stop", "skip"});

template <>
inline constexpr auto choice_names<EnsembleMean> =
    std::to_array<std::string_view>({"probabilities", "log_probabilities"});
template <>
inline constexpr auto choice_names<SplitSentences> =
    std::to_array<std::string_view>({"auto", "always", "never"});

/// Returns the name of an enum value in configs and options.
template <class Enum>
constexpr std::string_view choice_name(Enum value) {
  return choice_names<Enum>.at(static_cast<std::size_t>(value));
}

}  // namespace tfm

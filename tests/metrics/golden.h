// Reads the scores and tokens that sacreBLEU computed for these tests (written by
// scripts/make_*_golden.py).
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace tfm {

/// Parses a file of tests/metrics/golden.
inline nlohmann::json read_golden(const std::string& name) {
  const std::string path = TFM_SOURCE_DIR "/tests/metrics/golden/" + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " can't be read");
  return nlohmann::json::parse(file);
}

/// Returns the content of metrics.json. Keys: sacrebleu, *_signature, corpora (each with name,
/// hypotheses, references, *_13a, bleu, bleu_none, chrf2, ter).
inline const nlohmann::json& golden() {
  static const nlohmann::json values = read_golden("metrics.json");
  return values;
}

/// Returns the content of tokenizers.json. Keys: sacrebleu, regex, signatures, corpora (each with
/// name, hypotheses, references, and `tokenizers`, which has for each tokenizer: score, printed
/// (sacreBLEU's output line) and references (their tokens; missing for the tokenizer `none`)).
inline const nlohmann::json& tokenizer_golden() {
  static const nlohmann::json values = read_golden("tokenizers.json");
  return values;
}

/// Returns the content of metric_options.json. Keys: sacrebleu, lowercase (pairs of a text and its
/// lower case), corpora (each with name, hypotheses, references, bleu, bleu_lowercase, and chrf for
/// each word order).
inline const nlohmann::json& options_golden() {
  static const nlohmann::json values = read_golden("metric_options.json");
  return values;
}

/// Returns the content of ter.json. Keys: sacrebleu, lines (each with name, hypothesis, references,
/// edits, reference_length and score, with default options), texts, references (of the texts), and
/// options (each with options, signature, tokens of the texts, lines (edits and reference length of
/// each text), and score).
inline const nlohmann::json& ter_golden() {
  static const nlohmann::json values = read_golden("ter.json");
  return values;
}

/// Returns the signature with tfm's version instead of sacreBLEU's.
inline std::string with_tfm_version(const std::string& signature) {
  return signature.substr(0, signature.rfind(':') + 1) + "tfm-" TFM_VERSION;
}

/// Returns sacreBLEU's signature that metrics.json stores under `key`, with tfm's version.
inline std::string golden_signature(const std::string& key) {
  return with_tfm_version(golden().at(key).get<std::string>());
}

}  // namespace tfm

// sacreBLEU's values, written by scripts/make_metrics_golden.py.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace tfm {

/// The content of the golden file. Keys: sacrebleu, *_signature, corpora (each with name,
/// hypotheses, references, *_13a, bleu, bleu_none, chrf2).
inline const nlohmann::json& golden() {
  static const nlohmann::json values = [] {
    std::ifstream file(TFM_SOURCE_DIR "/tests/metrics/golden/metrics.json");
    if (!file) throw std::runtime_error("tests/metrics/golden/metrics.json can't be read");
    return nlohmann::json::parse(file);
  }();
  return values;
}

/// Returns the signature of sacreBLEU under `key`, with tfm's version in place of sacreBLEU's.
inline std::string golden_signature(const std::string& key) {
  const auto signature = golden().at(key).get<std::string>();
  return signature.substr(0, signature.rfind(':') + 1) + "tfm-" TFM_VERSION;
}

}  // namespace tfm

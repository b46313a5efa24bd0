// Tests exported models with CTranslate2 itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "small_model.h"
#include "temporary_folder.h"
#include "tfm/interop/ctranslate2.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

using nlohmann::json;

/// Compares tfm with CTranslate2. Runs only if TFM_CTRANSLATE2_PYTHON names a Python that has the
/// ctranslate2 package.
class CTranslate2Parity : public testing::TestWithParam<Architecture> {
 protected:
  void SetUp() override {
    if (std::getenv("TFM_CTRANSLATE2_PYTHON") == nullptr)
      GTEST_SKIP() << "TFM_CTRANSLATE2_PYTHON is not set";
  }

  /// Runs CTranslate2 on the exported model. Returns its greedy translations as "tokens", and the
  /// log-probabilities of the given targets' tokens, including eos, as "log_probs".
  json run(const json& sentences) {
    const auto script = folder.write("check.py", R"(
import json, sys, ctranslate2
data = json.load(open(sys.argv[2]))
translator = ctranslate2.Translator(sys.argv[1], compute_type="float32", intra_threads=1)
found = translator.translate_batch(data["source"], beam_size=1, max_decoding_length=8,
                                   min_decoding_length=1, disable_unk=True,
                                   suppress_sequences=[["<pad>"], ["<s>"]])
scores = translator.score_batch(data["source"], data["target"])
json.dump({"tokens": [x.hypotheses[0] for x in found],
           "log_probs": [x.log_probs for x in scores]}, open(sys.argv[3], "w"))
)");
    const auto input = folder.write("input.json", sentences.dump());
    const std::string command = std::string(std::getenv("TFM_CTRANSLATE2_PYTHON")) + " " +
                                script.string() + " " + folder.path("out").string() + " " +
                                input.string() + " " + folder.path("output.json").string();
    EXPECT_EQ(std::system(command.c_str()), 0);
    return json::parse(folder.read("output.json"));
  }

  TemporaryFolder folder;
};

/// Returns the log-probabilities of a target's tokens and eos, computed by tfm in a single pass.
std::vector<double> log_probs_of(TranslationModel& model, const EncodedPair& pair) {
  const torch::InferenceMode inference;
  TokenIds input{model.tokenizers.target->special().bos};
  input.insert(input.end(), pair.target.begin(), pair.target.end());
  auto output = pair.target;
  output.push_back(model.tokenizers.target->special().eos);
  const auto row = [](const TokenIds& ids) {
    return torch::tensor(ids, torch::kInt64).unsqueeze(0);
  };
  const auto all = model.network->forward(row(pair.source.ids), row(input)).log_softmax(-1)[0];
  std::vector<double> result;
  for (std::size_t i = 0; i < output.size(); ++i)
    result.push_back(all[static_cast<int64_t>(i)][output[i]].item<double>());
  return result;
}

TEST_P(CTranslate2Parity, TranslationsAndScoresEqualThoseOfTfm) {
  auto model = small_model(GetParam().change);
  model.config.decoding.beam_size = 1;
  export_ctranslate2(model, folder.path("out"), "runs/small", "");
  const std::vector<std::string> lines{"a b c", "d", "e f g h i j a b c", "j j j a"};
  const std::vector<std::string> targets =
      model.config.tokenizer.joint ? lines
                                   : std::vector<std::string>{"k l", "m", "n o p q r s", "t u"};
  json sentences{{"source", json::array()}, {"target", json::array()}};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    sentences["source"].push_back(names_of(lines[i]));
    sentences["target"].push_back(names_of(targets[i]));
  }
  const auto found = run(sentences);
  const auto own = Translator(model, model.config.decoding).translate(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(found["tokens"][i].get<std::vector<std::string>>(), own[i].candidates.front().tokens)
        << lines[i];
    const auto scores = log_probs_of(model, encode_pair(model, lines[i], targets[i]).value());
    ASSERT_EQ(found["log_probs"][i].size(), scores.size());
    for (std::size_t t = 0; t < scores.size(); ++t)
      EXPECT_NEAR(found["log_probs"][i][t].get<double>(), scores[t], 2e-4) << lines[i] << " " << t;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryArchitecture, CTranslate2Parity, testing::ValuesIn(architectures()),
                         [](const auto& item) { return item.param.name; });

}  // namespace
}  // namespace tfm

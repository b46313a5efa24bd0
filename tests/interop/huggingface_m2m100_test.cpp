#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "imported.h"
#include "tfm/core/error.h"
#include "tfm/interop/ctranslate2.h"
#include "tfm/interop/huggingface.h"
#include "tfm/interop/imported_model.h"
#include "tfm/translate/scorer.h"
#include "tfm/translate/sentence_frame.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr std::size_t longest = 12;  // tokens of the golden translations, with eos

/// Provides a folder with the golden M2M-100 model and the files of one kind of tokenizer:
/// M2M-100's, NLLB-200's, or NLLB-200's with the legacy order of tokens.
class ImportM2M100 : public testing::TestWithParam<const char*> {
 protected:
  explicit ImportM2M100(const std::string& kind)
      : file(read_safetensors(interop_golden("m2m100.safetensors"))),
        config(json::parse(file.metadata.at("config"))),
        golden(json::parse(read_file(interop_golden("m2m100.json"))).at(kind)) {
    const std::string prefix = "weights/";
    for (const auto& [name, tensor] : file.tensors) {
      if (name.starts_with(prefix)) weights[name.substr(prefix.size())] = tensor;
    }
    folder.write("sentencepiece.bpe.model", read_file(interop_golden("m2m100.model")));
    for (const auto& [name, content] : golden.at("files").items())
      folder.write(name, content.dump());
  }
  ImportM2M100() : ImportM2M100(GetParam()) {}

  TranslationModel import() {
    folder.write("config.json", config.dump());
    write_safetensors(folder.path("model.safetensors"), weights);
    auto model = unwrap(import_huggingface(folder.path()));
    auto& decoding = model.config.decoding;
    decoding.source_language = "de";
    decoding.target_language = "fr";
    decoding.precision = DecodingPrecision::fp32;
    decoding.length_penalty = 0;
    decoding.min_length = 0;
    decoding.max_length = longest;
    return model;
  }
  std::string error_message() {
    return message_of<ModelError>([&] { import(); });
  }

  SafetensorsFile file;
  json config;
  json golden;
  StateDict weights;
  TemporaryFolder folder;
};

class ImportNllb : public ImportM2M100 {
 protected:
  ImportNllb() : ImportM2M100("nllb") {}
};

INSTANTIATE_TEST_SUITE_P(Kinds, ImportM2M100, testing::Values("m2m100", "nllb", "nllb_legacy"),
                         [](const auto& info) { return std::string(info.param); });

/// Returns the logits of the golden batch, in which padding has the id 1.
torch::Tensor golden_logits(TranslationModel& model, const StateDict& tensors) {
  const torch::InferenceMode inference;
  const auto bos = torch::full({2, 1}, model.tokenizers.target->special().bos, torch::kInt64);
  return model.network->forward(tensors.at("source"), torch::cat({bos, tensors.at("target")}, 1))
      .slice(-1, 0, tensors.at("logits").size(-1));
}

TEST_P(ImportM2M100, LogitsEqualThoseOfTransformers) {
  auto model = import();
  EXPECT_EQ(model.tokenizers.source->special().pad, 1);
  expect_close(golden_logits(model, file.tensors), file.tensors.at("logits"));
}

TEST_P(ImportM2M100, SourcesHaveTheIdsOfTransformers) {
  const auto model = import();
  const SentenceFrame frame(model, model.config.decoding);
  for (const auto& sentence : golden.at("sentences")) {
    const auto text = sentence.at("text").get<std::string>();
    EXPECT_EQ(frame.add_to(model.tokenizers.source->encode(text)).ids,
              sentence.at("ids").get<TokenIds>())
        << text;
  }
  EXPECT_EQ(frame.target_tag(), golden.at("target").get<TokenId>());
}

/// Transformers counts eos as one of the tokens; tfm appends it to a translation of full length.
TEST_P(ImportM2M100, GreedyTranslationsEqualThoseOfTransformers) {
  auto model = import();
  model.config.decoding.beam_size = 1;
  const Translator translator(model, model.config.decoding);
  for (const auto& sentence : golden.at("sentences")) {
    const auto text = sentence.at("text").get<std::string>();
    auto expected = sentence.at("greedy").at("tokens").get<TokenIds>();
    const bool ended = expected.back() == model.tokenizers.target->special().eos;
    if (ended) expected.pop_back();
    const auto best = translator.translate({text}).front().candidates.front();
    EXPECT_EQ(best.parts.front().target, expected) << text;
    if (ended) {
      EXPECT_NEAR(best.log_prob, sentence.at("greedy").at("log_prob"), 1e-3) << text;
    }
  }
}

TEST_P(ImportM2M100, BeamTranslationsEqualThoseOfTransformers) {
  auto model = import();
  model.config.decoding.beam_size = 4;
  const Translator translator(model, model.config.decoding);
  int compared = 0;
  for (const auto& sentence : golden.at("sentences")) {
    const auto text = sentence.at("text").get<std::string>();
    auto expected = sentence.at("beam").at("tokens").get<TokenIds>();
    if (expected.back() != model.tokenizers.target->special().eos) continue;  // was truncated
    expected.pop_back();
    const auto best = translator.translate({text}).front().candidates.front();
    EXPECT_EQ(best.parts.front().target, expected) << text;
    EXPECT_NEAR(best.log_prob, sentence.at("beam").at("log_prob"), 1e-3) << text;
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

TEST_P(ImportM2M100, SavedModelTranslatesLikeTheImportedModel) {
  auto model = import();
  save_imported(model, folder.path("out"), "huggingface", folder.path());
  auto loaded = load_model(folder.path("out"), torch::kCPU);
  EXPECT_EQ(loaded.config, model.config);
  expect_close(golden_logits(loaded, file.tensors), file.tensors.at("logits"));
  const std::vector<std::string> lines{"der hund trinkt milch"};
  EXPECT_EQ(Translator(loaded, loaded.config.decoding).translate(lines).front().text(),
            Translator(model, model.config.decoding).translate(lines).front().text());
}

TEST_F(ImportNllb, FindsTheTagsInAnyOfTheFilesThatNameThem) {
  const auto expected = import().tokenizers.source->encoding_checksum();
  const auto tokens = golden.at("files").at("tokenizer.json").at("added_tokens");
  json by_id = json::object();
  json in_order = json::array();
  for (const auto& token : tokens) {
    const auto id = token.at("id").get<int>();
    by_id[std::to_string(id)] = {{"content", token.at("content")}};
    if (id > 60) in_order.push_back(token.at("content"));
  }
  fs::remove(folder.path("tokenizer.json"));
  folder.write("tokenizer_config.json", json{{"added_tokens_decoder", by_id}}.dump());
  EXPECT_EQ(import().tokenizers.source->encoding_checksum(), expected);
  folder.write("tokenizer_config.json", json{{"src_lang", nullptr}}.dump());
  folder.write("special_tokens_map.json", json{{"additional_special_tokens", in_order}}.dump());
  EXPECT_EQ(import().tokenizers.source->encoding_checksum(), expected);
  fs::remove(folder.path("special_tokens_map.json"));
  EXPECT_THAT(error_message(), HasSubstr("does not name the languages of the model"));
}

TEST_F(ImportNllb, TakesTheUsualLanguagesFromTheFiles) {
  folder.write("tokenizer_config.json", R"({"src_lang": "eng_Latn", "tgt_lang": "deu_Latn"})");
  import();
  const auto decoding = [this] { return import_huggingface(folder.path()).config().decoding; };
  EXPECT_EQ(decoding().source_language, "eng_Latn");
  EXPECT_EQ(decoding().target_language, "deu_Latn");
  folder.write("generation_config.json", json{{"forced_bos_token_id", golden.at("target")}}.dump());
  EXPECT_EQ(decoding().target_language, "fra_Latn");
}

TEST_F(ImportNllb, ErrorNamesAMissingOrMalformedFile) {
  folder.write("tokenizer.json", "[1]");
  EXPECT_THAT(error_message(), HasSubstr("tokenizer.json: is not a JSON object"));
  folder.write("tokenizer.json", R"({"added_tokens": [{"id": "x"}]})");
  EXPECT_THAT(error_message(), HasSubstr("has a tokenizer that can't be read"));
  folder.write("tokenizer.json", R"({"added_tokens": [{"id": 5000, "content": "fra_Latn"}]})");
  EXPECT_THAT(error_message(), HasSubstr("has ids up to 5000"));
  folder.write("sentencepiece.bpe.model", "no model");
  EXPECT_THAT(error_message(), HasSubstr("sentencepiece.bpe.model: is not a SentencePiece model"));
  fs::remove(folder.path("sentencepiece.bpe.model"));
  EXPECT_THAT(error_message(), HasSubstr("holds no sentencepiece.bpe.model"));
}

TEST_F(ImportNllb, IsNotExportedToTransformers) {
  const auto model = import();
  const auto message = message_of<ModelError>(
      [&] { export_huggingface(model, folder.path("out"), "origin", "card"); });
  EXPECT_THAT(message, HasSubstr("data.language_tags: first"));
  EXPECT_THAT(message, HasSubstr("model.first_position: 2"));
}

}  // namespace
}  // namespace tfm

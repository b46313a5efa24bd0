#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "file_size_limit.h"
#include "pieces_model.h"
#include "tfm/core/error.h"
#include "tfm/interop/huggingface.h"
#include "tfm/tokenizer/mapped_sentencepiece_tokenizer.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Exports a model into the folder "out".
class ExportHuggingFace : public testing::Test {
 protected:
  void export_model(const TranslationModel& model) {
    export_huggingface(model, folder.path("out"), "runs/small", "# small\n");
  }
  TranslationModel export_and_import(const TranslationModel& model) {
    export_model(model);
    return unwrap(import_huggingface(folder.path("out")));
  }
  std::string error_message(const std::function<void(Config&)>& change) {
    return message_of<ModelError>([&] { export_model(pieces_model(change)); });
  }
  json exported_json(const std::string& name) { return json::parse(folder.read("out/" + name)); }

  TemporaryFolder folder;
};

torch::Tensor logits_of_ids(TranslationModel& model) {
  const torch::InferenceMode inference;
  const auto source = torch::tensor({{5, 9, 30, 7, 2}, {40, 2, 0, 0, 0}}, torch::kInt64);
  const auto target = torch::tensor({{1, 8, 12, 50}, {1, 10, 6, 4}}, torch::kInt64);
  return model.network->forward(source, target);
}

/// Returns architectures that Transformers can express.
std::vector<Architecture> transformers_architectures() {
  std::vector<Architecture> all{{"PreNormTied", [](Config& c) {
                                   c.model.norm_order = NormOrder::pre;
                                   c.model.tied_embeddings = TiedEmbeddings::all;
                                 }}};
  const std::vector<std::string> expressible{"PostNorm",
                                             "Gelu",
                                             "Silu",
                                             "NoEmbeddingScale",
                                             "TiedAll",
                                             "TiedWithOutputBias",
                                             "TiedDecoder",
                                             "TwoVocabularies",
                                             "UnequalDepth",
                                             "NoBias",
                                             "NormsThatOnlyNormalise"};
  for (const auto& architecture : architectures()) {
    if (std::ranges::find(expressible, architecture.name) != expressible.end())
      all.push_back(architecture);
  }
  return all;
}

class EveryExpressibleModel : public ExportHuggingFace,
                              public testing::WithParamInterface<Architecture> {};

TEST_P(EveryExpressibleModel, HasTheSameWeightsAndLogitsWhenItIsImportedAgain) {
  auto model = pieces_model(GetParam().change);
  auto imported = export_and_import(model);
  const auto found = state_dict(*imported.network);
  for (const auto& [name, weight] : state_dict(*model.network)) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_TRUE(torch::equal(found.at(name), weight)) << name;
  }
  EXPECT_TRUE(torch::allclose(logits_of_ids(imported), logits_of_ids(model), 0, 1e-5));
}

INSTANTIATE_TEST_SUITE_P(ExportHuggingFace, EveryExpressibleModel,
                         testing::ValuesIn(transformers_architectures()),
                         [](const auto& item) { return item.param.name; });

TEST_F(ExportHuggingFace, TheStartTokenOfAModelThatStartsWithZerosHasNoEmbedding) {
  for (const auto tied : {TiedEmbeddings::all, TiedEmbeddings::none}) {
    auto model = pieces_model([tied](Config& config) {
      config.model.zero_start = true;
      config.model.tied_embeddings = tied;
    });
    std::filesystem::remove_all(folder.path("out"));
    auto imported = export_and_import(model);
    const auto expected = logits_of_ids(model);
    auto found = logits_of_ids(imported).clone();
    auto start = found.select(-1, 1);
    if (tied == TiedEmbeddings::all) {
      EXPECT_LT(start.max().item<float>(), -1e3) << "a row that the output projection shares";
      start.copy_(expected.select(-1, 1));
    }
    EXPECT_TRUE(torch::allclose(found, expected, 0, 1e-5));
  }
}

TEST_F(ExportHuggingFace, ImportedTokenizersEncodeAndDecodeLikeTheExportedOnes) {
  const auto model = pieces_model([](Config& c) { c.tokenizer.joint = false; });
  const auto imported = export_and_import(model);
  for (const auto& line : {sample_text(1).front(), std::string("haus  bier ☃ i")}) {
    EXPECT_EQ(imported.tokenizers.source->encode(line), model.tokenizers.source->encode(line));
    const auto ids = model.tokenizers.target->encode(line);
    EXPECT_EQ(imported.tokenizers.target->encode(line), ids);
    EXPECT_EQ(imported.tokenizers.target->decode(ids), model.tokenizers.target->decode(ids));
  }
  EXPECT_EQ(imported.tokenizers.target->special(), model.tokenizers.target->special());
}

TEST_F(ExportHuggingFace, ImportKeepsTheLanguagesAndTheSearch) {
  const auto model = pieces_model([](Config& c) {
    c.data.target_language = "pt-BR";
    c.decoding.beam_size = 5;
    c.decoding.length_penalty = 1.5;
    c.decoding.max_length = 700;
    c.decoding.min_length = 0;
    c.decoding.no_repeat_ngram_size = 4;
  });
  const auto imported = export_and_import(model);
  EXPECT_EQ(imported.config.data.source_language, "de");
  EXPECT_EQ(imported.config.data.target_language, "pt-BR");
  EXPECT_EQ(imported.config.decoding, model.config.decoding);
}

TEST_F(ExportHuggingFace, WritesAMarianMTModelWhenTheModelIsPostNorm) {
  export_model(pieces_model([](Config& c) {
    c.tokenizer.joint = false;
    c.model.tied_embeddings = TiedEmbeddings::decoder;
    c.decoding.beam_size = 5;
  }));
  const auto config = exported_json("config.json");
  EXPECT_EQ(config["architectures"], json::array({"MarianMTModel"}));
  EXPECT_EQ(config["share_encoder_decoder_embeddings"], false);
  EXPECT_EQ(config["tie_word_embeddings"], true);
  EXPECT_EQ(config["decoder_start_token_id"], 1);
  EXPECT_EQ(config["pad_token_id"], 0);
  EXPECT_EQ(config["eos_token_id"], 2);
  EXPECT_EQ(config["decoder_vocab_size"], 60);
  const auto generation = exported_json("generation_config.json");
  EXPECT_EQ(generation["bad_words_ids"], json::parse("[[0], [1], [3]]"));
  EXPECT_EQ(generation["num_beams"], 5);
  const auto tokenizer = exported_json("tokenizer_config.json");
  EXPECT_EQ(tokenizer["tokenizer_class"], "MarianTokenizer");
  EXPECT_EQ(tokenizer["separate_vocabs"], true);
  EXPECT_EQ(tokenizer["source_lang"], "de");
  EXPECT_EQ(exported_json("special_tokens_map.json")["bos_token"], "<s>");
  EXPECT_EQ(exported_json("vocab.json")["</s>"], 2);
  EXPECT_EQ(exported_json("target_vocab.json").size(), 60U);
  EXPECT_EQ(folder.read("out/source.spm"), small_sentencepiece(1));
  EXPECT_EQ(folder.read("out/target.spm"), small_sentencepiece(2));
  EXPECT_EQ(folder.read("out/README.md"), "# small\n");
  const auto file = read_safetensors(folder.path("out/model.safetensors"));
  EXPECT_EQ(file.metadata.at("format"), "pt");
  EXPECT_FALSE(file.tensors.contains("lm_head.weight"));
  EXPECT_EQ(file.tensors.at("final_logits_bias").sizes(), (std::vector<int64_t>{1, 60}));
}

TEST_F(ExportHuggingFace, WritesAPegasusModelWithPositionsWhenTheModelIsPreNorm) {
  export_model(pieces_model([](Config& c) {
    c.model.norm_order = NormOrder::pre;
    c.model.tied_embeddings = TiedEmbeddings::all;
    c.data.max_length = 2000;
  }));
  EXPECT_EQ(exported_json("config.json")["architectures"],
            json::array({"PegasusForConditionalGeneration"}));
  EXPECT_EQ(exported_json("config.json")["max_position_embeddings"], 2001);
  EXPECT_FALSE(fs::exists(folder.path("out/target_vocab.json")));
  const auto tensors = read_safetensors(folder.path("out/model.safetensors")).tensors;
  const auto& table = tensors.at("model.encoder.embed_positions.weight");
  EXPECT_EQ(table.sizes(), (std::vector<int64_t>{2001, 16}));
  EXPECT_FLOAT_EQ(table[1][0].item<float>(), std::sin(1.0F));
  EXPECT_FLOAT_EQ(table[1][8].item<float>(), std::cos(1.0F)) << "cosines are in the second half";
}

TEST_F(ExportHuggingFace, ErrorNamesAllFieldsThatTransformersCannotExpress) {
  const auto message = error_message([](Config& c) {
    c.model.norm_order = NormOrder::pre;
    c.model.norm = Norm::rms_norm;
    c.model.norm_epsilon = 1e-6;
    c.model.positions = Positions::rotary;
    c.model.activation = Activation::swiglu;
    c.model.cross_attention = CrossAttention::layerwise;
    c.model.final_norm = FinalNorm::never;
    c.model.head_size = 6;
    c.data.source_eos = false;
    c.decoding.source_tag = "<2en>";
  });
  for (const char* part :
       {"runs/small", "model.norm: rms_norm", "model.norm_epsilon: 1e-06",
        "model.positions: rotary", "model.activation: swiglu", "model.cross_attention: layerwise",
        "model.final_norm: never", "model.head_size: 6", "data.source_eos: false",
        "decoding.source_tag: <2en>", "model.tied_embeddings: none, but only all"})
    EXPECT_THAT(message, HasSubstr(part));
  EXPECT_THAT(message, Not(HasSubstr("model.norm_order")));
  EXPECT_FALSE(fs::exists(folder.path("out")));
}

TEST_F(ExportHuggingFace, ThrowsWhenThePositionsOrAFinalNormHaveNoCounterpart) {
  for (const auto positions :
       {Positions::learned, Positions::by_token, Positions::none, Positions::sinusoidal_halves})
    EXPECT_THAT(error_message([&](Config& c) { c.model.positions = positions; }),
                HasSubstr("model.positions"));
  EXPECT_THAT(error_message([](Config& c) { c.model.final_norm = FinalNorm::always; }),
              HasSubstr("model.final_norm: always"));
  EXPECT_THAT(error_message([](Config& c) { c.model.norm = Norm::deviation_norm; }),
              HasSubstr("model.norm: deviation_norm"));
}

TEST_F(ExportHuggingFace, ThrowsWhenTheVocabularyConsistsOfWords) {
  EXPECT_THAT(message_of<ModelError>([&] { export_model(tiny_model()); }),
              HasSubstr("tokenizer.kind: word"));
}

TEST_F(ExportHuggingFace, ThrowsWhenASpecialTokenHasTwoIds) {
  auto model = pieces_model([](Config& c) { c.tokenizer.joint = false; });
  std::vector<std::string> tokens{"<pad>", "<s>"};
  for (const auto& token : list_of_pieces(small_sentencepiece(2), 58)) tokens.push_back(token);
  std::swap(tokens[2], tokens[4]);  // </s>
  model.tokenizers.target = std::make_shared<const MappedSentencePieceTokenizer>(
      small_sentencepiece(2), Vocab(tokens, model.config.tokenizer));
  const auto message = message_of<ModelError>([&] { export_model(model); });
  EXPECT_THAT(message,
              HasSubstr("tokenizer.eos_token: its id is 2 in the source vocabulary and 4"));
  EXPECT_THAT(message, Not(HasSubstr("tokenizer.unk_token")));
}

TEST_F(ExportHuggingFace, LeavesNothingWhenAFileCannotBeWrittenCompletely) {
  const auto model = pieces_model();
  constexpr rlim_t more_than_the_config = 10000;
  {
    const FileSizeLimit limit(more_than_the_config);
    EXPECT_THAT(message_of<ModelError>([&] { export_model(model); }),
                HasSubstr("could not be written completely"));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
  export_model(model);
  EXPECT_THAT(message_of<ModelError>([&] { export_model(model); }),
              HasSubstr("holds a model already"));
}

}  // namespace
}  // namespace tfm

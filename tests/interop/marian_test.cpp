#include "tfm/interop/marian.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imported.h"
#include "tfm/core/error.h"
#include "tfm/interop/imported_model.h"
#include "tfm/interop/npz.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class ImportMarian : public testing::Test {
 protected:
  static std::string list(std::size_t size) {
    std::string text = "\"</s>\": 0\n\"<unk>\": 1\n";
    for (std::size_t id = 2; id < size; ++id)
      text += std::string("w") + std::to_string(id) + ": " + std::to_string(id) + "\n";
    return text;
  }

  /// Applies changes to the golden model and writes it as an archive of fp32 arrays.
  std::filesystem::path changed(const std::function<void(StateDict&, std::string&)>& change) {
    auto arrays = read_npz(interop_golden("marian_post.npz"));
    const auto bytes = arrays.at("special:model.yml");
    std::string yaml(static_cast<const char*>(bytes.data_ptr()),
                     static_cast<std::size_t>(bytes.numel() - 1));
    arrays.erase("special:model.yml");
    change(arrays, yaml);
    ZipWriter zip;
    for (const auto& [name, array] : arrays) {
      std::string shape = "(";
      for (const auto extent : array.sizes()) shape += std::to_string(extent) + ", ";
      const auto plain = array.contiguous();
      zip.add(name + ".npy", npy("<f4", shape + ")",
                                 {static_cast<const char*>(plain.data_ptr()), plain.nbytes()}));
    }
    if (!yaml.empty())
      zip.add("special:model.yml.npy",
              npy("|i1", "(" + std::to_string(yaml.size() + 1) + ",)", yaml + '\0'));
    return folder.write("changed.npz", zip.bytes());
  }
  std::string error_message(const std::function<void(StateDict&, std::string&)>& change) {
    const auto file = changed(change);
    return message_of<ModelError>(
        [&] { import_marian({.model = file, .vocabularies = {folder.write("v.yml", list(23))}}); });
  }

  TemporaryFolder folder;
};

TEST_F(ImportMarian, LogitsEqualThoseOfMarianWithPostNorm) {
  auto model = unwrap(import_marian({.model = interop_golden("marian_post.npz"),
                                     .vocabularies = {folder.write("v.yml", list(23))}}));
  const auto golden = read_safetensors(interop_golden("marian_post.safetensors")).tensors;
  expect_close(logits_of(model, golden), golden.at("logits"));
  EXPECT_EQ(model.config.model.tied_embeddings, TiedEmbeddings::all);
  EXPECT_EQ(model.config.tokenizer.kind, TokenizerKind::word);
}

TEST_F(ImportMarian, LogitsEqualThoseOfMarianWithPreNorm) {
  auto model = unwrap(import_marian(
      {.model = interop_golden("marian_pre.npz"),
       .vocabularies = {folder.write("s.yml", list(23)), folder.write("t.yml", list(20))}}));
  const auto golden = read_safetensors(interop_golden("marian_pre.safetensors")).tensors;
  expect_close(logits_of(model, golden), golden.at("logits"));
  EXPECT_EQ(model.config.model.tied_embeddings, TiedEmbeddings::none);
  EXPECT_EQ(model.config.model.max_positions, 16);
}

TEST_F(ImportMarian, AddedStartAndPaddingTokensHaveProbabilityZero) {
  auto model = unwrap(import_marian({.model = interop_golden("marian_post.npz"),
                                     .vocabularies = {folder.write("v.yml", list(23))}}));
  const torch::InferenceMode inference;
  const auto golden = read_safetensors(interop_golden("marian_post.safetensors")).tensors;
  const auto& special = model.tokenizers.target->special();
  const auto probabilities =
      model.network->forward(golden.at("source"), golden.at("target")).softmax(-1);
  for (const auto id : {special.pad, special.bos})
    EXPECT_EQ(probabilities.select(-1, id).max().item<float>(), 0);
  EXPECT_EQ(state_dict(*model.network)
                .at("source_embedding.weight")[special.bos]
                .abs()
                .max()
                .item<float>(),
            0);
}

TEST_F(ImportMarian, SegmentsTextWithTheGivenSentencePieceModel) {
  const auto model_bytes = small_sentencepiece(1);
  std::string yaml;
  const auto tokens = list_of_pieces(model_bytes, 23);
  for (std::size_t id = 0; id < tokens.size(); ++id)
    yaml += "\"" + tokens[id] + "\": " + std::to_string(id) + "\n";
  auto model = unwrap(import_marian({.model = interop_golden("marian_post.npz"),
                                     .vocabularies = {folder.write("v.yml", yaml)},
                                     .sentencepiece = {folder.write("v.spm", model_bytes)}}));
  EXPECT_EQ(model.config.tokenizer.kind, TokenizerKind::pieces);
  const auto text = sample_text(1).front();
  for (const TokenId id : model.tokenizers.source->encode(text)) EXPECT_LT(id, 23);
  EXPECT_EQ(Translator(model, model.config.decoding).translate({text}).size(), 1U);
}

TEST_F(ImportMarian, FindsTheOnlyModelInAFolder) {
  std::filesystem::copy(interop_golden("marian_post.npz"), folder.path("opus.npz"));
  const auto vocabulary = folder.write("v.yml", list(23));
  EXPECT_EQ(import_marian({.model = folder.path(), .vocabularies = {vocabulary}})
                .tokenizers()
                .source->size(),
            25);
  std::filesystem::copy(interop_golden("marian_pre.npz"), folder.path("other.npz"));
  EXPECT_THAT(message_of<ModelError>(
                  [&] { import_marian({.model = folder.path(), .vocabularies = {vocabulary}}); }),
              HasSubstr("2 .npz files"));
}

TEST_F(ImportMarian, KeepsIdsWhenTheVocabularyHasGapsOrImpossibleTokens) {
  const auto file =
      folder.write("v.yml", "</s>: 0\n<unk>: 1\n\"a b\": 2\n\"\": 3\nword: 5\n\"\\u00e4\": 6\n");
  const auto model =
      unwrap(import_marian({.model = interop_golden("marian_post.npz"), .vocabularies = {file}}));
  EXPECT_EQ(model.tokenizers.source->piece(2), "<unused-2>");
  EXPECT_EQ(model.tokenizers.source->piece(4), "<unused-4>");
  EXPECT_EQ(model.tokenizers.source->piece(5), "word");
  EXPECT_EQ(model.tokenizers.source->piece(6), "ä");
}

TEST_F(ImportMarian, ThrowsWhenTwoTokensHaveTheSameId) {
  const auto file = folder.write("v.yml", "</s>: 0\n<unk>: 1\nword: 2\nother: 2\n");
  EXPECT_THAT(message_of<ModelError>([&] {
                import_marian({.model = interop_golden("marian_post.npz"), .vocabularies = {file}});
              }),
              HasSubstr("v.yml: gives 'word' and 'other' the same id 2"));
}

TEST_F(ImportMarian, ErrorNamesAllUnsupportedOptions) {
  const auto message = error_message([](StateDict&, std::string& yaml) {
    yaml +=
        "transformer-decoder-dim-ffn: 24\ntransformer-no-bias: true\nlemma-dim-emb: "
        "4\ntransformer-decoder-heads: 4\n"
        "transformer-decoder-ffn-depth: 3\n";
    const auto replace = [&](const std::string& from, const std::string& to) {
      yaml.replace(yaml.find(from), from.size(), to);
    };
    replace("\"self-attention\"", "average-attention");
    replace("\"swish\"", "gelu");
    replace("\"dan\"", "dhn");
    replace("transformer-tied-layers: []", "transformer-tied-layers: [1, 1]");
  });
  for (const char* option : {"transformer-decoder-dim-ffn", "transformer-no-bias", "lemma-dim-emb",
                             "transformer-decoder-heads", "transformer-decoder-ffn-depth",
                             "transformer-decoder-autoreg", "transformer-ffn-activation: gelu",
                             "transformer-postprocess: ", "transformer-tied-layers"}) {
    EXPECT_THAT(message, HasSubstr(option));
  }
}

TEST_F(ImportMarian, ThrowsWhenTheModelDecodesFromRightToLeft) {
  EXPECT_THAT(error_message([](StateDict&, std::string& yaml) { yaml += "right-left: true\n"; }),
              HasSubstr("right-left: true"));
}

TEST_F(ImportMarian, ThrowsForPreNormModelsOfOldOrUnknownMarianVersions) {
  const auto with = [&](const std::string& top, const std::string& version) {
    return [=](StateDict& arrays, std::string& yaml) {
      arrays = read_npz(interop_golden("marian_pre.npz"));
      const auto bytes = arrays.at("special:model.yml");
      yaml = std::string(static_cast<const char*>(bytes.data_ptr()),
                         static_cast<std::size_t>(bytes.numel() - 1)) +
             version;
      arrays.erase("special:model.yml");
      for (auto& [name, array] : arrays) array = array.to(torch::kFloat32);
      if (top.empty()) {
        yaml.replace(yaml.find("transformer-postprocess-top: \"n\""), 32, "");
        for (const char* name : {"encoder_top_ln_scale", "encoder_top_ln_bias",
                                 "decoder_top_ln_scale", "decoder_top_ln_bias"})
          arrays.erase(name);
      }
    };
  };
  for (const char* old : {"version: v1.9.0 ba94c5b 2020-05-17\n", "version: v1.8.55\n"}) {
    EXPECT_THAT(error_message(with("n", old)), HasSubstr("version: v1.")) << old;
    EXPECT_THAT(error_message(with("", old)), HasSubstr("keys and values")) << old;
  }
  EXPECT_THAT(error_message(with("", "")), HasSubstr("version: unknown"));
  EXPECT_THAT(error_message(with("", "version: nightly\n")), HasSubstr("version: unknown"));
  const std::vector<std::filesystem::path> lists{folder.write("s.yml", list(23)),
                                                 folder.write("t.yml", list(20))};
  for (const char* top : {"", "n"}) {
    for (const char* fixed :
         {"version: v1.10.0 6f6d484 2021-02-06\n", "version: v1.12.0\n", "version: v2.0.1\n"}) {
      const auto model =
          unwrap(import_marian({.model = changed(with(top, fixed)), .vocabularies = lists}));
      EXPECT_EQ(model.config.model.norm_order, NormOrder::pre) << top << fixed;
    }
  }
}

TEST_F(ImportMarian, ThrowsWhenVocabularySizesDifferFromTheTensors) {
  const auto sized = [](const std::string& sizes) {
    return [=](StateDict& arrays, std::string& yaml) {
      arrays.erase("decoder_ff_logit_out_b");
      yaml.replace(yaml.find("[23, 23]"), 8, sizes);
    };
  };
  EXPECT_THAT(error_message(sized("[23, 1000000000000]")),
              HasSubstr("dim-vocabs is [23, 1000000000000]"));
  EXPECT_THAT(error_message(sized("[1000000000000, 1000000000000]")),
              HasSubstr("'Wemb' is [23, 8]"));
  EXPECT_THAT(error_message(sized("[-1, -1]")),
              HasSubstr("dim-vocabs: a vocabulary without tokens"));
}

TEST_F(ImportMarian, IgnoresTokensBeyondTheModelsVocabularySizeLikeMarian) {
  const auto model = unwrap(import_marian({.model = interop_golden("marian_post.npz"),
                                           .vocabularies = {folder.write("long.yml", list(30))}}));
  EXPECT_EQ(model.tokenizers.source->size(), 25);  // including the padding and the start token
  EXPECT_EQ(model.tokenizers.source->piece(22), "w22");
  EXPECT_EQ(model.tokenizers.source->encode("w22 w23"), (TokenIds{22, 1}));
  const auto late = folder.write("late.yml", "<unk>: 0\nw1: 1\n</s>: 23\n");
  EXPECT_THAT(message_of<ModelError>([&] {
                import_marian({.model = interop_golden("marian_post.npz"), .vocabularies = {late}});
              }),
              HasSubstr("late.yml: has no token '</s>'"));
}

TEST_F(ImportMarian, LoadingASavedModelThrowsWhenItsSourceVocabularyHasNoEos) {
  const auto model = unwrap(import_marian(
      {.model = interop_golden("marian_pre.npz"),
       .vocabularies = {folder.write("s.yml", list(23)), folder.write("t.yml", list(20))}}));
  save_imported(model, folder.path("out"), "marian", "opus.npz");
  EXPECT_NO_THROW(load_model(folder.path("out"), torch::kCPU));
  auto tokens = folder.read("out/source.vocab");
  folder.write("out/source.vocab", tokens.replace(tokens.find("</s>"), 4, "other"));
  const auto message = message_of<ModelError>([&] { load_model(folder.path("out"), torch::kCPU); });
  EXPECT_THAT(message, HasSubstr(folder.path("out").string() +
                                 ": its source vocabulary has no token '</s>'"));
  EXPECT_THAT(message, HasSubstr("data.source_eos"));
}

TEST_F(ImportMarian, ThrowsWhenATensorIsMissingMisshapenOrUnknown) {
  EXPECT_THAT(error_message([](StateDict& arrays, std::string&) {
                arrays["encoder_l1_gate_W"] = torch::ones({2});
              }),
              HasSubstr("no place for:\n  encoder_l1_gate_W"));
  EXPECT_THAT(
      error_message([](StateDict& arrays, std::string&) { arrays.erase("decoder_l2_context_Wk"); }),
      HasSubstr("'decoder_l2_context_Wk'"));
  EXPECT_THAT(error_message([](StateDict& arrays, std::string&) {
                arrays["encoder_l1_ffn_W1"] = torch::ones({12, 8});
              }),
              HasSubstr("'encoder_l1_ffn_W1'"));
}

TEST_F(ImportMarian, ThrowsWhenTheFileIsNotAMarianTransformer) {
  EXPECT_THAT(error_message([](StateDict&, std::string& yaml) { yaml.clear(); }),
              HasSubstr("holds no special:model.yml"));
  EXPECT_THAT(error_message([](StateDict&, std::string& yaml) { yaml = "type: [transformer"; }),
              HasSubstr("special:model.yml cannot be parsed"));
  EXPECT_THAT(error_message([](StateDict&, std::string& yaml) { yaml = "type: s2s"; }),
              HasSubstr("type: 's2s'"));
}

TEST_F(ImportMarian, ThrowsWhenVocabularyFilesDoNotFitTheModelOrEachOther) {
  const auto import = [&](const std::vector<std::filesystem::path>& vocabularies,
                          const std::vector<std::filesystem::path>& sentencepiece = {}) {
    import_marian({.model = interop_golden("marian_post.npz"),
                   .vocabularies = vocabularies,
                   .sentencepiece = sentencepiece});
  };
  const auto fitting = folder.write("v.yml", list(23));
  EXPECT_THAT(message_of<ConfigError>([&] { import({}); }), HasSubstr("--vocab"));
  EXPECT_THAT(message_of<ConfigError>([&] { import({fitting, "b.spm"}); }),
              HasSubstr("two of one kind"));
  EXPECT_THAT(message_of<ConfigError>([&] { import({"a.spm"}, {"a.spm"}); }),
              HasSubstr("--sentencepiece"));
  EXPECT_THAT(
      message_of<ModelError>([&] { import({folder.write("long.spm", small_sentencepiece(1))}); }),
      HasSubstr("long.spm: has ids up to"));
  EXPECT_THAT(message_of<ModelError>([&] { import({folder.write("no.yml", "a: 0\n")}); }),
              HasSubstr("no token '</s>'"));
  EXPECT_THAT(message_of<ModelError>([&] { import({folder.write("bad.yml", "a: [")}); }),
              HasSubstr("bad.yml"));
  EXPECT_THAT(
      message_of<ModelError>([&] { import({fitting, folder.write("other.yml", list(22))}); }),
      testing::ContainsRegex("marian_post.npz: .*vocabularies differ"));
}

}  // namespace
}  // namespace tfm

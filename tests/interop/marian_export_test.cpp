#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "captured_log.h"
#include "imported.h"
#include "pieces_model.h"
#include "tfm/core/error.h"
#include "tfm/interop/imported_model.h"
#include "tfm/interop/marian.h"
#include "tfm/interop/npz.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// Makes a model one that Marian can express.
void make_expressible(Config& config) {
  config.model.positions = Positions::sinusoidal_halves;
  config.model.zero_start = true;
  config.model.norm_epsilon = 1e-6;
}

/// Exports a model into the folder "out".
class ExportMarian : public testing::Test {
 protected:
  void export_model(const TranslationModel& model) {
    export_marian(model, folder.path("out"), "runs/small", "# small\n");
  }
  TranslationModel import_again(const std::vector<std::string>& vocabularies) {
    MarianFiles files{.model = folder.path("out/model.npz"), .vocabularies = {}};
    for (const auto& name : vocabularies) files.vocabularies.push_back(folder.path("out/" + name));
    return unwrap(import_marian(files));
  }
  std::string error_message(const std::function<void(Config&)>& change) {
    return message_of<ModelError>([&] { export_model(pieces_model(change)); });
  }

  TemporaryFolder folder;
};

std::vector<Architecture> marian_architectures() {
  const std::vector<std::string> expressible{"PostNorm",
                                             "PreNorm",
                                             "PreNormWithoutFinalNorm",
                                             "PostNormWithFinalNorm",
                                             "NoBias",
                                             "Silu",
                                             "NormsThatOnlyNormalise",
                                             "TiedAll",
                                             "TiedWithOutputBias",
                                             "TiedDecoder",
                                             "TwoVocabularies",
                                             "UnequalDepth"};
  std::vector<Architecture> all;
  for (const Architecture& each : architectures()) {
    if (std::ranges::find(expressible, each.name) == expressible.end()) continue;
    all.push_back({each.name, [change = each.change](Config& config) {
                     make_expressible(config);
                     change(config);
                   }});
  }
  return all;
}

class EveryModelOfMarian : public ExportMarian, public testing::WithParamInterface<Architecture> {};

/// An import adds a start and a padding token, behind those that the model already has.
TEST_P(EveryModelOfMarian, HasTheSameLogitsWhenItIsImportedAgain) {
  auto model = pieces_model(GetParam().change);
  export_model(model);
  const bool is_joint = fs::exists(folder.path("out/vocab.spm"));
  auto imported = import_again(is_joint ? std::vector<std::string>{"vocab.spm"}
                                        : std::vector<std::string>{"source.spm", "target.spm"});
  const torch::InferenceMode inference;
  const auto source = torch::tensor({{5, 9, 30, 7, 2}, {40, 2, 0, 0, 0}}, torch::kInt64);
  auto target = torch::tensor({{1, 8, 12, 50}, {1, 10, 6, 4}}, torch::kInt64);
  ASSERT_EQ(model.tokenizers.target->special().bos, 1);
  const auto expected = model.network->forward(source, target);
  auto own = source.clone();
  own.masked_fill_(source == 0, imported.tokenizers.source->special().pad);
  target.select(1, 0) = imported.tokenizers.target->special().bos;
  const auto found = imported.network->forward(own, target);
  EXPECT_EQ(found.size(-1), expected.size(-1) + 2);
  expect_close(found.slice(-1, 0, expected.size(-1)), expected);
}

INSTANTIATE_TEST_SUITE_P(ExportMarian, EveryModelOfMarian,
                         testing::ValuesIn(marian_architectures()),
                         [](const auto& item) { return item.param.name; });

TEST_F(ExportMarian, WritesEachArrayOfAnImportedModelAgain) {
  for (const char* name : {"marian_post", "marian_pre"}) {
    const auto original = interop_golden(name + std::string(".npz"));
    std::vector<fs::path> lists;
    for (const int size : {23, name == std::string("marian_post") ? 23 : 20}) {
      std::string list = "</s>: 0\n<unk>: 1\n";
      for (int id = 2; id < size; ++id) list += fmt::format("w{0}: {0}\n", id);
      lists.push_back(folder.write(fmt::format("{}.yml", size), list));
    }
    const auto model = import_marian({.model = original, .vocabularies = lists});
    fs::remove_all(folder.path("out"));
    export_model(model);
    auto expected = read_npz(original);
    auto found = read_npz(folder.path("out/model.npz"));
    expected.erase("special:model.yml");
    found.erase("special:model.yml");
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [key, array] : expected) {
      ASSERT_TRUE(found.contains(key)) << key;
      const auto rows = found.at(key).slice(0, 0, array.size(0)).slice(1, 0, array.size(1));
      EXPECT_TRUE(torch::equal(rows, array)) << key;
    }
  }
}

TEST_F(ExportMarian, LeavesOutTheTokensThatAnImportAddedToASentencePieceModel) {
  const auto trained = pieces_model(make_expressible);
  export_model(trained);
  const auto imported = import_again({"vocab.spm"});
  EXPECT_EQ(imported.tokenizers.source->size(), trained.tokenizers.source->size() + 2);
  const auto first = folder.read("out/model.npz");
  fs::remove_all(folder.path("out"));
  export_model(imported);
  EXPECT_EQ(folder.read("out/model.npz").size(), first.size());
  EXPECT_EQ(folder.read("out/vocab.spm").size() > 0, true);
}

TEST_F(ExportMarian, DecoderOptionsNameTheFilesAndTheSearch) {
  export_model(pieces_model([](Config& config) {
    make_expressible(config);
    config.decoding.beam_size = 6;
    config.decoding.length_penalty = 0.6;
  }));
  const auto options = folder.read("out/decoder.yml");
  for (const char* part : {"relative-paths: true", "- model.npz", "- vocab.spm\n  - vocab.spm",
                           "beam-size: 6", "normalize: 0.6"})
    EXPECT_THAT(options, HasSubstr(part));
  EXPECT_EQ(folder.read("out/README.md"), "# small\n");
}

TEST_F(ExportMarian, ImportOfTheFolderKeepsTheVocabulariesAndTheSearch) {
  for (const bool joint : {true, false}) {
    fs::remove_all(folder.path("out"));
    const auto model = pieces_model([joint](Config& config) {
      make_expressible(config);
      config.tokenizer.joint = joint;
      config.decoding = {};
      config.decoding.beam_size = 6;
      config.decoding.length_penalty = 1.5;
      config.decoding.max_length_factor = 2.5;
    });
    export_model(model);
    const CapturedLog log;
    const auto imported = unwrap(import_marian({.model = folder.path("out"), .vocabularies = {}}));
    EXPECT_EQ(log.text(), "");
    EXPECT_EQ(imported.config.decoding, model.config.decoding);
    EXPECT_EQ(imported.tokenizers.source->piece(40), model.tokenizers.source->piece(40));
    EXPECT_EQ(imported.tokenizers.target->piece(40), model.tokenizers.target->piece(40));
  }
}

TEST_F(ExportMarian, WritesWordListsAsYaml) {
  auto model = small_model([](Config& config) {
    make_expressible(config);
    config.tokenizer.kind = TokenizerKind::word;
  });
  export_model(model);
  const auto imported = import_again({"vocab.yml"});
  EXPECT_EQ(imported.tokenizers.source->piece(5), model.tokenizers.source->piece(5));
}

TEST_F(ExportMarian, ErrorNamesAllFieldsThatMarianLacks) {
  const auto message = error_message([](Config& config) {
    config.model.norm = Norm::rms_norm;
    config.model.activation = Activation::gelu;
    config.data.source_eos = false;
    config.decoding.source_tag = "<x>";
  });
  for (const char* part :
       {"runs/small: Marian can't express this model:",
        "model.positions: sinusoidal, but only sinusoidal_halves is possible",
        "model.zero_start: false, but only true", "model.norm_epsilon: ", "model.norm: rms_norm",
        "model.activation: gelu", "data.source_eos: false", "decoding.source_tag: <x>"})
    EXPECT_THAT(message, HasSubstr(part));
  EXPECT_THAT(message, Not(HasSubstr("norm_order")));
  EXPECT_FALSE(fs::exists(folder.path("out")));
}

TEST_F(ExportMarian, WarnsOfPreNorm) {
  for (const auto order : {NormOrder::pre, NormOrder::post}) {
    const CapturedLog log;
    fs::remove_all(folder.path("out"));
    export_model(pieces_model([order](Config& config) {
      make_expressible(config);
      config.model.norm_order = order;
    }));
    EXPECT_EQ(log.text().find("pre-norm") != std::string::npos, order == NormOrder::pre);
  }
}

TEST_F(ExportMarian, RefusesLearnedPositionsThatDifferBetweenTheSides) {
  EXPECT_THAT(error_message([](Config& config) {
                make_expressible(config);
                config.model.positions = Positions::learned;
                config.model.embedding_scale = false;
              }),
              HasSubstr("Marian has one table for both sides"));
}

TEST_F(ExportMarian, RefusesSpecialTokensWithOtherNames) {
  EXPECT_THAT(message_of<ModelError>([&] {
                export_model(small_model([](Config& config) {
                  make_expressible(config);
                  config.tokenizer.kind = TokenizerKind::word;
                  config.tokenizer.eos_token = "<end>";
                }));
              }),
              HasSubstr("tokenizer.eos_token: the source vocabulary has no </s>"));
}

}  // namespace
}  // namespace tfm

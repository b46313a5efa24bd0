#include "tfm/interop/ctranslate2.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "small_model.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/nn/positional_encoding.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

/// A variable of model.bin. BinaryFile parses the file by the description of the format, without
/// tfm's code.
struct Variable {
  std::vector<std::uint32_t> shape;
  int type = -1;
  std::string bytes;

  std::vector<float> floats() const {
    std::vector<float> numbers(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }
  /// Returns the value of an integer scalar from its lowest byte, which is enough for -128 to 127.
  int number() const { return static_cast<signed char>(bytes.at(0)); }
};

class BinaryFile {
 public:
  explicit BinaryFile(const std::filesystem::path& file) : stream_(read_file(file)) {
    version = next<std::uint32_t>();
    specification = name();
    revision = next<std::uint32_t>();
    for (auto left = next<std::uint32_t>(); left > 0; --left) {
      auto& variable = variables[name()];
      variable.shape.resize(next<std::uint8_t>());
      for (auto& extent : variable.shape) extent = next<std::uint32_t>();
      variable.type = next<std::uint8_t>();
      variable.bytes.resize(next<std::uint32_t>());
      stream_.read(variable.bytes.data(), static_cast<std::streamsize>(variable.bytes.size()));
    }
    for (auto left = next<std::uint32_t>(); left > 0; --left) {
      const auto alias = name();
      aliases[alias] = name();
    }
    whole = stream_.good() && stream_.peek() == std::istringstream::traits_type::eof();
  }

  std::uint32_t version = 0;
  std::string specification;
  std::uint32_t revision = 0;
  std::map<std::string, Variable> variables;
  std::map<std::string, std::string> aliases;
  bool whole = false;

 private:
  template <class Number>
  Number next() {
    Number value{};
    stream_.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  std::string name() {
    std::string text(next<std::uint16_t>(), '\0');
    stream_.read(text.data(), static_cast<std::streamsize>(text.size()));
    EXPECT_TRUE(text.ends_with('\0'));
    text.pop_back();
    return text;
  }

  std::istringstream stream_;
};

std::vector<float> floats_of(const torch::Tensor& tensor) {
  const auto plain = tensor.detach().contiguous();
  return {plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel()};
}

class CTranslate2Export : public testing::Test {
 protected:
  BinaryFile exported(const TranslationModel& model) {
    export_ctranslate2(model, folder.path("out"), "runs/small", "card");
    return BinaryFile(folder.path("out") / "model.bin");
  }
  json exported_json(const std::string& name) { return json::parse(folder.read("out/" + name)); }

  TemporaryFolder folder;
};

TEST_F(CTranslate2Export, WritesExactlyTheVariablesOfTheSpecification) {
  const auto file =
      exported(small_model([](Config& c) { c.model.encoder_layers = c.model.decoder_layers = 1; }));
  EXPECT_TRUE(file.whole);
  EXPECT_EQ(file.version, 6U);
  EXPECT_EQ(file.specification, "TransformerSpec");
  EXPECT_EQ(file.revision, 7U);
  const auto wanted = names_of(
      "decoder/activation decoder/alibi decoder/alibi_use_positive_positions "
      "decoder/alignment_heads decoder/alignment_layer "
      "decoder/embeddings/weight decoder/layer_0/attention/layer_norm/beta "
      "decoder/layer_0/attention/layer_norm/gamma "
      "decoder/layer_0/attention/linear_0/bias decoder/layer_0/attention/linear_0/weight "
      "decoder/layer_0/attention/linear_1/bias "
      "decoder/layer_0/attention/linear_1/weight decoder/layer_0/attention/linear_2/bias "
      "decoder/layer_0/attention/linear_2/weight "
      "decoder/layer_0/ffn/layer_norm/beta decoder/layer_0/ffn/layer_norm/gamma "
      "decoder/layer_0/ffn/linear_0/bias "
      "decoder/layer_0/ffn/linear_0/weight decoder/layer_0/ffn/linear_1/bias "
      "decoder/layer_0/ffn/linear_1/weight "
      "decoder/layer_0/self_attention/layer_norm/beta "
      "decoder/layer_0/self_attention/layer_norm/gamma "
      "decoder/layer_0/self_attention/linear_0/bias decoder/layer_0/self_attention/linear_0/weight "
      "decoder/layer_0/self_attention/linear_1/bias decoder/layer_0/self_attention/linear_1/weight "
      "decoder/num_heads "
      "decoder/position_encodings/encodings decoder/pre_norm decoder/projection/bias "
      "decoder/projection/weight decoder/scale_alibi "
      "decoder/scale_embeddings decoder/start_from_zero_embedding encoder/activation "
      "encoder/embeddings_0/weight encoder/embeddings_merge "
      "encoder/layer_0/ffn/layer_norm/beta encoder/layer_0/ffn/layer_norm/gamma "
      "encoder/layer_0/ffn/linear_0/bias "
      "encoder/layer_0/ffn/linear_0/weight encoder/layer_0/ffn/linear_1/bias "
      "encoder/layer_0/ffn/linear_1/weight "
      "encoder/layer_0/self_attention/layer_norm/beta "
      "encoder/layer_0/self_attention/layer_norm/gamma "
      "encoder/layer_0/self_attention/linear_0/bias encoder/layer_0/self_attention/linear_0/weight "
      "encoder/layer_0/self_attention/linear_1/bias encoder/layer_0/self_attention/linear_1/weight "
      "encoder/num_heads "
      "encoder/position_encodings/encodings encoder/pre_norm encoder/scale_embeddings");
  std::vector<std::string> found;
  for (const auto& [name, variable] : file.variables) found.push_back(name);
  for (const auto& [alias, name] : file.aliases) found.push_back(alias);
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(wanted));
}

TEST_F(CTranslate2Export, WritesTheWeightsUnchanged) {
  const auto model = small_model();
  const auto file = exported(model);
  const auto weights = state_dict(*model.network);
  const auto& stacked = file.variables.at("decoder/layer_1/self_attention/linear_0/weight");
  EXPECT_EQ(stacked.shape, (std::vector<std::uint32_t>{48, 16}));
  EXPECT_EQ(stacked.type, 0);
  EXPECT_EQ(stacked.floats(), floats_of(weights.at("decoder.layer1.self_attention.in_weight")));
  const auto& cross = weights.at("decoder.layer1.cross_attention.in_weight");
  EXPECT_EQ(file.variables.at("decoder/layer_1/attention/linear_0/weight").floats(),
            floats_of(cross.slice(0, 0, 16)));
  EXPECT_EQ(file.variables.at("decoder/layer_1/attention/linear_1/weight").floats(),
            floats_of(cross.slice(0, 16, 48)));
  EXPECT_EQ(file.variables.at("encoder/layer_0/ffn/layer_norm/gamma").floats(),
            floats_of(weights.at("encoder.layer0.feed_forward_residual.norm.scale")));
  EXPECT_EQ(file.variables.at("decoder/num_heads").number(), 2);
  EXPECT_EQ(file.variables.at("decoder/num_heads").type, 2);
  EXPECT_THAT(file.variables.at("decoder/num_heads").shape, IsEmpty());
  EXPECT_EQ(file.variables.at("encoder/pre_norm").number(), 0);
}

TEST_F(CTranslate2Export, WritesTheSinusoidsOnceWithAnAlias) {
  const auto file = exported(small_model());
  EXPECT_EQ(file.aliases.at("decoder/position_encodings/encodings"),
            "encoder/position_encodings/encodings");
  const auto& table = file.variables.at("encoder/position_encodings/encodings");
  EXPECT_EQ(table.shape, (std::vector<std::uint32_t>{2048, 16}));
  EXPECT_FLOAT_EQ(table.floats()[16 * 3 + 2], std::sin(3 / std::pow(10000.0, 2.0 / 16)));
  EXPECT_FLOAT_EQ(table.floats()[16 * 3 + 3], std::cos(3 / std::pow(10000.0, 2.0 / 16)));
}

TEST_F(CTranslate2Export, WritesTiedWeightsOnceWithAliases) {
  const auto file =
      exported(small_model([](Config& c) { c.model.tied_embeddings = TiedEmbeddings::all; }));
  for (const char* name : {"decoder/embeddings/weight", "decoder/projection/weight"}) {
    EXPECT_EQ(file.aliases.at(name), "encoder/embeddings_0/weight");
    EXPECT_FALSE(file.variables.contains(name));
  }
  EXPECT_FALSE(file.variables.contains("decoder/projection/bias"));
}

TEST_F(CTranslate2Export, WritesNeutralGainAndBiasWhenLayerNormsHaveNone) {
  const auto file = exported(small_model([](Config& c) { c.model.norm_affine = false; }));
  EXPECT_EQ(file.variables.at("encoder/layer_0/ffn/layer_norm/gamma").floats(),
            std::vector<float>(16, 1));
  EXPECT_EQ(file.variables.at("encoder/layer_0/ffn/layer_norm/beta").floats(),
            std::vector<float>(16, 0));
}

TEST_F(CTranslate2Export, WritesNoBiasForRmsNorms) {
  const auto file = exported(small_model([](Config& c) { c.model.norm = Norm::rms_norm; }));
  EXPECT_FALSE(file.variables.contains("encoder/layer_0/ffn/layer_norm/beta"));
  EXPECT_TRUE(file.variables.contains("encoder/layer_0/ffn/layer_norm/gamma"));
}

TEST_F(CTranslate2Export, WritesConfigAndVocabularies) {
  auto model = small_model([](Config& c) {
    c.tokenizer.joint = false;
    c.tokenizer.bos_token = "<begin>";
    c.model.norm_epsilon = 1e-6;
    c.data.source_eos = false;
  });
  exported(model);
  const auto config = exported_json("config.json");
  EXPECT_EQ(config, json::parse(R"({
    "add_source_bos": false, "add_source_eos": false, "bos_token": "<begin>",
    "decoder_start_token": "<begin>", "eos_token": "</s>", "unk_token": "<unk>",
    "layer_norm_epsilon": 1e-6, "multi_query_attention": false})"));
  EXPECT_EQ(exported_json("source_vocabulary.json").size(), 14U);
  EXPECT_EQ(exported_json("target_vocabulary.json").at(4), "k");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out") / "shared_vocabulary.json"));
}

TEST_F(CTranslate2Export, WritesOneVocabularyWhenSourceAndTargetShareIt) {
  exported(small_model());
  EXPECT_EQ(exported_json("shared_vocabulary.json").at(1), "<s>");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out") / "source_vocabulary.json"));
}

TEST_F(CTranslate2Export, ErrorNamesAllFieldsThatCTranslate2CannotExpress) {
  const auto model = small_model([](Config& c) {
    c.model.norm = Norm::deviation_norm;
    c.model.cross_attention = CrossAttention::layerwise;
    c.tokenizer.unk_token = "";
  });
  const auto message = message_of<ModelError>(
      [&] { export_ctranslate2(model, folder.path("out"), "runs/small", "card"); });
  EXPECT_THAT(message, HasSubstr("runs/small: CTranslate2 can't"));
  for (const char* field : {"model.norm:", "model.cross_attention:", "tokenizer.unk_token:"})
    EXPECT_THAT(message, HasSubstr(field));
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
}

/// Returns a small_model whose source vocabulary has these special tokens and "a".
TranslationModel with_source_list(const TemporaryFolder& folder, const std::string& special,
                                  bool source_eos) {
  return small_model([&](Config& c) {
    c.tokenizer.joint = false;
    c.tokenizer.source_vocab = folder.write("source.vocab", special + "a\n").string();
    c.data.source_eos = source_eos;
  });
}

TEST_F(CTranslate2Export, ThrowsWhenTheSourceVocabularyLacksARequiredToken) {
  const auto error_message = [&](const std::string& special, bool source_eos) {
    const auto model = with_source_list(folder, special, source_eos);
    return message_of<ModelError>(
        [&] { export_ctranslate2(model, folder.path("out"), "runs/small", "card"); });
  };
  EXPECT_THAT(error_message("<pad>\n</s>\n", true),
              HasSubstr("tokenizer.unk_token: the source vocabulary"));
  EXPECT_THAT(error_message("<pad>\n<unk>\n", true),
              HasSubstr("data.source_eos: the source vocabulary"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
  EXPECT_NO_THROW(exported(with_source_list(folder, "<pad>\n<unk>\n", false)));
}

TEST_F(CTranslate2Export, ThrowsWhenTheFolderContainsAModel) {
  const auto model = small_model();
  exported(model);
  const auto message = [&] {
    return message_of<ModelError>(
        [&] { export_ctranslate2(model, folder.path("out"), "runs/small", "another card"); });
  };
  EXPECT_THAT(message(), HasSubstr("is not an empty folder"));
  EXPECT_EQ(folder.read("out/README.md"), "card");
  std::filesystem::remove_all(folder.path("out"));
  std::filesystem::create_directory(folder.path("out"));
  folder.write("out/README.md", "notes");
  EXPECT_THAT(message(), HasSubstr("is not an empty folder"));
  EXPECT_EQ(folder.read("out/README.md"), "notes");
}

}  // namespace
}  // namespace tfm

#include "tfm/config/other_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(OtherToolkitNames, ReferToExistingFieldsByTheirCurrentKeys) {
  for (const OtherName& entry : other_names()) {
    const Field* field = find_field(entry.key);
    ASSERT_NE(field, nullptr) << entry.name << ": " << entry.key;
    EXPECT_EQ(field->key(), entry.key) << "is a former name";
  }
}

TEST(OtherToolkitNames, DifferFromTheNameOfTheirField) {
  for (const OtherName& entry : other_names()) {
    EXPECT_NE(entry.key.substr(entry.key.find('.') + 1), entry.name);
    EXPECT_THAT(entry.name, Not(testing::ContainsRegex("[^a-z0-9_]")));
  }
}

TEST(OtherToolkitNames, OccurOncePerToolkit) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const OtherName& entry : other_names())
    EXPECT_TRUE(seen.emplace(entry.name, entry.toolkit).second) << entry.toolkit << entry.name;
}

// Every word with an underscore in a note must be the name of a field, or of a value in tfm or in
// another toolkit. The names of values are inverse_sqrt and those in `words`.
TEST(OtherToolkitNames, NotesMentionOnlyExistingFields) {
  const std::set<std::string, std::less<>> words{"_target", "layer_norm", "rms_norm", "trg_softmax",
                                                 "src_trg_softmax"};
  for (const OtherName& entry : other_names()) {
    std::istringstream note{std::string(entry.note)};
    for (std::string word; note >> word;) {
      while (!word.empty() && std::string(",:;)").find(word.back()) != std::string::npos)
        word.pop_back();
      word.erase(0, word.find_last_of('(') + 1);
      if (word.find('_') == std::string::npos || words.contains(word)) continue;
      bool known = word == "inverse_sqrt" || find_field(word) != nullptr;
      for (const Field& field : fields()) known = known || field.name == word;
      EXPECT_TRUE(known) << entry.name << ": " << word;
    }
  }
}

std::string config_error(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  try {
    parse_config(yaml, "a.yaml", overrides);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(OtherToolkitNames, AreExplainedWithOrWithoutASectionAndWithDashesOrUnderscores) {
  const std::string meaning = "of Marian is model.hidden_size in tfm";
  EXPECT_EQ(config_error("dim-emb: 512\n"),
            "a.yaml:1: unknown section 'dim_emb'; 'dim_emb' " + meaning);
  EXPECT_EQ(config_error("model:\n  dim_emb: 512\n"),
            "a.yaml:2: unknown key 'model.dim_emb'; 'dim_emb' " + meaning);
  EXPECT_EQ(config_error("", {"dim-emb=512"}),
            "command line: unknown key 'dim-emb'; 'dim-emb' " + meaning);
  EXPECT_EQ(config_error("", {"training.dim-emb=512"}),
            "command line: unknown key 'training.dim-emb'; 'dim-emb' " + meaning);
}

// Configs of Joey NMT and Eole have nested sections.
TEST(OtherToolkitNames, AreExplainedWithinNestedSections) {
  EXPECT_EQ(
      config_error("model:\n  encoder:\n    num_heads: 4\n    ff_size: 64\n"),
      "a.yaml:2: unknown key 'model.encoder'; did you mean 'model.encoder_layers'?\n"
      "a.yaml:3: unknown key 'model.num_heads'; 'num_heads' of Joey NMT is model.heads in tfm\n"
      "a.yaml:4: unknown key 'model.ff_size'; 'ff_size' of Joey NMT is model.transformer_ff in "
      "tfm");
}

TEST(OtherToolkitNames, AreExplainedWithTheDifferencesInMeaning) {
  EXPECT_THAT(
      config_error("mini-batch: 64\n"),
      HasSubstr("'mini_batch' of Marian is training.batch_size in tfm (it counts sentences: "
                "set training.batch_type to sentences)"));
  EXPECT_EQ(describe_other_name("layer_norm"),
            "'layer_norm' of Eole and OpenNMT-py is model.norm in tfm (standard is layer_norm, "
            "rms is rms_norm); of Joey NMT it is model.norm_order (its values are the same: pre "
            "and post)");
}

TEST(OtherToolkitNames, IncludeCommonKeysOfOtherToolkits) {
  for (const char* name : {"dim-emb",
                           "enc-depth",
                           "dec-depth",
                           "transformer-heads",
                           "transformer-dim-ffn",
                           "mini-batch",
                           "mini-batch-fit",
                           "after-batches",
                           "after-epochs",
                           "lr-warmup",
                           "learn-rate",
                           "exponential-smoothing",
                           "optimizer-delay",
                           "valid-freq",
                           "save-freq",
                           "normalize",
                           "vocabs",
                           "train-sets",
                           "valid-sets",
                           "enc_layers",
                           "dec_layers",
                           "layers",
                           "rnn_size",
                           "train_steps",
                           "save_checkpoint_steps",
                           "src_vocab_size",
                           "keep_checkpoint",
                           "path_src",
                           "encoder-embed-dim",
                           "encoder-ffn-embed-dim",
                           "encoder-attention-heads",
                           "max-tokens",
                           "update-freq",
                           "max-update",
                           "warmup-updates",
                           "patience",
                           "keep-last-epochs",
                           "transformer-model-size",
                           "batch_multiplier"})
    EXPECT_THAT(describe_other_name(name), Not(IsEmpty())) << name;
  EXPECT_THAT(describe_other_name("xylophone"), IsEmpty());
}

TEST(OtherToolkitNames, DoNotReplaceTheNearestKeyOfAMisspelling) {
  EXPECT_THAT(config_error("", {"training.sead=3"}), HasSubstr("did you mean 'training.seed'?"));
  EXPECT_THAT(config_error("trainning:\n  seed: 3\n"), HasSubstr("did you mean 'training'?"));
}

// Here valid_source is set under Marian's name. The error names this key, but does not also report
// valid_source as missing.
TEST(OtherToolkitNames, SuppressRuleViolationsOfTheirFields) {
  EXPECT_EQ(config_error("valid-sets: [a, b]\ndata:\n  valid_target: b\n"),
            "a.yaml:1: unknown section 'valid_sets'; 'valid_sets' of Marian is data.valid_source "
            "in tfm (it lists two files: the second is valid_target)");
}

}  // namespace
}  // namespace tfm

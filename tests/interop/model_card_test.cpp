#include "tfm/interop/model_card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

ModelFacts small_model() {
  return {.name = "cafe",
          .languages = "de to en",
          .parameters = 1234567,
          .tokenizer = TokenizerKind::sentencepiece,
          .joint = true,
          .vocabulary = "1500 tokens, source and target together",
          .never_produced = R"([["<pad>"],["<s>"]])",
          .record = {{"seed", "1"}, {"steps", "1000"}, {"validation", "loss 2.1  bleu 30.5"}}};
}

TEST(Ctranslate2Card, DescribesTheModel) {
  const std::string card = ctranslate2_card(small_model());
  EXPECT_THAT(card, testing::StartsWith("# cafe\n"));
  for (const char* row :
       {"\n| Languages | de to en |\n", "\n| Parameters | 1.2 million |\n",
        "\n| Vocabulary | 1500 tokens, source and target together |\n", "\n| Updates | 1000 |\n",
        "\n| Scores on the validation set | loss 2.1  bleu 30.5 |\n"})
    EXPECT_THAT(card, HasSubstr(row));
  EXPECT_THAT(card, Not(HasSubstr("seed")));
}

TEST(Ctranslate2Card, LoadsTheTokenizersOfTheFolder) {
  ModelFacts facts = small_model();
  EXPECT_THAT(ctranslate2_card(facts), HasSubstr("load(\"joint.model\").encode_as_pieces"));
  EXPECT_THAT(ctranslate2_card(facts), HasSubstr("suppress_sequences=[[\"<pad>\"],[\"<s>\"]])\n"));
  facts.joint = false;
  EXPECT_THAT(ctranslate2_card(facts), HasSubstr("load(\"target.model\").decode_pieces"));
  facts.tokenizer = TokenizerKind::word;
  EXPECT_THAT(ctranslate2_card(facts), HasSubstr("encode, decode = str.split, \" \".join"));
}

TEST(Ctranslate2Card, NamesTheLanguagesOfAModelWithTags) {
  ModelFacts facts = small_model();
  EXPECT_THAT(ctranslate2_card(facts), HasSubstr("translate_batch([encode("));
  facts.language_tags = true;
  const auto card = ctranslate2_card(facts);
  EXPECT_THAT(card, HasSubstr("translate_batch([[source] + encode("));
  EXPECT_THAT(card, HasSubstr("target_prefix=[[target]]"));
  EXPECT_THAT(card, HasSubstr("decode(found[0].hypotheses[0][1:])"));
}

TEST(ModelCard, SaysWhichTagChoosesWhichTranslation) {
  ModelFacts facts = small_model();
  facts.tags = {{"de to en", ""}, {"de to fr", "<2fr>"}};
  for (const auto& card : {ctranslate2_card(facts), huggingface_card(facts), marian_card(facts)}) {
    EXPECT_THAT(card, HasSubstr("\n| de to en | none |\n| de to fr | \\<2fr> |\n"));
    EXPECT_THAT(card, HasSubstr("    tag = [\"<2fr>\"]  # from the table; [] for none\n"));
  }
  EXPECT_THAT(ctranslate2_card(facts), HasSubstr("translate_batch([tag + encode("));
  EXPECT_THAT(huggingface_card(facts), HasSubstr("convert_tokens_to_ids(tag) + tokenizer("));
  EXPECT_THAT(marian_card(facts), HasSubstr("SentencePieceProcessor(\"vocab.spm\")"));
  EXPECT_THAT(marian_card(facts),
              HasSubstr("decode -c decoder.yml --cpu-threads 4 --no-spm-encode <"));
  EXPECT_THAT(marian_card(small_model()), Not(HasSubstr("--no-spm-encode")));
}

TEST(MarianCard, NamesTheDecoderAndProcessors) {
  EXPECT_THAT(marian_card(small_model()),
              HasSubstr("    pymarian decode -c decoder.yml --cpu-threads 4 < source.txt"));
}

TEST(Ctranslate2Card, OmitsUnknownFactsAndEscapesNames) {
  const std::string card = ctranslate2_card({.name = "a\x1b[31m*b*",
                                             .languages = "",
                                             .vocabulary = "",
                                             .never_produced = "[]",
                                             .record = {}});
  EXPECT_THAT(card, testing::StartsWith("# a\\x1b\\[31m\\*b\\*\n"));
  EXPECT_THAT(card, Not(HasSubstr("Languages")));
}

TEST(ArgosCard, DescribesTheModelAndHowToInstallIt) {
  const std::string card = argos_card(small_model());
  EXPECT_THAT(card, HasSubstr("exported by tfm " TFM_VERSION " for Argos Translate."));
  EXPECT_THAT(card, HasSubstr("\n| Languages | de to en |\n"));
  EXPECT_THAT(card, HasSubstr("package.install_from_path(\"model.argosmodel\")"));
}

TEST(HuggingFaceCard, DescribesTheModelAndHowToLoadIt) {
  const std::string card = huggingface_card(small_model());
  EXPECT_THAT(card, HasSubstr("for Hugging Face Transformers."));
  EXPECT_THAT(card, HasSubstr("\n| Updates | 1000 |\n"));
  EXPECT_THAT(card, HasSubstr("AutoModelForSeq2SeqLM.from_pretrained(\".\")"));
}

}  // namespace
}  // namespace tfm

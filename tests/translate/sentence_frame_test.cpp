#include "tfm/translate/sentence_frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/translate/encoded_pair.h"
#include "tfm/translate/scorer.h"
#include "tfm/translate/translator.h"
#include "tiny_model.h"
#include "translate/attention_maps.h"
#include "translate/word_attention.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Returns a model with tags of languages in its (joint) vocabulary.
TranslationModel tagged_model(LanguageTags tags, uint64_t seed = 1) {
  auto model = tiny_model(seed, "a b c d e f g h i j deu_Latn fra_Latn <2de> <2fr>");
  model.config.data.language_tags = tags;
  model.config.decoding.precision = DecodingPrecision::fp32;
  return model;
}

DecodingConfig from_german_to_french(const TranslationModel& model) {
  auto decoding = model.config.decoding;
  decoding.source_language = "de";
  decoding.target_language = "fr";
  return decoding;
}

std::string spell(const TranslationModel& model, const TokenIds& ids) {
  std::string text;
  for (const TokenId id : ids) text += model.tokenizers.source->piece(id) + " ";
  return text;
}

std::string framed(const TranslationModel& model, const DecodingConfig& decoding) {
  return spell(model,
               SentenceFrame(model, decoding).add_to(model.tokenizers.source->encode("a b")).ids);
}

TEST(SentenceFrame, PutsTheTagOfTheSourceWhereTheModelReadsIt) {
  const auto first = tagged_model(LanguageTags::first);
  EXPECT_EQ(framed(first, from_german_to_french(first)), "deu_Latn a b </s> ");
  const auto last = tagged_model(LanguageTags::after_eos);
  EXPECT_EQ(framed(last, from_german_to_french(last)), "a b </s> deu_Latn ");
  const auto source = SentenceFrame(last, from_german_to_french(last)).add_to({7, 8});
  EXPECT_EQ(source.text_begin, 0U);
  EXPECT_EQ(source.text_end, 2U);
}

TEST(SentenceFrame, NamesTheTargetInTheSourceOfAModelThatTfmTrained) {
  const auto model = tagged_model(LanguageTags::none);
  auto decoding = from_german_to_french(model);
  EXPECT_EQ(framed(model, decoding), "<2fr> a b </s> ");
  decoding.source_tag = "<2de>";
  EXPECT_EQ(framed(model, decoding), "<2fr> a b </s> ") << "the language replaces the tag";
  decoding.target_language.clear();
  EXPECT_EQ(framed(model, decoding), "<2de> a b </s> ");
  EXPECT_EQ(SentenceFrame(model, decoding).target_tag(), std::nullopt);
}

TEST(SentenceFrame, AcceptsOnlyTheLanguagesOfAModelOfOnePair) {
  auto model = tiny_model(1, "a b c d e f g h i j");
  model.config.data.train_source = "train.de";
  model.config.data.train_target = "train.fr";
  auto decoding = from_german_to_french(model);
  EXPECT_EQ(framed(model, decoding), "a b </s> ");
  decoding.source_language = "en";
  EXPECT_THAT(message_of<ConfigError>([&] { framed(model, decoding); }),
              HasSubstr("decoding.source_language: the language of the model is de"));
}

TEST(SentenceFrame, RefusesLanguagesThatTheModelLacksOrNeeds) {
  const auto model = tagged_model(LanguageTags::first);
  auto decoding = from_german_to_french(model);
  const auto error = [&] {
    return message_of<ConfigError>([&] { const SentenceFrame frame(model, decoding); });
  };
  decoding.target_language = "es";
  EXPECT_THAT(error(), HasSubstr("decoding.target_language: the model has no language 'es'"));
  decoding.target_language.clear();
  EXPECT_THAT(error(), HasSubstr("decoding.target_language: is empty"));
  EXPECT_THAT(error(), HasSubstr("Name it with --to: deu_Latn, fra_Latn"));
  decoding.source_language.clear();
  EXPECT_THAT(error(), HasSubstr("Name it with --from: deu_Latn, fra_Latn"));
  const auto plain = tiny_model();
  EXPECT_THAT(message_of<ConfigError>(
                  [&] { const SentenceFrame frame(plain, from_german_to_french(plain)); }),
              HasSubstr("the model has no tags of languages"));
}

/// Decodes greedily with one forward pass per token, starting from bos and a tag.
TokenIds plain_greedy(TranslationModel& model, const TokenIds& source, TokenId tag,
                      const TokenIds& forbidden, std::size_t longest) {
  const torch::InferenceMode inference;
  const auto& special = model.tokenizers.target->special();
  std::vector<int64_t> input{special.bos, tag};
  TokenIds found;
  while (found.size() < longest) {
    auto logits = model.network(torch::tensor(source, torch::kInt64).unsqueeze(0),
                                torch::tensor(input, torch::kInt64).unsqueeze(0))[0][-1];
    for (const TokenId id : forbidden) logits[id] = -1e9;
    const auto best = logits.argmax().item<int64_t>();
    if (best == special.eos) break;
    found.push_back(static_cast<TokenId>(best));
    input.push_back(best);
  }
  return found;
}

TEST(TargetTag, IsReadBeforeTheTranslationInEverySearch) {
  for (const auto tags : {LanguageTags::first, LanguageTags::after_eos}) {
    auto model = tagged_model(tags, 4);
    auto decoding = from_german_to_french(model);
    decoding.min_length = 0;
    const SentenceFrame frame(model, decoding);
    const auto source = frame.add_to(model.tokenizers.source->encode("c a f"));
    const auto& special = model.tokenizers.target->special();
    TokenIds forbidden{special.pad, special.bos, special.unk};
    forbidden.insert(forbidden.end(), frame.target_tags().begin(), frame.target_tags().end());
    const auto expected = plain_greedy(model, source.ids, *frame.target_tag(), forbidden, 8);
    ASSERT_FALSE(expected.empty());
    decoding.beam_size = 1;
    for (const bool sampling : {false, true}) {
      decoding.sampling = sampling;
      decoding.temperature = sampling ? 0 : 1;
      const auto best = Translator(model, decoding).translate({"c a f"}).front().candidates.front();
      EXPECT_EQ(spell(model, best.parts.front().target), spell(model, expected)) << sampling;
      EXPECT_EQ(best.tokens.size(), expected.size()) << "without the tag";
    }
  }
}

/// Lines of all pairs share batches, and each is translated as if its languages were the setting.
TEST(TargetTag, IsThatOfEachLine) {
  auto model = tagged_model(LanguageTags::after_eos, 4);
  auto decoding = from_german_to_french(model);
  decoding.reproducible = true;
  const std::vector<std::string> lines{"c a f", "a b", "d e f g h", ""};
  const std::vector<SentenceTags> pairs{
      {"deu_Latn", "fra_Latn"}, {"fra_Latn", "deu_Latn"}, {"deu_Latn", "deu_Latn"}, {}};
  std::vector<std::string> mixed;
  std::vector<std::pair<std::string, double>> expected;
  TranslationRequest request;
  const auto add = [](const std::vector<Translation>& translations, auto& list) {
    for (const auto& each : translations)
      list.emplace_back(each.text(), each.candidates.front().log_prob);
  };
  for (const auto& tags : pairs) {
    if (!tags.source.empty()) decoding.source_language = tags.source;
    decoding.target_language = tags.target.empty() ? "fra_Latn" : tags.target;
    if (tags.source.empty()) decoding.source_language = "deu_Latn";
    add(Translator(model, decoding).translate(lines), expected);
    mixed.insert(mixed.end(), lines.begin(), lines.end());
    request.tags.insert(request.tags.end(), lines.size(), tags);
  }
  std::vector<std::pair<std::string, double>> found;
  auto setting = from_german_to_french(model);
  setting.reproducible = true;
  add(Translator(model, setting).translate(mixed, request), found);
  EXPECT_EQ(found, expected);
  EXPECT_NE(expected[0], expected[lines.size()]);
  request.tags.front().target = "spa_Latn";
  EXPECT_THROW(Translator(model, setting).translate(mixed, request), ConfigError);
}

TEST(TargetTag, DoesNotCountInScores) {
  auto model = tagged_model(LanguageTags::first, 4);
  auto other = tagged_model(LanguageTags::first, 5);
  auto decoding = from_german_to_french(model);
  decoding.min_length = 0;
  decoding.max_length = 40;
  decoding.max_length_factor = 20;
  for (const auto& models :
       {std::vector<TranslationModel*>{&model}, std::vector<TranslationModel*>{&model, &other}}) {
    const auto best = Translator(models, decoding).translate({"c a f"}).front().candidates.front();
    const auto score = Scorer(models, decoding).score({{"c a f", best.text}}).front();
    EXPECT_EQ(score.tokens.size(), best.tokens.size() + 1) << "eos, but no tag";
    // A translation of the maximum length was cut off before the end-of-sentence token.
    const bool was_cut = std::ssize(best.tokens) == decoding.max_length;
    const double end = was_cut ? score.log_probs.back() : 0;
    EXPECT_NEAR(score.log_prob - end, best.log_prob, 1e-4) << best.text;
  }
}

TEST(TargetTag, IsNoWordOfAnAlignment) {
  auto model = tagged_model(LanguageTags::first, 4);
  const auto decoding = from_german_to_french(model);
  const auto pair = encode_pair(model, "c a f", "b d", SentenceFrame(model, decoding));
  ASSERT_TRUE(pair.has_value());
  const auto maps = compute_attention(model, {&*pair, 1});
  const auto weights = maps.decoder.cross_attention[0][0];  // [H, bos tag b d, deu_Latn c a f eos]
  EXPECT_THAT(weights.sizes(), ElementsAre(2, 4, 5));
  const auto words = word_attention(model, *pair, weights, /*shifted=*/false);
  EXPECT_TRUE(words.allclose(weights.slice(1, 1, 3).slice(2, 1, 4)));
  const auto shifted = word_attention(model, *pair, weights, /*shifted=*/true);
  EXPECT_TRUE(shifted.allclose(weights.slice(1, 2, 4).slice(2, 1, 4)));
}

TEST(TargetTag, IsNeverPartOfATranslation) {
  auto model = tagged_model(LanguageTags::first, 4);
  auto decoding = from_german_to_french(model);
  const SentenceFrame frame(model, decoding);
  {
    const torch::NoGradGuard no_grad;  // makes the tags as probable as possible
    for (auto& parameter : model.network->named_parameters()) {
      if (!parameter.key().ends_with("output.bias")) continue;
      for (const TokenId id : frame.target_tags()) parameter.value()[id] = 1e4;
    }
  }
  const auto best = Translator(model, decoding).translate({"c a f"}).front().candidates.front();
  for (const auto& token : best.tokens) EXPECT_THAT(token, testing::Not(HasSubstr("_Latn")));
}

TEST(TargetTag, DistinguishesTheModelsOfAnEnsemble) {
  auto first = tagged_model(LanguageTags::first);
  auto other = tagged_model(LanguageTags::after_eos);
  const std::vector<TranslationModel*> models{&first, &other};
  EXPECT_THAT(message_of<ModelError>(
                  [&] { const Translator translator(models, from_german_to_french(first)); }),
              HasSubstr("differ in data.language_tags"));
}

}  // namespace
}  // namespace tfm

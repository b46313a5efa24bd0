#include "tfm/interop/model_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tfm/core/format.h"
#include "tfm/core/markdown.h"

namespace tfm {
namespace {

std::string row(std::string_view name, std::string_view value) {
  if (value.empty()) return "";
  return fmt::format("| {} | {} |\n", name, markdown_cell(escape_controls(value)));
}

/// Returns the rows of the record that say how good the model is and from what it was made. The
/// others, such as the seed, are of use only where the model was trained.
std::string record_rows(const ModelFacts& facts) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> shown{{
      {"steps", "Updates"},
      {"training_text", "Training data"},
      {"validation_text", "Validation set"},
      {"validation", "Scores on the validation set"},
      {"validation_sets", "Scores on other sets"},
      {"imported_from", "Imported from"},
  }};
  std::string rows;
  for (const auto& [name, title] : shown) {
    const auto found =
        std::ranges::find(facts.record, name, &std::pair<std::string, std::string>::first);
    if (found != facts.record.end()) rows += row(title, found->second);
  }
  return rows;
}

/// Returns the table of the tags that source sentences begin with. Empty for a model without tags.
std::string tag_table(const ModelFacts& facts) {
  if (facts.tags.empty()) return "";
  std::string table =
      "\nThe tag at the beginning of a source sentence chooses what the model does. It is one "
      "token, and is not part of the text:\n\n| Translation | Tag |\n|---|---|\n";
  for (const auto& [meaning, tag] : facts.tags) table += row(meaning, tag.empty() ? "none" : tag);
  return table;
}

/// Returns the line of Python that defines `tag`, a list of pieces that source sentences begin
/// with. Empty for a model without tags.
std::string tag_line(const ModelFacts& facts) {
  const auto used = std::ranges::find_if(
      facts.tags, [](const auto& meaning_and_tag) { return !meaning_and_tag.second.empty(); });
  if (used == facts.tags.end()) return "";
  return fmt::format("    tag = {}  # from the table; [] for none\n",
                     nlohmann::json::array({used->second}).dump());
}

/// Returns the lines of Python that define `encode` and `decode`, which convert between text and
/// pieces.
std::string segmentation(const ModelFacts& facts) {
  if (facts.tokenizer == TokenizerKind::word)
    return "    encode, decode = str.split, \" \".join  # the vocabulary consists of words\n";
  return fmt::format(
      "    load = sentencepiece.SentencePieceProcessor\n"
      "    encode, decode = load(\"{}.model\").encode_as_pieces, "
      "load(\"{}.model\").decode_pieces\n",
      facts.joint ? "joint" : "source", facts.joint ? "joint" : "target");
}

/// Returns the title and the table of facts. `toolkit` is the name of the format.
std::string heading(const ModelFacts& facts, std::string_view toolkit) {
  return "# " + escape_markdown(escape_controls(facts.name)) +
         fmt::format(
             "\n\nA Transformer translation model, exported by tfm {} for {}.\n\n| | |\n"
             "|---|---|\n",
             TFM_VERSION, toolkit) +
         row("Languages", facts.languages) +
         row("Parameters",
             fmt::format("{:.1f} million", static_cast<double>(facts.parameters) / 1e6)) +
         row("Vocabulary", facts.vocabulary) + record_rows(facts) + tag_table(facts);
}

/// Returns the lines of Python that translate a text with CTranslate2. A model with tags of both
/// languages reads that of the source first, and gives that of the target as the first piece.
std::string translation_call(const ModelFacts& facts) {
  const bool tags = facts.language_tags;
  const auto tag = tag_line(facts);
  const std::string languages =
      "    source, target = \"...\", \"...\"  # tags of languages, such as deu_Latn or __de__\n";
  return fmt::format(
      "{}{}    found = translator.translate_batch([{}encode(\"...\")], beam_size=4, "
      "disable_unk=True,{}\n"
      "                                       suppress_sequences={})\n"
      "    print(decode(found[0].hypotheses[0]{}))\n",
      tags ? languages : "", tag,
      tags          ? "[source] + "
      : tag.empty() ? ""
                    : "tag + ",
      tags ? " target_prefix=[[target]]," : "", facts.never_produced, tags ? "[1:]" : "");
}

// Without a number of threads, Marian looks for a GPU.
constexpr const char* marian_command = "pymarian decode -c decoder.yml --cpu-threads 4";

/// Returns how to translate with Marian if sentences begin with a tag. Pieces are given to it,
/// because its own segmentation would put a space before the tag.
std::string tagged_marian_use(const ModelFacts& facts, const std::string& tag) {
  return "\nMarian gets pieces, with the tag before those of the text. This Python writes them, "
         "after `pip install pymarian sentencepiece` in this folder:\n\n"
         "    import sentencepiece\n" +
         fmt::format(
             "    encode = sentencepiece.SentencePieceProcessor(\"{}.spm\")"
             ".encode_as_pieces\n",
             facts.joint ? "vocab" : "source") +
         tag +
         "    with open(\"pieces.txt\", \"w\") as pieces:\n"
         "        for line in open(\"source.txt\"): print(*tag, *encode(line), file=pieces)\n\n"
         "Then translate them, with marian-decoder or with\n\n"
         "    " +
         marian_command + " --no-spm-encode < pieces.txt > target.txt\n";
}

}  // namespace

std::string ctranslate2_card(const ModelFacts& facts) {
  return heading(facts, "CTranslate2") +
         "\nPrograms of CTranslate2 exchange pieces, not text. In this folder, after `pip install "
         "ctranslate2 sentencepiece`:\n\n    import ctranslate2, sentencepiece\n" +
         segmentation(facts) +
         "    translator = ctranslate2.Translator(\".\", compute_type=\"int8\")\n" +
         translation_call(facts);
}

std::string argos_card(const ModelFacts& facts) {
  return heading(facts, "Argos Translate") +
         "\nArgos Translate and LibreTranslate use the model after this Python has installed the "
         "package, here called model.argosmodel:\n\n"
         "    import argostranslate.package\n"
         "    argostranslate.package.install_from_path(\"model.argosmodel\")\n";
}

std::string marian_card(const ModelFacts& facts) {
  const auto tag = tag_line(facts);
  if (!tag.empty()) return heading(facts, "Marian") + tagged_marian_use(facts, tag);
  return heading(facts, "Marian") +
         "\nIn this folder, after `pip install pymarian`, or with marian-decoder and its other "
         "options:\n\n"
         "    " +
         marian_command + " < source.txt > target.txt\n" +
         (facts.tokenizer == TokenizerKind::word ? "\nText is split into words at spaces.\n" : "");
}

std::string huggingface_card(const ModelFacts& facts) {
  const auto tag = tag_line(facts);
  const std::string call =
      tag.empty() ? "    found = model.generate(**tokenizer([\"...\"], return_tensors=\"pt\", "
                    "padding=True))\n"
                  : tag +
                        "    ids = tokenizer.convert_tokens_to_ids(tag) + "
                        "tokenizer(\"...\").input_ids\n"
                        "    found = model.generate(input_ids=torch.tensor([ids]))\n";
  return heading(facts, "Hugging Face Transformers") +
         "\nIn this folder, after `pip install transformers torch sentencepiece sacremoses`:\n\n" +
         (tag.empty() ? "" : "    import torch\n") +
         "    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer\n"
         "    tokenizer = AutoTokenizer.from_pretrained(\".\")\n"
         "    model = AutoModelForSeq2SeqLM.from_pretrained(\".\")\n" +
         call + "    print(tokenizer.batch_decode(found, skip_special_tokens=True))\n";
}

}  // namespace tfm

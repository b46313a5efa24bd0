// Tests that tfm translate prints one line per input line: for lines with unusual content, for
// files, pipes and arguments, and with many options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "gzip_file.h"
#include "small_translator.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;
using Lines = std::vector<std::string>;

std::string repeat(const std::string& text, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += text;
  return all;
}

/// Returns lines with unusual content: long lines, empty lines, invalid UTF-8, control characters
/// and line separators.
Lines awkward_lines() {
  return {"Ich trinke Kaffee.",
          "",
          " \t\u3000\u00a0 ",
          repeat("Zwei Kaffee, bitte! Und dann ein Bier. ", 100'000),
          repeat("Kaffee", 100'000),
          std::string("Ein \0 Bier", 10),
          std::string(3, '\0'),
          "Ein \xC3 Bier \xFF\xFE \xED\xA0\x80 \xC0\xAF",
          "\u05e9\u05dc\u05d5\u05dd \u202e\u0645\u0631\u062d\u0628\u0627\u202c",
          "\U0001F469\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466 \U0001F1E9\U0001F1EA "
          "\U0001F44D\U0001F3FD",
          "Ein\u2028Bier\u2029und\u0085zwei",
          "Ein\rBier\rund\vzwei\fKaffee",
          "Ein\x1c Bier\x1d\x05 und\x1e zwei.\x1c Kaffee.",
          "\uFEFFEin Bier",
          "\x1b[31mrot\x1b[0m",
          "a\u0301\u0301\u0301\u200b",
          "||| 0 ||| F0= ",
          "Ein <a href=\"x\u2028y\x1cz\">Bier</a>, bitte.",
          "Das Ende"};
}

std::string join_lines(const Lines& lines, const std::string& end) {
  std::string text;
  for (const auto& line : lines) text += line + end;
  return text;
}

Lines split_lines(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Counts the characters that Python's splitlines() treats as line ends. No other known program
/// treats more characters as line ends.
std::size_t count_all_line_ends(const std::string& text) {
  std::size_t count = 0;
  for (const std::string end :
       {"\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\xC2\x85", "\u2028", "\u2029"}) {
    for (auto at = text.find(end); at != std::string::npos; at = text.find(end, at + 1)) ++count;
  }
  return count;
}

/// Returns the line numbers of an n-best list in Marian's format ("3 ||| ..."). Consecutive
/// entries with the same line number yield one element.
std::vector<std::size_t> numbers_in(const std::string& marian) {
  std::vector<std::size_t> numbers;
  for (const auto& line : split_lines(marian)) {
    const auto number = std::stoul(line);
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
  }
  return numbers;
}

class TranslateLines : public TrainedSuite<TranslateLines> {
 public:
  static constexpr const char* command = train_small_translator;

 protected:
  static Outcome translate(const std::string& options, const std::string& input = "") {
    return place->tfm("translate -q " + options, input);
  }
};

TEST_F(TranslateLines, FailsAndWritesNoFileIfStandardInputCannotBeRead) {
  const auto outcome = translate("-o unread.txt < .");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("/dev/stdin: is a folder"));
  EXPECT_FALSE(std::filesystem::exists(place->folder.path("unread.txt")));
}

TEST_F(TranslateLines, DecompressesStandardInputAndRefusesUtf16) {
  place->folder.write("utf16", "\xFF\xFE\x61\0\n\0"s);
  write_gzip(place->folder, "zipped", "ein bier\n");
  const auto expected = translate("'ein bier'").out;
  ASSERT_NE(expected, "");
  EXPECT_EQ(translate("< zipped").out, expected);
  const auto refused = translate("< utf16");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("/dev/stdin:1: is UTF-16"));
}

TEST_F(TranslateLines, ReadsTheRestOfAFileWhoseFirstLineAnotherCommandHasRead) {
  place->folder.write("three", "Kopf\nein bier\nzwei\n");
  const auto rest = place->tfm("translate -q <&3; } 3< three", "", "{ read -r header <&3;");
  EXPECT_EQ(rest.out, translate("'ein bier' zwei").out);
}

/// The pipe ends only after the translation of its complete line has appeared, or after a minute.
TEST_F(TranslateLines, TranslatesALineAlthoughTheNextOneIsIncomplete) {
  place->folder.write("feed.sh",
                      "printf 'ein bier\\nzwei'\n"
                      "for i in $(seq 600); do [ -s answer ] && exit; sleep 0.1; done\n"
                      "touch late\n");
  const auto outcome =
      place->tfm("translate -q < ask > answer", "", "mkfifo ask; sh feed.sh > ask &");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(place->folder.path("late")));
  EXPECT_EQ(place->folder.read("answer"), translate("'ein bier' zwei").out);
}

TEST_F(TranslateLines, PrintsOneLinePerInputLineForUnusualLinesAndOptions) {
  const auto lines = awkward_lines();
  place->folder.write("in", join_lines(lines, "\n"));
  for (const std::string options :
       {"", "--keep-markup", "--keep-markup --split-sentences always", "--alignment",
        "--beam-size 1", "--batch-size 1 --beam-size 1", "--sampling", "--reproducible",
        "--split-sentences always", "--split-sentences never --precision int8",
        "--coverage-penalty 0.1"}) {
    const auto found = translate("-i in " + options);
    EXPECT_EQ(found.code, 0) << options << found.err;
    EXPECT_EQ(count_all_line_ends(found.out), lines.size()) << options;
    const auto piped = translate(options, join_lines(lines, "\n"));
    EXPECT_EQ(piped.out, found.out) << options;
    const auto out = split_lines(found.out);
    if (options == "--alignment") continue;
    EXPECT_EQ(out.at(1), "");
    EXPECT_EQ(out.at(2), "");
  }
  for (const std::string options : {"--n-best 2", "--n-best 2 --alignment", "--n-best 3 --sampling",
                                    "--format marian --split-sentences always"}) {
    const auto numbers = numbers_in(translate("-i in " + options).out);
    ASSERT_EQ(numbers.size(), lines.size()) << options;
    for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], i);
  }
}

/// `timeout` sends SIGINT after 5 seconds, and SIGKILL if the program has not ended 30 seconds
/// later.
TEST_F(TranslateLines, InterruptWhileWaitingForALineLeavesNoFiles) {
  place->folder.write(
      "wait.sh", "mkfifo pipe\nsleep 120 > pipe &\ntimeout --preserve-status -s INT -k 30 5 '" +
                     (std::filesystem::path(TFM_BINARY_DIR) / "tfm").string() +
                     "' translate -q -o never < pipe\ncode=$?\nkill $!\nexit $code\n");
  const int status =
      std::system(("cd '" + place->folder.path().string() + "' && sh wait.sh 2>err").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 130) << place->folder.read("err");
  for (const auto& entry : std::filesystem::directory_iterator(place->folder.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("never")) << entry.path();
  }
}

TEST_F(TranslateLines, PrintsOneJsonObjectPerInputLineWithTheLineAsSource) {
  const auto lines = awkward_lines();
  place->folder.write("in", join_lines(lines, "\n"));
  for (const std::string options :
       {"--n-best 2", "--explain", "--alignment", "--sampling --n-best 2"}) {
    const auto found = translate("-i in --format jsonl " + options).out;
    EXPECT_EQ(count_all_line_ends(found), lines.size()) << options;
    const auto objects = split_lines(found);
    ASSERT_EQ(objects.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto object = nlohmann::json::parse(objects[i]);
      EXPECT_EQ(object["line"], i + 1);
      EXPECT_FALSE(object["translations"].empty());
      if (i == 7) continue;  // this line is not valid UTF-8
      EXPECT_EQ(object["source"], lines[i]) << i;
    }
  }
}

TEST_F(TranslateLines, DashStandsForStandardInputAndOutput) {
  const auto expected = translate("", "Zwei Kaffee.\nEin Bier.\n").out;
  EXPECT_EQ(translate("-i - -o -", "Zwei Kaffee.\nEin Bier.\n").out, expected);
  place->folder.write("hypothesis", expected);
  const auto evaluated = place->tfm("evaluate --hypothesis - --reference hypothesis", expected);
  EXPECT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.out, HasSubstr("= 100.00"));
  place->folder.write("source", "Zwei Kaffee.\nEin Bier.\n");
  const std::string score = "score -q -m runs/small --target hypothesis --source ";
  EXPECT_EQ(place->tfm(score + "-", "Zwei Kaffee.\nEin Bier.\n").out,
            place->tfm(score + "source").out);
  EXPECT_FALSE(std::filesystem::exists(place->folder.path("-")));
}

TEST_F(TranslateLines, WarnsAboutATextThatIsTheNameOfAFile) {
  place->folder.write("some.de", "Ein Bier.\n");
  const auto outcome = place->tfm("translate some.de");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("some.de is a file: did you mean -i some.de?"));
  EXPECT_THAT(place->tfm("translate other.de").err, testing::Not(HasSubstr("is a file")));
}

TEST_F(TranslateLines, ArgumentsCanSetDecodingFields) {
  const std::string text = " 'Zwei Kaffee.' 'Ein Bier.'";
  const auto prefixed = translate("decoding.target_prefix=Tea" + text).out;
  EXPECT_EQ(prefixed, translate("--target-prefix Tea" + text).out);
  EXPECT_THAT(split_lines(prefixed), testing::Each(testing::StartsWith("Tea")));
  const auto wrong = place->tfm("translate --n-best 8" + text);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--n-best 8: a beam of 2 cannot give 8 translations"));
}

TEST_F(TranslateLines, PrintsTheSameLinesForFilesPipesAndArguments) {
  const std::string byte_order_mark = "\xEF\xBB\xBF";
  const Lines lines{"Ich trinke Kaffee.", "", "Ein Bier, bitte.", "Das Ende"};
  const auto expected = translate("'Ich trinke Kaffee.' '' 'Ein Bier, bitte.' 'Das Ende'").out;
  EXPECT_EQ(count_all_line_ends(expected), lines.size());
  const auto unix_text = join_lines(lines, "\n");
  const auto dos_text = join_lines(lines, "\r\n");
  for (const auto& text : {unix_text, dos_text, byte_order_mark + unix_text,
                           byte_order_mark + dos_text, unix_text.substr(0, unix_text.size() - 1)}) {
    place->folder.write("in", text);
    EXPECT_EQ(translate("-i in").out, expected);
    EXPECT_EQ(translate("", text).out, expected);
  }
  for (const auto& [text, count] : {std::pair<std::string, std::size_t>{"", 0},
                                    {byte_order_mark, 0},
                                    {"\n", 1},
                                    {"\r\n\n", 2},
                                    {byte_order_mark + "\n", 1},
                                    {" ", 1}}) {
    place->folder.write("in", text);
    EXPECT_EQ(count_all_line_ends(translate("-i in").out), count) << testing::PrintToString(text);
    EXPECT_EQ(count_all_line_ends(translate("", text).out), count) << testing::PrintToString(text);
  }
  EXPECT_EQ(count_all_line_ends(translate("\"$(printf 'Ein\\nBier\\r')\" ''").out), 2U)
      << "an argument counts as one line";
}

TEST_F(TranslateLines, WarnsAboutUnusualLinesWithoutQuotingThemInFull) {
  const auto found =
      place->tfm("translate", join_lines({repeat("Kaffee", 100'000), "Ein \xC3 Bier"}, "\n"));
  EXPECT_THAT(found.err, HasSubstr("line 1: too long for the model; translated in"));
  EXPECT_THAT(found.err, HasSubstr("line 2: not valid UTF-8"));
  EXPECT_LT(found.err.size(), 4000U);
}

TEST_F(TranslateLines, WarnsAboutOptionsWithoutEffect) {
  EXPECT_THAT(place->tfm("translate --replace-unknown Bier").err,
              HasSubstr("--replace-unknown (decoding.replace_unknown) does next"));
  const std::string warning = "only the best of 2 translations";
  EXPECT_THAT(place->tfm("translate --n-best 2 --format text Bier").err, HasSubstr(warning));
  for (const std::string option : {"", "--format jsonl", "--format text --explain"}) {
    EXPECT_THAT(place->tfm("translate --n-best 2 Bier " + option).err,
                testing::Not(HasSubstr(warning)));
  }
}

TEST_F(TranslateLines, DecodingFileSetsFieldsThatOptionsOverride) {
  place->folder.write("search.yaml", "decoding: {n_best: 2, max_length: 3}\n");
  EXPECT_EQ(split_lines(translate("--decoding search.yaml 'Ein Bier'").out).size(), 2U);
  EXPECT_EQ(translate("--decoding search.yaml --n-best 1 'Ein Bier'").out,
            translate("--max-length 3 'Ein Bier'").out);
  EXPECT_EQ(translate("--decoding none.yaml 'Ein Bier'").code, 2);
}

TEST_F(TranslateLines, SummarizesTheWarningsOfAFile) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "Ein \xC3 Bier\n";
  place->folder.write("in", text + repeat("Kaffee", 100'000) + "\n");
  const auto found = place->tfm("translate -i in -o out");
  EXPECT_THAT(found.err, HasSubstr("line 5: not valid UTF-8"));
  EXPECT_THAT(found.err, testing::Not(HasSubstr("line 6: not valid UTF-8")));
  EXPECT_THAT(found.err, HasSubstr("30 of 31 lines are not valid UTF-8"));
  EXPECT_THAT(found.err, HasSubstr("line 31: too long for the model"));
  const auto evaluated = place->tfm("evaluate --source in --reference in");
  EXPECT_THAT(evaluated.err, HasSubstr("30 of 31 lines are not valid UTF-8"));
  EXPECT_THAT(evaluated.err, HasSubstr("1 of 31 lines are too long for the model"));
  EXPECT_THAT(evaluated.err, testing::Not(HasSubstr("line 1:")));
}

TEST_F(TranslateLines, SplitsAParagraphIntoSentencesAndJoinsTheTranslations) {
  const Lines sentences{"Ich trinke Kaffee.", "Am 3. Mai kam z. B. Dr. Braun!", "Wo ist das Bier?"};
  const auto paragraph = sentences[0] + "  " + sentences[1] + " " + sentences[2];
  const auto found = split_lines(
      translate("--split-sentences always --reproducible", join_lines({paragraph}, "\n")).out);
  const auto single = split_lines(translate("--reproducible", join_lines(sentences, "\n")).out);
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(single.size(), 3U);
  EXPECT_EQ(found[0], single[0] + "  " + single[1] + " " + single[2]);
  std::string chapter;
  for (int i = 0; i < 12; ++i) chapter += paragraph + " ";
  const auto shown = place->tfm("translate", chapter + "\n");
  EXPECT_EQ(count_all_line_ends(shown.out), 1U);
  EXPECT_THAT(shown.err, HasSubstr("translated in"));
}

}  // namespace
}  // namespace tfm

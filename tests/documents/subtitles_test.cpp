#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"

namespace tfm {
namespace {

using testing::ElementsAre;

const std::string srt =
    "1\r\n00:00:01,000 --> 00:00:02,500\r\n{\\an8}Where is\r\nthe <i>station</i>?\r\n\r\n"
    "2\r\n00:00:03,000 --> 00:00:04,000\r\n- Here & there.\r\n- No.\r\n\r\n"
    "3\r\n00:00:05,000 --> 00:00:06,000\r\n42\r\n";

const std::string vtt =
    "WEBVTT - a title\n\nNOTE a comment\n\nintro\n00:01.000 --> 00:02.000 align:start\n"
    "<v Bob>Where is <00:01.500>the R&amp;D?\n\n00:03.000 --> 00:04.000\n"
    "one two three four\nfive six\n";

TEST(Subtitles, TranslateTheTextOfCuesAndKeepTheirTimes) {
  EXPECT_THAT(segments_of(srt, DocumentFormat::srt),
              ElementsAre("<x1/>Where is the <i>station</i>?", "Here &amp; there.", "No."));
  EXPECT_EQ(shout(srt, DocumentFormat::srt),
            "1\r\n00:00:01,000 --> 00:00:02,500\r\n{\\an8}WHERE IS\r\nTHE <i>STATION</i>?\r\n\r\n"
            "2\r\n00:00:03,000 --> 00:00:04,000\r\n- HERE & THERE.\r\n- NO.\r\n\r\n"
            "3\r\n00:00:05,000 --> 00:00:06,000\r\n42\r\n");
  EXPECT_EQ(repeat(srt, DocumentFormat::srt), srt);
}

TEST(Subtitles, KeepWhatIsNotACueOfWebVtt) {
  EXPECT_THAT(segments_of(vtt, DocumentFormat::vtt),
              ElementsAre("<v Bob>Where is <x1/>the R&amp;D?", "one two three four five six"));
  EXPECT_EQ(repeat(vtt, DocumentFormat::vtt), vtt);
  EXPECT_EQ(shout(vtt, DocumentFormat::vtt),
            "WEBVTT - a title\n\nNOTE a comment\n\nintro\n00:01.000 --> 00:02.000 align:start\n"
            "<v Bob>WHERE IS <00:01.500>THE R&amp;D?\n\n00:03.000 --> 00:04.000\n"
            "ONE TWO THREE\nFOUR FIVE SIX\n");
}

TEST(Subtitles, BeginACueAtItsTimesWithoutABlankLine) {
  const std::string cues =
      "1\n00:00:01,000 --> 00:00:02,000\na\n2\n00:00:03,000 --> 00:00:04,000\n"
      "00:00:05,000 --> 00:00:06,000\n42\nb\n";
  EXPECT_THAT(segments_of(cues, DocumentFormat::srt), ElementsAre("a", "42 b"));
  EXPECT_THAT(segments_of("WEBVTT\n\n00:01.000 --> 00:02.000\na\n00:03.000 --> 00:04.000\nb\n",
                          DocumentFormat::vtt),
              ElementsAre("a", "b"));
}

TEST(Subtitles, KeepEntitiesThatHaveNoName) {
  const std::string cue = "00:01.000 --> 00:02.000\n";
  EXPECT_EQ(shout(cue + "a &nosuch; b &lrm;c\n", DocumentFormat::vtt),
            cue + "A &nosuch; B \u200EC\n");
}

TEST(Subtitles, SplitATranslationIntoTheLinesOfItsCueAndNeverInTags) {
  const std::string cue = "1\n00:00:01,000 --> 00:00:02,500\na\nb\n";
  const auto document = read_document(cue, document_options(DocumentFormat::srt));
  const auto text = [&](const std::string& translation) {
    return document->with_translations(std::vector{translation}).substr(cue.find("a\n"));
  };
  EXPECT_EQ(text("one"), "one\n");
  EXPECT_EQ(text("one two"), "one\ntwo\n");
  EXPECT_EQ(text("x <font color=\"a b c\">y</font>"), "x\n<font color=\"a b c\">y</font>\n");
}

}  // namespace
}  // namespace tfm

#include "tfm/core/error.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(Error, WhatContainsPlaceProblemAndHint) {
  const DataError error("train.de:881", "is not valid UTF-8", "Convert it.");
  EXPECT_STREQ(error.what(), "train.de:881: is not valid UTF-8\n  Convert it.");
  EXPECT_STREQ(DataError("", "nothing left").what(), "nothing left");
}

TEST(Error, AccessorsReturnPartsOfWhat) {
  const ConfigError error("a.yaml:3", "is: odd\n  twice", "Make it even.\n  Or not.");
  EXPECT_EQ(error.where(), "a.yaml:3");
  EXPECT_EQ(error.problem(), "is: odd\n  twice");
  EXPECT_EQ(error.hint(), "Make it even.\n  Or not.");
  EXPECT_EQ(error.summary(), "a.yaml:3: is: odd\n  twice");
}

TEST(Error, WhereAndHintAreEmptyIfOmitted) {
  const Interrupted error("stopped");
  EXPECT_EQ(error.where(), "");
  EXPECT_EQ(error.problem(), "stopped");
  EXPECT_EQ(error.hint(), "");
  EXPECT_EQ(DataError("a", "b").hint(), "");
  EXPECT_EQ(DataError("", "b", "C.").hint(), "C.");
}

TEST(Error, CopyHasTheSamePlaceAndHint) {
  const DataError error("train.de", "is empty", "Write something.");
  const Error copy = error;
  EXPECT_EQ(copy.where(), "train.de");
  EXPECT_EQ(copy.hint(), "Write something.");
}

TEST(Error, ExitCodeIs2ForConfigErrors130ForInterruptionsAnd1Otherwise) {
  EXPECT_EQ(ConfigError("", "x").exit_code(), 2);
  EXPECT_EQ(DataError("", "x").exit_code(), 1);
  EXPECT_EQ(ModelError("", "x").exit_code(), 1);
  EXPECT_EQ(Interrupted("x").exit_code(), 130);
}

}  // namespace
}  // namespace tfm

#include "interop/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pickle_parts.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Kind = PickleValue::Kind;

Pickle read_whole(const std::string& bytes) {
  std::size_t at = 0;
  return read_pickle(bytes, at, {"collections.OrderedDict", "a.f"});
}

std::string pickle_error(const std::string& bytes) {
  try {
    read_whole(bytes);
  } catch (const PickleError& error) {
    return fmt::format("{} | {}", error.what(), error.hint());
  }
  return "no error";
}

TEST(ReadPickle, ReadsConstants) {
  const auto integer = [](const std::string& bytes) {
    const auto pickle = read_whole(bytes + ".");
    EXPECT_EQ(pickle.root->kind, Kind::integer);
    return pickle.root->integer;
  };
  EXPECT_EQ(integer("K\xFF"), 255);
  EXPECT_EQ(integer("M\xFF\xFF"), 65535);
  EXPECT_EQ(integer("J\xFE\xFF\xFF\xFF"), -2);
  EXPECT_EQ(integer(std::string("\x8A\x00", 2)), 0);
  EXPECT_EQ(integer("\x8A\x01\xFF"), -1);
  EXPECT_EQ(integer(std::string("\x8A\x05\x00\x00\x00\x00\x01", 7)), std::int64_t{1} << 32U);
  EXPECT_EQ(integer("\x80\x04\x95" + std::string(8, '\0') + "K\x07"), 7);
  EXPECT_EQ(read_whole("\x88.").root->integer, 1);
  EXPECT_EQ(read_whole("\x89.").root->kind, Kind::boolean);
  EXPECT_EQ(read_whole("N.").root->kind, Kind::none);
  const std::string large(
      "\x8A\x0A"
      "0123456789.");
  EXPECT_EQ(read_whole(large).root->kind, Kind::large_integer);
  EXPECT_EQ(read_whole(large).root->text, "0123456789");
}

TEST(ReadPickle, ReadsTextsOfEveryLengthField) {
  for (const auto& bytes :
       {std::string("U\x02hi"), std::string("\x8C\x02hi"), std::string("X\x02\x00\x00\x00hi", 7),
        std::string("T\x02\x00\x00\x00hi", 7),
        "\x8D" + bytes_of(std::vector{std::int64_t{2}}) + "hi"})
    EXPECT_EQ(read_whole(bytes + ".").root->text, "hi");
}

TEST(ReadPickle, ReadsContainersAndReferences) {
  const auto pickle = read_whole(
      "](K\x01K\x02"
      "eN"
      "aq\x05"
      "h\x05\x86.");
  ASSERT_EQ(pickle.root->kind, Kind::tuple);
  ASSERT_EQ(pickle.root->items.size(), 2U);
  EXPECT_EQ(pickle.root->items[0], pickle.root->items[1]);
  const auto& list = *pickle.root->items[0];
  ASSERT_EQ(list.items.size(), 3U);
  EXPECT_EQ(list.items[1]->integer, 2);
  EXPECT_EQ(list.items[2]->kind, Kind::none);
  const auto pair = read_whole("K\x01K\x02\x86.");
  EXPECT_EQ(pair.root->items[0]->integer, 1);
  EXPECT_EQ(pair.root->items[1]->integer, 2);
  const auto memoized = read_whole("}\x94]\x94j" + std::string("\x01\x00\x00\x00", 4) + "\x87.");
  EXPECT_EQ(memoized.root->items[1], memoized.root->items[2]);
}

TEST(ReadPickle, RecordsCallsWithoutRunningThem) {
  const auto pickle = read_whole("ccollections\nOrderedDict\n)RK\x01K\x02s}b.");
  EXPECT_EQ(pickle.root->kind, Kind::call);
  EXPECT_EQ(pickle.root->items[0]->text, "collections.OrderedDict");
  EXPECT_EQ(pickle.root->items[1]->items.size(), 0U);
  ASSERT_EQ(pickle.root->entries.size(), 1U);
  EXPECT_EQ(pickle.root->entries[0].value->integer, 2);
  EXPECT_TRUE(pickle.root->has_state);
  EXPECT_EQ(read_whole("\x8C\x01"
                       "a\x8C\x01"
                       "f\x93.")
                .root->text,
            "a.f");
}

TEST(ReadPickle, ContinuesBehindThePickle) {
  const std::string bytes = "K\x01.K\x02.rest";
  std::size_t at = 0;
  EXPECT_EQ(read_pickle(bytes, at, {}).root->integer, 1);
  EXPECT_EQ(read_pickle(bytes, at, {}).root->integer, 2);
  EXPECT_EQ(at, 6U);
}

TEST(ReadPickle, RefusesOtherNamesWithTheirPlace) {
  const auto system = AllOf(HasSubstr("refers to os.system,"), HasSubstr("tfm has run none"));
  EXPECT_THAT(pickle_error("\x80\x02"
                           "cos\nsystem\nX\x02\x00\x00\x00ls\x85R."),
              AllOf(system, HasSubstr("byte 2:")));
  EXPECT_THAT(pickle_error("\x8C\x02os\x8C\x06system\x93\x8C\x02ls\x85R."),
              AllOf(system, HasSubstr("byte 12:")));
  for (const std::string& name :
       {std::string("builtins\neval"), std::string("collections\nOrderedDict.x"),
        std::string("collections.OrderedDict\n"), std::string("\ncollections.OrderedDict"),
        std::string("a\nf\0", 4), std::string("a\nf ")})
    EXPECT_THAT(pickle_error(fmt::format("c{}\n.", name)), HasSubstr("which no state dict needs"));
}

TEST(ReadPickle, RefusesOpcodesThatAStateDictDoesNotNeed) {
  // INST, OBJ, NEWOBJ, EXT1, persistent ids in text, a text protocol, and no opcode at all
  for (const std::string bytes :
       {"(ios\nsystem\n.", "(ca\nf\no.", "ca\nf\n)\x81.", "\x82\x01.", "P0\n.", "I1\n.", "\xFF."})
    EXPECT_THAT(pickle_error(bytes), HasSubstr("uses the opcode 0x")) << bytes;
}

TEST(ReadPickle, ThrowsWhenTheStackIsMisused) {
  EXPECT_THAT(pickle_error("."), HasSubstr("stack is empty"));
  EXPECT_THAT(pickle_error("K\x01(\x85."), HasSubstr("stack is empty"));
  EXPECT_THAT(pickle_error("K\x01K\x02."), HasSubstr("left on the stack"));
  EXPECT_THAT(pickle_error("(K\x01."), HasSubstr("left on the stack"));
  EXPECT_THAT(pickle_error("t."), HasSubstr("a mark is missing"));
  EXPECT_THAT(pickle_error("(u."), HasSubstr("stack is empty"));
  EXPECT_THAT(pickle_error("K\x01(NNu."), HasSubstr("not a dictionary"));
  EXPECT_THAT(pickle_error("}(Nu."), HasSubstr("not a dictionary"));
  EXPECT_THAT(pickle_error("}Na."), HasSubstr("not a list"));
  EXPECT_THAT(pickle_error("N)R."), HasSubstr("not a function"));
  EXPECT_THAT(pickle_error("ca\nf\nNR."), HasSubstr("not a function"));
  EXPECT_THAT(pickle_error("NNb."), HasSubstr("sets attributes"));
  EXPECT_THAT(pickle_error("NN\x93."), HasSubstr("a name is not a text"));
}

TEST(ReadPickle, ThrowsWhenTheMemoHasNoSuchValue) {
  EXPECT_THAT(pickle_error("Nq\x01h\x02."), HasSubstr("the memo has no value 2"));
  EXPECT_THAT(pickle_error("j\xFF\xFF\xFF\xFF."), HasSubstr("the memo has no value 4294967295"));
  EXPECT_THAT(pickle_error("q\x01."), HasSubstr("stack is empty"));
}

TEST(ReadPickle, ThrowsWhenATextIsLongerThanTheFile) {
  EXPECT_THAT(pickle_error("X\xFF\xFF\xFF\xFFhi."), HasSubstr("ends within a pickle"));
  EXPECT_THAT(pickle_error("\x8D\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFFhi."),
              HasSubstr("ends within a pickle"));
  EXPECT_THAT(pickle_error("cos"), HasSubstr("ends within a pickle"));
}

TEST(ReadPickle, AcceptsDeepNestingAndCycles) {
  EXPECT_EQ(read_whole(")" + std::string(500'000, '\x85') + ".").root->items.size(), 1U);
  const auto cycle = read_whole(
      "]q\x01h\x01"
      "a.");
  EXPECT_EQ(cycle.root->items[0], cycle.root);
}

TEST(ReadPickle, ThrowsWhenThereAreTooManyOpcodes) {
  EXPECT_THAT(pickle_error("(" + std::string(2'000'000, 'N') + "t."),
              HasSubstr("too many opcodes"));
}

}  // namespace
}  // namespace tfm

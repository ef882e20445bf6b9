// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <random>

namespace poet {
namespace {

using nlohmann::ordered_json;

/// The message when `read` is asked of the object in `text`; empty when it is satisfied.
std::string complaint(const std::string& text, const std::function<void(ObjectReader&)>& read)
{
    const auto value = parseJson(text, "file.json", ErrorCode::BadModel);
    EXPECT_TRUE(value) << text;
    if (!value)
        return "not JSON";
    ObjectReader reader(*value, "file.json: nodes[3]", ErrorCode::BadModel);
    read(reader);
    const auto result = reader.result();
    EXPECT_EQ(result.has_value(), reader.ok());
    if (result)
        return {};
    EXPECT_EQ(result.error().code, ErrorCode::BadModel);
    EXPECT_TRUE(result.error().message.starts_with("file.json: nodes[3]")) << result.error().message;
    return result.error().message;
}

TEST(ParseJson, brokenTextNamesSourceAndPosition)
{
    const std::string whole = R"({"a":[1,2,{"b":"text\n"}],"c":-1.5e3,"d":null})";
    ASSERT_TRUE(parseJson(whole, "x", ErrorCode::BadModel));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto cut = parseJson(whole.substr(0, length), "model.json", ErrorCode::BadProfile);
        ASSERT_FALSE(cut) << length;
        EXPECT_EQ(cut.error().code, ErrorCode::BadProfile);
        EXPECT_TRUE(cut.error().message.starts_with("model.json is not valid JSON: ")) << cut.error().message;
        EXPECT_NE(cut.error().message.find("column"), std::string::npos) << cut.error().message;
    }
    EXPECT_FALSE(parseJson(whole + "x", "x", ErrorCode::BadModel)) << "text after the value";
    EXPECT_FALSE(parseJson("{\"a\":\"\xff\"}", "x", ErrorCode::BadModel)) << "not UTF-8";
    EXPECT_FALSE(parseJson("{\"a\":NaN}", "x", ErrorCode::BadModel));
    const auto large = parseJson("{\"a\":1e999}", "x", ErrorCode::BadModel);
    ASSERT_FALSE(large);
    EXPECT_NE(large.error().message.find("1e999"), std::string::npos) << large.error().message;
}

TEST(ParseJson, deepNestingIsNoCrash)
{
    for (const std::string open : {"[", "{\"a\":"}) {
        std::string deep;
        for (int i = 0; i < 200000; ++i)
            deep += open;
        EXPECT_FALSE(parseJson(deep, "x", ErrorCode::BadModel));
    }
    EXPECT_TRUE(parseJson(std::string(200000, '[') + std::string(200000, ']'), "x", ErrorCode::BadModel));
}

TEST(ParseJson, flippedBytesNeverCrash)
{
    constexpr std::uint32_t seed = 11;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const std::string whole = R"({"format":"poet-graph","version":1,"nodes":[{"name":"a","bytes":12,"x":[true,false,null,-0.5e-3]}]})";
    int readable = 0;
    for (int i = 0; i < 5000; ++i) {
        std::string broken = whole;
        for (unsigned k = 0; k <= random() % 3; ++k)
            broken[random() % broken.size()] = static_cast<char>(random());
        if (const auto value = parseJson(broken, "x", ErrorCode::BadModel))
            ++readable;
        else
            EXPECT_FALSE(value.error().message.empty());
    }
    EXPECT_GT(readable, 0) << "some flips change only a name or a digit";
    EXPECT_LT(readable, 5000);
}

TEST(ObjectReader, integersAreExactAndBounded)
{
    const auto read = [](const std::string& value) {
        std::int64_t result = -1;
        const std::string message = complaint("{\"n\":" + value + "}", [&](ObjectReader& reader) { result = reader.integer("n"); });
        return message.empty() ? std::to_string(result) : message.substr(std::string("file.json: nodes[3]: 'n' ").size());
    };
    EXPECT_EQ(read("0"), "0");
    EXPECT_EQ(read("1e3"), "1000");
    EXPECT_EQ(read("4611686018427387904"), "4611686018427387904") << "2^62";
    EXPECT_EQ(read("9007199254740993"), "9007199254740993") << "2^53 + 1 is no double";
    EXPECT_EQ(read("9223372036854775807"), "is too large.");
    EXPECT_EQ(read("18446744073709551615"), "is too large.");
    EXPECT_EQ(read("1e300"), "is too large.");
    EXPECT_EQ(read("-1"), "must not be negative.");
    EXPECT_EQ(read("1.5"), "must be a whole number.");
    EXPECT_EQ(read("\"1\""), "must be a number.");
    EXPECT_EQ(read("true"), "must be a number.");
    EXPECT_EQ(read("[1]"), "must be a number.");
    EXPECT_EQ(read("null"), "is missing.");
}

TEST(ObjectReader, firstErrorStays)
{
    const std::string message = complaint(R"({"a":"x","b":-1})", [](ObjectReader& reader) {
        EXPECT_EQ(reader.number("b"), -1);
        reader.integer("a");
        reader.text("c");
    });
    EXPECT_NE(message.find("'b' must not be negative"), std::string::npos) << message;
}

TEST(ObjectReader, wrongTypesAndUnknownFieldsNameTheKey)
{
    const std::string object = R"({"t":"x","n":1,"f":true,"a":[],"o":{}})";
    EXPECT_EQ(complaint(object, [](ObjectReader& r) {
                  EXPECT_EQ(r.text("t"), "x");
                  EXPECT_EQ(r.number("n"), 1);
                  EXPECT_TRUE(r.flag("f"));
                  EXPECT_TRUE(r.array("a"));
                  EXPECT_TRUE(r.object("o"));
                  r.onlyKnown({"t", "n", "f", "a", "o"});
              }),
              "");
    const std::vector<std::pair<std::string, std::function<void(ObjectReader&)>>> wrong{
        {"'n' must be a text", [](ObjectReader& r) { r.text("n"); }},
        {"'t' must be a number", [](ObjectReader& r) { r.number("t"); }},
        {"'n' must be true or false", [](ObjectReader& r) { r.flag("n"); }},
        {"'o' must be an array", [](ObjectReader& r) { EXPECT_FALSE(r.array("o")); }},
        {"'a' must be an object", [](ObjectReader& r) { EXPECT_FALSE(r.object("a")); }},
        {"'z' is missing", [](ObjectReader& r) { EXPECT_FALSE(r.member("z")); }},
        {"'f' is not a known field", [](ObjectReader& r) { r.onlyKnown({"t", "n", "a", "o"}); }},
        {"'format'", [](ObjectReader& r) { r.expectFormat("poet-graph", 1); }},
    };
    for (const auto& [expected, read] : wrong)
        EXPECT_NE(complaint(object, read).find(expected), std::string::npos) << expected << " in " << complaint(object, read);
    EXPECT_NE(complaint(R"({"format":"poet-graph","version":2})", [](ObjectReader& r) { r.expectFormat("poet-graph", 1); }).find("'version'"), std::string::npos);
}

TEST(ObjectReader, fallbacksStandInForWhatIsAbsentOnly)
{
    EXPECT_EQ(complaint("{}", [](ObjectReader& r) {
                  EXPECT_EQ(r.integer("n", 0, 7), 7);
                  EXPECT_EQ(r.number("n", 0, 0.5), 0.5);
                  EXPECT_EQ(r.text("t", "none"), "none");
                  EXPECT_TRUE(r.flag("f", true));
                  EXPECT_FALSE(r.array("a", false));
              }),
              "");
    EXPECT_NE(complaint(R"({"n":"7"})", [](ObjectReader& r) { r.integer("n", 0, 7); }), "");
}

TEST(ObjectReader, whatIsNoObjectIsRefusedAndHasNoMembers)
{
    for (const char* text : {"[]", "1", "\"x\"", "null"})
        EXPECT_NE(complaint(text, [](ObjectReader& r) {
                      EXPECT_FALSE(r.has("a"));
                      EXPECT_FALSE(r.member("a"));
                      r.onlyKnown({"a"});
                  }).find("must be an object"),
                  std::string::npos)
            << text;
}

}  // namespace
}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/import.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>

namespace poet::onnx {
namespace {

const std::filesystem::path kOracle = std::filesystem::path(POET_SHARED_DIR) / "oracle";

ElementType typeOf(const std::string& name)
{
    static const std::map<std::string, ElementType> types = {
        {"float32", ElementType::F32}, {"float16", ElementType::F16}, {"float64", ElementType::F64}, {"int64", ElementType::I64},
        {"int32", ElementType::I32},   {"bool", ElementType::Bool},   {"uint8", ElementType::U8},    {"int8", ElementType::I8}};
    const auto found = types.find(name);
    return found == types.end() ? ElementType::Unknown : found->second;
}

TEST(Values, everyShapeOfTheOracleIsFound)
{
    if (!std::filesystem::exists(kOracle / "values"))
        GTEST_SKIP() << "no oracle data";
    int checked = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kOracle / "values")) {
        const auto truth = nlohmann::json::parse(std::ifstream(entry.path()));
        const std::string file = truth["file"];
        const auto graph = inferModel(kOracle / "models" / file, {});
        ASSERT_TRUE(graph) << file << ": " << graph.error().text();
        std::map<std::string, const ForwardValue*> ours;
        for (const ForwardValue& value : graph->values)
            ours[value.name] = &value;
        for (const auto& [name, fact] : truth["value_shapes"].items()) {
            const auto found = ours.find(name);
            ASSERT_NE(found, ours.end()) << file << ": " << name;
            EXPECT_EQ(found->second->shape, fact[0].get<Shape>()) << file << ": " << name;
            EXPECT_EQ(found->second->type, typeOf(fact[1])) << file << ": " << name;
            ++checked;
        }
    }
    EXPECT_GT(checked, 1000);
}

TEST(Values, everyModelOfTheOracleImports)
{
    if (!std::filesystem::exists(kOracle / "models"))
        GTEST_SKIP() << "no oracle data";
    for (const char* folder : {"models", "light"})
        for (const auto& entry : std::filesystem::directory_iterator(kOracle / folder)) {
            if (entry.path().extension() != ".onnx")
                continue;
            const auto graph = importModel(entry.path(), {});
            EXPECT_TRUE(graph) << entry.path() << ": " << graph.error().text();
            if (!graph)
                continue;
            for (const ForwardValue& value : graph->values)
                EXPECT_GT(elementBytes(value.type), 0) << entry.path() << ": " << value.name;
        }
}

}  // namespace
}  // namespace poet::onnx

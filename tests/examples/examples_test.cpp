// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/cost_graph.h"
#include "core/onnx/import.h"
#include "core/training/build.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <unistd.h>

namespace poet {
namespace {

const std::filesystem::path kExamples = std::filesystem::path(POET_SOURCE_DIR) / "examples";

std::string content(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Examples, filesAreWhatTheProgramWrites)
{
    const auto folder = std::filesystem::temp_directory_path() / ("poet-examples-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    ASSERT_EQ(std::system((std::string(POET_WRITE_EXAMPLES) + " " + folder.string()).c_str()), 0);
    std::set<std::string> written, shipped;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        written.insert(entry.path().filename());
        EXPECT_EQ(content(entry.path()), content(kExamples / entry.path().filename())) << entry.path().filename();
    }
    for (const auto& entry : std::filesystem::directory_iterator(kExamples))
        if (entry.path().extension() == ".onnx")
            shipped.insert(entry.path().filename());
    EXPECT_EQ(written, shipped);
    std::filesystem::remove_all(folder);
}

TEST(Examples, modelsAreSmallAndTrain)
{
    for (const auto& entry : std::filesystem::directory_iterator(kExamples)) {
        if (entry.path().extension() != ".onnx")
            continue;
        EXPECT_LT(std::filesystem::file_size(entry.path()), 200U * 1024U) << entry.path();
        const auto graph = onnx::importModel(entry.path(), {.dims = {{"batch", 4}}});
        ASSERT_TRUE(graph) << entry.path() << ": " << graph.error().text();
        EXPECT_EQ(graph->value(graph->outputs[0]).shape[0], 4) << entry.path();
        const auto training = buildTrainingGraph(std::make_shared<const ForwardGraph>(*graph), {});
        ASSERT_TRUE(training) << entry.path() << ": " << training.error().text();
    }
}

TEST(Examples, costGraphReads)
{
    const auto graph = parseCostGraph(content(kExamples / "residual.graph.json"), "residual.graph.json");
    ASSERT_TRUE(graph) << graph.error().text();
    EXPECT_TRUE(validate(*graph));
    EXPECT_EQ(graph->size(), 20);
}

}  // namespace
}  // namespace poet

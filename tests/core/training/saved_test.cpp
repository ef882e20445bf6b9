// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// The training graph against what a framework really saved.
#include "core/onnx/import.h"
#include "core/schedule/replay.h"
#include "core/training/build.h"
#include "core/training/summary.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace poet {
namespace {

const std::filesystem::path kModels = std::filesystem::path(POET_SHARED_DIR) / "oracle" / "models";

Expected<TrainingGraph> trainingGraph(const nlohmann::json& row)
{
    onnx::ImportOptions import;
    import.dataInputs = row["data_inputs"].get<std::vector<std::string>>();
    for (const std::string dim : row["dims"]) {
        POET_TRY(bound, onnx::parseDim(dim));
        import.dims.insert(bound);
    }
    POET_TRY(forward, onnx::importModel(kModels / row["file"].get<std::string>(), import));
    TrainingOptions options;
    if (row["loss"].get<std::string>().starts_with("mse"))
        options.loss = "mse";
    return buildTrainingGraph(std::make_shared<const ForwardGraph>(std::move(forward)), options);
}

class Saved : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (!std::filesystem::exists(kModels / "saved.json"))
            GTEST_SKIP() << "no oracle data";
        m_rows = nlohmann::json::parse(std::ifstream(kModels / "saved.json"));
    }
    nlohmann::json m_rows;
};

/// Within 0.2 % of the fused number, not only between it and the node-by-node one; 50 % for recurrent layers.
TEST_F(Saved, bytesLandOnTheFrameworksOwnNumber)
{
    for (const auto& row : m_rows) {
        const auto graph = trainingGraph(row);
        ASSERT_TRUE(graph) << row["file"] << ": " << graph.error().text();
        const TrainingSummary summary = summarize(*graph);
        const auto truth = row["framework_saved_bytes"].get<double>();
        const double slack = row["recurrent"].get<bool>() ? 0.5 : 0.002;
        EXPECT_NEAR(static_cast<double>(summary.activationBytes), truth, truth * slack) << row["file"];
        EXPECT_EQ(summary.parameterBytes, row["parameter_bytes"].get<std::int64_t>()) << row["file"];
        EXPECT_NEAR(summary.forwardMacs, row["forward_macs"].get<double>(), 1e-3 * summary.forwardMacs) << row["file"];
        if (!row["recurrent"].get<bool>()) {
            EXPECT_NEAR(summary.backwardMacs, row["backward_macs"].get<double>(), 1e-3 * summary.backwardMacs) << row["file"];
        }
    }
}

/// Why the measured peak is larger than ours, in bytes: what PyTorch 1.13 holds that the step does not need.
struct Surplus {
    double masks = 0;    ///< dropout masks of 4 bytes an element on a CPU, 1 here
    double shapes = 0;   ///< inputs of max pooling, kept only for their shape
    double partials = 0; ///< unrolled recurrent layers: two copies of W and R of the largest layer, as partial gradients
};

Surplus surplusOf(const nlohmann::json& row, const TrainingGraph& graph, const TrainingSummary& summary)
{
    Surplus surplus{3.0 * static_cast<double>(summary.maskBytes), 0, 0};
    if (row.contains("saved_by_operator"))
        surplus.shapes = row["saved_by_operator"].value("MaxPool2DWithIndicesBackward0.self", 0.0);
    for (const ForwardOp& op : graph.forward->ops)
        if (op.type == "LSTM" || op.type == "GRU" || op.type == "RNN")
            surplus.partials = std::max(surplus.partials, 2.0 * static_cast<double>(graph.forward->bytes(op.input(1)) + graph.forward->bytes(op.input(2))));
    return surplus;
}

/// Keep-all peaks against the measured ones. Every difference over 3 % is printed with its parts (percent of the measured
/// peak); what is left without a reason is at most 3 %. In short:
///
///     network          ours      reason                                                   left
///     bert_base        -12.2 %   masks                                                    +0.3 %
///     bert_tiny        -11.1 %   masks                                                    +1.4 %
///     squeezenet1_1    -11.7 %   shapes                                                    0.0 %
///     googlenet         -4.6 %   shapes                                                   -0.1 %
///     lstm_classifier  -85.8 %   partials (batch 8: -40.9 %)                              -0.9 %, +0.8 %
///     gru_regressor    -51.9 %   partials (batch 8: -29.9 %), and what the unrolled steps save more: batch 1 24,576
///                                and batch 8 196,608 bytes, of which the moment of the peak holds a part
///
/// None of the three is memory that training needs: a planned step has masks of one byte, knows shapes without tensors,
/// and adds the weight gradients of a step in place. The last row is the only one without a bound here.
TEST_F(Saved, keepAllPeaksAgreeWithTheMeasuredOnes)
{
    for (const auto& row : m_rows) {
        if (!row.contains("peak_bytes"))
            continue;
        const auto graph = trainingGraph(row);
        ASSERT_TRUE(graph) << row["file"];
        const TrainingSummary summary = summarize(*graph);
        const CostGraph costs = neutralCosts(*graph);
        const auto played = replay(costs, TransferModel::Blocking, keepAllSchedule(costs));
        ASSERT_TRUE(played) << row["file"] << ": " << played.error().text();
        const double ours = static_cast<double>(played->peakBytes - summary.inputBytes);
        const double measured = row["peak_bytes"].get<double>();
        const Surplus surplus = surplusOf(row, *graph, summary);
        const double left = (ours + surplus.masks + surplus.shapes + surplus.partials) / measured - 1;
        if (std::fabs(ours / measured - 1) > 0.03)
            std::printf("%-40s ours %+6.1f %%  masks %5.1f %%  shapes %5.1f %%  partials %5.1f %%  left %+5.1f %%\n", row["file"].get<std::string>().c_str(),
                        100 * (ours / measured - 1), 100 * surplus.masks / measured, 100 * surplus.shapes / measured, 100 * surplus.partials / measured, 100 * left);
        const bool isUnrolledGru = row["file"].get<std::string>().starts_with("gru");
        EXPECT_NEAR(left, 0, isUnrolledGru ? 0.25 : 0.03) << row["file"];
    }
}

}  // namespace
}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/why.h"
#include "core/schedule/why_report.h"
#include "tests/core/planning/support/random_graphs.h"
#include "tests/core/schedule/support/random_schedules.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

namespace poet {
namespace {

constexpr TransferModel kModels[] = {TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma};
constexpr std::uint32_t kSeeds = 60;

Plan planOf(const CostGraph& graph, TransferModel model, const Schedule& schedule)
{
    Plan plan;
    plan.status = SolveStatus::Feasible;
    plan.transfer = model;
    plan.replay = replay(graph, model, schedule).value();
    plan.memoryBytes = plan.replay.peakBytes + graph.device.residentBytes;
    return plan;
}

struct Case {
    CostGraph graph;
    Plan plan;
};

Case makeCase(std::uint32_t seed, TransferModel model)
{
    Case result;
    result.graph = testing::randomTrainingGraph(seed, {.minNodes = 6, .maxNodes = 14, .transfer = model});
    std::mt19937 random(seed);
    result.plan = planOf(result.graph, model, testing::anySchedule(result.graph, model, random));
    return result;
}

/// Calls `check` for many plans in all transfer models.
template <class Check>
void forManyPlans(Check check)
{
    for (const TransferModel model : kModels)
        for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
            SCOPED_TRACE(std::string(name(model)) + " seed " + std::to_string(seed));
            const Case one = makeCase(seed, model);
            check(one.graph, one.plan);
        }
}

TEST(Alternatives, doWhatTheySayAndChangeOnlyThisTensorsFate)
{
    int possible = 0;
    forManyPlans([&](const CostGraph& graph, const Plan& plan) {
        const auto fates = fatesOf(graph, plan.replay.schedule);
        for (NodeId node = 0; node < graph.size(); ++node) {
            const auto items = alternativesFor(graph, plan.transfer, plan.replay.schedule, node);
            ASSERT_EQ(items.size(), 3U);
            for (const Alternative& item : items) {
                EXPECT_EQ(item.isPossible, obstacleText(graph, item).empty()) << node;
                if (!item.isPossible)
                    continue;
                ++possible;
                if (item.isChosen) {
                    EXPECT_EQ(item.replay.energyJoules, plan.replay.energyJoules);
                    continue;
                }
                const auto after = fatesOf(graph, item.replay.schedule);
                const Fate expected = item.choice == Choice::Keep ? Fate::Kept : item.choice == Choice::Page ? Fate::Paged : Fate::Recomputed;
                EXPECT_EQ(after[static_cast<std::size_t>(node)], expected) << node;
                for (NodeId other = 0; other < graph.size(); ++other) {
                    const bool mustStay = other != node && fates[static_cast<std::size_t>(other)] == Fate::Kept &&
                                          std::ranges::count(item.alsoRecomputed, other) == 0;
                    if (mustStay) {
                        EXPECT_EQ(after[static_cast<std::size_t>(other)], Fate::Kept) << node << " changed " << other;
                    }
                }
            }
        }
    });
    EXPECT_GT(possible, 1000) << "the cases must offer something";
}

/// The energy of a schedule when one number of `node` is scaled.
double energyWith(CostGraph graph, TransferModel model, const Schedule& schedule, NodeId node, bool isRun, double factor)
{
    CostNode& costs = graph.nodes[static_cast<std::size_t>(node)];
    for (double* joules : isRun ? std::vector<double*>{&costs.compute.joules} : std::vector<double*>{&costs.pageIn.joules, &costs.pageOut.joules})
        *joules *= factor;
    return replay(graph, model, schedule).value().energyJoules;
}

TEST(Why, thresholdsAreWhereTheEnergiesMeet)
{
    int runs = 0;
    int trips = 0;
    forManyPlans([&](const CostGraph& graph, const Plan& plan) {
        for (NodeId node = 0; node < graph.size(); ++node) {
            const Why why = explainTensor(graph, plan, limitsOf(plan), node);
            const CostNode& costs = graph.nodes[static_cast<std::size_t>(node)];
            for (std::size_t i = 0; i < why.alternatives.size(); ++i) {
                const auto check = [&](const std::optional<double>& value, double now, bool isRun) {
                    if (!value)
                        return 0;
                    const auto difference = [&](double at) {
                        return energyWith(graph, plan.transfer, why.alternatives[i].replay.schedule, node, isRun, at / now) -
                               energyWith(graph, plan.transfer, plan.replay.schedule, node, isRun, at / now);
                    };
                    EXPECT_NEAR(difference(*value), 0, 1e-9 * plan.replay.energyJoules);
                    EXPECT_LT(difference(*value + (*value - now) * 0.01), 0) << "beyond it the alternative wins";
                    EXPECT_GT(difference(*value - (*value - now) * 0.01), 0) << "before it the plan does";
                    return 1;
                };
                runs += check(why.verdicts[i].runJoules, costs.compute.joules, true);
                trips += check(why.verdicts[i].roundTripJoules, costs.pageIn.joules + costs.pageOut.joules, false);
            }
        }
    });
    EXPECT_GT(runs, 50);
    EXPECT_GT(trips, 50);
}

TEST(Why, ramAtTheEndOfAStepIsTheSumOfItsTensors)
{
    forManyPlans([&](const CostGraph& graph, const Plan& plan) {
        const auto& steps = plan.replay.schedule.steps;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            std::int64_t bytes = 0;
            for (const NodeId node : tensorsInRam(plan.replay.schedule, graph, static_cast<int>(s)))
                bytes += graph.nodes[static_cast<std::size_t>(node)].bytes;
            EXPECT_EQ(bytes, steps[s].ramBytes) << "step " << s;
        }
    });
}

TEST(Why, limitsAreJudgedAgainstTheReplay)
{
    Case one = makeCase(3, TransferModel::Blocking);
    PlanLimits tight{one.plan.memoryBytes - 1, one.plan.replay.seconds / 2};
    const Why why = explainTensor(one.graph, one.plan, tight, 0);
    for (std::size_t i = 0; i < why.alternatives.size(); ++i)
        if (why.alternatives[i].isChosen) {
            EXPECT_EQ(why.verdicts[i].missingBytes, 1);
            EXPECT_DOUBLE_EQ(why.verdicts[i].lateSeconds, one.plan.replay.seconds / 2);
            EXPECT_FALSE(why.verdicts[i].fits());
        }
    one.graph.device.writeLimitBytesPerStep = 0;
    bool hasPage = false;
    for (NodeId node = 0; node < one.graph.size(); ++node) {
        const Why next = explainTensor(one.graph, one.plan, limitsOf(one.plan), node);
        if (next.alternatives[1].isPossible && one.graph.nodes[static_cast<std::size_t>(node)].bytes > 0) {
            hasPage = true;
            EXPECT_TRUE(next.verdicts[1].isStoreOver);
        }
    }
    EXPECT_TRUE(hasPage);
}

TEST(Why, lifeLiesWithinTheStepAndInterestHoldsAllDropped)
{
    forManyPlans([&](const CostGraph& graph, const Plan& plan) {
        const auto fates = fatesOf(graph, plan.replay.schedule);
        const auto interest = tensorsOfInterest(graph, plan, 2);
        EXPECT_TRUE(std::ranges::is_sorted(interest));
        for (NodeId node = 0; node < graph.size(); ++node) {
            if (fates[static_cast<std::size_t>(node)] != Fate::Kept) {
                EXPECT_EQ(std::ranges::count(interest, node), 1) << node;
            }
            const Why why = explainTensor(graph, plan, limitsOf(plan), node);
            EXPECT_LT(why.beginStep, why.endStep);
            EXPECT_LE(why.endSeconds, plan.replay.seconds * (1 + 1e-12));
            EXPECT_LE(why.ramSeconds, (why.endSeconds - why.beginSeconds) * (1 + 1e-9) + 1e-15);
            if (why.fate == Fate::Kept) {
                EXPECT_NEAR(why.ramSeconds, why.endSeconds - why.beginSeconds, 1e-9 * plan.replay.seconds);
            }
        }
    });
}

TEST(WhyReport, namesEachChoiceAndReadsAsJson)
{
    const Case one = makeCase(5, TransferModel::Dma);
    std::vector<WhyAnswer> answers;
    for (NodeId node = 0; node < one.graph.size(); ++node)
        answers.push_back({explainTensor(one.graph, one.plan, limitsOf(one.plan), node), {}});
    answers.front().forced.push_back({Choice::Keep, SolveStatus::Infeasible, Fate::Kept, 0, 0, 0});
    const std::string text = whyText(one.graph, one.plan, answers.front());
    for (const char* part : {"keep", "page", "recompute", "lifetime", "<- the plan", "What would change it", "(proven)"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    const auto json = nlohmann::ordered_json::parse(whyJson(one.graph, one.plan, limitsOf(one.plan), answers));
    EXPECT_EQ(json.at("format"), "poet-why");
    ASSERT_EQ(json.at("tensors").size(), one.graph.nodes.size());
    for (const auto& tensor : json.at("tensors"))
        EXPECT_EQ(tensor.at("alternatives").size(), 3U);
    const std::string table = whyTable(one.graph, one.plan, answers);
    EXPECT_EQ(std::ranges::count(table, '\n'), one.graph.size() + 2);
}

}  // namespace
}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/device/cost_model.h"
#include "core/device/transfer_cost.h"
#include "tests/core/device/small_graphs.h"

#include <algorithm>
#include <random>

namespace poet {
namespace {

using test::chain;
using test::shipped;

void expectRelative(double actual, double expected, double tolerance, const std::string& what)
{
    EXPECT_NEAR(actual, expected, tolerance * std::max(expected, 1e-300)) << what;
}

/// A training graph whose nodes have the bytes and phases of a published cost graph, and the FLOPs that its seconds
/// mean at `flopsPerSecond`.
TrainingGraph fromPublished(const CostGraph& graph, double flopsPerSecond)
{
    TrainingGraph training;
    for (const CostNode& published : graph.nodes) {
        auto node = test::node(published.name, published.phase == Phase::Forward ? NodeRole::Forward : NodeRole::Backward, published.inputs,
                               published.bytes, {});
        if (published.compute.seconds > 0)
            node.work = {test::work("Op", "", OpClass::Other, published.compute.seconds * flopsPerSecond, 0, 0)};
        training.nodes.push_back(node);
    }
    return training;
}

std::optional<CostGraph> oracle(const std::string& name)
{
    const auto text = readFile(std::filesystem::path(POET_SHARED_DIR) / "oracle/paper" / (name + ".graph.json"));
    if (!text)
        return std::nullopt;
    const auto graph = parseCostGraph(*text, name);
    EXPECT_TRUE(graph) << (graph ? "" : graph.error().text());
    return graph ? std::optional(*graph) : std::nullopt;
}

TEST(PaperAccounting, reproducesThePublishedCostGraphs)
{
    // FLOPs come from the seconds on one device; joules and transfers there, and everything on the other device, must follow.
    const struct {
        const char* source;
        double flopsPerSecond;
        const char* target;
        const char* profile;
    } cases[] = {
        {"resnet18_cifar-a72", 2.0e9, "resnet18_cifar-m4", "paper-m4"}, {"resnet18_cifar-a72", 2.0e9, "resnet18_cifar-a72", "paper-a72"},
        {"resnet18_cifar-m4", 1.6283e9 / 255.6237, "resnet18_cifar-a72", "paper-a72"}, {"linear-a72", 2.0e9, "linear-m4", "paper-m4"},
        {"transformer-a72", 2.0e9, "transformer-m4", "paper-m4"},       {"bert-a72", 2.0e9, "bert-a72", "paper-a72"},
        {"vgg16-a72", 2.0e9, "vgg16-a72", "paper-a72"},
        {"vgg16_cifar-m4", 1.6283e9 / 255.6237, "vgg16_cifar-m4", "paper-m4"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(std::string(one.source) + " -> " + one.target);
        const auto source = oracle(one.source);
        const auto target = oracle(one.target);
        if (!source || !target)
            GTEST_SKIP() << "needs the reference data in " << POET_SHARED_DIR;
        const auto built = buildCostGraph(fromPublished(*source, one.flopsPerSecond), shipped(one.profile));
        ASSERT_TRUE(built) << built.error().text();
        ASSERT_EQ(built->size(), target->size());
        EXPECT_EQ(built->device.transfer, TransferModel::Paper);
        EXPECT_EQ(built->device.idleWatts, 0);
        EXPECT_EQ(built->device.residentBytes, 0);
        for (std::size_t i = 0; i < built->nodes.size(); ++i) {
            const CostNode& mine = built->nodes[i];
            const CostNode& published = target->nodes[i];
            expectRelative(mine.compute.joules, published.compute.joules, 1e-12, published.name + " joules");
            expectRelative(mine.compute.seconds, published.compute.seconds, 1e-12, published.name + " seconds");
            expectRelative(mine.pageIn.joules, published.pageIn.joules, 1e-12, published.name + " page-in");
            expectRelative(mine.pageIn.seconds, published.pageIn.seconds, 1e-12, published.name + " page-in time");
            expectRelative(mine.pageOut.joules, published.pageOut.joules, 1e-12, published.name + " page-out");
            expectRelative(mine.pageOut.seconds, published.pageOut.seconds, 1e-12, published.name + " page-out time");
        }
    }
}

TEST(CostModel, computeIsActiveMinusIdlePowerTimesTime)
{
    const auto costs = buildCostGraph(chain(1), shipped("nrf52840"));
    ASSERT_TRUE(costs) << costs.error().text();
    const CostNode& conv = costs->nodes[1];
    const double seconds = 1e6 * 7.28 / 64e6;
    expectRelative(conv.compute.seconds, seconds, 1e-12, "seconds");
    expectRelative(conv.compute.joules, (0.010 - 0.0015) * seconds, 1e-12, "joules");
    EXPECT_EQ(costs->nodes[0].compute, Cost{});
    EXPECT_TRUE(conv.recomputable);
    EXPECT_FALSE(costs->nodes[0].recomputable);
    EXPECT_FALSE(costs->nodes.back().recomputable);
    EXPECT_TRUE(validate(*costs)) << validate(*costs).error().text();
}

TEST(CostModel, memoryRoofAndCallOverheadCount)
{
    DeviceProfile profile = shipped("nrf52840");
    Rate& rate = profile.rates.front();
    rate.callOverhead = makeQuantity(2e-3, Dimension::Time, Origin::Estimated, "test", "2026-11");
    rate.memoryBandwidth = makeQuantity(1e3, Dimension::Bandwidth, Origin::Estimated, "test", "2026-11");
    const auto costs = buildCostGraph(chain(1), profile);
    ASSERT_TRUE(costs);
    expectRelative(costs->nodes[1].compute.seconds, 2e-3 + (8900.0 + 4400.0) / 1e3, 1e-12, "memory bound");
    // Two calls in a backward node.
    rate.memoryBandwidth.reset();
    const auto again = buildCostGraph(chain(1), profile);
    expectRelative(again->nodes[3].compute.seconds, 2 * 2e-3 + (2e6 + 10) * 7.28 / 64e6, 1e-12, "two calls");
}

TEST(CostModel, transfersRoundToBlocksAndEraseProRata)
{
    CostOptions options;
    options.store = "nor-qspi-16m";
    const auto costs = buildCostGraph(chain(1), shipped("nrf52840"), options);
    ASSERT_TRUE(costs) << costs.error().text();
    const double bytes = 4096;  // 4000 rounded to blocks of 256
    const double eraseSeconds = bytes / 65536 * 0.150;
    const double writeSeconds = bytes / 640e3;
    const CostNode& input = costs->nodes[0];
    expectRelative(input.pageOut.seconds, writeSeconds + eraseSeconds, 1e-12, "out seconds");
    expectRelative(input.pageOut.joules, (0.066 + 0.0085) * (writeSeconds + eraseSeconds), 1e-12, "out joules");
    expectRelative(input.pageIn.seconds, 5e-6 + bytes / 16e6, 1e-12, "in seconds");
    expectRelative(input.pageIn.joules, (0.032 + 0.0085) * (5e-6 + bytes / 16e6), 1e-12, "in joules");
    EXPECT_EQ(costs->device.storeBlockBytes, 256);
    EXPECT_EQ(costs->device.storeCapacityBytes, 16 * 1048576);
}

TEST(CostModel, slowerOfCardAndBusCounts)
{
    const auto costs = buildCostGraph(chain(1), shipped("mkr1000"));
    ASSERT_TRUE(costs);
    expectRelative(costs->nodes[0].pageOut.seconds, 1.2e-3 + 4096 / 2.4e6, 1e-12, "bus of 2.4 MB/s before a card of 20.4 MB/s");
}

TEST(CostModel, dmaLetsTheCoreIdle)
{
    CostOptions dma;
    dma.transfer = TransferModel::Dma;
    const auto blocking = buildCostGraph(chain(1), shipped("stm32h743"));
    const auto overlapped = buildCostGraph(chain(1), shipped("stm32h743"), dma);
    ASSERT_TRUE(blocking && overlapped);
    EXPECT_EQ(overlapped->device.transfer, TransferModel::Dma);
    const double seconds = blocking->nodes[0].pageIn.seconds;
    EXPECT_EQ(seconds, overlapped->nodes[0].pageIn.seconds);
    expectRelative(blocking->nodes[0].pageIn.joules - overlapped->nodes[0].pageIn.joules, (0.44 - 0.12) * seconds, 1e-9, "core power");
    EXPECT_EQ(overlapped->device.alignment, 32);
    expectRelative(blocking->device.idleWatts, 0.12 + 0.0016, 1e-12, "idle of device and card");
}

TEST(CostModel, residentBytesFollowWeightsAndOptimizer)
{
    TrainingGraph graph = chain(2);
    DeviceProfile profile = shipped("nrf52840");
    const std::int64_t reserved = 4096;
    const auto resident = [&] { return buildCostGraph(graph, profile)->device.residentBytes; };
    EXPECT_EQ(resident(), 2000 + 40 + reserved);
    graph.optimizer = Optimizer::Adam;
    EXPECT_EQ(resident(), 2000 + 40 + graph.gradientBytes() + graph.optimizerBytes() + reserved);
    EXPECT_GE(graph.optimizerBytes(), 4000);
    profile.weights = WeightPlace::Flash;
    EXPECT_EQ(resident(), graph.gradientBytes() + graph.optimizerBytes() + reserved);
    EXPECT_EQ(buildCostGraph(graph, shipped("paper-m4"))->device.residentBytes, 0);
}

TEST(CostModel, indexTensorsTakeTheTargetsIndexSize)
{
    TrainingGraph graph = chain(1);
    TrainingNode side = test::node("pool indices", NodeRole::Side, {1}, 8 * 100, {});
    side.type = ElementType::I64;
    side.shape = {100};
    side.indexElements = 100;
    graph.nodes.insert(graph.nodes.begin() + 2, side);
    for (std::size_t i = 3; i < graph.nodes.size(); ++i)
        for (NodeId& input : graph.nodes[i].inputs)
            input += input >= 2 ? 1 : 0;
    CostOptions options;
    EXPECT_EQ(buildCostGraph(graph, shipped("nrf52840"), options)->nodes[2].bytes, 400);
    options.indexBytes = 1;
    EXPECT_EQ(buildCostGraph(graph, shipped("nrf52840"), options)->nodes[2].bytes, 100);
    options.indexBytes = 8;
    EXPECT_EQ(buildCostGraph(graph, shipped("nrf52840"), options)->nodes[2].bytes, 800);
}

TEST(CostModel, sizesRoundUpExceptInPaperAccounting)
{
    TrainingGraph graph = chain(1);
    graph.nodes[1].bytes = 4401;
    graph.nodes[1].workspaceBytes = 3;
    EXPECT_EQ(buildCostGraph(graph, shipped("nrf52840"))->nodes[1].bytes, 4404);
    EXPECT_EQ(buildCostGraph(graph, shipped("nrf52840"))->nodes[1].workspaceBytes, 4);
    EXPECT_EQ(buildCostGraph(graph, shipped("paper-m4"))->nodes[1].bytes, 4401);
}

TEST(CostModel, nothingIsPagedWithoutAStoreThatMay)
{
    DeviceProfile profile = shipped("nrf52840");
    profile.stores.front().refused = "It wears out.";
    const auto refused = buildCosts(chain(1), profile);
    ASSERT_TRUE(refused);
    EXPECT_TRUE(std::ranges::none_of(refused->graph.nodes, &CostNode::pageable));
    EXPECT_FALSE(refused->notes.empty());
    profile.stores.clear();
    const auto none = buildCosts(chain(1), profile);
    ASSERT_TRUE(none);
    EXPECT_TRUE(std::ranges::none_of(none->graph.nodes, &CostNode::pageable));
}

TEST(CostModel, wearSetsTheCapOnWrites)
{
    CostOptions options;
    options.lifetimeSteps = 1e6;
    const auto card = buildCostGraph(chain(1), shipped("nrf52840"), options);
    ASSERT_TRUE(card);
    EXPECT_EQ(card->device.writeLimitBytesPerStep, static_cast<std::int64_t>(20e12 / 4 / 1e6));
    options.store = "nor-qspi-16m";
    const auto nor = buildCostGraph(chain(1), shipped("nrf52840"), options);
    EXPECT_EQ(nor->device.writeLimitBytesPerStep, static_cast<std::int64_t>(1e5 * 16 * 1048576 / 1e6));
    const auto psram = buildCostGraph(chain(1), shipped("esp32s3"), {.lifetimeSteps = 1e6});
    EXPECT_FALSE(psram->device.writeLimitBytesPerStep) << "PSRAM does not wear";
}

TEST(CostModel, slowdownIsOfDmaAndThePeriodIsTheUsers)
{
    DeviceProfile profile = shipped("stm32h743");
    profile.transferSlowdown = makeQuantity(1.3, Dimension::Ratio, Origin::Estimated, "test", "2026-11");
    CostOptions options;
    options.transfer = TransferModel::Dma;
    options.periodSeconds = 2.5;
    const auto overlapped = buildCostGraph(chain(1), profile, options);
    ASSERT_TRUE(overlapped);
    EXPECT_EQ(overlapped->device.transferSlowdown, 1.3);
    EXPECT_EQ(overlapped->device.periodSeconds, 2.5);
    EXPECT_EQ(overlapped->device.idleWattsOfTime(TransferModel::Dma), 0) << "a longer step costs no idle power within the period";
    EXPECT_DOUBLE_EQ(overlapped->device.idleJoules(TransferModel::Dma, 1), 2.5 * overlapped->device.idleWatts);
    EXPECT_DOUBLE_EQ(overlapped->device.idleJoules(TransferModel::Dma, 3), 3 * overlapped->device.idleWatts);
    EXPECT_DOUBLE_EQ(overlapped->device.slowedSeconds(10, 4), 10 + 4 - 4 / 1.3) << "slow while the bytes move";
    EXPECT_DOUBLE_EQ(overlapped->device.slowedSeconds(2, 4), 2.6) << "slow to its end";
    options.transfer = TransferModel::Blocking;
    EXPECT_EQ(buildCostGraph(chain(1), profile, options)->device.transferSlowdown, 1) << "nothing moves beside a run";
}

TEST(CostModel, unknownChoicesListWhatExists)
{
    const DeviceProfile profile = shipped("stm32h743");
    const auto point = buildCostGraph(chain(1), profile, {.operatingPoint = "VOS9"});
    ASSERT_FALSE(point);
    EXPECT_EQ(point.error().code, ErrorCode::BadUsage);
    EXPECT_NE(point.error().hint.find("VOS1-400MHz"), std::string::npos);
    const auto store = buildCostGraph(chain(1), profile, {.store = "floppy"});
    ASSERT_FALSE(store);
    EXPECT_NE(store.error().hint.find("sd-a1"), std::string::npos);
    const auto library = buildCostGraph(chain(1), profile, {.library = "magic"});
    ASSERT_FALSE(library);
    EXPECT_NE(library.error().hint.find("tuned"), std::string::npos);
}

TEST(CostModel, timeFollowsTheFrequencyOfThePoint)
{
    const DeviceProfile profile = shipped("stm32h743");
    const auto fast = buildCostGraph(chain(1), profile);
    const auto slow = buildCostGraph(chain(1), profile, {.operatingPoint = "VOS3-200MHz"});
    ASSERT_TRUE(fast && slow);
    expectRelative(slow->nodes[1].compute.seconds, fast->nodes[1].compute.seconds * 480 / 200, 1e-12, "seconds");
    EXPECT_EQ(slow->nodes[1].pageIn.seconds, fast->nodes[1].pageIn.seconds);
}

TEST(CostModel, raisingAPowerLatencyOrTimeNeverLowersACost)
{
    // Every plan's energy is a sum of these costs with weights >= 0, so the optimum cannot fall either. Idle power is
    // another matter: differences shrink as it grows.
    const unsigned seed = 20261130;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> factor(1.0, 3.0);
    for (const char* id : {"nrf52840", "stm32h743", "rpi4b", "esp32s3", "paper-m4", "paper-a72-nocache", "jetson-tx2"}) {
        const DeviceProfile profile = shipped(id);
        for (const TransferModel model : {TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma}) {
            const auto before = buildCostGraph(chain(2), profile, {.transfer = model});
            ASSERT_TRUE(before);
            for (const NamedQuantity& named : quantities(profile)) {
                const auto isWorse = isWorseWhenLarger(named.dimension);
                if (!isWorse || named.path.ends_with("idle_power"))
                    continue;
                DeviceProfile changed = profile;
                const double by = factor(random);
                changeQuantities(changed, [&](const std::string& path, Dimension, Quantity& quantity) {
                    if (path == named.path)
                        quantity.value *= *isWorse ? by : 1 / by;
                });
                const auto after = buildCostGraph(chain(2), changed, {.transfer = model});
                ASSERT_TRUE(after);
                for (std::size_t i = 0; i < after->nodes.size(); ++i) {
                    const double slack = 1 + 1e-12;
                    EXPECT_GE(after->nodes[i].compute.joules * slack, before->nodes[i].compute.joules) << id << " " << named.path << " seed " << seed;
                    EXPECT_GE(after->nodes[i].pageIn.joules * slack, before->nodes[i].pageIn.joules) << id << " " << named.path;
                    EXPECT_GE(after->nodes[i].pageOut.joules * slack, before->nodes[i].pageOut.joules) << id << " " << named.path;
                    EXPECT_GE(after->nodes[i].compute.seconds * slack, before->nodes[i].compute.seconds) << id << " " << named.path;
                }
            }
        }
    }
}

TEST(CostModel, conservativePlansAreDearer)
{
    for (const char* id : {"nrf52840", "stm32h743", "rpi4b", "esp32s3", "paper-m4", "cm5"}) {
        const auto median = buildCostGraph(chain(2), shipped(id));
        const auto worst = buildCostGraph(chain(2), shipped(id), {.isConservative = true});
        ASSERT_TRUE(median && worst) << id;
        EXPECT_GE(worst->device.idleWatts, median->device.idleWatts) << id;
        for (std::size_t i = 1; i < worst->nodes.size(); ++i) {
            EXPECT_GT(worst->nodes[i].compute.seconds, median->nodes[i].compute.seconds) << id;
            EXPECT_GE(worst->nodes[i].pageOut.seconds, median->nodes[i].pageOut.seconds) << id;
        }
        EXPECT_TRUE(validate(*worst)) << id;
    }
}

}  // namespace
}  // namespace poet

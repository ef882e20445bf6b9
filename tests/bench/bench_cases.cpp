// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bench_cases.h"

#include "core/base/files.h"
#include "core/device/cost_model.h"
#include "core/device/profile_store.h"
#include "core/onnx/import.h"
#include "core/training/build.h"

namespace poet::bench {
namespace {

BenchCase paperCase(const std::string& network, const std::string& device)
{
    return {network, "paper-" + device, std::string(POET_SHARED_DIR) + "/oracle/paper/" + network + "-" + device + ".graph.json"};
}

BenchCase exampleCase(const std::string& network, const std::string& device)
{
    return {network, device, std::string(POET_SOURCE_DIR) + "/examples/" + network + ".onnx"};
}

}  // namespace

std::vector<BenchCase> benchCases()
{
    std::vector<BenchCase> cases;
    for (const auto& [network, device] : std::initializer_list<std::pair<const char*, const char*>>{
             {"linear", "a72"}, {"linear", "m4"}, {"transformer", "a72"}, {"transformer", "m4"}, {"vgg16", "a72"}, {"vgg16_cifar", "m4"},
             {"resnet18_cifar", "a72"}, {"resnet18_cifar", "m4"}, {"bert", "a72"}})
        cases.push_back(paperCase(network, device));
    for (const char* network : {"resnet18", "resnet50", "vgg16", "mobilenet_v2", "bert_base"})
        for (const char* device : {"paper-a72", "rpi4b"})
            cases.push_back(exampleCase(network, device));
    for (const char* network : {"lenet5", "dscnn_kws"})
        for (const char* device : {"nrf52840", "stm32h743", "esp32s3"})
            cases.push_back(exampleCase(network, device));
    return cases;
}

std::vector<ComparisonCase> comparisonCases()
{
    return {{paperCase("transformer", "a72"), 50}, {paperCase("transformer", "m4"), 50},    {paperCase("linear", "a72"), 50},
            {paperCase("linear", "m4"), 50},       {paperCase("linear", "m4"), 10},         {paperCase("vgg16", "a72"), 90},
            {paperCase("vgg16", "a72"), 50},       {paperCase("vgg16_cifar", "m4"), 50},    {paperCase("resnet18_cifar", "a72"), 90},
            {paperCase("resnet18_cifar", "m4"), 50}};
}

Expected<std::shared_ptr<const CostGraph>> loadCase(const BenchCase& benchCase)
{
    if (benchCase.path.ends_with(".json")) {
        POET_TRY(text, readFile(benchCase.path));
        POET_TRY(graph, parseCostGraph(text, benchCase.path));
        return std::make_shared<const CostGraph>(std::move(graph));
    }
    POET_TRY(forward, onnx::importModel(benchCase.path, {}));
    POET_TRY(training, buildTrainingGraph(std::make_shared<const ForwardGraph>(std::move(forward)), {}));
    POET_TRY(profile, loadDevice(benchCase.device));
    POET_TRY(graph, buildCostGraph(training, profile));
    return std::make_shared<const CostGraph>(std::move(graph));
}

}  // namespace poet::bench

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/build.h"

#include "core/training/builder.h"
#include "core/training/patterns/pattern.h"

#include <algorithm>

namespace poet {

namespace {

/// The whole model in another floating-point type.
void overrideType(ForwardGraph& graph, ElementType type)
{
    for (ForwardValue& value : graph.values)
        if (isFloating(value.type))
            value.type = type;
}

Expected<void> checkTrained(const TrainingGraph& graph)
{
    const bool hasBackward = std::ranges::any_of(graph.nodes, [](const TrainingNode& node) { return !node.parameterGradients.empty(); });
    if (!hasBackward)
        return fail(ErrorCode::BadModel, "No trained parameter of the model influences its outputs differentiably.",
                    "Check the frozen layers, or export the model before quantisation.");
    return {};
}

}  // namespace

Expected<TrainingGraph> buildTrainingGraph(std::shared_ptr<const ForwardGraph> forward, const TrainingOptions& options)
{
    TrainingGraph result;
    result.name = forward->name;
    result.optimizer = options.optimizer;
    result.loss = options.loss;
    result.keeping = options.keeping;
    result.notes = forward->notes;
    ForwardGraph graph = training::recognisePatterns(*forward, result.notes);
    if (options.type && isFloating(*options.type))
        overrideType(graph, *options.type);
    const auto recognised = std::make_shared<const ForwardGraph>(std::move(graph));
    result.forward = recognised;

    POET_TRY(losses, training::planLosses(*recognised, options, result.notes));
    training::Builder builder(*recognised, options, result);
    POET_CHECK(builder.addParameters());
    std::vector<ValueId> read;
    for (const training::LossPlan& loss : losses)
        read.push_back(loss.value);
    builder.findLive(read);
    builder.findGradients();
    builder.addInputs();
    builder.addForward();
    training::addLosses(builder, losses);
    builder.addBackward();
    POET_CHECK(checkTrained(result));
    return result;
}

}  // namespace poet

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

/// A weight that no gradient reaches (behind indices or a comparison, or in a part without a loss) stays as it is: it needs
/// no gradient buffer and no optimizer state.
void leaveUnreached(TrainingGraph& graph)
{
    std::vector<bool> isReached(graph.parameters.size(), false);
    for (const TrainingNode& node : graph.nodes)
        for (const int parameter : node.parameterGradients)
            isReached[static_cast<std::size_t>(parameter)] = true;
    std::string names;
    int left = 0;
    for (std::size_t i = 0; i < isReached.size(); ++i)
        if (graph.parameters[i].isTrained && !isReached[i]) {
            graph.parameters[i].isTrained = false;
            if (++left <= 3)
                names += (names.empty() ? "\"" : ", \"") + graph.parameters[i].name + "\"";
        }
    if (left > 0)
        graph.notes.push_back({NoteKind::Refused, "No gradient reaches %2 of the weights (%1): they are not trained.", {names + (left > 3 ? " ..." : ""), std::to_string(left)}});
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
    result.freeze = options.freeze;
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
    leaveUnreached(result);
    return result;
}

TrainingOptions optionsOf(const TrainingGraph& graph)
{
    return {.loss = graph.loss, .optimizer = graph.optimizer, .freeze = graph.freeze, .keeping = graph.keeping};
}

Expected<TrainingGraph> withNothingFrozen(const TrainingGraph& graph)
{
    TrainingOptions options = optionsOf(graph);
    options.freeze.clear();
    return buildTrainingGraph(graph.forward, options);
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/problem.h"

#include "core/schedule/stage_bytes.h"
#include "widgets/style/text.h"

#include <QCoreApplication>

#include <QCryptographicHash>

#include <algorithm>

namespace poet {

namespace {

/// "012_Conv2dLayer" -> "Conv2dLayer"; "layer1.conv2" stays.
QString guessOp(const QString& name)
{
    qsizetype start = 0;
    while (start < name.size() && name[start].isDigit())
        ++start;
    if (start > 0 && start < name.size() && name[start] == QLatin1Char('_'))
        return name.mid(start + 1);
    return name;
}

std::vector<NodeFacts> factsOf(const CostGraph& graph, const TrainingGraph* training)
{
    std::vector<NodeFacts> facts(graph.nodes.size());
    const bool isKnown = training && training->nodes.size() == graph.nodes.size();
    const std::vector<LadderPlace> guessed = isKnown ? std::vector<LadderPlace>{} : guessLadderPlaces(graph);
    std::vector<bool> taken(graph.nodes.size(), false);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        NodeFacts& fact = facts[i];
        fact.name = text::from(graph.nodes[i].name);
        if (!isKnown) {
            fact.op = guessOp(fact.name);
            fact.place = guessed[i];
            fact.role = graph.nodes[i].phase == Phase::Forward ? (graph.nodes[i].inputs.empty() ? NodeRole::Input : NodeRole::Forward)
                        : guessed[i].column == LayoutColumn::Accumulate ? NodeRole::Accumulate
                                                                        : NodeRole::Backward;
            continue;
        }
        const TrainingNode& node = training->nodes[i];
        fact.op = text::from(node.op);
        fact.role = node.role;
        fact.block = text::from(node.block);
        fact.shape = text::from(shapeText(node.shape));
        for (const Work& work : node.work)
            fact.flops += work.flops;
        switch (node.role) {
        case NodeRole::Side: fact.place = {LayoutColumn::Side, node.forward}; break;
        case NodeRole::Backward: fact.place = {LayoutColumn::Backward, node.forward}; break;
        case NodeRole::Accumulate: fact.place = {LayoutColumn::Accumulate, -1}; break;
        default: fact.place = {LayoutColumn::Forward, -1}; break;
        }
        if (fact.role == NodeRole::Backward && fact.place.forward >= 0) {
            if (taken[static_cast<std::size_t>(fact.place.forward)])
                fact.place.column = LayoutColumn::Accumulate;
            taken[static_cast<std::size_t>(fact.place.forward)] = true;
        }
    }
    return facts;
}

}  // namespace

std::int64_t memoryNeed(const CostGraph& graph, const Plan& plan)
{
    std::int64_t arena = 0;
    bool isPlaced = false;
    for (const Step& step : plan.replay.schedule.steps)
        if (step.offset) {
            isPlaced = true;
            arena = std::max(arena, *step.offset + graph.nodes[static_cast<std::size_t>(step.node)].bytes);
        }
    return (isPlaced ? std::max(arena, plan.replay.peakBytes) : plan.replay.peakBytes) + graph.device.residentBytes;
}

ModelSetup ModelSetup::forAnotherModel() const
{
    ModelSetup setup = *this;
    setup.dims.clear();
    setup.data.clear();
    setup.freeze.clear();
    if (setup.loss.contains(QLatin1Char('=')))  // of outputs by name
        setup.loss = ModelSetup().loss;
    return setup;
}

QStringList modelArguments(const ModelSetup& setup)
{
    QStringList list;
    const auto add = [&list](const char* option, const QString& value) {
        if (!value.isEmpty())
            list << QLatin1String(option) << value;
    };
    add("--device", setup.device);
    add("--loss", setup.loss);
    add("--optimizer", setup.optimizer);
    for (const QString& dim : setup.dims)
        add("--dim", dim);
    for (const QString& input : setup.data)
        add("--data", input);
    for (const QString& pattern : setup.freeze)
        add("--freeze", pattern);
    add("--type", setup.type);
    add("--keep", setup.keep);
    if (setup.transfer)
        add("--transfer", text::from(name(*setup.transfer)));
    add("--library", setup.library);
    add("--store", setup.store);
    add("--store-capacity", setup.storeCapacity);
    add("--max-written", setup.maxWritten);
    add("--lifetime", setup.lifetimeSteps);
    add("--period", setup.period);
    if (setup.isConservative)
        list << QStringLiteral("--conservative");
    return list;
}

PlanSource sourceOf(const Problem& problem)
{
    PlanSource source;
    if (!problem.hasTraining)
        return source;
    const ModelSetup& setup = problem.setup;
    const auto listOf = [](const QStringList& texts) {
        std::vector<std::string> list;
        for (const QString& item : texts)
            list.push_back(text::to(item));
        return list;
    };
    source.model = text::to(problem.path);
    source.dims = listOf(setup.dims);
    source.loss = text::to(setup.loss);
    source.optimizer = text::to(setup.optimizer);
    source.freeze = listOf(setup.freeze);
    source.data = listOf(setup.data);
    source.type = text::to(setup.type);
    source.keep = text::to(setup.keep);
    source.device = text::to(setup.device);
    source.operatingPoint = text::to(setup.operatingPoint);
    source.program = text::to(QCoreApplication::applicationVersion());
    return source;
}

Expected<ProblemPtr> makeProblem(CostGraph graph, std::shared_ptr<const TrainingGraph> training, QString title, QString path,
                                 ModelSetup setup, QString deviceName, std::int64_t deviceRamBytes, const WholeModel& whole)
{
    auto problem = std::make_shared<Problem>();
    problem->title = std::move(title);
    problem->path = std::move(path);
    problem->deviceName = std::move(deviceName);
    problem->deviceRamBytes = deviceRamBytes;
    problem->hasTraining = training != nullptr;
    if (setup.transfer)
        graph.device.transfer = *setup.transfer;
    problem->setup = std::move(setup);
    POET_TRY(report, replay(graph, graph.device.transfer, keepAllSchedule(graph)));
    problem->facts = factsOf(graph, training.get());
    problem->consumers = graph.consumers();
    const std::string json = toJson(graph);
    problem->json = QByteArray(json.data(), static_cast<qsizetype>(json.size()));
    problem->hash = QCryptographicHash::hash(problem->json, QCryptographicHash::Sha256).toHex();
    const Wall wall = findWall(graph, graph.device.transfer);
    problem->wallNode = wall.node;
    problem->wallBytes = wall.bytes + graph.device.residentBytes;
    problem->keepAllPeakBytes = report.peakBytes + graph.device.residentBytes;
    for (const CostNode& node : graph.nodes)
        problem->shortestSeconds += node.compute.seconds;
    auto plan = std::make_shared<Plan>();
    plan->status = SolveStatus::Optimal;
    plan->strategy = Strategy::KeepAll;
    plan->transfer = graph.device.transfer;
    plan->memoryBytes = problem->keepAllPeakBytes;
    plan->keepAllEnergyJoules = report.energyJoules;
    plan->keepAllSeconds = report.seconds;
    plan->keepAllPeakBytes = problem->keepAllPeakBytes;
    plan->largestWorkingSetBytes = problem->wallBytes;
    plan->boundJoules = report.energyJoules;
    plan->replay = std::move(report);
    problem->keepAll = std::move(plan);
    problem->graph = std::make_shared<const CostGraph>(std::move(graph));
    problem->training = std::move(training);
    POET_TRY(inspected, inspectModel({problem->training, problem->graph, problem->graph->device.transfer, whole.training, whole.costs}));
    problem->report = std::make_shared<const InspectReport>(std::move(inspected));
    return ProblemPtr(std::move(problem));
}

}  // namespace poet

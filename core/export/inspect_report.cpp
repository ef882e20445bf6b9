// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/inspect_report.h"

#include "core/base/units.h"
#include "core/graph/forward_graph.h"
#include "core/schedule/replay.h"
#include "core/training/build.h"
#include "core/training/rules/rule.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace poet {

namespace {

Expected<PyTorchPeak> pytorchPeak(const TrainingGraph& training, const TrainingSummary& lean, const StepFigures& figures)
{
    TrainingOptions options = optionsOf(training);
    options.keeping = Keeping::PyTorch;
    POET_TRY(graph, buildTrainingGraph(training.forward, options));
    const CostGraph costs = neutralCosts(graph);
    POET_TRY(played, replay(costs, TransferModel::Blocking, keepAllSchedule(costs)));
    const TrainingSummary kept = summarize(graph);
    PyTorchPeak peak{.peakBytes = played.peakBytes + figures.residentBytes, .maskBytes = kept.maskBytes - lean.maskBytes, .heldBytes = kept.heldBytes};
    peak.otherBytes = peak.peakBytes - figures.keepAllPeakBytes - peak.maskBytes - peak.heldBytes;
    return peak;
}

}  // namespace

Expected<InspectReport> inspectModel(InspectInput input)
{
    InspectReport report;
    if (input.training)
        report.summary = summarize(*input.training);
    POET_TRY(figures, stepFigures(*input.costs, input.transfer, report.summary.activationBytes));
    report.figures = figures;
    report.hasDevice = figures.keepAllJoules > 0;
    if (input.training && input.training->keeping != Keeping::PyTorch) {
        POET_TRY(peak, pytorchPeak(*input.training, report.summary, figures));
        report.pytorch = peak;
    }
    if (input.wholeTraining) {
        POET_TRY(whole, stepFigures(*input.wholeCosts, input.transfer, summarize(*input.wholeTraining).activationBytes));
        report.freezing = FreezeSavings{figures, whole};
    }
    report.model = std::move(input);
    return report;
}

std::map<std::string, OperatorUse> operatorUses(const InspectReport& report)
{
    std::map<std::string, OperatorUse> uses;
    const TrainingGraph& graph = *report.model.training;
    std::vector<bool> isNode(graph.forward->ops.size(), false);
    for (const TrainingNode& node : graph.nodes)
        if (node.role == NodeRole::Forward) {
            ++uses[node.op].count;
            isNode[static_cast<std::size_t>(std::max(node.forwardOp, 0))] = true;
        }
    for (std::size_t op = 0; op < isNode.size(); ++op) {
        const ForwardOp& forward = graph.forward->ops[op];
        if (forward.isWeightArithmetic)
            continue;
        const auto treatment = training::planOperation(*graph.forward, forward, graph.keeping).treatment;
        OperatorUse& use = uses[forward.type];
        use.isConservative = use.isConservative || treatment == training::Treatment::Conservative;
        if (!isNode[op] && (treatment == training::Treatment::View || treatment == training::Treatment::Part)) {
            use.isView = use.count == 0 || use.isView;
            use.count += use.isView ? 1 : 0;
        }
    }
    for (const auto& [op, bytes] : report.summary.bytesByOperator)
        uses[op].keptBytes = bytes;
    std::erase_if(uses, [](const auto& use) { return use.second.count == 0 && use.second.keptBytes == 0; });
    return uses;
}

namespace {

/// Fills a list of rows; the literals of its calls are the fixed set of texts.
class RowWriter {
public:
    void section(std::string_view title) { m_section = title; }
    ReportRow& line(std::string_view item, std::string_view pattern, std::vector<std::string> arguments)
    {
        rows.push_back({.section = m_section, .item = std::string(item), .pattern = std::string(pattern), .arguments = std::move(arguments)});
        return rows.back();
    }
    ReportRow& bytes(std::string_view item, std::int64_t amount, std::string_view pattern = "%1", std::vector<std::string> more = {})
    {
        more.insert(more.begin(), formatBytes(amount));
        ReportRow& row = line(item, pattern, std::move(more));
        row.number = static_cast<double>(amount);
        row.unit = "B";
        return row;
    }
    ReportRow& figure(std::string_view item, double amount, std::string_view unit, std::string shown)
    {
        ReportRow& row = line(item, "%1", {std::move(shown)});
        row.number = amount;
        row.unit = unit;
        return row;
    }
    std::vector<ReportRow> rows;

private:
    std::string m_section;
};

std::string describe(const ForwardValue& value) { return shapeText(value.shape) + " " + std::string(name(value.type)); }

void writeRead(RowWriter& out, const InspectReport& report)
{
    const TrainingGraph& graph = *report.model.training;
    const ForwardGraph& forward = *graph.forward;
    out.section("Read");
    out.line("file", "%1, operator set %2", {std::filesystem::path(forward.file).filename().string(), std::to_string(forward.opset)});
    for (const ValueId input : forward.inputs)
        out.line("input", "%1: %2", {forward.value(input).name, describe(forward.value(input))});
    for (const ValueId output : forward.outputs)
        out.line("output", "%1: %2", {forward.value(output).name, describe(forward.value(output))});
    const auto trained = std::ranges::count_if(graph.parameters, &TrainingParameter::isTrained);
    const auto buffers = std::ranges::count_if(graph.parameters, &TrainingParameter::isBuffer);
    out.line("weights", "%1, of which %2 are trained; %3 buffers and constants",
             {std::to_string(std::ssize(graph.parameters) - buffers), std::to_string(trained), std::to_string(buffers)});
    out.line("loss, optimizer", "%1, %2", {graph.loss, std::string(name(graph.optimizer))});
}

/// Section titles of the kinds, in their order.
void writeNotes(RowWriter& out, const std::vector<Note>& notes)
{
    for (const NoteKind kind : kNoteKinds) {
        switch (kind) {
        case NoteKind::Read: out.section("Read"); break;
        case NoteKind::Folded: out.section("Folded"); break;
        case NoteKind::Recognised: out.section("Recognised"); break;
        case NoteKind::Conservative: out.section("Taken conservatively"); break;
        case NoteKind::Refused: out.section("Refused"); break;
        }
        int number = 0;
        for (const Note& note : notes)
            if (note.kind == kind) {
                ReportRow& row = out.line("", note.pattern, note.arguments);
                row.isWarning = kind == NoteKind::Conservative || kind == NoteKind::Refused;
                row.isRecognised = kind == NoteKind::Recognised;
                ++number;
            }
        if (number == 0 && kind != NoteKind::Read)
            out.line("", "nothing", {});
    }
}

/// Why PyTorch's peak is another one: only what there is.
void writePyTorch(RowWriter& out, const PyTorchPeak& peak)
{
    out.bytes("as PyTorch keeps", peak.peakBytes, "%1 (eager, on a CPU: --keep pytorch)");
    if (peak.maskBytes > 0)
        out.bytes("  of it: masks", peak.maskBytes, "%1 more, since dropout masks are numbers there");
    if (peak.heldBytes > 0)
        out.bytes("  of it: shapes", peak.heldBytes, "%1 more, for tensors of which only the shape is read");
    if (peak.otherBytes > 0)
        out.bytes("  of it: steps", peak.otherBytes, "%1 more, for the steps of recurrent layers and for when tensors are freed");
    if (peak.otherBytes < 0)
        out.bytes("  less: freed", -peak.otherBytes, "%1 less, since not all of that is there at the peak");
}

void writeMemory(RowWriter& out, const InspectReport& report)
{
    const StepFigures& figures = report.figures;
    out.section("Memory");
    out.bytes("keep-all peak", figures.keepAllPeakBytes, "%1 (resident %2 included)", {formatBytes(figures.residentBytes)});
    if (report.pytorch)
        writePyTorch(out, *report.pytorch);
    if (figures.wallNode >= 0)
        out.bytes("largest working set", figures.wallBytes, "%1 at %2", {report.model.costs->nodes[static_cast<std::size_t>(figures.wallNode)].name}).node = figures.wallNode;
    if (!report.model.training)
        return;
    const TrainingSummary& s = report.summary;
    out.bytes("saved for backward", s.activationBytes, "%1 (indices %2, masks %3)", {formatBytes(s.indexBytes), formatBytes(s.maskBytes)});
    out.bytes("weights", s.parameterBytes);
    out.bytes("buffers and constants", s.bufferBytes);
    out.bytes("gradient buffers", s.gradientBytes);
    out.bytes("optimizer state", s.optimizerBytes, "%1 (%2)", {std::string(name(report.model.training->optimizer))});
    out.bytes("inputs and targets", s.inputBytes);
}

void writeStep(RowWriter& out, const InspectReport& report)
{
    if (!report.hasDevice)
        return;
    out.section("One keep-all step");
    out.figure("time", report.figures.keepAllSeconds, "s", formatSeconds(report.figures.keepAllSeconds));
    out.figure("energy", report.figures.keepAllJoules, "J", formatJoules(report.figures.keepAllJoules));
}

void writeFreezing(RowWriter& out, const InspectReport& report)
{
    if (!report.freezing)
        return;
    const StepFigures& now = report.freezing->frozen;
    const StepFigures& whole = report.freezing->whole;
    out.section("Freezing saves");
    const auto save = [&](std::string_view item, double all, double less, std::string_view unit, std::string (*format)(double)) {
        ReportRow& row = out.line(item, "%1 (%2) of %3 with all trained", {format(all - less), formatPercent(all > 0 ? 100 * (all - less) / all : 0), format(all)});
        row.number = all - less;
        row.unit = unit;
    };
    const auto asBytes = [](double bytes) { return (bytes < 0 ? "-" : "") + formatBytes(static_cast<std::int64_t>(std::abs(bytes))); };
    const auto bytes = [&](std::string_view item, std::int64_t all, std::int64_t less) {
        save(item, static_cast<double>(all), static_cast<double>(less), "B", asBytes);
    };
    bytes("keep-all peak", whole.keepAllPeakBytes, now.keepAllPeakBytes);
    bytes("largest working set", whole.wallBytes, now.wallBytes);
    bytes("saved for backward", whole.savedActivationBytes, now.savedActivationBytes);
    bytes("resident", whole.residentBytes, now.residentBytes);
    if (!report.hasDevice)
        return;
    save("time", whole.keepAllSeconds, now.keepAllSeconds, "s", formatSeconds);
    save("energy", whole.keepAllJoules, now.keepAllJoules, "J", formatJoules);
}

void writeWork(RowWriter& out, const TrainingSummary& s)
{
    out.section("Work");
    const auto work = [&](std::string_view item, double flops, double macs) {
        ReportRow& row = out.line(item, "%1 (%2)", {formatSi(flops, "FLOP"), formatSi(macs, "MAC")});
        row.number = flops;
        row.unit = "FLOP";
    };
    work("forward", s.forwardFlops, s.forwardMacs);
    work("backward", s.backwardFlops, s.backwardMacs);
    out.figure("per byte moved", s.arithmeticIntensity(), "FLOP/B", formatSi(s.arithmeticIntensity(), "FLOP/B"));
}

void writeOperators(RowWriter& out, const InspectReport& report)
{
    out.section("Operators, bytes kept");
    for (const auto& [op, use] : operatorUses(report)) {
        const std::string count = std::to_string(use.count);
        if (use.count == 0)
            out.bytes(op, use.keptBytes, "%1, loss");
        else if (use.isConservative)
            out.bytes(op, use.keptBytes, "%1 (%2 \u00d7, taken conservatively)", {count}).isWarning = true;
        else if (use.isView)
            out.bytes(op, use.keptBytes, "%1 (%2 \u00d7, shares its input's memory)", {count});
        else
            out.bytes(op, use.keptBytes, "%1 (%2 \u00d7)", {count});
    }
}

}  // namespace

std::vector<ReportRow> reportRows(const InspectReport& report)
{
    RowWriter out;
    writeMemory(out, report);
    writeStep(out, report);
    writeFreezing(out, report);
    if (report.model.training) {
        writeWork(out, report.summary);
        writeOperators(out, report);
        writeRead(out, report);
        writeNotes(out, report.model.training->notes);
    }
    return std::move(out.rows);
}

std::vector<ReportRow> freezingRows(const InspectReport& report)
{
    RowWriter out;
    writeFreezing(out, report);
    return std::move(out.rows);
}

std::string reportText(const InspectReport& report)
{
    std::ostringstream out;
    out << report.model.costs->name << ": " << report.model.costs->size() << " nodes in one training step\n";
    std::string section;
    for (const ReportRow& row : reportRows(report)) {
        if (row.section != section)
            out << row.section << '\n';
        section = row.section;
        if (row.item.empty())
            out << "  - " << row.value() << '\n';
        else
            out << "  " << row.item << std::string(row.item.size() < 26 ? 26 - row.item.size() : 1, ' ') << row.value() << '\n';
    }
    return out.str();
}

}  // namespace poet

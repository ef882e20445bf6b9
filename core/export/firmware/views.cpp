// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/views.h"

#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <set>

namespace poet::firmware {
namespace {

std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string dotText(std::string_view text)
{
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return quoted + '"';
}

std::string xmlText(std::string_view text)
{
    std::string out;
    for (const char c : text)
        out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    return out;
}

bool isTransfer(const Step& step) { return step.kind == StepKind::PageIn || step.kind == StepKind::PageOut; }

}  // namespace

std::string stepsCsv(const CostGraph& graph, const Plan& plan)
{
    std::string out = "step,stage,kind,mode,node,name,start_seconds,end_seconds,bytes,ram_bytes\n";
    const auto& steps = plan.replay.schedule.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const CostNode& node = graph.nodes[static_cast<std::size_t>(step.node)];
        out += std::to_string(i) + "," + std::to_string(step.stage) + "," + std::string(poet::name(step.kind)) + "," +
               (isTransfer(step) ? std::string(poet::name(step.mode)) : "") + "," + std::to_string(step.node) + "," + csvField(node.name) + "," +
               formatDouble(step.startSeconds) + "," + formatDouble(step.endSeconds) + "," + std::to_string(node.bytes) + "," + std::to_string(step.ramBytes) + "\n";
    }
    return out;
}

std::string buffersCsv(const Program& program)
{
    struct Row {
        std::size_t lower, upper;
        std::uint32_t size, offset;
    };
    std::vector<Row> rows;
    std::vector<int> open(program.nodes.size(), -1);
    const auto rounded = [&](std::uint32_t bytes) { return (bytes + program.alignment - 1) / program.alignment * program.alignment; };
    for (std::size_t i = 0; i < program.code.size(); ++i) {
        const Instruction& now = program.code[i];
        const bool isRun = now.op == OpCode::Compute || now.op == OpCode::Recompute;
        if (isRun || now.op == OpCode::PageIn || now.op == OpCode::Prefetch) {
            open[now.id] = static_cast<int>(rows.size());
            rows.push_back({i, program.code.size(), rounded(program.nodes[now.id].bytes), now.arg});
            if (isRun && i + 1 < program.code.size() && program.code[i + 1].op == OpCode::Ext)
                rows.push_back({i, i + 1, rounded(program.nodes[now.id].workBytes), program.code[i + 1].arg});
        } else if (now.op == OpCode::Free && open[now.id] >= 0) {
            rows[static_cast<std::size_t>(open[now.id])].upper = i;
            open[now.id] = -1;
        }
    }
    // With several memories, each row names its own and counts from its beginning.
    const auto place = [&](std::int64_t offset) {
        for (const ArenaRegion& region : program.regions) {
            if (offset < region.bytes)
                return std::to_string(offset) + "," + csvField(region.name);
            offset -= region.bytes;
        }
        return std::to_string(offset);
    };
    std::string out = program.regions.empty() ? "id,lower,upper,size,alignment,offset\n" : "id,lower,upper,size,alignment,offset,region\n";
    int id = 0;
    for (const Row& row : rows)
        if (row.size > 0)
            out += std::to_string(id++) + "," + std::to_string(row.lower) + "," + std::to_string(row.upper) + "," + std::to_string(row.size) + "," +
                   std::to_string(program.alignment) + "," + place(row.offset) + "\n";
    return out;
}

std::string scheduleDot(const CostGraph& graph, const Plan& plan)
{
    std::set<NodeId> recomputed, paged;
    for (const Step& step : plan.replay.schedule.steps) {
        if (step.kind == StepKind::Recompute)
            recomputed.insert(step.node);
        if (step.kind == StepKind::PageOut)
            paged.insert(step.node);
    }
    std::string out = "digraph " + dotText(graph.name) + " {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n";
    for (NodeId id = 0; id < graph.size(); ++id) {
        const CostNode& node = graph.nodes[static_cast<std::size_t>(id)];
        const bool both = recomputed.contains(id) && paged.contains(id);
        const char* color = both ? "#cab2d6" : recomputed.contains(id) ? "#fdbf6f" : paged.contains(id) ? "#a6cee3" : "#ffffff";
        out += "  n" + std::to_string(id) + " [label=" + dotText(node.name + " (" + formatBytes(node.bytes) + ")") + ", fillcolor=\"" + color + "\"";
        out += node.phase == Phase::Backward ? ", shape=ellipse];\n" : "];\n";
    }
    for (NodeId id = 0; id < graph.size(); ++id)
        for (const NodeId input : graph.nodes[static_cast<std::size_t>(id)].inputs)
            out += "  n" + std::to_string(input) + " -> n" + std::to_string(id) + ";\n";
    for (const NodeId id : paged)
        out += "  n" + std::to_string(id) + " -> store [style=dashed];\n";
    if (!paged.empty())
        out += "  store [shape=cylinder, label=\"page store\", fillcolor=\"#eeeeee\"];\n";
    return out + "}\n";
}

namespace {

constexpr double kWidth = 1000, kLeft = 90, kLane = 26, kCurve = 160, kTop = 40;

/// Maps time (or step numbers, where nothing takes time) to pictures.
struct TimelineScale {
    double perUnit = 1;
    bool byStep = false;
    [[nodiscard]] double x(double value) const { return kLeft + value * perUnit; }
};

std::string rect(double x, double y, double width, double height, const std::string& color, const std::string& title)
{
    return "<rect x=\"" + formatDouble(x) + "\" y=\"" + formatDouble(y) + "\" width=\"" + formatDouble(std::max(width, 0.5)) + "\" height=\"" + formatDouble(height) +
           "\" fill=\"" + color + "\"><title>" + xmlText(title) + "</title></rect>\n";
}

std::string label(double x, double y, const std::string& text)
{
    return "<text x=\"" + formatDouble(x) + "\" y=\"" + formatDouble(y) + "\">" + xmlText(text) + "</text>\n";
}

}  // namespace

std::string timelineSvg(const CostGraph& graph, const Plan& plan)
{
    static constexpr std::array<const char*, 4> kNames{"compute", "recompute", "page-out", "page-in"};
    static constexpr std::array<const char*, 4> kColors{"#1f78b4", "#ff7f00", "#6a3d9a", "#33a02c"};
    const auto& steps = plan.replay.schedule.steps;
    TimelineScale scale;
    scale.byStep = plan.replay.seconds <= 0;
    const double length = scale.byStep ? static_cast<double>(steps.size()) : plan.replay.seconds;
    scale.perUnit = (kWidth - kLeft - 20) / std::max(length, 1e-30);
    const double curveTop = kTop + 4 * kLane + 20, height = curveTop + kCurve + 40;
    const double resident = static_cast<double>(graph.device.residentBytes);
    const double most = std::max({1.0, static_cast<double>(plan.replay.peakBytes) + resident, static_cast<double>(plan.memoryBytes)});
    const auto y = [&](double bytes) { return curveTop + kCurve * (1 - bytes / most); };
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + formatDouble(kWidth) + "\" height=\"" + formatDouble(height) +
                      "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" +
                      label(kLeft, 20, graph.name + ": " + formatJoules(plan.replay.energyJoules) + ", " + formatSeconds(plan.replay.seconds) + ", peak " +
                                           formatBytes(plan.replay.peakBytes + graph.device.residentBytes));
    for (std::size_t lane = 0; lane < kNames.size(); ++lane)
        out += label(8, kTop + kLane * (static_cast<double>(lane) + 0.6), kNames[lane]);
    std::string curve;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const double from = scale.byStep ? static_cast<double>(i) : step.startSeconds, to = scale.byStep ? static_cast<double>(i + 1) : step.endSeconds;
        const double ram = static_cast<double>(plan.replay.duringBytes.size() > i ? plan.replay.duringBytes[i] : step.ramBytes) + resident;
        curve += formatDouble(scale.x(from)) + "," + formatDouble(y(ram)) + " " + formatDouble(scale.x(to)) + "," + formatDouble(y(ram)) + " ";
        if (step.kind == StepKind::Free)
            continue;
        const std::size_t lane = step.kind == StepKind::Compute ? 0 : step.kind == StepKind::Recompute ? 1 : step.kind == StepKind::PageOut ? 2 : 3;
        out += rect(scale.x(from), kTop + kLane * static_cast<double>(lane), (to - from) * scale.perUnit, kLane - 4, kColors[lane],
                    graph.nodes[static_cast<std::size_t>(step.node)].name);
    }
    out += "<polyline fill=\"none\" stroke=\"#333333\" points=\"" + curve + "\"/>\n";
    if (plan.memoryBytes > 0)
        out += "<line x1=\"" + formatDouble(kLeft) + "\" x2=\"" + formatDouble(kWidth - 20) + "\" y1=\"" + formatDouble(y(static_cast<double>(plan.memoryBytes))) + "\" y2=\"" +
               formatDouble(y(static_cast<double>(plan.memoryBytes))) + "\" stroke=\"#e31a1c\" stroke-dasharray=\"6 3\"/>\n" + label(8, y(static_cast<double>(plan.memoryBytes)) + 4, "budget");
    return out + label(8, curveTop + kCurve, "0 B") + "</svg>\n";
}

}  // namespace poet::firmware

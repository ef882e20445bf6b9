// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/why_report.h"

#include "core/base/printable.h"
#include "core/base/units.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace poet {

using nlohmann::ordered_json;

namespace {

const CostNode& nodeOf(const CostGraph& graph, NodeId node) { return graph.nodes[static_cast<std::size_t>(node)]; }

std::string signedJoules(double joules) { return (joules < 0 ? "-" : "+") + formatJoules(std::abs(joules)); }

/// " over the memory by 12 KiB and late by 3 ms", or empty.
std::string limitsText(const Verdict& verdict)
{
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (verdict.missingBytes > 0)
        add(formatBytes(verdict.missingBytes) + " over the memory");
    if (verdict.lateSeconds > 0)
        add(formatSeconds(verdict.lateSeconds) + " late");
    if (verdict.isStoreOver)
        add("over what the page store may take");
    return text;
}

std::string alternativeText(const CostGraph& graph, const Alternative& item, const Verdict& verdict)
{
    if (!item.isPossible)
        return "not possible: " + obstacleText(graph, item);
    std::string text = item.isChosen ? formatJoules(item.replay.energyJoules) : signedJoules(verdict.extraJoules);
    text += ", " + formatSeconds(item.replay.seconds) + ", peak " + formatBytes(item.replay.peakBytes + graph.device.residentBytes);
    const std::string limits = limitsText(verdict);
    if (!limits.empty())
        text += ": " + limits;
    if (!item.alsoRecomputed.empty())
        text += "; " + std::to_string(item.alsoRecomputed.size()) + " of its inputs must come back too";
    return text + (item.isChosen ? "  <- the plan" : "");
}

/// What would have to change for an alternative to win; empty when nothing would.
std::string changeText(const CostGraph& graph, NodeId node, const Alternative& item, const Verdict& verdict)
{
    if (!item.isPossible || item.isChosen)
        return {};
    std::string text;
    if (verdict.missingBytes > 0)
        text = "a memory of " + formatBytes(item.replay.peakBytes + graph.device.residentBytes);
    if (verdict.lateSeconds > 0)
        text += (text.empty() ? "" : " and ") + std::string("a deadline of ") + formatSeconds(item.replay.seconds);
    if (verdict.isStoreOver)
        text += (text.empty() ? "" : " and ") + std::string("a page store that takes ") + formatBytes(item.replay.writtenBytes) + " a step";
    const CostNode& costs = nodeOf(graph, node);
    const double roundTrip = costs.pageIn.joules + costs.pageOut.joules;
    std::string numbers;
    const auto add = [&](const char* what, double now, const std::optional<double>& then) {
        if (then)
            numbers += (numbers.empty() ? "" : ", or ") + std::string(what) + (*then < now ? " under " : " over ") + formatJoules(*then) + " (now " + formatJoules(now) + ")";
    };
    add("one run", costs.compute.joules, verdict.runJoules);
    add("a page-out and page-in", roundTrip, verdict.roundTripJoules);
    if (!numbers.empty())
        text += (text.empty() ? "" : ", and ") + numbers;
    else if (verdict.extraJoules > 0)
        text += (text.empty() ? "no price of its own could be low enough" : ", but then it still costs more");
    else if (text.empty())
        text = verdict.extraJoules < 0 ? "nothing: it is cheaper, so this plan is not the best" : "nothing: it is just as good";
    return text;
}

std::string forcedText(const Plan& plan, const ForcedPlan& forced)
{
    static constexpr const char* kHow[] = {"kept throughout", "not recomputed", "not paged"};
    std::string text = std::string(kHow[static_cast<int>(forced.choice)]) + ", everything else free: ";
    if (forced.status == SolveStatus::Infeasible)
        return text + "no plan keeps the limits (proven)";
    if (!forced.hasSchedule())
        return text + "no plan found in the time, none proven impossible";
    text += formatJoules(forced.energyJoules) + " (" + signedJoules(forced.energyJoules - plan.replay.energyJoules) + "), " + formatSeconds(forced.seconds);
    text += forced.status == SolveStatus::Optimal ? ", proven" : ", at least " + formatJoules(forced.boundJoules);
    return text + "; the tensor is then " + std::string(name(forced.fate));
}

/// The reason of the plan's choice in a few words, for the table.
std::string reasonText(const CostGraph& graph, const WhyAnswer& answer)
{
    std::string text;
    for (std::size_t i = 0; i < answer.why.alternatives.size(); ++i) {
        const Alternative& item = answer.why.alternatives[i];
        const Verdict& verdict = answer.why.verdicts[i];
        if (item.isChosen)
            continue;
        text += (text.empty() ? "" : "; ") + std::string(name(item.choice)) + ": ";
        if (!item.isPossible)
            text += obstacleText(graph, item);
        else
            text += signedJoules(verdict.extraJoules) + (verdict.fits() ? "" : ", " + limitsText(verdict));
    }
    return text;
}

template <class T>
ordered_json orNull(const std::optional<T>& value)
{
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json alternativeJson(const CostGraph& graph, const Alternative& item, const Verdict& verdict)
{
    ordered_json out{{"choice", name(item.choice)}, {"chosen", item.isChosen}, {"possible", item.isPossible}};
    if (!item.isPossible) {
        out["obstacle"] = obstacleText(graph, item);
        return out;
    }
    out["fits"] = verdict.fits();
    out["energy_joules"] = item.replay.energyJoules;
    out["extra_joules"] = verdict.extraJoules;
    out["seconds"] = item.replay.seconds;
    out["peak_bytes"] = item.replay.peakBytes + graph.device.residentBytes;
    out["missing_bytes"] = verdict.missingBytes;
    out["late_seconds"] = verdict.lateSeconds;
    out["wins_when_run_joules_pass"] = orNull(verdict.runJoules);
    out["wins_when_round_trip_joules_pass"] = orNull(verdict.roundTripJoules);
    out["also_recomputed"] = item.alsoRecomputed;
    return out;
}

ordered_json answerJson(const CostGraph& graph, const WhyAnswer& answer)
{
    const Why& why = answer.why;
    const CostNode& costs = nodeOf(graph, why.node);
    ordered_json out{{"node", why.node}, {"name", costs.name}, {"fate", name(why.fate)}, {"bytes", costs.bytes}, {"begin_step", why.beginStep},
                     {"end_step", why.endStep}, {"begin_seconds", why.beginSeconds}, {"end_seconds", why.endSeconds}, {"ram_seconds", why.ramSeconds},
                     {"uses", why.uses}, {"at_peak", why.isAtPeak}, {"run_joules", costs.compute.joules},
                     {"round_trip_joules", costs.pageIn.joules + costs.pageOut.joules}};
    out["alternatives"] = ordered_json::array();
    for (std::size_t i = 0; i < why.alternatives.size(); ++i)
        out["alternatives"].push_back(alternativeJson(graph, why.alternatives[i], why.verdicts[i]));
    if (!answer.forced.empty())
        out["forced"] = ordered_json::array();
    for (const ForcedPlan& forced : answer.forced) {
        ordered_json item{{"choice", name(forced.choice)}, {"status", name(forced.status)}, {"bound_joules", forced.boundJoules}};
        if (forced.hasSchedule()) {
            item["fate"] = name(forced.fate);
            item["energy_joules"] = forced.energyJoules;
            item["seconds"] = forced.seconds;
        }
        out["forced"].push_back(std::move(item));
    }
    return out;
}

}  // namespace

std::string whyText(const CostGraph& graph, const Plan& plan, const WhyAnswer& answer)
{
    const Why& why = answer.why;
    const CostNode& costs = nodeOf(graph, why.node);
    std::ostringstream out;
    const auto line = [&](std::string_view what, const std::string& value) { out << "  " << std::left << std::setw(14) << what << value << '\n'; };
    out << '\'' << printable(costs.name, false) << "' is " << name(why.fate) << ".\n";
    line("bytes", formatBytes(costs.bytes) + (why.isAtPeak ? ", in RAM at the peak of the plan" : ", not in RAM at the peak of the plan"));
    const double life = why.endSeconds - why.beginSeconds;
    line("lifetime", "steps " + std::to_string(why.beginStep) + " to " + std::to_string(why.endStep - 1) + ", " + formatSeconds(why.beginSeconds) + " to " +
                         formatSeconds(why.endSeconds) + ", read " + std::to_string(why.uses) + (why.uses == 1 ? " time" : " times") +
                         (life > 0 ? ", in RAM for " + formatPercent(std::min(100.0, 100 * why.ramSeconds / life)) + " of it" : ""));
    line("one run", formatJoules(costs.compute.joules) + ", " + formatSeconds(costs.compute.seconds));
    if (costs.pageable)
        line("page-out, -in", formatJoules(costs.pageOut.joules) + ", " + formatSeconds(costs.pageOut.seconds) + "; " + formatJoules(costs.pageIn.joules) + ", " +
                                  formatSeconds(costs.pageIn.seconds));
    out << "Each line changes only this decision and replays the schedule:\n";
    for (std::size_t i = 0; i < why.alternatives.size(); ++i)
        line(name(why.alternatives[i].choice), alternativeText(graph, why.alternatives[i], why.verdicts[i]));
    std::size_t changes = 0;
    for (std::size_t i = 0; i < why.alternatives.size(); ++i)
        if (const std::string change = changeText(graph, why.node, why.alternatives[i], why.verdicts[i]); !change.empty()) {
            out << (++changes == 1 ? "What would change it:\n" : "");
            line(name(why.alternatives[i].choice), change);
        }
    if (changes == 0)
        out << "Nothing would change it: no other decision is possible.\n";
    if (!answer.forced.empty())
        out << "Solved anew with this decision made:\n";
    for (const ForcedPlan& forced : answer.forced)
        out << "  " << forcedText(plan, forced) << '\n';
    if (plan.status == SolveStatus::Optimal && plan.isRestrictedProof)
        out << "The plan is proven optimal within the restricted program only.\n";
    if (plan.status != SolveStatus::Optimal)
        out << "The plan itself is " << name(plan.status) << ", gap " << formatPercent(plan.gapPercent()) << ".\n";
    return out.str();
}

std::string whyTable(const CostGraph& graph, const Plan& plan, const std::vector<WhyAnswer>& answers)
{
    std::ostringstream out;
    std::size_t width = 6;
    for (const WhyAnswer& answer : answers)
        width = std::max(width, std::min<std::size_t>(printable(nodeOf(graph, answer.why.node).name, false).size(), 40));
    const auto column = static_cast<int>(width) + 2;
    out << std::left << std::setw(6) << "node" << std::setw(column) << "tensor" << std::setw(11) << "bytes" << std::setw(22) << "fate" << std::setw(13) << "steps"
        << std::setw(11) << "in RAM" << "instead\n";
    for (const WhyAnswer& answer : answers) {
        const Why& why = answer.why;
        std::string label = printable(nodeOf(graph, why.node).name, false);
        if (label.size() > width)
            label = "..." + label.substr(label.size() - width + 3);
        out << std::setw(6) << why.node << std::setw(column) << label << std::setw(11) << formatBytes(nodeOf(graph, why.node).bytes) << std::setw(22) << name(why.fate)
            << std::setw(13) << (std::to_string(why.beginStep) + "-" + std::to_string(why.endStep - 1)) << std::setw(11) << formatSeconds(why.ramSeconds)
            << reasonText(graph, answer) << '\n';
    }
    out << "The plan needs " << formatJoules(plan.replay.energyJoules) << "; each alternative changes one decision and replays the schedule.\n";
    return out.str();
}

std::string whyJson(const CostGraph& graph, const Plan& plan, const PlanLimits& limits, const std::vector<WhyAnswer>& answers)
{
    ordered_json out{{"format", "poet-why"}, {"version", 1}, {"status", name(plan.status)}, {"energy_joules", plan.replay.energyJoules},
                     {"memory_bytes", limits.memoryBytes}, {"deadline_seconds", orNull(limits.deadlineSeconds)}};
    out["tensors"] = ordered_json::array();
    for (const WhyAnswer& answer : answers)
        out["tensors"].push_back(answerJson(graph, answer));
    return out.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/plan.h"

#include <array>
#include <utility>

namespace poet {
namespace {

template <class T, std::size_t N>
using Names = std::array<std::pair<T, std::string_view>, N>;

constexpr Names<StepKind, 5> kStepKinds{{{StepKind::Compute, "compute"},
                                         {StepKind::Recompute, "recompute"},
                                         {StepKind::PageOut, "page_out"},
                                         {StepKind::PageIn, "page_in"},
                                         {StepKind::Free, "free"}}};
constexpr Names<TransferMode, 3> kModes{{{TransferMode::Blocking, "blocking"},
                                         {TransferMode::Background, "background"},
                                         {TransferMode::Prefetch, "prefetch"}}};
constexpr Names<Strategy, 10> kStrategies{{{Strategy::Integrated, "integrated"},
                                           {Strategy::Paging, "paging"},
                                           {Strategy::Recompute, "recompute"},
                                           {Strategy::KeepAll, "keep-all"},
                                           {Strategy::PageAll, "page-all"},
                                           {Strategy::Sqrt, "sqrt"},
                                           {Strategy::Revolve, "revolve"},
                                           {Strategy::Greedy, "greedy"},
                                           {Strategy::Capuchin, "capuchin"},
                                           {Strategy::Dtr, "dtr"}}};
constexpr Names<Strategy, 10> kSources{{{Strategy::Integrated, "POET: Patil et al., ICML 2022"},
                                        {Strategy::Paging, "POET without recomputing"},
                                        {Strategy::Recompute, "Checkmate: Jain et al., MLSys 2020"},
                                        {Strategy::KeepAll, "nothing is dropped"},
                                        {Strategy::PageAll, "vDNN-all: Rhu et al., MICRO 2016"},
                                        {Strategy::Sqrt, "Chen et al. 2016"},
                                        {Strategy::Revolve, "Griewank and Walther, TOMS 2000"},
                                        {Strategy::Greedy, "least joules per byte-second first"},
                                        {Strategy::Capuchin, "Peng et al., ASPLOS 2020"},
                                        {Strategy::Dtr, "Kirisame et al., ICLR 2021"}}};
constexpr Names<SolveStatus, 4> kStatuses{{{SolveStatus::Optimal, "optimal"},
                                           {SolveStatus::Feasible, "feasible"},
                                           {SolveStatus::Infeasible, "infeasible"},
                                           {SolveStatus::Stopped, "stopped"}}};

template <class T, std::size_t N>
std::string_view textOf(const Names<T, N>& names, T value)
{
    for (const auto& [known, text] : names)
        if (known == value)
            return text;
    return "?";
}

template <class T, std::size_t N>
std::optional<T> valueOf(const Names<T, N>& names, std::string_view text)
{
    for (const auto& [value, known] : names)
        if (known == text)
            return value;
    return std::nullopt;
}

}  // namespace

std::string_view name(StepKind kind) { return textOf(kStepKinds, kind); }
std::optional<StepKind> stepKindFromName(std::string_view text) { return valueOf(kStepKinds, text); }
std::string_view name(TransferMode mode) { return textOf(kModes, mode); }
std::optional<TransferMode> transferModeFromName(std::string_view text) { return valueOf(kModes, text); }
std::string_view name(Strategy strategy) { return textOf(kStrategies, strategy); }
std::optional<Strategy> strategyFromName(std::string_view text) { return valueOf(kStrategies, text); }
std::string_view sourceOf(Strategy strategy) { return textOf(kSources, strategy); }
std::string_view name(SolveStatus status) { return textOf(kStatuses, status); }
std::optional<SolveStatus> solveStatusFromName(std::string_view text) { return valueOf(kStatuses, text); }

double Plan::gapPercent() const
{
    if (!hasSchedule() || replay.energyJoules <= 0)
        return hasSchedule() ? 0 : 100;
    const double gap = 100 * (replay.energyJoules - boundJoules) / replay.energyJoules;
    return gap < 0 ? 0 : gap;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/problem.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace poet::planning {

/// Which choices the program may make.
struct Choices {
    std::vector<bool> mayRecompute;  ///< per node
    std::vector<bool> mayPage;       ///< per node
    /// Whose inputs C(t) takes in; empty = mayRecompute. With fewer of them, fewer stages offer an early recompute: by
    /// leaving out dominated or too expensive recomputes here, too, about one small graph in some thousand loses a little.
    std::vector<bool> mayExpand = {};
    std::vector<bool> isTiny = {};   ///< per node: taken for 0 bytes and always held, see relaxTiny; empty = none
    bool operator==(const Choices&) const = default;
    [[nodiscard]] const std::vector<bool>& expanding() const { return mayExpand.empty() ? mayRecompute : mayExpand; }
    [[nodiscard]] bool tiny(NodeId node) const { return !isTiny.empty() && isTiny[static_cast<std::size_t>(node)]; }
};
/// What strategy and graph allow; with `useDominance` without the recomputes that paging on demand always beats
/// (planning.md, section 3; exact unless the store's limits bind, so not applied when they exist). With
/// `withTimeRule` a recompute is also kept where it is faster than the round trip (needed when a deadline binds).
[[nodiscard]] Choices findChoices(const Problem& problem, bool useDominance, bool withTimeRule);

/// Leaves out every choice that alone costs more than `overheadJoules`, the overhead of a known plan, or takes more time
/// than the deadline leaves beyond `keepAllSeconds`: no better plan can contain it, because nothing has a negative cost.
void dropTooExpensive(const Problem& problem, double overheadJoules, double keepAllSeconds, Choices& choices);

/// Takes tensors under a small share of the budget (batch statistics, losses) for 0 bytes: a relaxation in which they
/// are always held, so that they need no variables. Its bound holds for the whole problem; its plan may be over budget
/// by what they really take, which the replay shows. Returns whether there are any.
[[nodiscard]] bool relaxTiny(const Problem& problem, Choices& choices);

/// Which candidates a stage has beside what its main node and their recomputes need: the recomputes for later.
enum class CandidateSets {
    Restricted,  ///< none, and no closure from node t-1 in forward stages: smaller, for a first plan or a comparison
    Ready,       ///< C(t) of planning.md, section 3: where all inputs are candidates, too, and there are any
    Every,       ///< every recompute with a later need, and its inputs: no schedule is left out
};

/// Where something can happen to a tensor: its own stage first, then every stage in which it is a candidate.
struct Events {
    std::vector<std::vector<NodeId>> candidates;  ///< per stage t: C(t), ascending
    std::vector<std::vector<int>> stages;         ///< per node: its events, ascending; [0] is its own stage
    bool isComplete = true;                       ///< false: there was no time to find all
};
/// Builds the sets. Ends early when `wantsStop` (may be empty) says so. Cost: O(sum of |C(t)| times inputs).
[[nodiscard]] Events findEvents(const CostGraph& graph, const Choices& choices, CandidateSets sets, const std::function<bool()>& wantsStop = {});
/// How many candidates all stages together have with CandidateSets::Every, before closure; `most` + 1 when it is more than
/// `most`. Cost: O(min(most, nodes squared)).
[[nodiscard]] std::int64_t countEveryCandidate(const CostGraph& graph, const Choices& choices, std::int64_t most);

}  // namespace poet::planning

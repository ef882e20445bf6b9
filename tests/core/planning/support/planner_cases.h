// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/planner.h"
#include "tests/core/planning/support/brute_force.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace poet::testing {

/// One random planning problem with a label that names seed, model, budget, strategy and deadline.
struct PlannerCase {
    std::shared_ptr<const CostGraph> graph;
    TransferModel transfer = TransferModel::Blocking;
    Strategy strategy = Strategy::Integrated;
    std::int64_t budgetBytes = 0;  ///< without resident bytes
    std::optional<double> deadlineSeconds;
    std::string label;

    [[nodiscard]] BruteForceProblem bruteForceProblem() const;
    [[nodiscard]] planning::Problem problem() const;
};

/// How many cases a test makes, and of how many nodes at most: from the environment variables POET_TEST_CASES (16) and
/// POET_TEST_NODES (10), so that one program serves the quick run and the long one.
[[nodiscard]] std::uint32_t testCases();
[[nodiscard]] int testNodes();

/// Budget, strategy and (one seed in eight) store limits follow from the seed; there is no deadline yet.
/// In one case of four some bytes are resident.
[[nodiscard]] PlannerCase makePlannerCase(std::uint32_t seed, TransferModel transfer, int maxNodes, bool allPageable = false);
/// The same case at four operating points: the nodes at other clocks, with other energies and idle power.
[[nodiscard]] std::vector<PlannerCase> atFourPoints(const PlannerCase& plannerCase);
/// The smallest graph text that reproduces the case: pasted into failure messages.
[[nodiscard]] std::string describe(const PlannerCase& plannerCase);

/// Parameters of the tests: a proof of the full program to 1e-6, and no time limit that could bind. In `paper`, which
/// has no demand paging, dominance is only a heuristic (planning.md, section 3), so that it is off there.
[[nodiscard]] planning::SolveParams provingParams(TransferModel transfer);

/// Plans the case and checks what every plan promises: a second replay agrees with its numbers, limits are kept, the
/// bound lies below the energy, the status matches gap and schedule. Failures are reported through GoogleTest.
/// Nothing when the planner returned an error.
[[nodiscard]] std::optional<Plan> checkedPlan(const PlannerCase& plannerCase, const planning::SolveParams& params);

/// What exhaustive search knows of a case. `lower`: over all schedules that planning.md, section 1, allows;
/// `upper`: recomputing only inside the candidate sets of section 3, which is all that the hold-gap program sees.
struct Truth {
    std::optional<BruteForceAnswer> lower;
    std::optional<BruteForceAnswer> upper;
    [[nodiscard]] bool areEqual() const;
};
[[nodiscard]] Truth findTruth(const PlannerCase& plannerCase);

/// Judges a proof to kProofGap. Where it says that it covers every schedule it must agree with exhaustive search in optimum,
/// bound and feasibility. Otherwise it is never under the true optimum; returns whether it is as good as the optimum within the
/// candidate sets: what is known to cost too much is left out with its candidates, so that this may, rarely, not be so.
[[nodiscard]] bool isBestOf(const PlannerCase& plannerCase, const Plan& plan, const Truth& truth);

}  // namespace poet::testing

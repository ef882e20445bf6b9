// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/cbc_driver.h"
#include "core/planning/planner_record.h"
#include "core/planning/program.h"
#include "core/planning/reduction.h"

#include <optional>

namespace poet::planning {

/// How a try for the proof ended.
enum class TurnEnd {
    Settled,      ///< nothing is left to find out
    Impossible,   ///< the program has no solution at all
    Exhausted,    ///< the program's optimum is known; it breaks a limit that is not in the program
    TinyInTheWay, ///< its optimum is over budget only by tensors that were taken for 0 bytes (relaxTiny)
    TimeUp        ///< of this turn, or of the search
};

/// One try for the proof on one program: solves it, adds in-stage rows where the replay asks for them, and repeats. Plans
/// and bounds go into the record. The program keeps its new rows, so that a later turn can go on with it.
class ProofTurn {
public:
    /// `isHard`: CBC alone has failed before, so that the program is always reduced first.
    ProofTurn(SearchRecord& record, Program& program, bool isHard) : m_record(record), m_program(program), m_isHard(isHard) {}

    /// Errors: Internal when a replay contradicts the program.
    [[nodiscard]] Expected<TurnEnd> run(double seconds);

private:
    [[nodiscard]] Expected<MipResult> solveOnce(double seconds);
    [[nodiscard]] Expected<ReducedProgram> reduceIfHard(MipLimits& limits);
    [[nodiscard]] Expected<std::optional<TurnEnd>> refine(const MipResult& outcome);

    SearchRecord& m_record;
    Program& m_program;
    bool m_isHard;
};

}  // namespace poet::planning

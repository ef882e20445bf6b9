// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/candidates.h"
#include "core/planning/decisions.h"
#include "core/planning/linear_program.h"

#include <functional>
#include <vector>

namespace poet::planning {

/// The hold-gap program of a problem (planning.md, section 3): variables only where something can happen to a tensor.
/// The objective is the overhead over keep-all in joules times `objectiveScale`; sizes are in units of `byteScale`.
class Program {
public:
    /// Ends early when `wantsStop` (may be empty) says so: the program is then not complete and good for nothing.
    Program(const Problem& problem, const ProblemFacts& facts, const Choices& choices, CandidateSets sets, std::function<bool()> wantsStop = {});
    [[nodiscard]] bool isComplete() const { return m_isComplete; }

    [[nodiscard]] const LinearProgram& linear() const { return m_linear; }
    [[nodiscard]] double objectiveScale() const { return m_objectiveScale; }
    /// Adds the rows of kind 4 (RAM at each recompute slot) of one stage; no effect the second time or where no
    /// recompute is possible. Returns whether rows were added.
    bool addStageRows(int stage);
    /// The same for every stage that is over budget in a replay.
    bool addMissingRows(const ReplayReport& report);
    /// Rows that the solution `relaxed` of the linear relaxation violates and no plan does; see program_covers.cpp.
    [[nodiscard]] std::vector<LinearProgram::Row> coverRows(const std::vector<double>& relaxed) const;
    void addRows(const std::vector<LinearProgram::Row>& rows) { m_linear.rows.insert(m_linear.rows.end(), rows.begin(), rows.end()); }
    /// True when tensors were taken for 0 bytes (relaxTiny): plans may then be a little over budget.
    [[nodiscard]] bool hasTiny() const { return !m_isTiny.empty(); }
    /// From now on, where a replay is over budget and no rows are missing, addMissingRows leaves room for the tensors that
    /// were taken for 0 bytes: for a search that needs plans, not a bound.
    void leaveRoomForTiny() { m_leavesRoom = true; }
    /// Changes whenever less RAM is left to a plan than before.
    [[nodiscard]] int revision() const { return m_revision; }
    [[nodiscard]] int stageCount() const { return static_cast<int>(m_events.candidates.size()); }

    /// What a solution decides; values over 0.5 count as 1. Decisions that nothing uses are left out.
    [[nodiscard]] Decisions decode(const std::vector<double>& solution) const;
    /// The solution that a set of decisions stands for (continuous columns included as far as rows of kind 4 exist),
    /// for a start; empty when the program has no column for one of the decisions.
    [[nodiscard]] std::vector<double> encode(const Decisions& decisions) const;

    /// Which columns a search around some stages may change: everything of their events and of the next event of their
    /// tensors, the page-outs of those tensors, and all continuous columns.
    [[nodiscard]] std::vector<bool> freeAround(const std::vector<bool>& isPickedStage) const;
    /// The same for a search around some tensors: whatever happens to them at any time.
    [[nodiscard]] std::vector<bool> freeTensors(const std::vector<bool>& isPickedTensor) const;

private:
    /// Columns of one event of a tensor; -1 where there is none.
    struct EventColumns {
        int stage = 0;
        int hold = -1;      ///< stays in RAM from the event before to this one
        int recompute = -1;
        int demand = -1;    ///< page-in on demand; in `paper` the page-in
        int prefetch = -1;
    };
    struct TensorColumns {
        std::vector<EventColumns> events;  ///< [0] is its own stage, without columns
        int outImmediate = -1;
        int outBackground = -1;
        int source = -1;                   ///< 1 if it is in RAM during the stage after its own for a background page-out
    };
    using Terms = std::vector<std::pair<int, double>>;
    class CoverSearch;
    /// What bounds RAM in one stage.
    struct MemoryLimits {
        std::vector<int> rows;     ///< with the budget, or what is left of it, as upper limit
        std::vector<int> columns;  ///< RAM at each slot; the budget as upper limit
        bool hasRoomForTiny = false;
    };

    /// Asked between the steps of building; true from the first time on that there is no time for more.
    [[nodiscard]] bool stops();
    void addColumns(const Choices& choices);
    void addAcquireColumns(NodeId node, EventColumns& event, const Choices& choices);
    void addOutColumns(NodeId node, const Choices& choices);
    void addAvailabilityRows();
    void addEventRows(int stage, NodeId node, std::size_t index);
    void addRecomputeRows(int stage, NodeId node, const EventColumns& event);
    void addPageRows(NodeId node, const EventColumns& event);
    void addSourceRows(NodeId node);
    void addKnapsackRows();
    /// Chvatal-Gomory rounding of a knapsack row for each size that occurs in it: most tensors of a block have one size.
    void addRoundedRows(const Terms& terms, double limit);
    /// Lowers the limits of a stage by all tiny tensors that may be in RAM then. Returns whether that is new.
    bool leaveRoomIn(int stage);
    void addTimeRows(const ProblemFacts& facts);
    void addStoreRows();

    [[nodiscard]] const CostNode& node(NodeId id) const { return m_graph.nodes[static_cast<std::size_t>(id)]; }
    [[nodiscard]] TensorColumns& tensor(NodeId id) { return m_tensors[static_cast<std::size_t>(id)]; }
    [[nodiscard]] const TensorColumns& tensor(NodeId id) const { return m_tensors[static_cast<std::size_t>(id)]; }
    [[nodiscard]] std::size_t eventIndex(NodeId id, int stage) const;
    [[nodiscard]] const EventColumns& eventAt(NodeId id, int stage) const { return tensor(id).events[eventIndex(id, stage)]; }
    [[nodiscard]] bool isInput(NodeId id, int stage) const { return m_graph.reads(stage, id); }
    /// Column of the hold that leaves the event `index` of a tensor; -1 when it is the last.
    [[nodiscard]] int nextHold(NodeId id, std::size_t index) const;
    [[nodiscard]] bool isTiny(NodeId id) const { return !m_isTiny.empty() && m_isTiny[static_cast<std::size_t>(id)]; }
    /// Size as the rows count it.
    [[nodiscard]] std::int64_t bytesOf(NodeId id) const { return isTiny(id) ? 0 : node(id).bytes; }
    [[nodiscard]] std::int64_t workingSetOf(int stage) const;
    [[nodiscard]] double units(std::int64_t bytes) const { return static_cast<double>(bytes) / m_byteScale; }
    void appendAvailability(Terms& terms, const EventColumns& event, double factor) const;
    /// Recomputes of consumers of `id` in a stage, as terms.
    void appendUses(Terms& terms, NodeId id, int stage, double factor) const;
    void appendStartOfStage(Terms& terms, int stage) const;
    /// Marks the continuous columns: what they hold follows from the others.
    [[nodiscard]] std::vector<bool> continuousColumns() const;

    std::function<bool()> m_wantsStop;           ///< while it is built
    bool m_isComplete = true;
    Problem m_problem;
    const CostGraph& m_graph;
    Charges m_charges;
    Events m_events;
    std::vector<bool> m_isTiny;                  ///< taken for 0 bytes and always held; empty = none
    std::vector<std::vector<NodeId>> m_consumers;
    std::vector<TensorColumns> m_tensors;
    std::vector<std::vector<NodeId>> m_passing;  ///< per stage: tensors with a gap strictly around it
    std::vector<bool> m_hasStageRows;
    std::vector<MemoryLimits> m_memoryLimits;    ///< per stage
    bool m_leavesRoom = false;
    int m_revision = 0;
    bool m_isRestricted;
    double m_objectiveScale = 1;
    double m_byteScale = 1;
    LinearProgram m_linear;
};

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/plan_cache.h"
#include "widgets/document/plan_facts.h"

#include <QMap>
#include <QObject>
#include <QString>
#include <QUndoStack>

#include <optional>
#include <set>

namespace poet {

/// A whole training job, for which a deadline can be given instead of one step's.
struct Job {
    int epochs = 1;            ///< >= 1
    int stepsPerEpoch = 1000;  ///< >= 1
    [[nodiscard]] double steps() const { return static_cast<double>(epochs) * stepsPerEpoch; }
    bool operator==(const Job&) const = default;
};

/// As many threads as the solver takes (`poet solve --threads`).
inline constexpr int kMostThreads = 2;

/// What the user can set; undoable.
struct Controls {
    PlanQuery query;
    double gap = 1e-4;              ///< at which a search counts as proven
    double timeLimitSeconds = 60;
    int threads = 1;                ///< of the solver; with 1 the same question has the same answer
    std::optional<Job> job;         ///< the deadline is shown for this job; the query holds that of one step all the same
    bool operator==(const Controls&) const = default;
};

/// What is selected: a tensor, a step, a Pareto point; the same in every view.
struct Selection {
    NodeId node = -1;   ///< node and its tensor
    int step = -1;      ///< index into the shown schedule
    int edgeFrom = -1;  ///< with `node`: the edge edgeFrom -> node alone
    bool operator==(const Selection&) const = default;
    [[nodiscard]] bool isEmpty() const { return node < 0 && step < 0; }
};

/// An open document and what was set and looked at in it; cheap, problems and plans are shared.
struct DocumentSnapshot {
    ProblemPtr problem;
    Controls controls;
    Selection selection;
    int cursorStep = -1;
    PlanPtr compare;
    bool operator==(const DocumentSnapshot&) const = default;
};

/// Where the search for the present controls stands.
struct SearchState {
    enum class Phase { Idle, Waiting, Running, Finished, Stopped, TimedOut, Failed };
    Phase phase = Phase::Idle;
    double elapsedSeconds = 0;      ///< of this search alone, as its worker says
    double limitSeconds = 0;        ///< Running: when it ends at the latest
    QString failure;                ///< Failed: what happened
    bool operator==(const SearchState&) const = default;
};

/// The only mutable state of the window: problem, controls, shown plan, selection, hover, time cursor. Views read it,
/// send intents to it, and hear once per event-loop turn what changed. Lives in the GUI thread.
class DocumentState : public QObject {
    Q_OBJECT
public:
    enum Aspect {
        ProblemAspect = 1 << 0,
        ControlsAspect = 1 << 1,
        PlanAspect = 1 << 2,       ///< the shown plan
        CacheAspect = 1 << 3,      ///< something new is known: bands, Pareto
        SearchAspect = 1 << 4,
        SelectionAspect = 1 << 5,
        HoverAspect = 1 << 6,
        CursorAspect = 1 << 7,     ///< time cursor
        CompareAspect = 1 << 8,    ///< the B plan
    };
    Q_DECLARE_FLAGS(Aspects, Aspect)
    Q_FLAG(Aspects)

    explicit DocumentState(QObject* parent = nullptr);

    // What is there.
    [[nodiscard]] const ProblemPtr& problem() const { return m_problem; }
    [[nodiscard]] const Controls& controls() const { return m_controls; }
    [[nodiscard]] const PlanPtr& plan() const { return m_plan; }
    [[nodiscard]] const PlanFacts& facts() const { return m_facts; }
    /// False when the shown plan does not fit the controls: it is stale, kept for orientation.
    [[nodiscard]] bool planFits() const { return m_planFits; }
    /// Set while a plan picked by the user (a Pareto point) is shown instead of the best for the controls.
    [[nodiscard]] const SearchState& search() const { return m_search; }
    [[nodiscard]] const Selection& selection() const { return m_selection; }
    [[nodiscard]] NodeId hoveredNode() const { return m_hovered; }
    /// Step under the time cursor, -1 when the cursor is off.
    [[nodiscard]] int cursorStep() const { return m_cursorStep; }
    [[nodiscard]] const PlanPtr& comparePlan() const { return m_compare; }
    [[nodiscard]] PlanCache& cache() { return m_cache; }
    [[nodiscard]] const PlanCache& cache() const { return m_cache; }
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    /// True for a question that a drag only passed through: it was never the user's.
    [[nodiscard]] bool isPassing(const PlanQuery& query) const { return m_passing.contains(query); }
    /// The name that the user gave to a plan; empty: none.
    [[nodiscard]] QString planName(const Plan& plan) const { return m_planNames.value(planKey(plan)); }
    [[nodiscard]] const QMap<QString, QString>& planNames() const { return m_planNames; }

    // Intents.
    void setPlanName(const Plan& plan, const QString& name);
    void setPlanNames(const QMap<QString, QString>& names);  ///< as planNames() of another session of the same problem
    /// A new document; controls start half-way between wall and keep-all, or stay when the same model is re-made.
    void setProblem(ProblemPtr problem, bool keepControls = false);
    /// Undoable change; consecutive edits with the same `mergeKey` > 0 become one undo step.
    void editControls(const Controls& controls, const QString& what, int mergeKey = 0);
    void setControlsDirectly(const Controls& controls);  ///< used by undo and by opening a workspace
    /// The open model, made anew with another setup (device, dimensions ...): past edits stay undoable and the change
    /// of setup becomes one of them; the controls start as in setProblem().
    void changeProblem(ProblemPtr problem);
    /// The document as it is now, to be put back later.
    [[nodiscard]] DocumentSnapshot snapshot() const;
    /// Another document in the place of the open one, as one undoable step named `what`; past edits stay undoable.
    /// Nothing happens when it is what is there.
    void replaceDocument(const DocumentSnapshot& after, const QString& what);
    void placeSnapshot(const DocumentSnapshot& snapshot);  ///< used by undo
    /// For undo: asks for the open model with `setup` by setupWanted(); `controls` come with it.
    void requestSetup(const ModelSetup& setup, const Controls& controls);
    /// What was asked for could not be read: the history ends here.
    void dropRequest();
    /// The controls that are, or that will be when the requested setup has been read.
    [[nodiscard]] const Controls& expectedControls() const { return m_requested ? *m_requested : m_controls; }
    void select(const Selection& selection);
    void selectNode(NodeId node) { select({node, -1, -1}); }
    void hoverNode(NodeId node);
    void setCursorStep(int step);
    void setSearch(const SearchState& search);
    void setComparePlan(PlanPtr plan);
    /// Shows the best known plan for the controls; keeps the old one, marked as not fitting, when none fits.
    void refreshPlan();
    /// Something was added to the cache.
    void cacheGrew();
    /// Back and forward through past selections.
    void goBack();
    void goForward();
    [[nodiscard]] bool canGoBack() const { return m_historyIndex > 0; }
    [[nodiscard]] bool canGoForward() const { return m_historyIndex + 1 < static_cast<int>(m_history.size()); }

Q_SIGNALS:
    /// At once, for the search: the question changed (`isDragging` while a slider is held).
    void questionChanged();
    /// Undo or redo needs the open model with this setup; answered by changeProblem() or dropRequest().
    void setupWanted(const poet::ModelSetup& setup);
    /// What setupWanted() asked for is no longer needed: another document is in its place.
    void setupNotWanted();
    /// Merged: once per event-loop turn.
    void changed(poet::DocumentState::Aspects aspects);

private:
    void touch(Aspects aspects);
    [[nodiscard]] static QString planKey(const Plan& plan);
    void notePassing(const PlanQuery& next, int mergeKey);
    void placeProblem(ProblemPtr problem, bool keepControls);
    void setShownPlan(PlanPtr plan, bool fits);

    ProblemPtr m_problem;
    Controls m_controls;
    std::optional<Controls> m_requested;  ///< set while undo waits for a setup
    PlanPtr m_plan;
    PlanFacts m_facts;
    bool m_planFits = false;
    SearchState m_search;
    Selection m_selection;
    NodeId m_hovered = -1;
    int m_cursorStep = -1;
    PlanPtr m_compare;
    PlanCache m_cache;
    std::set<PlanQuery> m_passing;
    int m_lastMergeKey = 0;
    QMap<QString, QString> m_planNames;  ///< by planKey()
    QUndoStack m_undo;
    std::vector<Selection> m_history;
    int m_historyIndex = -1;
    Aspects m_pending;
};

Q_DECLARE_OPERATORS_FOR_FLAGS(DocumentState::Aspects)

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/document_state.h"

#include <QTimer>
#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace poet {

namespace {

/// One change of the controls; a drag is one step because edits with the same key merge.
class ControlsCommand : public QUndoCommand {
public:
    ControlsCommand(DocumentState& state, Controls before, Controls after, const QString& what, int mergeKey)
        : QUndoCommand(what), m_state(state), m_before(before), m_after(after), m_mergeKey(mergeKey)
    {
    }
    void undo() override { m_state.setControlsDirectly(m_before); }
    void redo() override { m_state.setControlsDirectly(m_after); }
    [[nodiscard]] int id() const override { return m_mergeKey > 0 ? m_mergeKey : -1; }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = dynamic_cast<const ControlsCommand*>(other);
        if (!next || next->m_mergeKey != m_mergeKey)
            return false;
        m_after = next->m_after;
        return true;
    }

private:
    DocumentState& m_state;
    Controls m_before;
    Controls m_after;
    int m_mergeKey;
};

/// The open model with another setup. The first redo is void: the command is pushed when the new problem is there.
class SetupCommand : public QUndoCommand {
public:
    SetupCommand(DocumentState& state, ModelSetup before, Controls controls, ModelSetup after)
        : QUndoCommand(DocumentState::tr("setup")), m_state(state), m_before(std::move(before)), m_after(std::move(after)), m_beforeControls(controls),
          m_afterControls(controls)
    {
    }
    void undo() override
    {
        m_afterControls = m_state.expectedControls();
        m_state.requestSetup(m_before, m_beforeControls);
    }
    void redo() override
    {
        if (std::exchange(m_isFirst, false))
            return;
        m_state.requestSetup(m_after, m_afterControls);
    }

private:
    DocumentState& m_state;
    ModelSetup m_before;
    ModelSetup m_after;
    Controls m_beforeControls;
    Controls m_afterControls;
    bool m_isFirst = true;
};

/// Another document in the place of the open one; both stay in memory, so that undo need not read a file.
class DocumentCommand : public QUndoCommand {
public:
    DocumentCommand(DocumentState& state, DocumentSnapshot before, DocumentSnapshot after, const QString& what)
        : QUndoCommand(what), m_state(state), m_before(std::move(before)), m_after(std::move(after))
    {
    }
    void undo() override { m_state.placeSnapshot(m_before); }
    void redo() override { m_state.placeSnapshot(m_after); }

private:
    DocumentState& m_state;
    DocumentSnapshot m_before;
    DocumentSnapshot m_after;
};

constexpr int kHistoryLength = 100;

}  // namespace

DocumentState::DocumentState(QObject* parent) : QObject(parent) { m_undo.setUndoLimit(500); }

void DocumentState::touch(Aspects aspects)
{
    const bool isScheduled = m_pending != Aspects();
    m_pending |= aspects;
    if (isScheduled)
        return;
    QTimer::singleShot(0, this, [this] {
        const Aspects now = m_pending;
        m_pending = {};
        Q_EMIT changed(now);
    });
}

void DocumentState::setProblem(ProblemPtr problem, bool keepControls)
{
    m_undo.clear();
    m_requested.reset();
    placeProblem(std::move(problem), keepControls);
}

void DocumentState::changeProblem(ProblemPtr problem)
{
    if (m_requested) {
        m_controls = *std::exchange(m_requested, std::nullopt);
        placeProblem(std::move(problem), true);
        return;
    }
    auto* command = new SetupCommand(*this, m_problem ? m_problem->setup : ModelSetup{}, m_controls, problem->setup);
    // Limits stay where the new problem has the same range, as at another operating point.
    const bool isSameRange = m_problem && m_problem->wallBytes == problem->wallBytes && m_problem->keepAllPeakBytes == problem->keepAllPeakBytes;
    placeProblem(std::move(problem), isSameRange);
    m_undo.push(command);
}

DocumentSnapshot DocumentState::snapshot() const { return {m_problem, m_controls, m_selection, m_cursorStep, m_compare}; }

void DocumentState::replaceDocument(const DocumentSnapshot& after, const QString& what)
{
    const DocumentSnapshot before = snapshot();
    if (before != after)
        m_undo.push(new DocumentCommand(*this, before, after, what));
}

void DocumentState::placeSnapshot(const DocumentSnapshot& snapshot)
{
    if (std::exchange(m_requested, std::nullopt))
        Q_EMIT setupNotWanted();
    if (snapshot.problem == m_problem) {
        setControlsDirectly(snapshot.controls);
    } else {
        m_controls = snapshot.controls;
        placeProblem(snapshot.problem, true);
    }
    select(snapshot.selection);
    setCursorStep(snapshot.cursorStep);
    setComparePlan(snapshot.compare);
}

void DocumentState::requestSetup(const ModelSetup& setup, const Controls& controls)
{
    m_requested = controls;
    Q_EMIT setupWanted(setup);
}

void DocumentState::dropRequest()
{
    if (std::exchange(m_requested, std::nullopt))
        m_undo.clear();
}

void DocumentState::placeProblem(ProblemPtr problem, bool keepControls)
{
    m_problem = std::move(problem);
    m_history.clear();
    m_historyIndex = -1;
    m_selection = {};
    m_hovered = -1;
    m_cursorStep = -1;
    m_compare = nullptr;
    m_search = {};
    m_passing.clear();
    m_lastMergeKey = 0;
    if (m_problem && !keepControls) {
        const Strategy strategy = m_controls.query.strategy;
        m_controls.query = {};
        m_controls.query.strategy = strategy;
        m_controls.query.memoryBytes = m_problem->wallBytes + (m_problem->keepAllPeakBytes - m_problem->wallBytes) / 2;
        // What the device has is the natural question, where it is one.
        if (m_problem->deviceRamBytes >= m_problem->wallBytes && m_problem->deviceRamBytes < m_problem->keepAllPeakBytes)
            m_controls.query.memoryBytes = m_problem->deviceRamBytes;
    }
    if (m_problem)
        m_controls.query.memoryBytes = std::clamp(m_controls.query.memoryBytes, std::int64_t{1},
                                                  std::max<std::int64_t>(m_problem->keepAllPeakBytes, 1));
    m_plan = nullptr;
    m_planFits = false;
    m_facts = {};
    touch(ProblemAspect | ControlsAspect | PlanAspect | CacheAspect | SearchAspect | SelectionAspect | HoverAspect | CursorAspect |
          CompareAspect);
    refreshPlan();
    Q_EMIT questionChanged();
}

void DocumentState::editControls(const Controls& controls, const QString& what, int mergeKey)
{
    if (controls == m_controls || m_requested)
        return;
    notePassing(controls.query, mergeKey);
    m_undo.push(new ControlsCommand(*this, m_controls, controls, what, mergeKey));
}

/// All but the last question of one drag, which is one undo step, are passed through.
void DocumentState::notePassing(const PlanQuery& next, int mergeKey)
{
    if (mergeKey > 0 && mergeKey == m_lastMergeKey)
        m_passing.insert(m_controls.query);
    m_lastMergeKey = mergeKey;
    m_passing.erase(next);
}

/// What a plan is recognised by when it is read again and replayed.
QString DocumentState::planKey(const Plan& plan)
{
    return QStringLiteral("%1 %2 %3 %4").arg(QString::fromUtf8(name(plan.strategy).data(), static_cast<qsizetype>(name(plan.strategy).size()))).arg(plan.memoryBytes).arg(plan.replay.peakBytes).arg(plan.replay.energyJoules, 0, 'g', 12);
}

void DocumentState::setPlanName(const Plan& plan, const QString& name)
{
    if (name.trimmed().isEmpty())
        m_planNames.remove(planKey(plan));
    else
        m_planNames.insert(planKey(plan), name.trimmed());
    touch(CacheAspect);
}

void DocumentState::setPlanNames(const QMap<QString, QString>& names)
{
    m_planNames = names;
    touch(CacheAspect);
}

void DocumentState::setControlsDirectly(const Controls& controls)
{
    if (m_requested) {  // the problem that they belong to is still being read
        m_requested = controls;
        return;
    }
    if (controls == m_controls)
        return;
    m_controls = controls;
    touch(ControlsAspect);
    refreshPlan();
    Q_EMIT questionChanged();
}

void DocumentState::select(const Selection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    touch(SelectionAspect);
    if (selection.isEmpty())
        return;
    m_history.resize(static_cast<std::size_t>(m_historyIndex + 1));
    m_history.push_back(selection);
    if (m_history.size() > kHistoryLength)
        m_history.erase(m_history.begin());
    m_historyIndex = static_cast<int>(m_history.size()) - 1;
}

void DocumentState::goBack()
{
    if (!canGoBack())
        return;
    m_selection = m_history[static_cast<std::size_t>(--m_historyIndex)];
    touch(SelectionAspect);
}

void DocumentState::goForward()
{
    if (!canGoForward())
        return;
    m_selection = m_history[static_cast<std::size_t>(++m_historyIndex)];
    touch(SelectionAspect);
}

void DocumentState::hoverNode(NodeId node)
{
    if (node == m_hovered)
        return;
    m_hovered = node;
    touch(HoverAspect);
}

void DocumentState::setCursorStep(int step)
{
    const int last = m_plan ? static_cast<int>(m_plan->replay.schedule.steps.size()) - 1 : -1;
    step = std::clamp(step, -1, last);
    if (step == m_cursorStep)
        return;
    m_cursorStep = step;
    touch(CursorAspect);
}

void DocumentState::setSearch(const SearchState& search)
{
    if (search == m_search)
        return;
    m_search = search;
    touch(SearchAspect);
}

void DocumentState::setComparePlan(PlanPtr plan)
{
    if (plan == m_compare)
        return;
    m_compare = std::move(plan);
    touch(CompareAspect);
}

void DocumentState::cacheGrew()
{
    touch(CacheAspect);
    refreshPlan();
}

void DocumentState::refreshPlan()
{
    if (!m_problem) {
        setShownPlan(nullptr, false);
        return;
    }
    if (PlanPtr best = m_cache.best(*m_problem, m_controls.query))
        setShownPlan(std::move(best), true);
    else
        setShownPlan(m_plan ? m_plan : m_problem->keepAll, false);
}

void DocumentState::setShownPlan(PlanPtr plan, bool fits)
{
    if (fits != m_planFits) {
        m_planFits = fits;
        touch(PlanAspect);
    }
    if (plan == m_plan)
        return;
    m_plan = std::move(plan);
    m_facts = m_plan ? makePlanFacts(*m_problem->graph, *m_plan) : PlanFacts{};
    const int steps = m_plan ? static_cast<int>(m_plan->replay.schedule.steps.size()) : 0;
    if (m_selection.step >= steps || m_selection.step >= 0) {
        // Steps are those of one schedule; the tensor stays selected.
        m_selection.step = -1;
        touch(SelectionAspect);
    }
    if (m_cursorStep >= steps) {
        m_cursorStep = steps - 1;
        touch(CursorAspect);
    }
    touch(PlanAspect);
}

}  // namespace poet

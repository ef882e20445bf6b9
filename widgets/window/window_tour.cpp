// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/limit_slider.h"
#include "widgets/controls/model_panel.h"
#include "widgets/controls/overhead_finder.h"
#include "widgets/dag/dag_view.h"
#include "widgets/inspector/properties_panel.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/teaching/tour.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/action_registry.h"
#include "widgets/window/main_window.h"

#include <QScrollArea>
#include <QStackedWidget>
#include <QToolBar>

/// The tour of MainWindow: what is pointed at, and in which words.
namespace poet {

using namespace Qt::StringLiterals;

void MainWindow::takeTour()
{
    if (m_state->problem()) {
        startTour();
        return;
    }
    if (m_exampleList.empty())
        return;
    // An example with a plan, so that every part has something to show.
    auto* once = new QObject(this);
    connect(this, &MainWindow::graphShown, once, [this, once] {
        once->deleteLater();
        startTour();
    });
    connect(m_loader, &DocumentLoader::failed, once, &QObject::deleteLater);
    openFile(m_exampleList.front().path, m_exampleList.front().device);
}

void MainWindow::startTour()
{
    delete m_tour;
    m_tour = new Tour(tourStops(), this);
    connect(m_tour, &Tour::ended, m_dag, [this] { m_dag->setFocus(); });
    m_tour->start();
}

/// A tensor that the shown plan pages or recomputes, if there is one: something to explain.
NodeId MainWindow::tellingNode() const
{
    const auto& fates = m_state->facts().fates;
    for (std::size_t i = 0; i < fates.size(); ++i)
        if (fates[i] != Fate::Kept)
            return static_cast<NodeId>(i);
    return m_state->problem() ? m_state->problem()->wallNode : -1;
}

std::vector<TourStop> MainWindow::tourStops()
{
    const auto raised = [this](const char* dock, QWidget* part) {
        return [this, dock, part] {
            raiseDock(QString::fromLatin1(dock));
            for (QWidget* around = part; around; around = around->parentWidget())
                if (auto* scroll = qobject_cast<QScrollArea*>(around))
                    scroll->ensureWidgetVisible(part);
            return part;
        };
    };
    QWidget* memory = m_constraints->memorySlider()->parentWidget();
    return {{raised("modelDock", m_modelPanel), tr("Model and device"),
             tr("What was read, and how it is trained: loss, optimizer, frozen layers. Choose here the device that it shall be trained on; its numbers decide what is cheap.")},
            {raised("constraintsDock", memory), tr("How much memory may training use?"),
             tr("Drag the handle or type a limit. Left of the wall (hatched) nothing works; at keep-all nothing has to be saved. A plan for the limit is searched at once.")},
            {raised("constraintsDock", m_constraints->overheadFinder()), tr("Or: how little is enough?"),
             tr("Say how much more energy a step may need, such as 5 %, and press Find smallest. The limit moves to the smallest memory that is proven to be enough.")},
            {raised("timelineDock", m_timeline), tr("What the plan does, and when"),
             tr("One training step from left to right: computing, computing again, paging in and out; below it the memory and your limit. A and D scroll, W and S zoom.")},
            {raised("paretoDock", m_paretoViews), tr("What memory costs"),
             tr("Each point is a known plan: less memory to the left, more energy upwards. Sweep fills the curve; a click on a point shows its plan.")},
            {[this]() -> QWidget* {
                 raiseDock(u"propertiesDock"_s);
                 m_state->selectNode(tellingNode());
                 return m_properties;
             },
             tr("Why this?"), tr("Click any node, bar or row: the others follow. Why? compares keeping, paging and recomputing that tensor, with what each would cost.")},
            {[this]() -> QWidget* { return m_toolBar->widgetForAction(m_actions->action(u"file.export"_s)); }, tr("Take the plan with you"),
             tr("As C for a microcontroller, as a compact binary, as JSON or as tables. F1 opens the manual, Ctrl+Shift+P finds every command. Have fun!")}};
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/help/whats_this.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QHash>
#include <QWidget>

namespace poet {

namespace {

struct WhatsThisText {
    Q_DECLARE_TR_FUNCTIONS(poet::WhatsThis)
public:
    /// By object name. Where a sentence in a tool tip is enough, there is no entry.
    static QHash<QString, QString> answers();
};

QHash<QString, QString> WhatsThisText::answers()
{
    const QString memory = tr("The largest RAM that training may use, weights included. Left of the wall (hatched) is proven impossible, the dotted part is not known yet, "
                              "in the solid part a plan is known. Drag it, type a value, or use the arrow keys; Ctrl and an arrow go to the next known plan.");
    const QString deadline = tr("The longest time of one training step. Right end: no deadline. A tight deadline forbids plans that page or recompute much.");
    return {
        {QStringLiteral("memorySlider"), memory},
        {QStringLiteral("memoryField"), memory},
        {QStringLiteral("deadlineSlider"), deadline},
        {QStringLiteral("deadlineField"), deadline},
        {QStringLiteral("overheadBox"), tr("How much more energy than keep-all a training step may need. Find smallest looks for the smallest memory in which a plan keeps that.")},
        {QStringLiteral("strategyBox"), tr("What a plan may do: recompute and page, only one of them, or keep everything. The methods below the line come from the literature and are there to compare with.")},
        {QStringLiteral("gapBox"), tr("A search ends as soon as its plan is proven to be within this share of the best possible energy.")},
        {QStringLiteral("timeLimitBox"), tr("A search ends at the latest after this time. It then shows its best plan and how far from the proven bound it is.")},
        {QStringLiteral("deviceBox"), tr("The device whose computing and moving of bytes costs time and energy. Published: the constants of the paper, with its errors. The button beside it shows and edits every number.")},
        {QStringLiteral("blockTree"), tr("Parts of the model by name, with the bytes of their tensors. A double click collapses a block in the graph.")},
        {QStringLiteral("plansTable"), tr("Every plan that is worth keeping. A click shows it; a double click on its name names it. Plans that a search or a drag only passed through appear with Show all.")},
        {QStringLiteral("propertiesText"), tr("What is selected: its size, its costs, what the plan does with it. Links lead to the neighbours; Why? compares the alternatives.")},
        {QStringLiteral("graphView"), tr("The training step as a graph: forward on the left, backward beside it. Arrows are tensors; their style says whether the plan keeps, pages or recomputes them.")},
        {QStringLiteral("timelineView"), tr("One training step from left to right: what is computed, recomputed, paged in and out, and below it the memory with the limit.")},
        {QStringLiteral("paretoChart"), tr("Energy against memory of every known plan. The band reaches down to what is proven to be impossible. A click shows a plan.")},
        {QStringLiteral("reportTable"), tr("What was read from the model: memory, work, how each operator is taken, and what was folded, recognised, taken conservatively or refused. The text of poet inspect.")},
        {QStringLiteral("heatMap"), tr("Energy over memory and deadline. A click takes both limits.")},
    };
}

}  // namespace

void explainControls(QWidget& root)
{
    const QHash<QString, QString> answers = WhatsThisText::answers();
    const QList<QWidget*> widgets = root.findChildren<QWidget*>();
    for (QWidget* widget : widgets) {
        if (!widget->whatsThis().isEmpty())
            continue;
        const auto answer = answers.constFind(widget->objectName());
        if (answer != answers.constEnd())
            widget->setWhatsThis(*answer);
        else if (!widget->toolTip().isEmpty())
            widget->setWhatsThis(widget->toolTip());
        else if (widget->focusPolicy() != Qt::NoFocus && !widget->accessibleName().isEmpty())
            widget->setWhatsThis(widget->accessibleName());
        else if (const auto* button = qobject_cast<const QAbstractButton*>(widget); button && !button->text().isEmpty())
            widget->setWhatsThis(QString(button->text()).remove(QLatin1Char('&')));
    }
}

}  // namespace poet

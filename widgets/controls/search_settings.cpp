// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/search_settings.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>

#include <cmath>

namespace poet {

using namespace Qt::StringLiterals;

SearchSettings::SearchSettings(DocumentState& state, QWidget* parent) : QWidget(parent), m_state(state)
{
    m_gap = new QComboBox;
    m_gap->setObjectName(u"gapBox"_s);
    m_gap->setAccessibleName(tr("Gap at which a search ends"));
    m_gap->setToolTip(tr("How close to the proven bound a plan must be to count as optimal"));
    for (double gap : {1e-6, 1e-4, 1e-3, 1e-2})
        m_gap->addItem(QLocale().toString(gap * 100, 'g', 3) + u" %"_s, gap);
    m_limit = new QSpinBox;
    m_limit->setObjectName(u"timeLimitBox"_s);
    m_limit->setRange(1, 3600);
    m_limit->setSuffix(tr(" s"));
    m_limit->setAccessibleName(tr("Time limit of a search"));
    m_limit->setToolTip(tr("A search ends after this time with the best plan found and an honest gap"));
    m_threads = new QSpinBox;
    m_threads->setObjectName(u"threadsBox"_s);
    m_threads->setRange(1, kMostThreads);
    m_threads->setAccessibleName(tr("Threads of a search"));
    m_threads->setToolTip(tr("Two search sooner on a machine that is free; with one the same question always has the same answer"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_gap);
    row->addWidget(new QLabel(tr("or after")));
    row->addWidget(m_limit);
    row->addStretch();
    connect(m_gap, &QComboBox::activated, this, [this] {
        Controls controls = m_state.controls();
        controls.gap = m_gap->currentData().toDouble();
        m_state.editControls(controls, tr("gap"));
    });
    connect(m_limit, &QSpinBox::editingFinished, this, [this] {
        Controls controls = m_state.controls();
        controls.timeLimitSeconds = m_limit->value();
        m_state.editControls(controls, tr("time limit"));
    });
    connect(m_threads, &QSpinBox::valueChanged, this, [this](int threads) {
        Controls controls = m_state.controls();
        controls.threads = threads;
        m_state.editControls(controls, tr("threads"));
    });
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::ProblemAspect | DocumentState::ControlsAspect))
            showControls();
    });
    showControls();
}

void SearchSettings::showControls()
{
    int nearest = 0;
    for (int i = 1; i < m_gap->count(); ++i)
        if (std::abs(m_gap->itemData(i).toDouble() - m_state.controls().gap) < std::abs(m_gap->itemData(nearest).toDouble() - m_state.controls().gap))
            nearest = i;
    m_gap->setCurrentIndex(nearest);
    const QSignalBlocker quiet(m_limit);
    m_limit->setValue(static_cast<int>(m_state.controls().timeLimitSeconds));
    const QSignalBlocker threadsQuiet(m_threads);
    m_threads->setValue(m_state.controls().threads);
}

}  // namespace poet

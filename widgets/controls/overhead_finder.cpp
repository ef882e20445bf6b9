// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/overhead_finder.h"

#include "widgets/document/overhead_search.h"
#include "widgets/style/text.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace poet {

using namespace Qt::StringLiterals;
using OverheadPhase = OverheadState::Phase;

OverheadFinder::OverheadFinder(DocumentState& state, OverheadSearch& search, QWidget* parent) : QWidget(parent), m_state(state), m_search(search)
{
    setObjectName(u"overheadFinder"_s);
    build();
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_search.isRunning())
            m_search.cancel();
        else
            m_search.start(m_percent->value());
    });
    connect(m_percent->findChild<QLineEdit*>(), &QLineEdit::returnPressed, this, [this] { m_search.start(m_percent->value()); });
    connect(m_message, &QLabel::linkActivated, this, [this] {
        if (m_search.state().bestBytes)
            Q_EMIT memoryFound(*m_search.state().bestBytes);
    });
    connect(&m_search, &OverheadSearch::changed, this, &OverheadFinder::show);
    connect(&m_search, &OverheadSearch::found, this, &OverheadFinder::memoryFound);
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::ProblemAspect | DocumentState::ControlsAspect))
            show();
    });
    show();
}

void OverheadFinder::build()
{
    auto* label = new QLabel(tr("O&verhead at most"));
    m_percent = new QDoubleSpinBox;
    m_percent->setObjectName(u"overheadBox"_s);
    m_percent->setRange(0, 10000);
    m_percent->setDecimals(2);
    m_percent->setValue(5);
    m_percent->setSuffix(u" %"_s);
    m_percent->setAccessibleName(tr("Largest overhead in percent of keep-all energy"));
    m_percent->setToolTip(tr("How much more energy than keep-all a training step may need"));
    label->setBuddy(m_percent);
    m_button = new QPushButton;
    m_button->setObjectName(u"overheadButton"_s);
    m_progress = new QProgressBar;
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(6);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Time used by the search for the smallest memory"));
    m_message = new QLabel;
    m_message->setObjectName(u"overheadMessage"_s);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_percent, 1);
    row->addWidget(m_button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 2);
    column->setSpacing(3);
    column->addLayout(row);
    column->addWidget(m_progress);
    column->addWidget(m_message);
}

QString OverheadFinder::message() const { return m_message->text(); }

void OverheadFinder::show()
{
    const OverheadState& known = m_search.state();
    const bool isPossible = OverheadSearch::isPossibleFor(m_state.controls().query.strategy);
    m_percent->setEnabled(isPossible && !m_search.isRunning());
    m_button->setEnabled(isPossible);
    m_button->setText(m_search.isRunning() ? tr("Cancel") : tr("Find smallest"));
    m_button->setToolTip(m_search.isRunning() ? tr("End the search; what it found stays known")
                         : isPossible         ? tr("Searches the smallest memory for this overhead under the present deadline and strategy, and sets the limit to it")
                                              : tr("Only for recomputing and paging: of the other strategies nothing can be proven"));
    m_progress->setVisible(m_search.isRunning());
    m_progress->setValue(known.limitSeconds > 0 ? static_cast<int>(known.elapsedSeconds / known.limitSeconds * 1000) : 0);
    m_message->setText(describe());
    m_message->setVisible(!m_message->text().isEmpty());
}

QString OverheadFinder::describe() const
{
    const OverheadState& known = m_search.state();
    const QString percent = QLocale().toString(known.percent, 'g', 6) + u" %"_s;
    const QString bound = text::bytesApart(known.boundBytes, {known.bestBytes.value_or(known.boundBytes)});
    const QString best = known.bestBytes ? text::bytesApart(*known.bestBytes, {known.boundBytes}) : QString();
    switch (known.phase) {
    case OverheadPhase::Idle: break;
    case OverheadPhase::Running: {
        const QString seconds = QString::number(std::floor(known.elapsedSeconds)) + u" s"_s;
        return known.bestBytes ? tr("between %1 and %2, %3").arg(bound, best, seconds) : tr("searching, %1").arg(seconds);
    }
    case OverheadPhase::Proven: return tr("\u25CF %1 is the smallest memory for %2: proven.").arg(best, percent);
    case OverheadPhase::Open: return tr("\u25D0 %1 is enough for %2; less than %3 is proven not to be.").arg(best, percent, bound);
    case OverheadPhase::Stopped:
        return known.bestBytes ? tr("Stopped: %1 is enough for %2; less than %3 is proven not to be. <a href=\"#use\">Use %1</a>").arg(best, percent, bound)
                               : tr("Stopped before anything was found.");
    case OverheadPhase::Impossible: return tr("\u2715 No memory is enough. %1").arg(known.failure.toHtmlEscaped());
    case OverheadPhase::Failed: return u"! "_s + known.failure.toHtmlEscaped();
    }
    return {};
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/device/sensitivity_panel.h"

#include "core/device/device_report.h"
#include "widgets/device/device_draft.h"
#include "widgets/device/flip_slider.h"
#include "widgets/style/colors.h"
#include "widgets/style/scrolled.h"
#include "widgets/style/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

constexpr int kFlipDelayMilliseconds = 250;  // flips cost hundreds of replays: after the hand rests

/// The profile's own choice of numbers, else all that make plans dearer or cheaper.
std::vector<NamedQuantity> uncertainNumbers(const DeviceProfile& profile)
{
    std::vector<NamedQuantity> chosen;
    const std::vector<NamedQuantity> all = quantities(profile);
    for (const std::string& path : profile.sensitivity)
        for (const NamedQuantity& named : all)
            if (named.path == path && named.quantity->value > 0)
                chosen.push_back(named);
    for (const NamedQuantity& named : all)
        if (profile.sensitivity.empty() && named.quantity->value > 0 && isWorseWhenLarger(named.dimension))
            chosen.push_back(named);
    if (chosen.size() > SensitivityPanel::kMostNumbers)
        chosen.resize(SensitivityPanel::kMostNumbers);
    return chosen;
}

}  // namespace

SensitivityPanel::SensitivityPanel(DocumentState& state, DeviceDraft& draft, QWidget* parent)
    : QWidget(parent), m_state(state), m_draft(draft), m_job(new SensitivityJob(this))
{
    m_verdict = new QLabel;
    m_verdict->setObjectName(u"sensitivityVerdict"_s);
    m_verdict->setWordWrap(true);
    QFont bold = font();
    bold.setBold(true);
    m_verdict->setFont(bold);
    m_legend = new QLabel;
    m_legend->setWordWrap(true);
    m_legend->setTextFormat(Qt::RichText);
    m_listBox = new QWidget;
    m_list = new QVBoxLayout(m_listBox);
    m_list->setContentsMargins(0, 0, 6, 0);
    m_list->setSpacing(8);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_verdict);
    column->addWidget(m_legend);
    column->addWidget(new ColumnScroll(m_listBox), 1);
    m_flipTimer.setSingleShot(true);
    m_flipTimer.setInterval(kFlipDelayMilliseconds);
    connect(&m_flipTimer, &QTimer::timeout, this, [this] { ask(true); });
    connect(m_job, &SensitivityJob::answered, this, &SensitivityPanel::show);
}

void SensitivityPanel::rebuild()
{
    delete m_listBox->layout();
    qDeleteAll(m_listBox->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    m_list = new QVBoxLayout(m_listBox);
    m_list->setContentsMargins(0, 0, 6, 0);
    m_list->setSpacing(8);
    m_rows.clear();
    for (const NamedQuantity& named : uncertainNumbers(m_draft.original()))
        addRow(named);
    m_list->addStretch();
    draftChanged();
    plansChanged();
}

void SensitivityPanel::addRow(const NamedQuantity& named)
{
    Row row{named.path, new FlipSlider, new QLabel, new QLabel};
    const QString path = text::from(named.path);
    auto* name = new QLabel(path);
    name->setToolTip(path);
    name->setMinimumWidth(60);
    row.slider->setAccessibleName(path);
    row.slider->setOwnValue(named.quantity->value);
    row.slider->setToolTip(tr("From a tenth to ten times the profile's own value (dotted line). A notch marks where another known plan becomes the best."));
    row.flips->setForegroundRole(QPalette::PlaceholderText);
    row.flips->setWordWrap(true);
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(1);
    grid->addWidget(name, 0, 0);
    grid->addWidget(row.value, 0, 1, Qt::AlignRight);
    grid->addWidget(row.slider, 1, 0, 1, 2);
    grid->addWidget(row.flips, 2, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    m_list->addWidget(box);
    connect(row.slider, &FlipSlider::moved, this, [this, path = named.path](double value) {
        if (!m_draft.setValue(path, value))
            return;
        draftChanged();
        Q_EMIT edited();
    });
    m_rows.push_back(row);
}

QString SensitivityPanel::shownValue(const std::string& path, double value) const
{
    for (const NamedQuantity& named : quantities(m_draft.profile()))
        if (named.path == path) {
            Quantity shown = *named.quantity;
            shown.value = value;
            return text::shown(describe({path, named.dimension, &shown}).value);
        }
    return {};
}

void SensitivityPanel::draftChanged()
{
    const std::vector<NamedQuantity> numbers = quantities(m_draft.profile());
    for (Row& row : m_rows)
        for (const NamedQuantity& named : numbers)
            if (named.path == row.path) {
                row.slider->setValue(named.quantity->value);
                row.value->setText(text::shown(describe(named).value));
            }
    ask(false);
    m_flipTimer.start();
}

void SensitivityPanel::plansChanged()
{
    collectPlans();
    ask(false);
    m_flipTimer.start();
}

/// The cheapest known plans that fit the memory, each schedule once.
void SensitivityPanel::collectPlans()
{
    m_plans.clear();
    m_problem = m_state.problem();
    const ProblemPtr& problem = m_problem;
    if (!problem || !problem->training)
        return;
    std::vector<PlanPtr> fitting;
    const auto add = [&](const PlanPtr& plan) {
        if (memoryNeed(*problem->graph, *plan) <= m_state.controls().query.memoryBytes)
            fitting.push_back(plan);
    };
    add(problem->keepAll);
    for (const PlanPtr& plan : m_state.cache().plans(*problem))
        add(plan);
    std::stable_sort(fitting.begin(), fitting.end(), [](const PlanPtr& a, const PlanPtr& b) { return a->replay.energyJoules < b->replay.energyJoules; });
    for (const PlanPtr& plan : fitting) {
        const bool isKnown = std::any_of(m_plans.begin(), m_plans.end(), [&](const PlanPtr& other) { return other->replay.schedule == plan->replay.schedule; });
        if (!isKnown && m_plans.size() < kMostPlans)
            m_plans.push_back(plan);
    }
}

QString SensitivityPanel::planName(int plan) const
{
    const Plan& it = *m_plans[static_cast<std::size_t>(plan)];
    return tr("%1: %2, %3").arg(planLetter(plan), text::strategy(it.strategy), text::bytes(memoryNeed(*m_problem->graph, it)));
}

void SensitivityPanel::ask(bool withFlips)
{
    if (m_problem != m_state.problem())  // nobody told a hidden editor of another model
        collectPlans();
    if (m_plans.empty()) {
        m_legend->clear();
        m_verdict->setText(m_problem && m_problem->training ? tr("No known plan fits the memory yet.")
                                                                            : tr("Open an ONNX model to see which numbers decide."));
        return;
    }
    SensitivityInput input;
    input.training = m_problem->training;
    input.profile = m_draft.profile();
    input.options.operatingPoint = text::to(m_problem->setup.operatingPoint);
    if (!input.profile.operatingPoint(input.options.operatingPoint))
        input.options.operatingPoint.clear();
    input.options.transfer = m_problem->graph->device.transfer;
    input.deadlineSeconds = m_state.controls().query.deadlineSeconds;
    input.plans = m_plans;
    for (const Row& row : m_rows)
        if (withFlips) {
            input.paths.push_back(row.path);
            input.lows.push_back(row.slider->minimum());
            input.highs.push_back(row.slider->maximum());
        }
    m_job->ask(std::move(input));
}

void SensitivityPanel::show(const SensitivityOutput& output)
{
    if (output.standings.size() != m_plans.size()) {
        if (!output.error.empty())
            m_verdict->setText(text::from(output.error));
        return;
    }
    QString legend;
    for (std::size_t i = 0; i < m_plans.size(); ++i) {
        const PlanStanding& standing = output.standings[i];
        const int plan = static_cast<int>(i);
        legend += u"<span style='color:%1'>\u25A0</span> %2 \u2192 %3, %4%5<br>"_s.arg(
            style::category(plan, palette()).name(), planName(plan).toHtmlEscaped(), text::joules(standing.joules), text::seconds(standing.seconds),
            standing.isInTime ? QString() : u" ("_s + tr("too late") + u')');
    }
    if (m_plans.size() == 1)
        legend += tr("Only one plan is known for this memory: compare strategies or sweep to know more.");
    m_legend->setText(legend);
    m_verdict->setText(output.best < 0 ? tr("With these numbers no known plan meets the deadline.")
                                       : tr("With these numbers the best known plan is %1").arg(planName(output.best)));
    for (const SensitivityCurve& curve : output.curves)
        for (Row& row : m_rows)
            if (row.path == curve.path)
                showFlips(row, curve);
}

void SensitivityPanel::showFlips(Row& row, const SensitivityCurve& curve)
{
    row.slider->setCurve(curve);
    QStringList parts;
    for (std::size_t i = 1; i < curve.intervals.size(); ++i) {
        const int below = curve.intervals[i - 1].best;
        const int above = curve.intervals[i].best;
        const auto letter = [](int plan) { return plan < 0 ? tr("none") : planLetter(plan); };
        parts << tr("%1 \u2192 %2 at %3").arg(letter(below), letter(above), shownValue(row.path, curve.intervals[i].low));
    }
    row.flips->setText(parts.isEmpty() ? tr("no flip between %1 and %2").arg(shownValue(row.path, row.slider->minimum()), shownValue(row.path, row.slider->maximum()))
                                       : tr("flips: %1").arg(parts.join(u", "_s)));
    row.slider->setAccessibleDescription(row.flips->text());
}

QString SensitivityPanel::verdict() const { return m_verdict->text(); }
QString SensitivityPanel::flipText(int row) const { return m_rows[static_cast<std::size_t>(row)].flips->text(); }

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/compare_panel.h"

#include "widgets/style/text.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char* text) { return QCoreApplication::translate("poet::ComparePanel", text); }

QString differenceOf(double a, double b)
{
    if (a == b)
        return {};
    return a > 0 ? text::morePercent((b - a) / a * 100) : tr("differs");
}

void add(std::vector<ComparedFigure>& figures, const QString& name, double a, double b, const std::function<QString(double)>& shown)
{
    figures.push_back({name, shown(a), shown(b), differenceOf(a, b)});
}

bool hasSameNodes(const CostGraph& a, const CostGraph& b)
{
    return a.size() == b.size() && std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), [](const CostNode& x, const CostNode& y) { return x.name == y.name && x.inputs == y.inputs; });
}

}  // namespace

std::vector<ComparedFigure> compareProblems(const Problem& a, const Problem& b, const Plan* plan)
{
    const auto bytes = [](double value) { return text::bytes(static_cast<std::int64_t>(value)); };
    const auto count = [](double value) { return QString::number(value, 'f', 0); };
    std::vector<ComparedFigure> figures;
    figures.push_back({tr("Model"), a.title, b.title, a.title == b.title ? QString() : tr("differs")});
    figures.push_back({tr("Device"), a.deviceName, b.deviceName, a.deviceName == b.deviceName ? QString() : tr("differs")});
    add(figures, tr("Operations"), a.graph->size(), b.graph->size(), count);
    if (a.training && b.training)
        add(figures, tr("Weights"), static_cast<double>(a.training->parameterBytes()), static_cast<double>(b.training->parameterBytes()), bytes);
    add(figures, tr("Resident all the time"), static_cast<double>(a.residentBytes()), static_cast<double>(b.residentBytes()), bytes);
    add(figures, tr("Smallest possible memory"), static_cast<double>(a.wallBytes), static_cast<double>(b.wallBytes), bytes);
    add(figures, tr("Keep-all memory"), static_cast<double>(a.keepAllPeakBytes), static_cast<double>(b.keepAllPeakBytes), bytes);
    add(figures, tr("Keep-all energy"), a.keepAll->replay.energyJoules, b.keepAll->replay.energyJoules, text::joules);
    add(figures, tr("Keep-all time"), a.keepAll->replay.seconds, b.keepAll->replay.seconds, text::seconds);
    if (plan && hasSameNodes(*a.graph, *b.graph))
        if (const auto there = replay(*b.graph, b.graph->device.transfer, plan->replay.schedule)) {
            const auto over = [](double energy, double reference) { return reference > 0 ? (energy - reference) / reference * 100 : 0; };
            add(figures, tr("The shown plan: energy"), plan->replay.energyJoules, there->energyJoules, text::joules);
            const double here = over(plan->replay.energyJoules, a.keepAll->replay.energyJoules);
            const double other = over(there->energyJoules, b.keepAll->replay.energyJoules);
            figures.push_back({tr("The shown plan: over keep-all"), text::morePercent(here), text::morePercent(other), here == other ? QString() : tr("differs")});
            add(figures, tr("The shown plan: time"), plan->replay.seconds, there->seconds, text::seconds);
        }
    return figures;
}

ComparePanel::ComparePanel(DocumentState& state, const ModelReaders& readers, QWidget* parent) : QWidget(parent), m_state(state), m_loader(readers)
{
    m_device = new QComboBox;
    m_device->setObjectName(u"otherDevice"_s);
    m_device->setAccessibleName(tr("Device to compare with"));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(16);
    m_device->addItem(tr("choose a device"), QString());
    if (readers.devices)
        for (const QList<DeviceEntry> entries = readers.devices(); const DeviceEntry& entry : entries)
            m_device->addItem(entry.title.isEmpty() ? entry.id : entry.title, entry.id);
    m_model = new QPushButton(tr("Another model\u2026"));
    m_note = new QLabel;
    m_note->setWordWrap(true);
    m_table = new QTableWidget;
    m_table->setAccessibleName(tr("Comparison"));
    m_table->setColumnCount(4);
    m_table->setHorizontalHeaderLabels({tr("Figure"), tr("A: open"), tr("B: other"), tr("B against A")});
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 0);
    row->addWidget(new QLabel(tr("Compare with the same model on")));
    row->addWidget(m_device);
    row->addWidget(new QLabel(tr("or with")));
    row->addWidget(m_model);
    row->addWidget(m_note, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    connect(m_device, &QComboBox::activated, this, [this] {
        if (!m_device->currentData().toString().isEmpty())
            compareWithDevice(m_device->currentData().toString());
    });
    connect(m_model, &QPushButton::clicked, this, &ComparePanel::askModel);
    connect(&m_loader, &DocumentLoader::loaded, this, [this](const ProblemPtr& problem) {
        m_other = problem;
        m_note->clear();
        show();
    });
    connect(&m_loader, &DocumentLoader::failed, this, [this](const QString&, const Error& error) { m_note->setText(text::from(error.text())); });
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::ProblemAspect | DocumentState::PlanAspect))
            show();
    });
}

void ComparePanel::compareWithDevice(const QString& device)
{
    if (!m_state.problem() || !m_state.problem()->hasTraining) {
        m_note->setText(tr("Open an ONNX model first: a cost graph carries its own costs."));
        return;
    }
    ModelSetup setup = m_state.problem()->setup;
    setup.device = device;
    setup.operatingPoint.clear();
    setup.transfer.reset();
    m_note->setText(tr("Reading\u2026"));
    m_loader.open(m_state.problem()->path, setup);
}

void ComparePanel::compareWithModel(const QString& path)
{
    m_note->setText(tr("Reading\u2026"));
    m_loader.open(path, m_state.problem() ? m_state.problem()->setup : ModelSetup{});
}

void ComparePanel::askModel()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Compare with a model"), QSettings().value(u"lastFolder"_s).toString(), tr("Models and schedules (*.onnx *.json);;All files (*)"));
    if (!path.isEmpty())
        compareWithModel(path);
}

QString ComparePanel::note() const { return m_note->text(); }

void ComparePanel::show()
{
    m_figures = m_state.problem() && m_other ? compareProblems(*m_state.problem(), *m_other, m_state.plan().get()) : std::vector<ComparedFigure>{};
    m_table->setRowCount(static_cast<int>(m_figures.size()));
    QFont bold = font();
    bold.setBold(true);
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        const ComparedFigure& figure = m_figures[i];
        const QString texts[] = {figure.name, figure.a, figure.b, figure.difference};
        for (int column = 0; column < 4; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            if (!figure.difference.isEmpty() && column > 0)
                item->setFont(bold);
            m_table->setItem(static_cast<int>(i), column, item);
        }
    }
}

}  // namespace poet

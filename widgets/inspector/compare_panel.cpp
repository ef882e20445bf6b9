// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/compare_panel.h"

#include "widgets/controls/device_box.h"
#include "widgets/device/device_cache.h"
#include "widgets/export/paper_colors.h"
#include "widgets/inspector/curve_pair.h"
#include "widgets/inspector/differences_model.h"
#include "widgets/style/text.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize kSheetCurves(640, 220);

constexpr int kMeasuredRows = 30;  ///< of a table, for the widths of its columns

QTableView* comparisonTable(const QString& name, DifferencesModel* model)
{
    auto* table = new QTableView;
    table->setAccessibleName(name);
    table->setModel(model);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setTextElideMode(Qt::ElideMiddle);
    table->horizontalHeader()->setResizeContentsPrecision(kMeasuredRows);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    return table;
}

/// Columns as wide as what is seen needs; measuring every row again with each one took longer than anything else.
void showRows(QTableView& table, DifferencesModel& model, std::vector<ComparedFigure> rows)
{
    model.setRows(std::move(rows));
    for (int column = 1; column < model.columnCount(); ++column)
        table.resizeColumnToContents(column);
}

}  // namespace

ComparePanel::ComparePanel(DocumentState& state, const ModelReaders& readers, QWidget* parent) : QWidget(parent), m_state(state), m_loader(readers)
{
    build(readers);
    connect(m_what, &QComboBox::activated, this, [this](int index) {
        choose(static_cast<What>(index));
        if (index == Models)
            askModel();
    });
    connect(m_device, &QComboBox::activated, this, [this] {
        if (!m_device->device().isEmpty())
            compareWithDevice(m_device->device());
    });
    connect(m_detailTable, &QTableView::clicked, this, [this](const QModelIndex& index) { openDetail(index.row()); });
    connect(&m_loader, &DocumentLoader::loaded, this, [this](const ProblemPtr& problem) {
        m_other = problem;
        m_note->clear();
        refresh();
    });
    connect(&m_loader, &DocumentLoader::failed, this, [this](const QString&, const Error& error) { m_note->setText(text::from(error.text())); });
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & DocumentState::ProblemAspect)
            m_other = nullptr;
        if (aspects & DocumentState::CompareAspect && m_state.comparePlan())
            choose(Plans);
        else if (aspects & (DocumentState::ProblemAspect | DocumentState::PlanAspect | DocumentState::CompareAspect))
            refresh();
    });
    choose(Plans);
}

void ComparePanel::build(const ModelReaders& readers)
{
    m_what = new QComboBox;
    m_what->setObjectName(u"compareWhat"_s);
    m_what->setAccessibleName(tr("What to compare with"));
    m_what->setToolTip(tr("A is what is open and shown; B is a pinned plan, the same model on another device, or another model"));
    m_what->addItems({tr("the pinned plan"), tr("another device"), tr("another model\u2026")});
    m_device = new DeviceBox;
    m_device->setObjectName(u"otherDevice"_s);
    m_device->setAccessibleName(tr("Device to compare with"));
    m_device->setMinimumContentsLength(16);
    m_device->setDevices(readers.devices ? readers.devices() : QList<DeviceEntry>(), tr("choose a device"));
    m_note = new QLabel;
    m_note->setWordWrap(true);
    m_curves = new CurvePair;
    m_figureRows = new DifferencesModel({tr("Figure"), tr("A: open"), tr("B: other"), tr("B against A")}, true, this);
    m_detailRows = new DifferencesModel({tr("What"), u"A"_s, u"B"_s, {}}, false, this);
    m_table = comparisonTable(tr("Comparison"), m_figureRows);
    m_detailTable = comparisonTable(tr("What differs"), m_detailRows);
    m_detailTable->setObjectName(u"compareDetails"_s);
    m_detailTitle = new QLabel;
    m_detailTitle->setContentsMargins(6, 2, 6, 0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 2);
    row->setSpacing(8);
    row->addWidget(new QLabel(tr("Compare with")));
    row->addWidget(m_what);
    row->addWidget(m_device);
    row->addWidget(m_note, 1);
    auto* details = new QWidget;
    auto* detailColumn = new QVBoxLayout(details);
    detailColumn->setContentsMargins(0, 0, 0, 0);
    detailColumn->setSpacing(0);
    detailColumn->addWidget(m_detailTitle);
    detailColumn->addWidget(m_detailTable, 1);
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_curves);
    splitter->addWidget(m_table);
    splitter->addWidget(details);
    splitter->setSizes({260, 480, 480});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(splitter, 1);
}

ComparePanel::What ComparePanel::what() const { return static_cast<What>(m_what->currentIndex()); }

void ComparePanel::choose(What what)
{
    m_what->setCurrentIndex(what);
    m_device->setVisible(what == Devices);
    m_note->clear();
    refresh();
}

void ComparePanel::comparePlanWithPinned() { choose(Plans); }

void ComparePanel::compareWithDevice(const QString& device)
{
    choose(Devices);
    if (!m_state.problem() || !m_state.problem()->hasTraining) {
        m_note->setText(tr("Open an ONNX model first: a cost graph carries its own costs."));
        return;
    }
    m_device->setDevice(device);
    ModelSetup setup = m_state.problem()->setup;
    setup.device = device;
    // These name things of the other device.
    setup.operatingPoint.clear();
    setup.library.clear();
    setup.store.clear();
    setup.transfer.reset();
    m_note->setText(tr("Reading\u2026"));
    m_loader.open(m_state.problem()->path, setup);
}

void ComparePanel::compareWithModel(const QString& path)
{
    choose(Models);
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

void ComparePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_soon.shown();
}

void ComparePanel::compare()
{
    m_figures.clear();
    m_details.clear();
    const ProblemPtr& problem = m_state.problem();
    QString title;
    if (problem && what() == Plans && m_state.plan() && m_state.comparePlan()) {
        m_figures = comparePlans(*problem, *m_state.plan(), *m_state.comparePlan());
        m_details = decisionDifferences(*problem, *m_state.plan(), *m_state.comparePlan());
        title = tr("Tensors treated differently: %1").arg(m_details.size());
    } else if (problem && what() != Plans && m_other) {
        m_figures = compareProblems(*problem, *m_other, m_state.plan().get());
        if (what() == Devices)
            readDevices();
        else
            m_details = operatorDifferences(*problem, *m_other);
        title = (what() == Devices ? tr("Numbers of the devices that differ: %1") : tr("Operators that differ: %1")).arg(m_details.size());
    } else if (what() == Plans) {
        m_note->setText(problem ? tr("Pin a plan as B first (Ctrl+B), then show another.") : tr("Open a model first."));
    }
    if (what() == Plans && !m_figures.empty())
        m_note->clear();
    m_detailTitle->setText(title);
    showRows(*m_table, *m_figureRows, m_figures);
    showRows(*m_detailTable, *m_detailRows, m_details);
    showCurves();
}

void ComparePanel::readDevices()
{
    const auto a = knownDevice(m_state.problem()->setup.device);
    const auto b = knownDevice(m_other->setup.device);  // both were parsed for their costs
    if (a && b)
        m_details = deviceDifferences(**a, **b);
}

void ComparePanel::showCurves()
{
    const ProblemPtr& problem = m_state.problem();
    CurvePair::Side a;
    CurvePair::Side b;
    if (problem && m_state.plan()) {
        a = {u"A: "_s + text::bytes(memoryNeed(*problem->graph, *m_state.plan())), problem, m_state.plan()};
        if (what() == Plans && m_state.comparePlan())
            b = {u"B: "_s + text::bytes(memoryNeed(*problem->graph, *m_state.comparePlan())), problem, m_state.comparePlan()};
        else if (what() != Plans && m_other)  // no plan was searched there: with everything kept
            b = {u"B: "_s + tr("keep-all %1").arg(text::bytes(m_other->keepAllPeakBytes)), m_other, m_other->keepAll};
    }
    m_curves->setVisible(b.plan != nullptr);
    m_curves->show(std::move(a), std::move(b), m_state.controls().query.memoryBytes);
}

Sheet ComparePanel::sheet()
{
    Sheet sheet;
    if (m_curves->isVisibleTo(this)) {
        sheet.pictureSize = kSheetCurves;
        const PaperColors paper(*m_curves);
        QPainter painter(&sheet.picture);
        painter.setFont(font());
        m_curves->renderTo(painter, QRect(QPoint(), kSheetCurves));
    }
    const auto add = [&](const DifferencesModel& model, const QString& title) {
        SheetTable texts{title, {}, {false, true, true, true}, {}, {}};
        for (int column = 0; column < model.columnCount(); ++column)
            texts.head << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        for (const ComparedFigure& row : model.rows()) {
            texts.isMarked.push_back(model.isMarked(static_cast<int>(texts.rows.size())));
            texts.rows.push_back({row.name, row.a, row.b, row.difference});
        }
        sheet.tables.push_back(std::move(texts));
    };
    add(*m_figureRows, {});
    if (!m_details.empty())
        add(*m_detailRows, m_detailTitle->text());
    return sheet;
}

/// A tensor that differs is selected everywhere.
void ComparePanel::openDetail(int row)
{
    if (what() != Plans || !m_state.problem() || static_cast<std::size_t>(row) >= m_details.size())
        return;
    const std::vector<NodeFacts>& facts = m_state.problem()->facts;
    for (std::size_t i = 0; i < facts.size(); ++i)
        if (facts[i].name == m_details[static_cast<std::size_t>(row)].name)
            m_state.selectNode(static_cast<NodeId>(i));
}

}  // namespace poet

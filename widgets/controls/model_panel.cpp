// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/model_panel.h"

#include "core/graph/forward_graph.h"
#include "widgets/controls/device_box.h"
#include "widgets/controls/device_options.h"
#include "widgets/controls/training_fields.h"
#include "widgets/report/report_texts.h"
#include "widgets/style/scrolled.h"
#include "widgets/style/text.h"

#include <QFormLayout>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <cmath>
#include <map>
#include <utility>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

QStringList outputNames(const Problem& problem)
{
    QStringList names;
    if (problem.training && problem.training->forward)
        for (const ValueId output : problem.training->forward->outputs)
            names << text::from(problem.training->forward->value(output).name);
    return names;
}

}  // namespace

ModelPanel::ModelPanel(DocumentState& state, const ModelReaders& readers, QWidget* parent) : QWidget(parent), m_state(state), m_readers(readers)
{
    createTexts();
    createFields();
    layOut();
    reloadDevices();
    m_training->hide();
    m_options->hide();
    m_change->hide();
    m_freezing->hide();
    m_blocks->hide();
    connectFields();
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & DocumentState::ProblemAspect)
            refresh();
    });
}

/// Labels: what was read, and what it means.
void ModelPanel::createTexts()
{
    m_title = new QLabel(tr("No model is open."));
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setWordWrap(true);
    m_facts = new QLabel;
    m_facts->setWordWrap(true);
    m_wall = new QLabel;
    m_wall->setWordWrap(true);
    m_wall->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_deviceText = new QLabel;
    m_deviceText->setWordWrap(true);
    m_deviceText->setForegroundRole(QPalette::PlaceholderText);
    m_change = new QLabel;
    m_change->setObjectName(u"setupChange"_s);
    m_change->setWordWrap(true);
    m_freezing = new QLabel;
    m_freezing->setObjectName(u"freezeSavings"_s);
    m_freezing->setWordWrap(true);
    m_notes = new QLabel;
    m_notes->setObjectName(u"importNotes"_s);
    m_notes->setWordWrap(true);
    m_notes->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
}

/// What the user can change, and the blocks.
void ModelPanel::createFields()
{
    m_device = new DeviceBox;
    m_device->setObjectName(u"deviceBox"_s);
    m_device->setAccessibleName(tr("Device"));
    m_options = new DeviceOptions;
    m_training = new TrainingFields;
    m_blocks = new QTreeWidget;
    m_blocks->setObjectName(u"blockTree"_s);
    m_blocks->setAccessibleName(tr("Blocks"));
    m_blocks->setHeaderLabels({tr("Block"), tr("Nodes"), tr("Tensors")});
    m_blocks->setRootIsDecorated(false);
    m_blocks->setUniformRowHeights(true);
    m_blocks->setMinimumHeight(110);
}

void ModelPanel::layOut()
{
    auto* device = new QFormLayout;
    device->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* editDevice = new QToolButton;
    editDevice->setText(QStringLiteral("\u2026"));
    editDevice->setToolTip(tr("See and edit every number of the device, and which of them decide"));
    editDevice->setAccessibleName(editDevice->toolTip());
    connect(editDevice, &QToolButton::clicked, this, &ModelPanel::deviceEditAsked);
    auto* deviceRow = new QHBoxLayout;
    deviceRow->addWidget(m_device, 1);
    deviceRow->addWidget(editDevice);
    device->addRow(tr("Device"), deviceRow);
    device->addRow(m_deviceText);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(5);
    column->addWidget(m_title);
    column->addWidget(m_facts);
    column->addWidget(m_wall);
    column->addLayout(device);
    column->addWidget(m_options);
    column->addWidget(m_training);
    column->addWidget(m_freezing);
    column->addWidget(m_change);
    column->addWidget(m_blocks, 100);
    column->addWidget(m_notes);
    column->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(new ColumnScroll(content));
}

void ModelPanel::connectFields()
{
    connect(m_device, &QComboBox::activated, this, &ModelPanel::emitEdited);
    connect(m_options, &DeviceOptions::edited, this, &ModelPanel::emitEdited);
    connect(m_training, &TrainingFields::edited, this, &ModelPanel::emitEdited);
    connect(m_wall, &QLabel::linkActivated, this, [this] {
        if (m_state.problem())
            m_state.selectNode(m_state.problem()->wallNode);
    });
    connect(m_notes, &QLabel::linkActivated, this, &ModelPanel::reportAsked);
    connect(m_blocks, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { Q_EMIT blockActivated(item->data(0, Qt::UserRole).toString()); });
}

void ModelPanel::reloadDevices() { m_device->setDevices(m_readers.devices ? m_readers.devices() : QList<DeviceEntry>()); }

QString ModelPanel::device() const { return m_device->device(); }

void ModelPanel::setDevice(const QString& device)
{
    m_device->setDevice(device);
    showDeviceText();
}

/// What the last change of the setup saved or cost: frozen layers, another optimizer, another device.
void ModelPanel::showChange()
{
    const ProblemPtr& now = m_state.problem();
    const ProblemPtr before = std::exchange(m_before, now);
    if (before == now)
        return;
    const bool isChange = before && before->path == now->path && before->setup != now->setup;
    m_change->setVisible(isChange);
    if (!isChange)
        return;
    const auto difference = [](double a, double b) { return a > 0 && a != b ? (b > a ? u"+"_s : u"\u2212"_s) + text::percent(std::abs(b - a) / a * 100) : tr("as before"); };
    m_change->setText(tr("Against the setup before: smallest memory %1 (%2), keep-all %3 (%4), energy of a step %5 (%6)")
                          .arg(text::bytesApart(now->wallBytes, {before->wallBytes}), difference(static_cast<double>(before->wallBytes), static_cast<double>(now->wallBytes)),
                               text::bytesApart(now->keepAllPeakBytes, {before->keepAllPeakBytes}),
                               difference(static_cast<double>(before->keepAllPeakBytes), static_cast<double>(now->keepAllPeakBytes)),
                               text::joules(now->keepAll->replay.energyJoules), difference(before->keepAll->replay.energyJoules, now->keepAll->replay.energyJoules)));
}

void ModelPanel::showDeviceText()
{
    m_deviceText->setText(m_readers.describeDevice ? m_readers.describeDevice(device()) : QString());
    m_options->setChoices(m_readers.deviceChoices && !device().isEmpty() ? m_readers.deviceChoices(device()) : DeviceChoices());
}

/// What freezing saves, and a link to the report of the import.
void ModelPanel::showNotes()
{
    const ProblemPtr& problem = m_state.problem();
    const QStringList saved = report::freezingLines(*problem->report);
    m_freezing->setVisible(!saved.isEmpty());
    m_freezing->setText(tr("Freezing saves: %1").arg(saved.join(u"; "_s)));
    int doubtful = 0;
    QStringList notes;
    if (problem->training)
        for (const Note& note : problem->training->notes) {
            notes << report::note(note);
            doubtful += note.kind == NoteKind::Conservative || note.kind == NoteKind::Refused;
        }
    const QString link = u"<a href=\"#report\">%1</a>"_s.arg(tr("Report of the import"));
    m_notes->setText(doubtful > 0 ? tr("%1: %2 parts are taken conservatively or left out").arg(link).arg(doubtful) : link);
    m_notes->setToolTip(notes.join(u'\n'));
}

ModelSetup ModelPanel::setup() const
{
    ModelSetup setup;
    setup.device = device();
    m_training->fill(setup);
    m_options->fill(setup);
    if (m_state.problem() && m_state.problem()->setup.device == setup.device)
        setup.operatingPoint = m_state.problem()->setup.operatingPoint;
    return setup;
}

void ModelPanel::emitEdited()
{
    showDeviceText();
    if (m_state.problem() && setup() != m_state.problem()->setup)
        Q_EMIT setupEdited(setup());
}

void ModelPanel::refresh()
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem) {
        m_title->setText(tr("No model is open."));
        m_title->setToolTip({});
        m_facts->clear();
        m_wall->clear();
        m_notes->clear();
        m_training->hide();
        m_options->hide();
        m_change->hide();
        m_freezing->hide();
        m_before = nullptr;
        m_blocks->hide();
        m_device->setEnabled(true);
        return;
    }
    m_title->setText(problem->title);
    m_title->setToolTip(problem->path);
    std::size_t edges = 0;
    double flops = 0;
    for (std::size_t i = 0; i < problem->facts.size(); ++i) {
        edges += problem->graph->nodes[i].inputs.size();
        flops += problem->facts[i].flops;
    }
    QString facts = tr("%1 operations, %2 edges").arg(problem->graph->size()).arg(edges);
    if (problem->training)
        facts += tr("; %1 of weights; %2 a step").arg(text::bytes(problem->training->parameterBytes()), text::shown(formatSi(flops, "FLOP")));
    facts += tr("\nkeep-all: %1, %2, %3")
                 .arg(text::bytes(problem->keepAllPeakBytes), text::joules(problem->keepAll->replay.energyJoules), text::seconds(problem->keepAll->replay.seconds));
    m_facts->setText(facts);
    if (problem->wallNode >= 0)
        m_wall->setText(tr("smallest possible memory %1, set by <a href=\"#wall\">%2</a>")
                            .arg(text::bytes(problem->wallBytes),
                                 text::shortNodeName(problem->facts[static_cast<std::size_t>(problem->wallNode)].name).toHtmlEscaped()));
    m_training->setVisible(problem->hasTraining);
    m_options->setVisible(problem->hasTraining);
    m_training->setOutputs(outputNames(*problem));
    showChange();
    m_device->setEnabled(problem->hasTraining);
    showSetup(problem->setup);
    if (!problem->hasTraining) {
        m_device->setCurrentIndex(-1);
        m_deviceText->setText(tr("A cost graph carries its own costs (%1 transfers).").arg(text::transfer(problem->graph->device.transfer)));
    }
    showNotes();
    showBlocks();
}

void ModelPanel::showSetup(const ModelSetup& setup)
{
    setDevice(setup.device);
    m_training->showSetup(setup);
    m_options->showSetup(setup);
}

void ModelPanel::showBlocks()
{
    m_blocks->clear();
    QStringList order;
    std::map<QString, std::pair<int, std::int64_t>> sums;
    const ProblemPtr& problem = m_state.problem();
    for (std::size_t i = 0; i < problem->facts.size(); ++i) {
        const QString& block = problem->facts[i].block;
        if (block.isEmpty())
            continue;
        if (!sums.contains(block))
            order.append(block);
        sums[block].first += 1;
        sums[block].second += problem->graph->nodes[i].bytes;
    }
    for (const QString& block : order) {
        auto* item = new QTreeWidgetItem(m_blocks, {block, QString::number(sums[block].first), text::bytes(sums[block].second)});
        item->setData(0, Qt::UserRole, block);
        item->setToolTip(0, tr("Double-click to collapse or expand in the graph"));
        item->setTextAlignment(1, Qt::AlignRight);
        item->setTextAlignment(2, Qt::AlignRight);
    }
    m_blocks->setVisible(!order.isEmpty());
    for (int column = 0; column < 3; ++column)
        m_blocks->resizeColumnToContents(column);
}

}  // namespace poet

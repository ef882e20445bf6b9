// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/model_panel.h"

#include "widgets/style/text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <map>

namespace poet {

using namespace Qt::StringLiterals;

ModelPanel::ModelPanel(DocumentState& state, const ModelReaders& readers, QWidget* parent) : QWidget(parent), m_state(state), m_readers(readers)
{
    createTexts();
    createFields();
    layOut();
    reloadDevices();
    m_training->hide();
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
    m_notes = new QLabel;
    m_notes->setWordWrap(true);
    m_notes->setForegroundRole(QPalette::PlaceholderText);
}

/// What the user can change, and the blocks.
void ModelPanel::createFields()
{
    m_device = new QComboBox;
    m_device->setObjectName(u"deviceBox"_s);
    m_device->setAccessibleName(tr("Device"));
    m_transfer = new QComboBox;
    m_transfer->setAccessibleName(tr("Transfer model"));
    m_transfer->addItem(tr("as the device says"), -1);
    for (TransferModel model : {TransferModel::Blocking, TransferModel::Dma, TransferModel::Paper})
        m_transfer->addItem(text::transfer(model), static_cast<int>(model));
    m_dims = new QLineEdit;
    m_dims->setAccessibleName(tr("Dimensions"));
    m_dims->setPlaceholderText(tr("batch=1"));
    m_dims->setToolTip(tr("Values of symbolic dimensions, such as batch=8, sequence=128"));
    m_loss = new QComboBox;
    m_loss->setAccessibleName(tr("Loss"));
    m_loss->addItems({u"cross-entropy"_s, u"bce"_s, u"mse"_s, u"none"_s});
    m_optimizer = new QComboBox;
    m_optimizer->setAccessibleName(tr("Optimizer"));
    m_optimizer->addItems({u"sgd"_s, u"sgd-buffered"_s, u"momentum"_s, u"adam"_s});
    m_optimizer->setToolTip(tr("sgd updates at once and keeps no gradient; adam keeps two numbers for each weight"));
    m_freeze = new QLineEdit;
    m_freeze->setAccessibleName(tr("Frozen layers"));
    m_freeze->setPlaceholderText(tr("none"));
    m_freeze->setToolTip(tr("Patterns of parameter names that are not trained, such as features.*, separated by spaces"));
    m_blocks = new QTreeWidget;
    m_blocks->setObjectName(u"blockTree"_s);
    m_blocks->setAccessibleName(tr("Blocks"));
    m_blocks->setHeaderLabels({tr("Block"), tr("Nodes"), tr("Tensors")});
    m_blocks->setRootIsDecorated(false);
    m_blocks->setUniformRowHeights(true);
    m_blocks->setMinimumHeight(110);
    for (QComboBox* box : {m_device, m_transfer, m_loss, m_optimizer}) {  // the panel's width decides, not the longest name
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(7);
    }
    for (QLineEdit* field : {m_dims, m_freeze})
        field->setMinimumWidth(60);
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
    device->addRow(tr("Transfers"), m_transfer);
    m_training = new QWidget;
    auto* training = new QFormLayout(m_training);
    training->setContentsMargins(0, 0, 0, 0);
    training->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    training->addRow(tr("Dimensions"), m_dims);
    training->addRow(tr("Loss"), m_loss);
    training->addRow(tr("Optimizer"), m_optimizer);
    training->addRow(tr("Frozen"), m_freeze);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(5);
    column->addWidget(m_title);
    column->addWidget(m_facts);
    column->addWidget(m_wall);
    column->addLayout(device);
    column->addWidget(m_training);
    column->addWidget(m_blocks, 100);
    column->addWidget(m_notes);
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
}

void ModelPanel::connectFields()
{
    connect(m_device, &QComboBox::activated, this, &ModelPanel::emitEdited);
    connect(m_transfer, &QComboBox::activated, this, &ModelPanel::emitEdited);
    connect(m_loss, &QComboBox::activated, this, &ModelPanel::emitEdited);
    connect(m_optimizer, &QComboBox::activated, this, &ModelPanel::emitEdited);
    for (QLineEdit* field : {m_dims, m_freeze})
        connect(field, &QLineEdit::editingFinished, this, [this, field] {
            if (field->isModified()) {
                field->setModified(false);
                emitEdited();
            }
        });
    connect(m_wall, &QLabel::linkActivated, this, [this] {
        if (m_state.problem())
            m_state.selectNode(m_state.problem()->wallNode);
    });
    connect(m_blocks, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { Q_EMIT blockActivated(item->data(0, Qt::UserRole).toString()); });
}

void ModelPanel::reloadDevices()
{
    const QString current = device();
    m_device->clear();
    if (m_readers.devices) {
        const QList<DeviceEntry> entries = m_readers.devices();
        for (const DeviceEntry& entry : entries) {
            m_device->addItem(entry.title.isEmpty() ? entry.id : entry.title, entry.id);
            m_device->setItemData(m_device->count() - 1, entry.summary, Qt::ToolTipRole);
        }
    }
    if (!current.isEmpty())
        setDevice(current);
}

QString ModelPanel::device() const { return m_device->currentData().toString(); }

void ModelPanel::setDevice(const QString& device)
{
    int index = m_device->findData(device);
    if (index < 0 && !device.isEmpty()) {  // a profile file
        m_device->addItem(device.section(u'/', -1), device);
        index = m_device->count() - 1;
    }
    m_device->setCurrentIndex(index);
    m_deviceText->setText(m_readers.describeDevice ? m_readers.describeDevice(device) : QString());
}

ModelSetup ModelPanel::setup() const
{
    ModelSetup setup;
    setup.device = device();
    setup.dims = m_dims->text().split(QRegularExpression(u"[,\\s]+"_s), Qt::SkipEmptyParts);
    setup.loss = m_loss->currentText();
    setup.optimizer = m_optimizer->currentText();
    setup.freeze = m_freeze->text().split(QRegularExpression(u"[,\\s]+"_s), Qt::SkipEmptyParts);
    if (m_state.problem() && m_state.problem()->setup.device == setup.device)
        setup.operatingPoint = m_state.problem()->setup.operatingPoint;
    if (m_transfer->currentData().toInt() >= 0)
        setup.transfer = static_cast<TransferModel>(m_transfer->currentData().toInt());
    return setup;
}

void ModelPanel::emitEdited()
{
    m_deviceText->setText(m_readers.describeDevice ? m_readers.describeDevice(device()) : QString());
    if (m_state.problem() && setup() != m_state.problem()->setup)
        Q_EMIT setupEdited(setup());
}

void ModelPanel::refresh()
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem) {
        m_title->setText(tr("No model is open."));
        m_facts->clear();
        m_wall->clear();
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
        facts += tr("; %1 of weights; %2 a step").arg(text::bytes(problem->training->parameterBytes()), text::from(formatSi(flops, "FLOP")));
    facts += tr("\nkeep-all: %1, %2, %3")
                 .arg(text::bytes(problem->keepAllPeakBytes), text::joules(problem->keepAll->replay.energyJoules), text::seconds(problem->keepAll->replay.seconds));
    m_facts->setText(facts);
    if (problem->wallNode >= 0)
        m_wall->setText(tr("smallest possible memory %1, set by <a href=\"#wall\">%2</a>")
                            .arg(text::bytes(problem->wallBytes),
                                 text::shortNodeName(problem->facts[static_cast<std::size_t>(problem->wallNode)].name).toHtmlEscaped()));
    const ModelSetup& setup = problem->setup;
    m_training->setVisible(problem->hasTraining);
    m_device->setEnabled(problem->hasTraining);
    if (problem->hasTraining) {
        setDevice(setup.device);
    } else {
        m_device->setCurrentIndex(-1);
        m_deviceText->setText(tr("A cost graph carries its own costs (%1 transfers).").arg(text::transfer(problem->graph->device.transfer)));
    }
    m_dims->setText(setup.dims.join(u' '));
    m_freeze->setText(setup.freeze.join(u' '));
    m_loss->setCurrentText(setup.loss);
    m_optimizer->setCurrentText(setup.optimizer);
    m_transfer->setCurrentIndex(m_transfer->findData(setup.transfer ? static_cast<int>(*setup.transfer) : -1));
    m_notes->setText(problem->notes.isEmpty() ? QString() : tr("Notes of the import: %1 (hover to read)").arg(problem->notes.size()));
    m_notes->setToolTip(problem->notes.join(u'\n'));
    showBlocks();
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

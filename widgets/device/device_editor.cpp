// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/device/device_editor.h"

#include "widgets/controls/device_box.h"
#include "widgets/device/device_cache.h"
#include "widgets/device/quantity_model.h"
#include "widgets/device/sensitivity_panel.h"
#include "widgets/document/beside.h"
#include "widgets/style/text.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QShortcut>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace poet {

using namespace Qt::StringLiterals;

DeviceEditor::DeviceEditor(DocumentState& state, QWidget* parent) : QDialog(parent), m_state(state)
{
    setObjectName(u"deviceEditor"_s);
    setWindowTitle(tr("Device editor"));
    setModal(false);
    resize(1080, 640);
    build();
    connect(m_model, &QuantityModel::edited, this, [this] {
        m_sensitivity->draftChanged();
        draftEdited();
    });
    connect(m_model, &QuantityModel::refused, this, &DeviceEditor::showNote);
    connect(m_sensitivity, &SensitivityPanel::edited, this, [this] {
        m_model->refresh();
        draftEdited();
    });
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (isVisible() && aspects & (DocumentState::ProblemAspect | DocumentState::CacheAspect | DocumentState::ControlsAspect))
            m_sensitivity->plansChanged();
    });
    connect(m_other, &QComboBox::activated, this, [this] { compareWith(m_other->device()); });
    for (QLineEdit* field : {m_id, m_name})
        connect(field, &QLineEdit::textEdited, this, [this] {
            m_draft.setNames(text::to(m_id->text().trimmed()), text::to(m_name->text().trimmed()));
            draftEdited();
        });
}

void DeviceEditor::build()
{
    m_id = new QLineEdit;
    m_id->setAccessibleName(tr("Id of the new profile"));
    m_name = new QLineEdit;
    m_name->setAccessibleName(tr("Name of the new profile"));
    m_other = new DeviceBox;
    m_other->setObjectName(u"compareDevice"_s);
    m_other->setAccessibleName(tr("Device to compare with"));
    m_other->setMinimumContentsLength(14);
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Id")));
    row->addWidget(m_id, 1);
    row->addWidget(new QLabel(tr("Name")));
    row->addWidget(m_name, 2);
    row->addWidget(new QLabel(tr("Compare with")));
    row->addWidget(m_other, 1);
    auto* splitter = new QSplitter;
    splitter->addWidget(buildTable());
    splitter->addWidget(buildSensitivity());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    m_note = new QLabel;
    m_note->setObjectName(u"deviceNote"_s);
    m_note->setWordWrap(true);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* rows = new QPushButton(tr("Import measured &rows\u2026"));
    rows->setToolTip(tr("CSV or JSON of \"poet profile-host\", of a firmware calibration, or of your own measurements"));
    m_save = new QPushButton(tr("&Save as and use\u2026"));
    m_save->setToolTip(tr("Writes a new profile file and makes it the device of the open model; shipped profiles stay as they are"));
    auto* close = new QPushButton(tr("Close"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(rows);
    buttons->addStretch();
    buttons->addWidget(m_save);
    buttons->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(splitter, 1);
    column->addWidget(m_note);
    column->addLayout(buttons);
    connect(rows, &QPushButton::clicked, this, &DeviceEditor::askRows);
    connect(m_save, &QPushButton::clicked, this, &DeviceEditor::askSave);
    connect(close, &QPushButton::clicked, this, &DeviceEditor::close);
}

QWidget* DeviceEditor::buildTable()
{
    m_model = new QuantityModel(m_draft, this);
    m_table = new QTableView;
    m_table->setObjectName(u"quantityTable"_s);
    m_table->setAccessibleName(tr("Numbers of the device"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setColumnWidth(QuantityModel::NumberColumn, 250);
    auto* take = new QShortcut(QKeySequence(Qt::Key_Delete), m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(take, &QShortcut::activated, this, [this] {
        const QModelIndex current = m_table->currentIndex();
        if (current.isValid())
            m_model->setData(m_model->index(current.row(), QuantityModel::ValueColumn), QString(), Qt::EditRole);
    });
    return m_table;
}

QWidget* DeviceEditor::buildSensitivity()
{
    m_sensitivity = new SensitivityPanel(m_state, m_draft);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(8, 0, 0, 0);
    auto* title = new QLabel(tr("Uncertain numbers, and at which value another plan is better"));
    title->setWordWrap(true);
    column->addWidget(title);
    column->addWidget(m_sensitivity, 1);
    return box;
}

Expected<void> DeviceEditor::edit(const QString& device)
{
    POET_TRY(draft, DeviceDraft::copyOf(text::to(device)));
    m_draft = std::move(draft);
    m_isSaved = true;
    m_id->setText(text::from(m_draft.profile().id));
    m_name->setText(text::from(m_draft.profile().name));
    m_model->refresh();
    m_sensitivity->rebuild();
    m_table->resizeColumnToContents(QuantityModel::ValueColumn);
    m_table->resizeColumnToContents(QuantityModel::SpreadColumn);
    showNote(tr("This is a copy of %1. Double-click a value to change it; bold values are edited.").arg(text::from(m_draft.original().name)));
    return {};
}

void DeviceEditor::setDevices(const QList<DeviceEntry>& entries) { m_other->setDevices(entries, tr("nothing")); }

void DeviceEditor::compareWith(const QString& device)
{
    m_other->setDevice(device);
    if (device.isEmpty()) {
        m_model->setOther(std::nullopt);
        return;
    }
    const auto other = knownDevice(device);
    if (!other) {
        showNote(text::from(other.error().text()));
        return;
    }
    m_model->setOther(**other);
    int different = 0;
    for (int i = 0; i < m_model->rowCount(); ++i)
        different += m_model->isDifferent(i);
    m_table->resizeColumnToContents(QuantityModel::OtherColumn);
    showNote(tr("%1 of %2 numbers differ from %3.").arg(different).arg(m_model->rowCount()).arg(device));
}

void DeviceEditor::draftEdited()
{
    m_isSaved = false;
    if (!std::exchange(m_isJudging, true))
        judge();
    else
        m_isJudgedLate = true;
}

/// The draft is read back from its own text, which takes longer than a frame: beside the window, one at a time.
void DeviceEditor::judge()
{
    m_isJudgedLate = false;
    runBeside(this, [draft = m_draft] { return draft.complaints(); },
              [this](const std::vector<std::string>& complaints) {
                  m_isJudging = false;
                  if (m_isJudgedLate) {
                      draftEdited();
                      return;
                  }
                  QStringList lines;
                  for (const std::string& complaint : complaints)
                      lines << text::from(complaint);
                  if (!m_isSaved)
                      showNote(lines.isEmpty() ? tr("Edited, not saved yet.") : lines.join(u'\n'));
              });
}

void DeviceEditor::importRows(const QString& file)
{
    const auto notes = m_draft.importRows(text::to(file));
    if (!notes) {
        showNote(text::from(notes.error().text()));
        return;
    }
    m_isSaved = false;
    m_id->setText(text::from(m_draft.profile().id));
    m_model->refresh();
    m_sensitivity->draftChanged();
    QStringList lines;
    for (const std::string& note : *notes)
        lines << text::from(note);
    showNote(lines.join(u'\n'));
}

Expected<void> DeviceEditor::save(const QString& file)
{
    POET_CHECK(m_draft.save(text::to(file)));
    m_isSaved = true;
    showNote(tr("Written: %1").arg(file));
    Q_EMIT deviceSaved(file);
    return {};
}

void DeviceEditor::askRows()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Import measured rows"), QSettings().value(u"lastFolder"_s).toString(),
                                                      tr("Measured rows (*.csv *.json);;All files (*)"));
    if (!file.isEmpty())
        importRows(file);
}

void DeviceEditor::askSave()
{
    const QString folder = QSettings().value(u"lastFolder"_s).toString();
    QString file = QFileDialog::getSaveFileName(this, tr("Save device profile"), folder + u'/' + text::from(m_draft.profile().id) + u".json"_s, tr("Device profiles (*.json)"));
    if (file.isEmpty())
        return;
    if (!file.endsWith(".json"_L1, Qt::CaseInsensitive))
        file += u".json"_s;
    if (const auto saved = save(file); !saved)
        showNote(text::from(saved.error().text()));
}

void DeviceEditor::showNote(const QString& text) { m_note->setText(text); }
QString DeviceEditor::note() const { return m_note->text(); }

bool DeviceEditor::mayLoseEdits()
{
    return m_isSaved || QMessageBox::question(this, tr("Device editor"), tr("The profile was edited and not saved. Close all the same?")) == QMessageBox::Yes;
}

void DeviceEditor::closeEvent(QCloseEvent* event)
{
    if (mayLoseEdits())
        event->accept();
    else
        event->ignore();
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/export_dialog.h"

#include "widgets/document/beside.h"
#include "widgets/style/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace poet {

using namespace Qt::StringLiterals;

ExportDialog::ExportDialog(const QString& program, ScheduleMaker schedule, const QString& baseName, const QString& facts, const QString& warning, QWidget* parent)
    : QDialog(parent), m_preview(new ExportPreview(program, this)), m_schedule(QDir::tempPath() + u"/poet-XXXXXX.json"_s), m_baseName(baseName)
{
    setObjectName(u"exportDialog"_s);
    setWindowTitle(tr("Export schedule"));
    resize(820, 560);
    build(facts, warning);
    connect(m_preview, &ExportPreview::ready, this, &ExportDialog::showReady);
    connect(m_preview, &ExportPreview::failed, this, [this](const QString& message) { m_summary->setText(message); });
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    for (QCheckBox* box : {m_kernels, m_calibrate})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
    connect(m_files, &QListWidget::currentRowChanged, this, [this](int row) { m_excerpt->setPlainText(m_preview->excerpt(row)); });
    connect(m_write, &QPushButton::clicked, this, &ExportDialog::askPath);
    refresh();
    if (m_schedule.open())
        prepare(std::move(schedule));
    else
        m_summary->setText(tr("The schedule cannot be written to a temporary file. Check the free space."));
}

/// The schedule of a large model is megabytes of text, replayed once more before it is written.
void ExportDialog::prepare(ScheduleMaker make)
{
    runBeside(this,
              [make = std::move(make), path = m_schedule.fileName()]() -> Expected<void> {
                  POET_TRY(json, make());
                  QFile file(path);
                  if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.flush())
                      return fail(ErrorCode::FileNotFound, tr("The schedule cannot be written to a temporary file. Check the free space.").toStdString());
                  return {};
              },
              [this](const Expected<void>& done) {
                  m_hasSchedule = done.has_value();
                  if (done)
                      refresh();
                  else
                      m_summary->setText(text::from(done.error().text()));
              });
}

void ExportDialog::build(const QString& facts, const QString& warning)
{
    m_format = new QComboBox;
    m_format->setObjectName(u"exportFormat"_s);
    m_format->setAccessibleName(tr("Format"));
    // In the order of exportFormats().
    m_format->addItems({tr("Schedule (JSON)"), tr("Firmware: C folder"), tr("Firmware: compact binary"), tr("Steps (CSV)"), tr("Residencies (CSV)"), tr("Graph (Graphviz)"), tr("Timeline (SVG)")});
    m_kernels = new QCheckBox(tr("with reference kernels"));
    m_kernels->setToolTip(tr("The folder then builds a host program \"step\" that trains one step"));
    m_calibrate = new QCheckBox(tr("with calibration program"));
    m_calibrate->setToolTip(tr("Measures each kernel on the device; its rows can be imported in the device editor"));
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Format")));
    row->addWidget(m_format);
    row->addWidget(m_kernels);
    row->addWidget(m_calibrate);
    row->addStretch();
    m_purpose = new QLabel;
    m_purpose->setObjectName(u"exportPurpose"_s);
    m_purpose->setWordWrap(true);
    auto* plan = new QLabel(facts);
    plan->setForegroundRole(QPalette::PlaceholderText);
    plan->setWordWrap(true);
    plan->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* caution = new QLabel(warning);
    caution->setWordWrap(true);
    caution->setVisible(!warning.isEmpty());
    QFont bold = font();
    bold.setBold(true);
    caution->setFont(bold);
    m_files = new QListWidget;
    m_files->setAccessibleName(tr("Files"));
    m_files->setMaximumWidth(230);
    m_excerpt = new QPlainTextEdit;
    m_excerpt->setAccessibleName(tr("Preview"));
    m_excerpt->setReadOnly(true);
    m_excerpt->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_excerpt->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    auto* views = new QHBoxLayout;
    views->addWidget(m_files);
    views->addWidget(m_excerpt, 1);
    m_summary = new QLabel;
    m_summary->setObjectName(u"exportSummary"_s);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_write = new QPushButton(tr("&Write\u2026"));
    m_write->setDefault(true);
    auto* cancel = new QPushButton(tr("Close"));
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_summary, 1);
    buttons->addWidget(m_write);
    buttons->addWidget(cancel);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(m_purpose);
    column->addWidget(plan);
    column->addWidget(caution);
    column->addLayout(views, 1);
    column->addLayout(buttons);
}

/// What each format suits, in the order of exportFormats().
QStringList ExportDialog::purposes()
{
    return {tr("Everything, with graph and proof: to open again here, for \"poet verify\" and \"poet explain\", and for your own scripts."),
            tr("C99 sources that run the plan on a microcontroller or a PC: to build into firmware. With reference kernels they train at once."),
            tr("The plan in a few hundred bytes for the runtime's interpreter: to replace a plan on a device without new firmware."),
            tr("One row an event, with time, bytes and energy: for spreadsheets and pandas."),
            tr("One row for each stay of a tensor in RAM, with its address: for memory allocators and their tests."),
            tr("The graph with what the plan does to each tensor, for Graphviz: for papers and slides."),
            tr("The timeline as a picture: for papers and slides.")};
}

void ExportDialog::refresh()
{
    const ExportFormat& format = exportFormats()[m_format->currentIndex()];
    m_purpose->setText(purposes()[m_format->currentIndex()]);
    m_kernels->setVisible(format.isFolder);
    m_calibrate->setVisible(format.isFolder);
    m_write->setEnabled(false);
    m_files->clear();
    m_excerpt->clear();
    m_summary->setText(tr("Exporting\u2026"));
    QStringList options;
    if (format.isFolder && m_kernels->isChecked())
        options << u"--with-kernels"_s;
    if (format.isFolder && m_calibrate->isChecked())
        options << u"--calibrate"_s;
    if (m_hasSchedule)
        m_preview->run(m_schedule.fileName(), format, m_baseName, options);
}

void ExportDialog::showReady()
{
    m_files->clear();
    for (const ExportedFile& file : m_preview->files())
        m_files->addItem(u"%1  (%2)"_s.arg(file.name, text::bytes(file.bytes)));
    m_files->setVisible(m_preview->files().size() > 1);
    m_files->setCurrentRow(0);
    m_excerpt->setPlainText(m_preview->excerpt(0));
    const QString size = QLocale().toString(m_preview->totalBytes());
    m_summary->setText((m_preview->files().size() > 1 ? tr("%1 files, %2 bytes").arg(m_preview->files().size()).arg(size) : tr("%1 bytes").arg(size)) + u'\n' +
                       tr("SHA-256 %1").arg(QString::fromLatin1(m_preview->checksum())));
    m_write->setEnabled(true);
}

QString ExportDialog::summary() const { return m_summary->text(); }

void ExportDialog::writeTo(const QString& path)
{
    m_write->setEnabled(false);
    m_preview->writeTo(path, [this, path](const QString& problem) {
        if (!problem.isEmpty()) {
            m_summary->setText(problem);
            m_write->setEnabled(m_preview->isReady());
            return;
        }
        m_written = path;
        accept();
    });
}

void ExportDialog::askPath()
{
    const ExportFormat& format = exportFormats()[m_format->currentIndex()];
    QSettings settings;
    const QString folder = settings.value(u"lastFolder"_s).toString();
    const QString proposed = (folder.isEmpty() ? QString() : folder + u'/') + m_baseName + (format.isFolder ? u"-firmware"_s : format.ending);
    const QString path = QFileDialog::getSaveFileName(this, tr("Write to"), proposed);
    if (path.isEmpty())
        return;
    settings.setValue(u"lastFolder"_s, QFileInfo(path).absolutePath());
    writeTo(path);
}

}  // namespace poet
